// Exponential Rosenbrock-Euler [Hochbruck10]: with y = (q, v), y' = f(y) and J = df/dy at the
// start,
//
//     y(n+1) = y + h phi1(h J) f(y),    phi1(z) = (e^z - 1) / z,
//
// exact for linear forces at any step size, as far as the Krylov space reaches. phi1(h J) f is
// found in the space of f, J f, J^2 f ... (Arnoldi): phi1 of the small Hessenberg matrix H is the
// upper right column of exp([h H, e1; 0, 0]).
//
// J holds stiffness and damping. What else changes f, time and the dependence of the damping on the
// place, enters as f' = r along the motion, by a difference over a small part of the step:
//     r = (a(t + d, q + d v, v) - a) / d + M^-1 K v,   v += h^2/2 r,   q += h^3/6 r,
// the first term of h^2 phi2(h J) r: order 2 in all cases, at one more evaluation where needed.
#include "dynamics/scheme.h"

#include "math/expm.h"
#include "math/vec.h"

#include <string.h>

enum { KRYLOV = 60, AUGMENTED = KRYLOV + 2 };

typedef struct krylov {
    int n;                           // entries of y
    int size;                        // dimension reached
    double* basis;                   // size + 1 vectors of n
    double H[AUGMENTED * AUGMENTED]; // Hessenberg, row-major
    double small[AUGMENTED * AUGMENTED], exponential[AUGMENTED * AUGMENTED];
    double work[4 * AUGMENTED * AUGMENTED];
    double weights[AUGMENTED]; // of the basis vectors in phi1(h J) f / |f|
} krylov;

// J (x, w) = (w, -M^-1 (K x + C w))
static pli_status apply(const pli_forces* forces, int n, const double* in, double* out,
                        pli_error* error) {
    pli_copy(in + n, out, n);
    return forces->jacobian(forces->self, in, in + n, out + n, error);
}

// q += h^3/6 r, v += h^2/2 r. `room` has 3 n entries.
static pli_status add_drift(const pli_history* at, double h, const pli_forces* forces, double* room,
                            double* q, double* v, pli_error* error) {
    int n = at->n;
    double d = 1e-4 * h; // leaves half of the digits to the difference
    double *ahead = room, *r = room + n, *linear = room + 2 * n;
    for (int i = 0; i < n; ++i) ahead[i] = at->q[0][i] + d * at->v[0][i];
    PLI_TRY(forces->acceleration(forces->self, at->time[0] + d, ahead, at->v[0], r, error));
    memset(ahead, 0, sizeof *ahead * (size_t)n);
    PLI_TRY(forces->jacobian(forces->self, at->v[0], ahead, linear, error));
    for (int i = 0; i < n; ++i) {
        double change = (r[i] - at->a[i]) / d - linear[i];
        q[i] += h * h * h / 6 * change;
        v[i] += h * h / 2 * change;
    }
    return PLI_OK;
}

// weights = phi1(h H) e1; also the next one, whose size tells what is missing.
static double project(krylov* k, double h, double next) {
    int m = k->size, a = m + 1;
    memset(k->small, 0, sizeof k->small);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) k->small[i * a + j] = h * k->H[i * AUGMENTED + j];
    k->small[m] = 1; // e1 in the last column
    pli_expm(a, k->small, k->exponential, k->work);
    for (int i = 0; i < m; ++i) k->weights[i] = k->exponential[i * a + m];
    return fabs(h * next * k->weights[m - 1]);
}

// Grows the space until phi1(h J) f is known to rounding or the space is full.
static pli_status grow(krylov* k, const pli_forces* forces, double h, pli_error* error) {
    for (k->size = 1; k->size <= KRYLOV; ++k->size) {
        int m = k->size;
        double *last = k->basis + (size_t)(m - 1) * (size_t)k->n, *next = last + k->n;
        PLI_TRY(apply(forces, k->n / 2, last, next, error));
        for (int pass = 0; pass < 2; ++pass) // twice is enough to be orthogonal
            for (int i = 0; i < m; ++i) {
                const double* other = k->basis + (size_t)i * (size_t)k->n;
                double along = pli_dot(other, next, k->n);
                k->H[i * AUGMENTED + m - 1] += along;
                pli_axpy(-along, other, next, k->n);
            }
        double length = pli_norm(next, k->n);
        double missing = project(k, h, length);
        if (!(missing > 1e-14) || m == KRYLOV) return PLI_OK;
        k->H[m * AUGMENTED + m - 1] = length;
        for (int i = 0; i < k->n; ++i) next[i] /= length;
    }
    return PLI_OK;
}

// The struct, and behind it the basis.
size_t pli_exponential_work_size(int n) {
    return sizeof(krylov) + sizeof(double) * 2 * (size_t)n * (KRYLOV + 1);
}

pli_status pli_exponential_step(const pli_history* at, double h, const pli_forces* forces,
                                double* q, double* v, pli_error* error) {
    int n = at->n;
    pli_copy(at->q[0], q, n);
    pli_copy(at->v[0], v, n);
    double size = sqrt(pli_dot(at->v[0], at->v[0], n) + pli_dot(at->a, at->a, n));
    krylov* k = forces->work;
    memset(k, 0, sizeof *k);
    k->n = 2 * n;
    k->basis = (double*)(k + 1);
    if (forces->drift) PLI_TRY(add_drift(at, h, forces, k->basis, q, v, error));
    if (!(size > 0) || !isfinite(size)) return PLI_OK;
    for (int i = 0; i < n; ++i) {
        k->basis[i] = at->v[0][i] / size;
        k->basis[n + i] = at->a[i] / size;
    }
    PLI_TRY(grow(k, forces, h, error));
    for (int j = 0; j < k->size && j < KRYLOV; ++j) {
        const double* vector = k->basis + (size_t)j * (size_t)k->n;
        pli_axpy(h * size * k->weights[j], vector, q, n);
        pli_axpy(h * size * k->weights[j], vector + n, v, n);
    }
    return PLI_OK;
}
