// Decompositions of small matrices. No entry is squared before it has been scaled or passed through
// hypot, so entries from 1e-150 to 1e150 are allowed. Sources: Jacobi rotations [GolubVanLoan13
// 8.5]; the 2x2 singular values as sum and difference of the rotation part and the reflection part
// of F.
#include "math/small.h"

#include <math.h>
#include <string.h>

#include "base/base.h"
#include "math/elementary.h"
#include "math/lanes_svd3.h"

double pli_power_of_two_scale(int n, const double* a) {
    double largest = 0;
    for (int i = 0; i < n; ++i) largest = fmax(largest, fabs(a[i]));
    if (!(largest > 0) || isinf(largest)) return 1;
    int exponent;
    frexp(largest, &exponent);
    // 2^1000 is the limit so that both the scale and its inverse are normal numbers.
    return ldexp(1, -pli_max_int(-1000, pli_min_int(1000, exponent)));
}

// a b - c d with an error of about one rounding, however much cancels (Kahan).
static double difference_of_products(double a, double b, double c, double d) {
    double cd = c * d;
    double error = fma(-c, d, cd);
    return fma(a, b, -cd) + error;
}

// Zeroes A[p][q] by a rotation in the plane (p, q); applied to V (n x n, may be NULL) too.
static void rotate(int n, double* A, double* V, int p, int q) {
    double theta = (A[q * n + q] - A[p * n + p]) / (2 * A[p * n + q]);
    double t = copysign(1, theta) / (fabs(theta) + pli_hypot(theta, 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    double shift = t * A[p * n + q];
    A[p * n + p] -= shift;
    A[q * n + q] += shift;
    A[p * n + q] = A[q * n + p] = 0;
    for (int i = 0; i < n; ++i) {
        if (i != p && i != q) {
            double ip = A[i * n + p], iq = A[i * n + q];
            A[i * n + p] = A[p * n + i] = c * ip - s * iq;
            A[i * n + q] = A[q * n + i] = s * ip + c * iq;
        }
        if (V) {
            double ip = V[i * n + p], iq = V[i * n + q];
            V[i * n + p] = c * ip - s * iq;
            V[i * n + q] = s * ip + c * iq;
        }
    }
}

// One sweep over all pairs; false when every off-diagonal entry was negligible.
static bool sweep(int n, double* A, double* V) {
    bool rotated = false;
    for (int p = 0; p < n - 1; ++p)
        for (int q = p + 1; q < n; ++q) {
            double off = fabs(A[p * n + q]);
            // Half an ulp of the diagonal entries it couples; plus a floor (A is scaled to 1) for
            // zero diagonals.
            double floor = 0x1p-54 * sqrt(fabs(A[p * n + p])) * sqrt(fabs(A[q * n + q]));
            if (!(off > floor && off > 0x1p-200)) continue;
            rotate(n, A, V, p, q);
            rotated = true;
        }
    return rotated;
}

// Insertion sort of the eigenvalues, with the columns of V.
static void sort_ascending(int n, double* values, double* V) {
    for (int i = 1; i < n; ++i)
        for (int j = i; j > 0 && values[j] < values[j - 1]; --j) {
            double value = values[j];
            values[j] = values[j - 1];
            values[j - 1] = value;
            for (int k = 0; V && k < n; ++k) {
                double entry = V[k * n + j];
                V[k * n + j] = V[k * n + j - 1];
                V[k * n + j - 1] = entry;
            }
        }
}

void pli_eigen_symmetric(int n, const double* A, double* values, double* V) {
    enum { MAX_SWEEPS = 40 }; // 6 to 9 are usual: the last ones converge quadratically
    PLI_ASSERT(n >= 1 && n <= PLI_SMALL_MAX);
    double B[PLI_SMALL_MAX * PLI_SMALL_MAX];
    double scale = pli_power_of_two_scale(n * n, A);
    for (int i = 0; i < n * n; ++i) B[i] = A[i] * scale;
    if (V) {
        memset(V, 0, (size_t)(n * n) * sizeof *V);
        for (int i = 0; i < n; ++i) V[i * n + i] = 1;
    }
    for (int i = 0; i < MAX_SWEEPS && sweep(n, B, V);) ++i;
    for (int i = 0; i < n; ++i) values[i] = B[i * n + i] / scale;
    sort_ascending(n, values, V);
}

// A = m I + [h b; b -h] has the eigenvalues m +- r, r = |(h, b)|, and the projector on the larger
// one is (I + [h b; b -h] / r) / 2.
static void project_psd2(double A[4]) {
    double m = 0.5 * A[0] + 0.5 * A[3], h = 0.5 * A[0] - 0.5 * A[3], b = A[1];
    double r = pli_hypot(h, b);
    if (m >= r) return;
    double half = m > -r ? 0.5 * (m + r) : 0;
    double hr = r > 0 ? h / r : 0, br = r > 0 ? b / r : 0;
    A[0] = half * (1 + hr);
    A[1] = A[2] = half * br;
    A[3] = half * (1 - hr);
}

void pli_project_psd(int n, double* A) {
    if (n == 2) {
        project_psd2(A);
        return;
    }
    double values[PLI_SMALL_MAX], V[PLI_SMALL_MAX * PLI_SMALL_MAX];
    pli_eigen_symmetric(n, A, values, V);
    if (values[0] >= 0) return;
    // A = sum over positive eigenvalues of value v v^T
    memset(A, 0, (size_t)(n * n) * sizeof *A);
    for (int k = 0; k < n; ++k) {
        if (!(values[k] > 0)) continue;
        for (int i = 0; i < n; ++i)
            for (int j = 0; j <= i; ++j) A[i * n + j] += values[k] * V[i * n + k] * V[j * n + k];
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) A[j * n + i] = A[i * n + j];
}

// Cosine and sine of half the angle of (x, y), r = |(x, y)|; the angle of (0, 0) is 0.
static void half_angle(double x, double y, double r, double* c, double* s) {
    *c = 1;
    *s = 0;
    if (!(r > 0)) return;
    x /= r;
    y /= r;
    if (x >= 0) {
        *c = sqrt(0.5 + 0.5 * x);
        *s = 0.5 * y / *c;
    } else {
        *s = copysign(sqrt(0.5 - 0.5 * x), y);
        *c = 0.5 * y / *s;
    }
}

// F is a scaled rotation by angle beta and length q plus a scaled reflection of angle alpha and
// length r:   F = q [cos beta, -sin beta; sin beta, cos beta]
//               + r [cos alpha, sin alpha; sin alpha, -cos alpha].
// Then U turns by (beta + alpha)/2, V^T by (beta - alpha)/2, and s = (q + r, q - r). The difference
// is taken as det F / (q + r), which keeps its sign and its digits when F is nearly singular.
void pli_svd2(const double F[4], double U[4], double s[2], double V[4]) {
    double ex = 0.5 * F[0] + 0.5 * F[3], ey = 0.5 * F[2] - 0.5 * F[1];
    double fx = 0.5 * F[0] - 0.5 * F[3], fy = 0.5 * F[2] + 0.5 * F[1];
    double q = pli_hypot(ex, ey), r = pli_hypot(fx, fy);
    double cb, sb, ca, sa; // half angles of beta and alpha
    half_angle(ex, ey, q, &cb, &sb);
    half_angle(fx, fy, r, &ca, &sa);
    double cu = cb * ca - sb * sa, su = sb * ca + cb * sa;
    double cv = cb * ca + sb * sa, sv = sb * ca - cb * sa; // of V^T
    U[0] = U[3] = cu;
    U[1] = -su;
    U[2] = su;
    V[0] = V[3] = cv;
    V[1] = sv;
    V[2] = -sv;
    double k = pli_power_of_two_scale(4, F);
    double det = difference_of_products(F[0] * k, F[3] * k, F[1] * k, F[2] * k);
    s[0] = q + r;
    s[1] = s[0] > 0 ? det / (s[0] * k) / k : 0;
}

// With t = 2^k u the outer coefficients a 4^k and c become similar in size, so the discriminant can
// neither overflow nor lose its smaller part unless b^2 dominates it anyway.
double pli_smallest_positive_root2(double a, double b, double c) {
    if (a == 0 || c == 0) { // a line, or 0 is a root and t = -b / a is the other
        double t = a == 0 ? -c / b : -b / a;
        return t > 0 && t < HUGE_VAL ? t : HUGE_VAL;
    }
    int ea, ec;
    frexp(a, &ea);
    frexp(c, &ec);
    int k = (ec - ea) / 2;
    double scaled[3] = {ldexp(a, 2 * k), ldexp(b, k), c};
    double scale = pli_power_of_two_scale(3, scaled);
    double A = scaled[0] * scale, B = scaled[1] * scale, C = scaled[2] * scale;
    double D = difference_of_products(B, B, 4 * A, C);
    if (!(D >= 0)) return HUGE_VAL;
    // q = -(b + sign(b) sqrt(D)) / 2, roots q / a and c / q: no cancellation.
    double q = -0.5 * (B + copysign(sqrt(D), B));
    double u0 = q / A, u1 = C / q;
    double u = HUGE_VAL;
    if (u0 > 0) u = u0;
    if (u1 > 0 && u1 < u) u = u1;
    return ldexp(u, k);
}

// Between its extrema the polynomial is monotone, so the first interval at whose end it is not
// positive contains the root, and bisection finds it: slow but robust, and rarely needed.
double pli_first_root3(double a, double b, double c, double d) {
    if (d + fmin(a, 0) + fmin(b, 0) + fmin(c, 0) > 0) return HUGE_VAL;
    double ends[3], low = 0, first = pli_smallest_positive_root2(3 * a, 2 * b, c);
    int count = 0;
    if (first < 1) {
        ends[count++] = first;
        // 3 a t^2 + 2 b t + c = 0 has the sum of roots -2 b / 3 a.
        double second = -2 * b / (3 * a) - first;
        if (second > first && second < 1) ends[count++] = second;
    }
    ends[count++] = 1;
    for (int i = 0; i < count; ++i) {
        double high = ends[i];
        if (((a * high + b) * high + c) * high + d > 0) {
            low = high;
            continue;
        }
        for (double middle; (middle = 0.5 * (low + high)) > low && middle < high;) {
            if (((a * middle + b) * middle + c) * middle + d > 0)
                low = middle;
            else
                high = middle;
        }
        return low;
    }
    return HUGE_VAL;
}

// ---- 3x3
//
// Eigenvectors and singular vectors of one 3x3 matrix: a lane of lanes_svd3.h.

static void spread(int n, const double* one, pli_lanes* all) {
    for (int i = 0; i < n; ++i) all[i] = pli_lanes_all(one[i]);
}

static void take(int n, const pli_lanes* all, double* one) {
    for (int i = 0; i < n; ++i) one[i] = all[i][0];
}

void pli_eigen3(const double A[9], double values[3], double V[9]) {
    pli_lanes in[9], out[3], vectors[9];
    spread(9, A, in);
    pli_eigen3_lanes(in, out, vectors);
    take(3, out, values);
    take(9, vectors, V);
}

void pli_svd3(const double F[9], double U[9], double s[3], double V[9]) {
    pli_lanes in[9], left[9], stretches[3], right[9];
    spread(9, F, in);
    pli_svd3_lanes(in, left, stretches, right);
    take(9, left, U);
    take(3, stretches, s);
    take(9, right, V);
}

// ---- exponential
//
// Scaling and squaring: exp(A) = (N/D)^(2^s) with A / 2^s small.

// C = A B
static void multiply(int n, const double* A, const double* B, double* C) {
    memset(C, 0, sizeof *C * (size_t)(n * n));
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) {
            double a = A[i * n + k];
            for (int j = 0; j < n; ++j) C[i * n + j] += a * B[k * n + j];
        }
}

// X = D^-1 X by Gaussian elimination; D is destroyed. With |B| <= 1/2 the rows of D - 1 have sums
// of at most e^(1/4) - 1 < 0.3, and elimination preserves that: the diagonal entry is the largest
// of each column without pivoting.
static void solve(int n, double* D, double* X) {
    for (int c = 0; c < n; ++c) {
        for (int r = 0; r < n; ++r) {
            if (r == c) continue;
            double factor = D[r * n + c] / D[c * n + c];
            if (factor == 0) continue;
            for (int j = c; j < n; ++j) D[r * n + j] -= factor * D[c * n + j];
            for (int j = 0; j < n; ++j) X[r * n + j] -= factor * X[c * n + j];
        }
    }
    for (int r = 0; r < n; ++r)
        for (int j = 0; j < n; ++j) X[r * n + j] /= D[r * n + r];
}

// N = sum c_k B^k, D = sum (-1)^k c_k B^k with c_0 = 1,
// c_k = c_(k-1) (p - k + 1) / (k (2 p - k + 1)).
void pli_expm(int n, const double* A, double* E, double* work) {
    enum { ORDER = 6 };
    size_t size = (size_t)n * (size_t)n;
    double *B = work, *D = work + size, *power = work + 2 * size, *next = work + 3 * size;
    double norm = 0;
    for (int i = 0; i < n; ++i) {
        double row = 0;
        for (int j = 0; j < n; ++j) row += fabs(A[i * n + j]);
        norm = fmax(norm, row);
    }
    int squarings = 0; // until the norm is at most 1/2
    double part = norm > 0.5 ? frexp(norm, &squarings) : 0.5;
    if (part > 0.5) squarings++;
    for (size_t i = 0; i < size; ++i) B[i] = ldexp(A[i], -squarings);
    memset(E, 0, sizeof *E * size);
    for (int i = 0; i < n; ++i) E[i * n + i] = 1;
    memcpy(D, E, sizeof *E * size);
    memcpy(power, E, sizeof *E * size);
    double c = 1;
    for (int k = 1; k <= ORDER; ++k) {
        c *= (double)(ORDER - k + 1) / (k * (2 * ORDER - k + 1));
        multiply(n, power, B, next);
        memcpy(power, next, sizeof *E * size);
        for (size_t i = 0; i < size; ++i) {
            E[i] += c * power[i];
            D[i] += (k % 2 ? -c : c) * power[i];
        }
    }
    solve(n, D, E);
    for (int s = 0; s < squarings; ++s) {
        multiply(n, E, E, next);
        memcpy(E, next, sizeof *E * size);
    }
}
