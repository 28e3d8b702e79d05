// Eigenvectors and singular vectors of 3x3 matrices.
//
// A closed form (roots of the characteristic polynomial by an angle, eigenvectors by cross products
// [Eberly14]) gives vectors that are orthonormal in any case and nearly right unless eigenvalues
// fall together; Jacobi rotations then finish the work, mostly by finding that nothing is left to
// do. The singular value decomposition rotates the columns of F V (one-sided Jacobi
// [GolubVanLoan13 8.6.3]), so that F^T F serves as a first guess only and its squared condition
// number does no harm.
#include "math/small.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "math/vec.h"

enum { MAX_SWEEPS = 30 }; // 0 to 2 are usual

// Symmetric 3x3 matrices by their entries 00 11 22 01 12 20.
typedef struct symmetric {
    double d[3], o[3];
} symmetric;

// Eigenvector of the eigenvalue `value` of B, which must stand apart from the others: B - value I
// has rank 2, so its rows span the plane across it.
static void lone_eigenvector(const symmetric* B, double value, double w[3]) {
    double rows[3][3] = {{B->d[0] - value, B->o[0], B->o[2]},
                         {B->o[0], B->d[1] - value, B->o[1]},
                         {B->o[2], B->o[1], B->d[2] - value}};
    double n[3][3], square[3];
    for (int i = 0; i < 3; ++i) {
        pli_cross3(rows[i], rows[(i + 1) % 3], n[i]);
        square[i] = pli_dot(n[i], n[i], 3);
    }
    int best = square[1] > square[0];
    best = square[2] > square[best] ? 2 : best;
    double scale = 1 / sqrt(square[best]);
    for (int i = 0; i < 3; ++i) w[i] = n[best][i] * scale;
}

// u, v, w become right-handed and orthonormal; w has length 1 [Duff17].
static void complete_basis(const double w[3], double u[3], double v[3]) {
    double sign = copysign(1, w[2]), a = -1 / (sign + w[2]), b = w[0] * w[1] * a;
    u[0] = 1 + sign * w[0] * w[0] * a;
    u[1] = sign * b;
    u[2] = -sign * w[0];
    v[0] = b;
    v[1] = sign + w[1] * w[1] * a;
    v[2] = -w[1];
}

static double quadratic_form(const symmetric* B, const double a[3], const double b[3]) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        sum += a[i] * B->d[i] * b[i] + B->o[i] * (a[i] * b[j] + a[j] * b[i]);
    }
    return sum;
}

// Turns u and v in their plane so that B has no entry between them; u gets the larger value.
static void turn_in_plane(const symmetric* B, double u[3], double v[3]) {
    double d = 0.5 * (quadratic_form(B, u, u) - quadratic_form(B, v, v));
    double o = quadratic_form(B, u, v), r = sqrt(d * d + o * o);
    if (!(r > 0)) return;
    // Half of the angle of (d, o): the larger of cosine and sine by a root, the other by division.
    double large = sqrt(0.5 + 0.5 * fabs(d) / r), small = 0.5 * fabs(o) / (r * large);
    double c = d >= 0 ? large : small, s = copysign(d >= 0 ? small : large, o);
    for (int i = 0; i < 3; ++i) {
        double x = u[i], y = v[i];
        u[i] = c * x + s * y;
        v[i] = c * y - s * x;
    }
}

// 2 cos(phi) with cos 3 phi = h in [0, 1]: the root in [sqrt 3, 2] of x^3 - 3 x = 2 h. There the
// slope is 6 to 9, the start is right to 0.003, and three steps of Newton's method suffice.
static double largest_root(double h) {
    double x = 1.7320508 + h * (0.3333333 - 0.0653841 * h);
    for (int i = 0; i < 3; ++i) x -= ((x * x - 3) * x - 2 * h) / (3 * (x * x) - 3);
    return x;
}

// Approximate eigenvectors v[0], v[1], v[2] (descending values, right-handed) of C, whose largest
// entry is of size 1. C = m I + p B; the eigenvalues of B are 2 cos(phi + 2 pi k / 3) with
// cos 3 phi = det B / 2, and the outer one on the side of that sign is at least sqrt 3 away from
// the next.
static void guess_eigenvectors(const symmetric* C, double v[3][3]) {
    double m = (C->d[0] + C->d[1] + C->d[2]) / 3, square = 0;
    symmetric B = *C;
    for (int i = 0; i < 3; ++i) {
        B.d[i] -= m;
        square += B.d[i] * B.d[i] + 2 * (B.o[i] * B.o[i]);
    }
    // Below 1e-13 of C the difference from m I is noise that B's own rules (trace 0) need not keep.
    if (!(square > 1e-26)) {
        for (int i = 0; i < 9; ++i) v[i / 3][i % 3] = i % 4 == 0;
        return;
    }
    double scale = 1 / sqrt(square / 6);
    for (int i = 0; i < 3; ++i) {
        B.d[i] *= scale;
        B.o[i] *= scale;
    }
    double det = B.d[0] * (B.d[1] * B.d[2] - B.o[1] * B.o[1]) -
                 B.o[0] * (B.o[0] * B.d[2] - B.o[1] * B.o[2]) +
                 B.o[2] * (B.o[0] * B.o[1] - B.d[1] * B.o[2]);
    double half = 0.5 * fabs(det), value = largest_root(half < 1 ? half : 1);
    bool upper =
        det >= 0; // B and -B have the same vectors, and the lone value of -B is its largest
    double *lone = v[upper ? 0 : 2], *u = v[upper ? 1 : 0], *w = v[upper ? 2 : 1];
    lone_eigenvector(&B, upper ? value : -value, lone);
    complete_basis(lone, u, w);
    turn_in_plane(&B, u, w);
}

// c and s of the Jacobi rotation that removes `off` between the diagonal entries a and b.
static void jacobi(double a, double b, double off, double* c, double* s) {
    double theta = (b - a) / (2 * off);
    double t = fabs(theta) < 1e150 ? copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1))
                                   : 0.5 / theta;
    *c = 1 / sqrt(t * t + 1);
    *s = t * *c;
}

static void rotate_pair(double c, double s, double a[3], double b[3]) {
    for (int i = 0; i < 3; ++i) {
        double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

// Exchanges two of three vectors and keeps their orientation.
static void swap_vectors(double a[3], double b[3]) {
    for (int i = 0; i < 3; ++i) {
        double x = a[i];
        a[i] = b[i];
        b[i] = -x;
    }
}

static void store_columns(double v[3][3], double V[9]) {
    for (int i = 0; i < 9; ++i) V[i] = v[i % 3][i / 3];
}

void pli_eigen3(const double A[9], double values[3], double V[9]) {
    double scale = pli_power_of_two_scale(9, A), v[3][3];
    symmetric C = {{A[0] * scale, A[4] * scale, A[8] * scale},
                   {A[1] * scale, A[5] * scale, A[2] * scale}};
    guess_eigenvectors(&C, v);
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MAX_SWEEPS; ++sweep) {
        rotated = false;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                double off = quadratic_form(&C, v[p], v[q]), c, s;
                if (!(fabs(off) > 0x1p-51)) continue; // two ulps of the largest entry
                jacobi(quadratic_form(&C, v[p], v[p]), quadratic_form(&C, v[q], v[q]), off, &c, &s);
                rotate_pair(c, s, v[p], v[q]);
                rotated = true;
            }
    }
    for (int i = 0; i < 3; ++i) values[i] = quadratic_form(&C, v[i], v[i]) / scale;
    for (int i = 0; i < 3; ++i) { // (0 1) (1 2) (0 1): ascending
        int p = i % 2;
        if (values[p] <= values[p + 1]) continue;
        double x = values[p];
        values[p] = values[p + 1];
        values[p + 1] = x;
        swap_vectors(v[p], v[p + 1]);
    }
    store_columns(v, V);
}

// Rotates the columns a of F V, and v with them, until they are orthogonal.
static void orthogonalize(double a[3][3], double v[3][3]) {
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < MAX_SWEEPS; ++sweep) {
        rotated = false;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                double off = pli_dot(a[p], a[q], 3);
                double pp = pli_dot(a[p], a[p], 3), qq = pli_dot(a[q], a[q], 3), c, s;
                // Angles below two ulps are noise of the products themselves.
                if (!(off * off > 0x1p-102 * (pp * qq))) continue;
                jacobi(pp, qq, off, &c, &s);
                rotate_pair(c, s, a[p], a[q]);
                rotate_pair(c, s, v[p], v[q]);
                rotated = true;
            }
    }
}

// The largest entry of F is of size 1, give or take ten powers of ten. u[2] = u[0] x u[1] makes U a
// rotation; since V is one too, what is left of the third column along it carries the sign of det
// F.
static void svd_scaled(const double F[9], double u[3][3], double s[3], double v[3][3]) {
    double a[3][3];
    symmetric C;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        C.d[i] = F[i] * F[i] + F[3 + i] * F[3 + i] + F[6 + i] * F[6 + i];
        C.o[i] = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
    }
    double scale = 1 / (C.d[0] + C.d[1] + C.d[2] + 1e-100); // 0 stays 0
    for (int i = 0; i < 3; ++i) {
        C.d[i] *= scale;
        C.o[i] *= scale;
    }
    guess_eigenvectors(&C, v);
    for (int i = 0; i < 3; ++i)
        for (int r = 0; r < 3; ++r)
            a[i][r] = F[3 * r] * v[i][0] + F[3 * r + 1] * v[i][1] + F[3 * r + 2] * v[i][2];
    orthogonalize(a, v);
    double square[3];
    for (int i = 0; i < 3; ++i) square[i] = pli_dot(a[i], a[i], 3);
    for (int i = 0; i < 3; ++i) { // descending
        int p = i % 2;
        if (square[p] >= square[p + 1]) continue;
        double x = square[p];
        square[p] = square[p + 1];
        square[p + 1] = x;
        swap_vectors(a[p], a[p + 1]);
        swap_vectors(v[p], v[p + 1]);
    }
    s[0] = sqrt(square[0]);
    s[1] = sqrt(square[1]);
    for (int r = 0; r < 3; ++r) u[0][r] = s[0] > 0 ? a[0][r] / s[0] : r == 0;
    if (s[1] > 1e-130 * s[0])
        for (int r = 0; r < 3; ++r) u[1][r] = a[1][r] / s[1];
    else
        complete_basis(u[0], u[1], u[2]);
    pli_cross3(u[0], u[1], u[2]);
    s[2] = pli_dot(u[2], a[2], 3);
}

void pli_svd3(const double F[9], double U[9], double s[3], double V[9]) {
    double u[3][3], v[3][3], square = pli_dot(F, F, 9);
    if (square > 1e-20 && square < 1e20) {
        svd_scaled(F, u, s, v);
    } else {
        double G[9], scale = pli_power_of_two_scale(9, F);
        for (int i = 0; i < 9; ++i) G[i] = F[i] * scale;
        svd_scaled(G, u, s, v);
        for (int i = 0; i < 3; ++i) s[i] /= scale;
    }
    store_columns(u, U);
    store_columns(v, V);
}

void pli_polar3(const double F[9], double R[9], double S[9]) {
    double U[9], V[9], s[3];
    pli_svd3(F, U, s, V);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            R[3 * i + j] = pli_dot(U + 3 * i, V + 3 * j, 3);
            S[3 * i + j] = V[3 * i] * s[0] * V[3 * j] + V[3 * i + 1] * s[1] * V[3 * j + 1] +
                           V[3 * i + 2] * s[2] * V[3 * j + 2];
        }
}
