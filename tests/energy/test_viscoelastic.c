// Viscoelastic solids and foam: contract, relaxation and creep against the discrete and the exact
// values, the loss tangent, crushing against its closed form.
#include "energy/solid_fixture.h"

#include "energy/solid.h"

static void begin(const pli_term* term, double h, const double* x) {
    assert_int_equal(
        term->ops->begin_step(term->self, &(pli_step){.h = h, .x_n = x, .x_still = x}, NULL),
        PLI_OK);
}

static void commit(const pli_term* term, double h, const double* x) {
    term->ops->commit(term->self, x);
    term->ops->between(term->self, true);
    begin(term, h, x);
}

static void check_contract(const char* name, const pli_setting* settings, int count,
                           unsigned seed) {
    static const double sizes[] = {0.01, 0.2, 0.6};
    pli_random r = {seed};
    for (int k = 0; k < 5; ++k) // the last: triangles in space
        for (int i = 0; i < 12; ++i) {
            patch p = make_patch(k < 4 ? solid_kinds[k] : PLI_TRIANGLE, 0.03);
            if (k == 4) p.dim = 3;
            double x[3 * PATCH_MAX], size = sizes[i % 3];
            pli_setting all[16];
            memcpy(all, settings, sizeof *all * (size_t)count);
            all[count] = (pli_setting){"plane_stress", p.dim == 2 && i % 2};
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_term term = make_solid(&memory, name, all, count + 1, &p);
            for (int n = 0; n < 3; ++n) {
                double s[3], F[9];
                for (int a = 0; a < 3; ++a) s[a] = 1 + pli_random_in(&r, -size, size);
                random_f(&r, p.dim, s, F);
                deform(&p, F, x);
                for (int v = 0; v < 3 * p.vertex_count; ++v)
                    if (v % 3 < p.dim) x[v] += 0.1 * size * pli_random_in(&r, -1, 1);
                if (n < 2) commit(&term, 0.3, x);
            }
            pli_check_contract(&term, &(pli_contract){.dim = p.dim,
                                                      .vertex_count = p.vertex_count,
                                                      .x = x,
                                                      .step = 1e-4 * size,
                                                      .gradient_tolerance = 1e-7,
                                                      .hessian_tolerance = 2e-6,
                                                      .internal = true,
                                                      .objective = true,
                                                      .clamp_tolerance = -1});
            end_term(&memory, &term);
        }
}

static void contract(void** state) {
    (void)state;
    const pli_setting series[] = {{"young", 1e5},     {"poisson", 0.3}, {"fraction1", 0.4},
                                  {"time1", 0.1},     {"time2", 1},     {"fraction2", 0.3},
                                  {"fraction3", 0.2}, {"time3", 10}};
    const pli_setting fluid[] = {{"young", 1e5}, {"fraction1", 1}, {"time1", 0.5}};
    const pli_setting foam[] = {{"young", 1e5},     {"poisson", 0.1},       {"crush", 3e3},
                                {"hardening", 2e3}, {"densification", 0.5}, {"yield", 4e3}};
    check_contract("viscoelastic", series, 8, 61);
    check_contract("viscoelastic", fluid, 3, 62);
    check_contract("foam", foam, 6, 63);
}

// Shear modulus G against fast loads of a standard linear solid with two equal springs.
static const double G = 2e5, relaxation = 1, h = 0.01; // [Pa], [s]

static pli_term make_linear_solid(pli_memory* memory, const patch* p) {
    const pli_setting settings[] = {
        {"lame_mu", G}, {"lame_lambda", G}, {"fraction1", 0.5}, {"time1", relaxation}};
    pli_term term = make_solid(memory, "viscoelastic", settings, 4, p);
    begin(&term, h, p->rest);
    return term;
}

// Simple shear; the part of the stress beyond the first order in it is of size gamma^2.
static double shear_stress(const pli_term* term, const patch* p, double gamma, double* x) {
    double F[9] = {1, gamma, 0, 0, 1, 0, 0, 0, 1}, P[9];
    deform(p, F, x);
    mean_stress(term, p, F, P);
    return P[1];
}

// 1e5 (1 + e^-t): the discrete value is 136971.121 at t = 1, for all kinds of elements.
static void relaxes(void** state) {
    (void)state;
    for (int k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_term term = make_linear_solid(&memory, &p);
        double gamma = 1e-5, x[3 * PATCH_MAX], stress = 0, part = 1, spent = 0;
        for (int i = 1; i <= 100; ++i) {
            stress = shear_stress(&term, &p, gamma, x);
            part /= 1 + h / relaxation;
            ASSERT_NEAR(stress / gamma, 1e5 * (1 + part), 1e-6 * 1e5);
            commit(&term, h, x);
            assert_true(term.ops->spent(term.self) > spent);
            spent = term.ops->spent(term.self);
        }
        ASSERT_NEAR(stress / gamma, 136971.121, 1e-6 * 136971);
        ASSERT_NEAR(stress / gamma, 136787.944, 0.002 * 136788); // exact, first order in h
        end_term(&memory, &term);
    }
}

// Constant stress: 5.0e-3 at once, 6.967347e-3 at t = 1, 1.0e-2 at the end.
static void creeps(void** state) {
    (void)state;
    patch p = make_patch(PLI_TETRAHEDRON, 0);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = make_linear_solid(&memory, &p);
    const double load = 1; // [Pa]
    double x[3 * PATCH_MAX], gamma = load / G;
    for (int i = 1; i <= 2000; ++i) {
        for (int n = 0; n < 3; ++n) { // the stress is nearly linear in the shear
            double stress = shear_stress(&term, &p, gamma, x);
            gamma += (load - stress) / (G / 2 * (1 + 1 / (1 + h / relaxation)));
        }
        shear_stress(&term, &p, gamma, x);
        commit(&term, h, x);
        if (i == 1) ASSERT_NEAR(gamma * 1e3 / load, 5e-3, 0.01 * 5e-3);
        if (i == 100) ASSERT_NEAR(gamma * 1e3 / load, 6.967347e-3, 0.01 * 6.97e-3);
    }
    ASSERT_NEAR(gamma * 1e3 / load, 1e-2, 1e-5); // exp(-10) is left
    end_term(&memory, &term);
}

// Loss tangent of a sinusoidal shear: 1/3 at omega = 1, the largest, 0.353553, at 0.707107 rad/s.
static void loses_by_frequency(void** state) {
    (void)state;
    static const double rows[][2] = {{1, 1.0 / 3}, {0.70710678, 0.35355339}, {0.1, 0.0495}};
    for (int i = 0; i < 3; ++i) {
        patch p = make_patch(PLI_TRIANGLE, 0);
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_term term = make_linear_solid(&memory, &p);
        double omega = rows[i][0], gamma = 1e-5, x[3 * PATCH_MAX], in = 0, out = 0;
        int period = (int)(6.283185307179586 / omega / h + 0.5), settle = 10 * (int)(1 / h);
        for (int n = 1; n <= settle + period; ++n) {
            double phase = omega * h * n;
            double stress = shear_stress(&term, &p, gamma * sin(phase), x);
            if (n > settle) in += stress * sin(phase), out += stress * cos(phase);
            commit(&term, h, x);
        }
        // tan = E''/E' with E' = 1 + (w T)^2 / (1 + (w T)^2), E'' = w T / (1 + (w T)^2)
        double w2 = omega * omega, exact = omega / (1 + 2 * w2);
        ASSERT_NEAR(out / in, exact, 0.02 * exact);
        if (i < 2) ASSERT_NEAR(exact, rows[i][1], 1e-6);
        end_term(&memory, &term);
    }
}

// Equal pressing from all sides: K to `crush`, then K H / (K + H), then K; unloads with K, and
// stays.
static void foam_stays_crushed(void** state) {
    (void)state;
    const double E = 9e4, K = E / 3, H = 3e3, crush = 500, closed = -log(1 - 0.3); // poisson = 0
    const pli_setting settings[] = {{"young", E},     {"poisson", 0},         {"crush", crush},
                                    {"hardening", H}, {"densification", 0.3}, {"yield", 1e9}};
    for (int k = 1; k < 4; k += 2) {
        patch p = make_patch(solid_kinds[k], 0);
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_term term = make_solid(&memory, "foam", settings, 6, &p);
        double x[3 * PATCH_MAX], spent = 0;
        begin(&term, h, p.rest);
        for (int i = 1; i <= 50; ++i) {
            double t = 0.01 * i, stress[6], s = exp(-t / 3), F[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
            double lost = fmax(0, fmin((K * t - crush) / (K + H), closed));
            stress_at(&term, &p, F, stress);
            ASSERT_NEAR(-stress[0] * s * s * s, K * (t - lost), 1e-9 * K);
            deform(&p, F, x);
            commit(&term, h, x);
            assert_true(term.ops->spent(term.self) >= spent);
            spent = term.ops->spent(term.self);
        }
        double s = exp(-closed / 3), F[9] = {s, 0, 0, 0, s, 0, 0, 0, s}, stress[6];
        stress_at(&term, &p, F, stress); // released
        ASSERT_NEAR(stress[0], 0, 1e-9 * K);
        double work = (crush + 0.5 * H * closed) * closed;
        spent = shown_at(&term, "dissipated_density", x, p.vertex_count, 0, 0);
        ASSERT_NEAR(spent, work, 1e-9 * work);
        end_term(&memory, &term);
    }
}

static void bad_series(void** state) {
    (void)state;
    double values[24];
    pli_error error = PLI_NO_ERROR;
    const pli_setting settings[] = {{"fraction1", 0.7}, {"fraction2", 0.5}};
    assert_int_equal(pli_energy_params(find_type("viscoelastic"), settings, 2, values, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "sum up to 1.2"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),
        cmocka_unit_test(relaxes),
        cmocka_unit_test(creeps),
        cmocka_unit_test(loses_by_frequency),
        cmocka_unit_test(foam_stays_crushed),
        cmocka_unit_test(bad_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
