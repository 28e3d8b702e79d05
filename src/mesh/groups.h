// Filling groups of a mesh without failing half-way: reserve first, then put.
#ifndef PLI_MESH_GROUPS_H
#define PLI_MESH_GROUPS_H

#include "pliant/mesh.h"

// A group to come: its name, its dimension, how many vertices it gets.
typedef struct pli_group_plan {
    const char* name;
    int dim;
    int64_t count;
    int group; // out: its number in the mesh
} pli_group_plan;

// Makes the groups that are not there and room in all of them. On failure nothing has changed.
pli_status pli_mesh_reserve_groups(pli_mesh* mesh, pli_group_plan* plans, int count,
                                   pli_error* error);

// Puts a vertex where room was reserved; it must be higher than those that are there.
void pli_mesh_put_in_group(pli_mesh* mesh, int group, int32_t vertex);

// Puts the last vertex of the mesh into the planned groups for which `on` is true.
void pli_mesh_put_on_sides(pli_mesh* mesh, const pli_group_plan* plans, int count, const bool* on);

// Back to so many groups, and in them to the vertices that the mesh has.
void pli_mesh_cut_groups(pli_mesh* mesh, int group_count);

// Whether the group has the vertex.
bool pli_group_has(const pli_mesh_group* group, int32_t vertex);

#endif
