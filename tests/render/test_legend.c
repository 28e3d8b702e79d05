// The key to the colours: copies and obstacles are one entry each.
#include "result/fixture.h"

#include "result/xml_check.h"

#include "render/preview.h"

// The key of bodies with these names as text, freed by the caller.
static char* key_of(int count, const char* const* names, const bool* obstacle, double right) {
    test_folder folder = make_test_folder();
    pli_snapshot s = {.body_count = count, .body_names = names, .body_obstacle = obstacle};
    pli_file file;
    assert_int_equal(pli_file_create(&file, folder.path, "key.svg", NULL), PLI_OK);
    pli_svg_begin(&file, 1200, 40, "key");
    pli_legend_write(&file, &s, (pli_point){10, 20}, right, 13);
    pli_svg_end(&file);
    assert_int_equal(pli_file_commit(&file, NULL), PLI_OK);
    char* text = read_whole(&folder, "key.svg", NULL);
    remove_test_folder(&folder);
    assert_true(is_well_formed(text));
    return text;
}

static int count_of(const char* text, const char* part) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

// The page without its background.
static int squares(const char* text) { return count_of(text, "<rect x="); }

static void copies_are_one_entry(void** state) {
    (void)state;
    static const char* const names[] = {"stone 1", "stone 2", "stone 10", "ball",
                                        "stone",   "7",       "nail 3",   "10 nails"};
    char* text = key_of(8, names, NULL, 1200);
    assert_int_equal(count_of(text, ">stone</text>"), 2); // the copies, and the one without number
    assert_int_equal(count_of(text, ">ball</text>"), 1);
    assert_int_equal(count_of(text, ">7</text>"), 1);
    assert_int_equal(count_of(text, ">nail 3</text>"), 1); // alone: with its number
    assert_int_equal(count_of(text, ">10 nails</text>"), 1);
    assert_int_equal(count_of(text, "</text>"), 6);
    assert_int_equal(squares(text), 8); // each copy has its colour
    assert_null(strstr(text, pli_colour_plain()->fill));
    free(text);
}

static void obstacles_are_one_grey_entry(void** state) {
    (void)state;
    static const char* const names[] = {"spike 0", "ball", "spike 1", "spike 2", "wall"};
    static const bool spikes[] = {true, false, true, true, false};
    static const bool mixed[] = {true, false, true, false, true};
    static const bool one[] = {true, false, false, false, false};
    char* text = key_of(5, names, spikes, 1200);
    const char *ball = strstr(text, ">ball<"), *wall = strstr(text, ">wall<"),
               *spike = strstr(text, ">spike<");
    assert_true(ball && wall && spike && ball < wall && wall < spike); // obstacles last
    assert_int_equal(squares(text), 3);
    assert_int_equal(count_of(text, pli_colour_plain()->fill), 1);
    assert_non_null(strstr(text, pli_colour_of(1)->fill)); // the ball has the colour of its number
    free(text);

    text = key_of(5, names, mixed, 1200);
    assert_int_equal(count_of(text, ">obstacles</text>"), 1);
    assert_int_equal(count_of(text, ">spike 2</text>"), 1);
    assert_int_equal(squares(text), 3);
    free(text);

    text = key_of(5, names, one, 1200);
    assert_int_equal(count_of(text, ">spike 0</text>"), 1);
    free(text);
}

// A full row says how many bodies are left; long names are cut.
static void rows_end(void** state) {
    (void)state;
    static const char* const names[] = {"first", "copy 0", "copy 1", "copy 2", "last"};
    char* text = key_of(5, names, NULL, 200);
    assert_non_null(strstr(text, ">first</text>"));
    assert_non_null(strstr(text, ">+ 4 more</text>"));
    assert_int_equal(squares(text), 1);
    free(text);
    const char* const long_name[] = {
        "a name that goes on and on and on and on and on and on and on and on and on and on and on "
        "and on and on and on"};
    text = key_of(1, long_name, NULL, 1200);
    assert_non_null(strstr(text, ">a name that goes on and"));
    assert_null(strstr(text, "and on and"));
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_are_one_entry),
        cmocka_unit_test(obstacles_are_one_grey_entry),
        cmocka_unit_test(rows_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
