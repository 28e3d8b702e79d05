// The order in which the things of a picture in space are drawn: what another one covers comes
// before it. Things do not pass through each other, so where two overlap on the page one point
// tells which is behind. Whatever freedom is left brings things of one style together.
#ifndef PLI_RENDER_ORDER_H
#define PLI_RENDER_ORDER_H

#include "base/memory.h"

enum { PLI_SHAPE_CORNERS = 4, PLI_ORDER_STYLES = 1024 };

// One thing as a flat convex polygon, either way round.
typedef struct pli_shape {
    int count;                      // corners: 3 or 4
    int rank;                       // of two that lie on each other the higher one is drawn later
    int style;                      // below PLI_ORDER_STYLES
    int owner;                      // those of one owner (>= 0) keep their order; -1: nobody's
    bool veil;                      // of an obstacle: see pli_order_find_veiled
    float at[PLI_SHAPE_CORNERS][3]; // right, up, towards the viewer [px]
} pli_shape;

double pli_shape_area(const pli_shape* shape); // on the page [px^2]

// Of two shapes that overlap on the page.
typedef struct pli_cover {
    int32_t far, near;
    int32_t next; // of the same `far`; -1: none
    float area;   // of the overlap [px^2]
} pli_cover;

// A shape as it is drawn.
typedef struct pli_turn {
    int32_t shape;
    int32_t after; // the last turn of those that it covers; -1: it covers nothing
} pli_turn;

typedef struct pli_order {
    pli_memory* memory;
    int capacity, cover_capacity; // room for shapes and covers, made once
    pli_shape* shapes;            // to be filled, from far to near by their middles
    int cover_count;
    pli_cover* covers;
    pli_turn* turns; // result
    struct pli_span* spans;
    int32_t *heads, *behind, *after, *next; // per shape: see order.c
    int32_t *ready, *ready_count;           // per style
} pli_order;

// Room for `capacity` shapes; none if they are too many to compare.
pli_status pli_order_init(pli_order* order, pli_memory* memory, int capacity, pli_error* error);
void pli_order_free(pli_order* order); // zeroed is fine

// Fills `covers` and `turns` from the first `count` <= capacity shapes. Where shapes cover each
// other in a ring their depth decides; for all of them, each after the one before, if there is no
// room for all covers.
void pli_order_sort(pli_order* order, int count);

// Fills `covers` alone, and only with pairs of which one is a veil and the other is not.
void pli_order_find_veiled(pli_order* order, int count);

#endif
