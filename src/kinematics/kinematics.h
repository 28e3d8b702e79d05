// Which unknowns drive which vertices: x = x0 + W q.
//
// q is a flat array of scalars in groups of any width. Each vertex is a sum over a few groups of
// dim x width blocks times the group's scalars; a free vertex is one group of width dim with the
// identity, on a fast path. In plane problems there are no z rows and z = x0.z. Mass is a quadratic
// form on vertices, sum m_ij x_i . x_j. The form on q follows from it, with its own blocks, so it
// is right for any W.
//
// The first vertices are points: positions in space. The others are nodes: scalars that are not
// positions (an angle, a damage), each in component 0 of its vertex; the other components are 0.
// The unknown of a node is its change times a scale, in metres, so that all unknowns have one unit.
//
// Build: init, add vertices and groups, define how each vertex moves, add mass, add nodes, then
// finish.
#ifndef PLI_KINEMATICS_KINEMATICS_H
#define PLI_KINEMATICS_KINEMATICS_H

#include "base/parallel.h"
#include "sparse/pattern.h"

// One summand of a vertex: `weights` is dim x width, row-major; or, if `scalar`, one number times
// the identity, of a group of width dim.
typedef struct pli_blend {
    int32_t group;
    const double* weights;
    bool scalar;
} pli_blend;

// How one vertex moves.
typedef struct pli_vertex_map {
    double x0[3];                   // [m]
    int32_t identity_group;         // its group on the fast path (x = q), or -1
    int32_t entry_start, entry_end; // its summands in `entries`
    bool slides;                    // one summand, orthonormal, whose group drives nothing else
} pli_vertex_map;

typedef struct pli_map_entry {
    int32_t group;
    int32_t weights; // offset of the dim x width block, or of the one number, in `weights`
    bool scalar;     // see pli_blend
} pli_map_entry;

// The transpose: a vertex that a group drives, by which entry (-1: identity).
typedef struct pli_driven {
    int32_t vertex, entry;
} pli_driven;

// m of the form on vertices, row >= column.
typedef struct pli_mass_pair {
    int32_t row, column; // vertices
    double mass;         // [kg]; may be negative if they differ
} pli_mass_pair;

// One block of the mass on q, lower triangle, column-major.
typedef struct pli_mass_block {
    int32_t row, column; // groups, row >= column
    int32_t value;       // offset of the block in `mass_values`
} pli_mass_block;

typedef struct pli_kinematics {
    pli_memory* memory;
    int dim;
    int point_count; // vertices that are points; the nodes follow
    int mesh_point_count; // those of bodies; the points of frames follow
    int frame_count, frame_capacity;
    struct pli_body_frame* frames; // of affine bodies: frame.h
    int vertex_count, vertex_capacity;
    pli_vertex_map* vertices;
    int group_count, group_capacity, unknown_count;
    int32_t* group_offset; // group_count + 1
    int entry_count, entry_capacity;
    pli_map_entry* entries;
    int weight_count, weight_capacity;
    double* weights;
    int pair_count, pair_capacity;
    pli_mass_pair* pairs; // as added
    int mass_count, mass_capacity;
    pli_mass_block* mass; // after finish sorted by (column, row), unique
    int mass_value_count, mass_value_capacity;
    double* mass_values; // [kg] for points
    // built by finish
    int driven_count;
    pli_driven* driven;
    int32_t* driven_start; // group_count + 1
} pli_kinematics;

void pli_kinematics_init(pli_kinematics* k, pli_memory* memory, int dim);
void pli_kinematics_free(pli_kinematics* k);

// Adds vertices with rest positions `x` (3 each). They are fixed until one of the calls below.
pli_status pli_kinematics_add_vertices(pli_kinematics* k, int count, const double* x,
                                       pli_error* error);
// Adds a group of `width` unknowns and returns its number.
pli_status pli_kinematics_add_group(pli_kinematics* k, int width, int32_t* group, pli_error* error);
// The vertex gets a group of its own: x = q.
pli_status pli_kinematics_set_free(pli_kinematics* k, int vertex, pli_error* error);
// The vertex moves along `count` directions (3 each, orthonormal) from x0: per-axis and inclined
// supports. A group of that width is added.
pli_status pli_kinematics_set_directions(pli_kinematics* k, int vertex, int count,
                                         const double* directions, pli_error* error);
// x = x0 + sum of blends, with a new x0 (3).
pli_status pli_kinematics_set_blend(pli_kinematics* k, int vertex, const double* x0, int count,
                                    const pli_blend* blends, pli_error* error);
// m_ij of two vertices, equal to m_ji; for one vertex with itself a point mass. Adds W_i^T m W_j to
// the mass on q. Fixed vertices count too: for weights and reactions.
pli_status pli_kinematics_add_mass(pli_kinematics* k, int i, int j, double mass, pli_error* error);
// How a node moves: x = value + q / scale.
typedef struct pli_node_map {
    double value; // at q = 0 [unit]
    double scale; // > 0 [m per unit]
    double mass;  // of its kinetic energy mass/2 x'^2 [J s^2/unit^2]; may be 0
    bool fixed;   // x = value: no unknown
} pli_node_map;
// Adds a node after all vertices so far; no points can be added after it.
pli_status pli_kinematics_add_node(pli_kinematics* k, const pli_node_map* node, pli_error* error);
pli_status pli_kinematics_finish(pli_kinematics* k, pli_error* error);
// The unknown of a node; -1: it is fixed.
int pli_kinematics_node_unknown(const pli_kinematics* k, int vertex);
// A hash of which unknowns move which vertices, and for nodes also how.
uint64_t pli_kinematics_hash(const pli_kinematics* k);

// x = x0 + W q (3 per vertex).
void pli_kinematics_positions(const pli_kinematics* k, pli_pool* pool, const double* q, double* x);
// dx = W p, without x0; z = 0 in the plane.
void pli_kinematics_directions(const pli_kinematics* k, pli_pool* pool, const double* p,
                               double* dx);
// g_q = W^T g_x.
void pli_kinematics_pull(const pli_kinematics* k, pli_pool* pool, const double* gx, double* gq);
// y = M x on points, 3 each: inertial forces from accelerations.
void pli_vertex_mass_multiply(const pli_kinematics* k, const double* x, double* y);
// weights[v] = sum over j of m_vj: the gravitational mass of each point.
void pli_vertex_weights(const pli_kinematics* k, double* weights);
// y = M x on unknowns.
void pli_mass_multiply(const pli_kinematics* k, const double* x, double* y);
// The unknowns that fit the points of bodies to x by least squares with weight M: exact for free
// vertices and those that slide. For velocities pass with_x0 = false. Unknowns of nodes in q are not
// changed.
pli_status pli_kinematics_fit(const pli_kinematics* k, const double* x, bool with_x0, double* q,
                              pli_error* error);
// Velocities at the unknowns q: also those of frames in directions that their points do not show.
pli_status pli_kinematics_fit_rates(const pli_kinematics* k, const double* x, const double* q,
                                    double* v, pli_error* error);

// The group that is the vertex itself: of a free point, or of a node, whose value then is its start
// value plus *weight times the unknown. -1: none; it is fixed, or driven in another way.
static inline int32_t pli_own_group(const pli_kinematics* k, int vertex, double* weight) {
    const pli_vertex_map* map = &k->vertices[vertex];
    *weight = 1;
    if (map->identity_group >= 0 || vertex < k->point_count || map->entry_end == map->entry_start)
        return map->identity_group;
    const pli_map_entry* entry = &k->entries[map->entry_start];
    *weight = k->weights[entry->weights];
    return entry->group;
}

// d x_row / d q_column of a summand.
static inline double pli_entry_weight(const pli_kinematics* k, const pli_map_entry* entry, int row,
                                      int column) {
    const double* w = k->weights + entry->weights;
    if (entry->scalar) return row == column ? *w : 0;
    return w[row * (k->group_offset[entry->group + 1] - k->group_offset[entry->group]) + column];
}

static inline int pli_group_width(const pli_kinematics* k, int group) {
    return k->group_offset[group + 1] - k->group_offset[group];
}

#endif
