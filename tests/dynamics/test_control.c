// Steps whose size the world chooses: by error, by effort, within bounds, up to an end.
#include "dynamics/worlds.h"

static pli_world_def auto_def(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.time_step = 0;
    def.solver.tolerance = 1e-9;
    return def;
}

// An oscillator of 1 rad/s, 1 m, and its largest error against cos(t) up to t = 5 s.
static double oscillator_error(const char* scheme, double allowed, int* steps) {
    pli_world_def def = auto_def(scheme);
    def.step_error = allowed;
    def.step_max = 1;
    def.end_time = 5;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0, 1, 0);
    pli_setting k = {"stiffness", 1};
    ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
    double worst = 0, t = 0;
    for (*steps = 0; t < 5; ++*steps) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        ASSERT_NEAR(info.time - t, info.time_step, 1e-14);
        t = info.time;
        worst = fmax(worst, fabs(pli_world_positions(world)[0] - sin(t)));
    }
    assert_true(t == 5); // the end is met exactly
    pli_world_destroy(world);
    return worst;
}

// A smaller allowed error costs more steps and gives a smaller error: by its order.
static void test_error_follows_what_is_allowed(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        int order;
    } rows[] = {{"backward-euler", 1},
                {"bdf2", 2},
                {"newmark", 2},
                {"implicit-midpoint", 2},
                {"symplectic-euler", 1},
                {"leapfrog", 2},
                {"averaged-vector-field", 2}};
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        int coarse_steps, fine_steps;
        double coarse = oscillator_error(rows[i].scheme, 1e-4, &coarse_steps);
        double fine = oscillator_error(rows[i].scheme, 1e-6, &fine_steps);
        // local errors add up: e_global ~ allowed / h ~ allowed^(p / (p + 1))
        double expected = pow(1e-2, (double)rows[i].order / (rows[i].order + 1));
        assert_true(fine_steps > 2 * coarse_steps);
        assert_true(fine < 2 * expected * coarse);
        assert_true(fine > 0.2 * expected * coarse);
    }
}

// Of constant acceleration g: e = h/2 g h, and the size aims at 0.81 of what is allowed.
static void test_backward_euler_size(void** state) {
    (void)state;
    pli_world_def def = auto_def("backward-euler");
    def.gravity[1] = -10;
    def.step_error = 5e-4;
    def.step_max = 1;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0, 0, 0);
    double h = 0;
    for (int n = 0; n < 30; ++n) h = step(world).time_step;
    ASSERT_NEAR(h, 0.9 * sqrt(2 * 5e-4 / 10), 1e-3); // after growing by at most 1.5 a step
    pli_world_destroy(world);
}

static void test_bounds(void** state) {
    (void)state;
    pli_world_def def = auto_def("backward-euler");
    def.gravity[1] = -10;
    def.step_error = 1e-12;
    def.step_min = 0.004;
    def.step_max = 0.008;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0, 0, 0);
    for (int n = 0; n < 5; ++n) ASSERT_NEAR(step(world).time_step, 0.004, n == 0 ? 0.002 : 0);
    pli_world_destroy(world);
    def.step_error = 1;
    world = make_world(&def);
    add_point(world, 0, 0, 0, 0);
    for (int n = 0; n < 5; ++n) assert_true(step(world).time_step <= 0.008);
    ASSERT_NEAR(step(world).time_step, 0.008, 0);
    pli_world_destroy(world);
}

// A hard landing needs more iterations: with a small effort the steps get shorter there.
static void test_effort(void** state) {
    (void)state;
    pli_world_def def = auto_def("backward-euler");
    def.gravity[1] = -9.81;
    def.step_control = "effort";
    def.step_effort = 3;
    def.step_max = 0.04;
    def.solver.tolerance = 1e-4;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 4, .stiffness = 1e4, .velocity = {0, -1}});
    add_ground(world, -0.8, 0);
    double flying = 0, landing = 1;
    while (pli_world_time(world) < 0.4) {
        pli_step_info info = step(world);
        assert_true(info.kept);
        if (info.contact_count == 0) flying = fmax(flying, info.time_step);
        if (info.contact_count > 0) landing = fmin(landing, info.time_step);
    }
    assert_true(flying > 2 * landing);
    pli_world_destroy(world);
}

// Attempts that do not converge are shortened down to step_min; then the step fails as a whole.
static void test_failure(void** state) {
    (void)state;
    pli_world_def def = auto_def("backward-euler");
    def.gravity[1] = -9.81;
    def.step_control = "effort";
    def.step_min = 1e-3;
    def.solver.max_iterations = 1;
    def.solver.tolerance = 1e-14;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .stiffness = 1e6, .velocity = {3, 0}});
    add_ground(world, -0.5005, 0);
    pli_step_info info = step(world);
    assert_false(info.kept);
    assert_int_equal(info.reason, PLI_ITERATION_CAP);
    assert_true(info.rejected > 0);
    assert_true(info.time == 0);
    pli_world_destroy(world);
}

static void test_refusals(void** state) {
    (void)state;
    static const struct {
        const char *scheme, *control, *key, *word;
    } rows[] = {{"bdf3", "error", "scheme", "bdf2"},
                {"static", "error", "scheme", "effort"},
                {"rk4", "error", "scheme", "fixed step"},
                {"leapfrog", "effort", "step_control", "error"}};
    pli_world* world = NULL;
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        pli_world_def def = auto_def(rows[i].scheme);
        def.step_control = rows[i].control;
        assert_int_equal(pli_world_create(&def, &world, &error), PLI_E_ARGUMENT);
        assert_int_equal(error.object, PLI_OBJECT_TIME);
        assert_string_equal(error.key, rows[i].key);
        assert_non_null(strstr(error.message, rows[i].word));
    }
    pli_world_def def = auto_def("backward-euler");
    def.step_min = 1;
    assert_int_equal(pli_world_create(&def, &world, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.key, "step_min");
    assert_null(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_error_follows_what_is_allowed),
        cmocka_unit_test(test_backward_euler_size),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_effort),
        cmocka_unit_test(test_failure),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
