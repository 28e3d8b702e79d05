// The mesh "strands": hair that grows from a ball, a file, or a body or obstacle of the scene.
#ifndef PLI_SCENE_STRANDS_H
#define PLI_SCENE_STRANDS_H

#include "scene/mesh_kinds.h"
#include "scene/shape.h"

struct pli_strands_data {
    const char *path, *body; // "": not given
    double radius;           // of a ball [m]; NaN: not given
    pli_strands strands;
    double angle; // [degrees]
    int seed;
    pli_expression where; // of x, y, z; no instructions: everywhere
};

extern const pli_section pli_strands_section;

pli_mesh_size pli_strands_size(const void* data);

// As mesh_kind.read, of strands that do not grow on a body.
pli_status pli_strands_read(const void* data, const char* folder, const pli_path* at,
                            pli_findings* findings, pli_mesh* mesh, pli_error* error);

// Whether the mesh of a body grows on another one, or follows it: such bodies are built last.
bool pli_shape_depends(const pli_body_data* data);

// Strands that grow on a body of the builder, where it is at t = 0. Problems become findings below
// `at`, the path of the mesh. Fails only without memory.
pli_status pli_strands_grow(pli_builder* builder, const pli_strands_data* data, const pli_path* at,
                            pli_mesh* mesh, pli_error* error);

#endif
