// The keys of each type of joint.
#include "pliant/joint.h"
#include "scene/section.h"
#include "scene/tables.h"

#include <string.h>

// ---- what acts on an angle, a travel or a length

static const pli_param spring_rows[] = {
    PLI_NUMBER(pli_joint_spring_data, stiffness, "stiffness", "N/m or N m/rad", 0, 1e18, 0,
               PLI_PARAM_REQUIRED, "force per metre, or torque per radian"),
    PLI_NUMBER(pli_joint_spring_data, rest, "rest", "m or rad", -1e9, 1e9, 0, 0,
               "where it has no force"),
};
static const pli_section spring_section = {
    .name = "joint_spring",
    .help = "spring of a joint",
    .size = sizeof(pli_joint_spring_data),
    PLI_ROWS(spring_rows),
};

static const pli_param motor_rows[] = {
    PLI_NUMBER(pli_joint_motor_data, cap, "cap", "N or N m", 0, 1e18, 0, 0,
               "largest force or torque; 0: none"),
    PLI_NUMBER(pli_joint_motor_data, delay, "delay", "s", 0, 1e6, 0, 0,
               "time in which most of the distance to the target is closed; with a cap, so that "
               "it does not overshoot"),
    PLI_NUMBER(pli_joint_motor_data, stiffness, "stiffness", "N/m or N m/rad", 0, 1e18, 0, 0,
               "of a position: a spring and damper instead of exact tracking"),
    PLI_NUMBER(pli_joint_motor_data, damping, "damping", "N s/m or N m s/rad", 0, 1e18, 0, 0,
               "of such a spring"),
};
static const pli_part motor_parts[] = {
    PLI_ONE_FORMULA(pli_joint_motor_data, position, "position", "m or rad", PLI_OF_TIME, 0,
                    "target; for example \"0.5*sin(t)\""),
    PLI_ONE_FORMULA(pli_joint_motor_data, velocity, "velocity", "m/s or rad/s", PLI_OF_TIME, 0,
                    "instead: the speed"),
    PLI_ONE_FORMULA(pli_joint_motor_data, force, "force", "N or N m", PLI_OF_TIME, 0,
                    "instead: the force or torque"),
};
static const pli_section motor_section = {
    .name = "joint_motor",
    .help = "motor of a joint: one of position, velocity and force",
    .size = sizeof(pli_joint_motor_data),
    PLI_ROWS(motor_rows),
    PLI_PARTS(motor_parts),
};

static void init_freedom(void* data) {
    pli_joint_freedom_data* f = data;
    memset(f, 0, sizeof *f);
    f->limits[0] = f->limits[1] = NAN;
}

static const pli_param freedom_rows[] = {
    PLI_NUMBER(pli_joint_freedom_data, start, "start", "m or rad", -1e9, 1e9, 0, 0,
               "value at t = 0; a length is what it is"),
    PLI_NUMBER(pli_joint_freedom_data, friction, "friction", "N or N m", 0, 1e18, 0, 0,
               "largest force or torque of dry friction"),
    PLI_NUMBER(pli_joint_freedom_data, damping, "damping", "N s/m or N m s/rad", 0, 1e18, 0, 0,
               "force or torque per speed"),
};
static const pli_part freedom_parts[] = {
    PLI_PART(PLI_NUMBER(pli_joint_freedom_data, limits, "limits", "m or rad", -1e12, 1e12, 0, 0,
                        "[low, high], never passed; beyond 1e9: none on that side"),
             PLI_VALUES, 2, 0, 0, NULL),
    PLI_MAYBE_OBJECT(pli_joint_freedom_data, spring, "spring", &spring_section, "spring"),
    PLI_MAYBE_OBJECT(pli_joint_freedom_data, motor, "motor", &motor_section,
                     "motor: {\"position\": \"0.5*sin(t)\"}"),
};
static const pli_section freedom_section = {
    .name = "joint_freedom",
    .help = "what acts on the angle [rad], travel or length [m] that a joint leaves free; positive "
            "if the first body turns or moves along the axis against the second",
    .size = sizeof(pli_joint_freedom_data),
    .init = init_freedom,
    PLI_ROWS(freedom_rows),
    PLI_PARTS(freedom_parts),
};

static const pli_param break_rows[] = {
    PLI_NUMBER(pli_joint_data, break_force, "force", "N", 0, 1e18, 0, 0, "0: any"),
    PLI_NUMBER(pli_joint_data, break_torque, "torque", "N m", 0, 1e18, 0, 0, "0: any"),
};
static const pli_section break_section = {
    .name = "joint_break",
    .help = "what a joint bears: it opens after a step in which one is exceeded",
    PLI_ROWS(break_rows),
};

static const pli_param tolerance_rows[] = {
    PLI_NUMBER(pli_joint_data, tolerance, "length", "m", 0, 1e9, 0, 0,
               "0: 1e-5 of the size of the smaller body"),
    PLI_NUMBER(pli_joint_data, angle_tolerance, "angle", "rad", 0, 1, 0, 0, "0: 0.001"),
};
static const pli_section tolerance_section = {
    .name = "joint_tolerance",
    .help = "how far equations that are not linear may be off, and motors from their targets",
    PLI_ROWS(tolerance_rows),
};

// ---- rows by what a type needs

#define NAME PLI_TEXT(pli_joint_data, name, "name", 0, "name in results; default: joint 0, ...")
#define AT(help) PLI_VECTOR(pli_joint_data, at, "at", "m", PLI_PARAM_REQUIRED, help)
#define MEET AT("place of the joint at t = 0, where both sides meet")
#define ENDS                                                                                       \
    AT("place on the first body at t = 0"),                                                        \
        PLI_VECTOR(pli_joint_data, to, "to", "m", PLI_PARAM_REQUIRED,                              \
                   "place on the second body at t = 0")
#define AXIS(flags, help) PLI_VECTOR(pli_joint_data, axis, "axis", "", flags, help)
#define LENGTH_ABOVE_0 "; any length above 0"
#define SLACK                                                                                      \
    PLI_NUMBER(pli_joint_data, slack, "slack", "m", 0, 1e9, 0, 0,                                  \
               "how much longer it may get before it is tight")
#define RATIO(key, unit, default_, flags, help)                                                    \
    PLI_NUMBER(pli_joint_data, ratio, key, unit, -1e9, 1e9, default_, flags, help)

static const pli_param plain_rows[] = {NAME, MEET};
static const pli_param hinge_rows[] = {NAME, MEET,
                                       AXIS(0, "axis of the turn, in space" LENGTH_ABOVE_0)};
static const pli_param axis_rows[] = {
    NAME, MEET, AXIS(PLI_PARAM_REQUIRED, "axis; of planar the normal" LENGTH_ABOVE_0)};
static const pli_param screw_rows[] = {NAME, MEET, AXIS(PLI_PARAM_REQUIRED, "axis" LENGTH_ABOVE_0),
                                       PLI_NUMBER(pli_joint_data, pitch, "pitch", "m", -1e9, 1e9, 0,
                                                  PLI_PARAM_REQUIRED,
                                                  "travel per turn; above 0: right-handed")};
static const pli_param universal_rows[] = {
    NAME, MEET, AXIS(PLI_PARAM_REQUIRED, "axis fixed in the first body" LENGTH_ABOVE_0),
    PLI_VECTOR(pli_joint_data, axis2, "axis2", "", PLI_PARAM_REQUIRED,
               "axis fixed in the second body, at right angles to axis")};
static const pli_param distance_rows[] = {NAME, ENDS};
static const pli_param rope_rows[] = {NAME, ENDS, SLACK};
static const pli_param pulley_rows[] = {
    NAME, ENDS, SLACK,
    RATIO("ratio", "", 1, 0,
          "how often the length at the second body counts: strands of a tackle")};
static const pli_param gear_rows[] = {
    NAME, RATIO("ratio", "", 0, PLI_PARAM_REQUIRED,
                "value of the second joint per value of the first; below 0 for gears in mesh")};
static const pli_param rack_rows[] = {
    NAME, RATIO("radius", "m/rad", 0, PLI_PARAM_REQUIRED, "travel of the second per angle")};

// ---- parts

#define BODIES                                                                                     \
    PLI_PART(PLI_TEXT(pli_joint_data, between, "between", PLI_PARAM_REQUIRED,                      \
                      "names of two bodies (of a copy with its number), or of one and \"world\""), \
             PLI_VALUES, 2, 0, 0, NULL),                                                           \
        PLI_MAYBE_OBJECT(pli_joint_data, first, "first", &pli_joint_end_section,                   \
                         "vertices of the first body that carry the joint; default: a rigid or "   \
                         "affine body itself, of others the vertex nearest to at"),                \
        PLI_MAYBE_OBJECT(pli_joint_data, second, "second", &pli_joint_end_section,                 \
                         "same of the second body"),                                               \
        PLI_VECTOR_OF_FORMULAS(pli_joint_data, offset, "offset", "m", PLI_OF_TIME | PLI_OF_PLACE,  \
                               0,                                                                  \
                               "motion of the world's side: displacement, for example "            \
                               "[\"0.1*sin(t)\", 0, 0]"),                                          \
        PLI_ONE_TURN(pli_joint_data, spin, "spin", "rad/s",                                        \
                     "rotation of the world's side about at: a number about z, or a vector"),      \
        COMMON
#define COMMON                                                                                     \
    PLI_SHARED_OBJECT("break", &break_section, "what it bears; default: anything"),                \
        PLI_SHARED_OBJECT("tolerance", &tolerance_section,                                         \
                          "how far what is not linear may be off, and motors")
#define ANGLE                                                                                      \
    PLI_MAYBE_OBJECT(pli_joint_data, freedom[PLI_JOINT_ANGLE], "angle", &freedom_section,          \
                     "what acts on the angle about the axis")
#define TRAVEL(key)                                                                                \
    PLI_MAYBE_OBJECT(pli_joint_data, freedom[PLI_JOINT_TRAVEL], key, &freedom_section,             \
                     "what acts on the " key)

static const pli_part plain_parts[] = {BODIES};
static const pli_part angle_parts[] = {BODIES, ANGLE};
static const pli_part travel_parts[] = {BODIES, TRAVEL("travel")};
static const pli_part both_parts[] = {BODIES, ANGLE, TRAVEL("travel")};
static const pli_part length_parts[] = {BODIES, TRAVEL("length")};
static const pli_part pulley_parts[] = {
    BODIES, PLI_LIST_OF_VECTORS(pli_joint_data, over, "over", "m", 1, 100, PLI_PARAM_REQUIRED,
                                "places of the world that the rope runs over, in order")};
static const pli_part gear_parts[] = {
    PLI_PART(PLI_TEXT(pli_joint_data, of, "of", PLI_PARAM_REQUIRED,
                      "names of two joints above it that have an angle or a travel"),
             PLI_VALUES, 2, 0, 0, NULL),
    COMMON};

// ---- types

#define KEYS(rows, parts)                                                                          \
    { .size = sizeof(pli_joint_data), PLI_ROWS(rows), PLI_PARTS(parts) }

static const struct {
    const char* type;
    pli_section keys;
} types[] = {
    {"ball", KEYS(plain_rows, plain_parts)},
    {"weld", KEYS(plain_rows, plain_parts)},
    {"hinge", KEYS(hinge_rows, angle_parts)},
    {"slider", KEYS(axis_rows, travel_parts)},
    {"cylinder", KEYS(axis_rows, both_parts)},
    {"screw", KEYS(screw_rows, both_parts)},
    {"universal", KEYS(universal_rows, plain_parts)},
    {"planar", KEYS(axis_rows, angle_parts)},
    {"line", KEYS(axis_rows, travel_parts)},
    {"distance", KEYS(distance_rows, plain_parts)},
    {"rope", KEYS(rope_rows, plain_parts)},
    {"spring", KEYS(distance_rows, length_parts)},
    {"pulley", KEYS(pulley_rows, pulley_parts)},
    {"gear", KEYS(gear_rows, gear_parts)},
    {"rack", KEYS(rack_rows, gear_parts)},
};

bool pli_joint_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    const char* name = pli_joint_type_name(i);
    if (!name) return false;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
        if (strcmp(types[k].type, name) == 0) *out = types[k].keys;
    out->name = name;
    out->help = pli_joint_type_help(i);
    return true;
}
