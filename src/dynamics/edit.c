// pliant/change.h: another mesh for a body, and copies of a world.
//
// A mesh is replaced in four steps: the state is carried over, the model gets the new mesh, places
// and velocities of its vertices come from those before by sparse weights, and everything is
// prepared again. The world as it was is kept as bytes, so that a mesh that is not allowed changes
// nothing.
#include "pliant/change.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// ---- checks

// A vertex that comes from none.
static pli_status check_new(const pli_transfer* t, int v, pli_error* error) {
    for (int c = 3 * v; c < 3 * v + 3; ++c)
        if ((t->positions && !isfinite(t->positions[c])) ||
            (t->velocities && !isfinite(t->velocities[c])))
            return pli_fail(error, PLI_E_ARGUMENT, "transfer: vertex %d is not finite", v);
    return PLI_OK;
}

static pli_status check_transfer(const pli_transfer* t, int old_count, int new_count,
                                 pli_error* error) {
    if (!t && old_count == new_count) return PLI_OK;
    if (!t || !t->start || !t->from || !t->weight)
        return pli_fail(error, PLI_E_ARGUMENT,
                        !t ? "the mesh has %d vertices instead of %d: transfer must say where they "
                             "come from"
                           : "transfer: start, from or weight is NULL",
                        new_count, old_count);
    for (int v = 0; v < new_count; ++v) {
        double sum = 0;
        if (t->start[0] != 0 || t->start[v + 1] < t->start[v])
            return pli_fail(error, PLI_E_ARGUMENT,
                            "transfer: start[%d] = %d, must be at least start[%d] = %d, and "
                            "start[0] = 0",
                            v + 1, t->start[v + 1], v, t->start[v]);
        if (t->start[v + 1] == t->start[v]) {
            PLI_TRY(check_new(t, v, error));
            continue;
        }
        for (int i = t->start[v]; i < t->start[v + 1]; ++i) {
            if (t->from[i] < 0 || t->from[i] >= old_count || !isfinite(t->weight[i]))
                return pli_fail(error, PLI_E_ARGUMENT,
                                "transfer: vertex %d comes from %d with weight %g, must be 0 to %d "
                                "and finite",
                                v, t->from[i], t->weight[i], old_count - 1);
            sum += t->weight[i];
        }
        if (!(fabs(sum - 1) <= 1e-9))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "transfer: the weights of vertex %d sum up to %g, must be 1", v, sum);
    }
    return PLI_OK;
}

static pli_status check_elements(const pli_model* model, int body, const pli_mesh* mesh,
                                 const pli_transfer* t, pli_error* error) {
    for (int k = PLI_SEGMENT; t && k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int count = pli_body_element_count(model, body, (pli_element_kind)k);
        for (int i = 0; t->element_from[k] && i < mesh->element_count[k]; ++i)
            if (t->element_from[k][i] < -1 || t->element_from[k][i] >= count)
                return pli_fail(
                    error, PLI_E_ARGUMENT, "transfer: %s %d comes from %d, must be -1 to %d",
                    pli_element_word((pli_element_kind)k), i, t->element_from[k][i], count - 1);
    }
    return PLI_OK;
}

static pli_status check_edit(const pli_world* w, int body, const pli_mesh* mesh,
                             const pli_transfer* t, pli_error* error) {
    const pli_model* model = &w->model;
    int count = pli_body_end_vertex(model, body) - model->bodies[body].first_vertex;
    PLI_TRY(pli_check_mesh(mesh, error));
    if (pli_body_is_cage(model, body) || pli_body_is_embedded(&model->bodies[body].def) ||
        model->bodies[body].modes || model->bodies[body].pattern)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the mesh of a body with modes or a pattern, of an embedded body or of its "
                        "cage cannot be replaced");
    if (pli_body_has_joint(model, body))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "body \"%s\" has joints, which do not follow to another mesh: remove them, "
                        "and add them again",
                        model->bodies[body].name);
    PLI_TRY(check_transfer(t, count, mesh->vertex_count, error));
    return check_elements(model, body, mesh, t, error);
}

// ---- columns

// y = P x, 3 per vertex.
static void spread(const pli_transfer* t, int count, const double* x, double* y) {
    for (int v = 0; v < count; ++v) {
        double sum[3] = {0};
        if (!t) memcpy(sum, x + 3 * (size_t)v, sizeof sum);
        // A vertex that stays is copied, to the last bit.
        bool same = t && t->start[v + 1] - t->start[v] == 1 && t->weight[t->start[v]] == 1;
        if (same) memcpy(sum, x + 3 * (size_t)t->from[t->start[v]], sizeof sum);
        for (int i = t && !same ? t->start[v] : 0; t && !same && i < t->start[v + 1]; ++i)
            pli_axpy(t->weight[i], x + 3 * (size_t)t->from[i], sum, 3);
        memcpy(y + 3 * (size_t)v, sum, sizeof sum);
    }
}

// The one vertex that a new one was before, or -1.
static int32_t parent_of(const pli_transfer* t, int v) {
    if (!t) return v;
    return t->start[v + 1] - t->start[v] == 1 ? t->from[t->start[v]] : -1;
}

// ---- selections

// Whether all sources of a new vertex are marked.
static bool all_marked(const pli_transfer* t, int v, const bool* marked) {
    if (!t) return marked[v];
    if (t->start[v] == t->start[v + 1]) return false;
    for (int i = t->start[v]; i < t->start[v + 1]; ++i)
        if (!marked[t->from[i]]) return false;
    return true;
}

// The new vertices (numbers within the body) all of whose sources are in a list of world numbers.
static pli_status select_new(pli_world* w, const pli_transfer* t, int first, int old_count,
                             int new_count, const int32_t* vertices, int count, int32_t** out,
                             int* out_count, pli_error* error) {
    bool* marked = NULL;
    *out = NULL;
    *out_count = 0;
    PLI_TRY(PLI_ALLOC(&w->memory, marked, old_count, error));
    for (int i = 0; i < count; ++i) marked[vertices[i] - first] = true;
    pli_status status = PLI_ALLOC(&w->memory, *out, new_count, error);
    for (int v = 0; v < new_count && status == PLI_OK; ++v)
        if (all_marked(t, v, marked)) (*out)[(*out_count)++] = v;
    PLI_FREE(&w->memory, marked, old_count);
    return status;
}

// What the selections of a body become, before its mesh is replaced; in the order of supports, then
// of loads.
typedef struct selections {
    int count, vertex_room; // vertex_room: of each list
    int32_t** lists;
    int* counts;
} selections;

static void free_selections(pli_world* w, selections* s) {
    for (int i = 0; s->lists && i < s->count; ++i)
        if (s->lists[i]) PLI_FREE(&w->memory, s->lists[i], s->vertex_room);
    PLI_FREE(&w->memory, s->lists, s->lists ? s->count : 0);
    PLI_FREE(&w->memory, s->counts, s->counts ? s->count : 0);
}

// One edit at work.
typedef struct edit {
    pli_world* world;
    int body, first, old_count, new_count;
    const pli_mesh* mesh;
    const pli_transfer* transfer;
    selections chosen;
    int32_t *parent, *child; // per new, per old vertex
    double* mass;            // per new vertex [kg]
    bool closed;             // the new mesh: see pli_body
    pli_error* error;
} edit;

static pli_status choose(edit* e, int i, const int32_t* vertices, int count, const char* what) {
    selections* s = &e->chosen;
    PLI_TRY(select_new(e->world, e->transfer, e->first, e->old_count, e->new_count, vertices, count,
                       &s->lists[i], &s->counts[i], e->error));
    if (s->counts[i] > 0 || count == 0) return PLI_OK;
    return pli_fail(e->error, PLI_E_ARGUMENT,
                    "%s of the body would hold no vertex of the new mesh: remove it before", what);
}

static pli_status choose_all(edit* e) {
    pli_world* w = e->world;
    const pli_model* model = &w->model;
    selections* s = &e->chosen;
    s->vertex_room = e->new_count;
    s->count = model->support_set_count + model->load_count;
    PLI_TRY(PLI_ALLOC(&w->memory, s->lists, s->count, e->error));
    PLI_TRY(PLI_ALLOC(&w->memory, s->counts, s->count, e->error));
    for (int i = 0; i < model->support_set_count; ++i) {
        const pli_support_set* set = &model->support_sets[i];
        if (set->body == e->body)
            PLI_TRY(choose(e, i, set->vertices, set->vertex_count, "a support"));
    }
    for (int i = 0; i < model->load_count; ++i) {
        const pli_body_load* load = &model->loads[i];
        if (load->body == e->body)
            PLI_TRY(choose(e, model->support_set_count + i, load->vertices, load->vertex_count,
                           "a load"));
    }
    return PLI_OK;
}

static pli_status find_parents(edit* e) {
    pli_memory* m = &e->world->memory;
    PLI_TRY(PLI_ALLOC(m, e->parent, e->new_count, e->error));
    PLI_TRY(PLI_ALLOC(m, e->child, e->old_count, e->error));
    PLI_TRY(PLI_ALLOC(m, e->mass, e->new_count, e->error));
    for (int v = 0; v < e->old_count; ++v) e->child[v] = -1;
    for (int v = 0; v < e->new_count; ++v) {
        e->parent[v] = parent_of(e->transfer, v);
        if (e->parent[v] >= 0) e->child[e->parent[v]] = v;
    }
    const pli_body_def* def = &e->world->model.bodies[e->body].def;
    PLI_TRY(pli_body_find_closed(&e->world->model, def, e->mesh, &e->closed, e->error));
    return pli_body_weigh(&e->world->model, e->body, def, e->mesh, e->closed, e->mass, e->error);
}

// Rows of the body in an array of 3 per vertex, which has room; `total` vertices before.
static pli_status spread_rows(edit* e, double* column, int total) {
    pli_memory* m = &e->world->memory;
    size_t n = 3 * (size_t)e->new_count;
    double *rows, *at = column + 3 * (size_t)e->first;
    PLI_TRY(PLI_ALLOC(m, rows, n, e->error));
    spread(e->transfer, e->new_count, at, rows);
    memmove(at + n, at + 3 * (size_t)e->old_count,
            3 * sizeof *at * (size_t)(total - e->first - e->old_count));
    memcpy(at, rows, n * sizeof *at);
    PLI_FREE(m, rows, n);
    return PLI_OK;
}

// Vertices without sources have moved with their velocity.
static void place_new(edit* e) {
    const pli_transfer* t = e->transfer;
    for (int v = 0; t && v < e->new_count; ++v) {
        static const double rest[3];
        if (t->start[v] < t->start[v + 1]) continue;
        size_t at = 3 * (size_t)v;
        pli_carry_place(e->world, e->first + v,
                        (t->positions ? t->positions : e->mesh->positions) + at,
                        t->velocities ? t->velocities + at : rest);
    }
}

static pli_status spread_columns(edit* e) {
    pli_carry* carry = &e->world->carry;
    PLI_TRY(pli_carry_reserve(e->world, pli_max_int(0, e->new_count - e->old_count), e->error));
    for (int c = 0; c < PLI_CARRY_COLUMNS; ++c)
        if (carry->columns[c]) PLI_TRY(spread_rows(e, carry->columns[c], carry->vertex_count));
    carry->vertex_count += e->new_count - e->old_count;
    place_new(e);
    return PLI_OK;
}

// The vertex that a support held, as a pin: where it is in the old list.
static pli_status replace_pins(edit* e, const pli_support_set* set, const int32_t* old,
                               int old_count) {
    pli_world* w = e->world;
    const pli_transfer* t = e->transfer;
    int entries = 0, first_pin = w->pins.motions[set->motion].first;
    int32_t *place = NULL, *start = NULL, *from = NULL;
    double* weight = NULL;
    pli_status status;
    for (int i = 0; i < set->vertex_count; ++i) {
        int v = set->vertices[i] - e->first;
        entries += t ? t->start[v + 1] - t->start[v] : 1;
    }
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, place, e->old_count, e->error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, start, set->vertex_count + 1, e->error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, from, entries, e->error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, weight, entries, e->error));
    for (int i = 0; i < old_count; ++i) place[old[i] - e->first] = first_pin + i;
    for (int i = 0, at = 0; i < set->vertex_count; ++i) {
        int v = set->vertices[i] - e->first;
        for (int k = t ? t->start[v] : v; k < (t ? t->start[v + 1] : v + 1); ++k, ++at) {
            from[at] = place[t ? t->from[k] : v];
            weight[at] = t ? t->weight[k] : 1;
        }
        start[i + 1] = at;
    }
    pli_pin_sources sources = {.count = set->vertex_count,
                               .vertices = set->vertices,
                               .start = start,
                               .from = from,
                               .weight = weight,
                               .masses = w->model.masses};
    status = pli_pins_replace(&w->pins, set->motion, &sources, e->error);
cleanup:
    if (weight) PLI_FREE(&w->memory, weight, entries);
    if (from) PLI_FREE(&w->memory, from, entries);
    if (start) PLI_FREE(&w->memory, start, set->vertex_count + 1);
    if (place) PLI_FREE(&w->memory, place, e->old_count);
    return status;
}

// Takes the i-th selection as the list of a support or load; *old gets the one before.
static pli_status take_selection(edit* e, int i, int32_t** list, int* count) {
    const selections* s = &e->chosen;
    PLI_FREE(&e->world->memory, *list, *count);
    *count = 0;
    PLI_TRY(PLI_ALLOC(&e->world->memory, *list, s->counts[i], e->error));
    *count = s->counts[i];
    for (int k = 0; k < *count; ++k) (*list)[k] = e->first + s->lists[i][k];
    return PLI_OK;
}

static pli_status replace_support(edit* e, int i) {
    pli_support_set* set = &e->world->model.support_sets[i];
    int32_t* old = set->vertices;
    int old_count = set->vertex_count;
    set->vertices = NULL;
    set->vertex_count = 0;
    pli_status status = take_selection(e, i, &set->vertices, &set->vertex_count);
    if (status == PLI_OK && set->kind == PLI_SUPPORT_PRESCRIBED)
        status = replace_pins(e, set, old, old_count);
    PLI_FREE(&e->world->memory, old, old_count);
    return status;
}

static pli_status replace_all(edit* e) {
    pli_world* w = e->world;
    pli_model* model = &w->model;
    int grown = pli_max_int(0, e->new_count - e->old_count);
    PLI_TRY(pli_model_reserve_vertices(model, grown, e->error));
    PLI_TRY(pli_model_reserve_elements(model, e->mesh, e->error));
    PLI_TRY(spread_columns(e));
    pli_carry_stencils(w, e->first, e->first + e->old_count, e->child);
    pli_model_replace_mesh(model, e->body, e->mesh, e->mass, e->child);
    model->bodies[e->body].closed = e->closed;
    pli_pins_lower(&w->pins, e->first + e->old_count, e->old_count - e->new_count);
    // The newest state is the first column of the history.
    pli_copy(w->carry.columns[0], model->positions, 3 * model->vertex_count);
    pli_copy(w->carry.columns[1], model->velocities, 3 * model->vertex_count);
    for (int i = 0; i < model->support_set_count; ++i)
        if (model->support_sets[i].body == e->body) PLI_TRY(replace_support(e, i));
    for (int i = 0; i < model->load_count; ++i)
        if (model->loads[i].body == e->body) {
            pli_body_load* load = &model->loads[i];
            PLI_TRY(take_selection(e, model->support_set_count + i, &load->vertices,
                                   &load->vertex_count));
            PLI_TRY(pli_model_find_faces(model, load, e->error));
        }
    pli_model_hold_vertices(model);
    w->topology++;
    w->revision++;
    return PLI_OK;
}

// ---- accounting

static void find_totals(const pli_world* w, int body, int at, pli_edit_info* info) {
    const double origin[3] = {0};
    pli_body_summary sum = pli_world_body_summary(w, body, origin);
    info->mass[at] = sum.mass;
    memcpy(info->momentum[at], sum.momentum, sizeof sum.momentum);
    memcpy(info->angular_momentum[at], sum.angular, sizeof sum.angular);
    info->kinetic[at] = w->kinetic;
    info->potential[at] = w->stored;
}

static bool keep_bytes(void* context, const void* bytes, size_t size) {
    pli_pack* pack = context;
    pli_pack_bytes(pack, bytes, size);
    return pack->status == PLI_OK;
}

// The world as bytes.
static pli_status keep_state(pli_world* w, pli_pack* bytes, pli_error* error) {
    pli_pack_init(bytes, &w->memory);
    pli_status status = pli_world_write_state(w, true, keep_bytes, bytes, error);
    return bytes->status != PLI_OK ? pli_pack_end(bytes, error) : status;
}

// The whole edit; what can be refused without touching anything is refused first.
static pli_status make_edit(edit* e) {
    pli_world* w = e->world;
    PLI_TRY(choose_all(e));
    PLI_TRY(find_parents(e));
    PLI_TRY(pli_world_unprepare(w, e->error));
    PLI_TRY(replace_all(e));
    pli_carry_map map = {.body = e->body, .vertex_count = e->new_count, .parent = e->parent};
    for (int k = 0; e->transfer && k < PLI_ELEMENT_KIND_COUNT; ++k)
        map.element_parent[k] = e->transfer->element_from[k];
    w->replaced = &map;
    pli_status status = pli_world_make_ready(w, e->error);
    w->replaced = NULL;
    return status;
}

// The world as it was. If there is no memory for that, half of the edit cannot be taken back.
static void put_back(pli_world* w, const pli_pack* before, const uint64_t epochs[2]) {
    w->lost = pli_world_read_state(w, w, before->bytes, before->size, NULL) != PLI_OK;
    w->revision = epochs[0];
    w->topology = epochs[1];
}

static pli_status edit_body(pli_world* w, pli_body_id id, const pli_mesh* mesh,
                            const pli_transfer* transfer, pli_edit_info* info, pli_error* error) {
    pli_body* body = NULL;
    PLI_TRY(pli_world_make_ready(w, error));
    PLI_TRY(pli_model_find_body(&w->model, id, &body, error));
    edit e = {.world = w,
              .body = (int)(body - w->model.bodies),
              .first = body->first_vertex,
              .mesh = mesh,
              .transfer = transfer,
              .error = error};
    PLI_TRY(check_edit(w, e.body, mesh, transfer, error));
    e.old_count = pli_body_end_vertex(&w->model, e.body) - e.first;
    e.new_count = mesh->vertex_count;
    pli_edit_info totals;
    memset(&totals, 0, sizeof totals);
    find_totals(w, e.body, 0, &totals);
    const uint64_t epochs[2] = {w->revision, w->topology};
    pli_pack before;
    pli_status status = keep_state(w, &before, error);
    if (status == PLI_OK) status = make_edit(&e);
    if (status == PLI_OK) find_totals(w, e.body, 1, &totals);
    if (status == PLI_OK && info) *info = totals;
    if (status != PLI_OK && !w->prepared) put_back(w, &before, epochs);
    pli_pack_free(&before);
    free_selections(w, &e.chosen);
    if (e.parent) PLI_FREE(&w->memory, e.parent, e.new_count);
    if (e.child) PLI_FREE(&w->memory, e.child, e.old_count);
    if (e.mass) PLI_FREE(&w->memory, e.mass, e.new_count);
    return pli_error_place(status, error, PLI_OBJECT_BODY, e.body, NULL);
}

pli_status pli_world_edit(pli_world* world, pli_body_id id, const pli_mesh* mesh,
                          const pli_transfer* transfer, pli_edit_info* info, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, edit_body(world, id, mesh, transfer, info, error));
}

// ---- copies

static pli_status clone(pli_world* w, pli_world* copy, pli_error* error) {
    pli_pack bytes;
    pli_status status = keep_state(w, &bytes, error);
    if (status == PLI_OK) status = pli_world_read_state(copy, w, bytes.bytes, bytes.size, error);
    pli_pack_free(&bytes);
    return status;
}

pli_status pli_world_clone(pli_world* world, pli_world** copy, pli_error* error) {
    pli_world* made = NULL;
    if (!copy) return pli_fail(error, PLI_E_ARGUMENT, "clone: copy is NULL");
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = pli_world_create(&world->model.def, &made, error);
    if (status == PLI_OK) status = clone(world, made, error);
    if (status == PLI_OK)
        *copy = made;
    else
        pli_world_destroy(made);
    return pli_world_leave(world, status);
}
