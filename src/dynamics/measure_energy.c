// What acts on measures as terms of E: values, derivatives, bounds of steps.
#include "dynamics/measures.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

// ---- pieces

// A piece and its derivatives by its arrows.
typedef struct shape {
    double a[PLI_PIECE_ARROWS][3], value, g[PLI_PIECE_ARROWS][3];
    double S, C, gS[PLI_PIECE_ARROWS][3], gC[PLI_PIECE_ARROWS][3]; // of an angle
} shape;

static int arrow_count(pli_piece_kind kind) {
    return kind == PLI_PIECE_DISTANCE ? 1 : kind == PLI_PIECE_DOT ? 2 : 4;
}

// `fixed`: with the part that does not move.
static void find_arrow(const pli_world_measure* m, const pli_measure_arrow* a, bool fixed,
                       const double* x, int dim, double out[3]) {
    for (int c = 0; c < 3; ++c) out[c] = fixed && c < dim ? a->fixed[c] : 0;
    for (int i = 0; i < m->vertex_count; ++i)
        pli_axpy(a->weight[i], x + 3 * (size_t)m->vertices[i], out, dim);
}

// S = sin, C = cos of the angle, times the lengths of the directions.
static void find_turn(double a[PLI_PIECE_ARROWS][3], double* S, double* C) {
    *S = pli_dot(a[0], a[3], 3) - pli_dot(a[1], a[2], 3);
    *C = pli_dot(a[0], a[2], 3) + pli_dot(a[1], a[3], 3);
}

static void shape_angle(const double near, shape* s) {
    static const int with_S[4] = {3, 2, 1, 0}, with_C[4] = {2, 3, 0, 1};
    static const double sign_S[4] = {1, -1, -1, 1};
    find_turn(s->a, &s->S, &s->C);
    double raw = pli_atan2(s->S, s->C), R = s->S * s->S + s->C * s->C;
    s->value = raw + 2 * PI * floor((near - raw) / (2 * PI) + 0.5);
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < 3; ++c) {
            s->gS[k][c] = sign_S[k] * s->a[with_S[k]][c];
            s->gC[k][c] = s->a[with_C[k]][c];
            s->g[k][c] = R > 0 ? (s->C * s->gS[k][c] - s->S * s->gC[k][c]) / R : 0;
        }
}

// `near`: the angle that it is closest to.
static void find_shape(const pli_world_measure* m, const pli_measure_piece* piece, double near,
                       const double* x, int dim, shape* s) {
    for (int k = 0; k < arrow_count(piece->kind); ++k)
        find_arrow(m, &piece->arrow[k], true, x, dim, s->a[k]);
    if (piece->kind == PLI_PIECE_ANGLE) {
        shape_angle(near, s);
    } else if (piece->kind == PLI_PIECE_DOT) {
        s->value = pli_dot(s->a[0], s->a[1], 3);
        memcpy(s->g[0], s->a[1], sizeof s->g[0]);
        memcpy(s->g[1], s->a[0], sizeof s->g[1]);
    } else {
        s->value = pli_norm(s->a[0], 3);
        for (int c = 0; c < 3; ++c) s->g[0][c] = s->value > 0 ? s->a[0][c] / s->value : 0;
    }
}

double pli_measure_value(pli_measures* all, const pli_world_measure* m, const double* x, bool keep,
                         double* gradient) {
    double sum = m->offset;
    for (int i = 0; i < 3 * m->vertex_count && gradient; ++i) gradient[i] = 0;
    for (int p = m->first; p < m->first + m->count; ++p) {
        const pli_measure_piece* piece = &all->pieces[p];
        shape s;
        find_shape(m, piece, piece->state < 0 ? 0 : all->state[piece->state], x, all->dim, &s);
        sum += piece->weight * s.value;
        if (keep && piece->state >= 0) all->state[piece->state] = s.value;
        for (int k = 0; k < arrow_count(piece->kind) && gradient; ++k)
            for (int i = 0; i < m->vertex_count; ++i)
                pli_axpy(piece->weight * piece->arrow[k].weight[i], s.g[k], gradient + 3 * i, 3);
    }
    return sum;
}

// ---- functions of a measure

double pli_holder_force(const pli_holder* h, double c) {
    return fmin(fmax(h->lambda + h->k * (c - h->target), h->low), h->high);
}

static void add_holder(const pli_holder* h, double c, double out[3]) {
    double e = c - h->target, force = h->lambda + h->k * e;
    double within = pli_holder_force(h, c);
    double to =
        within == force ? e : (within - h->lambda) / h->k; // where the force is at its bound
    out[0] += h->lambda * to + 0.5 * h->k * to * to + within * (e - to);
    out[1] += within;
    if (within == force) out[2] += h->k;
}

static void add_spring(const double spring[2], double c, double out[3]) {
    double e = c - spring[1];
    out[0] += 0.5 * spring[0] * e * e;
    out[1] += spring[0] * e;
    out[2] += spring[0];
}

// d: how far c is from a limit; `sign`: dd/dc.
static bool add_limit(const pli_world_measure* m, double d, double sign, double out[3]) {
    double r = m->range, k = m->barrier;
    if (d >= r) return true;
    if (!(d > 0)) return false;
    double ln = pli_log(d / r), q = (d - r) / d;
    out[0] -= k * (d - r) * (d - r) * ln;
    out[1] -= sign * k * (d - r) * (2 * ln + q);
    out[2] -= k * (2 * ln + 4 * q - q * q);
    return true;
}

bool pli_measure_act(const pli_measures* all, const pli_world_measure* m, pli_measure_class which,
                     double c, double out[3]) {
    const pli_measure_state* state = pli_measure_state_of(all, m);
    out[0] = out[1] = out[2] = 0;
    if (pli_measure_is_off(all, m)) return true;
    switch (which) {
    case PLI_MEASURE_HOLDS:
        add_holder(&state->hold, c, out);
        return true;
    case PLI_MEASURE_STORES:
        add_spring(state->spring, c, out);
        return add_limit(m, c - m->low, 1, out) && add_limit(m, m->high - c, -1, out);
    default:
        add_holder(&state->friction, c, out);
        add_spring(state->damper, c, out);
        return true;
    }
}

// ---- the term

typedef struct local {
    int dim, width;
    double* H; // of one stencil
} local;

// H += weight of arrow a times weight of arrow b times the block, 3 x 3, and its transpose.
static void add_block(const pli_world_measure* m, const pli_measure_piece* piece, int a, int b,
                      const double block[9], const local* out) {
    int size = out->width * out->dim;
    for (int i = 0; i < m->vertex_count; ++i)
        for (int k = 0; k < m->vertex_count; ++k) {
            double factor = piece->arrow[a].weight[i] * piece->arrow[b].weight[k];
            for (int r = 0; r < out->dim && factor != 0; ++r)
                for (int c = 0; c < out->dim; ++c) {
                    double value = factor * block[3 * r + c];
                    out->H[(i * out->dim + r) * size + k * out->dim + c] += value;
                    if (a != b) out->H[(k * out->dim + c) * size + i * out->dim + r] += value;
                }
        }
}

static void add_identity(const pli_world_measure* m, const pli_measure_piece* piece, int a, int b,
                         double factor, const local* out) {
    double block[9] = {factor, 0, 0, 0, factor, 0, 0, 0, factor};
    add_block(m, piece, a, b, block, out);
}

// s times the second derivative of a dot: [0 I; I 0], its positive part (|s| / 2) [I I; I I], where
// b counts in lengths of the lever.
static void bend_dot(const pli_world_measure* m, const pli_measure_piece* piece, double s,
                     bool project, const local* out) {
    if (project) {
        double half = 0.5 * fabs(s);
        add_identity(m, piece, 0, 0, half / piece->lever, out);
        add_identity(m, piece, 1, 1, half * piece->lever, out);
        s *= 0.5;
    }
    add_identity(m, piece, 0, 1, s, out);
}

static void bend_distance(const pli_world_measure* m, const pli_measure_piece* piece,
                          const shape* at, double s, bool project, const local* out) {
    if (!(at->value > 0) || (project && s < 0)) return;
    double block[9];
    for (int i = 0; i < 9; ++i)
        block[i] = s / at->value * ((i % 4 == 0) - at->g[0][i / 3] * at->g[0][i % 3]);
    add_block(m, piece, 0, 0, block, out);
}

// Rigid turns about the axis do not bend an angle: its positive part would only resist them.
static void bend_angle(const pli_world_measure* m, const pli_measure_piece* piece, const shape* at,
                       double s, bool project, const local* out) {
    double S = at->S, C = at->C, R = S * S + C * C;
    if (project || !(R > 0)) return;
    add_identity(m, piece, 0, 3, s * C / R, out);
    add_identity(m, piece, 1, 2, -s * C / R, out);
    add_identity(m, piece, 0, 2, -s * S / R, out);
    add_identity(m, piece, 1, 3, -s * S / R, out);
    double mixed = s * (S * S - C * C) / (R * R), same = s * 2 * S * C / (R * R);
    for (int a = 0; a < 4; ++a)
        for (int b = a; b < 4; ++b) {
            double block[9];
            for (int i = 0; i < 9; ++i) {
                int r = i / 3, c = i % 3;
                block[i] = mixed * (at->gS[a][r] * at->gC[b][c] + at->gC[a][r] * at->gS[b][c]) +
                           same * (at->gC[a][r] * at->gC[b][c] - at->gS[a][r] * at->gS[b][c]);
            }
            add_block(m, piece, a, b, block, out);
        }
}

static void bend(pli_measures* all, const pli_world_measure* m, const double* x, double force,
                 bool project, const local* out) {
    for (int p = m->first; p < m->first + m->count; ++p) {
        const pli_measure_piece* piece = &all->pieces[p];
        double s = force * piece->weight;
        shape at;
        find_shape(m, piece, 0, x, all->dim, &at);
        switch (piece->kind) {
        case PLI_PIECE_DOT:
            bend_dot(m, piece, s, project, out);
            break;
        case PLI_PIECE_DISTANCE:
            bend_distance(m, piece, &at, s, project, out);
            break;
        case PLI_PIECE_ANGLE:
            bend_angle(m, piece, &at, s, project, out);
            break;
        }
    }
}

static void eval_one(const pli_measure_term* t, const pli_world_measure* m, const pli_batch* in,
                     int i, pli_local* out) {
    double g[3 * PLI_MEASURE_WIDTH], act[3];
    int dim = in->dim, size = in->width * dim;
    double c = pli_measure_value(t->all, m, in->x, false, g);
    if (!pli_measure_act(t->all, m, t->which, c, act)) {
        if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
        return;
    }
    if (in->want & PLI_VALUE) out->e[i] += act[0];
    if (in->want & PLI_GRADIENT)
        for (int v = 0; v < m->vertex_count; ++v)
            pli_axpy(act[1], g + 3 * v, out->g + i * size + v * dim, dim);
    if (!(in->want & PLI_HESSIAN)) return;
    local at = {dim, in->width, out->H + (size_t)i * (size_t)(size * size)};
    for (int a = 0; a < m->vertex_count * dim && act[2] != 0; ++a)
        for (int b = 0; b < m->vertex_count * dim; ++b)
            at.H[a * size + b] += act[2] * g[3 * (a / dim) + a % dim] * g[3 * (b / dim) + b % dim];
    if (act[1] != 0) bend(t->all, m, in->x, act[1], in->project, &at);
}

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const pli_measure_term* t = self;
    for (int i = 0; i < in->count; ++i) eval_one(t, &t->all->list[t->list[first + i]], in, i, out);
}

static int count(const void* self) { return ((const pli_measure_term*)self)->count; }
static const int32_t* vertices(const void* self) {
    return ((const pli_measure_term*)self)->vertices;
}
static uint64_t epoch(const void* self) {
    (void)self;
    return 0;
}

static void* state(void* self, size_t* size, const void** initial) {
    pli_measures* all = ((pli_measure_term*)self)->all;
    *size = sizeof *all->state * (size_t)all->state_count;
    *initial = all->initial;
    return all->state;
}

// ---- steps

// The smallest root of a + b s + c s^2 in (0, 1]; 2: none. At 0 it is not 0.
static double first_root(double a, double b, double c) {
    double D = b * b - 4 * a * c, least = 2;
    if (!(D >= 0)) return 2;
    double q = -0.5 * (b + copysign(sqrt(D), b)), roots[2] = {q / c, a / q};
    for (int i = 0; i < 2; ++i)
        if (roots[i] > 0 && roots[i] <= 1) least = fmin(least, roots[i]);
    return least;
}

// The arrows at x, and how they change over p.
typedef struct sweep {
    double a[PLI_PIECE_ARROWS][3], d[PLI_PIECE_ARROWS][3];
} sweep;

// Coefficients of a product of arrows along p.
static void sweep_product(const sweep* s, int i, int k, double sign, double out[3]) {
    out[0] += sign * pli_dot(s->a[i], s->a[k], 3);
    out[1] += sign * (pli_dot(s->a[i], s->d[k], 3) + pli_dot(s->d[i], s->a[k], 3));
    out[2] += sign * pli_dot(s->d[i], s->d[k], 3);
}

// The part of the way at which the angle has changed by `by`, |by| < pi / 2: there the sine of the
// remaining angle is 0.
static double sweep_angle(const sweep* s, double by) {
    double S[3] = {0}, C[3] = {0}, f[3];
    sweep_product(s, 0, 3, 1, S), sweep_product(s, 1, 2, -1, S);
    sweep_product(s, 0, 2, 1, C), sweep_product(s, 1, 3, 1, C);
    double now = pli_atan2(S[0], C[0]) + by;
    for (int i = 0; i < 3; ++i) f[i] = S[i] * pli_cos(now) - C[i] * pli_sin(now);
    return first_root(f[0], f[1], f[2]);
}

// The first part of the way at which a piece has changed by `by`.
static double reach(const pli_measure_piece* piece, const sweep* s, double by) {
    static const double QUARTER = 1.5;
    double f[3] = {0};
    if (piece->kind == PLI_PIECE_ANGLE) return fabs(by) < QUARTER ? sweep_angle(s, by) : 2;
    if (piece->kind == PLI_PIECE_DOT) {
        sweep_product(s, 0, 1, 1, f);
        return first_root(-by, f[1], f[2]);
    }
    sweep_product(s, 0, 0, 1, f);
    double now = sqrt(f[0]);
    return now + by > 0 ? first_root(-by * (2 * now + by), f[1], f[2]) : 2;
}

// A bound of the part of p on which a measure stays within its limits and no angle turns by more
// than a radian. Limits are on measures of one piece.
static double bound(const pli_measure_term* t, const pli_world_measure* m, const double* x,
                    const double* p) {
    static const double MOST_TURN = 1, LEFT = 0.9;
    double alpha = 1;
    for (int i = m->first; i < m->first + m->count; ++i) {
        const pli_measure_piece* piece = &t->all->pieces[i];
        sweep s;
        for (int k = 0; k < arrow_count(piece->kind); ++k) {
            find_arrow(m, &piece->arrow[k], true, x, t->all->dim, s.a[k]);
            find_arrow(m, &piece->arrow[k], false, p, t->all->dim, s.d[k]);
        }
        if (piece->kind == PLI_PIECE_ANGLE)
            for (int way = -1; way <= 1; way += 2)
                alpha = fmin(alpha, sweep_angle(&s, way * MOST_TURN));
        if (t->which != PLI_MEASURE_STORES) continue;
        double c = pli_measure_value(t->all, m, x, false, NULL), limit[2] = {m->low, m->high};
        for (int k = 0; k < 2; ++k)
            if (isfinite(limit[k]))
                alpha = fmin(alpha, LEFT * reach(piece, &s, (limit[k] - c) / piece->weight));
    }
    return alpha;
}

static double max_step(const void* self, const pli_view* view, const double* p) {
    const pli_measure_term* t = self;
    double alpha = 1;
    for (int i = 0; i < t->count; ++i) {
        const pli_world_measure* m = &t->all->list[t->list[i]];
        if (!pli_measure_is_off(t->all, m)) alpha = fmin(alpha, bound(t, m, view->x, p));
    }
    return alpha;
}

// Angles are counted from where they are now.
static pli_status refresh(void* self, const pli_view* view, const double* p, double* alpha,
                          pli_error* error) {
    (void)p, (void)alpha, (void)error;
    pli_measures* all = ((pli_measure_term*)self)->all;
    for (int i = 0; i < all->count; ++i)
        (void)pli_measure_value(all, &all->list[i], view->x, true, NULL);
    return PLI_OK;
}

pli_term pli_measure_make_term(pli_measure_term* t) {
    static const char* const names[] = {"joints", "joint springs", "joint friction"};
    static const pli_role roles[] = {PLI_PULL, PLI_POTENTIAL, PLI_DISSIPATION};
    t->ops = (pli_term_ops){.name = names[t->which],
                            .width = PLI_MEASURE_WIDTH,
                            .dynamic = true,
                            .role = roles[t->which],
                            .count = count,
                            .vertices = vertices,
                            .eval = eval,
                            .max_step = t->count > 0 ? max_step : NULL,
                            .epoch = epoch};
    if (t->which == PLI_MEASURE_HOLDS) {
        t->ops.state = state;
        t->ops.refresh = refresh;
    }
    return (pli_term){.ops = &t->ops, .self = t};
}
