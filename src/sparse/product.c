// Greedy colouring of the chunks. Meshes with a banded numbering need two or three rounds; if
// neighbours are scattered over the whole numbering, every round is one chunk.
#include "sparse/product.h"

#include "sparse/reserve.h"

#include <string.h>

enum { CHUNK_VALUES = 32768 }; // of the matrix, at least: about 30 microseconds

void pli_product_init(pli_product* p, pli_memory* memory, pli_pool* pool) {
    *p = (pli_product){.memory = memory, .pool = pool};
}

void pli_product_free(pli_product* p) { PLI_FREE(p->memory, p->writers, p->writer_capacity); }

// Chunks with about the same number of values each.
static void cut_chunks(pli_product* p) {
    const pli_pattern* pattern = p->pattern;
    int n = pattern->group_count, wanted = pattern->value_count / CHUNK_VALUES;
    wanted = pli_max_int(1, pli_min_int(wanted, PLI_MAX_CHUNKS));
    p->chunk_count = 0;
    p->first[0] = 0;
    for (int j = 0; j < n; ++j) {
        int64_t values = pattern->start[pattern->group_offset[j + 1]];
        bool full = values * wanted >= (int64_t)(p->chunk_count + 1) * pattern->value_count;
        if (full || j + 1 == n) p->first[++p->chunk_count] = j + 1;
        if (p->chunk_count == PLI_MAX_CHUNKS) p->first[p->chunk_count] = n;
        if (p->first[p->chunk_count] == n) break;
    }
}

// conflicts[c]: bit mask of the chunks that write to a row that c writes to.
static void find_conflicts(pli_product* p, uint64_t* conflicts) {
    const pli_pattern* pattern = p->pattern;
    memset(p->writers, 0, (size_t)pattern->group_count * sizeof *p->writers);
    for (int pass = 0; pass < 2; ++pass)
        for (int c = 0; c < p->chunk_count; ++c) {
            conflicts[c] = 0;
            for (int b = pattern->block_start[p->first[c]];
                 b < pattern->block_start[p->first[c + 1]]; ++b) {
                uint64_t* writers = &p->writers[pattern->block_row[b]];
                if (pass == 0)
                    *writers |= (uint64_t)1 << c;
                else
                    conflicts[c] |= *writers;
            }
        }
}

static void deal_rounds(pli_product* p, const uint64_t* conflicts) {
    uint64_t left = p->chunk_count == 64 ? ~(uint64_t)0 : ((uint64_t)1 << p->chunk_count) - 1;
    int next = 0;
    p->round_count = 0;
    while (left) {
        uint64_t taken = 0;
        p->round[p->round_count++] = next;
        for (int c = 0; c < p->chunk_count; ++c) {
            uint64_t bit = (uint64_t)1 << c;
            if (!(left & bit) || (conflicts[c] & taken)) continue;
            taken |= bit;
            p->chunk[next++] = c;
        }
        left &= ~taken;
    }
    p->round[p->round_count] = next;
}

pli_status pli_product_analyze(pli_product* p, const pli_pattern* pattern, pli_error* error) {
    uint64_t conflicts[PLI_MAX_CHUNKS];
    p->chunk_count = p->round_count = 0;
    PLI_TRY(PLI_RESERVE(p->memory, p->writers, p->writer_capacity, pattern->group_count, error));
    p->pattern = pattern;
    if (pattern->unknown_count == 0) return PLI_OK;
    cut_chunks(p);
    find_conflicts(p, conflicts);
    deal_rounds(p, conflicts);
    return PLI_OK;
}

typedef struct task {
    const pli_product* p;
    const int32_t* chunk;
    const double *values, *x;
    double* y;
} task;

static void multiply_chunks(void* context, int first, int end) {
    const task* t = context;
    for (int k = first; k < end; ++k) {
        int c = t->chunk[k];
        pli_pattern_multiply_columns(t->p->pattern, t->values, t->p->first[c], t->p->first[c + 1],
                                     t->x, t->y);
    }
}

void pli_product_multiply(const pli_product* p, const double* values, const double* x, double* y) {
    if (p->round_count == 0) return;
    memset(y, 0, (size_t)p->pattern->unknown_count * sizeof *y);
    for (int r = 0; r < p->round_count; ++r) {
        task t = {p, p->chunk + p->round[r], values, x, y};
        pli_parallel_for(p->pool, p->round[r + 1] - p->round[r], 1, multiply_chunks, &t);
    }
}
