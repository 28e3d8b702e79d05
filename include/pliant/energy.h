// The table that describes one potential energy, or one dissipation, over mesh elements. Built-in energies and yours
// use the same table: fill a pli_energy_type, hand it over in pli_world_def.energy_types, and
// scenes can name it. src/energy/template.c is a compiled example to copy.
//
// An energy sees vertices, never unknowns: the core maps its local blocks to the unknowns, runs
// the loops, the threads and the sums.
#ifndef PLIANT_ENERGY_H
#define PLIANT_ENERGY_H

#include "pliant/base.h"
#include "pliant/param.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_ENERGY_ABI 4

typedef enum pli_element_kind {
    PLI_VERTEX,
    PLI_SEGMENT,
    PLI_TRIANGLE,
    PLI_TETRAHEDRON,
    PLI_TRIANGLE6,     // quadratic: corners 0 1 2, then the middles of the edges 01 12 20
    PLI_TETRAHEDRON10, // quadratic: corners 0 1 2 3, then the middles of 01 12 20 03 13 23
    PLI_ELEMENT_KIND_COUNT,
} pli_element_kind;

// Vertices of one element.
static inline int pli_element_size(pli_element_kind kind) {
    static const int sizes[PLI_ELEMENT_KIND_COUNT] = {1, 2, 3, 4, 6, 10};
    return sizes[kind];
}

// Which results an evaluation is asked for.
enum { PLI_VALUE = 1, PLI_GRADIENT = 2, PLI_HESSIAN = 4 };

// One element at rest, as `prepare` sees it.
typedef struct pli_element {
    int dim; // 2 or 3
    pli_element_kind kind;
    int vertex_count;        // pli_element_size(kind)
    const int32_t* vertices; // world vertex numbers
    const double* rest;      // rest positions of all vertices, 3 per vertex [m]
    const double* mass;      // of all vertices: what gravity pulls at [kg]. If the mass is consistent
                             // the sum of the matrix's row, which may be negative at the corners
                             // of quadratic elements; otherwise the lumped mass
    const double* area;      // lumped area of the body's surface at all vertices [m^2]; in the plane
                             // length of the outline times thickness
    double thickness;        // out-of-plane depth of plane problems [m]
} pli_element;

// A run of stencils to evaluate. A stencil couples `width` vertices; its local vector has
// width * dim entries, ordered vertex by vertex. All stencils are elements of one kind, which the
// width tells.
typedef struct pli_batch {
    int dim;                 // 2 or 3 components per vertex
    int count;               // stencils in this batch
    int width;               // vertices per stencil
    const int32_t* vertices; // count * width, into x and v
    const double* x;         // positions of all vertices, 3 per vertex [m]
    const double* v;         // velocities, as x [m/s]; only for a dissipation, NULL otherwise
    const void* data;        // count records of data_size bytes, written by `prepare`
    unsigned want;           // PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN
    bool project;            // each stencil's Hessian must be positive semi-definite
} pli_batch;

// Where results are added (+=). A pointer whose result is not wanted may be NULL.
typedef struct pli_local {
    double* e; // count [J]; HUGE_VAL where the state is forbidden, never NaN
    double* g; // count * k [N], k = width * dim
    double* H; // count * k * k [N/m], symmetric
} pli_local;

typedef struct pli_energy_type {
    uint32_t abi;            // PLI_ENERGY_ABI
    const char* name;        // as scenes write it
    const char* help;        // one sentence; the formula
    unsigned dims;           // allowed dimensions: bit 2 for plane, bit 3 for space (1u << dim)
    const pli_param* params; // PLI_PARAM_NUMBER rows; a default of NaN: NaN unless it is given
    int param_count;
    // What it is laid over: bytes of precomputed data per element of each kind, 0: not over this
    // kind. One stencil per element of the body of all kinds with a size.
    size_t data_size[PLI_ELEMENT_KIND_COUNT];
    bool solid;  // only over elements that fill space: triangles in the plane, tetrahedra in space,
                 // not the triangles of a surface in space
    // Not a potential but R(v) [W] (Onsager): `eval` gives R, dR/dv [N] and d2R/dv2 [N s/m] at the
    // velocities `v`; `x` are the positions at the start of the step. R must be convex in v and
    // smallest, 0, where nothing is dissipated: then it never feeds energy.
    bool dissipation;
    bool linear; // `eval` adds no Hessian, ever

    // Do the parameter values (in table order) go together? NULL: always.
    pli_status (*check)(const double* params, pli_error* error);
    // Fills one element's record from the parameter values (in table order). NULL: records stay
    // zero. May fail: a degenerate element.
    pli_status (*prepare)(const double* params, const pli_element* element, void* data,
                          pli_error* error);
    // Pure: no allocation, no static state; called from several threads.
    void (*eval)(const pli_batch* in, pli_local* out);
    // The fast road for gradient and Hessian together, NULL: `eval` is taken. Writes (=) out->g and, in
    // out->H, of each stencil's matrix the dim x dim blocks of its pairs i >= j of vertices alone:
    // (0,0) (1,0) (1,1) (2,0) ..., each column by column. Bit p of turned[s]: of stencil s block p is
    // wanted transposed. Zeros where the state is forbidden.
    void (*blocks)(const pli_batch* in, const uint64_t* turned, pli_local* out);
    // Largest step in (0, 1] along p (3 per vertex, as x) that keeps all stencils of the batch out
    // of forbidden states, with a margin. NULL: 1.
    double (*max_step)(const pli_batch* in, const double* p);
    // Adds (+=) the Cauchy stress of each stencil, 6 per stencil: xx yy zz yz zx xy [Pa]. NULL:
    // none shown.
    void (*stress)(const pli_batch* in, double* out);
    // Writes the stretch across the plane of each stencil of a plane problem, or nothing: then it is 1.
    // NULL: nothing.
    void (*across)(const pli_batch* in, double* out);
} pli_energy_type;

#ifdef __cplusplus
}
#endif

#endif
