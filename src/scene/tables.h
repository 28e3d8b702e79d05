// What a scene says, as C structs filled by the reader (section.h), and their sections.
// Nothing here touches a world: reading is separate from building.
#ifndef PLI_SCENE_TABLES_H
#define PLI_SCENE_TABLES_H

#include "pliant/world.h"
#include "scene/section.h"

typedef struct pli_output_data {
    int frame_every;
    int preview_frames;
} pli_output_data;

// Which vertices of a body: by number or inside a box; neither: all.
typedef struct pli_selection {
    pli_list vertices; // int
    pli_list box;      // double[3]: two corners [m]
} pli_selection;

typedef struct pli_fix_data {
    pli_selection selection;
    bool axes[3];
    double normal[3];
} pli_fix_data;

typedef struct pli_key_data {
    double time;      // [s]
    double offset[3]; // [m]
} pli_key_data;

typedef struct pli_prescribe_data {
    pli_selection selection;
    pli_prescribe_def def; // without vertices and keys
    pli_list keys;         // pli_key_data
} pli_prescribe_data;

typedef struct pli_body_data {
    pli_body_def def; // name, velocity, mass, kinematics and contact; no mesh yet
    pli_tagged mesh;  // mesh_kinds.h
    double scale[3];
    double rotate;       // [degrees]
    double translate[3]; // [m]
    double stretch[3];
    double spin;        // [rad/s]
    pli_list energies;  // pli_tagged; the struct is the energy's values in table order
    pli_list fix;       // pli_fix_data
    pli_list prescribe; // pli_prescribe_data
} pli_body_data;

typedef struct pli_scene_data {
    const char* schema;
    const char* name;
    const char* description;
    int version;
    pli_world_def world; // dimension, gravity, thickness, time step, solver, contact
    int steps;           // 0: not given
    double duration;     // [s]; 0: not given
    pli_list bodies;     // pli_body_data
    pli_list obstacles;  // pli_tagged: obstacle_kinds.h
    pli_output_data output;
} pli_scene_data;

// The root: everything else hangs from it.
extern const pli_section pli_scene_section;
extern const pli_section pli_mesh_section;   // tagged: mesh_kinds.h
extern const pli_section pli_energy_section; // tagged: the energies of the catalog

// The i-th energy of the catalog; the user's come first, so that they win over built-in ones of the
// same name, as in a world. NULL after the last and before the first.
const pli_energy_type* pli_catalog_energy(const pli_catalog* catalog, int i);

#endif
