// Rods: far bending, buckling under thrust, twist and weight, frequencies, curved rest shapes.
#include "validation/bars.h"
#include "validation/problems.h"
#include "validation/rods.h"

// ---- cantilevers bent far

// `number`: tip load P L^2 / EI, weight w L^3 / EI. The error is the larger one of drop and
// shortening.
static pli_status run_far(const problem* row, double edges, trial* t, outcome* out) {
    rod_spec spec = pli_rod_default((int)edges);
    const bending b = {.tip = row->number[0], .weight = row->number[1]};
    double drop, shorter, force[3] = {0, -b.tip, 0};
    pli_world_def def = pli_trial_def(3, "static");
    pli_body_id id;
    def.gravity[1] = -b.weight;
    TRY(pli_rod_straight(t, &def, &spec, &id));
    if (b.tip != 0) TRY(pli_rod_pull(t, id, force));
    TRY(pli_trial_steps(t, 1));
    pli_formula_bending(&b, &drop, &shorter);
    if (row->number[3] > 0) drop = row->exact; // shooting does not hit it
    if (row->number[3] > 0) shorter = row->number[3];
    const double* x = pli_world_positions(t->world) + 3 * (t->mesh.vertex_count - 1);
    out->computed = -x[1];
    out->exact = drop;
    double scale = row->number[2]; // errors as parts of the length, or of the numbers
    out->error = fmax(fabs(-x[1] - drop) / (scale > 0 ? scale : drop),
                      fabs(1 - x[0] - shorter) / (scale > 0 ? scale : shorter));
    return PLI_OK;
}

#define FAR(text, tip, weight, of, limit)                                                          \
    {                                                                                              \
        .name = text, .run = run_far, .number = {tip, weight, of}, .exact = NAN,                   \
        .tolerance = limit, .fine_tolerance = (limit) / 8, .resolution = {25, 50, 100, 200},       \
        .fast = 2, .order = 2, .order_tolerance = 0.3                                              \
    }
static const problem far_rows[] = {
    FAR("P L^2 / E I = 0.4", 0.4, 0, 0, 2e-3),
    FAR("P L^2 / E I = 1", 1, 0, 0, 2e-3),
    FAR("P L^2 / E I = 2", 2, 0, 0, 2e-3),
    FAR("P L^2 / E I = 4", 4, 0, 0, 2e-3),
    FAR("P L^2 / E I = 10", 10, 0, 0, 2e-3),
    FAR("own weight, Gamma = 1", 0, 1, 1, 5e-3),
    FAR("own weight, Gamma = 5", 0, 5, 1, 5e-3),
    FAR("own weight, Gamma = 10", 0, 10, 1, 5e-3),
    FAR("own weight, Gamma = 100", 0, 100, 1, 5e-3),
    {.name = "own weight, Gamma = 1000",
     .run = run_far,
     .number = {0, 1000, 1, 1 - 0.04599},
     .exact = 0.98114,
     .tolerance = 5e-3,
     .fine_tolerance = 1e-3,
     .resolution = {25, 50, 100, 200},
     .fast = 2},
};

// ---- stability

typedef struct buckling {
    rod_spec spec;
    double thrust; // along x: 1: by force, 0: none
    double side;   // along y at the end: 1
    double weight; // gravity along (1: x, 2: y)
} buckling;

// Of eigenvalues that are 0, where the rod may turn about its axis: B / L^3 is 1.
static const double SHIFT = 1e-5;

static pli_status count_at(trial* t, const void* context, double value, int* count) {
    const buckling* b = context;
    rod_spec spec = b->spec;
    pli_world_def def = pli_trial_def(3, "static");
    const double force[3] = {-value * b->thrust, -value * b->side, 0};
    pli_body_id id;
    if (b->weight == 1) def.gravity[0] = -value;
    if (b->weight == 2) def.gravity[1] = -value;
    spec.twist *= value;
    TRY(pli_rod_straight(t, &def, &spec, &id));
    if (b->thrust != 0 || b->side != 0) TRY(pli_rod_pull(t, id, force));
    TRY(pli_trial_steps(t, 1));
    bool turns = spec.start == PINNED || spec.end == PINNED;
    return pli_rod_negatives(t, turns ? SHIFT : 0, 0, count);
}

// `number`: how the ends are held, what loads it.
enum { THRUST, WEIGHT, TWIST, SIDE, SIDE_WEIGHT };
static pli_status run_buckling(const problem* row, double edges, trial* t, outcome* out) {
    buckling b = {.spec = pli_rod_default((int)edges)};
    int load = (int)row->number[2];
    b.spec.start = (int)row->number[0];
    b.spec.end = (int)row->number[1];
    b.thrust = load == THRUST;
    b.side = load == SIDE;
    b.weight = load == WEIGHT ? 1 : load == SIDE_WEIGHT ? 2 : 0;
    b.spec.twist = load == TWIST ? -1 / b.spec.torsion : 0;
    if (load == SIDE || load == SIDE_WEIGHT) { // a strip on edge
        b.spec.bending1 = 1e5;
        b.spec.normal[1] = 1;
        b.spec.axial = 1e9;
    }
    return pli_rod_threshold(t, count_at, &b, 0.8 * row->exact, 1.2 * row->exact, &out->computed);
}

// A ring of radius 1, straight without forces, twisted in itself: unstable at 2 pi sqrt(3) B / C
// (Michell, Zajac). Rigid motions and turning about the axis leave 7 eigenvalues 0.
static void on_ring(const void* context, int i, double x[3]) {
    double a = 2 * PLI_PI * i / *(const int*)context;
    x[0] = cos(a);
    x[1] = sin(a);
    x[2] = 0;
}

static pli_status count_ring(trial* t, const void* context, double value, int* count) {
    int points = *(const int*)context;
    rod_spec spec = pli_rod_default(points);
    pli_world_def def = pli_trial_def(3, "static");
    pli_body_id id;
    spec.start = spec.end = FREE;
    spec.straight = true;
    spec.twist = -value / (points * 2 * sin(PLI_PI / points));
    TRY(pli_trial_world(t, &def));
    TRY(pli_rod_curve(t, points, true, on_ring, context));
    TRY(pli_rod_of_mesh(t, &spec, &id));
    return pli_rod_negatives(t, SHIFT, 0, count);
}

static pli_status run_ring(const problem* row, double edges, trial* t, outcome* out) {
    int points = (int)edges;
    return pli_rod_threshold(t, count_ring, &points, 0.8 * row->exact, 1.2 * row->exact,
                             &out->computed);
}

#define BUCKLES(text, start, end, load, value)                                                     \
    {                                                                                              \
        .name = text, .run = run_buckling, .number = {start, end, load}, .exact = value,           \
        .tolerance = 1e-2, .fine_tolerance = 2e-3, .resolution = {20, 40, 80}, .fast = 2,          \
        .order = 2, .order_tolerance = 0.3                                                         \
    }
static const problem buckling_rows[] = {
    BUCKLES("thrust, pinned ends", PINNED, SLIDING, THRUST, 9.8696044),
    BUCKLES("thrust, one end free", CLAMPED, FREE, THRUST, 2.4674011),
    BUCKLES("thrust, clamped ends", CLAMPED, GUIDED, THRUST, 39.4784176),
    BUCKLES("thrust, clamped and pinned", CLAMPED, SLIDING, THRUST, 20.1907286),
    BUCKLES("own weight (Greenhill)", CLAMPED, FREE, WEIGHT, 7.83735),
    BUCKLES("twist, clamped ends", CLAMPED, GUIDED, TWIST, 8.98681892),
    BUCKLES("strip on edge, force at the end", CLAMPED, FREE, SIDE, 4.0126),
    BUCKLES("strip on edge, own weight", CLAMPED, FREE, SIDE_WEIGHT, 12.8538),
    {.name = "twist, ring",
     .run = run_ring,
     .exact = 10.8827962,
     .tolerance = 1e-2,
     .fine_tolerance = 3e-3,
     .resolution = {30, 60, 120},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.3},
};

// ---- frequencies

static pli_status count_below(trial* t, const void* context, double value, int* count) {
    (void)context;
    return pli_rod_negatives(t, 0, value * value, count);
}

// `number`: 0 bending, 1 torsion.
static pli_status run_frequency(const problem* row, double edges, trial* t, outcome* out) {
    rod_spec spec = pli_rod_default((int)edges);
    pli_world_def def = pli_trial_def(3, "newmark");
    pli_body_id id;
    // By the stiffnesses the rod has I / A = EI / EA: of twist rho (I1 + I2) = 2e-7 w.
    double wave = sqrt(spec.torsion / (2 * spec.bending1 / spec.axial));
    if (row->number[0] > 0) { // bending faster than twist
        spec.bending1 = spec.bending2 = spec.axial / 2;
        wave = 1;
    }
    TRY(pli_rod_straight(t, &def, &spec, &id));
    if (row->number[0] > 0) out->exact = row->number[1] * 0.5 * PLI_PI * wave;
    return pli_rod_threshold(t, count_below, NULL, 0.8 * out->exact, 1.2 * out->exact,
                             &out->computed);
}

static const problem frequency_rows[] = {
    {.name = "bending, first",
     .run = run_frequency,
     .number = {0},
     .exact = 3.5160153,
     .tolerance = 1e-2,
     .fine_tolerance = 1e-3,
     .resolution = {20, 40, 80},
     .fast = 2,
     .order = 2,
     .order_tolerance = 0.3},
    {.name = "torsion, first",
     .run = run_frequency,
     .number = {1, 1},
     .exact = 0.5 * PLI_PI,
     .tolerance = 1e-2,
     .fine_tolerance = 1e-3,
     .resolution = {20, 40, 80},
     .fast = 2},
};

// ---- curved rest shapes

// Bathe and Bolourchi: an arc of 45 degrees, radius 100, section 1 x 1, E = 1e7, nu = 0, with a
// force across its plane at the end. The literature takes G Ip for GJ.
typedef struct arc {
    double first, step;
} arc;

static void on_arc(const void* context, int i, double x[3]) {
    const arc* at = context;
    double a = at->first + i * at->step;
    x[0] = 100 * (1 - cos(a));
    x[1] = 100 * sin(a);
    x[2] = 0;
}

// `number`: the force, and where the end comes to. The error is its distance as a part of the
// length.
static pli_status run_arc(const problem* row, double edges, trial* t, outcome* out) {
    rod_spec spec = pli_rod_default((int)edges);
    pli_world_def def = pli_trial_def(3, "static");
    const double force[3] = {0, 0, row->number[0]};
    pli_body_id id;
    arc at = {.step = 0.25 * PLI_PI / (edges - 0.5)};
    at.first = -0.5 * at.step;
    spec.axial = 1e7;
    spec.bending1 = spec.bending2 = 1e7 / 12;
    spec.torsion = 5e6 / 6;
    TRY(pli_trial_world(t, &def));
    TRY(pli_rod_curve(t, (int)edges + 1, false, on_arc, &at));
    TRY(pli_rod_of_mesh(t, &spec, &id));
    TRY(pli_rod_pull(t, id, force));
    TRY(pli_trial_steps(t, 1));
    const double* x = pli_world_positions(t->world) + 3 * (t->mesh.vertex_count - 1);
    const double d[3] = {x[0] - row->number[1], x[1] - row->number[2], x[2] - row->exact};
    out->computed = x[2];
    out->error = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (25 * PLI_PI);
    return PLI_OK;
}

// A close-coiled spring of radius 1, its ends clamped and drawn apart: stiffness GJ / (2 pi R^3 N),
// of a round wire G d^4 / (64 R^3 N).
typedef struct coil {
    double step, climb;
} coil;

static void on_coil(const void* context, int i, double x[3]) {
    const coil* at = context;
    double a = i * at->step;
    x[0] = cos(a);
    x[1] = sin(a);
    x[2] = at->climb * a;
}

// `number`: turns.
static pli_status run_spring(const problem* row, double edges, trial* t, outcome* out) {
    int turns = (int)row->number[0], count = (int)edges * turns;
    rod_spec spec = pli_rod_default(count);
    pli_world_def def = pli_trial_def(3, "static");
    const coil at = {2 * PLI_PI / edges, 0.01}, longer = {2 * PLI_PI / edges, 0.0101};
    const int32_t ends[2] = {count - 1, count};
    pli_prescribe_def pull = pli_default_prescribe_def();
    pli_body_id id;
    spec.torsion = 1 / 1.3;
    def.solver.gradient_tolerance = 1e-9;
    TRY(pli_trial_world(t, &def));
    TRY(pli_rod_curve(t, count + 1, false, on_coil, &at));
    TRY(pli_rod_of_mesh(t, &spec, &id));
    pull.vertices = ends;
    pull.vertex_count = 2;
    pull.clamped = true;
    pull.velocity[2] = (longer.climb - at.climb) * 2 * PLI_PI * turns / def.time_step;
    TRY(pli_world_prescribe(t->world, id, &pull, NULL, &t->error));
    TRY(pli_trial_steps(t, 1));
    const double* forces = pli_world_reactions(t->world);
    double drawn = pull.velocity[2] * def.time_step;
    out->exact = spec.torsion / (2 * PLI_PI * turns);
    out->computed = (forces[3 * ends[0] + 2] + forces[3 * ends[1] + 2]) / drawn;
    return PLI_OK;
}

// ---- a hanging thread

// Almost without bending stiffness, between two points at the distance 1: the catenary of its
// length. `number`: length.
typedef struct swag {
    double length, depth;
    int edges;
} swag;

static void on_swag(const void* context, int i, double x[3]) {
    const swag* s = context;
    double u = (double)i / s->edges;
    x[0] = u;
    x[1] = -4 * s->depth * u * (1 - u);
    x[2] = 0;
}

static void on_taut(const void* context, int i, double x[3]) {
    const swag* s = context;
    x[0] = s->length * i / s->edges;
    x[1] = x[2] = 0;
}

static double catenary_sag(double length) { // 2 a sinh(1 / (2 a)) = length
    double low = 0.01, high = 100;
    for (int i = 0; i < 200; ++i) {
        double a = 0.5 * (low + high);
        *(2 * a * sinh(0.5 / a) > length ? &low : &high) = a;
    }
    return low * (cosh(0.5 / low) - 1);
}

static pli_status run_catenary(const problem* row, double edges, trial* t, outcome* out) {
    swag s = {row->number[0], 0.3, (int)edges};
    rod_spec spec = pli_rod_default(s.edges);
    pli_world_def def = pli_trial_def(3, "static");
    pli_body_id id;
    pli_body_def body = pli_default_body_def();
    def.gravity[1] = -1;
    def.solver.gradient_tolerance = 1e-9;
    TRY(pli_trial_world(t, &def));
    TRY(pli_rod_curve(t, s.edges + 1, false, on_taut, &s));
    TRY(pli_trial_room(t));
    for (int i = 0; i <= s.edges; ++i) on_swag(&s, i, t->room + 3 * i);
    body.mesh = &t->mesh;
    body.initial = t->room;
    body.density = 1;
    body.cross_section = spec.weight;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    const pli_setting settings[] = {{"axial", 1e5}, {"bending1", 1e-7}, {"torsion", 1e-7}};
    TRY(pli_world_add_energy(t->world, id, "rod", settings, 3, NULL, &t->error));
    const int32_t held[2] = {0, s.edges};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 2;
    TRY(pli_world_fix(t->world, id, &fix, NULL, &t->error));
    TRY(pli_trial_steps(t, 1));
    out->exact = catenary_sag(s.length);
    out->computed = -pli_world_positions(t->world)[3 * (s.edges / 2) + 1];
    return PLI_OK;
}

static const problem catenary_rows[] = {
    {.name = "thread 1.2 times as long as the span",
     .run = run_catenary,
     .number = {1.2},
     .exact = NAN,
     .tolerance = 1e-3,
     .resolution = {50, 100, 200},
     .fast = 2},
    {.name = "thread twice as long as the span",
     .run = run_catenary,
     .number = {2},
     .exact = NAN,
     .tolerance = 1e-3,
     .resolution = {50, 100, 200},
     .fast = 2},
};

// ---- localized buckling

// A rod of length 100 with EI = 1.345 and GJ = 0.789, its clamped ends 3 closer and turned by 27
// turns: a localized helix whose tangent leaves the axis by at most 47.65 degrees [Bergou08]. The
// turns are natural twist: the ends stay.
typedef struct wave {
    double first, step;
} wave;

static void on_wave(const void* context, int i, double x[3]) {
    const wave* w = context;
    double s = w->first + i * w->step, u = (s - 50) / 12, a = 1.55 / cosh(u), k = 0.6;
    x[0] = 0.97 * s;
    x[1] = a * cos(k * (s - 50));
    x[2] = a * sin(k * (s - 50));
    if (s < w->step || s > 100 - w->step) { // the clamped edges
        x[0] = s < 50 ? s : s - 3;
        x[1] = x[2] = 0;
    }
}

// The angle of edge i with the axis [degrees].
static double slope_of(const trial* t, int i) {
    const double* x = pli_world_positions(t->world) + 3 * i;
    return 180 / PLI_PI * atan2(hypot(x[4] - x[1], x[5] - x[2]), x[3] - x[0]);
}

// The largest angle, of the parabola through the steepest edge and its neighbours.
static double steepest(const trial* t, int edges) {
    int top = 1;
    for (int i = 1; i < edges - 1; ++i)
        if (slope_of(t, i) > slope_of(t, top)) top = i;
    double a = slope_of(t, top - 1), b = slope_of(t, top), c = slope_of(t, top + 1);
    double bend = 2 * b - a - c;
    return bend > 0 ? b + (c - a) * (c - a) / (8 * bend) : b;
}

static pli_status find_localized(trial* t, int edges, double* angle) {
    const double turn = 2 * PLI_PI * 27 / 100, step = 100.0 / (edges - 1);
    const wave w = {-0.5 * step, step};
    pli_world_def def = pli_trial_def(3, "static");
    pli_body_id id;
    pli_body_def body = pli_default_body_def();
    def.solver.gradient_tolerance = 1e-7;
    def.solver.max_iterations = 2000;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double a[3] = {w.first, 0, 0}, b[3] = {100 + 0.5 * step, 0, 0};
    TRY(pli_mesh_add_line(&t->mesh, a, b, edges, &t->error));
    TRY(pli_trial_room(t));
    for (int i = 0; i <= edges; ++i) on_wave(&w, i, t->room + 3 * i);
    body.mesh = &t->mesh;
    body.initial = t->room;
    body.cross_section = 1;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    const pli_setting settings[] = {
        {"axial", 1e5}, {"bending1", 1.345}, {"torsion", 0.789}, {"twist", -turn}};
    TRY(pli_world_add_energy(t->world, id, "rod", settings, 4, NULL, &t->error));
    const int32_t held[4] = {0, 1, edges - 1, edges};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 4;
    fix.clamped = true;
    TRY(pli_world_fix(t->world, id, &fix, NULL, &t->error));
    TRY(pli_trial_steps(t, 1));
    *angle = steepest(t, edges);
    return PLI_OK;
}

static pli_status run_localized(const problem* row, double edges, trial* t, outcome* out) {
    TRY(find_localized(t, (int)edges, &out->computed));
    out->error = fabs(out->computed - row->exact);
    return PLI_OK;
}

// From 1/2, 3/4 and all of the segments: the error is even in the length l of a segment, so the
// parabola in l^2 through the three angles leaves an error of l^6.
static pli_status run_extrapolated(const problem* row, double edges, trial* t, outcome* out) {
    double square[3], angle[3];
    out->computed = 0;
    for (int i = 0; i < 3; ++i) {
        int count = (int)lround(edges * (2 + i) / 4);
        square[i] = 1.0 / ((count - 1.0) * (count - 1.0));
        TRY(find_localized(t, count, &angle[i]));
    }
    for (int i = 0; i < 3; ++i) { // Lagrange, at 0
        double a = square[(i + 1) % 3], b = square[(i + 2) % 3];
        out->computed += angle[i] * a * b / ((square[i] - a) * (square[i] - b));
    }
    out->error = fabs(out->computed - row->exact);
    return PLI_OK;
}

// Half a wave of the helix has only 6 of 100 segments. The tangents of the segments are corners of
// a polygon on the sphere, which encloses less than the curve of a smooth rod: the twist that the
// helix takes up is too small by (k l)^2 / 8, k l = 0.5, and the angle depends strongly on it.
static const problem localized_rows[] = {
    {.name = "27 turns, 3 % slack",
     .run = run_localized,
     .exact = 47.65,
     .tolerance = 0.8,
     .fine_tolerance = 0.5,
     .resolution = {100, 200, 400, 800},
     .fast = 3,
     .order = 2,
     .order_tolerance = 0.3},
    {.name = "27 turns, 3 % slack, extrapolated",
     .run = run_extrapolated,
     .exact = 47.65,
     .tolerance = 0.5,
     .fine_tolerance = 0.1,
     .resolution = {100, 120, 160, 200, 400},
     .fast = 4},
};

static const problem curved_rows[] = {
    {.name = "arc of 45 degrees, P = 300",
     .run = run_arc,
     .number = {300, 22.33, 58.84},
     .exact = 40.08,
     .tolerance = 5e-3,
     .resolution = {20, 40, 80},
     .fast = 2},
    {.name = "arc of 45 degrees, P = 600",
     .run = run_arc,
     .number = {600, 15.79, 47.23},
     .exact = 53.37,
     .tolerance = 5e-3,
     .resolution = {20, 40, 80},
     .fast = 2},
};

static const problem spring_rows[] = {
    {.name = "close-coiled, 10 turns",
     .run = run_spring,
     .number = {10},
     .exact = NAN,
     .tolerance = 2e-2,
     .resolution = {40, 80},
     .fast = 1},
};

static const family families[] = {
    {.section = "R1",
     .title = "Rods bent far",
     .about =
         "The end of a clamped rod under a force or its own weight, compared with the elastica "
         "by shooting. The error is the larger one of drop and shortening: of these numbers "
         "under a force, of the length under weight.",
     .quantity = "drop",
     .unit = "L",
     .axis = "segments",
     .picture = "rods_far",
     .rows = far_rows,
     .count = PLI_COUNT(far_rows)},
    {.section = "R2",
     .title = "Buckling of rods",
     .about = "The load at which an eigenvalue of the exact Hessian becomes negative, in units of "
              "EI / L^2 (thrust), EI / L^3 (weight), EI / L (twist), sqrt(EI GJ) / L^2 or L^3 "
              "(strips).",
     .quantity = "critical load",
     .unit = "",
     .axis = "segments",
     .picture = "rods_buckling",
     .rows = buckling_rows,
     .count = PLI_COUNT(buckling_rows)},
    {.section = "R3",
     .title = "Frequencies of rods",
     .about = "From the exact Hessian and the mass matrix: bending in units of sqrt(EI / (rho A "
              "L^4)), torsion in units of sqrt(GJ / (rho Ip)) / L.",
     .quantity = "angular frequency",
     .unit = "",
     .axis = "segments",
     .picture = "rods_frequencies",
     .rows = frequency_rows,
     .count = PLI_COUNT(frequency_rows)},
    {.section = "R4",
     .title = "Rods with a curved rest shape",
     .about =
         "The end of an arc of 45 degrees, bent out of its plane (Bathe and Bolourchi, Simo and "
         "Vu-Quoc).",
     .quantity = "height of the end",
     .unit = "m",
     .axis = "segments",
     .picture = "rods_curved",
     .rows = curved_rows,
     .count = PLI_COUNT(curved_rows)},
    {.section = "R5",
     .title = "Coil springs",
     .about = "Force per extension of a helix of wire, against GJ / (2 pi R^3 N).",
     .quantity = "stiffness",
     .unit = "N/m",
     .axis = "segments per turn",
     .rows = spring_rows,
     .count = PLI_COUNT(spring_rows)},
    {.section = "R6",
     .title = "Hanging threads",
     .about = "The sag of a thread that hardly resists bending, compared with the catenary.",
     .quantity = "sag",
     .unit = "m",
     .axis = "segments",
     .rows = catenary_rows,
     .count = PLI_COUNT(catenary_rows)},
    {.section = "R7",
     .title = "Localized buckling of a twisted rod",
     .about = "The largest angle between the tangent and the axis of a rod of length 100, its "
              "clamped ends 3 closer and turned by 27 turns [Bergou08]. The error is in degrees. "
              "Half a wave of the helix has 6 of 100 segments; the tangents of the segments are "
              "the corners of a polygon on the sphere, which encloses less than the curve of a "
              "smooth rod, so the helix takes up too little twist, by (k l)^2 / 8 with k l = 0.5, "
              "and the angle depends strongly on that. One run needs 800 segments for half a "
              "degree. Extrapolated to segments of length 0 from runs with 1/2, 3/4 and all of "
              "the segments, 160 are enough, and 400 give the exact angle.",
     .quantity = "angle",
     .unit = "degrees",
     .axis = "segments",
     .rows = localized_rows,
     .count = PLI_COUNT(localized_rows)},
};

const part pli_problems_rods = {"Rods", families, PLI_COUNT(families)};
