// What the files of the rod share: parameters, sections, frames of edges, and the strains of a
// corner with their derivatives. See rod.c.
#ifndef PLI_ENERGY_ROD_H
#define PLI_ENERGY_ROD_H

#include "math/vec.h"
#include "pliant/energy.h"

// ---- parameters, in table order

typedef struct pli_rod_params {
    double radius, inner, width, height;            // [m]
    double young, poisson;                          // [Pa], 1
    double axial, bending1, bending2, torsion;      // EA [N], EI1, EI2, GJ [N m^2]
    double inertia;                                 // per length [kg m]
    double straight, curvature1, curvature2, twist; // natural [1/m], [rad/m]
    double normal[3];                               // of the first segment of a thread
    double welded;
    double yield; // curvature [1/m]
} pli_rod_params;

// Area 0: not known.
typedef struct pli_rod_section {
    double area;      // [m^2]
    double EA;        // [N]
    double EI[2], GJ; // for bending in the plane of the first and of the second director [N m^2]
} pli_rod_section;

pli_status pli_rod_check(const double* params, pli_error* error);
// Of parameters that passed the check.
pli_rod_section pli_rod_section_of(const double* params);
// Whether the normal is given; components that are not are 0.
bool pli_rod_normal(const double* params, double normal[3]);
// For `section` of the type: the area.
double pli_rod_area(const double* params, int dimension);

// ---- stencils (rod_stencils.c): corners, width 5: vertex, vertex between, vertex, node of the
// first edge, node of the second

enum { PLI_ROD_TAG = 0x726f64 }; // of its nodes
pli_status pli_rod_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error);

// ---- frames of edges. An edge runs from its vertex with the lower number to the other, so that
// all corners at it have the same frame to the last bit.

typedef struct pli_rod_frame {
    double t[3], u[3]; // unit tangent, unit director normal to it
} pli_rod_frame;

// out = the vector u normal to the unit vector `from`, transported in parallel to the unit vector
// `to`: turned by the smallest rotation that takes one to the other. They must not be opposite.
static inline void pli_rod_transport(const double* from, const double* to, const double* u,
                                     double* out) {
    double s = pli_dot(to, u, 3) / (1 + pli_dot(from, to, 3));
    for (int c = 0; c < 3; ++c) out[c] = u[c] - s * (from[c] + to[c]);
}

// The first director of an edge, by its tangent alone: the axis that is most normal to it, made
// normal.
static inline void pli_rod_gauge(const double t[3], double u[3]) {
    int axis = 0;
    for (int c = 1; c < 3; ++c)
        if (fabs(t[c]) < fabs(t[axis])) axis = c;
    for (int c = 0; c < 3; ++c) u[c] = (c == axis ? 1 : 0) - t[axis] * t[c];
    double length = pli_norm(u, 3);
    for (int c = 0; c < 3; ++c) u[c] /= length;
}

// ---- strains of a corner: curvatures and twist, as integrals over its length

// Variables: the two edge vectors (3 each) and the two angles, along the corner.
enum { PLI_ROD_VARIABLES = 8, PLI_ROD_STRAINS = 3 };

typedef struct pli_rod_corner {
    double length[2];        // of the edges [m]
    double start[2][3];      // tangents at the start of the step
    double t[2][3], u[2][3]; // tangents, reference directors
    double m[2][2][3];       // [edge][director]: material directors
    double connection[2][3]; // turn of the reference director by a change of the edge [1/m]
    double bend[3];          // curvature binormal
    double chi, tangent[3];  // 1 + t0.t1; (t0 + t1) / chi
    double mean[2][3];       // [director]: sum of the directors of both edges / chi
    double reference;        // twist of the reference directors [rad]
    double strain[PLI_ROD_STRAINS];
} pli_rod_corner;

// The strains, and all that derivatives need. `e`: edge vectors along the corner; `start`: frames
// at the start of the step, likewise; `angle`: of the edges; `twist`: a value that the reference
// twist is near. False: the state is forbidden, because an edge has no length, is turned by pi
// since the start of the step, or folds back on the other.
bool pli_rod_bend(double e[2][3], const pli_rod_frame start[2], const double angle[2], double twist,
                  pli_rod_corner* corner);
void pli_rod_gradient(const pli_rod_corner* corner, double g[PLI_ROD_STRAINS][PLI_ROD_VARIABLES]);
// The derivative of the gradient along d.
void pli_rod_curvature(const pli_rod_corner* corner, double g[PLI_ROD_STRAINS][PLI_ROD_VARIABLES],
                       const double d[PLI_ROD_VARIABLES],
                       double out[PLI_ROD_STRAINS][PLI_ROD_VARIABLES]);

#endif
