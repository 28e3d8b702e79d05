// Thin bodies: mass from thickness and cross-section, and a thread as a beam.
#include "dynamics/worlds.h"

#include "pliant/change.h"

static const double pi = 3.14159265358979323846;

static pli_world* thin_world(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    pli_world* world;
    ASSERT_OK(pli_world_create(&def, &world, &error));
    return world;
}

static pli_body_id add_line(pli_world* world, int segments, double length, pli_body_def def) {
    pli_mesh mesh;
    pli_body_id id;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){0}, (const double[3]){length, 0, 0},
                                segments, &error));
    def.mesh = &mesh;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static void thread_has_mass(void** state) {
    (void)state;
    static const char* const kinds[] = {"lumped", "even", "consistent"};
    for (int i = 0; i < 3; ++i) {
        pli_world* world = thin_world("backward-euler");
        pli_body_def def = pli_default_body_def();
        def.density = 500;
        def.mass = kinds[i];
        pli_body_id id = add_line(world, 4, 2, def);
        pli_setting settings[2] = {{"young", 1e6}, {"radius", 0.02}};
        pli_energy_id energy;
        ASSERT_OK(pli_world_add_energy(world, id, "thread", settings, 2, &energy, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        const double total = 500 * pi * 0.02 * 0.02 * 2, none[3] = {0};
        ASSERT_NEAR(pli_world_body_summary(world, 0, none).mass, total, 1e-12 * total);
        // Ends have half a segment, unless all vertices weigh the same.
        ASSERT_NEAR(pli_world_vertex_masses(world)[0], total / (i == 1 ? 5 : 8), 1e-12 * total);
        // Parameters change the mass, in a world that runs, too.
        settings[1].value = 0.01;
        ASSERT_OK(pli_world_set_energy(world, energy, settings, 2, &error));
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        ASSERT_NEAR(pli_world_body_summary(world, 0, none).mass, total / 4, 1e-12 * total);
        pli_world_destroy(world);
    }
}

static void own_section_wins(void** state) {
    (void)state;
    pli_world* world = thin_world("backward-euler");
    pli_body_def def = pli_default_body_def();
    def.cross_section = 0.1;
    pli_body_id id = add_line(world, 4, 2, def);
    ASSERT_OK(pli_world_add_energy(world, id, "thread", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    ASSERT_NEAR(pli_world_body_summary(world, 0, (const double[3]){0}).mass, 200, 1e-10);
    pli_world_destroy(world);
}

// Density gives a sheet the mass density * area * thickness; without a thickness of its own, that
// of the world.
static void sheet_has_mass(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        pli_world* world = thin_world("backward-euler");
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 2, 3, 4, 4, PLI_TRIANGLES, &error));
        pli_body_def def = pli_default_body_def();
        def.mesh = &mesh;
        def.density = 100;
        def.thickness = i == 0 ? 0.001 : 0;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
        pli_mesh_free(&mesh);
        ASSERT_OK(pli_world_add_energy(world, id, "hinge", NULL, 0, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        double mass = pli_world_body_summary(world, 0, (const double[3]){0}).mass;
        ASSERT_NEAR(mass, i == 0 ? 0.6 : 600, 1e-10 * mass);
        pli_world_destroy(world);
    }
}

// A cantilever under a small tip load: F L^3 / (3 EI) with corners in place of a curve, which makes
// the first half segment rigid: L^3 - (3/2 h L^2 - ...) of order h / L.
static void thread_is_a_beam(void** state) {
    (void)state;
    const double young = 1e9, radius = 0.01, force = 1e-3, length = 1;
    double inertia = pi * pow(radius, 4) / 4,
           exact = force * pow(length, 3) / (3 * young * inertia);
    double drop[2];
    for (int i = 0; i < 2; ++i) {
        int n = 20 << i;
        pli_world* world = thin_world("static");
        // The clamp: the first segment is fixed, and half of it belongs to the beam.
        double l = length * n / (n - 0.5);
        pli_body_id id = add_line(world, n, l, pli_default_body_def());
        pli_setting settings[2] = {{"young", young}, {"radius", radius}};
        ASSERT_OK(pli_world_add_energy(world, id, "thread", settings, 2, NULL, &error));
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = (const int32_t[]){0, 1};
        fix.vertex_count = 2;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        pli_load_def load = pli_default_load_def();
        load.vertices = (const int32_t[]){n};
        load.vertex_count = 1;
        load.value[1] = -force;
        ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        assert_int_equal(info.reason, PLI_CONVERGED);
        drop[i] = -pli_world_positions(world)[3 * n + 1];
        pli_world_destroy(world);
    }
    ASSERT_NEAR(drop[0], exact, 2e-3 * exact);
    ASSERT_NEAR(drop[1], exact, 5e-4 * exact); // second order
}

static pli_body_id add_block(pli_world* world, pli_body_def def) {
    pli_mesh mesh;
    pli_body_id id;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, (const double[3]){1, 1, 1}, (const int[3]){1, 1, 1}, &error));
    def.mesh = &mesh;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

// The stiffness of contact that a world chooses for three points of 1 g in a row, held by segments
// of k = EA / l = 1000 N/m: across there is inertia alone, m / h^2 = 10 N/m, along 1000 or 2000
// more. Without the key of the scene it is chosen where something thin can deform, 1e5 Pa
// elsewhere.
static void stiffness_follows_both_directions(void** state) {
    (void)state;
    enum { CHOSEN, NOT_GIVEN, SOLID, GIVEN, COUNT };
    const double area = 1e-4, young = 1e6, radius = sqrt(1e-3 / pi);
    const double ends = sqrt(10 * (10 + 1000.)), middle = sqrt(10 * (10 + 2000.));
    const double chosen = 2 * (2 * ends + middle) / (3 * sqrt(area));
    const double expected[COUNT] = {chosen, chosen, 1e5, 7e3};
    for (int i = 0; i < COUNT; ++i) {
        pli_world_def def = pli_default_world_def();
        def.dimension = 3;
        def.time_step = 0.01;
        assert_true(isnan(def.contact.stiffness));
        if (i == CHOSEN) def.contact.stiffness = 0;
        if (i == GIVEN) def.contact.stiffness = 7e3;
        pli_world* world = make_world(&def);
        pli_body_def body = pli_default_body_def();
        body.vertex_mass = 1e-3;
        body.contact_area = area;
        pli_setting settings[3] = {{"young", young}, {"radius", radius}, {"bending_scale", 0}};
        if (i == SOLID) {
            pli_body_id id = add_block(world, body);
            ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", NULL, 0, NULL, &error));
        } else {
            pli_body_id id = add_line(world, 2, 2, body);
            ASSERT_OK(pli_world_add_energy(world, id, "thread", settings, 3, NULL, &error));
        }
        pli_half_space_def ground = pli_default_half_space_def();
        ground.point[1] = -1;
        ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        ASSERT_NEAR(pli_world_contact_stiffness(world), expected[i], 1e-9 * expected[i]);
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thread_has_mass),
        cmocka_unit_test(own_section_wins),
        cmocka_unit_test(sheet_has_mass),
        cmocka_unit_test(thread_is_a_beam),
        cmocka_unit_test(stiffness_follows_both_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
