// The balance of energy: it closes for every implicit scheme up to what the minimizer left over,
// and its parts are what closed forms say.
#include "dynamics/worlds.h"

#include <string.h>

static double stored(const pli_world* world) {
    double sum = 0;
    for (int i = 1; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

static double size_of(const pli_balance* b) {
    return fabs(b->kinetic) + fabs(b->potential) + fabs(b->dissipated) + fabs(b->numerical) +
           fabs(b->work_prescribed) + fabs(b->work_loads) + fabs(b->stiffening);
}

// A damped and loaded square that is pulled sideways by one prescribed corner and held at another.
static pli_world* pulled_square(const char* scheme, double tolerance) {
    pli_world_def def = pli_default_world_def();
    def.scheme = scheme;
    def.gravity[1] = -9.81;
    def.time_step = 0.02;
    def.contact.bodies = false; // some schemes refuse contact
    def.solver.tolerance = tolerance;
    def.solver.gradient_tolerance = fmax(tolerance, 1e-6); // the pull is stiff: rounding above 1e-8
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 4, 4, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    bool still = strcmp(scheme, "static") == 0;
    if (!still) body.stiffness_damping = 0.01;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", 1e5}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "fixed-corotated", k, 2, NULL, &error));
    if (!still) {
        pli_setting shear = {"shear", 50}, density = {"density", 2};
        ASSERT_OK(pli_world_add_energy(world, id, "viscosity", &shear, 1, NULL, &error));
        ASSERT_OK(pli_world_add_energy(world, id, "drag", &density, 1, NULL, &error));
    }
    pli_load_def load = pli_default_load_def(); // a force, and a pressure on the whole outline
    load.value[0] = 40;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    load.kind = "pressure";
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    const int32_t pulled[2] = {4, 24}, held[2] = {0, 20};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = pulled;
    motion.vertex_count = 2;
    motion.velocity[0] = 0.7;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 2;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    return world;
}

// What the balance says is compared with energies that are read from the world, so that a part that
// is missing or counted twice shows.
static void check_closure(pli_world* world, const char* scheme, double left) {
    pli_balance sum = {0};
    double start = stored(world) + pli_world_energy_value(world, 0);
    for (int n = 0; n < 10; ++n) {
        double potential = stored(world), kinetic = pli_world_energy_value(world, 0);
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        const pli_balance* b = &info.balance;
        double change = stored(world) - potential + pli_world_energy_value(world, 0) - kinetic;
        double closure = change + b->dissipated + b->numerical - b->work_prescribed - b->work_loads;
        double rounding = 1e-12 * (size_of(b) + fabs(potential) + kinetic);
        if (!(fabs(closure) <= fabs(b->residual) + rounding))
            print_error("%s, step %d: closure %g, residual %g\n", scheme, n, closure, b->residual);
        assert_true(fabs(closure) <= fabs(b->residual) + rounding);
        assert_true(fabs(b->residual) <= left * size_of(b));
        assert_true(b->dissipated >= 0);
        sum.work_prescribed += b->work_prescribed;
        sum.numerical += b->numerical;
    }
    pli_balance all = pli_world_balance(world);
    double end = stored(world) + pli_world_energy_value(world, 0);
    ASSERT_NEAR(all.work_prescribed, sum.work_prescribed, 1e-12 * fabs(sum.work_prescribed));
    ASSERT_NEAR(all.numerical, sum.numerical, 1e-12 * size_of(&all));
    ASSERT_NEAR(all.kinetic + all.potential, end - start, 1e-11 * size_of(&all));
    assert_true(all.work_prescribed > 0); // it is stretched
}

static void test_closes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2",
                                          "bdf4",           "newmark",
                                          "static",         "implicit-midpoint",
                                          "quasi-static",   "averaged-vector-field"};
    for (int i = 0; i < (int)(sizeof schemes / sizeof *schemes); ++i) {
        // a loose tolerance leaves a visible residual, which the closure must not exceed
        for (int loose = 0; loose < 2; ++loose) {
            pli_world* world = pulled_square(schemes[i], loose ? 1e-2 : 1e-8);
            // statics stop by forces, compared with the stiff pull on prescribed vertices
            double left = strstr(schemes[i], "static") ? 1e-3 : 1e-6;
            check_closure(world, schemes[i], loose ? 1 : left);
            pli_world_destroy(world);
        }
    }
}

// Falling freely, backward Euler loses 1/2 m (g h)^2 in each step.
static void test_free_fall(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0, 1, 0);
    for (int n = 0; n < 5; ++n) {
        pli_balance b = step(world).balance;
        double lost = 0.5 * 9.81 * 9.81 * 0.01 * 0.01;
        ASSERT_NEAR(b.numerical, lost, 1e-12);
        ASSERT_NEAR(b.kinetic + b.potential, -lost, 1e-12);
        assert_true(b.dissipated == 0 && b.work_prescribed == 0 && b.work_loads == 0);
    }
    pli_world_destroy(world);
}

// 1/2 |dv|^2_M + grad P . dx - dP, from velocities and for a spring: k/2 |dx|^2 is the second part.
static void test_backward_euler_formula(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.solver.tolerance = 1e-10;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0, 2, 1);
    pli_setting k = {"stiffness", 400};
    ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    for (int n = 0; n < 20; ++n) {
        double x[2], v[2], expected = 0;
        memcpy(x, pli_world_positions(world), sizeof x);
        memcpy(v, pli_world_velocities(world), sizeof v);
        pli_balance b = step(world).balance;
        for (int c = 0; c < 2; ++c) {
            double dx = pli_world_positions(world)[c] - x[c];
            double dv = pli_world_velocities(world)[c] - v[c];
            expected += 0.5 * dv * dv + 0.5 * k.value * dx * dx;
        }
        ASSERT_NEAR(b.numerical, expected, 1e-11);
    }
    pli_world_destroy(world);
}

// The trapezoid rule and the midpoint rule lose nothing on a linear spring.
static void test_conserving_schemes(void** state) {
    (void)state;
    static const char* const schemes[] = {"newmark", "implicit-midpoint", "averaged-vector-field"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[i];
        def.time_step = 0.05;
        def.solver.tolerance = 1e-10;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 2, 1);
        pli_setting k = {"stiffness", 400};
        ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
        for (int n = 0; n < 20; ++n) ASSERT_NEAR(step(world).balance.numerical, 0, 1e-11);
        pli_world_destroy(world);
    }
}

// A block that slides on the ground loses mu m g times its way to friction; most of its kinetic
// energy becomes heat.
static void test_friction_is_heat(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -10;
    def.contact.dhat = 1e-3;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0.0009999, 2, 0); // about where the barrier carries its weight
    add_ground(world, 0, 0.2);
    for (int n = 0; n < 20; ++n) step(world); // it settles on the barrier
    double x = pli_world_positions(world)[0], heat = pli_world_balance(world).dissipated;
    for (int n = 0; n < 10; ++n) step(world);
    double way = pli_world_positions(world)[0] - x;
    assert_true(way > 0.03);
    heat = pli_world_balance(world).dissipated - heat;
    ASSERT_NEAR(heat, 0.2 * 1 * 10 * way, 1e-3 * heat); // contact force = weight to 1e-3
    pli_world_destroy(world);
}

static void growing_push(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[1] = -1e5 * (1 + 10 * time);
}

// A point that is pressed on the ground ever harder comes closer, and the stiffness of contact
// grows with it. At rest all energy is the barrier's: each step adds 1 % of it, the balance shows
// it, and with that it closes against the energies that readers see.
static void test_stiffening(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.contact.dhat = 1e-3;
    def.contact.stiffness = 0; // chosen
    def.solver.tolerance = 1e-9;
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0.9e-3, 0, 0);
    pli_load_def load = pli_default_load_def();
    load.field = growing_push;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    add_ground(world, 0, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    double first = pli_world_contact_stiffness(world), sum = 0;
    int grown = 0;
    for (int n = 0; n < 40; ++n) {
        double potential = stored(world), kinetic = pli_world_energy_value(world, 0);
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        const pli_balance* b = &info.balance;
        assert_true(b->stiffening >= 0);
        assert_true(b->stiffening <= 0.01 * (1 + 1e-12) * (potential + kinetic));
        grown += b->stiffening > 0;
        sum += b->stiffening;
        double change = stored(world) - potential + pli_world_energy_value(world, 0) - kinetic;
        double closure = change + b->dissipated + b->numerical - b->work_prescribed -
                         b->work_loads - b->stiffening - b->residual;
        ASSERT_NEAR(closure, 0, 1e-12 * (size_of(b) + potential + kinetic));
    }
    double growth = pli_world_contact_stiffness(world) / first;
    assert_true(grown > 10 && sum > 0 && growth > 1.1 && growth < 2);
    ASSERT_NEAR(pli_world_balance(world).stiffening, sum, 1e-12 * sum);
    pli_world_destroy(world);
}

// A pendulum on a stiff rod that is thrown over its upper position: the potential is not convex
// there, so backward Euler gains in some steps. The balance says so, and in all it loses.
static void test_backward_euler_may_gain(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.time_step = 0.05;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-6;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.velocity[1] = 5;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 1e5};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &k, 1, NULL, &error));
    const int32_t pivot = 0;
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = &pivot;
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    int gains = 0;
    double most = 0, lost = 0;
    for (int n = 0; n < 60; ++n) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        double change = info.balance.kinetic + info.balance.potential;
        ASSERT_NEAR(change, info.balance.residual - info.balance.numerical, 1e-9);
        gains += info.balance.numerical < -1e-6;
        most = fmax(most, -info.balance.numerical);
        lost += info.balance.numerical;
    }
    assert_true(gains > 5 && most > 1e-3 && most < 0.1 * 9.81); // [J], of m g L = 9.81 J
    assert_true(lost > 9.81);
    pli_world_destroy(world);
}

// Lifting 1 kg by 0.5 m/s against 10 m/s^2: after the first step all work is potential energy.
static void test_lifting(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "newmark",  "implicit-midpoint",
                                          "bdf2",           "leapfrog", "averaged-vector-field"};
    for (int i = 0; i < 6; ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[i];
        def.gravity[1] = -10;
        def.solver.tolerance = 1e-7;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 0, 0.5);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.velocity[1] = 0.5;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        for (int n = 1; n <= 10; ++n) {
            pli_step_info info = step(world);
            ASSERT_NEAR(pli_world_positions(world)[1], 0.005 * n, 1e-7);
            ASSERT_NEAR(info.balance.work_prescribed, 10 * 0.005, 1e-5);
            ASSERT_NEAR(info.balance.potential, 10 * 0.005, 1e-6);
            ASSERT_NEAR(info.balance.numerical, 0, 1e-5);
        }
        pli_world_destroy(world);
    }
}

static void cosine(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = 0.1 * (1 - cos(10 * time));
    out[1] = out[2] = 0;
}

// A mass of 1 kg shaken by prescribed motion, x = 0.1 (1 - cos 10 t): the force is 10 cos 10 t
// under every scheme (differences of places lag by up to 2.5 steps of 0.1 N), and after the motion
// has ended nothing rings on.
static void test_shaken(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        if (pli_scheme_statics(i)) continue;
        pli_world_def def = pli_default_world_def();
        def.scheme = pli_scheme_name(i);
        def.time_step = 1e-3;
        def.contact.bodies = false;
        def.solver.tolerance = 1e-9;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 0, 0);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.field = cosine;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        for (int n = 1; n <= 300; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            if (n < 10) continue; // high orders start in small parts
            double t = pli_world_time(world);
            ASSERT_NEAR(pli_world_support(world, 0).force[0], 10 * cos(10 * t), 0.25);
            ASSERT_NEAR(pli_world_velocities(world)[0], sin(10 * t), 6e-3);
        }
        pli_world_destroy(world);
    }
    static const char* const ringing[] = {"newmark", "implicit-midpoint", "averaged-vector-field"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = ringing[i];
        def.solver.tolerance = 1e-9;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 0, 0);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.velocity[0] = 1;
        motion.travel = 0.05;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        for (int n = 0; n < 10; ++n) step(world);
        ASSERT_NEAR(pli_world_velocities(world)[0], 0, 1e-6);
        ASSERT_NEAR(pli_world_support(world, 0).force[0], 0, 1e-4);
        pli_world_destroy(world);
    }
}

static pli_body_id add_block(pli_world* world, const char* mass, double size, double y,
                             double density, double damping, double speed) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, size, size, 2, 1, PLI_TRIANGLES, &error));
    for (int v = 0; v < mesh.vertex_count; ++v) mesh.positions[3 * v + 1] += y;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.mass = mass;
    body.density = density;
    body.velocity[1] = speed;
    body.mass_damping = damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", 1e5}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    return id;
}

// A block of 1 kg above one of 10 kg, 6 vertices each, dhat 1 cm.
static pli_world* laden_block(const pli_world_def* def, const char* mass, double damping,
                              double speed, pli_body_id* id) {
    pli_world_def near = *def;
    near.gravity[1] = -10;
    near.contact.dhat = 0.01;
    near.solver.tolerance = 1e-9;
    pli_world* world = make_world(&near);
    *id = add_block(world, mass, 1, 0, 10, damping, speed);
    add_block(world, "lumped", 0.2, 0.609, 25, damping, speed);
    return world;
}

// Upward momentum of the upper block.
static double upper_momentum(const pli_world* world) {
    double sum = 0;
    for (int v = 6; v < 12; ++v)
        sum += pli_world_vertex_masses(world)[v] * pli_world_velocities(world)[3 * v + 1];
    return sum;
}

// Of the forces of contact a share acts under newmark (gamma): supports carry no more than it, and
// motions do no more work against it.
static void test_share_of_contact(void** state) {
    (void)state;
    static const double gammas[] = {0.5, 0.7, 1};
    for (int i = 0; i < 4; ++i) { // the last by backward Euler
        pli_world_def def = pli_default_world_def();
        if (i < 3) {
            def.scheme = "newmark";
            def.newmark_gamma = gammas[i];
            def.newmark_beta = 0.5 * gammas[i]; // then rest is rest
        }
        pli_body_id id;
        pli_fix_def fix = pli_default_fix_def();
        pli_world* world = laden_block(&def, "lumped", 0, 0, &id);
        fix.vertices = (const int32_t[6]){0, 1, 2, 3, 4, 5};
        fix.vertex_count = 6;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        bool touched = false;
        for (int n = 0; n < 20; ++n) { // what the upper block feels beside its weight
            double p = upper_momentum(world);
            step(world);
            double force = (upper_momentum(world) - p) / def.time_step + 10;
            ASSERT_NEAR(pli_world_support(world, 0).force[1], 100 + force, 1e-5);
            touched = touched || force > 1;
        }
        assert_true(touched);
        pli_world_destroy(world);

        // Fixed below, with mass between what is fixed and what is touched: at rest all weight.
        world = laden_block(&def, "consistent", 20, 0, &id);
        fix.vertex_count = 3;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        double mean = 0; // over small oscillations of the barrier
        for (int n = 0; n < 300; ++n) {
            step(world);
            mean += n < 200 ? 0 : pli_world_support(world, 0).force[1] / 100;
        }
        ASSERT_NEAR(mean, 110, 0.02);
        pli_world_destroy(world);

        // Lifted by 0.1 m/s, as a whole or below: the work becomes potential energy, but for
        // what small impacts lose.
        for (int part = 0; part < 2; ++part) {
            world = laden_block(&def, part ? "consistent" : "lumped", 0, 0.1, &id);
            pli_prescribe_def motion = pli_default_prescribe_def();
            motion.vertices = fix.vertices;
            motion.vertex_count = part ? 3 : 6;
            motion.velocity[1] = 0.1;
            ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
            pli_balance b, before = {0};
            for (int n = 0; n < 400; ++n) {
                if (n == 300) before = pli_world_balance(world);
                b = step(world).balance;
                double sum = b.kinetic + b.potential + b.dissipated + b.numerical;
                ASSERT_NEAR(sum - b.work_prescribed, b.residual, 1e-9);
            }
            b = pli_world_balance(world);
            ASSERT_NEAR(b.work_prescribed - before.work_prescribed, 110 * 0.1, 0.03);
            ASSERT_NEAR(b.numerical - before.numerical, 0, 0.03);
            pli_world_destroy(world);
        }
    }
}

static void parabola(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = 0.5 * time * time;
    out[1] = out[2] = 0;
}

// 1 kg accelerated by 1 m/s^2 needs 1 N in every step, the first included, whatever the sizes of
// the steps, also after it was stopped and put back.
static void test_given_acceleration(void** state) {
    (void)state;
    static const char* const schemes[] = {"newmark", "implicit-midpoint", "averaged-vector-field",
                                          "leapfrog"};
    for (int i = 0; i < 8; ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[i % 4];
        def.contact.bodies = false;
        if (i >= 4) {
            def.time_step = 0;
            def.step_error = 1e-5;
        }
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 0, 0);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.field = parabola;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        id = add_point(world, 0, 1, 1, 0); // tells the size of steps
        pli_setting k = {"stiffness", 100};
        ASSERT_OK(pli_world_add_energy(world, id, "anchor", &k, 1, NULL, &error));
        double shortest = 1, longest = 0;
        for (int n = 0; n < 40; ++n) {
            double x[6], v[6];
            pli_world_state same = {.positions = x,
                                    .velocities = v,
                                    .time = pli_world_time(world),
                                    .step = pli_world_step_count(world)};
            if (n == 20) {
                memcpy(x, pli_world_positions(world), sizeof x);
                memcpy(v, pli_world_velocities(world), sizeof v);
                ASSERT_OK(pli_world_set_state(world, &same, &error));
            }
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            shortest = fmin(shortest, info.time_step);
            longest = fmax(longest, info.time_step);
            // after it was put back, by what it had missed of its place, over a step
            ASSERT_NEAR(pli_world_support(world, 0).force[0], 1, n < 20 || n > 22 ? 1e-8 : 0.05);
            ASSERT_NEAR(pli_world_velocities(world)[0], info.time, n < 20 || n > 22 ? 1e-9 : 1e-3);
        }
        if (i >= 4) assert_true(longest > 3 * shortest);
        pli_world_destroy(world);
    }
}

// From rest to 1 m/s at once: the impulse is 1 Ns, and the velocity does not overshoot.
static void test_sudden_start(void** state) {
    (void)state;
    static const char* const schemes[] = {"newmark", "implicit-midpoint", "averaged-vector-field",
                                          "leapfrog"};
    for (int i = 0; i < 4; ++i) {
        pli_world_def def = pli_default_world_def();
        def.scheme = schemes[i];
        def.contact.bodies = false;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 0, 0, 0);
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.velocity[0] = 1;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        double impulse = 0;
        for (int n = 0; n < 5; ++n) {
            impulse += step(world).time_step * pli_world_support(world, 0).force[0];
            ASSERT_NEAR(impulse, 1, 1e-9);
            ASSERT_NEAR(pli_world_velocities(world)[0], 1, 1e-9);
        }
        pli_world_destroy(world);
    }
}

// A divided step adds up its parts; one that is undone leaves nothing.
static void test_undone_steps_leave_nothing(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.solver.max_iterations = 1;
    def.solver.on_failure = "substep";
    def.solver.max_substeps = 2;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .stiffness = 1e4, .velocity = {3, 0}});
    add_ground(world, -0.52, 0);
    pli_balance before = pli_world_balance(world);
    bool failed = false;
    for (int n = 0; n < 20 && !failed; ++n) {
        before = pli_world_balance(world);
        pli_step_info info = step(world);
        failed = !info.kept;
        if (failed) assert_true(size_of(&info.balance) == 0);
    }
    assert_true(failed);
    pli_balance after = pli_world_balance(world);
    assert_memory_equal(&before, &after, sizeof before);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closes),
        cmocka_unit_test(test_free_fall),
        cmocka_unit_test(test_backward_euler_formula),
        cmocka_unit_test(test_conserving_schemes),
        cmocka_unit_test(test_friction_is_heat),
        cmocka_unit_test(test_stiffening),
        cmocka_unit_test(test_backward_euler_may_gain),
        cmocka_unit_test(test_lifting),
        cmocka_unit_test(test_shaken),
        cmocka_unit_test(test_share_of_contact),
        cmocka_unit_test(test_given_acceleration),
        cmocka_unit_test(test_sudden_start),
        cmocka_unit_test(test_undone_steps_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
