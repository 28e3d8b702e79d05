// Eigenvectors and singular vectors of 3x3 matrices, one per lane.
//
// A closed form (roots of the characteristic polynomial by an angle, eigenvectors by cross products
// [Eberly14]) gives vectors that are always orthonormal and accurate unless eigenvalues are close
// to each other; Jacobi rotations then correct the rest, which is usually little. The singular
// value decomposition rotates the columns of F V (one-sided Jacobi [GolubVanLoan13 8.6.3]): F^T F
// serves only as an initial guess, so that its squared condition number does not matter. A lane is
// rotated only if that lane needs it.
#ifndef PLI_MATH_LANES_SVD3_H
#define PLI_MATH_LANES_SVD3_H

#include "math/lanes.h"
#include "math/small.h"

enum { PLI_SVD3_SWEEPS = 30 }; // at most; 0 to 2 are usual

// Symmetric 3x3 matrices by their entries 00 11 22 01 12 20.
typedef struct pli_symmetric_lanes {
    pli_lanes d[3], o[3];
} pli_symmetric_lanes;

// Eigenvector of the eigenvalue `value` of B, which must be separated from the others: B - value I
// has rank 2, so its rows span the plane perpendicular to it.
PLI_LANE_INLINE void pli_lone_eigenvector(const pli_symmetric_lanes* B, pli_lanes value,
                                          pli_lanes w[3]) {
    pli_lanes rows[3][3] = {{B->d[0] - value, B->o[0], B->o[2]},
                            {B->o[0], B->d[1] - value, B->o[1]},
                            {B->o[2], B->o[1], B->d[2] - value}};
    pli_lanes best = pli_lanes_all(-1), n[3];
    for (int i = 0; i < 3; ++i) {
        pli_lanes_cross3(rows[i], rows[(i + 1) % 3], n);
        pli_lanes square = pli_lanes_dot3(n, n);
        pli_lane_mask better = square > best;
        best = pli_lanes_select(better, square, best);
        for (int k = 0; k < 3; ++k) w[k] = i == 0 ? n[k] : pli_lanes_select(better, n[k], w[k]);
    }
    pli_lanes scale = 1 / pli_lanes_sqrt(best);
    for (int k = 0; k < 3; ++k) w[k] *= scale;
}

// Makes u, v, w right-handed and orthonormal; w has length 1 [Duff17].
PLI_LANE_INLINE void pli_complete_basis(const pli_lanes w[3], pli_lanes u[3], pli_lanes v[3]) {
    pli_lanes sign = pli_lanes_copysign(pli_lanes_all(1), w[2]), a = -1 / (sign + w[2]);
    pli_lanes b = w[0] * w[1] * a;
    u[0] = 1 + sign * w[0] * w[0] * a;
    u[1] = sign * b;
    u[2] = -sign * w[0];
    v[0] = b;
    v[1] = sign + w[1] * w[1] * a;
    v[2] = -w[1];
}

PLI_LANE_INLINE pli_lanes pli_quadratic_form(const pli_symmetric_lanes* B, const pli_lanes a[3],
                                             const pli_lanes b[3]) {
    pli_lanes sum = {0};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        sum += a[i] * B->d[i] * b[i] + B->o[i] * (a[i] * b[j] + a[j] * b[i]);
    }
    return sum;
}

// Rotates u and v in their plane so that B has no entry between them; u gets the larger eigenvalue.
PLI_LANE_INLINE void pli_turn_in_plane(const pli_symmetric_lanes* B, pli_lanes u[3],
                                       pli_lanes v[3]) {
    pli_lanes d = 0.5 * (pli_quadratic_form(B, u, u) - pli_quadratic_form(B, v, v));
    pli_lanes o = pli_quadratic_form(B, u, v), r = pli_lanes_sqrt(d * d + o * o);
    // Half the angle of (d, o): the larger of cosine and sine by a root, the other by division.
    pli_lanes large = pli_lanes_sqrt(0.5 + 0.5 * pli_lanes_abs(d) / r);
    pli_lanes small = 0.5 * pli_lanes_abs(o) / (r * large);
    pli_lane_mask turned = r > 0, ahead = d >= 0;
    pli_lanes c = pli_lanes_select(ahead, large, small);
    pli_lanes s = pli_lanes_copysign(pli_lanes_select(ahead, small, large), o);
    for (int i = 0; i < 3; ++i) {
        pli_lanes x = u[i], y = v[i];
        u[i] = pli_lanes_select(turned, c * x + s * y, x);
        v[i] = pli_lanes_select(turned, c * y - s * x, y);
    }
}

// 2 cos(phi) with cos 3 phi = h in [0, 1]: the root in [sqrt 3, 2] of x^3 - 3 x = 2 h. The slope
// there is 6 to 9, the initial guess has an error of 0.003, and three steps of Newton's method
// suffice.
PLI_LANE_INLINE pli_lanes pli_largest_root(pli_lanes h) {
    pli_lanes x = 1.7320508 + h * (0.3333333 - 0.0653841 * h);
    for (int i = 0; i < 3; ++i) x -= ((x * x - 3) * x - 2 * h) / (3 * (x * x) - 3);
    return x;
}

// Approximate eigenvectors v[0], v[1], v[2] (descending values, right-handed) of C, whose largest
// entry is of size 1. C = m I + p B; the eigenvalues of B are 2 cos(phi + 2 pi k / 3) with
// cos 3 phi = det B / 2, and the outer one on the side of that sign is at least sqrt 3 away from
// the next.
PLI_LANE_INLINE void pli_guess_eigenvectors(const pli_symmetric_lanes* C, pli_lanes v[3][3]) {
    pli_lanes m = (C->d[0] + C->d[1] + C->d[2]) / 3, square = {0};
    pli_symmetric_lanes B = *C;
    for (int i = 0; i < 3; ++i) {
        B.d[i] -= m;
        square += B.d[i] * B.d[i] + 2 * (B.o[i] * B.o[i]);
    }
    pli_lanes scale = 1 / pli_lanes_sqrt(square / 6);
    for (int i = 0; i < 3; ++i) {
        B.d[i] *= scale;
        B.o[i] *= scale;
    }
    pli_lanes det = B.d[0] * (B.d[1] * B.d[2] - B.o[1] * B.o[1]) -
                    B.o[0] * (B.o[0] * B.d[2] - B.o[1] * B.o[2]) +
                    B.o[2] * (B.o[0] * B.o[1] - B.d[1] * B.o[2]);
    pli_lanes half = 0.5 * pli_lanes_abs(det);
    pli_lanes value = pli_largest_root(pli_lanes_select(half < 1, half, pli_lanes_all(1)));
    // B and -B have the same vectors, and the separated eigenvalue of -B is its largest.
    pli_lane_mask upper = det >= 0;
    pli_lanes lone[3], u[3], w[3];
    pli_lone_eigenvector(&B, pli_lanes_select(upper, value, -value), lone);
    pli_complete_basis(lone, u, w);
    pli_turn_in_plane(&B, u, w);
    // Below 1e-13 of C the difference from m I is noise, which need not have trace 0.
    pli_lane_mask apart = square > 1e-26;
    for (int i = 0; i < 3; ++i) {
        pli_lanes axis[3] = {{0}};
        axis[i] += 1;
        v[0][i] = pli_lanes_select(apart, pli_lanes_select(upper, lone[i], u[i]), axis[0]);
        v[1][i] = pli_lanes_select(apart, pli_lanes_select(upper, u[i], w[i]), axis[1]);
        v[2][i] = pli_lanes_select(apart, pli_lanes_select(upper, w[i], lone[i]), axis[2]);
    }
}

// c and s of the Jacobi rotation that removes `off` between the diagonal entries a and b:
// t = tan of the angle, t^2 + 2 t (b - a) / (2 off) = 1, the smaller root.
PLI_LANE_INLINE void pli_jacobi(pli_lanes a, pli_lanes b, pli_lanes off, pli_lanes* c,
                                pli_lanes* s) {
    pli_lanes d = b - a, twice = 2 * off, size = pli_lanes_abs(d);
    pli_lanes t = pli_lanes_copysign(pli_lanes_all(1), d) * twice /
                  (size + pli_lanes_sqrt(d * d + twice * twice));
    *c = 1 / pli_lanes_sqrt(t * t + 1);
    *s = t * *c;
}

PLI_LANE_INLINE void pli_rotate_pair(pli_lane_mask mask, pli_lanes c, pli_lanes s, pli_lanes a[3],
                                     pli_lanes b[3]) {
    for (int i = 0; i < 3; ++i) {
        pli_lanes x = a[i], y = b[i];
        a[i] = pli_lanes_select(mask, c * x - s * y, x);
        b[i] = pli_lanes_select(mask, s * x + c * y, y);
    }
}

// Exchanges two numbers.
PLI_LANE_INLINE void pli_swap_lanes(pli_lane_mask mask, pli_lanes* a, pli_lanes* b) {
    pli_lanes x = *a;
    *a = pli_lanes_select(mask, *b, x);
    *b = pli_lanes_select(mask, x, *b);
}

// Exchanges two of three vectors and preserves their orientation.
PLI_LANE_INLINE void pli_swap_vectors(pli_lane_mask mask, pli_lanes a[3], pli_lanes b[3]) {
    for (int i = 0; i < 3; ++i) {
        pli_lanes x = a[i];
        a[i] = pli_lanes_select(mask, b[i], x);
        b[i] = pli_lanes_select(mask, -x, b[i]);
    }
}

// Powers of two that bring the largest entry of each lane near 1.
PLI_LANE_INLINE pli_lanes pli_scale_of_lanes(const pli_lanes A[9]) {
    pli_lanes scale;
    for (int l = 0; l < PLI_LANE_COUNT; ++l) {
        double one[9];
        for (int i = 0; i < 9; ++i) one[i] = A[i][l];
        scale[l] = pli_power_of_two_scale(9, one);
    }
    return scale;
}

// pli_eigen3 in each lane.
PLI_LANE_FUNCTION void pli_eigen3_lanes(const pli_lanes A[9], pli_lanes values[3], pli_lanes V[9]) {
    pli_lanes scale = pli_scale_of_lanes(A), v[3][3];
    pli_symmetric_lanes C = {{A[0] * scale, A[4] * scale, A[8] * scale},
                             {A[1] * scale, A[5] * scale, A[2] * scale}};
    pli_guess_eigenvectors(&C, v);
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < PLI_SVD3_SWEEPS; ++sweep) {
        rotated = false;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                pli_lanes off = pli_quadratic_form(&C, v[p], v[q]), c, s;
                pli_lane_mask rotate = pli_lanes_abs(off) > 0x1p-51; // 2 ulps of the largest entry
                if (!pli_lanes_any(rotate)) continue;
                pli_jacobi(pli_quadratic_form(&C, v[p], v[p]), pli_quadratic_form(&C, v[q], v[q]),
                           off, &c, &s);
                pli_rotate_pair(rotate, c, s, v[p], v[q]);
                rotated = true;
            }
    }
    for (int i = 0; i < 3; ++i) values[i] = pli_quadratic_form(&C, v[i], v[i]) / scale;
    for (int i = 0; i < 3; ++i) { // (0 1) (1 2) (0 1): ascending
        int p = i % 2;
        pli_lane_mask swap = values[p] > values[p + 1];
        pli_swap_lanes(swap, &values[p], &values[p + 1]);
        pli_swap_vectors(swap, v[p], v[p + 1]);
    }
    for (int i = 0; i < 9; ++i) V[i] = v[i % 3][i / 3];
}

// Rotates the columns a of F V, and v with them, until they are orthogonal.
PLI_LANE_INLINE void pli_orthogonalize(pli_lanes a[3][3], pli_lanes v[3][3]) {
    bool rotated = true;
    for (int sweep = 0; rotated && sweep < PLI_SVD3_SWEEPS; ++sweep) {
        rotated = false;
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                pli_lanes off = pli_lanes_dot3(a[p], a[q]), c, s;
                pli_lanes pp = pli_lanes_dot3(a[p], a[p]), qq = pli_lanes_dot3(a[q], a[q]);
                // Angles below two ulps are noise of the products.
                pli_lane_mask rotate = off * off > 0x1p-102 * (pp * qq);
                if (!pli_lanes_any(rotate)) continue;
                pli_jacobi(pp, qq, off, &c, &s);
                pli_rotate_pair(rotate, c, s, a[p], a[q]);
                pli_rotate_pair(rotate, c, s, v[p], v[q]);
                rotated = true;
            }
    }
}

// From orthogonal columns a in descending order: lengths s and directions u. u[2] = u[0] x u[1]
// makes U a rotation; since V is one too, the component of the third column along it has the sign
// of det F.
PLI_LANE_INLINE void pli_split_columns(pli_lanes a[3][3], pli_lanes u[3][3], pli_lanes s[3]) {
    s[0] = pli_lanes_sqrt(pli_lanes_dot3(a[0], a[0]));
    s[1] = pli_lanes_sqrt(pli_lanes_dot3(a[1], a[1]));
    pli_lane_mask first = s[0] > 0, second = s[1] > 1e-130 * s[0];
    for (int r = 0; r < 3; ++r) {
        u[0][r] = pli_lanes_select(first, a[0][r] / s[0], pli_lanes_all(r == 0));
        u[1][r] = a[1][r] / s[1];
    }
    if (pli_lanes_any(~second)) {
        pli_lanes any[3];
        pli_complete_basis(u[0], any, u[2]);
        for (int r = 0; r < 3; ++r) u[1][r] = pli_lanes_select(second, u[1][r], any[r]);
    }
    pli_lanes_cross3(u[0], u[1], u[2]);
    s[2] = pli_lanes_dot3(u[2], a[2]);
}

// The largest entry of F is of order 1, within a factor of 1e10.
PLI_LANE_INLINE void pli_svd3_scaled(const pli_lanes F[9], pli_lanes u[3][3], pli_lanes s[3],
                                     pli_lanes v[3][3]) {
    pli_lanes a[3][3], square[3];
    pli_symmetric_lanes C;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        C.d[i] = F[i] * F[i] + F[3 + i] * F[3 + i] + F[6 + i] * F[6 + i];
        C.o[i] = F[i] * F[j] + F[3 + i] * F[3 + j] + F[6 + i] * F[6 + j];
    }
    pli_lanes scale = 1 / (C.d[0] + C.d[1] + C.d[2] + 1e-100); // 0 stays 0
    for (int i = 0; i < 3; ++i) {
        C.d[i] *= scale;
        C.o[i] *= scale;
    }
    pli_guess_eigenvectors(&C, v);
    for (int i = 0; i < 3; ++i)
        for (int r = 0; r < 3; ++r) a[i][r] = pli_lanes_dot3(F + 3 * r, v[i]);
    pli_orthogonalize(a, v);
    for (int i = 0; i < 3; ++i) square[i] = pli_lanes_dot3(a[i], a[i]);
    for (int i = 0; i < 3; ++i) { // descending
        int p = i % 2;
        pli_lane_mask swap = square[p] < square[p + 1];
        if (!pli_lanes_any(swap)) continue;
        pli_swap_lanes(swap, &square[p], &square[p + 1]);
        pli_swap_vectors(swap, a[p], a[p + 1]);
        pli_swap_vectors(swap, v[p], v[p + 1]);
    }
    pli_split_columns(a, u, s);
}

// pli_svd3 in each lane.
PLI_LANE_FUNCTION void pli_svd3_lanes(const pli_lanes F[9], pli_lanes U[9], pli_lanes s[3],
                                      pli_lanes V[9]) {
    pli_lanes u[3][3], v[3][3], G[9], scale = pli_lanes_all(1), square = {0};
    for (int i = 0; i < 9; ++i) {
        square += F[i] * F[i];
        G[i] = F[i];
    }
    pli_lane_mask usual = (square > 1e-20) & (square < 1e20);
    if (pli_lanes_any(~usual)) {
        scale = pli_lanes_select(usual, scale, pli_scale_of_lanes(F));
        for (int i = 0; i < 9; ++i) G[i] *= scale;
    }
    pli_svd3_scaled(G, u, s, v);
    if (pli_lanes_any(~usual))
        for (int i = 0; i < 3; ++i) s[i] /= scale;
    for (int i = 0; i < 9; ++i) {
        U[i] = u[i % 3][i / 3];
        V[i] = v[i % 3][i / 3];
    }
}

#endif
