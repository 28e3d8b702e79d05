// PLY, text and binary of either byte order. The header describes the elements and their
// properties; of these x, y, z of "vertex", the list vertex_indices of "face" and vertex1, vertex2
// of "edge" are used, all others are skipped.
#include <string.h>

#include "mesh/reader.h"

enum { MAX_ELEMENTS = 16, MAX_PROPERTIES = 64 };

// Use of a property.
typedef enum role { IGNORED, X, Y, Z, CORNERS, VERTEX1, VERTEX2 } role;

typedef struct property {
    bool list;
    pli_number_type count_type, type;
    role role;
} property;

typedef struct element {
    char name[32];
    int64_t count;
    int property_count;
    property properties[MAX_PROPERTIES];
} element;

typedef struct ply {
    pli_reader* reader;
    pli_scan* scan;
    int element_count;
    element elements[MAX_ELEMENTS];
} ply;

static role find_role(const char* element_name, const char* name) {
    static const struct {
        const char *element, *name;
        role role;
    } roles[] = {
        {"vertex", "x", X},
        {"vertex", "y", Y},
        {"vertex", "z", Z},
        {"face", "vertex_indices", CORNERS},
        {"face", "vertex_index", CORNERS},
        {"edge", "vertex1", VERTEX1},
        {"edge", "vertex2", VERTEX2},
    };
    for (size_t i = 0; i < sizeof roles / sizeof *roles; ++i)
        if (strcmp(roles[i].element, element_name) == 0 && strcmp(roles[i].name, name) == 0)
            return roles[i].role;
    return IGNORED;
}

// ---- header

static pli_status read_format(ply* p) {
    pli_word word;
    double version;
    PLI_TRY(pli_scan_word(p->scan, "a format", &word));
    bool text = strcmp(word.text, "ascii") == 0;
    bool little = strcmp(word.text, "binary_little_endian") == 0;
    if (!text && !little && strcmp(word.text, "binary_big_endian") != 0)
        return PLI_SCAN_FAIL(
            p->scan, "format \"%.23s\", must be ascii, binary_little_endian or binary_big_endian",
            word.text);
    p->scan->bytes = !text;
    p->scan->swap = little != pli_little_endian();
    return pli_scan_real(p->scan, PLI_FLOAT64, "version", &version);
}

static pli_status read_type(ply* p, pli_number_type* type) {
    pli_word word;
    PLI_TRY(pli_scan_word(p->scan, "a type", &word));
    if (pli_number_named(word.text, type)) return PLI_OK;
    return PLI_SCAN_FAIL(p->scan, "type \"%.23s\" is not known", word.text);
}

static pli_status read_property(ply* p) {
    pli_word name;
    if (p->element_count == 0) return PLI_SCAN_FAIL(p->scan, "property before the first element");
    element* e = &p->elements[p->element_count - 1];
    if (e->property_count == MAX_PROPERTIES)
        return PLI_SCAN_FAIL(p->scan, "more than %d properties", MAX_PROPERTIES);
    property* q = &e->properties[e->property_count++];
    q->list = pli_scan_take(p->scan, "list");
    if (q->list) PLI_TRY(read_type(p, &q->count_type));
    PLI_TRY(read_type(p, &q->type));
    PLI_TRY(pli_scan_word(p->scan, "the name of a property", &name));
    q->role = find_role(e->name, name.text);
    if (q->role != IGNORED && q->list != (q->role == CORNERS))
        return PLI_SCAN_FAIL(p->scan, "property %.23s must %sbe a list", name.text,
                             q->list ? "not " : "");
    return PLI_OK;
}

static pli_status read_element_line(ply* p) {
    pli_word name;
    if (p->element_count == MAX_ELEMENTS)
        return PLI_SCAN_FAIL(p->scan, "more than %d elements", MAX_ELEMENTS);
    PLI_TRY(pli_scan_word(p->scan, "the name of an element", &name));
    element* e = &p->elements[p->element_count++];
    *e = (element){0};
    memcpy(e->name, name.text, sizeof e->name - 1);
    PLI_TRY(pli_scan_integer(p->scan, PLI_INT32, "number of elements", &e->count));
    return pli_scan_check_count(p->scan, "elements", e->count, 1);
}

static pli_status read_head(ply* p) {
    bool has_format = false;
    PLI_TRY(pli_scan_expect(p->scan, "ply"));
    for (;;) {
        if (pli_scan_take(p->scan, "end_header")) break;
        if (pli_scan_take(p->scan, "comment") || pli_scan_take(p->scan, "obj_info")) {
            pli_scan_skip_line(p->scan);
        } else if (pli_scan_take(p->scan, "format")) {
            PLI_TRY(read_format(p));
            has_format = true;
        } else if (pli_scan_take(p->scan, "element")) {
            PLI_TRY(read_element_line(p));
        } else if (pli_scan_take(p->scan, "property")) {
            PLI_TRY(read_property(p));
        } else {
            return pli_scan_expect(p->scan, "end_header");
        }
    }
    if (!has_format) return PLI_SCAN_FAIL(p->scan, "the header has no format");
    pli_scan_skip_line(p->scan);
    p->scan->binary = p->scan->bytes;
    return PLI_OK;
}

// ---- elements

// Unused numbers may have any value, even nan.
static pli_status pass_over(ply* p, pli_number_type type, int64_t count) {
    if (p->scan->binary)
        return pli_scan_skip_bytes(p->scan, (size_t)count * (size_t)type.size, "a property");
    pli_word ignored;
    for (int64_t i = 0; i < count; ++i) PLI_TRY(pli_scan_word(p->scan, "property", &ignored));
    return PLI_OK;
}

// A list: a polygon if it has corners, otherwise skipped.
static pli_status read_list(ply* p, const property* q, int32_t place) {
    int64_t count;
    pli_chain chain = {.kind = PLI_TRIANGLE, .place = place};
    PLI_TRY(pli_scan_integer(p->scan, q->count_type, "length of a list", &count));
    PLI_TRY(pli_scan_check_count(p->scan, "entries", count,
                                 p->scan->binary ? (size_t)q->type.size : 2));
    if (q->role != CORNERS) return pass_over(p, q->type, count);
    for (int64_t i = 0; i < count; ++i) {
        int32_t vertex;
        PLI_TRY(pli_reader_read_index(p->reader, q->type, 0, &vertex));
        PLI_TRY(pli_reader_chain(p->reader, &chain, vertex));
    }
    if (count < 3)
        return PLI_SCAN_FAIL(p->scan, "a face with %lld corners, must have at least 3",
                             (long long)count);
    return PLI_OK;
}

static pli_status read_one(ply* p, const element* e) {
    double position[3] = {0};
    int32_t ends[2] = {-1, -1};
    if (!p->scan->binary) pli_scan_skip_space(p->scan);
    int32_t place = pli_scan_place(p->scan);
    for (int i = 0; i < e->property_count; ++i) {
        const property* q = &e->properties[i];
        if (q->list)
            PLI_TRY(read_list(p, q, place));
        else if (q->role >= X && q->role <= Z)
            PLI_TRY(pli_scan_real(p->scan, q->type, "coordinate", &position[q->role - X]));
        else if (q->role == VERTEX1 || q->role == VERTEX2)
            PLI_TRY(pli_reader_read_index(p->reader, q->type, 0, &ends[q->role - VERTEX1]));
        else
            PLI_TRY(pass_over(p, q->type, 1));
    }
    if (strcmp(e->name, "vertex") == 0) return pli_reader_put_vertex(p->reader, position);
    if (ends[0] < 0 || ends[1] < 0) return PLI_OK;
    return pli_reader_put_element(p->reader, PLI_SEGMENT, ends, place);
}

// Each element needs at least this many bytes; 0 would accept a count of any size.
static size_t least_bytes(const ply* p, const element* e) {
    size_t bytes = 0;
    for (int i = 0; i < e->property_count; ++i)
        bytes += !p->scan->binary        ? 2
                 : e->properties[i].list ? (size_t)e->properties[i].count_type.size
                                         : (size_t)e->properties[i].type.size;
    return bytes;
}

static pli_status read_elements(ply* p, const element* e) {
    unsigned roles = 0;
    size_t bytes = least_bytes(p, e);
    for (int i = 0; i < e->property_count; ++i) roles |= 1u << e->properties[i].role;
    if (strcmp(e->name, "vertex") == 0 && (roles & (1u << X | 1u << Y)) != (1u << X | 1u << Y))
        return PLI_SCAN_FAIL(p->scan, "vertices have no x and y");
    if (bytes == 0 && e->count > 0)
        return PLI_SCAN_FAIL(p->scan, "element %s has no properties", e->name);
    if (bytes > 0) PLI_TRY(pli_scan_check_count(p->scan, e->name, e->count, bytes));
    for (int64_t i = 0; i < e->count; ++i) PLI_TRY(read_one(p, e));
    if (strcmp(e->name, "tristrips") == 0)
        pli_reader_skip(p->reader, "lists of triangle strips", e->count);
    return PLI_OK;
}

static pli_status read_all(ply* p) {
    PLI_TRY(read_head(p));
    for (int i = 0; i < p->element_count; ++i) PLI_TRY(read_elements(p, &p->elements[i]));
    return PLI_OK;
}

pli_status pli_read_ply(pli_reader* reader) {
    ply* p;
    PLI_TRY(PLI_ALLOC(reader->memory, p, 1, reader->scan.error));
    p->reader = reader;
    p->scan = &reader->scan;
    pli_status status = read_all(p);
    PLI_FREE(reader->memory, p, 1);
    return status;
}
