// Linear solvers behind one table: H p = b with H symmetric positive definite.
// A matrix that is not positive definite is a verdict, not an error.
#ifndef PLI_SPARSE_LINEAR_H
#define PLI_SPARSE_LINEAR_H

#include "base/pack.h"
#include "base/parallel.h"
#include "sparse/low_rank.h"
#include "sparse/pattern.h"

typedef enum pli_linear_verdict {
    PLI_LINEAR_OK,
    PLI_LINEAR_NOT_POSITIVE_DEFINITE,
    PLI_LINEAR_NOT_CONVERGED, // iterative: the best x so far (in the norm of H) is given
} pli_linear_verdict;

// Motions that H hardly resists, however stiff it is: those of rigid bodies. Preconditioners of
// several levels ask for them, once per factorize.
typedef struct pli_near_null {
    // Writes `count` motions, at most PLI_MAX_MODES, and gives count: unknown by unknown, the
    // count values of each side by side; all 0 for an unknown whose part in them is not known.
    int (*fill)(void* self, double* modes);
    void* self;
} pli_near_null;

enum { PLI_MAX_MODES = 6 };

typedef struct pli_linear_def {
    const char* preconditioner; // pcg: pli_preconditioner_name; NULL: the first of them
    int max_iterations;         // pcg: at least 1
    pli_near_null near_null;    // fill NULL: nothing is known
    bool blas;                  // large fronts by the BLAS: its bits, which differ between machines
} pli_linear_def;

typedef struct pli_linear_info {
    bool loose;              // even the size of the last solution may be wrong (pcg)
    int iterations;          // pcg, of the last solve
    double residual;         // |b - H x| / |b| of the last solve (pcg)
    int64_t factor_nonzeros; // of the last factor
} pli_linear_info;

typedef struct pli_linear_ops {
    const char* name;
    const char* help;
    bool iterative; // its solutions may be loose
    // It needs products with H alone: wide stencils stay factors, in any number. Else they are
    // expanded into the values.
    bool multiplies;
    pli_status (*create)(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** self,
                         pli_error* error);
    void (*destroy)(void* self);
    // Symbolic part; once per pattern. The pattern must stay unchanged until the next analyze.
    pli_status (*analyze)(void* self, const pli_pattern* pattern, pli_error* error);
    // Numeric part; `values` must stay unchanged until the last solve with them. After the verdict
    // PLI_LINEAR_NOT_POSITIVE_DEFINITE every solve gives it again, until the next factorize.
    // `changed`: flags of the groups whose columns may differ from the values before; NULL: all. It
    // allows a preconditioner to be updated instead of rebuilt, and a factor to keep those of
    // its trees in which nothing has changed.
    pli_status (*factorize)(void* self, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error);
    // b and x have pattern->unknown_count entries and do not overlap. `tolerance`, in (0, 1): an
    // iterative solver may stop at |b - H x| <= tolerance |b|; others do not look at it. x means
    // something only with the verdicts PLI_LINEAR_OK and PLI_LINEAR_NOT_CONVERGED.
    pli_status (*solve)(void* self, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error);
    void (*info)(const void* self, pli_linear_info* info);
    // From the next factorize on the matrix is the one of the values plus `low` (NULL: nothing),
    // which must stay as the values must. NULL: it cannot, the caller has pli_woodbury.
    void (*add)(void* self, const pli_low_rank* low);
    // What it keeps from matrix to matrix and rounding depends on (an order, what was learned), so
    // that a new solver continues with the same bits. NULL: nothing.
    void (*save)(const void* self, pli_pack* out);
    // `pattern`: what was analyzed last before the save, and is analyzed again here; NULL: nothing.
    // Where in->apply is not set the bytes are only checked, for `group_count` groups.
    pli_status (*restore)(void* self, int group_count, const pli_pattern* pattern, pli_unpack* in,
                          pli_error* error);
    // For a new solver: does as much of the work as is needed to know what the rest will take
    // (the symbolic part; all of it where that takes little) and gives that [bytes].
    pli_status (*plan)(void* self, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error);
} pli_linear_ops;

extern const pli_linear_ops pli_cholmod; // in the table only where it is linked: PLIANT_CHOLMOD
extern const pli_linear_ops pli_pcg;
extern const pli_linear_ops pli_multifrontal;
extern const pli_linear_ops pli_automatic;

// The table: by number (NULL after the last) and by name (NULL if unknown).
const pli_linear_ops* pli_linear_at(int i);
const pli_linear_ops* pli_linear_find(const char* name);
const char* pli_linear_name(int i); // these are for parameter rows
const char* pli_linear_help(int i);
// What to do about the name of a solver that only other builds have; NULL: there is no such one.
const char* pli_linear_absent(const char* name);

#endif
