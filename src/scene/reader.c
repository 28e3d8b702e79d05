// The generic reader: one function per type of value, one per form of a part.
#include "scene/reader.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "scene/findings.h"

typedef struct place {
    const pli_scene_reader* reader;
    const pli_path* at;
    const json_t* value;
} place;

// The path in messages, below the nearest labelled object: "mesh.segments[0]".
static const char* short_path(const pli_path* at, char buffer[160]) {
    const pli_path* base = at;
    while (base && !base->label) base = base->up;
    pli_path_text(at, base, buffer, 160);
    return buffer;
}

static pli_status wrong_type(const place* p, const char* wanted, pli_error* error) {
    char path[160], text[PLI_VALUE_SIZE];
    short_path(p->at, path);
    bool simple = *path && !json_is_array(p->value) && !json_is_object(p->value);
    return PLI_FIND(p->reader->findings, p->at, error, "%s%s%s, must be %s", *path ? path : "it",
                    simple ? " = " : " is ", pli_value_text(p->value, text), wanted);
}

// ---- single values

// Checks the range of a row; the message omits bounds that only guard against overflow.
static pli_status check_range(const place* p, const pli_param* row, double value, bool* good,
                              pli_error* error) {
    char path[160];
    pli_param rule = *row;
    rule.name = short_path(p->at, path);
    if (value <= rule.max && rule.max >= 1e6) rule.max = HUGE_VAL;
    if (value >= rule.min && rule.min <= -1e6) rule.min = -HUGE_VAL;
    pli_error message = {0};
    *good = pli_param_check_number(&rule, value, &message) == PLI_OK;
    return *good ? PLI_OK : PLI_FIND(p->reader->findings, p->at, error, "%s", message.message);
}

// A number, or an expression of the scene's variables. *good: it is one; otherwise there is a
// finding.
static pli_status evaluate(const place* p, const char* wanted, double* value, bool* good,
                           pli_error* error) {
    *good = json_is_number(p->value);
    if (*good) *value = json_number_value(p->value);
    if (*good) return PLI_OK;
    if (!json_is_string(p->value)) return wrong_type(p, wanted, error);
    pli_error bad = {0};
    pli_status status = pli_expression_number(p->reader->arena, json_string_value(p->value),
                                              &p->reader->constants, value, &bad);
    *good = status == PLI_OK;
    if (*good) return PLI_OK;
    if (status == PLI_E_MEMORY) return pli_fail(error, status, "%s", bad.message);
    char path[160], text[PLI_VALUE_SIZE];
    return PLI_FIND(p->reader->findings, p->at, error, "%s = %s, must be %s; as an expression: %s",
                    short_path(p->at, path), pli_value_text(p->value, text), wanted, bad.message);
}

static pli_status read_number(const place* p, const pli_param* row, void* field, pli_error* error) {
    bool may_be_auto = row->flags & PLI_PARAM_AUTO;
    if (may_be_auto && json_is_string(p->value) &&
        strcmp(json_string_value(p->value), "auto") == 0) {
        *(double*)field = 0;
        return PLI_OK;
    }
    double value = 0;
    bool good;
    PLI_TRY(evaluate(p, may_be_auto ? "a number or \"auto\"" : "a number", &value, &good, error));
    if (good) PLI_TRY(check_range(p, row, value, &good, error));
    if (good) *(double*)field = value;
    return PLI_OK;
}

static pli_status read_integer(const place* p, const pli_param* row, void* field,
                               pli_error* error) {
    double value = 0;
    bool good;
    PLI_TRY(evaluate(p, "an integer", &value, &good, error));
    if (!good) return PLI_OK;
    if (value != floor(value)) return wrong_type(p, "an integer", error);
    PLI_TRY(check_range(p, row, value, &good, error));
    if (good) *(int*)field = (int)value;
    return PLI_OK;
}

static pli_status read_bool(const place* p, const pli_param* row, void* field, pli_error* error) {
    (void)row;
    if (!json_is_boolean(p->value)) return wrong_type(p, "true or false", error);
    *(bool*)field = json_is_true(p->value);
    return PLI_OK;
}

static pli_status read_text(const place* p, const pli_param* row, void* field, pli_error* error) {
    (void)row;
    if (!json_is_string(p->value)) return wrong_type(p, "a text in quotes", error);
    *(const char**)field = json_string_value(p->value);
    return PLI_OK;
}

// The index of the word in the choice, or -1 with a finding.
static pli_status find_word(const place* p, const pli_param* row, int* index, pli_error* error) {
    char words[240] = "", hint[PLI_HINT_SIZE], path[160], text[PLI_VALUE_SIZE];
    const char* given = json_is_string(p->value) ? json_string_value(p->value) : "";
    pli_nearest nearest = {.word = given};
    *index = -1;
    for (int i = 0; row->choice(i); ++i) {
        if (json_is_string(p->value) && strcmp(row->choice(i), given) == 0) *index = i;
        pli_nearest_try(&nearest, row->choice(i));
        pli_append_word(words, sizeof words, row->choice(i));
    }
    if (*index >= 0) return PLI_OK;
    const char* absent = row->choice_absent ? row->choice_absent(given) : NULL;
    if (absent)
        return PLI_FIND(p->reader->findings, p->at, error, "%s = \"%s\": %s",
                        short_path(p->at, path), given, absent);
    return PLI_FIND(p->reader->findings, p->at, error, "%s = %s, must be %s%s%s",
                    short_path(p->at, path), pli_value_text(p->value, text),
                    row->choice(1) ? "one of " : "", words, pli_nearest_hint(&nearest, hint));
}

static pli_status read_choice(const place* p, const pli_param* row, void* field, pli_error* error) {
    int index;
    PLI_TRY(find_word(p, row, &index, error));
    if (index >= 0) *(const char**)field = row->choice(index);
    return PLI_OK;
}

static pli_status read_vector(const place* p, const pli_param* row, void* field, pli_error* error) {
    int dim = p->reader->dimension;
    if (!json_is_array(p->value) || (int)json_array_size(p->value) != dim)
        return wrong_type(p, dim == 2 ? "two numbers [x, y]" : "three numbers [x, y, z]", error);
    double read[3];
    memcpy(read, field, sizeof read);
    for (int i = 0; i < dim; ++i) {
        place item = {p->reader, PLI_INDEX(p->at, i), json_array_get(p->value, (size_t)i)};
        PLI_TRY(read_number(&item, row, &read[i], error));
    }
    memcpy(field, read, sizeof read);
    return PLI_OK;
}

typedef struct value_type {
    pli_status (*read)(const place* p, const pli_param* row, void* field, pli_error* error);
    size_t size; // of the field
} value_type;

static const value_type value_types[] = {
    [PLI_PARAM_NUMBER] = {read_number, sizeof(double)},
    [PLI_PARAM_INTEGER] = {read_integer, sizeof(int)},
    [PLI_PARAM_BOOL] = {read_bool, sizeof(bool)},
    [PLI_PARAM_CHOICE] = {read_choice, sizeof(const char*)},
    [PLI_PARAM_TEXT] = {read_text, sizeof(const char*)},
    [PLI_PARAM_VECTOR] = {read_vector, 3 * sizeof(double)},
};

// ---- parts

// `width` values in a JSON list, one after the other from `field` on.
static pli_status read_values(const place* p, const pli_part* part, void* field, pli_error* error) {
    int width = part->width > 0 ? part->width : p->reader->dimension;
    if (!json_is_array(p->value) || (int)json_array_size(p->value) != width) {
        char wanted[64];
        const char* values = part->row.type == PLI_PARAM_INTEGER ? "integers"
                             : part->row.type == PLI_PARAM_TEXT  ? "texts"
                                                                 : "numbers";
        pli_format(wanted, sizeof wanted, "a list of %d %s", width, values);
        return wrong_type(p, wanted, error);
    }
    const value_type* type = &value_types[part->row.type];
    for (int i = 0; i < width; ++i) {
        place item = {p->reader, PLI_INDEX(p->at, i), json_array_get(p->value, (size_t)i)};
        PLI_TRY(type->read(&item, &part->row, (char*)field + (size_t)i * type->size, error));
    }
    return PLI_OK;
}

static pli_status read_counts(const place* p, const pli_part* part, void* field, pli_error* error) {
    int* counts = field;
    if (json_is_array(p->value)) return read_values(p, part, field, error);
    PLI_TRY(read_integer(p, &part->row, &counts[0], error));
    counts[1] = counts[2] = 0;
    return PLI_OK;
}

// Length of a list within the part's limits; -1 with a finding otherwise.
static pli_status list_length(const place* p, const pli_part* part, int* length, pli_error* error) {
    *length = -1;
    if (!json_is_array(p->value)) return wrong_type(p, "a list [...]", error);
    size_t count = json_array_size(p->value);
    char path[160], rule[64];
    if (count < (size_t)part->min_count)
        pli_format(rule, sizeof rule, "at least %d", part->min_count);
    else if (count > (size_t)part->max_count)
        pli_format(rule, sizeof rule, "at most %d", part->max_count);
    else
        *length = (int)count;
    if (*length >= 0) return PLI_OK;
    return PLI_FIND(p->reader->findings, p->at, error, "%s has %zu entries, must have %s",
                    short_path(p->at, path), count, rule);
}

static pli_status read_tuples(const place* p, const pli_part* part, void* field, pli_error* error) {
    int count;
    PLI_TRY(list_length(p, part, &count, error));
    if (count <= 0) return PLI_OK;
    const value_type* type = &value_types[part->row.type];
    size_t stride = (size_t)part->width * type->size;
    pli_list list = {.count = count};
    PLI_TRY(pli_arena_take(p->reader->arena, &list.items, stride, (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        place item = {p->reader, PLI_INDEX(p->at, i), json_array_get(p->value, (size_t)i)};
        void* to = (char*)list.items + (size_t)i * stride;
        PLI_TRY(part->width > 1 ? read_values(&item, part, to, error)
                                : type->read(&item, &part->row, to, error));
    }
    *(pli_list*)field = list;
    return PLI_OK;
}

static pli_status read_axes(const place* p, const pli_part* part, void* field, pli_error* error) {
    int count, index;
    char path[160];
    PLI_TRY(list_length(p, part, &count, error));
    if (count < 0) return PLI_OK;
    for (int i = 0; i < 3; ++i) ((bool*)field)[i] = false;
    for (int i = 0; i < count; ++i) {
        pli_path at = pli_path_index(p->at, i);
        place item = {p->reader, &at, json_array_get(p->value, (size_t)i)};
        PLI_TRY(find_word(&item, &part->row, &index, error));
        if (index >= p->reader->dimension)
            PLI_TRY(PLI_FIND(p->reader->findings, &at, error,
                             "%s = \"z\", must be \"x\" or \"y\" in a 2D scene",
                             short_path(&at, path)));
        else if (index >= 0)
            ((bool*)field)[index] = true;
    }
    return PLI_OK;
}

static pli_status read_object(const place* p, const pli_part* part, void* field, pli_error* error) {
    return pli_read_section(p->reader, part->section, p->value, p->at, field, error);
}

static pli_status read_objects(const place* p, const pli_part* part, void* field,
                               pli_error* error) {
    int count;
    PLI_TRY(list_length(p, part, &count, error));
    if (count <= 0) return PLI_OK;
    size_t stride = pli_section_size(part->section);
    pli_list list = {.count = count};
    PLI_TRY(pli_arena_take(p->reader->arena, &list.items, stride, (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        const json_t* value = json_array_get(p->value, (size_t)i);
        pli_path at = pli_path_index(p->at, i);
        at.label = part->section->label;
        at.name = json_string_value(json_object_get(value, "name"));
        void* to = (char*)list.items + (size_t)i * stride;
        PLI_TRY(pli_read_section(p->reader, part->section, value, &at, to, error));
    }
    *(pli_list*)field = list;
    return PLI_OK;
}

static pli_status read_optional(const place* p, const pli_part* part, void* field,
                                pli_error* error) {
    void* data;
    PLI_TRY(pli_arena_take(p->reader->arena, &data, 1, pli_section_size(part->section), error));
    PLI_TRY(read_object(p, part, data, error));
    *(void**)field = data;
    return PLI_OK;
}

// ---- numbers or expressions

// 2D has no z.
static unsigned known_variables(const place* p, const pli_part* part) {
    return p->reader->dimension == 2 ? part->variables & ~(1u << PLI_VARIABLE_Z) : part->variables;
}

static pli_status read_formula(const place* p, const pli_part* part, void* field,
                               pli_error* error) {
    if (!json_is_string(p->value)) {
        if (!json_is_number(p->value))
            return wrong_type(p, "a number or an expression in quotes", error);
        double value = 0;
        PLI_TRY(read_number(p, &part->row, &value, error));
        return pli_expression_of_number(p->reader->kept, value, field, error);
    }
    pli_error bad = {0};
    pli_status status =
        pli_expression_compile(p->reader->kept, json_string_value(p->value),
                               known_variables(p, part), &p->reader->constants, field, &bad);
    if (status == PLI_OK) return PLI_OK;
    if (status == PLI_E_MEMORY) return pli_fail(error, status, "%s", bad.message);
    char path[160], text[PLI_VALUE_SIZE];
    return PLI_FIND(p->reader->findings, p->at, error, "%s = %s, %s", short_path(p->at, path),
                    pli_value_text(p->value, text), bad.message);
}

static pli_status read_formulas(const place* p, const pli_part* part, void* field,
                                pli_error* error) {
    int dim = part->width > 0 ? part->width : p->reader->dimension;
    pli_formulas* out = field;
    if (!json_is_array(p->value) || (int)json_array_size(p->value) != dim)
        return wrong_type(p,
                          dim == 2 ? "two numbers or expressions [x, y]"
                                   : "three numbers or expressions [x, y, z]",
                          error);
    for (int i = 0; i < dim; ++i) {
        place item = {p->reader, PLI_INDEX(p->at, i), json_array_get(p->value, (size_t)i)};
        PLI_TRY(read_formula(&item, part, &out->part[i], error));
    }
    out->given = true;
    return PLI_OK;
}

// A number is a rotation about z.
static pli_status read_turn(const place* p, const pli_part* part, void* field, pli_error* error) {
    if (json_is_number(p->value) || json_is_string(p->value))
        return read_number(p, &part->row, (double*)field + 2, error);
    if (p->reader->dimension == 2) return wrong_type(p, "a number", error);
    if (!json_is_array(p->value) || json_array_size(p->value) != 3)
        return wrong_type(p, "a number (about z) or three numbers [x, y, z]", error);
    return read_vector(p, &part->row, field, error);
}

// Read before all else: see include.h, constants.h.
static pli_status read_nothing(const place* p, const pli_part* part, void* field,
                               pli_error* error) {
    (void)p, (void)part, (void)field, (void)error;
    return PLI_OK;
}

static pli_status (*const part_readers[])(const place*, const pli_part*, void*, pli_error*) = {
    [PLI_OBJECT] = read_object, [PLI_OBJECTS] = read_objects,   [PLI_VALUES] = read_values,
    [PLI_TUPLES] = read_tuples, [PLI_AXES] = read_axes,         [PLI_OPTIONAL] = read_optional,
    [PLI_COUNTS] = read_counts, [PLI_FORMULA] = read_formula,   [PLI_FORMULAS] = read_formulas,
    [PLI_TURN] = read_turn,     [PLI_CONSTANTS] = read_nothing, [PLI_INCLUDES] = read_nothing,
};

// ---- sections

static pli_status missing(const place* p, const pli_param* row, pli_error* error) {
    if (!(row->flags & PLI_PARAM_REQUIRED)) return PLI_OK;
    char path[160];
    pli_path key = pli_path_key(p->at, row->name);
    return PLI_FIND(p->reader->findings, &key, error, "%s is missing: %s", short_path(&key, path),
                    row->help);
}

// Is a value of a preset for this row? Its name is that of the row, or "type.row".
static bool is_for(const place* p, const char* name, const pli_param* row) {
    const char* dot = strchr(name, '.');
    if (!dot) return strcmp(name, row->name) == 0;
    const char* type = json_string_value(json_object_get(p->value, "type"));
    size_t length = (size_t)(dot - name);
    return type && strlen(type) == length && strncmp(type, name, length) == 0 &&
           strcmp(dot + 1, row->name) == 0;
}

// The value of the preset for a row; NULL: none.
static const double* preset_value(const place* p, const pli_param* row) {
    const pli_preset* preset = &p->reader->preset;
    int first = p->reader->below ? preset->own_count : 0;
    int end = p->reader->below ? preset->count : preset->own_count;
    for (int i = 0; preset->count > 0 && preset->unless[i]; ++i)
        if (json_object_get(p->value, preset->unless[i])) return NULL;
    for (int i = first; i < end; ++i)
        if (!isnan(preset->values[i].value) && is_for(p, preset->values[i].name, row))
            return &preset->values[i].value;
    return NULL;
}

// A row that is not given has the value of the preset or its default.
static pli_status absent(const place* p, const pli_param* row, void* field, pli_error* error) {
    const double* value = preset_value(p, row);
    if (!value) return missing(p, row, error);
    *(double*)field = *value;
    return PLI_OK;
}

static bool is_key(const pli_section* section, const char* key) {
    const char* name;
    for (int i = 0; (name = pli_section_key(section, i)); ++i)
        if (strcmp(name, key) == 0) return true;
    return false;
}

static pli_status unknown_key(const place* p, const pli_section* section, const char* key,
                              pli_error* error) {
    char words[sizeof(((pli_finding*)0)->message)] = "",
         hint[PLI_HINT_SIZE]; // room for all keys of a body
    pli_nearest nearest = {.word = key};
    const char* name;
    for (int i = 0; (name = pli_section_key(section, i)); ++i) {
        pli_nearest_try(&nearest, name);
        pli_append_word(words, sizeof words, name);
    }
    pli_path at = pli_path_key(p->at, key);
    if (nearest.best)
        return pli_finding_add(p->reader->findings, PLI_ERROR, &at, PLI_AT_KEY, error,
                               "unknown key \"%.60s\"%s", key, pli_nearest_hint(&nearest, hint));
    return pli_finding_add(p->reader->findings, PLI_ERROR, &at, PLI_AT_KEY, error,
                           "unknown key \"%.60s\"; known here: %s", key, *words ? words : "none");
}

static pli_status read_rows(const place* p, const pli_section* section, bool tagged, void* data,
                            pli_error* error) {
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(section, i, &offset)); ++i) {
        place item = {p->reader, PLI_KEY(p->at, row->name), json_object_get(p->value, row->name)};
        void* field = (char*)data + offset;
        PLI_TRY(item.value ? value_types[row->type].read(&item, row, field, error)
                           : absent(p, row, field, error));
    }
    const pli_part* part;
    for (int i = 0; (part = pli_section_part(section, i)); ++i) {
        place item = {p->reader, PLI_KEY(p->at, part->row.name),
                      json_object_get(p->value, part->row.name)};
        PLI_TRY(item.value
                    ? part_readers[part->form](&item, part, (char*)data + part->row.offset, error)
                    : missing(p, &part->row, error));
    }
    const char* key;
    json_t* value;
    json_object_foreach((json_t*)p->value, key, value) {
        if (tagged && strcmp(key, "type") == 0) continue;
        if (!is_key(section, key)) PLI_TRY(unknown_key(p, section, key, error));
    }
    return PLI_OK;
}

// The variant that "type" names; *index -1 with a finding if there is none.
static pli_status find_variant(const place* p, const pli_section* section, pli_section* out,
                               int* index, pli_error* error) {
    char words[240] = "", hint[PLI_HINT_SIZE], path[160], text[PLI_VALUE_SIZE];
    const json_t* type = json_object_get(p->value, "type");
    const char* given = json_is_string(type) ? json_string_value(type) : "";
    pli_nearest nearest = {.word = given};
    for (*index = 0; section->variant(p->reader->catalog, *index, out); ++*index) {
        if (json_is_string(type) && strcmp(out->name, given) == 0) return PLI_OK;
        pli_nearest_try(&nearest, out->name);
        pli_append_word(words, sizeof words, out->name);
    }
    *index = -1;
    pli_path at = pli_path_key(p->at, "type");
    if (!type)
        return PLI_FIND(p->reader->findings, &at, error, "%s is missing: one of %s",
                        short_path(&at, path), words);
    return PLI_FIND(p->reader->findings, &at, error, "%s = %s, must be one of %s%s",
                    short_path(&at, path), pli_value_text(type, text), words,
                    pli_nearest_hint(&nearest, hint));
}

pli_status pli_read_section(const pli_scene_reader* reader, const pli_section* section,
                            const json_t* object, const pli_path* at, void* data,
                            pli_error* error) {
    place p = {reader, at, object};
    pli_section_init(section, data);
    if (!json_is_object(object)) return wrong_type(&p, "an object {...}", error);
    pli_scene_reader inner = *reader;
    const char* word =
        section->preset ? json_string_value(json_object_get(object, section->preset_key)) : NULL;
    if (word) inner.preset = section->preset(word);
    inner.below = !word;
    p.reader = &inner;
    if (!section->variant) return read_rows(&p, section, false, data, error);
    pli_section variant;
    pli_tagged tagged;
    PLI_TRY(find_variant(&p, section, &variant, &tagged.variant, error));
    if (tagged.variant < 0) return PLI_OK;
    PLI_TRY(pli_arena_take(reader->arena, &tagged.data, 1, variant.size, error));
    pli_section_init(&variant, tagged.data);
    PLI_TRY(read_rows(&p, &variant, true, tagged.data, error));
    *(pli_tagged*)data = tagged;
    return PLI_OK;
}
