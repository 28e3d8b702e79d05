// Wavefront OBJ, and .seg files, which have the same lines with other letters. One pass counts the
// vertices, so that faces may refer to vertices of later lines, a second one adds everything. Names
// of objects (o) and of groups (g, any number in a line) are groups of the vertices of the elements
// that follow.
#include <string.h>

#include "mesh/build.h"
#include "mesh/reader.h"

enum { NAMES = 32 }; // of one line

// Statements that define elements: a letter and the kind of its corners.
typedef struct statement {
    char letter;
    pli_element_kind kind;
} statement;

typedef struct obj {
    pli_reader* reader;
    const statement* statements;
    int statement_count;
    int vertex_total; // of the file
    bool named;       // it has objects and groups
    bool texture;     // vertices are the texture coordinates, in lines "vt u v"
    int object, group_count, groups[NAMES];
} obj;

// Whether the current line is this one-letter statement; if so, moves past the letter.
static bool take_letter(pli_scan* scan, char letter) {
    if (*scan->at != letter) return false; // at the end of the text there is no next byte
    char next = scan->at[1];
    bool alone = next == ' ' || next == '\t' || next == '\r' || next == '\n' || next == 0;
    if (!alone) return false;
    ++scan->at;
    return true;
}

// Whether the current line is a vertex; if so, moves past its letters.
static bool take_vertex(const obj* o, pli_scan* scan) {
    if (!o->texture) return take_letter(scan, 'v');
    if (scan->at[0] != 'v' || scan->at[1] != 't' || (scan->at[2] != ' ' && scan->at[2] != '\t'))
        return false;
    scan->at += 2;
    return true;
}

// Whether there is another word in the line. Statements of corners may end with a comment; names
// may contain '#'.
static bool has_word(pli_scan* scan, bool comment) {
    pli_scan_skip_blanks(scan);
    return !pli_scan_line_ended(scan) && !(comment && *scan->at == '#');
}

// One corner, "a", "a/b", "a//c" or "a/b/c", b and c may be empty: a counts vertices from 1, or
// backwards from -1.
static pli_status read_corner(const obj* o, int32_t* vertex) {
    pli_scan* scan = &o->reader->scan;
    const char* c = scan->at;
    int64_t index = 0, other, texture = 0;
    bool good = pli_parse_integer(&c, &index);
    for (int slash = 0; good && slash < 2 && *c == '/'; ++slash) {
        ++c;
        if (pli_parse_integer(&c, &other) && slash == 0) texture = other;
    }
    if (o->texture) {
        if (good && texture == 0)
            return PLI_SCAN_FAIL(scan, "corner \"%.23s\" has no texture coordinate, must be v/vt",
                                 pli_scan_peek(scan).text);
        index = texture;
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
    while (has_word(scan, true)) {
        int32_t vertex = 0;
        PLI_TRY(read_corner(o, &vertex));
        PLI_TRY(pli_reader_chain(o->reader, &chain, vertex));
        PLI_TRY(pli_reader_mark_group(o->reader, o->object, 1, &vertex));
        for (int i = 0; i < o->group_count; ++i)
            PLI_TRY(pli_reader_mark_group(o->reader, o->groups[i], 1, &vertex));
    }
    int least = pli_element_size(kind);
    if (o->texture && chain.count > least)
        return PLI_SCAN_FAIL(scan,
                             "a face with %d corners: its texture coordinates can be used if all faces "
                             "are triangles",
                             chain.count);
    if (chain.count < least)
        return PLI_SCAN_FAIL(scan, "the line ends after %d corners, must have at least %d",
                             chain.count, least);
    return PLI_OK;
}

// The rest of the line, blanks included, is one name.
static pli_status read_object(obj* o) {
    pli_scan* scan = &o->reader->scan;
    char name[PLI_MESH_NAME_SIZE];
    size_t n = 0;
    pli_scan_skip_blanks(scan);
    while (n < sizeof name - 1 && !pli_scan_line_ended(scan)) name[n++] = *scan->at++;
    while (n > 0 && (name[n - 1] == ' ' || name[n - 1] == '\t' || name[n - 1] == '\r')) --n;
    name[n] = 0;
    return pli_marks_name(&o->reader->marks, 2, name, &o->object, scan->error);
}

static pli_status read_groups(obj* o) {
    pli_scan* scan = &o->reader->scan;
    o->group_count = 0;
    while (has_word(scan, false)) {
        pli_word name;
        PLI_TRY(pli_scan_word(scan, "the name of a group", &name));
        if (o->group_count == NAMES)
            return PLI_SCAN_FAIL(scan, "more than %d groups in one line", NAMES);
        PLI_TRY(pli_marks_name(&o->reader->marks, 2, name.text, &o->groups[o->group_count++],
                               scan->error));
    }
    return PLI_OK;
}

static const statement* take_statement(const obj* o, pli_scan* scan) {
    for (int i = 0; i < o->statement_count; ++i)
        if (take_letter(scan, o->statements[i].letter)) return &o->statements[i];
    return NULL;
}

// Statements are read word by word to their end, over lines that a backslash continues.
static void pass_words(pli_scan* scan, bool comment) {
    pli_word word;
    while (has_word(scan, comment)) (void)pli_scan_word(scan, "", &word); // there is one
}

// Lines end where read_line ends them: the continuation of another statement is no vertex.
static int count_vertices(const obj* o) {
    pli_scan scan = o->reader->scan;
    int count = 0;
    while (!pli_scan_ended(&scan)) {
        pli_scan_skip_blanks(&scan);
        if (take_vertex(o, &scan)) {
            ++count;
        } else if (take_statement(o, &scan)) {
            pass_words(&scan, true);
        } else if (o->named && take_letter(&scan, 'g')) {
            pass_words(&scan, false);
        } else if (o->named) {
            (void)take_letter(&scan, 'o');
        }
        pli_scan_skip_blanks(&scan);
        pli_scan_skip_line(&scan);
    }
    return count;
}

static pli_status read_line(obj* o) {
    pli_scan* scan = &o->reader->scan;
    pli_scan_skip_blanks(scan);
    if (take_vertex(o, scan)) // weights and colours that follow are skipped
        return pli_reader_read_vertex(o->reader, PLI_FLOAT64, o->texture ? 2 : 3);
    const statement* corners = take_statement(o, scan);
    if (corners) return read_corners(o, corners->kind);
    if (o->named && take_letter(scan, 'o')) return read_object(o);
    if (o->named && take_letter(scan, 'g')) return read_groups(o);
    return PLI_OK;
}

static pli_status read_lines(pli_reader* reader, const statement* statements, int count, bool named,
                             bool texture) {
    pli_scan* scan = &reader->scan;
    scan->one_line = scan->continued = true;
    obj o = {.reader = reader, .statements = statements, .statement_count = count, .object = -1};
    o.named = named;
    o.texture = texture;
    o.vertex_total = count_vertices(&o);
    if (o.vertex_total == 0)
        return PLI_SCAN_FAIL(scan, texture ? "no texture coordinates (lines \"vt u v\") in the file"
                                           : "no vertices (lines \"v x y z\") in the file");
    PLI_TRY(pli_mesh_reserve_vertices(reader->mesh, o.vertex_total, scan->error));
    while (!pli_scan_ended(scan)) {
        PLI_TRY(read_line(&o));
        pli_scan_skip_line(scan);
    }
    int read = pli_reader_vertices(reader);
    if (read != o.vertex_total) // faces may refer to any of them
        return PLI_SCAN_FAIL(scan, "%d vertices, but %d lines begin with %s", read, o.vertex_total,
                             texture ? "vt" : "v");
    return PLI_OK;
}

pli_status pli_read_obj(pli_reader* reader) {
    static const statement statements[] = {{'f', PLI_TRIANGLE}, {'l', PLI_SEGMENT}};
    return read_lines(reader, statements, 2, true, false);
}

pli_status pli_read_obj_texture(pli_reader* reader) {
    static const statement statements[] = {{'f', PLI_TRIANGLE}};
    return read_lines(reader, statements, 1, true, true);
}

pli_status pli_read_seg(pli_reader* reader) {
    static const statement statements[] = {{'s', PLI_SEGMENT}};
    return read_lines(reader, statements, 1, false, false);
}
