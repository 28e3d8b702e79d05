// The volume enclosed by a surface of triangles: which points are inside, where a segment leaves.
//
// Where the triangles at every edge cancel, the surface is closed and the answer is exact: the
// winding number, counted along a vertical ray with exact predicates and a symbolic perturbation of
// the point, so that rays through edges and vertices and points on the surface are no special
// cases. Where they only pair up (triangles of different orientation), the crossings are counted
// modulo 2. Otherwise there are gaps: the generalized winding number [Jacobson13],
// which is close to an integer except near a gap, is compared with 1/2.
#ifndef PLI_MESH_ENCLOSURE_H
#define PLI_MESH_ENCLOSURE_H

#include "pliant/mesh.h"
#include "spatial/box_tree.h"

typedef enum pli_enclosure_mode { PLI_BY_WINDING, PLI_BY_PARITY, PLI_BY_ANGLE } pli_enclosure_mode;

typedef struct pli_enclosure {
    pli_memory* memory;
    pli_enclosure_mode mode;
    const double* x; // of the surface's vertices, not copied [m]
    int triangle_count;
    int32_t* triangles; // corners; coincident vertices are merged
    int open_edges;     // edges whose triangles do not pair up
    pli_tree tree;      // of the triangles
    double low[3], high[3];
    double* dipoles; // for PLI_BY_ANGLE, 7 per node: centre, vector area, radius
} pli_enclosure;

// Built from the triangles of `surface`, also quadratic ones (four plane triangles each), which
// must not change. PLI_E_ARGUMENT: there are none, or the surface is open: gaps are allowed where
// the generalized winding number leaves at most 1 % of the volume undecided.
pli_status pli_enclosure_create(pli_memory* memory, const pli_mesh* surface, pli_enclosure* e,
                                pli_error* error);
void pli_enclosure_free(pli_enclosure* e);

// Whether (x, y, z[i]) is inside, for `count` ascending z. `winding` is scratch of count + 1.
void pli_enclosure_column(const pli_enclosure* e, double x, double y, int count, const double* z,
                          int32_t* winding, bool* inside);
bool pli_enclosure_has(const pli_enclosure* e, const double p[3]);

// Where the segment from `from`, inside, to `to`, outside, first leaves: from + t (to - from).
// *triangle: the triangle there, -1 in a gap.
double pli_enclosure_leave(const pli_enclosure* e, const double from[3], const double to[3],
                           int32_t* triangle);

// The volume that the triangles enclose [m^3]; not exact where there are gaps or overlaps.
double pli_enclosure_volume(const pli_enclosure* e);

#endif
