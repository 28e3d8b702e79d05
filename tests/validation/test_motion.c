// What motion keeps and how long it takes: momentum of every implicit scheme, angular momentum of
// the midpoint, energy of Newmark and backward Euler, the spin that backward Euler eats, pendulums.
#include "dynamics/worlds.h"

static const double pi = 3.14159265358979323846;

static pli_world_def motion_def(const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.time_step = h;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-11;
    def.thread_count = 1;
    return def;
}

// ---- a square that turns, drifts and wobbles

enum { CELLS = 3, SQUARE_VERTICES = (CELLS + 1) * (CELLS + 1) };

// Of springs (`energy` "spring" or "hooke") or triangles; about 1 kg per vertex.
static pli_world* make_wobbling(const pli_world_def* def, const char* energy, bool springs) {
    pli_world* world = make_world(def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, CELLS, CELLS,
                                     springs ? PLI_SPRINGS : PLI_TRIANGLES, &error));
    assert_int_equal(mesh.vertex_count, SQUARE_VERTICES);
    double velocities[3 * SQUARE_VERTICES] = {0};
    for (int v = 0; v < SQUARE_VERTICES; ++v) {
        const double* X = mesh.positions + 3 * v;
        velocities[3 * v] = 0.3 - 2 * X[1] + 0.2 * sin(3.0 * v);
        velocities[3 * v + 1] = -0.1 + 2 * X[0] + 0.2 * cos(5.0 * v);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.velocities = velocities;
    body.density = 16;
    if (springs) body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting stiffness[1] = {{springs ? "stiffness" : "young", 500}};
    ASSERT_OK(pli_world_add_energy(world, id, energy, stiffness, 1, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

// p = sum m v and L = sum m x cross v, as p[0], p[1], L.
static void momentum(const pli_world* world, double out[3]) {
    const double *x = pli_world_positions(world), *u = pli_world_velocities(world),
                 *mass = pli_world_vertex_masses(world);
    out[0] = out[1] = out[2] = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v) {
        for (int c = 0; c < 2; ++c) out[c] += mass[v] * u[3 * v + c];
        out[2] += mass[v] * (x[3 * v] * u[3 * v + 1] - x[3 * v + 1] * u[3 * v]);
    }
}

// bdf3 and higher start with tiny steps h and know speeds to rounding / h only.
static bool has_history(const char* scheme) {
    return strncmp(scheme, "bdf", 3) == 0 && scheme[3] > '2';
}

// Largest change of linear momentum over a run, and the last of angular momentum [kg m/s, kg m2/s].
static double drift(const char* scheme, const char* energy, bool springs, double* spin_lost) {
    pli_world_def def = motion_def(scheme, 0.02);
    bool history = has_history(scheme);
    if (history || !springs) def.solver.tolerance = 1e-8; // what rounding lets them reach
    pli_world* world = make_wobbling(&def, energy, springs);
    double first[3], now[3], worst = 0;
    momentum(world, first);
    assert_true(hypot(first[0], first[1]) > 1 && first[2] > 1);
    for (int n = 0; n < (history ? 25 : 100); ++n) { // they gain energy
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        momentum(world, now);
        worst = fmax(worst, hypot(now[0] - first[0], now[1] - first[1]));
    }
    *spin_lost = first[2] - now[2];
    pli_world_destroy(world);
    return worst;
}

static void test_linear_momentum(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler",    "bdf2", "bdf3", "newmark",
                                          "implicit-midpoint", "bdf4", "bdf5", "bdf6"};
    for (int s = 0; s < 8; ++s) {
        // Newton's directions keep it whatever the solver's tolerance: rounding is left
        double spin, tolerance = has_history(schemes[s]) ? 1e-7 : 1e-10;
        double found[3] = {drift(schemes[s], "spring", true, &spin),
                           drift(schemes[s], "hooke", true, &spin), 0};
        if (strcmp(schemes[s], "implicit-midpoint") != 0) // refuses energies that forbid states
            found[2] = drift(schemes[s], "neo-hookean", false, &spin);
        print_message("    %-18s %.2g, %.2g, %.2g\n", schemes[s], found[0], found[1], found[2]);
        for (int i = 0; i < 3; ++i) ASSERT_NEAR(found[i], 0, tolerance);
    }
}

// The midpoint keeps the angular momentum, backward Euler does not.
static void test_angular_momentum(void** state) {
    (void)state;
    static const char* const energies[] = {"spring", "hooke"};
    for (int e = 0; e < 2; ++e) {
        double kept, lost;
        drift("implicit-midpoint", energies[e], true, &kept);
        drift("backward-euler", energies[e], true, &lost);
        print_message("    %-8s midpoint loses %.2g, backward Euler %.2g\n", energies[e], kept,
                      lost);
        ASSERT_NEAR(kept, 0, 1e-9); // 100 steps solved to 1e-11 m/s
        assert_true(lost > 0.1);
    }
}

// ---- a chain of linear springs that moves along itself

enum { LINKS = 12 };

static double stored_energy(const pli_world* world) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

static pli_world* make_chain(const char* scheme, double h) {
    pli_world_def def = motion_def(scheme, h);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){0, 0, 0}, (const double[3]){LINKS, 0, 0},
                                LINKS, &error));
    double initial[3 * (LINKS + 1)], velocities[3 * (LINKS + 1)] = {0};
    memcpy(initial, mesh.positions, sizeof initial);
    for (int v = 0; v <= LINKS; ++v) {
        initial[3 * v] += 0.05 * sin(2.0 * v);
        velocities[3 * v] = 0.3 * cos(3.0 * v);
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.velocities = velocities;
    body.vertex_mass = 0.5;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 40};
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", &k, 1, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

// Steps up to half a period of the stiffest mode: omega = 2 sqrt(k / m) = 17.9 / s.
static void test_energy(void** state) {
    (void)state;
    static const double steps[] = {0.01, 0.05, 0.18};
    static const char* const exact[] = {"newmark", "implicit-midpoint"};
    for (int i = 0; i < 3; ++i) {
        for (int s = 0; s < 2; ++s) {
            pli_world* world = make_chain(exact[s], steps[i]);
            double first = stored_energy(world), worst = 0;
            for (int n = 0; n < 500; ++n) {
                assert_int_equal(step(world).reason, PLI_CONVERGED);
                worst = fmax(worst, fabs(stored_energy(world) - first));
            }
            print_message("    %-17s h %.2f s: %.2g of the energy\n", exact[s], steps[i],
                          worst / first);
            ASSERT_NEAR(worst, 0, 1e-9 * first); // the tolerance of 1e-11 m/s, 500 times
            pli_world_destroy(world);
        }
        pli_world* world = make_chain("backward-euler", steps[i]);
        double start = stored_energy(world), before = start;
        for (int n = 0; n < 500; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            double now = stored_energy(world);
            assert_true(now <= before + 1e-12 * start); // rounding
            before = now;
        }
        assert_true(before < 0.5 * start);
        pli_world_destroy(world);
    }
}

// ---- two masses on a rod

// The rod (hooke, k [N/m]) of length 2 about the origin, which turned by `angle` in the step
// before.
static pli_world* make_dumbbell(const pli_world_def* def, double k, double angle) {
    pli_world* world = make_world(def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){-1, 0, 0}, (const double[3]){1, 0, 0}, 1,
                                &error));
    double u = (1 - cos(angle)) / def->time_step, v = sin(angle) / def->time_step;
    const double velocities[6] = {-u, -v, 0, u, v, 0};
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.velocities = velocities;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting stiffness = {"stiffness", k};
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", &stiffness, 1, &error));
    return world;
}

// The angle of a step follows D' = atan(sin D / (2 - cos D)): about omega / sqrt(1 + 2 h omega^2
// t), 4.69608 / s after 1 s and 2.10638 / s after 10 s.
static void test_spin_of_backward_euler(void** state) {
    (void)state;
    const double h = 0.01, omega = 2 * pi;
    pli_world_def def = motion_def("backward-euler", h);
    pli_world* world = make_dumbbell(&def, 1e9, h * omega); // gets longer by 4e-8
    double expected = h * omega, before = 0, found[2] = {0};
    for (int n = 1; n <= 1000; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        const double* x = pli_world_positions(world) + 3;
        double angle = atan2(x[1], x[0]), turned = remainder(angle - before, 2 * pi);
        expected = atan(sin(expected) / (2 - cos(expected)));
        ASSERT_NEAR(turned, expected, 1e-6 * expected); // the rod is not quite stiff
        before = angle;
        if (n == 100 || n == 1000) found[n == 1000] = turned / h;
    }
    print_message("    omega %.5f after 1 s, %.5f after 10 s\n", found[0], found[1]);
    ASSERT_NEAR(found[0], 4.69608, 2e-5); // as many digits as are known
    ASSERT_NEAR(found[1], 2.10638, 2e-5);
    pli_world_destroy(world);
}

// ---- pendulum

// Period [s] of a mass on a stiff rod of 1 m, from rest at `angle` [rad]: the time between two
// passes of the middle from right to left.
static double period(const char* scheme, double angle) {
    const double h = 0.005;
    pli_world_def def = motion_def(scheme, h);
    def.gravity[1] = -9.81;
    def.solver.tolerance = 1e-9;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double end[3] = {sin(angle), -cos(angle), 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){0, 0, 0}, end, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 1e5}; // longer by up to 3e-4 at 90 degrees
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", &k, 1, &error));
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = (const int32_t[1]){0};
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, &error));
    double before = end[0], passes[2] = {0};
    int count = 0;
    for (int n = 1; n <= 700 && count < 2; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double now = pli_world_positions(world)[3];
        if (before >= 0 && now < 0) passes[count++] = (n - 1 + before / (before - now)) * h;
        before = now;
    }
    assert_int_equal(count, 2);
    pli_world_destroy(world);
    return passes[1] - passes[0];
}

// T = 4 sqrt(L / g) K(sin(angle / 2)).
static void test_pendulum(void** state) {
    (void)state;
    static const struct {
        double degrees, period;
    } cases[] = {{10, 2.00989}, {60, 2.15287}, {90, 2.36784}};
    static const char* const schemes[] = {"newmark", "bdf2", "implicit-midpoint"};
    for (int s = 0; s < 3; ++s)
        for (int i = 0; i < 3; ++i) {
            double found = period(schemes[s], cases[i].degrees * pi / 180);
            print_message("    %-17s %2.0f degrees: %.5f s\n", schemes[s], cases[i].degrees, found);
            ASSERT_NEAR(found, cases[i].period, 0.005 * cases[i].period);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_momentum), cmocka_unit_test(test_angular_momentum),
        cmocka_unit_test(test_energy),          cmocka_unit_test(test_spin_of_backward_euler),
        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
