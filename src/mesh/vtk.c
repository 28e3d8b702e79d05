// Legacy VTK files, text and binary (bytes highest first): unstructured grids and polygons [VTK
// user's guide, "VTK File Formats"]. Since version 5 cells are two arrays, offsets and
// connectivity; before, each cell is its number of vertices and the vertices.
#include <string.h>

#include "mesh/cells.h"
#include "mesh/vtk_data.h"

// Lists of cells, in the order in which data counts them. A grid has the first alone.
enum { VERTICES, LINES, POLYGONS, STRIPS, LISTS };

typedef struct vtk {
    pli_reader* reader;
    pli_scan* scan;
    bool binary;
    bool new_cells; // version 5
    bool grid;      // unstructured grid, not polygons
    bool has_points, has_types;
    pli_cells lists[LISTS];
} vtk;

// Numbers begin behind the end of a keyword's line.
static void start_numbers(vtk* f) {
    if (f->binary) pli_scan_skip_line(f->scan);
    f->scan->binary = f->binary;
}

static void end_numbers(vtk* f) { f->scan->binary = false; }

static size_t least_bytes(const vtk* f, pli_number_type type) {
    return f->binary ? (size_t)type.size : 2;
}

static pli_status read_points(vtk* f) {
    int64_t count;
    pli_number_type type;
    if (f->has_points) return PLI_SCAN_FAIL(f->scan, "POINTS is there twice");
    PLI_TRY(pli_scan_integer(f->scan, PLI_INT32, "number of points", &count));
    PLI_TRY(pli_vtk_type(f->scan, &type));
    PLI_TRY(pli_scan_check_count(f->scan, "points", count, 3 * least_bytes(f, type)));
    start_numbers(f);
    for (int64_t i = 0; i < count; ++i) PLI_TRY(pli_reader_read_vertex(f->reader, type, 3));
    end_numbers(f);
    f->has_points = true;
    return PLI_OK;
}

// Before version 5: `count` cells of `size` numbers in all, which are one more each than vertices.
static pli_status read_old_cells(vtk* f, int count, int size, pli_cells* cells) {
    PLI_TRY(pli_cells_init(cells, f->reader->memory, count, size - count, f->scan->error));
    start_numbers(f);
    int64_t end = 0;
    for (int i = 0; i < count; ++i) {
        int64_t n;
        PLI_TRY(pli_scan_integer(f->scan, PLI_INT32, "number of vertices of a cell", &n));
        cells->places[i] = pli_scan_place(f->scan);
        if (n < 0 || n > cells->vertex_count - end)
            return PLI_SCAN_FAIL(f->scan, "a cell of %lld vertices, but only %lld are left",
                                 (long long)n, (long long)(cells->vertex_count - end));
        for (int64_t k = 0; k < n; ++k)
            PLI_TRY(pli_reader_read_index(f->reader, PLI_INT32, 0, &cells->vertices[end + k]));
        cells->ends[i] = end += n;
    }
    end_numbers(f);
    return PLI_OK;
}

// Version 5: `ends` is one more than there are cells.
static pli_status read_new_cells(vtk* f, int ends, int size, pli_cells* cells) {
    pli_number_type type;
    PLI_TRY(
        pli_cells_init(cells, f->reader->memory, ends > 0 ? ends - 1 : 0, size, f->scan->error));
    PLI_TRY(pli_scan_expect(f->scan, "OFFSETS"));
    PLI_TRY(pli_vtk_type(f->scan, &type));
    start_numbers(f);
    for (int i = 0; i < ends; ++i) {
        int64_t end;
        PLI_TRY(pli_scan_integer(f->scan, type, "offset", &end));
        if (i > 0) cells->ends[i - 1] = end;
        if (i == 0 && end != 0)
            return PLI_SCAN_FAIL(f->scan, "the first offset is %lld, must be 0", (long long)end);
    }
    end_numbers(f);
    PLI_TRY(pli_scan_expect(f->scan, "CONNECTIVITY"));
    PLI_TRY(pli_vtk_type(f->scan, &type));
    start_numbers(f);
    for (int i = 0; i < size; ++i)
        PLI_TRY(pli_reader_read_index(f->reader, type, 0, &cells->vertices[i]));
    end_numbers(f);
    return PLI_OK;
}

static pli_status read_cells(vtk* f, pli_cells* cells) {
    int count, size;
    size_t each = f->binary ? 4 : 2;
    if (!f->has_points) return PLI_SCAN_FAIL(f->scan, "POINTS must come before cells");
    PLI_TRY(pli_scan_count(f->scan, PLI_INT32, "cells", each, &count));
    PLI_TRY(pli_scan_count(f->scan, PLI_INT32, "numbers of cells", each, &size));
    if (!f->new_cells && size < count)
        return PLI_SCAN_FAIL(f->scan, "%d numbers of cells, must be at least %d", size, count);
    PLI_TRY(f->new_cells ? read_new_cells(f, count, size, cells)
                         : read_old_cells(f, count, size, cells));
    return pli_cells_check(cells, f->scan);
}

static pli_status read_grid_cells(vtk* f) {
    if (f->lists[0].memory) return PLI_SCAN_FAIL(f->scan, "CELLS is there twice");
    return read_cells(f, &f->lists[0]);
}

static pli_status read_cell_types(vtk* f) {
    int count;
    PLI_TRY(pli_scan_count(f->scan, PLI_INT32, "cell types", f->binary ? 4 : 2, &count));
    if (count != f->lists[0].count)
        return PLI_SCAN_FAIL(f->scan, "%d cell types, but %d cells", count, f->lists[0].count);
    start_numbers(f);
    for (int i = 0; i < count; ++i) {
        int64_t type;
        PLI_TRY(pli_scan_integer(f->scan, PLI_INT32, "cell type", &type));
        PLI_TRY(pli_cells_put(&f->lists[0], f->reader, i, type));
    }
    end_numbers(f);
    f->has_types = true;
    return PLI_OK;
}

static pli_status read_poly(vtk* f, int list, int type) {
    pli_cells* cells = &f->lists[list];
    if (cells->memory) return PLI_SCAN_FAIL(f->scan, "the same list of cells is there twice");
    PLI_TRY(read_cells(f, cells));
    for (int i = 0; i < cells->count; ++i) PLI_TRY(pli_cells_put(cells, f->reader, i, type));
    return PLI_OK;
}

static pli_status read_vertices(vtk* f) { return read_poly(f, VERTICES, PLI_VTK_POLY_VERTEX); }
static pli_status read_lines(vtk* f) { return read_poly(f, LINES, PLI_VTK_POLY_LINE); }
static pli_status read_polygons(vtk* f) { return read_poly(f, POLYGONS, PLI_VTK_POLYGON); }
static pli_status read_strips(vtk* f) { return read_poly(f, STRIPS, PLI_VTK_STRIP); }
static pli_status read_metadata(vtk* f) { return pli_vtk_metadata(f->scan); }

static pli_vtk_data data_of(vtk* f) {
    return (pli_vtk_data){
        .reader = f->reader, .binary = f->binary, .list_count = LISTS, .lists = f->lists};
}

// Of the whole file, so of no interest here.
static pli_status read_field(vtk* f) {
    pli_vtk_data data = data_of(f);
    return pli_vtk_field(&data);
}

typedef struct keyword {
    const char* word;
    bool grid, polygons; // where it may stand
    pli_status (*read)(vtk* f);
} keyword;

static const keyword keywords[] = {
    {"POINTS", true, true, read_points},
    {"CELLS", true, false, read_grid_cells},
    {"CELL_TYPES", true, false, read_cell_types},
    {"VERTICES", false, true, read_vertices},
    {"LINES", false, true, read_lines},
    {"POLYGONS", false, true, read_polygons},
    {"TRIANGLE_STRIPS", false, true, read_strips},
    {"METADATA", true, true, read_metadata},
    {"FIELD", true, true, read_field},
};

static pli_status read_keyword(vtk* f, const char* word) {
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; ++i)
        if (pli_same_word(keywords[i].word, word) &&
            (f->grid ? keywords[i].grid : keywords[i].polygons))
            return keywords[i].read(f);
    return PLI_SCAN_FAIL(f->scan, "keyword \"%.23s\" is not known in a %s", word,
                         f->grid ? "UNSTRUCTURED_GRID" : "POLYDATA");
}

static pli_status read_head(vtk* f) {
    pli_word word;
    double version;
    PLI_TRY(pli_scan_expect(f->scan, "#"));
    PLI_TRY(pli_scan_expect(f->scan, "vtk"));
    PLI_TRY(pli_scan_expect(f->scan, "DataFile"));
    PLI_TRY(pli_scan_expect(f->scan, "Version"));
    PLI_TRY(pli_scan_real(f->scan, PLI_FLOAT64, "version", &version));
    f->new_cells = version >= 5;
    pli_scan_skip_line(f->scan);
    pli_scan_skip_line(f->scan); // the title
    PLI_TRY(pli_scan_word(f->scan, "ASCII or BINARY", &word));
    f->binary = pli_same_word(word.text, "BINARY");
    if (!f->binary && !pli_same_word(word.text, "ASCII"))
        return PLI_SCAN_FAIL(f->scan, "\"%.23s\", must be ASCII or BINARY", word.text);
    f->scan->bytes = f->binary;
    f->scan->swap = pli_little_endian();
    while (pli_scan_take(f->scan, "FIELD")) PLI_TRY(read_field(f));
    PLI_TRY(pli_scan_expect(f->scan, "DATASET"));
    PLI_TRY(pli_scan_word(f->scan, "the kind of dataset", &word));
    f->grid = pli_same_word(word.text, "UNSTRUCTURED_GRID");
    if (f->grid || pli_same_word(word.text, "POLYDATA")) return PLI_OK;
    return PLI_SCAN_FAIL(f->scan, "dataset \"%.23s\", must be UNSTRUCTURED_GRID or POLYDATA",
                         word.text);
}

static pli_status read_all(vtk* f) {
    pli_word word = {{0}}; // that starts the data
    PLI_TRY(read_head(f));
    for (;;) {
        word.text[0] = 0;
        pli_scan_skip_space(f->scan);
        if (pli_scan_ended(f->scan)) break;
        PLI_TRY(pli_scan_word(f->scan, "a keyword", &word));
        if (pli_same_word(word.text, "POINT_DATA") || pli_same_word(word.text, "CELL_DATA")) break;
        PLI_TRY(read_keyword(f, word.text));
    }
    if (!f->has_points) return PLI_SCAN_FAIL(f->scan, "POINTS is missing");
    if (f->grid && f->lists[0].count > 0 && !f->has_types)
        return PLI_SCAN_FAIL(f->scan, "CELL_TYPES is missing");
    pli_vtk_data data = data_of(f);
    return word.text[0] ? pli_vtk_read_data(&data, word.text) : PLI_OK;
}

pli_status pli_read_vtk(pli_reader* reader) {
    vtk f = {.reader = reader, .scan = &reader->scan};
    pli_status status = read_all(&f);
    for (int i = 0; i < LISTS; ++i) pli_cells_free(&f.lists[i]);
    return status;
}
