// The viewer's page with an embedded run (web/README.md): opens in a browser, without a server.
// Positions are 16-bit integers w in the box around the shown vertices,
//     x = origin + quantum w,    quantum = (high - origin) / 65535,
// so the error is at most half a quantum. Each group of frames has a separate box and begins with a
// self-contained frame; in the others w is the difference to the previous frame, modulo 2^16. A
// group is read twice, first for its box, so that only one frame is in memory.
#include <math.h>
#include <string.h>

#include "export/export_html.h"
#include "pliant/replay.h"
#include "result/stats_reader.h"

enum { GROUP = 32, LEVELS = 65535, ENERGIES = 32, NAME_SIZE = 64, FRAME_HEAD = 24 };

static const char place_holder[] = "<!--recording-->";

typedef struct writer {
    pli_export_job* job;
    pli_recording out;
    pli_replay* replay; // for the contents of run.json
    pli_result_frame frame;
    pli_html_fields* fields;
    int vertex_count;     // shown vertices of all bodies
    uint16_t* whole;      // of the previous frame
    unsigned char* bytes; // of the current one, 6 per vertex
    double low[3], high[3];
    float origin[3], quantum[3];
    int read_count; // frames, each counted twice
    // stats.jsonl
    bool has_lines;
    pli_stats_reader lines;
    json_t* record; // not due yet; NULL: no more
    int step;       // of the last record that was due
    int energy_count;
    char energies[ENERGIES][NAME_SIZE]; // from the first record
} writer;

// ---- records of steps

static pli_status open_records(writer* w, pli_error* error) {
    pli_export_job* job = w->job;
    pli_error unused = {0};
    w->has_lines =
        pli_stats_reader_open(&w->lines, job->memory, job->def->folder, &unused) == PLI_OK;
    if (!w->has_lines) return PLI_OK;
    PLI_TRY(pli_stats_reader_record(&w->lines, &w->record, error));
    const char* name;
    json_t* value;
    json_object_foreach(json_object_get(w->record, "energies"), name, value) {
        if (w->energy_count < ENERGIES)
            pli_format(w->energies[w->energy_count++], NAME_SIZE, "%s", name);
    }
    return PLI_OK;
}

// A number of a record; null if missing.
static json_t* member(const json_t* record, const char* key) {
    json_t* value = json_object_get(record, key);
    return value ? json_incref(value) : json_null();
}

static json_t* stats_of(const writer* w) {
    const json_t* r = w->record;
    json_t* energies = json_array();
    for (int i = 0; i < w->energy_count; ++i)
        json_array_append_new(energies, member(json_object_get(r, "energies"), w->energies[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
                     "type", "stats", "step", member(r, "step"), "time", member(r, "time"),
                     "time_step", member(r, "time_step"), "substeps", member(r, "substeps"),
                     "iterations", member(r, "iterations"), "residual", member(r, "residual"),
                     "reason", member(r, "reason"), "contacts", member(r, "contact_count"),
                     "min_distance", member(r, "min_distance"), "blocked", member(r, "blocked"),
                     "seconds", member(r, "seconds"), "energies", energies, "total",
                     member(r, "total"));
}

// Records up to the time of a frame; times were written with all digits.
static pli_status write_records(writer* w, double time, pli_error* error) {
    while (w->record) {
        if (json_number_value(json_object_get(w->record, "time")) > time + 1e-9 * fabs(time))
            return PLI_OK;
        w->step = (int)json_integer_value(json_object_get(w->record, "step"));
        pli_status status = pli_recording_json(&w->out, stats_of(w), error);
        json_decref(w->record);
        w->record = NULL;
        PLI_TRY(status);
        PLI_TRY(pli_stats_reader_record(&w->lines, &w->record, error));
    }
    return PLI_OK;
}

// ---- the scene

static json_t* vector(const double v[3]) { return json_pack("[f, f, f]", v[0], v[1], v[2]); }

static json_t* bodies_of(const pli_result* result) {
    json_t* list = json_array();
    int vertex = 0, triangle = 0, segment = 0;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        json_array_append_new(
            list, json_pack("{s:s, s:[i, i], s:[i, i], s:[i, i], s:b, s:f, s:f}", "name",
                            body->name, "vertices", vertex, vertex + body->vertex_count,
                            "triangles", triangle, triangle + body->triangle_count, "segments",
                            segment, segment + body->segment_count, "obstacle", (int)body->obstacle,
                            "thickness", body->thickness, "radius", body->radius));
        vertex += body->vertex_count;
        triangle += body->triangle_count;
        segment += body->segment_count;
    }
    return list;
}

// The index of a world vertex on the page, -1 if it is not shown.
static int number_on_page(const pli_result* result, int vertex) {
    int first = 0;
    for (int b = 0; b < result->body_count; first += result->bodies[b++].vertex_count)
        for (int i = 0; i < result->bodies[b].vertex_count; ++i)
            if (result->bodies[b].vertices[i] == vertex) return first + i;
    return -1;
}

// A half-space whose carrier is not shown stands still.
static json_t* half_spaces_of(const pli_replay* replay, const pli_result* result) {
    json_t* list = json_array();
    for (int i = 0; i < pli_replay_half_space_count(replay); ++i) {
        pli_replay_half_space h = pli_replay_half_space_at(replay, i);
        json_t* entry = json_pack("{s:s, s:o, s:o}", "name", h.name, "point", vector(h.point),
                                  "normal", vector(h.normal));
        int carrier = number_on_page(result, pli_replay_half_space_carrier(replay, i));
        if (carrier >= 0) json_object_set_new(entry, "carrier", json_integer(carrier));
        json_array_append_new(list, entry);
    }
    return list;
}

static json_t* camera_of(const pli_result* result) {
    const json_t* camera = json_object_get(result->info, "camera");
    return camera ? json_deep_copy(camera) : json_null();
}

static pli_status write_scene(writer* w, pli_error* error) {
    double gravity[3];
    json_t* energies = json_array();
    for (int i = 0; i < w->energy_count; ++i)
        json_array_append_new(energies, json_string(w->energies[i]));
    pli_replay_gravity(w->replay, gravity);
    PLI_TRY(pli_recording_json(&w->out,
                               json_pack("{s:s, s:i, s:s, s:b, s:s}", "type", "hello", "version", 1,
                                         "mode", "replay", "gallery", 0, "pliant", pli_version()),
                               error));
    return pli_recording_json(
        &w->out,
        json_pack("{s:s, s:s, s:s, s:i, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:[], s:o, s:[o, o], s:o}",
                  "type", "scene", "name", pli_replay_title(w->replay), "description", "",
                  "dimension", pli_replay_dimension(w->replay), "gravity", vector(gravity),
                  "time_step", 0, "steps", 0, "duration", 0, "bodies", bodies_of(w->job->result),
                  "half_spaces", half_spaces_of(w->replay, w->job->result), "fields",
                  pli_html_fields_list(w->fields), "parameters", "energies", energies, "box",
                  vector(w->low), vector(w->high), "camera", camera_of(w->job->result)),
        error);
}

// The vertices of the page are the shown ones, body by body.
static void write_topology(writer* w) {
    const pli_result* result = w->job->result;
    pli_export_counts all = pli_export_count(w->job);
    pli_recording_binary(&w->out,
                         &(pli_recording_header){.kind = PLI_RECORDED_TOPOLOGY,
                                                 .count = (uint32_t)all.triangles,
                                                 .extra = (uint32_t)all.segments},
                         (size_t)(12 * all.triangles + 8 * all.segments));
    int first = 0;
    for (int b = 0; b < result->body_count; first += result->bodies[b++].vertex_count)
        for (int i = 0; i < 3 * result->bodies[b].triangle_count; ++i)
            pli_recording_word(&w->out, (uint32_t)(first + result->bodies[b].triangles[i]));
    first = 0;
    for (int b = 0; b < result->body_count; first += result->bodies[b++].vertex_count)
        for (int i = 0; i < 2 * result->bodies[b].segment_count; ++i)
            pli_recording_word(&w->out, (uint32_t)(first + result->bodies[b].segments[i]));
}

// ---- frames

static pli_status read_frame(writer* w, int i, pli_error* error) {
    PLI_TRY(pli_export_frame(w->job, i, PLI_POSITIONS, &w->frame, error));
    pli_export_go_on(w->job, (double)++w->read_count / (2.0 * w->job->frame_count));
    return PLI_OK;
}

// The box around frames [first, end).
static pli_status find_box(writer* w, int first, int end, pli_error* error) {
    const pli_result* result = w->job->result;
    for (int c = 0; c < 3; ++c) {
        w->low[c] = HUGE_VAL;
        w->high[c] = -HUGE_VAL;
    }
    for (int i = first; i < end && !w->job->info->cancelled; ++i) {
        PLI_TRY(read_frame(w, i, error));
        for (int b = 0; b < result->body_count; ++b)
            for (int k = 0; k < 3 * result->bodies[b].vertex_count; ++k) {
                double x = w->frame.positions[3 * result->bodies[b].vertices[k / 3] + k % 3];
                w->low[k % 3] = fmin(w->low[k % 3], x);
                w->high[k % 3] = fmax(w->high[k % 3], x);
            }
    }
    for (int c = 0; c < 3; ++c) {
        if (!(w->low[c] <= w->high[c])) w->low[c] = w->high[c] = 0; // nothing is shown
        w->origin[c] = (float)w->low[c];
        w->quantum[c] = (float)((w->high[c] - (double)w->origin[c]) / LEVELS);
    }
    return PLI_OK;
}

static uint16_t round_to_level(const writer* w, double x, int c) {
    double quantum = (double)w->quantum[c];
    double level = quantum > 0 ? round((x - (double)w->origin[c]) / quantum) : 0;
    return (uint16_t)(level < 0 ? 0 : level > LEVELS ? LEVELS : level);
}

// Low bytes of all numbers, then high bytes.
static void fill_bytes(writer* w, bool alone) {
    const pli_result* result = w->job->result;
    size_t at = 0, half = 3 * (size_t)w->vertex_count;
    for (int b = 0; b < result->body_count; ++b)
        for (int k = 0; k < 3 * result->bodies[b].vertex_count; ++k, ++at) {
            double x = w->frame.positions[3 * result->bodies[b].vertices[k / 3] + k % 3];
            uint16_t level = round_to_level(w, x, k % 3);
            unsigned told = (alone ? level : level - (unsigned)w->whole[at]) & 0xFFFFu;
            w->bytes[at] = (unsigned char)(told & 255u);
            w->bytes[half + at] = (unsigned char)(told >> 8);
            w->whole[at] = level;
        }
}

static pli_status write_frame(writer* w, int i, bool alone, pli_error* error) {
    PLI_TRY(read_frame(w, i, error));
    PLI_TRY(write_records(w, w->frame.time, error));
    size_t size = 6 * (size_t)w->vertex_count;
    fill_bytes(w, alone);
    pli_recording_binary(&w->out,
                         &(pli_recording_header){.kind = PLI_RECORDED_FRAME,
                                                 .flags = !alone,
                                                 .step = (uint32_t)(w->has_lines ? w->step : i),
                                                 .time = w->frame.time,
                                                 .count = (uint32_t)w->vertex_count},
                         FRAME_HEAD + size);
    for (int c = 0; c < 3; ++c) pli_recording_float(&w->out, w->origin[c]);
    for (int c = 0; c < 3; ++c) pli_recording_float(&w->out, w->quantum[c]);
    pli_recording_bytes(&w->out, w->bytes, size);
    return pli_html_fields_write(w->fields, &w->out, i, alone, error);
}

static pli_status write_group(writer* w, int first, pli_error* error) {
    int end = pli_min_int(first + GROUP, w->job->frame_count);
    PLI_TRY(find_box(w, first, end, error));
    if (first == 0) {
        PLI_TRY(write_scene(w, error));
        write_topology(w);
    }
    for (int i = first; i < end && !w->job->info->cancelled; ++i)
        PLI_TRY(write_frame(w, i, i == first, error));
    return PLI_OK;
}

static pli_status write_recording(writer* w, pli_error* error) {
    pli_export_job* job = w->job;
    size_t count = 3 * (size_t)w->vertex_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_html_fields_create(job, &w->fields, error));
    PLI_TRY_CLEANUP(status, open_records(w, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, w->whole, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, w->bytes, 2 * count, error));
    for (int i = 0; i < job->frame_count && !job->info->cancelled; i += GROUP)
        PLI_TRY_CLEANUP(status, write_group(w, i, error));
cleanup:
    if (w->whole) PLI_FREE(job->memory, w->whole, count);
    if (w->bytes) PLI_FREE(job->memory, w->bytes, 2 * count);
    if (w->has_lines) pli_stats_reader_close(&w->lines);
    json_decref(w->record);
    pli_result_frame_free(&w->frame);
    pli_html_fields_destroy(w->fields);
    return status;
}

// ---- the page

// The compressed page is followed by the 4 bytes of its size.
static size_t page_size(void) {
    size_t packed, size = 0;
    const unsigned char* page = pli_viewer_page(&packed);
    for (size_t i = 1; i <= 4; ++i) size = size << 8 | page[packed - i];
    return size;
}

static pli_status unpack_page(char* text, size_t size, pli_memory* memory, pli_error* error) {
    const int gzip = 16, window = 15;
    z_stream stream = {0};
    size_t packed;
    const void* page = pli_viewer_page(&packed);
    pli_zlib_use(&stream, memory);
    int result = inflateInit2(&stream, window + gzip);
    stream.next_in = (z_const Bytef*)page;
    stream.avail_in = (uInt)packed;
    stream.next_out = (Bytef*)text;
    stream.avail_out = (uInt)size;
    if (result == Z_OK) {
        result = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    PLI_ASSERT(result == Z_STREAM_END || result == Z_MEM_ERROR);
    return result == Z_STREAM_END ? PLI_OK
                                  : pli_fail(error, PLI_E_MEMORY, "out of memory: the page");
}

static pli_status write_page(writer* w, pli_file* file, const char* page, pli_error* error) {
    const char* place = strstr(page, place_holder);
    PLI_ASSERT(place);
    pli_file_write(file, page, (size_t)(place - page));
    pli_file_text(file, "<script id=\"recording\" type=\"text/plain\">");
    PLI_TRY(pli_recording_begin(&w->out, w->job->memory, file, error));
    pli_status status = write_recording(w, error);
    pli_recording_end(&w->out);
    pli_file_text(file, "</script>");
    pli_file_text(file, place + sizeof place_holder - 1);
    return status;
}

pli_status pli_export_html(pli_export_job* job, pli_error* error) {
    writer* w = NULL;
    pli_file* file = NULL;
    char* page = NULL;
    size_t size = page_size();
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, w, 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, file, 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(job->memory, page, size + 1, error));
    PLI_TRY_CLEANUP(status, unpack_page(page, size, job->memory, error));
    w->job = job;
    w->vertex_count = (int)pli_export_count(job).vertices;
    PLI_TRY_CLEANUP(status,
                    pli_replay_open(job->def->folder, job->def->allocator, &w->replay, error));
    PLI_TRY_CLEANUP(status, pli_file_create(file, "", job->info->path, error));
    status = pli_export_commit(job, file, write_page(w, file, page, error), error);
cleanup:
    if (w) pli_replay_close(w->replay);
    if (page) PLI_FREE(job->memory, page, size + 1);
    if (file) PLI_FREE(job->memory, file, 1);
    if (w) PLI_FREE(job->memory, w, 1);
    return status;
}

// gzip reduces the 6 bytes per vertex and frame by half or more, the 2 bytes per number of a field
// more; base64 makes 4 bytes of 3.
int64_t pli_export_html_size(const pli_export_job* job) {
    pli_export_counts all = pli_export_count(job);
    return (int64_t)page_size() +
           (4 + pli_html_fields_width(job)) * all.vertices * job->frame_count + 12 * all.triangles;
}
