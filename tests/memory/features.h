// What memory is tested with: one row per feature, from scene files in tests/memory/scenes and from
// calls that no scene makes. To add a feature is to add a row in features.c.
#ifndef TESTS_MEMORY_FEATURES_H
#define TESTS_MEMORY_FEATURES_H

#include "pliant/pliant.h"

enum { FEATURE_OVERRIDES = 4 };

typedef struct feature {
    const char* name;
    // All of it, from nothing to nothing. PLI_OK, or what failed first.
    pli_status (*run)(const struct feature* self, const pli_allocator* allocator, pli_error* error);
    const char* scene; // in tests/memory/scenes, without ".json"; of other rows what they say
    const char* overrides[FEATURE_OVERRIDES];
    // After so many steps of the scene no step calls the allocator; 0: that is not promised,
    // because the run is no simulation.
    int warm_up;
} feature;

// changes.c: a world that changes between steps.
pli_status run_changes(const feature* self, const pli_allocator* allocator, pli_error* error);

const feature* feature_at(int i); // NULL after the last

// The scene of a row, NULL if it has none; its world has not made a step.
pli_status feature_scene(const feature* self, const pli_allocator* allocator, pli_scene** scene,
                         pli_error* error);

// A folder for what the rows write, with a result in it that is exported; removed at the end.
void features_begin(void);
void features_end(void);

#endif
