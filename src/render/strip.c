// The film strip: selection, common range and layout of the pictures; then the drawing of each.
#include "render/strip.h"
#include "render/raster.h"

#include <math.h>
#include <string.h>

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
    const float* p = pli_preview_positions(preview, pli_preview_frame_at(preview, stored));
    for (int v = 0; v < preview->vertex_count; ++v, p += preview->dim) {
        double margin = pli_preview_margin(preview, v);
        extend(&b, (double)p[0] - margin, (double)p[1] - margin);
        extend(&b, (double)p[0] + margin, (double)p[1] + margin);
    }
    if (b.low.x > b.high.x) b = (box){{0, 0}, {0, 0}};
    return b;
}

// A body that flies away must not shrink the scene to a dot: at most `limit` of the way is shown,
// around the middle of the first picture.
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

// The common range: the vertices of all pictures, clipped, not too flat or tall, with a margin.
static void choose_frame(const pli_preview* preview, pli_film_strip* strip) {
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

// The fewest rows that leave the pictures a readable size; they fill the width, if necessary by
// showing more of the surroundings.
static void arrange(pli_film_strip* strip, double width) {
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

// The extent of the scene towards and away from the viewer, over all pictures.
static void choose_depth(const pli_preview* preview, pli_film_strip* strip) {
    double near = -HUGE_VAL, far = HUGE_VAL;
    for (int i = 0; i < strip->count; ++i) {
        const pli_preview_frame* picture = pli_preview_frame_at(preview, strip->picks[i]);
        const float* p = pli_preview_positions(preview, picture);
        for (int v = 0; v < preview->vertex_count; ++v, p += preview->dim) {
            if (!isfinite(p[2])) continue;
            double margin = pli_preview_margin(preview, v);
            near = fmax(near, (double)p[2] + margin);
            far = fmin(far, (double)p[2] - margin);
        }
    }
    strip->near = near >= far ? near : 0;
    strip->far = near >= far ? far : 0;
}

pli_film_strip pli_strip_layout(const pli_preview* preview, double width) {
    pli_film_strip strip = {.count = pli_min_int(preview->frames, preview->pictures.count)};
    for (int i = 0; i < strip.count; ++i)
        strip.picks[i] = pli_sampler_pick(&preview->pictures, i, strip.count);
    choose_frame(preview, &strip);
    if (preview->dim == 3) choose_depth(preview, &strip);
    arrange(&strip, width);
    return strip;
}

// ---- drawing

static pli_status init_outline(pli_outline* outline, pli_memory* memory, const pli_snapshot* s,
                               pli_error* error) {
    pli_elements all = {.vertex_limit = s->vertex_count};
    memcpy(all.count, s->element_count, sizeof all.count);
    memcpy(all.elements, s->elements, sizeof all.elements);
    return pli_outline_init(outline, memory, &all, error);
}

// A pixel of the picture for one of the page; fewer if it is large: a pixel takes 70 bytes, and every
// run pays for them.
static pli_picture_size raster_size(const pli_film_strip* strip) {
    const double sharpest = 1, most = 500000; // [px]
    double area = strip->picture_width * strip->picture_height;
    double ratio = fmin(sharpest, sqrt(most / area));
    return (pli_picture_size){pli_max_int(1, (int)lround(ratio * strip->picture_width)),
                              pli_max_int(1, (int)lround(ratio * strip->picture_height))};
}

pli_status pli_scenery_init(pli_scenery* scenery, const pli_preview* preview,
                            const pli_snapshot* snapshot, const pli_film_strip* strip,
                            pli_error* error) {
    pli_memory* memory = preview->memory;
    *scenery = (pli_scenery){.bodies.memory = memory};
    if (preview->dim == 2) return init_outline(&scenery->outline, memory, snapshot, error);
    pli_result* bodies = &scenery->bodies;
    pli_picture* picture = &scenery->picture;
    pli_status status;
    bodies->dimension = 3;
    PLI_TRY_CLEANUP(status, pli_result_add_bodies(bodies, snapshot, error));
    PLI_TRY_CLEANUP(status, pli_picture_init(picture, memory, bodies, &preview->camera,
                                             raster_size(strip), error));
    return PLI_OK;
cleanup:
    pli_scenery_free(scenery);
    return status;
}

void pli_scenery_free(pli_scenery* scenery) {
    pli_outline_free(&scenery->outline);
    pli_picture_free(&scenery->picture);
    pli_result_close(&scenery->bodies);
}

static pli_canvas canvas_for(pli_file* file, const pli_preview* preview, const pli_snapshot* s,
                             const pli_film_strip* strip) {
    return (pli_canvas){.file = file,
                        .snapshot = s,
                        .dim = preview->dim,
                        .plane_count = preview->half_space_count,
                        .low = strip->low,
                        .high = strip->high,
                        .near = strip->near,
                        .far = strip->far,
                        .scale = strip->scale,
                        .width = strip->picture_width,
                        .height = strip->picture_height};
}

// Draws the points of the canvas and embeds the picture.
static pli_status draw_pixels(const pli_canvas* c, pli_picture* picture, bool first,
                              pli_error* error) {
    double width = picture->canvas.width, height = picture->canvas.height;
    picture->canvas = *c;
    picture->canvas.width = width;
    picture->canvas.height = height;
    picture->canvas.scale = c->scale * width / c->width;
    picture->unit = width / c->width;
    if (first) pli_picture_find_creases(picture);
    pli_picture_draw(picture);
    PLI_FILE_PRINT(c->file,
                   "<image width=\"%.1f\" height=\"%.1f\" preserveAspectRatio=\"none\" "
                   "href=\"data:image/png;base64,",
                   c->width, c->height);
    pli_image image = pli_picture_image(picture);
    PLI_TRY(pli_png_write_text(c->file, picture->memory, &image, error));
    pli_file_text(c->file, "\"/>\n");
    return PLI_OK;
}

// Three arrows x, y, z in the lower left corner.
static void draw_axes(const pli_canvas* c, const pli_camera* camera) {
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

static pli_status draw_picture(const pli_canvas* c, const pli_preview* preview,
                               pli_scenery* scenery, const pli_plane_style* style, bool first,
                               pli_error* error) {
    PLI_FILE_PRINT(c->file,
                   "<g clip-path=\"url(#frame)\">\n"
                   "<rect width=\"%.1f\" height=\"%.1f\" fill=\"#fbfcfd\"/>\n",
                   c->width, c->height);
    if (preview->dim == 2) {
        pli_plane_draw(c, &scenery->outline, style);
    } else {
        PLI_TRY(draw_pixels(c, &scenery->picture, first, error));
        if (first) draw_axes(c, &preview->camera);
    }
    PLI_FILE_PRINT(c->file,
                   "</g>\n<rect width=\"%.1f\" height=\"%.1f\" rx=\"4\" fill=\"none\" "
                   "stroke=\"#c3cad3\"/>\n",
                   c->width, c->height);
    return PLI_OK;
}

// Enough decimals to distinguish neighbouring pictures.
static int time_decimals(const pli_preview* preview, const pli_film_strip* strip, pli_prefix unit) {
    double first = pli_preview_frame_at(preview, strip->picks[0])->time;
    double last = pli_preview_frame_at(preview, strip->picks[strip->count - 1])->time;
    double apart = (last - first) * unit.factor / pli_max_int(1, strip->count - 1);
    if (!(apart > 0)) return 2;
    return pli_max_int(0, pli_min_int(6, 1 + (int)ceil(-log10(apart))));
}

static void write_defs(pli_file* file, const pli_film_strip* strip) {
    PLI_FILE_PRINT(file,
                   "<defs><clipPath id=\"frame\"><rect width=\"%.1f\" height=\"%.1f\" rx=\"4\"/>"
                   "</clipPath>\n",
                   strip->picture_width, strip->picture_height);
    pli_file_text(file, "<pattern id=\"solid\" width=\"7\" height=\"7\" "
                        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                        "<rect width=\"7\" height=\"7\" fill=\"#eceff2\"/>"
                        "<rect width=\"1\" height=\"7\" fill=\"#cdd3da\"/></pattern></defs>\n");
}

pli_status pli_strip_write(pli_file* file, const pli_preview* preview, const pli_snapshot* snapshot,
                           pli_scenery* scenery, const pli_film_strip* strip, pli_point at,
                           pli_prefix unit, pli_error* error) {
    write_defs(file, strip);
    int decimals = time_decimals(preview, strip, unit);
    pli_canvas c = canvas_for(file, preview, snapshot, strip);
    pli_plane_style style = {0};
    for (int i = 0; i < strip->count; ++i) {
        const pli_preview_frame* frame = pli_preview_frame_at(preview, strip->picks[i]);
        c.planes = frame->values;
        c.points = pli_preview_positions(preview, frame);
        if (i == 0 && preview->dim == 2) style = pli_plane_style_of(&c, &scenery->outline);
        int column = i % strip->columns, row = i / strip->columns;
        double x = at.x + column * (strip->picture_width + GAP);
        double y = at.y + row * (strip->picture_height + LABEL_HEIGHT + GAP);
        PLI_FILE_PRINT(file, "<g transform=\"translate(%.1f %.1f)\">\n", x, y);
        PLI_TRY(draw_picture(&c, preview, scenery, &style, i == 0, error));
        pli_file_text(file, "</g>\n");
        char label[64];
        pli_format(label, sizeof label, "t = %.*f %ss", decimals, frame->time * unit.factor,
                   unit.text);
        pli_svg_text(file,
                     (pli_point){x + strip->picture_width / 2, y + strip->picture_height + 18},
                     (pli_text_style){LABEL_SIZE, "middle", PLI_GREY, false, 40}, label);
    }
    return PLI_OK;
}
