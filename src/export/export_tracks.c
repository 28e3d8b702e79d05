// Tracks of vertices as a table: a row per frame; of each vertex its position and all that frames
// know of points, in columns "bar:3.x", "bar:3.velocity.y" ... The columns are those of the first
// frame: what a later one lacks is empty, what it has more is left out. So are the cells of a
// vertex in frames whose epoch does not have it.
#include "export/export.h"

#include <string.h>

#include "mesh/scan.h"

typedef struct track {
    char* body;
    int vertex; // of the body
    char* name; // "bar:3"
} track;

typedef struct heading {
    char name[sizeof(((pli_result_field*)NULL)->name)];
    int components;
} heading;

typedef struct tracks {
    pli_export_job* job;
    int count, capacity;
    track* list;
    int field_count;
    heading fields[PLI_RESULT_FIELDS]; // of the first frame
    pli_result_frame frame;
} tracks;

static void free_tracks(tracks* t) {
    for (int i = 0; i < t->count; ++i) {
        pli_free_text(t->job->memory, &t->list[i].body);
        pli_free_text(t->job->memory, &t->list[i].name);
    }
    PLI_FREE(t->job->memory, t->list, t->capacity);
    pli_result_frame_free(&t->frame);
}

// ---- "bar:3,bar:17"

static bool is_same(const char* body, const char* name) { return strcmp(body, name) == 0; }

static pli_status add_track(tracks* t, const char* text, size_t name_length, int64_t vertex,
                            pli_error* error) {
    char name[256], shown[300];
    if (name_length == 0 || name_length >= sizeof name)
        return pli_fail(error, PLI_E_ARGUMENT, "vertices: \"%.60s\": missing body name before ':'",
                        text);
    memcpy(name, text, name_length);
    name[name_length] = 0;
    const pli_result_body* body = pli_result_find(t->job->result, name);
    if (!body && !pli_run_info_has_body(t->job->result, is_same, name))
        return pli_fail(error, PLI_E_ARGUMENT, "vertices: there is no body \"%.80s\"", name);
    if (vertex > INT32_MAX || (body && vertex >= body->all_vertices))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "vertices: vertex %lld of body \"%.80s\", must be 0 to %d",
                        (long long)vertex, name, body ? body->all_vertices - 1 : INT32_MAX);
    pli_format(shown, sizeof shown, "%s:%lld", name, (long long)vertex);
    PLI_TRY(PLI_GROW(t->job->memory, t->list, t->capacity, t->count + 1, error));
    track* fresh = &t->list[t->count];
    *fresh = (track){.vertex = (int)vertex};
    ++t->count;
    PLI_TRY(pli_copy_text(t->job->memory, name, &fresh->body, error));
    return pli_copy_text(t->job->memory, shown, &fresh->name, error);
}

// An entry ends where ':' and a number are followed by a comma or the end, so names may have both
// signs.
static pli_status read_list(tracks* t, const char* text, pli_error* error) {
    while (*text) {
        const char *colon = text, *end = NULL;
        int64_t vertex = 0;
        while ((colon = strchr(colon, ':'))) {
            end = colon + 1;
            bool number = *end >= '0' && *end <= '9' && pli_parse_integer(&end, &vertex);
            if (number && (*end == ',' || *end == 0)) break;
            ++colon;
        }
        if (!colon)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "vertices: \"%.60s\", must be BODY:NUMBER with commas between", text);
        PLI_TRY(add_track(t, text, (size_t)(colon - text), vertex, error));
        text = *end == ',' ? end + 1 : end;
    }
    if (t->count > 0) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "vertices: the list is empty");
}

// ---- the table

static void write_heading(pli_file* file, const track* owner, const char* field, int component,
                          int components) {
    static const char axes[] = "xyz";
    char text[512];
    int n = pli_format(text, sizeof text, "%s%s%s", owner->name, *field ? "." : "", field);
    if (components == 3)
        pli_format(text + n, sizeof text - (size_t)n, ".%c", axes[component]);
    else if (components > 1)
        pli_format(text + n, sizeof text - (size_t)n, ".%d", component);
    pli_file_text(file, ",");
    pli_csv_text(file, text);
}

static void keep_fields(tracks* t) {
    t->field_count = t->frame.field_count;
    for (int f = 0; f < t->field_count; ++f) {
        memcpy(t->fields[f].name, t->frame.fields[f].name, sizeof t->fields[f].name);
        t->fields[f].components = t->frame.fields[f].components;
    }
}

static void write_headings(const tracks* t, pli_file* file) {
    pli_file_text(file, "time");
    for (int i = 0; i < t->count; ++i) {
        for (int k = 0; k < 3; ++k) write_heading(file, &t->list[i], "", k, 3);
        for (int f = 0; f < t->field_count; ++f) {
            const heading* field = &t->fields[f];
            for (int k = 0; k < field->components; ++k)
                write_heading(file, &t->list[i], field->name, k, field->components);
        }
    }
    pli_file_text(file, "\n");
}

// NULL: the cells are empty.
static void write_numbers(pli_file* file, const double* values, int count) {
    for (int k = 0; k < count; ++k) {
        pli_file_text(file, ",");
        if (values && values[k] - values[k] == 0) pli_file_number(file, values[k]); // finite
    }
}

static void write_row(const tracks* t, pli_file* file) {
    pli_file_number(file, t->frame.time);
    for (int i = 0; i < t->count; ++i) {
        const pli_result_body* body = pli_result_find(t->job->result, t->list[i].body);
        bool found = body && t->list[i].vertex < body->all_vertices;
        size_t vertex = found ? (size_t)(body->first_vertex + t->list[i].vertex) : 0;
        write_numbers(file, found ? t->frame.positions + 3 * vertex : NULL, 3);
        for (int f = 0; f < t->field_count; ++f) {
            int components = t->fields[f].components;
            const pli_result_field* field = pli_result_find_field(&t->frame, t->fields[f].name);
            bool known = found && field && field->components == components;
            write_numbers(file, known ? field->values + (size_t)components * vertex : NULL,
                          components);
        }
    }
    pli_file_text(file, "\n");
}

static pli_status write_table(tracks* t, pli_file* file, pli_error* error) {
    for (int i = 0; i < t->job->frame_count; ++i) {
        PLI_TRY(pli_export_frame(t->job, i, PLI_ALL_FIELDS, &t->frame, error));
        if (i == 0) {
            keep_fields(t);
            write_headings(t, file);
        }
        write_row(t, file);
        if (!pli_export_go_on(t->job, 0.2 * (i + 1) / t->job->frame_count)) break;
    }
    return PLI_OK;
}

// "run.csv" gives "run_vertices.csv".
static pli_status find_path(const char* path, char out[PLI_EXPORT_PATH_SIZE], pli_error* error) {
    const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
    if (!dot || (slash && dot < slash)) dot = path + strlen(path);
    int n = pli_format(out, PLI_EXPORT_PATH_SIZE, "%.*s_vertices%s", (int)(dot - path), path, dot);
    if (n < PLI_EXPORT_PATH_SIZE) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "export: the name of the file is too long");
}

pli_status pli_export_tracks(pli_export_job* job, pli_error* error) {
    tracks t = {.job = job};
    char path[PLI_EXPORT_PATH_SIZE];
    pli_file file;
    pli_status status;
    PLI_TRY_CLEANUP(status, read_list(&t, job->def->vertices, error));
    PLI_TRY_CLEANUP(status, find_path(job->info->path, path, error));
    PLI_TRY_CLEANUP(status, pli_file_create(&file, "", path, error));
    status = pli_export_commit(job, &file, write_table(&t, &file, error), error);
cleanup:
    free_tracks(&t);
    return status;
}
