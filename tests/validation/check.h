// The rows of one part as cmocka tests, at their fast resolutions: one test per family.
#ifndef TESTS_VALIDATION_CHECK_H
#define TESTS_VALIDATION_CHECK_H

#include "oracle/near.h"
#include "validation/problems.h"

enum { MAX_FAMILIES = 16 };

static inline void check_family(void** state) {
    const family* f = *state;
    int failed = 0;
    for (int i = 0; i < f->count; ++i) {
        const problem* row = &f->rows[i];
        verdict v;
        if (row->fast == 0) continue;
        pli_problem_judge(row, row->fast, &v);
        const outcome* last = &v.at[v.count > 0 ? v.count - 1 : 0];
        print_message("    %-36s %.9g, exact %.9g, error %.2g of %.2g", row->name, last->computed,
                      last->exact, last->error, v.tolerance);
        if (row->order > 0 && v.count > 1) print_message(", order %.3f", v.order);
        print_message("%s%s\n", v.pass ? "" : ": ", v.message);
        failed += !v.pass;
    }
    if (failed > 0) fail_msg("%d of %d rows failed", failed, f->count);
}

static inline int check_part(const part* p) {
    struct CMUnitTest tests[MAX_FAMILIES] = {0};
    assert_true(p->count <= MAX_FAMILIES);
    for (int i = 0; i < p->count; ++i) {
        tests[i].name = p->families[i].title;
        tests[i].test_func = check_family;
        tests[i].initial_state = (void*)(uintptr_t)&p->families[i];
    }
    return _cmocka_run_group_tests(p->title, tests, (size_t)p->count, NULL, NULL);
}

#endif
