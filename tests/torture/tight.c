// Aligned and nearly touching (A5); masses far apart (A6).
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>

static const stuff still = {0};

// ---- A5: cubes exactly above each other

static pli_status build_stack(bout* b) {
    pli_world_def def = pli_torture_def(0.025);
    def.contact.dhat_relative = 1e-3;
    def.contact.friction = b->row->number[0];
    TRY(pli_trial_world(&b->t, &def));
    for (int i = 0; i < 5; ++i) {
        char name[20];
        snprintf(name, sizeof name, "cube %d", i);
        TRY(pli_bout_box(b, 0.2, 0.2, 0.2, 1, 1, 1));
        pli_bout_move(b, 0, 0.11 + 0.21 * i, 0);
        TRY(pli_bout_add(b, name, &(stuff){"fixed-corotated", b->row->number[1], 0.4, 1000, {0}},
                         NULL));
    }
    return pli_bout_ground(b, 0, b->row->number[0]);
}

// Without friction the column is not stable: the tetrahedra are not symmetric.
static pli_status judge_stack(bout* b) {
    double top[3];
    pli_bout_mean(b, 4, pli_world_positions(b->t.world), top);
    snprintf(b->figure, sizeof b->figure, "top at %.4f m, %.1e m aside", top[1],
             hypot(top[0], top[2]));
    if (b->row->number[0] == 0) return PLI_OK;
    if (top[1] > 0.8 && hypot(top[0], top[2]) < 0.02) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- A5: a tetrahedron between three fixed cubes, gaps of 5e-7

static pli_status add_block(bout* b, const char* name, double x, double y, double z) {
    TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
    pli_bout_move(b, x, y, z);
    return pli_bout_add(b, name, &still, NULL);
}

static pli_status build_slot(bout* b) {
    static const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int32_t tetrahedron[4] = {0, 1, 2, 3};
    pli_world_def def = pli_torture_def(0.025);
    def.contact.dhat_relative = 1e-6;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_mesh_add_vertices(&b->t.mesh, 4, corners, NULL, &b->t.error));
    TRY(pli_mesh_add_elements(&b->t.mesh, PLI_TETRAHEDRON, 1, tetrahedron, &b->t.error));
    pli_bout_move(b, 0, 0.7, 0);
    TRY(pli_bout_add(b, "tetrahedron", &(stuff){"fixed-corotated", 1e5, 0.4, 1000, {0}}, NULL));
    TRY(add_block(b, "left", -0.5 - 5e-7, 0, 0.5));
    TRY(add_block(b, "behind", 0.5, 0, -0.505));
    TRY(add_block(b, "right", 1.5 + 5e-7, 0, 0.5));
    TRY(pli_bout_sheet(b, 10, 1));
    pli_bout_move(b, 0, -0.51, 0);
    return pli_bout_add(b, "floor", &still, NULL);
}

static pli_status judge_slot(bout* b) {
    double low = pli_bout_lowest(b, 0, 1);
    snprintf(b->figure, sizeof b->figure, "lowest at %.5f m, speed %.1e m/s", low,
             pli_bout_speed(b, 0));
    if (low < 0.3) return PLI_OK; // it has gone in
    return pli_trial_wrong(&b->t, "%s: not in the slot", b->figure);
}

// ---- A5: a cube of 9.998 mm falls into a slot of 10 mm

static pli_status build_tight_fit(bout* b) {
    pli_world_def def = pli_torture_def(0.04);
    def.contact.dhat = 5e-7;
    TRY(pli_trial_world(&b->t, &def));
    int cells = b->full ? 4 : 1;
    TRY(pli_bout_box(b, 9.998e-3, 9.998e-3, 9.998e-3, cells, cells, cells));
    pli_bout_move(b, 0, 0.016, 0);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, 1e5, 0.4, 1000, {0}}, NULL));
    for (int side = -1; side <= 1; side += 2) {
        TRY(pli_bout_box(b, 0.01, 0.01, 0.02, 1, 2, 2));
        pli_bout_move(b, 0.01 * side, 0.005, 0);
        TRY(pli_bout_add(b, side < 0 ? "left" : "right", &still, NULL));
    }
    return pli_bout_ground(b, -1e-6, 0);
}

static pli_status build_tight_file(bout* b) {
    pli_world_def def = pli_torture_def(0.04);
    def.contact.dhat_relative = 1e-5;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_file(b, "tet/ANSYS1e-3Corner_coarse.msh"));
    pli_bout_scale(b, 100, 100, 100); // the largest side becomes 3 m
    int count;
    int32_t* lower = pli_bout_between(b, 1, -HUGE_VAL, 1 + 1e-6, &count);
    pli_body_id id;
    pli_status status = pli_bout_add(b, "corner", &(stuff){NULL, 1e5, 0.4, 1000, {0}}, &id);
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = lower;
    fix.vertex_count = count;
    if (status == PLI_OK) status = pli_world_fix(b->t.world, id, &fix, NULL, &b->t.error);
    free(lower);
    TRY(status);
    return pli_bout_ground(b, -0.1, 0);
}

static pli_status judge_tight_fit(bout* b) {
    double low = pli_bout_lowest(b, 0, 1), x[3];
    pli_bout_mean(b, 0, pli_world_positions(b->t.world), x);
    snprintf(b->figure, sizeof b->figure, "lowest at %.3e m, centre at x = %.1e m", low, x[0]);
    if (low < 5e-4 && fabs(x[0]) < 1.1e-6) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s: not on the ground", b->figure);
}

// ---- A5: a cube at 10 m/s between planes 1e-4 away, dhat far larger than that

static pli_status build_tunnel(bout* b) {
    pli_world_def def = pli_torture_def(0.01);
    def.gravity[1] = 0;
    def.contact.dhat_relative = 1e-2;
    def.solver.tolerance = 1e-6;
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
    pli_bout_move(b, -4, 0, 0);
    TRY(pli_bout_add(b, "cube", &(stuff){NULL, 1e11, 0.4, 1000, {10, 0, 0}}, NULL));
    for (int side = -1; side <= 1; side += 2) {
        TRY(pli_bout_sheet(b, 30, 1));
        pli_bout_move(b, 9, side * (0.5 + 1e-4), 0);
        TRY(pli_bout_add(b, side < 0 ? "below" : "above", &still, NULL));
    }
    return PLI_OK;
}

static pli_status watch_tunnel(bout* b) {
    double v[3];
    pli_bout_mean(b, 0, pli_world_velocities(b->t.world), v);
    b->mark[0] = fmax(b->mark[0], fabs(v[0] / 10 - 1));
    snprintf(b->figure, sizeof b->figure, "speed off by %.1e", b->mark[0]);
    if (b->mark[0] < 1e-6) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- A6: a cube of 1 m and 1e4 kg lands on one of 0.1 m and 1 kg

static pli_status build_masses(bout* b) {
    pli_world_def def = pli_torture_def(0.025);
    def.contact.friction = 0.5;
    def.contact.dhat_relative = 1e-3;
    def.solver.tolerance = 1e-5;
    TRY(pli_trial_world(&b->t, &def));
    int cells = b->full ? 4 : 1;
    TRY(pli_bout_box(b, 0.1, 0.1, 0.1, cells, cells, cells));
    pli_bout_move(b, 0, 0.06, 0);
    TRY(pli_bout_add(b, "small", &(stuff){NULL, b->row->number[0], 0.4, 1000, {0}}, NULL));
    TRY(pli_bout_box(b, 1, 1, 1, cells, cells, cells));
    pli_bout_move(b, 0, 0.7, 0);
    TRY(pli_bout_add(b, "large", &(stuff){NULL, 1e8, 0.4, 1e4, {0}}, NULL));
    return pli_bout_ground(b, 0, 0.5);
}

// Vertical force of contact and friction on a body: by `other`, or by the ground (-1).
static double carried(const bout* b, int body, int other) {
    for (int i = 0; i < pli_world_body_contact_count(b->t.world); ++i) {
        pli_body_contact_info pair = pli_world_body_contact(b->t.world, i);
        double up = pair.force[1] + pair.friction[1];
        if (pair.body[0] == body && pair.body[1] == other) return up;
        if (pair.body[0] == other && pair.body[1] == body) return -up;
    }
    return 0;
}

static pli_status judge_masses(bout* b) {
    double upper = 9.81 * pli_bout_mass(b, 1), all = upper + 9.81 * pli_bout_mass(b, 0);
    double ground = (carried(b, 0, -1) + carried(b, 1, -1)) / all - 1;
    double between = (carried(b, 1, 0) + carried(b, 1, -1)) / upper - 1;
    snprintf(b->figure, sizeof b->figure,
             "forces off by %.1e (ground), %.1e (between); small one %.4f m high", ground, between,
             pli_bout_highest(b, 0, 1));
    if (fabs(ground) < 1e-3 && fabs(between) < 1e-3) return PLI_OK;
    return pli_trial_wrong(&b->t, "%s, speed %.2g", b->figure, pli_bout_speed(b, 1));
}

#define ROW(section_, text, build_, each_, end_, small, large, ...)                                \
    {                                                                                              \
        .section = section_, .name = text, .build = build_, .each = each_, .end = end_,            \
        .steps = small, .full_steps = large, __VA_ARGS__                                           \
    }
static const torture rows[] = {
    ROW("A5", "five aligned cubes, no friction", build_stack, NULL, judge_stack, 80, 200,
        .may = MAY_INVERT, .number = {0, 1e5}),
    ROW("A5", "five aligned cubes, mu 0.5: stand", build_stack, NULL, judge_stack, 80, 200,
        .may = MAY_INVERT, .number = {0.5, 1e6}),
    ROW("A5", "tetrahedron in a slot, gaps 5e-7", build_slot, NULL, judge_slot, 40, 100,
        .may = MAY_INVERT),
    ROW("A5", "cube of 9.998 mm in 10 mm", build_tight_fit, NULL, judge_tight_fit, 40, 100,
        .may = 0),
    ROW("A5", "cube in a corner, file", build_tight_file, NULL, NULL, 30, 100, .may = 0),
    ROW("A5", "tunnel, planes 1e-4 away, E 1e11", build_tunnel, watch_tunnel, NULL, 100, 100,
        .may = 0),
    ROW("A6", "mass ratio 1e4, E 1e6", build_masses, NULL, judge_masses, 300, 300, .number = {1e6}),
    ROW("A6", "mass ratio 1e4, E 1e8", build_masses, NULL, judge_masses, 300, 300, .number = {1e8}),
};

const ordeal pli_torture_tight = {"tight", rows, PLI_ROWS(rows)};
