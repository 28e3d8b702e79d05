// Macros for parameter rows of the public defs: `s` is the struct, `field` its member, `text` the
// name of the row.
#ifndef PLI_MODEL_ROWS_H
#define PLI_MODEL_ROWS_H

#include <stddef.h>

// Words with their help texts, as the two functions of a PLI_PARAM_CHOICE.
#define PLI_WORDS(words, ...)                                                                      \
    static const char* const words[][2] = {__VA_ARGS__};                                           \
    static const char* words##_name(int i) {                                                       \
        return i < (int)(sizeof words / sizeof *words) ? words[i][0] : NULL;                       \
    }                                                                                              \
    static const char* words##_help(int i) {                                                       \
        return i < (int)(sizeof words / sizeof *words) ? words[i][1] : NULL;                       \
    }

#define PLI_NUMBER_ROW(s, field, text, u, lo, hi, value, f, h)                                     \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_NUMBER, .offset = offsetof(s, field), .unit = u,           \
        .min = lo, .max = hi, .default_value = value, .flags = f, .help = h                        \
    }
#define PLI_INTEGER_ROW(s, field, text, lo, hi, value, h)                                          \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_INTEGER, .offset = offsetof(s, field), .unit = "",         \
        .min = lo, .max = hi, .default_value = value, .help = h                                    \
    }
#define PLI_BOOL_ROW(s, field, text, value, h)                                                     \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_BOOL, .offset = offsetof(s, field), .unit = "", .max = 1,  \
        .default_value = value, .help = h                                                          \
    }
#define PLI_CHOICE_ROW(s, field, text, words, h)                                                   \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_CHOICE, .offset = offsetof(s, field), .unit = "",          \
        .choice = words##_name, .choice_help = words##_help, .help = h                             \
    }
#define PLI_VECTOR_ROW(s, field, text, u, h)                                                       \
    {                                                                                              \
        .name = text, .type = PLI_PARAM_VECTOR, .offset = offsetof(s, field), .unit = u,           \
        .min = -1e12, .max = 1e12, .help = h                                                       \
    }
#define PLI_TABLE(rows)                                                                            \
    { rows, sizeof rows / sizeof *rows }

#endif
