// Rules between bodies: what a world refuses, exclusion, friction by pairs, static and kinetic
// friction, starts that intersect.
#include "collision/rule_defs.h"
#include "dynamics/world.h"
#include "dynamics/worlds.h"

#include <stdio.h>
#include <stdlib.h>

static const double g = 9.81;

static void test_bad_rules(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    pli_world* world = make_world(&def);
    pli_contact_rule_def bad[] = {slides("", "", 0.5, 0.4), slides("", "", NAN, 0),
                                  slides("", "", 0, 101)};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        assert_int_equal(pli_world_add_contact_rule(world, &bad[i], NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_add_contact_rule(world, NULL, NULL, &error), PLI_E_ARGUMENT);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = 0.5;
    ground.friction_static = 0.3;
    assert_int_equal(pli_world_add_half_space(world, &ground, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "friction_static = 0.3"));
    add_point(world, 0, 1, 0, 0);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    for (body.tag_count = -1; body.tag_count <= 1; body.tag_count += 2) // without tags
        assert_int_equal(pli_world_add_body(world, &body, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_body_count(world), 1);
    pli_mesh_free(&mesh);
    pli_contact_rule_def unknown = passes("bodi", "");
    ASSERT_OK(pli_world_add_contact_rule(world, &unknown, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "\"bodi\""));
    pli_world_destroy(world);
    def.contact.friction = 0.2;
    def.contact.friction_static = 0.1;
    assert_int_equal(pli_world_create(&def, &world, &error), PLI_E_ARGUMENT);
}

// ---- exclusion

static pli_body_id add_named_square(pli_world* world, const char* name, const char* tag, double y,
                                    double velocity) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
    for (int i = 0; i < mesh.vertex_count; ++i) mesh.positions[3 * i + 1] += y;
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.velocity[1] = velocity;
    def.tags = &tag;
    def.tag_count = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    return id;
}

static double height_of(const pli_world* world, int body) {
    int first = pli_world_body_vertex(world, body), end = pli_world_body_vertex(world, body + 1);
    double sum = 0;
    for (int v = first; v < end; ++v) sum += pli_world_positions(world)[3 * v + 1];
    return sum / (end - first);
}

// A square flies through one of its own colour and is stopped by the other and by the ground, which
// in turn lets that one through.
static void test_exclusion(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    add_named_square(world, "flying", "red", 3, -10);
    add_named_square(world, "first", "red", 1.5, 0);
    add_named_square(world, "falling", "blue", 0.51, -20);
    pli_half_space_def ground = pli_default_half_space_def();
    ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
    assert_string_equal(pli_world_half_space_name(world, 0), "half-space 0");
    assert_string_equal(pli_world_half_space_name(world, 1), "");
    const pli_contact_rule_def list[3] = {passes("red", "red"), passes("falling", "half-space 0"),
                                          passes("red", "falling")};
    for (int i = 0; i < 3; ++i)
        ASSERT_OK(pli_world_add_contact_rule(world, &list[i], NULL, &error));
    bool met = false;
    for (int i = 0; i < 30; ++i) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        ASSERT_OK(pli_world_verify(world, &error));
        met = met || fabs(height_of(world, 0) - height_of(world, 1)) < 0.2;
    }
    assert_true(met && height_of(world, 0) > 0.4); // through the first, then on the ground
    assert_true(fabs(height_of(world, 1) - 1.5) < 1e-9);
    assert_true(fabs(height_of(world, 2) - (0.51 - 20 * 0.3)) < 1e-9);
    pli_world_destroy(world);
}

// ---- friction by pairs

// A slope of this tangent for points of 1 kg. The force of its barrier, (A kappa / 2) (1/s - 1 - ln
// s) with A = 1 m^2, carries them at s = 1/2, where they start.
static pli_world* slope_of(double tangent, double speed) {
    pli_world_def def = pli_default_world_def();
    double angle = atan(tangent);
    def.gravity[0] = g * sin(angle);
    def.gravity[1] = -g * cos(angle);
    def.contact.dhat = 0.01;
    def.contact.friction_speed = speed;
    def.contact.stiffness = 2 * g * cos(angle) / (1 + log(2));
    return make_world(&def);
}

static void add_slider(pli_world* world, const char* name, double x) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double at[3] = {x, 0.005, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.vertex_mass = 1;
    def.contact_area = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
}

// The half-space's own coefficient, unless a rule says otherwise.
static void test_friction_of_half_space(void** state) {
    (void)state;
    const double tangent = 0.3, e = 1e-4;
    pli_world* world = slope_of(tangent, e);
    add_slider(world, "ice", 0);
    add_slider(world, "rubber", -1); // nobody meets another
    add_slider(world, "stone", 2);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.name = "ground";
    ground.friction = 0.2;
    ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
    const pli_contact_rule_def list[2] = {slides("ice", "ground", 0, 0),
                                          slides("ground", "rubber", 0.5, 0)};
    for (int i = 0; i < 2; ++i)
        ASSERT_OK(pli_world_add_contact_rule(world, &list[i], NULL, &error));
    for (int i = 0; i < 100; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double angle = atan(tangent), half = 0.5 * 1.01; // [s^2], 100 steps of backward Euler
    double ice = half * g * sin(angle), stone = half * g * (sin(angle) - 0.2 * cos(angle));
    const double* x = pli_world_positions(world);
    // the smoothed speeds at the beginning are 1e-4 of those at the end
    ASSERT_NEAR(x[0], ice, 1e-9);
    double creep = e * (1 - sqrt(1 - tangent / 0.5));
    ASSERT_NEAR(x[3] + 1, creep, 0.02 * creep);
    ASSERT_NEAR(x[6] - 2, stone, 2e-4 * stone);
    pli_world_destroy(world);
}

// Three squares on a fixed plate in the plane: one slides, one sticks, by their tags; the third by
// the coefficient of all.
static void test_friction_of_bodies(void** state) {
    (void)state;
    const double tangent = 0.3, e = 1e-3;
    pli_world_def def = pli_default_world_def();
    double angle = atan(tangent);
    def.gravity[0] = g * sin(angle);
    def.gravity[1] = -g * cos(angle);
    def.contact.dhat = 1e-3;
    def.contact.friction_speed = e;
    def.contact.friction = 0.1;
    pli_world* world = make_world(&def);
    static const char* const names[3] = {"block 0", "block 1", "block 2"};
    for (int i = 0; i < 4; ++i) {
        bool plate = i == 3;
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, plate ? 20 : 0.2, plate ? 1 : 0.1, 2, 1,
                                         PLI_TRIANGLES, &error));
        for (int v = 0; v < mesh.vertex_count; ++v) {
            mesh.positions[3 * v] += plate ? 5 : i;
            mesh.positions[3 * v + 1] += plate ? -0.5 : 0.0507;
        }
        pli_body_def body = pli_default_body_def();
        body.name = plate ? "plate" : names[i];
        body.mesh = &mesh;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting k[2] = {{"young", 1e7}, {"poisson", 0.3}};
        pli_fix_def fix = pli_default_fix_def();
        if (plate)
            ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        else
            ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    }
    const pli_contact_rule_def list[2] = {slides("block 1", "plate", 0.5, 0),
                                          slides("plate", "block 2", 0.25, 0)};
    for (int i = 0; i < 2; ++i)
        ASSERT_OK(pli_world_add_contact_rule(world, &list[i], NULL, &error));
    for (int i = 0; i < 50; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double way[3];
    for (int i = 0; i < 3; ++i)
        way[i] = pli_world_positions(world)[3 * pli_world_body_vertex(world, i)] -
                 pli_world_rest_positions(world)[3 * pli_world_body_vertex(world, i)];
    // 0.25 s^2 / 2 (1 + 1 / 50 steps) of backward Euler; the blocks settle first: 5 %
    const double mu[3] = {0.1, 0, 0.25};
    for (int i = 0; i < 3; i += 2) {
        double exact = 0.125 * 1.02 * g * (sin(angle) - mu[i] * cos(angle));
        assert_true(fabs(way[i] / exact - 1) < 0.05);
    }
    assert_true(way[1] < 2 * e * 0.5); // creeps, and sheared elastically by far less
    pli_world_destroy(world);
}

// ---- static and kinetic friction

// Slid after 1 s on a slope, static 0.4, kinetic 0.2.
static double slide(double tangent) {
    pli_world* world = slope_of(tangent, 1e-3);
    add_slider(world, "block", 0);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = 0.2;
    ground.friction_static = 0.4;
    ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
    for (int i = 0; i < 100; ++i) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        pli_balance b = info.balance;
        double sum = b.kinetic + b.potential + b.dissipated + b.numerical - b.residual;
        // the terms of a step are of the size of 0.1 J at most
        assert_true(fabs(sum) < 1e-12 && b.dissipated >= 0);
    }
    double way = pli_world_positions(world)[0];
    pli_world_destroy(world);
    return way;
}

static void test_static_and_kinetic(void** state) {
    (void)state;
    const double e = 1e-3, sticks[] = {0.1, 0.3, 0.38}, slides[] = {0.45, 0.7};
    for (int i = 0; i < 3; ++i) { // it creeps, from the first steps on: 2 %
        double creep = e * (1 - sqrt(1 - sticks[i] / 0.4));
        ASSERT_NEAR(slide(sticks[i]), creep, 0.02 * creep);
    }
    for (int i = 0; i < 2; ++i) {
        double angle = atan(slides[i]);
        double exact =
            0.5 * 1.01 * g * (sin(angle) - 0.2 * cos(angle)); // backward Euler, 100 steps
        // static friction at the first 2 mm/s of 5 m/s
        ASSERT_NEAR(slide(slides[i]), exact, 2e-3 * exact);
    }
}

// ---- lagging until it converges

static void test_lag_until_converged(void** state) {
    (void)state;
    int most = 0;
    double way[2];
    for (int run = 0; run < 2; ++run) {
        pli_world_def def = pli_default_world_def();
        def.gravity[1] = -g;
        def.contact.dhat = 0.01;
        def.contact.friction_iterations = run == 0 ? 0 : 1;
        pli_world* world = make_world(&def);
        add_square(
            world,
            &(square){.segments = 2, .centre = {0, 0.6}, .stiffness = 1e5, .velocity = {1, -2}});
        add_ground(world, 0, 0.5);
        for (int i = 0; i < 20; ++i) {
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            assert_true(info.lag_passes >= 1 && info.lag_passes <= (run == 0 ? 100 : 1));
            if (run == 0 && info.lag_passes > most) most = info.lag_passes;
        }
        way[run] = pli_world_positions(world)[0];
        pli_world_destroy(world);
    }
    assert_true(most >= 3);        // it took some
    assert_true(way[0] != way[1]); // and it changed something
    assert_true(fabs(way[0] - way[1]) < 0.05);
}

// ---- starts that intersect

// Two squares, or cubes, that overlap by 0.1; the upper flies up, falls back and comes to rest on
// the lower, which is fixed.
static pli_world* overlapping(int dim, bool allowed) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.gravity[1] = -g;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        const double size[3] = {1, 1, 1};
        const int segments[3] = {1, 1, 1};
        if (dim == 2)
            ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
        else
            ASSERT_OK(pli_mesh_add_box(&mesh, size, segments, &error));
        for (int v = 0; v < mesh.vertex_count; ++v)
            for (int c = 0; c < dim; ++c) mesh.positions[3 * v + c] += i * (c == 1 ? 0.9 : 0.03);
        pli_body_def body = pli_default_body_def();
        body.name = i ? "upper" : "lower";
        body.mesh = &mesh;
        body.velocity[1] = 2.0 * i;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
        pli_fix_def fix = pli_default_fix_def();
        if (i == 0) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    }
    pli_contact_rule_def start = rule("upper", "lower");
    start.allow_initial = true;
    if (allowed) ASSERT_OK(pli_world_add_contact_rule(world, &start, NULL, &error));
    return world;
}

static void test_start_that_intersects(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_world* world = overlapping(dim, false);
        assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
        pli_world_destroy(world);
        world = overlapping(dim, true);
        ASSERT_OK(pli_world_prepare(world, &error));
        assert_int_equal(world->collision.exempt.count, 1);
        int released = -1;
        for (int i = 0; i < 90; ++i) {
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            ASSERT_OK(pli_world_verify(world, &error));
            if (world->collision.exempt.count == 0 && released < 0) released = i;
            pli_balance b = info.balance;
            double sum = b.kinetic + b.potential + b.dissipated + b.numerical - b.residual;
            // of kinetic energies up to 2000 J
            assert_true(fabs(sum) < 1e-9);
        }
        // 2 t - g t^2 / 2 = 0.1 at t = 0.06 s
        assert_true(released >= 5 && released <= 8);
        assert_true(height_of(world, 1) > 0.99);
        assert_true(height_of(world, 1) < 1.05);
        pli_world_destroy(world);
    }
}

// A square inside another has no edges that cross, but is not apart until it has left it.
static void test_start_inside(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    static const double size[2] = {3, 0.5};
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, size[i], size[i], 2, 2, PLI_TRIANGLES, &error));
        pli_body_def body = pli_default_body_def();
        body.name = i ? "inner" : "outer";
        body.mesh = &mesh;
        body.velocity[0] = 10.0 * i;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    }
    pli_contact_rule_def all = pli_default_contact_rule_def();
    all.allow_initial = true;
    ASSERT_OK(pli_world_add_contact_rule(world, &all, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(world->collision.exempt.count, 1);
    for (int i = 0; i < 22; ++i) {
        pli_step_info info = step(world);
        assert_int_equal(info.contact_count, 0);
        bool left = 0.1 * i > 1.75; // at the start of the step
        assert_int_equal(world->collision.exempt.count, left ? 0 : 1);
    }
    double v[3] = {0}; // it has met nothing
    for (int k = 0; k < 3; ++k)
        v[k] = pli_world_velocities(world)[3 * pli_world_body_vertex(world, 1) + k];
    assert_true(fabs(v[0] - 10) < 1e-9 && fabs(v[1]) < 1e-9);
    pli_world_destroy(world);
}

// Spheres around points that overlap with their thickness alone.
static void test_start_with_thickness(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        const double at[3] = {0.15 * i, 0, 0};
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
        pli_body_def body = pli_default_body_def();
        body.name = i ? "right" : "left";
        body.mesh = &mesh;
        body.vertex_mass = 1;
        body.contact_area = 0.01;
        body.contact_thickness = 0.1;
        body.velocity[0] = i;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
    }
    pli_contact_rule_def all = pli_default_contact_rule_def();
    all.allow_initial = true;
    ASSERT_OK(pli_world_add_contact_rule(world, &all, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(world->collision.exempt.count, 1);
    for (int i = 0; i < 10; ++i) step(world);
    assert_int_equal(world->collision.exempt.count, 0);
    assert_true(fabs(pli_world_velocities(world)[3] - 1) < 0.01); // apart by 1 cm a step
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_rules),
        cmocka_unit_test(test_exclusion),
        cmocka_unit_test(test_friction_of_half_space),
        cmocka_unit_test(test_friction_of_bodies),
        cmocka_unit_test(test_static_and_kinetic),
        cmocka_unit_test(test_lag_until_converged),
        cmocka_unit_test(test_start_that_intersects),
        cmocka_unit_test(test_start_inside),
        cmocka_unit_test(test_start_with_thickness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
