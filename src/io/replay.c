// Replay: the reader of results (result.h) for programs outside the library, and what run.json says
// beside. Fields are read when they are asked for.
#define _POSIX_C_SOURCE 200809L // access
#include "pliant/replay.h"

#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/read_file.h"
#include "base/text.h"
#include "io/pvd.h"
#include "io/result.h"
#include "io/result_field.h"

enum { CARD_LIMIT = 256 << 20 }; // [bytes]

struct pli_replay {
    pli_memory memory;
    pli_result result;
    pli_result_frame frames[2]; // the one that is shown, and the other
    int shown, number;          // which of them, and which frame it is
    char* title;
    int dimension;
    double gravity[3];
    int half_space_count, half_space_room;
    pli_replay_half_space* half_spaces; // their names are ours
    pli_result_values field;            // read last
};

// ---- run.json

static void read_vector(const json_t* from, double to[3]) {
    for (size_t i = 0; i < 3; ++i) to[i] = json_number_value(json_array_get(from, i));
}

static pli_status read_half_space(pli_replay* r, const json_t* entry, pli_error* error) {
    const char* name = json_string_value(json_object_get(entry, "name"));
    char* copy = NULL;
    PLI_TRY(
        PLI_GROW(&r->memory, r->half_spaces, r->half_space_room, r->half_space_count + 1, error));
    PLI_TRY(pli_copy_text(&r->memory, name ? name : "", &copy, error));
    pli_replay_half_space* h = &r->half_spaces[r->half_space_count++];
    h->name = copy;
    read_vector(json_object_get(entry, "point"), h->point);
    read_vector(json_object_get(entry, "normal"), h->normal);
    return PLI_OK;
}

static pli_status take_card(pli_replay* r, const json_t* root, pli_error* error) {
    const char* title = json_string_value(json_object_get(root, "title"));
    if (json_is_integer(json_object_get(root, "dimension")))
        r->dimension = json_integer_value(json_object_get(root, "dimension")) == 2 ? 2 : 3;
    read_vector(json_object_get(root, "gravity"), r->gravity);
    PLI_TRY(pli_copy_text(&r->memory, title ? title : "", &r->title, error));
    size_t i;
    json_t* entry;
    json_array_foreach(json_object_get(root, "half_spaces"), i, entry)
        PLI_TRY(read_half_space(r, entry, error));
    return PLI_OK;
}

static pli_status read_card(pli_replay* r, pli_error* error) {
    char path[4200];
    char* text = NULL;
    size_t size = 0;
    pli_format(path, sizeof path, "%s/run.json", r->result.folder);
    json_t* root = NULL;
    if (access(path, F_OK) == 0) {
        PLI_TRY(pli_read_file(&r->memory, path, CARD_LIMIT, &text, &size, error));
        root = json_loadb(text, size - 1, 0, NULL); // it was right for the result
        PLI_FREE(&r->memory, text, size);
    }
    pli_status status = take_card(r, root, error);
    json_decref(root);
    return status;
}

// Without run.json: in the plane all z are 0.
static void guess_dimension(pli_replay* r) {
    const pli_result_frame* frame = &r->frames[r->shown];
    r->dimension = 2;
    for (int v = 0; v < frame->vertex_count; ++v)
        if (frame->positions[3 * v + 2] != 0) r->dimension = 3;
}

// ---- opening

static pli_status open_folder(pli_replay* r, const char* folder, pli_error* error) {
    PLI_TRY(pli_result_open(&r->result, &r->memory, folder, error));
    PLI_TRY(pli_replay_read(r, 0, error));
    guess_dimension(r);
    return read_card(r, error);
}

pli_status pli_replay_open(const char* folder, const pli_allocator* allocator, pli_replay** out,
                           pli_error* error) {
    pli_error unused = {0};
    if (!error) error = &unused;
    if (!out || !folder) return pli_fail(error, PLI_E_ARGUMENT, "replay: folder or result is NULL");
    pli_memory memory;
    pli_memory_init(&memory, allocator);
    pli_replay* r;
    PLI_TRY(PLI_ALLOC(&memory, r, 1, error));
    r->memory = memory;
    pli_status status = open_folder(r, folder, error);
    if (status != PLI_OK) {
        pli_replay_close(r);
        return status;
    }
    *out = r;
    return PLI_OK;
}

void pli_replay_close(pli_replay* r) {
    if (!r) return;
    for (int i = 0; i < r->half_space_count; ++i) {
        char* name = (char*)(uintptr_t)r->half_spaces[i].name;
        pli_free_text(&r->memory, &name);
    }
    PLI_FREE(&r->memory, r->half_spaces, r->half_space_room);
    pli_result_values_free(&r->field);
    if (r->title) pli_free_text(&r->memory, &r->title);
    for (int i = 0; i < 2; ++i) pli_result_frame_free(&r->frames[i]);
    pli_result_close(&r->result);
    pli_memory last = r->memory;
    PLI_FREE(&last, r, 1);
}

// ---- what it is

const char* pli_replay_title(const pli_replay* r) { return r->title; }
int pli_replay_dimension(const pli_replay* r) { return r->dimension; }
void pli_replay_gravity(const pli_replay* r, double gravity[3]) {
    memcpy(gravity, r->gravity, sizeof r->gravity);
}
int pli_replay_vertex_count(const pli_replay* r) { return r->result.vertex_count; }
int pli_replay_body_count(const pli_replay* r) { return r->result.body_count; }

pli_replay_body pli_replay_body_at(const pli_replay* r, int i) {
    if (i < 0 || i >= r->result.body_count) return (pli_replay_body){0};
    const pli_result_body* b = &r->result.bodies[i];
    return (pli_replay_body){.name = b->name,
                             .first_vertex = b->first_vertex,
                             .end_vertex = b->first_vertex + b->all_vertices,
                             .obstacle = b->obstacle,
                             .thickness = b->thickness,
                             .triangle_count = b->triangle_count,
                             .segment_count = b->segment_count};
}

// Numbers of the body's shown vertices become those of the world.
static void translate(const pli_result_body* body, int count, const int32_t* list, uint32_t* out) {
    for (int i = 0; i < count; ++i) out[i] = (uint32_t)body->vertices[list[i]];
}

void pli_replay_triangles(const pli_replay* r, int body, uint32_t* out) {
    const pli_result_body* b = &r->result.bodies[body];
    translate(b, 3 * b->triangle_count, b->triangles, out);
}

void pli_replay_segments(const pli_replay* r, int body, uint32_t* out) {
    const pli_result_body* b = &r->result.bodies[body];
    translate(b, 2 * b->segment_count, b->segments, out);
}

int pli_replay_half_space_count(const pli_replay* r) { return r->half_space_count; }

pli_replay_half_space pli_replay_half_space_at(const pli_replay* r, int i) {
    return i >= 0 && i < r->half_space_count ? r->half_spaces[i] : (pli_replay_half_space){0};
}

// ---- frames

int pli_replay_frame_count(pli_replay* r) {
    char path[4200], name[PLI_FRAME_NAME_SIZE];
    for (;; r->result.frame_count++) {
        pli_format(path, sizeof path, "%s/%s", r->result.folder,
                   pli_frame_name(r->result.frame_count, name));
        if (access(path, F_OK) != 0) return r->result.frame_count;
    }
}

pli_status pli_replay_read(pli_replay* r, int frame, pli_error* error) {
    int other = 1 - r->shown;
    PLI_TRY(pli_result_read(&r->result, frame, PLI_POSITIONS, &r->frames[other], error));
    r->shown = other;
    r->number = frame;
    return PLI_OK;
}

double pli_replay_time(const pli_replay* r) { return r->frames[r->shown].time; }
const double* pli_replay_positions(const pli_replay* r) { return r->frames[r->shown].positions; }

// ---- fields

const double* pli_replay_field(pli_replay* r, const char* name, int* components) {
    pli_error error = {0};
    if (pli_result_read_values(&r->field, &r->result, r->number, name, &error) != PLI_OK)
        return NULL;
    *components = r->field.components;
    return r->field.values;
}
