// run.json: one object with the scene's title, dimension and gravity, its bodies in the order of
// their numbers, and its half-spaces at t = 0.
#define _POSIX_C_SOURCE 200809L // access
#include "result/run_info.h"

#include <jansson.h>
#include <unistd.h>

#include "base/file.h"
#include "pliant/record.h"

enum { CARD_LIMIT = 256 << 20 }; // [bytes]

// ---- writing

static void write_vector(pli_file* file, const char* name, const double v[3]) {
    PLI_FILE_PRINT(file, "\"%s\":[", name);
    for (int c = 0; c < 3; ++c) {
        if (c > 0) pli_file_text(file, ",");
        pli_file_number(file, v[c]);
    }
    pli_file_text(file, "]");
}

static void write_bodies(pli_file* file, const pli_snapshot* s) {
    int vertex = 0;
    for (int b = 0; b < s->body_count; ++b) {
        int first = vertex;
        while (vertex < s->vertex_count && s->vertex_body[vertex] == b) ++vertex;
        pli_file_text(file, b > 0 ? ",\n  {\"name\":" : "\n  {\"name\":");
        pli_file_json(file, s->body_names[b]);
        PLI_FILE_PRINT(file, ",\"vertices\":[%d,%d],\"obstacle\":%s%s,\"thickness\":", first,
                       vertex, s->body_obstacle && s->body_obstacle[b] ? "true" : "false",
                       s->body_cage && s->body_cage[b] ? ",\"cage\":true" : "");
        pli_file_number(file, s->body_thickness ? s->body_thickness[b] : 0);
        pli_file_text(file, "}");
    }
}

static void write_half_spaces(pli_file* file, const pli_snapshot* s) {
    for (int i = 0; i < s->half_space_count; ++i) {
        pli_file_text(file, i > 0 ? ",\n  {\"name\":" : "\n  {\"name\":");
        pli_file_json(file, s->half_space_names ? s->half_space_names[i] : "");
        pli_file_text(file, ",");
        write_vector(file, "point", s->half_spaces + 6 * i);
        pli_file_text(file, ",");
        write_vector(file, "normal", s->half_spaces + 6 * i + 3);
        if (s->half_space_carriers && s->half_space_carriers[i] >= 0)
            PLI_FILE_PRINT(file, ",\"carrier\":%d", (int)s->half_space_carriers[i]);
        pli_file_text(file, "}");
    }
}

pli_status pli_run_info_write(const pli_snapshot* s, const char* title, const char* folder,
                              pli_error* error) {
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, PLI_RUN_INFO_NAME, error));
    PLI_FILE_PRINT(&file, "{\"format\":%d,\"pliant\":", PLI_RESULT_FORMAT);
    pli_file_json(&file, pli_version());
    pli_file_text(&file, ",\"title\":");
    pli_file_json(&file, title ? title : "");
    PLI_FILE_PRINT(&file, ",\"dimension\":%d,", s->dimension);
    write_vector(&file, "gravity", s->gravity);
    if (s->residual_unit) PLI_FILE_PRINT(&file, ",\"residual_unit\":\"%s\"", s->residual_unit);
    pli_file_text(&file, ",\n \"bodies\":[");
    write_bodies(&file, s);
    pli_file_text(&file, "],\n \"half_spaces\":[");
    write_half_spaces(&file, s);
    pli_file_text(&file, "]}\n");
    return pli_file_commit(&file, error);
}

// ---- reading

static pli_status read_body(pli_result* result, pli_result_body* body, const json_t* entry,
                            pli_error* error) {
    const char* name = json_string_value(json_object_get(entry, "name"));
    const json_t* thickness = json_object_get(entry, "thickness");
    body->obstacle = json_is_true(json_object_get(entry, "obstacle"));
    body->cage = json_is_true(json_object_get(entry, "cage"));
    body->thickness = json_is_number(thickness) ? json_number_value(thickness) : 0;
    if (!name) return PLI_OK;
    char* copy = NULL;
    PLI_TRY(pli_copy_text(result->memory, name, &copy, error));
    pli_free_text(result->memory, &body->name);
    body->name = copy;
    return PLI_OK;
}

static void read_vector(const json_t* from, double to[3]) {
    for (size_t i = 0; i < 3; ++i) to[i] = json_number_value(json_array_get(from, i));
}

static pli_status read_half_space(pli_result* result, const json_t* entry, pli_error* error) {
    const char* name = json_string_value(json_object_get(entry, "name"));
    PLI_TRY(PLI_GROW(result->memory, result->half_spaces, result->half_space_room,
                     result->half_space_count + 1, error));
    pli_result_half_space* h = &result->half_spaces[result->half_space_count];
    h->name = NULL;
    PLI_TRY(pli_copy_text(result->memory, name ? name : "", &h->name, error));
    result->half_space_count++;
    read_vector(json_object_get(entry, "point"), h->plane);
    read_vector(json_object_get(entry, "normal"), h->plane + 3);
    const json_t* carrier = json_object_get(entry, "carrier");
    json_int_t vertex = json_is_integer(carrier) ? json_integer_value(carrier) : -1;
    h->carrier = vertex >= 0 && vertex < result->vertex_count ? (int)vertex : -1;
    return PLI_OK;
}

static pli_status check_format(const json_t* root, const char* path, pli_error* error) {
    json_int_t format = json_integer_value(json_object_get(root, "format"));
    if (format <= PLI_RESULT_FORMAT) return PLI_OK; // 0: of a run that wrote none
    return pli_fail(error, PLI_E_SCENE,
                    "%.300s: results of format %lld, pliant %s reads up to %d: use a newer one",
                    path, (long long)format, pli_version(), PLI_RESULT_FORMAT);
}

static pli_status read_stage(pli_result* result, const json_t* root, pli_error* error) {
    const json_t* dimension = json_object_get(root, "dimension");
    const char* title = json_string_value(json_object_get(root, "title"));
    if (title) {
        char* copy = NULL;
        PLI_TRY(pli_copy_text(result->memory, title, &copy, error));
        pli_free_text(result->memory, &result->title);
        result->title = copy;
    }
    if (json_is_integer(dimension)) result->dimension = json_integer_value(dimension) == 2 ? 2 : 3;
    read_vector(json_object_get(root, "gravity"), result->gravity);
    size_t i;
    json_t* entry;
    json_array_foreach(json_object_get(root, "half_spaces"), i, entry)
        PLI_TRY(read_half_space(result, entry, error));
    return PLI_OK;
}

pli_status pli_run_info_read(pli_result* result, pli_error* error) {
    char path[PLI_PATH_SIZE + 16];
    char* text = NULL;
    size_t size = 0;
    json_error_t wrong;
    pli_format(path, sizeof path, "%s/%s", result->folder, PLI_RUN_INFO_NAME);
    if (access(path, F_OK) != 0) return PLI_OK; // of a run that wrote none
    PLI_TRY(pli_read_file(result->memory, path, CARD_LIMIT, &text, &size, error));
    json_t* root = json_loadb(text, size - 1, JSON_REJECT_DUPLICATES, &wrong);
    PLI_FREE(result->memory, text, size);
    if (!root)
        return pli_fail_at(error, PLI_E_SCENE, wrong.line, wrong.column, "%s:%d:%d: %s", path,
                           wrong.line, wrong.column, wrong.text);
    pli_status status = check_format(root, path, error);
    if (status == PLI_OK) status = read_stage(result, root, error);
    const json_t* bodies = json_object_get(root, "bodies");
    for (int i = 0; i < result->body_count && status == PLI_OK; ++i) {
        pli_result_body* body = &result->bodies[i];
        const json_t* entry = json_array_get(bodies, (size_t)body->number);
        if (entry) status = read_body(result, body, entry, error);
    }
    json_decref(root);
    return status;
}
