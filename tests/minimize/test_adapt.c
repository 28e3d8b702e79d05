// What Newton's method learns from its steps: when it stops projecting, lengthens, shifts.
#include "minimize/adapt.h"
#include "oracle/near.h"

// Whole steps along projected directions whose residual hardly falls.
static void crawl(pli_adapt* a, int steps) {
    for (int i = 0; i < steps; ++i) pli_adapt_stepped(a, 1, 1, 1);
}

// Fast convergence changes nothing; slow convergence asks for the true Hessian and longer steps.
static void test_slow(void** state) {
    (void)state;
    pli_adapt a;
    pli_adapt_begin(&a, false);
    for (double residual = 1; residual > 1e-12; residual *= 0.1)
        pli_adapt_stepped(&a, residual, 1, 1);
    assert_true(a.project && a.stride == 1 && a.shift == 0);
    crawl(&a, 3);
    assert_false(a.project);
    assert_true(a.stride > 1);
}

// A true Hessian that is not positive definite is tried again later, and later still.
static void test_refused(void** state) {
    (void)state;
    pli_adapt a;
    pli_adapt_begin(&a, false);
    int waits[3];
    for (int i = 0; i < 3; ++i) {
        waits[i] = 0;
        while (a.project && ++waits[i] < 1000) crawl(&a, 1);
        assert_true(pli_adapt_refused(&a));
        assert_true(a.project && a.stride == 1 && a.shift == 0);
    }
    assert_true(waits[0] < waits[1] && waits[1] < waits[2]);
    // So is one along which no step lowers E.
    while (a.project) crawl(&a, 1);
    assert_true(pli_adapt_stuck(&a));
    assert_true(a.project && a.stride == 1 && a.shift == 0);
    // A projected one without a factor is shifted, up to a limit, and stays so.
    int tries = 0;
    while (pli_adapt_refused(&a)) assert_true(++tries < 20);
    assert_true(a.shift == 1);
    for (int i = 0; i < 20; ++i) pli_adapt_stepped(&a, 1, 1, 1);
    assert_true(a.shift > 0);
}

// Steps that the line search cuts short raise the shift in statics only; whole ones lower it.
static void test_shift(void** state) {
    (void)state;
    for (int statics = 0; statics < 2; ++statics) {
        pli_adapt a;
        pli_adapt_begin(&a, statics);
        double least = a.shift; // a body that nothing holds needs one from the start
        assert_int_equal(least > 0, statics);
        for (int i = 0; i < 3; ++i) pli_adapt_stepped(&a, 1, 1, 0.01);
        assert_int_equal(a.shift > least, statics);
        assert_int_equal(pli_adapt_stuck(&a), statics);
        // What collision detection cuts off is not the model's fault.
        double before = a.shift;
        pli_adapt_stepped(&a, 1, 1e-6, 0.99);
        assert_true(a.shift == before && a.stride == 1);
        for (double residual = 0.1; residual > 1e-9; residual *= 0.1)
            pli_adapt_stepped(&a, residual, 1, 1);
        assert_true(a.shift == least);
    }
}

// Lengthened steps that were cut show how long they should be.
static void test_stride(void** state) {
    (void)state;
    pli_adapt a;
    pli_adapt_begin(&a, false);
    for (int i = 0; i < 40; ++i) {
        crawl(&a, 1);
        if (!a.project) pli_adapt_refused(&a);
    }
    crawl(&a, 2);
    double longest = a.stride;
    assert_true(longest >= 2 && longest <= 64);
    pli_adapt_stepped(&a, 1, 1, 0.5);
    assert_true(a.stride == fmax(1, 0.5 * longest));
    pli_adapt_stepped(&a, 1, 1, 1e-3);
    assert_true(a.stride == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_shift),
        cmocka_unit_test(test_stride),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
