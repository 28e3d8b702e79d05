// Checkpoints of a run's folder: writing one, and truncating the folder to one.
#include "record/recorder.h"

#include <stdlib.h>
#include <string.h>

#include "result/pvd.h"
#include "result/result.h"

// ---- writing

// Of a picture its time and half-spaces are stored; the vertices are in the frame.
static size_t picture_head(const pli_preview* preview) {
    size_t numbers = 2 * (size_t)preview->dim * (size_t)preview->half_space_count;
    return sizeof(double) + numbers * sizeof(float);
}

static pli_row_state row_of(const pli_sampler* thin, size_t head) {
    return (pli_row_state){.head = head,
                           .step = thin->record_size,
                           .count = thin->count,
                           .stride = thin->stride,
                           .seen = thin->seen,
                           .bytes = thin->records};
}

pli_status pli_recorder_checkpoint(pli_recorder* recorder, pli_scene* scene, pli_error* error) {
    PLI_TRY(pli_recorder_check_open(recorder, error));
    pli_recorder* r = recorder;
    if (!scene || pli_scene_world(scene) != r->world)
        return pli_fail(error, PLI_E_ARGUMENT, "recorder: the scene must be the one of its world");
    pli_write_job* job;
    PLI_TRY(pli_recorder_begin(r, &job, error)); // may discard frames
    pli_record_state state = {.step = pli_world_step_count(r->world),
                              .time = pli_world_time(r->world),
                              .frame_count = r->frame_count,
                              .times = r->times,
                              .stats_size = r->kept_size,
                              .has_preview = r->has_preview};
    if (r->has_preview) {
        const pli_preview* preview = &r->preview;
        memcpy(state.origin, preview->origin, sizeof state.origin);
        state.samples = row_of(&preview->samples, preview->samples.record_size);
        state.pictures = row_of(&preview->pictures, picture_head(preview));
    }
    job->kind = PLI_WRITE_CHECKPOINT;
    pli_format(job->name, sizeof job->name, "%s", PLI_CHECKPOINT_NAME);
    job->bytes.size = 0;
    job->bytes.status = PLI_OK;
    PLI_TRY(pli_checkpoint_pack(&state, scene, &job->bytes, error));
    return pli_writer_submit(r->writer, error);
}

// ---- resuming

// Names of temporary files of the recorder.
static bool is_unfinished(const void* context, const char* name) {
    (void)context;
    size_t length = strlen(name);
    return pli_recorder_owns(name) && length > 4 && strcmp(name + length - 4, ".tmp") == 0;
}

// Frames and contacts from number *end on; after a power cut some of them may be missing.
static bool is_behind(const void* context, const char* name) {
    const int* end = context;
    size_t length = pli_frame_name_length(name);
    return length > 0 && name[length] == 0 && atof(strchr(name, '_') + 1) >= *end;
}

// Frames before the checkpoint must be there.
static pli_status find_frames(pli_recorder* r, pli_error* error) {
    char name[PLI_FRAME_NAME_SIZE];
    for (int i = 0; i < r->frame_count; ++i) {
        if (!pli_file_is_there(r->folder, pli_frame_name(i, name)))
            return pli_fail(error, PLI_E_IO, "%.300s: %s is missing; the checkpoint needs it",
                            r->folder, name);
        r->touches[i] = pli_recorder_has_contacts(r->folder, i);
    }
    return PLI_OK;
}

// A run ends with a frame of its last step, which may be newer than the checkpoint. If no step
// follows it stays: it has forces that a restored world does not have.
static pli_status keep_frame(pli_recorder* r, pli_result* result, pli_error* error) {
    pli_result_frame frame = {0};
    int next = r->frame_count;
    pli_status status = pli_result_read(result, next, PLI_POSITIONS, &frame, error);
    if (status == PLI_OK && frame.time == pli_world_time(r->world)) {
        r->kept_frame = next;
        r->kept_step = pli_world_step_count(r->world);
    }
    pli_result_frame_free(&frame);
    return status == PLI_E_MEMORY ? status : PLI_OK;
}

// Whether the world has the bodies of the result's epoch. The world's count of changes restarts in
// a new process.
static bool has_bodies(const pli_result* result, const pli_snapshot* s) {
    bool same = result->body_count == s->body_count && result->vertex_count == s->vertex_count;
    for (int b = 0; same && b < s->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        same = strcmp(body->name, s->body_names[b]) == 0 &&
               (body->all_vertices == 0 || s->vertex_body[body->first_vertex] == b);
    }
    return same;
}

static bool has_ground(const pli_result* result, const pli_snapshot* s) {
    bool same = result->half_space_count == s->half_space_count;
    for (int i = 0; same && i < s->half_space_count; ++i) {
        const pli_result_half_space* h = &result->half_spaces[i];
        size_t fixed = h->carrier < 0 ? 0 : 3; // the point moves with its carrier
        same = strcmp(h->name, s->half_space_names[i]) == 0 &&
               h->carrier == s->half_space_carriers[i] &&
               memcmp(h->plane + fixed, s->half_spaces + 6 * (size_t)i + fixed,
                      (6 - fixed) * sizeof *h->plane) == 0;
    }
    return same;
}

// The epoch of the last frame that is kept goes on, if the world has its bodies. Otherwise the next
// frame begins a new epoch. *later: run.json lists epochs behind it.
static pli_status enter_epoch(pli_recorder* r, pli_result* result, bool* later, pli_error* error) {
    pli_result_frame frame = {0};
    int last = r->frame_count - (r->kept_step < 0);
    pli_status status =
        last < 0 ? PLI_OK : pli_result_read(result, last, PLI_POSITIONS, &frame, error);
    pli_result_frame_free(&frame);
    PLI_TRY(status);
    r->snapshot.epoch = result->epoch;
    r->epoch_is_open = has_bodies(result, &r->snapshot);
    *later = pli_run_info_epoch_count(result->info) > result->epoch + 1;
    return PLI_OK;
}

// Those that begin with frame `end` or later; there is always one.
static pli_status drop_epochs(pli_recorder* r, int end, pli_error* error) {
    int number;
    pli_run_epoch none = {.first_frame = end > 0 ? end : 1};
    return pli_run_info_add_epoch(&r->memory, r->folder, &none, &number, error);
}

// Frames behind the checkpoint go. Those to come may name half-spaces that the scene did not have
// when run.json was written.
static pli_status cut_frames(pli_recorder* r, pli_error* error) {
    pli_result result = {0};
    bool later = false;
    pli_snapshot_read_state(&r->snapshot);
    pli_status status = pli_result_open(&result, &r->memory, r->folder, error);
    if (status == PLI_OK) status = keep_frame(r, &result, error);
    if (status == PLI_OK) status = enter_epoch(r, &result, &later, error);
    bool same = has_ground(&result, &r->snapshot);
    pli_result_close(&result);
    PLI_TRY(status);
    int end = r->frame_count + (r->kept_step >= 0);
    PLI_TRY(pli_remove_files(r->folder, is_unfinished, NULL, error));
    PLI_TRY(pli_remove_files(r->folder, is_behind, &end, error));
    if (later && r->epoch_is_open) PLI_TRY(drop_epochs(r, end, error));
    if (same || !r->epoch_is_open) return PLI_OK;
    if (r->snapshot.epoch > 0) {
        r->epoch_is_open = false;
        return PLI_OK;
    }
    PLI_TRY(pli_run_info_write(&r->snapshot, r->title, r->camera, r->folder, error));
    return pli_folder_settle(r->folder, error);
}

// Restores the records of a row; *fits is false if the sampler has other records.
static pli_status take_row(pli_sampler* thin, const pli_row_state* row, bool* fits,
                           pli_error* error) {
    *fits = row->step == thin->record_size && row->count <= thin->limit && row->count > 0;
    if (!*fits) return PLI_OK;
    PLI_TRY(pli_grow(thin->memory, &thin->records, thin->record_size, &thin->capacity, row->count,
                     error));
    thin->stride = row->stride;
    thin->seen = row->seen;
    for (int i = 0; i < row->count; ++i)
        memcpy(thin->records + (size_t)i * thin->record_size,
               (const char*)row->bytes + (size_t)i * row->head, row->head);
    thin->count = row->count;
    return PLI_OK;
}

// The frame from which record i of a row was made: see sampler.h.
static int64_t frame_of(const pli_row_state* row, int i) {
    return i == row->count - 1 ? row->seen - 1 : i * row->stride;
}

// The vertices of the pictures, from their frames.
static pli_status read_pictures(pli_recorder* r, const pli_row_state* row, pli_error* error) {
    pli_result result = {0};
    pli_result_frame frame = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_result_open(&result, &r->memory, r->folder, error));
    int64_t first = r->frame_count > row->seen ? r->frame_count - row->seen : 0; // of an epoch
    for (int i = 0; i < row->count; ++i) {
        int64_t number = first + frame_of(row, i);
        bool valid = number >= 0 && number < r->frame_count;
        if (valid)
            PLI_TRY_CLEANUP(status,
                            pli_result_read(&result, (int)number, PLI_POSITIONS, &frame, error));
        if (!valid || result.vertex_count != r->preview.vertex_count)
            PLI_TRY_CLEANUP(status,
                            pli_fail(error, PLI_E_SCENE,
                                     "the pictures of the checkpoint do not belong to this run"));
        pli_preview_set_vertices(&r->preview, i, frame.positions);
    }
cleanup:
    pli_result_frame_free(&frame);
    pli_result_close(&result);
    return status;
}

// A preview with another number of pictures starts empty.
static pli_status restore_preview(pli_recorder* r, const pli_record_state* from, pli_error* error) {
    bool fits;
    pli_preview* preview = &r->preview;
    if (!r->has_preview || !from->has_preview) return PLI_OK;
    PLI_TRY(take_row(&preview->samples, &from->samples, &fits, error));
    if (from->pictures.head != picture_head(preview)) return PLI_OK;
    PLI_TRY(take_row(&preview->pictures, &from->pictures, &fits, error));
    if (!fits) return PLI_OK;
    memcpy(preview->origin, from->origin, sizeof preview->origin);
    return read_pictures(r, &from->pictures, error);
}

pli_status pli_recorder_continue(pli_recorder* r, const pli_checkpoint* checkpoint,
                                 pli_error* error) {
    const pli_record_state* from = pli_checkpoint_record(checkpoint);
    if (from->step != pli_world_step_count(r->world))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "recorder: the world is not in the state of the checkpoint: call "
                        "pli_checkpoint_restore first");
    if (pli_checkpoint_is_replaced(checkpoint, r->folder))
        return pli_fail(error, PLI_E_IO,
                        "%.300s: another run has continued there since the checkpoint was read: "
                        "read it again",
                        r->folder);
    PLI_TRY(PLI_GROW(&r->memory, r->times, r->time_capacity, from->frame_count, error));
    PLI_TRY(PLI_GROW(&r->memory, r->touches, r->touch_capacity, from->frame_count, error));
    for (int i = 0; i < from->frame_count; ++i) r->times[i] = from->times[i];
    r->frame_count = r->first_count = from->frame_count;
    r->kept_size = from->stats_size;
    PLI_TRY(find_frames(r, error));
    PLI_TRY(cut_frames(r, error));
    PLI_TRY(pli_file_continue(&r->stats, r->folder, PLI_STATS_NAME, from->stats_size, error));
    PLI_TRY(restore_preview(r, from, error));
    bool was;
    PLI_TRY(pli_file_remove(r->folder, PLI_CHECKPOINT_NEXT, &was, error));
    PLI_TRY(pli_pvd_write(r->times, r->frame_count, r->touches, r->folder, &r->memory, error));
    r->listed_count = r->frame_count;
    return PLI_OK;
}
