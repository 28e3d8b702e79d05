// Rigid motions of the unknowns: no distance between vertices changes, and supports see their part.
#include "kinematics/rigid.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

enum { N = 6 };
static pli_error error;

// All vertices free but the last two: fixed, and one that slides along `slope`.
static void build(pli_kinematics* k, pli_memory* memory, int dim, double* x) {
    static const double slope[] = {0.6, 0.8, 0};
    pli_random random = {5};
    for (int i = 0; i < 3 * N; ++i)
        x[i] = dim == 2 && i % 3 == 2 ? 0 : pli_random_in(&random, 3, 5);
    pli_kinematics_init(k, memory, dim);
    ASSERT_OK(pli_kinematics_add_vertices(k, N, x, &error));
    for (int v = 0; v < N - 2; ++v) ASSERT_OK(pli_kinematics_set_free(k, v, &error));
    ASSERT_OK(pli_kinematics_set_directions(k, N - 1, 1, slope, &error));
    ASSERT_OK(pli_kinematics_finish(k, &error));
}

static void test_rigid(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_kinematics k;
        double x[3 * N], modes[3 * N * 6], p[3 * N], dx[3 * N];
        build(&k, &memory, dim, x);
        int count = pli_rigid_motions(&k, x, modes);
        assert_int_equal(count, dim == 2 ? 3 : 6);
        for (int m = 0; m < count; ++m) {
            for (int i = 0; i < k.unknown_count; ++i) p[i] = modes[i * count + m];
            pli_kinematics_directions(&k, NULL, p, dx);
            for (int v = 0; v < N - 2; ++v)
                for (int w = 0; w < v; ++w) {
                    double d[3], u[3];
                    pli_sub(x + 3 * v, x + 3 * w, d, 3);
                    pli_sub(dx + 3 * v, dx + 3 * w, u, 3);
                    ASSERT_NEAR(pli_dot(d, u, 3), 0, 1e-14);
                }
            if (m < dim) ASSERT_NEAR(dx[m], 1, 0); // a translation
        }
        // The slider has the part of the translations along its slope.
        const double* last = modes + (k.unknown_count - 1) * count;
        ASSERT_NEAR(last[0], 0.6, 1e-15);
        ASSERT_NEAR(last[1], 0.8, 1e-15);
        pli_kinematics_free(&k);
        assert_int_equal(memory.bytes, 0);
    }
}

// A group that moves several vertices is not known.
static void test_unknown(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double x[6] = {0, 0, 0, 1, 0, 0}, w[4] = {1, 0, 0, 1};
    double modes[6];
    pli_kinematics k;
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, 2, x, &error));
    pli_blend blend = {.weights = w};
    ASSERT_OK(pli_kinematics_add_group(&k, 2, &blend.group, &error));
    for (int v = 0; v < 2; ++v) ASSERT_OK(pli_kinematics_set_blend(&k, v, x, 1, &blend, &error));
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    assert_int_equal(pli_rigid_motions(&k, x, modes), 3);
    for (int i = 0; i < 6; ++i) ASSERT_NEAR(modes[i], 0, 0);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid),
                                       cmocka_unit_test(test_unknown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
