// Changes a pattern: the same with its groups in another order, or with some blocks added and
// others removed. The time hardly depends on how the pattern was built.
#include "sparse/pattern_parts.h"

#include <string.h>

// ---- another order

// Row and column of block b of column j of a pattern after a permutation of its groups.
static pli_pair moved(const pli_pattern* from, const int32_t* place, int j, int b) {
    int32_t one = place[from->block_row[b]], two = place[j];
    return (pli_pair){.row = pli_max_int(one, two), .column = pli_min_int(one, two)};
}

// Same as place_blocks, with the buckets' entries in pairs: column, block of `from`.
static void place_moved(pli_pattern* pattern, const pli_pattern* from, const int32_t* place,
                        int32_t* source) {
    int32_t *next = pattern->block_start, *row_end = pattern->row_end;
    int n = pattern->group_count;
    int32_t rows = 0, blocks = 0;
    for (int g = 0; g < n; ++g) next[g] = row_end[g] = 0;
    for (int j = 0; j < n; ++j)
        for (int b = from->block_start[j]; b < from->block_start[j + 1]; ++b) {
            pli_pair pair = moved(from, place, j, b);
            row_end[pair.row]++;
            next[pair.column]++;
        }
    for (int g = 0; g < n; ++g) {
        int32_t in_row = row_end[g], in_column = next[g];
        row_end[g] = rows;
        next[g] = blocks;
        rows += in_row;
        blocks += in_column;
    }
    for (int j = 0; j < n; ++j)
        for (int b = from->block_start[j]; b < from->block_start[j + 1]; ++b) {
            pli_pair pair = moved(from, place, j, b);
            int at = row_end[pair.row]++;
            pattern->by_row[2 * at] = pair.column;
            pattern->by_row[2 * at + 1] = b;
        }
    for (int i = 0, read = 0; i < n; ++i)
        for (; read < row_end[i]; ++read) {
            int at = next[pattern->by_row[2 * read]]++;
            pattern->block_row[at] = i;
            source[at] = pattern->by_row[2 * read + 1];
        }
    memmove(next + 1, next, (size_t)n * sizeof *next);
    next[0] = 0;
}

pli_status pli_pattern_reorder(pli_pattern* pattern, const pli_pattern* from, const int32_t* place,
                               int32_t* source, pli_pool* pool, pli_error* error) {
    int n = from->group_count;
    pattern->group_count = pattern->unknown_count = 0;
    pattern->block_count = pattern->value_count = 0;
    if (from->block_count > INT32_MAX / 2) return pli_pattern_too_large("blocks", error);
    PLI_TRY(
        pli_pattern_reserve_groups(pattern, n, from->unknown_count, 2 * from->block_count, error));
    int32_t* offset = pattern->group_offset;
    for (int g = 0; g < n; ++g)
        offset[place[g] + 1] = from->group_offset[g + 1] - from->group_offset[g];
    offset[0] = 0;
    for (int g = 0; g < n; ++g) offset[g + 1] += offset[g];
    PLI_TRY(pli_pattern_reserve_blocks(pattern, from->block_count, from->value_count, error));
    pattern->group_count = n;
    pattern->unknown_count = from->unknown_count;
    pattern->block_count = from->block_count;
    pattern->value_count = from->value_count;
    place_moved(pattern, from, place, source);
    pli_pattern_place_values(pattern, pool);
    return PLI_OK;
}

// ---- other blocks

typedef struct change {
    pli_pattern* pattern;
    const pli_pattern* added; // includes all diagonal blocks, which are the old ones
    const uint8_t* keep;
    int32_t *start, *row, *moved; // of the new blocks; moved of the old ones
} change;

static bool stays(const change* c, int j, int b) {
    return b == c->pattern->block_start[j] || !c->keep || c->keep[b];
}

// start[j + 1] = number of new blocks of column j
static void count_range(void* context, int first, int end) {
    const change* c = context;
    const int32_t *old = c->pattern->block_start, *added = c->added->block_start;
    for (int j = first; j < end; ++j) {
        int count = added[j + 1] - added[j] - 1;
        for (int b = old[j]; b < old[j + 1]; ++b) count += stays(c, j, b);
        c->start[j + 1] = count;
    }
}

// Both lists are sorted and share the diagonal only.
static void merge_range(void* context, int first, int end) {
    const change* c = context;
    const pli_pattern *old = c->pattern, *added = c->added;
    for (int j = first; j < end; ++j) {
        int at = c->start[j], next = added->block_start[j] + 1;
        for (int b = old->block_start[j]; b < old->block_start[j + 1]; ++b) {
            int row = old->block_row[b];
            c->moved[b] = -1;
            if (!stays(c, j, b)) continue;
            while (next < added->block_start[j + 1] && added->block_row[next] < row)
                c->row[at++] = added->block_row[next++];
            c->moved[b] = at;
            c->row[at++] = row;
        }
        while (next < added->block_start[j + 1]) c->row[at++] = added->block_row[next++];
    }
}

static void swap(int32_t** a, int32_t** b, int32_t* capacity_a, int32_t* capacity_b) {
    int32_t *array = *a, capacity = *capacity_a;
    *a = *b;
    *b = array;
    *capacity_a = *capacity_b;
    *capacity_b = capacity;
}

// Counts the values of the blocks in c->row.
static int64_t count_values(const change* c) {
    const int32_t* offset = c->pattern->group_offset;
    int64_t sum = 0;
    for (int j = 0; j < c->pattern->group_count; ++j) {
        int64_t height = 0;
        for (int b = c->start[j]; b < c->start[j + 1]; ++b)
            height += offset[c->row[b] + 1] - offset[c->row[b]];
        sum += height * (offset[j + 1] - offset[j]);
    }
    return sum;
}

pli_status pli_pattern_change(pli_pattern* pattern, const pli_pattern* added, const uint8_t* keep,
                              int32_t* moved, pli_pool* pool, pli_error* error) {
    int n = pattern->group_count;
    int32_t* capacity = pattern->capacity;
    PLI_ASSERT(added->group_count == n);
    int64_t most = (int64_t)pattern->block_count + added->block_count;
    if (most > INT32_MAX) return pli_pattern_too_large("blocks", error);
    // The new lists are built in the work space and swapped with the old ones.
    PLI_TRY(PLI_GROW(pattern->memory, pattern->row_end, capacity[ROW_END], n + 1, error));
    PLI_TRY(PLI_GROW(pattern->memory, pattern->by_row, capacity[BY_ROW], (int)most, error));
    change c = {pattern, added, keep, pattern->row_end, pattern->by_row, moved};
    pli_parallel_for(pool, n, PLI_PATTERN_GRAIN, count_range, &c);
    c.start[0] = 0;
    for (int j = 0; j < n; ++j) c.start[j + 1] += c.start[j];
    pli_parallel_for(pool, n, PLI_PATTERN_GRAIN, merge_range, &c);
    int64_t value_count = count_values(&c);
    PLI_TRY(pli_pattern_reserve_blocks(pattern, c.start[n], value_count, error));
    swap(&pattern->block_start, &pattern->row_end, &capacity[BLOCK_START], &capacity[ROW_END]);
    swap(&pattern->block_row, &pattern->by_row, &capacity[BLOCK_ROW], &capacity[BY_ROW]);
    pattern->block_count = pattern->block_start[n];
    pattern->value_count = (int)value_count;
    pli_pattern_place_values(pattern, pool);
    return PLI_OK;
}
