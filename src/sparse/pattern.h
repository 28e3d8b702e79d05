// Where a symmetric block matrix has entries.
//
// Unknowns come in groups (group_offset); a block couples two groups. Stored is the lower triangle
// by block columns, each with its full diagonal block first and then the rows below, ascending.
// The same memory is at once a scalar compressed-column matrix (start, row): block column J of
// width w and height h is a dense h x w array, column-major with leading dimension h, so CHOLMOD
// reads the values in place (entries above the diagonal within a diagonal block are ignored).
#ifndef PLI_SPARSE_PATTERN_H
#define PLI_SPARSE_PATTERN_H

#include "base/memory.h"
#include "base/parallel.h"

typedef struct pli_pattern {
    pli_memory* memory;
    int group_count;
    int unknown_count;
    int block_count;
    int value_count;
    int32_t* group_offset;     // group_count + 1
    int32_t* block_start;      // group_count + 1: blocks of column group J
    int32_t* block_row;        // row group of each block
    int32_t* block_value;      // where entry (0, 0) of each block is in the values
    int32_t* column_height;    // group_count: leading dimension of column group J
    int32_t* start;            // unknown_count + 1: scalar columns
    int32_t* row;              // value_count: scalar row numbers
    int32_t *by_row, *row_end; // work space of the build
    int32_t capacity[9];       // of the nine arrays above, in their order
} pli_pattern;

// An unordered pair of coupled groups.
typedef struct pli_pair {
    int32_t row, column; // row >= column
} pli_pair;

void pli_pattern_init(pli_pattern* pattern, pli_memory* memory);
void pli_pattern_free(pli_pattern* pattern);

// Builds the pattern from pairs in any order, repeats allowed; the diagonal is always included.
// group_offset starts with 0, ascends and is copied. Reuses the memory of an earlier build.
// PLI_E_MEMORY also if there are 2^31 values or more. On failure the pattern is empty.
pli_status pli_pattern_build(pli_pattern* pattern, int group_count, const int32_t* group_offset,
                             int pair_count, const pli_pair* pairs, pli_error* error);

// Same, but only the blocks: for pli_pattern_change, not for matrices.
pli_status pli_pattern_build_blocks(pli_pattern* pattern, int group_count,
                                    const int32_t* group_offset, int pair_count,
                                    const pli_pair* pairs, pli_error* error);

// The same matrix with its groups in another order: group g of `from` becomes place[g]. source[b]
// is the block of `from` that becomes block b, transposed if its row is before its column there. On
// failure the pattern is empty.
pli_status pli_pattern_reorder(pli_pattern* pattern, const pli_pattern* from, const int32_t* place,
                               int32_t* source, pli_pool* pool, pli_error* error);

// Adds the blocks of another pattern of the same groups (only diagonal blocks may be in both), and
// drops those without `keep` (NULL: none). moved[b] is the new number of block b, -1 if it was
// dropped. On failure the pattern is unchanged.
pli_status pli_pattern_change(pli_pattern* pattern, const pli_pattern* added, const uint8_t* keep,
                              int32_t* moved, pli_pool* pool, pli_error* error);

// Number of block (row, column), row >= column, or -1.
int pli_pattern_find(const pli_pattern* pattern, int row, int column);

// y = A x for the symmetric matrix with these values. x and y do not overlap.
void pli_pattern_multiply(const pli_pattern* pattern, const double* values, const double* x,
                          double* y);
// y += the part of A x from the stored column groups `first` to `end` - 1.
void pli_pattern_multiply_columns(const pli_pattern* pattern, const double* values, int first,
                                  int end, const double* x, double* y);

#endif
