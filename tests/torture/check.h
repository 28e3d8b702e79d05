// The rows of one kind as cmocka tests, small: one test per row.
#ifndef TESTS_TORTURE_CHECK_H
#define TESTS_TORTURE_CHECK_H

#include "oracle/near.h"
#include "torture/torture.h"

enum { MAX_ROWS = 32 };

static inline void check_row(void** state) {
    bout b;
    pli_status status = pli_bout_run(&b, *state, false);
    char message[sizeof b.t.error.message];
    memcpy(message, b.t.error.message, sizeof message);
    print_message("    %d steps, %d iterations, at most %d, %d pairs, distance %.2e m: %s\n",
                  b.steps, b.iterations, b.most_iterations, b.most_pairs, b.min_distance, b.figure);
    bool skipped = b.skipped;
    pli_bout_close(&b);
    if (skipped) {
        print_message("    %s: skipped\n", message);
        skip();
    }
    if (status != PLI_OK) fail_msg("%s", message);
}

static inline int check_ordeal(const ordeal* o) {
    struct CMUnitTest tests[MAX_ROWS] = {0};
    int count = 0;
    for (int i = 0; i < o->count; ++i) {
        if (o->rows[i].steps == 0) continue;
        assert_true(count < MAX_ROWS);
        tests[count].name = o->rows[i].name;
        tests[count].test_func = check_row;
        tests[count++].initial_state = (void*)(uintptr_t)&o->rows[i];
    }
    return _cmocka_run_group_tests(o->title, tests, (size_t)count, NULL, NULL);
}

#endif
