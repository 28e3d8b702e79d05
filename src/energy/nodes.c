// The table of nodes, looked up by body and key.
#include "energy/nodes.h"

#include "base/pack.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

void pli_nodes_init(pli_nodes* nodes, pli_memory* memory, int point_count) {
    *nodes = (pli_nodes){.memory = memory, .first = point_count};
}

void pli_nodes_free(pli_nodes* nodes) {
    if (!nodes->memory) return;
    PLI_FREE(nodes->memory, nodes->list, nodes->capacity);
    PLI_FREE(nodes->memory, nodes->slots, nodes->slot_count);
    *nodes = (pli_nodes){0};
}

const char* pli_node_text(const pli_node_key* key, int first_vertex, char text[PLI_NODE_TEXT]) {
    static const char* const words[3] = {"node of the body", "node of vertex", "node of vertices"};
    pli_format(text, PLI_NODE_TEXT, "%s", words[key->vertex_count < 2 ? key->vertex_count : 2]);
    for (int i = 0; i <= key->vertex_count; ++i) {
        size_t length = strlen(text);
        if (i < key->vertex_count)
            pli_format(text + length, PLI_NODE_TEXT - length, " %d",
                       (int)key->vertices[i] - first_vertex);
        else
            pli_format(text + length, PLI_NODE_TEXT - length, ", tag %u", (unsigned)key->tag);
    }
    return text;
}

// ---- lookup

static uint64_t hash_of(int body, const pli_node_key* key) {
    uint64_t hash = pli_hash(PLI_HASH_START, &body, sizeof body);
    hash = pli_hash(hash, &key->tag, sizeof key->tag);
    return pli_hash(hash, key->vertices, (size_t)key->vertex_count * sizeof *key->vertices);
}

static bool is_same(const pli_node* node, int body, const pli_node_key* key) {
    return node->body == body && node->key.tag == key->tag &&
           node->key.vertex_count == key->vertex_count &&
           memcmp(node->key.vertices, key->vertices,
                  (size_t)key->vertex_count * sizeof *key->vertices) == 0;
}

// The slot of a key, or the empty slot where it goes.
static int slot_of(const pli_nodes* nodes, int body, const pli_node_key* key) {
    unsigned mask = (unsigned)nodes->slot_count - 1, at = (unsigned)hash_of(body, key) & mask;
    while (nodes->slots[at] && !is_same(&nodes->list[nodes->slots[at] - 1], body, key))
        at = (at + 1) & mask;
    return (int)at;
}

int pli_nodes_find(const pli_nodes* nodes, int body, const pli_node_key* key) {
    return nodes->slot_count == 0 ? -1 : nodes->slots[slot_of(nodes, body, key)] - 1;
}

// At most half of the slots are used.
static pli_status make_room(pli_nodes* nodes, pli_error* error) {
    PLI_TRY(PLI_GROW(nodes->memory, nodes->list, nodes->capacity, nodes->count + 1, error));
    if (2 * (nodes->count + 1) <= nodes->slot_count) return PLI_OK;
    if (nodes->count >= INT32_MAX / 4 - nodes->first)
        return pli_fail(error, PLI_E_MEMORY, "more than %d nodes", nodes->count);
    int wanted = nodes->slot_count ? 2 * nodes->slot_count : FIRST_SLOTS;
    int32_t* slots;
    PLI_TRY(PLI_ALLOC(nodes->memory, slots, wanted, error));
    PLI_FREE(nodes->memory, nodes->slots, nodes->slot_count);
    nodes->slots = slots;
    nodes->slot_count = wanted;
    for (int i = 0; i < nodes->count; ++i)
        nodes->slots[slot_of(nodes, nodes->list[i].body, &nodes->list[i].key)] = i + 1;
    return PLI_OK;
}

// ---- requests

static pli_status check_def(const pli_node_def* def, pli_error* error) {
    if (!isfinite(def->value) || !isfinite(def->rate))
        return pli_fail(error, PLI_E_ARGUMENT, "value = %g, rate = %g, must be finite", def->value,
                        def->rate);
    if (!(def->scale > 0) || !isfinite(def->scale) || !isfinite(1 / def->scale))
        return pli_fail(error, PLI_E_ARGUMENT, "scale = %g m/unit, must be > 0 and finite",
                        def->scale);
    if (!(def->mass >= 0) || !isfinite(def->mass / def->scale / def->scale))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "mass = %g, must be >= 0 and finite, also divided by scale^2", def->mass);
    if (!(def->tolerance >= 0) || !isfinite(def->tolerance))
        return pli_fail(error, PLI_E_ARGUMENT, "tolerance = %g, must be >= 0 and finite",
                        def->tolerance);
    if ((def->fixed || def->follows) && def->rate != 0)
        return pli_fail(error, PLI_E_ARGUMENT, "rate = %g of a %s node, must be 0", def->rate,
                        def->fixed ? "fixed" : "following");
    if (def->fixed && def->follows)
        return pli_fail(error, PLI_E_ARGUMENT, "fixed and follows are set, must be one of them");
    return PLI_OK;
}

// Sorts its vertices.
static pli_status check_key(const pli_asker* asker, pli_node_key* key, pli_error* error) {
    if (key->vertex_count < 0 || key->vertex_count > PLI_NODE_VERTICES)
        return pli_fail(error, PLI_E_ARGUMENT, "node: key has %d vertices, must be 0 to %d",
                        key->vertex_count, PLI_NODE_VERTICES);
    int32_t* v = key->vertices;
    for (int i = 0; i < key->vertex_count; ++i) {
        if (v[i] < asker->first_vertex || v[i] >= asker->end_vertex)
            return pli_fail(error, PLI_E_ARGUMENT, "node: vertex %d of its key, must be %d to %d",
                            (int)v[i], asker->first_vertex, asker->end_vertex - 1);
        for (int j = i; j > 0 && v[j - 1] >= v[j]; --j) {
            if (v[j - 1] == v[j])
                return pli_fail(error, PLI_E_ARGUMENT, "node: vertex %d twice in its key",
                                (int)v[j]);
            int32_t moved = v[j];
            v[j] = v[j - 1];
            v[j - 1] = moved;
        }
    }
    for (int i = key->vertex_count; i < PLI_NODE_VERTICES; ++i) v[i] = -1;
    return PLI_OK;
}

static bool same_def(const pli_node_def* a, const pli_node_def* b) {
    return a->value == b->value && a->rate == b->rate && a->mass == b->mass &&
           a->scale == b->scale && a->tolerance == b->tolerance && a->fixed == b->fixed &&
           a->follows == b->follows;
}

pli_status pli_nodes_ask(const pli_asker* asker, const pli_node_key* asked, const pli_node_def* def,
                         int32_t* vertex, pli_error* error) {
    char text[PLI_NODE_TEXT];
    pli_nodes* nodes = asker->nodes;
    pli_node_key key = *asked;
    PLI_TRY(check_key(asker, &key, error));
    pli_node_text(&key, asker->first_vertex, text);
    pli_status status = check_def(def, error);
    if (status == PLI_OK && def->follows && key.vertex_count != 2)
        status = pli_fail(error, PLI_E_ARGUMENT, "follows is set, but its key is no edge");
    if (status != PLI_OK) pli_error_prefix(error, "%s", text);
    PLI_TRY(status);
    int found = pli_nodes_find(nodes, asker->body, &key);
    if (found >= 0 && !same_def(&nodes->list[found].def, def))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "%s: another energy requested it with a different def; use the same def or "
                        "another tag",
                        text);
    if (found < 0) {
        PLI_TRY(make_room(nodes, error));
        found = nodes->count;
        nodes->slots[slot_of(nodes, asker->body, &key)] = found + 1;
        nodes->list[nodes->count++] =
            (pli_node){.body = asker->body, .energy = asker->energy, .key = key, .def = *def};
    }
    *vertex = nodes->first + found;
    return PLI_OK;
}
