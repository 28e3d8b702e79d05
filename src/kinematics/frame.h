// Frames: an affine body is carried by dim + 1 points, its controls.
//
//     x = p + A X = sum of w_k(X) c_k,   sum of w_k = 1
//
// so that a vertex of the body is a fixed blend of its controls with one scalar weight each, and
// its path is straight wherever the paths of the controls are. Each frame has dim + 1 points of its
// own, which belong to no mesh: the origin, and one at distance `length` along each axis. Mass and
// the energy that keeps A orthogonal act on them. They are the controls, too, unless vertices of
// the body are supported: those are then controls in their place, with the unknowns that their
// supports leave them.
#ifndef PLI_KINEMATICS_FRAME_H
#define PLI_KINEMATICS_FRAME_H

#include "kinematics/kinematics.h"
#include "kinematics/moments.h"

enum { PLI_FRAME_MAX = 4 };

typedef struct pli_body_frame {
    int owner;                                     // for the caller
    int first_vertex, end_vertex;                  // the points that it carries
    int first;                                     // its own points, dim + 1
    int32_t control[PLI_FRAME_MAX];                // vertices
    double origin[3], length;                      // at rest [m]
    double inverse[PLI_FRAME_MAX * PLI_FRAME_MAX]; // w = inverse (1, y), y = (X - origin) / length
    int32_t places; // y of its points, dim each, in `weights` of the kinematics
} pli_body_frame;

// A largest set of affinely independent places among `count` (3 each), well apart: their indices
// into `chosen`, of which the first `known` are there already; returns their number, at most dim +
// 1. `length` is the size of the body; those closer to the span of the others than 1e-4 of it count
// as dependent.
int pli_independent_places(int dim, int count, const double* places, double length, int known,
                           int32_t chosen[PLI_FRAME_MAX]);

// Adds a frame with its own points, which are not yet driven. `x` as in
// pli_kinematics_add_vertices: where its own points are [m]. The vertices it will carry exist.
pli_status pli_kinematics_add_frame(pli_kinematics* k, const pli_body_frame* frame, const double* x,
                                    pli_error* error);

// Weights of the controls at y. `control_y`: y of each control.
void pli_body_frame_set_controls(pli_body_frame* frame, int dim,
                                 double control_y[PLI_FRAME_MAX][3]);
void pli_body_frame_weights(const pli_body_frame* frame, int dim, const double* y, double* w);
// y of a place at rest, and of own point i.
void pli_body_frame_place(const pli_body_frame* frame, int dim, const double* rest, double y[3]);
static inline void pli_body_frame_own_place(int i, double y[3]) {
    for (int c = 0; c < 3; ++c) y[c] = c + 1 == i;
}

// All points of the frame and of its body become blends of the controls, which have their unknowns.
// `rest`: of the points from first_vertex on, 3 each. If no control has unknowns, all stay where
// they are.
pli_status pli_kinematics_carry(pli_kinematics* k, int frame, const double* rest, pli_error* error);

// Whether a control has unknowns.
bool pli_body_frame_moves(const pli_kinematics* k, const pli_body_frame* frame);

// Adds the mass to the frame's own points: exact for every motion of the frame. The centre of mass
// is its origin.
pli_status pli_kinematics_add_moments(pli_kinematics* k, int frame, const pli_moments* moments,
                                      pli_error* error);

// Unknowns of all frames that fit the points of bodies (3 each) at x, by least squares; if they lie
// in a plane or a line, the frame is completed by a rotation. For velocities pass the unknowns `at`
// which they hold; NULL: x are positions.
void pli_frames_fit(const pli_kinematics* k, const double* x, const double* at, double* q);

// Where the own points of a frame are if those of its body are at x, fitted as above.
void pli_body_frame_locate(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                           double own[PLI_FRAME_MAX][3]);

// A of a frame from the positions x of all vertices, row by row, dim x dim.
void pli_body_frame_gradient(const pli_kinematics* k, const pli_body_frame* frame, const double* x,
                             double* A);

#endif
