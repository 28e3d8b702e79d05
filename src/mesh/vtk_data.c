// Data of legacy VTK files [VTK user's guide, "VTK File Formats"].
#include "mesh/vtk_data.h"

#include <string.h>

pli_status pli_vtk_type(pli_scan* scan, pli_number_type* type) {
    pli_word name;
    PLI_TRY(pli_scan_word(scan, "a type of numbers", &name));
    if (pli_number_named(name.text, type)) return PLI_OK;
    return PLI_SCAN_FAIL(scan, "type of numbers \"%.23s\" is not known", name.text);
}

// Ends with an empty line.
pli_status pli_vtk_metadata(pli_scan* scan) {
    do {
        pli_scan_skip_line(scan);
        pli_scan_skip_blanks(scan);
    } while (!pli_scan_line_ended(scan));
    return PLI_OK;
}

// ---- arrays

// Names have signs such as blanks and colons as % and two digits of base 16.
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

static pli_status pass_numbers(pli_vtk_data* d, pli_number_type type, int64_t count) {
    pli_scan* scan = &d->reader->scan;
    if (d->binary) return pli_scan_skip_bytes(scan, (size_t)count * (size_t)type.size, "an array");
    for (int64_t i = 0; i < count; ++i) PLI_TRY(pli_scan_word(scan, "number", &(pli_word){{0}}));
    return PLI_OK;
}

static pli_status mark_values(pli_vtk_data* d, const char* name, const int64_t* values) {
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

static pli_status read_values(pli_vtk_data* d, char* name, pli_number_type type) {
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
static pli_status read_array(pli_vtk_data* d, char* name, pli_number_type type, int64_t components,
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

// The length in front of a string of a binary file: the two highest bits of the first byte say how
// many bytes it has (3: 1, 2: 2, 1: 4, 0: 8), the others are its highest digits.
static pli_status read_length(pli_scan* scan, size_t* length) {
    unsigned char bytes[8] = {(unsigned char)*scan->at}; // the NUL behind the file at its end
    size_t size = (size_t)8 >> (bytes[0] >> 6);
    const char* first = scan->at;
    PLI_TRY(pli_scan_skip_bytes(scan, size, "the length of a string"));
    memcpy(bytes, first, size);
    *length = bytes[0] & 63;
    for (size_t i = 1; i < size; ++i) *length = *length << 8 | bytes[i];
    return PLI_OK;
}

// Strings, which have a line each, or their length in front.
static pli_status pass_strings(pli_vtk_data* d, int64_t components, int64_t tuples) {
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
pli_status pli_vtk_field(pli_vtk_data* d) {
    pli_scan* scan = &d->reader->scan;
    pli_word word;
    int arrays;
    PLI_TRY(pli_scan_word(scan, "the name of a field", &word));
    PLI_TRY(pli_scan_count(scan, PLI_INT32, "arrays", 2, &arrays));
    for (int a = 0; a < arrays; ++a) {
        int64_t components, tuples;
        pli_number_type type;
        if (pli_scan_take(scan, "METADATA")) PLI_TRY(pli_vtk_metadata(scan));
        PLI_TRY(pli_scan_word(scan, "the name of an array", &word));
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of tuples", &tuples));
        if (pli_scan_take(scan, "string") || pli_scan_take(scan, "utf8_string")) {
            PLI_TRY(pass_strings(d, components, tuples));
            continue;
        }
        PLI_TRY(pli_vtk_type(scan, &type));
        PLI_TRY(read_array(d, word.text, type, components, tuples));
    }
    return PLI_OK;
}

// ---- attributes

typedef enum form { TYPE, TYPE_MAYBE_WIDTH, WIDTH_TYPE, WIDTH, TABLE } form;

// What follows the name of an attribute; `components` where the word implies them.
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

static pli_status read_attribute(pli_vtk_data* d, const attribute* a) {
    pli_scan* scan = &d->reader->scan;
    pli_word name;
    int64_t components = a->components, tuples = d->tuples;
    pli_number_type type = {'u', 1}; // of colours, which are never groups
    bool color = a->form == WIDTH || a->form == TABLE;
    PLI_TRY(pli_scan_word(scan, "the name of an array", &name));
    if (a->form == WIDTH || a->form == WIDTH_TYPE)
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
    if (a->form == TABLE) PLI_TRY(pli_scan_integer(scan, PLI_INT32, "size of a table", &tuples));
    if (!color) PLI_TRY(pli_vtk_type(scan, &type));
    pli_scan_skip_blanks(scan);
    if (a->form == TYPE_MAYBE_WIDTH && !pli_scan_line_ended(scan))
        PLI_TRY(pli_scan_integer(scan, PLI_INT32, "number of components", &components));
    if (a->form == TYPE_MAYBE_WIDTH && pli_scan_take(scan, "LOOKUP_TABLE"))
        PLI_TRY(pli_scan_word(scan, "the name of a table", &(pli_word){{0}}));
    pli_vtk_data quiet = *d;
    quiet.groups = d->groups && !color;
    return read_array(&quiet, name.text, type, components, tuples);
}

// POINT_DATA or CELL_DATA and how many.
static pli_status read_head(pli_vtk_data* d, bool of_points) {
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

static pli_status read_keyword(pli_vtk_data* d, const char* word) {
    if (pli_same_word(word, "POINT_DATA")) return read_head(d, true);
    if (pli_same_word(word, "CELL_DATA")) return read_head(d, false);
    if (pli_same_word(word, "METADATA")) return pli_vtk_metadata(&d->reader->scan);
    if (pli_same_word(word, "FIELD")) return pli_vtk_field(d);
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; ++i)
        if (pli_same_word(attributes[i].word, word)) return read_attribute(d, &attributes[i]);
    return PLI_SCAN_FAIL(&d->reader->scan, "keyword \"%.23s\" of data is not known", word);
}

static pli_status read_keywords(pli_vtk_data* d, const char* first) {
    pli_scan* scan = &d->reader->scan;
    PLI_TRY(read_keyword(d, first));
    for (;;) {
        pli_word word;
        pli_scan_skip_space(scan);
        if (pli_scan_ended(scan)) return PLI_OK;
        PLI_TRY(pli_scan_word(scan, "a keyword", &word));
        PLI_TRY(read_keyword(d, word.text));
    }
}

pli_status pli_vtk_read_data(pli_vtk_data* d, const char* word) {
    pli_scan* scan = &d->reader->scan;
    pli_error *error = scan->error, own = {0};
    scan->error = &own;
    pli_status status = read_keywords(d, word);
    scan->error = error;
    if (status == PLI_E_SCENE)
        return pli_mesh_source_note(d->reader->mesh, error, "the rest of the data is left out: %s",
                                    own.message);
    if (status != PLI_OK && error) *error = own;
    return status;
}
