// Every file of the data folder: the good ones give the mesh that its table says, the bad ones are
// refused with a place.
#include "mesh/data.h"
#include "mesh/measure.h"

typedef struct expected {
    const char* name;
    int vertices, tetrahedra, triangles; // triangles of the surface
    double volume;                       // 0: not looked at
} expected;

static const expected solids[] = {
    {"tet/ANSYS1e-3Corner_coarse.msh", 285, 812, 510, 5.9997e-06},
    {"tet/bar-186.msh", 86, 186, 168, 5},
    {"tet/bar-2523.msh", 886, 2523, 1618, 5},
    {"tet/bar-6.msh", 8, 6, 12, 5},
    {"tet/bar-651.msh", 292, 651, 580, 5},
    {"tet/cube.msh", 8, 6, 12, 1},
    {"tet/erleben/spike.msh", 5, 2, 6, 1},
    {"tet/erleben/wedge.msh", 6, 3, 8, 3},
    {"tet/mat100x100t40.msh", 20000, 58806, 39996, 0.00833333},
    {"tet/mat20x20.msh", 800, 2166, 1596, 0.013},
    {"tet/mat40x40.msh", 3200, 9126, 6396, 0.008},
    {"tet/pyramid.msh", 6, 3, 8, 1},
    {"tet/rod.msh", 630, 1722, 1162, 0.0012},
    {"tet/rod300x33.msh", 13333, 50511, 19966, 0.00124906},
    {"tet/sphere1K.msh", 1760, 6851, 2474, 0.518477},
    {"tet/sphere5K.msh", 7034, 27792, 9742, 0.522664},
    {"tet/tet-perp-edges.msh", 4, 1, 4, 0.666667},
    {"tet/tet-pyramid.msh", 4, 1, 4, 0.471405},
    {"tet/tet.msh", 4, 1, 4, 0.166667},
    {"tet/torus.msh", 200, 491, 400, 0.0726544},
    {"thirdparty/dolphin5K.msh", 8111, 36304, 10000, 30738.1},
    {"formats/torus_medit.mesh", 200, 491, 400, 0.0726544},
    {"formats/torus_msh22_ascii_crlf.msh", 200, 491, 400, 0.0726544},
    {"formats/torus_msh22_ascii_sparse_ids_tris.msh", 200, 491, 400, 0.0726544},
    {"formats/torus_msh22_binary.msh", 200, 491, 400, 0.0726544},
    {"formats/torus_msh41_ascii_entities.msh", 200, 491, 400, 0.0726544},
    {"formats/torus_msh41_binary.msh", 200, 491, 400, 0.0726544},
    {"formats/torus_tetgen0.ele", 200, 491, 400, 0.0726544},
    {"formats/torus_tetgen0.node", 200, 491, 400, 0.0726544},
    {"formats/torus_vtk_ascii.vtk", 200, 491, 400, 0.0726544},
    {"formats/torus_vtk_binary.vtk", 200, 491, 400, 0.0726544},
};

// Triangle counts of surfaces; the volume only of those that are closed.
static const expected surfaces[] = {
    {"tri/YZplane.obj", 4, 0, 2, 0},
    {"tri/bowl.obj", 1321, 0, 2560, 0},
    {"tri/codim/card15x7.obj", 105, 0, 168, 0},
    {"tri/codim/cylinder3K.obj", 3007, 0, 5754, 0},
    {"tri/codim/sphere1K_0.3.obj", 1239, 0, 2474, 0.0147013},
    {"tri/codim/square21.obj", 441, 0, 800, 0},
    {"tri/codim/square2K.obj", 1939, 0, 3716, 0},
    {"tri/codim/square41.obj", 1681, 0, 3200, 0},
    {"tri/cone-simple.obj", 34, 0, 64, 8.32385},
    {"tri/cone.obj", 1152, 0, 2176, 0},
    {"tri/coneBox.obj", 1292, 0, 2400, 0},
    {"tri/cube.obj", 8, 0, 12, 1},
    {"tri/cylinder.obj", 152, 0, 300, 0.0300002},
    {"tri/erleben/cliff.obj", 8, 0, 12, 1.58333},
    {"tri/erleben/crack.obj", 20, 0, 36, 7},
    {"tri/erleben/hole.obj", 48, 0, 88, 0},
    {"tri/erleben/internal_edges.obj", 14, 0, 24, 4},
    {"tri/erleben/spike.obj", 5, 0, 6, 1},
    {"tri/erleben/wedge.obj", 6, 0, 8, 3},
    {"tri/funnel.obj", 288, 0, 552, 0},
    {"tri/plane.obj", 4, 0, 2, 0},
    {"tri/point.obj", 1, 0, 0, 0},
    {"tri/pointPlane.obj", 420, 0, 0, 0},
    {"tri/pyramid.obj", 6, 0, 8, 1},
    {"tri/rigid/2cubes.obj", 16, 0, 24, 2},
    {"tri/rigid/L.obj", 24, 0, 44, 24},
    {"tri/rigid/codim_edges_circle.obj", 32, 0, 0, 0},
    {"tri/rigid/codim_points_tet.obj", 130, 0, 0, 0},
    {"tri/rigid/cube.stl", 8, 0, 12, 0},
    {"tri/rigid/cylinder.obj", 130, 0, 256, 9.40965},
    {"tri/rigid/oloid.obj", 258, 0, 512, 3.05132},
    {"tri/rigid/wrecking-ball_ball.obj", 312, 0, 624, 32.4305},
    {"tri/rigid/wrecking-ball_link.obj", 220, 0, 440, 0.102043},
    {"tri/rod.obj", 583, 0, 1162, 0.00120003},
    {"tri/sheet100.obj", 128, 0, 210, 0},
    {"tri/sheet1000.obj", 913, 0, 1708, 0},
    {"tri/sheet500.obj", 465, 0, 840, 0},
    {"tri/sheetPlane.obj", 400, 0, 200, 0},
    {"tri/sphere1K.obj", 1239, 0, 2474, 0.518477},
    {"tri/tet-perp-edges.obj", 4, 0, 4, 0.666667},
    {"tri/tet-pyramid.obj", 4, 0, 4, 0.471405},
    {"tri/tet.obj", 4, 0, 4, 0.166667},
    {"tri/torus.obj", 200, 0, 400, 0.0726542},
    {"tri/triangle.obj", 3, 0, 1, 0},
    {"tri/tube.obj", 1024, 0, 1920, 0},
    {"tri/wedge.obj", 3, 0, 1, 0},
    {"seg/edge.seg", 2, 0, 0, 0},
    {"seg/needleBed10x10.seg", 200, 0, 0, 0},
    {"seg/segPlane.seg", 420, 0, 0, 0},
    {"seg/string10.seg", 11, 0, 0, 0},
    {"thirdparty/spot.obj", 2930, 0, 5856, 0.718259},
    {"formats/torus.off", 200, 0, 400, 0.0726542},
    {"formats/torus_ascii.ply", 200, 0, 400, 0.0726542},
    {"formats/torus_ascii.stl", 200, 0, 400, 0.0726542},
    {"formats/torus_binary.stl", 200, 0, 400, 0.0726542},
    {"formats/torus_binary_le.ply", 200, 0, 400, 0.0726542},
    {"formats/cube_crlf_tabs_rgb.obj", 8, 0, 12, 1},
    {"formats/cube_negative_indices.obj", 8, 0, 12, 1},
    {"formats/cube_quads.obj", 8, 0, 12, 1},
    {"formats/cube_slash.obj", 8, 0, 12, 1},
};

static pli_mesh read_data(const char* name) {
    char full[1000];
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, data_path(name, full), &error) != PLI_OK)
        fail_msg("%s", error.message);
    return mesh;
}

static void check(const expected* e) {
    pli_mesh mesh = read_data(e->name);
    pli_mesh_summary s;
    pli_error error = {0};
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    if (mesh.vertex_count != e->vertices || mesh.element_count[PLI_TETRAHEDRON] != e->tetrahedra ||
        s.surface_triangles != e->triangles)
        fail_msg("%s: %d vertices, %d tetrahedra, %d triangles", e->name, mesh.vertex_count,
                 mesh.element_count[PLI_TETRAHEDRON], s.surface_triangles);
    double volume = e->tetrahedra ? s.volume : s.enclosed;
    // The tables give six digits.
    if (e->volume != 0 && !(fabs(volume - e->volume) < 2e-5 * e->volume))
        fail_msg("%s: volume %g, must be %g", e->name, volume, e->volume);
    if (e->tetrahedra) ASSERT_NEAR(s.enclosed, s.volume, 1e-9 * fabs(s.volume)); // sums of 60000
    if (e->tetrahedra) assert_true(s.worst_quality > 0);
    pli_mesh_free(&mesh);
}

static void solids_of_the_table(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof solids / sizeof *solids; ++i) check(&solids[i]);
    for (int i = 1; i <= 25; ++i) {
        char name[64];
        snprintf(name, sizeof name, "tet/arch/largeArch.%02d.msh", i);
        check(&(expected){name, 8, 6, 12, 0});
    }
}

static void surfaces_of_the_table(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; ++i) check(&surfaces[i]);
    static const struct {
        const char* name;
        int segments;
    } lines[] = {{"seg/edge.seg", 1},
                 {"seg/needleBed10x10.seg", 100},
                 {"seg/segPlane.seg", 210},
                 {"seg/string10.seg", 10},
                 {"tri/rigid/codim_edges_circle.obj", 32},
                 {"formats/polyline_l.obj", 4}};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) {
        pli_mesh mesh = read_data(lines[i].name);
        assert_int_equal(mesh.element_count[PLI_SEGMENT], lines[i].segments);
        pli_mesh_free(&mesh);
    }
}

// All forms of the torus have the same vertices in the same order, up to the digits they keep.
static void the_same_torus(void** state) {
    (void)state;
    static const char* const names[] = {"formats/torus_medit.mesh",
                                        "formats/torus_msh22_ascii_crlf.msh",
                                        "formats/torus_msh22_ascii_sparse_ids_tris.msh",
                                        "formats/torus_msh22_binary.msh",
                                        "formats/torus_msh41_ascii_entities.msh",
                                        "formats/torus_msh41_binary.msh",
                                        "formats/torus_tetgen0.ele",
                                        "formats/torus_vtk_ascii.vtk",
                                        "formats/torus_vtk_binary.vtk"};
    pli_mesh first = read_data("tet/torus.msh");
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
        pli_mesh mesh = read_data(names[i]);
        assert_memory_equal(mesh.elements[PLI_TETRAHEDRON], first.elements[PLI_TETRAHEDRON],
                            4 * 491 * sizeof(int32_t));
        for (int k = 0; k < 600; ++k) ASSERT_NEAR(mesh.positions[k], first.positions[k], 1e-6);
        pli_mesh_free(&mesh);
    }
    pli_mesh_free(&first);
}

static void bad_files(void** state) {
    (void)state;
    static const struct {
        const char *name, *says;
    } bad[] = {
        {"bad_duplicate_node_id.msh", ":7:2: node 1 occurs twice"},
        {"bad_empty.obj", ":1:1: no vertices"},
        {"bad_huge_count.msh", ":5:14: 4000000000000 nodes cannot be in the"},
        {"bad_index_out_of_range.obj", ":9:7: vertex"},
        {"bad_nan_coordinate.obj", ":1:7: coordinate \"nan\", must be a finite number"},
        {"bad_negative_count.vtk", ":5:17: -5 points, must be >= 0"},
        {"bad_truncated.msh", ":408:8: the file ends after 1 coordinates of a vertex, must have 3"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        char name[100], full[1000];
        pli_mesh mesh;
        pli_error error = {0};
        snprintf(name, sizeof name, "formats/%s", bad[i].name);
        pli_mesh_init(&mesh, NULL);
        assert_int_equal(pli_mesh_read(&mesh, data_path(name, full), &error), PLI_E_SCENE);
        if (!strstr(error.message, bad[i].says)) fail_msg("%s", error.message);
        assert_int_equal(mesh.vertex_count, 0);
        pli_mesh_free(&mesh);
    }
}

static void keep_message(void* context, bool grave, const char* message) {
    assert_true(grave);
    snprintf(context, 200, "%s", message);
}

// These can be read; the check finds them.
static void bad_tetrahedra(void** state) {
    (void)state;
    static const char* const names[] = {"formats/bad_inverted_tet.msh", "formats/bad_flat_tet.msh"};
    static const char* const says[] = {
        "tetrahedron 0 (line 13) has volume -0.166667 m^3: two of its vertices must be swapped",
        "tetrahedron 0 (line 13) has volume 0 m^3: its vertices must not fall together"};
    for (int i = 0; i < 2; ++i) {
        char message[200] = "";
        pli_error error = {0};
        pli_mesh mesh = read_data(names[i]);
        ASSERT_OK(pli_mesh_find_defects(&mesh, 3, keep_message, message, &error));
        assert_string_equal(message, says[i]);
        pli_mesh_free(&mesh);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids_of_the_table), cmocka_unit_test(surfaces_of_the_table),
        cmocka_unit_test(the_same_torus),      cmocka_unit_test(bad_files),
        cmocka_unit_test(bad_tetrahedra),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
