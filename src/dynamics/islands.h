// Islands: bodies that do not touch. E is a sum of functions of each, so each has its own step
// length and stopping test. A converged island is neither moved nor evaluated again until something
// touches it.
//
// A part is a set of groups coupled by fixed stencils, mass, joints and shared unknowns: usually a body. An
// island is a set of parts that contact and friction couple at present.
#ifndef PLI_DYNAMICS_ISLANDS_H
#define PLI_DYNAMICS_ISLANDS_H

#include "base/memory.h"

#include <stdbool.h>

typedef struct pli_world pli_world;

typedef struct pli_islands {
    int part_count, vertex_count, unknown_count;
    int32_t *vertex_part, *unknown_part; // -1: the vertex never moves
    int32_t *root, *number; // per part: lowest part of its island, number of that island
    int32_t *vertex_island, *unknown_island; // numbers, after pli_islands_spread
    // Per part: speed of the last correction, net force relative to the largest force, search
    // reach, step limits, energy and the sum of the absolute values of its stencils' energies.
    double *speed, *share, *reach, *limit, *value, *size;
    uint8_t* settled; // converged, not moved
    bool any_settled;
} pli_islands;

pli_status pli_islands_make(pli_world* world, pli_error* error);
void pli_islands_free(pli_world* world);

// True if islands may be treated separately: not in statics, nor while prescribed vertices have not
// arrived.
bool pli_islands_on(const pli_world* world);

// A minimization begins: no island is settled.
void pli_islands_begin(pli_world* world);

// Islands as coupled by the last evaluated matrix: by contact and friction stencils with a nonzero
// Hessian. `all`: by all existing stencils, which include all that couple anything on the present
// segment.
void pli_islands_find(pli_world* world, bool all);

// Island of each vertex and unknown, numbered from 0; returns their count.
int pli_islands_spread(pli_world* world);

// After derivatives with a Hessian: settles islands whose last correction was slower than the
// tolerance and whose forces balance; wakes those that something else touches. Sets g to 0 where
// nothing may move.
void pli_islands_settle(pli_world* world, bool allowed, double* g);

// Sets 0 for the unknowns that must not move.
void pli_islands_rest(const pli_islands* islands, double* g);

// Scales p, whose vertex motion is world->dx, island by island to what contact, half-spaces and
// inversion allow. An estimate: the segment must still be certified. *least: the smallest factor;
// *free: the fraction of the moving unknowns with factor 1.
pli_status pli_islands_shorten(pli_world* world, double* p, double* least, double* free,
                               pli_error* error);

#endif
