// Covers by a sweep over the page from left to right; then shapes are drawn as soon as all that
// they cover is there, those of the style at hand first. [Newell, Newell and Sancha 1972, "A
// solution to the hidden surface problem"; Kahn 1962, "Topological sorting of large networks"]
#include "render/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_SHAPES = 20000,
    COVERS_PER_SHAPE = 128,
};

// Where a shape is on the page.
typedef struct pli_span {
    float left, right, low, high;
    int32_t shape;
} pli_span;

pli_status pli_order_init(pli_order* order, pli_memory* memory, int capacity, pli_error* error) {
    pli_order fresh = {.memory = memory, .capacity = capacity > MOST_SHAPES ? 0 : capacity};
    size_t count = (size_t)fresh.capacity;
    pli_status status;
    fresh.cover_capacity = COVERS_PER_SHAPE * fresh.capacity;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.shapes, count, error));
    // Most pictures use a small part of it: what is not written takes neither time nor memory.
    PLI_TRY_CLEANUP(status, pli_take(memory, &fresh.covers, sizeof *fresh.covers,
                                     (size_t)fresh.cover_capacity, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.turns, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.spans, count, error));
    int32_t** const per_shape[] = {&fresh.heads, &fresh.behind, &fresh.after, &fresh.next};
    for (int i = 0; i < 4; ++i)
        PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, *per_shape[i], count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.ready, PLI_ORDER_STYLES, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.ready_count, PLI_ORDER_STYLES, error));
    *order = fresh;
    return PLI_OK;
cleanup:
    pli_order_free(&fresh);
    return status;
}

void pli_order_free(pli_order* order) {
    pli_memory* memory = order->memory;
    if (!memory) return;
    size_t count = (size_t)order->capacity;
    PLI_FREE(memory, order->shapes, count);
    PLI_FREE(memory, order->covers, order->cover_capacity);
    PLI_FREE(memory, order->turns, count);
    PLI_FREE(memory, order->spans, count);
    PLI_FREE(memory, order->heads, count);
    PLI_FREE(memory, order->behind, count);
    PLI_FREE(memory, order->after, count);
    PLI_FREE(memory, order->next, count);
    PLI_FREE(memory, order->ready, PLI_ORDER_STYLES);
    PLI_FREE(memory, order->ready_count, PLI_ORDER_STYLES);
    *order = (pli_order){0};
}

// ---- two shapes

// A polygon on the page; cutting four corners by four sides gives eight at most.
typedef struct polygon {
    int count;
    double at[2 * PLI_SHAPE_CORNERS][2];
} polygon;

static double area_of(const polygon* p) {
    double twice = 0;
    for (int i = 1; i + 1 < p->count; ++i)
        twice += (p->at[i][0] - p->at[0][0]) * (p->at[i + 1][1] - p->at[0][1]) -
                 (p->at[i][1] - p->at[0][1]) * (p->at[i + 1][0] - p->at[0][0]);
    return 0.5 * twice;
}

static polygon outline_of(const pli_shape* shape) {
    polygon p = {.count = shape->count};
    for (int i = 0; i < shape->count; ++i)
        for (int k = 0; k < 2; ++k) p.at[i][k] = (double)shape->at[i][k];
    return p;
}

double pli_shape_area(const pli_shape* shape) {
    polygon p = outline_of(shape);
    return fabs(area_of(&p));
}

// Keeps what is to the left of the line from a to b.
static void cut(polygon* p, const double a[2], const double b[2], double side) {
    const int room = 2 * PLI_SHAPE_CORNERS, count = p->count;
    double d[2 * PLI_SHAPE_CORNERS];
    int left = 0;
    for (int i = 0; i < count; ++i) {
        const double* at = p->at[i];
        d[i] = side * ((b[0] - a[0]) * (at[1] - a[1]) - (b[1] - a[1]) * (at[0] - a[0]));
        left += d[i] >= 0;
    }
    if (left == count) return;
    polygon in = *p;
    p->count = 0;
    for (int i = 0; i < count && left > 0; ++i) {
        int next = i + 1 < count ? i + 1 : 0;
        const double *from = in.at[i], *to = in.at[next];
        if (d[i] >= 0 && p->count < room) memcpy(p->at[p->count++], from, sizeof *p->at);
        if ((d[i] >= 0) == (d[next] >= 0) || p->count == room) continue;
        double part = d[i] / (d[i] - d[next]);
        for (int k = 0; k < 2; ++k) p->at[p->count][k] = from[k] + part * (to[k] - from[k]);
        p->count++;
    }
}

// Is there a side of p that has all of q beyond it or on it? Most shapes whose boxes overlap are
// neighbours with a common side or corner: this spares them the cutting. `side` is that of p.
static bool is_beside(const polygon* p, const polygon* q, double side) {
    for (int i = 0; i < p->count; ++i) {
        const double *a = p->at[i], *b = p->at[i + 1 < p->count ? i + 1 : 0];
        double x = side * (b[0] - a[0]), y = side * (b[1] - a[1]);
        bool beyond = true;
        for (int k = 0; k < q->count && beyond; ++k)
            beyond = x * (q->at[k][1] - a[1]) <= y * (q->at[k][0] - a[0]);
        if (beyond) return true;
    }
    return false;
}

// Depth of a shape behind (x, y) on the page, by the weights of its first three corners there.
static double depth_at(const pli_shape* s, double x, double y) {
    double a[3], b[3], p[2] = {x - (double)s->at[0][0], y - (double)s->at[0][1]};
    for (int k = 0; k < 3; ++k) {
        a[k] = (double)s->at[1][k] - (double)s->at[0][k];
        b[k] = (double)s->at[2][k] - (double)s->at[0][k];
    }
    double area = a[0] * b[1] - a[1] * b[0];
    return (double)s->at[0][2] +
           ((p[0] * b[1] - p[1] * b[0]) * a[2] + (a[0] * p[1] - a[1] * p[0]) * b[2]) / area;
}

// +1: q is drawn after p; -1: before; 0: in any order, since they do not overlap or are the same.
static int compare(const pli_shape* p, const pli_shape* q, double* area) {
    const double least = 0.02; // areas that are seen [px^2]
    const double close = 1e-3; // depths that floats do not tell apart [px]
    const double on = 1;       // depths of things that lie on others [px]
    polygon border = outline_of(p), shared = outline_of(q);
    double areas[2] = {area_of(&border), area_of(&shared)};
    double side = areas[0] < 0 ? -1 : 1;
    if (fabs(areas[0]) < least || fabs(areas[1]) < least) return 0;
    if (is_beside(&border, &shared, side) || is_beside(&shared, &border, areas[1] < 0 ? -1 : 1))
        return 0;
    for (int i = 0; i < border.count && shared.count > 0; ++i)
        cut(&shared, border.at[i], border.at[(i + 1) % border.count], side);
    *area = fabs(area_of(&shared));
    if (*area < least) return 0;
    double x = 0, y = 0;
    for (int i = 0; i < shared.count; ++i) {
        x += shared.at[i][0] / shared.count;
        y += shared.at[i][1] / shared.count;
    }
    double ahead = depth_at(q, x, y) - depth_at(p, x, y);
    if (p->rank != q->rank && fabs(ahead) < on) return q->rank > p->rank ? 1 : -1;
    return ahead > close ? 1 : ahead < -close ? -1 : 0;
}

// ---- all shapes

static pli_span span_of(const pli_shape* s, int32_t index) {
    pli_span span = {HUGE_VALF, -HUGE_VALF, HUGE_VALF, -HUGE_VALF, index};
    for (int i = 0; i < s->count; ++i) {
        span.left = fminf(span.left, s->at[i][0]);
        span.right = fmaxf(span.right, s->at[i][0]);
        span.low = fminf(span.low, s->at[i][1]);
        span.high = fmaxf(span.high, s->at[i][1]);
    }
    return span;
}

static int by_left(const void* a, const void* b) {
    const pli_span *p = a, *q = b;
    if (p->left != q->left) return p->left < q->left ? -1 : 1;
    return (p->shape > q->shape) - (p->shape < q->shape);
}

static void add_cover(pli_order* o, int32_t far, int32_t near, double area) {
    if (o->cover_count == o->cover_capacity) return;
    o->covers[o->cover_count] = (pli_cover){far, near, o->heads[far], (float)area};
    o->heads[far] = o->cover_count++;
    o->behind[near]++;
}

// heads: the first cover with this shape behind; behind: how many it has behind it. `across`: only
// pairs of which one may be a veil and the other not.
static void find_covers(pli_order* o, int count, bool across) {
    o->cover_count = 0;
    for (int i = 0; i < count; ++i) {
        o->spans[i] = span_of(&o->shapes[i], i);
        o->heads[i] = -1;
        o->behind[i] = 0;
    }
    if (count > 0) qsort(o->spans, (size_t)count, sizeof *o->spans, by_left);
    for (int i = 0; i < count; ++i) {
        const pli_span* p = &o->spans[i];
        for (int k = i + 1; k < count && o->spans[k].left <= p->right; ++k) {
            const pli_span* q = &o->spans[k];
            const pli_shape *a = &o->shapes[p->shape], *b = &o->shapes[q->shape];
            double area = 0;
            if (q->low > p->high || p->low > q->high) continue;
            if (across && a->veil == b->veil) continue;
            bool related = a->owner >= 0 && a->owner == b->owner;
            int order = related ? (p->shape < q->shape ? 1 : -1) : compare(a, b, &area);
            if (order > 0) add_cover(o, p->shape, q->shape, area);
            if (order < 0) add_cover(o, q->shape, p->shape, area);
        }
    }
}

// Shapes that may be drawn wait in one list per style, linked by `next`.
static void make_ready(pli_order* o, int32_t shape) {
    int style = o->shapes[shape].style;
    PLI_ASSERT(style >= 0 && style < PLI_ORDER_STYLES);
    o->next[shape] = o->ready[style];
    o->ready[style] = shape;
    o->ready_count[style]++;
    o->behind[shape] = -1;
}

// The style at hand as long as it lasts, then the one with the most shapes waiting; -1: none waits.
static int choose_style(const pli_order* o, int style) {
    if (o->ready[style] >= 0) return style;
    int best = -1;
    for (int i = 0; i < PLI_ORDER_STYLES; ++i)
        if (o->ready_count[i] > (best < 0 ? 0 : o->ready_count[best])) best = i;
    return best;
}

static void draw_next(pli_order* o, int style, int turn) {
    int32_t shape = o->ready[style];
    o->ready[style] = o->next[shape];
    o->ready_count[style]--;
    o->turns[turn] = (pli_turn){shape, o->after[shape]};
    for (int32_t c = o->heads[shape]; c >= 0; c = o->covers[c].next) {
        int32_t near = o->covers[c].near;
        if (o->behind[near] < 0) continue; // closes a ring
        o->after[near] = turn;
        if (--o->behind[near] == 0) make_ready(o, near);
    }
}

void pli_order_find_veiled(pli_order* o, int count) {
    PLI_ASSERT(count <= o->capacity);
    find_covers(o, count, true);
}

void pli_order_sort(pli_order* o, int count) {
    PLI_ASSERT(count <= o->capacity);
    find_covers(o, count, false);
    if (o->cover_count == o->cover_capacity) {
        for (int32_t i = 0; i < count; ++i) o->turns[i] = (pli_turn){i, i - 1};
        return;
    }
    for (int i = 0; i < PLI_ORDER_STYLES; ++i) o->ready[i] = -1;
    for (int32_t i = count - 1; i >= 0; --i) {
        o->after[i] = -1;
        if (o->behind[i] == 0) make_ready(o, i);
    }
    for (int turn = 0, style = 0, farthest = 0; turn < count; ++turn) {
        int chosen = choose_style(o, style);
        if (chosen < 0) { // a ring: the farthest that is left
            while (o->behind[farthest] < 0) farthest++;
            make_ready(o, farthest);
            chosen = o->shapes[farthest].style;
        }
        style = chosen;
        draw_next(o, style, turn);
    }
}
