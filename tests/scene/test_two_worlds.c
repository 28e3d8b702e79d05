// Two worlds on two threads, each with threads of its own, do not disturb each other: they end in
// the bits that each of them has alone. The thread sanitizer looks on (make tsan).
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "oracle/near.h"
#include "pliant/pliant.h"

typedef struct run {
    const char* scene;
    const char* overrides[2];
    int override_count;
    int steps, threads;
    // what came out
    bool done;
    int contacts;
    size_t count;
    double* state; // positions and velocities
} run;

// No assertions: those of cmocka are for the main thread alone.
static void* run_scene(void* context) {
    run* r = context;
    char path[512];
    snprintf(path, sizeof path, "%s/scenes/%s.json", PLIANT_SOURCE_DIR, r->scene);
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.overrides = r->overrides;
    def.override_count = r->override_count;
    def.thread_count = r->threads;
    pli_scene* scene = NULL;
    pli_error error = {0};
    r->done = pli_scene_create(&def, &scene, &error) == PLI_OK && pli_scene_world(scene);
    pli_world* world = r->done ? pli_scene_world(scene) : NULL;
    for (int i = 0; r->done && i < r->steps; ++i) {
        pli_step_info info;
        r->done = pli_world_step(world, &info, &error) == PLI_OK && info.kept;
        r->contacts += info.contact_count;
    }
    if (r->done) {
        size_t n = 3 * (size_t)pli_world_vertex_count(world);
        r->count = 2 * n;
        r->state = malloc(r->count * sizeof *r->state);
        memcpy(r->state, pli_world_positions(world), n * sizeof *r->state);
        memcpy(r->state + n, pli_world_velocities(world), n * sizeof *r->state);
    }
    pli_scene_destroy(scene);
    return NULL;
}

static void check_same(const run* a, const run* b) {
    assert_true(a->done && b->done);
    assert_true(a->count == b->count && a->contacts == b->contacts);
    assert_memory_equal(a->state, b->state, a->count * sizeof *a->state);
}

// Each alone, then both at once.
static void check_two(run first, run second) {
    run alone[2] = {first, second}, together[2] = {first, second};
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) run_scene(&alone[i]);
    for (int i = 0; i < 2; ++i)
        assert_int_equal(pthread_create(&threads[i], NULL, run_scene, &together[i]), 0);
    for (int i = 0; i < 2; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < 2; ++i) {
        check_same(&alone[i], &together[i]);
        free(alone[i].state);
        free(together[i].state);
    }
}

static void contact_in_space_and_plane(void** state) {
    (void)state;
    check_two((run){.scene = "card_house", .steps = 2, .threads = 2},
              (run){.scene = "disks", .steps = 40, .threads = 1});
}

static void one_scene_twice(void** state) {
    (void)state;
    run r = {.scene = "masonry_arch", .steps = 2, .threads = 2};
    check_two(r, r);
}

// Libraries with states of their own: the BLAS in both, under CHOLMOD where that is linked.
#ifdef PLIANT_CHOLMOD
#define FOREIGN "solver.linear=\"cholesky\""
#else
#define FOREIGN "solver.linear=\"multifrontal\""
#endif

static void foreign_solvers(void** state) {
    (void)state;
    run r = {.scene = "two_cubes",
             .overrides = {FOREIGN, "solver.blas=true"},
             .override_count = 2,
             .steps = 12,
             .threads = 2};
    check_two(r, (run){.scene = "mat_on_knives",
                       .overrides = {FOREIGN, "solver.blas=true"},
                       .override_count = 2,
                       .steps = 12,
                       .threads = 1});
}

static void iterative_and_direct(void** state) {
    (void)state;
    run r = {.scene = "card_house",
             .overrides = {"solver.linear=\"pcg\"", "solver.preconditioner=\"multilevel\""},
             .override_count = 2,
             .steps = 2,
             .threads = 2};
    check_two(r, (run){.scene = "ball_on_plate", .steps = 12, .threads = 2});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_in_space_and_plane),
        cmocka_unit_test(one_scene_twice),
        cmocka_unit_test(foreign_solvers),
        cmocka_unit_test(iterative_and_direct),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
