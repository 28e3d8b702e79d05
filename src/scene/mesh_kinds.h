// The shapes a body can have: "type" of a mesh. One entry of the table in mesh_kinds.c each: its
// keys, how large it will be, how it is made.
#ifndef PLI_SCENE_MESH_KINDS_H
#define PLI_SCENE_MESH_KINDS_H

#include "pliant/mesh.h"
#include "scene/findings.h"
#include "scene/section.h"

// Vertices and elements to expect; doubles, because products of counts are large.
typedef struct pli_mesh_size {
    double vertices; // that can move
    double held;     // of obstacles
    double elements[PLI_ELEMENT_KIND_COUNT];
} pli_mesh_size;

typedef struct pli_mesh_kind {
    pli_section section;
    pli_mesh_size (*size)(const void* data);
    // Adds to an empty mesh. What is wrong with the data is added to `findings` at `at`; the mesh
    // is then not to be used. Fails only without memory.
    pli_status (*build)(const void* data, const char* folder, const pli_path* at,
                        pli_findings* findings, pli_mesh* mesh, pli_error* error);
} pli_mesh_kind;

const pli_mesh_kind* pli_mesh_kind_at(int i); // NULL after the last
bool pli_mesh_variant(const pli_catalog* catalog, int i, pli_section* out);

#endif
