// Adds everything to a world, in the order of the scene.
#define _POSIX_C_SOURCE 200809L // sysconf
#include "scene/build.h"

#include "base/text.h"
#include "math/elementary.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "scene/contact_rules.h"
#include "scene/field.h"
#include "scene/motion.h"
#include "scene/obstacle_kinds.h"

// ---- memory

// Bytes of a prepared world of n vertices and their elements: some 8 MB of libraries, about 170
// numbers per vertex, the assembled matrix (7 blocks per vertex), local matrices. Within 5 % of
// bars of tetrahedra. Obstacles have no matrix, but the tables of contact: about 2.5 kB per vertex.
// What the linear solver will take is known when the world is there: pli_world_predict_memory.
static double estimate_memory(const pli_mesh_size* size, int dim) {
    double block = 8.0 * dim * dim, n = size->vertices;
    double bytes = 8e6 + n * (1400 + 7 * (block + 16)) + 2500 * size->held;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        bytes += size->elements[k] *
                 (pli_pow(pli_element_size((pli_element_kind)k), 2) * (block + 4) + 100);
    return bytes;
}

static double machine_memory(void) {
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page > 0 ? (double)pages * (double)page : HUGE_VAL;
}

static pli_mesh_size count_meshes(const pli_builder* b) {
    const pli_body_data* bodies = b->scene->bodies.items;
    pli_mesh_size sum = {0};
    for (int i = 0; i < b->scene->bodies.count; ++i) {
        const pli_mesh_kind* kind = pli_mesh_kind_at(bodies[i].mesh.variant);
        if (!kind) continue;
        pli_mesh_size size = kind->size(bodies[i].mesh.data);
        double copies = pli_copy_count(&bodies[i]);
        sum.vertices += copies * size.vertices;
        for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
            sum.elements[k] += copies * size.elements[k];
    }
    const pli_tagged* obstacles = b->scene->obstacles.items;
    for (int i = 0; i < b->scene->obstacles.count; ++i)
        sum.held += pli_obstacle_vertices(&obstacles[i]);
    return sum;
}

pli_status pli_check_memory(pli_builder* b, pli_error* error) {
    pli_mesh_size sum = count_meshes(b);
    double bytes = estimate_memory(&sum, b->scene->world.dimension), machine = machine_memory();
    size_t limit = b->allocator ? pli_budget_limit(b->allocator->budget) : 0;
    bool limited = limit > 0 && (double)limit < machine;
    double most = limited ? (double)limit : machine;
    if (bytes <= most && sum.vertices + sum.held < 1e8) return PLI_OK;
    char need[24], have[24];
    pli_path at = pli_path_key(NULL, "bodies");
    return PLI_FIND(b->findings, &at, error,
                    "%.3g vertices need about %s before the first step, %s %s: use fewer segments",
                    sum.vertices + sum.held, pli_bytes_text(bytes, need, sizeof need),
                    limited ? "the limit is" : "this machine has",
                    pli_bytes_text(most, have, sizeof have));
}

// ---- what a world refuses

// A path and the nodes above it.
typedef struct fault {
    pli_path nodes[5];
} fault;

static const pli_path* key_fault(fault* f, const char* part, const char* key) {
    f->nodes[0] = pli_path_key(NULL, part);
    f->nodes[1] = pli_path_key(&f->nodes[0], key);
    return &f->nodes[key[0] ? 1 : 0];
}

static const pli_path* body_fault(const pli_builder* b, int body, const char* key, fault* f) {
    f->nodes[1] = pli_body_path(b, body, &f->nodes[0]);
    f->nodes[2] = pli_path_key(&f->nodes[1], key);
    return &f->nodes[key[0] ? 2 : 1];
}

// The energy, support or load of this number, counted body after body.
static const pli_path* entry_fault(const pli_builder* b, const pli_error* e, fault* f) {
    pli_path* at = &f->nodes[1];
    int i = e->index;
    for (int body = 0; body < b->body_count; ++body) {
        const pli_shape_of_body* shape = &b->bodies[body];
        const pli_body_data* d = shape->data;
        bool energy = e->object == PLI_OBJECT_ENERGY, support = e->object == PLI_OBJECT_SUPPORT;
        int first = energy ? d->energies.count : support ? d->fix.count : d->loads.count;
        int count = first + (support ? d->prescribe.count : 0);
        *at = pli_body_path(b, body, &f->nodes[0]);
        f->nodes[2] = pli_path_key(at, energy ? "energies" : support ? "fix" : "loads");
        if (i < first)
            f->nodes[3] = pli_path_index(&f->nodes[2], i);
        else if (i < count)
            f->nodes[3] = pli_motion_path(shape, at, i - first, &f->nodes[2]);
        f->nodes[4] = pli_path_key(&f->nodes[3], e->key); // supports and loads have others
        if (i < count) return &f->nodes[energy && e->key[0] ? 4 : 3];
        i -= count;
    }
    return NULL;
}

static const pli_path* half_space_fault(const pli_builder* b, const pli_error* e, fault* f) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    f->nodes[0] = pli_path_key(NULL, "obstacles");
    for (int i = 0, number = 0; i < b->scene->obstacles.count; ++i) {
        const pli_obstacle_kind* kind = pli_obstacle_kind_at(obstacles[i].variant);
        if (!kind || !kind->half_space || number++ < e->index) continue;
        f->nodes[1] = pli_path_index(&f->nodes[0], i);
        f->nodes[2] = pli_path_key(&f->nodes[1], e->key);
        return &f->nodes[e->key[0] ? 2 : 1];
    }
    return NULL;
}

// The place in the scene that an error of a world with all its bodies is about; NULL: none.
static const pli_path* find_fault(const pli_builder* b, const pli_error* e, fault* f) {
    switch (e->object) {
    case PLI_OBJECT_NONE:
        break;
    case PLI_OBJECT_WORLD:
        f->nodes[0] = pli_path_key(NULL, e->key);
        return e->key[0] ? &f->nodes[0] : NULL;
    case PLI_OBJECT_TIME:
        return key_fault(f, "time", e->key);
    case PLI_OBJECT_SOLVER:
        return key_fault(f, "solver", e->key);
    case PLI_OBJECT_CONTACT:
        return key_fault(f, "contact", e->key);
    case PLI_OBJECT_RULE:
        return key_fault(f, "contact", "");
    case PLI_OBJECT_BODY:
        return e->index < b->body_count ? body_fault(b, e->index, e->key, f) : NULL;
    case PLI_OBJECT_ENERGY:
    case PLI_OBJECT_SUPPORT:
    case PLI_OBJECT_LOAD:
        return entry_fault(b, e, f);
    case PLI_OBJECT_HALF_SPACE:
        return half_space_fault(b, e, f);
    }
    return NULL;
}

// A failure of the world becomes a finding; running out of memory stays one.
static pli_status report(pli_builder* b, pli_status status, pli_error* error) {
    fault f;
    if (status == PLI_OK) return PLI_OK;
    return pli_finding_from(b->findings, find_fault(b, error, &f), status, error);
}

// ---- bodies

// A call into the world: if it refuses, that is a finding, and the function is left.
#define REPORT(call)                                                                               \
    do {                                                                                           \
        pli_status report_status_ = (call);                                                        \
        if (report_status_ != PLI_OK) return report(b, report_status_, error);                     \
    } while (0)

static pli_status add_energy(pli_builder* b, pli_world* world, pli_body_id id,
                             const pli_tagged* energy, pli_error* error) {
    const pli_energy_type* type = pli_catalog_energy(b->catalog, energy->variant);
    const double* values = energy->data;
    pli_setting* settings;
    PLI_TRY(PLI_TAKE(b->arena, settings, type->param_count, error));
    for (int i = 0; i < type->param_count; ++i)
        settings[i] = (pli_setting){type->params[i].name, values[i]};
    REPORT(pli_world_add_energy(world, id, type->name, settings, type->param_count, error));
    return PLI_OK;
}

// Key points, files, formulas or rigid motion; or velocity and travel, as they are in the def.
static pli_status set_motion(pli_builder* b, const pli_shape_of_body* shape, int i,
                             pli_prescribe_def* def, pli_error* error) {
    const pli_prescribe_data* data = &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_legend_data* keys = data->keys.items;
    double *times, *offsets;
    if (data->sequence) {
        def->key_count = shape->sequences[i].count;
        def->times = shape->sequences[i].times;
        def->offsets = shape->sequences[i].offsets;
        def->per_vertex = true;
        return PLI_OK;
    }
    if (data->offset.given)
        return pli_formula_field(b->kept, &data->offset, shape->shift, &def->field, &def->context,
                                 error);
    if (pli_is_rigid(data)) {
        pli_rigid_motion motion = pli_rigid_motion_of(shape, data, &shape->prescribe[i]);
        return pli_rigid_field(b->kept, &motion, &def->field, &def->context, error);
    }
    if (data->keys.count == 0) return PLI_OK;
    PLI_TRY(PLI_TAKE(b->arena, times, data->keys.count, error));
    PLI_TRY(PLI_TAKE(b->arena, offsets, 3 * data->keys.count, error));
    for (int k = 0; k < data->keys.count; ++k) {
        times[k] = keys[k].time;
        for (int c = 0; c < 3; ++c) offsets[3 * k + c] = keys[k].offset[c];
    }
    def->key_count = data->keys.count;
    def->times = times;
    def->offsets = offsets;
    return PLI_OK;
}

static pli_status add_load(pli_builder* b, pli_world* world, pli_body_id id,
                           const pli_shape_of_body* shape, int i, pli_error* error) {
    const pli_tagged* load = &((const pli_tagged*)shape->data->loads.items)[i];
    const pli_load_data* data = load->data;
    pli_load_def def = pli_default_load_def();
    def.kind = pli_load_word(load->variant);
    def.vertices = shape->loads[i].vertices;
    def.vertex_count = shape->loads[i].count;
    PLI_TRY(
        pli_formula_field(b->kept, &data->value, shape->shift, &def.field, &def.context, error));
    REPORT(pli_world_add_load(world, id, &def, error));
    return PLI_OK;
}

static pli_status add_supports(pli_builder* b, pli_world* world, pli_body_id id,
                               const pli_shape_of_body* shape, pli_error* error) {
    const pli_fix_data* fix = shape->data->fix.items;
    const pli_prescribe_data* prescribe = shape->data->prescribe.items;
    for (int i = 0; i < shape->data->fix.count; ++i) {
        pli_fix_def def = pli_default_fix_def();
        def.vertices = shape->fix[i].vertices;
        def.vertex_count = shape->fix[i].count;
        for (int c = 0; c < 3; ++c) {
            def.axes[c] = fix[i].axes[c];
            def.normal[c] = fix[i].normal[c];
        }
        REPORT(pli_world_fix(world, id, &def, error));
    }
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_prescribe_def def = prescribe[i].def;
        def.vertices = shape->prescribe[i].vertices;
        def.vertex_count = shape->prescribe[i].count;
        for (int c = 0; c < b->scene->world.dimension; ++c)
            def.free[c] = !shape->obstacle && !prescribe[i].axes[c];
        PLI_TRY(set_motion(b, shape, i, &def, error));
        REPORT(pli_world_prescribe(world, id, &def, error));
    }
    for (int i = 0; i < shape->data->loads.count; ++i)
        PLI_TRY(add_load(b, world, id, shape, i, error));
    return PLI_OK;
}

static pli_status add_body(pli_builder* b, pli_world* world, int body, pli_body_id* id,
                           pli_error* error) {
    const pli_shape_of_body* shape = &b->bodies[body];
    pli_body_def def = shape->data->def;
    def.name = shape->name;
    def.mesh = &shape->mesh;
    def.initial = shape->initial;
    def.velocities = shape->velocities;
    REPORT(pli_world_add_body(world, &def, id, error));
    const pli_tagged* energies = shape->data->energies.items;
    for (int i = 0; i < shape->data->energies.count; ++i)
        PLI_TRY(add_energy(b, world, *id, &energies[i], error));
    return add_supports(b, world, *id, shape, error);
}

// ---- the world

static pli_status add_obstacles(pli_builder* b, pli_world* world, const pli_body_id* ids,
                                pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    pli_obstacle_bodies bodies = {b->body_count, b->names};
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        const pli_half_space_kind* kind = pli_obstacle_kind_at(obstacles[i].variant)->half_space;
        if (!kind) continue; // it is among the bodies
        int carrier = kind->carrier(obstacles[i].data, &bodies);
        REPORT(kind->add(obstacles[i].data, carrier >= 0 ? &ids[carrier] : NULL, world, error));
    }
    return PLI_OK;
}

// Friction against obstacles that are bodies, where they say so.
static pli_status add_friction(pli_builder* b, pli_world* world, pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    for (int i = 0; i < b->body_count; ++i) {
        const pli_shape_of_body* shape = &b->bodies[i];
        pli_contact_rule_def rule;
        bool given = shape->obstacle && shape->copy == 0 &&
                     pli_obstacle_rule(&obstacles[shape->body], shape->data, &rule);
        if (given) REPORT(pli_world_add_contact_rule(world, &rule, error));
    }
    return PLI_OK;
}

static pli_status fill_world(pli_builder* b, pli_world* world, pli_error* error) {
    pli_body_id* ids;
    PLI_TRY(PLI_TAKE(b->arena, ids, b->body_count, error));
    for (int i = 0; i < b->body_count; ++i) PLI_TRY(add_body(b, world, i, &ids[i], error));
    if (b->findings->error_count > 0) return PLI_OK;
    PLI_TRY(add_obstacles(b, world, ids, error));
    PLI_TRY(add_friction(b, world, error));
    return pli_add_rules(b, world, error);
}

pli_status pli_world_from_scene(pli_builder* b, const pli_world_def* def, pli_world** world,
                                pli_error* error) {
    pli_world* fresh = NULL;
    *world = NULL;
    pli_status status = pli_world_create(def, &fresh, error);
    if (status != PLI_OK) return report(b, status, error);
    status = fill_world(b, fresh, error);
    if (status != PLI_OK || b->findings->error_count > 0) {
        pli_world_destroy(fresh);
        return status;
    }
    *world = fresh;
    return PLI_OK;
}

pli_status pli_prepare_world(pli_builder* b, pli_world* world, pli_error* error) {
    return report(b, pli_world_prepare(world, error), error);
}

pli_status pli_check_world_def(pli_builder* b, const pli_world_def* def, pli_error* error) {
    return report(b, pli_world_def_check(def, error), error);
}
