// Aggregates: small disjoint sets of groups that are close in the matrix. They become the groups of
// a coarser level.
#ifndef PLI_SPARSE_AGGREGATE_H
#define PLI_SPARSE_AGGREGATE_H

#include "sparse/adjacency.h"

// Sets aggregate[i] to the aggregate of group i, numbered from 0; -1 for groups without strong
// couplings. Returns the number of aggregates. `strong` has a flag per entry of the adjacency.
int pli_aggregate(const pli_adjacency* adjacency, const bool* strong, int32_t* aggregate);

#endif
