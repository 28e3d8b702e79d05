// Topology: sides against brute force, boundaries, hinges, corners, stars, components, defects.
#include "mesh/skin.h"
#include "base/collections.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "oracle/random.h"

static pli_memory memory;
static pli_error error;

static int set_up(void** state) {
    (void)state;
    pli_memory_init(&memory, NULL);
    return 0;
}

static int nothing_left(void** state) {
    (void)state;
    return memory.bytes == 0 ? 0 : -1;
}

// ---- sides

enum { VERTICES = 12, ELEMENTS = 9 };

typedef struct sample {
    int32_t vertices[PLI_ELEMENT_KIND_COUNT][10 * ELEMENTS];
    pli_elements all;
} sample;

// Elements of all kinds with different vertices each.
static void fill_sample(sample* s, pli_random* r) {
    s->all = (pli_elements){.vertex_limit = VERTICES};
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int size = pli_element_size((pli_element_kind)k);
        s->all.count[k] = pli_random_below(r, ELEMENTS + 1);
        s->all.elements[k] = s->vertices[k];
        for (int e = 0; e < ELEMENTS; ++e) {
            int32_t order[VERTICES];
            for (int i = 0; i < VERTICES; ++i) order[i] = i;
            for (int i = 0; i < size; ++i) {
                int j = i + pli_random_below(r, VERTICES - i);
                int32_t v = order[j];
                order[j] = order[i];
                s->vertices[k][e * size + i] = order[i] = v;
            }
        }
    }
}

// How many sides of a kind the elements have with vertices a, b and c (-1: two alone), counted from
// the definition: all pairs or triples of corners, and the middle nodes between them.
static int count_in(const sample* s, pli_side_kind kind, const int32_t v[3]) {
    static const int ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    static const int dims[PLI_SIDE_KIND_COUNT] = {1, 2, 2, 3, 0, 2, 3, 3};
    int sum = 0, width = pli_side_width(kind);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind of = (pli_element_kind)k;
        int size = pli_element_size(of), dim = pli_element_dimension(of), corners = dim + 1;
        bool quadratic = size > corners;
        if (dims[kind] != 0 && dim != dims[kind]) continue;
        for (int e = 0; e < s->all.count[k]; ++e) {
            int at[3] = {-1, -1, -1}, found = 0;
            for (int i = 0; i < width; ++i)
                for (int j = 0; j < size; ++j)
                    if (s->vertices[k][e * size + j] == v[i]) at[i] = j, found++;
            if (found < width) continue;
            // Barycentric coordinates times 2 of each: a side lies in a face, where one is 0.
            int bary[3][4] = {{0}}, total[4] = {0}, inner = 0;
            for (int i = 0; i < width; ++i) {
                if (at[i] < corners)
                    bary[i][at[i]] = 2;
                else
                    bary[i][ends[at[i] - corners][0]] = bary[i][ends[at[i] - corners][1]] = 1;
                inner += at[i] >= corners;
                for (int c = 0; c < corners; ++c) total[c] += bary[i][c];
            }
            int used = 0; // faces that have it are those without the corners not used
            for (int c = 0; c < corners; ++c) used += total[c] > 0;
            bool whole = inner == 0, half = inner == 1 && width == 2 && used == 2;
            bool split = quadratic ? half : whole;
            if (width == 2 && dim == 3 && used == 2 && (kind == PLI_LINKS ? split : whole || half))
                sum += 2; // once in each face at the edge
            else if (width == 2)
                sum += kind == PLI_LINKS || kind == PLI_SPLIT_EDGES ? split
                       : kind == PLI_EDGES || kind == PLI_SEGMENTS
                           ? whole
                           : whole || half || (inner == 2 && used == 3);
            else // triangles in one face: whole, at a corner, between the middles
                sum += whole || (kind == PLI_SOLID_FACE_PARTS && used == 3 &&
                                 (inner == 3 || (inner == 2 && total[0] != 3 && total[1] != 3 &&
                                                 total[2] != 3 && total[3] != 3)));
        }
    }
    return sum;
}

static void sides_against_brute_force(void** state) {
    (void)state;
    pli_random r = {77};
    for (int round = 0; round < 30; ++round) {
        sample s;
        fill_sample(&s, &r);
        for (int k = 0; k < PLI_SIDE_KIND_COUNT; ++k) {
            pli_side_kind kind = (pli_side_kind)k;
            int width = pli_side_width(kind), next = 0;
            pli_sides sides = {0};
            ASSERT_OK(pli_sides_create(&memory, &s.all, kind, &sides, &error));
            for (int a = 0; a < VERTICES; ++a)
                for (int b = a + 1; b < VERTICES; ++b)
                    for (int c = width == 3 ? b + 1 : -1; c < (width == 3 ? VERTICES : 0); ++c) {
                        const int32_t v[3] = {a, b, c}, turned[3] = {b, a, c};
                        int uses = count_in(&s, kind, v), side = pli_sides_find(&sides, turned);
                        assert_int_equal(side, uses > 0 ? next : -1); // in this order
                        if (uses == 0) continue;
                        assert_memory_equal(sides.vertices + width * next, v,
                                            (size_t)width * sizeof *v);
                        assert_int_equal(pli_side_uses(&sides, next++), uses);
                    }
            assert_int_equal(sides.count, next);
            for (int i = 0; i < sides.count; ++i)
                for (int u = sides.start[i]; u < sides.start[i + 1]; ++u) {
                    pli_element_side side = pli_side_at(&s.all, kind, sides.uses[u]);
                    assert_int_equal(pli_sides_find(&sides, side.v), i);
                    assert_true(u == sides.start[i] || sides.uses[u] > sides.uses[u - 1]);
                }
            pli_sides_free(&sides);
            pli_sides_free(&sides); // twice is fine
        }
    }
}

// Faces of a tetrahedron look outward, and their middle nodes lie between their corners.
static void faces_look_outward(void** state) {
    (void)state;
    static const double x[30] = {0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0,
                                 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1};
    static const int32_t ten[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    pli_elements all = {.vertex_limit = 10};
    all.count[PLI_TETRAHEDRON10] = 1;
    all.elements[PLI_TETRAHEDRON10] = ten;
    for (int f = 0; f < 4; ++f) {
        pli_element_side side = pli_side_at(&all, PLI_FACES, f);
        const int32_t apex = 6 - side.v[0] - side.v[1] - side.v[2];
        const int32_t inward[4] = {side.v[0], side.v[2], side.v[1], apex};
        assert_true(pli_element_measure(3, PLI_TETRAHEDRON, inward, x) > 0);
        for (int i = 0; i < 3; ++i)
            for (int c = 0; c < 3; ++c)
                assert_true(2 * x[3 * side.v[3 + i] + c] ==
                            x[3 * side.v[i] + c] + x[3 * side.v[(i + 1) % 3] + c]);
    }
}

// ---- boundary

static void assert_segments(const pli_elements* all, const int32_t* expected, int count) {
    int32_t* segments;
    int found;
    ASSERT_OK(pli_boundary_segments(&memory, all, &segments, &found, &error));
    assert_int_equal(found, count);
    if (expected) assert_memory_equal(segments, expected, 2 * (size_t)count * sizeof *expected);
    PLI_FREE(&memory, segments, 2 * (size_t)found);
}

// Directed as in their triangles; edges of two or more triangles are inside, whichever way they
// run.
static void boundary_of_triangles(void** state) {
    (void)state;
    static const int32_t two[] = {5, 2, 7, 7, 2, 9}, expected[] = {2, 9, 5, 2, 7, 5, 9, 7},
                         same_way[] = {0, 1, 2, 0, 1, 3}, three[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    pli_elements all = pli_elements_of_triangles(12, 2, two);
    assert_segments(&all, expected, 4);
    all = pli_elements_of_triangles(4, 2, same_way);
    assert_segments(&all, NULL, 4);
    all = pli_elements_of_triangles(5, 3, three);
    assert_segments(&all, NULL, 6);
    all = pli_elements_of_triangles(0, 0, NULL);
    assert_segments(&all, NULL, 0);
    // Two 6-node triangles that share the edge 1 2 with its middle 5, and a linear one apart.
    static const int32_t pair[] = {0, 1, 2, 4, 5, 6, 2, 1, 3, 5, 7, 8}, alone[] = {9, 10, 11};
    static const int32_t halves[] = {0, 4, 1, 7, 2, 6, 3, 8, 4, 1, 6, 0, 7, 3, 8, 2};
    all = pli_elements_of_triangles(12, 0, alone);
    all.count[PLI_TRIANGLE6] = 2;
    all.elements[PLI_TRIANGLE6] = pair;
    assert_segments(&all, halves, 8);
    all.count[PLI_TRIANGLE] = 1;
    assert_segments(&all, NULL, 11);
}

// Counter-clockwise outlines: the sum of x cross dx is twice the area.
static void boundary_encloses_the_area(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 3, 2, 6, 5, PLI_TRIANGLES, &error));
    ASSERT_OK(pli_mesh_add_disk(&mesh, 1, 4, &error));
    pli_elements all = pli_elements_of(&mesh);
    int32_t* segments;
    int count;
    ASSERT_OK(pli_boundary_segments(&memory, &all, &segments, &count, &error));
    assert_int_equal(count, 22 + 24);
    double twice_area = 0, turn = 2 * acos(-1.0);
    for (int i = 0; i < count; ++i) {
        const double* a = mesh.positions + 3 * segments[2 * i];
        const double* b = mesh.positions + 3 * segments[2 * i + 1];
        twice_area += a[0] * b[1] - a[1] * b[0];
    }
    ASSERT_NEAR(twice_area, 12 + 24 * sin(turn / 24), 1e-12); // rounding of 46 terms
    PLI_FREE(&memory, segments, 2 * (size_t)count);
    pli_mesh_free(&mesh);
}

// The surface of a solid: faces of one tetrahedron, sorted by their corners.
static void boundary_of_tetrahedra(void** state) {
    (void)state;
    static const int32_t tets[] = {0, 1, 2, 4, 2, 1, 7, 4};
    static const int32_t expected[] = {0, 2, 1, 0, 1, 4, 0, 4, 2, 2, 7, 1, 1, 7, 4, 2, 4, 7};
    pli_elements all = {.vertex_limit = 8};
    pli_skin skin = {0};
    all.count[PLI_TETRAHEDRON] = 2;
    all.elements[PLI_TETRAHEDRON] = tets;
    ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
    assert_int_equal(skin.count[0], 6);
    for (int t = 0; t < 6; ++t) { // the same cycle, whichever corner comes first
        const int32_t *a = skin.faces[0] + 3 * t, *b = expected + 3 * t;
        int k = 0;
        while (k < 3 && a[0] != b[k]) ++k;
        assert_true(k < 3 && a[1] == b[(k + 1) % 3] && a[2] == b[(k + 2) % 3]);
    }
    pli_skin_free(&skin);
    pli_skin_free(&skin); // twice is fine
    // A face between a linear and a quadratic tetrahedron is inside.
    static const int32_t ten[] = {2, 1, 7, 4, 8, 9, 10, 11, 12, 13};
    all.vertex_limit = 14;
    all.count[PLI_TETRAHEDRON] = all.count[PLI_TETRAHEDRON10] = 1;
    all.elements[PLI_TETRAHEDRON10] = ten;
    ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
    assert_true(skin.count[0] == 3 && skin.count[1] == 3);
    assert_int_equal(pli_skin_triangle_count(&skin), 3 + 4 * 3);
    pli_skin_free(&skin);
}

// Results depend on the set of elements alone.
static void order_does_not_matter(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(dim == 2 ? pli_mesh_add_disk(&mesh, 1, 5, &error)
                           : pli_mesh_add_ball(&mesh, 1, 3, &error));
        pli_element_kind kind = dim == 2 ? PLI_TRIANGLE : PLI_TETRAHEDRON;
        int count = mesh.element_count[kind] -= 20; // with a ragged boundary
        int32_t* v = mesh.elements[kind];
        pli_elements all = pli_elements_of(&mesh);
        pli_skin first = {0}, second = {0};
        ASSERT_OK(pli_skin_create(&memory, &all, dim, false, &first, &error));
        pli_random r = {31};
        for (int i = count - 1; i > 0; --i) {
            int j = pli_random_below(&r, i + 1);
            for (int k = 0; k <= dim; ++k) {
                int32_t swap = v[(dim + 1) * i + k];
                v[(dim + 1) * i + k] = v[(dim + 1) * j + k];
                v[(dim + 1) * j + k] = swap;
            }
        }
        ASSERT_OK(pli_skin_create(&memory, &all, dim, false, &second, &error));
        assert_int_equal(first.count[0], second.count[0]);
        assert_memory_equal(first.faces[0], second.faces[0],
                            (size_t)(dim * first.count[0]) * sizeof *first.faces[0]);
        pli_skin_free(&first);
        pli_skin_free(&second);
        pli_mesh_free(&mesh);
    }
}

// ---- hinges, stars, corners

static void hinges(void** state) {
    (void)state;
    // The first triangle runs from 2 to 1; 3 and 4 share an edge with a third triangle.
    static const int32_t triangles[] = {0, 2, 1, 1, 2, 3, 3, 4, 1, 3, 4, 5, 4, 3, 6};
    pli_elements all = pli_elements_of_triangles(7, 5, triangles);
    pli_sides edges = {0};
    ASSERT_OK(pli_sides_create(&memory, &all, PLI_EDGES, &edges, &error));
    static const int32_t expected[2][4] = {{0, 2, 1, 3}, {2, 3, 1, 4}};
    int count = 0;
    for (int e = 0; e < edges.count; ++e) {
        int32_t hinge[4];
        if (!pli_hinge_at(&all, &edges, e, hinge)) continue;
        assert_true(count < 2);
        assert_memory_equal(hinge, expected[count++], sizeof hinge);
    }
    assert_int_equal(count, 2);
    pli_sides_free(&edges);
}

// Every vertex has the other ends of its edges, against brute force.
static void stars(void** state) {
    (void)state;
    pli_random r = {5};
    sample s;
    fill_sample(&s, &r);
    pli_sides links = {0};
    pli_stars found = {0};
    ASSERT_OK(pli_sides_create(&memory, &s.all, PLI_LINKS, &links, &error));
    ASSERT_OK(pli_stars_create(&memory, &s.all, &links, &found, &error));
    for (int v = 0; v < VERTICES; ++v) {
        int at = found.start[v];
        for (int other = 0; other < VERTICES; ++other) {
            const int32_t ends[2] = {v, other};
            if (other == v || pli_sides_find(&links, ends) < 0) continue;
            assert_true(at < found.start[v + 1]);
            assert_int_equal(pli_star_neighbor(&found, &links, v, at++), other);
        }
        assert_int_equal(at, found.start[v + 1]);
    }
    pli_stars_free(&found);
    pli_stars_free(&found); // twice is fine
    pli_sides_free(&links);
}

static void corners(void** state) {
    (void)state;
    // A chain 4 0 2, a branch at 2, a segment that is there twice, one from a vertex to itself.
    static const int32_t segments[] = {4, 0, 2, 0, 2, 1, 3, 2, 5, 6, 6, 5, 6, 7, 8, 8};
    pli_elements all = {.vertex_limit = 9};
    all.count[PLI_SEGMENT] = 8;
    all.elements[PLI_SEGMENT] = segments;
    pli_sides sides = {0};
    pli_stars found = {0};
    ASSERT_OK(pli_sides_create(&memory, &all, PLI_SEGMENTS, &sides, &error));
    ASSERT_OK(pli_stars_create(&memory, &all, &sides, &found, &error));
    for (int v = 0; v < 9; ++v) {
        int32_t corner[3];
        assert_int_equal(pli_corner_at(&sides, &found, v, corner), v == 0);
        if (v == 0) assert_true(corner[0] == 4 && corner[1] == 0 && corner[2] == 2);
    }
    pli_stars_free(&found);
    pli_sides_free(&sides);
}

// ---- components and defects

static void components(void** state) {
    (void)state;
    static const int32_t segments[] = {7, 2, 2, 5}, triangles[] = {1, 4, 3};
    static const int32_t expected[] = {-1, 1, 2, 1, 1, 2, -1, 2, -1};
    pli_elements all = pli_elements_of_triangles(9, 1, triangles);
    int32_t root[9];
    all.count[PLI_SEGMENT] = 2;
    all.elements[PLI_SEGMENT] = segments;
    pli_find_components(&all, root);
    assert_memory_equal(root, expected, sizeof expected);
}

static pli_surface_report inspect(int vertices, int count, const int32_t* triangles) {
    pli_surface_report report;
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

static void sorting_is_stable(void** state) {
    (void)state;
    enum { COUNT = 500 };
    int32_t rows[3 * COUNT];
    pli_random r = {9};
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
    pli_elements all = {.vertex_limit = 8};
    all.count[PLI_TETRAHEDRON] = 2;
    all.elements[PLI_TETRAHEDRON] = tets;
    pli_status status = PLI_E_MEMORY;
    for (int n = 1; status != PLI_OK; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory own;
        pli_memory_init(&own, &hook);
        pli_sides links = {0};
        pli_stars found = {0};
        pli_surface_report report;
        int32_t* segments = NULL;
        int count = 0;
        status = pli_sides_create(&own, &all, PLI_LINKS, &links, NULL);
        if (status == PLI_OK) status = pli_stars_create(&own, &all, &links, &found, NULL);
        if (status == PLI_OK) status = pli_surface_inspect(&own, 8, 2, tets, &report, NULL);
        pli_elements triangles = pli_elements_of_triangles(8, 2, tets);
        if (status == PLI_OK)
            status = pli_boundary_segments(&own, &triangles, &segments, &count, NULL);
        PLI_FREE(&own, segments, 2 * (size_t)count);
        pli_stars_free(&found);
        pli_sides_free(&links);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        assert_true(status == PLI_OK || status == PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(sides_against_brute_force, set_up, nothing_left),
        cmocka_unit_test(faces_look_outward),
        cmocka_unit_test_setup_teardown(boundary_of_triangles, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(boundary_encloses_the_area, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(boundary_of_tetrahedra, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(order_does_not_matter, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(hinges, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(stars, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(corners, set_up, nothing_left),
        cmocka_unit_test(components),
        cmocka_unit_test_setup_teardown(what_is_wrong, set_up, nothing_left),
        cmocka_unit_test_setup_teardown(sorting_is_stable, set_up, nothing_left),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
