// Building a pattern by two bucket sorts, and the product with a symmetric matrix.
//
// The pairs go into buckets by row. Reading the rows in ascending order and appending to the
// columns leaves every column sorted, with its diagonal first: O(pairs + blocks + values).
#include "sparse/pattern_parts.h"

#include "sparse/panel.h"

#include <string.h>

void pli_pattern_init(pli_pattern* pattern, pli_memory* memory) {
    *pattern = (pli_pattern){.memory = memory};
}

void pli_pattern_free(pli_pattern* pattern) {
    pli_memory* memory = pattern->memory;
    const int32_t* capacity = pattern->capacity;
    PLI_FREE(memory, pattern->group_offset, capacity[GROUP_OFFSET]);
    PLI_FREE(memory, pattern->block_start, capacity[BLOCK_START]);
    PLI_FREE(memory, pattern->block_row, capacity[BLOCK_ROW]);
    PLI_FREE(memory, pattern->block_value, capacity[BLOCK_VALUE]);
    PLI_FREE(memory, pattern->column_height, capacity[COLUMN_HEIGHT]);
    PLI_FREE(memory, pattern->start, capacity[START]);
    PLI_FREE(memory, pattern->row, capacity[ROW]);
    PLI_FREE(memory, pattern->by_row, capacity[BY_ROW]);
    PLI_FREE(memory, pattern->row_end, capacity[ROW_END]);
    pli_pattern_init(pattern, memory);
}

pli_status pli_pattern_too_large(const char* what, pli_error* error) {
    return pli_fail(error, PLI_E_MEMORY,
                    "out of memory: the matrix has 2^31 %s or more; use a smaller mesh", what);
}

pli_status pli_pattern_reserve_groups(pli_pattern* pattern, int group_count, int unknown_count,
                                      int pair_count, pli_error* error) {
    pli_memory* memory = pattern->memory;
    int32_t* capacity = pattern->capacity;
    if (group_count == INT32_MAX || unknown_count == INT32_MAX)
        return pli_pattern_too_large("unknowns", error);
    PLI_TRY(
        PLI_GROW(memory, pattern->group_offset, capacity[GROUP_OFFSET], group_count + 1, error));
    PLI_TRY(PLI_GROW(memory, pattern->block_start, capacity[BLOCK_START], group_count + 1, error));
    PLI_TRY(PLI_GROW(memory, pattern->column_height, capacity[COLUMN_HEIGHT], group_count, error));
    PLI_TRY(PLI_GROW(memory, pattern->start, capacity[START], unknown_count + 1, error));
    PLI_TRY(PLI_GROW(memory, pattern->by_row, capacity[BY_ROW], pair_count, error));
    return PLI_GROW(memory, pattern->row_end, capacity[ROW_END], group_count, error);
}

pli_status pli_pattern_reserve_blocks(pli_pattern* pattern, int64_t block_count,
                                      int64_t value_count, pli_error* error) {
    pli_memory* memory = pattern->memory;
    int32_t* capacity = pattern->capacity;
    if (block_count > INT32_MAX) return pli_pattern_too_large("blocks", error);
    if (value_count > INT32_MAX) return pli_pattern_too_large("values", error);
    PLI_TRY(PLI_GROW(memory, pattern->block_row, capacity[BLOCK_ROW], (int)block_count, error));
    PLI_TRY(PLI_GROW(memory, pattern->block_value, capacity[BLOCK_VALUE], (int)block_count, error));
    return PLI_GROW(memory, pattern->row, capacity[ROW], (int)value_count, error);
}

// Afterwards the columns paired with row i are by_row[row_end[i - 1] .. row_end[i]).
static void bucket_by_row(pli_pattern* pattern, int group_count, int pair_count,
                          const pli_pair* pairs) {
    int32_t* row_end = pattern->row_end;
    for (int i = 0; i < group_count; ++i) row_end[i] = 0;
    for (int k = 0; k < pair_count; ++k) {
        PLI_ASSERT(pairs[k].column >= 0 && pairs[k].column <= pairs[k].row);
        PLI_ASSERT(pairs[k].row < group_count);
        row_end[pairs[k].row]++;
    }
    int32_t sum = 0;
    for (int i = 0; i < group_count; ++i) {
        int32_t count = row_end[i];
        row_end[i] = sum; // start of the bucket; placing its columns moves it to the end
        sum += count;
    }
    for (int k = 0; k < pair_count; ++k) pattern->by_row[row_end[pairs[k].row]++] = pairs[k].column;
}

// Removes repeats and diagonal pairs from the buckets and counts the blocks (including the
// diagonal) and values. block_start[J] becomes the number of blocks in column J.
static void count_blocks(pli_pattern* pattern, int group_count, int64_t* block_count,
                         int64_t* value_count) {
    const int32_t* offset = pattern->group_offset;
    int32_t* seen = pattern->column_height; // the last row that contained the column
    int64_t blocks = 0, values = 0;
    int32_t read = 0, write = 0;
    for (int i = 0; i < group_count; ++i) {
        int64_t height = offset[i + 1] - offset[i];
        seen[i] = i;
        pattern->block_start[i] = 1;
        blocks++;
        values += height * height;
        for (; read < pattern->row_end[i]; ++read) {
            int32_t column = pattern->by_row[read];
            if (seen[column] == i) continue;
            seen[column] = i;
            pattern->by_row[write++] = column;
            pattern->block_start[column]++;
            blocks++;
            values += height * (offset[column + 1] - offset[column]);
        }
        pattern->row_end[i] = write;
    }
    *block_count = blocks;
    *value_count = values;
}

// The second sort: rows in ascending order are appended to their columns.
static void place_blocks(pli_pattern* pattern) {
    int32_t* next = pattern->block_start; // where each column goes on
    int32_t sum = 0, read = 0;
    for (int j = 0; j < pattern->group_count; ++j) {
        int32_t count = next[j];
        next[j] = sum;
        sum += count;
    }
    for (int i = 0; i < pattern->group_count; ++i) {
        pattern->block_row[next[i]++] = i;
        for (; read < pattern->row_end[i]; ++read)
            pattern->block_row[next[pattern->by_row[read]]++] = i;
    }
    // Each column now points to its end, that is the begin of the next.
    memmove(next + 1, next, (size_t)pattern->group_count * sizeof *next);
    next[0] = 0;
}

static void height_range(void* context, int first, int end) {
    pli_pattern* pattern = context;
    const int32_t* offset = pattern->group_offset;
    for (int j = first; j < end; ++j) {
        int32_t height = 0;
        for (int k = pattern->block_start[j]; k < pattern->block_start[j + 1]; ++k) {
            int32_t i = pattern->block_row[k];
            height += offset[i + 1] - offset[i];
        }
        pattern->column_height[j] = height;
    }
}

static void value_range(void* context, int first, int end) {
    pli_pattern* pattern = context;
    const int32_t* offset = pattern->group_offset;
    for (int j = first; j < end; ++j) {
        int32_t value = pattern->start[offset[j]], height = 0;
        int32_t width = offset[j + 1] - offset[j];
        int32_t* row = pattern->row + value;
        for (int k = pattern->block_start[j]; k < pattern->block_start[j + 1]; ++k) {
            int32_t i = pattern->block_row[k];
            pattern->block_value[k] = value + height;
            // A column group of width 0 has no values to number.
            for (int32_t r = offset[i]; width > 0 && r < offset[i + 1]; ++r)
                row[height + r - offset[i]] = r;
            height += offset[i + 1] - offset[i];
        }
        for (int32_t c = 1; c < width; ++c)
            memcpy(row + c * height, row, (size_t)height * sizeof *row);
    }
}

void pli_pattern_place_values(pli_pattern* pattern, pli_pool* pool) {
    const int32_t* offset = pattern->group_offset;
    int32_t value = 0;
    pli_parallel_for(pool, pattern->group_count, PLI_PATTERN_GRAIN, height_range, pattern);
    for (int j = 0; j < pattern->group_count; ++j)
        for (int32_t c = offset[j]; c < offset[j + 1]; ++c) {
            pattern->start[c] = value;
            value += pattern->column_height[j];
        }
    pattern->start[pattern->unknown_count] = value;
    pli_parallel_for(pool, pattern->group_count, PLI_PATTERN_GRAIN, value_range, pattern);
}

pli_status pli_pattern_build_blocks(pli_pattern* pattern, int group_count,
                                    const int32_t* group_offset, int pair_count,
                                    const pli_pair* pairs, pli_error* error) {
    PLI_ASSERT(group_count >= 0 && pair_count >= 0);
    PLI_ASSERT(group_count == 0 || group_offset[0] == 0);
    int unknown_count = group_count > 0 ? group_offset[group_count] : 0;
    int64_t block_count, value_count;
    pattern->group_count = pattern->unknown_count = 0;
    pattern->block_count = pattern->value_count = 0;
    PLI_TRY(pli_pattern_reserve_groups(pattern, group_count, unknown_count, pair_count, error));
    pattern->group_offset[0] = 0;
    if (group_count > 0)
        memcpy(pattern->group_offset, group_offset,
               ((size_t)group_count + 1) * sizeof *group_offset);
    bucket_by_row(pattern, group_count, pair_count, pairs);
    count_blocks(pattern, group_count, &block_count, &value_count);
    if (block_count > INT32_MAX) return pli_pattern_too_large("blocks", error);
    if (value_count > INT32_MAX) return pli_pattern_too_large("values", error);
    PLI_TRY(PLI_GROW(pattern->memory, pattern->block_row, pattern->capacity[BLOCK_ROW],
                     (int)block_count, error));
    pattern->group_count = group_count;
    pattern->unknown_count = unknown_count;
    pattern->block_count = (int)block_count;
    pattern->value_count = (int)value_count;
    place_blocks(pattern);
    return PLI_OK;
}

pli_status pli_pattern_build(pli_pattern* pattern, int group_count, const int32_t* group_offset,
                             int pair_count, const pli_pair* pairs, pli_error* error) {
    PLI_TRY(pli_pattern_build_blocks(pattern, group_count, group_offset, pair_count, pairs, error));
    pli_status status =
        pli_pattern_reserve_blocks(pattern, pattern->block_count, pattern->value_count, error);
    if (status == PLI_OK)
        pli_pattern_place_values(pattern, NULL);
    else
        pattern->group_count = pattern->unknown_count = pattern->block_count =
            pattern->value_count = 0;
    return status;
}

int pli_pattern_find(const pli_pattern* pattern, int row, int column) {
    PLI_ASSERT(column >= 0 && column <= row && row < pattern->group_count);
    int low = pattern->block_start[column], high = pattern->block_start[column + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (pattern->block_row[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < pattern->block_start[column + 1] && pattern->block_row[low] == row ? low : -1;
}

// Each entry is read once and used twice, for its row and, mirrored, for its column:
//   y_r += a_rc x_c,  y_c += a_rc x_r.
static inline void multiply_panel(int width, const pli_panel* panel, const double* values,
                                  const double* restrict x, double* restrict y) {
    const double* a = values + panel->top;
    int height = panel->height;
    double own[PLI_PANEL_WIDTH] = {0}, sum[PLI_PANEL_WIDTH] = {0};
    for (int c = 0; c < width; ++c) own[c] = x[panel->first + c];
    for (int c = 0; c < width; ++c) {
        sum[c] += a[c * height + c] * own[c];
        for (int r = c + 1; r < width; ++r) {
            sum[c] += a[c * height + r] * own[r];
            sum[r] += a[c * height + r] * own[c];
        }
    }
    a += width;
    for (int k = 0; k < panel->below; ++k) {
        double other = x[panel->row[k]], mirrored = 0;
        for (int c = 0; c < width; ++c) {
            sum[c] += a[c * height + k] * other;
            mirrored += a[c * height + k] * own[c];
        }
        y[panel->row[k]] += mirrored;
    }
    for (int c = 0; c < width; ++c) y[panel->first + c] += sum[c];
}

void pli_pattern_multiply(const pli_pattern* pattern, const double* values, const double* x,
                          double* y) {
    if (pattern->unknown_count == 0) return;
    memset(y, 0, (size_t)pattern->unknown_count * sizeof *y);
    pli_pattern_multiply_columns(pattern, values, 0, pattern->group_count, x, y);
}

void pli_pattern_multiply_columns(const pli_pattern* pattern, const double* values, int first,
                                  int end, const double* x, double* y) {
    for (int j = first; j < end; ++j) {
        int width = pattern->group_offset[j + 1] - pattern->group_offset[j];
        for (int c = 0; c < width; c += PLI_PANEL_WIDTH) {
            pli_panel panel = pli_panel_at(pattern, j, c);
            switch (panel.width) {
            case 1:
                multiply_panel(1, &panel, values, x, y);
                break;
            case 2:
                multiply_panel(2, &panel, values, x, y);
                break;
            case 3:
                multiply_panel(3, &panel, values, x, y);
                break;
            default:
                multiply_panel(4, &panel, values, x, y);
                break;
            }
        }
    }
}
