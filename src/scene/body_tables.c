// The keys of a body, one row each: placement, initial state, supports, motion, loads.

#include <string.h>

#include "scene/mesh_kinds.h"
#include "scene/section.h"
#include "scene/tables.h"

PLI_CHOICE(axis_name, "x", "y", "z")

// ---- selections

static const pli_param sphere_rows[] = {
    PLI_VECTOR(pli_sphere_data, center, "center", "m", 0, "centre"),
    PLI_NUMBER(pli_sphere_data, radius, "radius", "m", 0, 1e9, 0,
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "radius"),
};

static const pli_section sphere_section = {
    .name = "sphere",
    .help = "vertices inside or on it",
    .size = sizeof(pli_sphere_data),
    PLI_ROWS(sphere_rows),
};

static const pli_param plane_rows[] = {
    PLI_VECTOR(pli_plane_data, point, "point", "m", 0, "a point of the plane"),
    PLI_VECTOR(pli_plane_data, normal, "normal", "", PLI_PARAM_REQUIRED,
               "points to the selected side; any length"),
};

static const pli_section plane_section = {
    .name = "plane",
    .help = "the vertices with (x - point) . normal >= 0",
    .size = sizeof(pli_plane_data),
    PLI_ROWS(plane_rows),
};

static const pli_param selection_rows[] = {
    PLI_TEXT(pli_selection, group, "group", 0,
             "vertex group of the mesh, from its file or its shape (left, top, surface, ...)"),
};

// All of them use the placed rest shape.
#define SELECTION(S)                                                                               \
    PLI_LIST_OF_INTEGERS(                                                                          \
        S, selection.vertices, "vertices", 1, 0, 2147483646, 1,                                    \
        "vertex numbers within the body. A vertex must satisfy all of vertices, box, sphere, "     \
        "plane, group and where that are given; none given: all vertices"),                        \
        PLI_LIST_OF_VECTORS(S, selection.box, "box", "m", 2, 2, 0,                                 \
                            "[[min], [max]]: vertices inside, of the placed rest shape"),          \
        PLI_MAYBE_OBJECT(S, selection.sphere, "sphere", &sphere_section,                           \
                         "vertices inside, of the placed rest shape"),                             \
        PLI_MAYBE_OBJECT(S, selection.plane, "plane", &plane_section,                              \
                         "vertices on one side, of the placed rest shape"),                        \
        PLI_ONE_FORMULA(S, selection.where, "where", "", PLI_OF_PLACE, 0,                          \
                        "vertices where it is true (not 0), of the placed rest shape: "            \
                        "\"x > 0.5 && hypot(y, z) < 0.1\"")

// ---- ends of stencils

static const pli_param stencil_end_rows[] = {
    PLI_TEXT(pli_stencil_end_data, body, "body", PLI_PARAM_REQUIRED,
             "name of a body; of a copy with its number"),
};
static const pli_part stencil_end_parts[] = {SELECTION(pli_stencil_end_data)};

const pli_section pli_stencil_end_section = {
    .name = "between",
    .help = "one end of stencils: a body and a selection of its vertices",
    .size = sizeof(pli_stencil_end_data),
    PLI_SETS(PLI_OWN(stencil_end_rows),
             PLI_INNER(selection_rows, offsetof(pli_stencil_end_data, selection))),
    PLI_PARTS(stencil_end_parts),
};

// ---- ends of joints

static const pli_part joint_end_parts[] = {SELECTION(pli_joint_end_data)};

const pli_section pli_joint_end_section = {
    .name = "joint_vertices",
    .help = "vertices of a body that carry a joint",
    .size = sizeof(pli_joint_end_data),
    PLI_SETS(PLI_INNER(selection_rows, offsetof(pli_joint_end_data, selection))),
    PLI_PARTS(joint_end_parts),
};

// ---- supports

static const pli_param fix_rows[] = {
    PLI_VECTOR(pli_fix_data, normal, "normal", "", 0,
               "the vertices slide on the plane (2D: line) with this normal; axes is then ignored"),
    PLI_FLAG(pli_fix_data, clamped, "clamped",
             "edges of shells and rods with both ends selected keep their slope and do not turn"),
    PLI_FLAG(
        pli_fix_data, no_contact, "no_contact",
        "points, segments and triangles with all vertices selected touch nothing: roots of hair "
        "in the skin"),
};

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
    .help = "support: vertices cannot move along some directions",
    .size = sizeof(pli_fix_data),
    PLI_SETS(PLI_OWN(fix_rows), PLI_INNER(selection_rows, offsetof(pli_fix_data, selection))),
    PLI_PARTS(fix_parts),
    .init = init_fix,
};

// ---- prescribed motion

static const pli_param key_rows[] = {
    PLI_NUMBER(pli_keyframe_data, time, "time", "s", 0, 1e9, 0, PLI_PARAM_REQUIRED, "when"),
    PLI_VECTOR(pli_keyframe_data, offset, "offset", "m", PLI_PARAM_REQUIRED,
               "displacement from the initial position; linear between keys"),
};

static const pli_section key_section = {
    .name = "key",
    .help = "one keyframe of a prescribed motion",
    .size = sizeof(pli_keyframe_data),
    PLI_ROWS(key_rows),
};

static const pli_param sequence_rows[] = {
    PLI_INTEGER(pli_sequence_data, first, "first", 0, 1e9, 0,
                "number of the first file, if files is a pattern"),
    PLI_INTEGER(pli_sequence_data, last, "last", -1, 1e9, -1,
                "number of the last file; not given (-1): files is a list of names"),
    PLI_NUMBER(pli_sequence_data, interval, "interval", "s", 0, 1e9, 0,
               PLI_PARAM_REQUIRED | PLI_PARAM_ABOVE_MIN, "time from one file to the next"),
    PLI_NUMBER(pli_sequence_data, from, "from", "s", -1e9, 1e9, 0, 0, "time of the first file"),
};

static const pli_part sequence_parts[] = {
    PLI_PART(PLI_TEXT(pli_sequence_data, files, "files", PLI_PARAM_REQUIRED,
                      "mesh files with the same number of vertices as the mesh; or, with first and "
                      "last, one pattern: \"cloth_%03d.obj\""),
             PLI_TUPLES, 1, 1, 100000, NULL),
};

static const pli_section sequence_section = {
    .name = "sequence",
    .help = "motion by mesh files: each vertex moves along a line from its position in one file to "
            "that in the next; the files are placed like the mesh",
    .size = sizeof(pli_sequence_data),
    PLI_ROWS(sequence_rows),
    PLI_PARTS(sequence_parts),
};

static const pli_param prescribe_rows[] = {
    PLI_VECTOR_OF(pli_prescribe_data, center, "center", "m", -1e12, 1e12, NAN,
                  "centre of spin; not given: centre of the bounding box of the vertices at t = 0"),
    PLI_NUMBER(pli_prescribe_data, from, "from", "s", 0, 1e9, 0, 0, "start of velocity and spin"),
    PLI_NUMBER(pli_prescribe_data, until, "until", "s", 0, HUGE_VAL, HUGE_VAL, 0,
               "end of velocity and spin; not given: never"),
};

static const pli_param prescribe_clamp_rows[] = {
    PLI_TEXT(pli_prescribe_data, with, "with", 0,
             "name of an obstacle: the vertices move with it, instead of a motion of their own"),
    PLI_FLAG(pli_prescribe_data, clamped, "clamped",
             "edges of shells and rods with both ends selected turn with the motion"),
    PLI_FLAG(
        pli_prescribe_data, no_contact, "no_contact",
        "points, segments and triangles with all vertices selected touch nothing: roots of hair "
        "in the skin"),
};

#define MOTION                                                                                     \
    PLI_LIST_OF_OBJECTS(pli_prescribe_data, keys, "keys", &key_section, 1, 1000000, 0,             \
                        "motion by keyframes, instead of velocity, spin and offset"),              \
        PLI_VECTOR_OF_FORMULAS(                                                                    \
            pli_prescribe_data, offset, "offset", "m", PLI_OF_TIME | PLI_OF_PLACE, 0,              \
            "displacement, a function of time and of the position at t = 0. Instead of "           \
            "velocity, spin and keys"),                                                            \
        PLI_ONE_TURN(pli_prescribe_data, spin, "spin", "rad/s",                                    \
                     "angular velocity about center, which moves with velocity"),                  \
        PLI_ONE_FORMULA(pli_prescribe_data, angle, "angle", "rad", PLI_OF_TIME, 0,                 \
                        "angle of the turn about center, a function of time; spin gives the axis " \
                        "alone"),                                                                  \
        PLI_MAYBE_OBJECT(pli_prescribe_data, sequence, "sequence", &sequence_section,              \
                         "motion by mesh files, instead of velocity, spin, keys and offset")

static const pli_part prescribe_parts[] = {
    SELECTION(pli_prescribe_data), MOTION,
    PLI_LIST_OF_AXES(pli_prescribe_data, axes, "axes", axis_name,
                     "prescribed axes; the vertices are free along the others; default: all")};

static void init_prescribe(void* data) {
    pli_prescribe_data* d = data;
    d->def = pli_default_prescribe_def();
    for (int i = 0; i < 3; ++i) d->axes[i] = true;
}

static const pli_part motion_parts[] = {MOTION};

static void init_motion(void* data) {
    pli_prescribe_data* d = data;
    d->def = pli_default_prescribe_def();
    d->selection.group = "";
}

const pli_section pli_motion_section = {
    .name = "motion",
    .help = "motion of an obstacle; contact may block it",
    .size = sizeof(pli_prescribe_data),
    PLI_SETS(PLI_DEF(PLI_OBJECT_SUPPORT, offsetof(pli_prescribe_data, def)),
             PLI_OWN(prescribe_rows)),
    PLI_PARTS(motion_parts),
    .init = init_motion,
};

static const pli_section prescribe_section = {
    .name = "prescribe",
    .help = "prescribed motion: vertices follow a moving target; contact may block them",
    .size = sizeof(pli_prescribe_data),
    PLI_SETS(PLI_DEF(PLI_OBJECT_SUPPORT, offsetof(pli_prescribe_data, def)),
             PLI_OWN(prescribe_rows), PLI_OWN(prescribe_clamp_rows),
             PLI_INNER(selection_rows, offsetof(pli_prescribe_data, selection))),
    PLI_PARTS(prescribe_parts),
    .init = init_prescribe,
};

// ---- loads

static const pli_part force_parts[] = {
    SELECTION(pli_load_data),
    PLI_VECTOR_OF_FORMULAS(pli_load_data, value, "value", "N", PLI_OF_TIME | PLI_OF_PLACE,
                           PLI_PARAM_REQUIRED, "total force on the vertices; x, y, z: at rest"),
};

static const pli_part traction_parts[] = {
    SELECTION(pli_load_data),
    PLI_VECTOR_OF_FORMULAS(pli_load_data, value, "value", "Pa", PLI_OF_TIME | PLI_OF_PLACE,
                           PLI_PARAM_REQUIRED, "force per area at rest; x, y, z: at rest"),
};

static const pli_part pressure_parts[] = {
    SELECTION(pli_load_data),
    PLI_ONE_FORMULA(pli_load_data, value.part[0], "value", "Pa", PLI_OF_TIME | PLI_OF_PLACE,
                    PLI_PARAM_REQUIRED, "pressure, negative: suction; x, y, z: at rest"),
};

static const pli_part moment_parts[] = {
    SELECTION(pli_load_data),
    PLI_ONE_FORMULA(pli_load_data, value.part[0], "value", "N", PLI_OF_TIME | PLI_OF_PLACE,
                    PLI_PARAM_REQUIRED, "moment per length of the edges at rest; x, y, z: at rest"),
};

// The keys of each kind; name and help come from the table of the def.
#define LOAD(parts_)                                                                               \
    {                                                                                              \
        .size = sizeof(pli_load_data), PLI_PARTS(parts_),                                          \
        PLI_SETS(PLI_INNER(selection_rows, offsetof(pli_load_data, selection)))                    \
    }
static const struct load_kind {
    const char* name;
    pli_section section;
} load_kinds[] = {
    {"force", LOAD(force_parts)},
    {"traction", LOAD(traction_parts)},
    {"pressure", LOAD(pressure_parts)},
    {"moment", LOAD(moment_parts)},
};

// The row of the def that has their words.
static const pli_param* load_row(void) {
    const pli_params* params = pli_object_params(PLI_OBJECT_LOAD);
    int i = 0;
    while (strcmp(params->rows[i].name, "kind") != 0) ++i;
    return &params->rows[i];
}

const char* pli_load_word(int i) { return i < 0 ? NULL : load_row()->choice(i); }

static bool load_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    const char* name = pli_load_word(i);
    if (!name) return false;
    const struct load_kind* kind = load_kinds;
    while (strcmp(kind->name, name) != 0) ++kind;
    *out = kind->section;
    out->name = name;
    out->help = load_row()->choice_help(i);
    return true;
}

static const pli_section load_section = {
    .name = "loads",
    .help = "external forces on a body",
    .variant = load_variant,
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
    if (!type->input) return true;
    out->input = (pli_part){
        .row = {.name = type->input->name,
                .type = PLI_PARAM_VECTOR,
                .offset = out->size,
                .unit = type->input->unit,
                .min = -1e12,
                .max = 1e12,
                .help = type->input->label},
        .form = PLI_FORMULAS,
        .variables = PLI_OF_TIME | PLI_OF_PLACE,
    };
    out->size += sizeof(pli_formulas);
    return true;
}

const pli_section pli_energy_section = {
    .name = "energies",
    .help = "potential energies of all elements of a body",
    .variant = energy_variant,
};

const pli_section pli_mesh_section = {
    .name = "mesh",
    .help = "rest shape of a body",
    .variant = pli_mesh_variant,
};

static const pli_param repeat_rows[] = {
    PLI_VECTOR(
        pli_repeat_data, spacing, "spacing", "m", PLI_PARAM_REQUIRED,
        "distance of copies along each axis; with one count: vector from one copy to the next"),
    PLI_VECTOR(pli_repeat_data, center, "center", "m", 0, "centre of rotate"),
};

static const pli_part repeat_parts[] = {
    PLI_PART(PLI_ROW(PLI_PARAM_INTEGER, pli_repeat_data, count, "count", "", 1, 10000, 1, NULL,
                     PLI_PARAM_REQUIRED,
                     "copies along each axis, or one number: along the vector spacing; at most "
                     "10000 bodies in total"),
             PLI_COUNTS, 0, 0, 0, NULL),
    PLI_ONE_TURN(
        pli_repeat_data, rotate, "rotate", "degrees",
        "rotation from one copy to the next, about center, before spacing; needs one count"),
};

static void init_repeat(void* data) {
    for (int i = 0; i < 3; ++i) ((pli_repeat_data*)data)->count[i] = 1;
}

const pli_section pli_repeat_section = {
    .name = "repeat",
    .help = "copies of a body, each a body named \"name 0\", \"name 1\", ..., the last axis "
            "fastest; selections and expressions are evaluated for the first copy and apply to all",
    .size = sizeof(pli_repeat_data),
    PLI_ROWS(repeat_rows),
    PLI_PARTS(repeat_parts),
    .init = init_repeat,
};

const char* pli_map_edges_name(int i) {
    static const char* const names[] = {"curved", "straight"};
    return i >= 0 && i < 2 ? names[i] : NULL;
}

static const pli_param body_rows[] = {
    PLI_TEXT(pli_body_data, def.name, "name", 0, "name in messages and results"),
    PLI_TEXT(pli_body_data, contact_group, "contact_group", 0,
             "another name for contact.exclude, allow_initial and friction_pairs"),
    {.name = "material",
     .type = PLI_PARAM_CHOICE,
     .offset = offsetof(pli_body_data, material),
     .unit = "",
     .choice = pli_material_name,
     .choice_help = pli_material_help,
     .help = "default of density, and of young and poisson of all energies; without "
             "energies: neo-hookean, of metals that yield von-mises. Sheets also have a thickness, "
             "energies and limits "
             "of their own. Values and sources: pliant help materials"},
    PLI_MAP_EDGES(pli_body_data),
    PLI_TEXT(pli_body_data, pattern, "pattern", 0,
             "flat rest shape of a sheet: \"uv\", the texture coordinates of its OBJ file, or a "
             "mesh file "
             "with the same triangles, of which x and y are used"),
    PLI_NUMBER(pli_body_data, pattern_scale, "pattern_scale", "m", 0, 1e9, 1, PLI_PARAM_ABOVE_MIN,
               "length of one unit of the pattern"),
    PLI_VECTOR_OF(pli_body_data, scale, "scale", "", -1e6, 1e6, 1,
                  "scale factors of the shape, not 0"),
    PLI_VECTOR(pli_body_data, translate, "translate", "m", 0, "translation after scale and rotate"),
    PLI_VECTOR_OF(pli_body_data, stretch, "stretch", "", -1e6, 1e6, 1,
                  "deformation at t = 0 about the centre of the bounding box of the placed shape; "
                  "the rest shape stays"),
    PLI_NUMBER(pli_body_data, scramble, "scramble", "m", 0, 1e9, 0, 0,
               "random displacement at t = 0 of every vertex that is neither fixed nor prescribed, "
               "at most this much along each axis; the same in every run"),
    PLI_NUMBER(pli_body_data, appears, "appears", "s", 0, 1e9, 0, 0,
               "the body is added after the first step that ends at or after this time, where its "
               "other keys place it and with its velocity; 0: it is there from the start"),
    PLI_NUMBER(pli_body_data, vanishes, "vanishes", "s", 0, HUGE_VAL, HUGE_VAL, PLI_PARAM_ABOVE_MIN,
               "the body is removed after the first step that ends at or after this time; not "
               "given: never"),
};

static const pli_part body_parts[] = {
    PLI_ONE_OBJECT(pli_body_data, mesh, "mesh", &pli_mesh_section, PLI_PARAM_REQUIRED,
                   "rest shape"),
    PLI_VECTOR_OF_FORMULAS(pli_body_data, map, "map", "m", PLI_OF_PLACE, 0, PLI_MAP_HELP),
    {.row = PLI_VECTOR(pli_body_data, pattern_map, "pattern_map", "", 0,
                       "flat rest shape of a sheet by formulas: u and v as functions of the mesh "
                       "x, y, z before map; instead of pattern"),
     .form = PLI_FORMULAS,
     .width = 2,
     .variables = PLI_OF_PLACE},
    PLI_ONE_TURN(pli_body_data, rotate, "rotate", "degrees",
                 "rotation of the scaled shape, counter-clockwise; [x, y, z]: about this axis, by "
                 "its length"),
    PLI_MAYBE_OBJECT(pli_body_data, repeat, "repeat", &pli_repeat_section, "an array of copies"),
    PLI_VECTOR_OF_FORMULAS(pli_body_data, initial, "initial", "m", PLI_OF_PLACE, 0,
                           "position at t = 0, a function of the rest position x, y, z; the rest "
                           "shape stays. Alternative to stretch"),
    PLI_VECTOR_OF_FORMULAS(pli_body_data, velocity, "velocity", "m/s", PLI_OF_PLACE, 0,
                           "at t = 0, a function of the rest position x, y, z; default: 0"),
    PLI_ONE_TURN(pli_body_data, spin, "spin", "rad/s",
                 "angular velocity at t = 0, counter-clockwise, about the centre of the bounding "
                 "box of the initial shape; default: 0"),
    PLI_LIST_OF_OBJECTS(pli_body_data, energies, "energies", &pli_energy_section, 0, 64, 0,
                        "materials and other energies"),
    PLI_LIST_OF_OBJECTS(pli_body_data, fix, "fix", &fix_section, 0, 10000, 0, "supports"),
    PLI_LIST_OF_OBJECTS(pli_body_data, prescribe, "prescribe", &prescribe_section, 0, 10000, 0,
                        "prescribed motion"),
    PLI_LIST_OF_OBJECTS(pli_body_data, loads, "loads", &load_section, 0, 10000, 0,
                        "external forces"),
};

static void init_body(void* data) { ((pli_body_data*)data)->def = pli_default_body_def(); }

const pli_section pli_body_section = {
    .name = "body",
    .label = "body",
    .help = "a mesh with mass, energies and supports",
    .size = sizeof(pli_body_data),
    PLI_SETS(PLI_OWN(body_rows), PLI_DEF(PLI_OBJECT_BODY, offsetof(pli_body_data, def))),
    .without = "velocity",
    PLI_PARTS(body_parts),
    .preset_key = "material",
    .preset = pli_material_preset,
    .init = init_body,
};
