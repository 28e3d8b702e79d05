// Preconditioners of pcg behind one table: z = M^-1 r with M symmetric positive definite and near
// H. A new one is a file and a line in preconditioner.c.
#ifndef PLI_SPARSE_PRECONDITIONER_H
#define PLI_SPARSE_PRECONDITIONER_H

#include "sparse/linear.h"

typedef struct pli_preconditioner_ops {
    const char* name;
    const char* help;
    pli_status (*create)(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** self, pli_error* error);
    void (*destroy)(void* self);
    // The pattern must stay unchanged until the next analyze.
    pli_status (*analyze)(void* self, const pli_pattern* pattern, pli_error* error);
    // `values` must stay unchanged until the last apply. `changed` as of pli_linear_ops. Not
    // *definite if it shows that the matrix is not positive definite.
    pli_status (*factorize)(void* self, const double* values, const uint8_t* changed,
                            bool* definite, pli_error* error);
    void (*apply)(const void* self, const double* r, double* z); // r and z do not overlap
    int64_t (*nonzeros)(const void* self);                       // of the last factor
    // As those of pli_linear_ops, before the analysis: `analyzed` tells that it follows. NULL:
    // nothing is kept.
    void (*save)(const void* self, pli_pack* out);
    pli_status (*restore)(void* self, int group_count, bool analyzed, pli_unpack* in,
                          pli_error* error);
} pli_preconditioner_ops;

extern const pli_preconditioner_ops pli_incomplete_cholesky;
extern const pli_preconditioner_ops pli_domain_cholesky; // on all threads; not in the table
extern const pli_preconditioner_ops pli_block_jacobi;
extern const pli_preconditioner_ops pli_multilevel;

// By name (NULL if unknown).
const pli_preconditioner_ops* pli_preconditioner_find(const char* name);

#endif
