// Pictures and films of a result: they show its bodies in their colours, and its motion.
#include "record/run_fixture.h"

#include <sys/wait.h>

#include "render/png_reader.h"

enum { WIDTH = 160, HEIGHT = 120 };

static pli_export_info export_pictures(const test_result* r, int every) {
    pli_export_def def = result_def(r, "png");
    def.width = WIDTH;
    def.height = HEIGHT;
    def.every = every;
    return export_result(&def);
}

// Pixels that have a hue near this one: the order of red, green and blue, and clear differences.
static int count_hue(const test_png* png, int strongest, int weakest) {
    int count = 0;
    for (int i = 0; i < png->width * png->height; ++i) {
        const unsigned char* p = png->rgb + 3 * i;
        int middle = 3 - strongest - weakest;
        count += p[strongest] > p[middle] + 8 && p[middle] > p[weakest] + 8;
    }
    return count;
}

static int count_differences(const test_png* a, const test_png* b) {
    int count = 0;
    for (int i = 0; i < a->width * a->height; ++i)
        count += memcmp(a->rgb + 3 * i, b->rgb + 3 * i, 3) != 0;
    return count;
}

// The solid is blue, the rope vermilion, the single mass green.
static void pictures_show_the_bodies(void** state) {
    (void)state;
    test_result r = make_result(3);
    pli_export_info info = export_pictures(&r, 1);
    assert_int_equal(info.file_count, 3);
    test_png png[3];
    for (int i = 0; i < 3; ++i) {
        char name[64];
        snprintf(name, sizeof name, "run_png/frame_%06d.png", i);
        png[i] = read_png(&r.folder, name);
        assert_int_equal(png[i].width, WIDTH);
        assert_int_equal(png[i].height, HEIGHT);
        assert_memory_equal(png[i].rgb, "\xfb\xfc\xfd", 3); // paper in the corner
        assert_true(count_hue(&png[i], 2, 0) > 200);
        assert_true(count_hue(&png[i], 0, 2) > 50);
    }
    assert_true(count_differences(&png[0], &png[1]) > 50);
    assert_true(count_differences(&png[1], &png[2]) > 50);
    for (int i = 0; i < 3; ++i) free(png[i].rgb);
    remove_result(&r);
}

static void same_result_gives_the_same_files(void** state) {
    (void)state;
    test_result r = make_result(2);
    size_t size[2];
    char* bytes[2];
    for (int i = 0; i < 2; ++i) {
        export_pictures(&r, 1);
        bytes[i] = read_whole(&r.folder, "run_png/frame_000001.png", &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    for (int i = 0; i < 2; ++i) free(bytes[i]);
    remove_result(&r);
}

// Pictures of an earlier export go; one body alone is larger.
static void old_pictures_are_removed(void** state) {
    (void)state;
    test_result r = make_result(4);
    export_pictures(&r, 1);
    assert_true(exists_in(&r.folder, "run_png/frame_000003.png"));
    assert_int_equal(export_pictures(&r, 2).file_count, 2);
    assert_true(exists_in(&r.folder, "run_png/frame_000001.png"));
    assert_false(exists_in(&r.folder, "run_png/frame_000003.png"));
    remove_result(&r);
}

// A plane scene: the same bodies from straight above, on the ground of a half-space.
static void plane_scenes_are_seen_from_above(void** state) {
    (void)state;
    test_result r = make_result(1);
    write_whole(&r.folder, "run/run.json",
                "{\"dimension\":2,\"gravity\":[0,-10,0],\"bodies\":[],"
                "\"half_spaces\":[{\"point\":[0,0.5,0],\"normal\":[0,1,0]}]}");
    export_pictures(&r, 1);
    test_png png = read_png(&r.folder, "run_png/frame_000000.png");
    const unsigned char* last = png.rgb + 3 * (WIDTH * HEIGHT - 1);
    assert_memory_equal(png.rgb, "\xfb\xfc\xfd", 3);
    assert_memory_equal(last, "\xe6\xea\xee", 3); // solid below
    assert_true(count_hue(&png, 2, 0) > 200);
    free(png.rgb);
    remove_result(&r);
}

static void put_into_space(const test_result* r) {
    write_whole(&r->folder, "run/run.json",
                "{\"title\":\"a title\",\"dimension\":3,\"gravity\":[0,-10,0],\"bodies\":[],"
                "\"half_spaces\":[]}");
}

// A picture of the first frame of a result, to be freed.
static test_png first_picture(const test_result* r, const pli_export_def* def) {
    export_result(def);
    return read_png(&r->folder, "run_png/frame_000000.png");
}

// Velocities of the mixed scene differ from vertex to vertex: the solid is no longer blue. A range
// that all values are above makes all yellow; the scale stands at the right of large pictures.
static void colours_show_a_field(void** state) {
    (void)state;
    test_result r = make_result(2);
    put_into_space(&r);
    pli_export_def def = result_def(&r, "png");
    def.width = 320;
    def.height = 240;
    def.no_text = true;
    test_png plain = first_picture(&r, &def);
    def.fields = "velocity";
    test_png field = first_picture(&r, &def);
    def.range[0] = -2;
    def.range[1] = -1;
    test_png above = first_picture(&r, &def);
    assert_true(count_differences(&plain, &field) > 1000);
    assert_true(count_hue(&above, 0, 2) > count_hue(&field, 0, 2));
    assert_int_equal(count_hue(&above, 2, 0), 0); // no blue is left
    def.no_text = false;
    test_png scale = first_picture(&r, &def);
    int column = 0; // with all colours of the ramp
    for (int x = 160; x < 320 && column == 0; ++x) {
        int purple = 0, yellow = 0;
        for (int y = 0; y < 240; ++y) {
            const unsigned char* p = scale.rgb + 3 * (320 * y + x);
            purple += p[0] > 60 && p[1] < 20 && p[2] > 70;
            yellow += p[0] > 230 && p[1] > 210 && p[2] < 60;
        }
        if (purple > 1 && yellow > 1) column = x;
    }
    assert_true(column > 160);
    free(plain.rgb);
    free(field.rgb);
    free(above.rgb);
    free(scale.rgb);
    remove_result(&r);
}

// Half the size shows a quarter of the pixels; a far point in the middle shows nothing but paper;
// views from opposite sides differ.
static void cameras_can_be_chosen(void** state) {
    (void)state;
    test_result r = make_result(1);
    put_into_space(&r);
    pli_export_def def = result_def(&r, "png");
    int shown[2];
    def.no_text = true;
    def.width = def.height = 200;
    for (int i = 0; i < 2; ++i) {
        def.zoom = i == 0 ? 1 : 0.5;
        test_png png = first_picture(&r, &def);
        shown[i] = count_hue(&png, 2, 0) + count_hue(&png, 0, 2);
        free(png.rgb);
    }
    assert_in_range(4 * shown[1], shown[0] / 2, 2 * shown[0]); // lines stay as wide
    def.at = (const double[3]){1000, 0, 0};
    test_png far = first_picture(&r, &def);
    for (int i = 0; i < 200 * 200; ++i) assert_memory_equal(far.rgb + 3 * i, "\xfb\xfc\xfd", 3);
    def.at = NULL;
    def.view = "front";
    test_png front = first_picture(&r, &def);
    def.view = "180,0";
    test_png back = first_picture(&r, &def);
    assert_true(count_differences(&front, &back) > 100);
    free(far.rgb);
    free(front.rgb);
    free(back.rgb);
    remove_result(&r);
}

// The camera that is asked for, or that of the run; twice as far away everything is half as large.
static void the_eye_has_a_place(void** state) {
    (void)state;
    test_result r = make_result(1);
    put_into_space(&r);
    pli_export_def def = result_def(&r, "png");
    double camera[7] = {0.5, 0.5, 6, 0.5, 0.5, 0, 35};
    def.no_text = true;
    def.width = def.height = 300;
    def.camera = camera;
    test_png near = first_picture(&r, &def);
    camera[2] = 12;
    test_png far = first_picture(&r, &def);
    int shown[2] = {count_hue(&near, 2, 0) + count_hue(&near, 0, 2),
                    count_hue(&far, 2, 0) + count_hue(&far, 0, 2)};
    assert_in_range(3 * shown[1], shown[0] / 2, 2 * shown[0]); // lines stay as wide
    def.camera = NULL;
    char* info = read_whole(&r.folder, "run/run.json", NULL);
    char* text = malloc(strlen(info) + 200);
    sprintf(text, "{\"camera\":{\"from\":[0.5,0.5,12],\"to\":[0.5,0.5,0]},%s", info + 1);
    write_whole(&r.folder, "run/run.json", text);
    test_png of_run = first_picture(&r, &def);
    assert_int_equal(count_differences(&far, &of_run), 0);
    pli_error error = {0};
    camera[6] = 35;
    def.camera = camera;
    def.view = "front";
    assert_int_equal(pli_export(&def, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "view is given too"));
    def.view = NULL;
    camera[6] = 0;
    assert_int_equal(pli_export(&def, NULL, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "angle of view = 0, must be 1 to 150"));
    free(info);
    free(text);
    free(near.rgb);
    free(far.rgb);
    free(of_run.rgb);
    remove_result(&r);
}

static void titles_can_be_given(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "png");
    def.width = def.height = 300;
    test_png usual = first_picture(&r, &def);
    def.title = "another title";
    test_png other = first_picture(&r, &def);
    def.title = "";
    test_png none = first_picture(&r, &def);
    assert_true(count_differences(&usual, &other) > 20);
    assert_true(count_differences(&usual, &none) > 20);
    free(usual.rgb);
    free(other.rgb);
    free(none.rgb);
    remove_result(&r);
}

static int count_colour(const test_png* png, const char* rgb) {
    int count = 0;
    for (int i = 0; i < png->width * png->height; ++i)
        count += memcmp(png->rgb + 3 * i, rgb, 3) == 0;
    return count;
}

// run.json with these bodies and half-spaces.
static void write_stage(const test_result* r, int dimension, const char* bodies,
                        const char* half_spaces) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"dimension\":%d,\"gravity\":[0,-10,0],\"bodies\":[%s],\"half_spaces\":[%s]}",
             dimension, bodies, half_spaces);
    write_whole(&r->folder, "run/run.json", text);
}

#define FLOOR "{\"point\":[0,-0.1,0],\"normal\":[0,1,0]}"

// Ground under the bodies with their shadows; from below it is a veil over the bodies. Paper has
// #fbfcfd; ground #edf0f3; in the shade 13 % of ink on it.
static void ground_and_shadows_in_space(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "png");
    test_png png[4];
    def.width = def.height = 200;
    def.zoom = 0.5;
    def.no_text = true;
    for (int i = 0; i < 4; ++i) {
        write_stage(&r, 3, "", i % 2 ? FLOOR : "");
        def.view = i < 2 ? "30,35" : "30,-35";
        png[i] = first_picture(&r, &def);
    }
    const char* ground = "\xed\xf0\xf3";
    assert_int_equal(count_colour(&png[0], ground), 0);
    assert_true(count_colour(&png[1], ground) > 3000);
    int shade = 0; // grey, clearly darker than the ground, clearly lighter than lines
    for (int i = 0; i < 200 * 200; ++i) {
        const unsigned char* p = png[1].rgb + 3 * i;
        shade += p[0] > 195 && p[0] < 225 && abs(p[0] - p[1]) < 8 && abs(p[1] - p[2]) < 8;
    }
    assert_true(shade > 200);
    assert_int_equal(count_hue(&png[0], 2, 0), count_hue(&png[1], 2, 0)); // the body hides it
    assert_int_equal(count_colour(&png[3], ground), 0);
    assert_true(count_hue(&png[3], 2, 0) > 100); // the body shows through
    assert_true(count_differences(&png[2], &png[3]) > 20000);
    for (int i = 0; i < 4; ++i) free(png[i].rgb);
    remove_result(&r);
}

#define THICK                                                                                      \
    "{\"name\":\"a\",\"thickness\":0.4},{\"name\":\"b\",\"thickness\":0.4},"                       \
    "{\"name\":\"c\",\"thickness\":0.4}"

// What is thick in contact is drawn so: rods and balls in space, halos in the plane.
static void thickness_is_seen(void** state) {
    (void)state;
    test_result r = make_result(1);
    pli_export_def def = result_def(&r, "png");
    def.width = def.height = 200;
    def.no_text = true;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        int rope[2], all[2];
        for (int thick = 0; thick < 2; ++thick) {
            write_stage(&r, dimension, thick ? THICK : "", FLOOR);
            test_png png = first_picture(&r, &def);
            rope[thick] = count_hue(&png, 0, 2);
            all[thick] = 200 * 200 - count_colour(&png, "\xfb\xfc\xfd");
            free(png.rgb);
        }
        if (dimension == 3) assert_true(rope[1] > 3 * rope[0]); // shaded as the rope itself
        assert_true(all[1] > all[0] + 500);
    }
    remove_result(&r);
}

// Bodies that fly off by a thousand of their sizes do not shrink to a dot: at most ten times the
// largest frame is shown, around the first.
static void bodies_may_fly_off(void** state) {
    (void)state;
    test_result r = make_result(2);
    mixed_scene m;
    pli_error error = {0};
    pli_memory memory;
    pli_vtu* vtu = NULL;
    char name[PLI_FRAME_NAME_SIZE];
    pli_memory_init(&memory, NULL);
    fill_mixed(&m);
    fill_result_frame(&m, 1);
    for (int v = 0; v < MIXED_VERTICES; ++v) m.positions[3 * v] += 5000;
    assert_int_equal(pli_vtu_create(&memory, &exact_frames, &m.snapshot, &vtu, &error), PLI_OK);
    assert_int_equal(pli_vtu_write(vtu, &m.snapshot, r.run, pli_frame_name(1, name), &error),
                     PLI_OK);
    pli_vtu_destroy(vtu);
    write_stage(&r, 2, "", "");
    pli_export_def def = result_def(&r, "png");
    def.width = def.height = 400;
    def.no_text = true;
    test_png first = first_picture(&r, &def);
    test_png second = read_png(&r.folder, "run_png/frame_000001.png");
    int shown = 400 * 400 - count_colour(&first, "\xfb\xfc\xfd");
    assert_in_range(shown, 50, 40 * 40 * 2); // a tenth of the width
    assert_int_equal(count_colour(&second, "\xfb\xfc\xfd"), 400 * 400);
    free(first.rgb);
    free(second.rgb);
    remove_result(&r);
}

// Before anything is written.
static void wrong_wishes_are_refused(void** state) {
    (void)state;
    test_result r = make_result(1);
    put_into_space(&r);
    pli_export_def def = result_def(&r, "png");
    def.fields = "velocty";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "this run has velocity"));
    def.fields = NULL;
    def.view = "nowhere";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "must be front, back"));
    def.view = "30,91";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "-90 to 90 upward"));
    write_stage(&r, 2, "", "");
    def.view = "front";
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "view \""));
    def.view = NULL;
    def.zoom = -1;
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "zoom"));
    assert_false(exists_in(&r.folder, "run_png"));
    remove_result(&r);
}

static void wrong_sizes_are_refused(void** state) {
    (void)state;
    static const int sizes[][2] = {{15, 100}, {100, 4097}, {-1, 100}};
    test_result r = make_result(1);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i) {
        pli_export_def def = result_def(&r, "png");
        def.width = sizes[i][0];
        def.height = sizes[i][1];
        assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "pixels"));
    }
    pli_export_def def = result_def(&r, "mp4");
    def.width = 101;
    assert_non_null(strstr(refuse_export(&def, PLI_E_ARGUMENT), "even"));
    remove_result(&r);
}

// Without ffmpeg, or with one that fails, there is a reason and no file.
static void films_need_ffmpeg(void** state) {
    (void)state;
    test_result r = make_result(2);
    char before[4096], path[2 * TEST_PATH_SIZE];
    snprintf(before, sizeof before, "%s", getenv("PATH") ? getenv("PATH") : "");
    pli_export_def def = result_def(&r, "mp4");
    def.width = WIDTH;
    def.height = HEIGHT;
    assert_int_equal(setenv("PATH", r.folder.path, 1), 0);
    assert_non_null(strstr(refuse_export(&def, PLI_E_IO), "ffmpeg"));
    write_whole(&r.folder, "ffmpeg", "#!/bin/sh\necho no such codec >&2\nexit 3\n");
    assert_int_equal(chmod(path_in(&r.folder, "ffmpeg", path), 0755), 0);
    assert_non_null(strstr(refuse_export(&def, PLI_E_IO), "no such codec"));
    // One that keeps what it gets: all pictures, as raw bytes.
    write_whole(&r.folder, "ffmpeg",
                "#!/bin/sh\nfor last; do :; done\nexec /bin/cat >\"${last#file:}\"\n");
    pli_export_info info = export_result(&def);
    assert_int_equal(setenv("PATH", before, 1), 0);
    assert_int_equal(info.bytes, 2 * 3 * WIDTH * HEIGHT);
    size_t size;
    char* bytes = read_whole(&r.folder, "run.mp4", &size);
    assert_int_equal(size, info.bytes);
    assert_memory_equal(bytes, "\xfb\xfc\xfd", 3);
    free(bytes);
    assert_int_equal(count_entries(&r.folder, true), 0);
    remove_result(&r);
}

static void films_are_films(void** state) {
    (void)state;
    if (system("command -v ffmpeg >/dev/null") != 0) {
        print_message("ffmpeg is not there: no film is made\n");
        skip();
    }
    test_result r = make_result(5);
    pli_export_def def = result_def(&r, "mp4");
    def.width = WIDTH;
    def.height = HEIGHT;
    assert_true(export_result(&def).bytes > 500);
    char* bytes = read_whole(&r.folder, "run.mp4", NULL);
    assert_memory_equal(bytes + 4, "ftyp", 4);
    free(bytes);
    remove_result(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_show_the_bodies),
        cmocka_unit_test(same_result_gives_the_same_files),
        cmocka_unit_test(old_pictures_are_removed),
        cmocka_unit_test(plane_scenes_are_seen_from_above),
        cmocka_unit_test(colours_show_a_field),
        cmocka_unit_test(cameras_can_be_chosen),
        cmocka_unit_test(the_eye_has_a_place),
        cmocka_unit_test(titles_can_be_given),
        cmocka_unit_test(ground_and_shadows_in_space),
        cmocka_unit_test(thickness_is_seen),
        cmocka_unit_test(bodies_may_fly_off),
        cmocka_unit_test(wrong_wishes_are_refused),
        cmocka_unit_test(wrong_sizes_are_refused),
        cmocka_unit_test(films_need_ffmpeg),
        cmocka_unit_test(films_are_films),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
