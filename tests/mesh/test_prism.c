// Polygons and prisms: volume, closed surfaces, holes by a cut; one mesh added to another.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/near.h"
#include "pliant/mesh.h"

static void prisms(void** state) {
    (void)state;
    static const double corner[12] = {0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}; // an L of area 3
    // a square frame of area 16 - 4; the hole is connected to the outline by a cut
    static const double frame[20] = {0, 0, 4, 0, 4, 4, 0, 4, 0, 0, 1, 1, 1, 3, 3, 3, 3, 1, 1, 1};
    const struct {
        const double* outline;
        int corners;
        double area;
    } cases[] = {{corner, 6, 3}, {frame, 10, 12}};
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh, flat;
        pli_mesh_summary s;
        pli_mesh_init(&mesh, NULL);
        pli_mesh_init(&flat, NULL);
        int n = cases[i].corners;
        assert_int_equal(pli_mesh_add_prism(&mesh, n, cases[i].outline, 0.5, NULL), PLI_OK);
        assert_int_equal(pli_mesh_summarize(&mesh, &s, NULL), PLI_OK);
        assert_int_equal(mesh.vertex_count, 2 * n);
        assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2 * (n - 2) + 2 * n);
        assert_true(s.closed);
        ASSERT_NEAR(s.enclosed, 0.5 * cases[i].area, 1e-12);
        assert_int_equal(pli_mesh_add_prism(&flat, n, cases[i].outline, 0, NULL), PLI_OK);
        double area = 0;
        for (int t = 0; t < flat.element_count[PLI_TRIANGLE]; ++t)
            area += pli_element_measure(2, PLI_TRIANGLE, flat.elements[PLI_TRIANGLE] + 3 * t,
                                        flat.positions);
        ASSERT_NEAR(area, cases[i].area, 1e-12);
        pli_mesh_free(&mesh);
        pli_mesh_free(&flat);
    }
}

// Groups of the same name become one.
static void sum_of_meshes(void** state) {
    (void)state;
    pli_mesh one, two;
    pli_mesh_init(&one, NULL);
    pli_mesh_init(&two, NULL);
    const double size[3] = {1, 1, 1};
    const int cells[3] = {1, 1, 1};
    assert_int_equal(pli_mesh_add_box(&one, size, cells, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_tube(&two, 1, 2, 2, 3, PLI_ENDS_FLAT, NULL), PLI_OK);
    int vertices = two.vertex_count, triangles = two.element_count[PLI_TRIANGLE];
    int bottom = two.groups[pli_mesh_find_group(&two, "bottom")].vertex_count;
    assert_int_equal(pli_mesh_add_mesh(&one, &two, NULL), PLI_OK);
    assert_int_equal(one.vertex_count, 8 + vertices);
    assert_int_equal(one.element_count[PLI_TETRAHEDRON], 6);
    assert_int_equal(one.element_count[PLI_TRIANGLE], triangles);
    assert_int_equal(one.elements[PLI_TRIANGLE][0], 8 + two.elements[PLI_TRIANGLE][0]);
    assert_int_equal(one.groups[pli_mesh_find_group(&one, "bottom")].vertex_count, 4 + bottom);
    pli_error error = {0};
    assert_int_equal(pli_mesh_add_mesh(&one, &one, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_mesh(&one, NULL, &error), PLI_E_ARGUMENT);
    pli_mesh_free(&one);
    pli_mesh_free(&two);
}

static void refused(void** state) {
    (void)state;
    static const double square[8] = {0, 0, 1, 0, 1, 1, 0, 1}, bad[6] = {0, 0, 1, NAN, 1, 1};
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_prism(&mesh, 2, square, 1, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_prism(&mesh, 4, square, -1, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_prism(&mesh, 4, NULL, 1, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_prism(&mesh, 3, bad, 1, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "polygon: point 1 is not finite");
    assert_int_equal(mesh.vertex_count, 0);
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prisms),
        cmocka_unit_test(sum_of_meshes),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
