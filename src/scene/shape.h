// Bodies made ready for a world: the mesh placed at rest, the state at t = 0, and the vertices that
// supports, motions and loads act on. Obstacles that become bodies come after the bodies that are
// there from the start, and bodies that appear later come after all others: so the numbers of those
// that a world starts with are their numbers in it.
#ifndef PLI_SCENE_SHAPE_H
#define PLI_SCENE_SHAPE_H

#include "pliant/joint.h"
#include "pliant/mesh.h"
#include "scene/arena.h"
#include "scene/findings.h"
#include "scene/tables.h"

#include <string.h>

// The selected vertices of a support, motion or load.
typedef struct pli_chosen {
    int count;
    const int32_t* vertices; // NULL: all
} pli_chosen;

// Keyframes of a motion by files, as in pli_prescribe_def, one offset for each chosen vertex.
typedef struct pli_motion_keys {
    int count;       // 0: none
    double* times;   // [s]
    double* offsets; // 3 for each chosen vertex, key after key [m]
} pli_motion_keys;

// One body of the world: a body of the scene or one of its copies. A copy differs from the
// first only in its placement; it shares elements, groups and chosen vertices.
typedef struct pli_shape {
    const pli_body_data* data;
    bool obstacle;              // of the scene's obstacles
    int body;                   // its number among the scene's bodies, or obstacles
    int copy;                   // 0: the first or only one
    double turn[3];             // from the first copy to this one: axis times angle [rad], about
                                // the centre of `repeat`; then
    double shift[3];            // [m]
    const char* name;           // given, or "body 0"; of a copy with its number: "cube 3"
    bool sound;                 // mesh and placement are valid, and so is the rest of the struct
    pli_mesh mesh;              // at rest
    double* pattern;            // flat rest shape of a sheet, 6 per triangle [m]; NULL: none
    double* initial;            // 3 per vertex [m]
    double* velocities;         // 3 per vertex [m/s]
    pli_chosen* fix;            // per entry of data->fix; empty if the scene has an error there
    pli_chosen* prescribe;      // per entry of data->prescribe
    pli_motion_keys* sequences; // per entry of data->prescribe
    pli_chosen* loads;          // per entry of data->loads
} pli_shape;

// Pairs of vertices of an entry of "stencils".
typedef struct pli_stencil_pairs {
    int body[2];       // of the builder
    int count;         // 0: the scene has an error
    int32_t* vertices; // 2 per pair
} pli_stencil_pairs;

// What a world got of a scene, with copies.
typedef struct pli_added {
    pli_body_id* bodies; // per body of the builder
    uint64_t* hashes;    // likewise: pli_world_body_hash
    int* first_energy;   // likewise; behind the last body that of stencils
    int* first_load;     // likewise
    pli_energy_id* energies;
    void** load_fields; // contexts of pli_formula_field, one per load
    pli_half_space_id* half_spaces;
    pli_joint_id* joints;
} pli_added;

// Bodies of a joint (-1: the world) and the vertices that carry it.
typedef struct pli_joint_ends {
    int number; // of the joint
    int body[2];
    int of[2]; // joints that a gear connects; -1: none
    pli_chosen chosen[2];
} pli_joint_ends;

// The context of building a scene.
typedef struct pli_builder {
    pli_memory* memory;
    pli_arena* arena; // for everything but the meshes
    pli_arena* kept;  // for what the world uses
    pli_findings* findings;
    const pli_catalog* catalog;
    const pli_scene_data* scene;
    const char* folder; // of the scene file; "": the current one
    const pli_allocator* allocator;
    int body_count;  // with copies
    int start_count; // those that are there from the start
    int world_count; // those that the world has while it is built
    pli_shape* bodies;
    const char** names;          // of the bodies
    pli_stencil_pairs* stencils; // per entry of scene->stencils
    pli_joint_ends* joints;      // per entry of scene->joints
    pli_added added;
    bool running;     // errors of the world stay errors; otherwise they become findings
    int start_errors; // findings of vertices inside obstacles at t = 0
} pli_builder;

// x <- R S map(x) + t
void pli_place_positions(const pli_body_data* data, int dim, pli_mesh* mesh);

// Centre of mass and inertia of the def, which are given in the mesh before map and scale.
void pli_place_inertia(const pli_shape* shape, pli_body_def* def);

// Copies of a body, at least 1; at most 1e12.
double pli_copy_count(const pli_body_data* data);
enum { PLI_MOST_BODIES = 10000 };
// Keys of a body that its copies cannot have become findings.
pli_status pli_check_copies(pli_builder* builder, const pli_body_data* data, const pli_path* at,
                            pli_error* error);
// Sets how a shape differs from the first copy, by its number.
void pli_shape_set_copy(pli_shape* shape);
// The rest of a copy. Fails only without memory.
pli_status pli_shape_copy(pli_builder* builder, const pli_shape* first, pli_shape* shape,
                          pli_error* error);

// The path of the i-th of builder->bodies, for messages; `list` becomes the node above it.
pli_path pli_body_path(const pli_builder* builder, int i, pli_path* list);

// Whether a body is embedded in the one before it.
static inline bool pli_is_skin(const pli_body_def* def) {
    return strcmp(def->kinematics, "embedded") == 0;
}

// Whether it appears after the start.
static inline bool pli_is_late(const pli_shape* shape) { return shape->data->appears > 0; }

// The box around `count` points, 3 numbers each.
void pli_bounding_box(int count, const double* x, double low[3], double high[3]);

// Builds the shapes of all bodies that were read without errors. Problems become findings. Fails
// only without memory; call pli_shapes_free in any case.
pli_status pli_shapes_build(pli_builder* builder, pli_error* error);
void pli_shapes_free(pli_builder* builder);

// ---- selections

// The vertices of the rest shape that a selection chooses. Problems become findings at `at` and
// leave *chosen empty. If the body is not sound, only vertex numbers are checked. Fails only
// without memory.
pli_status pli_select(pli_builder* builder, const pli_shape* shape, const pli_selection* selection,
                      const pli_path* at, pli_chosen* chosen, pli_error* error);

// ---- the state at t = 0

// Fills `initial` and `velocities` of a shape whose mesh is placed and whose vertices are chosen.
// Problems become findings. Fails only without memory.
pli_status pli_set_start(pli_builder* builder, pli_shape* shape, const pli_path* at,
                         pli_error* error);

// The key that a finding about positions at t = 0 belongs to.
const char* pli_start_key(const pli_body_data* data);

#endif
