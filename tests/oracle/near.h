// cmocka with floating-point comparison, as every test file includes it.
#ifndef TESTS_ORACLE_NEAR_H
#define TESTS_ORACLE_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ASSERT_NEAR(a, b, tolerance)                                                               \
    do {                                                                                           \
        double near_a_ = (a), near_b_ = (b), near_t_ = (tolerance);                                \
        if (!(fabs(near_a_ - near_b_) <= near_t_))                                                 \
            fail_msg("%s = %.17g and %s = %.17g differ by %.3g > %.3g", #a, near_a_, #b, near_b_,  \
                     fabs(near_a_ - near_b_), near_t_);                                            \
    } while (0)

// A call that must succeed; `error` is a pli_error in scope.
#define ASSERT_OK(expression)                                                                      \
    do {                                                                                           \
        if ((expression) != PLI_OK) fail_msg("%s: %s", #expression, error.message);                \
    } while (0)

#endif
