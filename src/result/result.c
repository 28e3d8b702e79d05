// Opens a result, and loads the bodies of an epoch. Elements come from one of its frames, read like
// any mesh; the cell data contain their bodies; bodies.c finds what is visible.
#define _POSIX_C_SOURCE 200809L
#include "result/result.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "mesh/vtu_xml.h"
#include "pliant/mesh.h"
#include "result/pvd.h"

// ---- the folder

// The number in "frame_000012.vtu", -1 for other names.
static long frame_number(const char* name) {
    static const char head[] = "frame_", tail[] = ".vtu";
    char same[PLI_FRAME_NAME_SIZE];
    if (strncmp(name, head, sizeof head - 1) != 0) return -1;
    const char* digits = name + sizeof head - 1;
    size_t count = strspn(digits, "0123456789");
    if (count < 6 || count > 9 || strcmp(digits + count, tail) != 0) return -1;
    long number = strtol(digits, NULL, 10);
    return strcmp(pli_frame_name((int)number, same), name) == 0 ? number : -1;
}

// One more than the highest number; reading reports missing frames in between.
static pli_status count_frames(pli_result* result, pli_error* error) {
    DIR* stream = opendir(result->folder);
    if (!stream)
        return pli_fail(error, PLI_E_IO, "cannot read folder %.300s: %s", result->folder,
                        strerror(errno));
    for (const struct dirent* entry; (entry = readdir(stream));) {
        long number = frame_number(entry->d_name);
        if (number >= result->frame_count) result->frame_count = (int)number + 1;
    }
    closedir(stream);
    if (result->frame_count == 0)
        return pli_fail(error, PLI_E_IO,
                        "%.300s has no frames (frame_000000.vtu ...): it must be the folder of a "
                        "run",
                        result->folder);
    return PLI_OK;
}

// ---- bodies of cells and vertices

// The elements of a frame and the body of each vertex.
typedef struct source {
    pli_memory* memory;
    pli_mesh mesh;
    int body_count, loose_count;
    int32_t* vertex_body;
    int32_t* loose; // vertices without elements; both have capacity for all vertices
} source;

static void free_source(source* s) {
    PLI_FREE(s->memory, s->vertex_body, s->mesh.vertex_count);
    PLI_FREE(s->memory, s->loose, s->mesh.vertex_count);
    pli_mesh_free(&s->mesh);
}

static void find_loose(source* s) {
    enum { UNUSED = -1 };
    const pli_mesh* mesh = &s->mesh;
    for (int v = 0; v < mesh->vertex_count; ++v) s->vertex_body[v] = UNUSED;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        size_t count =
            (size_t)mesh->element_count[kind] * (size_t)pli_element_size((pli_element_kind)kind);
        for (size_t i = 0; i < count; ++i) s->vertex_body[mesh->elements[kind][i]] = 0;
    }
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (s->vertex_body[v] == UNUSED) s->loose[s->loose_count++] = v;
}

// Later cells overwrite the bodies of shared vertices: each cell must still match its own.
static pli_status check_bodies(const source* s, const pli_scan* scan, const int32_t* bodies) {
    int at = s->loose_count;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int size = pli_element_size((pli_element_kind)kind);
        const int32_t* vertices = s->mesh.elements[kind];
        for (int e = 0; e < s->mesh.element_count[kind]; ++e, ++at)
            for (int k = 0; k < size; ++k, ++vertices)
                if (s->vertex_body[*vertices] != bodies[at])
                    return PLI_SCAN_FAIL(scan, "vertex %d belongs to bodies %d and %d", *vertices,
                                         bodies[at], s->vertex_body[*vertices]);
    }
    return PLI_OK;
}

// Converts bodies of cells to bodies of vertices. Cells must be ordered by kind, according to their
// VTK types; vertices of a body must be contiguous.
static pli_status spread_bodies(source* s, const pli_scan* scan, int cell_count,
                                const int32_t* types, const int32_t* bodies) {
    int at = 0;
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int size = pli_element_size((pli_element_kind)kind);
        int count = kind == PLI_VERTEX ? s->loose_count : s->mesh.element_count[kind];
        const int32_t* vertices = kind == PLI_VERTEX ? s->loose : s->mesh.elements[kind];
        for (int e = 0; e < count; ++e, ++at) {
            if (at >= cell_count || types[at] != pli_vtk_types[kind])
                return PLI_SCAN_FAIL(scan, "its cells are not ordered by kind");
            if (bodies[at] < 0 || bodies[at] >= cell_count)
                return PLI_SCAN_FAIL(scan, "cell %d belongs to body %d, must be 0 to %d", at,
                                     bodies[at], cell_count - 1);
            for (int k = 0; k < size; ++k) s->vertex_body[*vertices++] = bodies[at];
        }
    }
    for (int v = 0; v < s->mesh.vertex_count; ++v) {
        int last = v > 0 ? s->vertex_body[v - 1] : -1, body = s->vertex_body[v];
        if (body != last && body != last + 1)
            return PLI_SCAN_FAIL(scan, "vertex %d belongs to body %d, but follows one of body %d",
                                 v, body, last);
        s->body_count = s->vertex_body[v] + 1;
    }
    return check_bodies(s, scan, bodies);
}

static pli_status read_bodies(source* s, const pli_frame_file* file, pli_error* error) {
    const pli_vtu_array* types = pli_frame_find(file, PLI_FRAME_CELLS, "types");
    const pli_vtu_array* bodies = pli_frame_find(file, PLI_FRAME_CELL_DATA, "body");
    int count = file->cell_count;
    int32_t* values[2] = {NULL, NULL};
    if (!types || !bodies || bodies->components != 1)
        return PLI_SCAN_FAIL(&file->scan, "the array \"body\" is missing: not a frame of a run");
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(s->memory, values[0], count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(s->memory, values[1], count, error));
    PLI_TRY_CLEANUP(status, pli_frame_integers(file, types, count, values[0]));
    PLI_TRY_CLEANUP(status, pli_frame_integers(file, bodies, count, values[1]));
    PLI_TRY_CLEANUP(status, spread_bodies(s, &file->scan, count, values[0], values[1]));
cleanup:
    for (int i = 0; i < 2; ++i) PLI_FREE(s->memory, values[i], count);
    return status;
}

static pli_status read_source(source* s, const pli_frame_file* file, pli_error* error) {
    PLI_TRY(pli_mesh_read(&s->mesh, file->path, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->vertex_body, s->mesh.vertex_count, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->loose, s->mesh.vertex_count, error));
    find_loose(s);
    return read_bodies(s, file, error);
}

// ---- names

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Names that other programs accept: "my body" becomes my_body, and a second one my_body_2.
static void write_word(const char* name, int number, char* word, size_t size) {
    size_t used = 0;
    if (!is_letter(*name)) word[used++] = '_';
    for (; *name && used + 16 < size; ++name)
        word[used++] = is_letter(*name) || is_digit(*name) ? *name : '_';
    word[used] = 0;
    if (number > 1) pli_format(word + used, size - used, "_%d", number);
}

// Ignores case, because some file systems do.
static bool is_taken(const pli_result* r, int count, const char* word) {
    for (int b = 0; b < count; ++b)
        if (pli_same_word(r->bodies[b].word, word)) return true;
    return false;
}

// After the words of all bodies before it.
static pli_status find_word(pli_result* r, int b, pli_error* error) {
    char text[128];
    int number = 1;
    do write_word(r->bodies[b].name, number++, text, sizeof text);
    while (is_taken(r, b, text));
    return pli_copy_text(r->memory, text, &r->bodies[b].word, error);
}

static pli_status name_bodies(pli_result* r, pli_error* error) {
    char text[128];
    for (int b = 0; b < r->body_count; ++b) {
        pli_format(text, sizeof text, "body %d", b);
        PLI_TRY(pli_copy_text(r->memory, text, &r->bodies[b].name, error));
    }
    PLI_TRY(pli_run_info_read_epoch(r, error));
    for (int b = 0; b < r->body_count; ++b) PLI_TRY(find_word(r, b, error));
    return PLI_OK;
}

// ---- choosing bodies

static void free_body(pli_memory* memory, pli_result_body* body) {
    if (body->name) pli_free_text(memory, &body->name);
    if (body->word) pli_free_text(memory, &body->word);
    PLI_FREE(memory, body->vertices, body->vertex_count);
    PLI_FREE(memory, body->triangles, 3 * (size_t)body->triangle_count);
    PLI_FREE(memory, body->segments, 2 * (size_t)body->segment_count);
    PLI_FREE(memory, body->points, body->point_count);
}

static bool is_called(const char* body, const char* name) {
    size_t length = strlen(name);
    if (strncmp(body, name, length) != 0) return false;
    const char* rest = body + length;
    return *rest == 0 ||
           (rest[0] == ' ' && rest[1] && rest[1 + strspn(rest + 1, "0123456789")] == 0);
}

static bool is_chosen(const pli_result_choice* choice, const pli_result_body* body) {
    bool chosen = !choice->names;
    for (int i = 0; i < choice->name_count && !chosen; ++i)
        chosen = is_called(body->name, choice->names[i]);
    return chosen && !(choice->no_cages && body->cage);
}

static pli_status check_names(const pli_result* r, const pli_result_choice* choice,
                              pli_error* error) {
    for (int i = 0; i < choice->name_count; ++i) {
        bool found = pli_run_info_has_body(r, is_called, choice->names[i]);
        for (int b = 0; b < r->body_count && !found; ++b)
            found = is_called(r->bodies[b].name, choice->names[i]);
        if (!found)
            return pli_fail(error, PLI_E_ARGUMENT, "no body \"%.80s\"; the first is \"%s\"",
                            choice->names[i], r->body_count > 0 ? r->bodies[0].name : "");
    }
    return PLI_OK;
}

static void keep_chosen(pli_result* r) {
    int kept = 0;
    for (int b = 0; b < r->body_count; ++b)
        if (is_chosen(&r->choice, &r->bodies[b]))
            r->bodies[kept++] = r->bodies[b];
        else
            free_body(r->memory, &r->bodies[b]);
    r->body_count = kept;
}

pli_status pli_result_choose(pli_result* r, const pli_result_choice* choice, pli_error* error) {
    r->choice = *choice;
    if (choice->grounds) {
        PLI_TRY(pli_result_find_extent(r, error));
        PLI_TRY(pli_result_add_grounds(r, error));
    }
    PLI_TRY(check_names(r, choice, error));
    keep_chosen(r);
    return PLI_OK;
}

// ---- the result

// Without run.json: in the plane all z are 0.
static int guess_dimension(const pli_mesh* mesh) {
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (mesh->positions[3 * (size_t)v + 2] != 0) return 3;
    return 2;
}

static pli_status fill(pli_result* r, source* s, const pli_frame_file* file, pli_error* error) {
    PLI_TRY(read_source(s, file, error));
    if (r->dimension == 0) r->dimension = guess_dimension(&s->mesh);
    pli_snapshot snapshot = {.dimension = 3,
                             .vertex_count = s->mesh.vertex_count,
                             .vertex_body = s->vertex_body,
                             .body_count = s->body_count};
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        snapshot.element_count[kind] = s->mesh.element_count[kind];
        snapshot.elements[kind] = s->mesh.elements[kind];
    }
    snapshot.element_count[PLI_VERTEX] = s->loose_count;
    snapshot.elements[PLI_VERTEX] = s->loose;
    PLI_TRY(pli_result_add_bodies(r, &snapshot, error));
    PLI_TRY(name_bodies(r, error));
    if (r->choice.grounds) PLI_TRY(pli_result_add_grounds(r, error));
    keep_chosen(r);
    return PLI_OK;
}

pli_status pli_result_load(pli_result* r, const pli_frame_file* file, pli_error* error) {
    source s = {.memory = r->memory};
    pli_mesh_init(&s.mesh, &r->memory->allocator);
    r->vertex_count = r->added_count = r->added_room = 0;
    r->added = NULL;
    r->body_count = r->body_capacity = 0;
    r->bodies = NULL;
    r->half_space_count = r->half_space_room = 0;
    r->half_spaces = NULL;
    pli_status status = fill(r, &s, file, error);
    free_source(&s);
    if (status != PLI_OK) pli_result_free_bodies(r);
    return status;
}

static pli_status open_folder(pli_result* r, const char* folder, pli_error* error) {
    pli_frame_file file;
    PLI_TRY(pli_copy_text(r->memory, folder, &r->folder, error));
    PLI_TRY(pli_copy_text(r->memory, "", &r->title, error));
    PLI_TRY(pli_copy_text(r->memory, "", &r->camera, error));
    PLI_TRY(count_frames(r, error));
    PLI_TRY(pli_frame_open(&file, r->memory, folder, 0, error));
    pli_status status = pli_run_info_read(r, error);
    if (status == PLI_OK) status = pli_frame_epoch(&file, &r->epoch);
    if (status == PLI_OK) status = pli_result_load(r, &file, error);
    pli_result_find_shown(r, &file);
    pli_frame_close(&file);
    return status;
}

pli_status pli_result_open(pli_result* result, pli_memory* memory, const char* folder,
                           pli_error* error) {
    *result = (pli_result){.memory = memory};
    pli_status status = open_folder(result, folder, error);
    if (status != PLI_OK) pli_result_close(result);
    return status;
}

void pli_result_free_bodies(pli_result* r) {
    for (int b = 0; b < r->body_count; ++b) free_body(r->memory, &r->bodies[b]);
    PLI_FREE(r->memory, r->bodies, r->body_capacity);
    PLI_FREE(r->memory, r->added, r->added_room);
    for (int i = 0; i < r->half_space_count; ++i) pli_free_text(r->memory, &r->half_spaces[i].name);
    PLI_FREE(r->memory, r->half_spaces, r->half_space_room);
    r->body_count = r->body_capacity = r->added_room = 0;
    r->half_space_count = r->half_space_room = 0;
}

void pli_result_close(pli_result* result) {
    if (!result->memory) return;
    pli_result_free_bodies(result);
    if (result->title) pli_free_text(result->memory, &result->title);
    if (result->camera) pli_free_text(result->memory, &result->camera);
    if (result->folder) pli_free_text(result->memory, &result->folder);
    json_decref(result->info);
    *result = (pli_result){0};
}

// ---- adding bodies

pli_status pli_result_add_body(pli_result* r, const char* name, int vertex_count,
                               int triangle_count, pli_result_body** out, pli_error* error) {
    int first = r->added_count;
    PLI_TRY(PLI_GROW(r->memory, r->added, r->added_room, 3 * (first + vertex_count), error));
    PLI_TRY(PLI_GROW(r->memory, r->bodies, r->body_capacity, r->body_count + 1, error));
    pli_result_body* body = &r->bodies[r->body_count];
    *body = (pli_result_body){.number = r->body_count,
                              .obstacle = true,
                              .ground = true,
                              .first_vertex = r->vertex_count + first,
                              .all_vertices = vertex_count};
    r->body_count++;
    PLI_TRY(PLI_ALLOC(r->memory, body->vertices, vertex_count, error));
    body->vertex_count = vertex_count;
    PLI_TRY(PLI_ALLOC(r->memory, body->triangles, 3 * (size_t)triangle_count, error));
    body->triangle_count = triangle_count;
    PLI_TRY(pli_copy_text(r->memory, name, &body->name, error));
    PLI_TRY(find_word(r, r->body_count - 1, error));
    for (int i = 0; i < vertex_count; ++i) body->vertices[i] = body->first_vertex + i;
    r->added_count += vertex_count;
    *out = body;
    return PLI_OK;
}

void pli_result_plane(const pli_result* r, int i, const double* positions, double plane[6]) {
    const pli_result_half_space* h = &r->half_spaces[i];
    memcpy(plane, h->plane, sizeof h->plane);
    if (h->carrier >= 0) memcpy(plane, positions + 3 * (size_t)h->carrier, 3 * sizeof *plane);
}

const pli_result_body* pli_result_find(const pli_result* result, const char* name) {
    for (int b = 0; b < result->body_count; ++b)
        if (strcmp(result->bodies[b].name, name) == 0) return &result->bodies[b];
    return NULL;
}
