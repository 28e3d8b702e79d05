// Gas in a closed surface: volume, derivatives by differences, step bounds, and what is refused.
#include "energy/fixture.h"
#include "energy/stencils.h"
#include "math/vec.h"

enum { CORNERS = 6, FACES = 8 };

static pli_error error;
static const double P1 = 3e4, P0 = 1e5; // pressure above the ambient one, that [Pa]

static const double octahedron[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1};
static const int32_t faces[] = {0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2,
                                1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5};
static const double square[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};
static const int32_t outline[] = {0, 1, 1, 2, 2, 3, 3, 0};

// In space the octahedron, volume 4/3; in the plane the rectangle, area 2 and 0.5 m thick.
typedef struct shape {
    pli_body_view view;
    double volume;
} shape;

static shape make_shape(int dim) {
    shape s = {.view = {.dim = dim}, .volume = dim == 3 ? 4. / 3 : 1};
    pli_element_kind kind = dim == 3 ? PLI_TRIANGLE : PLI_SEGMENT;
    s.view.vertex_count = dim == 3 ? CORNERS : 4;
    s.view.rest = dim == 3 ? octahedron : square;
    s.view.element_count[kind] = dim == 3 ? FACES : 4;
    s.view.elements[kind] = dim == 3 ? faces : outline;
    return s;
}

static pli_term make_gas(pli_memory* memory, const shape* s) {
    const double params[2] = {P1, P0};
    pli_stencil_sink sink;
    pli_memory_init(memory, NULL);
    ASSERT_OK(pli_find_stencils(memory, find_type("gas"), &s->view, NULL, &sink, &error));
    assert_int_equal(sink.count, 1);
    pli_domain domain = {.dim = s->view.dim,
                         .kind = PLI_STENCIL,
                         .element_count = 1,
                         .vertices = sink.vertices,
                         .start = sink.start,
                         .rest = s->view.rest,
                         .thickness = 0.5};
    pli_term term = make_term(memory, "gas", params, &domain);
    pli_sink_free(&sink);
    return term;
}

enum { MAX = 3 * 3 * FACES };

typedef struct result {
    double e, g[MAX], weight, factor[MAX];
} result;

static result eval(const pli_term* term, int dim, const double* x) {
    result r = {0};
    pli_batch in = {.dim = dim,
                    .count = 1,
                    .start = term->ops->start(term->self),
                    .vertices = term->ops->vertices(term->self),
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN};
    pli_local out = {.e = &r.e, .g = r.g, .factor_weights = &r.weight, .factors = r.factor};
    term->ops->eval(term->self, 0, &in, &out);
    return r;
}

// Sums over the corners of all faces at each vertex, 3 each.
static void gather(const pli_term* term, int dim, const double* local, double* out) {
    const int32_t* vertices = term->ops->vertices(term->self);
    memset(out, 0, sizeof(double) * 3 * CORNERS);
    for (int i = 0; i < term->ops->start(term->self)[1]; ++i)
        pli_axpy(1, local + i * dim, out + 3 * vertices[i], dim);
}

// A cube of edge s has the volume s^3: the octahedron scaled by s has 4/3 s^3.
static void closed_form(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (double scale = 0.5; scale < 2; scale += 0.3) {
            shape s = make_shape(dim);
            pli_memory memory;
            pli_term term = make_gas(&memory, &s);
            double x[3 * CORNERS], V = s.volume * pow(scale, dim), V1 = s.volume;
            for (int i = 0; i < 3 * s.view.vertex_count; ++i)
                x[i] = scale * s.view.rest[i] + (i % 3 < dim ? 100 : 0); // far from the origin
            result r = eval(&term, dim, x);
            double expected = -(P0 + P1) * V1 * log(V / V1) + P0 * (V - V1);
            ASSERT_NEAR(r.e, expected, 1e-12 * P0); // 100 m have 14 digits
            ASSERT_NEAR(r.weight, (P0 + P1) * V1 / (V * V), 1e-11 * r.weight);
            double force[3 * CORNERS], sum[3] = {0};
            gather(&term, dim, r.g, force);
            if (dim == 3) // along the axis: -(p - p0) 2/3 r^2
                ASSERT_NEAR(force[0], -((P0 + P1) * V1 / V - P0) * 2 / 3 * scale * scale,
                            1e-10 * P0);
            for (int v = 0; v < s.view.vertex_count; ++v) pli_axpy(1, force + 3 * v, sum, 3);
            ASSERT_NEAR(pli_norm(sum, 3), 0.0, 1e-9 * P0);
            end_term(&memory, &term);
        }
}

// E -> g by differences; g -> H where the second part of the Hessian is small beside the first is
// not asked for: the factor is d2P/dV2 dV dV^T, which differences along any direction of g at p =
// p0 give (the left-out part vanishes there).
static void differences(void** state) {
    (void)state;
    pli_random r = {11};
    for (int i = 0; i < 40; ++i) {
        int dim = 2 + i % 2, n;
        shape s = make_shape(dim);
        pli_memory memory;
        pli_term term = make_gas(&memory, &s);
        double x[3 * CORNERS], g[3 * CORNERS], h = 1e-5;
        n = 3 * s.view.vertex_count;
        for (int k = 0; k < n; ++k)
            x[k] = s.view.rest[k] + (k % 3 < dim ? pli_random_in(&r, -0.2, 0.2) : 0);
        // to the volume at which p = p0
        for (int round = 0; round < 40; ++round) {
            result at = eval(&term, dim, x);
            double V = sqrt((P0 + P1) * s.volume / at.weight),
                   f = pow((P0 + P1) / P0 * s.volume / V, 1. / dim);
            for (int k = 0; k < n && i % 4 > 1; ++k) x[k] *= f;
        }
        result at = eval(&term, dim, x);
        double dV[3 * CORNERS];
        gather(&term, dim, at.g, g);
        gather(&term, dim, at.factor, dV);
        for (int k = 0; k < n; ++k) {
            if (k % 3 >= dim) continue;
            double start = x[k], low[3 * CORNERS], high[3 * CORNERS];
            x[k] = start + h;
            result up = eval(&term, dim, x);
            x[k] = start - h;
            result down = eval(&term, dim, x);
            x[k] = start;
            ASSERT_NEAR((up.e - down.e) / (2 * h), g[k], 1e-8 * (P0 + P1));
            if (i % 4 < 2) continue;
            gather(&term, dim, up.g, high);
            gather(&term, dim, down.g, low);
            for (int j = 0; j < n; ++j) // H = a dV dV^T, third derivatives times h^2
                ASSERT_NEAR((high[j] - low[j]) / (2 * h), at.weight * dV[k] * dV[j],
                            1e-6 * (P0 + P1));
        }
        end_term(&memory, &term);
    }
}

// Steps that would invert the surface are shortened to a tenth of the volume.
static void step_bounds(void** state) {
    (void)state;
    pli_random r = {12};
    for (int i = 0; i < 200; ++i) {
        int dim = 2 + i % 2;
        shape s = make_shape(dim);
        pli_memory memory;
        pli_term term = make_gas(&memory, &s);
        double p[3 * CORNERS], y[3 * CORNERS];
        int n = 3 * s.view.vertex_count;
        for (int k = 0; k < n; ++k) p[k] = k % 3 < dim ? pli_random_in(&r, -3, 3) : 0;
        pli_view view = {.dim = dim, .vertex_count = s.view.vertex_count, .x = s.view.rest};
        double alpha = term.ops->max_step(term.self, &view, p);
        assert_true(alpha > 0 && alpha <= 1);
        for (int k = 0; k <= 100; ++k) {
            for (int j = 0; j < n; ++j) y[j] = s.view.rest[j] + alpha * k / 100 * p[j];
            assert_true(isfinite(eval(&term, dim, y).e));
        }
        for (int j = 0; j < n; ++j) y[j] = -s.view.rest[j]; // inverted in space
        if (dim == 3) assert_true(eval(&term, dim, y).e == HUGE_VAL);
        end_term(&memory, &term);
    }
}

static void refusals(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const pli_energy_type* type = find_type("gas");
    for (int dim = 2; dim <= 3; ++dim)
        for (int kind = 0; kind < 3; ++kind) { // open, turned, nothing at all
            shape s = make_shape(dim);
            pli_element_kind of = dim == 3 ? PLI_TRIANGLE : PLI_SEGMENT;
            int32_t changed[3 * FACES];
            memcpy(changed, s.view.elements[of],
                   sizeof(int32_t) * (size_t)(dim * s.view.element_count[of]));
            changed[0] = s.view.elements[of][1];
            changed[1] = s.view.elements[of][0];
            if (kind == 1) s.view.elements[of] = changed;
            s.view.element_count[of] = kind == 2 ? 0 : s.view.element_count[of] - (kind == 0);
            pli_stencil_sink sink;
            assert_int_equal(pli_find_stencils(&memory, type, &s.view, NULL, &sink, &error),
                             PLI_E_ARGUMENT);
            assert_non_null(strstr(error.message, "closed surface"));
            pli_sink_free(&sink);
        }
    double values[2];
    const pli_setting settings[2] = {{"pressure", -2e5}, {"ambient", 1e5}};
    assert_int_equal(pli_energy_params(type, settings, 2, values, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "must be > 0"));
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form),
        cmocka_unit_test(differences),
        cmocka_unit_test(step_bounds),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
