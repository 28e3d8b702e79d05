// Pictures of bodies: memory, colours, drawing order.
#include "render/picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "render/raster.h"

pli_status pli_picture_init(pli_picture* picture, pli_memory* memory, const pli_result* result,
                            const pli_camera* camera, pli_picture_size size, pli_error* error) {
    *picture = (pli_picture){.memory = memory,
                             .result = result,
                             .camera = *camera,
                             .unit = fmax(0.8, fmin(size.width, size.height) / 480.0)};
    picture->canvas = (pli_canvas){.dim = 3, .width = size.width, .height = size.height};
    pli_status status;
    picture->rgb_size = 3 * (size_t)size.width * (size_t)size.height;
    PLI_TRY_CLEANUP(status, pli_picture_change(picture, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, picture->rgb, picture->rgb_size, error));
    PLI_TRY_CLEANUP(status,
                    pli_raster_init(&picture->raster, memory, size.width, size.height, error));
    if (result->dimension == 3) PLI_TRY_CLEANUP(status, pli_picture_make_shade(picture, error));
    return PLI_OK;
cleanup:
    pli_picture_free(picture);
    return status;
}

static void free_bodies(pli_picture* picture) {
    pli_memory* memory = picture->memory;
    for (int b = 0; b < picture->body_count && picture->bodies; ++b) {
        pli_picture_body* body = &picture->bodies[b];
        PLI_FREE(memory, body->sides, body->side_room);
        PLI_FREE(memory, body->threads, body->thread_room);
        PLI_FREE(memory, body->joints, body->joint_room);
    }
    PLI_FREE(memory, picture->bodies, picture->body_count);
    PLI_FREE(memory, picture->normals, picture->normal_room);
}

pli_status pli_picture_change(pli_picture* picture, pli_error* error) {
    const pli_result* result = picture->result;
    free_bodies(picture);
    picture->canvas.plane_count = result->half_space_count;
    picture->body_count = result->body_count;
    picture->normal_room = 0;
    for (int b = 0; b < result->body_count; ++b)
        picture->normal_room = pli_max_int(picture->normal_room, result->bodies[b].vertex_count);
    PLI_TRY(PLI_ALLOC(picture->memory, picture->bodies, result->body_count, error));
    PLI_TRY(PLI_ALLOC(picture->memory, picture->normals, picture->normal_room, error));
    return pli_picture_find_sides(picture, error);
}

void pli_picture_free(pli_picture* picture) {
    pli_memory* memory = picture->memory;
    if (!memory) return;
    free_bodies(picture);
    PLI_FREE(memory, picture->rgb, picture->rgb_size);
    PLI_FREE(memory, picture->shade, picture->shade_room);
    pli_raster_free(&picture->raster);
    *picture = (pli_picture){0};
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

// ---- the picture

static void draw_space(pli_picture* picture) {
    const double veil = 0.4; // opacity of obstacles in front of bodies
    const pli_result* result = picture->result;
    pli_picture_draw_grounds(picture, true);
    pli_picture_draw_shadows(picture);
    bool obstacles = false;
    for (int b = 0; b < result->body_count; ++b) {
        picture->raster.layer = result->bodies[b].obstacle;
        obstacles = obstacles || result->bodies[b].obstacle;
        pli_picture_draw_body(picture, b);
    }
    picture->raster.layer = 0;
    pli_picture_shade(picture);
    if (obstacles) pli_raster_merge(&picture->raster, PLI_PICTURE_BODY, veil);
    pli_picture_draw_grounds(picture, false);
}

static void draw_plane(pli_picture* picture) {
    pli_picture_draw_half_planes(picture);
    for (int obstacle = 1; obstacle >= 0; --obstacle)
        for (int b = 0; b < picture->result->body_count; ++b)
            if (picture->result->bodies[b].obstacle == obstacle) pli_picture_draw_flat(picture, b);
}

void pli_picture_draw(pli_picture* picture) {
    float paper[3];
    pli_picture_colour("#fbfcfd", paper);
    pli_raster_clear(&picture->raster, paper);
    if (picture->result->dimension == 2)
        draw_plane(picture);
    else
        draw_space(picture);
    pli_raster_read(&picture->raster, picture->rgb);
}

// ---- bodies

// Bodies in pictures of a result: faces with smooth shading between sharp edges, dark edges and
// outlines, the edges of the mesh where there is room; points as balls. Segments and borders of
// sheets are in picture_thin.c.

static const double room_for_sides = 8;  // minimum mean length of visible mesh edges, in units
static const double room_for_joints = 7; // likewise of segments
static const double room_for_rims = 1.8; // radius of a sheet whose borders need no lines, in units
static const double least_radius = 1.5;  // minimum radius to be drawn with thickness [px]
static const double least_sheet = 0.6;   // likewise of a sheet
static const char back_tint[] = "#f2efe9"; // mixed into the back side of sheets

static pli_brush brush_for(pli_picture* picture, int b, bool flat) {
    const pli_result_body* from = &picture->result->bodies[b];
    const pli_colour* colour = from->obstacle ? pli_colour_plain() : pli_colour_of(from->number);
    int kind = from->obstacle ? PLI_PICTURE_OBSTACLE : PLI_PICTURE_BODY;
    char line[8];
    pli_colour_mix(colour->fill, colour->edge, 0.35, line);
    pli_brush out = {.picture = picture,
                     .from = from,
                     .body = &picture->bodies[b],
                     .fill = pli_picture_paint(colour->edge, colour->fill, kind),
                     .side = pli_picture_paint(colour->edge, line, kind),
                     .edge = pli_picture_paint(colour->edge, colour->edge, kind),
                     .radius = from->radius * picture->canvas.scale};
    char lining[8], deep[8];
    pli_colour_mix(colour->fill, back_tint, 0.5, lining);
    pli_colour_mix(colour->edge, back_tint, 0.35, deep);
    out.back = pli_picture_paint(deep, lining, kind);
    out.rim = pli_picture_paint(colour->edge, line, kind);
    if (!out.body->closed && out.radius > least_sheet) out.sheet = out.radius;
    if (!(out.radius > least_radius)) out.radius = 0;
    if (picture->values && !from->obstacle) {
        pli_paint* const all[] = {&out.fill, &out.side, &out.edge, &out.back, &out.rim};
        static const float dims[] = {1, 0.72F, 0.4F, 0.86F, 0.8F};
        for (int i = 0; i < 5; ++i) {
            all[i]->ramp = picture->ramp;
            all[i]->dim = dims[i];
        }
    }
    out.fill.flat = out.side.flat = out.edge.flat = flat;
    out.line = flat && !out.fill.ramp ? out.edge : out.fill;
    return out;
}

static pli_corner corner_of(const pli_brush* b, int32_t vertex, double lit) {
    pli_corner corner = {.lit = lit, .value = pli_brush_value(b, vertex)};
    pli_picture_place(b->picture, pli_brush_point(b, vertex), corner.at);
    return corner;
}

// Edges over the folds of a sheet look like noise: it needs more room.
static bool shows_sides(const pli_brush* b, bool space) {
    double room = space && !b->body->closed ? 4 * room_for_sides : room_for_sides;
    return b->body->length * b->picture->canvas.scale >= room * b->picture->unit;
}

// ---- faces

// Vertex normals: those of the adjacent faces, weighted by their angles there, so that the
// subdivision of a flat part does not matter.
static void find_normals(const pli_brush* b) {
    const pli_result_body* from = b->from;
    double(*normals)[3] = b->picture->normals;
    memset(normals, 0, (size_t)from->vertex_count * sizeof *normals);
    for (int32_t t = 0; t < from->triangle_count; ++t) {
        const int32_t* v = from->triangles + 3 * (size_t)t;
        double n[3];
        pli_picture_normal(b->picture, from, t, n);
        for (int k = 0; k < 3; ++k) {
            const float *p = pli_brush_point(b, v[k]), *q = pli_brush_point(b, v[(k + 1) % 3]);
            const float* r = pli_brush_point(b, v[(k + 2) % 3]);
            double x[3], y[3];
            for (int c = 0; c < 3; ++c) {
                x[c] = (double)q[c] - (double)p[c];
                y[c] = (double)r[c] - (double)p[c];
            }
            double lengths = pli_norm(x, 3) * pli_norm(y, 3);
            double cosine = lengths > 0 ? pli_dot(x, y, 3) / lengths : 1;
            pli_axpy(acos(fmin(fmax(cosine, -1), 1)), n, normals[v[k]], 3);
        }
    }
}

// Brightness of a face at one of its corners: by the vertex normal, unless it deviates much from
// the face normal, as at a sharp edge.
static double lit_at(const pli_brush* b, int32_t vertex, const double face[3]) {
    const double sharp = b->body->closed || b->body->folded ? 0.8 : 0.35;
    const double* sum = b->picture->normals[vertex];
    double length = pli_norm(sum, 3), n[3];
    bool smooth = length > 0 && pli_dot(sum, face, 3) > sharp * length;
    for (int k = 0; k < 3; ++k) n[k] = smooth ? sum[k] / length : face[k];
    // The visible side is that of the face, even where the vertex normal already points away.
    if (n[2] * face[2] <= 0) n[2] = copysign(1e-9, face[2]);
    return pli_lit(n, !b->body->closed);
}

// Moves a corner of a thick sheet to the surface on the visible side.
static void raise(const pli_brush* b, int32_t vertex, const double face[3], pli_corner* corner) {
    const double* sum = b->picture->normals[vertex];
    double length = pli_norm(sum, 3), dot = pli_dot(sum, face, 3);
    const double* n = dot > 0.3 * length ? sum : face;
    double away = (face[2] < 0 ? -1 : 1) * b->sheet / (n == sum ? length : 1);
    corner->at[0] += away * n[0];
    corner->at[1] -= away * n[1];
    corner->at[2] += away * n[2];
}

static void draw_faces(const pli_brush* b) {
    find_normals(b);
    for (int32_t t = 0; t < b->from->triangle_count; ++t) {
        const int32_t* v = b->from->triangles + 3 * (size_t)t;
        double n[3];
        pli_corner corners[3];
        pli_picture_normal(b->picture, b->from, t, n);
        if (b->body->closed && b->fill.alpha >= 1 && n[2] < 0) continue; // faces away, hidden
        for (int k = 0; k < 3; ++k) {
            corners[k] = corner_of(b, v[k], lit_at(b, v[k], n));
            if (b->sheet > 0) raise(b, v[k], n, &corners[k]);
        }
        bool behind = !b->body->closed && n[2] < 0;
        pli_raster_triangle(&b->picture->raster, corners, behind ? &b->back : &b->fill);
    }
}

// A sharp edge or outline is dark; other mesh edges are drawn if there is room. Edges between faces
// of a closed body that both face away are hidden.
static void draw_sides(const pli_brush* b) {
    double unit = b->picture->unit;
    bool all = shows_sides(b, true);
    for (int i = 0; i < b->body->side_count; ++i) {
        const pli_picture_side* side = &b->body->sides[i];
        double n[2][3] = {{0}}, lit = 0;
        for (int k = 0; k < 2; ++k) {
            pli_picture_normal(b->picture, b->from, side->beyond[side->beyond[1] < 0 ? 0 : k],
                               n[k]);
            lit += 0.5 * pli_lit(n[k], !b->body->closed);
        }
        if (side->turned)
            for (int k = 0; k < 3; ++k) n[1][k] = -n[1][k];
        bool dark = side->crease || (n[0][2] > 0) != (n[1][2] > 0);
        if ((!dark && !all) || (b->body->closed && n[0][2] <= 0 && n[1][2] <= 0)) continue;
        if (dark && b->sheet > room_for_rims * unit) continue; // its round rim is enough
        pli_corner ends[2] = {corner_of(b, side->ends[0], lit), corner_of(b, side->ends[1], lit)};
        for (int k = 0; k < 2 && b->sheet > 0 && !dark; ++k)
            raise(b, side->ends[k], n[0], &ends[k]);
        double width = (dark ? 0.9 : 0.5) * unit, lift = (dark ? 1.6 : 0.8) * unit;
        // A face may rise by a few pixels over the width of the line.
        pli_raster_line(&b->picture->raster, ends, width, lift + (dark ? b->sheet : 0),
                        dark ? &b->edge : &b->side);
    }
}

// ---- segments and points

static double segment_width(const pli_brush* b) { return 1.6 * b->picture->unit; }

static void draw_points(const pli_brush* b) {
    double radius = b->radius > 0 ? b->radius : 2.5 * b->picture->unit;
    for (int i = 0; i < b->from->point_count; ++i) {
        pli_joint at = {.value = pli_brush_value(b, b->from->points[i])};
        pli_picture_place(b->picture, pli_brush_point(b, b->from->points[i]), at.at);
        pli_raster_ball(&b->picture->raster, &at, radius * pli_brush_closer(b, b->from->points[i]),
                        &b->fill);
    }
}

void pli_picture_draw_body(pli_picture* picture, int body) {
    pli_brush b = brush_for(picture, body, false);
    draw_faces(&b);
    draw_sides(&b);
    pli_picture_draw_rims(&b);
    pli_picture_draw_threads(&b);
    draw_points(&b);
}

// ---- in the plane

// A line or, with the same ends, a disc.
static void draw_stroke(const pli_brush* b, int32_t from, int32_t to, double width,
                        const pli_paint* paint) {
    pli_corner ends[2] = {corner_of(b, from, 1), corner_of(b, to, 1)};
    pli_raster_line(&b->picture->raster, ends, width, 0, paint);
}

// Borders, segments and points, as thick as in contact.
static void draw_halo(const pli_brush* b, double width, const pli_paint* paint) {
    for (int i = 0; i < b->body->side_count; ++i) {
        const pli_picture_side* side = &b->body->sides[i];
        if (side->beyond[1] < 0) draw_stroke(b, side->ends[0], side->ends[1], width, paint);
    }
    for (int i = 0; i < b->from->segment_count; ++i)
        draw_stroke(b, b->from->segments[2 * i], b->from->segments[2 * i + 1], width, paint);
    for (int i = 0; i < b->from->point_count; ++i)
        draw_stroke(b, b->from->points[i], b->from->points[i], width, paint);
}

static void draw_areas(const pli_brush* b) {
    bool all = shows_sides(b, false);
    for (int32_t t = 0; t < b->from->triangle_count; ++t) {
        const int32_t* v = b->from->triangles + 3 * (size_t)t;
        pli_corner corners[3];
        for (int k = 0; k < 3; ++k) corners[k] = corner_of(b, v[k], 1);
        pli_raster_triangle(&b->picture->raster, corners, &b->fill);
    }
    for (int dark = 0; dark < 2; ++dark)
        for (int i = 0; i < b->body->side_count; ++i) {
            const pli_picture_side* side = &b->body->sides[i];
            if (dark != (side->beyond[1] < 0) || (!dark && !all)) continue;
            draw_stroke(b, side->ends[0], side->ends[1], (dark ? 1.4 : 0.5) * b->picture->unit,
                        dark ? &b->edge : &b->side);
        }
}

// Segments of thin bodies, with joints where there is room for them.
static void draw_thin(const pli_brush* b) {
    double width = segment_width(b), unit = b->picture->unit;
    for (int i = 0; i < b->from->segment_count; ++i) {
        const int32_t* v = b->from->segments + 2 * (size_t)i;
        pli_corner p = corner_of(b, v[0], 1), q = corner_of(b, v[1], 1);
        double length = hypot(q.at[0] - p.at[0], q.at[1] - p.at[1]);
        draw_stroke(b, v[0], v[1], width, &b->line);
        for (int k = 0; k < 2 && length > room_for_joints * unit && b->radius == 0; ++k)
            draw_stroke(b, v[k], v[k], 2.5 * width, &b->line);
    }
    for (int i = 0; i < b->from->point_count; ++i)
        draw_stroke(b, b->from->points[i], b->from->points[i], 5 * unit, &b->line);
}

void pli_picture_draw_flat(pli_picture* picture, int body) {
    pli_brush b = brush_for(picture, body, true);
    if (b.radius > 0) {
        draw_halo(&b, 2 * b.radius, &b.edge);
        draw_halo(&b, 2 * b.radius - 2 * picture->unit, &b.fill);
    }
    draw_areas(&b);
    draw_thin(&b);
}

// ---- mesh edges: found once by sorting, so that borders, sharp edges and outlines can be drawn
// dark

// By ends, then by triangle: a deterministic order.
static int by_ends(const void* a, const void* b) {
    const pli_picture_side *p = a, *q = b;
    for (int k = 0; k < 2; ++k)
        if (p->ends[k] != q->ends[k]) return p->ends[k] < q->ends[k] ? -1 : 1;
    return (p->beyond[0] > q->beyond[0]) - (p->beyond[0] < q->beyond[0]);
}

// Three edges per triangle; `turned` is here whether it runs from the higher to the lower vertex.
static void list_sides(const pli_result_body* body, pli_picture_side* sides) {
    for (int32_t t = 0; t < body->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t* v = body->triangles + 3 * (size_t)t;
            int32_t a = v[k], b = v[(k + 1) % 3];
            *sides++ = (pli_picture_side){
                .ends = {a < b ? a : b, a < b ? b : a}, .beyond = {t, -1}, .turned = a > b};
        }
}

// Entries with the same ends are merged, with the first two triangles; more than two make a crease.
static void merge_sides(pli_picture_body* body, int count) {
    pli_picture_side* sides = body->sides;
    body->closed = count > 0;
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count; ++end)
            if (sides[end].ends[0] != sides[i].ends[0] || sides[end].ends[1] != sides[i].ends[1])
                break;
        pli_picture_side side = sides[i];
        side.crease = end - i != 2;
        side.turned = end - i >= 2 && sides[i].turned == sides[i + 1].turned;
        if (end - i >= 2) side.beyond[1] = sides[i + 1].beyond[0];
        if (side.crease || side.turned) body->closed = false;
        sides[body->side_count++] = side;
    }
}

pli_status pli_picture_find_sides(pli_picture* picture, pli_error* error) {
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* from = &picture->result->bodies[b];
        pli_picture_body* body = &picture->bodies[b];
        size_t count = 3 * (size_t)from->triangle_count;
        PLI_TRY(PLI_ALLOC(picture->memory, body->sides, count, error));
        body->side_room = count;
        list_sides(from, body->sides);
        if (count > 0) qsort(body->sides, count, sizeof *body->sides, by_ends);
        merge_sides(body, (int)count);
        PLI_TRY(pli_picture_find_threads(picture, b, error));
    }
    return PLI_OK;
}

void pli_picture_normal(const pli_picture* picture, const pli_result_body* body, int32_t t,
                        double n[3]) {
    const float* p[3];
    double a[3], b[3];
    for (int k = 0; k < 3; ++k)
        p[k] = picture->canvas.points +
               3 * (size_t)body->vertices[body->triangles[3 * (size_t)t + (size_t)k]];
    for (int k = 0; k < 3; ++k) {
        a[k] = (double)p[1][k] - (double)p[0][k];
        b[k] = (double)p[2][k] - (double)p[0][k];
    }
    pli_cross3(a, b, n);
    double length = pli_norm(n, 3);
    for (int k = 0; k < 3; ++k) n[k] = length > 0 ? n[k] / length : 0;
}

static void find_creases_of(pli_picture* picture, int b) {
    const double sharp = 0.8; // cosine of the angle between normals
    const pli_result_body* from = &picture->result->bodies[b];
    pli_picture_body* body = &picture->bodies[b];
    double sum = 0;
    for (int i = 0; i < body->side_count; ++i) {
        pli_picture_side* side = &body->sides[i];
        const float* p = picture->canvas.points + 3 * (size_t)from->vertices[side->ends[0]];
        const float* q = picture->canvas.points + 3 * (size_t)from->vertices[side->ends[1]];
        double d[3], n[2][3];
        for (int k = 0; k < 3; ++k) d[k] = (double)q[k] - (double)p[k];
        sum += pli_norm(d, 3);
        if (side->crease) continue;
        for (int k = 0; k < 2; ++k) pli_picture_normal(picture, from, side->beyond[k], n[k]);
        side->crease = pli_dot(n[0], n[1], 3) * (side->turned ? -1 : 1) < sharp;
        body->folded = body->folded || side->crease;
    }
    body->length = body->side_count > 0 ? sum / body->side_count : 0;
}

void pli_picture_find_creases(pli_picture* picture) {
    for (int b = 0; b < picture->result->body_count; ++b) find_creases_of(picture, b);
}
