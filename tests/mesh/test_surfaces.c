// Surfaces: counts, closedness, area and volume in closed form, groups, surfaces of solids.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "pliant/mesh.h"

static const double pi = 3.141592653589793;

static pli_mesh tube(double radius, double length, int rings, int segments, pli_tube_ends ends) {
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_add_tube(&mesh, radius, length, rings, segments, ends, &error) != PLI_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static pli_mesh_summary summary_of(const pli_mesh* mesh) {
    pli_mesh_summary s;
    assert_int_equal(pli_mesh_summarize(mesh, &s, NULL), PLI_OK);
    assert_int_equal(s.turned_edges + s.crowded_edges + s.pinched_vertices, 0);
    assert_int_equal(s.component_count, 1);
    assert_int_equal(s.unreferenced_count, 0);
    return s;
}

static int group_size(const pli_mesh* mesh, const char* name) {
    int g = pli_mesh_find_group(mesh, name);
    return g < 0 ? -1 : mesh->groups[g].vertex_count;
}

// A prism over a polygon of n = 6 rings corners.
static void tubes(void** state) {
    (void)state;
    for (int m = 1; m <= 6; ++m)
        for (int n = 1; n <= 5; n += 2) {
            double r = 0.7, l = 3, side = 12 * m * r * sin(pi / (6 * m)) * l;
            double disk = 3 * m * r * r * sin(2 * pi / (6 * m));
            pli_mesh open = tube(r, l, m, n, PLI_ENDS_OPEN), flat = tube(r, l, m, n, PLI_ENDS_FLAT);
            pli_mesh_summary s = summary_of(&open);
            assert_int_equal(open.vertex_count, 6 * m * (n + 1));
            assert_int_equal(open.element_count[PLI_TRIANGLE], 12 * m * n);
            assert_int_equal(s.open_edges, 12 * m);
            assert_int_equal(s.euler, 0);
            assert_true(fabs(s.area - side) < 1e-13 * side);
            assert_int_equal(group_size(&open, "bottom"), 6 * m);
            assert_int_equal(group_size(&open, "side"), open.vertex_count);
            s = summary_of(&flat);
            assert_true(s.closed);
            assert_int_equal(s.euler, 2);
            assert_int_equal(flat.element_count[PLI_TRIANGLE], 12 * m * n + 12 * m * m);
            assert_true(fabs(s.area - side - 2 * disk) < 1e-13 * s.area);
            assert_true(fabs(s.enclosed - disk * l) < 1e-13 * s.enclosed);
            assert_int_equal(group_size(&flat, "top"), 1 + 3 * m * (m + 1));
            pli_mesh_free(&open);
            pli_mesh_free(&flat);
        }
}

// Every vertex is on the capsule; its volume approaches that of the capsule with the square of the
// size of triangles.
static void capsules(void** state) {
    (void)state;
    double r = 0.5, l = 1.2, exact = pi * r * r * l + 4.0 / 3 * pi * r * r * r, last = 1;
    for (int m = 4; m <= 32; m *= 2) {
        pli_mesh mesh = tube(r, l, m, 2 * m, PLI_ENDS_ROUND);
        pli_mesh_summary s = summary_of(&mesh);
        for (int v = 0; v < mesh.vertex_count; ++v) {
            const double* x = mesh.positions + 3 * v;
            double beyond = fmax(0, fabs(x[0]) - 0.5 * l);
            assert_true(fabs(sqrt(beyond * beyond + x[1] * x[1] + x[2] * x[2]) - r) < 1e-15);
        }
        assert_true(s.closed && s.euler == 2);
        double missing = 1 - s.enclosed / exact;
        assert_true(missing > 0 && missing < last / (m > 4 ? 3.8 : 1));
        assert_int_equal(group_size(&mesh, "bottom"), 1 + 3 * m * (m + 1));
        last = missing;
        pli_mesh_free(&mesh);
    }
}

static void spheres(void** state) {
    (void)state;
    for (int m = 1; m <= 10; ++m) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        assert_int_equal(pli_mesh_add_sphere(&mesh, 2, m, NULL), PLI_OK);
        pli_mesh_summary s = summary_of(&mesh);
        assert_int_equal(mesh.vertex_count, 6 * m * m + 2);
        assert_int_equal(mesh.element_count[PLI_TRIANGLE], 12 * m * m);
        assert_true(s.closed && s.euler == 2);
        assert_true(s.enclosed > 0 && s.enclosed < 32 * pi / 3);
        assert_true(m < 6 || s.enclosed > 0.97 * 32 * pi / 3);
        assert_true(s.worst_quality > 0.6);
        assert_int_equal(group_size(&mesh, "side"), 6 * m);
        pli_mesh_free(&mesh);
    }
}

static void surfaces_of_solids(void** state) {
    (void)state;
    const double size[3] = {1, 2, 3};
    const int cells[3] = {2, 3, 4};
    pli_mesh box, ball, torus, line;
    pli_error error = {0};
    pli_mesh_init(&box, NULL);
    pli_mesh_init(&ball, NULL);
    pli_mesh_init(&torus, NULL);
    pli_mesh_init(&line, NULL);
    assert_int_equal(pli_mesh_add_box(&box, size, cells, NULL), PLI_OK);
    int left = group_size(&box, "left"), surface = group_size(&box, "surface");
    assert_int_equal(pli_mesh_keep_surface(&box, NULL), PLI_OK);
    pli_mesh_summary s = summary_of(&box);
    assert_true(s.closed && fabs(s.enclosed - 6) < 1e-14 && fabs(s.area - 22) < 1e-14);
    assert_int_equal(box.vertex_count, surface);
    assert_int_equal(group_size(&box, "left"), left);
    const pli_mesh_group* group = &box.groups[pli_mesh_find_group(&box, "left")];
    for (int i = 0; i < left; ++i) assert_true(box.positions[3 * group->vertices[i]] == -0.5);
    assert_int_equal(pli_mesh_add_ball(&ball, 1, 3, NULL), PLI_OK);
    assert_int_equal(pli_mesh_make_quadratic(&ball, NULL), PLI_OK);
    assert_int_equal(pli_mesh_keep_surface(&ball, NULL), PLI_OK);
    assert_int_equal(ball.element_count[PLI_TRIANGLE6], 48 * 9);
    assert_int_equal(ball.element_count[PLI_TETRAHEDRON10], 0);
    assert_int_equal(pli_mesh_add_torus(&torus, 1, 0.3, 2, 20, NULL), PLI_OK);
    assert_int_equal(pli_mesh_keep_surface(&torus, NULL), PLI_OK);
    s = summary_of(&torus);
    assert_true(s.closed && s.euler == 0 && s.enclosed > 0);
    assert_int_equal(pli_mesh_add_ring(&line, 1, 5, NULL), PLI_OK);
    assert_int_equal(pli_mesh_keep_surface(&line, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "mesh: no tetrahedra or triangles, so no surface");
    assert_int_equal(line.element_count[PLI_SEGMENT], 5);
    pli_mesh_free(&box);
    pli_mesh_free(&ball);
    pli_mesh_free(&torus);
    pli_mesh_free(&line);
}

static void bad_sizes_are_refused(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_tube(&mesh, 1, -1, 3, 3, PLI_ENDS_OPEN, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.message, "tube: length = -1 m, must be > 0");
    assert_int_equal(pli_mesh_add_tube(&mesh, 1, 1, 3, 0, PLI_ENDS_OPEN, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_tube(&mesh, 1, 1, 3, 3, (pli_tube_ends)5, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_tube(&mesh, 1, 1, INT32_MAX, INT32_MAX, PLI_ENDS_FLAT, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_sphere(&mesh, 1, INT32_MAX, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_mesh_add_sphere(&mesh, NAN, 3, &error), PLI_E_ARGUMENT);
    assert_int_equal(mesh.vertex_count + mesh.group_count, 0);
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tubes),
        cmocka_unit_test(capsules),
        cmocka_unit_test(spheres),
        cmocka_unit_test(surfaces_of_solids),
        cmocka_unit_test(bad_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
