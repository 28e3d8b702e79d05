// Nodes: scalar unknowns that are not positions. Energies request them while they find their
// stencils. Their vertex numbers follow those of all points of the world, in order of request.
#ifndef PLI_ENERGY_NODES_H
#define PLI_ENERGY_NODES_H

#include "base/memory.h"
#include "pliant/energy.h"

typedef struct pli_node {
    int body, energy; // in the world; `energy`: the first that requested it
    pli_node_key key; // its vertices sorted
    pli_node_def def;
    bool used; // part of a stencil
} pli_node;

typedef struct pli_nodes {
    pli_memory* memory;
    int first; // vertex number of the first node: the number of points
    int count, capacity;
    pli_node* list;
    // Open addressing by the hash of body and key: number of the node + 1, 0: empty.
    int slot_count; // a power of 2
    int32_t* slots;
} pli_nodes;

void pli_nodes_init(pli_nodes* nodes, pli_memory* memory, int point_count);
void pli_nodes_free(pli_nodes* nodes);
// The number of the node with this key (vertices sorted); -1: none.
int pli_nodes_find(const pli_nodes* nodes, int body, const pli_node_key* key);
// Implements pli_sink_node. `first_vertex`, `end_vertex`: of the body.
typedef struct pli_asker {
    pli_nodes* nodes;
    int body, energy;
    int first_vertex, end_vertex;
} pli_asker;
pli_status pli_nodes_ask(const pli_asker* asker, const pli_node_key* key, const pli_node_def* def,
                         int32_t* vertex, pli_error* error);

// "node of vertices 3 4, tag 7", with numbers within the body that starts at first_vertex. Returns
// `text`.
enum { PLI_NODE_TEXT = 128 };
const char* pli_node_text(const pli_node_key* key, int first_vertex, char text[PLI_NODE_TEXT]);

#endif
