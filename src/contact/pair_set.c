// Refresh: swept boxes -> tree -> pairs -> CCD shortens the segment -> pairs near on what is left.
#include "contact/pair_set.h"

#include <math.h>

enum { BOX_GRAIN = 1024, PAIR_GRAIN = 256 };

// A segment with more pairs than this is halved at most MAX_HALVINGS times, then the bound yields.
enum { PAIRS_PER_PRIMITIVE = 16, PAIRS_AT_LEAST = 4096, MAX_HALVINGS = 8 };

// A set up to KEEP_FACTOR times the needed one plus KEEP_EXTRA is kept rather than changed.
enum { KEEP_FACTOR = 2, KEEP_EXTRA = 64 };

// The segment x .. x + t p that the loops look at. p NULL: only x.
typedef struct sweep {
    pli_pair_set* set;
    const double *x, *p;
    double t;
} sweep;

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

pli_status pli_pair_set_init(pli_pair_set* set, pli_memory* memory, const pli_pair_set_def* def,
                             pli_error* error) {
    *set = (pli_pair_set){.memory = memory, .kind = def->kind, .dim = def->dim, .dhat = def->dhat};
    pli_bvh_init(&set->tree, memory);
    pli_box_pairs_init(&set->found, memory);
    PLI_TRY(check_def(def, error));
    pli_status status;
    PLI_TRY_CLEANUP(status, copy_primitives(memory, &set->a, def->a_count, def->a_width,
                                            def->a_vertices, error));
    PLI_TRY_CLEANUP(status, copy_primitives(memory, &set->b, def->b_count, def->b_width,
                                            def->b_vertices, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, set->a_boxes, def->a_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, set->b_boxes, def->b_count, error));
cleanup:
    if (status != PLI_OK) pli_pair_set_free(set);
    return status;
}

void pli_pair_set_free(pli_pair_set* set) {
    pli_memory* memory = set->memory;
    PLI_FREE(memory, set->a_boxes, set->a.count);
    PLI_FREE(memory, set->b_boxes, set->b.count);
    PLI_FREE(memory, set->a.vertices, set->a.count * set->a.width);
    PLI_FREE(memory, set->b.vertices, set->b.count * set->b.width);
    PLI_FREE(memory, set->pairs, set->pair_capacity);
    PLI_FREE(memory, set->vertices, set->vertex_capacity);
    PLI_FREE(memory, set->near, set->near_capacity);
    PLI_FREE(memory, set->next, set->next_capacity);
    PLI_FREE(memory, set->bounds, set->bound_capacity);
    pli_bvh_free(&set->tree);
    pli_box_pairs_free(&set->found);
    *set = (pli_pair_set){.memory = memory};
}

static pli_status check_finite(const pli_primitives* list, const pli_view* view, const double* p,
                               pli_error* error) {
    for (int i = 0; i < list->count * list->width; ++i) {
        int32_t v = list->vertices[i];
        for (int k = 0; k < view->dim; ++k)
            if (!isfinite(view->x[3 * v + k]) || (p && !isfinite(p[3 * v + k])))
                return pli_fail(error, PLI_E_ARGUMENT,
                                "contact: vertex %d: position %g, step %g, must be finite", (int)v,
                                view->x[3 * v + k], p ? p[3 * v + k] : 0.0);
    }
    return PLI_OK;
}

// Box of a primitive over the segment. Rounding is monotone, so rounded positions at any smaller t
// lie between those at 0 and at t. In the plane z is left out.
static pli_box swept_box(const sweep* s, const int32_t* vertices, int width, double inflation) {
    pli_box box = {{0}, {0}};
    for (int k = 0; k < s->set->dim; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < width; ++i) {
            double begin = s->x[3 * vertices[i] + k];
            double end = s->p ? begin + s->t * s->p[3 * vertices[i] + k] : begin;
            low = fmin(low, fmin(begin, end));
            high = fmax(high, fmax(begin, end));
        }
        box.min[k] = low - inflation;
        box.max[k] = high + inflation;
    }
    return box;
}

// Half of dhat each, and a little for rounding: 1e-6 dhat is more than the spacing of doubles at
// any position up to 1e9 dhat.
static double box_inflation(const pli_pair_set* set) { return 0.5 * set->dhat * (1 + 1e-6); }

static void a_box_block(void* context, int first, int end) {
    const sweep* s = context;
    const pli_primitives* a = &s->set->a;
    for (int i = first; i < end; ++i)
        s->set->a_boxes[i] =
            swept_box(s, a->vertices + i * a->width, a->width, box_inflation(s->set));
}

static void b_box_block(void* context, int first, int end) {
    const sweep* s = context;
    const pli_primitives* b = &s->set->b;
    for (int i = first; i < end; ++i)
        s->set->b_boxes[i] =
            swept_box(s, b->vertices + i * b->width, b->width, box_inflation(s->set));
}

static void make_boxes(sweep* s, pli_pool* pool) {
    pli_parallel_for(pool, s->set->a.count, BOX_GRAIN, a_box_block, s);
    pli_parallel_for(pool, s->set->b.count, BOX_GRAIN, b_box_block, s);
}

static bool share_no_vertex(const void* context, int i, int j) {
    const pli_pair_set* set = context;
    for (int k = 0; k < set->a.width; ++k)
        for (int l = 0; l < set->b.width; ++l)
            if (set->a.vertices[i * set->a.width + k] == set->b.vertices[j * set->b.width + l])
                return false;
    return true;
}

// All pairs whose swept boxes overlap; s->t shrinks if there are too many.
static pli_status find_pairs(sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    int64_t budget = (int64_t)PAIRS_PER_PRIMITIVE * set->a.count + PAIRS_AT_LEAST;
    for (int attempt = 0;; ++attempt) {
        bool last = !s->p || attempt == MAX_HALVINGS;
        make_boxes(s, pool);
        PLI_TRY(pli_bvh_build(&set->tree, set->b.count, set->b_boxes, error));
        pli_box_query query = {.count = set->a.count,
                               .boxes = set->a_boxes,
                               .keep = share_no_vertex,
                               .context = set,
                               .max_pairs = last || budget > INT32_MAX ? INT32_MAX : (int)budget};
        PLI_TRY(pli_bvh_query(&set->tree, pool, &query, &set->found, error));
        if (set->found.found <= query.max_pairs) return PLI_OK;
        if (last)
            return pli_fail(error, PLI_E_MEMORY, "contact: %lld pairs are close, at most %d can be",
                            (long long)set->found.found, INT32_MAX);
        s->t *= 0.5;
    }
}

typedef struct pair_motion {
    const double *x[PLI_STENCIL_MAX], *p[PLI_STENCIL_MAX];
} pair_motion;

static pair_motion motion_of(const sweep* s, const pli_box_pair* pair) {
    const pli_primitives *a = &s->set->a, *b = &s->set->b;
    pair_motion m = {{0}, {0}};
    for (int i = 0; i < a->width + b->width; ++i) {
        int32_t v = i < a->width ? a->vertices[pair->query * a->width + i]
                                 : b->vertices[pair->primitive * b->width + i - a->width];
        m.x[i] = s->x + 3 * v;
        m.p[i] = s->p ? s->p + 3 * v : NULL;
    }
    return m;
}

static void ccd_block(void* context, int first, int end) {
    const sweep* s = context;
    double t = s->t;
    for (int i = first; i < end; ++i) {
        pair_motion m = motion_of(s, &s->set->found.pairs[i]);
        t = s->set->kind->ccd(s->set->dim, m.x, m.p, t);
    }
    s->set->bounds[first / PAIR_GRAIN] = t;
}

// Shortens s->t, and with it the boxes, to what CCD certifies for all pairs found.
static pli_status certify(sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    int block_count = (set->found.count + PAIR_GRAIN - 1) / PAIR_GRAIN;
    PLI_TRY(PLI_GROW(set->memory, set->bounds, set->bound_capacity, block_count, error));
    pli_parallel_for(pool, set->found.count, PAIR_GRAIN, ccd_block, s);
    double t = s->t;
    for (int i = 0; i < block_count; ++i) t = fmin(t, set->bounds[i]);
    if (t < s->t) {
        s->t = t;
        make_boxes(s, pool);
    }
    return PLI_OK;
}

static void near_block(void* context, int first, int end) {
    const sweep* s = context;
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i) {
        const pli_box_pair* pair = &set->found.pairs[i];
        pair_motion m = motion_of(s, pair);
        bool near = pli_boxes_overlap(&set->a_boxes[pair->query], &set->b_boxes[pair->primitive]);
        set->near[i] =
            near && !set->kind->stays_apart(set->dim, m.x, s->p ? m.p : NULL, s->t, set->dhat);
    }
}

// Leaves in `found` only pairs that may be closer than dhat on the segment.
static pli_status keep_near(sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
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

// The union of the present set and the pairs found, in order; counts only if out is NULL.
static int merge_pairs(const pli_pair_set* set, pli_box_pair* out) {
    int i = 0, j = 0, count = 0;
    while (i < set->count || j < set->found.count) {
        int order = i == set->count         ? 1
                    : j == set->found.count ? -1
                                            : compare_pairs(&set->pairs[i], &set->found.pairs[j]);
        if (out) out[count] = order <= 0 ? set->pairs[i] : set->found.pairs[j];
        count++;
        i += order <= 0;
        j += order >= 0;
    }
    return count;
}

// Makes `next` the set: the pairs found, with the old ones if they may stay. If nothing changes the
// epoch stays. Nothing is touched before all memory is there.
static pli_status adopt(pli_pair_set* set, bool keep_old, pli_error* error) {
    int needed = set->found.count, both = merge_pairs(set, NULL);
    bool keep = keep_old && both <= (int64_t)KEEP_FACTOR * needed + KEEP_EXTRA;
    int count = keep ? both : needed, width = set->a.width + set->b.width;
    // A superset of the old set (or the found set within it) of the same size is the old set.
    if (count == set->count && both == count) return PLI_OK;
    if (count > INT32_MAX / width)
        return pli_fail(error, PLI_E_MEMORY, "contact: %d pairs are too many", count);
    PLI_TRY(PLI_GROW(set->memory, set->next, set->next_capacity, count, error));
    PLI_TRY(PLI_GROW(set->memory, set->vertices, set->vertex_capacity, count * width, error));
    if (keep)
        merge_pairs(set, set->next);
    else
        for (int i = 0; i < count; ++i) set->next[i] = set->found.pairs[i];
    pli_box_pair* old = set->pairs;
    int old_capacity = set->pair_capacity;
    set->pairs = set->next;
    set->pair_capacity = set->next_capacity;
    set->next = old;
    set->next_capacity = old_capacity;
    set->count = count;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < set->a.width; ++k)
            set->vertices[i * width + k] = set->a.vertices[set->pairs[i].query * set->a.width + k];
        for (int k = 0; k < set->b.width; ++k)
            set->vertices[i * width + set->a.width + k] =
                set->b.vertices[set->pairs[i].primitive * set->b.width + k];
    }
    set->epoch++;
    return PLI_OK;
}

pli_status pli_pair_set_refresh(pli_pair_set* set, const pli_view* view, const double* p,
                                double* alpha, pli_error* error) {
    PLI_ASSERT(!p || (*alpha >= 0 && *alpha <= 1));
    PLI_TRY(check_finite(&set->a, view, p, error));
    PLI_TRY(check_finite(&set->b, view, p, error));
    sweep s = {set, view->x, p, p ? *alpha : 0};
    PLI_TRY(find_pairs(&s, view->pool, error));
    if (p) PLI_TRY(certify(&s, view->pool, error));
    PLI_TRY(keep_near(&s, view->pool, error));
    PLI_TRY(adopt(set, p != NULL, error));
    if (p) *alpha = s.t;
    return PLI_OK;
}
