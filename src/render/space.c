// What a picture of a scene in space shows, and in which order.
#include "render/space.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"
#include "render/light.h"
#include "render/thick.h"

enum {
    ROD_PARTS = 12
}; // of a segment with thickness, so that it can go behind and before something

pli_status pli_space_init(pli_space* space, pli_memory* memory, const pli_snapshot* snapshot,
                          int limit, pli_error* error) {
    pli_space fresh = {.memory = memory, .segment_length = -1};
    const int* count = snapshot->element_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_relief_init(&fresh.relief, memory, snapshot, limit, error));
    int64_t per_segment = snapshot->body_thickness ? ROD_PARTS + 2 : 1; // parts and ends
    int64_t needed =
        (int64_t)fresh.relief.triangle_count + per_segment * count[PLI_SEGMENT] + count[PLI_VERTEX];
    if (needed > INT32_MAX) {
        status =
            pli_fail(error, PLI_E_MEMORY, "%lld things are too many to draw", (long long)needed);
        goto cleanup;
    }
    fresh.item_capacity = (int)needed;
    fresh.body_count = snapshot->body_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.items, needed, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.sorted, needed, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.hidden, 2 * (size_t)fresh.body_count, error));
    PLI_TRY_CLEANUP(status, pli_order_init(&fresh.order, memory, fresh.item_capacity, error));
    *space = fresh;
    fresh = (pli_space){0};
cleanup:
    pli_space_free(&fresh);
    return status;
}

void pli_space_free(pli_space* space) {
    pli_relief_free(&space->relief);
    pli_order_free(&space->order);
    if (space->memory) {
        PLI_FREE(space->memory, space->items, space->item_capacity);
        PLI_FREE(space->memory, space->sorted, space->item_capacity);
        PLI_FREE(space->memory, space->hidden, 2 * (size_t)space->body_count);
    }
    *space = (pli_space){0};
}

// ---- what is seen

void pli_relief_normal(const pli_relief* r, const pli_canvas* c, int32_t t, double n[3]) {
    const int32_t* v = r->triangles + 3 * (size_t)t;
    double a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        double origin = (double)pli_canvas_point(c, v[0])[k];
        a[k] = (double)pli_canvas_point(c, v[1])[k] - origin;
        b[k] = (double)pli_canvas_point(c, v[2])[k] - origin;
    }
    pli_cross3(a, b, n);
}

bool pli_relief_seen(const pli_relief* r, const pli_canvas* c, int32_t t) {
    double n[3];
    if (!(r->flags[t] & PLI_RELIEF_SOLID)) return true;
    pli_relief_normal(r, c, t, n);
    return n[2] > 0;
}

static pli_item item_for(const pli_canvas* c, pli_element_kind kind, int32_t index, int32_t vertex,
                         float depth) {
    return (pli_item){
        .kind = kind, .index = index, .depth = depth, .body = c->snapshot->vertex_body[vertex]};
}

static void add_item(pli_space* space, const pli_canvas* c, pli_element_kind kind, int32_t index,
                     const int32_t* vertices) {
    float depth = 0, check = 0;
    int size = pli_element_size(kind);
    for (int k = 0; k < size; ++k) {
        const float* p = pli_canvas_point(c, vertices[k]);
        depth += p[2] / (float)size;
        check += p[0] + p[1];
    }
    if (!isfinite(depth) || !isfinite(check)) return;
    pli_item* item = &space->items[space->item_count++];
    *item = item_for(c, kind, index, vertices[0], depth);
    if (kind == PLI_TRIANGLE) {
        double n[3];
        pli_relief_normal(&space->relief, c, index, n);
        item->back = n[2] < 0;
    }
    space->thick_count += kind == PLI_VERTEX && pli_canvas_thickness(c, vertices[0]) > 0;
}

// A segment with thickness is drawn in parts, more of them the more it goes towards the viewer. Its
// ends have the depth of the parts beside them: those, at least as long, cover the inner halves.
static void add_rod(pli_space* space, const pli_canvas* c, int32_t index, const int32_t* vertices) {
    const float *a = pli_canvas_point(c, vertices[0]), *b = pli_canvas_point(c, vertices[1]);
    double radius = pli_canvas_thickness(c, vertices[0]) / c->scale;
    double depths = fabs((double)b[2] - (double)a[2]) / radius;
    double length = hypot((double)b[0] - (double)a[0], (double)b[1] - (double)a[1]) / radius;
    if (!isfinite(depths) || !isfinite(length)) return;
    int count = 1 + (int)fmin(fmin(2 * depths, ROD_PARTS - 1), fmax(0, length - 1));
    for (int i = 0; i < count; ++i) {
        float from = (float)i / (float)count, to = (float)(i + 1) / (float)count;
        float depth = a[2] + 0.5f * (from + to) * (b[2] - a[2]);
        pli_item part = item_for(c, PLI_SEGMENT, index, vertices[0], depth);
        if (i == 0) space->items[space->item_count++] = part;
        part.from = part.to = 1;
        if (i == count - 1) space->items[space->item_count++] = part;
        part.from = from;
        part.to = to;
        space->items[space->item_count++] = part;
    }
    space->thick_count += count + 2;
}

static int by_depth(const void* a, const void* b) {
    const pli_item *p = a, *q = b;
    if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
    if (p->kind != q->kind) return p->kind > q->kind ? -1 : 1; // points over segments over faces
    if (p->index != q->index) return p->index < q->index ? -1 : 1;
    float one = p->to - p->from, other = q->to - q->from; // ends below the rest
    if (one != other) return one < other ? -1 : 1;
    return (p->from > q->from) - (p->from < q->from);
}

// ---- their order

static const int32_t* vertices_of(const pli_space* space, const pli_canvas* c,
                                  const pli_item* item) {
    const int32_t* elements =
        item->kind == PLI_TRIANGLE ? space->relief.triangles : c->snapshot->elements[item->kind];
    return elements + (size_t)pli_element_size(item->kind) * (size_t)item->index;
}

// A segment or a point: the square around the outline of a ball, a part of a rod as wide as it is
// seen, both with the thickness or as wide as the pen.
static pli_shape thin_shape(const pli_canvas* c, const pli_item* item, const int32_t* v) {
    double thickness = pli_canvas_thickness(c, v[0]);
    bool ball = thickness > 0 ? item->from == item->to : item->kind == PLI_VERTEX;
    double radius = thickness > 0 ? thickness : ball ? 2.5 : 0.5; // [px]
    const float *a = pli_canvas_point(c, v[0]),
                *b = pli_canvas_point(c, v[item->kind == PLI_SEGMENT]);
    double from = (double)item->from, to = thickness > 0 ? (double)item->to : 1;
    double place[2][3], along[2] = {1, 0}, beyond = ball ? radius : 0;
    for (int k = 0; k < 3; ++k) {
        place[0][k] = c->scale * ((double)a[k] + from * ((double)b[k] - (double)a[k]));
        place[1][k] = c->scale * ((double)a[k] + to * ((double)b[k] - (double)a[k]));
    }
    double length = hypot(place[1][0] - place[0][0], place[1][1] - place[0][1]);
    for (int k = 0; k < 2 && length > 0; ++k) along[k] = (place[1][k] - place[0][k]) / length;
    pli_shape shape = {.count = 4, .owner = -1, .rank = item->kind == PLI_VERTEX ? 2 : 1};
    if (item->kind == PLI_SEGMENT && thickness > 0) shape.owner = item->index;
    for (int i = 0; i < 4; ++i) {
        int end = i == 1 || i == 2;
        double before = (end ? 1 : -1) * beyond, beside = (i < 2 ? -1 : 1) * radius;
        shape.at[i][0] = (float)(place[end][0] + before * along[0] - beside * along[1]);
        shape.at[i][1] = (float)(place[end][1] + before * along[1] + beside * along[0]);
        shape.at[i][2] = (float)place[end][2];
    }
    return shape;
}

static pli_shape shape_of(const pli_space* space, const pli_canvas* c, const pli_item* item) {
    const int32_t* v = vertices_of(space, c, item);
    pli_shape shape = {.count = 3, .owner = -1};
    if (item->kind != PLI_TRIANGLE) shape = thin_shape(c, item, v);
    for (int i = 0; i < 3 && item->kind == PLI_TRIANGLE; ++i)
        for (int k = 0; k < 3; ++k) shape.at[i][k] = (float)c->scale * pli_canvas_point(c, v[i])[k];
    shape.style = item->style;
    return shape;
}

// 0 dark to PLI_SHADES - 1 bright.
static int shade_of(const pli_relief* r, const pli_canvas* c, int32_t t) {
    double n[3];
    pli_relief_normal(r, c, t, n);
    double length = pli_norm(n, 3);
    if (!(length > 0) || !isfinite(length)) return PLI_SHADES / 2;
    for (int k = 0; k < 3; ++k) n[k] /= length;
    return (int)lround(pli_lit(n, true) * (PLI_SHADES - 1));
}

static size_t side_of(const pli_item* item) { return 2 * (size_t)item->body + item->back; }

// Kind, colour and, of faces, shade.
static void find_style(const pli_space* space, const pli_canvas* c, pli_item* item) {
    enum { COLOURS = PLI_COLOUR_COUNT + 2 }; // and those of obstacles, opaque and as a veil
    const double little = 0.005;             // of bodies that may be hidden
    bool obstacle = pli_is_obstacle(c->snapshot, item->body);
    item->veil = obstacle && space->hidden[side_of(item)] > little * space->shown;
    int colour = obstacle ? PLI_COLOUR_COUNT + item->veil : item->body % PLI_COLOUR_COUNT;
    int shade = item->kind == PLI_TRIANGLE ? shade_of(&space->relief, c, item->index) : 0;
    item->style = ((int)item->kind * COLOURS + colour) * PLI_SHADES + shade;
}

// Items by depth, with their styles; and their shapes, if they are not too many.
static void prepare_items(pli_space* space, const pli_canvas* c) {
    if (space->item_count == 0) return;
    qsort(space->items, (size_t)space->item_count, sizeof *space->items, by_depth);
    for (int i = 0; i < space->item_count; ++i) {
        find_style(space, c, &space->items[i]);
        space->items[i].after = i - 1;
    }
    for (int i = 0; i < space->item_count && space->order.capacity > 0; ++i)
        space->order.shapes[i] = shape_of(space, c, &space->items[i]);
}

static void collect_items(pli_space* space, const pli_canvas* c) {
    static const pli_element_kind thin[2] = {PLI_SEGMENT, PLI_VERTEX};
    const pli_relief* r = &space->relief;
    space->item_count = space->thick_count = 0;
    for (int32_t t = 0; t < r->triangle_count; ++t)
        if (pli_relief_seen(r, c, t))
            add_item(space, c, PLI_TRIANGLE, t, r->triangles + 3 * (size_t)t);
    for (int i = 0; i < 2; ++i) {
        pli_element_kind kind = thin[i];
        size_t size = (size_t)pli_element_size(kind);
        for (int32_t e = 0; e < c->snapshot->element_count[kind]; ++e) {
            const int32_t* vertices = c->snapshot->elements[kind] + size * (size_t)e;
            if (kind == PLI_SEGMENT && pli_canvas_thickness(c, vertices[0]) > 0)
                add_rod(space, c, e, vertices);
            else
                add_item(space, c, kind, e, vertices);
        }
    }
    prepare_items(space, c);
}

void pli_space_sort(pli_space* space, const pli_canvas* c) {
    pli_order* order = &space->order;
    collect_items(space, c);
    if (space->item_count == 0 || order->capacity == 0) return; // too many: depth must do
    pli_order_sort(order, space->item_count);
    for (int i = 0; i < space->item_count; ++i) {
        space->sorted[i] = space->items[order->turns[i].shape];
        space->sorted[i].after = order->turns[i].after;
    }
    pli_item* items = space->items;
    space->items = space->sorted;
    space->sorted = items;
}

static bool has_obstacles(const pli_snapshot* s) {
    for (int b = 0; b < s->body_count && s->body_obstacle; ++b)
        if (s->body_obstacle[b]) return true;
    return false;
}

void pli_space_look(pli_space* space, const pli_canvas* c) {
    const pli_snapshot* s = c->snapshot;
    pli_order* order = &space->order;
    if (!has_obstacles(s) || order->capacity == 0) return;
    collect_items(space, c);
    for (int i = 0; i < space->item_count; ++i) {
        bool obstacle = order->shapes[i].veil = s->body_obstacle[space->items[i].body];
        if (!obstacle) space->shown += pli_shape_area(&order->shapes[i]);
    }
    pli_order_find_veiled(order, space->item_count);
    for (int i = 0; i < order->cover_count; ++i) {
        const pli_cover* cover = &order->covers[i];
        const pli_item* near = &space->items[cover->near];
        if (order->shapes[cover->near].veil) space->hidden[side_of(near)] += (double)cover->area;
    }
}
