// Exports: converts a result folder to files for other programs.
#ifndef PLIANT_EXPORT_H
#define PLIANT_EXPORT_H

#include "pliant/base.h"

#ifdef __cplusplus
extern "C" {
#endif

// Progress of an export.
typedef struct pli_export_progress {
    double done;      // fraction of the work, 0 to 1
    int frame_count;  // exported frames
    int64_t bytes;    // estimated total size of the output
    const char* path; // of the file or folder being written
} pli_export_progress;
// Called at the start and after each part of the work; false cancels the export.
typedef bool pli_export_progress_fn(void* context, const pli_export_progress* progress);

typedef struct pli_export_def {
    size_t size; // set by pli_default_export_def()
    const char* folder; // of a run: frame_000000.vtu ..., stats.jsonl; the run may be in progress
    const char* format; // "usd", "gltf", ...: PLI_LIST_EXPORT_FORMATS
    const char* out;    // file or folder to write; NULL: next to `folder`, with its name
    int every;          // exports every n-th frame (or step of a table)
    const char* const* bodies; // names of the exported ones; NULL: all
    int body_count;
    const char*
        vertices; // for "csv": vertices whose tracks are written too, "bar:3,bar:17"; NULL: none
    // For "png" and "mp4" the field shown as colours; "body" or NULL: none. For "html" the fields
    // to choose from, separated by commas, "all" or "none"; NULL: a default selection. Keys are
    // those of pli_field_at.
    const char* fields;
    // For "png" and "mp4":
    int width, height; // [px], 16 to 4096, even for videos; 0: 1280 x 720
    double range[2];   // of the field's colours; equal: automatic
    const char* view;  // in space: "front", "left", "top" ..., "30,20" [degrees]; NULL: "30,20"
    double zoom;       // 1 or 0: everything fits
    const double* at;  // centre of the picture, 3 numbers [m]; NULL: centre of everything
    bool no_text;      // omits name, time and scale
    pli_export_progress_fn* progress; // NULL: none
    void* context;
    const pli_allocator* allocator; // NULL: malloc
    // For "png" and "mp4":
    const char* title;    // NULL: that of the run
    const double* camera; // in space: the eye, the middle of the picture [m] and the vertical angle
                          // of view [degrees], 7 numbers; NULL: view, or the camera of the scene
} pli_export_def;

enum { PLI_EXPORT_PATH_SIZE = 4096 };
typedef struct pli_export_info {
    bool cancelled; // by the progress function
    int frame_count, file_count;
    int64_t bytes;                   // of all files
    char path[PLI_EXPORT_PATH_SIZE]; // the written file or folder
} pli_export_info;

PLI_API void pli_export_def_init(pli_export_def* def); // every frame, all bodies, no format
PLI_DEFAULT_DEF(export)

// Writes the files. A file gets its name only when it is complete; frames are read one at a time.
// PLI_OK also if it was cancelled: then there is no file, or fewer files of a sequence. Existing
// files of the same names are replaced; remaining files of an earlier sequence of this format in
// the folder are removed. `info` may be NULL. PLI_E_ARGUMENT: the def is invalid, or the file would
// exceed the limit of the format or of other programs; PLI_E_IO, PLI_E_SCENE: the result cannot be
// read.
PLI_API pli_status pli_export(const pli_export_def* def, pli_export_info* info, pli_error* error);

// The page of the viewer: one HTML file, compressed by gzip.
PLI_API const void* pli_viewer_page(size_t* size);

#ifdef __cplusplus
}
#endif

#endif
