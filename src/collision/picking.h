// What a ray meets first, and what is closest to a place: all parts of the surfaces of all bodies,
// whether they touch anything or not, in a tree of boxes. Cages are left out: their skins are
// there instead.
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
    int32_t vertices[3]; // world numbers, -1 for the rest
    int32_t triangle;    // number among the triangles of the body's skin, in space; -1: none
} pli_picked;

typedef struct pli_picker {
    pli_memory* memory;
    const pli_model* model;
    int part_count, part_capacity;
    pli_picked* parts;
    pli_tree tree;
    double low[3], high[3]; // around all of them
} pli_picker;

// The parts: in space triangles of the skins, segments of no triangle or tetrahedron and vertices
// of no element; in the plane the outlines, segments of no triangle and vertices of no element.
pli_status pli_picker_init(pli_picker* picker, const pli_model* model, const pli_surfaces* surfaces,
                           pli_error* error);
void pli_picker_free(pli_picker* picker);
// To be called after each change of the positions of the model.
pli_status pli_picker_update(pli_picker* picker, pli_error* error);

// The part that a line from `origin` on (direction of length 1) meets first, not farther than
// `most`, or the one closest to `origin` (direction NULL); -1: there is none. Of parts at the same
// distance the first.
int pli_picker_find(const pli_picker* picker, const double origin[3], const double* direction,
                    double most, pli_meeting* out);

#endif
