// Legacy VTK files, text and binary (big-endian): unstructured grids and polygons [VTK
// user's guide, "VTK File Formats"]. Since version 5 cells are two arrays, offsets and
// connectivity; before, each cell is its number of vertices and the vertices.
#include <string.h>

#include "mesh/vtk_cells.h"

// ---- data

// Arrays on points and cells: integer arrays become groups (vtk_cells.h), all others are skipped.
typedef struct vtk_data {
    pli_reader* reader;
    bool binary;
    int list_count;
    const pli_cells* lists; // all cells, in the order in which data counts them
    bool of_points;         // the arrays are of points, else of cells
    int64_t tuples;         // number of tuples of each array
    bool groups;            // make groups of them
} vtk_data;

static pli_status read_type(pli_scan* scan, pli_number_type* type) {
    pli_word name;
    PLI_TRY(pli_scan_word(scan, "a type of numbers", &name));
    if (pli_number_named(name.text, type)) return PLI_OK;
    return PLI_SCAN_FAIL(scan, "unknown number type \"%.23s\"", name.text);
}

// Ends with an empty line.
static pli_status skip_metadata(pli_scan* scan) {
    do {
        pli_scan_skip_line(scan);
        pli_scan_skip_blanks(scan);
    } while (!pli_scan_line_ended(scan));
    return PLI_OK;
}

// ---- arrays

// Names encode characters such as blanks and colons as % and two hexadecimal digits.
static void decode_name(char* text) {
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    char* out = text;
    for (const char* c = text; *c; ++c) {
        const char* high = *c == '%' && c[1] ? strchr(digits, c[1]) : NULL;
        const char* low = high && c[2] ? strchr(digits, c[2]) : NULL;
        *out++ = *c;
        if (!low) continue;
        out[-1] = (char)((high - digits) % 16 * 16 + (low - digits) % 16);
        c += 2;
    }
    *out = 0;
}

static pli_status pass_numbers(vtk_data* d, pli_number_type type, int64_t count) {
    pli_scan* scan = &d->reader->scan;
    if (d->binary) return pli_scan_skip_bytes(scan, (size_t)count * (size_t)type.size, "an array");
    for (int64_t i = 0; i < count; ++i) PLI_TRY(pli_scan_word(scan, "number", &(pli_word){{0}}));
    return PLI_OK;
}

static pli_status mark_values(vtk_data* d, const char* name, const int64_t* values) {
    pli_value_groups groups;
    pli_value_groups_init(&groups, name, (int)d->tuples, values);
    for (int i = 0; d->of_points && i < d->tuples; ++i) {
        int32_t vertex = d->reader->first_vertex + i;
        PLI_TRY(pli_value_groups_mark(&groups, d->reader, 0, values[i], 1, &vertex));
    }
    for (int i = 0; !d->of_points && i < d->list_count; values += d->lists[i++].count)
        PLI_TRY(pli_cells_mark(&d->lists[i], d->reader, &groups, values));
    return PLI_OK;
}

static pli_status read_values(vtk_data* d, char* name, pli_number_type type) {
    pli_scan* scan = &d->reader->scan;
    int64_t* values;
    PLI_TRY(PLI_ALLOC(d->reader->memory, values, d->tuples, scan->error));
    pli_status status = PLI_OK;
    for (int64_t i = 0; i < d->tuples && status == PLI_OK; ++i)
        status = pli_scan_integer(scan, type, "number", &values[i]);
    decode_name(name);
    if (status == PLI_OK) status = mark_values(d, name, values);
    PLI_FREE(d->reader->memory, values, d->tuples);
    return status;
}

// The numbers of one array, which begin in the next line.
static pli_status read_array(vtk_data* d, char* name, pli_number_type type, int64_t components,
                             int64_t tuples) {
    pli_scan* scan = &d->reader->scan;
    PLI_TRY(pli_scan_check_count(scan, "components", components, 1));
    PLI_TRY(pli_scan_check_count(scan, "tuples", tuples, 1));
    int64_t count = components * tuples;
    PLI_TRY(pli_scan_check_count(scan, "numbers", count, d->binary ? (size_t)type.size : 2));
    if (d->binary) pli_scan_skip_line(scan);
    scan->binary = d->binary;
    bool wanted = d->groups && type.kind != 'f' && components == 1 && tuples == d->tuples;
    PLI_TRY(wanted ? read_values(d, name, type) : pass_numbers(d, type, count));
    scan->binary = false;
    return PLI_OK;
}

// The length in front of a string of a binary file: the two highest bits of the first byte give its
// number of bytes (3: 1, 2: 2, 1: 4, 0: 8), the others are its highest digits.
static pli_status read_length(pli_scan* scan, size_t* length) {
    unsigned char bytes[8] = {(unsigned char)*scan->at}; // the NUL after the file at its end
    size_t size = (size_t)8 >> (bytes[0] >> 6);
    const char* first = scan->at;
    PLI_TRY(pli_scan_skip_bytes(scan, size, "the length of a string"));
    memcpy(bytes, first, size);
    *length = bytes[0] & 63;
    for (size_t i = 1; i < size; ++i) *length = *length << 8 | bytes[i];
    return PLI_OK;
}

// Strings, one per line, or preceded by their length.
static pli_status pass_strings(vtk_data* d, int64_t components, int64_t tuples) {
    pli_scan* scan = &d->reader->scan;
    PLI_TRY(pli_scan_check_count(scan, "components", components, 1));
    PLI_TRY(pli_scan_check_count(scan, "tuples", tuples, 1));
    PLI_TRY(pli_scan_check_count(scan, "strings", components * tuples, 1));
    pli_scan_skip_line(scan);
    for (int64_t i = 0; i < components * tuples; ++i) {
        size_t length;
        if (d->binary) PLI_TRY(read_length(scan, &length));
        if (d->binary) PLI_TRY(pli_scan_skip_bytes(scan, length, "a string"));
        if (!d->binary) pli_scan_skip_line(scan);
    }
    return PLI_OK;
}

// "name components tuples type" for each array.
static pli_status read_arrays(vtk_data* d) {
    pli_scan* scan = &d->reader->scan;
    pli_word word;
    int arrays;
    PLI_TRY(pli_scan_word(scan, "the name of a field", &word));
    PLI_TRY(pli_scan_count(scan, PLI_INT32, "arrays", 2, &arrays));
    for (int a = 0; a < arrays; ++a) {
        int64_t components, tuples;
        pli_number_type type;
        if (pli_scan_take(scan, "METADATA")) PLI_TRY(skip_metadata(scan));
        PLI_TRY(pli_scan_word(scan, "the name of an array", &word));
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of tuples", &tuples));
        if (pli_scan_take(scan, "string") || pli_scan_take(scan, "utf8_string")) {
            PLI_TRY(pass_strings(d, components, tuples));
            continue;
        }
        PLI_TRY(read_type(scan, &type));
        PLI_TRY(read_array(d, word.text, type, components, tuples));
    }
    return PLI_OK;
}

// ---- attributes

typedef enum form { TYPE, TYPE_MAYBE_WIDTH, WIDTH_TYPE, WIDTH, TABLE } form;

// The arguments after the name of an attribute; `components` where the word implies them.
typedef struct attribute {
    const char* word;
    form form;
    int components;
} attribute;

static const attribute attributes[] = {
    {"SCALARS", TYPE_MAYBE_WIDTH, 1},
    {"VECTORS", TYPE, 3},
    {"NORMALS", TYPE, 3},
    {"TENSORS", TYPE, 9},
    {"TENSORS6", TYPE, 6},
    {"GLOBAL_IDS", TYPE, 1},
    {"PEDIGREE_IDS", TYPE, 1},
    {"COLOR_SCALARS", WIDTH, 1},
    {"LOOKUP_TABLE", TABLE, 4},
    {"TEXTURE_COORDINATES", WIDTH_TYPE, 1},
};

static pli_status read_attribute(vtk_data* d, const attribute* a) {
    pli_scan* scan = &d->reader->scan;
    pli_word name;
    int64_t components = a->components, tuples = d->tuples;
    pli_number_type type = {'u', 1}; // of colours, which are never groups
    bool color = a->form == WIDTH || a->form == TABLE;
    PLI_TRY(pli_scan_word(scan, "the name of an array", &name));
    if (a->form == WIDTH || a->form == WIDTH_TYPE)
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
    if (a->form == TABLE) PLI_TRY(pli_scan_integer(scan, PLI_INT32, "size of a table", &tuples));
    if (!color) PLI_TRY(read_type(scan, &type));
    pli_scan_skip_blanks(scan);
    if (a->form == TYPE_MAYBE_WIDTH && !pli_scan_line_ended(scan))
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
    if (a->form == TYPE_MAYBE_WIDTH && pli_scan_take(scan, "LOOKUP_TABLE"))
        PLI_TRY(pli_scan_word(scan, "the name of a table", &(pli_word){{0}}));
    vtk_data quiet = *d;
    quiet.groups = d->groups && !color;
    return read_array(&quiet, name.text, type, components, tuples);
}

// POINT_DATA or CELL_DATA and the count.
static pli_status read_array_head(vtk_data* d, bool of_points) {
    pli_scan* scan = &d->reader->scan;
    int64_t count = pli_reader_vertices(d->reader);
    for (int i = 0; !of_points && i < d->list_count; ++i)
        count = (i ? count : 0) + d->lists[i].count;
    PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of tuples", &d->tuples));
    if (d->tuples != count)
        return PLI_SCAN_FAIL(scan, "data of %lld %s, but there are %lld", (long long)d->tuples,
                             of_points ? "points" : "cells", (long long)count);
    d->of_points = of_points;
    d->groups = true;
    return PLI_OK;
}

static pli_status read_data_keyword(vtk_data* d, const char* word) {
    if (pli_same_word(word, "POINT_DATA")) return read_array_head(d, true);
    if (pli_same_word(word, "CELL_DATA")) return read_array_head(d, false);
    if (pli_same_word(word, "METADATA")) return skip_metadata(&d->reader->scan);
    if (pli_same_word(word, "FIELD")) return read_arrays(d);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i)
        if (pli_same_word(attributes[i].word, word)) return read_attribute(d, &attributes[i]);
    return PLI_SCAN_FAIL(&d->reader->scan, "keyword \"%.23s\" of data is not known", word);
}

static pli_status read_keywords(vtk_data* d, const char* first) {
    pli_scan* scan = &d->reader->scan;
    PLI_TRY(read_data_keyword(d, first));
    for (;;) {
        pli_word word;
        pli_scan_skip_space(scan);
        if (pli_scan_ended(scan)) return PLI_OK;
        PLI_TRY(pli_scan_word(scan, "a keyword", &word));
        PLI_TRY(read_data_keyword(d, word.text));
    }
}

static pli_status read_data(vtk_data* d, const char* word) {
    pli_scan* scan = &d->reader->scan;
    pli_error *error = scan->error, own = {0};
    scan->error = &own;
    pli_status status = read_keywords(d, word);
    scan->error = error;
    if (status == PLI_E_SCENE)
        return pli_mesh_source_note(d->reader->mesh, error, "the rest of the data is ignored: %s",
                                    own.message);
    if (status != PLI_OK && error) *error = own;
    return status;
}

// ---- geometry

// Lists of cells, in the order in which data counts them. A grid has only the first.
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

// Numbers begin after the end of a keyword's line.
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
    if (f->has_points) return PLI_SCAN_FAIL(f->scan, "POINTS occurs twice");
    PLI_TRY(pli_scan_integer(f->scan, PLI_INT32, "number of points", &count));
    PLI_TRY(read_type(f->scan, &type));
    PLI_TRY(pli_scan_check_count(f->scan, "points", count, 3 * least_bytes(f, type)));
    start_numbers(f);
    for (int64_t i = 0; i < count; ++i) PLI_TRY(pli_reader_read_vertex(f->reader, type, 3));
    end_numbers(f);
    f->has_points = true;
    return PLI_OK;
}

// Before version 5: `count` cells of `size` numbers in total; each cell has one more than its
// vertices.
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

// Version 5: `ends` is the number of cells plus one.
static pli_status read_new_cells(vtk* f, int ends, int size, pli_cells* cells) {
    pli_number_type type;
    PLI_TRY(
        pli_cells_init(cells, f->reader->memory, ends > 0 ? ends - 1 : 0, size, f->scan->error));
    PLI_TRY(pli_scan_expect(f->scan, "OFFSETS"));
    PLI_TRY(read_type(f->scan, &type));
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
    PLI_TRY(read_type(f->scan, &type));
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
    if (f->lists[0].memory) return PLI_SCAN_FAIL(f->scan, "CELLS occurs twice");
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
    if (cells->memory) return PLI_SCAN_FAIL(f->scan, "the same list of cells occurs twice");
    PLI_TRY(read_cells(f, cells));
    for (int i = 0; i < cells->count; ++i) PLI_TRY(pli_cells_put(cells, f->reader, i, type));
    return PLI_OK;
}

static pli_status read_vertices(vtk* f) { return read_poly(f, VERTICES, PLI_VTK_POLY_VERTEX); }
static pli_status read_lines(vtk* f) { return read_poly(f, LINES, PLI_VTK_POLY_LINE); }
static pli_status read_polygons(vtk* f) { return read_poly(f, POLYGONS, PLI_VTK_POLYGON); }
static pli_status read_strips(vtk* f) { return read_poly(f, STRIPS, PLI_VTK_STRIP); }
static pli_status read_metadata(vtk* f) { return skip_metadata(f->scan); }

static vtk_data data_of(vtk* f) {
    return (vtk_data){
        .reader = f->reader, .binary = f->binary, .list_count = LISTS, .lists = f->lists};
}

// Data of the whole file, which is ignored.
static pli_status read_field(vtk* f) {
    vtk_data data = data_of(f);
    return read_arrays(&data);
}

typedef struct keyword {
    const char* word;
    bool grid, polygons; // where it is allowed
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
    pli_word word = {{0}}; // the word that starts the data
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
    vtk_data data = data_of(f);
    return word.text[0] ? read_data(&data, word.text) : PLI_OK;
}

pli_status pli_read_vtk(pli_reader* reader) {
    vtk f = {.reader = reader, .scan = &reader->scan};
    pli_status status = read_all(&f);
    for (int i = 0; i < LISTS; ++i) pli_cells_free(&f.lists[i]);
    return status;
}
