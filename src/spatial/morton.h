// Boxes in the order of their centres along a Morton curve: neighbours in the order are neighbours
// in space. A function of the boxes and the frame alone, whatever the number of threads.
#ifndef PLI_SPATIAL_MORTON_H
#define PLI_SPATIAL_MORTON_H

#include "base/parallel.h"

typedef struct pli_box {
    double min[3], max[3]; // [m]
} pli_box;

// Coordinates of their own: 0 to 1 inside a box.
typedef struct pli_frame {
    double min[3]; // [m]
    double scale;  // [1/m]
} pli_frame;

// The frame of a box. Where the scale would overflow it is 0: then all places are one.
pli_frame pli_frame_of(const pli_box* box);

// Coordinate k in the frame, cut off at -0.5 and 1.5. Monotone, whatever is rounded: boxes that
// overlap do so in any frame. Halves, so that nothing finite overflows.
static inline double pli_frame_place(const pli_frame* frame, int k, double x) {
    double place = (0.5 * x - 0.5 * frame->min[k]) * frame->scale;
    return place < -0.5 ? -0.5 : place > 1.5 ? 1.5 : place;
}

typedef struct pli_morton_order {
    pli_memory* memory;
    int32_t* order; // numbers of the boxes along the curve
    // scratch of the sort
    uint64_t* keys;
    uint64_t* other_keys;
    int32_t* other_order;
    int32_t* digits; // per block and digit
    int order_capacity, key_capacity, other_key_capacity, other_order_capacity, digit_capacity;
} pli_morton_order;

void pli_morton_init(pli_morton_order* curve, pli_memory* memory);
void pli_morton_free(pli_morton_order* curve);
pli_status pli_morton_sort(pli_morton_order* curve, pli_pool* pool, const pli_frame* frame,
                           int count, const pli_box* boxes, pli_error* error);

#endif
