// Vertices at the same place: sorted by coordinates they are neighbours.
#include "mesh/place.h"

typedef struct place_order {
    const double* x;
    int dim;
} place_order;

// By coordinates, then by number.
static bool before(const place_order* order, int32_t a, int32_t b) {
    const double *p = order->x + 3 * (size_t)a, *q = order->x + 3 * (size_t)b;
    for (int i = 0; i < order->dim; ++i)
        if (p[i] != q[i]) return p[i] < q[i];
    return a < b;
}

static void sift_down(const place_order* order, int32_t* heap, int root, int count) {
    int32_t value = heap[root];
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && before(order, heap[child], heap[child + 1])) ++child;
        if (!before(order, value, heap[child])) break;
        heap[root] = heap[child];
    }
    heap[root] = value;
}

// Heap sort: in place, so the user's allocator sees all memory.
static void sort_by_place(const place_order* order, int32_t* numbers, int count) {
    for (int i = count / 2 - 1; i >= 0; --i) sift_down(order, numbers, i, count);
    for (int end = count - 1; end > 0; --end) {
        int32_t last = numbers[end];
        numbers[end] = numbers[0];
        numbers[0] = last;
        sift_down(order, numbers, 0, end);
    }
}

pli_status pli_same_places(pli_memory* memory, int dim, int count, const double* x,
                           int32_t* partner, pli_error* error) {
    int32_t* sorted;
    place_order order = {x, dim};
    PLI_TRY(PLI_ALLOC(memory, sorted, count, error));
    for (int v = 0; v < count; ++v) sorted[v] = v;
    sort_by_place(&order, sorted, count);
    for (int i = 0; i < count; ++i) {
        int32_t v = sorted[i];
        partner[v] = v;
        if (i == 0) continue;
        const double *p = x + 3 * (size_t)v, *q = x + 3 * (size_t)sorted[i - 1];
        bool same = p[0] == q[0] && p[1] == q[1] && (dim == 2 || p[2] == q[2]);
        if (same) partner[v] = partner[sorted[i - 1]];
    }
    PLI_FREE(memory, sorted, count);
    return PLI_OK;
}
