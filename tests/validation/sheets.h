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

#endif
