// Recording a run: frames for ParaView, statistics per step, a picture at the end.
#ifndef PLIANT_RECORD_H
#define PLIANT_RECORD_H

#include "pliant/base.h"
#include "pliant/checkpoint.h"
#include "pliant/scene.h"
#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Version of the files of a result folder, in run.json and in every frame. Folders without one have
// an earlier version and are read as well. Version 2 has epochs; runs whose bodies do not change,
// and frames of epoch 0, need none and are written as version 1.
#define PLI_RESULT_FORMAT 2
#define PLI_RESULT_FORMAT_ONE_EPOCH 1

// A folder with frame_000000.vtu ..., run.pvd, run.json, stats.jsonl and preview.svg; with contact
// also contacts_000000.vtu ... for the frames that have contacts; and checkpoint.pli. Each file
// except stats.jsonl is written under a temporary name and renamed when complete. A thread of the
// recorder writes frames and checkpoints while the caller continues; if too many are pending, the
// caller waits. A failure is reported by a later call; existing frames then stay valid and
// recording can continue after them.
typedef struct pli_recorder pli_recorder;

typedef struct pli_recorder_def {
    size_t size; // set by pli_default_recorder_def()
    const char* folder;             // created if absent, with its parents
    const char* title;              // of the picture; NULL: none
    int preview_frames;             // pictures in the film strip, 60 if more; 0: no preview.svg
    uint32_t fields;                // of frames, bits of pli_frame_field
    bool double_precision;          // frames in double precision; otherwise single
    bool compress;                  // smaller frames, which take longer to write
    // Resumes from this checkpoint: later frames and lines of stats.jsonl are removed. The world must
    // already be in its state. NULL: a new run.
    const pli_checkpoint* resume;
    const pli_allocator* allocator; // NULL: malloc; must outlive the recorder
    const char* camera;             // of pictures, the camera of pli_run_def; NULL or "": none
} pli_recorder_def;

PLI_API void pli_recorder_def_init(pli_recorder_def* def); // "out", no title, 6 pictures, the default fields
PLI_DEFAULT_DEF(recorder)

// The world must be prepared and outlive the recorder. Files of an earlier run in the folder (those
// named above, and their temporary ones; links of such a name too, but not their targets) are
// removed; everything else stays. The folder is locked until the recorder is destroyed: PLI_E_IO if
// another recorder, of this program or another one, has locked it.
PLI_API pli_status pli_recorder_create(const pli_recorder_def* def, const pli_world* world,
                                       pli_recorder** recorder, pli_error* error);
// Estimated upper bound of its memory for this def and world [bytes]; nothing is written.
PLI_API pli_status pli_recorder_predict_memory(const pli_recorder_def* def, const pli_world* world,
                                               size_t* bytes, pli_error* error);
// Copies the present state, to be written as the next frame. The list run.pvd is updated each time
// it has grown by a tenth, and in pli_recorder_finish: a run that crashes leaves a list of at least
// 90 % of its frames.
PLI_API pli_status pli_recorder_frame(pli_recorder* recorder, pli_error* error);
// Adds one line to stats.jsonl: the info, every energy of the world, its supports and contacts.
PLI_API pli_status pli_recorder_step(pli_recorder* recorder, const pli_step_info* info,
                                     pli_error* error);
// Waits until all frames and checkpoints so far are written.
PLI_API pli_status pli_recorder_wait(pli_recorder* recorder, pli_error* error);
// Time of the last frame [s]; -HUGE_VAL: none.
PLI_API double pli_recorder_time(const pli_recorder* recorder);
// Completes run.pvd, closes stats.jsonl and writes preview.svg. Call once at the end, also after a
// run that stopped early; nothing can be recorded afterwards (PLI_E_ARGUMENT).
PLI_API pli_status pli_recorder_finish(pli_recorder* recorder, pli_error* error);
PLI_API void pli_recorder_destroy(pli_recorder* recorder); // NULL is allowed

// Copies a checkpoint: the state of the scene's world, which must be the recorder's, at the end of
// a step, with everything recorded so far. It is written after the pending frames, when these and
// stats.jsonl are on disk: a power failure leaves this checkpoint or the previous one.
PLI_API pli_status pli_recorder_checkpoint(pli_recorder* recorder, pli_scene* scene,
                                           pli_error* error);

// Files of an earlier run in a folder, which a new recorder would remove.
typedef struct pli_recorded {
    int file_count, frame_count;
    double bytes;
    bool checkpoint; // pliant run --resume can resume it
} pli_recorded;
// A folder that does not exist is empty.
PLI_API pli_status pli_recorder_look(const char* folder, pli_recorded* found, pli_error* error);

// Writes crossings of a world (pli_world_crossings, pli_scene_crossings) as a .vtu: for each the
// two intersecting parts and the intersection point, at the world's present positions. Cells have
// `pair` (the number of the crossing), `side` (0, 1; 2: the point), `body` (-1: the point) and
// `distance`; points have `vertex`, the number within the body (-1: the point). The folder of the
// path must exist.
PLI_API pli_status pli_write_crossings(const pli_world* world, const pli_crossing_info* crossings,
                                       int count, const char* path, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
