// Consistent mass in a world: falling, momentum and reactions, frequencies of a bar, energy, the
// problem of a step by differences, damping; with all kinds of elements, supports, unknowns and
// schemes.
#include "dynamics/worlds.h"

#include "dynamics/world.h"
#include "math/vec.h"
#include "oracle/random.h"

static const double pi = 3.14159265358979323846;

static pli_world_def plain_def(int dim, const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.scheme = scheme;
    def.time_step = h;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-9;
    def.thread_count = 2;
    return def;
}

static void make_mesh(pli_mesh* mesh, int dim, int n, bool quadratic) {
    pli_mesh_init(mesh, NULL);
    if (dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(mesh, 1, 1, n, n, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(
            pli_mesh_add_box(mesh, (const double[3]){1, 1, 1}, (const int[3]){n, n, n}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
}

static pli_body_def consistent_def(const pli_mesh* mesh) {
    pli_body_def def = pli_default_body_def();
    def.mesh = mesh;
    def.mass = "consistent";
    return def;
}

static pli_body_id add(pli_world* world, const pli_body_def* def, const char* energy,
                       double young) {
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, def, &id, &error));
    pli_setting settings[2] = {{"young", young}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, energy, settings, 2, NULL, &error));
    return id;
}

static int select_y(const pli_mesh* mesh, double y, int32_t* out) {
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (fabs(mesh->positions[3 * v + 1] - y) < 1e-9) out[count++] = v;
    return count;
}

// sum of M v over all vertices.
static void momentum(const pli_world* world, double out[3]) {
    static double Mv[3 * 200];
    assert_true(world->model.vertex_count <= 200);
    pli_vertex_mass_multiply(&world->kinematics, pli_world_velocities(world), Mv);
    out[0] = out[1] = out[2] = 0;
    for (int v = 0; v < world->model.vertex_count; ++v) pli_axpy(1, Mv + 3 * v, out, 3);
}

// Gravity is consistent with the mass: every scheme lets every element fall as a point does, be it
// that of the world or an energy of the body.
static void free_fall(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        double first; // v0 of the scheme's law x_n = -g h^2 (n^2 / 2 + first n)
    } schemes[] = {{"backward-euler", 0.5},   {"newmark", 0},  {"implicit-midpoint", 0},
                   {"symplectic-euler", 0.5}, {"leapfrog", 0}, {"rk4", 0}};
    for (int i = 0; i < 48; ++i) {
        int dim = 2 + i % 2;
        bool laid = i >= 24;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 1, i / 2 % 2);
        pli_world_def def = plain_def(dim, schemes[i / 4 % 6].scheme, 1e-3);
        def.gravity[1] = laid ? 0 : -9.81;
        pli_world* world = make_world(&def);
        pli_body_def body = consistent_def(&mesh);
        pli_body_id id = add(world, &body, "linear", 1e3);
        if (laid) ASSERT_OK(pli_world_add_energy(world, id, "gravity", NULL, 0, NULL, &error));
        for (int s = 0; s < 10; ++s) assert_int_equal(step(world).reason, PLI_CONVERGED);
        double drop = 9.81e-6 * (50 + 10 * schemes[i / 4 % 6].first), mass = 0;
        for (int v = 0; v < mesh.vertex_count; ++v) {
            const double *x = pli_world_positions(world) + 3 * v, *X = mesh.positions + 3 * v;
            ASSERT_NEAR(x[0], X[0], 1e-12); // forces of rounding
            ASSERT_NEAR(x[1], X[1] - drop, 1e-12);
            mass += pli_world_vertex_masses(world)[v];
        }
        ASSERT_NEAR(mass, 1000, 1e-9);
        double p[3];
        momentum(world, p);
        ASSERT_NEAR(p[1], 1000 * pli_world_velocities(world)[1], 1e-6); // Newton's tolerance
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// A body on supports of all kinds is pulled along: change of momentum = weight + all reactions.
static void reactions(void** state) {
    (void)state;
    for (int i = 0; i < 8; ++i) {
        int dim = 2 + i % 2;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 2, i / 2 % 2);
        pli_world_def def = plain_def(dim, i / 4 ? "newmark" : "backward-euler", 0.02);
        def.gravity[0] = 3;
        def.gravity[1] = -9.81;
        pli_world* world = make_world(&def);
        pli_body_def body = consistent_def(&mesh);
        body.density = 2;
        body.velocity[0] = 0.5;
        pli_body_id id = add(world, &body, "stable-neo-hookean", 1e3);
        int32_t list[200];
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = list;
        fix.vertex_count = select_y(&mesh, 0.5, list);
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        fix.vertex_count = select_y(&mesh, -0.5, list) / 2;
        fix.normal[0] = 1;
        fix.normal[1] = 2;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        pli_prescribe_def pull = pli_default_prescribe_def();
        pull.vertices = list;
        pull.vertex_count = select_y(&mesh, 0, list) > 1 ? 1 : 0;
        pull.velocity[0] = 0.3;
        ASSERT_OK(pli_world_prescribe(world, id, &pull, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        for (int s = 0; s < 4; ++s) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            double force[3] = {0}, total[3] = {0}, Ma[3 * 200];
            for (int v = 0; v < mesh.vertex_count; ++v)
                pli_axpy(1, pli_world_reactions(world) + 3 * v, force, 3);
            pli_vertex_mass_multiply(&world->kinematics, world->accelerations, Ma);
            for (int v = 0; v < mesh.vertex_count; ++v) pli_axpy(1, Ma + 3 * v, total, 3);
            for (int c = 0; c < dim; ++c) // Newton's tolerance times mass and 1 / h
                ASSERT_NEAR(force[c] + 2 * (c == 0 ? 3 : c == 1 ? -9.81 : 0), total[c], 1e-6);
        }
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// A bar of n cells between two walls that can only stretch: one mode per column of vertices, so it
// is the textbook's chain. Started as sin(pi x / L), under Newmark's rule it swings as cos(i phi)
// with tan(phi / 2) = omega_h h / 2 and, with theta = pi / n and the speed of sound c,
//     lumped      omega_h^2 = 2 (c / l)^2 (1 - cos theta)
//     consistent  omega_h^2 = 6 (c / l)^2 (1 - cos theta) / (2 + cos theta)
static double swing(int n, bool consistent) {
    const double c2 = 10, length = 1, h = 0.05; // c^2 = E / rho
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, length, 0.1, n, 1, PLI_TRIANGLES, &error));
    static double modes[3 * 40 * 40], start[3 * 40];
    memset(modes, 0, sizeof modes);
    for (int v = 0; v < mesh.vertex_count; ++v) {
        double x = mesh.positions[3 * v] + 0.5 * length;
        int column = (int)lround(x / length * n);
        memcpy(start + 3 * v, mesh.positions + 3 * v, 3 * sizeof(double));
        start[3 * v] += 1e-3 * sin(pi * column / n);
        if (column > 0 && column < n) modes[3 * (mesh.vertex_count * (column - 1) + v)] = 1;
    }
    pli_world_def def = plain_def(2, "newmark", h);
    def.solver.tolerance = 1e-13;
    pli_world* world = make_world(&def);
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.mass = consistent ? "consistent" : "lumped";
    body.density = 1;
    body.initial = start;
    body.modes = modes;
    body.mode_count = n - 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_setting settings[2] = {{"young", c2}, {"poisson", 0}};
    ASSERT_OK(pli_world_add_energy(world, id, "linear", settings, 2, NULL, &error));
    double theta = pi / n, sum = consistent ? 6 / (2 + cos(theta)) : 2;
    double omega = sqrt(sum * c2 * n * n * (1 - cos(theta))), phi = 2 * atan(0.5 * omega * h);
    for (int i = 1; i <= 20; ++i) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        for (int v = 0; v < mesh.vertex_count; ++v) {
            double u = pli_world_positions(world)[3 * v] - mesh.positions[3 * v];
            ASSERT_NEAR(u, (start[3 * v] - mesh.positions[3 * v]) * cos(i * phi), 1e-12);
        }
    }
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
    return omega;
}

// Frequencies come down to the exact one with consistent mass and up to it with lumped mass; the
// errors shrink with the square of the cells.
static void frequencies(void** state) {
    (void)state;
    double omega = pi * sqrt(10), above[3], below[3];
    for (int i = 0; i < 3; ++i) {
        above[i] = swing(4 << i, true) / omega - 1;
        below[i] = 1 - swing(4 << i, false) / omega;
        print_message("    %d cells: consistent +%.2g, lumped -%.2g\n", 4 << i, above[i], below[i]);
        assert_true(above[i] > 0 && below[i] > 0);
        if (i > 0) {
            ASSERT_NEAR(above[i - 1] / above[i], 4, 0.2);
            ASSERT_NEAR(below[i - 1] / below[i], 4, 0.2);
        }
    }
}

static double stored(const pli_world* world) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

// A linear body keeps its energy under the midpoint rule and Newmark's; freely, by its polynomials,
// and hung up.
static void energy(void** state) {
    (void)state;
    for (int i = 0; i < 12; ++i) {
        int dim = 2 + i % 2;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 1, i / 4 == 1);
        pli_world_def def = plain_def(dim, i / 2 % 2 ? "newmark" : "implicit-midpoint", 0.01);
        def.solver.tolerance = 1e-12;
        pli_world* world = make_world(&def);
        pli_random random = {7};
        double velocities[3 * 30] = {0};
        for (int v = 0; v < 3 * mesh.vertex_count; ++v)
            velocities[v] = v % 3 < dim ? pli_random_in(&random, -1, 1) : 0;
        pli_body_def body = consistent_def(&mesh);
        body.velocities = velocities;
        if (i / 4 == 2) body.kinematics = "polynomial";
        pli_body_id id = add(world, &body, "linear", 1e5);
        int32_t list[30];
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = list;
        fix.vertex_count = select_y(&mesh, 0.5, list);
        if (i / 4 == 0) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        double first = stored(world);
        for (int s = 0; s < 20; ++s) assert_int_equal(step(world).reason, PLI_CONVERGED);
        ASSERT_NEAR(stored(world), first, 1e-9 * first); // 20 steps of Newton's tolerance
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// Explicit and implicit schemes agree where steps are small.
static void explicit_schemes(void** state) {
    (void)state;
    static const char* const schemes[] = {"newmark", "leapfrog", "rk4", "exponential"};
    double reference[3 * 9];
    for (int i = 0; i < 4; ++i) {
        pli_mesh mesh;
        make_mesh(&mesh, 2, 2, false);
        pli_world_def def = plain_def(2, schemes[i], 1e-4);
        def.gravity[1] = -9.81;
        pli_world* world = make_world(&def);
        pli_body_def body = consistent_def(&mesh);
        pli_body_id id = add(world, &body, "linear", 1e5);
        int32_t corner[1] = {8};
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = corner;
        fix.vertex_count = 1;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        for (int s = 0; s < 200; ++s) assert_int_equal(step(world).reason, PLI_CONVERGED);
        for (int k = 0; k < 27; ++k) {
            double x = pli_world_positions(world)[k];
            if (i == 0) reference[k] = x;
            // of a drop of 2e-3 m; steps of order 2, h omega of the fastest mode is 0.02
            ASSERT_NEAR(x, reference[k], 2e-7);
        }
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

static void wave(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    double s = sin(4 * time);
    out[0] = 0.1 * time * time;
    out[1] = 0.1 * s * s;
    out[2] = 0;
}

// A bar shaken at one end, which passes its inertia on: where the other end is after 0.5 s.
static void shake(const char* scheme, int steps, double out[2]) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 0.25, 1, 1, 4, PLI_TRIANGLES, &error));
    pli_world_def def = plain_def(2, scheme, 0.5 / steps);
    def.solver.tolerance = 1e-10;
    pli_world* world = make_world(&def);
    pli_body_def body = consistent_def(&mesh);
    body.stiffness_damping = 0.005; // or the fastest waves, which steps do not resolve, would stay
    pli_body_id id = add(world, &body, "linear", 2e5);
    int32_t low[10];
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = low;
    motion.vertex_count = select_y(&mesh, -0.5, low);
    assert_int_equal(motion.vertex_count, 2);
    motion.field = wave;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    for (int n = 0; n < steps; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    memcpy(out, pli_world_positions(world) + 3 * (mesh.vertex_count - 1), 2 * sizeof *out);
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

static void prescribed_order(void** state) {
    (void)state;
    static const char* const schemes[] = {"newmark", "implicit-midpoint", "averaged-vector-field"};
    for (int i = 0; i < 3; ++i) {
        double reference[2], coarse[2], fine[2];
        shake(schemes[i], 800, reference);
        shake(schemes[i], 50, coarse);
        shake(schemes[i], 100, fine);
        double order = order_of(reference, coarse, fine);
        if (!(order > 1.9 && order < 2.2)) print_error("%s: order %g\n", schemes[i], order);
        assert_true(order > 1.9 && order < 2.2);
    }
}

// E -> g and g -> H by central differences in the middle of a step.
static void differences(void** state) {
    (void)state;
    pli_mesh mesh;
    make_mesh(&mesh, 2, 1, true);
    pli_world_def def = plain_def(2, "bdf2", 0.05);
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    pli_body_def body = consistent_def(&mesh);
    body.velocity[0] = 1;
    pli_body_id id = add(world, &body, "stable-neo-hookean", 1e4);
    int32_t one[1] = {0};
    pli_prescribe_def pull = pli_default_prescribe_def();
    pull.vertices = one;
    pull.vertex_count = 1;
    pull.velocity[1] = 0.4;
    ASSERT_OK(pli_world_prescribe(world, id, &pull, NULL, &error));
    step(world);
    step(world);
    pli_problem problem = pli_world_problem(world);
    enum { N = 18 };
    assert_int_equal(problem.unknown_count, N);
    double q[N], g[N], up[N], down[N], *values, size, h = 1e-6;
    memset(world->frozen, 0, (size_t)world->kinematics.group_count);
    pli_random random = {9};
    for (int i = 0; i < N; ++i) q[i] = world->history.q[0][i] + pli_random_in(&random, -0.03, 0.03);
    ASSERT_OK(problem.ops->derivatives(problem.self, q, &(pli_hessian_wish){0}, g, NULL, &error));
    const pli_pattern* pattern;
    uint64_t epoch;
    problem.ops->matrix(problem.self, &pattern, &values, &epoch);
    double H[N][N] = {{0}};
    for (int j = 0; j < N; ++j)
        for (int at = pattern->start[j]; at < pattern->start[j + 1]; ++at)
            H[pattern->row[at]][j] = H[j][pattern->row[at]] = values[at];
    double scale = pli_norm(g, N);
    for (int i = 0; i < N; ++i) {
        double at = q[i], e[2];
        q[i] = at + h;
        ASSERT_OK(problem.ops->value(problem.self, q, &e[1], &size, &error));
        ASSERT_OK(problem.ops->derivatives(problem.self, q, NULL, up, NULL, &error));
        q[i] = at - h;
        ASSERT_OK(problem.ops->value(problem.self, q, &e[0], &size, &error));
        ASSERT_OK(problem.ops->derivatives(problem.self, q, NULL, down, NULL, &error));
        q[i] = at;
        ASSERT_NEAR((e[1] - e[0]) / (2 * h), g[i], 1e-6 * scale + 1e-15 * size / h);
        for (int j = 0; j < N; ++j)
            ASSERT_NEAR((up[j] - down[j]) / (2 * h), H[i][j], 1e-6 * sqrt(H[i][i] * H[j][j]));
    }
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// M v' = -alpha M v: with nothing that holds its vertices together every velocity of a body dies
// away by itself, in each step by the factor of the scheme.
static void damping(void** state) {
    (void)state;
    const double z = 50 * 1e-3; // alpha h
    const struct {
        const char* scheme;
        double factor;
    } schemes[] = {{"backward-euler", 1 / (1 + z)},
                   {"newmark", (1 - 0.5 * z) / (1 + 0.5 * z)},
                   {"implicit-midpoint", (1 - 0.5 * z) / (1 + 0.5 * z)},
                   {"forward-euler", 1 - z},
                   {"rk4", 1 - z + z * z / 2 - z * z * z / 6 + z * z * z * z / 24},
                   {"exponential", exp(-z)}};
    for (int i = 0; i < 24; ++i) {
        int dim = 2 + i % 2;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 1, i / 2 % 2);
        pli_world_def def = plain_def(dim, schemes[i / 4].scheme, 1e-3);
        def.solver.tolerance = 1e-12;
        pli_world* world = make_world(&def);
        pli_random random = {11};
        double velocities[3 * 30] = {0};
        for (int v = 0; v < 3 * mesh.vertex_count; ++v)
            velocities[v] = v % 3 < dim ? pli_random_in(&random, -1, 1) : 0;
        pli_body_def body = consistent_def(&mesh);
        body.velocities = velocities;
        body.mass_damping = 50;
        ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
        double left = 1;
        for (int s = 0; s < 20; ++s) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            left *= schemes[i / 4].factor;
        }
        for (int v = 0; v < 3 * mesh.vertex_count; ++v) // velocities are differences of places
            ASSERT_NEAR(pli_world_velocities(world)[v], left * velocities[v], 1e-9);
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

static void needs_density(void** state) {
    (void)state;
    pli_mesh mesh;
    make_mesh(&mesh, 2, 1, false);
    pli_world_def def = plain_def(2, "backward-euler", 0.01);
    pli_world* world = make_world(&def);
    pli_body_def body = consistent_def(&mesh);
    body.vertex_mass = 1;
    assert_int_equal(pli_world_add_body(world, &body, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "comes from density"));
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// The acceleration of prescribed neighbours is not known to an explicit scheme: said, not guessed.
static void explicit_with_prescribed_is_refused(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.scheme = "rk4";
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.mass = "consistent";
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const int32_t corner = 0;
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = &corner;
    motion.vertex_count = 1;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "implicit scheme"));
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(explicit_with_prescribed_is_refused),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(reactions),
        cmocka_unit_test(frequencies),
        cmocka_unit_test(energy),
        cmocka_unit_test(explicit_schemes),
        cmocka_unit_test(prescribed_order),
        cmocka_unit_test(differences),
        cmocka_unit_test(damping),
        cmocka_unit_test(needs_density),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
