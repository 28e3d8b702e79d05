// Shared by the exporters: the job and the table of formats.
#ifndef PLI_EXPORT_EXPORT_H
#define PLI_EXPORT_EXPORT_H

#include "base/file.h"
#include "pliant/export.h"
#include "result/result.h"

typedef struct pli_export_job {
    const pli_export_def* def;
    pli_memory* memory;
    pli_result* result; // the bodies to export; NULL if the format needs no frames
    int frame_count;    // to export: frame i of the job is frame i * every of the result
    int64_t bytes;      // estimated size of the output
    pli_export_info* info;
} pli_export_job;

typedef struct pli_export_format {
    const char* name;
    const char* ending; // suffix of the default output, after the name of the result's folder
    const char* help;   // one phrase
    bool folder;        // the output is a folder
    bool frames;        // it reads frames
    bool epochs;        // its files can hold bodies that change during the run
    bool grounds;       // half-spaces are exported as bodies
    bool pictures;      // it has a camera
    // Estimated bytes of all files; NULL: not known.
    int64_t (*size)(const pli_export_job* job);
    int64_t limit; // of that size; 0: none
    // Checks the fields and the view of the def, before anything is created; NULL: it supports
    // none.
    pli_status (*check)(const pli_export_job* job, pli_error* error);
    pli_status (*write)(pli_export_job* job, pli_error* error);
} pli_export_format;

pli_status pli_export_usd(pli_export_job* job, pli_error* error);
pli_status pli_export_gltf(pli_export_job* job, pli_error* error);
pli_status pli_export_obj(pli_export_job* job, pli_error* error);
pli_status pli_export_ply(pli_export_job* job, pli_error* error);
pli_status pli_export_vtk(pli_export_job* job, pli_error* error);
pli_status pli_export_pc2(pli_export_job* job, pli_error* error);
pli_status pli_export_mdd(pli_export_job* job, pli_error* error);
pli_status pli_export_html(pli_export_job* job, pli_error* error);
pli_status pli_export_png(pli_export_job* job, pli_error* error);
pli_status pli_export_mp4(pli_export_job* job, pli_error* error);
pli_status pli_export_csv(pli_export_job* job, pli_error* error);
pli_status pli_export_png_check(const pli_export_job* job, pli_error* error);
pli_status pli_export_mp4_check(const pli_export_job* job, pli_error* error);
pli_status pli_export_html_check(const pli_export_job* job, pli_error* error);
int64_t pli_export_usd_size(const pli_export_job* job);
int64_t pli_export_gltf_size(const pli_export_job* job);
int64_t pli_export_obj_size(const pli_export_job* job);
int64_t pli_export_ply_size(const pli_export_job* job);
int64_t pli_export_vtk_size(const pli_export_job* job);
int64_t pli_export_cache_size(const pli_export_job* job);
int64_t pli_export_png_size(const pli_export_job* job);
int64_t pli_export_mp4_size(const pli_export_job* job);
int64_t pli_export_html_size(const pli_export_job* job);

// The tracks of def->vertices, beside the table of statistics.
pli_status pli_export_tracks(pli_export_job* job, pli_error* error);
// Text as a cell of a table.
void pli_csv_text(pli_file* file, const char* text);

// Reports progress; false: the job is cancelled, and info is set. To be called often.
bool pli_export_go_on(pli_export_job* job, double done);

// Frame i of the job.
pli_status pli_export_frame(const pli_export_job* job, int i, pli_result_detail detail,
                            pli_result_frame* frame, pli_error* error);

// All bodies of the job together.
typedef struct pli_export_counts {
    int64_t vertices, triangles, segments, points;
} pli_export_counts;
pli_export_counts pli_export_count(const pli_export_job* job);

// Completes a file and counts it, or discards it if the job was cancelled or `status` is an error.
pli_status pli_export_commit(pli_export_job* job, pli_file* file, pli_status status,
                             pli_error* error);

// Whether this is the name of a frame in a sequence, "frame_000012.obj", complete or not (then with
// ".tmp").
bool pli_export_is_frame(const void* ending, const char* name);

// A body as an object of an OBJ file; the index of its first vertex there is `first`.
void pli_export_obj_body(pli_file* file, const pli_result_body* body, const float* points,
                         int64_t first);

// The shown vertices of a body, 3 floats each.
void pli_export_points(const pli_result_body* body, const double* positions, float* out);

// ---- numbers in files

// Shortest text that reads back as the same float; it must be finite.
const char* pli_format_float(float value, char buffer[PLI_NUMBER_SIZE]);
void pli_file_float(pli_file* file, float value);
// Words of 4 bytes, little endian, or with `big` big endian.
void pli_file_words(pli_file* file, const void* words, size_t count, bool big);

// The colour of a body in pictures, as linear red, green and blue, 0 to 1.
void pli_export_colour(const pli_result_body* body, double rgb[3]);

// The formats: names and descriptions, NULL after the last.
const char* pli_export_format_name(int i);
const char* pli_export_format_help(int i);
// ---- spool: frames transposed to bodies

typedef struct pli_spool {
    const pli_export_job* job;
    int descriptor;     // -1: none
    double* times;      // of the frames, from the first [s]
    bool* moves;        // per body: not all frames are equal
    int64_t* places;    // per body: index of its first number in a frame
    float* block;       // a body in a frame
    float* first;       // and in the first one
    size_t block_size;  // of the largest body
    int64_t frame_size; // numbers
} pli_spool;

// Reads all frames of the job; its progress runs up to `share`. If the job was cancelled the spool
// is incomplete.
pli_status pli_spool_create(pli_spool* spool, pli_export_job* job, double share, pli_error* error);
void pli_spool_destroy(pli_spool* spool);

// The shown vertices of a body in a frame, 3 floats each, in spool->block.
pli_status pli_spool_read(pli_spool* spool, int body, int frame, pli_error* error);

#endif
