// Parameter values of an energy, from its table and the user's settings.
#include "energy/params.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "energy/element_term.h"

const pli_param* pli_param_find(const pli_param* params, int count, const char* name) {
    for (int i = 0; i < count; ++i)
        if (strcmp(params[i].name, name) == 0) return &params[i];
    return NULL;
}

const char* pli_param_nearest(const pli_param* params, int count, const char* name) {
    const char* nearest = NULL;
    int best = 1 + (int)strlen(name) / 3; // with more edits it is a different word
    for (int i = 0; i < count; ++i) {
        int distance = pli_edit_distance(params[i].name, name);
        if (distance > best || (nearest && distance == best)) continue;
        best = distance;
        nearest = params[i].name;
    }
    return nearest;
}

// "> 0 and <= 1", "> 0", "<= 1" or "a finite number".
static void write_rule(const pli_param* param, char* rule, size_t size) {
    char low[64] = "", high[64] = "";
    if (param->min > -HUGE_VAL)
        pli_format(low, sizeof low, "%s %g",
                   param->flags & PLI_PARAM_ABOVE_MIN ? ">" : ">=", param->min);
    if (param->max < HUGE_VAL)
        pli_format(high, sizeof high, "%s %g",
                   param->flags & PLI_PARAM_BELOW_MAX ? "<" : "<=", param->max);
    if (!*low && !*high)
        pli_format(rule, size, "a finite number");
    else
        pli_format(rule, size, "%s%s%s", low, *low && *high ? " and " : "", high);
}

pli_status pli_param_check_number(const pli_param* param, double value, pli_error* error) {
    if (!param) return pli_fail(error, PLI_E_ARGUMENT, "the parameter row is NULL");
    bool above = param->flags & PLI_PARAM_ABOVE_MIN ? value > param->min : value >= param->min;
    bool below = param->flags & PLI_PARAM_BELOW_MAX ? value < param->max : value <= param->max;
    if (above && below && isfinite(value)) return PLI_OK;
    char rule[160], number[PLI_NUMBER_SIZE];
    write_rule(param, rule, sizeof rule);
    pli_format(number, sizeof number, "%g", value);
    return pli_fail(error, PLI_E_ARGUMENT, "%s = %s%s%s, must be %s", param->name, number,
                    *param->unit ? " " : "", param->unit, rule);
}

static pli_status unknown_name(const pli_energy_type* type, const char* name, pli_error* error) {
    const char* nearest = pli_param_nearest(type->params, type->param_count, name);
    return pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" has no parameter \"%s\"%s%s%s",
                    type->name, name, nearest ? ", did you mean \"" : "", nearest ? nearest : "",
                    nearest ? "\"?" : "");
}

// The value from the settings (the last one wins), else the default. False: neither exists.
static bool look_up(const pli_param* param, const pli_setting* settings, int count, double* value) {
    *value = param->default_value;
    for (int i = count - 1; i >= 0; --i)
        if (strcmp(settings[i].name, param->name) == 0) {
            *value = settings[i].value;
            return true;
        }
    return !(param->flags & PLI_PARAM_REQUIRED);
}

static pli_status check_wide(const pli_energy_type* type, pli_error* error) {
    if (type->rank < 1)
        return pli_fail(error, PLI_E_ARGUMENT, "rank = %d, must be at least 1 for wide stencils",
                        type->rank);
    if (!type->stencils || type->blocks || type->dissipation || type->linear)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "wide stencils need `stencils` and must not set `blocks`, `dissipation` or "
                        "`linear`");
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        if (type->data_size[kind] > 0)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "wide stencils: data_size of %s elements must be 0",
                            pli_element_word((pli_element_kind)kind));
    return PLI_OK;
}

static pli_status check_state(const pli_energy_type* type, pli_error* error) {
    bool any = type->state_size > 0;
    for (int kind = -1; kind <= PLI_STENCIL; ++kind) {
        size_t size = kind < 0 ? type->state_size : type->state_sizes[kind];
        any = any || size > 0;
        if (size % sizeof(double) != 0)
            return pli_fail(error, PLI_E_ARGUMENT, "%s = %zu, must be a multiple of %zu",
                            kind < 0 ? "state_size" : "an entry of state_sizes", size,
                            sizeof(double));
    }
    if (type->commit && !any)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "state_size = 0, must not be 0, because `commit` is set");
    return PLI_OK;
}

static pli_status check_type(const pli_energy_type* type, pli_error* error) {
    if (!type || type->abi != PLI_ENERGY_ABI || !type->name || !type->eval)
        return pli_fail(error, PLI_E_ARGUMENT, "name and eval must be set and abi must be %d",
                        PLI_ENERGY_ABI);
    if (strlen(type->name) > PLI_ENERGY_NAME_SIZE)
        return pli_fail(error, PLI_E_ARGUMENT, "the name has %zu bytes, must be at most %d",
                        strlen(type->name), PLI_ENERGY_NAME_SIZE);
    if (type->width == PLI_WIDE)
        PLI_TRY(check_wide(type, error));
    else if (type->curvature)
        return pli_fail(error, PLI_E_ARGUMENT, "`curvature` is for wide stencils alone");
    else if (type->width < 0 || type->width > PLI_STENCIL_MAX ||
             (type->stencils && type->width == 0))
        return pli_fail(error, PLI_E_ARGUMENT, "width = %d, must be %d to %d", type->width,
                        type->stencils ? 1 : 0, PLI_STENCIL_MAX);
    PLI_TRY(check_state(type, error));
    if (type->param_count < 0 || (type->param_count > 0 && !type->params))
        return pli_fail(error, PLI_E_ARGUMENT, "param_count = %d, but %s", type->param_count,
                        type->param_count < 0 ? "must be >= 0" : "params is NULL");
    for (int i = 0; i < type->param_count; ++i)
        if (!type->params[i].name || !type->params[i].unit ||
            type->params[i].type != PLI_PARAM_NUMBER)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "parameter %d must have name and unit and be a PLI_PARAM_NUMBER", i);
    return PLI_OK;
}

pli_status pli_energy_types_check(const pli_energy_type* const* types, int count,
                                  pli_error* error) {
    if (count < 0 || (count > 0 && !types))
        return pli_fail(error, PLI_E_ARGUMENT, "energy_type_count = %d, but %s", count,
                        count < 0 ? "must be >= 0" : "energy_types is NULL");
    for (int i = 0; i < count; ++i) {
        pli_status status = check_type(types[i], error);
        if (status != PLI_OK) {
            pli_error_prefix(error, "energy type %d", i);
            return status;
        }
    }
    return PLI_OK;
}

pli_status pli_energy_params(const pli_energy_type* type, const pli_setting* settings,
                             int setting_count, double* values, pli_error* error) {
    double value;
    for (int s = 0; s < setting_count; ++s)
        if (!pli_param_find(type->params, type->param_count, settings[s].name))
            return pli_error_key(unknown_name(type, settings[s].name, error), error,
                                 settings[s].name);
    for (int i = 0; i < type->param_count; ++i) {
        const pli_param* param = &type->params[i];
        if (!look_up(param, settings, setting_count, &value))
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "energy \"%s\" needs \"%s\"",
                                          type->name, param->name),
                                 error, param->name);
        bool absent = isnan(value) && isnan(param->default_value);
        pli_status status = absent ? PLI_OK : pli_param_check_number(param, value, error);
        if (status != PLI_OK) {
            pli_error_prefix(error, "energy \"%s\"", type->name);
            return pli_error_key(status, error, param->name);
        }
    }
    for (int i = 0; i < type->param_count; ++i)
        look_up(&type->params[i], settings, setting_count, &values[i]);
    pli_status status = type->check ? type->check(values, error) : PLI_OK;
    if (status != PLI_OK) pli_error_prefix(error, "energy \"%s\"", type->name);
    return status;
}
