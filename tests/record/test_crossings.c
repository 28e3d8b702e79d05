// Crossings written as a .vtu, read back by our own reader of meshes.
#include "result/fixture.h"

#include "oracle/near.h"

#include "pliant/pliant.h"

static pli_error error;

// A wire through a sheet: one edge, one triangle, one point.
static pli_world* wire_through_sheet(void) {
    static const double places[5][3] = {{0, 0, 0}, {4, 0, 0}, {0, 0, 4}, {1, -1, 1}, {1, 3, 1}};
    static const int32_t triangle[3] = {0, 1, 2}, segment[2] = {0, 1};
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.thread_count = 1;
    pli_world* world;
    ASSERT_OK(pli_world_create(&def, &world, &error));
    for (int b = 0; b < 2; ++b) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_vertices(&mesh, b ? 2 : 3, places[3 * b], NULL, &error));
        ASSERT_OK(pli_mesh_add_elements(&mesh, b ? PLI_SEGMENT : PLI_TRIANGLE, 1,
                                        b ? segment : triangle, &error));
        pli_body_def body = pli_default_body_def();
        body.name = b ? "wire" : "sheet";
        body.mesh = &mesh;
        body.vertex_mass = 1;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
    }
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    return world;
}

static void test_file(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    char path[2 * TEST_PATH_SIZE];
    pli_world* world = wire_through_sheet();
    pli_crossing_info crossing;
    int count;
    ASSERT_OK(pli_world_crossings(world, 1, &crossing, &count, &error));
    assert_int_equal(count, 1);
    path_in(&folder, "crossings.vtu", path);
    ASSERT_OK(pli_write_crossings(world, &crossing, 1, path, &error));
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_read(&mesh, path, &error));
    assert_int_equal(mesh.vertex_count, 6); // 2, 3 and the place
    assert_int_equal(mesh.element_count[PLI_SEGMENT], 1);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], 1);
    static const double expected[6][3] = {{1, -1, 1}, {1, 3, 1}, {0, 0, 0},
                                          {4, 0, 0},  {0, 0, 4}, {1, 0, 1}};
    for (int i = 0; i < 18; ++i) assert_true(mesh.positions[i] == expected[i / 3][i % 3]);
    pli_mesh_free(&mesh);
    // None at all, and what makes no sense.
    ASSERT_OK(pli_write_crossings(world, NULL, 0, path, &error));
    assert_int_equal(pli_write_crossings(world, NULL, 1, path, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_write_crossings(world, &crossing, 1, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_write_crossings(NULL, &crossing, 1, path, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_write_crossings(world, &crossing, -1, path, &error), PLI_E_ARGUMENT);
    path_in(&folder, "missing/crossings.vtu", path);
    assert_int_equal(pli_write_crossings(world, &crossing, 1, path, &error), PLI_E_IO);
    pli_world_destroy(world);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
