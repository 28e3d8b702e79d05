// The film strip: which pictures, in which frame, how arranged; then the drawing of each.
#include "io/strip.h"

#include <math.h>

enum {
    GAP = 14, // [px], as the following
    LABEL_HEIGHT = 26,
    LABEL_SIZE = 13,
    MAX_PICTURE_HEIGHT = 420,
};

typedef struct box {
    pli_point low, high;
} box;

static const box empty_box = {{HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}};

static void extend(box* b, double x, double y) {
    if (!isfinite(x) || !isfinite(y)) return;
    b->low = (pli_point){fmin(b->low.x, x), fmin(b->low.y, y)};
    b->high = (pli_point){fmax(b->high.x, x), fmax(b->high.y, y)};
}

static box picture_box(const pli_preview* preview, int stored) {
    box b = empty_box;
    const float* xy = pli_picture_positions(preview, pli_preview_picture(preview, stored));
    for (int v = 0; v < preview->vertex_count; ++v)
        extend(&b, (double)xy[2 * v], (double)xy[2 * v + 1]);
    if (b.low.x > b.high.x) b = (box){{0, 0}, {0, 0}};
    return b;
}

// A body that flies off must not shrink to a dot: at most `limit` of the way is shown, around the
// first picture's middle.
static void clip_range(double* low, double* high, double middle, double limit) {
    if (*high - *low <= limit) return;
    double start = fmin(fmax(middle - limit / 2, *low), *high - limit);
    *low = start;
    *high = start + limit;
}

// Widens a range around its middle to at least `size`.
static void widen(double* low, double* high, double size) {
    double missing = fmax(0, size - (*high - *low)) / 2;
    *low -= missing;
    *high += missing;
}

// The common frame: all pictures' vertices, clipped, not too flat or tall, with a margin.
static void choose_frame(const pli_preview* preview, pli_strip* strip) {
    const double travel_limit = 10, max_ratio = 2.5, margin = 0.08;
    box all = empty_box, first = picture_box(preview, strip->picks[0]);
    double size = 0; // of the largest picture
    for (int i = 0; i < strip->count; ++i) {
        box b = picture_box(preview, strip->picks[i]);
        extend(&all, b.low.x, b.low.y);
        extend(&all, b.high.x, b.high.y);
        size = fmax(size, fmax(b.high.x - b.low.x, b.high.y - b.low.y));
    }
    if (size > 0) {
        clip_range(&all.low.x, &all.high.x, (first.low.x + first.high.x) / 2, travel_limit * size);
        clip_range(&all.low.y, &all.high.y, (first.low.y + first.high.y) / 2, travel_limit * size);
    }
    double extent = fmax(all.high.x - all.low.x, all.high.y - all.low.y);
    if (!(extent > 0)) extent = 1; // a single point at rest
    widen(&all.low.x, &all.high.x, fmax(all.high.x - all.low.x, extent / max_ratio));
    widen(&all.low.y, &all.high.y, fmax(all.high.y - all.low.y, extent / max_ratio));
    widen(&all.low.x, &all.high.x, all.high.x - all.low.x + 2 * margin * extent);
    widen(&all.low.y, &all.high.y, all.high.y - all.low.y + 2 * margin * extent);
    strip->low = all.low;
    strip->high = all.high;
}

// The fewest rows that leave the pictures a readable size; they fill the width, if need be by
// showing more of the surroundings.
static void arrange(pli_strip* strip, double width) {
    const double readable = 160 * 160; // [px^2]
    double w = strip->high.x - strip->low.x, h = strip->high.y - strip->low.y;
    do {
        strip->rows++;
        strip->columns = (strip->count + strip->rows - 1) / strip->rows;
        strip->picture_width = (width - (strip->columns - 1) * GAP) / strip->columns;
        strip->picture_height = fmin(strip->picture_width * h / w, MAX_PICTURE_HEIGHT);
    } while (strip->picture_width * strip->picture_height < readable && strip->columns > 1);
    strip->scale = strip->picture_height / h;
    widen(&strip->low.x, &strip->high.x, strip->picture_width / strip->scale);
    strip->height = strip->rows * (strip->picture_height + LABEL_HEIGHT) + (strip->rows - 1) * GAP;
}

pli_strip pli_strip_layout(const pli_preview* preview, double width) {
    pli_strip strip = {.count = pli_min_int(preview->frames, preview->pictures.count)};
    for (int i = 0; i < strip.count; ++i)
        strip.picks[i] = pli_thin_pick(&preview->pictures, i, strip.count);
    choose_frame(preview, &strip);
    arrange(&strip, width);
    return strip;
}

// One picture being drawn.
typedef struct canvas {
    pli_file* file;
    const pli_strip* strip;
    const pli_snapshot* snapshot;
    const float* xy;                    // of its vertices
    double edge_length, segment_length; // mean in the first picture: all are drawn alike [px]
} canvas;

static pli_point place(const canvas* c, double x, double y) {
    return (pli_point){(x - c->strip->low.x) * c->strip->scale,
                       (c->strip->high.y - y) * c->strip->scale};
}

static pli_point vertex_place(const canvas* c, int32_t v) {
    return place(c, (double)c->xy[2 * v], (double)c->xy[2 * v + 1]);
}

static void pen_to_vertex(pli_pen* pen, const canvas* c, int32_t v) {
    pli_point p = vertex_place(c, v);
    pli_pen_to(pen, p.x, p.y);
}

// The part of a half-space that a picture shows: its solid side, and the ground line.
typedef struct cut {
    pli_point solid[8], line[4];
    int solid_count, line_count;
} cut;

// A corner of the picture is solid if (p - on) . n <= 0. Where the sign changes along the picture's
// border, the ground line begins or ends.
static cut cut_half_space(const canvas* c, const float plane[4]) {
    pli_point on = place(c, (double)plane[0], (double)plane[1]);
    double nx = (double)plane[2], ny = -(double)plane[3]; // y is downward here
    double w = c->strip->picture_width, h = c->strip->picture_height;
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

// All ground lines before all solids, so that no line is seen inside another half-space.
static void draw_half_spaces(const canvas* c, const float* planes, int count) {
    for (int i = 0; i < count; ++i) {
        cut shown = cut_half_space(c, planes + 4 * i);
        if (shown.line_count < 2) continue;
        pli_pen pen = pli_pen_begin(c->file, "stroke=\"#6b7683\" stroke-width=\"2.4\"");
        for (int k = 0; k < 2; ++k) pli_pen_to(&pen, shown.line[k].x, shown.line[k].y);
        pli_pen_end(&pen);
    }
    for (int i = 0; i < count; ++i) {
        cut shown = cut_half_space(c, planes + 4 * i);
        if (shown.solid_count == 0) continue;
        pli_pen pen = pli_pen_begin(c->file, "fill=\"url(#solid)\"");
        for (int k = 0; k < shown.solid_count; ++k)
            pli_pen_to(&pen, shown.solid[k].x, shown.solid[k].y);
        pli_pen_close(&pen);
        pli_pen_end(&pen);
    }
}

// Mean length on the page of up to some hundred of `count` vertex pairs [px].
static double mean_length(const canvas* c, const int32_t* pairs, int count) {
    double sum = 0;
    int used = 0, stride = count / 500 + 1;
    for (int i = 0; i < count; i += stride) {
        pli_point a = vertex_place(c, pairs[2 * i]), b = vertex_place(c, pairs[2 * i + 1]);
        double length = hypot(b.x - a.x, b.y - a.y);
        if (!isfinite(length)) continue;
        sum += length;
        used++;
    }
    return used > 0 ? sum / used : 0;
}

static const pli_colour* vertex_colour(const canvas* c, int32_t v) {
    return pli_colour_of(c->snapshot->vertex_body[v]);
}

// First place from `i` on where an element of another body stands; elements have `width` vertices.
static int end_of_body(const canvas* c, const int32_t* elements, int width, int i, int count) {
    int32_t body = c->snapshot->vertex_body[elements[(size_t)i * (size_t)width]];
    while (i < count && c->snapshot->vertex_body[elements[(size_t)i * (size_t)width]] == body) ++i;
    return i;
}

// Pairs of vertices as thin lines, one path per body.
static void draw_pairs(const canvas* c, const int32_t* pairs, int count, double stroke,
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
            pen_to_vertex(&pen, c, pairs[2 * k]);
            pen_to_vertex(&pen, c, pairs[2 * k + 1]);
        }
        pli_pen_end(&pen);
    }
}

// Areas with a dark border; the edges inside only where they are far enough apart to be seen.
static void draw_triangles(const canvas* c, const pli_outline* outline) {
    const double visible = 4.5; // [px]
    for (int i = 0; i < outline->loop_count;) {
        int32_t body = c->snapshot->vertex_body[outline->loop_vertices[outline->loop_start[i]]];
        const pli_colour* colour = pli_colour_of(body);
        char style[120];
        pli_format(style, sizeof style,
                   "fill=\"%s\" stroke=\"%s\" stroke-width=\"1\" stroke-linejoin=\"round\"",
                   colour->fill, colour->edge);
        pli_pen pen = pli_pen_begin(c->file, style);
        for (; i < outline->loop_count; ++i) {
            int first = outline->loop_start[i];
            if (c->snapshot->vertex_body[outline->loop_vertices[first]] != body) break;
            for (int k = first; k < outline->loop_start[i + 1]; ++k)
                pen_to_vertex(&pen, c, outline->loop_vertices[k]);
            pli_pen_close(&pen);
        }
        pli_pen_end(&pen);
    }
    if (c->edge_length >= visible)
        draw_pairs(c, outline->edges, outline->edge_count, fmin(0.7, c->edge_length / 16), 0.6);
}

// Vertices `list` as dots, one path per body.
static void draw_dots(const canvas* c, const int32_t* list, int count, double diameter) {
    for (int i = 0, end; i < count; i = end) {
        end = end_of_body(c, list, 1, i, count);
        char style[120];
        pli_format(style, sizeof style,
                   "stroke=\"%s\" stroke-width=\"%.1f\" stroke-linecap=\"round\"",
                   vertex_colour(c, list[i])->edge, diameter);
        pli_pen pen = pli_pen_begin(c->file, style);
        for (int k = i; k < end; ++k) {
            pli_point p = vertex_place(c, list[k]);
            pli_pen_dot(&pen, p.x, p.y);
        }
        pli_pen_end(&pen);
    }
}

// Lines become thinner where they are dense; joints are shown where there is room.
static void draw_segments(const canvas* c) {
    const double room_for_joints = 11; // [px]
    const int32_t* segments = c->snapshot->elements[PLI_SEGMENT];
    int count = c->snapshot->element_count[PLI_SEGMENT];
    draw_pairs(c, segments, count, fmax(0.35, fmin(1.4, 0.09 * c->segment_length)), 1);
    if (c->segment_length >= room_for_joints) draw_dots(c, segments, 2 * count, 3.4);
}

static void draw_picture(const canvas* c, const pli_preview* preview, const pli_picture* picture,
                         const pli_outline* outline, pli_point at) {
    PLI_FILE_PRINT(c->file,
                   "<g transform=\"translate(%.1f %.1f)\">\n"
                   "<g clip-path=\"url(#frame)\">\n"
                   "<rect width=\"%.1f\" height=\"%.1f\" fill=\"#fbfcfd\"/>\n",
                   at.x, at.y, c->strip->picture_width, c->strip->picture_height);
    draw_half_spaces(c, picture->values, preview->half_space_count);
    draw_triangles(c, outline);
    draw_segments(c);
    draw_dots(c, c->snapshot->elements[PLI_VERTEX], c->snapshot->element_count[PLI_VERTEX], 5);
    PLI_FILE_PRINT(c->file,
                   "</g>\n<rect width=\"%.1f\" height=\"%.1f\" rx=\"4\" fill=\"none\" "
                   "stroke=\"#c3cad3\"/>\n</g>\n",
                   c->strip->picture_width, c->strip->picture_height);
}

// Enough decimals to tell neighbouring pictures apart.
static int time_decimals(const pli_preview* preview, const pli_strip* strip, pli_prefix unit) {
    double first = pli_preview_picture(preview, strip->picks[0])->time;
    double last = pli_preview_picture(preview, strip->picks[strip->count - 1])->time;
    double apart = (last - first) * unit.factor / pli_max_int(1, strip->count - 1);
    if (!(apart > 0)) return 2;
    return pli_max_int(0, pli_min_int(6, 1 + (int)ceil(-log10(apart))));
}

static void write_defs(pli_file* file, const pli_strip* strip) {
    PLI_FILE_PRINT(file,
                   "<defs><clipPath id=\"frame\"><rect width=\"%.1f\" height=\"%.1f\" rx=\"4\"/>"
                   "</clipPath>\n",
                   strip->picture_width, strip->picture_height);
    pli_file_text(file, "<pattern id=\"solid\" width=\"7\" height=\"7\" "
                        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                        "<rect width=\"7\" height=\"7\" fill=\"#eceff2\"/>"
                        "<rect width=\"1\" height=\"7\" fill=\"#cdd3da\"/></pattern></defs>\n");
}

void pli_strip_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                     const pli_outline* outline, const pli_strip* strip, pli_point at,
                     pli_prefix unit) {
    write_defs(file, strip);
    int decimals = time_decimals(preview, strip, unit);
    canvas c = {.file = file, .strip = strip, .snapshot = snapshot};
    for (int i = 0; i < strip->count; ++i) {
        const pli_picture* picture = pli_preview_picture(preview, strip->picks[i]);
        c.xy = pli_picture_positions(preview, picture);
        if (i == 0) {
            c.edge_length = mean_length(&c, outline->edges, outline->edge_count);
            c.segment_length = mean_length(&c, snapshot->elements[PLI_SEGMENT],
                                           snapshot->element_count[PLI_SEGMENT]);
        }
        double x = at.x + (i % strip->columns) * (strip->picture_width + GAP);
        double y = at.y + (i / strip->columns) * (strip->picture_height + LABEL_HEIGHT + GAP);
        draw_picture(&c, preview, picture, outline, (pli_point){x, y});
        char label[64];
        pli_format(label, sizeof label, "t = %.*f %ss", decimals, picture->time * unit.factor,
                   unit.text);
        pli_svg_text(file,
                     (pli_point){x + strip->picture_width / 2, y + strip->picture_height + 18},
                     (pli_text_style){LABEL_SIZE, "middle", PLI_GREY, false, 40}, label);
    }
}
