// The parts of a closed surface, and which lies in which.
#ifndef PLI_MESHER_SHELLS_H
#define PLI_MESHER_SHELLS_H

#include "pliant/mesh.h"

typedef struct pli_shells {
    int count;
    int* triangle_shell; // of each triangle
    int* depth;          // number of shells around each shell
    int* parent;         // the innermost of them; -1: none
} pli_shells;

// False: no memory.
bool pli_shells_find(const pli_mesh* mesh, pli_shells* shells);
void pli_shells_free(pli_shells* shells);

#endif
