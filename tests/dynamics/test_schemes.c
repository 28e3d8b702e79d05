// Every time scheme on the oscillator x'' = -omega^2 x: step matrix, order, invariants; free fall;
// statics; what is refused.
#include "dynamics/worlds.h"

#include "dynamics/scheme.h"

// One vertex of mass 1 on an anchor at the origin with stiffness omega^2, damped by alpha M + beta
// K.
static pli_world* make_damped(const char* scheme, double omega, double h, double x, double v,
                              const double damping[2]) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.time_step = h;
    def.solver.tolerance = 1e-11;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double rest[3] = {0}, initial[3] = {x, 0, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, rest, NULL, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.velocity[0] = v;
    body.vertex_mass = 1;
    body.mass_damping = damping[0];
    body.stiffness_damping = damping[1];
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", omega * omega};
    ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
    return world;
}

static pli_world* make_oscillator(const char* scheme, double omega, double h, double x, double v) {
    static const double none[2] = {0, 0};
    return make_damped(scheme, omega, h, x, v, none);
}

// Columns of the step matrix on (x, v / omega), with omega = 1 and h = z.
static void step_matrix(const char* scheme, double z, double A[4]) {
    for (int c = 0; c < 2; ++c) {
        pli_world* world = make_oscillator(scheme, 1, z, c == 0, c == 1);
        step(world);
        A[c] = pli_world_positions(world)[0];
        A[2 + c] = pli_world_velocities(world)[0];
        pli_world_destroy(world);
    }
}

static double spectral_radius(const double A[4]) {
    double mean = 0.5 * (A[0] + A[3]), det = A[0] * A[3] - A[1] * A[2], d = mean * mean - det;
    return d < 0 ? sqrt(det) : fabs(mean) + sqrt(d);
}

static double above_limit(double z) { return 0.5 * (z * z - 2 + z * sqrt(z * z - 4)); }

static void test_step_matrices(void** state) {
    (void)state;
    static const double sizes[] = {0.1, 0.5, 1, 2.5, 10};
    for (int i = 0; i < 5; ++i) {
        double z = sizes[i], A[4], symplectic = z <= 2 ? 1 : above_limit(z);
        double tolerance = 1e-11 * (1 + z * z * z); // entries grow with z^3
        step_matrix("forward-euler", z, A);
        ASSERT_NEAR(spectral_radius(A), sqrt(1 + z * z), tolerance);
        step_matrix("symplectic-euler", z, A);
        ASSERT_NEAR(A[0] * A[3] - A[1] * A[2], 1, tolerance);
        ASSERT_NEAR(spectral_radius(A), symplectic, tolerance);
        step_matrix("leapfrog", z, A);
        ASSERT_NEAR(A[0] * A[3] - A[1] * A[2], 1, tolerance);
        ASSERT_NEAR(spectral_radius(A), symplectic, tolerance);
        step_matrix("backward-euler", z, A);
        ASSERT_NEAR(A[0] * A[3] - A[1] * A[2], 1 / (1 + z * z), tolerance);
        ASSERT_NEAR(spectral_radius(A), 1 / sqrt(1 + z * z), tolerance);
        static const char* const undamped[] = {"newmark", "implicit-midpoint",
                                               "averaged-vector-field"};
        for (int s = 0; s < 3; ++s) {
            step_matrix(undamped[s], z, A);
            ASSERT_NEAR(A[0] * A[3] - A[1] * A[2], 1, tolerance);
            ASSERT_NEAR(spectral_radius(A), 1, tolerance);
            ASSERT_NEAR(acos(0.5 * (A[0] + A[3])), 2 * atan(z / 2), 1e-7); // angle per step
        }
        step_matrix("rk4", z, A); // 1 - z^2/2 + z^4/24 on the diagonal
        ASSERT_NEAR(A[0], 1 - z * z / 2 + pow(z, 4) / 24, tolerance * (1 + z));
    }
}

// The exponential scheme is exact for linear forces.
static void test_exponential_is_exact(void** state) {
    (void)state;
    static const double sizes[] = {0.1, 1, 10, 100};
    for (int i = 0; i < 4; ++i) {
        double z = sizes[i], A[4];
        step_matrix("exponential", z, A);
        ASSERT_NEAR(A[0], cos(z), 1e-12 * (1 + z)); // the angle is known to rounding only
        ASSERT_NEAR(A[1], sin(z), 1e-12 * (1 + z));
        ASSERT_NEAR(A[2], -sin(z), 1e-12 * (1 + z));
    }
}

// A chain of springs between two walls whose modes are known: omega_k = omega sin(pi k / 2 N). One
// vertex is hit, so that all modes swing and no small space holds them.
enum { LINKS = 60, HIT = 7 };

static pli_world* make_chain(double omega, double h) {
    pli_world_def def = pli_default_world_def();
    def.scheme = "exponential";
    def.time_step = h;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0},
                                LINKS, &error));
    double velocities[3 * (LINKS + 1)] = {[3 * HIT] = 1};
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.velocities = velocities;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 0.25 * omega * omega};
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", &k, 1, NULL, &error));
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = (const int32_t[2]){0, LINKS};
    fix.vertex_count = 2;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    return world;
}

static void test_exponential_chain(void** state) {
    (void)state;
    static const double sizes[] = {1, 20, 200, 2000}; // h omega: 1, 1, 8 and 64 parts
    const double omega = 1e4, pi = 3.14159265358979323846;
    for (int i = 0; i < 4; ++i) {
        double h = sizes[i] / omega;
        pli_world* world = make_chain(omega, h);
        for (int n = 1; n <= 3; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            for (int v = 0; v <= LINKS; ++v) {
                double expected = 0;
                for (int k = 1; k < LINKS; ++k)
                    expected += 2. / LINKS * sin(pi * k * HIT / LINKS) * sin(pi * k * v / LINKS) *
                                cos(omega * sin(0.5 * pi * k / LINKS) * n * h);
                // 1e-12 in each part, and phases that are known to rounding
                ASSERT_NEAR(pli_world_velocities(world)[3 * v], expected, 1e-10 * (1 + sizes[i]));
            }
        }
        pli_world_destroy(world);
    }
}

// Where no number of parts is enough the step says so, and nothing has moved.
static void test_exponential_beyond_its_reach(void** state) {
    (void)state;
    pli_world* world = make_chain(1e4, 1e3);
    pli_step_info info = step(world);
    assert_int_equal(info.reason, PLI_DIVERGED);
    assert_false(info.kept);
    assert_true(pli_world_velocities(world)[3 * HIT] == 1);
    pli_world_destroy(world);
}

// A vertex swings on a spring that is far from linear; its place at t = 1.
static void swing(const char* scheme, int steps, double out[2]) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.time_step = 1.0 / steps;
    def.gravity[1] = -9.81;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    add_swing(world, 1, 0);
    swing_to_end(world, steps, out);
}

static void test_exponential_order(void** state) {
    (void)state;
    double reference[2], coarse[2], fine[2];
    swing("rk4", 2000, reference);
    swing("exponential", 160, coarse);
    swing("exponential", 320, fine);
    double order = order_of(reference, coarse, fine);
    print_message("    exponential        order %.3f\n", order);
    ASSERT_NEAR(order, 2, 0.1);
}

// BDF2 has no step matrix on (x, v) alone: the decay of a long run is its spectral radius.
static void test_bdf2_damping(void** state) {
    (void)state;
    static const double sizes[] = {0.1, 0.5, 1, 2, 10},
                        radius[] = {0.99998, 0.99040, 0.93332, 0.76223, 0.30075};
    for (int i = 0; i < 5; ++i) {
        pli_world* world = make_oscillator("bdf2", 1, sizes[i], 1, 0);
        int settle = 20, count = i < 2 ? 400 : 20;
        double size[2] = {0};
        for (int n = 1; n <= settle + count; ++n) {
            step(world);
            double x = pli_world_positions(world)[0], v = pli_world_velocities(world)[0];
            // the largest over the last turn, so that the phase does not matter
            int turn = (int)(7 / atan(sizes[i])) + 1;
            for (int k = 0; k < 2; ++k)
                if (n > settle + k * count - turn && n <= settle + k * count)
                    size[k] = fmax(size[k], hypot(x, v));
        }
        // The window of one turn blurs the estimate by less than one step in `count`.
        ASSERT_NEAR(pow(size[1] / size[0], 1.0 / count), radius[i], i < 2 ? 2e-3 : 0.05);
        pli_world_destroy(world);
    }
}

static double error_at_one(const char* scheme, int steps) {
    pli_world* world = make_oscillator(scheme, 2, 1.0 / steps, 1, 0.5);
    for (int n = 0; n < steps; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double x = cos(2) + 0.25 * sin(2), v = -2 * sin(2) + 0.5 * cos(2);
    double away =
        hypot(pli_world_positions(world)[0] - x, (pli_world_velocities(world)[0] - v) / 2);
    pli_world_destroy(world);
    return away;
}

static void test_orders(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        int order, steps;
    } cases[] = {{"forward-euler", 1, 640},
                 {"symplectic-euler", 1, 640},
                 {"backward-euler", 1, 640},
                 {"leapfrog", 2, 80},
                 {"newmark", 2, 80},
                 {"implicit-midpoint", 2, 80},
                 {"averaged-vector-field", 2, 80},
                 {"bdf2", 2, 320},
                 {"bdf3", 3, 160},
                 {"bdf4", 4, 80},
                 {"bdf5", 5, 40},
                 {"bdf6", 6, 20},
                 {"rk4", 4, 40}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double coarse = error_at_one(cases[i].scheme, cases[i].steps);
        double fine = error_at_one(cases[i].scheme, 2 * cases[i].steps);
        double order = log2(coarse / fine);
        print_message("    %-18s order %.3f\n", cases[i].scheme, order);
        // 0.1 as for any fit; the high orders meet rounding and the start of the run earlier
        ASSERT_NEAR(order, cases[i].order, cases[i].order > 4 ? 0.4 : 0.1);
    }
}

// v^2 + omega^2 x^2 - h omega^2 x v is constant under symplectic Euler.
static void test_symplectic_invariant(void** state) {
    (void)state;
    double h = 0.3, w2 = 4;
    pli_world* world = make_oscillator("symplectic-euler", 2, h, 1, 0.5);
    double first = 0.25 + w2 - h * w2 * 0.5;
    for (int n = 0; n < 50; ++n) {
        step(world);
        double x = pli_world_positions(world)[0], v = pli_world_velocities(world)[0];
        ASSERT_NEAR(v * v + w2 * x * x - h * w2 * x * v, first, 1e-12);
    }
    pli_world_destroy(world);
}

// y_n after 100 steps of free fall: exact motion for schemes of order 2, n (n + 1) for Euler's.
static void test_free_fall(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        const pli_scheme* scheme = pli_scheme_find(pli_scheme_name(i));
        if (scheme->statics) continue;
        pli_world_def def = pli_default_world_def();
        def.scheme = scheme->name;
        def.gravity[1] = -9.81;
        pli_world* world = make_world(&def);
        add_point(world, 0, 0, 0, 0);
        int64_t calls = 0; // after the first step no scheme asks for memory
        for (int n = 0; n < 100; ++n) {
            if (n == 1) calls = pli_world_memory_calls(world);
            assert_int_equal(step(world).reason, PLI_CONVERGED);
        }
        assert_int_equal(pli_world_memory_calls(world), calls);
        double steps = strcmp(scheme->name, "backward-euler") == 0 ||
                               strcmp(scheme->name, "symplectic-euler") == 0
                           ? 100. * 101
                       : strcmp(scheme->name, "forward-euler") == 0 ? 100. * 99
                                                                    : 100. * 100;
        // bdf2 and higher begin with a step of order 1 that is off by g h^2 / 2 at most
        double tolerance = strncmp(scheme->name, "bdf", 3) == 0 ? 1e-2 : 1e-10;
        ASSERT_NEAR(pli_world_positions(world)[1], -0.5 * 9.81 * 1e-4 * steps, tolerance);
        pli_world_destroy(world);
    }
}

// x'' + 2 d x' + omega^2 x = 0 with 2 d = alpha + beta omega^2: x = e^(-d t) (cos w t + d/w sin w
// t).
static void test_damping(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "implicit-midpoint",
                                          "averaged-vector-field"};
    static const double dampings[2][2] = {{0.8, 0}, {0, 0.1}};
    for (int s = 0; s < 5; ++s)
        for (int k = 0; k < 2; ++k) {
            double omega = 3, h = 1e-3, d = 0.5 * (dampings[k][0] + dampings[k][1] * 9);
            double w = sqrt(omega * omega - d * d);
            pli_world* world = make_damped(schemes[s], omega, h, 1, 0, dampings[k]);
            for (int n = 1; n <= 2000; ++n) {
                assert_int_equal(step(world).reason, PLI_CONVERGED);
                double t = h * n, x = exp(-d * t) * (cos(w * t) + d / w * sin(w * t));
                // order 1 loses omega^2 h t / 2, order 2 about (omega h)^2
                ASSERT_NEAR(pli_world_positions(world)[0], x, s == 0 ? 1e-2 : 2e-5);
            }
            pli_world_destroy(world);
        }
    pli_world* world = make_damped("static", 1, 0.1, 1, 0, dampings[0]);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "damping"));
    pli_world_destroy(world);
}

// A chain of linear springs hangs: spring i carries what is below it.
static void test_static_chain(void** state) {
    (void)state;
    static const char* const schemes[] = {"static", "quasi-static"};
    for (int s = 0; s < 2; ++s) {
        enum { N = 10 };
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[s];
        def.gravity[1] = -10;
        def.solver.gradient_tolerance = 1e-10;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        const double a[3] = {0, 0, 0}, b[3] = {0, -N, 0};
        ASSERT_OK(pli_mesh_add_line(&mesh, a, b, N, &error));
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.vertex_mass = 2;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting k = {"stiffness", 1000};
        ASSERT_OK(pli_world_add_energy(world, id, "hooke", &k, 1, NULL, &error));
        pli_fix_def fix = pli_default_fix_def();
        const int32_t top[1] = {0};
        fix.vertices = top;
        fix.vertex_count = 1;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double y = 0;
        for (int i = 1; i <= N; ++i) {
            y -= 1 + 20.0 * (N - i + 1) / 1000;
            ASSERT_NEAR(pli_world_positions(world)[3 * i + 1], y, 1e-8);
        }
        ASSERT_NEAR(pli_world_reactions(world)[1], 20 * (N + 1), 1e-6); // its own weight included
        pli_world_destroy(world);
    }
}

// An explicit scheme far above its limit blows up; the run says so and keeps the last state.
static void test_divergence_is_reported(void** state) {
    (void)state;
    pli_world* world = make_oscillator("symplectic-euler", 1, 1e12, 1, 0);
    pli_step_info info = {0};
    for (int n = 0; n < 40 && info.reason == PLI_CONVERGED; ++n) info = step(world);
    assert_int_equal(info.reason, PLI_DIVERGED);
    assert_false(info.kept);
    assert_true(isfinite(pli_world_positions(world)[0]));
    assert_non_null(strstr(info.remedy, "implicit"));
    pli_world_destroy(world);
}

// Contact is refused by schemes that do not certify where a step ends, and by no others.
static void test_refusals(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = pli_scheme_name(i);
        pli_world* world = make_world(&def);
        add_point(world, 0, 1, 0, 0);
        add_ground(world, 0, 0);
        pli_status status = pli_world_prepare(world, &error);
        bool refused = pli_scheme_find(def.scheme)->refusal != NULL;
        assert_int_equal(status, refused ? PLI_E_ARGUMENT : PLI_OK);
        if (refused) assert_non_null(strstr(error.message, def.scheme));
        pli_world_destroy(world);
    }
    static const char* const uncertified[] = {"implicit-midpoint", "averaged-vector-field"};
    for (int s = 0; s < 2; ++s) { // the end, or points in between, could invert an element
        pli_world_def def = pli_default_world_def();
        def.scheme = uncertified[s];
        def.contact.bodies = false;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 2, .stiffness = 1e4});
        assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
        assert_non_null(strstr(error.message, "certified"));
        pli_world_destroy(world);
    }
}

static double energy_of(const pli_world* world) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

// Two masses of 1 kg on a stiff rod of 1 m that spins, 508 J, one of them off by 0.1 m/s along the
// rod: h resolves neither the rod nor, well, the turn.
static pli_world* make_stiff_dumbbell(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-7;
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {-0.5, 0, 0}, b[3] = {0.5, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    const double velocities[6] = {0.1, -22.54, 0, 0, 22.54, 0};
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.velocities = velocities;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 1e7};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &k, 1, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

// The averaged vector field keeps the energy of the rod, whose potential is of degree 4, whatever
// h; the midpoint rule gains without bound, and the balance says so.
static void test_stiff_dumbbell(void** state) {
    (void)state;
    pli_world* world = make_stiff_dumbbell("averaged-vector-field");
    double first = energy_of(world);
    for (int n = 0; n < 300; ++n) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        // rounding: positions of 0.5 m to 1e-16 under 1e7 N/m, over ways of 0.5 m
        ASSERT_NEAR(info.balance.numerical, 0, 1e-8);
        ASSERT_NEAR(energy_of(world), first, 1e-5 * first); // what the solver leaves
    }
    pli_world_destroy(world);
    world = make_stiff_dumbbell("implicit-midpoint");
    for (int n = 0; n < 300; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double gained = energy_of(world) - first;
    print_message("    midpoint: %g J become %g J\n", first, first + gained);
    assert_true(gained > first);
    ASSERT_NEAR(pli_world_balance(world).numerical, -gained, 1e-3 * gained);
    pli_world_destroy(world);
}

// Order 2 with contact: a dropped square stays above the ground under bdf2 and newmark.
static void test_contact(void** state) {
    (void)state;
    static const char* const schemes[] = {"bdf2", "newmark", "quasi-static"};
    for (int s = 0; s < 3; ++s) {
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[s];
        def.gravity[1] = -9.81;
        def.contact.dhat = 0.01;
        pli_world* world = make_world(&def);
        add_square(world, &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 0.6}});
        add_ground(world, 0, 0.3);
        for (int n = 0; n < 100; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            for (int v = 0; v < 16; ++v) assert_true(pli_world_positions(world)[3 * v + 1] > 0);
        }
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_matrices),
        cmocka_unit_test(test_bdf2_damping),
        cmocka_unit_test(test_stiff_dumbbell),
        cmocka_unit_test(test_exponential_is_exact),
        cmocka_unit_test(test_exponential_chain),
        cmocka_unit_test(test_exponential_beyond_its_reach),
        cmocka_unit_test(test_exponential_order),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_symplectic_invariant),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_damping),
        cmocka_unit_test(test_static_chain),
        cmocka_unit_test(test_divergence_is_reported),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
