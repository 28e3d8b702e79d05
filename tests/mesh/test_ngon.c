// Polygons become triangles: areas, orientation and edges are those of the polygon, convex ones
// keep their fan, and what has no triangles is told apart.
#include <math.h>

#include "math/vec.h"
#include "mesh/data.h"
#include "mesh/ngon.h"
#include "oracle/allocator.h"
#include "oracle/random.h"

enum { MOST = 6000 };

typedef struct ngon {
    int count;
    double x[3 * MOST];
    int32_t triangles[3 * MOST];
    pli_ngon_answer answer;
} ngon;
static ngon n;

static void start(void) { n.count = 0; }

static void put(double x, double y) {
    double* p = n.x + (ptrdiff_t)3 * n.count++;
    p[0] = x, p[1] = y, p[2] = 0;
}

static void reverse(void) {
    for (int i = 0, j = n.count - 1; i < j; ++i, --j)
        for (int k = 0; k < 3; ++k) {
            double kept = n.x[3 * i + k];
            n.x[3 * i + k] = n.x[3 * j + k];
            n.x[3 * j + k] = kept;
        }
}

// The corners begin with the next one.
static void roll(void) {
    double first[3] = {n.x[0], n.x[1], n.x[2]};
    memmove(n.x, n.x + 3, (size_t)(3 * n.count - 3) * sizeof *n.x);
    memcpy(n.x + 3 * (n.count - 1), first, sizeof first);
}

// Turned about two axes and moved.
static void slant(double a, double b) {
    for (int i = 0; i < n.count; ++i) {
        double *p = n.x + 3 * i, x = cos(a) * p[0] - sin(a) * p[2],
               z = sin(a) * p[0] + cos(a) * p[2];
        p[0] = x + 3;
        p[2] = sin(b) * p[1] + cos(b) * z - 7;
        p[1] = cos(b) * p[1] - sin(b) * z + 0.3;
    }
}

static void make_fan(void) {
    for (int i = 0; i < n.count - 2; ++i) {
        int32_t* t = n.triangles + 3 * i;
        t[0] = 0, t[1] = i + 1, t[2] = i + 2;
    }
}

static pli_ngon_answer cut(void) {
    pli_test_allocator allocator = {0};
    pli_allocator hook = pli_test_hook(&allocator);
    pli_memory memory;
    pli_memory_init(&memory, &hook);
    pli_ngon_room room = {.memory = &memory};
    pli_error error = {0};
    make_fan();
    ASSERT_OK(pli_ngon_cut(&room, n.x, n.count, n.triangles, &n.answer, &error));
    pli_ngon_room_free(&room);
    assert_int_equal(memory.bytes, 0);
    return n.answer;
}

static bool is_fan(void) {
    for (int i = 0; i < n.count - 2; ++i) {
        const int32_t* t = n.triangles + 3 * i;
        if (t[0] != 0 || t[1] != i + 1 || t[2] != i + 2) return false;
    }
    return true;
}

// Twice the vector area of three corners.
static void normal_of(int a, int b, int c, double normal[3]) {
    double u[3], v[3];
    pli_sub(n.x + 3 * b, n.x + 3 * a, u, 3);
    pli_sub(n.x + 3 * c, n.x + 3 * a, v, 3);
    pli_cross3(u, v, normal);
}

// Each directed edge of the triangles is an edge of the polygon or has its opposite, once.
static void check_edges(void) {
    static int8_t seen[200][200];
    assert_true(n.count <= 200);
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < 3 * (n.count - 2); ++i) {
        int a = n.triangles[i], b = n.triangles[i % 3 == 2 ? i - 2 : i + 1];
        assert_int_equal(seen[a][b]++, 0);
    }
    for (int a = 0; a < n.count; ++a)
        for (int b = 0; b < n.count; ++b)
            assert_int_equal(seen[a][b],
                             (a + 1) % n.count == b || (seen[b][a] && (b + 1) % n.count != a));
}

// The polygon is cut; each triangle has an area (over its longest edge's square) of at least this,
// and looks where the polygon does; their sum is its area.
static void expect_sound(double least) {
    double area[3] = {0}, sum[3] = {0}, c[3], total = 0;
    assert_int_equal(cut(), PLI_NGON_SOUND);
    for (int i = 1; i + 1 < n.count; ++i) {
        normal_of(0, i, i + 1, c);
        pli_axpy(1, c, area, 3);
    }
    for (int i = 0; i < n.count - 2; ++i) {
        const int32_t* t = n.triangles + 3 * i;
        double longest = 0, e[3];
        normal_of(t[0], t[1], t[2], c);
        for (int k = 0; k < 3; ++k) {
            pli_sub(n.x + 3 * t[k], n.x + 3 * t[(k + 1) % 3], e, 3);
            longest = fmax(longest, pli_dot(e, e, 3));
        }
        if (!(pli_dot(c, area, 3) > 0 && pli_norm(c, 3) > least * longest))
            fail_msg("triangle %d of %d: %g", i, n.count - 2, pli_norm(c, 3) / longest);
        total += pli_norm(c, 3);
        pli_axpy(1, c, sum, 3);
    }
    double size = pli_norm(area, 3);
    ASSERT_NEAR(total, size, 1e-12 * size); // rounding of coordinates near 7
    for (int k = 0; k < 3; ++k) ASSERT_NEAR(sum[k], area[k], 1e-12 * size);
    if (n.count <= 200) check_edges();
}

// From every first corner, both ways round, in the plane and slanted.
static void expect_sound_anyhow(double least) {
    for (int way = 0; way < 2; ++way, reverse())
        for (int i = 0; i < n.count; ++i, roll()) expect_sound(least);
    slant(0.7, 0.4);
    for (int way = 0; way < 2; ++way, reverse())
        for (int i = 0; i < n.count; ++i, roll()) expect_sound(least);
}

static void letter_l(void) {
    start();
    put(0, 0), put(2, 0), put(2, 1), put(1, 1), put(1, 2), put(0, 2);
}

static void star(int spikes) {
    start();
    for (int i = 0; i < 2 * spikes; ++i) {
        double r = i % 2 ? 0.3 : 1, a = 3.141592653589793 * i / spikes;
        put(r * cos(a), r * sin(a));
    }
}

static void comb(int teeth) {
    start();
    put(0, -1), put(2 * teeth - 1, -1);
    for (int i = teeth - 1; i >= 0; --i) {
        put(2 * i + 1, 0), put(2 * i + 1, 5), put(2 * i, 5);
        if (i > 0) put(2 * i, 0);
    }
}

static void spiral(int corners) {
    start();
    for (int i = 0; i < corners; ++i) {
        double a = 6 * 3.141592653589793 * i / corners + 1;
        put(a * cos(a), a * sin(a));
    }
    for (int i = corners - 1; i >= 0; --i) {
        double a = 6 * 3.141592653589793 * i / corners + 1;
        put((a + 2) * cos(a), (a + 2) * sin(a));
    }
    reverse();
}

static void known_shapes(void** state) {
    (void)state;
    letter_l();
    expect_sound_anyhow(0.1);
    star(5);
    expect_sound_anyhow(0.1);
    star(40);
    expect_sound_anyhow(0.01);
    comb(2);
    expect_sound_anyhow(0.01);
    comb(10);
    expect_sound_anyhow(0.001);
    spiral(50);
    expect_sound_anyhow(0.01);
    start(); // an arrow head
    put(0, 0), put(2, 1), put(0, 2), put(0.5, 1);
    expect_sound_anyhow(0.1);
}

static void convex_ones_keep_their_fan(void** state) {
    (void)state;
    for (int count = 4; count <= MOST; count = count < 20 ? count + 1 : 7 * count)
        for (int way = 0; way < 2; ++way) {
            start();
            for (int i = 0; i < count; ++i)
                put(3 * cos(6.283185307179586 * i / count), sin(6.283185307179586 * i / count));
            if (way) reverse(), slant(0.3, 0.8);
            assert_int_equal(cut(), PLI_NGON_SOUND);
            assert_true(is_fan());
        }
    letter_l(); // nor is one changed that its first corner sees as a whole
    roll(), roll(), roll();
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
    start(); // a bent quadrangle
    put(0, 0), put(1, 0), put(1, 1), put(0, 1);
    n.x[2] = n.x[8] = 0.4;
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
}

// Corners on straight edges, also where these are straight up to rounding only.
static void straight_corners(void** state) {
    (void)state;
    for (int parts = 2; parts < 9; ++parts) {
        start();
        for (int side = 0; side < 4; ++side)
            for (int i = 0; i < parts; ++i) {
                double s = (double)i / parts;
                put(side == 0   ? s
                    : side == 1 ? 1
                    : side == 2 ? 1 - s
                                : 0,
                    side == 0   ? 0
                    : side == 1 ? s
                    : side == 2 ? 1
                                : 1 - s);
            }
        expect_sound_anyhow(1e-3);
    }
    start(); // three in a row, and the tip
    put(0, 0), put(0.3, 0), put(0.7, 0), put(1, 0), put(0.5, 1);
    expect_sound_anyhow(0.01);
    pli_random r = {5};
    for (int round = 0; round < 200; ++round) { // columns of whole heights, corners at each step
        int columns = 2 + pli_random_below(&r, 8), height = 0;
        start();
        for (int i = 0; i <= columns; ++i) put(i, 0);
        for (int i = columns - 1; i >= 0; --i) {
            height = 1 + pli_random_below(&r, 3);
            put(i + 1, height);
            put(i, height);
        }
        // No corner twice: neighbours of one height share it.
        for (int i = 1; i < n.count; ++i)
            if (n.x[3 * i] == n.x[3 * i - 3] && n.x[3 * i + 1] == n.x[3 * i - 2]) {
                memmove(n.x + 3 * i, n.x + 3 * i + 3,
                        (size_t)(3 * (n.count - i - 1)) * sizeof *n.x);
                --n.count, --i;
            }
        expect_sound_anyhow(1e-6);
    }
}

static double side(int a, int b, int c) {
    const double *p = n.x + 3 * a, *q = n.x + 3 * b, *s = n.x + 3 * c;
    return (q[0] - p[0]) * (s[1] - p[1]) - (q[1] - p[1]) * (s[0] - p[0]);
}

// Random points, and edges that cross taken apart until none do.
static void tangle(pli_random* r, int count) {
    start();
    for (int i = 0; i < count; ++i) put(pli_random_in(r, 0, 1), pli_random_in(r, 0, 1));
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < count; ++i)
            for (int j = i + 2; j < count; ++j) {
                int a = i, b = i + 1, c = j, d = (j + 1) % count;
                if (a == d || side(a, b, c) * side(a, b, d) >= 0 ||
                    side(c, d, a) * side(c, d, b) >= 0)
                    continue;
                for (again = true; b < c; ++b, --c)
                    for (int k = 0; k < 3; ++k) {
                        double kept = n.x[3 * b + k];
                        n.x[3 * b + k] = n.x[3 * c + k];
                        n.x[3 * c + k] = kept;
                    }
            }
    }
}

static void random_polygons(void** state) {
    (void)state;
    pli_random r = {7};
    for (int round = 0; round < 400; ++round) {
        tangle(&r, 4 + round % 60);
        if (round % 2) reverse();
        expect_sound(0);
        slant(pli_random_in(&r, 0, 6), pli_random_in(&r, 0, 6));
        expect_sound(0);
    }
}

// A hole that is reached by a cut: two corners are there twice.
static void holes(void** state) {
    (void)state;
    for (int i = 0; i < 8; ++i) {
        start();
        put(0, 0), put(4, 0), put(4, 4), put(0, 4), put(0, 0);
        put(1, 1), put(1, 3), put(3, 3), put(3, 1), put(1, 1);
        for (int k = 0; k < i; ++k) roll();
        if (i % 2) slant(0.4, 0.9);
        assert_int_equal(cut(), PLI_NGON_SOUND);
        double total = 0, c[3];
        for (int t = 0; t < n.count - 2; ++t) {
            normal_of(n.triangles[3 * t], n.triangles[3 * t + 1], n.triangles[3 * t + 2], c);
            assert_true(pli_norm(c, 3) > 0.1);
            total += 0.5 * pli_norm(c, 3);
        }
        ASSERT_NEAR(total, 12, 1e-12);
    }
}

static void crossings(void** state) {
    (void)state;
    for (int way = 0; way < 4; ++way) {
        start(); // two triangles that cancel each other
        put(0, 0), put(1, 1), put(1, 0), put(0, 1);
        if (way / 2) slant(1, 2);
        if (way % 2) reverse();
        assert_int_equal(cut(), PLI_NGON_CROSSES);
        start(); // or do not
        put(0, 0), put(3, 3), put(3, 0), put(0, 1);
        if (way / 2) slant(1, 2);
        if (way % 2) reverse();
        assert_int_equal(cut(), PLI_NGON_CROSSES);
        start(); // a star of one stroke
        for (int i = 0; i < 5; ++i)
            put(cos(12.566370614359172 * i / 5), sin(12.566370614359172 * i / 5));
        if (way / 2) slant(1, 2);
        if (way % 2) reverse();
        assert_int_equal(cut(), PLI_NGON_CROSSES);
        start(); // twice around its first corner, each step to the left
        put(0, 0);
        for (int i = 0; i < 13; ++i) put((2 + 0.1 * i) * cos(i), (2 + 0.1 * i) * sin(i));
        if (way / 2) slant(1, 2);
        if (way % 2) reverse();
        assert_int_equal(cut(), PLI_NGON_CROSSES);
    }
}

// What has no area, or corners twice, keeps as many triangles; pliant check names those.
static void flat_ones(void** state) {
    (void)state;
    start();
    for (int i = 0; i < 7; ++i) put(0, 0);
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
    start();
    put(0, 0), put(1, 0), put(3, 0), put(2, 0);
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
    slant(1, 2);
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
    start();
    put(0, 0), put(1, 0), put(0, 1), put(0, 1);
    assert_int_equal(cut(), PLI_NGON_SOUND);
    assert_true(is_fan());
    for (int i = 0; i < 7; ++i) { // an L with a corner twice, or a spike
        for (int spike = 0; spike < 2; ++spike) {
            letter_l();
            if (spike)
                put(0, 3), put(0, 2);
            else
                put(0, 2);
            for (int k = 0; k < i; ++k) roll();
            assert_int_equal(cut(), PLI_NGON_SOUND);
            double total = 0, c[3];
            for (int t = 0; t < n.count - 2; ++t) {
                normal_of(n.triangles[3 * t], n.triangles[3 * t + 1], n.triangles[3 * t + 2], c);
                total += 0.5 * c[2];
            }
            ASSERT_NEAR(total, 3, 1e-15);
        }
    }
}

static void any_size(void** state) {
    (void)state;
    static const double scales[] = {8e307, 1e200, 1e-100, 1e-200, 1e-300};
    for (int i = 0; i < 5; ++i)
        for (int first = 0; first < 6; ++first) {
            letter_l();
            for (int k = 0; k < first; ++k) roll();
            assert_int_equal(cut(), PLI_NGON_SOUND);
            int32_t expected[12];
            memcpy(expected, n.triangles, sizeof expected);
            for (int k = 0; k < 18; ++k) n.x[k] *= scales[i];
            assert_int_equal(cut(), PLI_NGON_SOUND);
            assert_memory_equal(n.triangles, expected, sizeof expected);
        }
}

static void large_ones(void** state) {
    (void)state;
    comb(PLI_NGON_LIMIT / 4);
    assert_int_equal(n.count, PLI_NGON_LIMIT + 1);
    assert_int_equal(cut(), PLI_NGON_LARGE);
    assert_true(is_fan());
    comb(PLI_NGON_LIMIT / 4 - 1);
    expect_sound(0);
    spiral(PLI_NGON_LIMIT / 2);
    expect_sound(0);
}

// ---- in files

static void expect_area(const char* extension, const char* text, double area, int line) {
    pli_mesh mesh;
    pli_mesh_summary s;
    pli_error error = {0};
    char place[40];
    pli_mesh_init(&mesh, NULL);
    if (pli_mesh_read(&mesh, scratch_text(extension, text), &error) != PLI_OK)
        fail_msg("%s", error.message);
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    ASSERT_NEAR(s.area, area, 1e-15);
    for (int i = 0; i < mesh.element_count[PLI_TRIANGLE] && line; ++i) {
        pli_mesh_place(&mesh, PLI_TRIANGLE, i, place, sizeof place);
        assert_int_equal(atoi(place + 5), line);
    }
    remove(scratch_text(extension, ""));
    pli_mesh_free(&mesh);
}

static void expect_refused(const char* extension, const char* text, const char* message) {
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_read(&mesh, scratch_text(extension, text), &error), PLI_E_SCENE);
    if (!strstr(error.message, message)) fail_msg("%s", error.message);
    assert_int_equal(mesh.vertex_count + mesh.element_count[PLI_TRIANGLE], 0);
    remove(scratch_text(extension, ""));
    pli_mesh_free(&mesh);
}

#define L_POINTS "2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n0 0 0\n"
#define BOW_POINTS "0 0 0\n1 1 0\n1 0 0\n0 1 0\n"

static void in_files(void** state) {
    (void)state;
    // Vertices may follow.
    expect_area(".obj", "f 1 2 3 4 5 6\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 0\n", 3,
                1);
    expect_area(".off", "OFF\n6 1 0\n" L_POINTS "6 0 1 2 3 4 5\n", 3, 9);
    expect_area(".ply",
                "ply\nformat ascii 1.0\nelement vertex 6\nproperty float x\nproperty float y\n"
                "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                "end_header\n" L_POINTS "6 0 1 2 3 4 5\n",
                3, 16);
    expect_area(".vtk",
                "# vtk DataFile Version 3.0\nL\nASCII\nDATASET POLYDATA\nPOINTS 6 float\n" L_POINTS
                "POLYGONS 1 7\n6 0 1 2 3 4 5\n",
                3, 13);
    expect_area(".msh",
                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 2 1 0\n3 0 2 0\n"
                "4 0.5 1 0\n$EndNodes\n$Elements\n1\n1 3 0 1 2 3 4\n$EndElements\n",
                1.5, 13);
    expect_refused(".off", "OFF\n4 1 0\n" BOW_POINTS "\n4 0 1 2 3\n",
                   ".off:8:1: the face crosses itself, seen along its normal: triangulate it");
    expect_refused(
        ".vtk",
        "# vtk DataFile Version 5.1\nx\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n" BOW_POINTS
        "POLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\nCONNECTIVITY vtktypeint64\n0 1 2 3\n",
        ".vtk: face at vertices 0, 1, 2: the face crosses itself");
}

static void large_in_files(void** state) {
    (void)state;
    static char text[60 * MOST];
    char message[120];
    comb(PLI_NGON_LIMIT / 4);
    int at = snprintf(text, sizeof text, "OFF\n%d 1 0\n", n.count);
    for (int i = 0; i < n.count; ++i)
        at +=
            snprintf(text + at, sizeof text - (size_t)at, "%g %g 0\n", n.x[3 * i], n.x[3 * i + 1]);
    at += snprintf(text + at, sizeof text - (size_t)at, "%d", n.count);
    for (int i = 0; i < n.count; ++i) at += snprintf(text + at, sizeof text - (size_t)at, " %d", i);
    snprintf(message, sizeof message,
             ".off:%d:1: a concave face of %d corners, must have at most %d", n.count + 3, n.count,
             PLI_NGON_LIMIT);
    expect_refused(".off", text, message);
}

static void no_memory(void** state) {
    (void)state;
    for (int fail_at = 1; fail_at <= 3; ++fail_at) {
        pli_test_allocator allocator = {.fail_at = fail_at};
        pli_allocator hook = pli_test_hook(&allocator);
        pli_memory memory;
        pli_memory_init(&memory, &hook);
        pli_ngon_room room = {.memory = &memory};
        pli_error error = {0};
        comb(3);
        make_fan();
        assert_int_equal(pli_ngon_cut(&room, n.x, n.count, n.triangles, &n.answer, &error),
                         PLI_E_MEMORY);
        assert_true(is_fan());
        pli_ngon_room_free(&room);
        assert_int_equal(memory.bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_shapes),
        cmocka_unit_test(convex_ones_keep_their_fan),
        cmocka_unit_test(straight_corners),
        cmocka_unit_test(random_polygons),
        cmocka_unit_test(holes),
        cmocka_unit_test(crossings),
        cmocka_unit_test(flat_ones),
        cmocka_unit_test(any_size),
        cmocka_unit_test(large_ones),
        cmocka_unit_test(in_files),
        cmocka_unit_test(large_in_files),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
