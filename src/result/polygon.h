// Convex polygons in space, cut by planes.
#ifndef PLI_RESULT_POLYGON_H
#define PLI_RESULT_POLYGON_H

// Corners of a square cut by PLI_POLYGON_CUTS planes: each adds one at most.
enum { PLI_POLYGON_CUTS = 12, PLI_POLYGON_CORNERS = 4 + PLI_POLYGON_CUTS };

typedef struct pli_polygon {
    int count; // 2: a line
    double corner[PLI_POLYGON_CORNERS][3];
} pli_polygon;

// Keeps what is on the free side: (x - point) . normal >= 0.
void pli_polygon_cut(pli_polygon* polygon, const double point[3], const double normal[3]);

#endif
