// Ray casting and closest points: all parts of the surfaces of all bodies, whether they take part
// in contact or not, in a box tree. Cages are left out: their skins are included instead.
#ifndef PLI_COLLISION_PICKING_H
#define PLI_COLLISION_PICKING_H

#include "collision/surfaces.h"
#include "contact/ray.h"
#include "spatial/box_tree.h"
#include "model/model.h"

// One part of a surface.
typedef struct pli_picked {
    int32_t body;
    int32_t count;       // vertices: 1, 2 or 3
    int32_t vertices[3]; // world indices, -1 for the rest
    int32_t triangle;    // index among the triangles of the body's skin, in space; -1: none
} pli_picked;

typedef struct pli_picker {
    pli_memory* memory;
    const pli_model* model;
    int part_count, part_capacity;
    pli_picked* parts;
    pli_tree tree;
    double low[3], high[3]; // around all of them
} pli_picker;

// The parts: in space triangles of the skins, segments that belong to no triangle or tetrahedron
// and vertices without elements; in the plane the outlines, segments that belong to no triangle and
// vertices without elements.
pli_status pli_picker_init(pli_picker* picker, const pli_model* model, const pli_surfaces* surfaces,
                           pli_error* error);
void pli_picker_free(pli_picker* picker);
// Must be called after each change of the model's positions.
pli_status pli_picker_update(pli_picker* picker, pli_error* error);

// The first part that the ray from `origin` (unit direction) meets within `most`, or the one
// closest to `origin` (direction NULL); -1: none. Of parts at the same distance the first.
int pli_picker_find(const pli_picker* picker, const double origin[3], const double* direction,
                    double most, pli_meeting* out);

#endif
