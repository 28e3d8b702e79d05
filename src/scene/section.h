// The description of a scene: sections of keys. A section is one JSON object; its keys are rows
// with type, unit, range, default and the location of the value in a C struct. The reader, `pliant
// help` and the JSON Schema walk these rows, so a new key is one row in a table.
#ifndef PLI_SCENE_SECTION_H
#define PLI_SCENE_SECTION_H

#include "pliant/energy.h"
#include "pliant/param.h"
#include "scene/expression.h"

#include <math.h>
#include <stddef.h>

// ---- sections

typedef struct pli_section pli_section;

// What a part holds, and its field.
typedef enum pli_part_form {
    PLI_OBJECT,    // an object; the section's struct, or a pli_tagged
    PLI_OPTIONAL,  // an object that may be absent; a pointer to the struct of the section, NULL:
                   // absent
    PLI_OBJECTS,   // a list of objects; a pli_list of them
    PLI_VALUES,    // [a, b]: exactly `width` values (0: one per axis); double[width] or int[width]
    PLI_COUNTS,    // an integer, or a list of one per axis; int[3], of an integer n [n, 0, 0]
    PLI_TUPLES,    // a list of values (width 1) or of lists of `width` values; a pli_list
    PLI_AXES,      // a list of "x", "y", "z" (row.choice); bool[3]. 2D scenes have no z
    PLI_FORMULA,   // a number or an expression of `variables`; a pli_expression
    PLI_FORMULAS,  // a vector of such; a pli_formulas
    PLI_INCLUDES,  // names of files, read before all else: see include.h; has no field
    PLI_CONSTANTS, // an object of numbers by name: the variables of expressions; has no field
    PLI_TURN,      // a number: about z; in 3D also [x, y, z], the axis times the number; double[3]
} pli_part_form;

// A vector that may depend on time and position.
typedef struct pli_formulas {
    pli_expression part[3]; // without instructions: 0
    bool given;
} pli_formulas;

// A key that holds more than one value. `row` describes it (name, help, offset of the field) and
// each of its values (type, unit, range); row.flags may say PLI_PARAM_REQUIRED.
typedef struct pli_part {
    pli_param row;
    pli_part_form form;
    int width;
    int min_count, max_count;   // of a list
    const pli_section* section; // of objects
    unsigned variables;         // of formulas: PLI_OF_TIME | PLI_OF_PLACE
} pli_part;

// Energies of the user, in addition to the built-in ones.
typedef struct pli_catalog {
    const pli_energy_type* const* energy_types;
    int energy_type_count;
} pli_catalog;

// Rows whose struct starts `base` bytes into that of the section: those of a def (`object`), or the
// scene's own.
typedef struct pli_row_set {
    pli_params params; // without rows: those of `object`
    size_t base;
    pli_object object;
} pli_row_set;

// Defaults set by one word for an object and the objects below it: the constants of a material.
typedef struct pli_preset {
    const pli_setting* values; // NAN: none. "hinge.stiffness": only of objects of the type "hinge"
    int count;                 // 0: none
    int own_count; // the first ones are for the object itself, the others for those below
    const char* const* unless; // not in an object with one of these keys; ends with NULL
} pli_preset;

struct pli_section {
    const char* name;  // topic of `pliant help`; of a variant its "type"
    const char* label; // messages about an object in a list: `body "mat"`; NULL: its path
    const char* help;
    size_t size; // of the struct; 0: it shares that of the section around it, or needs none
    const pli_row_set* sets;
    int set_count;
    const char* without; // name of a row that a part replaces; NULL: none
    pli_params packed;   // rows whose values are doubles one after the other (energies)
    const pli_part* parts;
    int part_count;
    pli_part input; // one more part, of an energy; without a name: none
    // Sets what the rows do not, before their defaults. NULL: zeros.
    void (*init)(void* data);
    // The key whose word selects a preset, and the preset of a word. NULL: none.
    const char* preset_key;
    pli_preset (*preset)(const char* word);
    // Objects of several types: *out becomes the i-th; false after the last. Then the section has
    // no rows of its own and its struct is a pli_tagged. NULL: only one type.
    bool (*variant)(const pli_catalog* catalog, int i, pli_section* out);
};

typedef struct pli_list {
    int count;
    void* items;
} pli_list;

// An object whose "type" selects the section.
typedef struct pli_tagged {
    int variant; // its number; -1: none was read
    void* data;  // the variant's struct
} pli_tagged;

// The i-th row of a section and where its field is in the struct; NULL after the last.
const pli_param* pli_section_row(const pli_section* section, int i, size_t* offset);

// The i-th part; NULL after the last.
static inline const pli_part* pli_section_part(const pli_section* section, int i) {
    if (i < section->part_count) return &section->parts[i];
    return i == section->part_count && section->input.row.name ? &section->input : NULL;
}

// The name of the i-th key, rows first, then parts; NULL after the last.
const char* pli_section_key(const pli_section* section, int i);

// Fills a struct with the section's defaults.
void pli_section_init(const pli_section* section, void* data);

// Bytes of an object of this section: its struct, or a pli_tagged.
size_t pli_section_size(const pli_section* section);

// ---- macros for rows: S is the struct, `field` its member

// A choice function for rows: the words in order, the first is the default.
#define PLI_CHOICE(function, ...)                                                                  \
    static const char* function(int i) {                                                           \
        static const char* const words[] = {__VA_ARGS__};                                          \
        return i >= 0 && (size_t)i < sizeof words / sizeof *words ? words[i] : NULL;               \
    }

#define PLI_COUNT(array) ((int)(sizeof(array) / sizeof *(array)))
// Rows of the section's own struct, of a struct in it, of a def in it.
#define PLI_OWN(rows)                                                                              \
    {                                                                                              \
        .params = {(rows), PLI_COUNT(rows) }                                                       \
    }
#define PLI_INNER(rows, base_)                                                                     \
    { .params = {(rows), PLI_COUNT(rows)}, .base = (base_) }
#define PLI_DEF(object_, base_)                                                                    \
    { .object = (object_), .base = (base_) }
#define PLI_SETS(...)                                                                              \
    .sets = (const pli_row_set[]){__VA_ARGS__},                                                    \
    .set_count = (int)(sizeof((const pli_row_set[]){__VA_ARGS__}) / sizeof(pli_row_set))
#define PLI_ROWS(rows) PLI_SETS(PLI_OWN(rows))
#define PLI_PARTS(rows) .parts = (rows), .part_count = PLI_COUNT(rows)

#define PLI_ROW(type_, S, field, key, unit_, lo, hi, default_, choice_, flags_, help_)             \
    {                                                                                              \
        .name = (key), .type = (type_), .offset = offsetof(S, field), .unit = (unit_),             \
        .min = (lo), .max = (hi), .default_value = (default_), .choice = (choice_),                \
        .flags = (flags_), .help = (help_)                                                         \
    }

#define PLI_NUMBER(S, field, key, unit, lo, hi, default_, flags, help)                             \
    PLI_ROW(PLI_PARAM_NUMBER, S, field, key, unit, lo, hi, default_, NULL, flags, help)
#define PLI_INTEGER(S, field, key, lo, hi, default_, help)                                         \
    PLI_ROW(PLI_PARAM_INTEGER, S, field, key, "", lo, hi, default_, NULL, 0, help)
#define PLI_FLAG(S, field, key, help)                                                              \
    PLI_ROW(PLI_PARAM_BOOL, S, field, key, "", 0, 1, 0, NULL, 0, help)
#define PLI_WORD(S, field, key, choice, help)                                                      \
    PLI_ROW(PLI_PARAM_CHOICE, S, field, key, "", 0, 0, 0, choice, 0, help)
#define PLI_TEXT(S, field, key, flags, help)                                                       \
    PLI_ROW(PLI_PARAM_TEXT, S, field, key, "", 0, 0, 0, NULL, flags, help)
#define PLI_VECTOR_OF(S, field, key, unit, lo, hi, default_, help)                                 \
    PLI_ROW(PLI_PARAM_VECTOR, S, field, key, unit, lo, hi, default_, NULL, 0, help)
#define PLI_VECTOR(S, field, key, unit, flags, help)                                               \
    PLI_ROW(PLI_PARAM_VECTOR, S, field, key, unit, -1e12, 1e12, 0, NULL, flags, help)

#define PLI_PART(row_, form_, width_, min_, max_, section_)                                        \
    {                                                                                              \
        .row = row_, .form = (form_), .width = (width_), .min_count = (min_), .max_count = (max_), \
        .section = (section_)                                                                      \
    }

#define PLI_ONE_OBJECT(S, field, key, section, flags, help)                                        \
    PLI_PART(PLI_TEXT(S, field, key, flags, help), PLI_OBJECT, 1, 0, 0, section)
// An object whose fields are in the struct of the section around it.
#define PLI_SHARED_OBJECT(key, section_, help_)                                                    \
    { .row = {.name = (key), .help = (help_)}, .form = PLI_OBJECT, .section = (section_) }
#define PLI_LIST_OF_OBJECTS(S, field, key, section, least, most, flags, help)                      \
    PLI_PART(PLI_TEXT(S, field, key, flags, help), PLI_OBJECTS, 1, least, most, section)
#define PLI_LIST_OF_INTEGERS(S, field, key, width, lo, hi, least, help)                            \
    PLI_PART(PLI_INTEGER(S, field, key, lo, hi, 0, help), PLI_TUPLES, width, least, 100000000, NULL)
#define PLI_LIST_OF_VECTORS(S, field, key, unit, least, most, flags, help)                         \
    PLI_PART(PLI_VECTOR(S, field, key, unit, flags, help), PLI_TUPLES, 1, least, most, NULL)
#define PLI_LIST_OF_AXES(S, field, key, choice, help)                                              \
    PLI_PART(PLI_WORD(S, field, key, choice, help), PLI_AXES, 1, 1, 3, NULL)

// A number or vector that may be an expression of `of`: PLI_OF_TIME | PLI_OF_PLACE.
#define PLI_ONE_FORMULA(S, field, key, unit, of, flags, help)                                      \
    {                                                                                              \
        .row = PLI_NUMBER(S, field, key, unit, -1e18, 1e18, 0, flags, help), .form = PLI_FORMULA,  \
        .variables = (of)                                                                          \
    }
#define PLI_VECTOR_OF_FORMULAS(S, field, key, unit, of, flags, help)                               \
    { .row = PLI_VECTOR(S, field, key, unit, flags, help), .form = PLI_FORMULAS, .variables = (of) }
#define PLI_ONE_TURN(S, field, key, unit, help)                                                    \
    { .row = PLI_NUMBER(S, field, key, unit, -1e9, 1e9, 0, 0, help), .form = PLI_TURN }
#define PLI_MAYBE_OBJECT(S, field, key, section, help)                                             \
    PLI_PART(PLI_TEXT(S, field, key, 0, help), PLI_OPTIONAL, 1, 0, 0, section)

// ---- all sections

typedef struct pli_topic {
    const pli_section* section;
    const void* defaults; // the section's struct with its defaults
    const char* where;    // "bodies[].mesh"
    bool variant;         // selected by "type"
} pli_topic;

typedef void pli_topic_fn(void* context, const pli_topic* topic);

// The root first, then each part in its order; the variants of a tagged section follow it. A
// section that several parts share is visited once, at the first.
void pli_walk_sections(const pli_catalog* catalog, pli_topic_fn* visit, void* context);

// Space for any section's struct.
typedef union pli_section_buffer {
    max_align_t alignment;
    char bytes[4096];
} pli_section_buffer;

#endif
