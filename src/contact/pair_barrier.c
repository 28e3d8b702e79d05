// Barrier between pairs of primitives: points and edges, points and points in the plane; points and
// triangles, edges and edges, points and edges, points and points in space. One term serves all of
// them: a table row holds the closest points and derivatives of a kind of pair.
//
// b = w kappa psi(d) with w = w_a w_b of the two primitives and psi of the form (barrier.h), times
// the mollifier for pairs of edges in space.
#include "base/text.h"
#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/closest.h"
#include "contact/distance.h"
#include "contact/intersect.h"
#include "contact/local.h"
#include "contact/mollifier.h"

#include <math.h>

// A pair evaluated at one state; psi includes its weight.
typedef struct pair_state {
    pli_point_edge plane; // in the plane
    pli_closest space;    // in space
    pli_mollifier mollifier;
    pli_barrier_values psi;
} pair_state;

typedef struct pair_barrier pair_barrier;

typedef struct pair_row {
    int dim;
    // Closest points, and their distance.
    double (*closest)(const pair_barrier* self, const double* const* x, pair_state* out);
    // Gradient and Hessian of w psi(d), or of w m psi(d).
    void (*gradient)(const pair_state* at, double* g);
    void (*hessian)(const pair_state* at, bool project, double* H);
} pair_row;

struct pair_barrier {
    pli_barrier barrier; // first: see barrier_term.h
    pair_row row;
    const pli_space_pair* pair; // the kind of pair, also in the plane
    char name[40];
    pli_pair_set set;
    double *a_weight, *b_weight; // per primitive; NULL: 1
    double *a_rest, *b_rest;     // lengths at rest [m]; NULL unless mollified
};

// ---- kinds of pairs

static double plane_closest(const pair_barrier* self, const double* const* x, pair_state* out) {
    (void)self;
    pli_point_edge_closest(2, x[0], x[1], x[2], &out->plane);
    return out->plane.distance;
}

static void plane_gradient(const pair_state* at, double* g) {
    pli_point_edge_gradient(&at->plane, 2, at->psi.first, g);
}

static void plane_hessian(const pair_state* at, bool project, double* H) {
    (project ? pli_point_edge_hessian_psd : pli_point_edge_hessian)(
        &at->plane, 2, at->psi.second, at->psi.first / at->plane.distance, H);
}

// Two points in the plane: c = (1, -1), and with the unit tangent t
//   g = psi' c (x) n,   H = c c^T (x) (psi'' n n^T + (psi' / d) t t^T).
static double points_closest(const pair_barrier* self, const double* const* x, pair_state* out) {
    (void)self;
    pli_point_edge_closest(2, x[0], x[1], x[1], &out->plane);
    return out->plane.distance;
}

static void points_gradient(const pair_state* at, double* g) {
    pli_local_add_vector(2, 2, at->psi.first, at->plane.c, at->plane.normal, g);
}

static void points_hessian(const pair_state* at, bool project, double* H) {
    const double *n = at->plane.normal, t[2] = {-n[1], n[0]};
    pli_local_add_square(2, 2, at->psi.second, at->plane.c, n, H);
    double across = at->psi.first / at->plane.distance; // never positive
    if (!project) pli_local_add_square(2, 2, across, at->plane.c, t, H);
}

static double space_closest(const pair_barrier* self, const double* const* x, pair_state* out) {
    self->pair->closest(x, &out->space);
    return out->space.distance;
}

static void space_gradient(const pair_state* at, double* g) {
    pli_closest_gradient(&at->space, at->psi.first, g);
}

static void space_hessian(const pair_state* at, bool project, double* H) {
    (project ? pli_closest_hessian_psd : pli_closest_hessian)(
        &at->space, at->psi.second, at->psi.first / at->space.distance, H);
}

static void mollified_gradient(const pair_state* at, double* g) {
    pli_mollified_gradient(&at->mollifier, &at->space, &at->psi, g);
}

static void mollified_hessian(const pair_state* at, bool project, double* H) {
    (project ? pli_mollified_hessian_psd : pli_mollified_hessian)(&at->mollifier, &at->space,
                                                                  &at->psi, H);
}

static const pair_row plane_row = {2, plane_closest, plane_gradient, plane_hessian};
static const pair_row points_row = {2, points_closest, points_gradient, points_hessian};
static const pair_row space_row = {3, space_closest, space_gradient, space_hessian};
static const pair_row mollified_row = {3, space_closest, mollified_gradient, mollified_hessian};

// ---- the term

static int stencil_count(const void* context) { return ((const pair_barrier*)context)->set.count; }

static const int32_t* stencil_vertices(const void* context) {
    return ((const pair_barrier*)context)->set.vertices;
}

static uint64_t epoch(const void* context) { return ((const pair_barrier*)context)->set.epoch; }

static double pair_weight(const pair_barrier* self, const pli_box_pair* pair) {
    double a = self->a_weight ? self->a_weight[pair->query] : 1;
    double b = self->b_weight ? self->b_weight[pair->primitive] : 1;
    return a * b * self->barrier.stiffness;
}

// False if pair i is not closer than dhat.
static bool find_state(const pair_barrier* self, int i, const int32_t* vertices, const double* x,
                       pair_state* out) {
    const pli_barrier* barrier = &self->barrier;
    const double* at[PLI_CONTACT_MAX];
    for (int k = 0; k < barrier->ops.width; ++k) at[k] = x + 3 * vertices[k];
    const pli_box_pair* pair = &self->set.pairs[i];
    double d = self->row.closest(self, at, out), apart = pli_set_offset(&self->set, i);
    if (d >= apart + barrier->dhat) return false;
    double weight = pair_weight(self, pair);
    pli_barrier_values psi = barrier->form->at(d, barrier->dhat, apart);
    out->psi = (pli_barrier_values){weight * psi.value, weight * psi.first, weight * psi.second};
    out->mollifier.value = 1;
    if (!self->a_rest) return true;
    double rest = self->a_rest[pair->query] * self->b_rest[pair->primitive];
    pli_mollifier_at(at, PLI_MOLLIFIER_SHARE * rest * rest, &out->mollifier);
    return true;
}

static void eval(const void* context, int first, const pli_batch* in, pli_local* out) {
    const pair_barrier* self = context;
    int n = in->width * in->dim;
    for (int i = 0; i < in->count; ++i) {
        pair_state at;
        if (!find_state(self, first + i, in->vertices + i * in->width, in->x, &at)) continue;
        if (in->want & PLI_VALUE) out->e[i] += pli_mollified_value(&at.mollifier, &at.psi);
        if (in->want & PLI_GRADIENT) self->row.gradient(&at, out->g + i * n);
        if (in->want & PLI_HESSIAN) self->row.hessian(&at, in->project, out->H + i * n * n);
    }
}

static pli_status refresh(void* context, const pli_view* view, const double* p, double* alpha,
                          pli_error* error) {
    return pli_pair_set_refresh(&((pair_barrier*)context)->set, view, p, alpha, error);
}

static pli_status limit_islands(void* context, const pli_view* view, const double* p,
                                const int32_t* island, double* limit, pli_error* error) {
    return pli_pair_set_limit(&((pair_barrier*)context)->set, view, p, island, limit, error);
}

// Thickness around the first side: the two shares of a reduced offset are as the thicknesses.
static double first_radius(const pli_pair_set* set, const pli_box_pair* pair, double apart) {
    if (!set->a_offset) return 0;
    double own = set->a_offset[pair->query], whole = own + set->b_offset[pair->primitive];
    return apart < whole ? apart * (own / whole) : own;
}

static bool contact(const pli_barrier* barrier, int i, const double* x, pli_contact* out) {
    const pair_barrier* self = (const pair_barrier*)barrier;
    pair_state at;
    if (!find_state(self, i, self->set.vertices + i * barrier->ops.width, x, &at)) return false;
    bool plane = self->row.dim == 2;
    const pli_box_pair* pair = &self->set.pairs[i];
    double apart = pli_set_offset(&self->set, i);
    *out = (pli_contact){.distance = (plane ? at.plane.distance : at.space.distance) - apart,
                         .force = -at.mollifier.value * at.psi.first,
                         .radius = first_radius(&self->set, pair, apart),
                         .key = (uint64_t)pair->query << 32 | (uint64_t)pair->primitive};
    for (int k = 0; k < 3; ++k) out->normal[k] = plane ? at.plane.normal[k] : at.space.normal[k];
    for (int k = 0; k < barrier->ops.width; ++k)
        out->weights[k] = plane ? at.plane.c[k] : at.space.c[k];
    return true;
}

static pli_status check_plane(const pli_barrier* barrier, const pli_view* view, pli_error* error) {
    const pair_barrier* self = (const pair_barrier*)barrier;
    pli_intersection found;
    PLI_TRY(pli_find_intersection(barrier->memory, view, &self->set.a, &self->set.b,
                                  self->set.filter, &found, error));
    const int32_t* v = found.vertices;
    if (found.kind == PLI_EDGES_CROSS)
        return pli_fail(error, PLI_E_SCENE, "edge %d-%d crosses edge %d-%d at (%.9g, %.9g)",
                        (int)v[0], (int)v[1], (int)v[2], (int)v[3], found.point[0], found.point[1]);
    if (found.kind == PLI_POINT_TOUCHES)
        return pli_fail(error, PLI_E_SCENE,
                        "vertex %d touches edge %d-%d at (%.9g, %.9g): distance = %g m", (int)v[0],
                        (int)v[1], (int)v[2], found.point[0], found.point[1], found.distance);
    return PLI_OK;
}

static void forget(pli_barrier* barrier) { pli_pair_set_forget(&((pair_barrier*)barrier)->set); }

static void destroy(void* context) {
    pair_barrier* self = context;
    if (!self) return;
    pli_memory* memory = self->barrier.memory;
    int a = self->set.a.count, b = self->set.b.count;
    PLI_FREE(memory, self->a_weight, a);
    PLI_FREE(memory, self->a_rest, a);
    PLI_FREE(memory, self->b_weight, b);
    PLI_FREE(memory, self->b_rest, b);
    pli_pair_set_free(&self->set);
    PLI_FREE(memory, self, 1);
}

static const pli_barrier_kind plane_barrier = {
    .contact = contact, .check = check_plane, .forget = forget};
static const pli_barrier_kind pair_kind = {.contact = contact, .forget = forget};

static const pli_term_ops ops = {
    .dynamic = true,
    .count = stencil_count,
    .vertices = stencil_vertices,
    .eval = eval,
    .refresh = refresh,
    .limit = limit_islands,
    .epoch = epoch,
    .destroy = destroy,
};

// ---- creation

static pli_status copy_numbers(pli_memory* memory, int count, const double* from, double** to,
                               const char* what, pli_error* error) {
    if (!from) return PLI_OK;
    for (int i = 0; i < count; ++i)
        if (!(from[i] > 0) || !isfinite(from[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "contact: primitive %d: %s = %g, must be > 0", i,
                            what, from[i]);
    PLI_TRY(PLI_ALLOC(memory, *to, count, error));
    for (int i = 0; i < count; ++i) (*to)[i] = from[i];
    return PLI_OK;
}

// Weights of the form with area, and the rest lengths for the mollifier.
static pli_status copy_sides(pair_barrier* self, const pli_side* a, const pli_side* b,
                             pli_error* error) {
    pli_memory* memory = self->barrier.memory;
    if (pli_barrier_by_area(&self->barrier)) {
        PLI_TRY(copy_numbers(memory, a->count, a->weight, &self->a_weight, "weight", error));
        PLI_TRY(copy_numbers(memory, b->count, b->weight, &self->b_weight, "weight", error));
    }
    if (!self->pair->mollified) return PLI_OK;
    if (!a->rest || !b->rest)
        return pli_fail(error, PLI_E_ARGUMENT, "contact: pairs of edges need their rest lengths");
    PLI_TRY(copy_numbers(memory, a->count, a->rest, &self->a_rest, "rest length [m]", error));
    return copy_numbers(memory, b->count, b->rest, &self->b_rest, "rest length [m]", error);
}

// The table row, by the dimension and the widths of the sides.
static pli_status choose_row(pair_barrier* self, int dim, int a_width, int b_width,
                             pli_error* error) {
    self->pair = pli_space_pair_of(a_width, b_width);
    bool plane = dim == 2, points = a_width == 1 && b_width == 1;
    if (!self->pair || (plane && !(a_width == 1 && b_width <= 2)))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "contact: no barrier in dimension %d between primitives of %d and %d "
                        "vertices",
                        dim, a_width, b_width);
    self->row = plane ? (points ? points_row : plane_row)
                      : (self->pair->mollified ? mollified_row : space_row);
    self->barrier.kind = plane && !points ? &plane_barrier : &pair_kind;
    self->barrier.ops = ops;
    self->barrier.ops.width = a_width + b_width;
    self->barrier.sides[0] = a_width;
    self->barrier.sides[1] = b_width;
    pli_format(self->name, sizeof self->name, "%s barrier", self->pair->name);
    self->barrier.ops.name = self->name;
    return PLI_OK;
}

pli_status pli_pair_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                   const pli_side* a, const pli_side* b, pli_term* term,
                                   pli_error* error) {
    pair_barrier* self;
    bool same = !b;
    if (same) b = a;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->barrier.memory = self->set.memory = memory;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_barrier_init(&self->barrier, memory, def, error));
    PLI_TRY_CLEANUP(status, choose_row(self, def->dim, a->width, b->width, error));
    pli_pair_set_def set = {.kind = &self->pair->kind,
                            .filter = def->filter,
                            .dim = def->dim,
                            .vertex_count = def->vertex_count,
                            .dhat = def->dhat,
                            .a_count = a->count,
                            .b_count = b->count,
                            .a_width = a->width,
                            .b_width = b->width,
                            .a_vertices = a->vertices,
                            .b_vertices = b->vertices,
                            .symmetric = same,
                            .offset = def->radius,
                            .rest = def->rest};
    PLI_TRY_CLEANUP(status, pli_pair_set_init(&self->set, memory, &set, error));
    PLI_TRY_CLEANUP(status, copy_sides(self, a, b, error));
    *term = (pli_term){&self->barrier.ops, self};
cleanup:
    if (status != PLI_OK) destroy(self);
    return status;
}
