// Prolongation to a coarser matrix by smoothed aggregation [Vanek96].
//
// Groups are combined to aggregates. On each, the coarse unknowns are the restrictions of the given
// modes (rigid motions), orthonormalized: the tentative prolongator T. One damped Jacobi step
// smooths the jumps between aggregates:
//   P = (I - omega D^-1 A) T,   omega = 4/3 / (largest eigenvalue of D^-1 A).
// A coarse group has one unknown per mode. A mode that is linearly dependent on an aggregate (a
// rotation of a single vertex) has a zero column. Rows are computed one by one in a fixed order:
// the same bits for any number of threads.
#ifndef PLI_SPARSE_PROLONGATOR_H
#define PLI_SPARSE_PROLONGATOR_H

#include "base/pack.h"
#include "base/parallel.h"
#include "sparse/adjacency.h"
#include "sparse/block_rows.h"
#include "sparse/product.h"

typedef struct pli_prolongator {
    pli_memory* memory;
    pli_pool* pool;
    const pli_pattern* pattern; // of the fine matrix
    pli_adjacency adjacency;    // of the same
    pli_product product;        // with the same
    int mode_count;
    int aggregate_count;
    int32_t* aggregate;             // of each group; -1: none
    int32_t *member_start, *member; // groups of each aggregate
    double* tentative;              // T: unknown_count x mode_count, row by row
    double* coarse_modes;           // the modes on the coarse unknowns, same format
    pli_block_rows rows;            // P
    int32_t *own_slot, *slot;       // block of row i that group i, or an entry of row i, adds to
    int32_t *column_start, *column_row, *column_block; // P by columns: rows, blocks
    int32_t* mark;
    bool* strong;
    void* jacobi;      // D
    double *x, *y, *z; // unknown_count
    int group_count;   // groups of the aggregates; -1: there are none
    int32_t* offset;   // their group_offset
    size_t offset_capacity, aggregate_capacity, member_start_capacity, member_capacity,
        tentative_capacity, coarse_mode_capacity, own_slot_capacity, slot_capacity,
        column_start_capacity, column_row_capacity, column_block_capacity, mark_capacity,
        strong_capacity, x_capacity, y_capacity, z_capacity;
} pli_prolongator;

pli_status pli_prolongator_init(pli_prolongator* p, pli_memory* memory, pli_pool* pool,
                                pli_error* error);
void pli_prolongator_free(pli_prolongator* p);

// Symbolic part. Aggregates are recomputed only if the groups have changed since the last call: new
// couplings between old aggregates are no reason. `values` decide which couplings are strong.
pli_status pli_prolongator_analyze(pli_prolongator* p, const pli_pattern* pattern,
                                   const double* values, int mode_count, pli_error* error);

// Computes P for these values and modes (in the format of pli_near_null), and coarse_modes. Groups
// without couplings get zero rows. *definite is false if a diagonal block is not positive definite.
pli_status pli_prolongator_update(pli_prolongator* p, const double* values, const double* modes,
                                  bool* definite, pli_error* error);

void pli_prolongator_restrict(const pli_prolongator* p, const double* fine, double* coarse); // P^T
void pli_prolongator_add(const pli_prolongator* p, const double* coarse, double* fine);      // += P

// The aggregates outlive the values from which they were computed; see pli_linear_ops.save. p NULL:
// the bytes are only checked, for group_count groups (-1: any).
void pli_prolongator_save(const pli_prolongator* p, pli_pack* out);
pli_status pli_prolongator_restore(pli_prolongator* p, int group_count, pli_unpack* in,
                                   pli_error* error);

// Reads block (i, neighbour) of a symmetric matrix, row by row; entry as in the adjacency, -1: the
// diagonal block.
void pli_prolongator_block(const pli_prolongator* p, const double* values, int i, int entry,
                           double* block);

#endif
