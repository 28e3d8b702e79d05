// Wavefront OBJ reader. The file is read whole; one pass counts the vertices, so that faces may
// name vertices of later lines, a second one puts everything. A failure takes back what was put.
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "mesh/build.h"

typedef struct reader {
    pli_mesh* mesh;
    const char* path;
    const char* at;         // present character; the text ends with a NUL
    const char* line_start; // of the present line
    int line;               // from 1
    int first_vertex;       // of the mesh, before this file
    int vertex_total;       // of the file
    pli_error* error;
} reader;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_line_end(char c) { return c == '\n' || c == '\0'; }

// Blanks, and a backslash that continues the line.
static void skip_blanks(reader* r) {
    for (;;) {
        while (is_blank(*r->at)) ++r->at;
        if (r->at[0] != '\\') return;
        const char* next = r->at + 1;
        if (*next == '\r') ++next;
        if (*next != '\n') return;
        r->at = r->line_start = next + 1;
        ++r->line;
    }
}

static void skip_line(reader* r) {
    while (!is_line_end(*r->at)) ++r->at;
    if (*r->at == '\n') ++r->at;
    ++r->line;
    r->line_start = r->at;
}

// Is the present line this one-letter statement? Moves behind the letter if so.
static bool take_keyword(reader* r, char letter) {
    if (r->at[0] != letter || !(is_blank(r->at[1]) || is_line_end(r->at[1]))) return false;
    ++r->at;
    return true;
}

// The word at the present place, cut for messages.
typedef struct word {
    char text[24];
} word;

static word present_word(const reader* r) {
    word w = {{0}};
    size_t n = 0;
    while (n < sizeof w.text - 1 && !is_blank(r->at[n]) && !is_line_end(r->at[n])) ++n;
    memcpy(w.text, r->at, n);
    return w;
}

// Fails at the present place: "cube.obj:9:7: ...".
#define FAIL_HERE(r, ...) place_error((r), pli_fail((r)->error, PLI_E_SCENE, __VA_ARGS__))

static pli_status place_error(const reader* r, pli_status status) {
    if (!r->error) return status;
    ptrdiff_t column = r->at - r->line_start + 1;
    r->error->line = r->line;
    r->error->column = column < INT_MAX ? (int)column : INT_MAX;
    pli_error_prefix(r->error, "%s:%d:%d", r->path, r->line, r->error->column);
    return status;
}

static pli_status read_vertex(reader* r) {
    double p[3];
    for (int i = 0; i < 3; ++i) {
        skip_blanks(r);
        if (is_line_end(*r->at))
            return FAIL_HERE(r, "the line ends after %d coordinates of a vertex, must have 3", i);
        const char* end;
        p[i] = pli_parse_double(r->at, &end);
        if (end == r->at || !(is_blank(*end) || is_line_end(*end)) || !isfinite(p[i]))
            return FAIL_HERE(r, "coordinate \"%s\", must be a finite number", present_word(r).text);
        r->at = end;
    }
    pli_mesh_put_vertex(r->mesh, p[0], p[1], p[2]); // weights and colours that follow are skipped
    return PLI_OK;
}

// Digits with an optional sign; a value too large for int becomes INT_MAX. False: no number.
static bool read_integer(const char** at, int* value) {
    const char* c = *at;
    bool negative = *c == '-';
    if (*c == '-' || *c == '+') ++c;
    if (*c < '0' || *c > '9') return false;
    int64_t n = 0;
    for (; *c >= '0' && *c <= '9'; ++c)
        if (n < INT_MAX) n = 10 * n + (*c - '0');
    if (n > INT_MAX) n = INT_MAX;
    *value = (int)(negative ? -n : n);
    *at = c;
    return true;
}

// One corner, "a", "a/b", "a//c" or "a/b/c": a counts vertices from 1, or backwards from -1.
static pli_status read_corner(reader* r, int32_t* vertex) {
    const char* c = r->at;
    int index = 0, other;
    bool good = read_integer(&c, &index);
    for (int slash = 0; good && slash < 2 && *c == '/'; ++slash) {
        ++c;
        good = read_integer(&c, &other) || (slash == 0 && *c == '/');
    }
    if (!good || !(is_blank(*c) || is_line_end(*c)))
        return FAIL_HERE(r, "corner \"%s\", must be a vertex number, v/vt, v//vn or v/vt/vn",
                         present_word(r).text);
    int so_far = r->mesh->vertex_count - r->first_vertex;
    if (index == 0 || index > r->vertex_total || index < -so_far)
        return FAIL_HERE(r, "vertex %d, must be 1 to %d or -1 to -%d", index, r->vertex_total,
                         so_far);
    *vertex = r->first_vertex + (index > 0 ? index - 1 : so_far + index);
    r->at = c;
    return PLI_OK;
}

// A polygon becomes the fan of triangles of its first corner, a polyline becomes segments: both
// put one element per corner after the first few, from the last corners.
static pli_status read_corners(reader* r, pli_element_kind kind) {
    int32_t corners[3];
    int count = 0, least = pli_element_size(kind);
    for (skip_blanks(r); !is_line_end(*r->at); skip_blanks(r)) {
        PLI_TRY(read_corner(r, &corners[pli_min_int(count, least - 1)]));
        if (++count < least) continue;
        PLI_TRY(pli_mesh_reserve_elements(r->mesh, kind, 1, r->error));
        pli_mesh_put_element(r->mesh, kind, corners);
        corners[least - 2] = corners[least - 1];
    }
    if (count < least)
        return FAIL_HERE(r, "the line ends after %d corners, must have at least %d", count, least);
    return PLI_OK;
}

static int count_vertices(reader r) {
    int64_t count = 0;
    while (*r.at) {
        skip_blanks(&r);
        if (take_keyword(&r, 'v')) ++count;
        skip_blanks(&r);
        skip_line(&r);
    }
    return count < INT_MAX ? (int)count : INT_MAX;
}

static pli_status read_lines(reader* r) {
    if (r->vertex_total == 0) return FAIL_HERE(r, "no vertices (lines \"v x y z\") in the file");
    PLI_TRY(pli_mesh_reserve_vertices(r->mesh, r->vertex_total, r->error));
    while (*r->at) {
        skip_blanks(r);
        if (take_keyword(r, 'v'))
            PLI_TRY(read_vertex(r));
        else if (take_keyword(r, 'f'))
            PLI_TRY(read_corners(r, PLI_TRIANGLE));
        else if (take_keyword(r, 'l'))
            PLI_TRY(read_corners(r, PLI_SEGMENT));
        skip_line(r);
    }
    return PLI_OK;
}

// The whole file with a NUL behind it; *capacity bytes are to be freed.
static pli_status read_file(pli_memory* memory, const char* path, char** text, int* capacity,
                            pli_error* error) {
    FILE* file = fopen(path, "rb");
    if (!file) return pli_fail(error, PLI_E_IO, "cannot open %s: %s", path, strerror(errno));
    pli_status status = PLI_OK;
    int size = 0;
    for (;;) {
        enum { CHUNK = 1 << 16 };
        if (size > INT_MAX - CHUNK - 1) {
            status = pli_fail(error, PLI_E_IO, "%s: files of 2 GB or more are not read", path);
            break;
        }
        status = PLI_GROW(memory, *text, *capacity, size + CHUNK + 1, error);
        if (status != PLI_OK) break;
        size_t got = fread(*text + size, 1, CHUNK, file);
        size += (int)got;
        if (got == CHUNK) continue;
        if (ferror(file))
            status = pli_fail(error, PLI_E_IO, "cannot read %s: %s", path, strerror(errno));
        break;
    }
    fclose(file);
    if (status == PLI_OK && memchr(*text, 0, (size_t)size))
        status = pli_fail(error, PLI_E_SCENE, "%s: a zero byte: this is no text file", path);
    if (status == PLI_OK) (*text)[size] = 0;
    return status;
}

pli_status pli_mesh_read_obj(pli_mesh* mesh, const char* path, pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    char* text = NULL;
    int capacity = 0;
    int vertex_count = mesh->vertex_count, segment_count = mesh->element_count[PLI_SEGMENT],
        triangle_count = mesh->element_count[PLI_TRIANGLE];
    pli_status status;
    PLI_TRY_CLEANUP(status, read_file(&memory, path, &text, &capacity, error));
    reader r = {.mesh = mesh,
                .path = path,
                .at = text,
                .line_start = text,
                .line = 1,
                .first_vertex = vertex_count,
                .error = error};
    r.vertex_total = count_vertices(r);
    PLI_TRY_CLEANUP(status, read_lines(&r));
cleanup:
    PLI_FREE(&memory, text, capacity);
    if (status != PLI_OK) {
        mesh->vertex_count = vertex_count;
        mesh->element_count[PLI_SEGMENT] = segment_count;
        mesh->element_count[PLI_TRIANGLE] = triangle_count;
    }
    return status;
}
