// Tree and column counts in one sweep over the rows of the factor: row i has an entry in column k
// exactly if k is on a path of the tree from a neighbour of i (before it) up to i [Davis06 section
// 4]. The sweep visits every entry of the factor's graph once, which is much faster than finding
// the order.
#include "sparse/elimination.h"

#include "sparse/reserve.h"

enum { ARRAYS = 7 }; // of group_count elements

void pli_elimination_init(pli_elimination* e, pli_memory* memory) {
    *e = (pli_elimination){.memory = memory};
}

void pli_elimination_free(pli_elimination* e) {
    PLI_FREE(e->memory, e->by_group, e->group_capacity);
    PLI_FREE(e->memory, e->by_block, e->block_capacity);
    pli_elimination_init(e, e->memory);
}

// Every block below the diagonal becomes an entry in the list of its later group.
static void list_earlier(pli_elimination* e, const pli_pattern* pattern) {
    int n = pattern->group_count;
    int32_t* start = e->earlier_start;
    for (int k = 0; k <= n; ++k) start[k] = 0;
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b)
            start[pli_max_int(e->position[j], e->position[pattern->block_row[b]])]++;
    for (int k = 1; k <= n; ++k) start[k] += start[k - 1];
    // start[k] is now the end of list k; filling backwards moves it to the start.
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b) {
            int p = e->position[j], q = e->position[pattern->block_row[b]];
            e->earlier[--start[pli_max_int(p, q)]] = pli_min_int(p, q);
        }
}

static void grow_tree(pli_elimination* e, int32_t* mark) {
    for (int i = 0; i < e->group_count; ++i) {
        e->parent[i] = -1;
        e->below[i] = e->below_groups[i] = 0;
        mark[i] = i;
        for (int b = e->earlier_start[i]; b < e->earlier_start[i + 1]; ++b)
            for (int k = e->earlier[b]; mark[k] != i; k = e->parent[k]) {
                if (e->parent[k] < 0) e->parent[k] = i;
                mark[k] = i;
                e->below[k] += e->width[i];
                e->below_groups[k]++;
            }
    }
}

pli_status pli_elimination_build(pli_elimination* e, const pli_pattern* pattern,
                                 const int32_t* order, pli_error* error) {
    size_t n = (size_t)pattern->group_count;
    PLI_TRY(PLI_RESERVE(e->memory, e->by_group, e->group_capacity, ARRAYS * n + 1, error));
    PLI_TRY(PLI_RESERVE(e->memory, e->by_block, e->block_capacity, pattern->block_count, error));
    e->group_count = pattern->group_count;
    e->width = e->by_group;
    e->parent = e->width + n;
    e->below = e->parent + n;
    e->below_groups = e->below + n;
    e->position = e->below_groups + n;
    e->earlier_start = e->position + n;
    int32_t* mark = e->earlier_start + n + 1;
    e->earlier = e->by_block;
    for (int k = 0; k < pattern->group_count; ++k) {
        int group = order[k];
        e->position[group] = k;
        e->width[k] = pattern->group_offset[group + 1] - pattern->group_offset[group];
    }
    list_earlier(e, pattern);
    grow_tree(e, mark);
    return PLI_OK;
}
