// Numbers in bytes: every type, in both orders of bytes.
#include "mesh/scan.h"
#include "oracle/near.h"

// The bytes of `value` from the lowest on, or from the highest on.
static void put(uint64_t value, int size, bool highest_first, unsigned char* bytes) {
    for (int i = 0; i < size; ++i)
        bytes[highest_first ? size - 1 - i : i] = (unsigned char)(value >> (8 * i));
}

typedef struct row {
    pli_number_type type;
    uint64_t bits;
    double real;
    bool whole; // and it fits 64 bits with a sign
    int64_t integer;
} row;

static void every_type_in_both_orders(void** state) {
    (void)state;
    static const row rows[] = {
        {{'i', 1}, 0x80, -128, true, -128},
        {{'i', 1}, 0x7f, 127, true, 127},
        {{'u', 1}, 0x80, 128, true, 128},
        {{'i', 2}, 0xfffe, -2, true, -2},
        {{'u', 2}, 0xfffe, 65534, true, 65534},
        {{'i', 4}, 0x80000000, -2147483648.0, true, INT32_MIN},
        {{'u', 4}, 0x80000000, 2147483648.0, true, 2147483648},
        {{'i', 8}, 0x8000000000000000, -0x1p63, true, INT64_MIN},
        {{'i', 8}, 0xffffffffffffffff, -1, true, -1},
        {{'u', 8}, 0x7fffffffffffffff, 0x1p63, true, INT64_MAX},
        {{'u', 8}, 0x8000000000000000, 0x1p63, false, 0},
        {{'f', 4}, 0x3f000000, 0.5, false, 0},
        {{'f', 4}, 0xc0400000, -3, true, -3},
        {{'f', 8}, 0x3ff8000000000000, 1.5, false, 0},
        {{'f', 8}, 0x4330000000000000, 0x1p52, true, 1LL << 52},
        {{'f', 8}, 0x4350000000000000, 0x1p54, false, 0}, // not every neighbour is a number
        {{'f', 8}, 0x7ff0000000000000, HUGE_VAL, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        for (int order = 0; order < 2; ++order) {
            unsigned char bytes[8];
            int64_t integer = 77;
            bool swap = (order == 0) != pli_little_endian();
            put(rows[i].bits, rows[i].type.size, order == 1, bytes);
            assert_true(pli_number_real(rows[i].type, swap, bytes) == rows[i].real);
            if (pli_number_integer(rows[i].type, swap, bytes, &integer) != rows[i].whole)
                fail_msg("row %zu", i);
            if (rows[i].whole) assert_true(integer == rows[i].integer);
        }
    unsigned char nan[8];
    int64_t integer;
    put(0x7ff8000000000000, 8, !pli_little_endian(), nan);
    assert_false(pli_number_integer(PLI_FLOAT64, false, nan, &integer));
}

static void names_of_types(void** state) {
    (void)state;
    pli_number_type type = {0};
    assert_true(pli_number_named("uchar", &type) && type.kind == 'u' && type.size == 1);
    assert_true(pli_number_named("unsigned_char", &type) && type.kind == 'u' && type.size == 1);
    assert_true(pli_number_named("Float64", &type) && type.kind == 'f' && type.size == 8);
    assert_true(pli_number_named("short", &type) && type.kind == 'i' && type.size == 2);
    assert_false(pli_number_named("quad", &type));
    assert_false(pli_number_named("", &type));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_in_both_orders),
        cmocka_unit_test(names_of_types),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
