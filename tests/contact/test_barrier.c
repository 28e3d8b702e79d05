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

// The clamped log at shat = 1, by arithmetic of 40 digits.
static void test_clamped_log_table(void** state) {
    (void)state;
    static const double table[7][4] = {
        {1e-8, 18.4206803755387524, -100000034.841361129, 1.00000002000000338e16},
        {1e-4, 9.20849839600519122, -10016.418938675878, 100020015.420680744},
        {0.01, 4.51352729928692835, -107.128236968256421, 10206.2103403719762},
        {0.1, 1.865093925325177, -12.2446531673892822, 121.605170185988091},
        {0.5, 0.173286795139986327, -1.19314718055994531, 6.38629436111989062},
        {0.9, 0.00105360515657826301, -0.0321832142426763714, 0.667511154772442726},
        {0.999999, 1.00000050000033333e-18, -3.00000200000166667e-12, 6.00000600000666667e-6},
    };
    for (int i = 0; i < 7; ++i) {
        // The decimal z is off by half a rounding, which counts near 1 with 3 / (1 - z).
        double tolerance = 1e-15 + 2e-16 * 3 / (1 - table[i][0]);
        pli_barrier_values b = pli_barrier_clamped_log(table[i][0], 1);
        for (double scale = 1e-6; scale < 1e7; scale *= 1e3) { // b ~ scale^2
            pli_barrier_values c = pli_barrier_clamped_log(table[i][0] * scale, scale);
            close_to(c.value, table[i][1] * scale * scale, 2 * tolerance);
            close_to(c.first, table[i][2] * scale, 2 * tolerance);
            close_to(c.second, table[i][3], 2 * tolerance);
        }
        close_to(b.value, table[i][1], tolerance);
        close_to(b.first, table[i][2], tolerance);
        close_to(b.second, table[i][3], tolerance);
    }
}

// A point 1e-4 above a triangle, dhat 1e-3, stiffness 100: the force lambda.
static void test_normal_force(void** state) {
    (void)state;
    pli_barrier_values b = pli_barrier_log(1e-4, 1e-3, 0);
    close_to(b.value, 4.5135272992869283e-12, 1e-14);
    close_to(-100 * b.first, 2.1425647393651284e-6, 1e-14);
}

// Forms by distance: names, the plain forms where there is no thickness, convex and falling inside,
// nothing outside, forbidden at the thickness; derivatives by differences.
static void test_forms(void** state) {
    (void)state;
    assert_string_equal(pli_barrier_forms[0].name, "area");
    assert_string_equal(pli_barrier_forms[1].name, "ipc");
    double d = 0.013, dhat = 0.02;
    pli_barrier_values plain = pli_barrier_squared(d * d, dhat),
                       same = pli_barrier_area(d, dhat, 0);
    close_to(same.value, plain.value, 1e-14);
    close_to(same.first, 2 * d * plain.first, 1e-14);
    close_to(same.second, 4 * d * d * plain.second + 2 * plain.first, 1e-14);
    const double thickness[3] = {0, 1e-3, 5};
    for (int form = 0; form < PLI_BARRIER_FORM_COUNT; ++form)
        for (int i = 0; i < 3; ++i) {
            pli_barrier_values (*at)(double, double, double) = pli_barrier_forms[form].at;
            double dmin = thickness[i];
            assert_true(at(dmin, dhat, dmin).value == HUGE_VAL);
            assert_true(at(dmin - 1e-9, dhat, dmin).value == HUGE_VAL);
            assert_true(at(NAN, dhat, dmin).value == HUGE_VAL);
            assert_true(at(dmin + dhat, dhat, dmin).value == 0);
            for (double s = 1e-6; s < 1; s *= 1.7) {
                double h = s * dhat / 100, x = dmin + s * dhat;
                pli_barrier_values b = at(x, dhat, dmin), up = at(x + h, dhat, dmin),
                                   down = at(x - h, dhat, dmin);
                assert_true(b.value > 0 && b.first < 0 && b.second > 0);
                if (s > 0.98 || (dmin > 1 && s < 1e-4)) continue; // the step leaves or is lost
                // h = s / 100 of the gap: truncation 1e-4 of the third derivative's part
                close_to(b.first, (up.value - down.value) / (2 * h), 2e-3);
                close_to(b.second, (up.first - down.first) / (2 * h), 2e-3);
            }
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_values),     cmocka_unit_test(test_squared_values),
        cmocka_unit_test(test_stiffness_at_dhat), cmocka_unit_test(test_outside_and_forbidden),
        cmocka_unit_test(test_derivatives),       cmocka_unit_test(test_clamped_log_table),
        cmocka_unit_test(test_normal_force),      cmocka_unit_test(test_forms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
