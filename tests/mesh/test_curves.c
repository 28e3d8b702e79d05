// Threads: lengths and places of helices, rings and polylines; strands on a ball; bad input.
#include "oracle/near.h"
#include "pliant/pliant.h"

#include <math.h>
#include <string.h>

static pli_error error;
static const double pi = 3.14159265358979323846;

static double length_of(const pli_mesh* mesh, int segment) {
    const int32_t* v = mesh->elements[PLI_SEGMENT] + 2 * segment;
    const double *a = mesh->positions + 3 * v[0], *b = mesh->positions + 3 * v[1];
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void helix_and_ring(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_helix(&mesh, 0.5, 0.2, 3, 90, &error));
    assert_int_equal(mesh.vertex_count, 91);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 90);
    double chord = 2 * 0.5 * sin(pi / 30), rise = 0.2 / 30;
    for (int i = 0; i < 90; ++i) ASSERT_NEAR(length_of(&mesh, i), hypot(chord, rise), 1e-14);
    for (int i = 0; i < 91; ++i)
        ASSERT_NEAR(hypot(mesh.positions[3 * i], mesh.positions[3 * i + 1]), 0.5, 1e-15);
    ASSERT_NEAR(mesh.positions[3 * 90 + 2], 0.6, 1e-15);
    assert_int_equal(mesh.group_count, 2);
    pli_mesh_free(&mesh);
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_ring(&mesh, 2, 7, &error));
    assert_int_equal(mesh.vertex_count, 7);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 7);
    assert_int_equal(mesh.elements[PLI_SEGMENT][13], 0); // closed
    for (int i = 0; i < 7; ++i) ASSERT_NEAR(length_of(&mesh, i), 4 * sin(pi / 7), 1e-14);
    pli_mesh_free(&mesh);
}

// A smooth curve through a hexagon of points is divided evenly and stays near the circle.
static void polylines(void** state) {
    (void)state;
    double points[18];
    for (int i = 0; i < 6; ++i) {
        points[3 * i] = cos(pi * i / 3);
        points[3 * i + 1] = sin(pi * i / 3);
        points[3 * i + 2] = 0;
    }
    for (int closed = 0; closed < 2; ++closed)
        for (int smooth = 0; smooth < 2; ++smooth) {
            pli_mesh mesh;
            pli_mesh_init(&mesh, NULL);
            ASSERT_OK(pli_mesh_add_polyline(&mesh, 6, points, closed, smooth, 120, &error));
            assert_int_equal(mesh.vertex_count, 121 - closed);
            assert_int_equal(mesh.element_count[PLI_SEGMENT], 120);
            double spans = closed ? 6 : 5, mean = spans / 120;
            for (int i = 0; i < 120; ++i) // chords cut corners
                ASSERT_NEAR(length_of(&mesh, i), mean, smooth ? 0.06 * mean : 1e-9);
            for (int c = 0; c < 3 && !closed; ++c)
                ASSERT_NEAR(mesh.positions[3 * 120 + c], points[15 + c], 1e-12);
            pli_mesh_free(&mesh);
            pli_mesh_init(&mesh, NULL);
            ASSERT_OK(pli_mesh_add_polyline(&mesh, 6, points, closed, smooth, 0, &error));
            assert_int_equal(mesh.vertex_count, 6);
            assert_memory_equal(mesh.positions, points, sizeof points);
            pli_mesh_free(&mesh);
        }
}

// On the upper half of a ball: roots near its surface, straight along the normal, the same each
// time; another seed puts them elsewhere.
static void strands(void** state) {
    (void)state;
    enum { COUNT = 200, SEGMENTS = 5, POINTS = COUNT * (SEGMENTS + 1) };
    pli_mesh ball, mesh, again;
    pli_mesh_init(&ball, NULL);
    ASSERT_OK(pli_mesh_add_ball(&ball, 1, 6, &error));
    pli_strands s = {.count = COUNT,
                     .segments = SEGMENTS,
                     .length = 0.5,
                     .lift = 0.02,
                     .axis = {0, 3, 0},
                     .angle = pi / 3,
                     .seed = 4};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_strands(&mesh, &ball, &s, &error));
    assert_int_equal(mesh.vertex_count, POINTS);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], COUNT * SEGMENTS);
    for (int i = 0; i < COUNT; ++i) {
        const double *a = mesh.positions + 3 * i * (SEGMENTS + 1), *b = a + 3 * SEGMENTS;
        double r = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        assert_true(r > 0.99 && r < 1.021);
        assert_true(b[1] - a[1] >= 0.5 * cos(pi / 3) - 1e-12);
    }
    for (int i = 0; i < COUNT * SEGMENTS; ++i) ASSERT_NEAR(length_of(&mesh, i), 0.1, 1e-14);
    assert_int_equal(mesh.group_count, 2);
    assert_int_equal(mesh.groups[0].vertex_count, 2 * COUNT);
    pli_mesh_init(&again, NULL);
    ASSERT_OK(pli_mesh_add_strands(&again, &ball, &s, &error));
    assert_memory_equal(mesh.positions, again.positions, 3 * POINTS * sizeof(double));
    pli_mesh_free(&again);
    s.seed = 5;
    s.curl = 0.05;
    s.pitch = 0.4;
    pli_mesh_init(&again, NULL);
    ASSERT_OK(pli_mesh_add_strands(&again, &ball, &s, &error));
    assert_true(memcmp(mesh.positions, again.positions, 3 * sizeof(double)) != 0);
    assert_true(length_of(&again, 0) > 0.11);
    pli_mesh_free(&again);
    pli_mesh_free(&mesh);
    pli_mesh_free(&ball);
}

#define REFUSED(call, text)                                                                        \
    do {                                                                                           \
        assert_int_equal(call, PLI_E_ARGUMENT);                                                    \
        if (!strstr(error.message, text)) fail_msg("\"%s\"", error.message);                       \
        assert_int_equal(mesh.vertex_count, 0);                                                    \
    } while (0)

static void bad_input(void** state) {
    (void)state;
    pli_mesh mesh, empty;
    const double same[9] = {0, 0, 0, 1, 0, 0, 1, 0, 0};
    pli_strands s = {.count = 3, .segments = 2, .length = 1};
    pli_mesh_init(&mesh, NULL);
    pli_mesh_init(&empty, NULL);
    REFUSED(pli_mesh_add_helix(&mesh, 0, 1, 1, 10, &error), "radius = 0");
    REFUSED(pli_mesh_add_helix(&mesh, 1, 1, 5, 10, &error), "at least 3 for each");
    REFUSED(pli_mesh_add_ring(&mesh, 1, 2, &error), "segments = 2");
    REFUSED(pli_mesh_add_polyline(&mesh, 3, same, false, false, 9, &error), "points 1 and 2");
    REFUSED(pli_mesh_add_polyline(&mesh, 1, same, false, false, 9, &error), "at least 2");
    REFUSED(pli_mesh_add_strands(&mesh, &empty, &s, &error), "no face");
    s.curl = 0.1;
    REFUSED(pli_mesh_add_strands(&mesh, &empty, &s, &error), "pitch = 0");
    s.count = 0;
    REFUSED(pli_mesh_add_strands(&mesh, &empty, &s, &error), "count = 0");
    pli_mesh_free(&mesh);
    pli_mesh_free(&empty);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(helix_and_ring),
        cmocka_unit_test(polylines),
        cmocka_unit_test(strands),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
