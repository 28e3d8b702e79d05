// Nodes: scalar unknowns of energies beside the points.
#include "dynamics/node_worlds.h"
#include "dynamics/world.h"

// ---- a rod in torsion

enum { SEGMENTS = 9 };

// Angles of the end segments are 0 and `last`, in a unit of which `unit` make one radian.
static pli_world* make_rod(pli_world_def* def, double last, double mass, double unit) {
    pli_world* world = make_world(def);
    pli_body_id id = add_line(world, SEGMENTS);
    static const int32_t ends[2] = {0, SEGMENTS};
    fix(world, id, ends, 2);
    int32_t inner[SEGMENTS - 1]; // slide along the rod, held together by springs
    for (int i = 0; i < SEGMENTS - 1; ++i) inner[i] = i + 1;
    pli_fix_def slide = {.size = sizeof slide,
                         .vertices = inner,
                         .vertex_count = SEGMENTS - 1,
                         .axes = {false, true, true}};
    ASSERT_OK(pli_world_fix(world, id, &slide, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "hooke", NULL, 0, NULL, &error));
    pli_setting settings[] = {{"stiffness", 40 / (unit * unit)},
                              {"last", last * unit},
                              {"mass", mass / (unit * unit)},
                              {"scale", 0.05 / unit}};
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", settings, 4, NULL, &error));
    return world;
}

// The angle grows by equal parts; each joint carries the torque k last / 8.
static void check_twist(const pli_world* world, double last, double tolerance) {
    assert_int_equal(pli_world_node_count(world), SEGMENTS);
    for (int i = 0; i < SEGMENTS; ++i)
        ASSERT_NEAR(value(world, i), last * i / (SEGMENTS - 1), tolerance);
    double torque = 40 * last / (SEGMENTS - 1);
    ASSERT_NEAR(pli_world_node(world, 0).reaction, -torque, 40 * tolerance);
    ASSERT_NEAR(pli_world_node(world, SEGMENTS - 1).reaction, torque, 40 * tolerance);
    assert_true(pli_world_node(world, 1).reaction == 0);
    ASSERT_NEAR(energy(world, "torsion"), 0.5 * torque * last, 100 * tolerance);
}

static void test_static_torsion(void** state) {
    (void)state;
    // Newton solves a quadratic energy up to the shift of its matrix; the others stop when forces
    // are below 1e-6.
    static const struct {
        const char *method, *linear, *preconditioner;
        double tolerance;
    } rows[] = {{"projected-newton", "multifrontal", "", 1e-10},
                {"newton", "multifrontal", "", 1e-10},
                {"projected-newton", "pcg", "block-jacobi", 1e-5},
                {"projected-newton", "pcg", "incomplete-cholesky", 1e-5},
                {"projected-newton", "pcg", "multilevel", 1e-5},
                {"l-bfgs", "multifrontal", "", 1e-4},
                {"gradient-descent", "multifrontal", "", 1e-4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_world_def def = plane_def("static", 1);
        def.solver.method = rows[i].method;
        def.solver.linear = rows[i].linear;
        if (*rows[i].preconditioner) def.solver.preconditioner = rows[i].preconditioner;
        def.solver.gradient_tolerance = 1e-6;
        pli_world* world = make_rod(&def, 0.8, 0, 1);
        for (int n = 0; n < 2; ++n) {
            pli_step_info info = step(world);
            if (info.reason != PLI_CONVERGED)
                fail_msg("%s, %s %s: %s", rows[i].method, rows[i].linear, rows[i].preconditioner,
                         pli_reason_text(info.reason));
        }
        check_twist(world, 0.8, rows[i].tolerance);
        assert_true(memcmp(pli_world_positions(world), pli_world_rest_positions(world),
                           3 * sizeof(double) * (SEGMENTS + 1)) == 0);
        pli_world_destroy(world);
    }
}

// A massive rod swings about the same equilibrium and comes to rest there.
static void test_damped_torsion(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler", 0.05);
    pli_world* world = make_rod(&def, 0.8, 0.1, 1);
    for (int n = 0; n < 2000; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    check_twist(world, 0.8, 1e-5); // backward Euler damps until corrections are below the tolerance
    pli_world_destroy(world);
}

// In degrees, with the scale per degree, a step takes the same iterations to the same residual
// [m/s] and the same balance of forces; the rest is rounding.
static void test_units(void** state) {
    (void)state;
    const double degrees = 180 / 3.14159265358979;
    pli_world_def def = plane_def("bdf2", 0.01);
    def.solver.tolerance = 1e-3;
    pli_world *one = make_rod(&def, 0.8, 0.1, 1), *other = make_rod(&def, 0.8, 0.1, degrees);
    for (int n = 0; n < 100; ++n) {
        pli_step_info a = step(one), b = step(other);
        assert_int_equal(a.reason, PLI_CONVERGED);
        assert_int_equal(a.iterations, b.iterations);
        ASSERT_NEAR(a.residual, b.residual, 1e-9);
        for (int i = 0; i < SEGMENTS; ++i)
            ASSERT_NEAR(value(one, i), value(other, i) / degrees, 1e-12);
        ASSERT_NEAR(energy(one, "kinetic"), energy(other, "kinetic"), 1e-12);
    }
    pli_world_destroy(one);
    pli_world_destroy(other);
}

// ---- one node

// A level of mass m on a spring of stiffness k to a vertex that is held at height 0.
typedef struct level {
    const char* scheme;
    double h, mass, value, rate, scale;
} level;
static const double K = 50;

static pli_world* make_level(const level* l, double mass_damping) {
    pli_world_def def = plane_def(l->scheme, l->h);
    def.step_error = 1e-6; // if h is 0
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, (double[3]){0}, NULL, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.mass_damping = mass_damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    fix(world, id, NULL, 0);
    pli_setting settings[] = {{"stiffness", K},
                              {"mass", l->mass},
                              {"value", l->value},
                              {"rate", l->rate},
                              {"scale", l->scale}};
    ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 5, NULL, &error));
    return world;
}

// After one period, h = period / 400, it is back: up to the error of period of each scheme, (w
// h)^2/12 of the trapezoid rule, /24 of leapfrog; bdf2 has 1/3 and damps in the third order.
static void test_period(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        double phase; // as a part of (w h)^2
    } rows[] = {{"newmark", 1. / 12},  {"implicit-midpoint", 1. / 12},
                {"leapfrog", 1. / 24}, {"bdf2", 1. / 3},
                {"rk4", 1e-2},         {"exponential", 1e-2}};
    const double mass = 0.2, w = sqrt(K / mass), period = 2 * 3.14159265358979 / w;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        level l = {rows[i].scheme, period / 400, mass, 0.3, 0, 0.1};
        pli_world* world = make_level(&l, 0);
        for (int n = 0; n < 100; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        double late = 0.5 * 3.14159265358979 * rows[i].phase * pow(w * l.h, 2);
        ASSERT_NEAR(value(world, 0), 0, 0.3 * (1.5 * late + 1e-5)); // quarter: crosses 0
        ASSERT_NEAR(pli_world_node(world, 0).rate, -0.3 * w, 0.3 * w * 1e-3);
        double rate = pli_world_node(world, 0).rate;
        ASSERT_NEAR(energy(world, "kinetic"), 0.5 * mass * rate * rate, 1e-12);
        for (int n = 100; n < 400; ++n) step(world);
        ASSERT_NEAR(value(world, 0), 0.3, 0.3 * 1e-3);
        pli_world_destroy(world);
    }
}

// M v' = -alpha M v holds for nodes too: v(n) = v0 / (1 + alpha h)^n of backward Euler, without a
// spring.
static void test_mass_damping(void** state) {
    (void)state;
    level l = {"backward-euler", 0.01, 2, 0, 3, 0.1};
    pli_world* world = make_level(&l, 5);
    ASSERT_OK(pli_world_prepare(world, &error));
    double x = 0, v = 3; // with the spring: m (v' - v) / h + alpha m v' + k (x + h v') = 0
    for (int n = 0; n < 50; ++n) {
        v = (2 * v / l.h - K * x) / (2 / l.h + 5 * 2 + K * l.h);
        x += l.h * v;
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        ASSERT_NEAR(value(world, 0), x, 1e-10);
        ASSERT_NEAR(pli_world_node(world, 0).rate, v, 1e-8);
    }
    pli_balance b = pli_world_balance(world);
    ASSERT_NEAR(b.kinetic + b.potential + b.dissipated + b.numerical, b.residual, 1e-9);
    pli_world_destroy(world);
}

// Without mass it is at the minimum after every step, wherever it started and whatever its rate
// was, also where velocities of the scheme ring, and pulls at nothing: the vertex falls freely.
// (Newmark starts from the accelerations of its start, so there it must be in balance.)
static void test_massless(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "quasi-static"};
    for (int i = 0; i < 4; ++i) {
        pli_world_def def = plane_def(schemes[i], 0.01);
        def.gravity[1] = i < 3 ? -9.81 : 0;
        pli_world* world = make_world(&def);
        pli_body_id id = add_point(world, 0, 2, 0.5, 0);
        if (i == 3) fix(world, id, NULL, 0);
        const double first = i == 2 ? 2 : -7;
        pli_setting settings[] = {
            {"stiffness", K}, {"value", first}, {"rate", 1e3}, {"scale", 0.1}};
        ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 4, NULL, &error));
        pli_world* without = make_world(&def);
        pli_body_id twin = add_point(without, 0, 2, 0.5, 0);
        if (i == 3) fix(without, twin, NULL, 0);
        ASSERT_OK(pli_world_prepare(world, &error));
        assert_true(value(world, 0) == first && pli_world_node(world, 0).rate == 1e3);
        for (int n = 0; n < 50; ++n) {
            assert_int_equal(step(world).reason, PLI_CONVERGED);
            step(without);
            const double *x = pli_world_positions(world), *y = pli_world_positions(without);
            ASSERT_NEAR(value(world, 0), x[1], 1e-9);
            for (int c = 0; c < 3; ++c) ASSERT_NEAR(x[c], y[c], 1e-9);
            if (n > 2)
                ASSERT_NEAR(pli_world_node(world, 0).rate, pli_world_velocities(world)[1], 0.1);
        }
        assert_true(energy(world, "kinetic") == 0 || i < 3);
        pli_world_destroy(world);
        pli_world_destroy(without);
    }
}

static void test_massless_is_refused(void** state) {
    (void)state;
    static const char* const schemes[] = {"leapfrog", "rk4", "implicit-midpoint"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = plane_def(schemes[i], 0.01);
        pli_world* world = make_rod(&def, 0.1, 0, 1);
        assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
        assert_non_null(strstr(error.message, "node of vertices 1 2, tag 1 has no mass"));
        assert_non_null(strstr(error.message, schemes[i]));
        assert_non_null(strstr(error.message, "energy \"torsion\""));
        assert_int_equal(error.object, PLI_OBJECT_ENERGY);
        assert_int_equal(pli_world_node_count(world), 0);
        pli_world_destroy(world);
    }
}

// ---- what a node is not

// A square falls on the ground and bounces, with levels of its vertices far below the ground and
// without: the same dhat, box, contacts, weight and, up to the tolerance, the same motion.
static void test_no_geometry(void** state) {
    (void)state;
    pli_world* worlds[2];
    for (int with = 0; with < 2; ++with) {
        pli_world_def def = plane_def("backward-euler", 0.005);
        def.gravity[1] = -9.81;
        def.contact.bodies = true;
        worlds[with] = make_world(&def);
        pli_body_id id = add_square(worlds[with],
                                    &(square){.segments = 3, .stiffness = 1e5, .centre = {0, 0.6}});
        add_ground(worlds[with], 0, 0.3);
        pli_setting settings[] = {{"stiffness", 1}, {"mass", 1e4}, {"value", -100}, {"rate", 7}};
        settings[0].value = 1e-9; // pulls at nothing that could be seen
        if (with)
            ASSERT_OK(pli_world_add_energy(worlds[1], id, "gauge", settings, 4, NULL, &error));
        ASSERT_OK(pli_world_prepare(worlds[with], &error));
    }
    int count = pli_world_vertex_count(worlds[0]);
    assert_int_equal(pli_world_vertex_count(worlds[1]), count);
    assert_int_equal(pli_world_node_count(worlds[1]), count);
    assert_int_equal(pli_world_unknown_count(worlds[1]), 3 * count);
    assert_true(pli_world_dhat(worlds[0]) == pli_world_dhat(worlds[1]));
    assert_true(pli_survey_resolution(worlds[0]) == pli_survey_resolution(worlds[1]));
    assert_true(pli_world_body_hash(worlds[0], 0) == pli_world_body_hash(worlds[1], 0));
    int touched = 0;
    for (int n = 1; n <= 80; ++n) {
        for (int with = 0; with < 2; ++with)
            assert_int_equal(step(worlds[with]).reason, PLI_CONVERGED);
        assert_int_equal(pli_world_contact_count(worlds[0]), pli_world_contact_count(worlds[1]));
        touched += pli_world_contact_count(worlds[0]) > 0;
        for (int i = 0; i < 3 * count; ++i) // 80 steps within 1e-6 m/s times h each
            ASSERT_NEAR(pli_world_positions(worlds[0])[i], pli_world_positions(worlds[1])[i], 1e-6);
        ASSERT_NEAR(value(worlds[1], 0), -100 + 7 * 0.005 * n, 1e-6); // goes on: no weight
        ASSERT_NEAR(energy(worlds[0], "gravity"), energy(worlds[1], "gravity"), 1e-2);
        ASSERT_OK(pli_world_verify(worlds[1], &error));
    }
    assert_true(touched > 10);
    assert_int_equal(pli_world_grab(worlds[1], count, (double[3]){0}, 0, &error), PLI_E_ARGUMENT);
    for (int with = 0; with < 2; ++with) pli_world_destroy(worlds[with]);
}

// ---- the whole problem by differences

static double entry(const pli_pattern* p, const double* values, int i, int j) {
    int row = i > j ? i : j, column = i > j ? j : i;
    for (int at = p->start[column]; at < p->start[column + 1]; ++at)
        if (p->row[at] == row) return values[at];
    return 0;
}

static void test_differences(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_world_def def = plane_def("bdf2", 0.01);
        def.dimension = dim;
        pli_world* world = make_coil(&def, 4, true);
        for (int n = 0; n < 3; ++n) step(world);
        ASSERT_OK(pli_world_begin(world, 0.01, &error));
        pli_problem problem = pli_world_problem(world);
        enum { MOST = 16 };
        int n = problem.unknown_count;
        assert_int_equal(n, 4 * dim + 3); // the first vertex and the first angle are held
        double g[MOST], up[MOST], down[MOST], q[MOST], e[2], size, *values;
        static double H[MOST][MOST];
        const pli_pattern* pattern;
        uint64_t epoch;
        for (int i = 0; i < n; ++i) q[i] = world->q[i] + 0.03 * sin(7 * i + 1);
        ASSERT_OK(problem.ops->derivatives(world, q, &(pli_hessian_wish){0}, g, NULL, &error));
        problem.ops->matrix(world, &pattern, &values, &epoch);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) H[i][j] = entry(pattern, values, i, j);
        const double h = 1e-6;
        for (int i = 0; i < n; ++i) {
            double start = q[i];
            for (int side = 0; side < 2; ++side) {
                q[i] = start + (side ? h : -h);
                ASSERT_OK(problem.ops->value(world, q, &e[side], &size, &error));
                ASSERT_OK(problem.ops->derivatives(world, q, NULL, side ? up : down, NULL, &error));
            }
            q[i] = start;
            ASSERT_NEAR((e[1] - e[0]) / (2 * h), g[i], 1e-7 * (1 + fabs(g[i])) + 1e-15 * size / h);
            for (int j = 0; j < n; ++j) // rounding over h, and h^2 times third derivatives
                ASSERT_NEAR((up[j] - down[j]) / (2 * h), H[i][j], 1e-8 * sqrt(H[i][i] * H[j][j]));
        }
        pli_world_destroy(world);
    }
}

// Free in space, points and angles exchange energy; momentum is that of the points and stays.
static void test_coupled_balance(void** state) {
    (void)state;
    pli_world_def def = plane_def("newmark", 0.002);
    def.dimension = 3;
    def.solver.tolerance = 1e-9;
    pli_world* world = make_coil(&def, 5, false);
    ASSERT_OK(pli_world_prepare(world, &error));
    double start = energy(world, "kinetic") + energy(world, "coil") + energy(world, "torsion");
    ASSERT_NEAR(energy(world, "kinetic"), 5 * 0.5 * 0.02 * 0.16, 1e-15);
    double most = 0;
    for (int n = 0; n < 500; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double sum = 0;
        for (int v = 0; v < 6; ++v) sum += pli_world_velocities(world)[3 * v];
        ASSERT_NEAR(sum, 0, 1e-8);
        double now = energy(world, "kinetic") + energy(world, "coil") + energy(world, "torsion");
        ASSERT_NEAR(now, start, 2e-3 * start); // the trapezoid rule swings by (w h)^2
        most = fmax(most, fabs(pli_world_velocities(world)[0]));
    }
    assert_true(most > 0.05); // they do move
    pli_world_destroy(world);
}

// ---- stopping

// The correction of a node counts by its scale; with a tolerance of its own, against that.
static void test_tolerance(void** state) {
    (void)state;
    const double scales[2] = {1, 1e-12}, tolerances[3] = {0, 1e-6, 1e3};
    for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 3; ++t) {
            pli_world_def def = plane_def("backward-euler", 0.01);
            def.solver.tolerance = 1e-4;
            pli_world* world = make_world(&def);
            pli_body_id id = add_line(world, 1);
            fix(world, id, NULL, 0);
            pli_setting settings[] = {{"stiffness", K},
                                      {"mass", 1},
                                      {"value", 1},
                                      {"scale", scales[s]},
                                      {"tolerance", tolerances[t]}};
            ASSERT_OK(pli_world_add_energy(world, id, "gauge", settings, 5, NULL, &error));
            pli_step_info info = step(world);
            assert_true(info.reason == PLI_CONVERGED || info.reason == PLI_ROUNDING);
            const double* residuals = pli_world_residuals(world);
            if (residuals) ASSERT_NEAR(fmax(residuals[0], residuals[1]), info.residual, 1e-18);
            assert_true(info.residual <= 1e-4);
            // One linear step: it is solved exactly, however coarse the test is.
            ASSERT_NEAR(value(world, 0), 1 / (1 + K * 1e-4), 1e-9);
            pli_world_destroy(world);
        }
}

// The residual of a node is judged as a force: |g| / scale against the largest single force on its
// body. Of the rod with one angle moved: the torques of the joints tell all.
static void test_force_balance(void** state) {
    (void)state;
    pli_world_def def = plane_def("static", 1);
    pli_world* world = make_rod(&def, 0.8, 0, 1);
    ASSERT_OK(pli_world_prepare(world, &error));
    ASSERT_OK(pli_world_begin(world, 1, &error));
    pli_problem problem = pli_world_problem(world);
    const double delta = 0.03, scale = 0.05;
    double angle[SEGMENTS] = {0}, torque[SEGMENTS - 1], largest = 0, worst = 0, g[64];
    angle[4] = delta;
    angle[SEGMENTS - 1] = 0.8;
    for (int i = 0; i < SEGMENTS - 1; ++i) {
        torque[i] = 40 * (angle[i + 1] - angle[i]);
        largest = fmax(largest, fabs(torque[i]) / scale);
    }
    for (int i = 1; i < SEGMENTS - 1; ++i)
        worst = fmax(worst, fabs(torque[i - 1] - torque[i]) / scale);
    world->q[pli_world_node_unknown(world, 4)] = scale * delta;
    ASSERT_OK(problem.ops->derivatives(world, world->q, &(pli_hessian_wish){.project = true}, g,
                                       NULL, &error));
    ASSERT_NEAR(fabs(g[pli_world_node_unknown(world, 4)]), 2 * 40 * delta / scale, 1e-11);
    ASSERT_NEAR(pli_world_unbalanced(world, g).share, worst / largest,
                1e-10);                  // less what rounding explains
    problem.ops->report_force(world, g); // shown at the first vertex of the key of the worst node
    ASSERT_NEAR(pli_world_residuals(world)[SEGMENTS - 2], worst, 1e-11);
    ASSERT_NEAR(pli_world_residuals(world)[4], 2 * 40 * delta / scale, 1e-11);
    assert_int_equal(world->worst_vertex, SEGMENTS - 2);
    pli_world_destroy(world);
}

// ---- among others

// Coils that do not touch, one of them on the ground, with damping of both kinds: each moves as if
// it were alone, and the energy adds up.
static void test_islands(void** state) {
    (void)state;
    enum { BODIES = 3, STEPS = 60 };
    pli_world* worlds[BODIES + 1];
    for (int i = 0; i <= BODIES; ++i) {
        pli_world_def def = plane_def("backward-euler", 0.01);
        def.contact.bodies = true;
        def.contact.dhat = 0.01;
        def.gravity[1] = -2;
        def.solver.tolerance = 1e-8;
        worlds[i] = make_world(&def);
        add_ground(worlds[i], 0, 0.2);
        for (int b = 0; b < BODIES; ++b) {
            if (i < BODIES && b != i) continue;
            pli_mesh mesh;
            pli_mesh_init(&mesh, NULL);
            const double from[3] = {0, 0.05 + 3 * b, 0}, to[3] = {3, 0.05 + 3 * b, 0};
            ASSERT_OK(pli_mesh_add_line(&mesh, from, to, 3 + b, &error));
            pli_body_def body = pli_default_body_def();
            body.mesh = &mesh;
            body.vertex_mass = 0.2;
            body.mass_damping = 0.5;
            body.stiffness_damping = 0.002;
            body.contact_area = 1;
            pli_body_id id;
            ASSERT_OK(pli_world_add_body(worlds[i], &body, &id, &error));
            pli_mesh_free(&mesh);
            pli_setting settings[] = {
                {"stiffness", 30}, {"mass", 0.02}, {"scale", 0.3}, {"value", 0.1 * b}};
            ASSERT_OK(pli_world_add_energy(worlds[i], id, "coil", settings, 4, NULL, &error));
            ASSERT_OK(pli_world_add_energy(worlds[i], id, "torsion", settings, 4, NULL, &error));
        }
    }
    for (int n = 0; n < STEPS; ++n)
        for (int i = 0; i <= BODIES; ++i) assert_int_equal(step(worlds[i]).reason, PLI_CONVERGED);
    pli_world* all = worlds[BODIES];
    assert_true(pli_world_contact_count(all) > 0);
    int vertex = 0, node = 0;
    for (int b = 0; b < BODIES; ++b) {
        for (int v = 0; v < 3 * pli_world_vertex_count(worlds[b]); ++v) // 60 steps of 1e-10 m each
            ASSERT_NEAR(pli_world_positions(all)[3 * vertex + v], pli_world_positions(worlds[b])[v],
                        1e-6);
        for (int i = 0; i < pli_world_node_count(worlds[b]); ++i, ++node) {
            ASSERT_NEAR(value(all, node), value(worlds[b], i), 1e-6);
            assert_int_equal(pli_world_node(all, node).body, b);
            assert_int_equal(pli_world_node(all, node).key.vertices[0],
                             vertex + pli_world_node(worlds[b], i).key.vertices[0]);
        }
        vertex += pli_world_vertex_count(worlds[b]);
    }
    pli_balance b = pli_world_balance(all);
    ASSERT_NEAR(b.kinetic + b.potential + b.dissipated + b.numerical - b.stiffening, b.residual,
                1e-9);
    assert_true(b.dissipated > 0);
    for (int i = 0; i <= BODIES; ++i) pli_world_destroy(worlds[i]);
}

// The world chooses its steps by the error of a node too: a faster one takes more steps.
static void test_step_control(void** state) {
    (void)state;
    int steps[2];
    for (int fast = 0; fast < 2; ++fast) {
        level l = {"newmark", 0, fast ? 0.02 : 2, 0.3, 0, 0.1};
        pli_world* world = make_level(&l, 0);
        const double end = 1;
        while (pli_world_time(world) < end) assert_int_equal(step(world).reason, PLI_CONVERGED);
        steps[fast] = pli_world_step_count(world);
        double w = sqrt(K / l.mass);
        ASSERT_NEAR(value(world, 0), 0.3 * cos(w * pli_world_time(world)), 0.02);
        pli_world_destroy(world);
    }
    assert_true(steps[1] > 4 * steps[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_static_torsion),
                                       cmocka_unit_test(test_damped_torsion),
                                       cmocka_unit_test(test_units),
                                       cmocka_unit_test(test_period),
                                       cmocka_unit_test(test_mass_damping),
                                       cmocka_unit_test(test_massless),
                                       cmocka_unit_test(test_massless_is_refused),
                                       cmocka_unit_test(test_no_geometry),
                                       cmocka_unit_test(test_differences),
                                       cmocka_unit_test(test_coupled_balance),
                                       cmocka_unit_test(test_tolerance),
                                       cmocka_unit_test(test_force_balance),
                                       cmocka_unit_test(test_islands),
                                       cmocka_unit_test(test_step_control)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
