// Statistics as a table: a row per step, a column per number, named by its path in the JSON:
// "seconds.total", "energies.gravity", "supports.0.force.x", "contacts.lower/ground.count". Not all
// steps have all of them (contacts appear and vanish), so the file is read twice: first for the
// columns, then for the rows. Numbers of a step with the same path get columns "path", "path#2",
// "path#3" ...
#include "export/export.h"

#include <string.h>

#include "mesh/scan.h"
#include "result/stats_reader.h"

enum { DEPTH = 6, NUMBER_SIZE = 24 };

// ---- columns

typedef struct column {
    char* name;
    const json_t* value; // in the current row; NULL: none
    int copies;          // in the current row: columns "name#k" with values
} column;

typedef struct table {
    pli_export_job* job;
    int column_count, column_capacity;
    column* columns;
    char* name; // of the current value, zero-terminated
    int name_capacity;
    int last; // the last column found: the next one is likely the one after it
    pli_error* error;
} table;

static pli_status find_column(table* t, const char* name, int* found) {
    for (int i = 0; i < t->column_count; ++i) {
        int at = (t->last + 1 + i) % t->column_count;
        if (strcmp(t->columns[at].name, name) != 0) continue;
        *found = t->last = at;
        return PLI_OK;
    }
    pli_memory* memory = t->job->memory;
    PLI_TRY(PLI_GROW(memory, t->columns, t->column_capacity, t->column_count + 1, t->error));
    column* fresh = &t->columns[t->column_count];
    *fresh = (column){0};
    PLI_TRY(pli_copy_text(memory, name, &fresh->name, t->error));
    *found = t->last = t->column_count++;
    return PLI_OK;
}

static void free_table(table* t) {
    for (int i = 0; i < t->column_count; ++i) pli_free_text(t->job->memory, &t->columns[i].name);
    PLI_FREE(t->job->memory, t->columns, t->column_capacity);
    PLI_FREE(t->job->memory, t->name, t->name_capacity);
}

// Writes text at *length of the name and advances it.
static pli_status append(table* t, size_t* length, const char* text) {
    size_t more = strlen(text);
    if (more > INT32_MAX / 2 - *length)
        return pli_fail(t->error, PLI_E_SCENE, "stats.jsonl: the path of a value is too long");
    PLI_TRY(
        PLI_GROW(t->job->memory, t->name, t->name_capacity, (int)(*length + more + 1), t->error));
    memcpy(t->name + *length, text, more + 1);
    *length += more;
    return PLI_OK;
}

// Stores a value in the column of the current name, or in a copy if that is occupied.
static pli_status place(table* t, const json_t* value, size_t length) {
    int first = 0, at = 0;
    PLI_TRY(find_column(t, t->name, &first));
    for (at = first; t->columns[at].value;) {
        char number[NUMBER_SIZE];
        size_t end = length;
        pli_format(number, sizeof number, "#%d", ++t->columns[first].copies + 1);
        PLI_TRY(append(t, &end, number));
        PLI_TRY(find_column(t, t->name, &at));
    }
    t->columns[at].value = value;
    t->name[length] = 0;
    return PLI_OK;
}

// The names of two bodies in contact are in "a" and "b".
static bool is_pair(const json_t* entry) {
    return json_is_string(json_object_get(entry, "a")) &&
           json_is_string(json_object_get(entry, "b"));
}

// Name of entry i of a list: axes of vectors, two bodies in contact, or its number.
static pli_status name_entry(table* t, const json_t* list, size_t i, size_t* length) {
    const json_t* entry = json_array_get(list, i);
    char number[NUMBER_SIZE];
    PLI_TRY(append(t, length, "."));
    if (is_pair(entry)) {
        PLI_TRY(append(t, length, json_string_value(json_object_get(entry, "a"))));
        PLI_TRY(append(t, length, "/"));
        return append(t, length, json_string_value(json_object_get(entry, "b")));
    }
    if (json_array_size(list) == 3 && json_is_number(entry))
        pli_format(number, sizeof number, "%c", "xyz"[i]);
    else
        pli_format(number, sizeof number, "%zu", i);
    return append(t, length, number);
}

// Stores all numbers and texts below `value` in their columns; the name is `length` long.
static pli_status visit(table* t, const json_t* value, size_t length, int depth) {
    if (depth > DEPTH)
        return pli_fail(t->error, PLI_E_SCENE, "stats.jsonl: %.80s... is nested too deeply",
                        t->name);
    if (json_is_object(value)) {
        const char* key;
        const json_t* member;
        json_object_foreach((json_t*)value, key, member) {
            if (is_pair(value) && strlen(key) == 1) continue; // "a" and "b" are in the name
            size_t end = length;
            if (length > 0) PLI_TRY(append(t, &end, "."));
            PLI_TRY(append(t, &end, key));
            PLI_TRY(visit(t, member, end, depth + 1));
        }
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); ++i) {
            size_t end = length;
            PLI_TRY(name_entry(t, value, i, &end));
            PLI_TRY(visit(t, json_array_get(value, i), end, depth + 1));
        }
    } else {
        return place(t, value, length);
    }
    return PLI_OK;
}

// ---- writing

// Quoted if it contains a comma, a quote or a line end [RFC 4180].
void pli_csv_text(pli_file* file, const char* text) {
    bool plain = !strpbrk(text, ",\"\r\n");
    if (!plain) pli_file_text(file, "\"");
    for (; *text; ++text) {
        if (*text == '"') pli_file_text(file, "\"");
        pli_file_write(file, text, 1);
    }
    if (!plain) pli_file_text(file, "\"");
}

static void write_value(pli_file* file, const json_t* value) {
    if (json_is_integer(value))
        PLI_FILE_PRINT(file, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        pli_file_number(file, json_real_value(value));
    else if (json_is_boolean(value))
        pli_file_text(file, json_is_true(value) ? "1" : "0");
    else if (json_is_string(value))
        pli_csv_text(file, json_string_value(value));
}

static void write_row(table* t, pli_file* file) {
    for (int i = 0; i < t->column_count; ++i) {
        if (i > 0) pli_file_text(file, ",");
        write_value(file, t->columns[i].value);
    }
    pli_file_text(file, "\n");
}

// One pass over the file; `file` NULL: for the columns. At most `limit` lines; counts them.
static pli_status read_lines(table* t, pli_stats_reader* l, pli_file* file, int64_t limit,
                             double begin, pli_error* error) {
    while (l->number < limit) {
        const char* line = NULL;
        int length = 0;
        json_t* row = NULL;
        PLI_TRY(pli_stats_reader_next(l, &line, &length, error));
        if (!line) break;
        if ((l->number - 1) % t->job->def->every != 0) continue;
        PLI_TRY(pli_stats_reader_parse(l, line, length, &row, error));
        t->last = -1;
        pli_status status = visit(t, row, 0, 0);
        if (status == PLI_OK && file) write_row(t, file);
        for (int i = 0; i < t->column_count; ++i)
            t->columns[i].value = NULL, t->columns[i].copies = 0;
        json_decref(row);
        PLI_TRY(status);
        double part = l->size > 0 ? (double)l->given / (double)l->size : 1;
        if (!pli_export_go_on(t->job, begin + 0.4 * (part < 1 ? part : 1))) break;
    }
    return PLI_OK;
}

static pli_status read_once(table* t, pli_file* file, int64_t* limit, double begin,
                            pli_error* error) {
    pli_stats_reader l;
    PLI_TRY(pli_stats_reader_open(&l, t->job->memory, t->job->def->folder, error));
    pli_status status = read_lines(t, &l, file, *limit, begin, error);
    *limit = l.number;
    pli_stats_reader_close(&l);
    return status;
}

static pli_status write_table(table* t, pli_file* file, int64_t limit, pli_error* error) {
    for (int i = 0; i < t->column_count; ++i) {
        if (i > 0) pli_file_text(file, ",");
        pli_csv_text(file, t->columns[i].name);
    }
    pli_file_text(file, "\n");
    return read_once(t, file, &limit, 0.6, error);
}

static pli_status write_stats(pli_export_job* job, pli_error* error) {
    table t = {.job = job, .error = error};
    pli_file file;
    int64_t limit = INT64_MAX;
    pli_status status;
    PLI_TRY_CLEANUP(status, read_once(&t, NULL, &limit, 0.2, error));
    if (job->info->cancelled) goto cleanup;
    PLI_TRY_CLEANUP(status, pli_file_create(&file, "", job->info->path, error));
    status = pli_export_commit(job, &file, write_table(&t, &file, limit, error), error);
cleanup:
    free_table(&t);
    return status;
}

pli_status pli_export_csv(pli_export_job* job, pli_error* error) {
    if (job->def->vertices) PLI_TRY(pli_export_tracks(job, error));
    return job->info->cancelled ? PLI_OK : write_stats(job, error);
}

// ---- tracks of vertices

// Tracks of vertices as a table: a row per frame; for each vertex its position and all point arrays
// of the frames, in columns "bar:3.x", "bar:3.velocity.y" ... The columns are those of the first
// frame: cells are empty where a later frame lacks an array or its epoch lacks the vertex;
// additional arrays are ignored.

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
        return pli_fail(error, PLI_E_ARGUMENT, "vertices: no body \"%.80s\"", name);
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

// An entry ends where ':' and a number are followed by a comma or the end, so names may contain
// both characters.
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
                            "vertices: \"%.60s\": must be BODY:NUMBER,BODY:NUMBER,...", text);
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

static void write_track_row(const tracks* t, pli_file* file) {
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

static pli_status write_tracks(tracks* t, pli_file* file, pli_error* error) {
    for (int i = 0; i < t->job->frame_count; ++i) {
        PLI_TRY(pli_export_frame(t->job, i, PLI_ALL_FIELDS, &t->frame, error));
        if (i == 0) {
            keep_fields(t);
            write_headings(t, file);
        }
        write_track_row(t, file);
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
    status = pli_export_commit(job, &file, write_tracks(&t, &file, error), error);
cleanup:
    free_tracks(&t);
    return status;
}
