// Swept boxes -> tree -> pairs; cached candidates make most searches unnecessary.
#include "contact/pair_search.h"

#include "math/vec.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { BOX_GRAIN = 1024, PAIR_GRAIN = 1024, VERTEX_GRAIN = 1024 };
static const double LEAST_REACH = 0.1, MOST_REACH = 0.12;
static const double SHARE_FACTOR = 0.25, LEAST_SHARE = 1.0 / 64;
enum { MAX_WIDTH = 3 };       // vertices of a primitive
enum { DRIFTS_PER_PAIR = 4 }; // cost of a clearance relative to a drift
enum { PAIRS_PER_PRIMITIVE = 16, PAIRS_AT_LEAST = 4096, REACHED_PER_PAIR = 4, ROOM_TO_GROW = 8 };

static int clamp_limit(int64_t limit) { return limit > INT32_MAX ? INT32_MAX : (int)limit; }

int pli_pair_limit(const pli_pair_set* set) {
    return clamp_limit((int64_t)PAIRS_PER_PRIMITIVE * pli_max_int(set->a.count, set->b.count) +
                       PAIRS_AT_LEAST);
}

static double smaller(double a, double b) { return b < a ? b : a; }
static double larger(double a, double b) { return b > a ? b : a; }

// ---- boxes

// Coordinate k of vertex v at the end of the part.
static double end_of(const pli_sweep* s, int32_t v, int k) {
    return s->x[3 * v + k] + s->to * s->p[3 * v + k];
}

// Boxes of a primitive at the start and, if there is motion, at the end of the part. In the plane z
// is omitted. Each of a pair is enlarged by half of dhat and all of the rest.
static void put_boxes(const pli_sweep* s, const int32_t* vertices, int width, double offset,
                      pli_box* out[2]) {
    double inflation = 0.5 * s->set->dhat + s->margin + s->reach + offset;
    for (int k = 0; k < 3; ++k) {
        bool flat = k >= s->set->dim;
        double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
        for (int i = 0; i < width && !flat; ++i) {
            double begin = s->start[3 * vertices[i] + k];
            double end = s->p ? end_of(s, vertices[i], k) : begin;
            low[0] = smaller(low[0], begin);
            low[1] = smaller(low[1], end);
            high[0] = larger(high[0], begin);
            high[1] = larger(high[1], end);
        }
        for (int time = 0; time < (s->p ? 2 : 1); ++time) {
            out[time]->min[k] = flat ? 0 : low[time] - inflation;
            out[time]->max[k] = flat ? 0 : high[time] + inflation;
        }
    }
}

static void a_box_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i)
        put_boxes(s, set->a.vertices + i * set->a.width, set->a.width,
                  set->a_offset ? set->a_offset[i] : 0,
                  (pli_box* [2]){&set->a_boxes[i], &set->a_ends[i]});
}

static void b_box_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i)
        put_boxes(s, set->b.vertices + i * set->b.width, set->b.width,
                  set->b_offset ? set->b_offset[i] : 0,
                  (pli_box* [2]){&set->b_boxes[i], &set->b_ends[i]});
}

static void make_boxes(pli_sweep* s, pli_pool* pool) {
    pli_parallel_for(pool, s->set->a.count, BOX_GRAIN, a_box_block, s);
    if (!s->set->symmetric) pli_parallel_for(pool, s->set->b.count, BOX_GRAIN, b_box_block, s);
}

// ---- motion since the last search

static void add_place(pli_range* range, int k, double x) {
    range->low[k] = smaller(range->low[k], x);
    range->high[k] = larger(range->high[k], x);
}

static void survey_vertex(const pli_sweep* s, int i, pli_survey* out) {
    const double* at = s->set->candidates.at + 3 * (size_t)i;
    int32_t v = s->set->used[i];
    for (int k = 0; k < s->set->dim; ++k) {
        double x = s->x[3 * v + k], p = s->p ? s->p[3 * v + k] : 0;
        double end = s->p ? end_of(s, v, k) : x;
        if (!(isfinite(x) && isfinite(p) && isfinite(end)) && out->bad < 0) out->bad = v;
        add_place(&out->begin, k, x - at[k]);
        add_place(&out->end, k, end - at[k]);
        add_place(&out->step, k, s->to * p);
        out->size = larger(out->size, larger(fabs(x), fabs(end)));
    }
}

#define NOTHING                                                                                    \
    {                                                                                              \
        {HUGE_VAL, HUGE_VAL, HUGE_VAL}, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL }                        \
    }
static const pli_survey nothing_seen = {NOTHING, NOTHING, NOTHING, 0, -1};
#undef NOTHING

static void survey_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    pli_survey seen = nothing_seen;
    for (int i = first; i < end; ++i) survey_vertex(s, i, &seen);
    s->set->surveys[first / VERTEX_GRAIN] = seen;
}

static void add_range(pli_range* sum, const pli_range* block) {
    for (int k = 0; k < 3; ++k) {
        sum->low[k] = smaller(sum->low[k], block->low[k]);
        sum->high[k] = larger(sum->high[k], block->high[k]);
    }
}

static void add_survey(pli_survey* sum, const pli_survey* block) {
    add_range(&sum->begin, &block->begin);
    add_range(&sum->end, &block->end);
    add_range(&sum->step, &block->step);
    sum->size = larger(sum->size, block->size);
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

// Restricts the candidates to one time of their search, the one that corresponds to x:
// t = (x - at) . by / by . by,
// if x lies on the motion at all.
static void choose_time(pli_sweep* s) {
    pli_pair_set* set = s->set;
    pli_candidates* c = &set->candidates;
    double along = 0, whole = 0;
    for (int i = 0; i < set->used_count; ++i)
        for (int k = 0; k < set->dim; ++k) {
            double by = c->by[3 * i + k];
            along += (s->x[3 * set->used[i] + k] - c->at[3 * i + k]) * by;
            whole += by * by;
        }
    double t = along > 0 ? along < whole ? along / whole : 1 : 0;
    for (int i = 0; i < 3 * set->used_count; ++i) c->at[i] += t * c->by[i];
    c->moves = false;
}

// How far two vertices may have moved relative to each other.
static double diagonal(const pli_range* range, int dim) {
    double sum = 0;
    for (int k = 0; k < dim; ++k)
        sum += (range->high[k] - range->low[k]) * (range->high[k] - range->low[k]);
    return sqrt(sum);
}

// More than the spacing of doubles at any position, and more than pli_ccd_resolution.
static double rounding_margin(const pli_sweep* s, double size) {
    return 1e-6 * s->set->dhat + 4096 * DBL_EPSILON * size;
}

// Candidates are valid if there is a common translation of all vertices, at the start and at the
// end, such that every vertex is within `reach` of its position in the search: if the range is at
// most twice the reach.
pli_status pli_sweep_survey(pli_sweep* s, pli_pool* pool, bool* covered, pli_error* error) {
    pli_pair_set* set = s->set;
    pli_candidates* c = &set->candidates;
    int blocks = (set->used_count + VERTEX_GRAIN - 1) / VERTEX_GRAIN;
    PLI_TRY(PLI_GROW(set->memory, set->surveys, set->survey_capacity, blocks, error));
    if (c->valid && c->moves) choose_time(s);
    pli_parallel_for(pool, set->used_count, VERTEX_GRAIN, survey_block, s);
    pli_survey seen = nothing_seen;
    for (int i = 0; i < blocks; ++i) add_survey(&seen, &set->surveys[i]);
    if (seen.bad >= 0) return refuse(s, seen.bad, error);
    *covered = c->valid;
    s->margin = rounding_margin(s, seen.size);
    double room = 2 * (c->reach + c->margin - s->margin);
    for (int k = 0; k < set->dim && set->used_count > 0; ++k) {
        if (!(seen.begin.high[k] - seen.begin.low[k] <= room)) *covered = false;
        if (!(seen.end.high[k] - seen.end.low[k] <= room)) *covered = false;
    }
    s->drifted = diagonal(&seen.begin, set->dim);
    s->drift = diagonal(&seen.step, set->dim);
    for (int k = 0; k < set->dim; ++k) {
        s->since[k] = 0.5 * (seen.begin.low[k] + seen.begin.high[k]);
        s->over[k] = 0.5 * (seen.step.low[k] + seen.step.high[k]);
    }
    return PLI_OK;
}

// ---- pairs

// The distance of the parts within two boxes during the motion, at least: both boxes together were
// enlarged by `more`.
static double box_distance(const pli_sweep* s, int i, int j, double more) {
    const pli_pair_set* set = s->set;
    const pli_box *a[2] = {&set->a_boxes[i], &set->a_ends[i]},
                  *b[2] = {&set->b_boxes[j], &set->b_ends[j]};
    int last = s->p && s->to > s->from;
    double sum = 0;
    for (int k = 0; k < set->dim; ++k) {
        double above =
            smaller(a[0]->min[k], a[last]->min[k]) - larger(b[0]->max[k], b[last]->max[k]);
        double below =
            smaller(b[0]->min[k], b[last]->min[k]) - larger(a[0]->max[k], a[last]->max[k]);
        double gap = larger(above, below) + more;
        if (gap > 0) sum += gap * gap;
    }
    return sqrt(sum);
}

// Boxes are enlarged by the full thickness; neighbours at rest need less.
static bool may_come_near(const pli_sweep* s, int i, int j) {
    const pli_pair_set* set = s->set;
    double whole = set->a_offset[i] + set->b_offset[j];
    const int32_t* v[2] = {set->a.vertices + i * set->a.width, set->b.vertices + j * set->b.width};
    double bound = pli_offset_bound(set->rest, set->dim, v, whole);
    if (!(bound < whole)) return true;
    double room = set->dhat + 2 * (s->margin + s->reach);
    double distance = box_distance(s, i, j, room + whole);
    return distance <= room + bound &&
           distance <= room + pli_pair_offset(set, &(pli_box_pair){i, j});
}

static bool may_pair(const void* context, int i, int j) {
    const pli_sweep* s = context;
    const pli_pair_set* set = s->set;
    const int32_t* a = set->a.vertices + i * set->a.width;
    const int32_t* b = set->b.vertices + j * set->b.width;
    if (!pli_primitives_may_touch(set->filter, set->a.width, a, set->b.width, b)) return false;
    return !set->rest || may_come_near(s, i, j);
}

static pli_status query_pairs(pli_sweep* s, pli_pool* pool, int max_pairs, pli_box_pairs* out,
                              pli_error* error) {
    pli_pair_set* set = s->set;
    bool moves = s->p && s->to > s->from;
    make_boxes(s, pool);
    PLI_TRY(pli_bvh_build_moving(&set->tree, pool, set->b.count, set->b_boxes,
                                 moves ? set->b_ends : NULL, error));
    pli_box_query query = {.count = set->a.count,
                           .boxes = set->a_boxes,
                           .ends = moves ? set->a_ends : NULL,
                           .keep = may_pair,
                           .context = s,
                           .max_pairs = max_pairs,
                           .same = set->symmetric};
    return pli_bvh_query(&set->tree, pool, &query, out, error);
}

pli_pair_motion pli_sweep_motion(const pli_sweep* s, const pli_box_pair* pair) {
    const pli_primitives *a = &s->set->a, *b = &s->set->b;
    const int32_t* v[2] = {a->vertices + pair->query * a->width,
                           b->vertices + pair->primitive * b->width};
    pli_pair_motion m;
    for (int i = 0; i < a->width + b->width; ++i) {
        size_t at = 3 * (size_t)(i < a->width ? v[0][i] : v[1][i - a->width]);
        m.x[i] = s->start + at;
        m.p[i] = s->p ? s->p + at : NULL;
    }
    return m;
}

double pli_sweep_clearance(const pli_sweep* s, const pli_box_pair* pair) {
    pli_pair_motion m = pli_sweep_motion(s, pair);
    double offset = pli_pair_offset(s->set, pair);
    return s->set->kind->clearance(s->set->dim, m.x, s->p ? m.p : NULL, s->to - s->from,
                                   s->set->dhat + offset) -
           offset;
}

// ---- candidates: how far they have moved, how far apart they are

static pli_ball ball_around(int count, double (*motion)[3]) {
    double centre[3] = {0}, most = 0;
    for (int i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) centre[k] += motion[i][k] / count;
    for (int i = 0; i < count; ++i) {
        double d[3];
        pli_sub(motion[i], centre, d, 3);
        most = larger(most, pli_dot(d, d, 3));
    }
    return (pli_ball){{(float)centre[0], (float)centre[1], (float)centre[2]}, (float)sqrt(most)};
}

static void put_drifts(const pli_sweep* s, const pli_primitives* list, int first, int end,
                       pli_drift* out) {
    const pli_pair_set* set = s->set;
    for (int i = first; i < end; ++i) {
        double since[MAX_WIDTH][3] = {{0}}, over[MAX_WIDTH][3] = {{0}};
        for (int j = 0; j < list->width; ++j) {
            int32_t v = list->vertices[i * list->width + j];
            const double* at = set->candidates.at + 3 * (size_t)set->used_at[v];
            for (int k = 0; k < set->dim; ++k) {
                since[j][k] = s->x[3 * v + k] - at[k] - s->since[k];
                over[j][k] = s->p ? s->to * s->p[3 * v + k] - s->over[k] : 0;
            }
        }
        out[i] = (pli_drift){ball_around(list->width, since), ball_around(list->width, over)};
    }
}

static void a_drift_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    put_drifts(s, &s->set->a, first, end, s->set->a_drifts);
}

static void b_drift_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    put_drifts(s, &s->set->b, first, end, s->set->b_drifts);
}

static void make_drifts(pli_sweep* s, pli_pool* pool) {
    pli_parallel_for(pool, s->set->a.count, BOX_GRAIN, a_drift_block, s);
    if (!s->set->symmetric) pli_parallel_for(pool, s->set->b.count, BOX_GRAIN, b_drift_block, s);
}

// How far points of the two may have moved relative to each other, up to rounding.
static float between(const pli_ball* a, const pli_ball* b) {
    float x = a->centre[0] - b->centre[0], y = a->centre[1] - b->centre[1],
          z = a->centre[2] - b->centre[2];
    return sqrtf(x * x + y * y + z * z) + a->radius + b->radius;
}

// Rounded down to float.
static float gap_of(double clearance) { return (float)(clearance - 1e-6 * fabs(clearance)); }

static void gap_block(void* context, int first, int end) {
    const pli_sweep* s = context;
    const pli_candidates* c = &s->set->candidates;
    for (int i = first; i < end; ++i)
        c->gaps[i] = gap_of(pli_sweep_clearance(s, &c->pairs.pairs[i]));
}

// The number of gaps not above the limit.
static int count_gaps(const float* gaps, int n, float limit) {
    int count = 0;
    for (int i = 0; i < n; ++i) count += gaps[i] <= limit;
    return count;
}

// What a loop over the candidates selects: those with gaps up to a common limit and, if `drifts`
// are known, up to a limit per pair. The slack covers rounding.
typedef struct choice {
    const pli_sweep* sweep;
    float limit, slack;
    bool drifts;
} choice;

// A pair whose gap exceeds dhat plus its possible motion is at least dhat + drift apart at the
// start, and the direction of its closest points certifies it for the whole part: the clearance
// need not be computed. Clearances of the other pairs are stored.
static void choose_pair(const choice* want, int i) {
    const pli_sweep* s = want->sweep;
    const pli_pair_set* set = s->set;
    const pli_candidates* c = &set->candidates;
    const pli_box_pair* pair = &c->pairs.pairs[i];
    double drifted = s->drifted;
    if (want->drifts) {
        const pli_drift *a = &set->a_drifts[pair->query], *b = &set->b_drifts[pair->primitive];
        float since = between(&a->since, &b->since);
        if (c->gaps[i] > want->slack + since + between(&a->over, &b->over)) return;
        drifted = (double)since;
    }
    double clearance = pli_sweep_clearance(s, pair);
    set->near[i] = !(clearance > set->dhat);
    float gap = gap_of(clearance - drifted) - (want->slack - (float)set->dhat);
    if (gap > c->gaps[i]) c->gaps[i] = gap;
}

static void choose_block(void* context, int first, int end) {
    enum { CHUNK = 32 };
    const choice* want = context;
    const pli_pair_set* set = want->sweep->set;
    const float* gaps = set->candidates.gaps;
    memset(set->near + first, 0, (size_t)(end - first));
    for (int chunk = first; chunk < end; chunk += CHUNK) {
        int n = pli_min_int(CHUNK, end - chunk);
        if (count_gaps(gaps + chunk, n, want->limit) == 0) continue;
        for (int i = chunk; i < chunk + n; ++i)
            if (gaps[i] <= want->limit) choose_pair(want, i);
    }
}

pli_status pli_sweep_choose(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    const pli_box_pairs* from = &set->candidates.pairs;
    PLI_TRY(PLI_GROW(set->memory, set->near, set->near_capacity, from->count, error));
    double moved = s->drifted + s->drift;
    double slack = set->dhat + s->margin + 1e-5 * (set->dhat + moved);
    choice want = {.sweep = s, .limit = (float)(slack + moved), .slack = (float)slack};
    int open = count_gaps(set->candidates.gaps, from->count, want.limit);
    want.drifts = moved > 0 && open > (set->a.count + set->b.count) / DRIFTS_PER_PAIR;
    if (want.drifts) make_drifts(s, pool);
    pli_parallel_for(pool, from->count, PAIR_GRAIN, choose_block, &want);
    int count = 0;
    for (int i = 0; i < from->count; ++i) count += set->near[i];
    PLI_TRY(PLI_GROW(set->memory, set->found.pairs, set->found.capacity, count, error));
    set->found.count = 0;
    for (int i = 0; i < from->count && set->found.count < count; ++i)
        if (set->near[i]) set->found.pairs[set->found.count++] = from->pairs[i];
    return PLI_OK;
}

// Mean over the primitives b of the longest side of their boxes at the start, including dhat.
static double mean_side(const pli_sweep* s) {
    const pli_pair_set* set = s->set;
    double sum = 0;
    for (int i = 0; i < set->b.count; ++i) {
        double longest = 0;
        for (int k = 0; k < set->dim; ++k) {
            double low = HUGE_VAL, high = -HUGE_VAL;
            for (int j = 0; j < set->b.width; ++j) {
                double x = s->start[3 * set->b.vertices[i * set->b.width + j] + k];
                low = smaller(low, x);
                high = larger(high, x);
            }
            longest = larger(longest, high - low);
        }
        sum += longest;
    }
    return set->b.count > 0 ? sum / set->b.count + set->dhat : 0;
}

static void remember_places(pli_sweep* s) {
    pli_pair_set* set = s->set;
    pli_candidates* c = &set->candidates;
    c->moves = s->p;
    c->margin = s->margin;
    for (int i = 0; i < set->used_count; ++i)
        for (int k = 0; k < set->dim; ++k) {
            int at = 3 * set->used[i] + k;
            c->at[3 * i + k] = s->x[at];
            c->by[3 * i + k] = s->p ? s->to * s->p[at] : 0;
        }
}

// The number of pairs at the start of the part.
static pli_status pairs_at_rest(pli_sweep* s, pli_pool* pool, int64_t* count, pli_error* error) {
    double to = s->to;
    s->to = s->from;
    pli_status status = query_pairs(s, pool, INT32_MAX, &s->set->found, error);
    s->to = to;
    *count = s->set->found.found;
    return status;
}

// Searches with the longest reach, from that of the last search on, that keeps within the limit.
// Where even the shortest exceeds it, there are too many pairs: this does not depend on the start.
static pli_status search_within(pli_sweep* s, pli_pool* pool, double side, int64_t limit,
                                pli_error* error) {
    pli_candidates* c = &s->set->candidates;
    for (;;) {
        s->reach = c->reach = MOST_REACH * c->share * side;
        PLI_TRY(query_pairs(s, pool, clamp_limit(limit), &c->pairs, error));
        bool within = c->pairs.found <= limit;
        if (!within && c->share > LEAST_SHARE) {
            c->share *= SHARE_FACTOR;
            continue;
        }
        if (within && c->share < 1 && ROOM_TO_GROW * c->pairs.found < limit)
            c->share /= SHARE_FACTOR; // of the next search
        return PLI_OK;
    }
}

// The reach is a fraction of a box: the number of pairs grows with the square of the box size on a
// surface, and faster in a bundle of threads.
pli_status pli_sweep_candidates(pli_sweep* s, pli_pool* pool, pli_error* error) {
    pli_pair_set* set = s->set;
    pli_candidates* c = &set->candidates;
    c->valid = false;
    double side = mean_side(s);
    set->search_count++;
    int64_t limit = 2 * (int64_t)pli_pair_limit(set);
    pli_status status = search_within(s, pool, side, limit, error);
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
    PLI_TRY(PLI_GROW(set->memory, c->gaps, c->gap_capacity, c->pairs.count, error));
    pli_parallel_for(pool, c->pairs.count, PAIR_GRAIN, gap_block, s);
    remember_places(s);
    s->drifted = s->drift = 0; // the gaps now belong to this segment
    c->valid = true;
    return PLI_OK;
}

// As the part gets shorter the number of pairs approaches that at rest: halving terminates.
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
