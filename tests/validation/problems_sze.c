// The problems of [Sze04] as whole curves (H3, H4): shells in large rotation.
#include "validation/bars.h"
#include "validation/sheets.h"
#include "validation/sze.h"

static bool at(double a, double b) { return fabs(a - b) < 1e-6; }

static const double degree = PLI_PI / 180;

// ---- shapes and supports; symmetric ones as a half, a quarter or an eighth

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

// Cylinders about y, u from the top to the side.
static void around(double radius, double length, double u, double v, double X[3]) {
    X[0] = radius * sin(90 * degree * u);
    X[1] = length * v;
    X[2] = radius * cos(90 * degree * u);
}

// Open at y = 0, its middle at the other end.
static void open_cylinder(double u, double v, double X[3]) { around(4.953, 5.175, u, v, X); }
static unsigned open_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[2], 0) ? FIX_Z | FIX_CLAMPED : 0u) |
           (at(X[1], 5.175) ? FIX_Y | FIX_CLAMPED : 0u);
}

// Clamped at y = 0; its straight sides neither move along z nor turn.
static void half_cylinder(double u, double v, double X[3]) { around(101.6, 304.8, u, v, X); }
static unsigned half_supports(const double X[3]) {
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[2], 0) ? FIX_Z | FIX_CLAMPED : 0u) |
           (at(X[1], 0) ? FIX_ALL | FIX_CLAMPED : 0u);
}

// A quarter of the roof, its middle at u = v = 0: straight sides hinged, curved sides free. The
// motion of the middle is prescribed.
static void roof(double u, double v, double X[3]) {
    X[0] = 2540 * sin(0.1 * u), X[1] = 254 * v, X[2] = 2540 * cos(0.1 * u);
}
static unsigned roof_supports(const double X[3]) {
    if (at(X[0], 0) && at(X[1], 0)) return 0;
    return (at(X[0], 0) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[1], 0) ? FIX_Y | FIX_CLAMPED : 0u) |
           (at(X[0], 2540 * sin(0.1)) ? FIX_ALL : 0u);
}

// ---- dead loads that grow

enum { FORCES = 2 };
typedef struct large_case {
    sheet s;
    shape_fn* shape;
    support_fn* supports;
    double aspect;         // cells along v per cell along u; 0: two cells along v
    int steps;             // all loads of the table are multiples of one of them
    double end[FORCES][2]; // parameters u, v of single forces
    double force[FORCES][3];
    bool line; // the first force is one along the line v = 1
    int lines; // displacements
    const char* names[PLI_TRACK_LINES];
    double probe[PLI_TRACK_LINES][2]; // u, v
    int axis[PLI_TRACK_LINES]; // displacement of the probe along x (1), y (2), z (3), its sign
    const double (*table)[4];  // NULL: the elastica
    int count;
    bool snaps;   // deviations are distances from the curve
    double after; // they count at loads above this part
    int judged;   // the number of displacements, from the first, that make the error; 0: all
} large_case;

#define TABLE(name) .table = name, .count = PLI_COUNT(name)
enum { SHEAR, ANNULUS, HEMISPHERE, PULLOUT, PINCHED, HALF };
static const large_case cases[] = {
    [SHEAR] = {.s = {1.2e6, 0, 0.1, 1, NULL},
               .shape = cantilever,
               .supports = clamped_at_x_0,
               .steps = 20,
               .end = {{1, 0.5}},
               .force = {{0, 0, 4}},
               .lines = 2,
               .names = {"rise", "shortening"},
               .probe = {{1, 0.5}, {1, 0.5}},
               .axis = {3, -1},
               .count = 20},
    [ANNULUS] = {.s = {21e6, 0, 0.03, 1, NULL},
                 .shape = annulus,
                 .supports = annulus_supports,
                 .aspect = 8,
                 .steps = 40,
                 .end = {{1, 1}},
                 .force = {{0, 0, 3.2}},
                 .line = true,
                 .lines = 2,
                 .names = {"rise of the outer corner", "rise of the inner corner"},
                 .probe = {{1, 1}, {0, 1}},
                 .axis = {3, 3},
                 TABLE(sze_annulus)},
    [HEMISPHERE] = {.s = {6.825e7, 0.3, 0.04, 1, NULL},
                    .shape = pli_shape_hemisphere,
                    .supports = pli_hemisphere_supports,
                    .aspect = 1,
                    .steps = 20,
                    .end = {{0, 0}, {1, 0}},
                    .force = {{200, 0, 0}, {0, -200, 0}},
                    .lines = 2,
                    .names = {"inward", "outward"},
                    .probe = {{1, 0}, {0, 0}},
                    .axis = {-2, 1},
                    TABLE(sze_hemisphere)},
    [PULLOUT] = {.s = {10.5e6, 0.3125, 0.094, 1, NULL},
                 .shape = open_cylinder,
                 .supports = open_supports,
                 .aspect = 2.0 / 3,
                 .steps = 40,
                 .end = {{0, 1}},
                 .force = {{0, 0, 10000}},
                 .lines = 3,
                 .names = {"outward at the force", "inward at the side", "at the side, at the end"},
                 .probe = {{0, 1}, {1, 1}, {1, 0}},
                 .axis = {3, -1, -1},
                 TABLE(sze_pullout),
                 .snaps = true},
    [PINCHED] = {.s = {30e3, 0.3, 1, 1, NULL},
                 .shape = pli_shape_pinched,
                 .supports = pli_pinched_supports,
                 .aspect = 1,
                 .steps = 40,
                 .end = {{0, 1}},
                 .force = {{0, 0, -3000}},
                 .lines = 2,
                 .names = {"inward at the force", "outward at the side"},
                 .probe = {{0, 1}, {1, 1}},
                 .axis = {-3, 1},
                 TABLE(sze_pinched),
                 .judged = 1,
                 .after = 0.18},
    [HALF] = {.s = {2068.5, 0.3, 3, 1, NULL},
              .shape = half_cylinder,
              .supports = half_supports,
              .aspect = 1,
              .steps = 40,
              .end = {{0, 1}},
              .force = {{0, 0, -1000}},
              .lines = 1,
              .names = {"inward at the force"},
              .probe = {{0, 1}},
              .axis = {-3},
              TABLE(sze_half_cylinder)},
};

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

// The reference at point i; the elastica of length 10 under P L^2 / EI = 4 without a table.
static void reference(const large_case* c, int i, track* k) {
    k->x[i] = c->table ? c->table[i][0] : (i + 1.0) / c->count;
    for (int l = 0; l < c->lines && c->table; ++l) k->exact[l][i] = c->table[i][1 + l];
    if (c->table) return;
    const bending b = {.tip = 4 * k->x[i]};
    pli_formula_bending(&b, &k->exact[0][i], &k->exact[1][i]);
    for (int l = 0; l < 2; ++l) k->exact[l][i] *= 10;
}

static pli_status follow(trial* t, const large_case* c, track* k) {
    int step = 0;
    *k = (track){.count = c->count,
                 .lines = c->lines,
                 .x_label = "part of the load",
                 .y_label = "displacement [m]"};
    for (int i = 0; i < c->count; ++i) {
        reference(c, i, k);
        int until = (int)lround(k->x[i] * c->steps);
        TRY(pli_trial_steps(t, until - step));
        step = until;
        for (int l = 0; l < c->lines; ++l) k->y[l][i] = probe(t, c, l);
    }
    for (int l = 0; l < c->lines; ++l) k->names[l] = c->names[l];
    return PLI_OK;
}

static void judge(const large_case* c, const track* k, int from, outcome* out) {
    void (*deviations)(const track*, int, outcome*) =
        c->snaps ? pli_track_distance : pli_track_deviate;
    track first = *k;
    if (c->judged > 0) first.lines = c->judged;
    deviations(&first, from, out);
    out->error = out->largest;
    deviations(k, from, out);
}

// The first displacement at full load; the error is the largest deviation of the curves. `number`:
// case, mesh.
static pli_status run_large(const problem* row, double cells, trial* t, outcome* out) {
    const large_case* c = &cases[(int)row->number[0]];
    int n = (int)cells, m = c->aspect > 0 ? (int)lround(c->aspect * n) : 2, from = 0;
    double shares[64][3];
    TRY(pli_sheet_mesh(t, (sheet_mesh)row->number[1], n, m, c->shape));
    pli_world_def def = pli_sheet_static_def(c->steps);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &c->s, NULL, c->supports, &id));
    TRY(add_forces(t, id, c, n, shares));
    TRY(follow(t, c, &out->curve));
    while (out->curve.x[from] < c->after) ++from;
    judge(c, &out->curve, from, out);
    out->computed = out->curve.y[0][c->count - 1];
    out->exact = out->curve.exact[0][c->count - 1];
    return PLI_OK;
}

#define SZE(text, which, mesh, file, limit, fine, fast_, ...)                                      \
    {                                                                                              \
        .name = text, .run = run_large, .picture = file, .number = {which, mesh}, .exact = NAN,    \
        .tolerance = limit, .fine_tolerance = fine, .resolution = {__VA_ARGS__}, .fast = fast_     \
    }
static const problem large_rows[] = {
    SZE("cantilever", SHEAR, ONE_DIAGONAL, "sze_cantilever", 5e-3, 3e-3, 2, 12, 24, 48),
    SZE("slit annulus", ANNULUS, ONE_DIAGONAL, "sze_annulus", 0.05, 0.015, 1, 4, 8, 12),
    SZE("hemisphere", HEMISPHERE, ONE_DIAGONAL, "sze_hemisphere", 0.1, 0.02, 1, 8, 16, 32),
    SZE("pull-out of a cylinder", PULLOUT, UNION_JACK, "sze_pullout", 0.1, 0.02, 1, 12, 24, 48),
    SZE("pinched cylinder", PINCHED, ONE_DIAGONAL, "sze_pinched", 0.1, 0.02, 0, 24, 48),
    SZE("pinched half cylinder", HALF, ONE_DIAGONAL, "sze_half_cylinder", 0.05, 0.02, 1, 20, 40),
};

// ---- a strip bent by a moment to a full circle

// The strip of length 12 goes on for one row of cells, on which the moment acts: so the edges at
// its end carry it. All vertices stay in their planes y = const: without that, minimization beyond
// 0.8 of a circle does not converge, with the strip free to turn sideways.
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

// Every second of 40 steps is a point of the curve.
static pli_status bend(trial* t, const sheet* s, pli_energy_id couples, track* k) {
    const int steps = 40;
    *k = (track){.count = steps / 2,
                 .lines = 2,
                 .names = {"rise", "shortening"},
                 .x_label = "part of the moment",
                 .y_label = "displacement [m]"};
    for (int i = 1; i <= steps; ++i) { // four triangles share the moment
        double u[3], angle = 2 * PLI_PI * i / steps;
        pli_setting moment = {"moment", angle * pli_sheet_stiffness(s) / 12 / 4};
        TRY(pli_world_set_energy(t->world, couples, &moment, 1, &t->error));
        TRY(pli_trial_steps(t, 1));
        pli_sheet_moved(t, (const double[3]){12, 0.5, 0}, u);
        int n = i / 2 - 1;
        if (i % 2) continue;
        k->x[n] = (double)i / steps;
        k->y[0][n] = u[2];
        k->y[1][n] = -u[0];
        k->exact[0][n] = 12 * (1 - cos(angle)) / angle;
        k->exact[1][n] = 12 * (1 - sin(angle) / angle);
    }
    return PLI_OK;
}

static pli_status run_moment(const problem* row, double cells, trial* t, outcome* out) {
    const sheet s = {1.2e6, 0, 0.1, 1, NULL};
    const pli_energy_type* types[] = {&pli_couple_type};
    int n = (int)cells;
    (void)row;
    TRY(pli_sheet_mesh(t, ONE_DIAGONAL, n + 1, 2, moment_strip));
    for (int v = 0; v < t->mesh.vertex_count; ++v) t->mesh.positions[3 * v] *= 12.0 * (n + 1) / n;
    pli_world_def def = pli_sheet_static_def(40);
    def.energy_types = types;
    def.energy_type_count = 1;
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    pli_energy_id couples;
    TRY(pli_sheet_body(t, &s, NULL, moment_supports, &id));
    TRY(add_couples(t, id, 12, &couples));
    TRY(bend(t, &s, couples, &out->curve));
    pli_track_deviate(&out->curve, 0, out);
    out->computed = out->curve.y[1][out->curve.count - 1];
    out->exact = 12;
    out->error = out->largest;
    return PLI_OK;
}

static const problem moment_rows[] = {{.name = "strip",
                                       .run = run_moment,
                                       .picture = "sze_moment",
                                       .exact = NAN,
                                       .tolerance = 2e-2,
                                       .fine_tolerance = 5e-3,
                                       .resolution = {24, 48},
                                       .fast = 1}};

// ---- snap-through of hinged roofs, the displacement of the middle prescribed

typedef struct roof_case {
    double thickness;
    const double (*table)[4];
    int count;
    // The thin roof snaps back: between the folds `top` and `bottom` of the path no control of the
    // middle keeps it. From the first fold it jumps to point `landing`, then the path is followed
    // back to the second fold, and from there to the end.
    int top, bottom, landing; // points of the table
} roof_case;

static const roof_case roofs[] = {
    {12.7, sze_thick_roof, PLI_COUNT(sze_thick_roof), 0, 0, 0},
    {6.35, sze_thin_roof, PLI_COUNT(sze_thin_roof), 13, 19, 23},
};

// The limit point is among this number of points, from the first.
enum { SNAPPED = 13 };

enum { ORDER_MAX = 2 * PLI_TRACK_POINTS };
typedef struct push {
    double depth[ORDER_MAX + 1]; // by number of steps [m]
    int point[ORDER_MAX + 1];    // of the table
    int count;
} push;

static void add_point(const roof_case* c, int i, push* p) {
    p->point[++p->count] = i;
    p->depth[p->count] = c->table[i][1];
}

static void plan(const roof_case* c, push* p) {
    *p = (push){0};
    for (int i = 0; i <= (c->top > 0 ? c->top : c->count - 1); ++i) add_point(c, i, p);
    for (int i = c->landing; i > c->bottom; --i) add_point(c, i, p);
    for (int i = c->bottom + 1; i < c->count && c->top > 0; ++i) add_point(c, i, p);
}

// Steps of 1 s.
static void goes_down(void* context, double time, const double place[3], double out[3]) {
    const push* p = context;
    int i = (int)fmin(floor(time), p->count - 1);
    double way = fmin(time - i, 1);
    (void)place;
    out[0] = out[1] = 0;
    out[2] = -(p->depth[i] + way * (p->depth[i + 1] - p->depth[i]));
}

static void start_curve(const roof_case* c, track* k) {
    *k = (track){.count = c->count,
                 .lines = 1,
                 .names = {"load"},
                 .x_label = "displacement of the middle [m]",
                 .y_label = "load [N]"};
    for (int i = 0; i < c->count; ++i) {
        k->x[i] = c->table[i][1];
        k->exact[0][i] = 3000 * c->table[i][0];
        k->y[0][i] = NAN;
    }
}

// `p` lives as long as the world.
static pli_status make_roof(trial* t, const roof_case* c, int cells, push* p, int32_t* middle) {
    const sheet s = {3102.75, 0.3, c->thickness, 1, NULL};
    pli_prescribe_def motion = pli_default_prescribe_def();
    TRY(pli_sheet_mesh(t, UNION_JACK, cells, cells, roof));
    pli_world_def def = pli_sheet_static_def(1);
    def.solver.tolerance = 1e-4; // so close the middle comes to its place, divided by the step
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, roof_supports, &id));
    *middle = (int32_t)pli_sheet_nearest(t, (const double[3]){0, 0, 2540});
    motion.vertices = middle;
    motion.vertex_count = 1;
    motion.field = goes_down;
    motion.context = p;
    motion.clamped = true;
    return pli_world_prescribe(t->world, id, &motion, NULL, &t->error);
}

// `number`: case. The largest load before the roof snaps; the error is that of this load or the
// largest distance of the curve, whichever is larger.
static pli_status run_roof(const problem* row, double cells, trial* t, outcome* out) {
    const roof_case* c = &roofs[(int)row->number[0]];
    track* k = &out->curve;
    push p;
    int32_t middle;
    plan(c, &p);
    start_curve(c, k);
    TRY(make_roof(t, c, (int)cells, &p, &middle));
    out->computed = out->exact = 0;
    for (int i = 1; i <= p.count; ++i) {
        TRY(pli_trial_steps(t, 1));
        k->y[0][p.point[i]] = -4 * pli_world_reactions(t->world)[3 * middle + 2];
    }
    for (int i = 0; i < SNAPPED; ++i) {
        out->computed = fmax(out->computed, k->y[0][i]);
        out->exact = fmax(out->exact, k->exact[0][i]);
    }
    pli_track_distance(k, 0, out);
    out->error = fmax(fabs(out->computed / out->exact - 1), out->largest);
    return PLI_OK;
}

#define ROOF(text, which, file, limit)                                                             \
    {                                                                                              \
        .name = text, .run = run_roof, .picture = file, .number = {which}, .exact = NAN,           \
        .tolerance = limit, .fine_tolerance = 0.02, .resolution = {4, 8, 16, 32}, .fast = 2        \
    }
static const problem roof_rows[] = {
    ROOF("t = 12.7", 0, "sze_thick_roof", 0.04),
    ROOF("t = 6.35", 1, "sze_thin_roof", 0.1),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H3",
     .title = "Large rotations",
     .about = "Problems of [Sze04]: displacements over a load that grows to its largest value, at "
              "the loads of the tables. Shown: the first displacement at full load. A deviation is "
              "the distance from the reference as a part of the largest displacement of its curve; "
              "the error is the largest deviation. The reference of the cantilever is the exact "
              "elastica, P L^2 / EI = 4; of all others, shell elements of Abaqus (S4R), which are "
              "no exact solutions: isogeometric Kirchhoff-Love shells give 17.473 and 13.835 for "
              "the annulus, Abaqus 17.528 and 13.891. The curve of the pull-out is nearly vertical "
              "at 0.52 of the load, where the sides snap; its deviations are distances from the "
              "curve in the plane, both axes scaled by their largest values. The pinched cylinder "
              "snaps below 0.18 of the load; deviations count after that, and the error is that "
              "of the displacement at the force. With 48 cells, as many as the reference has, its "
              "curve has steps: the crease moves from one row of cells to the next, which shows "
              "most at the side. The small error is partly chance. With 64 cells it is 2.5 %, with "
              "96, where the curve is smooth, 2.1 % right after the snap and 1.3 % later, and 5 % "
              "at the side, always beyond the reference: neither mesh of 48 cells has converged.",
     .quantity = "displacement",
     .unit = "m",
     .axis = "cells along an edge",
     .curves = true,
     FAMILY(large_rows)},
    {.section = "H3",
     .title = "Strip bent by a moment",
     .about = "Length 12, E = 1.2e6, thickness 0.1, nu = 0, a moment at its end [Sze04]: an arc of "
              "a circle, a full one at 50 pi / 3. Shown: the shortening at the full circle.",
     .quantity = "shortening",
     .unit = "m",
     .axis = "cells along the strip",
     .curves = true,
     FAMILY(moment_rows)},
    {.section = "H4",
     .title = "Snap-through of a roof",
     .about = "Hinged cylindrical roof, a quarter of it, with a force in its middle [Sze04]: the "
              "force while the middle moves down. Shown: the largest force before it snaps. "
              "Deviations are distances from the reference curve, both axes scaled by their "
              "largest values; the error is the larger one of the largest deviation and the error "
              "of the force. The thin roof snaps back: the part of its path between the folds is "
              "not stable however the middle is held, and is left out; the branch behind it is "
              "followed back to its fold.",
     .quantity = "largest load",
     .unit = "N",
     .axis = "cells along an edge",
     .curves = true,
     FAMILY(roof_rows)},
};

const part pli_problems_sze = {"Shells in large rotation", families, PLI_COUNT(families)};
