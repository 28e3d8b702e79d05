// The mailbox between player and server: waiting for orders.
#include "viewer/mailbox.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <math.h>
#include <sched.h>
#include <stdatomic.h>

typedef struct waiter {
    pli_view_mailbox box;
    double until;
    atomic_bool begun;
    bool got;
    pli_view_order order;
} waiter;

static void* wait_for_order(void* argument) {
    waiter* w = argument;
    atomic_store(&w->begun, true);
    w->got = pli_view_mailbox_next(&w->box, w->until, &w->order);
    return NULL;
}

// However far away its end is, a wait is no loop: it ends when there is something to do.
static void far_ends_are_waited_for(void** state) {
    (void)state;
    static const double ends[] = {1e12, 1e18, 1e19, 1e300, HUGE_VAL};
    static waiter w;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        pthread_t thread;
        const pli_view_request step = {.kind = PLI_VIEW_STEP};
        assert_true(pli_view_mailbox_init(&w.box));
        w.until = ends[i];
        atomic_store(&w.begun, false);
        assert_int_equal(pthread_create(&thread, NULL, wait_for_order, &w), 0);
        while (!atomic_load(&w.begun)) sched_yield();
        for (int k = 0; k < 100; ++k) sched_yield(); // into the wait, most likely
        assert_true(pli_view_mailbox_order(&w.box, &step, 7));
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(w.got);
        assert_int_equal(w.order.client, 7);
        pli_view_mailbox_free(&w.box);
    }
}

static void past_ends_are_not(void** state) {
    (void)state;
    static pli_view_mailbox box;
    pli_view_order order;
    assert_true(pli_view_mailbox_init(&box));
    assert_false(pli_view_mailbox_next(&box, 0.25, &order));
    pli_view_mailbox_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_ends_are_waited_for),
        cmocka_unit_test(past_ends_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
