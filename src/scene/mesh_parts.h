// Meshes made of others: "parts"; and polygons: "prism".
#ifndef PLI_SCENE_MESH_PARTS_H
#define PLI_SCENE_MESH_PARTS_H

#include "scene/mesh_kinds.h"

extern const pli_section pli_parts_section, pli_prism_section;

pli_mesh_size pli_parts_size(const void* data);
pli_mesh_size pli_prism_size(const void* data);

// As mesh_kind.read.
pli_status pli_parts_read(const void* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error);
pli_status pli_prism_read(const void* data, const char* folder, const pli_path* at,
                          pli_findings* findings, pli_mesh* mesh, pli_error* error);

#endif
