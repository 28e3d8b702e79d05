// Places of values and keys in JSON text.
#include "scene/findings.h"

#include "support.h"

static const char text[] = "{\n"
                           "  \"time\": { \"step\": 0.1 },\n"
                           "  \"na\\u006de\": \"x \\\" } ]\",\n"
                           "  \"list\": [ 1,\n"
                           "    [2, 3], {\"k\": [ ]} ],\n"
                           "  \"\xC3\xA4\": 1, \"last\": true\n"
                           "}\n";

static void assert_place(pli_place place, int line, int column) {
    assert_int_equal(place.line, line);
    assert_int_equal(place.column, column);
}

static void values_and_keys(void** state) {
    (void)state;
    pli_path time = pli_path_key(NULL, "time"), step = pli_path_key(&time, "step");
    assert_place(pli_locate(text, NULL, PLI_AT_VALUE), 1, 1);
    assert_place(pli_locate(text, &time, PLI_AT_KEY), 2, 3);
    assert_place(pli_locate(text, &time, PLI_AT_VALUE), 2, 11);
    assert_place(pli_locate(text, &step, PLI_AT_KEY), 2, 13);
    assert_place(pli_locate(text, &step, PLI_AT_VALUE), 2, 21);
}

static void lists_and_escapes(void** state) {
    (void)state;
    pli_path name = pli_path_key(NULL, "name"); // written with an escape
    pli_path list = pli_path_key(NULL, "list"), second = pli_path_index(&list, 1);
    pli_path inner = pli_path_index(&second, 1), third = pli_path_index(&list, 2);
    pli_path k = pli_path_key(&third, "k");
    assert_place(pli_locate(text, &name, PLI_AT_VALUE), 3, 16);
    assert_place(pli_locate(text, &second, PLI_AT_VALUE), 5, 5);
    assert_place(pli_locate(text, &inner, PLI_AT_VALUE), 5, 9);
    assert_place(pli_locate(text, &k, PLI_AT_VALUE), 5, 19);
}

static void columns_count_characters(void** state) {
    (void)state;
    pli_path last = pli_path_key(NULL, "last"); // behind a key of one character in two bytes
    assert_place(pli_locate(text, &last, PLI_AT_KEY), 6, 11);
}

static void what_is_missing_is_placed_at_its_object(void** state) {
    (void)state;
    pli_path time = pli_path_key(NULL, "time"), gone = pli_path_key(&time, "gone");
    pli_path below = pli_path_key(&gone, "below");
    pli_path list = pli_path_key(NULL, "list"), ninth = pli_path_index(&list, 9);
    assert_place(pli_locate(text, &gone, PLI_AT_VALUE), 2, 11);
    assert_place(pli_locate(text, &below, PLI_AT_KEY), 2, 11);
    assert_place(pli_locate(text, &ninth, PLI_AT_VALUE), 4, 11);
}

static void tokens(void** state) {
    (void)state;
    const char* broken = "{ \"a\": NaN }";
    assert_int_equal(pli_token_start(broken, 10), 7); // jansson stops behind NaN
    assert_int_equal(pli_token_start(broken, 6), 5);
    assert_int_equal(pli_token_start("\"never closed", 13), 0);
    assert_int_equal(pli_token_start("", 0), 0);
}

static void paths_as_text(void** state) {
    (void)state;
    char buffer[64];
    pli_path bodies = pli_path_key(NULL, "bodies"), first = pli_path_index(&bodies, 0);
    pli_path mesh = pli_path_key(&first, "mesh"), size = pli_path_key(&mesh, "size");
    pli_path entry = pli_path_index(&size, 1);
    pli_path_text(&entry, NULL, buffer, sizeof buffer);
    assert_string_equal(buffer, "bodies[0].mesh.size[1]");
    pli_path_text(&entry, &first, buffer, sizeof buffer);
    assert_string_equal(buffer, "mesh.size[1]");
    pli_path_text(&entry, NULL, buffer, 12); // too short: cut, and still a text
    assert_true(strlen(buffer) < 12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_and_keys),
        cmocka_unit_test(lists_and_escapes),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(what_is_missing_is_placed_at_its_object),
        cmocka_unit_test(tokens),
        cmocka_unit_test(paths_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
