// stats.jsonl: one JSON object per step, on the disk as soon as the step is done.
#ifndef PLI_RECORD_STATS_H
#define PLI_RECORD_STATS_H

#include "base/file.h"
#include "result/snapshot.h"

#define PLI_STATS_NAME "stats.jsonl"

// Empties folder/stats.jsonl. `file` must stay open between steps.
pli_status pli_stats_open(pli_file* file, const char* folder, pli_error* error);
// One line: all fields of `info` (reason as `reason_text`), the energies of the snapshot, their
// total, the supports, and the contacts by bodies if anything can touch. A line that could not be
// written whole is taken back.
pli_status pli_stats_write(pli_file* file, const pli_step_info* info, const char* reason_text,
                           const pli_snapshot* snapshot, pli_error* error);

#endif
