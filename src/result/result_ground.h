// Half-spaces as bodies, for programs that have no half-spaces; convex polygons cut by planes.
#ifndef PLI_RESULT_RESULT_GROUND_H
#define PLI_RESULT_RESULT_GROUND_H

#include "result/result.h"

// Adds an obstacle for each half-space of the result, with its name: in space a square of its
// surface that is twice as wide as what some of the frames show, cut by the others; in the plane a
// strip below its line. Frames that are read afterwards have their vertices behind those of the
// world, with fields of zero; those that a vertex carries move with it and cut no others. Call
// once.
pli_status pli_result_add_grounds(pli_result* result, pli_error* error);
// Moves them to their place in the frame; called by the reader of frames.
void pli_result_move_grounds(const pli_result* result, pli_result_frame* frame);

// ---- convex polygons in space, cut by planes

// Corners of a square cut by PLI_POLYGON_CUTS planes: each adds one at most.
enum { PLI_POLYGON_CUTS = 12, PLI_POLYGON_CORNERS = 4 + PLI_POLYGON_CUTS };

typedef struct pli_polygon {
    int count; // 2: a line
    double corner[PLI_POLYGON_CORNERS][3];
} pli_polygon;

// Keeps what is on the free side: (x - point) . normal >= 0.
void pli_polygon_cut(pli_polygon* polygon, const double point[3], const double normal[3]);

#endif
