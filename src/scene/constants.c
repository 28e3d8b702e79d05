// The variables of a scene: see constants.h.
#include "scene/constants.h"

#include <math.h>
#include <string.h>

static pli_status read_one(const pli_scene_reader* reader, const pli_constants* before,
                           const char* name, const json_t* value, double* out, pli_error* error) {
    const pli_path above = pli_path_key(NULL, PLI_VARIABLES_KEY);
    const pli_path at = pli_path_key(&above, name);
    char text[PLI_VALUE_SIZE];
    const char* wrong = pli_expression_name_problem(name);
    if (wrong)
        return pli_finding_add(reader->findings, PLI_ERROR, &at, PLI_AT_KEY, error,
                               "variable \"%.60s\": %s", name, wrong);
    if (json_is_number(value)) {
        *out = json_number_value(value);
        return PLI_OK;
    }
    if (!json_is_string(value))
        return PLI_FIND(reader->findings, &at, error,
                        "variable \"%.60s\" is %s, must be a number or an expression in quotes",
                        name, pli_value_text(value, text));
    pli_error bad = {0};
    pli_status status =
        pli_expression_number(reader->arena, json_string_value(value), before, out, &bad);
    if (status == PLI_OK) return PLI_OK;
    if (status == PLI_E_MEMORY) return pli_fail(error, status, "%s", bad.message);
    return PLI_FIND(reader->findings, &at, error, "variable \"%.60s\" = %s, %s", name,
                    pli_value_text(value, text), bad.message);
}

pli_status pli_read_constants(const pli_scene_reader* reader, const json_t* scene,
                              pli_constants* out, pli_error* error) {
    const json_t* given = json_object_get(scene, PLI_VARIABLES_KEY);
    *out = (pli_constants){0};
    if (!given) return PLI_OK;
    const pli_path at = pli_path_key(NULL, PLI_VARIABLES_KEY);
    char text[PLI_VALUE_SIZE];
    if (!json_is_object(given))
        return PLI_FIND(reader->findings, &at, error,
                        PLI_VARIABLES_KEY " is %s, must be an object {\"name\": number, ...}",
                        pli_value_text(given, text));
    pli_constant* items;
    PLI_TRY(PLI_TAKE(reader->arena, items, json_object_size(given), error));
    out->items = items;
    const char* name;
    json_t* value;
    json_object_foreach((json_t*)(uintptr_t)given, name, value) {
        pli_constant one = {.name = name};
        PLI_TRY(read_one(reader, out, name, value, &one.value, error));
        items[out->count++] = one;
    }
    return PLI_OK;
}
