// Derivatives of distances by the frame of closest points.
//
// d^2 = min over parameters of |w|^2, w linear in the parameters and in the vertices. The envelope
// theorem gives, with orthonormal tangents t_k and the weights' changes g_k = dc / dt_k,
//   d(d^2)/dx = 2 c (x) w,
//   d2(d^2)/dx2 = 2 c c^T (x) I - 2 sum_k v_k v_k^T,   v_k = d g_k (x) n + c (x) t_k,
// so that with k = psi'/d
//   H = psi'' (cn)(cn)^T + k [c c^T (x) Q - sum_k (d^2 g_k g_k^T (x) n n^T
//       + d g_k c^T (x) n t_k^T + d c g_k^T (x) t_k n^T)],   Q = I - n n^T - sum_k t_k t_k^T.
#include "contact/closest.h"

#include "base/base.h"
#include "contact/ccd.h"
#include "contact/distance.h"
#include "contact/local.h"
#include "math/vec.h"

enum { MAX_SIZE = 3 * PLI_CLOSEST_MAX };

// Areas squared below this have lost digits to underflow [m^4].
static const double tiny_area2 = 1e-290;

// Where |u x v|^2 is less than this fraction of |u|^2 |v|^2 the products of u x v cancel so much
// that they are computed in twice the precision.
static const double thin_share = 1e-4;

void pli_closest_gradient(const pli_closest* pair, double first, double* g) {
    pli_local_add_vector(pair->width, 3, first, pair->c, pair->normal, g);
}

// Q = I - n n^T - sum_k t_k t_k^T; it is 0 with two tangents.
static void across(const pli_closest* pair, double Q[9]) {
    const double* n = pair->normal;
    double b[3];
    pli_cross3(n, pair->tangent[0], b);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            Q[3 * i + j] = pair->glide_count == 0   ? (i == j) - n[i] * n[j]
                           : pair->glide_count == 1 ? b[i] * b[j]
                                                    : 0;
}

void pli_closest_hessian(const pli_closest* pair, double second, double k, double* H) {
    const double *c = pair->c, *n = pair->normal, d = pair->distance;
    int width = pair->width, size = 3 * width;
    double Q[9];
    across(pair, Q);
    for (int i = 0; i < width; ++i)
        for (int j = 0; j < width; ++j)
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b) {
                    double sum = c[i] * c[j] * (second * n[a] * n[b] + k * Q[3 * a + b]);
                    for (int s = 0; s < pair->glide_count; ++s) {
                        const double *t = pair->tangent[s], *g = pair->glide[s];
                        sum -= k * d *
                               (d * g[i] * g[j] * n[a] * n[b] + g[i] * c[j] * n[a] * t[b] +
                                c[i] * g[j] * t[a] * n[b]);
                    }
                    H[(3 * i + a) * size + 3 * j + b] += sum;
                }
}

// Rotates the tangents in their plane so that the changes of the weights are orthogonal too.
static void align_glides(pli_closest* pair) {
    double *g0 = pair->glide[0], *g1 = pair->glide[1];
    double cross = pli_dot(g0, g1, 4);
    if (cross == 0) return;
    double theta = (pli_dot(g1, g1, 4) - pli_dot(g0, g0, 4)) / (2 * cross);
    double tangent = (theta < 0 ? -1 : 1) / (fabs(theta) + sqrt(1 + theta * theta));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (int i = 0; i < 4; ++i) {
        double a = g0[i], b = g1[i];
        g0[i] = cosine * a - sine * b;
        g1[i] = sine * a + cosine * b;
    }
    for (int i = 0; i < 3; ++i) {
        double a = pair->tangent[0][i], b = pair->tangent[1][i];
        pair->tangent[0][i] = cosine * a - sine * b;
        pair->tangent[1][i] = sine * a + cosine * b;
    }
}

// The part of psi' splits into k c c^T (x) Q <= 0, which is dropped, and for each tangent a matrix
// on the orthonormal directions h (x) n, c1 (x) t (h = g / |g|, c1 = c / |c|):
//   kappa [r^2, r; r, 0],   kappa = -k |c|^2 >= 0,   r = d |g| / |c|.
// Its positive eigenvalue is kappa r m, m = r/2 + sqrt(1 + r^2/4), with eigenvector (m, 1).
static double bending_direction(const pli_closest* pair, double kappa, double length, int s,
                                double z[MAX_SIZE]) {
    const double *g = pair->glide[s], *t = pair->tangent[s];
    double steepness = sqrt(pli_dot(g, g, 4));
    if (steepness == 0) return 0;
    double r = pair->distance * steepness / length, m = 0.5 * r + sqrt(1 + 0.25 * r * r);
    for (int i = 0; i < pair->width; ++i)
        for (int a = 0; a < 3; ++a)
            z[3 * i + a] = m * g[i] / steepness * pair->normal[a] + pair->c[i] / length * t[a];
    return kappa * r * m / (1 + m * m);
}

void pli_closest_hessian_psd(const pli_closest* pair, double second, double k, double* H) {
    PLI_ASSERT(second >= 0 && k <= 0);
    pli_closest turned = *pair;
    double scale[3] = {second, 0, 0}, z[3][MAX_SIZE] = {{0}};
    double length = sqrt(pli_dot(pair->c, pair->c, 4));
    if (pair->glide_count == 2) align_glides(&turned);
    pli_local_add_vector(pair->width, 3, 1, pair->c, pair->normal, z[0]);
    for (int s = 0; s < pair->glide_count; ++s)
        scale[s + 1] = bending_direction(&turned, -k * length * length, length, s, z[s + 1]);
    int size = 3 * pair->width;
    for (int i = 0; i < size; ++i) {
        double a = scale[0] * z[0][i], b = scale[1] * z[1][i], c = scale[2] * z[2][i];
        for (int j = 0; j < size; ++j) H[i * size + j] += a * z[0][j] + b * z[1][j] + c * z[2][j];
    }
}

// a b - c d within two roundings of the result: the error of c d is known from fma.
static double difference_of_products(double a, double b, double c, double d) {
    double cd = c * d, error = fma(-c, d, cd);
    return fma(a, b, -cd) + error;
}

static void precise_cross(const double a[3], const double b[3], double out[3]) {
    out[0] = difference_of_products(a[1], b[2], a[2], b[1]);
    out[1] = difference_of_products(a[2], b[0], a[0], b[2]);
    out[2] = difference_of_products(a[0], b[1], a[1], b[0]);
}

// With N = u x v and q' = q - height n: q' x v = coordinates[0] N, u x q' = coordinates[1] N.
// Subtracting the height first keeps its error out of the coordinates of a thin plane.
bool pli_split_by_plane(const double u[3], const double v[3], const double q[3],
                        pli_plane_split* out) {
    double N[3], in_plane[3], qv[3], uq[3];
    pli_cross3(u, v, N);
    double area2 = pli_dot(N, N, 3);
    bool thin = !(area2 >= thin_share * pli_dot(u, u, 3) * pli_dot(v, v, 3));
    if (thin) {
        precise_cross(u, v, N);
        area2 = pli_dot(N, N, 3);
    }
    if (!(area2 > tiny_area2)) return false;
    out->area = sqrt(area2);
    for (int k = 0; k < 3; ++k) out->normal[k] = N[k] / out->area;
    out->height = pli_dot(q, out->normal, 3);
    for (int k = 0; k < 3; ++k) in_plane[k] = q[k] - out->height * out->normal[k];
    (thin ? precise_cross : pli_cross3)(in_plane, v, qv);
    (thin ? precise_cross : pli_cross3)(u, in_plane, uq);
    out->coordinates[0] = pli_dot(qv, out->normal, 3) / out->area;
    out->coordinates[1] = pli_dot(uq, out->normal, 3) / out->area;
    return true;
}

// t_0 = u / |u|, t_1 = n x t_0; with v = v_0 t_0 + v_1 t_1, v_1 = |u x v| / |u|:
// t_0 = u / |u| and t_1 = (v - v_0 / |u| u) / v_1.
void pli_closest_inside(const double u[3], const pli_plane_split* split, const double v[3],
                        const double along[2][PLI_CLOSEST_MAX], pli_closest* closest) {
    double length = pli_norm(u, 3), sign = split->height < 0 ? -1 : 1;
    closest->distance = fabs(split->height);
    closest->glide_count = 2;
    for (int k = 0; k < 3; ++k) {
        closest->normal[k] = sign * split->normal[k];
        closest->tangent[0][k] = u[k] / length;
    }
    pli_cross3(split->normal, closest->tangent[0], closest->tangent[1]);
    double v0 = pli_dot(v, closest->tangent[0], 3), v1 = split->area / length;
    for (int i = 0; i < PLI_CLOSEST_MAX; ++i) {
        closest->glide[0][i] = -along[0][i] / length;
        closest->glide[1][i] = -(along[1][i] - v0 / length * along[0][i]) / v1;
    }
}

// As the closest point moves by t along the edge, w changes by -side t.
void pli_closest_take_point_edge(const double* const* x, const int vertices[3], int side,
                                 pli_closest* closest) {
    const double *p = x[vertices[0]], *e0 = x[vertices[1]], *e1 = x[vertices[2]];
    pli_point_edge pair;
    pli_point_edge_closest(3, p, e0, e1, &pair);
    if (pair.distance >= closest->distance || isnan(closest->distance)) return; // NaN stays
    *closest = (pli_closest){.width = closest->width, .distance = pair.distance};
    for (int k = 0; k < 3; ++k) {
        closest->normal[k] = side * pair.normal[k];
        closest->c[vertices[k]] = side * pair.c[k];
    }
    closest->active = 1u << vertices[0];
    if (pair.feature != PLI_NEAR_E1) closest->active |= 1u << vertices[1];
    if (pair.feature != PLI_NEAR_E0) closest->active |= 1u << vertices[2];
    if (pair.feature != PLI_NEAR_LINE) return;
    double length = sqrt(pli_point_point_distance2(3, e0, e1));
    closest->glide_count = 1;
    for (int k = 0; k < 3; ++k) closest->tangent[0][k] = pair.tangent[k];
    closest->glide[0][vertices[1]] = -1 / length;
    closest->glide[0][vertices[2]] = 1 / length;
}

// ---- closest points of pairs

// Closest points of the four pairs of primitives in space.
//
// A pair with two parameters is first decomposed in the plane of its directions. If the closest
// points of the plane or lines lie inside, they are the answer. If not, the answer lies on one of
// the violated sides: the minimum of a convex function over a convex set lies on a constraint that
// the unconstrained minimum violates. A wrong choice due to rounding is equivalent to a
// perturbation of the vertices by a few roundings.

static pli_closest unknown(int width) {
    return (pli_closest){.width = width, .distance = HUGE_VAL};
}

void pli_point_point_closest(const double* const* x, pli_closest* out) {
    const double* as_edge[3] = {x[0], x[1], x[1]};
    pli_point_segment_closest(as_edge, out);
    out->width = 2;
}

void pli_point_segment_closest(const double* const* x, pli_closest* out) {
    static const int vertices[3] = {0, 1, 2};
    *out = unknown(3);
    pli_closest_take_point_edge(x, vertices, 1, out);
}

// q = p - t0 = alpha (t1 - t0) + beta (t2 - t0) + height n.
void pli_point_triangle_closest(const double* const* x, pli_closest* out) {
    static const int sides[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    static const double along[2][PLI_CLOSEST_MAX] = {{0, 1, -1, 0}, {0, 1, 0, -1}};
    double u[3], v[3], q[3];
    pli_sub(x[2], x[1], u, 3);
    pli_sub(x[3], x[1], v, 3);
    pli_sub(x[0], x[1], q, 3);
    *out = unknown(4);
    pli_plane_split split;
    bool beyond[3] = {true, true, true};
    if (pli_split_by_plane(u, v, q, &split)) {
        double alpha = split.coordinates[0], beta = split.coordinates[1], rest = 1 - alpha - beta;
        beyond[0] = !(beta > 0);
        beyond[1] = !(rest > 0);
        beyond[2] = !(alpha > 0);
        if (!beyond[0] && !beyond[1] && !beyond[2]) {
            *out = (pli_closest){.width = 4, .active = 15, .c = {1, -rest, -alpha, -beta}};
            pli_closest_inside(u, &split, v, along, out);
            return;
        }
    }
    for (int side = 0; side < 3; ++side)
        if (beyond[side]) pli_closest_take_point_edge(x, sides[side], 1, out);
}

// w = q + s u - r v with q = a0 - b0 is along n where s = -coordinates[0], r = coordinates[1].
void pli_edge_edge_closest(const double* const* x, pli_closest* out) {
    static const int sides[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    static const double along[2][PLI_CLOSEST_MAX] = {{1, -1, 0, 0}, {0, 0, 1, -1}};
    double u[3], v[3], q[3];
    pli_sub(x[1], x[0], u, 3);
    pli_sub(x[3], x[2], v, 3);
    pli_sub(x[0], x[2], q, 3);
    *out = unknown(4);
    pli_plane_split split;
    bool beyond[4] = {true, true, true, true};
    if (pli_split_by_plane(u, v, q, &split)) {
        double s = -split.coordinates[0], r = split.coordinates[1];
        beyond[0] = !(s > 0);
        beyond[1] = !(s < 1);
        beyond[2] = !(r > 0);
        beyond[3] = !(r < 1);
        if (!beyond[0] && !beyond[1] && !beyond[2] && !beyond[3]) {
            *out = (pli_closest){.width = 4, .active = 15, .c = {1 - s, s, r - 1, -r}};
            pli_closest_inside(u, &split, v, along, out);
            return;
        }
    }
    for (int side = 0; side < 4; ++side)
        if (beyond[side]) pli_closest_take_point_edge(x, sides[side], side < 2 ? 1 : -1, out);
}

// ---- kinds of pairs

// The table.

const pli_space_pair pli_space_pairs[PLI_SPACE_PAIR_COUNT] = {
    {"point-triangle",
     1,
     3,
     false,
     {pli_ccd_point_triangle, pli_point_triangle_clearance},
     pli_point_triangle_closest},
    {"edge-edge", 2, 2, true, {pli_ccd_edge_edge, pli_edge_edge_clearance}, pli_edge_edge_closest},
    {"point-edge",
     1,
     2,
     false,
     {pli_ccd_point_edge, pli_point_edge_clearance},
     pli_point_segment_closest},
    {"point-point",
     1,
     1,
     false,
     {pli_ccd_point_point, pli_point_point_clearance},
     pli_point_point_closest},
};

const pli_space_pair* pli_space_pair_of(int a_width, int b_width) {
    for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i)
        if (pli_space_pairs[i].a_width == a_width && pli_space_pairs[i].b_width == b_width)
            return &pli_space_pairs[i];
    return NULL;
}
