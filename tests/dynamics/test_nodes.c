// Nodes: scalar unknowns of energies beside the points.
#include "dynamics/node_energies.h"
#include "dynamics/world.h"
#include "dynamics/worlds.h"

#include <stdlib.h>
#include <string.h>

static pli_world_def plane_def(const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 2;
    def.scheme = scheme;
    def.time_step = h;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    def.energy_types = node_types;
    def.energy_type_count = NODE_TYPE_COUNT;
    return def;
}

// A line of segments along x of length 1 each, with 1 kg per vertex.
static pli_body_id add_line(pli_world* world, int segments) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {segments, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, segments, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static void fix(pli_world* world, pli_body_id id, const int32_t* vertices, int count) {
    pli_fix_def def = pli_default_fix_def();
    def.vertices = vertices;
    def.vertex_count = count;
    ASSERT_OK(pli_world_fix(world, id, &def, &error));
}

static double value(const pli_world* world, int i) { return pli_world_node_values(world)[i]; }

static double energy(const pli_world* world, const char* name) {
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (strcmp(pli_world_energy_name(world, i), name) == 0)
            return pli_world_energy_value(world, i);
    fail_msg("no energy \"%s\"", name);
    return 0;
}

// ---- a rod in torsion

enum { SEGMENTS = 9 };

// Angles of the end segments are 0 and `last`, in a unit of which `unit` make one radian.
static pli_world* make_rod(pli_world_def* def, double last, double mass, double unit) {
    pli_world* world = make_world(def);
    pli_body_id id = add_line(world, SEGMENTS);
    static const int32_t ends[2] = {0, SEGMENTS};
    fix(world, id, ends, 2);
    int32_t inner[SEGMENTS - 1]; // slide along the rod, held together by springs
    for (int i = 0; i < SEGMENTS - 1; ++i) inner[i] = i + 1;
    pli_fix_def slide = {
        .vertices = inner, .vertex_count = SEGMENTS - 1, .axes = {false, true, true}};
    ASSERT_OK(pli_world_fix(world, id, &slide, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", NULL, 0, &error));
    pli_setting settings[] = {{"stiffness", 40 / (unit * unit)},
                              {"last", last * unit},
                              {"mass", mass / (unit * unit)},
                              {"scale", 0.05 / unit}};
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", settings, 4, &error));
    return world;
}

// The angle grows by equal parts; each joint carries the torque k last / 8.
static void check_twist(const pli_world* world, double last, double tolerance) {
    assert_int_equal(pli_world_node_count(world), SEGMENTS);
    for (int i = 0; i < SEGMENTS; ++i)
        ASSERT_NEAR(value(world, i), last * i / (SEGMENTS - 1), tolerance);
    double torque = 40 * last / (SEGMENTS - 1);
    ASSERT_NEAR(pli_world_node(world, 0).reaction, -torque, 40 * tolerance);
    ASSERT_NEAR(pli_world_node(world, SEGMENTS - 1).reaction, torque, 40 * tolerance);
    assert_true(pli_world_node(world, 1).reaction == 0);
    ASSERT_NEAR(energy(world, "torsion"), 0.5 * torque * last, 100 * tolerance);
}

static void test_static_torsion(void** state) {
    (void)state;
    // Newton solves a quadratic energy up to the shift of its matrix; the others stop when forces
    // are below 1e-6.
    static const struct {
        const char *method, *linear, *preconditioner;
        double tolerance;
    } rows[] = {{"projected-newton", "multifrontal", "", 1e-10},
                {"newton", "multifrontal", "", 1e-10},
                {"projected-newton", "pcg", "block-jacobi", 1e-5},
                {"projected-newton", "pcg", "incomplete-cholesky", 1e-5},
                {"projected-newton", "pcg", "multilevel", 1e-5},
                {"l-bfgs", "multifrontal", "", 1e-4},
                {"gradient-descent", "multifrontal", "", 1e-4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_world_def def = plane_def("static", 1);
        def.solver.method = rows[i].method;
        def.solver.linear = rows[i].linear;
        if (*rows[i].preconditioner) def.solver.preconditioner = rows[i].preconditioner;
        def.solver.gradient_tolerance = 1e-6;
        pli_world* world = make_rod(&def, 0.8, 0, 1);
        for (int n = 0; n < 2; ++n) {
            pli_step_info info = step(world);
            if (info.reason != PLI_CONVERGED)
                fail_msg("%s, %s %s: %s", rows[i].method, rows[i].linear, rows[i].preconditioner,
                         pli_reason_text(info.reason));
        }
        check_twist(world, 0.8, rows[i].tolerance);
        assert_true(memcmp(pli_world_positions(world), pli_world_rest_positions(world),
                           3 * sizeof(double) * (SEGMENTS + 1)) == 0);
        pli_world_destroy(world);
    }
}

// A massive rod swings about the same equilibrium and comes to rest there.
static void test_damped_torsion(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler", 0.05);
    pli_world* world = make_rod(&def, 0.8, 0.1, 1);
    for (int n = 0; n < 2000; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    check_twist(world, 0.8, 1e-5); // backward Euler damps until corrections are below the tolerance
    pli_world_destroy(world);
}

// In degrees, with the scale per degree, a step takes the same iterations to the same residual
// [m/s] and the same balance of forces; what is left is a matter of rounding.
static void test_units(void** state) {
    (void)state;
    const double degrees = 180 / 3.14159265358979;
    pli_world_def def = plane_def("bdf2", 0.01);
    def.solver.tolerance = 1e-3;
    pli_world *one = make_rod(&def, 0.8, 0.1, 1), *other = make_rod(&def, 0.8, 0.1, degrees);
    for (int n = 0; n < 100; ++n) {
        pli_step_info a = step(one), b = step(other);
        assert_int_equal(a.reason, PLI_CONVERGED);
        assert_int_equal(a.iterations, b.iterations);
        ASSERT_NEAR(a.residual, b.residual, 1e-9);
        for (int i = 0; i < SEGMENTS; ++i)
            ASSERT_NEAR(value(one, i), value(other, i) / degrees, 1e-12);
        ASSERT_NEAR(energy(one, "kinetic"), energy(other, "kinetic"), 1e-12);
    }
    pli_world_destroy(one);
    pli_world_destroy(other);
}

// ---- one node

// A level of mass m on a spring of stiffness k to a vertex that is held at height 0.
typedef struct level {
    const char* scheme;
    double h, mass, value, rate, scale;
} level;
static const double K = 50;

static pli_world* make_level(const level* l, double mass_damping) {
    pli_world_def def = plane_def(l->scheme, l->h);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, (double[3]){0}, NULL, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.mass_damping = mass_damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    fix(world, id, NULL, 0);
    pli_setting settings[] = {{"stiffness", K},
                              {"mass", l->mass},
                              {"value", l->value},
                              {"rate", l->rate},
                              {"scale", l->scale}};
    ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 5, &error));
    return world;
}

// After one period, h = period / 400, it is back: up to the error of period of each scheme, (w
// h)^2/12 of the trapezoid rule, /24 of leapfrog; bdf2 has 1/3 and damps in the third order.
static void test_period(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        double phase; // as a part of (w h)^2
    } rows[] = {{"newmark", 1. / 12},  {"implicit-midpoint", 1. / 12},
                {"leapfrog", 1. / 24}, {"bdf2", 1. / 3},
                {"rk4", 1e-2},         {"exponential", 1e-2}};
    const double mass = 0.2, w = sqrt(K / mass), period = 2 * 3.14159265358979 / w;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        level l = {rows[i].scheme, period / 400, mass, 0.3, 0, 0.1};
        pli_world* world = make_level(&l, 0);
        for (int n = 0; n < 100; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        double late = 0.5 * 3.14159265358979 * rows[i].phase * pow(w * l.h, 2);
        ASSERT_NEAR(value(world, 0), 0, 0.3 * (1.5 * late + 1e-5)); // quarter: crosses 0
        ASSERT_NEAR(pli_world_node(world, 0).rate, -0.3 * w, 0.3 * w * 1e-3);
        double rate = pli_world_node(world, 0).rate;
        ASSERT_NEAR(energy(world, "kinetic"), 0.5 * mass * rate * rate, 1e-12);
        for (int n = 100; n < 400; ++n) step(world);
        ASSERT_NEAR(value(world, 0), 0.3, 0.3 * 1e-3);
        pli_world_destroy(world);
    }
}

// M v' = -alpha M v holds for nodes too: v(n) = v0 / (1 + alpha h)^n of backward Euler, without a
// spring.
static void test_mass_damping(void** state) {
    (void)state;
    level l = {"backward-euler", 0.01, 2, 0, 3, 0.1};
    pli_world* world = make_level(&l, 5);
    ASSERT_OK(pli_world_prepare(world, &error));
    double x = 0, v = 3; // with the spring: m (v' - v) / h + alpha m v' + k (x + h v') = 0
    for (int n = 0; n < 50; ++n) {
        v = (2 * v / l.h - K * x) / (2 / l.h + 5 * 2 + K * l.h);
        x += l.h * v;
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        ASSERT_NEAR(value(world, 0), x, 1e-10);
        ASSERT_NEAR(pli_world_node(world, 0).rate, v, 1e-8);
    }
    pli_balance b = pli_world_balance(world);
    ASSERT_NEAR(b.kinetic + b.potential + b.dissipated + b.numerical, b.residual, 1e-9);
    pli_world_destroy(world);
}

// Without mass it is at the minimum after every step, wherever it started and whatever its rate
// was, also where velocities of the scheme ring, and pulls at nothing: the vertex falls freely.
// (Newmark starts from the accelerations of its start, so there it must be in balance.)
static void test_massless(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "quasi-static"};
    for (int i = 0; i < 4; ++i) {
        pli_world_def def = plane_def(schemes[i], 0.01);
        def.gravity[1] = i < 3 ? -9.81 : 0;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 2, 0.5, 0);
        if (i == 3) fix(world, id, NULL, 0);
        const double first = i == 2 ? 2 : -7;
        pli_setting settings[] = {
            {"stiffness", K}, {"value", first}, {"rate", 1e3}, {"scale", 0.1}};
        ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 4, &error));
        pli_world* without = make_world(&def);
        pli_body_id twin = add_point(without, 0, 2, 0.5, 0);
        if (i == 3) fix(without, twin, NULL, 0);
        ASSERT_OK(pli_world_prepare(world, &error));
        assert_true(value(world, 0) == first && pli_world_node(world, 0).rate == 1e3);
        for (int n = 0; n < 50; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            step(without);
            const double *x = pli_world_positions(world), *y = pli_world_positions(without);
            ASSERT_NEAR(value(world, 0), x[1], 1e-9);
            for (int c = 0; c < 3; ++c) ASSERT_NEAR(x[c], y[c], 1e-9);
            if (n > 2)
                ASSERT_NEAR(pli_world_node(world, 0).rate, pli_world_velocities(world)[1], 0.1);
        }
        assert_true(energy(world, "kinetic") == 0 || i < 3);
        pli_world_destroy(world);
        pli_world_destroy(without);
    }
}

static void test_massless_is_refused(void** state) {
    (void)state;
    static const char* const schemes[] = {"leapfrog", "rk4", "implicit-midpoint"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = plane_def(schemes[i], 0.01);
        pli_world* world = make_rod(&def, 0.1, 0, 1);
        assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
        assert_non_null(strstr(error.message, "node of vertices 1 2, tag 1 has no mass"));
        assert_non_null(strstr(error.message, schemes[i]));
        assert_non_null(strstr(error.message, "energy \"torsion\""));
        assert_int_equal(error.object, PLI_OBJECT_ENERGY);
        assert_int_equal(pli_world_node_count(world), 0);
        pli_world_destroy(world);
    }
}

// ---- what a node is not

// A square falls on the ground and bounces, with levels of its vertices far below the ground and
// without: the same dhat, box, contacts, weight and, up to the tolerance, the same motion.
static void test_no_geometry(void** state) {
    (void)state;
    pli_world* worlds[2];
    for (int with = 0; with < 2; ++with) {
        pli_world_def def = plane_def("backward-euler", 0.005);
        def.gravity[1] = -9.81;
        def.contact.bodies = true;
        worlds[with] = make_world(&def);
        pli_body_id id = add_square(worlds[with],
                                    &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 0.6}});
        add_ground(worlds[with], 0, 0.3);
        pli_setting settings[] = {{"stiffness", 1}, {"mass", 1e4}, {"value", -100}, {"rate", 7}};
        settings[0].value = 1e-9; // pulls at nothing that could be seen
        if (with) ASSERT_OK(pli_world_add_energy(worlds[1], id, "gauge", settings, 4, &error));
        ASSERT_OK(pli_world_prepare(worlds[with], &error));
    }
    int count = pli_world_vertex_count(worlds[0]);
    assert_int_equal(pli_world_vertex_count(worlds[1]), count);
    assert_int_equal(pli_world_node_count(worlds[1]), count);
    assert_int_equal(pli_world_unknown_count(worlds[1]), 3 * count);
    assert_true(pli_world_dhat(worlds[0]) == pli_world_dhat(worlds[1]));
    assert_true(pli_survey_resolution(worlds[0]) == pli_survey_resolution(worlds[1]));
    assert_true(pli_world_body_hash(worlds[0], 0) == pli_world_body_hash(worlds[1], 0));
    int touched = 0;
    for (int n = 1; n <= 80; ++n) {
        for (int with = 0; with < 2; ++with)
            assert_int_equal(step(worlds[with]).reason, PLI_CONVERGED);
        assert_int_equal(pli_world_contact_count(worlds[0]), pli_world_contact_count(worlds[1]));
        touched += pli_world_contact_count(worlds[0]) > 0;
        for (int i = 0; i < 3 * count; ++i) // 80 steps within 1e-6 m/s times h each
            ASSERT_NEAR(pli_world_positions(worlds[0])[i], pli_world_positions(worlds[1])[i], 1e-6);
        ASSERT_NEAR(value(worlds[1], 0), -100 + 7 * 0.005 * n, 1e-6); // goes on: no weight
        ASSERT_NEAR(energy(worlds[0], "gravity"), energy(worlds[1], "gravity"), 1e-2);
        ASSERT_OK(pli_world_verify(worlds[1], &error));
    }
    assert_true(touched > 10);
    assert_int_equal(pli_world_grab(worlds[1], count, (double[3]){0}, 0, &error), PLI_E_ARGUMENT);
    for (int with = 0; with < 2; ++with) pli_world_destroy(worlds[with]);
}

// ---- the whole problem by differences

static pli_world* make_coil(pli_world_def* def, int segments, bool held) {
    pli_world* world = make_world(def);
    pli_body_id id = add_line(world, segments);
    static const int32_t first[1] = {0};
    if (held) fix(world, id, first, 1);
    pli_setting settings[] = {{"stiffness", 30}, {"mass", 0.02}, {"scale", 0.3},
                              {"first", 0.7},    {"value", 0.2}, {"rate", 0.4}};
    ASSERT_OK(pli_world_add_energy(world, id, "coil", settings, 6, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", settings, 6, &error));
    return world;
}

static double entry(const pli_pattern* p, const double* values, int i, int j) {
    int row = i > j ? i : j, column = i > j ? j : i;
    for (int at = p->start[column]; at < p->start[column + 1]; ++at)
        if (p->row[at] == row) return values[at];
    return 0;
}

static void test_differences(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_world_def def = plane_def("bdf2", 0.01);
        def.dimension = dim;
        pli_world* world = make_coil(&def, 4, true);
        for (int n = 0; n < 3; ++n) step(world);
        ASSERT_OK(pli_world_begin(world, 0.01, &error));
        pli_problem problem = pli_world_problem(world);
        enum { MOST = 16 };
        int n = problem.unknown_count;
        assert_int_equal(n, 4 * dim + 3); // the first vertex and the first angle are held
        double g[MOST], up[MOST], down[MOST], q[MOST], e[2], size, *values;
        static double H[MOST][MOST];
        const pli_pattern* pattern;
        uint64_t epoch;
        for (int i = 0; i < n; ++i) q[i] = world->q[i] + 0.03 * sin(7 * i + 1);
        ASSERT_OK(problem.ops->derivatives(world, q, &(pli_hessian_wish){0}, g, NULL, &error));
        problem.ops->matrix(world, &pattern, &values, &epoch);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) H[i][j] = entry(pattern, values, i, j);
        const double h = 1e-6;
        for (int i = 0; i < n; ++i) {
            double start = q[i];
            for (int side = 0; side < 2; ++side) {
                q[i] = start + (side ? h : -h);
                ASSERT_OK(problem.ops->value(world, q, &e[side], &size, &error));
                ASSERT_OK(problem.ops->derivatives(world, q, NULL, side ? up : down, NULL, &error));
            }
            q[i] = start;
            ASSERT_NEAR((e[1] - e[0]) / (2 * h), g[i], 1e-7 * (1 + fabs(g[i])) + 1e-15 * size / h);
            for (int j = 0; j < n; ++j) // rounding over h, and h^2 times third derivatives
                ASSERT_NEAR((up[j] - down[j]) / (2 * h), H[i][j], 1e-8 * sqrt(H[i][i] * H[j][j]));
        }
        pli_world_destroy(world);
    }
}

// Free in space, points and angles exchange energy; momentum is that of the points and stays.
static void test_coupled_balance(void** state) {
    (void)state;
    pli_world_def def = plane_def("newmark", 0.002);
    def.dimension = 3;
    def.solver.tolerance = 1e-9;
    pli_world* world = make_coil(&def, 5, false);
    ASSERT_OK(pli_world_prepare(world, &error));
    double start = energy(world, "kinetic") + energy(world, "coil") + energy(world, "torsion");
    ASSERT_NEAR(energy(world, "kinetic"), 5 * 0.5 * 0.02 * 0.16, 1e-15);
    double most = 0;
    for (int n = 0; n < 500; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double sum = 0;
        for (int v = 0; v < 6; ++v) sum += pli_world_velocities(world)[3 * v];
        ASSERT_NEAR(sum, 0, 1e-8);
        double now = energy(world, "kinetic") + energy(world, "coil") + energy(world, "torsion");
        ASSERT_NEAR(now, start, 2e-3 * start); // the trapezoid rule swings by (w h)^2
        most = fmax(most, fabs(pli_world_velocities(world)[0]));
    }
    assert_true(most > 0.05); // they do move
    pli_world_destroy(world);
}

// ---- state

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

static bool write_bytes(void* context, const void* data, size_t size) {
    bytes* to = context;
    if (to->size + size > sizeof to->data) return false;
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static void assert_same(const pli_world* a, const pli_world* b) {
    size_t points = 3 * sizeof(double) * (size_t)pli_world_vertex_count(a);
    size_t nodes = sizeof(double) * (size_t)pli_world_node_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), points);
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), points);
    assert_memory_equal(pli_world_node_values(a), pli_world_node_values(b), nodes);
    for (int i = 0; i < pli_world_node_count(a); ++i)
        assert_true(pli_world_node(a, i).rate == pli_world_node(b, i).rate);
    assert_true(pli_world_energy_value(a, 0) == pli_world_energy_value(b, 0));
}

static void test_save_and_restore(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "leapfrog"};
    static bytes saved;
    for (int s = 0; s < 4; ++s) {
        pli_world_def def = plane_def(schemes[s], 0.005);
        pli_world *one = make_coil(&def, 6, true), *other = make_coil(&def, 6, true);
        for (int n = 0; n < 20; ++n) step(one);
        saved.size = 0;
        ASSERT_OK(pli_world_save(one, write_bytes, &saved, &error));
        for (int n = 0; n < 7; ++n) step(other); // of another time
        ASSERT_OK(pli_world_restore(other, saved.data, saved.size, &error));
        assert_same(one, other);
        for (int n = 0; n < 20; ++n) {
            step(one);
            step(other);
            assert_same(one, other);
        }
        pli_world_destroy(other);
        // The unknown of a node is told by its scale and start: a world with others refuses it.
        other = make_world(&def);
        pli_body_id id = add_line(other, 6);
        fix(other, id, (int32_t[1]){0}, 1);
        pli_setting settings[] = {{"mass", 0.02}, {"scale", 0.4}, {"first", 0.7}, {"value", 0.2}};
        ASSERT_OK(pli_world_add_energy(other, id, "torsion", settings, 4, &error));
        assert_int_equal(pli_world_restore(other, saved.data, saved.size, &error), PLI_E_SCENE);
        pli_world_destroy(other);
        pli_world_destroy(one);
    }
}

// A step that fails, or is interrupted, leaves everything as it was.
static bool cancel_now(void* context) {
    int* left = context;
    return (*left)-- <= 0;
}

static void test_undo(void** state) {
    (void)state;
    pli_world_def def = plane_def("bdf2", 0.05);
    pli_world *one = make_coil(&def, 6, true), *other = make_coil(&def, 6, true);
    int left = 3;
    for (int n = 0; n < 10; ++n) {
        pli_step_info info;
        step(one);
        left = 3;
        ASSERT_OK(pli_world_set_cancel(other, cancel_now, &left, &error));
        ASSERT_OK(pli_world_step(other, &info, &error));
        assert_int_equal(info.reason, PLI_INTERRUPTED);
        ASSERT_OK(pli_world_set_cancel(other, NULL, NULL, &error));
        step(other);
        assert_same(one, other);
    }
    pli_world_destroy(one);
    pli_world_destroy(other);
    def.solver.max_iterations = 1;
    def.solver.tolerance = 1e-14;
    def.solver.on_failure = "stop";
    one = make_coil(&def, 6, true);
    ASSERT_OK(pli_world_prepare(one, &error));
    double before[6];
    memcpy(before, pli_world_node_values(one), sizeof before);
    assert_false(step(one).kept);
    assert_memory_equal(pli_world_node_values(one), before, sizeof before);
    ASSERT_NEAR(pli_world_node(one, 1).rate, 0.4, 1e-15);
    pli_world_destroy(one);
}

// Positions that are given bring the nodes back to their start, unless they are given too; without
// positions they stay.
static void test_set_state(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler", 0.01);
    pli_world* world = make_coil(&def, 4, true);
    for (int n = 0; n < 10; ++n) step(world);
    double moved[4];
    memcpy(moved, pli_world_node_values(world), sizeof moved);
    assert_true(fabs(moved[1] - 0.2) > 1e-3);
    ASSERT_OK(pli_world_set_state(world, &(pli_world_state){0}, &error));
    assert_memory_equal(pli_world_node_values(world), moved, sizeof moved);
    assert_true(pli_world_node(world, 1).rate == 0);
    double x[15], values[4] = {9, 0.1, 0.5, -0.3}, rates[4] = {9, 1, 2, 3};
    memcpy(x, pli_world_rest_positions(world), sizeof x);
    ASSERT_OK(pli_world_set_state(world, &(pli_world_state){.positions = x}, &error));
    assert_true(value(world, 0) == 0.7 && value(world, 1) == 0.2 && value(world, 3) == 0.2);
    pli_world_state given = {.positions = x, .node_values = values, .node_rates = rates};
    ASSERT_OK(pli_world_set_state(world, &given, &error));
    assert_true(value(world, 0) == 0.7); // fixed
    for (int i = 1; i < 4; ++i) {
        ASSERT_NEAR(value(world, i), values[i], 1e-15);
        ASSERT_NEAR(pli_world_node(world, i).rate, rates[i], 1e-15);
    }
    values[2] = NAN;
    assert_int_equal(pli_world_set_state(world, &given, &error), PLI_E_ARGUMENT);
    ASSERT_NEAR(value(world, 2), 0.5, 1e-15);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    pli_world_destroy(world);
}

// ---- threads

static void test_threads(void** state) {
    (void)state;
    enum { LONG = 1500 };
    pli_world* worlds[3];
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = plane_def("bdf2", 0.01);
        def.thread_count = 1 << i;
        def.gravity[1] = -1;
        worlds[i] = make_coil(&def, LONG, true);
    }
    for (int n = 0; n < 6; ++n)
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(step(worlds[i]).reason, PLI_CONVERGED);
            assert_same(worlds[0], worlds[i]);
        }
    for (int i = 0; i < 3; ++i) pli_world_destroy(worlds[i]);
}

// ---- stopping

// The correction of a node counts by its scale; with a tolerance of its own, against that.
static void test_tolerance(void** state) {
    (void)state;
    const double scales[2] = {1, 1e-12}, tolerances[3] = {0, 1e-6, 1e3};
    for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 3; ++t) {
            pli_world_def def = plane_def("backward-euler", 0.01);
            def.solver.tolerance = 1e-4;
            pli_world* world = make_world(&def);
            pli_body_id id = add_line(world, 1);
            fix(world, id, NULL, 0);
            pli_setting settings[] = {{"stiffness", K},
                                      {"mass", 1},
                                      {"value", 1},
                                      {"scale", scales[s]},
                                      {"tolerance", tolerances[t]}};
            ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 5, &error));
            pli_step_info info = step(world);
            assert_true(info.reason == PLI_CONVERGED || info.reason == PLI_ROUNDING);
            const double* residuals = pli_world_residuals(world);
            if (residuals) ASSERT_NEAR(fmax(residuals[0], residuals[1]), info.residual, 1e-18);
            assert_true(info.residual <= 1e-4);
            // One linear step: it is solved exactly, however coarse the test is.
            ASSERT_NEAR(value(world, 0), 1 / (1 + K * 1e-4), 1e-9);
            pli_world_destroy(world);
        }
}

// ---- who may ask for what

static pli_status asked(const pli_body_view* body, pli_stencil_sink* sink, pli_error* e);

// What `asked` asks for.
static struct {
    pli_node_key key;
    pli_node_def def;
    bool used, foreign;
} wish;

static const pli_energy_type asking = {.abi = PLI_ENERGY_ABI,
                                       .name = "asking",
                                       .help = "asks for nodes",
                                       .dims = 1u << 2,
                                       .data_size = {[PLI_STENCIL] = sizeof(double)},
                                       .width = 2,
                                       .stencils = asked,
                                       .eval = torsion_eval};

static pli_status asked(const pli_body_view* body, pli_stencil_sink* sink, pli_error* e) {
    int32_t pair[2] = {body->first_vertex, body->first_vertex + 1};
    pli_status status = pli_sink_node(sink, &wish.key, &wish.def, &pair[1], e);
    if (!wish.used) pair[1] = body->first_vertex + 1;
    if (wish.foreign) pair[1]++;
    return status == PLI_OK ? pli_sink_stencil(sink, pair, e) : status;
}

static pli_status ask(const char* message, int* count) {
    static const pli_energy_type* const types[] = {&torsion, &asking};
    pli_world_def def = plane_def("backward-euler", 0.01);
    def.energy_types = types;
    def.energy_type_count = 2;
    pli_world* world = make_world(&def);
    pli_body_id id = add_line(world, 3);
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", NULL, 0, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "asking", NULL, 0, &error));
    error.message[0] = '\0';
    pli_status status = pli_world_prepare(world, &error);
    if (count) *count = pli_world_node_count(world);
    if (status == PLI_OK) assert_null(message);
    if (status != PLI_OK && (!message || !strstr(error.message, message)))
        fail_msg("\"%s\" is not in \"%s\"", message ? message : "", error.message);
    if (status != PLI_OK) assert_int_equal(error.object, PLI_OBJECT_ENERGY);
    pli_world_destroy(world);
    return status;
}

static void test_keys(void** state) {
    (void)state;
    int count;
    const pli_node_key edge = {.tag = TWIST, .vertex_count = 2, .vertices = {1, 2}};
    wish.used = true;
    wish.foreign = false;
    wish.key = edge;
    wish.def = pli_default_node_def();
    assert_int_equal(ask(NULL, &count), PLI_OK); // the node of torsion
    assert_int_equal(count, 3);
    wish.key.vertices[0] = 2; // in any order
    wish.key.vertices[1] = 1;
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 3);
    wish.key.tag = 77;
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 4);
    wish.key.vertex_count = 0; // of the body
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 4);
    wish.used = false;
    assert_int_equal(ask("node of the body, tag 77 is in no stencil", NULL), PLI_E_ARGUMENT);
    wish.used = true;
    wish.foreign = true;
    assert_int_equal(ask("or a node of the body", NULL), PLI_E_ARGUMENT);
    wish.foreign = false;
    wish.key = edge;
    wish.def.mass = 1;
    assert_int_equal(
        ask("node of vertices 1 2, tag 1: another energy has it with another def", NULL),
        PLI_E_ARGUMENT);
    wish.key.vertices[1] = 1;
    assert_int_equal(ask("vertex 1 twice", NULL), PLI_E_ARGUMENT);
    wish.key.vertices[1] = 4;
    assert_int_equal(ask("vertex 4 of its key, must be 0 to 3", NULL), PLI_E_ARGUMENT);
    wish.key.vertex_count = 5;
    assert_int_equal(ask("key has 5 vertices", NULL), PLI_E_ARGUMENT);
    wish.key = (pli_node_key){.tag = 5};
    const pli_node_def good = pli_default_node_def();
    static const struct {
        size_t offset;
        double value;
        const char* message;
    } bad[] = {{offsetof(pli_node_def, scale), 0, "scale = 0"},
               {offsetof(pli_node_def, scale), HUGE_VAL, "scale = inf"},
               {offsetof(pli_node_def, mass), -1, "mass = -1"},
               {offsetof(pli_node_def, value), NAN, "value = "},
               {offsetof(pli_node_def, rate), HUGE_VAL, "rate = inf"},
               {offsetof(pli_node_def, tolerance), -2, "tolerance = -2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        wish.def = good;
        memcpy((char*)&wish.def + bad[i].offset, &bad[i].value, sizeof bad[i].value);
        assert_int_equal(ask(bad[i].message, NULL), PLI_E_ARGUMENT);
    }
    wish.def = good;
    wish.def.fixed = true;
    wish.def.rate = 1;
    assert_int_equal(ask("rate = 1 of a fixed node", NULL), PLI_E_ARGUMENT);
}

// Outside of a run of `stencils` there is nothing to ask.
static void test_misuse(void** state) {
    (void)state;
    int32_t vertex;
    pli_node_key key = {0};
    pli_node_def def = pli_default_node_def();
    pli_stencil_sink sink = {0};
    assert_int_equal(pli_sink_node(NULL, &key, &def, &vertex, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_sink_node(&sink, &key, &def, &vertex, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_node_count(NULL), 0);
    assert_null(pli_world_node_values(NULL));
    assert_int_equal(pli_world_node(NULL, 0).body, -1);
}

// ---- memory

// Gives up at call number `left`.
static void* stingy(void* context, void* block, size_t old_size, size_t new_size) {
    int* left = context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(block, new_size) : NULL;
}

static void test_no_memory(void** state) {
    (void)state;
    pli_status status = PLI_E_MEMORY;
    for (int n = 1; status != PLI_OK; ++n) {
        int left = n;
        pli_allocator allocator = {.resize = stingy, .context = &left};
        pli_world_def def = plane_def("newmark", 0.01);
        def.allocator = &allocator;
        def.thread_count = 1;
        pli_world* world = NULL;
        status = pli_world_create(&def, &world, &error);
        if (status != PLI_OK) continue;
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        const double a[3] = {0, 0, 0}, b[3] = {40, 0, 0};
        ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 40, &error));
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.vertex_mass = 1;
        pli_body_id id;
        status = pli_world_add_body(world, &body, &id, &error);
        if (status == PLI_OK) status = pli_world_add_energy(world, id, "coil", NULL, 0, &error);
        if (status == PLI_OK) status = pli_world_add_energy(world, id, "torsion", NULL, 0, &error);
        if (status == PLI_OK) status = pli_world_step(world, NULL, &error);
        pli_mesh_free(&mesh);
        pli_world_destroy(world);
        if (status != PLI_OK) assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_static_torsion),
                                       cmocka_unit_test(test_damped_torsion),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_period),
                                       cmocka_unit_test(test_mass_damping),
                                       cmocka_unit_test(test_massless),
                                       cmocka_unit_test(test_massless_is_refused),
                                       cmocka_unit_test(test_no_geometry),
                                       cmocka_unit_test(test_differences),
                                       cmocka_unit_test(test_coupled_balance),
                                       cmocka_unit_test(test_save_and_restore),
                                       cmocka_unit_test(test_undo),
                                       cmocka_unit_test(test_set_state),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_tolerance),
                                       cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_misuse),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
