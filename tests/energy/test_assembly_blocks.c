// Every block finds its place: random symmetric local matrices of any width, on stencils with
// absent, fixed and repeated vertices in any order, against a dense sum. The stencils change, and
// the sum with them. Terms that give packed blocks themselves (without absent vertices) end in the
// same sum.
#include "energy/assembly.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <stdlib.h>

enum { VERTICES = 20, MAX_UNKNOWNS = 3 * VERTICES, MAX_STENCILS = 40 };

static pli_error error;

// A quadratic energy 1/2 x^T H x of each stencil.
typedef struct quadratic {
    pli_term_ops ops;
    int count;
    int32_t vertices[MAX_STENCILS * PLI_STENCIL_MAX];
    double H[MAX_STENCILS * PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    uint64_t epoch;
} quadratic;

static int count(const void* self) { return ((const quadratic*)self)->count; }
static const int32_t* vertices(const void* self) { return ((const quadratic*)self)->vertices; }
static uint64_t epoch(const void* self) { return ((const quadratic*)self)->epoch; }

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const quadratic* term = self;
    size_t size = (size_t)(in->width * in->dim), square = size * size;
    assert_ptr_equal(in->vertices, term->vertices + first * in->width);
    if (!(in->want & PLI_HESSIAN)) return;
    for (size_t k = 0; k < (size_t)in->count * square; ++k)
        out->H[k] += term->H[(size_t)first * square + k];
}

static void blocks(const void* self, int first, const pli_batch* in, const uint64_t* turned,
                   pli_local* out) {
    const quadratic* term = self;
    int dim = in->dim, size = in->width * dim;
    double* to = out->H;
    memset(out->g, 0, sizeof(double) * (size_t)(in->count * size));
    for (int s = 0; s < in->count; ++s)
        for (int i = 0, pair = 0; i < in->width; ++i)
            for (int j = 0; j <= i; ++j, ++pair, to += dim * dim)
                for (int r = 0; r < dim; ++r)
                    for (int c = 0; c < dim; ++c) {
                        bool turn = turned[s] >> pair & 1;
                        to[turn ? r * dim + c : c * dim + r] =
                            term->H[((first + s) * size + i * dim + r) * size + j * dim + c];
                    }
}

static void randomize(quadratic* term, int dim, pli_random* random) {
    int width = term->ops.width, size = width * dim, least = term->ops.blocks ? 0 : -1;
    term->count = 1 + pli_random_below(random, MAX_STENCILS);
    term->epoch++;
    for (int i = 0; i < term->count * width; ++i) // some absent, some twice in one stencil
        term->vertices[i] = pli_random_below(random, VERTICES - least) + least;
    for (int s = 0; s < term->count; ++s)
        for (int i = 0; i < size; ++i)
            for (int j = 0; j <= i; ++j) {
                double* H = term->H + s * size * size;
                H[i * size + j] = H[j * size + i] = pli_random_in(random, -1, 1);
            }
}

static void make_term(quadratic* term, int width, bool dynamic, bool packed) {
    *term = (quadratic){.ops = {.name = "quadratic",
                                .width = width,
                                .dynamic = dynamic,
                                .count = count,
                                .vertices = vertices,
                                .eval = eval,
                                .blocks = packed ? blocks : NULL,
                                .epoch = dynamic ? epoch : NULL}};
}

static int unknown_of(const pli_kinematics* k, int vertex, int component) {
    int group = vertex < 0 ? -1 : k->vertices[vertex].identity_group;
    return group < 0 ? -1 : k->group_offset[group] + component;
}

static void add_dense(const pli_kinematics* k, const quadratic* term, double* dense) {
    int width = term->ops.width, size = width * k->dim;
    for (int s = 0; s < term->count; ++s)
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                const int32_t* v = term->vertices + s * width;
                int row = unknown_of(k, v[i / k->dim], i % k->dim);
                int column = unknown_of(k, v[j / k->dim], j % k->dim);
                if (row >= 0 && column >= 0)
                    dense[row * MAX_UNKNOWNS + column] += term->H[(s * size + i) * size + j];
            }
}

static void check(pli_assembly* a, const quadratic* terms) {
    static double dense[MAX_UNKNOWNS * MAX_UNKNOWNS];
    const pli_pattern* p = &a->pattern;
    double x[3 * VERTICES] = {0};
    memset(dense, 0, sizeof dense);
    for (int t = 0; t < 2; ++t) add_dense(a->kinematics, &terms[t], dense);
    ASSERT_OK(pli_assembly_update(a, &error));
    ASSERT_OK(pli_assembly_trim(a, &error));
    pli_assembly_evaluate(a, x, &(pli_hessian_wish){0});
    pli_assembly_matrix(a, 0, NULL);
    for (int c = 0; c < p->unknown_count; ++c)
        for (int at = p->start[c]; at < p->start[c + 1]; ++at) {
            double* entry = &dense[p->row[at] * MAX_UNKNOWNS + c];
            ASSERT_NEAR(a->values[at], *entry, 1e-13); // sums of some 40 numbers below 1
            *entry = 0;
        }
    for (int c = 0; c < p->unknown_count; ++c) // nothing is left below the diagonal
        for (int r = c; r < p->unknown_count; ++r) assert_true(dense[r * MAX_UNKNOWNS + c] == 0);
}

static void check_widths(int dim, int width, bool packed, pli_random* random) {
    pli_memory memory;
    pli_kinematics k;
    double rest[3 * VERTICES] = {0};
    static quadratic terms[2];
    pli_assembly a;
    pli_memory_init(&memory, NULL);
    pli_kinematics_init(&k, &memory, dim);
    ASSERT_OK(pli_kinematics_add_vertices(&k, VERTICES, rest, &error));
    // Groups in another order than the vertices; every fourth vertex stays fixed.
    for (int i = 0; i < VERTICES; ++i)
        if (i % 4 > 0) ASSERT_OK(pli_kinematics_set_free(&k, i * 7 % VERTICES, &error));
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    make_term(&terms[0], width, false, packed);
    make_term(&terms[1], PLI_STENCIL_MAX + 1 - width, true, false);
    for (int t = 0; t < 2; ++t) randomize(&terms[t], dim, random);
    pli_term plain[2] = {{&terms[0].ops, &terms[0]}, {&terms[1].ops, &terms[1]}};
    ASSERT_OK(pli_assembly_init(&a, &memory, NULL, &k, plain, 2, &error));
    for (int round = 0; round < 5; ++round) {
        check(&a, terms);
        randomize(&terms[1], dim, random);
    }
    pli_assembly_free(&a);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

static void test_blocks(void** state) {
    (void)state;
    pli_random random = {3};
    for (int dim = 2; dim <= 3; ++dim)
        for (int width = 1; width <= PLI_STENCIL_MAX; ++width) {
            check_widths(dim, width, false, &random);
            if (width <= PLI_PACKED_MAX) check_widths(dim, width, true, &random);
        }
}

// Springs between all pairs of points, or none.
enum { MANY = 60 };
typedef struct web {
    int count;
    int32_t vertices[MANY * MANY];
    uint64_t epoch;
} web;

static int web_count(const void* self) { return ((const web*)self)->count; }
static const int32_t* web_vertices(const void* self) { return ((const web*)self)->vertices; }
static uint64_t web_epoch(const void* self) { return ((const web*)self)->epoch; }
static void web_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    (void)self, (void)first, (void)in, (void)out;
}

// Blocks that nothing needs any more are given up, but only if they are many.
static void test_trim(void** state) {
    (void)state;
    const pli_term_ops ops = {.name = "web",
                              .width = 2,
                              .dynamic = true,
                              .count = web_count,
                              .vertices = web_vertices,
                              .eval = web_eval,
                              .epoch = web_epoch};
    static web all;
    for (int i = 0; i < MANY; ++i)
        for (int j = 0; j < i; ++j, ++all.count) {
            all.vertices[2 * all.count] = i;
            all.vertices[2 * all.count + 1] = j;
        }
    pli_memory memory;
    pli_kinematics k;
    pli_assembly a;
    double rest[3 * MANY] = {0};
    pli_memory_init(&memory, NULL);
    pli_kinematics_init(&k, &memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&k, MANY, rest, &error));
    for (int i = 0; i < MANY; ++i) ASSERT_OK(pli_kinematics_set_free(&k, i, &error));
    ASSERT_OK(pli_kinematics_finish(&k, &error));
    const pli_term term = {&ops, &all};
    ASSERT_OK(pli_assembly_init(&a, &memory, NULL, &k, &term, 1, &error));
    int whole = MANY * (MANY + 1) / 2;
    const int counts[] = {whole - MANY, whole - MANY - 900, 100, whole - MANY};
    const int blocks[] = {whole, whole, 100 + MANY, whole};
    for (int i = 0; i < 4; ++i) {
        all.count = counts[i];
        all.epoch++;
        ASSERT_OK(pli_assembly_update(&a, &error));
        ASSERT_OK(pli_assembly_trim(&a, &error));
        assert_int_equal(a.pattern.block_count, blocks[i]);
        assert_int_equal(a.block_gather[1].destination_count, blocks[i]);
    }
    pli_assembly_free(&a);
    pli_kinematics_free(&k);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_trim)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
