// run.json: what frames do not say about a run, written once at its start.
#ifndef PLI_RESULT_RESULT_CARD_H
#define PLI_RESULT_RESULT_CARD_H

#include "result/result.h"
#include "result/snapshot.h"

#define PLI_CARD_NAME "run.json"

// Writes folder/run.json; `title` may be NULL.
pli_status pli_card_write(const pli_snapshot* snapshot, const char* title, const char* folder,
                          pli_error* error);

// Title, names and thickness of the bodies and which are obstacles, dimension, gravity and
// half-spaces, from folder/run.json. A folder without that file leaves them as they are.
pli_status pli_card_read(pli_result* result, pli_error* error);

#endif
