// Film strips of scenes in space: camera, what is shown of bodies, the embedded pictures.
#include "result/fixture.h"

#include "oracle/allocator.h"
#include "render/png_reader.h"
#include "result/xml_check.h"

#include "pliant/mesh.h"
#include "render/preview.h"
#include "render/svg.h"
#include "result/result.h"

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
    return text;
}

static int count_of(const char* text, const char* part) {
    int count = 0;
    for (const char* at = text; (at = strstr(at, part)); at += strlen(part)) count++;
    return count;
}

static int digit_of(char c) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char* at = strchr(digits, c);
    assert_true(at && c);
    return (int)(at - digits);
}

// The first picture that is embedded in a page.
static test_png first_picture(const char* page) {
    static const char mark[] = "href=\"data:image/png;base64,";
    const char* at = strstr(page, mark);
    assert_non_null(at);
    test_folder folder = make_test_folder();
    char path[2 * TEST_PATH_SIZE];
    FILE* file = fopen(path_in(&folder, "a.png", path), "wb");
    assert_non_null(file);
    for (at += sizeof mark - 1; *at != '"'; at += 4) {
        int padding = at[2] == '=' ? 2 : at[3] == '=';
        int word = digit_of(at[0]) << 18 | digit_of(at[1]) << 12;
        if (padding < 2) word |= digit_of(at[2]) << 6;
        if (padding < 1) word |= digit_of(at[3]);
        for (int k = 0; k < 3 - padding; ++k) fputc(word >> (16 - 8 * k) & 255, file);
    }
    assert_int_equal(fclose(file), 0);
    test_png png = read_png(&folder, "a.png");
    remove_test_folder(&folder);
    return png;
}

// Pixels of a hue: blue (the first body) is clearly more blue than red, grey is darker than paper.
typedef struct tally {
    int blue, grey, paper, all;
} tally;

static tally tally_of(scene* s) {
    char* text = draw(s, 1, NULL);
    test_png png = first_picture(text);
    tally t = {.all = png.width * png.height};
    for (int i = 0; i < t.all; ++i) {
        const unsigned char* rgb = png.rgb + 3 * i;
        if (rgb[2] > rgb[0] + 60)
            t.blue++;
        else if (rgb[0] > 245)
            t.paper++;
        else
            t.grey++;
    }
    free(png.rgb);
    free(text);
    return t;
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

// ---- what is shown

// The triangles that are shown of all bodies.
static int count_triangles(scene* s, pli_result* result) {
    int count = 0;
    *result = (pli_result){.memory = &s->memory};
    assert_int_equal(pli_result_add_bodies(result, &s->snapshot, NULL), PLI_OK);
    for (int b = 0; b < result->body_count; ++b) count += result->bodies[b].triangle_count;
    return count;
}

static void solids_show_their_boundary(void** state) {
    (void)state;
    for (int n = 1; n <= 4; ++n) {
        scene s;
        box_scene(&s, n);
        pli_result result;
        assert_int_equal(count_triangles(&s, &result), 12 * n * n);
        int inside = (n - 1) * (n - 1) * (n - 1);
        assert_int_equal(result.bodies[0].vertex_count, s.mesh.vertex_count - inside);
        assert_int_equal(result.bodies[1].all_vertices, 0);
        pli_result_close(&result);
        end_scene(&s);
    }
}

// Faces of tetrahedra are not shown again as sheets; segments and points are; what is not finite
// does no harm.
static void everything_is_shown_once(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    const double x[3 * 8] = {0, 0, 0,  1, 0, 0, 0, 1, 0, 0, 0, -1,
                             0, 0, -3, 0, 0, 3, 0, 0, 5, 9, 9, 9};
    const int32_t sheets[] = {0, 1, 2, 0, 2, 1, 0, 1, 7}, segments[] = {3, 4, 5, 6};
    const int32_t solid[] = {0, 1, 2, 6}, loose[] = {6};
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 8, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TRIANGLE, 3, sheets, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_SEGMENT, 2, segments, NULL), PLI_OK);
    fill_scene(&s);
    s.snapshot.element_count[PLI_VERTEX] = 1;
    s.snapshot.elements[PLI_VERTEX] = loose;
    s.mesh.positions[3 * 7] = nan("");
    pli_result result;
    assert_int_equal(count_triangles(&s, &result), 3);
    assert_int_equal(result.bodies[0].segment_count, 2);
    assert_int_equal(result.bodies[0].point_count, 1);
    pli_result_close(&result);
    char* text = draw(&s, 2, NULL);
    assert_int_equal(count_of(text, "<image "), 2);
    free(text);

    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TETRAHEDRON, 1, solid, NULL), PLI_OK);
    s.snapshot.element_count[PLI_TETRAHEDRON] = 1;
    s.snapshot.elements[PLI_TETRAHEDRON] = s.mesh.elements[PLI_TETRAHEDRON];
    assert_int_equal(count_triangles(&s, &result), 5); // {0, 1, 7} is a sheet beside it
    pli_result_close(&result);
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
    pli_result result;
    assert_int_equal(count_triangles(&s, &result), 48);
    pli_result_close(&result);
    end_scene(&s);
}

// ---- pictures

// A cube of side 1 seen from 30 degrees to the right and 25 above covers some 1.6 m^2; the frame is
// the box around it with margins.
static void cube_is_in_the_picture(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 1);
    tally t = tally_of(&s);
    double covered = (double)t.blue / t.all;
    assert_true(covered > 0.1 && covered < 0.8);
    assert_true(t.paper > t.all / 10);
    assert_true(t.grey < t.all / 50); // nothing else but pixels between cube and paper
    end_scene(&s);
}

// A bar of 30,000 vertices stays below a megabyte.
static void fine_bars_stay_small(void** state) {
    (void)state;
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_bar(&s.mesh, (const double[3]){4, 1, 1}, (const int[3]){76, 19, 19}, NULL),
        PLI_OK);
    assert_true(s.mesh.vertex_count > 30000);
    fill_scene(&s);
    size_t size;
    char* text = draw(&s, 6, &size);
    assert_true(size < 1000000);
    free(text);
    end_scene(&s);
}

// A wall before a cube, and one behind it: the cube is seen through the first if that is an
// obstacle, but not if it is a body.
static void bodies_shine_through_obstacles(void** state) {
    (void)state;
    static const bool behind[3] = {false, false, true}, walls[3] = {false, true, true};
    static const char* const names[] = {"cube", "near", "far"};
    scene s;
    begin_scene(&s);
    assert_int_equal(
        pli_mesh_add_box(&s.mesh, (const double[3]){1, 1, 1}, (const int[3]){2, 2, 2}, NULL),
        PLI_OK);
    int first = s.mesh.vertex_count;
    const double x[3 * 6] = {-4, -3, 2, 4, -3, 2, 0, 6, 2, -3, -3, -2, 3, -3, -2, 0, 3, -2};
    const int32_t faces[2][3] = {{first, first + 1, first + 2}, {first + 3, first + 4, first + 5}};
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 6, x, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TRIANGLE, 2, faces[0], NULL), PLI_OK);
    fill_scene(&s);
    for (int v = first; v < s.mesh.vertex_count; ++v) s.bodies[v] = v < first + 3 ? 1 : 2;
    s.snapshot.body_count = 3;
    s.snapshot.body_names = names;
    s.snapshot.body_obstacle = behind;
    tally hidden = tally_of(&s);
    s.snapshot.body_obstacle = walls;
    tally shown = tally_of(&s);
    char* text = draw(&s, 1, NULL);
    assert_int_equal(count_of(text, ">obstacles</text>"), 1);
    free(text);
    assert_int_equal(hidden.all, shown.all);
    assert_true(shown.blue > shown.all / 300);
    assert_true(hidden.blue < shown.blue / 2);
    assert_true(shown.grey > shown.blue);
    end_scene(&s);
}

// A floor under the body shows between it and the paper; planes that are far away or not finite are
// left out.
static void ground_is_under_the_body(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 1);
    const double floor[6] = {0, -0.7, 0, 0, 1, 0};
    const double far[12] = {0, -1e6, 0, 0, 1, 0, nan(""), 0, 0, 0, 1, 0};
    tally alone = tally_of(&s);
    s.snapshot.half_spaces = floor;
    s.snapshot.half_space_count = 1;
    tally on = tally_of(&s);
    s.snapshot.half_spaces = far;
    s.snapshot.half_space_count = 2;
    tally above = tally_of(&s);
    // Pixels at the outline are mixed with what is behind.
    assert_in_range(on.blue, alone.blue - alone.all / 1000, alone.blue + alone.all / 1000);
    assert_true(on.grey > on.all / 10);
    assert_memory_equal(&above, &alone, sizeof alone);
    end_scene(&s);
}

// Whatever allocation fails: no file, and nothing is lost.
// How many pixels of a picture differ from paper, and the mean of a colour over those.
static int inked(const test_png* png, int channel, double* mean) {
    int count = 0;
    double sum = 0;
    for (int y = 2; y < png->height - 2; ++y)
        for (int x = 2; x < png->width - 2; ++x) {
            const unsigned char* p = png->rgb + 3 * ((size_t)y * (size_t)png->width + (size_t)x);
            if (p[0] > 235 && p[1] > 235 && p[2] > 235) continue;
            count++;
            sum += p[channel];
        }
    if (mean) *mean = count > 0 ? sum / count : 0;
    return count;
}

static int inked_scene(scene* s, double* mean) {
    size_t size;
    char* page = draw(s, 1, &size);
    test_png png = first_picture(page);
    int count = inked(&png, 0, mean);
    free(png.rgb);
    free(page);
    return count;
}

// A thread is a line of a few pixels, or a tube as wide as its radius says, without gaps.
static void threads_have_their_radius(void** state) {
    (void)state;
    enum { COUNT = 21 };
    double area[3];
    for (int pass = 0; pass < 3; ++pass) {
        static const double radii[3][2] = {{0, 0}, {0.03, 0}, {0.06, 0}};
        scene s;
        begin_scene(&s);
        double places[3 * COUNT] = {0};
        int32_t segments[2 * (COUNT - 1)];
        for (int i = 0; i < COUNT; ++i) {
            places[3 * i] = 2.0 * i / (COUNT - 1);
            places[3 * i + 1] = 0.2 * sin(0.4 * i);
            if (i > 0) segments[2 * i - 2] = i - 1, segments[2 * i - 1] = i;
        }
        assert_int_equal(pli_mesh_add_vertices(&s.mesh, COUNT, places, NULL, NULL), PLI_OK);
        assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_SEGMENT, COUNT - 1, segments, NULL),
                         PLI_OK);
        fill_scene(&s);
        s.snapshot.body_radius = radii[pass];
        area[pass] = inked_scene(&s, NULL);
        end_scene(&s);
    }
    assert_true(area[0] > 300 && area[1] > 3 * area[0]);
    // Twice the radius, twice the area; the margin around the scene grows with it.
    assert_true(area[2] > 1.6 * area[1] && area[2] < 2.2 * area[1]);
}

// A square sheet; `up`: the orientation of its triangles.
static int draw_sheet(bool up, double thickness, bool springs, double* mean) {
    static const double corners[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    static const int32_t above[] = {0, 2, 1, 0, 3, 2}, below[] = {0, 1, 2, 0, 2, 3};
    static const int32_t sides[] = {0, 1, 1, 2, 2, 3, 3, 0, 2, 0};
    const double radii[2] = {thickness, 0};
    scene s;
    begin_scene(&s);
    assert_int_equal(pli_mesh_add_vertices(&s.mesh, 4, corners, NULL, NULL), PLI_OK);
    assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_TRIANGLE, 2, up ? above : below, NULL),
                     PLI_OK);
    if (springs)
        assert_int_equal(pli_mesh_add_elements(&s.mesh, PLI_SEGMENT, 5, sides, NULL), PLI_OK);
    fill_scene(&s);
    s.snapshot.body_radius = radii;
    int count = inked_scene(&s, mean);
    end_scene(&s);
    return count;
}

// Front and back differ, the back is paler; springs along its edges change nothing; a thickness
// shows.
static void sheets_have_two_sides(void** state) {
    (void)state;
    double front, back, sprung;
    int area = draw_sheet(true, 0, false, &front), other = draw_sheet(false, 0, false, &back);
    assert_true(area > 1000 && abs(area - other) < area / 50);
    assert_true(back > front + 8);
    assert_int_equal(draw_sheet(true, 0, true, &sprung), area);
    assert_true(sprung == front);
    int flat = draw_sheet(true, 1e-9, false, NULL), thick = draw_sheet(true, 0.05, false, NULL);
    assert_int_equal(flat, area);
    assert_true(thick != area);
}

static void failing_allocations_are_survived(void** state) {
    (void)state;
    scene s;
    box_scene(&s, 2);
    test_folder folder = make_test_folder();
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    int requests = 0;
    for (int i = 0; i <= requests; ++i) {
        counter = (pli_test_allocator){.fail_at = i}; // 0: none
        pli_memory memory;
        pli_memory_init(&memory, &allocator);
        pli_preview preview;
        pli_error error = {0};
        pli_preview_init(&preview, &memory, &s.snapshot, 1);
        pli_status status = pli_preview_add_picture(&preview, &s.snapshot, &error);
        if (status == PLI_OK)
            status = pli_preview_write(&preview, &s.snapshot, "", folder.path, &error);
        assert_int_equal(status, i == 0 ? PLI_OK : PLI_E_MEMORY);
        assert_int_equal(count_entries(&folder, false), 1); // that of the first run
        if (i == 0) requests = counter.requests;
        pli_preview_free(&preview);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
    assert_true(requests > 10);
    remove_test_folder(&folder);
    end_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(camera_is_upright),
        cmocka_unit_test(solids_show_their_boundary),
        cmocka_unit_test(everything_is_shown_once),
        cmocka_unit_test(quadratic_faces_are_four),
        cmocka_unit_test(cube_is_in_the_picture),
        cmocka_unit_test(fine_bars_stay_small),
        cmocka_unit_test(bodies_shine_through_obstacles),
        cmocka_unit_test(ground_is_under_the_body),
        cmocka_unit_test(threads_have_their_radius),
        cmocka_unit_test(sheets_have_two_sides),
        cmocka_unit_test(failing_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
