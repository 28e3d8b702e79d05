// Thickness that holds: after every step all parts are farther apart than their thickness, by the
// formulas below, which compare everything with everything; and what is pressed keeps its height.
#include "oracle/near.h"
#include "pliant/pliant.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static pli_error error;

typedef struct text {
    char bytes[200000];
    int used;
} text;

static void put(text* t, const char* format, ...) {
    va_list list;
    va_start(list, format);
    t->used += vsnprintf(t->bytes + t->used, sizeof t->bytes - (size_t)t->used, format, list);
    va_end(list);
    assert_true(t->used < (int)sizeof t->bytes);
}

// ---- distances

static double dot(const double* a, const double* b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void mix(const double* a, const double* b, double t, double out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = a[k] + t * (b[k] - a[k]);
}

static double apart(const double* a, const double* b) {
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static double point_segment(const double* p, const double* a, const double* b) {
    double u[3], w[3], y[3];
    for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], w[k] = p[k] - a[k];
    mix(a, b, fmin(1, fmax(0, dot(u, w) / dot(u, u))), y);
    return apart(p, y);
}

static double point_triangle(const double* p, const double* const* t) {
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k)
        u[k] = t[1][k] - t[0][k], v[k] = t[2][k] - t[0][k], w[k] = p[k] - t[0][k];
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    double r = (vv * dot(u, w) - uv * dot(v, w)) / det, s = (uu * dot(v, w) - uv * dot(u, w)) / det;
    if (r >= 0 && s >= 0 && r + s <= 1) {
        for (int k = 0; k < 3; ++k) w[k] -= r * u[k] + s * v[k];
        return sqrt(dot(w, w));
    }
    return fmin(point_segment(p, t[0], t[1]),
                fmin(point_segment(p, t[1], t[2]), point_segment(p, t[2], t[0])));
}

static double segments(const double* a, const double* b, const double* c, const double* d) {
    double u[3], v[3], w[3], x[3], y[3];
    for (int k = 0; k < 3; ++k) u[k] = b[k] - a[k], v[k] = d[k] - c[k], w[k] = c[k] - a[k];
    double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    double s = (vv * dot(u, w) - uv * dot(v, w)) / det, r = (uv * dot(u, w) - uu * dot(v, w)) / det;
    double ends = fmin(fmin(point_segment(a, c, d), point_segment(b, c, d)),
                       fmin(point_segment(c, a, b), point_segment(d, a, b)));
    if (!(s >= 0 && s <= 1 && r >= 0 && r <= 1)) return ends;
    mix(a, b, s, x);
    mix(c, d, r, y);
    return fmin(ends, apart(x, y));
}

// ---- all parts of a world

enum { MOST = 4000 };
typedef struct part {
    int width, body;
    int v[3];
} part;

typedef struct parts {
    const pli_world* world;
    part list[MOST];
    int count;
} parts;

static void add_part(parts* p, int width, int body, const int* v) {
    part one = {.width = width, .body = body};
    for (int i = 0; i < width; ++i) one.v[i] = v[i];
    if (width == 2 && v[0] > v[1]) one.v[0] = v[1], one.v[1] = v[0];
    for (int i = 0; i < p->count && width == 2; ++i)
        if (p->list[i].width == 2 && memcmp(p->list[i].v, one.v, sizeof one.v) == 0) return;
    assert_true(p->count < MOST);
    p->list[p->count++] = one;
}

// Points, segments, triangles and their edges.
static void list_parts(parts* p, const pli_world* world) {
    bool flat = pli_world_dimension(world) == 2;
    p->world = world;
    p->count = 0;
    for (int b = 0; b < pli_world_body_count(world); ++b) {
        for (int v = pli_world_body_vertex(world, b); v < pli_world_body_vertex(world, b + 1); ++v)
            add_part(p, 1, b, &v);
        for (int e = pli_world_body_element(world, b, PLI_SEGMENT);
             e < pli_world_body_element(world, b + 1, PLI_SEGMENT); ++e)
            add_part(p, 2, b, pli_world_elements(world, PLI_SEGMENT) + 2 * e);
        for (int e = pli_world_body_element(world, b, PLI_TRIANGLE);
             e < pli_world_body_element(world, b + 1, PLI_TRIANGLE); ++e) {
            const int32_t* v = pli_world_elements(world, PLI_TRIANGLE) + 3 * e;
            if (!flat) add_part(p, 3, b, v);
            for (int i = 0; i < 3; ++i) add_part(p, 2, b, (int[2]){v[i], v[(i + 1) % 3]});
        }
    }
}

// Distance of two parts at x; negative: they are not compared.
static double distance(const part* a, const part* b, const double* x) {
    const double *y[3], *z[3];
    for (int i = 0; i < a->width; ++i) y[i] = x + 3 * a->v[i];
    for (int i = 0; i < b->width; ++i) {
        z[i] = x + 3 * b->v[i];
        for (int j = 0; j < a->width; ++j)
            if (y[j] == z[i]) return -1;
    }
    if (a->width == 1 && b->width == 1) return apart(y[0], z[0]);
    if (a->width == 1 && b->width == 2) return point_segment(y[0], z[0], z[1]);
    if (a->width == 1) return point_triangle(y[0], z);
    if (a->width == 2 && b->width == 2) return segments(y[0], y[1], z[0], z[1]);
    return -1;
}

// The rule of docs/SCENES.md. Bodies are connected.
static double needed(const parts* p, const part* a, const part* b) {
    double sum =
        pli_world_body_thickness(p->world, a->body) + pli_world_body_thickness(p->world, b->body);
    if (a->body != b->body || sum == 0) return sum;
    double rest = distance(a, b, pli_world_rest_positions(p->world));
    return fmin(sum, fmax(0, 0.5 * (rest - pli_world_dhat(p->world))));
}

// Returns the smallest distance beyond what is needed.
static double check_parts(const parts* p) {
    const double* x = pli_world_positions(p->world);
    double least = HUGE_VAL;
    for (int i = 0; i < p->count; ++i)
        for (int j = 0; j < p->count; ++j) {
            const part *a = &p->list[i], *b = &p->list[j];
            if (a->width > b->width || (a->width == b->width && i >= j)) continue;
            double d = distance(a, b, x);
            if (d < 0) continue;
            double least_needed = needed(p, a, b);
            if (!(d > least_needed))
                fail_msg("bodies %d, %d, widths %d, %d: %.17g, needed %.17g", a->body, b->body,
                         a->width, b->width, d, least_needed);
            least = fmin(least, d - least_needed);
        }
    return least;
}

static parts all;
static text json; // of the present scene

static pli_scene* open_scene(void) {
    pli_scene_def def = pli_default_scene_def();
    def.path = "text.json";
    def.text = json.bytes;
    def.thread_count = 1;
    pli_scene* scene;
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            fail_msg("%s", pli_scene_finding(scene, i)->message);
    return scene;
}

// Steps, verifies and compares; returns the smallest gap of all steps.
static double run(pli_world* world, int steps, void (*each)(const pli_world*)) {
    double least = HUGE_VAL;
    list_parts(&all, world);
    for (int i = 0; i < steps; ++i) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        if (!info.kept) fail_msg("step %d: %s", i, pli_reason_text(info.reason));
        ASSERT_OK(pli_world_verify(world, &error));
        least = fmin(least, check_parts(&all));
        if (each) each(world);
    }
    return least;
}

// ---- sheets

// n x n cells in the plane y = 0.
static void put_sheet(text* t, const char* name, int n, double size, double thickness,
                      double height) {
    put(t,
        "{\"name\": \"%s\", \"vertex_mass\": 0.001, \"mass_damping\": 2, \"contact_thickness\": "
        "%.17g, "
        "\"energies\": [{\"type\": \"hooke\", \"stiffness\": 100}, {\"type\": \"hinge\", "
        "\"stiffness\": "
        "1e-5}], \"translate\": [0, %.17g, 0], \"mesh\": {\"type\": \"data\", \"vertices\": [",
        name, thickness, height);
    for (int i = 0; i < (n + 1) * (n + 1); ++i)
        put(t, "%s[%.17g, 0, %.17g]", i ? ", " : "", size * (i % (n + 1) / (double)n - 0.5),
            size * (i / (n + 1) / (double)n - 0.5));
    text triangles = {.used = 0}, edges = {.used = 0};
    for (int i = 0; i < n * n; ++i) {
        int a = i / n * (n + 1) + i % n, b = a + 1, c = b + n + 1, d = a + n + 1;
        bool turned = (i / n + i % n) % 2;
        put(&triangles, "%s[%d, %d, %d], [%d, %d, %d]", i ? ", " : "", a, turned ? c : d, b,
            turned ? a : b, d, c);
        put(&edges, "%s[%d, %d], [%d, %d], [%d, %d]", i ? ", " : "", a, b, a, d, turned ? a : b,
            turned ? c : d);
        if (i % n == n - 1) put(&edges, ", [%d, %d]", b, c);
        if (i / n == n - 1) put(&edges, ", [%d, %d]", d, c);
    }
    put(t, "], \"segments\": [%s], \"triangles\": [%s]}}", edges.bytes, triangles.bytes);
}

enum { SHEETS = 5, CELLS = 4 };
static const double radius = 0.004;

// Sheets between the ground and the top: inner vertices of the top one have all others below.
static void check_height(const pli_world* world) {
    const double* x = pli_world_positions(world);
    int first = pli_world_body_vertex(world, SHEETS - 1);
    for (int i = 0; i < (CELLS + 1) * (CELLS + 1); ++i) {
        bool inner = i % (CELLS + 1) % CELLS != 0 && i / (CELLS + 1) % CELLS != 0;
        if (inner) assert_true(x[3 * (first + i) + 1] > (2 * SHEETS - 1) * radius);
    }
}

static void a_stack_keeps_its_height(void** state) {
    (void)state;
    json.used = 0;
    put(&json,
        "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"gravity\": [0, -9.81, 0], \"contact\": "
        "{\"dhat\": "
        "0.001, \"friction\": 0.2}, \"obstacles\": [{\"type\": \"half-space\"}], \"bodies\": [");
    for (int i = 0; i < SHEETS; ++i) {
        char name[20];
        snprintf(name, sizeof name, "sheet %d", i);
        put_sheet(&json, name, CELLS, 0.2, radius, radius + 0.0015 + i * (2 * radius + 0.0015));
        put(&json, ", ");
    }
    // a ball: a point with thickness, of 5 kg
    put(&json, "{\"name\": \"ball\", \"vertex_mass\": 5, \"contact_thickness\": 0.05, \"mesh\": "
               "{\"type\": "
               "\"point\"}, \"translate\": [0.01, 0.11, 0.02], \"velocity\": [0, -3, 0]}]}");
    pli_scene* scene = open_scene();
    double least = run(pli_scene_world(scene), 25, check_height);
    assert_true(least < 0.0005); // it was pressed
    pli_scene_destroy(scene);
}

// A sheet is wrapped around a thin rod by a large force, with a thickness from a hundredth of its
// edges to five times as much: its halves meet below the rod.
static void a_sheet_folds(void** state) {
    (void)state;
    static const double ratios[] = {0.01, 0.1, 0.3, 1, 2, 5};
    for (size_t i = 0; i < sizeof ratios / sizeof *ratios; ++i) {
        double edge = 0.05, r = ratios[i] * edge;
        json.used = 0;
        put(&json, "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"gravity\": [0, -40, 0], "
                   "\"contact\": {\"dhat\": "
                   "0.002, \"friction\": 0.1}, \"obstacles\": [{\"type\": \"capsule\", \"from\": "
                   "[0.003, 0, "
                   "-0.5], \"to\": [0.003, 0, 0.5], \"radius\": 0.01}], \"bodies\": [");
        put_sheet(&json, "sheet", 8, 8 * edge, r, 0.01 + r + 0.003);
        put(&json, "]}");
        pli_scene* scene = open_scene();
        double start = check_parts((list_parts(&all, pli_scene_world(scene)), &all));
        assert_true(start > 0.002); // nothing touches at rest
        double least = run(pli_scene_world(scene), 25, NULL);
        assert_true(least < 0.002);
        pli_scene_destroy(scene);
    }
}

// ---- threads

// The second thread was above the first, which is held along the x axis: where it crosses the plane
// z = 0 it still is.
static void check_above(const pli_world* world) {
    const double* x = pli_world_positions(world) + 3 * pli_world_body_vertex(world, 1);
    int crossings = 0;
    for (int i = 0; i < 20; ++i, x += 3) {
        if ((x[2] < 0) == (x[5] < 0)) continue;
        double y[3];
        mix(x, x + 3, x[2] / (x[2] - x[5]), y);
        crossings++;
        assert_true(fabs(y[0]) < 1 && y[1] > 2 * pli_world_body_thickness(world, 0));
    }
    assert_true(crossings > 0);
}

static void threads_cross_at_speed(void** state) {
    (void)state;
    static const char form[] =
        "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"contact\": {\"dhat\": 0.001}, "
        "\"bodies\": [{\"name\": "
        "\"held\", \"vertex_mass\": 0.01, \"contact_thickness\": %.17g, \"fix\": [{\"where\": "
        "\"1\"}], \"energies\": "
        "[{\"type\": \"hooke\", \"stiffness\": 1000}], \"mesh\": {\"type\": \"line\", \"from\": "
        "[-1, 0, 0], "
        "\"to\": [1, 0, 0], \"segments\": 20}}, {\"name\": \"thrown\", \"vertex_mass\": 0.01, "
        "\"contact_thickness\": %.17g, \"velocity\": [0, %.17g, 0], \"energies\": [{\"type\": "
        "\"hooke\", "
        "\"stiffness\": 1000}], \"mesh\": {\"type\": \"line\", \"from\": [%.17g, 0.5, -1], \"to\": "
        "[%.17g, 0.5, "
        "1], \"segments\": 20}}]}";
    // Fast and thin ones take thousands of directions, with or without thickness.
    static const double thickness[] = {0.001, 0.02, 0.2}, speeds[] = {-20, -300, -300};
    for (int i = 0; i < 9; ++i) {
        double r = thickness[i % 3], x = i / 3 == 0 ? 0 : 0.037,
               speed = i / 3 == 2 ? speeds[i % 3] : -20;
        json.used = 0;
        put(&json, form, r, r, speed, x, x);
        pli_scene* scene = open_scene();
        run(pli_scene_world(scene), 6, check_above);
        pli_scene_destroy(scene);
    }
}

// ---- the plane

static double room; // half of the side of a box that everything is in

static void check_in_box(const pli_world* world) {
    const double* x = pli_world_positions(world);
    for (int v = 0; v < pli_world_vertex_count(world); ++v)
        assert_true(fabs(x[3 * v]) <= room && fabs(x[3 * v + 1]) <= room);
}

// A thread, points, a block and a ball fly about in a box of four segments, with and without
// thickness and friction.
static void a_box_in_the_plane(void** state) {
    (void)state;
    static const char form[] =
        "{\"time\": {\"step\": 0.01}, \"contact\": {\"dhat\": 0.005, \"friction\": %g}, "
        "\"obstacles\": [{\"type\": "
        "\"sphere\", \"center\": [0.1, -0.2], \"radius\": 0.1}, {\"type\": \"mesh\", "
        "\"thickness\": %.17g, "
        "\"mesh\": {\"type\": \"data\", \"vertices\": [[-1, -1], [1, -1], [1, 1], [-1, 1]], "
        "\"segments\": [[0, 1], "
        "[1, 2], [2, 3], [3, 0]]}}], \"bodies\": [{\"name\": \"block\", \"velocity\": [%g, -5], "
        "\"density\": 100, "
        "\"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.3}], "
        "\"translate\": [-0.5, "
        "0.5], \"mesh\": {\"type\": \"rectangle\", \"size\": [0.3, 0.3], \"segments\": [2, 2]}}, "
        "{\"name\": "
        "\"thread\", \"velocity\": [-10, %g], \"vertex_mass\": 0.1, \"contact_thickness\": %.17g, "
        "\"energies\": "
        "[{\"type\": \"hooke\", \"stiffness\": 1000}], \"mesh\": {\"type\": \"line\", \"from\": "
        "[-0.4, 0.1], "
        "\"to\": [0.7, 0.2], \"segments\": 12}}, {\"name\": \"point\", \"vertex_mass\": 0.5, "
        "\"contact_thickness\": %.17g, \"velocity\": [7, -%g], \"mesh\": {\"type\": \"point\"}, "
        "\"translate\": "
        "[-0.3, -0.6], \"repeat\": {\"count\": [3, 2], \"spacing\": [0.35, 0.22]}}]}";
    for (int i = 0; i < 6; ++i) {
        double r = i % 3 == 0   ? 0
                   : i % 3 == 1 ? 0.01
                                : 0.06,
               friction = i / 3 * 0.4, speed = 10 + 15 * (i % 2);
        json.used = 0;
        put(&json, form, friction, 0.5 * r, speed, speed, r, r, speed);
        pli_scene* scene = open_scene();
        room = 1;
        double least = run(pli_scene_world(scene), 20, check_in_box);
        assert_true(least < 0.005);
        pli_scene_destroy(scene);
    }
}

// A point with friction on a thread that is held: it stops after v^2 / (2 mu g), as on a
// half-space.
static void friction_in_the_plane(void** state) {
    (void)state;
    static const char form[] = "{\"time\": {\"step\": 0.002}, \"gravity\": [0, -10], \"contact\": "
                               "{\"dhat\": 0.001, \"friction\": 0.5, "
                               "\"friction_speed\": 1e-3}, \"bodies\": [{\"name\": \"rail\", "
                               "\"vertex_mass\": 1, \"contact_thickness\": "
                               "%g, \"fix\": [{\"where\": \"1\"}], \"energies\": [{\"type\": "
                               "\"hooke\"}], \"mesh\": {\"type\": \"line\", "
                               "\"from\": [-1, 0], \"to\": [2, 0], \"segments\": 1}}, {\"name\": "
                               "\"point\", \"vertex_mass\": 1, "
                               "\"contact_thickness\": %g, \"velocity\": [1, 0], \"mesh\": "
                               "{\"type\": \"point\"}, \"translate\": [0, "
                               "%.17g]}]}";
    for (int i = 0; i < 2; ++i) {
        double r = 0.05 * i;
        json.used = 0;
        put(&json, form, r, r, 2 * r + 0.0009);
        pli_scene* scene = open_scene();
        pli_world* world = pli_scene_world(scene);
        run(world, 20, NULL); // it settles on the rail
        size_t at = 3 * (size_t)pli_world_body_vertex(world, 1);
        double start = pli_world_positions(world)[at], v = pli_world_velocities(world)[at];
        assert_true(v > 0.5);
        run(world, 130, NULL);
        double way = pli_world_positions(world)[at] - start;
        ASSERT_NEAR(way, v * v / 10, 0.002 * v); // the way of a step
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stack_keeps_its_height), cmocka_unit_test(a_sheet_folds),
        cmocka_unit_test(threads_cross_at_speed),   cmocka_unit_test(a_box_in_the_plane),
        cmocka_unit_test(friction_in_the_plane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
