// Fields of the page that replays a run (export_html.c).
#ifndef PLI_EXPORT_EXPORT_HTML_H
#define PLI_EXPORT_EXPORT_HTML_H

#include "export/export.h"
#include "export/recording.h"

typedef struct pli_html_fields pli_html_fields;

// Those that the def asks for; of the usual ones those that the first frame has.
pli_status pli_html_fields_create(pli_export_job* job, pli_html_fields** fields, pli_error* error);
void pli_html_fields_destroy(pli_html_fields* fields); // NULL is fine
int pli_html_fields_width(const pli_export_job* job);  // numbers per vertex of all

// As the scene of the page lists them.
json_t* pli_html_fields_list(const pli_html_fields* fields);
// Messages behind frame i of the job; `alone`: they need none before them.
pli_status pli_html_fields_write(pli_html_fields* fields, pli_recording* out, int i, bool alone,
                                 pli_error* error);

#endif
