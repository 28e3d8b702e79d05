// Questions about a state: mass and motion of bodies by closed forms and conservation; rays and
// closest points against all parts one by one.
#include "contact/ray.h"
#include "dynamics/obstacles.h"
#include "dynamics/world.h"
#include "math/vec.h"
#include "oracle/allocator.h"
#include "oracle/random.h"

// ---- mass and motion

static void add_turning(pli_world* world, const double size[3], const char* mass, bool quadratic,
                        const double omega[3], const double velocity[3]) {
    pli_mesh mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_box(&mesh, size, (int[3]){2, 3, 2}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    shift(&mesh, 1, 2, 3);
    double* v = calloc(3 * (size_t)mesh.vertex_count, sizeof *v);
    for (int i = 0; i < mesh.vertex_count; ++i) {
        double arm[3];
        pli_sub(mesh.positions + 3 * i, (double[3]){1, 2, 3}, arm, 3);
        pli_cross3(omega, arm, v + 3 * i);
        pli_axpy(1, velocity, v + 3 * i, 3);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.density = 700;
    body.mass = mass;
    body.velocities = v;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", NULL, 0, NULL, &error));
    pli_mesh_free(&mesh);
    free(v);
}

// A block of consistent mass has the inertia of a block exactly: m/12 (b^2 + c^2) and so on;
// L = I omega, K = m/2 |v|^2 + omega . L / 2.
static void test_rotating_block(void** state) {
    (void)state;
    const double size[3] = {0.4, 0.9, 1.3}, omega[3] = {0.3, -0.5, 1.1}, velocity[3] = {2, -1, 0.5};
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        pli_world* world = space_world();
        add_turning(world, size, "consistent", quadratic, omega, velocity);
        assert_true(pli_world_body_summary(world, 0, NULL).mass == 0); // not prepared yet
        ASSERT_OK(pli_world_prepare(world, &error));
        pli_body_summary s = pli_world_body_summary(world, 0, NULL);
        double volume = size[0] * size[1] * size[2], m = 700 * volume, L[3], turned = 0;
        ASSERT_NEAR(s.mass, m, 1e-11 * m);
        ASSERT_NEAR(s.volume, volume, 1e-12);
        for (int i = 0; i < 3; ++i) {
            double other = pli_dot(size, size, 3) - size[i] * size[i];
            ASSERT_NEAR(s.centre[i], i + 1, 1e-12);
            ASSERT_NEAR(s.velocity[i], velocity[i], 1e-11);
            ASSERT_NEAR(s.momentum[i], m * velocity[i], 1e-10 * m);
            for (int j = 0; j < 3; ++j)
                ASSERT_NEAR(s.inertia[3 * i + j], i == j ? m / 12 * other : 0, 1e-10 * m);
            L[i] = m / 12 * other * omega[i];
            ASSERT_NEAR(s.angular[i], L[i], 1e-10 * m);
            turned += 0.5 * omega[i] * L[i];
            ASSERT_NEAR(s.low[i], i + 1 - size[i] / 2, 1e-12);
            ASSERT_NEAR(s.high[i], i + 1 + size[i] / 2, 1e-12);
        }
        ASSERT_NEAR(s.kinetic, 0.5 * m * pli_dot(velocity, velocity, 3) + turned, 1e-10 * m);
        ASSERT_NEAR(s.kinetic, pli_world_energy_value(world, 0), 1e-12 * s.kinetic);
        // About another point: L' = L + (centre - point) x momentum, and all bodies are this one.
        const double point[3] = {-1, 0.5, 2};
        double arm[3], moment[3];
        pli_body_summary other = pli_world_body_summary(world, -1, point);
        pli_sub(s.centre, point, arm, 3);
        pli_cross3(arm, s.momentum, moment);
        for (int i = 0; i < 3; ++i)
            ASSERT_NEAR(other.angular[i], s.angular[i] + moment[i], 1e-9 * m);
        ASSERT_NEAR(other.inertia[0], s.inertia[0] + m * (arm[1] * arm[1] + arm[2] * arm[2]),
                    1e-9 * m);
        pli_world_destroy(world);
    }
}

// Lumped masses: sums over vertices. Two bodies and what both are together.
static void test_sums(void** state) {
    (void)state;
    const double still[3] = {0};
    pli_world* world = space_world();
    add_turning(world, (double[3]){1, 1, 1}, "lumped", false, (double[3]){1, 2, 3}, still);
    add_turning(world, (double[3]){0.1, 0.2, 0.3}, "consistent", true, still, (double[3]){1, 0, 0});
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.pass = true;
    ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_body_summary a = pli_world_body_summary(world, 0, still),
                     b = pli_world_body_summary(world, 1, still),
                     all = pli_world_body_summary(world, -1, still);
    double mass = 0, L[3] = {0};
    for (int v = 0; v < pli_world_body_vertex(world, 1); ++v) {
        double moment[3], m = pli_world_vertex_masses(world)[v];
        mass += m;
        pli_cross3(pli_world_positions(world) + 3 * v, pli_world_velocities(world) + 3 * v, moment);
        pli_axpy(m, moment, L, 3);
    }
    ASSERT_NEAR(a.mass, mass, 1e-11 * mass);
    ASSERT_NEAR(all.mass, a.mass + b.mass, 1e-11 * mass);
    ASSERT_NEAR(all.kinetic, a.kinetic + b.kinetic, 1e-10 * all.kinetic);
    ASSERT_NEAR(all.volume, 1.006, 1e-12);
    for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(a.angular[c], L[c], 1e-9 * mass);
        ASSERT_NEAR(all.angular[c], a.angular[c] + b.angular[c], 1e-9 * mass);
        ASSERT_NEAR(all.momentum[c], a.momentum[c] + b.momentum[c], 1e-10 * mass);
    }
    assert_true(pli_world_body_summary(world, 2, NULL).mass == 0);
    assert_true(pli_world_body_summary(world, -2, NULL).mass == 0);
    assert_true(pli_world_body_summary(NULL, 0, NULL).mass == 0);
    pli_world_destroy(world);
}

// A free body keeps its momentum under backward Euler, and its angular momentum under
// implicit-midpoint, whose forces act in the middle of the step; in the plane and in space.
static void test_conservation(void** state) {
    (void)state;
    pli_world_def def = space_world_def();
    memset(def.gravity, 0, sizeof def.gravity);
    def.scheme = "implicit-midpoint";
    def.solver.tolerance = 1e-10;
    def.contact.bodies = false;
    for (int dim = 2; dim <= 3; ++dim) {
        def.dimension = dim;
        pli_world* world = make_world(&def);
        pli_mesh mesh = new_mesh();
        if (dim == 3)
            ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 1}, (int[3]){1, 1, 1}, &error));
        else
            ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
        pli_random r = {2};
        double* v = calloc(3 * (size_t)mesh.vertex_count, sizeof *v);
        for (int i = 0; i < 3 * mesh.vertex_count; ++i)
            v[i] = i % 3 < dim ? pli_random_in(&r, -1, 1) : 0;
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.mass = "consistent";
        body.velocities = v;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        ASSERT_OK(pli_world_add_energy(world, id, "st-venant-kirchhoff", NULL, 0, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        const double about[3] = {0.3, -0.2, 0.1};
        pli_body_summary start = pli_world_body_summary(world, 0, about);
        for (int i = 0; i < 20; ++i) ASSERT_OK(pli_world_step(world, NULL, &error));
        pli_body_summary end = pli_world_body_summary(world, 0, about);
        for (int c = 0; c < 3; ++c) { // 1e-7: what the tolerance leaves in 20 steps
            ASSERT_NEAR(end.momentum[c], start.momentum[c], 1e-7 * start.mass);
            ASSERT_NEAR(end.angular[c], start.angular[c], 1e-7 * start.mass);
        }
        assert_true(pli_norm(start.angular, 3) > 1e-3 * start.mass);
        pli_mesh_free(&mesh);
        free(v);
        pli_world_destroy(world);
    }
}

// ---- rays and closest points

// All parts one by one: triangles as the world lists them; segments and points of obstacles.
typedef struct parts {
    int count;
    pli_part part[2000];
    int body[2000];
    double flat[2000][3][3];
} parts;

static void add_one(parts* all, const pli_world* world, int body, int count, const int32_t* v) {
    int dim = pli_world_dimension(world);
    pli_part* part = &all->part[all->count];
    assert_true(all->count < 2000);
    *part = (pli_part){.dim = dim, .count = count, .radius = pli_world_body_thickness(world, body)};
    for (int i = 0; i < count; ++i) {
        double* x = all->flat[all->count][i];
        memcpy(x, pli_world_positions(world) + 3 * v[i], 3 * sizeof *x);
        if (dim == 2) x[2] = 0;
        part->x[i] = x;
    }
    all->body[all->count++] = body;
}

static void add_triangles_of(parts* all, pli_world* world, int body) {
    static int32_t list[6000];
    int count;
    ASSERT_OK(pli_world_body_triangles(world, body, list, &count, &error));
    for (int i = 0; i < count; ++i) add_one(all, world, body, 3, list + 3 * i);
}

// The nearest of all, and of the half-spaces.
static double nearest_of(const parts* all, const pli_world* world, const double* from,
                         const double* direction, int* body) {
    double best = HUGE_VAL;
    int dim = pli_world_dimension(world);
    pli_line line = {0};
    for (int c = 0; c < dim; ++c) {
        line.origin[c] = from[c];
        line.direction[c] = direction ? direction[c] : 0;
        line.far[c] = from[c] + 100 * line.direction[c];
    }
    for (int i = 0; i < all->count; ++i) {
        pli_meeting out;
        double d = direction ? pli_line_meets(&line, &all->part[i], &out)
                             : pli_part_closest(&all->part[i], line.origin, &out);
        if (d < best) *body = all->body[i];
        best = fmin(best, d);
    }
    for (int i = 0; i < pli_world_half_space_count(world); ++i) {
        double point[3], normal[3], to[3];
        pli_world_half_space(world, i, point, normal);
        pli_sub(from, point, to, 3);
        double height = pli_dot(to, normal, dim),
               slope = direction ? pli_dot(direction, normal, dim) : -1;
        double d = direction && height <= 0 ? 0 : slope < 0 ? -height / slope : HUGE_VAL;
        if (d < best) *body = -1 - i;
        best = fmin(best, d);
    }
    return best;
}

// The point that the weights say is on the part, up to its thickness; in the plane without z.
static void check_hit(const pli_world* world, const pli_hit* hit, const double* from,
                      const double* direction) {
    int dim = pli_world_dimension(world);
    double core[3] = {0}, off[3];
    for (int c = 0; c < dim && direction; ++c)
        ASSERT_NEAR(hit->point[c], from[c] + hit->distance * direction[c], 1e-9);
    pli_sub(hit->point, from, off, dim);
    if (!direction) ASSERT_NEAR(pli_norm(off, dim), fabs(hit->distance), 1e-9);
    ASSERT_NEAR(pli_norm(hit->normal, 3), 1, 1e-9);
    if (hit->body < 0) return;
    double radius = pli_world_body_thickness(world, hit->body);
    assert_true(hit->vertices[0] >= pli_world_body_vertex(world, hit->body) &&
                hit->vertices[0] < pli_world_body_vertex(world, hit->body + 1));
    for (int i = 0; i < hit->vertex_count; ++i)
        pli_axpy(hit->weights[i], pli_world_positions(world) + 3 * hit->vertices[i], core, 3);
    pli_sub(hit->point, core, off, dim);
    if (!direction || hit->distance > 0) ASSERT_NEAR(pli_norm(off, dim), radius, 1e-9);
}

static void check_queries(pli_world* world, const parts* all, int count, uint64_t seed) {
    pli_random r = {seed};
    int dim = pli_world_dimension(world), hits = 0;
    for (int i = 0; i < count; ++i) {
        double from[3] = {0}, direction[3] = {0};
        pli_hit hit;
        bool found;
        int body = 0;
        for (int c = 0; c < dim; ++c) {
            from[c] = pli_random_in(&r, -4, 4);
            direction[c] = pli_random_in(&r, -1, 1);
        }
        if (i % 5 == 0) direction[i / 5 % dim] = 0;
        double length = pli_norm(direction, 3);
        if (!(length > 0)) continue;
        for (int c = 0; c < 3; ++c) direction[c] /= length;
        double expected = nearest_of(all, world, from, direction, &body);
        ASSERT_OK(pli_world_cast_ray(
            world, from, (double[3]){3 * direction[0], 3 * direction[1], 3 * direction[2]},
            HUGE_VAL, &hit, &found, &error));
        assert_int_equal(found, expected < HUGE_VAL);
        if (found) {
            ASSERT_NEAR(hit.distance, expected, 1e-9); // the line is rounded elsewhere
            assert_int_equal(hit.body, body);
            check_hit(world, &hit, from, direction);
            ASSERT_OK(pli_world_cast_ray(world, from, direction, hit.distance - 1e-6, &hit, &found,
                                         &error));
            assert_true(!found || expected == 0);
            hits++;
        }
        expected = nearest_of(all, world, from, NULL, &body);
        ASSERT_OK(pli_world_closest_point(world, from, HUGE_VAL, &hit, &found, &error));
        assert_true(found);
        ASSERT_NEAR(hit.distance, expected, 1e-12);
        check_hit(world, &hit, from, NULL);
        ASSERT_OK(pli_world_closest_point(world, from, expected - 1e-6, &hit, &found, &error));
        assert_false(found);
    }
    assert_true(hits > count / 4);
}

static pli_body_id add_shape(pli_world* world, pli_mesh* mesh, double x, double y, double z) {
    pli_body_def def = pli_default_body_def();
    pli_body_id id;
    shift(mesh, x, y, z);
    def.mesh = mesh;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", NULL, 0, NULL, &error));
    pli_mesh_free(mesh);
    return id;
}

static void test_space(void** state) {
    (void)state;
    static parts all;
    pli_world* world = space_world();
    pli_mesh mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 2, &error));
    add_shape(world, &mesh, 0, 0, 0);
    mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 2}, (int[3]){2, 2, 2}, &error));
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    add_shape(world, &mesh, 2.5, 0, 0);
    mesh = new_mesh(); // a thick sheet
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1.5, 1, 2, 2, PLI_TRIANGLES, &error));
    shift(&mesh, -2.5, 1, 0.5);
    add_obstacle(world, &mesh, 0.12);
    mesh = new_mesh(); // a capsule
    ASSERT_OK(
        pli_mesh_add_line(&mesh, (double[3]){-3, -1, 1}, (double[3]){-1.6, -0.8, 2}, 1, &error));
    add_obstacle(world, &mesh, 0.2);
    add_sphere(world, 0, 2.2, 0.5);
    add_ground(world, -2, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    for (int i = 0; i < 2; ++i) {
        all.count = 0;
        for (int b = 0; b < 3; ++b) add_triangles_of(&all, world, b);
        int v = pli_world_body_vertex(world, 3);
        add_one(&all, world, 3, 2, (int32_t[2]){v, v + 1});
        add_one(&all, world, 4, 1, (int32_t[1]){v + 2});
        check_queries(world, &all, 1500, 3 + (uint64_t)i);
        for (int s = 0; s < 3 && i == 0; ++s)
            ASSERT_OK(pli_world_step(world, NULL, &error)); // they fall
    }
    pli_world_destroy(world);
}

static void test_plane(void** state) {
    (void)state;
    static parts all;
    pli_world* world = plane_world();
    pli_mesh mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_disk(&mesh, 1, 3, &error));
    add_shape(world, &mesh, 0, 0, 0);
    mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    add_shape(world, &mesh, 2.5, 0, 0);
    mesh = new_mesh();
    ASSERT_OK(
        pli_mesh_add_line(&mesh, (double[3]){-3, -1, 0}, (double[3]){-1.6, -0.8, 0}, 1, &error));
    add_obstacle(world, &mesh, 0.2);
    mesh = new_mesh(); // without thickness
    ASSERT_OK(
        pli_mesh_add_line(&mesh, (double[3]){-3, 1, 0}, (double[3]){-1.6, 1.5, 0}, 1, &error));
    add_obstacle(world, &mesh, 0);
    add_sphere(world, 0, 2.2, 0.5);
    add_ground(world, -2, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    // The disk: its rim, the last 18 vertices. The rectangle: 4 corners, then 5 middles.
    for (int i = 0; i < 18; ++i)
        add_one(&all, world, 0, 2, (int32_t[2]){19 + i, 19 + (i + 1) % 18});
    int first = pli_world_body_vertex(world, 1);
    const double* x = pli_world_positions(world);
    for (int a = 0; a < 4; ++a) // corners with the middles of the sides
        for (int m = 4; m < 9; ++m) {
            const double *p = x + 3 * (first + a), *q = x + 3 * (first + m);
            double dx = fabs(p[0] - q[0]), dy = fabs(p[1] - q[1]);
            if (fabs(dx + dy - 0.5) < 1e-9)
                add_one(&all, world, 1, 2, (int32_t[2]){first + a, first + m});
        }
    assert_int_equal(all.count, 18 + 8);
    int v = pli_world_body_vertex(world, 2);
    add_one(&all, world, 2, 2, (int32_t[2]){v, v + 1});
    add_one(&all, world, 3, 2, (int32_t[2]){v + 2, v + 3});
    add_one(&all, world, 4, 1, (int32_t[1]){v + 4});
    check_queries(world, &all, 2000, 9);
    pli_world_destroy(world);
}

// Closed forms: what is hit, from which side, with which numbers.
static void test_answers(void** state) {
    (void)state;
    pli_world* world = space_world();
    pli_mesh mesh = new_mesh();
    pli_hit hit;
    bool found;
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){2, 2, 2}, (int[3]){1, 1, 1}, &error));
    add_shape(world, &mesh, 0, 0, 0);
    add_ground(world, -3, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    const double above[3] = {0.2, 5, 0.3}, down[3] = {0, -2, 0}, up[3] = {0, 1, 0}, middle[3] = {0};
    ASSERT_OK(pli_world_cast_ray(world, above, down, HUGE_VAL, &hit, &found, &error));
    assert_true(found && hit.body == 0 && hit.vertex_count == 3);
    ASSERT_NEAR(hit.distance, 4, 1e-12);
    ASSERT_NEAR(hit.normal[1], 1, 1e-12);
    static int32_t list[300];
    int count;
    ASSERT_OK(pli_world_body_triangles(world, 0, list, &count, &error));
    assert_true(hit.triangle >= 0 && hit.triangle < count);
    assert_memory_equal(hit.vertices, list + 3 * hit.triangle, 3 * sizeof(int));
    ASSERT_OK(pli_world_cast_ray(world, middle, up, HUGE_VAL, &hit, &found, &error)); // from inside
    ASSERT_NEAR(hit.distance, 1, 1e-12);
    ASSERT_NEAR(hit.normal[1], 1, 1e-12);
    ASSERT_OK(pli_world_cast_ray(world, above, up, HUGE_VAL, &hit, &found, &error));
    assert_false(found);
    ASSERT_OK(
        pli_world_cast_ray(world, (double[3]){9, 0, 0}, down, HUGE_VAL, &hit, &found, &error));
    assert_true(found && hit.body == -1 && hit.vertex_count == 0 && hit.vertices[0] == -1);
    ASSERT_NEAR(hit.distance, 3, 1e-12);
    ASSERT_OK(pli_world_cast_ray(world, (double[3]){9, -4, 0}, up, HUGE_VAL, &hit, &found, &error));
    assert_true(found && hit.distance == 0); // starts in the ground
    ASSERT_OK(
        pli_world_closest_point(world, (double[3]){9, -4, 0}, HUGE_VAL, &hit, &found, &error));
    assert_true(found && hit.body == -1 && hit.distance == -1);
    ASSERT_OK(pli_world_closest_point(world, middle, HUGE_VAL, &hit, &found, &error));
    ASSERT_NEAR(hit.distance, 1, 1e-12);
    pli_world_destroy(world);
}

// ---- misuse, memory, and that asking changes nothing

static void test_refusals(void** state) {
    (void)state;
    const double place[3] = {0}, none[3] = {0}, down[3] = {0, -1, 0}, nan[3] = {NAN, 0, 0};
    pli_hit hit;
    bool found;
    pli_world* world = plane_world();
    add_square(world, &(square){.segments = 2, .stiffness = 1e4});
    assert_int_equal(pli_world_cast_ray(world, place, down, 1, &hit, &found, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not prepared"));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_cast_ray(world, place, none, 1, &hit, &found, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(
        pli_world_cast_ray(world, place, (double[3]){0, 0, 1}, 1, &hit, &found, &error),
        PLI_E_ARGUMENT);
    assert_int_equal(pli_world_cast_ray(world, nan, down, 1, &hit, &found, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_cast_ray(world, place, nan, 1, &hit, &found, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_world_cast_ray(world, place, down, NAN, &hit, &found, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_world_cast_ray(world, place, NULL, 1, &hit, &found, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_world_closest_point(world, NULL, 1, &hit, &found, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_closest_point(NULL, place, 1, &hit, &found, &error), PLI_E_ARGUMENT);
    world->busy = true;
    assert_int_equal(pli_world_closest_point(world, place, 1, &hit, &found, &error), PLI_E_BUSY);
    world->busy = false;
    pli_world_destroy(world);
}

// The tree is kept until the state changes and counted; each call that gets no memory leaves the
// world as it was; steps have the same bits whether or not anybody asks.
static void test_memory(void** state) {
    (void)state;
    const double place[3] = {3, 0, 0};
    pli_world* worlds[2];
    pli_test_allocator count = {0};
    pli_allocator hook = pli_test_hook(&count);
    pli_hit hit;
    bool found;
    for (int i = 0; i < 2; ++i) {
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -9.81;
        if (i == 0) def.allocator = &hook;
        worlds[i] = make_world(&def);
        add_square(worlds[i], &(square){.segments = 3, .stiffness = 1e4, .velocity = {1, 0}});
        add_ground(worlds[i], -0.51, 0.3);
        ASSERT_OK(pli_world_prepare(worlds[i], &error));
    }
    pli_status status = PLI_E_MEMORY;
    for (int i = 1; status != PLI_OK && i < 100; ++i) {
        count.requests = 0;
        count.fail_at = i;
        status = pli_world_closest_point(worlds[0], place, HUGE_VAL, &hit, &found, &error);
        assert_true(status == PLI_OK || status == PLI_E_MEMORY);
    }
    assert_int_equal(status, PLI_OK);
    count.fail_at = 0;
    int requests = count.requests;
    ASSERT_OK(pli_world_closest_point(worlds[0], place, HUGE_VAL, &hit, &found, &error));
    assert_int_equal(count.requests, requests); // the tree is there
    ASSERT_NEAR(hit.distance, 0.51, 1e-12);     // the ground
    for (int i = 0; i < 5; ++i) {
        for (int w = 0; w < 2; ++w) ASSERT_OK(pli_world_step(worlds[w], NULL, &error));
        double right = -HUGE_VAL;
        const double* x = pli_world_positions(worlds[0]);
        for (int v = 0; v < 16; ++v) right = fmax(right, x[3 * v]);
        ASSERT_OK(pli_world_cast_ray(worlds[0], place, (double[3]){-1, 0, 0}, HUGE_VAL, &hit,
                                     &found, &error));
        assert_true(found && hit.distance < 3 - right + 0.1 &&
                    hit.distance > 2 - right); // moved on
        assert_memory_equal(x, pli_world_positions(worlds[1]), 48 * sizeof *x);
    }
    for (int i = 0; i < 2; ++i) pli_world_destroy(worlds[i]);
    assert_true(count.bytes == 0 && !count.wrong_size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotating_block), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_conservation),   cmocka_unit_test(test_space),
        cmocka_unit_test(test_plane),          cmocka_unit_test(test_answers),
        cmocka_unit_test(test_refusals),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
