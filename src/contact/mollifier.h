// The mollifier of edge-edge contact [Li20]. Where edges become parallel their distance is not
// smooth; the factor
//   m = (x / e) (2 - x / e) for x < e, else 1,   x = |u x v|^2,   e = 1e-3 |U|^2 |V|^2
// fades the barrier out there (point-triangle pairs act instead). u, v are the edge vectors and U,
// V those at rest.
#ifndef PLI_CONTACT_MOLLIFIER_H
#define PLI_CONTACT_MOLLIFIER_H

#include "contact/barrier.h"
#include "contact/closest.h"

#define PLI_MOLLIFIER_SHARE 1e-3 // e / (|U|^2 |V|^2)

typedef struct pli_mollifier {
    double value;  // m, in [0, 1]
    double first;  // dm/dx [1/m^4]
    double second; // d2m/dx2 [1/m^8]; jumps to 0 at e
    double u[3], v[3];
    double cross[3]; // u x v
} pli_mollifier;

// e of two edges, from their vertices a0, a1, b0, b1 at rest [m^4].
double pli_mollifier_scale(const double* const* rest);

// Whether x <= e for edges u, v at rest. A zero-length edge is parallel to all.
bool pli_almost_parallel(const double u[3], const double v[3]);

// At vertices a0, a1, b0, b1. e > 0.
void pli_mollifier_at(const double* const* x, double e, pli_mollifier* out);

// g (12) += s dm/d(a0, a1, b0, b1); H (12 x 12) += s times the second derivatives.
void pli_mollifier_gradient(const pli_mollifier* m, double s, double* g);
void pli_mollifier_hessian(const pli_mollifier* m, double s, double* H);

// The product m psi(d), with the closest points of the same edges and psi at their distance. For m
// = 1 it is psi.
double pli_mollified_value(const pli_mollifier* m, const pli_barrier_values* psi);
void pli_mollified_gradient(const pli_mollifier* m, const pli_closest* pair,
                            const pli_barrier_values* psi, double* g);
void pli_mollified_hessian(const pli_mollifier* m, const pli_closest* pair,
                           const pli_barrier_values* psi, double* H);
// += a positive semi-definite upper bound of the Hessian, in closed form. Requires psi >= 0, psi'
// <= 0, psi'' >= 0.
void pli_mollified_hessian_psd(const pli_mollifier* m, const pli_closest* pair,
                               const pli_barrier_values* psi, double* H);

#endif
