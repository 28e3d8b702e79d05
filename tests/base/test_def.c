// Defs of older and newer callers, with parts that have grown: what is known is taken, the rest
// keeps its default, and sizes that cannot be right are refused. Callers' defs lie in blocks of
// exactly their size, so that a sanitizer sees every byte too many.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/def.h"

// What older headers said, and what ours say.
typedef struct old_part {
    size_t size;
    double a;
} old_part;
typedef struct old_whole {
    size_t size;
    int first;
    old_part one, two;
    double last;
} old_whole;
typedef struct new_part {
    size_t size;
    double a, b;
} new_part;
typedef struct new_whole {
    size_t size;
    int first;
    new_part one, two;
    double last, added;
} new_whole;

static const pli_def_part parts[] = {{offsetof(new_whole, one), sizeof(new_part)},
                                     {offsetof(new_whole, two), sizeof(new_part)}};
static const pli_def_layout layout = {"make_whole()", sizeof(new_whole), parts, 2};

static new_whole defaults(void) {
    return (new_whole){.size = sizeof(new_whole),
                       .first = -1,
                       .one = {sizeof(new_part), -2, -3},
                       .two = {sizeof(new_part), -4, -5},
                       .last = -6,
                       .added = -7};
}

static pli_status take(const void* bytes, size_t size, new_whole* out, pli_error* error) {
    char* block = malloc(size);
    assert_non_null(block);
    memcpy(block, bytes, size);
    *out = defaults();
    pli_status status = pli_def_take(&layout, block, out, error);
    free(block);
    return status;
}

static void same_version_is_copied(void** state) {
    (void)state;
    new_whole given = {sizeof given, 1, {sizeof(new_part), 2, 3}, {sizeof(new_part), 4, 5}, 6, 7};
    new_whole out;
    assert_int_equal(take(&given, sizeof given, &out, NULL), PLI_OK);
    assert_int_equal(out.first, 1);
    assert_true(out.one.a == 2 && out.one.b == 3 && out.two.a == 4 && out.two.b == 5);
    assert_true(out.last == 6 && out.added == 7);
}

static void older_version_is_completed(void** state) {
    (void)state;
    old_whole given = {sizeof given, 1, {sizeof(old_part), 2}, {sizeof(old_part), 4}, 6};
    new_whole out;
    assert_int_equal(take(&given, sizeof given, &out, NULL), PLI_OK);
    assert_int_equal(out.size, sizeof out);
    assert_int_equal(out.first, 1);
    assert_true(out.one.a == 2 && out.one.b == -3 && out.two.a == 4 && out.two.b == -5);
    assert_int_equal(out.one.size, sizeof(new_part));
    assert_true(out.last == 6 && out.added == -7);
}

// Every place where an older def may end.
static void cut_anywhere(void** state) {
    (void)state;
    old_whole given = {sizeof given, 1, {sizeof(old_part), 2}, {sizeof(old_part), 4}, 6};
    new_whole out;
    for (size_t size = sizeof(size_t); size <= sizeof given; size += sizeof(size_t)) {
        given.size = size;
        bool cuts_part = size == offsetof(old_whole, one.a) || size == offsetof(old_whole, two.a);
        assert_int_equal(take(&given, size, &out, NULL), cuts_part ? PLI_E_ARGUMENT : PLI_OK);
        if (cuts_part) continue;
        assert_int_equal(out.first, size > offsetof(old_whole, first) ? 1 : -1);
        assert_true(out.one.a == (size > offsetof(old_whole, one) ? 2 : -2));
        assert_true(out.two.a == (size > offsetof(old_whole, two) ? 4 : -4));
        assert_true(out.last == (size > offsetof(old_whole, last) ? 6 : -6));
        assert_true(out.added == -7);
    }
}

// Defaults go into an older def without a byte too many, and its sizes stay.
static void defaults_fit_into_an_older_version(void** state) {
    (void)state;
    const new_whole own = defaults();
    old_whole* older = malloc(sizeof *older);
    assert_non_null(older);
    *older = (old_whole){
        .size = sizeof *older, .one.size = sizeof(old_part), .two.size = sizeof(old_part)};
    pli_def_give(&layout, &own, older);
    assert_true(older->size == sizeof *older && older->one.size == sizeof(old_part));
    assert_int_equal(older->first, -1);
    assert_true(older->one.a == -2 && older->two.a == -4 && older->last == -6);
    free(older);
    new_whole same = {
        .size = sizeof same, .one.size = sizeof(new_part), .two.size = sizeof(new_part)};
    pli_def_give(&layout, &own, &same);
    assert_true(same.size == own.size && same.first == own.first && same.last == own.last);
    assert_true(same.one.size == own.one.size && same.one.a == own.one.a);
    assert_true(same.two.size == own.two.size && same.two.a == own.two.a);
    new_whole untouched = {.size = 3, .first = 9};
    pli_def_give(&layout, &own, &untouched);
    assert_int_equal(untouched.first, 9);
    pli_def_give(&layout, &own, NULL);
}

static void refuse(const new_whole* given, const char* text) {
    new_whole out;
    pli_error error = {0};
    assert_int_equal(take(given, sizeof *given, &out, &error), PLI_E_ARGUMENT);
    assert_string_equal(error.key, "size");
    assert_non_null(strstr(error.message, text));
    assert_non_null(strstr(error.message, "start from make_whole()"));
}

static void wrong_sizes_are_refused(void** state) {
    (void)state;
    const size_t wrong[] = {0, 1, 7, sizeof(size_t) + 1, sizeof(new_whole) - 1};
    new_whole given = defaults(), out;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i) {
        given.size = wrong[i];
        refuse(&given, "which sets it");
    }
    given.size = sizeof given + 8;
    refuse(&given, "newer library");
    given.size = SIZE_MAX;
    refuse(&given, "newer library");
    given = defaults();
    given.one.size = 0;
    refuse(&given, "which sets it");
    given.one.size = sizeof(new_part) + 8;
    refuse(&given, "newer library");
    given = defaults();
    given.size = offsetof(new_whole, two.b); // its second part ends behind it
    refuse(&given, "its parts take more");
    pli_error error = {0};
    assert_int_equal(pli_def_take(&layout, NULL, &out, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "def is NULL"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_version_is_copied),
        cmocka_unit_test(older_version_is_completed),
        cmocka_unit_test(cut_anywhere),
        cmocka_unit_test(defaults_fit_into_an_older_version),
        cmocka_unit_test(wrong_sizes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
