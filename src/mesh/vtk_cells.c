// Conversion of VTK cells [VTK user's guide, "VTK File Formats"] to elements.
#include "mesh/vtk_cells.h"

#include <string.h>

#include "base/text.h"

typedef enum use { KIND, CHAIN, STRIP, SKIPPED, SILENT } use;

typedef struct cell_type {
    int number, vertices, dimension; // 0 vertices: any number
    use use;
    pli_element_kind kind;
    const char* word;
} cell_type;

static const cell_type types[] = {
    {0, 0, 0, SILENT, 0, "empty cells"},
    {1, 1, 0, SILENT, 0, "vertices"},
    {PLI_VTK_POLY_VERTEX, 0, 0, SILENT, 0, "vertices"},
    {3, 2, 1, KIND, PLI_SEGMENT, "segments"},
    {PLI_VTK_POLY_LINE, 0, 1, CHAIN, PLI_SEGMENT, "polylines"},
    {5, 3, 2, KIND, PLI_TRIANGLE, "triangles"},
    {PLI_VTK_STRIP, 0, 2, STRIP, PLI_TRIANGLE, "strips"},
    {PLI_VTK_POLYGON, 0, 2, CHAIN, PLI_TRIANGLE, "polygons"},
    {8, 4, 2, SKIPPED, 0, "pixels"},
    {9, 4, 2, CHAIN, PLI_TRIANGLE, "quadrangles"},
    {10, 4, 3, KIND, PLI_TETRAHEDRON, "tetrahedra"},
    {11, 8, 3, SKIPPED, 0, "voxels"},
    {12, 8, 3, SKIPPED, 0, "hexahedra"},
    {13, 6, 3, SKIPPED, 0, "prisms"},
    {14, 5, 3, SKIPPED, 0, "pyramids"},
    {21, 3, 1, SKIPPED, 0, "quadratic segments"},
    {22, 6, 2, KIND, PLI_TRIANGLE6, "quadratic triangles"},
    {24, 10, 3, KIND, PLI_TETRAHEDRON10, "quadratic tetrahedra"},
};

static const cell_type unknown = {-1, 0, 0, SKIPPED, 0, "cells of other types"};

static const cell_type* find_type(int64_t number) {
    for (size_t i = 0; i < sizeof types / sizeof *types; ++i)
        if (types[i].number == number) return &types[i];
    return &unknown;
}

pli_status pli_cells_init(pli_cells* cells, pli_memory* memory, int count, int vertex_count,
                          pli_error* error) {
    *cells = (pli_cells){.memory = memory, .count = count, .vertex_count = vertex_count};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, cells->ends, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, cells->places, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, cells->dims, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, cells->vertices, vertex_count, error));
cleanup:
    if (status != PLI_OK) pli_cells_free(cells);
    return status;
}

void pli_cells_free(pli_cells* cells) {
    if (!cells->memory) return;
    PLI_FREE(cells->memory, cells->ends, cells->count);
    PLI_FREE(cells->memory, cells->places, cells->count);
    PLI_FREE(cells->memory, cells->dims, cells->count);
    PLI_FREE(cells->memory, cells->vertices, cells->vertex_count);
    *cells = (pli_cells){0};
}

pli_status pli_cells_check(const pli_cells* cells, const pli_scan* scan) {
    int64_t last = 0;
    for (int i = 0; i < cells->count; ++i) {
        if (cells->ends[i] < last || cells->ends[i] > cells->vertex_count)
            return PLI_SCAN_FAIL(scan, "cell %d ends at offset %lld, must be %lld to %d", i,
                                 (long long)cells->ends[i], (long long)last, cells->vertex_count);
        last = cells->ends[i];
    }
    if (last == cells->vertex_count) return PLI_OK;
    return PLI_SCAN_FAIL(scan, "the cells have %lld vertices, the list has %d", (long long)last,
                         cells->vertex_count);
}

// Each vertex after the first two adds a triangle; every second one has the opposite orientation.
static pli_status put_strip(pli_reader* reader, const int32_t* v, int count, int32_t place) {
    for (int i = 2; i < count; ++i) {
        int odd = i % 2;
        int32_t corners[3] = {v[i - 2 + odd], v[i - 1 - odd], v[i]};
        PLI_TRY(pli_reader_put_element(reader, PLI_TRIANGLE, corners, place));
    }
    return PLI_OK;
}

pli_status pli_cells_put(pli_cells* cells, pli_reader* reader, int i, int64_t number) {
    const cell_type* type = find_type(number);
    cells->dims[i] = (int8_t)type->dimension;
    int64_t first = i > 0 ? cells->ends[i - 1] : 0;
    int count = (int)(cells->ends[i] - first);
    const int32_t* v = count > 0 ? cells->vertices + first : NULL;
    int least = type->vertices       ? type->vertices
                : type->use == CHAIN ? pli_element_size(type->kind)
                : type->use == STRIP ? 3
                                     : 0;
    if (count < least || (type->vertices && count > least))
        return PLI_SCAN_FAIL(&reader->scan, "cell %d of type %lld has %d vertices, must have %d", i,
                             (long long)number, count, least);
    if (type->use == SILENT) return PLI_OK;
    if (type->use == KIND) return pli_reader_put_element(reader, type->kind, v, cells->places[i]);
    if (type->use == STRIP) return put_strip(reader, v, count, cells->places[i]);
    if (type->use == SKIPPED) {
        pli_reader_skip(reader, type->word, 1);
        return PLI_OK;
    }
    pli_chain chain = {.kind = type->kind, .place = cells->places[i]};
    for (int k = 0; k < count; ++k) PLI_TRY(pli_reader_chain(reader, &chain, v[k]));
    return PLI_OK;
}

pli_status pli_cells_mark(const pli_cells* cells, pli_reader* reader,
                          const pli_value_groups* groups, const int64_t* values) {
    for (int i = 0; i < cells->count; ++i) {
        int64_t first = i > 0 ? cells->ends[i - 1] : 0;
        PLI_TRY(pli_value_groups_mark(groups, reader, cells->dims[i], values[i],
                                      (int)(cells->ends[i] - first),
                                      cells->vertices ? cells->vertices + first : NULL));
    }
    return PLI_OK;
}

// ---- groups

// Index of the value in the list, or its insertion place.
static int find_value(const pli_value_groups* g, int64_t value) {
    int at = 0;
    while (at < g->count && g->values[at] < value) ++at;
    return at;
}

void pli_value_groups_init(pli_value_groups* g, const char* name, int count,
                           const int64_t* values) {
    *g = (pli_value_groups){0};
    pli_format(g->name, sizeof g->name, "%s", name);
    g->own = strncmp(name, PLI_GROUP_PREFIX, strlen(PLI_GROUP_PREFIX)) == 0;
    for (int i = 0; i < count; ++i) {
        int at = find_value(g, values[i]);
        if (at < g->count && g->values[at] == values[i]) continue;
        if (g->count == PLI_VALUE_LIMIT) {
            g->count = 0;
            return;
        }
        memmove(g->values + at + 1, g->values + at, (size_t)(g->count - at) * sizeof *g->values);
        g->values[at] = values[i];
        g->count++;
    }
}

pli_status pli_value_groups_mark(const pli_value_groups* g, pli_reader* reader, int dim,
                                 int64_t value, int count, const int32_t* vertices) {
    char name[2 * PLI_MESH_NAME_SIZE];
    int group;
    if (g->count == 0 || (g->own && value == 0)) return PLI_OK;
    if (g->own)
        pli_format(name, sizeof name, "%s", g->name + strlen(PLI_GROUP_PREFIX));
    else // the value distinguishes the groups, so a long array name is truncated
        pli_format(name, sizeof name, "%.40s=%lld", g->name, (long long)value);
    PLI_TRY(pli_marks_name(&reader->marks, g->own && dim == 0 ? g->dim : dim, name, &group,
                           reader->scan.error));
    if (group >= 0 && g->own) reader->marks.groups[group].tag = g->tag;
    return pli_reader_mark_group(reader, group, count, vertices);
}
