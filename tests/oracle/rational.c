// The point is on the edge's line at the roots of the quadratic f(t) = u(t) x q(t), u = e1 - e0,
// q = p - e0. Whether it is on the edge then is the sign of other quadratics at that root, which is
// a number of the field Q(sqrt D): decided in integers.
#include "oracle/rational.h"

#include <math.h>

__extension__ typedef __int128 wide;

typedef struct quadratic {
    wide a, b, c; // a t^2 + b t + c
} quadratic;

// (-b + side sqrt(D)) / (2 a) of a quadratic f; if f.a = 0 the root -c / b.
typedef struct root {
    quadratic f;
    int side;
} root;

typedef struct line {
    int at[2], rate[2]; // a vector at + t rate
} line;

static int sign_of(wide v) { return (v > 0) - (v < 0); }

// a.b or a x b as a polynomial in t.
static quadratic dot(line v, line w) {
    quadratic q = {0, 0, 0};
    for (int k = 0; k < 2; ++k) {
        q.a += (wide)v.rate[k] * w.rate[k];
        q.b += (wide)v.at[k] * w.rate[k] + (wide)v.rate[k] * w.at[k];
        q.c += (wide)v.at[k] * w.at[k];
    }
    return q;
}

static quadratic cross(line v, line w) {
    line turned = {{w.at[1], -w.at[0]}, {w.rate[1], -w.rate[0]}};
    return dot(v, turned);
}

static line minus(line v, line w) {
    for (int k = 0; k < 2; ++k) {
        v.at[k] -= w.at[k];
        v.rate[k] -= w.rate[k];
    }
    return v;
}

static wide discriminant(quadratic f) { return f.b * f.b - 4 * f.a * f.c; }

// Sign of g at the root r of f. With alpha t + beta = (a_f g - a_g f) it is the sign of
// (2 a_f beta - alpha b_f) + side alpha sqrt(D).
static int sign_at(root r, quadratic g) {
    quadratic f = r.f;
    if (f.a == 0) return sign_of(g.a * f.c * f.c - g.b * f.c * f.b + g.c * f.b * f.b);
    wide alpha = f.a * g.b - g.a * f.b, beta = f.a * g.c - g.a * f.c;
    wide P = 2 * f.a * beta - alpha * f.b, Q = r.side * alpha, D = discriminant(f);
    if (D == 0 || Q == 0) return sign_of(P);
    if (P == 0 || sign_of(P) == sign_of(Q)) return sign_of(Q);
    return sign_of(P) * sign_of(P * P - Q * Q * D);
}

static double value_of(root r) {
    if (r.f.a == 0) return (double)(-(long double)r.f.c / (long double)r.f.b);
    long double b = (long double)r.f.b, s = sqrtl((long double)discriminant(r.f));
    long double numerator = -b + r.side * s;
    // The other form when this one cancels.
    if ((b > 0) == (r.side > 0) && b != 0)
        return (double)(2 * (long double)r.f.c / (-b - r.side * s));
    return (double)(numerator / (2 * (long double)r.f.a));
}

static bool in_step(root r) {
    return sign_at(r, (quadratic){0, 1, 0}) >= 0 && sign_at(r, (quadratic){0, -1, 1}) >= 0;
}

// On the line at the root: also on the closed edge? An edge without length then is its end.
static bool on_edge(root r, line u, line q) {
    if (sign_at(r, dot(u, u)) == 0) return sign_at(r, dot(q, q)) == 0;
    line from_e1 = minus(q, u);
    return sign_at(r, dot(q, u)) >= 0 && sign_at(r, dot(from_e1, u)) <= 0;
}

static void take(pli_exact_hit* best, root r) {
    double time = value_of(r);
    if (!best->hit || time < best->time) *best = (pli_exact_hit){true, time};
}

// Always on one line: the first touch is with an end.
static void meet_end(line w, pli_exact_hit* best) {
    for (int k = 0; k < 2; ++k) {
        root r = {{0, w.rate[k], w.at[k]}, 1};
        if (w.rate[k] == 0 || !in_step(r)) continue;
        if (sign_at(r, dot(w, w)) == 0) take(best, r);
    }
}

pli_exact_hit pli_exact_point_edge(int x[3][2], int p[3][2]) {
    line v[3];
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 2; ++k) {
            v[i].at[k] = x[i][k];
            v[i].rate[k] = p[i][k];
        }
    line u = minus(v[2], v[1]), q = minus(v[0], v[1]);
    quadratic f = cross(u, q);
    pli_exact_hit best = {false, 1};
    if (f.a == 0 && f.b == 0) {
        if (f.c == 0) {
            meet_end(q, &best);
            meet_end(minus(q, u), &best);
        }
        return best;
    }
    if (f.a != 0 && discriminant(f) < 0) return best;
    for (int side = -1; side <= 1; side += 2) {
        root r = {f, side};
        if (in_step(r) && on_edge(r, u, q)) take(&best, r);
    }
    return best;
}
