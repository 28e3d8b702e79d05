// How a scene is described: sections of keys. A section is one JSON object; its keys are rows that
// say type, unit, range, default and where the value goes in a C struct. The reader, `pliant help`
// and the JSON Schema walk these rows, so a new key is one row in tables.c.
#ifndef PLI_SCENE_SECTION_H
#define PLI_SCENE_SECTION_H

#include "pliant/energy.h"
#include "pliant/param.h"
#include "scene/expression.h"

typedef struct pli_section pli_section;

// What a part holds and what its field is.
typedef enum pli_part_form {
    PLI_OBJECT,   // an object; the section's struct, or a pli_tagged
    PLI_OPTIONAL, // an object that may be absent; a pointer to the section's struct, NULL: absent
    PLI_OBJECTS,  // a list of objects; a pli_list of them
    PLI_VALUES,   // [a, b]: exactly `width` values (0: one per axis); double[width] or int[width]
    PLI_COUNTS,   // an integer, or a list of one per axis; int[3], of an integer n [n, 0, 0]
    PLI_TUPLES,   // a list of values (width 1) or of lists of `width` values; a pli_list
    PLI_AXES,     // a list of "x", "y", "z" (row.choice); bool[3]. A plane scene has no z
    PLI_FORMULA,  // a number or an expression of `variables`; a pli_expression
    PLI_FORMULAS, // a vector of such; a pli_formulas
    PLI_TURN, // a number: about z; in space also [x, y, z], the axis times the number; double[3]
} pli_part_form;

// A vector that may depend on time and place.
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

// The user's energies beside the built-in ones.
typedef struct pli_catalog {
    const pli_energy_type* const* energy_types;
    int energy_type_count;
} pli_catalog;

// Rows of a table whose struct starts `base` bytes into the section's: one of the scene's own, or
// (params NULL) that of a def.
typedef struct pli_group {
    const pli_params* params;
    size_t base;
    pli_object object;
} pli_group;

// Defaults that one word brings along, for an object and the objects below it: a material's
// constants.
typedef struct pli_preset {
    const pli_setting* values;
    int count;     // 0: none
    int own_count; // the first so many are for the object itself, the others for those below
    const char* const* unless; // not in an object with one of these keys; ends with NULL
} pli_preset;

struct pli_section {
    const char* name;  // topic of `pliant help`; for a variant what "type" says
    const char* label; // messages about an object in a list: `body "mat"`; NULL: its path
    const char* help;
    size_t size; // of the struct; 0: it shares that of the section around it, or needs none
    const pli_group* groups;
    int group_count;
    const char* without; // name of a row that is no key, because a part replaces it; NULL: none
    pli_params packed;   // rows whose values are doubles one after the other (energies)
    const pli_part* parts;
    int part_count;
    // Defaults that no row can say. NULL: none.
    void (*init)(void* data);
    // The key whose word picks a preset, and the preset of a word. NULL: none.
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

// An object whose "type" picks the section.
typedef struct pli_tagged {
    int variant; // its number; -1: none was read
    void* data;  // the variant's struct
} pli_tagged;

// The i-th row of a section and where its field is in the struct; NULL after the last.
const pli_param* pli_section_row(const pli_section* section, int i, size_t* offset);

// The name of the i-th key, rows first, then parts; NULL after the last.
const char* pli_section_key(const pli_section* section, int i);

// Fills a struct with the section's defaults.
void pli_section_init(const pli_section* section, void* data);

// Bytes of an object of this section: its struct, or a pli_tagged.
size_t pli_section_size(const pli_section* section);

#endif
