// Outer forces in a world: every scheme, closed forms of statics, what is refused.
#include "dynamics/worlds.h"

#include "base/base.h"
#include "dynamics/scheme.h"
#include "math/vec.h"
#include "oracle/allocator.h"

static const double pi = 3.14159265358979323846;

static pli_world_def quiet_def(int dimension, const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dimension;
    def.scheme = scheme;
    def.time_step = h;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-10;
    def.solver.gradient_tolerance = 1e-11;
    return def;
}

static pli_body_id add_mesh(pli_world* world, pli_mesh* mesh, const char* energy, double young,
                            double poisson) {
    pli_body_def def = pli_default_body_def();
    def.mesh = mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(mesh);
    const pli_setting settings[2] = {{"young", young}, {"poisson", poisson}};
    ASSERT_OK(pli_world_add_energy(world, id, energy, settings, 2, NULL, &error));
    return id;
}

static void fix_one(pli_world* world, pli_body_id id, int32_t vertex, bool x, bool y, bool z) {
    pli_fix_def fix = {
        .size = sizeof fix, .vertices = &vertex, .vertex_count = 1, .axes = {x, y, z}};
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
}

static void add_load(pli_world* world, pli_body_id id, const char* kind, double x, double y,
                     const int32_t* vertices, int count) {
    pli_load_def load = pli_default_load_def();
    load.kind = kind;
    load.value[0] = x;
    load.value[1] = y;
    load.vertices = vertices;
    load.vertex_count = count;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
}

// A force m g does what gravity does, under every scheme; backward Euler gives its parabola.
static void test_force_is_gravity(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        const pli_scheme* scheme = pli_scheme_find(pli_scheme_name(i));
        if (scheme->statics) continue;
        double y[2];
        for (int k = 0; k < 2; ++k) {
            pli_world_def def = quiet_def(2, scheme->name, 0.01);
            if (k == 0) def.gravity[1] = -9.81;
            pli_world* world = make_world(&def);
            pli_body_id id = add_point(world, 0, 0, 1, 2);
            if (k == 1) add_load(world, id, "force", 0, -9.81, NULL, 0);
            int64_t calls = 0;
            for (int n = 0; n < 50; ++n) {
                if (n == 1) calls = pli_world_memory_calls(world);
                assert_int_equal(step(world).reason, PLI_CONVERGED);
            }
            assert_int_equal(pli_world_memory_calls(world), calls);
            y[k] = pli_world_positions(world)[1];
            pli_world_destroy(world);
        }
        ASSERT_NEAR(y[1], y[0], 1e-11); // the exponential scheme takes a difference
        if (strcmp(scheme->name, "backward-euler") == 0)
            ASSERT_NEAR(y[1], 2 * 0.5 - 9.81 * 1e-4 * 50 * 51 / 2, 1e-12);
    }
}

// f = (cos(3 t), place) / m
static void swinging(void* context, double time, const double place[3], double out[3]) {
    *(int*)context += 1;
    out[0] = cos(3 * time);
    out[1] = place[1];
    out[2] = 0;
}

// x'' = cos(3 t) from rest: x = (1 - cos 3 t) / 9, v = sin(3 t) / 3. Measured orders; velocities of
// backward Euler are the sum of forces at the ends of the steps, of the midpoint rule in the
// middle.
static void test_time_dependent_force(void** state) {
    (void)state;
    static const struct {
        const char* scheme;
        int order;
    } cases[] = {{"forward-euler", 1},
                 {"symplectic-euler", 1},
                 {"backward-euler", 1},
                 {"leapfrog", 2},
                 {"newmark", 2},
                 {"implicit-midpoint", 2},
                 {"bdf2", 2},
                 {"exponential", 2},
                 {"averaged-vector-field", 2},
                 {"rk4", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        double away[2], end = 1;
        for (int k = 0; k < 2; ++k) {
            int steps = (cases[i].order == 4 ? 10 : 80) << k, calls = 0;
            double h = end / steps, sum[2] = {0};
            pli_world_def def = quiet_def(2, cases[i].scheme, h);
            pli_world* world = make_world(&def);
            pli_body_id id = add_point(world, 0, 0.5, 0, 0);
            pli_load_def load = pli_default_load_def();
            load.field = swinging;
            load.context = &calls;
            ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
            for (int n = 0; n < steps; ++n) {
                assert_int_equal(step(world).reason, PLI_CONVERGED);
                sum[0] += h * cos(3 * h * (n + 1));
                sum[1] += h * cos(3 * h * (n + 0.5));
            }
            assert_true(calls >= steps);
            double x = pli_world_positions(world)[0], v = pli_world_velocities(world)[0];
            away[k] = hypot(x - (1 - cos(3 * end)) / 9, v - sin(3 * end) / 3);
            if (strcmp(cases[i].scheme, "backward-euler") == 0) ASSERT_NEAR(v, sum[0], 1e-12);
            bool middle = strcmp(cases[i].scheme, "implicit-midpoint") == 0 ||
                          strcmp(cases[i].scheme, "averaged-vector-field") == 0;
            if (middle) ASSERT_NEAR(v, sum[1], 1e-12);
            // constant: it depends on the place at rest; tolerance of the solver
            ASSERT_NEAR(pli_world_velocities(world)[1], 0.5, 1e-10);
            pli_world_destroy(world);
        }
        print_message("    %-18s order %.3f\n", cases[i].scheme, log2(away[0] / away[1]));
        ASSERT_NEAR(log2(away[0] / away[1]), cases[i].order, 0.1);
    }
}

// A bar of length 2 pulled at its end: u = t L / E, with linear and quadratic tetrahedra.
static void test_pulled_bar(void** state) {
    (void)state;
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        pli_world_def def = quiet_def(3, "static", 0.1);
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(
            pli_mesh_add_bar(&mesh, (const double[3]){2, 1, 1}, (const int[3]){2, 1, 1}, &error));
        if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        int32_t end[64], root[64];
        int end_count = 0, root_count = 0, n = mesh.vertex_count;
        for (int v = 0; v < n; ++v) {
            if (mesh.positions[3 * v] > 1.999) end[end_count++] = v;
            if (mesh.positions[3 * v] < 0.001) root[root_count++] = v;
        }
        pli_body_id id = add_mesh(world, &mesh, "linear", 1e4, 0);
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = root;
        fix.vertex_count = root_count;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        add_load(world, id, "traction", 50, 0, end, end_count);
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        const double *x = pli_world_positions(world), *X = pli_world_rest_positions(world);
        double pull = 0;
        for (int v = 0; v < n; ++v) {
            ASSERT_NEAR(x[3 * v], X[3 * v] * (1 + 50 / 1e4), 1e-10); // tolerance of the solver
            ASSERT_NEAR(x[3 * v + 1], X[3 * v + 1], 1e-10);
            pull += pli_world_reactions(world)[3 * v];
        }
        ASSERT_NEAR(pull, -50, 1e-7);
        pli_world_destroy(world);
    }
}

// A quarter of a tube with radii 1 and 2 under inner pressure, plane strain (Lame):
//     u(r) = (1 + nu) p a^2 / (E (b^2 - a^2)) [(1 - 2 nu) r + b^2 / r]
static void test_tube(void** state) {
    (void)state;
    enum { N = 6 };
    const double young = 1e5, nu = 0.3, p = 1;
    pli_world_def def = quiet_def(2, "static", 0.1);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, N, N, PLI_TRIANGLES, &error));
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    int32_t inner[2 * N + 1], bottom[2 * N + 1], left[2 * N + 1];
    int inner_count = 0, bottom_count = 0, left_count = 0, n = mesh.vertex_count;
    for (int v = 0; v < n; ++v) {
        double* x = mesh.positions + 3 * v;
        double r = 1.5 + x[0], angle = (x[1] + 0.5) * pi / 2;
        if (x[0] < -0.4999) inner[inner_count++] = v;
        if (x[1] < -0.4999) bottom[bottom_count++] = v;
        if (x[1] > 0.4999) left[left_count++] = v;
        x[0] = r * cos(angle);
        x[1] = r * sin(angle);
    }
    pli_body_id id = add_mesh(world, &mesh, "linear", young, nu);
    pli_fix_def fix = {.size = sizeof fix,
                       .vertices = bottom,
                       .vertex_count = bottom_count,
                       .axes = {false, true}};
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    fix = (pli_fix_def){
        .size = sizeof fix, .vertices = left, .vertex_count = left_count, .axes = {true, false}};
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    add_load(world, id, "pressure", p, 0, inner, inner_count);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    const double *x = pli_world_positions(world), *X = pli_world_rest_positions(world);
    double worst = 0;
    for (int v = 0; v < n; ++v) {
        double r = hypot(X[3 * v], X[3 * v + 1]);
        double moved = (pli_dot(x + 3 * v, X + 3 * v, 2) - r * r) / r;
        double exact = (1 + nu) * p / (young * 3) * ((1 - 2 * nu) * r + 4 / r);
        worst = fmax(worst, fabs(moved / exact - 1));
    }
    print_message("    tube: displacement off by %.2e\n", worst);
    assert_true(worst < 1e-3); // 6 x 6 quadratic cells; p / E of it by the moving surface
    pli_world_destroy(world);
}

static int vertex_at(const double* x, int count, double a, double b, double c) {
    for (int v = 0; v < count; ++v)
        if (fabs(x[3 * v] - a) + fabs(x[3 * v + 1] - b) + fabs(x[3 * v + 2] - c) < 1e-9) return v;
    fail_msg("no vertex there");
    return -1;
}

// A ball under pressure from all sides: u = -p (1 - 2 nu) / E x, also for what the mesh makes of
// it.
static void test_ball(void** state) {
    (void)state;
    const double young = 1e6, nu = 0.2, p = 1;
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        pli_world_def def = quiet_def(3, "static", 0.1);
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_ball(&mesh, 1, quadratic ? 1 : 2, &error));
        if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        int n = mesh.vertex_count, centre = vertex_at(mesh.positions, n, 0, 0, 0);
        int east = vertex_at(mesh.positions, n, 1, 0, 0),
            north = vertex_at(mesh.positions, n, 0, 1, 0);
        pli_body_id id = add_mesh(world, &mesh, "linear", young, nu);
        fix_one(world, id, centre, true, true, true);
        fix_one(world, id, east, false, true, true);
        fix_one(world, id, north, false, false, true);
        add_load(world, id, "pressure", p, 0, NULL, 0);
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        const double *x = pli_world_positions(world), *X = pli_world_rest_positions(world);
        double u = p * (1 - 2 * nu) / young;
        for (int i = 0; i < 3 * n; ++i)
            ASSERT_NEAR((x[i] - X[i]) / u, -X[i], 1e-5); // p / E, and the tolerance of the solver
        pli_world_destroy(world);
    }
}

// Pressure moves nobody by itself: a free body that shrinks keeps its centre and does not turn. The
// midpoint rule keeps angular momentum, so what is left is the torque of the load.
static void test_free_body_under_pressure(void** state) {
    (void)state;
    pli_world_def def = quiet_def(3, "implicit-midpoint", 0.01);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(
        pli_mesh_add_box(&mesh, (const double[3]){1, 0.6, 0.4}, (const int[3]){3, 2, 2}, &error));
    int n = mesh.vertex_count;
    pli_body_id id = add_mesh(world, &mesh, "fixed-corotated", 1e5, 0.3);
    add_load(world, id, "pressure", 2e4, 0, NULL, 0);
    double smallest = 1;
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double momentum[3] = {0}, spin[3] = {0};
        for (int v = 0; v < n; ++v) {
            double m = pli_world_vertex_masses(world)[v], turn[3];
            pli_axpy(m, pli_world_velocities(world) + 3 * v, momentum, 3);
            pli_cross3(pli_world_positions(world) + 3 * v, pli_world_velocities(world) + 3 * v,
                       turn);
            pli_axpy(m, turn, spin, 3);
        }
        for (int c = 0; c < 3; ++c) {
            ASSERT_NEAR(momentum[c], 0, 1e-7); // 240 kg, corrections below 1e-10 m/s
            ASSERT_NEAR(spin[c], 0, 1e-7);
        }
        smallest =
            fmin(smallest, pli_world_positions(world)[3 * (n - 1)] - pli_world_positions(world)[0]);
    }
    assert_true(smallest < 0.97); // it did shrink
    pli_world_destroy(world);
}

// Open: a strip of surface under pressure is pushed with p times its projected area.
static void test_open_pressure(void** state) {
    (void)state;
    pli_world_def def = quiet_def(2, "backward-euler", 1e-4);
    def.thickness = 0.5;
    pli_world* world = make_world(&def);
    pli_body_id id = add_square(world, &(square){.segments = 3, .stiffness = 1e5});
    const int32_t side[4] = {0, 1, 2, 3}; // x = -0.5
    add_load(world, id, "pressure", 30, 0, side, 4);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double momentum[3] = {0};
    for (int v = 0; v < 16; ++v)
        pli_axpy(pli_world_vertex_masses(world)[v], pli_world_velocities(world) + 3 * v, momentum,
                 3);
    ASSERT_NEAR(momentum[0], 1e-4 * 30 * 0.5, 1e-9); // inward: to the right
    ASSERT_NEAR(momentum[1], 0, 1e-9);
    pli_world_destroy(world);
}

// Through W: an affine body gets the whole force and its moment.
static void test_reduced_body(void** state) {
    (void)state;
    pli_world_def def = quiet_def(2, "backward-euler", 0.01);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 4, 4, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "polynomial";
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting young = {"young", 1e5};
    ASSERT_OK(pli_world_add_energy(world, id, "fixed-corotated", &young, 1, NULL, &error));
    const int32_t corner[1] = {24}, side[5] = {20, 21, 22, 23, 24}; // (0.5, 0.5); x = 0.5
    add_load(world, id, "force", 0, 100, corner, 1);
    add_load(world, id, "traction", 30, 0, side, 5);
    add_load(world, id, "pressure", 70, 0, NULL, 0);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double momentum[3] = {0}, spin = 0;
    for (int v = 0; v < 25; ++v) {
        const double *x = pli_world_positions(world) + 3 * v,
                     *u = pli_world_velocities(world) + 3 * v;
        pli_axpy(pli_world_vertex_masses(world)[v], u, momentum, 3);
        spin += pli_world_vertex_masses(world)[v] * pli_cross2(x, u);
    }
    ASSERT_NEAR(momentum[0], 0.01 * 30, 1e-8);
    ASSERT_NEAR(momentum[1], 0.01 * 100, 1e-8);
    ASSERT_NEAR(spin, 0.01 * 50, 1e-4); // arms change by the motion within the step
    pli_world_destroy(world);
}

static void nowhere(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = 1 / (0.02 - time);
    out[1] = out[2] = 0;
}

static void refuse(pli_world* world, pli_body_id id, const pli_load_def* load, const char* why) {
    assert_int_equal(pli_world_add_load(world, id, load, NULL, &error), PLI_E_ARGUMENT);
    if (!strstr(error.message, why)) fail_msg("\"%s\" does not say \"%s\"", error.message, why);
}

static void test_refusals(void** state) {
    (void)state;
    pli_world_def def = quiet_def(2, "backward-euler", 0.01);
    pli_world* world = make_world(&def);
    pli_body_id sheet = add_square(world, &(square){.segments = 2, .stiffness = 1e5});
    pli_body_id net = add_square(
        world, &(square){.segments = 2, .springs = true, .stiffness = 1e5, .centre = {3, 0}});
    const int32_t apart[2] = {0, 2}, twice[2] = {1, 1}, far[1] = {9};
    pli_load_def load = pli_default_load_def();
    assert_string_equal(load.kind, "force");
    load.kind = "pressure";
    load.vertices = apart;
    load.vertex_count = 2;
    refuse(world, sheet, &load, "select at least one whole edge");
    refuse(world, net, &load, "no surface");
    load.vertices = twice;
    refuse(world, sheet, &load, "listed twice");
    load.vertices = far;
    load.vertex_count = 1;
    refuse(world, sheet, &load, "vertex 9, must be 0 to 8");
    load.vertex_count = 0;
    refuse(world, sheet, &load, "must be > 0");
    load.kind = "push";
    refuse(world, sheet, &load, "\"force\", \"traction\", \"pressure\"");
    load.kind = "force";
    load.vertices = NULL;
    load.value[1] = NAN;
    refuse(world, sheet, &load, "value");
    assert_int_equal(pli_world_add_load(world, sheet, NULL, NULL, &error), PLI_E_ARGUMENT);
    load.value[1] = 0;
    load.field = nowhere;
    ASSERT_OK(pli_world_add_load(world, sheet, &load, NULL, &error));
    step(world);
    pli_step_info info;
    assert_int_equal(pli_world_step(world, &info, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "force at t = 0.02 s and ("));
    ASSERT_NEAR(pli_world_time(world), 0.01, 1e-15);
    pli_world_destroy(world);
}

// Two steps of the scheme that needs most, with every kind of load and dissipation.
static pli_status run_small(const pli_allocator* allocator, pli_world** world) {
    pli_world_def def = quiet_def(2, "exponential", 1e-4);
    def.thread_count = 1;
    def.allocator = allocator;
    PLI_TRY(pli_world_create(&def, world, &error));
    const double corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    const int32_t triangle[3] = {0, 1, 2};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 3, corners, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, triangle, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.mass_damping = body.stiffness_damping = 0.01;
    pli_body_id id;
    pli_status status = pli_world_add_body(*world, &body, &id, &error);
    pli_mesh_free(&mesh);
    static const char* const energies[] = {"arap", "viscosity", "drag"};
    static const char* const loads[] = {"force", "traction", "pressure"};
    for (int i = 0; i < 3; ++i) {
        pli_load_def load = pli_default_load_def();
        load.kind = loads[i];
        load.value[0] = 2;
        if (status == PLI_OK)
            status = pli_world_add_energy(*world, id, energies[i], NULL, 0, NULL, &error);
        if (status == PLI_OK) status = pli_world_add_load(*world, id, &load, NULL, &error);
    }
    for (int n = 0; n < 2 && status == PLI_OK; ++n) status = pli_world_step(*world, NULL, &error);
    return status;
}

static void test_every_allocation_may_fail(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator allocator = pli_test_hook(&counter);
    pli_world* world = NULL;
    ASSERT_OK(run_small(&allocator, &world));
    pli_world_destroy(world);
    assert_int_equal(counter.bytes, 0);
    for (int n = 1, total = counter.requests; n <= total; ++n) {
        counter = (pli_test_allocator){.fail_at = n};
        world = NULL;
        assert_int_equal(run_small(&allocator, &world), PLI_E_MEMORY);
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
}

// 1 kPa on the upper side of a soft cantilever bends it far down, and turns with it: the support
// carries p times the chord of the bent side, turned, and one load step ends where ten do.
static void ramp(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[0] = 1000 * time;
    out[1] = out[2] = 0;
}

static void test_static_pressure_is_in_equilibrium(void** state) {
    (void)state;
    double force[2][2];
    for (int k = 0; k < 2; ++k) {
        int steps = k ? 10 : 1;
        pli_world_def def = quiet_def(2, "static", 1.0 / steps);
        def.solver.gradient_tolerance = 1e-9;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 0.2, 10, 2, PLI_TRIANGLES, &error));
        int32_t top[11], left[3];
        int tops = 0, lefts = 0;
        for (int v = 0; v < mesh.vertex_count; ++v) {
            if (mesh.positions[3 * v + 1] > 0.099) top[tops++] = v;
            if (mesh.positions[3 * v] < -0.499) left[lefts++] = v;
        }
        assert_true(tops == 11 && lefts == 3);
        int32_t first = top[0], last = top[0];
        for (int i = 0; i < 11; ++i) {
            if (mesh.positions[3 * top[i]] < mesh.positions[3 * first]) first = top[i];
            if (mesh.positions[3 * top[i]] > mesh.positions[3 * last]) last = top[i];
        }
        pli_body_id id = add_mesh(world, &mesh, "fixed-corotated", 1e5, 0.3);
        pli_fix_def fix = {
            .size = sizeof fix, .vertices = left, .vertex_count = 3, .axes = {true, true, true}};
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        pli_load_def load = pli_default_load_def();
        load.kind = "pressure";
        load.field = ramp;
        load.vertices = top;
        load.vertex_count = 11;
        ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
        for (int n = 0; n < steps; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        const double* x = pli_world_positions(world);
        double chord[2] = {x[3 * last] - x[3 * first], x[3 * last + 1] - x[3 * first + 1]};
        assert_true(chord[1] < -0.9); // it hangs
        pli_support_info support = pli_world_support(world, 0);
        ASSERT_NEAR(support.force[0], -1000 * chord[1], 1e-3); // 1e-9 of the forces present
        ASSERT_NEAR(support.force[1], 1000 * chord[0], 1e-3);
        for (int c = 0; c < 2; ++c) force[k][c] = support.force[c];
        pli_world_destroy(world);
    }
    for (int c = 0; c < 2; ++c) ASSERT_NEAR(force[0][c], force[1][c], 1e-2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_static_pressure_is_in_equilibrium),
        cmocka_unit_test(test_force_is_gravity),
        cmocka_unit_test(test_time_dependent_force),
        cmocka_unit_test(test_pulled_bar),
        cmocka_unit_test(test_tube),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_free_body_under_pressure),
        cmocka_unit_test(test_open_pressure),
        cmocka_unit_test(test_reduced_body),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
