// Thin parts of bodies in pictures of space: threads as smooth tubes, or as shaded lines where they
// are too thin for that; the borders of thick sheets.
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec.h"

// ---- threads

static const pli_picture_side* find_side(const pli_picture_body* body, int32_t p, int32_t q) {
    const int32_t ends[2] = {p < q ? p : q, p < q ? q : p};
    int low = 0, high = body->side_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const int32_t* at = body->sides[middle].ends;
        bool before = at[0] != ends[0] ? at[0] < ends[0] : at[1] < ends[1];
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == body->side_count) return NULL;
    const pli_picture_side* side = &body->sides[low];
    return side->ends[0] == ends[0] && side->ends[1] == ends[1] ? side : NULL;
}

// Adds a neighbour; the third one makes a knot, which has no direction.
static void join(int32_t (*joints)[2], int32_t vertex, int32_t other) {
    enum { NONE = -1, KNOT = -2 };
    int32_t* joint = joints[vertex];
    if (joint[0] == KNOT) return;
    if (joint[0] == NONE)
        joint[0] = other;
    else if (joint[1] == NONE)
        joint[1] = other;
    else
        joint[0] = joint[1] = KNOT;
}

pli_status pli_picture_find_threads(pli_picture* picture, int b, pli_error* error) {
    const pli_result_body* from = &picture->result->bodies[b];
    pli_picture_body* body = &picture->bodies[b];
    if (from->segment_count == 0) return PLI_OK;
    body->thread_room = 2 * (size_t)from->segment_count;
    body->joint_room = (size_t)from->vertex_count;
    pli_status status = PLI_ALLOC(picture->memory, body->threads, body->thread_room, error);
    if (status != PLI_OK) body->thread_room = 0;
    if (status == PLI_OK) {
        status = PLI_ALLOC(picture->memory, body->joints, body->joint_room, error);
        if (status != PLI_OK) body->joint_room = 0;
    }
    if (status != PLI_OK) return status;
    for (int v = 0; v < from->vertex_count; ++v) body->joints[v][0] = body->joints[v][1] = -1;
    for (int i = 0; i < from->segment_count; ++i) {
        const int32_t* ends = from->segments + 2 * (size_t)i;
        if (find_side(body, ends[0], ends[1])) continue; // the spring of a sheet
        for (int k = 0; k < 2; ++k) {
            body->threads[2 * (size_t)body->thread_count + (size_t)k] = ends[k];
            join(body->joints, ends[k], ends[1 - k]);
        }
        body->thread_count++;
    }
    return PLI_OK;
}

// From vertex p to q, in camera coordinates [m].
static void between(const pli_brush* b, int32_t p, int32_t q, double out[3]) {
    const float *x = pli_brush_point(b, p), *y = pli_brush_point(b, q);
    for (int k = 0; k < 3; ++k) out[k] = (double)y[k] - (double)x[k];
}

// The direction of the thread at a vertex: of the line between its neighbours, unless there is a
// kink. 0: none.
static void find_direction(const pli_brush* b, int32_t vertex, double along[3]) {
    const double smooth = 0.6; // cosine of the largest angle between segments
    const int32_t* joint = b->body->joints[vertex];
    double before[3], after[3];
    for (int k = 0; k < 3; ++k) along[k] = 0;
    if (joint[0] < 0 || joint[1] < 0) return;
    between(b, joint[0], vertex, before);
    between(b, vertex, joint[1], after);
    double lengths = pli_norm(before, 3) * pli_norm(after, 3);
    if (!(pli_dot(before, after, 3) > smooth * lengths)) return;
    for (int k = 0; k < 3; ++k) along[k] = before[k] + after[k];
    double length = pli_norm(along, 3);
    for (int k = 0; k < 3; ++k) along[k] /= length;
}

static pli_joint joint_of(const pli_brush* b, int32_t vertex) {
    pli_joint joint = {.value = pli_brush_value(b, vertex)};
    pli_picture_place(b->picture, pli_brush_point(b, vertex), joint.at);
    if (b->body->joints) find_direction(b, vertex, joint.along);
    return joint;
}

static void draw_tubes(const pli_brush* b) {
    for (int i = 0; i < b->body->thread_count; ++i) {
        const int32_t* v = b->body->threads + 2 * (size_t)i;
        pli_joint ends[2] = {joint_of(b, v[0]), joint_of(b, v[1])};
        double radius[2] = {b->radius * pli_brush_closer(b, v[0]),
                            b->radius * pli_brush_closer(b, v[1])};
        pli_raster_rod(&b->picture->raster, ends, 0.5 * (radius[0] + radius[1]), &b->fill);
        for (int k = 0; k < 2; ++k)
            pli_raster_ball(&b->picture->raster, &ends[k], radius[k], &b->fill);
    }
}

// The material director at a vertex, of length 1; false: none.
static bool find_director(const pli_brush* b, int32_t vertex, double n[3]) {
    const float* d = b->picture->directors + 3 * (size_t)b->from->vertices[vertex];
    for (int k = 0; k < 3; ++k) n[k] = (double)d[k];
    double length = pli_norm(n, 3);
    for (int k = 0; k < 3; ++k) n[k] /= length;
    return length > 0;
}

// The place on a tube that its director points to, at a part of the way between two vertices.
static pli_corner mark_at(const pli_brush* b, const int32_t v[2], double n[2][3], double part) {
    float at[3];
    double m[3];
    for (int k = 0; k < 3; ++k) m[k] = (1 - part) * n[0][k] + part * n[1][k];
    double length = fmax(pli_norm(m, 3), 1e-3); // directors that are opposite have no mean
    for (int k = 0; k < 3; ++k)
        at[k] = (float)((1 - part) * (double)pli_brush_point(b, v[0])[k] +
                        part * (double)pli_brush_point(b, v[1])[k] +
                        b->from->radius * pli_brush_closer(b, v[0]) * m[k] / length);
    pli_corner out = {.lit = 0.4 * fmax(0, m[2] / length)};
    pli_picture_place(b->picture, at, out.at);
    return out;
}

// A line along the first material director of each segment: it winds around a twisted tube.
static void draw_marks(const pli_brush* b) {
    enum { PARTS = 4 };
    pli_paint paint = b->edge;
    double width = fmax(0.5 * b->radius, b->picture->unit), lift = 0.3 * b->radius;
    paint.ramp = NULL;
    for (int i = 0; i < b->body->thread_count; ++i) {
        const int32_t* v = b->body->threads + 2 * (size_t)i;
        double n[2][3];
        if (!find_director(b, v[0], n[0]) || !find_director(b, v[1], n[1])) continue;
        for (int k = 0; k < PARTS; ++k) {
            const pli_corner ends[2] = {mark_at(b, v, n, (double)k / PARTS),
                                        mark_at(b, v, n, (double)(k + 1) / PARTS)};
            pli_raster_line(&b->picture->raster, ends, width, lift, &paint);
        }
    }
}

// The range of the threads towards the viewer [m].
static void find_depths(const pli_brush* b, double* far, double* near) {
    *far = HUGE_VAL, *near = -HUGE_VAL;
    for (int i = 0; i < 2 * b->body->thread_count; ++i) {
        double z = (double)pli_brush_point(b, b->body->threads[i])[2];
        *far = fmin(*far, z);
        *near = fmax(*near, z);
    }
}

// From 0 to 1, without a pattern.
static double scattered(int i) {
    uint32_t bits = (uint32_t)i * 2654435769u;
    bits ^= bits >> 15;
    return (double)(bits * 2246822519u >> 8) / (1 << 24);
}

// Too thin to show their shape: shaded by their direction, and darker behind, so that many of them
// have a depth. Strands (segments, each of which begins where the one before it ends) differ a
// little.
static void draw_lines(const pli_brush* b) {
    const double behind = 0.4, apart = 0.3; // darkening of the farthest, of strands
    int strand = 0;
    double unit = b->picture->unit, radius = b->from->radius * b->picture->canvas.scale, far, near;
    double width = radius > 0 ? fmax(2 * radius, unit) : 1.6 * unit;
    find_depths(b, &far, &near);
    for (int i = 0; i < b->body->thread_count; ++i) {
        const int32_t* v = b->body->threads + 2 * (size_t)i;
        pli_corner ends[2];
        double own[3];
        if (i > 0 && v[0] != v[-1]) strand++;
        double most = 1 - (strand > 0 ? apart * scattered(strand) : 0);
        between(b, v[0], v[1], own);
        for (int k = 0; k < 2; ++k) {
            pli_joint joint = joint_of(b, v[k]);
            bool smooth = pli_dot(joint.along, joint.along, 3) > 0;
            double z = (double)pli_brush_point(b, v[k])[2];
            double part = near > far ? (z - far) / (near - far) : 1;
            ends[k] = (pli_corner){.lit = pli_lit_thread(smooth ? joint.along : own) * most *
                                          (1 - behind + behind * part),
                                   .value = joint.value};
            for (int c = 0; c < 3; ++c) ends[k].at[c] = joint.at[c];
        }
        pli_raster_line(&b->picture->raster, ends, width, 0, &b->line);
    }
}

void pli_picture_draw_threads(const pli_brush* b) {
    if (b->radius > 0)
        draw_tubes(b);
    else
        draw_lines(b);
    if (b->radius > 0 && b->picture->directors) draw_marks(b);
}

// ---- thick sheets

// Round borders, and round outlines: between faces that show different sides there is a gap of the
// thickness.
void pli_picture_draw_rims(const pli_brush* b) {
    for (int i = 0; i < b->body->side_count && b->sheet > 0; ++i) {
        const pli_picture_side* side = &b->body->sides[i];
        bool border = side->beyond[1] < 0, outline = false;
        for (int k = 0; k < 2 && !border; ++k) {
            double n[3];
            pli_picture_normal(b->picture, b->from, side->beyond[k], n);
            outline = outline != ((n[2] > 0) != (side->turned && k == 1));
        }
        if (!border && !outline) continue;
        pli_joint ends[2] = {joint_of(b, side->ends[0]), joint_of(b, side->ends[1])};
        const pli_paint* paint = border ? &b->rim : &b->fill;
        for (int k = 0; k < 2; ++k) {
            for (int c = 0; c < 3; ++c) ends[k].along[c] = 0;
            pli_raster_ball(&b->picture->raster, &ends[k],
                            b->sheet * pli_brush_closer(b, side->ends[k]), paint);
        }
        pli_raster_rod(&b->picture->raster, ends, b->sheet * pli_brush_closer(b, side->ends[0]),
                       paint);
    }
}
