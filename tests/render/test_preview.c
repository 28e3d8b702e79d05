// preview.svg: well-formed, complete, of bounded size and memory, whatever the run was like.
#include "result/fixture.h"

#include "result/xml_check.h"

#include "render/preview.h"
#include "render/strip.h"

#include <math.h>

static int count_of(const char* text, const char* what) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, what)); ++at) count++;
    return count;
}

static void add_frame(pli_preview* preview, pli_snapshot* s, double time) {
    pli_error error = {0};
    s->time = time;
    assert_int_equal(pli_preview_add_sample(preview, s, &error), PLI_OK);
    assert_int_equal(pli_preview_add_picture(preview, s, &error), PLI_OK);
}

// Writes preview.svg and returns its text; frees the preview.
static char* finish(pli_preview* preview, const pli_snapshot* s, const char* title) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    assert_int_equal(pli_preview_write(preview, s, title, folder.path, &error), PLI_OK);
    assert_int_equal(count_entries(&folder, false), 1);
    char* text = read_whole(&folder, "preview.svg", NULL);
    remove_test_folder(&folder);
    pli_memory* memory = preview->memory;
    pli_preview_free(preview);
    assert_int_equal(memory->bytes, 0);
    assert_true(is_well_formed(text));
    return text;
}

static void page_shows_pictures_and_energies(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_preview_init(&preview, &memory, &m.snapshot, 4);
    for (int i = 0; i <= 100; ++i) {
        m.energy_values[0] = i;
        m.energy_values[1] = 2;
        m.energy_values[3] = 0.5; // less than 1 % of the largest: not shown
        add_frame(&preview, &m.snapshot, 0.02 * i);
    }
    char* text = finish(&preview, &m.snapshot, "Rope & <friends>");
    assert_int_equal(count_of(text, ">Rope &amp; &lt;friends&gt;<"), 2); // <title> and heading
    assert_int_equal(count_of(text, "clip-path=\"url(#frame)\""), 4);
    assert_int_equal(count_of(text, ">t = "), 4);
    assert_non_null(strstr(text, ">t = 0.00 s<"));
    assert_non_null(strstr(text, ">t = 2.00 s<"));
    assert_non_null(strstr(text, ">Time [s]<"));
    assert_non_null(strstr(text, ">Energy [J]<"));
    static const char* const words[] = {">solid<",  ">rope<",    ">mass<", ">kinetic<",
                                        ">spring<", ">gravity<", ">total<"};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        assert_int_equal(count_of(text, words[i]), 1);
    assert_null(strstr(text, ">unused<"));
    assert_int_equal(count_of(text, "fill=\"url(#solid)\""), 4); // the ground, in every picture
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
}

static void memory_is_bounded(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_preview_init(&preview, &memory, &m.snapshot, 6);
    for (int i = 0; i < 5000; ++i) add_frame(&preview, &m.snapshot, i);
    size_t bytes = memory.bytes;
    for (int i = 5000; i < 20000; ++i) add_frame(&preview, &m.snapshot, i);
    assert_int_equal(memory.bytes, bytes);
    char* text = finish(&preview, &m.snapshot, NULL);
    assert_int_equal(count_of(text, "clip-path="), 6);
    assert_non_null(strstr(text, ">t = 20.0 ks<"));
    free(text);
}

static void odd_runs_are_drawn(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;

    // A single frame, no energy at all.
    memset(m.energy_values, 0, sizeof m.energy_values);
    m.snapshot.total_energy = 0;
    pli_preview_init(&preview, &memory, &m.snapshot, 6);
    add_frame(&preview, &m.snapshot, 0);
    char* text = finish(&preview, &m.snapshot, "");
    assert_int_equal(count_of(text, "clip-path="), 1);
    assert_null(strstr(text, ">total<"));
    free(text);

    // Positions and energies that are not finite or far off.
    fill_mixed(&m);
    pli_preview_init(&preview, &memory, &m.snapshot, 6);
    for (int i = 0; i < 10; ++i) {
        m.positions[3 * i % 27] = i % 2 ? nan("") : HUGE_VAL;
        m.positions[0] = 1e5 * i;
        m.energy_values[1] = i == 5 ? HUGE_VAL : 1e12;
        m.energy_values[2] = i == 6 ? nan("") : -1e-12;
        add_frame(&preview, &m.snapshot, 1e-6 * i);
    }
    text = finish(&preview, &m.snapshot, "\xff");
    assert_non_null(strstr(text, ">Time [\u00b5s]<"));
    assert_non_null(strstr(text, ">Energy [TJ]<"));
    free(text);

    // One vertex at rest: a picture has no extent of its own.
    fill_mixed(&m);
    pli_snapshot s = m.snapshot;
    const int32_t loose[] = {0};
    s.vertex_count = s.body_count = 1;
    memset(s.element_count, 0, sizeof s.element_count);
    s.element_count[PLI_VERTEX] = 1;
    s.elements[PLI_VERTEX] = loose;
    pli_preview_init(&preview, &memory, &s, 2);
    add_frame(&preview, &s, 0);
    add_frame(&preview, &s, 1);
    text = finish(&preview, &s, NULL);
    assert_non_null(strstr(text, "h0"));
    free(text);
}

static void nothing_recorded_nothing_written(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_error error = {0};
    test_folder folder = make_test_folder();
    pli_preview_init(&preview, &memory, &m.snapshot, 6);
    assert_int_equal(pli_preview_write(&preview, &m.snapshot, "x", folder.path, &error), PLI_OK);
    assert_int_equal(count_entries(&folder, false), 0);
    pli_preview_free(&preview);
    remove_test_folder(&folder);
}

// In the plane what has thickness gets a wide border; the frame has room for it.
static void thickness_is_shown(void** state) {
    (void)state;
    const double none[3] = {0}, thickness[3] = {0, 0.25, 1};
    double widths[2];
    for (int k = 0; k < 2; ++k) {
        mixed_scene m;
        fill_mixed(&m);
        m.snapshot.body_thickness = k ? thickness : none;
        test_folder folder = make_test_folder();
        pli_error error = {0};
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_preview preview;
        pli_preview_init(&preview, &memory, &m.snapshot, 1);
        add_frame(&preview, &m.snapshot, 0);
        pli_film_strip strip;
        assert_int_equal(pli_strip_layout(&preview, &m.snapshot, 1000, &strip, &error), PLI_OK);
        widths[k] = strip.high.y - strip.low.y;
        assert_int_equal(pli_preview_write(&preview, &m.snapshot, "", folder.path, &error), PLI_OK);
        char* text = read_whole(&folder, "preview.svg", NULL);
        assert_true(is_well_formed(text));
        const char* halo = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
        int count = 0;
        for (const char* at = text; (at = strstr(at, halo)); ++at) count++;
        assert_int_equal(count, k ? 4 : 0); // border and inside, of the rope and of the mass
        free(text);
        pli_preview_free(&preview);
        remove_test_folder(&folder);
    }
    assert_true(widths[1] > widths[0]);
}

// Areas too: a border around their outline and over it the inside.
static void thick_areas_are_shown(void** state) {
    (void)state;
    const double thickness[3] = {0.25, 0, 0};
    mixed_scene m;
    fill_mixed(&m);
    m.snapshot.body_thickness = thickness;
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_preview_init(&preview, &memory, &m.snapshot, 1);
    add_frame(&preview, &m.snapshot, 0);
    assert_int_equal(pli_preview_write(&preview, &m.snapshot, "", folder.path, &error), PLI_OK);
    char* text = read_whole(&folder, "preview.svg", NULL);
    assert_true(is_well_formed(text));
    int count = 0;
    const char* halo = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    for (const char* at = text; (at = strstr(at, halo)); ++at) {
        const char* end = strchr(at, '>');
        assert_true(end[-1] == '/' && end[-2] == '"' && (end[-3] == 'z' || end[-3] == 'Z'));
        count++;
    }
    assert_int_equal(count, 2); // closed paths around the triangle
    free(text);
    pli_preview_free(&preview);
    remove_test_folder(&folder);
    assert_int_equal(memory.bytes, 0);
}

// A long way is clipped, and the frame is the same wherever the scene lies.
static void frame_follows_the_bodies(void** state) {
    (void)state;
    const double places[] = {0, 1e6};
    pli_film_strip strips[2];
    for (int k = 0; k < 2; ++k) {
        mixed_scene m;
        fill_mixed(&m);
        for (int i = 0; i < MIXED_VERTICES; ++i) {
            const double square[3] = {i % 3 * 0.5 + places[k], i / 3 * 0.5 + places[k], 0};
            memcpy(m.positions + 3 * i, square, sizeof square);
        }
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_preview preview;
        pli_preview_init(&preview, &memory, &m.snapshot, 2);
        add_frame(&preview, &m.snapshot, 0);
        for (int i = 0; i < MIXED_VERTICES; ++i) m.positions[3 * i + 1] -= 500;
        add_frame(&preview, &m.snapshot, 10);
        assert_int_equal(pli_strip_layout(&preview, &m.snapshot, 1000, &strips[k], NULL), PLI_OK);
        pli_preview_free(&preview);
    }
    // Ten times the size of the 1 m square, and a margin.
    double height = strips[0].high.y - strips[0].low.y;
    assert_true(height > 10 && height < 13);
    assert_true(strips[0].low.y < -5 && strips[0].high.y > 0.5); // the start is inside
    // Floats from the origin of the scene: 1e-6 of some metres.
    assert_true(fabs(strips[0].low.x - strips[1].low.x) < 1e-5);
    assert_true(fabs(strips[0].scale - strips[1].scale) < 1e-5 * strips[0].scale);
}

// Fine meshes show their border only: ten thousand triangles stay far below a megabyte.
static void fine_meshes_stay_small(void** state) {
    (void)state;
    enum { N = 71, VERTICES = (N + 1) * (N + 1), TRIANGLES = 2 * N * N };
    double* x = calloc(3 * VERTICES, sizeof *x);
    int32_t* bodies = calloc(VERTICES, sizeof *bodies);
    int32_t* triangles = malloc(3 * TRIANGLES * sizeof *triangles);
    assert_true(x && bodies && triangles);
    for (int i = 0; i < VERTICES; ++i) {
        x[3 * i] = i / (N + 1);
        x[3 * i + 1] = i % (N + 1);
    }
    for (int c = 0; c < N * N; ++c) {
        int a = c / N * (N + 1) + c % N, b = a + N + 1;
        const int32_t pair[] = {a, b, b + 1, a, b + 1, a + 1};
        memcpy(triangles + 6 * c, pair, sizeof pair);
    }
    pli_snapshot s = {.dimension = 2,
                      .vertex_count = VERTICES,
                      .positions = x,
                      .vertex_body = bodies,
                      .body_count = 1,
                      .body_names = (const char* const[]){"mat"},
                      .element_count = {0, 0, TRIANGLES, 0},
                      .elements = {NULL, NULL, triangles, NULL}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_preview_init(&preview, &memory, &s, 6);
    for (int i = 0; i < 10; ++i) add_frame(&preview, &s, i);
    char* text = finish(&preview, &s, "fine");
    assert_true(strlen(text) < 100000);
    free(text);
    free(x);
    free(bodies);
    free(triangles);
}

static void failure_leaves_no_file(void** state) {
    (void)state;
    mixed_scene m;
    fill_mixed(&m);
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_preview preview;
    pli_error error = {0};
    char path[2 * TEST_PATH_SIZE];
    test_folder folder = make_test_folder();
    pli_preview_init(&preview, &memory, &m.snapshot, 3);
    add_frame(&preview, &m.snapshot, 0);
    path_in(&folder, "absent", path);
    assert_int_equal(pli_preview_write(&preview, &m.snapshot, "x", path, &error), PLI_E_IO);
    assert_non_null(strstr(error.message, "absent/preview.svg"));
    pli_preview_free(&preview);
    assert_int_equal(memory.bytes, 0);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_shows_pictures_and_energies),
        cmocka_unit_test(memory_is_bounded),
        cmocka_unit_test(odd_runs_are_drawn),
        cmocka_unit_test(nothing_recorded_nothing_written),
        cmocka_unit_test(thickness_is_shown),
        cmocka_unit_test(thick_areas_are_shown),
        cmocka_unit_test(frame_follows_the_bodies),
        cmocka_unit_test(fine_meshes_stay_small),
        cmocka_unit_test(failure_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
