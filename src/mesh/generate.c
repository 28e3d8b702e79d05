// Regular meshes. Each generator checks, reserves and only then adds, so it cannot fail half-way.
#include <math.h>

#include "base/base.h"
#include "math/elementary.h"
#include "mesh/build.h"

pli_status pli_check_size(const char* shape, const char* name, double value, pli_error* error) {
    if (value > 0 && isfinite(value)) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "%s: %s = %g m, must be > 0", shape, name, value);
}

pli_status pli_check_cells(const char* shape, const char* name, int value, pli_error* error) {
    if (value >= 1) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "%s: %s = %d, must be >= 1", shape, name, value);
}

// A grid of vertices: the index of (i, j) is first + i rows + j.
typedef struct grid {
    int first, nx, ny, rows;
} grid;

static int32_t at(const grid* g, int i, int j) { return g->first + i * g->rows + j; }

static void put_segment(pli_mesh* mesh, int32_t a, int32_t b) {
    pli_mesh_put_element(mesh, PLI_SEGMENT, (int32_t[2]){a, b});
}

static void put_triangle(pli_mesh* mesh, int32_t a, int32_t b, int32_t c) {
    pli_mesh_put_element(mesh, PLI_TRIANGLE, (int32_t[3]){a, b, c});
}

// All horizontals, all verticals, then both diagonals of each cell.
static void put_grid_springs(pli_mesh* mesh, const grid* g) {
    for (int i = 0; i < g->nx; ++i)
        for (int j = 0; j <= g->ny; ++j) put_segment(mesh, at(g, i, j), at(g, i + 1, j));
    for (int i = 0; i <= g->nx; ++i)
        for (int j = 0; j < g->ny; ++j) put_segment(mesh, at(g, i, j), at(g, i, j + 1));
    for (int i = 0; i < g->nx; ++i)
        for (int j = 0; j < g->ny; ++j) {
            put_segment(mesh, at(g, i, j), at(g, i + 1, j + 1));
            put_segment(mesh, at(g, i + 1, j), at(g, i, j + 1));
        }
}

// Two triangles per cell; the diagonal falls in cells with i + j odd and rises in the others.
static void put_grid_triangles(pli_mesh* mesh, const grid* g) {
    for (int i = 0; i < g->nx; ++i)
        for (int j = 0; j < g->ny; ++j) {
            int32_t a = at(g, i, j), b = at(g, i + 1, j), c = at(g, i + 1, j + 1),
                    d = at(g, i, j + 1);
            if ((i ^ j) & 1) {
                put_triangle(mesh, a, b, d);
                put_triangle(mesh, b, c, d);
            } else {
                put_triangle(mesh, a, b, c);
                put_triangle(mesh, a, c, d);
            }
        }
}

pli_status pli_mesh_add_rectangle(pli_mesh* mesh, double width, double height, int nx, int ny,
                                  pli_rectangle_pattern pattern, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("rectangle", "width", width, error));
    PLI_TRY(pli_check_size("rectangle", "height", height, error));
    PLI_TRY(pli_check_cells("rectangle", "nx", nx, error));
    PLI_TRY(pli_check_cells("rectangle", "ny", ny, error));
    if (pattern != PLI_TRIANGLES && pattern != PLI_SPRINGS)
        return pli_fail(error, PLI_E_ARGUMENT, "rectangle: unknown pattern = %d", (int)pattern);
    grid g = {.first = mesh->vertex_count, .nx = nx, .ny = ny};
    int64_t cells = (int64_t)nx * ny;
    PLI_TRY(pli_mesh_reserve_vertices(mesh, cells + nx + ny + 1, error));
    if (pattern == PLI_SPRINGS)
        PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_SEGMENT, 4 * cells + nx + ny, error));
    else
        PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_TRIANGLE, 2 * cells, error));
    g.rows = ny + 1;
    pli_group_plan sides[] = {{"left", 1, ny + 1, 0},
                              {"right", 1, ny + 1, 0},
                              {"bottom", 1, nx + 1, 0},
                              {"top", 1, nx + 1, 0}};
    PLI_TRY(pli_mesh_reserve_groups(mesh, sides, 4, error));
    for (int i = 0; i <= nx; ++i)
        for (int j = 0; j <= ny; ++j) {
            const bool on[] = {i == 0, i == nx, j == 0, j == ny};
            pli_mesh_put_vertex(mesh, -0.5 * width + i * width / nx,
                                -0.5 * height + j * height / ny, 0);
            pli_mesh_put_on_sides(mesh, sides, 4, on);
        }
    if (pattern == PLI_SPRINGS)
        put_grid_springs(mesh, &g);
    else
        put_grid_triangles(mesh, &g);
    return PLI_OK;
}

// The strip between ring k - 1, which starts at vertex `inner`, and ring k. Both are six equal
// arcs; along each arc the outer ring has one edge more than the inner one.
static void put_ring_triangles(pli_mesh* mesh, int k, int inner, int outer) {
    for (int arc = 0; arc < 6; ++arc)
        for (int j = 0; j < k; ++j) {
            int in = arc * (k - 1) + j, out = arc * k + j;
            int32_t in0 = k == 1 ? inner : inner + in % (6 * (k - 1));
            int32_t out0 = outer + out, out1 = outer + (out + 1) % (6 * k);
            put_triangle(mesh, in0, out0, out1);
            if (j < k - 1) put_triangle(mesh, in0, out1, inner + (in + 1) % (6 * (k - 1)));
        }
}

pli_status pli_mesh_add_disk(pli_mesh* mesh, double radius, int rings, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("disk", "radius", radius, error));
    PLI_TRY(pli_check_cells("disk", "rings", rings, error));
    int64_t n = pli_min_int(rings, 1 << 20); // limits 6 n^2; the reservation refuses it
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_TRIANGLE, 6 * n * n, error));
    PLI_TRY(pli_mesh_reserve_vertices(mesh, 1 + 3 * n * (n + 1), error));
    pli_group_plan rim = {"rim", 1, 6 * n, 0};
    PLI_TRY(pli_mesh_reserve_groups(mesh, &rim, 1, error));
    const double turn = 6.283185307179586;
    int inner = mesh->vertex_count;
    pli_mesh_put_vertex(mesh, 0, 0, 0);
    for (int k = 1; k <= rings; ++k) {
        int outer = mesh->vertex_count;
        double r = radius * k / rings;
        for (int i = 0; i < 6 * k; ++i) {
            double angle = turn * i / (6 * k);
            pli_mesh_put_vertex(mesh, r * pli_cos(angle), r * pli_sin(angle), 0);
            pli_mesh_put_on_sides(mesh, &rim, 1, (const bool[]){k == rings});
        }
        put_ring_triangles(mesh, k, inner, outer);
        inner = outer;
    }
    return PLI_OK;
}

pli_status pli_mesh_add_line(pli_mesh* mesh, const double a[3], const double b[3], int segments,
                             pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!a || !b) return pli_fail(error, PLI_E_ARGUMENT, "line: an end is NULL");
    PLI_TRY(pli_check_cells("line", "segments", segments, error));
    double square = 0;
    for (int i = 0; i < 3; ++i) square += (b[i] - a[i]) * (b[i] - a[i]);
    PLI_TRY(pli_check_size("line", "length", sqrt(square), error));
    PLI_TRY(pli_mesh_reserve_vertices(mesh, (int64_t)segments + 1, error));
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_SEGMENT, segments, error));
    pli_group_plan ends[] = {{"start", 0, 1, 0}, {"end", 0, 1, 0}};
    PLI_TRY(pli_mesh_reserve_groups(mesh, ends, 2, error));
    int first = mesh->vertex_count;
    for (int i = 0; i <= segments; ++i) {
        double t = (double)i / segments, s = (double)(segments - i) / segments; // both ends exact
        pli_mesh_put_vertex(mesh, s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]);
        pli_mesh_put_on_sides(mesh, ends, 2, (const bool[]){i == 0, i == segments});
    }
    for (int i = 0; i < segments; ++i) put_segment(mesh, first + i, first + i + 1);
    return PLI_OK;
}
