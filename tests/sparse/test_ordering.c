// Orders of elimination: permutations, the same every time, postorders where METIS found them, and
// those that CHOLMOD finds with the same libraries, which are known to be good.
#include "bodies.h"

#include "oracle/allocator.h"
#include "sparse/elimination.h"
#include "sparse/ordering.h"

#ifdef HAS_CHOLMOD
#include <cholmod.h>
#endif

// METIS orders where the factor takes more than 5e9 flops: the last three.
static const body_def defs[] = {
    {.cells = {1, 1, 1}, .young = 1, .poisson = 0.3, .inertia = 1},
    {.cells = {6, 5, 4}, .young = 1, .poisson = 0.3, .inertia = 1},
    {.cells = {40, 30, 1}, .young = 1, .poisson = 0.3, .inertia = 1},
    {.cells = {19, 18, 17}, .young = 1, .poisson = 0.3, .inertia = 1},
    {.cells = {24, 12, 24}, .young = 1, .poisson = 0.3, .inertia = 1, .pinned = true},
    {.cells = {18, 18, 18}, .young = 1, .poisson = 0.3, .inertia = 1, .contact_count = 60},
};
enum { DEF_COUNT = sizeof defs / sizeof *defs };

static bool is_dissected(int i) { return i >= DEF_COUNT - 3; }

typedef struct fixture {
    pli_memory memory;
    matrix m;
    pli_ordering ordering;
    int n;
    int32_t* order;
} fixture;

static void set_up(fixture* f, const body_def* def) {
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    matrix_body(&f->m, def);
    pli_ordering_init(&f->ordering, &f->memory);
    f->n = f->m.pattern.group_count;
    f->order = test_calloc((size_t)f->n, sizeof *f->order);
}

static void tear_down(fixture* f) {
    pli_ordering_free(&f->ordering);
    matrix_free(&f->m);
    test_free(f->order);
    assert_int_equal(f->memory.bytes, 0);
}

// Every subtree takes places side by side, its root the last of them.
static void check_postorder(fixture* f) {
    pli_elimination e;
    pli_elimination_init(&e, &f->memory);
    assert_int_equal(pli_elimination_build(&e, &f->m.pattern, f->order, NULL), PLI_OK);
    int32_t* first = test_calloc((size_t)f->n, sizeof *first); // place of the subtree
    for (int k = 0; k < f->n; ++k) first[k] = k;
    for (int k = 0; k < f->n; ++k)
        if (e.parent[k] >= 0 && first[k] < first[e.parent[k]]) first[e.parent[k]] = first[k];
    for (int k = 0; k < f->n; ++k) {
        int next = first[k]; // children cover first[k] .. k - 1 without gaps
        for (int c = first[k]; c < k; ++c)
            if (e.parent[c] == k) {
                assert_int_equal(first[c], next);
                next = c + 1;
            }
        assert_int_equal(next, k);
    }
    test_free(first);
    pli_elimination_free(&e);
}

static void test_orders(void** state) {
    (void)state;
    for (int i = 0; i < DEF_COUNT; ++i) {
        fixture f;
        set_up(&f, &defs[i]);
        assert_int_equal(pli_order_groups(&f.ordering, &f.m.pattern, f.order, NULL), PLI_OK);
        bool* seen = test_calloc((size_t)f.n, sizeof *seen);
        for (int k = 0; k < f.n; ++k) {
            assert_in_range(f.order[k], 0, f.n - 1);
            assert_false(seen[f.order[k]]);
            seen[f.order[k]] = true;
        }
        test_free(seen);
        if (is_dissected(i)) check_postorder(&f);
        int32_t* again = test_calloc((size_t)f.n, sizeof *again);
        int64_t calls = f.memory.calls;
        assert_int_equal(pli_order_groups(&f.ordering, &f.m.pattern, again, NULL), PLI_OK);
        assert_int_equal(f.memory.calls, calls);
        assert_memory_equal(again, f.order, (size_t)f.n * sizeof *again);
        test_free(again);
        tear_down(&f);
    }
}

// No edges: METIS would not order them, however many flops there are.
static void test_lonely_groups(void** state) {
    (void)state;
    fixture f = {.n = 2};
    const int32_t offset[] = {0, 3000, 6000};
    pli_memory_init(&f.memory, NULL);
    pli_ordering_init(&f.ordering, &f.memory);
    matrix_init(&f.m, &f.memory);
    matrix_build(&f.m, 2, offset, 0, NULL);
    f.order = test_calloc(2, sizeof *f.order);
    assert_int_equal(pli_order_groups(&f.ordering, &f.m.pattern, f.order, NULL), PLI_OK);
    assert_int_equal(f.order[0] + f.order[1], 1);
    matrix_build(&f.m, 0, offset, 0, NULL);
    assert_int_equal(pli_order_groups(&f.ordering, &f.m.pattern, f.order, NULL), PLI_OK);
    tear_down(&f);
}

// The work space, and what is claimed for METIS.
static void test_no_memory(void** state) {
    (void)state;
    fixture f;
    set_up(&f, &defs[3]);
    pli_budget* budget = NULL;
    size_t most = 0;
    for (int round = 0; round < 3; ++round) { // counts; a byte less; enough
        pli_memory memory;
        pli_ordering o;
        assert_int_equal(pli_budget_create(most - (round == 1), &budget, NULL), PLI_OK);
        pli_memory_init(&memory, &(pli_allocator){.budget = budget});
        pli_ordering_init(&o, &memory);
        pli_status status = pli_order_groups(&o, &f.m.pattern, f.order, NULL);
        assert_int_equal(status, round == 1 ? PLI_E_MEMORY : PLI_OK);
        most = pli_budget_peak(budget);
        pli_ordering_free(&o);
        assert_int_equal(memory.bytes, 0);
        if (round == 0) assert_true(most > 0);
        pli_budget_destroy(budget);
        if (round == 1) most = 0;
    }
    tear_down(&f);
}

#ifdef HAS_CHOLMOD
static void order_by_cholmod(const pli_pattern* pattern, bool dissect, int32_t* order) {
    cholmod_common common;
    cholmod_start(&common);
    cholmod_sparse graph = {
        .nrow = (size_t)pattern->group_count,
        .ncol = (size_t)pattern->group_count,
        .nzmax = (size_t)pattern->block_count,
        .p = pattern->block_start,
        .i = pattern->block_row,
        .stype = -1,
        .itype = CHOLMOD_INT,
        .xtype = CHOLMOD_PATTERN,
        .dtype = CHOLMOD_DOUBLE,
        .sorted = true,
        .packed = true,
    };
    assert_true(dissect ? cholmod_metis(&graph, NULL, 0, true, order, &common)
                        : cholmod_amd(&graph, NULL, 0, order, &common));
    cholmod_finish(&common);
}
#endif

static void test_same_as_cholmod(void** state) {
    (void)state;
#ifdef HAS_CHOLMOD
    for (int i = 0; i < DEF_COUNT; ++i) {
        fixture f;
        set_up(&f, &defs[i]);
        int32_t* expected = test_calloc((size_t)f.n, sizeof *expected);
        order_by_cholmod(&f.m.pattern, is_dissected(i), expected);
        assert_int_equal(pli_order_groups(&f.ordering, &f.m.pattern, f.order, NULL), PLI_OK);
        assert_memory_equal(f.order, expected, (size_t)f.n * sizeof *expected);
        test_free(expected);
        tear_down(&f);
    }
#else
    print_message("CHOLMOD is not installed: nothing is compared with it\n");
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_lonely_groups),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_same_as_cholmod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
