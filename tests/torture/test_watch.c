// The watch over E itself: a minimizer that lets E rise is noticed.
#include "oracle/near.h"
#include "torture/torture.h"

// A cube hits the ground; one direction a step, so that a bad one is not mended by the next.
static pli_status build_hit(bout* b) {
    pli_world_def def = pli_torture_def(0.1);
    def.solver.line_search = b->row->word;
    def.solver.method = "gradient-descent"; // goes too far in stiff bodies
    def.solver.max_iterations = 1;
    def.solver.on_failure = "accept";
    TRY(pli_trial_world(&b->t, &def));
    TRY(pli_bout_box(b, 1, 1, 1, 2, 2, 2));
    pli_bout_move(b, 0, 0.52, 0);
    TRY(pli_bout_ground(b, 0, 0));
    pli_body_id id;
    return pli_bout_add(b, "cube", &(stuff){"fixed-corotated", 1e6, 0.4, 1000, {0, -30, 0}}, &id);
}

static double rise_with(const char* line_search) {
    torture row = {.word = line_search};
    bout b = {.row = &row};
    pli_trial_init(&b.t);
    assert_int_equal(build_hit(&b), PLI_OK);
    pli_energy_rise();
    for (int i = 0; i < 10; ++i)
        assert_int_equal(pli_world_step(b.t.world, NULL, &b.t.error), PLI_OK);
    pli_bout_close(&b);
    return pli_energy_rise();
}

static void test_rise_is_noticed(void** state) {
    (void)state;
    assert_true(rise_with("backtracking") <= 1);
    assert_true(rise_with("none") > 1e6); // by far more than rounding
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rise_is_noticed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
