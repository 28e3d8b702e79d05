// Fields over the vertices of a world that browsers can colour by.
#ifndef PLI_VIEWER_FIELD_H
#define PLI_VIEWER_FIELD_H

#include "viewer/viewer.h"

// Room that reading needs, kept from step to step. Zero-initialize it.
typedef struct pli_view_scratch {
    size_t element_room;
    double* element; // values of all elements of one kind
    int vertex_room;
    int* shares; // elements at each vertex
} pli_view_scratch;

void pli_view_scratch_free(pli_view_scratch* scratch);

// The i-th field of a prepared world; key NULL after the last.
pli_view_field pli_view_field_at(const pli_world* world, int i);

// Fills `components` per vertex. False: there is no memory for it, `out` is undefined.
bool pli_view_field_read(const pli_world* world, int i, pli_view_scratch* scratch, float* out);

#endif
