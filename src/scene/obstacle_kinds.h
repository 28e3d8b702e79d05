// Obstacles, which bodies cannot penetrate: "type" of an obstacle, one entry of the table in
// obstacle_kinds.c each. Half-spaces are added to a world as such; all others become bodies that do
// not deform.
#ifndef PLI_SCENE_OBSTACLE_KINDS_H
#define PLI_SCENE_OBSTACLE_KINDS_H

#include "scene/shape.h"

bool pli_obstacle_variant(const pli_catalog* catalog, int i, pli_section* out);
// The "type" of an obstacle that was read.
const char* pli_obstacle_type(const pli_tagged* obstacle);

// Adds findings about the i-th obstacle. Fails only without memory.
pli_status pli_check_obstacle(pli_builder* builder, int i, const pli_path* at, pli_error* error);

// ---- half-spaces

typedef struct pli_half_space_data {
    pli_half_space_def def;
    const char* carrier; // name of a body; "": none
} pli_half_space_data;

// The i-th obstacle; NULL: it is no half-space, or could not be read.
const pli_half_space_data* pli_half_space_at(const pli_scene_data* scene, int i);
// The body whose first vertex it moves with (and never touches); -1: none.
int pli_half_space_carrier(const pli_half_space_data* half_space, const pli_builder* builder);
// Signed distance of a point [m]; <= 0: it is inside. `origin`: see above; NULL: no carrier.
double pli_half_space_distance(const pli_half_space_data* half_space, const double* origin,
                               const double* x);

// ---- obstacles that become bodies

// Whether the i-th was read and is one.
bool pli_obstacle_is_body(const pli_scene_data* scene, int i);
// The obstacle as a body, without its mesh. Its tags live in the arena.
pli_status pli_obstacle_body(const pli_tagged* obstacle, int number, pli_arena* arena,
                             pli_body_data* body, pli_error* error);
// Builds its mesh before placement. If it has a mesh of its own (pli_body_data.mesh), `mesh` holds
// it.
pli_status pli_obstacle_mesh(const pli_tagged* obstacle, int dim, pli_mesh* mesh, pli_error* error);
// Expected vertices of the i-th; 0 for half-spaces.
double pli_obstacle_vertices(const pli_scene_data* scene, int i);
// Friction against it, as a rule between its tag and all; false: that of `contact`.
bool pli_obstacle_rule(const pli_tagged* obstacle, const pli_body_data* body,
                       pli_contact_rule_def* rule);

#endif
