// Scene text and overrides -> findings, or a world that is prepared. Whatever sizes it asks for, it
// is refused or fits into the memory there is.
#include "fuzz/fuzz.h"

// Each finding has words; a scene without errors has a world.
static void look_at(pli_scene* scene) {
    char text[700];
    HOLDS((pli_scene_error_count(scene) == 0) == (pli_scene_world(scene) != NULL));
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        const pli_finding* f = pli_scene_finding(scene, i);
        HOLDS(f->message[0] && f->line >= 0 && f->column >= 0);
        HOLDS(pli_scene_finding_text(scene, i, text, sizeof text)[0]);
    }
    for (int i = 0; i < pli_scene_parameter_count(scene); ++i)
        HOLDS(pli_scene_parameter_at(scene, i)->row != NULL);
    HOLDS(pli_scene_run(scene) && pli_scene_summarize(scene));
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    pli_fuzz_memory memory = {.limit = 32 << 20};
    const pli_allocator allocator = pli_fuzz_allocator(&memory);
    pli_scene* scene = pli_fuzz_scene(data, size, NULL, 0, &allocator);
    if (scene) look_at(scene);
    pli_scene_destroy(scene);
    HOLDS(memory.bytes == 0);
    return 0;
}
