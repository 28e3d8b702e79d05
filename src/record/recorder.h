// The recorder, shared by recording (recorder.c) and resuming (resume.c).
#ifndef PLI_RECORD_RECORDER_H
#define PLI_RECORD_RECORDER_H

#include "base/file.h"
#include "base/pack.h"
#include "base/sampler.h"
#include "pliant/checkpoint.h"
#include "pliant/record.h"
#include "record/vtu.h"
#include "record/writer.h"
#include "render/preview.h"
#include "result/snapshot.h"

struct pli_recorder {
    pli_memory memory;
    const pli_world* world;
    char* folder;
    char* title;     // NULL: none
    char* camera;    // JSON, NULL: none
    uint32_t fields; // of frames, bits of pli_frame_field
    pli_snapshot snapshot;
    uint64_t topology;  // pli_world_topology_epoch of the snapshot
    bool epoch_is_open; // run.json lists the epoch of the snapshot
    pli_vtu* vtu;
    pli_writer* writer;
    int held;      // lock of the folder, which no other recorder may write to; -1: not yet
    double* times; // of the frames [s]
    bool* touches; // which of them have a file of contacts
    int frame_count, time_capacity, touch_capacity; // frames recorded or pending
    int first_count;                                // frames of an earlier run that is resumed
    int listed_count;                               // frames in run.pvd
    pli_pvd pvd;
    int kept_step;  // step of the files of frame `kept_frame`; -1: none is kept
    int kept_frame; // from the previous run
    bool finished;
    pli_file stats;
    int64_t kept_size; // of stats.jsonl up to the last kept step
    bool has_preview;
    pli_preview preview;
};

// PLI_E_ARGUMENT if it is NULL or finished.
pli_status pli_recorder_check_open(const pli_recorder* recorder, pli_error* error);

// The next job of the writer. A failure of an earlier one is reported here; then only complete
// frames count.
pli_status pli_recorder_begin(pli_recorder* recorder, pli_write_job** job, pli_error* error);

// The length of the name of a frame or its contacts at the start of `name`, 0: none.
size_t pli_frame_name_length(const char* name);
// Whether a file of that name was written by a run, temporary files included.
bool pli_recorder_owns(const char* name);

// Whether there is a file of contacts beside this frame.
bool pli_recorder_has_contacts(const char* folder, int frame);

// Truncates the folder to a checkpoint and restores the recorder.
pli_status pli_recorder_continue(pli_recorder* recorder, const pli_checkpoint* checkpoint,
                                 pli_error* error);

// ---- stats.jsonl: a JSON object per step

#define PLI_STATS_NAME "stats.jsonl"

// Empties folder/stats.jsonl. `file` must stay open between steps.
pli_status pli_stats_open(pli_file* file, const char* folder, pli_error* error);
// Writes one line: all fields of `info` (reason as `reason_text`), the energies of the snapshot,
// their total, the supports, and the contacts by bodies if anything can touch. A line that could
// not be written completely is removed.
pli_status pli_stats_write(pli_file* file, const pli_step_info* info, const char* reason_text,
                           const pli_snapshot* snapshot, pli_error* error);

// ---- checkpoint.pli

#define PLI_CHECKPOINT_NAME "checkpoint.pli"
#define PLI_CHECKPOINT_NEXT "checkpoint.next" // of earlier versions: never read, removed

// A row of sampled records (sampler.h), or the first bytes of each.
typedef struct pli_row_state {
    size_t head; // bytes of each record that are stored
    size_t step; // bytes of each record in memory
    int count;
    int64_t stride, seen;
    const void* bytes; // written: `step` from record to record; read: `head`
} pli_row_state;

// State from which the recorder continues.
typedef struct pli_record_state {
    int step;            // steps done
    double time;         // [s]
    int frame_count;     // complete frames
    const double* times; // of the frames [s]
    int64_t stats_size;  // bytes of stats.jsonl
    // Of the preview.
    bool has_preview;
    double origin[3]; // [m]
    pli_row_state samples, pictures;
} pli_record_state;

// All bytes of the file go to `out`.
pli_status pli_checkpoint_pack(const pli_record_state* record, pli_scene* scene, pli_pack* out,
                               pli_error* error);

// Of a checkpoint that was read; pointers are valid as long as it is.
const pli_record_state* pli_checkpoint_record(const pli_checkpoint* checkpoint);

// Whether the folder has another checkpoint than this one: another run has continued there.
bool pli_checkpoint_is_replaced(const pli_checkpoint* checkpoint, const char* folder);

#endif
