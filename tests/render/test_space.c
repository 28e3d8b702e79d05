// Pictures of scenes in space: camera, what is seen and in which order, merged faces, ground.
#include "result/fixture.h"

#include "oracle/allocator.h"
#include "result/xml_check.h"

#include "pliant/mesh.h"
#include "render/preview.h"
#include "render/strip.h"

#include <math.h>

// ---- a scene of one mesh

typedef struct scene {
    pli_memory memory;
    pli_mesh mesh;
    int32_t* bodies;
    pli_snapshot snapshot;
} scene;

static void begin_scene(scene* s) {
    memset(s, 0, sizeof *s);
    pli_memory_init(&s->memory, NULL);
    pli_mesh_init(&s->mesh, NULL);
}

// The snapshot of the mesh at rest, all of body 0.
static void fill_scene(scene* s) {
    static const char* const names[] = {"thing", "other"};
    s->bodies = calloc((size_t)s->mesh.vertex_count, sizeof *s->bodies);
    assert_non_null(s->bodies);
    s->snapshot = (pli_snapshot){.dimension = 3,
                                 .vertex_count = s->mesh.vertex_count,
                                 .positions = s->mesh.positions,
                                 .rest = s->mesh.positions,
                                 .vertex_body = s->bodies,
                                 .body_count = 2,
                                 .body_names = names,
                                 .gravity = {0, -9.81, 0}};
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        s->snapshot.element_count[kind] = s->mesh.element_count[kind];
        s->snapshot.elements[kind] = s->mesh.elements[kind];
    }
}

static void end_scene(scene* s) {
    pli_mesh_free(&s->mesh);
    free(s->bodies);
    assert_int_equal(s->memory.bytes, 0);
}

// A box of n cells each way, of side 1 around the origin.
static void box_scene(scene* s, int n) {
    begin_scene(s);
    assert_int_equal(
        pli_mesh_add_box(&s->mesh, (const double[3]){1, 1, 1}, (const int[3]){n, n, n}, NULL),
        PLI_OK);
    fill_scene(s);
}

// What the camera sees of the vertices; freed by the caller.
static float* see(const scene* s, pli_canvas* canvas) {
    pli_camera camera = pli_camera_for(3, s->snapshot.gravity);
    float* points = malloc(3 * (size_t)s->mesh.vertex_count * sizeof *points);
    assert_non_null(points);
    for (int v = 0; v < s->mesh.vertex_count; ++v) {
        double seen[3];
        pli_camera_see(&camera, s->snapshot.positions + 3 * v, seen);
        for (int k = 0; k < 3; ++k) points[3 * v + k] = (float)seen[k];
    }
    *canvas = (pli_canvas){.snapshot = &s->snapshot, .dim = 3, .points = points, .scale = 100};
    return points;
}

static char* draw(scene* s, int frames, size_t* size) {
    test_folder folder = make_test_folder();
    pli_error error = {0};
    pli_preview preview;
    pli_preview_init(&preview, &s->memory, &s->snapshot, frames);
    for (int i = 0; i < frames; ++i) {
        s->snapshot.time = i;
        assert_int_equal(pli_preview_add_picture(&preview, &s->snapshot, &error), PLI_OK);
    }
    assert_int_equal(pli_preview_write(&preview, &s->snapshot, "Space", folder.path, &error),
                     PLI_OK);
    pli_preview_free(&preview);
    char* text = read_whole(&folder, "preview.svg", size);
    remove_test_folder(&folder);
    assert_true(is_well_formed(text));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    return text;
}

static int count_of(const char* text, const char* part) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

// ---- camera

static void camera_is_upright(void** state) {
    (void)state;
    static const double gravities[5][3] = {
        {0, -9.81, 0}, {0, 0, -9.81}, {-1, 0, 0}, {0, 0, 0}, {1, -2, 3}};
    for (int i = 0; i < 5; ++i) {
        pli_camera camera = pli_camera_for(3, gravities[i]);
        double up[3],
            g = sqrt(pow(gravities[i][0], 2) + pow(gravities[i][1], 2) + pow(gravities[i][2], 2));
        for (int k = 0; k < 3; ++k) up[k] = g > 0 ? -gravities[i][k] / g : k == 1;
        double seen[3];
        pli_camera_see(&camera, up, seen);
        // Straight up on the page and, from above, towards the viewer; roundings.
        assert_true(fabs(seen[0]) < 1e-14 && seen[1] > 0.9 && seen[2] > 0.3);
        for (int k = 0; k < 3; ++k) assert_true(seen[k] == camera.up[k]);
        for (int a = 0; a < 3; ++a)
            for (int b = 0; b < 3; ++b) {
                double dot = 0;
                for (int k = 0; k < 3; ++k) dot += camera.axes[a][k] * camera.axes[b][k];
                assert_true(fabs(dot - (a == b)) < 1e-14);
            }
        double(*A)[3] = camera.axes;
        double det = A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) -
                     A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
                     A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
        assert_true(fabs(det - 1) < 1e-14);
    }
    pli_camera y_up = pli_camera_for(3, gravities[0]), z_up = pli_camera_for(3, gravities[1]);
    assert_true(y_up.axes[0][0] > 0.8 && y_up.axes[2][2] > 0.8);  // x to the right, z to the viewer
    assert_true(z_up.axes[0][0] > 0.8 && z_up.axes[2][1] < -0.8); // y into the page
    pli_camera plane = pli_camera_for(2, gravities[4]);
    for (int i = 0; i < 9; ++i) assert_true(plane.axes[i / 3][i % 3] == (i % 4 == 0));
}

// ---- what is seen

// Of a cube the sides +x, +y and +z, with all their faces, and nothing of the others.
static void cube_shows_three_sides(void** state) {
    (void)state;
    for (int n = 1; n <= 3; ++n) {
        scene s;
        box_scene(&s, n);
        pli_canvas canvas;
        float* points = see(&s, &canvas);
        pli_space space;
        assert_int_equal(pli_space_init(&space, &s.memory, &s.snapshot, 100000, NULL), PLI_OK);
        assert_int_equal(space.relief.triangle_count, 12 * n * n);
        pli_space_sort(&space, &canvas);
        assert_int_equal(space.item_count, 6 * n * n);
        int sides[3] = {0};
        for (int i = 0; i < space.item_count; ++i) {
            assert_int_equal(space.items[i].kind, PLI_TRIANGLE);
            const int32_t* v = space.relief.triangles + 3 * space.items[i].index;
            for (int k = 0; k < 3; ++k) {
                bool on = true;
                for (int c = 0; c < 3; ++c)
                    on = on && fabs(s.mesh.positions[3 * v[c] + k] - 0.5) < 1e-12;
                sides[k] += on;
            }
            assert_int_equal(space.items[i].after, -1); // none covers another one
        }
        for (int k = 0; k < 3; ++k) assert_int_equal(sides[k], 2 * n * n);
        pli_space_free(&space);
        free(points);
        end_scene(&s);
    }
}

// The twelve edges of a cube, each at two faces, and no diagonal.
static void edges_of_a_cube_are_sharp(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 1);
    pli_relief relief;
    assert_int_equal(pli_relief_init(&relief, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
    int sharp = 0;
    for (int t = 0; t < relief.triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t beyond = relief.neighbours[3 * t + k];
            assert_true(beyond >= 0 && beyond < relief.triangle_count && beyond != t);
            const int32_t* v = relief.triangles + 3 * t;
            const double *a = s.mesh.positions + 3 * v[k],
                         *b = s.mesh.positions + 3 * v[(k + 1) % 3];
            double length = sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
            bool crease = relief.flags[t] & PLI_RELIEF_CREASE << k;
            assert_int_equal(crease, length < 1.2); // diagonals are sqrt 2
            sharp += crease;
        }
    assert_int_equal(sharp, 24);
    pli_relief_free(&relief);
    end_scene(&s);
}

// Sheets are seen from both sides; segments and points are among the rest by their depth; what is
// not finite is left out. Faces of tetrahedra are not shown again as sheets.
static void everything_has_its_place(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    const double x[3 * 8] = {0, 0, 0,  1, 0, 0, 0, 1, 0, 0, 0, -1,
                             0, 0, -3, 0, 0, 3, 0, 0, 5, 9, 9, 9};
    const int32_t sheets[] = {0, 1, 2, 0, 2, 1, 0, 1, 7}, segments[] = {3, 4, 5, 6};
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 8, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TRIANGLE, 3, sheets, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_SEGMENT, 2, segments, NULL), PLI_OK);
    fill_scene(&s);
    const int32_t loose[] = {6};
    s.snapshot.element_count[PLI_VERTEX] = 1;
    s.snapshot.elements[PLI_VERTEX] = loose;
    s.mesh.positions[3 * 7] = nan("");
    pli_camera camera = pli_camera_for(3, s.snapshot.gravity);
    for (int v = 3; v < 7; ++v) // before and behind the sheets, nearly along the view
        for (int k = 0; k < 3; ++k)
            s.mesh.positions[3 * v + k] =
                (k < 2 ? 0.3 : 0) + x[3 * v + 2] * (camera.axes[2][k] + 0.02 * camera.axes[0][k]);
    pli_canvas canvas;
    float* points = see(&s, &canvas);
    pli_space space;
    assert_int_equal(pli_space_init(&space, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
    assert_int_equal(space.relief.triangle_count, 3);
    pli_space_sort(&space, &canvas);
    const pli_element_kind order[] = {PLI_SEGMENT, PLI_TRIANGLE, PLI_TRIANGLE, PLI_SEGMENT,
                                      PLI_VERTEX};
    assert_int_equal(space.item_count, 5);
    for (int i = 0; i < 5; ++i) assert_int_equal(space.items[i].kind, order[i]);
    pli_space_free(&space);
    free(points);

    char* text = draw(&s, 2, NULL);
    assert_int_equal(count_of(text, "clip-path="), 2);
    assert_int_equal(count_of(text, "h0"), 2); // the point, in each picture
    free(text);

    const int32_t solid[] = {0, 1, 2, 6};
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TETRAHEDRON, 1, solid, NULL), PLI_OK);
    s.snapshot.element_count[PLI_TETRAHEDRON] = 1;
    s.snapshot.elements[PLI_TETRAHEDRON] = s.mesh.elements[PLI_TETRAHEDRON];
    pli_relief relief;
    assert_int_equal(pli_relief_init(&relief, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
    assert_int_equal(relief.triangle_count, 5); // {0, 1, 7} is a sheet beside it
    pli_relief_free(&relief);
    end_scene(&s);
}

// With thickness a point is a ball, and a segment a rod with a ball under each end; the more it
// goes towards the viewer the more parts it has, from far to near.
static void thickness_is_shown(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    const double x[3 * 3] = {0, 0, -1, 0.2, 0.1, 1, 2, 0, 0};
    const int32_t segment[] = {0, 1}, loose[] = {2};
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 3, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_SEGMENT, 1, segment, NULL), PLI_OK);
    fill_scene(&s);
    const double thickness[2] = {0.1, 0}, none[2] = {0, 0};
    s.snapshot.element_count[PLI_VERTEX] = 1;
    s.snapshot.elements[PLI_VERTEX] = loose;
    s.snapshot.body_thickness = thickness;
    pli_canvas canvas;
    float* points = see(&s, &canvas);
    pli_space space;
    assert_int_equal(pli_space_init(&space, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
    pli_space_sort(&space, &canvas);
    assert_true(space.item_count > 1 + 2 + 3 && space.item_count <= space.item_capacity);
    assert_int_equal(space.thick_count, space.item_count);
    double covered = 0;
    float depth = -HUGE_VALF;
    for (int i = 0; i < space.item_count; ++i) {
        const pli_item* item = &space.items[i];
        covered += (double)item->to - (double)item->from;
        if (item->kind != PLI_SEGMENT) continue;
        assert_true(item->depth >= depth);
        depth = item->depth;
    }
    assert_true(fabs(covered - 1) < 1e-6);                 // floats: the parts are the whole rod
    assert_true(space.items[0].from == space.items[0].to); // an end first: the rest covers it
    pli_space_free(&space);
    free(points);

    char* thick = draw(&s, 1, NULL);
    assert_true(count_of(thick, "stroke-linecap=\"butt\"") > 10);
    assert_true(count_of(thick, "h0") > 10); // layers of balls
    s.snapshot.body_thickness = none;
    char* thin = draw(&s, 1, NULL);
    assert_int_equal(count_of(thin, "stroke-linecap=\"butt\""), 0);
    assert_int_equal(count_of(thin, "h0"), 1);
    free(thick);
    free(thin);
    end_scene(&s);
}

// Faces of quadratic elements go through their middles.
static void quadratic_faces_are_four(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_box(&s.mesh, (const double[3]){1, 1, 1}, (const int[3]){1, 1, 1}, NULL),
        PLI_OK);
    assert_int_equal(pli_mesh_make_quadratic(&s.mesh, NULL), PLI_OK);
    fill_scene(&s);
    pli_relief relief;
    assert_int_equal(pli_relief_init(&relief, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
    assert_int_equal(relief.triangle_count, 48);
    for (int i = 0; i < 3 * 48; ++i) assert_true(relief.neighbours[i] >= 0);
    pli_relief_free(&relief);
    end_scene(&s);
}

// ---- size

// A bar of 30,000 vertices: fewer faces, the same corners, a file below a megabyte.
static void fine_bars_stay_small(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_bar(&s.mesh, (const double[3]){4, 1, 1}, (const int[3]){76, 19, 19}, NULL),
        PLI_OK);
    assert_true(s.mesh.vertex_count > 30000);
    fill_scene(&s);
    const int limits[2] = {2000, 300};
    for (int i = 0; i < 2; ++i) {
        pli_relief relief;
        assert_int_equal(pli_relief_init(&relief, &s.memory, &s.snapshot, limits[i], NULL), PLI_OK);
        assert_true(relief.triangle_count <= limits[i] && relief.triangle_count > limits[i] / 4);
        int corners = 0;
        double volume = 0;
        bool seen[8] = {false};
        for (int t = 0; t < relief.triangle_count; ++t) {
            const double* p[3];
            for (int k = 0; k < 3; ++k) {
                p[k] = s.mesh.positions + 3 * relief.triangles[3 * t + k];
                bool corner = (fabs(p[k][0]) < 1e-9 || fabs(p[k][0] - 4) < 1e-9) &&
                              fabs(fabs(p[k][1]) - 0.5) < 1e-9 && fabs(fabs(p[k][2]) - 0.5) < 1e-9;
                int which = (p[k][0] > 2) + 2 * (p[k][1] > 0) + 4 * (p[k][2] > 0);
                if (corner && !seen[which]) corners++;
                if (corner) seen[which] = true;
            }
            volume += (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) -
                       p[0][1] * (p[1][0] * p[2][2] - p[1][2] * p[2][0]) +
                       p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
                      6;
        }
        assert_int_equal(corners, 8);
        // Still closed, and flat where it was: all volume is there. Roundings of 2000 sums.
        assert_true(fabs(volume - 4) < 1e-9);
        pli_relief_free(&relief);
    }
    size_t size;
    char* text = draw(&s, 6, &size);
    assert_true(size < 1000000);
    free(text);
    end_scene(&s);
}

// Bodies much smaller than others do not vanish.
static void small_bodies_are_kept(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    assert_int_equal(pli_mesh_add_ball(&s.mesh, 1, 12, NULL), PLI_OK);
    int first = s.mesh.vertex_count;
    assert_int_equal(pli_mesh_add_ball(&s.mesh, 0.01, 3, NULL), PLI_OK);
    fill_scene(&s);
    for (int v = first; v < s.mesh.vertex_count; ++v) s.bodies[v] = 1;
    pli_relief relief;
    assert_int_equal(pli_relief_init(&relief, &s.memory, &s.snapshot, 500, NULL), PLI_OK);
    int count[2] = {0};
    for (int t = 0; t < relief.triangle_count; ++t) {
        int body = s.bodies[relief.triangles[3 * t]];
        for (int k = 1; k < 3; ++k) assert_int_equal(s.bodies[relief.triangles[3 * t + k]], body);
        count[body]++;
    }
    assert_true(count[0] > 50 && count[1] >= 8);
    assert_true(count[0] + count[1] <= 500);
    pli_relief_free(&relief);
    end_scene(&s);
}

// Merging included, whatever allocation fails nothing is lost.
static void failing_allocations_are_survived(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 4);
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    int requests = 0;
    for (int i = 0; i <= requests; ++i) {
        counter = (pli_test_allocator){.fail_at = i}; // 0: none
        pli_memory memory;
        pli_memory_init(&memory, &allocator);
        pli_space space = {0};
        pli_error error = {0};
        pli_status status = pli_space_init(&space, &memory, &s.snapshot, 60, &error);
        assert_int_equal(status, i == 0 ? PLI_OK : PLI_E_MEMORY);
        if (i == 0) requests = counter.requests;
        pli_space_free(&space);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
    assert_true(requests > 10);
    end_scene(&s);
}

// ---- obstacles

// A wall before a cube, and one behind it: grey, and the cube shines through the first alone. A
// body in front of another one is no veil.
static void bodies_shine_through_obstacles(void** state) {
    (void)state;
    static const bool none[3] = {false, false, false}, walls[3] = {false, true, true};
    static const char* const names[] = {"cube", "near", "far"};
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_box(&s.mesh, (const double[3]){1, 1, 1}, (const int[3]){2, 2, 2}, NULL),
        PLI_OK);
    int first = s.mesh.vertex_count;
    const double x[3 * 6] = {-9, -9, 2, 9, -9, 2, 0, 9, 2, -9, -9, -2, 9, -9, -2, 0, 9, -2};
    const int32_t faces[2][3] = {{first, first + 1, first + 2}, {first + 3, first + 4, first + 5}};
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 6, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TRIANGLE, 2, faces[0], NULL), PLI_OK);
    fill_scene(&s);
    for (int v = first; v < s.mesh.vertex_count; ++v) s.bodies[v] = v < first + 3 ? 1 : 2;
    s.snapshot.body_count = 3;
    s.snapshot.body_names = names;
    for (int k = 0; k < 2; ++k) {
        s.snapshot.body_obstacle = k ? walls : none;
        pli_canvas canvas;
        float* points = see(&s, &canvas);
        pli_space space;
        assert_int_equal(pli_space_init(&space, &s.memory, &s.snapshot, 1000, NULL), PLI_OK);
        pli_space_look(&space, &canvas);
        pli_space_sort(&space, &canvas);
        assert_int_equal(space.items[0].body, 2);
        assert_int_equal(space.items[space.item_count - 1].body, 1);
        for (int i = 0; i < space.item_count; ++i)
            assert_int_equal(space.items[i].veil, k == 1 && space.items[i].body == 1);
        pli_space_free(&space);
        free(points);

        char* text = draw(&s, 2, NULL);
        assert_int_equal(count_of(text, " opacity=\".35\""), 2 * k); // once in each picture
        assert_int_equal(count_of(text, pli_colour_plain()->edge) > 0, k);
        assert_int_equal(count_of(text, ">obstacles</text>"), k);
        free(text);
    }
    end_scene(&s);
}

// A ball that is an obstacle is a veil, too, with all its layers.
static void bodies_shine_through_balls(void** state) {
    (void)state;
    static const bool obstacle[2] = {false, true};
    const double thickness[2] = {0, 0.4}, place[3] = {0.5, 0.5, 2};
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_box(&s.mesh, (const double[3]){1, 1, 1}, (const int[3]){1, 1, 1}, NULL),
        PLI_OK);
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 1, place, NULL, NULL), PLI_OK);
    fill_scene(&s);
    const int32_t loose[] = {s.mesh.vertex_count - 1};
    s.bodies[loose[0]] = 1;
    s.snapshot.element_count[PLI_VERTEX] = 1;
    s.snapshot.elements[PLI_VERTEX] = loose;
    s.snapshot.body_thickness = thickness;
    s.snapshot.body_obstacle = obstacle;
    char* text = draw(&s, 1, NULL);
    assert_int_equal(count_of(text, "<g opacity=\".35\">"), 1);
    free(text);
    end_scene(&s);
}

// ---- ground

// One floor: its surface and a grid under the body, which has a shadow. A ceiling: seen through,
// after the body.
static void ground_is_under_the_body(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 1);
    const double planes[12] = {0, -0.7, 0, 0, 1, 0, 0, 0.8, 0, 0, -1, 0};
    s.snapshot.half_spaces = planes;
    s.snapshot.half_space_count = 2;
    char* text = draw(&s, 1, NULL);
    const char *floor = strstr(text, "fill=\"#edf0f3\""),
               *shadow = strstr(text, "fill=\"#1f2933\" fill-op"),
               *body = strstr(text, "<g fill=\"currentColor\""),
               *ceiling = strstr(text, "fill=\"#8a94a0\"");
    assert_true(floor && shadow && body && ceiling);
    assert_true(floor < shadow && shadow < body && body < ceiling);
    assert_true(count_of(text, "stroke=\"#d3d9e0\"") >= 8);
    free(text);

    // Far from all bodies nothing is drawn; planes that are not finite do no harm.
    const double far[12] = {0, -1e6, 0, 0, 1, 0, nan(""), 0, 0, 0, 1, 0};
    s.snapshot.half_spaces = far;
    text = draw(&s, 1, NULL);
    assert_null(strstr(text, "fill=\"#edf0f3\""));
    free(text);
    end_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_is_upright),
        cmocka_unit_test(cube_shows_three_sides),
        cmocka_unit_test(edges_of_a_cube_are_sharp),
        cmocka_unit_test(everything_has_its_place),
        cmocka_unit_test(thickness_is_shown),
        cmocka_unit_test(quadratic_faces_are_four),
        cmocka_unit_test(fine_bars_stay_small),
        cmocka_unit_test(small_bodies_are_kept),
        cmocka_unit_test(failing_allocations_are_survived),
        cmocka_unit_test(bodies_shine_through_obstacles),
        cmocka_unit_test(bodies_shine_through_balls),
        cmocka_unit_test(ground_is_under_the_body),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
