// Rayleigh damping: both kinds are quadratic forms in x - x_still with local matrices C that stay
// fixed during a step; they differ in where C comes from.
#include "energy/damping.h"

#include "math/vec.h"

#include <string.h>

typedef struct damping {
    pli_memory* memory;
    pli_term_ops ops;
    pli_term elastic;                   // ops NULL: mass damping
    int dim, vertex_count, count, size; // size: entries of a local vector
    double factor;                      // beta [s]; 1 for mass damping
    double rate;                        // dv/dx of the present step [1/s]
    int32_t* own_vertices;              // of mass damping
    double* C;                          // count * size * size
    double* x_still;                    // 3 per vertex: where the velocity is 0 [m]
} damping;

static int count_of(const void* self) { return ((const damping*)self)->count; }

static const int32_t* vertices_of(const void* self) {
    const damping* d = self;
    return d->own_vertices ? d->own_vertices : d->elastic.ops->vertices(d->elastic.self);
}

static pli_status begin_step(void* self, const pli_step* step, pli_error* error) {
    (void)error;
    damping* d = self;
    d->rate = step->velocity_rate;
    pli_copy(step->x_still, d->x_still, 3 * d->vertex_count);
    if (!d->elastic.ops) return PLI_OK;
    size_t entries = (size_t)d->count * (size_t)(d->size * d->size);
    memset(d->C, 0, sizeof *d->C * entries);
    pli_batch batch = {.dim = d->dim,
                       .count = d->count,
                       .width = d->ops.width,
                       .vertices = vertices_of(d),
                       .x = step->x_n,
                       .want = PLI_HESSIAN,
                       .project = true};
    d->elastic.ops->eval(d->elastic.self, 0, &batch, &(pli_local){.H = d->C});
    return PLI_OK;
}

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const damping* d = self;
    int n = d->size, dim = in->dim;
    double scale = d->factor * d->rate;
    for (int i = 0; i < in->count; ++i) {
        const double* C = d->C + (size_t)(first + i) * (size_t)(n * n);
        double u[PLI_LOCAL_MAX], Cu[PLI_LOCAL_MAX];
        for (int k = 0; k < in->width; ++k) {
            size_t at = 3 * (size_t)in->vertices[i * in->width + k];
            pli_sub(in->x + at, d->x_still + at, u + k * dim, dim);
        }
        for (int r = 0; r < n; ++r) Cu[r] = pli_dot(C + r * n, u, n);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * scale * pli_dot(u, Cu, n);
        if (in->want & PLI_GRADIENT) pli_axpy(scale, Cu, out->g + (size_t)i * (size_t)n, n);
        if (in->want & PLI_HESSIAN) pli_axpy(scale, C, out->H + (size_t)i * (size_t)(n * n), n * n);
    }
}

static void destroy(void* self) {
    damping* d = self;
    if (!d) return;
    pli_memory* memory = d->memory;
    PLI_FREE(memory, d->own_vertices, d->own_vertices ? d->count : 0);
    PLI_FREE(memory, d->C, (size_t)d->count * (size_t)(d->size * d->size));
    PLI_FREE(memory, d->x_still, 3 * d->vertex_count);
    PLI_FREE(memory, d, 1);
}

// An object with room for its matrices; they are zero.
static pli_status create(pli_memory* memory, const damping* like, int width, damping** out,
                         pli_error* error) {
    damping* d = NULL;
    pli_status status = PLI_ALLOC(memory, d, 1, error);
    if (status != PLI_OK) return status;
    *d = *like;
    d->memory = memory;
    d->size = width * d->dim;
    d->ops = (pli_term_ops){.name = "damping",
                            .width = width,
                            .transient = true,
                            .count = count_of,
                            .vertices = vertices_of,
                            .eval = eval,
                            .begin_step = begin_step,
                            .destroy = destroy};
    PLI_TRY_CLEANUP(status,
                    PLI_ALLOC(memory, d->C, (size_t)d->count * (size_t)(d->size * d->size), error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, d->x_still, 3 * d->vertex_count, error));
    *out = d;
    return PLI_OK;
cleanup:
    destroy(d);
    return status;
}

pli_status pli_stiffness_damping_create(pli_memory* memory, const pli_term* elastic, int dim,
                                        int vertex_count, double beta, pli_term* term,
                                        pli_error* error) {
    damping like = {.elastic = *elastic,
                    .dim = dim,
                    .vertex_count = vertex_count,
                    .count = elastic->ops->count(elastic->self),
                    .factor = beta};
    damping* d;
    PLI_TRY(create(memory, &like, elastic->ops->width, &d, error));
    *term = (pli_term){.ops = &d->ops, .self = d};
    return PLI_OK;
}

pli_status pli_mass_damping_create(pli_memory* memory, const pli_mass_damping_def* def,
                                   pli_term* term, pli_error* error) {
    damping like = {
        .dim = def->dim, .vertex_count = def->vertex_count, .count = def->count, .factor = 1};
    damping* d;
    PLI_TRY(create(memory, &like, 1, &d, error));
    pli_status status = PLI_ALLOC(memory, d->own_vertices, def->count, error);
    if (status != PLI_OK) {
        destroy(d);
        return status;
    }
    for (int i = 0; i < def->count; ++i) {
        d->own_vertices[i] = def->vertices[i];
        for (int c = 0; c < def->dim; ++c)
            d->C[(size_t)i * (size_t)(d->size * d->size) + (size_t)(c * (d->size + 1))] =
                def->alpha * def->mass[def->vertices[i]];
    }
    *term = (pli_term){.ops = &d->ops, .self = d};
    return PLI_OK;
}
