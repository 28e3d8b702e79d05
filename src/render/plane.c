// Pictures of plane scenes: half-spaces, areas with their border, segments, points.
#include "render/plane.h"

#include "base/collections.h"

#include <math.h>
#include <stdlib.h>

enum { ROOM_FOR_JOINTS = 11 }; // [px]

// Lines become thinner where they are dense; joints are drawn where there is room. `length` is the
// mean of all segments [px].
static double segment_stroke(double length) { return fmin(fmax(0.35, 0.09 * length), 1.4); }

// Thickness around a vertex on the page, 0 if it looks like a thin line [px].
static double thickness_at(const pli_canvas* c, int32_t v) {
    const double seen = 1.5; // [px]
    const pli_snapshot* s = c->snapshot;
    double radius = pli_snapshot_radius(s, s->vertex_body[v]) * c->scale;
    return radius > seen ? radius : 0;
}

// Mean length on the page of up to some hundred of `count` vertex pairs [px].
static double mean_length(const pli_canvas* c, const int32_t* pairs, int count) {
    double sum = 0;
    int used = 0, stride = count / 500 + 1;
    for (int i = 0; i < count; i += stride) {
        pli_point a = pli_canvas_vertex(c, pairs[2 * i]);
        pli_point b = pli_canvas_vertex(c, pairs[2 * i + 1]);
        double length = hypot(b.x - a.x, b.y - a.y);
        if (!isfinite(length)) continue;
        sum += length;
        used++;
    }
    return used > 0 ? sum / used : 0;
}

// The visible part of a half-space: its solid side, and the ground line.
typedef struct cut {
    pli_point solid[8], line[4];
    int solid_count, line_count;
} cut;

// A corner of the picture is solid if (p - on) . n <= 0. Where the sign changes along the picture's
// border, the ground line begins or ends.
static cut cut_half_space(const pli_canvas* c, const float plane[4]) {
    pli_point on = pli_canvas_place(c, (double)plane[0], (double)plane[1]);
    double nx = (double)plane[2], ny = -(double)plane[3]; // y is downward here
    double w = c->width, h = c->height;
    const pli_point corners[4] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    cut out = {.solid_count = 0};
    for (int i = 0; i < 4; ++i) {
        pli_point a = corners[i], b = corners[(i + 1) % 4];
        double da = (a.x - on.x) * nx + (a.y - on.y) * ny;
        double db = (b.x - on.x) * nx + (b.y - on.y) * ny;
        if (da <= 0) out.solid[out.solid_count++] = a;
        if ((da <= 0) == (db <= 0)) continue;
        double t = da / (da - db);
        pli_point at = {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        out.solid[out.solid_count++] = at;
        out.line[out.line_count++] = at;
    }
    return out;
}

// All ground lines before all solids, so that no line is visible inside another half-space.
static void draw_half_spaces(const pli_canvas* c) {
    for (int i = 0; i < c->plane_count; ++i) {
        cut shown = cut_half_space(c, c->planes + 4 * i);
        if (shown.line_count < 2) continue;
        pli_pen pen = pli_pen_begin(c->file, "stroke=\"#6b7683\" stroke-width=\"2.4\"");
        for (int k = 0; k < 2; ++k) pli_pen_to(&pen, shown.line[k].x, shown.line[k].y);
        pli_pen_end(&pen);
    }
    for (int i = 0; i < c->plane_count; ++i) {
        cut shown = cut_half_space(c, c->planes + 4 * i);
        if (shown.solid_count == 0) continue;
        pli_pen pen = pli_pen_begin(c->file, "fill=\"url(#solid)\"");
        for (int k = 0; k < shown.solid_count; ++k)
            pli_pen_to(&pen, shown.solid[k].x, shown.solid[k].y);
        pli_pen_close(&pen);
        pli_pen_end(&pen);
    }
}

static const pli_colour* vertex_colour(const pli_canvas* c, int32_t v) {
    return pli_body_colour(c->snapshot, c->snapshot->vertex_body[v]);
}

// The first index from `i` on whose element belongs to another body; elements have `width`
// vertices.
static int end_of_body(const pli_canvas* c, const int32_t* elements, int width, int i, int count) {
    int32_t body = c->snapshot->vertex_body[elements[(size_t)i * (size_t)width]];
    while (i < count && c->snapshot->vertex_body[elements[(size_t)i * (size_t)width]] == body) ++i;
    return i;
}

// ---- parts with thickness

// The paths of one body from index i of a list on, in the colours of its border or of its interior.
typedef struct halo {
    const pli_canvas* canvas;
    const pli_outline* outline;
    bool inside;
} halo;

static pli_pen begin_halo(const halo* h, int32_t vertex) {
    const double border = 1; // [px]
    const pli_colour* colour = vertex_colour(h->canvas, vertex);
    double width = 2 * thickness_at(h->canvas, vertex);
    char style[160];
    pli_format(style, sizeof style,
               "fill=\"none\" stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\" "
               "stroke-linejoin=\"round\"",
               h->inside ? colour->fill : colour->edge, h->inside ? width - 2 * border : width);
    return pli_pen_begin(h->canvas->file, style);
}

// Elements of one kind, segments or single vertices, of bodies with thickness.
static void draw_halo_of(const halo* h, pli_element_kind kind) {
    const pli_canvas* c = h->canvas;
    const int32_t* elements = c->snapshot->elements[kind];
    int count = c->snapshot->element_count[kind], width = pli_element_size(kind);
    for (int i = 0, end; i < count; i = end) {
        const int32_t* first = elements + (size_t)i * (size_t)width;
        end = end_of_body(c, elements, width, i, count);
        if (thickness_at(c, first[0]) == 0) continue;
        pli_pen pen = begin_halo(h, first[0]);
        for (int k = i; k < end; ++k) {
            const int32_t* v = elements + (size_t)k * (size_t)width;
            pli_point p = pli_canvas_vertex(c, v[0]);
            pli_pen_dot(&pen, p.x, p.y); // also for zero-length segments
            if (kind != PLI_SEGMENT) continue;
            pli_pen_to_vertex(&pen, c, v[0]);
            pli_pen_to_vertex(&pen, c, v[1]);
        }
        pli_pen_end(&pen);
    }
}

static void draw_halo_of_areas(const halo* h) {
    const pli_outline* outline = h->outline;
    for (int i = 0; i < outline->loop_count; ++i) {
        int32_t first = outline->loop_vertices[outline->loop_start[i]];
        if (thickness_at(h->canvas, first) == 0) continue;
        pli_pen pen = begin_halo(h, first);
        for (int k = outline->loop_start[i]; k < outline->loop_start[i + 1]; ++k)
            pli_pen_to_vertex(&pen, h->canvas, outline->loop_vertices[k]);
        pli_pen_close(&pen);
        pli_pen_end(&pen);
    }
}

// All borders first, so that none is visible inside the body that it belongs to.
static void draw_halos(const pli_canvas* c, const pli_outline* outline) {
    for (int inside = 0; inside < 2; ++inside) {
        halo h = {c, outline, inside};
        draw_halo_of_areas(&h);
        draw_halo_of(&h, PLI_SEGMENT);
        draw_halo_of(&h, PLI_VERTEX);
    }
}

// ---- areas, lines and dots

// Pairs of vertices as thin lines, one path per body.
static void draw_pairs(const pli_canvas* c, const int32_t* pairs, int count, double stroke,
                       double opacity) {
    for (int i = 0, end; i < count; i = end) {
        end = end_of_body(c, pairs, 2, i, count);
        char style[160];
        pli_format(style, sizeof style,
                   "fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" stroke-opacity=\"%.2f\" "
                   "stroke-linecap=\"round\"",
                   vertex_colour(c, pairs[2 * i])->edge, stroke, opacity);
        pli_pen pen = pli_pen_begin(c->file, style);
        for (int k = i; k < end; ++k) {
            pli_pen_lift(&pen);
            pli_pen_to_vertex(&pen, c, pairs[2 * k]);
            pli_pen_to_vertex(&pen, c, pairs[2 * k + 1]);
        }
        pli_pen_end(&pen);
    }
}

// Areas with a dark border; interior edges only where they are far enough apart to be visible.
static void draw_triangles(const pli_canvas* c, const pli_outline* outline, double edge_length) {
    const double visible = 4.5; // [px]
    for (int i = 0; i < outline->loop_count;) {
        int32_t body = c->snapshot->vertex_body[outline->loop_vertices[outline->loop_start[i]]];
        const pli_colour* colour = pli_body_colour(c->snapshot, body);
        char style[120];
        pli_format(style, sizeof style,
                   "fill=\"%s\" stroke=\"%s\" stroke-width=\"1\" stroke-linejoin=\"round\"",
                   colour->fill, colour->edge);
        pli_pen pen = pli_pen_begin(c->file, style);
        for (; i < outline->loop_count; ++i) {
            int first = outline->loop_start[i];
            if (c->snapshot->vertex_body[outline->loop_vertices[first]] != body) break;
            for (int k = first; k < outline->loop_start[i + 1]; ++k)
                pli_pen_to_vertex(&pen, c, outline->loop_vertices[k]);
            pli_pen_close(&pen);
        }
        pli_pen_end(&pen);
    }
    if (edge_length >= visible)
        draw_pairs(c, outline->edges, outline->edge_count, fmin(0.7, edge_length / 16), 0.6);
}

// Vertices `list` as dots, one path per body.
static void draw_dots(const pli_canvas* c, const int32_t* list, int count, double diameter) {
    for (int i = 0, end; i < count; i = end) {
        end = end_of_body(c, list, 1, i, count);
        char style[120];
        pli_format(style, sizeof style,
                   "stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\"",
                   vertex_colour(c, list[i])->edge, diameter);
        pli_pen pen = pli_pen_begin(c->file, style);
        for (int k = i; k < end; ++k) {
            pli_point p = pli_canvas_vertex(c, list[k]);
            pli_pen_dot(&pen, p.x, p.y);
        }
        pli_pen_end(&pen);
    }
}

static void draw_segments(const pli_canvas* c, double length) {
    const int32_t* segments = c->snapshot->elements[PLI_SEGMENT];
    int count = c->snapshot->element_count[PLI_SEGMENT];
    draw_pairs(c, segments, count, segment_stroke(length), 1);
    if (length >= ROOM_FOR_JOINTS) draw_dots(c, segments, 2 * count, 3.4);
}

pli_plane_style pli_plane_style_of(const pli_canvas* c, const pli_outline* outline) {
    return (pli_plane_style){.edge_length = mean_length(c, outline->edges, outline->edge_count),
                             .segment_length =
                                 mean_length(c, c->snapshot->elements[PLI_SEGMENT],
                                             c->snapshot->element_count[PLI_SEGMENT])};
}

void pli_plane_draw(const pli_canvas* c, const pli_outline* outline, const pli_plane_style* style) {
    draw_half_spaces(c);
    draw_halos(c, outline);
    draw_triangles(c, outline, style->edge_length);
    draw_segments(c, style->segment_length);
    draw_dots(c, c->snapshot->elements[PLI_VERTEX], c->snapshot->element_count[PLI_VERTEX], 5);
}

// ---- the outline of triangles

// closes. That holds for any set of triangles, also flipped or overlapping ones.
typedef struct directed {
    int32_t from, to;
} directed;

// Edges with both directions go to outline->edges; directed edges that do not cancel go to `left`,
// which has room for all of them. Returns their count.
static int cancel(pli_outline* outline, const pli_elements* all, const pli_sides* sides,
                  directed* left) {
    int count = 0;
    for (int i = 0; i < sides->count; ++i) {
        int32_t low = sides->vertices[2 * (size_t)i], high = sides->vertices[2 * (size_t)i + 1];
        int up = 0, uses = pli_side_uses(sides, i);
        for (int k = 0; k < uses; ++k)
            up += pli_side_at(all, PLI_SPLIT_EDGES, sides->uses[sides->start[i] + k]).v[0] == low;
        int down = uses - up;
        if (pli_min_int(up, down) > 0) {
            outline->edges[2 * outline->edge_count] = low;
            outline->edges[2 * outline->edge_count++ + 1] = high;
        }
        for (int k = down; k < up; ++k) left[count++] = (directed){low, high};
        for (int k = up; k < down; ++k) left[count++] = (directed){high, low};
    }
    return count;
}

// First edge that starts at `vertex`, by bisection of edges sorted by start.
static int find_start(const directed* edges, int count, int32_t vertex) {
    int first = 0;
    while (count > 0) {
        int half = count / 2;
        if (edges[first + half].from < vertex) {
            first += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return first;
}

// Walks from every unused edge until back at its start. A used edge has to == -1.
static void chain(pli_outline* outline, directed* edges, int count) {
    int used = 0;
    for (int i = 0; i < count; ++i) {
        if (edges[i].to < 0) continue;
        outline->loop_start[outline->loop_count++] = used;
        int32_t vertex = edges[i].from;
        do {
            int k = find_start(edges, count, vertex);
            while (edges[k].to < 0) ++k;
            outline->loop_vertices[used++] = vertex;
            vertex = edges[k].to;
            edges[k].to = -1;
        } while (vertex != edges[i].from);
    }
    outline->loop_start[outline->loop_count] = used;
}

pli_status pli_outline_init(pli_outline* outline, pli_memory* memory, const pli_elements* all,
                            pli_error* error) {
    pli_sides sides = {0};
    pli_outline fresh = {.memory = memory};
    size_t count = 0;
    directed* edges = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(memory, all, PLI_SPLIT_EDGES, &sides, error));
    fresh.capacity = sides.use_count;
    count = (size_t)sides.use_count;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, edges, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_start, count + 1, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.loop_vertices, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, fresh.edges, 2 * count, error));
    int left = cancel(&fresh, all, &sides, edges);
    PLI_TRY_CLEANUP(status,
                    pli_sort_rows(memory, (int32_t*)edges, left, 2, 2, all->vertex_limit, error));
    chain(&fresh, edges, left);
    *outline = fresh;
cleanup:
    pli_sides_free(&sides);
    PLI_FREE(memory, edges, count);
    if (status != PLI_OK) pli_outline_free(&fresh);
    return status;
}

void pli_outline_free(pli_outline* outline) {
    pli_memory* memory = outline->memory;
    if (!memory) return;
    size_t count = (size_t)outline->capacity;
    PLI_FREE(memory, outline->loop_start, count + 1);
    PLI_FREE(memory, outline->loop_vertices, count);
    PLI_FREE(memory, outline->edges, 2 * count);
}
