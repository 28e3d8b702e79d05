// Aggregates: disjoint small sets of groups that are near each other in the matrix, which become
// the groups of a coarser level.
#ifndef PLI_SPARSE_AGGREGATE_H
#define PLI_SPARSE_AGGREGATE_H

#include "sparse/adjacency.h"

// aggregate[i] becomes the aggregate of group i, numbered from 0; -1 for groups that couple to
// nothing strongly. Gives the number of aggregates. `strong` has a flag per entry of the
// adjacency.
int pli_aggregate(const pli_adjacency* adjacency, const bool* strong, int32_t* aggregate);

#endif
