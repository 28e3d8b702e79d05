// Writes the files of a run in a separate thread, in the order in which they were submitted.
//
// The queue is bounded: submitting to a full queue blocks. Small files are written in batches,
// since waking a thread takes longer than writing one; none waits longer than some milliseconds.
// All allocations happen in the caller's thread, in an order independent of the speed of the disk;
// the bytes of the files are independent of it too. If no thread can be started, the caller's
// thread writes.
//
// After a failure the files queued after it are dropped. The next call reports the failure; then
// the writer continues.
#ifndef PLI_RECORD_WRITER_H
#define PLI_RECORD_WRITER_H

#include "base/pack.h"
#include "record/vtu.h"
#include "result/pvd.h"

typedef enum pli_write_kind {
    PLI_WRITE_BYTES,      // `bytes` unchanged
    PLI_WRITE_CHECKPOINT, // the same, after all earlier files are on the disk
    PLI_WRITE_CONTACTS,   // `state`
    PLI_WRITE_FRAME,      // `state`
} pli_write_kind;

typedef struct pli_write_job {
    pli_write_kind kind;
    char name[PLI_FRAME_NAME_SIZE];
    pli_vtu_state state;
    pli_pack bytes; // empty it before use: size = 0
} pli_write_job;

typedef struct pli_writer pli_writer;

// Slots of the queue for frames of this size [bytes]: 4 to 32, about a megabyte in total. Each
// keeps the memory of a frame.
int pli_writer_slots(size_t frame_size);

// `folder` and `vtu` must outlive the writer.
pli_status pli_writer_create(pli_memory* memory, const char* folder, pli_vtu* vtu, int slots,
                             pli_writer** writer, pli_error* error);
// Writes the queued jobs first. NULL is allowed.
void pli_writer_destroy(pli_writer* writer);

// The next job, to be filled in and submitted; until it is submitted the same one is returned.
// Waits for a free slot.
pli_status pli_writer_begin(pli_writer* writer, pli_write_job** job, pli_error* error);
pli_status pli_writer_submit(pli_writer* writer, pli_error* error);

// Waits until all submitted jobs are written.
pli_status pli_writer_wait(pli_writer* writer, pli_error* error);

// Number of submitted frames that are complete. Valid after a reported failure or a wait.
int pli_writer_frame_count(pli_writer* writer);

#endif
