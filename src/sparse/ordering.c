// Approximate minimum degree by AMD [Amestoy96]; nested dissection by METIS [Karypis98] if the
// factor is expensive.
//
// Both get the full graph without its diagonal, with the neighbours of every group ascending. AMD
// returns a postorder of its tree; the order of METIS is postordered here.
#include "sparse/ordering.h"

#include "sparse/foreign.h"
#include "sparse/reserve.h"

#include <amd.h>
#include <metis.h>

_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS must be built with IDXTYPEWIDTH 32");

// Nested dissection takes five times as long as minimum degree and pays off only if the factor is
// expensive: for solids of about 4000 vertices and more, rarely for thin and plane bodies.
static const double metis_flops = 5e9;

enum { METIS_SEED = 4321 }; // the METIS default, made explicit

enum { ARRAYS = 7 }; // of group_count + 1 elements in `spare`

typedef struct graph {
    int group_count;
    int entry_count;    // every edge counts twice
    int room;           // capacity of `neighbour`: AMD needs extra space after the entries
    int32_t* start;     // group_count + 1
    int32_t* neighbour; // ascending for each group
    int32_t* spare;     // for AMD, or for postordering the METIS order
} graph;

void pli_ordering_init(pli_ordering* o, pli_memory* memory) {
    *o = (pli_ordering){.memory = memory};
}

void pli_ordering_free(pli_ordering* o) {
    PLI_FREE(o->memory, o->work, o->capacity);
    pli_ordering_init(o, o->memory);
}

static pli_status reserve(pli_ordering* o, const pli_pattern* pattern, graph* g, pli_error* error) {
    size_t n = (size_t)pattern->group_count, entries = 2 * ((size_t)pattern->block_count - n);
    size_t room = entries + entries / 2 + n;
    if (room > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY,
                        "out of memory: a matrix of %d blocks is too large to be ordered",
                        pattern->block_count);
    PLI_TRY(PLI_RESERVE(o->memory, o->work, o->capacity, room + (ARRAYS + 1) * (n + 1), error));
    *g = (graph){.group_count = (int)n, .entry_count = (int)entries, .room = (int)room};
    g->start = o->work;
    g->spare = g->start + n + 1;
    g->neighbour = g->spare + ARRAYS * (n + 1);
    return PLI_OK;
}

// The columns are traversed in order, so the neighbours of every group are ascending: those before
// it come from their own columns, those after it from its own.
static void fill(graph* g, const pli_pattern* pattern) {
    int n = g->group_count;
    int32_t* next = g->spare; // cursor of each group's list
    for (int j = 0; j < n; ++j) next[j] = 0;
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b) {
            next[j]++;
            next[pattern->block_row[b]]++;
        }
    g->start[0] = 0;
    for (int j = 0; j < n; ++j) {
        g->start[j + 1] = g->start[j] + next[j];
        next[j] = g->start[j];
    }
    for (int j = 0; j < n; ++j)
        for (int b = pattern->block_start[j] + 1; b < pattern->block_start[j + 1]; ++b) {
            int i = pattern->block_row[b];
            g->neighbour[next[i]++] = j;
            g->neighbour[next[j]++] = i;
        }
}

// Orders with AMD, which destroys the graph. Returns the flops of the factor of that graph.
static double order_by_degree(graph* g, int32_t* order) {
    double control[AMD_CONTROL], info[AMD_INFO];
    int32_t* array[ARRAYS] = {g->spare};
    for (int k = 1; k < ARRAYS; ++k) array[k] = array[k - 1] + g->group_count + 1;
    int32_t* length = array[0];
    for (int j = 0; j < g->group_count; ++j) length[j] = g->start[j + 1] - g->start[j];
    amd_defaults(control);
    amd_2(g->group_count, g->start, g->neighbour, length, g->room, g->entry_count, array[1],
          array[2], order, array[3], array[4], array[5], array[6], control, info);
    return info[AMD_NDIV] + 2 * info[AMD_NMULTSUBS_LDL] + g->group_count;
}

// The elimination tree [Davis06 section 4]: parents by position in the order; group_count: a root.
// `above` holds shortcuts to ancestors.
static void find_parents(const graph* g, const int32_t* order, const int32_t* position,
                         int32_t* parent, int32_t* above) {
    int root = g->group_count;
    for (int k = 0; k < g->group_count; ++k) {
        parent[k] = above[k] = root;
        for (int e = g->start[order[k]]; e < g->start[order[k] + 1]; ++e) {
            int p = position[g->neighbour[e]];
            while (p < k) {
                int next = above[p];
                above[p] = k;
                if (next == root) parent[p] = k;
                p = next;
            }
        }
    }
}

// Postorder: children right before their parent, in their previous order. A subtree takes as many
// places as it has groups, the last for its root: from the last group to the first, each takes the
// last free places of its parent's subtree.
static void postorder(const graph* g, int32_t* order) {
    int n = g->group_count, stride = n + 1;
    int32_t *position = g->spare, *parent = position + stride, *above = parent + stride;
    int32_t *size = above + stride, *left = size + stride, *before = left + stride;
    for (int k = 0; k < n; ++k) {
        position[order[k]] = k;
        before[k] = order[k];
        size[k] = 1;
    }
    find_parents(g, order, position, parent, above);
    for (int k = 0; k < n; ++k)
        if (parent[k] < n) size[parent[k]] += size[k];
    left[n] = n;
    for (int k = n - 1; k >= 0; --k) {
        int place = left[parent[k]] - 1;
        left[parent[k]] -= size[k];
        left[k] = place;
        order[place] = before[k];
    }
}

// Upper bound of METIS's memory, fitted to boxes and rectangles of 1,000 to 100,000 groups [bytes].
static size_t metis_size(const graph* g) {
    return 100 * (size_t)g->group_count + 12 * (size_t)g->entry_count;
}

static pli_status dissect(pli_ordering* o, graph* g, int32_t* order, pli_error* error) {
    idx_t options[METIS_NOPTIONS], n = g->group_count;
    size_t claimed = 0;
    PLI_TRY(pli_claim(o->memory, &claimed, metis_size(g), error));
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = METIS_SEED;
    pli_metis_lock();
    int status = METIS_NodeND(&n, g->start, g->neighbour, NULL, options, order, g->spare);
    pli_metis_unlock();
    (void)pli_claim(o->memory, &claimed, 0, NULL);
    if (status == METIS_OK) return PLI_OK;
    if (status == METIS_ERROR_MEMORY)
        return pli_fail(error, PLI_E_MEMORY, "out of memory in the ordering of %d groups by METIS",
                        g->group_count);
    return pli_fail(error, PLI_E_ARGUMENT, "METIS: the ordering of %d groups failed with status %d",
                    g->group_count, status);
}

// Flops of the group graph count as (mean width)^3 each. METIS does not accept graphs without
// edges.
pli_status pli_order_groups(pli_ordering* o, const pli_pattern* pattern, int32_t* order,
                            pli_error* error) {
    if (pattern->group_count == 0) return PLI_OK;
    graph g;
    PLI_TRY(reserve(o, pattern, &g, error));
    fill(&g, pattern);
    double width = (double)pattern->unknown_count / pattern->group_count;
    double flops = order_by_degree(&g, order) * width * width * width;
    if (flops < metis_flops || g.entry_count == 0) return PLI_OK;
    fill(&g, pattern);
    PLI_TRY(dissect(o, &g, order, error));
    postorder(&g, order);
    return PLI_OK;
}
