// Mesh checks: each kind of defect is found once, with its numbers and words.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mesh/measure.h"
#include "oracle/allocator.h"
#include "oracle/random.h"

// All findings as lines of text.
typedef struct notes {
    int count;
    char text[4000];
} notes;

static void note(void* context, const pli_defect* defect) {
    notes* n = context;
    size_t used = strlen(n->text);
    n->count++;
    pli_defect_text(defect, n->text + used, sizeof n->text - used - 1);
    strcat(n->text, "\n");
}

static void expect(const pli_mesh* mesh, int dim, const char* text) {
    notes n = {0};
    assert_int_equal(pli_mesh_check(mesh, dim, note, &n, NULL), PLI_OK);
    assert_string_equal(n.text, text);
}

static void good_meshes(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    expect(&mesh, 2, "");
    assert_int_equal(pli_mesh_add_disk(&mesh, 1e-3, 6, NULL), PLI_OK);
    expect(&mesh, 2, "");
    expect(&mesh, 3, "");
    pli_mesh_free(&mesh);
}

static void every_defect(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    static const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 4, 0, 0, 1};
    static const int32_t segments[] = {0, 1, 2, 2, 1, 4};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 1, 0, 1, 3, 0, 1, 1};
    static const int32_t tetrahedra[] = {0, 1, 2, 5, 1, 0, 2, 5, 0, 1, 2, 3};
    assert_int_equal(pli_mesh_add_vertices(&mesh, 6, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 3, segments, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 4, triangles, NULL), PLI_OK);
    expect(&mesh, 2,
           "segment 1 names vertex 2 twice\n"
           "segment 2 has length 0 m: its vertices must not fall together\n"
           "triangle 1 has area -0.5 m^2: its vertices must run counter-clockwise\n"
           "triangle 2 has area 0 m^2: its vertices must not fall together\n"
           "triangle 3 names vertex 1 twice\n"
           "vertex 4 is at the same place as vertex 1\n"
           "vertex 5 is at the same place as vertex 0\n");
    mesh.elements[PLI_TRIANGLE][0] = 77; // as a broken file could have it
    mesh.elements[PLI_TRIANGLE][4] = -1;
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 3, tetrahedra, NULL), PLI_OK);
    expect(&mesh, 3,
           "segment 1 names vertex 2 twice\n"
           "triangle 0 names vertex 77, which does not exist\n"
           "triangle 1 names vertex -1, which does not exist\n"
           "triangle 2 has area 0 m^2: its vertices must not fall together\n"
           "triangle 3 names vertex 1 twice\n"
           "tetrahedron 1 has volume -0.166667 m^3: two of its vertices must be swapped\n"
           "tetrahedron 2 has volume 0 m^3: its vertices must not fall together\n");
    mesh.element_count[PLI_SEGMENT] = mesh.element_count[PLI_TRIANGLE] = 0;
    mesh.element_count[PLI_TETRAHEDRON] = 1;
    mesh.vertex_count = 4;
    mesh.elements[PLI_TETRAHEDRON][3] = 3;
    expect(&mesh, 2, "tetrahedron 0 is a solid, which needs a problem in space (dimension 3)\n");
    pli_mesh_free(&mesh);
}

// Slivers: an area that rounding alone could have made is as bad as none.
static void slivers(void** state) {
    (void)state;
    static const int32_t triangle[] = {0, 1, 2};
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        double x[] = {0, 0, 0, 1, 0, 0, 0.5, i ? 1e-9 : 1e-15, 0};
        assert_int_equal(pli_mesh_add_vertices(&mesh, 3, x, NULL, NULL), PLI_OK);
        assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, triangle, NULL), PLI_OK);
        expect(&mesh, 2,
               i ? "triangle 0 is nearly flat, its quality is 8e-18: the run gets slow or stops; "
                   "mesh it again\n"
                 : "triangle 0 has area 5e-16 m^2: its vertices must not fall together\n");
        pli_mesh_free(&mesh);
    }
}

// Elements that can be simulated, but badly: named with their quality, and not grave.
static void nearly_flat(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double x[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1e-10, 1, 1, 0.1};
    assert_int_equal(pli_mesh_add_vertices(&mesh, 5, x, NULL, NULL), PLI_OK);
    const int32_t v[] = {0, 1, 2, 3, 0, 1, 2, 4};
    assert_int_equal(pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 2, v, NULL), PLI_OK);
    notes n = {0};
    assert_int_equal(pli_mesh_check(&mesh, 3, note, &n, NULL), PLI_OK);
    assert_non_null(strstr(n.text, "tetrahedron 0 is nearly flat, its quality is "));
    assert_null(strstr(n.text, "tetrahedron 1"));
    assert_int_equal(pli_mesh_count_flat(&mesh), 1);
    assert_false(pli_defect_is_grave(PLI_DEFECT_FLAT));
    assert_false(pli_defect_is_grave(PLI_DEFECT_SAME_PLACE));
    assert_true(pli_defect_is_grave(PLI_DEFECT_INVERTED));
    pli_mesh_free(&mesh);
}

// The lower vertex at the same place that was reported for each vertex, or -1.
enum { COUNT = 300 };

static void keep_partner(void* context, const pli_defect* defect) {
    int* partner = context;
    assert_int_equal(defect->kind, PLI_DEFECT_SAME_PLACE);
    assert_int_equal(partner[defect->element], -1);
    partner[defect->element] = defect->vertex;
}

// Against all pairs, on a coarse grid where many places repeat.
static void same_places_against_all_pairs(void** state) {
    (void)state;
    pli_random r = {41};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    int partner[COUNT], expected[COUNT], found = 0;
    for (int i = 0; i < COUNT; ++i) {
        double p[3];
        for (int k = 0; k < 3; ++k) p[k] = pli_random_below(&r, 7) - 3;
        assert_int_equal(pli_mesh_add_vertices(&mesh, 1, p, NULL, NULL), PLI_OK);
        partner[i] = expected[i] = -1;
        for (int j = 0; j < i && expected[i] < 0; ++j)
            if (memcmp(mesh.positions + 3 * j, p, sizeof p) == 0) expected[i] = j;
        found += expected[i] >= 0;
    }
    assert_int_equal(pli_mesh_check(&mesh, 3, keep_partner, partner, NULL), PLI_OK);
    assert_memory_equal(partner, expected, sizeof partner);
    assert_true(found > 50);
    pli_mesh_free(&mesh);
}

static void memory_may_run_out(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_disk(&mesh, 1, 2, NULL), PLI_OK);
    for (int n = 1; n <= 2; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh seen = mesh;
        seen.allocator = &hook;
        notes found = {0};
        assert_int_equal(pli_mesh_check(&seen, 2, note, &found, NULL), PLI_E_MEMORY);
        assert_int_equal(found.count, 0);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
    pli_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_meshes),
        cmocka_unit_test(every_defect),
        cmocka_unit_test(slivers),
        cmocka_unit_test(nearly_flat),
        cmocka_unit_test(same_places_against_all_pairs),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
