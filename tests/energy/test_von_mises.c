// Von Mises plasticity: the contract for every kind of element and hardening, before and after
// flow; stresses against a return mapping of its own; the uniaxial curve with unloading and
// reversal; dissipation.
#include "energy/solid_fixture.h"

#include "energy/solid.h"
#include "math/vec.h"

typedef struct mises_case {
    const char* name;
    double young, poisson, yield, hardening, saturation, speed, kinematic, viscosity, exponent;
} mises_case;

static const mises_case cases[] = {
    {"perfect", 1e5, 0.3, 2e3, 0, 0, 0, 0, 0, 1},
    {"linear", 1e5, 0.3, 2e3, 2e4, 0, 0, 0, 0, 1},
    {"voce", 1e5, 0.4, 1e3, 1e3, 4e3, 30, 0, 0, 1},
    {"kinematic", 1e5, 0.2, 2e3, 0, 0, 0, 3e4, 0, 1},
    {"all hardening", 1e5, 0.3, 1e3, 2e3, 2e3, 10, 2e4, 0, 1},
    {"bingham", 1e5, 0.3, 1e3, 1e3, 0, 0, 0, 500, 1},
    {"herschel-bulkley", 1e5, 0.3, 1e3, 0, 0, 0, 0, 2e3, 0.4},
    {"creep", 1e5, 0.3, 0, 0, 0, 0, 0, 5e3, 0.25},
    {"everything", 1e5, 0.3, 1e3, 1e3, 2e3, 20, 1e4, 1e3, 0.5},
};
enum { CASE_COUNT = sizeof cases / sizeof *cases, SETTINGS = 10 };
static const double time_step = 0.05; // [s]

static void settings_of(const mises_case* c, bool plane_stress, pli_setting out[SETTINGS]) {
    const pli_setting all[SETTINGS] = {
        {"young", c->young},
        {"poisson", c->poisson},
        {"yield", c->yield},
        {"hardening", c->hardening},
        {"saturation", c->saturation},
        {"saturation_speed", c->speed},
        {"kinematic", c->kinematic},
        {"viscosity", c->viscosity},
        {"rate_exponent", c->exponent},
        {"plane_stress", plane_stress},
    };
    memcpy(out, all, sizeof all);
}

static void begin(const pli_term* term, const double* x) {
    assert_int_equal(term->ops->begin_step(
                         term->self, &(pli_step){.h = time_step, .x_n = x, .x_still = x}, NULL),
                     PLI_OK);
}

static void commit(const pli_term* term, const double* x) {
    term->ops->commit(term->self, x);
    term->ops->between(term->self, true);
    begin(term, x);
}

static pli_term make_mises(pli_memory* memory, const mises_case* c, bool plane_stress,
                           const patch* p) {
    pli_setting settings[SETTINGS];
    settings_of(c, plane_stress, settings);
    pli_term term = make_solid(memory, "von-mises", settings, SETTINGS, p);
    begin(&term, p->rest);
    return term;
}

// A random state, with stretches up to 1 +- size.
static void random_state(pli_random* r, const patch* p, double size, double* x) {
    double s[3], F[9];
    for (int a = 0; a < 3; ++a) s[a] = 1 + pli_random_in(r, -size, size);
    random_f(r, p->dim, s, F);
    deform(p, F, x);
    for (int i = 0; i < 3 * p->vertex_count; ++i)
        if (i % 3 < p->dim) x[i] += 0.2 * size * pli_random_in(r, -1, 1);
}

static void contract(void** state) {
    (void)state;
    static const double sizes[] = {0.002, 0.05, 0.3, 0.6};
    pli_random r = {51};
    for (int k = 0; k < 5; ++k) // the last: triangles in space
        for (int c = 0; c < CASE_COUNT; ++c)
            for (int i = 0; i < 8; ++i) {
                patch p = make_patch(k < 4 ? solid_kinds[k] : PLI_TRIANGLE, 0.03);
                if (k == 4) p.dim = 3;
                double x[3 * PATCH_MAX], size = sizes[i % 4];
                pli_memory memory;
                pli_memory_init(&memory, NULL);
                pli_term term = make_mises(&memory, &cases[c], p.dim == 2 && i % 2, &p);
                for (int n = 0; n < i / 2; ++n) {
                    random_state(&r, &p, size, x);
                    commit(&term, x);
                }
                random_state(&r, &p, size, x);
                // In creep stresses are small differences of stretches.
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

// ---- a return mapping of its own, for deformations along the axes

typedef struct oracle {
    double plastic[2][3]; // logarithmic plastic strains of both branches
    double strain;        // of the flow, norm
} oracle;

// Kirchhoff stresses [Pa] at the logarithmic stretches e; `o` is updated.
static void return_map(const mises_case* c, const double e[3], double h, oracle* o, double tau[3]) {
    double mu = c->young / (2 * (1 + c->poisson)), bulk = c->young / (3 * (1 - 2 * c->poisson));
    double volume = e[0] + e[1] + e[2], dev[3], back[3], X[3], n = 0, root = sqrt(2.0 / 3);
    double C = 2.0 / 3 * c->kinematic; // of the back stress C q
    for (int i = 0; i < 3; ++i) {
        dev[i] = e[i] - volume / 3;
        back[i] = C * o->plastic[0][i];
        X[i] = 2 * mu * (dev[i] - o->plastic[0][i]) - back[i]; // trial less back stress
        n += X[i] * X[i];
    }
    n = sqrt(n);
    double low = 0, high = n / (2 * mu);
    for (int k = 0; k < 200; ++k) {
        double g = 0.5 * (low + high), a = root * (o->strain + g);
        double yield =
            root * (c->yield + c->hardening * a + c->saturation * (1 - exp(-c->speed * a)) +
                    (c->viscosity > 0 ? c->viscosity * pow(root * g / h, c->exponent) : 0));
        if (n - (2 * mu + C) * g > yield)
            low = g;
        else
            high = g;
    }
    o->strain += low;
    for (int i = 0; i < 3; ++i) {
        o->plastic[0][i] += low * X[i] / n;
        tau[i] = 2 * mu * (dev[i] - o->plastic[0][i]) + bulk * volume;
    }
}

// Stretches along the axes, back and forth, in a proportion that varies: the same stresses to 1e-8.
static void follows_the_return_mapping(void** state) {
    (void)state;
    for (int k = 0; k < 4; ++k)
        for (int c = 0; c < CASE_COUNT; ++c) {
            patch p = make_patch(solid_kinds[k], 0);
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_term term = make_mises(&memory, &cases[c], false, &p);
            oracle o = {{{0}}, 0};
            double spent = 0;
            for (int step = 1; step <= 40; ++step) {
                double t = 0.1 * step, x[3 * PATCH_MAX], sigma[6], tau[3], J = 1, size = 0;
                double e[3] = {0.05 * sin(t), 0.03 * sin(0.7 * t),
                               p.dim == 3 ? 0.04 * sin(2 * t) : 0};
                double F[9] = {exp(e[0]), 0, 0, 0, exp(e[1]), 0, 0, 0, exp(e[2])};
                return_map(&cases[c], e, time_step, &o, tau);
                stress_at(&term, &p, F, sigma);
                for (int a = 0; a < 3; ++a) J *= exp(e[a]), size = fmax(size, fabs(tau[a]));
                // Kinematic hardening by branches is Prager's rule while axes do not turn.
                for (int a = 0; a < 3; ++a) ASSERT_NEAR(sigma[a] * J, tau[a], 1e-8 * (size + 1));
                deform(&p, F, x);
                commit(&term, x);
                double all = term.ops->spent(term.self);
                assert_true(all >= spent);
                spent = all;
            }
            assert_true(spent > 0);
            end_term(&memory, &term);
        }
}

// A rotation on top of the path changes nothing: F_p does not turn with the body.
static void turns_with_the_body(void** state) {
    (void)state;
    pli_random r = {52};
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < CASE_COUNT; ++c) {
            patch p = make_patch(solid_kinds[k], 0);
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_term still = make_mises(&memory, &cases[c], false, &p);
            pli_term turned = make_mises(&memory, &cases[c], false, &p);
            for (int step = 0; step < 10; ++step) {
                double s[3] = {1.1, 0.95, 1}, F[9], Q[9], x[3 * PATCH_MAX], y[3 * PATCH_MAX];
                random_f(&r, p.dim, s, F);
                pli_random_rotation(&r, p.dim, Q);
                deform(&p, F, x);
                for (int v = 0; v < p.vertex_count; ++v)
                    for (int a = 0; a < 3; ++a) y[3 * v + a] = pli_dot(Q + 3 * a, x + 3 * v, 3);
                double e = eval_first(&still, p.dim, x, false, NULL, NULL);
                double f = eval_first(&turned, p.dim, y, false, NULL, NULL);
                ASSERT_NEAR(f, e, 1e-11 * fabs(e) + 1e-12);
                commit(&still, x);
                commit(&turned, y);
            }
            still.ops->destroy(still.self);
            end_term(&memory, &turned);
        }
}

// ---- the uniaxial test: one element free across

static double uniaxial_stress(const pli_term* term, const patch* p, double stretch, double* x) {
    double lateral, force;
    uniaxial(term, p, stretch, &lateral, &force);
    double F[9] = {stretch, 0, 0, 0, lateral, 0, 0, 0, lateral};
    deform(p, F, x);
    return force * stretch; // Kirchhoff
}

// Kirchhoff stress over logarithmic strain: E up to yield, then E H / (E + H), unloading with E,
// and reversal after 2 yield of stress (kinematic) or 2 of what it was (isotropic). In space and in
// plane stress.
static void uniaxial_curve(void** state) {
    (void)state;
    const double E = 1e5, Y = 500, H = 2e4, top = 0.03, back = 0.012;
    for (int k = 0; k < 4; ++k)
        for (int moves = 0; moves < 2; ++moves) {
            patch p = make_patch(solid_kinds[k], 0);
            mises_case c = {.young = E, .poisson = 0.3, .yield = Y, .exponent = 1};
            *(moves ? &c.kinematic : &c.hardening) = H;
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_term term = make_mises(&memory, &c, p.dim == 2, &p);
            double x[3 * PATCH_MAX], tangent = E * H / (E + H), peak = Y + tangent * (top - Y / E);
            for (int i = 1; i <= 30; ++i) {
                double e = top * i / 30, expected = e < Y / E ? E * e : Y + tangent * (e - Y / E);
                ASSERT_NEAR(uniaxial_stress(&term, &p, exp(e), x), expected, 1e-8 * peak);
                commit(&term, x);
            }
            // Elastic back to zero stress: the residual strain.
            double residual = top - peak / E;
            ASSERT_NEAR(uniaxial_stress(&term, &p, exp(residual), x), 0, 1e-8 * peak);
            double turn = top - (moves ? 2 * Y : 2 * peak) / E; // yields again here
            double expected = (moves ? peak - 2 * Y : -peak) - tangent * (turn - (residual - back));
            assert_true(turn > residual - back);
            ASSERT_NEAR(uniaxial_stress(&term, &p, exp(residual - back), x), expected, 1e-8 * peak);
            end_term(&memory, &term);
        }
}

// What `commit` takes away is the work of the plastic strain; readers see it.
static void dissipates_the_plastic_work(void** state) {
    (void)state;
    patch p = make_patch(PLI_TETRAHEDRON, 0);
    mises_case c = {.young = 1e5, .poisson = 0.3, .yield = 500, .exponent = 1};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = make_mises(&memory, &c, false, &p);
    double x[3 * PATCH_MAX], strain = 0.02 - 500 / 1e5;
    assert_true(uniaxial_stress(&term, &p, exp(0.02), x) > 0);
    double before = eval_first(&term, 3, x, false, NULL, NULL);
    term.ops->commit(term.self, x);
    double after = eval_first(&term, 3, x, false, NULL, NULL), volume = 1.0 / 6;
    ASSERT_NEAR((before - after) / volume, 500 * strain, 1e-8 * 500 * strain);
    ASSERT_NEAR(shown_at(&term, "plastic_strain", x, p.vertex_count, 0, 0), strain, 1e-12);
    ASSERT_NEAR(shown_at(&term, "yield_ratio", x, p.vertex_count, 0, 0), 1, 1e-12);
    ASSERT_NEAR(shown_at(&term, "dissipated_density", x, p.vertex_count, 0, 0), 500 * strain, 1e-9);
    end_term(&memory, &term);
}

// Softening ends at no strength, and what would unload faster than it softens is refused.
static void softening(void** state) {
    (void)state;
    patch p = make_patch(PLI_TETRAHEDRON, 0);
    mises_case c = {.young = 1e5, .poisson = 0.3, .yield = 500, .hardening = -1e4, .exponent = 1};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = make_mises(&memory, &c, false, &p);
    double x[3 * PATCH_MAX];
    for (int i = 1; i <= 20; ++i) {
        double e = 0.005 * i, expected = fmax(0, 500 - 1e4 * (e - 0.005) / 0.9);
        ASSERT_NEAR(uniaxial_stress(&term, &p, exp(e), x), expected, 1e-6 * 500);
        commit(&term, x);
    }
    end_term(&memory, &term);
    double values[24];
    pli_error error = PLI_NO_ERROR;
    const pli_setting settings[] = {{"young", 1e5}, {"hardening", -1.2e5}};
    assert_int_equal(pli_energy_params(find_type("von-mises"), settings, 2, values, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "soften"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),
        cmocka_unit_test(follows_the_return_mapping),
        cmocka_unit_test(turns_with_the_body),
        cmocka_unit_test(uniaxial_curve),
        cmocka_unit_test(dissipates_the_plastic_work),
        cmocka_unit_test(softening),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
