// Neo-Hookean triangles: the contract over all kinds of deformation, the projection against the
// general eigen-clamp at the level of F, closed forms, the step bound.
#include "energy/fixture.h"

#include "math/small.h"

// Stiff, nearly incompressible, and with a negative Poisson's ratio.
static const double materials[][2] = {{1e5, 0.4}, {2e4, 0.49}, {1e3, 0}, {5e4, -0.6}};
enum { MATERIAL_COUNT = 4 };

// Rest edges are the unit axes in the first triangle, so F is made of the current edges.
static const double rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1.2, 0.9, 0, -0.4, 0.3, 0};
static const int32_t triangles[] = {0, 1, 2, 1, 3, 2, 0, 2, 4};

static pli_domain make_domain(int count) {
    return (pli_domain){
        .dim = 2, .element_count = count, .vertices = triangles, .rest = rest, .thickness = 0.7};
}

// F = R(a) diag(s0, s1) R(b)
static void make_f(double a, double b, double s0, double s1, double F[4]) {
    double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b);
    F[0] = ca * s0 * cb - sa * s1 * sb;
    F[1] = -ca * s0 * sb - sa * s1 * cb;
    F[2] = sa * s0 * cb + ca * s1 * sb;
    F[3] = -sa * s0 * sb + ca * s1 * cb;
}

static void deform(const double F[4], double* x) {
    for (int v = 0; v < 5; ++v) {
        x[3 * v] = F[0] * rest[3 * v] + F[1] * rest[3 * v + 1];
        x[3 * v + 1] = F[2] * rest[3 * v] + F[3] * rest[3 * v + 1];
        x[3 * v + 2] = 0;
    }
}

static void contract_at(const double* material, const double* x, double size) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(3);
    pli_term term = make_term(&memory, "neo-hookean", material, &domain);
    pli_check_contract(&term, &(pli_contract){.dim = 2,
                                              .vertex_count = 5,
                                              .x = x,
                                              .step = 1e-3 * size,
                                              .gradient_tolerance = 1e-7,
                                              .hessian_tolerance = 1e-6,
                                              .internal = true,
                                              .objective = true,
                                              .clamp_tolerance = -1}); // clamped at F
    end_term(&memory, &term);
}

// Singular values from 0.05 to 4, equal ones among them; J down to 0.05 and below.
static void contract_at_random_states(void** state) {
    (void)state;
    static const double values[] = {0.05, 0.3, 0.8, 1, 1.3, 4};
    pli_random r = {14};
    double F[4], x[15];
    for (int i = 0; i < 36 * MATERIAL_COUNT; ++i) {
        double s0 = values[i % 6], s1 = values[i / 6 % 6];
        make_f(pli_random_in(&r, -3, 3), pli_random_in(&r, -3, 3), s0, s1, F);
        deform(F, x);
        contract_at(materials[i / 36], x, fmin(s0, s1) * 0.1);
    }
    deform((const double[4]){1, 0, 0, 1}, x);
    for (int m = 0; m < MATERIAL_COUNT; ++m) contract_at(materials[m], x, 0.1);
}

static void contract_at_uneven_states(void** state) {
    (void)state;
    pli_random r = {15};
    for (int i = 0; i < 100; ++i) {
        double x[15] = {0};
        for (int v = 0; v < 15; ++v)
            if (v % 3 < 2) x[v] = rest[v] + pli_random_in(&r, -0.15, 0.15);
        contract_at(materials[i % MATERIAL_COUNT], x, 0.1);
    }
}

// Second derivative by F of the first triangle (column-wise vec of F: vertex 1, then vertex 2).
static void read_c(const pli_term* term, const double F[4], bool project, double C[16]) {
    double x[15], H[144];
    deform(F, x);
    eval_first(term, 2, x, project, NULL, H);
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) C[4 * i + j] = H[6 * (i + 2) + j + 2];
}

static void projection_equals_the_clamp_at_f(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(1);
    pli_random r = {16};
    int changed = 0;
    for (int m = 0; m < MATERIAL_COUNT; ++m) {
        pli_term term = make_term(&memory, "neo-hookean", materials[m], &domain);
        for (int i = 0; i < 2000; ++i) {
            double F[4], C[16], projected[16], s0 = exp(pli_random_in(&r, -3, 3));
            double s1 = i % 4 == 0 ? s0 : exp(pli_random_in(&r, -3, 3));
            make_f(pli_random_in(&r, -3, 3), pli_random_in(&r, -3, 3), s0, s1, F);
            read_c(&term, F, false, C);
            read_c(&term, F, true, projected);
            double size = 0;
            for (int k = 0; k < 16; ++k) size = fmax(size, fabs(C[k]));
            changed += memcmp(C, projected, sizeof C) != 0;
            pli_project_psd(4, C);
            // Entries are sums of terms of size C; F has a condition number up to e^6.
            for (int k = 0; k < 16; ++k) ASSERT_NEAR(projected[k], C[k], 1e-11 * size);
        }
        end_term(&memory, &term);
    }
    assert_true(changed > 2000); // the random states do need projection often
}

// F = diag(2, 1): tr F^T F = 5, J = 2.
static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(1);
    pli_term term = make_term(&memory, "neo-hookean", materials[0], &domain);
    double young = 1e5, nu = 0.4, mu = young / (2 * (1 + nu)),
           lam = young * nu / ((1 + nu) * (1 - 2 * nu));
    double x[15], g[12], H[144], volume = 0.5 * 0.7, l = log(2);
    deform((const double[4]){2, 0, 0, 1}, x);
    double e = eval_first(&term, 2, x, false, g, H);
    double tiny = 1e-12 * young; // ten roundings
    ASSERT_NEAR(e, volume * (1.5 * mu - mu * l + 0.5 * lam * l * l), tiny);
    ASSERT_NEAR(g[2], volume * (mu * (2 - 0.5) + lam * l * 0.5), tiny); // P_xx on vertex 1
    ASSERT_NEAR(g[5], volume * lam * l, tiny);                          // P_yy on vertex 2
    ASSERT_NEAR(g[3], 0.0, tiny);
    // Cauchy stress P F^T / J; across the plane lam ln J / J
    double stress[6] = {0}, energy = 1;
    pli_element_term_fields(&term, x, &energy, stress);
    ASSERT_NEAR(energy, 1 + e, tiny);
    ASSERT_NEAR(stress[0], (mu * 3 + lam * l) / 2, tiny);
    ASSERT_NEAR(stress[1], lam * l / 2, tiny);
    ASSERT_NEAR(stress[2], lam * l / 2, tiny);
    ASSERT_NEAR(stress[5], 0.0, tiny);
    end_term(&memory, &term);
}

// Small strains give Hooke's law for plane strain: with e_xx = e, sigma_xx = (lam + 2 mu) e and
// sigma_yy = sigma_zz = lam e; with e_xy = s/2, sigma_xy = mu s.
static void small_strains(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(1);
    pli_term term = make_term(&memory, "neo-hookean", materials[0], &domain);
    double mu = 1e5 / 2.8, lam = 1e5 * 0.4 / (1.4 * 0.2), e = 1e-7, x[15], stress[6] = {0};
    double tolerance = 1e5 * (e * e * 100 + 1e-15); // second order, and rounding
    deform((const double[4]){1 + e, 0, 0, 1}, x);
    pli_element_term_fields(&term, x, NULL, stress);
    ASSERT_NEAR(stress[0], (lam + 2 * mu) * e, tolerance);
    ASSERT_NEAR(stress[1], lam * e, tolerance);
    ASSERT_NEAR(stress[2], lam * e, tolerance);
    memset(stress, 0, sizeof stress);
    deform((const double[4]){1, e, 0, 1}, x);
    pli_element_term_fields(&term, x, NULL, stress);
    ASSERT_NEAR(stress[5], mu * e, tolerance);
    // The energy keeps its digits although its parts are of first order:
    // W = mu (e1^2 + e2^2) + lam/2 (e1 + e2)^2, here with e2 = e1 / 3.
    double energy = 0;
    deform((const double[4]){1 + e, 0, 0, 1 + e / 3}, x);
    pli_element_term_fields(&term, x, &energy, NULL);
    ASSERT_NEAR(energy / (0.35 * e * e * (mu * 10 / 9 + lam * 8 / 9)), 1, 1e-6);
    end_term(&memory, &term);
}

static void forbidden_states(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(3);
    pli_term term = make_term(&memory, "neo-hookean", materials[0], &domain);
    static const double bad[][4] = {{0, 0, 0, 0},  {1, 0, 0, 0}, {1, 1, 1, 1},
                                    {-1, 0, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, -1e-300}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        double x[15], g[12], H[144];
        deform(bad[i], x);
        assert_true(eval_first(&term, 2, x, true, g, H) == HUGE_VAL);
        for (int k = 0; k < 6; ++k) assert_true(g[k] == 0);
    }
    end_term(&memory, &term);
}

static double smallest_area_ratio(const double* x, const double* y) {
    double smallest = HUGE_VAL;
    for (int t = 0; t < 3; ++t) {
        const int32_t* v = triangles + 3 * t;
        double area[2];
        for (int k = 0; k < 2; ++k) {
            const double *p = k ? y : x, *a = p + 3 * v[0], *b = p + 3 * v[1], *c = p + 3 * v[2];
            area[k] = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        }
        smallest = fmin(smallest, area[1] / area[0]);
    }
    return smallest;
}

static void step_bound(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(3);
    pli_term term = make_term(&memory, "neo-hookean", materials[0], &domain);
    pli_random r = {17};
    int bounded = 0;
    for (int i = 0; i < 1000; ++i) {
        double p[15] = {0}, y[15], size = pow(10, i % 9 - 3);
        for (int k = 0; k < 15; ++k)
            if (k % 3 < 2) p[k] = size * pli_random_in(&r, -1, 1);
        pli_check_step_bound(&term, 2, 5, rest, p);
        pli_view view = {.dim = 2, .vertex_count = 5, .x = rest};
        double alpha = term.ops->max_step(term.self, &view, p);
        for (int k = 0; k < 15; ++k) y[k] = rest[k] + alpha * p[k];
        double ratio = smallest_area_ratio(rest, y);
        assert_true(ratio >= 0.1 - 1e-9); // rounding of areas that changed by much more
        if (alpha < 1) {
            ++bounded;
            ASSERT_NEAR(ratio, 0.1, 1e-9);
        }
    }
    assert_true(bounded > 300 && bounded < 1000);
    end_term(&memory, &term);
}

// One triangle, tip pushed straight down by twice its height: 10 % of the area are left at 0.45.
static void step_bound_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_domain domain = make_domain(1);
    pli_term term = make_term(&memory, "neo-hookean", materials[0], &domain);
    double down[15] = {[7] = -2}, up[15] = {[7] = 5};
    pli_view view = {.dim = 2, .vertex_count = 5, .x = rest};
    ASSERT_NEAR(term.ops->max_step(term.self, &view, down), 0.45, 1e-15);
    assert_true(term.ops->max_step(term.self, &view, up) == 1);
    end_term(&memory, &term);
}

static void bad_elements_are_refused(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static const int32_t clockwise[] = {0, 1, 2, 0, 2, 1}, flat[] = {0, 1, 1};
    pli_term term = {0};
    pli_error error = {0};
    pli_domain domain = make_domain(2);
    const pli_energy_type* type = find_type("neo-hookean");
    domain.vertices = clockwise;
    assert_int_equal(pli_element_term_create(&memory, type, materials[0], &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "triangle 1: area at rest = -0.5 m^2, must be > 0 (vertices "
                                       "counter-clockwise)");
    domain.vertices = flat;
    domain.element_count = 1;
    assert_int_equal(pli_element_term_create(&memory, type, materials[0], &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "triangle 0: area at rest = 0 m^2"));
    domain = make_domain(1);
    domain.dim = 3;
    assert_int_equal(pli_element_term_create(&memory, type, materials[0], &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "energy \"neo-hookean\" does not work in dimension 3");
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(contract_at_uneven_states),
        cmocka_unit_test(projection_equals_the_clamp_at_f),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(small_strains),
        cmocka_unit_test(forbidden_states),
        cmocka_unit_test(step_bound),
        cmocka_unit_test(step_bound_closed_form),
        cmocka_unit_test(bad_elements_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
