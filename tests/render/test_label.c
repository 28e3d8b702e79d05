// Text in pictures: all letters are there and differ, nothing is written outside of the picture.
#include "result/fixture.h"

#include <math.h>
#include <string.h>

#include "render/raster.h"

enum { SIDE = 40 };

static const pli_label label = {.size = 18, .ink = {0, 0, 0}, .halo = {255, 255, 255}};

// Darkness of a picture with one text in it, in `rgb`.
static long draw(const char* text, double x, double y, unsigned char rgb[3 * SIDE * SIDE]) {
    const pli_image image = {rgb, SIDE, SIDE};
    long sum = 0;
    memset(rgb, 255, 3 * SIDE * SIDE);
    pli_label_draw(&label, &image, x, y, text);
    for (int i = 0; i < 3 * SIDE * SIDE; ++i) sum += 255 - rgb[i];
    return sum;
}

static void letters_differ(void** state) {
    (void)state;
    static unsigned char pictures[127 - 33][3 * SIDE * SIDE];
    for (int c = 33; c < 127; ++c) {
        const char text[2] = {(char)c, 0};
        assert_true(draw(text, 10, 28, pictures[c - 33]) > 1000);
        for (int d = 33; d < c; ++d) {
            bool same = memcmp(pictures[c - 33], pictures[d - 33], sizeof *pictures) == 0;
            assert_int_equal(same, c == 'O' && d == '0');
        }
    }
}

static void widths_add_up(void** state) {
    (void)state;
    double one = pli_label_width(&label, "a"), three = pli_label_width(&label, "aaa");
    assert_true(fabs(three - 3 * one) < 1e-12 * three); // roundoff
    assert_true(pli_label_width(&label, "1.05") == pli_label_width(&label, "8.88"));
    assert_true(pli_label_width(&label, "") == 0);
    // a letter of two bytes is one box
    assert_true(pli_label_width(&label, "\xc3\xbc") == pli_label_width(&label, "\x80"));
}

// The sanitizer sees what is outside.
static void edges_are_kept(void** state) {
    (void)state;
    unsigned char rgb[3 * SIDE * SIDE];
    static const double places[][2] = {{-9, 5},    {35, 45},  {-300, 10},
                                       {10, -300}, {300, 10}, {5, 1e9}};
    for (size_t i = 0; i < sizeof places / sizeof *places; ++i)
        draw("Mg@\xc3\xbc", places[i][0], places[i][1], rgb);
    assert_int_equal(draw("M", 300, 10, rgb), 0);
    assert_int_equal(draw("M", NAN, 10, rgb), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(letters_differ),
        cmocka_unit_test(widths_add_up),
        cmocka_unit_test(edges_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
