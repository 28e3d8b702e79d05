// PNG files, read back by a decoder of our own: chunks, checksums, filters, pixels.
#include "result/fixture.h"

#include <zlib.h>

#include "oracle/allocator.h"
#include "oracle/random.h"
#include "render/raster.h"
#include "render/png_reader.h"

// Writes a picture and reads it back.
static void check_round_trip(const unsigned char* rgb, int width, int height) {
    test_folder folder = make_test_folder();
    pli_memory memory;
    pli_file file;
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_file_create(&file, folder.path, "a.png", &error), PLI_OK);
    assert_int_equal(pli_png_write(&file, &memory,
                                   &(pli_image){(unsigned char*)(uintptr_t)rgb, width, height},
                                   &error),
                     PLI_OK);
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    assert_int_equal(memory.bytes, 0);
    test_png png = read_png(&folder, "a.png");
    assert_int_equal(png.width, width);
    assert_int_equal(png.height, height);
    assert_memory_equal(png.rgb, rgb, 3 * (size_t)width * (size_t)height);
    free(png.rgb);
    remove_test_folder(&folder);
}

static void pixels_come_back(void** state) {
    (void)state;
    enum { MOST = 97 };
    static unsigned char rgb[3 * MOST * MOST];
    pli_random random = {5};
    for (size_t i = 0; i < sizeof rgb; ++i) rgb[i] = (unsigned char)pli_random_below(&random, 256);
    check_round_trip(rgb, 1, 1);
    check_round_trip(rgb, MOST, 1);
    check_round_trip(rgb, 1, MOST);
    check_round_trip(rgb, MOST, MOST); // noise of more than one chunk would be below
    for (int y = 0; y < MOST; ++y)     // slopes, which every filter but the first likes
        for (int x = 0; x < MOST; ++x)
            for (int k = 0; k < 3; ++k)
                rgb[3 * (MOST * y + x) + k] = (unsigned char)(x * (k + 1) + y * (3 - k));
    check_round_trip(rgb, MOST, MOST);
    memset(rgb, 200, sizeof rgb);
    check_round_trip(rgb, MOST, MOST);
}

// Noise cannot be made smaller: several chunks.
static void large_pictures_have_several_chunks(void** state) {
    (void)state;
    enum { WIDTH = 300, HEIGHT = 200, SIZE = 3 * WIDTH * HEIGHT };
    unsigned char* rgb = malloc(SIZE);
    assert_non_null(rgb);
    pli_random random = {6};
    for (size_t i = 0; i < SIZE; ++i) rgb[i] = (unsigned char)pli_random_below(&random, 256);
    check_round_trip(rgb, WIDTH, HEIGHT);
    free(rgb);
}

static void memory_may_end(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    const unsigned char rgb[12] = {0};
    for (int i = 1; i <= 2; ++i) {
        pli_test_allocator counter = {.fail_at = i};
        const pli_allocator allocator = pli_test_hook(&counter);
        pli_memory memory;
        pli_file file;
        pli_error error = {0};
        pli_memory_init(&memory, &allocator);
        assert_int_equal(pli_file_create(&file, folder.path, "a.png", &error), PLI_OK);
        assert_int_equal(pli_png_write(&file, &memory,
                                       &(pli_image){(unsigned char*)(uintptr_t)rgb, 2, 2}, &error),
                         PLI_E_MEMORY);
        pli_file_abandon(&file);
        assert_int_equal(counter.bytes, 0);
    }
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pixels_come_back),
        cmocka_unit_test(large_pictures_have_several_chunks),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
