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

static void try_bytes(const char* extension, const unsigned char* bytes, size_t size) {
    guard g = {.limit = allowance(size)};
    pli_allocator hook = {guarded_resize, &g};
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

// Some bytes changed, swapped for a digit or a minus sign, removed or doubled.
static void mutations(void** state) {
    (void)state;
    static sample s, changed;
    pli_random r = {2024};
    for (int i = 0; i < RECIPE_COUNT; ++i) {
        make_sample(i, &s);
        link_file(s.extension);
        for (int n = 0; n < 1500; ++n) {
            changed = s;
            for (int k = pli_random_below(&r, 4); k >= 0; --k) {
                size_t at = (size_t)pli_random_below(&r, (int)changed.size);
                int kind = pli_random_below(&r, 4), length = 1 + pli_random_below(&r, 8);
                if (kind == 0) changed.bytes[at] = (unsigned char)pli_random_bits(&r);
                if (kind == 1)
                    changed.bytes[at] = (unsigned char)"0123456789-.e "[pli_random_below(&r, 14)];
                if (kind == 2 && at + (size_t)length < changed.size) {
                    changed.size -= (size_t)length;
                    memmove(changed.bytes + at, changed.bytes + at + length, changed.size - at);
                }
                if (kind == 3 && changed.size + (size_t)length < SAMPLE_SIZE) {
                    memmove(changed.bytes + at + length, changed.bytes + at, changed.size - at);
                    changed.size += (size_t)length;
                }
            }
            try_bytes(changed.extension, changed.bytes, changed.size);
        }
        remove(name_file(s.extension));
    }
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
        cmocka_unit_test(every_prefix),
        cmocka_unit_test(mutations),
        cmocka_unit_test(wild_words),
    };
    return cmocka_run_group_tests(tests, open_file, close_file);
}
