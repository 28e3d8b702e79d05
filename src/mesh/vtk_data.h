// What legacy VTK files say about points and cells besides their places: arrays of whole numbers
// become groups (value_groups.h), all others are passed over.
#ifndef PLI_MESH_VTK_DATA_H
#define PLI_MESH_VTK_DATA_H

#include "mesh/cells.h"

typedef struct pli_vtk_data {
    pli_reader* reader;
    bool binary;
    int list_count;
    const pli_cells* lists; // all cells, in the order in which data counts them
    bool of_points;         // the arrays are of points, else of cells
    int64_t tuples;         // how many each array has
    bool groups;            // make groups of them
} pli_vtk_data;

// Pieces of the format.
pli_status pli_vtk_type(pli_scan* scan, pli_number_type* type);
pli_status pli_vtk_metadata(pli_scan* scan);
// Behind the word FIELD: a name, a number, and so many arrays.
pli_status pli_vtk_field(pli_vtk_data* data);

// From behind the word POINT_DATA or CELL_DATA to the end of the file. What cannot be read becomes
// a note; fails only without memory.
pli_status pli_vtk_read_data(pli_vtk_data* data, const char* word);

#endif
