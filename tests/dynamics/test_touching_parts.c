// What touches is whatever a mesh has: parts without area or length, parts beside solids, threads
// along threads.
#include "dynamics/obstacles.h"

// An obstacle of one segment or triangle.
static pli_body_id add_part(pli_world* w, pli_element_kind kind, const double* at,
                            double thickness) {
    pli_mesh mesh = new_mesh();
    const int32_t corners[3] = {0, 1, 2};
    int width = kind == PLI_SEGMENT ? 2 : 3;
    ASSERT_OK(pli_mesh_add_vertices(&mesh, width, at, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, kind, 1, corners, &error));
    return add_obstacle(w, &mesh, thickness);
}

// 10 g at each vertex of the mesh, which it takes over.
static pli_body_id add_light_body(pli_world* world, pli_mesh* mesh) {
    pli_body_def def = pli_default_body_def();
    def.mesh = mesh;
    def.vertex_mass = 0.01;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(mesh);
    return id;
}

static void add_soft_body(pli_world* world, pli_mesh* mesh, bool threads) {
    pli_body_id id = add_light_body(world, mesh);
    pli_setting young[2] = {{"young", 1e5}, {"poisson", 0.3}}, stiffness = {"stiffness", 100};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", young, 2, NULL, &error));
    if (threads) ASSERT_OK(pli_world_add_energy(world, id, "spring", &stiffness, 1, NULL, &error));
}

// ---- without extent: a triangle whose corners are in one line, a segment whose ends are in one
// place. Both are as hard for a cube as the same with an area or a length.

static pli_body_id collinear(pli_world* w) {
    return add_part(w, PLI_TRIANGLE, (double[9]){0.01, -0.5, 0, 0.01, -0.25, 0, 0.01, 0, 0}, 0);
}
static pli_body_id almost_collinear(pli_world* w) {
    return add_part(w, PLI_TRIANGLE, (double[9]){0.01, -0.5, 0, 0.01, -0.25, 1e-7, 0.01, 0, 0}, 0);
}
static pli_body_id add_dot(pli_world* w, double thickness) {
    return add_part(w, PLI_SEGMENT, (double[6]){0.01, -thickness, 0, 0.01, -thickness, 0},
                    thickness);
}
static pli_body_id dot(pli_world* w) { return add_dot(w, 0); }
static pli_body_id thick_dot(pli_world* w) { return add_dot(w, 0.05); }
static pli_body_id triangle_dot(pli_world* w) {
    return add_part(w, PLI_TRIANGLE, (double[9]){0.01, 0, 0, 0.01, 0, 0, 0.01, 0, 0}, 0);
}

static void test_a_cube_falls_on_parts_without_extent(void** state) {
    (void)state;
    add_function* const adds[5] = {collinear, almost_collinear, dot, thick_dot, triangle_dot};
    for (int i = 0; i < 5; ++i) {
        pli_world* world = space_world();
        add_cube(world, 1, 0.005, 1e5);
        adds[i](world);
        if (touching_steps(world, 8) == 0) fail_msg("kind %d: no contact", i);
        pli_world_destroy(world);
    }
}

// A segment that begins as a point below a cube: its ends go past the cube's sides, so that the
// cube must be held by what lies between them.
static void test_a_segment_opens(void** state) {
    (void)state;
    pli_world* world = space_world();
    add_cube(world, 1, 0.05, 1e5);
    pli_body_id id = dot(world);
    const double times[2] = {0, 0.05};
    const double offsets[12] = {0, 0, 0, 0, 0, 0, -0.3, 0, 0.01, 0.3, 0, 0.02};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.times = times;
    motion.offsets = offsets;
    motion.per_vertex = true;
    motion.key_count = 2;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    assert_true(touching_steps(world, 15) > 2);
    pli_world_destroy(world);
}

// ---- beside solids

// Beside a tetrahedron far away: what is no part of it is as hard as if it were alone.
static pli_mesh solid_beside(int vertex_count, const double* at) {
    pli_mesh mesh = new_mesh();
    const double far[12] = {5, 5, 5, 6, 5, 5, 5, 6, 5, 5, 5, 6};
    const int32_t solid[4] = {0, 1, 2, 3}, face[3] = {0, 2, 1}, edge[2] = {3, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 4, far, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, solid, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, face, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, edge, &error));
    ASSERT_OK(pli_mesh_add_vertices(&mesh, vertex_count, at, NULL, &error));
    return mesh;
}

static void test_a_cube_falls_on_what_is_beside_a_solid(void** state) {
    (void)state;
    const double at[9] = {-1, 0, -1, 1, 0, -1, 0, 0, 2};
    const int32_t v[3] = {4, 5, 6};
    for (int width = 1; width <= 3; ++width) {
        pli_world* world = space_world();
        add_cube(world, 1, 0.005, 1e5);
        const double line[6] = {-1, 0, 0.01, 1, 0, 0.02}, point[3] = {0.01, 0, 0};
        pli_mesh mesh = solid_beside(width, width == 3 ? at : width == 2 ? line : point);
        if (width > 1)
            ASSERT_OK(pli_mesh_add_elements(&mesh, width == 3 ? PLI_TRIANGLE : PLI_SEGMENT, 1, v,
                                            &error));
        add_obstacle(world, &mesh, 0);
        int triangles;
        ASSERT_OK(pli_world_body_triangles(world, 1, NULL, &triangles, &error));
        assert_int_equal(triangles, width == 3 ? 5 : 4); // a face that is listed, too, counts once
        if (touching_steps(world, 8) == 0) fail_msg("width %d: no contact", width);
        pli_world_destroy(world);
    }
}

// Of obstacles whose edges alone touch, what was inside has no elements any more.
static void test_vertices_of_no_element_can_be_left_out(void** state) {
    (void)state;
    for (int hidden = 0; hidden < 2; ++hidden) {
        pli_world* world = space_world();
        add_cube(world, 1, 0.005, 1e5);
        pli_mesh mesh = solid_beside(1, (const double[3]){0.01, 0, 0});
        pli_body_def def = pli_default_body_def();
        def.mesh = &mesh;
        def.obstacle = true;
        if (hidden) def.contact_vertices = "none";
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
        pli_mesh_free(&mesh);
        int touching = touching_steps(world, 6);
        assert_int_equal(touching > 0, !hidden);
        pli_world_destroy(world);
    }
}

// A tetrahedron with a tail of segments, with a sail, and with a particle falls on a half-space,
// and on an obstacle.
static void test_what_hangs_on_a_solid_touches(void** state) {
    (void)state;
    for (int i = 0; i < 6; ++i) {
        int width = i % 3 + 1;
        pli_world* world = space_world();
        pli_mesh mesh = new_mesh();
        const double at[21] = {0,    0.1, 0,     0.2, 0.1,  0,     0,   0.1, 0.2,   0.05, 0.3,
                               0.05, 0.1, 0.004, 0.1, 0.12, 0.005, 0.1, 0.1, 0.006, 0.12};
        const int32_t solid[4] = {0, 2, 1, 3}, sail[3] = {4, 5, 6},
                      tail[12] = {0, 4, 1, 4, 2, 4, 4, 5, 5, 6, 6, 4};
        ASSERT_OK(pli_mesh_add_vertices(&mesh, width == 1 ? 5 : 7, at, NULL, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, solid, &error));
        if (width == 2) ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 6, tail, &error));
        if (width == 3) ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, sail, &error));
        add_soft_body(world, &mesh, width == 2);
        if (i < 3)
            add_ground(world, 0, 0);
        else
            add_block(world, (const double[3]){1, 0.1, 1}, 0, -0.05, 0);
        int touching = 0;
        for (int n = 0; n < 6; ++n) {
            touching += converged_step(world).contact_count > 0;
            for (int v = 0; v < (width == 1 ? 5 : 7); ++v)
                assert_true(pli_world_positions(world)[3 * v + 1] > 0);
        }
        if (touching == 0) fail_msg("width %d: no contact", width);
        pli_world_destroy(world);
    }
}

// ---- threads

// A thread of n segments along x, from -length to length at this height.
static pli_body_id add_thread(pli_world* world, int n, double length, double height, bool fixed) {
    pli_mesh mesh = new_mesh();
    const double from[3] = {-length, height, 0}, to[3] = {length, height, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, from, to, n, &error));
    pli_body_id id = add_light_body(world, &mesh);
    pli_setting stiffness = {"stiffness", 1000};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &stiffness, 1, NULL, &error));
    pli_fix_def fix = pli_default_fix_def();
    if (fixed) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    return id;
}

static pli_body_id lying_needle(pli_world* w) {
    return add_part(w, PLI_TRIANGLE, (double[9]){-0.05, 0, 0, 0, 0, 0, 0.05, 0, 0}, 0);
}
static pli_body_id long_rod(pli_world* w) {
    const double from[3] = {-0.5, -0.01, 0}, to[3] = {0.5, -0.01, 0};
    return add_capsule(w, from, to, 0.01);
}
static pli_body_id short_rod(pli_world* w) {
    const double from[3] = {-0.03, -0.01, 0}, to[3] = {0.05, -0.01, 0};
    return add_capsule(w, from, to, 0.01);
}
static pli_body_id thread_below(pli_world* w) { return add_thread(w, 7, 0.5, 0, true); }
static pli_body_id short_thread(pli_world* w) { return add_thread(w, 1, 0.03, 0, true); }

// Exactly along another: there the term between two edges is 0, and the ends of either must hold.
static void test_a_thread_rests_along_another(void** state) {
    (void)state;
    add_function* const adds[5] = {lying_needle, long_rod, short_rod, thread_below, short_thread};
    for (int i = 0; i < 10; ++i) {
        pli_world* world = space_world();
        int segments = i < 5 ? 4 : 1;
        add_thread(world, segments, 0.1, 0.005, false);
        adds[i % 5](world);
        int touching = touching_steps(world, 15);
        if (touching < 5) fail_msg("kind %d: %d steps with contact", i, touching);
        if (segments == 1) // free, it would have fallen 0.11 m
            for (int v = 0; v < 2; ++v) assert_true(pli_world_positions(world)[3 * v + 1] > -0.02);
        pli_world_destroy(world);
    }
}

// A triangle with its longest edge along x and the third corner below it, which can deform or not.
static void add_fin(pli_world* w, double x, double below, bool deforms) {
    pli_mesh mesh = new_mesh();
    const double at[9] = {-0.2, 0, 0, 0.2, 0, 0, x, -below, 0};
    const int32_t corners[3] = {0, 1, 2};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 3, at, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, corners, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.obstacle = !deforms;
    def.vertex_mass = deforms ? 0.01 : 0;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(w, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_fix_def fix = pli_default_fix_def();
    if (deforms) ASSERT_OK(pli_world_fix(w, id, &fix, NULL, &error));
}

// By an area of next to nothing the thread is held at a gap of next to nothing, and so thin a
// triangle certifies only short steps there: forces may not balance in time.
static double gap_above_fin(double x, double below, bool deforms) {
    pli_world_def def = space_world_def();
    if (deforms) def.solver.on_failure = "accept";
    pli_world* world = make_world(&def);
    add_thread(world, 1, 1, 0.003, false);
    add_fin(world, x, below, deforms);
    double gap = 0;
    for (int n = 0; n < 20; ++n) {
        pli_step_info info = deforms ? sound_step(world) : converged_step(world);
        assert_true(info.kept);
        gap = info.min_distance;
    }
    for (int v = 0; v < 2; ++v) // free, it would have fallen 0.2 m
        assert_true(pli_world_positions(world)[3 * v + 1] > -0.005);
    pli_world_destroy(world);
    return gap;
}

// All edges of the triangle are almost parallel to the thread, at its middle or at one of its ends
// (a needle): it holds as without area. One that can deform holds by its area, but it holds.
static void test_a_thread_rests_along_thin_triangles(void** state) {
    (void)state;
    const double below[6] = {1e-9, 1e-7, 1e-5, 1e-4, 1e-3, 4e-3}, corner[2] = {0, 0.2};
    for (int i = 0; i < 2; ++i) {
        double flat = gap_above_fin(corner[i], 0, false);
        for (int k = 0; k < 6; ++k) {
            double hard = gap_above_fin(corner[i], below[k], false);
            if (!(hard > 0.8 * flat && hard < 1.25 * flat))
                fail_msg("corner %d, %g below: %g m, flat: %g m", i, below[k], hard, flat);
            double soft = gap_above_fin(corner[i], below[k], true);
            if (!(soft > 0 && soft < dhat))
                fail_msg("corner %d, %g below, deforms: %g m", i, below[k], soft);
        }
    }
}

// Two threads in one line that fly at each other: end to end nothing but their ends can hold.
static void test_threads_meet_end_to_end(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.dhat = dhat;
    pli_world* world = make_world(&def);
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh = new_mesh();
        const double from[3] = {i ? 0.003 : -0.003, 0, 0}, to[3] = {i ? 0.1 : -0.1, 0, 0};
        ASSERT_OK(pli_mesh_add_line(&mesh, from, to, 3, &error));
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.vertex_mass = 0.01;
        body.velocity[0] = i ? -0.3 : 0.3;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting stiffness = {"stiffness", 1000};
        ASSERT_OK(pli_world_add_energy(world, id, "spring", &stiffness, 1, NULL, &error));
    }
    for (int n = 0; n < 10; ++n) {
        converged_step(world);
        assert_true(pli_world_positions(world)[0] < pli_world_positions(world)[12]);
    }
    pli_world_destroy(world);
}

// ---- in the plane

static void test_a_square_falls_on_parts_without_extent(void** state) {
    (void)state;
    add_function* const adds[3] = {dot, thick_dot, triangle_dot};
    for (int i = 0; i < 3; ++i) {
        pli_world* world = plane_world();
        add_square(world, &(square){.segments = 1, .centre = {0, 0.505}, .stiffness = 1e6});
        adds[i](world);
        if (touching_steps(world, 8) == 0) fail_msg("kind %d: no contact", i);
        pli_world_destroy(world);
    }
}

static void test_a_square_falls_on_what_is_beside_triangles(void** state) {
    (void)state;
    for (int width = 1; width <= 2; ++width) {
        pli_world* world = plane_world();
        add_square(world, &(square){.segments = 1, .centre = {0, 0.505}, .stiffness = 1e6});
        pli_mesh mesh = new_mesh();
        const double at[15] = {5, 5, 0, 6, 5, 0, 5, 6, 0, -2, 0, 0, 2, 0.001, 0},
                     point[3] = {0.1, 0, 0};
        const int32_t flat[3] = {0, 1, 2}, segments[4] = {1, 0, 3, 4};
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 3, at, NULL, &error));
        ASSERT_OK(pli_mesh_add_vertices(&mesh, width, width == 2 ? at + 9 : point, NULL, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, flat, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, width, segments, &error));
        add_obstacle(world, &mesh, 0);
        if (touching_steps(world, 8) == 0) fail_msg("width %d: no contact", width);
        pli_world_destroy(world);
    }
}

// Half-spaces hold what hangs on triangles; vertices inside of them need no holding.
static void test_what_hangs_on_triangles_touches_half_spaces(void** state) {
    (void)state;
    pli_world* world = plane_world();
    pli_mesh mesh = new_mesh();
    const double at[18] = {0,   0.5, 0, 0.2, 0.5,   0, 0.1, 0.7,   0,
                           0.1, 0.4, 0, 0.1, 0.005, 0, 1,   0.004, 0};
    const int32_t flat[3] = {0, 1, 2}, tail[6] = {0, 3, 1, 3, 3, 4};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 6, at, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, flat, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 3, tail, &error));
    add_soft_body(world, &mesh, true);
    add_ground(world, 0, 0);
    for (int n = 0; n < 10; ++n) {
        converged_step(world);
        for (int v = 0; v < 6; ++v) assert_true(pli_world_positions(world)[3 * v + 1] > 0);
    }
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_cube_falls_on_parts_without_extent),
        cmocka_unit_test(test_a_segment_opens),
        cmocka_unit_test(test_a_cube_falls_on_what_is_beside_a_solid),
        cmocka_unit_test(test_vertices_of_no_element_can_be_left_out),
        cmocka_unit_test(test_what_hangs_on_a_solid_touches),
        cmocka_unit_test(test_a_thread_rests_along_another),
        cmocka_unit_test(test_a_thread_rests_along_thin_triangles),
        cmocka_unit_test(test_threads_meet_end_to_end),
        cmocka_unit_test(test_a_square_falls_on_parts_without_extent),
        cmocka_unit_test(test_a_square_falls_on_what_is_beside_triangles),
        cmocka_unit_test(test_what_hangs_on_triangles_touches_half_spaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
