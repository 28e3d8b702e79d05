// Barrier between vertices and a half-space, at rest or carried by a vertex.
//
// b = A kappa (dhat / 2) (s - 1) ln s, s = d / dhat, d = n . (x - o) - radius; in the form without
// area kappa b(d). d is signed: a vertex on the wrong side has the value HUGE_VAL. b'' > 0, so
// every Hessian b'' (c n)(c n)^T is positive semi-definite without projection; c = (1, -1) with a
// carrier.
#include "contact/barrier.h"
#include "contact/barrier_term.h"
#include "contact/local.h"
#include "math/vec.h"

typedef struct half_space {
    pli_barrier barrier; // first: see barrier_term.h
    pli_plane plane;
    int count;
    int32_t* stencils; // count * width: vertex, and the carrier if there is one
    double* area;      // per stencil [m^2]; 1 in the form without area
    double* radius;    // per stencil [m]
} half_space;

static const double stencil_weights[2] = {1, -1};

// The plane and the vertex of stencil i.
static double plane_distance(const half_space* self, int i, const double* x) {
    int32_t vertex = self->stencils[i * self->barrier.ops.width];
    const double* origin =
        self->plane.carrier < 0 ? self->plane.point : x + 3 * self->plane.carrier;
    double w[3];
    pli_sub(x + 3 * vertex, origin, w, self->barrier.dim);
    return pli_dot(self->plane.normal, w, self->barrier.dim) - self->radius[i];
}

static pli_barrier_values potential(const half_space* self, double d) {
    const pli_barrier* barrier = &self->barrier;
    return pli_barrier_by_area(barrier) ? pli_barrier_linear(d, barrier->dhat)
                                        : barrier->form->at(d, barrier->dhat, 0);
}

static int stencil_count(const void* context) { return ((const half_space*)context)->count; }

static const int32_t* stencil_vertices(const void* context) {
    return ((const half_space*)context)->stencils;
}

static void eval(const void* context, int first, const pli_batch* in, pli_local* out) {
    const half_space* self = context;
    int n = in->width * in->dim;
    for (int i = 0; i < in->count; ++i) {
        double d = plane_distance(self, first + i, in->x);
        double weight = self->area[first + i] * self->barrier.stiffness;
        if (d >= self->barrier.dhat) continue;
        pli_barrier_values b = potential(self, d);
        if (in->want & PLI_VALUE) out->e[i] += weight * b.value;
        if (in->want & PLI_GRADIENT)
            pli_local_add_vector(in->width, in->dim, weight * b.first, stencil_weights,
                                 self->plane.normal, out->g + i * n);
        if (in->want & PLI_HESSIAN)
            pli_local_add_square(in->width, in->dim, weight * b.second, stencil_weights,
                                 self->plane.normal, out->H + i * n * n);
    }
}

// The loops of max_step: a fixed number of blocks, one result per block.
enum { BLOCKS = 64, MIN_GRAIN = 1024, MAX_HALVINGS = 60 };

typedef struct step_context {
    const half_space* self;
    const double *x, *p;
    double alpha;
    int grain;
    double bound[BLOCKS];
    bool allowed[BLOCKS];
} step_context;

// How far vertex i may move: 0.9 d / -(dp . n) if it approaches, dp relative to the carrier.
static double vertex_bound(const half_space* self, int i, const double* x, const double* p) {
    int32_t vertex = self->stencils[i * self->barrier.ops.width];
    double rate = pli_dot(self->plane.normal, p + 3 * vertex, self->barrier.dim);
    if (self->plane.carrier >= 0)
        rate -= pli_dot(self->plane.normal, p + 3 * self->plane.carrier, self->barrier.dim);
    return rate < 0 ? fmin(1, fmax(0, 0.9 * plane_distance(self, i, x) / -rate)) : 1;
}

static void bound_block(void* context, int first, int end) {
    step_context* c = context;
    double bound = 1;
    for (int i = first; i < end; ++i) bound = fmin(bound, vertex_bound(c->self, i, c->x, c->p));
    c->bound[first / c->grain] = bound;
}

static pli_status limit_islands(void* context, const pli_view* view, const double* p,
                                const int32_t* island, double* limit, pli_error* error) {
    const half_space* self = context;
    (void)error;
    for (int i = 0; i < self->count; ++i) {
        int own = island[self->stencils[i * self->barrier.ops.width]];
        if (own >= 0) limit[own] = fmin(limit[own], vertex_bound(self, i, view->x, p));
    }
    return PLI_OK;
}

// Whether the rounded end points x + alpha p are on the allowed side.
static void end_block(void* context, int first, int end) {
    step_context* c = context;
    const half_space* self = c->self;
    bool allowed = true;
    for (int i = first; i < end && allowed; ++i) {
        double d = -self->radius[i];
        int32_t vertex = self->stencils[i * self->barrier.ops.width], carrier = self->plane.carrier;
        for (int k = 0; k < self->barrier.dim; ++k) {
            double at = c->x[3 * vertex + k] + c->alpha * c->p[3 * vertex + k];
            double origin = carrier < 0 ? self->plane.point[k]
                                        : c->x[3 * carrier + k] + c->alpha * c->p[3 * carrier + k];
            d += self->plane.normal[k] * (at - origin);
        }
        allowed = d > 0;
    }
    c->allowed[first / c->grain] = allowed;
}

static double max_step(const void* context, const pli_view* view, const double* p) {
    const half_space* self = context;
    int grain = pli_max_int(MIN_GRAIN, (self->count + BLOCKS - 1) / BLOCKS);
    int block_count = (self->count + grain - 1) / grain;
    step_context c = {.self = self, .x = view->x, .p = p, .alpha = 1, .grain = grain};
    pli_parallel_for(view->pool, self->count, grain, bound_block, &c);
    for (int i = 0; i < block_count; ++i) c.alpha = fmin(c.alpha, c.bound[i]);
    for (int halving = 0; halving < MAX_HALVINGS; ++halving) {
        bool allowed = true;
        pli_parallel_for(view->pool, self->count, grain, end_block, &c);
        for (int i = 0; i < block_count; ++i) allowed = allowed && c.allowed[i];
        if (allowed) return c.alpha;
        c.alpha *= 0.5;
    }
    return 0;
}

static bool contact(const pli_barrier* barrier, int i, const double* x, pli_contact* out) {
    const half_space* self = (const half_space*)barrier;
    double d = plane_distance(self, i, x);
    if (d >= barrier->dhat) return false;
    *out = (pli_contact){
        .distance = d, .weights = {1, -1}, .radius = self->radius[i], .key = (uint64_t)i};
    out->force = -(self->area[i] * barrier->stiffness) * potential(self, d).first;
    for (int k = 0; k < barrier->dim; ++k) out->normal[k] = self->plane.normal[k];
    return true;
}

static pli_status check(const pli_barrier* barrier, const pli_view* view, pli_error* error) {
    const half_space* self = (const half_space*)barrier;
    for (int i = 0; i < self->count; ++i) {
        int32_t vertex = self->stencils[i * barrier->ops.width];
        double d = plane_distance(self, i, view->x);
        if (!(d > 0))
            return pli_fail(error, PLI_E_SCENE,
                            "vertex %d is %g m deep in the half-space with normal (%g, %g, %g)",
                            (int)vertex, -d, self->plane.normal[0], self->plane.normal[1],
                            self->plane.normal[2]);
    }
    return PLI_OK;
}

static void destroy(void* context) {
    half_space* self = context;
    if (!self) return;
    pli_memory* memory = self->barrier.memory;
    PLI_FREE(memory, self->stencils, self->count * self->barrier.ops.width);
    PLI_FREE(memory, self->area, self->count);
    PLI_FREE(memory, self->radius, self->count);
    PLI_FREE(memory, self, 1);
}

static const pli_barrier_kind kind = {.contact = contact, .check = check};

static const pli_term_ops ops = {
    .name = "half-space barrier",
    .width = 1,
    .count = stencil_count,
    .vertices = stencil_vertices,
    .eval = eval,
    .max_step = max_step,
    .limit = limit_islands,
    .destroy = destroy,
};

static pli_status check_plane(const pli_barrier_def* def, const pli_plane* plane, int count,
                              const int32_t* vertices, pli_error* error) {
    // 1e-9: a normal divided by its length is much closer to 1.
    double length = pli_norm(plane->normal, def->dim);
    if (!(fabs(length - 1) <= 1e-9))
        return pli_fail(error, PLI_E_ARGUMENT, "half-space: length of the normal = %g, must be 1",
                        length);
    if (plane->carrier >= def->vertex_count)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "half-space: carrier %d does not exist, there are %d vertices",
                        (int)plane->carrier, def->vertex_count);
    for (int i = 0; i < count; ++i) {
        int32_t v = vertices[i];
        if (v == plane->carrier)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "half-space: carrier %d must not be among its own vertices", (int)v);
        if (v < 0 || v >= def->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "contact: vertex %d does not exist, there are %d", (int)v,
                            def->vertex_count);
        if (!(def->area[v] > 0) || !isfinite(def->area[v]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "contact: vertex %d: contact area = %g m^2, must be > 0", (int)v,
                            def->area[v]);
        if (def->radius && (!(def->radius[v] >= 0) || !isfinite(def->radius[v])))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "contact: vertex %d: thickness = %g m, must be >= 0", (int)v,
                            def->radius[v]);
    }
    return PLI_OK;
}

pli_status pli_half_space_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                         const pli_plane* plane, int count, const int32_t* vertices,
                                         pli_term* term, pli_error* error) {
    PLI_TRY(check_plane(def, plane, count, vertices, error));
    half_space* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    int width = plane->carrier < 0 ? 1 : 2;
    self->barrier.memory = memory;
    self->barrier.kind = &kind;
    self->barrier.ops = ops;
    self->barrier.ops.width = width;
    self->barrier.sides[0] = 1;
    self->plane = *plane;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_barrier_init(&self->barrier, memory, def, error));
    self->count = count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, self->stencils, count * width, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, self->area, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, self->radius, count, error));
    for (int i = 0; i < count; ++i) {
        self->area[i] = pli_barrier_by_area(&self->barrier) ? def->area[vertices[i]] : 1;
        self->radius[i] = def->radius ? def->radius[vertices[i]] : 0;
        self->stencils[i * width] = vertices[i];
        if (width == 2) self->stencils[i * width + 1] = plane->carrier;
    }
    *term = (pli_term){&self->barrier.ops, self};
cleanup:
    if (status != PLI_OK) destroy(self);
    return status;
}
