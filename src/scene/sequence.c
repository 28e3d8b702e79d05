// Positions from the files, placed like the body, less where its vertices are at t = 0.
#include "scene/sequence.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/file_path.h"

enum { MOST_FILES = 100000, PATH_SIZE = 4096 };

// "a_%03d.obj": where the number goes, with how many digits at least; false: there is no such
// place, or more than one.
static bool find_number(const char* pattern, size_t* start, size_t* end, int* digits) {
    const char* sign = strchr(pattern, '%');
    if (!sign || strchr(sign + 1, '%')) return false;
    const char* at = sign + 1;
    bool zero = *at == '0';
    *digits = 0;
    at += zero;
    if (*at >= '1' && *at <= '9') *digits = *at++ - '0';
    *start = (size_t)(sign - pattern);
    *end = (size_t)(at + 1 - pattern);
    return *at == 'd' && (zero || *digits == 0);
}

// How many files there are; 0 with a finding if first and last are invalid.
static pli_status count_files(pli_builder* b, const pli_sequence_data* s, const pli_path* at,
                              int* count, pli_error* error) {
    const char* const* files = s->files.items;
    pli_path list = pli_path_key(at, "files"), last = pli_path_key(at, "last");
    size_t start, end;
    int digits;
    *count = 0;
    if (s->files.count == 0) return PLI_OK; // reported when it was read
    if (s->last < 0) {
        for (int i = 0; i < s->files.count; ++i) {
            pli_path entry = pli_path_index(&list, i);
            if (!files[i][0]) return PLI_FIND(b->findings, &entry, error, "files[%d] is empty", i);
        }
        *count = s->files.count;
        return PLI_OK;
    }
    if (s->files.count != 1 || !find_number(files[0], &start, &end, &digits))
        return PLI_FIND(b->findings, &list, error,
                        "with first and last, files must be one pattern with %%d or %%03d where "
                        "the number goes");
    if (s->last < s->first || s->last - s->first >= MOST_FILES)
        return PLI_FIND(b->findings, &last, error,
                        "last = %d, must be %d (first) or more and make at most %d files", s->last,
                        s->first, MOST_FILES);
    *count = s->last - s->first + 1;
    return PLI_OK;
}

// The k-th file as the scene calls it.
static void name_file(const pli_sequence_data* s, int k, char* text, size_t size) {
    const char* const* files = s->files.items;
    size_t start, end;
    int digits;
    if (s->last < 0) {
        pli_format(text, size, "%s", files[k]);
        return;
    }
    find_number(files[0], &start, &end, &digits);
    pli_format(text, size, "%.*s%0*d%s", (int)start, files[0], digits, s->first + k,
               files[0] + end);
}

// Positions of one file, placed; `mesh` is freed by the caller.
static pli_status read_positions(pli_builder* b, const pli_shape_of_body* shape, const char* file,
                                 pli_mesh* mesh, pli_error* error) {
    char full[PATH_SIZE];
    PLI_TRY(pli_file_path(b->folder, file, full, sizeof full, error));
    PLI_TRY(pli_mesh_read(mesh, full, error));
    if (mesh->vertex_count != shape->mesh.vertex_count)
        return pli_fail(error, PLI_E_SCENE, "%.300s: it has %d vertices, the mesh has %d", file,
                        mesh->vertex_count, shape->mesh.vertex_count);
    pli_place_positions(shape->data, b->scene->world.dimension, mesh);
    for (int i = 0; i < 3 * mesh->vertex_count; ++i)
        if (!isfinite(mesh->positions[i]))
            return pli_fail(error, PLI_E_SCENE, "%.300s: vertex %d is not at a finite place", file,
                            i / 3);
    return PLI_OK;
}

// One key: offsets of the chosen vertices from where they are at t = 0.
static pli_status read_key(pli_builder* b, const pli_shape_of_body* shape, const char* file,
                           const pli_chosen* chosen, double* offsets, pli_error* error) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, b->allocator);
    pli_status status = read_positions(b, shape, file, &mesh, error);
    for (int i = 0; status == PLI_OK && i < chosen->count; ++i) {
        int v = chosen->vertices ? chosen->vertices[i] : i;
        for (int c = 0; c < 3; ++c)
            offsets[3 * i + c] = mesh.positions[3 * v + c] - shape->initial[3 * v + c];
    }
    pli_mesh_free(&mesh);
    return status;
}

pli_status pli_sequence_read(pli_builder* b, const pli_shape_of_body* shape, int i,
                             const pli_path* at, pli_motion_keys* out, pli_error* error) {
    const pli_prescribe_data* motion =
        &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_sequence_data* s = motion->sequence;
    const pli_chosen* chosen = &shape->prescribe[i];
    pli_path sequence = pli_path_key(at, "sequence"), files = pli_path_key(&sequence, "files");
    pli_motion_keys keys = {0};
    *out = keys;
    if (!s || pli_findings_error_below(b->findings, &sequence)) return PLI_OK;
    PLI_TRY(count_files(b, s, &sequence, &keys.count, error));
    if (keys.count == 0) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, keys.times, keys.count, error));
    PLI_TRY(
        PLI_TAKE(b->arena, keys.offsets, 3 * (size_t)keys.count * (size_t)chosen->count, error));
    for (int k = 0; k < keys.count; ++k) {
        char file[PATH_SIZE];
        name_file(s, k, file, sizeof file);
        keys.times[k] = s->from + k * s->interval;
        pli_status status = read_key(b, shape, file, chosen,
                                     keys.offsets + 3 * (size_t)k * (size_t)chosen->count, error);
        if (status != PLI_OK) return pli_finding_from(b->findings, &files, status, error);
    }
    *out = keys;
    return PLI_OK;
}
