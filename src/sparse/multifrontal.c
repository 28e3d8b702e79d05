// Sparse Cholesky, H = L L^T, by the multifrontal method [Liu92].
//
// The tree of supernodes is processed from the leaves. A front is assembled from values of H and
// the update matrices of its children, its pivots are eliminated, and the rest is its own update
// matrix. Panels stay where they are factorized; update matrices are on a stack whose size is known
// in advance, so only analyze allocates memory.
//
// Most of the analysis is finding an order. When contacts change, the pattern is new but the groups
// are the same. The last order is reused as long as it needs at most 10 % more flops than when it
// was found, and at most OFTEN times in a row.
//
// Uncoupled unknowns (bodies that do not touch) form separate trees. Trees whose values have not
// changed keep their panels.
#include "sparse/multifrontal.h"
#include "sparse/elimination.h"
#include "sparse/foreign.h"
#include "sparse/frontal_plan.h"
#include "sparse/ordering.h"
#include "sparse/reserve.h"

#include <math.h>
#include <string.h>

enum { OFTEN = 16 }; // analyses in a row with one order

typedef struct multifrontal {
    pli_memory* memory;
    pli_pool* pool;
    const pli_front_kernels* kernels;
    bool blas;              // for large fronts
    const double* values;   // being factorized
    bool planned;           // the plan is built
    bool analyzed;          // and its memory is allocated
    bool positive_definite; // the last factor is complete
    int32_t* order;
    int ordered;       // groups in the order; -1: none
    int kept;          // analyses since it was found
    bool repeats;      // the next analysis repeats one that was counted before the state was saved
    double best_flops; // flops of the elimination when it was found
    pli_ordering ordering;
    pli_elimination elimination;
    pli_supernodes supernodes;
    pli_frontal_plan plan;
    double* factor;
    double* stack;
    double* y;      // unknowns in the order of elimination
    double* z;      // those of one front
    bool* done;     // of segments: no bad pivot
    int32_t* group; // of each unknown, in elimination order
    bool* held;     // of fronts: their panels are still valid
    size_t order_capacity, factor_capacity, stack_capacity, y_capacity, z_capacity, done_capacity,
        group_capacity, held_capacity;
} multifrontal;

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_linear_def* def, void** out,
                         pli_error* error) {
    multifrontal* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->pool = pool;
    self->kernels = pli_front_kernels_at(0);
    self->blas = def && def->blas;
    self->ordered = -1;
    pli_ordering_init(&self->ordering, memory);
    pli_elimination_init(&self->elimination, memory);
    pli_supernodes_init(&self->supernodes, memory);
    pli_frontal_plan_init(&self->plan, memory);
    *out = self;
    return PLI_OK;
}

static void destroy(void* object) {
    multifrontal* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    PLI_FREE(memory, self->order, self->order_capacity);
    PLI_FREE(memory, self->factor, self->factor_capacity);
    PLI_FREE(memory, self->stack, self->stack_capacity);
    PLI_FREE(memory, self->y, self->y_capacity);
    PLI_FREE(memory, self->z, self->z_capacity);
    PLI_FREE(memory, self->done, self->done_capacity);
    PLI_FREE(memory, self->group, self->group_capacity);
    PLI_FREE(memory, self->held, self->held_capacity);
    pli_ordering_free(&self->ordering);
    pli_elimination_free(&self->elimination);
    pli_supernodes_free(&self->supernodes);
    pli_frontal_plan_free(&self->plan);
    PLI_FREE(memory, self, 1);
}

static double elimination_flops(const pli_elimination* e) {
    double flops = 0;
    for (int k = 0; k < e->group_count; ++k) {
        double column = e->width[k] + e->below[k];
        flops += e->width[k] * column * column;
    }
    return flops;
}

// Finds the order and its elimination, or reuses the last order if it is still good enough.
static pli_status find_order(multifrontal* self, const pli_pattern* pattern, pli_error* error) {
    const double most = 1.1; // times the flops
    int n = pattern->group_count;
    bool repeats = self->repeats;
    self->repeats = false;
    if (self->ordered == n && (self->kept < OFTEN || repeats)) {
        PLI_TRY(pli_elimination_build(&self->elimination, pattern, self->order, error));
        self->kept += !repeats;
        if (elimination_flops(&self->elimination) <= most * self->best_flops) return PLI_OK;
    }
    self->ordered = -1;
    PLI_TRY(PLI_RESERVE(self->memory, self->order, self->order_capacity, n, error));
    PLI_TRY(pli_order_groups(&self->ordering, pattern, self->order, error));
    PLI_TRY(pli_elimination_build(&self->elimination, pattern, self->order, error));
    self->ordered = n;
    self->kept = 0;
    self->best_flops = elimination_flops(&self->elimination);
    return PLI_OK;
}

// The group of each unknown in elimination order.
static pli_status note_groups(multifrontal* self, const pli_pattern* pattern, pli_error* error) {
    const pli_frontal_plan* plan = &self->plan;
    size_t n = (size_t)plan->unknown_count, fronts = (size_t)plan->front_count;
    PLI_TRY(PLI_RESERVE(self->memory, self->group, self->group_capacity, n + 1, error));
    PLI_TRY(PLI_RESERVE(self->memory, self->held, self->held_capacity, fronts + 1, error));
    for (size_t i = 0; i < n; ++i) {
        int low = 0, high = pattern->group_count - 1; // offset[low] <= unknown < offset[high + 1]
        while (low < high) {
            int middle = low + (high - low + 1) / 2;
            if (pattern->group_offset[middle] <= plan->unknown[i])
                low = middle;
            else
                high = middle - 1;
        }
        self->group[i] = low;
    }
    return PLI_OK;
}

pli_status pli_multifrontal_plan(void* object, const pli_pattern* pattern, pli_factor_cost* cost,
                                 pli_error* error) {
    multifrontal* self = object;
    pli_frontal_plan* plan = &self->plan;
    pli_supernodes* nodes = &self->supernodes;
    int thread_count = pli_pool_thread_count(self->pool);
    bool too_large = false;
    self->planned = self->analyzed = self->positive_definite = false;
    PLI_TRY(pli_pool_check(self->pool, error));
    PLI_TRY(find_order(self, pattern, error));
    PLI_TRY(pli_supernodes_build(nodes, &self->elimination, self->order, &too_large, error));
    if (!too_large)
        PLI_TRY(pli_frontal_plan_build(plan, pattern, nodes, thread_count, &too_large, error));
    *cost = (pli_factor_cost){HUGE_VAL, HUGE_VAL};
    if (too_large) return PLI_OK;
    PLI_TRY(note_groups(self, pattern, error));
    self->planned = true;
    cost->flops = plan->flops;
    cost->nonzeros = (double)plan->factor_nonzeros;
    return PLI_OK;
}

size_t pli_multifrontal_rest(const void* object) {
    const multifrontal* self = object;
    const pli_frontal_plan* plan = &self->plan;
    size_t y = (size_t)plan->unknown_count + 1, z = (size_t)plan->max_stride + 1;
    return sizeof(double) *
               (pli_reserve_growth(self->factor_capacity, plan->factor_size) +
                pli_reserve_growth(self->stack_capacity, plan->stack_size) +
                pli_reserve_growth(self->y_capacity, y) + pli_reserve_growth(self->z_capacity, z)) +
           pli_reserve_growth(self->done_capacity, (size_t)plan->subtree_count + 1);
}

size_t pli_multifrontal_held(const void* object) {
    const multifrontal* self = object;
    return sizeof(double) * (self->factor_capacity + self->stack_capacity);
}

pli_status pli_multifrontal_reserve(void* object, pli_error* error) {
    multifrontal* self = object;
    pli_memory* memory = self->memory;
    const pli_frontal_plan* plan = &self->plan;
    PLI_ASSERT(self->planned);
    if (self->analyzed) return PLI_OK;
    PLI_TRY(PLI_RESERVE(memory, self->factor, self->factor_capacity, plan->factor_size, error));
    PLI_TRY(PLI_RESERVE(memory, self->stack, self->stack_capacity, plan->stack_size, error));
    // One more than needed: never NULL, even without unknowns.
    PLI_TRY(PLI_RESERVE(memory, self->y, self->y_capacity, plan->unknown_count + 1, error));
    PLI_TRY(PLI_RESERVE(memory, self->z, self->z_capacity, plan->max_stride + 1, error));
    PLI_TRY(PLI_RESERVE(memory, self->done, self->done_capacity, plan->subtree_count + 1, error));
    self->analyzed = true;
    return PLI_OK;
}

// Used as a solver by itself it has no alternative.
static pli_status plan_or_fail(void* object, const pli_pattern* pattern, pli_error* error) {
    pli_factor_cost cost;
    PLI_TRY(pli_multifrontal_plan(object, pattern, &cost, error));
    if (((const multifrontal*)object)->planned) return PLI_OK;
    return pli_fail(error, PLI_E_MEMORY,
                    "the factor of %d unknowns is too large: use linear \"pcg\"",
                    pattern->unknown_count);
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    PLI_TRY(plan_or_fail(object, pattern, error));
    return pli_multifrontal_reserve(object, error);
}

static pli_status plan(void* object, const pli_pattern* pattern, const double* values, size_t* rest,
                       pli_error* error) {
    (void)values;
    PLI_TRY(plan_or_fail(object, pattern, error));
    *rest = pli_multifrontal_rest(object);
    return PLI_OK;
}

static pli_front_child child_at(const multifrontal* self, int i) {
    const pli_front_plan* f = &self->plan.fronts[i];
    return (pli_front_child){
        .update = self->stack + f->update,
        .stride = f->shape.update_stride,
        .run_count = f->run_count,
        .shared = f->shared,
        .runs = self->plan.runs + f->run,
    };
}

// The children add to the panel before the pivots are eliminated, and to the update matrix after.
// So the update matrix is written, not zeroed and added to.
static bool factorize_front(multifrontal* self, pli_pool* pool, int i) {
    const pli_frontal_plan* plan = &self->plan;
    const pli_front_plan* f = &plan->fronts[i];
    double *panel = self->factor + f->panel, *update = self->stack + f->update;
    memset(panel, 0, pli_front_panel_size(&f->shape) * sizeof *panel);
    for (size_t k = f->value; k < f[1].value; ++k)
        panel[plan->target[k]] = self->values[plan->source[k]];
    for (int c = i - 1; c >= f->descendant; c = plan->fronts[c].descendant - 1) {
        pli_front_child child = child_at(self, c);
        self->kernels->add_to_panel(&child, &f->shape, panel);
    }
    if (!pli_front_factorize(self->kernels, self->blas, pool, &f->shape, panel, update))
        return false;
    for (int c = i - 1; c >= f->descendant; c = plan->fronts[c].descendant - 1) {
        pli_front_child child = child_at(self, c);
        self->kernels->add_to_update(&child, &f->shape, update);
    }
    return true;
}

static void factorize_segment(multifrontal* self, pli_pool* pool, int segment) {
    const pli_frontal_plan* plan = &self->plan;
    bool done = true;
    for (int k = plan->segment_start[segment]; done && k < plan->segment_start[segment + 1]; ++k)
        done = self->held[plan->sequence[k]] ||
               (!pli_pool_cancelled(self->pool) && factorize_front(self, pool, plan->sequence[k]));
    self->done[segment] = done;
}

static void factorize_subtrees(void* context, int first, int end) {
    for (int segment = first; segment < end; ++segment) factorize_segment(context, NULL, segment);
}

// Whole trees in which no column changed keep their factor.
static void hold_trees(multifrontal* self, const uint8_t* changed) {
    const pli_frontal_plan* plan = &self->plan;
    for (int root = plan->front_count - 1, first; root >= 0; root = first - 1) {
        first = plan->fronts[root].descendant;
        bool same = changed && self->positive_definite;
        int end = plan->fronts[root].first + plan->fronts[root].shape.pivots;
        for (int i = plan->fronts[first].first; i < end && same; ++i)
            same = !changed[self->group[i]];
        for (int i = first; i <= root; ++i) self->held[i] = same;
    }
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            pli_linear_verdict* verdict, pli_error* error) {
    multifrontal* self = object;
    PLI_ASSERT(self->analyzed);
    hold_trees(self, changed);
    self->positive_definite = false;
    int subtrees = self->plan.subtree_count;
    bool done = true;
    self->values = values;
    bool foreign = self->blas && self->plan.has_large;
    int token = foreign ? pli_single_threaded_enter() : 0;
    pli_parallel_for(self->pool, subtrees, 1, factorize_subtrees, self);
    for (int segment = 0; segment < subtrees; ++segment) done &= self->done[segment];
    if (done) factorize_segment(self, self->pool, subtrees);
    if (foreign) pli_single_threaded_leave(token);
    self->positive_definite = done && self->done[subtrees];
    *verdict = self->positive_definite ? PLI_LINEAR_OK : PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    return pli_pool_check(self->pool, error); // on failure there is no factor
}

// y = L^-1 y
static void forward(multifrontal* self) {
    const pli_frontal_plan* plan = &self->plan;
    for (int i = 0; i < plan->front_count; ++i) {
        const pli_front_plan* f = &plan->fronts[i];
        const int32_t* row = plan->row + f->row;
        int w = f->shape.pivots;
        double* y = self->y + f->first;
        double* z = self->z;
        memcpy(z, y, (size_t)w * sizeof *z);
        for (int r = w; r < f->shape.stride; ++r) z[r] = 0;
        self->kernels->forward(&f->shape, self->factor + f->panel, z, y);
        for (int r = 0; r < f->shape.below; ++r) self->y[row[r]] += z[w + r];
    }
}

// y = L^-T y
static void backward(multifrontal* self) {
    const pli_frontal_plan* plan = &self->plan;
    for (int i = plan->front_count - 1; i >= 0; --i) {
        const pli_front_plan* f = &plan->fronts[i];
        const int32_t* row = plan->row + f->row;
        int w = f->shape.pivots, below = f->shape.below;
        double* z = self->z;
        memcpy(z, self->y + f->first, (size_t)w * sizeof *z);
        for (int r = 0; r < below; ++r) z[w + r] = self->y[row[r]];
        for (int r = w + below; r < f->shape.stride; ++r) z[r] = 0;
        self->kernels->backward(&f->shape, self->factor + f->panel, z);
        memcpy(self->y + f->first, z, (size_t)w * sizeof *z);
    }
}

static pli_status solve(void* object, const double* b, double tolerance, double* x,
                        pli_linear_verdict* verdict, pli_error* error) {
    (void)tolerance, (void)error;
    multifrontal* self = object;
    *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE;
    if (!self->positive_definite) return PLI_OK;
    *verdict = PLI_LINEAR_OK;
    int n = self->plan.unknown_count;
    const int32_t* unknown = self->plan.unknown;
    for (int i = 0; i < n; ++i) self->y[i] = b[unknown[i]];
    forward(self);
    backward(self);
    for (int i = 0; i < n; ++i) {
        double v = self->y[i];
        x[unknown[i]] = v;
        if (!isfinite(v)) *verdict = PLI_LINEAR_NOT_POSITIVE_DEFINITE; // overflow
    }
    return PLI_OK;
}

static void info(const void* object, pli_linear_info* out) {
    const multifrontal* self = object;
    *out = (pli_linear_info){0};
    if (self->analyzed) out->factor_nonzeros = self->plan.factor_nonzeros;
}

// The order is reused from analysis to analysis.
static void save(const void* object, pli_pack* out) {
    const multifrontal* self = object;
    pli_pack_int(out, self->ordered);
    if (self->ordered < 0) return;
    pli_pack_int(out, self->kept);
    pli_pack_number(out, self->best_flops);
    pli_pack_ints(out, self->order, (size_t)self->ordered);
}

// n groups, each once, in any order.
static pli_status check_order(multifrontal* self, pli_unpack* in, int n, pli_error* error) {
    pli_unpack look = *in;
    uint8_t* seen = NULL;
    if ((size_t)(in->end - in->at) / sizeof(int32_t) < (size_t)n) return PLI_OK; // reported later
    PLI_TRY(PLI_ALLOC(self->memory, seen, n, error));
    for (int i = 0; i < n && pli_unpack_good(&look); ++i) {
        int group = pli_unpack_int(&look, 0, n - 1, "group");
        if (seen[group]++) pli_unpack_fail(&look, "group %d is twice in an order", group);
    }
    PLI_FREE(self->memory, seen, n);
    in->status = look.status;
    in->error = look.error;
    return PLI_OK;
}

bool pli_multifrontal_repeats(const void* object) { return ((const multifrontal*)object)->repeats; }

void pli_multifrontal_repeat_no_more(void* object) { ((multifrontal*)object)->repeats = false; }

pli_status pli_multifrontal_restore(void* object, int group_count, bool analyzed, pli_unpack* in,
                                    pli_error* error) {
    multifrontal* self = object;
    int ordered = pli_unpack_int(in, -1, INT32_MAX, "groups of an order");
    if (in->apply) { // the previous order is not part of the state
        self->ordered = -1;
        self->repeats = false;
    }
    if (ordered < 0) return PLI_OK;
    if (group_count >= 0 && ordered != group_count)
        pli_unpack_fail(in, "an order of %d groups, must be of %d", ordered, group_count);
    int kept = pli_unpack_int(in, 0, OFTEN, "analyses with an order");
    double flops = pli_unpack_number(in, 0, HUGE_VAL, "flops of an order");
    if (pli_unpack_good(in)) PLI_TRY(check_order(self, in, ordered, error));
    if (in->apply && pli_unpack_good(in)) {
        PLI_TRY(PLI_RESERVE(self->memory, self->order, self->order_capacity, ordered, error));
        self->ordered = ordered;
        self->kept = kept;
        self->repeats = analyzed;
        self->best_flops = flops;
    }
    pli_unpack_ints(in, self->order, (size_t)ordered, 0, ordered - 1, "group");
    return PLI_OK;
}

static pli_status restore(void* object, int group_count, const pli_pattern* pattern, pli_unpack* in,
                          pli_error* error) {
    PLI_TRY(pli_multifrontal_restore(object, group_count, pattern != NULL, in, error));
    return pattern && in->apply && pli_unpack_good(in) ? analyze(object, pattern, error) : PLI_OK;
}

const pli_linear_ops pli_multifrontal = {
    .name = "multifrontal",
    .help = "sparse Cholesky factor (own): exact, best for thin and plane bodies",
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .solve = solve,
    .info = info,
    .save = save,
    .restore = restore,
    .plan = plan,
};
