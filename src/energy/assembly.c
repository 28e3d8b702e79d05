// Evaluation and gathering; the lists they follow are made in assembly_layout.c.
#include "energy/assembly.h"

#include "math/vec.h"

#include <string.h>

enum { CHUNK_GRAIN = 8, COLUMN_GRAIN = 256, VERTEX_GRAIN = 512, MAPPED_GRAIN = 32 };

typedef struct eval_task {
    pli_assembly* a;
    const double* x;
    unsigned want;
    bool project;
} eval_task;

// The term of a chunk and the chunk's stencils [*first, *first + return value).
static int chunk_stencils(const pli_assembly* a, int chunk, int* term, int* first) {
    int t = *term;
    while (t + 1 < a->term_count && a->layout[t + 1].chunk_start <= chunk) ++t;
    *term = t;
    *first = (chunk - a->layout[t].chunk_start) * PLI_ASSEMBLY_CHUNK;
    return pli_min_int(PLI_ASSEMBLY_CHUNK, a->layout[t].count - *first);
}

static void eval_chunks(void* context, int first_chunk, int end_chunk) {
    const eval_task* task = context;
    pli_assembly* a = task->a;
    int term = 0, first = 0;
    for (int chunk = first_chunk; chunk < end_chunk; ++chunk) {
        int count = chunk_stencils(a, chunk, &term, &first);
        const pli_term_layout* layout = &a->layout[term];
        const pli_term_ops* ops = a->terms[term].ops;
        const void* self = a->terms[term].self;
        size_t size = (size_t)(layout->width * a->kinematics->dim);
        double energies[PLI_ASSEMBLY_CHUNK] = {0};
        pli_batch batch = {.dim = a->kinematics->dim,
                           .count = count,
                           .width = layout->width,
                           .vertices = ops->vertices(self) + first * layout->width,
                           .x = task->x,
                           .want = task->want,
                           .project = task->project};
        pli_local local = {.e = energies};
        if (task->want & PLI_GRADIENT) {
            local.g = a->gradients + layout->gradient + (size_t)first * size;
            memset(local.g, 0, sizeof(double) * (size_t)count * size);
        }
        if (layout->hessian < 0) batch.want &= ~(unsigned)PLI_HESSIAN;
        if (batch.want & PLI_HESSIAN) {
            local.H = a->hessians + layout->hessian + (size_t)first * size * size;
            memset(local.H, 0, sizeof(double) * (size_t)count * size * size);
        }
        ops->eval(self, first, &batch, &local);
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += energies[i];
        if (task->want & PLI_VALUE) a->chunk_values[chunk] = sum;
    }
}

void pli_assembly_values(pli_assembly* a, const double* x, double* term_values) {
    eval_task task = {.a = a, .x = x, .want = PLI_VALUE};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, eval_chunks, &task);
    for (int t = 0; t < a->term_count; ++t) {
        int end = t + 1 < a->term_count ? a->layout[t + 1].chunk_start : a->chunk_count;
        double sum = 0, lost = 0; // compensated: the line search compares these sums
        for (int chunk = a->layout[t].chunk_start; chunk < end; ++chunk) {
            double term = a->chunk_values[chunk], next = sum + term;
            lost += fabs(sum) >= fabs(term) ? (sum - next) + term : (term - next) + sum;
            sum = next;
        }
        term_values[t] = isfinite(sum) ? sum + lost : HUGE_VAL;
    }
}

// W^T H W as the sum of H_ij w_i w_j^T over local rows i, j. W is mostly zeros.
static void map_range(void* context, int first, int end) {
    const eval_task* task = context;
    pli_assembly* a = task->a;
    int dim = a->kinematics->dim;
    for (int m = first; m < end; ++m) {
        const pli_mapped* mapped = &a->mapped[m];
        const pli_term_layout* layout = &a->layout[mapped->term];
        int size = layout->width * dim, n = mapped->width;
        const double* H = a->hessians + layout->hessian + (size_t)(mapped->stencil * size * size);
        double* out = a->hessians + mapped->hessian;
        memset(out, 0, sizeof *out * (size_t)(n * n));
        const double* weights = a->mapped_weights + mapped->weights;
        for (int i = 0; i < size; ++i)
            for (int j = 0; j < size; ++j) {
                double h = H[i * size + j];
                if (h == 0) continue;
                const double *wi = weights + i * n, *wj = weights + j * n;
                for (int r = 0; r < n; ++r)
                    if (wi[r] != 0) pli_axpy(h * wi[r], wj, out + r * n, n);
            }
    }
}

void pli_assembly_evaluate(pli_assembly* a, const double* x, bool hessian, bool project) {
    eval_task task = {
        .a = a, .x = x, .want = PLI_GRADIENT | (hessian ? PLI_HESSIAN : 0u), .project = project};
    pli_parallel_for(a->pool, a->chunk_count, CHUNK_GRAIN, eval_chunks, &task);
    if (hessian) pli_parallel_for(a->pool, a->mapped_count, MAPPED_GRAIN, map_range, &task);
}

typedef struct gradient_task {
    const pli_assembly* a;
    double *gx, *load;
} gradient_task;

static void gradient_range(void* context, int first, int end) {
    const gradient_task* task = context;
    const pli_assembly* a = task->a;
    int dim = a->kinematics->dim;
    for (int v = first; v < end; ++v) {
        double g[3] = {0, 0, 0}, load = 0;
        for (int c = 0; c < 2; ++c) {
            const pli_gather* gather = &a->vertex_gather[c];
            for (int i = gather->start[v]; i < gather->start[v + 1]; ++i) {
                const double* local = a->gradients + gather->source[i].at;
                pli_axpy(1, local, g, dim);
                load += pli_norm(local, dim);
            }
        }
        memcpy(task->gx + 3 * (size_t)v, g, sizeof g);
        if (task->load) task->load[v] = load;
    }
}

void pli_assembly_gradient(pli_assembly* a, double* gx, double* load) {
    gradient_task task = {.a = a, .gx = gx, .load = load};
    pli_parallel_for(a->pool, a->kinematics->vertex_count, VERTEX_GRAIN, gradient_range, &task);
}

typedef struct matrix_task {
    pli_assembly* a;
    double inertia;
    const uint8_t* frozen;
} matrix_task;

// out (column-major, leading dimension `height`) += scale * in (leading dimension `stride`)
static void add_dense(double* out, int height, const double* in, int stride, double scale, int rows,
                      int columns) {
    for (int c = 0; c < columns; ++c) pli_axpy(scale, in + c * stride, out + c * height, rows);
}

static void matrix_range(void* context, int first, int end) {
    const matrix_task* task = context;
    pli_assembly* a = task->a;
    const pli_pattern* p = &a->pattern;
    const pli_kinematics* k = a->kinematics;
    for (int J = first; J < end; ++J) {
        int height = p->column_height[J], columns = pli_group_width(k, J);
        bool column_frozen = task->frozen && task->frozen[J];
        double* panel = a->values + p->block_value[p->block_start[J]];
        memset(panel, 0, sizeof *panel * (size_t)height * (size_t)columns);
        if (column_frozen) {
            for (int c = 0; c < columns; ++c) panel[c * height + c] = 1;
            continue;
        }
        int mass = a->mass_start[J];
        for (int b = p->block_start[J]; b < p->block_start[J + 1]; ++b) {
            int I = p->block_row[b], rows = pli_group_width(k, I);
            bool has_mass = mass < a->mass_start[J + 1] && k->mass[mass].row == I;
            int mass_value = has_mass ? k->mass[mass++].value : 0;
            if (task->frozen && task->frozen[I]) continue;
            double* out = a->values + p->block_value[b];
            if (has_mass)
                add_dense(out, height, k->mass_values + mass_value, rows, task->inertia, rows,
                          columns);
            for (int c = 0; c < 2; ++c) {
                const pli_gather* gather = &a->block_gather[c];
                for (int i = gather->start[b]; i < gather->start[b + 1]; ++i)
                    add_dense(out, height, a->hessians + gather->source[i].at,
                              gather->source[i].stride, 1, rows, columns);
            }
        }
    }
}

void pli_assembly_matrix(pli_assembly* a, double inertia, const uint8_t* frozen) {
    matrix_task task = {.a = a, .inertia = inertia, .frozen = frozen};
    pli_parallel_for(a->pool, a->pattern.group_count, COLUMN_GRAIN, matrix_range, &task);
}
