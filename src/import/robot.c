// Robots: freeing, messages, poses, and the checks of a robot that was read: names, the tree of
// links and joints, masses, joints; then the places of its links at the start.
#include "import/robot.h"

#include "math/elementary.h"
#include "math/small.h"
#include "math/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

void pli_robot_free(pli_robot* robot) {
    pli_memory* m = robot->memory;
    for (int i = 0; i < robot->link_count; ++i) pli_free_text(m, &robot->links[i].name);
    for (int i = 0; i < robot->shape_count; ++i) pli_free_text(m, &robot->shapes[i].path);
    for (int i = 0; i < robot->joint_count; ++i) {
        pli_robot_joint* j = &robot->joints[i];
        char** texts[] = {&j->name, &j->type, &j->parent, &j->child, &j->mimic};
        for (int k = 0; k < 5; ++k) pli_free_text(m, texts[k]);
    }
    pli_free_text(m, &robot->name);
    PLI_FREE(m, robot->links, robot->link_capacity);
    PLI_FREE(m, robot->joints, robot->joint_capacity);
    PLI_FREE(m, robot->shapes, robot->shape_capacity);
}

// ---- messages

static void report(pli_robot* robot, bool error, int line, const char* format, va_list args) {
    char message[600];
    vsnprintf(message, sizeof message, format, args);
    ++*(error ? &robot->info.error_count : &robot->info.note_count);
    pli_import_note note = {error, line, pli_printable(message, message, sizeof message)};
    if (robot->def->note) robot->def->note(robot->def->context, &note);
}

void pli_robot_error(pli_robot* robot, int line, const char* format, ...) {
    va_list args;
    va_start(args, format);
    report(robot, true, line, format, args);
    va_end(args);
}

void pli_robot_note(pli_robot* robot, int line, const char* format, ...) {
    va_list args;
    va_start(args, format);
    report(robot, false, line, format, args);
    va_end(args);
}

// ---- poses

void pli_pose_product(const pli_pose* a, const pli_pose* b, pli_pose* out) {
    pli_pose c;
    for (int r = 0; r < 3; ++r) {
        c.p[r] = a->p[r];
        for (int k = 0; k < 3; ++k) c.p[r] += a->R[3 * r + k] * b->p[k];
        for (int k = 0; k < 3; ++k) {
            c.R[3 * r + k] = 0;
            for (int i = 0; i < 3; ++i) c.R[3 * r + k] += a->R[3 * r + i] * b->R[3 * i + k];
        }
    }
    *out = c;
}

static void turn_about(const double axis[3], double angle, double R[9]) {
    double c = pli_cos(angle), s = pli_sin(angle);
    for (int r = 0; r < 3; ++r)
        for (int k = 0; k < 3; ++k) R[3 * r + k] = (r == k ? c : 0) + (1 - c) * axis[r] * axis[k];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        R[3 * j + i] += s * axis[k];
        R[3 * i + j] -= s * axis[k];
    }
}

// Roll, pitch, yaw: R = Rz(yaw) Ry(pitch) Rx(roll).
void pli_pose_of(const double p[3], const double rpy[3], pli_pose* out) {
    *out = PLI_NO_POSE;
    for (int k = 2; k >= 0; --k) {
        pli_pose turn = PLI_NO_POSE;
        double axis[3] = {k == 0, k == 1, k == 2};
        turn_about(axis, rpy[k], turn.R);
        pli_pose_product(out, &turn, out);
    }
    memcpy(out->p, p, sizeof out->p);
}

// From the quaternion, by its largest component: precise at any angle.
void pli_pose_turn(const pli_pose* pose, double degrees[3]) {
    const double* R = pose->R;
    double q[4], trace = R[0] + R[4] + R[8]; // w, x, y, z
    int big = 0;
    double square[4] = {1 + trace, 1 + 2 * R[0] - trace, 1 + 2 * R[4] - trace,
                        1 + 2 * R[8] - trace};
    for (int k = 1; k < 4; ++k)
        if (square[k] > square[big]) big = k;
    double curl[3] = {R[7] - R[5], R[2] - R[6], R[3] - R[1]};
    for (int k = 0; k < 4; ++k) {
        if (k == big)
            q[k] = square[big];
        else if (k == 0 || big == 0)
            q[k] = curl[(k == 0 ? big : k) - 1];
        else
            q[k] = R[3 * (k - 1) + big - 1] + R[3 * (big - 1) + k - 1];
    }
    double side = pli_norm(q + 1, 3), sign = q[0] < 0 ? -1 : 1;
    double angle = 2 * pli_atan2(side, sign * q[0]) * 180 / PI;
    for (int c = 0; c < 3; ++c) degrees[c] = side > 0 ? sign * q[c + 1] / side * angle : 0;
}

// ---- the tree

static int find_link(const pli_robot* robot, const char* name, pli_nearest* nearest) {
    *nearest = (pli_nearest){.word = name};
    for (int i = 0; i < robot->link_count; ++i) {
        if (strcmp(robot->links[i].name, name) == 0) return i;
        pli_nearest_try(nearest, robot->links[i].name);
    }
    return -1;
}

static void check_names(pli_robot* robot) {
    for (int i = 0; i < robot->link_count; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(robot->links[i].name, robot->links[k].name) == 0) {
                pli_robot_error(robot, robot->links[i].line,
                                "link \"%.60s\": line %d has a link of this name: rename one",
                                robot->links[i].name, robot->links[k].line);
                break;
            }
    for (int i = 0; i < robot->joint_count; ++i)
        for (int k = 0; k < i; ++k)
            if (strcmp(robot->joints[i].name, robot->joints[k].name) == 0) {
                pli_robot_error(robot, robot->joints[i].line,
                                "joint \"%.60s\": line %d has a joint of this name: rename one",
                                robot->joints[i].name, robot->joints[k].line);
                break;
            }
}

static int resolve(pli_robot* robot, const pli_robot_joint* j, const char* role, const char* name) {
    pli_nearest nearest;
    if (!name) {
        pli_robot_error(robot, j->line, "joint \"%.60s\" has no %s", j->name, role);
        return -1;
    }
    int link = find_link(robot, name, &nearest);
    if (link < 0)
        pli_robot_error(robot, j->line,
                        "joint \"%.60s\": its %s, link \"%.60s\", does not exist%s%.60s%s", j->name,
                        role, name, nearest.best ? "; did you mean \"" : "",
                        nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    return link;
}

static void resolve_joints(pli_robot* robot) {
    for (int i = 0; i < robot->joint_count; ++i) {
        pli_robot_joint* j = &robot->joints[i];
        j->from = resolve(robot, j, "parent", j->parent);
        j->to = resolve(robot, j, "child", j->child);
        if (j->from < 0 || j->to < 0) continue;
        pli_robot_link* child = &robot->links[j->to];
        if (child->joint >= 0)
            pli_robot_error(
                robot, j->line,
                "joint \"%.60s\": link \"%.60s\" is the child of joint \"%.60s\" too: a "
                "closed loop, which URDF does not have; close it by a joint in the scene",
                j->name, child->name, robot->joints[child->joint].name);
        else
            child->joint = i;
    }
}

// The way up from each link ends at the root within as many joints as there are.
static void check_tree(pli_robot* robot) {
    int roots = 0;
    robot->root = -1;
    if (robot->link_count == 0) pli_robot_error(robot, 1, "the robot has no link");
    for (int i = 0; i < robot->link_count; ++i) {
        int at = i, steps = 0;
        while (robot->links[at].joint >= 0 && steps <= robot->joint_count) {
            at = robot->joints[robot->links[at].joint].from;
            ++steps;
        }
        if (steps > robot->joint_count) {
            pli_robot_error(robot, robot->joints[robot->links[i].joint].line,
                            "joint \"%.60s\": its parent is below its child: a loop",
                            robot->joints[robot->links[i].joint].name);
            robot->root = 0;
            return;
        }
        if (robot->links[i].joint >= 0) continue;
        if (roots++ == 0)
            robot->root = i;
        else
            pli_robot_error(
                robot, robot->links[i].line,
                "link \"%.60s\" hangs on no joint, like link \"%.60s\" (line %d): a robot "
                "has one root",
                robot->links[i].name, robot->links[robot->root].name,
                robot->links[robot->root].line);
    }
}

// ---- masses

// Moments of inertia are sums of two principal second moments: none exceeds the sum of the others.
// Files round: 1 % beyond is accepted with a note, and corrected in robot_scene.c.
static void check_inertia(pli_robot* robot, pli_robot_link* link) {
    const double* I = link->inertia;
    const double matrix[9] = {I[0], I[1], I[2], I[1], I[3], I[4], I[2], I[4], I[5]};
    double v[3];
    if (link->inertial_line == 0) return;
    if (!(link->mass > 0)) {
        bool nothing = link->mass == 0 && pli_norm(I, 6) == 0;
        if (!nothing)
            pli_robot_error(robot, link->inertial_line,
                            "link \"%.60s\": its mass is %g kg, must be above 0", link->name,
                            link->mass);
        link->inertial_line = 0;
        return;
    }
    pli_eigen_symmetric(3, matrix, v, NULL);
    if (!(v[0] > 0))
        pli_robot_error(robot, link->inertial_line,
                        "link \"%.60s\": no body has this inertia: its principal moments are %.4g, "
                        "%.4g and %.4g kg m^2, must be above 0",
                        link->name, v[0], v[1], v[2]);
    else if (v[2] > 1.01 * (v[0] + v[1]))
        pli_robot_error(robot, link->inertial_line,
                        "link \"%.60s\": no body has this inertia: of its principal moments %.4g, "
                        "%.4g and %.4g kg m^2 the last must be at most the sum of the others",
                        link->name, v[0], v[1], v[2]);
}

// ---- joints

static const pli_robot_type types[] = {
    {"revolute", "hinge", PLI_FREE_ANGLE, .axis = true, .limits = true},
    {"continuous", "hinge", PLI_FREE_ANGLE, .axis = true, .limits = false},
    {"prismatic", "slider", PLI_FREE_TRAVEL, .axis = true, .limits = true},
    {"planar", "planar", PLI_FREE_MORE, .axis = true, .limits = false},
    {"floating", NULL, PLI_FREE_MORE, .fixed = false},
    {"fixed", NULL, PLI_FREE_NONE, .fixed = true},
};

const char* pli_robot_type_name(int i) {
    return i >= 0 && (size_t)i < sizeof types / sizeof *types ? types[i].name : NULL;
}

const pli_robot_type* pli_robot_type_of(const char* name) {
    for (int i = 0; name && pli_robot_type_name(i); ++i)
        if (strcmp(types[i].name, name) == 0) return &types[i];
    return NULL;
}

static void check_joint(pli_robot* robot, pli_robot_joint* j) {
    const pli_robot_type* type = pli_robot_type_of(j->type);
    if (!type) {
        const char* like = j->type ? pli_nearest_word(j->type, pli_robot_type_name) : NULL;
        pli_robot_error(robot, j->line,
                        "joint \"%.60s\": its type is \"%.40s\", must be revolute, "
                        "continuous, prismatic, fixed, floating or planar%s%s%s",
                        j->name, j->type ? j->type : "", like ? "; did you mean \"" : "",
                        like ? like : "", like ? "\"?" : "");
        return;
    }
    double length = pli_norm(j->axis, 3);
    if (type->axis && j->axis_line == 0)
        pli_robot_error(robot, j->line,
                        "joint \"%.60s\" has no axis: add <axis xyz=\"1 0 0\"/> if it "
                        "is along x",
                        j->name);
    else if (type->axis && !(length > 0))
        pli_robot_error(robot, j->axis_line, "joint \"%.60s\": its axis has no length", j->name);
    for (int c = 0; c < 3 && length > 0; ++c) j->axis[c] /= length;
    if (type->limits && j->limit_line == 0)
        pli_robot_error(robot, j->line, "joint \"%.60s\" has no <limit>, which a %s joint needs%s",
                        j->name, type->name,
                        type->freedom == PLI_FREE_ANGLE ? "; without limits it is continuous" : "");
    else if (type->limits && !(j->lower <= j->upper))
        pli_robot_error(robot, j->limit_line, "joint \"%.60s\": lower = %g is above upper = %g",
                        j->name, j->lower, j->upper);
}

static void check_mimic(pli_robot* robot, int i) {
    pli_robot_joint* j = &robot->joints[i];
    if (!j->mimic) return;
    for (int k = 0; k < robot->joint_count && j->source < 0; ++k)
        if (strcmp(robot->joints[k].name, j->mimic) == 0) j->source = k;
    const pli_robot_type* own = pli_robot_type_of(j->type);
    const pli_robot_type* other =
        j->source < 0 ? NULL : pli_robot_type_of(robot->joints[j->source].type);
    const char* wrong = j->source < 0                    ? "does not exist"
                        : j->source == i                 ? "is itself"
                        : robot->joints[j->source].mimic ? "follows another one: name that one"
                        : !own || !other || !own->axis || !other->axis ? "cannot be followed"
                                                                       : NULL;
    if (wrong) {
        pli_robot_error(robot, j->mimic_line,
                        "joint \"%.60s\": it follows joint \"%.60s\", which %s", j->name, j->mimic,
                        wrong);
        j->source = -1;
    }
}

// ---- the start

// A barrier cannot begin at its end: a joint that begins at a limit gets 0.1 % of its range more.
static void widen_limits(pli_robot* robot, pli_robot_joint* j) {
    double range = j->upper - j->lower, slack = 1e-3 * (range > 0 ? range : 1);
    bool low = j->start - j->lower < slack, high = j->upper - j->start < slack;
    if (low) j->lower = j->start - slack;
    if (high) j->upper = j->start + slack;
    if (low || high)
        pli_robot_note(robot, j->limit_line,
                       "joint \"%.60s\" begins at a limit, which is moved by %g", j->name, slack);
}

static void choose_starts(pli_robot* robot) {
    for (int p = 0; p < robot->def->pose_count; ++p) {
        const pli_import_pose* pose = &robot->def->poses[p];
        pli_nearest nearest = {.word = pose->joint};
        bool found = false;
        for (int i = 0; i < robot->joint_count; ++i) {
            pli_nearest_try(&nearest, robot->joints[i].name);
            if (strcmp(robot->joints[i].name, pose->joint) != 0) continue;
            robot->joints[i].start = pose->value;
            found = true;
        }
        if (!found)
            pli_robot_error(robot, 0, "there is no joint \"%.60s\"%s%.60s%s", pose->joint,
                            nearest.best ? "; did you mean \"" : "",
                            nearest.best ? nearest.best : "", nearest.best ? "\"?" : "");
    }
    for (int i = 0; i < robot->joint_count; ++i) {
        pli_robot_joint* j = &robot->joints[i];
        const pli_robot_type* type = pli_robot_type_of(j->type);
        if (j->source >= 0) j->start = j->multiplier * robot->joints[j->source].start + j->offset;
        if (!type->limits) continue;
        double start = fmin(fmax(j->start, j->lower), j->upper);
        if (start != j->start)
            pli_robot_note(robot, j->limit_line,
                           "joint \"%.60s\" begins at %g: %g is beyond its limits", j->name, start,
                           j->start);
        j->start = start;
        widen_limits(robot, j);
    }
}

static void place_link(pli_robot* robot, int i) {
    pli_robot_link* link = &robot->links[i];
    if (link->joint < 0) {
        link->pose = PLI_NO_POSE;
        link->body = i;
        return;
    }
    const pli_robot_joint* j = &robot->joints[link->joint];
    const pli_robot_type* type = pli_robot_type_of(j->type);
    pli_pose moved = PLI_NO_POSE;
    if (type->freedom == PLI_FREE_ANGLE) turn_about(j->axis, j->start, moved.R);
    for (int c = 0; c < 3 && type->freedom == PLI_FREE_TRAVEL; ++c)
        moved.p[c] = j->start * j->axis[c];
    pli_pose_product(&j->pose, &moved, &moved);
    pli_pose_product(&robot->links[j->from].pose, &moved, &link->pose);
    link->body = type->fixed ? robot->links[j->from].body : i;
}

// Parents first: as many passes as the tree is deep, at most.
static pli_status place_links(pli_robot* robot, pli_error* error) {
    bool* placed;
    PLI_TRY(PLI_ALLOC(robot->memory, placed, robot->link_count, error));
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < robot->link_count; ++i) {
            int joint = robot->links[i].joint;
            if (placed[i] || (joint >= 0 && !placed[robot->joints[joint].from])) continue;
            place_link(robot, i);
            placed[i] = more = true;
        }
    }
    PLI_FREE(robot->memory, placed, robot->link_count);
    return PLI_OK;
}

pli_status pli_robot_check(pli_robot* robot, pli_error* error) {
    check_names(robot);
    resolve_joints(robot);
    check_tree(robot);
    for (int i = 0; i < robot->link_count; ++i) check_inertia(robot, &robot->links[i]);
    for (int i = 0; i < robot->joint_count; ++i) check_joint(robot, &robot->joints[i]);
    for (int i = 0; i < robot->joint_count; ++i) check_mimic(robot, i);
    if (robot->info.error_count > 0) return PLI_OK;
    choose_starts(robot);
    return place_links(robot, error);
}
