// Reads URDF, the robot description of ROS [URDF]. Elements are rows of a table: where they may
// stand, and what their attributes fill. Elements that are not in it are counted and reported.
#include "import/robot.h"

#include <expat.h>
#include <math.h>
#include <string.h>

enum { MOST_DEPTH = 32, MOST_SKIPPED = 12 };

typedef enum tag {
    IN_FILE,
    ROBOT,
    LINK,
    INERTIAL,
    SHAPE,
    GEOMETRY,
    JOINT,
    LEAF, // nothing of ours is in it
    OTHER,
} tag;

typedef struct reader {
    pli_robot* robot;
    XML_Parser parser;
    pli_error* error;
    pli_status status;
    int depth;
    tag stack[MOST_DEPTH];
    int skipped_count;
    struct skipped {
        char name[40];
        int line, count;
    } skipped[MOST_SKIPPED];
} reader;

typedef const XML_Char** attributes;

static int line_of(const reader* r) { return (int)XML_GetCurrentLineNumber(r->parser); }

static const char* text_of(attributes a, const char* name) {
    for (int i = 0; a[i]; i += 2)
        if (strcmp(a[i], name) == 0) return a[i + 1];
    return NULL;
}

// `count` numbers of an attribute with blanks between them. Unchanged if it is not there.
static bool read_numbers(reader* r, const char* element, attributes a, const char* name, int count,
                         double* out) {
    const char* text = text_of(a, name);
    double values[3];
    if (!text) return false;
    const char* at = text;
    for (int i = 0; i < count; ++i) {
        const char* end;
        at += strspn(at, " \t\r\n");
        values[i] = pli_parse_double(at, &end);
        if (end == at || !isfinite(values[i])) break;
        at = end;
        if (i + 1 < count) continue;
        at += strspn(at, " \t\r\n");
        if (*at) break;
        memcpy(out, values, (size_t)count * sizeof *out);
        return true;
    }
    pli_robot_error(r->robot, line_of(r), "<%s %s=\"%.60s\">: must be %d number%s", element, name,
                    text, count, count == 1 ? "" : "s");
    return true;
}

static void need_number(reader* r, const char* element, attributes a, const char* name,
                        double* out) {
    if (!read_numbers(r, element, a, name, 1, out))
        pli_robot_error(r->robot, line_of(r), "<%s> has no %s", element, name);
}

static void need_positive(reader* r, const char* element, attributes a, const char* name, int count,
                          double* out) {
    if (!read_numbers(r, element, a, name, count, out))
        pli_robot_error(r->robot, line_of(r), "<%s> has no %s", element, name);
    else
        for (int i = 0; i < count; ++i)
            if (!(out[i] > 0))
                pli_robot_error(r->robot, line_of(r), "<%s %s=\"%.60s\">: must be above 0", element,
                                name, text_of(a, name));
}

static void keep(reader* r, const char* text, char** out) {
    if (!text || r->status != PLI_OK) return;
    pli_free_text(r->robot->memory, out);
    r->status = pli_copy_text(r->robot->memory, text, out, r->error);
}

static pli_robot_link* last_link(reader* r) { return &r->robot->links[r->robot->link_count - 1]; }
static pli_robot_joint* last_joint(reader* r) {
    return &r->robot->joints[r->robot->joint_count - 1];
}
static pli_robot_shape* last_shape(reader* r) {
    return &r->robot->shapes[r->robot->shape_count - 1];
}

// ---- elements

typedef struct element {
    const char* name;
    tag in, opens;
    void (*read)(reader* r, const char* name, attributes a);
} element;

static void read_robot(reader* r, const char* name, attributes a) {
    (void)name;
    keep(r, text_of(a, "name"), &r->robot->name);
}

static void read_link(reader* r, const char* name, attributes a) {
    pli_robot* robot = r->robot;
    (void)name;
    r->status = PLI_GROW(robot->memory, robot->links, robot->link_capacity, robot->link_count + 1,
                         r->error);
    if (r->status != PLI_OK) return;
    robot->links[robot->link_count++] =
        (pli_robot_link){.line = line_of(r), .inertial = PLI_NO_POSE, .joint = -1};
    if (!text_of(a, "name")) pli_robot_error(robot, line_of(r), "<link> has no name");
    keep(r, text_of(a, "name") ? text_of(a, "name") : "", &last_link(r)->name);
}

static void read_inertial(reader* r, const char* name, attributes a) {
    (void)name, (void)a;
    last_link(r)->inertial_line = line_of(r);
}

static void read_origin(reader* r, const char* name, attributes a) {
    double xyz[3] = {0}, rpy[3] = {0};
    read_numbers(r, name, a, "xyz", 3, xyz);
    read_numbers(r, name, a, "rpy", 3, rpy);
    tag in = r->stack[r->depth - 1];
    pli_pose_of(xyz, rpy,
                in == INERTIAL ? &last_link(r)->inertial
                : in == SHAPE  ? &last_shape(r)->pose
                               : &last_joint(r)->pose);
}

static void read_mass(reader* r, const char* name, attributes a) {
    need_number(r, name, a, "value", &last_link(r)->mass);
}

static void read_inertia(reader* r, const char* name, attributes a) {
    static const char* const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    for (int i = 0; i < 6; ++i) need_number(r, name, a, keys[i], &last_link(r)->inertia[i]);
}

static void read_shape(reader* r, const char* name, attributes a) {
    pli_robot* robot = r->robot;
    (void)a;
    r->status = PLI_GROW(robot->memory, robot->shapes, robot->shape_capacity,
                         robot->shape_count + 1, r->error);
    if (r->status != PLI_OK) return;
    robot->shapes[robot->shape_count++] = (pli_robot_shape){.link = robot->link_count - 1,
                                                            .line = line_of(r),
                                                            .visual = name[0] == 'v',
                                                            .pose = PLI_NO_POSE,
                                                            .size = {1, 1, 1}};
}

static void read_box(reader* r, const char* name, attributes a) {
    last_shape(r)->kind = PLI_ROBOT_BOX;
    need_positive(r, name, a, "size", 3, last_shape(r)->size);
}

static void read_cylinder(reader* r, const char* name, attributes a) {
    last_shape(r)->kind = PLI_ROBOT_CYLINDER;
    need_positive(r, name, a, "radius", 1, &last_shape(r)->radius);
    need_positive(r, name, a, "length", 1, &last_shape(r)->length);
}

static void read_sphere(reader* r, const char* name, attributes a) {
    last_shape(r)->kind = PLI_ROBOT_SPHERE;
    need_positive(r, name, a, "radius", 1, &last_shape(r)->radius);
}

static void read_mesh(reader* r, const char* name, attributes a) {
    last_shape(r)->kind = PLI_ROBOT_MESH;
    last_shape(r)->line = line_of(r);
    read_numbers(r, name, a, "scale", 3, last_shape(r)->size);
    if (!text_of(a, "filename")) pli_robot_error(r->robot, line_of(r), "<mesh> has no filename");
    keep(r, text_of(a, "filename"), &last_shape(r)->path);
}

static void read_joint(reader* r, const char* name, attributes a) {
    pli_robot* robot = r->robot;
    (void)name;
    r->status = PLI_GROW(robot->memory, robot->joints, robot->joint_capacity,
                         robot->joint_count + 1, r->error);
    if (r->status != PLI_OK) return;
    robot->joints[robot->joint_count++] = (pli_robot_joint){.line = line_of(r),
                                                            .from = -1,
                                                            .to = -1,
                                                            .source = -1,
                                                            .multiplier = 1,
                                                            .pose = PLI_NO_POSE};
    if (!text_of(a, "name")) pli_robot_error(robot, line_of(r), "<joint> has no name");
    keep(r, text_of(a, "name") ? text_of(a, "name") : "", &last_joint(r)->name);
    keep(r, text_of(a, "type"), &last_joint(r)->type);
}

static void read_parent(reader* r, const char* name, attributes a) {
    (void)name;
    keep(r, text_of(a, "link"), &last_joint(r)->parent);
}
static void read_child(reader* r, const char* name, attributes a) {
    (void)name;
    keep(r, text_of(a, "link"), &last_joint(r)->child);
}

static void read_axis(reader* r, const char* name, attributes a) {
    if (read_numbers(r, name, a, "xyz", 3, last_joint(r)->axis))
        last_joint(r)->axis_line = line_of(r);
}

static void read_limit(reader* r, const char* name, attributes a) {
    pli_robot_joint* j = last_joint(r);
    j->limit_line = line_of(r);
    read_numbers(r, name, a, "lower", 1, &j->lower);
    read_numbers(r, name, a, "upper", 1, &j->upper);
    read_numbers(r, name, a, "effort", 1, &j->effort);
    read_numbers(r, name, a, "velocity", 1, &j->velocity);
    if (j->effort < 0)
        pli_robot_error(r->robot, line_of(r), "<limit effort=\"%g\">: must not be negative",
                        j->effort);
}

static void read_dynamics(reader* r, const char* name, attributes a) {
    pli_robot_joint* j = last_joint(r);
    read_numbers(r, name, a, "damping", 1, &j->damping);
    read_numbers(r, name, a, "friction", 1, &j->friction);
    if (j->damping < 0 || j->friction < 0)
        pli_robot_error(r->robot, line_of(r),
                        "<dynamics>: damping and friction must not be "
                        "negative");
}

static void read_mimic(reader* r, const char* name, attributes a) {
    pli_robot_joint* j = last_joint(r);
    j->mimic_line = line_of(r);
    if (!text_of(a, "joint")) pli_robot_error(r->robot, line_of(r), "<mimic> has no joint");
    keep(r, text_of(a, "joint"), &j->mimic);
    read_numbers(r, name, a, "multiplier", 1, &j->multiplier);
    read_numbers(r, name, a, "offset", 1, &j->offset);
}

static const element elements[] = {
    {"robot", IN_FILE, ROBOT, read_robot},
    {"link", ROBOT, LINK, read_link},
    {"inertial", LINK, INERTIAL, read_inertial},
    {"origin", INERTIAL, LEAF, read_origin},
    {"mass", INERTIAL, LEAF, read_mass},
    {"inertia", INERTIAL, LEAF, read_inertia},
    {"collision", LINK, SHAPE, read_shape},
    {"visual", LINK, SHAPE, read_shape},
    {"origin", SHAPE, LEAF, read_origin},
    {"geometry", SHAPE, GEOMETRY, NULL},
    {"box", GEOMETRY, LEAF, read_box},
    {"cylinder", GEOMETRY, LEAF, read_cylinder},
    {"sphere", GEOMETRY, LEAF, read_sphere},
    {"mesh", GEOMETRY, LEAF, read_mesh},
    {"joint", ROBOT, JOINT, read_joint},
    {"origin", JOINT, LEAF, read_origin},
    {"parent", JOINT, LEAF, read_parent},
    {"child", JOINT, LEAF, read_child},
    {"axis", JOINT, LEAF, read_axis},
    {"limit", JOINT, LEAF, read_limit},
    {"dynamics", JOINT, LEAF, read_dynamics},
    {"mimic", JOINT, LEAF, read_mimic},
};

// ---- what is not taken over

// Colours and textures are of no use here, so their absence is no news.
static bool is_looks(const char* name) {
    return strcmp(name, "material") == 0 || strcmp(name, "color") == 0 ||
           strcmp(name, "texture") == 0;
}

static void skip(reader* r, const char* name) {
    if (is_looks(name) || r->stack[r->depth - 1] == OTHER || r->stack[r->depth - 1] == LEAF) return;
    for (int i = 0; i < r->skipped_count; ++i)
        if (strncmp(r->skipped[i].name, name, sizeof r->skipped[i].name - 1) == 0) {
            ++r->skipped[i].count;
            return;
        }
    if (r->skipped_count == MOST_SKIPPED) return;
    struct skipped* new = &r->skipped[r->skipped_count++];
    pli_format(new->name, sizeof new->name, "%s", name);
    new->line = line_of(r);
    new->count = 1;
}

static void tell_skipped(const reader* r) {
    for (int i = 0; i < r->skipped_count; ++i)
        pli_robot_note(r->robot, r->skipped[i].line, "<%s> is not taken over%s", r->skipped[i].name,
                       r->skipped[i].count > 1 ? " (nor further ones)" : "");
}

// ---- the parser

static void stop(reader* r) { XML_StopParser(r->parser, XML_FALSE); }

static void begin(void* context, const XML_Char* name, const XML_Char** a) {
    reader* r = context;
    tag in = r->stack[r->depth - 1], opens = OTHER;
    const element* found = NULL;
    for (size_t i = 0; i < sizeof elements / sizeof *elements && !found; ++i)
        if (elements[i].in == in && strcmp(elements[i].name, name) == 0) found = &elements[i];
    if (in == IN_FILE && !found)
        pli_robot_error(r->robot, line_of(r),
                        "the file begins with <%.40s>, must be <robot>: is it a URDF file? (of a "
                        "xacro file run xacro first)",
                        name);
    if (found) opens = found->opens;
    if (found && found->read) found->read(r, name, a);
    if (!found) skip(r, name);
    if (r->depth == MOST_DEPTH)
        r->status =
            pli_fail_at(r->error, PLI_E_SCENE, line_of(r), 0, "%s:%d: more than %d nested elements",
                        r->robot->def->path, line_of(r), MOST_DEPTH);
    if (r->status != PLI_OK) {
        stop(r);
        return;
    }
    r->stack[r->depth++] = opens;
}

static void end(void* context, const XML_Char* name) {
    reader* r = context;
    (void)name;
    --r->depth;
}

pli_status pli_urdf_read(pli_robot* robot, const char* text, size_t size, pli_error* error) {
    reader r = {.robot = robot, .error = error, .depth = 1, .stack = {IN_FILE}};
    r.parser = XML_ParserCreate(NULL);
    if (!r.parser) return pli_fail(error, PLI_E_MEMORY, "out of memory");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, begin, end);
    bool good = XML_Parse(r.parser, text, (int)size, 1) == XML_STATUS_OK;
    if (!good && r.status == PLI_OK) {
        enum XML_Error code = XML_GetErrorCode(r.parser);
        int line = line_of(&r), column = (int)XML_GetCurrentColumnNumber(r.parser) + 1;
        r.status = code == XML_ERROR_NO_MEMORY
                       ? pli_fail(error, PLI_E_MEMORY, "out of memory")
                       : pli_fail_at(error, PLI_E_SCENE, line, column, "%.300s:%d:%d: not XML: %s",
                                     robot->def->path, line, column, XML_ErrorString(code));
    }
    XML_ParserFree(r.parser);
    if (r.status == PLI_OK) tell_skipped(&r);
    return r.status;
}
