// Everything the multifrontal factorization needs that does not depend on values: the fronts, where
// their panels and update matrices are, which value goes where, and which rows of a front are which
// rows of its parent. Sizes count numbers.
#ifndef PLI_SPARSE_FRONTAL_PLAN_H
#define PLI_SPARSE_FRONTAL_PLAN_H

#include "sparse/front.h"
#include "sparse/supernodes.h"

typedef struct pli_front_plan {
    pli_front_shape shape;
    int32_t first;      // its first pivot in elimination order
    int32_t descendant; // the front of the first descendant; itself if it has none
    int32_t segment;
    double flops;  // of the subtree
    size_t panel;  // in the factor
    size_t update; // in the stack
    size_t row;    // of its rows below, in `row`
    size_t run;    // of the same as runs in the parent, in `runs`
    int32_t run_count;
    int32_t shared; // of the runs: pivots of the parent
    size_t value;   // of its values, in `source` and `target`; the next front's start is their end
} pli_front_plan;

// Fronts are processed in segments: whole subtrees that threads take in any order, then the fronts
// above those subtrees. Each segment has its own part of the stack.
//
// A front's children, last first: c = front - 1; then c = fronts[c].descendant - 1, until c is
// before fronts[front].descendant.
typedef struct pli_frontal_plan {
    int front_count;
    int unknown_count;
    int subtree_count;      // all segments but the last
    int32_t* segment_start; // subtree_count + 2: in `sequence`
    int32_t* sequence;      // the fronts by segments, ascending in each
    pli_front_plan* fronts; // front_count + 1, the last is a sentinel
    int32_t* unknown;       // unknowns of the pattern in the order of elimination
    int32_t* row;           // rows below the pivots, numbered in that order
    pli_front_run* runs;    // their rows in the parent
    int32_t* source;        // numbers of values
    int32_t* target;        // their places in the panel
    size_t factor_size;     // of all panels
    size_t stack_size;      // of the update matrices alive at the same time
    int max_stride;
    bool has_large; // some front is large: see front.h
    double flops;
    int64_t factor_nonzeros; // of the factor's lower triangle, including zeros from merging
    pli_memory* memory;
    int32_t* work;
    size_t sequence_capacity, front_capacity, unknown_capacity, row_capacity, run_capacity,
        source_capacity, target_capacity, work_capacity;
} pli_frontal_plan;

void pli_frontal_plan_init(pli_frontal_plan* plan, pli_memory* memory);
void pli_frontal_plan_free(pli_frontal_plan* plan);

// With one thread there is one segment, which needs the smallest stack. *too_large: a panel exceeds
// the index range, and there is no plan.
pli_status pli_frontal_plan_build(pli_frontal_plan* plan, const pli_pattern* pattern,
                                  const pli_supernodes* supernodes, int thread_count,
                                  bool* too_large, pli_error* error);

#endif
