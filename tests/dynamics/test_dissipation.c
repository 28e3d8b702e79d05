// Dissipation in a world: damped oscillators under explicit schemes, Kelvin-Voigt creep, drag,
// quasi-static flow, what is refused.
#include "dynamics/worlds.h"

#include "dynamics/scheme.h"
#include "math/vec.h"

static pli_world_def quiet_def(const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.time_step = h;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-11;
    def.solver.gradient_tolerance = 1e-11;
    return def;
}

// One vertex of mass 1 on an anchor at the origin, damped by alpha M + beta K, from x = 1, v = 0.5.
static pli_world* make_oscillator(const char* scheme, double h, double omega, double alpha,
                                  double beta) {
    pli_world_def def = quiet_def(scheme, h);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double rest[3] = {0}, initial[3] = {1, 0, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, rest, NULL, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.velocity[0] = 0.5;
    body.vertex_mass = 1;
    body.mass_damping = alpha;
    body.stiffness_damping = beta;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", omega * omega};
    ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
    return world;
}

// x'' + 2 d x' + omega^2 x = 0: x = e^(-d t) (cos w t + (0.5 + d) / w sin w t); error at t = 1.
static double oscillator_error(const char* scheme, int steps, double alpha, double beta) {
    double omega = 3, d = 0.5 * (alpha + beta * omega * omega), w = sqrt(omega * omega - d * d);
    pli_world* world = make_oscillator(scheme, 1.0 / steps, omega, alpha, beta);
    int64_t calls = 0;
    for (int n = 0; n < steps; ++n) {
        if (n == 1) calls = pli_world_memory_calls(world);
        assert_int_equal(step(world).reason, PLI_CONVERGED);
    }
    if (steps > 1) assert_int_equal(pli_world_memory_calls(world), calls);
    double b = (0.5 + d) / w, decay = exp(-d), c = cos(w), s = sin(w);
    double x = decay * (c + b * s), v = decay * ((w * b - d) * c - (w + d * b) * s);
    double away =
        hypot(pli_world_positions(world)[0] - x, (pli_world_velocities(world)[0] - v) / 3);
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
                 {"leapfrog", 2, 80},
                 {"rk4", 4, 20},
                 {"backward-euler", 1, 640},
                 {"newmark", 2, 80},
                 {"implicit-midpoint", 2, 80},
                 {"averaged-vector-field", 2, 80},
                 {"bdf2", 2, 320}};
    static const double dampings[2][2] = {{0.8, 0}, {0, 0.1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int k = 0; k < 2; ++k) {
            double coarse =
                oscillator_error(cases[i].scheme, cases[i].steps, dampings[k][0], dampings[k][1]);
            double fine = oscillator_error(cases[i].scheme, 2 * cases[i].steps, dampings[k][0],
                                           dampings[k][1]);
            print_message("    %-18s %s damping: order %.3f\n", cases[i].scheme,
                          k ? "stiffness" : "mass     ", log2(coarse / fine));
            ASSERT_NEAR(log2(coarse / fine), cases[i].order, 0.1);
        }
}

// The Jacobian has the damping: linear problems are exact at any step size.
static void test_exponential_is_exact(void** state) {
    (void)state;
    for (int steps = 1; steps <= 8; steps *= 2) {
        assert_true(oscillator_error("exponential", steps, 0.8, 0) < 1e-10); // by the difference in
        assert_true(oscillator_error("exponential", steps, 0, 0.1) < 1e-10); // which r = 0 is found
        assert_true(oscillator_error("exponential", steps, 0.8, 0.1) < 1e-10);
    }
}

// A stretched spring swings; its damping is far from linear and depends on the place. It stays
// stretched: where it is not the projection of the stiffness has a kink.
static void swing(const char* scheme, int steps, double out[2]) {
    pli_world_def def = quiet_def(scheme, 0.1 / steps);
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    add_swing(world, 1.5, 0.02);
    swing_to_end(world, steps, out);
}

static void test_orders_nonlinear(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        int order, steps;
    } cases[] = {{"leapfrog", 2, 80}, {"exponential", 2, 80}, {"rk4", 4, 20}};
    double reference[2], coarse[2], fine[2];
    swing("rk4", 2000, reference);
    for (int i = 0; i < 3; ++i) {
        swing(cases[i].scheme, cases[i].steps, coarse);
        swing(cases[i].scheme, 2 * cases[i].steps, fine);
        double order = order_of(reference, coarse, fine);
        print_message("    %-18s order %.3f\n", cases[i].scheme, order);
        ASSERT_NEAR(order, cases[i].order, 0.15); // far from linear: h is not yet small
    }
}

// Without inertia R balances P: backward Euler on y' = -(k/c) y.
static void test_quasi_static_flow(void** state) {
    (void)state;
    double h = 0.05, k = 4, c = 0.8;
    pli_world* world = make_oscillator("quasi-static", h, 2, c, 0);
    double y = 1;
    for (int n = 0; n < 20; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        y /= 1 + h * k / c;
        ASSERT_NEAR(pli_world_positions(world)[0], y, 1e-10); // tolerance of the solver
    }
    pli_world_destroy(world);
}

// A bar that keeps its width (nu = 0, no motion across) under a constant traction s:
//     strain = (s/E) (1 - exp(-t / tau)),  tau = (2 eta + zeta) / E
static double creep(int steps, double* by_recurrence) {
    const double young = 1e4, eta = 300, zeta = 400, s = 1, end = 0.15;
    double h = end / steps, tau = (2 * eta + zeta) / young;
    pli_world_def def = quiet_def("quasi-static", h);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 0.5, 2, 1, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting elastic[2] = {{"young", young}, {"poisson", 0}},
                      viscous[2] = {{"shear", eta}, {"bulk", zeta}};
    ASSERT_OK(pli_world_add_energy(world, id, "linear", elastic, 2, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "viscosity", viscous, 2, NULL, &error));
    const int32_t left[2] = {0, 1}, others[4] = {2, 3, 4, 5}, right[2] = {4, 5};
    pli_fix_def fix = {
        .size = sizeof fix, .vertices = left, .vertex_count = 2, .axes = {true, true, false}};
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    fix = (pli_fix_def){
        .size = sizeof fix, .vertices = others, .vertex_count = 4, .axes = {false, true, false}};
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    pli_load_def load = pli_default_load_def();
    load.kind = "traction";
    load.value[0] = s;
    load.vertices = right;
    load.vertex_count = 2;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    *by_recurrence = 0;
    for (int n = 0; n < steps; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        *by_recurrence = (s / young + tau / h * *by_recurrence) / (1 + tau / h);
    }
    double strain = pli_world_positions(world)[3 * 4] - 0.5;
    ASSERT_NEAR(strain / *by_recurrence, 1, 1e-3); // D has the factor 1 + strain
    double exact = s / young * (1 - exp(-end / tau));
    pli_world_destroy(world);
    return fabs(strain / exact - 1);
}

static void test_creep(void** state) {
    (void)state;
    double last, coarse = creep(40, &last), fine = creep(80, &last);
    print_message("    creep: off by %.4f, with half the step by %.4f\n", coarse, fine);
    assert_true(coarse < 0.02);
    ASSERT_NEAR(log2(coarse / fine), 1, 0.1);
}

// Viscosity in a free flight: spin is not braked by it, vibration is; energy only falls.
static double spin_after(double eta, double* energy) {
    pli_world_def def = quiet_def("rk4", 2e-4);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
    double velocities[27];
    for (int v = 0; v < 9; ++v) {
        const double* x = mesh.positions + 3 * v;
        velocities[3 * v] = -5 * x[1] + 2 * x[0];
        velocities[3 * v + 1] = 5 * x[0];
        velocities[3 * v + 2] = 0;
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.velocities = velocities;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting young = {"young", 1e5}, shear = {"shear", eta};
    ASSERT_OK(pli_world_add_energy(world, id, "fixed-corotated", &young, 1, NULL, &error));
    if (eta > 0) ASSERT_OK(pli_world_add_energy(world, id, "viscosity", &shear, 1, NULL, &error));
    for (int n = 0; n < 500; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double spin = 0;
    for (int v = 0; v < 9; ++v)
        spin += pli_world_vertex_masses(world)[v] *
                pli_cross2(pli_world_positions(world) + 3 * v, pli_world_velocities(world) + 3 * v);
    *energy = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) *energy += pli_world_energy_value(world, i);
    pli_world_destroy(world);
    return spin;
}

static void test_viscosity_spares_spin(void** state) {
    (void)state;
    double elastic, viscous, spin = spin_after(0, &elastic), damped = spin_after(200, &viscous);
    ASSERT_NEAR(damped / spin, 1, 1e-6); // order 4 at h = 2e-4
    print_message("    energy with viscosity: %.3f of that without\n", viscous / elastic);
    assert_true(viscous < 0.98 * elastic); // the rest is spin, which has most of it
}

static void shaking(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    double s = sin(4 * time);
    out[0] = 0.1 * time * time;
    out[1] = 0.1 * s * s;
    out[2] = 0;
}

// A damped bar shaken at its left end: where its right end is after 0.5 s.
static void shake(const char* scheme, int steps, double out[2]) {
    pli_world_def def = quiet_def(scheme, 0.5 / steps);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 0.25, 4, 1, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.stiffness_damping = 0.01;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_setting k[2] = {{"young", 2e4}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "linear", k, 2, NULL, &error));
    int32_t left[4];
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = left;
    for (int v = 0; v < mesh.vertex_count; ++v)
        if (mesh.positions[3 * v] < -0.49) left[motion.vertex_count++] = v;
    assert_int_equal(motion.vertex_count, 2);
    motion.field = shaking;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    for (int n = 0; n < steps; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    memcpy(out, pli_world_positions(world) + 3 * (mesh.vertex_count - 1), 2 * sizeof *out);
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// Damping beside prescribed vertices sees their velocity at the time of each stage: all schemes of
// order 2 and more are of order 2, and agree.
static void test_orders_beside_prescribed(void** state) {
    (void)state;
    static const char* const schemes[] = {
        "leapfrog", "rk4", "exponential", "newmark", "implicit-midpoint", "averaged-vector-field"};
    double reference[2];
    shake("rk4", 1600, reference);
    for (int i = 0; i < 6; ++i) {
        double coarse[2], fine[2];
        shake(schemes[i], 100, coarse);
        shake(schemes[i], 200, fine);
        double order = order_of(reference, coarse, fine);
        print_message("    %-18s order %.3f\n", schemes[i], order);
        assert_true(order > 1.9 && order < 2.3);
    }
}

// An equilateral triangle: mass and outline are shared evenly. It falls by v = v_t tanh(g t / v_t),
// v_t = sqrt(2 m g / (c A)).
static void test_terminal_velocity(void** state) {
    (void)state;
    static const char* const schemes[] = {"rk4", "leapfrog", "backward-euler", "newmark",
                                          "exponential"};
    static const double tolerance[] = {1e-7, 1e-3, 2e-2, 1e-3, 1e-3};
    for (int i = 0; i < 5; ++i)
        for (int dim = 2; dim <= 3; ++dim) {
            pli_world_def def = quiet_def(schemes[i], 0.01);
            def.dimension = dim;
            def.gravity[1] = -10;
            def.thickness = 0.5;
            pli_world* world = make_world(&def);
            pli_mesh mesh;
            pli_mesh_init(&mesh, NULL);
            const double corners[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1},
                         flat[9] = {0, 0, 0, 2, 0, 0, 1, 1.7320508075688772, 0};
            const int32_t vertices[4] = {0, 2, 1, 3}, triangle[3] = {0, 1, 2};
            ASSERT_OK(
                pli_mesh_add_vertices(&mesh, dim + 1, dim == 3 ? corners : flat, NULL, &error));
            if (dim == 3)
                ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, vertices, &error));
            else
                ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, triangle, &error));
            pli_body_def body = pli_default_body_def();
            body.mesh = &mesh;
            body.density = 3;
            pli_body_id id;
            ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
            pli_mesh_free(&mesh);
            double c = 2, root = sqrt(3.0);
            pli_setting density = {"density", c};
            ASSERT_OK(pli_world_add_energy(world, id, "drag", &density, 1, NULL, &error));
            // volume 8/3 and surface 4 * 2 sqrt 3; area sqrt 3 and outline 6, times the thickness
            double mass = dim == 3 ? 8 : 3 * root * 0.5, area = dim == 3 ? 8 * root : 3;
            double limit = sqrt(2 * mass * 10 / (c * area));
            for (int n = 1; n <= 150; ++n) {
                assert_int_equal(step(world).reason, PLI_CONVERGED);
                double v = limit * tanh(10 * 0.01 * n / limit);
                for (int k = 0; k <= dim; ++k)
                    ASSERT_NEAR(pli_world_velocities(world)[3 * k + 1] / limit, -v / limit,
                                tolerance[i]); // h^4, h^2, h
            }
            pli_world_destroy(world);
        }
}

// Wind carries a body along until it moves with it; drag on a net of springs has no area.
static void test_wind(void** state) {
    (void)state;
    pli_world_def def = quiet_def("backward-euler", 0.1);
    pli_world* world = make_world(&def);
    pli_body_id id = add_square(world, &(square){.segments = 2, .stiffness = 1e5});
    const pli_setting wind[3] = {{"linear", 1e4}, {"wind_x", 3}, {"wind_y", -1}};
    ASSERT_OK(pli_world_add_energy(world, id, "drag", wind, 3, NULL, &error));
    for (int n = 0; n < 50; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    for (int v = 0; v < 9; ++v) {
        ASSERT_NEAR(pli_world_velocities(world)[3 * v], 3, 1e-3); // e^(-t b A / m)
        ASSERT_NEAR(pli_world_velocities(world)[3 * v + 1], -1, 1e-3);
    }
    pli_world_destroy(world);
    world = make_world(&def);
    id = add_square(world, &(square){.segments = 2, .springs = true, .stiffness = 1e5});
    ASSERT_OK(pli_world_add_energy(world, id, "drag", NULL, 0, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no surface"));
    pli_world_destroy(world);
}

// Statics refuses dissipation with the reason; no other scheme does.
static void test_refusals(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        const pli_scheme* scheme = pli_scheme_find(pli_scheme_name(i));
        pli_world* world = make_oscillator(scheme->name, 0.1, 1, 0.5, 0.5);
        assert_int_equal(pli_world_prepare(world, &error), scheme->still ? PLI_E_ARGUMENT : PLI_OK);
        if (scheme->still) assert_non_null(strstr(error.message, "nothing is dissipated"));
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_exponential_is_exact),
        cmocka_unit_test(test_orders_nonlinear),
        cmocka_unit_test(test_orders_beside_prescribed),
        cmocka_unit_test(test_quasi_static_flow),
        cmocka_unit_test(test_creep),
        cmocka_unit_test(test_viscosity_spares_spin),
        cmocka_unit_test(test_terminal_velocity),
        cmocka_unit_test(test_wind),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
