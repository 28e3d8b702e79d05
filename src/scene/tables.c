// The keys of a scene, one row each: those of the C interface come from its own tables, the rest is
// here. Limits on counts keep a typing error from asking for more memory than there is.
#include "scene/tables.h"

#include "energy/element_term.h"

#include "scene/mesh_kinds.h"
#include "scene/obstacle_kinds.h"
#include "scene/rows.h"

PLI_CHOICE(axis_name, "x", "y", "z")

// ---- time and output

static const pli_param steps_rows[] = {
    PLI_INTEGER(pli_scene_data, steps, "steps", 0, 1e9, 0,
                "number of time steps; 0: taken from duration, or 100"),
    PLI_NUMBER(pli_scene_data, duration, "duration", "s", 0, 1e9, 0, 0,
               "simulated time, instead of steps"),
};
static const pli_params steps_params = PLI_PARAMS(steps_rows);

static const pli_group time_groups[] = {
    {&pli_time_params, offsetof(pli_scene_data, world)},
    {&steps_params, 0},
};

static const pli_section time_section = {
    .name = "time",
    .help = "how long and in which steps",
    PLI_GROUPS(time_groups),
};

static const pli_param output_rows[] = {
    PLI_INTEGER(pli_output_data, frame_every, "frame_every", 1, 1e9, 1,
                "a frame is written every so many steps"),
    PLI_INTEGER(pli_output_data, preview_frames, "preview_frames", 0, 60, 8,
                "pictures in the film strip preview.svg; 0: none"),
};
static const pli_params output_params = PLI_PARAMS(output_rows);
static const pli_group output_groups[] = {{&output_params, 0}};

static const pli_section output_section = {
    .name = "output",
    .help = "what is written to the results folder",
    .size = sizeof(pli_output_data),
    PLI_GROUPS(output_groups),
};

// ---- solver and contact

static const pli_group solver_groups[] = {{&pli_solver_params, 0}};

static const pli_section solver_section = {
    .name = "solver",
    .help = "how the energy of a step is minimized and when that stops",
    .size = sizeof(pli_solver_def),
    PLI_GROUPS(solver_groups),
};

static const pli_group contact_groups[] = {{&pli_contact_params, 0}};

static const pli_section contact_section = {
    .name = "contact",
    .help = "contact by barriers: forces start at distance dhat and grow without bound",
    .size = sizeof(pli_contact_def),
    PLI_GROUPS(contact_groups),
};

// ---- supports and prescribed motion

#define SELECTION(S)                                                                               \
    PLI_LIST_OF_INTEGERS(                                                                          \
        S, selection.vertices, "vertices", 1, 0, 2147483646, 1,                                    \
        "numbers of the vertices within the body; neither vertices nor box: all"),                 \
        PLI_LIST_OF_VECTORS(S, selection.box, "box", "m", 2, 2, 0,                                 \
                            "[[min], [max]]: the vertices inside, at rest after placement")

static const pli_param fix_rows[] = {
    PLI_VECTOR(pli_fix_data, normal, "normal", "", 0,
               "slides on the plane (in 2D: line) with this normal; then axes are not used"),
};

static const pli_params fix_params = PLI_PARAMS(fix_rows);
static const pli_group fix_groups[] = {{&fix_params, 0}};

static const pli_part fix_parts[] = {
    SELECTION(pli_fix_data),
    PLI_LIST_OF_AXES(pli_fix_data, axes, "axes", axis_name, "fixed axes; default: all"),
};

static void init_fix(void* data) {
    pli_fix_data* fix = data;
    for (int i = 0; i < 3; ++i) fix->axes[i] = true;
}

static const pli_section fix_section = {
    .name = "fix",
    .help = "support: the vertices cannot move along some directions",
    .size = sizeof(pli_fix_data),
    PLI_GROUPS(fix_groups),
    PLI_PARTS(fix_parts),
    .init = init_fix,
};

static const pli_param key_rows[] = {
    PLI_NUMBER(pli_key_data, time, "time", "s", 0, 1e9, 0, PLI_PARAM_REQUIRED, "when"),
    PLI_VECTOR(pli_key_data, offset, "offset", "m", PLI_PARAM_REQUIRED,
               "displacement from the start; linear between keys"),
};

static const pli_params key_params = PLI_PARAMS(key_rows);
static const pli_group key_groups[] = {{&key_params, 0}};

static const pli_section key_section = {
    .name = "key",
    .help = "one point of a prescribed motion",
    .size = sizeof(pli_key_data),
    PLI_GROUPS(key_groups),
};

static const pli_group prescribe_groups[] = {
    {&pli_prescribe_params, offsetof(pli_prescribe_data, def)},
};

static const pli_part prescribe_parts[] = {
    SELECTION(pli_prescribe_data),
    PLI_LIST_OF_OBJECTS(pli_prescribe_data, keys, "keys", &key_section, 1, 1000000, 0,
                        "motion by key points, instead of velocity and travel"),
};

static const pli_section prescribe_section = {
    .name = "prescribe",
    .help = "prescribed motion: the vertices follow a moving target; contact may block them",
    .size = sizeof(pli_prescribe_data),
    PLI_GROUPS(prescribe_groups),
    PLI_PARTS(prescribe_parts),
};

// ---- bodies

const pli_energy_type* pli_catalog_energy(const pli_catalog* catalog, int i) {
    int own = catalog->energy_type_count;
    if (i < 0) return NULL;
    return i < own ? catalog->energy_types[i] : pli_energy_type_at(i - own);
}

static bool energy_variant(const pli_catalog* catalog, int i, pli_section* out) {
    const pli_energy_type* type = pli_catalog_energy(catalog, i);
    if (!type) return false;
    *out = (pli_section){
        .name = type->name,
        .help = type->help,
        .size = (size_t)type->param_count * sizeof(double),
        .packed = {type->params, type->param_count},
    };
    return true;
}

const pli_section pli_energy_section = {
    .name = "energies",
    .help = "potential energies laid over all elements of a body",
    .variant = energy_variant,
};

const pli_section pli_mesh_section = {
    .name = "mesh",
    .help = "the shape of a body at rest",
    .variant = pli_mesh_variant,
};

static const pli_param body_rows[] = {
    PLI_TEXT(pli_body_data, def.name, "name", 0, "name in messages and results"),
    PLI_VECTOR_OF(pli_body_data, scale, "scale", "", -1e6, 1e6, 1,
                  "first the shape is scaled; must not be 0"),
    PLI_NUMBER(pli_body_data, rotate, "rotate", "degrees", -1e6, 1e6, 0, 0,
               "then turned about the z axis, counter-clockwise"),
    PLI_VECTOR(pli_body_data, translate, "translate", "m", 0, "then moved"),
    PLI_VECTOR_OF(
        pli_body_data, stretch, "stretch", "", -1e6, 1e6, 1,
        "deformation at t = 0 about the centre of the placed shape's bounding box; the shape "
        "at rest stays"),
    PLI_NUMBER(pli_body_data, spin, "spin", "rad/s", -1e9, 1e9, 0, 0,
               "rotation at t = 0, counter-clockwise, about the centre of the placed shape's "
               "bounding box"),
};
static const pli_params body_params = PLI_PARAMS(body_rows);

static const pli_group body_groups[] = {
    {&body_params, 0},
    {&pli_body_params, offsetof(pli_body_data, def)},
};

static const pli_part body_parts[] = {
    PLI_ONE_OBJECT(pli_body_data, mesh, "mesh", &pli_mesh_section, PLI_PARAM_REQUIRED,
                   "the shape at rest"),
    PLI_LIST_OF_OBJECTS(pli_body_data, energies, "energies", &pli_energy_section, 0, 64, 0,
                        "what the body is made of"),
    PLI_LIST_OF_OBJECTS(pli_body_data, fix, "fix", &fix_section, 0, 10000, 0, "supports"),
    PLI_LIST_OF_OBJECTS(pli_body_data, prescribe, "prescribe", &prescribe_section, 0, 10000, 0,
                        "prescribed motion"),
};

static const pli_section body_section = {
    .name = "body",
    .label = "body",
    .help = "a mesh with mass, energies and supports",
    .size = sizeof(pli_body_data),
    PLI_GROUPS(body_groups),
    PLI_PARTS(body_parts),
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
    PLI_INTEGER(pli_scene_data, version, "version", 1, 1, 1, "of the scene format"),
};
static const pli_params scene_params = PLI_PARAMS(scene_rows);

static const pli_group scene_groups[] = {
    {&scene_params, 0},
    {&pli_world_params, offsetof(pli_scene_data, world)},
};

static const pli_part scene_parts[] = {
    PLI_SHARED_OBJECT("time", &time_section, "steps and duration"),
    PLI_ONE_OBJECT(pli_scene_data, world.solver, "solver", &solver_section, 0, "minimization"),
    PLI_ONE_OBJECT(pli_scene_data, world.contact, "contact", &contact_section, 0, "contact"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, bodies, "bodies", &body_section, 1, 10000,
                        PLI_PARAM_REQUIRED, "what is simulated"),
    PLI_LIST_OF_OBJECTS(pli_scene_data, obstacles, "obstacles", &obstacle_section, 0, 10000, 0,
                        "what bodies cannot enter"),
    PLI_ONE_OBJECT(pli_scene_data, output, "output", &output_section, 0, "frames and preview"),
};

const pli_section pli_scene_section = {
    .name = "scene",
    .help = "the whole file",
    .size = sizeof(pli_scene_data),
    PLI_GROUPS(scene_groups),
    PLI_PARTS(scene_parts),
};
