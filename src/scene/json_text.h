// JSON trees as text for people: keys in their order, what is short on one line, numbers as short
// as they read back the same.
#ifndef PLI_SCENE_JSON_TEXT_H
#define PLI_SCENE_JSON_TEXT_H

#include <jansson.h>

#include "base/memory.h"

typedef struct pli_text {
    pli_memory* memory;
    char* bytes; // NUL behind them
    int length, capacity;
} pli_text;

// Appends the tree and a newline to `text`.
pli_status pli_json_write(const json_t* tree, pli_text* text, pli_error* error);
void pli_text_free(pli_text* text);

#endif
