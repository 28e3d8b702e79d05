// Obstacles: bodies that others touch and that never deform, at rest and moving.
#include "dynamics/obstacles.h"

// Vertices on a grid of n x n over the square of this side in the plane y = 0.
static void add_grid(pli_mesh* mesh, int n, double side) {
    for (int i = 0; i < n * n; ++i) {
        const double at[3] = {side * (i % n / (n - 1.0) - 0.5), 0,
                              side * (i / n / (n - 1.0) - 0.5)};
        ASSERT_OK(pli_mesh_add_vertices(mesh, 1, at, NULL, &error));
    }
}

// An open sheet, its grid of edges, or its vertices.
static pli_body_id add_sheet(pli_world* world, int n, double side, int width) {
    pli_mesh mesh = new_mesh();
    add_grid(&mesh, n, side);
    for (int i = 0; i < n * n && width > 1; ++i) {
        int32_t right = i + 1, up = i + n;
        bool can_right = i % n < n - 1, can_up = i / n < n - 1;
        const int32_t t[6] = {i, up, up + 1, i, up + 1, right}, s[4] = {i, right, i, up};
        if (width == 3 && can_right && can_up)
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, t, &error));
        if (width == 2 && can_right)
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, s, &error));
        if (width == 2 && can_up)
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, s + 2, &error));
    }
    return add_obstacle(world, &mesh, 0);
}

// ---- what an obstacle is

static void test_an_obstacle_at_rest_costs_no_unknowns(void** state) {
    (void)state;
    pli_world* world = space_world();
    add_cube(world, 1, 0.01, 1e5);
    add_sheet(world, 5, 0.4, 3);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_unknown_count(world), 3 * 8);
    assert_int_equal(pli_world_support_count(world), 0);
    assert_false(pli_world_body_is_obstacle(world, 0));
    assert_true(pli_world_body_is_obstacle(world, 1));
    assert_false(pli_world_body_is_obstacle(world, 2));
    for (int v = 8; v < pli_world_vertex_count(world); ++v)
        assert_true(pli_world_vertex_masses(world)[v] == 0);
    for (int n = 0; n < 5; ++n) converged_step(world);
    pli_world_destroy(world);
}

static void test_obstacles_refuse_what_they_cannot_have(void** state) {
    (void)state;
    pli_world* world = space_world();
    pli_body_id id = add_sphere(world, 0, 0, 0.1);
    assert_int_equal(pli_world_add_energy(world, id, "spring", NULL, 0, NULL, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "obstacle"));
    pli_load_def load = pli_default_load_def();
    assert_int_equal(pli_world_add_load(world, id, &load, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "obstacle"));
    pli_mesh mesh = new_mesh();
    add_grid(&mesh, 2, 1);
    double modes[12] = {1};
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.obstacle = true;
    def.modes = modes;
    def.mode_count = 1;
    assert_int_equal(pli_world_add_body(world, &def, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "modes"));
    def.modes = NULL;
    def.kinematics = "polynomial";
    assert_int_equal(pli_world_add_body(world, &def, NULL, &error), PLI_E_ARGUMENT);
    def.kinematics = "free";
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_fix_def fix = pli_default_fix_def();
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// They lie in each other, and one goes through the others and through a half-space.
static void test_obstacles_do_not_touch_each_other(void** state) {
    (void)state;
    pli_world* world = space_world();
    add_cube(world, 1, 1, 1e5);
    const double size[3] = {1, 1, 1};
    add_block(world, size, 0, 0.1, 0);
    pli_body_id moving = add_block(world, size, 0.3, 0.2, 0.1);
    add_sphere(world, 0, 0, 0.3);
    add_ground(world, -0.1, 0);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.velocity[0] = 1;
    ASSERT_OK(pli_world_prescribe(world, moving, &motion, NULL, &error));
    for (int n = 0; n < 3; ++n) converged_step(world);
    ASSERT_NEAR(pli_world_positions(world)[3 * pli_world_body_vertex(world, 2)], -0.2 + 0.03, 1e-6);
    pli_world_destroy(world);
}

static void test_relative_dhat_leaves_obstacles_out(void** state) {
    (void)state;
    const double side[3] = {0.001, 0.001, 0.001};
    for (int relative = 0; relative < 2; ++relative) {
        pli_world_def def = pli_default_world_def();
        def.dimension = 3;
        def.contact.dhat = 0;
        def.contact.dhat_relative = relative ? 0.01 : 0;
        pli_world* world = make_world(&def);
        add_cube(world, 1, 0, 1e5);
        add_cube(world, 1, 0.9, 1e5);
        add_block(world, side, 5, 5, 5);
        ASSERT_OK(pli_world_prepare(world, &error));
        double one = 0.1 * sqrt(3), all = sqrt(0.01 + 0.01 + 1);
        ASSERT_NEAR(pli_world_dhat(world), relative ? 0.01 * all : 1e-3 * one, 1e-12);
        pli_world_destroy(world);
    }
}

// ---- what falls on them

static pli_body_id small_sphere(pli_world* w) { return add_sphere(w, 0.01, -0.05, 0.05); }
static pli_body_id big_sphere(pli_world* w) { return add_sphere(w, 0, -1, 1); }
static pli_body_id capsule(pli_world* w) {
    const double from[3] = {-0.2, -0.03, -0.01}, to[3] = {0.2, -0.03, 0.02};
    return add_capsule(w, from, to, 0.03);
}
static pli_body_id big_capsule(pli_world* w) {
    const double from[3] = {-1, -1, 0}, to[3] = {1, -1, 0};
    return add_capsule(w, from, to, 1);
}
static pli_body_id block(pli_world* w) {
    const double size[3] = {0.3, 0.1, 0.3};
    return add_block(w, size, 0, -0.05, 0);
}
static pli_body_id sheet(pli_world* w) { return add_sheet(w, 4, 0.3, 3); }
static pli_body_id net(pli_world* w) { return add_sheet(w, 7, 0.3, 2); }
static pli_body_id needles(pli_world* w) { return add_sheet(w, 11, 0.3, 1); }

static const struct {
    const char* name;
    add_function* add;
    bool stable; // a cube comes to rest on it
} kinds[] = {
    {"small sphere", small_sphere, false},
    {"big sphere", big_sphere, true},
    {"capsule", capsule, false},
    {"big capsule", big_capsule, true},
    {"block", block, true},
    {"sheet", sheet, true},
    {"net", net, true},
    {"needles", needles, true},
};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

static void test_a_cube_falls_on_each_kind(void** state) {
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i) {
        pli_world* world = space_world();
        add_cube(world, 2, 0.02, 1e5);
        kinds[i].add(world);
        int touching = 0;
        for (int n = 0; n < 20; ++n) touching += converged_step(world).contact_count > 0;
        if (touching < 5) fail_msg("%s: %d steps with contact", kinds[i].name, touching);
        pli_world_destroy(world);
    }
}

// At rest the force is the weight, and the distance a good part of dhat: nothing is much softer
// than a plane.
static void test_a_cube_rests_on_each_kind(void** state) {
    (void)state;
    for (int i = 0; i < KIND_COUNT; ++i) {
        if (!kinds[i].stable) continue;
        pli_world_def def = pli_default_world_def();
        def.dimension = 3;
        def.gravity[1] = -g;
        def.contact.dhat = dhat;
        def.time_step = 0.1; // backward Euler damps: at rest after some steps
        pli_world* world = make_world(&def);
        add_cube(world, 4, 0.5 * dhat, 1e6);
        kinds[i].add(world);
        pli_step_info info = {0};
        for (int n = 0; n < 40; ++n) info = converged_step(world);
        double force[3];
        pli_world_contact_force(world, 0, 1, force);
        ASSERT_NEAR(force[1], g, 1e-2 * g); // round ones let it drift slowly
        assert_true(info.min_distance > 0.3 * dhat);
        pli_world_destroy(world);
    }
}

// Two corners in one place, a triangle without area, one twice, and a vertex of no element.
static void test_bad_meshes_are_fine(void** state) {
    (void)state;
    pli_world* world = space_world();
    add_cube(world, 2, 0.005, 1e5);
    pli_mesh mesh = new_mesh();
    const double at[18] = {-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 0, 1, 3, 0, 3, 0.5, 0, 0};
    const int32_t triangles[12] = {0, 2, 1, 1, 2, 3, 0, 2, 1, 1, 2, 5};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 6, at, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 4, triangles, &error));
    add_obstacle(world, &mesh, 0);
    for (int n = 0; n < 10; ++n) converged_step(world);
    double force[3];
    pli_world_contact_force(world, 0, 1, force);
    assert_true(force[1] > 0);
    pli_world_destroy(world);
}

// ---- in the plane

static pli_body_id flat_disk(pli_world* w) { return add_sphere(w, 0.01, -0.1, 0.1); }
static pli_body_id big_disk(pli_world* w) { return add_sphere(w, 0, -10, 10); }
static pli_body_id segment(pli_world* w) {
    const double from[3] = {-2, -0.3, 0}, to[3] = {2, 0.2, 0};
    return add_capsule(w, from, to, 0);
}
static pli_body_id thick_segment(pli_world* w) {
    const double from[3] = {-2, -0.1, 0}, to[3] = {2, -0.1, 0};
    return add_capsule(w, from, to, 0.1);
}
static pli_body_id spike(pli_world* w) {
    const double from[3] = {0.03, -1, 0}, to[3] = {0.03, 0, 0};
    return add_capsule(w, from, to, 0);
}
static pli_body_id flat_block(pli_world* w) {
    pli_mesh mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 3, 0.2, 1, 1, PLI_TRIANGLES, &error));
    shift(&mesh, 0, -0.1, 0);
    return add_obstacle(w, &mesh, 0);
}
static pli_body_id nails(pli_world* w) {
    pli_mesh mesh = new_mesh();
    for (int i = 0; i < 21; ++i) {
        const double at[3] = {0.1 * i - 1.03, 0, 0};
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
    }
    return add_obstacle(w, &mesh, 0);
}

static const struct {
    const char* name;
    add_function* add;
    double above; // where the square starts
    bool stable;
} flat_kinds[] = {
    {"disk", flat_disk, 0.02, false}, {"big disk", big_disk, 0.5e-3, true},
    {"segment", segment, 0.1, false}, {"thick segment", thick_segment, 0.5e-3, true},
    {"spike", spike, 0.02, false},    {"block", flat_block, 0.5e-3, true},
    {"nails", nails, 0.5e-3, true},
};

static void test_a_square_falls_on_each_kind_in_the_plane(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof flat_kinds / sizeof *flat_kinds; ++i) {
        pli_world* world = plane_world();
        add_square(
            world,
            &(square){.segments = 4, .centre = {0, 0.5 + flat_kinds[i].above}, .stiffness = 1e6});
        flat_kinds[i].add(world);
        int touching = 0;
        for (int n = 0; n < 20; ++n) touching += converged_step(world).contact_count > 0;
        if (touching < 5) fail_msg("%s: %d steps with contact", flat_kinds[i].name, touching);
        assert_int_equal(pli_world_unknown_count(world), 2 * 25);
        pli_world_destroy(world);
    }
}

static void test_a_square_rests_on_each_kind_in_the_plane(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof flat_kinds / sizeof *flat_kinds; ++i) {
        if (!flat_kinds[i].stable) continue;
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -g;
        def.contact.dhat = dhat;
        def.time_step = 0.1; // backward Euler damps
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 4, .centre = {0, 0.5 + 0.5e-3}, .stiffness = 1e7});
        flat_kinds[i].add(world);
        pli_step_info info = {0};
        for (int n = 0; n < 40; ++n) info = converged_step(world);
        double force[3], weight = 1000 * g;
        pli_world_contact_force(world, 0, 1, force);
        ASSERT_NEAR(force[1], weight, 1e-2 * weight); // round ones let it drift slowly
        assert_true(info.min_distance > 0.3 * dhat);
        pli_world_destroy(world);
    }
}

// ---- moving

// How far a body is from where it started, at its first vertex.
static void moved(const pli_world* world, int body, double out[3]) {
    int v = pli_world_body_vertex(world, body);
    for (int c = 0; c < 3; ++c)
        out[c] = pli_world_positions(world)[3 * v + c] - pli_world_rest_positions(world)[3 * v + c];
}

static void test_a_moving_obstacle_pushes_a_cube(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.dhat = dhat;
    pli_world* world = make_world(&def);
    add_cube(world, 2, -0.05, 1e5);
    pli_body_id ram = add_sphere(world, -0.2, 0, 0.1);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.velocity[0] = 1;
    ASSERT_OK(pli_world_prescribe(world, ram, &motion, NULL, &error));
    for (int n = 0; n < 30; ++n) converged_step(world);
    double way[3], pushed[3];
    moved(world, 1, way);
    moved(world, 0, pushed);
    // Arrives exactly: what a vertex may miss is a part of tolerance * h in each step, not a sum.
    ASSERT_NEAR(way[0], 0.3, 1e-6);
    assert_true(pushed[0] > 0.2);
    assert_true(pli_world_balance(world).work_prescribed > 0);
    pli_world_destroy(world);
}

// Obstacles have no mass, and nothing may depend on that: not the schemes, not the methods.
static void push_softly(const char* scheme, const char* method, bool touch) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.dhat = dhat;
    def.scheme = scheme;
    def.solver.method = method;
    def.solver.max_iterations = 20000;
    pli_world* world = make_world(&def);
    pli_body_id cube = add_cube(world, 1, -0.05, 1e4);
    const int32_t held[4] = {2, 3, 6, 7};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 4;
    ASSERT_OK(pli_world_fix(world, cube, &fix, NULL, &error));
    pli_body_id ram = add_sphere(world, 0.01, touch ? -0.151 : -0.3, 0.1);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.velocity[1] = 0.05;
    ASSERT_OK(pli_world_prescribe(world, ram, &motion, NULL, &error));
    pli_status status = pli_world_prepare(world, &error);
    if (status == PLI_OK) {
        for (int n = 0; n < 3; ++n) converged_step(world);
        double way[3], force[3];
        moved(world, 1, way);
        pli_world_contact_force(world, 0, 1, force);
        if (fabs(way[1] - 0.0015) > 1e-6 || touch != (force[1] > 0)) // a part of tolerance * h
            fail_msg("%s, %s: %g m, %g N", scheme, method, way[1], force[1]);
    } else {
        assert_non_null(strstr(error.message, "cannot be used with")); // explicit: no contact
    }
    pli_world_destroy(world);
}

static void test_schemes_and_methods(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i)
        push_softly(pli_scheme_name(i), "projected-newton", true);
    push_softly("backward-euler", "newton", true);
    push_softly("backward-euler", "l-bfgs", false); // they do not resolve barriers
    push_softly("backward-euler", "gradient-descent", false);
}

// About its end at x = 0.3, z = -0.2.
static void spin_field(void* context, double time, const double place[3], double out[3]) {
    double angle = *(const double*)context * time, x = place[0] - 0.3, z = place[2] + 0.2;
    out[0] = (cos(angle) - 1) * x - sin(angle) * z;
    out[1] = 0;
    out[2] = sin(angle) * x + (cos(angle) - 1) * z;
}

static void test_a_spinning_obstacle_throws_a_cube(void** state) {
    (void)state;
    pli_world* world = space_world();
    add_cube(world, 2, 2e-3, 1e5);
    const double from[3] = {-0.3, 0.05, -0.2}, to[3] = {0.3, 0.05, -0.2};
    pli_body_id bar = add_capsule(world, from, to, 0.02);
    pli_prescribe_def motion = pli_default_prescribe_def();
    double rate = -3;
    motion.field = spin_field;
    motion.context = &rate;
    ASSERT_OK(pli_world_prescribe(world, bar, &motion, NULL, &error));
    add_ground(world, 0, 0);
    for (int n = 0; n < 60; ++n) converged_step(world);
    double way[3], expected[3], thrown[3];
    moved(world, 1, way);
    spin_field(&rate, pli_world_time(world), from, expected);
    for (int c = 0; c < 3; ++c) ASSERT_NEAR(way[c], expected[c], 1e-6); // a part of tolerance * h
    moved(world, 0, thrown);
    assert_true(hypot(thrown[0], thrown[2]) > 0.05);
    pli_world_destroy(world);
}

// Key frames of single vertices: a sheet that bends into a trough.
static void test_keys_of_single_vertices(void** state) {
    (void)state;
    enum { N = 5, VERTICES = N * N, KEYS = 3 };
    pli_world* world = space_world();
    add_cube(world, 2, 0.01, 1e5);
    pli_body_id id = add_sheet(world, N, 0.3, 3);
    const double times[KEYS] = {0, 0.05, 0.2};
    double offsets[KEYS * VERTICES * 3] = {0};
    for (int k = 1; k < KEYS; ++k)
        for (int v = 0; v < VERTICES; ++v) {
            double x = 0.3 * (v % N / (N - 1.0) - 0.5);
            offsets[3 * (k * VERTICES + v) + 1] = (k == 1 ? 1 : -0.5) * x * x;
        }
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.times = times;
    motion.offsets = offsets;
    motion.per_vertex = true;
    motion.key_count = KEYS;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    double kept[KEYS * VERTICES * 3];
    memcpy(kept, offsets, sizeof kept);
    memset(offsets, 0, sizeof offsets); // they are copied
    for (int n = 0; n < 25; ++n) {
        converged_step(world);
        double t = pli_world_time(world);
        for (int v = 0; v < VERTICES; ++v) {
            double one = kept[3 * (VERTICES + v) + 1], two = kept[3 * (2 * VERTICES + v) + 1];
            double y = t <= 0.05 ? t / 0.05 * one : one + fmin(1, (t - 0.05) / 0.15) * (two - one);
            int at = 3 * (pli_world_body_vertex(world, 1) + v) + 1;
            ASSERT_NEAR(pli_world_positions(world)[at], y, 1e-6); // a part of tolerance * h
        }
    }
    pli_world_destroy(world);
}

static void test_keys_of_single_vertices_must_be_finite(void** state) {
    (void)state;
    pli_world* world = space_world();
    pli_mesh mesh = new_mesh();
    add_grid(&mesh, 2, 1);
    pli_body_id id = add_obstacle(world, &mesh, 0);
    const double times[2] = {0, 1};
    double offsets[2 * 4 * 3] = {0};
    offsets[23] = NAN;
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.times = times;
    motion.offsets = offsets;
    motion.per_vertex = true;
    motion.key_count = 2;
    assert_int_equal(pli_world_prescribe(world, id, &motion, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "key 1"));
    pli_world_destroy(world);
}

// ---- what is in the way

// Two plates close on a cube until nothing is left between them. They stall, the step says so, and
// nothing is ever penetrated. A cube that is fixed stops them at once; one that can deform becomes
// flat first.
static void close_on_cube(bool fixed) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.dhat = dhat;
    def.solver.on_failure = "accept";
    def.solver.max_iterations = 150;
    pli_world* world = make_world(&def);
    pli_body_id cube = add_cube(world, 2, -0.05, 1e5);
    pli_fix_def fix = pli_default_fix_def();
    if (fixed) ASSERT_OK(pli_world_fix(world, cube, &fix, NULL, &error));
    const double size[3] = {0.3, 0.1, 0.3};
    pli_body_id plates[2] = {add_block(world, size, 0, 0.11, 0),
                             add_block(world, size, 0, -0.11, 0)};
    for (int i = 0; i < 2; ++i) {
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.velocity[1] = i ? 0.6 : -0.6;
        ASSERT_OK(pli_world_prescribe(world, plates[i], &motion, NULL, &error));
    }
    int stalled = 0;
    for (int n = 0; n < 12; ++n) {
        pli_step_info info = sound_step(world);
        assert_true(info.kept);
        stalled += info.blocked > 0;
        if (fixed && info.blocked > 0) assert_int_equal(info.reason, PLI_BLOCKED);
        if (info.blocked > 0) assert_true(*info.remedy);
    }
    double way[3];
    moved(world, 1, way);
    assert_true(stalled >= (fixed ? 10 : 2));
    assert_true(-way[1] < (fixed ? 0.01 : 0.06)); // up to the cube, up to the other plate
    pli_world_destroy(world);
}

static void test_closing_plates_stall(void** state) {
    (void)state;
    close_on_cube(true);
    close_on_cube(false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_obstacle_at_rest_costs_no_unknowns),
        cmocka_unit_test(test_obstacles_refuse_what_they_cannot_have),
        cmocka_unit_test(test_obstacles_do_not_touch_each_other),
        cmocka_unit_test(test_relative_dhat_leaves_obstacles_out),
        cmocka_unit_test(test_a_cube_falls_on_each_kind),
        cmocka_unit_test(test_a_cube_rests_on_each_kind),
        cmocka_unit_test(test_bad_meshes_are_fine),
        cmocka_unit_test(test_a_square_falls_on_each_kind_in_the_plane),
        cmocka_unit_test(test_a_square_rests_on_each_kind_in_the_plane),
        cmocka_unit_test(test_a_moving_obstacle_pushes_a_cube),
        cmocka_unit_test(test_a_spinning_obstacle_throws_a_cube),
        cmocka_unit_test(test_schemes_and_methods),
        cmocka_unit_test(test_keys_of_single_vertices),
        cmocka_unit_test(test_keys_of_single_vertices_must_be_finite),
        cmocka_unit_test(test_closing_plates_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
