// Triangulation of polygons from files.
#ifndef PLI_MESH_NGON_H
#define PLI_MESH_NGON_H

#include "base/memory.h"

// Concave polygons with more corners are refused: the time grows with the square of their number.
enum { PLI_NGON_LIMIT = 4096 };

typedef enum pli_ngon_answer {
    PLI_NGON_SOUND,   // its triangles do not overlap in the projection along its normal
    PLI_NGON_CROSSES, // it crosses itself in that projection: there are no such triangles
    PLI_NGON_LARGE,   // it is concave and has too many corners
} pli_ngon_answer;

// A corner of a polygon that is being triangulated.
typedef struct pli_ngon_corner {
    double p[2];       // in the plane of the polygon
    int before, after; // its neighbours while it is in the polygon
    int32_t vertex;
    bool blocks; // not convex, or barely: may lie in the ear of another
    double ear;  // quality of the triangle with its neighbours; 0: none
} pli_ngon_corner;

typedef struct pli_ngon_box {
    double low[2], high[2];
} pli_ngon_box;

// Scratch memory, reused for many polygons. Set memory, zero the rest.
typedef struct pli_ngon_room {
    pli_memory* memory;
    int corner_capacity, triangle_capacity, box_capacity;
    pli_ngon_corner* corners;
    int32_t* triangles;
    pli_ngon_box* boxes; // of the triangles
} pli_ngon_room;
void pli_ngon_room_free(pli_ngon_room* room);

// `triangles` are the count - 2 triangles between the first corner of a polygon and its other
// edges. They are kept if they are valid, as those of a convex polygon are, or if all corners are
// collinear. Otherwise the same number of others with the same corners replace them; repeated
// corners give some with a repeated vertex. `x` are the positions of all vertices [m]. Fails only
// if out of memory.
pli_status pli_ngon_cut(pli_ngon_room* room, const double* x, int count, int32_t* triangles,
                        pli_ngon_answer* answer, pli_error* error);

#endif
