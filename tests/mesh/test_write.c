// Written meshes are read back to the last bit; summaries and defects in words.
#include "mesh/data.h"
#include "mesh/measure.h"

static void same_mesh(const pli_mesh* a, const pli_mesh* b) {
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->positions, b->positions,
                        3 * (size_t)a->vertex_count * sizeof *a->positions);
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        assert_int_equal(a->element_count[kind], b->element_count[kind]);
        size_t size =
            (size_t)a->element_count[kind] * (size_t)pli_element_size((pli_element_kind)kind);
        if (size > 0)
            assert_memory_equal(a->elements[kind], b->elements[kind], size * sizeof(int32_t));
    }
}

// All kinds of elements, with coordinates that need all digits.
static pli_mesh everything(void) {
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1.0 / 3, 1, &error));
    ASSERT_OK(pli_mesh_add_disk(&mesh, 0.1, 2, &error));
    ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    ASSERT_OK(pli_mesh_add_ball(&mesh, 2.0 / 7e5, 1, &error));
    ASSERT_OK(pli_mesh_add_disk(&mesh, 1e7 / 3, 2, &error));
    ASSERT_OK(pli_mesh_add_line(&mesh, (double[3]){0, 0, 5}, (double[3]){1, 0, 7}, 3, &error));
    return mesh;
}

static void there_and_back(void** state) {
    (void)state;
    static const char* const extensions[] = {".vtu", ".msh", ".obj"};
    for (int i = 0; i < 3; ++i) {
        pli_mesh mesh = everything(), back;
        pli_error error = {0};
        char path[100];
        snprintf(path, sizeof path, "/tmp/pliant_test_write_%d%s", (int)getpid(), extensions[i]);
        if (i == 2) { // a surface only
            assert_int_equal(pli_mesh_write(&mesh, path, &error), PLI_E_ARGUMENT);
            assert_non_null(strstr(error.message, "a .obj file cannot hold a tetrahedron"));
            mesh.element_count[PLI_TETRAHEDRON] = mesh.element_count[PLI_TETRAHEDRON10] = 0;
            mesh.element_count[PLI_TRIANGLE6] = 0;
        }
        pli_mesh_init(&back, NULL);
        ASSERT_OK(pli_mesh_write(&mesh, path, &error));
        ASSERT_OK(pli_mesh_read(&back, path, &error));
        same_mesh(&mesh, &back);
        remove(path);
        pli_mesh_free(&mesh);
        pli_mesh_free(&back);
    }
}

static void places_that_cannot_be_written(void** state) {
    (void)state;
    pli_mesh mesh = everything();
    pli_error error = {0};
    assert_int_equal(pli_mesh_write(&mesh, "/nowhere/a.vtu", &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "/nowhere/a.vtu"));
    assert_int_equal(pli_mesh_write(&mesh, "/tmp/a.stp", &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message,
                        "/tmp/a.stp: meshes are written to files named .vtu, .msh or .obj");
    pli_mesh_free(&mesh);
}

static void qualities(void** state) {
    (void)state;
    static const double x[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1, 0, 0, -1, 3, 0, 1};
    static const int32_t regular[] = {0, 1, 3, 2}, turned[] = {0, 1, 2, 3}, flat[] = {0, 1, 1, 2};
    ASSERT_NEAR(fabs(pli_element_quality(PLI_TETRAHEDRON, regular, x)), 1, 1e-14);
    ASSERT_NEAR(pli_element_quality(PLI_TETRAHEDRON, regular, x),
                -pli_element_quality(PLI_TETRAHEDRON, turned, x), 1e-14);
    assert_true(pli_element_quality(PLI_TETRAHEDRON, flat, x) == 0);
    ASSERT_NEAR(pli_element_quality(PLI_TRIANGLE, regular, x), 1, 1e-14);
    assert_true(pli_element_quality(PLI_TRIANGLE, flat, x) == 0);
    // The corner of a cube: r = (3 - sqrt 3) / 6, R = sqrt 3 / 2.
    static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    ASSERT_NEAR(pli_element_quality(PLI_TETRAHEDRON, (int32_t[4]){0, 1, 2, 3}, corner),
                (3 - sqrt(3)) / sqrt(3), 1e-14);
    // Half a square: r = 1 - sqrt 2 / 2, R = sqrt 2 / 2.
    ASSERT_NEAR(pli_element_quality(PLI_TRIANGLE, (int32_t[3]){0, 1, 2}, corner), 2 * (sqrt(2) - 1),
                1e-14);
}

static void angles(void** state) {
    (void)state;
    static const double x[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    static const double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double degree = acos(-1) / 180;
    double a[2];
    // Rounding of a few operations; angles are of the size 100.
    pli_element_angles(PLI_TETRAHEDRON, (int32_t[4]){0, 1, 3, 2}, x, a); // regular: cos = 1/3
    ASSERT_NEAR(a[0], acos(1.0 / 3) / degree, 1e-12);
    ASSERT_NEAR(a[1], acos(1.0 / 3) / degree, 1e-12);
    pli_element_angles(PLI_TETRAHEDRON, (int32_t[4]){0, 1, 2, 3}, corner, a); // tan = sqrt 2
    ASSERT_NEAR(a[0], atan(sqrt(2)) / degree, 1e-12);
    ASSERT_NEAR(a[1], 90, 1e-12);
    pli_element_angles(PLI_TRIANGLE, (int32_t[3]){0, 1, 2}, corner, a);
    ASSERT_NEAR(a[0], 45, 1e-12);
    ASSERT_NEAR(a[1], 90, 1e-12);
    pli_element_angles(PLI_TETRAHEDRON, (int32_t[4]){0, 1, 1, 2}, corner, a); // not NaN
    assert_true(a[0] >= 0 && a[1] <= 180);
}

static void summary_of_good_meshes(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_summary s;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_torus(&mesh, 1, 0.25, 2, 8, &error));
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    assert_true(s.closed);
    assert_int_equal(s.euler, 0);
    assert_int_equal(s.overlapped_faces + s.crowded_faces + s.pinched_vertices, 0);
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[]){1, 2, 4}, (int[]){1, 1, 1}, &error));
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    assert_int_equal(s.euler, 2);
    assert_int_equal(s.component_count, 2);
    ASSERT_NEAR(s.longest_edge, sqrt(21), 1e-14);
    assert_true(s.shortest_edge < s.mean_edge && s.mean_edge < s.longest_edge);
    assert_true(s.smallest_angle > 0 && s.largest_angle < 180);
    pli_mesh_free(&mesh);
}

typedef struct findings {
    int grave, other;
    char first[200];
} findings;

static void count(void* context, bool grave, const char* message) {
    findings* f = context;
    if (f->grave + f->other == 0) snprintf(f->first, sizeof f->first, "%s", message);
    if (grave)
        f->grave++;
    else
        f->other++;
}

static void summary_of_a_bad_mesh(void** state) {
    (void)state;
    static const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 5, 5, 5, 1, 1, 1, 1, 0, 0};
    static const int32_t tets[] = {0, 1, 2, 3, 0, 1, 3, 2, 1, 2, 3, 5};
    pli_mesh mesh;
    pli_mesh_summary s;
    pli_error error = {0};
    findings f = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 7, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 3, tets, &error));
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    assert_int_equal(s.unreferenced_count, 2);
    assert_int_equal(s.first_unreferenced, 4);
    assert_int_equal(s.crowded_faces, 1);
    assert_int_equal(s.first_crowded_face[0], 1);
    assert_int_equal(s.first_crowded_face[2], 3);
    assert_int_equal(s.overlapped_faces, 0); // the second is the first one inside out
    assert_int_equal(s.quality_kind, PLI_TETRAHEDRON);
    assert_int_equal(s.worst[0], 1);
    assert_int_equal(s.worst_count, 3);
    assert_true(s.worst_quality < 0 && s.quality_bins[0] == 1);
    ASSERT_NEAR(s.volume, 1.0 / 3, 1e-15);
    assert_true(s.high[1] == 5 && s.low[2] == 0);
    ASSERT_OK(pli_mesh_find_defects(&mesh, 3, count, &f, &error));
    assert_int_equal(f.grave, 1);
    assert_int_equal(f.other, 1);
    assert_string_equal(f.first, "tetrahedron 1 has volume -0.166667 m^3: two of its vertices must "
                                 "be swapped");
    pli_mesh_free(&mesh);
}

static void summary_of_nothing(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_summary s;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    assert_int_equal(s.component_count + s.surface_triangles + s.worst_count, 0);
    assert_false(s.closed);
    assert_int_equal(s.quality_kind, PLI_VERTEX);
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_and_back),
        cmocka_unit_test(places_that_cannot_be_written),
        cmocka_unit_test(qualities),
        cmocka_unit_test(summary_of_a_bad_mesh),
        cmocka_unit_test(summary_of_nothing),
        cmocka_unit_test(angles),
        cmocka_unit_test(summary_of_good_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
