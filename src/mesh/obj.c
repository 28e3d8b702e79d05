// Wavefront OBJ, and .seg files, which have the same lines with other letters. One pass counts the
// vertices, so that faces may name vertices of later lines, a second one puts everything.
#include <string.h>

#include "mesh/build.h"
#include "mesh/reader.h"

// Statements that make elements: a letter and what its corners become.
typedef struct statement {
    char letter;
    pli_element_kind kind;
} statement;

typedef struct obj {
    pli_reader* reader;
    const statement* statements;
    int statement_count;
    int vertex_total; // of the file
} obj;

// Is the present line this one-letter statement? Moves behind the letter if so.
static bool take_letter(pli_scan* scan, char letter) {
    if (*scan->at != letter) return false; // at the end of the text there is no next byte
    char next = scan->at[1];
    bool alone = next == ' ' || next == '\t' || next == '\r' || next == '\n' || next == 0;
    if (!alone) return false;
    ++scan->at;
    return true;
}

// One corner, "a", "a/b", "a//c" or "a/b/c": a counts vertices from 1, or backwards from -1.
static pli_status read_corner(const obj* o, int32_t* vertex) {
    pli_scan* scan = &o->reader->scan;
    const char* c = scan->at;
    int64_t index = 0, other;
    bool good = pli_parse_integer(&c, &index);
    for (int slash = 0; good && slash < 2 && *c == '/'; ++slash) {
        ++c;
        good = pli_parse_integer(&c, &other) || (slash == 0 && *c == '/');
    }
    if (!good || c != scan->at + strlen(pli_scan_peek(scan).text))
        return PLI_SCAN_FAIL(scan,
                             "corner \"%.23s\", must be a vertex number, v/vt, v//vn or v/vt/vn",
                             pli_scan_peek(scan).text);
    int so_far = pli_reader_vertices(o->reader);
    if (index == 0 || index > o->vertex_total || index < -so_far)
        return PLI_SCAN_FAIL(scan, "vertex %lld, must be 1 to %d or -1 to -%d", (long long)index,
                             o->vertex_total, so_far);
    *vertex = (int32_t)(o->reader->first_vertex + (index > 0 ? index - 1 : so_far + index));
    scan->at = c;
    return PLI_OK;
}

static pli_status read_corners(const obj* o, pli_element_kind kind) {
    pli_scan* scan = &o->reader->scan;
    pli_chain chain = {.kind = kind, .place = pli_scan_place(scan)};
    for (pli_scan_skip_blanks(scan); !pli_scan_line_ended(scan); pli_scan_skip_blanks(scan)) {
        int32_t vertex = 0;
        PLI_TRY(read_corner(o, &vertex));
        PLI_TRY(pli_reader_chain(o->reader, &chain, vertex));
    }
    int least = pli_element_size(kind);
    if (chain.count < least)
        return PLI_SCAN_FAIL(scan, "the line ends after %d corners, must have at least %d",
                             chain.count, least);
    return PLI_OK;
}

static int count_vertices(pli_scan scan) {
    int count = 0;
    while (!pli_scan_ended(&scan)) {
        pli_scan_skip_blanks(&scan);
        if (take_letter(&scan, 'v')) ++count;
        pli_scan_skip_blanks(&scan);
        pli_scan_skip_line(&scan);
    }
    return count;
}

static pli_status read_line(const obj* o) {
    pli_scan* scan = &o->reader->scan;
    pli_scan_skip_blanks(scan);
    if (take_letter(scan, 'v')) // weights and colours that follow are skipped
        return pli_reader_read_vertex(o->reader, PLI_FLOAT64, 3);
    for (int i = 0; i < o->statement_count; ++i)
        if (take_letter(scan, o->statements[i].letter))
            return read_corners(o, o->statements[i].kind);
    return PLI_OK;
}

static pli_status read_lines(pli_reader* reader, const statement* statements, int count) {
    pli_scan* scan = &reader->scan;
    scan->one_line = scan->continued = true;
    obj o = {reader, statements, count, count_vertices(*scan)};
    if (o.vertex_total == 0)
        return PLI_SCAN_FAIL(scan, "no vertices (lines \"v x y z\") in the file");
    PLI_TRY(pli_mesh_reserve_vertices(reader->mesh, o.vertex_total, scan->error));
    while (!pli_scan_ended(scan)) {
        PLI_TRY(read_line(&o));
        pli_scan_skip_line(scan);
    }
    return PLI_OK;
}

pli_status pli_read_obj(pli_reader* reader) {
    static const statement statements[] = {{'f', PLI_TRIANGLE}, {'l', PLI_SEGMENT}};
    return read_lines(reader, statements, 2);
}

pli_status pli_read_seg(pli_reader* reader) {
    static const statement statements[] = {{'s', PLI_SEGMENT}};
    return read_lines(reader, statements, 1);
}
