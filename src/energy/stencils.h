// Stencils that are not elements: derived from the mesh of a body by an energy type, or listed by
// the caller.
#ifndef PLI_ENERGY_STENCILS_H
#define PLI_ENERGY_STENCILS_H

#include "energy/nodes.h"

struct pli_stencil_sink {
    pli_memory* memory;
    pli_asker asker; // for nodes; its `nodes` is NULL if nodes are not available
    int width;
    int first_vertex, end_vertex; // range of vertices that stencils may use
    int count, capacity;          // stencils; allocated entries of `vertices`
    int32_t* vertices;            // count * width
    // Of wide stencils (width PLI_WIDE) the vertices of stencil i are [start[i], start[i + 1]).
    int start_capacity;
    int32_t* start;
    // Of hinges in a body with a pattern: as in pli_element, PLI_HINGE_PATTERN each; else NULL.
    int pattern_capacity;
    double* pattern;
};
enum { PLI_HINGE_PATTERN = 12 };

// The stencils that an energy type finds in a body; the caller frees the sink, also on failure.
// PLI_E_ARGUMENT if there are neither stencils nor elements that the type covers. `nodes`: where the energy requests nodes, as the body and the
// energy with these numbers; NULL: nodes are not available.
pli_status pli_find_stencils(pli_memory* memory, const pli_energy_type* type,
                             const pli_body_view* body, const pli_asker* nodes,
                             pli_stencil_sink* sink, pli_error* error);
void pli_sink_free(pli_stencil_sink* sink);

#endif
