// Drawing scenes in space. Each face has one shade [Lambert: brightness by the cosine between
// normal and light]. Sides that are sharp, open or between a face that is seen and one that is not
// are drawn dark with their face; all sides if they are far enough apart.
#include "render/space.h"

#include <math.h>

#include "math/vec.h"
#include "render/ground.h"
#include "render/thick.h"

// ---- shadows

// All faces that look up, as one path: where they cover each other it gets no darker. Sheets are
// turned up, so that no face takes away from another one.
static void draw_shadows(const pli_space* space, const pli_canvas* c, const double up[3]) {
    const pli_relief* r = &space->relief;
    int floor = pli_ground_floor(c, up);
    if (floor < 0 || r->triangle_count == 0) return;
    pli_pen pen = pli_pen_begin(c->file, "fill=\"#1f2933\" fill-opacity=\".13\"");
    for (int32_t t = 0; t < r->triangle_count; ++t) {
        const int32_t* v = r->triangles + 3 * (size_t)t;
        double n[3];
        pli_relief_normal(r, c, t, n);
        double upward = pli_dot(n, up, 3);
        if (!isfinite(upward) || (upward <= 0 && r->flags[t] & PLI_RELIEF_SOLID)) continue;
        for (int k = 0; k < 3; ++k) {
            const float* corner = pli_canvas_point(c, v[upward > 0 ? k : 2 - k]);
            pli_point p = pli_ground_shadow(c, c->planes + 6 * floor, up, corner);
            pli_pen_to(&pen, p.x, p.y);
        }
        pli_pen_close(&pen);
    }
    pli_pen_end(&pen);
}

// ---- drawing

#define VEIL " opacity=\".35\""

typedef struct brush {
    const pli_canvas* canvas;
    const pli_space* space;
    bool lined;    // sides of all faces are shown
    double stroke; // of segments [px]
} brush;

static const pli_colour* colour_of(const brush* b, const pli_item* item) {
    return pli_body_colour(b->canvas->snapshot, item->body);
}

// The items from `first` on that are drawn with it: alike, and none covers another one of them.
static int end_of_run(const pli_space* space, int first) {
    int end = first + 1;
    while (end < space->item_count && space->items[end].style == space->items[first].style &&
           space->items[end].after < first)
        end++;
    return end;
}

// Sides of a face that are drawn dark: bit k for side k.
static unsigned dark_sides(const brush* b, int32_t t) {
    const pli_relief* r = &b->space->relief;
    unsigned sides = r->flags[t] & 7u;
    for (int k = 0; k < 3; ++k) {
        int32_t beyond = r->neighbours[3 * (size_t)t + (size_t)k];
        if (beyond >= 0 && !pli_relief_seen(r, b->canvas, beyond)) sides |= 1u << k;
    }
    return sides;
}

static void draw_sides(const brush* b, const pli_item* items, int count) {
    const pli_relief* r = &b->space->relief;
    char style[80];
    pli_pen pen = {0};
    for (int i = 0; i < count; ++i) {
        const int32_t* v = r->triangles + 3 * (size_t)items[i].index;
        unsigned sides = dark_sides(b, items[i].index);
        if (sides != 0 && !pen.file) {
            pli_format(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"",
                       colour_of(b, items)->edge, items->veil ? ".6" : ".9");
            pen = pli_pen_begin(b->canvas->file, style);
        }
        for (int k = 0; k < 3; ++k) {
            if (!(sides >> k & 1u)) continue;
            pli_pen_to_vertex(&pen, b->canvas, v[k]);
            pli_pen_to_vertex(&pen, b->canvas, v[(k + 1) % 3]);
            pli_pen_lift(&pen);
        }
    }
    if (pen.file) pli_pen_end(&pen);
}

static void draw_faces(const brush* b, const pli_item* items, int count) {
    const pli_canvas* c = b->canvas;
    const pli_colour* colour = colour_of(b, items);
    const char* veil = items->veil ? VEIL : "";
    char fill[8], line[8], style[80];
    pli_colour_mix(colour->edge, colour->fill,
                   (double)(items->style % PLI_SHADES) / (PLI_SHADES - 1), fill);
    pli_colour_mix(fill, colour->edge, 0.35, line);
    // Without lines a stroke in the same colour closes the gaps between faces.
    if (b->lined)
        pli_format(style, sizeof style, "fill=\"%s\" stroke=\"%s\"%s", fill, line, veil);
    else
        pli_format(style, sizeof style, "color=\"%s\"%s", fill, veil);
    pli_pen pen = pli_pen_begin(c->file, style);
    for (int i = 0; i < count; ++i) {
        const int32_t* v = b->space->relief.triangles + 3 * (size_t)items[i].index;
        for (int k = 0; k < 3; ++k) pli_pen_to_vertex(&pen, c, v[k]);
        pli_pen_close(&pen);
    }
    pli_pen_end(&pen);
    draw_sides(b, items, count);
}

// A few layers if there are many of them: the file stays small.
static pli_thick thick_style(const brush* b, const pli_item* item, double radius) {
    enum { BUDGET = 1500 };
    int layers = BUDGET / pli_max_int(1, b->space->thick_count);
    return (pli_thick){colour_of(b, item), radius,
                       pli_max_int(2, pli_min_int(layers, PLI_THICK_LAYERS))};
}

// A ball, or a part of a rod from p to q.
static void draw_thick(const brush* b, const pli_item* item, pli_point p, pli_point q,
                       double radius) {
    const pli_canvas* c = b->canvas;
    double from = (double)item->from, to = (double)item->to;
    pli_point start = {p.x + from * (q.x - p.x), p.y + from * (q.y - p.y)};
    pli_point end = {p.x + to * (q.x - p.x), p.y + to * (q.y - p.y)};
    pli_thick style = thick_style(b, item, radius);
    if (item->veil) pli_file_text(c->file, "<g" VEIL ">\n");
    if (from == to)
        pli_draw_ball(c->file, start, &style);
    else
        pli_draw_rod(c->file, start, end, &style);
    if (item->veil) pli_file_text(c->file, "</g>\n");
}

// Segments or points; those with thickness one by one, the others as one path.
static void draw_thin(const brush* b, const pli_item* items, int count) {
    const pli_canvas* c = b->canvas;
    int size = pli_element_size(items->kind);
    bool dots = items->kind == PLI_VERTEX;
    char style[80];
    pli_format(style, sizeof style, "fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\"",
               colour_of(b, items)->edge, dots ? 5 : b->stroke);
    pli_pen pen = {0};
    for (int i = 0; i < count; ++i) {
        const int32_t* v =
            c->snapshot->elements[items[i].kind] + (size_t)size * (size_t)items[i].index;
        pli_point p = pli_canvas_vertex(c, v[0]), q = pli_canvas_vertex(c, v[size - 1]);
        double radius = pli_canvas_thickness(c, v[0]);
        if (radius > 0) {
            if (pen.file) pli_pen_end(&pen);
            pen.file = NULL;
            draw_thick(b, &items[i], p, q, radius);
            continue;
        }
        if (!pen.file) pen = pli_pen_begin(c->file, style);
        if (dots) {
            pli_pen_dot(&pen, p.x, p.y);
            continue;
        }
        pli_pen_to(&pen, p.x, p.y);
        pli_pen_to(&pen, q.x, q.y);
        pli_pen_lift(&pen);
    }
    if (pen.file) pli_pen_end(&pen);
}

void pli_space_draw(pli_space* space, const pli_canvas* c, const pli_camera* camera) {
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
    for (int i = 0, end; i < space->item_count; i = end) {
        const pli_item* items = space->items + i;
        end = end_of_run(space, i);
        if (items->kind == PLI_TRIANGLE)
            draw_faces(&b, items, end - i);
        else
            draw_thin(&b, items, end - i);
    }
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
