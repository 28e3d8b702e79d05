// Generated solids: counts, volume, quality, boundary, and no two vertices at one place.
#include <float.h>

#include "mesh/measure.h"
#include "mesh/skin.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "pliant/mesh.h"

static const double pi = 3.14159265358979323846;

static void no_defect(void* context, bool grave, const char* message) {
    (void)context;
    (void)grave;
    fail_msg("%s", message);
}

// All that every solid must be; returns its summary.
static pli_mesh_summary inspect(const char* name, const pli_mesh* mesh, double worst, double mean) {
    pli_mesh_summary s;
    pli_error error = {0};
    ASSERT_OK(pli_mesh_summarize(mesh, &s, &error));
    ASSERT_OK(pli_mesh_find_defects(mesh, 3, no_defect, NULL, &error));
    print_message("    %-28s %7d tetrahedra, quality worst %.3f mean %.3f\n", name,
                  mesh->element_count[PLI_TETRAHEDRON], s.worst_quality, s.mean_quality);
    assert_int_equal(s.unreferenced_count, 0);
    assert_int_equal(s.component_count, 1);
    assert_true(s.closed && s.crowded_faces == 0 && s.pinched_vertices == 0);
    ASSERT_NEAR(s.enclosed, s.volume, 1e-11 * s.volume); // rounding of sums
    assert_true(s.worst_quality >= worst && s.mean_quality >= mean);
    return s;
}

// A tetrahedron of a cube's Kuhn split has the same quality everywhere.
static const double kuhn = 0.7173;

static void boxes(void** state) {
    (void)state;
    static const int n[][3] = {{1, 1, 1}, {2, 3, 4}, {5, 1, 2}, {8, 8, 8}};
    for (int i = 0; i < 4; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        const double size[3] = {0.1 * n[i][0], 0.1 * n[i][1], 0.1 * n[i][2]};
        ASSERT_OK(pli_mesh_add_box(&mesh, size, n[i], &error));
        int cells = n[i][0] * n[i][1] * n[i][2];
        assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 6 * cells);
        assert_int_equal(mesh.vertex_count, (n[i][0] + 1) * (n[i][1] + 1) * (n[i][2] + 1));
        pli_mesh_summary s = inspect("box", &mesh, kuhn, kuhn);
        ASSERT_NEAR(s.volume, 1e-3 * cells, 1e-14 * cells);
        assert_int_equal(s.surface_triangles,
                         4 * (n[i][0] * n[i][1] + n[i][1] * n[i][2] + n[i][2] * n[i][0]));
        for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(s.low[k], -0.5 * size[k], 1e-16);
            ASSERT_NEAR(s.high[k], 0.5 * size[k], 1e-16);
        }
        pli_mesh_free(&mesh);
    }
}

static void bar_begins_at_zero(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_bar(&mesh, (double[3]){4, 1, 0.5}, (int[3]){8, 2, 1}, &error));
    pli_mesh_summary s = inspect("bar", &mesh, kuhn, kuhn);
    ASSERT_NEAR(s.volume, 2, 1e-14);
    assert_true(s.low[0] == 0 && s.high[0] == 4 && s.low[1] == -0.5 && s.high[2] == 0.25);
    // Vertex (i, j, k) has the number it should.
    const double* p = mesh.positions + 3 * ((5 * 3 + 2) * 2 + 1);
    assert_true(p[0] == 2.5 && p[1] == 0.5 && p[2] == 0.25);
    pli_mesh_free(&mesh);
}

// Bounds of quality hold for any resolution: the map is piecewise smooth and homogeneous.
static void balls(void** state) {
    (void)state;
    double last = 1;
    for (int m = 1; m <= 12; m += m < 3 ? 1 : 3) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_ball(&mesh, 0.5, m, &error));
        assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 48 * m * m * m);
        assert_int_equal(mesh.vertex_count, (2 * m + 1) * (2 * m + 1) * (2 * m + 1));
        pli_mesh_summary s = inspect("ball", &mesh, 0.6, 0.75);
        double missing = 1 - s.volume / (pi / 6);
        assert_true(missing > 0 && missing < 1.0 / (m * m) && missing < last); // second order
        last = missing;
        pli_elements all = pli_elements_of(&mesh);
        pli_skin skin = {0};
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
        for (int i = 0; i < 3 * skin.count[0]; ++i) {
            const double* p = mesh.positions + 3 * skin.faces[0][i];
            ASSERT_NEAR(sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 0.5, 1e-15);
        }
        pli_skin_free(&skin);
        pli_mesh_free(&mesh);
    }
}

// A regular polygon of 6 rings corners has this area.
static double polygon(int rings, double radius) {
    int n = 6 * rings;
    return 0.5 * n * radius * radius * sin(2 * pi / n);
}

static void cylinders_and_cones(void** state) {
    (void)state;
    static const int n[][2] = {{1, 1}, {1, 5}, {2, 2}, {3, 7}, {5, 20}};
    for (int i = 0; i < 5; ++i) {
        int rings = n[i][0], layers = n[i][1];
        double length = 0.5 * layers / rings; // layers as thick as rings are wide
        pli_mesh cylinder, cone;
        pli_error error = {0};
        pli_mesh_init(&cylinder, NULL);
        pli_mesh_init(&cone, NULL);
        ASSERT_OK(pli_mesh_add_cylinder(&cylinder, 0.5, length, rings, layers, &error));
        assert_int_equal(cylinder.element_count[PLI_TETRAHEDRON], 18 * rings * rings * layers);
        assert_int_equal(cylinder.vertex_count, (3 * rings * (rings + 1) + 1) * (layers + 1));
        pli_mesh_summary s = inspect("cylinder", &cylinder, 0.5, 0.7);
        ASSERT_NEAR(s.volume, polygon(rings, 0.5) * length, 1e-13);

        ASSERT_OK(pli_mesh_add_cone(&cone, 0.5, length, rings, layers, &error));
        s = inspect("cone", &cone, 0.28, 0.55);
        ASSERT_NEAR(s.low[0], -0.5 * length, 1e-15);
        // Not less than a third of base times height of the inscribed cone, not more than outside.
        assert_true(s.volume < pi * 0.25 * length / 3 &&
                    s.volume > polygon(1, 0.5) * length / 3 - 1e-12);
        pli_mesh_free(&cylinder);
        pli_mesh_free(&cone);
    }
}

static void tori(void** state) {
    (void)state;
    static const int n[][2] = {{1, 3}, {1, 8}, {2, 24}, {3, 40}};
    double last = 1;
    for (int i = 0; i < 4; ++i) {
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_torus(&mesh, 1, 0.4, n[i][0], n[i][1], &error));
        assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], 18 * n[i][0] * n[i][0] * n[i][1]);
        pli_mesh_summary s = inspect("torus", &mesh, i < 2 ? 0.06 : 0.4, i < 2 ? 0.1 : 0.65);
        double missing = 1 - s.volume / (2 * pi * pi * 0.16);
        assert_true(missing > 0 && missing < last);
        last = missing;
        // Euler's number of a torus: V - E + F = 0.
        assert_int_equal(s.surface_vertices - s.surface_edges + s.surface_triangles, 0);
        pli_mesh_free(&mesh);
    }
    assert_true(last < 0.04);
}

// Middles of edges are shared, lie in the middle, and nothing else changes.
static void quadratic_elements(void** state) {
    (void)state;
    pli_mesh mesh, linear;
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_mesh_init(&mesh, NULL);
    pli_mesh_init(&linear, NULL);
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 2, &error));
    ASSERT_OK(pli_mesh_add_ball(&linear, 1, 2, &error));
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 3, PLI_TRIANGLES, &error));
    int vertices = mesh.vertex_count, tetrahedra = mesh.element_count[PLI_TETRAHEDRON];
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON] + mesh.element_count[PLI_TRIANGLE], 0);
    assert_int_equal(mesh.element_count[PLI_TETRAHEDRON10], tetrahedra);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE6], 12);
    // V - E + F - T = 1 for a ball, with 4 T = 2 F - (faces of the surface).
    pli_mesh_summary s;
    ASSERT_OK(pli_mesh_summarize(&linear, &s, &error));
    int edges = linear.vertex_count + (4 * tetrahedra + s.surface_triangles) / 2 - tetrahedra - 1;
    assert_int_equal(mesh.vertex_count, vertices + edges + 8 + 9 + 6); // 2 x 3 cells
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    for (int e = 0; e < tetrahedra; ++e) {
        const int32_t* v = mesh.elements[PLI_TETRAHEDRON10] + 10 * e;
        assert_memory_equal(v, linear.elements[PLI_TETRAHEDRON] + 4 * e, 4 * sizeof *v);
        for (int i = 0; i < 6; ++i)
            for (int k = 0; k < 3; ++k)
                ASSERT_NEAR(mesh.positions[3 * v[4 + i] + k],
                            0.5 * (mesh.positions[3 * v[ends[i][0]] + k] +
                                   mesh.positions[3 * v[ends[i][1]] + k]),
                            1e-16);
    }
    pli_elements coarse_elements = pli_elements_of(&linear), elements = pli_elements_of(&mesh);
    pli_skin coarse = {0}, fine = {0};
    ASSERT_OK(pli_skin_create(&memory, &coarse_elements, 3, false, &coarse, &error));
    ASSERT_OK(pli_skin_create(&memory, &elements, 3, false, &fine, &error));
    int count = pli_skin_triangle_count(&fine);
    assert_int_equal(count, 4 * pli_skin_triangle_count(&coarse));
    int32_t* triangles;
    ASSERT_OK(PLI_ALLOC(&memory, triangles, 3 * count, &error));
    pli_skin_triangles(&fine, triangles);
    pli_surface_report r;
    ASSERT_OK(pli_surface_inspect(&memory, mesh.vertex_count, count, triangles, &r, &error));
    assert_int_equal(r.open_edges + r.crowded_edges + r.turned_edges + r.pinched_vertices, 0);
    assert_int_equal(r.component_count, 1);
    PLI_FREE(&memory, triangles, 3 * count);
    pli_skin_free(&coarse);
    pli_skin_free(&fine);
    pli_mesh_free(&mesh);
    pli_mesh_free(&linear);
    assert_int_equal(memory.bytes, 0);
}

static void bad_values_are_refused(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    const double one[3] = {1, 1, 1}, zero[3] = {1, 0, 1};
    const int two[3] = {2, 2, 2}, none[3] = {2, 2, 0}, huge[3] = {100000, 100000, 100000};
    assert_int_equal(pli_mesh_add_box(&mesh, zero, two, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "box: size y = 0 m, must be > 0");
    assert_int_equal(pli_mesh_add_bar(&mesh, one, none, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "bar: nz = 0, must be >= 1");
    assert_int_equal(pli_mesh_add_box(&mesh, one, huge, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_ball(&mesh, -1, 2, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_ball(&mesh, 1, 0, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_ball(&mesh, 1, INT32_MAX, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_cylinder(&mesh, 1, NAN, 2, 2, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_cylinder(&mesh, 1, 1, 100000, 100000, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_cone(&mesh, 1, 1, 3, 2, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "cone: segments = 2, must be >= rings = 3");
    assert_int_equal(pli_mesh_add_torus(&mesh, 1, 1, 1, 8, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_torus(&mesh, 1, 0.5, 1, 2, &error), PLI_E_ARGUMENT);
    assert_int_equal(mesh.vertex_count, 0);
    pli_mesh_free(&mesh);
}

static pli_status make(pli_mesh* mesh, pli_error* error) {
    pli_status status = pli_mesh_add_cone(mesh, 1, 1, 2, 3, error);
    if (status == PLI_OK) status = pli_mesh_add_ball(mesh, 1, 2, error);
    return status == PLI_OK ? pli_mesh_make_quadratic(mesh, error) : status;
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    for (int n = 1;; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_error error = {0};
        pli_mesh_init(&mesh, &hook);
        pli_status status = make(&mesh, &error);
        if (status != PLI_OK) assert_int_equal(mesh.element_count[PLI_TETRAHEDRON10], 0);
        pli_mesh_free(&mesh);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        if (status == PLI_OK) break;
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes),
        cmocka_unit_test(bar_begins_at_zero),
        cmocka_unit_test(balls),
        cmocka_unit_test(cylinders_and_cones),
        cmocka_unit_test(tori),
        cmocka_unit_test(quadratic_elements),
        cmocka_unit_test(bad_values_are_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
