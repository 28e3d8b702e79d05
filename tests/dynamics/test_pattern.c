// Flat rest shapes of sheets: mass, stretches and stress follow them; a copied world has them; what
// is refused.
#include "dynamics/worlds.h"
#include "pliant/derivatives.h"

#include <string.h>

static const double points[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.5, 0, 1, 0.5};
static const int32_t triangles[] = {0, 1, 2, 0, 2, 3};

static void make_mesh(pli_mesh* mesh) {
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(mesh, 4, points, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(mesh, PLI_TRIANGLE, 2, triangles, &error));
}

static pli_world* empty_world(int dimension) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dimension;
    def.thread_count = 1;
    def.contact.bodies = false;
    pli_world* world = NULL;
    ASSERT_OK(pli_world_create(&def, &world, &error));
    return world;
}

static pli_world* make_sheet(const double* pattern, double scale, const char* mass,
                             pli_body_id* id) {
    pli_world* world = empty_world(3);
    pli_mesh mesh;
    make_mesh(&mesh);
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.density = 300;
    body.thickness = 0.01;
    body.pattern = pattern;
    body.rest_scale = scale;
    body.mass = mass;
    ASSERT_OK(pli_world_add_body(world, &body, id, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, *id, "neo-hookean", settings, 2, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

static double mass_of(pli_world* world) { return pli_world_body_summary(world, 0, NULL).mass; }

// A sheet whose rest lengths are 0.8 of those it has: stretches 1.25 in both directions, less mass,
// the stress of that stretch.
static void rest_scale(void** state) {
    (void)state;
    const char* const masses[] = {"lumped", "consistent", "even"};
    double area = 2 * 0.5 * sqrt(1.25), s = 1 / 0.8, mu = 1e5 / 2.6;
    double lam = 1e5 * 0.3 / (1.3 * 0.4), ps = 2 * lam * mu / (lam + 2 * mu);
    for (int i = 0; i < 3; ++i) {
        pli_body_id id;
        pli_world* world = make_sheet(NULL, 0.8, masses[i], &id);
        ASSERT_NEAR(mass_of(world), 300 * 0.01 * area * 0.64, 1e-12);
        double stretches[6], stress[12], energy[2], density[2];
        pli_world_element_fields(world, PLI_TRIANGLE,
                                 &(pli_element_fields){.energy = energy,
                                                       .energy_density = density,
                                                       .stress = stress,
                                                       .stretches = stretches});
        double psi = mu * (s * s - 1 - 2 * log(s)) + 2 * ps * log(s) * log(s);
        double sigma = mu * (1 - 1 / (s * s)) + 2 * ps * log(s) / (s * s);
        for (int t = 0; t < 2; ++t) {
            ASSERT_NEAR(stretches[3 * t], s, 1e-12);
            ASSERT_NEAR(stretches[3 * t + 1], s, 1e-12);
            ASSERT_NEAR(density[t], psi, 1e-9 * psi);
            ASSERT_NEAR(energy[t], psi * 0.01 * 0.64 * area / 2, 1e-9 * psi);
            ASSERT_NEAR(stress[6 * t], sigma, 1e-9 * sigma); // along x, which is in both planes
        }
        pli_world_destroy(world);
    }
}

// A pattern of a square twice as wide, its triangles apart and one of them mirrored: x is
// compressed to a half, y (along the slope, sqrt 1.25 long) as the pattern says.
static void pattern(void** state) {
    (void)state;
    const double h = sqrt(1.25);
    const double flat[] = {0, 0, 2, 0, 2, h, 7, 7, 9, 7 - h, 7, 7 - h};
    pli_body_id id;
    pli_world *world = make_sheet(flat, 1, "lumped", &id), *copy = NULL;
    ASSERT_OK(pli_world_clone(world, &copy, &error));
    for (int k = 0; k < 2; ++k) {
        pli_world* w = k ? copy : world;
        double stretches[6];
        pli_step_info info;
        pli_world_element_fields(w, PLI_TRIANGLE, &(pli_element_fields){.stretches = stretches});
        for (int t = 0; t < 2; ++t) {
            ASSERT_NEAR(stretches[3 * t], 1, 1e-12);
            ASSERT_NEAR(stretches[3 * t + 1], 0.5, 1e-12);
        }
        ASSERT_OK(pli_world_step(w, &info, &error)); // it springs open
        assert_true(pli_world_positions(w)[3] > 1.001);
    }
    assert_memory_equal(pli_world_positions(world), pli_world_positions(copy), 12 * sizeof(double));
    pli_mesh mesh;
    make_mesh(&mesh);
    assert_int_equal(pli_world_edit(world, id, &mesh, NULL, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "pattern"));
    pli_mesh_free(&mesh);
    pli_world_destroy(copy);
    pli_world_destroy(world);
}

static void refusals(void** state) {
    (void)state;
    static const double flat[12] = {0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 2, 2};
    static const double wrong[12] = {0, 0, 1, 0, NAN, 1};
    static const struct {
        int dimension;
        const double* pattern;
        double scale;
        const char *message, *key;
    } rows[] = {
        {3, flat, 1, "body \"sheet\": pattern of triangle 1: its area is 0, must be > 0",
         "pattern"},
        {3, wrong, 1, "body \"sheet\": pattern of triangle 0: coordinate 4 is", "pattern"},
        {2, NULL, 0.9, "body \"sheet\": rest_scale is for sheets: ", "rest_scale"},
        {3, NULL, 0, "body \"sheet\": rest_scale = 0", "rest_scale"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_world* world = empty_world(rows[i].dimension);
        pli_mesh mesh;
        make_mesh(&mesh);
        pli_body_def body = pli_default_body_def();
        body.name = "sheet";
        body.mesh = &mesh;
        body.pattern = rows[i].pattern;
        body.rest_scale = rows[i].scale;
        assert_int_equal(pli_world_add_body(world, &body, NULL, &error), PLI_E_ARGUMENT);
        if (!strstr(error.message, rows[i].message)) fail_msg("%s", error.message);
        assert_string_equal(error.key, rows[i].key);
        pli_mesh_free(&mesh);
        pli_world_destroy(world);
    }
}

// The world of a folded sheet of the given size with one energy, at rest or with its rest shape
// scaled; nothing else.
static pli_world* bent_sheet(const char* type, double size, double scale) {
    pli_world* world = empty_world(3);
    pli_mesh mesh;
    make_mesh(&mesh);
    for (int i = 0; i < 12; ++i) mesh.positions[i] *= size;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.density = 300;
    body.thickness = 0.01;
    body.rest_scale = scale;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[] = {{"young", 1e5}, {"poisson", 0.3}, {"thickness", 0.01}};
    ASSERT_OK(pli_world_add_energy(world, id, type, settings, 3, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

// Shells take their rest shape from the body's too: a sheet whose rest lengths are 0.8 of its own
// behaves as one made at 0.8 of the size and stretched to this one.
static void shells_follow(void** state) {
    (void)state;
    static const char* const types[] = {"shell", "bending", "plastic-bending"};
    for (int i = 0; i < 3; ++i) {
        pli_world *scaled = bent_sheet(types[i], 1, 0.8), *small = bent_sheet(types[i], 0.8, 1);
        double x[12], f[12], g[12], most = 0;
        memcpy(x, pli_world_positions(scaled), sizeof x);
        x[5] += 0.1; // and bent
        const pli_world_state bent = {.positions = x};
        ASSERT_OK(pli_world_set_state(scaled, &bent, &error));
        ASSERT_OK(pli_world_set_state(small, &bent, &error));
        ASSERT_NEAR(mass_of(scaled), mass_of(small), 1e-12);
        ASSERT_OK(pli_world_gradient(scaled, PLI_OF_POTENTIAL, f, NULL, &error));
        ASSERT_OK(pli_world_gradient(small, PLI_OF_POTENTIAL, g, NULL, &error));
        for (int k = 0; k < 12; ++k) most = fmax(most, fabs(f[k]));
        assert_true(most > 0);
        for (int k = 0; k < 12; ++k) ASSERT_NEAR(f[k], g[k], 1e-11 * most);
        pli_world_destroy(scaled);
        pli_world_destroy(small);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_scale),
        cmocka_unit_test(pattern),
        cmocka_unit_test(refusals),
        cmocka_unit_test(shells_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
