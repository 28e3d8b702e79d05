// Sequences, point caches and tables: read back by parsers of their own, compared with the frames.
#include "record/run_fixture.h"

#include "pliant/mesh.h"
#include "record/vtu_reader.h"

static uint32_t word_at(const char* bytes, bool big) {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word = word << 8 | (unsigned char)bytes[big ? i : 3 - i];
    return word;
}

static float float_at(const char* bytes, bool big) {
    uint32_t word = word_at(bytes, big);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

// World number of the k-th shown vertex of all bodies.
static int world_vertex(int k) {
    int body = 0;
    for (; k >= result_shown[body]; ++body) k -= result_shown[body];
    return result_first[body] + k;
}

static void check_mesh(const test_result* r, const char* name, int frame, int triangles,
                       int segments) {
    char path[2 * TEST_PATH_SIZE];
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, path_in(&r->folder, name, path), &error) != PLI_OK)
        fail_msg("%s", error.message);
    assert_int_equal(mesh.vertex_count, RESULT_SHOWN);
    assert_int_equal(mesh.element_count[PLI_TRIANGLE], triangles);
    assert_int_equal(mesh.element_count[PLI_SEGMENT], segments);
    for (int k = 0; k < 3 * RESULT_SHOWN; ++k) {
        double x = result_position(frame, world_vertex(k / 3), k % 3);
        assert_true((float)mesh.positions[k] == (float)x);
    }
    for (int i = 0; i < 3 * triangles; ++i)
        assert_in_range(mesh.elements[PLI_TRIANGLE][i], 0, 3); // of the tetrahedron
    const int32_t rope[] = {4, 5, 5, 6};
    for (int i = 0; i < 2 * segments; ++i) assert_int_equal(mesh.elements[PLI_SEGMENT][i], rope[i]);
    pli_mesh_free(&mesh);
}

static void obj_sequence(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_export_def def = result_def(&r, "obj");
    pli_export_info info = export_result(&def);
    assert_int_equal(info.file_count, 3);
    check_mesh(&r, "run_obj/frame_000000.obj", 0, 4, 2);
    check_mesh(&r, "run_obj/frame_000002.obj", 2, 4, 2);
    char* text = read_whole(&r.folder, "run_obj/frame_000001.obj", NULL);
    assert_non_null(strstr(text, "# t = 0.54 s\n"));
    assert_non_null(strstr(text, "\no rope\n"));
    assert_non_null(strstr(text, "\np 8\n"));
    free(text);
    // A shorter export leaves nothing of the longer one; other files stay.
    write_whole(&r.folder, "run_obj/frame_1.obj", "mine");
    def.every = 2;
    info = export_result(&def);
    assert_int_equal(info.file_count, 2);
    check_mesh(&r, "run_obj/frame_000001.obj", 2, 4, 2);
    assert_false(exists_in(&r.folder, "run_obj/frame_000002.obj"));
    assert_true(exists_in(&r.folder, "run_obj/frame_1.obj"));
    remove_result(&r);
}

static void ply_sequence_has_velocities(void** state) {
    (void)state;
    test_result r = make_result(2);
    pli_export_def def = result_def(&r, "ply");
    export_result(&def);
    check_mesh(&r, "run_ply/frame_000001.ply", 1, 4, 2);
    size_t size;
    char* text = read_whole(&r.folder, "run_ply/frame_000001.ply", &size);
    const char* row = strstr(text, "end_header\n") + strlen("end_header\n");
    assert_int_equal((size_t)(row - text) + 28 * RESULT_SHOWN + 13 * 4 + 8 * 2, size);
    for (int k = 0; k < RESULT_SHOWN; ++k, row += 28) {
        int v = world_vertex(k);
        for (int c = 0; c < 3; ++c)
            assert_true(float_at(row + 12 + 4 * c, false) == (float)(v + 0.25 * c - 1));
        assert_int_equal(word_at(row + 24, false), v < 5 ? 0 : v < 8 ? 1 : 2);
    }
    free(text);
    remove_result(&r);
}

static void vtk_has_surfaces_with_data(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_export_def def = result_def(&r, "vtk");
    const char* const names[] = {"rope"};
    pli_export_info info = export_result(&def);
    assert_int_equal(info.file_count, 4);
    check_mesh(&r, "run_vtk/frame_000002.vtu", 2, 4, 2);
    char* text = read_whole(&r.folder, "run_vtk/run.pvd", NULL);
    assert_non_null(strstr(text, "timestep=\"0.54\" part=\"0\" file=\"frame_000001.vtu\""));
    free(text);
    size_t size;
    text = read_whole(&r.folder, "run_vtk/frame_000002.vtu", &size);
    double velocities[3 * RESULT_SHOWN], masses[RESULT_SHOWN], displacements[3 * RESULT_SHOWN];
    mixed_scene m;
    fill_mixed(&m);
    for (int k = 0; k < 3 * RESULT_SHOWN; ++k) {
        int v = world_vertex(k / 3);
        velocities[k] = v + 0.25 * (k % 3) - 2;
        masses[k / 3] = 0.5 + v;
        double x = result_position(2, v, k % 3), u = x - m.rest[3 * v + k % 3];
        displacements[k] = x - (x - u); // as it is computed: from the displacement and back
    }
    const int32_t bodies[] = {2, 1, 1, 0, 0, 0, 0}; // the loose vertex comes first
    check_array(text, size, "velocity", "Float64", "3", velocities, sizeof velocities);
    check_array(text, size, "mass", "Float64", "1", masses, sizeof masses);
    check_array(text, size, "displacement", "Float64", "3", displacements, sizeof displacements);
    check_array(text, size, "body", "Int32", "1", bodies, sizeof bodies);
    assert_null(strstr(text, "\"stress\""));
    assert_null(strstr(text, "\"contact_force\"")); // nothing can touch in this run
    free(text);
    def.bodies = names;
    def.body_count = 1;
    export_result(&def);
    text = read_whole(&r.folder, "run_vtk/frame_000000.vtu", &size);
    check_attribute(find_tag(text, "Piece"), "NumberOfPoints", "3");
    free(text);
    remove_result(&r);
}

// Numbers of a cache behind its head: body b in all frames.
static void check_cache(const char* at, int b, int frames, bool big) {
    for (int i = 0; i < frames; ++i)
        for (int k = 0; k < 3 * result_shown[b]; ++k, at += 4) {
            double x = result_position(i, result_first[b] + k / 3, k % 3);
            assert_true(float_at(at, big) == (float)x);
        }
}

// The OBJ file beside a cache has the same vertices in the same order.
static void check_cache_mesh(const test_result* r, const char* name, int b) {
    char* text = read_whole(&r->folder, name, NULL);
    const char* at = text;
    for (int k = 0; k < result_shown[b]; ++k) {
        double x[3];
        at = strstr(at, "\nv ");
        assert_non_null(at);
        assert_int_equal(sscanf(at, "\nv %lf %lf %lf", &x[0], &x[1], &x[2]), 3);
        for (int c = 0; c < 3; ++c)
            assert_true((float)x[c] == (float)result_position(0, result_first[b] + k, c));
        ++at;
    }
    assert_null(strstr(at, "\nv "));
    free(text);
}

static void point_caches(void** state) {
    static const char* const words[] = {"my__solid___1", "rope", "MY__solid___1_2"};
    (void)state;
    test_result r = make_result(4);
    pli_export_def def = result_def(&r, "pc2");
    assert_int_equal(export_result(&def).file_count, 6);
    def.format = "mdd";
    assert_int_equal(export_result(&def).file_count, 6);
    for (int b = 0; b < RESULT_BODIES; ++b) {
        char name[64];
        size_t size, numbers = 4 * 3 * (size_t)result_shown[b] * 4;
        snprintf(name, sizeof name, "run_pc2/%s.pc2", words[b]);
        char* text = read_whole(&r.folder, name, &size);
        assert_int_equal(size, 32 + numbers);
        assert_memory_equal(text, "POINTCACHE2\0", 12);
        assert_int_equal(word_at(text + 12, false), 1);
        assert_int_equal(word_at(text + 16, false), result_shown[b]);
        assert_true(float_at(text + 20, false) == 0 && float_at(text + 24, false) == 1);
        assert_int_equal(word_at(text + 28, false), 4);
        check_cache(text + 32, b, 4, false);
        free(text);
        snprintf(name, sizeof name, "run_mdd/%s.mdd", words[b]);
        text = read_whole(&r.folder, name, &size);
        assert_int_equal(size, 8 + 4 * 4 + numbers);
        assert_int_equal(word_at(text, true), 4);
        assert_int_equal(word_at(text + 4, true), result_shown[b]);
        for (int i = 0; i < 4; ++i)
            assert_true(fabs((double)float_at(text + 8 + 4 * i, true) - 0.04 * i) < 1e-7);
        check_cache(text + 24, b, 4, true);
        free(text);
        snprintf(name, sizeof name, "run_pc2/%s.obj", words[b]);
        check_cache_mesh(&r, name, b);
    }
    remove_result(&r);
}

// ---- tables

// The cell in a column by its name and a row from 0, of a table without quoted cells in front of
// it.
static const char* cell(const char* text, const char* column, int row, char out[64]) {
    char header[8192];
    size_t length = strcspn(text, "\n");
    assert_true(length < sizeof header - 2);
    snprintf(header, sizeof header, ",%.*s,", (int)length, text);
    char key[256];
    snprintf(key, sizeof key, ",%s,", column);
    const char* found = strstr(header, key);
    if (!found) fail_msg("no column %s in %s", column, header);
    int at = 0;
    for (const char* c = header; c < found; ++c) at += *c == ',';
    for (int i = 0; i <= row; ++i) text = strchr(text, '\n') + 1;
    for (int i = 0; i < at; ++i) text += strcspn(text, ",\n") + 1;
    snprintf(out, 64, "%.*s", (int)strcspn(text, ",\n"), text);
    return out;
}

static int count_lines(const char* text) {
    int count = 0;
    for (; *text; ++text) count += *text == '\n';
    return count;
}

static void statistics_are_a_table(void** state) {
    (void)state;
    test_result r = make_result(5);
    char path[2 * TEST_PATH_SIZE], out[64];
    FILE* file = fopen(path_in(&r.folder, "run/stats.jsonl", path), "a");
    fputs("{\"step\":6,\"late\":[{\"a\":\"x\",\"b\":\"y\",\"force\":[1,2,3]}]}\n", file);
    fputs("{\"step\":7,\"ti", file); // the run is just writing this one
    fclose(file);
    pli_export_def def = result_def(&r, "csv");
    assert_int_equal(export_result(&def).file_count, 1);
    char* text = read_whole(&r.folder, "run.csv", NULL);
    assert_int_equal(count_lines(text), 1 + 6);
    assert_int_equal(strncmp(text, "step,time,time_step,kept,", 25), 0);
    assert_string_equal(cell(text, "step", 3, out), "4");
    assert_string_equal(cell(text, "time", 1, out), "0.54");
    assert_string_equal(cell(text, "kept", 0, out), "1");
    assert_string_equal(cell(text, "kept", 1, out), "0");
    assert_non_null(strstr(text, ",\"a, \"\"b\"\"\",")); // the reason
    assert_non_null(strstr(text, ",energies.spring,"));
    assert_non_null(strstr(text, ",supports.0.force.y,"));
    assert_non_null(strstr(text, ",late.x/y.force.x,late.x/y.force.y,late.x/y.force.z\n"));
    assert_string_equal(cell(text, "late.x/y.force.y", 5, out), "2");
    assert_null(strstr(text, "late.x/y.a"));
    free(text);
    def.every = 4;
    export_result(&def);
    text = read_whole(&r.folder, "run.csv", NULL);
    assert_int_equal(count_lines(text), 1 + 2);
    assert_string_equal(cell(text, "step", 1, out), "5");
    free(text);
    remove_result(&r);
}

static void tracks_of_vertices(void** state) {
    (void)state;
    test_result r = make_result(3);
    char out[64];
    pli_export_def def = result_def(&r, "csv");
    def.vertices = "rope:2,my \"solid\", 1:4"; // vertex 4 is not on the surface
    assert_int_equal(export_result(&def).file_count, 2);
    char* text = read_whole(&r.folder, "run_vertices.csv", NULL);
    assert_int_equal(count_lines(text), 1 + 3);
    assert_string_equal(cell(text, "time", 1, out), "0.54");
    assert_true(strtod(cell(text, "rope:2.y", 1, out), NULL) == result_position(1, 7, 1));
    assert_true(strtod(cell(text, "rope:2.velocity.z", 2, out), NULL) == 7 + 0.5 - 2);
    assert_true(strtod(cell(text, "rope:2.mass", 2, out), NULL) == 7.5);
    assert_non_null(strstr(text, ",\"my \"\"solid\"\", 1:4.reaction.x\","));
    free(text);
    def.vertices = "rope:3";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "vertex 3 of body \"rope\""));
    def.vertices = "ropes:0";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "no body \"ropes\""));
    def.vertices = "rope";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "BODY:NUMBER"));
    def.vertices = ":3";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "body name"));
    def.vertices = "";
    refuse_export(&def, PLI_E_ARGUMENT);
    def.format = "obj";
    def.vertices = "rope:0";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "csv"));
    remove_result(&r);
}

// Long names stay apart, and so does what has one name.
static void contacts_have_columns_of_their_own(void** state) {
    (void)state;
    test_result r = make_result(1);
    char first[90], second[90], line[800], column[200], out[64];
    memset(first, 'x', sizeof first);
    first[sizeof first - 1] = 0;
    strcpy(second, first);
    second[sizeof second - 2] = 'y';
    snprintf(line, sizeof line,
             "{\"contacts\":[{\"a\":\"%s\",\"b\":\"wall\",\"count\":1},"
             "{\"a\":\"%s\",\"b\":\"wall\",\"count\":2},{\"a\":\"c\",\"b\":\"wall\",\"count\":3},"
             "{\"a\":\"c\",\"b\":\"wall\",\"count\":4},{\"a\":\"c\",\"b\":\"wall\",\"count\":5}]}\n"
             "{\"contacts\":[{\"a\":\"c\",\"b\":\"wall\",\"count\":6}]}\n",
             first, second);
    write_whole(&r.folder, "run/stats.jsonl", line);
    pli_export_def def = result_def(&r, "csv");
    export_result(&def);
    char* text = read_whole(&r.folder, "run.csv", NULL);
    snprintf(column, sizeof column, "contacts.%s/wall.count", first);
    assert_string_equal(cell(text, column, 0, out), "1");
    snprintf(column, sizeof column, "contacts.%s/wall.count", second);
    assert_string_equal(cell(text, column, 0, out), "2");
    assert_string_equal(cell(text, "contacts.c/wall.count", 0, out), "3");
    assert_string_equal(cell(text, "contacts.c/wall.count#2", 0, out), "4");
    assert_string_equal(cell(text, "contacts.c/wall.count#3", 0, out), "5");
    assert_string_equal(cell(text, "contacts.c/wall.count", 1, out), "6");
    assert_string_equal(cell(text, "contacts.c/wall.count#2", 1, out), "");
    free(text);
    remove_result(&r);
}

// A frame may lack fields of the first; what it has more has no column.
static void tracks_keep_their_columns(void** state) {
    (void)state;
    for (int lost = 0; lost < 2; ++lost) { // contact comes in frame 1, or goes there for a while
        test_result r = make_result(3);
        char out[64];
        for (int i = 0; i < 3; ++i)
            if (lost == (i != 1)) touch_frame(&r, i);
        pli_export_def def = result_def(&r, "csv");
        def.vertices = "rope:2";
        export_result(&def);
        char* text = read_whole(&r.folder, "run_vertices.csv", NULL);
        assert_true(lost == (strstr(text, ",rope:2.contact_force.x,") != NULL));
        for (int i = 0; i < 3; ++i) {
            assert_true(strtod(cell(text, "rope:2.mass", i, out), NULL) == 7.5);
            if (lost)
                assert_string_equal(cell(text, "rope:2.contact_force.y", i, out),
                                    i == 1 ? "" : "11");
        }
        free(text);
        remove_result(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_sequence),
        cmocka_unit_test(ply_sequence_has_velocities),
        cmocka_unit_test(vtk_has_surfaces_with_data),
        cmocka_unit_test(point_caches),
        cmocka_unit_test(statistics_are_a_table),
        cmocka_unit_test(contacts_have_columns_of_their_own),
        cmocka_unit_test(tracks_of_vertices),
        cmocka_unit_test(tracks_keep_their_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
