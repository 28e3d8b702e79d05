// Impacts at high speed (A7): a ball against a wall, cubes against a single sheet.
#include "torture/torture.h"

#include <stdio.h>

// ---- a ball of 4 cm at 67 m/s, newmark

static const double speed = 67; // [m/s]

// number: steps per 2e-5 s. word: a file. No damping is needed.
static pli_status build_ball(bout* b) {
    pli_world_def def = pli_torture_def(2e-5 / b->row->number[0]);
    def.scheme = "newmark";
    def.gravity[1] = 0;
    def.contact.dhat_relative = 1e-3;
    def.solver.tolerance = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    if (b->row->word) {
        TRY(pli_bout_file(b, b->row->word));
        pli_bout_scale(b, 0.04, 0.04, 0.04);
    } else {
        TRY(pli_mesh_add_ball(&b->t.mesh, 0.02, b->full ? 5 : 2, &b->t.error));
    }
    TRY(pli_bout_add(b, "ball", &(stuff){NULL, 1e7, 0.45, 1150, {speed, 0, 0}}, NULL));
    pli_half_space_def wall = pli_default_half_space_def();
    wall.point[0] = 0.022;
    wall.normal[0] = -1;
    wall.normal[1] = 0;
    return pli_world_add_half_space(b->t.world, &wall, NULL, &b->t.error);
}

// Forces of contact act at the end of each step alone. mark: impulse of the wall, energy at the
// start, the most so far, smallest thickness.
static pli_status watch_ball(bout* b) {
    double force[3];
    pli_world_contact_force(b->t.world, 0, -1, force);
    b->mark[1] += b->info.time_step * force[0];
    b->mark[2] = 0.5 * pli_bout_mass(b, 0) * speed * speed;
    b->mark[3] = fmax(b->mark[3], pli_trial_stored(&b->t));
    double wide = pli_bout_highest(b, 0, 0) - pli_bout_lowest(b, 0, 0);
    if (b->steps == 1 || wide < b->mark[4]) b->mark[4] = wide;
    b->tally[0] += force[0] != 0;
    return PLI_OK;
}

static pli_status judge_ball(bout* b) {
    double v[3], mass = pli_bout_mass(b, 0);
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    double momentum = mass * (v[0] - speed), balance = b->mark[1] / momentum - 1;
    double energy = b->mark[3] / b->mark[2];
    snprintf(b->figure, sizeof b->figure,
             "rebound %.3f m/s, impulse off by %.1e, energy %.6f, flattened to %.4f m, contact "
             "%.2e s",
             -v[0], balance, energy, b->mark[4], b->tally[0] * b->info.time_step);
    bool right = -v[0] > 0 && -v[0] < speed && fabs(balance) < 1e-4 && energy < 1.01;
    return right ? PLI_OK : pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- cubes at 1000 m/s against one sheet of triangles

// number: speed, turn of the cube [degrees], cells of the sheet, whether the sheet can move.
static pli_status build_shot(bout* b) {
    const double v = b->row->number[0];
    bool soft = b->row->number[3] == 1;
    pli_world_def def = pli_torture_def(0.01);
    def.gravity[1] = 0;
    def.contact.dhat = 1e-3;
    TRY(pli_trial_world(&b->t, &def));
    int cells = b->full ? 4 : 2;
    TRY(pli_bout_box(b, 0.1, 0.1, 0.1, cells, cells, cells));
    pli_bout_turn(b, 0.7 * b->row->number[1], 0.4 * b->row->number[1], b->row->number[1]);
    pli_bout_move(b, 0.03, 3, 0.02);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, 1e7, 0.3, 1000, {0, -v, 0}}, NULL));
    if (soft) {
        TRY(pli_bout_box(b, 1, 0.02, 1, 4 * cells, 1, 4 * cells));
        TRY(pli_bout_add(b, "mat", &(stuff){NULL, 1e6, 0.4, 1000, {0}}, NULL));
        return PLI_OK;
    }
    TRY(pli_bout_sheet(b, 1, (int)b->row->number[2]));
    return pli_bout_add(b, "sheet", &(stuff){0}, NULL);
}

static pli_status watch_shot(bout* b) {
    if (b->row->number[3] == 1) return PLI_OK;
    // Over the sheet nothing may be on its other side.
    const double* x = pli_world_positions(b->t.world);
    for (int v = 0; v < pli_world_body_vertex(b->t.world, 1); ++v)
        if (fabs(x[3 * v]) < 0.5 && fabs(x[3 * v + 2]) < 0.5 && !(x[3 * v + 1] > 0))
            return pli_trial_wrong(&b->t, "step %d: vertex %d is behind the sheet", b->steps, v);
    b->tally[0] += b->info.contact_count > 0;
    return PLI_OK;
}

static pli_status judge_shot(bout* b) {
    double v[3];
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    snprintf(b->figure, sizeof b->figure, "leaves with %.1f m/s", v[1]);
    if (b->row->number[3] == 0 && !(v[1] > -1)) return pli_trial_wrong(&b->t, "%s", b->figure);
    return PLI_OK;
}

#define BALL(text, fine, ...)                                                                      \
    {                                                                                              \
        .section = "A7", .name = text, .build = build_ball, .each = watch_ball, .end = judge_ball, \
        .number = {fine}, __VA_ARGS__                                                              \
    }
#define SHOT(text, ...)                                                                            \
    {                                                                                              \
        .section = "A7", .name = text, .build = build_shot, .each = watch_shot, .end = judge_shot, \
        .number = {__VA_ARGS__}, .steps = 10, .full_steps = 40                                     \
    }
static const torture rows[] = {
    BALL("ball at 67 m/s, newmark, h 2e-5", 1, .steps = 60, .full_steps = 80),
    BALL("ball at 67 m/s, newmark, h 1e-5", 2, .steps = 120, .full_steps = 160),
    BALL("ball at 67 m/s, newmark, h 5e-6", 4, .full_steps = 320),
    BALL("ball of sphere1K, newmark, h 2e-5", 1, .full_steps = 80, .word = "tet/sphere1K.msh"),
    SHOT("cube at 1000 m/s, two triangles", 1000, 20, 1, 0),
    SHOT("cube at 1000 m/s flat on two triangles", 1000, 0, 1, 0),
    SHOT("cube at 1000 m/s, 200 triangles", 1000, 35, 10, 0),
    SHOT("cube at 100000 m/s, two triangles", 1e5, 20, 1, 0),
    SHOT("cube at 1000 m/s, soft mat", 1000, 20, 1, 1),
};

const ordeal pli_torture_speed = {"speed", rows, PLI_ROWS(rows)};
