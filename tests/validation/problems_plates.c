// Plates and linear shells (H1, H2).
#include "validation/sheets.h"

// ---- square plates of side 1 under a uniform load: a quarter, small deflections

static void quarter(double u, double v, double X[3]) {
    X[0] = 0.5 * u, X[1] = 0.5 * v, X[2] = 0;
}

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
        .tolerance = clamped ? 0.1 : 0.02, .fine_tolerance = 1e-2,                                 \
        .resolution = {8, 16, 32, 64}, .fast = 2                                                   \
    }
static const problem plate_rows[] = {
    PLATE("supported, one diagonal", ONE_DIAGONAL, 0, 0.00406235),
    PLATE("supported, union jack", UNION_JACK, 0, 0.00406235),
    PLATE("supported, random", RANDOM, 0, 0.00406235),
    PLATE("clamped, one diagonal", ONE_DIAGONAL, 1, 0.00126532),
    PLATE("clamped, union jack", UNION_JACK, 1, 0.00126532),
    PLATE("clamped, random", RANDOM, 1, 0.00126532),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H1",
     .title = "Square plates",
     .about = "Uniform load on a square plate, simply supported or clamped.",
     .quantity = "w D / q a^4",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "plates",
     .ratio = true,
     FAMILY(plate_rows)},
};

const part pli_problems_plates = {"Plates and shells", families, PLI_COUNT(families)};
