// Writes JSON. A value goes on one line if it fits into LINE characters; else objects have a line
// for each key, lists of plain values are wrapped, and other lists have a line for each value.
#include "scene/json_text.h"

#include "base/text.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 100, INDENT = 2 };

static pli_status put(pli_text* text, const char* bytes, size_t count, pli_error* error) {
    if (count > (size_t)(INT32_MAX / 2 - text->length))
        return pli_fail(error, PLI_E_MEMORY, "the text of the scene is too long");
    int length = text->length + (int)count;
    PLI_TRY(PLI_GROW(text->memory, text->bytes, text->capacity, length + 1, error));
    memcpy(text->bytes + text->length, bytes, count);
    text->bytes[length] = '\0';
    text->length = length;
    return PLI_OK;
}

static pli_status put_text(pli_text* text, const char* bytes, pli_error* error) {
    return put(text, bytes, strlen(bytes), error);
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

// All on one line; gives up, with something longer than `limit`, when it is too long.
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
