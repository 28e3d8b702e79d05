// run.json: one object with the scene's title, dimension and gravity, and its epochs, each with the
// bodies in order and the half-spaces at its start. A run with one epoch has its members at the top
// level, so that earlier versions can read it.
#define _POSIX_C_SOURCE 200809L // access
#include "result/result.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "pliant/record.h"

#define RUN_INFO_NAME "run.json"
enum { SIZE_LIMIT = 256 << 20 }; // [bytes]

// ---- the file as JSON

static pli_status check_format(const json_t* root, const char* path, pli_error* error) {
    json_int_t format = json_integer_value(json_object_get(root, "format"));
    if (format <= PLI_RESULT_FORMAT) return PLI_OK; // 0: of a run that wrote none
    return pli_fail(error, PLI_E_SCENE,
                    "%.300s: results of format %lld, pliant %s reads up to %d: use a newer one",
                    path, (long long)format, pli_version(), PLI_RESULT_FORMAT);
}

pli_status pli_run_info_load(pli_memory* memory, const char* folder, json_t** root,
                             pli_error* error) {
    char path[PLI_PATH_SIZE + 16];
    char* text = NULL;
    size_t size = 0;
    json_error_t wrong;
    *root = NULL;
    pli_format(path, sizeof path, "%s/%s", folder, RUN_INFO_NAME);
    if (access(path, F_OK) != 0) return PLI_OK;
    PLI_TRY(pli_read_file(memory, path, SIZE_LIMIT, &text, &size, error));
    json_t* fresh = json_loadb(text, size - 1, JSON_REJECT_DUPLICATES, &wrong);
    PLI_FREE(memory, text, size);
    if (fresh && !json_is_object(fresh)) {
        json_decref(fresh);
        return pli_fail(error, PLI_E_SCENE, "%.300s: not a JSON object", path);
    }
    if (!fresh)
        return pli_fail_at(error, PLI_E_SCENE, wrong.line, wrong.column, "%s:%d:%d: %s", path,
                           wrong.line, wrong.column, wrong.text);
    pli_status status = check_format(fresh, path, error);
    if (status == PLI_OK)
        *root = fresh;
    else
        json_decref(fresh);
    return status;
}

int pli_run_info_epoch_count(const json_t* root) {
    const json_t* epochs = json_object_get(root, "epochs");
    return json_is_array(epochs) ? (int)json_array_size(epochs) : 1;
}

const json_t* pli_run_info_epoch(const json_t* root, int number) {
    const json_t* epochs = json_object_get(root, "epochs");
    if (json_is_array(epochs)) return json_array_get(epochs, (size_t)number);
    return number == 0 ? root : NULL;
}

// ---- writing

static void write_vector(pli_file* file, const char* name, const double v[3]) {
    PLI_FILE_PRINT(file, "\"%s\":[", name);
    for (int c = 0; c < 3; ++c) {
        if (c > 0) pli_file_text(file, ",");
        pli_file_number(file, v[c]);
    }
    pli_file_text(file, "]");
}

// [first, end) of the elements of this kind whose first vertex belongs to body b.
static void find_elements(const pli_snapshot* s, int kind, int b, int span[2]) {
    int size = pli_element_size((pli_element_kind)kind);
    const int32_t* elements = s->elements[kind];
    span[0] = span[1] = 0;
    for (int e = 0; e < s->element_count[kind]; ++e)
        if (s->vertex_body[elements[(size_t)e * (size_t)size]] == b) {
            if (span[1] == 0) span[0] = e;
            span[1] = e + 1;
        }
}

// Its cells in frames, a range per kind of element.
static void write_cells(pli_file* file, const pli_snapshot* s, int b) {
    int first = 0, count = 0;
    pli_file_text(file, ",\"cells\":[");
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; first += s->element_count[kind++]) {
        int span[2];
        find_elements(s, kind, b, span);
        if (span[1] == 0) continue;
        PLI_FILE_PRINT(file, "%s[%d,%d]", count++ > 0 ? "," : "", first + span[0], first + span[1]);
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
        PLI_FILE_PRINT(file, ",\"vertices\":[%d,%d]", first, vertex);
        write_cells(file, s, b);
        PLI_FILE_PRINT(file, ",\"obstacle\":%s%s,\"thickness\":",
                       s->body_obstacle && s->body_obstacle[b] ? "true" : "false",
                       s->body_cage && s->body_cage[b] ? ",\"cage\":true" : "");
        double thickness = s->body_thickness ? s->body_thickness[b] : 0;
        double radius = pli_snapshot_radius(s, b);
        pli_file_number(file, thickness);
        if (radius != thickness) {
            pli_file_text(file, ",\"radius\":");
            pli_file_number(file, radius);
        }
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

// The arrays of frames that have their names from energies.
static void write_fields(pli_file* file, const pli_snapshot* s) {
    for (int i = 0; i < s->scalar_count; ++i) {
        const pli_energy_field* field = &s->scalars[i];
        pli_file_text(file, i > 0 ? ",\n  {\"name\":" : ",\n \"fields\":[\n  {\"name\":");
        pli_file_json(file, field->name);
        pli_file_text(file, ",\"label\":");
        pli_file_json(file, field->label ? field->label : field->name);
        pli_file_text(file, ",\"unit\":");
        pli_file_json(file, field->unit ? field->unit : "");
        pli_file_text(file, "}");
    }
    if (s->scalar_count > 0) pli_file_text(file, "]");
}

// The members of an epoch, or of the file itself if it has only one.
static void write_members(pli_file* file, const pli_snapshot* s) {
    pli_file_text(file, "\"bodies\":[");
    write_bodies(file, s);
    pli_file_text(file, "],\n \"half_spaces\":[");
    write_half_spaces(file, s);
    pli_file_text(file, "]");
}

pli_status pli_run_info_write(const pli_snapshot* s, const char* title, const char* camera,
                              const char* folder, pli_error* error) {
    pli_file file;
    PLI_TRY(pli_file_create(&file, folder, RUN_INFO_NAME, error));
    PLI_FILE_PRINT(&file, "{\"format\":%d,\"pliant\":", PLI_RESULT_FORMAT_ONE_EPOCH);
    pli_file_json(&file, pli_version());
    pli_file_text(&file, ",\"title\":");
    pli_file_json(&file, title ? title : "");
    PLI_FILE_PRINT(&file, ",\"dimension\":%d,", s->dimension);
    write_vector(&file, "gravity", s->gravity);
    if (camera && *camera) PLI_FILE_PRINT(&file, ",\"camera\":%s", camera);
    if (s->residual_unit) PLI_FILE_PRINT(&file, ",\"residual_unit\":\"%s\"", s->residual_unit);
    write_fields(&file, s);
    pli_file_text(&file, ",\n ");
    write_members(&file, s);
    pli_file_text(&file, "}\n");
    return pli_file_commit(&file, error);
}

// ---- adding an epoch

// Writes any value, with the number format of the functions above.
static void write_value(pli_file* file, const json_t* value) {
    if (json_is_object(value)) {
        const char *key, *before = "{";
        const json_t* member;
        json_object_foreach((json_t*)value, key, member) {
            pli_file_text(file, before);
            pli_file_json(file, key);
            pli_file_text(file, ":");
            write_value(file, member);
            before = ",";
        }
        pli_file_text(file, *before == '{' ? "{}" : "}");
    } else if (json_is_array(value)) {
        for (size_t i = 0; i < json_array_size(value); ++i) {
            pli_file_text(file, i > 0 ? "," : "[");
            write_value(file, json_array_get(value, i));
        }
        pli_file_text(file, json_array_size(value) > 0 ? "]" : "[]");
    } else if (json_is_string(value)) {
        pli_file_json(file, json_string_value(value));
    } else if (json_is_number(value)) {
        pli_file_number(file, json_number_value(value));
    } else {
        pli_file_text(file, json_is_true(value) ? "true" : json_is_false(value) ? "false" : "null");
    }
}

static const char* const epoch_members[] = {"bodies", "half_spaces"};
enum { EPOCH_MEMBERS = sizeof epoch_members / sizeof *epoch_members };

static bool is_of_epoch(const char* key) {
    for (int i = 0; i < EPOCH_MEMBERS; ++i)
        if (strcmp(key, epoch_members[i]) == 0) return true;
    return strcmp(key, "epochs") == 0;
}

static int first_frame_of(const json_t* epoch) { // a file without epochs: 0
    return (int)json_integer_value(json_object_get(epoch, "first_frame"));
}

static void write_epoch_head(pli_file* file, int number, int first_frame, int first_step) {
    PLI_FILE_PRINT(file, "%s\n {\"epoch\":%d,\"first_frame\":%d,\"first_step\":%d,",
                   number > 0 ? "," : "", number, first_frame, first_step);
}

// The epochs of `root` that begin before frame `end`; returns how many.
static int write_past(pli_file* file, const json_t* root, int end) {
    int count = 0;
    for (int i = 0; i < pli_run_info_epoch_count(root); ++i) {
        const json_t* epoch = pli_run_info_epoch(root, i);
        if (first_frame_of(epoch) >= end) break;
        int step = (int)json_integer_value(json_object_get(epoch, "first_step"));
        write_epoch_head(file, count++, first_frame_of(epoch), step);
        for (int k = 0; k < EPOCH_MEMBERS; ++k) {
            const json_t* list = json_object_get(epoch, epoch_members[k]);
            PLI_FILE_PRINT(file, "%s\"%s\":", k > 0 ? ",\n " : "", epoch_members[k]);
            write_value(file, list);
        }
        pli_file_text(file, "}");
    }
    return count;
}

pli_status pli_run_info_add_epoch(pli_memory* memory, const char* folder,
                                  const pli_run_epoch* epoch, int* number, pli_error* error) {
    json_t* root = NULL;
    pli_file file;
    PLI_TRY(pli_run_info_load(memory, folder, &root, error));
    pli_status status = pli_file_create(&file, folder, RUN_INFO_NAME, error);
    if (status == PLI_OK) {
        const char* key;
        const json_t* member;
        PLI_FILE_PRINT(&file, "{\"format\":%d", PLI_RESULT_FORMAT);
        json_object_foreach(root, key, member) {
            if (is_of_epoch(key) || strcmp(key, "format") == 0) continue;
            PLI_FILE_PRINT(&file, ",\"%s\":", key);
            write_value(&file, member);
        }
        pli_file_text(&file, ",\n \"epochs\":[");
        int count = write_past(&file, root, epoch->first_frame);
        if (epoch->snapshot) {
            write_epoch_head(&file, count, epoch->first_frame, epoch->first_step);
            write_members(&file, epoch->snapshot);
            pli_file_text(&file, "}");
        }
        pli_file_text(&file, "]}\n");
        status = pli_file_commit(&file, error);
        if (status == PLI_OK) *number = count;
    }
    json_decref(root);
    return status;
}

// ---- reading

static pli_status read_body(pli_result* result, pli_result_body* body, const json_t* entry,
                            pli_error* error) {
    const char* name = json_string_value(json_object_get(entry, "name"));
    const json_t* thickness = json_object_get(entry, "thickness");
    const json_t* radius = json_object_get(entry, "radius");
    body->obstacle = json_is_true(json_object_get(entry, "obstacle"));
    body->cage = json_is_true(json_object_get(entry, "cage"));
    body->thickness = json_is_number(thickness) ? json_number_value(thickness) : 0;
    body->radius = json_is_number(radius) ? json_number_value(radius) : body->thickness;
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

static pli_status replace_text(pli_result* result, const char* text, char** held,
                               pli_error* error) {
    char* copy;
    if (!text) return PLI_OK;
    PLI_TRY(pli_copy_text(result->memory, text, &copy, error));
    pli_free_text(result->memory, held);
    *held = copy;
    return PLI_OK;
}

static pli_status copy_texts(pli_result* result, pli_error* error) {
    const json_t* camera = json_object_get(result->info, "camera");
    PLI_TRY(replace_text(result, json_string_value(json_object_get(result->info, "title")),
                         &result->title, error));
    char* text = json_is_object(camera) ? json_dumps(camera, JSON_COMPACT) : NULL;
    pli_status status = replace_text(result, text, &result->camera, error);
    free(text);
    return status;
}

pli_status pli_run_info_read(pli_result* result, pli_error* error) {
    json_t* root = NULL;
    PLI_TRY(pli_run_info_load(result->memory, result->folder, &root, error));
    json_decref(result->info);
    result->info = root;
    if (!root) return PLI_OK; // the run wrote none
    const json_t* dimension = json_object_get(root, "dimension");
    if (json_is_integer(dimension)) result->dimension = json_integer_value(dimension) == 2 ? 2 : 3;
    read_vector(json_object_get(root, "gravity"), result->gravity);
    return copy_texts(result, error);
}

pli_status pli_run_info_read_epoch(pli_result* result, pli_error* error) {
    const json_t* epoch = pli_run_info_epoch(result->info, result->epoch);
    if (!result->info) return PLI_OK;
    if (!epoch)
        return pli_fail(error, PLI_E_SCENE,
                        "%.300s/" RUN_INFO_NAME
                        ": epoch %d is missing; the file lists %d, but a frame refers to it",
                        result->folder, result->epoch, pli_run_info_epoch_count(result->info));
    const json_t* half_spaces = json_object_get(epoch, "half_spaces");
    for (size_t i = 0; i < json_array_size(half_spaces); ++i)
        PLI_TRY(read_half_space(result, json_array_get(half_spaces, i), error));
    const json_t* bodies = json_object_get(epoch, "bodies");
    for (int i = 0; i < result->body_count; ++i) {
        pli_result_body* body = &result->bodies[i];
        const json_t* entry = json_array_get(bodies, (size_t)body->number);
        if (entry) PLI_TRY(read_body(result, body, entry, error));
    }
    return PLI_OK;
}

bool pli_run_info_has_body(const pli_result* result,
                           bool (*matches)(const char* body, const char* name), const char* name) {
    for (int i = 0; result->info && i < pli_run_info_epoch_count(result->info); ++i) {
        const json_t* bodies = json_object_get(pli_run_info_epoch(result->info, i), "bodies");
        for (size_t b = 0; b < json_array_size(bodies); ++b) {
            const json_t* entry = json_object_get(json_array_get(bodies, b), "name");
            if (json_is_string(entry) && matches(json_string_value(entry), name)) return true;
        }
    }
    return false;
}

int pli_result_next_change(const pli_result* result, int first) {
    for (int i = 1; result->info && i < pli_run_info_epoch_count(result->info); ++i) {
        int frame = first_frame_of(pli_run_info_epoch(result->info, i));
        if (frame > first && frame < result->frame_count) return frame;
    }
    return -1;
}
