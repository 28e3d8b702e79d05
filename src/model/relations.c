// Adding half-spaces and contact rules to the model.
#include "model/model.h"

#include "base/def.h"
#include "base/text.h"
#include "math/vec.h"
#include "model/params.h"

#include <string.h>

// ---- rules

pli_status pli_check_friction(double friction, double friction_static, const char* what,
                              pli_error* error) {
    if (friction_static == 0 || friction_static >= friction) return PLI_OK;
    return pli_error_key(
        pli_fail(
            error, PLI_E_ARGUMENT,
            "%s: friction_static = %g, must be at least friction = %g (or 0: equal to friction)",
            what, friction_static, friction),
        error, "friction_static");
}

void pli_contact_rule_def_init(pli_contact_rule_def* out) {
    const pli_contact_rule_def def = {.between = {"", ""}, .friction = -1, .friction_static = -1};
    PLI_GIVE_DEF(def, out);
}

static pli_status check_rule(const pli_contact_rule_def* def, pli_error* error) {
    const double most = 100; // same limit as for a half-space
    if (!(def->friction <= most) || !(def->friction_static <= most))
        return pli_error_key(
            pli_fail(error, PLI_E_ARGUMENT,
                     "contact rule: friction = %g, friction_static = %g, must be at most %g",
                     def->friction, def->friction_static, most),
            error, def->friction <= most ? "friction_static" : "friction");
    if (def->friction_static < 0) return PLI_OK;
    return pli_check_friction(def->friction, def->friction_static, "contact rule", error);
}

pli_status pli_model_add_contact_rule(pli_model* model, const pli_contact_rule_def* def,
                                      pli_error* error) {
    PLI_TRY(check_rule(def, error));
    if (model->trial) return PLI_OK;
    pli_memory* m = model->memory;
    PLI_TRY(PLI_GROW(m, model->rule_defs, model->rule_capacity, model->rule_count + 1, error));
    PLI_TRY(pli_slots_reserve(model, PLI_SLOT_RULE, error));
    char* words[2];
    PLI_TRY(pli_copy_text(m, def->between[0] ? def->between[0] : "", &words[0], error));
    pli_status status = pli_copy_text(m, def->between[1] ? def->between[1] : "", &words[1], error);
    if (status != PLI_OK) {
        pli_free_text(m, &words[0]);
        return status;
    }
    (void)pli_slots_add(model, PLI_SLOT_RULE, model->rule_count);
    pli_contact_rule_def* rule = &model->rule_defs[model->rule_count++];
    *rule = *def;
    for (int i = 0; i < 2; ++i) rule->between[i] = words[i];
    return PLI_OK;
}

// ---- half-spaces

static pli_status name_half_space(pli_model* model, pli_half_space_def* def, pli_error* error) {
    char number[32], *copy;
    pli_format(number, sizeof number, "half-space %d", model->slots[PLI_SLOT_HALF_SPACE].count);
    const char* name = def->name && *def->name ? def->name : number;
    PLI_TRY(pli_copy_text(model->memory, name, &copy, error));
    def->name = copy;
    return PLI_OK;
}

pli_status pli_model_add_half_space(pli_model* model, const pli_half_space_def* def,
                                    pli_error* error) {
    pli_half_space_def checked = *def;
    PLI_TRY(pli_params_check(&pli_half_space_params, &checked, "half-space", error));
    PLI_TRY(pli_check_friction(def->friction, def->friction_static, "half-space", error));
    double length = pli_norm(def->normal, model->def.dimension);
    if (!(length > 0))
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "half-space: normal has length 0%s, must be > 0",
                                      model->def.dimension == 2 ? " in the plane" : ""),
                             error, "normal");
    for (int c = 0; c < 3; ++c)
        checked.normal[c] = c < model->def.dimension ? def->normal[c] / length : 0;
    if (def->carrier.generation > 0) {
        pli_body* body = NULL;
        PLI_TRY(pli_model_find_body(model, def->carrier, &body, error));
    }
    if (model->trial) return PLI_OK;
    PLI_TRY(PLI_GROW(model->memory, model->half_spaces, model->half_space_capacity,
                     model->half_space_count + 1, error));
    PLI_TRY(pli_slots_reserve(model, PLI_SLOT_HALF_SPACE, error));
    PLI_TRY(name_half_space(model, &checked, error));
    (void)pli_slots_add(model, PLI_SLOT_HALF_SPACE, model->half_space_count);
    model->half_spaces[model->half_space_count++] = checked;
    return PLI_OK;
}

int pli_model_carrier(const pli_model* model, int half_space) {
    pli_body_id carrier = model->half_spaces[half_space].carrier;
    if (carrier.generation == 0) return -1;
    return model->bodies[pli_slots_number(model, PLI_SLOT_BODY, carrier.index)].first_vertex;
}

// ---- freeing

static void free_words(pli_memory* memory, const char** words, int count) {
    for (int i = 0; i < count; ++i) {
        char* own = (char*)words[i];
        pli_free_text(memory, &own);
    }
}

void pli_model_remove_half_space(pli_model* model, int i) {
    free_words(model->memory, &model->half_spaces[i].name, 1);
    memmove(&model->half_spaces[i], &model->half_spaces[i + 1],
            sizeof *model->half_spaces * (size_t)(--model->half_space_count - i));
    pli_slots_remove(model, PLI_SLOT_HALF_SPACE, i);
}

void pli_model_remove_rule(pli_model* model, int i) {
    free_words(model->memory, model->rule_defs[i].between, 2);
    memmove(&model->rule_defs[i], &model->rule_defs[i + 1],
            sizeof *model->rule_defs * (size_t)(--model->rule_count - i));
    pli_slots_remove(model, PLI_SLOT_RULE, i);
}

void pli_model_free_relations(pli_model* model) {
    pli_memory* m = model->memory;
    for (int i = 0; i < model->half_space_count; ++i) free_words(m, &model->half_spaces[i].name, 1);
    PLI_FREE(m, model->half_spaces, model->half_space_capacity);
    for (int i = 0; i < model->rule_count; ++i) free_words(m, model->rule_defs[i].between, 2);
    PLI_FREE(m, model->rule_defs, model->rule_capacity);
}
