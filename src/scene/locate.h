// Places in JSON text. jansson keeps no positions of values, so they are found again by walking the
// text along a path; done only for findings, so speed does not matter.
#ifndef PLI_SCENE_LOCATE_H
#define PLI_SCENE_LOCATE_H

#include "scene/path.h"

typedef struct pli_place {
    int line, column; // from 1; columns count characters, not bytes
    bool exact;       // all of the path is in the text
} pli_place;

typedef enum pli_place_of { PLI_AT_VALUE, PLI_AT_KEY } pli_place_of;

// Place of the value at `path` (NULL: the root) or of the key that names it. A part of the path
// that is not in the text is left out: a missing key is placed at the object that lacks it.
// `text` must be valid JSON and end with NUL.
pli_place pli_locate(const char* text, const pli_path* path, pli_place_of what);

// Place of byte `offset`.
pli_place pli_place_at(const char* text, size_t offset);

// First byte of the token that contains or ends at byte `end`; the text before it must be made of
// valid tokens. jansson reports where a bad token ends; people look for where it starts.
size_t pli_token_start(const char* text, size_t end);

#endif
