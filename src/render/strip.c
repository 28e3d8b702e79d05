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

// The boxes of all bodies in a picture, as the camera sees them.
static void find_boxes(const pli_preview* preview, const pli_snapshot* s, int stored,
                       pli_frame_box* boxes) {
    const float* p = pli_preview_positions(preview, pli_preview_frame_at(preview, stored));
    for (int b = 0; b < s->body_count; ++b) {
        boxes[b] = pli_frame_nothing;
        boxes[b].obstacle = pli_is_obstacle(s, b);
    }
    for (int v = 0; v < preview->vertex_count; ++v, p += preview->dim) {
        const double at[3] = {(double)p[0], (double)p[1], preview->dim == 3 ? (double)p[2] : 0};
        double margin = pli_preview_margin(preview, v);
        pli_frame_extend(&boxes[preview->vertex_body[v]], at, margin);
    }
}

static void middle_of(const pli_frame_box* box, double middle[3]) {
    for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (box->low[k] + box->high[k]);
}

// The middle of what the camera follows; false: nobody.
static bool find_followed(const pli_preview* preview, const pli_snapshot* s,
                          const pli_frame_box* boxes, double* scratch, double middle[3]) {
    pli_frame_box box = pli_frame_nothing;
    if (!*preview->shot.follow) return false;
    if (strcmp(preview->shot.follow, "*") == 0)
        box = pli_camera_frame(boxes, s->body_count, &pli_frame_nothing, scratch);
    for (int b = 0; b < s->body_count; ++b)
        if (strcmp(s->body_names[b], preview->shot.follow) == 0) pli_frame_join(&box, &boxes[b]);
    middle_of(&box, middle);
    return isfinite(middle[0] + middle[1] + middle[2]);
}

static pli_frame_box common_frame(const pli_preview* preview, const pli_snapshot* s,
                                  pli_film_strip* strip, pli_frame_box* boxes, double* scratch) {
    pli_frame_looks looks = {0};
    pli_frame_box start = pli_frame_nothing;
    double anchor[3] = {0}, now[3];
    for (int i = 0; i < strip->count; ++i) {
        find_boxes(preview, s, strip->picks[i], boxes);
        pli_frame_box look = pli_camera_frame(boxes, s->body_count, &start, scratch);
        if (i == 0) start = look;
        bool followed = find_followed(preview, s, boxes, scratch, now);
        if (followed && i == 0) memcpy(anchor, now, sizeof anchor);
        for (int k = 0; k < 3 && followed; ++k) {
            strip->shift[i][k] = now[k] - anchor[k];
            look.low[k] -= strip->shift[i][k];
            look.high[k] -= strip->shift[i][k];
        }
        pli_frame_looks_add(&looks, &look);
    }
    return pli_frame_looks_range(&looks);
}

// Widens a range around its middle to at least `size`.
static void widen(double* low, double* high, double size) {
    double missing = fmax(0, size - (*high - *low)) / 2;
    *low -= missing;
    *high += missing;
}

// The part of the camera of the scene that a strip can follow: its middle and its height.
static void follow_shot(const pli_preview* preview, pli_film_strip* strip) {
    pli_view_point at = pli_shot_at(&preview->shot, 0);
    double from[3], to[3], distance = 0;
    if (!isfinite(at.to[0] + at.to[1] + at.to[2])) return;
    for (int k = 0; k < 3; ++k) {
        from[k] = at.to[k] - preview->origin[k];
        distance += (at.from[k] - at.to[k]) * (at.from[k] - at.to[k]);
    }
    pli_camera_see(&preview->camera, from, to);
    double height = strip->high.y - strip->low.y, width = strip->high.x - strip->low.x;
    double wanted = at.height;
    if (!(wanted > 0) && preview->dim == 3 && distance > 0)
        wanted = 2 * sqrt(distance) * tan(at.field_of_view * 3.14159265358979323846 / 360);
    if (wanted > 0) width *= wanted / height, height = wanted;
    strip->low = (pli_point){to[0] - width / 2, to[1] - height / 2};
    strip->high = (pli_point){to[0] + width / 2, to[1] + height / 2};
}

// The common range of all pictures: not too flat or tall, with a margin.
static void choose_frame(const pli_preview* preview, const pli_snapshot* s, pli_film_strip* strip,
                         pli_frame_box* boxes, double* scratch) {
    const double max_ratio = 2.5, margin = 0.08;
    pli_frame_box all = common_frame(preview, s, strip, boxes, scratch);
    double extent = fmax(all.high[0] - all.low[0], all.high[1] - all.low[1]);
    if (!(extent > 0)) extent = 1; // a single point at rest
    for (int k = 0; k < 2; ++k) {
        widen(&all.low[k], &all.high[k], extent / max_ratio);
        widen(&all.low[k], &all.high[k], all.high[k] - all.low[k] + 2 * margin * extent);
    }
    strip->low = (pli_point){all.low[0], all.low[1]};
    strip->high = (pli_point){all.high[0], all.high[1]};
    strip->near = all.high[2];
    strip->far = all.low[2];
    follow_shot(preview, strip);
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

pli_status pli_strip_layout(const pli_preview* preview, const pli_snapshot* snapshot, double width,
                            pli_film_strip* strip, pli_error* error) {
    pli_memory* memory = preview->memory;
    pli_frame_box* boxes = NULL;
    double* scratch = NULL;
    *strip = (pli_film_strip){.count = pli_min_int(preview->frames, preview->pictures.count)};
    for (int i = 0; i < strip->count; ++i)
        strip->picks[i] = pli_sampler_pick(&preview->pictures, i, strip->count);
    pli_status status = PLI_ALLOC(memory, boxes, snapshot->body_count, error);
    if (status == PLI_OK) status = PLI_ALLOC(memory, scratch, snapshot->body_count, error);
    if (status == PLI_OK) {
        choose_frame(preview, snapshot, strip, boxes, scratch);
        arrange(strip, width);
    }
    PLI_FREE(memory, boxes, snapshot->body_count);
    PLI_FREE(memory, scratch, snapshot->body_count);
    return status;
}

// ---- drawing

static pli_status init_outline(pli_outline* outline, pli_memory* memory, const pli_snapshot* s,
                               pli_error* error) {
    pli_elements all = {.vertex_limit = s->vertex_count};
    memcpy(all.count, s->element_count, sizeof all.count);
    memcpy(all.elements, s->elements, sizeof all.elements);
    return pli_outline_init(outline, memory, &all, error);
}

// A pixel of the picture for one of the page; fewer if it is large: a pixel takes 70 bytes, and
// every run pays for them.
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
        const double* shift = strip->shift[i];
        c.low = (pli_point){strip->low.x + shift[0], strip->low.y + shift[1]};
        c.high = (pli_point){strip->high.x + shift[0], strip->high.y + shift[1]};
        c.near = strip->near + shift[2];
        c.far = strip->far + shift[2];
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
