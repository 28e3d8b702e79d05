// The section `camera` of a scene; pictures read the text that is made here (render/camera.h).
#include "scene/camera.h"

#include "base/text.h"
#include "scene/build.h"
#include "scene/tables.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

PLI_CHOICE(projection_word, "perspective", "orthographic")

static const pli_param key_rows[] = {
    PLI_NUMBER(pli_camera_key_data, time, "time", "s", 0, 1e9, 0, PLI_PARAM_REQUIRED, "when"),
    PLI_VECTOR_OF(pli_camera_key_data, from, "from", "m", -1e12, 1e12, NAN,
                  "place of the eye; default: that of the camera"),
    PLI_VECTOR_OF(pli_camera_key_data, to, "to", "m", -1e12, 1e12, NAN,
                  "point in the middle of the picture; default: that of the camera"),
    PLI_NUMBER(pli_camera_key_data, field_of_view, "field_of_view", "degrees", 1, 150, NAN, 0,
               "vertical angle; default: that of the camera"),
    PLI_NUMBER(pli_camera_key_data, height, "height", "m", 0, 1e12, NAN, PLI_PARAM_ABOVE_MIN,
               "default: that of the camera"),
};

static const pli_section key_section = {
    .name = "camera_key",
    .help = "the camera at one time; it moves smoothly from one key to the next",
    .size = sizeof(pli_camera_key_data),
    PLI_ROWS(key_rows),
};

static const pli_param camera_rows[] = {
    PLI_VECTOR_OF(pli_camera_data, from, "from", "m", -1e12, 1e12, NAN,
                  "place of the eye; default: to the right of the front, above, far enough away "
                  "to see what moves"),
    PLI_VECTOR_OF(pli_camera_data, to, "to", "m", -1e12, 1e12, NAN,
                  "point in the middle of the picture; default: the middle of what moves"),
    PLI_NUMBER(pli_camera_data, field_of_view, "field_of_view", "degrees", 1, 150, 35, 0,
               "vertical angle, of a camera with perspective"),
    PLI_NUMBER(pli_camera_data, height, "height", "m", 0, 1e12, NAN, PLI_PARAM_ABOVE_MIN,
               "what a picture without perspective (plane scenes, projection \"orthographic\") "
               "shows from its lower to its upper edge; default: what moves"),
    PLI_TEXT(pli_camera_data, follow, "follow", 0,
             "name of a body that the camera moves with, \"*\": with all that moves"),
    PLI_WORD(pli_camera_data, projection, "projection", projection_word,
             "of scenes in space; plane scenes are always orthographic"),
};
static const pli_part camera_parts[] = {
    PLI_LIST_OF_OBJECTS(pli_camera_data, keys, "keys", &key_section, 0, 64, 0,
                        "motion of the camera, in the order of time"),
};

const pli_section pli_camera_section = {
    .name = "camera",
    .help = "how the viewer, pictures and films show the scene; without effect on the simulation",
    .size = sizeof(pli_camera_data),
    PLI_ROWS(camera_rows),
    PLI_PARTS(camera_parts),
};

// ---- checks

static bool same_point(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2]; // false if one is not given
}

static pli_status check_points(pli_builder* b, const double from[3], const double to[3],
                               const pli_path* at, pli_error* error) {
    if (!same_point(from, to)) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, "to"), error,
                    "from and to are the same point: the camera looks nowhere");
}

static pli_status check_follow(pli_builder* b, const char* name, const pli_path* at,
                               pli_error* error) {
    pli_nearest nearest = {.word = name};
    char hint[PLI_HINT_SIZE];
    if (!*name || strcmp(name, "*") == 0) return PLI_OK;
    for (int i = 0; i < b->body_count; ++i) {
        if (strcmp(b->names[i], name) == 0) return PLI_OK;
        pli_nearest_try(&nearest, b->names[i]);
    }
    return PLI_FIND(b->findings, PLI_KEY(at, "follow"), error, "there is no body \"%.60s\"%s", name,
                    pli_nearest_hint(&nearest, hint));
}

pli_status pli_camera_check(pli_builder* b, pli_error* error) {
    const pli_camera_data* camera = b->scene->camera;
    if (!camera) return PLI_OK;
    pli_path at = pli_path_key(NULL, "camera"), list = pli_path_key(&at, "keys");
    const pli_camera_key_data* keys = camera->keys.items;
    PLI_TRY(check_follow(b, camera->follow, &at, error));
    PLI_TRY(check_points(b, camera->from, camera->to, &at, error));
    for (int i = 0; i < camera->keys.count; ++i) {
        pli_path key = pli_path_index(&list, i);
        PLI_TRY(check_points(b, keys[i].from, keys[i].to, &key, error));
        if (i > 0 && !(keys[i].time > keys[i - 1].time))
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(&key, "time"), error,
                             "time = %g s, must be later than that of the key before, %g s",
                             keys[i].time, keys[i - 1].time));
    }
    return PLI_OK;
}

// ---- as text

// Points of plane scenes have two numbers.
static void put_point(json_t* to, const char* name, const double p[3]) {
    if (isfinite(p[0] + p[1]))
        json_object_set_new(to, name,
                            json_pack("[f, f, f]", p[0], p[1], isfinite(p[2]) ? p[2] : 0));
}

static void put_number(json_t* to, const char* name, double value) {
    if (isfinite(value)) json_object_set_new(to, name, json_real(value));
}

static json_t* keys_of(const pli_camera_data* camera) {
    json_t* list = json_array();
    const pli_camera_key_data* keys = camera->keys.items;
    for (int i = 0; i < camera->keys.count; ++i) {
        json_t* key = json_pack("{s:f}", "time", keys[i].time);
        put_point(key, "from", keys[i].from);
        put_point(key, "to", keys[i].to);
        put_number(key, "field_of_view", keys[i].field_of_view);
        put_number(key, "height", keys[i].height);
        json_array_append_new(list, key);
    }
    return list;
}

pli_status pli_camera_text(const pli_camera_data* camera, pli_arena* arena, const char** text,
                           pli_error* error) {
    if (!camera) return pli_arena_text(arena, "", text, error);
    json_t* root = json_object();
    put_point(root, "from", camera->from);
    put_point(root, "to", camera->to);
    put_number(root, "field_of_view", camera->field_of_view);
    put_number(root, "height", camera->height);
    if (*camera->follow) json_object_set_new(root, "follow", json_string(camera->follow));
    if (strcmp(camera->projection, "orthographic") == 0)
        json_object_set_new(root, "orthographic", json_true());
    if (camera->keys.count > 0) json_object_set_new(root, "keys", keys_of(camera));
    char* written = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(12));
    json_decref(root);
    if (!written) return pli_fail(error, PLI_E_MEMORY, "out of memory for the camera");
    pli_status status = pli_arena_text(arena, written, text, error);
    free(written);
    return status;
}
