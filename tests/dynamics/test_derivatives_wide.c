// Exact gradients and Hessians of worlds with wide energies: gas in closed surfaces and the density
// of clouds of points, expanded and with the curvature that their factors leave out.
#include "dynamics/differences.h"
#include "oracle/allocator.h"
#include "oracle/density.h"
#include "oracle/random.h"

// ---- gas

typedef struct balloon {
    int dim;
    const char *kinematics, *linear, *scheme;
    int order;
    double shift;    // of all places [m]
    double pressure; // above the ambient pressure of 1000 Pa
    bool slide, prescribe;
    bool alone; // no anchors
} balloon;

static const balloon plain = {
    .dim = 3, .kinematics = "free", .scheme = "backward-euler", .order = 1, .pressure = 400};

static void make_surface(pli_mesh* mesh, const balloon* b) {
    static const double corners[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1},
                        around[] = {0, 0, 0, 1, 0.2, 0, 1.3, 1, 0, 0.4, 1.2, 0, -0.3, 0.7, 0};
    static const int32_t faces[] = {0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2,
                                    1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5},
                         outline[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
    bool space = b->dim == 3;
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(mesh, space ? 6 : 5, space ? corners : around, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(mesh, space ? PLI_TRIANGLE : PLI_SEGMENT, space ? 8 : 5,
                                    space ? faces : outline, &error));
    for (int i = 0; i < 3 * mesh->vertex_count; ++i)
        mesh->positions[i] += i % 3 < b->dim ? b->shift : 0;
}

static void hold(pli_world* world, pli_body_id id, const balloon* b) {
    static const int32_t first[1] = {0}, third[1] = {2};
    pli_fix_def fix = pli_default_fix_def();
    pli_prescribe_def motion = pli_default_prescribe_def();
    fix.vertices = motion.vertices = first;
    fix.vertex_count = motion.vertex_count = 1;
    fix.normal[0] = 0.3;
    fix.normal[1] = 1;
    if (b->slide) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    fix = pli_default_fix_def();
    fix.vertices = third;
    fix.vertex_count = 1;
    if (b->slide) ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    motion.velocity[0] = 0.5;
    if (b->prescribe) ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
}

static pli_world* make_balloon_with(const balloon* b, const pli_allocator* allocator) {
    pli_random r = {5};
    pli_world_def def = def_of(b->dim);
    pli_mesh mesh;
    pli_body_def body = pli_default_body_def();
    pli_body_id id;
    def.scheme = b->scheme;
    def.allocator = allocator;
    if (b->linear) def.solver.linear = b->linear;
    def.solver.linear_tolerance = 1e-10;
    make_surface(&mesh, b);
    double* initial = room(3 * mesh.vertex_count);
    for (int i = 0; i < 3 * mesh.vertex_count; ++i)
        initial[i] = mesh.positions[i] + (i % 3 < b->dim ? pli_random_in(&r, -0.1, 0.1) : 0);
    body.mesh = &mesh;
    if (strcmp(b->kinematics, "free") == 0) body.initial = initial;
    body.vertex_mass = 1;
    body.kinematics = b->kinematics;
    body.order = b->order;
    pli_world* world = make_world(&def);
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    const pli_setting gas[2] = {{"pressure", b->pressure}, {"ambient", 1000}},
                      anchor = {"stiffness", 300};
    ASSERT_OK(pli_world_add_energy(world, id, "gas", gas, 2, NULL, &error));
    if (!b->alone) ASSERT_OK(pli_world_add_energy(world, id, "anchor", &anchor, 1, NULL, &error));
    hold(world, id, b);
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_mesh_free(&mesh);
    free(initial);
    return world;
}

static pli_world* make_balloon(const balloon* b) { return make_balloon_with(b, NULL); }

static void check_balloon(const balloon* b) {
    pli_world* world = make_balloon(b);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    for (int i = 0; i < 2; ++i) advance(world);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
    pli_world_destroy(world);
}

static void test_gas(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int linear = 0; linear < 2; ++linear) {
            balloon b = plain;
            b.dim = dim;
            b.linear = linear ? "pcg" : "multifrontal";
            check_balloon(&b);
            b.pressure = -400; // the left-out part has the other sign
            check_balloon(&b);
            b.slide = true;
            check_balloon(&b);
            b.slide = false;
            b.prescribe = true;
            check_balloon(&b);
            b = plain;
            b.dim = dim;
            b.shift = 7;
            check_balloon(&b);
            b.scheme = "newmark";
            check_balloon(&b);
            b.scheme = "bdf2";
            check_balloon(&b);
            b = plain;
            b.dim = dim;
            b.kinematics = "polynomial"; // all vertices hang on one group
            check_balloon(&b);
        }
}

// Forces turn with a balloon that nothing else acts on: H (w x x) = w x g. The factor alone would
// give 0, because turning keeps the volume. The matrix is dense.
static void test_turning(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        balloon b = plain;
        b.dim = i == 3 ? 2 : 3;
        b.alone = true;
        pli_world* world = make_balloon(&b);
        pli_sparse h, map;
        ASSERT_OK(pli_world_hessian(world, PLI_OF_POTENTIAL, &h, &error));
        ASSERT_OK(pli_world_map(world, &map, &error));
        int n = h.column_count, p = (i + 1) % 3, q = (i + 2) % 3; // w: axis i, the last is z
        if (i == 3) p = 0, q = 1;
        assert_int_equal(h.count, n * (n + 1) / 2);
        double *turn = room(n), *g = room(3 * pli_world_vertex_count(world)), *Ht = room(n);
        const double* x = pli_world_positions(world);
        ASSERT_OK(pli_world_gradient(world, PLI_OF_POTENTIAL, g, NULL, &error));
        for (int j = 0; j < n; ++j) { // each unknown is a coordinate of a vertex
            int row = map.row[map.start[j]], c = row % 3, v = row - c;
            turn[j] = c == p ? -x[v + q] : c == q ? x[v + p] : 0;
        }
        multiply_mass(&h, turn, Ht);
        double size = 0;
        for (int j = 0; j < n; ++j) {
            int row = map.row[map.start[j]], c = row % 3, v = row - c;
            double turned = c == p ? -g[v + q] : c == q ? g[v + p] : 0;
            size = fmax(size, fabs(turned));
            ASSERT_NEAR(Ht[j], turned, 1e-11 * b.pressure);
        }
        assert_true(size > 0.1 * b.pressure);
        pli_sparse_free(&h);
        pli_sparse_free(&map);
        free(turn), free(g), free(Ht);
        pli_world_destroy(world);
    }
}

static void test_nothing_changes(void** state) {
    (void)state;
    for (int linear = 0; linear < 2; ++linear) {
        balloon b = plain;
        b.linear = linear ? "pcg" : "multifrontal";
        compare_runs(make_balloon(&b), make_balloon(&b), 4);
    }
}

// Memory that fails at each call in turn: nothing is lost.
static void test_memory(void** state) {
    (void)state;
    pli_test_allocator count = {0};
    pli_allocator hook = pli_test_hook(&count);
    pli_world* world = make_balloon_with(&plain, &hook);
    advance(world);
    size_t before = count.bytes;
    pli_sparse h = {0};
    pli_status status = PLI_E_MEMORY;
    for (int i = 1; status != PLI_OK; ++i) {
        count.requests = 0;
        count.fail_at = i;
        status = pli_world_hessian(world, PLI_OF_STEP, &h, &error);
        assert_true(status == PLI_OK || (status == PLI_E_MEMORY && count.bytes == before));
        assert_true(i < 1000);
    }
    count.fail_at = 0;
    pli_sparse_free(&h);
    assert_int_equal(count.bytes, before);
    advance(world);
    pli_world_destroy(world);
    assert_true(count.bytes == 0 && !count.wrong_size);
}

// ---- density

static pli_world* make_cloud(int dim, const pli_energy_type* const* type, const char* linear) {
    enum { MOST = 27 };
    int side = 3, count = dim == 3 ? 27 : 9;
    double x[3 * MOST] = {0}, squeezed[3 * MOST] = {0};
    pli_random r = {9};
    for (int i = 0; i < 3 * count; ++i) {
        int c = i % 3, v = i / 3, at = c == 0 ? v % side : c == 1 ? v / side % side : v / 9;
        if (c >= dim) continue;
        x[i] = 0.1 * at;
        squeezed[i] = 0.9 * x[i] + pli_random_in(&r, -0.005, 0.005);
    }
    pli_world_def def = def_of(dim);
    def.energy_types = type;
    def.energy_type_count = 1;
    if (linear) def.solver.linear = linear;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_body_def body = pli_default_body_def();
    pli_body_id id;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, count, x, NULL, &error));
    body.mesh = &mesh;
    body.initial = squeezed;
    body.vertex_mass = 1;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    const pli_setting settings[2] = {{"stiffness", 1e4}, {"radius", 0.16}},
                      anchor = {"stiffness", 50};
    ASSERT_OK(pli_world_add_energy(world, id, (*type)->name, settings, 2, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "anchor", &anchor, 1, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_mesh_free(&mesh);
    return world;
}

static void test_density(void** state) {
    (void)state;
    static const pli_energy_type *const local = &density_type, *const global = &global_density_type;
    for (int dim = 2; dim <= 3; ++dim)
        for (int i = 0; i < 4; ++i) {
            pli_world* world =
                make_cloud(dim, i % 2 ? &global : &local, i / 2 ? "pcg" : "multifrontal");
            // 1e-7 m: the density changes over centimetres
            check_differences(world, PLI_OF_POTENTIAL, 1e-7, TOLERANCE);
            advance(world);
            check_differences(world, PLI_OF_STEP, 1e-7, TOLERANCE);
            pli_world_destroy(world);
        }
}

// Global or not, and with any solver, the matrix is the same to the last bit.
static void test_forms_agree(void** state) {
    (void)state;
    static const pli_energy_type *const local = &density_type, *const global = &global_density_type;
    pli_sparse h[4];
    for (int i = 0; i < 4; ++i) {
        pli_world* world = make_cloud(3, i % 2 ? &global : &local, i / 2 ? "pcg" : "multifrontal");
        ASSERT_OK(pli_world_hessian(world, PLI_OF_POTENTIAL, &h[i], &error));
        pli_world_destroy(world);
    }
    for (int i = 1; i < 4; ++i) {
        assert_int_equal(h[i].count, h[0].count);
        assert_memory_equal(h[i].row, h[0].row, sizeof *h[0].row * (size_t)h[0].count);
        assert_memory_equal(h[i].value, h[0].value, sizeof *h[0].value * (size_t)h[0].count);
    }
    for (int i = 0; i < 4; ++i) pli_sparse_free(&h[i]);
}

// ---- an energy that gives blocks of vertices it does not have

static int bad_stencil, bad_i, bad_j;

static pli_status bad_curvature(const pli_batch* in, pli_curvature_sink* sink, pli_error* e) {
    static const double block[9] = {0};
    (void)in;
    pli_status status = pli_sink_curvature(sink, 0, 0, 0, NULL, e);
    if (status != PLI_E_ARGUMENT) return status;
    return pli_sink_curvature(sink, bad_stencil, bad_i, bad_j, block, e);
}

static void test_refusals(void** state) {
    (void)state;
    pli_energy_type type = density_type;
    type.curvature = bad_curvature;
    const pli_energy_type* const list = &type;
    static const int bad[][3] = {{-1, 0, 0}, {9, 0, 0}, {0, -1, 0},
                                 {0, 0, -1}, {0, 9, 0}, {0, 0, 9}};
    pli_world* world = make_cloud(2, &list, NULL);
    size_t before = pli_world_memory(world);
    pli_sparse h = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        bad_stencil = bad[i][0];
        bad_i = bad[i][1];
        bad_j = bad[i][2];
        assert_int_equal(pli_world_hessian(world, PLI_OF_POTENTIAL, &h, &error), PLI_E_ARGUMENT);
        assert_non_null(strstr(error.message, "energy \"density\": curvature"));
        assert_int_equal(pli_world_memory(world), before);
        assert_null(h.store);
    }
    bad_stencil = bad_i = bad_j = 0;
    ASSERT_OK(pli_world_hessian(world, PLI_OF_POTENTIAL, &h, &error));
    pli_sparse_free(&h);
    ASSERT_OK(pli_world_gradient(world, PLI_OF_POTENTIAL, NULL, NULL, &error));
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gas),      cmocka_unit_test(test_turning),
        cmocka_unit_test(test_density),  cmocka_unit_test(test_forms_agree),
        cmocka_unit_test(test_refusals), cmocka_unit_test(test_nothing_changes),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
