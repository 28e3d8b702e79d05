// No bytes make a reader crash, hang, or ask for more memory than the file can justify; a file is
// read or refused, and a refused one leaves nothing behind.
#define _GNU_SOURCE // memfd_create
#include <sys/mman.h>

#include "mesh/samples.h"
#include "oracle/random.h"

// A file in memory under a name with the right extension: files on a disk take most of the time.
static int memory_file;

static const char* name_file(const char* extension) {
    static char path[100];
    snprintf(path, sizeof path, "/tmp/pliant_fuzz_%d%s", (int)getpid(), extension);
    return path;
}

static void link_file(const char* extension) {
    char target[64];
    snprintf(target, sizeof target, "/proc/self/fd/%d", memory_file);
    remove(name_file(extension));
    assert_int_equal(symlink(target, name_file(extension)), 0);
}

static int open_file(void** state) {
    (void)state;
    memory_file = memfd_create("fuzz", 0);
    return memory_file < 0 ? -1 : 0;
}

static int close_file(void** state) {
    (void)state;
    return close(memory_file);
}

// Fails the test if more is asked for than so many bytes at once.
typedef struct guard {
    size_t limit, bytes;
} guard;

static void* guarded_resize(void* context, void* block, size_t old_size, size_t new_size) {
    guard* g = context;
    if (new_size > g->limit) fail_msg("%zu bytes asked for at once", new_size);
    g->bytes += new_size;
    g->bytes -= old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

// What a reader may need: some multiple of the file (hash tables, places, doubling; data that zlib
// had made smaller), and buffers of fixed size.
static size_t allowance(size_t size) { return 2000 * size + 300000; }

static void check_groups(const pli_mesh* mesh) {
    for (int i = 0; i < mesh->group_count; ++i) {
        const pli_mesh_group* g = &mesh->groups[i];
        assert_true(g->name[0] && strlen(g->name) < sizeof g->name && g->dim >= 0 && g->dim <= 3);
        assert_true(g->vertex_count > 0);
        for (int k = 0; k < g->vertex_count; ++k)
            assert_true(g->vertices[k] > (k ? g->vertices[k - 1] : -1) &&
                        g->vertices[k] < mesh->vertex_count);
    }
}

static void count_defect(void* context, bool grave, const char* message) {
    assert_true(message[0] != 0);
    *(int*)context += grave;
}

// What is read can be looked at and made quadratic, whatever its elements are.
static void look_at(pli_mesh* mesh) {
    pli_mesh_summary summary;
    pli_error error = {0};
    int grave = 0;
    ASSERT_OK(pli_mesh_summarize(mesh, &summary, &error));
    ASSERT_OK(pli_mesh_find_defects(mesh, 3, count_defect, &grave, &error));
    ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
    check_groups(mesh);
}

static void try_bytes(const char* extension, const unsigned char* bytes, size_t size) {
    guard g = {.limit = allowance(size)};
    pli_allocator hook = {.resize = guarded_resize, .context = &g};
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, &hook);
    assert_int_equal(ftruncate(memory_file, 0), 0);
    assert_int_equal(pwrite(memory_file, bytes, size, 0), size);
    pli_status status = pli_mesh_read(&mesh, name_file(extension), &error);
    assert_true(status == PLI_OK || status == PLI_E_SCENE);
    if (status != PLI_OK) {
        assert_true(error.message[0] != 0);
        assert_int_equal(mesh.vertex_count, 0);
        for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
            assert_int_equal(mesh.element_count[kind], 0);
    } else {
        // Whatever was read is sound.
        for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
            for (int i = 0; i < mesh.element_count[kind] * pli_element_size((pli_element_kind)kind);
                 ++i)
                assert_true(mesh.elements[kind][i] >= 0 &&
                            mesh.elements[kind][i] < mesh.vertex_count);
        for (int i = 0; i < 3 * mesh.vertex_count; ++i) assert_true(isfinite(mesh.positions[i]));
        check_groups(&mesh);
        look_at(&mesh);
    }
    pli_mesh_free(&mesh);
    assert_int_equal(g.bytes, 0);
}

static void every_prefix(void** state) {
    (void)state;
    static sample s;
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        link_file(s.extension);
        for (size_t size = 0; size < s.size; ++size) try_bytes(s.extension, s.bytes, size);
        remove(name_file(s.extension));
    }
}

// Where the line starts that has this byte, and how long it is.
static size_t line_around(const sample* s, size_t* at) {
    size_t end = *at;
    while (*at > 0 && s->bytes[*at - 1] != '\n') --*at;
    while (end < s->size && s->bytes[end] != '\n') ++end;
    return end - *at + (end < s->size);
}

static void remove_bytes(sample* s, size_t at, size_t length) {
    if (at + length >= s->size) return;
    s->size -= length;
    memmove(s->bytes + at, s->bytes + at + length, s->size - at);
}

// Makes room for `length` bytes, which are those that follow.
static void double_bytes(sample* s, size_t at, size_t length) {
    if (s->size + length >= SAMPLE_SIZE || at + length > s->size) return;
    memmove(s->bytes + at + length, s->bytes + at, s->size - at);
    s->size += length;
}

static void mutate(sample* s, pli_random* r) {
    size_t at = (size_t)pli_random_below(r, (int)s->size);
    size_t length = (size_t)(1 + pli_random_below(r, 8));
    int kind = pli_random_below(r, 6);
    if (kind == 0) s->bytes[at] = (unsigned char)pli_random_bits(r);
    if (kind == 1) s->bytes[at] = (unsigned char)"0123456789-.e "[pli_random_below(r, 14)];
    if (kind >= 4) length = line_around(s, &at);
    if (kind == 2 || kind == 4) remove_bytes(s, at, length);
    if (kind == 3 || kind == 5) double_bytes(s, at, length);
}

// Some bytes changed, swapped for a digit or a minus sign; bytes or lines removed or doubled.
static void mutations(void** state) {
    (void)state;
    static sample s, changed;
    int rounds = getenv("PLIANT_FUZZ_ROUNDS") ? atoi(getenv("PLIANT_FUZZ_ROUNDS")) : 1000;
    pli_random r = {2024};
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        link_file(s.extension);
        for (int n = 0; n < rounds; ++n) {
            changed = s;
            for (int k = pli_random_below(&r, 4); k >= 0; --k) mutate(&changed, &r);
            try_bytes(changed.extension, changed.bytes, changed.size);
        }
        remove(name_file(s.extension));
    }
}

// TetGen has two files: one stays right, the other changes.
static void mutations_of_tetgen(void** state) {
    (void)state;
    static const char* const texts[2][2] = {
        {".node", "5 3 1 1\n0 0 0 0 0.5 1\n1 1 0 0 0.5 0\n2 0 1 0 0.5 -2\n3 0 0 1 0.5 1\n"
                  "4 1 1 1 0.5 1\n"},
        {".ele", "2 4 1\n0 0 1 2 3 1\n1 1 2 3 4 2.5\n"}};
    static sample s, changed;
    pli_random r = {2025};
    for (int i = 0; i < 2; ++i) {
        FILE* file = fopen(name_file(texts[1 - i][0]), "wb");
        assert_non_null(file);
        fputs(texts[1 - i][1], file);
        assert_int_equal(fclose(file), 0);
        s.size = 0;
        put_text(&s, texts[i][1]);
        link_file(texts[i][0]);
        for (int n = 0; n < 1000; ++n) {
            changed = s;
            for (int k = pli_random_below(&r, 3); k >= 0; --k) mutate(&changed, &r);
            try_bytes(texts[i][0], changed.bytes, changed.size);
        }
        remove(name_file(texts[i][0]));
        remove(name_file(texts[1 - i][0]));
    }
}

// Faces of many corners: concave, with a hole reached by a cut, with corners on straight edges.
static void mutations_of_polygons(void** state) {
    (void)state;
    static const char text[] =
        "OFF\n12 4 0\n0 0 0\n4 0 0\n4 4 1\n0 4 1\n1 1 0.25\n1 3 0.75\n3 3 0.75\n3 1 0.25\n"
        "2 0 0\n4 2 0.5\n2 4 1\n0 2 0.5\n10 0 1 2 3 0 4 5 6 7 4\n8 0 8 1 9 2 10 3 11\n"
        "6 0 1 7 4 5 3\n4 0 1 4 3\n";
    static sample s, changed;
    pli_random r = {2026};
    s.size = 0;
    put_text(&s, text);
    link_file(".off");
    for (int n = 0; n < 4000; ++n) {
        changed = s;
        for (int k = pli_random_below(&r, 4); k >= 0; --k) mutate(&changed, &r);
        try_bytes(".off", changed.bytes, changed.size);
    }
    remove(name_file(".off"));
}

// Each number of a binary file becomes huge, negative, or not a number.
static void wild_words(void** state) {
    (void)state;
    static sample s, changed;
    static const unsigned char words[][4] = {
        {255, 255, 255, 255}, {255, 255, 255, 127}, {0, 0, 0, 128}, {0, 0, 192, 127}, {0, 0, 0, 0}};
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        link_file(s.extension);
        for (size_t at = 0; at + 4 <= s.size; at += 1 + s.size / 600)
            for (int w = 0; w < 5; ++w) {
                changed = s;
                memcpy(changed.bytes + at, words[w], 4);
                if (recipes[i].text && at % 7) continue; // zero bytes in text are soon refused
                try_bytes(changed.extension, changed.bytes, changed.size);
            }
        remove(name_file(s.extension));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_prefix),        cmocka_unit_test(mutations),
        cmocka_unit_test(mutations_of_tetgen), cmocka_unit_test(mutations_of_polygons),
        cmocka_unit_test(wild_words),
    };
    return cmocka_run_group_tests(tests, open_file, close_file);
}
