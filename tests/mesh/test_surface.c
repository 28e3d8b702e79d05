// Boundaries of solids, edges, components, and what can be wrong with a surface.
#include "mesh/sort.h"
#include "mesh/surface.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "oracle/random.h"

static pli_memory memory;

static int set_up(void** state) {
    (void)state;
    pli_memory_init(&memory, NULL);
    return 0;
}

static int nothing_left(void** state) {
    (void)state;
    return memory.bytes == 0 ? 0 : -1;
}

static void two_tetrahedra(void** state) {
    (void)state;
    static const int32_t tets[] = {0, 1, 2, 4, 2, 1, 7, 4};
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 4, 0, 4, 2, 2, 7, 1, 1, 7, 4, 2, 4, 7};
    static const int32_t elements[] = {0, 0, 0, 1, 1, 1}, vertices[] = {0, 1, 2, 4, 7};
    pli_surface s = {0};
    pli_error error = {0};
    ASSERT_OK(pli_surface_create(&memory, 8, PLI_TETRAHEDRON, 2, tets, &s, &error));
    assert_int_equal(s.triangle_count, 6);
    assert_int_equal(s.vertex_count, 5);
    assert_memory_equal(s.elements, elements, sizeof elements);
    assert_memory_equal(s.vertices, vertices, sizeof vertices);
    for (int t = 0; t < 6; ++t) { // the same cycle, whichever corner comes first
        const int32_t *a = s.triangles + 3 * t, *b = triangles + 3 * t;
        int k = 0;
        while (k < 3 && a[0] != b[k]) ++k;
        assert_true(k < 3 && a[1] == b[(k + 1) % 3] && a[2] == b[(k + 2) % 3]);
    }
    assert_int_equal(s.crowded_faces, 0);
    pli_surface_free(&s);
    pli_surface_free(&s); // twice is fine
    static const int32_t three[] = {0, 1, 2, 3, 0, 2, 1, 4, 0, 1, 2, 5};
    ASSERT_OK(pli_surface_create(&memory, 6, PLI_TETRAHEDRON, 3, three, &s, &error));
    assert_int_equal(s.crowded_faces, 1);
    pli_surface_free(&s);
}

// The surface of a solid depends on the set of tetrahedra alone.
static void order_does_not_matter(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_ball(&mesh, 1, 3, &error));
    int count = mesh.element_count[PLI_TETRAHEDRON];
    int32_t* tets = mesh.elements[PLI_TETRAHEDRON];
    pli_surface first = {0}, second = {0};
    ASSERT_OK(pli_surface_create(&memory, mesh.vertex_count, PLI_TETRAHEDRON, count, tets, &first,
                                 &error));
    pli_random r = {5};
    for (int i = count - 1; i > 0; --i) {
        int j = pli_random_below(&r, i + 1);
        for (int k = 0; k < 4; ++k) {
            int32_t swap = tets[4 * i + k];
            tets[4 * i + k] = tets[4 * j + k];
            tets[4 * j + k] = swap;
        }
    }
    ASSERT_OK(pli_surface_create(&memory, mesh.vertex_count, PLI_TETRAHEDRON, count, tets, &second,
                                 &error));
    assert_int_equal(first.triangle_count, second.triangle_count);
    assert_memory_equal(first.triangles, second.triangles,
                        3 * (size_t)first.triangle_count * sizeof *first.triangles);
    pli_surface_free(&first);
    pli_surface_free(&second);
    pli_mesh_free(&mesh);
}

// Against all pairs.
static void edges_of_triangles(void** state) {
    (void)state;
    enum { VERTICES = 9, TRIANGLES = 12 };
    pli_random r = {77};
    pli_error error = {0};
    for (int round = 0; round < 50; ++round) {
        int32_t triangles[3 * TRIANGLES];
        int use[VERTICES][VERTICES] = {{0}}, expected = 0;
        for (int t = 0; t < TRIANGLES; ++t) {
            int32_t* c = triangles + 3 * t;
            do
                for (int k = 0; k < 3; ++k) c[k] = pli_random_below(&r, VERTICES);
            while (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]);
            for (int k = 0; k < 3; ++k) {
                int a = c[k], b = c[(k + 1) % 3];
                if (use[a < b ? a : b][a < b ? b : a]++ == 0) ++expected;
            }
        }
        pli_edges e = {0};
        ASSERT_OK(pli_edges_create(&memory, VERTICES, TRIANGLES, triangles, &e, &error));
        assert_int_equal(e.count, expected);
        for (int i = 0; i < e.count; ++i) {
            int a = e.vertices[2 * i], b = e.vertices[2 * i + 1];
            assert_true(a < b && e.use[i] == use[a][b]);
            assert_true(i == 0 || e.vertices[2 * i - 2] < a ||
                        (e.vertices[2 * i - 2] == a && e.vertices[2 * i - 1] < b));
            assert_true((e.triangles[2 * i + 1] >= 0) == (e.use[i] > 1));
            for (int k = 0; k < 2 && e.triangles[2 * i + k] >= 0; ++k) {
                const int32_t* c = triangles + 3 * e.triangles[2 * i + k];
                assert_true((c[0] == a || c[1] == a || c[2] == a) &&
                            (c[0] == b || c[1] == b || c[2] == b));
            }
        }
        pli_edges_free(&e);
    }
}

static pli_surface_report inspect(int vertices, int count, const int32_t* triangles) {
    pli_surface_report report;
    pli_error error = {0};
    ASSERT_OK(pli_surface_inspect(&memory, vertices, count, triangles, &report, &error));
    return report;
}

static void what_is_wrong(void** state) {
    (void)state;
    static const int32_t tetrahedron[] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1};
    pli_surface_report r = inspect(4, 4, tetrahedron);
    assert_int_equal(r.open_edges + r.crowded_edges + r.turned_edges + r.pinched_vertices, 0);
    assert_int_equal(r.edge_count, 6);
    assert_int_equal(r.component_count, 1);
    r = inspect(4, 3, tetrahedron); // the last face is missing
    assert_int_equal(r.open_edges, 3);
    assert_true(r.first_open[0] == 0 && r.first_open[1] == 1);
    static const int32_t turned[] = {1, 3, 2, 0, 3, 2, 0, 1, 3, 0, 2, 1};
    r = inspect(4, 4, turned);
    assert_int_equal(r.turned_edges, 3);
    assert_int_equal(r.open_edges, 0);
    // Two tetrahedra that share a vertex, then an edge.
    static const int32_t pinched[] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1,
                                      4, 5, 6, 0, 6, 5, 0, 4, 6, 0, 5, 4};
    r = inspect(7, 8, pinched);
    assert_int_equal(r.pinched_vertices, 1);
    assert_int_equal(r.first_pinched, 0);
    assert_int_equal(r.component_count, 2);
    static const int32_t crowded[] = {1, 2, 3, 0, 3, 2, 0, 1, 3, 0, 2, 1,
                                      1, 4, 5, 0, 5, 4, 0, 1, 5, 0, 4, 1};
    r = inspect(6, 8, crowded);
    assert_int_equal(r.crowded_edges, 1);
    assert_true(r.first_crowded[0] == 0 && r.first_crowded[1] == 1);
    r = inspect(3, 0, NULL);
    assert_int_equal(r.edge_count + r.component_count, 0);
}

static void components(void** state) {
    (void)state;
    static const double x[3 * 9] = {0};
    static const int32_t segments[] = {7, 2, 2, 5}, triangles[] = {1, 4, 3};
    static const int32_t expected[] = {-1, 0, 1, 0, 0, 1, -1, 1, -1};
    pli_mesh mesh;
    pli_error error = {0};
    int32_t label[9];
    int count;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 9, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 2, segments, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, triangles, &error));
    ASSERT_OK(pli_mesh_components(&memory, &mesh, label, &count, &error));
    assert_int_equal(count, 2);
    assert_memory_equal(label, expected, sizeof expected);
    pli_mesh_free(&mesh);
}

static void sorting_is_stable(void** state) {
    (void)state;
    enum { COUNT = 500 };
    int32_t rows[3 * COUNT];
    pli_random r = {9};
    pli_error error = {0};
    for (int i = 0; i < COUNT; ++i) {
        rows[3 * i] = pli_random_below(&r, 6);
        rows[3 * i + 1] = pli_random_below(&r, 6);
        rows[3 * i + 2] = i;
    }
    ASSERT_OK(pli_sort_rows(&memory, rows, COUNT, 3, 2, 6, &error));
    for (int i = 1; i < COUNT; ++i) {
        const int32_t *a = rows + 3 * (i - 1), *b = rows + 3 * i;
        assert_true(a[0] < b[0] ||
                    (a[0] == b[0] && (a[1] < b[1] || (a[1] == b[1] && a[2] < b[2]))));
    }
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    static const int32_t tets[] = {0, 1, 2, 4, 2, 1, 7, 4};
    for (int n = 1;; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory own;
        pli_memory_init(&own, &hook);
        pli_surface s = {0};
        pli_surface_report report;
        pli_status status = pli_surface_create(&own, 8, PLI_TETRAHEDRON, 2, tets, &s, NULL);
        if (status == PLI_OK)
            status = pli_surface_inspect(&own, 8, s.triangle_count, s.triangles, &report, NULL);
        pli_surface_free(&s);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        if (status == PLI_OK) break;
        assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(two_tetrahedra, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(order_does_not_matter, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(edges_of_triangles, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(what_is_wrong, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(components, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(sorting_is_stable, set_up, nothing_left),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
