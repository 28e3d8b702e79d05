// Frames read back by an independent reader: every array, exactly.
#include "result/fixture.h"

#include "record/vtu_reader.h"

#include "base/file.h"
#include "pliant/replay.h"
#include "record/vtu.h"
#include "result/result.h"

#include <math.h>

typedef pli_status write_fn(pli_vtu* vtu, const pli_snapshot* snapshot, const char* folder,
                            const char* name, pli_error* error);

static const pli_vtu_choice all_exact = {.fields = PLI_FRAME_ALL_FIELDS, .exact = true};

static char* write_and_read_with(write_fn* write, const pli_vtu_choice* choice,
                                 const pli_snapshot* snapshot, size_t* size) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_vtu* vtu = NULL;
    assert_int_equal(pli_vtu_create(&memory, choice, snapshot, &vtu, &error), PLI_OK);
    // Twice: the second frame comes from used buffers.
    for (int i = 0; i < 2; ++i)
        assert_int_equal(write(vtu, snapshot, folder.path, "f.vtu", &error), PLI_OK);
    pli_vtu_destroy(vtu);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(count_entries(&folder, false), 1);
    char* text = read_whole(&folder, "f.vtu", size);
    remove_test_folder(&folder);
    return text;
}

static char* write_and_read(const pli_snapshot* snapshot, size_t* size) {
    return write_and_read_with(pli_vtu_write, &all_exact, snapshot, size);
}

static void head_says_what_readers_need(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    size_t size;
    char* text = write_and_read(&m.snapshot, &size);
    const char* file = find_tag(text, "VTKFile");
    check_attribute(file, "type", "UnstructuredGrid");
    check_attribute(file, "byte_order", "LittleEndian");
    check_attribute(file, "header_type", "UInt64");
    check_attribute(file, "compressor", "vtkZLibDataCompressor");
    check_attribute(find_tag(text, "Piece"), "NumberOfPoints", "9");
    check_attribute(find_tag(text, "Piece"), "NumberOfCells", "5");
    check_attribute(find_tag(text, "AppendedData"), "encoding", "raw");
    assert_non_null(strstr(find_array(text, "TimeValue"), ">0.125</DataArray>"));
    assert_memory_equal(text + size - strlen("</VTKFile>\n"), "</VTKFile>\n", 11);
    free(text);
}

static void point_arrays_are_exact(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    size_t size;
    char* text = write_and_read(&m.snapshot, &size);
    double displacement[3 * MIXED_VERTICES];
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) displacement[i] = m.positions[i] - m.rest[i];
    check_array(text, size, "Points", "Float64", "3", m.positions, sizeof m.positions);
    check_array(text, size, "velocity", "Float64", "3", m.velocities, sizeof m.velocities);
    check_array(text, size, "displacement", "Float64", "3", displacement, sizeof displacement);
    check_array(text, size, "reaction", "Float64", "3", m.reactions, sizeof m.reactions);
    check_array(text, size, "mass", "Float64", "1", m.masses, sizeof m.masses);
    free(text);
}

static void cells_of_all_kinds_are_exact(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    size_t size;
    char* text = write_and_read(&m.snapshot, &size);
    const int32_t connectivity[] = {8, 5, 6, 6, 7, 1, 2, 4, 0, 1, 2, 3};
    const int32_t offsets[] = {1, 3, 5, 8, 12};
    const uint8_t types[] = {1, 3, 3, 5, 10};
    const int32_t body[] = {2, 1, 1, 0, 0};
    const double energy[] = {0, 0.25, 1e-300, 2, 1.0 / 3};
    check_array(text, size, "connectivity", "Int32", "1", connectivity, sizeof connectivity);
    check_array(text, size, "offsets", "Int32", "1", offsets, sizeof offsets);
    check_array(text, size, "types", "UInt8", "1", types, sizeof types);
    check_array(text, size, "body", "Int32", "1", body, sizeof body);
    check_array(text, size, "energy", "Float64", "1", energy, sizeof energy);
    const double density[] = {0, 0, 0, 0, 7.5};
    const double stretches[] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1.5, 1, 0.5};
    check_array(text, size, "energy_density", "Float64", "1", density, sizeof density);
    check_array(text, size, "principal_stretches", "Float64", "3", stretches, sizeof stretches);
    const double largest[] = {1, 1, 1, 1, 1.5}, volume[] = {1, 1, 1, 1, 0.75};
    check_array(text, size, "stretch", "Float64", "1", largest, sizeof largest);
    check_array(text, size, "size_ratio", "Float64", "1", volume, sizeof volume);
    free(text);
}

// Forces of contact are there if anything can touch, obstacles if there are some.
static void arrays_of_contact(void** state) {
    (void)state;
    mixed_scene m;
    mixed_contacts c;
    fill_mixed(&m);
    size_t size;
    char* text = write_and_read(&m.snapshot, &size);
    assert_null(strstr(text, "contact_force"));
    assert_null(strstr(text, "friction_force"));
    assert_null(strstr(text, "obstacle"));
    free(text);
    const bool obstacle[3] = {false, false, true};
    touch_mixed(&m, &c);
    m.snapshot.body_obstacle = obstacle;
    text = write_and_read(&m.snapshot, &size);
    const uint8_t obstacles[] = {1, 0, 0, 0, 0};
    check_array(text, size, "contact_force", "Float64", "3", c.forces, sizeof c.forces);
    check_array(text, size, "friction_force", "Float64", "3", c.friction, sizeof c.friction);
    check_array(text, size, "mass", "Float64", "1", m.masses, sizeof m.masses);
    check_array(text, size, "obstacle", "UInt8", "1", obstacles, sizeof obstacles);
    free(text);
}

static void contacts_are_lines(void** state) {
    (void)state;
    mixed_scene m;
    mixed_contacts c;
    fill_mixed(&m);
    touch_mixed(&m, &c);
    size_t size;
    char* text = write_and_read_with(pli_vtu_write_contacts, &all_exact, &m.snapshot, &size);
    check_attribute(find_tag(text, "Piece"), "NumberOfPoints", "4");
    check_attribute(find_tag(text, "Piece"), "NumberOfCells", "2");
    const double points[] = {1, 2, 3, 1, 1.5, 3, 1, 2, 3, 1, 2, 2.75};
    const int32_t connectivity[] = {0, 1, 2, 3}, offsets[] = {2, 4};
    const uint8_t types[] = {3, 3};
    const int32_t a[] = {2, 2}, b[] = {-1, 0};
    const double distance[] = {0.5, 0.25}, force[] = {7, 11}, friction[] = {1, 0, -1, 0, 0, 0};
    check_array(text, size, "Points", "Float64", "3", points, sizeof points);
    check_array(text, size, "connectivity", "Int32", "1", connectivity, sizeof connectivity);
    check_array(text, size, "offsets", "Int32", "1", offsets, sizeof offsets);
    check_array(text, size, "types", "UInt8", "1", types, sizeof types);
    check_array(text, size, "body_a", "Int32", "1", a, sizeof a);
    check_array(text, size, "body_b", "Int32", "1", b, sizeof b);
    check_array(text, size, "distance", "Float64", "1", distance, sizeof distance);
    check_array(text, size, "normal_force", "Float64", "1", force, sizeof force);
    check_array(text, size, "friction_force", "Float64", "3", friction, sizeof friction);
    free(text);

    m.snapshot.contact_count = 0; // an empty file is a file
    m.snapshot.contacts = NULL;
    text = write_and_read_with(pli_vtu_write_contacts, &all_exact, &m.snapshot, &size);
    check_attribute(find_tag(text, "Piece"), "NumberOfPoints", "0");
    check_attribute(find_tag(text, "Piece"), "NumberOfCells", "0");
    check_array(text, size, "Points", "Float64", "3", NULL, 0);
    check_array(text, size, "types", "UInt8", "1", NULL, 0);
    free(text);
}

// 6-node triangles and 10-node tetrahedra have VTK's order of nodes already.
static void quadratic_cells(void** state) {
    (void)state;
    static const int32_t six[] = {0, 1, 2, 3, 4, 5}, ten[] = {6, 5, 4, 3, 2, 1, 0, 9, 8, 7};
    static const double zeros[30];
    static const int32_t bodies[10];
    const pli_snapshot s = {.dimension = 3,
                            .vertex_count = 10,
                            .positions = zeros,
                            .velocities = zeros,
                            .rest = zeros,
                            .reactions = zeros,
                            .masses = zeros,
                            .vertex_body = bodies,
                            .element_count = {[PLI_TRIANGLE6] = 1, [PLI_TETRAHEDRON10] = 1},
                            .elements = {[PLI_TRIANGLE6] = six, [PLI_TETRAHEDRON10] = ten}};
    size_t size;
    char* text = write_and_read(&s, &size);
    const int32_t connectivity[] = {0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 9, 8, 7};
    const int32_t offsets[] = {6, 16};
    const uint8_t types[] = {22, 24};
    check_array(text, size, "connectivity", "Int32", "1", connectivity, sizeof connectivity);
    check_array(text, size, "offsets", "Int32", "1", offsets, sizeof offsets);
    check_array(text, size, "types", "UInt8", "1", types, sizeof types);
    free(text);
}

// Ours: xx yy zz yz zx xy. VTK's: xx yy zz xy yz xz.
static void stress_is_in_the_order_of_vtk(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    size_t size, bytes;
    char* text = write_and_read(&m.snapshot, &size);
    const double triangle[] = {100, 101, 102, 105, 103, 104};
    double* stress = read_array(text, size, "stress", "Float64", "6", &bytes);
    assert_int_equal(bytes, 5 * 6 * sizeof(double));
    assert_memory_equal(stress + 3 * 6, triangle, sizeof triangle);
    for (int k = 0; k < 6; ++k) assert_true(stress[k] == 0); // the loose vertex
    free(stress);

    double* mises = read_array(text, size, "von_mises", "Float64", "1", &bytes);
    assert_int_equal(bytes, 5 * sizeof(double));
    assert_true(mises[0] == 0);
    // Uniaxial tension: von Mises is that tension. The root costs a rounding.
    assert_true(fabs(mises[1] - 3.5) <= 4e-15);
    // Triangle: half of (1 + 1 + 4), plus 3 (103^2 + 104^2 + 105^2).
    double expected = sqrt(3 + 3 * (103.0 * 103 + 104.0 * 104 + 105.0 * 105));
    assert_true(fabs(mises[3] - expected) <= 1e-12); // one rounding per sum
    free(mises);
    free(text);
}

// Enough vertices for several blocks, once with a last block that is full.
static void long_arrays_go_in_blocks(void** state) {
    (void)state;
    enum { FULL = 2 * 65528 / 8, COUNT = FULL + 77 };
    double* numbers = malloc(3 * COUNT * sizeof *numbers);
    int32_t* bodies = calloc(COUNT, sizeof *bodies);
    int32_t* loose = malloc(COUNT * sizeof *loose);
    assert_true(numbers && bodies && loose);
    uint64_t seed = 12345; // a small LCG: incompressible enough
    for (int i = 0; i < 3 * COUNT; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        numbers[i] = (double)(seed >> 11);
    }
    for (int i = 0; i < COUNT; ++i) loose[i] = COUNT - 1 - i;
    pli_snapshot s = {.positions = numbers,
                      .velocities = numbers,
                      .rest = numbers,
                      .reactions = numbers,
                      .masses = numbers,
                      .vertex_body = bodies,
                      .elements = {loose}};
    const int counts[] = {COUNT, FULL, 1, 0};
    for (size_t k = 0; k < sizeof counts / sizeof *counts; ++k) {
        size_t size, n = (size_t)counts[k];
        s.vertex_count = s.element_count[PLI_VERTEX] = counts[k];
        char* text = write_and_read(&s, &size);
        check_array(text, size, "Points", "Float64", "3", numbers, 3 * n * sizeof(double));
        check_array(text, size, "mass", "Float64", "1", numbers, n * sizeof(double));
        check_array(text, size, "body", "Int32", "1", bodies, n * sizeof(int32_t));
        free(text);
    }
    free(numbers);
    free(bodies);
    free(loose);
}

// What energies show, radii and nodes; and the public reader of the nodes.
static void scalars_radii_and_nodes(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_snapshot* s = &m.snapshot;
    double radius[MIXED_VERTICES];
    static const double radii[3] = {0, 0.25, 0.5}, values[2] = {1.5, -1e-3};
    static const int32_t bodies[2] = {1, 1}, tags[2] = {7, -2};
    static const int32_t vertices[8] = {5, 6, -1, -1, 6, 7, -1, -1};
    s->body_radius = radii;
    s->scalar_count = 2;
    s->scalars[0] = (pli_energy_field){"curvature", "Curvature", "1/m"};
    s->scalars[1] = (pli_energy_field){"twist", "Twist", "rad/m"};
    s->scalar_values[0] = m.masses;
    s->scalar_values[1] = m.positions;
    s->node_count = 2;
    s->node_values = values;
    s->node_body = bodies;
    s->node_tag = tags;
    s->node_vertices = vertices;
    size_t size;
    char* text = write_and_read(s, &size);
    for (int v = 0; v < MIXED_VERTICES; ++v) radius[v] = radii[s->vertex_body[v]];
    check_array(text, size, "radius", "Float64", "1", radius, sizeof radius);
    check_array(text, size, "curvature", "Float64", "1", m.masses, sizeof m.masses);
    check_array(text, size, "twist", "Float64", "1", m.positions, MIXED_VERTICES * sizeof(double));
    check_array(text, size, "node_value", "Float64", "1", values, sizeof values);
    check_array(text, size, "node_body", "Int32", "1", bodies, sizeof bodies);
    check_array(text, size, "node_tag", "Int32", "1", tags, sizeof tags);
    check_array(text, size, "node_vertices", "Int32", "4", vertices, sizeof vertices);
    check_attribute(find_array(text, "node_value"), "NumberOfTuples", "2");
    free(text);

    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_vtu* vtu = NULL;
    pli_replay* replay = NULL;
    assert_int_equal(pli_vtu_create(&memory, &all_exact, s, &vtu, &error), PLI_OK);
    assert_int_equal(pli_vtu_write(vtu, s, folder.path, "frame_000000.vtu", &error), PLI_OK);
    assert_int_equal(pli_run_info_write(s, "run", NULL, folder.path, &error), PLI_OK);
    assert_int_equal(pli_replay_open(folder.path, NULL, &replay, &error), PLI_OK);
    pli_replay_nodes nodes = pli_replay_nodes_now(replay);
    assert_int_equal(nodes.count, 2);
    assert_memory_equal(nodes.values, values, sizeof values);
    assert_memory_equal(nodes.bodies, bodies, sizeof bodies);
    assert_memory_equal(nodes.tags, tags, sizeof tags);
    assert_memory_equal(nodes.vertices, vertices, sizeof vertices);
    int shown = 0;
    for (pli_field_info f; (f = pli_replay_field_at(replay, shown)).key; ++shown)
        if (strcmp(f.key, "twist") == 0) assert_string_equal(f.unit, "rad/m");
    assert_string_equal(pli_replay_field_at(replay, shown - 1).label, "Twist");
    int components = 0;
    assert_memory_equal(pli_replay_field(replay, "curvature", &components), m.masses,
                        sizeof m.masses);
    assert_true(pli_replay_body_radius(replay, 1) == 0.25 &&
                pli_replay_body_radius(replay, 9) == 0);
    pli_replay_close(replay);
    pli_vtu_destroy(vtu);
    assert_int_equal(memory.bytes, 0);
    remove_test_folder(&folder);
}

// Rounded to single precision, and only what is asked for.
static void fields_and_precision_are_chosen(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    const pli_vtu_choice choice = {.fields = 1 << PLI_FRAME_VELOCITY | 1 << PLI_FRAME_STRESS};
    size_t size;
    char* text = write_and_read_with(pli_vtu_write, &choice, &m.snapshot, &size);
    float positions[3 * MIXED_VERTICES], velocities[3 * MIXED_VERTICES];
    for (int i = 0; i < 3 * MIXED_VERTICES; ++i) {
        positions[i] = (float)m.positions[i];
        velocities[i] = (float)m.velocities[i];
    }
    check_array(text, size, "Points", "Float32", "3", positions, sizeof positions);
    check_array(text, size, "velocity", "Float32", "3", velocities, sizeof velocities);
    size_t bytes;
    float* stress = read_array(text, size, "stress", "Float32", "6", &bytes);
    assert_int_equal(bytes, 5 * 6 * sizeof(float));
    assert_true(stress[3 * 6] == 100);
    free(stress);
    static const char* const absent[] = {"displacement", "reaction", "mass", "energy", "von_mises"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i)
        assert_null(strstr(text, absent[i]));
    find_array(text, "body"); // always there
    free(text);
}

// However the blocks are packed, the numbers are the same.
static void packing_changes_no_number(void** state) {
    (void)state;
    enum { COUNT = 40000 };
    double* numbers = calloc(3 * COUNT, sizeof *numbers);
    int32_t *bodies = calloc(COUNT, sizeof *bodies), *loose = calloc(COUNT, sizeof *loose);
    assert_true(numbers && bodies && loose);
    for (int i = 0; i < COUNT; ++i) loose[i] = i;
    pli_snapshot s = {.vertex_count = COUNT,
                      .positions = numbers,
                      .velocities = numbers,
                      .vertex_body = bodies,
                      .elements = {loose},
                      .element_count = {COUNT}};
    pli_vtu_choice choice = {.fields = 1 << PLI_FRAME_VELOCITY, .exact = true};
    size_t sizes[3];
    for (int pass = 0; pass < 3; ++pass) { // mostly zeros; none; none, and all packed
        for (int i = 0; i < 3 * COUNT; ++i) numbers[i] = pass == 0 && i % 8 ? 0 : i / 3.0;
        choice.small = pass == 2;
        char* text = write_and_read_with(pli_vtu_write, &choice, &s, &sizes[pass]);
        check_array(text, sizes[pass], "Points", "Float64", "3", numbers,
                    3 * COUNT * sizeof *numbers);
        free(text);
    }
    assert_true(sizes[0] < sizes[1] / 3); // a seventh is no zero
    assert_true(sizes[2] < sizes[1]);
    free(numbers);
    free(bodies);
    free(loose);
}

static void failures_leave_no_file(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_vtu* vtu = NULL;
    assert_int_equal(pli_vtu_create(&memory, &all_exact, &m.snapshot, &vtu, &error), PLI_OK);
    char path[2 * TEST_PATH_SIZE];
    path_in(&folder, "absent", path);
    assert_int_equal(pli_vtu_write(vtu, &m.snapshot, path, "f.vtu", &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "absent/f.vtu"));
    file_limit old = limit_files(100);
    pli_status status = pli_vtu_write(vtu, &m.snapshot, folder.path, "f.vtu", &error);
    restore_files(&old);
    assert_int_equal(status, PLI_E_IO);
    assert_non_null(strstr(error.message, "File too large"));
    assert_int_equal(count_entries(&folder, false), 0);
    pli_vtu_destroy(vtu);
    pli_vtu_destroy(NULL);
    assert_int_equal(memory.bytes, 0);
    remove_test_folder(&folder);
}

static void locale_does_not_matter(void** state) {
    (void)state;
    if (!use_comma_locale()) skip();
    mixed_scene m;
    fill_mixed(&m);
    size_t size;
    char* text = write_and_read(&m.snapshot, &size);
    setlocale(LC_ALL, "C");
    assert_non_null(strstr(find_array(text, "TimeValue"), ">0.125</DataArray>"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_says_what_readers_need),
        cmocka_unit_test(point_arrays_are_exact),
        cmocka_unit_test(cells_of_all_kinds_are_exact),
        cmocka_unit_test(arrays_of_contact),
        cmocka_unit_test(contacts_are_lines),
        cmocka_unit_test(quadratic_cells),
        cmocka_unit_test(stress_is_in_the_order_of_vtk),
        cmocka_unit_test(long_arrays_go_in_blocks),
        cmocka_unit_test(scalars_radii_and_nodes),
        cmocka_unit_test(fields_and_precision_are_chosen),
        cmocka_unit_test(packing_changes_no_number),
        cmocka_unit_test(failures_leave_no_file),
        cmocka_unit_test(locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
