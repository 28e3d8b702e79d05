// The soak runs, short: memory does not grow once all have met all, energy stays in its bounds,
// nothing intersects.
#include "memory/soak.h"
#include "oracle/near.h"

static void short_soak(void** state) {
    (void)state;
    for (int i = 0; soak_at(i); ++i) {
        const soak_case* c = soak_at(i);
        soak_report report;
        pli_error error = {0};
        char text[256];
        if (soak_run(c, c->contact ? 600 : 2000, NULL, NULL, &report, &error) != PLI_OK)
            fail_msg("%s: %s", c->scene, error.message);
        const char* wrong = soak_verdict(c, &report, text);
        if (wrong) fail_msg("%s: %s", c->scene, wrong);
        assert_int_equal(report.steps, c->contact ? 600 : 2000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_soak)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
