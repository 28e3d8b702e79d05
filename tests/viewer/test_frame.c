// Binary messages and the surface of a world, as browsers get them; and the mailbox between the
// threads.
#include "viewer/frame.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "viewer/mailbox.h"
#include "viewer/scene.h"

// ---- positions

enum { COUNT = 10 };

static uint32_t u32(const unsigned char* at) {
    uint32_t value;
    memcpy(&value, at, 4);
    return value;
}

typedef struct shown {
    pli_view_frame frame;
    double x[3 * COUNT];
    pli_view_track track;
} shown;

static void show(shown* s, uint32_t sequence) {
    s->frame.sequence = sequence;
    pli_view_frame_place(&s->frame, s->x);
    assert_true(pli_view_track_note(&s->track, &s->frame));
}

static void begin(shown* s) {
    memset(s, 0, sizeof *s);
    pli_view_model model = {.vertex_count = COUNT};
    assert_true(pli_view_frame_fit(&s->frame, &model, (pli_view_want){0}));
    for (int i = 0; i < 3 * COUNT; ++i) s->x[i] = i;
    show(s, 1);
}

static void end(shown* s) {
    free(s->frame.positions);
    pli_view_track_free(&s->track);
}

static void test_only_what_moved_is_sent(void** state) {
    (void)state;
    shown s;
    unsigned char out[PLI_VIEW_HEADER + 12 * COUNT];
    begin(&s);
    assert_int_equal(pli_view_positions_size(&s.frame), sizeof out);
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 0, out), sizeof out); // all
    assert_memory_equal(out, "PLI1", 4);
    assert_int_equal(out[4], PLI_VIEW_POSITIONS);
    assert_int_equal(out[6], 0);
    assert_int_equal(u32(out + 8), 1);
    assert_int_equal(u32(out + 24), COUNT);
    s.x[3 * 4 + 1] += 1;
    show(&s, 2);
    s.x[3 * 7] += 1;
    show(&s, 3);
    // A browser that has 1 gets both vertices, one that has 2 the second, one that has 3 none.
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 1, out),
                     PLI_VIEW_HEADER + 2 * 16);
    assert_int_equal(out[6], PLI_VIEW_PARTIAL);
    assert_int_equal(u32(out + PLI_VIEW_HEADER), 4);
    assert_int_equal(u32(out + PLI_VIEW_HEADER + 4), 7);
    float y;
    memcpy(&y, out + PLI_VIEW_HEADER + 8 + 4, 4);
    assert_true(y == 14.0f);
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 2, out), PLI_VIEW_HEADER + 16);
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 3, out), PLI_VIEW_HEADER);
    // Half of them: all are sent.
    for (int v = 0; v < COUNT / 2; ++v) s.x[3 * v] += 1;
    show(&s, 4);
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 3, out), sizeof out);
    end(&s);
}

// Sequences go over the end of their type.
static void test_sequences_wrap(void** state) {
    (void)state;
    shown s;
    unsigned char out[PLI_VIEW_HEADER + 12 * COUNT];
    begin(&s);
    show(&s, 0xFFFFFFFEu);
    for (int v = 0; v < COUNT; ++v) s.track.changed[v] = 0xFFFFFFFEu;
    s.x[0] += 1;
    show(&s, 1);
    assert_int_equal(pli_view_write_positions(&s.frame, &s.track, 0xFFFFFFFEu, out),
                     PLI_VIEW_HEADER + 16);
    end(&s);
}

// ---- surfaces

static pli_world* world_of(const pli_mesh* mesh, int dimension) {
    pli_world_def def = pli_default_world_def();
    pli_body_def body = pli_default_body_def();
    pli_error error = {0};
    pli_world* world = NULL;
    pli_body_id id;
    def.dimension = dimension;
    def.thread_count = 1;
    body.mesh = mesh;
    body.density = 1000;
    assert_int_equal(pli_world_create(&def, &world, &error), PLI_OK);
    assert_int_equal(pli_world_add_body(world, &body, &id, &error), PLI_OK);
    assert_int_equal(pli_world_add_body(world, &body, &id, &error), PLI_OK);
    return world;
}

// 6 V of the body that triangles close in.
static double volume6(const pli_view_surface* s, int first, int last, const double* x) {
    double sum = 0;
    for (int t = first; t < last; ++t) {
        const double *a = x + 3 * s->triangles[3 * t], *b = x + 3 * s->triangles[3 * t + 1],
                     *c = x + 3 * s->triangles[3 * t + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum;
}

static void check_box(bool quadratic) {
    const double size[3] = {1, 2, 3};
    const int segments[3] = {2, 3, 2};
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_box(&mesh, size, segments, &error), PLI_OK);
    if (quadratic) assert_int_equal(pli_mesh_make_quadratic(&mesh, &error), PLI_OK);
    pli_world* world = world_of(&mesh, 3);
    pli_view_surface s = {0};
    assert_true(pli_view_surface_of_world(&s, world));
    // Two triangles per cell on the boundary: 2 (2 3 + 3 2 + 2 2) cells.
    int expected = 2 * 2 * (2 * 3 + 3 * 2 + 2 * 2) * (quadratic ? 4 : 1);
    assert_int_equal(s.triangle_ends[0], expected);
    assert_int_equal(s.triangle_ends[1], 2 * expected);
    assert_int_equal(s.triangle_count, 2 * expected);
    assert_int_equal(s.segment_count, 0);
    // Closed and outward: the volume is that of the mailbox, up to rounding.
    for (int b = 0; b < 2; ++b) {
        double v = volume6(&s, b * expected, (b + 1) * expected, pli_world_positions(world)) / 6;
        assert_true(v > 6 - 1e-9 && v < 6 + 1e-9);
    }
    pli_view_surface_free(&s);
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

static void test_boundary_of_tetrahedra(void** state) {
    (void)state;
    check_box(false);
    check_box(true);
}

static void test_plane_shows_all(void** state) {
    (void)state;
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_add_rectangle(&mesh, 1, 1, 3, 2, PLI_TRIANGLES, &error), PLI_OK);
    pli_world* world = world_of(&mesh, 2);
    pli_view_surface s = {0};
    assert_true(pli_view_surface_of_world(&s, world));
    assert_int_equal(s.triangle_count, 2 * 12);
    pli_view_surface_free(&s);
    pli_world_destroy(world);
    pli_mesh_free(&mesh);
}

// ---- the mailbox

static pli_view_mailbox* new_box(void) {
    pli_view_mailbox* box = malloc(sizeof *box);
    assert_non_null(box);
    assert_true(pli_view_mailbox_init(box));
    return box;
}

static void delete_box(pli_view_mailbox* box) {
    pli_view_mailbox_free(box);
    free(box);
}

static void test_newest_frame_wins(void** state) {
    (void)state;
    pli_view_mailbox* box = new_box();
    pli_view_news news;
    for (uint32_t i = 1; i <= 3; ++i) {
        pli_view_mailbox_back(box)->sequence = i;
        pli_view_mailbox_show(box, NULL);
    }
    pli_view_mailbox_look(box, &news);
    assert_true(news.fresh);
    assert_int_equal(pli_view_mailbox_front(box)->sequence, 3);
    pli_view_mailbox_look(box, &news);
    assert_false(news.fresh);
    assert_int_equal(pli_view_mailbox_front(box)->sequence, 3);
    assert_ptr_not_equal(pli_view_mailbox_back(box), pli_view_mailbox_front(box));
    delete_box(box);
}

static void test_requests_are_bounded_and_merged(void** state) {
    (void)state;
    pli_view_mailbox* box = new_box();
    pli_view_request drag = {.kind = PLI_VIEW_DRAG}, step = {.kind = PLI_VIEW_STEP};
    pli_view_request set = {.kind = PLI_VIEW_SET, .path = "a"};
    for (int i = 0; i < 1000; ++i) assert_true(pli_view_mailbox_order(box, &drag, 1));
    assert_int_equal(box->order_count, 1);
    assert_true(pli_view_mailbox_order(box, &set, 1));
    set.value.number = 5;
    assert_true(pli_view_mailbox_order(box, &set, 1));
    set.path[0] = 'b';
    assert_true(pli_view_mailbox_order(box, &set, 1));
    assert_int_equal(box->order_count, 3);
    int taken = 3;
    while (pli_view_mailbox_order(box, &step, 1)) ++taken;
    assert_int_equal(taken, PLI_VIEW_REQUESTS);
    pli_view_order order;
    assert_true(pli_view_mailbox_next(box, 0, &order));
    assert_int_equal(order.request.kind, PLI_VIEW_DRAG);
    assert_true(pli_view_mailbox_next(box, 0, &order));
    assert_true(order.request.value.number == 5);
    for (int i = 2; i < taken; ++i) assert_true(pli_view_mailbox_next(box, 0, &order));
    assert_false(pli_view_mailbox_next(box, 0, &order));
    // The server's own wish does not hide that a browser has come: the scene begins with it.
    pli_view_request show = {.kind = PLI_VIEW_SHOW};
    assert_true(pli_view_mailbox_order(box, &show, 7));
    assert_true(pli_view_mailbox_order(box, &show, 0));
    assert_true(pli_view_mailbox_next(box, 0, &order));
    assert_int_equal(order.client, 7);
    delete_box(box);
}

static void test_records_and_notices_drop_the_oldest(void** state) {
    (void)state;
    pli_view_mailbox* box = new_box();
    pli_view_news* news = malloc(sizeof *news);
    pli_view_stats stats = {0};
    assert_non_null(news);
    for (int i = 0; i < 3 * PLI_VIEW_STATS; ++i) {
        stats.info.step = i;
        pli_view_mailbox_add_stats(box, &stats);
    }
    assert_false(pli_view_mailbox_stats(box, 2 * PLI_VIEW_STATS - 1, &stats));
    assert_true(pli_view_mailbox_stats(box, 2 * PLI_VIEW_STATS, &stats));
    assert_int_equal(stats.info.step, 2 * PLI_VIEW_STATS);
    assert_false(pli_view_mailbox_stats(box, 3 * PLI_VIEW_STATS, &stats));
    for (uint32_t i = 1; i <= PLI_VIEW_NOTICES + 5; ++i) pli_view_mailbox_notify(box, i, "wrong");
    pli_view_mailbox_look(box, news);
    assert_int_equal(news->notice_count, PLI_VIEW_NOTICES);
    assert_int_equal(news->notices[0].client, 6);
    free(news);
    delete_box(box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_moved_is_sent),
        cmocka_unit_test(test_sequences_wrap),
        cmocka_unit_test(test_boundary_of_tetrahedra),
        cmocka_unit_test(test_plane_shows_all),
        cmocka_unit_test(test_newest_frame_wins),
        cmocka_unit_test(test_requests_are_bounded_and_merged),
        cmocka_unit_test(test_records_and_notices_drop_the_oldest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
