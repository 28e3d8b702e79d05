// What the scene tests share: scenes from text, and looking for findings.
#ifndef PLI_TESTS_SCENE_SUPPORT_H
#define PLI_TESTS_SCENE_SUPPORT_H

#include "pliant/scene.h"

// cmocka wants these before itself.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static inline pli_scene* scene_with(const char* text, const char* const* overrides, int count) {
    pli_scene_def def = pli_default_scene_def();
    def.path = "scene.json";
    def.text = text;
    def.overrides = overrides;
    def.override_count = count;
    def.thread_count = 1;
    pli_scene* scene = NULL;
    pli_error error = {0};
    assert_int_equal(pli_scene_create(&def, &scene, &error), PLI_OK);
    assert_non_null(scene);
    return scene;
}

static inline pli_scene* scene_of(const char* text) { return scene_with(text, NULL, 0); }

static inline void print_findings(const pli_scene* scene) {
    char text[1024];
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        print_message("%s\n", pli_scene_finding_text(scene, i, text, sizeof text));
}

// Does the text start with `start`, in which "<others>" stands for names of a list that grows?
static inline bool starts_with(const char* text, const char* start) {
    const char* gap = strstr(start, "<others>");
    if (!gap) return strncmp(text, start, strlen(start)) == 0;
    size_t head = (size_t)(gap - start);
    return strncmp(text, start, head) == 0 && strstr(text + head, gap + strlen("<others>"));
}

// The finding whose text with its place starts with `start`, or a failed test.
static inline const pli_finding* expect_finding(const pli_scene* scene, const char* start) {
    char text[1024];
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        pli_scene_finding_text(scene, i, text, sizeof text);
        if (starts_with(text, start)) return pli_scene_finding(scene, i);
    }
    print_message("expected: %s\nfound:\n", start);
    print_findings(scene);
    fail();
    return NULL;
}

// A small scene that is right: one square of two triangles.
#define SQUARE_BODY                                                                                \
    "{ \"name\": \"mat\", \"mesh\": { \"type\": \"rectangle\", \"size\": [1, 1], "                 \
    "\"segments\": [1, 1] }, \"energies\": [ { \"type\": \"neo-hookean\" } ] }"
#define SQUARE_SCENE "{ \"bodies\": [ " SQUARE_BODY " ] }"

#endif
