// Elastic solids with known answers: patch test, cantilever and hanging bar under their own weight,
// Cook's membrane, the first axial and bending frequency of a bar.
#include "validation/solids.h"

// ---- patch test: with all of the boundary at F X the inside is at F X, too

enum { PATCH_CELLS = 3 };

static bool on_patch_boundary(const double X[3]) {
    return fabs(X[0]) > 0.5 - 1e-9 || fabs(X[1]) > 0.5 - 1e-9 || fabs(X[2]) > 0.5 - 1e-9;
}

static void apply_patch_map(const double X[3], int dim, double x[3]) {
    x[0] = 1.1 * X[0] + 0.2 * X[1];
    x[1] = 0.9 * X[1] + (dim == 3 ? 0.1 * X[2] : 0);
    x[2] = dim == 3 ? 1.05 * X[2] : X[2];
}

// All elements have the same stress: the Cauchy stress of the first one.
static void assert_uniform_stress(const pli_world* world, double young) {
    for (int kind = PLI_TRIANGLE; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int count = pli_world_element_count(world, (pli_element_kind)kind);
        if (count == 0) continue;
        double* stress = calloc(6 * (size_t)count, sizeof *stress);
        assert_non_null(stress);
        pli_world_element_fields(world, (pli_element_kind)kind, NULL, stress);
        assert_true(fabs(stress[0]) > 0.01 * young);
        for (int i = 6; i < 6 * count; ++i)
            ASSERT_NEAR(stress[i], stress[i % 6], 1e-8 * young); // positions to 1e-9, of cells 1/3
        free(stress);
    }
}

static double patch_error(const char* type, int dim, bool quadratic) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const int n = PATCH_CELLS;
    if (dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, n, n, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(
            pli_mesh_add_box(&mesh, (const double[3]){1, 1, 1}, (const int[3]){n, n, n}, &error));
    // no two elements alike: the vertices inside are moved, up to an eighth of a cell
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int c = 0; c < dim && !on_patch_boundary(mesh.positions + 3 * v); ++c)
            mesh.positions[3 * v + c] += 0.04 * sin(7.0 * v + 3.0 * c);
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    double* initial = malloc(3 * sizeof *initial * (size_t)mesh.vertex_count);
    assert_non_null(initial);
    for (int v = 0; v < mesh.vertex_count; ++v) {
        const double* X = mesh.positions + 3 * v;
        apply_patch_map(X, dim, initial + 3 * v);
        for (int c = 0; c < dim && !on_patch_boundary(X); ++c)
            initial[3 * v + c] += 0.015 * cos(5.0 * v + 2.0 * c); // the start is not the answer
    }
    pli_world_def def = solid_def(dim, "static");
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world, &mesh, &(material){type, 1e5, 0.3, 0}, initial);
    fix_where(world, id, &mesh, on_patch_boundary);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double worst = 0;
    for (int v = 0; v < mesh.vertex_count; ++v) {
        double x[3];
        apply_patch_map(mesh.positions + 3 * v, dim, x);
        for (int c = 0; c < 3; ++c)
            worst = fmax(worst, fabs(pli_world_positions(world)[3 * v + c] - x[c]));
    }
    assert_uniform_stress(world, 1e5);
    pli_world_destroy(world);
    free(initial);
    pli_mesh_free(&mesh);
    return worst;
}

static void test_patch(void** state) {
    (void)state;
    static const char* const types[] = {"linear", "neo-hookean", "stable-neo-hookean",
                                        "fixed-corotated", "st-venant-kirchhoff"};
    for (size_t t = 0; t < sizeof types / sizeof *types; ++t)
        for (int i = 0; i < 4; ++i) {
            double away = patch_error(types[t], 2 + i % 2, i / 2);
            print_message("    %-20s %dD %s: %.2g m\n", types[t], 2 + i % 2,
                          i / 2 ? "quadratic" : "linear", away);
            ASSERT_NEAR(away, 0, 1e-9);
        }
}

// ---- bars under their own weight

// Sag of the end of the cantilever, E = 1e8 Pa, nu = 0 [m].
static double cantilever_sag(int along, int across, bool quadratic) {
    pli_mesh mesh;
    make_bar(&mesh, along, across, quadratic);
    pli_world_def def = solid_def(3, "static");
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world, &mesh, &(material){"linear", 1e8, 0, 0}, NULL);
    fix_where(world, id, &mesh, at_x_0);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double sag = -mean_displacement(world, 1, 1);
    // the support carries the weight of 10 kg
    double held = 0;
    for (int v = 0; v < mesh.vertex_count; ++v) held += pli_world_reactions(world)[3 * v + 1];
    ASSERT_NEAR(held, 98.1, 1e-6);
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
    return sag;
}

// Bending 1.5 rho g L^4 / (E t^2) and shear rho g L^2 / (2 k G), k = 5/6, G = E / 2.
static void test_cantilever(void** state) {
    (void)state;
    double exact = 1.5 * 9810 / (1e8 * 0.01) + 9810 / (2 * 5.0 / 6 * 0.5e8);
    double coarse = cantilever_sag(20, 2, false), fine = cantilever_sag(40, 4, false);
    double curved = cantilever_sag(10, 1, true);
    print_message("    sag / exact: %.4f, %.4f; quadratic %.4f\n", coarse / exact, fine / exact,
                  curved / exact);
    assert_true(coarse < fine && fine < exact);
    // linear tetrahedra are too stiff in bending; the error goes with the square of their size
    ASSERT_NEAR((exact / coarse - 1) / (exact / fine - 1), 4, 0.5);
    ASSERT_NEAR(curved, exact, 0.03 * exact);
}

// rho g L^2 / (2 E) = 0.004905 m.
static void test_hanging_bar(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        make_bar(&mesh, 20, 2, i == 1);
        pli_world_def def = solid_def(3, "static");
        def.gravity[0] = 9.81;
        pli_world* world = make_world(&def);
        pli_body_id id = add_body(world, &mesh, &(material){"linear", 1e6, 0, 0}, NULL);
        fix_where(world, id, &mesh, at_x_0);
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double longer = mean_displacement(world, 1, 0);
        print_message("    %s: %.7f m\n", i ? "quadratic" : "linear", longer);
        ASSERT_NEAR(longer, 0.004905, 0.02 * 0.004905);
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// ---- Cook's membrane: corners (0,0) (48,44) (48,60) (0,44), left edge fixed, shear of 1 N right

// The shear as an energy over vertices: P = -f y with the share f of the vertex. A uniform load on
// a quadratic edge goes to its ends and its middle as 1/6, 1/6, 4/6.
typedef struct shear {
    double force; // [N]
} shear;

static pli_status shear_prepare(const double* params, const pli_element* element, void* data,
                                pli_error* shear_error) {
    (void)shear_error;
    const double* X = element->rest + 3 * (size_t)element->vertices[0];
    if (fabs(X[0] - 48) > 1e-9) return PLI_OK; // the record stays zero
    double edges = params[0];
    int place = (int)lround((X[1] - 44) / 16 * 2 * edges); // from 0 to 2 edges
    bool end = place == 0 || place == (int)(2 * edges);
    ((shear*)data)->force = (place % 2 ? 4 : end ? 1 : 2) / (6 * edges);
    return PLI_OK;
}

static void shear_eval(const pli_batch* in, pli_local* out) {
    const shear* shears = in->data;
    for (int i = 0; i < in->count; ++i) {
        if (in->want & PLI_VALUE) out->e[i] -= shears[i].force * in->x[3 * in->vertices[i] + 1];
        if (in->want & PLI_GRADIENT) out->g[i * in->dim + 1] -= shears[i].force;
    }
}

static const pli_param shear_params[] = {{.name = "edges",
                                          .type = PLI_PARAM_NUMBER,
                                          .unit = "",
                                          .min = 1,
                                          .max = 1000,
                                          .default_value = 1,
                                          .help = "quadratic edges along the right side"}};

static const pli_energy_type shear_type = {.abi = PLI_ENERGY_ABI,
                                           .name = "edge-shear",
                                           .help = "-f y",
                                           .dims = 1u << 2,
                                           .params = shear_params,
                                           .param_count = 1,
                                           .data_size = {[PLI_VERTEX] = sizeof(shear)},
                                           .linear = true,
                                           .prepare = shear_prepare,
                                           .eval = shear_eval};

// Rise of the vertex that rests at (48, y) [m], for n x n cells.
static double membrane_rise(int n, double y) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, n, n, PLI_TRIANGLES, &error));
    for (int v = 0; v < mesh.vertex_count; ++v) {
        double s = mesh.positions[3 * v] + 0.5, t = mesh.positions[3 * v + 1] + 0.5;
        mesh.positions[3 * v] = 48 * s;
        mesh.positions[3 * v + 1] = 44 * s + t * (44 - 28 * s);
    }
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    static const pli_energy_type* const types[] = {&shear_type};
    pli_world_def def = solid_def(2, "static");
    def.thickness = 1;
    def.energy_types = types;
    def.energy_type_count = 1;
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world, &mesh, &(material){"linear", 1, 1.0 / 3, 1}, NULL);
    pli_setting edges = {"edges", n};
    ASSERT_OK(pli_world_add_energy(world, id, "edge-shear", &edges, 1, &error));
    fix_where(world, id, &mesh, at_x_0);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    double rise = NAN, held = 0;
    for (int v = 0; v < mesh.vertex_count; ++v) {
        const double* X = mesh.positions + 3 * v;
        held += pli_world_reactions(world)[3 * v + 1];
        if (hypot(X[0] - 48, X[1] - y) < 1e-9) rise = pli_world_positions(world)[3 * v + 1] - y;
    }
    ASSERT_NEAR(held, -1, 1e-8); // all of the load
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
    return rise;
}

static void test_membrane(void** state) {
    (void)state;
    double coarse = membrane_rise(8, 52), fine = membrane_rise(16, 52);
    double corner = membrane_rise(16, 60);
    print_message("    middle %.4f, %.4f; corner %.4f m\n", coarse, fine, corner);
    assert_true(coarse < fine && fine < 23.967); // from below
    ASSERT_NEAR(fine, 23.967, 0.002 * 23.967);
    ASSERT_NEAR(coarse, 23.967, 0.02 * 23.967);
    ASSERT_NEAR(corner, 25.19, 0.01 * 25.19);
}

// ---- frequencies of the cantilever's bar, E = 1e8 Pa, nu = 0

// Released in the shape of `mode` along `axis`, the end swings about zero; its frequency [Hz] from
// the first to the fifth time it passes, which is two periods.
static double ring(const pli_mesh* mesh, double (*mode)(double), int axis, double guess) {
    double* initial = malloc(3 * sizeof *initial * (size_t)mesh->vertex_count);
    assert_non_null(initial);
    memcpy(initial, mesh->positions, 3 * sizeof *initial * (size_t)mesh->vertex_count);
    for (int v = 0; v < mesh->vertex_count; ++v)
        initial[3 * v + axis] += 1e-3 * mode(mesh->positions[3 * v]);
    pli_world_def def = solid_def(3, "newmark");
    def.time_step = 1 / (100 * guess); // makes periods (pi / 100)^2 / 3 = 0.03 % longer
    def.solver.tolerance = 1e-8;
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world, mesh, &(material){"linear", 1e8, 0, 0}, initial);
    free(initial);
    fix_where(world, id, mesh, at_x_0);
    double before = mode(1) * 1e-3, first = 0, last = 0;
    int passes = 0;
    for (int n = 1; n <= 300 && passes < 5; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        double now = mean_displacement(world, 1, axis);
        if ((now < 0) != (before < 0)) {
            last = (n - 1 + before / (before - now)) * def.time_step;
            if (passes++ == 0) first = last;
        }
        before = now;
    }
    assert_int_equal(passes, 5);
    pli_world_destroy(world);
    return 2 / (last - first);
}

static double axial_mode(double x) { return sin(0.5 * 3.14159265358979 * x); }

// The clamped-free mode; its sign does not matter.
static double bending_mode(double x) {
    const double b = 1.8751041, s = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
    return 0.5 * (cosh(b * x) - cos(b * x) - s * (sinh(b * x) - sin(b * x)));
}

// Axial sqrt(E / rho) / (4 L) = 79.0569 Hz; bending 5.10835 Hz for a thin bar. One that is 0.1
// thick is slower by the shear and turning of its slices: 1 - (b t)^2 / 24 (1 + 2.4) about 0.5 %.
static void test_frequencies(void** state) {
    (void)state;
    pli_mesh mesh;
    make_bar(&mesh, 30, 1, false);
    double axial = ring(&mesh, axial_mode, 0, 79.0569);
    pli_mesh_free(&mesh);
    make_bar(&mesh, 10, 1, true);
    double bending = ring(&mesh, bending_mode, 1, 5.10835);
    pli_mesh_free(&mesh);
    print_message("    axial %.4f Hz, bending %.4f Hz\n", axial, bending);
    ASSERT_NEAR(axial, 79.0569, 0.01 * 79.0569);
    ASSERT_NEAR(bending, 5.10835, 0.03 * 5.10835);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patch),       cmocka_unit_test(test_cantilever),
        cmocka_unit_test(test_hanging_bar), cmocka_unit_test(test_membrane),
        cmocka_unit_test(test_frequencies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
