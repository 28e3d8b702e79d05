// Joints of the model: see joints.c.
#ifndef PLI_MODEL_JOINTS_H
#define PLI_MODEL_JOINTS_H

#include "model/model.h"
#include "pliant/joint.h"

enum {
    PLI_JOINT_VERTICES = 1000, // most of them on a side: the equations are solved densely
    PLI_JOINT_OVER = 100,      // most places of a pulley
    PLI_PIECE_ARROWS = 4,
    PLI_JOINT_MEASURES = 6,
    PLI_JOINT_PIECES = 8, // of all its measures
    PLI_WORLD_SIDE = 2,   // places that rest in the world
};

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

// scale (point[0] on side[0] - point[1] on side[1])
typedef struct pli_joint_arrow {
    int side[2], point[2];
    double scale;
} pli_joint_arrow;

// A scalar of a few arrows.
typedef enum pli_piece_kind {
    PLI_PIECE_DOT,      // a . b, of a length and a direction
    PLI_PIECE_DISTANCE, // |a|
    PLI_PIECE_ANGLE,    // from (c, d) to (a, b), two directions each
} pli_piece_kind;

typedef struct pli_joint_piece {
    pli_piece_kind kind;
    int32_t owner; // slot of the joint whose points the arrows have; -1: this one
    int number;    // of the piece in its owner
    double weight;
    double lever; // of a dot [m]: a turn of b counts as much as a motion of a by this times it
    pli_joint_arrow arrow[PLI_PIECE_ARROWS];
} pli_joint_piece;

// offset + sum of weight times piece: an equation (of 0, or of at most 0), or what a joint leaves
// free.
typedef struct pli_joint_measure {
    int first, count; // pieces
    double offset;
    bool angle;       // [rad]; [m] otherwise
    int free;         // pli_joint_value, -1: none
    bool equal, most; // it is 0, it is at most 0
} pli_joint_measure;

typedef struct pli_joint {
    char* name;
    const pli_joint_type* type;
    int32_t slot;
    pli_joint_def def; // without ends; the axis has length 1
    pli_joint_side side[2];
    int point_count, row_count, piece_count, measure_count;
    size_t point_room, row_room;
    double* points; // when it was added, 3 each [m]
    double size;    // lever of points beside `at` [m]
    pli_joint_row* rows;
    pli_joint_piece pieces[PLI_JOINT_PIECES];
    pli_joint_measure measures[PLI_JOINT_MEASURES];
    bool opened;   // it has broken once: its sides need not meet
    int32_t of[2]; // slots of the joints that a gear connects; -1: none
    // State of its measures between two preparations (dynamics/measures.h); NULL: it is new.
    double* kept;
    size_t kept_count;
} pli_joint;

// A row of the table of types.
struct pli_joint_type {
    const char* name;
    const char* help;
    unsigned needs;  // PLI_NEEDS_*
    unsigned leaves; // PLI_LEAVES_*
    bool region;     // listed vertices are held each by itself
    void (*make)(pli_joint* j, int dim, double size);
};

enum {
    PLI_NEEDS_AXIS = 1,
    PLI_NEEDS_AXIS2 = 2,
    PLI_NEEDS_TO = 4,
    PLI_NEEDS_SPACE = 8,
    PLI_NEEDS_JOINTS = 16, // `of`, and no ends
    PLI_NEEDS_OVER = 32,
    PLI_NEEDS_PITCH = 64,
    PLI_NEEDS_RATIO = 128,
    PLI_TAKES_SLACK = 256,
    PLI_AXIS_IN_SPACE = 512, // in the plane it is not used
    PLI_LEAVES_ANGLE = 1 << PLI_JOINT_ANGLE,
    PLI_LEAVES_TRAVEL = 1 << PLI_JOINT_TRAVEL,
};

// joint_types.c. Points, rows and measures of a type are made once its ends are known.
enum { PLI_JOINT_MOST_ROWS = 12, PLI_JOINT_MOST_POINTS = 8 };
const pli_joint_type* pli_joint_type_at(int i); // NULL before the first and after the last
const pli_joint_type* pli_joint_type_find(const char* name);
// The side whose listed vertices a weld holds each by itself; -1: none.
int pli_joint_region(const pli_joint* joint);
// The measure of what a joint leaves free; NULL: it has none.
const pli_joint_measure* pli_joint_measure_of(const pli_joint* joint, int free);
// Whether anything acts on it: a limit, a motor, ...
bool pli_joint_freedom_acts(const pli_joint_freedom* f);
// The measure of a gear, from those of two joints.
void pli_joint_connect(pli_joint* gear, const pli_joint* const of[2], const int free[2]);
// Whether a row or a measure uses a point on a side.
bool pli_joint_uses(const pli_joint* joint, int side, int point);

// Points and their places as an earlier joint had them: 3 for each point; per side with a body the
// weights of its vertices, or 3 for each point.
typedef struct pli_joint_known {
    int point_count;
    bool measures; // false: it was written before joints had them
    bool opened;
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
// Joints were read in order, so gears know them by number: now by slot.
void pli_model_rename_joints(pli_model* model);
bool pli_body_has_joint(const pli_model* model, int body);
void pli_joint_free(pli_memory* memory, pli_joint* joint);
void pli_model_free_joints(pli_model* model);

#endif
