// Bending by the angle at edges: the contract, the angle, and a sheet rolled up to a cylinder.
#include "energy/fixture.h"
#include "energy/stencils.h"

static const double k[] = {35, 0, NAN, NAN, 0, 0, 0};
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

// The energy of the sheet with the given parameters, rolled up along x, y or the diagonal of its
// cells.
static double roll(const double* params, const double* pattern, int along, double radius) {
    static double rest[3 * SIDE * SIDE], x[3 * SIDE * SIDE];
    static int32_t triangles[6 * N * N];
    const double h = 0.1, root = sqrt(0.5);
    const double axes[3][2] = {{1, 0}, {0, 1}, {root, root}};
    const double c = axes[along][0], s = axes[along][1];
    for (int i = 0; i < SIDE * SIDE; ++i) {
        double X = h * (i % SIDE), Y = h * (i / SIDE), u = c * X + s * Y, v = c * Y - s * X;
        double r = radius * sin(u / radius);
        const double at[3] = {X, Y, 0},
                     on[3] = {c * r - s * v, s * r + c * v, radius * cos(u / radius)};
        memcpy(rest + 3 * i, pattern ? on : at, sizeof at);
        memcpy(x + 3 * i, on, sizeof on);
    }
    for (int i = 0; i < N * N; ++i) {
        int a = i / N * SIDE + i % N, b = a + 1, d = a + SIDE, e = d + 1;
        const int32_t two[6] = {a, b, e, a, e, d};
        memcpy(triangles + 6 * i, two, sizeof two);
    }
    pli_body_view view = {.dim = 3, .vertex_count = SIDE * SIDE, .rest = rest, .pattern = pattern};
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
                             .pattern = pattern ? sink.pattern + 12 * i : NULL,
                             .pattern_size = 12,
                             .rest = rest};
        pli_term term = make_term(&memory, "hinge", params, &domain);
        sum += eval_first(&term, 3, x, false, NULL, NULL);
        term.ops->destroy(term.self);
    }
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
    return sum / (h * h);
}

static const double radius = 0.7;

static void cylinder(void** state) {
    (void)state;
    const double D = 3 * k[0], wanted = 0.5 * D / (radius * radius) * (N - 1) * N;
    for (int along = 0; along < 2; ++along)
        ASSERT_NEAR(roll(k, NULL, along, radius), wanted, 1e-12 * wanted);
}

// Stiffnesses along warp and weft: each where the sheet is rolled up along it. With equal ones the
// bits are those of one; the diagonals stay flat along x and y, and have their mean otherwise.
static void woven_cylinder(void** state) {
    (void)state;
    const double woven[] = {1, 0, 48, 3, 0, 0, 0}, turned[] = {1, 0, 48, 3, 0, 1, 0},
                 diagonal[] = {1, 0, 48, 3, 1, 1, 0}, even[] = {1, 0, 35, 35, 0, 1, 0};
    const double unit = 0.5 * 3 / (radius * radius) * (N - 1) * N;
    ASSERT_NEAR(roll(woven, NULL, 0, radius), 48 * unit, 1e-11 * unit);
    ASSERT_NEAR(roll(woven, NULL, 1, radius), 3 * unit, 1e-11 * unit);
    ASSERT_NEAR(roll(turned, NULL, 0, radius), 3 * unit, 1e-11 * unit);
    double mean = 0.25 * (sqrt(48) + sqrt(3)) * (sqrt(48) + sqrt(3));
    ASSERT_NEAR(roll(diagonal, NULL, 0, radius), mean * unit, 1e-11 * unit);
    for (int along = 0; along < 3; ++along)
        assert_true(roll(even, NULL, along, radius) == roll(k, NULL, along, radius));
}

// The mesh is rolled up, the pattern flat: the same energy as from a flat rest shape, also if the
// pattern is turned and the warp with it. Where panels are cut apart, the angles of the mesh count.
static void pattern_is_flat(void** state) {
    (void)state;
    static double pattern[12 * N * N];
    const double woven[] = {1, 0, 48, 3, 0, 0, 0}, turned[] = {1, 0, 48, 3, 0, 1, 0},
                 flat_one[] = {1, 1, 48, 3, 0, 0, 0};
    const double unit = 0.5 * 3 / (radius * radius) * (N - 1) * N;
    for (int cut = 0; cut < 2; ++cut)
        for (int way = 0; way < 2; ++way) {
            for (int i = 0; i < N * N; ++i) {
                double X = 0.1 * (i % N), Y = 0.1 * (i / N), gap = cut ? i : 0;
                const double places[12] = {X, Y, X + 0.1, Y,       X + 0.1, Y + 0.1,
                                           X, Y, X + 0.1, Y + 0.1, X,       Y + 0.1};
                for (int v = 0; v < 6; ++v) {
                    pattern[12 * i + 2 * v] = gap + (way ? -places[2 * v + 1] : places[2 * v]);
                    pattern[12 * i + 2 * v + 1] = way ? places[2 * v] : places[2 * v + 1];
                }
            }
            const double* params = way ? turned : woven; // the warp along the rolled direction
            double e = roll(params, pattern, 0, radius);
            ASSERT_NEAR(e, cut ? 0 : 48 * unit, 1e-10 * unit);
            if (way == 0) ASSERT_NEAR(roll(flat_one, pattern, 0, radius), 48 * unit, 1e-10 * unit);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(value_and_moment),
        cmocka_unit_test(shows_angle_and_moment),
        cmocka_unit_test(rest_shape_is_free),
        cmocka_unit_test(no_area),
        cmocka_unit_test(cylinder),
        cmocka_unit_test(woven_cylinder),
        cmocka_unit_test(pattern_is_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
