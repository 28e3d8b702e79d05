// Consistent mass matrices of elements against exact integrals, and on unknowns of all kinds.
#include "kinematics/consistent.h"
#include "kinematics/mass.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

static pli_error error;

static const int32_t numbers[10] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
static const int middle[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// Random corners, middles on straight sides, or off them by `bulge`.
static void place(pli_element_kind kind, int dim, double bulge, pli_random* random, double* x) {
    int corners = pli_element_dimension(kind) + 1, n = pli_element_size(kind);
    for (int i = 0; i < 3 * n; ++i) x[i] = 0;
    for (int i = 0; i < corners; ++i)
        for (int c = 0; c < dim; ++c)
            x[3 * i + c] = 2 * (i == c + 1) + pli_random_in(random, -0.3, 0.3);
    for (int i = corners; i < n; ++i)
        for (int c = 0; c < dim; ++c)
            x[3 * i + c] =
                0.5 * (x[3 * middle[i - corners][0] + c] + x[3 * middle[i - corners][1] + c]) +
                pli_random_in(random, -bulge, bulge);
}

// Integral of L0^a L1^b L2^c L3^d over a simplex of measure 1 and dimension m:
// m! a! b! c! d! / (m + a + b + c + d)!
static double monomial(int m, const int power[4]) {
    static const double factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
    double product = factorial[m];
    int sum = m;
    for (int i = 0; i < 4; ++i) {
        product *= factorial[power[i]];
        sum += power[i];
    }
    return product / factorial[sum];
}

// Shape function v as a sum of two monomials.
static void shape(pli_element_kind kind, int v, double factor[2], int power[2][4]) {
    int corners = pli_element_dimension(kind) + 1;
    bool quadratic = pli_element_size(kind) > corners;
    memset(power, 0, 2 * sizeof *power);
    factor[0] = quadratic ? 2 : 1; // L (2 L - 1)
    factor[1] = quadratic ? -1 : 0;
    if (v < corners) {
        power[0][v] = quadratic ? 2 : 1;
        power[1][v] = 1;
        return;
    }
    factor[0] = 4;
    factor[1] = 0;
    power[0][middle[v - corners][0]] = power[0][middle[v - corners][1]] = 1;
}

static double exact(pli_element_kind kind, int i, int j) {
    double f[2], g[2], sum = 0;
    int p[2][4], q[2][4];
    shape(kind, i, f, p);
    shape(kind, j, g, q);
    for (int a = 0; a < 2; ++a)
        for (int b = 0; b < 2; ++b) {
            int power[4];
            for (int c = 0; c < 4; ++c) power[c] = p[a][c] + q[b][c];
            sum += f[a] * g[b] * monomial(pli_element_dimension(kind), power);
        }
    return sum;
}

static void test_straight_elements(void** state) {
    (void)state;
    pli_random random = {11};
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        int n = pli_element_size(kind), lowest = pli_element_dimension(kind) == 3 ? 3 : 2;
        for (int dim = lowest; dim <= 3; ++dim) {
            double x[30], M[100];
            place(kind, dim, 0, &random, x);
            double size = fabs(pli_element_measure(dim, kind, numbers, x));
            pli_element_mass(dim, kind, numbers, x, M);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j)
                    ASSERT_NEAR(M[i * n + j], size * exact(kind, i, j), 1e-14 * size);
        }
    }
}

// Curved sides: the sum is the size, which another rule finds.
static void test_curved_elements(void** state) {
    (void)state;
    pli_random random = {12};
    for (int trial = 0; trial < 5; ++trial)
        for (int solid = 0; solid < 2; ++solid) {
            pli_element_kind kind = solid ? PLI_TETRAHEDRON10 : PLI_TRIANGLE6;
            int n = pli_element_size(kind), dim = solid ? 3 : 2;
            double x[30], M[100], sum = 0;
            place(kind, dim, 0.1, &random, x);
            pli_element_mass(dim, kind, numbers, x, M);
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    sum += M[i * n + j];
                    ASSERT_NEAR(M[i * n + j], M[j * n + i], 1e-16);
                }
            ASSERT_NEAR(sum, pli_element_measure(dim, kind, numbers, x), 1e-13);
        }
}

// Two triangles whose vertices are free, sliding, fixed and blended: p M p on q is the kinetic
// energy of the vertices, and so are its products with forces.
static void test_unknowns(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double rest[15] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0.5, 0};
    const int32_t triangles[9] = {0, 1, 2, 0, 2, 3, 1, 4, 2};
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, 5, rest, &error));
    int32_t group;
    ASSERT_OK(pli_kinematics_set_free(&k, 0, &error));
    ASSERT_OK(pli_kinematics_set_directions(&k, 1, 1, (const double[3]){0.6, 0.8, 0}, &error));
    ASSERT_OK(pli_kinematics_add_group(&k, 6, &group, &error)); // vertices 2 and 3 are affine
    for (int v = 2; v < 4; ++v) {
        const double *X = rest + 3 * v, w[12] = {1, X[0], X[1], 0, 0, 0, 0, 0, 0, 1, X[0], X[1]};
        pli_blend blend = {.group = group, .weights = w};
        ASSERT_OK(pli_kinematics_set_blend(&k, v, X, 1, &blend, &error));
    }
    pli_lump source = {.dim = 2,
                       .kind = PLI_TRIANGLE,
                       .element_count = 3,
                       .vertices = triangles,
                       .x = rest,
                       .density = 10,
                       .section = 0.5};
    ASSERT_OK(pli_kinematics_add_consistent(&k, &source, 1, &error));
    ASSERT_OK(pli_kinematics_finish(&k, &error));

    double dense[5][5] = {{0}}, weights[5], total = 0;
    for (int e = 0; e < 3; ++e) {
        double M[9];
        pli_element_mass(2, PLI_TRIANGLE, triangles + 3 * e, rest, M);
        for (int i = 0; i < 9; ++i)
            dense[triangles[3 * e + i / 3]][triangles[3 * e + i % 3]] += 5 * M[i];
    }
    pli_vertex_weights(&k, weights);
    for (int v = 0; v < 5; ++v) {
        double sum = 0;
        for (int u = 0; u < 5; ++u) sum += dense[v][u];
        ASSERT_NEAR(weights[v], sum, 1e-14);
        total += weights[v];
    }
    ASSERT_NEAR(total, 10 * 0.5 * 1.5, 1e-14);

    pli_random random = {3};
    for (int trial = 0; trial < 10; ++trial) {
        double p[9], Mp[9], dx[15], Mx[15], pulled[9];
        for (int i = 0; i < 9; ++i) p[i] = pli_random_in(&random, -1, 1);
        pli_kinematics_directions(&k, NULL, p, dx);
        pli_vertex_mass_multiply(&k, dx, Mx);
        for (int v = 0; v < 5; ++v)
            for (int c = 0; c < 2; ++c) {
                double sum = 0;
                for (int u = 0; u < 5; ++u) sum += dense[v][u] * dx[3 * u + c];
                ASSERT_NEAR(Mx[3 * v + c], sum, 1e-14);
            }
        pli_mass_multiply(&k, p, Mp); // = W^T M W p
        pli_kinematics_pull(&k, NULL, Mx, pulled);
        for (int i = 0; i < 9; ++i) ASSERT_NEAR(Mp[i], pulled[i], 1e-13);
    }
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// A chain of segments: solving with M, with one vertex held, and fitting of what can be reached.
static void test_solve_and_fit(void** state) {
    (void)state;
    enum { N = 6 };
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double rest[3 * N] = {0}, x[3 * N] = {0}, q[2 * N], b[2 * N], a[2 * N], back[2 * N];
    int32_t segments[2 * (N - 1)];
    for (int v = 0; v < N; ++v) rest[3 * v] = v;
    for (int e = 0; e < 2 * (N - 1); ++e) segments[e] = e / 2 + e % 2;
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, N, rest, &error));
    for (int v = 0; v < N - 1; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
    ASSERT_OK(pli_kinematics_set_directions(&k, N - 1, 1, (const double[3]){0.6, 0.8, 0}, &error));
    pli_lump source = {.dim = 2,
                       .kind = PLI_SEGMENT,
                       .element_count = N - 1,
                       .vertices = segments,
                       .x = rest,
                       .density = 1,
                       .section = 2};
    ASSERT_OK(pli_kinematics_add_consistent(&k, &source, 1, &error));
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    int n = k.unknown_count;
    assert_int_equal(n, 2 * N - 1);

    uint8_t held[N] = {0, 0, 1, 0, 0, 0};
    pli_mass_solver* solver;
    ASSERT_OK(pli_mass_solver_create(&k, held, &solver, &error));
    pli_random random = {8};
    for (int i = 0; i < n; ++i) b[i] = i / 2 == 2 ? 0 : pli_random_in(&random, -1, 1);
    ASSERT_OK(pli_mass_solve(solver, b, a, &error));
    pli_mass_multiply(&k, a, back);
    for (int i = 0; i < n; ++i) {
        if (i / 2 == 2)
            ASSERT_NEAR(a[i], 0, 0); // it does not accelerate,
        else
            ASSERT_NEAR(back[i], b[i], 1e-14); // and the others do as if it were fixed
    }
    pli_mass_solver_destroy(solver);

    // Free vertices are met exactly, the sliding one along its line.
    for (int i = 0; i < 3 * N; ++i) x[i] = i % 3 == 2 ? 0 : pli_random_in(&random, -1, 1);
    ASSERT_OK(pli_kinematics_fit(&k, x, false, q, &error));
    for (int v = 0; v < N - 1; ++v)
        for (int c = 0; c < 2; ++c) ASSERT_NEAR(q[2 * v + c], x[3 * v + c], 0);
    ASSERT_NEAR(q[n - 1], 0.6 * x[3 * N - 3] + 0.8 * x[3 * N - 2], 1e-14);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_elements),
        cmocka_unit_test(test_curved_elements),
        cmocka_unit_test(test_unknowns),
        cmocka_unit_test(test_solve_and_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
