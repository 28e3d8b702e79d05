// Numbers and errors as text.
#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "oracle/random.h"

static void check_round_trip(double value) {
    char text[PLI_NUMBER_SIZE];
    const char* end;
    double back = pli_parse_double(pli_format_double(value, text), &end);
    assert_memory_equal(&back, &value, sizeof value);
    assert_int_equal(*end, 0);
}

static void doubles_survive(void** state) {
    (void)state;
    static const double special[] = {0,       -0.0,    1,     0.1,         1.0 / 3,    5e-324,
                                     DBL_MIN, DBL_MAX, 1e100, -123456.789, 1 + 0x1p-52};
    for (size_t i = 0; i < sizeof special / sizeof *special; ++i) check_round_trip(special[i]);
    pli_random r = {51};
    for (int i = 0; i < 20000; ++i) {
        uint64_t bits = (uint64_t)pli_random_bits(&r) << 32 | pli_random_bits(&r);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) check_round_trip(value);
    }
}

static void shortest_form(void** state) {
    (void)state;
    char text[PLI_NUMBER_SIZE];
    assert_string_equal(pli_format_double(0.1, text), "0.1");
    assert_string_equal(pli_format_double(-2.5e-7, text), "-2.5e-07");
    assert_string_equal(pli_format_double(1e5, text), "100000");
    assert_string_equal(pli_format_double(NAN, text), "null");
    assert_string_equal(pli_format_double(-HUGE_VAL, text), "null");
}

static void parse_stops_where_the_number_ends(void** state) {
    (void)state;
    const char *text = "1.5e3,7", *end, *none = "abc";
    assert_true(pli_parse_double(text, &end) == 1500);
    assert_ptr_equal(end, text + 5);
    pli_parse_double(none, &end);
    assert_ptr_equal(end, none);
    assert_true(pli_parse_double("2", NULL) == 2);
}

// Under a locale that writes 1,5 nothing changes. Skipped where no such locale is installed.
static void locale_plays_no_part(void** state) {
    (void)state;
    static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8",  "fr_FR.UTF-8", "fr_FR.utf8",
                                        "it_IT.UTF-8", "es_ES.UTF-8", "nl_NL.UTF-8", "de_DE"};
    const char* found = NULL;
    for (size_t i = 0; !found && i < sizeof names / sizeof *names; ++i)
        if (setlocale(LC_ALL, names[i]) && localeconv()->decimal_point[0] == ',') found = names[i];
    if (!found) {
        setlocale(LC_ALL, "C");
        print_message("no locale with a decimal comma is installed: skipped\n");
        skip();
    }
    char text[PLI_NUMBER_SIZE], here[32];
    snprintf(here, sizeof here, "%.1f", 1.5);
    assert_string_equal(here, "1,5"); // the locale is active
    assert_string_equal(pli_format_double(1.5, text), "1.5");
    assert_true(pli_parse_double("1.5", NULL) == 1.5);
    pli_format(text, sizeof text, "%.2f %d", 2.25, 7);
    assert_string_equal(text, "2.25 7");
    snprintf(here, sizeof here, "%.1f", 1.5);
    assert_string_equal(here, "1,5"); // and stays active
    setlocale(LC_ALL, "C");
}

static void edit_distances(void** state) {
    (void)state;
    assert_int_equal(pli_edit_distance("", ""), 0);
    assert_int_equal(pli_edit_distance("stiffness", "stiffness"), 0);
    assert_int_equal(pli_edit_distance("", "abc"), 3);
    assert_int_equal(pli_edit_distance("abc", ""), 3);
    assert_int_equal(pli_edit_distance("stifness", "stiffness"), 1); // insert
    assert_int_equal(pli_edit_distance("densityy", "density"), 1);   // delete
    assert_int_equal(pli_edit_distance("densita", "density"), 1);    // replace
    assert_int_equal(pli_edit_distance("desnity", "density"), 1);    // swap
    assert_int_equal(pli_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(pli_edit_distance("ca", "abc"), 3); // optimal string alignment, not 2
    char a[200], b[200];
    memset(a, 'x', sizeof a - 1);
    memset(b, 'y', sizeof b - 1);
    a[199] = b[199] = 0;
    assert_int_equal(pli_edit_distance(a, b), 63); // long words are cut
}

static void formats_like_snprintf(void** state) {
    (void)state;
    char small[5];
    assert_int_equal(pli_format(small, sizeof small, "%s", "abcdefg"), 7);
    assert_string_equal(small, "abcd");
}

static void errors(void** state) {
    (void)state;
    pli_error error = {0};
    assert_int_equal(pli_fail_at(&error, PLI_E_SCENE, 14, 20, "density = %g", -5.0), PLI_E_SCENE);
    pli_error_prefix(&error, "body \"%s\"", "mat");
    assert_string_equal(error.message, "body \"mat\": density = -5");
    assert_int_equal(error.line, 14);
    assert_int_equal(error.column, 20);
    assert_int_equal(pli_fail(&error, PLI_E_IO, "gone"), PLI_E_IO);
    assert_int_equal(error.line, 0);
    assert_int_equal(pli_fail(NULL, PLI_E_IO, "gone"), PLI_E_IO); // nobody listens
    pli_error_prefix(NULL, "x");
    char text[600];
    memset(text, 'a', sizeof text - 1);
    text[599] = 0;
    pli_error_fill(&error, PLI_E_IO, "%s", text);
    pli_error_prefix(&error, "long");
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_memory_equal(error.message, "long: aaa", 9);
    assert_string_equal(pli_status_text(PLI_E_MEMORY), "out of memory");
    assert_string_equal(pli_status_text((pli_status)99), "unknown status");
    char version[40];
    snprintf(version, sizeof version, "%d.%d.%d", PLI_VERSION_MAJOR, PLI_VERSION_MINOR,
             PLI_VERSION_PATCH);
    assert_string_equal(pli_version(), version);
}

static void utf8_is_recognized(void** state) {
    (void)state;
    assert_int_equal(pli_utf8_length(""), 0);
    assert_int_equal(pli_utf8_length("a"), 1);
    assert_int_equal(pli_utf8_length("\xc3\xa4"), 2);
    assert_int_equal(pli_utf8_length("\xe2\x82\xac"), 3);
    assert_int_equal(pli_utf8_length("\xf0\x9f\x98\x80"), 4);
    assert_int_equal(pli_utf8_length("\x80"), 0);
    assert_int_equal(pli_utf8_length("\xc0\x80"), 0);         // overlong
    assert_int_equal(pli_utf8_length("\xe0\x80\x80"), 0);     // overlong
    assert_int_equal(pli_utf8_length("\xed\xa0\x80"), 0);     // surrogate
    assert_int_equal(pli_utf8_length("\xf4\x90\x80\x80"), 0); // beyond U+10FFFF
}

static void printable(const char* text, size_t size, const char* expected) {
    char buffer[64];
    assert_true(size <= sizeof buffer);
    assert_string_equal(pli_printable(text, buffer, size), expected);
}

static void text_for_terminals(void** state) {
    (void)state;
    printable("plain", 64, "plain");
    printable("a\nb\tc\x1b[31m\x7f", 64, "a?b?c?[31m?");
    printable("\xc2\x9b"
              "2J \xc2\xa0 \xc3\xa4 \xe2\x82\xac",
              64, "?2J \xc2\xa0 \xc3\xa4 \xe2\x82\xac");
    printable("\xe2\x80\xa8 \xe2\x80\xae \xe2\x81\xa6", 64, "? ? ?"); // line end, directions
    printable("\xff \xe2\x82", 64, "? ??");
    printable("\xc3\xa4\xc3\xa4", 4, "\xc3\xa4"); // half a character is not left
    printable("ab", 1, "");
    char text[] = "x\xc2\x80y\n";
    assert_string_equal(pli_printable(text, text, sizeof text), "x?y?"); // in place
    assert_string_equal(pli_printable(NULL, text, sizeof text), "");
    assert_null(pli_printable("a", NULL, 5));
    assert_ptr_equal(pli_printable("a", text, 0), text);
}

static const char* fruit(int i) {
    static const char* const words[] = {"apple", "cherry", NULL};
    return words[i];
}

static void nearest_word(void** state) {
    (void)state;
    assert_string_equal(pli_nearest_word("aple", fruit), "apple");
    assert_null(pli_nearest_word("fish", fruit));
    assert_null(pli_nearest_word(NULL, fruit));
    assert_null(pli_nearest_word("word", NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_is_recognized),
        cmocka_unit_test(text_for_terminals),
        cmocka_unit_test(nearest_word),
        cmocka_unit_test(doubles_survive),
        cmocka_unit_test(shortest_form),
        cmocka_unit_test(parse_stops_where_the_number_ends),
        cmocka_unit_test(locale_plays_no_part),
        cmocka_unit_test(edit_distances),
        cmocka_unit_test(formats_like_snprintf),
        cmocka_unit_test(errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
