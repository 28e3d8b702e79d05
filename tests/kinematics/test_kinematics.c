// x = x0 + W q: supports, blends, the transpose, the mass, the fit.
#include "kinematics/kinematics.h"
#include "kinematics/mass.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <string.h>

static pli_error error;

// Free, fixed, one axis, inclined, a blend of two groups of different width, in dimension `dim`.
static void build_mixed(pli_kinematics* k, pli_memory* memory, int dim, double* mass) {
    static const double x[] = {0, 0, 5, 1, 0, 5, 2, 0, 5, 3, 0, 5, 4, 1, 5};
    static const double axis[] = {0, 1, 0}, slope[] = {0.6, 0.8, 0};
    static const double wide[3 * 4] = {1, 2, -1, 0.5, 0, 1, 3, -2, 0.25, 0, 1, 1};
    static const double narrow[3] = {0.5, -0.25, 2};
    pli_kinematics_init(k, memory, dim);
    ASSERT_OK(pli_kinematics_add_vertices(k, 5, x, &error));
    ASSERT_OK(pli_kinematics_set_free(k, 0, &error));
    ASSERT_OK(pli_kinematics_set_directions(k, 2, 1, axis, &error));
    ASSERT_OK(pli_kinematics_set_directions(k, 3, 1, slope, &error));
    pli_blend blends[2] = {{.weights = wide}, {.weights = narrow}};
    ASSERT_OK(pli_kinematics_add_group(k, 4, &blends[0].group, &error));
    ASSERT_OK(pli_kinematics_add_group(k, 1, &blends[1].group, &error));
    ASSERT_OK(pli_kinematics_set_blend(k, 4, x + 12, 2, blends, &error));
    for (int v = 0; v < 5; ++v) {
        mass[v] = 1 + v;
        ASSERT_OK(pli_kinematics_add_mass(k, v, v, mass[v], &error));
    }
    ASSERT_OK(pli_kinematics_finish(k, &error));
}

static void test_supports(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_kinematics k;
    double mass[5], x[15];
    build_mixed(&k, &memory, 2, mass);
    assert_int_equal(k.unknown_count, 2 + 1 + 1 + 4 + 1);
    double q[9] = {7, 8, 0.5, 2, 0, 0, 0, 0, 0};
    pli_kinematics_positions(&k, NULL, q, x);
    const double expected[] = {7, 8, 5, 1, 0, 5, 2, 0.5, 5, 3 + 1.2, 1.6, 5, 4, 1, 5};
    for (int i = 0; i < 15; ++i) ASSERT_NEAR(x[i], expected[i], 1e-15);
    pli_kinematics_directions(&k, NULL, q, x);
    ASSERT_NEAR(x[2], 0, 0); // no motion out of the plane
    ASSERT_NEAR(x[3], 0, 0); // the fixed vertex
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// A vertex that slid, and is free: nothing is left of its line.
static void test_free_again(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, 1, (const double[3]){0}, &error));
    ASSERT_OK(pli_kinematics_set_directions(&k, 0, 1, (const double[3]){1, 0, 0}, &error));
    assert_true(k.vertices[0].slides);
    ASSERT_OK(pli_kinematics_set_free(&k, 0, &error));
    assert_false(k.vertices[0].slides);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// g_q . p = g_x . (W p), and p . M p = sum of m |W p|^2, for random vectors.
static void test_transpose_and_mass(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_kinematics k;
        double mass[5], p[12], gq[12], Mp[12], gx[15], dx[15];
        build_mixed(&k, &memory, dim, mass);
        pli_random random = {17};
        for (int trial = 0; trial < 20; ++trial) {
            for (int i = 0; i < k.unknown_count; ++i) p[i] = pli_random_in(&random, -1, 1);
            for (int i = 0; i < 15; ++i) gx[i] = pli_random_in(&random, -1, 1);
            pli_kinematics_directions(&k, NULL, p, dx);
            pli_kinematics_pull(&k, NULL, gx, gq);
            ASSERT_NEAR(pli_dot(gq, p, k.unknown_count), pli_dot(gx, dx, 15), 1e-13);
            pli_mass_multiply(&k, p, Mp);
            double twice_kinetic = 0;
            for (int v = 0; v < 5; ++v)
                twice_kinetic += mass[v] * pli_dot(dx + 3 * v, dx + 3 * v, 3);
            ASSERT_NEAR(pli_dot(p, Mp, k.unknown_count), twice_kinetic, 1e-12);
        }
        pli_kinematics_free(&k);
        assert_int_equal(memory.bytes, 0);
    }
}

// An affine body in space: 12 unknowns, recovered from the positions they produce.
static void test_fit_affine(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {5};
    enum { N = 9 };
    double rest[3 * N], mass[N], x[3 * N], q[12], fitted[12];
    for (int i = 0; i < 3 * N; ++i) rest[i] = pli_random_in(&random, -1, 1);
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 3);
    ASSERT_OK(pli_kinematics_add_vertices(&k, N, rest, &error));
    int32_t group;
    ASSERT_OK(pli_kinematics_add_group(&k, 12, &group, &error));
    const double zero[3] = {0};
    for (int v = 0; v < N; ++v) {
        double w[36] = {0};
        for (int c = 0; c < 3; ++c) {
            w[12 * c + 4 * c] = 1;
            memcpy(w + 12 * c + 4 * c + 1, rest + 3 * v, 3 * sizeof(double));
        }
        pli_blend blend = {.group = group, .weights = w};
        ASSERT_OK(pli_kinematics_set_blend(&k, v, zero, 1, &blend, &error));
        mass[v] = pli_random_in(&random, 0.5, 2);
        ASSERT_OK(pli_kinematics_add_mass(&k, v, v, mass[v], &error));
    }
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    for (int i = 0; i < 12; ++i) q[i] = pli_random_in(&random, -2, 2);
    pli_kinematics_positions(&k, NULL, q, x);
    ASSERT_OK(pli_kinematics_fit(&k, x, true, fitted, &error));
    for (int i = 0; i < 12; ++i) ASSERT_NEAR(fitted[i], q[i], 1e-12); // condition of 9 points
    for (int i = 0; i < 3 * N; ++i) x[i] = 1e308;                     // N of them are no number
    assert_int_equal(pli_kinematics_fit(&k, x, true, q, &error), PLI_E_ARGUMENT);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// Two points cannot determine an affine body: reported, not solved.
static void test_fit_singular(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double x[6] = {0, 0, 0, 1, 0, 0}, mass[2] = {1, 1};
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, 2, x, &error));
    int32_t group;
    ASSERT_OK(pli_kinematics_add_group(&k, 6, &group, &error));
    for (int v = 0; v < 2; ++v) {
        double w[12] = {1, x[3 * v], x[3 * v + 1], 0, 0, 0, 0, 0, 0, 1, x[3 * v], x[3 * v + 1]};
        pli_blend blend = {.group = group, .weights = w};
        ASSERT_OK(pli_kinematics_set_blend(&k, v, x + 3 * v, 1, &blend, &error));
        ASSERT_OK(pli_kinematics_add_mass(&k, v, v, mass[v], &error));
    }
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    double q[6];
    assert_int_equal(pli_kinematics_fit(&k, x, true, q, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not positive definite"));
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// The same bits for any number of threads, on a body large enough to be divided.
static void test_threads(void** state) {
    (void)state;
    enum { N = 5000 };
    static double x[3 * N], q[2 * N], reference[3 * N], out[3 * N];
    pli_random random = {3};
    for (int i = 0; i < 3 * N; ++i) x[i] = pli_random_in(&random, -1, 1);
    for (int i = 0; i < 2 * N; ++i) q[i] = pli_random_in(&random, -1, 1);
    for (int threads = 1; threads <= 3; ++threads) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_pool* pool;
        ASSERT_OK(pli_pool_create(&memory, threads, &pool, &error));
        pli_kinematics k;
        pli_kinematics_init(&k, &memory, 2);
        ASSERT_OK(pli_kinematics_add_vertices(&k, N, x, &error));
        for (int v = 0; v < N; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
        ASSERT_OK(pli_kinematics_finish(&k, &error));
        pli_kinematics_positions(&k, pool, q, threads == 1 ? reference : out);
        if (threads > 1) assert_memory_equal(out, reference, sizeof out);
        pli_kinematics_free(&k);
        pli_pool_destroy(pool);
        assert_int_equal(memory.bytes, 0);
    }
}

// Counts that are nearly the largest int, as of a world of many gigabytes: one more is refused.
static void test_counts_do_not_overflow(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_kinematics k;
    double mass[5];
    const double weights[12] = {0}, x[3] = {0};
    pli_blend blend = {.weights = weights};
    int32_t group;
    build_mixed(&k, &memory, 3, mass);
    pli_kinematics kept = k;
    k.unknown_count = INT32_MAX - 3;
    assert_int_equal(pli_kinematics_add_group(&k, 4, &group, &error), PLI_E_MEMORY);
    k = kept;
    blend.group = k.entries[k.vertices[4].entry_start].group; // of width 4
    k.weight_count = INT32_MAX - 11;
    assert_int_equal(pli_kinematics_set_blend(&k, 4, x, 1, &blend, &error), PLI_E_MEMORY);
    k = kept;
    k.mass_value_count = INT32_MAX - 2;
    assert_int_equal(pli_kinematics_add_mass(&k, 2, 4, 1, &error), PLI_E_MEMORY);
    k = kept;
    k.pair_count = INT32_MAX;
    assert_int_equal(pli_kinematics_add_mass(&k, 2, 4, 1, &error), PLI_E_MEMORY);
    assert_non_null(strstr(error.message, "more than 2147483647"));
    k = kept;
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

// Two points and three nodes, of which one is fixed and one has no mass: x = value + q / scale in
// component 0; kinetic energy by their mass, neither weight nor momentum; a fit of positions leaves
// them alone.
static void test_nodes(void** state) {
    (void)state;
    static const pli_node_map maps[3] = {{.value = 0.1, .scale = 0.3, .mass = 2},
                                         {.value = 0.7, .scale = 1, .mass = 5, .fixed = true},
                                         {.value = -4, .scale = 7}};
    static const double x[6] = {1, 2, 0, 3, 4, 0};
    for (int dim = 2; dim <= 3; ++dim) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_kinematics k;
        pli_kinematics_init(&k, &memory, dim);
        ASSERT_OK(pli_kinematics_add_vertices(&k, 2, x, &error));
        ASSERT_OK(pli_kinematics_set_free(&k, 0, &error));
        ASSERT_OK(pli_kinematics_add_mass(&k, 0, 0, 3, &error));
        for (int i = 0; i < 3; ++i) ASSERT_OK(pli_kinematics_add_node(&k, &maps[i], &error));
        ASSERT_OK(pli_kinematics_finish(&k, &error));
        assert_true(k.point_count == 2 && k.vertex_count == 5 && k.unknown_count == dim + 2);
        assert_int_equal(pli_kinematics_node_unknown(&k, 2), dim);
        assert_int_equal(pli_kinematics_node_unknown(&k, 3), -1);
        assert_int_equal(pli_kinematics_node_unknown(&k, 4), dim + 1);
        double q[5] = {0}, at[15], Mq[5], y[6], weights[2];
        ASSERT_OK(pli_kinematics_fit(&k, x, true, q, &error));
        pli_kinematics_positions(&k, NULL, q, at);
        assert_memory_equal(at, x, sizeof x);
        for (int i = 0; i < 3; ++i) { // at q = 0 the value to the last bit
            const double expected[3] = {maps[i].value, 0, 0};
            assert_memory_equal(at + 6 + 3 * i, expected, sizeof expected);
        }
        q[dim] = 0.6;
        q[dim + 1] = -14;
        ASSERT_OK(pli_kinematics_fit(&k, x, true, q, &error));
        assert_true(q[dim] == 0.6 && q[dim + 1] == -14);
        pli_kinematics_positions(&k, NULL, q, at);
        ASSERT_NEAR(at[6], 0.1 + 0.6 / 0.3, 1e-15);
        ASSERT_NEAR(at[12], -6, 1e-15);
        memset(q, 0, sizeof(double) * (size_t)dim);
        pli_mass_multiply(&k, q, Mq); // q' . M q' = mass (q' / scale)^2
        ASSERT_NEAR(pli_dot(q, Mq, k.unknown_count), 2 * pow(0.6 / 0.3, 2), 1e-14);
        pli_vertex_weights(&k, weights);
        assert_true(weights[0] == 3 && weights[1] == 0);
        pli_vertex_mass_multiply(&k, x, y);
        assert_true(y[0] == 3 && y[1] == 6);
        pli_mass_solver* solver;
        ASSERT_OK(pli_mass_solver_create(&k, NULL, &solver, &error));
        const double force[5] = {6, 6, dim == 2 ? 1 : 6, dim == 2 ? 9 : 1, 9};
        ASSERT_OK(pli_mass_solve(solver, force, q, &error));
        ASSERT_NEAR(q[0], 2, 1e-15);
        ASSERT_NEAR(q[dim], 0.3 * 0.3 / 2, 1e-15);
        assert_true(q[dim + 1] == 0); // no mass, no acceleration
        pli_mass_solver_destroy(solver);
        pli_kinematics_free(&k);
        assert_int_equal(memory.bytes, 0);
    }
}

// What a saved state is compared by tells nodes by scale and value.
static void test_node_hash(void** state) {
    (void)state;
    static const pli_node_map maps[4] = {{.value = 1, .scale = 1},
                                         {.value = 2, .scale = 1},
                                         {.value = 1, .scale = 2},
                                         {.value = 1, .scale = 1, .fixed = true}};
    uint64_t hashes[4];
    for (int i = 0; i < 4; ++i) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_kinematics k;
        pli_kinematics_init(&k, &memory, 2);
        ASSERT_OK(pli_kinematics_add_node(&k, &maps[i], &error));
        ASSERT_OK(pli_kinematics_finish(&k, &error));
        hashes[i] = pli_kinematics_hash(&k);
        for (int j = 0; j < i; ++j) assert_true(hashes[i] != hashes[j]);
        pli_kinematics_free(&k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supports),
        cmocka_unit_test(test_transpose_and_mass),
        cmocka_unit_test(test_fit_affine),
        cmocka_unit_test(test_fit_singular),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_free_again),
        cmocka_unit_test(test_counts_do_not_overflow),
        cmocka_unit_test(test_nodes),
        cmocka_unit_test(test_node_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
