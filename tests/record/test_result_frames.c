// Frames written by hand, as text: they are read as those of a run, in any type of numbers, and
// what cannot be one is refused with the reason.
#include "record/run_fixture.h"

#include "pliant/replay.h"

// A segment of body 1 and a triangle of body 0: cells come by kind, vertices by body.
typedef struct frame {
    const char *points_type, *points; // 3 each
    const char *cells, *ends, *types, *bodies;
    const char* more; // arrays of cells
    int point_count;
} frame;

static const frame plain = {.points_type = "Float64",
                            .points = "0 0 0 1 0 0 0 1 0 3 0 0 4 0 0",
                            .cells = "3 4 0 1 2",
                            .ends = "2 5",
                            .types = "3 5",
                            .bodies = "1 0",
                            .more = "<DataArray type='Float32' Name='von_mises' format='ascii'>2 7"
                                    "</DataArray>",
                            .point_count = 5};

static void write_frame(const test_folder* folder, int number, const frame* f) {
    char text[8192], name[64];
    int n = snprintf(
        text, sizeof text,
        "<VTKFile type='UnstructuredGrid' byte_order='LittleEndian'><UnstructuredGrid><FieldData>"
        "<DataArray type='Float64' Name='TimeValue' NumberOfTuples='1' format='ascii'>0.5"
        "</DataArray></FieldData><Piece NumberOfPoints='%d' NumberOfCells='2'><Points><DataArray "
        "type='%s' Name='Points' NumberOfComponents='3' format='ascii'>%s</DataArray></Points>"
        "<Cells><DataArray type='Int64' Name='connectivity' format='ascii'>%s</DataArray>"
        "<DataArray type='Int64' Name='offsets' format='ascii'>%s</DataArray><DataArray "
        "type='UInt8' Name='types' format='ascii'>%s</DataArray></Cells><CellData><DataArray "
        "type='Int32' Name='body' format='ascii'>%s</DataArray>%s</CellData></Piece>"
        "</UnstructuredGrid></VTKFile>\n",
        f->point_count, f->points_type, f->points, f->cells, f->ends, f->types, f->bodies, f->more);
    assert_in_range(n, 1, sizeof text - 1);
    snprintf(name, sizeof name, "frame_%06d.vtu", number);
    write_whole(folder, name, text);
}

static pli_replay* open_good(const test_folder* folder) {
    pli_replay* replay = NULL;
    pli_error error = {0};
    if (pli_replay_open(folder->path, NULL, &replay, &error) != PLI_OK)
        fail_msg("%s", error.message);
    return replay;
}

// The first frame cannot be one.
static void not_opened(const test_folder* folder, const char* reason) {
    pli_replay* replay = NULL;
    pli_error error = {0};
    assert_int_equal(pli_replay_open(folder->path, NULL, &replay, &error), PLI_E_SCENE);
    assert_null(replay);
    if (!strstr(error.message, reason)) fail_msg("\"%s\", not \"%s\"", error.message, reason);
}

static void refused(const test_folder* folder, const frame* f, const char* reason) {
    write_frame(folder, 0, f);
    not_opened(folder, reason);
}

static void frames_as_text(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    frame f = plain;
    write_frame(&folder, 0, &f);
    f.points_type = "Int16"; // whole numbers are as good
    f.points = "0 0 0 1 0 0 0 1 0 3 0 0 4 -2 0";
    write_frame(&folder, 1, &f);
    pli_replay* replay = open_good(&folder);
    pli_error error = {0};
    int components = 0;
    assert_int_equal(pli_replay_body_count(replay), 2);
    assert_int_equal(pli_replay_frame_count(replay), 2);
    assert_int_equal(pli_replay_read(replay, 1, &error), PLI_OK);
    assert_true(pli_replay_time(replay) == 0.5);
    assert_true(pli_replay_positions(replay)[13] == -2);
    const double* stress = pli_replay_field(replay, "von_mises", &components);
    assert_non_null(stress);
    assert_int_equal(components, 1);
    const double expected[5] = {7, 7, 7, 2, 2};
    assert_memory_equal(stress, expected, sizeof expected);
    assert_null(pli_replay_field(replay, "nothing", &components));

    // A second frame of another shape is refused, and the first stays.
    f.point_count = 4;
    write_frame(&folder, 1, &f);
    assert_int_equal(pli_replay_read(replay, 1, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "4 points"));
    f = plain;
    f.points = "0 0 0 1 0 0 0 1 0 3 0 0 4 1e39 0";
    write_frame(&folder, 1, &f);
    assert_int_equal(pli_replay_read(replay, 1, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "vertex 4"));
    assert_true(pli_replay_positions(replay)[13] == -2);
    pli_replay_close(replay);
    remove_test_folder(&folder);
}

static void frames_of_nobody(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    frame f = plain;
    f.bodies = "0 1";
    refused(&folder, &f, "vertex 0 belongs to body 1");
    f = plain;
    f.bodies = "0 2";
    refused(&folder, &f, "body 2, must be 0 to 1");
    f.bodies = "0 -1";
    refused(&folder, &f, "body -1, must be 0 to 1");
    f.bodies = "0 3000000000";
    refused(&folder, &f, "3000000000");
    f = plain; // the triangle has a corner of the segment
    f.points = "0 0 0 1 0 0 0 1 0 3 0 0";
    f.point_count = 4;
    f.cells = "3 2 0 1 2";
    refused(&folder, &f, "vertex 2 belongs to bodies 1 and 0");
    f = plain; // the triangle first
    f.cells = "0 1 2 3 4";
    f.ends = "3 5";
    f.types = "5 3";
    f.bodies = "0 1";
    refused(&folder, &f, "ordered by kind");
    f = plain;
    char many[8192] = "";
    for (int i = 0; i < 66; ++i)
        snprintf(many + strlen(many), sizeof many - strlen(many),
                 "<DataArray type='Int8' Name='a%d' format='ascii'>1 2</DataArray>", i);
    f.more = many;
    refused(&folder, &f, "more than 64 arrays in a frame");
    remove_test_folder(&folder);
}

static void files_of_another_kind(void** state) {
    (void)state;
    static const char* const files[][2] = {
        {"<VTKFile type='UnstructuredGrid'><UnstructuredGrid>", "the file ends without </VTKFile>"},
        {"<VTKFile type='UnstructuredGrid'></VTKFile>", "no <Piece> in the file"},
        {"<VTKFile type='UnstructuredGrid'><Piece NumberOfPoints='1' NumberOfCells='0'/><Piece "
         "NumberOfPoints='1' NumberOfCells='0'/></VTKFile>",
         "second <Piece>"},
        {"<VTKFile type='UnstructuredGrid'><Piece NumberOfPoints='x' NumberOfCells='0'/></VTKFile>",
         "NumberOfPoints=\"x\""},
    };
    test_folder folder = make_test_folder();
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        write_whole(&folder, "frame_000000.vtu", files[i][0]);
        not_opened(&folder, files[i][1]);
    }
    remove_test_folder(&folder);
}

// Cells that make no sense have no field; those of another frame have theirs.
static void fields_of_other_cells(void** state) {
    (void)state;
    static const struct {
        const char *cells, *ends;
    } wrong[] = {{"3 4 0 1 2", "5 2"}, {"3 4 0 1 5", "2 5"}, {"3 4 0 1 -1", "2 5"}};
    test_folder folder = make_test_folder();
    write_frame(&folder, 0, &plain);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        frame other = plain;
        int components = 0;
        pli_error error = {0};
        other.cells = wrong[i].cells;
        other.ends = wrong[i].ends;
        write_frame(&folder, 1, &other);
        pli_replay* replay = open_good(&folder);
        assert_int_equal(pli_replay_read(replay, 1, &error), PLI_OK);
        assert_null(pli_replay_field(replay, "von_mises", &components));
        assert_int_equal(pli_replay_read(replay, 0, &error), PLI_OK);
        assert_non_null(pli_replay_field(replay, "von_mises", &components));
        pli_replay_close(replay);
    }
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_as_text),
        cmocka_unit_test(frames_of_nobody),
        cmocka_unit_test(files_of_another_kind),
        cmocka_unit_test(fields_of_other_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
