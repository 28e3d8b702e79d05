// glTF: the file as its specification reads it, and every vertex of every frame in it.
#include "record/run_fixture.h"

#include <jansson.h>

static uint32_t word_at(const char* bytes) {
    uint32_t word = 0;
    for (int i = 3; i >= 0; --i) word = word << 8 | (unsigned char)bytes[i]; // lowest byte first
    return word;
}

static float float_at(const char* bytes) {
    uint32_t word = word_at(bytes);
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

typedef struct glb {
    char* text;
    json_t* root;
    const char* bytes; // of the binary chunk
    size_t size;
} glb;

static glb read_glb(const test_result* r, const char* name) {
    glb g = {0};
    size_t size;
    g.text = read_whole(&r->folder, name, &size);
    assert_true(size > 20 && memcmp(g.text, "glTF", 4) == 0);
    assert_int_equal(word_at(g.text + 4), 2);
    assert_int_equal(word_at(g.text + 8), size);
    size_t json = word_at(g.text + 12);
    assert_memory_equal(g.text + 16, "JSON", 4);
    assert_int_equal(json % 4, 0);
    g.root = json_loadb(g.text + 20, json, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(g.root);
    const char* chunk = g.text + 20 + json;
    g.size = word_at(chunk);
    assert_memory_equal(chunk + 4, "BIN\0", 4);
    assert_int_equal(g.size % 4, 0);
    assert_int_equal(20 + json + 8 + g.size, size);
    g.bytes = chunk + 8;
    return g;
}

static void free_glb(glb* g) {
    json_decref(g->root);
    free(g->text);
}

static const json_t* entry(const glb* g, const char* list, int i) {
    const json_t* value = json_array_get(json_object_get(g->root, list), (size_t)i);
    assert_non_null(value);
    return value;
}

static int number(const json_t* object, const char* key) {
    const json_t* value = json_object_get(object, key);
    assert_true(json_is_integer(value));
    return (int)json_integer_value(value);
}

// The bytes of an accessor, after all that the specification asks of it.
static const char* accessor_bytes(const glb* g, int i, const char* type, int component,
                                  int* count) {
    const json_t* accessor = entry(g, "accessors", i);
    const json_t* view = entry(g, "bufferViews", number(accessor, "bufferView"));
    const json_t* stride = json_object_get(view, "byteStride");
    int width = strcmp(type, "VEC3") == 0 ? 12 : 4, offset = number(accessor, "byteOffset");
    assert_string_equal(json_string_value(json_object_get(accessor, "type")), type);
    assert_int_equal(number(accessor, "componentType"), component);
    assert_true(!stride || json_integer_value(stride) == width);
    *count = number(accessor, "count");
    assert_true(*count > 0 && offset % 4 == 0);
    assert_true(offset + *count * width <= number(view, "byteLength"));
    assert_true((size_t)(number(view, "byteOffset") + number(view, "byteLength")) <= g->size);
    assert_int_equal(number(view, "byteOffset") % 4, 0);
    return g->bytes + number(view, "byteOffset") + offset;
}

// min and max are exactly those of the numbers.
static void check_bounds(const glb* g, int i, const char* bytes, int count, int components) {
    const json_t* accessor = entry(g, "accessors", i);
    for (int c = 0; c < components; ++c) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int k = 0; k < count; ++k) {
            double value = (double)float_at(bytes + 4 * (components * k + c));
            low = fmin(low, value);
            high = fmax(high, value);
        }
        const json_t* min = json_array_get(json_object_get(accessor, "min"), (size_t)c);
        const json_t* max = json_array_get(json_object_get(accessor, "max"), (size_t)c);
        assert_true(json_number_value(min) == low && json_number_value(max) == high);
    }
}

// The positions of a body in all exported frames: first + target.
static void check_positions(const glb* g, const json_t* primitive, int body, int frames,
                            int every) {
    const json_t* targets = json_object_get(primitive, "targets");
    int count, first = number(json_object_get(primitive, "attributes"), "POSITION");
    const char* base = accessor_bytes(g, first, "VEC3", 5126, &count);
    assert_int_equal(count, result_shown[body]);
    assert_int_equal(json_array_size(targets), body < 2 ? frames - 1 : 0);
    check_bounds(g, first, base, count, 3);
    for (int i = 0; i < frames; ++i) {
        const char* delta = NULL;
        if (i > 0 && body < 2) {
            int accessor = number(json_array_get(targets, (size_t)i - 1), "POSITION");
            delta = accessor_bytes(g, accessor, "VEC3", 5126, &count);
            assert_int_equal(count, result_shown[body]);
            check_bounds(g, accessor, delta, count, 3);
        }
        for (int k = 0; k < 3 * count; ++k) {
            double got =
                (double)float_at(base + 4 * k) + (delta ? (double)float_at(delta + 4 * k) : 0);
            double expected = result_position(every * i, result_first[body] + k / 3, k % 3);
            assert_true(fabs(got - expected) < 1e-6); // two floats of size 5: half an ulp is 2.4e-7
        }
    }
}

static void check_animation(const glb* g, int frames, int every) {
    const json_t* animation = entry(g, "animations", 0);
    const json_t* sampler = json_array_get(json_object_get(animation, "samplers"), 0);
    const json_t* channels = json_object_get(animation, "channels");
    int count, input = number(sampler, "input");
    assert_int_equal(json_array_size(channels), 2); // the mass stands still
    for (size_t i = 0; i < 2; ++i) {
        const json_t* target = json_object_get(json_array_get(channels, i), "target");
        assert_int_equal(number(target, "node"), i);
        assert_string_equal(json_string_value(json_object_get(target, "path")), "weights");
    }
    const char* times = accessor_bytes(g, input, "SCALAR", 5126, &count);
    assert_int_equal(count, frames);
    check_bounds(g, input, times, count, 1);
    for (int i = 0; i < frames; ++i)
        assert_true(fabs((double)float_at(times + 4 * i) - 0.04 * every * i) < 1e-6);
    const char* weights = accessor_bytes(g, number(sampler, "output"), "SCALAR", 5126, &count);
    assert_int_equal(count, frames * (frames - 1));
    for (int i = 0; i < frames; ++i)
        for (int k = 1; k < frames; ++k)
            assert_true(float_at(weights + 4 * (i * (frames - 1) + k - 1)) == (i == k ? 1 : 0));
}

static void check_indices(const glb* g, const json_t* primitive, int body) {
    static const int modes[] = {4, 1, 0}, counts[] = {12, 4, 1};
    int count;
    const char* bytes = accessor_bytes(g, number(primitive, "indices"), "SCALAR", 5125, &count);
    assert_int_equal(number(primitive, "mode"), modes[body]);
    assert_int_equal(count, counts[body]);
    for (int i = 0; i < count; ++i)
        assert_true(word_at(bytes + 4 * i) < (uint32_t)result_shown[body]);
}

static void all_frames_are_targets(void** state) {
    (void)state;
    test_result r = make_result(5);
    pli_export_def def = result_def(&r, "gltf");
    pli_export_info info = export_result(&def);
    assert_int_equal(info.frame_count, 5);
    assert_int_equal(info.file_count, 1);
    glb g = read_glb(&r, "run.glb");
    assert_int_equal(number(entry(&g, "buffers", 0), "byteLength"), g.size);
    assert_int_equal(json_array_size(json_object_get(g.root, "nodes")), RESULT_BODIES);
    for (int b = 0; b < RESULT_BODIES; ++b) {
        const json_t* node = entry(&g, "nodes", b);
        const json_t* mesh = entry(&g, "meshes", number(node, "mesh"));
        const json_t* primitives = json_object_get(mesh, "primitives");
        assert_string_equal(json_string_value(json_object_get(node, "name")), result_names[b]);
        assert_int_equal(json_array_size(primitives), 1);
        check_positions(&g, json_array_get(primitives, 0), b, 5, 1);
        check_indices(&g, json_array_get(primitives, 0), b);
    }
    check_animation(&g, 5, 1);
    free_glb(&g);
    remove_result(&r);
}

static void some_frames_and_bodies_alone(void** state) {
    (void)state;
    test_result r = make_result(6);
    pli_export_def def = result_def(&r, "gltf");
    char path[2 * TEST_PATH_SIZE];
    def.every = 2;
    def.out = path_in(&r.folder, "deep/er/x.glb", path);
    pli_export_info info = export_result(&def);
    assert_int_equal(info.frame_count, 3); // 0, 2, 4
    assert_string_equal(info.path, path);
    glb g = read_glb(&r, "deep/er/x.glb");
    const json_t* rope = json_object_get(entry(&g, "meshes", 1), "primitives");
    check_positions(&g, json_array_get(rope, 0), 1, 3, 2);
    const json_t* extras = json_object_get(entry(&g, "meshes", 1), "extras");
    assert_true(json_number_value(json_object_get(extras, "radius")) == 0.125);
    assert_null(json_object_get(entry(&g, "meshes", 0), "extras"));
    check_animation(&g, 3, 2);
    free_glb(&g);
    const char* const names[] = {result_names[2]};
    def.bodies = names;
    def.body_count = 1;
    export_result(&def);
    g = read_glb(&r, "deep/er/x.glb"); // one body that stands still: no animation
    assert_int_equal(json_array_size(json_object_get(g.root, "meshes")), 1);
    assert_null(json_object_get(g.root, "animations"));
    free_glb(&g);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rmdir(path_in(&r.folder, "deep/er", path)), 0);
    remove_result(&r);
}

// A still picture is a mesh without targets.
static void one_frame_does_not_move(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "gltf");
    export_result(&def);
    glb g = read_glb(&r, "run.glb");
    assert_null(json_object_get(g.root, "animations"));
    const json_t* solid = json_object_get(entry(&g, "meshes", 0), "primitives");
    check_positions(&g, json_array_get(solid, 0), 0, 1, 1);
    free_glb(&g);
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_frames_are_targets),
        cmocka_unit_test(some_frames_and_bodies_alone),
        cmocka_unit_test(one_frame_does_not_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
