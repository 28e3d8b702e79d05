// Bodies of triangles and tetrahedra, linear and quadratic, in a world: mass, weight, gravity,
// large compression without inversion, a start turned inside out.
#include "dynamics/worlds.h"

static const char* const names[] = {
    "arap",  "fixed-corotated", "neo-hookean", "stable-neo-hookean", "st-venant-kirchhoff",
    "linear"};
enum { NAME_COUNT = 6 };

// A unit square or cube around the origin, of n cells each way.
static void make_mesh(pli_mesh* mesh, int dim, int n, bool quadratic) {
    pli_mesh_init(mesh, NULL);
    if (dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(mesh, 1, 1, n, n, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(
            pli_mesh_add_box(mesh, (const double[3]){1, 1, 1}, (const int[3]){n, n, n}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
}

static pli_body_id add_solid(pli_world* world, const pli_mesh* mesh, const char* energy,
                             double young) {
    pli_body_def def = pli_default_body_def();
    def.mesh = mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_setting settings[2] = {{"young", young}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, energy, settings, 2, NULL, &error));
    return id;
}

// Vertices whose y is at the given value.
static int select_level(const pli_mesh* mesh, double y, int32_t* out) {
    int count = 0;
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (fabs(mesh->positions[3 * v + 1] - y) < 1e-9) out[count++] = v;
    return count;
}

static pli_world_def plain_def(int dim) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.gravity[1] = -9.81;
    def.contact.bodies = false;
    def.thread_count = 2;
    return def;
}

static double sum_of_masses(const pli_world* world) {
    double sum = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v) {
        double mass = pli_world_vertex_masses(world)[v];
        assert_true(mass > 0);
        sum += mass;
    }
    return sum;
}

// Bodies fall as points do, whatever they are made of: x_n = x0 - g h^2 n (n + 1) / 2.
static void free_fall(void** state) {
    (void)state;
    for (int i = 0; i < 4 * NAME_COUNT; ++i) {
        int dim = 2 + i % 2;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 2, i / 2 % 2);
        pli_world_def def = plain_def(dim);
        pli_world* world = make_world(&def);
        add_solid(world, &mesh, names[i / 4], 1e5);
        ASSERT_OK(pli_world_prepare(world, &error));
        ASSERT_NEAR(sum_of_masses(world), 1000, 1e-9);
        for (int s = 0; s < 5; ++s) assert_int_equal(step(world).reason, PLI_CONVERGED);
        double drop = 9.81 * def.time_step * def.time_step * 15;
        for (int v = 0; v < mesh.vertex_count; ++v) {
            const double *x = pli_world_positions(world) + 3 * v, *X = mesh.positions + 3 * v;
            ASSERT_NEAR(x[0], X[0], 1e-9); // solver tolerance of 1e-6 m/s or better
            ASSERT_NEAR(x[1], X[1] - drop, 1e-6);
            ASSERT_NEAR(x[2], X[2], 1e-9);
        }
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// A block hung up by its top, after large steps: the support carries the weight.
static void weight(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        int dim = 2 + i % 2;
        pli_mesh mesh;
        make_mesh(&mesh, dim, 2, i / 2);
        pli_world_def def = plain_def(dim);
        def.time_step = 10;
        pli_world* world = make_world(&def);
        pli_body_id id = add_solid(world, &mesh, "fixed-corotated", 1e6);
        int32_t top[500];
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = top;
        fix.vertex_count = select_level(&mesh, 0.5, top);
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        for (int s = 0; s < 20; ++s) assert_true(step(world).kept);
        double force[3] = {0};
        for (int v = 0; v < mesh.vertex_count; ++v)
            for (int c = 0; c < 3; ++c) force[c] += pli_world_reactions(world)[3 * v + c];
        ASSERT_NEAR(force[1], 9810, 1e-2);
        ASSERT_NEAR(force[0], 0, 1e-2);
        ASSERT_NEAR(force[2], 0, 1e-2);
        // In the middle of the height the stress is half the weight: sigma_yy > 0 everywhere.
        pli_element_kind kind = i == 0   ? PLI_TRIANGLE
                                : i == 1 ? PLI_TETRAHEDRON
                                : i == 2 ? PLI_TRIANGLE6
                                         : PLI_TETRAHEDRON10;
        double stress[6 * 48], mean = 0;
        int count = pli_world_element_count(world, kind);
        assert_true(count > 0 && count <= 48);
        pli_world_element_fields(world, kind, &(pli_element_fields){.stress = stress});
        for (int e = 0; e < count; ++e) mean += stress[6 * e + 1] / count;
        ASSERT_NEAR(mean / (0.5 * 9810), 1, 0.05); // elements have equal size, but for some strain
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

static double smallest_volume(const pli_world* world, pli_element_kind kind) {
    double smallest = HUGE_VAL;
    int size = pli_element_size(kind);
    const double* x = pli_world_positions(world);
    for (int e = 0; e < pli_world_element_count(world, kind); ++e) {
        const int32_t* v = pli_world_elements(world, kind) + e * size;
        double d[3][3];
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c) d[i][c] = x[3 * v[i + 1] + c] - x[3 * v[0] + c];
        double volume = d[0][0] * (d[1][1] * d[2][2] - d[1][2] * d[2][1]) -
                        d[0][1] * (d[1][0] * d[2][2] - d[1][2] * d[2][0]) +
                        d[0][2] * (d[1][0] * d[2][1] - d[1][1] * d[2][0]);
        smallest = fmin(smallest, volume / 6);
    }
    return smallest;
}

// A neo-Hookean cube pressed to a tenth of its height in a few large steps stays without inversion.
static void compression(void** state) {
    (void)state;
    pli_mesh mesh;
    make_mesh(&mesh, 3, 3, false);
    pli_world_def def = plain_def(3);
    def.time_step = 0.1;
    def.gravity[1] = 0;
    def.solver.max_iterations = 300;
    pli_world* world = make_world(&def);
    pli_body_id id = add_solid(world, &mesh, "neo-hookean", 1e5);
    int32_t top[64], bottom[64];
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = bottom;
    fix.vertex_count = select_level(&mesh, -0.5, bottom);
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    pli_prescribe_def press = pli_default_prescribe_def();
    press.vertices = top;
    press.vertex_count = select_level(&mesh, 0.5, top);
    press.velocity[1] = -3;
    press.travel = 0.9;
    ASSERT_OK(pli_world_prescribe(world, id, &press, NULL, &error));
    for (int s = 0; s < 4; ++s) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        assert_true(smallest_volume(world, PLI_TETRAHEDRON) > 0);
    }
    ASSERT_NEAR(pli_world_positions(world)[3 * top[0] + 1], -0.4,
                1e-3); // as near as pins count as arrived
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// Energies that may invert start from a cube whose vertices are scrambled and bring it back.
static void scrambled_start(void** state) {
    (void)state;
    static const char* const able[] = {"arap", "fixed-corotated", "stable-neo-hookean"};
    for (int i = 0; i < 3; ++i) {
        pli_mesh mesh;
        make_mesh(&mesh, 3, 2, false);
        double start[3 * 27];
        assert_int_equal(mesh.vertex_count, 27);
        for (int k = 0; k < 3 * 27; ++k)
            start[k] = mesh.positions[k] + 0.4 * ((k * 7919 % 101) / 50.0 - 1);
        pli_world_def def = plain_def(3);
        def.gravity[1] = 0;
        def.time_step = 1;
        def.solver.max_iterations = 1000;
        pli_world* world = make_world(&def);
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.initial = start;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        ASSERT_OK(pli_world_add_energy(world, id, able[i], NULL, 0, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        assert_true(smallest_volume(world, PLI_TETRAHEDRON) < 0);
        for (int s = 0; s < 10; ++s) assert_int_equal(step(world).reason, PLI_CONVERGED);
        assert_true(smallest_volume(world, PLI_TETRAHEDRON) > 0.99 / 48);
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// What a mesh lacks is said.
static void missing_elements(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_line(&mesh, (const double[3]){0, 0, 0}, (const double[3]){1, 0, 0}, 2,
                                &error));
    pli_world_def def = plain_def(3);
    pli_world* world = make_world(&def);
    pli_body_def body = pli_default_body_def();
    body.name = "rope";
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "volume", NULL, 0, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_int_equal(error.object, PLI_OBJECT_ENERGY);
    assert_int_equal(error.index, 0);
    assert_non_null(strstr(error.message, "tetrahedron or 10-node tetrahedron"));
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// Each law with plane stress finds F_zz from its own stress alone: beside another solid it is
// refused in any order; dissipation, gravity, other bodies and bodies in space do not matter.
static void test_plane_stress_is_alone(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    pli_world_def def = plain_def(2);
    pli_world* world = make_world(&def);
    pli_body_def body = pli_default_body_def();
    pli_body_id sheet, block;
    body.mesh = &mesh;
    body.name = "sheet";
    ASSERT_OK(pli_world_add_body(world, &body, &sheet, &error));
    body.name = "block";
    ASSERT_OK(pli_world_add_body(world, &body, &block, &error));
    const pli_setting one = {"plane_stress", 1};
    ASSERT_OK(pli_world_add_energy(world, sheet, "gravity", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, sheet, "fixed-corotated", &one, 1, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, sheet, "viscosity", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, block, "volume", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, block, "arap", NULL, 0, NULL, &error));
    assert_int_equal(pli_world_add_energy(world, sheet, "volume", NULL, 0, NULL, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "body \"sheet\": plane_stress of energy "
                                          "\"fixed-corotated\""));
    assert_non_null(strstr(error.message, "\"volume\""));
    assert_int_equal(pli_world_add_energy(world, sheet, "linear", &one, 1, NULL, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_world_add_energy(world, block, "linear", &one, 1, NULL, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "plane_stress of energy \"linear\""));
    ASSERT_OK(pli_world_prepare(world, &error)); // refused ones are not there
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// Memory per vertex is bounded: at the peak the world takes at most 4.5 kB per vertex, 1.6 kB per
// tetrahedron and three times the factor (8 bytes per nonzero), the bound that the benchmark
// prints.
static void test_memory_is_bounded(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.gravity[1] = -9.81;
    def.thread_count = 1;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(
        pli_mesh_add_box(&mesh, (const double[3]){2, 0.2, 0.2}, (const int[3]){40, 5, 5}, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", NULL, 0, NULL, &error));
    pli_step_info info = step(world);
    double bound = 4500.0 * pli_world_vertex_count(world) +
                   1600.0 * pli_world_element_count(world, PLI_TETRAHEDRON) +
                   24.0 * (double)info.factor_nonzeros;
    assert_true(info.factor_nonzeros > 0);
    assert_true((double)pli_world_memory_peak(world) < bound);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane_stress_is_alone),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(free_fall),
        cmocka_unit_test(weight),
        cmocka_unit_test(compression),
        cmocka_unit_test(scrambled_start),
        cmocka_unit_test(missing_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
