// Islands: bodies that do not touch have step lengths and stopping tests of their own, and one that
// has converged is left alone until something touches it.
#include "worlds.h"

enum { REST, CRASH, SLOTS };

static long evaluations[SLOTS]; // of each slot, in stencils; the worlds here have one thread

typedef struct counter {
    int slot;
} counter;

static pli_status counter_prepare(const double* params, const pli_element* element, void* data,
                                  pli_error* e) {
    (void)element, (void)e;
    ((counter*)data)->slot = (int)params[0];
    return PLI_OK;
}

// An energy that is 0 and counts.
static void counter_eval(const pli_batch* in, pli_local* out) {
    (void)out;
    const counter* counters = in->data;
    for (int i = 0; i < in->count; ++i) evaluations[counters[i].slot]++;
}

static const pli_param counter_params[] = {{.name = "slot",
                                            .type = PLI_PARAM_NUMBER,
                                            .unit = "",
                                            .min = 0,
                                            .max = SLOTS - 1,
                                            .default_value = 0,
                                            .help = "what is counted"}};

static const pli_energy_type counter_type = {.abi = PLI_ENERGY_ABI,
                                             .name = "counter",
                                             .help = "0",
                                             .dims = 1u << 2 | 1u << 3,
                                             .params = counter_params,
                                             .param_count = 1,
                                             .data_size = {[PLI_VERTEX] = sizeof(counter)},
                                             .linear = true,
                                             .prepare = counter_prepare,
                                             .eval = counter_eval};

static void count(pli_world* world, pli_body_id id, int slot) {
    pli_setting setting = {"slot", slot};
    ASSERT_OK(pli_world_add_energy(world, id, "counter", &setting, 1, &error));
}

static pli_world* make(void) {
    static const pli_energy_type* const types[] = {&counter_type};
    pli_world_def def = pli_default_world_def();
    def.time_step = 0.01;
    def.gravity[1] = -9.81;
    def.thread_count = 1;
    def.energy_types = types;
    def.energy_type_count = 1;
    return make_world(&def);
}

// A soft square just above the ground, 50 m away from where two others collide.
static pli_body_id add_rest(pli_world* world) {
    pli_body_id id =
        add_square(world, &(square){.segments = 4, .centre = {50, 0.501}, .stiffness = 1e5});
    count(world, id, REST);
    return id;
}

static pli_body_id add_crash(pli_world* world) {
    add_square(world, &(square){.segments = 4, .centre = {0, 0.501}, .stiffness = 1e6});
    pli_body_id id = add_square(
        world,
        &(square){.segments = 4, .centre = {0.3, 1.6}, .stiffness = 1e6, .velocity = {0, -200}});
    count(world, id, CRASH);
    return id;
}

static pli_step_info converge(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_int_equal(info.reason, PLI_CONVERGED);
    return info;
}

static void test_rest_is_left_alone(void** state) {
    (void)state;
    pli_world *together = make(), *alone = make();
    add_rest(together);
    add_crash(together);
    add_rest(alone);
    add_ground(together, 0, 0);
    add_ground(alone, 0, 0);
    ASSERT_OK(pli_world_prepare(together, &error));
    ASSERT_OK(pli_world_prepare(alone, &error));
    long rest = 0, crash = 0, by_itself = 0;
    int most = 0;
    for (int n = 0; n < 5; ++n) {
        memset(evaluations, 0, sizeof evaluations);
        pli_step_info info = converge(together);
        rest += evaluations[REST], crash += evaluations[CRASH];
        if (info.iterations > most) most = info.iterations;
        memset(evaluations, 0, sizeof evaluations);
        converge(alone);
        by_itself += evaluations[REST];
    }
    assert_true(most >= 20);           // the crash is hard
    assert_true(crash > 3 * rest);     // and the body at rest does not take part in it
    assert_true(rest < 4 * by_itself); // which costs it not much more than being alone
    // Each is within the tolerance of Newton's method, 1e-2 m/s by default, of the same state.
    for (int i = 0; i < 3 * 25; ++i)
        ASSERT_NEAR(pli_world_positions(together)[i], pli_world_positions(alone)[i],
                    5 * 1e-2 * 0.01);
    pli_world_destroy(together);
    pli_world_destroy(alone);
}

// A square converges at once; then one that needs many directions arrives and pushes it. The
// balance of energy closes only if the forces on both are right.
static void test_what_is_touched_moves(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.time_step = 0.004;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .centre = {0, 0}, .stiffness = 1e6});
    add_square(world, &(square){.segments = 3, .centre = {5, 9}, .stiffness = 1e6});
    add_square(
        world,
        &(square){.segments = 3, .centre = {-1.7, 0.1}, .stiffness = 1e6, .velocity = {200, 0}});
    double residual = 0;
    for (int n = 0; n < 3; ++n) residual += fabs(converge(world).balance.residual);
    const double* v = pli_world_velocities(world);
    double first = 0, still = 0;
    for (int i = 0; i < 16; ++i) {
        first += v[3 * i] / 16;
        still += fabs(v[3 * (16 + i)]) + fabs(v[3 * (16 + i) + 1]);
    }
    assert_true(first > 20); // [m/s]
    assert_true(still == 0);
    assert_true(residual < 1e-4 * 2e7); // of the kinetic energy at the start [J]
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest_is_left_alone),
        cmocka_unit_test(test_what_is_touched_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
