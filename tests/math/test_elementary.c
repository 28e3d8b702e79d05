// Elementary functions beside those of the C library in long double, which has 11 bits more, and at
// the borders beside those in double.
#include "oracle/near.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "math/elementary.h"
#include "oracle/random.h"

static bool same_number(double a, double b) {
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

// How far `found` is from the truth, in ulps of the truth.
static double ulps(double found, long double truth) {
    double near = (double)truth;
    if (isnan(near) || isinf(near) || near == 0) return same_number(found, near) ? 0 : HUGE_VAL;
    int e;
    frexpl(truth, &e);
    long double ulp = ldexpl(1, e - 53 > -1074 ? e - 53 : -1074);
    return (double)fabsl((found - truth) / ulp);
}

typedef struct row {
    const char* name;
    double (*ours)(double);
    double (*theirs)(double);
    long double (*truth)(long double);
    double low, high; // random arguments
    double most;      // error [ulp], a little above what was found
} row;

// 1: "below one ulp" is the promise; most are near the 1/2 of the last rounding.
static const row rows[] = {
    {"exp", pli_exp, exp, expl, -745, -708, 1}, // rounded twice
    {"exp", pli_exp, exp, expl, -708, 709.7, 0.55},
    {"exp", pli_exp, exp, expl, -1, 1, 0.55},
    {"log", pli_log, log, logl, 0, 3, 0.75},
    {"log", pli_log, log, logl, 0, 1e300, 0.75},
    {"log", pli_log, log, logl, 0.7, 1.42, 0.75},
    {"log1p", pli_log1p, log1p, log1pl, -1, 1, 0.75},
    {"log1p", pli_log1p, log1p, log1pl, 0, 1e17, 0.75},
    {"sin", pli_sin, sin, sinl, -10, 10, 0.75},
    {"sin", pli_sin, sin, sinl, -1e22, 1e22, 0.75},
    {"sin", pli_sin, sin, sinl, -8e307, 8e307, 0.75},
    {"cos", pli_cos, cos, cosl, -10, 10, 0.75},
    {"cos", pli_cos, cos, cosl, -8e307, 8e307, 0.75},
    {"tan", pli_tan, tan, tanl, -10, 10, 0.9},
    {"tan", pli_tan, tan, tanl, -8e307, 8e307, 0.9},
    {"asin", pli_asin, asin, asinl, -1, 1, 0.55},
    {"acos", pli_acos, acos, acosl, -1, 1, 0.55},
    {"atan", pli_atan, atan, atanl, -3, 3, 0.55},
    {"atan", pli_atan, atan, atanl, -1e9, 1e9, 0.55},
    {"sinh", pli_sinh, sinh, sinhl, -2, 2, 0.8},
    {"sinh", pli_sinh, sinh, sinhl, -710, 710, 0.8},
    {"cosh", pli_cosh, cosh, coshl, -2, 2, 0.8},
    {"cosh", pli_cosh, cosh, coshl, -710, 710, 0.8},
    {"tanh", pli_tanh, tanh, tanhl, -2, 2, 0.8},
    {"tanh", pli_tanh, tanh, tanhl, -30, 30, 0.8},
};
enum { ROWS = sizeof rows / sizeof *rows };

static void errors_are_below_an_ulp(void** state) {
    (void)state;
    pli_random r = {71};
    for (int i = 0; i < ROWS; ++i) {
        const row* f = &rows[i];
        double worst = 0, at = 0;
        for (int k = 0; k < 20000; ++k) {
            double x = pli_random_in(&r, f->low, f->high);
            if (k % 2) x *= pow(2, -pli_random_in(&r, 0, k % 4 == 1 ? 10 : 900)); // small ones too
            double error = ulps(f->ours(x), f->truth(x));
            if (error > worst) worst = error, at = x;
        }
        if (worst > f->most) print_error("%s(%.17g): %.3f ulp\n", f->name, at, worst);
        assert_true(worst <= f->most);
    }
}

// What lies at the border, the same numbers as the C library's, zeros by their sign.
static const double borders[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 HUGE_VAL,
                                 -HUGE_VAL,
                                 NAN,
                                 DBL_MIN,
                                 -DBL_MIN,
                                 DBL_TRUE_MIN,
                                 -DBL_TRUE_MIN,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 0x1p-30,
                                 -0x1p-30,
                                 2,
                                 -2,
                                 3,
                                 -3,
                                 0.5,
                                 -0.5,
                                 1e4,
                                 -1e4,
                                 2.5,
                                 -2.5,
                                 1e17,
                                 -1e17,
                                 0x1p53,
                                 -0x1p53,
                                 0x1.fffffffffffffp52,
                                 -0x1.fffffffffffffp52};
enum { BORDERS = sizeof borders / sizeof *borders };

static void borders_are_those_of_the_standard(void** state) {
    (void)state;
    for (int i = 0; i < ROWS; ++i)
        for (int k = 0; k < BORDERS; ++k) {
            double x = borders[k], found = rows[i].ours(x), theirs = rows[i].theirs(x);
            if (isfinite(theirs) && theirs != 0) {
                assert_true(ulps(found, rows[i].truth(x)) < 1);
                continue;
            }
            if (!same_number(found, theirs))
                print_error("%s(%g): %g, not %g\n", rows[i].name, x, found, theirs);
            assert_true(same_number(found, theirs));
        }
}

static void check_two(const char* name, double x, double y, double found, long double truth,
                      double most) {
    double error = ulps(found, truth);
    if (error > most) print_error("%s(%.17g, %.17g) = %.17g: %.3f ulp\n", name, x, y, found, error);
    assert_true(error <= most);
}

static void functions_of_two(void** state) {
    (void)state;
    pli_random r = {72};
    for (int i = 0; i < BORDERS; ++i)
        for (int k = 0; k < BORDERS; ++k) {
            double x = borders[i], y = borders[k];
            check_two("pow", x, y, pli_pow(x, y), powl(x, y), 1);
            check_two("atan2", y, x, pli_atan2(y, x), atan2l(y, x), 1);
            check_two("hypot", x, y, pli_hypot(x, y), hypotl(x, y), 1.1);
        }
    for (int k = 0; k < 40000; ++k) {
        double x = pow(2, pli_random_in(&r, -1070, 1023)), wide = pli_random_in(&r, -1, 1);
        double near = pli_random_in(&r, 0.5, 2), y = pow(2, pli_random_in(&r, -1070, 1023));
        double power = pli_random_in(&r, -745, 709) / log(near), signs = k % 2 ? 1 : -1;
        check_two("pow", near, power, pli_pow(near, power), powl(near, power), 0.75);
        check_two("pow", x, wide, pli_pow(x, wide), powl(x, wide), 0.75);
        check_two("atan2", wide, near, pli_atan2(wide, signs * near), atan2l(wide, signs * near),
                  0.55);
        check_two("atan2", y, x, pli_atan2(y, signs * x), atan2l(y, signs * x), 0.55);
        check_two("hypot", x, y, pli_hypot(x, y), hypotl(x, y), 1.1);
        check_two("hypot", near, wide, pli_hypot(near, wide), hypotl(near, wide), 1.1);
    }
}

// Multiples of pi/2 are where a reduction loses most: the double nearest to one of them, and the
// one that comes nearest of all doubles.
static void angles_next_to_quarter_turns(void** state) {
    (void)state;
    for (int n = 1; n < 20000; ++n) {
        double x = (double)(n * 1.57079632679489661923132169163975144L);
        assert_true(ulps(pli_sin(x), sinl(x)) < 0.6 && ulps(pli_cos(x), cosl(x)) < 0.6);
        assert_true(ulps(pli_tan(x), tanl(x)) < 0.7);
    }
    double nearest = 0x1.6ac5b262ca1ffp+849;
    assert_true(ulps(pli_cos(nearest), -4.68716592425462761112e-19L) < 0.6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_below_an_ulp),
        cmocka_unit_test(borders_are_those_of_the_standard),
        cmocka_unit_test(functions_of_two),
        cmocka_unit_test(angles_next_to_quarter_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
