// The keys of a scene, one row each: those of the C interface come from its own tables, the rest is
// here. Limits on counts keep a typing error from requesting too much memory.
#include "scene/tables.h"

#include "scene/constants.h"
#include "scene/include.h"

#include "pliant/scene.h"
#include "scene/obstacle_kinds.h"
#include "scene/section.h"

#include <string.h>

// ---- analysis

enum { LOAD_STEPS = 10 };                     // if not given
static const double LARGEST_LOAD_STEP = 0.25; // of step "auto", if not given

static const struct analysis {
    const char* name;
    const char* help;
    const char* scheme; // NULL: any
    bool load_steps;    // t goes from 0 to 1
} analyses[] = {
    {"dynamic", "motion in time, by time.scheme", NULL, false},
    {"static",
     "equilibrium: t runs from 0 to 1 in time.steps load steps (default 10; or time.step "
     "\"auto\"), so that offsets and loads written with t grow",
     "static", true},
    {"quasi-static", "equilibrium at each time, with friction and viscosity", "quasi-static",
     false},
};

static const struct analysis* at(int i) {
    return i >= 0 && (size_t)i < sizeof analyses / sizeof *analyses ? &analyses[i] : NULL;
}

const char* pli_analysis_name(int i) { return at(i) ? at(i)->name : NULL; }
const char* pli_analysis_help(int i) { return at(i) ? at(i)->help : NULL; }

static pli_status check_scheme(const struct analysis* a, const json_t* time, pli_findings* findings,
                               const pli_path* list, pli_error* error) {
    const char* scheme = json_string_value(json_object_get(time, "scheme"));
    if (!scheme || strcmp(scheme, a->scheme) == 0) return PLI_OK;
    return PLI_FIND(findings, PLI_KEY(list, "scheme"), error,
                    "time.scheme = \"%.40s\", but analysis is \"%s\": omit one of them", scheme,
                    a->name);
}

pli_status pli_apply_analysis(const json_t* root, pli_scene_data* data, pli_findings* findings,
                              pli_error* error) {
    const struct analysis* a = analyses;
    while (strcmp(a->name, data->analysis) != 0) ++a;
    if (!a->scheme) return PLI_OK;
    const json_t* time = json_object_get(root, "time");
    pli_path list = pli_path_key(NULL, "time");
    PLI_TRY(check_scheme(a, time, findings, &list, error));
    data->world.scheme = a->scheme;
    if (!a->load_steps) return PLI_OK;
    bool chosen = data->world.time_step == 0; // "auto"
    static const char* const unused[] = {"step", "duration"};
    for (size_t i = chosen ? 1 : 0; i < sizeof unused / sizeof *unused; ++i) {
        if (json_object_get(time, unused[i]))
            PLI_TRY(PLI_FIND(findings, PLI_KEY(&list, unused[i]), error,
                             "time.%s is given, but in a %s analysis t runs from 0 to 1 in "
                             "time.steps load steps: omit it",
                             unused[i], a->name));
    }
    data->duration = chosen ? 1 : 0;
    if (chosen) {
        if (!json_object_get(time, "step_control")) data->world.step_control = "effort";
        if (!json_object_get(time, "step_max")) data->world.step_max = LARGEST_LOAD_STEP;
        return PLI_OK;
    }
    if (data->steps <= 0) data->steps = LOAD_STEPS;
    data->world.time_step = 1.0 / data->steps;
    return PLI_OK;
}

// ---- time and output

static const pli_param steps_rows[] = {
    PLI_INTEGER(pli_scene_data, steps, "steps", 0, 1e9, 0,
                "number of time steps; 0: from duration, or 100"),
    PLI_NUMBER(pli_scene_data, duration, "duration", "s", 0, 1e9, 0, 0,
               "simulated time, alternative to steps"),
};

static const pli_section time_section = {
    .name = "time",
    .help = "duration and time steps",
    PLI_SETS(PLI_DEF(PLI_OBJECT_TIME, offsetof(pli_scene_data, world)), PLI_OWN(steps_rows)),
};

PLI_CHOICE(precision_word, "single", "double")
PLI_CHOICE(compression_word, "fast", "small")

// The arrays of frames, and "all" of them.
static const char* field_word(int i) {
    if (i == PLI_FRAME_FIELD_COUNT) return "all";
    return pli_frame_field_name(i);
}

static const pli_param output_rows[] = {
    PLI_INTEGER(pli_output_data, every, "every", 1, 1e9, 1, "write a frame every n-th step"),
    PLI_INTEGER(pli_output_data, frame_every, "frame_every", 0, 1e9, 0,
                "former name of every; 0: not given"),
    PLI_WORD(pli_output_data, precision, "precision", precision_word,
             "of numbers in frames; does not affect the computation"),
    PLI_WORD(pli_output_data, compression, "compression", compression_word,
             "of frames; fast: only constant arrays and zeros; small: everything, slower"),
    PLI_INTEGER(pli_output_data, preview_frames, "preview_frames", 0, 60, 8,
                "number of pictures in the film strip preview.svg; 0: none"),
    PLI_INTEGER(
        pli_output_data, checkpoint_every, "checkpoint_every", 0, 1e9, 1,
        "write checkpoint.pli, from which pliant run --resume continues, with every n-th frame, if "
        "checkpoint_interval has passed since the last one, and at the end; 0: never"),
    PLI_NUMBER(pli_output_data, checkpoint_interval, "checkpoint_interval", "s", 0, 1e9, 10, 0,
               "minimum wall time between checkpoints; 0: only checkpoint_every counts"),
};
static const pli_part output_parts[] = {
    PLI_PART(
        PLI_WORD(pli_output_data, fields, "fields", field_word,
                 "arrays of frames; default: velocity, displacement, reaction, contact_force and "
                 "friction_force. Element arrays (energy ... von_mises) are off by default, "
                 "because computing them takes longer than writing: \"output\": {\"fields\": "
                 "[\"stress\"]}, or --set 'output.fields=[\"all\"]'; stress includes von_mises"),
        PLI_TUPLES, 1, 0, 32, NULL),
};

static const pli_section output_section = {
    .name = "output",
    .help = "files in the results folder",
    .size = sizeof(pli_output_data),
    PLI_ROWS(output_rows),
    PLI_PARTS(output_parts),
};

// ---- solver and contact

static void init_solver(void* data) { *(pli_solver_def*)data = pli_default_world_def().solver; }

static const pli_section solver_section = {
    .name = "solver",
    .help = "how the energy of a step is minimized, and stopping criteria",
    .size = sizeof(pli_solver_def),
    PLI_SETS(PLI_DEF(PLI_OBJECT_SOLVER, 0)),
    .init = init_solver,
};

static const pli_param friction_pair_rows[] = {
    PLI_NUMBER(pli_friction_pair_data, friction, "friction", "", 0, 100, 0, PLI_PARAM_REQUIRED,
               "friction coefficient while they slide"),
    PLI_NUMBER(pli_friction_pair_data, friction_static, "friction_static", "", 0, 100, 0, 0,
               "friction coefficient up to which they stick; 0: equal to friction"),
};

static const pli_part friction_pair_parts[] = {
    PLI_PART(PLI_TEXT(pli_friction_pair_data, between, "between", PLI_PARAM_REQUIRED,
                      "two names, as in exclude"),
             PLI_VALUES, 2, 0, 0, NULL),
};

static const pli_section friction_pair_section = {
    .name = "friction_pairs",
    .help = "friction between bodies and obstacles with these names",
    .size = sizeof(pli_friction_pair_data),
    PLI_ROWS(friction_pair_rows),
    PLI_PARTS(friction_pair_parts),
};

static const pli_part contact_parts[] = {
    PLI_PART(
        PLI_TEXT(pli_scene_data, exclude, "exclude", 0,
                 "pairs [\"a\", \"b\"] without contact. Each is the name of a body or obstacle (of "
                 "copies: the name before the number), a contact_group or a material; \"*\": all"),
        PLI_TUPLES, 2, 0, 100000, NULL),
    PLI_PART(PLI_TEXT(pli_scene_data, allow_initial, "allow_initial", 0,
                      "pairs [\"a\", \"b\"] of bodies that may intersect at t = 0; their contact "
                      "starts once they are apart. [\"*\", \"*\"]: all"),
             PLI_TUPLES, 2, 0, 100000, NULL),
    PLI_LIST_OF_OBJECTS(pli_scene_data, friction_pairs, "friction_pairs", &friction_pair_section, 0,
                        100000, 0, "friction of pairs; the last match applies"),
};

static const pli_section contact_section = {
    .name = "contact",
    .help = "contact by barriers: forces start at distance dhat and grow without bound as the "
            "distance goes to 0",
    PLI_SETS(PLI_DEF(PLI_OBJECT_CONTACT, offsetof(pli_scene_data, world.contact))),
    PLI_PARTS(contact_parts),
};

// ---- obstacles

static const pli_section obstacle_section = {
    .name = "obstacle",
    .help = "something that bodies cannot penetrate",
    .variant = pli_obstacle_variant,
};

// ---- stencils

static const pli_section stencils_section = {
    .name = "stencils",
    .help = "an energy between vertices of two bodies, for example springs",
    .variant = pli_stencils_variant,
};

// ---- joints

static const pli_section joint_section = {
    .name = "joint",
    .help = "places of two bodies, or of a body and the world, that stay together exactly",
    .variant = pli_joint_variant,
};

// ---- the scene

static const pli_param scene_rows[] = {
    PLI_TEXT(pli_scene_data, schema, "$schema", 0,
             "location of pliant.schema.json, for editors; not used by pliant"),
    PLI_TEXT(pli_scene_data, name, "name", 0, "title of the results; default: name of the file"),
    PLI_TEXT(pli_scene_data, description, "description", 0, "free text, not used by pliant"),
    PLI_INTEGER(pli_scene_data, version, "version", 1, PLI_SCENE_FORMAT, 1, "of the scene format"),
    {.name = "analysis",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(pli_scene_data, analysis),
     .unit = "",
     .choice = pli_analysis_name,
     .choice_help = pli_analysis_help,
     .help = "kind of analysis; static and quasi-static set time.scheme"},
};

static const pli_part scene_parts[] = {
    {.row = {.name = PLI_INCLUDE_KEY,
             .unit = "",
             .help = "scenes, or parts of scenes, to merge into this one: docs/SCENES.md"},
     .form = PLI_INCLUDES},
    {.row = {.name = PLI_VARIABLES_KEY,
             .unit = "",
             .help = "numbers with names for all expressions; each may use those before it"},
     .form = PLI_CONSTANTS},
    PLI_SHARED_OBJECT("time", &time_section, "steps and duration"),
    PLI_ONE_OBJECT(pli_scene_data, world.solver, "solver", &solver_section, 0, "minimization"),
    PLI_SHARED_OBJECT("contact", &contact_section, "contact"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, bodies, "bodies", &pli_body_section, 1, 10000,
                        PLI_PARAM_REQUIRED, "the simulated bodies"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, obstacles, "obstacles", &obstacle_section, 0, 10000, 0,
                        "obstacles that bodies cannot penetrate"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, stencils, "stencils", &stencils_section, 0, 10000, 0,
                        "springs and other energies between bodies"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, joints, "joints", &joint_section, 0, 10000, 0,
                        "joints between bodies, and with the world"),
    PLI_ONE_OBJECT(pli_scene_data, output, "output", &output_section, 0, "frames and preview"),
};

static void init_scene(void* data) { ((pli_scene_data*)data)->world = pli_default_world_def(); }

const pli_section pli_scene_section = {
    .name = "scene",
    .help = "the whole file",
    .size = sizeof(pli_scene_data),
    PLI_SETS(PLI_OWN(scene_rows), PLI_DEF(PLI_OBJECT_WORLD, offsetof(pli_scene_data, world))),
    PLI_PARTS(scene_parts),
    .init = init_scene,
};
