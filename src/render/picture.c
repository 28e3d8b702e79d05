// What pictures of a result show, and their ground.
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"
#include "render/ground.h"

pli_status pli_picture_init(pli_picture* picture, pli_memory* memory, const pli_result* result,
                            const pli_picture_def* def, pli_error* error) {
    int width = def->width, height = def->height;
    *picture =
        (pli_picture){.memory = memory,
                      .result = result,
                      .def = *def,
                      .camera = pli_camera_at(result->dimension, result->gravity, def->place),
                      .unit = fmax(0.8, fmin(width, height) / 480.0)};
    picture->canvas = (pli_canvas){
        .dim = 3, .plane_count = result->half_space_count, .width = width, .height = height};
    for (int b = 0; b < result->body_count; ++b)
        picture->normal_room = pli_max_int(picture->normal_room, result->bodies[b].vertex_count);
    pli_status status;
    size_t pixels = (size_t)width * (size_t)height;
    PLI_TRY_CLEANUP(status,
                    PLI_ALLOC(memory, picture->points, 3 * (size_t)result->vertex_count, error));
    PLI_TRY_CLEANUP(
        status, PLI_ALLOC(memory, picture->planes, 6 * (size_t)result->half_space_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, picture->bodies, result->body_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, picture->normals, picture->normal_room, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, picture->rgb, 3 * pixels, error));
    PLI_TRY_CLEANUP(status, pli_raster_init(&picture->raster, memory, width, height, error));
    PLI_TRY_CLEANUP(status, pli_picture_find_sides(picture, error));
    picture->canvas.points = picture->points;
    picture->canvas.planes = picture->planes;
    return PLI_OK;
cleanup:
    pli_picture_free(picture);
    return status;
}

void pli_picture_free(pli_picture* picture) {
    pli_memory* memory = picture->memory;
    if (!memory) return;
    const pli_result* result = picture->result;
    for (int b = 0; b < result->body_count && picture->bodies; ++b)
        PLI_FREE(memory, picture->bodies[b].sides, picture->bodies[b].side_room);
    PLI_FREE(memory, picture->points, 3 * (size_t)result->vertex_count);
    PLI_FREE(memory, picture->planes, 6 * (size_t)result->half_space_count);
    PLI_FREE(memory, picture->bodies, result->body_count);
    PLI_FREE(memory, picture->normals, picture->normal_room);
    PLI_FREE(memory, picture->rgb,
             3 * (size_t)picture->canvas.width * (size_t)picture->canvas.height);
    pli_raster_free(&picture->raster);
    *picture = (pli_picture){0};
}

// ---- what is shown

// A vector or, from the origin, a place as the camera sees it. Plane scenes have no depth.
static void see(const pli_picture* picture, const double v[3], bool place, float out[3]) {
    double from[3], seen[3];
    for (int k = 0; k < 3; ++k) from[k] = v[k] - (place ? picture->origin[k] : 0);
    if (picture->result->dimension == 2) from[2] = 0;
    pli_camera_see(&picture->camera, from, seen);
    for (int k = 0; k < 3; ++k) out[k] = (float)seen[k];
}

static void see_all(pli_picture* picture, const pli_result_frame* frame) {
    for (int i = 0; i < picture->result->half_space_count; ++i) {
        double plane[6];
        pli_result_plane(picture->result, i, frame->positions, plane);
        see(picture, plane, true, picture->planes + 6 * i);
        see(picture, plane + 3, false, picture->planes + 6 * i + 3);
    }
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* body = &picture->result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i) {
            size_t v = 3 * (size_t)body->vertices[i];
            see(picture, frame->positions + v, true, picture->points + v);
        }
    }
}

// Floats keep about 7 digits: count them from the middle of the first frame.
static void choose_origin(pli_picture* picture, const pli_result_frame* frame) {
    double sum[3] = {0};
    for (int v = 0; v < frame->vertex_count; ++v)
        for (int k = 0; k < 3; ++k)
            sum[k] += frame->positions[3 * (size_t)v + (size_t)k] / frame->vertex_count;
    for (int k = 0; k < 3; ++k) picture->origin[k] = isfinite(sum[k]) ? sum[k] : 0;
}

void pli_picture_look(pli_picture* picture, const pli_result_frame* frame) {
    bool first = picture->look_count++ == 0;
    if (first) choose_origin(picture, frame);
    see_all(picture, frame);
    if (first) pli_picture_find_creases(picture);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* body = &picture->result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i)
            for (int k = 0; k < 3; ++k) {
                double at = (double)picture->points[3 * (size_t)body->vertices[i] + (size_t)k];
                low[k] = fmin(low[k], at - body->thickness);
                high[k] = fmax(high[k], at + body->thickness);
            }
    }
    for (int k = 0; k < 3; ++k) {
        if (first && k < 2) picture->middle[k] = 0.5 * (low[k] + high[k]);
        picture->low[k] = first ? low[k] : fmin(low[k], picture->low[k]);
        picture->high[k] = first ? high[k] : fmax(high[k], picture->high[k]);
        if (k < 2) picture->size = fmax(picture->size, high[k] - low[k]);
    }
}

// Turns a scale and the point in the middle into what the canvas shows.
static void aim(pli_picture* picture, double x, double y, double scale) {
    pli_canvas* c = &picture->canvas;
    if (picture->def.at) {
        float seen[3];
        see(picture, picture->def.at, true, seen);
        x = (double)seen[0];
        y = (double)seen[1];
    }
    c->scale = scale * picture->def.zoom;
    double left = 0.5 * (c->width - picture->def.reserve) / c->scale;
    c->low = (pli_point){x - left, y - 0.5 * c->height / c->scale};
    c->high = (pli_point){x - left + c->width / c->scale, y + 0.5 * c->height / c->scale};
}

// All frames' vertices with a margin; a body that flies off must not shrink to a dot, so at most
// ten times the largest frame is shown, around the first one's middle.
void pli_picture_settle(pli_picture* picture) {
    const double travel = 10, margin = 0.07;
    pli_canvas* c = &picture->canvas;
    double limit = travel * picture->size, extent = 0;
    for (int k = 0; k < 2; ++k) {
        double *low = &picture->low[k], *high = &picture->high[k];
        if (limit > 0 && *high - *low > limit) {
            *low = fmin(fmax(picture->middle[k] - limit / 2, *low), *high - limit);
            *high = *low + limit;
        }
        extent = fmax(extent, *high - *low);
    }
    if (!(extent > 0) || !isfinite(extent)) extent = 1; // a single point at rest, or nothing
    double width = picture->high[0] - picture->low[0] + 2 * margin * extent;
    double height = picture->high[1] - picture->low[1] + 2 * margin * extent;
    double x = 0.5 * (picture->low[0] + picture->high[0]),
           y = 0.5 * (picture->low[1] + picture->high[1]);
    if (!isfinite(x + y)) x = y = 0, width = height = extent;
    aim(picture, x, y, fmin((c->width - picture->def.reserve) / width, c->height / height));
    c->near = picture->high[2];
    c->far = picture->low[2];
}

// ---- paint

void pli_picture_colour(const char* text, float rgb[3]) {
    long bits = strtol(text + 1, NULL, 16);
    for (int k = 0; k < 3; ++k) rgb[k] = (float)(bits >> (16 - 8 * k) & 255);
}

pli_paint pli_picture_paint(const char* dark, const char* light, int kind) {
    pli_paint paint = {.alpha = 1, .kind = (uint8_t)kind};
    pli_picture_colour(dark, paint.dark);
    pli_picture_colour(light, paint.light);
    return paint;
}

void pli_picture_place(const pli_picture* picture, const float point[3], double at[3]) {
    pli_point p = pli_canvas_place(&picture->canvas, (double)point[0], (double)point[1]);
    at[0] = p.x;
    at[1] = p.y;
    at[2] = picture->canvas.scale * (double)point[2];
}

// ---- ground

// Fans of triangles and their border, or lines; none of them asks for depth.
static void draw_ground(void* context, pli_ground_part part, int count,
                        const double (*corners)[3]) {
    static const struct {
        const char *fill, *line;
        float alpha;
        int kind;
        double width; // of lines, in units
    } styles[] = {{"#edf0f3", "#b4bcc6", 1, PLI_PICTURE_GROUND, 1},
                  {"#d3d9e0", "#d3d9e0", 1, PLI_PICTURE_GROUND, 0.8},
                  {"#8a94a0", "#9aa4b0", 0.13F, PLI_PICTURE_VEIL, 1}};
    pli_picture* picture = context;
    pli_paint fill = pli_picture_paint(styles[part].fill, styles[part].fill, styles[part].kind);
    pli_paint line = pli_picture_paint(styles[part].line, styles[part].line, PLI_PICTURE_GROUND);
    fill.flat = line.flat = true;
    fill.alpha = styles[part].alpha;
    pli_corner p[3] = {0};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const double* at = corners[k == 0 ? 0 : (i + k - 1) % count];
            pli_point place = pli_canvas_place(&picture->canvas, at[0], at[1]);
            p[k].at[0] = place.x;
            p[k].at[1] = place.y;
        }
        if (count > 2) pli_raster_triangle(&picture->raster, p, &fill);
    }
    for (int i = 0; i < (count > 2 ? count : 1); ++i) {
        for (int k = 0; k < 2; ++k) {
            const double* at = corners[(i + k) % count];
            pli_point place = pli_canvas_place(&picture->canvas, at[0], at[1]);
            p[k].at[0] = place.x;
            p[k].at[1] = place.y;
        }
        pli_raster_line(&picture->raster, p, styles[part].width * picture->unit, 0, &line);
    }
}

// Where a vertex of a body falls straight down on a half-space.
static pli_corner shadow_of(const pli_picture* picture, int plane, const pli_result_body* body,
                            int32_t vertex) {
    const pli_canvas* c = &picture->canvas;
    pli_point at = pli_ground_shadow(c, c->planes + 6 * plane, picture->camera.up,
                                     pli_canvas_point(c, body->vertices[vertex]));
    return (pli_corner){.at = {at.x, at.y, 0}};
}

// On the plane under the scene; it gets no darker where several fall. Those of rods and balls are
// as wide as they are.
static void draw_shadows(pli_picture* picture) {
    int floor = pli_ground_floor(&picture->canvas, picture->camera.up);
    if (floor < 0) return;
    pli_paint paint = pli_picture_paint(PLI_INK, PLI_INK, PLI_PICTURE_SHADOW);
    paint.alpha = 0.13F;
    paint.flat = true;
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* body = &picture->result->bodies[b];
        double width = fmax(2 * body->thickness * picture->canvas.scale, picture->unit);
        pli_corner p[3];
        for (int i = 0; i < body->triangle_count; ++i) {
            for (int k = 0; k < 3; ++k)
                p[k] = shadow_of(picture, floor, body, body->triangles[3 * (size_t)i + (size_t)k]);
            pli_raster_triangle(&picture->raster, p, &paint);
        }
        for (int i = 0; i < body->segment_count; ++i) {
            for (int k = 0; k < 2; ++k)
                p[k] = shadow_of(picture, floor, body, body->segments[2 * (size_t)i + (size_t)k]);
            pli_raster_line(&picture->raster, p, width, 0, &paint);
        }
        for (int i = 0; i < body->point_count; ++i) {
            p[0] = p[1] = shadow_of(picture, floor, body, body->points[i]);
            pli_raster_line(&picture->raster, p, fmax(width, 5 * picture->unit), 0, &paint);
        }
    }
}

// The solid side of a half-space in the plane as a square that is larger than the picture, with the
// ground line; `line`: that alone.
static void draw_half_plane(pli_picture* picture, int i, bool line) {
    const pli_canvas* c = &picture->canvas;
    const float* plane = c->planes + 6 * i;
    double on[3], nx = (double)plane[3], ny = -(double)plane[4]; // y goes down on the page
    pli_picture_place(picture, plane, on);
    double away = (c->width / 2 - on[0]) * -ny + (c->height / 2 - on[1]) * nx;
    double reach = c->width + c->height;
    double x = on[0] - away * ny, y = on[1] + away * nx; // near the middle of the picture
    pli_corner p[4] = {{{x - reach * ny, y + reach * nx, 0}, 1, 0},
                       {{x + reach * ny, y - reach * nx, 0}, 1, 0}};
    for (int k = 2; k < 4; ++k)
        p[k] = (pli_corner){
            {p[3 - k].at[0] - 3 * reach * nx, p[3 - k].at[1] - 3 * reach * ny, 0}, 1, 0};
    pli_paint paint = line ? pli_picture_paint("#6b7683", "#6b7683", PLI_PICTURE_GROUND)
                           : pli_picture_paint("#e6eaee", "#e6eaee", PLI_PICTURE_GROUND);
    paint.flat = true;
    if (line) {
        pli_raster_line(&picture->raster, p, 2.4 * picture->unit, 0, &paint);
        return;
    }
    pli_raster_triangle(&picture->raster, (pli_corner[3]){p[0], p[1], p[2]}, &paint);
    pli_raster_triangle(&picture->raster, (pli_corner[3]){p[0], p[2], p[3]}, &paint);
}

// ---- the picture

static void draw_space(pli_picture* picture) {
    const double veil = 0.4; // of obstacles before bodies
    const pli_result* result = picture->result;
    pli_ground_each(&picture->canvas, &picture->camera, true, draw_ground, picture);
    draw_shadows(picture);
    bool obstacles = false;
    for (int b = 0; b < result->body_count; ++b) {
        picture->raster.layer = result->bodies[b].obstacle;
        obstacles = obstacles || result->bodies[b].obstacle;
        pli_picture_draw_body(picture, b);
    }
    picture->raster.layer = 0;
    if (obstacles) pli_raster_merge(&picture->raster, PLI_PICTURE_BODY, veil);
    pli_ground_each(&picture->canvas, &picture->camera, false, draw_ground, picture);
}

static void draw_plane(pli_picture* picture) {
    for (int i = 0; i < picture->canvas.plane_count; ++i) draw_half_plane(picture, i, true);
    for (int i = 0; i < picture->canvas.plane_count; ++i) draw_half_plane(picture, i, false);
    for (int obstacle = 1; obstacle >= 0; --obstacle)
        for (int b = 0; b < picture->result->body_count; ++b)
            if (picture->result->bodies[b].obstacle == obstacle) pli_picture_draw_flat(picture, b);
}

void pli_picture_draw(pli_picture* picture, const pli_result_frame* frame) {
    float paper[3];
    pli_picture_colour("#fbfcfd", paper);
    see_all(picture, frame);
    pli_raster_clear(&picture->raster, paper);
    if (picture->result->dimension == 2)
        draw_plane(picture);
    else
        draw_space(picture);
    pli_raster_read(&picture->raster, picture->rgb);
}
