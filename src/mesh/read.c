// pli_mesh_read: selects the reader by the file's name or its first bytes, lets it add to the mesh,
// and removes everything again if it fails.
#include "mesh/reader.h"

#include <string.h>

#include "base/collections.h"
#include "base/text.h"
#include "mesh/build.h"
#include "mesh/measure.h"
#include "mesh/ngon.h"

static const pli_mesh_format formats[] = {
    {".obj", NULL, true, pli_read_obj},
    {".msh", "$MeshFormat", false, pli_read_gmsh},
    {".vtk", "# vtk DataFile", false, pli_read_vtk},
    {".vtu", "<VTKFile", false, pli_read_vtu},
    {".mesh", "MeshVersionFormatted", true, pli_read_medit},
    {".node .ele", NULL, true, pli_read_tetgen},
    {".stl", "solid ", false, pli_read_stl},
    {".ply", "ply", false, pli_read_ply},
    {".off", "OFF", true, pli_read_off},
    {".seg", NULL, true, pli_read_seg},
    {".csv", NULL, true, pli_read_strands},
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

// ---- functions for readers

int pli_reader_vertices(const pli_reader* reader) {
    return reader->mesh->vertex_count - reader->first_vertex;
}

pli_status pli_reader_put_vertex(pli_reader* r, const double p[3]) {
    PLI_TRY(pli_mesh_reserve_vertices(r->mesh, 1, r->scan.error));
    PLI_TRY(pli_mesh_source_put(r->mesh, PLI_VERTEX, r->mesh->vertex_count,
                                pli_scan_place(&r->scan), r->scan.error));
    pli_mesh_put_vertex(r->mesh, p[0], p[1], p[2]);
    return PLI_OK;
}

pli_status pli_reader_put_element(pli_reader* r, pli_element_kind kind, const int32_t* vertices,
                                  int32_t place) {
    PLI_TRY(pli_mesh_reserve_elements(r->mesh, kind, 1, r->scan.error));
    PLI_TRY(pli_mesh_source_put(r->mesh, kind, r->mesh->element_count[kind], place, r->scan.error));
    pli_mesh_put_element(r->mesh, kind, vertices);
    return PLI_OK;
}

pli_status pli_reader_read_vertex(pli_reader* r, pli_number_type type, int count) {
    double p[3] = {0};
    for (int i = 0; i < count; ++i) {
        if (r->scan.one_line) pli_scan_skip_blanks(&r->scan);
        if (r->scan.one_line && pli_scan_line_ended(&r->scan))
            return PLI_SCAN_FAIL(&r->scan,
                                 "the %s ends after %d coordinates of a vertex, must have %d",
                                 pli_scan_ended(&r->scan) ? "file" : "line", i, count);
        PLI_TRY(pli_scan_real(&r->scan, type, "coordinate", &p[i]));
    }
    return pli_reader_put_vertex(r, p);
}

pli_status pli_reader_read_index(pli_reader* r, pli_number_type type, int base, int32_t* vertex) {
    int64_t index;
    if (!r->scan.binary) pli_scan_skip_space(&r->scan);
    pli_scan before = r->scan;
    PLI_TRY(pli_scan_integer(&r->scan, type, "vertex number", &index));
    int count = pli_reader_vertices(r);
    if (index >= base && index - base < count) {
        *vertex = (int32_t)(r->first_vertex + index - base);
        return PLI_OK;
    }
    return PLI_SCAN_FAIL(&before, "vertex %lld, must be %d to %d", (long long)index, base,
                         base + count - 1);
}

// The last triangles are a polygon of `corners` corners.
static pli_status note_polygon(pli_reader* r, int corners) {
    if (corners == 4) {
        PLI_TRY(PLI_GROW(r->memory, r->polygons, r->polygon_capacity, r->polygon_count + 1,
                         r->scan.error));
        r->polygons[r->polygon_count++].triangle = r->mesh->element_count[PLI_TRIANGLE] - 2;
    }
    r->polygons[r->polygon_count - 1].corners = corners;
    return PLI_OK;
}

pli_status pli_reader_chain(pli_reader* r, pli_chain* chain, int32_t vertex) {
    int least = pli_element_size(chain->kind);
    chain->corners[pli_min_int(chain->count, least - 1)] = vertex;
    if (++chain->count < least) return PLI_OK;
    PLI_TRY(pli_reader_put_element(r, chain->kind, chain->corners, chain->place));
    chain->corners[least - 2] = vertex;
    return chain->kind == PLI_TRIANGLE && chain->count > 3 ? note_polygon(r, chain->count) : PLI_OK;
}

void pli_reader_skip(pli_reader* r, const char* word, int64_t count) {
    for (int i = 0; i < PLI_SKIPPED_KINDS; ++i) {
        if (r->skipped[i].word && strcmp(r->skipped[i].word, word) != 0) continue;
        r->skipped[i].word = word;
        r->skipped[i].count += count;
        return;
    }
}

pli_status pli_reader_mark_group(pli_reader* r, int group, int count, const int32_t* vertices) {
    return pli_marks_put(&r->marks, group, count, vertices, r->scan.error);
}

pli_status pli_reader_mark(pli_reader* r, int dim, int64_t tag, int count,
                           const int32_t* vertices) {
    int group;
    PLI_TRY(pli_marks_number(&r->marks, dim, tag, &group, r->scan.error));
    return pli_reader_mark_group(r, group, count, vertices);
}

// ---- finding the format

static bool has_extension(const pli_mesh_format* format, const char* path) {
    const char* dot = strrchr(path, '.');
    if (!dot || strchr(dot, '/')) return false;
    char copy[64];
    strncpy(copy, format->extensions, sizeof copy - 1);
    copy[sizeof copy - 1] = 0;
    for (char* word = copy; word;) {
        char* end = strchr(word, ' ');
        if (end) *end++ = 0;
        if (pli_same_word(word, dot)) return true;
        word = end;
    }
    return false;
}

static bool starts_like(const pli_mesh_format* format, const pli_scan* scan) {
    size_t n = format->start ? strlen(format->start) : 0;
    return n > 0 && pli_scan_left(scan) >= n && memcmp(scan->at, format->start, n) == 0;
}

static const pli_mesh_format* find_format(const pli_scan* scan, const char* path) {
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (has_extension(&formats[i], path)) return &formats[i];
    for (int i = 0; i < FORMAT_COUNT; ++i)
        if (starts_like(&formats[i], scan)) return &formats[i];
    return NULL;
}

bool pli_mesh_is_file(const char* path) {
    for (int i = 0; path && i < FORMAT_COUNT; ++i)
        if (has_extension(&formats[i], path)) return true;
    return false;
}

// ---- polygons

// Fails at the place of a triangle, or names its vertices if that is unknown.
static pli_status refuse_polygon(pli_reader* r, int triangle, const char* message) {
    const int32_t* v = r->mesh->elements[PLI_TRIANGLE] + 3 * (size_t)triangle;
    int32_t place = r->source->places[PLI_TRIANGLE][triangle];
    pli_scan scan = r->scan;
    if (place == 0)
        return pli_fail(scan.error, PLI_E_SCENE, "%s: face at vertices %d, %d, %d: %s", scan.path,
                        v[0] - r->first_vertex, v[1] - r->first_vertex, v[2] - r->first_vertex,
                        message);
    scan.at = scan.text + (place < 0 ? -1 - place : 0);
    for (scan.line = 1; scan.line < place && !pli_scan_ended(&scan); ++scan.line) {
        const char* end = memchr(scan.at, '\n', pli_scan_left(&scan));
        scan.at = end ? end + 1 : scan.text + scan.size;
    }
    scan.line_start = scan.at;
    return PLI_SCAN_FAIL(&scan, "%s", message);
}

static pli_status cut_polygons(pli_reader* r) {
    pli_ngon_room room = {.memory = r->memory};
    pli_status status = PLI_OK;
    char message[120] = "the face crosses itself, seen along its normal: triangulate it";
    for (int i = 0; i < r->polygon_count && status == PLI_OK; ++i) {
        int triangle = r->polygons[i].triangle, corners = r->polygons[i].corners;
        pli_ngon_answer answer;
        status = pli_ngon_cut(&room, r->mesh->positions, corners,
                              r->mesh->elements[PLI_TRIANGLE] + 3 * (size_t)triangle, &answer,
                              r->scan.error);
        if (status != PLI_OK || answer == PLI_NGON_SOUND) continue;
        if (answer == PLI_NGON_LARGE)
            pli_format(message, sizeof message,
                       "a concave face of %d corners, must have at most %d: triangulate it",
                       corners, PLI_NGON_LIMIT);
        status = refuse_polygon(r, triangle, message);
    }
    pli_ngon_room_free(&room);
    return status;
}

// ---- reading

static pli_status write_notes(pli_reader* r) {
    for (int i = 0; i < PLI_SKIPPED_KINDS && r->skipped[i].word; ++i)
        PLI_TRY(pli_mesh_source_note(r->mesh, r->scan.error, "%lld %s skipped",
                                     (long long)r->skipped[i].count, r->skipped[i].word));
    if (r->marks.overflow)
        PLI_TRY(pli_mesh_source_note(r->mesh, r->scan.error,
                                     "the file has more than %d groups; the others are ignored",
                                     PLI_MARKS_LIMIT));
    return PLI_OK;
}

static pli_status read_with(const pli_mesh_format* format, pli_reader* r) {
    const char* zero = format->text ? memchr(r->scan.text, 0, r->scan.size) : NULL;
    if (zero) {
        pli_scan_move(&r->scan, zero);
        return PLI_SCAN_FAIL(&r->scan, "zero byte: not a text file");
    }
    if (format->text) pli_scan_unify_lines(&r->scan);
    PLI_TRY(format->read(r));
    if (pli_reader_vertices(r) == 0) return PLI_SCAN_FAIL(&r->scan, "no vertices in the file");
    PLI_TRY(cut_polygons(r));
    PLI_TRY(pli_marks_commit(&r->marks, r->mesh, r->scan.error));
    return write_notes(r);
}

static pli_status unknown_format(const char* path, pli_error* error) {
    char known[200] = "";
    for (int i = 0; i < FORMAT_COUNT; ++i) {
        size_t used = strlen(known);
        pli_format(known + used, sizeof known - used, " %s", formats[i].extensions);
    }
    return pli_fail(error, PLI_E_SCENE, "%s: unknown mesh file format; known formats:%s", path,
                    known);
}

static pli_status read_file(pli_mesh* mesh, const char* path, const pli_mesh_format* format,
                            pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    const pli_mesh before = *mesh;
    int notes = mesh->source ? mesh->source->note_count : 0;
    pli_reader r = {.mesh = mesh, .memory = &memory, .first_vertex = mesh->vertex_count};
    PLI_TRY(pli_mesh_source_create(mesh, error));
    pli_marks_init(&r.marks, &memory);
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_scan_open(&r.scan, &memory, path, error));
    r.source = mesh->source;
    if (!format) format = find_format(&r.scan, path);
    status = format ? read_with(format, &r) : unknown_format(path, error);
    pli_scan_close(&r.scan, &memory);
cleanup:
    if (status != PLI_OK) {
        mesh->vertex_count = before.vertex_count;
        for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
            mesh->element_count[kind] = before.element_count[kind];
        pli_mesh_cut_groups(mesh, before.group_count);
    }
    pli_marks_free(&r.marks);
    PLI_FREE(&memory, r.polygons, r.polygon_capacity);
    pli_mesh_source_cut(mesh, status == PLI_OK ? mesh->source->note_count : notes);
    return status;
}

pli_status pli_mesh_read(pli_mesh* mesh, const char* path, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!path) return pli_fail(error, PLI_E_ARGUMENT, "mesh: path is NULL");
    return read_file(mesh, path, NULL, error);
}

pli_status pli_mesh_read_obj(pli_mesh* mesh, const char* path, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!path) return pli_fail(error, PLI_E_ARGUMENT, "mesh: path is NULL");
    return read_file(mesh, path, &formats[0], error);
}

pli_status pli_mesh_read_uv(pli_mesh* mesh, const char* path, pli_error* error) {
    static const pli_mesh_format texture = {".obj", NULL, true, pli_read_obj_texture};
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!path) return pli_fail(error, PLI_E_ARGUMENT, "mesh: path is NULL");
    return read_file(mesh, path, &texture, error);
}

// ---- groups
//
// When the rows are full they are first sorted and deduplicated, so that memory is proportional to
// the distinct rows, not to the repetitions in the file.

void pli_marks_init(pli_marks* marks, pli_memory* memory) {
    *marks = (pli_marks){.memory = memory};
    pli_ids_init(&marks->numbered, memory);
}

void pli_marks_free(pli_marks* marks) {
    if (!marks->memory) return;
    PLI_FREE(marks->memory, marks->rows, marks->capacity);
    PLI_FREE(marks->memory, marks->groups, marks->group_capacity);
    pli_ids_free(&marks->numbered);
    *marks = (pli_marks){0};
}

static pli_status add_head(pli_marks* marks, int dim, int32_t tag, const char* name, int* group,
                           pli_error* error) {
    *group = -1;
    if (marks->group_count == PLI_MARKS_LIMIT) {
        marks->overflow = true;
        return PLI_OK;
    }
    PLI_TRY(PLI_GROW(marks->memory, marks->groups, marks->group_capacity, marks->group_count + 1,
                     error));
    pli_mesh_group* g = &marks->groups[marks->group_count];
    *g = (pli_mesh_group){.dim = dim, .tag = tag};
    pli_format(g->name, sizeof g->name, "%s", name);
    *group = marks->group_count++;
    return PLI_OK;
}

pli_status pli_marks_number(pli_marks* marks, int dim, int64_t tag, int* group, pli_error* error) {
    char name[32];
    *group = -1;
    if (tag == 0 || tag > INT32_MAX || tag < -INT32_MAX) return PLI_OK;
    int64_t key = tag * 4 + dim;
    *group = pli_ids_find(&marks->numbered, key);
    if (*group >= 0) return PLI_OK;
    pli_format(name, sizeof name, "%d", (int)tag);
    PLI_TRY(add_head(marks, dim, (int32_t)tag, name, group, error));
    return *group < 0 ? PLI_OK : pli_ids_add(&marks->numbered, key, *group, error);
}

pli_status pli_marks_name(pli_marks* marks, int dim, const char* name, int* group,
                          pli_error* error) {
    *group = -1;
    if (!name[0]) return PLI_OK;
    for (int i = 0; i < marks->group_count; ++i)
        if (marks->groups[i].dim == dim &&
            strncmp(marks->groups[i].name, name, PLI_MESH_NAME_SIZE - 1) == 0) {
            *group = i;
            return PLI_OK;
        }
    return add_head(marks, dim, 0, name, group, error);
}

// Sorts the rows by group and vertex and keeps each once.
static pli_status thin_out(pli_marks* marks, pli_error* error) {
    int limit = pli_max_int(marks->group_count, marks->highest + 1), kept = 0;
    PLI_TRY(pli_sort_rows(marks->memory, (int32_t*)marks->rows, marks->count, 2, 2, limit, error));
    for (int i = 0; i < marks->count; ++i)
        if (i == 0 || memcmp(&marks->rows[i], &marks->rows[i - 1], sizeof *marks->rows) != 0)
            marks->rows[kept++] = marks->rows[i];
    marks->count = kept;
    return PLI_OK;
}

// Sorting takes time proportional to the highest vertex, so there are at least as many rows; they
// grow unless half of them became free, so sorting stays rare.
static pli_status make_group_room(pli_marks* marks, int count, pli_error* error) {
    if (marks->count <= marks->capacity - count) return PLI_OK;
    if (marks->capacity > marks->highest) PLI_TRY(thin_out(marks, error));
    if (marks->count > INT32_MAX / 8)
        return pli_fail(error, PLI_E_MEMORY, "the groups of the file are too large");
    if (marks->capacity > marks->highest && marks->count + count <= marks->capacity / 2)
        return PLI_OK;
    int need = pli_max_int(2 * marks->count, marks->highest + 1) + count;
    return PLI_GROW(marks->memory, marks->rows, marks->capacity, need, error);
}

pli_status pli_marks_put(pli_marks* marks, int group, int count, const int32_t* vertices,
                         pli_error* error) {
    if (group < 0) return PLI_OK;
    PLI_ASSERT(count < INT32_MAX / 8);
    for (int i = 0; i < count; ++i) marks->highest = pli_max_int(marks->highest, vertices[i]);
    PLI_TRY(make_group_room(marks, count, error));
    for (int i = 0; i < count; ++i)
        if (vertices[i] >= 0) marks->rows[marks->count++] = (pli_mark){group, vertices[i]};
    return PLI_OK;
}

pli_status pli_marks_commit(pli_marks* marks, pli_mesh* mesh, pli_error* error) {
    int32_t* vertices = NULL;
    pli_status status = PLI_OK;
    PLI_TRY(thin_out(marks, error));
    int total = marks->count;
    PLI_TRY(PLI_ALLOC(marks->memory, vertices, total, error));
    for (int i = 0; i < total; ++i) vertices[i] = marks->rows[i].vertex;
    for (int i = 0, end; i < total; i = end) {
        int32_t group = marks->rows[i].group;
        const pli_mesh_group* g = &marks->groups[group];
        for (end = i; end < total && marks->rows[end].group == group;) ++end;
        PLI_TRY_CLEANUP(status, pli_mesh_add_group(mesh, g->name, g->tag, g->dim, end - i,
                                                   vertices + i, error));
    }
cleanup:
    PLI_FREE(marks->memory, vertices, total);
    return status;
}
