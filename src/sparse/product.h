// The product of a symmetric matrix and a vector on several threads.
//
// Only the lower triangle is stored, so a column also writes to the rows below it. Columns are
// split into chunks; chunks that write to a common row are in different rounds and never run at the
// same time. The order of additions depends only on the pattern: the same bits for any number of
// threads.
#ifndef PLI_SPARSE_PRODUCT_H
#define PLI_SPARSE_PRODUCT_H

#include "base/parallel.h"
#include "sparse/pattern.h"

enum { PLI_MAX_CHUNKS = 64 };

typedef struct pli_product {
    pli_memory* memory;
    pli_pool* pool;
    const pli_pattern* pattern;
    int chunk_count, round_count;
    int32_t first[PLI_MAX_CHUNKS + 1]; // group of each chunk
    int32_t chunk[PLI_MAX_CHUNKS];     // chunks by rounds
    int32_t round[PLI_MAX_CHUNKS + 1]; // where each round begins in `chunk`
    uint64_t* writers;                 // of each group: bit mask of the chunks that write to it
    size_t writer_capacity;
} pli_product;

void pli_product_init(pli_product* product, pli_memory* memory, pli_pool* pool);
void pli_product_free(pli_product* product);

// The pattern must stay unchanged until the next analyze.
pli_status pli_product_analyze(pli_product* product, const pli_pattern* pattern, pli_error* error);

// y = A x. x and y do not overlap.
void pli_product_multiply(const pli_product* product, const double* values, const double* x,
                          double* y);

#endif
