// Without printf: it would take as long as everything else for a small frame.
#include "mesh/vtu_xml.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define BYTE_ORDER_WORD "BigEndian"
#else
#define BYTE_ORDER_WORD "LittleEndian"
#endif

const uint8_t pli_vtk_types[PLI_ELEMENT_KIND_COUNT] = {1, 3, 5, 10, 22, 24};

void pli_vtu_xml_begin(pli_file* file, const char* attributes) {
    pli_file_text(file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" "
                        "version=\"1.0\" byte_order=\"" BYTE_ORDER_WORD "\"");
    pli_file_text(file, attributes);
    pli_file_text(file, ">\n<UnstructuredGrid>\n");
}

void pli_vtu_xml_piece(pli_file* file, int64_t point_count, int64_t cell_count) {
    pli_file_text(file, "<Piece NumberOfPoints=\"");
    pli_file_count(file, (uint64_t)point_count);
    pli_file_text(file, "\" NumberOfCells=\"");
    pli_file_count(file, (uint64_t)cell_count);
    pli_file_text(file, "\">\n");
}

void pli_vtu_xml_end_piece(pli_file* file) {
    pli_file_text(file, "</Piece>\n</UnstructuredGrid>\n");
}

void pli_vtu_xml_end(pli_file* file) { pli_file_text(file, "</VTKFile>\n"); }

void pli_vtu_xml_open(pli_file* file, const char* section) {
    pli_file_text(file, "<");
    pli_file_text(file, section);
    pli_file_text(file, ">\n");
}

void pli_vtu_xml_close(pli_file* file, const char* section) {
    pli_file_text(file, "</");
    pli_file_text(file, section);
    pli_file_text(file, ">\n");
}

static void begin_array(pli_file* file, const pli_vtu_xml_array* array) {
    pli_file_text(file, "<DataArray type=\"");
    pli_file_text(file, array->type);
    pli_file_text(file, "\" Name=\"");
    pli_file_xml(file, array->name);
    pli_file_text(file, "\" NumberOfComponents=\"");
    pli_file_count(file, (uint64_t)array->components);
    pli_file_text(file, "\"");
    if (array->attributes) pli_file_text(file, array->attributes);
}

void pli_vtu_xml_text_array(pli_file* file, const pli_vtu_xml_array* array) {
    begin_array(file, array);
    pli_file_text(file, " format=\"ascii\">\n");
}

void pli_vtu_xml_appended_array(pli_file* file, const pli_vtu_xml_array* array, size_t offset) {
    begin_array(file, array);
    pli_file_text(file, " format=\"appended\" offset=\"");
    pli_file_count(file, offset);
    pli_file_text(file, "\"/>\n");
}
