// Sheets in worlds: the strain limit holds in falls, jerks and pulls that cannot succeed; a plate
// falls through air.
#include "dynamics/worlds.h"

enum { N = 10, SIDE = N + 1 };

// A square of side 1 in the plane y = 0 with the properties of cotton, 0.318 mm thick; the vertices
// 0 and N are the corners of one side. `taut`:
// the strain limit has the stress 1.2 taut half-way to it. `initial` may be NULL.
static pli_body_id add_cloth(pli_world* world, double limit, double taut, const double* initial) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, N, N, PLI_TRIANGLES, &error));
    for (int i = 0; i < mesh.vertex_count; ++i) {
        mesh.positions[3 * i + 2] = mesh.positions[3 * i + 1];
        mesh.positions[3 * i + 1] = 0;
    }
    pli_body_def def = pli_default_body_def();
    def.name = "cloth";
    def.mesh = &mesh;
    def.initial = initial;
    def.density = 472.64;
    def.thickness = 0.318e-3;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting stretch[] = {{"stretch", 8e3}, {"shear", 2e3}},
                      bend[] = {{"stiffness", 5e-7}};
    const pli_setting limited[] = {{"limit", limit}, {"stiffness", taut * (limit - 1)}};
    ASSERT_OK(pli_world_add_energy(world, id, "baraff-witkin", stretch, 2, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "hinge", bend, 1, NULL, &error));
    if (limit > 0)
        ASSERT_OK(pli_world_add_energy(world, id, "strain-limit", limited, 2, NULL, &error));
    return id;
}

static pli_world* cloth_world(double h, double gravity) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.time_step = h;
    def.thread_count = 1;
    def.gravity[0] = def.gravity[2] = 0;
    def.gravity[1] = -gravity;
    def.contact.dhat = 1e-3;
    return make_world(&def);
}

// By the world's own measure of the elements, not that of the energy.
static double largest_stretch(const pli_world* world) {
    static double stretches[3 * 2 * N * N];
    double largest = 0;
    pli_world_element_fields(world, PLI_TRIANGLE, &(pli_element_fields){.stretches = stretches});
    for (int i = 0; i < 2 * N * N; ++i) largest = fmax(largest, stretches[3 * i]);
    return largest;
}

static const int32_t corners[2] = {0, N};

static void hold_corners(pli_world* world, pli_body_id cloth) {
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = corners;
    fix.vertex_count = 2;
    ASSERT_OK(pli_world_fix(world, cloth, &fix, NULL, &error));
}

// Hung at two corners with a limit of 0.1 %: it swings down and comes near the limit, never to it.
static void test_hung(void** state) {
    (void)state;
    const double limit = 1.001;
    pli_world* world = cloth_world(0.04, 9.81);
    hold_corners(world, add_cloth(world, limit, 1e5, NULL));
    double most = 0;
    for (int i = 0; i < 40; ++i) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        double stretch = largest_stretch(world);
        assert_true(stretch < limit);
        most = fmax(most, stretch);
    }
    assert_true(most > 1 + 0.3e-3); // the limit carries the cloth
    assert_true(pli_world_positions(world)[3 * (SIDE * SIDE - 1) + 1] < -0.7);
    pli_world_destroy(world);
}

// The corners jerk through metres within hundredths of a second, first together, then apart as far
// as the cloth allows.
static void jerk(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    double side = place[0] > 0 ? 1 : -1;
    out[0] = -0.2 * side * fmin(time / 0.1, 1);
    out[1] = 0.8 * sin(40 * time) + 0.3 * side * sin(73 * time);
    out[2] = 0.7 * sin(55 * time);
}

static void test_jerks(void** state) {
    (void)state;
    static const double limits[] = {1.05, 1.001};
    for (int k = 0; k < 2; ++k) {
        pli_world* world = cloth_world(0.01, 9.81);
        pli_body_id cloth = add_cloth(world, limits[k], 2e6, NULL);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.vertices = corners;
        motion.vertex_count = 2;
        motion.field = jerk;
        ASSERT_OK(pli_world_prescribe(world, cloth, &motion, NULL, &error));
        double most = 0, fastest = 0;
        for (int i = 0; i < 25; ++i) {
            pli_step_info info = step(world);
            assert_true(info.kept);
            most = fmax(most, largest_stretch(world));
            for (int v = 0; v < 3 * SIDE * SIDE; ++v)
                fastest = fmax(fastest, fabs(pli_world_velocities(world)[v]));
            assert_true(most < limits[k]);
            ASSERT_OK(pli_world_verify(world, &error));
        }
        assert_true(most > 1 + 0.5 * (limits[k] - 1) && fastest > 20);
        pli_world_destroy(world);
    }
}

// Two opposite sides pulled apart by 10 % with a limit of 2 %: blocked near the limit.
static void test_pull_is_blocked(void** state) {
    (void)state;
    const double limit = 1.02;
    pli_world* world = cloth_world(0.02, 0);
    pli_body_id cloth = add_cloth(world, limit, 1e5, NULL);
    for (int side = 0; side < 2; ++side) {
        int32_t line[SIDE];
        for (int i = 0; i < SIDE; ++i) line[i] = i * SIDE + side * N;
        pli_prescribe_def pull = pli_default_prescribe_def();
        pull.vertices = line;
        pull.vertex_count = SIDE;
        pull.velocity[0] = side ? 0.1 : -0.1;
        pull.travel = 0.05;
        ASSERT_OK(pli_world_prescribe(world, cloth, &pull, NULL, &error));
    }
    pli_step_info info = {0};
    for (int i = 0; i < 30; ++i) {
        info = step(world);
        assert_true(info.kept);
        assert_true(largest_stretch(world) < limit);
    }
    assert_true(info.blocked > 0);
    assert_int_equal(info.reason, PLI_BLOCKED);
    assert_true(largest_stretch(world) > 1 + 0.8 * (limit - 1));
    pli_world_destroy(world);
}

// A start beyond the limit is refused with the triangle and the numbers.
static void test_start_beyond(void** state) {
    (void)state;
    double initial[3 * SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        initial[3 * i] = i % SIDE / (double)N - 0.5 + (i % SIDE == N ? 0.02 : 0); // last column
        initial[3 * i + 1] = 0;
        initial[3 * i + 2] = i / SIDE / (double)N - 0.5;
    }
    pli_world* world = cloth_world(0.01, 0);
    add_cloth(world, 1.1, 1e5, initial);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "body \"cloth\""));
    assert_non_null(strstr(error.message, "triangle 18: its stretch is 1.2, the limit 1.1"));
    pli_world_destroy(world);
}

// ---- air

// The sheet falls flat: v -> sqrt(2 m g / (rho C A)) = sqrt(2 density t g / (rho C)), as v_inf
// tanh(g t / v_inf); along a wind it takes the wind's velocity.
static void test_terminal_velocity(void** state) {
    (void)state;
    const double g = 9.81, end = sqrt(2 * 472.64 * 0.318e-3 * g / (1.2 * 1.5)), h = 1e-3;
    pli_world* world = cloth_world(h, g);
    pli_body_id cloth = add_cloth(world, 0, 0, NULL);
    const pli_setting air[] = {{"normal", 1.5}, {"wind_x", 2}, {"tangential", 0.5}};
    ASSERT_OK(pli_world_add_energy(world, cloth, "wind", air, 3, NULL, &error));
    for (int i = 1; i <= 600; ++i) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        // backward Euler: first order in h, beside the tolerance
        ASSERT_NEAR(pli_world_velocities(world)[1], -end * tanh(g * i * h / end), 2 * g * h);
    }
    ASSERT_NEAR(pli_world_velocities(world)[1], -end, 1e-3 * end);
    // d u/dt = -c u^2, c = rho C_t / (2 density t): u = u0 / (1 + c u0 t)
    double c = 1.2 * 0.5 / (2 * 472.64 * 0.318e-3), u = 2 / (1 + c * 2 * 0.6);
    ASSERT_NEAR(2 - pli_world_velocities(world)[0], u, 1e-2);
    pli_world_destroy(world);
}

// Thrown and spinning in still air: the sum of kinetic and stored energy falls in every step.
static void test_still_air(void** state) {
    (void)state;
    double velocities[3 * SIDE * SIDE];
    pli_world* world = cloth_world(0.005, 0);
    pli_body_id cloth = add_cloth(world, 0, 0, NULL);
    const pli_setting air[] = {{"linear", 0.1}};
    ASSERT_OK(pli_world_add_energy(world, cloth, "wind", air, 1, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    const double* x = pli_world_positions(world);
    for (int i = 0; i < SIDE * SIDE; ++i) {
        velocities[3 * i] = 1 - 3 * x[3 * i + 1];
        velocities[3 * i + 1] = 3 * x[3 * i] + 4 * x[3 * i + 2] + 2;
        velocities[3 * i + 2] = -4 * x[3 * i + 1];
    }
    pli_world_state moved = {.velocities = velocities};
    ASSERT_OK(pli_world_set_state(world, &moved, &error));
    for (int i = 0; i < 60; ++i) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        assert_true(info.balance.kinetic + info.balance.potential < 1e-12 &&
                    info.balance.dissipated > 0);
    }
    pli_world_destroy(world);
}

// The wind of gusts: w0 sin(omega t) across the sheet, or w0 + s y, which grows along its way.
typedef struct gust {
    double speed, omega, slope;
} gust;

static void blow(void* context, double time, const double place[3], double out[3]) {
    const gust* g = context;
    out[1] = g->speed * (g->omega > 0 ? sin(g->omega * time) : 1) + g->slope * place[1];
}

static const double steps_of_gust = 500, linear_drag = 2; // [N s/m^3]

// Height and velocity after 0.5 s of a sheet with linear drag alone.
static void fly(const gust* g, double out[2]) {
    const double h = 0.5 / steps_of_gust;
    pli_world* world = cloth_world(h, 0);
    pli_body_id cloth = add_cloth(world, 0, 0, NULL);
    pli_energy_id wind;
    const pli_setting air[] = {{"density", 0}, {"linear", linear_drag}, {"wind_x", 50}};
    ASSERT_OK(pli_world_add_energy(world, cloth, "wind", air, 3, &wind, &error));
    ASSERT_OK(pli_world_set_energy_field(world, wind, blow, (void*)g, &error));
    for (int i = 0; i < steps_of_gust; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    out[0] = pli_world_positions(world)[1];
    out[1] = pli_world_velocities(world)[1];
    ASSERT_NEAR(pli_world_velocities(world)[0], 0, 1e-9); // wind_x is replaced
    // The parameters again: the sheet goes with wind_x.
    ASSERT_OK(pli_world_set_energy_field(world, wind, NULL, NULL, &error));
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double c = linear_drag / (472.64 * 0.318e-3);
    ASSERT_NEAR(pli_world_velocities(world)[0], 50 * c * h / (1 + c * h), 1e-4);
    pli_world_destroy(world);
}

// v' = -c (v - w) with c = b / (density t), in closed form.
static void test_gusts(void** state) {
    (void)state;
    const double t = 0.5, c = linear_drag / (472.64 * 0.318e-3);
    const gust swing = {.speed = 3, .omega = 20}, along = {.speed = 1, .slope = 4};
    double found[2], w = swing.omega;
    fly(&swing, found);
    double v =
        swing.speed * c / (c * c + w * w) * (c * sin(w * t) - w * cos(w * t) + w * exp(-c * t));
    ASSERT_NEAR(found[1], v, 0.02 * swing.speed); // first order in h: 2 % at omega h = 0.02
    // y'' + c y' - c s y = c w0
    double root = sqrt(0.25 * c * c + c * along.slope), r1 = -0.5 * c + root, r2 = -0.5 * c - root;
    double A = -along.speed / along.slope * r2 / (r1 - r2), B = along.speed / along.slope - A;
    fly(&along, found);
    double y = A * exp(r1 * t) + B * exp(r2 * t) - along.speed / along.slope;
    ASSERT_NEAR(found[0], y, 0.01 * y);
}

static void blow_up(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    (void)time;
    (void)place;
    out[0] = NAN;
}

static void test_gust_errors(void** state) {
    (void)state;
    pli_step_info info;
    pli_world* world = cloth_world(0.01, 0);
    pli_body_id cloth = add_cloth(world, 0, 0, NULL);
    pli_energy_id wind, limit;
    ASSERT_OK(pli_world_add_energy(world, cloth, "strain-limit", NULL, 0, &limit, &error));
    ASSERT_OK(pli_world_add_energy(world, cloth, "wind", NULL, 0, &wind, &error));
    assert_int_equal(pli_world_set_energy_field(world, limit, blow, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "takes no field"));
    ASSERT_OK(pli_world_set_energy_field(world, wind, blow_up, NULL, &error));
    assert_int_equal(pli_world_step(world, &info, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "must be finite"));
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hung),
        cmocka_unit_test(test_jerks),
        cmocka_unit_test(test_pull_is_blocked),
        cmocka_unit_test(test_start_beyond),
        cmocka_unit_test(test_terminal_velocity),
        cmocka_unit_test(test_still_air),
        cmocka_unit_test(test_gusts),
        cmocka_unit_test(test_gust_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
