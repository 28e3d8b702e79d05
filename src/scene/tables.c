// The keys of a scene, one row each: those of the C interface come from its own tables, the rest is
// here. Limits on counts keep a typing error from asking for more memory than there is.
#include "scene/tables.h"

#include "scene/analysis.h"
#include "scene/obstacle_kinds.h"
#include "scene/rows.h"

// ---- time and output

static const pli_param steps_rows[] = {
    PLI_INTEGER(pli_scene_data, steps, "steps", 0, 1e9, 0,
                "number of time steps; 0: taken from duration, or 100"),
    PLI_NUMBER(pli_scene_data, duration, "duration", "s", 0, 1e9, 0, 0,
               "simulated time, instead of steps"),
};
static const pli_params steps_params = PLI_PARAMS(steps_rows);

static const pli_group time_groups[] = {
    {.object = PLI_OBJECT_TIME, .base = offsetof(pli_scene_data, world)},
    {.params = &steps_params},
};

static const pli_section time_section = {
    .name = "time",
    .help = "how long and in which steps",
    PLI_GROUPS(time_groups),
};

PLI_CHOICE(precision_word, "single", "double")
PLI_CHOICE(compression_word, "fast", "small")

// The arrays of frames, and "all" of them.
static const char* field_word(int i) {
    if (i == PLI_FRAME_FIELD_COUNT) return "all";
    return pli_frame_field_name(i);
}

static const pli_param output_rows[] = {
    PLI_INTEGER(pli_output_data, every, "every", 1, 1e9, 1,
                "a frame is written every so many steps"),
    PLI_INTEGER(pli_output_data, frame_every, "frame_every", 0, 1e9, 0,
                "earlier name of every; 0: not given"),
    PLI_WORD(pli_output_data, precision, "precision", precision_word,
             "of the numbers in frames; how precisely is computed does not depend on it"),
    PLI_WORD(
        pli_output_data, compression, "compression", compression_word,
        "of frames; fast: only what does not change and zeros, small: all, which takes longer"),
    PLI_INTEGER(pli_output_data, preview_frames, "preview_frames", 0, 60, 8,
                "pictures in the film strip preview.svg; 0: none"),
    PLI_INTEGER(
        pli_output_data, checkpoint_every, "checkpoint_every", 0, 1e9, 1,
        "checkpoint.pli, from which pliant run --resume goes on, is written with every so many "
        "frames, if checkpoint_interval has passed since the last one, and at the end; 0: never"),
    PLI_NUMBER(pli_output_data, checkpoint_interval, "checkpoint_interval", "s", 0, 1e9, 10, 0,
               "time by the clock between checkpoints at least; 0: see checkpoint_every"),
};
static const pli_params output_params = PLI_PARAMS(output_rows);
static const pli_part output_parts[] = {
    PLI_PART(PLI_WORD(pli_output_data, fields, "fields", field_word,
                      "arrays of frames; default: velocity, displacement, reaction, contact_force "
                      "and friction_force. Those of elements (energy ... von_mises) must be asked "
                      "for, because they take longer to find than to write: \"output\": "
                      "{\"fields\": [\"stress\"]} in the scene, or --set "
                      "'output.fields=[\"all\"]'; stress brings von_mises along"),
             PLI_TUPLES, 1, 0, 32, NULL),
};
static const pli_group output_groups[] = {{.params = &output_params}};

static const pli_section output_section = {
    .name = "output",
    .help = "what is written to the results folder",
    .size = sizeof(pli_output_data),
    PLI_GROUPS(output_groups),
    PLI_PARTS(output_parts),
};

// ---- solver and contact

static const pli_group solver_groups[] = {{.object = PLI_OBJECT_SOLVER}};

static void init_solver(void* data) {
    pli_solver_def* solver = data;
    solver->size = sizeof *solver;
}

static const pli_section solver_section = {
    .name = "solver",
    .help = "how the energy of a step is minimized and when that stops",
    .size = sizeof(pli_solver_def),
    PLI_GROUPS(solver_groups),
    .init = init_solver,
};

static const pli_param friction_pair_rows[] = {
    PLI_NUMBER(pli_friction_pair_data, friction, "friction", "", 0, 100, 0, PLI_PARAM_REQUIRED,
               "friction coefficient while they slide"),
    PLI_NUMBER(pli_friction_pair_data, friction_static, "friction_static", "", 0, 100, 0, 0,
               "friction coefficient up to which they stick; 0: the same"),
};
static const pli_params friction_pair_params = PLI_PARAMS(friction_pair_rows);
static const pli_group friction_pair_groups[] = {{.params = &friction_pair_params}};

static const pli_part friction_pair_parts[] = {
    PLI_PART(PLI_TEXT(pli_friction_pair_data, between, "between", PLI_PARAM_REQUIRED,
                      "two words as in exclude"),
             PLI_VALUES, 2, 0, 0, NULL),
};

static const pli_section friction_pair_section = {
    .name = "friction_pairs",
    .help = "friction between bodies and obstacles that answer to two words",
    .size = sizeof(pli_friction_pair_data),
    PLI_GROUPS(friction_pair_groups),
    PLI_PARTS(friction_pair_parts),
};

static const pli_group contact_groups[] = {
    {.object = PLI_OBJECT_CONTACT, .base = offsetof(pli_scene_data, world.contact)},
};

static const pli_part contact_parts[] = {
    PLI_PART(PLI_TEXT(pli_scene_data, exclude, "exclude", 0,
                      "pairs [\"a\", \"b\"] that do not touch: a word is the name of a body or "
                      "obstacle, of copies the name before the number, a contact_group, a "
                      "material; \"*\" is all"),
             PLI_TUPLES, 2, 0, 100000, NULL),
    PLI_PART(PLI_TEXT(pli_scene_data, allow_initial, "allow_initial", 0,
                      "pairs [\"a\", \"b\"] of bodies that may intersect at t = 0; those that do "
                      "touch from when they are apart. [\"*\", \"*\"]: all"),
             PLI_TUPLES, 2, 0, 100000, NULL),
    PLI_LIST_OF_OBJECTS(pli_scene_data, friction_pairs, "friction_pairs", &friction_pair_section, 0,
                        100000, 0, "friction of some pairs, the last that fits"),
};

static const pli_section contact_section = {
    .name = "contact",
    .help = "contact by barriers: forces start at distance dhat and grow without bound",
    PLI_GROUPS(contact_groups),
    PLI_PARTS(contact_parts),
};

// ---- obstacles

static const pli_section obstacle_section = {
    .name = "obstacle",
    .help = "something that bodies cannot enter",
    .variant = pli_obstacle_variant,
};

// ---- the scene

static const pli_param scene_rows[] = {
    PLI_TEXT(pli_scene_data, schema, "$schema", 0,
             "where editors find pliant.schema.json; not used by pliant"),
    PLI_TEXT(pli_scene_data, name, "name", 0, "title of the results; default: the file's name"),
    PLI_TEXT(pli_scene_data, description, "description", 0, "for people"),
    PLI_INTEGER(pli_scene_data, version, "version", 1, PLI_SCENE_FORMAT, 1, "of the scene format"),
    {.name = "analysis",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(pli_scene_data, analysis),
     .unit = "",
     .choice = pli_analysis_name,
     .choice_help = pli_analysis_help,
     .help = "what is asked for; static and quasi-static set time.scheme"},
};
static const pli_params scene_params = PLI_PARAMS(scene_rows);

static const pli_group scene_groups[] = {
    {.params = &scene_params},
    {.object = PLI_OBJECT_WORLD, .base = offsetof(pli_scene_data, world)},
};

static const pli_part scene_parts[] = {
    PLI_SHARED_OBJECT("time", &time_section, "steps and duration"),
    PLI_ONE_OBJECT(pli_scene_data, world.solver, "solver", &solver_section, 0, "minimization"),
    PLI_SHARED_OBJECT("contact", &contact_section, "contact"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, bodies, "bodies", &pli_body_section, 1, 10000,
                        PLI_PARAM_REQUIRED, "what is simulated"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, obstacles, "obstacles", &obstacle_section, 0, 10000, 0,
                        "what bodies cannot enter"),
    PLI_ONE_OBJECT(pli_scene_data, output, "output", &output_section, 0, "frames and preview"),
};

static void init_scene(void* data) {
    pli_world_def* world = &((pli_scene_data*)data)->world;
    world->size = sizeof *world;
    world->contact.size = sizeof world->contact;
}

const pli_section pli_scene_section = {
    .name = "scene",
    .help = "the whole file",
    .size = sizeof(pli_scene_data),
    PLI_GROUPS(scene_groups),
    PLI_PARTS(scene_parts),
    .init = init_scene,
};
