// The contract of a term, checked stencil by stencil through the operations of term.h alone.
// Derivatives are compared with central differences of fourth order,
//     f'(0) = [8 (f(h) - f(-h)) - (f(2h) - f(-2h))] / 12h,
// so that the step can be large enough for round-off not to matter.
#include "oracle/contract.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/small.h"

enum { MAX_K = PLI_LOCAL_MAX, MAX_H = PLI_LOCAL_MAX * PLI_LOCAL_MAX };

typedef struct local_result {
    double e, g[MAX_K], H[MAX_H];
} local_result;

// What is checked, with a copy of the state that may be disturbed, and the largest numbers in it.
typedef struct check {
    const pli_term* term;
    const pli_contract* contract;
    double* x;
    double max_e, max_g, max_h, max_x;
} check;

static double max_abs(const double* a, int n, double start) {
    for (int i = 0; i < n; ++i) start = fmax(start, fabs(a[i]));
    return start;
}

static const int32_t* stencil(const pli_term* term, int i) {
    return term->ops->vertices(term->self) + (size_t)i * (size_t)term->ops->width;
}

static int local_size(const check* c) { return c->term->ops->width * c->contract->dim; }

static pli_batch one_stencil(const pli_term* term, int dim, const double* x, int i) {
    return (pli_batch){
        .dim = dim, .count = 1, .width = term->ops->width, .vertices = stencil(term, i), .x = x};
}

// Evaluates stencil i into a result that was filled with `start`.
static local_result eval_from(const check* c, int i, unsigned want, bool project, double start) {
    local_result r = {.e = start};
    for (int k = 0; k < MAX_K; ++k) r.g[k] = start;
    for (int k = 0; k < MAX_H; ++k) r.H[k] = start;
    pli_batch in = one_stencil(c->term, c->contract->dim, c->x, i);
    in.want = want;
    in.project = project;
    pli_local out = {.e = want & PLI_VALUE ? &r.e : NULL,
                     .g = want & PLI_GRADIENT ? r.g : NULL,
                     .H = want & PLI_HESSIAN ? r.H : NULL};
    c->term->ops->eval(c->term->self, i, &in, &out);
    return r;
}

static local_result eval(const check* c, int i, unsigned want) {
    return eval_from(c, i, want, false, 0);
}

static void expect_close(const char* what, int i, int entry, double a, double b, double tolerance) {
    if (fabs(a - b) <= tolerance) return;
    fail_msg("stencil %d, %s, entry %d: %.17g against %.17g, differ by %.3g > %.3g", i, what, entry,
             a, b, fabs(a - b), tolerance);
}

// Derivative of the energy (and, into dg, of the gradient) of stencil i along one coordinate.
static double difference(check* c, int i, double* coordinate, double dg[MAX_K]) {
    static const double weights[4] = {1, -8, 8, -1}, places[4] = {-2, -1, 1, 2};
    double start = *coordinate, h = c->contract->step, de = 0;
    memset(dg, 0, MAX_K * sizeof *dg);
    for (int s = 0; s < 4; ++s) {
        *coordinate = start + places[s] * h;
        local_result r = eval(c, i, PLI_VALUE | PLI_GRADIENT);
        if (!isfinite(r.e)) fail_msg("stencil %d: the energy is not finite within the step", i);
        de += weights[s] * r.e;
        for (int k = 0; k < local_size(c); ++k) dg[k] += weights[s] * r.g[k] / (12 * h);
    }
    *coordinate = start;
    return de / (12 * h);
}

static void check_derivatives(check* c, int i) {
    int dim = c->contract->dim, n = local_size(c);
    local_result r = eval(c, i, PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN);
    const int32_t* vertices = stencil(c->term, i);
    // 16 roundings of the largest value divided by the step: what differences cannot resolve. The
    // coordinate itself is rounded too, which moves the result by one part in x / step.
    double h = c->contract->step, noise = 16 * DBL_EPSILON / h;
    double g_tolerance = c->contract->gradient_tolerance * (c->max_g + c->max_h * h) +
                         noise * (c->max_e + c->max_x * c->max_g);
    double h_tolerance =
        c->contract->hessian_tolerance * c->max_h + noise * (c->max_g + c->max_x * c->max_h);
    for (int k = 0; k < n; ++k) {
        int32_t v = vertices[k / dim];
        if (v < 0) {
            expect_close("gradient of an absent vertex", i, k, r.g[k], 0, 0);
            for (int j = 0; j < n; ++j)
                expect_close("Hessian of an absent vertex", i, j, r.H[k * n + j], 0, 0);
            continue;
        }
        double dg[MAX_K], de = difference(c, i, &c->x[3 * v + k % dim], dg);
        expect_close("gradient", i, k, r.g[k], de, g_tolerance);
        for (int j = 0; j < n; ++j)
            expect_close("Hessian", i, k * n + j, r.H[k * n + j], dg[j], h_tolerance);
    }
}

static double smallest_eigenvalue(int n, const double* H) {
    double values[MAX_K];
    pli_eigen_symmetric(n, H, values, NULL);
    return values[0];
}

static void check_projection(check* c, int i) {
    int n = local_size(c);
    unsigned all = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN;
    local_result r = eval(c, i, all), projected = eval_from(c, i, all, true, 0);
    // A few roundings of the largest entry per matrix product; 1e-11 leaves room for 12 x 12.
    double scale = max_abs(r.H, n * n, max_abs(projected.H, n * n, 0)), tiny = 1e-11 * scale;
    expect_close("energy when projecting", i, 0, projected.e, r.e, 0);
    for (int k = 0; k < n; ++k)
        expect_close("gradient when projecting", i, k, projected.g[k], r.g[k], 0);
    double gain[MAX_H], clamped[MAX_H];
    for (int k = 0; k < n * n; ++k) {
        int transposed = k % n * n + k / n;
        expect_close("symmetry", i, k, r.H[k], r.H[transposed], 1e-3 * tiny);
        expect_close("symmetry when projecting", i, k, projected.H[k], projected.H[transposed],
                     1e-3 * tiny);
        gain[k] = projected.H[k] - r.H[k];
        clamped[k] = r.H[k];
    }
    double lowest = smallest_eigenvalue(n, projected.H);
    if (lowest < -tiny) fail_msg("stencil %d: projected Hessian has eigenvalue %.3g", i, lowest);
    if (c->contract->gauss_newton) return;
    lowest = smallest_eigenvalue(n, gain);
    if (lowest < -tiny)
        fail_msg("stencil %d: the projection lowers an eigenvalue by %.3g", i, -lowest);
    if (c->contract->clamp_tolerance < 0) return;
    pli_project_psd(n, clamped);
    for (int k = 0; k < n * n; ++k)
        expect_close("eigen-clamp", i, k, projected.H[k], clamped[k],
                     c->contract->clamp_tolerance * scale);
}

// Every combination of wanted results gives the same numbers, and they are added to what is there.
static void check_wants(check* c, int i) {
    int n = local_size(c);
    unsigned all = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN;
    local_result r = eval(c, i, all);
    for (unsigned want = 1; want <= all; ++want) {
        const double start = 1;
        local_result s = eval(c, i, want), added = eval_from(c, i, want, false, start);
        // One rounding of the sum, seen from either summand.
        double e_ulp = DBL_EPSILON * (start + fabs(r.e));
        if (want & PLI_VALUE) {
            expect_close("energy by other wants", i, (int)want, s.e, r.e, 0);
            expect_close("+= of the energy", i, (int)want, added.e - start, r.e, e_ulp);
        }
        for (int k = 0; want & PLI_GRADIENT && k < n; ++k) {
            expect_close("gradient by other wants", i, k, s.g[k], r.g[k], 0);
            // Several additions in any order: a few roundings of the largest summand.
            expect_close("+= of the gradient", i, k, added.g[k] - start, r.g[k],
                         8 * DBL_EPSILON * (start + c->max_g));
        }
        for (int k = 0; want & PLI_HESSIAN && k < n * n; ++k) {
            expect_close("Hessian by other wants", i, k, s.H[k], r.H[k], 0);
            expect_close("+= of the Hessian", i, k, added.H[k] - start, r.H[k],
                         8 * DBL_EPSILON * (start + c->max_h));
        }
    }
}

static void check_internal(check* c, int i) {
    int dim = c->contract->dim;
    local_result r = eval(c, i, PLI_GRADIENT);
    const int32_t* vertices = stencil(c->term, i);
    double force[3] = {0}, torque[3] = {0};
    for (int k = 0; k < c->term->ops->width; ++k) {
        if (vertices[k] < 0) continue;
        double f[3] = {0}, arm[3] = {0}; // seen from the first vertex
        for (int a = 0; a < dim; ++a) {
            f[a] = r.g[k * dim + a];
            arm[a] = c->x[3 * vertices[k] + a] - c->x[3 * vertices[0] + a];
            force[a] += f[a];
        }
        for (int a = 0; a < 3; ++a)
            torque[a] += arm[(a + 1) % 3] * f[(a + 2) % 3] - arm[(a + 2) % 3] * f[(a + 1) % 3];
    }
    // The gradient comes from sums of about ten products of its size; a torque has an arm too, and
    // the positions behind both are rounded.
    double tiny = 256 * DBL_EPSILON * (c->max_g + c->max_h * c->max_x);
    for (int a = 0; a < 3; ++a) {
        expect_close("net force", i, a, force[a], 0, tiny);
        expect_close("net torque", i, a, torque[a], 0, tiny * c->max_x);
    }
}

// x becomes R x + t; in the plane R turns about z.
static void move_rigidly(double* x, int vertex_count, int dim) {
    double yaw = 0.7, pitch = dim == 3 ? 0.4 : 0;
    double cy = cos(yaw), sy = sin(yaw), cp = cos(pitch), sp = sin(pitch);
    for (int v = 0; v < vertex_count; ++v) {
        double* p = x + 3 * v;
        double px = cy * p[0] - sy * p[1], py = sy * p[0] + cy * p[1], pz = p[2];
        p[0] = px + 0.3;
        p[1] = cp * py - sp * pz - 0.2;
        p[2] = sp * py + cp * pz;
    }
}

static void check_objective(check* c, int i) {
    const pli_contract* contract = c->contract;
    double start = eval(c, i, PLI_VALUE).e;
    move_rigidly(c->x, contract->vertex_count, contract->dim);
    double moved = eval(c, i, PLI_VALUE).e;
    memcpy(c->x, contract->x, 3 * (size_t)contract->vertex_count * sizeof *c->x);
    // Moved positions are rounded: that times the force is what the energy may change by. A small
    // energy may be the difference of parts as large as H x^2, rounded as well.
    double reach = c->max_x + 1; // with the translation
    double size = c->max_e + 4 * c->max_g * reach + c->max_h * c->max_x * c->max_x;
    expect_close("energy after a rigid motion", i, 0, moved, start, 64 * DBL_EPSILON * size);
}

// All stencils in one batch give the bits that each gives alone.
static void check_batch(check* c) {
    int count = c->term->ops->count(c->term->self), n = local_size(c);
    if (count == 0) return;
    double* e = calloc((size_t)count, sizeof *e);
    double* g = calloc((size_t)(count * n), sizeof *g);
    double* H = calloc((size_t)(count * n * n), sizeof *H);
    assert_true(e && g && H);
    pli_batch in = one_stencil(c->term, c->contract->dim, c->x, 0);
    in.count = count;
    in.want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN;
    in.project = true;
    c->term->ops->eval(c->term->self, 0, &in, &(pli_local){.e = e, .g = g, .H = H});
    for (int i = 0; i < count; ++i) {
        local_result r = eval_from(c, i, in.want, true, 0);
        expect_close("energy in a batch", i, 0, e[i], r.e, 0);
        for (int k = 0; k < n; ++k)
            expect_close("gradient in a batch", i, k, g[i * n + k], r.g[k], 0);
        for (int k = 0; k < n * n; ++k)
            expect_close("Hessian in a batch", i, k, H[i * n * n + k], r.H[k], 0);
    }
    free(e);
    free(g);
    free(H);
}

static void measure_state(check* c) {
    int n = local_size(c);
    for (int i = 0; i < c->term->ops->count(c->term->self); ++i) {
        const int32_t* vertices = stencil(c->term, i);
        for (int k = 0; k < c->term->ops->width; ++k)
            if (vertices[k] < -1 || vertices[k] >= c->contract->vertex_count)
                fail_msg("stencil %d names vertex %d", i, (int)vertices[k]);
        local_result r = eval(c, i, PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN);
        if (!isfinite(r.e)) fail_msg("stencil %d: the energy is not finite", i);
        c->max_e = fmax(c->max_e, fabs(r.e));
        c->max_g = max_abs(r.g, n, c->max_g);
        c->max_h = max_abs(r.H, n * n, c->max_h);
    }
    c->max_x = max_abs(c->x, 3 * c->contract->vertex_count, 0);
}

void pli_check_contract(const pli_term* term, const pli_contract* contract) {
    assert_in_range(term->ops->width, 1, PLI_STENCIL_MAX);
    size_t size = 3 * (size_t)contract->vertex_count * sizeof(double);
    check c = {.term = term, .contract = contract, .x = malloc(size)};
    assert_non_null(c.x);
    memcpy(c.x, contract->x, size);
    measure_state(&c);
    if (term->ops->linear && c.max_h > 0) fail_msg("a linear term has a Hessian");
    for (int i = 0; i < term->ops->count(term->self); ++i) {
        check_derivatives(&c, i);
        check_projection(&c, i);
        check_wants(&c, i);
        if (contract->internal) check_internal(&c, i);
        if (contract->objective) check_objective(&c, i);
    }
    check_batch(&c);
    free(c.x);
}

void pli_check_step_bound(const pli_term* term, int dim, int vertex_count, const double* x,
                          const double* p) {
    enum { SAMPLES = 64 };
    double* y = malloc(3 * (size_t)vertex_count * sizeof *y);
    assert_non_null(y);
    pli_view view = {.dim = dim, .vertex_count = vertex_count, .x = x};
    double alpha = term->ops->max_step ? term->ops->max_step(term->self, &view, p) : 1;
    if (!(alpha > 0 && alpha <= 1)) fail_msg("step bound %.17g is not in (0, 1]", alpha);
    if (term->ops->refresh) {
        pli_error error = {0};
        if (term->ops->refresh(term->self, &view, p, &alpha, &error) != PLI_OK)
            fail_msg("refresh: %s", error.message);
        if (!(alpha > 0 && alpha <= 1)) fail_msg("certified step %.17g is not in (0, 1]", alpha);
    }
    for (int s = 0; s <= SAMPLES; ++s) {
        double t = s == SAMPLES ? alpha : alpha * s / SAMPLES;
        for (int k = 0; k < 3 * vertex_count; ++k) y[k] = x[k] + t * p[k];
        for (int i = 0; i < term->ops->count(term->self); ++i) {
            double e = 0;
            pli_batch in = one_stencil(term, dim, y, i);
            in.want = PLI_VALUE;
            term->ops->eval(term->self, i, &in, &(pli_local){.e = &e});
            if (!isfinite(e))
                fail_msg("stencil %d: E = %g at %.3g of the allowed step", i, e, t / alpha);
        }
    }
    free(y);
}
