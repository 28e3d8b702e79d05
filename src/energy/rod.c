// Rods: threads that resist stretching, bending and twisting, with any shape at rest: discrete
// elastic rods [Bergou08, Bergou10].
//
// Each segment stretches, with k = EA / l,
//
//     P = (k/2) (|e| - l)^2    [J].
//
// Each segment that is part of a corner has an angle (a node): its material directors are
// m1 = cos(angle) u + sin(angle) v, m2 = t x m1, where the reference director u is normal to the
// tangent t and v = t x u. At a corner of the segments 0 and 1, of length l = (l0 + l1)/2,
//
//     P = (EI1 (k1 - n1)^2 + EI2 (k2 - n2)^2 + GJ (k3 - n3)^2) / (2 l)    [J],
//     b = 2 t0 x t1 / (1 + t0.t1),  k1 = b.(m2_0 + m2_1)/2,  k2 = -b.(m1_0 + m1_1)/2,
//     k3 = angle_1 - angle_0 + the twist of the reference directors,
//
// with the natural strains n. EI1 resists bending in the plane of m1. The reference directors are
// state: those at the start of the step, transported in parallel to the present tangent at once. So
// P is a function of positions and angles within a step, and `commit` does not change it. They
// start from the tangent at rest alone (pli_rod_gauge), so that the corners at an edge agree to the
// last bit; what the rod's own directors are at rest is in the start values of its angles
// (rod_stencils.c).
//
// A wire that stays bent has plastic strains p, with b = k - n - p, r^2 = the sum of stiffnesses
// times b^2 and y = yield (EI1 l)^1/2,
//
//     P = min over p' of 1/2 |b - p'|^2 + y |p'| = r^2 / 2 if r <= y, else y r - y^2 / 2    [J],
//
// so the moments are those of b, times y / r beyond yield; `commit` moves p to p + (1 - y / r) b.
//
// The projected Hessian is that of Gauss and Newton. The eigen-clamp of the whole one was measured:
// 40 % fewer iterations where a twisted thread winds up, 60 % more in a coil that swings, and twice
// the time of each.
//
// A step must not turn an edge by pi, nor fold a corner back: `max_step`.
#include "energy/rod.h"

#include "base/base.h"
#include "energy/segment.h"
#include "math/elementary.h"

#include <string.h>

enum { WIDTH = 5, SIZE = 3 * WIDTH, N = PLI_ROD_VARIABLES, STRAINS = PLI_ROD_STRAINS };

typedef struct corner_record {
    double stiffness[STRAINS]; // EI1 / l, EI2 / l, GJ / l [J]
    double natural[STRAINS];
    double sign[2]; // -1: the edge runs against the corner
    double twist;   // of the reference directors at rest [rad]
    double length;  // l [m]
    double yield;   // y [J^1/2]; infinite: elastic
} corner_record;

typedef struct corner_state {
    pli_rod_frame frames[2]; // of the edges at the start of the step
    double twist;            // of the reference directors there [rad]
    double plastic[STRAINS];
} corner_state;

// ---- corners

// Edge vectors along the corner.
static void edges_of(const double* x, const int32_t* v, double e[2][3]) {
    for (int j = 0; j < 2; ++j) pli_sub(x + 3 * (size_t)v[j + 1], x + 3 * (size_t)v[j], e[j], 3);
}

// -1: the edge j of the corner runs from the higher to the lower vertex.
static double sign_of(const int32_t* v, int j) { return v[j] < v[j + 1] ? 1 : -1; }

static bool bend_corner(const corner_record* record, const corner_state* state, const double* x,
                        const int32_t* v, pli_rod_corner* corner) {
    double e[2][3], angle[2];
    pli_rod_frame frames[2];
    edges_of(x, v, e);
    for (int j = 0; j < 2; ++j) {
        angle[j] = record->sign[j] * x[3 * (size_t)v[3 + j]];
        frames[j] = state->frames[j];
        for (int c = 0; c < 3; ++c) frames[j].t[c] *= record->sign[j];
    }
    return pli_rod_bend(e, frames, angle, state->twist, corner);
}

// Frames of the edges by the gauge.
static void set_gauge(const double* x, const int32_t* v, corner_state* state) {
    double e[2][3];
    edges_of(x, v, e);
    for (int j = 0; j < 2; ++j) {
        double scale = sign_of(v, j) / pli_norm(e[j], 3);
        for (int c = 0; c < 3; ++c) state->frames[j].t[c] = scale * e[j][c];
        pli_rod_gauge(state->frames[j].t, state->frames[j].u);
    }
}

// Natural strains over the length l: those at rest, or those that are given.
static void set_natural(const pli_rod_params* p, const pli_rod_corner* rest, double l,
                        double natural[STRAINS]) {
    static const double two_pi = 6.283185307179586;
    const double k[2] = {isnan(p->curvature1) ? 0 : p->curvature1,
                         isnan(p->curvature2) ? 0 : p->curvature2};
    double size = pli_hypot(k[0], k[1]), wound = two_pi * floor(rest->strain[2] / two_pi + 0.5);
    bool bent = p->straight != 0 || !isnan(p->curvature1) || !isnan(p->curvature2);
    for (int i = 0; i < 2; ++i) {
        natural[i] = rest->strain[i];
        if (bent) natural[i] = size > 0 ? 2 * pli_tan(0.5 * size * l) * k[i] / size : 0;
    }
    natural[2] = rest->strain[2]; // whole turns are those of the gauge
    if (p->straight != 0 || !isnan(p->twist)) natural[2] = wound;
    if (!isnan(p->twist)) natural[2] += p->twist * l;
}

static pli_status prepare_corner(const double* params, const pli_element* element,
                                 corner_record* record, pli_error* error) {
    const pli_rod_params* p = (const pli_rod_params*)params;
    const int32_t* v = element->vertices;
    pli_rod_section section = pli_rod_section_of(params);
    corner_state state = {.twist = 0};
    pli_rod_corner rest;
    for (int j = 0; j < 2; ++j) record->sign[j] = sign_of(v, j);
    set_gauge(element->rest, v, &state);
    if (!bend_corner(record, &state, element->rest, v, &rest) || rest.chi < 1e-9)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the segments have no length or fold back on each other at rest: move a "
                        "vertex");
    double l = 0.5 * (rest.length[0] + rest.length[1]);
    double most = pli_hypot(isnan(p->curvature1) ? 0 : p->curvature1,
                            isnan(p->curvature2) ? 0 : p->curvature2);
    if (most * l >= 3)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the natural curvature %g 1/m turns by %g rad at a vertex, must be < 3: "
                        "use shorter segments",
                        most, most * l);
    record->stiffness[0] = section.EI[0] / l;
    record->stiffness[1] = section.EI[1] / l;
    record->stiffness[2] = section.GJ / l;
    record->twist = rest.reference;
    record->length = l;
    record->yield = isnan(p->yield) ? HUGE_VAL : p->yield * sqrt(section.EI[0] * l);
    set_natural(p, &rest, l, record->natural);
    return PLI_OK;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    if (element->kind == PLI_STENCIL) return prepare_corner(params, element, data, error);
    pli_hooke* spring = data;
    PLI_TRY(pli_segment_rest_length(element, 0, 1, &spring->length, error));
    spring->k = pli_rod_section_of(params).EA / spring->length;
    return PLI_OK;
}

static void init(const double* params, const pli_element* element, const void* data, void* state) {
    (void)params;
    if (element->kind != PLI_STENCIL) return;
    corner_state* s = state;
    set_gauge(element->rest, element->vertices, s);
    s->twist = ((const corner_record*)data)->twist;
}

// The frame of an edge at the end of a step; exactly normal, so that rounding does not add up.
static void carry_frame(double sign, const double e[3], pli_rod_frame* frame) {
    double t[3], u[3], length = sign * pli_norm(e, 3);
    for (int c = 0; c < 3; ++c) t[c] = e[c] / length;
    pli_rod_transport(frame->t, t, frame->u, u);
    pli_axpy(-pli_dot(u, t, 3), t, u, 3);
    double scale = 1 / pli_norm(u, 3);
    for (int c = 0; c < 3; ++c) frame->u[c] = scale * u[c];
    pli_copy(t, frame->t, 3);
}

// Elastic strains b, their moments and r^2; returns y / r, at most 1.
static double yield_corner(const corner_record* record, const corner_state* state,
                           const pli_rod_corner* corner, double b[STRAINS], double moment[STRAINS],
                           double* square) {
    *square = 0;
    for (int k = 0; k < STRAINS; ++k) {
        b[k] = corner->strain[k] - record->natural[k] - state->plastic[k];
        moment[k] = record->stiffness[k] * b[k];
        *square += moment[k] * b[k];
    }
    return *square > record->yield * record->yield ? record->yield / sqrt(*square) : 1;
}

static void commit(const pli_batch* in, void* state) {
    const corner_record* records = in->data;
    corner_state* states = state;
    for (int i = 0; i < in->count && in->kind == PLI_STENCIL; ++i) {
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        pli_rod_corner corner;
        double e[2][3];
        if (!bend_corner(&records[i], &states[i], in->x, v, &corner)) continue; // never accepted
        double b[STRAINS], moment[STRAINS], square;
        double share = yield_corner(&records[i], &states[i], &corner, b, moment, &square);
        for (int k = 0; k < STRAINS && share < 1; ++k) states[i].plastic[k] += (1 - share) * b[k];
        edges_of(in->x, v, e);
        states[i].twist = corner.reference;
        for (int j = 0; j < 2; ++j) carry_frame(records[i].sign[j], e[j], &states[i].frames[j]);
    }
}

// ---- evaluation

// H += sum of the stiffness times the outer product of the gradient of each strain. Beyond yield
// times the share, and without the direction of the moments (`sum`: that of P is share times it).
static void add_products(const corner_record* record, double share, double square,
                         double g[STRAINS][N], const double sum[N], double H[N][N]) {
    for (int k = 0; k < STRAINS; ++k)
        for (int r = 0; r < N; ++r) pli_axpy(share * record->stiffness[k] * g[k][r], g[k], H[r], N);
    if (share == 1) return;
    for (int r = 0; r < N; ++r) pli_axpy(-sum[r] / (share * square), sum, H[r], N);
}

// H += sum of the moment times the second derivative of each strain, as the mean with its
// transpose: rounding leaves it symmetric.
static void add_curvatures(const double moment[STRAINS], const pli_rod_corner* corner,
                           double g[STRAINS][N], double H[N][N]) {
    for (int c = 0; c < N; ++c) {
        double d[N] = {0}, columns[STRAINS][N];
        d[c] = 1;
        pli_rod_curvature(corner, g, d, columns);
        for (int k = 0; k < STRAINS; ++k)
            for (int r = 0; r < N; ++r) {
                H[r][c] += 0.5 * moment[k] * columns[k][r];
                H[c][r] += 0.5 * moment[k] * columns[k][r];
            }
    }
}

// Places of a variable of the corner in the local vector, with their factors.
typedef struct place {
    int at[2];
    double factor[2];
} place;

static place place_of(const corner_record* record, int i) {
    if (i >= 6) return (place){{9 + 3 * (i - 6), 0}, {record->sign[i - 6], 0}};
    return (place){{i, i + 3}, {-1, 1}};
}

static void scatter_gradient(const corner_record* record, const double g[N], double* out) {
    for (int i = 0; i < N; ++i) {
        place p = place_of(record, i);
        for (int a = 0; a < 2; ++a) out[p.at[a]] += p.factor[a] * g[i];
    }
}

// out += T^T H T, with the places as the columns of T.
static void scatter_hessian(const corner_record* record, double H[N][N], double* out) {
    place places[N];
    for (int i = 0; i < N; ++i) places[i] = place_of(record, i);
    for (int i = 0; i < N; ++i) {
        double row[SIZE] = {0};
        for (int j = 0; j < N; ++j)
            for (int b = 0; b < 2; ++b) row[places[j].at[b]] += places[j].factor[b] * H[i][j];
        for (int a = 0; a < (i < 6 ? 2 : 1); ++a)
            pli_axpy(places[i].factor[a], row, out + places[i].at[a] * SIZE, SIZE);
    }
}

static void eval_corner(const pli_batch* in, int i, pli_local* out) {
    const corner_record* record = (const corner_record*)in->data + i;
    pli_rod_corner corner;
    double b[STRAINS], moment[STRAINS], g[STRAINS][N], sum[N] = {0}, H[N][N] = {{0}}, square;
    const corner_state* state = (const corner_state*)in->state + i;
    if (!bend_corner(record, state, in->x, in->vertices + (size_t)i * WIDTH, &corner)) {
        if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
        return;
    }
    double share = yield_corner(record, state, &corner, b, moment, &square);
    if (in->want & PLI_VALUE) {
        double energy = 0;
        for (int k = 0; k < STRAINS; ++k) energy += 0.5 * moment[k] * b[k];
        out->e[i] += share < 1 ? (share - 0.5 * share * share) * square : energy;
    }
    for (int k = 0; k < STRAINS; ++k) moment[k] *= share;
    if (!(in->want & (PLI_GRADIENT | PLI_HESSIAN))) return;
    pli_rod_gradient(&corner, g);
    for (int k = 0; k < STRAINS; ++k) pli_axpy(moment[k], g[k], sum, N);
    if (in->want & PLI_GRADIENT) scatter_gradient(record, sum, out->g + (size_t)i * SIZE);
    if (!(in->want & PLI_HESSIAN)) return;
    add_products(record, share, square, g, sum, H);
    if (!in->project) add_curvatures(moment, &corner, g, H);
    scatter_hessian(record, H, out->H + (size_t)i * SIZE * SIZE);
}

static void eval(const pli_batch* in, pli_local* out) {
    if (in->kind == PLI_STENCIL)
        for (int i = 0; i < in->count; ++i) eval_corner(in, i, out);
    else
        pli_segment_eval(3, 2, 0, 1, sizeof(pli_hooke), pli_hooke_law, in, out);
}

// ---- step bound

static const double pi = 3.141592653589793;

// Angle between two vectors of any length.
static double angle_of(const double* a, const double* b) {
    double cross[3];
    pli_cross3(a, b, cross);
    return pli_atan2(pli_norm(cross, 3), pli_dot(a, b, 3));
}

// The largest step along p that turns the vector e by at most `angle`, in (0, pi). The angle grows
// along the way: tan(angle) = s |e x p| / (e.e + s e.p).
static double turn_bound(const double e[3], const double p[3], double angle) {
    double cross[3];
    pli_cross3(e, p, cross);
    double sine = pli_sin(angle), along = pli_dot(e, p, 3);
    double rate = pli_norm(cross, 3) * pli_cos(angle) - along * sine;
    return rate > 0 ? 0.95 * pli_dot(e, e, 3) * sine / rate : 1;
}

// Edges may use this part of the angle that is left to pi since the start of the step; those of a
// corner share it of the angle left until it folds.
static double max_step(const pli_batch* in, const double* p) {
    static const double part = 0.9;
    double bound = 1;
    for (int i = 0; i < in->count && in->kind == PLI_STENCIL; ++i) {
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        const corner_record* record = (const corner_record*)in->data + i;
        const corner_state* state = (const corner_state*)in->state + i;
        double e[2][3], d[2][3];
        edges_of(in->x, v, e);
        edges_of(p, v, d);
        double fold = 0.5 * part * (pi - angle_of(e[0], e[1]));
        for (int j = 0; j < 2; ++j) {
            double start[3];
            for (int c = 0; c < 3; ++c) start[c] = record->sign[j] * state->frames[j].t[c];
            double left = part * (pi - angle_of(start, e[j]));
            bound = fmin(bound, turn_bound(e[j], d[j], fmin(left, fold)));
        }
    }
    return bound;
}

// ---- for readers

enum { CURVATURE, TWIST, MOMENT, TORQUE, FORCE, DIRECTOR, FIELDS = DIRECTOR + 3 };

static const pli_energy_field fields[FIELDS] = {
    [CURVATURE] = {"curvature", "Curvature", "1/m"},
    [TWIST] = {"twist", "Twist against the natural one", "rad/m"},
    [MOMENT] = {"rod_moment", "Bending moment", "N m"},
    [TORQUE] = {"torque", "Torque", "N m"},
    [FORCE] = {"axial_force", "Axial force", "N"},
    [DIRECTOR] = {"director_x", "Material director, x", ""},
    [DIRECTOR + 1] = {"director_y", "Material director, y", ""},
    [DIRECTOR + 2] = {"director_z", "Material director, z", ""},
};

static void show_corner(const pli_batch* in, int i, double out[FIELDS]) {
    const corner_record* record = (const corner_record*)in->data + i;
    pli_rod_corner corner;
    const corner_state* state = (const corner_state*)in->state + i;
    double b[STRAINS], moment[STRAINS], square;
    if (!bend_corner(record, state, in->x, in->vertices + (size_t)i * WIDTH, &corner)) return;
    double share = yield_corner(record, state, &corner, b, moment, &square);
    for (int k = 0; k < STRAINS; ++k) moment[k] *= share;
    out[CURVATURE] = pli_norm(corner.bend, 3) / record->length;
    out[TWIST] = (corner.strain[2] - record->natural[2]) / record->length;
    out[MOMENT] = pli_hypot(moment[0], moment[1]);
    out[TORQUE] = moment[2];
    double sum[3];
    for (int c = 0; c < 3; ++c) sum[c] = corner.m[0][0][c] + corner.m[1][0][c];
    for (int c = 0; c < 3; ++c) out[DIRECTOR + c] = sum[c] / pli_norm(sum, 3);
}

// Corners have all but the force, which segments have: positive if it pulls.
static void show(const pli_batch* in, double* out) {
    for (int i = 0; i < in->count; ++i, out += FIELDS) {
        for (int k = 0; k < FIELDS; ++k) out[k] = (double)NAN;
        if (in->kind == PLI_STENCIL) {
            show_corner(in, i, out);
            continue;
        }
        const pli_hooke* spring = (const pli_hooke*)in->data + i;
        const int32_t* v = in->vertices + 2 * (size_t)i;
        double d[3];
        out[FORCE] = spring->k * (sqrt(pli_segment_difference(in, v[0], v[1], d)) - spring->length);
    }
}

// ---- parameters

#define GIVEN .default_value = NAN
#define POSITIVE .min = 0, .max = HUGE_VAL, .flags = PLI_PARAM_ABOVE_MIN
#define ANY .min = -HUGE_VAL, .max = HUGE_VAL

static const pli_param params[] = {
    {.name = "radius", .unit = "m", POSITIVE, GIVEN, .help = "of a round section"},
    {.name = "inner",
     .unit = "m",
     .min = 0,
     .max = HUGE_VAL,
     .help = "inner radius of a tube, less than radius"},
    {.name = "width",
     .unit = "m",
     POSITIVE,
     GIVEN,
     .help = "of a rectangular section: along the second director"},
    {.name = "height",
     .unit = "m",
     POSITIVE,
     GIVEN,
     .help = "of a rectangular section: along the first director, the normal"},
    {.name = "young", .unit = "Pa", POSITIVE, GIVEN, .help = "Young's modulus E"},
    {.name = "poisson",
     .unit = "",
     .min = -1,
     .max = 0.5,
     .default_value = 0.3,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "Poisson's ratio; twist has the modulus E / (2 (1 + poisson))"},
    {.name = "axial", .unit = "N", POSITIVE, GIVEN, .help = "EA; by the section if not given"},
    {.name = "bending1",
     .unit = "N m^2",
     POSITIVE,
     GIVEN,
     .help = "EI of bending in the plane of the normal; by the section if not given"},
    {.name = "bending2",
     .unit = "N m^2",
     POSITIVE,
     GIVEN,
     .help = "EI of bending across it; bending1 or by the section if not given"},
    {.name = "torsion",
     .unit = "N m^2",
     POSITIVE,
     GIVEN,
     .help = "GJ; by the section if not given"},
    {.name = "inertia",
     .unit = "kg m",
     .min = 0,
     .max = HUGE_VAL,
     GIVEN,
     .help = "of twist, per length; by mass and stiffness if not given; 0: twist follows at once"},
    {.name = "straight", .unit = "", .min = 0, .max = 1, .help = "1: naturally straight"},
    {.name = "curvature1",
     .unit = "1/m",
     ANY,
     GIVEN,
     .help = "natural curvature in the plane of the normal, instead of that at rest"},
    {.name = "curvature2", .unit = "1/m", ANY, GIVEN, .help = "the same across it"},
    {.name = "twist",
     .unit = "rad/m",
     ANY,
     GIVEN,
     .help = "natural twist, instead of that at rest"},
    {.name = "normal_x",
     .unit = "",
     ANY,
     GIVEN,
     .help = "first director where a thread begins; towards the centre of its first curve if not "
             "given"},
    {.name = "normal_y", .unit = "", ANY, GIVEN, .help = "its y"},
    {.name = "normal_z", .unit = "", ANY, GIVEN, .help = "its z"},
    {.name = "welded",
     .unit = "",
     .min = 0,
     .max = 1,
     .help = "1: threads are rigidly joined where three or more segments meet; 0: by a ball joint"},
    {.name = "yield",
     .unit = "1/m",
     POSITIVE,
     GIVEN,
     .help = "change of curvature beyond which it stays bent; of a round wire 1.7 times yield "
             "stress / (young radius); not given: elastic"},
};

_Static_assert(sizeof params / sizeof *params == sizeof(pli_rod_params) / sizeof(double),
               "one row for each parameter");

const pli_energy_type pli_energy_rod = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "rod",
    .help = "discrete elastic rod over segments: EA, EI1, EI2, GJ of stretch, bending and twist",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(pli_hooke), [PLI_STENCIL] = sizeof(corner_record)},
    .width = WIDTH,
    .stencils = pli_rod_stencils,
    .check = pli_rod_check,
    .prepare = prepare,
    .state_size = sizeof(corner_state),
    .init = init,
    .commit = commit,
    .eval = eval,
    .max_step = max_step,
    .section = pli_rod_area,
    .fields = fields,
    .field_count = FIELDS,
    .show = show,
};
