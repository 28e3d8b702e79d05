// The dense kernels: right, the same bits in all sets that run here, and no pivot slips through.
#include "matrices.h"

#include "sparse/foreign.h"
#include "sparse/front.h"

typedef struct front {
    pli_front_shape shape;
    bool blas;
    double* a;     // the symmetric matrix, (w + u) x (w + u)
    double* panel; // as the factorization starts
    double* l;     // as it ends
    double* update;
} front;

static double* numbers(size_t count) { return test_calloc(count + PLI_LANES, sizeof(double)); }

// A random diagonally dominant front.
static void front_init(front* f, int pivots, int below, uint32_t* seed) {
    int m = pivots + below;
    f->blas = false;
    f->shape = (pli_front_shape){pivots, below, pli_round_up_lanes(m), pli_round_up_lanes(below)};
    f->a = numbers((size_t)m * (size_t)m);
    f->panel = numbers(pli_front_panel_size(&f->shape));
    f->l = numbers(pli_front_panel_size(&f->shape));
    f->update = numbers(pli_front_update_size(&f->shape));
    for (int c = 0; c < m; ++c)
        for (int r = c; r < m; ++r)
            f->a[c * m + r] = f->a[r * m + c] = random_number(seed) + (r == c ? m : 0);
    for (int c = 0; c < pivots; ++c)
        for (int r = c; r < m; ++r) f->panel[c * f->shape.stride + r] = f->a[c * m + r];
}

static void front_free(front* f) {
    test_free(f->a);
    test_free(f->panel);
    test_free(f->l);
    test_free(f->update);
}

static void factorize(front* f, const pli_front_kernels* kernels) {
    memcpy(f->l, f->panel, pli_front_panel_size(&f->shape) * sizeof *f->l);
    int token = pli_single_threaded_enter();
    assert_true(pli_front_factorize(kernels, f->blas, NULL, &f->shape, f->l, f->update));
    pli_single_threaded_leave(token);
}

static double entry(const front* f, int r, int c) {
    double v = f->l[c * f->shape.stride + r];
    return r == c ? 1 / v : v;
}

// A = L L^T on the pivots; -L21 L21^T is the update. Sums of m products of numbers up to m.
static void check_factor(const front* f) {
    int w = f->shape.pivots, m = w + f->shape.below;
    double tolerance = 1e-15 * m * m;
    for (int c = 0; c < m; ++c)
        for (int r = c; r < m; ++r) {
            double v = 0;
            for (int k = 0; k < w && k <= c; ++k) v += entry(f, r, k) * entry(f, c, k);
            double expected =
                c < w ? f->a[c * m + r] : -f->update[(c - w) * f->shape.update_stride + r - w];
            assert_true(fabs(v - expected) < tolerance);
        }
    for (int c = 0; c < w; ++c)
        for (int r = m; r < f->shape.stride; ++r) assert_true(f->l[c * f->shape.stride + r] == 0);
}

// Lower triangles have the same bits.
static void check_same(const front* f, const front* g) {
    int w = f->shape.pivots, u = f->shape.below, m = w + u;
    for (int c = 0; c < w; ++c)
        assert_memory_equal(f->l + c * f->shape.stride + c, g->l + c * f->shape.stride + c,
                            (size_t)(m - c) * sizeof(double));
    for (int c = 0; c < u; ++c)
        assert_memory_equal(f->update + c * f->shape.update_stride + c,
                            g->update + c * f->shape.update_stride + c,
                            (size_t)(u - c) * sizeof(double));
}

// z becomes L^-1 z in its pivots, then L11^-T of the same.
static void check_solve(const front* f, const pli_front_kernels* kernels, uint32_t* seed,
                        double* out) {
    int w = f->shape.pivots, m = w + f->shape.below;
    double *z = numbers((size_t)f->shape.stride), *b = numbers((size_t)m);
    double* x = numbers((size_t)f->shape.stride);
    for (int i = 0; i < m; ++i) z[i] = b[i] = random_number(seed);
    kernels->forward(&f->shape, f->l, z, x);
    for (int i = w; i < f->shape.stride; ++i) x[i] = z[i];
    for (int r = 0; r < m; ++r) { // L y = b, the identity standing below
        double v = r < w ? 0 : x[r];
        for (int k = 0; k < w && k <= r; ++k) v += entry(f, r, k) * x[k];
        assert_true(fabs(v - b[r]) < 1e-15 * m * m);
    }
    memcpy(b, x, (size_t)m * sizeof *b);
    kernels->backward(&f->shape, f->l, x);
    for (int k = 0; k < w; ++k) {
        double v = 0;
        for (int r = k; r < m; ++r) v += entry(f, r, k) * x[r];
        assert_true(fabs(v - b[k]) < 1e-15 * m * m);
    }
    memcpy(out, x, (size_t)m * sizeof *out);
    test_free(z);
    test_free(b);
    test_free(x);
}

static void check_shape(int pivots, int below) {
    front f, g;
    uint32_t seed = (uint32_t)(100 * pivots + below);
    double* x[2] = {numbers((size_t)(pivots + below)), numbers((size_t)(pivots + below))};
    front_init(&f, pivots, below, &seed);
    seed = (uint32_t)(100 * pivots + below);
    front_init(&g, pivots, below, &seed);
    factorize(&f, pli_front_kernels_at(0));
    check_factor(&f);
    uint32_t start = seed;
    check_solve(&f, pli_front_kernels_at(0), &seed, x[0]);
    for (int i = 1; pli_front_kernels_at(i); ++i) {
        factorize(&g, pli_front_kernels_at(i));
        check_same(&f, &g);
        seed = start;
        check_solve(&g, pli_front_kernels_at(i), &seed, x[1]);
        assert_memory_equal(x[0], x[1], (size_t)(pivots + below) * sizeof *x[0]);
    }
    front_free(&f);
    front_free(&g);
    test_free(x[0]);
    test_free(x[1]);
}

static void test_shapes(void** state) {
    (void)state;
    for (int pivots = 0; pivots <= 21; ++pivots)
        for (int below = 0; below <= 21; ++below) check_shape(pivots, below);
    check_shape(50, 131);
    // Large: several blocks in every direction, with and without rests.
    check_shape(64, 640);
    check_shape(150, 283);
    check_shape(333, 5);
    check_shape(256, 0);
}

// Large enough for threads, then for blocks, by our own kernels and by BLAS; several blocks of
// columns and a rest. The pool does not change a bit.
static void test_large(void** state) {
    (void)state;
    pli_memory memory;
    pli_pool* pool = NULL;
    pli_memory_init(&memory, NULL);
    assert_int_equal(pli_pool_create(&memory, 2, &pool, NULL), PLI_OK);
    for (int k = 0; k < 3; ++k) {
        int below = k == 0 ? 181 : 221;
        bool blas = k == 2;
        front f, g;
        uint32_t seed = 41;
        front_init(&f, below - 71, below, &seed);
        seed = 41;
        front_init(&g, below - 71, below, &seed);
        f.blas = blas;
        assert_true(pli_front_flops(&f.shape) > 4e6);
        factorize(&f, pli_front_kernels_at(0));
        check_factor(&f);
        int token = pli_single_threaded_enter();
        assert_true(
            pli_front_factorize(pli_front_kernels_at(0), blas, pool, &g.shape, g.panel, g.update));
        pli_single_threaded_leave(token);
        memcpy(g.l, g.panel, pli_front_panel_size(&g.shape) * sizeof *g.l);
        check_same(&f, &g);
        front_free(&f);
        front_free(&g);
    }
    pli_pool_destroy(pool);
    assert_int_equal(memory.bytes, 0);
}

static void test_size(void** state) {
    (void)state;
    const pli_front_shape small = {110, 181, 296, 184}, large = {150, 221, 376, 224};
    assert_false(pli_front_is_large(&small));
    assert_true(pli_front_is_large(&large));
}

static void test_pivots(void** state) {
    (void)state;
    const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
    for (int i = 0; pli_front_kernels_at(i); ++i)
        for (int at = 0; at < 11; ++at)
            for (int k = 0; k < 4; ++k) {
                front f;
                uint32_t seed = 42;
                front_init(&f, 11, 3, &seed);
                f.panel[at * f.shape.stride + at] = bad[k];
                assert_false(pli_front_factorize(pli_front_kernels_at(i), false, NULL, &f.shape,
                                                 f.panel, f.update));
                front_free(&f);
            }
}

// Two runs in the parent's pivots, two below.
static void test_add(void** state) {
    (void)state;
    static const pli_front_run runs[] = {{0, 1, 2}, {2, 5, 10}, {12, 16, 3}, {15, 21, 9}};
    enum { U = 24, W = 16, B = 15, M = W + B };
    for (int i = 0; pli_front_kernels_at(i); ++i) {
        const pli_front_kernels* kernels = pli_front_kernels_at(i);
        front f;
        uint32_t seed = 43;
        front_init(&f, W, B, &seed);
        double source[U * U];
        for (int k = 0; k < U * U; ++k) source[k] = random_number(&seed);
        pli_front_child child = {source, U, 4, 2, runs};
        memcpy(f.l, f.panel, pli_front_panel_size(&f.shape) * sizeof *f.l);
        kernels->add_to_panel(&child, &f.shape, f.l);
        kernels->add_to_update(&child, &f.shape, f.update);
        int place[M];
        for (int r = 0; r < M; ++r) place[r] = -1;
        for (int k = 0; k < 4; ++k)
            for (int r = 0; r < runs[k].count; ++r) place[runs[k].to + r] = runs[k].from + r;
        for (int c = 0; c < M; ++c)
            for (int r = c; r < M; ++r) {
                double added = place[r] >= 0 && place[c] >= 0 ? source[place[c] * U + place[r]] : 0;
                double before = c < W ? f.panel[c * f.shape.stride + r] : 0;
                double after = c < W ? f.l[c * f.shape.stride + r]
                                     : f.update[(c - W) * f.shape.update_stride + r - W];
                assert_true(after == before + added);
            }
        front_free(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes), cmocka_unit_test(test_large), cmocka_unit_test(test_size),
        cmocka_unit_test(test_pivots), cmocka_unit_test(test_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
