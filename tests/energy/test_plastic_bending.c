// Bending that yields: the contract, a cylinder bent beyond yield and back, and what it dissipates.
#include "energy/mid_edge.h"
#include "energy/plate_fixture.h"

static const double params[] = {3e4, 0.3, 0.1, 0, 0, NAN, NAN, NAN, 0, 0, 0, 0.8};

static void contract_at_random_states(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    pli_random r = {5};
    plate_grid(&p, 3, 3, 1, 0.25);
    plate_make(&p, "plastic-bending", params);
    for (int i = 0; i < 3; ++i) { // hardly bent, and far beyond yield
        double size = i == 0 ? 0.004 : 0.07;
        plate_disturb(&p, size, x, &r);
        pli_check_contract(&p.term, &(pli_contract){.dim = 3,
                                                    .vertex_count = p.vertices,
                                                    .x = x,
                                                    .step = 1e-6,
                                                    .gradient_tolerance = 1e-7,
                                                    .hessian_tolerance = 1e-6,
                                                    .gauss_newton = true});
        p.term.ops->commit(p.term.self, x); // then from another rest state
    }
    plate_free(&p);
}

static double curvature; // of the cylinder
static void cylinder_normal(const double X[3], double n[3]) {
    n[0] = sin(curvature * X[0]), n[1] = 0, n[2] = cos(curvature * X[0]);
}

static void roll(const plate* p, double* x) {
    for (int i = 0; i < p->points; ++i) {
        const double *X = p->rest + 3 * i, a = curvature * X[0];
        x[3 * i] = curvature == 0 ? X[0] : sin(a) / curvature;
        x[3 * i + 1] = X[1];
        x[3 * i + 2] = curvature == 0 ? 0 : (cos(a) - 1) / curvature;
    }
    plate_set_nodes(p, cylinder_normal, x);
}

// Energy of triangles without free edges per area, in units of D.
static double density(const plate* p, const double* x) {
    double sum = 0, area = 0,
           D = params[0] * pow(params[2], 3) / (12 * (1 - params[1] * params[1]));
    for (int i = 0; i < p->triangle_count; ++i) {
        const int32_t* v = p->term.ops->vertices(p->term.self) + 9 * i;
        pli_batch in = {.dim = 3, .count = 1, .width = 9, .vertices = v, .x = x, .want = PLI_VALUE};
        double e = 0, d1[3], d2[3];
        if (v[3] < 0 || v[4] < 0 || v[5] < 0) continue;
        p->term.ops->eval(p->term.self, i, &in, &(pli_local){.e = &e});
        pli_sub(p->rest + 3 * v[1], p->rest + 3 * v[0], d1, 3);
        pli_sub(p->rest + 3 * v[2], p->rest + 3 * v[0], d2, 3);
        sum += e;
        area += 0.5 * fabs(d1[0] * d2[1] - d1[1] * d2[0]);
    }
    return sum / (D * area);
}

// Bent to 1.5 / m with a yield of 0.8 / m: 0.7 / m stays, 0.32 is stored, 0.56 was lost; unbent,
// the energy is that of the crease.
static void loop_of_a_cylinder(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    plate_grid(&p, 16, 16, 1, 0.2);
    plate_make(&p, "plastic-bending", params);
    memset(x, 0, sizeof x);
    const double yield = params[PLI_PLATE_PARAMS], bent = 1.5, stays = bent - yield;
    curvature = bent;
    roll(&p, x);
    ASSERT_NEAR(density(&p, x), yield * bent - 0.5 * yield * yield, 1e-3);
    p.term.ops->commit(p.term.self, x);
    ASSERT_NEAR(density(&p, x), 0.5 * yield * yield, 1e-3);
    curvature = stays;
    roll(&p, x);
    ASSERT_NEAR(density(&p, x), 0.0, 1e-3);
    curvature = 0;
    roll(&p, x);
    ASSERT_NEAR(density(&p, x), 0.5 * stays * stays, 1e-3);
    plate_free(&p);
}

// Bent beyond yield it shows the whole curvature and the moment at yield; at the curvature that
// stays there is no moment.
static void shows_moment_at_yield(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    const double yield = params[PLI_PLATE_PARAMS], bent = 1.5;
    const double D = params[0] * pow(params[2], 3) / (12 * (1 - params[1] * params[1]));
    const int centre = 8 * 17 + 8;
    plate_grid(&p, 16, 16, 1, 0.2);
    plate_make(&p, "plastic-bending", params);
    memset(x, 0, sizeof x);
    curvature = bent;
    roll(&p, x);
    for (int i = 0; i < 2; ++i) { // before and after the step ends
        ASSERT_NEAR(plate_shown(&p, "curvature_change", x, centre), bent, 2e-3 * bent);
        ASSERT_NEAR(plate_shown(&p, "bending_moment", x, centre), D * yield, 2e-3 * D);
        p.term.ops->commit(p.term.self, x);
    }
    curvature = bent - yield;
    roll(&p, x);
    ASSERT_NEAR(plate_shown(&p, "curvature_change", x, centre), bent - yield, 2e-3 * bent);
    ASSERT_NEAR(plate_shown(&p, "bending_moment", x, centre), 0.0, 2e-3 * D);
    plate_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(loop_of_a_cylinder),
        cmocka_unit_test(shows_moment_at_yield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
