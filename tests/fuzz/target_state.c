// Saved states of a world: bytes that are none are refused and change nothing; those that are read
// leave a world that can step.
#include "fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pli_fuzz_memory memory = {.limit = 32 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_scene* scene = pli_fuzz_small_scene(&allocator);
    pli_world* world = pli_scene_world(scene);
    pli_error error = {0};
    pli_status status = pli_world_restore(world, data, size, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    if (status == PLI_OK) pli_fuzz_accepted = true;
    pli_fuzz_step(world);
    pli_scene_destroy(scene);
    HOLDS(memory.bytes == 0);
    return 0;
}
