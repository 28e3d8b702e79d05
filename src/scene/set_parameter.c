// A parameter that changes while the scene runs. The scene's text is read again with one more
// override, which checks the value; then the world's own setter takes it from the data that were
// read. If the world refuses, it gets the former data again, and the scene keeps its text.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/joints.h"
#include "scene/motion.h"
#include "scene/obstacle_kinds.h"

enum { OVERRIDE_SIZE = 320, PATH_SIZE = sizeof(((pli_scene_parameter*)0)->path) };

// ---- setters

typedef struct change {
    const pli_scene* scene;
    const pli_scene_data* data; // as read
    int index[2];               // in the path: "bodies[0].energies[1].young"
    bool applied;               // true before a setter is called
} change;

static pli_status set_gravity(change* c, pli_error* error) {
    return pli_world_set_gravity(c->scene->world, c->data->world.gravity, error);
}

// The reader has checked the value; schemes that need steps of one size refuse any.
static pli_status set_time_step(change* c, pli_error* error) {
    pli_status status = pli_world_set_time_step(c->scene->world, c->data->world.time_step, error);
    c->applied = status != PLI_E_ARGUMENT;
    return c->applied ? status : PLI_OK;
}

static pli_status set_friction(change* c, pli_error* error) {
    const pli_contact_def* contact = &c->data->world.contact;
    return pli_world_set_friction(c->scene->world, contact->friction, contact->friction_static,
                                  error);
}

static pli_status set_contact_stiffness(change* c, pli_error* error) {
    return pli_world_set_contact_stiffness(c->scene->world, c->data->world.contact.stiffness,
                                           error);
}

// Other obstacles are bodies, whose friction is a contact rule.
static pli_status set_obstacle_friction(change* c, pli_error* error) {
    const pli_half_space_data* half_space = pli_half_space_at(c->data, c->index[0]);
    int number = 0;
    c->applied = half_space != NULL;
    if (!half_space) return PLI_OK;
    for (int i = 0; i < c->index[0]; ++i) number += pli_half_space_at(c->data, i) != NULL;
    return pli_world_set_half_space_friction(c->scene->world, c->scene->added.half_spaces[number],
                                             half_space->def.friction,
                                             half_space->def.friction_static, error);
}

// All parameters of an energy, as read: a material may bring some of them.
static pli_status set_energy(const change* c, int number, const pli_params* rows,
                             const double* values, pli_error* error) {
    pli_memory* memory = c->scene->parameters.memory;
    pli_setting* settings;
    PLI_TRY(PLI_ALLOC(memory, settings, rows->count, error));
    for (int i = 0; i < rows->count; ++i)
        settings[i] = (pli_setting){rows->rows[i].name, values[i]};
    pli_status status = pli_world_set_energy(c->scene->world, c->scene->added.energies[number],
                                             settings, rows->count, error);
    PLI_FREE(memory, settings, rows->count);
    return status;
}

// Whether a body has not appeared yet, or has vanished; not if the caller has removed it.
static bool is_away(const pli_scene* scene, int body) {
    if (pli_world_body_number(scene->world, scene->added.bodies[body]) >= 0) return false;
    bool away = false;
    for (int i = 0; i < scene->event_count; ++i) away |= scene->events[i].body == body;
    return away;
}

// The bodies made of one of the scene: [*first, end), the end is returned. While they are away
// nothing can be set.
static int find_bodies(change* c, int body, int* first) {
    const pli_scene* scene = c->scene;
    int end = 0;
    while (scene->bodies[end].body != body) ++end;
    for (*first = end; end < scene->body_count && scene->bodies[end].body == body; ++end)
        c->applied &= !is_away(scene, end);
    return end;
}

static pli_status set_body_energy(change* c, pli_error* error) {
    const pli_body_data* body = &((const pli_body_data*)c->data->bodies.items)[c->index[0]];
    const pli_tagged* energy = &((const pli_tagged*)body->energies.items)[c->index[1]];
    const pli_energy_type* type = pli_catalog_energy(&c->scene->catalog, energy->variant);
    const pli_params rows = {type->params, type->param_count};
    int first, end = find_bodies(c, c->index[0], &first);
    for (int i = first; i < end && c->applied; ++i)
        PLI_TRY(set_energy(c, c->scene->added.first_energy[i] + c->index[1], &rows, energy->data,
                           error));
    return PLI_OK;
}

static pli_status set_stencils(change* c, pli_error* error) {
    const pli_tagged* entry = &((const pli_tagged*)c->data->stencils.items)[c->index[0]];
    pli_section section;
    pli_stencils_variant(&c->scene->catalog, entry->variant, &section);
    int number = c->scene->added.first_energy[c->scene->body_count] + c->index[0];
    c->applied = c->scene->event_count == 0 || // a body may have taken them with it
                 pli_world_energy_type(c->scene->world, c->scene->added.energies[number]) != NULL;
    return c->applied ? set_energy(c, number, &section.packed, entry->data, error) : PLI_OK;
}

static pli_status set_load(change* c, pli_error* error) {
    (void)error;
    const pli_body_data* body = &((const pli_body_data*)c->data->bodies.items)[c->index[0]];
    const pli_load_data* load = ((const pli_tagged*)body->loads.items)[c->index[1]].data;
    int first, end = find_bodies(c, c->index[0], &first);
    double value[3];
    pli_formulas_value(&load->value, 0, (double[3]){0}, value);
    for (int i = first; i < end && c->applied; ++i)
        pli_formula_field_set(
            c->scene->added.load_fields[c->scene->added.first_load[i] + c->index[1]], value);
    return PLI_OK;
}

// Both motors of the joint: the path names one of them.
static pli_status set_motor(change* c, pli_error* error) {
    const pli_joint_data* joint = ((const pli_tagged*)c->data->joints.items)[c->index[0]].data;
    pli_joint_id id = c->scene->added.joints[c->index[0]];
    c->applied = pli_world_joint_number(c->scene->world, id) >= 0;
    for (int f = 0; f < PLI_JOINT_VALUE_COUNT && c->applied; ++f) {
        const pli_joint_motor_data* m = joint->freedom[f] ? joint->freedom[f]->motor : NULL;
        if (!m) continue;
        const pli_expression* target = pli_joint_target(m);
        double value = pli_expression_value(target, (double[PLI_VARIABLE_COUNT]){0});
        if (target->uses) value = (double)NAN; // it stays
        PLI_TRY(pli_world_set_joint_motor(c->scene->world, id, (pli_joint_value)f, NULL, value,
                                          m->cap > 0 ? m->cap : HUGE_VAL, error));
    }
    return PLI_OK;
}

typedef pli_status setter(change* c, pli_error* error);
static const struct {
    const char* pattern;
    setter* set;
} setters[] = {
    {"gravity", set_gravity},
    {"time.step", set_time_step},
    {"contact.friction", set_friction},
    {"contact.friction_static", set_friction},
    {"contact.stiffness", set_contact_stiffness},
    {"obstacles[].friction", set_obstacle_friction},
    {"bodies[].energies[].*", set_body_energy},
    {"bodies[].loads[].value", set_load},
    {"stencils[].*", set_stencils},
    {"joints[].angle.motor.*", set_motor},
    {"joints[].travel.motor.*", set_motor},
    {"joints[].length.motor.*", set_motor},
};
enum { SETTER_COUNT = sizeof setters / sizeof *setters };

static setter* find_setter(const pli_scene_parameter* p) {
    int i = 0;
    while (i < SETTER_COUNT && !pli_parameter_matches(setters[i].pattern, p->path)) ++i;
    return i < SETTER_COUNT && p->row->type != PLI_PARAM_CHOICE ? setters[i].set : NULL;
}

static void read_indices(const char* path, int index[2]) {
    index[0] = index[1] = 0;
    for (int i = 0; i < 2 && (path = strchr(path, '[')); ++i) index[i] = atoi(++path);
}

// The world has the data or is as it was before; its state stays.
static pli_status apply(pli_scene* scene, setter* set, const pli_scene_data* data, change* c,
                        pli_error* error) {
    c->scene = scene;
    c->data = data;
    c->applied = true;
    PLI_TRY(set(c, error));
    return pli_world_prepare(scene->world, error);
}

static void undo(pli_scene* scene, setter* set, change* c) {
    pli_error unused = {0};
    pli_scene_trial former;
    if (pli_scene_try(scene, NULL, &former, &unused) == PLI_OK)
        (void)apply(scene, set, former.loader.data, c, &unused);
    pli_scene_trial_free(&former);
}

// ---- overrides

static void write_override(const pli_scene_parameter* p, int dimension, const double value[3],
                           char text[OVERRIDE_SIZE]) {
    int used = snprintf(text, OVERRIDE_SIZE, "%s=", p->path), count = 1;
    size_t room = OVERRIDE_SIZE - (size_t)used;
    if (p->row->type == PLI_PARAM_BOOL)
        snprintf(text + used, room, "%s", value[0] != 0 ? "true" : "false");
    else if (p->row->type != PLI_PARAM_VECTOR)
        snprintf(text + used, room, "%.17g", value[0]);
    else
        count = dimension;
    if (count == 2) snprintf(text + used, room, "[%.17g,%.17g]", value[0], value[1]);
    if (count == 3)
        snprintf(text + used, room, "[%.17g,%.17g,%.17g]", value[0], value[1], value[2]);
}

// The number of the override of a path from `first` on, or the count.
static int find_override(const pli_scene* scene, int first, const char* path) {
    int i = first;
    while (i < scene->override_count &&
           !(scene->overridden[i] && strcmp(scene->overridden[i], path) == 0))
        ++i;
    return i;
}

static pli_status grow(pli_scene* scene, pli_error* error) {
    enum { MORE = 16 };
    int count = scene->override_count;
    const char **overrides, **overridden;
    PLI_TRY(PLI_TAKE(&scene->kept, overrides, count + MORE, error));
    PLI_TRY(PLI_TAKE(&scene->kept, overridden, count + MORE, error));
    for (int i = 0; i < count; ++i) {
        overrides[i] = scene->overrides[i];
        overridden[i] = scene->overridden[i];
    }
    scene->overrides = overrides;
    scene->overridden = overridden;
    scene->override_room = count + MORE;
    return PLI_OK;
}

// Where the override of a path goes: the last ones are ours and have buffers. What follows cannot
// fail.
static pli_status take_buffer(pli_scene* scene, const char* path, char** buffer, pli_error* error) {
    int at = find_override(scene, scene->override_count - scene->set_count, path);
    if (at < scene->override_count) {
        *buffer = (char*)(uintptr_t)scene->overrides[at];
        return PLI_OK;
    }
    if (scene->override_count == scene->override_room) PLI_TRY(grow(scene, error));
    return PLI_TAKE(&scene->kept, *buffer, OVERRIDE_SIZE + PATH_SIZE, error);
}

// An override of the def for the same path is dropped.
static void note_override(pli_scene* scene, const char* path, const char* text, char* buffer) {
    memcpy(buffer, text, OVERRIDE_SIZE);
    int own = scene->override_count - scene->set_count;
    if (find_override(scene, own, path) < scene->override_count) return;
    for (int at; (at = find_override(scene, 0, path)) < scene->override_count;) {
        int rest = --scene->override_count - at;
        memmove(scene->overrides + at, scene->overrides + at + 1,
                sizeof *scene->overrides * (size_t)rest);
        memmove(scene->overridden + at, scene->overridden + at + 1,
                sizeof *scene->overridden * (size_t)rest);
    }
    snprintf(buffer + OVERRIDE_SIZE, PATH_SIZE, "%s", path);
    scene->overrides[scene->override_count] = buffer;
    scene->overridden[scene->override_count++] = buffer + OVERRIDE_SIZE;
    scene->set_count++;
    scene->findings.overridden = (pli_overridden){scene->override_count, scene->overridden};
}

// ---- the parameter

static pli_status check(const pli_scene* scene, int i, const double value[3], const bool* applied,
                        pli_error* error) {
    if (!scene || !value || !applied)
        return pli_fail(error, PLI_E_ARGUMENT, "set parameter: scene, value or applied is NULL");
    const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
    if (!p || !scene->world)
        return pli_fail(error, PLI_E_ARGUMENT, "set parameter: %s %d",
                        p ? "the scene has errors; parameter" : "there is no parameter", i);
    int count = p->row->type == PLI_PARAM_VECTOR ? pli_world_dimension(scene->world) : 1;
    for (int k = 0; k < count; ++k)
        if (!isfinite(value[k]))
            return pli_fail(error, PLI_E_ARGUMENT, "%s = %g, must be finite", p->path, value[k]);
    return PLI_OK;
}

static pli_status set_parameter(pli_scene* scene, const pli_scene_parameter* p, const char* text,
                                setter* set, bool* applied, pli_error* error) {
    char path[PATH_SIZE], *buffer;
    pli_scene_trial trial;
    change c = {0};
    snprintf(path, sizeof path, "%s", p->path);
    read_indices(path, c.index);
    PLI_TRY(take_buffer(scene, path, &buffer, error));
    pli_status status = pli_scene_try(scene, text, &trial, error);
    if (status == PLI_OK) {
        status = apply(scene, set, trial.loader.data, &c, error);
        if (status != PLI_OK) undo(scene, set, &c);
    }
    *applied = status == PLI_OK && c.applied;
    if (*applied) {
        pli_scene_keep(scene, &trial);
        note_override(scene, path, text, buffer);
    }
    pli_scene_trial_free(&trial);
    return status;
}

pli_status pli_scene_set_parameter(pli_scene* scene, int i, const double value[3], bool* applied,
                                   pli_error* error) {
    pli_error unused = {0};
    if (!error) error = &unused;
    PLI_TRY(check(scene, i, value, applied, error));
    const pli_scene_parameter* p = pli_scene_parameter_at(scene, i);
    setter* set = find_setter(p);
    char text[OVERRIDE_SIZE] = "";
    *applied = false;
    if (!set) return PLI_OK;
    write_override(p, pli_world_dimension(scene->world), value, text);
    return set_parameter(scene, p, text, set, applied, error);
}
