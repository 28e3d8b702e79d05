// Charts: valid XML, round ticks, gaps, marks, references, and every kind of bad input.
#include "result/fixture.h"

#include "result/xml_check.h"

#include "render/axes.h"

#include <math.h>

static int occurrences(const char* text, const char* part) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, part)); at += strlen(part)) ++count;
    return count;
}

// The chart as text; freed by the caller.
static char* chart_text(const pli_chart_def* def) {
    test_folder folder = make_test_folder();
    char path[2 * TEST_PATH_SIZE];
    pli_error error = {0};
    assert_int_equal(pli_chart_write(def, path_in(&folder, "c.svg", path), &error), PLI_OK);
    assert_int_equal(count_entries(&folder, true), 0);
    char* text = read_whole(&folder, "c.svg", NULL);
    remove_test_folder(&folder);
    assert_true(is_well_formed(text));
    return text;
}

static const double steps[] = {0.01, 0.02, 0.04, 0.08};

static void a_chart_has_all_its_parts(void** state) {
    (void)state;
    const double first[] = {1e-5, 2e-5, 4e-5, 8e-5}, second[] = {1e-8, 4e-8, NAN, 6.4e-7};
    const pli_series series[] = {{"order 1 & more", 4, steps, first, true, false},
                                 {"order 2", 4, steps, second, true, false},
                                 {"h^2", 4, steps, second, false, true},
                                 {NULL, 4, steps, first, false, false}};
    pli_chart_def def = pli_default_chart_def();
    def.title = "Error <of> \"it\"";
    def.x_label = "time step [s]";
    def.y_label = "error [m]";
    def.log_x = def.log_y = true;
    def.series = series;
    def.series_count = 4;
    char* text = chart_text(&def);
    assert_non_null(strstr(text, ">Error &lt;of&gt; &quot;it&quot;</text>"));
    assert_non_null(strstr(text, ">time step [s]</text>"));
    assert_non_null(strstr(text, ">error [m]</text>"));
    assert_non_null(strstr(text, ">order 1 &amp; more</text>"));
    assert_non_null(strstr(text, "width=\"640\" height=\"420\""));
    // Less than two decades: 1-2-5. More: powers of ten.
    assert_non_null(strstr(text, ">0.02</text>"));
    assert_non_null(strstr(text, ">0.05</text>"));
    assert_non_null(strstr(text, ">10\u207b\u2077</text>"));
    assert_int_equal(occurrences(text, "stroke-dasharray"), 2);     // line and legend
    assert_int_equal(occurrences(text, pli_colour_of(0)->line), 4); // the same, marks too
    assert_true(strlen(text) < 6000);
    char* again = chart_text(&def);
    assert_string_equal(text, again);
    free(again);
    free(text);
}

// The path of the only curve.
static const char* curve_path(const char* text) {
    const char* style = strstr(text, "stroke-width=\"1.9\"");
    assert_non_null(style);
    const char* path = strstr(style, "d=\"");
    assert_non_null(path);
    return path + 3;
}

static void a_curve_is_broken_where_points_are_missing(void** state) {
    (void)state;
    const double x[] = {1, 2, 3, 4, 5, 6, 7}, y[] = {1, 2, NAN, 4, HUGE_VAL, -1, 7};
    pli_series series = {"", 7, x, y, false, false};
    pli_chart_def def = pli_default_chart_def();
    def.series = &series;
    def.series_count = 1;
    for (int log_y = 0; log_y < 2; ++log_y) {
        def.log_y = log_y;
        char* text = chart_text(&def);
        const char* path = curve_path(text);
        int pieces = 0;
        for (const char* c = path; *c != '"'; ++c) pieces += *c == 'M';
        assert_int_equal(pieces, 3); // 1 2, 4, -1 7; on a logarithmic axis the last without -1
        free(text);
    }
}

static void long_curves_make_small_files(void** state) {
    (void)state;
    enum { COUNT = 100000 };
    double* x = malloc(2 * COUNT * sizeof *x);
    assert_non_null(x);
    for (int i = 0; i < COUNT; ++i) {
        x[i] = 1e-4 * i;
        x[COUNT + i] = sin(x[i]);
    }
    pli_series series = {"sine", COUNT, x, x + COUNT, false, false};
    pli_chart_def def = pli_default_chart_def();
    def.series = &series;
    def.series_count = 1;
    char* text = chart_text(&def);
    assert_true(strlen(text) < 20000);
    free(text);
    free(x);
}

// Whatever the numbers are: a valid chart, and no word that is not a number.
static void any_numbers_give_a_chart(void** state) {
    (void)state;
    const double rows[][4] = {{0, 0, 0, 0},
                              {NAN, NAN, NAN, NAN},
                              {-1, -2, -3, -4},
                              {5, 5, 5, 5},
                              {1e308, -1e308, 1e307, 0},
                              {1e-320, 1e300, 1, HUGE_VAL},
                              {1.1, 1.2, 1.3, 1.4},
                              {1e9 + 0.25, 1e9 + 0.5, 1e9 + 0.75, 1e9 + 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int axes = 0; axes < 4; ++axes) {
            pli_series series = {"s", 4, axes & 1 ? steps : rows[i], rows[i], true, false};
            pli_chart_def def = pli_default_chart_def();
            def.log_x = axes & 1;
            def.log_y = axes & 2;
            def.series = &series;
            def.series_count = 1;
            char* text = chart_text(&def);
            assert_null(strstr(text, "nan"));
            assert_null(strstr(text, "inf\""));
            assert_true(strlen(text) < 8000);
            free(text);
        }
    pli_chart_def empty = pli_default_chart_def();
    char* text = chart_text(&empty);
    assert_non_null(strstr(text, "</svg>"));
    free(text);
}

static void logarithmic_ticks_are_round_and_inside(void** state) {
    (void)state;
    char text[PLI_NUMBER_SIZE];
    pli_ticks decades = pli_log_ticks_for(3e-7, 2e2, 9);
    assert_int_equal(decades.count, 9); // 1e-6 .. 1e2
    assert_string_equal(pli_tick_text(&decades, 0, text), "10\u207b\u2076");
    assert_string_equal(pli_tick_text(&decades, 8, text), "100");
    pli_ticks sparse = pli_log_ticks_for(1e-30, 1e12, 6);
    assert_true(sparse.count >= 4 && sparse.count <= 10);
    bool one = false; // 10^0 is always among them
    for (int i = 0; i < sparse.count; ++i) one |= pli_tick_value(&sparse, i) == 1;
    assert_true(one);
    pli_ticks few = pli_log_ticks_for(0.004, 0.11, 5);
    assert_int_equal(few.count, 5); // 0.005, 0.01, 0.02, 0.05, 0.1
    assert_string_equal(pli_tick_text(&few, 0, text), "0.005");
    assert_string_equal(pli_tick_text(&few, 4, text), "0.1");
    pli_ticks narrow = pli_log_ticks_for(1.1, 1.9, 5); // no 1, 2 or 5 in between
    assert_true(narrow.count >= 3 && narrow.per_decade == 0);
    pli_ticks large = pli_log_ticks_for(1e5, 3e6, 5);
    assert_string_equal(pli_tick_text(&large, 1, text), "2\u00b710\u2075");
}

static void bad_charts_are_refused(void** state) {
    (void)state;
    test_folder folder = make_test_folder();
    char path[2 * TEST_PATH_SIZE];
    path_in(&folder, "c.svg", path);
    pli_error error = {0};
    pli_chart_def def = pli_default_chart_def();
    assert_int_equal(pli_chart_write(NULL, path, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_chart_write(&def, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_chart_write(&def, "", NULL), PLI_E_ARGUMENT);
    def.width = 10;
    assert_int_equal(pli_chart_write(&def, path, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "10 x 420"));
    def.width = 300;
    def.series_count = 1;
    assert_int_equal(pli_chart_write(&def, path, &error), PLI_E_ARGUMENT);
    pli_series series = {"s", 3, NULL, NULL, false, false};
    def.series = &series;
    assert_int_equal(pli_chart_write(&def, path, &error), PLI_E_ARGUMENT);
    series.count = -3;
    assert_int_equal(pli_chart_write(&def, path, &error), PLI_E_ARGUMENT);
    def.series_count = -1;
    assert_int_equal(pli_chart_write(&def, path, &error), PLI_E_ARGUMENT);
    def.series_count = 1;
    series.count = 0;
    assert_int_equal(pli_chart_write(&def, path_in(&folder, "absent/c.svg", path), &error),
                     PLI_E_IO);
    assert_non_null(strstr(error.message, "absent/c.svg"));
    assert_int_equal(count_entries(&folder, false), 0);
    remove_test_folder(&folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chart_has_all_its_parts),
        cmocka_unit_test(a_curve_is_broken_where_points_are_missing),
        cmocka_unit_test(long_curves_make_small_files),
        cmocka_unit_test(any_numbers_give_a_chart),
        cmocka_unit_test(logarithmic_ticks_are_round_and_inside),
        cmocka_unit_test(bad_charts_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
