// Replay: the reader of results (result.h) as public interface. Fields and contacts are read on
// request.
#define _POSIX_C_SOURCE 200809L // access
#include "pliant/replay.h"

#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "result/pvd.h"
#include "result/result.h"
#include "result/result_frame.h"

struct pli_replay {
    pli_memory memory;
    pli_result result;
    pli_result_frame frames[2]; // the current one, and a spare
    int shown, number;          // index of the current one, and its frame number
    pli_result_values field;    // last one read
    double* contacts;           // likewise
    size_t contact_size;
    double* node_values; // likewise
    int32_t* node_numbers;
    int node_room, node_number_room;
};

// ---- opening

static pli_status open_folder(pli_replay* r, const char* folder, pli_error* error) {
    PLI_TRY(pli_result_open(&r->result, &r->memory, folder, error));
    return pli_replay_read(r, 0, error);
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
    pli_result_values_free(&r->field);
    PLI_FREE(&r->memory, r->contacts, r->contact_size);
    PLI_FREE(&r->memory, r->node_values, r->node_room);
    PLI_FREE(&r->memory, r->node_numbers, r->node_number_room);
    for (int i = 0; i < 2; ++i) pli_result_frame_free(&r->frames[i]);
    pli_result_close(&r->result);
    pli_memory last = r->memory;
    PLI_FREE(&last, r, 1);
}

// ---- the run

const char* pli_replay_title(const pli_replay* r) { return r ? r->result.title : ""; }
const char* pli_replay_camera(const pli_replay* r) { return r ? r->result.camera : ""; }
int pli_replay_dimension(const pli_replay* r) { return r ? r->result.dimension : 0; }
void pli_replay_gravity(const pli_replay* r, double gravity[3]) {
    for (int c = 0; gravity && c < 3; ++c) gravity[c] = r ? r->result.gravity[c] : 0;
}
int pli_replay_epoch(const pli_replay* r) { return r ? r->result.epoch : 0; }
int pli_replay_vertex_count(const pli_replay* r) { return r ? r->result.vertex_count : 0; }
int pli_replay_body_count(const pli_replay* r) { return r ? r->result.body_count : 0; }

static bool has_body(const pli_replay* r, int i) { return r && i >= 0 && i < r->result.body_count; }

pli_replay_body pli_replay_body_at(const pli_replay* r, int i) {
    if (!has_body(r, i)) return (pli_replay_body){0};
    const pli_result_body* b = &r->result.bodies[i];
    return (pli_replay_body){.name = b->name,
                             .first_vertex = b->first_vertex,
                             .end_vertex = b->first_vertex + b->all_vertices,
                             .obstacle = b->obstacle,
                             .thickness = b->thickness,
                             .triangle_count = b->cage ? 0 : b->triangle_count,
                             .segment_count = b->segment_count};
}

double pli_replay_body_radius(const pli_replay* r, int i) {
    return has_body(r, i) ? r->result.bodies[i].radius : 0;
}

// Converts indices of the body's shown vertices to those of the world.
static void translate(const pli_result_body* body, int count, const int32_t* list, int32_t* out) {
    for (int i = 0; i < count; ++i) out[i] = body->vertices[list[i]];
}

void pli_replay_triangles(const pli_replay* r, int body, int32_t* out) {
    if (!has_body(r, body)) return;
    const pli_result_body* b = &r->result.bodies[body];
    if (!b->cage) translate(b, 3 * b->triangle_count, b->triangles, out);
}

void pli_replay_segments(const pli_replay* r, int body, int32_t* out) {
    if (!has_body(r, body)) return;
    const pli_result_body* b = &r->result.bodies[body];
    translate(b, 2 * b->segment_count, b->segments, out);
}

int pli_replay_half_space_count(const pli_replay* r) { return r ? r->result.half_space_count : 0; }

pli_replay_half_space pli_replay_half_space_at(const pli_replay* r, int i) {
    if (!r || i < 0 || i >= r->result.half_space_count) return (pli_replay_half_space){0};
    const pli_result_half_space* h = &r->result.half_spaces[i];
    pli_replay_half_space out = {.name = h->name};
    double plane[6];
    pli_result_plane(&r->result, i, pli_replay_positions(r), plane);
    memcpy(out.point, plane, sizeof out.point);
    memcpy(out.normal, plane + 3, sizeof out.normal);
    return out;
}

int pli_replay_half_space_carrier(const pli_replay* r, int i) {
    return r && i >= 0 && i < r->result.half_space_count ? r->result.half_spaces[i].carrier : -1;
}

// ---- frames

int pli_replay_frame_count(pli_replay* r) {
    char path[4200], name[PLI_FRAME_NAME_SIZE];
    if (!r) return 0;
    for (;; r->result.frame_count++) {
        pli_format(path, sizeof path, "%s/%s", r->result.folder,
                   pli_frame_name(r->result.frame_count, name));
        if (access(path, F_OK) != 0) return r->result.frame_count;
    }
}

pli_status pli_replay_read(pli_replay* r, int frame, pli_error* error) {
    if (!r) return pli_fail(error, PLI_E_ARGUMENT, "replay is NULL");
    int other = 1 - r->shown;
    PLI_TRY(pli_result_read(&r->result, frame, PLI_POSITIONS, &r->frames[other], error));
    r->shown = other;
    r->number = frame;
    return PLI_OK;
}

double pli_replay_time(const pli_replay* r) { return r ? r->frames[r->shown].time : 0; }
const double* pli_replay_positions(const pli_replay* r) {
    return r ? r->frames[r->shown].positions : NULL;
}

// ---- fields

const double* pli_replay_field(pli_replay* r, const char* name, int* components) {
    pli_error error = {0};
    if (!r || !name || !components) return NULL;
    if (pli_result_read_values(&r->field, &r->result, r->number, name, &error) != PLI_OK)
        return NULL;
    *components = r->field.components;
    return r->field.values;
}

pli_field_info pli_replay_field_at(const pli_replay* r, int i) {
    for (int k = 0; r && i >= 0 && k < r->result.shown_count; ++k)
        if (pli_result_has_field(&r->result, k) && i-- == 0) return r->result.shown[k];
    return (pli_field_info){0};
}

// ---- nodes

enum { NODE_NUMBERS = 2 + PLI_NODE_VERTICES }; // body, tag, vertices

static pli_status read_nodes(pli_replay* r, const pli_frame_file* file, pli_replay_nodes* nodes,
                             pli_error* error) {
    static const struct {
        const char* name;
        int first, width;
    } rows[] = {{"node_body", 0, 1}, {"node_tag", 1, 1}, {"node_vertices", 2, PLI_NODE_VERTICES}};
    const pli_vtu_array* count = pli_frame_find(file, PLI_FRAME_FIELDS, "PliantNodes");
    const pli_vtu_array* values = pli_frame_find(file, PLI_FRAME_FIELDS, "node_value");
    int32_t n = 0;
    if (!count || !values) return PLI_OK;
    PLI_TRY(pli_frame_integers(file, count, 1, &n));
    if (n <= 0 || n > INT32_MAX / NODE_NUMBERS || values->components != 1)
        return pli_fail(error, PLI_E_SCENE, "%s holds no nodes", file->path);
    PLI_TRY(PLI_GROW(&r->memory, r->node_values, r->node_room, n, error));
    PLI_TRY(PLI_GROW(&r->memory, r->node_numbers, r->node_number_room, NODE_NUMBERS * n, error));
    PLI_TRY(pli_frame_reals(file, values, n, r->node_values));
    for (int i = 0; i < 3; ++i) {
        const pli_vtu_array* array = pli_frame_find(file, PLI_FRAME_FIELDS, rows[i].name);
        if (!array || array->components != rows[i].width)
            return pli_fail(error, PLI_E_SCENE, "%s: \"%s\" is missing", file->path, rows[i].name);
        PLI_TRY(pli_frame_integers(file, array, (int64_t)rows[i].width * n,
                                   r->node_numbers + (size_t)rows[i].first * (size_t)n));
    }
    *nodes = (pli_replay_nodes){.count = n,
                                .values = r->node_values,
                                .bodies = r->node_numbers,
                                .tags = (const uint32_t*)(r->node_numbers + n),
                                .vertices = r->node_numbers + 2 * (size_t)n};
    return PLI_OK;
}

pli_replay_nodes pli_replay_nodes_now(pli_replay* r) {
    pli_replay_nodes nodes = {0}, none = {0};
    pli_frame_file file;
    pli_error error = {0};
    if (!r || pli_frame_open(&file, &r->memory, r->result.folder, r->number, &error) != PLI_OK)
        return none;
    pli_status status = read_nodes(r, &file, &nodes, &error);
    pli_frame_close(&file);
    return status == PLI_OK ? nodes : none;
}

// ---- contacts

// Points are the ends of lines, line after line; the forces of the lines follow.
static pli_status read_contacts(pli_replay* r, const pli_frame_file* file, pli_error* error) {
    const pli_vtu_array* ends = pli_frame_find(file, PLI_FRAME_POINTS, "Points");
    const pli_vtu_array* forces = pli_frame_find(file, PLI_FRAME_CELL_DATA, "normal_force");
    int64_t count = file->cell_count;
    if (!ends || !forces || ends->components != 3 || forces->components != 1 ||
        file->point_count != 2 * count)
        return pli_fail(error, PLI_E_SCENE, "%s holds no contacts", file->path);
    PLI_FREE(&r->memory, r->contacts, r->contact_size);
    r->contact_size = 0;
    PLI_TRY(PLI_ALLOC(&r->memory, r->contacts, 7 * (size_t)count, error));
    r->contact_size = 7 * (size_t)count;
    PLI_TRY(pli_frame_reals(file, ends, 6 * count, r->contacts));
    return pli_frame_reals(file, forces, count, r->contacts + 6 * count);
}

pli_replay_contacts pli_replay_contacts_now(pli_replay* r) {
    char name[PLI_FRAME_NAME_SIZE];
    pli_frame_file file;
    pli_error error = {0};
    pli_replay_contacts none = {0};
    if (!r) return none;
    pli_contacts_name(r->number, name);
    if (pli_frame_open_file(&file, &r->memory, r->result.folder, name, &error) != PLI_OK)
        return none;
    int count = file.cell_count;
    pli_status status = count > 0 ? read_contacts(r, &file, &error) : PLI_OK;
    pli_frame_close(&file);
    if (status != PLI_OK || count == 0) return none;
    return (pli_replay_contacts){count, r->contacts, r->contacts + 6 * (size_t)count};
}
