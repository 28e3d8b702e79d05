// Low-rank part of a matrix: see low_rank.h.
#include "sparse/low_rank.h"

#include "math/vec.h"

#include <string.h>

enum { BLOCK_GRAIN = 32, GROUP_GRAIN = 512 };

void pli_low_rank_init(pli_low_rank* low, pli_memory* memory, pli_pool* pool) {
    *low = (pli_low_rank){.memory = memory, .pool = pool};
}

static int diagonal_size(const pli_low_rank* low) {
    return low->diagonal ? low->diagonal_start[low->group_count] : 0;
}

void pli_low_rank_free(pli_low_rank* low) {
    pli_memory* m = low->memory;
    if (!m) return;
    PLI_FREE(m, low->blocks, low->block_capacity);
    PLI_FREE(m, low->groups, low->group_capacity);
    PLI_FREE(m, low->offset, low->offset_capacity);
    PLI_FREE(m, low->weights, low->weights ? low->row_count : 0);
    PLI_FREE(m, low->dots, low->dots ? low->row_count : 0);
    PLI_FREE(m, low->values, low->values ? low->value_count : 0);
    PLI_FREE(m, low->users, low->users ? low->entry_count : 0);
    PLI_FREE(m, low->diagonal, diagonal_size(low));
    PLI_FREE(m, low->diagonal_start, low->diagonal_start ? low->group_count + 1 : 0);
    PLI_FREE(m, low->mark, low->mark ? low->group_count : 0);
    PLI_FREE(m, low->user_start, low->user_start ? low->group_count + 1 : 0);
    pli_low_rank_init(low, m, low->pool);
}

static int width_of(const int32_t* group_offset, int group) {
    return group_offset[group + 1] - group_offset[group];
}

pli_status pli_low_rank_add(pli_low_rank* low, int rank, int count, const int32_t* groups,
                            const int32_t* group_offset, pli_error* error) {
    pli_memory* m = low->memory;
    int at = low->entry_count;
    PLI_TRY(PLI_GROW(m, low->blocks, low->block_capacity, low->block_count + 1, error));
    PLI_TRY(PLI_GROW(m, low->groups, low->group_capacity, at + count, error));
    PLI_TRY(PLI_GROW(m, low->offset, low->offset_capacity, at + count, error));
    pli_low_rank_block block = {.group_start = at,
                                .group_end = at + count,
                                .rank = rank,
                                .row_start = low->row_count,
                                .value_start = low->value_count};
    for (int i = 0; i < count; ++i) {
        PLI_ASSERT(i == 0 || groups[i] > groups[i - 1]);
        low->groups[at + i] = groups[i];
        low->offset[at + i] = block.length;
        block.length += width_of(group_offset, groups[i]);
    }
    if (low->value_count + (int64_t)rank * block.length > INT32_MAX)
        return pli_fail(error, PLI_E_MEMORY,
                        "factors of Hessians need more than 2^31 numbers; use a smaller mesh");
    low->blocks[low->block_count++] = block;
    low->entry_count += count;
    low->row_count += rank;
    low->value_count += rank * block.length;
    return PLI_OK;
}

static void list_users(pli_low_rank* low) {
    int32_t* start = low->user_start;
    for (int i = 0; i < low->entry_count; ++i) start[low->groups[i] + 1]++;
    for (int g = 0; g < low->group_count; ++g) start[g + 1] += start[g];
    for (int b = 0; b < low->block_count; ++b)
        for (int i = low->blocks[b].group_start; i < low->blocks[b].group_end; ++i)
            low->users[start[low->groups[i]]++] = (pli_low_rank_user){b, i};
    memmove(start + 1, start, sizeof *start * (size_t)low->group_count);
    start[0] = 0;
}

pli_status pli_low_rank_finish(pli_low_rank* low, int group_count, const int32_t* group_offset,
                               bool diagonal, pli_error* error) {
    pli_memory* m = low->memory;
    low->group_count = group_count;
    low->group_offset = group_offset;
    PLI_TRY(PLI_ALLOC(m, low->weights, low->row_count, error));
    PLI_TRY(PLI_ALLOC(m, low->dots, low->row_count, error));
    PLI_TRY(PLI_ALLOC(m, low->values, low->value_count, error));
    PLI_TRY(PLI_ALLOC(m, low->user_start, group_count + 1, error));
    PLI_TRY(PLI_ALLOC(m, low->users, low->entry_count, error));
    PLI_TRY(PLI_ALLOC(m, low->mark, group_count, error));
    list_users(low);
    if (!diagonal) return PLI_OK;
    PLI_TRY(PLI_ALLOC(m, low->diagonal_start, group_count + 1, error));
    for (int g = 0; g < group_count; ++g) {
        int width = low->user_start[g + 1] > low->user_start[g] ? width_of(group_offset, g) : 0;
        low->diagonal_start[g + 1] = low->diagonal_start[g] + width * width;
    }
    return PLI_ALLOC(m, low->diagonal, low->diagonal_start[group_count], error);
}

pli_status pli_low_rank_pairs(pli_low_rank* low, pli_low_rank_pair_fn* visit, void* context,
                              pli_error* error) {
    for (int J = 0; J < low->group_count; ++J) low->mark[J] = -1;
    for (int J = 0; J < low->group_count; ++J)
        for (int u = low->user_start[J]; u < low->user_start[J + 1]; ++u) {
            const pli_low_rank_user* user = &low->users[u];
            if (user->block >= low->expanded) break; // ascending
            for (int i = user->entry; i < low->blocks[user->block].group_end; ++i) {
                int I = low->groups[i];
                if (low->mark[I] == J) continue;
                low->mark[I] = J;
                PLI_TRY(visit(context, I, J, error));
            }
        }
    return PLI_OK;
}

// out (column-major, leading dimension `height`) += sum over the rows k of a block of a_k b_I
// b_J^T, I and J its entries.
static void add_outer(const pli_low_rank* low, const pli_low_rank_block* block, int I, int J,
                      double* out, int height) {
    int rows = width_of(low->group_offset, low->groups[I]);
    int columns = width_of(low->group_offset, low->groups[J]);
    const double* row = low->values + block->value_start;
    for (int k = 0; k < block->rank; ++k, row += block->length)
        for (int c = 0; c < columns; ++c)
            pli_axpy(low->weights[block->row_start + k] * row[low->offset[J] + c],
                     row + low->offset[I], out + c * height, rows);
}

void pli_low_rank_expand(const pli_low_rank* low, const pli_pattern* pattern, int J,
                         double* values) {
    int height = pattern->column_height[J], width = width_of(low->group_offset, J);
    double *first = values + pattern->block_value[pattern->block_start[J]],
           *diagonal = low->diagonal ? low->diagonal + low->diagonal_start[J] : NULL;
    if (low->user_start[J] == low->user_start[J + 1]) return;
    if (diagonal) memset(diagonal, 0, sizeof *diagonal * (size_t)(width * width));
    for (int u = low->user_start[J]; u < low->user_start[J + 1]; ++u) {
        const pli_low_rank_user* user = &low->users[u];
        const pli_low_rank_block* block = &low->blocks[user->block];
        if (user->block >= low->expanded) {
            if (diagonal) add_outer(low, block, user->entry, user->entry, diagonal, width);
            continue;
        }
        int at = pattern->block_start[J]; // rows of the pattern and of the block both ascend
        for (int i = user->entry; i < block->group_end; ++i) {
            while (pattern->block_row[at] != low->groups[i]) ++at;
            PLI_ASSERT(at < pattern->block_start[J + 1]);
            add_outer(low, block, i, user->entry, values + pattern->block_value[at], height);
        }
    }
    for (int c = 0; c < width && diagonal; ++c)
        pli_axpy(1, diagonal + c * width, first + c * height, width);
}

// ---- products

typedef struct product {
    const pli_low_rank* low;
    const double* x;
    double* y;
} product;

// dots = D B x
static void dot_blocks(void* context, int first, int end) {
    const product* p = context;
    const pli_low_rank* low = p->low;
    for (int b = low->expanded + first; b < low->expanded + end; ++b) {
        const pli_low_rank_block* block = &low->blocks[b];
        const double* row = low->values + block->value_start;
        for (int k = 0; k < block->rank; ++k, row += block->length) {
            double sum = 0;
            for (int i = block->group_start; i < block->group_end; ++i) {
                int at = low->group_offset[low->groups[i]];
                sum += pli_dot(row + low->offset[i], p->x + at,
                               width_of(low->group_offset, low->groups[i]));
            }
            low->dots[block->row_start + k] = low->weights[block->row_start + k] * sum;
        }
    }
}

// y += B^T dots - diagonal x
static void add_groups(void* context, int first, int end) {
    const product* p = context;
    const pli_low_rank* low = p->low;
    for (int g = first; g < end; ++g) {
        int at = low->group_offset[g], width = width_of(low->group_offset, g);
        if (low->user_start[g] == low->user_start[g + 1]) continue;
        for (int u = low->user_start[g]; u < low->user_start[g + 1]; ++u) {
            const pli_low_rank_block* block = &low->blocks[low->users[u].block];
            const double* row = low->values + block->value_start + low->offset[low->users[u].entry];
            if (low->users[u].block < low->expanded) continue;
            for (int k = 0; k < block->rank; ++k)
                pli_axpy(low->dots[block->row_start + k], row + k * block->length, p->y + at,
                         width);
        }
        if (!low->diagonal) continue;
        const double* diagonal = low->diagonal + low->diagonal_start[g];
        for (int c = 0; c < width; ++c)
            pli_axpy(-p->x[at + c], diagonal + c * width, p->y + at, width);
    }
}

void pli_low_rank_multiply(const pli_low_rank* low, const double* x, double* y) {
    product p = {low, x, y};
    if (!pli_low_rank_any(low)) return;
    pli_parallel_for(low->pool, low->block_count - low->expanded, BLOCK_GRAIN, dot_blocks, &p);
    pli_parallel_for(low->pool, low->group_count, GROUP_GRAIN, add_groups, &p);
}
