// The content of a scene, as C structs filled by the reader, and their sections. Nothing here
// touches a world: reading is separate from building.
#ifndef PLI_SCENE_TABLES_H
#define PLI_SCENE_TABLES_H

#include "pliant/world.h"
#include "scene/camera.h"
#include "scene/findings.h"
#include "scene/section.h"

#include <jansson.h>

typedef struct pli_output_data {
    int every;
    int frame_every; // its name in earlier versions; 0: not given
    pli_list fields; // const char*; none: the default ones
    const char* precision;
    const char* compression;
    int preview_frames;
    int checkpoint_every;
    double checkpoint_interval; // [s]
} pli_output_data;

typedef struct pli_sphere_data {
    double center[3]; // [m]
    double radius;    // [m]
} pli_sphere_data;

typedef struct pli_plane_data {
    double point[3]; // [m]
    double normal[3];
} pli_plane_data;

// Vertices of a body that satisfy all given conditions; none given: all vertices.
typedef struct pli_selection {
    pli_list vertices;             // int
    pli_list box;                  // double[3]: two corners [m]
    const pli_sphere_data* sphere; // NULL: not given
    const pli_plane_data* plane;   // NULL: not given
    const char* group;             // of the mesh; "": not given
    pli_expression where;          // of x, y, z; no instructions: not given
} pli_selection;

typedef struct pli_fix_data {
    pli_selection selection;
    bool axes[3];
    double normal[3];
    bool clamped, no_contact;
} pli_fix_data;

typedef struct pli_keyframe_data {
    double time;      // [s]
    double offset[3]; // [m]
} pli_keyframe_data;

// Positions of all vertices by mesh files.
typedef struct pli_sequence_data {
    pli_list files;  // const char*
    int first, last; // numbers for a pattern; last -1: the files are a list
    double interval; // [s]
    double from;     // time of the first [s]
} pli_sequence_data;

typedef struct pli_prescribe_data {
    pli_selection selection; // of obstacles: empty
    pli_prescribe_def def;   // without vertices, keys and field
    pli_list keys;           // pli_keyframe_data
    pli_formulas offset;     // of t, x, y, z [m]
    double spin[3];          // [rad/s]
    pli_expression angle;    // of t [rad]; no instructions: not given
    double center[3];        // [m]; NaN: not given
    double from;             // start of velocity and spin [s]
    double until;            // [s]; HUGE_VAL: never
    bool axes[3];            // prescribed; not used for obstacles
    bool clamped;            // edges turn with it
    bool no_contact;
    const pli_sequence_data* sequence; // NULL: not given
    const char* with;                  // "": not given; an obstacle whose motion it takes
} pli_prescribe_data;

// All kinds of loads.
typedef struct pli_load_data {
    pli_selection selection;
    pli_formulas value; // of t, x, y, z; of a pressure the first part
} pli_load_data;

typedef struct pli_repeat_data {
    int count[3];      // along each axis; [n, 0, 0]: n along the vector `spacing`
    double spacing[3]; // [m]
    double rotate[3];  // from one copy to the next: axis times angle [degrees]
    double center[3];  // of the rotation [m]
} pli_repeat_data;

// The key map of bodies and obstacles.
#define PLI_MAP_HELP                                                                               \
    "applied first: new position of each vertex as a function of its position x, y, z in the mesh"

// The key map_edges.
const char* pli_map_edges_name(int i);
#define PLI_MAP_EDGES(S)                                                                           \
    PLI_WORD(S, map_edges, "map_edges", pli_map_edges_name,                                        \
             "quadratic elements: map curves edges, or edges stay straight")

typedef struct pli_body_data {
    pli_body_def def;          // name, mass, kinematics and contact; no mesh and velocity yet
    const char* contact_group; // "": none
    const char* material;      // applied while the body is read
    pli_tagged mesh;           // mesh_kinds.h
    pli_formulas map;          // of x, y, z [m]
    const char* map_edges;     // "curved" or "straight"
    const char* pattern;       // "": none; "uv" or a mesh file
    pli_formulas pattern_map;  // u, v of x, y, z [unit]
    double pattern_scale;      // [m/unit]
    double scale[3];
    double rotate[3];              // axis times angle [degrees]
    double translate[3];           // [m]
    const pli_repeat_data* repeat; // NULL: once
    double stretch[3];
    pli_formulas initial;  // of x, y, z [m]
    double scramble;       // [m]
    pli_formulas velocity; // of x, y, z [m/s]
    double spin[3];        // [rad/s]
    pli_list energies;     // pli_tagged; the energy's values in table order, then, if its type has
                           // an input, pli_formulas
    pli_list fix;          // pli_fix_data
    pli_list prescribe;    // pli_prescribe_data
    pli_list loads;        // pli_tagged: pli_load_data; kinds: pli_load_word
    double appears;        // [s]; 0: there from the start
    double vanishes;       // [s]; HUGE_VAL: never
} pli_body_data;

// Friction between two names.
typedef struct pli_friction_pair_data {
    const char* between[2]; // NULL: not read
    double friction, friction_static;
} pli_friction_pair_data;

// One end of stencils: vertices of a body.
typedef struct pli_stencil_end_data {
    const char* body; // its name
    pli_selection selection;
} pli_stencil_end_data;

enum { PLI_STENCIL_VALUES = 32 };
typedef struct pli_stencils_data {
    double values[PLI_STENCIL_VALUES]; // parameters of the energy, in table order
    const char* pairing;
    pli_list between; // pli_stencil_end_data, two of them
    pli_list pairs;   // int[2]
} pli_stencils_data;

// Vertices of one side of a joint.
typedef struct pli_joint_end_data {
    pli_selection selection;
} pli_joint_end_data;

typedef struct pli_joint_spring_data {
    double stiffness, rest;
} pli_joint_spring_data;

// Of the targets one is given: the others have no instructions.
typedef struct pli_joint_motor_data {
    pli_expression position, velocity, force; // of t
    double cap, delay, stiffness, damping;
} pli_joint_motor_data;

// What acts on the angle or travel of a joint.
typedef struct pli_joint_freedom_data {
    double start, limits[2]; // NaN: not given
    double friction, damping;
    const pli_joint_spring_data* spring; // NULL: not given
    const pli_joint_motor_data* motor;   // NULL: not given
} pli_joint_freedom_data;

// All types of joints.
typedef struct pli_joint_data {
    const char* name;
    const char* between[2];
    const char* of[2]; // names of joints; NULL: not read
    double at[3], axis[3], axis2[3], to[3];
    double pitch, ratio, slack;
    pli_list over;                    // double[3]
    double break_force, break_torque; // 0: none
    double tolerance, angle_tolerance;
    const pli_joint_freedom_data* freedom[2]; // by pli_joint_value; NULL: not given
    const pli_joint_end_data *first, *second; // NULL: not given
    pli_formulas offset;                      // of t, x, y, z [m]
    double spin[3];                           // [rad/s]
} pli_joint_data;

typedef struct pli_scene_data {
    const char* schema;
    const char* name;
    const char* description;
    int version;
    const char* analysis;    // "dynamic", "static", "quasi-static"
    pli_world_def world;     // dimension, gravity, thickness, time step, solver, contact
    pli_list exclude;        // const char*[2]; an entry that could not be read is NULL
    pli_list allow_initial;  // const char*[2]
    pli_list friction_pairs; // pli_friction_pair_data
    int steps;               // 0: not given
    double duration;         // [s]; 0: not given
    pli_list bodies;         // pli_body_data
    pli_list obstacles;      // pli_tagged: obstacle_kinds.h
    pli_list stencils;       // pli_tagged: pli_stencils_data
    pli_list joints;         // pli_tagged: pli_joint_data
    pli_output_data output;
    const pli_camera_data* camera; // NULL: not given
} pli_scene_data;

// The root of all sections.
extern const pli_section pli_scene_section;
extern const pli_section pli_body_section;
extern const pli_section pli_mesh_section; // tagged: mesh_kinds.h
extern const pli_section pli_repeat_section;
extern const pli_section pli_motion_section; // of an obstacle: pli_prescribe_data
extern const pli_section pli_energy_section; // tagged: the energies of the catalog
extern const pli_section pli_stencil_end_section;
extern const pli_section pli_joint_end_section;

// Energies that can act between two vertices: stencils.c.
bool pli_stencils_variant(const pli_catalog* catalog, int i, pli_section* out);

// Types of joints: joint_tables.c.
bool pli_joint_variant(const pli_catalog* catalog, int i, pli_section* out);

// The i-th kind of loads, NULL after the last.
const char* pli_load_word(int i);

// The i-th energy of the catalog; those of the user come first, so that they replace built-in ones
// of the same name, as in a world. NULL after the last and before the first.
const pli_energy_type* pli_catalog_energy(const pli_catalog* catalog, int i);

// ---- the key "analysis"

// Words of the key, the default first, and their meanings.
const char* pli_analysis_name(int i);
const char* pli_analysis_help(int i);

// Sets scheme, steps and step size of a scene that was read from `root`; contradicting keys of time
// become findings. Fails only without memory.
pli_status pli_apply_analysis(const json_t* root, pli_scene_data* data, pli_findings* findings,
                              pli_error* error);

// ---- materials

enum {
    PLI_MATERIAL_DENSITY,
    PLI_MATERIAL_YOUNG,
    PLI_MATERIAL_POISSON,
    PLI_MATERIAL_YIELD, // NAN: none
    PLI_MATERIAL_VALUES
};

typedef struct pli_material {
    const char* name;
    const char* what;                        // description
    pli_setting values[PLI_MATERIAL_VALUES]; // density [kg/m^3], young [Pa], poisson, yield [Pa]
    double young_low, young_high;            // range of real materials [Pa]
    const char* source;                      // key in docs/references.bib
    const char* const* energies;             // types of a body without energies; ends with NULL
} pli_material;

const pli_material* pli_material_at(int i); // NULL before the first and after the last

// A sheet by name: for bodies of triangles in space. Its values, by place:
enum {
    PLI_SHEET_DENSITY,   // [kg/m^3], and
    PLI_SHEET_THICKNESS, // [m]: of the body
    PLI_SHEET_YOUNG,     // [Pa], and
    PLI_SHEET_POISSON,   // of all energies
    PLI_SHEET_HINGE,     // [J]: what "hinge" needs to bend like it on a regular mesh
    PLI_SHEET_LIMIT,     // of stretches
    PLI_SHEET_C11,       // [Pa], to
    PLI_SHEET_C33 = PLI_SHEET_C11 + 3,
    PLI_SHEET_VALUES
};

typedef struct pli_sheet_material {
    const char* name;
    const char* what;            // description
    const char* const* energies; // types of a body without energies; ends with NULL
    // NAN: none. Names of values for energies of one type begin with it: "hinge.stiffness".
    pli_setting values[PLI_SHEET_VALUES];
    const char* source; // key in docs/references.bib
} pli_sheet_material;

const pli_sheet_material* pli_sheet_material_at(int i); // NULL before the first and after the last
const pli_sheet_material* pli_sheet_material_find(const char* name); // NULL: there is no such

// The words of the key "material", "none" first, and what each means.
const char* pli_material_name(int i);
const char* pli_material_help(int i);

// Defaults of a body and its energies; empty if there is no such material.
pli_preset pli_material_preset(const char* name);

// Writes the energies of its material into every body of a scene that
// has a material but no key "energies". Fails only without memory.
pli_status pli_material_complete(json_t* scene, pli_error* error);

#endif
