// Scenes as text and as JSON trees. Written JSON keeps the order of keys; a value that fits goes on
// one line; numbers use the shortest form that reads back exactly.
#include "scene/source.h"

#include "base/file.h"
#include "base/text.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- reading

enum { SIZE_LIMIT = 256 << 20 }; // [bytes]

pli_status pli_source_read(pli_memory* memory, const char* path, char** text, size_t* size,
                           pli_error* error) {
    return pli_read_file(memory, path, SIZE_LIMIT, text, size, error);
}

// Common mistakes in JSON, by the first characters of the bad token.
static const char* syntax_hint(const char* at) {
    static const struct {
        const char* start;
        const char* hint;
    } hints[] = {
        {"/*", "the comment is not closed"},
        {"/", "comments are // to the end of the line, or /* ... */"},
        {"#", "comments are // to the end of the line, or /* ... */"},
        {"'", "texts are written in double quotes"},
        {"NaN", "numbers must be finite"},
        {"nan", "numbers must be finite"},
        {"Infinity", "numbers must be finite"},
        {"inf", "numbers must be finite"},
        {"True", "write true"},
        {"False", "write false"},
        {"None", "omit the key"},
        {"}", "there may be a superfluous comma or value before it"},
        {"]", "there may be a superfluous comma or value before it"},
        {"\"", "a comma may be missing before it"},
        {"{", "a comma may be missing before it"},
        {"[", "a comma may be missing before it"},
        {".", "numbers start with a digit: 0.5"},
        {"+", "numbers start with a digit or -"},
        {"\xEF\xBB\xBF", "save the file without a byte order mark"},
    };
    for (size_t i = 0; i < sizeof hints / sizeof *hints; ++i)
        if (strncmp(at, hints[i].start, strlen(hints[i].start)) == 0) return hints[i].hint;
    return "";
}

static pli_status syntax_error(pli_findings* findings, const json_error_t* json, pli_error* error) {
    size_t end = json->position > 0 ? (size_t)json->position : 0;
    size_t start = pli_token_start(findings->source.text, end);
    enum json_error_code code = json_error_code(json);
    const char* hint = "";
    if (code == json_error_premature_end_of_input) {
        start = strlen(findings->source.text);
        hint = "a bracket or quote is not closed";
    } else if (strstr(json->text, "unexpected newline")) {
        hint = "the closing quote is missing";
    } else if (code == json_error_invalid_syntax) {
        hint = syntax_hint(findings->source.text + start);
    }
    return pli_finding_add_at(findings, start, error, "not valid JSON: %s%s%s", json->text,
                              *hint ? "; " : "", hint);
}

pli_status pli_source_parse(pli_findings* findings, size_t size, json_t** root, pli_error* error) {
    const char* text = findings->source.text;
    size_t length = strlen(text);
    *root = NULL;
    if (length < size)
        return pli_finding_add_at(findings, length, error, "NUL byte: this is not a text file");
    if (strspn(text, " \t\r\n") == length)
        return pli_finding_add_at(findings, 0, error, "the file is empty, must be a JSON object");
    json_error_t json;
    json_t* tree = json_loadb(text, length, JSON_REJECT_DUPLICATES, &json);
    if (!tree && json_error_code(&json) == json_error_out_of_memory)
        return pli_fail(error, PLI_E_MEMORY, "out of memory: JSON text of %zu bytes", length);
    if (!tree) return syntax_error(findings, &json, error);
    if (!json_is_object(tree)) {
        json_decref(tree);
        return pli_finding_add_at(findings, strspn(text, " \t\r\n"), error,
                                  "a scene must be a JSON object {...}");
    }
    *root = tree;
    return PLI_OK;
}

// ---- files that a scene names

enum { NAME_SIZE = 128 };

// The environment variable at the start of the path, "" if none; *rest is the path after it, from
// the slash on.
static void split(const char* path, char name[NAME_SIZE], const char** rest) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    name[0] = '\0';
    *rest = path;
    if (path[0] != '$') return;
    bool braced = path[1] == '{';
    const char* start = path + 1 + braced;
    size_t length = strspn(start, letters);
    const char* end = start + length + (braced && start[length] == '}');
    if (length == 0 || length >= NAME_SIZE || *end != '/') return;
    memcpy(name, start, length);
    name[length] = '\0';
    *rest = end;
}

pli_status pli_file_path(const char* folder, const char* path, char* full, size_t size,
                         pli_error* error) {
    char name[NAME_SIZE];
    const char *rest, *front = "";
    split(path, name, &rest);
    if (name[0]) {
        front = getenv(name);
        if (!front)
            return pli_fail(error, PLI_E_SCENE,
                            "\"%.200s\": the environment variable %s is not set", path, name);
    }
    bool relative = !name[0] && path[0] != '/' && folder[0] != '\0';
    int n = snprintf(full, size, "%s%s%s", relative ? folder : front, relative ? "/" : "", rest);
    if (n < 0 || (size_t)n >= size)
        return pli_fail(error, PLI_E_SCENE, "the path has %d characters: use a shorter one", n);
    return PLI_OK;
}

// ---- overrides

enum { KEY_SIZE = 128 };

// One step of a path.
typedef struct step {
    bool is_key;
    char key[KEY_SIZE];
    size_t index;
} step;

static const char* type_name(const json_t* value) {
    if (json_is_object(value)) return "an object";
    if (json_is_array(value)) return "a list";
    return "a single value";
}

// Reads the next step of *text, which is not at its end.
static pli_status next_step(const char** text, const char* path, bool first, step* out,
                            pli_error* error) {
    const char* p = *text;
    if (*p == '[') {
        char* end = NULL;
        unsigned long index = p[1] >= '0' && p[1] <= '9' ? strtoul(p + 1, &end, 10) : 0;
        if (!end || *end != ']' || index > INT_MAX)
            return pli_fail(error, PLI_E_SCENE, "--set %s: expected an index in [ ]", path);
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
                            type_name(at));
        *below = json_object_get(at, s->key);
        return PLI_OK;
    }
    if (!json_is_array(at))
        return pli_fail(error, PLI_E_SCENE, "--set %s: [%zu] needs a list before it, not %s", path,
                        s->index, type_name(at));
    size_t size = json_array_size(at);
    if (s->index >= size && (size > 0 || s->index > 0))
        return pli_fail(error, PLI_E_SCENE, "--set %s: index %zu is out of range, the list has %zu",
                        path, s->index, size);
    *below = json_array_get(at, s->index);
    return PLI_OK;
}

// Checks the rest of a path through missing values: new lists have one entry.
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
static pli_status set_below(json_t* at, const step* s, json_t* value, pli_error* error) {
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

// Sets `value` at the end of the path and creates what is missing. Errors are found before anything
// is created, so that a failure leaves the tree unchanged. Does not own `value`.
static pli_status set_at(json_t* root, const char* path, json_t* value, pli_error* error) {
    json_t* at = root;
    const char* text = path;
    for (bool first = true;; first = false) {
        step s;
        json_t* below = NULL;
        PLI_TRY(next_step(&text, path, first, &s, error));
        PLI_TRY(descend(at, &s, path, &below, error));
        if (!*text) return set_below(at, &s, json_incref(value), error);
        if (!below) {
            PLI_TRY(check_fresh(text, path, error));
            below = *text == '[' ? json_array() : json_object();
            PLI_TRY(set_below(at, &s, below, error));
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
    pli_status status = set_at(root, path, value, error);
    json_decref(value);
    return status;
}

// ---- writing

enum { LINE = 100, INDENT = 2 };

static pli_status put_text(pli_text* text, const char* bytes, pli_error* error) {
    size_t count = strlen(bytes);
    if (count > (size_t)(INT32_MAX / 2 - text->length))
        return pli_fail(error, PLI_E_MEMORY, "the text of the scene is too long");
    int length = text->length + (int)count;
    PLI_TRY(PLI_GROW(text->memory, text->bytes, text->capacity, length + 1, error));
    memcpy(text->bytes + text->length, bytes, count);
    text->bytes[length] = '\0';
    text->length = length;
    return PLI_OK;
}

static pli_status put_line(pli_text* text, int indent, pli_error* error) {
    PLI_TRY(put_text(text, "\n", error));
    for (int i = 0; i < indent; ++i) PLI_TRY(put_text(text, " ", error));
    return PLI_OK;
}

static bool is_plain(const json_t* value) {
    return !json_is_object(value) && !json_is_array(value);
}

static pli_status put_plain(pli_text* text, const json_t* value, pli_error* error) {
    char number[PLI_NUMBER_SIZE];
    if (json_is_real(value))
        return put_text(text, pli_format_double(json_real_value(value), number), error);
    char* encoded = json_dumps(value, JSON_ENCODE_ANY);
    if (!encoded) return pli_fail(error, PLI_E_MEMORY, "out of memory: a JSON value");
    pli_status status = put_text(text, encoded, error);
    free(encoded);
    return status;
}

static pli_status put_key(pli_text* text, const char* key, pli_error* error) {
    json_t* name = json_string(key);
    pli_status status = name ? put_plain(text, name, error)
                             : pli_fail(error, PLI_E_MEMORY, "out of memory: a JSON key");
    json_decref(name);
    PLI_TRY(status);
    return put_text(text, ": ", error);
}

// All on one line; gives up with more than `limit` characters if it is too long.
static pli_status put_short(pli_text* text, const json_t* value, int limit, pli_error* error) {
    if (is_plain(value)) return put_plain(text, value, error);
    int start = text->length;
    bool object = json_is_object(value);
    PLI_TRY(put_text(text, object ? "{ " : "[", error));
    const char* between = "";
    if (object) {
        const char* key;
        json_t* item;
        json_object_foreach((json_t*)(uintptr_t)value, key, item) {
            PLI_TRY(put_text(text, between, error));
            PLI_TRY(put_key(text, key, error));
            PLI_TRY(put_short(text, item, limit, error));
            between = ", ";
            if (text->length - start > limit) return PLI_OK;
        }
    } else {
        for (size_t i = 0; i < json_array_size(value); ++i) {
            PLI_TRY(put_text(text, between, error));
            PLI_TRY(put_short(text, json_array_get(value, i), limit, error));
            between = ", ";
            if (text->length - start > limit) return PLI_OK;
        }
    }
    return put_text(text, object ? " }" : "]", error);
}

static pli_status put_value(pli_text* text, const json_t* value, int indent, pli_error* error);

static pli_status put_object(pli_text* text, const json_t* value, int indent, pli_error* error) {
    const char *key, *between = "{";
    json_t* item;
    json_object_foreach((json_t*)(uintptr_t)value, key, item) {
        PLI_TRY(put_text(text, between, error));
        PLI_TRY(put_line(text, indent + INDENT, error));
        PLI_TRY(put_key(text, key, error));
        PLI_TRY(put_value(text, item, indent + INDENT, error));
        between = ",";
    }
    PLI_TRY(put_line(text, indent, error));
    return put_text(text, "}", error);
}

static int column(const pli_text* text) {
    int at = text->length;
    while (at > 0 && text->bytes[at - 1] != '\n') --at;
    return text->length - at;
}

static pli_status put_list(pli_text* text, const json_t* value, int indent, pli_error* error) {
    PLI_TRY(put_text(text, "[", error));
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const json_t* item = json_array_get(value, i);
        if (i > 0) PLI_TRY(put_text(text, ",", error));
        if (i > 0 && is_plain(item) && column(text) < LINE - 24)
            PLI_TRY(put_text(text, " ", error));
        else
            PLI_TRY(put_line(text, indent + INDENT, error));
        PLI_TRY(put_value(text, item, indent + INDENT, error));
    }
    PLI_TRY(put_line(text, indent, error));
    return put_text(text, "]", error);
}

static pli_status put_value(pli_text* text, const json_t* value, int indent, pli_error* error) {
    int start = text->length, limit = pli_max_int(LINE - column(text), 0);
    PLI_TRY(put_short(text, value, limit, error));
    bool top = indent == 0 && json_is_object(value);
    if (is_plain(value) || (text->length - start <= limit && !top)) return PLI_OK;
    text->length = start;
    return (json_is_object(value) ? put_object : put_list)(text, value, indent, error);
}

pli_status pli_json_write(const json_t* tree, pli_text* text, pli_error* error) {
    PLI_TRY(put_value(text, tree, 0, error));
    return put_text(text, "\n", error);
}

void pli_text_free(pli_text* text) {
    PLI_FREE(text->memory, text->bytes, text->capacity);
    text->length = 0;
}

// ---- comparing

enum { SHOWN = 60, LINE_SIZE = 2 * SHOWN + 512 };

typedef struct comparison {
    pli_difference_fn* found;
    void* context;
    int count;
} comparison;

// A value on one line, cut if it is long.
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

static void report_difference(comparison* c, const pli_path* at, const json_t* before,
                              const json_t* now) {
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

// Keys without effect on the simulation, and the end of the run: a longer run is the same up to
// there.
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
        if (!is_ignored(&below) && !json_object_get(before, key))
            report_difference(c, &below, NULL, value);
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
            report_difference(c, &below, NULL, json_array_get(now, i));
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
        report_difference(c, at, before, now);
}

pli_status pli_compare_texts(const char* before, const char* now, pli_difference_fn* found,
                             void* context, int* count, pli_error* error) {
    comparison c = {.found = found, .context = context};
    json_error_t wrong;
    json_t* one = json_loads(before, JSON_REJECT_DUPLICATES, &wrong);
    if (!one || !json_is_object(one)) {
        json_decref(one);
        return pli_fail(error, PLI_E_SCENE, "the earlier scene is not a JSON object");
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
