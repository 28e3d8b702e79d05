// Parameters that can change while a scene runs, by path: a list of patterns selects them,
// everything else comes from the rows of the sections.
#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/findings.h"

// Patterns as in pli_parameter_matches. The first match decides.
typedef enum rule { ALWAYS, IF_SET, NEVER } rule; // IF_SET: if the number is not 0
static const struct {
    const char* pattern;
    rule rule;
} live[] = {
    {"gravity", ALWAYS},
    {"time.step", IF_SET},
    {"solver.tolerance", ALWAYS},
    {"solver.max_iterations", ALWAYS},
    {"solver.on_failure", ALWAYS},
    {"contact.friction", ALWAYS},
    {"contact.friction_static", ALWAYS},
    {"contact.dhat", ALWAYS},
    {"contact.stiffness", ALWAYS},
    {"contact.friction_pairs[].friction", ALWAYS},
    {"bodies[].density", IF_SET},
    {"bodies[].vertex_mass", IF_SET},
    {"bodies[].mass_damping", ALWAYS},
    {"bodies[].stiffness_damping", ALWAYS},
    {"bodies[].loads[].value", ALWAYS},
    {"bodies[].energies[].plane_stress", NEVER},
    {"bodies[].energies[].*", ALWAYS},
    {"obstacles[].friction", ALWAYS},
    {"stencils[].pairing", NEVER},
    {"stencils[].*", ALWAYS},
    {"joints[].angle.motor.position", ALWAYS},
    {"joints[].angle.motor.velocity", ALWAYS},
    {"joints[].angle.motor.force", ALWAYS},
    {"joints[].angle.motor.cap", ALWAYS},
    {"joints[].travel.motor.position", ALWAYS},
    {"joints[].travel.motor.velocity", ALWAYS},
    {"joints[].travel.motor.force", ALWAYS},
    {"joints[].travel.motor.cap", ALWAYS},
    {"joints[].length.motor.position", ALWAYS},
    {"joints[].length.motor.velocity", ALWAYS},
    {"joints[].length.motor.force", ALWAYS},
    {"joints[].length.motor.cap", ALWAYS},
};
enum { LIVE_COUNT = sizeof live / sizeof *live };

bool pli_parameter_matches(const char* pattern, const char* path) {
    for (; *pattern && *path; ++pattern, ++path) {
        if (*pattern == '*') return true;
        if (*pattern != *path) return false;
        if (*pattern == '[') path += strcspn(path, "]") - 1;
    }
    return !*pattern && !*path;
}

static bool read_number(const void* field, pli_scene_parameter* out) {
    out->value[0] = *(const double*)field;
    return isfinite(out->value[0]);
}

static bool read_integer(const void* field, pli_scene_parameter* out) {
    out->value[0] = *(const int*)field;
    return true;
}

static bool read_bool(const void* field, pli_scene_parameter* out) {
    out->value[0] = *(const bool*)field;
    return true;
}

static bool read_choice(const void* field, pli_scene_parameter* out) {
    out->word = *(const char* const*)field;
    return true;
}

static bool read_vector(const void* field, pli_scene_parameter* out) {
    memcpy(out->value, field, sizeof out->value);
    return isfinite(out->value[0]) && isfinite(out->value[1]) && isfinite(out->value[2]);
}

// The value of a row; false: not given and no default.
static bool (*const readers[])(const void*, pli_scene_parameter*) = {
    [PLI_PARAM_NUMBER] = read_number, [PLI_PARAM_INTEGER] = read_integer,
    [PLI_PARAM_BOOL] = read_bool,     [PLI_PARAM_CHOICE] = read_choice,
    [PLI_PARAM_TEXT] = NULL,          [PLI_PARAM_VECTOR] = read_vector,
};

typedef struct visitor {
    pli_parameters* list;
    const pli_catalog* catalog;
    const char* body; // name of the body around; "": none
} visitor;

static pli_status add_row(visitor* v, const pli_param* row, const void* field, const pli_path* at,
                          pli_error* error) {
    pli_scene_parameter found = {.row = row, .word = ""};
    snprintf(found.body, sizeof found.body, "%s", v->body);
    pli_path_text(at, NULL, found.path, sizeof found.path);
    int i = 0;
    while (i < LIVE_COUNT && !pli_parameter_matches(live[i].pattern, found.path)) ++i;
    bool wanted = i < LIVE_COUNT && live[i].rule != NEVER &&
                  !(live[i].rule == IF_SET && *(const double*)field == 0);
    pli_parameters* list = v->list;
    if (!wanted || list->count >= PLI_PARAMETERS_KEPT || !readers[row->type] ||
        !readers[row->type](field, &found))
        return PLI_OK;
    PLI_TRY(PLI_GROW(list->memory, list->items, list->capacity, list->count + 1, error));
    list->items[list->count++] = found;
    return PLI_OK;
}

// A vector of `count` formulas, if none depends on time or place.
static pli_status add_formulas(visitor* v, const pli_part* part, const pli_expression* formulas,
                               int count, const pli_path* at, pli_error* error) {
    static const double nowhere[PLI_VARIABLE_COUNT];
    double value[3] = {0};
    unsigned uses = 0;
    for (int i = 0; i < count; ++i) {
        uses |= formulas[i].uses;
        value[i] = pli_expression_value(&formulas[i], nowhere);
    }
    return uses ? PLI_OK : add_row(v, &part->row, value, at, error);
}

static pli_status visit_section(visitor* v, const pli_section* section, const void* data,
                                const pli_path* at, pli_error* error);

static pli_status visit_part(visitor* v, const pli_part* part, const void* field,
                             const pli_path* at, pli_error* error) {
    if (part->form == PLI_OBJECT) return visit_section(v, part->section, field, at, error);
    if (part->form == PLI_OPTIONAL) {
        const void* object = *(const void* const*)field;
        return object ? visit_section(v, part->section, object, at, error) : PLI_OK;
    }
    if (part->form == PLI_FORMULA && ((const pli_expression*)field)->count == 0) return PLI_OK;
    if (part->form == PLI_FORMULA) return add_formulas(v, part, field, 1, at, error);
    if (part->form == PLI_FORMULAS)
        return add_formulas(v, part, ((const pli_formulas*)field)->part, 3, at, error);
    if (part->form != PLI_OBJECTS) return PLI_OK;
    const pli_list* list = field;
    size_t stride = pli_section_size(part->section);
    for (int i = 0; i < list->count; ++i) {
        const char* item = (const char*)list->items + (size_t)i * stride;
        visitor inner = *v;
        if (part->section == &pli_body_section)
            inner.body = ((const pli_body_data*)(const void*)item)->def.name;
        PLI_TRY(visit_section(&inner, part->section, item, PLI_INDEX(at, i), error));
    }
    return PLI_OK;
}

static pli_status visit_section(visitor* v, const pli_section* section, const void* data,
                                const pli_path* at, pli_error* error) {
    pli_section variant;
    if (section->variant) {
        const pli_tagged* tagged = data;
        if (tagged->variant < 0 || !section->variant(v->catalog, tagged->variant, &variant))
            return PLI_OK;
        section = &variant;
        data = tagged->data;
    }
    const pli_param* row;
    size_t offset;
    for (int i = 0; (row = pli_section_row(section, i, &offset)); ++i) {
        PLI_TRY(add_row(v, row, (const char*)data + offset, PLI_KEY(at, row->name), error));
    }
    for (int i = 0; i < section->part_count; ++i) {
        const pli_part* part = &section->parts[i];
        PLI_TRY(visit_part(v, part, (const char*)data + part->row.offset,
                           PLI_KEY(at, part->row.name), error));
    }
    return PLI_OK;
}

pli_status pli_parameters_collect(pli_parameters* list, const pli_catalog* catalog,
                                  const pli_scene_data* scene, pli_error* error) {
    visitor v = {.list = list, .catalog = catalog, .body = ""};
    return visit_section(&v, &pli_scene_section, scene, NULL, error);
}

void pli_parameters_free(pli_parameters* list) {
    PLI_FREE(list->memory, list->items, list->capacity);
    list->count = list->capacity = 0;
}
