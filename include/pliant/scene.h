// Scenes: JSON text -> world, with every problem found before anything runs.
#ifndef PLIANT_SCENE_H
#define PLIANT_SCENE_H

#include "pliant/base.h"
#include "pliant/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLI_SCENE_FORMAT 1 // the newest version of scene files that is read

// Optional arrays of a frame, in addition to positions, elements and bodies, as bits 1 << field.
// Element arrays are computed when the frame is written, which takes longer than writing it.
typedef enum pli_frame_field {
    PLI_FRAME_VELOCITY,
    PLI_FRAME_DISPLACEMENT,
    PLI_FRAME_REACTION,
    PLI_FRAME_CONTACT_FORCE,  // if contact is possible
    PLI_FRAME_FRICTION_FORCE, // likewise
    PLI_FRAME_MASS,
    PLI_FRAME_ENERGY, // element arrays from here on
    PLI_FRAME_ENERGY_DENSITY,
    PLI_FRAME_STRETCHES,
    PLI_FRAME_STRESS,
    PLI_FRAME_VON_MISES,
    PLI_FRAME_STRETCH,       // the largest principal stretch
    PLI_FRAME_SIZE_RATIO,    // length, area or volume relative to rest
    PLI_FRAME_ENERGY_FIELDS, // vertex arrays: all of pli_world_field
    PLI_FRAME_FIELD_COUNT
} pli_frame_field;
enum {
    PLI_FRAME_ALL_FIELDS = (1 << PLI_FRAME_FIELD_COUNT) - 1,
    PLI_FRAME_DEFAULT_FIELDS = 1 << PLI_FRAME_VELOCITY | 1 << PLI_FRAME_DISPLACEMENT |
                               1 << PLI_FRAME_REACTION | 1 << PLI_FRAME_CONTACT_FORCE |
                               1 << PLI_FRAME_FRICTION_FORCE
};
PLI_API const char* pli_frame_field_name(int i); // of the array in the frames; NULL after the last

// The settings of a scene file that are not part of the world.
typedef struct pli_run_def {
    size_t size;        // set by the library: bytes filled in
    int steps;          // number of time steps; with a duration an upper bound
    double duration;    // the run ends at this time [s]; 0: after `steps`
    int frame_every;    // a frame is written every n-th step
    int preview_frames; // pictures in the film strip
    int checkpoint_every; // a checkpoint is written with every n-th frame; 0: never
    double checkpoint_interval; // minimum wall-clock time between two checkpoints [s]
    uint32_t fields;       // of frames, bits of pli_frame_field
    bool double_precision; // of frames
    bool compress;         // frames
    const char* name;   // of the scene
    const char* description; // free text; "": none
} pli_run_def;

typedef enum pli_severity { PLI_NOTE, PLI_WARNING, PLI_ERROR } pli_severity;

// One finding: "scene.json:14:20: body \"mat\": density = -5 kg/m^3, must be > 0".
typedef struct pli_finding {
    pli_severity severity;
    int line, column; // in the file, from 1; 0: none
    bool overridden;  // it concerns a value given by an override
    char path[160];   // "bodies[0].density"
    char message[480];
    const char* file; // an included file; NULL: the scene itself
} pli_finding;

// Summary of the simulated model.
typedef struct pli_scene_summary {
    int body_count, obstacle_count, vertex_count, unknown_count;
    int element_count[PLI_ELEMENT_KIND_COUNT];
    double mass;            // [kg]
    double low[3], high[3]; // bounding box of all bodies at t = 0 [m]
} pli_scene_summary;

typedef struct pli_scene pli_scene;

typedef struct pli_scene_def {
    size_t size; // set by pli_default_scene_def()
    const char* path;             // file to read
    const char* text;             // or the text itself (path is then only used as a name)
    const char* const* overrides; // "key.path=value", applied after reading
    int override_count;
    int thread_count;                           // 0: all processors
    bool interactive;                           // vertices may be grabbed: pli_world_grab
    const pli_energy_type* const* energy_types; // your own
    int energy_type_count;
    const pli_allocator* allocator;
} pli_scene_def;

PLI_API void pli_scene_def_init(pli_scene_def* def);
PLI_DEFAULT_DEF(scene)

// Reads and checks a scene. PLI_OK: the scene exists, even with findings; pli_scene_error_count
// tells whether it can run. Fails only if the file cannot be read or memory runs out.
PLI_API pli_status pli_scene_create(const pli_scene_def* def, pli_scene** scene, pli_error* error);
PLI_API void pli_scene_destroy(pli_scene* scene); // and its world; NULL is allowed

PLI_API int pli_scene_finding_count(const pli_scene* scene);
PLI_API const pli_finding* pli_scene_finding(const pli_scene* scene, int i);
PLI_API int pli_scene_error_count(const pli_scene* scene);
// The i-th finding with its position in front: "scene.json:14:20: ..." or "--set time.step: ...".
// Returns `buffer`.
PLI_API const char* pli_scene_finding_text(const pli_scene* scene, int i, char* buffer,
                                           size_t size);

// Valid if there are no errors; NULL otherwise. The world is prepared and owned by the scene.
PLI_API pli_world* pli_scene_world(pli_scene* scene);
// Intersections at the start, at most 10,000, and a world with the bodies at their start positions,
// only for reading positions, names and vertices. 0 and NULL if there are none.
PLI_API int pli_scene_crossing_count(const pli_scene* scene);
PLI_API const pli_crossing_info* pli_scene_crossings(const pli_scene* scene);
PLI_API const pli_world* pli_scene_crossed_world(const pli_scene* scene);
PLI_API const pli_run_def* pli_scene_run(const pli_scene* scene);
PLI_API const pli_scene_summary* pli_scene_summarize(const pli_scene* scene);

// The first body of the `repeat` that created `body`; for other bodies `body` itself.
PLI_API int pli_scene_first_copy(const pli_scene* scene, int body);

// The resolved scene: its text with overrides and the values of materials, as JSON; "" if it is not
// valid JSON.
PLI_API const char* pli_scene_text(const pli_scene* scene);
PLI_API const char* pli_scene_path(const pli_scene* scene); // of the def, or "scene"
PLI_API int pli_scene_override_count(const pli_scene* scene);
// Of the def, or set by pli_scene_set_parameter; NULL: none.
PLI_API const char* pli_scene_override(const pli_scene* scene, int i);
// Compares it with the text that pli_scene_text gave for an earlier one: calls `found` with one
// line for each difference ("time.step: 0.01 is now 0.02"); *count is their number. The schema
// location and the description are ignored. PLI_E_SCENE: `text` is not such a text.
typedef void pli_difference_fn(void* context, const char* line);
PLI_API pli_status pli_scene_compare(const pli_scene* scene, const char* text,
                                     pli_difference_fn* found, void* context, int* count,
                                     pli_error* error);

// Numbers, vectors, switches and words of the scene that make sense to change while it runs
// (pli_scene_set_parameter, or another scene with one more override and pli_world_set_state):
// gravity, the time step, tolerances, friction, densities, constants of energies, loads that are
// constant. In the order of the file's tables.
typedef struct pli_scene_parameter {
    char path[160];       // as overrides write it: "bodies[0].energies[0].young"
    char body[64];        // name of the body it belongs to; "": none
    const pli_param* row; // type, unit, range, help
    double value[3];      // the first for a number, integer or bool; all for a vector
    const char* word;     // of a choice
} pli_scene_parameter;
PLI_API int pli_scene_parameter_count(const pli_scene* scene);
PLI_API const pli_scene_parameter* pli_scene_parameter_at(const pli_scene* scene, int i); // or NULL

// Sets the i-th parameter in the scene and in its world, which keeps its state and uses the value
// from the next step on: gravity, the time step, friction of contact and of half-spaces, the contact
// stiffness, constants of energies and stencils, and loads. `value` is a number, or a vector; of a
// bool not 0 is true. *applied is false, and nothing is changed, for parameters that need another
// world: densities, dhat, solver settings, words. Text, overrides and parameters of the scene follow.
// PLI_E_SCENE or PLI_E_ARGUMENT: the value is not allowed, and everything is as before.
// Pointers from pli_scene_text, pli_scene_override and pli_scene_parameter_at become invalid.
PLI_API pli_status pli_scene_set_parameter(pli_scene* scene, int i, const double value[3],
                                           bool* applied, pli_error* error);

// Bodies that appear or vanish while the scene runs, in the order in which they do.
typedef struct pli_scene_event {
    double time;      // it happens after the first step that ends at or after this time [s]
    const char* body; // its name
    bool appears;     // false: it vanishes
} pli_scene_event;
PLI_API int pli_scene_event_count(const pli_scene* scene);
PLI_API pli_scene_event pli_scene_event_at(const pli_scene* scene, int i); // body "": none

// Adds and removes the bodies of all events up to `time` that have not happened yet; *count (or NULL)
// is their number. Call it after each step with the time of the world; the next pli_world_prepare or
// pli_world_step tells whether a new body intersects others. Before a state is restored
// (pli_checkpoint_restore), call it with the time of that state.
PLI_API pli_status pli_scene_update(pli_scene* scene, double time, int* count, pli_error* error);

// Separates bodies that intersect slightly or are closer than dhat at the start, by translating
// whole bodies. Obstacles, fixed and prescribed bodies, and bodies whose supports or loads depend
// on their position are not moved.
typedef struct pli_separation pli_separation;
typedef struct pli_body_move {
    const char* name; // of the body in the scene; copies move together
    double way[3];    // [m]
} pli_body_move;
// PLI_OK also if they could not be separated: see the reason. Fails if the scene cannot be read,
// has other errors (PLI_E_SCENE), or memory runs out.
PLI_API pli_status pli_scene_separate(const pli_scene_def* def, pli_separation** separation,
                                      pli_error* error);
PLI_API void pli_separation_destroy(pli_separation* separation);             // NULL is allowed
PLI_API const char* pli_separation_reason(const pli_separation* separation); // "": success
PLI_API int pli_separation_move_count(const pli_separation* separation);
PLI_API pli_body_move pli_separation_move(const pli_separation* separation, int i); // name NULL: none
// On success: the scene with its overrides and the new `translate` values, as JSON, read again and
// verified. Otherwise "".
PLI_API const char* pli_separation_text(const pli_separation* separation);

// Writes the reference of all scene keys (topic NULL: list of topics; "all": everything) or the
// JSON Schema to `write`, in pieces.
typedef void pli_write_fn(void* context, const char* text);
PLI_API pli_status pli_scene_help(const char* topic, pli_write_fn* write, void* context,
                                  pli_error* error);
PLI_API void pli_scene_schema(pli_write_fn* write, void* context);

#ifdef __cplusplus
}
#endif

#endif
