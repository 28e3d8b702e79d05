// Algebraic multigrid for pcg: smoothed aggregation with rigid motions [Vanek96], additive over the
// levels [Bramble90]. With S incomplete Cholesky and P the prolongator of each level,
//   M_l^-1 = S_l^-1 + P_l M_(l+1)^-1 P_l^T,   on the coarsest level the factor.
// The sum of symmetric positive semi-definite parts, the first of them positive definite, is
// positive definite for any matrix: no damping parameter is needed, and no product with the matrix.
// The alternative, a V-cycle with the same S, takes half as many iterations at twice the cost. It
// is not positive definite where S^-1 A has eigenvalues above 2, which bad elements can cause.
//
// Aggregates are kept as long as the groups are the same, patterns as long as the matrix pattern is
// the same; a change of values only recomputes numbers.
#include "sparse/galerkin.h"
#include "sparse/multifrontal.h"
#include "sparse/preconditioner.h"
#include "sparse/reserve.h"

enum {
    MAX_LEVELS = 10,
    FACTORIZED = 1200, // a level with at most this many unknowns is factorized, not coarsened
    TOO_LARGE = 12000, // above this a level is not factorized, even if it cannot be coarsened
};

typedef struct level {
    const pli_pattern* pattern; // of its matrix
    const double* values;
    void* smoother;
    pli_prolongator p; // to the next level
    pli_galerkin next;
    double *r, *z; // of all levels but the finest
    size_t r_capacity, z_capacity;
} level;

typedef struct multilevel {
    pli_memory* memory;
    pli_pool* pool;
    pli_near_null near_null;
    const pli_pattern* pattern;
    level levels[MAX_LEVELS];
    int made;        // levels whose objects are created
    int level_count; // in use since the analysis of the first values after `analyze`
    bool analyzed;
    bool restored;   // the next `analyze` repeats the one in the saved state
    bool factorized; // the coarsest level is factorized
    void* factor;
    double* modes;
    size_t mode_capacity;
} multilevel;

static void destroy(void* object) {
    multilevel* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    for (int l = 0; l < self->made; ++l) {
        level* at = &self->levels[l];
        pli_domain_cholesky.destroy(at->smoother);
        pli_prolongator_free(&at->p);
        pli_galerkin_free(&at->next);
        PLI_FREE(memory, at->r, at->r_capacity);
        PLI_FREE(memory, at->z, at->z_capacity);
    }
    pli_multifrontal.destroy(self->factor);
    PLI_FREE(memory, self->modes, self->mode_capacity);
    PLI_FREE(memory, self, 1);
}

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** out, pli_error* error) {
    multilevel* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    self->pool = pool;
    self->near_null = *near_null;
    pli_status status = pli_multifrontal.create(memory, pool, NULL, &self->factor, error);
    if (status != PLI_OK) {
        destroy(self);
        return status;
    }
    *out = self;
    return PLI_OK;
}

// The rest of the analysis needs values: which couplings are strong.
static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    multilevel* self = object;
    size_t count = PLI_MAX_MODES * (size_t)pattern->unknown_count;
    if (!self->restored)
        pli_multifrontal_repeat_no_more(self->factor); // another pattern came first
    self->restored = false;
    self->analyzed = false;
    self->level_count = 0;
    PLI_TRY(PLI_RESERVE(self->memory, self->modes, self->mode_capacity, count, error));
    self->pattern = pattern;
    return PLI_OK;
}

// Default if no modes are given: every group translates as a whole, axis by axis.
static int find_modes(multilevel* self) {
    const int32_t* offset = self->pattern->group_offset;
    int n = self->pattern->group_count, count = 0;
    if (self->near_null.fill) count = self->near_null.fill(self->near_null.self, self->modes);
    if (count > 0) return count;
    for (int j = 0; j < n; ++j) count = pli_max_int(count, offset[j + 1] - offset[j]);
    count = pli_min_int(count, PLI_MAX_MODES);
    for (int j = 0; j < n; ++j)
        for (int i = offset[j]; i < offset[j + 1]; ++i)
            for (int m = 0; m < count; ++m)
                self->modes[(size_t)i * (size_t)count + (size_t)m] = m == i - offset[j];
    return count;
}

static pli_status make_level(multilevel* self, pli_error* error) {
    level* at = &self->levels[self->made];
    pli_status status;
    PLI_TRY(pli_domain_cholesky.create(self->memory, self->pool, &self->near_null, &at->smoother,
                                       error));
    status = pli_prolongator_init(&at->p, self->memory, self->pool, error);
    if (status != PLI_OK) {
        pli_domain_cholesky.destroy(at->smoother);
        return status;
    }
    pli_galerkin_init(&at->next, self->memory);
    self->made++;
    return PLI_OK;
}

// Symbolic part of level l. *last: it is the coarsest level.
static pli_status analyze_level(multilevel* self, int l, int mode_count, bool* last,
                                pli_error* error) {
    if (l == self->made) PLI_TRY(make_level(self, error));
    level* at = &self->levels[l];
    int n = at->pattern->unknown_count;
    PLI_TRY(PLI_RESERVE(self->memory, at->r, at->r_capacity, l > 0 ? n : 0, error));
    PLI_TRY(PLI_RESERVE(self->memory, at->z, at->z_capacity, l > 0 ? n : 0, error));
    *last = l + 1 == MAX_LEVELS || n <= FACTORIZED;
    if (!*last) {
        PLI_TRY(pli_prolongator_analyze(&at->p, at->pattern, at->values, mode_count, error));
        *last = 2 * (int64_t)at->p.aggregate_count * mode_count > n;
    }
    self->factorized = *last && n <= TOO_LARGE;
    if (self->factorized) return pli_multifrontal.analyze(self->factor, at->pattern, error);
    PLI_TRY(pli_domain_cholesky.analyze(at->smoother, at->pattern, error));
    return *last ? PLI_OK : pli_galerkin_analyze(&at->next, &at->p, error);
}

static pli_status factorize_coarsest(multilevel* self, const double* values, bool* definite,
                                     pli_error* error) {
    pli_linear_verdict verdict;
    PLI_TRY(pli_multifrontal.factorize(self->factor, values, NULL, &verdict, error));
    *definite = verdict == PLI_LINEAR_OK;
    return PLI_OK;
}

// Numeric part of level l: `modes` are its own.
static pli_status update_level(level* at, const double* modes, bool last, bool* definite,
                               pli_error* error) {
    PLI_TRY(pli_domain_cholesky.factorize(at->smoother, at->values, NULL, definite, error));
    if (!*definite || last) return PLI_OK;
    PLI_TRY(pli_prolongator_update(&at->p, at->values, modes, definite, error));
    if (*definite) pli_galerkin_update(&at->next, at->values);
    return PLI_OK;
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            bool* definite, pli_error* error) {
    (void)changed;
    multilevel* self = object;
    const pli_pattern* pattern = self->pattern;
    const double* modes = self->modes;
    int mode_count = find_modes(self);
    bool last = false;
    if (self->level_count > 1 && mode_count != self->levels[0].p.mode_count) self->analyzed = false;
    *definite = true;
    for (int l = 0; *definite && !last; ++l) {
        level* at = &self->levels[l];
        at->pattern = pattern;
        at->values = values;
        if (self->analyzed)
            last = l + 1 == self->level_count;
        else
            PLI_TRY(analyze_level(self, l, mode_count, &last, error));
        if (last && self->factorized)
            PLI_TRY(factorize_coarsest(self, values, definite, error));
        else
            PLI_TRY(update_level(at, modes, last, definite, error));
        if (last) self->level_count = l + 1;
        pattern = &at->next.pattern;
        values = at->next.values;
        modes = at->p.coarse_modes;
    }
    self->analyzed = self->analyzed || last;
    return PLI_OK;
}

static void apply(const void* object, const double* r, double* z) {
    const multilevel* self = object;
    int last = self->level_count - 1;
    for (int l = 0; l <= last; ++l) {
        const level* at = &self->levels[l];
        const double* residual = l > 0 ? at->r : r;
        double* out = l > 0 ? at->z : z;
        pli_linear_verdict verdict;
        if (l == last && self->factorized)
            (void)pli_multifrontal.solve(self->factor, residual, 0.5, out, &verdict, NULL);
        else
            pli_domain_cholesky.apply(at->smoother, residual, out);
        if (l < last) pli_prolongator_restrict(&at->p, residual, at[1].r);
    }
    for (int l = last - 1; l >= 0; --l)
        pli_prolongator_add(&self->levels[l].p, self->levels[l + 1].z,
                            l > 0 ? self->levels[l].z : z);
}

static int64_t nonzeros(const void* object) {
    const multilevel* self = object;
    int64_t sum = 0;
    for (int l = 0; l < self->level_count; ++l) sum += self->levels[l].pattern->value_count;
    return sum;
}

// Aggregates depend on the first values, and the order of the coarsest level on earlier ones.
static void save(const void* object, pli_pack* out) {
    const multilevel* self = object;
    int levels = self->made;
    while (levels > 0 && self->levels[levels - 1].p.group_count < 0) --levels;
    pli_pack_int(out, levels);
    for (int l = 0; l < levels; ++l) pli_prolongator_save(&self->levels[l].p, out);
    bool counted = self->analyzed && self->factorized;
    pli_pack_int(out, counted || pli_multifrontal_repeats(self->factor));
    pli_multifrontal.save(self->factor, out);
}

static pli_status restore(void* object, int group_count, bool analyzed, pli_unpack* in,
                          pli_error* error) {
    multilevel* self = object;
    int levels = pli_unpack_int(in, 0, MAX_LEVELS, "levels");
    for (int l = 0; l < levels; ++l) {
        if (in->apply && l == self->made) PLI_TRY(make_level(self, error));
        PLI_TRY(pli_prolongator_restore(in->apply ? &self->levels[l].p : NULL,
                                        l == 0 ? group_count : -1, in, error));
    }
    for (int l = levels; in->apply && l < self->made; ++l) self->levels[l].p.group_count = -1;
    bool counted = pli_unpack_int(in, 0, 1, "analysis of the coarsest level");
    if (in->apply) {
        self->analyzed = self->factorized = false;
        self->restored = analyzed;
    }
    return pli_multifrontal_restore(self->factor, -1, analyzed && counted, in, error);
}

const pli_preconditioner_ops pli_multilevel = {
    .name = "multilevel",
    .help = "algebraic multigrid with rigid motions: few iterations at any size and stiffness",
    .price = {.setup = 45, .iteration = 3, .iterations = 35},
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
    .save = save,
    .restore = restore,
};
