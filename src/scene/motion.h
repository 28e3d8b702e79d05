// Prescribed motion and loads as scenes write them: by velocity, keyframes, expressions, mesh
// files, or as a rigid body.
#ifndef PLI_SCENE_MOTION_H
#define PLI_SCENE_MOTION_H

#include "pliant/world.h"
#include "scene/findings.h"
#include "scene/section.h"
#include "scene/shape.h"

// ---- vectors as functions of time and position

// Rotates r about the axis `turn` by its length [rad].
void pli_rotate(const double turn[3], const double r[3], double out[3]);

// The three parts of `formulas` at a time and a position.
void pli_formulas_value(const pli_formulas* formulas, double time, const double place[3],
                        double out[3]);

// Adds a finding at the first part of `formulas` that is not finite at t = 0 at one of the chosen
// vertices, whose positions are `x`, 3 numbers each. `at` is the key of the vector; `single`: of a
// single expression.
pli_status pli_formulas_check(pli_builder* builder, const pli_formulas* formulas, bool single,
                              const pli_chosen* chosen, const double* x, const pli_path* at,
                              pli_error* error);

// The formulas as a field; copies of a body use the position of the first, without `shift`.
pli_status pli_formula_field(pli_arena* kept, const pli_formulas* formulas, const double shift[3],
                             pli_field_fn** field, void** context, pli_error* error);
// Its value from now on, in place of the formulas.
void pli_formula_field_set(void* context, const double value[3]);

// Rigid motion, as displacement from the start X:
//     velocity s + R(spin s) (X - center) - (X - center),    s = max(min(t, until) - from, 0),
// with `angle` R(axis angle(min(t, until))), axis = spin / |spin|.
typedef struct pli_rigid_motion {
    double velocity[3];   // [m/s]
    double spin[3];       // [rad/s]
    pli_expression angle; // of t [rad]; without instructions: none
    double center[3];     // at t = from [m]
    double from, until;   // [s]
} pli_rigid_motion;

pli_status pli_rigid_field(pli_arena* kept, const pli_rigid_motion* motion, pli_field_fn** field,
                           void** context, pli_error* error);

// ---- motions

// Whether it rotates, or starts or ends at a time, which velocity and travel cannot express.
bool pli_is_rigid(const pli_prescribe_data* data);

// The path of the i-th motion of a shape whose path is `at`; `list` becomes the node above it.
pli_path pli_motion_path(const pli_shape* shape, const pli_path* at, int i, pli_path* list);

pli_rigid_motion pli_rigid_motion_of(const pli_shape* shape, const pli_prescribe_data* data,
                                     const pli_chosen* chosen);

// Findings about the motions and loads of a body: keys that exclude each other or are out of order,
// values that are not finite.
pli_status pli_check_motions(pli_builder* builder, const pli_shape* shape, const pli_path* at,
                             pli_error* error);

// ---- motion by mesh files

// Reads the files of shape->prescribe[i] of a shape with initial positions. Problems become
// findings below `at`, the path of the motion; *out is then empty.
pli_status pli_sequence_read(pli_builder* builder, const pli_shape* shape, int i,
                             const pli_path* at, pli_motion_keys* out, pli_error* error);

// Entries with `with` get the motion of that obstacle, which must be built; shape->data is
// replaced. Problems become findings. Fails only without memory.
pli_status pli_motions_join(pli_builder* builder, pli_shape* shape, const pli_path* at,
                            pli_error* error);

#endif
