// Exponential Rosenbrock-Euler [Hochbruck10]: with y = (q, v), y' = f(y) and J = df/dy at the
// start,
//
//     y(n+1) = y + h phi1(h J) f(y),    phi1(z) = (e^z - 1) / z,
//
// exact for linear forces. phi1(h J) f is computed in the Krylov space of f, J f, J^2 f ...
// (Arnoldi): phi1 of the small Hessenberg matrix H is the upper right column of exp([h H, e1; 0,
// 0]). The step that a space of given size can resolve depends on h times the largest frequency. A
// longer step is divided into equal parts of the same linear equation: u = y - y(n) follows u' = f
// + J u, so a part of size t starting at u is
//
//     u + t phi1(t J) (f + J u).
//
// H does not depend on t, so smaller parts need no new space. Positions are scaled by about omega
// of the stiffest motion: then J is nearly normal and its exponential is accurate.
//
// J holds stiffness and damping. Other changes of f, with time and through the dependence of the
// damping on the position, enter as f' = r along the motion, by a difference over a small part of
// the step:
//     r = (a(t + d, q + d v, v) - a) / d + M^-1 K v,   v += h^2/2 r,   q += h^3/6 r,
// the first term of h^2 phi2(h J) r: order 2 in all cases, with one more evaluation where needed.
#include "dynamics/scheme.h"

#include "math/small.h"
#include "math/vec.h"

#include <string.h>

enum { KRYLOV = 60, AUGMENTED = KRYLOV + 2, MOST_PARTS = 1024 };

// Tolerances of phi1(t J) f, relative to |f|. A space stops growing at the first; a part that needs
// the whole space is accepted up to the second, because rounding may hide the first.
static const double aim = 1e-14, allowed = 1e-12;

typedef struct krylov {
    const pli_forces* forces;
    int n;                           // entries of y
    int size;                        // dimension reached
    double scale;                    // y = (scale q, v) [1/s]
    double next;                     // norm of the next basis vector
    double *f, *u, *place;           // f at the start; y - y(n); scratch of n / 2
    double* basis;                   // size + 1 vectors of n
    double H[AUGMENTED * AUGMENTED]; // Hessenberg, row-major
    double small[AUGMENTED * AUGMENTED], exponential[AUGMENTED * AUGMENTED];
    double work[4 * AUGMENTED * AUGMENTED];
    double weights[AUGMENTED]; // of the basis vectors in phi1(t J) f / |f|
} krylov;

static const double* basis_at(const krylov* k, int i) {
    return k->basis + (size_t)i * (size_t)k->n;
}

// J (x, w) = (w, -M^-1 (K x + C w)), with x in units of 1 / scale
static pli_status apply(const krylov* k, const double* in, double* out, pli_error* error) {
    int n = k->n / 2;
    for (int i = 0; i < n; ++i) {
        k->place[i] = in[i] / k->scale;
        out[i] = k->scale * in[n + i];
    }
    return k->forces->jacobian(k->forces->self, k->place, in + n, out + n, error);
}

// q += h^3/6 r, v += h^2/2 r. `room` has 3 n entries.
static pli_status add_drift(const pli_history* at, double h, const pli_forces* forces, double* room,
                            double* q, double* v, pli_error* error) {
    int n = at->n;
    double d = 1e-4 * h; // keeps half of the digits of the difference
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

// omega^2 of the stiffest motion from a few powers of M^-1 K, from below, or 1 / h^2 if that is
// larger. Only the order of magnitude matters.
static pli_status find_scale(krylov* k, double h, pli_error* error) {
    enum { POWERS = 4 };
    int n = k->n / 2;
    double *x = k->basis, *y = x + n, *still = y + n, squared = 0;
    memset(still, 0, sizeof *still * (size_t)n);
    for (int i = 0; i < n; ++i)
        x[i] = (uint32_t)i * 2654435761u >> 31 ? 1 : -1; // pseudo-random signs
    for (int power = 0; power < POWERS; ++power) {
        PLI_TRY(k->forces->jacobian(k->forces->self, x, still, y, error));
        double before = pli_norm(x, n), length = pli_norm(y, n);
        if (!(length > 0) || !isfinite(length)) break;
        squared = length / before;
        for (int i = 0; i < n; ++i) x[i] = y[i] / length;
    }
    k->scale = fmax(sqrt(squared), 1 / h);
    return PLI_OK;
}

// weights = phi1(t H) e1; returns the estimated error, from the last weight.
static double project(krylov* k, double t) {
    int m = k->size, a = m + 1;
    memset(k->small, 0, sizeof k->small);
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < m; ++j) k->small[i * a + j] = t * k->H[i * AUGMENTED + j];
    k->small[m] = 1; // e1 in the last column
    pli_expm(a, k->small, k->exponential, k->work);
    for (int i = 0; i < m; ++i) k->weights[i] = k->exponential[i * a + m];
    return fabs(t * k->next * k->weights[m - 1]);
}

// The exponential of a large H costs more than a vector, so it is not computed for each vector.
static bool is_looked_at(int size) { return size <= 8 || size % 4 == 0 || size == KRYLOV; }

// Grows the space from its first vector until phi1(t J) f is accurate to rounding or the space is
// full. `missing`: the estimated error.
static pli_status grow(krylov* k, double t, double* missing, pli_error* error) {
    memset(k->H, 0, sizeof k->H);
    for (k->size = 1;; ++k->size) {
        int m = k->size;
        double* next = k->basis + (size_t)m * (size_t)k->n;
        PLI_TRY(apply(k, basis_at(k, m - 1), next, error));
        double before = pli_norm(next, k->n);
        for (int pass = 0; pass < 2; ++pass) // two passes give orthogonality
            for (int i = 0; i < m; ++i) {
                double along = pli_dot(basis_at(k, i), next, k->n);
                k->H[i * AUGMENTED + m - 1] += along;
                pli_axpy(-along, basis_at(k, i), next, k->n);
            }
        k->next = pli_norm(next, k->n);
        bool whole = m == k->n || k->next <= 1e-13 * before; // the rest is rounding
        if (whole) k->next = 0;
        if (whole || is_looked_at(m)) {
            *missing = project(k, t);
            // NaN: H of a small space may grow where J does not, and overflow
            if (*missing <= aim || whole || m == KRYLOV) return PLI_OK;
        }
        k->H[m * AUGMENTED + m - 1] = k->next;
        for (int i = 0; i < k->n; ++i) next[i] /= k->next;
    }
}

// u at the end of the step; false: not even small parts of it converge.
static pli_status solve(krylov* k, double h, bool* solved, pli_error* error) {
    int parts = 1;
    memset(k->u, 0, sizeof *k->u * (size_t)k->n);
    for (int done = 0; done < parts; ++done) {
        memset(k->basis, 0, sizeof *k->basis * (size_t)k->n);
        if (done > 0) PLI_TRY(apply(k, k->u, k->basis, error));
        pli_axpy(1, k->f, k->basis, k->n);
        double size = pli_norm(k->basis, k->n), missing;
        if (size == 0) break; // equilibrium
        if (!isfinite(size)) return PLI_OK;
        for (int i = 0; i < k->n; ++i) k->basis[i] /= size;
        PLI_TRY(grow(k, h / parts, &missing, error));
        for (; !(missing <= allowed) && parts < MOST_PARTS; done *= 2) {
            parts *= 2;
            missing = project(k, h / parts);
        }
        if (!(missing <= allowed)) return PLI_OK;
        for (int j = 0; j < k->size; ++j)
            pli_axpy(h / parts * size * k->weights[j], basis_at(k, j), k->u, k->n);
    }
    *solved = true;
    return PLI_OK;
}

enum { EXTRA_VECTORS = 3 }; // f, u, place

// The struct, followed by the vectors.
size_t pli_exponential_work_size(int n) {
    return sizeof(krylov) + sizeof(double) * 2 * (size_t)n * (KRYLOV + 1 + EXTRA_VECTORS);
}

pli_status pli_exponential_step(const pli_history* at, double h, const pli_forces* forces,
                                double* q, double* v, pli_error* error) {
    int n = at->n;
    pli_copy(at->q[0], q, n);
    pli_copy(at->v[0], v, n);
    krylov* k = forces->work;
    k->forces = forces;
    k->n = 2 * n;
    k->f = (double*)(k + 1);
    k->u = k->f + k->n;
    k->place = k->u + k->n;
    k->basis = k->place + k->n;
    if (forces->drift) PLI_TRY(add_drift(at, h, forces, k->basis, q, v, error));
    PLI_TRY(find_scale(k, h, error));
    for (int i = 0; i < n; ++i) {
        k->f[i] = k->scale * at->v[0][i];
        k->f[n + i] = at->a[i];
    }
    bool solved = false;
    PLI_TRY(solve(k, h, &solved, error));
    if (!solved) {
        *forces->diverged = true;
        return PLI_OK;
    }
    for (int i = 0; i < n; ++i) {
        q[i] += k->u[i] / k->scale;
        v[i] += k->u[n + i];
    }
    return PLI_OK;
}
