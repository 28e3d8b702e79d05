// A step that is given up leaves the world as it was, to the last byte of what is saved, wherever
// the cancel callback says so; made again, it gives the bits of a world that was never interrupted.
#include "scene/saved.h"

#include <stdatomic.h>

enum { MOST_OVERRIDES = 6 };

typedef struct case_of {
    const char* scene;
    const char* overrides[MOST_OVERRIDES];
    int before; // steps
} case_of;

static const case_of cases[] = {
    {"two_cubes", {"contact.dhat=0.01"}, 20},
    {"two_cubes", {"solver.linear=\"pcg\""}, 18},
    {"two_cubes", {"solver.linear=\"auto\"", "time.step=0.02"}, 9},
#ifdef PLIANT_CHOLMOD
    {"two_cubes", {"solver.linear=\"cholesky\""}, 3},
#endif
    {"disks", {"contact.friction_iterations=2"}, 12},
    {"disks", {"solver.on_failure=\"substep\"", "solver.max_iterations=6"}, 12},
    {"tutorial/4_friction", {NULL}, 20},
    {"tutorial/5_mov_dirichlet", {NULL}, 10},
    {"twisted_bar", {NULL}, 2},
    {"schemes/leapfrog", {NULL}, 5},
    {"schemes/bdf4", {NULL}, 1},
    {"schemes/static", {NULL}, 1},
    {"schemes/exponential", {NULL}, 1},
};

typedef struct counter {
    int calls, last; // says true at call number `last`; 0: never
} counter;

static bool count(void* context) {
    counter* c = context;
    return ++c->calls == c->last;
}

static pli_scene* make(const case_of* c, int threads) {
    int n = 0;
    while (n < MOST_OVERRIDES && c->overrides[n]) ++n;
    return make_scene(c->scene, c->overrides, n, threads);
}

static bool step(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept || info.reason == PLI_INTERRUPTED);
    assert_true(info.kept == (info.reason != PLI_INTERRUPTED));
    return info.kept;
}

static void assert_same(const case_of* c, const char* what, pli_world* world, bytes wanted) {
    bytes now = save(world);
    if (now.size != wanted.size || memcmp(now.data, wanted.data, now.size) != 0)
        fail_msg("%s %s: %s", c->scene, c->overrides[0] ? c->overrides[0] : "", what);
    free(now.data);
}

// Interrupted at the first calls, and then at ever later ones, until the step is done.
static void interrupt_everywhere(const case_of* c) {
    pli_scene *one = make(c, 1), *other = make(c, 1);
    pli_world *a = pli_scene_world(one), *b = pli_scene_world(other);
    counter n = {0};
    for (int i = 0; i < c->before; ++i) assert_true(step(a) && step(b));
    bytes start = save(a);
    ASSERT_OK(pli_world_set_cancel(a, count, &n, &error));
    int tries = 0;
    for (n.last = 1;; n.last += 1 + n.last / 4, ++tries) {
        n.calls = 0;
        if (step(a)) break;
        assert_int_equal(n.calls, n.last); // it was not asked again
        assert_same(c, "an interrupted step has changed the state", a, start);
        if (tries > 200) fail_msg("%s: the step does not end", c->scene);
    }
    assert_true(tries > 0);
    assert_true(step(b));
    bytes end = save(b);
    assert_same(c, "the step that was interrupted ends with other bits", a, end);
    free(start.data);
    free(end.data);
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

static void leaves_no_trace(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) interrupt_everywhere(&cases[i]);
}

static bool always(void* context) {
    atomic_fetch_add((atomic_int*)context, 1);
    return true;
}

// Any thread may ask; without a callback nobody does.
static void by_any_thread(void** state) {
    (void)state;
    pli_scene* scene = make(&cases[0], 4);
    pli_world* world = pli_scene_world(scene);
    atomic_int calls = 0;
    pli_step_info info;
    ASSERT_OK(pli_world_set_cancel(world, always, &calls, &error));
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_int_equal(info.reason, PLI_INTERRUPTED);
    assert_string_equal(pli_reason_text(info.reason), "interrupted");
    assert_true(!info.kept && info.step == 1 && pli_world_step_count(world) == 0);
    assert_true(pli_world_time(world) == 0 && atomic_load(&calls) > 0);
    ASSERT_OK(pli_world_set_cancel(world, NULL, NULL, &error));
    assert_true(step(world));
    assert_int_equal(pli_world_set_cancel(NULL, NULL, NULL, &error), PLI_E_ARGUMENT);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_no_trace),
        cmocka_unit_test(by_any_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
