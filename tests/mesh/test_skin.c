// The surface of a body: faces, shares of area, the rules over a face.
#include "mesh/skin.h"

#include "math/vec.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "pliant/mesh.h"

static pli_error error;

static void make_mesh(pli_mesh* mesh, int dim, bool quadratic) {
    pli_mesh_init(mesh, NULL);
    if (dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(mesh, 2, 1, 3, 2, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(
            pli_mesh_add_box(mesh, (const double[3]){2, 1, 3}, (const int[3]){3, 2, 2}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
}

// Count, outward normals, enclosed volume, and areas that sum to the surface.
static void test_boxes(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int quadratic = 0; quadratic < 2; ++quadratic) {
            pli_mesh mesh;
            make_mesh(&mesh, dim, quadratic);
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_skin skin = {0};
            pli_elements all = pli_elements_of(&mesh);
            ASSERT_OK(pli_skin_create(&memory, &all, dim, false, &skin, &error));
            assert_int_equal(skin.count[quadratic], dim == 2 ? 10 : 4 * (6 + 4 + 6));
            assert_int_equal(skin.count[!quadratic], 0);
            double volume = 0, area[500] = {0}, sum = 0;
            const pli_face_rule* rule = pli_face_rule_of(dim, true);
            for (int f = 0; f < skin.count[quadratic]; ++f)
                for (int q = 0; q < rule->count; ++q) {
                    int width = pli_face_width(dim, quadratic);
                    double shape[3][PLI_FACE_MAX], u[3][3] = {{0}}, normal[3];
                    pli_face_shape(dim, quadratic, rule->at[q], shape);
                    for (int v = 0; v < width; ++v)
                        for (int a = 0; a < dim; ++a)
                            pli_axpy(shape[a][v],
                                     mesh.positions + 3 * skin.faces[quadratic][f * width + v],
                                     u[a], dim);
                    pli_face_normal(dim, u[1], u[2], normal);
                    assert_true(pli_dot(u[0], normal, dim) > 0);
                    volume += rule->weight[q] * pli_dot(u[0], normal, dim) / dim;
                }
            ASSERT_NEAR(volume, dim == 2 ? 2 : 6, 1e-13); // rounding
            pli_skin_areas(&skin, mesh.positions, 0.5, area);
            for (int v = 0; v < mesh.vertex_count; ++v) {
                bool inside = true;
                const double half[3] = {1, 0.5, 1.5};
                for (int c = 0; c < dim; ++c)
                    inside = inside && fabs(mesh.positions[3 * v + c]) < half[c] - 1e-9;
                assert_true(inside ? area[v] == 0 : area[v] > 0);
                sum += area[v];
            }
            ASSERT_NEAR(sum, dim == 2 ? 3 : 22, 1e-13);
            bool keep[500] = {false};
            for (int v = 0; v < mesh.vertex_count; ++v) keep[v] = mesh.positions[3 * v] > 0.99;
            pli_skin_keep(&skin, keep);
            assert_int_equal(skin.count[quadratic], dim == 2 ? 2 : 8);
            pli_skin_free(&skin);
            assert_int_equal(memory.bytes, 0);
            pli_mesh_free(&mesh);
        }
}

// A sheet in space is its own surface; segments have none.
static void test_sheets_and_lines(void** state) {
    (void)state;
    pli_mesh mesh;
    make_mesh(&mesh, 2, false);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_skin skin = {0};
    pli_elements all = pli_elements_of(&mesh);
    ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
    assert_int_equal(skin.count[0], 12);
    double area[12] = {0}, sum = 0;
    pli_skin_areas(&skin, mesh.positions, 0.5, area);
    for (int v = 0; v < mesh.vertex_count; ++v) sum += area[v];
    ASSERT_NEAR(sum, 2, 1e-14); // one side, no thickness
    pli_skin_free(&skin);
    all.count[PLI_TRIANGLE] = 0;
    ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
    assert_int_equal(skin.count[0] + skin.count[1], 0);
    pli_skin_free(&skin);
    pli_mesh_free(&mesh);
}

// An edge between a linear and a quadratic triangle is inside.
static void test_outline_of_both_kinds(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    static const double x[21] = {0, 0, 0,   1,   0, 0,   1, 1, 0, 0,
                                 1, 0, 0.5, 0.5, 0, 0.5, 1, 0, 0, 0.5};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 7, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, (int32_t[]){0, 1, 2}, &error));
    ASSERT_OK(
        pli_mesh_add_elements(&mesh, PLI_TRIANGLE6, 1, (int32_t[]){0, 2, 3, 4, 5, 6}, &error));
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_skin skin = {0};
    pli_elements all = pli_elements_of(&mesh);
    ASSERT_OK(pli_skin_create(&memory, &all, 2, false, &skin, &error));
    static const int32_t linear[4] = {0, 1, 1, 2}, quadratic[6] = {3, 0, 6, 2, 3, 5};
    assert_int_equal(skin.count[0], 2);
    assert_int_equal(skin.count[1], 2);
    assert_memory_equal(skin.faces[0], linear, sizeof linear);
    assert_memory_equal(skin.faces[1], quadratic, sizeof quadratic);
    double area[7] = {0}, sum = 0;
    pli_skin_areas(&skin, mesh.positions, 0.5, area);
    for (int v = 0; v < 7; ++v) sum += area[v];
    ASSERT_NEAR(sum, 2, 1e-14); // rounding
    pli_skin_free(&skin);
    assert_int_equal(memory.bytes, 0);
    pli_mesh_free(&mesh);
}

// Files list faces and edges of solids beside these. What is no such part is loose.
static void test_loose(void** state) {
    (void)state;
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        pli_mesh mesh;
        make_mesh(&mesh, 3, quadratic);
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_element_kind solid = quadratic ? PLI_TETRAHEDRON10 : PLI_TETRAHEDRON;
        const int32_t* t = mesh.elements[solid];
        int32_t n = mesh.vertex_count;
        const double at[9] = {9, 0, 0, 9, 1, 0, 9, 0, 1};
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 3, at, NULL, &error));
        const int32_t triangles[9] = {t[3], t[1], t[2], n, n + 1, n + 2, t[2], t[0], t[1]},
                      segments[8] = {t[3], t[1], t[0], n, n, n + 1, t[0], t[2]};
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 3, triangles, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 4, segments, &error));
        if (quadratic) { // half an edge, a quarter of a face, and between two corners of it
            t = mesh.elements[solid];
            const int32_t quarter[3] = {t[6], t[4], t[0]}, halves[4] = {t[4], t[1], t[5], t[6]};
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 1, quarter, &error));
            ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 2, halves, &error));
        }
        pli_elements all = pli_elements_of(&mesh);
        bool loose[6];
        ASSERT_OK(pli_mark_loose(&memory, &all, PLI_TRIANGLE, 3, loose, &error));
        for (int i = 0; i < mesh.element_count[PLI_TRIANGLE]; ++i)
            assert_int_equal(loose[i], i == 1);
        ASSERT_OK(pli_mark_loose(&memory, &all, PLI_SEGMENT, 3, loose, &error));
        for (int i = 0; i < mesh.element_count[PLI_SEGMENT]; ++i)
            assert_int_equal(loose[i], i == 1 || i == 2);
        ASSERT_OK(pli_mark_loose(&memory, &all, PLI_SEGMENT, 2, loose, &error));
        assert_true(!loose[0] && loose[1] && !loose[2] && !loose[3]);
        for (int sheets = 0; sheets < 2; ++sheets) {
            pli_skin skin = {0};
            ASSERT_OK(pli_skin_create(&memory, &all, 3, sheets, &skin, &error));
            assert_int_equal(skin.count[quadratic], 64 + (sheets && !quadratic));
            assert_int_equal(skin.count[!quadratic], sheets && quadratic);
            pli_skin_free(&skin);
        }
        assert_int_equal(memory.bytes, 0);
        pli_mesh_free(&mesh);
    }
}

// The edges of the surface and the segments that are there, each once and sorted; a failure leaves
// the mesh unchanged.
static void test_keep_edges(void** state) {
    (void)state;
    static const double x[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 2, 2};
    static const int32_t expected[] = {0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3, 2, 4};
    pli_status status = PLI_E_MEMORY;
    for (int n = 0; status != PLI_OK; ++n) {
        pli_test_allocator counter = {0};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_mesh_init(&mesh, &hook);
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 5, x, NULL, &error));
        ASSERT_OK(
            pli_mesh_add_elements(&mesh, PLI_TETRAHEDRON, 1, (int32_t[]){0, 1, 2, 3}, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 2, (int32_t[]){4, 2, 1, 0}, &error));
        counter.fail_at = counter.requests + 1 + n;
        status = pli_mesh_keep_edges(&mesh, &error);
        assert_int_equal(mesh.element_count[PLI_TETRAHEDRON], status != PLI_OK);
        assert_int_equal(mesh.element_count[PLI_SEGMENT], status == PLI_OK ? 7 : 2);
        if (status == PLI_OK)
            assert_memory_equal(mesh.elements[PLI_SEGMENT], expected, sizeof expected);
        pli_mesh_free(&mesh);
        assert_int_equal(counter.bytes, 0);
    }
}

// L_1^a L_2^b over the triangle: 2 a! b! / (a + b + 2)!; s^a over the edge: 1 / (a + 1).
static void test_rules(void** state) {
    (void)state;
    static const double factorial[] = {1, 1, 2, 6, 24, 120, 720};
    for (int full = 0; full < 2; ++full)
        for (int dim = 2; dim <= 3; ++dim)
            for (int a = 0; a <= (full ? 4 : 1); ++a)
                for (int b = 0; b <= (dim == 2 ? 0 : (full ? 4 : 1) - a); ++b) {
                    const pli_face_rule* rule = pli_face_rule_of(dim, full);
                    double sum = 0;
                    for (int q = 0; q < rule->count; ++q)
                        sum += rule->weight[q] * pow(rule->at[q][1], a) * pow(rule->at[q][2], b);
                    double exact = dim == 2
                                       ? 1.0 / (a + 1)
                                       : 2 * factorial[a] * factorial[b] / factorial[a + b + 2];
                    ASSERT_NEAR(sum, exact, 1e-15); // rounding
                }
}

static void test_memory_may_run_out(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_mesh mesh;
        make_mesh(&mesh, dim, true);
        const int32_t sheet[6] = {0, 1, 2, 3, 4, 5};
        if (dim == 3) ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, sheet, &error));
        pli_status status = PLI_E_MEMORY;
        for (int n = 1; status != PLI_OK; ++n) {
            pli_test_allocator counter = {.fail_at = n};
            pli_allocator hook = pli_test_hook(&counter);
            pli_memory memory;
            pli_memory_init(&memory, &hook);
            pli_skin skin = {0};
            pli_elements all = pli_elements_of(&mesh);
            status = pli_skin_create(&memory, &all, dim, true, &skin, &error);
            pli_skin_free(&skin);
            assert_int_equal(counter.bytes, 0);
            assert_false(counter.wrong_size);
        }
        pli_mesh_free(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_sheets_and_lines),
        cmocka_unit_test(test_outline_of_both_kinds),
        cmocka_unit_test(test_loose),
        cmocka_unit_test(test_keep_edges),
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
