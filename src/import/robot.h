// A robot as its file describes it: links with shapes, and joints between them. Read by urdf.c,
// checked and placed by robot.c, its files found by meshes.c, written as a scene by robot_scene.c.
#ifndef PLI_IMPORT_ROBOT_H
#define PLI_IMPORT_ROBOT_H

#include "base/memory.h"
#include "base/text.h"
#include "pliant/import.h"

typedef struct pli_pose { // x = R y + p
    double p[3], R[9];
} pli_pose;

static const pli_pose PLI_NO_POSE = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};

typedef enum pli_robot_shape_kind {
    PLI_ROBOT_NOTHING, // its file had an error, or a kind that is not known
    PLI_ROBOT_BOX,
    PLI_ROBOT_CYLINDER,
    PLI_ROBOT_SPHERE,
    PLI_ROBOT_MESH,
} pli_robot_shape_kind;

typedef struct pli_robot_shape {
    int link, line;
    bool visual; // else for collisions
    pli_robot_shape_kind kind;
    pli_pose pose;         // in the link
    double size[3];        // of a box [m]; factors of a mesh
    double radius, length; // [m]
    char* path;            // of a mesh, as the file names it; NULL: none
} pli_robot_shape;

typedef struct pli_robot_link {
    char* name;
    int line;
    int inertial_line; // 0: it has none
    double mass;       // [kg]
    pli_pose inertial; // centre of mass, and axes of the inertia
    double inertia[6]; // xx, xy, xz, yy, yz, zz [kg m^2]
    int joint;         // above it; -1: it is the root
    int body;          // root of the links that move with it
    pli_pose pose;     // at the start, in the root
} pli_robot_link;

typedef struct pli_robot_joint {
    char* name;
    char *type, *parent, *child, *mimic; // names; NULL: not given
    int line, mimic_line;
    int from, to; // links; -1: unknown
    int source;   // the joint that it follows; -1: none
    double multiplier, offset;
    pli_pose pose;  // in the parent
    double axis[3]; // in the joint
    int axis_line;  // 0: not given
    int limit_line; // 0: not given
    double lower, upper, effort, velocity;
    double damping, friction;
    double start; // its value at the start [rad] or [m]
} pli_robot_joint;

typedef struct pli_robot {
    pli_memory* memory;
    const pli_import_def* def;
    pli_import_info info;
    char* name;
    int link_count, link_capacity, joint_count, joint_capacity, shape_count, shape_capacity;
    pli_robot_link* links;
    pli_robot_joint* joints;
    pli_robot_shape* shapes;
    int root; // link
} pli_robot;

// A type of joint: what it leaves free and what the scene calls that.
typedef enum pli_freedom {
    PLI_FREE_NONE,
    PLI_FREE_ANGLE,
    PLI_FREE_TRAVEL,
    PLI_FREE_MORE
} pli_freedom;
typedef struct pli_robot_type {
    const char* name;  // in URDF
    const char* scene; // NULL: no joint
    pli_freedom freedom;
    bool axis, limits; // that it needs
    bool fixed;        // the links are one body
} pli_robot_type;
const pli_robot_type* pli_robot_type_of(const char* name); // NULL: unknown
const char* pli_robot_type_name(int i);                    // NULL after the last

void pli_robot_free(pli_robot* robot);

// Reports an error (or a note) of the file at a line.
void pli_robot_error(pli_robot* robot, int line, const char* format, ...) PLI_PRINTF(3, 4);
void pli_robot_note(pli_robot* robot, int line, const char* format, ...) PLI_PRINTF(3, 4);

void pli_pose_product(const pli_pose* a, const pli_pose* b, pli_pose* out); // a after b
void pli_pose_of(const double p[3], const double rpy[3], pli_pose* out);    // about fixed x, y, z
void pli_pose_turn(const pli_pose* pose, double degrees[3]);                // axis times angle

// The steps, in this order. They fail without memory, or if the file cannot be read; what is wrong
// in it is reported, and counted in info.error_count.
pli_status pli_urdf_read(pli_robot* robot, const char* text, size_t size, pli_error* error);
pli_status pli_robot_check(pli_robot* robot, pli_error* error);
pli_status pli_robot_find_meshes(pli_robot* robot, pli_error* error);
pli_status pli_robot_write(pli_robot* robot, char** scene, pli_error* error);

#endif
