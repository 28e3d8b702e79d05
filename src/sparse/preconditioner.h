// Preconditioners of pcg behind one table: z = M^-1 r with M symmetric positive definite and close
// to H. A new one is a file and a line in the list below.
#ifndef PLI_SPARSE_PRECONDITIONER_H
#define PLI_SPARSE_PRECONDITIONER_H

#include "sparse/linear.h"

// Cost of pcg with it, for the choice of "auto": in units of the time per nonzero of H in the
// product. Fitted; see automatic.c.
typedef struct pli_preconditioner_price {
    double setup, iteration; // iteration 0: "auto" does not consider it
    double iterations;       // to a residual of 1e-8; 0: estimated from H
} pli_preconditioner_price;

typedef struct pli_preconditioner_ops {
    const char* name;
    const char* help;
    pli_preconditioner_price price;
    pli_status (*create)(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** self, pli_error* error);
    void (*destroy)(void* self);
    // The pattern must stay unchanged until the next analyze.
    pli_status (*analyze)(void* self, const pli_pattern* pattern, pli_error* error);
    // `values` must stay unchanged until the last apply. `changed` as in pli_linear_ops. *definite
    // is false if the matrix turns out not to be positive definite.
    pli_status (*factorize)(void* self, const double* values, const uint8_t* changed,
                            bool* definite, pli_error* error);
    void (*apply)(const void* self, const double* r, double* z); // r and z do not overlap
    int64_t (*nonzeros)(const void* self);                       // of the last factor
    // As in pli_linear_ops, before the analysis. `analyzed`: an analysis follows. NULL: no state.
    void (*save)(const void* self, pli_pack* out);
    pli_status (*restore)(void* self, int group_count, bool analyzed, pli_unpack* in,
                          pli_error* error);
} pli_preconditioner_ops;

// The list; the first is the default.
#define PLI_PRECONDITIONERS(X)                                                                     \
    X(incomplete_cholesky)                                                                         \
    X(block_jacobi)                                                                                \
    X(multilevel)

#define PLI_DECLARE_PRECONDITIONER(name) extern const pli_preconditioner_ops pli_##name;
PLI_PRECONDITIONERS(PLI_DECLARE_PRECONDITIONER)
extern const pli_preconditioner_ops pli_domain_cholesky; // a part of multilevel; not in the list

// The table: by number (NULL after the last) and by name (NULL if unknown).
const pli_preconditioner_ops* pli_preconditioner_at(int i);
const pli_preconditioner_ops* pli_preconditioner_find(const char* name);
const char* pli_preconditioner_name(int i); // for parameter rows
const char* pli_preconditioner_help(int i);

#endif
