// Threads: the contract of corners and segments, closed forms, and which stencils there are.
#include "energy/fixture.h"
#include "energy/stencils.h"

static const double pi = 3.14159265358979323846;
static const double params[] = {2e7, 0.01, 0.5}; // young, radius, bending_scale
static const int32_t corner[] = {0, 1, 2}, segment[] = {0, 1, -1};
static const double straight[] = {0, 0, 0, 0.5, 0, 0, 1.2, 0, 0};

static double bending_stiffness(void) { return params[2] * params[0] * pi * pow(params[1], 4) / 4; }

static pli_term make_thread(pli_memory* memory, int dim, const int32_t* vertices) {
    pli_domain domain = {.dim = dim,
                         .kind = PLI_STENCIL,
                         .element_count = 1,
                         .vertices = vertices,
                         .rest = straight};
    pli_memory_init(memory, NULL);
    return make_term(memory, "thread", params, &domain);
}

static void check_states(int dim, const int32_t* vertices, bool gauss_newton) {
    pli_random r = {17};
    for (int i = 0; i < 200; ++i) {
        pli_memory memory;
        double x[9] = {0};
        for (int v = 0; v < 3; ++v)
            for (int c = 0; c < dim; ++c)
                x[3 * v + c] = straight[3 * v + c] + pli_random_in(&r, -0.3, 0.3);
        pli_term term = make_thread(&memory, dim, vertices);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = 3,
                                                  .x = x,
                                                  .step = 1e-5,
                                                  .gradient_tolerance = 1e-8,
                                                  .hessian_tolerance = 1e-7,
                                                  .internal = true,
                                                  .objective = true,
                                                  .gauss_newton = gauss_newton});
        end_term(&memory, &term);
    }
}

static void corners_in_space(void** state) {
    (void)state;
    check_states(3, corner, true);
}

static void corners_in_the_plane(void** state) {
    (void)state;
    check_states(2, corner, true);
}

static void segments(void** state) {
    (void)state;
    check_states(3, segment, true);
    check_states(2, segment, true);
}

// Bent by an angle: 4 EI tan^2(phi / 2) / (l_u + l_v). Folded back onto itself: forbidden.
static void values(void** state) {
    (void)state;
    pli_memory memory;
    pli_term term = make_thread(&memory, 3, corner);
    for (int i = 0; i <= 17; ++i) {
        double phi = i * pi / 18, t = tan(0.5 * phi);
        double x[9] = {0, 0, 0, 0.5, 0, 0, 0.5 + 0.7 * cos(phi), 0.7 * sin(phi), 0};
        double e = eval_first(&term, 3, x, false, NULL, NULL);
        ASSERT_NEAR(e, 4 * bending_stiffness() * t * t / 1.2, 1e-11 * (1 + t * t));
    }
    const double folded[9] = {0, 0, 0, 0.5, 0, 0, 0.25, 0, 0};
    assert_true(eval_first(&term, 3, folded, false, NULL, NULL) == HUGE_VAL);
    end_term(&memory, &term);
    term = make_thread(&memory, 3, segment);
    const double longer[9] = {0, 0, 0, 0, 0.6, 0, 9, 9, 9};
    double EA = params[0] * pi * params[1] * params[1];
    ASSERT_NEAR(eval_first(&term, 3, longer, false, NULL, NULL), 0.5 * EA * 0.5 * 0.04, 1e-9 * EA);
    end_term(&memory, &term);
}

// Corners show |b| by length, segments EA times the strain.
static void shows_curvature_and_force(void** state) {
    (void)state;
    pli_memory memory;
    const double phi = 0.8, EA = params[0] * pi * params[1] * params[1];
    const double x[9] = {0, 0, 0, 0.45, 0, 0, 0.45 + 0.7 * cos(phi), 0.7 * sin(phi), 0};
    for (int dim = 2; dim <= 3; ++dim) {
        pli_term term = make_thread(&memory, dim, corner);
        for (int v = 0; v < 3; ++v)
            ASSERT_NEAR(shown_at(&term, "curvature", x, 3, 0, v), 2 * tan(phi / 2) / 0.6, 1e-12);
        assert_true(isnan(shown_at(&term, "axial_force", x, 3, 0, 1)));
        end_term(&memory, &term);
        term = make_thread(&memory, dim, segment);
        for (int v = 0; v < 2; ++v)
            ASSERT_NEAR(shown_at(&term, "axial_force", x, 3, 0, v), -0.1 * EA, 1e-12 * EA);
        assert_true(isnan(shown_at(&term, "axial_force", x, 3, 0, 2)));
        assert_true(isnan(shown_at(&term, "curvature", x, 3, 0, 0)));
        end_term(&memory, &term);
    }
}

// Straight: no force, and the projected Hessian is the exact one.
static void exact_where_straight(void** state) {
    (void)state;
    pli_memory memory;
    double g[9], H[81], projected[81];
    pli_term term = make_thread(&memory, 3, corner);
    assert_true(eval_first(&term, 3, straight, false, g, H) == 0);
    eval_first(&term, 3, straight, true, g, projected);
    for (int i = 0; i < 9; ++i) assert_true(g[i] == 0);
    for (int i = 0; i < 81; ++i) ASSERT_NEAR(projected[i], H[i], 1e-12 * bending_stiffness() / 0.1);
    end_term(&memory, &term);
}

// A Y of three threads: segments everywhere, corners at vertices of exactly two segments.
static void stencils_of_a_junction(void** state) {
    (void)state;
    static const double rest[15] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 1, 0, 3, -1, 0};
    static const int32_t elements[8] = {0, 1, 1, 2, 2, 3, 2, 4};
    pli_body_view view = {.dim = 3, .vertex_count = 5, .rest = rest, .params = params};
    view.element_count[PLI_SEGMENT] = 4;
    view.elements[PLI_SEGMENT] = elements;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_stencil_sink sink;
    assert_int_equal(pli_find_stencils(&memory, find_type("thread"), &view, NULL, &sink, NULL),
                     PLI_OK);
    assert_int_equal(sink.count, 5);
    for (int i = 0; i < 4; ++i) assert_int_equal(sink.vertices[3 * i + 2], -1);
    assert_int_equal(sink.vertices[13], 1);
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_in_space),
        cmocka_unit_test(corners_in_the_plane),
        cmocka_unit_test(segments),
        cmocka_unit_test(values),
        cmocka_unit_test(shows_curvature_and_force),
        cmocka_unit_test(exact_where_straight),
        cmocka_unit_test(stencils_of_a_junction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
