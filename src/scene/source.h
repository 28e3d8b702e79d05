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

// Reads a scene file into *text, terminated by NUL, *size bytes including it. PLI_E_IO: as
// pli_read_file.
pli_status pli_source_read(pli_memory* memory, const char* path, char** text, size_t* size,
                           pli_error* error);

// Blanks out // and /* */ comments, and commas before a closing bracket. An open comment stays.
void pli_source_clean(char* text);

// Parses findings->source.text of `size` bytes without NUL. Errors become findings and *root is NULL.
pli_status pli_source_parse(pli_findings* findings, size_t size, json_t** root, pli_error* error);

// ---- files that a scene names

// The full path of a file that a scene names. It may start with $NAME/ or ${NAME}/, an environment
// variable; otherwise, unless it starts with /, it is relative to `folder` ("": the current one).
// PLI_E_SCENE if the variable is not set or the path does not fit into `full`.
pli_status pli_file_path(const char* folder, const char* path, char* full, size_t size,
                         pli_error* error);

// ---- overrides

// Sets the value of "key.path=value"; missing objects are created. The value is JSON, or else a
// text. `path` gets the part before '='. PLI_E_SCENE: an invalid path, for example an index out of
// range.
pli_status pli_override_apply(json_t* root, const char* override, char* path, size_t size,
                              pli_error* error);

// ---- writing

typedef struct pli_text {
    pli_memory* memory;
    char* bytes; // terminated by NUL
    int length, capacity;
} pli_text;

// Appends the tree and a newline to `text`.
pli_status pli_json_write(const json_t* tree, pli_text* text, pli_error* error);
void pli_text_free(pli_text* text);

// ---- comparing

// Calls `found` for each difference of two texts of JSON objects, with a line like
// "time.step: 0.01 is now 0.02"; *count is their number. PLI_E_SCENE: `before` is not a JSON
// object.
// "$schema", "description" and the end of the run are ignored.
pli_status pli_compare_texts(const char* before, const char* now, pli_difference_fn* found,
                             void* context, int* count, pli_error* error);

#endif
