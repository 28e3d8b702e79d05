// The surface of half-spaces. A square around what the pictures show, cut by all other half-spaces:
// two planes that form a valley end where they meet.
#include "render/ground.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "result/polygon.h"

static void read_plane(const pli_canvas* c, int i, double point[3], double normal[3]) {
    for (int k = 0; k < 3; ++k) {
        point[k] = (double)c->planes[6 * i + k];
        normal[k] = (double)c->planes[6 * i + 3 + k];
    }
}

// A slack lets a plane not cut itself, should it be there twice.
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

// Who draws, and what.
typedef struct job {
    const pli_canvas* canvas;
    const pli_camera* camera;
    pli_ground_fn* draw;
    void* context;
} job;

static void draw_polygon(const job* j, const pli_polygon* p, pli_ground_part part) {
    if (p->count >= 2) j->draw(j->context, part, p->count, p->corner);
}

static void draw_surface(const job* j, int i, bool facing) {
    const pli_canvas* c = j->canvas;
    double point[3], normal[3], u[2][3];
    read_plane(c, i, point, normal);
    double middle[3] = {(c->low.x + c->high.x) / 2, (c->low.y + c->high.y) / 2,
                        (c->near + c->far) / 2};
    double size[3] = {c->high.x - c->low.x, c->high.y - c->low.y, c->near - c->far};
    double reach = 0.5 * pli_norm(size, 3), height = 0;
    for (int k = 0; k < 3; ++k) height += (middle[k] - point[k]) * normal[k];
    pli_axpy(-height, normal, middle, 3); // onto the plane
    if (!isfinite(pli_norm(middle, 3)) || !isfinite(reach) || fabs(height) > 3 * reach) return;
    find_directions(j->camera, normal, u);
    pli_ticks ticks = pli_ticks_for(-reach, reach, 12);
    double step = ticks.step, half = floor(reach / step) * step;
    pli_polygon whole = {.count = 4};
    for (int k = 0; k < 4; ++k)
        for (int r = 0; r < 3; ++r)
            whole.corner[k][r] = middle[r] + half * ((k == 1 || k == 2 ? 1 : -1) * u[0][r] +
                                                     (k >= 2 ? 1 : -1) * u[1][r]);
    cut_by_others(c, i, 1e-5 * reach, &whole);
    draw_polygon(j, &whole, facing ? PLI_GROUND_TOP : PLI_GROUND_VEIL);
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
            draw_polygon(j, &line, PLI_GROUND_GRID);
        }
}

void pli_ground_each(const pli_canvas* c, const pli_camera* camera, bool facing,
                     pli_ground_fn* draw, void* context) {
    job j = {c, camera, draw, context};
    for (int i = 0; i < c->plane_count; ++i)
        if (((double)c->planes[6 * i + 5] > 0) == facing) draw_surface(&j, i, facing);
}

// ---- as SVG

static void write_polygon(void* context, pli_ground_part part, int count,
                          const double (*corners)[3]) {
    static const char* const styles[] = {
        "fill=\"#edf0f3\" stroke=\"#b4bcc6\"",
        "fill=\"none\" stroke=\"#d3d9e0\" stroke-width=\".8\"",
        "fill=\"#8a94a0\" fill-opacity=\".13\" stroke=\"#9aa4b0\"",
    };
    const pli_canvas* c = context;
    pli_pen pen = pli_pen_begin(c->file, styles[part]);
    for (int i = 0; i < count; ++i) {
        pli_point at = pli_canvas_place(c, corners[i][0], corners[i][1]);
        pli_pen_to(&pen, at.x, at.y);
    }
    pli_pen_close(&pen);
    pli_pen_end(&pen);
}

void pli_ground_draw(const pli_canvas* c, const pli_camera* camera, bool facing) {
    pli_ground_each(c, camera, facing, write_polygon, (void*)(uintptr_t)c);
}

// ---- shadows

int pli_ground_floor(const pli_canvas* c, const double up[3]) {
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

// p - ((p - point) . n / up . n) up.
pli_point pli_ground_shadow(const pli_canvas* c, const float* plane, const double up[3],
                            const float* p) {
    double height = 0, slope = 0;
    for (int k = 0; k < 3; ++k) {
        height += ((double)p[k] - (double)plane[k]) * (double)plane[3 + k];
        slope += up[k] * (double)plane[3 + k];
    }
    return pli_canvas_place(c, (double)p[0] - height / slope * up[0],
                            (double)p[1] - height / slope * up[1]);
}
