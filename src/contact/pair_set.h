// The set of primitive pairs that may touch: found by the broad phase, certified by CCD, kept while
// it stays large enough. Any two kinds of primitives: points and edges in the plane now.
//
// Invariant: after a refresh over x .. x + alpha p the set holds every pair that is closer than
// dhat anywhere on that segment, pairs that share a vertex excepted; pairs are sorted by (a, b).
#ifndef PLI_CONTACT_PAIR_SET_H
#define PLI_CONTACT_PAIR_SET_H

#include "contact/broad_phase.h"
#include "energy/term.h"

typedef struct pli_primitives {
    int count;
    int width;         // vertices per primitive
    int32_t* vertices; // count * width
} pli_primitives;

// How a pair moves. x and p: the vertices of the pair, those of a first (see ccd.h).
typedef struct pli_pair_kind {
    double (*ccd)(int dim, const double* const* x, const double* const* p, double t_max);
    bool (*stays_apart)(int dim, const double* const* x, const double* const* p, double t_max,
                        double distance);
} pli_pair_kind;

typedef struct pli_pair_set {
    pli_memory* memory;
    const pli_pair_kind* kind;
    int dim;
    double dhat; // [m]
    pli_primitives a, b;
    int count;
    pli_box_pair* pairs; // the present set: query is a's number, primitive is b's
    int32_t* vertices;   // count * (a.width + b.width)
    uint64_t epoch;      // grows when the set changes
    // scratch
    pli_bvh tree;
    pli_box_pairs found;
    pli_box* a_boxes;
    pli_box* b_boxes;
    uint8_t* near; // per found pair
    pli_box_pair* next;
    double* bounds; // per block of found pairs
    int pair_capacity, vertex_capacity, near_capacity, next_capacity, bound_capacity;
} pli_pair_set;

typedef struct pli_pair_set_def {
    const pli_pair_kind* kind;
    int dim;
    int vertex_count; // of the world, to check the numbers
    double dhat;      // [m]
    int a_count, b_count, a_width, b_width;
    const int32_t *a_vertices, *b_vertices; // copied
} pli_pair_set_def;

pli_status pli_pair_set_init(pli_pair_set* set, pli_memory* memory, const pli_pair_set_def* def,
                             pli_error* error);
void pli_pair_set_free(pli_pair_set* set);

// See pli_term_ops.refresh. The set for p = NULL is a function of x alone: a run that starts each
// step with it can be resumed bit for bit. Later sets of the step also keep old pairs while that
// does not blow them up, so that the sparsity pattern seldom changes.
pli_status pli_pair_set_refresh(pli_pair_set* set, const pli_view* view, const double* p,
                                double* alpha, pli_error* error);

#endif
