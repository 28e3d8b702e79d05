// The coarse matrix P^T A P of a prolongator, in the storage of a pattern.
#ifndef PLI_SPARSE_GALERKIN_H
#define PLI_SPARSE_GALERKIN_H

#include "sparse/prolongator.h"

typedef struct pli_galerkin {
    pli_memory* memory;
    const pli_prolongator* p;
    pli_pattern pattern;    // of the coarse matrix: a group per aggregate, an unknown per mode
    double* values;         // of the coarse matrix
    pli_block_rows rows;    // A P
    int32_t* slot;          // which block of its row of A P a product adds to, in order
    size_t* slot_start;     // of each row
    int32_t* target;        // where a product goes in the coarse matrix, in order
    size_t* target_start;   // of each coarse row
    int32_t *mark, *offset; // of aggregates
    pli_pair* pairs;
    int pair_capacity;
    size_t value_capacity, slot_capacity, slot_start_capacity, target_capacity,
        target_start_capacity, mark_capacity, offset_capacity;
} pli_galerkin;

void pli_galerkin_init(pli_galerkin* g, pli_memory* memory);
void pli_galerkin_free(pli_galerkin* g);

// After pli_prolongator_analyze.
pli_status pli_galerkin_analyze(pli_galerkin* g, const pli_prolongator* p, pli_error* error);

// After pli_prolongator_update with the same values. Unused coarse unknowns have 1 on the diagonal
// and zeros elsewhere.
void pli_galerkin_update(pli_galerkin* g, const double* values);

#endif
