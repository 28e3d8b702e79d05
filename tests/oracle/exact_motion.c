// Touching means: a polynomial in t vanishes (the vertices are in one plane, on one line, at one
// place) and others, which say "inside", are positive at that root. Roots are isolated by Sturm's
// theorem; signs at a root are decided by common divisors and by halving until nothing else has a
// root nearby. A touch on the border of a primitive is a touch of the border: triangles ask their
// sides, edges their ends.
#include "oracle/exact_motion.h"

#include <gmp.h>
#include <math.h>

enum { MAX_DEGREE = 8, BITS = 80, MAX_HALVINGS = 64, MAX_CONDITIONS = 4 };

typedef struct poly {
    int degree; // -1: zero
    mpz_t c[MAX_DEGREE + 1];
} poly;

// A vector of polynomials.
typedef struct path {
    poly v[3];
} path;

// An interval (a, a + 1] / 2^level.
typedef struct interval {
    mpz_t a;
    unsigned long level;
} interval;

static void poly_init(poly* f) {
    f->degree = -1;
    for (int i = 0; i <= MAX_DEGREE; ++i) mpz_init(f->c[i]);
}

static void poly_clear(poly* f) {
    for (int i = 0; i <= MAX_DEGREE; ++i) mpz_clear(f->c[i]);
}

static void trim(poly* f, int degree) {
    while (degree >= 0 && mpz_sgn(f->c[degree]) == 0) --degree;
    f->degree = degree;
}

static void poly_copy(poly* out, const poly* f) {
    out->degree = f->degree;
    for (int i = 0; i <= MAX_DEGREE; ++i) mpz_set(out->c[i], f->c[i]);
}

// out += sign f g; out must be neither f nor g.
static void add_product(poly* out, int sign, const poly* f, const poly* g) {
    for (int i = 0; i <= f->degree; ++i)
        for (int j = 0; j <= g->degree; ++j)
            (sign > 0 ? mpz_addmul : mpz_submul)(out->c[i + j], f->c[i], g->c[j]);
    trim(out, MAX_DEGREE);
}

static void subtract(poly* out, const poly* f, const poly* g) {
    for (int i = 0; i <= MAX_DEGREE; ++i) mpz_sub(out->c[i], f->c[i], g->c[i]);
    trim(out, MAX_DEGREE);
}

// Divides by the greatest common divisor of the coefficients: keeps signs.
static void make_primitive(poly* f) {
    mpz_t g;
    mpz_init(g);
    for (int i = 0; i <= f->degree; ++i) mpz_gcd(g, g, f->c[i]);
    for (int i = 0; i <= f->degree; ++i) mpz_divexact(f->c[i], f->c[i], g);
    mpz_clear(g);
}

// f = a positive multiple of the remainder of f by g.
static void remainder_of(poly* f, const poly* g) {
    mpz_t lead, factor;
    mpz_inits(lead, factor, NULL);
    mpz_abs(lead, g->c[g->degree]);
    while (f->degree >= g->degree) {
        int shift = f->degree - g->degree;
        mpz_set(factor, f->c[f->degree]);
        if (mpz_sgn(g->c[g->degree]) < 0) mpz_neg(factor, factor);
        for (int i = 0; i <= f->degree; ++i) mpz_mul(f->c[i], f->c[i], lead);
        for (int i = 0; i <= g->degree; ++i) mpz_submul(f->c[i + shift], factor, g->c[i]);
        trim(f, f->degree);
    }
    if (f->degree >= 0) make_primitive(f);
    mpz_clears(lead, factor, NULL);
}

// f = the greatest common divisor of f and g.
static void common_divisor(poly* f, const poly* g) {
    poly a, b;
    poly_init(&a);
    poly_init(&b);
    poly_copy(&a, f);
    poly_copy(&b, g);
    while (b.degree >= 0) {
        if (a.degree >= 0) remainder_of(&a, &b);
        poly left = a; // swap
        a = b;
        b = left;
    }
    if (a.degree >= 0) make_primitive(&a);
    poly_copy(f, &a);
    poly_clear(&a);
    poly_clear(&b);
}

// Sign of f at a / 2^level.
static int sign_at(const poly* f, const mpz_t a, unsigned long level) {
    mpz_t sum, scaled;
    mpz_inits(sum, scaled, NULL);
    for (int i = f->degree; i >= 0; --i) {
        mpz_mul(sum, sum, a);
        mpz_mul_2exp(scaled, f->c[i], level * (unsigned long)(f->degree - i));
        mpz_add(sum, sum, scaled);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, scaled, NULL);
    return sign;
}

typedef struct chain {
    int count;
    poly f[MAX_DEGREE + 2];
} chain;

// Sturm's chain of f != 0: f, f', then negative remainders. Repeated roots count once.
static void chain_init(chain* s, const poly* f) {
    for (int i = 0; i < MAX_DEGREE + 2; ++i) poly_init(&s->f[i]);
    poly_copy(&s->f[0], f);
    for (int i = 1; i <= f->degree; ++i) mpz_mul_ui(s->f[1].c[i - 1], f->c[i], (unsigned long)i);
    trim(&s->f[1], f->degree - 1);
    s->count = 1;
    while (s->f[s->count].degree >= 0) {
        poly* next = &s->f[s->count + 1];
        poly_copy(next, &s->f[s->count - 1]);
        remainder_of(next, &s->f[s->count]);
        for (int i = 0; i <= next->degree; ++i) mpz_neg(next->c[i], next->c[i]);
        s->count++;
    }
}

static void chain_clear(chain* s) {
    for (int i = 0; i < MAX_DEGREE + 2; ++i) poly_clear(&s->f[i]);
}

static int sign_changes(const chain* s, const mpz_t a, unsigned long level) {
    int changes = 0, last = 0;
    for (int i = 0; i < s->count; ++i) {
        int sign = sign_at(&s->f[i], a, level);
        if (sign == 0) continue;
        changes += last != 0 && sign != last;
        last = sign;
    }
    return changes;
}

// Distinct roots in the half-open interval. f must be square-free or not vanish at its ends.
static int root_count(const chain* s, const interval* i) {
    mpz_t end;
    mpz_init(end);
    mpz_add_ui(end, i->a, 1);
    int count = sign_changes(s, i->a, i->level) - sign_changes(s, end, i->level);
    mpz_clear(end);
    return count;
}

// Half of the interval: 0 the left one, 1 the right one.
static void take_half(interval* i, int half) {
    mpz_mul_2exp(i->a, i->a, 1);
    if (half) mpz_add_ui(i->a, i->a, 1);
    i->level++;
}

// One root of f is in the interval: halve it around that root.
static void refine(const chain* f, interval* i) {
    interval left;
    mpz_init_set(left.a, i->a);
    left.level = i->level;
    take_half(&left, 0);
    take_half(i, root_count(f, &left) == 0);
    mpz_clear(left.a);
}

// f = f without repeated roots.
static void make_square_free(poly* f) {
    poly derivative, quotient;
    poly_init(&derivative);
    poly_init(&quotient);
    for (int i = 1; i <= f->degree; ++i) mpz_mul_ui(derivative.c[i - 1], f->c[i], (unsigned long)i);
    trim(&derivative, f->degree - 1);
    common_divisor(&derivative, f);
    if (derivative.degree > 0) { // exact division, up to a factor
        mpz_t lead;
        mpz_init(lead);
        int degree = f->degree - derivative.degree;
        mpz_set(lead, derivative.c[derivative.degree]);
        for (int k = degree; k >= 0; --k) {
            for (int i = 0; i <= f->degree; ++i) mpz_mul(f->c[i], f->c[i], lead);
            for (int i = k + 1; i <= degree; ++i) mpz_mul(quotient.c[i], quotient.c[i], lead);
            mpz_divexact(quotient.c[k], f->c[k + derivative.degree], lead);
            for (int i = 0; i <= derivative.degree; ++i)
                mpz_submul(f->c[i + k], quotient.c[k], derivative.c[i]);
        }
        trim(&quotient, degree);
        poly_copy(f, &quotient);
        mpz_clear(lead);
    }
    make_primitive(f);
    poly_clear(&derivative);
    poly_clear(&quotient);
}

// Is g > 0 at the root of f in the interval? Narrows the interval.
static bool positive_at_root(const poly* f, const chain* sturm, interval* i, const poly* g) {
    if (g->degree < 0) return false;
    poly shared, other;
    chain s;
    poly_init(&shared);
    poly_init(&other);
    poly_copy(&shared, f);
    common_divisor(&shared, g);
    chain_init(&s, &shared);
    bool positive = root_count(&s, i) == 0;
    chain_clear(&s);
    if (positive) {
        poly_copy(&other, g);
        make_square_free(&other); // may change the sign: only its roots are used
        chain_init(&s, &other);
        while (root_count(&s, i) > 0) refine(sturm, i);
        chain_clear(&s);
        mpz_t end;
        mpz_init(end);
        mpz_add_ui(end, i->a, 1);
        positive = sign_at(g, end, i->level) > 0;
        mpz_clear(end);
    }
    poly_clear(&shared);
    poly_clear(&other);
    return positive;
}

static void take_root(const poly* f, const chain* sturm, interval* i, int condition_count,
                      const poly* conditions, pli_exact_contact* best) {
    for (int k = 0; k < condition_count; ++k)
        if (!positive_at_root(f, sturm, i, &conditions[k])) return;
    while (i->level < MAX_HALVINGS) refine(sturm, i);
    mpz_add_ui(i->a, i->a, 1); // the closed end
    double time = ldexp(mpz_get_d(i->a), -(int)i->level);
    if (!best->hit || time < best->time) *best = (pli_exact_contact){true, time};
}

static void search(const poly* f, const chain* sturm, const interval* i, int condition_count,
                   const poly* conditions, pli_exact_contact* best) {
    int count = root_count(sturm, i);
    if (count == 0) return;
    for (int half = 0; half < (count == 1 ? 1 : 2); ++half) {
        interval part;
        mpz_init_set(part.a, i->a);
        part.level = i->level;
        if (count == 1) {
            take_root(f, sturm, &part, condition_count, conditions, best);
        } else {
            take_half(&part, half);
            search(f, sturm, &part, condition_count, conditions, best);
        }
        mpz_clear(part.a);
    }
}

// The roots of f != 0 in (0, 1] at which all conditions are positive.
static void take_roots(poly* f, int condition_count, const poly* conditions,
                       pli_exact_contact* best) {
    make_square_free(f);
    chain sturm;
    chain_init(&sturm, f);
    interval all = {.level = 0};
    mpz_init(all.a);
    search(f, &sturm, &all, condition_count, conditions, best);
    mpz_clear(all.a);
    chain_clear(&sturm);
}

static void path_init(path* w) {
    for (int k = 0; k < 3; ++k) poly_init(&w->v[k]);
}

static void path_clear(path* w) {
    for (int k = 0; k < 3; ++k) poly_clear(&w->v[k]);
}

// x + t p in units of 2^-80.
static void path_of(path* w, const double* x, const double* p) {
    path_init(w);
    for (int k = 0; k < 3; ++k) {
        mpz_set_d(w->v[k].c[0], ldexp(x[k], BITS));
        mpz_set_d(w->v[k].c[1], ldexp(p[k], BITS));
        trim(&w->v[k], 1);
    }
}

static void path_between(path* out, const path* a, const path* b) {
    path_init(out);
    for (int k = 0; k < 3; ++k) subtract(&out->v[k], &a->v[k], &b->v[k]);
}

static void path_cross(path* out, const path* a, const path* b) {
    path_init(out);
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        add_product(&out->v[k], 1, &a->v[i], &b->v[j]);
        add_product(&out->v[k], -1, &a->v[j], &b->v[i]);
    }
}

static void path_dot(poly* out, const path* a, const path* b) {
    poly_init(out);
    for (int k = 0; k < 3; ++k) add_product(out, 1, &a->v[k], &b->v[k]);
}

// The roots of all three components together; nothing if they always vanish.
static void take_zeros(const path* w, int condition_count, const poly* conditions,
                       pli_exact_contact* best) {
    poly f;
    poly_init(&f);
    for (int k = 0; k < 3; ++k) common_divisor(&f, &w->v[k]);
    if (f.degree > 0) take_roots(&f, condition_count, conditions, best);
    poly_clear(&f);
}

static void meet_points(const path* a, const path* b, pli_exact_contact* best) {
    path w;
    path_between(&w, a, b);
    take_zeros(&w, 0, NULL, best);
    path_clear(&w);
}

static void meet_point_edge(const path* p, const path* e0, const path* e1,
                            pli_exact_contact* best) {
    path q, rest, u, w;
    poly inside[2];
    path_between(&q, p, e0);
    path_between(&rest, e1, p);
    path_between(&u, e1, e0);
    path_cross(&w, &q, &u);
    path_dot(&inside[0], &q, &u);
    path_dot(&inside[1], &rest, &u);
    take_zeros(&w, 2, inside, best);
    meet_points(p, e0, best);
    meet_points(p, e1, best);
    path_clear(&q);
    path_clear(&rest);
    path_clear(&u);
    path_clear(&w);
    for (int i = 0; i < 2; ++i) poly_clear(&inside[i]);
}

typedef struct motion {
    path x[4];
    int count;
} motion;

static void motion_init(motion* m, int count, const double* const* x, const double* const* p) {
    m->count = count;
    for (int i = 0; i < count; ++i) path_of(&m->x[i], x[i], p[i]);
}

static void motion_clear(motion* m) {
    for (int i = 0; i < m->count; ++i) path_clear(&m->x[i]);
}

// The roots of w.N at which the conditions hold; nothing if it always vanishes.
static void take_coplanar(const path* w, const path* N, int count, const poly* conditions,
                          pli_exact_contact* best) {
    poly f;
    path_dot(&f, w, N);
    if (f.degree > 0) take_roots(&f, count, conditions, best);
    poly_clear(&f);
}

pli_exact_contact pli_exact_point_point_contact(const double* const* x, const double* const* p) {
    motion m;
    pli_exact_contact best = {false, 1};
    motion_init(&m, 2, x, p);
    meet_points(&m.x[0], &m.x[1], &best);
    motion_clear(&m);
    return best;
}

pli_exact_contact pli_exact_point_edge_contact(const double* const* x, const double* const* p) {
    motion m;
    pli_exact_contact best = {false, 1};
    motion_init(&m, 3, x, p);
    meet_point_edge(&m.x[0], &m.x[1], &m.x[2], &best);
    motion_clear(&m);
    return best;
}

// In the plane of the triangle with N = u x v, strictly inside: N . (side x (p - its start)) > 0.
pli_exact_contact pli_exact_point_triangle_contact(const double* const* x, const double* const* p) {
    motion m;
    path u, v, N, q;
    poly inside[3];
    pli_exact_contact best = {false, 1};
    motion_init(&m, 4, x, p);
    path_between(&u, &m.x[2], &m.x[1]);
    path_between(&v, &m.x[3], &m.x[1]);
    path_between(&q, &m.x[0], &m.x[1]);
    path_cross(&N, &u, &v);
    for (int i = 0; i < 3; ++i) {
        path side, from, turn;
        path_between(&side, &m.x[1 + (i + 1) % 3], &m.x[1 + i]);
        path_between(&from, &m.x[0], &m.x[1 + i]);
        path_cross(&turn, &side, &from);
        path_dot(&inside[i], &N, &turn);
        path_clear(&side);
        path_clear(&from);
        path_clear(&turn);
    }
    take_coplanar(&q, &N, 3, inside, &best);
    for (int i = 0; i < 3; ++i) meet_point_edge(&m.x[0], &m.x[1 + i], &m.x[1 + (i + 1) % 3], &best);
    for (int i = 0; i < 3; ++i) poly_clear(&inside[i]);
    path_clear(&u);
    path_clear(&v);
    path_clear(&N);
    path_clear(&q);
    motion_clear(&m);
    return best;
}

// a0 + s u = b0 + r v with q = b0 - a0: s N = q x v, r N = q x u, N = u x v; 0 < s, r < 1.
pli_exact_contact pli_exact_edge_edge_contact(const double* const* x, const double* const* p) {
    motion m;
    path edge[2], N, q;
    poly inside[MAX_CONDITIONS], square;
    pli_exact_contact best = {false, 1};
    motion_init(&m, 4, x, p);
    path_between(&edge[0], &m.x[1], &m.x[0]);
    path_between(&edge[1], &m.x[3], &m.x[2]);
    path_between(&q, &m.x[2], &m.x[0]);
    path_cross(&N, &edge[0], &edge[1]);
    path_dot(&square, &N, &N);
    for (int i = 0; i < 2; ++i) {
        path turn;
        path_cross(&turn, &q, &edge[1 - i]);
        path_dot(&inside[i], &turn, &N);
        poly_init(&inside[2 + i]);
        subtract(&inside[2 + i], &square, &inside[i]);
        path_clear(&turn);
    }
    take_coplanar(&q, &N, MAX_CONDITIONS, inside, &best);
    for (int i = 0; i < 2; ++i) {
        meet_point_edge(&m.x[i], &m.x[2], &m.x[3], &best);
        meet_point_edge(&m.x[2 + i], &m.x[0], &m.x[1], &best);
    }
    for (int i = 0; i < MAX_CONDITIONS; ++i) poly_clear(&inside[i]);
    poly_clear(&square);
    for (int i = 0; i < 2; ++i) path_clear(&edge[i]);
    path_clear(&N);
    path_clear(&q);
    motion_clear(&m);
    return best;
}
