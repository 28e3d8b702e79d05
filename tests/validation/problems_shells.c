// Shells in large rotation (H3 to H7): the problems of [Sze04], heavy strips.
#include "validation/sheets.h"

#include <stdlib.h>

static bool at(double a, double b) { return fabs(a - b) < 1e-6; }

static const double degree = PLI_PI / 180;

// ---- shapes and supports

static void cantilever(double u, double v, double X[3]) { X[0] = 10 * u, X[1] = v, X[2] = 0; }

static unsigned clamped_at_x_0(const double X[3]) {
    return at(X[0], 0) ? FIX_ALL | FIX_CLAMPED : 0u;
}

// Cut along the x axis; the cut is open by 1e-4 rad, so that places tell its sides apart.
static void annulus(double u, double v, double X[3]) {
    double r = 6 + 4 * u, angle = (2 * PLI_PI - 1e-4) * v;
    X[0] = r * cos(angle), X[1] = r * sin(angle), X[2] = 0;
}
static unsigned annulus_supports(const double X[3]) {
    return X[0] > 0 && at(X[1], 0) ? FIX_ALL | FIX_CLAMPED : 0u;
}

// A quarter of the hemisphere with a hole of 18 degrees.
static void hemisphere(double u, double v, double X[3]) {
    double a = 90 * degree * u, b = 72 * degree * v;
    X[0] = 10 * cos(b) * cos(a), X[1] = 10 * cos(b) * sin(a), X[2] = 10 * sin(b);
}
static unsigned hemisphere_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[1], 0) ? FIX_Y | FIX_CLAMPED : 0u) |
           (at(X[0], 10) ? FIX_Z : 0u);
}

// An eighth of the cylinder, the diaphragm at y = 0.
static void pinched(double u, double v, double X[3]) {
    X[0] = 100 * sin(90 * degree * u), X[1] = 100 * v, X[2] = 100 * cos(90 * degree * u);
}
static unsigned pinched_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[2], 0) ? FIX_Z | FIX_CLAMPED : 0u) |
           (at(X[1], 0) ? FIX_X | FIX_Z : 0u) | (at(X[1], 100) ? FIX_Y | FIX_CLAMPED : 0u);
}

// The roof: straight sides hinged, curved sides free.
static void roof(double u, double v, double X[3]) {
    double angle = 0.1 * (2 * u - 1);
    X[0] = 2540 * sin(angle), X[1] = 254 * (2 * v - 1), X[2] = 2540 * cos(angle);
}
static unsigned roof_supports(const double X[3]) {
    return at(fabs(X[0]), 2540 * sin(0.1)) ? FIX_ALL : 0u;
}

// A strip of length 1 and width 0.25.
static void strip(double u, double v, double X[3]) { X[0] = u, X[1] = 0.25 * v, X[2] = 0; }

// ---- static problems with dead loads

enum { FORCES = 2 };
typedef struct large_case {
    sheet s;
    shape_fn* shape;
    support_fn* supports;
    double aspect; // cells along v per cell along u; 0: two cells along v
    int steps;
    double end[FORCES][2]; // parameters u, v of single forces
    double force[FORCES][3];
    bool line;          // the first force is one along the line v = 1
    double probe[2][2]; // u, v
    int axis[2];        // displacement of the probe along x (1), y (2), z (3), its sign
    double exact[2];    // at full load
} large_case;

enum { SHEAR, ANNULUS, HEMISPHERE, PINCHED };
static const large_case cases[] = {
    [SHEAR] = {.s = {1.2e6, 0, 0.1, 1, NULL},
               .shape = cantilever,
               .supports = clamped_at_x_0,
               .steps = 10,
               .end = {{1, 0.5}},
               .force = {{0, 0, 4}},
               .probe = {{1, 0.5}, {1, 0.5}},
               .axis = {3, -1},
               .exact = {6.69964, 3.28941}},
    [ANNULUS] = {.s = {21e6, 0, 0.03, 1, NULL},
                 .shape = annulus,
                 .supports = annulus_supports,
                 .aspect = 8,
                 .steps = 20,
                 .end = {{1, 1}},
                 .force = {{0, 0, 3.2}},
                 .line = true,
                 .probe = {{1, 1}, {0, 1}},
                 .axis = {3, 3},
                 .exact = {17.528, 13.891}},
    [HEMISPHERE] = {.s = {6.825e7, 0.3, 0.04, 1, NULL},
                    .shape = hemisphere,
                    .supports = hemisphere_supports,
                    .aspect = 1,
                    .steps = 10,
                    .end = {{0, 0}, {1, 0}},
                    .force = {{200, 0, 0}, {0, -200, 0}},
                    .probe = {{1, 0}, {0, 0}},
                    .axis = {-2, 1},
                    .exact = {8.178, 4.067}},
    [PINCHED] = {.s = {30e3, 0.3, 1, 1, NULL},
                 .shape = pinched,
                 .supports = pinched_supports,
                 .aspect = 1,
                 .steps = 20,
                 .end = {{0, 1}},
                 .force = {{0, 0, -3000}},
                 .probe = {{0, 1}, {1, 1}},
                 .axis = {-3, 1},
                 .exact = {83.102, 34.272}},
};

// Balances to 1e-6 of the forces.
static pli_world_def static_def(int steps) {
    pli_world_def def = pli_trial_def(3, "static");
    def.time_step = 1.0 / steps;
    def.solver.gradient_tolerance = 1e-6;
    def.solver.max_iterations = 1000;
    return def;
}

// Single forces, or the first spread over the line v = 1 by trapezoids. `shares` lives as long as
// the world.
static pli_status add_forces(trial* t, pli_body_id id, const large_case* c, int nu,
                             double shares[][3]) {
    for (int i = 0; i < (c->line ? nu + 1 : FORCES); ++i) {
        double X[3], weight = c->line ? (i > 0 && i < nu ? 1.0 : 0.5) / nu : 1;
        const double* force = c->line ? c->force[0] : c->force[i];
        if (force[0] == 0 && force[1] == 0 && force[2] == 0) continue;
        c->shape(c->line ? (double)i / nu : c->end[i][0], c->end[c->line ? 0 : i][1], X);
        for (int k = 0; k < 3; ++k) shares[i][k] = weight * force[k];
        TRY(pli_sheet_force(t, id, X, shares[i]));
    }
    return PLI_OK;
}

// The displacement of probe i along its axis.
static double probe(const trial* t, const large_case* c, int i) {
    double X[3], u[3];
    c->shape(c->probe[i][0], c->probe[i][1], X);
    pli_sheet_moved(t, X, u);
    return c->axis[i] > 0 ? u[c->axis[i] - 1] : -u[-c->axis[i] - 1];
}

// The displacement of the first probe; the error is the larger of both. `number`: case, mesh.
static pli_status run_large(const problem* row, double cells, trial* t, outcome* out) {
    const large_case* c = &cases[(int)row->number[0]];
    int n = (int)cells, m = c->aspect > 0 ? (int)(c->aspect * n) : 2;
    double shares[64][3];
    TRY(pli_sheet_mesh(t, (sheet_mesh)row->number[1], n, m, c->shape));
    pli_world_def def = static_def(c->steps);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &c->s, NULL, c->supports, &id));
    TRY(add_forces(t, id, c, n, shares));
    TRY(pli_trial_steps(t, c->steps));
    out->computed = probe(t, c, 0);
    out->exact = c->exact[0];
    out->error = 0;
    for (int i = 0; i < 2; ++i)
        out->error = fmax(out->error, fabs(probe(t, c, i) / c->exact[i] - 1));
    return PLI_OK;
}

#define SZE(text, which, limit, fine, fast_, ...)                                                  \
    {                                                                                              \
        .name = text, .run = run_large, .number = {which, ONE_DIAGONAL}, .exact = NAN,             \
        .tolerance = limit, .fine_tolerance = fine, .resolution = {__VA_ARGS__}, .fast = fast_     \
    }
static const problem large_rows[] = {
    SZE("cantilever", SHEAR, 5e-3, 3e-3, 2, 12, 24, 48),
    SZE("slit annulus", ANNULUS, 0.05, 0.015, 1, 4, 8, 12),
    SZE("hemisphere", HEMISPHERE, 0.1, 0.02, 1, 8, 16, 32),
    SZE("pinched cylinder", PINCHED, 0.1, 0.02, 0, 48),
};

// ---- snap-through of a hinged roof, the displacement of its middle prescribed: the largest load

static void goes_down(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = out[1] = 0;
    out[2] = -14 * time;
}

static pli_status run_roof(const problem* row, double cells, trial* t, outcome* out) {
    const sheet s = {3102.75, 0.3, row->number[0], 1, NULL};
    const int steps = 28;
    int n = (int)cells;
    TRY(pli_sheet_mesh(t, UNION_JACK, n, n, roof));
    pli_world_def def = static_def(steps);
    def.solver.tolerance = 1e-4; // so close the middle comes to its place, divided by the step
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, roof_supports, &id));
    int32_t middle = pli_sheet_nearest(t, (const double[3]){0, 0, 2540});
    pli_prescribe_def push = pli_default_prescribe_def();
    push.vertices = &middle;
    push.vertex_count = 1;
    push.field = goes_down;
    TRY(pli_world_prescribe(t->world, id, &push, NULL, &t->error));
    out->computed = 0;
    for (int i = 0; i < steps; ++i) {
        TRY(pli_trial_steps(t, 1));
        out->computed = fmax(out->computed, fabs(pli_world_reactions(t->world)[3 * middle + 2]));
    }
    return PLI_OK;
}

// The thin roof snaps back: the load grows in static steps of 1 % until the middle jumps.
static pli_status run_thin_roof(const problem* row, double cells, trial* t, outcome* out) {
    const sheet s = {3102.75, 0.3, row->number[0], 1, NULL};
    const double top[3] = {0, 0, 2540}, most = row->number[1];
    double force[3] = {0, 0, -most}, u[3];
    int n = (int)cells, steps = (int)row->number[2];
    TRY(pli_sheet_mesh(t, UNION_JACK, n, n, roof));
    pli_world_def def = static_def(steps);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, roof_supports, &id));
    TRY(pli_sheet_force(t, id, top, force));
    for (int i = 1; i <= steps; ++i) {
        TRY(pli_trial_steps(t, 1));
        pli_sheet_moved(t, top, u);
        if (-u[2] > 20) {
            out->computed = most * (i - 0.5) / steps;
            return PLI_OK;
        }
    }
    return pli_trial_wrong(t, "the roof does not snap through below %g N", most);
}

static const problem roof_rows[] = {
    {.name = "t = 12.7, displacement",
     .run = run_roof,
     .number = {12.7},
     .exact = 2226,
     .tolerance = 0.02,
     .fine_tolerance = 0.02,
     .resolution = {8, 16, 32},
     .fast = 2},
    {.name = "t = 6.35, load",
     .run = run_thin_roof,
     .number = {6.35, 640, 64},
     .exact = 586,
     .tolerance = 0.05,
     .fine_tolerance = 0.02,
     .resolution = {8, 16, 32},
     .fast = 2},
};

// ---- a heavy strip, clamped horizontally: B theta'' = -w (L - s) cos theta

// Shooting: theta(0) = 0, theta'(L) = 0. x and drop of the end over the length.
static void heavy_elastica(double gamma, double* x, double* drop) {
    const int n = 20000;
    double low = 0, high = gamma;
    for (int i = 0; i < 200; ++i) {
        double h = 1.0 / n, angle = 0, rate = 0.5 * (low + high);
        *x = *drop = 0;
        for (int k = 0; k < n; ++k) { // midpoint rule
            double s = (k + 0.5) * h, middle = angle + 0.5 * h * rate;
            double next = rate - h * gamma * (1 - s) * cos(middle);
            *x += h * cos(middle);
            *drop += h * sin(middle);
            angle += 0.5 * h * (rate + next);
            rate = next;
        }
        *(rate > 0 ? &high : &low) = 0.5 * (low + high);
    }
}

// Drop of the end; the error is the distance of the end from its place, as a part of the length.
// `number`: Gamma.
static pli_status run_heavy(const problem* row, double cells, trial* t, outcome* out) {
    const double gamma = row->number[0];
    const sheet s = {1e7, 0, 0.001, 1000, NULL};
    double x, drop, u[3];
    TRY(pli_sheet_mesh(t, UNION_JACK, (int)cells, (int)fmax(2, cells / 4), strip));
    pli_world_def def = static_def(1);
    def.gravity[2] = -gamma * pli_sheet_stiffness(&s) / (s.density * s.thickness);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, clamped_at_x_0, &id));
    TRY(pli_trial_steps(t, 1));
    heavy_elastica(gamma, &x, &drop);
    pli_sheet_moved(t, (const double[3]){1, 0.125, 0}, u);
    out->computed = -u[2];
    out->exact = drop;
    out->error = hypot(1 + u[0] - x, -u[2] - drop);
    return PLI_OK;
}

#define HEAVY(gamma)                                                                               \
    {                                                                                              \
        .name = "Gamma = " #gamma, .run = run_heavy, .number = {gamma}, .exact = NAN,              \
        .tolerance = 1e-2, .fine_tolerance = 5e-3, .resolution = {8, 16, 32}, .fast = 2            \
    }
static const problem heavy_rows[] = {HEAVY(1),  HEAVY(2),  HEAVY(5),
                                     HEAVY(10), HEAVY(50), HEAVY(100)};

// ---- a strip bent by a moment to a full circle

// A couple about y on a triangle: P = -m phi, phi the angle of its normal in the plane of x and z,
// 0 at z and growing towards -x, followed beyond half a turn by its state. No Hessian.
typedef struct couple {
    double moment;
} couple;

static double turn_of(const pli_batch* in, int i, double last, double n[3], double e[2][3]) {
    const int32_t* v = in->vertices + 3 * (size_t)i;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 2; ++k) e[k][c] = in->x[3 * v[k + 1] + c] - in->x[3 * v[0] + c];
    for (int c = 0; c < 3; ++c)
        n[c] = e[0][(c + 1) % 3] * e[1][(c + 2) % 3] - e[0][(c + 2) % 3] * e[1][(c + 1) % 3];
    double angle = atan2(-n[0], n[2]);
    return last + remainder(angle - last, 2 * PLI_PI);
}

static void couple_eval(const pli_batch* in, pli_local* out) {
    const couple* records = in->data;
    const double* last = in->state;
    for (int i = 0; i < in->count; ++i) {
        double n[3], e[2][3], m = records[i].moment, turn = turn_of(in, i, last[i], n, e);
        if (in->want & PLI_VALUE) out->e[i] -= m * turn;
        if (!(in->want & PLI_GRADIENT)) continue;
        // d phi = (n_x dn_z - n_z dn_x) / (n_x^2 + n_z^2), dn = de_0 x e_1 + e_0 x de_1
        double square = n[0] * n[0] + n[2] * n[2], a[3] = {-n[2] / square, 0, n[0] / square};
        for (int c = 0; c < 3; ++c) {
            int d = (c + 1) % 3, f = (c + 2) % 3;
            double on_1 = e[1][d] * a[f] - e[1][f] * a[d], on_2 = a[d] * e[0][f] - a[f] * e[0][d];
            out->g[9 * i + 3 + c] -= m * on_1;
            out->g[9 * i + 6 + c] -= m * on_2;
            out->g[9 * i + c] += m * (on_1 + on_2);
        }
    }
}

static void couple_commit(const pli_batch* in, void* state) {
    double *last = state, n[3], e[2][3];
    for (int i = 0; i < in->count; ++i) last[i] = turn_of(in, i, last[i], n, e);
}

static pli_status couple_prepare(const double* params, const pli_element* element, void* data,
                                 pli_error* error) {
    (void)element, (void)error;
    ((couple*)data)->moment = params[0];
    return PLI_OK;
}

static const pli_param couple_params[] = {
    {.name = "moment", .unit = "N m", .min = -HUGE_VAL, .max = HUGE_VAL}};
static const pli_energy_type couple_type = {
    .abi = PLI_ENERGY_ABI,
    .name = "couple",
    .help = "-m phi",
    .dims = 1u << 3,
    .params = couple_params,
    .param_count = 1,
    .data_size = {[PLI_STENCIL] = sizeof(couple)},
    .width = 3,
    .linear = true,
    .state_size = sizeof(double),
    .prepare = couple_prepare,
    .commit = couple_commit,
    .eval = couple_eval,
};

// The strip of length 12 goes on for one row of cells, on which the moment acts: so the edges at
// its end carry it. `number`: part of the moment of a full circle. All vertices stay in their
// planes y = const: without that, minimization beyond 0.8 of a circle does not converge, with the
// strip free to turn sideways.
static unsigned moment_supports(const double X[3]) {
    return at(X[0], 0) ? FIX_ALL | FIX_CLAMPED : (unsigned)FIX_Y;
}
static void moment_strip(double u, double v, double X[3]) { X[0] = u, X[1] = v, X[2] = 0; }

static pli_status add_couples(trial* t, pli_body_id id, double end, pli_energy_id* couples) {
    pli_vertex_ref list[12];
    pli_stencils_def def = pli_default_stencils_def();
    const pli_setting none = {"moment", 0};
    for (int i = 0; i < t->mesh.element_count[PLI_TRIANGLE]; ++i) {
        const int32_t* v = t->mesh.elements[PLI_TRIANGLE] + 3 * i;
        bool beyond = true;
        for (int k = 0; k < 3; ++k) beyond &= t->mesh.positions[3 * v[k]] > end - 1e-6;
        for (int k = 0; k < 3 && beyond; ++k) list[3 * def.count + k] = (pli_vertex_ref){id, v[k]};
        def.count += beyond;
    }
    def.energy = "couple";
    def.kind = PLI_STENCIL;
    def.settings = &none;
    def.setting_count = 1;
    def.vertices = list;
    return pli_world_add_stencils(t->world, &def, couples, &t->error);
}

static pli_status run_moment(const problem* row, double cells, trial* t, outcome* out) {
    const sheet s = {1.2e6, 0, 0.1, 1, NULL};
    const pli_energy_type* types[] = {&couple_type};
    int n = (int)cells, steps = 40;
    TRY(pli_sheet_mesh(t, ONE_DIAGONAL, n + 1, 2, moment_strip));
    for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] *= 12.0 * (n + 1) / n;
    pli_world_def def = static_def(steps);
    def.energy_types = types;
    def.energy_type_count = 1;
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    pli_energy_id couples;
    TRY(pli_sheet_body(t, &s, NULL, moment_supports, &id));
    TRY(add_couples(t, id, 12, &couples));
    double angle = 2 * PLI_PI * row->number[0];
    for (int i = 1; i <= steps; ++i) { // four triangles share the moment
        pli_setting moment = {"moment", i * angle / steps * pli_sheet_stiffness(&s) / 12 / 4};
        TRY(pli_world_set_energy(t->world, couples, &moment, 1, &t->error));
        TRY(pli_trial_steps(t, 1));
    }
    double u[3], x = 12 * sin(angle) / angle, z = 12 * (1 - cos(angle)) / angle;
    pli_sheet_moved(t, (const double[3]){12, 0.5, 0}, u);
    out->computed = u[2];
    out->exact = z;
    out->error = hypot(12 + u[0] - x, u[2] - z) / 12;
    return PLI_OK;
}

#define MOMENT(text, part_)                                                                        \
    {                                                                                              \
        .name = text, .run = run_moment, .number = {part_}, .exact = NAN, .tolerance = 2e-2,       \
        .fine_tolerance = 5e-3, .resolution = {24, 48}, .fast = 1                                  \
    }
static const problem moment_rows[] = {MOMENT("quarter circle", 0.25), MOMENT("half circle", 0.5),
                                      MOMENT("three quarters", 0.75), MOMENT("full circle", 1)};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H3",
     .title = "Large rotations",
     .about =
         "Problems of [Sze04] at full load, the larger error of two displacements. Cantilever, 24 "
         "x 2 "
         "cells and others: the exact elastica under P L^2 / EI = 4, rise 6.69964 and shortening "
         "3.28941. Slit annulus lifted by a line force: 17.528 and 13.891 (Abaqus S4R; "
         "isogeometric Kirchhoff-Love 17.473 and 13.835). Hemisphere with a hole of 18 degrees "
         "under four forces of 400: 8.178 inward, 4.067 outward. Pinched cylinder with rigid "
         "diaphragms after its snaps: 83.102 at the load, 34.272 at the side. Linear membrane "
         "triangles need the fine meshes.",
     .quantity = "displacement",
     .unit = "m",
     .axis = "cells along an edge",
     .picture = "large_rotations",
     .ratio = true,
     FAMILY(large_rows)},
    {.section = "H3",
     .title = "Strip bent by a moment",
     .about =
         "Length 12, E = 1.2e6, thickness 0.1, nu = 0, a moment at its end [Sze04]: an arc of a "
         "circle, a full one at 50 pi / 3. The error is the distance of its end from the exact "
         "place, as a part of the length.",
     .quantity = "rise",
     .unit = "m",
     .axis = "cells along the strip",
     .picture = "strip_moment",
     FAMILY(moment_rows)},
    {.section = "H4",
     .title = "Snap-through of a roof",
     .about =
         "Hinged cylindrical roof with a force in its middle [Sze04]. Thickness 12.7: largest "
         "force "
         "while the middle is moved down, 2226. Thickness 6.35, which snaps back: the force at "
         "which it jumps, in static steps of 10 N, 586.",
     .quantity = "largest load",
     .unit = "N",
     .axis = "cells along an edge",
     .picture = "roof_snap",
     .ratio = true,
     FAMILY(roof_rows)},
    {.section = "H5",
     .title = "Heavy strip",
     .about =
         "A strip clamped horizontally bends under its weight: B theta'' = -w (L - s) cos theta, "
         "Gamma = w L^3 / B, solved by shooting. The error is the distance of its end from the "
         "exact place, as a part of the length.",
     .quantity = "drop / length",
     .unit = "",
     .axis = "cells along the strip",
     .picture = "heavy_strip",
     FAMILY(heavy_rows)},
};

const part pli_problems_shells = {"Shells in large rotation", families, PLI_COUNT(families)};
