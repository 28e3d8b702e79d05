// pliant/change.h: removing, and parameters that change at once.
#include "pliant/change.h"

#include "dynamics/world.h"
#include "energy/element_term.h"
#include "energy/load.h"
#include "math/vec.h"
#include "pliant/joint.h"

#include <math.h>
#include <string.h>

// ---- ids and numbers

static int find_number(const pli_world* w, pli_slot_kind kind, int32_t index, uint32_t generation) {
    if (!w || generation != w->model.generation) return -1;
    return pli_slots_number(&w->model, kind, index);
}

int pli_world_body_number(const pli_world* world, pli_body_id id) {
    return find_number(world, PLI_SLOT_BODY, id.index, id.generation);
}

int pli_world_support_number(const pli_world* world, pli_support_id id) {
    return find_number(world, PLI_SLOT_SUPPORT, id.index, id.generation);
}

int pli_world_load_number(const pli_world* world, pli_load_id id) {
    return find_number(world, PLI_SLOT_LOAD, id.index, id.generation);
}

int pli_world_half_space_number(const pli_world* world, pli_half_space_id id) {
    return find_number(world, PLI_SLOT_HALF_SPACE, id.index, id.generation);
}

pli_body_id pli_world_body_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.body_count) return (pli_body_id){.generation = 0};
    return (pli_body_id){world->model.bodies[i].slot, world->model.generation};
}

pli_support_id pli_world_support_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.support_set_count)
        return (pli_support_id){.generation = 0};
    return (pli_support_id){world->model.support_sets[i].slot, world->model.generation};
}

pli_load_id pli_world_load_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.load_count) return (pli_load_id){.generation = 0};
    return (pli_load_id){world->model.loads[i].slot, world->model.generation};
}

pli_half_space_id pli_world_half_space_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.half_space_count)
        return (pli_half_space_id){.generation = 0};
    return (pli_half_space_id){pli_slots_find(&world->model, PLI_SLOT_HALF_SPACE, i),
                               world->model.generation};
}

int pli_world_joint_number(const pli_world* world, pli_joint_id id) {
    return find_number(world, PLI_SLOT_JOINT, id.index, id.generation);
}

pli_joint_id pli_world_joint_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.joint_count) return (pli_joint_id){.generation = 0};
    return (pli_joint_id){world->model.joints[i].slot, world->model.generation};
}

int pli_world_added_energy_count(const pli_world* world) {
    return world ? world->model.energy_count : 0;
}

pli_energy_id pli_world_energy_id(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->model.energy_count) return (pli_energy_id){.generation = 0};
    return (pli_energy_id){world->model.energies[i].slot, world->model.generation};
}

const pli_energy_type* pli_world_energy_type(const pli_world* world, pli_energy_id id) {
    int number = find_number(world, PLI_SLOT_ENERGY, id.index, id.generation);
    return number < 0 ? NULL : world->model.energies[number].type;
}

bool pli_world_energy_setting(const pli_world* world, pli_energy_id id, const char* name,
                              double* value) {
    int number = find_number(world, PLI_SLOT_ENERGY, id.index, id.generation);
    if (number < 0 || !name || !value) return false;
    const pli_body_energy* energy = &world->model.energies[number];
    for (int i = 0; i < energy->type->param_count; ++i)
        if (strcmp(energy->type->params[i].name, name) == 0) {
            *value = energy->params[i];
            return !isnan(*value);
        }
    return false;
}

uint64_t pli_world_topology_epoch(const pli_world* world) { return world ? world->topology : 0; }

// ---- one object of a world

// What a call is about.
typedef struct target {
    pli_slot_kind kind;
    pli_object object;
    const char* word;
    int32_t index;
    uint32_t generation;
} target;

// Its number, while the world is entered.
static pli_status find(const pli_world* w, const target* at, int* number, pli_error* error) {
    *number = find_number(w, at->kind, at->index, at->generation);
    if (*number >= 0) return PLI_OK;
    bool own = at->generation == w->model.generation;
    return pli_error_place(pli_fail(error, PLI_E_ARGUMENT, "there is no %s with this id%s",
                                    at->word, own ? "" : " in this world"),
                           error, at->object, at->index, NULL);
}

// ---- removing

static void remove_support(pli_world* w, int number) {
    const pli_support_set* set = &w->model.support_sets[number];
    if (set->kind == PLI_SUPPORT_PRESCRIBED) pli_pins_remove_motion(&w->pins, set->motion);
    pli_model_remove_support(&w->model, number);
}

static void remove_body(pli_world* w, int body) {
    pli_model* model = &w->model;
    int first = model->bodies[body].first_vertex, end = pli_body_end_vertex(model, body);
    for (int i = model->support_set_count; i-- > 0;)
        if (model->support_sets[i].body == body) remove_support(w, i);
    pli_carry_remove(w, first, end - first);
    pli_collision_remove_body(&w->collision, body);
    pli_pins_lower(&w->pins, end, end - first);
    pli_model_remove_body(model, body);
    w->topology += w->carry.on;
}

static void remove_energy(pli_world* w, int i) { pli_model_remove_energy(&w->model, i); }
static void remove_load(pli_world* w, int i) { pli_model_remove_load(&w->model, i); }
static void remove_half_space(pli_world* w, int i) { pli_model_remove_half_space(&w->model, i); }
static void remove_rule(pli_world* w, int i) { pli_model_remove_rule(&w->model, i); }
static void remove_joint(pli_world* w, int i) { pli_model_remove_joint(&w->model, i); }

// All that can fail comes before the world is opened.
static pli_status remove_one(pli_world* world, const target* at,
                             void (*remove)(pli_world* w, int number), pli_error* error) {
    int number;
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = find(world, at, &number, error);
    if (status == PLI_OK && at->kind == PLI_SLOT_BODY)
        status = pli_model_check_remove_body(&world->model, number, error);
    PLI_TRY(pli_world_leave(world, status));
    PLI_TRY(pli_world_open(world, error));
    remove(world, number);
    return pli_world_leave(world, PLI_OK);
}

pli_status pli_world_remove_body(pli_world* world, pli_body_id id, pli_error* error) {
    target at = {PLI_SLOT_BODY, PLI_OBJECT_BODY, "body", id.index, id.generation};
    return remove_one(world, &at, remove_body, error);
}

pli_status pli_world_remove_support(pli_world* world, pli_support_id id, pli_error* error) {
    target at = {PLI_SLOT_SUPPORT, PLI_OBJECT_SUPPORT, "support", id.index, id.generation};
    return remove_one(world, &at, remove_support, error);
}

pli_status pli_world_remove_energy(pli_world* world, pli_energy_id id, pli_error* error) {
    target at = {PLI_SLOT_ENERGY, PLI_OBJECT_ENERGY, "energy", id.index, id.generation};
    return remove_one(world, &at, remove_energy, error);
}

pli_status pli_world_remove_load(pli_world* world, pli_load_id id, pli_error* error) {
    target at = {PLI_SLOT_LOAD, PLI_OBJECT_LOAD, "load", id.index, id.generation};
    return remove_one(world, &at, remove_load, error);
}

pli_status pli_world_remove_half_space(pli_world* world, pli_half_space_id id, pli_error* error) {
    target at = {PLI_SLOT_HALF_SPACE, PLI_OBJECT_HALF_SPACE, "half-space", id.index, id.generation};
    return remove_one(world, &at, remove_half_space, error);
}

pli_status pli_world_remove_contact_rule(pli_world* world, pli_rule_id id, pli_error* error) {
    target at = {PLI_SLOT_RULE, PLI_OBJECT_RULE, "contact rule", id.index, id.generation};
    return remove_one(world, &at, remove_rule, error);
}

pli_status pli_world_remove_joint(pli_world* world, pli_joint_id id, pli_error* error) {
    target at = {PLI_SLOT_JOINT, PLI_OBJECT_JOINT, "joint", id.index, id.generation};
    return remove_one(world, &at, remove_joint, error);
}

// ---- parameters

// A parameter of a prepared world has changed: energies and forces of the newest state are others,
// nothing that was kept of the old ones holds, and the last step minimized another E.
static void account_parameter(pli_world* w) {
    double before = w->stored;
    w->revision++;
    w->solved.known = false;
    pli_assembly_forget_hessians(&w->assembly);
    pli_world_evaluate(w);
    pli_world_publish(w);
    w->stored = pli_world_stored(w, w->energy_values);
    pli_world_account_change(w, 0, w->stored - before);
    w->acceleration_known = false;
}

// The model's parameter has changed and cannot be changed in what is prepared: that is rebuilt.
static pli_status rebuild(pli_world* w, pli_error* error) {
    w->revision++;
    return pli_world_unprepare(w, error);
}

// The world is not prepared. If that had failed, what was wrong may be right now.
static pli_status mend(pli_world* w, pli_error* error) {
    return w->failed ? pli_world_unprepare(w, error) : PLI_OK;
}

static pli_status check_vector(const double value[3], const char* what, pli_error* error) {
    if (value && isfinite(value[0]) && isfinite(value[1]) && isfinite(value[2])) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "%s %s", what, value ? "is not finite" : "is NULL");
}

static pli_status set_gravity(pli_world* w, const double gravity[3], pli_error* error) {
    PLI_TRY(check_vector(gravity, "gravity", error));
    double before[3];
    pli_copy(w->model.def.gravity, before, 3);
    pli_copy(gravity, w->model.def.gravity, 3);
    if (!w->prepared) return mend(w, error);
    bool done = false;
    pli_status status = pli_world_prepare_gravity(w, &done, error);
    if (status == PLI_OK && !done) status = rebuild(w, error);
    if (status != PLI_OK)
        pli_copy(before, w->model.def.gravity, 3);
    else if (done)
        account_parameter(w);
    return status;
}

pli_status pli_world_set_gravity(pli_world* world, const double gravity[3], pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_gravity(world, gravity, error);
    return pli_world_leave(world, pli_error_place(status, error, PLI_OBJECT_WORLD, -1, "gravity"));
}

static pli_status set_energy(pli_world* w, const target* at, const pli_setting* settings, int count,
                             pli_error* error) {
    int number;
    PLI_TRY(find(w, at, &number, error));
    pli_body_energy* energy = &w->model.energies[number];
    double* before;
    PLI_TRY(PLI_ALLOC(&w->memory, before, energy->type->param_count, error));
    memcpy(before, energy->params, sizeof *before * (size_t)energy->type->param_count);
    pli_status status = pli_model_set_energy(&w->model, number, settings, count, error);
    // Stencils and nodes that the energy finds, and masses, may depend on its parameters.
    if (status == PLI_OK && !w->prepared)
        status = mend(w, error);
    else if (status == PLI_OK && (energy->type->stencils || energy->type->section))
        status = rebuild(w, error);
    else if (status == PLI_OK)
        status = pli_world_prepare_energy(w, number, error);
    if (status != PLI_OK) {
        memcpy(energy->params, before, sizeof *before * (size_t)energy->type->param_count);
        if (energy->type->section && energy->body >= 0) pli_model_weigh(&w->model, energy->body);
    } else if (w->prepared) {
        account_parameter(w);
    }
    PLI_FREE(&w->memory, before, energy->type->param_count);
    return pli_error_place(status, error, PLI_OBJECT_ENERGY, number, NULL);
}

pli_status pli_world_set_energy(pli_world* world, pli_energy_id id, const pli_setting* settings,
                                int setting_count, pli_error* error) {
    target at = {PLI_SLOT_ENERGY, PLI_OBJECT_ENERGY, "energy", id.index, id.generation};
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, set_energy(world, &at, settings, setting_count, error));
}

static pli_status set_field(pli_world* w, const target* at, pli_field_fn* field, void* context,
                            pli_error* error) {
    int number;
    PLI_TRY(find(w, at, &number, error));
    pli_body_energy* energy = &w->model.energies[number];
    if (!energy->type->sample)
        return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" takes no field", energy->type->name);
    energy->field = field;
    energy->context = context;
    if (!w->prepared) return mend(w, error);
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].energy == number)
            pli_element_term_set_field(&w->terms[t].term, field, context);
    return field ? PLI_OK : pli_world_prepare_energy(w, number, error);
}

pli_status pli_world_set_energy_field(pli_world* world, pli_energy_id id, pli_field_fn* field,
                                      void* context, pli_error* error) {
    target at = {PLI_SLOT_ENERGY, PLI_OBJECT_ENERGY, "energy", id.index, id.generation};
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_field(world, &at, field, context, error);
    return pli_world_leave(world,
                           pli_error_place(status, error, PLI_OBJECT_ENERGY, id.index, NULL));
}

static pli_status set_load(pli_world* w, const target* at, const double value[3],
                           pli_error* error) {
    int number;
    PLI_TRY(find(w, at, &number, error));
    PLI_TRY(check_vector(value, "value", error));
    pli_body_load* load = &w->model.loads[number];
    if (load->def.field)
        return pli_fail(error, PLI_E_ARGUMENT, "the load is given by a field, not by a value");
    for (int c = 0; c < 3; ++c) load->def.value[c] = c < w->model.def.dimension ? value[c] : 0;
    if (!w->prepared) return mend(w, error);
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].load == number)
            pli_load_set_value(&w->terms[t].term, load->def.value, w->model.positions);
    account_parameter(w);
    return PLI_OK;
}

pli_status pli_world_set_load(pli_world* world, pli_load_id id, const double value[3],
                              pli_error* error) {
    target at = {PLI_SLOT_LOAD, PLI_OBJECT_LOAD, "load", id.index, id.generation};
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_load(world, &at, value, error);
    return pli_world_leave(world, pli_error_place(status, error, PLI_OBJECT_LOAD, id.index, NULL));
}

static pli_status check_coefficient(double friction, double friction_static, const char* what,
                                    pli_error* error) {
    const double most = 100;
    if (!(friction >= 0 && friction <= most && friction_static >= 0 && friction_static <= most))
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "%s: friction = %g, friction_static = %g, must be from 0 to %g", what,
                     friction, friction_static, most),
            error, "friction");
    return pli_check_friction(friction, friction_static, what, error);
}

// The new coefficients are in the model.
static pli_status apply_friction(pli_world* w, pli_error* error) {
    bool done = false;
    if (!w->prepared) return mend(w, error);
    PLI_TRY(pli_collision_update_rules(&w->collision, &done, error));
    if (!done) return rebuild(w, error);
    w->revision++;
    w->solved.known = false;
    return PLI_OK;
}

static pli_status set_coefficients(pli_world* w, double* friction, double* friction_static,
                                   const double to[2], pli_error* error) {
    double before[2] = {*friction, *friction_static};
    *friction = to[0];
    *friction_static = to[1];
    pli_status status = apply_friction(w, error);
    if (status == PLI_OK) return PLI_OK;
    *friction = before[0];
    *friction_static = before[1];
    return status;
}

static pli_status set_friction(pli_world* w, const double to[2], pli_error* error) {
    pli_contact_def* def = &w->model.def.contact;
    PLI_TRY(check_coefficient(to[0], to[1], "contact", error));
    return set_coefficients(w, &def->friction, &def->friction_static, to, error);
}

pli_status pli_world_set_friction(pli_world* world, double friction, double friction_static,
                                  pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_friction(world, (double[2]){friction, friction_static}, error);
    return pli_world_leave(world, pli_error_place(status, error, PLI_OBJECT_CONTACT, -1, NULL));
}

static pli_status set_half_space(pli_world* w, const target* at, const double to[2],
                                 pli_error* error) {
    int number;
    PLI_TRY(find(w, at, &number, error));
    PLI_TRY(check_coefficient(to[0], to[1], "half-space", error));
    pli_half_space_def* def = &w->model.half_spaces[number];
    return set_coefficients(w, &def->friction, &def->friction_static, to, error);
}

pli_status pli_world_set_half_space_friction(pli_world* world, pli_half_space_id id,
                                             double friction, double friction_static,
                                             pli_error* error) {
    target at = {PLI_SLOT_HALF_SPACE, PLI_OBJECT_HALF_SPACE, "half-space", id.index, id.generation};
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(
        world, set_half_space(world, &at, (double[2]){friction, friction_static}, error));
}

static pli_status set_target(pli_world* w, const target* at, const double offset[3],
                             pli_error* error) {
    int number;
    PLI_TRY(find(w, at, &number, error));
    PLI_TRY(check_vector(offset, "offset", error));
    const pli_support_set* set = &w->model.support_sets[number];
    if (set->kind != PLI_SUPPORT_PRESCRIBED)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the support is fixed, its motion is not prescribed");
    PLI_TRY(pli_pins_set_target(&w->pins, set->motion, offset, error));
    if (!w->prepared) return mend(w, error);
    w->revision++;
    return PLI_OK;
}

pli_status pli_world_set_target(pli_world* world, pli_support_id id, const double offset[3],
                                pli_error* error) {
    target at = {PLI_SLOT_SUPPORT, PLI_OBJECT_SUPPORT, "support", id.index, id.generation};
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_target(world, &at, offset, error);
    return pli_world_leave(world,
                           pli_error_place(status, error, PLI_OBJECT_SUPPORT, id.index, NULL));
}

static pli_status check_positive(double value, const char* what, const char* unit,
                                 pli_error* error) {
    if (value > 0 && isfinite(value)) return PLI_OK;
    return pli_error_key(
        pli_fail(error, PLI_E_ARGUMENT, "%s = %g%s, must be > 0", what, value, unit), error, what);
}

static pli_status set_stiffness(pli_world* w, double stiffness, pli_error* error) {
    PLI_TRY(check_positive(stiffness, "stiffness", "", error));
    w->model.def.contact.stiffness = stiffness;
    if (!w->prepared) return mend(w, error);
    pli_collision_set_stiffness(&w->collision, stiffness);
    account_parameter(w);
    return PLI_OK;
}

pli_status pli_world_set_contact_stiffness(pli_world* world, double stiffness, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_stiffness(world, stiffness, error);
    return pli_world_leave(world, pli_error_place(status, error, PLI_OBJECT_CONTACT, -1, NULL));
}

static pli_status set_time_step(pli_world* w, double h, pli_error* error) {
    PLI_TRY(check_positive(h, "time_step", " s", error));
    if (w->scheme->depth > 2 && (w->prepared || w->carry.on))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "scheme \"%s\" is not stable when the step size changes: use bdf2 or "
                        "backward-euler",
                        w->scheme->name);
    w->model.def.time_step = h;
    if (!w->prepared) return mend(w, error);
    w->revision++;
    return PLI_OK;
}

pli_status pli_world_set_time_step(pli_world* world, double time_step, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_time_step(world, time_step, error);
    return pli_world_leave(world, pli_error_place(status, error, PLI_OBJECT_TIME, -1, "step"));
}

static pli_status set_velocities(pli_world* w, pli_body_id id, const double* velocities, bool each,
                                 pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_model_find_body(&w->model, id, &body, error));
    int first = body->first_vertex,
        end = pli_body_end_vertex(&w->model, (int)(body - w->model.bodies));
    for (int i = 0; i < (each ? end - first : 1); ++i)
        PLI_TRY(check_vector(velocities ? velocities + 3 * (size_t)i : NULL, "velocity", error));
    for (int v = first; v < end; ++v)
        memcpy(w->model.velocities + 3 * (size_t)v,
               each ? velocities + 3 * (size_t)(v - first) : velocities, 3 * sizeof *velocities);
    pli_carry_velocities(w, first, end - first);
    if (!w->prepared) return mend(w, error);
    double before = w->kinetic;
    if (w->kinematics.unknown_count > 0)
        PLI_TRY(pli_kinematics_fit_rates(&w->kinematics, w->model.velocities, w->history.q[0],
                                         w->history.v[0], error));
    w->history.count = 1; // velocities of earlier states do not go on in these
    w->coarse.count = 0;
    w->acceleration_known = w->solved.known = false;
    pli_world_evaluate(w);
    pli_world_publish(w);
    pli_world_account_change(w, w->kinetic - before, 0);
    w->revision++;
    return PLI_OK;
}

pli_status pli_world_set_velocities(pli_world* world, pli_body_id id, const double* velocities,
                                    bool each, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = set_velocities(world, id, velocities, each, error);
    return pli_world_leave(world,
                           pli_error_place(status, error, PLI_OBJECT_BODY, id.index, "velocities"));
}

// ---- motors of joints

static pli_status set_motor(pli_world* w, pli_joint* joint, pli_joint_value of, const char* motor,
                            double value, double cap, pli_error* error) {
    bool known = !motor, leaves = of == PLI_JOINT_ANGLE || of == PLI_JOINT_TRAVEL;
    for (int i = 0; motor && !known && pli_joint_motor_name(i); ++i)
        if (strcmp(motor, pli_joint_motor_name(i)) == 0)
            motor = pli_joint_motor_name(i), known = true;
    if (!known)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "motor = \"%.40s\", must be none, position, velocity or force", motor);
    if (!leaves || !pli_joint_measure_of(joint, (int)of))
        return pli_fail(error, PLI_E_ARGUMENT, "joint \"%s\" leaves no %s for a motor", joint->name,
                        of == PLI_JOINT_ANGLE ? "angle" : "travel");
    if (isinf(value) || !(cap > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "the target must be finite, and the cap > 0");
    pli_joint_freedom* f = &joint->def.freedom[of];
    bool runs = strcmp(f->motor, "none") != 0, will = motor ? strcmp(motor, "none") != 0 : runs;
    if (w->prepared && will != runs) // its term has other stencils
        PLI_TRY(rebuild(w, error));
    else
        PLI_TRY(mend(w, error));
    if (motor) f->motor = motor;
    f->cap = cap;
    if (!isnan(value)) f->target = value, f->target_of = NULL;
    w->solved.known = false;
    return PLI_OK;
}

pli_status pli_world_set_joint_motor(pli_world* world, pli_joint_id id, pli_joint_value of,
                                     const char* motor, double value, double cap,
                                     pli_error* error) {
    target at = {PLI_SLOT_JOINT, PLI_OBJECT_JOINT, "joint", id.index, id.generation};
    int number = -1;
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = find(world, &at, &number, error);
    if (status == PLI_OK)
        status = pli_error_place(
            set_motor(world, &world->model.joints[number], of, motor, value, cap, error), error,
            PLI_OBJECT_JOINT, number, "motor");
    return pli_world_leave(world, status);
}
