// Block-Jacobi: M is the block diagonal of H, one dense Cholesky factor per group. An indefinite
// diagonal block proves that H is indefinite.
#include "sparse/dense_block.h"
#include "sparse/preconditioner.h"

#include <string.h>

typedef struct block_jacobi {
    pli_memory* memory;
    const pli_pattern* pattern;
    double* factor; // the factors of all groups, each width x width, one after the other
    int factor_capacity;
    int factor_count; // values in use
} block_jacobi;

static pli_status create(pli_memory* memory, pli_pool* pool, const pli_near_null* near_null,
                         void** out, pli_error* error) {
    (void)pool, (void)near_null;
    block_jacobi* self;
    PLI_TRY(PLI_ALLOC(memory, self, 1, error));
    self->memory = memory;
    *out = self;
    return PLI_OK;
}

static void destroy(void* object) {
    block_jacobi* self = object;
    if (!self) return;
    pli_memory* memory = self->memory;
    PLI_FREE(memory, self->factor, self->factor_capacity);
    PLI_FREE(memory, self, 1);
}

static int group_width(const pli_pattern* pattern, int group) {
    return pattern->group_offset[group + 1] - pattern->group_offset[group];
}

static pli_status analyze(void* object, const pli_pattern* pattern, pli_error* error) {
    block_jacobi* self = object;
    int count = 0; // at most pattern->value_count
    for (int j = 0; j < pattern->group_count; ++j)
        count += group_width(pattern, j) * group_width(pattern, j);
    PLI_TRY(PLI_GROW(self->memory, self->factor, self->factor_capacity, count, error));
    self->pattern = pattern;
    self->factor_count = count;
    return PLI_OK;
}

static pli_status factorize(void* object, const double* values, const uint8_t* changed,
                            bool* definite, pli_error* error) {
    (void)changed;
    (void)error;
    block_jacobi* self = object;
    const pli_pattern* pattern = self->pattern;
    double* block = self->factor;
    for (int j = 0; j < pattern->group_count; ++j) {
        int width = group_width(pattern, j);
        if (width == 0) continue;
        const double* source = values + pattern->block_value[pattern->block_start[j]];
        for (int c = 0; c < width; ++c)
            memcpy(block + c * width, source + c * pattern->column_height[j],
                   (size_t)width * sizeof *block);
        *definite = pli_block_factorize(width, block, width);
        if (!*definite) return PLI_OK;
        block += width * width;
    }
    *definite = true;
    return PLI_OK;
}

static void apply(const void* object, const double* r, double* z) {
    const block_jacobi* self = object;
    const pli_pattern* pattern = self->pattern;
    const double* block = self->factor;
    for (int j = 0; j < pattern->group_count; ++j) {
        int width = group_width(pattern, j), first = pattern->group_offset[j];
        for (int c = 0; c < width; ++c) z[first + c] = r[first + c];
        pli_block_solve(width, block, width, z + first);
        block += width * width;
    }
}

static int64_t nonzeros(const void* object) {
    const block_jacobi* self = object;
    return self->factor_count;
}

const pli_preconditioner_ops pli_block_jacobi = {
    .name = "block-jacobi",
    .help = "diagonal blocks only: cheap, many iterations",
    .create = create,
    .destroy = destroy,
    .analyze = analyze,
    .factorize = factorize,
    .apply = apply,
    .nonzeros = nonzeros,
};
