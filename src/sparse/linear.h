// Linear solvers behind one table: H p = b with H symmetric positive definite. A matrix that is not
// positive definite gives a verdict, not an error.
#ifndef PLI_SPARSE_LINEAR_H
#define PLI_SPARSE_LINEAR_H

#include "base/pack.h"
#include "base/parallel.h"
#include "sparse/low_rank.h"
#include "sparse/pattern.h"

typedef enum pli_linear_verdict {
    PLI_LINEAR_OK,
    PLI_LINEAR_NOT_POSITIVE_DEFINITE,
    PLI_LINEAR_NOT_CONVERGED, // iterative: x is the best iterate so far (in the norm of H)
} pli_linear_verdict;

// Motions that H hardly resists, however stiff it is: rigid motions. Multilevel preconditioners
// request them once per factorize.
typedef struct pli_near_null {
    // Writes `count` motions, at most PLI_MAX_MODES, and returns count: unknown by unknown, the
    // count values of each side by side; all 0 for an unknown whose motion is not known.
    int (*fill)(void* self, double* modes);
    void* self;
} pli_near_null;

enum { PLI_MAX_MODES = 6 };

typedef struct pli_linear_def {
    const char* preconditioner; // pcg: pli_preconditioner_name; NULL: the first of them
    int max_iterations;         // pcg: at least 1
    pli_near_null near_null;    // fill NULL: nothing is known
    bool blas;                  // large fronts use the BLAS: bits differ between machines
} pli_linear_def;

typedef struct pli_linear_info {
    bool loose;              // even the norm of the last solution may be wrong (pcg)
    int iterations;          // pcg, of the last solve
    double residual;         // |b - H x| / |b| of the last solve (pcg)
    int64_t factor_nonzeros; // of the last factor
} pli_linear_info;

typedef struct pli_linear_ops {
    const char* name;
    const char* help;
    bool iterative; // its solutions may be loose
    // It needs only products with H: wide stencils stay factors, in any number. Otherwise they are
    // expanded into the values.
    bool multiplies;
    pli_status (*create)(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** self,
                         pli_error* error);
    void (*destroy)(void* self);
    // Symbolic part; once per pattern. The pattern must stay unchanged until the next analyze.
    pli_status (*analyze)(void* self, const pli_pattern* pattern, pli_error* error);
    // Numeric part; `values` must stay unchanged until the last solve with them. After the verdict
    // PLI_LINEAR_NOT_POSITIVE_DEFINITE every solve returns it again, until the next factorize.
    // `changed`: flags of the groups whose columns may differ from the previous values; NULL: all.
    // With it a preconditioner can be updated instead of rebuilt, and a factor can keep those of
    // its trees in which nothing changed.
    pli_status (*factorize)(void* self, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error);
    // b and x have pattern->unknown_count entries and do not overlap. `tolerance`, in (0, 1): an
    // iterative solver may stop at |b - H x| <= tolerance |b|; others ignore it. x is valid only
    // with the verdicts PLI_LINEAR_OK and PLI_LINEAR_NOT_CONVERGED.
    pli_status (*solve)(void* self, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error);
    void (*info)(const void* self, pli_linear_info* info);
    // From the next factorize on, the matrix is that of the values plus `low` (NULL: nothing),
    // which must stay unchanged as the values must. NULL: not supported, the caller uses
    // pli_woodbury.
    void (*add)(void* self, const pli_low_rank* low);
    // State that it keeps between matrices and that affects rounding (an order, learned estimates),
    // so that a new solver continues with the same bits. NULL: none.
    void (*save)(const void* self, pli_pack* out);
    // `pattern`: the one analyzed last before the save, which is analyzed again here; NULL: none.
    // If in->apply is false the bytes are only checked, for `group_count` groups.
    pli_status (*restore)(void* self, int group_count, const pli_pattern* pattern, pli_unpack* in,
                          pli_error* error);
    // For a new solver: does as much of the work as is needed to predict the memory of the rest
    // (the symbolic part; everything where that is cheap) and returns it [bytes].
    pli_status (*plan)(void* self, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error);
} pli_linear_ops;

extern const pli_linear_ops pli_cholmod; // in the table only if linked: PLIANT_CHOLMOD
extern const pli_linear_ops pli_pcg;
extern const pli_linear_ops pli_multifrontal;
extern const pli_linear_ops pli_automatic;

// The table: by number (NULL after the last) and by name (NULL if unknown).
const pli_linear_ops* pli_linear_at(int i);
const pli_linear_ops* pli_linear_find(const char* name);
const char* pli_linear_name(int i); // for parameter rows
const char* pli_linear_help(int i);
// What to do about the name of a solver that only other builds have; NULL: no such solver.
const char* pli_linear_absent(const char* name);

#endif
