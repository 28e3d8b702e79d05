// TetGen: vertices in NAME.node, tetrahedra in NAME.ele; either name reads both. A .node file
// without its .ele is a cloud of points. Boundary markers of nodes and the first attribute of
// tetrahedra (their region) make groups unless they are 0.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/collections.h"
#include "base/text.h"
#include "mesh/reader.h"
#include "mesh/reference.h"

typedef struct tetgen {
    pli_reader* reader;
    pli_scan* scan;
    pli_ids nodes;
} tetgen;

// The optional numbers at the end of a header line: the number of attributes in each line, and of
// markers.
static pli_status read_head_end(tetgen* t, int64_t* attributes, int64_t* markers) {
    int64_t* const numbers[] = {attributes, markers};
    pli_status status = PLI_OK;
    t->scan->one_line = true;
    for (int i = 0; i < 2 && numbers[i] && status == PLI_OK; ++i) {
        pli_scan_skip_blanks(t->scan);
        *numbers[i] = 0;
        if (pli_scan_line_ended(t->scan) || *t->scan->at == t->scan->comment) continue;
        status = pli_scan_integer(t->scan, PLI_INT32,
                                  i ? "number of markers" : "number of attributes", numbers[i]);
    }
    t->scan->one_line = false;
    pli_scan_skip_line(t->scan);
    return status;
}

// A number at the end of a line as the group of these vertices.
static pli_status read_group(tetgen* t, const char* what, int dim, int count, const int32_t* v) {
    double value;
    int group;
    char name[PLI_NUMBER_SIZE];
    PLI_TRY(pli_scan_real(t->scan, PLI_FLOAT64, what, &value));
    if (value == floor(value) && fabs(value) < INT32_MAX)
        return pli_reader_mark(t->reader, dim, (int64_t)value, count, v);
    PLI_TRY(pli_marks_name(&t->reader->marks, dim, pli_format_double(value, name), &group,
                           t->scan->error));
    return pli_reader_mark_group(t->reader, group, count, v);
}

// What follows a node: attributes, which are skipped, and the marker.
static pli_status read_marker(tetgen* t, int64_t attributes) {
    double value;
    int32_t vertex = t->reader->mesh->vertex_count - 1;
    for (int64_t i = 0; i < attributes; ++i)
        PLI_TRY(pli_scan_real(t->scan, PLI_FLOAT64, "attribute", &value));
    return read_group(t, "boundary marker", 0, 1, &vertex);
}

// "count dimension attributes markers", then "id x y z ..." in each line.
static pli_status read_nodes(tetgen* t) {
    int count;
    int64_t dimension, attributes, markers;
    t->scan->comment = '#';
    PLI_TRY(pli_scan_count(t->scan, PLI_INT32, "nodes", 8, &count));
    PLI_TRY(pli_scan_integer(t->scan, PLI_INT32, "dimension", &dimension));
    if (dimension != 3)
        return PLI_SCAN_FAIL(t->scan, "dimension %lld, must be 3", (long long)dimension);
    PLI_TRY(read_head_end(t, &attributes, &markers));
    for (int i = 0; i < count; ++i) {
        int64_t id;
        PLI_TRY(pli_scan_integer(t->scan, PLI_INT32, "node id", &id));
        if (pli_ids_find(&t->nodes, id) >= 0)
            return PLI_SCAN_FAIL(t->scan, "node %lld occurs twice", (long long)id);
        PLI_TRY(pli_ids_add(&t->nodes, id, t->reader->mesh->vertex_count, t->scan->error));
        t->scan->one_line = true;
        PLI_TRY(pli_reader_read_vertex(t->reader, PLI_FLOAT64, 3));
        if (markers > 0) PLI_TRY(read_marker(t, attributes));
        t->scan->one_line = false;
        pli_scan_skip_line(t->scan);
    }
    return PLI_OK;
}

// The order of the midside nodes depends on TetGen's version; positions decide: of the last six
// nodes the one nearest to the midpoint of each edge.
static pli_status order_middles(tetgen* t, int32_t v[10]) {
    const double* x = t->reader->mesh->positions;
    int32_t ordered[6];
    unsigned taken = 0;
    for (int e = 0; e < 6; ++e) {
        const int* ends = pli_middle_ends[e];
        const double *a = x + 3 * (size_t)v[ends[0]], *b = x + 3 * (size_t)v[ends[1]];
        int best = 0;
        double least = 0;
        for (int m = 0; m < 6; ++m) {
            const double* p = x + 3 * (size_t)v[4 + m];
            double square = 0;
            for (int i = 0; i < 3; ++i) {
                double d = p[i] - 0.5 * (a[i] + b[i]);
                square += d * d;
            }
            if (m == 0 || square < least) best = m, least = square;
        }
        ordered[e] = v[4 + best];
        taken |= 1u << best;
    }
    if (taken != 63)
        return PLI_SCAN_FAIL(t->scan, "the last six nodes are not the midpoints of the six edges");
    memcpy(v + 4, ordered, sizeof ordered);
    return PLI_OK;
}

// "count nodes attributes", then "id node ..." in each line.
static pli_status read_elements(tetgen* t) {
    int count;
    int64_t width, attributes;
    t->scan->comment = '#';
    PLI_TRY(pli_scan_count(t->scan, PLI_INT32, "elements", 10, &count));
    PLI_TRY(pli_scan_integer(t->scan, PLI_INT32, "nodes per element", &width));
    if (width != 4 && width != 10)
        return PLI_SCAN_FAIL(t->scan, "%lld nodes per element, must be 4 or 10", (long long)width);
    PLI_TRY(read_head_end(t, &attributes, NULL));
    for (int i = 0; i < count; ++i) {
        int64_t id, node;
        int32_t v[10];
        PLI_TRY(pli_scan_integer(t->scan, PLI_INT32, "element id", &id));
        int32_t place = pli_scan_place(t->scan);
        t->scan->one_line = true;
        for (int k = 0; k < width; ++k) {
            PLI_TRY(pli_scan_integer(t->scan, PLI_INT32, "node", &node));
            v[k] = pli_ids_find(&t->nodes, node);
            if (v[k] < 0)
                return PLI_SCAN_FAIL(t->scan, "node %lld is not in the .node file",
                                     (long long)node);
        }
        if (attributes > 0) PLI_TRY(read_group(t, "attribute", 3, (int)width, v));
        t->scan->one_line = false;
        if (width == 10) PLI_TRY(order_middles(t, v));
        PLI_TRY(pli_reader_put_element(t->reader, width == 4 ? PLI_TETRAHEDRON : PLI_TETRAHEDRON10,
                                       v, place));
        pli_scan_skip_line(t->scan);
    }
    return PLI_OK;
}

// Reads another file with the current reader; messages then name that file.
static pli_status read_sibling(tetgen* t, const char* path, pli_status (*read)(tetgen* t)) {
    pli_scan own = *t->scan;
    pli_status status = pli_scan_open(t->scan, t->reader->memory, path, own.error);
    if (status == PLI_OK) {
        pli_scan_unify_lines(t->scan);
        status = memchr(t->scan->text, 0, t->scan->size)
                     ? pli_fail(own.error, PLI_E_SCENE, "%s: zero byte: not a text file", path)
                     : read(t);
        pli_scan_close(t->scan, t->reader->memory);
    }
    *t->scan = own;
    return status;
}

static bool exists(const char* path) {
    FILE* file = fopen(path, "rb");
    if (file) fclose(file);
    return file != NULL;
}

static pli_status read_both(tetgen* t) {
    char path[4096];
    const char *own = t->scan->path, *suffix = strrchr(own, '.');
    PLI_ASSERT(suffix); // it selected the reader
    size_t stem = (size_t)(suffix - own);
    bool elements = pli_same_word(suffix, ".ele");
    if (stem + 6 > sizeof path) return PLI_SCAN_FAIL(t->scan, "the name of the file is too long");
    memcpy(path, own, stem);
    strcpy(path + stem, elements ? ".node" : ".ele");
    if (elements) {
        PLI_TRY(read_sibling(t, path, read_nodes));
        return read_elements(t);
    }
    PLI_TRY(read_nodes(t));
    return exists(path) ? read_sibling(t, path, read_elements) : PLI_OK;
}

pli_status pli_read_tetgen(pli_reader* reader) {
    tetgen t = {.reader = reader, .scan = &reader->scan};
    pli_ids_init(&t.nodes, reader->memory);
    pli_status status = read_both(&t);
    pli_ids_free(&t.nodes);
    return status;
}
