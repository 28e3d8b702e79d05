// What bodies cannot enter: "type" of an obstacle. One entry of the table in obstacle_kinds.c each:
// its keys, what can be wrong with them, how it is added to a world.
#ifndef PLI_SCENE_OBSTACLE_KINDS_H
#define PLI_SCENE_OBSTACLE_KINDS_H

#include "pliant/world.h"
#include "scene/findings.h"
#include "scene/section.h"

// What an obstacle may know about the bodies.
typedef struct pli_obstacle_bodies {
    int count;
    const char* const* names;
} pli_obstacle_bodies;

typedef struct pli_obstacle_kind {
    pli_section section;
    // Adds what is wrong with the values to `findings`.
    pli_status (*check)(const void* data, const pli_obstacle_bodies* bodies, const pli_path* at,
                        pli_findings* findings, pli_error* error);
    // Number of the body whose first vertex it moves with (and never touches); -1: none.
    int (*carrier)(const void* data, const pli_obstacle_bodies* bodies);
    // Distance of a point to the obstacle [m]; <= 0: it has entered. `origin` is the position of
    // the carrier's first vertex.
    double (*distance)(const void* data, const double* origin, const double* x);
    pli_status (*add)(const void* data, const pli_body_id* carrier, pli_world* world,
                      pli_error* error);
} pli_obstacle_kind;

const pli_obstacle_kind* pli_obstacle_kind_at(int i); // NULL after the last
bool pli_obstacle_variant(const pli_catalog* catalog, int i, pli_section* out);

#endif
