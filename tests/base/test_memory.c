// Counted memory: growth, failure, what is in use.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/text.h"
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
    assert_int_equal(PLI_GROW(&memory, a, capacity, INT32_MIN, &error), PLI_E_MEMORY); // overflowed
    assert_int_equal(capacity, capacity_before);
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

// Two users of one budget: the limit is theirs together, and what was refused changed nothing.
static void budget_is_shared_and_kept(void** state) {
    (void)state;
    pli_error error = {0};
    pli_budget* budget = NULL;
    assert_int_equal(pli_budget_create(10000, &budget, &error), PLI_OK);
    pli_allocator hook = {.budget = budget};
    pli_memory one, two;
    pli_memory_init(&one, &hook);
    pli_memory_init(&two, &hook);
    char *a = NULL, *b = NULL;
    assert_int_equal(PLI_ALLOC(&one, a, 6000, &error), PLI_OK);
    assert_int_equal(PLI_ALLOC(&two, b, 4001, &error), PLI_E_MEMORY);
    assert_string_equal(error.message,
                        "out of memory: 4 kB more asked for, 6 kB in use, the limit is 10 kB");
    assert_null(b);
    assert_int_equal(two.bytes, 0);
    assert_int_equal(two.calls, 0);
    assert_int_equal(PLI_ALLOC(&two, b, 4000, &error), PLI_OK);
    assert_int_equal(pli_budget_used(budget), 10000);
    assert_int_equal(pli_memory_room(&one), 0);
    assert_int_equal(pli_resize(&one, &a, 1, 6000, 6001, &error), PLI_E_MEMORY);
    assert_int_equal(pli_resize(&one, &a, 1, 6000, 1000, &error), PLI_OK);
    assert_int_equal(pli_memory_room(&two), 5000);
    PLI_FREE(&one, a, 1000);
    PLI_FREE(&two, b, 4000);
    assert_int_equal(pli_budget_used(budget), 0);
    assert_int_equal(pli_budget_peak(budget), 10000);
    pli_budget_destroy(budget);
}

// What malloc could not give is not counted.
static void budget_counts_only_what_was_given(void** state) {
    (void)state;
    pli_budget* budget = NULL;
    assert_int_equal(pli_budget_create(0, &budget, NULL), PLI_OK);
    pli_test_allocator counter = {.fail_at = 1};
    pli_allocator hook = pli_test_hook(&counter);
    hook.budget = budget;
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    char* a = NULL;
    assert_int_equal(PLI_ALLOC(&memory, a, 100, NULL), PLI_E_MEMORY);
    assert_int_equal(pli_budget_used(budget), 0);
    assert_int_equal(memory.peak, 0);
    assert_true(pli_memory_room(&memory) == SIZE_MAX);
    pli_budget_destroy(budget);
}

// Foreign memory counts as ours while it is claimed.
static void claims_count(void** state) {
    (void)state;
    pli_budget* budget = NULL;
    assert_int_equal(pli_budget_create(1000, &budget, NULL), PLI_OK);
    pli_allocator hook = {.budget = budget};
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    size_t claimed = 0;
    assert_int_equal(pli_claim(&memory, &claimed, 900, NULL), PLI_OK);
    assert_int_equal(pli_claim(&memory, &claimed, 1001, NULL), PLI_E_MEMORY);
    assert_int_equal(claimed, 900);
    assert_int_equal(memory.bytes, 900);
    assert_int_equal(pli_claim(&memory, &claimed, 10, NULL), PLI_OK);
    assert_int_equal(pli_budget_used(budget), 10);
    assert_int_equal(pli_claim(&memory, &claimed, 0, NULL), PLI_OK);
    assert_int_equal(memory.bytes, 0);
    assert_int_equal(memory.peak, 900);
    assert_true(pli_budget_take(budget, 1000));
    assert_false(pli_budget_take(budget, 1));
    pli_budget_give(budget, 1000);
    pli_budget_destroy(budget);
}

// A kept block stays where it is with its contents and is counted, whatever becomes of its owner's.
static void kept_blocks_stay(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    int* owner;
    assert_int_equal(PLI_ALLOC(&memory, owner, 4, NULL), PLI_OK);
    owner[3] = 7;
    const int* reader = owner;
    for (int i = 0; i < 2; ++i) assert_int_equal(pli_keep_block(&memory, reader, NULL), PLI_OK);
    size_t before = memory.bytes;
    assert_int_equal(pli_resize(&memory, &owner, sizeof *owner, 4, 8, NULL), PLI_OK);
    assert_ptr_not_equal(owner, reader);
    assert_int_equal(owner[3], 7);
    assert_int_equal(memory.bytes, before + 8 * sizeof *owner); // both
    owner[3] = 8;
    PLI_FREE(&memory, owner, 8);
    assert_int_equal(memory.bytes, before);
    pli_drop_block(&memory, reader);
    assert_int_equal(reader[3], 7); // kept once more
    pli_drop_block(&memory, &before);
    pli_drop_block(&memory, reader);
    assert_int_equal(memory.bytes, before - 4 * sizeof *owner);

    // One that is in use when it is dropped belongs to its owner again.
    assert_int_equal(PLI_ALLOC(&memory, owner, 4, NULL), PLI_OK);
    assert_int_equal(pli_keep_block(&memory, owner, NULL), PLI_OK);
    pli_drop_all_blocks(&memory);
    assert_int_equal(memory.bytes, 4 * sizeof *owner);
    PLI_FREE(&memory, owner, 4);
    assert_int_equal(memory.bytes, 0);
}

static void bytes_as_text(void** state) {
    (void)state;
    const struct {
        double bytes;
        const char* text;
    } rows[] = {{0, "0 bytes"},     {999, "999 bytes"}, {999.6, "1 kB"},
                {8.12e8, "812 MB"}, {3.4e9, "3.4 GB"},  {1e18, "1e+03 PB"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        char text[24];
        assert_string_equal(pli_bytes_text(rows[i].bytes, text, sizeof text), rows[i].text);
    }
    char text[8];
    assert_non_null(pli_bytes_text(NAN, text, sizeof text));
    assert_null(pli_bytes_text(1, NULL, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocates_zeroed_and_counts),
        cmocka_unit_test(resize_keeps_contents),
        cmocka_unit_test(grows_by_doubling),
        cmocka_unit_test(failure_leaves_everything),
        cmocka_unit_test(absurd_sizes),
        cmocka_unit_test(copies_text),
        cmocka_unit_test(budget_is_shared_and_kept),
        cmocka_unit_test(budget_counts_only_what_was_given),
        cmocka_unit_test(claims_count),
        cmocka_unit_test(kept_blocks_stay),
        cmocka_unit_test(bytes_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
