// Derivatives by the edge vectors u, v; the vertices enter with -1 (a0, b0) or 1 (a1, b1).
//
// x = |u x v|^2 = |u|^2 |v|^2 - (u.v)^2. For the projection, m is written as a function of
// y = |u x v| with n = u x v / y:
//   dy = du.(v x n) + dv.(n x u),
//   d2y = 2 n.(du x dv) in the plane of u and v  +  (|v|^2 a^2 - 2 u.v a b + |u|^2 b^2) / y,
// a = n.du, b = n.dv. The second part is positive; the first is, with du = du1 t1 + du2 t2 and
// n = t1 x t2, half of (du1 + dv2)^2 + (du2 - dv1)^2 - (du1 - dv2)^2 - (du2 + dv1)^2.
#include "contact/mollifier.h"

#include "contact/local.h"
#include "math/small.h"
#include "math/vec.h"

enum { SIZE = 12, MAX_TERMS = 6 };

double pli_mollifier_scale(const double* const* rest) {
    double U[3], V[3];
    pli_sub(rest[1], rest[0], U, 3);
    pli_sub(rest[3], rest[2], V, 3);
    return PLI_MOLLIFIER_SHARE * pli_dot(U, U, 3) * pli_dot(V, V, 3);
}

bool pli_almost_parallel(const double u[3], const double v[3]) {
    double cross[3];
    pli_cross3(u, v, cross);
    double e = PLI_MOLLIFIER_SHARE * pli_dot(u, u, 3) * pli_dot(v, v, 3);
    return pli_dot(cross, cross, 3) <= e;
}

void pli_mollifier_at(const double* const* x, double e, pli_mollifier* out) {
    *out = (pli_mollifier){.value = 1};
    pli_sub(x[1], x[0], out->u, 3);
    pli_sub(x[3], x[2], out->v, 3);
    pli_cross3(out->u, out->v, out->cross);
    double square = pli_dot(out->cross, out->cross, 3);
    if (!(square < e)) return;
    double share = square / e;
    out->value = share * (2 - share);
    out->first = 2 * (1 - share) / e;
    out->second = -2 / (e * e);
}

// z (12) = derivatives by the vertices, from those by u and v.
static void spread(const double by_u[3], const double by_v[3], double z[SIZE]) {
    for (int k = 0; k < 3; ++k) {
        z[k] = -by_u[k];
        z[3 + k] = by_u[k];
        z[6 + k] = -by_v[k];
        z[9 + k] = by_v[k];
    }
}

// dx/du = 2 v x (u x v), dx/dv = 2 (u x v) x u.
static void square_gradient(const pli_mollifier* m, double z[SIZE]) {
    double by_u[3], by_v[3];
    pli_cross3(m->v, m->cross, by_u);
    pli_cross3(m->cross, m->u, by_v);
    for (int k = 0; k < 3; ++k) {
        by_u[k] *= 2;
        by_v[k] *= 2;
    }
    spread(by_u, by_v, z);
}

void pli_mollifier_gradient(const pli_mollifier* m, double s, double* g) {
    double z[SIZE];
    square_gradient(m, z);
    pli_axpy(s * m->first, z, g, SIZE);
}

// H += s (y z^T + z y^T)
static void add_symmetric(double s, const double y[SIZE], const double z[SIZE], double* H) {
    for (int i = 0; i < SIZE; ++i)
        for (int j = 0; j < SIZE; ++j) H[i * SIZE + j] += s * (y[i] * z[j] + z[i] * y[j]);
}

// d2x/du2 = 2 (|v|^2 I - v v^T), d2x/dv2 likewise, d2x/dudv = 4 u v^T - 2 v u^T - 2 u.v I.
void pli_mollifier_hessian(const pli_mollifier* m, double s, double* H) {
    static const double sign[4] = {-1, 1, -1, 1};
    const double *u = m->u, *v = m->v;
    double uu = pli_dot(u, u, 3), vv = pli_dot(v, v, 3), uv = pli_dot(u, v, 3), z[SIZE];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double same = i == j, f = s * m->first;
            double blocks[4] = {
                2 * (vv * same - v[i] * v[j]), 4 * u[i] * v[j] - 2 * v[i] * u[j] - 2 * uv * same,
                4 * v[i] * u[j] - 2 * u[i] * v[j] - 2 * uv * same, 2 * (uu * same - u[i] * u[j])};
            for (int a = 0; a < 4; ++a)
                for (int b = 0; b < 4; ++b)
                    H[(3 * a + i) * SIZE + 3 * b + j] +=
                        f * sign[a] * sign[b] * blocks[2 * (a / 2) + b / 2];
        }
    square_gradient(m, z);
    add_symmetric(0.5 * s * m->second, z, z, H);
}

double pli_mollified_value(const pli_mollifier* m, const pli_barrier_values* psi) {
    return isfinite(psi->value) ? m->value * psi->value : HUGE_VAL;
}

void pli_mollified_gradient(const pli_mollifier* m, const pli_closest* pair,
                            const pli_barrier_values* psi, double* g) {
    pli_closest_gradient(pair, m->value * psi->first, g);
    if (m->first > 0) pli_mollifier_gradient(m, psi->value, g);
}

// psi' / d for the frame; a touching pair has no derivatives.
static double over_distance(const pli_closest* pair, double first) {
    return pair->distance > 0 ? first / pair->distance : 0;
}

void pli_mollified_hessian(const pli_mollifier* m, const pli_closest* pair,
                           const pli_barrier_values* psi, double* H) {
    pli_closest_hessian(pair, m->value * psi->second, over_distance(pair, m->value * psi->first),
                        H);
    if (!(m->first > 0)) return;
    double dm[SIZE] = {0}, dpsi[SIZE] = {0};
    pli_mollifier_gradient(m, 1, dm);
    pli_closest_gradient(pair, psi->first, dpsi);
    add_symmetric(1, dm, dpsi, H);
    pli_mollifier_hessian(m, psi->value, H);
}

typedef struct terms {
    int count;
    double scale[MAX_TERMS], z[MAX_TERMS][SIZE]; // sum of scale z z^T
} terms;

static void add_term(double scale, const double by_u[3], const double by_v[3], terms* out) {
    out->scale[out->count] = scale;
    spread(by_u, by_v, out->z[out->count++]);
}

// The part of d2y, times f / y with f = y dm/dy psi >= 0. The positive square a, b is
// (|v| a - (u.v / |v|) b)^2 + (y / |v|)^2 b^2, with the longer edge as v.
static void add_curvature(const pli_mollifier* m, double f, double y, const double n[3],
                          terms* out) {
    double uu = pli_dot(m->u, m->u, 3), vv = pli_dot(m->v, m->v, 3), uv = pli_dot(m->u, m->v, 3);
    bool swap = uu > vv;
    const double* longer = swap ? m->u : m->v;
    double length = sqrt(fmax(uu, vv)), a[3], b[3], t1[3], t2[3], minus_t1[3], none[3] = {0};
    for (int k = 0; k < 3; ++k) {
        a[k] = length * n[k];
        b[k] = -uv / length * n[k];
        t1[k] = longer[k] / length;
        minus_t1[k] = -t1[k];
    }
    pli_cross3(n, t1, t2);
    add_term(f, swap ? b : a, swap ? a : b, out);
    for (int k = 0; k < 3; ++k) b[k] = y / length * n[k];
    add_term(f, swap ? b : none, swap ? none : b, out);
    add_term(0.5 * f * y, t1, t2, out);
    add_term(0.5 * f * y, t2, minus_t1, out);
}

// The part of (d, y): second derivatives of m(y) psi(d) times the gradients of d and y. Its 2x2
// matrix is clamped on the scale of their lengths. d and y have orthogonal gradients inside.
static void add_product(const pli_mollifier* m, const pli_closest* pair,
                        const pli_barrier_values* psi, double y, const double n[3], terms* out) {
    double by_u[3], by_v[3], z[2][SIZE] = {{0}}, length[2];
    pli_cross3(m->v, n, by_u);
    pli_cross3(n, m->u, by_v);
    spread(by_u, by_v, z[1]);
    pli_closest_gradient(pair, 1, z[0]);
    for (int i = 0; i < 2; ++i) length[i] = pli_norm(z[i], SIZE);
    // dm/dy = 2 y dm/dx, d2m/dy2 = 2 dm/dx + 4 y^2 d2m/dx2
    double dy = 2 * y * m->first, dyy = 2 * m->first + 4 * y * y * m->second;
    double M[4] = {m->value * psi->second * length[0] * length[0],
                   dy * psi->first * length[0] * length[1], 0,
                   dyy * psi->value * length[1] * length[1]};
    M[2] = M[1];
    double values[2], V[4];
    pli_eigen_symmetric(2, M, values, V);
    for (int j = 0; j < 2; ++j) {
        if (!(values[j] > 0)) continue;
        out->scale[out->count] = values[j];
        for (int i = 0; i < SIZE; ++i)
            out->z[out->count][i] = V[j] * z[0][i] / length[0] + V[2 + j] * z[1][i] / length[1];
        out->count++;
    }
}

// n: the cross product, orthogonalized against the longer edge again (rounding matters where the
// edges are almost parallel); any perpendicular if they are parallel. False if both have zero
// length.
static bool plane_normal(const pli_mollifier* m, double y, double n[3]) {
    const double* longer = pli_dot(m->u, m->u, 3) > pli_dot(m->v, m->v, 3) ? m->u : m->v;
    double length = pli_norm(longer, 3), t[3];
    if (!(length > 0)) return false;
    for (int i = 0; i < 3; ++i) {
        t[i] = longer[i] / length;
        n[i] = y > 0 ? m->cross[i] / y : 0;
    }
    pli_axpy(-pli_dot(n, t, 3), t, n, 3);
    double left = pli_norm(n, 3);
    if (left > 0.1)
        for (int i = 0; i < 3; ++i) n[i] /= left;
    else
        pli_any_perpendicular(3, t, n);
    return true;
}

void pli_mollified_hessian_psd(const pli_mollifier* m, const pli_closest* pair,
                               const pli_barrier_values* psi, double* H) {
    double k = over_distance(pair, m->value * psi->first);
    if (!(m->first > 0)) {
        pli_closest_hessian_psd(pair, psi->second, k, H);
        return;
    }
    pli_closest_hessian_psd(pair, 0, k, H);
    double y = pli_norm(m->cross, 3), n[3];
    if (!plane_normal(m, y, n)) return; // two points: x has no second derivatives
    terms sum;
    sum.count = 0;
    add_product(m, pair, psi, y, n, &sum);
    add_curvature(m, 2 * m->first * psi->value, y, n, &sum);
    for (int s = 0; s < sum.count; ++s)
        for (int i = 0; i < SIZE; ++i)
            pli_axpy(sum.scale[s] * sum.z[s][i], sum.z[s], H + i * SIZE, SIZE);
}
