// All sections of a scene, one after the other: what help and the tests go through.
#ifndef PLI_SCENE_WALK_H
#define PLI_SCENE_WALK_H

#include "scene/section.h"

typedef struct pli_topic {
    const pli_section* section;
    const void* defaults; // the section's struct with its defaults
    const char* where;    // "bodies[].mesh"
    bool variant;         // picked by "type"
} pli_topic;

typedef void pli_topic_fn(void* context, const pli_topic* topic);

// The root first, then each part in its order; the variants of a tagged section follow it. A
// section that several parts share is visited once, at the first.
void pli_walk_sections(const pli_catalog* catalog, pli_topic_fn* visit, void* context);

// Room for any section's struct.
typedef union pli_section_buffer {
    max_align_t alignment;
    char bytes[4096];
} pli_section_buffer;

#endif
