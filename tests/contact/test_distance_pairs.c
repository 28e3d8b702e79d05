// Distances in space against rational arithmetic, differences and closed forms.
#include "contact/closest.h"

#include "math/small.h"
#include "math/vec.h"
#include "oracle/exact_distance.h"
#include "oracle/near.h"
#include "oracle/random.h"

enum { TRIANGLE, EDGES, SEGMENT, POINTS }; // rows of pli_space_pairs

typedef struct corners {
    double x[4][3];
} corners;

static pli_closest closest(int row, const corners* y) {
    const double* x[4] = {y->x[0], y->x[1], y->x[2], y->x[3]};
    pli_closest out;
    pli_space_pairs[row].closest(x, &out);
    return out;
}

static double exact_distance(int row, const corners* y) {
    const double* x[4] = {y->x[0], y->x[1], y->x[2], y->x[3]};
    return sqrt(
        (row == TRIANGLE ? pli_exact_point_triangle_distance2 : pli_exact_edge_edge_distance2)(x));
}

// Largest difference of two coordinates, and what rounding of the positions themselves is.
static double size_of(const corners* y) {
    double size = 0;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < i; ++j)
            for (int k = 0; k < 3; ++k) size = fmax(size, fabs(y->x[i][k] - y->x[j][k]));
    return size;
}

static void test_rows(void** state) {
    (void)state;
    for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i) {
        const pli_space_pair* row = &pli_space_pairs[i];
        assert_true(pli_space_pair_of(row->a_width, row->b_width) == row);
        corners y = {{{0, 0, 0}, {1, 0, 0.5}, {1, 1, 0}, {2, 0, 1}}};
        assert_int_equal(closest(i, &y).width, row->a_width + row->b_width);
    }
    assert_null(pli_space_pair_of(3, 3));
    assert_string_equal(pli_space_pairs[TRIANGLE].name, "point-triangle");
    assert_string_equal(pli_space_pairs[EDGES].name, "edge-edge");
}

// Families of inputs: plain; integers, with all coincidences; a sliver or almost parallel edges of
// any thinness; almost touching; degenerate to a line or point; different sizes.
static void make_thin(pli_random* r, int row, int family, corners* y) {
    double thin = pow(10, pli_random_in(r, -17, 0)), along = pli_random_in(r, -0.5, 1.5);
    for (int k = 0; k < 3; ++k) {
        double u = row == TRIANGLE ? y->x[2][k] - y->x[1][k] : y->x[1][k] - y->x[0][k];
        double from = row == TRIANGLE ? y->x[1][k] : y->x[2][k], noise = pli_random_in(r, -1, 1);
        if (family == 2 || family == 3) y->x[3][k] = from + along * u + thin * noise;
        if (family == 4) y->x[3][k] = from + along * u;
        if (family == 5) y->x[3][k] = y->x[2][k];
        if (family == 6) y->x[1][k] = y->x[0][k] + thin * u;
    }
}

// Moves the first primitive so that it almost touches the second.
static void make_close(pli_random* r, int row, corners* y) {
    double height = pow(10, pli_random_in(r, -17, 0));
    double a = pli_random_in(r, -0.2, 0.8), b = pli_random_in(r, -0.2, 0.8);
    double c[4] = {1, a + b - 1, -a, -b};
    if (row == EDGES) {
        c[0] = 1 - b;
        c[1] = b;
        c[2] = a - 1;
        c[3] = -a;
    }
    for (int k = 0; k < 3; ++k) {
        double w = height * pli_random_in(r, -1, 1);
        for (int i = 0; i < 4; ++i) w += c[i] * y->x[i][k];
        y->x[0][k] -= w;
        if (row == EDGES) y->x[1][k] -= w;
    }
}

static void make_corners(pli_random* r, int row, int family, corners* y) {
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            y->x[i][k] = family == 1 ? pli_random_below(r, 4) : pli_random_in(r, -1, 1);
    make_thin(r, row, family, y);
    if (family == 3 || family == 7) make_close(r, row, y);
}

// Whatever the input: the distance is right up to rounding (some 1e-16 of the size, a hundred times
// that for the thinnest primitives whose products are plain), and the weights are those of points
// on the primitives.
static void test_against_rational(void** state) {
    (void)state;
    pli_random random = {314};
    for (int trial = 0; trial < 32000; ++trial) {
        corners y;
        int row = trial % 2 ? EDGES : TRIANGLE, family = trial / 2 % 8;
        make_corners(&random, row, family, &y);
        pli_closest pair = closest(row, &y);
        double exact = exact_distance(row, &y), size = size_of(&y);
        if (!(fabs(pair.distance - exact) <= 2e-14 * size))
            fail_msg("row %d, family %d: distance %.17g, exact %.17g", row, family, pair.distance,
                     exact);
        int a_width = pli_space_pairs[row].a_width;
        double sums[2] = {0};
        for (int i = 0; i < 4; ++i) {
            double weight = i < a_width ? pair.c[i] : -pair.c[i];
            assert_true(weight >= 0 && weight <= 1);
            assert_true((weight > 0) <= ((pair.active >> i & 1) == 1));
            sums[i >= a_width] += weight;
        }
        for (int i = 0; i < 2; ++i) ASSERT_NEAR(sums[i], 1, 1e-15);
        ASSERT_NEAR(pli_norm(pair.normal, 3), 1, 1e-15);
    }
}

// The weights and the normal reproduce w; loosely where the primitives are thin, because there
// closest points that are far apart are equally good.
static void test_frame(void** state) {
    (void)state;
    pli_random random = {2718};
    for (int trial = 0; trial < 4000; ++trial) {
        corners y;
        int row = trial % 4;
        make_corners(&random, row == TRIANGLE ? TRIANGLE : EDGES, 0, &y);
        pli_closest pair = closest(row, &y);
        double worst = 0;
        for (int k = 0; k < 3; ++k) {
            double w = 0;
            for (int i = 0; i < pair.width; ++i) w += pair.c[i] * y.x[i][k];
            worst = fmax(worst, fabs(w - pair.distance * pair.normal[k]));
        }
        assert_true(worst < 1e-11);
        for (int s = 0; s < pair.glide_count; ++s) {
            double moved[3] = {0}; // sum of dc x is the tangent
            ASSERT_NEAR(pli_dot(pair.tangent[s], pair.normal, 3), 0, 1e-11);
            for (int i = 0; i < pair.width; ++i) pli_axpy(pair.glide[s][i], y.x[i], moved, 3);
            for (int k = 0; k < 3; ++k) ASSERT_NEAR(moved[k], pair.tangent[s][k], 1e-10);
        }
    }
}

static double squared(int row, const corners* y) {
    double d = closest(row, y).distance;
    return d * d;
}

// p over the triangle (-1,0,1), (1,0,1), (0,0,-1), near each corner, side and the inside.
static void test_triangle_template(void** state) {
    (void)state;
    const double heights[7] = {0, 1e-12, -1e-12, 1, -1, 10, -10};
    const double s5 = sqrt(5);
    const struct {
        double from[2], out[2]; // a point of the feature, the unit direction away from it
        unsigned active;
    } features[7] = {
        {{-1, 1}, {-0.8, 0.6}, 3},
        {{1, 1}, {0.8, 0.6}, 5},
        {{0, -1}, {0, -1}, 9},
        {{0.3, 1}, {0, 1}, 7},
        {{0.5, 0}, {2 / s5, -1 / s5}, 13},
        {{-0.5, 0}, {-2 / s5, -1 / s5}, 11},
        {{0, 0.25}, {0, 0}, 15},
    };
    for (int f = 0; f < 7; ++f)
        for (int h = 0; h < 7; ++h)
            for (double out = 1e-12; out < 2e4; out *= 10) {
                const double *from = features[f].from, *u = features[f].out;
                corners y = {{{from[0] + out * u[0], heights[h], from[1] + out * u[1]},
                              {-1, 0, 1},
                              {1, 0, 1},
                              {0, 0, -1}}};
                double beyond = f < 6 ? out : 0, expected = hypot(beyond, heights[h]);
                pli_closest pair = closest(TRIANGLE, &y);
                ASSERT_NEAR(pair.distance, expected, 1e-15 * (1 + out + fabs(heights[h])));
                if (out > 1e-9 || f == 6) assert_int_equal(pair.active, features[f].active);
            }
}

// A sliver of 2e-4 m^2: the side t0 t1 is closest although the face seems to be near.
static void test_triangle_sliver(void** state) {
    (void)state;
    corners y = {{{0.488166, 0.0132623, 0.289055},
                  {0.456476, 0.0526442, 0.260834},
                  {0.609111, 0.0595969, 0.275928},
                  {0.431262, 0.0508414, 0.255831}}};
    assert_int_equal(closest(TRIANGLE, &y).active, 7);
    ASSERT_NEAR(squared(TRIANGLE, &y), 0.0022957003806956388, 1e-17);
}

// Edge e0 on the x-axis at height h, e1 turned by any angle to it, crossing above its middle: h.
// Exactly parallel and with a gap along the line: hypot(gap, h).
static void test_edges_template(void** state) {
    (void)state;
    const double heights[5] = {0, 1e-12, 1, -1, 10};
    for (int h = 0; h < 5; ++h) {
        for (double angle = 1e-17; angle < 3; angle *= 1.5)
            for (int shift = -1; shift <= 1; ++shift) {
                double c = cos(angle), s = sin(angle), at = 0.5 * shift;
                corners y = {
                    {{-1, heights[h], 0}, {1, heights[h], 0}, {at - c, 0, -s}, {at + c, 0, s}}};
                ASSERT_NEAR(closest(EDGES, &y).distance, fabs(heights[h]), 1e-15);
            }
        for (double gap = 1e-12; gap < 1e4; gap *= 10) {
            corners y = {
                {{-1, heights[h], 0}, {1, heights[h], 0}, {1 + gap, 0, 0}, {9 + gap, 0, 0}}};
            pli_closest pair = closest(EDGES, &y);
            ASSERT_NEAR(pair.distance, hypot(gap, heights[h]), 2e-15 * (1 + gap));
            if (gap > 1e-9 && gap < 5) assert_int_equal(pair.active, 2 | 4);
        }
        corners parallel = {{{-1, heights[h], 0}, {1, heights[h], 0}, {3, 0, 0}, {0.5, 0, 0}}};
        assert_true(closest(EDGES, &parallel).distance == fabs(heights[h]));
    }
}

// Almost one line: the formula for lines gives 0, the ends a1, b0 are 0.18 apart.
static void test_edges_almost_on_a_line(void** state) {
    (void)state;
    double x = -0.81818181276321411;
    corners y = {{{x, 0.073941159961546266, 0.090909108519554152},
                  {x, 0.073941161500775773, 0.27272728085517883},
                  {x, 0.073941163540152718, 0.45454546809196478},
                  {x, 0.073941167300585323, 0.63636362552642822}}};
    assert_int_equal(closest(EDGES, &y).active, 2 | 4);
    ASSERT_NEAR(squared(EDGES, &y), 0.033057853210070955, 1e-16);
    const double lengths[4] = {0.1, 0.5, 1, 2}, slants[3] = {0, 1e-9, 1e-6};
    for (int l = 0; l < 4; ++l)
        for (double gap = 0.05; gap < 0.51; gap += 0.05)
            for (int s = 0; s < 3; ++s) {
                double L = lengths[l], dy = slants[s];
                corners z = {
                    {{0, 0, 0}, {0, dy, L}, {0, 2 * dy, L + gap}, {0, 4 * dy, 2 * L + gap}}};
                assert_int_equal(closest(EDGES, &z).active, 2 | 4);
                ASSERT_NEAR(closest(EDGES, &z).distance, hypot(gap, dy), 1e-15);
            }
}

// Edges and triangles without length or area are what is left of them.
static void test_degenerate(void** state) {
    (void)state;
    corners points = {{{0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}}};
    assert_true(closest(EDGES, &points).distance == 5);
    corners point_edge = {{{0, 2, 0}, {0, 2, 0}, {-1, 0, 0}, {1, 0, 0}}};
    assert_true(closest(EDGES, &point_edge).distance == 2);
    corners edge_point = {{{-1, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 2, 0}}};
    assert_true(closest(EDGES, &edge_point).distance == 2);
    assert_true(closest(EDGES, &edge_point).normal[1] == -1);
    corners flat = {{{0.5, 0, 3}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}}};
    assert_true(closest(TRIANGLE, &flat).distance == 3);
    corners all = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
    for (int row = 0; row < PLI_SPACE_PAIR_COUNT; ++row) {
        assert_true(closest(row, &all).distance == 0);
        ASSERT_NEAR(pli_norm(closest(row, &all).normal, 3), 1, 1e-15);
    }
    for (int i = 0; i < 3; ++i) { // what is not a number is not far
        corners nan = {{{0, 1, 0.5}, {-1, 0, 0}, {1, 0, 0}, {0, 0, 1}}};
        nan.x[0][i] = NAN;
        assert_true(isnan(closest(TRIANGLE, &nan).distance));
        assert_true(isnan(closest(SEGMENT, &nan).distance));
        assert_true(isnan(closest(POINTS, &nan).distance));
    }
}

// Plane y = 0 under p = (0, 2, 0): d^2 = 4, gradient (0, 4, 0), Hessian 2 n n^T for the point.
static void test_plane_closed_form(void** state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        corners y = {{{0, 2.0 * side, 0}, {-1, 0, 1}, {1, 0, 1}, {0, 0, -1}}};
        double g[12] = {0}, H[144] = {0};
        pli_closest pair = closest(TRIANGLE, &y);
        assert_true(pair.distance == 2);
        pli_closest_gradient(&pair, 2 * pair.distance, g);
        pli_closest_hessian(&pair, 2, 2, H);
        for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(g[k], k == 1 ? 4 * side : 0, 1e-15);
            for (int l = 0; l < 3; ++l) ASSERT_NEAR(H[12 * k + l], k == 1 && l == 1 ? 2 : 0, 1e-15);
        }
    }
}

// Edges at distance 1 that cross at any angle: the gradient of d^2 is 2 c (x) n.
static void test_edges_gradient(void** state) {
    (void)state;
    for (double degrees = 1e-6; degrees <= 100; degrees *= 10) {
        double c = cos(degrees * acos(-1) / 180), s = sin(degrees * acos(-1) / 180), g[12] = {0};
        corners y = {{{-1, 1, 0}, {1, 1, 0}, {-c, 0, -s}, {c, 0, s}}};
        pli_closest pair = closest(EDGES, &y);
        assert_int_equal(pair.active, 15);
        pli_closest_gradient(&pair, 2, g);
        for (int i = 0; i < 12; ++i) ASSERT_NEAR(g[i], i % 3 == 1 ? (i < 6 ? 1 : -1) : 0, 1e-15);
    }
}

typedef struct function {
    double value, first, second;
} function; // of d

// 0: d^2; 1: like a barrier, falling and convex.
static function psi(int which, double d) {
    if (which == 0) return (function){d * d, 2 * d, 2};
    return (function){1 / d, -1 / (d * d), 2 / (d * d * d)};
}

static void derivatives(int row, int which, const corners* y, double g[12], double H[144]) {
    pli_closest pair = closest(row, y);
    function f = psi(which, pair.distance);
    for (int i = 0; i < 12; ++i) g[i] = 0;
    pli_closest_gradient(&pair, f.first, g);
    if (!H) return;
    for (int i = 0; i < 144; ++i) H[i] = 0;
    pli_closest_hessian(&pair, f.second, f.first / pair.distance, H);
}

// Differences of 4th order; h = 1e-4: truncation ~ h^4, rounding ~ 1e-16 / h, times how fast the
// closest points glide.
static bool differences_fit(int row, int which, const corners* y) {
    static const double weights[4] = {1, -8, 8, -1}, places[4] = {-2, -1, 1, 2}, h = 1e-4;
    pli_closest pair = closest(row, y);
    int n = 3 * pair.width;
    double g[12], H[144];
    derivatives(row, which, y, g, H);
    for (int i = 0; i < n; ++i) {
        double de = 0, dg[12] = {0};
        for (int s = 0; s < 4; ++s) {
            corners z = *y;
            double gz[12];
            z.x[i / 3][i % 3] += places[s] * h;
            pli_closest moved = closest(row, &z);
            if (moved.active != pair.active) return false; // the second derivative jumps
            de += weights[s] * psi(which, moved.distance).value / (12 * h);
            derivatives(row, which, &z, gz, NULL);
            pli_axpy(weights[s] / (12 * h), gz, dg, n);
        }
        ASSERT_NEAR(g[i], de, 1e-8 * (1 + fabs(de)));
        for (int k = 0; k < n; ++k) ASSERT_NEAR(H[i * n + k], dg[k], 2e-6 * (1 + fabs(dg[k])));
    }
    return true;
}

static void test_derivatives(void** state) {
    (void)state;
    const int kinds[4] = {7, 9, 3, 1};
    pli_random random = {99};
    for (int row = 0; row < PLI_SPACE_PAIR_COUNT; ++row) {
        int seen[16] = {0}, found = 0;
        for (int trial = 0; trial < 1500; ++trial) {
            corners y;
            make_corners(&random, row == TRIANGLE ? TRIANGLE : EDGES, 0, &y);
            pli_closest pair = closest(row, &y);
            double steep = 0;
            for (int s = 0; s < pair.glide_count; ++s)
                steep = fmax(steep, pli_norm(pair.glide[s], 4));
            if (pair.distance < 0.2 || steep > 4) continue;
            seen[pair.active] += differences_fit(row, trial % 2, &y);
        }
        for (int i = 0; i < 16; ++i) found += seen[i] >= 5;
        assert_int_equal(found, kinds[row]);
    }
}

// Smallest eigenvalue and sum of squares of a matrix.
static double smallest_eigenvalue(int n, const double* A) {
    double values[12];
    pli_eigen_symmetric(n, A, values, NULL);
    return values[0];
}

// The closed form is positive semi-definite and not below the Hessian; the nearest such matrix for
// two points, else within a fifth of it.
static void test_projection(void** state) {
    (void)state;
    pli_random random = {1234};
    for (int trial = 0; trial < 2000; ++trial) {
        corners y;
        int row = trial % 4;
        make_corners(&random, row == TRIANGLE ? TRIANGLE : EDGES, trial % 8 < 4 ? 0 : 7, &y);
        pli_closest pair = closest(row, &y);
        double second = pow(10, pli_random_in(&random, -4, 4));
        double k = -pow(10, pli_random_in(&random, -4, 4));
        double H[144] = {0}, P[144] = {0}, D[144], largest = 0, excess = 0, part = 0;
        int n = 3 * pair.width;
        pli_closest_hessian(&pair, second, k, H);
        pli_closest_hessian_psd(&pair, second, k, P);
        for (int i = 0; i < n * n; ++i) {
            largest = fmax(largest, fabs(H[i]));
            D[i] = P[i] - H[i];
        }
        // Rounding of the eigenvalues.
        assert_true(smallest_eigenvalue(n, P) >= -1e-13 * largest);
        assert_true(smallest_eigenvalue(n, D) >= -1e-13 * largest);
        pli_project_psd(n, H);
        for (int i = 0; i < n * n; ++i) {
            excess += (P[i] - H[i]) * (P[i] - H[i]);
            part += H[i] * H[i];
        }
        if (pair.glide_count == 0) assert_true(sqrt(excess) <= 1e-13 * largest);
        assert_true(excess <= 0.04 * part); // it is up to 0.03 of these
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_against_rational),
        cmocka_unit_test(test_frame),
        cmocka_unit_test(test_triangle_template),
        cmocka_unit_test(test_triangle_sliver),
        cmocka_unit_test(test_edges_template),
        cmocka_unit_test(test_edges_almost_on_a_line),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_plane_closed_form),
        cmocka_unit_test(test_edges_gradient),
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_projection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
