// Rays and points against the parts of a surface: points, segments and triangles, each with a
// radius, the distance of the surface from them. In the plane all z are 0.
#ifndef PLI_CONTACT_RAY_H
#define PLI_CONTACT_RAY_H

typedef struct pli_part {
    int dim;
    int count;          // vertices: 1, 2 or 3
    const double* x[3]; // [m]
    double radius;      // [m]
} pli_part;

// A ray from `origin` in a unit direction. `far` is a point of it beyond all parts: the exact tests
// of which side of the line a vertex is on use these two points, so that no ray passes between two
// triangles with a common edge.
typedef struct pli_line {
    double origin[3], direction[3], far[3];
} pli_line;

// A point where a surface was met.
typedef struct pli_meeting {
    double distance;   // along the line, or from the place [m]
    double weights[3]; // of the vertices: the closest point of the part without its radius
    double point[3];   // on the surface [m]
    double normal[3];  // unit, of the surface there; 0: there is none
} pli_meeting;

// The first point where the line meets the part, HUGE_VAL if it does not; 0 if it begins within the
// radius. Parts with neither area (in the plane: length) nor radius are never met.
double pli_line_meets(const pli_line* line, const pli_part* part, pli_meeting* out);

// The closest point of the part to a given point; the distance is negative within its radius.
double pli_part_closest(const pli_part* part, const double place[3], pli_meeting* out);

#endif
