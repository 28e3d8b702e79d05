// The n-th request for memory fails, in a run of every feature: always PLI_E_MEMORY, nothing leaks,
// no block is given back with another size than it has. Either all requests after it fail too, or
// that one alone. Every n up to FIRST and the last ones, of the rest as many as make SAMPLES in
// all; with PLIANT_MEMORY_ALL=1 in the environment every n: minutes.
#include "memory/features.h"
#include "oracle/allocator.h"
#include "oracle/near.h"

enum { FIRST = 8, LAST = 4, SAMPLES = 20 };

static int next(int n, int total) {
    if (getenv("PLIANT_MEMORY_ALL") || n < FIRST || n >= total - LAST) return n + 1;
    int stride = (total - FIRST - LAST) / SAMPLES + 1, after = n + stride;
    return after < total - LAST ? after : total - LAST;
}

static void fail_once(const feature* f, pli_test_allocator how) {
    pli_allocator hook = pli_test_hook(&how);
    pli_error error = {0};
    pli_status status = f->run(f, &hook, &error);
    if (status != PLI_E_MEMORY || error.status != PLI_E_MEMORY || how.bytes > 0 || how.wrong_size)
        fail_msg("%s, request %d%s: status %d, \"%s\", %zu bytes left%s", f->name, how.fail_at,
                 how.once ? " alone" : "", status, error.message, how.bytes,
                 how.wrong_size ? ", a wrong size" : "");
}

static void every_request_may_fail(void** state) {
    (void)state;
    const char* only = getenv("PLIANT_MEMORY_ROW");
    for (int i = 0; feature_at(i); ++i) {
        const feature* f = feature_at(i);
        pli_test_allocator counter = {0};
        pli_allocator hook = pli_test_hook(&counter);
        pli_error error = {0};
        if (only && strcmp(only, f->name) != 0) continue;
        pli_status status = f->run(f, &hook, &error);
        if (status != PLI_OK) fail_msg("%s: %s", f->name, error.message);
        if (counter.bytes > 0 || counter.wrong_size)
            fail_msg("%s: %zu bytes left", f->name, counter.bytes);
        int total = counter.requests;
        print_message("    %s: %d requests\n", f->name, total);
        assert_true(total > 2);
        for (int n = 1; n <= total; n = next(n, total)) {
            fail_once(f, (pli_test_allocator){.fail_at = n});
            fail_once(f, (pli_test_allocator){.fail_at = n, .once = true});
        }
    }
}

// Steps of `world` in which the 1st, 6th, ... request fails, then one with memory. The state stays
// as it is until that one.
static void step_at_last(pli_world* world, pli_test_allocator* counter) {
    enum { TRIES = 4 };
    size_t size = 3 * sizeof(double) * (size_t)pli_world_vertex_count(world);
    double* before = malloc(size);
    pli_error error = {0};
    pli_status status = PLI_E_MEMORY;
    memcpy(before, pli_world_positions(world), size);
    counter->once = true;
    for (int i = 0; i < TRIES && status != PLI_OK; ++i) {
        counter->fail_at = counter->requests + 5 * i + 1;
        status = pli_world_step(world, NULL, &error);
        if (status == PLI_OK) break;
        assert_int_equal(status, PLI_E_MEMORY);
        assert_memory_equal(pli_world_positions(world), before, size);
    }
    counter->fail_at = 0;
    if (status != PLI_OK) ASSERT_OK(pli_world_step(world, NULL, &error));
    free(before);
}

// A step that ends for want of memory can be made again. Without contact it then has the bits of a
// run that never lacked any; with contact the matrix may have learned of pairs earlier, which
// rounding feels.
static void failed_step_can_be_repeated(void** state) {
    (void)state;
    enum { STEPS = 3 };
    for (int i = 0; feature_at(i); ++i) {
        const feature* f = feature_at(i);
        pli_test_allocator counter = {0};
        pli_allocator hook = pli_test_hook(&counter);
        pli_error error = {0};
        pli_scene *scene = NULL, *whole = NULL;
        if (f->warm_up == 0) continue;
        ASSERT_OK(feature_scene(f, &hook, &scene, &error));
        ASSERT_OK(feature_scene(f, NULL, &whole, &error));
        pli_world *a = pli_scene_world(scene), *b = pli_scene_world(whole);
        size_t size = 3 * sizeof(double) * (size_t)pli_world_vertex_count(a);
        for (int n = 0; n < STEPS; ++n) {
            step_at_last(a, &counter);
            ASSERT_OK(pli_world_step(b, NULL, &error));
        }
        bool same = memcmp(pli_world_positions(a), pli_world_positions(b), size) == 0;
        if (!same && !pli_world_contact_forces(b))
            fail_msg("%s: other bits after a lack of memory", f->name);
        pli_scene_destroy(scene);
        pli_scene_destroy(whole);
        assert_int_equal(counter.bytes, 0);
    }
}

static int begin(void** state) {
    (void)state;
    features_begin();
    return 0;
}

static int end(void** state) {
    (void)state;
    features_end();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail),
                                       cmocka_unit_test(failed_step_can_be_repeated)};
    return cmocka_run_group_tests(tests, begin, end);
}
