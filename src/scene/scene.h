// Inside the module: the scene object for its other files.
#ifndef PLI_SCENE_SCENE_H
#define PLI_SCENE_SCENE_H

#include "base/memory.h"
#include "pliant/change.h"
#include "pliant/scene.h"
#include "scene/build.h"
#include "scene/source.h"
#include "scene/tables.h"

// As pli_scene_create; keep_initial: keeps the initial state, without a prepared world.
pli_status pli_scene_open(const pli_scene_def* def, bool keep_initial, pli_scene** scene,
                          pli_error* error);
pli_initial* pli_scene_initial(pli_scene* scene); // its world is NULL if it was not kept

enum { PLI_PARAMETERS_KEPT = 400 }; // the first ones of a scene with thousands of bodies

typedef struct pli_parameters {
    pli_memory* memory;
    int count, capacity;
    pli_scene_parameter* items;
} pli_parameters;

// Zero-initialize but for `memory`.
pli_status pli_parameters_collect(pli_parameters* list, const pli_catalog* catalog,
                                  const pli_scene_data* scene, pli_error* error);
void pli_parameters_free(pli_parameters* list);
// Whether a path has the form of a pattern: [] is any index, * at the end any key.
bool pli_parameter_matches(const char* pattern, const char* path);

// A body as it was built; the world may change it later.
typedef struct pli_built_body {
    const char* name;
    int body; // of the scene: copies share it; -1: an obstacle
    int vertex_count;
    uint64_t hash; // pli_world_body_hash
} pli_built_body;
int pli_scene_built_count(const pli_scene* scene);
const pli_built_body* pli_scene_built_body(const pli_scene* scene, int i);

// A body appears or vanishes.
typedef struct pli_event {
    double time; // [s]
    int body;    // as built
    bool appears;
} pli_event;

struct pli_scene {
    pli_memory memory;
    pli_arena kept;          // what follows, and expressions and fields, which the world uses
    const char* path;        // as messages name it
    const char** overridden; // paths given by overrides
    const char** overrides;  // the overrides
    int override_count, override_room;
    int set_count;          // the last ones are of pli_scene_set_parameter
    int body_count;         // as built
    int* first_copy;        // per body
    pli_built_body* bodies; // per body
    pli_catalog catalog;    // energies of the user
    pli_text text;          // as resolved
    pli_findings findings;
    pli_run_def run;
    pli_scene_summary summary;
    pli_parameters parameters;
    pli_world* world; // NULL if there are errors
    pli_added added;
    struct pli_scene_loader* loader; // kept if bodies appear later
    pli_event* events;               // in the order in which they happen
    int event_count, events_done;
    pli_initial initial; // empty unless bodies intersect or it was asked for
};

// What is needed only while the scene is created.
typedef struct pli_scene_loader {
    const pli_scene_def* def;
    bool keep_initial;
    char* text; // read from the file; NULL if it was given
    size_t text_size;
    json_t* root;
    pli_arena arena;
    pli_catalog catalog;
    const char* folder;
    pli_scene_data* data;
    pli_builder builder;
} pli_scene_loader;

// ---- bodies that appear and vanish: events.c

// Lists the events of a scene whose world is made.
pli_status pli_events_list(pli_scene* scene, const pli_builder* builder, pli_error* error);
bool pli_events_need_loader(const pli_scene* scene);

// ---- changing a parameter

// A scene's text with one more override, read but not built.
typedef struct pli_scene_trial {
    pli_scene_loader loader; // root, data
    pli_scene read;          // text, parameters, findings
} pli_scene_trial;

// `override` NULL: as it is. PLI_E_SCENE: the first error. Free the trial in any case.
pli_status pli_scene_try(pli_scene* scene, const char* override, pli_scene_trial* trial,
                         pli_error* error);
// The scene takes over text, parameters and the end of the run.
void pli_scene_keep(pli_scene* scene, pli_scene_trial* trial);
void pli_scene_trial_free(pli_scene_trial* trial);

#endif
