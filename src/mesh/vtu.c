// VTK's XML format for unstructured grids: points and cells of all pieces; of the data on them,
// integer arrays become groups (vtk_cells.h). Written by ParaView and by Pliant.
#include <string.h>

#include "mesh/inflate.h"
#include "mesh/reader.h"
#include "mesh/vtk_cells.h"
#include "mesh/vtu_array.h"

typedef enum array_role { POINTS, CONNECTIVITY, OFFSETS, TYPES, ARRAY_COUNT } array_role;

// An integer array on points or cells.
typedef struct data_array {
    pli_vtu_array array;
    bool of_points;
    int32_t tag; // of a group written by Pliant
    int dim;
} data_array;

typedef struct vtu {
    pli_reader* reader;
    pli_scan* scan;
    pli_vtu_layout layout;
    int64_t point_count, cell_count;   // of the current piece; -1: none is open
    pli_vtu_array arrays[ARRAY_COUNT]; // of the current piece
    bool has[ARRAY_COUNT];
    bool in_points, in_cells, in_point_data, in_cell_data;
    int pieces;
    int data_count, data_capacity; // of the current piece
    data_array* data;
} vtu;

// ---- a piece

static pli_status read_count(vtu* f, const pli_tag* tag, const char* name, int64_t* count) {
    char text[32];
    const char* at = pli_xml_attribute(tag, name, text, sizeof text);
    if (!pli_parse_integer(&at, count) || *at || *count < 0 || *count > INT32_MAX)
        return PLI_SCAN_FAIL(f->scan, "%s=\"%s\", must be an integer from 0 to %d", name, text,
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

static pli_status put_cells(vtu* f, int first_vertex, const int64_t* ends, const int64_t* types,
                            pli_cells* cells) {
    int count = (int)f->cell_count;
    int64_t size = count ? ends[count - 1] : 0;
    if (size < 0 || size > (int64_t)f->scan->size * PLI_INFLATE_LIMIT)
        return PLI_SCAN_FAIL(
            f->scan, "the last offset of cells is %lld, the file cannot hold that many vertices",
            (long long)size);
    if (size > INT32_MAX)
        return PLI_SCAN_FAIL(f->scan, "cells with %lld vertices, must be at most 2^31 - 1",
                             (long long)size);
    PLI_TRY(pli_cells_init(cells, f->reader->memory, count, (int)size, f->scan->error));
    memcpy(cells->ends, ends, (size_t)count * sizeof *ends);
    PLI_TRY(pli_cells_check(cells, f->scan));
    PLI_TRY(read_connectivity(f, first_vertex, cells));
    for (int i = 0; i < count; ++i) PLI_TRY(pli_cells_put(cells, f->reader, i, types[i]));
    return PLI_OK;
}

// ---- data

static pli_status mark_points(vtu* f, const pli_value_groups* groups, int first_vertex,
                              const int64_t* values) {
    for (int i = 0; i < f->point_count; ++i) {
        int32_t vertex = first_vertex + i;
        PLI_TRY(pli_value_groups_mark(groups, f->reader, 0, values[i], 1, &vertex));
    }
    return PLI_OK;
}

static pli_status read_data(vtu* f, const data_array* data, int first_vertex,
                            const pli_cells* cells) {
    int64_t *values = NULL, count = data->of_points ? f->point_count : f->cell_count;
    pli_vtu_numbers n;
    pli_value_groups groups;
    PLI_TRY(pli_vtu_array_open(&data->array, &f->layout, count, f->reader->memory, &n));
    pli_status status = PLI_ALLOC(f->reader->memory, values, count, f->scan->error);
    for (int64_t i = 0; status == PLI_OK && i < count; ++i)
        status = pli_scan_integer(&n.scan, data->array.type, "number", &values[i]);
    if (status == PLI_OK) {
        pli_value_groups_init(&groups, data->array.name, (int)count, values);
        groups.tag = data->tag;
        groups.dim = data->dim;
        status = data->of_points ? mark_points(f, &groups, first_vertex, values)
                                 : pli_cells_mark(cells, f->reader, &groups, values);
    }
    PLI_FREE(f->reader->memory, values, count);
    pli_vtu_array_close(&n);
    return status;
}

// A mesh is accepted even if its data cannot be read.
static pli_status read_all_data(vtu* f, int first_vertex, const pli_cells* cells) {
    pli_error *error = f->scan->error, own;
    for (int i = 0; i < f->data_count; ++i) {
        own = (pli_error){0};
        f->data[i].array.start.error = f->scan->error = &own;
        pli_status status = read_data(f, &f->data[i], first_vertex, cells);
        f->scan->error = error;
        if (status == PLI_E_SCENE)
            status =
                pli_mesh_source_note(f->reader->mesh, error, "data is ignored: %s", own.message);
        else if (status != PLI_OK && error)
            *error = own;
        PLI_TRY(status);
    }
    return PLI_OK;
}

static pli_status finish_piece(vtu* f) {
    static const char* const names[] = {"Points", "connectivity", "offsets", "types"};
    int64_t *ends = NULL, *types = NULL, count = f->cell_count;
    pli_memory* memory = f->reader->memory;
    pli_cells cells = {0};
    int first_vertex = f->reader->mesh->vertex_count;
    pli_status status = PLI_OK;
    for (int i = POINTS; i < (count ? ARRAY_COUNT : POINTS + (f->point_count > 0)); ++i)
        if (!f->has[i]) return PLI_SCAN_FAIL(f->scan, "array \"%s\" is missing", names[i]);
    if (f->point_count > 0) PLI_TRY(read_points(f));
    if (count > 0) {
        // Each cell has a byte for its type, which compression reduces by at most a known factor.
        PLI_TRY_CLEANUP(status, count / PLI_INFLATE_LIMIT > (int64_t)f->scan->size
                                    ? PLI_SCAN_FAIL(f->scan, "%lld cells cannot be in the file",
                                                    (long long)count)
                                    : PLI_OK);
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, ends, count, f->scan->error));
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, types, count, f->scan->error));
        PLI_TRY_CLEANUP(status, read_integers(f, OFFSETS, count, "offset", ends));
        PLI_TRY_CLEANUP(status, read_integers(f, TYPES, count, "cell type", types));
        PLI_TRY_CLEANUP(status, put_cells(f, first_vertex, ends, types, &cells));
    }
    status = read_all_data(f, first_vertex, &cells);
cleanup:
    pli_cells_free(&cells);
    PLI_FREE(memory, ends, count);
    PLI_FREE(memory, types, count);
    return status;
}

// ---- tags

static int32_t read_number(const pli_tag* tag, const char* name, int low, int high) {
    char text[32];
    int64_t value = 0;
    const char* at = pli_xml_attribute(tag, name, text, sizeof text);
    bool good = pli_parse_integer(&at, &value) && *at == 0 && value >= low && value <= high;
    return good ? (int32_t)value : 0;
}

// Keeps integer arrays of one component for the end of the piece.
static pli_status note_data(vtu* f, const pli_tag* tag) {
    char text[32];
    pli_number_type type;
    data_array data = {.of_points = f->in_point_data};
    pli_error own = {0};
    pli_xml_attribute(tag, "type", text, sizeof text);
    if (!pli_number_named(text, &type) || type.kind == 'f') return PLI_OK;
    pli_scan scan = *f->scan;
    scan.error = &own;
    if (pli_vtu_array_init(&data.array, tag, &scan) != PLI_OK)
        return pli_mesh_source_note(f->reader->mesh, f->scan->error, "data is ignored: %s",
                                    own.message);
    if (data.array.components != 1) return PLI_OK;
    data.dim = read_number(tag, "pliant_dim", 0, 3);
    data.tag = read_number(tag, "pliant_tag", -INT32_MAX, INT32_MAX);
    PLI_TRY(
        PLI_GROW(f->reader->memory, f->data, f->data_capacity, f->data_count + 1, f->scan->error));
    f->data[f->data_count++] = data;
    return PLI_OK;
}

static pli_status read_array(vtu* f, const pli_tag* tag) {
    char name[32];
    if (f->in_point_data || f->in_cell_data) return note_data(f, tag);
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
        f->data_count = 0;
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

static pli_status read_tags(vtu* f) {
    const struct {
        const char* name;
        bool* inside;
    } parts[] = {{"Points", &f->in_points},
                 {"Cells", &f->in_cells},
                 {"PointData", &f->in_point_data},
                 {"CellData", &f->in_cell_data}};
    pli_tag tag;
    PLI_TRY(pli_vtu_layout_read(&f->layout, f->scan));
    for (;;) {
        PLI_TRY(pli_xml_next(f->scan, &tag));
        if (!tag.name[0]) return PLI_SCAN_FAIL(f->scan, "the file ends without </VTKFile>");
        if (strcmp(tag.name, "VTKFile") == 0 || strcmp(tag.name, "AppendedData") == 0) break;
        if (strcmp(tag.name, "Piece") == 0) PLI_TRY(read_piece(f, &tag));
        for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i)
            if (strcmp(tag.name, parts[i].name) == 0) *parts[i].inside = tag.opens && !tag.closes;
        if (strcmp(tag.name, "DataArray") == 0 && tag.opens && f->point_count >= 0)
            PLI_TRY(read_array(f, &tag));
    }
    if (f->pieces == 0 || f->point_count >= 0)
        return PLI_SCAN_FAIL(f->scan, "no complete <Piece> in the file");
    return PLI_OK;
}

pli_status pli_read_vtu(pli_reader* reader) {
    vtu f = {.reader = reader, .scan = &reader->scan, .point_count = -1};
    pli_status status = read_tags(&f);
    PLI_FREE(reader->memory, f.data, f.data_capacity);
    return status;
}
