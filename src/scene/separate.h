// Moving bodies apart, for pli_scene_separate.
#ifndef PLI_SCENE_SEPARATE_H
#define PLI_SCENE_SEPARATE_H

#include "scene/build.h"

// Bodies that move as one: a body of the scene with its copies.
typedef struct pli_unit {
    const char* name; // of its first body in the world
    int first, end;   // its bodies there
    bool held;
    double way[3]; // so far [m]
} pli_unit;

typedef struct pli_push {
    pli_memory* memory;
    const pli_initial* initial;
    int unit_count; // bodies of the scene
    pli_unit* units;
    double* x; // present positions, 3 per vertex [m]
    int room;  // of x
    int round_count;
    char reason[480]; // "": all are apart
} pli_push;

// Moves units until all bodies are at least dhat apart and nothing intersects, or gives up with a
// reason. Free it in any case.
pli_status pli_push_apart(pli_memory* memory, const pli_initial* initial, int unit_count,
                          pli_push* push, pli_error* error);
void pli_push_free(pli_push* push);

#endif
