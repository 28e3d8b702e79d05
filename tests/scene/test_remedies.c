// Advice must work: a step that fails for a reason, by settings that are too tight, names what
// helps; each of these remedies, tried on the same scene, makes it pass.
#include "scene/saved.h"

enum { MOST = 4 };

typedef struct remedy {
    const char* overrides[MOST];
    const char* named; // what of it the advice must name; NULL: nothing that a test can look for
} remedy;

typedef struct case_of {
    const char* scene;
    const char* spoils[MOST]; // make it fail
    pli_reason reason;
    int steps;
    remedy remedies[MOST];
} case_of;

// A square that falls onto the ground, is thrown sideways, and rubs.
#define RUBBING                                                                                    \
    "{\"time\": {\"step\": 0.02}, \"gravity\": [0, -9.81], \"contact\": {\"dhat\": 0.01, "         \
    "\"stiffness\": 1e5}, \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", "     \
    "\"size\": [1, 1], \"segments\": [3, 3]}, \"translate\": [0, 0.52], \"velocity\": [1, 0], "    \
    "\"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5}]}], \"obstacles\": [{\"type\": "   \
    "\"half-space\", \"friction\": 0.3}]}"

// The same where positions hardly resolve dhat.
#define FAR                                                                                        \
    "{\"time\": {\"step\": 0.02}, \"gravity\": [0, -9.81], \"contact\": {\"dhat\": 1e-9, "         \
    "\"stiffness\": 1e-3}, \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", "    \
    "\"size\": [1, 1], \"segments\": [3, 3]}, \"translate\": [0, 1000000.52], \"velocity\": [1, "  \
    "0], \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5}]}], \"obstacles\": "           \
    "[{\"type\": \"half-space\", \"point\": [0, 1000000], \"friction\": 0.3}]}"

// A bar whose load grows.
#define LOADED                                                                                     \
    "{\"analysis\": \"static\", \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": "              \
    "\"rectangle\", \"size\": [1, 0.2], \"segments\": [8, 2]}, \"energies\": [{\"type\": "         \
    "\"neo-hookean\", \"young\": 2e5}], \"fix\": [{\"group\": \"left\"}], \"loads\": [{\"type\": " \
    "\"force\", \"value\": [0, \"-1000 * t\"]}]}]}"

// A bar that is pressed together at once.
#define PRESSED                                                                                    \
    "{\"time\": {\"step\": 0.02}, \"contact\": {\"bodies\": false}, \"solver\": {\"method\": "     \
    "\"newton\"}, \"bodies\": [{\"name\": "                                                        \
    "\"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0.1], \"segments\": [12, 2]}, "      \
    "\"stretch\": [0.5, 1], \"scramble\": 1e-3, \"energies\": [{\"type\": \"neo-hookean\", "       \
    "\"young\": 1e7}]}]}"

// A plate that is pushed into the ground.
#define PUSHED                                                                                     \
    "{\"time\": {\"step\": 0.02}, \"contact\": {\"dhat\": 0.01}, \"bodies\": [{\"name\": \"b\", "  \
    "\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0.2], \"segments\": [4, 1]}, "              \
    "\"translate\": [0, 0.2], \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5}], "       \
    "\"prescribe\": [{\"velocity\": [0, -2], \"travel\": 1}]}], \"obstacles\": [{\"type\": "       \
    "\"half-space\"}]}"

// A square that hits another one at 500 m/s.
#define SHOT                                                                                       \
    "{\"time\": {\"step\": 0.001}, \"bodies\": [{\"name\": \"rest\", \"mesh\": {\"type\": "        \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"energies\": [{\"type\": "           \
    "\"neo-hookean\", \"young\": 1e6, \"poisson\": 0.4}]}, {\"name\": \"fast\", \"mesh\": "        \
    "{\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"translate\": [0.25, "    \
    "1.01], \"velocity\": [0, -600], \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e6, "  \
    "\"poisson\": 0.4}]}]}"

// A square that is pulled by far too much.
#define PULLED                                                                                     \
    "{\"time\": {\"step\": 0.05}, \"bodies\": [{\"name\": \"b\", \"mesh\": {\"type\": "            \
    "\"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"energies\": [{\"type\": "           \
    "\"neo-hookean\", \"young\": 1e5}], \"loads\": [{\"type\": \"force\", \"value\": [\"1e300 * "  \
    "t\", "                                                                                        \
    "0]}]}]}"

static const case_of cases[] = {
    {PULLED,
     {NULL},
     PLI_LINE_SEARCH_STALLED,
     2,
     {{{"bodies[0].loads[0].value=[\"1e3 * t\", 0]"}, "far too large"}}},
    {SHOT,
     {NULL},
     PLI_UNBALANCED,
     2,
     {{{"time.step=0.0005"}, "time.step"}, {{"contact.stiffness=\"auto\""}, "contact.stiffness"}}},
    {RUBBING,
     {"solver.max_iterations=2"},
     PLI_ITERATION_CAP,
     5,
     {{{"solver.max_iterations=200"}, "solver.max_iterations"},
      {{"solver.max_iterations=2", "time.step=1e-5"}, "time.step"}}},
    {LOADED,
     {"time.steps=1", "solver.max_iterations=5"},
     PLI_ITERATION_CAP,
     1,
     {{{"time.steps=1", "solver.max_iterations=200"}, "solver.max_iterations"}}},
    {LOADED,
     {"time.steps=1", "solver.max_iterations=5"},
     PLI_ITERATION_CAP,
     100,
     {{{"time.steps=100", "solver.max_iterations=5"}, "time.steps"}}},
    {FAR,
     {"obstacles[0].friction=0"},
     PLI_LINE_SEARCH_STALLED,
     20,
     {{{"obstacles[0].friction=0", "contact.dhat=1e-3"}, "contact.dhat"},
      {{"bodies[0].translate=[0, 0.52]", "obstacles[0].point=[0, 0]", "contact.dhat=1e-6"},
       "nearer to the origin"}}},
    {FAR, {NULL}, PLI_LINE_SEARCH_STALLED, 20, {{{"contact.dhat=1e-3"}, "contact.dhat"}}},
    {FAR,
     {"solver.method=\"l-bfgs\""},
     PLI_LINE_SEARCH_STALLED,
     4, // where the residual, which is relative, is below 1
     {{{"solver.method=\"l-bfgs\"", "solver.gradient_tolerance=0.95"},
       "solver.gradient_tolerance"}}},
    {LOADED,
     {"bodies[0].fix=[]"},
     PLI_LINE_SEARCH_STALLED,
     10,
     {{{"solver.max_iterations=200"}, "every body"}}},
    {LOADED,
     {"solver.method=\"newton\"", "bodies[0].energies[0].young=1e3", "time.steps=1"},
     PLI_INDEFINITE,
     1,
     {{{"solver.method=\"projected-newton\"", "bodies[0].energies[0].young=1e3", "time.steps=1"},
       "solver.method \"projected-newton\""}}},
    {PRESSED,
     {NULL},
     PLI_INDEFINITE,
     3,
     {{{"solver.method=\"projected-newton\""}, "solver.method \"projected-newton\""},
      {{"time.step=1e-6"}, "time.step"}}},
    {PRESSED,
     {"time.scheme=\"leapfrog\""},
     PLI_DIVERGED,
     200,
     {{{"time.scheme=\"leapfrog\"", "time.step=1e-5"}, "time.step"},
      {{"time.scheme=\"backward-euler\"", "solver.method=\"projected-newton\""},
       "implicit time.scheme"}}},
    {PUSHED,
     {"solver.on_blocked=\"fail\""},
     PLI_BLOCKED,
     20,
     {{{"solver.on_blocked=\"fail\"", "bodies[0].prescribe[0].travel=0.05"}, "shorten the motion"},
      {{"solver.on_blocked=\"go-on\""}, "solver.on_blocked"}}},
};

static int count_of(const char* const* words) {
    int count = 0;
    while (count < MOST && words[count]) ++count;
    return count;
}

// Until a step is not kept, or all are done.
static pli_step_info run(const case_of* c, const char* const* overrides, bool* kept) {
    const char* all[MOST + 1] = {"solver.on_failure=\"stop\""}; // a step that is halved may pass
    int count = count_of(overrides);
    for (int i = 0; i < count; ++i) all[i + 1] = overrides[i];
    pli_scene* scene = make_scene(c->scene, all, count + 1, 1);
    pli_step_info info = {0};
    *kept = true;
    for (int i = 0; i < c->steps && *kept; ++i) {
        ASSERT_OK(pli_world_step(pli_scene_world(scene), &info, &error));
        *kept = info.kept;
    }
    pli_scene_destroy(scene);
    return info;
}

static void advice_works(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        const case_of* c = &cases[i];
        bool kept;
        pli_step_info bad = run(c, c->spoils, &kept);
        if (kept || bad.reason != c->reason)
            fail_msg("case %zu: %s, %skept, after step %d", i, pli_reason_text(bad.reason),
                     kept ? "" : "not ", bad.step);
        for (int k = 0; k < MOST && c->remedies[k].overrides[0]; ++k) {
            const remedy* r = &c->remedies[k];
            if (!strstr(bad.remedy, r->named))
                fail_msg("case %zu: \"%s\" does not name %s", i, bad.remedy, r->named);
            pli_step_info good = run(c, r->overrides, &kept);
            if (!kept)
                fail_msg("case %zu, %s: %s in step %d, residual %g", i, r->named,
                         pli_reason_text(good.reason), good.step, good.residual);
        }
    }
}

// What "accept" cannot keep, because the minimizer took no step, is told.
static void nothing_to_accept(void** state) {
    (void)state;
    static const case_of pressed = {.scene = PRESSED, .steps = 1};
    static const char* const policies[] = {"solver.on_failure=\"accept\"",
                                           "solver.on_failure=\"stop\""};
    for (int i = 0; i < 2; ++i) {
        const char* overrides[MOST] = {policies[i]};
        bool kept;
        pli_step_info info = run(&pressed, overrides, &kept);
        assert_false(kept);
        assert_int_equal(info.reason, PLI_INDEFINITE);
        assert_true(info.no_progress == (i == 0));
    }
    const char* converges[MOST] = {policies[0], "solver.method=\"projected-newton\""};
    bool kept;
    assert_false(run(&pressed, converges, &kept).no_progress);
    assert_true(kept);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(advice_works),
        cmocka_unit_test(nothing_to_accept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
