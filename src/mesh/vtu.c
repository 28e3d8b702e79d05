// VTK's XML format for unstructured grids: points and cells of all pieces; data on them is not
// looked at. Written by ParaView and by ourselves.
#define _GNU_SOURCE // memmem
#include <string.h>

#include "mesh/cells.h"
#include "mesh/inflate.h"
#include "mesh/reader.h"
#include "mesh/vtu_array.h"

typedef enum array_role { POINTS, CONNECTIVITY, OFFSETS, TYPES, ARRAY_COUNT } array_role;

typedef struct vtu {
    pli_reader* reader;
    pli_scan* scan;
    pli_vtu_layout layout;
    int64_t point_count, cell_count;   // of the present piece; -1: none is open
    pli_vtu_array arrays[ARRAY_COUNT]; // of the present piece
    bool has[ARRAY_COUNT];
    bool in_points, in_cells;
    int pieces;
} vtu;

// ---- the head

static pli_status read_head(vtu* f, const pli_tag* tag) {
    char text[64];
    pli_xml_attribute(tag, "type", text, sizeof text);
    if (strcmp(text, "UnstructuredGrid") != 0)
        return PLI_SCAN_FAIL(f->scan, "VTKFile of type \"%.30s\", must be UnstructuredGrid", text);
    pli_xml_attribute(tag, "byte_order", text, sizeof text);
    bool big = strcmp(text, "BigEndian") == 0;
    if (!big && text[0] && strcmp(text, "LittleEndian") != 0)
        return PLI_SCAN_FAIL(f->scan, "byte order \"%.30s\" is not known", text);
    f->layout.swap = big == pli_little_endian();
    pli_xml_attribute(tag, "header_type", text, sizeof text);
    if (text[0] && strcmp(text, "UInt32") != 0 && strcmp(text, "UInt64") != 0)
        return PLI_SCAN_FAIL(f->scan, "header type \"%.30s\", must be UInt32 or UInt64", text);
    f->layout.header_size = strcmp(text, "UInt64") == 0 ? 8 : 4;
    pli_xml_attribute(tag, "compressor", text, sizeof text);
    f->layout.compressed = text[0] != 0;
    if (text[0] && strcmp(text, "vtkZLibDataCompressor") != 0)
        return PLI_SCAN_FAIL(f->scan, "compressor \"%.30s\", must be vtkZLibDataCompressor or none",
                             text);
    return PLI_OK;
}

// Appended data is at the end; arrays before it name it.
static pli_status find_appended(vtu* f) {
    static const char name[] = "<AppendedData";
    pli_scan scan = *f->scan;
    pli_tag tag;
    char text[16];
    f->layout.end = scan.text + scan.size;
    const char* found = memmem(scan.text, scan.size, name, sizeof name - 1);
    if (!found) return PLI_OK;
    f->scan->bytes = scan.bytes = true;
    pli_scan_move(&scan, found);
    PLI_TRY(pli_xml_next(&scan, &tag));
    pli_xml_attribute(&tag, "encoding", text, sizeof text);
    f->layout.appended_base64 = strcmp(text, "base64") == 0;
    if (!f->layout.appended_base64 && strcmp(text, "raw") != 0)
        return PLI_SCAN_FAIL(&scan, "encoding \"%s\" of AppendedData, must be raw or base64", text);
    pli_scan_skip_space(&scan);
    if (*scan.at != '_') return PLI_SCAN_FAIL(&scan, "AppendedData must start with \"_\"");
    f->layout.appended = scan.at + 1;
    return PLI_OK;
}

// ---- a piece

static pli_status read_count(vtu* f, const pli_tag* tag, const char* name, int64_t* count) {
    char text[32];
    const char* at = pli_xml_attribute(tag, name, text, sizeof text);
    if (!pli_parse_integer(&at, count) || *at || *count < 0 || *count > INT32_MAX)
        return PLI_SCAN_FAIL(f->scan, "%s=\"%s\", must be a whole number from 0 to %d", name, text,
                             INT32_MAX);
    return PLI_OK;
}

static pli_status read_points(vtu* f) {
    const pli_vtu_array* array = &f->arrays[POINTS];
    pli_vtu_numbers n;
    if (array->components != 3)
        return PLI_SCAN_FAIL(&array->start, "points have %d components, must have 3",
                             array->components);
    PLI_TRY(pli_vtu_array_open(array, &f->layout, 3 * f->point_count, f->reader->memory, &n));
    pli_status status = PLI_OK;
    for (int64_t i = 0; status == PLI_OK && i < f->point_count; ++i) {
        double p[3];
        for (int k = 0; status == PLI_OK && k < 3; ++k)
            status = pli_scan_real(&n.scan, array->type, "coordinate", &p[k]);
        if (status == PLI_OK) status = pli_reader_put_vertex(f->reader, p);
    }
    pli_vtu_array_close(&n);
    return status;
}

// All numbers of an array as integers.
static pli_status read_integers(vtu* f, array_role role, int64_t count, const char* what,
                                int64_t* out) {
    pli_vtu_numbers n;
    PLI_TRY(pli_vtu_array_open(&f->arrays[role], &f->layout, count, f->reader->memory, &n));
    pli_status status = PLI_OK;
    for (int64_t i = 0; status == PLI_OK && i < count; ++i)
        status = pli_scan_integer(&n.scan, f->arrays[role].type, what, &out[i]);
    pli_vtu_array_close(&n);
    return status;
}

// Vertices of the piece as vertices of the mesh.
static pli_status read_connectivity(vtu* f, int first_vertex, pli_cells* cells) {
    const pli_vtu_array* array = &f->arrays[CONNECTIVITY];
    pli_vtu_numbers n;
    PLI_TRY(pli_vtu_array_open(array, &f->layout, cells->vertex_count, f->reader->memory, &n));
    pli_status status = PLI_OK;
    for (int i = 0; status == PLI_OK && i < cells->vertex_count; ++i) {
        int64_t index;
        status = pli_scan_integer(&n.scan, array->type, "vertex number", &index);
        if (status == PLI_OK && (index < 0 || index >= f->point_count))
            status = PLI_SCAN_FAIL(&n.scan, "vertex %lld, must be 0 to %lld", (long long)index,
                                   (long long)f->point_count - 1);
        if (status == PLI_OK) cells->vertices[i] = (int32_t)(first_vertex + index);
    }
    pli_vtu_array_close(&n);
    return status;
}

static pli_status put_cells(vtu* f, int first_vertex, const int64_t* ends, const int64_t* types) {
    int count = (int)f->cell_count;
    int64_t size = count ? ends[count - 1] : 0;
    pli_cells cells = {0};
    pli_status status;
    if (size < 0 || size > (int64_t)f->scan->size * PLI_INFLATE_LIMIT)
        return PLI_SCAN_FAIL(f->scan, "the last offset of cells is %lld: impossible",
                             (long long)size);
    if (size > INT32_MAX)
        return PLI_SCAN_FAIL(f->scan, "cells with %lld vertices are too many", (long long)size);
    PLI_TRY_CLEANUP(status,
                    pli_cells_init(&cells, f->reader->memory, count, (int)size, f->scan->error));
    memcpy(cells.ends, ends, (size_t)count * sizeof *ends);
    PLI_TRY_CLEANUP(status, pli_cells_check(&cells, f->scan));
    PLI_TRY_CLEANUP(status, read_connectivity(f, first_vertex, &cells));
    for (int i = 0; i < count; ++i)
        PLI_TRY_CLEANUP(status, pli_cells_put(&cells, f->reader, i, types[i]));
cleanup:
    pli_cells_free(&cells);
    return status;
}

static pli_status finish_piece(vtu* f) {
    static const char* const names[] = {"Points", "connectivity", "offsets", "types"};
    int64_t *ends = NULL, *types = NULL, count = f->cell_count;
    pli_memory* memory = f->reader->memory;
    int first_vertex = f->reader->mesh->vertex_count;
    pli_status status = PLI_OK;
    for (int i = POINTS; i < (count ? ARRAY_COUNT : POINTS + (f->point_count > 0)); ++i)
        if (!f->has[i]) return PLI_SCAN_FAIL(f->scan, "array \"%s\" is missing", names[i]);
    if (f->point_count > 0) PLI_TRY(read_points(f));
    if (count > 0) {
        // Each cell has a byte for its type, which compression makes smaller by a known factor.
        PLI_TRY_CLEANUP(status, count / PLI_INFLATE_LIMIT > (int64_t)f->scan->size
                                    ? PLI_SCAN_FAIL(f->scan, "%lld cells cannot be in the file",
                                                    (long long)count)
                                    : PLI_OK);
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, ends, count, f->scan->error));
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, types, count, f->scan->error));
        PLI_TRY_CLEANUP(status, read_integers(f, OFFSETS, count, "offset", ends));
        PLI_TRY_CLEANUP(status, read_integers(f, TYPES, count, "cell type", types));
        PLI_TRY_CLEANUP(status, put_cells(f, first_vertex, ends, types));
    }
cleanup:
    PLI_FREE(memory, ends, count);
    PLI_FREE(memory, types, count);
    return status;
}

// ---- tags

static pli_status read_array(vtu* f, const pli_tag* tag) {
    char name[32];
    pli_xml_attribute(tag, "Name", name, sizeof name);
    array_role role = f->in_points                        ? POINTS
                      : !f->in_cells                      ? ARRAY_COUNT
                      : strcmp(name, "connectivity") == 0 ? CONNECTIVITY
                      : strcmp(name, "offsets") == 0      ? OFFSETS
                      : strcmp(name, "types") == 0        ? TYPES
                                                          : ARRAY_COUNT;
    if (role == ARRAY_COUNT || f->has[role]) return PLI_OK;
    f->has[role] = true;
    return pli_vtu_array_init(&f->arrays[role], tag, f->scan);
}

static pli_status read_piece(vtu* f, const pli_tag* tag) {
    if (tag->opens) {
        f->pieces++;
        memset(f->has, 0, sizeof f->has);
        PLI_TRY(read_count(f, tag, "NumberOfPoints", &f->point_count));
        PLI_TRY(read_count(f, tag, "NumberOfCells", &f->cell_count));
    }
    if (tag->closes) {
        if (f->point_count < 0) return PLI_SCAN_FAIL(f->scan, "</Piece> without <Piece>");
        PLI_TRY(finish_piece(f));
        f->point_count = -1;
    }
    return PLI_OK;
}

pli_status pli_read_vtu(pli_reader* reader) {
    vtu f = {.reader = reader, .scan = &reader->scan, .point_count = -1};
    pli_tag tag;
    PLI_TRY(find_appended(&f));
    PLI_TRY(pli_xml_next(f.scan, &tag));
    if (strcmp(tag.name, "VTKFile") != 0)
        return PLI_SCAN_FAIL(f.scan, "no tag VTKFile at the start: this is no VTK file");
    PLI_TRY(read_head(&f, &tag));
    for (;;) {
        PLI_TRY(pli_xml_next(f.scan, &tag));
        if (!tag.name[0]) return PLI_SCAN_FAIL(f.scan, "the file ends without </VTKFile>");
        if (strcmp(tag.name, "VTKFile") == 0 || strcmp(tag.name, "AppendedData") == 0) break;
        if (strcmp(tag.name, "Piece") == 0) PLI_TRY(read_piece(&f, &tag));
        if (strcmp(tag.name, "Points") == 0) f.in_points = tag.opens && !tag.closes;
        if (strcmp(tag.name, "Cells") == 0) f.in_cells = tag.opens && !tag.closes;
        if (strcmp(tag.name, "DataArray") == 0 && tag.opens && f.point_count >= 0)
            PLI_TRY(read_array(&f, &tag));
    }
    if (f.pieces == 0 || f.point_count >= 0)
        return PLI_SCAN_FAIL(f.scan, "no complete <Piece> in the file");
    return PLI_OK;
}
