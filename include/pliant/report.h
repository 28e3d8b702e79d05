// Reports: a result folder as one HTML page.
#ifndef PLIANT_REPORT_H
#define PLIANT_REPORT_H

#include "pliant/base.h"
#include "pliant/export.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_report_def {
    size_t size; // set by pli_default_report_def()
    const char* folder;               // of a run, which may be in progress: stats.jsonl, run.json
    const char* out;                  // file to write; NULL: report.html in `folder`
    pli_export_progress_fn* progress; // only `done` and `path` are set; NULL: none
    void* context;
    const pli_allocator* allocator; // NULL: malloc
} pli_report_def;

typedef struct pli_report_info {
    bool cancelled;                  // by the progress function: no page is written
    int step_count;                  // records read
    int64_t bytes;                   // of the page
    char path[PLI_EXPORT_PATH_SIZE]; // of the page
} pli_report_info;

PLI_API void pli_report_def_init(pli_report_def* def);
PLI_DEFAULT_DEF(report)

// Writes an HTML page with pictures, numbers and plots of the run, without scripts or external
// files. Parts missing in the folder (pictures, run.json) are omitted. `info` may be NULL.
// PLI_E_IO: there is no stats.jsonl, or the page cannot be written; PLI_E_SCENE: a file was not
// written by Pliant.
PLI_API pli_status pli_report(const pli_report_def* def, pli_report_info* info, pli_error* error);

#ifdef __cplusplus
}
#endif

#endif
