// Tree, column counts and supernodes against elimination carried out on a dense graph.
#include "matrices.h"

#include "sparse/supernodes.h"

typedef struct fixture {
    pli_memory memory;
    matrix m;
    pli_elimination e;
    pli_supernodes s;
    int32_t* order;
    bool* filled; // [row * n + column], rows after columns: the factor's graph in the given order
} fixture;

static void set_up(fixture* f) {
    *f = (fixture){0};
    pli_memory_init(&f->memory, NULL);
    matrix_init(&f->m, &f->memory);
    pli_elimination_init(&f->e, &f->memory);
    pli_supernodes_init(&f->s, &f->memory);
}

static void release(fixture* f) {
    test_free(f->order);
    test_free(f->filled);
}

static void tear_down(fixture* f) {
    pli_elimination_free(&f->e);
    pli_supernodes_free(&f->s);
    matrix_free(&f->m);
    assert_int_equal(f->memory.bytes, 0);
}

// A random order of the groups.
static void shuffle(fixture* f, uint32_t* seed) {
    int n = f->m.pattern.group_count;
    f->order = test_calloc((size_t)n + 1, sizeof *f->order);
    for (int k = 0; k < n; ++k) f->order[k] = k;
    for (int k = n - 1; k > 0; --k) {
        int other = random_below(seed, k + 1);
        int32_t saved = f->order[k];
        f->order[k] = f->order[other];
        f->order[other] = saved;
    }
}

// The graph of the factor under `order`, by elimination.
static void eliminate(fixture* f, const int32_t* order) {
    const pli_pattern* p = &f->m.pattern;
    int n = p->group_count;
    f->filled = test_calloc((size_t)n * (size_t)n + 1, sizeof *f->filled);
    for (int r = 0; r < n; ++r)
        for (int c = 0; c < r; ++c) {
            int a = pli_max_int(order[r], order[c]), b = pli_min_int(order[r], order[c]);
            f->filled[r * n + c] = pli_pattern_find(p, a, b) >= 0;
        }
    for (int k = 0; k < n; ++k)
        for (int r = k + 1; r < n; ++r)
            for (int c = k + 1; c < r; ++c)
                if (f->filled[r * n + k] && f->filled[c * n + k]) f->filled[r * n + c] = true;
}

static void check_tree(const fixture* f) {
    const pli_pattern* p = &f->m.pattern;
    int n = p->group_count;
    for (int k = 0; k < n; ++k) {
        int parent = -1, groups = 0, unknowns = 0;
        for (int r = n - 1; r > k; --r)
            if (f->filled[r * n + k]) {
                parent = r;
                groups++;
                unknowns += p->group_offset[f->order[r] + 1] - p->group_offset[f->order[r]];
            }
        assert_int_equal(f->e.parent[k], parent);
        assert_int_equal(f->e.below_groups[k], groups);
        assert_int_equal(f->e.below[k], unknowns);
        assert_int_equal(f->e.position[f->order[k]], k);
    }
}

// `filled` is now that of s.group: a node's rows are those of its last pivot and hold those of the
// others; nodes are in postorder.
static void check_nodes(const fixture* f) {
    const pli_supernodes* s = &f->s;
    int n = f->m.pattern.group_count;
    assert_int_equal(s->first[0], 0);
    assert_int_equal(s->first[s->count], n);
    for (int i = 0; i < s->count; ++i) {
        int last = s->first[i + 1] - 1, next = s->row_start[i];
        assert_true(s->first[i] <= last);
        for (int r = last + 1; r < n; ++r) {
            bool listed = next < s->row_start[i + 1] && s->row[next] == r;
            next += listed;
            assert_int_equal(listed, f->filled[r * n + last]);
            for (int c = s->first[i]; c < last; ++c)
                if (f->filled[r * n + c]) assert_true(listed);
        }
        assert_int_equal(next, s->row_start[i + 1]);
        for (int c = s->first[i]; c <= last; ++c) assert_int_equal(s->node[c], i);
        bool root = s->row_start[i] == s->row_start[i + 1];
        assert_int_equal(s->parent[i], root ? -1 : s->node[s->row[s->row_start[i]]]);
        // The first of its descendants: its own subtree and no other lies between.
        assert_true(s->descendant[i] <= i);
        for (int d = 0; d < i; ++d) {
            int up = d;
            while (up >= 0 && up < i) up = s->parent[up];
            assert_int_equal(up == i, d >= s->descendant[i]);
        }
    }
}

static void check(fixture* f, uint32_t* seed) {
    int n = f->m.pattern.group_count;
    shuffle(f, seed);
    eliminate(f, f->order);
    assert_int_equal(pli_elimination_build(&f->e, &f->m.pattern, f->order, NULL), PLI_OK);
    check_tree(f);
    bool too_large = true;
    assert_int_equal(pli_supernodes_build(&f->s, &f->e, f->order, &too_large, NULL), PLI_OK);
    assert_false(too_large);
    bool* seen = test_calloc((size_t)n + 1, sizeof *seen);
    for (int k = 0; k < n; ++k) {
        assert_false(seen[f->s.group[k]]);
        seen[f->s.group[k]] = true;
    }
    test_free(seen);
    test_free(f->filled);
    eliminate(f, f->s.group);
    check_nodes(f);
    release(f);
}

static void test_random(void** state) {
    (void)state;
    fixture f;
    uint32_t seed = 31;
    set_up(&f);
    for (int count = 0; count <= 60; count += 4) {
        matrix_random(&f.m, pli_max_int(count, 1), &seed);
        check(&f, &seed);
    }
    tear_down(&f);
}

static void test_grid(void** state) {
    (void)state;
    fixture f;
    uint32_t seed = 32;
    set_up(&f);
    matrix_grid(&f.m, 9, 2, 0.1, &seed);
    check(&f, &seed);
    tear_down(&f);
}

// Nothing couples: every group is a root.
static void test_diagonal(void** state) {
    (void)state;
    fixture f;
    uint32_t seed = 33;
    set_up(&f);
    matrix_build(&f.m, 5, (int32_t[]){0, 1, 1, 4, 6, 7}, 0, NULL);
    check(&f, &seed);
    assert_int_equal(f.s.count, 5);
    matrix_build(&f.m, 0, NULL, 0, NULL);
    check(&f, &seed);
    assert_int_equal(f.s.count, 0);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_diagonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
