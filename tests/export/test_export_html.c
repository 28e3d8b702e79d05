// The page with a run in it: what was written is unpacked as web/README.md says, and all positions
// are compared.
#include "record/run_fixture.h"

#include <jansson.h>
#include <zlib.h>

static uint32_t word_at(const unsigned char* bytes) {
    uint32_t word = 0;
    for (int i = 3; i >= 0; --i) word = word << 8 | bytes[i]; // lowest byte first
    return word;
}

static double float_at(const unsigned char* bytes) {
    uint32_t word = word_at(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static double double_at(const unsigned char* bytes) {
    uint64_t word = (uint64_t)word_at(bytes + 4) << 32 | word_at(bytes);
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

typedef struct recording {
    unsigned char* bytes;
    size_t size, at;
} recording;

static int digit(char c) {
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* found = c ? strchr(all, c) : NULL;
    return found ? (int)(found - all) : -1;
}

// Bytes of base64 text, which ends with '=' or '<'.
static size_t decode(const char* text, unsigned char* out) {
    size_t count = 0;
    unsigned bits = 0, word = 0;
    for (; digit(*text) >= 0; ++text) {
        word = word << 6 | (unsigned)digit(*text);
        bits += 6;
        if (bits < 8) continue;
        bits -= 8;
        out[count++] = (unsigned char)(word >> bits & 255u);
    }
    return count;
}

static recording open_recording(const test_result* r, const char* name) {
    static const char begin[] = "<script id=\"recording\" type=\"text/plain\">";
    size_t size, room = 1 << 22;
    char* page = read_whole(&r->folder, name, &size);
    assert_int_equal(strncmp(page, "<!doctype html>", 9), 0);
    assert_null(strstr(page, "<!--recording-->"));
    const char* text = strstr(page, begin);
    assert_non_null(text);
    unsigned char* packed = malloc(size);
    recording rec = {.bytes = malloc(room)};
    z_stream z = {.next_in = packed};
    z.avail_in = (uInt)decode(text + sizeof begin - 1, packed);
    z.next_out = rec.bytes;
    z.avail_out = (uInt)room;
    assert_int_equal(inflateInit2(&z, 31), Z_OK);
    assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
    assert_int_equal(z.avail_in, 0);
    rec.size = z.total_out;
    inflateEnd(&z);
    free(packed);
    free(page);
    return rec;
}

// The next message; NULL at the end.
static const unsigned char* next(recording* rec, bool* binary, size_t* size) {
    if (rec->at == rec->size) return NULL;
    assert_true(rec->at + 5 <= rec->size);
    *size = word_at(rec->bytes + rec->at);
    *binary = rec->bytes[rec->at + 4] == 1;
    const unsigned char* message = rec->bytes + rec->at + 5;
    rec->at += 5 + *size;
    assert_true(rec->at <= rec->size);
    return message;
}

static json_t* next_text(recording* rec, const char* type) {
    bool binary;
    size_t size;
    const unsigned char* message = next(rec, &binary, &size);
    assert_true(message && !binary);
    json_t* root = json_loadb((const char*)message, size, 0, NULL);
    assert_string_equal(json_string_value(json_object_get(root, "type")), type);
    return root;
}

static void check_scene(recording* rec) {
    json_t* hello = next_text(rec, "hello");
    assert_string_equal(json_string_value(json_object_get(hello, "mode")), "replay");
    json_decref(hello);
    json_t* scene = next_text(rec, "scene");
    const json_t* bodies = json_object_get(scene, "bodies");
    assert_string_equal(json_string_value(json_object_get(scene, "name")), "a title");
    assert_int_equal(json_array_size(bodies), RESULT_BODIES);
    for (int b = 0, first = 0; b < RESULT_BODIES; first += result_shown[b++]) {
        const json_t* body = json_array_get(bodies, (size_t)b);
        const json_t* span = json_object_get(body, "vertices");
        assert_string_equal(json_string_value(json_object_get(body, "name")), result_names[b]);
        assert_int_equal(json_integer_value(json_array_get(span, 0)), first);
        assert_int_equal(json_integer_value(json_array_get(span, 1)), first + result_shown[b]);
    }
    json_decref(scene);
}

static void check_topology(recording* rec) {
    bool binary;
    size_t size;
    const unsigned char* m = next(rec, &binary, &size);
    assert_true(m && binary);
    assert_int_equal(word_at(m), 0x31494C50);
    assert_int_equal(m[4], 1);
    assert_int_equal(word_at(m + 24), 4);
    assert_int_equal(word_at(m + 28), 2);
    assert_int_equal(size, 32 + 4 * 12 + 2 * 8);
    for (int i = 0; i < 12; ++i) assert_true(word_at(m + 32 + 4 * i) < 4);
    for (int i = 0; i < 4; ++i) {
        uint32_t v = word_at(m + 32 + 48 + 4 * i);
        assert_true(v >= 4 && v < 7);
    }
}

// Frame i of the result: half a quantum, and as floats origin and quantum are off by an ulp.
static void check_frame(const unsigned char* m, size_t size, int i, uint16_t* whole) {
    const unsigned char* bytes = m + 32 + 24;
    int count = 3 * RESULT_SHOWN, k = 0;
    assert_int_equal(m[4], 6);
    assert_int_equal(size, 32 + 24 + 2 * count);
    assert_true(double_at(m + 16) == result_time(i));
    assert_int_equal(word_at(m + 24), RESULT_SHOWN);
    for (int b = 0; b < RESULT_BODIES; ++b)
        for (int v = 0; v < result_shown[b]; ++v)
            for (int c = 0; c < 3; ++c, ++k) {
                unsigned told = bytes[k] | (unsigned)bytes[count + k] << 8;
                whole[k] = (uint16_t)(m[6] ? whole[k] + told : told);
                double quantum = float_at(m + 32 + 12 + 4 * c);
                double x = float_at(m + 32 + 4 * c) + quantum * whole[k];
                assert_true(quantum > 0 && quantum < 1e-3);
                assert_true(fabs(x - result_position(i, result_first[b] + v, c)) <
                            0.5 * quantum + 1e-6);
            }
}

// Velocities behind frame i: half a quantum, which is a power of two that resolves the largest one.
static void check_velocities(const unsigned char* m, size_t size, int i, int16_t* whole) {
    int count = 3 * RESULT_SHOWN, k = 0;
    double quantum = float_at(m + 32), largest = 0;
    const unsigned char* bytes = m + 32 + 4;
    assert_int_equal(size, 32 + 4 + 2 * count);
    assert_true(quantum > 0 && exp2(round(log2(quantum))) == quantum);
    for (int b = 0; b < RESULT_BODIES; ++b)
        for (int v = 0; v < result_shown[b]; ++v)
            for (int c = 0; c < 3; ++c, ++k) {
                unsigned told = bytes[k] | (unsigned)bytes[count + k] << 8;
                whole[k] = (int16_t)(m[6] ? (unsigned)whole[k] + told : told);
                double exact = result_first[b] + v + 0.25 * c - i;
                assert_true(fabs(quantum * whole[k] - exact) <= 0.5 * quantum);
                largest = fmax(largest, fabs(exact));
            }
    assert_true(largest / quantum <= 4095.5 && largest / quantum >= 1000);
}

static void check_recording(const test_result* r, const char* name, int frames, int every) {
    recording rec = open_recording(r, name);
    uint16_t whole[3 * RESULT_SHOWN];
    int16_t velocities[3 * RESULT_SHOWN];
    const unsigned char* m;
    bool binary;
    size_t size;
    int count = 0, record_count = 0, alone = 0;
    check_scene(&rec);
    check_topology(&rec);
    while ((m = next(&rec, &binary, &size))) {
        if (!binary) {
            ++record_count;
            continue;
        }
        assert_true(m[6] <= 1 && (count > (m[4] == 7) || m[6] == 0));
        if (m[4] == 7) {
            if (word_at(m + 28) == 0) check_velocities(m, size, every * (count - 1), velocities);
            continue;
        }
        alone += m[6] == 0;
        check_frame(m, size, every * count, whole);
        assert_int_equal(word_at(m + 12), every * count + 1); // the step of its record
        ++count;
        assert_int_equal(record_count, every * (count - 1) + 1);
    }
    assert_int_equal(count, frames);
    assert_int_equal(alone, (frames + 31) / 32);
    free(rec.bytes);
}

static void all_frames_are_in_the_page(void** state) {
    (void)state;
    test_result r = make_result(70);
    pli_export_def def = result_def(&r, "html");
    pli_export_info info = export_result(&def);
    assert_int_equal(info.file_count, 1);
    check_recording(&r, "run.html", 70, 1);
    remove_result(&r);
}

static void some_frames_alone(void** state) {
    (void)state;
    test_result r = make_result(8);
    pli_export_def def = result_def(&r, "html");
    def.every = 3;
    export_result(&def);
    check_recording(&r, "run.html", 3, 3);
    remove_result(&r);
}

// A list chooses them; nonsense is refused before anything is written.
static void fields_can_be_chosen(void** state) {
    (void)state;
    static const struct {
        const char* list;
        size_t count;
    } rows[] = {{"none", 0}, {"velocity", 1}, {"reaction,velocity", 2}};
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "html");
    def.fields = "velocity,stres";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "no field \"stres\""));
    assert_false(exists_in(&r.folder, "run.html"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        def.fields = rows[i].list;
        export_result(&def);
        recording rec = open_recording(&r, "run.html");
        json_decref(next_text(&rec, "hello"));
        json_t* scene = next_text(&rec, "scene");
        assert_int_equal(json_array_size(json_object_get(scene, "fields")), rows[i].count);
        json_decref(scene);
        free(rec.bytes);
    }
    remove_result(&r);
}

// A frame that lacks a field has zeros, and is refused only to who asked for that field.
static void fields_may_be_missing(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_export_def def = result_def(&r, "html");
    touch_frame(&r, 0);
    touch_frame(&r, 2);
    def.fields = "velocity,contact_force";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "contact_force"));
    def.fields = "all";
    export_result(&def);
    def.fields = NULL;
    export_result(&def);
    recording rec = open_recording(&r, "run.html");
    json_decref(next_text(&rec, "hello"));
    json_t* scene = next_text(&rec, "scene");
    const json_t* fields = json_object_get(scene, "fields");
    size_t force = json_array_size(fields) - 1, size;
    assert_string_equal(json_string_value(json_object_get(json_array_get(fields, force), "key")),
                        "contact_force");
    int16_t whole[3 * RESULT_SHOWN];
    const int count = 3 * RESULT_SHOWN;
    bool binary;
    int frame = 0;
    for (const unsigned char* m; (m = next(&rec, &binary, &size));) {
        if (!binary || m[4] != 7 || word_at(m + 28) != force) continue;
        double sum = 0;
        for (int k = 0; k < count; ++k) {
            unsigned told = m[36 + k] | (unsigned)m[36 + count + k] << 8;
            whole[k] = (int16_t)(m[6] ? (unsigned)whole[k] + told : told);
            sum += float_at(m + 32) * whole[k];
        }
        assert_true((sum > 0) == (frame++ != 1));
    }
    assert_int_equal(frame, 3);
    json_decref(scene);
    free(rec.bytes);
    remove_result(&r);
}

// Carriers by the numbers of the page; one that is not on it is none.
static void carriers_are_numbered_anew(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "html");
    write_whole(&r.folder, "run/run.json",
                "{\"bodies\":[],\"half_spaces\":[{\"normal\":[0,1,0],\"carrier\":8},"
                "{\"normal\":[0,1,0]},{\"normal\":[0,1,0],\"carrier\":4}]}");
    export_result(&def);
    recording rec = open_recording(&r, "run.html");
    json_decref(next_text(&rec, "hello"));
    json_t* scene = next_text(&rec, "scene");
    const json_t *planes = json_object_get(scene, "half_spaces"),
                 *first = json_array_get(planes, 0);
    assert_int_equal(json_integer_value(json_object_get(first, "carrier")), 7);
    double y = json_number_value(json_array_get(json_object_get(first, "point"), 1));
    assert_true(fabs(y - result_position(0, 8, 1)) < 1e-6); // the page has floats
    for (size_t i = 1; i < 3; ++i)                          // vertex 4 is inside
        assert_null(json_object_get(json_array_get(planes, i), "carrier"));
    json_decref(scene);
    free(rec.bytes);
    remove_result(&r);
}

// Records as the page wants them: numbers of contacts, energies in the order of their names.
static void records_are_translated(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "html");
    export_result(&def);
    recording rec = open_recording(&r, "run.html");
    json_decref(next_text(&rec, "hello"));
    json_t* scene = next_text(&rec, "scene");
    check_topology(&rec);
    json_t* stats = next_text(&rec, "stats");
    assert_int_equal(json_integer_value(json_object_get(stats, "step")), 1);
    assert_true(json_is_integer(json_object_get(stats, "contacts")));
    assert_true(json_is_object(json_object_get(stats, "seconds")));
    size_t count = json_array_size(json_object_get(scene, "energies"));
    assert_true(count > 0);
    assert_int_equal(json_array_size(json_object_get(stats, "energies")), count);
    json_decref(stats);
    json_decref(scene);
    free(rec.bytes);
    remove_result(&r);
}

static bool stop_late(void* context, const pli_export_progress* progress) {
    (void)context;
    assert_true(progress->bytes > 100000); // of the page alone
    return progress->done < 0.7;
}

static void a_cancelled_export_leaves_nothing(void** state) {
    (void)state;
    test_result r = make_result(40);
    pli_export_def def = result_def(&r, "html");
    pli_export_info info = {0};
    char path[2 * TEST_PATH_SIZE];
    struct stat status;
    def.progress = stop_late;
    assert_int_equal(pli_export(&def, &info, NULL), PLI_OK);
    assert_true(info.cancelled);
    assert_int_equal(stat(path_in(&r.folder, "run.html", path), &status), -1);
    assert_int_equal(stat(path_in(&r.folder, "run.html.tmp", path), &status), -1);
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_frames_are_in_the_page),
        cmocka_unit_test(some_frames_alone),
        cmocka_unit_test(fields_can_be_chosen),
        cmocka_unit_test(fields_may_be_missing),
        cmocka_unit_test(records_are_translated),
        cmocka_unit_test(carriers_are_numbered_anew),
        cmocka_unit_test(a_cancelled_export_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
