// All lists in one table. It is here because no module below knows all of them. The words of a
// parameter come from its row, so that a list always matches what is accepted.
#include "pliant/list.h"

#include "export/export.h"
#include "pliant/energy.h"
#include "scene/frame_fields.h"
#include "scene/mesh_kinds.h"
#include "scene/obstacle_kinds.h"
#include "scene/tables.h"

#include <math.h>
#include <string.h>

typedef struct list {
    const char* title;
    // Words of the parameter `key` of an object; NULL: from the functions.
    const char* key;
    pli_object object;
    const char* (*name)(int i);
    const char* (*help)(int i);
    const pli_param* (*param)(int i, int param); // NULL: entries have no parameters
} list;

// ---- energies

static const char* energy_name(int i) {
    return pli_energy_type_at(i) ? pli_energy_type_at(i)->name : NULL;
}
static const char* energy_help(int i) {
    return pli_energy_type_at(i) ? pli_energy_type_at(i)->help : NULL;
}
static const pli_param* energy_param(int i, int param) {
    const pli_energy_type* type = pli_energy_type_at(i);
    return type && param < type->param_count ? &type->params[param] : NULL;
}

// ---- sections of scenes

static const pli_param* section_param(const pli_section* section, int param) {
    int rows = 0;
    size_t offset;
    for (const pli_param* row; (row = pli_section_row(section, rows, &offset)); ++rows)
        if (rows == param) return row;
    return param - rows < section->part_count ? &section->parts[param - rows].row : NULL;
}

static const char* mesh_name(int i) {
    pli_section section;
    return pli_mesh_variant(NULL, i, &section) ? section.name : NULL;
}
static const char* mesh_help(int i) {
    pli_section section;
    return pli_mesh_variant(NULL, i, &section) ? section.help : NULL;
}
static const pli_param* mesh_param(int i, int param) {
    pli_section section;
    return pli_mesh_variant(NULL, i, &section) ? section_param(&section, param) : NULL;
}

static const char* obstacle_name(int i) {
    pli_section section;
    return pli_obstacle_variant(NULL, i, &section) ? section.name : NULL;
}
static const char* obstacle_help(int i) {
    pli_section section;
    return pli_obstacle_variant(NULL, i, &section) ? section.help : NULL;
}
static const pli_param* obstacle_param(int i, int param) {
    pli_section section;
    return pli_obstacle_variant(NULL, i, &section) ? section_param(&section, param) : NULL;
}

static const char* material_name(int i) {
    return pli_material_at(i) ? pli_material_at(i)->name : NULL;
}
static const char* material_help(int i) {
    return pli_material_at(i) ? pli_material_at(i)->what : NULL;
}

const pli_setting* pli_material_settings(int i, int* count) {
    const pli_material* material = pli_material_at(i);
    bool yields = material && !isnan(material->values[PLI_MATERIAL_YIELD].value);
    if (count) *count = material ? (yields ? PLI_MATERIAL_VALUES : PLI_MATERIAL_YIELD) : 0;
    return material ? material->values : NULL;
}

// ---- the table

static const list lists[PLI_LIST_KIND_COUNT] = {
    [PLI_LIST_ENERGIES] = {.title = "energies",
                           .name = energy_name,
                           .help = energy_help,
                           .param = energy_param},
    [PLI_LIST_SCHEMES] = {.title = "schemes", .key = "scheme", .object = PLI_OBJECT_TIME},
    [PLI_LIST_METHODS] = {.title = "methods", .key = "method", .object = PLI_OBJECT_SOLVER},
    [PLI_LIST_LINE_SEARCHES] = {.title = "line searches",
                                .key = "line_search",
                                .object = PLI_OBJECT_SOLVER},
    [PLI_LIST_LINEAR_SOLVERS] = {.title = "linear solvers",
                                 .key = "linear",
                                 .object = PLI_OBJECT_SOLVER},
    [PLI_LIST_PRECONDITIONERS] = {.title = "preconditioners",
                                  .key = "preconditioner",
                                  .object = PLI_OBJECT_SOLVER},
    [PLI_LIST_BARRIERS] = {.title = "barriers", .key = "barrier", .object = PLI_OBJECT_CONTACT},
    [PLI_LIST_MASSES] = {.title = "masses", .key = "mass", .object = PLI_OBJECT_BODY},
    [PLI_LIST_KINEMATICS] = {.title = "kinematics", .key = "kinematics", .object = PLI_OBJECT_BODY},
    [PLI_LIST_LOADS] = {.title = "loads", .key = "kind", .object = PLI_OBJECT_LOAD},
    [PLI_LIST_MESHES] = {.title = "meshes",
                         .name = mesh_name,
                         .help = mesh_help,
                         .param = mesh_param},
    [PLI_LIST_OBSTACLES] = {.title = "obstacles",
                            .name = obstacle_name,
                            .help = obstacle_help,
                            .param = obstacle_param},
    [PLI_LIST_MATERIALS] = {.title = "materials", .name = material_name, .help = material_help},
    [PLI_LIST_FRAME_FIELDS] = {.title = "frame fields",
                               .name = pli_frame_field_name,
                               .help = pli_frame_field_help},
    [PLI_LIST_EXPORT_FORMATS] = {.title = "export formats",
                                 .name = pli_export_format_name,
                                 .help = pli_export_format_help},
};

static const list* find(pli_list_kind kind) {
    return (size_t)kind < PLI_LIST_KIND_COUNT ? &lists[kind] : NULL;
}

static const pli_param* row_of(const list* l) {
    const pli_params* params = pli_object_params(l->object);
    int i = 0;
    while (strcmp(params->rows[i].name, l->key) != 0) ++i;
    return &params->rows[i];
}

const char* pli_list_title(pli_list_kind kind) { return find(kind) ? find(kind)->title : NULL; }

const char* pli_list_name(pli_list_kind kind, int i) {
    const list* l = find(kind);
    if (!l || i < 0) return NULL;
    return l->key ? row_of(l)->choice(i) : l->name(i);
}

const char* pli_list_help(pli_list_kind kind, int i) {
    const list* l = find(kind);
    if (!pli_list_name(kind, i)) return NULL;
    return l->key ? row_of(l)->choice_help(i) : l->help(i);
}

int pli_list_count(pli_list_kind kind) {
    int count = 0;
    while (pli_list_name(kind, count)) ++count;
    return count;
}

const pli_param* pli_list_param(pli_list_kind kind, int i, int param) {
    const list* l = find(kind);
    return l && l->param && i >= 0 && param >= 0 ? l->param(i, param) : NULL;
}
