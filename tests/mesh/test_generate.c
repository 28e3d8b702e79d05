// Generated meshes: numbering, order and shape.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/measure.h"
#include "pliant/mesh.h"

static pli_mesh rectangle(double w, double h, int nx, int ny, pli_rectangle_pattern pattern) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    if (pli_mesh_add_rectangle(&mesh, w, h, nx, ny, pattern, &error) != PLI_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static double total_area(const pli_mesh* mesh, double* smallest) {
    double total = 0;
    *smallest = HUGE_VAL;
    for (int t = 0; t < mesh->element_count[PLI_TRIANGLE]; ++t) {
        double area = pli_element_measure(2, PLI_TRIANGLE, mesh->elements[PLI_TRIANGLE] + 3 * t,
                                          mesh->positions);
        total += area;
        *smallest = fmin(*smallest, area);
    }
    return total;
}

// A square of 2 x 2 cells, written out: vertex (i, j) has the number 3 i + j.
static void triangles_of_a_small_square(void** state) {
    (void)state;
    pli_mesh mesh = rectangle(1, 1, 2, 2, PLI_TRIANGLES);
    static const int32_t expected[] = {
        0, 3, 4, 0, 4, 1, // cell (0, 0): rising diagonal
        1, 4, 2, 4, 5, 2, // cell (0, 1): falling
        3, 6, 4, 6, 7, 4, // cell (1, 0): falling
        4, 7, 8, 4, 8, 5, // cell (1, 1): rising
    };
    assert_int_equal(mesh.vertex_count, 9);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 8);
    assert_memory_equal(mesh.elements[PLI_TRIANGLE], expected, sizeof expected);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const double* p = mesh.positions + 3 * (3 * i + j);
            assert_true(p[0] == -0.5 + 0.5 * i && p[1] == -0.5 + 0.5 * j && p[2] == 0);
        }
    pli_mesh_free(&mesh);
}

// 2 x 1 cells: horizontals, verticals, then the diagonals cell by cell.
static void springs_of_a_small_rectangle(void** state) {
    (void)state;
    pli_mesh mesh = rectangle(2, 1, 2, 1, PLI_SPRINGS);
    static const int32_t expected[] = {
        0, 2, 1, 3, 2, 4, 3, 5, // horizontals
        0, 1, 2, 3, 4, 5,       // verticals
        0, 3, 2, 1,             // cell (0, 0)
        2, 5, 4, 3,             // cell (1, 0)
    };
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 11);
    assert_memory_equal(mesh.elements[PLI_SEGMENT], expected, sizeof expected);
    pli_mesh_free(&mesh);
}

static void counts_and_area(void** state) {
    (void)state;
    for (int nx = 1; nx <= 6; ++nx)
        for (int ny = 1; ny <= 6; ++ny) {
            pli_mesh springs = rectangle(3, 2, nx, ny, PLI_SPRINGS);
            pli_mesh mesh = rectangle(3, 2, nx, ny, PLI_TRIANGLES);
            int cells = nx * ny;
            double smallest, area = total_area(&mesh, &smallest);
            assert_int_equal(springs.vertex_count, (nx + 1) * (ny + 1));
            assert_int_equal(springs.element_count[PLI_SEGMENT], 4 * cells + nx + ny);
            assert_int_equal(mesh.element_count[PLI_TRIANGLE], 2 * cells);
            assert_true(fabs(area - 6) < 1e-13); // rounding of the sum
            assert_true(smallest > 0.999 * 3 / cells);
            const double* last = mesh.positions + 3 * (mesh.vertex_count - 1);
            assert_true(last[0] == 1.5 && last[1] == 1);
            pli_mesh_free(&springs);
            pli_mesh_free(&mesh);
        }
    pli_mesh mesh = rectangle(1, 1, 4, 4, PLI_SPRINGS);
    assert_int_equal(mesh.vertex_count, 25);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 72);
    pli_mesh_free(&mesh);
}

// Largest ratio of circumradius to twice the inradius (1 for equilateral), and boundary edges.
static double worst_shape(const pli_mesh* mesh) {
    double worst = 0;
    for (int t = 0; t < mesh->element_count[PLI_TRIANGLE]; ++t) {
        const int32_t* v = mesh->elements[PLI_TRIANGLE] + 3 * t;
        double length[3], area = pli_element_measure(2, PLI_TRIANGLE, v, mesh->positions);
        for (int i = 0; i < 3; ++i) {
            int32_t ends[2] = {v[i], v[(i + 1) % 3]};
            length[i] = pli_element_measure(2, PLI_SEGMENT, ends, mesh->positions);
        }
        double product = length[0] * length[1] * length[2], sum = length[0] + length[1] + length[2];
        worst = fmax(worst, product * sum / (16 * area * area));
    }
    return worst;
}

static void disks(void** state) {
    (void)state;
    for (int rings = 1; rings <= 12; ++rings) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        assert_int_equal(pli_mesh_add_disk(&mesh, 2, rings, NULL), PLI_OK);
        assert_int_equal(mesh.vertex_count, 1 + 3 * rings * (rings + 1));
        assert_int_equal(mesh.element_count[PLI_TRIANGLE], 6 * rings * rings);
        // The outline is a polygon of n = 6 rings corners: area (n/2) r^2 sin(2 pi / n).
        double smallest, area = total_area(&mesh, &smallest), turn = 2 * acos(-1.0);
        int n = 6 * rings;
        assert_true(fabs(area - 0.5 * n * 4 * sin(turn / n)) < 1e-12);
        assert_true(smallest > 0);
        assert_true(worst_shape(&mesh) < 1.6);
        for (int i = 0; i < n; ++i) {
            const double* p = mesh.positions + 3 * (mesh.vertex_count - n + i);
            assert_true(fabs(hypot(p[0], p[1]) - 2) < 1e-15 * 4);
        }
        pli_mesh_free(&mesh);
    }
}

static void lines(void** state) {
    (void)state;
    const double a[] = {0.1, -2, 3}, b[] = {0.7, 1, -0.3};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_line(&mesh, a, b, 7, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_line(&mesh, a, b, 1, NULL), PLI_OK); // behind the first
    assert_int_equal(mesh.vertex_count, 10);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 8);
    assert_memory_equal(mesh.positions, a, sizeof a);
    assert_memory_equal(mesh.positions + 21, b, sizeof b);
    assert_int_equal(mesh.elements[PLI_SEGMENT][14], 8);
    assert_int_equal(mesh.elements[PLI_SEGMENT][15], 9);
    pli_mesh_free(&mesh);
}

static void bad_sizes_are_refused(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    pli_error error = {0};
    const double a[3] = {1, 2, 3};
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 0, 1, 2, 2, PLI_TRIANGLES, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "rectangle: width = 0 m, must be > 0");
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, NAN, 2, 2, PLI_TRIANGLES, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, 1, 0, 2, PLI_TRIANGLES, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "rectangle: nx = 0, must be >= 1");
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, (pli_rectangle_pattern)7, &error),
                     PLI_E_ARGUMENT);
    // Too many to count: refused before any memory is asked for.
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, 1, INT32_MAX, INT32_MAX, PLI_SPRINGS, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_disk(&mesh, 1, INT32_MAX, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_disk(&mesh, HUGE_VAL, 3, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_disk(&mesh, 1, 0, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_line(&mesh, a, a, 3, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "line: length = 0 m, must be > 0");
    assert_int_equal(pli_mesh_add_line(&mesh, a, (const double[3]){0}, -3, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_line(&mesh, a, (const double[3]){0}, INT32_MAX, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(mesh.vertex_count, 0);
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_of_a_small_square),
        cmocka_unit_test(springs_of_a_small_rectangle),
        cmocka_unit_test(counts_and_area),
        cmocka_unit_test(disks),
        cmocka_unit_test(lines),
        cmocka_unit_test(bad_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
