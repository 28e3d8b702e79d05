// Preconditioners of pcg behind one table: z = M^-1 r with M symmetric positive definite and near
// H. A new one is a file and a line in preconditioner.c.
#ifndef PLI_SPARSE_PRECONDITIONER_H
#define PLI_SPARSE_PRECONDITIONER_H

#include "sparse/pattern.h"

typedef struct pli_preconditioner_ops {
    const char* name;
    const char* help;
    pli_status (*create)(pli_memory* memory, void** self, pli_error* error);
    void (*destroy)(void* self);
    // All memory is taken here. The pattern must stay unchanged until the next analyze.
    pli_status (*analyze)(void* self, const pli_pattern* pattern, pli_error* error);
    // False if it shows that the matrix is not positive definite.
    bool (*factorize)(void* self, const double* values);
    void (*apply)(const void* self, const double* r, double* z); // r and z do not overlap
    int64_t (*nonzeros)(const void* self);                       // of the last factor
} pli_preconditioner_ops;

extern const pli_preconditioner_ops pli_incomplete_cholesky;
extern const pli_preconditioner_ops pli_block_jacobi;

// By name (NULL if unknown).
const pli_preconditioner_ops* pli_preconditioner_find(const char* name);

#endif
