// Messages by tables: a row per type, a row per member. A member that is missing, unknown, of a
// wrong type or out of range makes the whole message invalid.
#include "viewer/message.h"

#include "base/text.h"

#include <jansson.h>

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct member {
    const char* name;
    bool (*read)(const json_t* value, const struct member* member, void* field);
    size_t offset; // in pli_view_request
    double min, max;
    const char* rule; // for error messages
} member;

// ---- values

static bool read_integer(const json_t* value, const member* m, void* field) {
    if (!json_is_integer(value)) return false;
    double number = (double)json_integer_value(value);
    if (number < m->min || number > m->max) return false;
    *(int*)field = (int)json_integer_value(value);
    return true;
}

static bool read_sequence(const json_t* value, const member* m, void* field) {
    (void)m;
    if (!json_is_integer(value)) return false;
    json_int_t number = json_integer_value(value);
    if (number < 0 || number > UINT32_MAX) return false;
    *(uint32_t*)field = (uint32_t)number;
    return true;
}

static bool read_number(const json_t* value, const member* m, void* field) {
    if (!json_is_number(value)) return false;
    double number = json_number_value(value);
    if (!(number >= m->min && number <= m->max)) return false;
    *(double*)field = number;
    return true;
}

static bool read_place(const json_t* value, const member* m, void* field) {
    if (!json_is_array(value) || json_array_size(value) != 3) return false;
    for (size_t i = 0; i < 3; ++i)
        if (!read_number(json_array_get(value, i), m, (double*)field + i)) return false;
    return true;
}

static bool read_bool(const json_t* value, const member* m, void* field) {
    (void)m;
    if (!json_is_boolean(value)) return false;
    *(bool*)field = json_is_true(value);
    return true;
}

// A text of at most `max` - 1 printable characters.
static bool read_word(const json_t* value, const member* m, void* field) {
    const char* text = json_string_value(value);
    size_t length = json_string_length(value);
    if (!text || length + 1 > (size_t)m->max) return false;
    for (size_t i = 0; i < length; ++i)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f) return false;
    memcpy(field, text, length + 1);
    return true;
}

// bodies[0].energies[1].young: the part of an override before its '='.
static bool read_path(const json_t* value, const member* m, void* field) {
    const char* text = json_string_value(value);
    if (!text || !*text || !read_word(value, m, field)) return false;
    for (const char* c = text; *c; ++c)
        if (!isalnum((unsigned char)*c) && !strchr("_-.[]", *c)) return false;
    return true;
}

static bool read_value(const json_t* value, const member* m, void* field) {
    pli_view_value* out = field;
    *out = (pli_view_value){.type = PLI_VIEW_WORD};
    if (json_is_boolean(value)) {
        out->type = PLI_VIEW_BOOL;
        out->flag = json_is_true(value);
        return true;
    }
    if (json_is_number(value)) {
        out->type = PLI_VIEW_NUMBER;
        return read_number(value, m, &out->number);
    }
    member word = {.max = PLI_VIEW_WORD_SIZE};
    return read_word(value, &word, out->word);
}

// ---- the types

#define AT(field) offsetof(pli_view_request, field)
enum { MEMBERS_MAX = 3 };

static const struct row {
    const char* type;
    pli_view_kind kind;
    member members[MEMBERS_MAX]; // ends with name NULL
} rows[] = {
    {.type = "play", .kind = PLI_VIEW_PLAY},
    {.type = "pause", .kind = PLI_VIEW_PAUSE},
    {.type = "step", .kind = PLI_VIEW_STEP},
    {.type = "restart", .kind = PLI_VIEW_RESTART},
    {"seek", PLI_VIEW_SEEK, {{"frame", read_integer, AT(frame), 0, 1e9, "a frame's number"}}},
    {"rate", PLI_VIEW_RATE, {{"value", read_number, AT(rate), 0, 1e6, "a number from 0 to 1e6"}}},
    {"show",
     PLI_VIEW_SHOW,
     {{"field", read_word, AT(field), 0, PLI_VIEW_WORD_SIZE, "the key of a field or \"\""},
      {"contacts", read_bool, AT(contacts), 0, 0, "true or false"}}},
    {"grab",
     PLI_VIEW_GRAB,
     {{"vertex", read_integer, AT(vertex), 0, 2147483646, "a vertex' number"},
      {"target", read_place, AT(target), -1e9, 1e9, "three numbers within 1e9 m"},
      {"body", read_bool, AT(body), 0, 0, "true or false"}}},
    {"drag",
     PLI_VIEW_DRAG,
     {{"target", read_place, AT(target), -1e9, 1e9, "three numbers within 1e9 m"}}},
    {.type = "release", .kind = PLI_VIEW_RELEASE},
    {"set",
     PLI_VIEW_SET,
     {{"path", read_path, AT(path), 0, PLI_VIEW_PATH_SIZE, "the path of a parameter"},
      {"value", read_value, AT(value), -1e300, 1e300, "a number, a word, true or false"}}},
    {"open",
     PLI_VIEW_OPEN,
     {{"scene", read_word, AT(scene), 0, PLI_VIEW_WORD_SIZE, "the name of a scene"}}},
    {"ack", PLI_VIEW_ACK, {{"sequence", read_sequence, AT(sequence), 0, 0, "a sequence number"}}},
};

static const struct row* find_row(const char* type) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(rows[i].type, type) == 0) return &rows[i];
    return NULL;
}

// Writes the message; always false.
static bool refuse(char why[PLI_VIEW_WHY_SIZE], const char* format, ...) PLI_PRINTF(2, 3);
static bool refuse(char why[PLI_VIEW_WHY_SIZE], const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(why, PLI_VIEW_WHY_SIZE, format, args);
    va_end(args);
    pli_printable(why, why, PLI_VIEW_WHY_SIZE);
    return false;
}

static bool read_members(const struct row* row, const json_t* root, pli_view_request* request,
                         char why[PLI_VIEW_WHY_SIZE]) {
    size_t known = 1; // "type"
    for (int i = 0; i < MEMBERS_MAX && row->members[i].name; ++i, ++known) {
        const member* m = &row->members[i];
        const json_t* value = json_object_get(root, m->name);
        if (!value)
            return refuse(why, "%s: %s is missing, must be %s", row->type, m->name, m->rule);
        if (!m->read(value, m, (char*)request + m->offset))
            return refuse(why, "%s: %s must be %s", row->type, m->name, m->rule);
    }
    if (json_object_size(root) > known) return refuse(why, "%s: unknown member", row->type);
    return true;
}

static bool read_root(const json_t* root, pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]) {
    if (!json_is_object(root)) return refuse(why, "a message must be a JSON object");
    const char* type = json_string_value(json_object_get(root, "type"));
    if (!type) return refuse(why, "a message must have a type");
    const struct row* row = find_row(type);
    if (!row) return refuse(why, "unknown message type \"%.40s\"", type);
    *request = (pli_view_request){.kind = row->kind};
    return read_members(row, root, request, why);
}

bool pli_view_message_read(const char* text, size_t length, pli_view_request* request,
                           char why[PLI_VIEW_WHY_SIZE]) {
    if (length > PLI_VIEW_MESSAGE_MAX)
        return refuse(why, "a message must not be longer than %d bytes", PLI_VIEW_MESSAGE_MAX);
    json_error_t bad;
    json_t* root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &bad);
    if (!root) return refuse(why, "a message must be JSON: %s", bad.text);
    bool good = read_root(root, request, why);
    json_decref(root);
    return good;
}
