// Lists of cells as VTK files have them, legacy and XML.
#ifndef PLI_MESH_CELLS_H
#define PLI_MESH_CELLS_H

#include "mesh/value_groups.h"

// VTK's numbers of cell types that files imply without saying them.
enum { PLI_VTK_POLY_VERTEX = 2, PLI_VTK_POLY_LINE = 4, PLI_VTK_STRIP = 6, PLI_VTK_POLYGON = 7 };

typedef struct pli_cells {
    pli_memory* memory;
    int count;
    int64_t* ends;   // where each cell ends in `vertices`
    int32_t* places; // where each is in the file; 0: not known
    int8_t* dims;    // of each, as far as it was put
    int vertex_count;
    int32_t* vertices; // numbers of the mesh
} pli_cells;

pli_status pli_cells_init(pli_cells* cells, pli_memory* memory, int count, int vertex_count,
                          pli_error* error);
void pli_cells_free(pli_cells* cells);

// Ends must rise from 0 to vertex_count.
pli_status pli_cells_check(const pli_cells* cells, const pli_scan* scan);

// Puts the cells into the groups of their values, one for each cell.
pli_status pli_cells_mark(const pli_cells* cells, pli_reader* reader,
                          const pli_value_groups* groups, const int64_t* values);

// Puts cell i, which is of this VTK type.
pli_status pli_cells_put(pli_cells* cells, pli_reader* reader, int i, int64_t type);

#endif
