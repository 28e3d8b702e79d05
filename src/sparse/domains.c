// Ranges, separators, and the resulting order.
#include "sparse/domains.h"

#include "sparse/reserve.h"

// With more than one separator per this many groups, fewer domains are used.
static const int separator_part = 10;

void pli_domains_init(pli_domains* d, pli_memory* memory) {
    *d = (pli_domains){.memory = memory};
    pli_pattern_init(&d->pattern, memory);
}

void pli_domains_free(pli_domains* d) {
    PLI_FREE(d->memory, d->order, d->order_capacity);
    PLI_FREE(d->memory, d->place, d->place_capacity);
    PLI_FREE(d->memory, d->source, d->source_capacity);
    pli_pattern_free(&d->pattern);
}

static int range_begin(int n, int count, int range) { return (int)((int64_t)n * range / count); }

// place[g] = the domain of g, or `count` for separators. Returns the number of separators.
static int mark_separators(const pli_pattern* pattern, int count, int32_t* place) {
    int n = pattern->group_count, separators = 0;
    for (int r = 0; r < count; ++r)
        for (int g = range_begin(n, count, r); g < range_begin(n, count, r + 1); ++g) place[g] = r;
    for (int j = 0; j < n; ++j) {
        if (place[j] == count) continue;
        for (int b = pattern->block_start[j + 1] - 1; b > pattern->block_start[j]; --b) {
            int32_t* other = &place[pattern->block_row[b]];
            if (*other == place[j]) break; // earlier rows are in the range too
            if (*other == count) continue;
            *other = count;
            separators++;
        }
    }
    return separators;
}

// From domains to places: a stable sort. All domains but the first are eliminated towards the cut
// before them, the first towards its end: this drops less fill at separators.
static void number_groups(pli_domains* d, int n) {
    int32_t next[PLI_MAX_DOMAINS + 2] = {0};
    for (int g = 0; g < n; ++g) next[d->place[g] + 1]++;
    d->first[0] = 0;
    for (int k = 0; k <= d->count; ++k) d->first[k + 1] = next[k + 1] += next[k];
    for (int g = 0; g < n; ++g) {
        int k = d->place[g], at = next[k]++;
        bool backwards = k > 0 && k < d->count;
        d->place[g] = backwards ? d->first[k] + d->first[k + 1] - 1 - at : at;
        d->order[d->place[g]] = g;
    }
}

pli_status pli_domains_cut(pli_domains* d, const pli_pattern* pattern, int least, pli_pool* pool,
                           pli_error* error) {
    int n = pattern->group_count, count = pli_min_int(n / least, PLI_MAX_DOMAINS);
    d->count = 1;
    d->first[0] = 0;
    d->first[1] = d->first[2] = n;
    if (count < 2) return PLI_OK;
    PLI_TRY(PLI_RESERVE(d->memory, d->place, d->place_capacity, n, error));
    while (count > 1 && mark_separators(pattern, count, d->place) > n / separator_part) count /= 2;
    if (count < 2) return PLI_OK;
    PLI_TRY(PLI_RESERVE(d->memory, d->order, d->order_capacity, n, error));
    PLI_TRY(PLI_RESERVE(d->memory, d->source, d->source_capacity, pattern->block_count, error));
    d->count = count;
    number_groups(d, n);
    return pli_pattern_reorder(&d->pattern, pattern, d->place, d->source, pool, error);
}
