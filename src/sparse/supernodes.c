// Supernodes by merging in the elimination tree [Liu92].
//
// Merging a node into its parent saves a front and the addition of its update matrix to the
// parent's; the cost is zeros in the factor. A time model weighs both.
#include "sparse/supernodes.h"

#include "sparse/reserve.h"

enum { ARRAYS = 12 }; // of group_count elements

void pli_supernodes_init(pli_supernodes* s, pli_memory* memory) {
    *s = (pli_supernodes){.memory = memory};
}

void pli_supernodes_free(pli_supernodes* s) {
    PLI_FREE(s->memory, s->by_group, s->group_capacity);
    PLI_FREE(s->memory, s->rows, s->row_capacity);
    pli_supernodes_init(s, s->memory);
}

// Predicted time of a front without the part that depends only on its pivots [ns], measured on
// plane meshes: the front itself, its panel, its flops (the kernels work on eight rows and four
// columns at a time) and its update matrix on the way to the parent. The optimum is flat.
static double front_time(double pivots, double below) {
    double panel = pivots * (pivots + below + 4);
    double flops = panel * (pivots + 4) + pivots * below * (below + 8);
    return 60 + 0.5 * panel + 0.025 * flops + 0.3 * below * below;
}

// During merging, a node is identified by its last group, the only one whose column has exactly the
// node's rows.
typedef struct merging {
    const pli_elimination* e;
    int32_t* into;   // the group whose node this group's node was merged into; -1: none
    int32_t* pivots; // unknowns of the node
    int32_t* child;  // lists of the child nodes of a group
    int32_t* sibling;
} merging;

static void merge_if_faster(merging* m, int child, int parent) {
    int w = m->pivots[child], u = m->e->below[child];
    int pw = m->pivots[parent], pu = m->e->below[parent];
    if (front_time(w + pw, pu) > front_time(w, u) + front_time(pw, pu)) return;
    m->into[child] = parent;
    m->pivots[parent] += w;
}

// Children come before their parents, so a child has its final size when it is considered. The
// child with the longest column goes first: it costs the fewest zeros, often none.
static void merge_nodes(merging* m) {
    const pli_elimination* e = m->e;
    for (int k = 0; k < e->group_count; ++k) {
        m->into[k] = m->child[k] = -1;
        m->pivots[k] = e->width[k];
    }
    for (int k = 0; k < e->group_count; ++k) {
        int longest = m->child[k];
        for (int c = m->child[k]; c >= 0; c = m->sibling[c])
            if (e->below[c] > e->below[longest]) longest = c;
        if (longest >= 0) merge_if_faster(m, longest, k);
        for (int c = m->child[k]; c >= 0; c = m->sibling[c])
            if (c != longest) merge_if_faster(m, c, k);
        if (e->parent[k] < 0) continue;
        m->sibling[k] = m->child[e->parent[k]];
        m->child[e->parent[k]] = k;
    }
}

// The tree of nodes: into[k] becomes the last group of k's node; lists of children hold only last
// groups. Returns the list of roots.
static int link_nodes(merging* m) {
    const pli_elimination* e = m->e;
    int roots = -1;
    for (int k = e->group_count - 1; k >= 0; --k) {
        m->child[k] = -1;
        m->into[k] = m->into[k] < 0 ? k : m->into[m->into[k]];
        if (m->into[k] != k) continue;
        int32_t* list = e->parent[k] < 0 ? &roots : &m->child[m->into[e->parent[k]]];
        m->sibling[k] = *list;
        *list = k;
    }
    return roots;
}

// Numbers the nodes in postorder: number[last group]; parents in `s`.
static void number_nodes(pli_supernodes* s, merging* m, int roots, int32_t* number,
                         int32_t* stack) {
    int depth = 0;
    s->count = 0;
    for (int root = roots; root >= 0; root = m->sibling[root]) {
        stack[depth++] = root;
        while (depth > 0) {
            int k = stack[depth - 1], child = m->child[k];
            if (child >= 0) { // once visited, it is removed from the list
                m->child[k] = m->sibling[child];
                stack[depth++] = child;
                continue;
            }
            number[k] = s->count++;
            --depth;
        }
    }
    for (int k = 0; k < m->e->group_count; ++k) {
        if (m->into[k] != k) continue;
        int parent = m->e->parent[k];
        s->parent[number[k]] = parent < 0 ? -1 : number[m->into[parent]];
    }
    for (int i = 0; i < s->count; ++i) s->descendant[i] = i;
    for (int i = 0; i < s->count; ++i)
        if (s->parent[i] >= 0)
            s->descendant[s->parent[i]] =
                pli_min_int(s->descendant[s->parent[i]], s->descendant[i]);
}

// Sorts the groups by their nodes. place[k]: where the group at position k goes.
static void place_groups(pli_supernodes* s, const merging* m, const int32_t* number,
                         const int32_t* order, int32_t* place) {
    int n = m->e->group_count;
    for (int i = 0; i <= s->count; ++i) s->first[i] = 0;
    for (int k = 0; k < n; ++k) s->first[number[m->into[k]]]++;
    for (int i = 1; i <= s->count; ++i) s->first[i] += s->first[i - 1];
    for (int k = n - 1; k >= 0; --k) {
        int i = number[m->into[k]];
        place[k] = --s->first[i];
        s->group[place[k]] = order[k];
        s->node[place[k]] = i;
    }
}

// The rows of a node are the later groups that are neighbours of a group in its subtree. Every
// group, in ascending order, inserts itself along the paths from its neighbours up to it.
static void list_rows(pli_supernodes* s, const pli_elimination* e, const int32_t* place,
                      int32_t* position, int32_t* end) {
    int n = e->group_count;
    int32_t* mark = end + n;
    for (int k = 0; k < n; ++k) position[place[k]] = k;
    s->row_start[0] = 0;
    for (int i = 0; i < s->count; ++i) {
        mark[i] = -1;
        end[i] = s->row_start[i];
        s->row_start[i + 1] = s->row_start[i] + e->below_groups[position[s->first[i + 1] - 1]];
    }
    for (int r = 0; r < n; ++r) {
        int k = position[r];
        mark[s->node[r]] = r;
        for (int b = e->earlier_start[k]; b < e->earlier_start[k + 1]; ++b)
            for (int i = s->node[place[e->earlier[b]]]; mark[i] != r; i = s->parent[i]) {
                mark[i] = r;
                s->row[end[i]++] = r;
            }
    }
}

pli_status pli_supernodes_build(pli_supernodes* s, const pli_elimination* e, const int32_t* order,
                                bool* too_large, pli_error* error) {
    size_t n = (size_t)e->group_count;
    PLI_TRY(PLI_RESERVE(s->memory, s->by_group, s->group_capacity, ARRAYS * n + 2, error));
    s->first = s->by_group;
    s->row_start = s->first + n + 1;
    s->parent = s->row_start + n + 1;
    s->descendant = s->parent + n;
    s->group = s->descendant + n;
    s->node = s->group + n;
    int32_t* work = s->node + n; // six arrays
    merging m = {e, work, work + n, work + 2 * n, work + 3 * n};
    int32_t *number = work + 4 * n, *place = work + 5 * n;
    merge_nodes(&m);
    number_nodes(s, &m, link_nodes(&m), number, place);
    place_groups(s, &m, number, order, place);
    size_t row_count = 0;
    for (int k = 0; k < e->group_count; ++k)
        if (m.into[k] == k) row_count += (size_t)e->below_groups[k];
    *too_large = row_count > INT32_MAX;
    if (*too_large) return PLI_OK;
    PLI_TRY(PLI_RESERVE(s->memory, s->rows, s->row_capacity, row_count, error));
    s->row = s->rows;
    list_rows(s, e, place, work, work + n);
    return PLI_OK;
}
