// The order of drawing: nothing is drawn before what it covers, each shape once, rings do no harm.
#include "result/fixture.h"

#include "oracle/allocator.h"
#include "oracle/random.h"

#include "render/order.h"

#include <math.h>

typedef struct bench {
    pli_memory memory;
    pli_order order;
    int count;
} bench;

static void begin(bench* b, int capacity) {
    memset(b, 0, sizeof *b);
    pli_memory_init(&b->memory, NULL);
    assert_int_equal(pli_order_init(&b->order, &b->memory, capacity, NULL), PLI_OK);
}

static void end(bench* b) {
    pli_order_free(&b->order);
    assert_int_equal(b->memory.bytes, 0);
}

static void add(bench* b, int corners, const float* at) {
    pli_shape* shape = &b->order.shapes[b->count++];
    *shape = (pli_shape){.count = corners, .owner = -1, .style = b->count % 3};
    memcpy(shape->at, at, 3 * (size_t)corners * sizeof *at);
}

// Sorts; every shape must be there once. Returns where each is, freed by the caller.
static int* places(bench* b) {
    pli_order_sort(&b->order, b->count);
    int* place = malloc((size_t)b->count * sizeof *place);
    assert_non_null(place);
    for (int i = 0; i < b->count; ++i) place[i] = -1;
    for (int i = 0; i < b->count; ++i) {
        int32_t shape = b->order.turns[i].shape;
        assert_true(shape >= 0 && shape < b->count && place[shape] < 0);
        assert_true(b->order.turns[i].after < i);
        place[shape] = i;
    }
    return place;
}

// A large floor; a small face lies above it and another one below. The depth of the middles says
// the opposite: the floor is the farthest.
static void large_faces_are_in_their_place(void** state) {
    (void)state;
    enum { FLOOR, ABOVE, BELOW };
    bench b;
    begin(&b, 3);
    const float floor[3][3] = {{0, 0, 100}, {300, 0, 100}, {0, 300, -200}}; // depth 100 - y
    const float above[3][3] = {{80, 80, 40}, {90, 80, 40}, {85, 90, 40}};
    const float below[3][3] = {{10, 10, 80}, {20, 10, 80}, {15, 20, 75}};
    add(&b, 3, floor[0]);
    add(&b, 3, above[0]);
    add(&b, 3, below[0]);
    int* place = places(&b);
    assert_true(place[BELOW] < place[FLOOR] && place[FLOOR] < place[ABOVE]);
    assert_int_equal(b.order.cover_count, 2);
    for (int i = 0; i < 2; ++i) {
        // Areas of the small ones: all of them covers or is covered. Floats of 300 px.
        const pli_cover* cover = &b.order.covers[i];
        assert_true(fabs((double)cover->area - 50) < 1e-3);
        assert_int_equal(cover->far, cover->near == ABOVE ? FLOOR : BELOW);
    }
    free(place);
    end(&b);
}

static int by_middle(const void* a, const void* b) {
    const pli_shape *p = a, *q = b;
    float x = p->at[0][2] + p->at[1][2] + p->at[2][2], y = q->at[0][2] + q->at[1][2] + q->at[2][2];
    return (x > y) - (x < y);
}

// Is (x, y) inside a triangle, and how near is it there?
static bool inside(const pli_shape* s, double x, double y, double* depth) {
    double w[3], sum = 0;
    for (int i = 0; i < 3; ++i) {
        const float *a = s->at[(i + 1) % 3], *b = s->at[(i + 2) % 3];
        w[i] = ((double)a[0] - x) * ((double)b[1] - y) - ((double)a[1] - y) * ((double)b[0] - x);
        sum += w[i];
    }
    *depth = 0;
    for (int i = 0; i < 3; ++i) {
        w[i] /= sum;
        *depth += w[i] * (double)s->at[i][2];
    }
    return w[0] > 0.01 && w[1] > 0.01 && w[2] > 0.01;
}

// Triangles in tilted parallel planes, so that nothing passes through anything: wherever two are
// over each other, the nearer one is drawn later.
static void random_triangles_are_in_order(void** state) {
    (void)state;
    enum { COUNT = 300, PROBES = 4000 };
    pli_random random = {7};
    bench b;
    begin(&b, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        float at[3][3];
        double size = i % 10 == 0 ? 200 : 20, x = pli_random_in(&random, 0, 200),
               y = pli_random_in(&random, 0, 200);
        for (int k = 0; k < 3; ++k) {
            at[k][0] = (float)(x + size * pli_random_in(&random, -1, 1));
            at[k][1] = (float)(y + size * pli_random_in(&random, -1, 1));
            at[k][2] = (float)(i % 17 + 1.5 * (double)at[k][0] - 0.8 * (double)at[k][1]);
        }
        add(&b, 3, at[0]);
    }
    qsort(b.order.shapes, COUNT, sizeof *b.order.shapes, by_middle);
    int* place = places(&b);
    assert_true(b.order.cover_count < b.order.cover_capacity);
    int* after = malloc(COUNT * sizeof *after); // the last that each covers
    assert_non_null(after);
    for (int i = 0; i < COUNT; ++i) after[i] = -1;
    for (int i = 0; i < b.order.cover_count; ++i) {
        const pli_cover* c = &b.order.covers[i];
        if (place[c->far] > after[c->near]) after[c->near] = place[c->far];
    }
    int seen = 0, changes = 0;
    for (int i = 0; i < COUNT; ++i) {
        const pli_turn* turn = &b.order.turns[i];
        assert_int_equal(turn->after, after[turn->shape]);
        changes += i > 0 && b.order.shapes[turn->shape].style !=
                                b.order.shapes[b.order.turns[i - 1].shape].style;
    }
    assert_true(changes < COUNT / 3); // 2/3 of them in an order that does not care
    free(after);
    for (int n = 0; n < PROBES; ++n) {
        double x = pli_random_in(&random, 0, 200), y = pli_random_in(&random, 0, 200);
        for (int i = 0; i < COUNT; ++i) {
            double depth, other;
            if (!inside(&b.order.shapes[i], x, y, &depth)) continue;
            for (int k = 0; k < i; ++k) {
                if (!inside(&b.order.shapes[k], x, y, &other)) continue;
                if (fabs(depth - other) < 0.5) continue; // the same plane
                assert_true((depth > other) == (place[i] > place[k]));
                seen++;
            }
        }
    }
    assert_true(seen > 10000);
    free(place);
    end(&b);
}

// Three bars, each over the next one: no order is right; all are drawn.
static void rings_end(void** state) {
    (void)state;
    bench b;
    begin(&b, 3);
    for (int i = 0; i < 3; ++i) {
        double angle = 2.0943951 * i, c = cos(angle), s = sin(angle);
        const double corners[4][3] = {{-50, 18, -5}, {50, 18, 5}, {50, 26, 5}, {-50, 26, -5}};
        float at[4][3];
        for (int k = 0; k < 4; ++k) {
            at[k][0] = (float)(c * corners[k][0] - s * corners[k][1]);
            at[k][1] = (float)(s * corners[k][0] + c * corners[k][1]);
            at[k][2] = (float)corners[k][2];
        }
        add(&b, 4, at[0]);
    }
    int* place = places(&b);
    assert_int_equal(b.order.cover_count, 3);
    free(place);
    end(&b);
}

// What lies on a face comes after it if it has a higher rank, though floats put it a little behind;
// what is well behind comes before. What only touches is not compared.
static void ranks_decide_on_a_face(void** state) {
    (void)state;
    enum { LINE, FACE, BESIDE, BEHIND };
    bench b;
    begin(&b, 4);
    const float line[4][3] = {{5, 5, -0.3f}, {9, 5, -0.3f}, {9, 6, -0.3f}, {5, 6, -0.3f}};
    const float face[3][3] = {{0, 0, 0}, {40, 0, 0}, {0, 40, 0}};
    const float beside[3][3] = {{40, 0, 0}, {40, 40, 9}, {0, 40, 0}};
    const float behind[4][3] = {{5, 5, -3}, {9, 5, -3}, {9, 6, -3}, {5, 6, -3}};
    add(&b, 4, line[0]);
    add(&b, 3, face[0]);
    add(&b, 3, beside[0]);
    add(&b, 4, behind[0]);
    b.order.shapes[LINE].rank = b.order.shapes[BEHIND].rank = 1;
    int* place = places(&b);
    assert_int_equal(b.order.cover_count, 3); // one is behind the other, too
    assert_true(place[BEHIND] < place[FACE] && place[FACE] < place[LINE]);
    free(place);
    end(&b);
}

// Shapes of one owner stay as they are given, whatever their depth.
static void owners_keep_their_order(void** state) {
    (void)state;
    bench b;
    begin(&b, 5);
    for (int i = 0; i < 5; ++i) {
        float x = (float)(10 * i), z = (float)(i * 7 % 5);
        const float at[4][3] = {{x, 0, z}, {x + 10, 0, z}, {x + 10, 5, z}, {x, 5, z}};
        add(&b, 4, at[0]);
        b.order.shapes[i].owner = 4;
    }
    int* place = places(&b);
    for (int i = 0; i < 5; ++i) assert_int_equal(place[i], i);
    free(place);
    end(&b);
}

// More covers than there is room for: all go by depth.
static void room_is_bounded(void** state) {
    (void)state;
    enum { COUNT = 400 };
    bench b;
    begin(&b, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        const float at[3][3] = {{0, 0, (float)i}, {9, 0, (float)i}, {0, 9, (float)i}};
        add(&b, 3, at[0]);
    }
    int* place = places(&b);
    assert_int_equal(b.order.cover_count, b.order.cover_capacity);
    for (int i = 0; i < COUNT; ++i) assert_int_equal(place[i], i);
    free(place);
    end(&b);

    begin(&b, 1 << 20); // too many to compare
    assert_int_equal(b.order.capacity, 0);
    end(&b);
}

static void failing_allocations_are_survived(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    for (int i = 1; i <= 10; ++i) {
        counter = (pli_test_allocator){.fail_at = i};
        pli_memory memory;
        pli_memory_init(&memory, &allocator);
        pli_order order = {0};
        pli_error error = {0};
        assert_int_equal(pli_order_init(&order, &memory, 5, &error), PLI_E_MEMORY);
        pli_order_free(&order);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
}

// Only pairs of an obstacle and something else, with the same areas as among all.
static void veiled_pairs_are_those_of_all(void** state) {
    (void)state;
    enum { COUNT = 60 };
    pli_random random = {7};
    bench b;
    begin(&b, COUNT);
    for (int i = 0; i < COUNT; ++i) {
        float at[3][3];
        for (int k = 0; k < 9; ++k) at[k / 3][k % 3] = (float)pli_random_in(&random, 0, 100);
        add(&b, 3, at[0]);
        b.order.shapes[i].veil = i % 4 == 0;
    }
    pli_order_sort(&b.order, COUNT);
    int expected = 0, found = 0;
    double sum = 0, other = 0;
    for (int i = 0; i < b.order.cover_count; ++i) {
        const pli_cover* c = &b.order.covers[i];
        if (b.order.shapes[c->far].veil == b.order.shapes[c->near].veil) continue;
        expected++;
        sum += (double)c->area;
    }
    pli_order_find_veiled(&b.order, COUNT);
    for (int i = 0; i < b.order.cover_count; ++i, ++found) other += (double)b.order.covers[i].area;
    assert_true(expected > 100);
    assert_int_equal(found, expected);
    assert_true(sum == other);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_faces_are_in_their_place),
        cmocka_unit_test(random_triangles_are_in_order),
        cmocka_unit_test(rings_end),
        cmocka_unit_test(ranks_decide_on_a_face),
        cmocka_unit_test(owners_keep_their_order),
        cmocka_unit_test(veiled_pairs_are_those_of_all),
        cmocka_unit_test(room_is_bounded),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
