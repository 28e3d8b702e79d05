// The part of a symmetric matrix that is stored as factors: H = A + sum over blocks of B^T D B.
//
// A block couples any number of groups of unknowns: `rank` rows over the unknowns of its groups,
// each with a weight. Its dense matrix is never stored. Blocks before `expanded` are summed into
// the values of A by pli_low_rank_expand, block column by block column. For the others a solver
// multiplies with the factors, or solves with pli_woodbury.
//
// The order of every sum depends only on the blocks: the same bits for any number of threads.
#ifndef PLI_SPARSE_LOW_RANK_H
#define PLI_SPARSE_LOW_RANK_H

#include "base/parallel.h"
#include "sparse/pattern.h"

typedef struct pli_low_rank_block {
    int32_t group_start, group_end; // in `groups` and `offset`
    int32_t rank, row_start;        // rows, the first one's number
    int32_t length, value_start;    // unknowns per row, where its first row begins in `values`
} pli_low_rank_block;

// A block that couples a group: `entry` is the index of the group in `groups`.
typedef struct pli_low_rank_user {
    int32_t block, entry;
} pli_low_rank_user;

typedef struct pli_low_rank {
    pli_memory* memory;
    pli_pool* pool;
    int block_count, block_capacity, entry_count, group_capacity, offset_capacity;
    int expanded; // blocks before this one are in the values of A
    pli_low_rank_block* blocks;
    int32_t* groups; // of each block ascending, without repeats
    int32_t* offset; // of each of them: its first unknown in a row of its block
    int row_count, value_count;
    double *weights, *values, *dots; // per row, per entry, per row
    int group_count;
    const int32_t* group_offset;
    int32_t* user_start; // group_count + 1
    int32_t* mark;       // group_count, work space of pli_low_rank_pairs
    pli_low_rank_user* users;
    // The diagonal blocks of blocks that are not expanded are also added to A, for its
    // preconditioner. They are stored here, width x width each, and subtracted from the product.
    // NULL: they are not in A.
    double* diagonal;
    int32_t* diagonal_start; // group_count + 1
} pli_low_rank;

void pli_low_rank_init(pli_low_rank* low, pli_memory* memory, pli_pool* pool);
void pli_low_rank_free(pli_low_rank* low);

// Adds a block of `rank` rows. `groups` ascend; `group_offset` is that of the pattern.
pli_status pli_low_rank_add(pli_low_rank* low, int rank, int count, const int32_t* groups,
                            const int32_t* group_offset, pli_error* error);
// Call after the last block. `group_offset` must stay valid. `diagonal`: see above.
pli_status pli_low_rank_finish(pli_low_rank* low, int group_count, const int32_t* group_offset,
                               bool diagonal, pli_error* error);

// The rows of a block, `length` numbers each.
static inline double* pli_low_rank_rows(const pli_low_rank* low, int block) {
    return low->values + low->blocks[block].value_start;
}

// Is there a part that is not in A? `low` may be NULL.
static inline bool pli_low_rank_any(const pli_low_rank* low) {
    return low && low->block_count > low->expanded;
}

// Visits the pairs of groups that the expanded blocks couple, each once, by column.
typedef pli_status pli_low_rank_pair_fn(void* context, int row, int column, pli_error* error);
pli_status pli_low_rank_pairs(pli_low_rank* low, pli_low_rank_pair_fn* visit, void* context,
                              pli_error* error);

// Adds the expanded blocks to column group J of A, and the diagonal block of the others if it is
// stored. The pattern must contain all their pairs. Columns may be expanded in parallel.
void pli_low_rank_expand(const pli_low_rank* low, const pli_pattern* pattern, int J,
                         double* values);

// y += (H - A) x.
void pli_low_rank_multiply(const pli_low_rank* low, const double* x, double* y);

#endif
