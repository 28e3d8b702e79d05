// Bending by the angle at edges: the contract, the angle, and a sheet rolled up to a cylinder.
#include "energy/fixture.h"
#include "energy/stencils.h"

static const double k[] = {35};
static const double pi = 3.14159265358979323846;
static const int32_t hinge[] = {0, 1, 2, 3};
// The edge is 2 m long on the y axis; the apexes are 1 m to the left and to the right of it.
static const double flat[] = {-1, 1, 0, 0, 0, 0, 0, 2, 0, 1, 1, 0};
static const double w = 3 * 4 / 2.0; // 3 |e|^2 / (A1 + A2)

static pli_term make_hinge(pli_memory* memory, const double* rest) {
    pli_domain domain = {
        .dim = 3, .kind = PLI_STENCIL, .element_count = 1, .vertices = hinge, .rest = rest};
    pli_memory_init(memory, NULL);
    return make_term(memory, "hinge", k, &domain);
}

static void contract_at_random_states(void** state) {
    (void)state;
    pli_random r = {61};
    for (int i = 0; i < 200; ++i) {
        pli_memory memory;
        double rest[12], x[12];
        for (int v = 0; v < 12; ++v) {
            rest[v] = flat[v] + pli_random_in(&r, -0.4, 0.4);
            x[v] = flat[v] + pli_random_in(&r, -0.6, 0.6);
        }
        pli_term term = make_hinge(&memory, rest);
        pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                  .vertex_count = 4,
                                                  .x = x,
                                                  .step = 1e-5,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .internal = true,
                                                  .objective = true,
                                                  .gauss_newton = true});
        end_term(&memory, &term);
    }
}

// Folded by any angle to either side: the value, and the force that the moment exerts at an apex
// 1 m from the edge.
static void value_and_moment(void** state) {
    (void)state;
    pli_memory memory;
    pli_term term = make_hinge(&memory, flat);
    for (int i = -17; i <= 17; ++i) {
        double a = i * pi / 18, x[12], g[12], H[144];
        memcpy(x, flat, sizeof x);
        x[9] = cos(a);
        x[11] = sin(a);
        double e = eval_first(&term, 3, x, false, g, H);
        ASSERT_NEAR(e, 0.5 * k[0] * w * a * a, 1e-12 * k[0] * w);
        double along = -sin(a) * g[9] + cos(a) * g[11];
        ASSERT_NEAR(along, k[0] * w * a, 1e-12 * k[0] * w); // dP/da
        ASSERT_NEAR(g[10], 0.0, 1e-12 * k[0] * w);
    }
    end_term(&memory, &term);
}

// What it shows at the ends of the edge: the angle, and the moment dP/da per length of the edge.
static void shows_angle_and_moment(void** state) {
    (void)state;
    pli_memory memory;
    double rest[12], x[12];
    memcpy(rest, flat, sizeof rest);
    memcpy(x, flat, sizeof x);
    rest[9] = cos(0.3), rest[11] = sin(0.3);
    x[9] = cos(-0.8), x[11] = sin(-0.8);
    pli_term term = make_hinge(&memory, rest);
    static const struct {
        const char* name;
        double factor, value;
    } rows[] = {{"fold_angle", 1, 0.8}, {"bending_moment", 35 * 6, 1.1 / 2}, {"other", 0, 0}};
    for (int i = 0; i < 3; ++i) {
        double sums[4] = {0};
        int32_t shares[4] = {0};
        pli_element_term_scalar(
            &term,
            &(pli_term_scalar){
                .name = rows[i].name, .x = x, .point_count = 4, .sums = sums, .shares = shares});
        for (int v = 0; v < 4; ++v) {
            bool there = (v == 1 || v == 2) && i < 2;
            assert_int_equal(shares[v], there);
            ASSERT_NEAR(sums[v], there ? rows[i].factor * rows[i].value : 0, 1e-12 * 210);
        }
    }
    x[9] = 0, x[10] = 3, x[11] = 0; // no area: no value
    double sums[4] = {0};
    int32_t shares[4] = {0};
    pli_element_term_scalar(
        &term, &(pli_term_scalar){
                   .name = "fold_angle", .x = x, .point_count = 4, .sums = sums, .shares = shares});
    assert_int_equal(shares[1], 0);
    end_term(&memory, &term);
}

// A curved rest shape has no force; there the projected Hessian is the exact one.
static void rest_shape_is_free(void** state) {
    (void)state;
    pli_memory memory;
    double bent[12], g[12], H[144], projected[144];
    memcpy(bent, flat, sizeof bent);
    bent[9] = -0.3;
    bent[11] = 0.8;
    pli_term term = make_hinge(&memory, bent);
    assert_true(eval_first(&term, 3, bent, false, g, H) == 0);
    eval_first(&term, 3, bent, true, g, projected);
    for (int i = 0; i < 12; ++i) assert_true(g[i] == 0);
    assert_memory_equal(H, projected, sizeof H);
    end_term(&memory, &term);
}

// A triangle without area has no angle: refused at rest, forbidden later.
static void no_area(void** state) {
    (void)state;
    pli_memory memory;
    double x[12];
    memcpy(x, flat, sizeof x);
    x[0] = 0; // the first apex on the edge
    pli_term term = make_hinge(&memory, flat);
    assert_true(eval_first(&term, 3, x, false, NULL, NULL) == HUGE_VAL);
    end_term(&memory, &term);
    pli_error error = {0};
    pli_domain domain = {
        .dim = 3, .kind = PLI_STENCIL, .element_count = 1, .vertices = hinge, .rest = x};
    assert_int_equal(
        pli_element_term_create(&memory, find_type("hinge"), k, &domain, &term, &error),
        PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no area"));
    assert_int_equal(memory.bytes, 0);
}

// A sheet of N x N squares, each cut in two, rolled up to a cylinder: the diagonals stay flat, and
// with k = D/3 each inner line across has the energy D/2 (1/R)^2 of a plate strip of its width.
enum { N = 12, SIDE = N + 1 };

static void cylinder(void** state) {
    (void)state;
    static double rest[3 * SIDE * SIDE], x[3 * SIDE * SIDE];
    static int32_t triangles[6 * N * N];
    const double h = 0.1, radius = 0.7, D = 3 * k[0];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double u = h * (i % SIDE), v = h * (i / SIDE);
        const double at[3] = {u, v, 0},
                     on[3] = {radius * sin(u / radius), v, radius * cos(u / radius)};
        memcpy(rest + 3 * i, at, sizeof at);
        memcpy(x + 3 * i, on, sizeof on);
    }
    for (int c = 0; c < N * N; ++c) {
        int a = c / N * SIDE + c % N, b = a + 1, d = a + SIDE, e = d + 1;
        const int32_t two[6] = {a, b, e, a, e, d};
        memcpy(triangles + 6 * c, two, sizeof two);
    }
    pli_body_view view = {.dim = 3, .vertex_count = SIDE * SIDE, .rest = rest};
    view.element_count[PLI_TRIANGLE] = 2 * N * N;
    view.elements[PLI_TRIANGLE] = triangles;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_stencil_sink sink;
    assert_int_equal(pli_find_stencils(&memory, find_type("hinge"), &view, NULL, &sink, NULL),
                     PLI_OK);
    double sum = 0;
    for (int i = 0; i < sink.count; ++i) {
        pli_domain domain = {.dim = 3,
                             .kind = PLI_STENCIL,
                             .element_count = 1,
                             .vertices = sink.vertices + 4 * i,
                             .rest = rest};
        pli_term term = make_term(&memory, "hinge", k, &domain);
        sum += eval_first(&term, 3, x, false, NULL, NULL);
        term.ops->destroy(term.self);
    }
    pli_sink_free(&sink);
    ASSERT_NEAR(sum, 0.5 * D / (radius * radius) * (N - 1) * N * h * h, 1e-12 * sum);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(value_and_moment),
        cmocka_unit_test(shows_angle_and_moment),
        cmocka_unit_test(rest_shape_is_free),
        cmocka_unit_test(no_area),
        cmocka_unit_test(cylinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
