// Which part of the world exported pictures show. First some frames are looked at, so that all
// pictures show the same; then the points of each frame are turned into what the camera sees.
#include "export/export_film.h"

#include <math.h>

pli_status pli_framing_init(pli_framing* framing, pli_picture* picture, const pli_export_def* def,
                            pli_error* error) {
    *framing =
        (pli_framing){.picture = picture, .zoom = def->zoom > 0 ? def->zoom : 1, .at = def->at};
    return pli_framing_change(framing, error);
}

pli_status pli_framing_change(pli_framing* framing, pli_error* error) {
    pli_picture* picture = framing->picture;
    const pli_result* result = picture->result;
    pli_memory* memory = picture->memory;
    PLI_FREE(memory, framing->points, framing->size);
    size_t points = 3 * (size_t)result->vertex_count, planes = 6 * (size_t)result->half_space_count;
    framing->size = points + planes;
    PLI_TRY(PLI_ALLOC(memory, framing->points, framing->size, error));
    framing->planes = framing->points + points;
    picture->canvas.points = framing->points;
    picture->canvas.planes = framing->planes;
    return PLI_OK;
}

void pli_framing_free(pli_framing* framing) {
    if (framing->points) PLI_FREE(framing->picture->memory, framing->points, framing->size);
    *framing = (pli_framing){0};
}

// A vector or, from the origin, a place as the camera sees it. Plane scenes have no depth.
static void see(const pli_framing* f, const double v[3], bool place, float out[3]) {
    double from[3], seen[3];
    for (int k = 0; k < 3; ++k) from[k] = v[k] - (place ? f->origin[k] : 0);
    if (f->picture->result->dimension == 2) from[2] = 0;
    pli_camera_see(&f->picture->camera, from, seen);
    for (int k = 0; k < 3; ++k) out[k] = (float)seen[k];
}

void pli_framing_see(pli_framing* f, const pli_result_frame* frame) {
    const pli_result* result = f->picture->result;
    for (int i = 0; i < result->half_space_count; ++i) {
        double plane[6];
        pli_result_plane(result, i, frame->positions, plane);
        see(f, plane, true, f->planes + 6 * i);
        see(f, plane + 3, false, f->planes + 6 * i + 3);
    }
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i) {
            size_t v = 3 * (size_t)body->vertices[i];
            see(f, frame->positions + v, true, f->points + v);
        }
    }
}

// Floats keep about 7 digits: count them from the middle of the first frame.
static void choose_origin(pli_framing* f, const pli_result_frame* frame) {
    double sum[3] = {0};
    for (int v = 0; v < frame->vertex_count; ++v)
        for (int k = 0; k < 3; ++k)
            sum[k] += frame->positions[3 * (size_t)v + (size_t)k] / frame->vertex_count;
    for (int k = 0; k < 3; ++k) f->origin[k] = isfinite(sum[k]) ? sum[k] : 0;
}

void pli_framing_look(pli_framing* f, const pli_result_frame* frame) {
    const pli_result* result = f->picture->result;
    bool first = f->look_count++ == 0;
    if (first) choose_origin(f, frame);
    pli_framing_see(f, frame);
    if (first) pli_picture_find_creases(f->picture);
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i)
            for (int k = 0; k < 3; ++k) {
                double at = (double)f->points[3 * (size_t)body->vertices[i] + (size_t)k];
                low[k] = fmin(low[k], at - body->thickness);
                high[k] = fmax(high[k], at + body->thickness);
            }
    }
    for (int k = 0; k < 3; ++k) {
        if (first && k < 2) f->middle[k] = 0.5 * (low[k] + high[k]);
        f->low[k] = first ? low[k] : fmin(low[k], f->low[k]);
        f->high[k] = first ? high[k] : fmax(high[k], f->high[k]);
        if (k < 2) f->extent = fmax(f->extent, high[k] - low[k]);
    }
}

// Turns a scale and the point in the middle into what the canvas shows.
static void aim(pli_framing* f, double reserve, double x, double y, double scale) {
    pli_canvas* c = &f->picture->canvas;
    if (f->at) {
        float seen[3];
        see(f, f->at, true, seen);
        x = (double)seen[0];
        y = (double)seen[1];
    }
    c->scale = scale * f->zoom;
    double left = 0.5 * (c->width - reserve) / c->scale;
    c->low = (pli_point){x - left, y - 0.5 * c->height / c->scale};
    c->high = (pli_point){x - left + c->width / c->scale, y + 0.5 * c->height / c->scale};
}

// All frames' vertices with a margin; a body that flies off must not shrink to a dot, so at most
// ten times the largest frame is shown, around the first one's middle.
void pli_framing_settle(pli_framing* f, double reserve) {
    const double travel = 10, margin = 0.07;
    pli_canvas* c = &f->picture->canvas;
    double limit = travel * f->extent, extent = 0;
    for (int k = 0; k < 2; ++k) {
        double *low = &f->low[k], *high = &f->high[k];
        if (limit > 0 && *high - *low > limit) {
            *low = fmin(fmax(f->middle[k] - limit / 2, *low), *high - limit);
            *high = *low + limit;
        }
        extent = fmax(extent, *high - *low);
    }
    if (!(extent > 0) || !isfinite(extent)) extent = 1; // a single point at rest, or nothing
    double width = f->high[0] - f->low[0] + 2 * margin * extent;
    double height = f->high[1] - f->low[1] + 2 * margin * extent;
    double x = 0.5 * (f->low[0] + f->high[0]), y = 0.5 * (f->low[1] + f->high[1]);
    if (!isfinite(x + y)) x = y = 0, width = height = extent;
    aim(f, reserve, x, y, fmin((c->width - reserve) / width, c->height / height));
    c->near = f->high[2];
    c->far = f->low[2];
}
