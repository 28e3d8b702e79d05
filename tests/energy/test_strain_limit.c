// The strain limit: contract, the barrier in closed form, and steps that never reach the limit.
#include "energy/sheet_fixture.h"

static const pli_setting settings[] = {{"limit", 1.2}, {"stiffness", 700}};
static const pli_setting both[] = {
    {"limit", 1.2}, {"stiffness", 700}, {"lower", 0.7}, {"lower_start", 0.95}};
static const pli_setting narrow[] = {{"limit", 1.001}};

static double barrier(double y) { return y > 0 ? -y * y * log(1 - y) : 0; }

static void check_at(const pli_setting* list, int count, pli_random* r, double s1, double s2,
                     double step) {
    pli_memory memory;
    pli_term term = make_sheet(&memory, "strain-limit", list, count, flat_rest);
    double A[4], R[9], x[9];
    random_stretch(r, s1, s2, A);
    random_rotation(r, R);
    place(flat_rest, A, R, x);
    check_sheet(&term, x, step);
    end_term(&memory, &term);
}

static void test_contract(void** state) {
    (void)state;
    pli_random r = {21};
    for (int i = 0; i < 60; ++i) {
        double a = pli_random_in(&r, 1.01, 1.15), b = pli_random_in(&r, 0.3, 1.15);
        check_at(settings, 2, &r, fmax(a, b), fmin(a, b), 1e-5);
        check_at(settings, 2, &r, a, a, 1e-5); // equal
        double c = pli_random_in(&r, 0.75, 0.94);
        check_at(both, 4, &r, a, c, 1e-5);
        check_at(both, 4, &r, c, c - 0.01, 1e-5);
        check_at(narrow, 1, &r, 1 + 1e-3 * pli_random_in(&r, 0.2, 0.9), 0.9, 2e-8);
    }
}

// kappa A t b of each stretch, and nothing in between.
static void test_closed_form(void** state) {
    (void)state;
    pli_memory memory;
    pli_random r = {22};
    double V = flat_area * sheet_thickness;
    pli_term term = make_sheet(&memory, "strain-limit", both, 4, flat_rest);
    for (int i = 0; i < 50; ++i) {
        double A[4], R[9], x[9], s[2], e = 0;
        for (int k = 0; k < 2; ++k) s[k] = pli_random_in(&r, 0.71, 1.19);
        random_stretch(&r, s[0], s[1], A);
        random_rotation(&r, R);
        place(flat_rest, A, R, x);
        for (int k = 0; k < 2; ++k)
            e += 700 * V * (barrier((s[k] - 1) / 0.2) + barrier((0.95 - s[k]) / 0.25));
        ASSERT_NEAR(eval_first(&term, 3, x, false, NULL, NULL), e, 1e-12 * e + 1e-18);
    }
    const double rest[4] = {1, 0, 0, 1};
    double x[9], g[9], H[81];
    place(flat_rest, rest, eye, x);
    ASSERT_NEAR(eval_first(&term, 3, x, true, g, H), 0, 1e-40);
    for (int i = 0; i < 9; ++i) ASSERT_NEAR(g[i], 0, 1e-12);
    end_term(&memory, &term);
}

static void test_forbidden(void** state) {
    (void)state;
    static const double scales[][2] = {{1.2, 1}, {1, 1.3}, {0.7, 1}, {1, 0}, {5, 5}};
    pli_memory memory;
    pli_term term = make_sheet(&memory, "strain-limit", both, 4, flat_rest);
    for (size_t i = 0; i < sizeof scales / sizeof *scales; ++i) {
        const double A[4] = {scales[i][0] * (1 + 1e-12), 0, 0, scales[i][1]};
        double x[9], g[9], H[81];
        place(flat_rest, A, eye, x);
        if (i == 2) x[3] = x[0] + 0.69 * (flat_rest[3] - flat_rest[0]); // about 0.7
        assert_true(eval_first(&term, 3, x, true, g, H) == HUGE_VAL);
        for (int k = 0; k < 9; ++k) assert_true(g[k] == 0);
    }
    char text[160];
    double x[9];
    place(flat_rest, (const double[4]){1.5, 0, 0, 1}, eye, x);
    assert_int_equal(pli_element_term_forbidden(&term, x, text, sizeof text), 0);
    assert_non_null(strstr(text, "stretch is 1.5, the limit 1.2"));
    place(flat_rest, (const double[4]){1, 0, 0, 0.5}, eye, x);
    assert_int_equal(pli_element_term_forbidden(&term, x, text, sizeof text), 0);
    assert_non_null(strstr(text, "stretch is 0.5, the limit 0.7"));
    assert_int_equal(pli_element_term_forbidden(&term, flat_rest, text, sizeof text), -1);
    end_term(&memory, &term);
}

// The largest and smallest stretch at x.
static void stretches(const double* x, double s[2]) {
    double B[4], F[6], C[4], d[2][2], values[2];
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < 2; ++c) d[k][c] = flat_rest[3 * (k + 1) + c] - flat_rest[c];
    double det = d[0][0] * d[1][1] - d[0][1] * d[1][0];
    B[0] = d[1][1] / det, B[1] = -d[1][0] / det, B[2] = -d[0][1] / det, B[3] = d[0][0] / det;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 2; ++c)
            F[2 * r + c] = (x[3 + r] - x[r]) * B[c] + (x[6 + r] - x[r]) * B[2 + c];
    for (int k = 0; k < 4; ++k) C[k] = 0;
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 4; ++k) C[k] += F[2 * r + k / 2] * F[2 * r + k % 2];
    pli_eigen_symmetric(2, C, values, NULL);
    s[0] = sqrt(values[1]);
    s[1] = sqrt(fmax(values[0], 0));
}

// Long random directions from states near and far from the limits: the whole segment stays allowed,
// and the bound uses the room: where it stops the step, the room has shrunk to about a tenth.
static void test_step_bound(void** state) {
    (void)state;
    pli_random r = {23};
    int stopped = 0;
    for (int list = 0; list < 3; ++list) {
        static const double upper[] = {1.2, 1.2, 1.001}, lower[] = {0, 0.7, 0};
        pli_memory memory;
        pli_term term = list == 0   ? make_sheet(&memory, "strain-limit", settings, 2, flat_rest)
                        : list == 1 ? make_sheet(&memory, "strain-limit", both, 4, flat_rest)
                                    : make_sheet(&memory, "strain-limit", narrow, 1, flat_rest);
        for (int i = 0; i < 300; ++i) {
            double A[4], R[9], x[9], p[9], s[2], end[2], away = pow(10, -pli_random_in(&r, 0, 6));
            double size = pow(10, pli_random_in(&r, -3, 2));
            s[0] = upper[list] - (upper[list] - 1) * away;
            s[1] = list == 1 && i % 2 ? 0.7 + 0.3 * away : 0.9;
            random_stretch(&r, s[0], s[1], A);
            random_rotation(&r, R);
            place(flat_rest, A, R, x);
            for (int k = 0; k < 9; ++k) p[k] = size * pli_random_in(&r, -1, 1);
            pli_check_step_bound(&term, 3, 3, x, p);
            pli_view view = {.x = x};
            double a = term.ops->max_step(term.self, &view, p), moved[9];
            assert_true(a > 0 && a <= 1);
            for (int k = 0; k < 9; ++k) moved[k] = x[k] + a * p[k];
            stretches(moved, end);
            double left = (upper[list] - end[0]) / (upper[list] - s[0]);
            double below = lower[list] > 0 ? (end[1] - lower[list]) / (s[1] - lower[list]) : 1;
            assert_true(left > 0.0999 && below > 0.0999);
            if (a == 1) continue;
            stopped++;
            assert_true(fmin(left, below) < 0.12);
        }
        end_term(&memory, &term);
    }
    assert_true(stopped > 300);
}

// It shows how far the larger stretch is on its way from the start to the limit.
static void test_shown(void** state) {
    (void)state;
    pli_memory memory;
    pli_random r = {23};
    const pli_setting late[] = {{"limit", 1.2}, {"start", 1.05}};
    pli_term term = make_sheet(&memory, "strain-limit", late, 2, flat_rest);
    for (int i = 0; i < 20; ++i) {
        double A[4], R[9], x[9], s = pli_random_in(&r, 0.9, 1.19);
        random_stretch(&r, s, pli_random_in(&r, 0.5, s), A);
        random_rotation(&r, R);
        place(flat_rest, A, R, x);
        for (int v = 0; v < 3; ++v)
            ASSERT_NEAR(shown_at(&term, "stretch_of_limit", x, 3, 0, v), (s - 1.05) / 0.15, 1e-12);
    }
    end_term(&memory, &term);
}

static void test_settings(void** state) {
    (void)state;
    const pli_setting low[] = {{"limit", 1}}, late[] = {{"limit", 1.1}, {"start", 1.1}};
    const pli_setting squeezed[] = {{"lower", 0.9}, {"lower_start", 0.8}};
    expect_refused("strain-limit", low, 1, "limit = 1, must be > 1");
    expect_refused("strain-limit", late, 2, "must be greater than start");
    expect_refused("strain-limit", squeezed, 2, "must be less than lower_start");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),  cmocka_unit_test(test_closed_form),
        cmocka_unit_test(test_forbidden), cmocka_unit_test(test_step_bound),
        cmocka_unit_test(test_shown),     cmocka_unit_test(test_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
