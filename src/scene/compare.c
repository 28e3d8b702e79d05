// What is not the same in two scenes, as people read it: "time.step: 0.01 is now 0.02".
#include "scene/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { SHOWN = 60, LINE_SIZE = 2 * SHOWN + 512 };

typedef struct comparison {
    pli_difference_fn* found;
    void* context;
    int count;
} comparison;

// A value on one line, cut where it is long.
static void show(const json_t* value, char text[SHOWN]) {
    char number[PLI_NUMBER_SIZE];
    if (json_is_real(value)) {
        pli_format(text, SHOWN, "%s", pli_format_double(json_real_value(value), number));
        return;
    }
    char* encoded = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    size_t length = encoded ? strlen(encoded) : 0;
    bool cut = length >= SHOWN;
    size_t kept = cut ? SHOWN - 4 : length;
    while (cut && kept > 0 && ((unsigned char)encoded[kept] & 0xC0) == 0x80) --kept;
    pli_format(text, SHOWN, "%.*s%s", (int)kept, encoded ? encoded : "", cut ? "..." : "");
    free(encoded);
}

static void tell(comparison* c, const pli_path* at, const json_t* before, const json_t* now) {
    char path[160], old_text[SHOWN], new_text[SHOWN], line[LINE_SIZE];
    pli_path_text(at, NULL, path, sizeof path);
    if (before) show(before, old_text);
    if (now) show(now, new_text);
    if (before && now)
        pli_format(line, sizeof line, "%s: %s is now %s", path, old_text, new_text);
    else
        pli_format(line, sizeof line, "%s: %s is %s", path, before ? old_text : new_text,
                   before ? "gone" : "new");
    c->count++;
    c->found(c->context, line);
}

// What is for people and editors alone, and where a run ends: one that is made longer is the same
// up to there.
static bool is_ignored(const pli_path* at) {
    static const struct {
        const char *section, *key; // section NULL: a key of the scene itself
    } rows[] = {{NULL, "$schema"}, {NULL, "description"}, {"time", "steps"}, {"time", "duration"}};
    const pli_path* up = at->up;
    if (!at->key || (up && (up->up || !up->key))) return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(at->key, rows[i].key) == 0 && !rows[i].section == !up &&
            (!up || strcmp(up->key, rows[i].section) == 0))
            return true;
    return false;
}

static void compare_values(comparison* c, const pli_path* at, const json_t* before,
                           const json_t* now);

static void compare_objects(comparison* c, const pli_path* at, const json_t* before,
                            const json_t* now) {
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)(uintptr_t)before, key, value) {
        pli_path below = pli_path_key(at, key);
        if (!is_ignored(&below)) compare_values(c, &below, value, json_object_get(now, key));
    }
    json_object_foreach((json_t*)(uintptr_t)now, key, value) {
        pli_path below = pli_path_key(at, key);
        if (!is_ignored(&below) && !json_object_get(before, key)) tell(c, &below, NULL, value);
    }
}

static void compare_lists(comparison* c, const pli_path* at, const json_t* before,
                          const json_t* now) {
    size_t m = json_array_size(before), n = json_array_size(now);
    for (size_t i = 0; i < m || i < n; ++i) {
        pli_path below = pli_path_index(at, (int)i);
        if (i < m)
            compare_values(c, &below, json_array_get(before, i), json_array_get(now, i));
        else
            tell(c, &below, NULL, json_array_get(now, i));
    }
}

// 1 and 1.0 are the same number.
static bool is_same(const json_t* a, const json_t* b) {
    if (json_is_number(a) && json_is_number(b)) return json_number_value(a) == json_number_value(b);
    return json_equal(a, b);
}

static void compare_values(comparison* c, const pli_path* at, const json_t* before,
                           const json_t* now) {
    if (json_is_object(before) && json_is_object(now))
        compare_objects(c, at, before, now);
    else if (json_is_array(before) && json_is_array(now))
        compare_lists(c, at, before, now);
    else if (!now || !is_same(before, now))
        tell(c, at, before, now);
}

pli_status pli_compare_texts(const char* before, const char* now, pli_difference_fn* found,
                             void* context, int* count, pli_error* error) {
    comparison c = {.found = found, .context = context};
    json_error_t wrong;
    json_t* one = json_loads(before, JSON_REJECT_DUPLICATES, &wrong);
    if (!one || !json_is_object(one)) {
        json_decref(one);
        return pli_fail(error, PLI_E_SCENE, "the earlier scene is no JSON object");
    }
    json_t* other = json_loads(now, JSON_REJECT_DUPLICATES, &wrong);
    if (!other) {
        json_decref(one);
        return pli_fail(error, PLI_E_MEMORY, "out of memory: the text of a scene");
    }
    compare_objects(&c, NULL, one, other);
    json_decref(one);
    json_decref(other);
    *count = c.count;
    return PLI_OK;
}
