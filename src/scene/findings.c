// Paths, their places in the text, and the list of findings. The list is bounded: a million wrong
// numbers give 200 findings and a count.
#define _POSIX_C_SOURCE 200809L // strnlen
#include "scene/findings.h"

#include "base/text.h"
#include "pliant/scene.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- paths

int pli_path_nodes(const pli_path* path, const pli_path* nodes[PLI_PATH_DEPTH]) {
    int depth = 0;
    for (const pli_path* p = path; p && depth < PLI_PATH_DEPTH; p = p->up) ++depth;
    int i = depth;
    for (const pli_path* p = path; i > 0; p = p->up) nodes[--i] = p;
    return depth;
}

void pli_path_text(const pli_path* path, const pli_path* base, char* buffer, size_t size) {
    const pli_path* nodes[PLI_PATH_DEPTH];
    int count = pli_path_nodes(path, nodes);
    int first = 0;
    for (int i = 0; i < count; ++i)
        if (nodes[i] == base) first = i + 1;
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = first; i < count; ++i) {
        const char* dot = i > first && nodes[i]->key ? "." : "";
        int n = nodes[i]->key ? snprintf(buffer + used, size - used, "%s%s", dot, nodes[i]->key)
                              : snprintf(buffer + used, size - used, "[%d]", nodes[i]->index);
        if (n < 0 || (size_t)n >= size - used) return;
        used += (size_t)n;
    }
}

// ---- places in the text

static const char* skip_space(const char* p) { return p + strspn(p, " \t\r\n"); }

// From the opening quote to after the closing one.
static const char* skip_string(const char* p) {
    for (++p; *p && *p != '"'; ++p)
        if (*p == '\\' && p[1]) ++p;
    return *p ? p + 1 : p;
}

// One token: a string, a mark, or a run of anything else.
static const char* skip_token(const char* p) {
    if (*p == '"') return skip_string(p);
    if (*p && strchr("{}[]:,", *p)) return p + 1;
    const char* end = p + strcspn(p, "{}[]:,\" \t\r\n");
    return end;
}

static const char* skip_value(const char* p) {
    int depth = 0;
    do {
        p = skip_space(p);
        if (!*p) return p;
        if (*p == '{' || *p == '[') ++depth;
        if (*p == '}' || *p == ']') --depth;
        p = skip_token(p);
    } while (depth > 0);
    return p;
}

// Whether the string token [p, end) is `key`. Escapes are left to jansson.
static bool token_is(const char* p, const char* end, const char* key) {
    size_t length = (size_t)(end - p);
    if (length < 2) return false;
    if (!memchr(p, '\\', length))
        return strlen(key) == length - 2 && memcmp(p + 1, key, length - 2) == 0;
    json_t* value = json_loadb(p, length, JSON_DECODE_ANY, NULL);
    bool same = json_is_string(value) && strcmp(json_string_value(value), key) == 0;
    json_decref(value);
    return same;
}

// The value of `key` in the object at p, or NULL; *key_at is where the key is.
static const char* find_key(const char* p, const char* key, const char** key_at) {
    if (*p != '{') return NULL;
    p = skip_space(p + 1);
    while (*p == '"') {
        const char* end = skip_string(p);
        const char* value = skip_space(end);
        if (*value == ':') value = skip_space(value + 1);
        if (token_is(p, end, key)) {
            *key_at = p;
            return value;
        }
        p = skip_space(skip_value(value));
        if (*p == ',') p = skip_space(p + 1);
    }
    return NULL;
}

static const char* find_index(const char* p, int index) {
    if (*p != '[') return NULL;
    p = skip_space(p + 1);
    for (int i = 0; *p && *p != ']'; ++i) {
        if (i == index) return p;
        p = skip_space(skip_value(p));
        if (*p == ',') p = skip_space(p + 1);
    }
    return NULL;
}

pli_place pli_locate(const char* text, const pli_path* path, pli_place_of what) {
    const pli_path* nodes[PLI_PATH_DEPTH];
    int count = pli_path_nodes(path, nodes);
    const char* at = skip_space(text);
    bool exact = true;
    for (int i = 0; i < count && exact; ++i) {
        const char* key_at = NULL;
        const char* next =
            nodes[i]->key ? find_key(at, nodes[i]->key, &key_at) : find_index(at, nodes[i]->index);
        exact = next != NULL;
        if (exact) at = i == count - 1 && what == PLI_AT_KEY && key_at ? key_at : next;
    }
    pli_place place = pli_place_at(text, (size_t)(at - text));
    place.exact = exact;
    return place;
}

pli_place pli_place_at(const char* text, size_t offset) {
    pli_place place = {1, 1, true};
    for (size_t i = 0; i < offset && text[i]; ++i) {
        bool inside_character = ((unsigned char)text[i + 1] & 0xC0u) == 0x80u; // UTF-8 tail byte
        if (text[i] == '\n') {
            ++place.line;
            place.column = 1;
        } else if (!inside_character) {
            ++place.column;
        }
    }
    return place;
}

size_t pli_token_start(const char* text, size_t end) {
    const char* p = skip_space(text);
    while (*p) {
        const char* next = skip_token(p);
        if ((size_t)(next - text) >= end) break;
        p = skip_space(next);
    }
    return (size_t)(p - text);
}

// ---- words in messages

const char* pli_nearest_hint(const pli_nearest* nearest, char hint[PLI_HINT_SIZE]) {
    hint[0] = '\0';
    if (nearest->best) snprintf(hint, PLI_HINT_SIZE, ", did you mean \"%.80s\"?", nearest->best);
    return hint;
}

void pli_append_word(char* buffer, size_t size, const char* word) {
    static const char more[] = ", ...";
    size_t used = strlen(buffer);
    if (used > 0 && buffer[used - 1] == '.') return; // words end in "
    if (used + strlen(word) + 4 + sizeof more > size)
        snprintf(buffer + used, size - used, "%s", used > 0 ? more : more + 2);
    else
        snprintf(buffer + used, size - used, "%s\"%s\"", used > 0 ? ", " : "", word);
}

const char* pli_value_text(const json_t* value, char text[PLI_VALUE_SIZE]) {
    const char* string;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        snprintf(text, PLI_VALUE_SIZE, "a list of %zu", json_array_size(value));
        return text;
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_NULL:
        return "null";
    case JSON_REAL:
        pli_format(text, PLI_VALUE_SIZE, "%.10g", json_real_value(value));
        return text;
    case JSON_INTEGER:
        snprintf(text, PLI_VALUE_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        return text;
    case JSON_STRING:
        string = json_string_value(value);
        snprintf(text, PLI_VALUE_SIZE, "\"%.40s%s\"", string, strlen(string) > 40 ? "..." : "");
        return text;
    }
    return "";
}

// ---- the list

void pli_findings_init(pli_findings* findings, pli_memory* memory) {
    *findings = (pli_findings){.memory = memory};
}

void pli_findings_free(pli_findings* findings) {
    pli_findings_drop_sources(findings);
    PLI_FREE(findings->memory, findings->items, findings->capacity);
}

// ---- the files of a scene

// A copy of the top: its lists and objects are those of the tree, and are not changed by merging.
pli_status pli_findings_add_source(pli_findings* findings, const char* path, const char* text,
                                   json_t* tree, pli_error* error) {
    int count = findings->source_count;
    PLI_TRY(
        PLI_GROW(findings->memory, findings->sources, findings->source_capacity, count + 1, error));
    json_t* copy = json_copy(tree);
    if (!copy) return pli_fail(error, PLI_E_MEMORY, "out of memory: a scene of several files");
    findings->sources[findings->source_count++] =
        (pli_source){.path = count > 0 ? path : NULL, .text = text, .tree = copy};
    return PLI_OK;
}

void pli_findings_set_tree(pli_findings* findings, json_t* tree) {
    json_decref(findings->tree);
    findings->tree = json_incref(tree);
}

void pli_findings_drop_sources(pli_findings* findings) {
    for (int i = 0; i < findings->source_count; ++i) json_decref(findings->sources[i].tree);
    json_decref(findings->tree);
    PLI_FREE(findings->memory, findings->sources, findings->source_capacity);
    findings->source_count = 0;
    findings->tree = NULL;
    findings->source = (pli_source){0};
}

// The index in a source of entry `index` of a joined list; -1: it is of another source.
static int index_in(const pli_findings* findings, const pli_source* source, const char* key,
                    int index) {
    const json_t* entry = json_array_get(json_object_get(findings->tree, key), (size_t)index);
    const json_t* own = json_object_get(source->tree, key);
    for (size_t i = 0; entry && i < json_array_size(own); ++i)
        if (json_array_get(own, i) == entry) return (int)i;
    return -1;
}

// The place in one of the sources.
static pli_place locate_in(const pli_findings* findings, const pli_source* source,
                           const pli_path* path, pli_place_of what) {
    const pli_path* nodes[PLI_PATH_DEPTH];
    pli_path copies[PLI_PATH_DEPTH];
    int count = pli_path_nodes(path, nodes);
    bool listed = count > 1 && nodes[0]->key && !nodes[1]->key;
    for (int i = 0; i < count; ++i) {
        copies[i] = *nodes[i];
        copies[i].up = i > 0 ? &copies[i - 1] : NULL;
    }
    if (listed) copies[1].index = index_in(findings, source, nodes[0]->key, nodes[1]->index);
    if (listed && copies[1].index < 0) return (pli_place){0};
    return pli_locate(source->text, count > 0 ? &copies[count - 1] : NULL, what);
}

// The place of a value, and the source that has it; of several the scene itself, then the last.
static pli_place locate(const pli_findings* findings, const pli_path* path, pli_place_of what,
                        const pli_source** source) {
    *source = &findings->source;
    if (findings->source_count == 0) return pli_locate(findings->source.text, path, what);
    pli_place best = {0};
    for (int i = 0; i < findings->source_count && !best.exact; ++i) {
        pli_place place = locate_in(findings, &findings->sources[i], path, what);
        if (place.line == 0 || (best.line > 0 && !place.exact)) continue;
        best = place;
        *source = &findings->sources[i];
    }
    return best;
}

void pli_findings_go_back(pli_findings* findings, const pli_findings* before) {
    findings->count = before->count;
    findings->error_count = before->error_count;
    findings->omitted = before->omitted;
}

// Whether `path` is `prefix` or lies below it.
static bool is_below(const char* path, const char* prefix) {
    size_t n = strlen(prefix);
    return strncmp(path, prefix, n) == 0 && (!path[n] || path[n] == '.' || path[n] == '[');
}

// Adds an entry; *finding is NULL if the list is full (it is only counted).
static pli_status next(pli_findings* findings, pli_severity severity, pli_finding** finding,
                       pli_error* error) {
    *finding = NULL;
    if (findings->count >= PLI_FINDING_LIMIT) {
        findings->omitted++;
    } else {
        PLI_TRY(PLI_GROW(findings->memory, findings->items, findings->capacity, findings->count + 1,
                         error));
        *finding = &findings->items[findings->count++];
        **finding = (pli_finding){.severity = severity};
    }
    if (severity == PLI_ERROR) findings->error_count++;
    return PLI_OK;
}

// `body "mat": ` or `bodies[1]: `; names are cut to keep room for the message.
static void write_label(const pli_path* node, char* buffer, size_t size) {
    buffer[0] = '\0';
    if (!node) return;
    if (node->name) {
        bool cut = strlen(node->name) > 40;
        snprintf(buffer, size, "%s \"%.40s%s\": ", node->label, node->name, cut ? "..." : "");
    } else {
        pli_path_text(node, NULL, buffer, size - 3);
        strcat(buffer, ": ");
    }
}

// Whether an override set `path` or, with `below`, something below it.
static bool is_set(const pli_findings* findings, const char* path, bool below) {
    for (int i = 0; i < findings->overridden.count; ++i) {
        const char* set = findings->overridden.paths[i];
        if (set && (below ? is_below(set, path) : is_below(path, set))) return true;
    }
    return false;
}

bool pli_findings_is_overridden(const pli_findings* findings, const pli_path* path) {
    char text[sizeof findings->items->path];
    pli_path_text(path, NULL, text, sizeof text);
    return is_set(findings, text, false);
}

static void set_place(const pli_findings* findings, const pli_path* path, pli_place_of what,
                      pli_finding* f) {
    f->overridden = pli_findings_is_overridden(findings, path);
    if (!path || f->overridden || !findings->source.text) return;
    const pli_source* source;
    pli_place place = locate(findings, path, what, &source);
    f->overridden = what == PLI_AT_KEY && !place.exact && is_set(findings, f->path, true);
    if (f->overridden) return;
    f->line = place.line;
    f->column = place.column;
    f->file = source->path;
}

static bool error_among(const pli_findings* findings, int count, const pli_path* path) {
    char prefix[sizeof findings->items->path];
    pli_path_text(path, NULL, prefix, sizeof prefix);
    for (int i = 0; i < count; ++i)
        if (findings->items[i].severity == PLI_ERROR && is_below(findings->items[i].path, prefix))
            return true;
    return false;
}

pli_status pli_finding_add(pli_findings* findings, pli_severity severity, const pli_path* path,
                           pli_place_of what, pli_error* error, const char* format, ...) {
    if (path && error_among(findings, findings->settled, path)) return PLI_OK;
    pli_finding* f;
    PLI_TRY(next(findings, severity, &f, error));
    if (!f) return PLI_OK;
    pli_path_text(path, NULL, f->path, sizeof f->path);
    set_place(findings, path, what, f);
    const pli_path* label = path;
    while (label && !label->label) label = label->up;
    char prefix[sizeof f->message / 2], message[sizeof f->message];
    write_label(label, prefix, sizeof prefix);
    va_list args;
    va_start(args, format);
    bool cut = vsnprintf(message, sizeof message, format, args) >= (int)sizeof message;
    va_end(args);
    bool has_it = strncmp(message, prefix, strlen(prefix)) == 0; // other modules add it too
    int n = snprintf(f->message, sizeof f->message, "%s", has_it ? "" : prefix);
    int room = (int)sizeof f->message - n;
    cut |= snprintf(f->message + n, (size_t)room, "%s", message) >= room;
    if (cut) memcpy(f->message + sizeof f->message - 4, "...", 4);
    pli_printable(f->message, f->message, sizeof f->message);
    return PLI_OK;
}

pli_status pli_finding_add_at(pli_findings* findings, size_t offset, pli_error* error,
                              const char* format, ...) {
    pli_finding* f;
    PLI_TRY(next(findings, PLI_ERROR, &f, error));
    if (!f) return PLI_OK;
    pli_place place = pli_place_at(findings->source.text, offset);
    f->line = place.line;
    f->column = place.column;
    f->file = findings->source.path;
    va_list args;
    va_start(args, format);
    vsnprintf(f->message, sizeof f->message, format, args);
    va_end(args);
    pli_printable(f->message, f->message, sizeof f->message);
    return PLI_OK;
}

pli_status pli_finding_from(pli_findings* findings, const pli_path* path, pli_status status,
                            pli_error* error) {
    if (status == PLI_OK || status == PLI_E_MEMORY) return status;
    char message[sizeof error->message];
    snprintf(message, sizeof message, "%s", error->message);
    PLI_TRY(PLI_FIND(findings, path, error, "%s", message));
    *error = (pli_error){0};
    return PLI_OK;
}

bool pli_findings_error_below(const pli_findings* findings, const pli_path* path) {
    return error_among(findings, findings->count, path);
}

static bool comes_before(const pli_finding* a, const pli_finding* b) {
    if ((a->line == 0) != (b->line == 0)) return b->line == 0;
    if (!a->file != !b->file) return !a->file; // the scene itself first
    if (a->file && strcmp(a->file, b->file) != 0) return strcmp(a->file, b->file) < 0;
    if (a->line != b->line) return a->line < b->line;
    return a->column < b->column;
}

pli_status pli_findings_finish(pli_findings* findings, pli_error* error) {
    for (int i = 1; i < findings->count; ++i) { // insertion sort: stable, at most 200 items
        pli_finding moved = findings->items[i];
        int j = i;
        for (; j > 0 && comes_before(&moved, &findings->items[j - 1]); --j)
            findings->items[j] = findings->items[j - 1];
        findings->items[j] = moved;
    }
    if (findings->omitted == 0) return PLI_OK;
    PLI_TRY(PLI_GROW(findings->memory, findings->items, findings->capacity, findings->count + 1,
                     error));
    pli_finding* last = &findings->items[findings->count++];
    *last = (pli_finding){.severity = PLI_NOTE};
    snprintf(last->message, sizeof last->message, "and %d more findings", findings->omitted);
    return PLI_OK;
}
