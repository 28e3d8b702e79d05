// What stands by friction alone, and falls without it: cards that lean on each other (A2), an arch
// of stones (A3).
#include "torture/torture.h"

#include <stdio.h>
#include <stdlib.h>

static pli_world_def dry_def(double h, double mu, double range, bool full) {
    pli_world_def def = pli_torture_def(h);
    def.contact.friction = mu;
    def.contact.friction_speed = full ? 1e-5 : 1e-4;
    def.contact.friction_iterations = 0;
    def.contact.dhat = range;
    return def;
}

// The highest point of all that can move, now or at the start.
static double height(const bout* b, const double* x) {
    double high = -HUGE_VAL;
    for (int v = 0; v < pli_world_vertex_count(b->t.world); ++v) high = fmax(high, x[3 * v + 1]);
    return high;
}

// What stands sinks by less than `least`, what falls by more than `most` [m].
static pli_status judge_height(bout* b, bool stands, double least, double most) {
    double sunk = height(b, pli_world_rest_positions(b->t.world)) -
                  height(b, pli_world_positions(b->t.world));
    snprintf(b->figure, sizeof b->figure, "sank by %.6f m", sunk);
    bool right = stands ? fabs(sunk) < least : sunk > most;
    return right ? PLI_OK : pli_trial_wrong(&b->t, "%s", b->figure);
}

// ---- A2: cards of 1 x 1 x 0.013

static const double thick = 0.013, dhat = 1e-3, gap = 0.95e-3;
static const stuff card_stuff = {NULL, 1e8, 0.4, 1000, {0}};

static pli_status add_card(bout* b, const char* name, double size, double angle, double x,
                           double y) {
    if (b->row->word) {
        TRY(pli_bout_file(b, b->row->word));
        pli_bout_scale(b, size, 1, size);
    } else {
        int cells = b->full ? 8 : 2;
        TRY(pli_bout_box(b, size, thick, size, cells, 1, cells));
    }
    pli_bout_turn(b, 0, 0, angle);
    pli_bout_move(b, x, y, 0);
    return pli_bout_add(b, name, &card_stuff, NULL);
}

// Two cards whose upper edges meet over (x, .); their feet are `gap` above y. Returns its top.
static pli_status add_tent(bout* b, double angle, double x, double* y) {
    double c = cos(angle * PLI_PI / 180), s = sin(angle * PLI_PI / 180);
    double up = 0.5 * s + 0.5 * thick * c + gap, aside = 0.5 * c + 0.5 * thick * s + 0.5 * gap;
    char name[30];
    snprintf(name, sizeof name, "card %d", b->body_count);
    TRY(add_card(b, name, 1, angle, x - aside, *y + up));
    snprintf(name, sizeof name, "card %d", b->body_count);
    TRY(add_card(b, name, 1, -angle, x + aside, *y + up));
    *y += 2 * up - gap;
    return PLI_OK;
}

// number: angle, mu, storeys (2: two tents, a plate, a tent), whether it stands.
static pli_status build_cards(bout* b) {
    const double angle = b->row->number[0], mu = b->row->number[1];
    pli_world_def def = dry_def(0.025, mu, dhat, b->full);
    TRY(pli_trial_world(&b->t, &def));
    double y = 0, aside = cos(angle * PLI_PI / 180) + 0.05;
    if (b->row->number[2] == 2) {
        TRY(add_tent(b, angle, -aside, &y));
        y = 0;
        TRY(add_tent(b, angle, aside, &y));
        TRY(add_card(b, "plate", 1.1, 0, 0, y + gap + 0.5 * thick));
        y += gap + thick;
    }
    TRY(add_tent(b, angle, 0, &y));
    return pli_bout_ground(b, 0, mu);
}

static pli_status judge_cards(bout* b) {
    return judge_height(b, b->row->number[3] == 1, 2e-3, 0.1);
}

// ---- A3: semicircular arch of mean radius 1 m, wedges of stone, on the ground

// Box of side 1 to the stone between the angles `a` > `b`, faces moved inwards by half a gap.
static void bend(pli_mesh* mesh, double a, double b, double thickness, double joint) {
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double *x = mesh->positions + 3 * v, r = 1 + thickness * x[1];
        double inwards = asin(0.5 * joint / r);
        double angle = x[0] < 0 ? a - inwards : b + inwards;
        x[0] = r * cos(angle);
        x[1] = r * sin(angle);
        x[2] *= 0.3;
    }
}

// number: mu, thickness over radius, whether it stands, stones when small.
static pli_status build_arch(bout* b) {
    const double mu = b->row->number[0], joint = 0.99e-4;
    int stones = b->full ? 25 : (int)b->row->number[3];
    pli_world_def def = dry_def(0.01, mu, 1e-4, b->full);
    TRY(pli_trial_world(&b->t, &def));
    for (int i = 0; i < stones; ++i) {
        char name[30];
        snprintf(name, sizeof name, "stone %d", i);
        TRY(pli_bout_box(b, 1, 1, 1, 1, 1, 1));
        bend(&b->t.mesh, PLI_PI * (stones - i) / stones, PLI_PI * (stones - i - 1) / stones,
             b->row->number[1], joint);
        TRY(pli_bout_add(b, name, &(stuff){NULL, 1e9, 0.2, 2300, {0}}, NULL));
    }
    return pli_bout_ground(b, -0.5 * joint, mu);
}

static pli_status judge_arch(bout* b) {
    return judge_height(b, b->row->number[2] == 1, 1e-3, b->full ? 0.1 : 0.01);
}

// The arch of the data folder, 20 m wide, taken apart by some centimetres as it is published: 25
// stones between two fixed cubes. number: mu.
static pli_status build_file_arch(bout* b) {
    const double mu = b->row->number[0], scale = 20.0 / 82;
    pli_world_def def = dry_def(0.01, mu, 1.2e-6, true);
    def.contact.friction_speed = 2.4e-4;
    TRY(pli_trial_world(&b->t, &def));
    for (int i = 1; i <= 25; ++i) {
        char name[60];
        snprintf(name, sizeof name, "tet/arch/largeArch.%02d.msh", i);
        TRY(pli_bout_file(b, name));
        pli_bout_move(b, 0.1 * (i - 13) + 41, 11.4 - 0.1 * abs(i - 13), 0);
        pli_bout_scale(b, scale, scale, scale);
        TRY(pli_bout_add(b, name + 9, &(stuff){"fixed-corotated", 2e10, 0.2, 2300, {0}}, NULL));
    }
    for (int i = 0; i < 2; ++i) {
        TRY(pli_bout_box(b, 10, 10, 10, 1, 1, 1));
        pli_bout_move(b, i == 0 ? 5 : 77, 5, 0);
        pli_bout_scale(b, scale, scale, scale);
        TRY(pli_bout_add(b, i == 0 ? "left" : "right", &(stuff){0}, NULL));
    }
    return pli_bout_ground(b, -1e-3, mu);
}

// The gaps close, at most 12 of them one above the other; then it stands.
static pli_status judge_file_arch(bout* b) { return judge_height(b, true, 0.6, 1); }

#define CARDS(text, angle, mu, storeys, stands, ...)                                               \
    {                                                                                              \
        .section = "A2", .name = text, .build = build_cards, .end = judge_cards,                   \
        .number = {angle, mu, storeys, stands}, __VA_ARGS__                                        \
    }
#define ARCH(text, mu, stands, small, large)                                                       \
    {                                                                                              \
        .section = "A3", .name = text, .build = build_arch, .end = judge_arch,                     \
        .number = {mu, 0.2, stands, 9}, .steps = small, .full_steps = large                        \
    }
static const torture rows[] = {
    CARDS("tent 60 deg, mu 0.2: falls", 60, 0.2, 1, 0, .steps = 30, .full_steps = 40),
    CARDS("tent 60 deg, mu 0.4: stands", 60, 0.4, 1, 1, .steps = 30, .full_steps = 80),
    CARDS("house 75 deg, mu 0.1: falls", 75, 0.1, 2, 0, .full_steps = 40),
    CARDS("house 75 deg, mu 0.25: stands", 75, 0.25, 2, 1, .full_steps = 200),
    CARDS("house of mat20x20, mu 0.1: falls", 75, 0.1, 2, 0, .full_steps = 20,
          .word = "tet/mat20x20.msh"),
    CARDS("house of mat20x20, mu 0.25: stands", 75, 0.25, 2, 1, .full_steps = 40,
          .word = "tet/mat20x20.msh"),
    ARCH("arch t/R 0.2, mu 0.25: falls", 0.25, 0, 16, 40),
    ARCH("arch t/R 0.2, mu 0.36: stands", 0.36, 1, 20, 300),
    {.section = "A3",
     .name = "arch of the data folder, mu 0.5",
     .build = build_file_arch,
     .end = judge_file_arch,
     .number = {0.5},
     .full_steps = 200,
     .may = MAY_INVERT},
};

const ordeal pli_torture_masonry = {"masonry", rows, PLI_ROWS(rows)};
