// Pieces of SVG: paths, texts, ticks, unit prefixes.
#include "result/fixture.h"

#include "result/xml_check.h"

#include "render/svg.h"

#include <math.h>

typedef void draw_fn(pli_file* file);

static char* drawn(draw_fn* draw) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_file file;
    assert_int_equal(pli_file_create(&file, folder.path, "p", &error), PLI_OK);
    draw(&file);
    assert_int_equal(pli_file_commit(&file, &error), PLI_OK);
    char* text = read_whole(&folder, "p", NULL);
    remove_test_folder(&folder);
    return text;
}

static void draw_path(pli_file* file) {
    pli_pen pen = pli_pen_begin(file, "fill=\"none\"");
    pli_pen_to(&pen, 1, 2.04);
    pli_pen_to(&pen, 1.01, 2.01); // the same tenth: nothing
    pli_pen_to(&pen, 0.5, 12.25);
    pli_pen_to(&pen, NAN, 3);
    pli_pen_to(&pen, 0.5, 0);
    pli_pen_close(&pen);
    pli_pen_to(&pen, -1e30, HUGE_VAL);
    pli_pen_to(&pen, -1e30, 0);
    pli_pen_lift(&pen);
    pli_pen_dot(&pen, 3, 4);
    pli_pen_end(&pen);
}

static void paths_are_short_and_relative(void** state) {
    (void)state;
    char* text = drawn(draw_path);
    assert_string_equal(text, "<path fill=\"none\" d=\"M1 2l-.5 10.3l0-12.3zM-4000 0M3 4h0\"/>\n");
    free(text);
}

static void draw_texts(pli_file* file) {
    pli_text_style style = {12, "start", "#000", false, 5};
    pli_svg_text(file, (pli_point){1, 2}, style, "a<b");
    style.anchor = "middle";
    style.bold = true;
    pli_svg_text(file, (pli_point){1, 2}, style,
                 "\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\xc3\xa4\xc3\xb6");
    char endless[2000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = 0;
    style.max_chars = 4000;
    pli_svg_text(file, (pli_point){1, 2}, style, endless);
}

static void texts_are_escaped_and_cut(void** state) {
    (void)state;
    char* text = drawn(draw_texts);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, ">a&lt;b</text>"));
    assert_non_null(strstr(text, "text-anchor=\"middle\">\xc3\xa4\xc3\xb6\xc3\xbc\xc3\x9f\u2026<"));
    assert_true(strlen(text) < 600);
    free(text);
}

static void ticks_are_round_and_inside(void** state) {
    (void)state;
    const double ranges[][2] = {{0, 1},      {-30, 90},  {0, 0.37},     {1e-7, 3e-7},
                                {-5e8, 4e8}, {0, 299.9}, {12.01, 12.09}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; ++i) {
        double low = ranges[i][0], high = ranges[i][1], slack = 1e-9 * (high - low);
        pli_ticks ticks = pli_ticks_for(low, high, 5);
        assert_true(ticks.count >= 3 && ticks.count <= 9);
        assert_true(ticks.first >= low - slack && ticks.first - ticks.step < low);
        double last = ticks.first + (ticks.count - 1) * ticks.step;
        assert_true(last <= high + slack && last + ticks.step > high);
        double lead = ticks.step / pow(10, floor(log10(ticks.step) + 1e-9));
        assert_true(fabs(lead - 1) < 1e-9 || fabs(lead - 2) < 1e-9 || fabs(lead - 5) < 1e-9);
    }
    char text[PLI_NUMBER_SIZE];
    pli_ticks ticks = pli_ticks_for(-0.3, 0.3, 6);
    assert_string_equal(pli_tick_text(&ticks, 0, text), "-0.3");
    assert_string_equal(pli_tick_text(&ticks, 3, text), "0.0"); // never "-0.0"
    assert_string_equal(pli_tick_text(&ticks, 4, text), "0.1");
    assert_int_equal(pli_ticks_for(2, 2, 5).count, 1);
}

static void prefixes_make_numbers_readable(void** state) {
    (void)state;
    assert_string_equal(pli_prefix_for(0).text, "");
    assert_string_equal(pli_prefix_for(NAN).text, "");
    assert_string_equal(pli_prefix_for(0.2).text, "");
    assert_string_equal(pli_prefix_for(999).text, "");
    assert_string_equal(pli_prefix_for(1000).text, "k");
    assert_string_equal(pli_prefix_for(0.05).text, "m");
    assert_string_equal(pli_prefix_for(2e-6).text, "\u00b5");
    assert_string_equal(pli_prefix_for(1e-30).text, "p");
    assert_string_equal(pli_prefix_for(1e30).text, "T");
    // 10^3 is exact, and so is its use.
    assert_true(pli_prefix_for(0.05).factor == 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_short_and_relative),
        cmocka_unit_test(texts_are_escaped_and_cut),
        cmocka_unit_test(ticks_are_round_and_inside),
        cmocka_unit_test(prefixes_make_numbers_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
