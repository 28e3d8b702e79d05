// Rules between bodies.
#include "contact/filter.h"

#include <string.h>

int pli_body_pairs_place(const pli_body_pairs* pairs, uint64_t key) {
    int low = 0, high = pairs->count; // the key is not before low, and before high
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pairs->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool pli_body_pairs_has(const pli_body_pairs* pairs, uint64_t key) {
    int place = pli_body_pairs_place(pairs, key);
    return place < pairs->count && pairs->keys[place] == key;
}

static bool is_listed(const pli_body_pairs* pairs, int32_t a, int32_t b, bool otherwise) {
    return pairs ? pairs->count > 0 && pli_body_pairs_has(pairs, pli_body_pair_key(a, b))
                 : otherwise;
}

bool pli_bodies_may_touch(const pli_filter* filter, int32_t a, int32_t b) {
    if (a == b && filter->self && !filter->self[a]) return false;
    if (filter->relations) {
        const int32_t* classes = filter->classes;
        if (pli_relation_of(filter, classes ? classes[a] : 0, classes ? classes[b] : 0)->pass)
            return false;
    }
    return !is_listed(filter->exempt, a, b, false) && is_listed(filter->only, a, b, true);
}

static int compare(const int32_t* a, const int32_t* b) {
    for (int i = 0; i < 4; ++i)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

void pli_edge_pair_row(const int32_t a[2], const int32_t b[2], int32_t row[4]) {
    const int32_t edges[2][2] = {{a[a[0] > a[1]], a[a[0] < a[1]]},
                                 {b[b[0] > b[1]], b[b[0] < b[1]]}};
    bool turned =
        edges[1][0] < edges[0][0] || (edges[1][0] == edges[0][0] && edges[1][1] < edges[0][1]);
    memcpy(row, edges[turned], sizeof edges[0]);
    memcpy(row + 2, edges[!turned], sizeof edges[0]);
}

bool pli_edges_may_touch(const pli_filter* filter, const int32_t a[2], const int32_t b[2]) {
    const pli_edge_pairs* pairs = filter ? filter->crossed : NULL;
    if (!pairs || pairs->count == 0) return true;
    int32_t row[4];
    pli_edge_pair_row(a, b, row);
    int low = 0, high = pairs->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (compare(pairs->vertices + 4 * (size_t)middle, row) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low == pairs->count || compare(pairs->vertices + 4 * (size_t)low, row) != 0;
}

bool pli_primitives_may_touch(const pli_filter* filter, int a_width, const int32_t* a, int b_width,
                              const int32_t* b) {
    for (int i = 0; i < a_width; ++i)
        for (int j = 0; j < b_width; ++j)
            if (a[i] == b[j]) return false;
    if (a_width == 2 && b_width == 2 && !pli_edges_may_touch(filter, a, b)) return false;
    return pli_may_touch(filter, a[0], b[0]);
}
