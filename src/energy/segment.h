// Springs: energies of the distance between two vertices a and b of a stencil. They depend on d =
// x_a - x_b only. A law defines the response; the loops over stencils are here. Types define their
// `eval` with PLI_SEGMENT_EVAL.
#ifndef PLI_ENERGY_SEGMENT_H
#define PLI_ENERGY_SEGMENT_H

#include <math.h>

#include "math/vec.h"
#include "pliant/energy.h"

// Response at a distance: P, dP/dd = slope d, d2P/dd2 = a I + b m m^T.
typedef struct pli_segment_response {
    double energy; // [J]
    double slope;  // [N/m]
    double a, b;   // of the projected second derivative if requested
    bool unit;     // m is d / |d| (0 if d is 0), else d
} pli_segment_response;

// `record` is that of the stencil, `state` its state (NULL: the type has none), square = |d|^2.
typedef pli_segment_response pli_segment_law(const void* record, const double* state, double square,
                                             bool project);

// d = x_a - x_b of the vertices v; returns |d|^2.
static inline double pli_segment_difference(const pli_batch* in, int32_t a, int32_t b,
                                            double d[3]) {
    pli_sub(in->x + 3 * (size_t)a, in->x + 3 * (size_t)b, d, in->dim);
    return pli_dot(d, d, in->dim);
}

// H += [B -B; -B B] at the two vertices, with B = a I + b m m^T. [B -B; -B B] has the eigenvalues
// 2 lambda(B) and 0, so projecting B projects the whole.
static inline void pli_segment_add_hessian(int dim, int n, const int at[2], double a, double b,
                                           const double m[3], double* H) {
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c) {
            double B = b * m[r] * m[c] + (r == c ? a : 0);
            H[(at[0] + r) * n + at[0] + c] += B;
            H[(at[1] + r) * n + at[1] + c] += B;
            H[(at[0] + r) * n + at[1] + c] -= B;
            H[(at[1] + r) * n + at[0] + c] -= B;
        }
}

// The spring connects the vertices `first` and `second` of stencils of `width` vertices.
static inline void pli_segment_eval(int dim, int width, int first, int second, size_t record_size,
                                    pli_segment_law* law, const pli_batch* in, pli_local* out) {
    const int n = width * dim, at[2] = {first * dim, second * dim};
    for (int i = 0; i < in->count; ++i) {
        const int32_t* v = in->vertices + (size_t)i * (size_t)width;
        const double* state = in->state ? (const double*)in->state + i : NULL;
        double d[3], m[3] = {0}, square = pli_segment_difference(in, v[first], v[second], d);
        pli_segment_response s =
            law((const char*)in->data + (size_t)i * record_size, state, square, in->project);
        if (in->want & PLI_VALUE) out->e[i] += s.energy;
        for (int r = 0; r < dim && in->want & PLI_GRADIENT; ++r) {
            double* g = out->g + (size_t)i * (size_t)n;
            g[at[0] + r] += s.slope * d[r];
            g[at[1] + r] -= s.slope * d[r];
        }
        if (!(in->want & PLI_HESSIAN)) continue;
        double length = s.unit ? sqrt(square) : 1;
        for (int r = 0; r < dim && length > 0; ++r) m[r] = d[r] / length;
        pli_segment_add_hessian(dim, n, at, s.a, s.b, m, out->H + (size_t)i * (size_t)(n * n));
    }
}

// Defines `eval` of a type. A constant dimension lets the compiler unroll the blocks.
#define PLI_SEGMENT_EVAL(name, record, law, width, first, second)                                  \
    static void name(const pli_batch* in, pli_local* out) {                                        \
        if (in->dim == 2)                                                                          \
            pli_segment_eval(2, width, first, second, sizeof(record), law, in, out);               \
        else                                                                                       \
            pli_segment_eval(3, width, first, second, sizeof(record), law, in, out);               \
    }

// Distance of two vertices at rest [m]; fails if it is not positive.
pli_status pli_segment_rest_length(const pli_element* element, int first, int second,
                                   double* length, pli_error* error);

// ---- Hooke's spring: see hooke.c

typedef struct pli_hooke {
    double k;      // [N/m]
    double length; // l [m]
} pli_hooke;

static inline pli_segment_response pli_hooke_law(const void* record, const double* state,
                                                 double square, bool project) {
    const pli_hooke* h = record;
    double r = sqrt(square), extension = r - h->length;
    double across = r > 0 ? h->k * (1 - h->length / r) : h->k;
    (void)state;
    if (project && across < 0) across = 0; // the eigenvalue along d is k > 0
    return (pli_segment_response){.energy = 0.5 * h->k * extension * extension,
                                  .slope = r > 0 ? h->k * extension / r : 0,
                                  .a = across,
                                  .b = h->k - across,
                                  .unit = true};
}

#endif
