// Dense kernels of the multifrontal factorization: eliminate some columns of a symmetric matrix and
// update the rest.
//
// A front has w pivots and u rows below. Its panel is (w + u) x w, column-major. Its update matrix
// is u x u; only the lower triangle is used. Both have leading dimensions that are multiples of
// PLI_LANES; the padding rows of a panel are zero. The kernels work on several rows at once and
// also write above diagonals, where the values are garbage.
#ifndef PLI_SPARSE_FRONT_H
#define PLI_SPARSE_FRONT_H

#include "base/parallel.h"

enum { PLI_LANES = 8 };

static inline int pli_round_up_lanes(int n) { return (n + PLI_LANES - 1) / PLI_LANES * PLI_LANES; }

typedef struct pli_front_shape {
    int pivots, below;
    int stride;        // of the panel, >= pivots + below
    int update_stride; // >= below
} pli_front_shape;

// Sizes of a panel and an update matrix in numbers. Reads may go PLI_LANES beyond a panel.
static inline size_t pli_front_panel_size(const pli_front_shape* shape) {
    return (size_t)shape->stride * (size_t)shape->pivots;
}
static inline size_t pli_front_update_size(const pli_front_shape* shape) {
    return (size_t)shape->update_stride * (size_t)shape->below;
}

// Rows from .. from + count of a child's update matrix are rows to .. to + count of its parent's
// front, counted from its first pivot.
typedef struct pli_front_run {
    int32_t from, to, count;
} pli_front_run;

typedef struct pli_front_child {
    const double* update;
    int stride;
    int run_count;
    int shared; // runs that are pivots of the parent; they come first
    const pli_front_run* runs;
} pli_front_child;

// A product of two blocks of one panel, its part on and below the diagonal: out -= a b^T, or
// out = -a b^T. Entries above the diagonal within tiles become garbage.
typedef struct pli_front_product {
    const double *a, *b; // rows x depth and columns x depth
    size_t stride;       // of both
    int rows;            // a multiple of PLI_LANES
    int columns, depth;
    int lead;   // rows between the diagonal and the first row; a multiple of PLI_LANES
    bool fresh; // out is not read
    double* out;
    size_t out_stride;
} pli_front_product;

// One set per instruction set. All sets sum in the same order, so results are bit-identical.
typedef struct pli_front_kernels {
    const char* name;
    // Factorizes the first `columns` columns of a panel of `height` rows to [L11; L21], with the
    // reciprocals of L11's diagonal in its place. False if a pivot is not positive (or NaN or
    // infinite).
    bool (*factorize)(int columns, int height, size_t stride, double* panel);
    // update = -L21 L21^T, its columns `first` to `end`; both are multiples of PLI_LANES or the
    // end.
    void (*update)(const pli_front_shape* shape, const double* panel, double* update, int first,
                   int end);
    // Variants for fronts that do not fit into the cache.
    void (*subtract)(const pli_front_product* product);
    // Adds a child's update matrix to the panel of its parent, and the rest to the update matrix.
    void (*add_to_panel)(const pli_front_child* child, const pli_front_shape* parent,
                         double* panel);
    void (*add_to_update)(const pli_front_child* child, const pli_front_shape* parent,
                          double* update);
    // Forward: x = L11^-1 z1, and z2 becomes z2 - L21 x; z1 becomes garbage. Backward: z1 becomes
    // L11^-T (z1 - L21^T z2). z has `stride` elements; those after z2 are zero.
    void (*forward)(const pli_front_shape* shape, const double* panel, double* z, double* x);
    void (*backward)(const pli_front_shape* shape, const double* panel, double* z);
} pli_front_kernels;

// The sets that this machine can run, best first; NULL after the last.
const pli_front_kernels* pli_front_kernels_at(int i);

// True if too large for the cache: processed in blocks, by BLAS where that is allowed. Then call
// pli_single_threaded_enter first.
bool pli_front_is_large(const pli_front_shape* shape);

double pli_front_flops(const pli_front_shape* shape);

// Factorizes panel and update matrix. With `blas` the bits of large fronts depend on the BLAS,
// otherwise they are the same on every machine. They do not depend on the pool (NULL: the calling
// thread).
bool pli_front_factorize(const pli_front_kernels* kernels, bool blas, pli_pool* pool,
                         const pli_front_shape* shape, double* panel, double* update);

extern const pli_front_kernels pli_front_baseline, pli_front_avx2, pli_front_avx512;

#endif
