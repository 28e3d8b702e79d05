// Sets of pairs in space: nothing is missed, candidates change nothing but time, rules between
// bodies hold, memory is bounded.
#include "contact/pair_set.h"

#include "oracle/near.h"

#include "contact/intersect.h"
#include "contact/closest.h"
#include "contact/shapes.h"
#include "contact/support.h"
#include "oracle/random.h"

static const pli_primitives* list_of(const shapes* s, int width) {
    return width == 1 ? &s->points : width == 2 ? &s->edges : &s->triangles;
}

static pli_pair_set_def def_of(const shapes* s, const pli_space_pair* row, double dhat) {
    const pli_primitives *a = list_of(s, row->a_width), *b = list_of(s, row->b_width);
    return (pli_pair_set_def){.kind = &row->kind,
                              .dim = 3,
                              .vertex_count = s->vertex_count,
                              .dhat = dhat,
                              .a_count = a->count,
                              .b_count = b->count,
                              .a_width = a->width,
                              .b_width = b->width,
                              .a_vertices = a->vertices,
                              .b_vertices = b->vertices,
                              .symmetric = a == b};
}

static pli_view view_of(const shapes* s, const double* x, pli_pool* pool) {
    return (pli_view){.dim = 3, .vertex_count = s->vertex_count, .x = x, .pool = pool};
}

// Small boxes, one in each cell of a grid; each moves, and its vertices a little on their own.
static shapes grid_of_boxes(pli_random* r, int side, double speed) {
    shapes s = {0};
    for (int i = 0; i < side * side * side; ++i) {
        double low[3], high[3], common[3];
        int cell[3] = {i % side, i / side % side, i / side / side}, first = s.vertex_count;
        for (int k = 0; k < 3; ++k) {
            low[k] = cell[k] + pli_random_in(r, 0, 0.2);
            high[k] = cell[k] + pli_random_in(r, 0.8, 0.99);
            common[k] = speed * pli_random_in(r, -1, 1);
        }
        add_box(&s, low, high);
        for (int v = 3 * first; v < 3 * s.vertex_count; ++v)
            s.p[v] = common[v % 3] + 0.2 * speed * pli_random_in(r, -1, 1);
    }
    list_parts(&s);
    return s;
}

static bool has_pair(const pli_pair_set* set, int a, int b) {
    int low = 0, high = set->count;
    while (low < high) {
        int middle = (low + high) / 2;
        const pli_box_pair* p = &set->pairs[middle];
        if (p->query == a && p->primitive == b) return true;
        if (p->query < a || (p->query == a && p->primitive < b))
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

// Every pair closer than dhat at y is in the set; returns their number.
static int expect_superset(const pli_pair_set* set, const pli_space_pair* row, const double* y,
                           double dhat) {
    int close = 0;
    for (int a = 0; a < set->a.count; ++a)
        for (int b = set->symmetric ? a + 1 : 0; b < set->b.count; ++b) {
            const double* x[4];
            bool shared = false;
            for (int i = 0; i < row->a_width; ++i)
                x[i] = y + 3 * set->a.vertices[a * row->a_width + i];
            for (int i = 0; i < row->b_width; ++i) {
                x[row->a_width + i] = y + 3 * set->b.vertices[b * row->b_width + i];
                for (int j = 0; j < row->a_width; ++j)
                    shared = shared || x[j] == x[row->a_width + i];
            }
            if (shared) continue;
            pli_closest pair;
            row->closest(x, &pair);
            if (pair.distance >= dhat) continue;
            close++;
            if (!has_pair(set, a, b)) fail_msg("%s %d, %d: %g", row->name, a, b, pair.distance);
        }
    return close;
}

static void expect_no_crossing(pli_memory* memory, const shapes* s, const double* y) {
    pli_view view = view_of(s, y, NULL);
    pli_primitive_lists parts = {s->points, s->edges, s->triangles, NULL};
    pli_crossing crossing;
    pli_error error = {0};
    int count;
    ASSERT_OK(pli_find_crossings(memory, &view, &parts, 1, &crossing, &count, &error));
    assert_int_equal(count, 0);
}

static void test_superset_on_the_certified_segment(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {5};
    int close = 0, shortened = 0;
    for (int trial = 0; trial < 12; ++trial) {
        shapes s = grid_of_boxes(&r, 2, trial % 4 * 0.3);
        double dhat = trial % 3 ? 0.3 : 0.02, alpha = 1;
        double* y = calloc((size_t)(3 * s.vertex_count), sizeof *y);
        pli_pair_set sets[PLI_SPACE_PAIR_COUNT];
        pli_view view = view_of(&s, s.x, NULL);
        pli_error error = {0};
        for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i) {
            pli_pair_set_def def = def_of(&s, &pli_space_pairs[i], dhat);
            ASSERT_OK(pli_pair_set_init(&sets[i], &memory, &def, &error));
            double before = alpha;
            ASSERT_OK(pli_pair_set_refresh(&sets[i], &view, s.p, &alpha, &error));
            assert_true(alpha > 0 && alpha <= before);
        }
        shortened += alpha < 1;
        for (int sample = 0; sample <= 4; ++sample) {
            double t = sample == 4 ? alpha : 0.25 * sample * alpha;
            for (int k = 0; k < 3 * s.vertex_count; ++k) y[k] = s.x[k] + t * s.p[k];
            for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i)
                close += expect_superset(&sets[i], &pli_space_pairs[i], y, dhat);
            expect_no_crossing(&memory, &s, y);
        }
        for (int i = 0; i < PLI_SPACE_PAIR_COUNT; ++i) pli_pair_set_free(&sets[i]);
        free(y);
        free_shapes(&s);
    }
    assert_true(close > 3000 && shortened > 3);
    assert_int_equal(memory.bytes, 0);
}

// Everything rushes to the middle, step after step as far as certified: nothing ever crosses.
static void test_nothing_passes_through(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {6};
    shapes s = grid_of_boxes(&r, 2, 0);
    pli_pair_set sets[2];
    pli_error error = {0};
    pli_view view = view_of(&s, s.x, NULL);
    for (int i = 0; i < 2; ++i) {
        pli_pair_set_def def = def_of(&s, &pli_space_pairs[i], 0.01);
        ASSERT_OK(pli_pair_set_init(&sets[i], &memory, &def, &error));
    }
    double travelled = 0;
    for (int step = 0; step < 60; ++step) {
        double alpha = 1;
        for (int k = 0; k < 3 * s.vertex_count; ++k)
            s.p[k] = 0.3 * (1 - s.x[k]) + 0.1 * pli_random_in(&r, -1, 1);
        for (int i = 0; i < 2; ++i)
            ASSERT_OK(pli_pair_set_refresh(&sets[i], &view, s.p, &alpha, &error));
        for (int k = 0; k < 3 * s.vertex_count; ++k) s.x[k] += alpha * s.p[k];
        travelled += alpha;
        expect_no_crossing(&memory, &s, s.x);
    }
    assert_true(travelled > 0.5);
    for (int i = 0; i < 2; ++i) pli_pair_set_free(&sets[i]);
    free_shapes(&s);
    assert_int_equal(memory.bytes, 0);
}

// ---- candidates

static shapes two_tori(int m, int n) {
    shapes s = {0};
    add_torus(&s, m, n, (double[3]){0, 0, 0}, 2, 1, 0.49);
    add_torus(&s, m, n, (double[3]){1, 0, 0}, 1, 1, 0.49);
    list_parts(&s);
    return s;
}

// Steps like those of a run: the first iteration moves the bodies, the next ones less and less.
static void fake_motion(pli_random* r, shapes* s, int step, int iteration, double speed) {
    double size = 2e-3 * speed * pow(0.3, iteration);
    for (int v = 0; v < s->vertex_count; ++v) {
        double turn = s->body[v] ? size : -size;
        s->p[3 * v] = turn * s->x[3 * v + 1] + 0.1 * size * pli_random_in(r, -1, 1);
        s->p[3 * v + 1] = -turn * s->x[3 * v] + size;
        s->p[3 * v + 2] = size * sin(0.1 * step) - 20 * size; // all fall together
    }
}

static void expect_equal(const pli_pair_set* a, const pli_pair_set* b) {
    assert_int_equal(a->count, b->count);
    if (a->count > 0) assert_memory_equal(a->pairs, b->pairs, (size_t)a->count * sizeof *a->pairs);
    assert_int_equal(a->epoch, b->epoch);
}

// Each step moves a vertex by about an eighth of a triangle times the speed, all of them by two.
// Some steps are given up and begun anew. Returns the searches.
static int64_t expect_candidates_change_nothing(double speed, int64_t* total) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {7};
    shapes s = two_tori(24, 12);
    pli_pair_set kept[2], fresh[2]; // with candidates, and searching every time
    pli_error error = {0};
    pli_view view = view_of(&s, s.x, NULL);
    size_t size = 3 * (size_t)s.vertex_count * sizeof *s.x;
    double* before = malloc(size);
    for (int i = 0; i < 2; ++i) {
        pli_pair_set_def def = def_of(&s, &pli_space_pairs[i], 0.05);
        ASSERT_OK(pli_pair_set_init(&kept[i], &memory, &def, &error));
        ASSERT_OK(pli_pair_set_init(&fresh[i], &memory, &def, &error));
    }
    for (int step = 0; step < 12; ++step) {
        memcpy(before, s.x, size);
        for (int iteration = -1; iteration < 5; ++iteration) {
            double alpha[2] = {1, 1};
            fake_motion(&r, &s, step, iteration, speed);
            const double* p = iteration < 0 ? NULL : s.p;
            for (int i = 0; i < 2; ++i) {
                pli_pair_set_forget(&fresh[i]);
                ASSERT_OK(pli_pair_set_refresh(&kept[i], &view, p, &alpha[0], &error));
                ASSERT_OK(pli_pair_set_refresh(&fresh[i], &view, p, &alpha[1], &error));
                assert_true(alpha[0] == alpha[1]);
                expect_equal(&kept[i], &fresh[i]);
                *total += kept[i].count;
            }
            for (int k = 0; k < 3 * s.vertex_count && p; ++k) s.x[k] += 0.7 * alpha[0] * p[k];
        }
        if (step % 5 == 4) memcpy(s.x, before, size);
    }
    int64_t searches = kept[0].search_count + kept[1].search_count;
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(kept[i].refresh_count, 72);
        assert_int_equal(fresh[i].search_count, 72);
        pli_pair_set_free(&kept[i]);
        pli_pair_set_free(&fresh[i]);
    }
    free(before);
    free_shapes(&s);
    assert_int_equal(memory.bytes, 0);
    return searches;
}

static void test_candidates_change_nothing(void** state) {
    (void)state;
    static const struct {
        double speed;
        int searches; // of both sets, at most
    } rows[] = {{1, 16}, {12, 96}};
    for (int i = 0; i < 2; ++i) {
        int64_t total = 0, searches = expect_candidates_change_nothing(rows[i].speed, &total);
        assert_true(total > 10000);
        if (searches > rows[i].searches)
            fail_msg("%d searches at speed %g", (int)searches, rows[i].speed);
    }
}

static void test_threads_do_not_matter(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {8};
    shapes s = two_tori(48, 24);
    fake_motion(&r, &s, 3, -2, 1);
    pli_view view = view_of(&s, s.x, NULL);
    for (int row = 0; row < 2; ++row) {
        pli_pair_set_def def = def_of(&s, &pli_space_pairs[row], 0.03);
        pli_pair_set sets[3];
        double alpha[3] = {1, 1, 1};
        for (int i = 0; i < 3; ++i) {
            pli_pool* pool;
            pli_error error = {0};
            ASSERT_OK(pli_pool_create(&memory, i + 1, &pool, &error));
            view.pool = pool;
            ASSERT_OK(pli_pair_set_init(&sets[i], &memory, &def, &error));
            ASSERT_OK(pli_pair_set_refresh(&sets[i], &view, s.p, &alpha[i], &error));
            pli_pool_destroy(pool);
            assert_true(sets[i].count > 500);
            assert_true(alpha[i] == alpha[0]);
            expect_equal(&sets[i], &sets[0]);
        }
        for (int i = 0; i < 3; ++i) pli_pair_set_free(&sets[i]);
    }
    free_shapes(&s);
    assert_int_equal(memory.bytes, 0);
}

// ---- rules between bodies, thickness

static int count_pairs(pli_memory* memory, const shapes* s, pli_filter* filter, int a, int b) {
    pli_pair_set_def def = def_of(s, &pli_space_pairs[1], 0.5);
    def.filter = filter;
    pli_pair_set set;
    pli_error error = {0};
    pli_view view = view_of(s, s->x, NULL);
    ASSERT_OK(pli_pair_set_init(&set, memory, &def, &error));
    ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
    int count = 0;
    for (int i = 0; i < set.count; ++i) {
        int one = s->body[set.vertices[4 * i]], other = s->body[set.vertices[4 * i + 2]];
        count += (one == a && other == b) || (one == b && other == a);
    }
    pli_pair_set_free(&set);
    return count;
}

static void test_filter(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    shapes s = {0};
    for (int i = 0; i < 3; ++i)
        add_box(&s, (double[3]){1.1 * i, 0, 0}, (double[3]){1.1 * i + 1, 0.3, 1});
    list_parts(&s);
    int all[2] = {count_pairs(&memory, &s, NULL, 0, 1), count_pairs(&memory, &s, NULL, 1, 2)};
    assert_true(all[0] > 0 && all[1] > 0 && count_pairs(&memory, &s, NULL, 1, 1) > 0);
    const uint8_t self[3] = {1, 0, 1};
    const int32_t classes[3] = {0, 1, 1};
    const pli_relation relations[2] = {{.pass = false}, {.pass = true}};
    uint16_t table[3] = {0};
    uint64_t keys[2] = {pli_body_pair_key(1, 0), pli_body_pair_key(2, 0)};
    const pli_body_pairs pairs = {.count = 2, .keys = keys}, none = {.count = 0};
    pli_filter f = {.body = s.body};
    assert_int_equal(count_pairs(&memory, &s, &f, 0, 1), all[0]);
    f.self = self;
    assert_int_equal(count_pairs(&memory, &s, &f, 1, 1), 0);
    assert_true(count_pairs(&memory, &s, &f, 2, 2) > 0);
    f = (pli_filter){.body = s.body, .classes = classes, .table = table, .relations = relations};
    assert_int_equal(count_pairs(&memory, &s, &f, 1, 2), all[1]);
    table[pli_class_pair(1, 1)] = 1; // of the second class with itself
    assert_int_equal(count_pairs(&memory, &s, &f, 0, 1), all[0]);
    assert_int_equal(count_pairs(&memory, &s, &f, 1, 2), 0);
    assert_int_equal(count_pairs(&memory, &s, &f, 2, 2), 0);
    f = (pli_filter){.body = s.body, .exempt = &pairs};
    assert_int_equal(count_pairs(&memory, &s, &f, 0, 1), 0);
    assert_int_equal(count_pairs(&memory, &s, &f, 1, 2), all[1]);
    f = (pli_filter){.body = s.body, .only = &pairs, .exempt = &none};
    assert_int_equal(count_pairs(&memory, &s, &f, 0, 1), all[0]);
    assert_int_equal(count_pairs(&memory, &s, &f, 1, 2), 0);
    free_shapes(&s);
    assert_int_equal(memory.bytes, 0);
}

// Two balls, points with an offset: they meet where their surfaces do.
static void test_offsets(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    shapes s = {0};
    add_vertex(&s, 0, 0, 0);
    add_vertex(&s, 4, 0, 0);
    list_parts(&s);
    s.p[3] = -8;
    const double offset[2] = {1, 0.5};
    pli_pair_set_def def = def_of(&s, &pli_space_pairs[3], 0.1);
    def.offset = offset;
    pli_pair_set set;
    pli_error error = {0};
    pli_view view = view_of(&s, s.x, NULL);
    double alpha = 1;
    ASSERT_OK(pli_pair_set_init(&set, &memory, &def, &error));
    ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
    assert_int_equal(set.count, 0);
    ASSERT_OK(pli_pair_set_refresh(&set, &view, s.p, &alpha, &error));
    // Contact at 2.5 / 8; CCD leaves at most a fifth of the gap.
    assert_true(alpha < 2.5 / 8 && alpha > 0.8 * 2.5 / 8);
    s.x[3] = 1.59; // closer than dhat, surfaces 0.09 apart
    ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
    assert_int_equal(set.count, 1);
    assert_true(pli_pair_offset(&set, &set.pairs[0]) == 1.5);
    s.x[3] = 1.61;
    ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
    assert_int_equal(set.count, 0);
    pli_pair_set_free(&set);
    assert_int_equal(memory.bytes, 0);
    free_shapes(&s);
}

// ---- bounds

// One vertex is thrown across the scene; then all are, together: pairs of swept boxes would be
// millions. Memory stays within a few times that at rest, and the way is certified all the same.
static void test_memory_is_bounded(void** state) {
    (void)state;
    for (int all = 0; all < 2; ++all)
        for (int row = 0; row < 2; ++row) {
            pli_memory memory;
            pli_memory_init(&memory, NULL);
            pli_error error = {0};
            shapes s = two_tori(24, 16);
            for (int v = 0; v < s.vertex_count; ++v)
                for (int k = 0; k < 3 && (all || v == 200); ++k) s.p[3 * v + k] = 5 - k;
            pli_pair_set set;
            pli_pair_set_def def = def_of(&s, &pli_space_pairs[row], 1e-3);
            pli_view view = view_of(&s, s.x, NULL);
            double alpha = 1;
            ASSERT_OK(pli_pair_set_init(&set, &memory, &def, &error));
            ASSERT_OK(pli_pair_set_refresh(&set, &view, NULL, NULL, &error));
            size_t at_rest = memory.peak;
            ASSERT_OK(pli_pair_set_refresh(&set, &view, s.p, &alpha, &error));
            if (memory.peak > 8 * at_rest) fail_msg("%zu, then %zu", at_rest, memory.peak);
            if (all)
                assert_true(alpha == 1); // nothing is in the way
            else
                assert_true(alpha > 0 && alpha < 0.5);
            pli_pair_set_free(&set);
            assert_int_equal(memory.bytes, 0);
            free_shapes(&s);
        }
}

static void test_out_of_memory(void** state) {
    (void)state;
    pli_random r = {9};
    shapes s = grid_of_boxes(&r, 2, 0.5);
    const double offset[64] = {0.01};
    pli_view view = view_of(&s, s.x, NULL);
    for (int n = 0;; ++n) {
        failing_allocator failing = {n};
        pli_memory memory;
        pli_error error = {0};
        double alpha = 1;
        pli_memory_init(&memory, &(pli_allocator){.resize = failing_resize, .context = &failing});
        pli_pair_set set;
        pli_pair_set_def def = def_of(&s, &pli_space_pairs[0], 0.3);
        def.offset = offset;
        pli_status status = pli_pair_set_init(&set, &memory, &def, &error);
        if (status == PLI_OK) {
            status = pli_pair_set_refresh(&set, &view, s.p, &alpha, &error);
            if (status != PLI_OK) assert_true(alpha == 1 && set.count == 0);
            pli_pair_set_free(&set);
        }
        assert_int_equal(memory.bytes, 0);
        if (status == PLI_OK) {
            assert_true(n > 15);
            break;
        }
        assert_int_equal(status, PLI_E_MEMORY);
    }
    free_shapes(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_superset_on_the_certified_segment),
        cmocka_unit_test(test_nothing_passes_through),
        cmocka_unit_test(test_candidates_change_nothing),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_filter),
        cmocka_unit_test(test_offsets),
        cmocka_unit_test(test_memory_is_bounded),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
