// Disjoint sets of the numbers 0 .. n - 1 as trees in an array, the root being the lowest number of
// its set. At the start every number is its own root: root[i] = i.
#ifndef PLI_BASE_DISJOINT_H
#define PLI_BASE_DISJOINT_H

#include <stdint.h>

static inline int32_t pli_disjoint_root(int32_t* root, int32_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
}

static inline void pli_disjoint_join(int32_t* root, int32_t a, int32_t b) {
    a = pli_disjoint_root(root, a);
    b = pli_disjoint_root(root, b);
    root[a > b ? a : b] = a > b ? b : a;
}

#endif
