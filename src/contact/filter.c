// Rules between bodies.
#include "contact/filter.h"

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
