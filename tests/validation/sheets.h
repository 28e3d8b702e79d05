// Plates and shells of triangles: grids over a square of parameters, supports, point forces.
#ifndef TESTS_VALIDATION_SHEETS_H
#define TESTS_VALIDATION_SHEETS_H

#include "validation/problems.h"

enum { FIX_CLAMPED = 8 }; // of a support_fn for sheets, beside the axes

// How the cells of a grid are cut in two: along one diagonal, like a union jack, or along the
// shorter one after inner vertices were displaced at random by up to 0.3 cells.
typedef enum sheet_mesh { ONE_DIAGONAL, UNION_JACK, RANDOM } sheet_mesh;

typedef struct sheet {
    double young, poisson, thickness; // [Pa], -, [m]
    double density;                   // [kg/m^3]
    const char* type;                 // of the energy; NULL: shell
} sheet;

// X by parameters u, v in 0 .. 1.
typedef void shape_fn(double u, double v, double X[3]);

// The trial's mesh: nx x ny cells; u along the first.
pli_status pli_sheet_mesh(trial* t, sheet_mesh kind, int nx, int ny, shape_fn* shape);
// A body of it with its supports. Its world has been made.
pli_status pli_sheet_body(trial* t, const sheet* s, const double* initial, support_fn* supports,
                          pli_body_id* id);
// A force on the vertex nearest to a place: `force` times the time, up to time 1.
pli_status pli_sheet_force(trial* t, pli_body_id id, const double place[3], const double force[3]);
int pli_sheet_nearest(const trial* t, const double place[3]);
// Displacement of that vertex.
void pli_sheet_moved(const trial* t, const double place[3], double u[3]);
double pli_sheet_stiffness(const sheet* s); // D [N m]

// A static world that takes `steps` steps in a time of 1 and balances to 1e-6 of the forces.
pli_world_def pli_sheet_static_def(int steps);

// A quarter of a hemisphere of radius 10 with a hole of 18 degrees; its corners u = 0, 1 at v = 0
// are on the equator, at x and at y.
shape_fn pli_shape_hemisphere;
support_fn pli_hemisphere_supports;
// An eighth of a cylinder of radius 100 and length 200 about y: u from the top to the side, v from
// a rigid diaphragm to the middle.
shape_fn pli_shape_pinched;
support_fn pli_pinched_supports;

// A moment about y on triangles, parameter `moment` [N m]: P = -m phi, phi the angle of the normal
// in the plane of x and z, 0 at z and growing towards -x.
extern const pli_energy_type pli_couple_type;

#endif
