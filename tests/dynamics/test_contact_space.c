// Contact between bodies in space. After every step: converged, no intersection by the exact test,
// finite energies, and a balance of energy that closes.
#include "dynamics/worlds.h"

#include <stdlib.h>

static const double g = 9.81;

typedef struct box {
    double size[3];
    int segments[3];
    double centre[3];
    double angle; // about z
    double velocity[3];
    double young;   // 0: all vertices fixed
    double density; // 0: 1000
} box;

static void place(pli_mesh* mesh, const double centre[3], double angle) {
    for (int v = 0; v < mesh->vertex_count; ++v) {
        double* x = mesh->positions + 3 * v;
        double a = x[0], b = x[1];
        x[0] = cos(angle) * a - sin(angle) * b;
        x[1] = sin(angle) * a + cos(angle) * b;
        for (int k = 0; k < 3; ++k) x[k] += centre[k];
    }
}

static pli_body_id add_mesh(pli_world* world, const pli_mesh* mesh, const pli_body_def* given,
                            double young) {
    pli_body_def def = *given;
    def.mesh = mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    if (young > 0) {
        pli_setting k[2] = {{"young", young}, {"poisson", 0.3}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    } else {
        pli_fix_def fix = pli_default_fix_def();
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    }
    return id;
}

static pli_body_id add_box(pli_world* world, const char* name, const box* b) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, b->size, b->segments, &error));
    place(&mesh, b->centre, b->angle);
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.density = b->density > 0 ? b->density : 1000;
    memcpy(def.velocity, b->velocity, sizeof def.velocity);
    pli_body_id id = add_mesh(world, &mesh, &def, b->young);
    pli_mesh_free(&mesh);
    return id;
}

// A cube of side 0.1 and 2 x 2 x 2 cells.
static pli_body_id add_cube(pli_world* world, const char* name, double x, double y, double z,
                            double young) {
    return add_box(
        world, name,
        &(box){
            .size = {0.1, 0.1, 0.1}, .segments = {2, 2, 2}, .centre = {x, y, z}, .young = young});
}

static pli_world_def space_def(void) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.gravity[1] = -g;
    def.contact.dhat = 1e-3;
    return def;
}

// A step, and all that must hold after it.
static pli_step_info sound_step(pli_world* world) {
    pli_step_info info = step(world);
    if (info.reason != PLI_CONVERGED)
        fail_msg("step %d: %s", info.step, pli_reason_text(info.reason));
    ASSERT_OK(pli_world_verify(world, &error));
    double total = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i) {
        assert_true(isfinite(pli_world_energy_value(world, i)));
        total += fabs(pli_world_energy_value(world, i));
    }
    pli_balance b = info.balance;
    double sum = b.kinetic + b.potential + b.dissipated + b.numerical - b.work_prescribed -
                 b.work_loads - b.stiffening - b.residual;
    assert_true(fabs(sum) <= 1e-12 * (total + fabs(b.kinetic) + fabs(b.numerical)));
    return info;
}

static void momentum(const pli_world* world, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v)
        for (int k = 0; k < 3; ++k)
            out[k] += pli_world_vertex_masses(world)[v] * pli_world_velocities(world)[3 * v + k];
}

// Mean position or velocity of a body.
static void mean_of(const pli_world* world, int body, const double* values, double out[3]) {
    int first = pli_world_body_vertex(world, body), end = pli_world_body_vertex(world, body + 1);
    out[0] = out[1] = out[2] = 0;
    for (int v = first; v < end; ++v)
        for (int k = 0; k < 3; ++k) out[k] += values[3 * v + k] / (end - first);
}

// ---- falling and resting

static void add_ground_of(pli_world* world, double friction) { add_ground(world, 0, friction); }

static pli_world* two_cubes(int threads, double friction) {
    pli_world_def def = space_def();
    def.thread_count = threads;
    def.contact.friction = friction;
    pli_world* world = make_world(&def);
    add_cube(world, "lower", 0, 0.052, 0, 1e5);
    box upper = {.size = {0.1, 0.1, 0.1},
                 .segments = {2, 2, 2},
                 .centre = {0.02, 0.18, 0.01},
                 .angle = 0.5,
                 .young = 1e5};
    add_box(world, "upper", &upper);
    add_ground_of(world, friction);
    return world;
}

static void test_two_cubes_fall(void** state) {
    (void)state;
    pli_world* world = two_cubes(1, 0.3);
    int between = 0;
    for (int n = 0; n < 60; ++n) {
        sound_step(world);
        double force[3], back[3];
        pli_world_contact_force(world, 1, 0, force);
        pli_world_contact_force(world, 0, 1, back);
        between += force[1] > 0;
        for (int k = 0; k < 3; ++k)
            ASSERT_NEAR(force[k], -back[k], 1e-9 * (fabs(force[1]) + 1)); // sums of the same
    }
    assert_true(between > 20);
    pli_world_destroy(world);
}

// Forces carry the weight: between the cubes that of the upper one, on the ground that of both.
static void test_stacked_cubes_rest(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.time_step = 0.1;        // backward Euler damps: at rest after some steps
    def.contact.friction = 0.5; // or the upper one glides off
    def.solver.tolerance = 1e-8;
    pli_world* world = make_world(&def);
    add_cube(world, "lower", 0, 0.0508, 0, 1e6);
    add_cube(world, "upper", 0.012, 0.1516, 0.007, 1e6);
    add_ground_of(world, 0);
    for (int n = 0; n < 40; ++n) sound_step(world);
    double weight = 1000 * 1e-3 * g, force[3];
    pli_world_contact_force(world, 1, 0, force);
    ASSERT_NEAR(force[1], weight, 1e-3 * weight);
    pli_world_contact_force(world, 0, -1, force);
    ASSERT_NEAR(force[1], 2 * weight, 1e-3 * 2 * weight);
    pli_world_contact_force(world, 1, -1, force);
    assert_true(force[1] == 0);
    pli_world_destroy(world);
}

// Cubes exactly above each other, 0.01 apart: edges parallel, corners over corners.
static void test_aligned_cubes(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.contact.friction = 0.5; // the column is not stable without
    pli_world* world = make_world(&def);
    char name[8] = "cube 0";
    for (int i = 0; i < 4; ++i, ++name[5]) add_cube(world, name, 0, 0.06 + 0.11 * i, 0, 1e6);
    add_ground_of(world, 0);
    double top[3], sideways = 0;
    for (int n = 0; n < 50; ++n) {
        sound_step(world);
        mean_of(world, 3, pli_world_positions(world), top);
        sideways = fmax(sideways, hypot(top[0], top[2]));
    }
    assert_true(top[1] > 0.33 && top[1] < 0.36); // 0.35 and a little pressed
    assert_true(sideways < 2e-3);
    pli_world_destroy(world);
}

// ---- edges

// Two bars of one cell cross over each other: no vertex of the one is near the other.
static void test_crossing_bars(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.contact.dhat = 5e-4;
    pli_world* world = make_world(&def);
    box lower = {.size = {0.4, 0.02, 0.02}, .segments = {1, 1, 1}, .centre = {0.07, 0, 0.01}};
    box upper = {.size = {0.02, 0.02, 0.4},
                 .segments = {1, 1, 1},
                 .centre = {0.02, 0.03, 0.03},
                 .angle = 0.785,
                 .young = 1e7};
    add_box(world, "lower", &lower);
    add_box(world, "upper", &upper);
    double force[3], impulse = 0;
    for (int n = 0; n < 40; ++n) {
        pli_step_info info = sound_step(world);
        pli_world_contact_force(world, 1, 0, force);
        impulse += info.time_step * force[1];
    }
    // It tips, but first it is held: about its weight for a good part of 0.4 s.
    assert_true(impulse > 0.1 * 0.16 * g * 0.4);
    pli_world_destroy(world);
}

// Edges that lie along each other, parallel to the last bit, and touch by nothing else: the
// mollifier switches them off, the corners hold.
static void test_parallel_edges(void** state) {
    (void)state;
    pli_world_def def = space_def();
    pli_world* world = make_world(&def);
    double eighth = 0.78539816339744831; // standing on its edge
    box lower = {
        .size = {0.1, 0.1, 0.2}, .segments = {1, 1, 2}, .centre = {0, 0, 0}, .angle = eighth};
    box upper = lower;
    upper.centre[1] = 0.1 * sqrt(2) + 0.005;
    upper.young = 1e6;
    add_box(world, "lower", &lower);
    add_box(world, "upper", &upper);
    double lowest = 1, centre[3];
    for (int n = 0; n < 12; ++n) { // later it tips: nothing keeps it upright
        sound_step(world);
        mean_of(world, 1, pli_world_positions(world), centre);
        lowest = fmin(lowest, centre[1]);
    }
    assert_true(lowest > 0.1); // nowhere near the lower one's middle
    pli_world_destroy(world);
}

// ---- speed and tightness

static void add_sheet(pli_world* world, double size, int cells, double thickness) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, size, size, cells, cells, PLI_TRIANGLES, &error));
    pli_body_def def = pli_default_body_def();
    def.name = "sheet";
    def.vertex_mass = 1;
    def.contact_thickness = thickness;
    add_mesh(world, &mesh, &def, 0);
    pli_mesh_free(&mesh);
}

// 1000 m/s, ten metres per step, against a single sheet of two triangles.
static void test_nothing_tunnels(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[1] = 0;
    pli_world* world = make_world(&def);
    add_sheet(world, 1, 1, 0);
    box shot = {.size = {0.1, 0.1, 0.1},
                .segments = {1, 1, 1},
                .centre = {0.03, 0.02, 3},
                .angle = 0.3,
                .velocity = {0, 0, -1000},
                .young = 1e7};
    add_box(world, "cube", &shot);
    double force[3], closest = 3;
    for (int n = 0; n < 5; ++n) {
        sound_step(world);
        const double* x = pli_world_positions(world);
        for (int v = 4; v < 12; ++v) {
            assert_true(x[3 * v + 2] > 0);
            closest = fmin(closest, x[3 * v + 2]);
        }
        pli_world_contact_force(world, 1, 0, force);
    }
    assert_true(closest < 1e-3);
    pli_world_destroy(world);
}

// A cube of 9.998 mm falls through a slot of 10 mm, gaps of 1e-6 m, and is pushed aside.
static void test_tight_slot(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[0] = 1;
    def.contact.dhat = 5e-7;
    def.solver.tolerance = 1e-6;
    pli_world* world = make_world(&def);
    box cube = {.size = {9.998e-3, 9.998e-3, 9.998e-3},
                .segments = {1, 1, 1},
                .centre = {0, 0.04, 0},
                .young = 1e6};
    box wall = {.size = {0.01, 0.1, 0.02}, .segments = {1, 1, 1}, .centre = {-0.01, 0, 0}};
    add_box(world, "cube", &cube);
    add_box(world, "left", &wall);
    wall.centre[0] = 0.01;
    add_box(world, "right", &wall);
    int touched = 0;
    double centre[3];
    for (int n = 0; n < 10; ++n) {
        touched += sound_step(world).contact_count > 0;
        mean_of(world, 0, pli_world_positions(world), centre);
        ASSERT_NEAR(centre[0], 0, 1.1e-6);
    }
    // Backward Euler: x_n = x_0 - g h^2 n (n + 1) / 2; the walls are smooth and almost upright.
    ASSERT_NEAR(centre[1], 0.04 - g * 1e-4 * 10 * 11 / 2, 1e-5);
    assert_true(touched > 5);
    pli_world_destroy(world);
}

// ---- friction

// Way down the slope of tan = 1/2 in `steps` steps of a cube on a fixed plate.
static double way_down(double mu, double eps_v, int steps) {
    pli_world_def def = space_def();
    def.gravity[0] = g * 0.5 / sqrt(1.25);
    def.gravity[1] = -g / sqrt(1.25);
    def.contact.friction = mu;
    def.contact.friction_speed = eps_v;
    def.contact.friction_iterations = 20;
    def.contact.stiffness = 1e6;
    def.solver.tolerance = 1e-7;
    pli_world* world = make_world(&def);
    box plate = {.size = {1, 0.05, 0.5}, .segments = {4, 1, 3}, .centre = {0, -0.025, 0}};
    box cube = {.size = {0.1, 0.1, 0.1},
                .segments = {1, 1, 1},
                .centre = {0.013, 0.0509, 0.021},
                .young = 1e8};
    add_box(world, "plate", &plate);
    add_box(world, "cube", &cube);
    double start[3], end[3];
    for (int n = 0; n < 20; ++n) sound_step(world); // it settles first
    mean_of(world, 1, pli_world_positions(world), start);
    for (int n = 0; n < steps; ++n) sound_step(world);
    mean_of(world, 1, pli_world_positions(world), end);
    pli_world_destroy(world);
    return end[0] - start[0];
}

// At mu 0.51 > tan it creeps with v = eps_v (1 - sqrt(1 - tan / mu)), at 0.4 it slides with
// g (sin - mu cos).
static void test_slope(void** state) {
    (void)state;
    double eps_v = 1e-3, creep = eps_v * (1 - sqrt(1 - 0.5 / 0.51));
    double drift = way_down(0.51, eps_v, 40);
    print_message("    drift / creep formula = %.4f\n", drift / (creep * 0.4));
    assert_true(drift <= 1.02 * creep * 0.4);
    assert_true(drift > 0.5 * creep * 0.4);
    double a = g * (0.5 - 0.4) / sqrt(1.25), slid = way_down(0.4, eps_v, 40);
    // From the speed of 20 steps of settling on: between 0 and a 0.2 s.
    assert_true(slid > 0.5 * a * 0.16 * 0.9 && slid < (0.5 * 0.16 + 0.4 * 0.2) * a * 1.1);
}

// ---- conservation, threads, memory

static void test_momentum_of_a_collision(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[1] = 0;
    def.contact.friction = 0.3;
    def.solver.tolerance = 1e-9;
    def.time_step = 0.005;
    pli_world* world = make_world(&def);
    box one = {.size = {0.1, 0.1, 0.1},
               .segments = {2, 2, 2},
               .velocity = {1, 0.2, 0},
               .angle = 0.3,
               .young = 1e5};
    box other = {.size = {0.1, 0.1, 0.1},
                 .segments = {1, 2, 1},
                 .centre = {0.15, 0.03, 0.02},
                 .velocity = {-1, 0, 0.1},
                 .young = 1e5,
                 .density = 3000};
    add_box(world, "one", &one);
    add_box(world, "other", &other);
    double before[3], after[3];
    int touching = 0;
    for (int n = 0; n < 30; ++n) {
        if (n == 0) momentum(world, before);
        touching += sound_step(world).contact_count > 0;
    }
    momentum(world, after);
    assert_true(touching > 5);
    // 4 kg and corrections below 1e-9 m/s in each of 30 steps.
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(after[k], before[k], 4e-8);
    pli_world_destroy(world);
}

static void test_threads_do_not_matter(void** state) {
    (void)state;
    enum { VERTICES = 54 };
    double reference[3 * VERTICES];
    for (int threads = 1; threads <= 3; ++threads) {
        pli_world* world = two_cubes(threads, 0.3);
        for (int n = 0; n < 25; ++n) sound_step(world);
        assert_int_equal(pli_world_vertex_count(world), VERTICES);
        if (threads == 1) memcpy(reference, pli_world_positions(world), sizeof reference);
        assert_memory_equal(pli_world_positions(world), reference, sizeof reference);
        pli_world_destroy(world);
    }
}

// Memory has its largest size after the impacts; at rest it does not grow.
static void test_memory_is_bounded(void** state) {
    (void)state;
    pli_world* world = two_cubes(1, 0.5);
    for (int n = 0; n < 100; ++n) step(world);
    size_t peak = pli_world_memory_peak(world);
    for (int n = 0; n < 60; ++n) step(world);
    assert_true((double)pli_world_memory_peak(world) <= 1.5 * (double)peak);
    pli_world_destroy(world);
}

// ---- thin parts

static pli_body_id add_points(pli_world* world, const char* name, int count, const double* at,
                              const double velocity[3], double radius) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, count, at, NULL, &error));
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.vertex_mass = 0.1;
    def.contact_thickness = radius;
    memcpy(def.velocity, velocity, sizeof def.velocity);
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

// Particles of radius 0.02 against each other, a segment of radius 0.01 and a sheet of 0.005: they
// stop at the sum of the radii.
static void test_thickness(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[1] = 0;
    pli_world* world = make_world(&def);
    const double apart[2][3] = {{0.3, 0.3, 0.5}, {0.3, 0.36, 0.5}}, above[3] = {0.1, 0.1, 0.1},
                 beside[3] = {0, 0.1, 0.3};
    const double up[3] = {0, 1, 0}, rest[3] = {0}, down[3] = {0, 0, -1}, across[3] = {0, -1, 0};
    add_points(world, "first", 1, apart[0], up, 0.02);
    add_points(world, "second", 1, apart[1], rest, 0.02);
    add_points(world, "third", 1, above, down, 0.02);
    add_points(world, "fourth", 1, beside, across, 0.02);
    add_sheet(world, 1, 2, 0.005);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {-0.2, 0, 0.3}, b[3] = {0.2, 0, 0.3};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    pli_body_def wire = pli_default_body_def();
    wire.name = "wire";
    wire.vertex_mass = 1;
    wire.contact_thickness = 0.01;
    add_mesh(world, &mesh, &wire, 0);
    pli_mesh_free(&mesh);
    double nearest[3] = {1, 1, 1};
    for (int n = 0; n < 20; ++n) {
        sound_step(world);
        const double* x = pli_world_positions(world);
        double now[3] = {x[4] - x[1], x[8], x[10]};
        for (int k = 0; k < 3; ++k) nearest[k] = fmin(nearest[k], now[k]);
    }
    const double sums[3] = {0.04, 0.025, 0.03};
    for (int k = 0; k < 3; ++k) assert_true(nearest[k] > sums[k] && nearest[k] < sums[k] + 1.2e-3);
    pli_world_destroy(world);
}

// A point of 1 kg at rest on a plane, form without area: d / dhat = 0.782309 at kappa = 1e10.
static void test_form_without_area(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.contact.barrier = "ipc";
    def.contact.stiffness = 1e10;
    def.time_step = 0.1;
    def.solver.tolerance = 1e-9;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double at[3] = {0, 0.9e-3, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    add_ground_of(world, 0);
    for (int n = 0; n < 40; ++n) sound_step(world);
    ASSERT_NEAR(pli_world_positions(world)[1] / 1e-3, 0.782309, 2e-6); // six digits were given
    pli_world_destroy(world);

    def = space_def(); // and between bodies
    def.contact.barrier = "ipc";
    def.contact.stiffness = 1e10;
    world = make_world(&def);
    add_cube(world, "lower", 0, 0.052, 0, 1e5);
    add_cube(world, "upper", 0.013, 0.157, 0.017, 1e5);
    add_ground_of(world, 0);
    for (int n = 0; n < 30; ++n) sound_step(world);
    pli_world_destroy(world);
}

// ---- stiffness that the world chooses

// Diagonal 1 m, dhat 1e-3 m, mean mass 1 kg, no contacts: 1e11 m / (4 d0 b''(d0)) = 2499999.9995.
static void test_first_stiffness_of_ipc(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.contact.barrier = "ipc";
    def.contact.stiffness = 0;
    pli_world* world = make_world(&def);
    const double at[2][3] = {{0, 0, 0}, {0.6, 0.8, 0}}, rest[3] = {0};
    add_points(world, "pair", 2, at[0], rest, 0);
    ASSERT_OK(pli_world_prepare(world, &error));
    ASSERT_NEAR(pli_world_contact_stiffness(world), 0.1 * 2499999.9995, 1e-4); // of 0.1 kg each
    pli_world_destroy(world);
}

// With area the first value is about a tenth of Young's modulus and suits; without area it starts
// far too soft for what rests on it here and doubles, until contacts do not come closer any more.
static void test_stiffness_adapts(void** state) {
    (void)state;
    for (int form = 0; form < 2; ++form) {
        pli_world_def def = space_def();
        def.contact.barrier = form ? "ipc" : "area";
        def.contact.stiffness = 0;
        def.contact.dhat = 1e-5;
        def.contact.friction = 0.5;
        def.gravity[1] = -5 * g;
        def.time_step = 0.02;
        def.solver.tolerance = 1e-9; // forces of gaps of 1e-8 m are to be resolved
        pli_world* world = make_world(&def);
        add_cube(world, "lower", 0, 0.05001, 0, 1e6);
        add_cube(world, "upper", 0.003, 0.15002, 0.004, 1e6);
        add_ground_of(world, 0.5);
        ASSERT_OK(pli_world_prepare(world, &error));
        double first = pli_world_contact_stiffness(world), gap = 0, force[3];
        for (int n = 0; n < 15; ++n) gap = sound_step(world).min_distance;
        double growth = pli_world_contact_stiffness(world) / first;
        print_message("    %s: %.3g, in the end %g times as much; gap %.2g dhat\n",
                      def.contact.barrier, first, growth, gap / 1e-5);
        if (form == 0) assert_true(first > 5e4 && first < 2e5 && growth == 1);
        if (form == 1) assert_true(growth >= 2 && growth <= 100);
        pli_world_contact_force(world, 1, 0, force);
        ASSERT_NEAR(force[1], 1000 * 1e-3 * 5 * g, 0.1 * 5 * g); // it still swings a little
        pli_world_destroy(world);
    }
}

// ---- what is refused, what is left out

static void test_start_is_checked(void** state) {
    (void)state;
    pli_world_def def = space_def();
    pli_world* world = make_world(&def);
    add_cube(world, "one", 0, 0, 0, 1e5);
    add_cube(world, "other", 0.06, 0.07, 0.08, 1e5);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "of body \"one\""));
    assert_non_null(strstr(error.message, "of body \"other\""));
    assert_non_null(strstr(error.message, "intersects"));
    pli_world_destroy(world);

    world = make_world(&def); // thicknesses that overlap
    const double at[2][3] = {{0, 0, 0}, {0.03, 0, 0}}, rest[3] = {0};
    add_points(world, "p", 1, at[0], rest, 0.02);
    add_points(world, "q", 1, at[1], rest, 0.02);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "body \"p\""));
    assert_non_null(strstr(error.message, "body \"q\""));
    pli_world_destroy(world);
}

// Bodies that take no part pass through each other; vertices inside do not touch half-spaces.
static void test_who_takes_part(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[1] = 0;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double size[3] = {0.1, 0.1, 0.1};
    const int segments[3] = {2, 2, 2};
    ASSERT_OK(pli_mesh_add_box(&mesh, size, segments, &error));
    pli_body_def body = pli_default_body_def();
    body.name = "ghost";
    body.contact_bodies = false;
    add_mesh(world, &mesh, &body, 1e5);
    for (int v = 0; v < mesh.vertex_count; ++v) mesh.positions[3 * v] += 0.05;
    body.name = "other";
    add_mesh(world, &mesh, &body, 1e5);
    pli_half_space_def wall = pli_default_half_space_def(); // just below both
    wall.point[1] = -0.0505;
    ASSERT_OK(pli_world_add_half_space(world, &wall, NULL, &error));
    assert_int_equal(sound_step(world).contact_count, 2 * 9);
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_cubes_fall),
        cmocka_unit_test(test_stacked_cubes_rest),
        cmocka_unit_test(test_aligned_cubes),
        cmocka_unit_test(test_crossing_bars),
        cmocka_unit_test(test_parallel_edges),
        cmocka_unit_test(test_nothing_tunnels),
        cmocka_unit_test(test_tight_slot),
        cmocka_unit_test(test_slope),
        cmocka_unit_test(test_momentum_of_a_collision),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_form_without_area),
        cmocka_unit_test(test_first_stiffness_of_ipc),
        cmocka_unit_test(test_stiffness_adapts),
        cmocka_unit_test(test_start_is_checked),
        cmocka_unit_test(test_who_takes_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
