// What bodies cannot enter: "type" of an obstacle. One entry of the table in obstacle_kinds.c each.
// Half-spaces are added to a world as such; all others become bodies that do not deform.
#ifndef PLI_SCENE_OBSTACLE_KINDS_H
#define PLI_SCENE_OBSTACLE_KINDS_H

#include "pliant/world.h"
#include "scene/arena.h"
#include "scene/findings.h"
#include "scene/mesh_kinds.h"
#include "scene/tables.h"

// What an obstacle may know about the bodies.
typedef struct pli_obstacle_bodies {
    int count;
    const char* const* names;
} pli_obstacle_bodies;

// How a half-space is checked and added.
typedef struct pli_half_space_kind {
    const char* (*name)(const void* data); // "": none was given
    // Number of the body whose first vertex it moves with (and never touches); -1: none.
    int (*carrier)(const void* data, const pli_obstacle_bodies* bodies);
    // Distance of a point to the obstacle [m]; <= 0: it has entered. `origin` is the position of
    // the carrier's first vertex.
    double (*distance)(const void* data, const double* origin, const double* x);
    pli_status (*add)(const void* data, const pli_body_id* carrier, pli_world* world,
                      pli_error* error);
} pli_half_space_kind;

typedef struct pli_obstacle_kind {
    pli_section section;
    // Adds what is wrong with the values to `findings`. NULL: nothing that the rows do not say.
    pli_status (*check)(const void* data, const pli_obstacle_bodies* bodies, const pli_path* at,
                        pli_findings* findings, pli_error* error);
    const pli_half_space_kind* half_space; // NULL: it becomes a body
    // Of one that becomes a body: makes its mesh before placement. If it has a mesh of its own
    // (pli_body_data.mesh), that has been read into `mesh`. dim: of the scene.
    pli_status (*shape)(const void* data, int dim, pli_mesh* mesh, pli_error* error);
} pli_obstacle_kind;

const pli_obstacle_kind* pli_obstacle_kind_at(int i); // NULL after the last
bool pli_obstacle_variant(const pli_catalog* catalog, int i, pli_section* out);

// Of an obstacle that was read and becomes a body: what it is as one, but for its mesh, see
// `shape`; `number` is that in the scene. Its words live in the arena.
pli_status pli_obstacle_body(const pli_tagged* obstacle, int number, pli_arena* arena,
                             pli_body_data* body, pli_error* error);
// Vertices to expect; 0 for half-spaces.
double pli_obstacle_vertices(const pli_tagged* obstacle);
// What friction against it is; false: as contact has it. `rule` is between its tag and all.
bool pli_obstacle_rule(const pli_tagged* obstacle, const pli_body_data* body,
                       pli_contact_rule_def* rule);

#endif
