// Shells: the contract, the membrane in plane stress, and six rigid motions without stiffness.
#include "energy/plate_fixture.h"

#include "math/small.h"

static const double young = 3e4, poisson = 0.3, thickness = 0.1;
static const double params[] = {3e4, 0.3, 0.1, 0, 0, NAN, NAN, NAN, 0, 0, 0};

static void contract_at_random_states(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    pli_random r = {5};
    for (int i = 0; i < 4; ++i) {
        plate_grid(&p, 3, 3, 1, 0.25);
        for (int v = 0; v < p.points && i & 1; ++v)
            p.rest[3 * v + 2] = 0.3 * p.rest[3 * v] * p.rest[3 * v + 1];
        plate_make(&p, "shell", params);
        plate_disturb(&p, 0.07, x, &r);
        pli_check_contract(&p.term, &(pli_contract){.dim = 3,
                                                    .vertex_count = p.vertices,
                                                    .x = x,
                                                    .step = 1e-5,
                                                    .gradient_tolerance = 1e-8,
                                                    .hessian_tolerance = 1e-8,
                                                    .gauss_newton = true});
        plate_free(&p);
    }
}

// Stretched along x with free sides: sigma = E eps, contraction nu eps. The derivative of the
// energy along both is the force, here of a small strain.
static void plane_stress(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES], g[3 * PLATE_VERTICES];
    const double strain = 1e-6;
    plate_grid(&p, 4, 4, 1, 0.25);
    plate_make(&p, "shell", params);
    memset(x, 0, sizeof x);
    memset(g, 0, sizeof g);
    for (int i = 0; i < p.points; ++i) {
        x[3 * i] = (1 + strain) * p.rest[3 * i];
        x[3 * i + 1] = (1 - poisson * strain) * p.rest[3 * i + 1];
    }
    double e = plate_eval(&p, x, false, g, NULL), pull = 0, side = 0;
    for (int i = 0; i < p.points; ++i) {
        if (p.rest[3 * i] == 1) pull += g[3 * i];
        if (p.rest[3 * i + 1] == 1) side += g[3 * i + 1];
    }
    double force = young * strain * thickness;
    ASSERT_NEAR(pull, force, 1e-5 * force); // strains of second order, roundings / strain
    ASSERT_NEAR(side, 0.0, 1e-5 * force);
    ASSERT_NEAR(e, 0.5 * force * strain, 1e-5 * force * strain);
    plate_free(&p);
}

// Exactly six modes without stiffness, of a flat and of a curved sheet with free edges.
static void six_rigid_modes(void** state) {
    (void)state;
    static plate p;
    for (int curved = 0; curved < 2; ++curved) {
        plate_grid(&p, 2, 1, 1.5, 0);
        for (int v = 0; v < p.points && curved; ++v)
            p.rest[3 * v + 2] = 0.3 * p.rest[3 * v] * p.rest[3 * v + 1];
        plate_make(&p, "shell", params);
        int n = 3 * p.vertices, points = 3 * p.points, size = points + p.nodes.count;
        double* H = calloc((size_t)(n * n), sizeof *H);
        double small[PLI_SMALL_MAX * PLI_SMALL_MAX], values[PLI_SMALL_MAX];
        assert_true(size <= PLI_SMALL_MAX);
        double x[3 * PLATE_VERTICES] = {0};
        memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
        plate_eval(&p, x, false, NULL, H);
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                int row = i < points ? i : points + 3 * (i - points);
                int column = j < points ? j : points + 3 * (j - points);
                small[i * size + j] = H[row * n + column];
            }
        pli_eigen_symmetric(size, small, values, NULL);
        for (int i = 0; i < 6; ++i) ASSERT_NEAR(values[i], 0.0, 1e-12 * values[size - 1]);
        assert_true(values[6] > 1e-6 * values[size - 1]);
        free(H);
        plate_free(&p);
    }
}

// A triangle stretched to nothing is forbidden.
static void no_area(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    plate_grid(&p, 2, 2, 1, 0);
    plate_make(&p, "shell", params);
    memset(x, 0, sizeof x);
    memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
    assert_true(plate_eval(&p, x, false, NULL, NULL) <= 1e-25 * young);
    for (int i = 0; i < p.points; ++i) x[3 * i + 1] = 0;
    assert_true(plate_eval(&p, x, false, NULL, NULL) == HUGE_VAL);
    plate_free(&p);
}

// What it shows of a cylinder stretched along its axis: the moment D k, and the larger force per
// length, which is the derivative of the energy by this stretch over the width.
static const double curvature = 1.2;
static void cylinder_normal(const double X[3], double n[3]) {
    n[0] = sin(curvature * X[0]), n[1] = 0, n[2] = cos(curvature * X[0]);
}

static void roll(const plate* p, double stretch, double* x) {
    for (int i = 0; i < p->points; ++i) {
        const double *X = p->rest + 3 * i, a = curvature * X[0];
        x[3 * i] = sin(a) / curvature;
        x[3 * i + 1] = stretch * X[1];
        x[3 * i + 2] = cos(a) / curvature;
    }
    plate_set_nodes(p, cylinder_normal, x);
}

static void shows_moment_and_force(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    const int centre = 8 * 17 + 8;
    plate_grid(&p, 16, 16, 1, 0.2);
    plate_make(&p, "shell", params);
    memset(x, 0, sizeof x);
    double D = young * pow(thickness, 3) / (12 * (1 - poisson * poisson)), h = 1e-4, s = 1.3;
    roll(&p, 1, x);
    ASSERT_NEAR(plate_shown(&p, "curvature_change", x, centre), curvature, 2e-3 * curvature);
    ASSERT_NEAR(plate_shown(&p, "bending_moment", x, centre), D * curvature, 2e-3 * D * curvature);
    for (int i = 0; i < p.points; ++i) { // flat, a strain of 1e-6 with free sides: E t eps
        x[3 * i] = (1 - poisson * 1e-6) * p.rest[3 * i];
        x[3 * i + 1] = (1 + 1e-6) * p.rest[3 * i + 1];
        x[3 * i + 2] = 0;
    }
    double force = young * thickness * 1e-6;
    for (int i = 0; i < p.points; ++i)
        ASSERT_NEAR(plate_shown(&p, "membrane_force", x, i), force, 1e-5 * force);
    double e[2];
    for (int side = 0; side < 2; ++side) {
        for (int i = 0; i < p.vertices; ++i) {
            bool point = i < p.points;
            x[3 * i] = point ? p.rest[3 * i] : 0;
            x[3 * i + 1] = point ? (s + (side ? h : -h)) * p.rest[3 * i + 1] : 0;
        }
        e[side] = plate_eval(&p, x, false, NULL, NULL);
    }
    for (int i = 0; i < p.points; ++i) x[3 * i + 1] = s * p.rest[3 * i + 1];
    force = (e[1] - e[0]) / (2 * h);
    for (int i = 0; i < p.points; ++i)
        ASSERT_NEAR(plate_shown(&p, "membrane_force", x, i), force, 1e-7 * force);
    plate_free(&p);
}

// A cylinder stretched around its axis by e: E / (1 - nu^2) (e +- k t/2) at its surfaces along this
// direction, nu times that across; on the convex side, that of the normal, both add up. The stress
// of the membrane is E / (1 - nu^2) e alone.
static void shows_surface_stress(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    const int centre = 8 * 17 + 8;
    const double e = 0.01, modulus = young / (1 - poisson * poisson),
                 form = sqrt(1 - poisson + poisson * poisson), bend = 0.5 * curvature * thickness;
    plate_grid(&p, 16, 16, 1, 0.2);
    plate_make(&p, "shell", params);
    memset(x, 0, sizeof x);
    roll(&p, 1, x);
    for (int i = 0; i < p.points; ++i) x[3 * i] *= 1 + e, x[3 * i + 2] *= 1 + e;
    double top = modulus * form * (bend + e), bottom = modulus * form * (bend - e);
    // Of the order of the strain
    ASSERT_NEAR(plate_shown(&p, "stress_top", x, centre), top, 2e-2 * top);
    ASSERT_NEAR(plate_shown(&p, "stress_bottom", x, centre), bottom, 2e-2 * bottom);
    // At the top of the cylinder, where x is around it.
    double* stresses = calloc((size_t)p.triangle_count, 6 * sizeof *stresses);
    pli_element_term_fields(&p.term, x, &(pli_term_fields){.stress = stresses});
    for (int i = 0; i < p.triangle_count; ++i) {
        const int32_t* v = p.term.ops->vertices(p.term.self) + 9 * i;
        if (v[0] != 0 && v[1] != 0 && v[2] != 0) continue;
        ASSERT_NEAR(stresses[6 * i], modulus * e, 0.05 * modulus * e); // and its slope
        ASSERT_NEAR(stresses[6 * i + 1], poisson * modulus * e, 0.05 * modulus * e);
    }
    free(stresses);
    plate_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states), cmocka_unit_test(plane_stress),
        cmocka_unit_test(six_rigid_modes),           cmocka_unit_test(no_area),
        cmocka_unit_test(shows_moment_and_force),    cmocka_unit_test(shows_surface_stress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
