// Cells of VTK files, legacy and XML, and groups from their data arrays.
#ifndef PLI_MESH_VTK_CELLS_H
#define PLI_MESH_VTK_CELLS_H

#include "mesh/reader.h"

// ---- groups
//
// One group for each value of an array of integers on points or cells, named "array=value". Files
// written by Pliant have an array "group:NAME" per group: 0 outside, otherwise 1.

#define PLI_GROUP_PREFIX "group:"

enum { PLI_VALUE_LIMIT = 64 }; // values; an array with more of them defines no groups

typedef struct pli_value_groups {
    char name[PLI_MESH_NAME_SIZE + sizeof PLI_GROUP_PREFIX];
    int32_t tag; // of a group written by Pliant
    int dim;     // of that group
    bool own;    // the name has the prefix
    int count;
    int64_t values[PLI_VALUE_LIMIT]; // ascending
} pli_value_groups;

// Collects all values of the array. It defines no groups if there are too many.
void pli_value_groups_init(pli_value_groups* groups, const char* name, int count,
                           const int64_t* values);

// Adds the vertices of a point (dim 0) or a cell to the group of its value.
pli_status pli_value_groups_mark(const pli_value_groups* groups, pli_reader* reader, int dim,
                                 int64_t value, int count, const int32_t* vertices);

// ---- cells

// VTK's cell types that files imply without stating them.
enum { PLI_VTK_POLY_VERTEX = 2, PLI_VTK_POLY_LINE = 4, PLI_VTK_STRIP = 6, PLI_VTK_POLYGON = 7 };

typedef struct pli_cells {
    pli_memory* memory;
    int count;
    int64_t* ends;   // end of each cell in `vertices`
    int32_t* places; // place of each in the file; 0: unknown
    int8_t* dims;    // of each, as far as it was added
    int vertex_count;
    int32_t* vertices; // indices of the mesh
} pli_cells;

pli_status pli_cells_init(pli_cells* cells, pli_memory* memory, int count, int vertex_count,
                          pli_error* error);
void pli_cells_free(pli_cells* cells);

// Ends must increase from 0 to vertex_count.
pli_status pli_cells_check(const pli_cells* cells, const pli_scan* scan);

// Adds the cells to the groups of their values, one for each cell.
pli_status pli_cells_mark(const pli_cells* cells, pli_reader* reader,
                          const pli_value_groups* groups, const int64_t* values);

// Adds cell i, which has this VTK type.
pli_status pli_cells_put(pli_cells* cells, pli_reader* reader, int i, int64_t type);

#endif
