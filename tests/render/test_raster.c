// The renderer: which pixels shapes cover, what hides what, light, and the same bits every time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/allocator.h"
#include "oracle/random.h"
#include "render/raster.h"

enum { WIDTH = 40, HEIGHT = 30, BODY = 1, OTHER = 2 };

typedef struct picture {
    pli_memory memory;
    pli_raster raster;
    unsigned char rgb[3 * WIDTH * HEIGHT];
} picture;

static const float black[3] = {0, 0, 0};

static void begin(picture* p) {
    pli_memory_init(&p->memory, NULL);
    assert_int_equal(pli_raster_init(&p->raster, &p->memory, WIDTH, HEIGHT, NULL), PLI_OK);
    pli_raster_clear(&p->raster, black);
}

static void end(picture* p) {
    pli_raster_free(&p->raster);
    assert_int_equal(p->memory.bytes, 0);
}

static const unsigned char* pixel(picture* p, int x, int y) {
    pli_raster_read(&p->raster, p->rgb);
    return p->rgb + 3 * (WIDTH * y + x);
}

static pli_paint plain(float red, float green, float blue) {
    return (pli_paint){
        .dark = {red, green, blue}, .light = {red, green, blue}, .alpha = 1, .kind = BODY};
}

static void draw_triangle(picture* p, const double xy[6], double z, const pli_paint* paint) {
    pli_corner c[3];
    for (int k = 0; k < 3; ++k) c[k] = (pli_corner){{xy[2 * k], xy[2 * k + 1], z}, 1, 0};
    pli_raster_triangle(&p->raster, c, paint);
}

// Inside is covered, outside is not, and what lies across gets a mean.
static void triangle_covers_its_pixels(void** state) {
    (void)state;
    picture p;
    const double xy[2][6] = {{5, 5, 25, 5, 5, 25}, {5, 5, 5, 25, 25, 5}};
    pli_paint red = plain(200, 0, 0);
    for (int turned = 0; turned < 2; ++turned) {
        begin(&p);
        draw_triangle(&p, xy[turned], 0, &red);
        int covered = 0;
        for (int y = 0; y < HEIGHT; ++y)
            for (int x = 0; x < WIDTH; ++x) {
                int value = pixel(&p, x, y)[0], diagonal = x - 5 + y - 5;
                if (x < 5 || y < 5 || diagonal > 20)
                    assert_int_equal(value, 0);
                else if (diagonal < 19)
                    assert_int_equal(value, 200);
                covered += value;
            }
        // The mean of all is the area, 200 pixels; samples on the border count in full.
        assert_in_range(covered, 200 * 200, 200 * 210);
        end(&p);
    }
}

// Two triangles with a common side cover a square, seen in one colour: no gap, nothing twice.
static void neighbours_leave_no_gap(void** state) {
    (void)state;
    picture p;
    pli_random random = {11};
    pli_paint veil = plain(100, 100, 100);
    veil.alpha = 0.5F;
    veil.flat = true;
    for (int trial = 0; trial < 30; ++trial) {
        begin(&p);
        double x = pli_random_in(&random, 3, 37), y = pli_random_in(&random, 3, 27);
        const double corners[5][2] = {{-1, -1}, {41, -1}, {41, 31}, {-1, 31}, {-1, -1}};
        for (int k = 0; k < 4; ++k) {
            const double xy[6] = {
                x, y, corners[k][0], corners[k][1], corners[k + 1][0], corners[k + 1][1]};
            draw_triangle(&p, xy, 0, &veil);
        }
        for (int j = 0; j < HEIGHT; ++j)
            for (int i = 0; i < WIDTH; ++i) assert_int_equal(pixel(&p, i, j)[1], 50);
        end(&p);
    }
}

static pli_joint joint_at(const double at[3]) { return (pli_joint){.at = {at[0], at[1], at[2]}}; }

static void nearer_things_hide_others(void** state) {
    (void)state;
    const double xy[6] = {-50, -50, 100, -50, -50, 100};
    const pli_joint at = {.at = {20, 15, 5}};
    pli_paint red = plain(200, 0, 0), green = plain(0, 200, 0);
    for (int order = 0; order < 2; ++order) {
        picture p;
        begin(&p);
        for (int i = 0; i < 2; ++i)
            draw_triangle(&p, xy, i == order ? 1 : 2, i == order ? &red : &green);
        assert_int_equal(pixel(&p, 20, 15)[1], 200);
        pli_raster_ball(&p.raster, &at, 8, &red); // its front is at 13
        assert_int_equal(pixel(&p, 20, 15)[0], 200);
        assert_int_equal(pixel(&p, 20, 25)[1], 200);
        draw_triangle(&p, xy, 12, &green); // cuts it
        assert_int_equal(pixel(&p, 20, 15)[0], 200);
        assert_int_equal(pixel(&p, 26, 15)[0], 0);
        end(&p);
    }
}

// The second layer hides all but bodies, which shine through; what is behind stays behind.
static void obstacles_let_bodies_through(void** state) {
    (void)state;
    picture p;
    begin(&p);
    const double half[6] = {0, -100, 0, 100, -100, 0}, low[6] = {-100, 15, 200, 15, 20, 200};
    const double whole[6] = {-50, -50, 150, -50, -50, 150};
    pli_paint body = plain(200, 0, 0), obstacle = plain(0, 0, 100);
    double left[6];
    for (int k = 0; k < 6; ++k) left[k] = half[k] + (k % 2 == 0 ? 20 : 0);
    draw_triangle(&p, left, 1, &body); // x < 20
    obstacle.kind = OTHER;
    p.raster.layer = 1;
    draw_triangle(&p, whole, 0, &obstacle); // behind the body
    draw_triangle(&p, low, 3, &obstacle);   // before it, y > 15
    p.raster.layer = 0;
    pli_raster_merge(&p.raster, BODY, 0.5);
    assert_int_equal(pixel(&p, 10, 8)[0], 200); // body before the far one
    assert_int_equal(pixel(&p, 30, 8)[2], 100);
    assert_int_equal(pixel(&p, 30, 25)[2], 100);
    assert_int_equal(pixel(&p, 10, 25)[0], 100); // half and half
    assert_int_equal(pixel(&p, 10, 25)[2], 50);
    end(&p);
}

// More light, brighter: along a triangle and over the normals towards the light.
static void shading_is_monotone(void** state) {
    (void)state;
    picture p;
    begin(&p);
    pli_paint paint = {.dark = {20, 20, 20}, .light = {220, 120, 20}, .alpha = 1, .kind = BODY};
    const pli_corner c[3] = {{{-20, -40, 0}, 0, 0}, {{60, -40, 0}, 1, 0}, {{20, 500, 0}, 0.5, 0}};
    pli_raster_triangle(&p.raster, c, &paint);
    for (int x = 1; x < WIDTH; ++x) {
        assert_true(pixel(&p, x, 2)[0] >= pixel(&p, x - 1, 2)[0]);
        assert_int_equal(pixel(&p, x, 2)[2], 20);
    }
    assert_true(pixel(&p, 35, 2)[0] > pixel(&p, 5, 2)[0] + 50);
    double last = 2;
    for (int i = 0; i <= 20; ++i) { // from the light to a right angle with it, all seen
        const double light[3] = {-0.42, 0.69, 0.59}, across[3] = {0.854, 0.52, 0};
        double angle = 1.57 / 20 * i, n[3];
        for (int k = 0; k < 3; ++k) n[k] = cos(angle) * light[k] + sin(angle) * across[k];
        double lit = pli_lit(n, false);
        assert_true(lit > 0 && lit < last);
        last = lit;
    }
    const double back[3] = {0, 0, -1}, front[3] = {0, 0, 1};
    assert_true(pli_lit(back, false) == pli_lit(front, false));
    assert_true(pli_lit(back, true) < pli_lit(front, true));
    end(&p);
}

// A rod with balls at its ends, straight or towards the viewer, is as wide as it should be.
static void rods_are_as_wide_as_they_should_be(void** state) {
    (void)state;
    pli_paint paint = plain(100, 100, 100);
    for (int depth = -20; depth <= 20; depth += 10) {
        picture p;
        begin(&p);
        const pli_joint ends[2] = {{.at = {8, 15, 0}}, {.at = {32, 15, depth}}};
        pli_raster_rod(&p.raster, ends, 4, &paint);
        assert_int_equal(pixel(&p, 20, 15)[0], 100);
        assert_int_equal(pixel(&p, 20, 11)[0], 100);
        assert_int_equal(pixel(&p, 20, 18)[0], 100);
        assert_int_equal(pixel(&p, 20, 10)[0], 0);
        assert_int_equal(pixel(&p, 20, 19)[0], 0);
        // A plane through the axis hides nothing of its front.
        const pli_corner plane[3] = {
            {{8, -100, 0}, 1, 0}, {{8, 200, 0}, 1, 0}, {{32, 15, depth}, 1, 0}};
        pli_paint other = plain(0, 0, 250);
        pli_raster_triangle(&p.raster, plane, &other);
        assert_int_equal(pixel(&p, 20, 15)[0], 100);
        end(&p);
    }
}

// The light changes where two rods meet at an angle, but not if both have the direction of the
// thread there, and a ball of that direction closes the gap between them.
static void threads_are_smooth(void** state) {
    (void)state;
    pli_paint paint = {.dark = {0, 0, 0}, .light = {250, 250, 250}, .alpha = 1, .kind = BODY};
    for (int smooth = 0; smooth < 2; ++smooth) {
        picture p;
        begin(&p);
        pli_joint j[3] = {{.at = {4, 22, 0}}, {.at = {20, 15, 0}}, {.at = {36, 22, 0}}};
        for (int k = 0; k < 3 && smooth; ++k) { // half of the bend; y is upward
            j[k].along[0] = 1;
            j[k].along[1] = k == 0 ? 7.0 / 16 : k == 1 ? 0 : -7.0 / 16;
        }
        for (int i = 0; i < 2; ++i) pli_raster_rod(&p.raster, j + i, 4, &paint);
        if (smooth) pli_raster_ball(&p.raster, &j[1], 4, &paint);
        int jump = abs(pixel(&p, 18, 17)[0] - pixel(&p, 21, 17)[0]);
        assert_true(smooth ? jump < 12 : jump > 20);
        assert_true(!smooth || pixel(&p, 20, 12)[0] > 60); // closed on the outside of the bend
        end(&p);
    }
    const double up[3] = {0, 1, 0}, right[3] = {1, 0, 0}, away[3] = {0, 0, 1}, none[3] = {0};
    assert_true(pli_lit_thread(right) > pli_lit_thread(up)); // the light comes from above
    assert_true(pli_lit_thread(away) > 0 && pli_lit_thread(none) <= 1);
}

static void lines_have_their_width(void** state) {
    (void)state;
    picture p;
    begin(&p);
    pli_paint paint = plain(100, 100, 100);
    const pli_corner flat[2] = {{{5, 10, 0}, 1, 0}, {{35, 10, 0}, 1, 0}};
    pli_raster_line(&p.raster, flat, 4, 0, &paint);
    assert_int_equal(pixel(&p, 20, 8)[0], 100);
    assert_int_equal(pixel(&p, 20, 11)[0], 100);
    assert_int_equal(pixel(&p, 20, 7)[0], 0);
    assert_int_equal(pixel(&p, 20, 12)[0], 0);
    assert_int_equal(pixel(&p, 2, 10)[0], 0);
    const pli_corner dot[2] = {{{20, 22, 0}, 1, 0}, {{20, 22, 0}, 1, 0}};
    pli_raster_line(&p.raster, dot, 6, 0, &paint);
    assert_int_equal(pixel(&p, 20, 22)[0], 100);
    assert_int_equal(pixel(&p, 22, 24)[0], 0); // it is round
    end(&p);
}

// Nothing that is not finite, far away or without an area does harm.
static void bad_numbers_are_left_out(void** state) {
    (void)state;
    static const double bad[] = {NAN, HUGE_VAL, -HUGE_VAL, 1e300, -1e300, 1e30, 0};
    picture p;
    begin(&p);
    pli_paint paint = plain(100, 100, 100);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
        for (int k = 0; k < 3; ++k) {
            pli_corner c[3] = {{{5, 5, 0}, 1, 0}, {{25, 5, 0}, 1, 0}, {{5, 25, 0}, 1, 0}};
            c[1].at[k] = bad[i];
            pli_raster_triangle(&p.raster, c, &paint);
            pli_raster_line(&p.raster, c, 2, 0, &paint);
            pli_joint ends[2] = {joint_at(c[0].at), joint_at(c[1].at)};
            pli_raster_rod(&p.raster, ends, 3, &paint);
            pli_raster_ball(&p.raster, &ends[1], 3, &paint);
            pli_raster_ball(&p.raster, &ends[0], bad[i], &paint);
            ends[0].along[k] = bad[i];
            pli_raster_rod(&p.raster, (pli_joint[2]){ends[0], ends[0]}, 3, &paint);
            pli_raster_ball(&p.raster, &ends[0], 3, &paint);
        }
    end(&p);
}

static uint64_t hash_scene(uint64_t seed) {
    picture p;
    begin(&p);
    pli_random random = {seed};
    for (int i = 0; i < 60; ++i) {
        pli_corner c[3];
        for (int k = 0; k < 3; ++k)
            c[k] = (pli_corner){{pli_random_in(&random, -9, 49), pli_random_in(&random, -9, 39),
                                 pli_random_in(&random, -9, 9)},
                                pli_random_in(&random, 0, 1),
                                0};
        pli_paint paint = {
            .dark = {10, 20, 30}, .light = {250, 200, 100}, .alpha = 1, .kind = BODY};
        pli_raster_triangle(&p.raster, c, &paint);
        const pli_joint joints[3] = {joint_at(c[0].at), joint_at(c[1].at), joint_at(c[2].at)};
        if (i % 4 == 0) pli_raster_rod(&p.raster, joints, 2, &paint);
        if (i % 5 == 0) pli_raster_ball(&p.raster, &joints[2], 3, &paint);
    }
    pli_raster_read(&p.raster, p.rgb);
    uint64_t hash = 1469598103934665603U;
    for (size_t i = 0; i < sizeof p.rgb; ++i) hash = (hash ^ p.rgb[i]) * 1099511628211U;
    end(&p);
    return hash;
}

static void same_calls_give_the_same_bits(void** state) {
    (void)state;
    assert_true(hash_scene(1) == hash_scene(1));
    assert_true(hash_scene(1) != hash_scene(2));
}

static void memory_may_end(void** state) {
    (void)state;
    for (int i = 1; i <= 2; ++i) {
        pli_test_allocator counter = {.fail_at = i};
        const pli_allocator allocator = pli_test_hook(&counter);
        pli_memory memory;
        pli_raster raster;
        pli_memory_init(&memory, &allocator);
        assert_int_equal(pli_raster_init(&raster, &memory, 8, 8, NULL), PLI_E_MEMORY);
        assert_int_equal(counter.bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_covers_its_pixels),
        cmocka_unit_test(neighbours_leave_no_gap),
        cmocka_unit_test(nearer_things_hide_others),
        cmocka_unit_test(obstacles_let_bodies_through),
        cmocka_unit_test(shading_is_monotone),
        cmocka_unit_test(rods_are_as_wide_as_they_should_be),
        cmocka_unit_test(threads_are_smooth),
        cmocka_unit_test(lines_have_their_width),
        cmocka_unit_test(bad_numbers_are_left_out),
        cmocka_unit_test(same_calls_give_the_same_bits),
        cmocka_unit_test(memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
