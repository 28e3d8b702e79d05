// Filling closed surfaces with tetrahedra: the bounds on angles that are proven for isosurface
// stuffing, volumes, topology, gaps, groups, and what is refused.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mesh/measure.h"
#include "mesh/skin.h"
#include "oracle/allocator.h"
#include "oracle/near.h"
#include "pliant/mesh.h"

// The bounds of the paper [degrees]; it rounds them.
static const double smallest = 10.7 - 0.05, largest = 164.8 + 0.05;

typedef void make_fn(pli_mesh* solid);

static void make_ball(pli_mesh* solid) {
    pli_error error = {0};
    ASSERT_OK(pli_mesh_add_ball(solid, 1, 8, &error));
}

static void make_box(pli_mesh* solid) {
    pli_error error = {0};
    ASSERT_OK(pli_mesh_add_box(solid, (double[3]){1, 0.7, 0.5}, (int[3]){3, 2, 2}, &error));
}

static void make_torus(pli_mesh* solid) {
    pli_error error = {0};
    ASSERT_OK(pli_mesh_add_torus(solid, 1, 0.35, 4, 40, &error));
}

static void make_cone(pli_mesh* solid) {
    pli_error error = {0};
    ASSERT_OK(pli_mesh_add_cone(solid, 0.5, 1.2, 4, 10, &error));
}

// Far from flat and not aligned with anything.
static void make_wavy(pli_mesh* solid) {
    make_ball(solid);
    for (int v = 0; v < solid->vertex_count; ++v) {
        double* x = solid->positions + 3 * v;
        double f = 1 + 0.3 * sin(5 * x[0]) * sin(6 * x[1] + 1) * cos(4 * x[2]);
        for (int k = 0; k < 3; ++k) x[k] *= f;
        double y = x[1];
        x[1] = 0.8 * y - 0.6 * x[2];
        x[2] = 0.6 * y + 0.8 * x[2] + 0.2 * x[0];
    }
}

// Adds the boundary of a solid as triangles; `turned`: they look inward.
static void add_surface(pli_mesh* surface, const pli_mesh* solid, const double shift[3],
                        double scale, bool turned) {
    pli_memory memory;
    pli_elements all = pli_elements_of(solid);
    pli_skin skin = {0};
    pli_error error = {0};
    pli_memory_init(&memory, NULL);
    ASSERT_OK(pli_skin_create(&memory, &all, 3, false, &skin, &error));
    int first = surface->vertex_count;
    for (int v = 0; v < solid->vertex_count; ++v) {
        double x[3];
        for (int k = 0; k < 3; ++k) x[k] = shift[k] + scale * solid->positions[3 * v + k];
        ASSERT_OK(pli_mesh_add_vertices(surface, 1, x, NULL, &error));
    }
    for (int t = 0; t < skin.count[0]; ++t) {
        const int32_t* v = skin.faces[0] + 3 * t;
        const int32_t c[3] = {first + v[0], first + v[turned ? 2 : 1], first + v[turned ? 1 : 2]};
        ASSERT_OK(pli_mesh_add_elements(surface, PLI_TRIANGLE, 1, c, &error));
    }
    pli_skin_free(&skin);
}

static void make_surface(pli_mesh* surface, make_fn* make) {
    pli_mesh solid;
    pli_mesh_init(&solid, NULL);
    pli_mesh_init(surface, NULL);
    make(&solid);
    add_surface(surface, &solid, (double[3]){0}, 1, false);
    pli_mesh_free(&solid);
}

static void no_grave_defect(void* context, bool grave, const char* message) {
    (void)context;
    if (grave) fail_msg("%s", message);
}

// Fills, checks what always holds, and gives the summary.
static pli_mesh_summary fill(const char* name, const pli_mesh* surface, double size,
                             pli_mesh* mesh) {
    pli_mesh_summary s;
    pli_error error = {0};
    double used = 0;
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(pli_mesh_fill(mesh, surface, size, &used, &error));
    ASSERT_OK(pli_mesh_summarize(mesh, &s, &error));
    ASSERT_OK(pli_mesh_find_defects(mesh, 3, no_grave_defect, NULL, &error));
    print_message("    %-8s size %-7.4g %7d tetrahedra, angles %.2f to %.2f, volume %.5g\n", name,
                  used, mesh->element_count[PLI_TETRAHEDRON], s.smallest_angle, s.largest_angle,
                  s.volume);
    assert_true(size == 0 || used == size);
    assert_true(s.smallest_angle > smallest && s.largest_angle < largest);
    assert_int_equal(s.unreferenced_count, 0);
    assert_int_equal(s.crowded_faces + s.overlapped_faces + s.open_edges + s.turned_edges, 0);
    return s;
}

static void shapes_of_all_sizes(void** state) {
    (void)state;
    static const struct {
        const char* name;
        make_fn* make;
        int handles;
    } shapes[] = {{"ball", make_ball, 0},
                  {"box", make_box, 0},
                  {"torus", make_torus, 1},
                  {"cone", make_cone, 0},
                  {"wavy", make_wavy, 0}};
    static const double sizes[] = {0.3, 0.2, 0.13, 0.1, 0.0501};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
        pli_mesh surface;
        pli_mesh_summary whole;
        pli_error error = {0};
        make_surface(&surface, shapes[i].make);
        ASSERT_OK(pli_mesh_summarize(&surface, &whole, &error));
        double before = HUGE_VAL;
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
            pli_mesh mesh;
            pli_mesh_summary s = fill(shapes[i].name, &surface, sizes[k], &mesh);
            double off = fabs(s.volume / whole.enclosed - 1);
            assert_true(s.volume < 1.001 * whole.enclosed); // chords of the surface at most
            assert_true(off < 0.25); // three tetrahedra across a box: its edges are cut off
            if (k == 4) {
                assert_true(off < 0.025 && off < before);
                assert_int_equal(s.component_count, 1);
                assert_int_equal(s.pinched_vertices, 0);
                assert_int_equal(s.euler, 2 - 2 * shapes[i].handles);
            }
            if (k == 0) before = off;
            pli_mesh_free(&mesh);
        }
        pli_mesh_free(&surface);
    }
}

// ---- hard cases

// Rotates about an axis that is no lattice direction.
static void turn(pli_mesh* surface, double angle) {
    const double axis[3] = {0.36, 0.48, 0.8}, c = cos(angle), s = sin(angle);
    for (int v = 0; v < surface->vertex_count; ++v) {
        double *x = surface->positions + 3 * v, along = 0, y[3];
        for (int k = 0; k < 3; ++k) along += axis[k] * x[k];
        for (int k = 0; k < 3; ++k) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            y[k] = c * x[k] + s * (axis[a] * x[b] - axis[b] * x[a]) + (1 - c) * along * axis[k];
        }
        memcpy(x, y, sizeof y);
    }
}

// Flat sides and edges at all angles to the lattice, at sizes at which the box is thin: many
// hundred thousand cuts of all stencils.
static void bounds_at_all_angles(void** state) {
    (void)state;
    double low = 180, high = 0;
    for (int i = 0; i < 60; ++i) {
        pli_mesh surface, mesh;
        pli_mesh_summary s;
        pli_error error = {0};
        make_surface(&surface, make_box);
        turn(&surface, 0.11 * i);
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_fill(&mesh, &surface, 0.05 + 0.003 * i, NULL, &error));
        ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
        low = fmin(low, s.smallest_angle);
        high = fmax(high, s.largest_angle);
        pli_mesh_free(&mesh);
        pli_mesh_free(&surface);
    }
    print_message("    turned boxes: angles %.3f to %.3f\n", low, high);
    assert_true(low > smallest && high < largest);
}

// Spikes and folds much finer than the lattice: neighbouring edges are cut anywhere.
static void bounds_in_noise(void** state) {
    (void)state;
    uint32_t random = 12345;
    double low = 180, high = 0;
    for (int i = 0; i < 12; ++i) {
        pli_mesh surface, mesh;
        pli_mesh_summary s;
        pli_error error = {0};
        make_surface(&surface, make_ball);
        for (int v = 0; v < surface.vertex_count; ++v) {
            random = 1664525 * random + 1013904223;
            double f = 0.6 + 0.8 * (random >> 8) / 16777216.0;
            for (int k = 0; k < 3; ++k) surface.positions[3 * v + k] *= f;
        }
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_fill(&mesh, &surface, 0.06 + 0.01 * i, NULL, &error));
        ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
        low = fmin(low, s.smallest_angle);
        high = fmax(high, s.largest_angle);
        pli_mesh_free(&mesh);
        pli_mesh_free(&surface);
    }
    print_message("    noise: angles %.3f to %.3f\n", low, high);
    assert_true(low > smallest && high < largest);
}

// Sides that lie exactly on lattice planes, and rays through edges and vertices.
static void aligned_with_the_lattice(void** state) {
    (void)state;
    static const double sizes[] = {1, 0.5, 0.25, 0.125, 0.0625};
    for (int i = 0; i < 5; ++i) {
        pli_mesh solid, surface, mesh;
        pli_error error = {0};
        pli_mesh_init(&solid, NULL);
        pli_mesh_init(&surface, NULL);
        ASSERT_OK(pli_mesh_add_box(&solid, (double[3]){1, 1, 1}, (int[3]){4, 4, 4}, &error));
        add_surface(&surface, &solid, (double[3]){0}, 1, false);
        pli_mesh_summary s = fill("cube", &surface, sizes[i], &mesh);
        assert_true(s.volume <= 1 + 1e-12 && s.volume > (i < 2 ? 0.1 : 0.8));
        for (int k = 0; k < 3; ++k) assert_true(s.low[k] >= -0.5 && s.high[k] <= 0.5);
        pli_mesh_free(&mesh);
        pli_mesh_free(&surface);
        pli_mesh_free(&solid);
    }
}

// Two balls side by side, a ball in a ball as a cavity, two that overlap.
static void several_shells(void** state) {
    (void)state;
    static const struct {
        const char* name;
        double shift, scale;
        bool turned;
        int components;
        double volume;
    } rows[] = {
        {"apart", 3, 1, false, 2, 2},
        {"cavity", 0, 0.5, true, 1, 1 - 0.125},
        // the union of two balls: 2 - 5/16 for a distance of one radius
        {"overlap", 1, 1, false, 1, 2 - 0.3125},
        {"nested", 0, 0.5, false, 1, 1},
    };
    pli_mesh solid;
    pli_mesh_init(&solid, NULL);
    make_ball(&solid);
    pli_mesh_summary ball;
    pli_error error = {0};
    ASSERT_OK(pli_mesh_summarize(&solid, &ball, &error));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_mesh surface, mesh;
        pli_mesh_init(&surface, NULL);
        add_surface(&surface, &solid, (double[3]){0}, 1, false);
        add_surface(&surface, &solid, (double[3]){rows[i].shift}, rows[i].scale, rows[i].turned);
        pli_mesh_summary s = fill(rows[i].name, &surface, 0.1, &mesh);
        assert_int_equal(s.component_count, rows[i].components);
        ASSERT_NEAR(s.volume / ball.volume, rows[i].volume, 0.01 * rows[i].volume); // the lattice
        pli_mesh_free(&mesh);
        pli_mesh_free(&surface);
    }
    pli_mesh_free(&solid);
}

// Triangles that look to all sides: every second one is turned over.
static void mixed_orientation(void** state) {
    (void)state;
    pli_mesh surface, mesh;
    make_surface(&surface, make_torus);
    for (int t = 0; t < surface.element_count[PLI_TRIANGLE]; t += 2) {
        int32_t *v = surface.elements[PLI_TRIANGLE] + 3 * t, other = v[1];
        v[1] = v[2];
        v[2] = other;
    }
    pli_mesh_summary s = fill("mixed", &surface, 0.1, &mesh);
    assert_int_equal(s.euler, 0);
    pli_mesh_free(&mesh);
    pli_mesh_free(&surface);
}

// A few triangles are missing, and vertices are torn apart a little.
static void small_gaps(void** state) {
    (void)state;
    pli_mesh surface, mesh;
    pli_mesh_summary whole, s;
    pli_error error = {0};
    make_surface(&surface, make_ball);
    ASSERT_OK(pli_mesh_summarize(&surface, &whole, &error));
    int count = surface.element_count[PLI_TRIANGLE];
    surface.element_count[PLI_TRIANGLE] = count - 3;
    for (int t = 0; t < count - 3; t += 5) { // own corners, off by less than a hundredth
        int first;
        double x[9];
        int32_t* v = surface.elements[PLI_TRIANGLE] + 3 * t;
        for (int i = 0; i < 9; ++i)
            x[i] = (1 + 0.005 * (i % 2)) * surface.positions[3 * v[i / 3] + i % 3];
        ASSERT_OK(pli_mesh_add_vertices(&surface, 3, x, &first, &error));
        v = surface.elements[PLI_TRIANGLE] + 3 * t;
        for (int i = 0; i < 3; ++i) v[i] = first + i;
    }
    s = fill("gaps", &surface, 0.12, &mesh);
    assert_int_equal(s.component_count, 1);
    assert_int_equal(s.euler, 2);
    ASSERT_NEAR(s.volume, whole.enclosed, 0.02 * whole.enclosed);
    pli_mesh_free(&mesh);
    pli_mesh_free(&surface);
}

// A plate a fiftieth as thick as it is wide: the chosen size finds it, a coarse one
// fills a part of it.
static void thin_plate(void** state) {
    (void)state;
    pli_mesh solid, surface, mesh;
    pli_error error = {0};
    pli_mesh_init(&solid, NULL);
    pli_mesh_init(&surface, NULL);
    ASSERT_OK(pli_mesh_add_box(&solid, (double[3]){1, 1, 0.02}, (int[3]){2, 2, 1}, &error));
    add_surface(&surface, &solid, (double[3]){0}, 1, false);
    turn(&surface, 0.4);
    pli_mesh_summary s = fill("plate", &surface, 0, &mesh);
    assert_true(s.volume > 0.9 * 0.02 && s.component_count == 1);
    pli_mesh_free(&mesh);
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_fill(&mesh, &surface, 0.025, NULL, &error)); // crumbs, but valid ones
    ASSERT_OK(pli_mesh_summarize(&mesh, &s, &error));
    assert_true(s.smallest_angle > smallest && s.largest_angle < largest);
    pli_mesh_free(&mesh);
    pli_mesh_free(&surface);
    pli_mesh_free(&solid);
}

// ---- what is refused

static void assert_refused(const pli_mesh* surface, double size, const char* part) {
    pli_mesh mesh;
    pli_error error = {0};
    pli_mesh_init(&mesh, NULL);
    assert_int_equal(pli_mesh_fill(&mesh, surface, size, NULL, &error), PLI_E_ARGUMENT);
    if (!strstr(error.message, part)) fail_msg("\"%s\" has no \"%s\"", error.message, part);
    assert_int_equal(mesh.vertex_count, 0);
    pli_mesh_free(&mesh);
}

static void refusals(void** state) {
    (void)state;
    pli_mesh surface, sheet;
    pli_error error = {0};
    make_surface(&surface, make_ball);
    assert_refused(&surface, -1, "must be > 0");
    assert_refused(&surface, NAN, "must be > 0");
    assert_refused(&surface, 1e-9, "too small");
    assert_refused(&surface, 1e9, "smaller size");
    surface.element_count[PLI_TRIANGLE] /= 2;
    assert_refused(&surface, 0.1, "open");
    surface.element_count[PLI_TRIANGLE] = 0;
    assert_refused(&surface, 0.1, "no triangles");
    pli_mesh_free(&surface);
    pli_mesh_init(&sheet, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&sheet, 1, 1, 4, 4, PLI_TRIANGLES, &error));
    assert_refused(&sheet, 0.1, "open");
    pli_mesh_free(&sheet);
}

// A group of the surface goes along where its triangles are; all that lies on it is "surface".
static void groups(void** state) {
    (void)state;
    pli_mesh surface, mesh;
    pli_error error = {0};
    int32_t chosen[1000];
    int count = 0;
    make_surface(&surface, make_box);
    for (int v = 0; v < surface.vertex_count; ++v)
        if (surface.positions[3 * v] > 0.49) chosen[count++] = v;
    ASSERT_OK(pli_mesh_add_group(&surface, "end", 7, 2, count, chosen, &error));
    fill("box", &surface, 0.1, &mesh);
    int end = pli_mesh_find_group(&mesh, "end"), all = pli_mesh_find_group(&mesh, "surface");
    assert_true(end >= 0 && all >= 0);
    assert_int_equal(mesh.groups[end].tag, 7);
    assert_true(mesh.groups[end].vertex_count > 20);
    assert_true(mesh.groups[all].vertex_count > 3 * mesh.groups[end].vertex_count);
    for (int i = 0; i < mesh.groups[end].vertex_count; ++i)
        ASSERT_NEAR(mesh.positions[3 * mesh.groups[end].vertices[i]], 0.5, 1e-12); // of a cut
    pli_mesh_free(&mesh);
    pli_mesh_free(&surface);
}

static void out_of_memory(void** state) {
    (void)state;
    pli_mesh surface;
    pli_error error = {0};
    make_surface(&surface, make_box);
    for (int fail_at = 1, failed = 1; failed; ++fail_at) {
        pli_test_allocator counter = {.fail_at = fail_at};
        pli_allocator hook = pli_test_hook(&counter);
        pli_mesh mesh;
        pli_mesh_init(&mesh, &hook);
        pli_status status = pli_mesh_fill(&mesh, &surface, 0.25, NULL, &error);
        failed = status != PLI_OK;
        if (failed) {
            assert_int_equal(status, PLI_E_MEMORY);
            assert_int_equal(mesh.vertex_count + mesh.element_count[PLI_TETRAHEDRON], 0);
        }
        pli_mesh_free(&mesh);
        assert_true(counter.bytes == 0 && !counter.wrong_size);
    }
    pli_mesh_free(&surface);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_at_all_angles),
        cmocka_unit_test(bounds_in_noise),
        cmocka_unit_test(aligned_with_the_lattice),
        cmocka_unit_test(several_shells),
        cmocka_unit_test(mixed_orientation),
        cmocka_unit_test(small_gaps),
        cmocka_unit_test(thin_plate),
        cmocka_unit_test(refusals),
        cmocka_unit_test(groups),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(shapes_of_all_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
