// The messages that describe a scene to browsers.
#ifndef PLI_VIEWER_SCENE_H
#define PLI_VIEWER_SCENE_H

#include "pliant/pliant.h"
#include "viewer/viewer.h"

// Everything but positions, of a scene without errors and the surface of its world. NULL without
// memory.
typedef struct pli_view_surface pli_view_surface;
pli_view_model* pli_view_model_of(pli_scene* scene, const pli_view_surface* surface,
                                  uint32_t generation);

// The same for a result, into a model that has its fields. False: out of memory.
bool pli_view_describe_result(pli_view_model* model, const pli_replay* result,
                              const char* const* energies, int energy_count);

// "gravity[1]" names a component of the vector "gravity". Returns the parameter and, for a vector,
// the component (otherwise -1); NULL if there is none.
const pli_scene_parameter* pli_view_find_parameter(const pli_scene* scene, const char* path,
                                                   int* component);

// ---- fields

// Scratch for reading, kept from step to step. Zero-initialize it.
typedef struct pli_view_scratch {
    size_t element_room;
    double* element; // values of all elements of one kind
    int vertex_room;
    int32_t* shares; // number of elements or stencils at each vertex
} pli_view_scratch;

void pli_view_scratch_free(pli_view_scratch* scratch);

// The i-th field of a prepared world; key NULL after the last.
pli_view_field pli_view_field_at(const pli_world* world, int i);

// Fills `components` per vertex. False: out of memory, `out` is undefined.
bool pli_view_field_read(const pli_world* world, int i, pli_view_scratch* scratch, float* out);

// ---- surfaces

struct pli_view_surface {
    int triangle_count, segment_count;
    int32_t* triangles; // 3 vertices each, counter-clockwise seen from outside
    int32_t* segments;  // 2 each
    int body_count;
    int* triangle_ends; // per body: end of its triangles, which begin at the end of the previous
                        // body's
    int* segment_ends;
};

// False: out of memory. Zero-initialize it before, free it in any case.
bool pli_view_surface_of_world(pli_view_surface* surface, pli_world* world);
bool pli_view_surface_of_result(pli_view_surface* surface, const pli_replay* result);
void pli_view_surface_free(pli_view_surface* surface);

#endif
