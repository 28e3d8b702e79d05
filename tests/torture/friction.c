// Friction: slopes (A1, D4), sliding and turning tables (A11), stick and slip (A10).
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;

// Friction is lagged anew until that changes nothing.
static pli_world_def friction_def(double h, double friction, double eps_v) {
    pli_world_def def = pli_torture_def(h);
    def.contact.friction = friction;
    def.contact.friction_speed = eps_v;
    def.contact.friction_iterations = 0;
    return def;
}

// ---- A1: a cube on a slope of tan = 1/2

static const double eps_v = 1e-5;
enum { SETTLING = 40 }; // steps, before anything is measured

// On a half-space (number[1] = 0) or on a sheet of triangles (1); number[0] is mu.
static pli_status build_slope(bout* b) {
    const double mu = b->row->number[0], angle = 180 / PLI_PI * atan(0.5);
    bool sheet = b->row->number[1] == 1;
    pli_world_def def = friction_def(0.025, mu, eps_v);
    def.contact.dhat = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    const stuff cube = {"fixed-corotated", 1e9, 0.4, 1000, {0}};
    TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
    pli_bout_move(b, 0.03, 0.5 + 0.9e-3, 0.02);
    pli_bout_turn(b, 0, 0, -angle);
    TRY(pli_bout_add(b, "cube", &cube, NULL));
    if (sheet) {
        TRY(pli_bout_sheet(b, b->full ? 12 : 6, b->full ? 6 : 2));
        pli_bout_turn(b, 0, 0, -angle);
        return pli_bout_add(b, "slope", &(stuff){0}, NULL);
    }
    pli_half_space_def slope = {.size = sizeof slope, .normal = {1, 2, 0}, .friction = mu};
    return pli_world_add_half_space(b->t.world, &slope, NULL, &b->t.error);
}

static double down_slope(const double v[3]) { return (2 * v[0] - v[1]) / sqrt(5); }

// mark: way and speed when it has settled.
static pli_status watch_slope(bout* b) {
    if (b->steps != SETTLING) return PLI_OK;
    double x[3], v[3];
    pli_bout_mean(b, 0, pli_world_positions(b->t.world), x);
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    b->mark[0] = down_slope(x);
    b->mark[1] = down_slope(v);
    return PLI_OK;
}

// Sliding, backward Euler: n h v0 + a h^2 n (n + 1) / 2 with a = g (sin - mu cos). Sticking it
// creeps with eps_v (1 - sqrt(1 - tan / mu)).
static pli_status judge_slope(bout* b) {
    const double mu = b->row->number[0], h = 0.025;
    double x[3], n = b->steps - SETTLING;
    pli_bout_mean(b, 0, pli_world_positions(b->t.world), x);
    double way = down_slope(x) - b->mark[0], a = g * (1 - 2 * mu) / sqrt(5);
    bool slides = mu < 0.5;
    double expected = slides ? n * h * b->mark[1] + a * h * h * n * (n + 1) / 2
                             : n * h * eps_v * (1 - sqrt(1 - 0.5 / mu));
    snprintf(b->figure, sizeof b->figure, "way / %s = %.5f", slides ? "exact" : "creep formula",
             way / expected);
    bool right = slides ? fabs(way / expected - 1) < 0.02 : way / expected <= 1.02;
    return right ? PLI_OK : pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- D4: a box on a slope tips if tan > width / height, slides if tan > mu

// number: tan, mu, width; height 1.
static pli_status build_tipping(bout* b) {
    const double slope = b->row->number[0], mu = b->row->number[1], width = b->row->number[2];
    pli_world_def def = friction_def(0.01, mu, 1e-4);
    double down = g / sqrt(1 + slope * slope);
    def.gravity[0] = down * slope;
    def.gravity[1] = -down;
    def.contact.dhat = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, width, 1, 0.4, 2, 4, 2));
    pli_bout_move(b, 0, 0.5 + 0.9e-3, 0);
    TRY(pli_bout_add(b, "box", &(stuff){NULL, 1e7, 0.3, 1000, {0}}, NULL));
    return pli_bout_ground(b, 0, mu);
}

enum { TIPS = 1, SLIDES = 2 };

// number[3]: what it does. The first vertices are those of one upright edge.
static pli_status judge_tipping(bout* b) {
    double v[3];
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    const double *bottom = pli_world_positions(b->t.world), *top = bottom + 3 * 4 * 3;
    double leaning = top[0] - bottom[0];
    snprintf(b->figure, sizeof b->figure, "leans by %.4f m, speed %.4f m/s", leaning, v[0]);
    int does = leaning > 0.05 ? TIPS : v[0] > 0.1 ? SLIDES : 0;
    if (does == (int)b->row->number[3]) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- A11: a cube slides at 10 m/s

static pli_status build_sliding(bout* b) {
    pli_world_def def = friction_def(0.01, 0.05, 1e-3);
    def.contact.dhat = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
    pli_bout_move(b, 0, 0.5 + 0.9e-3, 0);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, 1e8, 0.3, 1000, {10, 0, 0}}, NULL));
    TRY(pli_mesh_add_rectangle(&b->t.mesh, 60, 4, 30, 1, PLI_TRIANGLES, &b->t.error));
    pli_bout_turn(b, -90, 0, 0);
    pli_bout_move(b, 28, 0, 0);
    return pli_bout_add(b, "floor", &(stuff){0}, NULL);
}

// v = v0 - mu g t, within 1 %: it hops a little while it settles.
static pli_status judge_sliding(bout* b) {
    double v[3], lost, expected = 0.05 * g * 0.01 * b->steps;
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    lost = 10 - v[0];
    snprintf(b->figure, sizeof b->figure, "lost %.5f m/s of 10, mu g t = %.5f", lost, expected);
    if (fabs(lost / expected - 1) < 0.01 && fabs(v[2]) < 1e-3) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s, sideways %.3g", b->figure, v[2]);
}

// ---- A11: a cube on a turntable

static const double radius = 1.5;

static void turning(void* context, double time, const double X[3], double u[3]) {
    double angle = *(const double*)context * time, c = cos(angle), s = sin(angle);
    u[0] = c * X[0] + s * X[2] - X[0];
    u[1] = 0;
    u[2] = -s * X[0] + c * X[2] - X[2];
}

// number: mu, and omega over the one that it slips at, sqrt(mu g / r).
static pli_status build_turntable(bout* b) {
    const double mu = b->row->number[0];
    b->mark[0] = b->row->number[1] * sqrt(mu * g / radius); // omega [1/s]
    pli_world_def def = friction_def(0.01, mu, 1e-4);
    def.contact.dhat = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, 0.2, 0.2, 0.2, 1, 1, 1));
    pli_bout_move(b, radius, 0.1 + 0.9e-3, 0);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, 1e7, 0.3, 1000, {0, 0, -b->mark[0] * radius}},
                     NULL));
    TRY(pli_mesh_add_disk(&b->t.mesh, 2.5, b->full ? 8 : 3, &b->t.error));
    pli_bout_turn(b, -90, 0, 0);
    pli_body_id id;
    TRY(pli_bout_add(b, "table", &(stuff){0}, &id));
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.field = turning;
    motion.context = b->mark;
    return pli_world_prescribe(b->t.world, id, &motion, NULL, &b->t.error);
}

// It rides along below the speed, and drifts outwards above.
static pli_status judge_turntable(bout* b) {
    double x[3];
    pli_bout_mean(b, 0, pli_world_positions(b->t.world), x);
    double r = hypot(x[0], x[2]);
    snprintf(b->figure, sizeof b->figure, "r = %.4f m of %.1f after %.2f turns", r, radius,
             b->mark[0] * b->info.time / (2 * PLI_PI));
    bool rides = fabs(r - radius)<0.02, slips = r> radius + 0.05;
    if (b->row->number[1] < 1 ? rides : slips) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- A10: a soft rod that leans on the ground is pushed by its upper end

static const double soft_eps_v = 1e-7; // 1e-6 of the diagonal [m/s]

static pli_status build_stick_slip(bout* b) {
    pli_world_def def = friction_def(1e-3, 0.35, soft_eps_v);
    def.contact.dhat = 1e-4;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, 0.1, 0.004, 0.004, b->full ? 24 : 12, 1, 1));
    pli_bout_turn(b, 0, 0, 89.5);
    pli_bout_move(b, 0, 0.05 + 0.002 * sin(0.5 * PLI_PI / 180) + 0.9e-4, 0);
    int count;
    double top = 0;
    for (int v = 0; v < b->t.mesh.vertex_count; ++v)
        top = fmax(top, b->t.mesh.positions[3 * v + 1]);
    int32_t* list = pli_bout_between(b, 1, top - 1e-9, top + 1e-9, &count);
    pli_body_id id;
    pli_status status = pli_bout_add(b, "rod", &(stuff){NULL, 1e5, 0.4, 1000, {0}}, &id);
    pli_prescribe_def push = pli_default_prescribe_def();
    push.vertices = list;
    push.vertex_count = 1;
    push.velocity[0] = -0.15;
    if (status == PLI_OK) status = pli_world_prescribe(b->t.world, id, &push, NULL, &b->t.error);
    free(list);
    TRY(status);
    return pli_bout_ground(b, 0, 0.35);
}

// The foot is the lowest vertex. tally: sticks (1) or slips (2) now, changes, steps of each.
static pli_status watch_stick_slip(bout* b) {
    const double *x = pli_world_positions(b->t.world), *u = pli_world_velocities(b->t.world);
    int foot = 0;
    for (int v = 1; v < pli_world_vertex_count(b->t.world); ++v)
        if (x[3 * v + 1] < x[3 * foot + 1]) foot = v;
    double speed = hypot(u[3 * foot], u[3 * foot + 2]);
    int now = speed < soft_eps_v ? 1 : speed > 1e-2 ? 2 : 0; // the push is 0.15 m/s
    if (now == 0) return PLI_OK;
    b->tally[1] += now != b->tally[0] && b->tally[0] != 0;
    b->tally[1 + now]++;
    b->tally[0] = now;
    return PLI_OK;
}

static pli_status judge_stick_slip(bout* b) {
    snprintf(b->figure, sizeof b->figure, "%d changes, %d steps stuck, %d slipping", b->tally[1],
             b->tally[2], b->tally[3]);
    if (b->tally[1] >= 3) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

#define SLOPE(text, mu, sheet, small, large)                                                       \
    {                                                                                              \
        .section = "A1", .name = text, .build = build_slope, .each = watch_slope,                  \
        .end = judge_slope, .number = {mu, sheet}, .may = MAY_INVERT, .steps = small,              \
        .full_steps = large                                                                        \
    }
#define TIPPING(text, ...)                                                                         \
    {                                                                                              \
        .section = "D4", .name = text, .build = build_tipping, .end = judge_tipping,               \
        .number = {__VA_ARGS__}, .steps = 60, .full_steps = 60                                     \
    }
#define TABLE(text, ...)                                                                           \
    {                                                                                              \
        .section = "A11", .name = text, .build = build_turntable, .end = judge_turntable,          \
        .number = {__VA_ARGS__}, .steps = 120, .full_steps = 400                                   \
    }
static const torture rows[] = {
    SLOPE("slope, mu 0.49: slides", 0.49, 0, 140, 140),
    SLOPE("slope, mu 0.51: sticks", 0.51, 0, 140, 1040),
    SLOPE("sheet, mu 0.49: slides", 0.49, 1, 140, 140),
    SLOPE("sheet, mu 0.51: sticks", 0.51, 1, 140, 1040),
    TIPPING("box 0.5 x 1, tan 0.45: stands", 0.45, 0.9, 0.5, 0),
    TIPPING("box 0.5 x 1, tan 0.55: tips", 0.55, 0.9, 0.5, TIPS),
    TIPPING("box 0.5 x 1, tan 0.45, mu 0.3: slides", 0.45, 0.3, 0.5, SLIDES),
    TIPPING("box 2 x 1, tan 0.55, mu 0.5: slides", 0.55, 0.5, 2, SLIDES),
    {.section = "A11",
     .name = "cube slides at 10 m/s, mu 0.05",
     .build = build_sliding,
     .end = judge_sliding,
     .steps = 60,
     .full_steps = 500},
    TABLE("turntable, mu 0.1, 0.9 of the speed", 0.1, 0.9),
    TABLE("turntable, mu 0.1, 1.1 of the speed", 0.1, 1.1),
    TABLE("turntable, mu 0.5, 0.9 of the speed", 0.5, 0.9),
    TABLE("turntable, mu 0.5, 1.1 of the speed", 0.5, 1.1),
    TABLE("turntable, mu 1, 0.9 of the speed", 1, 0.9),
    TABLE("turntable, mu 1, 1.1 of the speed", 1, 1.1),
    {.section = "A10",
     .name = "stick and slip of a soft rod",
     .build = build_stick_slip,
     .each = watch_stick_slip,
     .end = judge_stick_slip,
     .steps = 300,
     .full_steps = 1000},
};

const ordeal pli_torture_friction = {"friction", rows, PLI_ROWS(rows)};
