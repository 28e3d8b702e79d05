// The barrier functions against closed forms and differences.
#include "contact/barrier.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double ln2 = 0.69314718055994531;

static void close_to(double a, double b, double relative) {
    if (fabs(a - b) > relative * fabs(b)) fail_msg("%.17g is not %.17g", a, b);
}

// Values at s = 1/2, dhat = 0.01: ln 2 is the only number that is not rational.
static void test_linear_values(void** state) {
    (void)state;
    double dhat = 0.01, d = 0.005;
    pli_barrier_values b = pli_barrier_linear(d, dhat);
    close_to(b.value, 0.5 * dhat * 0.5 * ln2, 1e-15);
    close_to(b.first, 0.5 * (-ln2 - 1), 1e-15);
    close_to(b.second, (d + dhat) / (2 * d * d), 1e-14);
}

static void test_squared_values(void** state) {
    (void)state;
    double dhat = 0.5, d2 = 0.125; // s = 1/2
    pli_barrier_values b = pli_barrier_squared(d2, dhat);
    close_to(b.value, 0.5 * dhat / 8 * 0.5 * ln2, 1e-15);
    close_to(b.first, 0.5 * dhat / 8 * (-ln2 / (dhat * dhat) + (0.5 - 1) / d2), 1e-14);
    close_to(b.second, dhat / 16 * 6 / pow(dhat, 4), 1e-14);
}

// Both forms push equally stiffly where they begin: d2b/dd2 = 1 / dhat (times 1/2, both sides).
static void test_stiffness_at_dhat(void** state) {
    (void)state;
    double dhat = 0.02, d = dhat * (1 - 1e-12);
    pli_barrier_values a = pli_barrier_linear(d, dhat), b = pli_barrier_squared(d * d, dhat);
    close_to(a.second, 1 / dhat, 1e-10);
    close_to(4 * d * d * b.second + 2 * b.first, 0.5 / dhat, 1e-10);
}

static void test_outside_and_forbidden(void** state) {
    (void)state;
    double outside[3] = {0.0625, 0.07, 1e300}, forbidden[4] = {0, -0.0, -1e-9, NAN};
    for (int i = 0; i < 3; ++i) {
        pli_barrier_values b = pli_barrier_linear(outside[i], 0.0625);
        assert_true(b.value == 0 && b.first == 0 && b.second == 0);
        b = pli_barrier_squared(outside[i], 0.25);
        assert_true(b.value == 0 && b.first == 0 && b.second == 0);
    }
    for (int i = 0; i < 4; ++i) {
        assert_true(pli_barrier_linear(forbidden[i], 0.01).value == HUGE_VAL);
        assert_true(pli_barrier_squared(forbidden[i], 0.01).value == HUGE_VAL);
    }
    // Down to absurd distances everything stays a number.
    for (double d = 1e-3; d > 1e-160; d *= 1e-4) {
        pli_barrier_values b = pli_barrier_squared(d, 0.01);
        assert_true(!isnan(b.value) && isfinite(b.first) && isfinite(b.second));
    }
}

// Derivatives by differences of 4th order with step d / 100: truncation about 4e-8 relative.
static void test_derivatives(void** state) {
    (void)state;
    pli_barrier_values (*forms[2])(double, double) = {pli_barrier_linear, pli_barrier_squared};
    for (int form = 0; form < 2; ++form)
        for (double s = 1e-8; s < 0.9; s *= 3) {
            double dhat = 0.3, x = form == 0 ? s * dhat : s * dhat * dhat, h = x / 100;
            pli_barrier_values b = forms[form](x, dhat), at[4];
            const double places[4] = {-2, -1, 1, 2};
            for (int i = 0; i < 4; ++i) at[i] = forms[form](x + places[i] * h, dhat);
            double first = (8 * (at[2].value - at[1].value) - (at[3].value - at[0].value)) / 12 / h;
            double second =
                (8 * (at[2].first - at[1].first) - (at[3].first - at[0].first)) / 12 / h;
            close_to(b.first, first, 1e-7);
            close_to(b.second, second, 1e-6);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_values),     cmocka_unit_test(test_squared_values),
        cmocka_unit_test(test_stiffness_at_dhat), cmocka_unit_test(test_outside_and_forbidden),
        cmocka_unit_test(test_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
