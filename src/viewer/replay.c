// A result folder that is replayed: frames instead of steps. A run still in progress is followed.
#define _POSIX_C_SOURCE 200809L // fdopen, getc_unlocked
#include <jansson.h>

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "viewer/frame.h"
#include "viewer/scene.h"

// How long to wait for new frames at the end of an unfinished run [s].
static const double patience = 3;

// Maximum length of a line of stats.jsonl in bytes.
enum { LINE_LIMIT = 64 << 20 };

typedef struct replay {
    const pli_allocator* allocator;
    pli_replay* result;
    int frame;          // shown
    double waits_since; // waiting for the next frame since [s]; 0: not waiting
    int field_count;    // of the folder
    pli_field_info fields[PLI_VIEW_FIELDS];
    // stats.jsonl, as far as read
    FILE* stats;
    char* line;
    size_t line_room;
    int step;           // of the last record
    pli_step_info last; // the last record; step 0: none yet
    char remedy[256];   // of that record
    bool has_next;      // a record that is not due yet
    pli_view_stats next;
    int energy_count;
    char energies[PLI_VIEW_ENERGIES][64]; // their names, from the first record
} replay;

// ---- records of steps

static double number_of(const json_t* root, const char* key) {
    const json_t* value = json_object_get(root, key);
    return json_is_number(value) ? json_number_value(value) : HUGE_VAL;
}

static int integer_of(const json_t* root, const char* key) {
    double value = number_of(root, key);
    return value > -2e9 && value < 2e9 ? (int)value : 0;
}

static pli_reason reason_of(const char* text) {
    for (int i = PLI_CONVERGED; text && i <= PLI_ROUNDING; ++i)
        if (strcmp(pli_reason_text((pli_reason)i), text) == 0) return (pli_reason)i;
    return PLI_CONVERGED;
}

static void read_seconds(const json_t* from, pli_phase_times* to) {
    const struct {
        const char* key;
        double* value;
    } rows[] = {{"gradient", &to->gradient},   {"hessian", &to->hessian},
                {"assembly", &to->assembly},   {"symbolic", &to->symbolic},
                {"numeric", &to->numeric},     {"solve", &to->solve},
                {"collision", &to->collision}, {"line_search", &to->line_search},
                {"total", &to->total}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        *rows[i].value = number_of(from, rows[i].key);
}

static void read_energies(replay* r, json_t* from, pli_view_stats* stats) {
    const char* name;
    json_t* value;
    bool first = r->energy_count == 0;
    json_object_foreach(from, name, value) {
        if (first && r->energy_count < PLI_VIEW_ENERGIES)
            snprintf(r->energies[r->energy_count++], sizeof *r->energies, "%s", name);
    }
    stats->energy_count = r->energy_count;
    for (int i = 0; i < r->energy_count; ++i) stats->energies[i] = number_of(from, r->energies[i]);
}

// The folder is untrusted: opening a pipe would block, and a line may have no end.
static FILE* open_stats(const char* folder) {
    char path[4096 + 16];
    struct stat info;
    int n = snprintf(path, sizeof path, "%s/stats.jsonl", folder);
    if (n <= 0 || n >= (int)sizeof path) return NULL;
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    bool plain = fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode);
    FILE* file = plain ? fdopen(descriptor, "r") : NULL;
    if (!file) close(descriptor);
    return file;
}

static bool grow_line(replay* r) {
    pli_budget* budget = r->allocator->budget;
    size_t more = r->line_room > 0 ? r->line_room : 4096;
    if (r->line_room + more > LINE_LIMIT || (budget && !pli_budget_take(budget, more)))
        return false;
    char* line = realloc(r->line, r->line_room + more);
    if (line) {
        r->line = line;
        r->line_room += more;
    } else if (budget) {
        pli_budget_give(budget, more);
    }
    return line != NULL;
}

static void end_stats(replay* r) {
    if (r->stats) fclose(r->stats);
    r->stats = NULL;
    free(r->line);
    r->line = NULL;
    if (r->allocator->budget) pli_budget_give(r->allocator->budget, r->line_room);
    r->line_room = 0;
}

// The length of the next line including its end; 0: none yet. A line longer than the buffer ends
// the file.
static size_t read_line(replay* r) {
    size_t length = 0;
    for (int c; (c = getc_unlocked(r->stats)) != EOF;) {
        if (length == r->line_room && !grow_line(r)) {
            end_stats(r);
            return 0;
        }
        r->line[length++] = (char)c;
        if (c == '\n') return length;
    }
    return 0;
}

// The next line of stats.jsonl that is an object; NULL: none yet. Other lines, of a file that was
// damaged or truncated while it was read, are skipped.
static json_t* read_object(replay* r) {
    while (r->stats) {
        long at = ftell(r->stats);
        clearerr(r->stats);
        size_t length = read_line(r);
        if (length == 0) { // the end, or an incomplete line
            if (r->stats && at >= 0) fseek(r->stats, at, SEEK_SET);
            return NULL;
        }
        json_t* root = json_loadb(r->line, length, 0, NULL);
        if (json_is_object(root)) return root;
        json_decref(root);
    }
    return NULL;
}

// Reads the next record into r->next; false: none yet.
static bool read_record(replay* r) {
    json_t* root = read_object(r);
    if (!root) return false;
    r->next = (pli_view_stats){.total = number_of(root, "total")};
    pli_step_info* info = &r->next.info;
    info->step = integer_of(root, "step");
    info->time = number_of(root, "time");
    info->time_step = number_of(root, "time_step");
    info->substeps = integer_of(root, "substeps");
    info->iterations = integer_of(root, "iterations");
    info->residual = number_of(root, "residual");
    info->reason = reason_of(json_string_value(json_object_get(root, "reason")));
    info->contact_count = integer_of(root, "contact_count");
    info->min_distance = number_of(root, "min_distance");
    info->blocked = integer_of(root, "blocked");
    info->kept = !json_is_false(json_object_get(root, "kept"));
    info->worst_vertex = json_is_integer(json_object_get(root, "worst_vertex"))
                             ? integer_of(root, "worst_vertex")
                             : -1;
    const char* remedy = json_string_value(json_object_get(root, "remedy"));
    pli_printable(remedy ? remedy : "", r->remedy, sizeof r->remedy);
    read_seconds(json_object_get(root, "seconds"), &info->seconds);
    read_energies(r, json_object_get(root, "energies"), &r->next);
    json_decref(root);
    return true;
}

// Whether a record is due at the current frame. Times were written with all digits.
static bool next_is_due(replay* r) {
    if (!r->has_next) r->has_next = read_record(r);
    double now = pli_replay_time(r->result);
    return r->has_next && r->next.info.time <= now + 1e-9 * fabs(now);
}

static bool stats_of(void* self, pli_view_stats* stats) {
    replay* r = self;
    if (!next_is_due(r)) return false;
    *stats = r->next;
    r->step = r->next.info.step;
    r->last = r->next.info;
    r->has_next = false;
    return true;
}

// After seeking back the records are read again.
static void rewind_records(replay* r) {
    if (r->stats) rewind(r->stats);
    r->has_next = false;
    r->last = (pli_step_info){0};
    r->step = 0;
}

// ---- playing

static bool go_to(replay* r, int frame, char why[PLI_VIEW_WHY_SIZE]) {
    pli_error error = {0};
    int last = pli_replay_frame_count(r->result) - 1;
    if (frame > last) frame = last;
    if (pli_replay_read(r->result, frame, &error) != PLI_OK) {
        pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
        return false;
    }
    if (frame < r->frame) rewind_records(r);
    r->frame = frame;
    return true;
}

// A run that ended with a failed step; r->remedy belongs to the last record.
static pli_view_stop failure(const replay* r) {
    pli_step_info info = r->last;
    info.remedy = r->remedy;
    pli_view_stop stop = pli_view_failure(&info, "");
    pli_view_where* where = &stop.where;
    if (info.worst_vertex < 0 || info.worst_vertex >= pli_replay_vertex_count(r->result))
        return stop;
    where->vertex = info.worst_vertex;
    where->vertices[where->vertex_count++] = (uint32_t)info.worst_vertex;
    memcpy(where->point, pli_replay_positions(r->result) + 3 * (size_t)info.worst_vertex,
           sizeof where->point);
    for (int b = 0; b < pli_replay_body_count(r->result); ++b) {
        pli_replay_body body = pli_replay_body_at(r->result, b);
        if (info.worst_vertex >= body.first_vertex && info.worst_vertex < body.end_vertex)
            snprintf(where->body, sizeof where->body, "%s", body.name);
    }
    return stop;
}

// At the last frame it waits for more for a while, then it ends.
static pli_view_outcome wait(replay* r, pli_view_stop* stop) {
    double now = pli_view_seconds();
    if (r->waits_since == 0) r->waits_since = now;
    if (now - r->waits_since < patience) return PLI_VIEW_WAITING;
    r->waits_since = 0;
    bool failed = r->last.step > 0 && !r->last.kept && !r->has_next;
    *stop = failed ? failure(r) : pli_view_end();
    return PLI_VIEW_STOPPED;
}

static pli_view_outcome advance(void* self, pli_view_stop* stop) {
    replay* r = self;
    char why[PLI_VIEW_WHY_SIZE];
    if (r->frame + 1 >= pli_replay_frame_count(r->result)) return wait(r, stop);
    r->waits_since = 0;
    if (go_to(r, r->frame + 1, why)) return PLI_VIEW_WENT_ON;
    *stop = (pli_view_stop){.where.vertex = -1};
    snprintf(stop->reason, sizeof stop->reason, "a frame cannot be read");
    snprintf(stop->message, sizeof stop->message, "%s", why);
    return PLI_VIEW_STOPPED;
}

static bool handle(void* self, const pli_view_request* request, char why[PLI_VIEW_WHY_SIZE]) {
    replay* r = self;
    r->waits_since = 0;
    if (request->kind == PLI_VIEW_RESTART) return go_to(r, 0, why);
    if (request->kind == PLI_VIEW_SEEK) return go_to(r, request->frame, why);
    if (request->kind == PLI_VIEW_RELEASE) return true;
    snprintf(why, PLI_VIEW_WHY_SIZE, "a replayed result cannot be changed");
    return false;
}

static bool is_over(void* self) {
    (void)self; // the run may still be in progress
    return false;
}

// ---- publishing

static void status_of(void* self, pli_view_status* status) {
    replay* r = self;
    status->frame = r->frame;
    status->frames = pli_replay_frame_count(r->result);
    status->step = r->step;
    status->time = pli_replay_time(r->result);
    status->grabbed = -1;
}

static bool fill_contacts(pli_replay* result, pli_view_frame* out) {
    pli_replay_contacts from = pli_replay_contacts_now(result);
    float* to = pli_view_frame_contacts(out, from.count);
    for (int c = 0; to && c < out->contact_count; ++c, to += PLI_VIEW_CONTACT_NUMBERS) {
        for (int i = 0; i < 6; ++i) to[i] = (float)from.points[6 * c + i];
        to[6] = (float)from.forces[c];
        to[7] = to[8] = NAN; // frames do not name the bodies
    }
    return to != NULL;
}

static const double* fill(void* self, pli_view_want want, pli_view_frame* out) {
    replay* r = self;
    size_t count = (size_t)pli_replay_vertex_count(r->result);
    out->step = (uint32_t)(r->stats ? r->step : r->frame);
    out->time = pli_replay_time(r->result);
    out->has = (pli_view_want){0};
    for (int i = 0; i < r->field_count; ++i) {
        int components = 0;
        if (!(want.fields >> i & 1u) || !out->fields[i]) continue;
        const double* from = pli_replay_field(r->result, r->fields[i].array, &components);
        if (!from || components != r->fields[i].components) continue;
        for (size_t k = 0; k < count * (size_t)components; ++k) out->fields[i][k] = (float)from[k];
        out->has.fields |= 1u << i;
    }
    out->has.contacts = want.contacts && fill_contacts(r->result, out);
    return pli_replay_positions(r->result);
}

static pli_view_model* model_of(void* self, uint32_t generation) {
    replay* r = self;
    pli_view_model* model = calloc(1, sizeof *model);
    if (!model) return NULL;
    model->generation = generation;
    model->field_count = r->field_count;
    for (int i = 0; i < r->field_count; ++i) {
        const pli_field_info* f = &r->fields[i];
        model->fields[i] = (pli_view_field){f->key, f->label, f->unit, f->components};
    }
    const char* names[PLI_VIEW_ENERGIES];
    for (int i = 0; i < r->energy_count; ++i) names[i] = r->energies[i];
    if (pli_view_describe_result(model, r->result, names, r->energy_count)) return model;
    pli_view_model_destroy(model);
    return NULL;
}

static uint64_t epoch_of(void* self) { return (uint64_t)pli_replay_epoch(((replay*)self)->result); }

static void destroy(void* self) {
    replay* r = self;
    pli_replay_close(r->result);
    end_stats(r);
    free(r);
}

static const pli_view_source_ops ops = {.mode = PLI_VIEW_REPLAY,
                                        .advance = advance,
                                        .stats = stats_of,
                                        .handle = handle,
                                        .status = status_of,
                                        .fill = fill,
                                        .is_over = is_over,
                                        .model = model_of,
                                        .epoch = epoch_of,
                                        .destroy = destroy};

// The fields of the frames; names of energies from the first record.
static void look_around(replay* r, const char* folder) {
    for (pli_field_info field; r->field_count < PLI_VIEW_FIELDS; ++r->field_count) {
        field = pli_replay_field_at(r->result, r->field_count);
        if (!field.key) break;
        r->fields[r->field_count] = field;
    }
    r->stats = open_stats(folder);
    r->has_next = read_record(r);
}

bool pli_view_replay_open(const pli_allocator* allocator, const char* folder,
                          pli_view_source* source, char why[PLI_VIEW_WHY_SIZE]) {
    replay* r = calloc(1, sizeof *r);
    pli_error error = {0};
    if (!r) {
        snprintf(why, PLI_VIEW_WHY_SIZE, "out of memory");
        return false;
    }
    r->allocator = allocator;
    if (pli_replay_open(folder, allocator, &r->result, &error) != PLI_OK) {
        pli_printable(error.message, why, PLI_VIEW_WHY_SIZE);
        free(r);
        return false;
    }
    look_around(r, folder);
    *source = (pli_view_source){.ops = &ops, .self = r, .rate = 30};
    return true;
}
