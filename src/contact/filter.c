// Rules between bodies.
#include "contact/filter.h"

static bool is_excluded(const pli_filter* filter, uint64_t key) {
    int low = 0, high = filter->excluded_count; // the key is not before low, and before high
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (filter->excluded[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < filter->excluded_count && filter->excluded[low] == key;
}

bool pli_bodies_may_touch(const pli_filter* filter, int32_t a, int32_t b) {
    if (a == b) return !filter->self || filter->self[a];
    const uint32_t *groups = filter->groups, *meets = filter->meets;
    uint32_t in_a = groups ? groups[a] : 1, in_b = groups ? groups[b] : 1;
    if (meets && (!(meets[a] & in_b) || !(meets[b] & in_a))) return false;
    return filter->excluded_count == 0 || !is_excluded(filter, pli_body_pair_key(a, b));
}
