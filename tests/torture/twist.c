// Large steps (A8) and extreme deformation (A9): rods twisted together, a ball that is squeezed.
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>

// ---- four rods; each end turns by 0.4 pi a second, the ends against each other

static void turn_about_x(double angle, const double X[3], double u[3]) {
    double c = cos(angle), s = sin(angle);
    u[0] = 0;
    u[1] = c * X[1] - s * X[2] - X[1];
    u[2] = s * X[1] + c * X[2] - X[2];
}

static void twisting(void* context, double time, const double X[3], double u[3]) {
    (void)context;
    turn_about_x((X[0] < 0 ? -0.4 : 0.4) * PLI_PI * time, X, u);
}

static pli_status add_rod(bout* b, int i, const char* energy) {
    if (b->row->word)
        TRY(pli_bout_file(b, b->row->word));
    else
        TRY(pli_bout_box(b, 1, 0.04, 0.04, b->full ? 40 : 20, b->full ? 2 : 1, b->full ? 2 : 1));
    double aside = b->row->word ? 0.1 : 0.03;
    pli_bout_move(b, 0, i & 1 ? aside : -aside, i & 2 ? aside : -aside);
    char name[20];
    snprintf(name, sizeof name, "rod %d", i);
    int low_count, high_count;
    int32_t* low = pli_bout_between(b, 0, -1, -0.49, &low_count);
    int32_t* high = pli_bout_between(b, 0, 0.49, 1, &high_count);
    pli_body_id id;
    pli_status status = pli_bout_add(b, name, &(stuff){energy, 1e4, 0.4, 1000, {0}}, &id);
    pli_prescribe_def twist = pli_default_prescribe_def();
    twist.field = twisting;
    twist.vertices = low;
    twist.vertex_count = low_count;
    if (status == PLI_OK) status = pli_world_prescribe(b->t.world, id, &twist, NULL, &b->t.error);
    twist.vertices = high;
    twist.vertex_count = high_count;
    if (status == PLI_OK) status = pli_world_prescribe(b->t.world, id, &twist, NULL, &b->t.error);
    free(low);
    free(high);
    return status;
}

// number: h; whether the material is neo-Hookean.
static pli_status build_rods(bout* b) {
    pli_world_def def = pli_torture_def(b->row->number[0]);
    def.gravity[1] = 0;
    def.contact.dhat_relative = 1e-3;
    def.solver.on_failure = "substep"; // the default
    TRY(pli_trial_world(&b->t, &def));
    for (int i = 0; i < 4; ++i)
        TRY(add_rod(b, i, b->row->number[1] == 1 ? "neo-hookean" : "fixed-corotated"));
    return PLI_OK;
}

static pli_status judge_rods(bout* b) {
    snprintf(b->figure, sizeof b->figure, "%.1f turns of each end, %.1f iterations a step",
             0.2 * b->info.time, (double)b->iterations / b->steps);
    return PLI_OK;
}

// ---- a ball between two plates

// Down to number[1] of its diameter and back within 2 s.
static void closing(void* context, double time, const double X[3], double u[3]) {
    double part = *(const double*)context, s = time < 1 ? time : time < 2 ? 2 - time : 0;
    u[0] = u[2] = 0;
    u[1] = (X[1] > 0 ? -1 : 1) * s * (fabs(X[1]) - 0.5 * part);
}

// number: h, part.
static pli_status build_squeeze(bout* b) {
    b->mark[0] = b->row->number[1];
    pli_world_def def = pli_torture_def(b->row->number[0]);
    def.gravity[1] = 0;
    def.contact.friction = 0.3;
    def.contact.dhat_relative = 1e-3;
    def.solver.on_failure = "accept";
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_mesh_add_ball(&b->t.mesh, 0.5, b->full ? 5 : 2, &b->t.error));
    TRY(pli_bout_add(b, "ball", &(stuff){NULL, 1e5, 0.4, 1000, {0}}, NULL));
    for (int side = -1; side <= 1; side += 2) {
        TRY(pli_bout_sheet(b, 4, 2));
        pli_bout_move(b, 0.1, side * 0.51, 0.05);
        pli_body_id id;
        TRY(pli_bout_add(b, side < 0 ? "lower" : "upper", &(stuff){0}, &id));
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.field = closing;
        motion.context = b->mark;
        TRY(pli_world_prescribe(b->t.world, id, &motion, NULL, &b->t.error));
    }
    return PLI_OK;
}

static pli_status watch_squeeze(bout* b) {
    double high = pli_bout_highest(b, 0, 1) - pli_bout_lowest(b, 0, 1);
    if (b->steps == 1 || high < b->mark[1]) b->mark[1] = high;
    return PLI_OK;
}

// In the end the plates are where they were, and the ball is round again and free.
static pli_status judge_squeeze(bout* b) {
    double high = pli_bout_highest(b, 0, 1) - pli_bout_lowest(b, 0, 1);
    snprintf(b->figure, sizeof b->figure, "squeezed to %.4f of its height, in the end %.4f",
             b->mark[1], high);
    if (high > 0.8 && b->mark[1] < 0.5) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- a plate goes down on a cube that stands on the ground, and would go on through it

static pli_status build_press(bout* b) {
    pli_world_def def = pli_torture_def(b->row->number[0]);
    def.contact.dhat = 1e-4;
    def.contact.friction = 0.5;
    def.solver.on_failure = "accept";
    TRY(pli_trial_world(&b->t, &def));
    int cells = b->full ? 4 : 2;
    TRY(pli_bout_box(b, 0.1, 0.1, 0.1, cells, cells, cells));
    pli_bout_move(b, 0, 0.051, 0);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, b->row->number[1], 0.4, 1000, {0}}, NULL));
    TRY(pli_bout_sheet(b, 0.5, 1));
    pli_bout_move(b, 0.03, 0.15, 0.02);
    pli_body_id id;
    TRY(pli_bout_add(b, "plate", &(stuff){0}, &id));
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.velocity[1] = -0.5;
    TRY(pli_world_prescribe(b->t.world, id, &motion, NULL, &b->t.error));
    return pli_bout_ground(b, 0, 0.5);
}

// The plate stays flat, up to the distance at which its vertices count as arrived: a tenth of the
// tolerance, here at most 1e-6 m for each.
static pli_status judge_press(bout* b) {
    double plate = pli_bout_lowest(b, 1, 1), cube = pli_bout_highest(b, 0, 1);
    snprintf(b->figure, sizeof b->figure, "plate at %.5e m, cube %.5e m high", plate, cube);
    if (plate > cube - 2e-6 && cube > 0 && b->blocked > 0) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s, %d steps blocked", b->figure, b->blocked);
}

#define RODS(text, h, nh, ...)                                                                     \
    {                                                                                              \
        .section = "A8", .name = text, .build = build_rods, .end = judge_rods, .number = {h, nh},  \
        .may = nh ? 0 : MAY_INVERT, __VA_ARGS__                                                    \
    }
#define SQUEEZE(text, flags, h, part, ...)                                                         \
    {                                                                                              \
        .section = "A9", .name = text, .build = build_squeeze, .each = watch_squeeze,              \
        .end = judge_squeeze, .number = {h, part}, .may = flags, __VA_ARGS__                       \
    }
static const torture rows[] = {
    RODS("four rods, h 0.025", 0.025, 0, .full_steps = 240),
    RODS("four rods, h 0.05", 0.05, 0, .steps = 40, .full_steps = 120),
    RODS("four rods, h 0.1", 0.1, 0, .full_steps = 60),
    RODS("four rods, h 0.2", 0.2, 0, .steps = 15, .full_steps = 30),
    RODS("four rods, h 0.5", 0.5, 0, .steps = 6, .full_steps = 12),
    RODS("four rods, h 1", 1, 0, .steps = 4, .full_steps = 6),
    RODS("four rods, h 2", 2, 0, .steps = 3, .full_steps = 3),
    RODS("four rods, neo-Hookean, h 2", 2, 1, .steps = 3, .full_steps = 3),
    RODS("rods of rod.msh, h 0.05", 0.05, 0, .full_steps = 120, .word = "tet/rod.msh"),
    RODS("rods of rod.msh, h 0.5", 0.5, 0, .full_steps = 12, .word = "tet/rod.msh"),
    RODS("rods of rod.msh, h 2", 2, 0, .full_steps = 3, .word = "tet/rod.msh"),
    RODS("four rods, neo-Hookean, 10 turns, h 0.1", 0.1, 1, .steps = 100, .full_steps = 500),
    SQUEEZE("ball squeezed to a third", 0, 0.04, 0.33, .steps = 60, .full_steps = 60),
    SQUEEZE("ball squeezed to a tenth", 0, 0.04, 0.1, .steps = 60, .full_steps = 60),
    SQUEEZE("plates that would meet in the ball", MAY_BLOCK, 0.04, 0, .full_steps = 60),
    SQUEEZE("plates that would pass each other", MAY_BLOCK, 0.04, -0.3, .steps = 60,
            .full_steps = 60),
    {.section = "A9",
     .name = "plate through a cube on the ground",
     .build = build_press,
     .end = judge_press,
     .number = {0.01, 1e5},
     .steps = 40,
     .full_steps = 100,
     .may = MAY_BLOCK},
    {.section = "A9",
     .name = "plate through a stiff cube, h 0.1",
     .build = build_press,
     .end = judge_press,
     .number = {0.1, 1e9},
     .steps = 10,
     .full_steps = 20,
     .may = MAY_BLOCK},
};

const ordeal pli_torture_twist = {"twist", rows, PLI_ROWS(rows)};
