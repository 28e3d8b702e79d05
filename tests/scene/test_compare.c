// What has changed between two scenes, line by line; formats that are newer.
#include "scene/source.h"
#include "scene/support.h"

typedef struct lines {
    int count;
    char text[8][256];
} lines;

static void keep(void* context, const char* line) {
    lines* all = context;
    assert_true(all->count < 8);
    snprintf(all->text[all->count++], sizeof all->text[0], "%s", line);
}

static int compare(const char* before, const char* now, lines* found) {
    pli_error error = {0};
    int count = -1;
    *found = (lines){0};
    assert_int_equal(pli_compare_texts(before, now, keep, found, &count, &error), PLI_OK);
    assert_int_equal(count, found->count);
    return count;
}

static void finds_what_changed(void** state) {
    (void)state;
    lines found;
    assert_int_equal(compare("{\"time\": {\"step\": 0.01}, \"bodies\": [{\"a\": 1}, {\"a\": 2}]}",
                             "{\"bodies\": [{\"a\": 1}, {\"a\": 3}], \"time\": {\"step\": 0.02}}",
                             &found),
                     2);
    assert_string_equal(found.text[0], "time.step: 0.01 is now 0.02");
    assert_string_equal(found.text[1], "bodies[1].a: 2 is now 3");
    assert_int_equal(
        compare("{\"a\": [1, 2], \"b\": \"x\"}", "{\"a\": [1], \"c\": {\"d\": 0}}", &found), 3);
    assert_string_equal(found.text[0], "a[1]: 2 is gone");
    assert_string_equal(found.text[1], "b: \"x\" is gone");
    assert_string_equal(found.text[2], "c: {\"d\":0} is new");
    assert_int_equal(compare("{\"a\": [1]}", "{\"a\": [1, [2]]}", &found), 1);
    assert_string_equal(found.text[0], "a[1]: [2] is new");
    assert_int_equal(compare("{\"a\": [1]}", "{\"a\": 1}", &found), 1);
    assert_string_equal(found.text[0], "a: [1] is now 1");
}

static void what_means_the_same_is_the_same(void** state) {
    (void)state;
    lines found;
    assert_int_equal(compare("{\"a\": 1, \"b\": 0.5}", "{\"b\": 5e-1, \"a\": 1.0}", &found), 0);
    assert_int_equal(compare("{\"description\": \"old\", \"$schema\": \"x\"}",
                             "{\"description\": \"new\"}", &found),
                     0);
    assert_int_equal(compare("{\"a\": {\"description\": 1}}", "{\"a\": {}}", &found), 1);
}

static void long_values_are_cut_between_characters(void** state) {
    (void)state;
    lines found;
    compare(
        "{\"a\": \"\"}",
        "{\"a\": \"\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
        "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4"
        "\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\xC3\xA4\""
        "}",
        &found);
    size_t length = strlen(found.text[0]);
    assert_string_equal(found.text[0] + length - 5, "\xC3\xA4...");
}

static void scenes_know_what_they_were_made_of(void** state) {
    (void)state;
    const char* overrides[] = {"time.step=0.5"};
    pli_scene *one = scene_of(SQUARE_SCENE), *other = scene_with(SQUARE_SCENE, overrides, 1);
    pli_error error = {0};
    lines found = {0};
    int count;
    assert_string_equal(pli_scene_path(one), "scene.json");
    assert_int_equal(pli_scene_override_count(other), 1);
    assert_string_equal(pli_scene_override(other, 0), "time.step=0.5");
    assert_null(pli_scene_override(other, 1));
    assert_int_equal(pli_scene_compare(other, pli_scene_text(other), keep, &found, &count, &error),
                     PLI_OK);
    assert_int_equal(count, 0);
    assert_int_equal(pli_scene_compare(other, pli_scene_text(one), keep, &found, &count, &error),
                     PLI_OK);
    assert_int_equal(count, 1);
    assert_string_equal(found.text[0], "time: {\"step\":0.5} is new");
    assert_int_equal(pli_scene_compare(one, "[]", keep, &found, &count, &error), PLI_E_SCENE);
    assert_int_equal(pli_scene_compare(one, NULL, keep, &found, &count, &error), PLI_E_ARGUMENT);
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

static void a_newer_format_is_refused_alone(void** state) {
    (void)state;
    pli_scene* scene = scene_of("{ \"version\": 2, \"unheard\": true, \"bodies\": 7 }");
    expect_finding(scene, "scene.json:1:14: version = 2 of the scene format,");
    assert_int_equal(pli_scene_finding_count(scene), 1);
    assert_null(pli_scene_world(scene));
    pli_scene_destroy(scene);
    scene = scene_of("{ \"version\": 1, \"bodies\": [ " SQUARE_BODY " ] }");
    assert_int_equal(pli_scene_error_count(scene), 0);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_changed),
        cmocka_unit_test(what_means_the_same_is_the_same),
        cmocka_unit_test(long_values_are_cut_between_characters),
        cmocka_unit_test(scenes_know_what_they_were_made_of),
        cmocka_unit_test(a_newer_format_is_refused_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
