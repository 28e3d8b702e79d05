// Pictures of scenes in space. Each face has one shade [Lambert: brightness by the cosine between
// normal and light]. Sides that are sharp, open or between a face that is seen and one that is not
// are drawn dark with their face; all sides if they are far enough apart.
#include "io/space.h"

#include <math.h>
#include <stdlib.h>

#include "io/ground.h"
#include "io/thick.h"
#include "math/vec.h"

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
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.items, needed, error));
    fresh.item_capacity = (int)needed;
    *space = fresh;
    fresh = (pli_space){0};
cleanup:
    pli_space_free(&fresh);
    return status;
}

void pli_space_free(pli_space* space) {
    pli_relief_free(&space->relief);
    if (space->memory) PLI_FREE(space->memory, space->items, space->item_capacity);
    *space = (pli_space){0};
}

// ---- what is seen

// Normal of a face as the camera sees it; its third number is positive if it looks at the viewer.
static void face_normal(const pli_relief* r, const pli_canvas* c, int32_t t, double n[3]) {
    const int32_t* v = r->triangles + 3 * (size_t)t;
    double a[3], b[3];
    for (int k = 0; k < 3; ++k) {
        double origin = (double)pli_canvas_point(c, v[0])[k];
        a[k] = (double)pli_canvas_point(c, v[1])[k] - origin;
        b[k] = (double)pli_canvas_point(c, v[2])[k] - origin;
    }
    pli_cross3(a, b, n);
}

static bool is_seen(const pli_relief* r, const pli_canvas* c, int32_t t) {
    double n[3];
    if (!(r->flags[t] & PLI_RELIEF_SOLID)) return true;
    face_normal(r, c, t, n);
    return n[2] > 0;
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
    space->items[space->item_count++] = (pli_item){kind, index, depth, 0, 0};
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
        space->items[space->item_count++] = (pli_item){PLI_SEGMENT, index, depth, from, to};
        if (i == 0) space->items[space->item_count++] = (pli_item){PLI_SEGMENT, index, depth, 0, 0};
        if (i == count - 1)
            space->items[space->item_count++] = (pli_item){PLI_SEGMENT, index, depth, 1, 1};
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

void pli_space_sort(pli_space* space, const pli_canvas* c) {
    static const pli_element_kind thin[2] = {PLI_SEGMENT, PLI_VERTEX};
    const pli_relief* r = &space->relief;
    space->item_count = space->thick_count = 0;
    for (int32_t t = 0; t < r->triangle_count; ++t)
        if (is_seen(r, c, t)) add_item(space, c, PLI_TRIANGLE, t, r->triangles + 3 * (size_t)t);
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
    if (space->item_count > 0)
        qsort(space->items, (size_t)space->item_count, sizeof *space->items, by_depth);
}

// ---- shadows

// The plane that lies under the scene, if there is one alone; else -1.
static int find_floor(const pli_canvas* c, const double up[3]) {
    int floor = -1, count = 0;
    for (int i = 0; i < c->plane_count; ++i) {
        double slope = 0;
        for (int k = 0; k < 3; ++k) slope += up[k] * (double)c->planes[6 * i + 3 + k];
        if (!(slope > 0.5)) continue;
        floor = i;
        count++;
    }
    return count == 1 ? floor : -1;
}

// Where a vertex falls straight down on the plane: p - ((p - point) . n / up . n) up.
static pli_point shadow_of(const pli_canvas* c, const float* plane, const double up[3], int32_t v) {
    const float* p = pli_canvas_point(c, v);
    double height = 0, slope = 0;
    for (int k = 0; k < 3; ++k) {
        height += ((double)p[k] - (double)plane[k]) * (double)plane[3 + k];
        slope += up[k] * (double)plane[3 + k];
    }
    return pli_canvas_place(c, (double)p[0] - height / slope * up[0],
                            (double)p[1] - height / slope * up[1]);
}

// All faces that look up, as one path: where they cover each other it gets no darker. Sheets are
// turned up, so that no face takes away from another one.
static void draw_shadows(const pli_space* space, const pli_canvas* c, const double up[3]) {
    const pli_relief* r = &space->relief;
    int floor = find_floor(c, up);
    if (floor < 0 || r->triangle_count == 0) return;
    pli_pen pen = pli_pen_begin(c->file, "fill=\"#1f2933\" fill-opacity=\".13\"");
    for (int32_t t = 0; t < r->triangle_count; ++t) {
        const int32_t* v = r->triangles + 3 * (size_t)t;
        double n[3];
        face_normal(r, c, t, n);
        double upward = pli_dot(n, up, 3);
        if (!isfinite(upward) || (upward <= 0 && r->flags[t] & PLI_RELIEF_SOLID)) continue;
        for (int k = 0; k < 3; ++k) {
            pli_point p = shadow_of(c, c->planes + 6 * floor, up, v[upward > 0 ? k : 2 - k]);
            pli_pen_to(&pen, p.x, p.y);
        }
        pli_pen_close(&pen);
    }
    pli_pen_end(&pen);
}

// ---- colours

enum { SHADES = 24 };

// 0 dark to SHADES - 1 bright. The light comes from the upper left, on the viewer's side.
static int shade_of(const pli_relief* r, const pli_canvas* c, int32_t t) {
    static const double light[3] = {-0.42, 0.69, 0.59};
    const double ambient = 0.18, wrap = 0.4, behind = 0.75; // some light reaches around
    double n[3];
    face_normal(r, c, t, n);
    double length = pli_norm(n, 3), side = n[2] < 0 ? -1 : 1;
    if (!(length > 0) || !isfinite(length)) return SHADES / 2;
    double cosine = side * pli_dot(n, light, 3) / length;
    double lit = ambient + (1 - ambient) * fmax(0, (cosine + wrap) / (1 + wrap));
    if (side < 0) lit *= behind; // the other side of a sheet
    return (int)lround(fmin(lit, 1) * (SHADES - 1));
}

// ---- drawing

// A path that goes on as long as its style stays the same.
typedef struct brush {
    const pli_canvas* canvas;
    const pli_space* space;
    bool open;
    int key; // kind, body and shade of the open path
    pli_pen pen;
    bool lined;    // sides of all faces are shown
    double stroke; // of segments [px]
} brush;

static void brush_lift(brush* b) {
    if (b->open) pli_pen_end(&b->pen);
    b->open = false;
}

// Starts a path unless one of the same key is open.
static bool brush_turns(brush* b, int key) {
    if (b->open && b->key == key) return false;
    brush_lift(b);
    b->open = true;
    b->key = key;
    return true;
}

static int key_of(pli_element_kind kind, int body, int shade) {
    return ((int)kind * PLI_COLOUR_COUNT + body % PLI_COLOUR_COUNT) * SHADES + shade;
}

// Sides of a face that are drawn dark: bit k for side k.
static unsigned dark_sides(const brush* b, int32_t t) {
    const pli_relief* r = &b->space->relief;
    unsigned sides = r->flags[t] & 7u;
    for (int k = 0; k < 3; ++k) {
        int32_t beyond = r->neighbours[3 * (size_t)t + (size_t)k];
        if (beyond >= 0 && !is_seen(r, b->canvas, beyond)) sides |= 1u << k;
    }
    return sides;
}

static void draw_face(brush* b, const pli_item* item) {
    const pli_canvas* c = b->canvas;
    int32_t t = item->index;
    const pli_relief* r = &b->space->relief;
    const int32_t* v = r->triangles + 3 * (size_t)t;
    int body = c->snapshot->vertex_body[v[0]], shade = shade_of(r, c, t);
    const pli_colour* colour = pli_colour_of(body);
    if (brush_turns(b, key_of(PLI_TRIANGLE, body, shade))) {
        char fill[8], line[8], style[64];
        pli_colour_mix(colour->edge, colour->fill, (double)shade / (SHADES - 1), fill);
        pli_colour_mix(fill, colour->edge, 0.35, line);
        // Without lines a stroke in the same colour closes the gaps between faces.
        if (b->lined)
            pli_format(style, sizeof style, "fill=\"%s\" stroke=\"%s\"", fill, line);
        else
            pli_format(style, sizeof style, "color=\"%s\"", fill);
        b->pen = pli_pen_begin(c->file, style);
    }
    for (int k = 0; k < 3; ++k) pli_pen_to_vertex(&b->pen, c, v[k]);
    pli_pen_close(&b->pen);
    unsigned sides = dark_sides(b, t);
    if (sides == 0) return;
    if (brush_turns(b, -1 - key_of(PLI_TRIANGLE, body, 0))) {
        char style[80];
        pli_format(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\".9\"",
                   colour->edge);
        b->pen = pli_pen_begin(c->file, style);
    }
    for (int k = 0; k < 3; ++k) {
        if (!(sides >> k & 1u)) continue;
        pli_pen_to_vertex(&b->pen, c, v[k]);
        pli_pen_to_vertex(&b->pen, c, v[(k + 1) % 3]);
        pli_pen_lift(&b->pen);
    }
}

// A few layers if there are many of them: the file stays small.
static pli_thick thick_style(const brush* b, int body, double radius) {
    enum { BUDGET = 1500 };
    int layers = BUDGET / pli_max_int(1, b->space->thick_count);
    return (pli_thick){pli_colour_of(body), radius,
                       pli_max_int(2, pli_min_int(layers, PLI_THICK_LAYERS))};
}

static void draw_rod(brush* b, const pli_item* item, const int32_t* v, double radius) {
    const pli_canvas* c = b->canvas;
    pli_point p = pli_canvas_vertex(c, v[0]), q = pli_canvas_vertex(c, v[1]);
    double from = (double)item->from, to = (double)item->to;
    pli_point start = {p.x + from * (q.x - p.x), p.y + from * (q.y - p.y)};
    pli_point end = {p.x + to * (q.x - p.x), p.y + to * (q.y - p.y)};
    pli_thick style = thick_style(b, c->snapshot->vertex_body[v[0]], radius);
    brush_lift(b);
    if (from == to)
        pli_draw_ball(c->file, start, &style);
    else
        pli_draw_rod(c->file, start, end, &style);
}

static void draw_segment(brush* b, const pli_item* item) {
    const pli_canvas* c = b->canvas;
    const int32_t* v = c->snapshot->elements[PLI_SEGMENT] + 2 * (size_t)item->index;
    int body = c->snapshot->vertex_body[v[0]];
    double radius = pli_canvas_thickness(c, v[0]);
    if (radius > 0) {
        draw_rod(b, item, v, radius);
        return;
    }
    if (brush_turns(b, key_of(PLI_SEGMENT, body, 0))) {
        char style[80];
        pli_format(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\"",
                   pli_colour_of(body)->edge, b->stroke);
        b->pen = pli_pen_begin(c->file, style);
    }
    for (int k = 0; k < 2; ++k) pli_pen_to_vertex(&b->pen, c, v[k]);
    pli_pen_lift(&b->pen);
}

static void draw_dot(brush* b, const pli_item* item) {
    const pli_canvas* c = b->canvas;
    int32_t v = c->snapshot->elements[PLI_VERTEX][item->index];
    int body = c->snapshot->vertex_body[v];
    double radius = pli_canvas_thickness(c, v);
    pli_point p = pli_canvas_vertex(c, v);
    if (radius > 0) {
        pli_thick style = thick_style(b, body, radius);
        brush_lift(b);
        pli_draw_ball(c->file, p, &style);
        return;
    }
    if (brush_turns(b, key_of(PLI_VERTEX, body, 0))) {
        char style[80];
        pli_format(style, sizeof style, "stroke=\"%s\" stroke-width=\"5\"",
                   pli_colour_of(body)->edge);
        b->pen = pli_pen_begin(c->file, style);
    }
    pli_pen_dot(&b->pen, p.x, p.y);
}

void pli_space_draw(pli_space* space, const pli_canvas* c, const pli_camera* camera) {
    static void (*const draw[])(brush*, const pli_item*) = {
        [PLI_VERTEX] = draw_dot, [PLI_SEGMENT] = draw_segment, [PLI_TRIANGLE] = draw_face};
    const double visible = 6.5; // length of sides that can be told apart [px]
    if (space->segment_length < 0)
        space->segment_length = pli_canvas_mean_length(c, c->snapshot->elements[PLI_SEGMENT],
                                                       c->snapshot->element_count[PLI_SEGMENT]);
    brush b = {.canvas = c,
               .space = space,
               .lined = space->relief.edge_length * c->scale >= visible,
               .stroke = fmax(0.8, pli_segment_stroke(space->segment_length))};
    pli_ground_draw(c, camera, true);
    draw_shadows(space, c, camera->up);
    pli_file_text(c->file, "<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\".5\" "
                           "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    pli_space_sort(space, c);
    for (int i = 0; i < space->item_count; ++i) draw[space->items[i].kind](&b, &space->items[i]);
    brush_lift(&b);
    pli_file_text(c->file, "</g>\n");
    pli_ground_draw(c, camera, false);
}

void pli_space_draw_axes(const pli_canvas* c, const pli_camera* camera) {
    static const char* const names[3] = {"x", "y", "z"};
    const double length = 22, beyond = 9; // [px]
    pli_point corner = {32, c->height - 30};
    for (int k = 0; k < 3; ++k) {
        double x = camera->axes[0][k], y = -camera->axes[1][k];
        pli_pen pen = pli_pen_begin(c->file, "stroke=\"" PLI_GREY "\" stroke-width=\"1.2\"");
        pli_pen_to(&pen, corner.x, corner.y);
        pli_pen_to(&pen, corner.x + length * x, corner.y + length * y);
        pli_pen_end(&pen);
        double size = hypot(x, y), reach = size > 0 ? length + beyond / size : 0;
        pli_svg_text(c->file, (pli_point){corner.x + reach * x, corner.y + reach * y + 3.5},
                     (pli_text_style){11, "middle", PLI_GREY, false, 1}, names[k]);
    }
}
