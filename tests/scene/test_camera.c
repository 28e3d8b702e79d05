// The key "camera": what is kept of it, and what is refused.
#include "scene/support.h"

#define SCENE(camera)                                                                              \
    "{\"dimension\": 3, \"gravity\": [0, -10, 0], \"time\": {\"step\": 0.01, \"steps\": 1},\n"     \
    "\"camera\": {" camera "},\n"                                                                  \
    "\"bodies\": [{\"name\": \"ball\", \"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], "        \
    "\"segments\": [1, 1, 1]}}]}"

static void a_camera_is_kept(void** state) {
    (void)state;
    pli_scene* scene =
        scene_of(SCENE("\"from\": [1, 2, 3], \"to\": [0, 0.5, 0], \"follow\": \"ball\", "
                       "\"projection\": \"orthographic\", \"height\": 4, "
                       "\"keys\": [{\"time\": 0}, {\"time\": 2, \"from\": [3, 2, 1]}]"));
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_string_equal(pli_scene_run(scene)->camera,
                        "{\"from\":[1.0,2.0,3.0],\"to\":[0.0,0.5,0.0],\"field_of_view\":35.0,"
                        "\"height\":4.0,\"follow\":\"ball\",\"orthographic\":true,"
                        "\"keys\":[{\"time\":0.0},{\"time\":2.0,\"from\":[3.0,2.0,1.0]}]}");
    pli_scene_destroy(scene);
    scene = scene_of("{\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], "
                     "\"segments\": [1, 1]}}]}");
    assert_string_equal(pli_scene_run(scene)->camera, "");
    pli_scene_destroy(scene);
}

static void plane_scenes_have_two_numbers(void** state) {
    (void)state;
    pli_scene* scene = scene_of("{\"camera\": {\"to\": [1, 2], \"height\": 3},\n"
                                "\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [1, "
                                "1], \"segments\": [1, 1]}}]}");
    assert_int_equal(pli_scene_error_count(scene), 0);
    assert_string_equal(pli_scene_run(scene)->camera,
                        "{\"to\":[1.0,2.0,0.0],\"field_of_view\":35.0,\"height\":3.0}");
    pli_scene_destroy(scene);
}

static void wrong_cameras_are_found(void** state) {
    (void)state;
    static const struct {
        const char *text, *finding;
    } rows[] = {
        {SCENE("\"follow\": \"bell\""), "scene.json:2:22: there is no body \"bell\""},
        {SCENE("\"from\": [1, 2, 3], \"to\": [1, 2, 3]"),
         "scene.json:2:37: from and to are the same point"},
        {SCENE("\"keys\": [{\"time\": 2}, {\"time\": 1}]"),
         "scene.json:2:43: time = 1 s, must be later than that of the key before, 2 s"},
        {SCENE("\"field_of_view\": 170"),
         "scene.json:2:29: camera.field_of_view = 170 degrees, must be"},
        {SCENE("\"form\": [1, 2, 3]"), "scene.json:2:12: "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_scene* scene = scene_of(rows[i].text);
        expect_finding(scene, rows[i].finding);
        assert_int_equal(pli_scene_error_count(scene), 1);
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_camera_is_kept),
        cmocka_unit_test(plane_scenes_have_two_numbers),
        cmocka_unit_test(wrong_cameras_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
