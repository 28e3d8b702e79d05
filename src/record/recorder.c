// The recorder: one folder per run.
#include "record/recorder.h"

#include "base/def.h"
#include "result/pvd.h"
#include "result/result.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

void pli_recorder_def_init(pli_recorder_def* out) {
    const pli_recorder_def def = {
        .folder = "out", .preview_frames = 6, .fields = PLI_FRAME_DEFAULT_FIELDS};
    PLI_GIVE_DEF(def, out);
}

// The length of a frame's name (the head, six digits or more, ".vtu") at the start of `name`, or 0.
static size_t length_behind(const char* name, const char* head) {
    static const char tail[] = ".vtu";
    size_t start = strlen(head);
    if (strncmp(name, head, start) != 0) return 0;
    size_t digits = strspn(name + start, "0123456789"), end = start + digits;
    bool ends = strncmp(name + end, tail, sizeof tail - 1) == 0;
    return digits >= 6 && ends ? end + sizeof tail - 1 : 0;
}

size_t pli_frame_name_length(const char* name) {
    size_t length = length_behind(name, "frame_");
    return length > 0 ? length : length_behind(name, "contacts_");
}

bool pli_recorder_owns(const char* name) {
    static const char* const names[] = {"run.pvd",          "run.json",    "stats.jsonl",
                                        "preview.svg",      "report.html", PLI_CHECKPOINT_NAME,
                                        PLI_CHECKPOINT_NEXT};
    size_t length = pli_frame_name_length(name);
    for (size_t i = 0; length == 0 && i < sizeof names / sizeof *names; ++i)
        if (strncmp(name, names[i], strlen(names[i])) == 0) length = strlen(names[i]);
    return length > 0 && (name[length] == 0 || strcmp(name + length, ".tmp") == 0);
}

bool pli_recorder_has_contacts(const char* folder, int frame) {
    char name[PLI_FRAME_NAME_SIZE];
    return pli_file_is_there(folder, pli_contacts_name(frame, name));
}

static bool is_ours(const void* context, const char* name) {
    (void)context;
    return pli_recorder_owns(name);
}

static pli_vtu_choice choice_of(const pli_recorder_def* def) {
    return (pli_vtu_choice){
        .fields = def->fields, .exact = def->double_precision, .small = def->compress};
}

static pli_status set_shot(pli_recorder* r, pli_error* error) {
    json_error_t wrong;
    pli_shot shot;
    json_t* json = json_loads(r->camera, JSON_REJECT_DUPLICATES, &wrong);
    if (!json)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: camera is not JSON: %s", wrong.text);
    pli_status status = pli_shot_read(json, &shot, error);
    json_decref(json);
    if (status == PLI_OK) pli_preview_set_shot(&r->preview, &r->snapshot, &shot);
    return status;
}

static pli_status fill(pli_recorder* r, const pli_recorder_def* def, const pli_world* world,
                       pli_error* error) {
    pli_memory* memory = &r->memory;
    r->world = world;
    r->fields = def->fields;
    r->topology = pli_world_topology_epoch(world);
    r->epoch_is_open = true;
    pli_pvd_init(&r->pvd, memory);
    PLI_TRY(pli_copy_text(memory, def->folder, &r->folder, error));
    if (def->title) PLI_TRY(pli_copy_text(memory, def->title, &r->title, error));
    if (def->camera && *def->camera) PLI_TRY(pli_copy_text(memory, def->camera, &r->camera, error));
    pli_vtu_choice choice = choice_of(def);
    PLI_TRY(pli_snapshot_init(&r->snapshot, memory, world, def->fields, error));
    PLI_TRY(pli_vtu_create(memory, &choice, &r->snapshot, &r->vtu, error));
    r->has_preview = def->preview_frames > 0;
    if (r->has_preview)
        pli_preview_init(&r->preview, memory, &r->snapshot,
                         pli_min_int(def->preview_frames, PLI_PREVIEW_MAX_FRAMES));
    r->preview.single = !def->double_precision;
    if (r->has_preview && r->camera) PLI_TRY(set_shot(r, error));
    PLI_TRY(pli_make_folder(r->folder, error));
    PLI_TRY(pli_folder_hold(r->folder, &r->held, error));
    int slots = pli_writer_slots(pli_vtu_frame_size(r->vtu, &r->snapshot));
    PLI_TRY(pli_writer_create(memory, r->folder, r->vtu, slots, &r->writer, error));
    if (def->resume) return pli_recorder_continue(r, def->resume, error);
    PLI_TRY(pli_remove_files(r->folder, is_ours, NULL, error));
    PLI_TRY(pli_run_info_write(&r->snapshot, r->title, r->camera, r->folder, error));
    return pli_stats_open(&r->stats, r->folder, error);
}

// Copies the def of the caller to *def and completes it.
static pli_status take_def(const pli_recorder_def* given, const pli_world* world,
                           pli_recorder_def* def, pli_error* error) {
    PLI_TRY(PLI_TAKE_DEF(recorder, given, def, error));
    if (!world) return pli_fail(error, PLI_E_ARGUMENT, "recorder: world is NULL");
    if (!def->folder || !*def->folder)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: folder is empty, must be a path");
    if (def->preview_frames < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: preview_frames = %d, must be >= 0",
                        def->preview_frames);
    if (def->fields > PLI_FRAME_ALL_FIELDS)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: fields = %#x, must be bits of %#x",
                        (unsigned)def->fields, (unsigned)PLI_FRAME_ALL_FIELDS);
    if (!pli_world_reactions(world))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "recorder: the world is not prepared: call pli_world_prepare first");
    return PLI_OK;
}

pli_status pli_recorder_create(const pli_recorder_def* def, const pli_world* world,
                               pli_recorder** recorder, pli_error* error) {
    if (!recorder) return pli_fail(error, PLI_E_ARGUMENT, "recorder: the result is NULL");
    pli_recorder_def own;
    PLI_TRY(take_def(def, world, &own, error));
    pli_memory memory;
    pli_memory_init(&memory, own.allocator);
    pli_recorder* fresh;
    PLI_TRY(PLI_ALLOC(&memory, fresh, 1, error));
    fresh->memory = memory;
    fresh->stats.descriptor = fresh->held = fresh->kept_step = -1;
    pli_status status = fill(fresh, &own, world, error);
    if (status != PLI_OK) {
        pli_recorder_destroy(fresh);
        return status;
    }
    *recorder = fresh;
    return PLI_OK;
}

// Snapshot, encoder and one frame are built and counted: each slot of the writer will hold a frame,
// and the encoder another. Pictures and contacts take about 150 bytes per vertex more; drawing the
// film strip in space, at the end, takes 75 bytes per pixel of the largest picture (strip.c), plus
// the memory of zlib.
pli_status pli_recorder_predict_memory(const pli_recorder_def* def, const pli_world* world,
                                       size_t* bytes, pli_error* error) {
    pli_recorder_def own;
    PLI_TRY(take_def(def, world, &own, error));
    if (!bytes) return pli_fail(error, PLI_E_ARGUMENT, "recorder: the result is NULL");
    pli_memory memory;
    pli_memory_init(&memory, own.allocator);
    pli_snapshot snapshot = {0};
    pli_vtu* vtu = NULL;
    pli_vtu_state state = {0};
    pli_vtu_choice choice = choice_of(&own);
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_snapshot_init(&snapshot, &memory, world, own.fields, error));
    PLI_TRY_CLEANUP(status, pli_vtu_create(&memory, &choice, &snapshot, &vtu, error));
    PLI_TRY_CLEANUP(status, pli_vtu_gather(vtu, &snapshot, &state, error));
    int slots = pli_writer_slots(pli_vtu_frame_size(vtu, &snapshot));
    *bytes = memory.peak + (size_t)slots * state.capacity + 150 * (size_t)snapshot.vertex_count;
    if (own.preview_frames > 0 && snapshot.dimension == 3)
        *bytes += own.preview_frames < 4 ? 39500000 : 11500000;
cleanup:
    if (vtu) pli_vtu_state_free(vtu, &state);
    pli_vtu_destroy(vtu);
    pli_snapshot_free(&snapshot);
    return status;
}

// ---- worlds that change

// After bodies, vertices or elements of the world have changed: everything derived from them is
// rebuilt. The epoch is written with its first frame.
static pli_status follow_world(pli_recorder* r, pli_error* error) {
    uint64_t topology = pli_world_topology_epoch(r->world);
    pli_snapshot fresh = {0};
    if (topology == r->topology) return PLI_OK;
    PLI_TRY(pli_recorder_wait(r, error)); // the writer uses r->vtu
    PLI_TRY(pli_snapshot_init(&fresh, &r->memory, r->world, r->fields, error));
    fresh.epoch = r->snapshot.epoch;
    pli_status status = pli_vtu_change(r->vtu, &fresh, error);
    if (status != PLI_OK) {
        pli_snapshot_free(&fresh);
        return status;
    }
    if (r->has_preview) pli_preview_change(&r->preview, &fresh);
    pli_snapshot_free(&r->snapshot);
    r->snapshot = fresh;
    r->topology = topology;
    r->epoch_is_open = false;
    return PLI_OK;
}

// run.json lists the epoch before a frame refers to it.
static pli_status open_epoch(pli_recorder* r, pli_error* error) {
    if (r->epoch_is_open) return PLI_OK;
    pli_run_epoch epoch = {&r->snapshot, r->frame_count, pli_world_step_count(r->world)};
    PLI_TRY(pli_run_info_add_epoch(&r->memory, r->folder, &epoch, &r->snapshot.epoch, error));
    r->epoch_is_open = true;
    return PLI_OK;
}

// Energies of the current state, once per state.
static pli_status sample_energies(pli_recorder* r, pli_error* error) {
    pli_snapshot_read_energies(&r->snapshot);
    if (!r->has_preview) return PLI_OK;
    const pli_sampler* samples = &r->preview.samples;
    bool again = samples->count > 0 &&
                 pli_preview_sample(&r->preview, samples->count - 1)[0] == r->snapshot.time;
    return again ? PLI_OK : pli_preview_add_sample(&r->preview, &r->snapshot, error);
}

static pli_status check_unfinished(const pli_recorder* recorder, pli_error* error) {
    if (!recorder) return pli_fail(error, PLI_E_ARGUMENT, "recorder is NULL");
    if (!recorder->finished) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "recorder: it is finished and cannot record any more: create a new one");
}

pli_status pli_recorder_check_open(const pli_recorder* recorder, pli_error* error) {
    PLI_TRY(check_unfinished(recorder, error));
    if (!pli_world_reactions(recorder->world))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "recorder: its world has failed and cannot be recorded");
    return PLI_OK;
}

// After a failure, files that were queued later are dropped.
static pli_status drop_lost(pli_recorder* r, pli_status status) {
    if (status == PLI_OK) return PLI_OK;
    r->frame_count =
        pli_min_int(r->frame_count, r->first_count + pli_writer_frame_count(r->writer));
    r->listed_count = pli_min_int(r->listed_count, r->frame_count);
    pli_pvd_forget(&r->pvd);
    return status;
}

pli_status pli_recorder_begin(pli_recorder* r, pli_write_job** job, pli_error* error) {
    return drop_lost(r, pli_writer_begin(r->writer, job, error));
}

static pli_status submit(pli_recorder* r, pli_error* error) {
    return drop_lost(r, pli_writer_submit(r->writer, error));
}

pli_status pli_recorder_wait(pli_recorder* recorder, pli_error* error) {
    if (!recorder) return pli_fail(error, PLI_E_ARGUMENT, "recorder is NULL");
    return drop_lost(recorder, pli_writer_wait(recorder->writer, error));
}

// run.pvd with the first `count` frames. It is rewritten after every 10 % of growth, so the cost
// per frame does not depend on the number of frames.
static pli_status list_frames(pli_recorder* r, int count, pli_error* error) {
    pli_write_job* job;
    PLI_TRY(pli_recorder_begin(r, &job, error));
    job->kind = PLI_WRITE_BYTES;
    pli_format(job->name, sizeof job->name, "%s", PLI_PVD_NAME);
    PLI_TRY(pli_pvd_pack(&r->pvd, r->times, count, r->touches, &job->bytes, error));
    PLI_TRY(submit(r, error));
    r->listed_count = count;
    return PLI_OK;
}

// The files of the next frame.
static pli_status write_files(pli_recorder* r, bool touches, pli_error* error) {
    pli_write_job* job;
    if (touches) {
        PLI_TRY(pli_recorder_begin(r, &job, error));
        job->kind = PLI_WRITE_CONTACTS;
        pli_contacts_name(r->frame_count, job->name);
        PLI_TRY(pli_vtu_gather_contacts(r->vtu, &r->snapshot, &job->state, error));
        PLI_TRY(submit(r, error));
    }
    PLI_TRY(pli_recorder_begin(r, &job, error));
    job->kind = PLI_WRITE_FRAME;
    pli_frame_name(r->frame_count, job->name);
    PLI_TRY(pli_vtu_gather(r->vtu, &r->snapshot, &job->state, error));
    return submit(r, error);
}

pli_status pli_recorder_frame(pli_recorder* recorder, pli_error* error) {
    PLI_TRY(pli_recorder_check_open(recorder, error));
    pli_recorder* r = recorder;
    PLI_TRY(follow_world(r, error));
    PLI_TRY(open_epoch(r, error));
    PLI_TRY(PLI_GROW(&r->memory, r->times, r->time_capacity, r->frame_count + 1, error));
    PLI_TRY(PLI_GROW(&r->memory, r->touches, r->touch_capacity, r->frame_count + 1, error));
    pli_snapshot_read_state(&r->snapshot);
    bool kept = r->frame_count == r->kept_frame && pli_world_step_count(r->world) == r->kept_step;
    bool touches = r->snapshot.contact_forces && r->snapshot.contact_count > 0;
    if (kept)
        r->first_count++;
    else
        PLI_TRY(write_files(r, touches, error));
    r->times[r->frame_count] = r->snapshot.time;
    r->touches[r->frame_count] =
        kept ? pli_recorder_has_contacts(r->folder, r->frame_count) : touches;
    int count = ++r->frame_count, fresh = count - r->listed_count;
    if (fresh >= r->listed_count / 10) PLI_TRY(list_frames(r, count, error));
    if (!r->has_preview) return PLI_OK;
    PLI_TRY(sample_energies(r, error));
    return pli_preview_add_picture(&r->preview, &r->snapshot, error);
}

pli_status pli_recorder_step(pli_recorder* recorder, const pli_step_info* info, pli_error* error) {
    PLI_TRY(pli_recorder_check_open(recorder, error));
    if (!info) return pli_fail(error, PLI_E_ARGUMENT, "recorder: info is NULL");
    PLI_TRY(follow_world(recorder, error));
    PLI_TRY(sample_energies(recorder, error));
    PLI_TRY(pli_stats_write(&recorder->stats, info, pli_reason_text(info->reason),
                            &recorder->snapshot, error));
    if (info->kept) recorder->kept_size = recorder->stats.size;
    return PLI_OK;
}

double pli_recorder_time(const pli_recorder* recorder) {
    return recorder && recorder->frame_count > 0 ? recorder->times[recorder->frame_count - 1]
                                                 : -HUGE_VAL;
}

static pli_status write_preview(pli_recorder* r, pli_error* error) {
    PLI_TRY(follow_world(r, error));
    pli_snapshot_read_state(&r->snapshot);
    return pli_preview_write(&r->preview, &r->snapshot, r->title, r->folder, error);
}

pli_status pli_recorder_finish(pli_recorder* recorder, pli_error* error) {
    PLI_TRY(check_unfinished(recorder, error));
    pli_recorder* r = recorder;
    r->finished = true;
    // Each file is written even if another one fails; the first failure is reported.
    pli_status first = pli_recorder_wait(r, error), status;
    if (r->listed_count < r->frame_count || first != PLI_OK) {
        status = list_frames(r, r->frame_count, first == PLI_OK ? error : NULL);
        if (first == PLI_OK) first = status;
    }
    status = pli_file_commit(&r->stats, first == PLI_OK ? error : NULL);
    if (first == PLI_OK) first = status;
    if (r->has_preview && pli_world_reactions(r->world)) { // of a world that has not failed
        status = write_preview(r, first == PLI_OK ? error : NULL);
        if (first == PLI_OK) first = status;
    }
    status = pli_recorder_wait(r, first == PLI_OK ? error : NULL);
    return first == PLI_OK ? status : first;
}

// ---- existing results

static bool count_file(const void* context, const char* name) {
    pli_recorded* found = (pli_recorded*)(uintptr_t)context;
    size_t length = pli_frame_name_length(name);
    if (!pli_recorder_owns(name)) return false;
    found->frame_count += length > 0 && name[0] == 'f' && name[length] == 0;
    found->checkpoint |= strcmp(name, PLI_CHECKPOINT_NAME) == 0;
    return true;
}

pli_status pli_recorder_look(const char* folder, pli_recorded* found, pli_error* error) {
    if (!folder || !found)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: folder or the result is NULL");
    *found = (pli_recorded){0};
    if (!pli_file_is_there(folder, "")) return PLI_OK;
    return pli_count_files(folder, count_file, found, &found->file_count, &found->bytes, error);
}

void pli_recorder_destroy(pli_recorder* recorder) {
    if (!recorder) return;
    pli_recorder* r = recorder;
    pli_writer_destroy(r->writer); // before another recorder may use the folder
    pli_file_abandon(&r->stats);
    if (r->held >= 0) close(r->held);
    if (r->has_preview) pli_preview_free(&r->preview);
    pli_vtu_destroy(r->vtu);
    pli_snapshot_free(&r->snapshot);
    PLI_FREE(&r->memory, r->times, r->time_capacity);
    PLI_FREE(&r->memory, r->touches, r->touch_capacity);
    pli_pvd_free(&r->pvd);
    pli_free_text(&r->memory, &r->title);
    pli_free_text(&r->memory, &r->camera);
    pli_free_text(&r->memory, &r->folder);
    pli_memory memory = r->memory; // outlives r
    PLI_FREE(&memory, r, 1);
}
