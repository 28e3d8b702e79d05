// Parameters as table rows. The scene parser, `pliant help`, the JSON Schema and the range checks of
// the C interface all use these rows.
#ifndef PLIANT_PARAM_H
#define PLIANT_PARAM_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum pli_param_type {
    PLI_PARAM_NUMBER,  // double
    PLI_PARAM_INTEGER, // int
    PLI_PARAM_BOOL,    // bool
    PLI_PARAM_CHOICE,  // const char*, one of `choice`
    PLI_PARAM_TEXT,    // const char*
    PLI_PARAM_VECTOR,  // double[3]; plane scenes write [x, y] and z stays 0
} pli_param_type;

enum {
    PLI_PARAM_ABOVE_MIN = 1, // min itself is not allowed
    PLI_PARAM_BELOW_MAX = 2, // max itself is not allowed
    PLI_PARAM_REQUIRED = 4,  // has no default
    PLI_PARAM_AUTO = 8,      // 0 means that the library chooses the number; scenes write "auto"
};

typedef struct pli_param {
    const char* name;
    pli_param_type type;
    size_t offset;                // of the field in its struct; unused for energies
    const char* unit;             // "Pa", "m/s"; "" for pure numbers
    double min, max;              // allowed range of a number or of each vector component
    double default_value;         // of a number, integer or bool (0, 1)
    const char* (*choice)(int i); // i-th allowed word, NULL after the last; the first is the default
    const char* (*choice_help)(int i); // meaning of the i-th word, one phrase; NULL: none
    unsigned flags;
    const char* help; // one sentence, no full stop needed
    // Advice about a word that only other builds of the library accept; returns NULL for other words.
    // NULL: there are no such words.
    const char* (*choice_absent)(const char* word);
} pli_param;

typedef struct pli_params {
    const pli_param* rows;
    int count;
} pli_params;

// Rows of the def of an object; for PLI_OBJECT_SUPPORT those of pli_prescribe_def. NULL: it has none.
// (Rows of an energy are in its pli_energy_type.)
PLI_API const pli_params* pli_object_params(pli_object object);
// Writes the defaults of all rows into a struct.
PLI_API void pli_params_default(const pli_params* params, void* out);
// Is the number finite and in the row's range? PLI_E_ARGUMENT: "stiffness = -5 N/m, must be > 0".
PLI_API pli_status pli_param_check_number(const pli_param* param, double value, pli_error* error);

// One number given by name; see pli_world_add_energy.
typedef struct pli_setting {
    const char* name;
    double value;
} pli_setting;

#ifdef __cplusplus
}
#endif

#endif
