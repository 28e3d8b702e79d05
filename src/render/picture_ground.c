// Half-spaces in pictures. In space: a square of their surface with a grid, around the visible part
// of the scene, clipped by all other half-spaces: two planes that form a valley end where they
// meet. Shadows are cast straight down on it.
#include "render/picture.h"

#include <math.h>

#include "math/vec.h"
#include "result/result.h"

static void read_plane(const pli_canvas* c, int i, double point[3], double normal[3]) {
    for (int k = 0; k < 3; ++k) {
        point[k] = (double)c->planes[6 * i + k];
        normal[k] = (double)c->planes[6 * i + 3 + k];
    }
}

// The slack keeps a plane from clipping itself, if it is listed twice.
static void cut_by_others(const pli_canvas* c, int self, double slack, pli_polygon* p) {
    for (int i = 0, used = 0; i < c->plane_count && used < PLI_POLYGON_CUTS; ++i) {
        double point[3], normal[3];
        if (i == self) continue;
        read_plane(c, i, point, normal);
        pli_axpy(-slack, normal, point, 3);
        pli_polygon_cut(p, point, normal);
        used++;
    }
}

// Two directions in the plane, along axes of the world as far as possible.
static void find_directions(const pli_camera* camera, const double normal[3], double u[2][3]) {
    int best = 0;
    for (int k = 0; k < 3; ++k) {
        double along = 0, least = 0;
        for (int r = 0; r < 3; ++r) {
            along += camera->axes[r][k] * normal[r];
            least += camera->axes[r][best] * normal[r];
        }
        if (fabs(along) < fabs(least)) best = k;
    }
    for (int r = 0; r < 3; ++r) u[0][r] = camera->axes[r][best];
    pli_axpy(-pli_dot(u[0], normal, 3), normal, u[0], 3);
    double length = pli_norm(u[0], 3);
    for (int r = 0; r < 3; ++r) u[0][r] /= length;
    pli_cross3(normal, u[0], u[1]);
}

typedef enum ground_part {
    TOP,
    GRID,
    VEIL, // a surface through which bodies are visible
} ground_part;

static pli_point corner_at(const pli_canvas* c, const double corner[3]) {
    double at[3] = {corner[0], corner[1], corner[2]};
    pli_canvas_map(c, at);
    return pli_canvas_place(c, at[0], at[1]);
}

// Without what is behind the eye.
static void cut_behind_eye(const pli_canvas* c, pli_polygon* p) {
    const double nearest = 0.05, towards[3] = {0, 0, -1};
    if (!(c->distance > 0)) return;
    const double point[3] = {c->eye[0], c->eye[1], c->eye[2] - nearest * c->distance};
    pli_polygon_cut(p, point, towards);
}

// Fans of triangles and their border, or lines; none of them uses the depth.
static void draw_polygon(pli_picture* picture, const pli_polygon* polygon, ground_part part) {
    static const struct {
        const char *fill, *line;
        float alpha;
        int kind;
        double width; // of lines, in units
    } styles[] = {{"#edf0f3", "#b4bcc6", 1, PLI_PICTURE_GROUND, 1},
                  {"#d3d9e0", "#d3d9e0", 1, PLI_PICTURE_GROUND, 0.8},
                  {"#8a94a0", "#9aa4b0", 0.13F, PLI_PICTURE_VEIL, 1}};
    const double(*corners)[3] = polygon->corner;
    int count = polygon->count;
    if (count < 2) return;
    pli_paint fill = pli_picture_paint(styles[part].fill, styles[part].fill, styles[part].kind);
    pli_paint line = pli_picture_paint(styles[part].line, styles[part].line, PLI_PICTURE_GROUND);
    fill.flat = line.flat = true;
    fill.alpha = styles[part].alpha;
    pli_corner p[3] = {0};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            const double* at = corners[k == 0 ? 0 : (i + k - 1) % count];
            pli_point place = corner_at(&picture->canvas, at);
            p[k].at[0] = place.x;
            p[k].at[1] = place.y;
        }
        if (count > 2) pli_raster_triangle(&picture->raster, p, &fill);
    }
    for (int i = 0; i < (count > 2 ? count : 1); ++i) {
        for (int k = 0; k < 2; ++k) {
            const double* at = corners[(i + k) % count];
            pli_point place = corner_at(&picture->canvas, at);
            p[k].at[0] = place.x;
            p[k].at[1] = place.y;
        }
        pli_raster_line(&picture->raster, p, styles[part].width * picture->unit, 0, &line);
    }
}

static void draw_surface(pli_picture* picture, int i, bool facing) {
    const pli_canvas* c = &picture->canvas;
    double point[3], normal[3], u[2][3];
    read_plane(c, i, point, normal);
    double middle[3] = {(c->low.x + c->high.x) / 2, (c->low.y + c->high.y) / 2,
                        (c->near + c->far) / 2};
    double size[3] = {c->high.x - c->low.x, c->high.y - c->low.y, c->near - c->far};
    double reach = 0.5 * pli_norm(size, 3), height = 0;
    for (int k = 0; k < 3; ++k) height += (middle[k] - point[k]) * normal[k];
    pli_axpy(-height, normal, middle, 3); // onto the plane
    if (!isfinite(pli_norm(middle, 3)) || !isfinite(reach) || fabs(height) > 3 * reach) return;
    find_directions(&picture->camera, normal, u);
    pli_ticks ticks = pli_ticks_for(-reach, reach, 12);
    double step = ticks.step, half = floor(reach / step) * step;
    pli_polygon whole = {.count = 4};
    for (int k = 0; k < 4; ++k)
        for (int r = 0; r < 3; ++r)
            whole.corner[k][r] = middle[r] + half * ((k == 1 || k == 2 ? 1 : -1) * u[0][r] +
                                                     (k >= 2 ? 1 : -1) * u[1][r]);
    cut_by_others(c, i, 1e-5 * reach, &whole);
    cut_behind_eye(c, &whole);
    draw_polygon(picture, &whole, facing ? TOP : VEIL);
    if (!facing) return;
    int count = (int)lround(half / step);
    for (int k = -count + 1; k < count; ++k)
        for (int side = 0; side < 2; ++side) {
            pli_polygon line = {.count = 2};
            for (int r = 0; r < 3; ++r) {
                double at = middle[r] + k * step * u[side][r];
                line.corner[0][r] = at - half * u[1 - side][r];
                line.corner[1][r] = at + half * u[1 - side][r];
            }
            cut_by_others(c, i, 1e-5 * reach, &line);
            cut_behind_eye(c, &line);
            draw_polygon(picture, &line, GRID);
        }
}

static bool faces_viewer(const pli_canvas* c, int i) {
    double point[3], normal[3], height = 0;
    read_plane(c, i, point, normal);
    for (int k = 0; k < 3; ++k) height += (c->eye[k] - point[k]) * normal[k];
    return c->distance > 0 ? height > 0 : normal[2] > 0;
}

void pli_picture_draw_grounds(pli_picture* picture, bool facing) {
    const pli_canvas* c = &picture->canvas;
    for (int i = 0; i < c->plane_count; ++i)
        if (faces_viewer(c, i) == facing) draw_surface(picture, i, facing);
}

// ---- shadows

// The plane under the scene, if there is exactly one; otherwise -1.
static int find_floor(const pli_canvas* c, const double up[3]) {
    int floor = -1, count = 0;
    for (int i = 0; i < c->plane_count; ++i) {
        double slope = 0;
        for (int k = 0; k < 3; ++k) slope += up[k] * (double)c->planes[6 * i + 3 + k];
        if (!(slope > 0.5)) continue;
        floor = i;
        count++;
    }
    return count == 1 ? floor : -1;
}

// The vertical projection of a point onto the plane, on the page [px]:
// p - ((p - point) . n / up . n) up.
static pli_point shadow_at(const pli_canvas* c, const float* plane, const double up[3],
                           const float* p) {
    double height = 0, slope = 0, at[3] = {(double)p[0], (double)p[1], (double)p[2]};
    pli_canvas_unmap(c, at);
    for (int k = 0; k < 3; ++k) {
        height += (at[k] - (double)plane[k]) * (double)plane[3 + k];
        slope += up[k] * (double)plane[3 + k];
    }
    for (int k = 0; k < 3; ++k) at[k] -= height / slope * up[k];
    return corner_at(c, at);
}

// The vertical projection of a vertex of a body onto a half-space.
static pli_corner shadow_of(const pli_picture* picture, int plane, const pli_result_body* body,
                            int32_t vertex) {
    const pli_canvas* c = &picture->canvas;
    pli_point at = shadow_at(c, c->planes + 6 * plane, picture->camera.up,
                             pli_canvas_point(c, body->vertices[vertex]));
    return (pli_corner){.at = {at.x, at.y, 0}};
}

// On the plane under the scene; overlapping shadows are not darker. Shadows of rods and balls have
// their width.
void pli_picture_draw_shadows(pli_picture* picture) {
    int floor = find_floor(&picture->canvas, picture->camera.up);
    if (floor < 0) return;
    pli_paint paint = pli_picture_paint(PLI_INK, PLI_INK, PLI_PICTURE_SHADOW);
    paint.alpha = 0.13F;
    paint.flat = true;
    for (int b = 0; b < picture->result->body_count; ++b) {
        const pli_result_body* body = &picture->result->bodies[b];
        double width = fmax(2 * body->radius * picture->canvas.scale, picture->unit);
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

// ---- in the plane

// The solid side of a half-space in the plane as a square larger than the picture, with the ground
// line; `line`: only the line.
static void draw_half_plane(pli_picture* picture, int i, bool line) {
    const pli_canvas* c = &picture->canvas;
    const float* plane = c->planes + 6 * i;
    double on[3], nx = (double)plane[3], ny = -(double)plane[4]; // y is downward on the page
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

void pli_picture_draw_half_planes(pli_picture* picture) {
    for (int line = 1; line >= 0; --line)
        for (int i = 0; i < picture->canvas.plane_count; ++i) draw_half_plane(picture, i, line);
}
