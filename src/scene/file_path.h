// Files that a scene names: where they are.
#ifndef PLI_SCENE_FILE_PATH_H
#define PLI_SCENE_FILE_PATH_H

#include "base/base.h"

#include <stddef.h>

// The full path of a file that the scene calls `path`. It may begin with $NAME/ or ${NAME}/, an
// environment variable; otherwise, unless it begins with /, it is relative to `folder` ("": the
// present one). PLI_E_SCENE if the variable is not set or the path does not fit into `full`.
pli_status pli_file_path(const char* folder, const char* path, char* full, size_t size,
                         pli_error* error);

#endif
