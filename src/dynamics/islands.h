// Islands: bodies that do not touch. E is a sum of functions of each, so each has a step length and
// a stopping test of its own, and one that has converged is neither moved nor evaluated again until
// something touches it.
//
// A part is what fixed stencils, mass and shared unknowns hold together: mostly a body. An island
// is the parts that contact and friction couple at present.
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
    // Per part: speed of the last correction, net force as a part of the largest one, how far to
    // look ahead, limits of steps, energy and sum of the sizes of its parts.
    double *speed, *share, *reach, *limit, *value, *size;
    uint8_t* settled; // converged, left alone
    bool any_settled;
} pli_islands;

pli_status pli_islands_make(pli_world* world, pli_error* error);
void pli_islands_free(pli_world* world);

// May islands differ at all? Not in statics, nor while prescribed vertices are on their way.
bool pli_islands_on(const pli_world* world);

// A minimization begins: nothing is settled.
void pli_islands_begin(pli_world* world);

// Islands as the matrix that was evaluated last couples them: by stencils of contact and friction
// whose Hessian is not 0. `all`: by all stencils that there are, which include all that couple
// anything on the present segment.
void pli_islands_find(pli_world* world, bool all);

// Island of each vertex and unknown: numbers from 0 to the count that is returned.
int pli_islands_spread(pli_world* world);

// After derivatives with a Hessian: islands whose last correction was slower than the tolerance and
// whose forces balance are settled, those that something else touches no longer; g is 0 where
// nothing is to move.
void pli_islands_settle(pli_world* world, bool allowed, double* g);

// 0 for the unknowns that are not to move.
void pli_islands_rest(const pli_islands* islands, double* g);

// Scales p, whose motion of vertices is world->dx, island by island to what contact, half-spaces
// and inversion leave of it. A guess: the segment is still to be certified. *least: what is left of
// p at least; *free: of how much of the unknowns that move all is left.
pli_status pli_islands_shorten(pli_world* world, double* p, double* least, double* free,
                               pli_error* error);

#endif
