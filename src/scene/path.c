// Paths as text.
#include "scene/path.h"

#include <stdio.h>

int pli_path_nodes(const pli_path* path, const pli_path* nodes[PLI_PATH_DEPTH]) {
    int depth = 0;
    for (const pli_path* p = path; p && depth < PLI_PATH_DEPTH; p = p->up) ++depth;
    int i = depth;
    for (const pli_path* p = path; i > 0; p = p->up) nodes[--i] = p;
    return depth;
}

void pli_path_text(const pli_path* path, const pli_path* base, char* buffer, size_t size) {
    const pli_path* nodes[PLI_PATH_DEPTH];
    int count = pli_path_nodes(path, nodes);
    int first = 0;
    for (int i = 0; i < count; ++i)
        if (nodes[i] == base) first = i + 1;
    size_t used = 0;
    buffer[0] = '\0';
    for (int i = first; i < count; ++i) {
        const char* dot = i > first && nodes[i]->key ? "." : "";
        int n = nodes[i]->key ? snprintf(buffer + used, size - used, "%s%s", dot, nodes[i]->key)
                              : snprintf(buffer + used, size - used, "[%d]", nodes[i]->index);
        if (n < 0 || (size_t)n >= size - used) return;
        used += (size_t)n;
    }
}
