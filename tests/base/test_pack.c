// State as bytes: what is written is read, and nothing else is believed.
#include <stdlib.h>

#include "base/pack.h"
#include "oracle/allocator.h"
#include "oracle/near.h"

static pli_error error;

#define OUTER PLI_SECTION('o', 'u', 't', 'r')
#define INNER PLI_SECTION('i', 'n', 'n', 'r')

static void write_all(pli_pack* out) {
    const double numbers[3] = {1.5, -0.0, 4e-320};
    const int32_t ints[2] = {7, -1};
    size_t outer = pli_pack_open(out, OUTER, 3);
    pli_pack_int(out, -5);
    pli_pack_long(out, UINT64_MAX);
    size_t inner = pli_pack_open(out, INNER, 1);
    pli_pack_numbers(out, numbers, 3);
    pli_pack_ints(out, ints, 2);
    pli_pack_close(out, inner);
    pli_pack_text(out, "a word");
    pli_pack_number(out, HUGE_VAL);
    pli_pack_close(out, outer);
}

// Reads what write_all wrote; `in` tells how that went.
static void read_all(pli_unpack* in, double numbers[3], int32_t ints[2]) {
    int outer_version = 3, inner_version = 1;
    size_t length;
    pli_unpack outer = pli_unpack_enter(in, OUTER, &outer_version);
    int first = pli_unpack_int(&outer, -5, 5, "first");
    uint64_t second = pli_unpack_long(&outer);
    pli_unpack inner = pli_unpack_enter(&outer, INNER, &inner_version);
    pli_unpack_numbers(&inner, numbers, 3, "number");
    pli_unpack_ints(&inner, ints, 2, -1, 7, "int");
    pli_unpack_leave(&outer, &inner);
    const char* text = pli_unpack_text(&outer, 10, &length, "word");
    double last = pli_unpack_number(&outer, 0, HUGE_VAL, "last");
    pli_unpack_leave(in, &outer);
    if (pli_unpack_end(in, NULL) != PLI_OK) return;
    assert_int_equal(outer_version, 3);
    assert_int_equal(first, -5);
    assert_true(second == UINT64_MAX && last == HUGE_VAL);
    assert_int_equal(length, 6);
    assert_memory_equal(text, "a word", 6);
}

static void reads_what_was_written(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    pli_allocator hook = pli_test_hook(&counter);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    pli_pack out;
    pli_pack_init(&out, &memory);
    write_all(&out);
    ASSERT_OK(pli_pack_end(&out, &error));
    double numbers[3] = {9, 9, 9};
    int32_t ints[2] = {9, 9};
    pli_unpack in = pli_unpack_from(out.bytes, out.size);
    read_all(&in, numbers, ints);
    ASSERT_OK(pli_unpack_end(&in, &error));
    assert_true(numbers[0] == 9 && ints[1] == 9); // only looked at
    in = pli_unpack_from(out.bytes, out.size);
    in.apply = true;
    read_all(&in, numbers, ints);
    ASSERT_OK(pli_unpack_end(&in, &error));
    assert_true(numbers[0] == 1.5 && signbit(numbers[1]) && numbers[2] == 4e-320);
    assert_true(ints[0] == 7 && ints[1] == -1);
    pli_pack_free(&out);
    assert_int_equal(counter.bytes, 0);
}

static void writing_without_memory_is_reported_at_the_end(void** state) {
    (void)state;
    for (int n = 0; n < 4; ++n) {
        pli_test_allocator counter = {.fail_at = n + 1};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory memory;
        pli_memory_init(&memory, &hook);
        pli_pack out;
        pli_pack_init(&out, &memory);
        write_all(&out);
        assert_int_equal(pli_pack_end(&out, &error), PLI_E_MEMORY);
        pli_pack_free(&out);
        assert_int_equal(counter.bytes, 0);
    }
}

// Each cut, each changed byte: never read as if it were whole, or read as what it says now.
static void refuses_what_is_not_whole(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_pack out;
    pli_pack_init(&out, &memory);
    write_all(&out);
    double numbers[3];
    int32_t ints[2];
    for (size_t size = 0; size < out.size; ++size) {
        unsigned char* exact = malloc(size > 0 ? size : 1); // a sanitizer sees the end
        memcpy(exact, out.bytes, size);
        pli_unpack in = pli_unpack_from(exact, size);
        read_all(&in, numbers, ints);
        assert_int_equal(pli_unpack_end(&in, &error), PLI_E_SCENE);
        free(exact);
    }
    for (size_t i = 0; i < 16; ++i) { // name, version and length
        out.bytes[i] ^= 64;
        pli_unpack in = pli_unpack_from(out.bytes, out.size);
        read_all(&in, numbers, ints);
        assert_int_equal(pli_unpack_end(&in, &error), PLI_E_SCENE);
        out.bytes[i] ^= 64;
    }
    pli_pack_free(&out);
}

static void expect_reason(pli_unpack* in, const char* reason) {
    assert_int_equal(pli_unpack_end(in, &error), PLI_E_SCENE);
    if (!strstr(error.message, reason)) fail_msg("\"%s\", not \"%s\"", error.message, reason);
}

static void says_why(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_pack out;
    pli_pack_init(&out, &memory);
    pli_pack_int(&out, 12);
    pli_unpack in = pli_unpack_from(out.bytes, out.size);
    assert_int_equal(pli_unpack_int(&in, 0, 3, "colour"), 0);
    expect_reason(&in, "colour = 12, must be 0 to 3");
    int32_t list[1] = {9};
    in = pli_unpack_from(out.bytes, out.size);
    in.apply = true;
    pli_unpack_ints(&in, list, 1, -1, 11, "colour");
    expect_reason(&in, "colour 0 = 12, must be -1 to 11");
    assert_int_equal(list[0], 9);
    in = pli_unpack_from(out.bytes, out.size);
    expect_reason(&in, "4 bytes too many");
    pli_unpack_numbers(&in, NULL, SIZE_MAX, "weight"); // any count may be asked for
    expect_reason(&in, "it ends too early");
    pli_pack_number(&out, NAN);
    in = pli_unpack_from(out.bytes + 4, 8);
    pli_unpack_numbers(&in, NULL, 1, "weight");
    expect_reason(&in, "weight 0 is not finite");
    in = pli_unpack_from(out.bytes + 4, 8);
    assert_true(pli_unpack_number(&in, 2, 3, "weight") == 2);
    expect_reason(&in, "weight = nan, must be 2 to 3");
    out.size = 0;
    pli_pack_close(&out, pli_pack_open(&out, INNER, 2));
    int version = 1;
    in = pli_unpack_from(out.bytes, out.size);
    pli_unpack_enter(&in, INNER, &version);
    expect_reason(&in, "section \"innr\" has version 2, this program reads up to 1");
    in = pli_unpack_from(out.bytes, out.size);
    version = 2;
    pli_unpack_enter(&in, OUTER, &version);
    expect_reason(&in, "section \"innr\" found, must be \"outr\"");
    pli_pack_free(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_was_written),
        cmocka_unit_test(writing_without_memory_is_reported_at_the_end),
        cmocka_unit_test(refuses_what_is_not_whole),
        cmocka_unit_test(says_why),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
