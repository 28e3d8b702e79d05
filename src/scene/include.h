// Scenes made of several files:
//
//     "include": ["floor.json", "materials.json"]
//
// The files are scenes, or parts of them. Lists of objects (bodies, obstacles, ...) are joined,
// those of included files first, in order. Objects are merged key by key. Of other values the last
// one counts; the file itself comes last. Included files may include others.
#ifndef PLI_SCENE_INCLUDE_H
#define PLI_SCENE_INCLUDE_H

#include "scene/arena.h"
#include "scene/findings.h"

// The key of a scene that names them.
#define PLI_INCLUDE_KEY "include"

// Reads the files that `root` names and merges them into it; the key is removed. `path` and
// `folder` are of the file that `root` was read from. The findings get the sources, so that they
// know the places of all values; texts are taken from the arena. Problems become findings.
pli_status pli_include_all(pli_findings* findings, pli_arena* arena, const char* path,
                           const char* folder, json_t* root, pli_error* error);

#endif
