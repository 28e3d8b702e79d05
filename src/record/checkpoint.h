// checkpoint.pli: one section "PLIC" with version, scene, recorder and world inside, then the hash
// of all bytes before it. All files that it needs are on the disk before it gets its name (file.h).
#ifndef PLI_RECORD_CHECKPOINT_H
#define PLI_RECORD_CHECKPOINT_H

#include "base/pack.h"
#include "base/sampler.h"
#include "pliant/checkpoint.h"

#define PLI_CHECKPOINT_NAME "checkpoint.pli"
#define PLI_CHECKPOINT_NEXT "checkpoint.next" // of earlier versions: never read, removed

// A row of records that was thinned (sampler.h), or the first bytes of each.
typedef struct pli_row_state {
    size_t head; // bytes of each record that are here
    size_t step; // of each record in memory
    int count;
    int64_t stride, seen;
    const void* bytes; // written: `step` from record to record; read: `head`
} pli_row_state;

// What the recorder goes on from.
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

// The folder has a checkpoint, and it is not this one: another run has gone on there.
bool pli_checkpoint_is_replaced(const pli_checkpoint* checkpoint, const char* folder);

#endif
