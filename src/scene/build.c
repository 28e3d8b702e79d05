// Adds everything to a world, in the order of the scene.
#define _POSIX_C_SOURCE 200809L // sysconf
#include "scene/build.h"

#include "base/text.h"
#include "math/elementary.h"
#include "pliant/change.h"
#include "pliant/survey.h"
#include "scene/contact_rules.h"
#include "scene/joints.h"
#include "scene/motion.h"
#include "scene/obstacle_kinds.h"
#include "scene/stencils.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// ---- memory

// Bytes of a prepared world of n vertices and their elements: about 8 MB of libraries, 170 numbers
// per vertex, the assembled matrix (7 blocks per vertex), local matrices. Accurate to 5 % for bars
// of tetrahedra. Obstacles have no matrix, but tables of contact: about 2.5 kB per vertex. The
// memory of the linear solver is known later: pli_world_predict_memory.
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
        pli_mesh_size size = pli_mesh_expected_size(&bodies[i].mesh);
        double copies = pli_copy_count(&bodies[i]);
        sum.vertices += copies * size.vertices;
        for (int k = 0; k < PLI_ELEMENT_KIND_COUNT; ++k)
            sum.elements[k] += copies * size.elements[k];
    }
    for (int i = 0; i < b->scene->obstacles.count; ++i)
        sum.held += pli_obstacle_vertices(b->scene, i);
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
    return PLI_FIND(
        b->findings, PLI_KEY(NULL, "bodies"), error,
        "%.3g vertices need about %s before the first step, but %s %s: use fewer segments",
        sum.vertices + sum.held, pli_bytes_text(bytes, need, sizeof need),
        limited ? "the limit is" : "this machine has", pli_bytes_text(most, have, sizeof have));
}

// ---- errors of the world, as findings

// A path and the nodes above it.
typedef struct fault {
    pli_path nodes[5];
} fault;

// The key of the error at the i-th node; that node itself if the error names no key.
static const pli_path* with_key(fault* f, int i, const pli_error* e) {
    f->nodes[i + 1] = pli_path_key(&f->nodes[i], e->key);
    return &f->nodes[e->key[0] ? i + 1 : i];
}

static const pli_path* body_fault(const pli_builder* b, const pli_error* e, fault* f) {
    if (e->index >= b->world_count) return NULL;
    f->nodes[1] = pli_body_path(b, e->index, &f->nodes[0]);
    return with_key(f, 1, e);
}

// The energy, support or load of this number, counted body after body.
static const pli_path* entry_fault(const pli_builder* b, const pli_error* e, fault* f) {
    pli_path* at = &f->nodes[1];
    int i = e->index;
    for (int body = 0; body < b->world_count; ++body) {
        const pli_shape* shape = &b->bodies[body];
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
        if (i < count)
            return energy ? with_key(f, 3, e) : &f->nodes[3]; // others refer to other keys
        i -= count;
    }
    if (e->object != PLI_OBJECT_ENERGY || i >= b->scene->stencils.count) return NULL;
    f->nodes[0] = pli_path_key(NULL, "stencils"); // they come after the energies of all bodies
    f->nodes[1] = pli_path_index(&f->nodes[0], i);
    return with_key(f, 1, e);
}

static const pli_path* half_space_fault(const pli_builder* b, const pli_error* e, fault* f) {
    f->nodes[0] = pli_path_key(NULL, "obstacles");
    for (int i = 0, number = 0; i < b->scene->obstacles.count; ++i) {
        if (!pli_half_space_at(b->scene, i) || number++ < e->index) continue;
        f->nodes[1] = pli_path_index(&f->nodes[0], i);
        return with_key(f, 1, e);
    }
    return NULL;
}

static const pli_path* world_fault(const pli_builder* b, const pli_error* e, fault* f) {
    (void)b;
    f->nodes[0] = pli_path_key(NULL, e->key);
    return e->key[0] ? &f->nodes[0] : NULL;
}

static const pli_path* rule_fault(const pli_builder* b, const pli_error* e, fault* f) {
    (void)b, (void)e;
    f->nodes[0] = pli_path_key(NULL, "contact");
    return &f->nodes[0];
}

static const pli_path* joint_fault(const pli_builder* b, const pli_error* e, fault* f) {
    if (e->index < 0 || e->index >= b->scene->joints.count) return NULL;
    f->nodes[0] = pli_path_key(NULL, "joints");
    f->nodes[1] = pli_path_index(&f->nodes[0], e->index);
    return with_key(f, 1, e);
}

// Where in the scene an object of the world comes from: the key of its section, or a function.
static const struct origin {
    const char* section;
    const pli_path* (*find)(const pli_builder*, const pli_error*, fault*);
} origins[] = {
    [PLI_OBJECT_WORLD] = {NULL, world_fault},  [PLI_OBJECT_TIME] = {"time", NULL},
    [PLI_OBJECT_SOLVER] = {"solver", NULL},    [PLI_OBJECT_CONTACT] = {"contact", NULL},
    [PLI_OBJECT_RULE] = {NULL, rule_fault},    [PLI_OBJECT_BODY] = {NULL, body_fault},
    [PLI_OBJECT_ENERGY] = {NULL, entry_fault}, [PLI_OBJECT_SUPPORT] = {NULL, entry_fault},
    [PLI_OBJECT_LOAD] = {NULL, entry_fault},   [PLI_OBJECT_HALF_SPACE] = {NULL, half_space_fault},
    [PLI_OBJECT_JOINT] = {NULL, joint_fault},
};

// The place in the scene that an error of a world is about; NULL: none.
static const pli_path* find_fault(const pli_builder* b, const pli_error* e, fault* f) {
    const struct origin* origin = &origins[e->object];
    if (!origin->section) return origin->find ? origin->find(b, e, f) : NULL;
    f->nodes[0] = pli_path_key(NULL, origin->section);
    return with_key(f, 0, e);
}

// An error of the world becomes a finding; running out of memory stays an error.
static pli_status report(pli_builder* b, pli_status status, pli_error* error) {
    fault f;
    if (status == PLI_OK || b->running) return status;
    return pli_finding_from(b->findings, find_fault(b, error, &f), status, error);
}

// ---- bodies

// Calls the world; returns with a finding if it fails.
#define REPORT(call)                                                                               \
    do {                                                                                           \
        pli_status report_status_ = (call);                                                        \
        if (report_status_ != PLI_OK) return report(b, report_status_, error);                     \
    } while (0)

static pli_status add_energy(pli_builder* b, pli_world* world, pli_body_id id,
                             const pli_tagged* energy, pli_energy_id* out, pli_error* error) {
    const pli_energy_type* type = pli_catalog_energy(b->catalog, energy->variant);
    const double* values = energy->data;
    pli_setting* settings;
    PLI_TRY(PLI_TAKE(b->arena, settings, type->param_count, error));
    for (int i = 0; i < type->param_count; ++i)
        settings[i] = (pli_setting){type->params[i].name, values[i]};
    REPORT(pli_world_add_energy(world, id, type->name, settings, type->param_count, out, error));
    const pli_formulas* input = (const void*)(values + type->param_count);
    if (!type->input || !input->given) return PLI_OK;
    pli_field_fn* field;
    void* context;
    PLI_TRY(pli_formula_field(b->kept, input, (double[3]){0}, &field, &context, error));
    REPORT(pli_world_set_energy_field(world, *out, field, context, error));
    return PLI_OK;
}

// Keyframes, files, expressions or rigid motion; or velocity and travel, which the def has.
static pli_status set_motion(pli_builder* b, const pli_shape* shape, int i, pli_prescribe_def* def,
                             pli_error* error) {
    const pli_prescribe_data* data = &((const pli_prescribe_data*)shape->data->prescribe.items)[i];
    const pli_keyframe_data* keys = data->keys.items;
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

static pli_status add_load(pli_builder* b, pli_world* world, int body, int i, pli_error* error) {
    const pli_shape* shape = &b->bodies[body];
    const pli_tagged* load = &((const pli_tagged*)shape->data->loads.items)[i];
    const pli_load_data* data = load->data;
    pli_load_def def = pli_default_load_def();
    def.kind = pli_load_word(load->variant);
    def.vertices = shape->loads[i].vertices;
    def.vertex_count = shape->loads[i].count;
    PLI_TRY(
        pli_formula_field(b->kept, &data->value, shape->shift, &def.field, &def.context, error));
    b->added.load_fields[b->added.first_load[body] + i] = def.context;
    REPORT(pli_world_add_load(world, b->added.bodies[body], &def, NULL, error));
    return PLI_OK;
}

static pli_status add_supports(pli_builder* b, pli_world* world, int body, pli_error* error) {
    const pli_shape* shape = &b->bodies[body];
    pli_body_id id = b->added.bodies[body];
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
        def.clamped = fix[i].clamped;
        def.no_contact = fix[i].no_contact;
        REPORT(pli_world_fix(world, id, &def, NULL, error));
    }
    for (int i = 0; i < shape->data->prescribe.count; ++i) {
        pli_prescribe_def def = prescribe[i].def;
        def.vertices = shape->prescribe[i].vertices;
        def.vertex_count = shape->prescribe[i].count;
        for (int c = 0; c < b->scene->world.dimension; ++c)
            def.free[c] = !shape->obstacle && !prescribe[i].axes[c];
        def.clamped = prescribe[i].clamped;
        def.no_contact = prescribe[i].no_contact;
        PLI_TRY(set_motion(b, shape, i, &def, error));
        REPORT(pli_world_prescribe(world, id, &def, NULL, error));
    }
    for (int i = 0; i < shape->data->loads.count; ++i) PLI_TRY(add_load(b, world, body, i, error));
    return PLI_OK;
}

// Once per body of the file: rigid bodies do not evaluate internal energies.
static pli_status tell_idle(pli_builder* b, int body, pli_error* error) {
    const pli_shape* shape = &b->bodies[body];
    const pli_tagged* energies = shape->data->energies.items;
    if (b->running || shape->copy > 0 || strcmp(shape->data->def.kinematics, "rigid") != 0)
        return PLI_OK;
    for (int i = 0; i < shape->data->energies.count; ++i) {
        const pli_energy_type* type = pli_catalog_energy(b->catalog, energies[i].variant);
        pli_path list, at = pli_body_path(b, body, &list), key;
        if (!type->internal || type->state_size > 0) continue;
        key = pli_path_key(&at, "energies");
        return PLI_TELL(b->findings, &key, error,
                        "\"%s\" has no effect on a rigid body and is not evaluated", type->name);
    }
    return PLI_OK;
}

static pli_status add_body(pli_builder* b, pli_world* world, int body, pli_error* error) {
    pli_body_id* id = &b->added.bodies[body];
    const pli_shape* shape = &b->bodies[body];
    pli_body_def def = shape->data->def;
    def.name = shape->name;
    def.mesh = &shape->mesh;
    def.initial = shape->initial;
    def.pattern = shape->pattern;
    def.velocities = shape->velocities;
    pli_place_inertia(shape, &def);
    REPORT(pli_world_add_body(world, &def, id, error));
    const pli_tagged* energies = shape->data->energies.items;
    for (int i = 0; i < shape->data->energies.count; ++i)
        PLI_TRY(add_energy(b, world, *id, &energies[i],
                           &b->added.energies[b->added.first_energy[body] + i], error));
    PLI_TRY(tell_idle(b, body, error));
    return add_supports(b, world, body, error);
}

pli_status pli_add_late_body(pli_builder* b, pli_world* world, int body, pli_error* error) {
    b->running = true;
    return add_body(b, world, body, error);
}

// ---- the world

// Adds half-spaces without errors whose carrier is sound. ids: per body.
static pli_status add_half_spaces(pli_builder* b, pli_world* world, const pli_body_id* ids,
                                  pli_error* error) {
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        const pli_half_space_data* half_space = pli_half_space_at(b->scene, i);
        if (!half_space ||
            pli_findings_error_below(b->findings, PLI_INDEX(PLI_KEY(NULL, "obstacles"), i)))
            continue;
        int carrier = pli_half_space_carrier(half_space, b);
        if (carrier >= 0 && !b->bodies[carrier].sound) continue;
        pli_half_space_def def = half_space->def;
        if (carrier >= 0) def.carrier = ids[carrier];
        PLI_TRY(pli_world_add_half_space(world, &def, NULL, error));
    }
    return PLI_OK;
}

// Friction of obstacles that are bodies, if they have their own.
static pli_status add_friction(pli_builder* b, pli_world* world, pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    for (int i = 0; i < b->body_count; ++i) {
        const pli_shape* shape = &b->bodies[i];
        pli_contact_rule_def rule;
        bool given = shape->obstacle && shape->copy == 0 &&
                     pli_obstacle_rule(&obstacles[shape->body], shape->data, &rule);
        if (given) REPORT(pli_world_add_contact_rule(world, &rule, NULL, error));
    }
    return PLI_OK;
}

// Room for what the world gets.
static pli_status count_parts(pli_builder* b, pli_error* error) {
    pli_added* added = &b->added;
    int count = b->body_count;
    PLI_TRY(PLI_TAKE(b->kept, added->bodies, count, error));
    PLI_TRY(PLI_TAKE(b->kept, added->hashes, count, error));
    PLI_TRY(PLI_TAKE(b->kept, added->first_energy, count + 1, error));
    PLI_TRY(PLI_TAKE(b->kept, added->first_load, count + 1, error));
    for (int i = 0; i < count; ++i) {
        const pli_body_data* d = b->bodies[i].data;
        added->first_energy[i + 1] = added->first_energy[i] + d->energies.count;
        added->first_load[i + 1] = added->first_load[i] + d->loads.count;
    }
    PLI_TRY(PLI_TAKE(b->kept, added->energies,
                     added->first_energy[count] + b->scene->stencils.count, error));
    PLI_TRY(PLI_TAKE(b->kept, added->load_fields, added->first_load[count], error));
    PLI_TRY(PLI_TAKE(b->kept, added->joints, b->scene->joints.count, error));
    return PLI_TAKE(b->kept, added->half_spaces, b->scene->obstacles.count, error);
}

// Bodies that appear later are added with all others, so that whatever is wrong with them is found
// at the start, and then removed.
static pli_status remove_late(pli_builder* b, pli_world* world, pli_error* error) {
    for (int i = b->body_count; i-- > b->start_count;)
        PLI_TRY(pli_world_remove_body(world, b->added.bodies[i], error));
    b->world_count = b->start_count;
    return PLI_OK;
}

static pli_status fill_world(pli_builder* b, pli_world* world, pli_error* error) {
    PLI_TRY(count_parts(b, error));
    const pli_added* added = &b->added;
    b->world_count = b->body_count;
    for (int i = 0; i < b->body_count; ++i) PLI_TRY(add_body(b, world, i, error));
    if (b->findings->error_count > 0) return PLI_OK;
    REPORT(pli_stencils_add(b, world, added->bodies, error));
    REPORT(pli_joints_add(b, world, added->bodies, error));
    REPORT(add_half_spaces(b, world, added->bodies, error));
    for (int i = 0; i < b->body_count; ++i) added->hashes[i] = pli_world_body_hash(world, i);
    for (int i = 0; i < b->scene->stencils.count; ++i) {
        int number = added->first_energy[b->body_count] + i;
        added->energies[number] = pli_world_energy_id(world, number);
    }
    for (int i = 0; i < pli_world_half_space_count(world); ++i)
        added->half_spaces[i] = pli_world_half_space_id(world, i);
    PLI_TRY(add_friction(b, world, error));
    PLI_TRY(pli_add_rules(b, world, error));
    return b->findings->error_count > 0 ? PLI_OK : remove_late(b, world, error);
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

// ---- the scene at t = 0

// Whether the selected vertices depend on the position of the body.
static bool selects_by_place(const pli_selection* s) {
    return s->box.count > 0 || s->sphere || s->plane || s->where.count > 0;
}

static bool is_of_place(const pli_formulas* f) {
    return (f->part[0].uses | f->part[1].uses | f->part[2].uses) & PLI_OF_PLACE;
}

static bool is_held(const pli_body_data* data) {
    const pli_tagged* loads = data->loads.items;
    bool held = data->def.obstacle || data->fix.count > 0 || data->prescribe.count > 0 ||
                data->initial.given || is_of_place(&data->velocity);
    for (int i = 0; i < data->loads.count; ++i) {
        const pli_load_data* load = loads[i].variant >= 0 ? loads[i].data : NULL;
        held |= load && (selects_by_place(&load->selection) || is_of_place(&load->value));
    }
    return held;
}

// Supports of a part without contact.
static pli_status add_plain_supports(pli_world* world, pli_body_id id, const pli_shape* shape,
                                     pli_error* error) {
    const pli_fix_data* fix = shape->data->fix.items;
    const pli_prescribe_data* prescribe = shape->data->prescribe.items;
    int fixed = shape->data->fix.count;
    for (int i = 0; i < fixed + shape->data->prescribe.count; ++i) {
        const pli_chosen* chosen = i < fixed ? &shape->fix[i] : &shape->prescribe[i - fixed];
        pli_fix_def def = pli_default_fix_def();
        def.no_contact = i < fixed ? fix[i].no_contact : prescribe[i - fixed].no_contact;
        def.vertices = chosen->vertices;
        def.vertex_count = chosen->count;
        if (def.no_contact && chosen->count > 0)
            PLI_TRY(pli_world_fix(world, id, &def, NULL, error));
    }
    return PLI_OK;
}

// Only what contact needs: other keys may have errors.
static pli_status add_plain_body(pli_initial* initial, const pli_shape* shape, pli_body_id* id,
                                 pli_error* error) {
    const pli_body_def* given = &shape->data->def;
    pli_body_def def = pli_default_body_def();
    def.name = shape->name;
    def.mesh = &shape->mesh;
    def.initial = shape->initial;
    def.vertex_mass = 1; // any value
    def.contact_bodies = given->contact_bodies;
    def.contact_self = given->contact_self;
    def.contact_thickness = given->contact_thickness;
    def.contact_vertices = given->contact_vertices;
    def.tags = given->tags;
    def.tag_count = given->tag_count;
    def.obstacle = given->obstacle;
    PLI_TRY(pli_world_add_body(initial->world, &def, id, error));
    return add_plain_supports(initial->world, *id, shape, error);
}

static void note_body(pli_initial* initial, const pli_builder* b, int i) {
    const pli_shape* shape = &b->bodies[i];
    initial->bodies[initial->body_count++] = (pli_initial_body){
        .shape = i,
        .body = shape->obstacle ? b->scene->bodies.count + i : shape->body,
        .passes = strcmp(shape->data->def.contact_vertices, "none") == 0,
        .held = is_held(shape->data) || pli_stencils_connect(b, i) || pli_joints_connect(b, i)};
}

// ids: per body of the builder.
static pli_status add_sound_bodies(pli_initial* initial, pli_builder* b, pli_body_id* ids,
                                   pli_error* error) {
    for (int i = 0; i < b->start_count; ++i) {
        const pli_shape* shape = &b->bodies[i];
        pli_path list, at = pli_body_path(b, i, &list);
        bool misplaced =
            shape->copy > 0 && pli_findings_error_below(b->findings, PLI_KEY(&at, "repeat"));
        if (!shape->sound || misplaced) continue;
        PLI_TRY(add_plain_body(initial, shape, &ids[i], error));
        note_body(initial, b, i);
    }
    return PLI_OK;
}

static pli_status find_crossings(pli_initial* initial, pli_error* error) {
    pli_world* world = initial->world;
    PLI_TRY(pli_survey_crossings(world, NULL, 0, NULL, &initial->crossing_count, error));
    if (initial->crossing_count == 0) return PLI_OK;
    int kept = pli_min_int(initial->crossing_count, PLI_CROSSINGS_KEPT), count;
    PLI_TRY(PLI_ALLOC(initial->memory, initial->crossings, kept, error));
    initial->kept_count = kept;
    return pli_survey_crossings(world, NULL, kept, initial->crossings, &count, error);
}

// The world of a scene with errors: its sound bodies and contact, nothing else.
static pli_status fill_for_survey(pli_initial* initial, pli_builder* b, const pli_world_def* def,
                                  pli_error* error) {
    pli_world_def plain = pli_default_world_def();
    plain.dimension = def->dimension;
    plain.contact = def->contact;
    plain.contact.friction = plain.contact.friction_static = 0;
    plain.thread_count = def->thread_count;
    plain.allocator = def->allocator;
    PLI_TRY(pli_world_create(&plain, &initial->world, error));
    pli_body_id* ids;
    PLI_TRY(PLI_TAKE(b->arena, ids, b->body_count, error));
    PLI_TRY(add_sound_bodies(initial, b, ids, error));
    PLI_TRY(add_half_spaces(b, initial->world, ids, error));
    PLI_TRY(pli_add_rules(b, initial->world, error));
    return find_crossings(initial, error);
}

// The world of the scene, if there are no errors.
static pli_status fill_whole(pli_initial* initial, pli_builder* b, const pli_world_def* def,
                             pli_error* error) {
    if (b->findings->error_count > 0) return PLI_OK;
    PLI_TRY(pli_world_from_scene(b, def, &initial->world, error));
    initial->whole = initial->world != NULL;
    for (int i = 0; i < b->start_count && initial->whole; ++i) note_body(initial, b, i);
    return initial->whole ? find_crossings(initial, error) : PLI_OK;
}

pli_status pli_initial_create(pli_builder* b, const pli_world_def* def, pli_initial* initial,
                              pli_error* error) {
    *initial = (pli_initial){.memory = b->memory};
    pli_error refusal = {0};
    PLI_TRY(PLI_ALLOC(b->memory, initial->bodies, b->body_count, error));
    initial->room = b->body_count;
    pli_status status = fill_whole(initial, b, def, &refusal);
    if (status == PLI_OK && !initial->whole) status = fill_for_survey(initial, b, def, &refusal);
    if (status != PLI_OK) pli_initial_free(initial);
    return status == PLI_E_MEMORY ? pli_fail(error, status, "%s", refusal.message) : PLI_OK;
}

pli_world* pli_initial_take_world(pli_initial* initial) {
    pli_world* world = initial->world;
    initial->world = NULL;
    pli_initial_free(initial);
    return world;
}

void pli_initial_free(pli_initial* initial) {
    pli_world_destroy(initial->world);
    if (initial->memory) {
        PLI_FREE(initial->memory, initial->bodies, initial->room);
        PLI_FREE(initial->memory, initial->crossings, initial->kept_count);
    }
    *initial = (pli_initial){0};
}
