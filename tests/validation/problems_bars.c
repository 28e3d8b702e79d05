// Bars (C4 to C7): cantilevers that bend little and far, frequencies, a hanging bar.
#include "validation/bars.h"
#include "validation/problems.h"

// ---- bars of 0.1 x 0.1 x 1 m under their own weight, nu = 0

static pli_status load_bar(trial* t, int along, bool quadratic, double young, const double g[3]) {
    pli_world_def def = pli_trial_def(3, "static");
    memcpy(def.gravity, g, sizeof def.gravity);
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_bar(t, 0.1, along, along < 20 ? 1 : along / 10, quadratic));
    pli_body_id id;
    TRY(pli_trial_solid(t, &(material){"linear", young, 0, false}, NULL, &id));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    TRY(pli_trial_steps(t, 1));
    for (int c = 0; c < 3; ++c) { // the support carries the weight of 10 kg
        double held = pli_trial_held(t, c);
        if (!(fabs(held + 10 * g[c]) <= 1e-6))
            return pli_trial_wrong(t, "the support holds %.9g N along axis %d", held, c);
    }
    return PLI_OK;
}

// Bending 1.5 rho g L^4 / (E t^2) and shear rho g L^2 / (2 k G), k = 5/6, G = E / 2.
static pli_status run_cantilever(const problem* row, double along, trial* t, outcome* out) {
    const double young = 1e8, g[3] = {0, -9.81, 0};
    TRY(load_bar(t, (int)along, row->number[0] > 0, young, g));
    out->exact = 1.5 * 9810 / (young * 0.01) + 9810 / (2 * 5.0 / 6 * 0.5 * young);
    out->computed = -pli_trial_mean(t, 1, 1);
    out->error = fabs(out->exact / out->computed - 1); // of the stiffness
    return PLI_OK;
}

// Linear tetrahedra are too stiff in bending: the error goes with the square of their size.
static const problem cantilever_rows[] = {
    {.name = "linear tetrahedra",
     .run = run_cantilever,
     .number = {0},
     .exact = NAN,
     .tolerance = 0.25,
     .fine_tolerance = 0.06,
     .resolution = {20, 40, 60, 80},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.1,
     .from_below = true},
    {.name = "quadratic tetrahedra",
     .run = run_cantilever,
     .number = {1},
     .exact = NAN,
     .tolerance = 3e-3,
     .fine_tolerance = 1e-4,
     .resolution = {10, 20, 40},
     .fast = 1},
};

// rho g L^2 / (2 E).
static pli_status run_hanging(const problem* row, double along, trial* t, outcome* out) {
    const double g[3] = {9.81, 0, 0};
    TRY(load_bar(t, (int)along, row->number[0] > 0, 1e6, g));
    out->computed = pli_trial_mean(t, 1, 0);
    return PLI_OK;
}

static const problem hanging_rows[] = {
    {.name = "linear tetrahedra",
     .run = run_hanging,
     .number = {0},
     .exact = 0.004905,
     .tolerance = 1e-5,
     .resolution = {20, 40, 80},
     .fast = 1},
    {.name = "quadratic tetrahedra",
     .run = run_hanging,
     .number = {1},
     .exact = 0.004905,
     .tolerance = 1e-3,
     .fine_tolerance = 1e-4,
     .resolution = {10, 20, 40},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.3},
};

// ---- large deflection of a strip, 0.01 m high, 1 m long and deep, nu = 0, at the default
// tolerance

pli_status pli_measured_bending(trial* t, const bending* b, double* drop, double* shorter) {
    const double young = 1e7, height = 0.01, inertia = height * height * height / 12;
    pli_world_def def = pli_trial_def(2, "static");
    def.solver.gradient_tolerance = pli_default_world_def().solver.gradient_tolerance;
    def.gravity[1] = -b->weight * young * inertia / (1000 * height);
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_strip(t, height, b->along, b->across, b->quadratic));
    pli_body_id id;
    const char* law = b->law ? b->law : "neo-hookean";
    TRY(pli_trial_solid(t, &(material){law, young, 0, false}, NULL, &id));
    if (b->tip != 0) TRY(pli_trial_end_shear(t, id, 1, -b->tip * young * inertia / height));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    TRY(pli_trial_steps(t, 1));
    *drop = -pli_trial_mean(t, 1, 1);
    *shorter = -pli_trial_mean(t, 1, 0);
    return PLI_OK;
}

// theta'' = -(tip + weight (1 - s)) cos(theta), theta(0) = 0, with theta' = k at s = 0, by rk4;
// returns theta' at the end, which must be 0, and the place of the end. Downward is positive.
static double shoot(const bending* b, double k, double* x, double* y) {
    enum { STEPS = 1000 };
    const double h = 1.0 / STEPS;
    double state[4] = {0, k, 0, 0}; // theta, theta', x, y
    for (int n = 0; n < STEPS; ++n) {
        double at[4], slope[4] = {0}, sum[4] = {0};
        static const double ahead[4] = {0, 0.5, 0.5, 1},
                            share[4] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
        for (int r = 0; r < 4; ++r) {
            for (int i = 0; i < 4; ++i) at[i] = state[i] + ahead[r] * h * slope[i];
            double s = (n + ahead[r]) * h;
            slope[0] = at[1];
            slope[1] = -(b->tip + b->weight * (1 - s)) * cos(at[0]);
            slope[2] = cos(at[0]);
            slope[3] = sin(at[0]);
            for (int i = 0; i < 4; ++i) sum[i] += share[r] * h * slope[i];
        }
        for (int i = 0; i < 4; ++i) state[i] += sum[i];
    }
    *x = state[2];
    *y = state[3];
    return state[1];
}

void pli_formula_bending(const bending* b, double* drop, double* shorter) {
    double low = 0, high = b->tip + 0.5 * b->weight, x, y; // of k: the moment of the straight bar
    for (int i = 0; i < 60; ++i) {
        double k = 0.5 * (low + high);
        *(shoot(b, k, &x, &y) > 0 ? &high : &low) = k;
    }
    *drop = y;
    *shorter = 1 - x;
}

// `number`: tip, weight, quadratic, and what is measured: 0 drop, 1 shortening, 2 drop over what is
// left of the length.
static pli_status run_bending(const problem* row, double along, trial* t, outcome* out) {
    const bending b = {row->number[0],     row->number[1], (int)along, 1,
                       row->number[2] > 0, row->word};
    double drop, shorter, exact_drop, exact_shorter;
    TRY(pli_measured_bending(t, &b, &drop, &shorter));
    pli_formula_bending(&b, &exact_drop, &exact_shorter);
    const double found[3] = {drop, shorter, drop / (1 - shorter)};
    const double exact[3] = {exact_drop, exact_shorter, exact_drop / (1 - exact_shorter)};
    int what = (int)row->number[3];
    if (!(fabs(exact[what] - row->exact) <= 1e-5))
        return pli_trial_wrong(t, "the elastica gives %.7g, the literature %.7g", exact[what],
                               row->exact);
    out->computed = found[what];
    return PLI_OK;
}

// A strip that is 1/100 of its length thick differs from the elastica by stretch and shear, about
// 3e-4; with Gamma = 100 it gets longer by 8e-4. The numbers are known to 1e-5.
#define BENT(text, tip, weight, what, value) BENT_OF(NULL, text, tip, weight, what, value)
#define BENT_OF(law, text, tip, weight, what, value)                                               \
    {                                                                                              \
        .name = text, .run = run_bending, .word = law, .number = {tip, weight, 1, what},           \
        .exact = value, .tolerance = 1e-3, .resolution = {40, 80, 160}, .fast = 1                  \
    }
static const problem bending_rows[] = {
    BENT("P L^2 / E I = 1, drop / L", 1, 0, 0, 0.30172),
    BENT("P L^2 / E I = 1, shortening / L", 1, 0, 1, 0.05643),
    BENT("P L^2 / E I = 2, drop / L", 2, 0, 0, 0.49346),
    BENT("P L^2 / E I = 2, shortening / L", 2, 0, 1, 0.16064),
    BENT("P L^2 / E I = 5, drop / L", 5, 0, 0, 0.71379),
    BENT("P L^2 / E I = 5, shortening / L", 5, 0, 1, 0.38763),
    BENT("P L^2 / E I = 10, drop / L", 10, 0, 0, 0.81061),
    BENT("P L^2 / E I = 10, shortening / L", 10, 0, 1, 0.55500),
    BENT("own weight, Gamma = 1, H / W", 0, 1, 2, 0.12456),
    BENT("own weight, Gamma = 5, H / W", 0, 5, 2, 0.58572),
    BENT("own weight, Gamma = 10, H / W", 0, 10, 2, 1.06680),
    BENT_OF("fixed-corotated", "P L^2 / E I = 1/4, drop / L, fixed-corotated", 0.25, 0, 0, 0.08274),
    BENT_OF("fixed-corotated", "P L^2 / E I = 1, drop / L, fixed-corotated", 1, 0, 0, 0.30172),
    BENT_OF("fixed-corotated", "P L^2 / E I = 10, drop / L, fixed-corotated", 10, 0, 0, 0.81061),
    {.name = "own weight, Gamma = 100, H / W",
     .run = run_bending,
     .number = {0, 100, 1, 2},
     .exact = 5.88810,
     .tolerance = 2e-3,
     .resolution = {80, 160, 320},
     .fast = 1},
};

// Linear triangles lock: they are much too stiff, and get better with the square of their size.
static pli_status run_locking(const problem* row, double along, trial* t, outcome* out) {
    bool quadratic = row->number[1] > 0;
    const bending b = {row->number[0], 0,   (int)along, quadratic ? 1 : (int)along / 25,
                       quadratic,      NULL};
    double shorter;
    TRY(pli_measured_bending(t, &b, &out->computed, &shorter));
    return PLI_OK;
}

static const problem locking_rows[] = {
    {.name = "linear triangles",
     .run = run_locking,
     .number = {1, 0},
     .exact = 0.30172,
     .tolerance = 0.8,
     .fine_tolerance = 0.03,
     .resolution = {50, 100, 200, 400, 800},
     .fast = 2,
     .from_below = true},
    {.name = "quadratic triangles",
     .run = run_locking,
     .number = {1, 1},
     .exact = 0.30172,
     .tolerance = 1e-3,
     .fine_tolerance = 1e-4,
     .resolution = {5, 10, 20, 40, 80},
     .fast = 3},
};

// ---- frequencies, E = 1e8 Pa, nu = 0

// Modes of a bar that is fixed at one end, 1 at the other: axial with `b` = (2 i - 1) pi / 2, and
// bending with cosh(b) cos(b) = -1.
static double axial_mode(double b, double x) { return sin(b * x) / sin(b); }

static double bending_shape(double b, double x) {
    double s = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
    return cosh(b * x) - cos(b * x) - s * (sinh(b * x) - sin(b * x));
}

static double bending_mode(double b, double x) { return bending_shape(b, x) / bending_shape(b, 1); }

typedef struct ringing {
    double (*mode)(double b, double x);
    double b, exact; // [Hz]
    int dim, axis;
    double side; // of the bar or the height of the strip [m]
    bool quadratic;
    double steps; // per period and cell along
} ringing;

// Released in the shape of the mode, the end swings about zero; its frequency from the first to the
// fifth time it passes, which is two periods.
static pli_status ring(trial* t, const ringing* r, int along, double* frequency) {
    pli_world_def def = pli_trial_def(r->dim, "newmark");
    def.time_step = 1 / (r->steps * along * r->exact);
    def.solver.tolerance = 1e-8;
    TRY(pli_trial_world(t, &def));
    TRY(r->dim == 3 ? pli_trial_bar(t, r->side, along, 1, r->quadratic)
                    : pli_trial_strip(t, r->side, along, 1, r->quadratic));
    TRY(pli_trial_room(t));
    for (int v = 0; v < t->mesh.vertex_count; ++v) {
        const double *X = t->mesh.positions + 3 * v, step = 1e-4;
        t->room[3 * v + r->axis] += 1e-3 * r->mode(r->b, X[0]);
        double slope = (r->mode(r->b, X[0] + step) - r->mode(r->b, X[0] - step)) / (2 * step);
        if (r->axis == 1 && X[0] > 0) t->room[3 * v] -= 1e-3 * slope * X[1]; // slices turn
    }
    pli_body_id id;
    TRY(pli_trial_solid(t, &(material){"linear", 1e8, 0, false}, t->room, &id));
    TRY(pli_trial_fix(t, id, pli_fix_all_at_x_0));
    double before = 1e-3, first = 0, last = 0;
    int passes = 0;
    for (int n = 1; n <= 3 * r->steps * along && passes < 5; ++n) {
        TRY(pli_trial_steps(t, 1));
        double now = pli_trial_mean(t, 1, r->axis);
        if ((now < 0) != (before < 0)) {
            last = (n - 1 + before / (before - now)) * def.time_step;
            if (passes++ == 0) first = last;
        }
        before = now;
    }
    if (passes < 5) return pli_trial_wrong(t, "it does not ring");
    *frequency = 2 / (last - first);
    return PLI_OK;
}

// Axial b / (2 pi L) sqrt(E / rho).
static pli_status run_axial(const problem* row, double along, trial* t, outcome* out) {
    double b = row->number[0] * PLI_PI / 2;
    out->exact = b / (2 * PLI_PI) * sqrt(1e8 / 1000);
    const ringing r = {axial_mode, b, out->exact, 3, 0, 0.1, false, 10 / 3.0};
    return ring(t, &r, (int)along, &out->computed);
}

// Bending b^2 / (2 pi) sqrt(E I / (rho A L^4)), I / A = t^2 / 12. `number`: b, t, dimension.
static pli_status run_bending_mode(const problem* row, double along, trial* t, outcome* out) {
    double b = row->number[0], side = row->number[1];
    out->exact = b * b / (2 * PLI_PI) * sqrt(1e8 / 1000 * side * side / 12);
    const ringing r = {bending_mode, b, out->exact, (int)row->number[2], 1, side, true, 10};
    return ring(t, &r, (int)along, &out->computed);
}

// The shear and turning of slices makes a bar slower by about (b t)^2 / 5: 0.7 % at t = 0.1, 7e-5
// at 0.01, and at the second root 4e-4.
static const problem frequency_rows[] = {
    {.name = "bar, axial, first",
     .run = run_axial,
     .number = {1},
     .exact = NAN,
     .tolerance = 1e-3,
     .fine_tolerance = 1e-4,
     .resolution = {15, 30, 60, 120},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.1},
    {.name = "bar, axial, second",
     .run = run_axial,
     .number = {3},
     .exact = NAN,
     .tolerance = 1e-2,
     .fine_tolerance = 1e-3,
     .resolution = {30, 60, 120},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.2},
    {.name = "bar, bending, first",
     .run = run_bending_mode,
     .number = {1.8751041, 0.1, 3},
     .exact = NAN,
     .tolerance = 1e-2,
     .resolution = {10, 20},
     .fast = 1},
    {.name = "strip, bending, first",
     .run = run_bending_mode,
     .number = {1.8751041, 0.01, 2},
     .exact = NAN,
     .tolerance = 1e-3,
     .fine_tolerance = 2e-4,
     .resolution = {10, 20, 40, 80},
     .fast = 2},
    {.name = "strip, bending, second",
     .run = run_bending_mode,
     .number = {4.6940911, 0.01, 2},
     .exact = NAN,
     .tolerance = 5e-3,
     .fine_tolerance = 1e-3,
     .resolution = {10, 20, 40, 80},
     .fast = 2},
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "C4",
     .title = "Cantilever under its own weight",
     .about = "1 m long, 0.1 m square, E = 1e8 Pa, nu = 0. Exact: bending 1.5 rho g L^4 / (E t^2) "
              "plus shear. Error: of the stiffness, exact / computed - 1. Linear tetrahedra lock; "
              "a tenth as many quadratic ones are better.",
     .quantity = "sag",
     .unit = "m",
     .axis = "cells along the bar",
     .picture = "cantilever",
     .ratio = true,
     FAMILY(cantilever_rows)},
    {.section = "C5",
     .title = "Large deflection",
     .about = "A strip of L / 100 thickness, bent by a force at its end (Bisshopp and Drucker) or "
              "by its own weight, Gamma = rho A g L^3 / (E I); quadratic triangles, neo-Hookean, "
              "nu = 0, solver.gradient_tolerance at its default. Exact: the elastica that does not "
              "stretch; with Gamma = 100 the strip does, "
              "by 8e-4.",
     .quantity = "deflection",
     .unit = "",
     .axis = "cells along the strip",
     FAMILY(bending_rows)},
    {.section = "C5",
     .title = "Locking in large deflection",
     .about = "The same strip with elements of both kinds, P L^2 / (E I) = 1. Slender linear "
              "triangles are too stiff "
              "by orders of magnitude.",
     .quantity = "drop / L",
     .unit = "",
     .axis = "cells along the strip",
     .picture = "locking",
     .ratio = true,
     FAMILY(locking_rows)},
    {.section = "C6",
     .title = "Frequencies",
     .about = "Of the bar of C4 and of a strip, t = 0.01 m, released in the shape of a mode, under "
              "newmark. Exact: axial (2 i - 1) sqrt(E / rho) / (4 L), bending of a thin bar b^2 / "
              "(2 pi) sqrt(E I / (rho A L^4)), b = 1.8751041 and 4.6940911; shear and the turning "
              "of slices, "
              "which it leaves out, are worth 0.7 % of the bar's frequency, 7e-5 and 4e-4 of the "
              "strip's.",
     .quantity = "frequency",
     .unit = "Hz",
     .axis = "cells along the bar",
     .picture = "frequencies",
     FAMILY(frequency_rows)},
    {.section = "C7",
     .title = "Hanging bar",
     .about = "E = 1e6 Pa, nu = 0; longer by rho g L^2 / (2 E).",
     .quantity = "elongation",
     .unit = "m",
     .axis = "cells along the bar",
     FAMILY(hanging_rows)},
};

const part pli_problems_bars = {"Bars", families, PLI_COUNT(families)};
