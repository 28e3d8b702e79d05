// Counted memory: growth, failure, what is in use.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "oracle/allocator.h"

static void allocates_zeroed_and_counts(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    int32_t* a = NULL;
    char* b = NULL;
    assert_int_equal(PLI_ALLOC(&memory, a, 100, NULL), PLI_OK);
    for (int i = 0; i < 100; ++i) assert_int_equal(a[i], 0);
    assert_int_equal(PLI_ALLOC(&memory, b, 7, NULL), PLI_OK);
    assert_int_equal(memory.bytes, 407);
    assert_int_equal(counter.bytes, 407);
    PLI_FREE(&memory, a, 100);
    assert_null(a);
    assert_int_equal(memory.bytes, 7);
    assert_int_equal(memory.peak, 407);
    PLI_FREE(&memory, b, 7);
    PLI_FREE(&memory, b, 0); // nothing to free is fine
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.calls, 4);
    assert_false(counter.wrong_size);
}

static void resize_keeps_contents(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    int* a = NULL;
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 0, 3, NULL), PLI_OK);
    for (int i = 0; i < 3; ++i) a[i] = i + 1;
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 3, 6, NULL), PLI_OK);
    for (int i = 0; i < 6; ++i) assert_int_equal(a[i], i < 3 ? i + 1 : 0);
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 6, 2, NULL), PLI_OK);
    assert_int_equal(a[1], 2);
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 2, 2, NULL), PLI_OK);
    assert_int_equal(memory.bytes, 2 * sizeof *a);
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 2, 0, NULL), PLI_OK);
    assert_null(a);
    assert_int_equal(counter.bytes, 0);
    assert_false(counter.wrong_size);
}

static void grows_by_doubling(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    double* a = NULL;
    int capacity = 0;
    for (int i = 0; i < 10000; ++i) {
        assert_int_equal(PLI_GROW(&memory, a, capacity, i + 1, NULL), PLI_OK);
        assert_true(capacity > i);
        a[i] = i;
    }
    for (int i = 0; i < 10000; ++i) assert_true(a[i] == i);
    assert_true(counter.requests <= 12);
    assert_int_equal(PLI_GROW(&memory, a, capacity, 5, NULL), PLI_OK); // never shrinks
    assert_true(capacity >= 10000);
    PLI_FREE(&memory, a, capacity);
    assert_int_equal(counter.bytes, 0);
    assert_false(counter.wrong_size);
}

static void failure_leaves_everything(void** state) {
    (void)state;
    pli_test_allocator counter = {.fail_at = 2};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    int *a = NULL, *b = NULL, capacity = 0;
    pli_error error = {0};
    assert_int_equal(PLI_GROW(&memory, a, capacity, 1, &error), PLI_OK);
    a[0] = 42;
    int* before = a;
    int capacity_before = capacity;
    assert_int_equal(PLI_GROW(&memory, a, capacity, 1000, &error), PLI_E_MEMORY);
    assert_ptr_equal(a, before);
    assert_int_equal(capacity, capacity_before);
    assert_int_equal(a[0], 42);
    assert_int_equal(error.status, PLI_E_MEMORY);
    assert_string_equal(error.message, "out of memory: 4096 bytes asked for, 32 in use");
    assert_int_equal(PLI_ALLOC(&memory, b, 3, NULL), PLI_E_MEMORY);
    assert_null(b);
    assert_int_equal(memory.bytes, 32);
    PLI_FREE(&memory, a, capacity);
    assert_int_equal(counter.bytes, 0);
}

// Sizes that no size_t can count are refused before the allocator sees them.
static void absurd_sizes(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    double* a = NULL;
    assert_int_equal(pli_resize(&memory, &a, sizeof *a, 0, SIZE_MAX / 4, NULL), PLI_E_MEMORY);
    assert_int_equal(counter.requests, 0);
    assert_null(a);
}

static void copies_text(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    char* copy = NULL;
    assert_int_equal(pli_copy_text(&memory, "spring", &copy, NULL), PLI_OK);
    assert_string_equal(copy, "spring");
    pli_free_text(&memory, &copy);
    assert_null(copy);
    pli_free_text(&memory, &copy);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates_zeroed_and_counts),
        cmocka_unit_test(resize_keeps_contents),
        cmocka_unit_test(grows_by_doubling),
        cmocka_unit_test(failure_leaves_everything),
        cmocka_unit_test(absurd_sizes),
        cmocka_unit_test(copies_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
