// Paths: name ( "." name | "[" number "]" )*.
#include "scene/override.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SIZE = 128 };

// One step of a path.
typedef struct step {
    bool is_key;
    char key[KEY_SIZE];
    size_t index;
} step;

static const char* kind_of(const json_t* value) {
    if (json_is_object(value)) return "an object";
    if (json_is_array(value)) return "a list";
    return "a single value";
}

// Takes the next step off *text, which is never at the end.
static pli_status next_step(const char** text, const char* path, bool first, step* out,
                            pli_error* error) {
    const char* p = *text;
    if (*p == '[') {
        char* end = NULL;
        unsigned long index = p[1] >= '0' && p[1] <= '9' ? strtoul(p + 1, &end, 10) : 0;
        if (!end || *end != ']' || index > INT_MAX)
            return pli_fail(error, PLI_E_SCENE, "--set %s: expected a number in [ ]", path);
        *out = (step){.is_key = false, .index = index};
        *text = end + 1;
        return PLI_OK;
    }
    bool dotted = *p == '.';
    if (dotted) ++p;
    size_t length = strcspn(p, ".[");
    if (dotted == first || length == 0 || length >= KEY_SIZE || memchr(p, ']', length))
        return pli_fail(error, PLI_E_SCENE, "--set %s: expected a key such as time.step", path);
    *out = (step){.is_key = true};
    memcpy(out->key, p, length);
    *text = p + length;
    return PLI_OK;
}

// The value one step below `at`; NULL: a key that is missing, or the first entry of an empty list.
static pli_status descend(json_t* at, const step* s, const char* path, json_t** below,
                          pli_error* error) {
    if (s->is_key) {
        if (!json_is_object(at))
            return pli_fail(error, PLI_E_SCENE,
                            "--set %s: \"%s\" needs an object before it, not %s", path, s->key,
                            kind_of(at));
        *below = json_object_get(at, s->key);
        return PLI_OK;
    }
    if (!json_is_array(at))
        return pli_fail(error, PLI_E_SCENE, "--set %s: [%zu] needs a list before it, not %s", path,
                        s->index, kind_of(at));
    size_t size = json_array_size(at);
    if (s->index >= size && (size > 0 || s->index > 0))
        return pli_fail(error, PLI_E_SCENE, "--set %s: index %zu is out of range, the list has %zu",
                        path, s->index, size);
    *below = json_array_get(at, s->index);
    return PLI_OK;
}

// Walks the rest of a path that leads through nothing: its lists are made with one entry.
static pli_status check_fresh(const char* text, const char* path, pli_error* error) {
    while (*text) {
        step s = {0};
        PLI_TRY(next_step(&text, path, false, &s, error));
        if (!s.is_key && s.index > 0)
            return pli_fail(error, PLI_E_SCENE,
                            "--set %s: index %zu is out of range, the list has 0", path, s.index);
    }
    return PLI_OK;
}

// Steals `value`.
static pli_status put(json_t* at, const step* s, json_t* value, pli_error* error) {
    int failed = !value;
    if (!failed && s->is_key)
        failed = json_object_set_new(at, s->key, value);
    else if (!failed && json_array_size(at) == 0)
        failed = json_array_append_new(at, value);
    else if (!failed)
        failed = json_array_set_new(at, s->index, value);
    return failed ? pli_fail(error, PLI_E_MEMORY, "out of memory: --set") : PLI_OK;
}

static json_t* parse_value(const char* text) {
    json_t* value = json_loads(text, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
    return value ? value : json_string(text);
}

// Puts `value` at the end of the path, making what is missing on the way. What can be wrong is
// found before anything is made, so that a failure leaves the tree as it was. Does not own `value`.
static pli_status place(json_t* root, const char* path, json_t* value, pli_error* error) {
    json_t* at = root;
    const char* text = path;
    for (bool first = true;; first = false) {
        step s;
        json_t* below = NULL;
        PLI_TRY(next_step(&text, path, first, &s, error));
        PLI_TRY(descend(at, &s, path, &below, error));
        if (!*text) return put(at, &s, json_incref(value), error);
        if (!below) {
            PLI_TRY(check_fresh(text, path, error));
            below = *text == '[' ? json_array() : json_object();
            PLI_TRY(put(at, &s, below, error));
        }
        at = below;
    }
}

pli_status pli_override_apply(json_t* root, const char* override, char* path, size_t size,
                              pli_error* error) {
    const char* equals = strchr(override, '=');
    size_t length = equals ? (size_t)(equals - override) : 0;
    if (!equals || length == 0)
        return pli_fail(error, PLI_E_SCENE, "--set %.100s: must be key.path=value", override);
    if (length >= size)
        return pli_fail(error, PLI_E_SCENE, "--set %.100s...: the path is too long", override);
    memcpy(path, override, length);
    path[length] = '\0';
    json_t* value = parse_value(equals + 1);
    if (!value) return pli_fail(error, PLI_E_SCENE, "--set %s: the value is not valid UTF-8", path);
    pli_status status = place(root, path, value, error);
    json_decref(value);
    return status;
}
