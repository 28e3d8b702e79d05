// The arrays of a .vtu file as rows of a table, which vtu.c writes.
#ifndef PLI_RECORD_VTU_TABLE_H
#define PLI_RECORD_VTU_TABLE_H

#include "record/vtu.h"

typedef enum pli_vtu_section {
    PLI_VTU_POINTS,
    PLI_VTU_CELLS,
    PLI_VTU_POINT_DATA,
    PLI_VTU_CELL_DATA,
    PLI_VTU_SECTIONS
} pli_vtu_section;
typedef enum pli_vtu_number {
    PLI_VTU_UINT8,
    PLI_VTU_INT32,
    PLI_VTU_REAL, // single or double precision, by choice
} pli_vtu_number;

enum { PLI_VTU_ALWAYS = -1, PLI_VTU_MAX_COMPONENTS = 6 };

// What one array is and how tuple i of it is made: reals as doubles, whole numbers as they are.
typedef struct pli_vtu_column {
    pli_vtu_section section;
    const char* name; // of what is always there; else see pli_frame_field_name
    pli_vtu_number type;
    int components;
    int64_t (*count)(const pli_snapshot* s);
    void (*tuple)(const pli_snapshot* s, int64_t i, void* out);
    const double* (*all)(const pli_snapshot* s); // or all tuples, one behind the other
    int field;                                   // its bit in pli_vtu_choice.fields
    bool constant;                               // the same in all frames
    bool (*has)(const pli_snapshot* s);          // is there such an array; NULL: always
    const char* component_names;                 // as further attributes; NULL: none
} pli_vtu_column;

typedef struct pli_vtu_table {
    const pli_vtu_column* arrays;
    int count; // of arrays
    int64_t (*point_count)(const pli_snapshot* s);
    int64_t (*cell_count)(const pli_snapshot* s);
} pli_vtu_table;

extern const pli_vtu_table pli_frame_table, pli_contact_table;

#endif
