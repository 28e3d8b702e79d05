// Element sizes and lumped masses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/measure.h"
#include "pliant/mesh.h"

static void measures(void** state) {
    (void)state;
    static const double x[] = {1, 1, 1, 4, 5, 1, 1, 3, 1, 1, 1, 7};
    static const int32_t v[] = {0, 1, 2, 3}, turned[] = {0, 2, 1}, mirrored[] = {1, 0, 2, 3};
    assert_true(pli_element_measure(2, PLI_VERTEX, v, x) == 0);
    assert_true(pli_element_measure(2, PLI_SEGMENT, v, x) == 5);
    assert_true(pli_element_measure(2, PLI_TRIANGLE, v, x) == 3);
    assert_true(pli_element_measure(2, PLI_TRIANGLE, turned, x) == -3);
    assert_true(pli_element_measure(3, PLI_TRIANGLE, turned, x) == 3);
    assert_true(pli_element_measure(3, PLI_TETRAHEDRON, v, x) == 6);
    assert_true(pli_element_measure(3, PLI_TETRAHEDRON, mirrored, x) == -6);
    static const int32_t upright[] = {0, 3};
    assert_true(pli_element_measure(2, PLI_SEGMENT, upright, x) == 0); // z plays no part
    assert_true(pli_element_measure(3, PLI_SEGMENT, upright, x) == 6);
    assert_string_equal(pli_element_word(PLI_TETRAHEDRON), "tetrahedron");
}

// A 6-node triangle over (0, 0), (2, 0), (0, 2) and a 10-node tetrahedron over that and (0, 0, 2).
static const double quadratic_x[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0,
                                     1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
static const int32_t six[] = {0, 1, 2, 4, 5, 6}, ten[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

static void quadratic_measures(void** state) {
    (void)state;
    double x[30];
    memcpy(x, quadratic_x, sizeof x);
    assert_true(fabs(pli_element_measure(2, PLI_TRIANGLE6, six, x) - 2) < 1e-15);
    assert_true(fabs(pli_element_measure(3, PLI_TRIANGLE6, six, x) - 2) < 1e-15);
    assert_true(fabs(pli_element_measure(3, PLI_TETRAHEDRON10, ten, x) - 8.0 / 6) < 1e-15);
    // A parabola of height h over a side of length 2 adds 2/3 * 2 * h.
    x[13] = -0.3;
    assert_true(fabs(pli_element_measure(2, PLI_TRIANGLE6, six, x) - (2 + 0.4)) < 1e-15);
    // Middle nodes moved along x by a quadratic function of position: the map is x -> x + c y z,
    // whose determinant is 1, so the volume stays, although no side is straight.
    for (int v = 4; v < 10; ++v) {
        memcpy(x + 3 * v, quadratic_x + 3 * v, 3 * sizeof *x);
        x[3 * v] += 0.3 * x[3 * v + 1] * x[3 * v + 2];
    }
    assert_true(fabs(pli_element_measure(3, PLI_TETRAHEDRON10, ten, x) - 8.0 / 6) < 1e-15);
    // x -> x + c x^2 has the determinant 1 + 2 c x, whose mean is 1 + 2 c 0.5.
    for (int v = 0; v < 10; ++v) {
        memcpy(x + 3 * v, quadratic_x + 3 * v, 3 * sizeof *x);
        x[3 * v] += 0.2 * x[3 * v] * x[3 * v];
    }
    assert_true(fabs(pli_element_measure(3, PLI_TETRAHEDRON10, ten, x) - 1.2 * 8 / 6) < 1e-14);
}

// Turning an element over changes the sign of its measure alone, also if its sides are curved.
static void mirrored_elements(void** state) {
    (void)state;
    double x[30];
    for (int i = 0; i < 30; ++i) x[i] = quadratic_x[i] + (i >= 12 ? 0.05 * (i % 7 - 3) : 0);
    static const pli_element_kind kinds[] = {PLI_TRIANGLE, PLI_TETRAHEDRON, PLI_TRIANGLE6,
                                             PLI_TETRAHEDRON10};
    for (int k = 0; k < 4; ++k) {
        int32_t v[10];
        memcpy(v, kinds[k] == PLI_TRIANGLE6 ? six : ten,
               sizeof *v * (size_t)pli_element_size(kinds[k]));
        int dim = pli_element_dimension(kinds[k]);
        double before = pli_element_measure(dim, kinds[k], v, x);
        pli_element_mirror(kinds[k], v);
        assert_true(before > 0.1);
        assert_true(fabs(pli_element_measure(dim, kinds[k], v, x) + before) < 1e-14);
    }
    int32_t ends[] = {3, 4};
    pli_element_mirror(PLI_SEGMENT, ends);
    assert_true(ends[0] == 3 && ends[1] == 4);
}

static void quadratic_masses(void** state) {
    (void)state;
    double mass[10] = {0}, sum = 0;
    pli_lump lump = {.dim = 3,
                     .kind = PLI_TETRAHEDRON10,
                     .element_count = 1,
                     .vertices = ten,
                     .x = quadratic_x,
                     .density = 6,
                     .section = 1};
    pli_lump_mass(&lump, mass); // 8 kg: 1/36 to each corner, 4/27 to each middle
    for (int v = 0; v < 10; ++v) {
        assert_true(fabs(mass[v] - 8 * (v < 4 ? 1.0 / 36 : 4.0 / 27)) < 1e-14);
        sum += mass[v];
    }
    assert_true(fabs(sum - 8) < 1e-14);
    memset(mass, 0, sizeof mass);
    lump = (pli_lump){.dim = 2,
                      .kind = PLI_TRIANGLE6,
                      .element_count = 1,
                      .vertices = six,
                      .x = quadratic_x,
                      .density = 3,
                      .section = 0.5};
    pli_lump_mass(&lump, mass); // 3 kg: 1/19 to each corner, 16/57 to each middle
    for (int i = 0; i < 6; ++i)
        assert_true(fabs(mass[six[i]] - 3 * (i < 3 ? 1.0 / 19 : 16.0 / 57)) < 1e-14);
    static const int only_six[PLI_ELEMENT_KIND_COUNT] = {[PLI_TRIANGLE6] = 1, [PLI_SEGMENT] = 2};
    static const int both[PLI_ELEMENT_KIND_COUNT] = {[PLI_TRIANGLE] = 1, [PLI_TETRAHEDRON10] = 1};
    static const int segments[PLI_ELEMENT_KIND_COUNT] = {[PLI_SEGMENT] = 1};
    assert_int_equal(pli_mass_dimension(only_six), 2);
    assert_int_equal(pli_mass_dimension(both), 3);
    assert_int_equal(pli_mass_dimension(segments), 0);
}

static void lumped_masses(void** state) {
    (void)state;
    static const double x[] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 2, 2, 0, 0, 0, 3};
    static const int32_t triangles[] = {0, 1, 2, 2, 1, 3}, tetrahedron[] = {0, 1, 2, 4};
    double mass[5] = {0};
    pli_lump plate = {.dim = 2,
                      .kind = PLI_TRIANGLE,
                      .element_count = 2,
                      .vertices = triangles,
                      .x = x,
                      .density = 30,
                      .section = 0.1};
    pli_lump_mass(&plate, mass); // each triangle: area 2, 30 * 2 * 0.1 / 3 = 2 per vertex
    static const double expected[] = {2, 4, 4, 2, 0};
    for (int v = 0; v < 5; ++v) assert_true(fabs(mass[v] - expected[v]) < 1e-14);
    pli_lump solid = {.dim = 3,
                      .kind = PLI_TETRAHEDRON,
                      .element_count = 1,
                      .vertices = tetrahedron,
                      .x = x,
                      .density = 10,
                      .section = 1};
    pli_lump_mass(&solid, mass); // volume 2: adds 5 per vertex
    assert_true(fabs(mass[4] - 5) < 1e-14 && fabs(mass[1] - 9) < 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures),           cmocka_unit_test(lumped_masses),
        cmocka_unit_test(quadratic_measures), cmocka_unit_test(mirrored_elements),
        cmocka_unit_test(quadratic_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
