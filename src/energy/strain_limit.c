// Strain limit of sheets: a barrier on the singular values of F, which are the principal stretches.
//
//     psi = kappa sum_i b(y_i),   y = (sigma - shat) / (s - shat),   b = -y^2 ln(1 - y) for y > 0
//
// per volume at rest, kappa the stiffness, s the limit, shat the stretch where it begins to act. No
// stretch ever reaches s. The limit of compression is the same function with s < shat. [Li21]
//
// Steps are bounded without trial and error: sigma_1 is a norm of F, so it is convex along a
// direction and crosses a limit once; the chord of a convex function lies above it and its tangent
// below, which encloses the crossing from both sides. Compression stops at the first root of a
// quartic.
#include <float.h>
#include <math.h>

#include "base/base.h"
#include "base/text.h"
#include "energy/sheet.h"
#include "math/elementary.h"
#include "math/vec.h"

enum { LIMIT, STIFFNESS, START, LOWER, LOWER_START };

typedef struct barrier {
    double limit, start; // s and shat; limit 0: off
    double stiffness;    // kappa [Pa]
} barrier;

typedef struct strain_limit {
    pli_sheet sheet;
    barrier upper, lower;
} strain_limit;

// Without a stiffness: the same stress half-way to any limit, about that at which cloth feels taut.
static barrier make_barrier(double limit, double start, double stiffness) {
    static const double taut = 1e5; // [Pa]
    return (barrier){limit, start, isnan(stiffness) ? taut * fabs(limit - start) : stiffness};
}

static pli_status check(const double* params, pli_error* error) {
    if (!(params[LIMIT] > params[START]))
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "limit = %g, must be greater than start = %g", params[LIMIT],
                                      params[START]),
                             error, "limit");
    if (!(params[LOWER] < params[LOWER_START]))
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "lower = %g, must be less than lower_start = %g",
                                      params[LOWER], params[LOWER_START]),
                             error, "lower");
    return PLI_OK;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    strain_limit* m = data;
    m->upper = make_barrier(params[LIMIT], params[START], params[STIFFNESS]);
    m->lower = make_barrier(params[LOWER], params[LOWER_START], params[STIFFNESS]);
    return pli_sheet_prepare(element, NULL, &m->sheet, error);
}

// ---- the barrier of one stretch

typedef struct slope {
    double value, first, second; // kappa b and its derivatives by sigma
} slope;

// Adds to *out; false: forbidden.
static bool add_barrier(const barrier* of, double sigma, slope* out) {
    double w = of->limit - of->start, y = (sigma - of->start) / w, z = (of->limit - sigma) / w;
    if (of->limit == 0 || y <= 0) return true;
    if (z <= 0) return false;
    double ln = y < 0.5 ? pli_log1p(-y) : pli_log(z), q = y / z, k = of->stiffness;
    out->value -= k * y * y * ln;
    out->first += k * (-2 * y * ln + y * q) / w;
    out->second += k * (-2 * ln + (4 + q) * q) / (w * w);
    return true;
}

// psi and its derivatives at both stretches; false: forbidden.
static bool find_slopes(const strain_limit* m, const double s[2], double* value,
                        pli_sheet_slopes* out) {
    slope at[2] = {{0, 0, 0}, {0, 0, 0}};
    for (int i = 0; i < 2; ++i) {
        if (!add_barrier(&m->upper, s[i], &at[i]) || !add_barrier(&m->lower, s[i], &at[i]))
            return false;
        out->first[i] = at[i].first;
        out->second[i] = at[i].second;
    }
    *value = at[0].value + at[1].value;
    out->mixed = 0;
    // Differences lose digits where the stretches are close, compared with the distance to a limit.
    double apart = s[0] - s[1], room = fmin(m->upper.limit - s[0], s[1] - m->lower.limit);
    out->quotient = apart > 1e-5 * room ? (out->first[0] - out->first[1]) / apart
                                        : 0.5 * (out->second[0] + out->second[1]);
    return true;
}

static void eval(const pli_batch* in, pli_local* out) {
    const strain_limit* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const strain_limit* m = &records[i];
        double F[6], P[6], K[36], value;
        pli_sheet_svd svd;
        pli_sheet_slopes slopes;
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->x, F);
        pli_sheet_decompose(F, &svd);
        if (!find_slopes(m, svd.s, &value, &slopes)) {
            if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
            continue;
        }
        if (value == 0) continue; // neither stretch is near a limit
        if (in->want & PLI_VALUE) out->e[i] += m->sheet.volume * value;
        if (in->want & PLI_GRADIENT) {
            pli_sheet_isotropic_stress(&svd, &slopes, P);
            pli_sheet_add_force(&m->sheet, P, out->g + 9 * i);
        }
        if (in->want & PLI_HESSIAN) {
            pli_sheet_isotropic_stiffness(&svd, &slopes, in->project, K);
            pli_sheet_add_stiffness(&m->sheet, K, out->H + 81 * i);
        }
    }
}

// ---- bounds of steps

static void advance(const double F[6], double a, const double D[6], pli_sheet_svd* at) {
    double moved[6];
    for (int k = 0; k < 6; ++k) moved[k] = F[k] + a * D[k];
    pli_sheet_decompose(moved, at);
}

// dsigma_1/da, as F changes by D
static double rate_of(const pli_sheet_svd* at, const double D[6]) {
    double rate = 0;
    for (int k = 0; k < 6; ++k) rate += at->u[0][k % 3] * at->v[0][k / 3] * D[k];
    return rate;
}

// About the largest a in (0, 1] with sigma_1(F + a D) <= target, never more; `largest` is sigma_1
// at a = 0, below the target.
static double stretch_bound(const double F[6], const double D[6], double largest, double target) {
    pli_sheet_svd end;
    advance(F, 1, D, &end);
    if (end.s[0] <= target) return 1;
    double low = 0, high = 1, at_low = largest, near = target - 0.01 * (target - largest);
    for (int k = 0; k < 100 && at_low < near; ++k) {
        pli_sheet_svd at;
        double rate = rate_of(&end, D);
        double tangent = rate > 0 ? high - (end.s[0] - target) / rate : low;
        double chord = low + (high - low) * (target - at_low) / (end.s[0] - at_low);
        // Either is on its own side but for rounding, which does no harm: what is within the target
        // is allowed, and so is the way there.
        double a = k % 2 == 0 && tangent > low && tangent < high ? tangent : chord;
        advance(F, a, D, &at);
        if (at.s[0] > target) {
            high = a;
            end = at;
        } else {
            low = a;
            at_low = at.s[0];
        }
    }
    return low;
}

// End of the part of [low, high] from `low` on where a polynomial of degree 4 with the Bernstein
// coefficients b is certainly positive: it is where they all are.
static double positive_until(const double b[5], double low, double high, int depth) {
    double left[5], right[5], middle = 0.5 * (low + high);
    bool positive = true;
    for (int i = 0; i < 5; ++i) positive &= b[i] > 0;
    if (positive) return high;
    if (depth == 0 || !(b[0] > 0)) return low;
    pli_copy(b, right, 5);
    for (int level = 0; level < 5; ++level) { // de Casteljau
        left[level] = right[0];
        for (int i = 0; i < 4 - level; ++i) right[i] = 0.5 * (right[i] + right[i + 1]);
    }
    double end = positive_until(left, low, middle, depth - 1);
    return end < middle ? end : positive_until(right, middle, high, depth - 1);
}

// The same with sigma_2(F + a D) >= target: up to the first root of det((F + a D)^T (F + a D) -
// target^2 I) = p11 p22 - p12^2, of degree 4.
static double squeeze_bound(const double F[6], const double D[6], double target) {
    double p[3][3], c[5] = {0}, b[5]; // p11, p12, p22 by powers of a
    for (int k = 0; k < 3; ++k) {
        const double *f = F + 3 * (k / 2), *g = F + 3 * ((k + 1) / 2);
        const double *d = D + 3 * (k / 2), *e = D + 3 * ((k + 1) / 2);
        p[k][0] = pli_dot(f, g, 3) - (k == 1 ? 0 : target * target);
        p[k][1] = pli_dot(f, e, 3) + pli_dot(d, g, 3);
        p[k][2] = pli_dot(d, e, 3);
    }
    for (int i = 0; i < 9; ++i)
        c[i / 3 + i % 3] += p[0][i / 3] * p[2][i % 3] - p[1][i / 3] * p[1][i % 3];
    b[0] = c[0];
    b[1] = c[0] + c[1] / 4;
    b[2] = c[0] + c[1] / 2 + c[2] / 6;
    b[3] = c[0] + 3 * c[1] / 4 + c[2] / 2 + c[3] / 4;
    b[4] = c[0] + c[1] + c[2] + c[3] + c[4];
    return positive_until(b, 0, 1, 50);
}

// The distance to a limit shrinks to a tenth at most.
static double max_step(const pli_batch* in, const double* p) {
    const strain_limit* records = in->data;
    double bound = 1;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const strain_limit* m = &records[i];
        double F[6], D[6];
        pli_sheet_svd svd;
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, in->x, F);
        pli_sheet_gradient(&m->sheet, in->vertices + 3 * i, p, D);
        pli_sheet_decompose(F, &svd);
        double room = m->upper.limit - svd.s[0];
        if (room > 0) bound = fmin(bound, stretch_bound(F, D, svd.s[0], svd.s[0] + 0.9 * room));
        room = svd.s[1] - m->lower.limit;
        if (m->lower.limit > 0 && room > 0)
            bound = fmin(bound, squeeze_bound(F, D, svd.s[1] - 0.9 * room));
    }
    return fmax(bound, DBL_MIN); // never 0, also where rounding leaves no room
}

// ---- for readers

static void stress(const pli_batch* in, double* out) {
    const strain_limit* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        double F[6], P[6], value;
        pli_sheet_svd svd;
        pli_sheet_slopes slopes;
        pli_sheet_gradient(&records[i].sheet, in->vertices + 3 * i, in->x, F);
        pli_sheet_decompose(F, &svd);
        if (!find_slopes(&records[i], svd.s, &value, &slopes)) continue;
        pli_sheet_isotropic_stress(&svd, &slopes, P);
        pli_sheet_add_stress(F, P, out + 6 * i);
    }
}

// y of the larger stretch: 0 where the limit begins to act, 1 at the limit.
static void show(const pli_batch* in, double* out) {
    const strain_limit* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const barrier* upper = &records[i].upper;
        double F[6];
        pli_sheet_svd svd;
        pli_sheet_gradient(&records[i].sheet, in->vertices + 3 * i, in->x, F);
        pli_sheet_decompose(F, &svd);
        out[i] = (svd.s[0] - upper->start) / (upper->limit - upper->start);
    }
}

static const pli_energy_field fields[] = {
    {"stretch_of_limit", "Stretch as part of the limit", ""},
};

static void explain(const pli_batch* in, char* text, size_t size) {
    const strain_limit* m = in->data;
    double F[6];
    pli_sheet_svd svd;
    pli_sheet_gradient(&m->sheet, in->vertices, in->x, F);
    pli_sheet_decompose(F, &svd);
    bool upper = svd.s[0] >= m->upper.limit;
    pli_format(
        text, size,
        "its stretch is %.6g, the limit %.6g. Start closer to the rest shape or %s the limit",
        svd.s[upper ? 0 : 1], upper ? m->upper.limit : m->lower.limit, upper ? "raise" : "lower");
}

static const pli_param params[] = {
    [LIMIT] = {.name = "limit",
               .unit = "",
               .min = 1,
               .max = 1e6,
               .default_value = 1.1,
               .flags = PLI_PARAM_ABOVE_MIN,
               .help = "s, stretch that is never reached: 1.05 is an extension by 5 %"},
    [STIFFNESS] = {.name = "stiffness",
                   .unit = "Pa",
                   .min = 0,
                   .max = HUGE_VAL,
                   .default_value = NAN,
                   .flags = PLI_PARAM_ABOVE_MIN,
                   .help = "kappa, the same for the whole run: half-way to the limit the stress is "
                           "1.2 kappa / (limit - start). Not given: 1e5 Pa (limit - start). Steps "
                           "are fastest if this stress is about that of the loads; with violent "
                           "motion give more"},
    [START] = {.name = "start",
               .unit = "",
               .min = 0,
               .max = 1e6,
               .default_value = 1,
               .flags = PLI_PARAM_ABOVE_MIN,
               .help = "shat, stretch where the limit begins to act"},
    [LOWER] = {.name = "lower",
               .unit = "",
               .min = 0,
               .max = 1,
               .default_value = 0,
               .flags = PLI_PARAM_BELOW_MAX,
               .help = "the same for compression, a stretch below 1; 0: no such limit"},
    [LOWER_START] = {.name = "lower_start",
                     .unit = "",
                     .min = 0,
                     .max = 1e6,
                     .default_value = 1,
                     .flags = PLI_PARAM_ABOVE_MIN,
                     .help = "stretch where the limit of compression begins to act"},
};

const pli_energy_type pli_energy_strain_limit = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "strain-limit",
    .help =
        "-V kappa y^2 ln(1 - y), y = (stretch - start) / (limit - start) > 0, for both principal "
        "stretches of triangles in space: none reaches the limit",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_TRIANGLE] = sizeof(strain_limit)},
    .check = check,
    .prepare = prepare,
    .eval = eval,
    .max_step = max_step,
    .stress = stress,
    .explain = explain,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .show = show,
};
