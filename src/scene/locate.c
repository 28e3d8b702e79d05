// Walks JSON text. Every loop stops at the terminating NUL, whatever the text is.
#include "scene/locate.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

static const char* skip_space(const char* p) { return p + strspn(p, " \t\r\n"); }

// p is at the opening quote; the result is behind the closing one.
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
