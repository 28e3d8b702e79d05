// Light that depends on the surroundings, over the drawn bodies of a picture in space: ambient
// occlusion from the depths of the picture [McGuire12], and shadows of bodies on bodies, from
// straight above as those on the ground, by a map of depths seen from there. Both only darken what
// is drawn.
#include "render/picture.h"

#include <math.h>

#include "math/vec.h"

enum { MAP = 512, TAPS = 12 };

typedef struct shade {
    pli_picture* picture;
    int width, height;
    float* dark;         // of pixels: 0 nothing, 1 all
    float* map;          // MAP x MAP: the height of what is highest, -HUGE_VALF: nothing
    double across[2][3]; // axes of the map, in camera coordinates
    double low[2], size; // of the map [m]
} shade;

// ---- pixels

static double depth_at(const shade* s, int i, int j) {
    if (i < 0 || j < 0 || i >= s->width || j >= s->height) return -HUGE_VAL;
    const pli_sample* sample = pli_raster_sample(&s->picture->raster, i, j);
    return sample->kind == PLI_PICTURE_BODY ? (double)sample->z : -HUGE_VAL;
}

// The difference to the nearer of both neighbours: across an outline the other one is none.
static double slope_at(const shade* s, int i, int j, int di, int dj, double z) {
    double a = depth_at(s, i + di, j + dj) - z, b = z - depth_at(s, i - di, j - dj);
    double slope = fabs(a) < fabs(b) ? a : b;
    return isfinite(slope) ? slope : 0;
}

// In pixels: right, up, towards the viewer.
static void normal_at(const shade* s, int i, int j, double z, double n[3]) {
    n[0] = -slope_at(s, i, j, 1, 0, z);
    n[1] = slope_at(s, i, j, 0, 1, z);
    n[2] = 1;
    double length = pli_norm(n, 3);
    for (int k = 0; k < 3; ++k) n[k] /= length;
}

// ---- ambient occlusion: how far the surroundings rise above the tangent plane, over a spiral

static double occlusion_at(const shade* s, int i, int j, double z, const double n[3]) {
    const double golden = 2.39996322972865332, bias = 0.1, strength = 1.8;
    double radius = 0.055 * pli_min_int(s->width, s->height), sum = 0;
    double start = ((i & 3) + 4 * (j & 3)) * (golden / 7); // a pattern of 4 x 4 pixels
    for (int t = 0; t < TAPS; ++t) {
        double r = radius * sqrt((t + 0.5) / TAPS), x = r * cos(start + golden * t);
        double y = r * sin(start + golden * t);
        double there = depth_at(s, i + (int)lround(x), j - (int)lround(y));
        if (!isfinite(there)) continue;
        double v[3] = {x, y, there - z}, square = pli_dot(v, v, 3);
        double fall = fmax(0, 1 - square / (radius * radius));
        sum += fall * fmax(0, pli_dot(v, n, 3) / sqrt(square + 1) - bias);
    }
    return fmin(1, strength * sum / TAPS);
}

// ---- shadows

// A point of the picture in camera coordinates, without perspective.
static void point_of(const shade* s, double x, double y, double z, double p[3]) {
    const pli_canvas* c = &s->picture->canvas;
    p[0] = c->low.x + x / c->scale;
    p[1] = c->high.y - y / c->scale;
    p[2] = z / c->scale;
    pli_canvas_unmap(c, p);
}

static void map_place(const shade* s, const double p[3], double at[3]) {
    for (int k = 0; k < 2; ++k) at[k] = (pli_dot(s->across[k], p, 3) - s->low[k]) / s->size * MAP;
    at[2] = pli_dot(s->picture->camera.up, p, 3);
}

static void map_triangle(shade* s, double c[3][3]) {
    double area =
        (c[1][0] - c[0][0]) * (c[2][1] - c[0][1]) - (c[1][1] - c[0][1]) * (c[2][0] - c[0][0]);
    if (!(fabs(area) > 1e-12) || !isfinite(area + c[0][2] + c[1][2] + c[2][2])) return;
    int low[2], high[2];
    for (int k = 0; k < 2; ++k) {
        low[k] = (int)fmax(0, ceil(fmin(c[0][k], fmin(c[1][k], c[2][k])) - 0.5));
        high[k] = (int)fmin(MAP - 1, floor(fmax(c[0][k], fmax(c[1][k], c[2][k])) - 0.5));
    }
    for (int j = low[1]; j <= high[1]; ++j)
        for (int i = low[0]; i <= high[0]; ++i) {
            double x = i + 0.5 - c[0][0], y = j + 0.5 - c[0][1];
            double u = (x * (c[2][1] - c[0][1]) - y * (c[2][0] - c[0][0])) / area;
            double v = (y * (c[1][0] - c[0][0]) - x * (c[1][1] - c[0][1])) / area;
            if (u < 0 || v < 0 || u + v > 1) continue;
            float z = (float)(c[0][2] + u * (c[1][2] - c[0][2]) + v * (c[2][2] - c[0][2]));
            float* at = &s->map[j * MAP + i];
            if (z > *at) *at = z;
        }
}

// Where a vertex of a body is, in camera coordinates.
static void vertex_of(const shade* s, const pli_result_body* body, int32_t vertex, double p[3]) {
    const float* x = pli_canvas_point(&s->picture->canvas, body->vertices[vertex]);
    for (int k = 0; k < 3; ++k) p[k] = (double)x[k];
    pli_canvas_unmap(&s->picture->canvas, p);
}

// The map spans what the picture can show.
static void place_map(shade* s) {
    const pli_canvas* c = &s->picture->canvas;
    const double* up = s->picture->camera.up;
    double from[3] = {fabs(up[0]) < 0.8, fabs(up[0]) >= 0.8, 0};
    pli_axpy(-pli_dot(from, up, 3), up, from, 3);
    double length = pli_norm(from, 3);
    for (int k = 0; k < 3; ++k) s->across[0][k] = from[k] / length;
    pli_cross3(up, s->across[0], s->across[1]);
    double size[3] = {c->high.x - c->low.x, c->high.y - c->low.y, c->near - c->far};
    double middle[3] = {c->low.x + size[0] / 2, c->low.y + size[1] / 2, (c->near + c->far) / 2};
    s->size = 1.2 * pli_norm(size, 3);
    for (int k = 0; k < 2; ++k) s->low[k] = pli_dot(s->across[k], middle, 3) - s->size / 2;
}

static void draw_map(shade* s) {
    const pli_result* result = s->picture->result;
    place_map(s);
    for (int i = 0; i < MAP * MAP; ++i) s->map[i] = -HUGE_VALF;
    for (int b = 0; b < result->body_count; ++b) {
        const pli_result_body* body = &result->bodies[b];
        for (int t = 0; t < body->triangle_count; ++t) {
            double corners[3][3], p[3];
            for (int k = 0; k < 3; ++k) {
                vertex_of(s, body, body->triangles[3 * (size_t)t + (size_t)k], p);
                map_place(s, p, corners[k]);
            }
            map_triangle(s, corners);
        }
    }
}

// The part of nine texels around a point in which something is above it.
static double shadow_at(const shade* s, int i, int j, double z) {
    double p[3], at[3], sum = 0, clearance = 4 * s->size / MAP;
    point_of(s, i + 0.5, j + 0.5, z, p);
    map_place(s, p, at);
    if (!isfinite(at[0] + at[1])) return 0;
    for (int k = 0; k < 9; ++k) {
        double x = floor(at[0]) + k % 3 - 1, y = floor(at[1]) + k / 3 - 1;
        if (x < 0 || y < 0 || x >= MAP || y >= MAP) continue;
        sum += (double)s->map[(int)y * MAP + (int)x] > at[2] + clearance;
    }
    return sum / 9;
}

// ---- all

static void darken(shade* s) {
    const double ambient = 0.62, shadow = 0.3;
    for (int j = 0; j < s->height; ++j)
        for (int i = 0; i < s->width; ++i) {
            double n[3], z = depth_at(s, i, j);
            float* out = &s->dark[(size_t)j * (size_t)s->width + (size_t)i];
            *out = 0;
            if (!isfinite(z)) continue;
            normal_at(s, i, j, z, n);
            double facing = fmin(1, fmax(0, pli_dot(n, s->picture->camera.up, 3) / 0.35));
            double part = 1 - ambient * occlusion_at(s, i, j, z, n);
            if (facing > 0) part *= 1 - shadow * facing * shadow_at(s, i, j, z);
            *out = (float)(1 - part);
        }
}

// Over the pattern of 4 x 4 pixels, where depths agree.
static double smoothed(const shade* s, int i, int j) {
    double z = depth_at(s, i, j), sum = 0, weights = 0;
    for (int dj = -2; dj <= 1; ++dj)
        for (int di = -2; di <= 1; ++di) {
            double apart = fabs(depth_at(s, i + di, j + dj) - z);
            if (!(apart < 12)) continue; // [px]
            sum += (double)s->dark[(size_t)(j + dj) * (size_t)s->width + (size_t)(i + di)];
            weights += 1;
        }
    return weights > 0 ? sum / weights : 0;
}

pli_status pli_picture_make_shade(pli_picture* picture, pli_error* error) {
    size_t pixels = (size_t)picture->raster.width * (size_t)picture->raster.height;
    picture->shade_room = pixels + (size_t)MAP * MAP;
    return PLI_ALLOC(picture->memory, picture->shade, picture->shade_room, error);
}

void pli_picture_shade(pli_picture* picture) {
    shade s = {.picture = picture,
               .width = picture->raster.width,
               .height = picture->raster.height,
               .map = picture->shade,
               .dark = picture->shade + (size_t)MAP * MAP};
    if (!picture->shade) return;
    draw_map(&s);
    darken(&s);
    for (int j = 0; j < s.height; ++j)
        for (int i = 0; i < s.width; ++i)
            if (isfinite(depth_at(&s, i, j)))
                pli_raster_darken(&picture->raster, i, j, PLI_PICTURE_BODY,
                                  1 - (float)smoothed(&s, i, j));
}
