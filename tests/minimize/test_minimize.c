// Every method, line search and reason to stop, on functions of two variables.
#include "minimize/minimize.h"
#include "oracle/near.h"

static pli_error error;

// A function with its derivatives as a problem of two unknowns in one group.
typedef struct function {
    double (*value)(const double* x);
    void (*gradient)(const double* x, double* g);
    void (*hessian)(const double* x, double* H); // xx, xy, yy
    pli_pattern pattern;
    double values[4];
    double highest; // E at the accepted points must never rise: checked at each direction
    bool rose;
    double slope_sign; // -1 turns the gradient around: a wrong problem
    bool by_force;     // as in statics
    double* left;      // what `leave` is given, if anybody wants to know
    int* settle;       // how many wishes allow islands to settle, and how many there are
    bool semidefinite; // projected Hessians stay what they are
} function;

static pli_status f_update(void* self, const double* q, pli_error* e) {
    (void)e;
    function* f = self;
    double now = f->value(q);
    if (now > f->highest + 1e-12 * (1 + fabs(f->highest))) f->rose = true;
    f->highest = now;
    return PLI_OK;
}

static pli_status f_value(void* self, const double* q, double* e, double* size, pli_error* er) {
    (void)er;
    *e = ((function*)self)->value(q);
    *size = fabs(*e);
    return PLI_OK;
}

static pli_status f_derivatives(void* self, const double* q, const pli_hessian_wish* wish,
                                double* g, double* load, pli_error* e) {
    (void)e;
    function* f = self;
    f->gradient(q, g);
    g[0] *= f->slope_sign;
    g[1] *= f->slope_sign;
    if (load) *load = 1;
    if (!wish) return PLI_OK;
    double H[3];
    f->hessian(q, H);
    if (f->settle) {
        f->settle[0] += wish->settle;
        f->settle[1]++;
    }
    if (wish->project &&
        !f->semidefinite) { // shift by the lowest eigenvalue if it is negative: any definite matrix
                            // will do
        double mean = 0.5 * (H[0] + H[2]), radius = hypot(0.5 * (H[0] - H[2]), H[1]);
        double low = mean - radius;
        if (low < 1e-3) {
            H[0] += 1e-3 - low;
            H[2] += 1e-3 - low;
        }
    }
    const double full[4] = {H[0], H[1], H[1], H[2]};
    memcpy(f->values, full, sizeof full);
    return PLI_OK;
}

static void f_matrix(void* self, const pli_pattern** pattern, double** values, uint64_t* epoch) {
    function* f = self;
    *pattern = &f->pattern;
    *values = f->values;
    *epoch = 1;
}

static pli_status f_segment(void* self, const double* q, const double* p, double* alpha,
                            pli_error* e) {
    (void)self, (void)q, (void)p, (void)alpha, (void)e;
    return PLI_OK;
}

static double f_speed(void* self, const double* p) {
    (void)self;
    return hypot(p[0], p[1]);
}

static pli_status f_rounding(void* self, const double* q, pli_rounding* out, pli_error* e) {
    (void)self, (void)q, (void)e;
    *out = (pli_rounding){.force = 1e-14, .energy = 1e-28};
    return PLI_OK;
}

static void f_report_force(void* self, const double* g) {
    const function* f = self;
    if (f->left) memcpy(f->left, g, 2 * sizeof *g);
}

static void f_metric(void* self, const double* g, double* z) {
    (void)self;
    z[0] = g[0];
    z[1] = g[1];
}

static const pli_problem_ops ops = {.update = f_update,
                                    .value = f_value,
                                    .derivatives = f_derivatives,
                                    .matrix = f_matrix,
                                    .segment = f_segment,
                                    .speed = f_speed,
                                    .report_force = f_report_force,
                                    .rounding = f_rounding,
                                    .metric = f_metric};

// (1 - x)^2 + 100 (y - x^2)^2
static double rosenbrock(const double* x) {
    double a = 1 - x[0], b = x[1] - x[0] * x[0];
    return a * a + 100 * b * b;
}
static void rosenbrock_gradient(const double* x, double* g) {
    double b = x[1] - x[0] * x[0];
    g[0] = -2 * (1 - x[0]) - 400 * x[0] * b;
    g[1] = 200 * b;
}
static void rosenbrock_hessian(const double* x, double* H) {
    H[0] = 2 - 400 * (x[1] - 3 * x[0] * x[0]);
    H[1] = -400 * x[0];
    H[2] = 200;
}

// sqrt(1 + x^2) + y^2/2: plain Newton overshoots from |x| > 1.
static double valley(const double* x) { return sqrt(1 + x[0] * x[0]) + 0.5 * x[1] * x[1]; }
static void valley_gradient(const double* x, double* g) {
    g[0] = x[0] / sqrt(1 + x[0] * x[0]);
    g[1] = x[1];
}
static void valley_hessian(const double* x, double* H) {
    H[0] = pow(1 + x[0] * x[0], -1.5);
    H[1] = 0;
    H[2] = 1;
}

// x - ln x + 0.6 y^2, forbidden for x <= 0.
static double barrier(const double* x) {
    return x[0] > 0 ? x[0] - log(x[0]) + 0.6 * x[1] * x[1] : HUGE_VAL;
}
static void barrier_gradient(const double* x, double* g) {
    g[0] = 1 - 1 / x[0];
    g[1] = 1.2 * x[1];
}
static void barrier_hessian(const double* x, double* H) {
    H[0] = 1 / (x[0] * x[0]);
    H[1] = 0;
    H[2] = 1.2;
}

// Runs with these settings from q, in place.
static pli_minimize_info run(function f, const pli_solver_def* def, double* q, bool* rose) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const int32_t offset[2] = {0, 2};
    pli_pattern_init(&f.pattern, &memory);
    ASSERT_OK(pli_pattern_build(&f.pattern, 1, offset, 0, NULL, &error));
    f.highest = HUGE_VAL;
    if (f.slope_sign == 0) f.slope_sign = 1;
    pli_phase_times seconds = {0};
    pli_minimizer* m;
    ASSERT_OK(pli_minimizer_create(&memory, NULL, def, 2, &seconds, &m, &error));
    pli_problem problem = {.ops = &ops, .self = &f, .unknown_count = 2, .by_force = f.by_force};
    pli_minimize_info info;
    ASSERT_OK(pli_minimizer_run(m, &problem, q, &info, &error));
    pli_minimizer_destroy(m);
    pli_pattern_free(&f.pattern);
    assert_int_equal(memory.bytes, 0);
    if (rose) *rose = f.rose;
    return info;
}

static const function ROSENBROCK = {
    .value = rosenbrock, .gradient = rosenbrock_gradient, .hessian = rosenbrock_hessian};
static const function VALLEY = {
    .value = valley, .gradient = valley_gradient, .hessian = valley_hessian};
static const function BARRIER = {
    .value = barrier, .gradient = barrier_gradient, .hessian = barrier_hessian};

// Allowed at 0 alone, where the slope says that it could be left.
static double prison(const double* x) { return x[0] == 0 && x[1] == 0 ? 1 : HUGE_VAL; }
static void prison_gradient(const double* x, double* g) {
    (void)x;
    g[0] = g[1] = 1;
}
static void prison_hessian(const double* x, double* H) {
    (void)x;
    H[0] = H[2] = 1;
    H[1] = 0;
}
static const function PRISON = {
    .value = prison, .gradient = prison_gradient, .hessian = prison_hessian};

static pli_solver_def tight(void) {
    return (pli_solver_def){.method = "projected-newton",
                            .line_search = "backtracking",
                            .linear = "multifrontal",
                            .preconditioner = "block-jacobi",
                            .tolerance = 1e-10,
                            .gradient_tolerance = 1e-8,
                            .linear_tolerance = 1e-12,
                            .max_iterations = 100000,
                            .max_linear_iterations = 100};
}

static void test_every_method_finds_the_minimum(void** state) {
    (void)state;
    for (int i = 0; pli_method_name(i); ++i)
        for (int j = 0; pli_line_search_name(j); ++j)
            for (int k = 0; pli_linear_name(k); ++k) {
                pli_solver_def def = tight();
                def.method = pli_method_name(i);
                def.line_search = pli_line_search_name(j);
                def.linear = pli_linear_name(k);
                bool unchecked = strcmp(def.line_search, "none") == 0;
                if (unchecked && strcmp(def.method, "projected-newton") != 0) continue;
                double q[2] = {0.9, 0.75};
                bool rose;
                pli_minimize_info info = run(ROSENBROCK, &def, q, &rose);
                assert_string_equal(pli_reason_text(info.reason), "converged");
                ASSERT_NEAR(q[0], 1, 1e-6); // |g| <= 1e-8 and curvature 0.4 along the valley
                ASSERT_NEAR(q[1], 1, 1e-6);
                if (!unchecked) assert_false(rose);
            }
}

// Without line search Newton jumps across the valley further each time; with it, it converges.
static void test_newton_overshoots(void** state) {
    (void)state;
    pli_solver_def def = tight();
    def.method = "newton";
    def.line_search = "none";
    def.max_iterations = 6;
    double q[2] = {1.2, 0};
    bool rose;
    run(VALLEY, &def, q, &rose);
    assert_true(rose);
    assert_true(fabs(q[0]) > 10);
    def.line_search = "backtracking";
    def.max_iterations = 100;
    double r[2] = {1.2, 0};
    assert_int_equal(run(VALLEY, &def, r, &rose).reason, PLI_CONVERGED);
    assert_false(rose);
    ASSERT_NEAR(r[0], 0, 1e-9);
}

static void test_forbidden_states_are_avoided(void** state) {
    (void)state;
    for (int i = 0; pli_method_name(i); ++i)
        for (int j = 0; pli_line_search_name(j); ++j) {
            pli_solver_def def = tight();
            def.method = pli_method_name(i);
            def.line_search = pli_line_search_name(j);
            if (strcmp(def.line_search, "none") == 0 && i > 1) continue;
            double q[2] = {5, 1};
            assert_int_equal(run(BARRIER, &def, q, NULL).reason, PLI_CONVERGED);
            ASSERT_NEAR(q[0], 1, 1e-7);
        }
}

static void test_reasons(void** state) {
    (void)state;
    pli_solver_def def = tight();
    double outside[2] = {-1, 0};
    assert_int_equal(run(BARRIER, &def, outside, NULL).reason, PLI_OUT_OF_DOMAIN);
    def.max_iterations = 2;
    double far[2] = {-1.2, 1};
    assert_int_equal(run(ROSENBROCK, &def, far, NULL).reason, PLI_ITERATION_CAP);
    def = tight();
    def.method = "newton"; // the Hessian of Rosenbrock's function is indefinite above the parabola
    double above[2] = {0, 1};
    assert_int_equal(run(ROSENBROCK, &def, above, NULL).reason, PLI_INDEFINITE);
    assert_true(above[0] == 0 && above[1] == 1);
    def = tight();
    function wrong = ROSENBROCK; // a gradient that points downhill: no step can lower E
    wrong.slope_sign = -1;
    double start[2] = {0.5, 0.2};
    assert_int_equal(run(wrong, &def, start, NULL).reason, PLI_LINE_SEARCH_STALLED);
    for (int i = 0; pli_method_name(i); ++i) {
        double inside[2] = {0, 0};
        def.method = pli_method_name(i);
        assert_int_equal(run(PRISON, &def, inside, NULL).reason, PLI_LINE_SEARCH_STALLED);
        assert_true(inside[0] == 0 && inside[1] == 0);
    }
    for (int r = PLI_ITERATION_CAP; r <= PLI_INTERRUPTED; ++r)
        for (int s = 0; s < PLI_SITUATION_COUNT; ++s)
            assert_true(strlen(pli_reason_remedy((pli_reason)r, (pli_situation)s)) > 10);
}

// Net forces are those of the state that is returned, whatever ended the run.
static void test_residual_is_of_the_state(void** state) {
    (void)state;
    const struct {
        const char* method;
        double start[2];
        int max_iterations;
        pli_reason reason;
    } runs[] = {{"newton", {0, 1}, 100, PLI_INDEFINITE},
                {"newton", {-1.2, 1}, 2, PLI_ITERATION_CAP},
                {"projected-newton", {-1.2, 1}, 1, PLI_ITERATION_CAP},
                {"gradient-descent", {-1.2, 1}, 3, PLI_ITERATION_CAP},
                {"l-bfgs", {-1.2, 1}, 3, PLI_ITERATION_CAP}};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; ++i) {
        pli_solver_def def = tight();
        double q[2] = {runs[i].start[0], runs[i].start[1]}, g[2], left[2] = {0};
        function f = ROSENBROCK;
        f.by_force = true;
        f.left = left;
        def.method = runs[i].method;
        def.max_iterations = runs[i].max_iterations;
        pli_minimize_info info = run(f, &def, q, NULL);
        assert_int_equal(info.reason, runs[i].reason);
        rosenbrock_gradient(q, g);
        ASSERT_NEAR(info.residual, hypot(g[0], g[1]), 1e-12 * info.residual);
        assert_memory_equal(left, g, sizeof g);
    }
}

// A correction below the tolerance is still taken: nothing freezes.
static void test_last_direction_is_taken(void** state) {
    (void)state;
    pli_solver_def def = tight();
    def.tolerance = 1;
    double q[2] = {0.01, 0.02};
    pli_minimize_info info = run(VALLEY, &def, q, NULL);
    assert_int_equal(info.iterations, 1);
    ASSERT_NEAR(q[0], 0, 2e-6); // Newton's error is cubic here: 0.01^3
    ASSERT_NEAR(q[1], 0, 1e-15);
}

// A tolerance that rounding cannot reach must not hang.
static void test_impossible_tolerance_stops(void** state) {
    (void)state;
    pli_solver_def def = tight();
    def.tolerance = 1e-300;
    double q[2] = {-1.2, 1};
    pli_minimize_info info = run(ROSENBROCK, &def, q, NULL);
    assert_true(info.reason == PLI_LINE_SEARCH_STALLED || info.reason == PLI_CONVERGED);
    assert_true(info.iterations < 200);
    ASSERT_NEAR(q[0], 1, 1e-12);
}

// sqrt(1 + (x + y)^2), with a Hessian that has no factor unless it is shifted.
static double groove(const double* x) { return sqrt(1 + (x[0] + x[1]) * (x[0] + x[1])); }
static void groove_gradient(const double* x, double* g) { g[0] = g[1] = (x[0] + x[1]) / groove(x); }
static void groove_hessian(const double* x, double* H) {
    H[0] = H[1] = H[2] = 1 / (groove(x) * groove(x) * groove(x));
}

// The speed of a direction of a shifted matrix says little: it is the shift that made it slow.
static void test_shifted_directions_settle_nothing(void** state) {
    (void)state;
    pli_solver_def def = tight();
    int settle[2] = {0, 0};
    function f = {.value = groove,
                  .gradient = groove_gradient,
                  .hessian = groove_hessian,
                  .semidefinite = true,
                  .settle = settle};
    double q[2] = {0.4, 0.3};
    assert_int_equal(run(f, &def, q, NULL).reason, PLI_CONVERGED);
    assert_true(settle[1] > 2);
    assert_int_equal(settle[0], 1); // the first matrix is not shifted
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method_finds_the_minimum),
        cmocka_unit_test(test_newton_overshoots),
        cmocka_unit_test(test_forbidden_states_are_avoided),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_residual_is_of_the_state),
        cmocka_unit_test(test_last_direction_is_taken),
        cmocka_unit_test(test_impossible_tolerance_stops),
        cmocka_unit_test(test_shifted_directions_settle_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
