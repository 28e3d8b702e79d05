// Exact signs: floating point with an error bound first, exact expansions only when that cannot
// decide. An expansion is a sum of doubles that do not overlap, smallest first; its sign is that of
// its last entry that is not 0 [Shewchuk97]. Needs round-to-nearest and no contraction.
#include "math/predicates.h"

#include <float.h>
#include <math.h>

enum { MAX_TERMS = 12 };

typedef struct expansion {
    int count;
    double terms[MAX_TERMS];
} expansion;

// sum + *error = a + b exactly
static double two_sum(double a, double b, double* error) {
    double sum = a + b, b_part = sum - a, a_part = sum - b_part;
    *error = (a - a_part) + (b - b_part);
    return sum;
}

// e += b; entries that become 0 are dropped.
static void add_number(expansion* e, double b) {
    int kept = 0;
    double carry = b;
    for (int i = 0; i < e->count; ++i) {
        double error;
        carry = two_sum(carry, e->terms[i], &error);
        if (error != 0) e->terms[kept++] = error;
    }
    if (carry != 0) e->terms[kept++] = carry;
    e->count = kept;
}

// e += a b
static void add_product(expansion* e, double a, double b) {
    double product = a * b;
    add_number(e, fma(a, b, -product));
    add_number(e, product);
}

static int sign(double x) { return (x > 0) - (x < 0); }

// The determinant multiplied out; c_x c_y cancels.
static int orient2d_exact(const double a[2], const double b[2], const double c[2]) {
    expansion e = {0};
    add_product(&e, a[0], b[1]);
    add_product(&e, -a[1], b[0]);
    add_product(&e, b[0], c[1]);
    add_product(&e, -b[1], c[0]);
    add_product(&e, c[0], a[1]);
    add_product(&e, -c[1], a[0]);
    return e.count ? sign(e.terms[e.count - 1]) : 0;
}

// det = (a - c) x (b - c). Six roundings, of which the differences and the products enter relative
// to |left| + |right|: the error is below (3 + 16 u) u (|left| + |right|), u = 2^-53 [Shewchuk97].
int pli_orient2d(const double a[2], const double b[2], const double c[2]) {
    const double u = 0.5 * DBL_EPSILON;
    double left = (a[0] - c[0]) * (b[1] - c[1]), right = (a[1] - c[1]) * (b[0] - c[0]);
    double det = left - right, bound = (3 + 16 * u) * u * (fabs(left) + fabs(right));
    if (fabs(det) > bound) return sign(det);
    return orient2d_exact(a, b, c);
}
