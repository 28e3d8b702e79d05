// Dense kernels of the multifrontal factorization: some columns of a symmetric matrix are
// eliminated, the rest is updated.
//
// A front has w pivots and u rows below. Its panel is (w + u) x w, column-major; its update matrix
// u x u, of which the lower triangle counts. Both have leading dimensions that are multiples of
// PLI_LANES, and the rows that this adds to a panel are zero. The kernels work on PLI_LANES rows
// at once and run into what lies above diagonals, which is garbage therefore.
#ifndef PLI_SPARSE_FRONT_H
#define PLI_SPARSE_FRONT_H

#include <stdbool.h>
#include <stddef.h>

enum { PLI_LANES = 8 };

static inline int pli_round_up_lanes(int n) { return (n + PLI_LANES - 1) / PLI_LANES * PLI_LANES; }

typedef struct pli_front_shape {
    int pivots, below;
    int stride;        // of the panel, >= pivots + below
    int update_stride; // >= below
} pli_front_shape;

// A panel and an update matrix take so many numbers. Reads may go PLI_LANES beyond a panel.
static inline size_t pli_front_panel_size(const pli_front_shape* shape) {
    return (size_t)shape->stride * (size_t)shape->pivots;
}
static inline size_t pli_front_update_size(const pli_front_shape* shape) {
    return (size_t)shape->update_stride * (size_t)shape->below;
}

// Whether BLAS is called for such a front; pli_single_threaded_enter comes first then.
bool pli_front_uses_blas(const pli_front_shape* shape);

// The panel becomes [L11; L21] with the reciprocals of L11's diagonal in its place, and
// update = -L21 L21^T. False if a pivot is not positive (or not a number or infinite).
bool pli_front_factorize(const pli_front_shape* shape, double* panel, double* update);

// z has `stride` elements. Forward: z1 becomes y1 = L11^-1 z1, and z2 becomes z2 - L21 y1.
// Backward: z1 becomes L11^-T (z1 - L21^T z2); what lies behind z2 must be zero.
void pli_front_forward(const pli_front_shape* shape, const double* panel, double* z);
void pli_front_backward(const pli_front_shape* shape, const double* panel, double* z);

#endif
