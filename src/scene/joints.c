// Joints of a scene: see joints.h.
#include "scene/joints.h"

#include "base/text.h"
#include "scene/findings.h"
#include "scene/motion.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

static const char world_word[] = "world";

// ---- bodies and vertices

static pli_status find_body(pli_builder* b, const char* name, const pli_path* at, int* body,
                            pli_error* error) {
    pli_nearest nearest = {.word = name};
    char hint[PLI_HINT_SIZE];
    *body = -1;
    if (strcmp(name, world_word) == 0) return PLI_OK;
    for (int i = 0; i < b->body_count; ++i) {
        if (strcmp(b->names[i], name) == 0) {
            *body = i;
            return PLI_OK;
        }
        pli_nearest_try(&nearest, b->names[i]);
    }
    pli_nearest_try(&nearest, world_word);
    return PLI_FIND(b->findings, at, error, "there is no body \"%.60s\"%s", name,
                    pli_nearest_hint(&nearest, hint));
}

static pli_status check_end(pli_builder* b, int body, const pli_path* at, pli_error* error) {
    if (body < 0 || !pli_is_late(&b->bodies[body])) return PLI_OK;
    return PLI_FIND(b->findings, at, error,
                    "body \"%.60s\" appears after the start, but joints connect bodies that are "
                    "there from the start",
                    b->names[body]);
}

// The joints that a gear connects stand above it.
static pli_status find_joints(pli_builder* b, const pli_joint_data* data, const pli_path* at,
                              pli_joint_ends* out, pli_error* error) {
    const pli_tagged* entries = b->scene->joints.items;
    pli_path list = pli_path_key(at, "of");
    for (int k = 0; k < 2 && data->of[k]; ++k) {
        pli_path place = pli_path_index(&list, k);
        pli_nearest nearest = {.word = data->of[k]};
        char hint[PLI_HINT_SIZE];
        for (int i = 0; i < out->number && out->of[k] < 0; ++i) {
            const pli_joint_data* other = entries[i].data;
            const char* name = entries[i].variant >= 0 ? other->name : NULL;
            if (!name || !*name) continue;
            if (strcmp(name, data->of[k]) == 0) out->of[k] = i;
            pli_nearest_try(&nearest, name);
        }
        if (out->of[k] < 0)
            PLI_TRY(PLI_FIND(b->findings, &place, error,
                             "there is no joint \"%.60s\" above this one%s: give it a name",
                             data->of[k], pli_nearest_hint(&nearest, hint)));
    }
    return PLI_OK;
}

static const char* freedom_key(const pli_joint_data* data, int f) {
    const double none[3] = {0};
    bool length = memcmp(data->to, none, sizeof none) != 0;
    return f == PLI_JOINT_ANGLE ? "angle" : length ? "length" : "travel";
}

static pli_status check_motors(pli_builder* b, const pli_joint_data* data, const pli_path* at,
                               pli_error* error) {
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT; ++f) {
        const pli_joint_motor_data* m = data->freedom[f] ? data->freedom[f]->motor : NULL;
        if (!m || (m->position.count > 0) + (m->velocity.count > 0) + (m->force.count > 0) == 1)
            continue;
        pli_path freedom = pli_path_key(at, freedom_key(data, f));
        PLI_TRY(PLI_FIND(b->findings, PLI_KEY(&freedom, "motor"), error,
                         "a motor needs one of position, velocity and force"));
    }
    return PLI_OK;
}

static pli_status find_joint(pli_builder* b, const pli_tagged* entry, const pli_path* at,
                             pli_joint_ends* out, pli_error* error) {
    const pli_joint_data* data = entry->data;
    const pli_joint_end_data* ends[2] = {NULL, NULL};
    pli_path between = pli_path_key(at, "between");
    out->body[0] = out->body[1] = out->of[0] = out->of[1] = -1;
    if (entry->variant < 0 || pli_findings_error_below(b->findings, at)) return PLI_OK;
    ends[0] = data->first, ends[1] = data->second;
    for (int k = 0; k < 2; ++k) {
        pli_path name = pli_path_index(&between, k);
        pli_path list = pli_path_key(at, k == 0 ? "first" : "second");
        if (!data->between[k]) continue;
        PLI_TRY(find_body(b, data->between[k], &name, &out->body[k], error));
        PLI_TRY(check_end(b, out->body[k], &name, error));
        if (out->body[k] >= 0 && ends[k])
            PLI_TRY(pli_select(b, &b->bodies[out->body[k]], &ends[k]->selection, &list,
                               &out->chosen[k], error));
        else if (ends[k])
            PLI_TRY(PLI_FIND(b->findings, &list, error,
                             "the world has no vertices: remove it, or name a body in between"));
    }
    PLI_TRY(find_joints(b, data, at, out, error));
    PLI_TRY(check_motors(b, data, at, error));
    bool turns = data->spin[0] != 0 || data->spin[1] != 0 || data->spin[2] != 0;
    if (turns && data->offset.given)
        return PLI_FIND(b->findings, PLI_KEY(at, "spin"), error,
                        "spin and offset are both given: omit one of them");
    return PLI_OK;
}

pli_status pli_joints_find(pli_builder* b, pli_error* error) {
    const pli_tagged* entries = b->scene->joints.items;
    pli_path list = pli_path_key(NULL, "joints");
    PLI_TRY(PLI_TAKE(b->arena, b->joints, b->scene->joints.count, error));
    for (int i = 0; i < b->scene->joints.count; ++i) b->joints[i].number = i;
    for (int i = 0; i < b->scene->joints.count; ++i)
        PLI_TRY(find_joint(b, &entries[i], PLI_INDEX(&list, i), &b->joints[i], error));
    return PLI_OK;
}

// ---- the world

static pli_status set_motion(pli_builder* b, const pli_joint_data* data, pli_joint_def* def,
                             pli_error* error) {
    const double none[3] = {0, 0, 0};
    pli_rigid_motion motion = {.until = HUGE_VAL};
    if (data->offset.given)
        return pli_formula_field(b->kept, &data->offset, none, &def->motion, &def->context, error);
    if (data->spin[0] == 0 && data->spin[1] == 0 && data->spin[2] == 0) return PLI_OK;
    memcpy(motion.spin, data->spin, sizeof motion.spin);
    memcpy(motion.center, data->at, sizeof motion.center);
    return pli_rigid_field(b->kept, &motion, &def->motion, &def->context, error);
}

static pli_status add_vertices(pli_builder* b, const pli_chosen* chosen, pli_joint_end* end,
                               pli_error* error) {
    int32_t* vertices;
    PLI_TRY(PLI_TAKE(b->arena, vertices, chosen->count, error));
    for (int i = 0; i < chosen->count; ++i)
        vertices[i] = chosen->vertices ? chosen->vertices[i] : i;
    end->vertices = vertices;
    end->vertex_count = chosen->count;
    return PLI_OK;
}

// ---- what acts on them

static void target_at(void* context, double time, const double place[3], double out[3]) {
    (void)place;
    out[0] = pli_expression_value(context, (double[PLI_VARIABLE_COUNT]){time});
}

const pli_expression* pli_joint_target(const pli_joint_motor_data* m) {
    return m->position.count > 0 ? &m->position : m->velocity.count > 0 ? &m->velocity : &m->force;
}

static pli_status set_motor_of(pli_builder* b, const pli_joint_motor_data* m,
                               pli_joint_freedom* out, pli_error* error) {
    const pli_expression* target = pli_joint_target(m);
    out->motor = target == &m->position   ? "position"
                 : target == &m->velocity ? "velocity"
                                          : "force";
    out->target = pli_expression_value(target, (double[PLI_VARIABLE_COUNT]){0});
    if (target->uses & PLI_OF_TIME) {
        pli_expression* kept;
        PLI_TRY(PLI_TAKE(b->kept, kept, 1, error));
        *kept = *target;
        out->target_of = target_at;
        out->target_context = kept;
    }
    if (m->cap > 0) out->cap = m->cap;
    out->delay = m->delay;
    out->motor_stiffness = m->stiffness;
    out->motor_damping = m->damping;
    return PLI_OK;
}

static pli_status set_freedom(pli_builder* b, const pli_joint_freedom_data* f,
                              pli_joint_freedom* out, pli_error* error) {
    static const double NONE = 1e9;
    if (!f) return PLI_OK;
    out->start = f->start;
    if (f->limits[0] > -NONE) out->low = f->limits[0];
    if (f->limits[1] < NONE) out->high = f->limits[1];
    out->friction = f->friction;
    out->damping = f->damping;
    if (f->spring) out->stiffness = f->spring->stiffness, out->rest = f->spring->rest;
    return f->motor ? set_motor_of(b, f->motor, out, error) : PLI_OK;
}

// What the keys of its type say; others are 0.
static pli_status set_values(pli_builder* b, const pli_joint_data* data, pli_joint_def* def,
                             pli_error* error) {
    memcpy(def->at, data->at, sizeof def->at);
    memcpy(def->axis, data->axis, sizeof def->axis);
    memcpy(def->axis2, data->axis2, sizeof def->axis2);
    memcpy(def->to, data->to, sizeof def->to);
    def->pitch = data->pitch;
    def->ratio = data->ratio;
    def->slack = data->slack;
    def->over = data->over.items;
    def->over_count = data->over.count;
    def->tolerance = data->tolerance;
    def->angle_tolerance = data->angle_tolerance;
    if (data->break_force > 0) def->break_force = data->break_force;
    if (data->break_torque > 0) def->break_torque = data->break_torque;
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT; ++f)
        PLI_TRY(set_freedom(b, data->freedom[f], &def->freedom[f], error));
    return PLI_OK;
}

pli_status pli_joints_add(pli_builder* b, pli_world* world, const pli_body_id* ids,
                          pli_error* error) {
    const pli_tagged* entries = b->scene->joints.items;
    for (int i = 0; i < b->scene->joints.count; ++i) {
        const pli_joint_data* data = entries[i].data;
        pli_joint_def def = pli_default_joint_def();
        def.name = data->name;
        def.type = pli_joint_type_name(entries[i].variant);
        PLI_TRY(set_values(b, data, &def, error));
        for (int k = 0; k < 2; ++k) {
            if (b->joints[i].body[k] < 0) continue;
            def.ends[k].body = ids[b->joints[i].body[k]];
            if (b->joints[i].chosen[k].count > 0)
                PLI_TRY(add_vertices(b, &b->joints[i].chosen[k], &def.ends[k], error));
        }
        PLI_TRY(set_motion(b, data, &def, error));
        for (int k = 0; k < 2; ++k)
            if (b->joints[i].of[k] >= 0) def.of[k] = b->added.joints[b->joints[i].of[k]];
        PLI_TRY(pli_world_add_joint(world, &def, &b->added.joints[i], error));
    }
    return PLI_OK;
}

bool pli_joints_connect(const pli_builder* b, int body) {
    for (int i = 0; i < b->scene->joints.count; ++i)
        if (b->joints[i].body[0] == body || b->joints[i].body[1] == body) return true;
    return false;
}
