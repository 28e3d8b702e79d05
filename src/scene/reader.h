// Fills C structs from JSON objects by the rows of their sections. Invalid values become
// findings and keep their defaults, so that one pass finds all errors.
#ifndef PLI_SCENE_READER_H
#define PLI_SCENE_READER_H

#include <jansson.h>

#include "scene/arena.h"
#include "scene/findings.h"
#include "scene/section.h"

typedef struct pli_scene_reader {
    pli_arena* arena; // for lists and tagged structs
    pli_arena* kept;  // for expressions, which the world uses
    pli_findings* findings;
    const pli_catalog* catalog;
    int dimension;           // numbers in a vector
    pli_constants constants; // the variables of the scene
    pli_preset preset;       // of this object or one above it
    bool below;              // it is of one above
} pli_scene_reader;

// Reads `object` into `data` (of pli_section_size bytes). Texts in `data` point into the JSON tree.
// Fails only without memory.
pli_status pli_read_section(const pli_scene_reader* reader, const pli_section* section,
                            const json_t* object, const pli_path* at, void* data, pli_error* error);

#endif
