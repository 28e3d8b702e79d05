// Point-edge distance by the frame of closest points.
//
// d^2 = min over r of |w|^2, w = sum_i c_i(r) y_i with y = (p, e0, e1). The envelope theorem gives
//   d(d^2)/dy = 2 c (x) w,
//   d2(d^2)/dy2 = 2 c c^T (x) I - 2 v v^T,   v = (d / l) c' (x) n - c (x) t,   c' = (0, 1, -1),
// where n = w / d, t = (e1 - e0) / l, l = |e1 - e0|; at an end r is fixed and v = 0.
// All derivatives therefore lie in the directions c (x) n, c' (x) n, c (x) t and, in space, c (x) b
// with b = n x t, and the eigenproblem of a 6x6 or 9x9 matrix reduces to a 3x3 one.
#include "contact/distance.h"

#include "base/base.h"
#include "contact/local.h"
#include "math/vec.h"

// Squared lengths below this have lost digits to underflow [m^2].
static const double tiny_square = 1e-290;

static const double c_prime[3] = {0, 1, -1};

double pli_point_point_distance2(int dim, const double* p, const double* q) {
    double w[3];
    pli_sub(p, q, w, dim);
    return pli_dot(w, w, dim);
}

static void closest_end(int dim, const double* p, const double* e, pli_point_edge* out) {
    double w[3] = {0};
    pli_sub(p, e, w, dim);
    out->distance = pli_norm(w, dim);
    if (out->distance > 0)
        for (int k = 0; k < 3; ++k) out->normal[k] = w[k] / out->distance;
    else
        pli_any_perpendicular(dim, out->tangent, out->normal);
}

// The perpendicular w = (u x q) x u / |u|^2, q = p - e0: in the plane its direction is as precise
// as the tangent, however small d is; d carries an error of about eps |q|, as the positions do.
static void closest_on_line(int dim, const double u[3], const double q[3], double length,
                            pli_point_edge* out) {
    double k[3] = {u[1] * q[2] - u[2] * q[1], u[2] * q[0] - u[0] * q[2], pli_cross2(u, q)};
    double area = dim == 2 ? fabs(k[2]) : pli_norm(k, 3);
    for (int i = 0; i < 3; ++i) out->tangent[i] = u[i] / length;
    out->distance = area / length;
    out->slope = out->distance / length;
    const double* t = out->tangent;
    if (dim == 2) {
        double sign = k[2] < 0 ? -1 : 1;
        out->normal[0] = -sign * t[1];
        out->normal[1] = sign * t[0];
        return;
    }
    // k is perpendicular to u only up to rounding, which dominates where d is of that size.
    double length_of_normal = 0;
    if (area > 0) {
        for (int i = 0; i < 3; ++i) k[i] /= area;
        pli_cross3(k, t, out->normal);
        length_of_normal = pli_norm(out->normal, 3);
    }
    if (length_of_normal > 0.1)
        for (int i = 0; i < 3; ++i) out->normal[i] /= length_of_normal;
    else
        pli_any_perpendicular(dim, t, out->normal);
}

void pli_point_edge_closest(int dim, const double* p, const double* e0, const double* e1,
                            pli_point_edge* out) {
    double u[3] = {0}, q[3] = {0};
    pli_sub(e1, e0, u, dim);
    pli_sub(p, e0, q, dim);
    double uu = pli_dot(u, u, dim), uq = pli_dot(u, q, dim);
    *out = (pli_point_edge){.c = {1, -1, 0}};
    if (!(uu > tiny_square) || uq <= 0) {
        out->feature = PLI_NEAR_E0;
        closest_end(dim, p, e0, out);
    } else if (uq >= uu) {
        out->feature = PLI_NEAR_E1;
        out->r = 1;
        out->c[1] = 0;
        out->c[2] = -1;
        closest_end(dim, p, e1, out);
    } else {
        out->feature = PLI_NEAR_LINE;
        out->r = uq / uu;
        out->c[1] = out->r - 1;
        out->c[2] = -out->r;
        closest_on_line(dim, u, q, sqrt(uu), out);
    }
}

void pli_point_edge_gradient(const pli_point_edge* pair, int dim, double first, double* g) {
    pli_local_add_vector(3, dim, first, pair->c, pair->normal, g);
}

// N += s (a b^T + b a^T)
static void add_symmetric(double s, const double a[3], const double b[3], double N[9]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) N[3 * i + j] += s * (a[i] * b[j] + b[i] * a[j]);
}

// H += N (x) n n^T + X (x) n t^T + X^T (x) t n^T
static void add_frame(const pli_point_edge* pair, int dim, const double N[9], const double X[9],
                      double* H) {
    double Xt[9];
    for (int i = 0; i < 9; ++i) Xt[i] = X[3 * (i % 3) + i / 3];
    pli_local_add_matrix(3, dim, N, pair->normal, pair->normal, H);
    pli_local_add_matrix(3, dim, X, pair->normal, pair->tangent, H);
    pli_local_add_matrix(3, dim, Xt, pair->tangent, pair->normal, H);
}

// With k = psi'/d and a = d / l the terms in (c (x) t)(c (x) t)^T cancel on the line, and
//   H = psi'' (cn)(cn)^T - k [a^2 (c'n)(c'n)^T - a ((c'n)(ct)^T + (ct)(c'n)^T)] + k (cb)(cb)^T;
// at an end H = psi'' (cn)(cn)^T + k c c^T (x) (I - n n^T).
void pli_point_edge_hessian(const pli_point_edge* pair, int dim, double second, double k,
                            double* H) {
    const double *c = pair->c, *n = pair->normal, *t = pair->tangent;
    if (pair->feature == PLI_NEAR_LINE) {
        double N[9] = {0}, X[9], a = pair->slope;
        add_symmetric(0.5 * second, c, c, N);
        add_symmetric(-0.5 * k * a * a, c_prime, c_prime, N);
        for (int i = 0; i < 9; ++i) X[i] = k * a * c_prime[i / 3] * c[i % 3];
        add_frame(pair, dim, N, X, H);
        if (dim == 2) return;
        double b[3] = {n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2], pli_cross2(n, t)};
        pli_local_add_square(3, dim, k, c, b, H);
        return;
    }
    pli_local_add_square(3, dim, second - k, c, n, H);
    for (int axis = 0; axis < dim; ++axis) {
        double unit[3] = {axis == 0, axis == 1, axis == 2};
        pli_local_add_square(3, dim, k, c, unit, H);
    }
}

// M = [P + f s^2, f s q, g s; f s q, f q^2, g q; g s, g q, 0] with P, f >= 0 has exactly one
// negative eigenvalue -mu if g != 0. It is the root of the secular equation
//   F(mu) = mu - g^2 (mu m + P q^2) / D(mu) = 0,   D = P (f q^2 + mu) + mu (f m + mu),  m =
//   s^2+q^2,
// in which nothing cancels. As a function of -mu it is increasing and convex, so Newton's method
// from mu = |g| sqrt(m) >= root steps once to mu in (0, root] and then rises to the root
// monotonically. `y` gets the eigenvector (y0, y1, 1).
static double negative_part(double P, double f, double g, const double sq[2], double y[2]) {
    enum { MAX_ITERATIONS = 40 };
    double s = sq[0], q = sq[1], m = s * s + q * q;
    double mu = fabs(g) * sqrt(m);
    for (int i = 0; i < MAX_ITERATIONS; ++i) {
        double D = P * (f * q * q + mu) + mu * (f * m + mu);
        y[0] = -g * mu * s / D;
        y[1] = -g * (P + mu) * q / D;
        double F = mu - g * g * (mu * m + P * q * q) / D;
        double step = F / (1 + y[0] * y[0] + y[1] * y[1]);
        mu -= step;
        if (fabs(step) <= 1e-15 * mu) break;
    }
    return mu;
}

// In the orthonormal basis (c1 (x) n, c2 (x) n, c1 (x) t), c1 = c / |c|, c' = s c1 + q c2, the
// line's H is the matrix M of negative_part with P = psi'' |c|^2, f = -k a^2, g = k a |c|; adding
// mu z z^T / |z|^2 with z = (y, 1) removes its only negative eigenvalue. k (cb)(cb)^T <= 0 is
// dropped.
static void line_psd(const pli_point_edge* pair, int dim, double second, double k, double* H) {
    double length = sqrt(pli_dot(pair->c, pair->c, 3)), c1[3], c2[3], sq[2], y[2] = {0};
    for (int i = 0; i < 3; ++i) c1[i] = pair->c[i] / length;
    sq[0] = pli_dot(c_prime, c1, 3);
    sq[1] = sqrt(2 - sq[0] * sq[0]); // |c'|^2 = 2 and |s| <= 1/sqrt(2)
    for (int i = 0; i < 3; ++i) c2[i] = (c_prime[i] - sq[0] * c1[i]) / sq[1];
    double P = second * length * length, f = -k * pair->slope * pair->slope;
    double g = k * pair->slope * length;
    double mu = g != 0 ? negative_part(P, f, g, sq, y) : 0;
    double w = mu / (1 + y[0] * y[0] + y[1] * y[1]);
    double N[9] = {0}, X[9];
    add_symmetric(0.5 * (P + f * sq[0] * sq[0] + w * y[0] * y[0]), c1, c1, N);
    add_symmetric(f * sq[0] * sq[1] + w * y[0] * y[1], c1, c2, N);
    add_symmetric(0.5 * (f * sq[1] * sq[1] + w * y[1] * y[1]), c2, c2, N);
    for (int i = 0; i < 9; ++i)
        X[i] =
            ((g * sq[0] + w * y[0]) * c1[i / 3] + (g * sq[1] + w * y[1]) * c2[i / 3]) * c1[i % 3];
    add_frame(pair, dim, N, X, H);
    pli_local_add_square(3, dim, w, c1, pair->tangent, H);
}

void pli_point_edge_hessian_psd(const pli_point_edge* pair, int dim, double second, double k,
                                double* H) {
    PLI_ASSERT(second >= 0 && k <= 0);
    if (pair->feature == PLI_NEAR_LINE)
        line_psd(pair, dim, second, k, H);
    else // eigenvalues 2 psi'' >= 0 along c (x) n and 2 k <= 0 across
        pli_local_add_square(3, dim, second, pair->c, pair->normal, H);
}
