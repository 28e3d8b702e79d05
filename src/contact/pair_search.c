// Swept boxes -> tree -> pairs, and candidates that make most searches unnecessary.
#include "contact/pair_search.h"

#include <float.h>
#include <math.h>

enum { BOX_GRAIN = 1024, PAIR_GRAIN = 1024, VERTEX_GRAIN = 1024 };
static const double LONG_MOTION = 0.25, REACH_MOTIONS = 3, LEAST_REACH = 0.1, MOST_REACH = 0.25;
enum { PAIRS_PER_PRIMITIVE = 16, PAIRS_AT_LEAST = 4096, REACHED_PER_PAIR = 4 };

static int clamp_limit(int64_t limit) { return limit > INT32_MAX ? INT32_MAX : (int)limit; }

int pli_pair_limit(const pli_pair_set* set) {
    return clamp_limit((int64_t)PAIRS_PER_PRIMITIVE * pli_max_int(set->a.count, set->b.count) +
                       PAIRS_AT_LEAST);
}

// ---- boxes

// What most vertices have in common of their motion: the mean over those that move. Boxes are swept
// as if seen by somebody who drifts along, so that a body that flies far does not sweep over
// itself.
void pli_sweep_drift(pli_sweep* s) {
    int count = 0;
    double sum[3] = {0};
    for (int i = 0; s->p && i < s->set->used_count; ++i) {
        const double* p = s->p + 3 * (size_t)s->set->used[i];
        bool moves = false;
        for (int k = 0; k < s->set->dim; ++k) {
            sum[k] += p[k];
            moves = moves || p[k] != 0;
        }
        count += moves;
    }
    for (int k = 0; k < s->set->dim && count > 0; ++k) {
        double mean = sum[k] / count;
        s->drift[k] = isfinite(mean) ? mean : 0; // what is not finite is refused later
    }
}

// Coordinate k of vertex v at time t, seen so.
static double place_at(const pli_sweep* s, int32_t v, int k, double t) {
    return s->x[3 * v + k] + t * s->p[3 * v + k] - t * s->drift[k];
}

// Box of a primitive over the part. Rounding is monotone, so rounded positions at any t between lie
// between those at the ends. In the plane z is left out.
static pli_box swept_box(const pli_sweep* s, const int32_t* vertices, int width, double inflation) {
    pli_box box = {{0}, {0}};
    for (int k = 0; k < s->set->dim; ++k) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int i = 0; i < width; ++i) {
            int32_t v = vertices[i];
            double begin = s->start[3 * v + k] - s->from * s->drift[k];
            double end = s->p ? place_at(s, v, k, s->to) : begin;
            low = fmin(low, fmin(begin, end));
            high = fmax(high, fmax(begin, end));
        }
        box.min[k] = low - inflation;
        box.max[k] = high + inflation;
    }
    return box;
}

// A little of dhat for rounding: 1e-6 dhat is more than the spacing of doubles at any position up
// to 1e9 dhat.
static const double slack = 1e-6;

// Half of dhat each.
static double box_inflation(const pli_sweep* s, const double* offset, int i) {
    double drift = fabs(s->drift[0]) + fabs(s->drift[1]) + fabs(s->drift[2]);
    double inflation = 0.5 * s->set->dhat * (1 + slack) + s->reach + 4 * DBL_EPSILON * drift;
    return offset ? inflation + offset[i] * (1 + slack) : inflation;
}

static void a_box_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_primitives* a = &s->set->a;
    for (int i = first; i < end; ++i)
        s->set->a_boxes[i] = swept_box(s, a->vertices + i * a->width, a->width,
                                       box_inflation(s, s->set->a_offset, i));
}

static void b_box_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_primitives* b = &s->set->b;
    for (int i = first; i < end; ++i)
        s->set->b_boxes[i] = swept_box(s, b->vertices + i * b->width, b->width,
                                       box_inflation(s, s->set->b_offset, i));
}

void pli_sweep_boxes(pli_sweep* s, pli_pool* pool) {
    pli_parallel_for(pool, s->set->a.count, BOX_GRAIN, a_box_block, s);
    if (!s->set->symmetric) pli_parallel_for(pool, s->set->b.count, BOX_GRAIN, b_box_block, s);
}

// ---- what has moved

static void survey_vertex(const pli_sweep* s, int i, pli_survey* out) {
    const pli_candidates* c = &s->set->candidates;
    int32_t v = s->set->used[i];
    for (int k = 0; k < s->set->dim; ++k) {
        double x = s->x[3 * v + k], p = s->p ? s->p[3 * v + k] : 0, step = s->to * p;
        double end = s->p ? place_at(s, v, k, s->to) : x, low = fmin(x, end), high = fmax(x, end);
        if (!(isfinite(x) && isfinite(p) && isfinite(end)) && out->bad < 0) out->bad = v;
        out->over[k] = fmax(out->over[k], high - c->high[3 * i + k]);
        out->under[k] = fmin(out->under[k], low - c->low[3 * i + k]);
        out->most[k] = fmax(out->most[k], step);
        out->least[k] = fmin(out->least[k], step);
    }
}

static const pli_survey nothing_seen = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                        {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                        {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                                        {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                                        -1};

static void survey_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    pli_survey seen = nothing_seen;
    for (int i = first; i < end; ++i) survey_vertex(s, i, &seen);
    s->set->surveys[first / VERTEX_GRAIN] = seen;
}

static void add_survey(pli_survey* sum, const pli_survey* block) {
    for (int k = 0; k < 3; ++k) {
        sum->over[k] = fmax(sum->over[k], block->over[k]);
        sum->under[k] = fmin(sum->under[k], block->under[k]);
        sum->most[k] = fmax(sum->most[k], block->most[k]);
        sum->least[k] = fmin(sum->least[k], block->least[k]);
    }
    if (sum->bad < 0) sum->bad = block->bad;
}

static pli_status refuse(const pli_sweep* s, int32_t v, pli_error* error) {
    int k = 0;
    while (k + 1 < s->set->dim && isfinite(s->x[3 * v + k]) && (!s->p || isfinite(s->p[3 * v + k])))
        k++;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "contact: vertex %d: position %g, step %g, must be finite", (int)v,
                    s->x[3 * v + k], s->p ? s->p[3 * v + k] : 0.0);
}

// Candidates hold if there is a common shift c with
//   low - reach <= x - c <= high + reach  for all vertices,  x over the segment,
// that is if max(x - high) - min(x - low) <= 2 reach. `motion` is how far vertices move from each
// other over the segment, in any coordinate.
pli_status pli_sweep_survey(pli_sweep* s, pli_pool* pool, bool* covered, double* motion,
                            pli_error* error) {
    pli_pair_set* set = s->set;
    int blocks = (set->used_count + VERTEX_GRAIN - 1) / VERTEX_GRAIN;
    PLI_TRY(PLI_GROW(set->memory, set->surveys, set->survey_capacity, blocks, error));
    pli_parallel_for(pool, set->used_count, VERTEX_GRAIN, survey_block, s);
    pli_survey seen = nothing_seen;
    for (int i = 0; i < blocks; ++i) add_survey(&seen, &set->surveys[i]);
    if (seen.bad >= 0) return refuse(s, seen.bad, error);
    *covered = set->candidates.valid;
    *motion = 0;
    double room = 2 * (set->candidates.reach - slack * set->dhat);
    for (int k = 0; k < set->dim && set->used_count > 0; ++k) {
        if (!(seen.over[k] - seen.under[k] <= room)) *covered = false;
        *motion = fmax(*motion, seen.most[k] - seen.least[k]);
    }
    return PLI_OK;
}

// ---- pairs

static bool may_pair(const void* context, int i, int j) {
    const pli_pair_set* set = context;
    const int32_t* a = set->a.vertices + i * set->a.width;
    const int32_t* b = set->b.vertices + j * set->b.width;
    if (set->symmetric && i >= j) return false;
    for (int k = 0; k < set->a.width; ++k)
        for (int l = 0; l < set->b.width; ++l)
            if (a[k] == b[l]) return false;
    return pli_may_touch(set->filter, a[0], b[0]);
}

static pli_status query_pairs(pli_sweep* s, pli_pool* pool, int max_pairs, pli_box_pairs* out,
                              pli_error* error) {
    pli_pair_set* set = s->set;
    pli_sweep_boxes(s, pool);
    PLI_TRY(pli_bvh_build(&set->tree, pool, set->b.count, set->b_boxes, error));
    pli_box_query query = {.count = set->a.count,
                           .boxes = set->a_boxes,
                           .keep = may_pair,
                           .context = set,
                           .max_pairs = max_pairs};
    return pli_bvh_query(&set->tree, pool, &query, out, error);
}

static void choose_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i) {
        const pli_box_pair* pair = &set->candidates.pairs.pairs[i];
        set->near[i] =
            pli_boxes_overlap(&set->a_boxes[pair->query], &set->b_boxes[pair->primitive]);
    }
}

pli_status pli_sweep_choose(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    const pli_box_pairs* from = &set->candidates.pairs;
    PLI_TRY(PLI_GROW(set->memory, set->near, set->near_capacity, from->count, error));
    pli_sweep_boxes(s, pool);
    pli_parallel_for(pool, from->count, PAIR_GRAIN, choose_block, s);
    int count = 0;
    for (int i = 0; i < from->count; ++i) count += set->near[i];
    PLI_TRY(PLI_GROW(set->memory, set->found.pairs, set->found.capacity, count, error));
    set->found.count = 0;
    for (int i = 0; i < from->count; ++i)
        if (set->near[i]) set->found.pairs[set->found.count++] = from->pairs[i];
    return PLI_OK;
}

// Mean over the primitives b of the longest side of their boxes, dhat included.
static double mean_side(const pli_pair_set* set) {
    double sum = 0;
    for (int i = 0; i < set->b.count; ++i) {
        double longest = 0;
        for (int k = 0; k < set->dim; ++k)
            longest = fmax(longest, set->b_boxes[i].max[k] - set->b_boxes[i].min[k]);
        sum += longest;
    }
    return set->b.count > 0 ? sum / set->b.count : 0;
}

static void remember_ranges(pli_sweep* s) {
    pli_pair_set* set = s->set;
    for (int i = 0; i < set->used_count; ++i)
        for (int k = 0; k < set->dim; ++k) {
            double x = s->x[3 * set->used[i] + k];
            double end = s->p ? place_at(s, set->used[i], k, s->to) : x;
            set->candidates.low[3 * i + k] = fmin(x, end);
            set->candidates.high[3 * i + k] = fmax(x, end);
        }
}

// How many pairs there are at the start of the part.
static pli_status pairs_at_rest(pli_sweep* s, pli_pool* pool, int64_t* count, pli_error* error) {
    double to = s->to;
    s->to = s->from;
    pli_status status = query_pairs(s, pool, INT32_MAX, &s->set->found, error);
    s->to = to;
    *count = s->set->found.found;
    return status;
}

// The reach is a few such segments, but no more than a quarter of a box: the number of pairs grows
// with the square of the boxes on a surface. A longer segment is better searched by itself.
pli_status pli_sweep_candidates(pli_sweep* s, pli_pool* pool, double motion, pli_error* error) {
    pli_pair_set* set = s->set;
    pli_candidates* c = &set->candidates;
    c->valid = false;
    double to = s->to;
    s->to = s->from;
    pli_sweep_boxes(s, pool);
    s->to = to;
    double side = mean_side(set);
    if (motion > LONG_MOTION * side) return PLI_OK;
    set->search_count++;
    s->reach = c->reach = fmin(fmax(REACH_MOTIONS * motion, LEAST_REACH * side), MOST_REACH * side);
    int64_t limit = 2 * (int64_t)pli_pair_limit(set);
    pli_status status = query_pairs(s, pool, clamp_limit(limit), &c->pairs, error);
    if (status == PLI_OK && c->pairs.found > limit) { // there may be as many without any reach
        int64_t at_rest;
        s->reach = 0;
        PLI_TRY(pairs_at_rest(s, pool, &at_rest, error));
        s->reach = c->reach = LEAST_REACH * side;
        if (REACHED_PER_PAIR * at_rest > limit)
            status =
                query_pairs(s, pool, clamp_limit(REACHED_PER_PAIR * at_rest), &c->pairs, error);
    }
    s->reach = 0;
    PLI_TRY(status);
    if (c->pairs.found > c->pairs.count) return PLI_OK;
    remember_ranges(s);
    c->valid = true;
    return PLI_OK;
}

// The shorter the part the closer the number of pairs comes to that at rest: halving ends.
pli_status pli_sweep_search(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    int64_t limit = s->p ? pli_pair_limit(set) : INT32_MAX;
    for (int attempt = 0;; ++attempt) {
        set->search_count++;
        PLI_TRY(query_pairs(s, pool, (int)limit, &set->found, error));
        if (set->found.found <= limit) return PLI_OK;
        if (attempt == 0 && limit < INT32_MAX) {
            int64_t at_rest;
            PLI_TRY(pairs_at_rest(s, pool, &at_rest, error));
            if (limit < 2 * at_rest) limit = 2 * at_rest;
        }
        if (limit >= INT32_MAX)
            return pli_fail(error, PLI_E_MEMORY, "contact: more than %d pairs are close",
                            INT32_MAX);
        s->to = s->from + 0.5 * (s->to - s->from);
    }
}
