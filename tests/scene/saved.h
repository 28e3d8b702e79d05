// Scenes of a test by name or text, and the state of their worlds as pli_world_save writes it.
#ifndef PLI_TESTS_SCENE_SAVED_H
#define PLI_TESTS_SCENE_SAVED_H

#include <stdio.h>
#include <stdlib.h>

#include "oracle/bytes.h"
#include "oracle/near.h"
#include "pliant/pliant.h"

static pli_error error;

// `name`: of a shipped scene, or a text that begins with a brace.
static inline pli_scene* make_scene(const char* name, const char* const* overrides, int count,
                                    int threads) {
    char path[1200];
    pli_scene_def def = pli_default_scene_def();
    def.path = "text.json";
    if (name[0] == '{') {
        def.text = name;
    } else {
        snprintf(path, sizeof path, "%s/scenes/%s.json", PLIANT_SOURCE_DIR, name);
        def.path = path;
    }
    def.overrides = overrides;
    def.override_count = count;
    def.thread_count = threads;
    pli_scene* scene;
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            fail_msg("%s: %s", name, pli_scene_finding(scene, i)->message);
    assert_non_null(pli_scene_world(scene));
    return scene;
}

#endif
