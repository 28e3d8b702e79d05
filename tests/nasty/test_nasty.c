// Some hard scenes of every family hold; a seed always gives the same text; records are read as
// they were written.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nasty/record.h"
#include "torture/torture.h"

static const nasty_limits limits = {.rise = pli_energy_rise};

// Of the first hundred of "settings" those that take a tenth of a second and less.
static const uint64_t seeds[] = {1,  2,  3,  4,  5,  6,  7,  9,  11, 12, 13, 15, 16, 17, 19,
                                 20, 21, 23, 24, 25, 27, 30, 32, 33, 34, 38, 40, 42, 44, 45};
enum { SCENES = sizeof seeds / sizeof *seeds };

static nasty_end run_scene(const char* family, uint64_t seed) {
    static char text[NASTY_TEXT_SIZE];
    static nasty_run run;
    pli_nasty_text(pli_nasty_find_family(family), seed, text);
    pli_nasty_run(text, &limits, &run);
    if (run.end == NASTY_VIOLATED) fail_msg("%s %d: %s", family, (int)seed, run.message);
    if (run.end == NASTY_REFUSED) print_message("%s %d: %s\n", family, (int)seed, run.message);
    if (run.end == NASTY_CONVERGED) assert_int_equal(run.steps, run.steps_asked);
    assert_true(run.step_count >= run.steps && run.ledger >= 0);
    return run.end;
}

static void any_settings_hold(void** state) {
    (void)state;
    int ends[NASTY_END_COUNT] = {0};
    for (int i = 0; i < SCENES; ++i) ends[run_scene("settings", seeds[i])]++;
    print_message("%d converged, %d stopped, %d refused\n", ends[NASTY_CONVERGED],
                  ends[NASTY_STOPPED], ends[NASTY_REFUSED]);
    // The generator makes scenes that can run, and most run to their end.
    assert_true(ends[NASTY_REFUSED] <= SCENES / 10 && ends[NASTY_CONVERGED] >= SCENES / 2);
}

// Of each family one that takes a tenth of a second and less.
static const struct {
    const char* family;
    uint64_t seed;
} quick[] = {
    {"arches", 1},   {"cards", 1},     {"gaps", 1},   {"boxes", 1},   {"impacts", 1},
    {"masses", 1},   {"wedges", 1},    {"sheets", 1}, {"spins", 1},   {"ratios", 1},
    {"squeezes", 1}, {"frictions", 1}, {"leaps", 1},  {"slivers", 1}, {"columns", 1},
};

static void families_hold(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof quick / sizeof *quick; ++i)
        assert_int_not_equal(run_scene(quick[i].family, quick[i].seed), NASTY_REFUSED);
}

static void seeds_give_their_scene(void** state) {
    (void)state;
    static char a[NASTY_TEXT_SIZE], b[NASTY_TEXT_SIZE];
    for (int family = 0; pli_nasty_family(family); ++family)
        for (uint64_t seed = 1; seed <= 200; ++seed) {
            pli_nasty_text(family, seed, a);
            pli_nasty_text(family, seed, b);
            assert_string_equal(a, b);
            assert_true(strlen(a) < NASTY_TEXT_SIZE - 2000); // nothing was cut off
        }
}

// Any hundred seeds in a row have the same number of each family.
static void families_have_their_share(void** state) {
    (void)state;
    for (int family = 0; pli_nasty_family(family); ++family) {
        int first = 0, second = 0;
        for (uint64_t i = 0; i < 100; ++i) {
            first += pli_nasty_family_of(1 + i) == family;
            second += pli_nasty_family_of(777 + i) == family;
        }
        assert_int_equal(first, second);
        assert_int_equal(pli_nasty_find_family(pli_nasty_family(family)), family);
        assert_true(first > 0 || strcmp(pli_nasty_family(family), "settings") == 0);
    }
}

static void records_are_read_as_written(void** state) {
    (void)state;
    nasty_record out = {.family = "gaps", .seed = 1234567890123, .run = {.end = NASTY_STOPPED}};
    strcpy(out.run.reason, "iteration cap");
    strcpy(out.run.message, "step 3: \"a\", b\nc");
    out.run.steps = 2, out.run.steps_asked = 20, out.run.ledger = 0.5, out.run.seconds = 1.25;
    out.run.step_count = 3, out.run.step_iterations[2] = 5000, out.run.min_distance = HUGE_VAL;
    FILE* file = tmpfile();
    assert_non_null(file);
    pli_nasty_write_head(file);
    for (int i = 0; i < 3; ++i) pli_nasty_write_record(file, &out);
    rewind(file);
    int count, line;
    nasty_record* in = pli_nasty_read_records(file, &count, &line);
    assert_true(in && count == 3);
    strcpy(out.run.message, "step 3: 'a'; b c"); // what a field cannot hold is replaced
    assert_memory_equal(&in[2], &out, sizeof out);
    free(in);
    fputs("gaps,1,converged\n", file); // a line that is cut off
    rewind(file);
    assert_null(pli_nasty_read_records(file, &count, &line));
    assert_int_equal(line, 5);
    fclose(file);
}

// Whether a line of the file has these numbers behind the word it begins with.
static bool has_row(FILE* file, const char* name, int count, const double* numbers) {
    char line[400];
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) != 0) continue;
        char* at = line + strlen(name);
        int same = 0;
        while (same < count && strtod(at, &at) == numbers[same]) ++same;
        if (same == count) return true;
    }
    return false;
}

static void tables_count_scenes(void** state) {
    (void)state;
    static nasty_record before[3], after[3];
    for (int i = 0; i < 3; ++i) {
        before[i] = (nasty_record){.family = "gaps", .seed = (uint64_t)i};
        before[i].run.step_count = 2, before[i].run.seconds = 10;
        before[i].run.step_iterations[0] = 10, before[i].run.step_iterations[1] = 30;
        after[i] = before[i];
        after[i].run.step_iterations[1] = 10, after[i].run.seconds = 5;
    }
    before[0].run.end = NASTY_STOPPED, before[1].run.ledger = 0.5, before[2].run.halved = 1;
    after[1].run.unconverged = 1; // kept, but not converged
    FILE* file = tmpfile();
    assert_non_null(file);
    pli_nasty_print_table(file, before, 3);
    // scenes, converged, stopped, slow, faulty, median, 90 %, steps, halved, seconds, ledger
    assert_true(has_row(file, "gaps ", 11, (double[]){3, 2, 1, 0, 0, 10, 30, 6, 1, 30, 1}));
    assert_true(has_row(file, "all ", 11, (double[]){3, 2, 1, 0, 0, 10, 30, 6, 1, 30, 1}));
    pli_nasty_print_comparison(file, before, 3, after, 2);
    // scenes, converged, slow, halved, iterations ratio, seconds, ratio where both converged
    assert_true(has_row(file, "gaps ", 10, (double[]){2, 1, 1, 0, 0, 0, 0, 0.5, 20, 10}));
    assert_true(has_row(file, "converged before only: gaps ", 1, (double[]){1}));
    fclose(file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_settings_hold),           cmocka_unit_test(families_hold),
        cmocka_unit_test(seeds_give_their_scene),      cmocka_unit_test(families_have_their_share),
        cmocka_unit_test(records_are_read_as_written), cmocka_unit_test(tables_count_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
