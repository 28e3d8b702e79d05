// Plates and linear shells (H1, H2).
#include "validation/sheets.h"

// ---- square plates of side 1 under a uniform load: a quarter, small deflections

static void quarter(double u, double v, double X[3]) { X[0] = 0.5 * u, X[1] = 0.5 * v, X[2] = 0; }

// Symmetric at x = 0.5 and y = 0.5.
static unsigned symmetric(const double X[3], bool outside, unsigned rim) {
    unsigned fix = outside ? rim : 0;
    if (X[0] > 0.5 - 1e-9) fix |= FIX_X | FIX_CLAMPED;
    if (X[1] > 0.5 - 1e-9) fix |= FIX_Y | FIX_CLAMPED;
    return fix;
}

static bool at_rim(const double X[3]) { return X[0] < 1e-9 || X[1] < 1e-9; }

static unsigned rim_clamped(const double X[3]) {
    return symmetric(X, at_rim(X), FIX_Z | FIX_CLAMPED);
}

static unsigned rim_supported(const double X[3]) { return symmetric(X, at_rim(X), FIX_Z); }

// w = c q a^4 / D at the centre. `number`: mesh, clamped.
static pli_status run_plate(const problem* row, double cells, trial* t, outcome* out) {
    const int n = (int)cells / 2;
    const sheet s = {.young = 1e7, .poisson = 0.3, .thickness = 0.01, .density = 1000};
    bool clamped = row->number[1] > 0;
    TRY(pli_sheet_mesh(t, (sheet_mesh)row->number[0], n, n, quarter));
    pli_world_def def = pli_trial_def(3, "static");
    def.solver.gradient_tolerance = 1e-7;
    def.gravity[2] = -1e-6;
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, clamped ? rim_clamped : rim_supported, &id));
    TRY(pli_trial_steps(t, 1));
    double u[3], q = s.density * s.thickness * 1e-6;
    pli_sheet_moved(t, (const double[3]){0.5, 0.5, 0}, u);
    out->computed = -u[2] * pli_sheet_stiffness(&s) / q;
    return PLI_OK;
}

#define PLATE(text, mesh, clamped, value)                                                          \
    {                                                                                              \
        .name = text, .run = run_plate, .number = {mesh, clamped}, .exact = value,                 \
        .tolerance = clamped ? 0.1 : 0.02, .fine_tolerance = 1e-2, .resolution = {8, 16, 32, 64},  \
        .fast = 2                                                                                  \
    }
static const problem plate_rows[] = {
    PLATE("supported, one diagonal", ONE_DIAGONAL, 0, 0.00406235),
    PLATE("supported, union jack", UNION_JACK, 0, 0.00406235),
    PLATE("supported, random", RANDOM, 0, 0.00406235),
    PLATE("clamped, one diagonal", ONE_DIAGONAL, 1, 0.00126532),
    PLATE("clamped, union jack", UNION_JACK, 1, 0.00126532),
    PLATE("clamped, random", RANDOM, 1, 0.00126532),
};

// ---- linear shells: small loads, results scaled

typedef struct shell_case {
    sheet s;
    shape_fn* shape;
    support_fn* supports;
    double weight;      // load per area along -z [Pa]
    double place[2][3]; // of two forces and of the probe, the first [m]
    double force[2][3]; // [N]
    int axis;           // displacement of the first place along it
    double scale;       // of the loads
} shell_case;

static bool at(double a, double b) { return fabs(a - b) < 1e-6; }

static const double degree = PLI_PI / 180;

// A quarter of the roof: the middle line of the roof in the plane x = 0, the diaphragm at y = 0.
static void roof(double u, double v, double X[3]) {
    X[0] = 25 * sin(40 * degree * u), X[1] = 25 * v, X[2] = 25 * cos(40 * degree * u);
}
static unsigned roof_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[1], 0) ? FIX_X | FIX_Z : 0u) |
           (at(X[1], 25) ? FIX_Y | FIX_CLAMPED : 0u);
}

enum { ROOF, PINCHED, HEMISPHERE };
static const shell_case shell_cases[] = {
    [ROOF] = {.s = {.young = 4.32e8, .poisson = 0, .thickness = 0.25, .density = 360},
              .shape = roof,
              .supports = roof_supports,
              .weight = 90,
              .place = {{25 * 0.6427876096865393, 25, 25 * 0.7660444431189780}},
              .axis = 2,
              .scale = -1e-4},
    [PINCHED] = {.s = {.young = 9e6, .poisson = 0.3, .thickness = 1, .density = 1},
                 .shape = pli_shape_pinched,
                 .supports = pli_pinched_supports,
                 .place = {{0, 100, 100}},
                 .force = {{0, 0, -0.25}},
                 .axis = 2,
                 .scale = -1},
    [HEMISPHERE] = {.s = {.young = 6.825e7, .poisson = 0.3, .thickness = 0.04, .density = 1},
                    .shape = pli_shape_hemisphere,
                    .supports = pli_hemisphere_supports,
                    .place = {{10, 0, 0}, {0, 10, 0}},
                    .force = {{1, 0, 0}, {0, -1, 0}},
                    .axis = 0,
                    .scale = 1e-3},
};

// `number`: case, mesh.
static pli_status run_shell(const problem* row, double cells, trial* t, outcome* out) {
    const shell_case* c = &shell_cases[(int)row->number[0]];
    int n = (int)cells;
    double force[2][3], scale = fabs(c->scale), u[3];
    TRY(pli_sheet_mesh(t, (sheet_mesh)row->number[1], n, n, c->shape));
    pli_world_def def = pli_trial_def(3, "static");
    def.solver.gradient_tolerance = 1e-6;
    def.gravity[2] = -scale * c->weight / (c->s.density * c->s.thickness);
    def.time_step = 1;
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &c->s, NULL, c->supports, &id));
    for (int i = 0; i < 2; ++i) {
        for (int k = 0; k < 3; ++k) force[i][k] = scale * c->force[i][k];
        if (c->weight == 0 && (c->force[i][0] != 0 || c->force[i][1] != 0 || c->force[i][2] != 0))
            TRY(pli_sheet_force(t, id, c->place[i], force[i]));
    }
    TRY(pli_trial_steps(t, 1));
    pli_sheet_moved(t, c->place[0], u);
    out->computed = u[c->axis] / c->scale;
    return PLI_OK;
}

#define SHELL(text, which, mesh, value, limit, fine)                                               \
    {                                                                                              \
        .name = text, .run = run_shell, .number = {which, mesh}, .exact = value,                   \
        .tolerance = limit, .fine_tolerance = fine, .resolution = {8, 16, 32, 64}, .fast = 2       \
    }
static const problem shell_rows[] = {
    SHELL("roof, one diagonal", ROOF, ONE_DIAGONAL, 0.3024, 0.06, 0.01),
    SHELL("roof, union jack", ROOF, UNION_JACK, 0.3024, 0.06, 0.01),
    SHELL("roof, random", ROOF, RANDOM, 0.3024, 0.06, 0.01),
    SHELL("hemisphere, one diagonal", HEMISPHERE, ONE_DIAGONAL, 0.094, 0.02, 0.01),
    SHELL("hemisphere, union jack", HEMISPHERE, UNION_JACK, 0.094, 0.02, 0.01),
    SHELL("hemisphere, random", HEMISPHERE, RANDOM, 0.094, 0.02, 0.01),
    SHELL("pinched cylinder, one diagonal", PINCHED, ONE_DIAGONAL, 1.8248e-5, 0.3, 0.05),
    SHELL("pinched cylinder, union jack", PINCHED, UNION_JACK, 1.8248e-5, 0.3, 0.05),
    SHELL("pinched cylinder, random", PINCHED, RANDOM, 1.8248e-5, 0.3, 0.05),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H1",
     .title = "Square plates",
     .about =
         "Small deflection w of the centre of a square plate under a uniform load q: 0.00406235 q "
         "a^4 / D "
         "simply supported, 0.00126532 q a^4 / D clamped. Energy \"shell\", a quarter of the "
         "plate; "
         "cells cut along one diagonal, as a union jack, or displaced at random by up to 0.3 "
         "cells. Hinges give 0.56 to 0.77 of the supported deflection on these meshes, however "
         "fine.",
     .quantity = "w D / q a^4",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "plates",
     .ratio = true,
     FAMILY(plate_rows)},
    {.section = "H2",
     .title = "Linear shells",
     .about =
         "Small loads. Scordelis-Lo roof: 0.3024 at the middle of the free edge (thin-shell limit "
         "about "
         "0.3006). Hemisphere with a hole of 18 degrees, forces of 2: 0.094 (thin-shell limit "
         "about "
         "0.0935). Cylinder pinched between rigid diaphragms: 1.8248e-5. A quarter or an eighth of "
         "each.",
     .quantity = "displacement",
     .unit = "m",
     .axis = "cells along an edge",
     .picture = "linear_shells",
     .ratio = true,
     FAMILY(shell_rows)},
};

const part pli_problems_plates = {"Plates and shells", families, PLI_COUNT(families)};
