// Checkpoints: the complete state of a run, to resume it, in DIR/checkpoint.pli.
//
// pli_recorder_checkpoint writes them (record.h). To resume: read the checkpoint, create the scene again
// (path and overrides are in the info), compare, restore the world, and pass the checkpoint to
// pli_recorder_create. The results are bit-identical to those of a run that was never stopped.
#ifndef PLIANT_CHECKPOINT_H
#define PLIANT_CHECKPOINT_H

#include "pliant/base.h"
#include "pliant/scene.h"
#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_CHECKPOINT_FORMAT 1 // the newest that is read, and the one that is written

typedef struct pli_checkpoint pli_checkpoint;

// Reads the checkpoint of a folder, or the bytes of such a file; untrusted bytes are safe.
// PLI_E_IO: there is none, or it cannot be read; PLI_E_SCENE: it is damaged, newer, or not a
// checkpoint. `allocator` may be NULL.
PLI_API pli_status pli_checkpoint_read(const char* folder, const pli_allocator* allocator,
                                       pli_checkpoint** checkpoint, pli_error* error);
PLI_API pli_status pli_checkpoint_parse(const void* bytes, size_t size,
                                        const pli_allocator* allocator,
                                        pli_checkpoint** checkpoint, pli_error* error);
PLI_API void pli_checkpoint_destroy(pli_checkpoint* checkpoint); // NULL is allowed

typedef struct pli_checkpoint_info {
    const char* version; // of the program that wrote it
    const char* scene;   // its file
    int override_count;
    const char* const* overrides; // "key.path=value"
    int step;                     // steps done
    double time;                  // [s]
    int frame_count;              // frames complete
    const char* text;             // of the scene as resolved: see pli_scene_text
} pli_checkpoint_info;
PLI_API pli_checkpoint_info pli_checkpoint_describe(const pli_checkpoint* checkpoint);

// Compares a scene with the checkpointed one: its resolved text, and meshes and motions from files.
// Calls `found` with one line for each difference; *count is their number.
PLI_API pli_status pli_checkpoint_compare(const pli_checkpoint* checkpoint, pli_scene* scene,
                                          pli_difference_fn* found, void* context, int* count,
                                          pli_error* error);

// Restores the state of the world: see pli_world_restore.
PLI_API pli_status pli_checkpoint_restore(const pli_checkpoint* checkpoint, pli_world* world,
                                          pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
