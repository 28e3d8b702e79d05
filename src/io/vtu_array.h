// What a .vtu file consists of, as a table: see vtu.c. For the files that have such a table.
#ifndef PLI_IO_VTU_ARRAY_H
#define PLI_IO_VTU_ARRAY_H

#include "io/vtu.h"

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
    PLI_VTU_INT64,
    PLI_VTU_FLOAT64
} pli_vtu_number;

// What one array is and how tuple i of it is made.
typedef struct pli_vtu_array {
    pli_vtu_section section;
    const char* name;
    pli_vtu_number type;
    int components;
    int64_t (*count)(const pli_snapshot* s);
    void (*tuple)(const pli_snapshot* s, int64_t i, void* out);
    const char* component_names;        // as further attributes; NULL: none
    bool (*has)(const pli_snapshot* s); // is there such an array; NULL: always
} pli_vtu_array;

typedef struct pli_vtu_grid {
    const pli_vtu_array* arrays;
    int count; // of arrays
    int64_t (*point_count)(const pli_snapshot* s);
    int64_t (*cell_count)(const pli_snapshot* s);
} pli_vtu_grid;

// Writes folder/name, complete or not at all.
pli_status pli_vtu_write_grid(pli_vtu* vtu, const pli_vtu_grid* grid, const pli_snapshot* snapshot,
                              const char* folder, const char* name, pli_error* error);

#endif
