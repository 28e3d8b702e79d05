// Shared by the parts of assembly: gather lists, the pattern and what its blocks gather.
#ifndef PLI_ENERGY_ASSEMBLY_PARTS_H
#define PLI_ENERGY_ASSEMBLY_PARTS_H

#include "energy/assembly.h"

// Class 0: terms with fixed stencils, 1: dynamic terms.
static inline int pli_first_term(const pli_assembly* a, int class_index) {
    return class_index == 0 ? 0 : a->fixed_term_count;
}

static inline int pli_end_term(const pli_assembly* a, int class_index) {
    return class_index == 0 ? a->fixed_term_count : a->term_count;
}

// The first vertex of stencil s in the list of a term.
static inline size_t pli_layout_vertex(const pli_term_layout* layout, int s) {
    return layout->start ? (size_t)layout->start[s] : (size_t)s * (size_t)layout->width;
}

// The groups of the vertices of a stencil that are on the fast path, or -1, and their weights.
// Returns whether a weight is not 1.
static inline bool pli_stencil_groups(const pli_kinematics* k, const int32_t* vertices, int width,
                                      int32_t* groups, double* weights) {
    bool weighted = false;
    for (int i = 0; i < width; ++i) {
        weights[i] = 1;
        groups[i] = vertices[i] < 0 ? -1 : pli_own_group(k, vertices[i], &weights[i]);
        weighted |= weights[i] != 1;
    }
    return weighted;
}

// ---- mapped stencils

// W^T H W of a local matrix, size x size, into the Hessians; added where stencils share it.
void pli_assembly_map(const pli_assembly* a, const pli_mapped* mapped, int size, const double* H);

// ---- wide stencils

// Sets up their blocks of the low-rank part. Call after the layout, before the pattern.
pli_status pli_assembly_make_wide(pli_assembly* a, pli_error* error);
void pli_assembly_free_wide(pli_assembly* a);
// Where stencils [first, first + count) of a term write their factors. Set to zero.
void pli_assembly_place_factors(pli_assembly* a, int term, int first, int count, pli_local* local);
// Computes rows over unknowns from the factors, 0 at frozen groups.
void pli_assembly_pull_factors(pli_assembly* a, const uint8_t* frozen);
// Sets `changed` of the groups of stencil s.
void pli_assembly_mark_wide(pli_assembly* a, int term, int s);

// ---- gather lists

// A gather list is built in two passes over the same contributions: the first counts, the second
// fills with start[d] as cursor. Each thread visits all of them and takes those of its destinations
// first .. end - 1. So the order at a destination is that of the visit, for any number of threads.
typedef struct pli_gather_pass {
    pli_gather* gather;
    bool fill;
    int first, end;
} pli_gather_pass;

// Calls pli_gather_add for every contribution of a class.
typedef void pli_gather_fn(const pli_assembly* a, int class_index, const pli_gather_pass* pass);
pli_status pli_gather_make(const pli_assembly* a, int class_index, pli_gather* gather,
                           int destination_count, int contribution_count, pli_gather_fn* visit,
                           pli_error* error);

// destination < 0: none.
static inline void pli_gather_add(const pli_gather_pass* pass, int destination, int at,
                                  int stride) {
    if (destination < pass->first || destination >= pass->end) return;
    pli_gather* gather = pass->gather;
    if (pass->fill)
        gather->source[gather->start[destination]++] =
            (struct pli_source){.at = at, .stride = stride};
    else
        gather->start[destination + 1]++;
}

// Adds to the initial pairs of the pattern.
pli_status pli_assembly_add_pair(pli_assembly* a, int row, int column, pli_error* error);

// Builds a pattern from the masses and the pairs added; the pairs of class 0 are added first.
pli_status pli_assembly_begin_pattern(pli_assembly* a, pli_error* error);

// What the blocks gather from a class. Missing blocks are added to the pattern. If dynamic terms
// miss some, blocks that no term needs any more are dropped.
pli_status pli_assembly_gather_blocks(pli_assembly* a, int class_index, pli_error* error);

#endif
