// The surfaces of all bodies, for contact: points, edges and triangles with their weights and
// thicknesses.
#ifndef PLI_COLLISION_SURFACES_H
#define PLI_COLLISION_SURFACES_H

#include "contact/filter.h"
#include "contact/pair_set.h"
#include "mesh/topology.h"
#include "model/model.h"

typedef struct pli_surfaces {
    pli_memory* memory;
    int vertex_count; // of the world
    int body_count;

    // Of all bodies, per vertex of the world.
    int32_t* body;
    uint8_t* outer; // on the surface: the outline in the plane, all but interior vertices of solids
                    // in space, and those that only divide flat faces of affine bodies
    double* area;   // weight A against half-spaces, > 0 [m^2]
    double* radius; // thickness [m]
    int32_t* part;  // one of the vertices that elements connect with it
    // 3: belongs to a triangle of the surface (in the plane: to the outline); 2: to a segment that
    // is not part of a triangle or tetrahedron, or (space) to triangles whose edges there are all
    // almost parallel; 1: to no element; 0: interior.
    uint8_t* extent;
    bool thick;    // some radius is nonzero
    pli_rest rest; // for bodies with thickness that touch themselves; x NULL: there are none
    double width;  // of points and segments without thickness: 10 dhat [m]

    // Of the bodies that touch each other. In the plane: boundary vertices and segments; segments
    // that are no edges of triangles, and their ends; vertices without elements that carry no
    // half-space. In space: triangles of solids and sheets, the edges of those and segments, the
    // vertices of all of them; and vertices without elements.
    pli_primitives points, edges, triangles;
    pli_primitives loose_points; // vertices without elements
    int loose_edge;              // edges from this index on are segments without triangles
    double* edge_area;           // share in the surface, per edge [m^2]; space only
    double* edge_rest;           // length at rest, per edge [m]; space only

    pli_edge_pairs crossed; // segments of one body that cross at rest do not touch each other

    uint8_t* self;     // per body: touches itself
    pli_filter filter; // its arrays are the ones here
} pli_surfaces;

// Surfaces of the bodies of the model, at rest. The caller frees it, also on failure.
pli_status pli_surfaces_init(pli_surfaces* surfaces, const pli_model* model, double dhat,
                             pli_error* error);
void pli_surfaces_free(pli_surfaces* surfaces);

// flat.c: leaves out points and edges of affine bodies that only divide their flat faces; see there.
// `edges`: of the triangles, in the order of surfaces->edges.
pli_status pli_surfaces_drop_flat(pli_surfaces* surfaces, const pli_model* model,
                                  const pli_sides* edges, const int32_t* triangles,
                                  int triangle_count, pli_error* error);

// exempt.c: fills `crossed`, after the edges; in the plane z is ignored.
pli_status pli_surfaces_find_crossed(pli_surfaces* surfaces, int dim, const double* rest,
                                     pli_error* error);

// What pairs must know about neighbours at rest; NULL: nothing.
static inline const pli_rest* pli_surfaces_rest(const pli_surfaces* surfaces) {
    return surfaces->rest.x ? &surfaces->rest : NULL;
}

#endif
