// Solids of tetrahedra. All are based on grids of cubes split into Kuhn's six tetrahedra: along
// each path from the lowest to the highest corner of a cell, one step per axis. Neighbouring cells
// then match, and all planes x_a = x_b and x_a = integer consist of faces, so a grid can be cut and
// folded there. Each generator checks, reserves and only then adds, so it cannot fail half-way.
#include <math.h>

#include "base/base.h"
#include "math/elementary.h"
#include "mesh/build.h"

// The order of axes along each path; the even permutations first, whose tetrahedra are positive.
static const int paths[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

// Adds the tetrahedron v[0] .. v[3], mirrored if `odd`.
static void put_tetrahedron(pli_mesh* mesh, const int32_t v[4], bool odd) {
    const int32_t turned[4] = {v[0], v[odd ? 2 : 1], v[odd ? 1 : 2], v[3]};
    pli_mesh_put_element(mesh, PLI_TETRAHEDRON, turned);
}

// ---- grids of cells

// The index of (i, j, k) is first + (i (n[1] + 1) + j) (n[2] + 1) + k.
typedef struct grid {
    int first;
    int n[3]; // cells
} grid;

static int32_t at(const grid* g, const int i[3]) {
    return g->first + (i[0] * (g->n[1] + 1) + i[1]) * (g->n[2] + 1) + i[2];
}

// A cell whose diagonal runs from `low` along `step` (+1 or -1 per axis).
static void put_cell(pli_mesh* mesh, const grid* g, const int low[3], const int step[3]) {
    bool mirrored = step[0] * step[1] * step[2] < 0;
    for (int p = 0; p < 6; ++p) {
        int corner[3] = {low[0], low[1], low[2]};
        int32_t v[4] = {at(g, corner)};
        for (int s = 0; s < 3; ++s) {
            corner[paths[p][s]] += step[paths[p][s]];
            v[s + 1] = at(g, corner);
        }
        put_tetrahedron(mesh, v, (p >= 3) != mirrored);
    }
}

static pli_status reserve_grid(pli_mesh* mesh, const int n[3], pli_error* error) {
    double cells = (double)n[0] * n[1] * n[2], limit = INT32_MAX;
    double vertices = (n[0] + 1.0) * (n[1] + 1.0) * (n[2] + 1.0);
    // Counts beyond the limit are refused by the reservation.
    PLI_TRY(
        pli_mesh_reserve_elements(mesh, PLI_TETRAHEDRON, (int64_t)fmin(6 * cells, limit), error));
    return pli_mesh_reserve_vertices(mesh, (int64_t)fmin(vertices, limit), error);
}

// Vertices on the surface of a grid: all but the inner ones.
static int64_t surface_of_grid(const int n[3]) {
    return (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1) -
           (int64_t)(n[0] - 1) * (n[1] - 1) * (n[2] - 1);
}

static pli_status reserve_box_sides(pli_mesh* mesh, const int n[3], pli_group_plan sides[7],
                                    pli_error* error) {
    static const char* const names[] = {"left", "right", "bottom", "top", "front", "back"};
    for (int k = 0; k < 6; ++k) {
        int a = (k / 2 + 1) % 3, b = (k / 2 + 2) % 3;
        sides[k] = (pli_group_plan){names[k], 2, (int64_t)(n[a] + 1) * (n[b] + 1), 0};
    }
    sides[6] = (pli_group_plan){"surface", 2, surface_of_grid(n), 0};
    return pli_mesh_reserve_groups(mesh, sides, 7, error);
}

static pli_status add_box(pli_mesh* mesh, const char* shape, const double low[3],
                          const double size[3], const int n[3], pli_error* error) {
    static const char* const names[] = {"size x", "size y", "size z"};
    static const char* const cells[] = {"nx", "ny", "nz"};
    for (int i = 0; i < 3; ++i) {
        PLI_TRY(pli_check_size(shape, names[i], size[i], error));
        PLI_TRY(pli_check_cells(shape, cells[i], n[i], error));
    }
    PLI_TRY(reserve_grid(mesh, n, error));
    pli_group_plan sides[7];
    PLI_TRY(reserve_box_sides(mesh, n, sides, error));
    const grid g = {mesh->vertex_count, {n[0], n[1], n[2]}};
    int i[3];
    for (i[0] = 0; i[0] <= n[0]; ++i[0])
        for (i[1] = 0; i[1] <= n[1]; ++i[1])
            for (i[2] = 0; i[2] <= n[2]; ++i[2]) {
                bool on[7] = {false};
                for (int k = 0; k < 6; ++k) {
                    on[k] = i[k / 2] == (k % 2 ? n[k / 2] : 0);
                    on[6] |= on[k];
                }
                pli_mesh_put_vertex(mesh, low[0] + size[0] * i[0] / n[0],
                                    low[1] + size[1] * i[1] / n[1], low[2] + size[2] * i[2] / n[2]);
                pli_mesh_put_on_sides(mesh, sides, 7, on);
            }
    for (i[0] = 0; i[0] < n[0]; ++i[0])
        for (i[1] = 0; i[1] < n[1]; ++i[1])
            for (i[2] = 0; i[2] < n[2]; ++i[2]) put_cell(mesh, &g, i, (const int[3]){1, 1, 1});
    return PLI_OK;
}

pli_status pli_mesh_add_box(pli_mesh* mesh, const double size[3], const int segments[3],
                            pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!size || !segments) return pli_fail(error, PLI_E_ARGUMENT, "box: size or segments is NULL");
    const double low[3] = {-0.5 * size[0], -0.5 * size[1], -0.5 * size[2]};
    return add_box(mesh, "box", low, size, segments, error);
}

pli_status pli_mesh_add_bar(pli_mesh* mesh, const double size[3], const int segments[3],
                            pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!size || !segments) return pli_fail(error, PLI_E_ARGUMENT, "bar: size or segments is NULL");
    const double low[3] = {0, -0.5 * size[1], -0.5 * size[2]};
    return add_box(mesh, "bar", low, size, segments, error);
}

// From the cube [-1, 1]^3 to the ball: shells |p|_max = r become spheres of radius r, and on each
// face of the cube equal steps become equal angles,
//     p -> r t / |t|,  t_i = tan(pi/4 p_i / r).
// Homogeneous and smooth on the six pyramids of the faces, whose sides consist of faces of
// tetrahedra if the diagonals of cells point away from the centre: so quality is bounded under
// refinement.
static void map_to_ball(const int i[3], int m, double radius, double out[3]) {
    const double quarter = 0.78539816339744831;
    int r = 0;
    double t[3], norm = 0;
    for (int k = 0; k < 3; ++k) r = pli_max_int(r, i[k] < 0 ? -i[k] : i[k]);
    for (int k = 0; k < 3; ++k) {
        bool face = i[k] == r || i[k] == -r; // exact, because tan(pi/4) is not
        t[k] = r == 0 ? 0 : face ? (i[k] > 0 ? 1 : -1) : pli_tan(quarter * i[k] / r);
        norm += t[k] * t[k];
    }
    for (int k = 0; k < 3; ++k) out[k] = r == 0 ? 0 : radius * r / m * (t[k] / sqrt(norm));
}

pli_status pli_mesh_add_ball(pli_mesh* mesh, double radius, int shells, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("ball", "radius", radius, error));
    PLI_TRY(pli_check_cells("ball", "shells", shells, error));
    const int m = pli_min_int(shells, 1 << 20), n[3] = {2 * m, 2 * m, 2 * m};
    PLI_TRY(reserve_grid(mesh, n, error));
    pli_group_plan surface = {"surface", 2, surface_of_grid(n), 0};
    PLI_TRY(pli_mesh_reserve_groups(mesh, &surface, 1, error));
    const grid g = {mesh->vertex_count, {n[0], n[1], n[2]}};
    int i[3], step[3], low[3];
    for (i[0] = -m; i[0] <= m; ++i[0])
        for (i[1] = -m; i[1] <= m; ++i[1])
            for (i[2] = -m; i[2] <= m; ++i[2]) {
                double p[3];
                bool outer = false;
                for (int k = 0; k < 3; ++k) outer |= i[k] == -m || i[k] == m;
                map_to_ball(i, m, radius, p);
                pli_mesh_put_vertex(mesh, p[0], p[1], p[2]);
                pli_mesh_put_on_sides(mesh, &surface, 1, &outer);
            }
    for (i[0] = 0; i[0] < 2 * m; ++i[0])
        for (i[1] = 0; i[1] < 2 * m; ++i[1])
            for (i[2] = 0; i[2] < 2 * m; ++i[2]) {
                for (int k = 0; k < 3; ++k) {
                    step[k] = i[k] < m ? -1 : 1;
                    low[k] = i[k] < m ? i[k] + 1 : i[k];
                }
                put_cell(mesh, &g, low, step);
            }
    return PLI_OK;
}

// ---- stacks of disks

// Disks of rings around an axis, as in pli_mesh_add_disk: ring k has 6 k vertices. In each of the
// six arcs a vertex is (layer, ring, position) with 0 <= position <= ring <= rings, and Kuhn's
// tetrahedra of that grid fill the stack. A pointed stack has min(layer, rings) rings in each layer
// and starts with one vertex; a closed one ends where it starts.
typedef struct stack {
    int first, layers, rings;
    bool pointed, closed;
} stack;

static int rings_at(const stack* s, int layer) {
    return s->pointed ? pli_min_int(layer, s->rings) : s->rings;
}

static int64_t disk_size(int64_t rings) { return 1 + 3 * rings * (rings + 1); }

// Vertices below a layer.
static int64_t vertices_below(const stack* s, int64_t layer) {
    int64_t m = s->rings;
    if (!s->pointed) return layer * disk_size(m);
    if (layer > m) return m * m * m + (layer - m) * disk_size(m); // the disks 0 .. k - 1 have k^3
    return layer * layer * layer;
}

static int32_t stack_vertex(const stack* s, int arc, const int c[3]) {
    int layer = s->closed ? c[0] % s->layers : c[0], ring = c[1];
    int64_t start = s->first + vertices_below(s, layer);
    if (ring == 0) return (int32_t)start;
    return (int32_t)(start + disk_size(ring - 1) + (arc * ring + c[2]) % (6 * ring));
}

// The tetrahedra of the cell whose lowest corner is `low`, as far as they are in the stack.
static void put_stack_cell(pli_mesh* mesh, const stack* s, int arc, const int low[3]) {
    for (int p = 0; p < 6; ++p) {
        int c[3] = {low[0], low[1], low[2]};
        int32_t v[4];
        bool inside = true;
        for (int k = 0; k < 4; ++k) {
            if (k > 0) c[paths[p][k - 1]]++;
            inside = inside && c[2] <= c[1] && c[1] <= rings_at(s, c[0]);
            if (inside) v[k] = stack_vertex(s, arc, c);
        }
        if (inside) put_tetrahedron(mesh, v, p >= 3);
    }
}

static pli_status reserve_stack(pli_mesh* mesh, const stack* s, pli_error* error) {
    // Each arc of a layer has rings^2 triangles and three tetrahedra over each; a pointed stack
    // begins with a tetrahedron of rings^3 per arc.
    double m = s->rings, prisms = s->pointed ? s->layers - m : s->layers;
    double tetrahedra = 18 * m * m * prisms + (s->pointed ? 6 * m * m * m : 0);
    double vertices = (3 * m * (m + 1) + 1) * (s->layers + 1.0);
    if (tetrahedra > INT32_MAX || vertices > INT32_MAX)
        return pli_mesh_reserve_elements(mesh, PLI_TETRAHEDRON, INT32_MAX, error);
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_TETRAHEDRON, (int64_t)tetrahedra, error));
    return pli_mesh_reserve_vertices(
        mesh, vertices_below(s, (int64_t)s->layers + (s->closed ? 0 : 1)), error);
}

// The position of a point of a layer: (a, b) are its coordinates in the disk of radius 1.
typedef void place_fn(const void* context, int layer, double a, double b, double out[3]);

// The first and the last layer, the outermost rings, all of these; a closed stack has only the
// last.
enum { FIRST, LAST, SIDE, SURFACE, STACK_SIDES };

static pli_status reserve_stack_sides(pli_mesh* mesh, const stack* s, pli_group_plan* sides,
                                      pli_error* error) {
    int64_t first = disk_size(rings_at(s, 0)), last = disk_size(s->rings), side = 0;
    for (int layer = 0; layer < s->layers + !s->closed; ++layer)
        side += pli_max_int(6 * rings_at(s, layer), 1);
    sides[FIRST] = (pli_group_plan){s->pointed ? "top" : "bottom", s->pointed ? 0 : 2, first, 0};
    sides[LAST] = (pli_group_plan){s->pointed ? "bottom" : "top", 2, last, 0};
    sides[SIDE] = (pli_group_plan){"side", 2, side, 0};
    sides[SURFACE] = (pli_group_plan){"surface", 2, first + last + side, 0};
    int start = s->closed ? SURFACE : FIRST;
    return pli_mesh_reserve_groups(mesh, sides + start, STACK_SIDES - start, error);
}

// Adds a vertex of the given ring.
static void put_on_layer(pli_mesh* mesh, const stack* s, const pli_group_plan* sides, int layer,
                         int ring, const double p[3]) {
    bool on[STACK_SIDES] = {!s->closed && layer == 0, !s->closed && layer == s->layers};
    bool outer = ring == rings_at(s, layer);
    on[SIDE] = outer && !s->closed;
    on[SURFACE] = outer || on[FIRST] || on[LAST];
    pli_mesh_put_vertex(mesh, p[0], p[1], p[2]);
    pli_mesh_put_on_sides(mesh, sides, STACK_SIDES, on);
}

static pli_status add_stack(pli_mesh* mesh, stack* s, place_fn* place, const void* context,
                            pli_error* error) {
    const double turn = 6.283185307179586;
    pli_group_plan sides[STACK_SIDES];
    double p[3];
    PLI_TRY(reserve_stack(mesh, s, error));
    PLI_TRY(reserve_stack_sides(mesh, s, sides, error));
    s->first = mesh->vertex_count;
    for (int layer = 0; layer < s->layers + !s->closed; ++layer) {
        int rings = rings_at(s, layer);
        place(context, layer, 0, 0, p);
        put_on_layer(mesh, s, sides, layer, 0, p);
        for (int k = 1; k <= rings; ++k)
            for (int i = 0; i < 6 * k; ++i) {
                double angle = turn * i / (6 * k), r = (double)k / rings;
                place(context, layer, r * pli_cos(angle), r * pli_sin(angle), p);
                put_on_layer(mesh, s, sides, layer, k, p);
            }
    }
    int low[3];
    for (low[0] = 0; low[0] < s->layers; ++low[0])
        for (int arc = 0; arc < 6; ++arc)
            for (low[1] = 0; low[1] < s->rings; ++low[1])
                for (low[2] = 0; low[2] <= low[1]; ++low[2]) put_stack_cell(mesh, s, arc, low);
    return PLI_OK;
}

typedef struct round_shape {
    double radius, length; // of the tube, and from the centre of the torus to that of the tube
    int layers;
} round_shape;

static void place_cylinder(const void* context, int layer, double a, double b, double out[3]) {
    const round_shape* s = context;
    out[0] = -0.5 * s->length + s->length * layer / s->layers;
    out[1] = s->radius * a;
    out[2] = s->radius * b;
}

// Layer 0 is the tip.
static void place_cone(const void* context, int layer, double a, double b, double out[3]) {
    const round_shape* s = context;
    double t = (double)layer / s->layers;
    out[0] = -0.5 * s->length + s->length * t;
    out[1] = s->radius * t * a;
    out[2] = s->radius * t * b;
}

// The tube runs counter-clockwise around z; a points outward, b along -z, so that (tube, a, b) is
// right-handed.
static void place_torus(const void* context, int layer, double a, double b, double out[3]) {
    const double turn = 6.283185307179586;
    const round_shape* s = context;
    double angle = turn * layer / s->layers, r = s->length + s->radius * a;
    out[0] = r * pli_cos(angle);
    out[1] = r * pli_sin(angle);
    out[2] = -s->radius * b;
}

// Common to all round shapes.
static pli_status check_round(const char* shape, double radius, int rings, int layers,
                              pli_error* error) {
    PLI_TRY(pli_check_size(shape, "radius", radius, error));
    PLI_TRY(pli_check_cells(shape, "rings", rings, error));
    return pli_check_cells(shape, "segments", layers, error);
}

pli_status pli_mesh_add_cylinder(pli_mesh* mesh, double radius, double length, int rings,
                                 int segments, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(check_round("cylinder", radius, rings, segments, error));
    PLI_TRY(pli_check_size("cylinder", "length", length, error));
    stack s = {.layers = segments, .rings = rings};
    const round_shape shape = {radius, length, segments};
    return add_stack(mesh, &s, place_cylinder, &shape, error);
}

pli_status pli_mesh_add_cone(pli_mesh* mesh, double radius, double length, int rings, int segments,
                             pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(check_round("cone", radius, rings, segments, error));
    PLI_TRY(pli_check_size("cone", "length", length, error));
    if (segments < rings)
        return pli_fail(error, PLI_E_ARGUMENT, "cone: segments = %d, must be >= rings = %d",
                        segments, rings);
    stack s = {.layers = segments, .rings = rings, .pointed = true};
    const round_shape shape = {radius, length, segments};
    return add_stack(mesh, &s, place_cone, &shape, error);
}

pli_status pli_mesh_add_torus(pli_mesh* mesh, double radius, double tube, int rings, int segments,
                              pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(check_round("torus", radius, rings, segments, error));
    PLI_TRY(pli_check_size("torus", "tube", tube, error));
    if (!(tube < radius))
        return pli_fail(error, PLI_E_ARGUMENT, "torus: tube = %g m, must be < radius = %g m", tube,
                        radius);
    if (segments < 3)
        return pli_fail(error, PLI_E_ARGUMENT, "torus: segments = %d, must be >= 3", segments);
    stack s = {.layers = segments, .rings = rings, .closed = true};
    const round_shape shape = {tube, radius, segments};
    return add_stack(mesh, &s, place_torus, &shape, error);
}
