// Refresh: swept boxes -> pairs (pair_search.c) -> those that may come near -> CCD shortens the
// segment -> pairs near on the remaining segment -> the set.
#include "contact/pair_set.h"

#include "contact/pair_search.h"
#include "math/vec.h"

#include <math.h>

enum { PAIR_GRAIN = 256 };

// A set up to KEEP_FACTOR times the needed size plus KEEP_EXTRA is kept rather than changed.
enum { KEEP_FACTOR = 2, KEEP_EXTRA = 64 };

// A segment is processed in at most this many parts.
enum { MAX_PARTS = 64 };

// The number of pairs found near a position is assumed to be at most this many times the number
// of candidates there.
enum { CROWDED = 4 };

static pli_status copy_primitives(pli_memory* memory, pli_primitives* out, int count, int width,
                                  const int32_t* vertices, pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, out->vertices, count * width, error));
    for (int i = 0; i < count * width; ++i) out->vertices[i] = vertices[i];
    out->count = count;
    out->width = width;
    return PLI_OK;
}

static pli_status check_def(const pli_pair_set_def* def, pli_error* error) {
    const int32_t* lists[2] = {def->a_vertices, def->b_vertices};
    int counts[2] = {def->a_count * def->a_width, def->b_count * def->b_width};
    for (int list = 0; list < 2; ++list)
        for (int i = 0; i < counts[list]; ++i)
            if (lists[list][i] < 0 || lists[list][i] >= def->vertex_count)
                return pli_fail(error, PLI_E_ARGUMENT,
                                "contact: vertex %d does not exist, there are %d",
                                (int)lists[list][i], def->vertex_count);
    return PLI_OK;
}

// Per primitive the largest offset of its vertices.
static pli_status copy_offsets(pli_memory* memory, const pli_primitives* list, const double* offset,
                               double** out, pli_error* error) {
    PLI_TRY(PLI_ALLOC(memory, *out, list->count, error));
    for (int i = 0; i < list->count; ++i)
        for (int k = 0; k < list->width; ++k)
            (*out)[i] = fmax((*out)[i], offset[list->vertices[i * list->width + k]]);
    return PLI_OK;
}

// Clearances are lower bounds of distances, exact up to rounding where they are not large: a pair
// overlaps at rest in no case.
double pli_offset_between(const pli_rest* rest, const pli_pair_kind* kind, int dim,
                          const int32_t* const vertices[2], const int widths[2], double whole) {
    const int32_t *a = vertices[0], *b = vertices[1];
    if (!rest || !(whole > 0) || rest->part[a[0]] != rest->part[b[0]]) return whole;
    const double* x[PLI_STENCIL_MAX];
    for (int i = 0; i < widths[0]; ++i) x[i] = rest->x + 3 * (size_t)a[i];
    for (int i = 0; i < widths[1]; ++i) x[widths[0] + i] = rest->x + 3 * (size_t)b[i];
    double least = kind->clearance(dim, x, NULL, 0, 2 * whole + rest->dhat);
    return fmin(whole, fmax(0, 0.5 * (least - rest->dhat)));
}

double pli_offset_bound(const pli_rest* rest, int dim, const int32_t* const vertices[2],
                        double whole) {
    int32_t a = vertices[0][0], b = vertices[1][0];
    if (!rest || !(whole > 0) || rest->part[a] != rest->part[b]) return whole;
    double d[3];
    pli_sub(rest->x + 3 * (size_t)a, rest->x + 3 * (size_t)b, d, dim);
    return fmin(whole, fmax(0, 0.5 * (pli_norm(d, dim) - rest->dhat)));
}

// The vertices of all primitives, each once.
static pli_status collect_used(pli_pair_set* set, pli_error* error) {
    PLI_TRY(PLI_ALLOC(set->memory, set->used_at, set->vertex_count, error));
    const pli_primitives* lists[2] = {&set->a, &set->b};
    for (int list = 0; list < 2; ++list)
        for (int i = 0; i < lists[list]->count * lists[list]->width; ++i)
            set->used_at[lists[list]->vertices[i]] = 1;
    int count = 0;
    for (int v = 0; v < set->vertex_count; ++v) count += set->used_at[v];
    PLI_TRY(PLI_ALLOC(set->memory, set->used, count, error));
    for (int v = 0; v < set->vertex_count; ++v) {
        if (set->used_at[v] == 0) continue;
        set->used_at[v] = set->used_count;
        set->used[set->used_count++] = v;
    }
    return PLI_OK;
}

static pli_status allocate(pli_pair_set* set, const pli_pair_set_def* def, pli_error* error) {
    pli_memory* memory = set->memory;
    PLI_TRY(copy_primitives(memory, &set->a, def->a_count, def->a_width, def->a_vertices, error));
    PLI_TRY(copy_primitives(memory, &set->b, def->b_count, def->b_width, def->b_vertices, error));
    if (def->offset) {
        PLI_TRY(copy_offsets(memory, &set->a, def->offset, &set->a_offset, error));
        PLI_TRY(copy_offsets(memory, &set->b, def->offset, &set->b_offset, error));
    }
    PLI_TRY(PLI_ALLOC(memory, set->a_boxes, def->a_count, error));
    PLI_TRY(PLI_ALLOC(memory, set->a_ends, def->a_count, error));
    PLI_TRY(PLI_ALLOC(memory, set->a_drifts, def->a_count, error));
    if (set->symmetric) {
        set->b_boxes = set->a_boxes;
        set->b_ends = set->a_ends;
        set->b_drifts = set->a_drifts;
    } else {
        PLI_TRY(PLI_ALLOC(memory, set->b_boxes, def->b_count, error));
        PLI_TRY(PLI_ALLOC(memory, set->b_ends, def->b_count, error));
        PLI_TRY(PLI_ALLOC(memory, set->b_drifts, def->b_count, error));
    }
    PLI_TRY(collect_used(set, error));
    PLI_TRY(PLI_ALLOC(memory, set->candidates.at, 3 * set->used_count, error));
    PLI_TRY(PLI_ALLOC(memory, set->candidates.by, 3 * set->used_count, error));
    return PLI_OK;
}

pli_status pli_pair_set_init(pli_pair_set* set, pli_memory* memory, const pli_pair_set_def* def,
                             pli_error* error) {
    *set = (pli_pair_set){.memory = memory,
                          .kind = def->kind,
                          .filter = def->filter,
                          .dim = def->dim,
                          .vertex_count = def->vertex_count,
                          .dhat = def->dhat,
                          .symmetric = def->symmetric,
                          .rest = def->offset ? def->rest : NULL};
    pli_bvh_init(&set->tree, memory);
    pli_box_pairs_init(&set->found, memory);
    set->candidates.share = 1;
    pli_box_pairs_init(&set->candidates.pairs, memory);
    PLI_TRY(check_def(def, error));
    pli_status status = allocate(set, def, error);
    if (status != PLI_OK) pli_pair_set_free(set);
    return status;
}

void pli_pair_set_free(pli_pair_set* set) {
    pli_memory* memory = set->memory;
    if (!set->symmetric) {
        PLI_FREE(memory, set->b_boxes, set->b.count);
        PLI_FREE(memory, set->b_ends, set->b.count);
        PLI_FREE(memory, set->b_drifts, set->b.count);
    }
    PLI_FREE(memory, set->a_boxes, set->a.count);
    PLI_FREE(memory, set->a_ends, set->a.count);
    PLI_FREE(memory, set->a_drifts, set->a.count);
    PLI_FREE(memory, set->a.vertices, set->a.count * set->a.width);
    PLI_FREE(memory, set->b.vertices, set->b.count * set->b.width);
    PLI_FREE(memory, set->a_offset, set->a.count);
    PLI_FREE(memory, set->b_offset, set->b.count);
    PLI_FREE(memory, set->candidates.at, 3 * set->used_count);
    PLI_FREE(memory, set->candidates.by, 3 * set->used_count);
    PLI_FREE(memory, set->candidates.gaps, set->candidates.gap_capacity);
    PLI_FREE(memory, set->used, set->used_count);
    PLI_FREE(memory, set->used_at, set->vertex_count);
    PLI_FREE(memory, set->pairs, set->pair_capacity);
    PLI_FREE(memory, set->vertices, set->vertex_capacity);
    PLI_FREE(memory, set->offsets, set->offset_capacity);
    PLI_FREE(memory, set->start, set->start_capacity);
    PLI_FREE(memory, set->near, set->near_capacity);
    PLI_FREE(memory, set->next, set->next_capacity);
    PLI_FREE(memory, set->gathered, set->gathered_capacity);
    PLI_FREE(memory, set->bounds, set->bound_capacity);
    PLI_FREE(memory, set->surveys, set->survey_capacity);
    pli_bvh_free(&set->tree);
    pli_box_pairs_free(&set->found);
    pli_box_pairs_free(&set->candidates.pairs);
    *set = (pli_pair_set){.memory = memory};
}

void pli_pair_set_forget(pli_pair_set* set) { set->candidates.valid = false; }

// A pair closer than NARROW dhat keeps this fraction of its gap, not only the 1/20 that CCD leaves:
// after many truncations in a row, gaps would shrink by orders of magnitude below the equilibrium
// of forces, until positions no longer resolve them.
static const double NARROW = 0.1, KEPT_GAP = 0.5;

// How far the pair is certified, at most t.
static double certified_time(const pli_pair_set* set, const pli_pair_motion* m, double offset,
                             double t) {
    double time = set->kind->ccd(set->dim, m->x, m->p, t, offset);
    if (!(time < t)) return time;
    double gap = set->kind->clearance(set->dim, m->x, NULL, 0, HUGE_VAL) - offset;
    if (!(gap > 0 && gap < NARROW * set->dhat)) return time;
    return fmin(time, set->kind->ccd(set->dim, m->x, m->p, t, offset + KEPT_GAP * gap));
}

static void ccd_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    double t = s->to - s->from;
    for (int i = first; i < end; ++i) {
        const pli_box_pair* pair = &set->found.pairs[i];
        pli_pair_motion m = pli_sweep_motion(s, pair);
        t = certified_time(set, &m, pli_pair_offset(set, pair), t);
    }
    set->bounds[first / PAIR_GRAIN] = t;
}

// Shortens the part to what CCD certifies for all pairs found. Positions from the start of the part
// on are rounded once more than CCD assumes; its margin covers that.
static pli_status certify(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    PLI_TRY(pli_pool_check(pool, error));
    int block_count = (set->found.count + PAIR_GRAIN - 1) / PAIR_GRAIN;
    PLI_TRY(PLI_GROW(set->memory, set->bounds, set->bound_capacity, block_count, error));
    pli_parallel_for(pool, set->found.count, PAIR_GRAIN, ccd_block, s);
    double whole = s->to - s->from, t = whole;
    for (int i = 0; i < block_count; ++i) t = fmin(t, set->bounds[i]);
    if (t < whole) s->to = s->from + t;
    return PLI_OK;
}

static void near_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i)
        set->near[i] = !(pli_sweep_clearance(s, &set->found.pairs[i]) > set->dhat);
}

// Leaves in `found` only pairs that may be closer than dhat on the part.
static pli_status keep_near(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    PLI_TRY(pli_pool_check(pool, error));
    PLI_TRY(PLI_GROW(set->memory, set->near, set->near_capacity, set->found.count, error));
    pli_parallel_for(pool, set->found.count, PAIR_GRAIN, near_block, s);
    int count = 0;
    for (int i = 0; i < set->found.count; ++i)
        if (set->near[i]) set->found.pairs[count++] = set->found.pairs[i];
    set->found.count = count;
    return PLI_OK;
}

static int compare_pairs(const pli_box_pair* a, const pli_box_pair* b) {
    if (a->query != b->query) return a->query < b->query ? -1 : 1;
    return (a->primitive > b->primitive) - (a->primitive < b->primitive);
}

// The union of two sorted lists, in order; only counts if out is NULL.
static int merge_pairs(int m, const pli_box_pair* a, int n, const pli_box_pair* b,
                       pli_box_pair* out) {
    int i = 0, j = 0, count = 0;
    while (i < m || j < n) {
        int order = i == m ? 1 : j == n ? -1 : compare_pairs(&a[i], &b[j]);
        if (out) out[count] = order <= 0 ? a[i] : b[j];
        count++;
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

static void swap_pairs(pli_box_pair** a, int* a_capacity, pli_box_pair** b, int* b_capacity) {
    pli_box_pair* pairs = *a;
    int capacity = *a_capacity;
    *a = *b;
    *a_capacity = *b_capacity;
    *b = pairs;
    *b_capacity = capacity;
}

// Makes `next` the set: the pairs found, plus the old ones if they may stay. If nothing changes the
// epoch stays. Nothing is modified before all memory is allocated.
static pli_status adopt(pli_pair_set* set, bool keep_old, pli_error* error) {
    const pli_box_pairs* found = &set->found;
    int needed = found->count;
    int both = merge_pairs(set->count, set->pairs, needed, found->pairs, NULL);
    bool keep = keep_old && both <= (int64_t)KEEP_FACTOR * needed + KEEP_EXTRA;
    int count = keep ? both : needed, width = set->a.width + set->b.width;
    // A superset of the old set (or the found set within it) of the same size is the old set.
    if (count == set->count && both == count) return PLI_OK;
    if (count > INT32_MAX / width)
        return pli_fail(error, PLI_E_MEMORY, "contact: %d pairs are too many", count);
    PLI_TRY(PLI_GROW(set->memory, set->next, set->next_capacity, count, error));
    PLI_TRY(PLI_GROW(set->memory, set->vertices, set->vertex_capacity, count * width, error));
    if (set->rest) PLI_TRY(PLI_GROW(set->memory, set->offsets, set->offset_capacity, count, error));
    PLI_ASSERT(set->next || count == 0);
    if (keep)
        merge_pairs(set->count, set->pairs, needed, found->pairs, set->next);
    else
        for (int i = 0; i < count; ++i) set->next[i] = found->pairs[i];
    swap_pairs(&set->pairs, &set->pair_capacity, &set->next, &set->next_capacity);
    set->count = count;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < set->a.width; ++k)
            set->vertices[i * width + k] = set->a.vertices[set->pairs[i].query * set->a.width + k];
        for (int k = 0; k < set->b.width; ++k)
            set->vertices[i * width + set->a.width + k] =
                set->b.vertices[set->pairs[i].primitive * set->b.width + k];
        if (set->offsets) set->offsets[i] = pli_pair_offset(set, &set->pairs[i]);
    }
    set->epoch++;
    return PLI_OK;
}

// Of the pairs that are near on the part, those that are near as far as CCD allows it. Most pairs
// stay farther apart than dhat on all of it and need no CCD.
static pli_status finish_part(pli_sweep* s, pli_pool* pool, pli_error* error) {
    if (!s->p) return PLI_OK;
    double searched = s->to;
    PLI_TRY(certify(s, pool, error));
    return s->to < searched ? keep_near(s, pool, error) : PLI_OK;
}

// gathered = gathered and found
static pli_status gather(pli_pair_set* set, pli_error* error) {
    const pli_box_pairs* found = &set->found;
    int count = merge_pairs(set->gathered_count, set->gathered, found->count, found->pairs, NULL);
    PLI_TRY(PLI_GROW(set->memory, set->next, set->next_capacity, count, error));
    merge_pairs(set->gathered_count, set->gathered, found->count, found->pairs, set->next);
    swap_pairs(&set->gathered, &set->gathered_capacity, &set->next, &set->next_capacity);
    set->gathered_count = count;
    return PLI_OK;
}

static pli_status start_at(pli_sweep* s, double from, int vertex_count, pli_error* error) {
    pli_pair_set* set = s->set;
    PLI_TRY(PLI_GROW(set->memory, set->start, set->start_capacity, 3 * vertex_count, error));
    for (int i = 0; i < set->used_count; ++i)
        for (int k = 0; k < set->dim; ++k) {
            int at = 3 * set->used[i] + k;
            set->start[at] = s->x[at] + from * s->p[at];
        }
    s->start = set->start;
    s->from = from;
    return PLI_OK;
}

// Processes part after part, each short enough to have few pairs, to the end of the segment or as
// far as CCD and MAX_PARTS allow.
static pli_status refresh_in_parts(pli_sweep* s, const pli_view* view, pli_error* error) {
    pli_pair_set* set = s->set;
    double end = s->to;
    set->gathered_count = 0;
    for (int part = 0; part < MAX_PARTS; ++part) {
        PLI_TRY(pli_sweep_search(s, view->pool, error));
        double searched = s->to, length = searched - s->from;
        if (set->found.count < pli_pair_limit(set) / 4) length *= 2;
        PLI_TRY(keep_near(s, view->pool, error));
        PLI_TRY(finish_part(s, view->pool, error));
        PLI_TRY(gather(set, error));
        if (!s->p || s->to < searched || s->to >= end || part == MAX_PARTS - 1) break;
        if (s->to == s->from) break;
        PLI_TRY(start_at(s, s->to, view->vertex_count, error));
        s->to = fmin(end, s->from + length);
    }
    swap_pairs(&set->gathered, &set->gathered_capacity, &set->found.pairs, &set->found.capacity);
    set->found.count = set->gathered_count;
    return PLI_OK;
}

// Where a search might exceed the limit of pairs, the result would depend on whether a search is
// needed: there a step must not start with candidates of the previous one.
static bool is_crowded(const pli_pair_set* set) {
    return CROWDED * (int64_t)set->candidates.pairs.count > 2 * (int64_t)pli_pair_limit(set);
}

pli_status pli_pair_set_refresh(pli_pair_set* set, const pli_view* view, const double* p,
                                double* alpha, pli_error* error) {
    PLI_ASSERT(!p || (*alpha >= 0 && *alpha <= 1));
    pli_sweep s = {.set = set, .x = view->x, .p = p, .start = view->x, .to = p ? *alpha : 0};
    bool covered;
    if (!p && is_crowded(set)) pli_pair_set_forget(set);
    PLI_TRY(pli_sweep_survey(&s, view->pool, &covered, error));
    set->refresh_count++;
    if (!covered) PLI_TRY(pli_sweep_candidates(&s, view->pool, error));
    if (set->candidates.valid) {
        PLI_TRY(pli_sweep_choose(&s, view->pool, error));
        PLI_TRY(finish_part(&s, view->pool, error));
    } else {
        PLI_TRY(refresh_in_parts(&s, view, error));
    }
    PLI_TRY(adopt(set, p != NULL, error));
    if (p) *alpha = s.to;
    return PLI_OK;
}

// ---- islands

// The longest displacement of a primitive's vertices, squared.
static double longest(int dim, int count, const double* const* p) {
    double most = 0;
    for (int i = 0; i < count; ++i) most = fmax(most, pli_dot(p[i], p[i], dim));
    return most;
}

// Of the squared displacement: a primitive that moves less than half as far as the other need not
// stop.
static const double COMPARABLE = 0.25;

static void limit_pair(const pli_sweep* s, const pli_box_pair* pair, const int32_t* island,
                       double* limit) {
    const pli_pair_set* set = s->set;
    int a = island[set->a.vertices[pair->query * set->a.width]];
    int b = island[set->b.vertices[pair->primitive * set->b.width]];
    double most = fmax(a < 0 ? 0 : limit[a], b < 0 ? 0 : limit[b]);
    pli_pair_motion m = pli_sweep_motion(s, pair);
    double t = certified_time(set, &m, pli_pair_offset(set, pair), most);
    if (!(t < most)) return;
    double way_a = longest(set->dim, set->a.width, m.p);
    double way_b = longest(set->dim, set->b.width, m.p + set->a.width);
    if (a >= 0 && (a == b || way_a >= COMPARABLE * way_b)) limit[a] = fmin(limit[a], t);
    if (b >= 0 && (a == b || way_b >= COMPARABLE * way_a)) limit[b] = fmin(limit[b], t);
}

pli_status pli_pair_set_limit(pli_pair_set* set, const pli_view* view, const double* p,
                              const int32_t* island, double* limit, pli_error* error) {
    pli_sweep s = {.set = set, .x = view->x, .p = p, .start = view->x, .to = 1};
    bool covered;
    PLI_TRY(pli_sweep_survey(&s, view->pool, &covered, error));
    if (!covered) PLI_TRY(pli_sweep_candidates(&s, view->pool, error));
    if (!set->candidates.valid) return PLI_OK; // too many pairs: the certified step decides
    PLI_TRY(pli_sweep_choose(&s, view->pool, error));
    for (int i = 0; i < set->found.count; ++i) limit_pair(&s, &set->found.pairs[i], island, limit);
    return PLI_OK;
}
