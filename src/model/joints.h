// Joints of the model: see joints.c.
#ifndef PLI_MODEL_JOINTS_H
#define PLI_MODEL_JOINTS_H

#include "model/model.h"
#include "pliant/joint.h"

enum { PLI_JOINT_VERTICES = 1000 }; // most of them on a side: the equations are solved densely

typedef struct pli_joint_type pli_joint_type;

// Where the points of a joint are on one side.
typedef struct pli_joint_side {
    int body;          // -1: the world
    int vertex_count;  // 0: the frame of an affine body, or the world
    int32_t* vertices; // within the body
    double* weights;   // vertex_count for each point
    double* places;    // of a frame: at rest, 3 for each point [m]
} pli_joint_side;

// direction . (point on side 0 - point on side 1) = 0; with a base, that of the base is subtracted.
typedef struct pli_joint_row {
    int point, base; // base -1: none
    double direction[3];
} pli_joint_row;

typedef struct pli_joint {
    char* name;
    const pli_joint_type* type;
    int32_t slot;
    pli_joint_def def; // without ends; the axis has length 1
    pli_joint_side side[2];
    int point_count, row_count;
    size_t point_room, row_room;
    double* points; // when it was added, 3 each [m]
    pli_joint_row* rows;
} pli_joint;

// Points and their places as an earlier joint had them: 3 for each point; per side with a body the
// weights of its vertices, or 3 for each point.
typedef struct pli_joint_known {
    int point_count;
    double* points;
    double* values[2];
} pli_joint_known;

// The length of values[s] for a side with this body and this number of listed vertices.
static inline size_t pli_joint_values(int body, int vertex_count, int point_count) {
    return body < 0 ? 0 : (size_t)(vertex_count > 0 ? vertex_count : 3) * (size_t)point_count;
}

// See pli_world_add_joint. `known` NULL: places follow from the present positions. On failure
// nothing is added.
pli_status pli_model_add_joint(pli_model* model, const pli_joint_def* def,
                               const pli_joint_known* known, pli_error* error);
void pli_model_remove_joint(pli_model* model, int joint);
bool pli_body_has_joint(const pli_model* model, int body);
void pli_joint_free(pli_memory* memory, pli_joint* joint);
void pli_model_free_joints(pli_model* model);

#endif
