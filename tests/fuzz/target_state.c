// Saved states of a world: bytes that are none are refused and change nothing; those that are read
// leave a world that can step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

static const char scene_text[] =
    "{\"name\": \"fuzz\", \"time\": {\"step\": 0.01, \"scheme\": \"bdf2\"},"
    " \"solver\": {\"max_iterations\": 10}, \"contact\": {\"dhat\": 0.05, \"friction\": 0.3},"
    " \"bodies\": ["
    " {\"name\": \"a\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, "
    "1]},"
    "  \"energies\": [{\"type\": \"neo-hookean\"}]},"
    " {\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [1, "
    "1]},"
    "  \"translate\": [0.1, 1.02], \"energies\": [{\"type\": \"neo-hookean\"}],"
    "  \"prescribe\": [{\"group\": \"top\", \"velocity\": [0.1, -0.1]}]}],"
    " \"obstacles\": [{\"type\": \"half-space\", \"point\": [0, -0.52], \"normal\": [0, 1]}]}";

static void use(pli_world* world) {
    pli_error error = {0};
    pli_step_info info;
    pli_status status = pli_world_step(world, &info, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    const double* x = pli_world_positions(world);
    for (int k = 0; k < 3 * pli_world_vertex_count(world); ++k) HOLDS(isfinite(x[k]));
    if (status == PLI_OK && info.kept) HOLDS(pli_world_verify(world, &error) == PLI_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pli_fuzz_memory memory = {.limit = 32 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_scene* scene =
        pli_fuzz_scene((const uint8_t*)scene_text, sizeof scene_text, NULL, 0, &allocator);
    HOLDS(scene && pli_scene_world(scene));
    pli_world* world = pli_scene_world(scene);
    pli_error error = {0};
    pli_status status = pli_world_restore(world, data, size, &error);
    HOLDS(status == PLI_OK || error.message[0]);
    use(world);
    pli_scene_destroy(scene);
    HOLDS(memory.bytes == 0);
    return 0;
}
