// Orientation against exact integers and rational numbers.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/predicates.h"
#include "oracle/exact_space.h"
#include "oracle/random.h"

__extension__ typedef __int128 wide;

// Sign of the determinant of integers below 2^61 in size.
static int exact_sign(const int64_t a[2], const int64_t b[2], const int64_t c[2]) {
    wide left = (wide)(a[0] - c[0]) * (b[1] - c[1]), right = (wide)(a[1] - c[1]) * (b[0] - c[0]);
    return (left > right) - (left < right);
}

// All orders of the three points, with the integers as doubles times `scale` (a power of two).
static void check(int64_t p[3][2], double scale) {
    static const int orders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                     {1, 0, 2}, {0, 2, 1}, {2, 1, 0}};
    double x[3][2];
    for (int i = 0; i < 6; ++i) x[i / 2][i % 2] = scale * (double)p[i / 2][i % 2];
    int expected = exact_sign(p[0], p[1], p[2]);
    for (int i = 0; i < 6; ++i) {
        int sign = pli_orient2d(x[orders[i][0]], x[orders[i][1]], x[orders[i][2]]);
        assert_int_equal(sign, i < 3 ? expected : -expected);
    }
}

static void small_grid(void** state) {
    (void)state;
    for (int code = 0; code < 5 * 5 * 5 * 5 * 5 * 5; ++code) {
        int64_t p[3][2];
        for (int i = 0, rest = code; i < 6; ++i, rest /= 5) p[i / 2][i % 2] = rest % 5 - 2;
        check(p, 0.1);
    }
}

static int64_t random_integer(pli_random* r, int bits) {
    uint64_t value = (uint64_t)pli_random_bits(r) << 32 | pli_random_bits(r);
    return (int64_t)(value >> (64 - bits)) - ((int64_t)1 << (bits - 1));
}

// Integers of 53 bits are exact as doubles: their differences and products are not.
static void random_integers(void** state) {
    (void)state;
    pli_random r = {5};
    for (int i = 0; i < 20000; ++i) {
        int64_t p[3][2];
        for (int k = 0; k < 6; ++k) p[k / 2][k % 2] = random_integer(&r, 53);
        check(p, 1);
        check(p, 0x1p-400);
        check(p, 0x1p+400);
    }
}

// c = a + t (b - a) exactly on the line or one unit beside it: only exact arithmetic can tell.
static void nearly_collinear(void** state) {
    (void)state;
    pli_random r = {6};
    int zeros = 0;
    for (int i = 0; i < 20000; ++i) {
        int64_t p[3][2], d[2] = {random_integer(&r, 26), random_integer(&r, 26)};
        int64_t k = random_integer(&r, 25), m = random_integer(&r, 25);
        // Every other time nearly along the diagonal, so that a shift by (1, 1) is nearly parallel
        // and the determinant far below the rounding of its parts.
        if (i % 2) d[1] = d[0] + pli_random_below(&r, 5) - 2;
        for (int j = 0; j < 2; ++j) {
            p[0][j] = random_integer(&r, 50);
            p[1][j] = p[0][j] + k * d[j];
            p[2][j] = p[0][j] + m * d[j];
        }
        p[2][0] += pli_random_below(&r, 3) - 1;
        p[2][1] += pli_random_below(&r, 3) - 1;
        zeros += exact_sign(p[0], p[1], p[2]) == 0;
        check(p, 1);
        check(p, 0x1p-60);
    }
    assert_true(zeros > 1000); // the test does meet the line
}

// Steps of one unit in the last place around a point of a diagonal.
static void last_places(void** state) {
    (void)state;
    const double b[2] = {12, 12}, c[2] = {24, 24};
    for (int i = 0; i < 64; ++i)
        for (int j = 0; j < 64; ++j) {
            double a[2] = {0.5 + i * 0x1p-53, 0.5 + j * 0x1p-53};
            // 0.5 + k 2^-53 is a double for every k, so (b - a) x (c - a) has the sign of a_y -
            // a_x.
            int expected = (j > i) - (j < i);
            assert_int_equal(pli_orient2d(a, b, c), expected);
            assert_int_equal(pli_orient2d(b, c, a), expected); // here the differences are rounded
            assert_int_equal(pli_orient2d(c, b, a), -expected);
        }
}

// ---- in space

// All 24 orders of the four points.
static int check_space(double x[4][3]) {
    int expected = pli_exact_orient3d(x[0], x[1], x[2], x[3]);
    for (int code = 0; code < 256; ++code) {
        int o[4] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6}, turns = 0;
        bool all = true;
        for (int i = 0; i < 4; ++i)
            for (int j = i + 1; j < 4; ++j) {
                all = all && o[i] != o[j];
                turns += o[i] > o[j];
            }
        if (!all) continue;
        int sign = pli_orient3d(x[o[0]], x[o[1]], x[o[2]], x[o[3]]);
        assert_int_equal(sign, turns % 2 ? -expected : expected);
    }
    return expected;
}

static void space_small_grid(void** state) {
    (void)state;
    pli_random r = {8};
    int zeros = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        double x[4][3];
        for (int i = 0; i < 12; ++i) x[i / 3][i % 3] = 0.1 * (pli_random_below(&r, 5) - 2);
        zeros += check_space(x) == 0;
    }
    assert_true(zeros > 300);
}

// Full mantissas, also at the ends of the promised range: the unit of the coordinates is 2^-351
// and their size 1e-90, or their size is 1e100.
static void space_random(void** state) {
    (void)state;
    static const double scales[] = {1, 0x1p-351, 0x1p+280, 0x1p-52};
    pli_random r = {9};
    for (int trial = 0; trial < 4000; ++trial) {
        double x[4][3];
        for (int i = 0; i < 12; ++i)
            x[i / 3][i % 3] = scales[trial % 4] * (double)random_integer(&r, 53);
        check_space(x);
    }
}

// d = a + s (b - a) + t (c - a) exactly in the plane (in integers), then moved by 0 or 1 units in
// each coordinate: far below the rounding of the products.
static void space_nearly_coplanar(void** state) {
    (void)state;
    static const double scales[] = {1, 0x1p-340, 0x1p+280, 0x1p-30};
    pli_random r = {10};
    int zeros = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        int64_t a[3], u[3], v[3], s = random_integer(&r, 12), t = random_integer(&r, 12);
        double x[4][3];
        for (int k = 0; k < 3; ++k) {
            a[k] = random_integer(&r, 50);
            u[k] = random_integer(&r, 38);
            v[k] = random_integer(&r, 38);
        }
        if (trial % 3 == 0) // a needle
            for (int k = 0; k < 3; ++k) v[k] = 3 * u[k] + pli_random_below(&r, 2);
        int units = trial % 2;
        for (int k = 0; k < 3; ++k) {
            int64_t d = a[k] + s * u[k] + t * v[k] + units * (pli_random_below(&r, 3) - 1);
            const int64_t all[4] = {a[k], a[k] + u[k], a[k] + v[k], d};
            for (int i = 0; i < 4; ++i) x[i][k] = scales[trial % 4] * (double)all[i];
        }
        zeros += check_space(x) == 0;
    }
    assert_true(zeros > 2500);
}

// Coordinates of very different sizes: differences with two entries.
static void space_mixed_sizes(void** state) {
    (void)state;
    pli_random r = {11};
    for (int trial = 0; trial < 3000; ++trial) {
        double x[4][3];
        for (int i = 0; i < 12; ++i)
            x[i / 3][i % 3] =
                ldexp((double)random_integer(&r, 53), pli_random_below(&r, 120) - 100);
        if (trial % 2) // flat: one coordinate the same, or a copy
            for (int i = 1; i < 4; ++i) x[i][trial % 3] = x[0][trial % 3];
        assert_true(check_space(x) == 0 || trial % 2 == 0);
    }
}

// Beyond the range in which products are exact there is some answer, and nothing is overrun (the
// address sanitizer looks).
static void far_beyond_the_range(void** state) {
    (void)state;
    static const double sizes[] = {1e110, 1e200, 1e308, INFINITY, NAN};
    pli_random r = {12};
    for (int trial = 0; trial < 2000; ++trial) {
        double x[4][3];
        for (int i = 0; i < 12; ++i) {
            double size = pli_random_below(&r, 3) ? sizes[pli_random_below(&r, 5)] : 1;
            x[i / 3][i % 3] = size * (pli_random_below(&r, 2) ? 1 : pli_random_in(&r, -1, 1));
        }
        int space = pli_orient3d(x[0], x[1], x[2], x[3]), plane = pli_orient2d(x[0], x[1], x[2]);
        assert_in_range(space + 1, 0, 2);
        assert_in_range(plane + 1, 0, 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_grid),
        cmocka_unit_test(random_integers),
        cmocka_unit_test(nearly_collinear),
        cmocka_unit_test(last_places),
        cmocka_unit_test(space_small_grid),
        cmocka_unit_test(space_random),
        cmocka_unit_test(space_nearly_coplanar),
        cmocka_unit_test(space_mixed_sizes),
        cmocka_unit_test(far_beyond_the_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
