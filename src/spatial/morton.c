// A radix sort by keys of 63 bits, 8 at a time: stable, and parallel over fixed blocks.
#include "spatial/morton.h"

enum { GRAIN = 4096, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS, KEY_BITS = 63 };

void pli_morton_init(pli_morton_order* curve, pli_memory* memory) {
    *curve = (pli_morton_order){.memory = memory};
}

void pli_morton_free(pli_morton_order* curve) {
    PLI_FREE(curve->memory, curve->order, curve->order_capacity);
    PLI_FREE(curve->memory, curve->keys, curve->key_capacity);
    PLI_FREE(curve->memory, curve->other_keys, curve->other_key_capacity);
    PLI_FREE(curve->memory, curve->other_order, curve->other_order_capacity);
    PLI_FREE(curve->memory, curve->digits, curve->digit_capacity);
    pli_morton_init(curve, curve->memory);
}

pli_frame pli_frame_of(const pli_box* box) {
    pli_frame frame = {{box->min[0], box->min[1], box->min[2]}, 0};
    double longest = 0;
    for (int k = 0; k < 3; ++k) {
        double half = 0.5 * box->max[k] - 0.5 * box->min[k];
        if (half > longest) longest = half;
    }
    if (longest > 1e-300) frame.scale = 1 / longest;
    return frame;
}

// Two zero bits before each of the lowest 21 bits.
static uint64_t spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffff;
    v = (v | v << 16) & 0x001f0000ff0000ff;
    v = (v | v << 8) & 0x100f00f00f00f00f;
    v = (v | v << 4) & 0x10c30c30c30c30c3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}

// Place of the box's centre on the curve, with 2^21 cells from -0.5 to 1.5 along each axis.
static uint64_t morton_key(const pli_frame* frame, const pli_box* box) {
    static const double cells = 2097151;
    uint64_t key = 0;
    for (int k = 0; k < 3; ++k) {
        double sum =
            pli_frame_place(frame, k, box->min[k]) + pli_frame_place(frame, k, box->max[k]);
        key |= spread_bits((uint64_t)((0.25 * sum + 0.25) * cells)) << k;
    }
    return key;
}

typedef struct sort {
    pli_morton_order* curve;
    const pli_frame* frame;
    const pli_box* boxes;
    int count;
    int shift; // of the digit that is sorted by
} sort;

static int block_count(int count) { return (count + GRAIN - 1) / GRAIN; }

static void key_block(void* context, int first, int end) {
    const sort* s = context;
    for (int i = first; i < end; ++i) {
        s->curve->keys[i] = morton_key(s->frame, &s->boxes[i]);
        s->curve->order[i] = i;
    }
}

static int digit(const sort* s, int i) {
    return (int)(s->curve->keys[i] >> s->shift & (DIGITS - 1));
}

static void count_digits(void* context, int first, int end) {
    const sort* s = context;
    int32_t* count = s->curve->digits + first / GRAIN * DIGITS;
    for (int d = 0; d < DIGITS; ++d) count[d] = 0;
    for (int i = first; i < end; ++i) count[digit(s, i)]++;
}

static void move_by_digit(void* context, int first, int end) {
    const sort* s = context;
    int32_t* start = s->curve->digits + first / GRAIN * DIGITS;
    for (int i = first; i < end; ++i) {
        int to = start[digit(s, i)]++;
        s->curve->other_keys[to] = s->curve->keys[i];
        s->curve->other_order[to] = s->curve->order[i];
    }
}

// Counts per block and digit become places: digits first, blocks in order within. False if all keys
// have the same digit.
static bool place_digits(const sort* s) {
    int at = 0, blocks = block_count(s->count);
    for (int d = 0; d < DIGITS; ++d) {
        int before = at;
        for (int block = 0; block < blocks; ++block) {
            int32_t* entry = &s->curve->digits[block * DIGITS + d];
            int count = *entry;
            *entry = at;
            at += count;
        }
        if (at - before == s->count) return false;
    }
    return true;
}

static void swap_buffers(pli_morton_order* c) {
    pli_morton_order old = *c;
    c->keys = old.other_keys;
    c->key_capacity = old.other_key_capacity;
    c->order = old.other_order;
    c->order_capacity = old.other_order_capacity;
    c->other_keys = old.keys;
    c->other_key_capacity = old.key_capacity;
    c->other_order = old.order;
    c->other_order_capacity = old.order_capacity;
}

pli_status pli_morton_sort(pli_morton_order* curve, pli_pool* pool, const pli_frame* frame,
                           int count, const pli_box* boxes, pli_error* error) {
    pli_memory* memory = curve->memory;
    int digits = block_count(count) * DIGITS;
    PLI_TRY(PLI_GROW(memory, curve->order, curve->order_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->keys, curve->key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->other_keys, curve->other_key_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->other_order, curve->other_order_capacity, count, error));
    PLI_TRY(PLI_GROW(memory, curve->digits, curve->digit_capacity, digits, error));
    sort s = {.curve = curve, .frame = frame, .boxes = boxes, .count = count};
    pli_parallel_for(pool, count, GRAIN, key_block, &s);
    for (s.shift = 0; s.shift < KEY_BITS; s.shift += DIGIT_BITS) {
        pli_parallel_for(pool, count, GRAIN, count_digits, &s);
        if (!place_digits(&s)) continue;
        pli_parallel_for(pool, count, GRAIN, move_by_digit, &s);
        swap_buffers(curve);
    }
    return PLI_OK;
}
