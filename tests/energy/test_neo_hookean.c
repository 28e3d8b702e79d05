// Neo-Hookean solid: the contract over all kinds of deformation and element, the projection against
// the general eigen-clamp at the level of F, closed forms, the step bound.
#include "energy/solid_fixture.h"

// Stiff, nearly incompressible, and without a push to the sides.
static const pli_setting materials[][2] = {{{"young", 1e5}, {"poisson", 0.4}},
                                           {{"young", 2e4}, {"poisson", 0.49}},
                                           {{"young", 1e3}, {"poisson", 0}}};
static const pli_setting sheet[] = {{"young", 1e5}, {"poisson", 0.4}, {"plane_stress", 1}};
enum { MATERIAL_COUNT = 3 };

static solid_case material(int i) {
    return (solid_case){.name = "neo-hookean", .settings = materials[i], .setting_count = 2};
}

static const solid_case thin = {"neo-hookean", sheet, 3, .sheet = true};

static void contract(void** state) {
    (void)state;
    for (int m = 0; m < MATERIAL_COUNT; ++m) {
        solid_case c = material(m);
        check_contract_of_solid(&c);
    }
    check_contract_of_solid(&thin);
}

static void projection_equals_the_clamp_at_f(void** state) {
    (void)state;
    for (int m = 0; m < MATERIAL_COUNT; ++m) {
        solid_case c = material(m);
        check_projection_of_solid(&c, 500); // the random states do need projection often
    }
    check_projection_of_solid(&thin, 100);
}

static void small_strains(void** state) {
    (void)state;
    for (int m = 0; m < MATERIAL_COUNT; ++m) {
        solid_case c = material(m);
        double young = c.settings[0].value, nu = c.settings[1].value;
        check_small_strains(&c, young / (2 + 2 * nu), young * nu / ((1 + nu) * (1 - 2 * nu)));
    }
    check_small_strains(&thin, 1e5 / 2.8, 1e5 * 0.4 / (1.4 * 0.2));
}

// Lateral stretch by Lambert's function: l^2 = (lam/mu) W(mu/lam e^(mu/lam) / l1),
// P = mu (l1 - 1/l1) + lam ln J / l1.
static void uniaxial_tension(void** state) {
    (void)state;
    static const double rows[][3] = {{0.5, 1.298135604, -102511.146},
                                     {0.8, 1.091581872, -24622.812},
                                     {1.1, 0.962316625, 9219.049},
                                     {1.5, 0.846027890, 36529.448},
                                     {2.0, 0.747239553, 61457.733}};
    static const double energies[] = {19290.175, 2286.614, 473.2187, 9992.957, 34726.381};
    check_uniaxial("neo-hookean", rows, 5);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    patch p = make_patch(PLI_TETRAHEDRON, 0);
    pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
    for (int i = 0; i < 5; ++i) {
        double F[9] = {rows[i][0], 0, 0, 0, rows[i][1], 0, 0, 0, rows[i][1]}, x[3 * PATCH_MAX];
        deform(&p, F, x);
        ASSERT_NEAR(6 * eval_first(&term, 3, x, false, NULL, NULL), energies[i], 1e-3);
    }
    end_term(&memory, &term);
}

// F = I + g e1 e2^T: J = 1, W = mu g^2 / 2, P12 = P21 = mu g; Cauchy s12 = mu g, s11 = mu g^2.
static void simple_shear(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double mu = 1e5 / 2.8, tiny = 1e-12 * 1e5 * 10; // ten roundings
    for (size_t k = 0; k < 4; ++k)
        for (double g = 0.1; g < 2; g += 0.4) {
            patch p = make_patch(solid_kinds[k], 0);
            pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
            double F[9] = {1, g, 0, 0, 1, 0, 0, 0, 1}, P[9], s[6], x[3 * PATCH_MAX];
            mean_stress(&term, &p, F, P);
            ASSERT_NEAR(P[1], mu * g, tiny);
            ASSERT_NEAR(P[3], mu * g, tiny);
            stress_at(&term, &p, F, s);
            ASSERT_NEAR(s[0], mu * g * g, tiny);
            ASSERT_NEAR(s[1], 0, tiny);
            ASSERT_NEAR(s[2], 0, tiny);
            ASSERT_NEAR(s[5], mu * g, tiny);
            deform(&p, F, x);
            double volume = p.dim == 2 ? 0.35 : 1.0 / 6;
            ASSERT_NEAR(eval_first(&term, p.dim, x, false, NULL, NULL), volume * mu * g * g / 2,
                        tiny);
            end_term(&memory, &term);
        }
}

// F = diag(2, 1): tr F^T F = 5, J = 2.
static void closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    patch p = make_patch(PLI_TRIANGLE, 0);
    pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
    double young = 1e5, nu = 0.4, mu = young / (2 * (1 + nu)),
           lam = young * nu / ((1 + nu) * (1 - 2 * nu));
    double F[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, x[3 * PATCH_MAX], g[6], volume = 0.5 * 0.7;
    double l = log(2), tiny = 1e-12 * young, stress[6]; // ten roundings
    deform(&p, F, x);
    double e = eval_first(&term, 2, x, false, g, NULL);
    ASSERT_NEAR(e, volume * (1.5 * mu - mu * l + 0.5 * lam * l * l), tiny);
    ASSERT_NEAR(g[2], volume * (mu * (2 - 0.5) + lam * l * 0.5), tiny); // P_xx on vertex 1
    ASSERT_NEAR(g[5], volume * lam * l, tiny);                          // P_yy on vertex 2
    ASSERT_NEAR(g[3], 0.0, tiny);
    // Cauchy stress P F^T / J; across the plane lam ln J / J
    double energy[2] = {1, 0};
    pli_element_term_fields(&term, x, &(pli_term_fields){.energy = energy});
    ASSERT_NEAR(energy[0], 1 + e, tiny);
    stress_at(&term, &p, F, stress);
    ASSERT_NEAR(stress[0], (mu * 3 + lam * l) / 2, tiny);
    ASSERT_NEAR(stress[1], lam * l / 2, tiny);
    ASSERT_NEAR(stress[2], lam * l / 2, tiny);
    ASSERT_NEAR(stress[5], 0.0, tiny);
    end_term(&memory, &term);
}

static void forbidden_states(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {18};
    static const double bad[][3] = {{0, 0, 0},  {1, 0, 1},  {0, 1, 1},       {-1, 1, 1},
                                    {1, -1, 1}, {2, -3, 1}, {1, -1e-300, 1}, {1e200, -1e200, 1}};
    for (size_t k = 0; k < 4; ++k)
        for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
            patch p = make_patch(solid_kinds[k], 0);
            pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
            double x[3 * PATCH_MAX], g[PLI_LOCAL_MAX], H[PLI_LOCAL_MAX * PLI_LOCAL_MAX];
            double F[9] = {bad[i][0], 0, 0, 0, bad[i][1], 0, 0, 0, bad[i][2]};
            if (i < 4) random_f(&r, p.dim, bad[i], F); // may come out as 1e-17 instead of 0
            deform(&p, F, x);
            double e = eval_first(&term, p.dim, x, true, g, H);
            if (i >= 3) assert_true(e == HUGE_VAL);
            int n = p.dim * pli_element_size(p.kind);
            for (int a = 0; e == HUGE_VAL && a < n; ++a) assert_true(g[a] == 0);
            assert_true(e <= HUGE_VAL); // not NaN
            end_term(&memory, &term);
        }
}

// Smallest J(y) / J(x) over all points of all elements.
static double smallest_ratio(const patch* p, const double* x, const double* y) {
    const pli_quadrature* rule = pli_stiffness_quadrature(p->kind);
    int width = pli_element_size(p->kind);
    double smallest = HUGE_VAL;
    for (int e = 0; e < p->element_count; ++e)
        for (int q = 0; q < rule->count; ++q) {
            double derivatives[30], det[2];
            pli_shape_derivatives(p->kind, rule->at[q], derivatives);
            for (int k = 0; k < 2; ++k) {
                double M[9] = {0};
                for (int v = 0; v < width; ++v)
                    for (int a = 0; a < p->dim; ++a)
                        for (int b = 0; b < p->dim; ++b)
                            M[3 * a + b] += (k ? y : x)[3 * p->vertices[e * width + v] + a] *
                                            derivatives[v * p->dim + b];
                if (p->dim == 2) M[8] = 1;
                det[k] = M[0] * (M[4] * M[8] - M[5] * M[7]) - M[1] * (M[3] * M[8] - M[5] * M[6]) +
                         M[2] * (M[3] * M[7] - M[4] * M[6]);
            }
            smallest = fmin(smallest, det[1] / det[0]);
        }
    return smallest;
}

static void step_bound(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {17};
    for (size_t k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0.05);
        pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
        int bounded = 0;
        for (int i = 0; i < 500; ++i) {
            double d[3 * PATCH_MAX] = {0}, y[3 * PATCH_MAX], size = pow(10, i % 9 - 3);
            for (int c = 0; c < 3 * p.vertex_count; ++c)
                if (c % 3 < p.dim) d[c] = size * pli_random_in(&r, -1, 1);
            pli_check_step_bound(&term, p.dim, p.vertex_count, p.rest, d);
            pli_view view = {.dim = p.dim, .vertex_count = p.vertex_count, .x = p.rest};
            double alpha = term.ops->max_step(term.self, &view, d);
            for (int c = 0; c < 3 * p.vertex_count; ++c) y[c] = p.rest[c] + alpha * d[c];
            double ratio = smallest_ratio(&p, p.rest, y);
            assert_true(ratio >= 0.1 - 1e-9); // rounding of sizes that changed by much more
            if (alpha < 1) {
                ++bounded;
                ASSERT_NEAR(ratio, 0.1, 1e-9);
            }
        }
        assert_true(bounded > 150 && bounded < 500);
        end_term(&memory, &term);
    }
}

// One element, tip pushed straight down by twice its height: 10 % are left at 0.45.
static void step_bound_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (size_t k = 0; k < 2; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        p.element_count = 1;
        pli_term term = make_solid(&memory, "neo-hookean", materials[0], 2, &p);
        double down[3 * PATCH_MAX] = {[7] = -2}, up[3 * PATCH_MAX] = {[7] = 5};
        pli_view view = {.dim = p.dim, .vertex_count = p.vertex_count, .x = p.rest};
        ASSERT_NEAR(term.ops->max_step(term.self, &view, down), 0.45, 1e-15);
        assert_true(term.ops->max_step(term.self, &view, up) == 1);
        end_term(&memory, &term);
    }
}

static void expect_refused(patch p, int a, int b, const char* message) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = {0};
    pli_error error = {0};
    double values[8];
    const pli_energy_type* type = find_type("neo-hookean");
    pli_energy_params(type, sheet, p.dim == 3 && a == b ? 3 : 2, values, NULL);
    int32_t vertex = p.vertices[a];
    p.vertices[a] = p.vertices[b];
    p.vertices[b] = vertex;
    pli_domain domain = {.dim = p.dim,
                         .kind = p.kind,
                         .element_count = p.element_count,
                         .vertices = p.vertices,
                         .rest = p.rest,
                         .thickness = 1};
    assert_int_equal(pli_element_term_create(&memory, type, values, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, message);
    assert_int_equal(memory.bytes, 0);
}

static void bad_elements_are_refused(void** state) {
    (void)state;
    expect_refused(make_patch(PLI_TRIANGLE, 0), 1, 2,
                   "triangle 0: area at rest = -0.5 m^2, must be > 0 (vertices counter-clockwise)");
    expect_refused(
        make_patch(PLI_TETRAHEDRON, 0), 1, 2,
        "tetrahedron 0: volume at rest = -0.166667 m^3, must be > 0 (two of its vertices "
        "must be swapped)");
    patch flat = make_patch(PLI_TRIANGLE, 0);
    flat.vertices[5] = flat.vertices[4];
    expect_refused(flat, 0, 0,
                   "triangle 1: area at rest = 0 m^2, must be > 0 (vertices counter-clockwise)");
    patch curved = make_patch(PLI_TRIANGLE6, 0);
    curved.rest[9] = 3; // the middle of an edge lies far outside
    expect_refused(
        curved, 0, 0,
        "6-node triangle 0: inverted or too curved at rest: area at a quadrature point = -2 m^2, "
        "must be > 0");
    expect_refused(make_patch(PLI_TETRAHEDRON10, 0), 0, 0,
                   "10-node tetrahedron 0: plane_stress is for triangles");
    patch surface = make_patch(PLI_TRIANGLE6, 0);
    surface.dim = 3;
    expect_refused(surface, 0, 1, "energy \"neo-hookean\" does not support 6-node triangle elements");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),
        cmocka_unit_test(projection_equals_the_clamp_at_f),
        cmocka_unit_test(small_strains),
        cmocka_unit_test(uniaxial_tension),
        cmocka_unit_test(simple_shear),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(forbidden_states),
        cmocka_unit_test(step_bound),
        cmocka_unit_test(step_bound_closed_form),
        cmocka_unit_test(bad_elements_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
