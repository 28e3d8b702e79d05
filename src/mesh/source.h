// What is known about a mesh that came from a file: notes of the reader and where its vertices and
// elements are in the file.
#ifndef PLI_MESH_SOURCE_H
#define PLI_MESH_SOURCE_H

#include "base/memory.h"
#include "pliant/mesh.h"

typedef struct pli_mesh_source {
    int note_count, note_capacity;
    char** notes;
    // Places by kind (vertices under PLI_VERTEX), as pli_scan_place gives them; 0: not known. May
    // be shorter than the mesh's lists.
    int place_count[PLI_ELEMENT_KIND_COUNT];
    int place_capacity[PLI_ELEMENT_KIND_COUNT];
    int32_t* places[PLI_ELEMENT_KIND_COUNT];
} pli_mesh_source;

// Makes mesh->source if there is none.
pli_status pli_mesh_source_create(pli_mesh* mesh, pli_error* error);
void pli_mesh_source_destroy(pli_mesh* mesh);

// The place of vertex or element number `index`.
pli_status pli_mesh_source_put(pli_mesh* mesh, pli_element_kind kind, int index, int32_t place,
                               pli_error* error);
pli_status pli_mesh_source_note(pli_mesh* mesh, pli_error* error, const char* format, ...)
    PLI_PRINTF(3, 4);
// Back to so many notes and to the places of what the mesh has.
void pli_mesh_source_cut(pli_mesh* mesh, int note_count);

#endif
