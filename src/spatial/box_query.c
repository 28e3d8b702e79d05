// Queries that are neighbours on the curve descend the tree together, as one box around them; in
// the leaves they are tested one by one. Then each gets its place in the result, and its pairs are
// copied there; only a query with more pairs than slots must traverse again. If the queries are the
// primitives, each only considers those after it on the curve, and the pairs are sorted at the end.
#include "spatial/broad_phase.h"

#include <stdatomic.h>
#include <string.h>

enum { GROUP = 8, GROUP_GRAIN = 8, QUERY_GRAIN = 512, SLOTS = 24 };
enum { STACK = (PLI_BVH_WIDTH - 1) * PLI_BVH_LEVELS + 1 };

void pli_box_pairs_init(pli_box_pairs* pairs, pli_memory* memory) {
    *pairs = (pli_box_pairs){.memory = memory};
    pli_morton_init(&pairs->curve, memory);
}

void pli_box_pairs_free(pli_box_pairs* pairs) {
    PLI_FREE(pairs->memory, pairs->pairs, pairs->capacity);
    PLI_FREE(pairs->memory, pairs->mixed, pairs->mixed_capacity);
    PLI_FREE(pairs->memory, pairs->start, pairs->start_capacity);
    PLI_FREE(pairs->memory, pairs->slots, pairs->slot_capacity);
    pli_morton_free(&pairs->curve);
    pli_box_pairs_init(pairs, pairs->memory);
}

typedef struct query_context {
    const pli_bvh* tree;
    const pli_box_query* query;
    pli_box_pairs* out;
    const int32_t* order; // queries along the curve
    atomic_llong* found;  // pairs so far: beyond the limit the rest is skipped
} query_context;

typedef float lanes __attribute__((vector_size(PLI_BVH_WIDTH * sizeof(float))));
typedef int32_t lane_masks __attribute__((vector_size(PLI_BVH_WIDTH * sizeof(int32_t))));

enum { PARTS = GROUP / PLI_BVH_WIDTH, ALL = (1 << GROUP) - 1 };

// Up to GROUP queries in one traversal. Their walls (see pli_bvh_node) are in the tree's frame.
typedef struct group {
    int count;
    int times; // 1, or 2: at the start and at the end of the motion
    int first; // index of the first on the curve, if the primitives before it do not count
    int32_t query[GROUP];
    float wall[2][PLI_HALF_AXES][GROUP], around[2][PLI_HALF_AXES]; // of each, of all
    int found[GROUP];                                              // pairs so far
    int limit;                 // at most this many are written per query
    pli_box_pair* room[GROUP]; // to here
} group;

// Empty lanes overlap nothing: faces are at least -1.5.
static void start_group(group* g, const query_context* c, int first, int limit) {
    g->count = 0;
    g->first = c->query->same ? first : -GROUP;
    g->times = c->tree->ends ? 2 : 1;
    g->limit = limit;
    for (int time = 0; time < 2; ++time)
        for (int h = 0; h < PLI_HALF_AXES; ++h) {
            for (int i = 0; i < GROUP; ++i) g->wall[time][h][i] = -2;
            g->around[time][h] = -2;
        }
}

static void put_wall(group* g, int time, int h, float wall) {
    g->wall[time][h][g->count] = wall;
    if (wall > g->around[time][h]) g->around[time][h] = wall;
}

static void add_query(group* g, const query_context* c, int query, pli_box_pair* room) {
    const pli_frame* frame = &c->tree->frame;
    for (int time = 0; time < g->times; ++time) {
        const pli_box* box = time == 0 ? &c->query->boxes[query] : &c->query->ends[query];
        for (int k = 0; k < 3; ++k) {
            put_wall(g, time, 2 * k, (float)pli_frame_place(frame, k, box->max[k]));
            put_wall(g, time, 2 * k + 1, -(float)pli_frame_place(frame, k, box->min[k]));
        }
    }
    g->query[g->count] = query;
    g->found[g->count] = 0;
    g->room[g->count++] = room;
}

static lanes load(const float* from) {
    lanes out;
    memcpy(&out, from, sizeof out);
    return out;
}

static lanes all_lanes(float v) { return (lanes){v, v, v, v}; }

// Bit i: lane i is not set.
static unsigned clear_lanes(lane_masks masks) {
#ifdef __SSE__
    return 15u ^ (unsigned)__builtin_ia32_movmskps((lanes)masks);
#else
    return 15u ^ (unsigned)((masks[0] & 1) | (masks[1] & 2) | (masks[2] & 4) | (masks[3] & 8));
#endif
}

// Bit c: child c overlaps the box around the group: along no half axis is the box before the child
// at all times.
static unsigned children_met(const query_context* c, const group* g, int index) {
    const pli_bvh_node* node = &c->tree->nodes[index];
    lane_masks apart = {0};
    if (g->times == 1) {
        for (int h = 0; h < PLI_HALF_AXES; ++h)
            apart |= load(node->face[h]) > all_lanes(g->around[0][h]);
        return clear_lanes(apart);
    }
    const pli_bvh_node* end = &c->tree->end_nodes[index];
    for (int h = 0; h < PLI_HALF_AXES; ++h)
        apart |= (load(node->face[h]) > all_lanes(g->around[0][h])) &
                 (load(end->face[h]) > all_lanes(g->around[1][h]));
    return clear_lanes(apart);
}

// Bit i: query i of the group overlaps the child.
static unsigned queries_met(const query_context* c, const group* g, int index, int child) {
    const pli_bvh_node* node = &c->tree->nodes[index];
    const pli_bvh_node* end = g->times == 2 ? &c->tree->end_nodes[index] : node;
    int last = g->times - 1;
    unsigned met = 0;
    for (int part = 0; part < PARTS; ++part) {
        lane_masks apart = {0};
        int first = part * PLI_BVH_WIDTH;
        for (int h = 0; h < PLI_HALF_AXES; ++h)
            apart |= (all_lanes(node->face[h][child]) > load(g->wall[0][h] + first)) &
                     (all_lanes(end->face[h][child]) > load(g->wall[last][h] + first));
        met |= clear_lanes(apart) << first;
    }
    return met;
}

static int lowest_bit(unsigned bits) { return __builtin_ctz(bits); }

// The boxes in double precision decide.
static bool boxes_overlap(const query_context* c, int query, int primitive) {
    const pli_box *a = &c->query->boxes[query], *b = &c->tree->boxes[primitive];
    if (!c->tree->ends) return pli_boxes_overlap(a, b);
    return pli_moving_boxes_overlap((const pli_box* [2]){a, &c->query->ends[query]},
                                    (const pli_box* [2]){b, &c->tree->ends[primitive]});
}

static void take_pair(const query_context* c, group* g, int i, int primitive) {
    int query = g->query[i];
    if (c->query->same && query > primitive) {
        query = primitive;
        primitive = g->query[i];
    }
    if (!boxes_overlap(c, query, primitive)) return;
    if (c->query->keep && !c->query->keep(c->query->context, query, primitive)) return;
    if (g->found[i] < g->limit) g->room[i][g->found[i]] = (pli_box_pair){query, primitive};
    g->found[i]++;
}

// The four primitives of a leaf node against every query of the group, or those before them.
static void test_primitives(const query_context* c, group* g, int index) {
    for (unsigned hit = children_met(c, g, index); hit != 0; hit &= hit - 1) {
        int child = lowest_bit(hit), at = index * PLI_BVH_WIDTH + child;
        if (at <= g->first) continue;
        unsigned before = at - g->first < GROUP ? (1u << (at - g->first)) - 1 : ALL;
        unsigned met = queries_met(c, g, index, child) & before;
        for (; met != 0; met &= met - 1) take_pair(c, g, lowest_bit(met), c->tree->curve.order[at]);
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
        unsigned hit = children_met(c, g, tree->first[at.level] + at.node);
        for (; hit != 0; hit &= hit - 1) {
            int node = at.node * PLI_BVH_WIDTH + lowest_bit(hit);
            if (((int64_t)node + 1) << 2 * at.level <= g->first) continue; // all before the group
            stack[depth++] = (place){at.level - 1, node};
        }
    }
}

// Counts the pairs of all queries and stores the first of each.
static void find_block(void* context, int first, int end) {
    const query_context* c = context;
    long long before = atomic_load_explicit(c->found, memory_order_relaxed), found = 0;
    for (int i = first; i < end && before + found <= c->query->max_pairs; ++i) {
        group g;
        start_group(&g, c, i * GROUP, SLOTS);
        for (int j = i * GROUP; j < pli_min_int((i + 1) * GROUP, c->query->count); ++j) {
            int query = c->order[j];
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

// Shell sort: the runs are short, but the time must not become quadratic when everything overlaps.
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
    for (int at = first; at < end; ++at) {
        int i = c->order[at], count = c->out->start[i + 1] - c->out->start[i];
        pli_box_pair* to = (c->query->same ? c->out->mixed : c->out->pairs) + c->out->start[i];
        if (count > SLOTS) {
            group g;
            start_group(&g, c, at, count);
            add_query(&g, c, i, to);
            walk(c, &g);
        } else {
            for (int k = 0; k < count; ++k) to[k] = c->out->slots[(size_t)i * SLOTS + (size_t)k];
        }
        if (!c->query->same) sort_pairs(to, count);
    }
}

static void sort_block(void* context, int first, int end) {
    const query_context* c = context;
    const int32_t* row_end = c->out->start;
    for (int i = first; i < end; ++i) {
        int begin = i > 0 ? row_end[i - 1] : 0;
        sort_pairs(c->out->pairs + begin, row_end[i] - begin);
    }
}

// Rows by the lower index; afterwards start[i] is the end of row i.
static void put_in_order(query_context* c, pli_pool* pool) {
    pli_box_pairs* out = c->out;
    memset(out->start, 0, sizeof *out->start * ((size_t)c->query->count + 1));
    for (int i = 0; i < out->found; ++i) out->start[out->mixed[i].query + 1]++;
    for (int i = 0; i < c->query->count; ++i) out->start[i + 1] += out->start[i];
    for (int i = 0; i < out->found; ++i)
        out->pairs[out->start[out->mixed[i].query]++] = out->mixed[i];
    pli_parallel_for(pool, c->query->count, QUERY_GRAIN, sort_block, c);
}

pli_status pli_bvh_query(const pli_bvh* tree, pli_pool* pool, const pli_box_query* query,
                         pli_box_pairs* out, pli_error* error) {
    int count = query->count;
    PLI_ASSERT(!tree->ends == !query->ends || count == 0 || tree->count == 0);
    PLI_ASSERT(!query->same || query->boxes == tree->boxes);
    out->count = 0;
    out->found = 0;
    PLI_TRY(pli_pool_check(pool, error));
    PLI_TRY(PLI_GROW(out->memory, out->start, out->start_capacity, count + 1, error));
    if (count > INT32_MAX / SLOTS)
        return pli_fail(error, PLI_E_MEMORY, "contact: %d boxes, too many", count);
    PLI_TRY(PLI_GROW(out->memory, out->slots, out->slot_capacity, count * SLOTS, error));
    if (!query->same)
        PLI_TRY(pli_morton_sort(&out->curve, pool, &tree->frame, count, query->boxes, error));
    atomic_llong found = 0;
    query_context context = {tree, query, out, query->same ? tree->curve.order : out->curve.order,
                             &found};
    pli_parallel_for(pool, (count + GROUP - 1) / GROUP, GROUP_GRAIN, find_block, &context);
    out->found = found;
    if (out->found > query->max_pairs) {
        out->found = (int64_t)query->max_pairs + 1;
        return PLI_OK;
    }
    int pairs = (int)out->found;
    PLI_TRY(PLI_GROW(out->memory, out->pairs, out->capacity, pairs, error));
    if (query->same) PLI_TRY(PLI_GROW(out->memory, out->mixed, out->mixed_capacity, pairs, error));
    out->start[0] = 0;
    for (int i = 0; i < count; ++i) out->start[i + 1] += out->start[i];
    pli_parallel_for(pool, count, QUERY_GRAIN, write_block, &context);
    if (query->same) put_in_order(&context, pool);
    out->count = pairs;
    return PLI_OK;
}
