// The XML around the arrays of a .vtu file [VTK user's guide, "VTK File Formats"]; its numbers are
// text between the tags, or bytes appended after them.
#ifndef PLI_MESH_VTU_XML_H
#define PLI_MESH_VTU_XML_H

#include "base/file.h"
#include "pliant/mesh.h"

extern const uint8_t pli_vtk_types[PLI_ELEMENT_KIND_COUNT]; // VTK's types of the kinds

// Up to the grid; `attributes` (or "") are further ones of the file, each after a blank.
void pli_vtu_xml_begin(pli_file* file, const char* attributes);
void pli_vtu_xml_piece(pli_file* file, int64_t point_count, int64_t cell_count);
void pli_vtu_xml_end_piece(pli_file* file); // and the grid
void pli_vtu_xml_end(pli_file* file);

// "Points", "Cells", "PointData", "CellData".
void pli_vtu_xml_open(pli_file* file, const char* section);
void pli_vtu_xml_close(pli_file* file, const char* section);

typedef struct pli_vtu_xml_array {
    const char *type, *name; // "Float64", ...
    int components;
    const char* attributes; // as above; NULL: none
} pli_vtu_xml_array;
// The numbers follow as text; then the array is closed as a section "DataArray".
void pli_vtu_xml_text_array(pli_file* file, const pli_vtu_xml_array* array);
void pli_vtu_xml_appended_array(pli_file* file, const pli_vtu_xml_array* array, size_t offset);

#endif
