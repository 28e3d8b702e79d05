// The meshes a body can have: "type" of a mesh, one entry of the table in mesh_kinds.c each.
#ifndef PLI_SCENE_MESH_KINDS_H
#define PLI_SCENE_MESH_KINDS_H

#include "pliant/mesh.h"
#include "scene/findings.h"
#include "scene/section.h"

// Expected counts; doubles, because products of counts are large.
typedef struct pli_mesh_size {
    double vertices; // that can move
    double held;     // of obstacles
    double elements[PLI_ELEMENT_KIND_COUNT];
} pli_mesh_size;

bool pli_mesh_variant(const pli_catalog* catalog, int i, pli_section* out);

// Whether the i-th kind can be a part of "parts"; those that can come first.
bool pli_mesh_is_simple(int i);

// Strands of hair; NULL: another mesh. See strands.h.
typedef struct pli_strands_data pli_strands_data;
const pli_strands_data* pli_mesh_strands(const pli_tagged* mesh);

// The file of a mesh, as the scene names it; NULL: it is not from a file.
const char* pli_mesh_file_path(const pli_tagged* mesh);

// Expected size of a mesh that was read; 0 vertices if it was not, or if a file decides.
pli_mesh_size pli_mesh_expected_size(const pli_tagged* mesh);

// Adds a mesh that was read to an empty `mesh`. Invalid data become findings below `at`; the mesh
// must then not be used. Fails only without memory.
pli_status pli_mesh_build(const pli_tagged* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error);

#endif
