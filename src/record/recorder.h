// The recorder, shared by recording (recorder.c) and resuming (resume.c).
#ifndef PLI_RECORD_RECORDER_H
#define PLI_RECORD_RECORDER_H

#include "pliant/record.h"
#include "record/checkpoint.h"
#include "record/stats.h"
#include "record/vtu.h"
#include "record/writer.h"
#include "render/preview.h"

struct pli_recorder {
    pli_memory memory;
    const pli_world* world;
    char* folder;
    char* title;     // NULL: none
    uint32_t fields; // of frames, bits of pli_frame_field
    pli_snapshot snapshot;
    uint64_t topology;  // pli_world_topology_epoch of the snapshot
    bool epoch_is_open; // run.json lists the epoch of the snapshot
    pli_vtu* vtu;
    pli_writer* writer;
    int held;      // the folder, which no other recorder may write to; -1: not yet
    double* times; // of the frames [s]
    bool* touches; // which of them have a file of contacts
    int frame_count, time_capacity, touch_capacity; // frames recorded, or on their way
    int first_count;                                // frames that an earlier run has left
    int listed_count;                               // frames in run.pvd
    pli_pvd pvd;
    int kept_step;  // that the files of frame `kept_frame` show; -1: none is kept
    int kept_frame; // from the run before
    bool finished;
    pli_file stats;
    int64_t kept_size; // of stats.jsonl up to the last step that was kept
    bool has_preview;
    pli_preview preview;
};

// PLI_E_ARGUMENT if it is NULL or finished.
pli_status pli_recorder_check_open(const pli_recorder* recorder, pli_error* error);

// The next file for the writer. A failure of an earlier one is reported here; then the frames that
// are there count.
pli_status pli_recorder_begin(pli_recorder* recorder, pli_write_job** job, pli_error* error);

// The length of the name of a frame or its contacts at the start of `name`, 0: it is none.
size_t pli_frame_name_length(const char* name);
// Whether a file of that name is one that a run has written, temporary ones included.
bool pli_recorder_owns(const char* name);

// Is there a file of contacts beside this frame?
bool pli_recorder_has_contacts(const char* folder, int frame);

// The folder is cut back to a checkpoint, and the recorder is as it was then.
pli_status pli_recorder_continue(pli_recorder* recorder, const pli_checkpoint* checkpoint,
                                 pli_error* error);

#endif
