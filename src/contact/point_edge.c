// Barrier between boundary points and boundary edges in the plane.
//
// b = A kappa (dhat / 16) (s - 1) ln s, s = d^2 / dhat^2, with A of the point. As a function of d:
//   psi' = 2 d b',   psi'' = 4 d^2 b'' + 2 b' > 0 on (0, dhat),   psi' < 0.
#include "contact/barrier.h"
#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/distance.h"
#include "contact/intersect.h"
#include "contact/pair_set.h"

typedef struct point_edge {
    pli_barrier barrier; // first: see barrier_term.h
    pli_pair_set set;
} point_edge;

static int stencil_count(const void* context) { return ((const point_edge*)context)->set.count; }

static const int32_t* stencil_vertices(const void* context) {
    return ((const point_edge*)context)->set.vertices;
}

static uint64_t epoch(const void* context) { return ((const point_edge*)context)->set.epoch; }

static void closest(const pli_barrier* barrier, const int32_t* v, const double* x,
                    pli_point_edge* out) {
    pli_point_edge_closest(barrier->dim, x + 3 * v[0], x + 3 * v[1], x + 3 * v[2], out);
}

static void eval(const void* context, int first, const pli_batch* in, pli_local* out) {
    (void)first;
    const pli_barrier* barrier = context;
    int n = in->width * in->dim;
    for (int i = 0; i < in->count; ++i) {
        const int32_t* v = in->vertices + i * in->width;
        pli_point_edge pair;
        closest(barrier, v, in->x, &pair);
        double d = pair.distance, weight = barrier->weight[v[0]];
        if (d >= barrier->dhat) continue;
        pli_barrier_values b = pli_barrier_squared(d * d, barrier->dhat);
        if (in->want & PLI_VALUE) out->e[i] += weight * b.value;
        if (in->want & PLI_GRADIENT)
            pli_point_edge_gradient(&pair, in->dim, weight * 2 * d * b.first, out->g + i * n);
        if (in->want & PLI_HESSIAN) {
            double second = weight * (4 * d * d * b.second + 2 * b.first);
            (in->project ? pli_point_edge_hessian_psd : pli_point_edge_hessian)(
                &pair, in->dim, second, weight * 2 * b.first, out->H + i * n * n);
        }
    }
}

static pli_status refresh(void* context, const pli_view* view, const double* p, double* alpha,
                          pli_error* error) {
    return pli_pair_set_refresh(&((point_edge*)context)->set, view, p, alpha, error);
}

static bool contact(const pli_barrier* barrier, const int32_t* vertices, const double* x,
                    pli_contact* out) {
    pli_point_edge pair;
    closest(barrier, vertices, x, &pair);
    double d = pair.distance;
    if (d >= barrier->dhat) return false;
    double first = pli_barrier_squared(d * d, barrier->dhat).first;
    *out = (pli_contact){.distance = d, .force = -barrier->weight[vertices[0]] * 2 * d * first};
    for (int k = 0; k < 3; ++k) {
        out->normal[k] = pair.normal[k];
        out->weights[k] = pair.c[k];
    }
    return true;
}

static pli_status check(const pli_barrier* barrier, const pli_view* view, pli_error* error) {
    const point_edge* self = (const point_edge*)barrier;
    pli_intersection found;
    PLI_TRY(
        pli_find_intersection(barrier->memory, view, &self->set.a, &self->set.b, &found, error));
    const int32_t* v = found.vertices;
    if (found.kind == PLI_EDGES_CROSS)
        return pli_fail(error, PLI_E_SCENE, "edge %d-%d crosses edge %d-%d at (%.9g, %.9g)",
                        (int)v[0], (int)v[1], (int)v[2], (int)v[3], found.point[0], found.point[1]);
    if (found.kind == PLI_POINT_TOUCHES)
        return pli_fail(error, PLI_E_SCENE,
                        "vertex %d touches edge %d-%d at (%.9g, %.9g), the distance is %g m",
                        (int)v[0], (int)v[1], (int)v[2], found.point[0], found.point[1],
                        found.distance);
    return PLI_OK;
}

static void destroy(void* context) {
    point_edge* self = context;
    if (!self) return;
    pli_memory* memory = self->barrier.memory;
    pli_pair_set_free(&self->set);
    pli_barrier_free(&self->barrier);
    PLI_FREE(memory, self, 1);
}

static const pli_barrier_kind kind = {.contact = contact, .check = check};

static const pli_pair_kind pair_kind = {.ccd = pli_ccd_point_edge,
                                        .stays_apart = pli_point_edge_stays_apart};

static const pli_term_ops ops = {
    .name = "point-edge barrier",
    .width = 3,
    .dynamic = true,
    .count = stencil_count,
    .vertices = stencil_vertices,
    .eval = eval,
    .refresh = refresh,
    .epoch = epoch,
    .destroy = destroy,
};

// In the plane, edges that cross pass through an end point of one of them first; so CCD of points
// and edges misses nothing if every end point is among the points.
static pli_status check_ends(pli_memory* memory, const pli_pair_set_def* def, pli_error* error) {
    uint8_t* is_point;
    PLI_TRY(PLI_ALLOC(memory, is_point, def->vertex_count, error));
    for (int i = 0; i < def->a_count; ++i) is_point[def->a_vertices[i]] = 1;
    pli_status status = PLI_OK;
    for (int i = 0; i < 2 * def->b_count && status == PLI_OK; ++i)
        if (!is_point[def->b_vertices[i]])
            status = pli_fail(error, PLI_E_ARGUMENT,
                              "contact: edge %d: its vertex %d is not among the points", i / 2,
                              (int)def->b_vertices[i]);
    PLI_FREE(memory, is_point, def->vertex_count);
    return status;
}

pli_status pli_point_edge_barrier_create(pli_memory* memory, const pli_barrier_def* def,
                                         const pli_surface* surface, pli_term* term,
                                         pli_error* error) {
    if (def->dim != 2)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "point-edge contact is for plane scenes, dimension = %d", def->dim);
    point_edge* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->barrier.memory = self->set.memory = memory;
    self->barrier.kind = &kind;
    self->barrier.ops = ops;
    pli_pair_set_def set = {.kind = &pair_kind,
                            .dim = def->dim,
                            .vertex_count = def->vertex_count,
                            .dhat = def->dhat,
                            .a_count = surface->point_count,
                            .b_count = surface->edge_count,
                            .a_width = 1,
                            .b_width = 2,
                            .a_vertices = surface->points,
                            .b_vertices = surface->edges};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_barrier_init(&self->barrier, memory, def, surface->point_count,
                                             surface->points, error));
    PLI_TRY_CLEANUP(status, pli_pair_set_init(&self->set, memory, &set, error));
    PLI_TRY_CLEANUP(status, check_ends(memory, &set, error));
    *term = (pli_term){&self->barrier.ops, self};
cleanup:
    if (status != PLI_OK) destroy(self);
    return status;
}
