// The energies that act on measures: derivatives by differences, step bounds, turns of many rounds.
#include "dynamics/measures.h"
#include "oracle/contract.h"
#include "oracle/near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 8, STATES = PLI_JOINT_STATES + PLI_MEASURE_STATES + 2 };

// One measure of at most two pieces on two frames of four points.
typedef struct bench {
    pli_measures all;
    pli_world_measure measure;
    pli_measure_piece pieces[2];
    double state[STATES], x[3 * VERTICES];
    int32_t joint_state[2], list[1];
    pli_term term;
} bench;

static double random_in(double low, double high) {
    return low + (high - low) * (double)rand() / (double)RAND_MAX;
}

static pli_measure_state* state_of(bench* b) { return pli_measure_state_of(&b->all, &b->measure); }

// From one point of a frame to another.
static pli_measure_arrow between(int from, int to, double scale) {
    pli_measure_arrow a = {.fixed = {0}};
    a.weight[to] += scale, a.weight[from] -= scale;
    return a;
}

static pli_measure_piece piece(pli_piece_kind kind, double weight, int state) {
    pli_measure_piece p = {.kind = kind, .weight = weight, .lever = 0.4, .state = -1};
    if (kind == PLI_PIECE_ANGLE) {
        p.state = state;
        p.arrow[0] = between(0, 2, 1), p.arrow[1] = between(0, 3, 1);
        p.arrow[2] = between(4, 6, 1), p.arrow[3] = between(4, 7, 1);
    } else {
        p.arrow[0] = between(4, 0, 1), p.arrow[1] = between(4, 5, 2);
        p.arrow[0].fixed[1] = 0.2;
    }
    return p;
}

static void turn(double x[3], double angle) {
    double c = cos(angle), s = sin(angle), at[2] = {x[0], x[1]};
    x[0] = c * at[0] - s * at[1], x[1] = s * at[0] + c * at[1];
}

// Two frames with a turn between them, a little out of shape.
static void place(bench* b, double angle) {
    for (int v = 0; v < VERTICES; ++v) {
        double* x = b->x + 3 * v;
        x[0] = v % 4 == 2, x[1] = v % 4 == 3, x[2] = v % 4 == 1;
        if (b->all.dim == 2) x[2] = 0;
        if (v < 4) turn(x, angle);
        for (int c = 0; c < b->all.dim; ++c) x[c] += random_in(-0.1, 0.1);
        x[0] += v < 4 ? 0.7 : 0;
    }
}

static void make(bench* b, int dim, const pli_piece_kind* kinds, int count,
                 pli_measure_class which) {
    memset(b, 0, sizeof *b);
    b->measure = (pli_world_measure){.state = PLI_JOINT_STATES,
                                     .vertex_count = VERTICES,
                                     .count = count,
                                     .low = -HUGE_VAL,
                                     .high = HUGE_VAL,
                                     .range = 0.3,
                                     .barrier = 2};
    for (int i = 0; i < PLI_MEASURE_WIDTH; ++i) b->measure.vertices[i] = i < VERTICES ? i : -1;
    for (int i = 0; i < count; ++i)
        b->pieces[i] = piece(kinds[i], i == 0 ? 1 : -0.6, STATES - 2 + i);
    b->all = (pli_measures){.dim = dim,
                            .count = 1,
                            .state_count = STATES,
                            .list = &b->measure,
                            .pieces = b->pieces,
                            .joint_state = b->joint_state,
                            .state = b->state};
    b->all.term[which] = (pli_measure_term){.all = &b->all,
                                            .which = which,
                                            .count = 1,
                                            .list = b->list,
                                            .vertices = b->measure.vertices};
    b->term = pli_measure_make_term(&b->all.term[which]);
    place(b, random_in(-1.5, 1.5));
}

static double value(bench* b) { return pli_measure_value(&b->all, &b->measure, b->x, true, NULL); }

// Forces on the measure of every class, near c.
static void load(bench* b, double c) {
    pli_measure_state* s = state_of(b);
    s->hold = (pli_holder){c - 0.2, 3, 0.4, -HUGE_VAL, HUGE_VAL};
    s->friction = (pli_holder){c + 0.5, 3, 0.2, -0.7, 0.7}; // slips
    s->spring[0] = 2, s->spring[1] = c + 0.3;
    s->damper[0] = 1.5, s->damper[1] = c - 0.1;
    b->measure.low = c - 0.1, b->measure.high = c + 0.2;
}

static void test_derivatives(void** state) {
    (void)state;
    static const pli_piece_kind kinds[][2] = {
        {PLI_PIECE_DOT, PLI_PIECE_DOT},
        {PLI_PIECE_DISTANCE, PLI_PIECE_DISTANCE},
        {PLI_PIECE_ANGLE, PLI_PIECE_ANGLE},
        {PLI_PIECE_DISTANCE, PLI_PIECE_ANGLE},
    };
    srand(1);
    for (int i = 0; i < 4 * 2 * 2 * 3 * 4; ++i) {
        bench b;
        make(&b, 2 + i % 2, kinds[i / 2 % 4], 1 + i / 8 % 2, (pli_measure_class)(i / 16 % 3));
        load(&b, value(&b));
        pli_contract contract = {.dim = b.all.dim,
                                 .vertex_count = VERTICES,
                                 .x = b.x,
                                 .step = 1e-5,
                                 .gradient_tolerance = 1e-7,
                                 .hessian_tolerance = 1e-6,
                                 .clamp_tolerance = -1,
                                 .gauss_newton = true};
        pli_check_contract(&b.term, &contract);
    }
}

// The bound keeps a measure within its limits, and every angle below a radian and a bit.
static void test_bounds(void** state) {
    (void)state;
    static const pli_piece_kind kinds[] = {PLI_PIECE_DOT, PLI_PIECE_DISTANCE, PLI_PIECE_ANGLE};
    srand(2);
    for (int i = 0; i < 3000; ++i) {
        bench b;
        double p[3 * VERTICES];
        make(&b, 2 + i % 2, &kinds[i / 2 % 3], 1, PLI_MEASURE_STORES);
        double c = value(&b);
        load(&b, c);
        for (int k = 0; k < 3 * VERTICES; ++k)
            p[k] = k % 3 < b.all.dim ? random_in(-1, 1) * pow(10, i % 5 - 2) : 0;
        pli_check_step_bound(&b.term, b.all.dim, VERTICES, b.x, p);
    }
}

// An angle that turns in steps of a radian counts all rounds, forward and back.
static void test_rounds(void** state) {
    (void)state;
    static const pli_piece_kind kind = PLI_PIECE_ANGLE;
    bench b;
    make(&b, 3, &kind, 1, PLI_MEASURE_HOLDS);
    srand(3);
    for (int n = -40; n <= 40; ++n) {
        double angle = 40 - fabs((double)n);
        place(&b, angle);
        double c = value(&b);
        if (!(fabs(c - angle) < 0.5)) fail_msg("%g instead of %g", c, angle);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
