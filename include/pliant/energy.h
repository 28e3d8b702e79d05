// The table that describes one potential energy, or one dissipation. Built-in energies and yours
// use the same table: fill a pli_energy_type, pass it in pli_world_def.energy_types, and scenes can
// use it by name. src/energy/template.c is a compiled example to copy.
//
// An energy is a sum over stencils: the elements of a mesh, stencils that it derives from the mesh
// (two triangles at an edge, two segments at a vertex), or stencils that the caller lists over
// vertices of any bodies. It works on vertices, never on unknowns: the core maps its local blocks
// to the unknowns and runs the loops, the threads and the sums.
//
// An energy may keep state per stencil (plastic strain, a rest angle): `init` sets it, evaluation
// reads the state at the start of the step, `commit` updates it once per accepted step. The core
// saves it, rolls it back with a failed step, and writes it to checkpoints.
//
// An energy may have unknowns that are not positions: a rod's twist, the angle of an edge, a
// damage. Each is a node, a scalar with a vertex number after those of all points: see
// pli_sink_node.
//
// Wide stencils (a point with all its neighbours, the whole surface of a body) each have their own
// number of vertices and give their Hessian as factors, a sum of a few a g g^T, which is never
// expanded where the linear solver needs products alone: see `width` and `rank` below. What factors
// leave out of the Hessian costs the minimizer iterations; exact derivatives take it from `curvature`.
#ifndef PLIANT_ENERGY_H
#define PLIANT_ENERGY_H

#include "pliant/base.h"
#include "pliant/param.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_ENERGY_ABI 6

typedef enum pli_element_kind {
    PLI_VERTEX,
    PLI_SEGMENT,
    PLI_TRIANGLE,
    PLI_TETRAHEDRON,
    PLI_TRIANGLE6,     // quadratic: corners 0 1 2, then the midpoints of the edges 01 12 20
    PLI_TETRAHEDRON10, // quadratic: corners 0 1 2 3, then the midpoints of 01 12 20 03 13 23
    PLI_ELEMENT_KIND_COUNT,
    PLI_STENCIL = PLI_ELEMENT_KIND_COUNT, // not an element: derived from the mesh, or listed
} pli_element_kind;

// Vertices of one element.
static inline int pli_element_size(pli_element_kind kind) {
    static const int sizes[PLI_ELEMENT_KIND_COUNT] = {1, 2, 3, 4, 6, 10};
    return sizes[kind];
}

// "vertex", "segment", "triangle", "tetrahedron", "6-node triangle", "10-node tetrahedron",
// "stencil".
PLI_API const char* pli_element_word(pli_element_kind kind);

// 0 for a vertex to 3 for tetrahedra; an element has one more corner than that.
PLI_API int pli_element_dimension(pli_element_kind kind);

// Results that an evaluation can compute.
enum { PLI_VALUE = 1, PLI_GRADIENT = 2, PLI_HESSIAN = 4 };

// One element, or another stencil, at rest: the input of `prepare`.
typedef struct pli_element {
    int dim; // 2 or 3
    pli_element_kind kind;   // PLI_STENCIL: not an element
    int vertex_count;        // pli_element_size(kind), or the width of the type
    const int32_t* vertices; // world vertex numbers
    const double* rest; // rest positions of all vertices, 3 per vertex [m]; for a node the initial
                        // value, 0, 0
    const double* mass; // gravitational mass of all vertices [kg]: the lumped mass, or the row
                        // sum of a consistent mass matrix, which may be negative at the corners
                        // of quadratic elements; for a node its mass
    const double* area;      // lumped area of the body's surface at all vertices [m^2]; in the plane
                             // length of the outline times thickness
    double thickness;        // of triangles in space, or out-of-plane depth of plane problems [m]
    const uint8_t* held;     // of all vertices of the world: PLI_HELD_X | ...; NULL: not known
    const double* pattern;   // of a triangle in space: its flat rest shape, x and y of each corner [m];
                             // of a hinge: of its triangles, vertices 0 1 2 and 3 2 1;
                             // NULL: that of the rest positions
    const double* offset;    // of all vertices: contact thickness and half of dhat, so that contact
                             // forces begin at the sum of two [m]; NULL: no contact
} pli_element;

// A run of stencils to evaluate. A stencil couples `width` vertices; its local vector has width *
// dim entries, ordered vertex by vertex. All stencils are of one kind. Wide stencils each have
// their own width: stencil i has the vertices [start[i] - start[0], start[i + 1] - start[0]).
typedef struct pli_batch {
    int dim;                 // 2 or 3 components per vertex
    pli_element_kind kind;   // PLI_STENCIL: not elements
    int count;               // stencils in this batch
    int width;               // vertices per stencil; 0: wide stencils
    const int32_t* start;    // count + 1, for wide stencils; NULL otherwise
    const int32_t* vertices; // of all stencils, consecutively, indices into x and v
    const double* x; // positions of all vertices, 3 per vertex [m]; for a node its value, 0, 0
    const double* v; // velocities, same layout [m/s]; only for a dissipation, NULL otherwise
    const void* data;        // count records of data_size bytes, written by `prepare`
    const void* state;       // count records of state_size bytes, at the start of the step
    double h;                // size of the present step [s]; 0 between steps; only for types with state
    unsigned want;           // PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN
    bool project;            // each stencil's Hessian must be positive semi-definite
} pli_batch;

// Where results are added (+=). A pointer whose result is not requested may be NULL.
typedef struct pli_local {
    double* e; // count [J]; HUGE_VAL where the state is forbidden, never NaN
    double* g; // count * k [N], k = width * dim; for a node only the first component is used
    double* H; // count * k * k [N/m], symmetric; not used for wide stencils
    // For wide stencils, instead of H: the sum of a g g^T over `rank` pairs for each stencil.
    // Written (=); initially zero.
    double* factor_weights; // count * rank: a; >= 0 if projected
    double* factors;        // rank vectors g of k entries each, stencil after stencil
} pli_local;

// Offset of stencil i in the vertices of a batch: in vertices. Times dim: in out->g. Times dim and
// rank: in out->factors.
static inline size_t pli_batch_start(const pli_batch* in, int i) {
    return in->start ? (size_t)(in->start[i] - in->start[0]) : (size_t)i * (size_t)in->width;
}
// Vertices of stencil i.
static inline int pli_batch_width(const pli_batch* in, int i) {
    return in->start ? in->start[i + 1] - in->start[i] : in->width;
}

// A body at rest: the input of `stencils`. Vertices have their world numbers.
typedef struct pli_body_view {
    int dim;
    int first_vertex, vertex_count;
    const double* rest; // rest positions of all vertices of the world, 3 per vertex [m]
    int element_count[PLI_ELEMENT_KIND_COUNT];
    const int32_t* elements[PLI_ELEMENT_KIND_COUNT]; // pli_element_size(kind) vertices each
    const double* params; // of the energy, in table order
    const double* mass;   // of all vertices of the world: gravitational mass [kg]
    const uint8_t* held;  // of all vertices of the world: PLI_HELD_X | ...
    const double* pattern; // of its triangles, 6 each: as in pli_element; NULL: none
} pli_body_view;

// How a vertex is held: along axes, on a plane, by a prescribed motion.
enum {
    PLI_HELD_X = 1,
    PLI_HELD_Y = 2,
    PLI_HELD_Z = 4,
    PLI_HELD_PLANE = 8,
    PLI_HELD_PRESCRIBED = 16,
    PLI_HELD_CLAMPED = 32, // edges with both ends clamped keep their slope and do not turn
    PLI_HELD_MOMENT = 64   // not held: free edges of shells with both ends so may carry a moment
};

// Receives the stencils that `stencils` finds.
typedef struct pli_stencil_sink pli_stencil_sink;
// Adds a stencil; `vertices` has as many entries as the type's width: vertices and nodes of the
// body, or -1: no vertex, and what `eval` adds there is not used. The first is a vertex. A vertex
// may occur more than once (those beyond the edges of a triangle, in a tetrahedron): what `eval`
// adds at each place is summed.
PLI_API pli_status pli_sink_stencil(pli_stencil_sink* sink, const int32_t* vertices,
                                    pli_error* error);
// Adds a wide stencil of at least one vertex; a vertex may occur more than once.
PLI_API pli_status pli_sink_wide(pli_stencil_sink* sink, int count, const int32_t* vertices,
                                 pli_error* error);

enum { PLI_WIDE = -1 }; // as the width of a type: its stencils are wide

// Receives the blocks that `curvature` of a wide type gives.
typedef struct pli_curvature_sink pli_curvature_sink;
// Adds (+=) d2P/dx_i dx_j of the vertices at the places i and j of a stencil of the batch, dim x dim,
// row by row; with i != j its transpose for j and i as well. Of a node only the first component is
// used. PLI_E_ARGUMENT: stencil or place is out of range.
PLI_API pli_status pli_sink_curvature(pli_curvature_sink* sink, int stencil, int i, int j,
                                      const double* block, pli_error* error);

// The key of a node of a body: all energies of the body that request the same key share one node.
// The order of the vertices does not matter.
enum { PLI_NODE_VERTICES = 4 };
typedef struct pli_node_key {
    uint32_t tag; // distinguishes kinds of nodes: choose a number that other energies do not use
    int vertex_count; // 0 to PLI_NODE_VERTICES: a node of the whole body, a vertex, an edge, a face ...
    int32_t vertices[PLI_NODE_VERTICES]; // world numbers, of the body, all different
} pli_node_key;

// A node: a scalar unknown that is not a position. It has no contact, weight or momentum, and does
// not appear in bounding boxes or pictures; frames have its value.
typedef struct pli_node_def {
    double value; // initial value [unit]
    double rate;  // initial rate [unit/s]; 0 if it is fixed
    double mass;  // kinetic energy is mass/2 rate^2 [J s^2/unit^2]. 0: it follows the minimum of
                  // the energy; explicit schemes reject it
    double scale; // > 0 [m/unit]: in the stopping test a change by one unit counts as
                  // `scale` metres, and 1 J/unit as 1/scale newtons
    double tolerance; // >= 0 [unit/s]: a step stops when its correction is slower; 0: that of the
                      // solver, converted by `scale`
    bool fixed;       // keeps `value`
    // The angle of a director about an edge, whose vertices are the key: from the lower to the higher
    // number, against a director that parallel transport carries along. It starts at `value` and turns
    // as the prescribed motion of both vertices does. Then it needs no mass.
    bool follows;
    // With `follows`, if not 0: against the director `across` x t instead, t along the edge.
    double across[3];
} pli_node_def;
PLI_API pli_node_def pli_default_node_def(void); // value 0, no mass, scale 1

// The node of a key, created if it does not exist; *vertex is its number, for stencils. Energies
// that share a node must request it with the same def. PLI_E_ARGUMENT: the def or the key is
// invalid, or another energy requested it with another def. A node must be in a stencil of some
// energy.
PLI_API pli_status pli_sink_node(pli_stencil_sink* sink, const pli_node_key* key,
                                 const pli_node_def* def, int32_t* vertex, pli_error* error);

// A scalar that an energy shows to readers: for frames, exports and viewers.
typedef struct pli_energy_field {
    const char* name;  // of the array in frames: lower-case letters, digits and '_'. Energies that
                       // name the same quantity share the array
    const char* label; // for menus
    const char* unit;  // "": none
} pli_energy_field;

typedef struct pli_energy_type {
    uint32_t abi;            // PLI_ENERGY_ABI
    const char* name;        // as scenes write it
    const char* help;        // one sentence; the formula
    unsigned dims;           // allowed dimensions: bit 2 for plane, bit 3 for space (1u << dim)
    const pli_param* params; // PLI_PARAM_NUMBER rows; default NaN: NaN unless given
    int param_count;
    // Bytes of precomputed data per stencil: per element of each kind that the energy supports (0:
    // not this kind), and in [PLI_STENCIL] per stencil that is not an element.
    size_t data_size[PLI_ELEMENT_KIND_COUNT + 1];
    // Stencils that are not elements: vertices of each, at most 10. 0: the stencils are elements.
    // PLI_WIDE: each has its own number, without limit. Then `stencils` must be set, `eval` gives
    // factors instead of a dense Hessian, and `dissipation` and `blocks` must not be set.
    int width;
    int rank; // for wide stencils: factors a g g^T of each, at least 1
    // For wide stencils: there are few, each over much of a body. They are never expanded: a direct
    // solver treats them as low-rank corrections of its factor, at the cost of one solve per rank.
    bool global;
    // Finds the stencils of a body: pli_hinge_stencils, pli_corner_stencils, pli_star_stencils, or your
    // own. NULL: only the caller lists stencils, by pli_world_add_stencils.
    pli_status (*stencils)(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error);
    bool per_triangle; // `stencils` gives stencil i for triangle i of the body: `prepare` then gets
                       // the pattern of that triangle
    bool solid; // only for elements with volume: triangles in the plane, tetrahedra in space,
                // not the triangles of a surface in space, unless `sheet` is set
    // Not a potential but R(v) [W] (Onsager): `eval` gives R, dR/dv [N] and d2R/dv2 [N s/m] at the
    // velocities `v`; `x` are the positions at the start of the step. R must be convex in v with
    // the minimum 0 where nothing is dissipated: then it never adds energy.
    bool dissipation;
    bool linear; // the Hessian is zero: `eval` never adds one
    // Its value is constant (of a dissipation: 0) while a body moves as a rigid one, and it has no
    // state: rigid bodies do not evaluate it.
    bool internal;

    // Checks that the parameter values (in table order) are consistent. NULL: no check.
    pli_status (*check)(const double* params, pli_error* error);
    // Fills one element's record from the parameter values (in table order). NULL: records stay
    // zero. May fail, for example for a degenerate element.
    pli_status (*prepare)(const double* params, const pli_element* element, void* data,
                          pli_error* error);
    // Bytes of state per stencil, a multiple of 8; 0: none. `init` sets the state of one stencil
    // from the parameters and its record, NULL: zeros. `commit` updates the states of a batch at
    // the end of an accepted step: in->x are its positions, in->state is NULL. Energies are
    // compared before and after: the energy lost in `commit` counts as dissipated.
    size_t state_size;
    void (*init)(const double* params, const pli_element* element, const void* data, void* state);
    void (*commit)(const pli_batch* in, void* state);
    // Pure: no allocation, no static state; called from several threads.
    void (*eval)(const pli_batch* in, pli_local* out);
    // Gradient and Hessian together, fused; NULL: falls back to `eval`. Writes (=) out->g and, in
    // out->H, only the dim x dim blocks of the vertex pairs i >= j of each stencil: (0,0) (1,0)
    // (1,1) (2,0) ..., each column by column. Bit p of turned[s]: block p of stencil s is requested
    // transposed. Zeros where the state is forbidden.
    void (*blocks)(const pli_batch* in, const uint64_t* turned, pli_local* out);
    // Of wide stencils: gives the exact Hessian less the factors of `eval` without `project`, by
    // pli_sink_curvature. For exact derivatives alone (pliant/derivatives.h). May fail. NULL: the
    // factors are exact.
    pli_status (*curvature)(const pli_batch* in, pli_curvature_sink* sink, pli_error* error);
    // Largest step in (0, 1] along p (3 per vertex, same layout as x) that keeps all stencils of
    // the batch out of forbidden states, with a margin. NULL: 1.
    double (*max_step)(const pli_batch* in, const double* p);
    // Adds (+=) the Cauchy stress of each stencil, 6 per stencil: xx yy zz yz zx xy [Pa]. NULL: no
    // stress.
    void (*stress)(const pli_batch* in, double* out);
    // Writes the stretch across the plane of each triangle, or nothing: then it is 1. NULL: 1.
    void (*across)(const pli_batch* in, double* out);
    // What makes a volume of the body's elements of a dimension: the thickness of triangles in
    // space (2) [m], the cross-section of segments (1) [m^2]; 0: not this dimension. The density of
    // the body then gives its mass, unless the body has its own thickness or cross-section. NULL: 0.
    double (*section)(const double* params, int dimension);
    // Describes why the state of the first stencil of the batch is forbidden, for messages: "its
    // stretch is 1.3, the limit 1.06". NULL: it is inverted or degenerate.
    void (*explain)(const pli_batch* in, char* text, size_t size);
    // A solid that is also a membrane: it acts on the 3-node triangles in space of bodies without
    // tetrahedra.
    bool sheet;
    // Scalars per stencil for readers: `fields` has field_count rows; `show` writes (=) field_count
    // numbers for each stencil of the batch, NaN: none. A vertex gets the mean of its stencils. Not
    // for wide stencils or dissipations.
    const pli_energy_field* fields;
    int field_count;
    unsigned field_places; // bit k: the numbers belong to vertex k of a stencil; 0: to all of them
    void (*show)(const pli_batch* in, double* out);
    // A vector by time and place that an energy takes instead of parameters, such as the velocity of
    // the wind: its key in scenes (`name`), what it is (`label`) and its unit; NULL: none. See
    // pli_world_set_energy_field. `sample` writes it to the record of one stencil, at the start of
    // each step. Not for wide stencils.
    const pli_energy_field* input;
    void (*sample)(const double value[3], void* data);
    // Bytes of state per stencil, where they depend on the kind of element: as data_size. All 0:
    // state_size for each.
    size_t state_sizes[PLI_ELEMENT_KIND_COUNT + 1];
    // Writes (=) what each stencil of the batch has dissipated so far, from in->state alone [J]: it
    // never decreases. The balance then takes the dissipation of a step from it. NULL: the energy
    // lost in `commit`.
    void (*spent)(const pli_batch* in, double* out);
} pli_energy_type;

// The built-in energies, NULL after the last.
PLI_API const pli_energy_type* pli_energy_type_at(int i);
// Does this type support this element kind in this dimension?
PLI_API bool pli_energy_covers(const pli_energy_type* type, int dim, pli_element_kind kind);
// Whether it acts on elements of this kind in a body with `counts` elements of each kind. For a
// solid the triangles of a body with tetrahedra are faces of these, not a sheet.
PLI_API bool pli_energy_acts_on(const pli_energy_type* type, int dim, pli_element_kind kind,
                                const int counts[PLI_ELEMENT_KIND_COUNT]);
// Checks that the tables of your own energies are complete.
PLI_API pli_status pli_energy_types_check(const pli_energy_type* const* types, int count,
                                          pli_error* error);

// Functions for `stencils` of a type.
//
// Hinges: the two triangles at each inner edge, width 4: apex, the two ends of the edge, the other
// apex; the first triangle is apex, end, end. Edges with three or more triangles have none.
PLI_API pli_status pli_hinge_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                      pli_error* error);
// Corners: two segments that meet at a vertex of exactly two, width 3, the vertex in the middle.
PLI_API pli_status pli_corner_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                       pli_error* error);
// Stars: each vertex of an element, and after it, ascending, the vertices that edges of any elements
// join with it; of quadratic elements edges end at midside nodes. For wide energies.
PLI_API pli_status pli_star_stencils(const pli_body_view* body, pli_stencil_sink* sink,
                                     pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
