// run.json: metadata of a run that frames do not hold, written once at its start.
#ifndef PLI_RESULT_RUN_INFO_H
#define PLI_RESULT_RUN_INFO_H

#include "result/result.h"
#include "result/snapshot.h"

#define PLI_RUN_INFO_NAME "run.json"

// Writes folder/run.json; `title` may be NULL.
pli_status pli_run_info_write(const pli_snapshot* snapshot, const char* title, const char* folder,
                              pli_error* error);

// Title, names and thickness of the bodies and which are obstacles, dimension, gravity and
// half-spaces, from folder/run.json. A folder without that file leaves them as they are.
pli_status pli_run_info_read(pli_result* result, pli_error* error);

#endif
