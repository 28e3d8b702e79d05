// The closest points of two primitives in space, and derivatives of functions of their distance.
//
// Point-point, point-edge, point-triangle, edge-edge: the distance is d = |w|, w = sum_i c_i x_i
// over the vertices of the pair, with the weights c that minimize it. As the vertices move, the
// closest points slide along their primitives in zero, one or two directions. One frame holds all
// of it: weights, normal, tangents, and how the weights change along the tangents. Gradient,
// Hessian and positive semi-definite Hessian of any psi(d) (d^2 itself, a barrier) follow from it.
#ifndef PLI_CONTACT_CLOSEST_H
#define PLI_CONTACT_CLOSEST_H

#include "contact/pair_set.h"
#include <stdbool.h>

enum { PLI_CLOSEST_MAX = 4 }; // vertices of a pair

typedef struct pli_closest {
    int width;       // vertices of the pair: 2, 3 or 4
    int glide_count; // directions in which the closest points slide: 0, 1 or 2
    // Bit i: vertex i spans the closest feature. Point-triangle has 7 such sets (a corner, a side,
    // all), edge-edge 9 (an end or the line, for each edge).
    unsigned active;
    double distance;                  // [m]
    double c[PLI_CLOSEST_MAX];        // weights; their sum is 0, that of the two sides 1 and -1
    double normal[3];                 // unit, from the second primitive to the first
    double tangent[2][3];             // unit, perpendicular to the normal and to each other
    double glide[2][PLI_CLOSEST_MAX]; // dc if w moved along the tangent [1/m]
} pli_closest;

// Closest points. Order of vertices: two points; point, e0, e1; point, t0, t1, t2; a0, a1, b0, b1.
// Exact up to the rounding of the positions for every input: parallel or crossing edges,
// zero-length edges, slivers, triangles of zero area. Where d = 0 the normal is some unit vector
// perpendicular to the feature.
void pli_point_point_closest(const double* const* x, pli_closest* out);
void pli_point_segment_closest(const double* const* x, pli_closest* out);
void pli_point_triangle_closest(const double* const* x, pli_closest* out);
void pli_edge_edge_closest(const double* const* x, pli_closest* out);

// g (3 width) += d psi / dx, given psi'(d).
void pli_closest_gradient(const pli_closest* pair, double first, double* g);

// H (3 width x 3 width) += the second derivatives, given psi''(d) and psi'(d) / d.
void pli_closest_hessian(const pli_closest* pair, double second, double first_over_d, double* H);

// The same, but += a positive semi-definite upper bound of it: the psi'' part unchanged and the
// nearest positive semi-definite matrix to the psi' part. Requires psi'' >= 0 and psi' <= 0, as
// barriers have.
void pli_closest_hessian_psd(const pli_closest* pair, double second, double first_over_d,
                             double* H);

// For the implementations of the pairs: q decomposed along u, v and their unit normal,
// q = coordinates[0] u + coordinates[1] v + height normal.
typedef struct pli_plane_split {
    double normal[3];
    double area; // |u x v| [m^2]
    double height;
    double coordinates[2];
} pli_plane_split;

// False if u and v span no plane (or an area below 1e-145 m^2). However thin the plane, the result
// is exact for a q perturbed by a few roundings of q, u and v.
bool pli_split_by_plane(const double u[3], const double v[3], const double q[3],
                        pli_plane_split* out);

// The frame of closest points inside both primitives. `closest->c`, width and active are inputs;
// `along` are the changes of the weights as w moves by -u and -v.
void pli_closest_inside(const double u[3], const pli_plane_split* split, const double v[3],
                        const double along[2][PLI_CLOSEST_MAX], pli_closest* closest);

// The frame of a point and an edge that are part of a wider pair, if it is closer than `closest`.
// `side` 1: the point belongs to the first primitive, -1: to the second.
void pli_closest_take_point_edge(const double* const* x, const int vertices[3], int side,
                                 pli_closest* closest);

// ---- kinds of pairs

typedef struct pli_space_pair {
    const char* name;
    int a_width, b_width; // vertices of the two primitives
    bool mollified;       // fades out where the primitives are parallel, see mollifier.h
    pli_pair_kind kind;
    void (*closest)(const double* const* x, pli_closest* out);
} pli_space_pair;

enum { PLI_SPACE_PAIR_COUNT = 4 };
extern const pli_space_pair pli_space_pairs[PLI_SPACE_PAIR_COUNT];

// The row of primitives with these numbers of vertices, or NULL.
const pli_space_pair* pli_space_pair_of(int a_width, int b_width);

#endif
