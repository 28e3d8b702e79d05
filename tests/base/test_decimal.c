// Numbers as text the quick way: the same as by printf and strtod, wherever there is an answer.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "oracle/random.h"

static const char* by_printf(double value, char text[PLI_NUMBER_SIZE]) {
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, PLI_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

// Whether there was an answer.
static bool check(double value) {
    char text[PLI_NUMBER_SIZE], expected[PLI_NUMBER_SIZE];
    if (!isfinite(value) || !pli_shortest_decimal(value, text)) return false;
    assert_string_equal(text, by_printf(value, expected));
    return true;
}

static void plain_numbers_are_quick(void** state) {
    (void)state;
    static const double numbers[] = {0,    -0.0,  1,     -1,     2,       10,       100,     0.5,
                                     0.25, 0.1,   0.3,   0.125,  1e-4,    3e-5,     1e-7,    1e15,
                                     1e14, 999.5, 1e-20, 2.5e-7, 1234567, 65536e10, 0.99999, -9.81};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) assert_true(check(numbers[i]));
}

static void far_numbers_are_left_to_printf(void** state) {
    (void)state;
    static const double numbers[] = {1e16, 1e17, 1e300, 1e-37, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) check(numbers[i]);
}

// Around all powers of two and ten, where bits and digits change their size.
static void powers_and_their_neighbours(void** state) {
    (void)state;
    for (int power = -130; power <= 60; ++power) {
        double two = ldexp(1, power), ten = power > -40 ? pow(10, power) : 1e-36;
        const double numbers[] = {two, ten};
        for (int i = 0; i < 2; ++i) {
            check(numbers[i]);
            check(nextafter(numbers[i], 0));
            check(nextafter(numbers[i], HUGE_VAL));
        }
    }
}

static void random_numbers_are_those_of_printf(void** state) {
    (void)state;
    enum { COUNT = 200000 };
    pli_random random = {3};
    int quick = 0;
    for (int i = 0; i < COUNT; ++i) {
        double value = pli_random_in(&random, -1, 1) + pli_random_in(&random, -1, 1) / 4294967296.0;
        int power = pli_random_below(&random, 50) - 35;
        double digits = pli_random_below(&random, 100000);
        quick += check(value * pow(10, power));
        check(digits / 1000);
        check(digits * pow(10, power));
        check(ldexp(digits, pli_random_below(&random, 100) - 80));
    }
    assert_true(quick > COUNT * 8 / 10); // else it is of no use
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_numbers_are_quick),
        cmocka_unit_test(far_numbers_are_left_to_printf),
        cmocka_unit_test(powers_and_their_neighbours),
        cmocka_unit_test(random_numbers_are_those_of_printf),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
