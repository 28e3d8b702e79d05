// The text of a scene: read from a file, parsed, changed by overrides, written, compared.
#ifndef PLI_SCENE_SOURCE_H
#define PLI_SCENE_SOURCE_H

#include "base/base.h"
#include "base/memory.h"
#include "pliant/scene.h"
#include "scene/findings.h"

#include <jansson.h>
#include <stddef.h>

// ---- reading

// Reads a whole scene file into *text (NUL behind it), of *size bytes with the NUL. PLI_E_IO: as
// pli_read_file.
pli_status pli_source_read(pli_memory* memory, const char* path, char** text, size_t* size,
                           pli_error* error);

// Parses the findings' text. Whatever is wrong with it becomes a finding and *root is NULL.
// `size` is the number of bytes without the NUL.
pli_status pli_source_parse(pli_findings* findings, size_t size, json_t** root, pli_error* error);

// ---- files that a scene names

// The full path of a file that the scene calls `path`. It may begin with $NAME/ or ${NAME}/, an
// environment variable; otherwise, unless it begins with /, it is relative to `folder` ("": the
// present one). PLI_E_SCENE if the variable is not set or the path does not fit into `full`.
pli_status pli_file_path(const char* folder, const char* path, char* full, size_t size,
                         pli_error* error);

// ---- overrides

// Puts the value in its place; objects that are missing on the way are made. The value is JSON, or
// a text if it is not. `path` gets the part before '=' (size bytes at most).
// PLI_E_SCENE: what is wrong with the path, for example an index that is out of range.
pli_status pli_override_apply(json_t* root, const char* override, char* path, size_t size,
                              pli_error* error);

// ---- writing

typedef struct pli_text {
    pli_memory* memory;
    char* bytes; // NUL behind them
    int length, capacity;
} pli_text;

// Appends the tree and a newline to `text`.
pli_status pli_json_write(const json_t* tree, pli_text* text, pli_error* error);
void pli_text_free(pli_text* text);

// ---- comparing

// Calls `found` for each difference of two texts, both JSON objects; *count is how many there are.
// PLI_E_SCENE: `before` is none. Where editors find the schema, and the description, do not count.
pli_status pli_compare_texts(const char* before, const char* now, pli_difference_fn* found,
                             void* context, int* count, pli_error* error);

#endif
