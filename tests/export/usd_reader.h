// A small strict reader of USD as text, written against the format's description and not against
// the writer: prims with attributes whose values are numbers, texts, tuples, lists of these, and
// time samples. Anything else, or a value that does not fit its type, fails the test.
#ifndef PLI_TESTS_EXPORT_USD_READER_H
#define PLI_TESTS_EXPORT_USD_READER_H

#include "record/run_fixture.h"

enum { USD_ATTRIBUTES = 128, USD_SAMPLES = 64, USD_NUMBERS = 128 };

typedef struct usd_value {
    double code; // of the sample; -1: the value itself
    int count;   // numbers, those of tuples one after the other
    double numbers[USD_NUMBERS];
    char text[64];
} usd_value;

typedef struct usd_attribute {
    char path[160]; // "/run/rope/segments.points"
    char type[32];  // "point3f[]"
    bool uniform, custom;
    char interpolation[16];
    int sample_count;
    usd_value samples[USD_SAMPLES];
} usd_attribute;

typedef struct usd_stage {
    const char* at;
    int attribute_count;
    usd_attribute attributes[USD_ATTRIBUTES];
    int prim_count;
    char prims[32][2][96]; // path, type
} usd_stage;

static inline void usd_skip(usd_stage* s) {
    while (*s->at == ' ' || *s->at == '\n' || *s->at == '\t') ++s->at;
}

static inline bool usd_take(usd_stage* s, const char* word) {
    usd_skip(s);
    size_t length = strlen(word);
    if (strncmp(s->at, word, length) != 0) return false;
    s->at += length;
    return true;
}

static inline void usd_expect(usd_stage* s, const char* word) {
    if (!usd_take(s, word)) fail_msg("no \"%s\" at: %.40s", word, s->at);
}

// A name with the signs that `more` allows beside letters, digits and '_'.
static inline void usd_name(usd_stage* s, const char* more, char* out, size_t size) {
    size_t n = 0;
    usd_skip(s);
    assert_false(*s->at >= '0' && *s->at <= '9');
    while (*s->at &&
           (*s->at == '_' || (*s->at >= '0' && *s->at <= '9') || (*s->at >= 'a' && *s->at <= 'z') ||
            (*s->at >= 'A' && *s->at <= 'Z') || strchr(more, *s->at))) {
        assert_true(n + 1 < size);
        out[n++] = *s->at++;
    }
    out[n] = 0;
    if (n == 0) fail_msg("no name at: %.40s", s->at);
}

static inline void usd_text(usd_stage* s, char* out, size_t size) {
    size_t n = 0;
    usd_expect(s, "\"");
    while (*s->at != '"') {
        assert_true(*s->at && *s->at != '\n' && n + 1 < size);
        if (*s->at == '\\') ++s->at;
        out[n++] = *s->at++;
    }
    out[n] = 0;
    ++s->at;
}

static inline void usd_number(usd_stage* s, usd_value* value, bool whole) {
    char* end;
    usd_skip(s);
    assert_true(strchr("-0123456789", *s->at) && *s->at); // neither inf nor nan
    double number = strtod(s->at, &end);
    assert_true(end > s->at && isfinite(number) && value->count < USD_NUMBERS);
    assert_true(!whole || number == floor(number));
    s->at = end;
    value->numbers[value->count++] = number;
}

// One element of a type: its width is what the name says.
static inline void usd_element(usd_stage* s, const char* type, usd_value* value) {
    static const struct {
        const char* name;
        int width;
    } types[] = {{"float3", 3}, {"point3f", 3}, {"color3f", 3}, {"float", 1},
                 {"int", 1},    {"bool", 1},    {"token", 0},   {"string", 0}};
    size_t length = strcspn(type, "["), i = 0;
    while (i < 8 && (strlen(types[i].name) != length || strncmp(types[i].name, type, length) != 0))
        ++i;
    if (i == 8) fail_msg("type %s is not known", type);
    bool whole = strncmp(type, "int", length) == 0 || strncmp(type, "bool", length) == 0;
    if (types[i].width == 0) {
        usd_text(s, value->text, sizeof value->text);
        return;
    }
    if (types[i].width == 1) {
        usd_number(s, value, whole);
        return;
    }
    usd_expect(s, "(");
    for (int k = 0; k < types[i].width; ++k) {
        if (k > 0) usd_expect(s, ",");
        usd_number(s, value, false);
    }
    usd_expect(s, ")");
}

static inline void usd_read_value(usd_stage* s, const char* type, usd_value* value) {
    if (!strstr(type, "[]")) {
        usd_element(s, type, value);
        return;
    }
    usd_expect(s, "[");
    while (!usd_take(s, "]")) {
        usd_element(s, type, value);
        if (usd_take(s, "]")) return;
        usd_expect(s, ",");
    }
}

static inline void usd_read_samples(usd_stage* s, usd_attribute* a) {
    usd_expect(s, "{");
    while (!usd_take(s, "}")) {
        usd_value code = {0};
        assert_true(a->sample_count < USD_SAMPLES);
        usd_value* sample = &a->samples[a->sample_count++];
        usd_number(s, &code, false);
        usd_expect(s, ":");
        usd_read_value(s, a->type, sample);
        sample->code = code.numbers[0];
        assert_true(a->sample_count == 1 || sample->code > sample[-1].code);
        if (usd_take(s, "}")) return;
        usd_expect(s, ",");
    }
}

static inline void usd_read_attribute(usd_stage* s, const char* prim) {
    char name[64];
    assert_true(s->attribute_count < USD_ATTRIBUTES);
    usd_attribute* a = &s->attributes[s->attribute_count++];
    a->custom = usd_take(s, "custom ");
    a->uniform = usd_take(s, "uniform ");
    usd_name(s, "[]", a->type, sizeof a->type);
    usd_name(s, ":", name, sizeof name);
    snprintf(a->path, sizeof a->path, "%s.%s", prim, name);
    if (usd_take(s, ".timeSamples")) {
        assert_false(a->uniform);
        usd_expect(s, "=");
        usd_read_samples(s, a);
    } else {
        usd_expect(s, "=");
        a->sample_count = 1;
        a->samples[0].code = -1;
        usd_read_value(s, a->type, &a->samples[0]);
    }
    if (!usd_take(s, "(")) return;
    usd_expect(s, "interpolation");
    usd_expect(s, "=");
    usd_text(s, a->interpolation, sizeof a->interpolation);
    usd_expect(s, ")");
}

static inline void usd_read_prim(usd_stage* s, const char* parent) {
    char type[32], name[64], path[96];
    usd_name(s, "", type, sizeof type);
    usd_expect(s, "\"");
    usd_name(s, "", name, sizeof name); // an identifier, not any text
    usd_expect(s, "\"");
    assert_true(snprintf(path, sizeof path, "%s/%s", parent, name) < (int)sizeof path);
    for (int i = 0; i < s->prim_count; ++i) assert_string_not_equal(s->prims[i][0], path);
    assert_true(s->prim_count < 32);
    memcpy(s->prims[s->prim_count][0], path, sizeof path);
    memcpy(s->prims[s->prim_count++][1], type, sizeof type);
    usd_expect(s, "{");
    while (!usd_take(s, "}")) {
        if (usd_take(s, "def "))
            usd_read_prim(s, path);
        else
            usd_read_attribute(s, path);
    }
}

// Entries "name = value" of the layer become attributes "name".
static inline usd_stage* usd_read(const char* text) {
    static const char* const texts[] = {"defaultPrim", "doc", "upAxis"};
    usd_stage* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->at = text;
    usd_expect(s, "#usda 1.0\n");
    usd_expect(s, "(");
    while (!usd_take(s, ")")) {
        usd_attribute* a = &s->attributes[s->attribute_count++];
        usd_name(s, "", a->path, sizeof a->path);
        usd_expect(s, "=");
        a->sample_count = 1;
        bool is_text = false;
        for (int i = 0; i < 3; ++i) is_text = is_text || strcmp(a->path, texts[i]) == 0;
        usd_read_value(s, is_text ? "string" : "float", &a->samples[0]);
    }
    while (usd_take(s, "def ")) usd_read_prim(s, "");
    usd_skip(s);
    assert_int_equal(*s->at, 0);
    return s;
}

static inline const usd_attribute* usd_find(const usd_stage* s, const char* path) {
    for (int i = 0; i < s->attribute_count; ++i)
        if (strcmp(s->attributes[i].path, path) == 0) return &s->attributes[i];
    fail_msg("no attribute %s", path);
    return NULL;
}

static inline const char* usd_type(const usd_stage* s, const char* path) {
    for (int i = 0; i < s->prim_count; ++i)
        if (strcmp(s->prims[i][0], path) == 0) return s->prims[i][1];
    fail_msg("no prim %s", path);
    return NULL;
}

#endif
