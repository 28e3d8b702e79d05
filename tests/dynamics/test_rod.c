// Rods in worlds: single segments, branches, damping of twist, mass, schemes.
#include "dynamics/worlds.h"

#include <math.h>
#include <string.h>

static pli_world_def world_def(const char* scheme, double step) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.time_step = step;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-9;
    for (int c = 0; c < 3; ++c) def.gravity[c] = 0;
    return def;
}

// Points and segments as a rod of radius 0.1 m, 1000 kg/m^3, 1 MPa.
static pli_body_id add_rod(pli_world* world, int points, const double* x, int segments,
                           const int32_t* ends, const char* key, double value, double damping) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, points, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, segments, ends, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.density = 1000;
    def.stiffness_damping = damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[] = {
        {"radius", 0.1}, {"young", 1e6}, {"poisson", 0.25}, {key, value}};
    ASSERT_OK(pli_world_add_energy(world, id, "rod", settings, key ? 4 : 3, NULL, &error));
    return id;
}

// One segment stretches and has no angle; its mass is that of its section.
static void one_segment(void** state) {
    (void)state;
    const double x[6] = {0, 0, 0, 2, 0, 0};
    pli_world_def def = world_def("backward-euler", 0.01);
    pli_world* world = make_world(&def);
    (void)add_rod(world, 2, x, 1, (int32_t[2]){0, 1}, NULL, 0, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_node_count(world), 0);
    ASSERT_NEAR(pli_world_body_summary(world, 0, NULL).mass,
                1000 * 2 * 0.01 * 3.14159265358979323846, 1e-10);
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept);
    pli_world_destroy(world);
}

// Three segments at a vertex: a ball joint, or all pairs joined.
static void branch(void** state) {
    (void)state;
    const double x[12] = {0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0};
    const int32_t ends[6] = {0, 1, 0, 2, 0, 3};
    for (int welded = 0; welded < 2; ++welded) {
        pli_world_def def = world_def("static", 1);
        pli_world* world = make_world(&def);
        pli_body_id id = add_rod(world, 4, x, 3, ends, "welded", welded, 0);
        pli_fix_def fix = pli_default_fix_def();
        const int32_t held[3] = {0, 1, 2};
        fix.vertices = held;
        fix.vertex_count = 3;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        pli_load_def load = pli_default_load_def();
        const int32_t end = 3;
        load.vertices = &end;
        load.vertex_count = 1;
        load.value[0] = 1;
        load.value[1] = 1;
        ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        assert_int_equal(pli_world_node_count(world), welded ? 3 : 0);
        const double* at = pli_world_positions(world) + 9;
        if (welded) // two corners of EI each over lengths of 1 m resist
            assert_true(at[0] > 1e-3 && at[0] < 0.02);
        else // it hangs in the direction of the force
            ASSERT_NEAR(at[0], at[1], 1e-6);
        pli_world_destroy(world);
    }
}

enum { EDGES = 10 };

// Clamped at the start, its end turned by 0.3 rad and released: twist swings.
static pli_world* make_torsion(const char* scheme, double step, double damping) {
    double x[3 * (EDGES + 1)] = {0};
    int32_t ends[2 * EDGES];
    for (int i = 0; i <= EDGES; ++i) x[3 * i] = 0.2 * i;
    for (int i = 0; i < 2 * EDGES; ++i) ends[i] = (i + 1) / 2;
    pli_world_def def = world_def(scheme, step);
    pli_world* world = make_world(&def);
    pli_body_id id = add_rod(world, EDGES + 1, x, EDGES, ends, NULL, 0, damping);
    pli_fix_def fix = pli_default_fix_def();
    const int32_t held[2] = {0, 1};
    fix.vertices = held;
    fix.vertex_count = 2;
    fix.clamped = true;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_node_count(world), EDGES);
    double angles[EDGES];
    for (int i = 0; i < EDGES; ++i)
        angles[i] = pli_world_node(world, i).value + 0.3 * sin(1.5707963 * i / (EDGES - 0.5));
    const pli_world_state start = {.node_values = angles};
    ASSERT_OK(pli_world_set_state(world, &start, &error));
    return world;
}

// Stiffness damping takes twist as it takes stretch: the first mode decays with beta w^2 / 2, w =
// pi / (2 L) sqrt(G / rho), and the balance closes.
static void damped_twist(void** state) {
    (void)state;
    const double pi = 3.14159265358979323846, beta = 4e-3, L = 0.2 * (EDGES - 0.5);
    const double w = pi / (2 * L) * sqrt(4e5 / 1000), h = 2e-3;
    int steps = (int)(2 * pi / w / h); // a period
    pli_world* world = make_torsion("newmark", h, beta);
    double angle = pli_world_node(world, EDGES - 1).value - pli_world_node(world, 0).value;
    pli_balance before = pli_world_balance(world);
    for (int n = 0; n < steps; ++n) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        assert_true(info.kept);
    }
    double last = pli_world_node(world, EDGES - 1).value - pli_world_node(world, 0).value;
    ASSERT_NEAR(last / angle, exp(-0.5 * beta * w * w * steps * h), 0.03); // other modes, the mesh
    pli_balance b = pli_world_balance(world);
    assert_true(b.dissipated - before.dissipated > 0);
    double change = b.kinetic + b.potential + b.dissipated + b.numerical;
    ASSERT_NEAR(change, 0.0, 1e-9 * b.dissipated);
    pli_world_destroy(world);
}

// Its own inertia lets explicit schemes twist it, at the speed of waves; without they refuse.
static void inertia(void** state) {
    (void)state;
    const double pi = 3.14159265358979323846;
    pli_world* world = make_torsion("leapfrog", 1e-4, 0);
    const double w = pi / (2 * 0.2 * (EDGES - 0.5)) * sqrt(4e5 / 1000);
    double before = pli_world_node(world, EDGES - 1).value - pli_world_node(world, 0).value;
    int steps = (int)(pi / w / 1e-4 + 0.5); // half a period
    for (int n = 0; n < steps; ++n) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
    }
    double after = pli_world_node(world, EDGES - 1).value - pli_world_node(world, 0).value;
    ASSERT_NEAR(after / before, -1.0, 1e-2);
    pli_world_destroy(world);
    const double x[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    pli_world_def def = world_def("leapfrog", 1e-4);
    world = make_world(&def);
    (void)add_rod(world, 3, x, 2, (int32_t[4]){0, 1, 1, 2}, "inertia", 0, 0);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "has no mass"));
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_segment),
        cmocka_unit_test(branch),
        cmocka_unit_test(damped_twist),
        cmocka_unit_test(inertia),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
