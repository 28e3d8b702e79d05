// Fields of the page that replays a run (export_html.c).
#ifndef PLI_EXPORT_EXPORT_HTML_H
#define PLI_EXPORT_EXPORT_HTML_H

#include "base/file.h"
#include "export/export.h"
#include "mesh/inflate.h"
#include <jansson.h>

// A recording for the viewer's page (web/README.md): concatenated messages, compressed by gzip, as
// base64 text. Streaming: only the state of zlib is kept.
typedef struct pli_recording {
    pli_base64 text;
    z_stream zlib;
    unsigned char packed[1 << 14]; // output buffer
} pli_recording;

pli_status pli_recording_begin(pli_recording* recording, pli_memory* memory, pli_file* file,
                               pli_error* error);
// Ends the text and frees the state of zlib.
void pli_recording_end(pli_recording* recording);

// A text message: takes ownership of the tree. PLI_E_MEMORY: it is NULL or cannot be written.
pli_status pli_recording_json(pli_recording* recording, json_t* message, pli_error* error);

// A binary message: its header, then exactly `size` bytes.
typedef struct pli_recording_header {
    int kind, flags;
    uint32_t step;
    double time; // [s]
    uint32_t count, extra;
} pli_recording_header;
enum { PLI_RECORDED_TOPOLOGY = 1, PLI_RECORDED_FRAME = 6, PLI_RECORDED_FIELD = 7 };
void pli_recording_binary(pli_recording* recording, const pli_recording_header* header,
                          size_t size);
void pli_recording_bytes(pli_recording* recording, const void* bytes, size_t size);
void pli_recording_word(pli_recording* recording, uint32_t word); // little endian
void pli_recording_float(pli_recording* recording, float value);

typedef struct pli_html_fields pli_html_fields;

// The fields requested by the def; of the default ones those that the first frame has.
pli_status pli_html_fields_create(pli_export_job* job, pli_html_fields** fields, pli_error* error);
void pli_html_fields_destroy(pli_html_fields* fields); // NULL is allowed
int pli_html_fields_width(const pli_export_job* job);  // numbers per vertex of all fields

// As listed in the scene of the page.
json_t* pli_html_fields_list(const pli_html_fields* fields);
// Messages after frame i of the job; `alone`: self-contained.
pli_status pli_html_fields_write(pli_html_fields* fields, pli_recording* out, int i, bool alone,
                                 pli_error* error);

#endif
