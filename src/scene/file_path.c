// Paths of files that a scene names.
#include "scene/file_path.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 128 };

// The name of the variable that the path begins with, "" if it begins with none; *rest is what
// comes after it, from the slash on.
static void split(const char* path, char name[NAME_SIZE], const char** rest) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    name[0] = '\0';
    *rest = path;
    if (path[0] != '$') return;
    bool braced = path[1] == '{';
    const char* start = path + 1 + braced;
    size_t length = strspn(start, letters);
    const char* end = start + length + (braced && start[length] == '}');
    if (length == 0 || length >= NAME_SIZE || *end != '/') return;
    memcpy(name, start, length);
    name[length] = '\0';
    *rest = end;
}

pli_status pli_file_path(const char* folder, const char* path, char* full, size_t size,
                         pli_error* error) {
    char name[NAME_SIZE];
    const char *rest, *front = "";
    split(path, name, &rest);
    if (name[0]) {
        front = getenv(name);
        if (!front)
            return pli_fail(error, PLI_E_SCENE,
                            "\"%.200s\": the environment variable %s is not set", path, name);
    }
    bool relative = !name[0] && path[0] != '/' && folder[0] != '\0';
    int n = snprintf(full, size, "%s%s%s", relative ? folder : front, relative ? "/" : "", rest);
    if (n < 0 || (size_t)n >= size)
        return pli_fail(error, PLI_E_SCENE, "the path has %d characters, must have fewer", n);
    return PLI_OK;
}
