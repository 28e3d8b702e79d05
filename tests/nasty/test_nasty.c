// Thirty nasty scenes hold; the same seed gives the same text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "nasty/nasty.h"

// Of the first hundred those that take a tenth of a second and less.
static const uint64_t seeds[] = {1,  2,  3,  4,  5,  6,  7,  9,  11, 12, 13, 15, 16, 17, 19,
                                 20, 21, 23, 24, 25, 27, 30, 32, 33, 34, 38, 40, 42, 44, 45};
enum { SCENES = sizeof seeds / sizeof *seeds, STEPS = 1000 };

static void scenes_hold(void** state) {
    (void)state;
    static char text[NASTY_TEXT_SIZE];
    int ends[4] = {0};
    for (int i = 0; i < SCENES; ++i) {
        nasty_run run;
        int seed = (int)seeds[i];
        pli_nasty_text(seeds[i], text);
        pli_nasty_run(text, STEPS, &run);
        if (run.end == NASTY_VIOLATED) fail_msg("seed %d: %s", seed, run.message);
        if (run.end == NASTY_REFUSED) print_message("seed %d: %s\n", seed, run.message);
        ends[run.end]++;
    }
    print_message("%d converged, %d stopped, %d refused\n", ends[0], ends[1], ends[2]);
    // The generator makes scenes that can run, and most run to their end.
    assert_true(ends[NASTY_REFUSED] <= SCENES / 10 && ends[NASTY_CONVERGED] >= SCENES / 2);
}

static void seeds_give_their_scene(void** state) {
    (void)state;
    static char a[NASTY_TEXT_SIZE], b[NASTY_TEXT_SIZE];
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        pli_nasty_text(seed, a);
        pli_nasty_text(seed, b);
        assert_string_equal(a, b);
        assert_true(strlen(a) < NASTY_TEXT_SIZE - 2000); // nothing was cut off
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_hold),
        cmocka_unit_test(seeds_give_their_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
