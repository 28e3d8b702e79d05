// Pushing bodies apart: the mechanics behind pli_scene_separate.
#ifndef PLI_SCENE_SEPARATE_H
#define PLI_SCENE_SEPARATE_H

#include "scene/build.h"

// Bodies that move as one: a body of the scene with its copies.
typedef struct pli_crew {
    const char* name; // of its first body in the stage's world
    int first, end;   // its bodies there
    bool held;
    double way[3]; // so far [m]
} pli_crew;

typedef struct pli_push {
    pli_memory* memory;
    const pli_initial* initial;
    int crew_count; // bodies of the scene
    pli_crew* crews;
    double* x; // present positions, 3 per vertex [m]
    int room;  // of x
    int round_count;
    char reason[480]; // "": all are apart
} pli_push;

// Moves crews until all bodies are at least dhat apart and nothing intersects, or until it is clear
// that this does not work. Free it in any case.
pli_status pli_push_apart(pli_memory* memory, const pli_initial* initial, int crew_count,
                          pli_push* push, pli_error* error);
void pli_push_free(pli_push* push);

#endif
