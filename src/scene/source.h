// The text of a scene and its JSON tree.
#ifndef PLI_SCENE_SOURCE_H
#define PLI_SCENE_SOURCE_H

#include <jansson.h>

#include "base/memory.h"
#include "scene/findings.h"

// Reads a whole scene file into *text (NUL behind it), of *size bytes with the NUL. PLI_E_IO: as
// pli_read_file.
pli_status pli_source_read(pli_memory* memory, const char* path, char** text, size_t* size,
                           pli_error* error);

// Parses the findings' text. Whatever is wrong with it becomes a finding and *root is NULL.
// `size` is the number of bytes without the NUL.
pli_status pli_source_parse(pli_findings* findings, size_t size, json_t** root, pli_error* error);

#endif
