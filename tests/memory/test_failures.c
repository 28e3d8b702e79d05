// The n-th request for memory fails, in a run of every feature: always PLI_E_MEMORY, nothing leaks,
// no block is given back with another size than it has. Either all requests after it fail too, or
// that one alone. Every n up to FIRST and the last ones, of the rest as many as make SAMPLES in
// all; with PLIANT_MEMORY_ALL=1 in the environment every n: minutes.
#include "memory/features.h"
#include "oracle/allocator.h"
#include "oracle/near.h"

enum { FIRST = 12, LAST = 4, SAMPLES = 40 };

static int next(int n, int total) {
    if (getenv("PLIANT_MEMORY_ALL") || n < FIRST || n >= total - LAST) return n + 1;
    int stride = (total - FIRST - LAST) / SAMPLES + 1, after = n + stride;
    return after < total - LAST ? after : total - LAST;
}

static void fail_once(const feature* f, pli_test_allocator how) {
    pli_allocator hook = pli_test_hook(&how);
    pli_error error = {0};
    pli_status status = f->run(f, &hook, &error);
    if (status != PLI_E_MEMORY || error.status != PLI_E_MEMORY || how.bytes > 0 || how.wrong_size)
        fail_msg("%s, request %d%s: status %d, \"%s\", %zu bytes left%s", f->name, how.fail_at,
                 how.once ? " alone" : "", status, error.message, how.bytes,
                 how.wrong_size ? ", a wrong size" : "");
}

static void every_request_may_fail(void** state) {
    (void)state;
    const char* only = getenv("PLIANT_MEMORY_ROW");
    for (int i = 0; feature_at(i); ++i) {
        const feature* f = feature_at(i);
        pli_test_allocator counter = {0};
        pli_allocator hook = pli_test_hook(&counter);
        pli_error error = {0};
        if (only && strcmp(only, f->name) != 0) continue;
        pli_status status = f->run(f, &hook, &error);
        if (status != PLI_OK) fail_msg("%s: %s", f->name, error.message);
        if (counter.bytes > 0 || counter.wrong_size)
            fail_msg("%s: %zu bytes left", f->name, counter.bytes);
        int total = counter.requests;
        print_message("    %s: %d requests\n", f->name, total);
        assert_true(total > 2);
        for (int n = 1; n <= total; n = next(n, total)) {
            fail_once(f, (pli_test_allocator){.fail_at = n});
            fail_once(f, (pli_test_allocator){.fail_at = n, .once = true});
        }
    }
}

static int begin(void** state) {
    (void)state;
    features_begin();
    return 0;
}

static int end(void** state) {
    (void)state;
    features_end();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail)};
    return cmocka_run_group_tests(tests, begin, end);
}
