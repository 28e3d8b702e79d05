// Exact signs: floating point with an error bound first, exact expansions only when that cannot
// decide [Shewchuk97]. The expansions begin with differences, which seldom have two entries: for
// coordinates of few digits everything after that is short.
#include "math/predicates.h"

#include "math/expansion.h"

#include <float.h>

typedef struct difference {
    int count;
    double entries[2];
} difference;

static difference subtract(double a, double b) {
    difference d;
    d.count = pli_expansion_difference(a, b, d.entries);
    return d;
}

static int sign(double x) { return (x > 0) - (x < 0); }

// h (16) = p s - q r
static int minor(const difference* p, const difference* q, const difference* r, const difference* s,
                 double h[16]) {
    double room[8], left[8], right[8];
    int m = pli_expansion_product(p->count, p->entries, s->count, s->entries, room, left);
    int n = pli_expansion_product(q->count, q->entries, r->count, r->entries, room, right);
    pli_expansion_negate(n, right);
    return pli_expansion_sum(m, left, n, right, h);
}

static int orient2d_exact(const double a[2], const double b[2], const double c[2]) {
    difference ax = subtract(a[0], c[0]), ay = subtract(a[1], c[1]);
    difference bx = subtract(b[0], c[0]), by = subtract(b[1], c[1]);
    double h[16];
    return pli_expansion_sign(minor(&ax, &ay, &bx, &by, h), h);
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

// By the third column: det = sum over cyclic (a, b, c) of (a - d)_z ((b - d) x (c - d))_z.
static int orient3d_exact(const double* const v[3], const double d[3]) {
    difference x[3], y[3], z[3];
    for (int i = 0; i < 3; ++i) {
        x[i] = subtract(v[i][0], d[0]);
        y[i] = subtract(v[i][1], d[1]);
        z[i] = subtract(v[i][2], d[2]);
    }
    double parts[3][64], two[128], all[192], m[16], room[64];
    int count[3];
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int n = minor(&x[j], &y[j], &x[k], &y[k], m);
        count[i] = pli_expansion_product(n, m, z[i].count, z[i].entries, room, parts[i]);
    }
    int n = pli_expansion_sum(count[0], parts[0], count[1], parts[1], two);
    n = pli_expansion_sum(n, two, count[2], parts[2], all);
    return pli_expansion_sign(n, all);
}

// The same sum in doubles: its error is below (7 + 56 u) u times the sum of the absolute values of
// the six products [Shewchuk97].
int pli_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    const double u = 0.5 * DBL_EPSILON;
    double ax = a[0] - d[0], bx = b[0] - d[0], cx = c[0] - d[0];
    double ay = a[1] - d[1], by = b[1] - d[1], cy = c[1] - d[1];
    double az = a[2] - d[2], bz = b[2] - d[2], cz = c[2] - d[2];
    double bc = bx * cy, cb = cx * by, ca = cx * ay, ac = ax * cy, ab = ax * by, ba = bx * ay;
    double det = az * (bc - cb) + bz * (ca - ac) + cz * (ab - ba);
    double size = (fabs(bc) + fabs(cb)) * fabs(az) + (fabs(ca) + fabs(ac)) * fabs(bz) +
                  (fabs(ab) + fabs(ba)) * fabs(cz);
    if (fabs(det) > (7 + 56 * u) * u * size) return sign(det);
    return orient3d_exact((const double* const[3]){a, b, c}, d);
}
