// Triangles in space as sheets: axes, deformation gradient, singular values, local matrices.
#include "energy/sheet.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/small.h"
#include "math/vec.h"

// ---- the rest shape

// The edges from the first vertex and the unit normal; returns the length of their cross product.
static double measure(const pli_element* element, double d[2][3], double n[3]) {
    const double* x = element->rest;
    const int32_t* v = element->vertices;
    for (int k = 0; k < 2; ++k) pli_sub(x + 3 * (size_t)v[k + 1], x + 3 * (size_t)v[0], d[k], 3);
    pli_cross3(d[0], d[1], n);
    double length = pli_norm(n, 3);
    for (int r = 0; r < 3 && length > 0; ++r) n[r] /= length;
    return length;
}

pli_status pli_sheet_axes(const pli_element* element, const double* warp, double a[3], double b[3],
                          pli_error* error) {
    static const double across = 2e-3; // sine of the smallest angle between warp and normal
    static const double axes[2][3] = {{1, 0, 0}, {0, 1, 0}};
    double d[2][3], n[3], length = warp ? pli_norm(warp, 3) : 0;
    if (!(measure(element, d, n) > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "the triangle has no area at rest");
    for (int i = 0; i < 2; ++i) {
        for (int r = 0; r < 3; ++r) a[r] = length > 0 ? warp[r] / length : axes[i][r];
        pli_axpy(-pli_dot(a, n, 3), n, a, 3);
        double rest = pli_norm(a, 3);
        if (length > 0 && rest < across)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "the direction of the warp (%g, %g, %g) is normal to the triangle: "
                            "choose warp_x, warp_y, warp_z along the sheet",
                            warp[0], warp[1], warp[2]);
        for (int r = 0; r < 3 && rest > 0; ++r) a[r] /= rest;
        if (rest >= across) break;
    }
    pli_cross3(n, a, b);
    return PLI_OK;
}

// Edges from the first vertex as columns, in the axes of a flat pattern: its own, or `warp` in it.
static pli_status pattern_edges(const double* p, const double* warp, double Dm[4], double* det,
                                pli_error* error) {
    double length = warp ? pli_norm(warp, 2) : 0;
    if (warp && length == 0 && warp[2] != 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the direction of the warp is normal to the pattern: give warp_x, warp_y "
                        "in the pattern, or none");
    double c = length > 0 ? warp[0] / length : 1, s = length > 0 ? warp[1] / length : 0;
    for (int k = 0; k < 2; ++k) {
        double u = p[2 * (k + 1)] - p[0], v = p[2 * (k + 1) + 1] - p[1];
        Dm[k] = c * u + s * v;
        Dm[2 + k] = c * v - s * u;
    }
    *det = Dm[0] * Dm[3] - Dm[1] * Dm[2];
    return PLI_OK;
}

// The same in the axes of the triangle at rest.
static pli_status space_edges(const pli_element* element, const double* warp, double Dm[4],
                              double* det, pli_error* error) {
    double a[3], b[3], d[2][3], n[3];
    PLI_TRY(pli_sheet_axes(element, warp, a, b, error));
    *det = measure(element, d, n);
    for (int k = 0; k < 2; ++k) {
        Dm[k] = pli_dot(d[k], a, 3);
        Dm[2 + k] = pli_dot(d[k], b, 3);
    }
    return PLI_OK;
}

pli_status pli_sheet_edges(const pli_element* element, const double* warp, double Dm[4],
                           double* det, pli_error* error) {
    return element->pattern ? pattern_edges(element->pattern, warp, Dm, det, error)
                            : space_edges(element, warp, Dm, det, error);
}

pli_status pli_sheet_prepare(const pli_element* element, const double* warp, pli_sheet* sheet,
                             pli_error* error) {
    double Dm[4], det;
    PLI_TRY(pli_sheet_edges(element, warp, Dm, &det, error));
    if (!(element->thickness > 0))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the body has no thickness: set thickness of the body");
    if (!(fabs(det) > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "the triangle has no area at rest");
    sheet->volume = 0.5 * fabs(det) * element->thickness;
    sheet->B[0] = Dm[3] / det;
    sheet->B[1] = -Dm[1] / det;
    sheet->B[2] = -Dm[2] / det;
    sheet->B[3] = Dm[0] / det;
    return PLI_OK;
}

// ---- between vertices and F

void pli_sheet_gradient(const pli_sheet* sheet, const int32_t* vertices, const double* x,
                        double F[6]) {
    const double* B = sheet->B;
    for (int r = 0; r < 3; ++r) {
        double x0 = x[3 * (size_t)vertices[0] + (size_t)r];
        double d1 = x[3 * (size_t)vertices[1] + (size_t)r] - x0;
        double d2 = x[3 * (size_t)vertices[2] + (size_t)r] - x0;
        F[r] = d1 * B[0] + d2 * B[2];
        F[3 + r] = d1 * B[1] + d2 * B[3];
    }
}

void pli_sheet_add_force(const pli_sheet* sheet, const double P[6], double* g) {
    for (int k = 0; k < 2; ++k)
        for (int r = 0; r < 3; ++r) {
            double f = sheet->volume * (P[r] * sheet->B[2 * k] + P[3 + r] * sheet->B[2 * k + 1]);
            g[3 * (k + 1) + r] += f;
            g[r] -= f;
        }
}

void pli_sheet_add_stiffness(const pli_sheet* sheet, const double K[36], double* H) {
    const double w = sheet->volume, *B = sheet->B;
    const double G[3][2] = {{-B[0] - B[2], -B[1] - B[3]}, {B[0], B[1]}, {B[2], B[3]}};
    double half[9][6]; // G K: rows of vertices, columns of F
    for (int v = 0; v < 3; ++v)
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 6; ++c)
                half[3 * v + r][c] = w * (G[v][0] * K[6 * r + c] + G[v][1] * K[6 * (3 + r) + c]);
    for (int i = 0; i < 9; ++i)
        for (int j = 0; j <= i; ++j) {
            double h = half[i][j % 3] * G[j / 3][0] + half[i][3 + j % 3] * G[j / 3][1];
            H[9 * i + j] += h;
            if (j < i) H[9 * j + i] += h;
        }
}

void pli_sheet_add_stress(const double F[6], const double P[6], double out[6]) {
    static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
    double n[3];
    pli_cross3(F, F + 3, n);
    double J = pli_norm(n, 3);
    for (int i = 0; i < 6 && J > 0; ++i)
        out[i] += (P[rows[i]] * F[columns[i]] + P[3 + rows[i]] * F[3 + columns[i]]) / J;
}

// dE11 = y . dy, dE22 = z . dz, 2 dE12 = y . dz + z . dy with y = F e1, z = F e2
void pli_sheet_material_stiffness(const double F[6], const double c[4], double K[36]) {
    const double *y = F, *z = F + 3;
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) {
            K[6 * r + k] = c[0] * y[r] * y[k] + c[3] * z[r] * z[k];
            K[6 * (3 + r) + 3 + k] = c[2] * z[r] * z[k] + c[3] * y[r] * y[k];
            K[6 * r + 3 + k] = K[6 * (3 + k) + r] = c[1] * y[r] * z[k] + c[3] * z[r] * y[k];
        }
}

// ---- singular values

// A unit vector perpendicular to the unit vector u.
static void perpendicular(const double u[3], double out[3]) {
    int least = fabs(u[0]) < fabs(u[1]) ? 0 : 1;
    if (fabs(u[2]) < fabs(u[least])) least = 2;
    for (int r = 0; r < 3; ++r) out[r] = (r == least ? 1 : 0) - u[least] * u[r];
    double length = pli_norm(out, 3);
    for (int r = 0; r < 3; ++r) out[r] /= length;
}

// Rotates the columns p and q, and with them the rows of v, until p is perpendicular to q
// (one-sided Jacobi [GolubVanLoan13 8.6.3]: F^T F is never formed).
static void orthogonalize(double p[3], double q[3], double v[2][2]) {
    for (int sweep = 0; sweep < 4; ++sweep) {
        double a = pli_dot(p, p, 3), b = pli_dot(q, q, 3), off = pli_dot(p, q, 3);
        if (fabs(off) <= 1e-17 * sqrt(a) * sqrt(b)) return;
        double theta = (b - a) / (2 * off);
        double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
        double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int r = 0; r < 3; ++r) {
            double x = p[r], y = q[r];
            p[r] = c * x - s * y;
            q[r] = s * x + c * y;
        }
        for (int r = 0; r < 2; ++r) {
            double x = v[0][r], y = v[1][r];
            v[0][r] = c * x - s * y;
            v[1][r] = s * x + c * y;
        }
    }
}

void pli_sheet_decompose(const double F[6], pli_sheet_svd* svd) {
    double column[2][3], v[2][2] = {{1, 0}, {0, 1}};
    memcpy(column, F, sizeof column);
    orthogonalize(column[0], column[1], v);
    double length[2] = {pli_norm(column[0], 3), pli_norm(column[1], 3)};
    int first = length[1] > length[0];
    for (int i = 0; i < 2; ++i) {
        int from = i == 0 ? first : 1 - first;
        svd->s[i] = length[from];
        memcpy(svd->v[i], v[from], sizeof v[from]);
        for (int r = 0; r < 3; ++r)
            svd->u[i][r] = length[from] > 0 ? column[from][r] / length[from] : r == 0;
    }
    if (svd->s[1] < 1e-8 * svd->s[0] || svd->s[0] == 0) perpendicular(svd->u[0], svd->u[1]);
    pli_cross3(svd->u[0], svd->u[1], svd->u[2]);
}

// ---- isotropic laws

// m = u_i v_j^T
static void mode(const pli_sheet_svd* svd, int i, int j, double m[6]) {
    for (int k = 0; k < 6; ++k) m[k] = svd->u[i][k % 3] * svd->v[j][k / 3];
}

void pli_sheet_isotropic_stress(const pli_sheet_svd* svd, const pli_sheet_slopes* slopes,
                                double P[6]) {
    double m[6];
    for (int k = 0; k < 6; ++k) P[k] = 0;
    for (int i = 0; i < 2; ++i) {
        mode(svd, i, i, m);
        pli_axpy(slopes->first[i], m, P, 6);
    }
}

static void add_pair(double value, const double m[6], double K[36]) {
    for (int r = 0; r < 6; ++r) pli_axpy(value * m[r], m, K + 6 * r, 6);
}

// With i, j = 1, 2: two scalings in the span of u_i v_i^T with the matrix of second derivatives;
// twist u1 v2^T - u2 v1^T: (psi1 + psi2) / (s1 + s2); flip u1 v2^T + u2 v1^T: (psi1 - psi2) / (s1 -
// s2); out of the plane u3 v_i^T: psi_i / s_i.
void pli_sheet_isotropic_stiffness(const pli_sheet_svd* svd, const pli_sheet_slopes* slopes,
                                   bool project, double K[36]) {
    double scaling[4] = {slopes->second[0], slopes->mixed, slopes->mixed, slopes->second[1]};
    double m[2][6], sum = svd->s[0] + svd->s[1], value[4];
    memset(K, 0, 36 * sizeof *K);
    if (project) pli_project_psd(2, scaling);
    mode(svd, 0, 0, m[0]);
    mode(svd, 1, 1, m[1]);
    for (int i = 0; i < 36; ++i)
        for (int k = 0; k < 4; ++k) K[i] += scaling[k] * m[k / 2][i / 6] * m[k % 2][i % 6];
    value[0] = sum > 0 ? (slopes->first[0] + slopes->first[1]) / sum : 0;
    value[1] = slopes->quotient;
    for (int i = 0; i < 2; ++i) value[2 + i] = svd->s[i] > 0 ? slopes->first[i] / svd->s[i] : 0;
    mode(svd, 0, 1, m[0]);
    mode(svd, 1, 0, m[1]);
    for (int k = 0; k < 4; ++k) {
        double pair[6];
        if (project && value[k] < 0) value[k] = 0;
        for (int r = 0; r < 6; ++r)
            pair[r] = (m[0][r] + (k == 0 ? -1 : 1) * m[1][r]) * PLI_SQRT_HALF;
        if (k >= 2) mode(svd, 2, k - 2, pair);
        add_pair(value[k], pair, K);
    }
}
