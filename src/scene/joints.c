// Joints of a scene: see joints.h.
#include "scene/joints.h"

#include "base/text.h"
#include "scene/findings.h"
#include "scene/motion.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

static const char world_word[] = "world";

// ---- keys

static const pli_param joint_rows[] = {
    PLI_TEXT(pli_joint_data, name, "name", 0, "name in results; default: joint 0, ..."),
    PLI_VECTOR(pli_joint_data, at, "at", "m", PLI_PARAM_REQUIRED,
               "place of the joint at t = 0, where both sides meet"),
    PLI_VECTOR(pli_joint_data, axis, "axis", "", 0,
               "axis of a hinge (in space), slider or cylinder; any length above 0"),
};
static const pli_part joint_parts[] = {
    PLI_PART(PLI_TEXT(pli_joint_data, between, "between", PLI_PARAM_REQUIRED,
                      "names of two bodies (of a copy with its number), or of one and \"world\""),
             PLI_VALUES, 2, 0, 0, NULL),
    PLI_MAYBE_OBJECT(pli_joint_data, first, "first", &pli_joint_end_section,
                     "vertices of the first body that carry the joint; default: a rigid or affine "
                     "body itself, of others the vertex nearest to at"),
    PLI_MAYBE_OBJECT(pli_joint_data, second, "second", &pli_joint_end_section,
                     "same of the second body"),
    PLI_VECTOR_OF_FORMULAS(pli_joint_data, offset, "offset", "m", PLI_OF_TIME | PLI_OF_PLACE, 0,
                           "motion of the world's side of a ball, hinge or weld: displacement, for "
                           "example [\"0.1*sin(t)\", 0, 0]"),
    PLI_ONE_TURN(pli_joint_data, spin, "spin", "rad/s",
                 "rotation of the world's side about at: a number about z, or a vector"),
};

static const pli_section joint_keys = {
    .size = sizeof(pli_joint_data), PLI_ROWS(joint_rows), PLI_PARTS(joint_parts)};

bool pli_joint_variant(const pli_catalog* catalog, int i, pli_section* out) {
    (void)catalog;
    if (!pli_joint_type_name(i)) return false;
    *out = joint_keys;
    out->name = pli_joint_type_name(i);
    out->help = pli_joint_type_help(i);
    return true;
}

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

static pli_status find_joint(pli_builder* b, const pli_tagged* entry, const pli_path* at,
                             pli_joint_ends* out, pli_error* error) {
    const pli_joint_data* data = entry->data;
    const pli_joint_end_data* ends[2] = {NULL, NULL};
    pli_path between = pli_path_key(at, "between");
    out->body[0] = out->body[1] = -1;
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

pli_status pli_joints_add(pli_builder* b, pli_world* world, const pli_body_id* ids,
                          pli_error* error) {
    const pli_tagged* entries = b->scene->joints.items;
    for (int i = 0; i < b->scene->joints.count; ++i) {
        const pli_joint_data* data = entries[i].data;
        pli_joint_def def = pli_default_joint_def();
        def.name = data->name;
        def.type = pli_joint_type_name(entries[i].variant);
        memcpy(def.at, data->at, sizeof def.at);
        memcpy(def.axis, data->axis, sizeof def.axis);
        for (int k = 0; k < 2; ++k) {
            if (b->joints[i].body[k] < 0) continue;
            def.ends[k].body = ids[b->joints[i].body[k]];
            if (b->joints[i].chosen[k].count > 0)
                PLI_TRY(add_vertices(b, &b->joints[i].chosen[k], &def.ends[k], error));
        }
        PLI_TRY(set_motion(b, data, &def, error));
        PLI_TRY(pli_world_add_joint(world, &def, NULL, error));
    }
    return PLI_OK;
}

bool pli_joints_connect(const pli_builder* b, int body) {
    for (int i = 0; i < b->scene->joints.count; ++i)
        if (b->joints[i].body[0] == body || b->joints[i].body[1] == body) return true;
    return false;
}
