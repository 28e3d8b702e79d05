// The JSON Schema (draft 7) of scenes, generated from the tables as a JSON tree.
#include "base/text.h"
#include "pliant/scene.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

#include "scene/section.h"
#include "scene/tables.h"

// Integers without decimals: 1000, not 1000.0.
static json_t* number(double value) {
    if (value == floor(value) && fabs(value) < 1e15) return json_integer((json_int_t)value);
    return json_real(value);
}

static void set(json_t* object, const char* key, json_t* value) {
    json_object_set_new(object, key, value); // takes NULL as a failure, and the key is left out
}

static void set_range(json_t* object, const pli_param* row) {
    if (row->min > -HUGE_VAL)
        set(object, row->flags & PLI_PARAM_ABOVE_MIN ? "exclusiveMinimum" : "minimum",
            number(row->min));
    if (row->max < HUGE_VAL)
        set(object, row->flags & PLI_PARAM_BELOW_MAX ? "exclusiveMaximum" : "maximum",
            number(row->max));
}

static json_t* typed(const char* type) { return json_pack("{s:s}", "type", type); }

static json_t* list_of(json_t* items, int least, int most) {
    json_t* list = typed("array");
    set(list, "items", items);
    set(list, "minItems", json_integer(least));
    set(list, "maxItems", json_integer(most));
    return list;
}

static json_t* either(json_t* one, json_t* other) {
    return json_pack("{s:[o, o]}", "oneOf", one, other);
}

// A single value of the row's type.
static json_t* value_schema(const pli_param* row) {
    static const char* const types[] = {
        [PLI_PARAM_NUMBER] = "number", [PLI_PARAM_INTEGER] = "integer",
        [PLI_PARAM_BOOL] = "boolean",  [PLI_PARAM_CHOICE] = "string",
        [PLI_PARAM_TEXT] = "string",   [PLI_PARAM_VECTOR] = "number",
    };
    bool is_number = row->type == PLI_PARAM_NUMBER || row->type == PLI_PARAM_INTEGER ||
                     row->type == PLI_PARAM_VECTOR;
    json_t* value = typed(types[row->type]);
    if (is_number) // or an expression
        set(value, "type", json_pack("[s, s]", types[row->type], "string"));
    if (row->type == PLI_PARAM_CHOICE) {
        json_t* words = json_array();
        for (int i = 0; row->choice(i); ++i)
            json_array_append_new(words, json_string(row->choice(i)));
        set(value, "enum", words);
        json_t* meanings = row->choice_help ? json_array() : NULL;
        for (int i = 0; meanings && row->choice(i); ++i)
            json_array_append_new(meanings, json_string(row->choice_help(i)));
        if (meanings) set(value, "enumDescriptions", meanings); // shown by editors
    } else if (is_number) {
        set_range(value, row);
    }
    return row->type == PLI_PARAM_VECTOR ? list_of(value, 2, 3) : value;
}

// A number in the row's range, or an expression.
static json_t* formula_schema(const pli_param* row) {
    json_t* value = json_pack("{s:[s, s]}", "type", "number", "string");
    set_range(value, row);
    return value;
}

static json_t* default_value(const pli_param* row, const void* field) {
    const double* v = field;
    switch (row->type) {
    case PLI_PARAM_NUMBER:
        if (row->flags & PLI_PARAM_AUTO && *v == 0) return json_string("auto");
        return isfinite(*v) ? number(*v) : NULL;
    case PLI_PARAM_INTEGER:
        return json_integer(*(const int*)field);
    case PLI_PARAM_BOOL:
        return json_boolean(*(const bool*)field);
    case PLI_PARAM_CHOICE:
        return json_string(*(const char* const*)field);
    case PLI_PARAM_TEXT:
        return NULL;
    case PLI_PARAM_VECTOR:
        return isnan(*v) ? NULL : json_pack("[o, o]", number(v[0]), number(v[1]));
    }
    return NULL;
}

static void set_description(json_t* schema, const char* help, const char* unit) {
    char text[512];
    bool has_unit = unit && *unit;
    pli_format(text, sizeof text, "%s%s%s%s", help, has_unit ? " [" : "", has_unit ? unit : "",
               has_unit ? "]" : "");
    set(schema, "description", json_string(text));
}

static json_t* section_schema(const pli_catalog* catalog, const pli_section* section,
                              const void* defaults);

// An object of a section that has its own struct.
static json_t* fresh_section_schema(const pli_catalog* catalog, const pli_section* section) {
    pli_section_buffer buffer;
    PLI_ASSERT(pli_section_size(section) <= sizeof buffer);
    pli_section_init(section, &buffer);
    return section_schema(catalog, section, &buffer);
}

static json_t* part_schema(const pli_catalog* catalog, const pli_part* part, const void* defaults) {
    switch (part->form) {
    case PLI_OBJECT:
        return section_schema(catalog, part->section, (const char*)defaults + part->row.offset);
    case PLI_OPTIONAL:
        return fresh_section_schema(catalog, part->section);
    case PLI_OBJECTS:
        return list_of(fresh_section_schema(catalog, part->section), part->min_count,
                       part->max_count);
    case PLI_VALUES:
        return list_of(value_schema(&part->row), part->width > 0 ? part->width : 2,
                       part->width > 0 ? part->width : 3);
    case PLI_COUNTS:
        return either(value_schema(&part->row), list_of(value_schema(&part->row), 2, 3));
    case PLI_TUPLES:
        return list_of(part->width > 1 ? list_of(value_schema(&part->row), part->width, part->width)
                                       : value_schema(&part->row),
                       part->min_count, part->max_count);
    case PLI_AXES:
        return list_of(value_schema(&part->row), part->min_count, part->max_count);
    case PLI_FORMULA:
        return formula_schema(&part->row);
    case PLI_FORMULAS:
        return list_of(formula_schema(&part->row), 2, part->width > 0 ? part->width : 3);
    case PLI_INCLUDES:
        return either(typed("string"), list_of(typed("string"), 0, 100));
    case PLI_CONSTANTS:
        return json_pack("{s:s, s:{s:[s, s]}}", "type", "object", "additionalProperties", "type",
                         "number", "string");
    case PLI_TURN:
        return either(value_schema(&part->row), list_of(value_schema(&part->row), 3, 3));
    }
    return NULL;
}

// One object; `type` is what its key "type" must say, NULL if it has none.
static json_t* object_schema(const pli_catalog* catalog, const pli_section* section,
                             const void* defaults, const char* type) {
    json_t* properties = json_object();
    json_t* required = json_array();
    if (type) {
        set(properties, "type", json_pack("{s:s}", "const", type));
        json_array_append_new(required, json_string("type"));
    }
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(section, i, &offset)); ++i) {
        json_t* value = value_schema(row);
        set_description(value, row->help, row->unit);
        if (row->flags & PLI_PARAM_REQUIRED)
            json_array_append_new(required, json_string(row->name));
        else
            set(value, "default", default_value(row, (const char*)defaults + offset));
        set(properties, row->name, value);
    }
    const pli_part* part;
    for (int i = 0; (part = pli_section_part(section, i)); ++i) {
        json_t* value = part_schema(catalog, part, defaults);
        set_description(value, part->row.help, part->row.unit);
        if (part->row.flags & PLI_PARAM_REQUIRED)
            json_array_append_new(required, json_string(part->row.name));
        set(properties, part->row.name, value);
    }
    json_t* object = typed("object");
    set_description(object, section->help, NULL);
    set(object, "properties", properties);
    set(object, "required", required);
    set(object, "additionalProperties", json_false());
    return object;
}

static json_t* section_schema(const pli_catalog* catalog, const pli_section* section,
                              const void* defaults) {
    if (!section->variant) return object_schema(catalog, section, defaults, NULL);
    json_t* variants = json_array();
    pli_section variant;
    for (int i = 0; section->variant(catalog, i, &variant); ++i) {
        pli_section_buffer buffer;
        PLI_ASSERT(variant.size <= sizeof buffer);
        pli_section_init(&variant, &buffer);
        json_array_append_new(variants, object_schema(catalog, &variant, &buffer, variant.name));
    }
    return json_pack("{s:o}", "oneOf", variants);
}

typedef struct sink {
    pli_write_fn* write;
    void* context;
} sink;

static int write_piece(const char* text, size_t size, void* context) {
    const sink* s = context;
    char piece[256];
    while (size > 0) {
        size_t n = size < sizeof piece - 1 ? size : sizeof piece - 1;
        memcpy(piece, text, n);
        piece[n] = '\0';
        s->write(s->context, piece);
        text += n;
        size -= n;
    }
    return 0;
}

void pli_scene_schema(pli_write_fn* write, void* context) {
    pli_catalog catalog = {0};
    sink s = {write, context};
    if (!write) return;
    json_t* schema = json_pack("{s:s, s:s}", "$schema", "http://json-schema.org/draft-07/schema#",
                               "title", "Pliant scene");
    json_t* scene = fresh_section_schema(&catalog, &pli_scene_section);
    json_object_update(schema, scene);
    json_dump_callback(schema, write_piece, &s, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
    write(context, "\n");
    json_decref(scene);
    json_decref(schema);
}
