// See carry.h.
#include "dynamics/world.h"

#include "base/pack.h"
#include "math/vec.h"

#include <string.h>

// ---- columns

// Histories, their columns: x and v of each state, then a.
static pli_history* history_of(pli_world* w, int h) { return h == 0 ? &w->history : &w->coarse; }

static int first_column(int h) { return h * (2 * PLI_HISTORY_MAX + 1); }

static pli_status grow_column(pli_world* w, int c, int vertex_count, pli_error* error) {
    pli_carry* carry = &w->carry;
    return PLI_GROW(&w->memory, carry->columns[c], carry->capacity[c], 3 * (int64_t)vertex_count,
                    error);
}

static bool is_used(const pli_carry* carry, int c) { return carry->columns[c] != NULL; }

static pli_status take_history(pli_world* w, int h, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    const pli_history* history = history_of(w, h);
    pli_carry* carry = &w->carry;
    int c = first_column(h);
    carry->count[h] = history->count;
    memcpy(carry->time[h], history->time, sizeof carry->time[h]);
    for (int i = 0; i < history->count; ++i, c += 2) {
        PLI_TRY(grow_column(w, c, k->vertex_count, error));
        PLI_TRY(grow_column(w, c + 1, k->vertex_count, error));
        pli_kinematics_positions(k, w->pool, history->q[i], carry->columns[c]);
        pli_kinematics_directions(k, w->pool, history->v[i], carry->columns[c + 1]);
    }
    c = first_column(h) + 2 * PLI_HISTORY_MAX;
    if (!history->a) return PLI_OK;
    PLI_TRY(grow_column(w, c, k->vertex_count, error));
    pli_kinematics_directions(k, w->pool, history->a, carry->columns[c]);
    return PLI_OK;
}

static pli_status put_history(pli_world* w, int h, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    pli_carry* carry = &w->carry;
    pli_history* history = history_of(w, h);
    int c = first_column(h);
    history->count = carry->count[h];
    memcpy(history->time, carry->time[h], sizeof history->time);
    for (int i = 0; i < history->count && k->unknown_count > 0; ++i, c += 2) {
        PLI_TRY(pli_kinematics_fit(k, carry->columns[c], true, history->q[i], error));
        PLI_TRY(pli_kinematics_fit_rates(k, carry->columns[c + 1], history->q[i], history->v[i],
                                         error));
    }
    c = first_column(h) + 2 * PLI_HISTORY_MAX;
    if (is_used(carry, c) && k->unknown_count > 0)
        PLI_TRY(pli_kinematics_fit_rates(k, carry->columns[c], history->q[0], history->a, error));
    return PLI_OK;
}

pli_status pli_carry_reserve(pli_world* w, int more, pli_error* error) {
    for (int c = 0; c < PLI_CARRY_COLUMNS && w->carry.on; ++c)
        if (is_used(&w->carry, c)) PLI_TRY(grow_column(w, c, w->carry.vertex_count + more, error));
    return PLI_OK;
}

void pli_carry_place(pli_world* w, int v, const double x[3], const double velocity[3]) {
    pli_carry* carry = &w->carry;
    for (int h = 0; h < 2; ++h) {
        int c = first_column(h);
        for (int i = 0; i < carry->count[h]; ++i, c += 2) {
            double* past = carry->columns[c] + 3 * (size_t)v;
            memcpy(past, x, 3 * sizeof *past);
            pli_axpy(carry->time[h][i] - w->time, velocity, past, 3);
            memcpy(carry->columns[c + 1] + 3 * (size_t)v, velocity, 3 * sizeof *velocity);
        }
        c = first_column(h) + 2 * PLI_HISTORY_MAX;
        if (is_used(carry, c)) memset(carry->columns[c] + 3 * (size_t)v, 0, 3 * sizeof(double));
    }
}

void pli_carry_append(pli_world* w) {
    pli_carry* carry = &w->carry;
    if (!carry->on) return;
    for (int v = carry->vertex_count; v < w->model.vertex_count; ++v)
        pli_carry_place(w, v, w->model.positions + 3 * (size_t)v,
                        w->model.velocities + 3 * (size_t)v);
    carry->vertex_count = w->model.vertex_count;
}

void pli_carry_velocities(pli_world* w, int first, int count) {
    pli_carry* carry = &w->carry;
    if (!carry->on) return;
    memcpy(carry->columns[1] + 3 * (size_t)first, w->model.velocities + 3 * (size_t)first,
           3 * sizeof(double) * (size_t)count);
    carry->count[0] = 1;
    carry->count[1] = 0;
}

// Listed stencils follow the model's list; `child` as in pli_stencil_is_lost.
static void remove_stencils(pli_world* w, pli_carried_energy* e, int first, int end,
                            const int32_t* child) {
    int number = pli_slots_number(&w->model, PLI_SLOT_ENERGY, e->slot), kept = 0;
    if (number < 0 || w->model.energies[number].body >= 0) return;
    const pli_body_energy* energy = &w->model.energies[number];
    for (int i = 0; i < e->count; ++i) {
        if (pli_stencil_is_lost(energy, i, first, end, child)) continue;
        memmove(e->state + (size_t)kept * e->state_size, e->state + (size_t)i * e->state_size,
                e->state_size);
        kept++;
    }
    e->count = kept;
}

void pli_carry_stencils(pli_world* w, int first, int end, const int32_t* child) {
    for (int i = 0; i < w->carry.energy_count; ++i)
        remove_stencils(w, &w->carry.energies[i], first, end, child);
}

void pli_carry_remove(pli_world* w, int first, int count) {
    pli_carry* carry = &w->carry;
    if (!carry->on) return;
    for (int c = 0; c < PLI_CARRY_COLUMNS; ++c) {
        if (!is_used(carry, c)) continue;
        double* at = carry->columns[c] + 3 * (size_t)first;
        memmove(at, at + 3 * (size_t)count,
                3 * sizeof *at * (size_t)(carry->vertex_count - first - count));
    }
    carry->vertex_count -= count;
    pli_carry_stencils(w, first, first + count, NULL);
}

// ---- nodes

// The node rows of the columns, which are behind those of the points.
static pli_status take_nodes(pli_world* w, pli_error* error) {
    pli_carry* carry = &w->carry;
    const pli_nodes* nodes = &w->nodes;
    if (nodes->count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&w->memory, carry->nodes, nodes->count, error));
    carry->node_count = nodes->count;
    for (int i = 0; i < nodes->count; ++i) {
        const pli_body* body = &w->model.bodies[nodes->list[i].body];
        carry->nodes[i] = (pli_carried_node){.slot = body->slot, .key = nodes->list[i].key};
        for (int k = 0; k < carry->nodes[i].key.vertex_count; ++k)
            carry->nodes[i].key.vertices[k] -= body->first_vertex;
    }
    for (int c = 0; c < PLI_CARRY_COLUMNS; ++c) {
        if (!is_used(carry, c)) continue;
        PLI_TRY(PLI_ALLOC(&w->memory, carry->node_columns[c], nodes->count, error));
        for (int i = 0; i < nodes->count; ++i)
            carry->node_columns[c][i] = carry->columns[c][3 * (size_t)(nodes->first + i)];
    }
    return PLI_OK;
}

// Node i as it would have been carried; `map` as in pli_carry_states.
static pli_carried_node former_node(const pli_world* w, int i, const pli_carry_map* map) {
    const pli_node* node = &w->nodes.list[i];
    const pli_body* body = &w->model.bodies[node->body];
    pli_carried_node was = {.slot = body->slot, .key = node->key};
    for (int k = 0; k < was.key.vertex_count; ++k) {
        int32_t v = was.key.vertices[k] - body->first_vertex;
        was.key.vertices[k] = map && map->body == node->body ? map->parent[v] : v;
    }
    return was;
}

// The order of the vertices may be another one.
static bool is_same_node(const pli_carried_node* a, const pli_carried_node* b) {
    bool same = a->slot == b->slot && a->key.tag == b->key.tag &&
                a->key.vertex_count == b->key.vertex_count;
    for (int k = 0; same && k < a->key.vertex_count; ++k) {
        bool found = false;
        for (int j = 0; j < b->key.vertex_count; ++j)
            found = found || b->key.vertices[j] == a->key.vertices[k];
        same = found;
    }
    return same;
}

static uint64_t hash_node(const pli_carried_node* node) {
    uint64_t sum = 0; // does not depend on the order
    for (int k = 0; k < node->key.vertex_count; ++k)
        sum += pli_hash(PLI_HASH_START, &node->key.vertices[k], sizeof node->key.vertices[k]);
    uint64_t parts[3] = {(uint64_t)node->slot, node->key.tag, sum};
    return pli_hash(PLI_HASH_START, parts, sizeof parts);
}

// Where a node is in the table, or belongs.
static int place_of(const pli_carry* carry, const int32_t* table, int size,
                    const pli_carried_node* node) {
    int at = (int)(hash_node(node) & (uint64_t)(size - 1));
    while (table[at] >= 0 && !is_same_node(&carry->nodes[table[at]], node))
        at = (at + 1) & (size - 1);
    return at;
}

// The number that each node had, or -1.
static pli_status find_nodes(pli_world* w, const pli_carry_map* map, int32_t* was,
                             pli_error* error) {
    const pli_carry* carry = &w->carry;
    int32_t* table;
    int size = 16; // a power of 2
    while (size < 2 * carry->node_count) size *= 2;
    PLI_TRY(PLI_ALLOC(&w->memory, table, size, error));
    for (int i = 0; i < size; ++i) table[i] = -1;
    for (int i = 0; i < carry->node_count; ++i)
        table[place_of(carry, table, size, &carry->nodes[i])] = i;
    for (int i = 0; i < w->nodes.count; ++i) {
        pli_carried_node node = former_node(w, i, map);
        was[i] = table[place_of(carry, table, size, &node)];
    }
    PLI_FREE(&w->memory, table, size);
    return PLI_OK;
}

// What a column has of nodes that are new: a value that has gone with its rate for a time [s], a
// rate, or nothing.
typedef enum node_start { NODE_VALUE, NODE_RATE, NODE_REST } node_start;

// Column c of the nodes, in place of what a fit of points has left.
static void put_node_column(const pli_world* w, const int32_t* was, int c, node_start start,
                            double time, double* q) {
    const double* column = w->carry.node_columns[c];
    for (int i = 0; i < w->nodes.count; ++i) {
        const pli_node_def* def = &w->nodes.list[i].def;
        int unknown = pli_world_node_unknown(w, i);
        if (unknown < 0) continue;
        double origin = start == NODE_VALUE ? def->value : 0;
        double fresh = start == NODE_VALUE ? time * def->rate : start == NODE_RATE ? def->rate : 0;
        q[unknown] = def->scale * (was[i] >= 0 ? column[was[i]] - origin : fresh);
    }
}

static pli_status put_nodes(pli_world* w, const pli_carry_map* map, pli_error* error) {
    int32_t* was;
    if (w->nodes.count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&w->memory, was, w->nodes.count, error));
    pli_status status = find_nodes(w, map, was, error);
    for (int h = 0; h < 2 && status == PLI_OK; ++h) {
        pli_history* history = history_of(w, h);
        int c = first_column(h);
        for (int i = 0; i < w->carry.count[h]; ++i, c += 2) {
            double time = w->carry.time[h][i] - w->time;
            put_node_column(w, was, c, NODE_VALUE, time, history->q[i]);
            put_node_column(w, was, c + 1, NODE_RATE, 0, history->v[i]);
        }
        c = first_column(h) + 2 * PLI_HISTORY_MAX;
        if (is_used(&w->carry, c)) put_node_column(w, was, c, NODE_REST, 0, history->a);
    }
    PLI_FREE(&w->memory, was, w->nodes.count);
    return status;
}

pli_status pli_carry_histories(pli_world* w, const pli_carry_map* map, pli_error* error) {
    PLI_TRY(put_history(w, 0, error));
    if (w->coarse.depth > 0) PLI_TRY(put_history(w, 1, error));
    if (w->conversion) pli_conversion_finish(w, w->conversion);
    return put_nodes(w, map, error);
}

// ---- states of energies

// Not a node, and not the absence of a vertex.
static bool is_point(const pli_world* w, int32_t vertex) {
    return vertex >= 0 && vertex < w->model.vertex_count;
}

static pli_status take_state(pli_world* w, const pli_world_term* from, pli_error* error) {
    pli_carry* carry = &w->carry;
    const pli_term* term = &from->term;
    const void* initial;
    size_t bytes = 0;
    const void* state = term->ops->state(term->self, &bytes, &initial);
    int count = term->ops->count(term->self), width = term->ops->width;
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_GROW(&w->memory, carry->energies, carry->energy_capacity, carry->energy_count + 1,
                     error));
    const pli_body_energy* energy = &w->model.energies[from->energy];
    pli_carried_energy* e = &carry->energies[carry->energy_count++];
    *e = (pli_carried_energy){.slot = energy->slot,
                              .kind = from->element,
                              .count = count,
                              .width = width,
                              .state_size = bytes / (size_t)count};
    if (energy->body >= 0) e->first = w->model.bodies[energy->body].first_vertex;
    e->room = count;
    PLI_TRY(PLI_ALLOC(&w->memory, e->state, bytes, error));
    PLI_TRY(PLI_ALLOC(&w->memory, e->vertices, (size_t)count * (size_t)width, error));
    memcpy(e->state, state, bytes);
    const int32_t* vertices = term->ops->vertices(term->self);
    for (int i = 0; i < count * width; ++i)
        e->vertices[i] = is_point(w, vertices[i]) ? vertices[i] - e->first : -2;
    return PLI_OK;
}

static pli_status take_states(pli_world* w, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].term.ops->state && w->terms[t].energy >= 0)
            PLI_TRY(take_state(w, &w->terms[t], error));
    return PLI_OK;
}

// Old stencils by their vertices.
typedef struct lookup {
    int size; // a power of 2
    int32_t* entry;
} lookup;

static int slot_of(const lookup* table, const pli_carried_energy* e, const int32_t* vertices) {
    size_t bytes = sizeof *vertices * (size_t)e->width;
    int at = (int)(pli_hash(PLI_HASH_START, vertices, bytes) & (uint64_t)(table->size - 1));
    while (table->entry[at] >= 0 &&
           memcmp(e->vertices + (size_t)table->entry[at] * (size_t)e->width, vertices, bytes) != 0)
        at = (at + 1) & (table->size - 1);
    return at;
}

// States of stencils of a body whose mesh was replaced: by the parents of their vertices.
static pli_status put_by_vertices(pli_world* w, const pli_carried_energy* e, const pli_term* term,
                                  const pli_carry_map* map, char* state, pli_error* error) {
    lookup table = {.size = 16};
    int first = w->model.bodies[map->body].first_vertex, count = term->ops->count(term->self);
    const int32_t* vertices = term->ops->vertices(term->self);
    while (table.size < 2 * e->count) table.size *= 2;
    PLI_TRY(PLI_ALLOC(&w->memory, table.entry, table.size, error));
    for (int i = 0; i < table.size; ++i) table.entry[i] = -1;
    for (int i = 0; i < e->count; ++i)
        table.entry[slot_of(&table, e, e->vertices + (size_t)i * (size_t)e->width)] = i;
    for (int i = 0; i < count; ++i, vertices += e->width) {
        int32_t old[PLI_STENCIL_MAX];
        for (int k = 0; k < e->width; ++k)
            old[k] = is_point(w, vertices[k]) ? map->parent[vertices[k] - first] : -2;
        int found = table.entry[slot_of(&table, e, old)];
        if (found >= 0)
            memcpy(state + (size_t)i * e->state_size, e->state + (size_t)found * e->state_size,
                   e->state_size);
    }
    PLI_FREE(&w->memory, table.entry, table.size);
    return PLI_OK;
}

static pli_status put_state(pli_world* w, const pli_carried_energy* e, const pli_world_term* to,
                            const pli_carry_map* map, pli_error* error) {
    const pli_term* term = &to->term;
    const void* initial;
    size_t bytes = 0;
    char* state = term->ops->state(term->self, &bytes, &initial);
    int count = term->ops->count(term->self);
    bool replaced = map && to->body == map->body;
    const int32_t* parent =
        replaced && to->element != PLI_STENCIL ? map->element_parent[to->element] : NULL;
    if (count == 0 || bytes != (size_t)count * e->state_size) return PLI_OK; // another type
    if (replaced && !parent && e->width == 0) return PLI_OK; // wide stencils start with `init`
    if (replaced && !parent) return put_by_vertices(w, e, term, map, state, error);
    for (int i = 0; i < count && parent; ++i)
        if (parent[i] >= 0)
            memcpy(state + (size_t)i * e->state_size, e->state + (size_t)parent[i] * e->state_size,
                   e->state_size);
    if (!parent && count == e->count) memcpy(state, e->state, bytes);
    return PLI_OK;
}

pli_status pli_carry_states(pli_world* w, const pli_carry_map* map, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_world_term* to = &w->terms[t];
        if (!to->term.ops->state || to->energy < 0) continue;
        int32_t slot = w->model.energies[to->energy].slot;
        for (int i = 0; i < w->carry.energy_count; ++i) {
            const pli_carried_energy* e = &w->carry.energies[i];
            if (e->slot == slot && e->kind == to->element) PLI_TRY(put_state(w, e, to, map, error));
        }
    }
    return PLI_OK;
}

// ---- all

pli_status pli_carry_take(pli_world* w, pli_error* error) {
    pli_carry* carry = &w->carry;
    PLI_ASSERT(!carry->on);
    pli_status status = take_history(w, 0, error);
    if (status == PLI_OK && w->coarse.depth > 0) status = take_history(w, 1, error);
    if (status == PLI_OK) status = take_nodes(w, error);
    if (status == PLI_OK) status = take_states(w, error);
    if (status != PLI_OK) {
        pli_carry_free(w);
        return status;
    }
    carry->on = true;
    carry->vertex_count = w->model.vertex_count;
    carry->kinetic = w->kinetic;
    carry->stored = w->stored;
    return PLI_OK;
}

void pli_carry_free(pli_world* w) {
    pli_carry* carry = &w->carry;
    for (int c = 0; c < PLI_CARRY_COLUMNS; ++c)
        PLI_FREE(&w->memory, carry->columns[c], carry->capacity[c]);
    for (int c = 0; c < PLI_CARRY_COLUMNS; ++c)
        if (carry->node_columns[c]) PLI_FREE(&w->memory, carry->node_columns[c], carry->node_count);
    PLI_FREE(&w->memory, carry->nodes, carry->node_count);
    for (int i = 0; i < carry->energy_count; ++i) {
        pli_carried_energy* e = &carry->energies[i];
        PLI_FREE(&w->memory, e->state, e->state ? (size_t)e->room * e->state_size : 0);
        PLI_FREE(&w->memory, e->vertices, e->vertices ? (size_t)e->room * (size_t)e->width : 0);
    }
    PLI_FREE(&w->memory, carry->energies, carry->energy_capacity);
    *carry = (pli_carry){0};
}
