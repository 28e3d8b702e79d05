// Writes a robot as a scene. Links that fixed joints hold together are one rigid body; z, which is
// up in URDF, becomes y. Places of bodies are those of their root links.
#include "import/robot.h"

#include "math/small.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// ---- text

typedef struct writer {
    pli_memory* memory;
    pli_error* error;
    pli_status status;
    char* text;
    int length, capacity;
} writer;

static void put(writer* w, const char* text) {
    int n = (int)strlen(text);
    if (w->status == PLI_OK)
        w->status = PLI_GROW(w->memory, w->text, w->capacity, (int64_t)w->length + n + 1, w->error);
    if (w->status != PLI_OK) return;
    memcpy(w->text + w->length, text, (size_t)n + 1);
    w->length += n;
}

static void put_name(writer* w, const char* name) {
    put(w, "\"");
    for (const char* c = name; *c;) {
        char piece[8] = "?";
        int n = pli_utf8_length(c);
        if ((unsigned char)*c < ' ')
            pli_format(piece, sizeof piece, "\\u%04x", *c);
        else if (*c == '"' || *c == '\\')
            pli_format(piece, sizeof piece, "\\%c", *c);
        else if (n > 0)
            pli_format(piece, sizeof piece, "%.*s", n, c);
        put(w, piece);
        c += n > 0 ? n : 1;
    }
    put(w, "\"");
}

// Twelve digits hide the rounding of rotations.
static void put_number(writer* w, double x) {
    char text[PLI_NUMBER_SIZE];
    pli_format(text, sizeof text, "%.12g", fabs(x) < 1e-14 ? 0 : x);
    put(w, text);
}

static void put_vector(writer* w, const double* x) {
    for (int c = 0; c < 3; ++c) {
        put(w, c == 0 ? "[" : ", ");
        put_number(w, x[c]);
    }
    put(w, "]");
}

static void put_key(writer* w, const char* key, const double* x) {
    put(w, ", \"");
    put(w, key);
    put(w, "\": ");
    put_vector(w, x);
}

static void put_value(writer* w, const char* key, double x) {
    put(w, ", \"");
    put(w, key);
    put(w, "\": ");
    put_number(w, x);
}

// Keys rotate and translate, if they do anything.
static void put_pose(writer* w, const pli_pose* pose) {
    double degrees[3];
    pli_pose_turn(pose, degrees);
    if (pli_norm(degrees, 3) > 1e-12) put_key(w, "rotate", degrees);
    if (pli_norm(pose->p, 3) > 1e-14) put_key(w, "translate", pose->p);
}

// ---- bodies

// Of the root to the scene: x stays, y becomes -z, z becomes y.
static const pli_pose upright = {{0, 0, 0}, {1, 0, 0, 0, 0, 1, 0, -1, 0}};

static void pose_in_scene(const pli_robot* robot, int link, pli_pose* out) {
    pli_pose_product(&upright, &robot->links[link].pose, out);
}

// The pose of `link` in the root link of its body.
static void pose_in_body(const pli_robot* robot, int link, pli_pose* out) {
    const pli_pose *body = &robot->links[robot->links[link].body].pose,
                   *own = &robot->links[link].pose;
    pli_pose inverse = PLI_NO_POSE;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            inverse.R[3 * r + c] = body->R[3 * c + r];
            inverse.p[r] -= body->R[3 * c + r] * body->p[c];
        }
    pli_pose_product(&inverse, own, out);
}

typedef struct inertial {
    double mass, center[3], second[9]; // about center: integral of rho x x^T
} inertial;

// Adds a body of this mass, centre and second moments.
static void add_inertial(inertial* sum, double mass, const double center[3], const double S[9]) {
    double total = sum->mass + mass, d[3];
    pli_sub(center, sum->center, d, 3);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            sum->second[3 * r + c] += S[3 * r + c] + sum->mass * mass / total * d[r] * d[c];
    for (int c = 0; c < 3; ++c) sum->center[c] += mass / total * d[c];
    sum->mass = total;
}

// S = tr(I) / 2 - I, positive semi-definite: files round, see check_inertia.
static void second_of(const double I[6], double S[9]) {
    double matrix[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]}, v[3], V[9];
    for (int i = 0; i < 9; ++i)
        matrix[i] = (i % 4 == 0 ? 0.5 * (I[0] + I[3] + I[5]) : 0) - matrix[i];
    pli_eigen_symmetric(3, matrix, v, V);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
            S[3 * r + c] = 0;
            for (int k = 0; k < 3; ++k) S[3 * r + c] += fmax(v[k], 0) * V[3 * r + k] * V[3 * c + k];
        }
}

static void add_link(const pli_robot* robot, int i, inertial* sum) {
    const pli_robot_link* link = &robot->links[i];
    pli_pose pose;
    double S[9], T[9] = {0};
    pose_in_body(robot, i, &pose);
    pli_pose_product(&pose, &link->inertial, &pose);
    second_of(link->inertia, S);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 9; ++k)
                T[3 * r + c] += pose.R[3 * r + k / 3] * S[k] * pose.R[3 * c + k % 3];
    add_inertial(sum, link->mass, pose.p, T);
}

static void put_inertial(writer* w, const inertial* sum) {
    const double* S = sum->second;
    double trace = S[0] + S[4] + S[8];
    const double I[3] = {trace - S[0], trace - S[4], trace - S[8]},
                 products[3] = {-S[1], -S[2], -S[5]};
    put_value(w, "total_mass", sum->mass);
    put_key(w, "inertia", I);
    if (pli_norm(products, 3) > 1e-12 * trace) put_key(w, "inertia_products", products);
    if (pli_norm(sum->center, 3) > 0) put_key(w, "center_of_mass", sum->center);
}

static void put_box(writer* w, const pli_robot_shape* s) {
    put(w, "{ \"type\": \"box\", \"size\": ");
    put_vector(w, s->size);
    put(w, ", \"segments\": [1, 1, 1], \"surface\": true }");
}
static void put_cylinder(writer* w, const pli_robot_shape* s) {
    put(w, "{ \"type\": \"tube\", \"ends\": \"flat\", \"rings\": 6, \"segments\": 1");
    put_value(w, "radius", s->radius);
    put_value(w, "length", s->length);
    put(w, " }");
}
static void put_sphere(writer* w, const pli_robot_shape* s) {
    put(w, "{ \"type\": \"sphere\", \"rings\": 6");
    put_value(w, "radius", s->radius);
    put(w, " }");
}
static void put_mesh(writer* w, const pli_robot_shape* s) {
    put(w, "{ \"type\": \"file\", \"keep\": \"surface\", \"path\": ");
    put_name(w, s->path);
    put(w, " }");
}

static void (*const shape_writers[])(writer*, const pli_robot_shape*) = {
    [PLI_ROBOT_BOX] = put_box,
    [PLI_ROBOT_CYLINDER] = put_cylinder,
    [PLI_ROBOT_SPHERE] = put_sphere,
    [PLI_ROBOT_MESH] = put_mesh,
};

// Cylinders are along z there, along x here.
static const pli_pose along_z = {{0, 0, 0}, {0, 0, -1, 0, 1, 0, 1, 0, 0}};

static void put_part(writer* w, const pli_robot* robot, const pli_robot_shape* s) {
    pli_pose pose;
    pose_in_body(robot, s->link, &pose);
    pli_pose_product(&pose, &s->pose, &pose);
    if (s->kind == PLI_ROBOT_CYLINDER) pli_pose_product(&pose, &along_z, &pose);
    put(w, "{ \"mesh\": ");
    shape_writers[s->kind](w, s);
    bool scaled = s->size[0] != 1 || s->size[1] != 1 || s->size[2] != 1;
    if (s->kind == PLI_ROBOT_MESH && scaled) put_key(w, "scale", s->size);
    put_pose(w, &pose);
    put(w, " }");
}

// A box of this mass and inertia, for a body that has no shape.
static void put_equivalent(writer* w, const inertial* sum) {
    double v[3], V[9];
    pli_pose pose = PLI_NO_POSE;
    pli_robot_shape box = {.kind = PLI_ROBOT_BOX};
    pli_eigen_symmetric(3, sum->second, v, V);
    for (int c = 0; c < 3; ++c) box.size[c] = sqrt(12 * fmax(v[c], 1e-6 * v[2]) / sum->mass);
    double cross[3], a[3] = {V[0], V[3], V[6]}, b[3] = {V[1], V[4], V[7]},
                     c2[3] = {V[2], V[5], V[8]};
    pli_cross3(a, b, cross);
    double flip = pli_dot(cross, c2, 3) < 0 ? -1 : 1;
    for (int i = 0; i < 9; ++i) pose.R[i] = i % 3 == 0 ? flip * V[i] : V[i];
    memcpy(pose.p, sum->center, sizeof pose.p);
    put(w, "\n        { \"mesh\": ");
    put_box(w, &box);
    put_pose(w, &pose);
    put(w, " }");
}

// The shapes of a body; returns how many.
static int put_parts(writer* w, const pli_robot* robot, int body, bool* visual) {
    int count = 0;
    for (int i = 0; i < robot->shape_count; ++i) {
        const pli_robot_shape* s = &robot->shapes[i];
        if (robot->links[s->link].body != body || s->kind == PLI_ROBOT_NOTHING) continue;
        put(w, count++ == 0 ? "\n        " : ",\n        ");
        put_part(w, robot, s);
        if (count == 1) *visual = true;
        *visual = *visual && s->visual;
    }
    return count;
}

static bool is_world(const pli_robot* robot, int link) {
    return robot->links[link].body == robot->root &&
           (robot->def->fixed || strcmp(robot->links[robot->root].name, "world") == 0);
}

static bool has_shape(const pli_robot* robot, int body) {
    for (int i = 0; i < robot->shape_count; ++i)
        if (robot->links[robot->shapes[i].link].body == body &&
            robot->shapes[i].kind != PLI_ROBOT_NOTHING)
            return true;
    return false;
}

static inertial inertial_of(const pli_robot* robot, int body) {
    inertial sum = {0};
    for (int i = 0; i < robot->link_count; ++i)
        if (robot->links[i].body == body && robot->links[i].inertial_line > 0)
            add_link(robot, i, &sum);
    return sum;
}

// A body has the name of its heaviest link: the root may be a mere frame.
static const pli_robot_link* name_link(const pli_robot* robot, int body) {
    const pli_robot_link* best = &robot->links[body];
    for (int i = 0; i < robot->link_count; ++i)
        if (robot->links[i].body == body && robot->links[i].mass > best->mass)
            best = &robot->links[i];
    return best;
}

static void put_placement(writer* w, const pli_robot* robot, int body) {
    pli_pose pose;
    pose_in_scene(robot, body, &pose);
    put_pose(w, &pose);
}

static void put_body(writer* w, pli_robot* robot, int body) {
    const pli_robot_link* link = name_link(robot, body);
    inertial sum = inertial_of(robot, body);
    bool visual = false, shaped = has_shape(robot, body);
    put(w, robot->info.body_count++ == 0 ? "\n    { \"name\": " : ",\n    { \"name\": ");
    put_name(w, link->name);
    put(w, ", \"kinematics\": \"rigid\", \"contact_group\": \"robot\"");
    if (sum.mass > 0)
        put_inertial(w, &sum);
    else
        pli_robot_note(robot, link->line,
                       "link \"%.60s\" has no <inertial>: its mass is that of its shape with 1000 "
                       "kg/m^3",
                       link->name);
    put_placement(w, robot, body);
    put(w, ",\n      \"mesh\": { \"type\": \"parts\", \"of\": [");
    if (shaped)
        put_parts(w, robot, body, &visual);
    else
        put_equivalent(w, &sum);
    put(w, "\n      ] }");
    if (visual || !shaped) {
        put(w, ", \"contact_bodies\": false, \"contact_vertices\": \"none\"");
        pli_robot_note(robot, link->line, "link \"%.60s\" has no <collision>: it touches nothing%s",
                       link->name, shaped ? "" : "; a box of its inertia stands for it");
    }
    put(w, " }");
}

static void put_bodies(writer* w, pli_robot* robot) {
    put(w, "  \"bodies\": [");
    for (int i = 0; i < robot->link_count; ++i) {
        if (robot->links[i].body != i || is_world(robot, i)) continue;
        if (inertial_of(robot, i).mass > 0 || has_shape(robot, i))
            put_body(w, robot, i);
        else
            pli_robot_error(
                robot, robot->links[i].line,
                "link \"%.60s\" has neither mass nor shape, but moves: add an <inertial>",
                robot->links[i].name);
    }
    put(w, "\n  ]");
}

// What is fixed to the world.
static void put_obstacle(writer* w, const pli_robot* robot) {
    bool visual;
    if (!is_world(robot, robot->root) || !has_shape(robot, robot->root)) return;
    put(w, ",\n  \"obstacles\": [\n    { \"type\": \"mesh\", \"name\": ");
    put_name(w, name_link(robot, robot->root)->name);
    put(w, ", \"contact_group\": \"robot\"");
    put_placement(w, robot, robot->root);
    put(w, ",\n      \"mesh\": { \"type\": \"parts\", \"of\": [");
    put_parts(w, robot, robot->root, &visual);
    put(w, "\n      ] } }\n  ]");
}

// ---- joints

static const char* body_name(const pli_robot* robot, int link) {
    return is_world(robot, link) ? "world" : name_link(robot, robot->links[link].body)->name;
}

// A motor that holds the joint where it begins, as strong as its effort.
static void put_motor(writer* w, const pli_robot* robot, const pli_robot_joint* j) {
    if (robot->def->limp || j->source >= 0 || !(j->effort > 0)) return;
    put(w, ", \"motor\": { \"position\": ");
    put_number(w, j->start);
    put_value(w, "cap", j->effort);
    put(w, " }");
}

static void put_freedom(writer* w, const pli_robot* robot, const pli_robot_joint* j,
                        const pli_robot_type* type) {
    put(w, type->freedom == PLI_FREE_ANGLE ? ", \"angle\": { \"start\": "
                                           : ", \"travel\": { \"start\": ");
    put_number(w, j->start);
    if (type->limits) {
        put(w, ", \"limits\": [");
        put_number(w, j->lower);
        put(w, ", ");
        put_number(w, j->upper);
        put(w, "]");
    }
    if (j->friction > 0) put_value(w, "friction", j->friction);
    if (j->damping > 0) put_value(w, "damping", j->damping);
    put_motor(w, robot, j);
    put(w, " }");
}

static void put_joint(writer* w, const pli_robot* robot, const pli_robot_joint* j) {
    const pli_robot_type* type = pli_robot_type_of(j->type);
    pli_pose pose;
    double axis[3];
    pose_in_scene(robot, j->to, &pose);
    for (int r = 0; r < 3; ++r) axis[r] = pli_dot(pose.R + 3 * r, j->axis, 3);
    put(w, "{ \"type\": \"");
    put(w, type->scene);
    put(w, "\", \"name\": ");
    put_name(w, j->name);
    put(w, ", \"between\": [");
    put_name(w, body_name(robot, j->to));
    put(w, ", ");
    put_name(w, body_name(robot, j->from));
    put(w, "]");
    put_key(w, "at", pose.p);
    put_key(w, "axis", axis);
    if (type->freedom != PLI_FREE_MORE) put_freedom(w, robot, j, type);
    put(w, " }");
}

// second = ratio * first; between an angle and a travel: travel = radius * angle.
static void put_mimic(writer* w, pli_robot* robot, const pli_robot_joint* j) {
    const pli_robot_joint* other = &robot->joints[j->source];
    bool angle = pli_robot_type_of(j->type)->freedom == PLI_FREE_ANGLE;
    bool turned = pli_robot_type_of(other->type)->freedom == PLI_FREE_ANGLE;
    bool swapped = angle && !turned;
    put(w, angle == turned ? "{ \"type\": \"gear\", \"of\": [" : "{ \"type\": \"rack\", \"of\": [");
    put_name(w, swapped ? j->name : other->name);
    put(w, ", ");
    put_name(w, swapped ? other->name : j->name);
    put(w, "]");
    put_value(w, angle == turned ? "ratio" : "radius", swapped ? 1 / j->multiplier : j->multiplier);
    put(w, " }");
}

static void put_joints(writer* w, pli_robot* robot) {
    int count = 0;
    for (int i = 0; i < robot->joint_count; ++i) {
        const pli_robot_joint* j = &robot->joints[i];
        if (!pli_robot_type_of(j->type)->scene) continue;
        put(w, count++ == 0 ? ",\n  \"joints\": [\n    " : ",\n    ");
        put_joint(w, robot, j);
        if (j->velocity > 0 && j->effort > 0 && !robot->def->limp)
            pli_robot_note(robot, j->limit_line,
                           "joint \"%.60s\": its largest velocity, %g, is not "
                           "taken over",
                           j->name, j->velocity);
    }
    for (int i = 0; i < robot->joint_count; ++i) {
        if (robot->joints[i].source < 0) continue;
        put(w, ",\n    ");
        put_mimic(w, robot, &robot->joints[i]);
    }
    if (count > 0) put(w, "\n  ]");
}

// Neighbours overlap at their joint.
static void put_contact(writer* w, const pli_robot* robot) {
    int count = 0;
    put(w, "  \"contact\": { \"exclude\": [");
    for (int i = 0; i < robot->joint_count; ++i) {
        const pli_robot_joint* j = &robot->joints[i];
        if (robot->links[j->from].body == robot->links[j->to].body) continue;
        bool ground = is_world(robot, j->from);
        if (ground && !has_shape(robot, robot->root)) continue;
        put(w, count++ == 0 ? "[" : ", [");
        put_name(w, name_link(robot, robot->links[j->from].body)->name);
        put(w, ", ");
        put_name(w, name_link(robot, robot->links[j->to].body)->name);
        put(w, "]");
    }
    put(w, "] },\n");
}

pli_status pli_robot_write(pli_robot* robot, char** scene, pli_error* error) {
    writer w = {.memory = robot->memory, .error = error};
    put(&w, "{\n  \"name\": ");
    put_name(&w, robot->name && robot->name[0] ? robot->name : "robot");
    put(&w, ",\n  \"dimension\": 3,\n  \"time\": { \"step\": 0.01, \"duration\": 1 },\n"
            "  \"gravity\": [0, -9.81, 0],\n");
    put_contact(&w, robot);
    put_bodies(&w, robot);
    put_obstacle(&w, robot);
    put_joints(&w, robot);
    put(&w, "\n}\n");
    // the text in a block of its own size, as pli_import_free needs it
    if (w.status == PLI_OK) w.status = pli_copy_text(robot->memory, w.text, scene, error);
    PLI_FREE(robot->memory, w.text, w.capacity);
    return w.status;
}
