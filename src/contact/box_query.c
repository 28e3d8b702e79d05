// Queries that are neighbours on the curve walk down the tree together, as one box around them; at
// the bottom each is on its own. Then each is told its place in the result, and its pairs are
// copied there; only a query with more pairs than it has slots must walk again.
#include "contact/broad_phase.h"

#include <stdatomic.h>

enum { GROUP = 8, GROUP_GRAIN = 8, QUERY_GRAIN = 512, SLOTS = 24 };
enum { STACK = (PLI_BVH_WIDTH - 1) * PLI_BVH_LEVELS + 1 };

void pli_box_pairs_init(pli_box_pairs* pairs, pli_memory* memory) {
    *pairs = (pli_box_pairs){.memory = memory};
    pli_curve_init(&pairs->curve, memory);
}

void pli_box_pairs_free(pli_box_pairs* pairs) {
    PLI_FREE(pairs->memory, pairs->pairs, pairs->capacity);
    PLI_FREE(pairs->memory, pairs->start, pairs->start_capacity);
    PLI_FREE(pairs->memory, pairs->slots, pairs->slot_capacity);
    pli_curve_free(&pairs->curve);
    pli_box_pairs_init(pairs, pairs->memory);
}

typedef struct query_context {
    const pli_bvh* tree;
    const pli_box_query* query;
    pli_box_pairs* out;
    atomic_llong* found; // pairs so far: beyond the limit the rest is left out
} query_context;

// A box in the tree's frame.
typedef struct float_box {
    float min[3], max[3];
} float_box;

// Up to GROUP queries on their way through the tree.
typedef struct group {
    int count;
    int32_t query[GROUP];
    float_box boxes[GROUP], all;
    int found[GROUP];          // pairs so far
    int limit;                 // as many are written per query
    pli_box_pair* room[GROUP]; // to here
} group;

static void add_query(group* g, const query_context* c, int query, pli_box_pair* room) {
    const pli_box* box = &c->query->boxes[query];
    float_box* own = &g->boxes[g->count];
    for (int k = 0; k < 3; ++k) {
        own->min[k] = (float)pli_frame_place(&c->tree->frame, k, box->min[k]);
        own->max[k] = (float)pli_frame_place(&c->tree->frame, k, box->max[k]);
        if (g->count == 0 || own->min[k] < g->all.min[k]) g->all.min[k] = own->min[k];
        if (g->count == 0 || own->max[k] > g->all.max[k]) g->all.max[k] = own->max[k];
    }
    g->query[g->count] = query;
    g->found[g->count] = 0;
    g->room[g->count++] = room;
}

// Bit c: child c overlaps. No branches: the compiler makes four lanes of it.
static unsigned overlaps(const pli_bvh_node* node, const float_box* box) {
    int hit[PLI_BVH_WIDTH];
    for (int c = 0; c < PLI_BVH_WIDTH; ++c)
        hit[c] = (node->min[0][c] <= box->max[0]) & (box->min[0] <= node->max[0][c]) &
                 (node->min[1][c] <= box->max[1]) & (box->min[1] <= node->max[1][c]) &
                 (node->min[2][c] <= box->max[2]) & (box->min[2] <= node->max[2][c]);
    return (unsigned)(hit[0] | hit[1] << 1 | hit[2] << 2 | hit[3] << 3);
}

static const uint8_t lowest_bit[1 << PLI_BVH_WIDTH] = {0, 0, 1, 0, 2, 0, 1, 0,
                                                       3, 0, 1, 0, 2, 0, 1, 0};

// The four primitives of a bottom node against every query of the group.
static void test_primitives(const query_context* c, group* g, int index) {
    const pli_bvh_node* node = &c->tree->nodes[index];
    for (int i = 0; i < g->count; ++i) {
        unsigned hit = overlaps(node, &g->boxes[i]);
        int query = g->query[i];
        for (; hit != 0; hit &= hit - 1) {
            int j = index * PLI_BVH_WIDTH + lowest_bit[hit];
            int primitive = c->tree->curve.order[j];
            if (!pli_boxes_overlap(&c->query->boxes[query], &c->tree->sorted[j])) continue;
            if (c->query->keep && !c->query->keep(c->query->context, query, primitive)) continue;
            if (g->found[i] < g->limit) g->room[i][g->found[i]] = (pli_box_pair){query, primitive};
            g->found[i]++;
        }
    }
}

typedef struct place {
    int level, node;
} place;

static void walk(const query_context* c, group* g) {
    const pli_bvh* tree = c->tree;
    place stack[STACK];
    int depth = 0;
    if (tree->count > 0) stack[depth++] = (place){tree->level_count - 1, 0};
    while (depth > 0) {
        place at = stack[--depth];
        if (at.level == 0) {
            test_primitives(c, g, at.node);
            continue;
        }
        unsigned hit = overlaps(&tree->nodes[tree->first[at.level] + at.node], &g->all);
        for (; hit != 0; hit &= hit - 1)
            stack[depth++] = (place){at.level - 1, at.node * PLI_BVH_WIDTH + lowest_bit[hit]};
    }
}

// Counts the pairs of all queries and keeps the first of each.
static void find_block(void* context, int first, int end) {
    const query_context* c = context;
    long long before = atomic_load_explicit(c->found, memory_order_relaxed), found = 0;
    for (int i = first; i < end && before + found <= c->query->max_pairs; ++i) {
        group g = {.limit = SLOTS};
        for (int j = i * GROUP; j < pli_min_int((i + 1) * GROUP, c->query->count); ++j) {
            int query = c->out->curve.order[j];
            add_query(&g, c, query, c->out->slots + (size_t)query * SLOTS);
        }
        walk(c, &g);
        for (int j = 0; j < g.count; ++j) {
            c->out->start[g.query[j] + 1] = g.found[j];
            found += g.found[j];
        }
    }
    atomic_fetch_add_explicit(c->found, found, memory_order_relaxed);
}

// Shell sort: the runs are short, but must not become quadratic when everything overlaps.
static void sort_pairs(pli_box_pair* pairs, int count) {
    int gap = 1;
    while (gap < count / 3) gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3) {
        for (int i = gap; i < count; ++i) {
            pli_box_pair moved = pairs[i];
            int j = i;
            for (; j >= gap && pairs[j - gap].primitive > moved.primitive; j -= gap)
                pairs[j] = pairs[j - gap];
            pairs[j] = moved;
        }
    }
}

static void write_block(void* context, int first, int end) {
    const query_context* c = context;
    for (int i = first; i < end; ++i) {
        pli_box_pair* to = c->out->pairs + c->out->start[i];
        int count = c->out->start[i + 1] - c->out->start[i];
        if (count > SLOTS) {
            group g = {.limit = count};
            add_query(&g, c, i, to);
            walk(c, &g);
        } else {
            for (int k = 0; k < count; ++k) to[k] = c->out->slots[(size_t)i * SLOTS + (size_t)k];
        }
        sort_pairs(to, count);
    }
}

pli_status pli_bvh_query(const pli_bvh* tree, pli_pool* pool, const pli_box_query* query,
                         pli_box_pairs* out, pli_error* error) {
    int count = query->count;
    out->count = 0;
    out->found = 0;
    PLI_TRY(PLI_GROW(out->memory, out->start, out->start_capacity, count + 1, error));
    if (count > INT32_MAX / SLOTS)
        return pli_fail(error, PLI_E_MEMORY, "contact: %d boxes are too many", count);
    PLI_TRY(PLI_GROW(out->memory, out->slots, out->slot_capacity, count * SLOTS, error));
    PLI_TRY(pli_curve_sort(&out->curve, pool, &tree->frame, count, query->boxes, error));
    atomic_llong found = 0;
    query_context context = {tree, query, out, &found};
    pli_parallel_for(pool, (count + GROUP - 1) / GROUP, GROUP_GRAIN, find_block, &context);
    out->found = found;
    if (out->found > query->max_pairs) {
        out->found = (int64_t)query->max_pairs + 1;
        return PLI_OK;
    }
    PLI_TRY(PLI_GROW(out->memory, out->pairs, out->capacity, (int)out->found, error));
    out->start[0] = 0;
    for (int i = 0; i < count; ++i) out->start[i + 1] += out->start[i];
    pli_parallel_for(pool, count, QUERY_GRAIN, write_block, &context);
    out->count = (int)out->found;
    return PLI_OK;
}
