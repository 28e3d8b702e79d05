// Stencils that are not elements: derived from the mesh of a body by an energy type, or listed by
// the caller.
#ifndef PLI_ENERGY_STENCILS_H
#define PLI_ENERGY_STENCILS_H

#include "base/memory.h"
#include "pliant/energy.h"

struct pli_stencil_sink {
    pli_memory* memory;
    int width;
    int first_vertex, end_vertex; // vertices that stencils may have
    int count, capacity;          // stencils; entries of `vertices` that there is room for
    int32_t* vertices;            // count * width
    // Of wide stencils (width PLI_WIDE) the vertices of stencil i are [start[i], start[i + 1]).
    int start_capacity;
    int32_t* start;
};

// The stencils that an energy type finds in a body; the caller frees the sink, also on failure.
// PLI_E_ARGUMENT if there are none.
pli_status pli_find_stencils(pli_memory* memory, const pli_energy_type* type,
                             const pli_body_view* body, pli_stencil_sink* sink, pli_error* error);
void pli_sink_free(pli_stencil_sink* sink);

#endif
