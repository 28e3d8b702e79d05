// Short ways to write the rows of tables.c and mesh_kinds.c. S is the struct, `field` its member.
#ifndef PLI_SCENE_ROWS_H
#define PLI_SCENE_ROWS_H

#include "scene/section.h"

#include <math.h>
#include <stddef.h>

// A choice function for rows: the words in order, the first is the default.
#define PLI_CHOICE(function, ...)                                                                  \
    static const char* function(int i) {                                                           \
        static const char* const words[] = {__VA_ARGS__};                                          \
        return i >= 0 && (size_t)i < sizeof words / sizeof *words ? words[i] : NULL;               \
    }

#define PLI_PARAMS(rows)                                                                           \
    { (rows), (int)(sizeof(rows) / sizeof *(rows)) }
#define PLI_GROUPS(groups_)                                                                        \
    .groups = (groups_), .group_count = (int)(sizeof(groups_) / sizeof *(groups_))
#define PLI_PARTS(rows) .parts = (rows), .part_count = (int)(sizeof(rows) / sizeof *(rows))

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
#define PLI_BOOL(S, field, key, default_, help)                                                    \
    PLI_ROW(PLI_PARAM_BOOL, S, field, key, "", 0, 1, default_, NULL, 0, help)
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
#define PLI_TWO_NUMBERS(S, field, key, unit, lo, hi, flags, help)                                  \
    PLI_PART(PLI_NUMBER(S, field, key, unit, lo, hi, 0, flags, help), PLI_VALUES, 2, 0, 0, NULL)
#define PLI_TWO_INTEGERS(S, field, key, lo, hi, flags, help)                                       \
    PLI_PART(PLI_ROW(PLI_PARAM_INTEGER, S, field, key, "", lo, hi, 0, NULL, flags, help),          \
             PLI_VALUES, 2, 0, 0, NULL)
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

#endif
