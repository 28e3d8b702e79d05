// A step after warm-up calls no heap, neither through our allocator nor past it: every row of the
// features that makes steps. Warm-up of free bodies is a few steps (high orders start in small
// ones), of contact the way to rest: a step may grow what holds contacts when there are more than
// ever before. malloc and its kin are wrapped by the linker in all our objects.
#include "memory/features.h"
#include "oracle/near.h"

#include <stdlib.h>

static int64_t heap_calls;

void* __real_malloc(size_t size);
void* __real_calloc(size_t count, size_t size);
void* __real_realloc(void* block, size_t size);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t count, size_t size);
void* __wrap_realloc(void* block, size_t size);

void* __wrap_malloc(size_t size) {
    heap_calls++;
    return __real_malloc(size);
}

void* __wrap_calloc(size_t count, size_t size) {
    heap_calls++;
    return __real_calloc(count, size);
}

void* __wrap_realloc(void* block, size_t size) {
    heap_calls++;
    return __real_realloc(block, size);
}

static void no_heap_after_warm_up(void** state) {
    (void)state;
    enum { STEPS = 20 };
    for (int i = 0; feature_at(i); ++i) {
        const feature* f = feature_at(i);
        if (f->warm_up == 0) continue;
        pli_scene* scene = NULL;
        pli_error error = {0};
        if (feature_scene(f, NULL, &scene, &error) != PLI_OK)
            fail_msg("%s: %s", f->name, error.message);
        pli_world* world = pli_scene_world(scene);
        for (int n = 0; n < f->warm_up; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
        int64_t calls = pli_world_memory_calls(world), before = heap_calls;
        for (int n = 0; n < STEPS; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
        calls = pli_world_memory_calls(world) - calls;
        if (calls > 0 || heap_calls > before)
            fail_msg("%s: %d calls of the allocator, %d of the heap in %d steps", f->name,
                     (int)calls, (int)(heap_calls - before), STEPS);
        print_message("    %s\n", f->name);
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_heap_after_warm_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
