// Greedy aggregation in the order of the groups [Vanek96]. First: a group with all its neighbours,
// if all are free. Second: each remaining group joins an adjacent aggregate. Third: the rest
// aggregates among itself.
#include "sparse/aggregate.h"

enum { FREE = -2, ALONE = -1 };

static bool neighbourhood_is_free(const pli_adjacency* a, const bool* strong,
                                  const int32_t* aggregate, int i) {
    bool alone = true;
    for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
        if (!strong[e]) continue;
        alone = false;
        if (aggregate[a->neighbour[e]] >= 0) return false;
    }
    return !alone;
}

static void gather(const pli_adjacency* a, const bool* strong, int32_t* aggregate, int i,
                   int number) {
    aggregate[i] = number;
    for (int e = a->start[i]; e < a->start[i + 1]; ++e)
        if (strong[e] && aggregate[a->neighbour[e]] == FREE) aggregate[a->neighbour[e]] = number;
}

// Joins the existing aggregate that contains most of its neighbours.
static int most_common(const pli_adjacency* a, const bool* strong, const int32_t* aggregate,
                       int limit, int i) {
    int best = FREE, most = 0;
    for (int e = a->start[i]; e < a->start[i + 1]; ++e) {
        int candidate = aggregate[a->neighbour[e]], count = 0;
        if (!strong[e] || candidate < 0 || candidate >= limit) continue;
        for (int f = a->start[i]; f < a->start[i + 1]; ++f)
            count += strong[f] && aggregate[a->neighbour[f]] == candidate;
        if (count > most) {
            most = count;
            best = candidate;
        }
    }
    return best;
}

int pli_aggregate(const pli_adjacency* a, const bool* strong, int32_t* aggregate) {
    int count = 0;
    for (int i = 0; i < a->group_count; ++i) {
        aggregate[i] = ALONE;
        for (int e = a->start[i]; e < a->start[i + 1]; ++e)
            if (strong[e]) aggregate[i] = FREE;
    }
    for (int i = 0; i < a->group_count; ++i)
        if (aggregate[i] == FREE && neighbourhood_is_free(a, strong, aggregate, i))
            gather(a, strong, aggregate, i, count++);
    // Groups join only aggregates of the first round, otherwise aggregates would grow long tails. A
    // negative mark hides the groups that joined until all have chosen.
    for (int i = 0; i < a->group_count; ++i)
        if (aggregate[i] == FREE) {
            int joined = most_common(a, strong, aggregate, count, i);
            if (joined >= 0) aggregate[i] = -3 - joined;
        }
    for (int i = 0; i < a->group_count; ++i)
        if (aggregate[i] < FREE) aggregate[i] = -3 - aggregate[i];
    for (int i = 0; i < a->group_count; ++i)
        if (aggregate[i] == FREE) gather(a, strong, aggregate, i, count++);
    return count;
}
