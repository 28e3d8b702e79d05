// Bodies with few unknowns: polynomials and dense modes against reference trajectories, an affine
// body in space against the exact decay of a free rotation under backward Euler.
#include "dynamics/worlds.h"
#include "oracle/tutorial.h"

// The square of chapter 9: dropped on y = -1, neo-Hookean, 10 x 10 cells.
static pli_world* make_drop(const char* kinematics, int order, const double* modes,
                            int mode_count) {
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.solver.tolerance = 1e-9;
    def.contact.dhat = 0.01;
    def.contact.stiffness = 1e5;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 10, 10, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.mass = "even";
    body.contact_vertices = "all";
    body.contact_area = 0.1;
    body.kinematics = kinematics;
    body.order = order;
    body.modes = modes;
    body.mode_count = mode_count;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting settings[2] = {{"young", 2e4}, {"poisson", 0.4}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", settings, 2, NULL, &error));
    add_ground(world, -1, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

static void compare(pli_world* world, const char* name, int unknowns) {
    static pli_tutorial reference;
    pli_tutorial_read(name, &reference);
    assert_int_equal(pli_world_unknown_count(world), unknowns);
    pli_tutorial_compare(world, &reference);
    pli_world_destroy(world);
}

static void test_polynomials(void** state) {
    (void)state;
    compare(make_drop("free", 1, NULL, 0), "9_reduced_DOF_m0", 242);
    compare(make_drop("polynomial", 1, NULL, 0), "9_reduced_DOF", 6);
    compare(make_drop("polynomial", 2, NULL, 0), "9_reduced_DOF_m1o2", 12);
    compare(make_drop("polynomial", 3, NULL, 0), "9_reduced_DOF_m1o3", 20);
}

static void test_modes(void** state) {
    (void)state;
    enum { ROWS = 242, COLUMNS = 10 };
    static double modes[COLUMNS * 3 * ROWS / 2];
    FILE* file = pli_tutorial_open("9_reduced_DOF_m2k10_basis");
    int rows, columns;
    assert_int_equal(fscanf(file, "rows %d columns %d", &rows, &columns), 2);
    assert_true(rows == ROWS && columns == COLUMNS);
    for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c)
            assert_int_equal(fscanf(file, "%lf", &modes[3 * (ROWS / 2 * c + r / 2) + r % 2]), 1);
    fclose(file);
    compare(make_drop("free", 1, modes, COLUMNS), "9_reduced_DOF_m2k10", COLUMNS);
}

// Every vertex pair of a box held by stiff springs, moved by 12 unknowns. A stiff body that spins
// freely turns by D per step with D' = atan(sin D / (2 - cos D)).
static void test_affine_rotation(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-9;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    double corners[24], velocities[24], omega = 6.283185307179586;
    for (int i = 0; i < 8; ++i) {
        double* x = corners + 3 * i;
        x[0] = (i & 1) ? 0.5 : -0.5;
        x[1] = (i & 2) ? 0.5 : -0.5;
        x[2] = (i & 4) ? 1 : -1;
        velocities[3 * i] = -omega * x[1];
        velocities[3 * i + 1] = omega * x[0];
        velocities[3 * i + 2] = 0;
    }
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 8, corners, NULL, &error));
    for (int32_t i = 0; i < 8; ++i)
        for (int32_t j = i + 1; j < 8; ++j) {
            const int32_t pair[2] = {i, j};
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, pair, &error));
        }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.velocities = velocities;
    body.vertex_mass = 1;
    body.kinematics = "polynomial";
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting stiff = {"stiffness", 1e11};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &stiff, 1, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_unknown_count(world), 12);
    // The first step starts from tangential velocities, not from a chord: tan D = omega h.
    double D = atan(omega * def.time_step), angle = 0;
    for (int n = 0; n < 100; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        angle += D;
        D = atan(sin(D) / (2 - cos(D)));
        const double* x = pli_world_positions(world) + 9; // the corner at 45 degrees
        double away =
            remainder(atan2(x[1], x[0]) - 0.7853981633974483 - angle, 2 * 3.14159265358979);
        ASSERT_NEAR(away, 0, 1e-6); // 1e11 N/m is not quite rigid
    }
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_polynomials),
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_affine_rotation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
