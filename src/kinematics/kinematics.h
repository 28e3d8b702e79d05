// Which unknowns drive which vertices: x = x0 + W q.
//
// q is a flat array of scalars in groups of any width. Each vertex is a sum over a few groups of
// dim x width blocks times the group's scalars; a free vertex is one group of width dim with the
// identity, on a fast path. In plane problems the z rows do not exist and z = x0.z.
// Mass is a quadratic form on q with its own blocks, so it is right for any W.
//
// Build: init, add vertices and groups, say how each vertex moves, add mass, then finish.
#ifndef PLI_KINEMATICS_KINEMATICS_H
#define PLI_KINEMATICS_KINEMATICS_H

#include "base/parallel.h"
#include "sparse/pattern.h"

// One summand of a vertex: `weights` is dim x width, row-major.
typedef struct pli_blend {
    int32_t group;
    const double* weights;
} pli_blend;

typedef struct pli_kinematics {
    pli_memory* memory;
    int dim;
    int vertex_count, group_count, unknown_count, entry_count, weight_count;
    int vertex_capacity, group_capacity, entry_capacity, weight_capacity;
    int32_t* group_offset;   // group_count + 1
    int32_t* identity_group; // per vertex: its group on the fast path, or -1
    double* x0;              // 3 per vertex [m]
    int32_t* entry_start;    // per vertex: first entry; entries of a vertex are consecutive
    int32_t* entry_end;
    int32_t* entry_group;
    int32_t* entry_weights;  // where the entry's block is in `weights`
    double* weights;
    // The transpose, made by finish: which entries or identity vertices a group drives.
    int32_t* driven_start;   // group_count + 1
    int32_t* driven_vertex;
    int32_t* driven_entry;   // -1: identity
    int driven_count;
    // Mass blocks, lower triangle, sorted by (column, row) and unique after finish.
    int mass_count, mass_capacity, mass_value_count, mass_value_capacity;
    pli_pair* mass_pair;
    int32_t* mass_value; // where the block is in mass_values; column-major, row group first
    double* mass_values; // [kg] for points
} pli_kinematics;

void pli_kinematics_init(pli_kinematics* k, pli_memory* memory, int dim);
void pli_kinematics_free(pli_kinematics* k);

// Adds vertices at rest at `x` (3 each). They are fixed until something else is said.
pli_status pli_kinematics_add_vertices(pli_kinematics* k, int count, const double* x,
                                       pli_error* error);
// Adds a group of `width` unknowns and gives its number.
pli_status pli_kinematics_add_group(pli_kinematics* k, int width, int32_t* group, pli_error* error);
// The vertex gets a group of its own: x = q.
pli_status pli_kinematics_set_free(pli_kinematics* k, int vertex, pli_error* error);
// The vertex moves along `count` directions (3 each, orthonormal) from x0: per-axis and inclined
// supports. A group of that width is added.
pli_status pli_kinematics_set_directions(pli_kinematics* k, int vertex, int count,
                                         const double* directions, pli_error* error);
// x = x0 + sum of blends. x0 is given anew (3).
pli_status pli_kinematics_set_blend(pli_kinematics* k, int vertex, const double* x0, int count,
                                    const pli_blend* blends, pli_error* error);
// A point mass on a vertex: adds W^T m W to the mass on q.
pli_status pli_kinematics_add_vertex_mass(pli_kinematics* k, int vertex, double mass,
                                          pli_error* error);
// Any block of the mass, row >= column; `block` is column-major (row width x column width).
pli_status pli_kinematics_add_mass(pli_kinematics* k, int row, int column, const double* block,
                                   pli_error* error);
pli_status pli_kinematics_finish(pli_kinematics* k, pli_error* error);

// x = x0 + W q (3 per vertex).
void pli_kinematics_positions(const pli_kinematics* k, pli_pool* pool, const double* q, double* x);
// dx = W p, without x0; z = 0 in the plane.
void pli_kinematics_directions(const pli_kinematics* k, pli_pool* pool, const double* p, double* dx);
// g_q = W^T g_x.
void pli_kinematics_pull(const pli_kinematics* k, pli_pool* pool, const double* gx, double* gq);
// y = M x on unknowns.
void pli_mass_multiply(const pli_kinematics* k, const double* x, double* y);
// The unknowns that put the vertices where x says, in the least-squares sense with weight M
// (exact for identity vertices): W^T M_x (x - x0) = M q with lumped vertex masses `mass`.
// For velocities pass x0 = false.
pli_status pli_kinematics_fit(const pli_kinematics* k, const double* mass, const double* x,
                              bool with_x0, double* q, pli_error* error);

#endif
