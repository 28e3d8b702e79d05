// Where in a scene something is: a chain of keys and indices from the root, kept on the stack by
// whoever walks the scene. "bodies[0].density" is {density} -> {0} -> {bodies} -> NULL.
#ifndef PLI_SCENE_PATH_H
#define PLI_SCENE_PATH_H

#include "base/base.h"

typedef struct pli_path {
    const struct pli_path* up; // NULL: the root object
    const char* key;           // NULL: an index
    int index;
    const char* label; // messages start here: `body "mat"`; NULL: not here
    const char* name;  // the "mat"; NULL: it has no name
} pli_path;

static inline pli_path pli_path_key(const pli_path* up, const char* key) {
    return (pli_path){.up = up, .key = key};
}

static inline pli_path pli_path_index(const pli_path* up, int index) {
    return (pli_path){.up = up, .index = index};
}

enum { PLI_PATH_DEPTH = 32 }; // deeper paths are cut at the root's side

// The chain from the root; returns its length. The last PLI_PATH_DEPTH nodes if it is longer.
int pli_path_nodes(const pli_path* path, const pli_path* nodes[PLI_PATH_DEPTH]);

// "bodies[0].density", or from below the node `base` if it is not NULL: "density".
void pli_path_text(const pli_path* path, const pli_path* base, char* buffer, size_t size);

#endif
