// Transposes frames to bodies: a result is read frame by frame, many formats are written body by
// body. The spool is an unnamed temporary file beside the output, so that memory holds one frame.
#ifndef PLI_EXPORT_EXPORT_SPOOL_H
#define PLI_EXPORT_EXPORT_SPOOL_H

#include "export/export.h"

typedef struct pli_spool {
    const pli_export_job* job;
    int descriptor;     // -1: none
    double* times;      // of the frames, from the first [s]
    bool* moves;        // per body: not all frames are alike
    int64_t* places;    // per body: first number in a frame
    float* block;       // a body in a frame
    float* first;       // and in the first one
    size_t block_size;  // of the largest body
    int64_t frame_size; // numbers
} pli_spool;

// Reads all frames of the job; that is done when `share` of the work is. If the job was cancelled
// the spool is not complete.
pli_status pli_spool_create(pli_spool* spool, pli_export_job* job, double share, pli_error* error);
void pli_spool_destroy(pli_spool* spool);

// The shown vertices of a body in a frame, 3 floats each, in spool->block.
pli_status pli_spool_read(pli_spool* spool, int body, int frame, pli_error* error);

#endif
