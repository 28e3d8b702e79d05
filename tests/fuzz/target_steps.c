// A small scene runs some steps: each has an answer, and what was free of intersections stays so.
#include "fuzz/fuzz.h"

#include <math.h>

enum { STEPS = 3, VERTICES = 150 };

static void run(pli_world* world) {
    pli_error error = {0};
    for (int i = 0; i < STEPS; ++i) {
        pli_step_info info;
        pli_status status = pli_world_step(world, &info, &error);
        if (status == PLI_E_MEMORY) return;
        HOLDS(status == PLI_OK || error.message[0]);
        if (status != PLI_OK || !info.kept) return;
        status = pli_world_verify(world, &error);
        HOLDS(status == PLI_OK || status == PLI_E_MEMORY);
        const double* x = pli_world_positions(world);
        for (int k = 0; k < 3 * pli_world_vertex_count(world); ++k) HOLDS(isfinite(x[k]));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    static const char* const limits[] = {"solver.max_iterations=10", "solver.max_substeps=1"};
    pli_fuzz_memory memory = {.limit = 32 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_scene* scene = pli_fuzz_scene(data, size, limits, 2, &allocator);
    pli_world* world = scene ? pli_scene_world(scene) : NULL;
    if (world && pli_world_vertex_count(world) <= VERTICES) run(world);
    pli_scene_destroy(scene);
    HOLDS(memory.bytes == 0);
    return 0;
}
