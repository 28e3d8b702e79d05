// Joints: places of two bodies, or of a body and the world, that stay together.
//
// A joint is a few linear equations A q = b(t) on the unknowns. Every step keeps them exactly, to
// rounding: there is no stiffness to choose. Their forces are results. Joints take implicit schemes,
// Newton's methods and direct linear solvers; contact between the bodies that a joint connects is
// as that of any other two (pli_world_add_contact_rule).
#ifndef PLIANT_JOINT_H
#define PLIANT_JOINT_H

#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

// Handle to a joint.
typedef struct pli_joint_id {
    int32_t index;
    uint32_t generation;
} pli_joint_id;

// One side of a joint. A place of an affine or rigid body moves with its frame. A place of any other
// body is the combination of its listed vertices that lies there, with weights that reproduce every
// affine motion: one vertex is that vertex, several are their mean if the place is in the middle.
typedef struct pli_joint_end {
    pli_body_id body;        // generation 0: the world, which does not move
    const int32_t* vertices; // numbers within the body, each once; NULL: of an affine or rigid body
    int vertex_count;        // the body itself, of others the vertex nearest to `at`
} pli_joint_end;

// Types, see pli_joint_type_name:
//   "ball"      one place stays together
//   "hinge"     two places on the axis do, so only rotation about it is left; in the plane as "ball"
//   "weld"      all relative motion is excluded; listed vertices of a deformable body are each held
//               to the other side
//   "slider"    translation along the axis is left; one end is the world
//   "cylinder"  translation along the axis and rotation about it are left; one end is the world; in
//               space
typedef struct pli_joint_def {
    size_t size;      // set by pli_default_joint_def()
    const char* name; // for results; "": "joint 0", ...; copied
    const char* type; // one of the above
    pli_joint_end ends[2];
    double at[3];   // its place at present [m]
    double axis[3]; // of types that have one; any length above 0
    // Of a ball, hinge or weld with the world: how the place of the world moves, as displacement [m]
    // by time and place; NULL: it rests. `context` must outlive the world.
    pli_field_fn* motion;
    void* context;
} pli_joint_def;

PLI_API void pli_joint_def_init(pli_joint_def* def); // a ball between the world and itself: set ends
PLI_DEFAULT_DEF(joint)

// Adds a joint; `id` may be NULL. The bodies must meet there at present, within 1e-6 of their size.
PLI_API pli_status pli_world_add_joint(pli_world* world, const pli_joint_def* def, pli_joint_id* id,
                                       pli_error* error);
PLI_API pli_status pli_world_remove_joint(pli_world* world, pli_joint_id id, pli_error* error);

PLI_API int pli_world_joint_count(const pli_world* world);
// The number that reading functions take, -1: removed, or of another world; and the reverse.
PLI_API int pli_world_joint_number(const pli_world* world, pli_joint_id id);
PLI_API pli_joint_id pli_world_joint_id(const pli_world* world, int joint);

typedef struct pli_joint_info {
    const char* name;
    const char* type;
    int bodies[2];    // numbers; -1: the world
    double place[3];  // now, on the second side [m]
    double force[3];  // that the joint exerts on the first side [N]; on the second the opposite acts
    double torque[3]; // same, about `place` [N m]
    double gap;       // largest violation of one of its equations [m]
    int row_count;    // equations
    int dropped;      // those of them that follow from others
} pli_joint_info;

// Of a prepared world: the state and forces of the last step. False: there is no such joint.
PLI_API bool pli_world_joint(const pli_world* world, int joint, pli_joint_info* info);

// The i-th type and what it does, NULL after the last.
PLI_API const char* pli_joint_type_name(int i);
PLI_API const char* pli_joint_type_help(int i);

#ifdef __cplusplus
}
#endif

#endif
