// Rayleigh damping. The mass part is an ordinary dissipation over vertices or elements. The
// stiffness part is a quadratic form in x - x_still; its local matrices come from another term at
// the start of a step.
#include "energy/damping.h"

#include "kinematics/consistent.h"
#include "math/vec.h"

#include <string.h>

typedef struct damping {
    pli_memory* memory;
    pli_term_ops ops;
    pli_term elastic;
    int dim, vertex_count, count, size; // size: entries of a local vector
    double beta;                        // [s]
    double rate;                        // dv/dx of the present step [1/s]
    double* K;                          // count * size * size [N/m]
    double* x_still;                    // 3 per vertex: where the velocity is 0 [m]
} damping;

static int count_of(const void* self) { return ((const damping*)self)->count; }

static const int32_t* vertices_of(const void* self) {
    const damping* d = self;
    return d->elastic.ops->vertices(d->elastic.self);
}

static pli_status begin_step(void* self, const pli_step* step, pli_error* error) {
    (void)error;
    damping* d = self;
    d->rate = step->velocity_rate;
    pli_copy(step->x_still, d->x_still, 3 * d->vertex_count);
    size_t entries = (size_t)d->count * (size_t)(d->size * d->size);
    memset(d->K, 0, sizeof *d->K * entries);
    pli_batch batch = {.dim = d->dim,
                       .count = d->count,
                       .width = d->ops.width,
                       .vertices = vertices_of(d),
                       .x = step->x_n,
                       .want = PLI_HESSIAN,
                       .project = true};
    d->elastic.ops->eval(d->elastic.self, 0, &batch, &(pli_local){.H = d->K});
    return PLI_OK;
}

static void eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const damping* d = self;
    int n = d->size, dim = in->dim;
    double scale = d->beta * d->rate;
    for (int i = 0; i < in->count; ++i) {
        const double* K = d->K + (size_t)(first + i) * (size_t)(n * n);
        double u[PLI_LOCAL_MAX], Ku[PLI_LOCAL_MAX];
        for (int k = 0; k < in->width; ++k) {
            int32_t v = in->vertices[i * in->width + k];
            size_t at = 3 * (size_t)(v < 0 ? 0 : v); // K is 0 where there is no vertex
            pli_sub(in->x + at, d->x_still + at, u + k * dim, dim);
        }
        for (int r = 0; r < n; ++r) Ku[r] = pli_dot(K + r * n, u, n);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * scale * pli_dot(u, Ku, n);
        if (in->want & PLI_GRADIENT) pli_axpy(scale, Ku, out->g + (size_t)i * (size_t)n, n);
        if (in->want & PLI_HESSIAN) pli_axpy(scale, K, out->H + (size_t)i * (size_t)(n * n), n * n);
    }
}

static void destroy(void* self) {
    damping* d = self;
    pli_memory* memory = d->memory;
    PLI_FREE(memory, d->K, (size_t)d->count * (size_t)(d->size * d->size));
    PLI_FREE(memory, d->x_still, 3 * d->vertex_count);
    PLI_FREE(memory, d, 1);
}

pli_status pli_stiffness_damping_create(pli_memory* memory, const pli_term* elastic, int dim,
                                        int vertex_count, double beta, pli_term* term,
                                        pli_error* error) {
    damping* d = NULL;
    PLI_TRY(PLI_ALLOC(memory, d, 1, error));
    int width = elastic->ops->width;
    *d = (damping){.memory = memory,
                   .elastic = *elastic,
                   .dim = dim,
                   .vertex_count = vertex_count,
                   .count = elastic->ops->count(elastic->self),
                   .size = width * dim,
                   .beta = beta};
    d->ops = (pli_term_ops){.name = "damping",
                            .width = width,
                            .role = PLI_DISSIPATION,
                            .count = count_of,
                            .vertices = vertices_of,
                            .eval = eval,
                            .begin_step = begin_step,
                            .destroy = destroy};
    pli_status status;
    PLI_TRY_CLEANUP(status,
                    PLI_ALLOC(memory, d->K, (size_t)d->count * (size_t)(d->size * d->size), error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, d->x_still, 3 * d->vertex_count, error));
    *term = (pli_term){.ops = &d->ops, .self = d};
    return PLI_OK;
cleanup:
    destroy(d);
    return status;
}

// ---- mass part: R = alpha m / 2 |v|^2 for each vertex

static pli_status mass_prepare(const double* params, const pli_element* element, void* data,
                               pli_error* error) {
    (void)error;
    *(double*)data = params[0] * element->mass[element->vertices[0]]; // alpha m [kg/s]
    return PLI_OK;
}

static void mass_eval(const pli_batch* in, pli_local* out) {
    const double* factors = in->data;
    size_t dim = (size_t)in->dim;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const double* v = in->v + 3 * (size_t)in->vertices[i];
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * factors[i] * pli_dot(v, v, in->dim);
        if (in->want & PLI_GRADIENT) pli_axpy(factors[i], v, out->g + i * dim, in->dim);
        for (size_t c = 0; c < dim && in->want & PLI_HESSIAN; ++c)
            out->H[i * dim * dim + c * (dim + 1)] += factors[i];
    }
}

pli_status pli_mass_damping_create(pli_memory* memory, double alpha, const pli_domain* domain,
                                   pli_term* term, pli_error* error) {
    static const pli_energy_type type = {.abi = PLI_ENERGY_ABI,
                                         .name = "damping",
                                         .help = "alpha m / 2 |v|^2 for each vertex",
                                         .dims = 1u << 2 | 1u << 3,
                                         .data_size = {[PLI_VERTEX] = sizeof(double)},
                                         .dissipation = true,
                                         .prepare = mass_prepare,
                                         .eval = mass_eval};
    return pli_element_term_create(memory, &type, &alpha, domain, term, error);
}

// ---- consistent mass: R = alpha / 2 sum m_ij v_i . v_j for each element. Masses between two
// vertices may be negative, but the matrix of an element is positive semi-definite, so R is convex
// stencil by stencil.

static pli_status consistent_prepare(const double* params, const pli_element* element, void* data,
                                     pli_error* error) {
    (void)error;
    double* M = data; // alpha m_ij [kg/s]
    int n = element->vertex_count;
    pli_element_mass(element->dim, element->kind, element->vertices, element->rest, M);
    double ratio = pli_pattern_ratio(element->pattern, element->vertices, element->rest);
    for (int i = 0; i < n * n; ++i) M[i] *= params[0] * ratio;
    return PLI_OK;
}

static void consistent_eval(const pli_batch* in, pli_local* out) {
    int n = in->width, dim = in->dim;
    size_t size = (size_t)n * (size_t)dim;
    for (size_t e = 0; e < (size_t)in->count; ++e) {
        const double* M = (const double*)in->data + e * (size_t)(n * n);
        const int32_t* vertices = in->vertices + e * (size_t)n;
        for (int i = 0; i < n; ++i) {
            double Mv[3] = {0};
            for (int j = 0; j < n; ++j)
                pli_axpy(M[i * n + j], in->v + 3 * (size_t)vertices[j], Mv, dim);
            if (in->want & PLI_VALUE)
                out->e[e] += 0.5 * pli_dot(in->v + 3 * (size_t)vertices[i], Mv, dim);
            if (in->want & PLI_GRADIENT) pli_axpy(1, Mv, out->g + e * size + i * dim, dim);
            for (int j = 0; j < n && in->want & PLI_HESSIAN; ++j)
                for (int c = 0; c < dim; ++c)
                    out->H[(e * size + (size_t)(i * dim + c)) * size + (size_t)(j * dim + c)] +=
                        M[i * n + j];
        }
    }
}

#define MATRIX(n) (sizeof(double) * (n) * (n))

pli_status pli_consistent_damping_create(pli_memory* memory, double alpha, const pli_lump* source,
                                         pli_term* term, pli_error* error) {
    static const pli_energy_type type = {.abi = PLI_ENERGY_ABI,
                                         .name = "damping",
                                         .help = "alpha / 2 v M v for each element",
                                         .dims = 1u << 2 | 1u << 3,
                                         .data_size = {[PLI_SEGMENT] = MATRIX(2),
                                                       [PLI_TRIANGLE] = MATRIX(3),
                                                       [PLI_TETRAHEDRON] = MATRIX(4),
                                                       [PLI_TRIANGLE6] = MATRIX(6),
                                                       [PLI_TETRAHEDRON10] = MATRIX(10)},
                                         .dissipation = true,
                                         .prepare = consistent_prepare,
                                         .eval = consistent_eval};
    const double factor = alpha * source->density * source->section;
    const pli_domain domain = {.dim = source->dim,
                               .kind = source->kind,
                               .element_count = source->element_count,
                               .vertices = source->vertices,
                               .rest = source->x,
                               .pattern = source->pattern};
    return pli_element_term_create(memory, &type, &factor, &domain, term, error);
}
