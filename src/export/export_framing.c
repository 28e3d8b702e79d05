// The part of the world that exported pictures show: see pli_framing in export_film.h.
#include "export/export_film.h"

#include <math.h>
#include <string.h>

static const double RADIANS = 3.14159265358979323846 / 180;

// The camera that was asked for, instead of that of the scene.
static void take_camera(pli_shot* shot, const double camera[7]) {
    (void)pli_shot_read(NULL, shot, NULL);
    for (int k = 0; k < 3; ++k) {
        shot->at.from[k] = camera[k];
        shot->at.to[k] = camera[3 + k];
    }
    shot->at.field_of_view = camera[6];
}

pli_status pli_framing_init(pli_framing* framing, pli_picture* picture, const pli_export_def* def,
                            pli_camera_place place, pli_error* error) {
    const json_t* info = picture->result->info;
    *framing = (pli_framing){.picture = picture,
                             .place = place,
                             .zoom = def->zoom > 0 ? def->zoom : 1,
                             .at = def->at,
                             .start = pli_frame_nothing};
    PLI_TRY(pli_shot_read(json_object_get(info, "camera"), &framing->shot, error));
    if (def->camera) take_camera(&framing->shot, def->camera);
    return pli_framing_change(framing, error);
}

static void free_boxes(pli_framing* f) {
    PLI_FREE(f->picture->memory, f->boxes, f->body_room);
    PLI_FREE(f->picture->memory, f->scratch, f->body_room);
    f->body_room = 0;
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
    free_boxes(framing);
    framing->body_room = result->body_count;
    PLI_TRY(PLI_ALLOC(memory, framing->boxes, framing->body_room, error));
    return PLI_ALLOC(memory, framing->scratch, framing->body_room, error);
}

void pli_framing_free(pli_framing* framing) {
    if (!framing->picture) return;
    if (framing->points) PLI_FREE(framing->picture->memory, framing->points, framing->size);
    free_boxes(framing);
    *framing = (pli_framing){0};
}

// ---- boxes

// A vector or, relative to the origin, a point in camera coordinates. Plane scenes have no depth.
static void see(const pli_framing* f, const double v[3], bool place, double seen[3]) {
    double from[3];
    for (int k = 0; k < 3; ++k) from[k] = v[k] - (place ? f->origin[k] : 0);
    if (f->picture->result->dimension == 2) from[2] = 0;
    pli_camera_see(&f->picture->camera, from, seen);
}

// The boxes of all bodies, along the axes of the camera (`seen`) or of the world.
static void find_boxes(pli_framing* f, const pli_result_frame* frame, bool seen) {
    const pli_result* result = f->picture->result;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        pli_frame_box* box = &f->boxes[b];
        *box = pli_frame_nothing;
        box->obstacle = body->obstacle;
        for (int i = 0; i < body->vertex_count; ++i) {
            const double* x = frame->positions + 3 * (size_t)body->vertices[i];
            double at[3] = {x[0], x[1], x[2]};
            if (seen) see(f, x, true, at);
            pli_frame_extend(box, at, body->radius);
        }
    }
}

static pli_frame_box frame_now(pli_framing* f) {
    return pli_camera_frame(f->boxes, f->picture->result->body_count, &f->start, f->scratch);
}

// The middle of what is followed, in the world. False: nobody, or it is not there.
static bool find_followed(pli_framing* f, const pli_result_frame* frame, double middle[3]) {
    const pli_result* result = f->picture->result;
    if (!*f->shot.follow) return false;
    find_boxes(f, frame, false);
    pli_frame_box box = pli_frame_nothing;
    if (strcmp(f->shot.follow, "*") == 0)
        box = pli_camera_frame(f->boxes, result->body_count, &pli_frame_nothing, f->scratch);
    for (int b = 0; b < result->body_count; ++b)
        if (strcmp(result->bodies[b].name, f->shot.follow) == 0) pli_frame_join(&box, &f->boxes[b]);
    if (!(box.low[0] <= box.high[0])) return false;
    for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (box.low[k] + box.high[k]);
    return true;
}

// How far what is followed has moved since the first frame [m].
static void find_shift(pli_framing* f, const pli_result_frame* frame, double shift[3]) {
    double now[3];
    bool found = find_followed(f, frame, now);
    for (int k = 0; k < 3; ++k) shift[k] = found ? now[k] - f->anchor[k] : 0;
}

// ---- the first pass

// Floats have about 7 digits: coordinates are relative to the middle of the first frame.
static void choose_origin(pli_framing* f, const pli_result_frame* frame) {
    double sum[3] = {0};
    for (int v = 0; v < frame->vertex_count; ++v)
        for (int k = 0; k < 3; ++k)
            sum[k] += frame->positions[3 * (size_t)v + (size_t)k] / frame->vertex_count;
    for (int k = 0; k < 3; ++k) f->origin[k] = isfinite(sum[k]) ? sum[k] : 0;
}

static void turn(pli_framing* f, double time) {
    const pli_result* result = f->picture->result;
    pli_view_point at = pli_shot_at(&f->shot, time);
    if (f->place.given) at.from[0] = NAN; // the direction was asked for
    f->picture->camera = pli_camera_toward(result->dimension, result->gravity, &at, f->place);
}

static void write_points(pli_framing* f, const pli_result_frame* frame);

void pli_framing_look(pli_framing* f, const pli_result_frame* frame) {
    bool first = f->looks.count == 0;
    double shift[3], moved[3];
    if (first) {
        choose_origin(f, frame);
        turn(f, frame->time);
        find_followed(f, frame, f->anchor);
        write_points(f, frame);
        pli_picture_find_creases(f->picture);
    }
    find_shift(f, frame, shift);
    pli_camera_see(&f->picture->camera, shift, moved);
    find_boxes(f, frame, true);
    pli_frame_box box = frame_now(f);
    if (first) f->start = box;
    for (int k = 0; k < 3; ++k) {
        box.low[k] -= moved[k];
        box.high[k] -= moved[k];
    }
    pli_frame_looks_add(&f->looks, &box);
}

void pli_framing_settle(pli_framing* f, double reserve) { f->reserve = reserve; }

// ---- the camera of a frame

// Width and height of the range with a margin, so that one of both fills the picture [m].
static void find_size(const pli_frame_box* range, double size[2]) {
    const double margin = 0.07;
    double extent = 0;
    for (int k = 0; k < 2; ++k) extent = fmax(extent, range->high[k] - range->low[k]);
    if (!(extent > 0) || !isfinite(extent)) extent = 1; // a single point at rest, or nothing
    for (int k = 0; k < 2; ++k) size[k] = range->high[k] - range->low[k] + 2 * margin * extent;
}

// The distance from which all of a box is in the picture: a corner (x, y, z) from the middle needs
// z + |y| / tan(angle / 2), and likewise across.
static double fitting_distance(const pli_framing* f, const pli_frame_box* range,
                               const double size[2], double slope) {
    const pli_canvas* c = &f->picture->canvas;
    double depth = 0.5 * (range->high[2] - range->low[2]);
    double across = slope * (c->width - f->reserve) / c->height;
    return depth + fmax(0.5 * size[1] / slope, 0.5 * size[0] / across);
}

// Sets scale, range and eye of the canvas: `middle` in camera coordinates.
static void aim(pli_framing* f, const double middle[3], double height, double distance) {
    pli_canvas* c = &f->picture->canvas;
    c->scale = c->height / height * f->zoom;
    double left = 0.5 * (c->width - f->reserve) / c->scale;
    c->low = (pli_point){middle[0] - left, middle[1] - 0.5 * c->height / c->scale};
    c->high =
        (pli_point){middle[0] - left + c->width / c->scale, middle[1] + 0.5 * c->height / c->scale};
    c->distance = distance;
    c->eye[0] = middle[0];
    c->eye[1] = middle[1];
    c->eye[2] = middle[2] + distance;
}

static double distance_between(const double a[3], const double b[3]) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sqrt(sum); // NaN: one of them is not given
}

static void set_camera(pli_framing* f, const pli_result_frame* frame) {
    pli_canvas* c = &f->picture->canvas;
    pli_frame_box range = pli_frame_looks_range(&f->looks);
    pli_view_point at = pli_shot_at(&f->shot, frame->time);
    double shift[3], moved[3], middle[3], size[2], slope = tan(0.5 * RADIANS * at.field_of_view);
    turn(f, frame->time);
    find_shift(f, frame, shift);
    pli_camera_see(&f->picture->camera, shift, moved);
    find_size(&range, size);
    const double* to = f->at ? f->at : isfinite(at.to[0] + at.to[1] + at.to[2]) ? at.to : NULL;
    if (to)
        see(f, to, true, middle);
    else
        for (int k = 0; k < 3; ++k) middle[k] = 0.5 * (range.low[k] + range.high[k]);
    if (to != f->at || !to)
        for (int k = 0; k < 3; ++k) middle[k] += moved[k];
    if (!isfinite(middle[0] + middle[1] + middle[2])) memset(middle, 0, sizeof middle);
    double height = fmax(size[1], size[0] * c->height / (c->width - f->reserve)), distance = 0;
    if (!f->shot.orthographic && !f->place.flat && f->picture->result->dimension == 3) {
        double given = distance_between(at.from, at.to);
        distance = given > 0 ? given : fitting_distance(f, &range, size, slope);
        height = 2 * slope * distance;
    } else if (at.height > 0) {
        height = at.height;
    }
    aim(f, middle, height, distance);
    c->near = range.high[2] + moved[2];
    c->far = range.low[2] + moved[2];
}

static void write_points(pli_framing* f, const pli_result_frame* frame) {
    const pli_canvas* c = &f->picture->canvas;
    const pli_result* result = f->picture->result;
    double at[3];
    for (int i = 0; i < result->half_space_count; ++i) {
        double plane[6];
        pli_result_plane(result, i, frame->positions, plane);
        for (int part = 0; part < 2; ++part) {
            see(f, plane + 3 * part, part == 0, at);
            for (int k = 0; k < 3; ++k) f->planes[6 * i + 3 * part + k] = (float)at[k];
        }
    }
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int i = 0; i < body->vertex_count; ++i) {
            size_t v = 3 * (size_t)body->vertices[i];
            see(f, frame->positions + v, true, at);
            pli_canvas_map(c, at);
            for (size_t k = 0; k < 3; ++k) f->points[v + k] = (float)at[k];
        }
    }
}

void pli_framing_see(pli_framing* f, const pli_result_frame* frame) {
    set_camera(f, frame);
    write_points(f, frame);
}
