// Creating a world and adding to its model.
#include "dynamics/world.h"

#include "base/base.h"
#include "base/def.h"

#include <math.h>
#include <string.h>

static const pli_def_part def_parts[] = {
    {offsetof(pli_world_def, solver), sizeof(pli_solver_def)},
    {offsetof(pli_world_def, contact), sizeof(pli_contact_def)}};
static const pli_def_layout def_layout = {.source = "pli_default_world_def()",
                                          .size = sizeof(pli_world_def),
                                          .parts = def_parts,
                                          .part_count = 2};

void pli_world_def_init(pli_world_def* out) {
    pli_world_def def = {0};
    pli_params_default(&pli_world_params, &def);
    pli_params_default(&pli_time_params, &def);
    pli_params_default(&pli_solver_params, &def.solver);
    pli_params_default(&pli_contact_params, &def.contact);
    pli_def_give(&def_layout, &def, out);
}

const pli_params* pli_object_params(pli_object object) {
    static const pli_params* const tables[] = {
        [PLI_OBJECT_WORLD] = &pli_world_params,   [PLI_OBJECT_TIME] = &pli_time_params,
        [PLI_OBJECT_SOLVER] = &pli_solver_params, [PLI_OBJECT_CONTACT] = &pli_contact_params,
        [PLI_OBJECT_BODY] = &pli_body_params,     [PLI_OBJECT_SUPPORT] = &pli_prescribe_params,
        [PLI_OBJECT_LOAD] = &pli_load_params,     [PLI_OBJECT_HALF_SPACE] = &pli_half_space_params,
    };
    size_t i = (size_t)object;
    return i < sizeof tables / sizeof *tables ? tables[i] : NULL;
}

static pli_status check_def(pli_world_def* def, pli_error* error) {
    const struct {
        pli_object object;
        const pli_params* params;
        void* values;
        const char* word;
    } parts[] = {{PLI_OBJECT_WORLD, &pli_world_params, def, "world"},
                 {PLI_OBJECT_TIME, &pli_time_params, def, "time"},
                 {PLI_OBJECT_SOLVER, &pli_solver_params, &def->solver, "solver"},
                 {PLI_OBJECT_CONTACT, &pli_contact_params, &def->contact, "contact"}};
    pli_status status = PLI_OK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts && status == PLI_OK; ++i) {
        status = pli_params_check(parts[i].params, parts[i].values, parts[i].word, error);
        pli_error_place(status, error, parts[i].object, -1, NULL);
    }
    PLI_TRY(status);
    status =
        pli_check_friction(def->contact.friction, def->contact.friction_static, "contact", error);
    PLI_TRY(pli_error_place(status, error, PLI_OBJECT_CONTACT, -1, NULL));
    if (!isfinite(def->end_time)) {
        status =
            pli_fail(error, PLI_E_ARGUMENT, "time: end_time = %g s, must be finite", def->end_time);
        return pli_error_place(status, error, PLI_OBJECT_TIME, -1, "end_time");
    }
    PLI_TRY(pli_control_check(def, error));
    status = pli_energy_types_check(def->energy_types, def->energy_type_count, error);
    return pli_error_place(status, error, PLI_OBJECT_WORLD, -1, "energy_types");
}

// Sets *out to a complete, valid def with the words of the parameter tables.
static pli_status take_def(const pli_world_def* def, pli_world_def* out, pli_error* error) {
    *out = pli_default_world_def();
    pli_status status = pli_def_take(&def_layout, def, out, error);
    if (status != PLI_OK) {
        pli_error_prefix(error, "world");
        return pli_error_place(status, error, PLI_OBJECT_WORLD, -1, NULL);
    }
    return check_def(out, error);
}

pli_status pli_world_def_check(const pli_world_def* def, pli_error* error) {
    pli_world_def checked;
    return take_def(def, &checked, error);
}

// Distinguishes the bodies of this world from those of others, also of one that lived at the same
// address before: its address and creation time, mixed (the finalizer of SplitMix64).
static uint32_t make_generation(const pli_world* world) {
    double now = pli_now();
    uint64_t bits;
    memcpy(&bits, &now, sizeof bits);
    bits += (uint64_t)(uintptr_t)world;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    uint32_t generation = (uint32_t)(bits ^ bits >> 31);
    return generation ? generation : 1; // 0 means no body
}

pli_status pli_world_create(const pli_world_def* def, pli_world** out, pli_error* error) {
    if (!out) return pli_fail(error, PLI_E_ARGUMENT, "world: `out` is NULL");
    pli_world_def checked;
    PLI_TRY(take_def(def, &checked, error));
    pli_memory memory;
    pli_memory_init(&memory, checked.allocator);
    pli_world* world;
    PLI_TRY(PLI_ALLOC(&memory, world, 1, error));
    world->memory = memory;
    world->model =
        (pli_model){.memory = &world->memory, .generation = make_generation(world), .def = checked};
    pli_collision_init(&world->collision, &world->model);
    world->scheme = pli_scheme_find(checked.scheme);
    world->scheme_def =
        (pli_scheme_def){.beta = checked.newmark_beta, .gamma = checked.newmark_gamma};
    pli_pins_init(&world->pins, &world->memory, checked.dimension);
    world->constraints.kind[0] = pli_pins_constraint(&world->pins);
    pli_turns_init(&world->turns, &world->memory, &world->nodes, &world->pins);
    world->constraints.kind[1] = pli_turns_constraint(&world->turns);
    pli_status status = pli_pool_create(&world->memory, checked.thread_count, &world->pool, error);
    world->model.pool = world->pool;
    if (status != PLI_OK) {
        pli_world_destroy(world);
        return status;
    }
    *out = world;
    return PLI_OK;
}

void pli_world_destroy(pli_world* world) {
    if (!world || pli_world_enter(world, NULL) != PLI_OK) return;
    pli_memory* m = &world->memory;
    pli_world_free_prepared(world);
    pli_carry_free(world);
    pli_constraints_free(&world->constraints);
    pli_collision_free(&world->collision);
    pli_model_free(&world->model);
    pli_pool_destroy(world->pool);
    pli_drop_all_blocks(m);
    pli_memory last = *m; // the world itself is freed through a copy of its own counters
    PLI_FREE(&last, world, 1);
}

pli_status pli_world_keep_array(pli_world* world, const void* array, pli_error* error) {
    if (world && !array) return pli_fail(error, PLI_E_ARGUMENT, "there is no array to keep");
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, pli_keep_block(&world->memory, array, error));
}

void pli_world_drop_array(pli_world* world, const void* array) {
    if (!world || !array || pli_world_enter(world, NULL) != PLI_OK) return;
    pli_drop_block(&world->memory, array);
    (void)pli_world_leave(world, PLI_OK);
}

// ---- adding

// The world, which is entered, is about to change: prepared data are rebuilt before the next step.
static pli_status open_entered(pli_world* world, pli_error* error) {
    bool prepared = world->prepared;
    if (world->lost) return pli_world_not_failed(world, error);
    if (prepared || world->failed || world->collision.surfaces.memory)
        PLI_TRY(pli_world_unprepare(world, error));
    world->revision += prepared;
    return PLI_OK;
}

pli_status pli_world_open(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = open_entered(world, error);
    return status == PLI_OK ? PLI_OK : pli_world_leave(world, status);
}

// Opens the world and adds to its model by `call`. An object that is refused leaves it prepared.
#define ADD(call)                                                                                  \
    do {                                                                                           \
        if (status == PLI_OK && world->prepared) {                                                 \
            world->model.trial = true;                                                             \
            status = (call);                                                                       \
            world->model.trial = false;                                                            \
        }                                                                                          \
        if (status == PLI_OK) status = open_entered(world, error);                                 \
        if (status == PLI_OK) status = (call);                                                     \
    } while (0)

// The handle of the object that was added last.
#define GIVE_ID(id, kind, count)                                                                   \
    if (status == PLI_OK && (id)) {                                                                \
        (id)->index = pli_slots_find(&world->model, kind, (count)-1);                              \
        (id)->generation = world->model.generation;                                                \
    }

// Leaves it after adding the `number`-th object of its kind.
static pli_status leave_open(pli_world* world, pli_status status, pli_object object, int number,
                             pli_error* error) {
    return pli_world_leave(world, pli_error_place(status, error, object, number, NULL));
}

// All that can fail in the state comes before the body is added.
static pli_status append_body(pli_world* world, const pli_body_def* def, pli_body_id* id,
                              pli_error* error) {
    // a mesh that is not right is refused below
    bool right = def->mesh && pli_check_mesh(def->mesh, NULL) == PLI_OK;
    if (right && !world->model.trial)
        PLI_TRY(pli_carry_reserve(world, def->mesh->vertex_count, error));
    return pli_model_add_body(&world->model, def, id, error);
}

pli_status pli_world_add_body(pli_world* world, const pli_body_def* def, pli_body_id* id,
                              pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_body_def own;
    pli_status status = PLI_TAKE_DEF(body, def, &own, error);
    ADD(append_body(world, &own, id, error));
    if (status == PLI_OK) {
        pli_carry_append(world);
        world->carry.grown = world->carry.on;
        world->topology += world->carry.on;
    }
    return leave_open(world, status, PLI_OBJECT_BODY, world->model.body_count, error);
}

pli_status pli_world_add_energy(pli_world* world, pli_body_id id, const char* name,
                                const pli_setting* settings, int setting_count, pli_energy_id* out,
                                pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = PLI_OK;
    ADD(pli_model_add_energy(&world->model, id, name, settings, setting_count, error));
    GIVE_ID(out, PLI_SLOT_ENERGY, world->model.energy_count)
    return leave_open(world, status, PLI_OBJECT_ENERGY, world->model.energy_count, error);
}

pli_status pli_world_add_stencils(pli_world* world, const pli_stencils_def* def, pli_energy_id* out,
                                  pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_stencils_def own;
    pli_status status = PLI_TAKE_DEF(stencils, def, &own, error);
    ADD(pli_model_add_stencils(&world->model, &own, error));
    if (status != PLI_OK)
        pli_error_prefix(error, "stencils of energy \"%.60s\"", own.energy ? own.energy : "");
    GIVE_ID(out, PLI_SLOT_ENERGY, world->model.energy_count)
    return leave_open(world, status, PLI_OBJECT_ENERGY, world->model.energy_count, error);
}

pli_status pli_world_add_load(pli_world* world, pli_body_id id, const pli_load_def* def,
                              pli_load_id* out, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_load_def own;
    pli_status status = PLI_TAKE_DEF(load, def, &own, error);
    ADD(pli_model_add_load(&world->model, id, &own, error));
    GIVE_ID(out, PLI_SLOT_LOAD, world->model.load_count)
    return leave_open(world, status, PLI_OBJECT_LOAD, world->model.load_count, error);
}

pli_status pli_world_fix(pli_world* world, pli_body_id id, const pli_fix_def* def,
                         pli_support_id* out, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_fix_def own;
    pli_status status = PLI_TAKE_DEF(fix, def, &own, error);
    ADD(pli_model_add_fixed(&world->model, id, &own, error));
    GIVE_ID(out, PLI_SLOT_SUPPORT, world->model.support_set_count)
    return leave_open(world, status, PLI_OBJECT_SUPPORT, world->model.support_set_count, error);
}

pli_status pli_world_prescribe(pli_world* world, pli_body_id id, const pli_prescribe_def* def,
                               pli_support_id* out, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_prescribe_def own;
    pli_status status = PLI_TAKE_DEF(prescribe, def, &own, error);
    ADD(pli_pins_add_support(&world->pins, &world->model, id, &own, error));
    GIVE_ID(out, PLI_SLOT_SUPPORT, world->model.support_set_count)
    return leave_open(world, status, PLI_OBJECT_SUPPORT, world->model.support_set_count, error);
}

pli_status pli_world_add_half_space(pli_world* world, const pli_half_space_def* def,
                                    pli_half_space_id* out, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_half_space_def own;
    pli_status status = PLI_TAKE_DEF(half_space, def, &own, error);
    ADD(pli_model_add_half_space(&world->model, &own, error));
    GIVE_ID(out, PLI_SLOT_HALF_SPACE, world->model.half_space_count)
    return leave_open(world, status, PLI_OBJECT_HALF_SPACE, world->model.half_space_count, error);
}

pli_status pli_world_add_contact_rule(pli_world* world, const pli_contact_rule_def* def,
                                      pli_rule_id* out, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_contact_rule_def own;
    pli_status status = PLI_TAKE_DEF(contact_rule, def, &own, error);
    ADD(pli_model_add_contact_rule(&world->model, &own, error));
    GIVE_ID(out, PLI_SLOT_RULE, world->model.rule_count)
    return leave_open(world, status, PLI_OBJECT_RULE, world->model.rule_count, error);
}

pli_status pli_world_add_joint(pli_world* world, const pli_joint_def* def, pli_joint_id* out,
                               pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_joint_def own;
    pli_status status = PLI_TAKE_DEF(joint, def, &own, error);
    ADD(pli_model_add_joint(&world->model, &own, NULL, error));
    GIVE_ID(out, PLI_SLOT_JOINT, world->model.joint_count)
    return leave_open(world, status, PLI_OBJECT_JOINT, world->model.joint_count, error);
}

pli_status pli_world_set_body_user(pli_world* world, pli_body_id id, void* user, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_body* body = NULL;
    pli_status status = pli_model_find_body(&world->model, id, &body, error);
    if (status == PLI_OK) body->def.user = user;
    return pli_world_leave(world, status);
}
