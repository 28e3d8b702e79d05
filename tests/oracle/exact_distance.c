// The smallest |q - a u - b v|^2 over a polygon of parameters: inside if the normal equations say
// so, else on one of the sides, each a clamped quotient.
#include "oracle/exact_distance.h"

#include <gmp.h>
#include <stdbool.h>

typedef struct vec {
    mpq_t v[3];
} vec;

static void vec_init(vec* a) {
    for (int k = 0; k < 3; ++k) mpq_init(a->v[k]);
}

static void vec_clear(vec* a) {
    for (int k = 0; k < 3; ++k) mpq_clear(a->v[k]);
}

// out = x - y, of doubles.
static void vec_between(const double* x, const double* y, vec* out) {
    mpq_t other;
    mpq_init(other);
    for (int k = 0; k < 3; ++k) {
        mpq_set_d(out->v[k], x[k]);
        mpq_set_d(other, y[k]);
        mpq_sub(out->v[k], out->v[k], other);
    }
    mpq_clear(other);
}

static void vec_dot(const vec* a, const vec* b, mpq_t out) {
    mpq_t product;
    mpq_init(product);
    mpq_set_ui(out, 0, 1);
    for (int k = 0; k < 3; ++k) {
        mpq_mul(product, a->v[k], b->v[k]);
        mpq_add(out, out, product);
    }
    mpq_clear(product);
}

// a -= s b
static void vec_take(vec* a, const mpq_t s, const vec* b) {
    mpq_t product;
    mpq_init(product);
    for (int k = 0; k < 3; ++k) {
        mpq_mul(product, s, b->v[k]);
        mpq_sub(a->v[k], a->v[k], product);
    }
    mpq_clear(product);
}

static void take_smaller(mpq_t best, bool* any, const mpq_t value) {
    if (!*any || mpq_cmp(value, best) < 0) mpq_set(best, value);
    *any = true;
}

// Point p against the edge e0, e1.
static void side(const double* p, const double* e0, const double* e1, mpq_t best, bool* any) {
    vec q, u;
    mpq_t r, uu;
    vec_init(&q);
    vec_init(&u);
    mpq_inits(r, uu, NULL);
    vec_between(p, e0, &q);
    vec_between(e1, e0, &u);
    vec_dot(&u, &u, uu);
    vec_dot(&q, &u, r);
    if (mpq_sgn(uu) == 0 || mpq_sgn(r) < 0)
        mpq_set_ui(r, 0, 1);
    else if (mpq_cmp(r, uu) > 0)
        mpq_set_ui(r, 1, 1);
    else
        mpq_div(r, r, uu);
    vec_take(&q, r, &u);
    vec_dot(&q, &q, uu);
    take_smaller(best, any, uu);
    mpq_clears(r, uu, NULL);
    vec_clear(&q);
    vec_clear(&u);
}

// The smallest |q - a u - b v|^2 without bounds, if it is at one place with a, b >= 0 and
// (`triangle`) a + b <= 1 or (else) a <= 1, b <= 1.
static void inside(vec* q, const vec* u, const vec* v, bool triangle, mpq_t best, bool* any) {
    mpq_t uu, uv, vv, uq, vq, det, a, b, sum, left;
    mpq_inits(uu, uv, vv, uq, vq, det, a, b, sum, left, NULL);
    vec_dot(u, u, uu);
    vec_dot(u, v, uv);
    vec_dot(v, v, vv);
    vec_dot(u, q, uq);
    vec_dot(v, q, vq);
    mpq_mul(det, uu, vv);
    mpq_mul(left, uv, uv);
    mpq_sub(det, det, left);
    if (mpq_sgn(det) > 0) {
        mpq_mul(a, uq, vv);
        mpq_mul(left, vq, uv);
        mpq_sub(a, a, left);
        mpq_div(a, a, det);
        mpq_mul(b, vq, uu);
        mpq_mul(left, uq, uv);
        mpq_sub(b, b, left);
        mpq_div(b, b, det);
        mpq_add(sum, a, b);
        bool within = mpq_sgn(a) >= 0 && mpq_sgn(b) >= 0;
        if (triangle) within = within && mpq_cmp_ui(sum, 1, 1) <= 0;
        within = within && mpq_cmp_ui(a, 1, 1) <= 0 && mpq_cmp_ui(b, 1, 1) <= 0;
        if (within) {
            vec_take(q, a, u);
            vec_take(q, b, v);
            vec_dot(q, q, sum);
            take_smaller(best, any, sum);
        }
    }
    mpq_clears(uu, uv, vv, uq, vq, det, a, b, sum, left, NULL);
}

static double distance2(const double* const* x, const int corners[3][2], bool triangle,
                        const int sides[4][3], int side_count) {
    vec part[3];
    mpq_t best;
    bool any = false;
    mpq_init(best);
    for (int i = 0; i < 3; ++i) {
        vec_init(&part[i]);
        vec_between(x[corners[i][0]], x[corners[i][1]], &part[i]);
    }
    inside(&part[0], &part[1], &part[2], triangle, best, &any);
    for (int i = 0; i < side_count; ++i)
        side(x[sides[i][0]], x[sides[i][1]], x[sides[i][2]], best, &any);
    double result = mpq_get_d(best);
    mpq_clear(best);
    for (int i = 0; i < 3; ++i) vec_clear(&part[i]);
    return result;
}

double pli_exact_point_triangle_distance2(const double* const* x) {
    static const int corners[3][2] = {{0, 1}, {2, 1}, {3, 1}};
    static const int sides[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}};
    return distance2(x, corners, true, sides, 3);
}

// w = (a0 - b0) + s (a1 - a0) - r (b1 - b0)
double pli_exact_edge_edge_distance2(const double* const* x) {
    static const int corners[3][2] = {{0, 2}, {0, 1}, {3, 2}};
    static const int sides[4][3] = {{0, 2, 3}, {1, 2, 3}, {2, 0, 1}, {3, 0, 1}};
    return distance2(x, corners, false, sides, 4);
}
