// What a picture of a scene in space shows: the boundary of solids and the triangles of surfaces,
// made once for all pictures. Too many of them are merged into fewer, so that files stay small.
#ifndef PLI_RESULT_RELIEF_H
#define PLI_RESULT_RELIEF_H

#include "result/snapshot.h"

typedef struct pli_relief {
    pli_memory* memory;
    int triangle_count;
    int32_t* triangles;  // 3 vertices each; of solids counter-clockwise seen from outside
    int32_t* neighbours; // 3 each: the triangle beyond the side from corner k to k + 1; -1: none
    uint8_t* flags;      // 1 each, PLI_RELIEF_...
    double edge_length;  // mean over the sides, at rest [m]
    int corner_capacity, flag_capacity, neighbour_count;
} pli_relief;

enum {
    PLI_RELIEF_CREASE = 1, // side 0 is sharp or open at rest; shifted by k: side k
    PLI_RELIEF_SOLID = 8,  // seen from outside alone
};

// About `limit` triangles at most; every body keeps some. Triangles that are faces of tetrahedra
// are not shown again. Zero-initialize or free before.
pli_status pli_relief_init(pli_relief* relief, pli_memory* memory, const pli_snapshot* snapshot,
                           int limit, pli_error* error);
void pli_relief_free(pli_relief* relief); // zeroed is fine

#endif
