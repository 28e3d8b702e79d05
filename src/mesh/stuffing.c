// Tetrahedra in a closed surface by isosurface stuffing [LabelleShewchuk07]: a body-centred cubic
// lattice covers the surface; lattice points close to it are moved onto it, and the inner parts of
// the lattice's tetrahedra are kept, cut by one of a few stencils. All dihedral angles are from
// 10.7 to 164.8 degrees for any surface: the bounds of the paper for the two shares below. Parts
// thinner than the lattice are lost; sharp edges are cut off.
//
// Lattice points are the corners of a grid of cubes and the centres of its cubes. Long edges join
// neighbouring corners, and neighbouring centres; short edges join a centre to its eight corners.
// Each tetrahedron has two corners and two centres.
#include <math.h>
#include <string.h>

#include "base/collections.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/enclosure.h"

// A point is moved if a cut is closer to it than this fraction of the edge.
static const double share_long = 0.24999, share_short = 0.41189;

// The cut of an edge that leaves the volume.
typedef struct cut {
    double t;         // from the lower of the two lattice points
    double x[3];      // [m]
    int32_t triangle; // of the surface, -1 in a gap
    int32_t vertex;   // of the mesh, -1: not used yet
} cut;

typedef struct stuffing {
    pli_memory* memory;
    const pli_enclosure* surface;
    double size, origin[3];      // [m]; the first corner
    int n[3];                    // cubes
    int32_t corner_count, count; // lattice points: corners first, then centres
    int8_t* sign;                // of each: 1 inside, -1 outside, 0 moved onto the surface
    int32_t* vertex;             // of each: of the mesh, -1: not used yet
    pli_ids moved;               // point -> the cut it was moved to
    pli_ids edges;               // low point * 2^32 + high point -> cut
    int cut_count, cut_capacity;
    cut* cuts;
    int vertex_count, vertex_capacity; // of the resulting mesh
    double* x;                         // 3 each
    int32_t* triangles;                // triangle of the surface on which each lies, -1: none
    int triangle_capacity, x_capacity;
    int tetrahedron_count, tetrahedron_capacity;
    int32_t* tetrahedra; // 4 each
    pli_error* error;
} stuffing;

// ---- the lattice

// Twice its position in the grid: even numbers for corners, odd ones for centres.
static void place_of(const stuffing* s, int32_t point, int c[3]) {
    int odd = point >= s->corner_count;
    int32_t i = odd ? point - s->corner_count : point;
    int rows = s->n[2] + !odd, planes = s->n[1] + !odd;
    c[2] = 2 * (i % rows) + odd;
    c[1] = 2 * (i / rows % planes) + odd;
    c[0] = 2 * (i / rows / planes) + odd;
}

// The point at such a position, -1 if it is outside of the grid.
static int32_t point_at(const stuffing* s, const int c[3]) {
    int odd = c[0] & 1;
    for (int k = 0; k < 3; ++k)
        if (c[k] < 0 || c[k] > 2 * s->n[k]) return -1;
    int rows = s->n[2] + !odd, planes = s->n[1] + !odd;
    return (odd ? s->corner_count : 0) + ((c[0] >> 1) * planes + (c[1] >> 1)) * rows + (c[2] >> 1);
}

static void position_of(const stuffing* s, int32_t point, double x[3]) {
    int c[3];
    place_of(s, point, c);
    for (int k = 0; k < 3; ++k) x[k] = s->origin[k] + 0.5 * s->size * c[k];
}

enum { NEIGHBOURS = 14, LONG_NEIGHBOURS = 6 };

// The long edges first.
static const int steps[NEIGHBOURS][3] = {
    {-2, 0, 0},  {2, 0, 0},   {0, -2, 0}, {0, 2, 0},   {0, 0, -2}, {0, 0, 2},  {-1, -1, -1},
    {-1, -1, 1}, {-1, 1, -1}, {-1, 1, 1}, {1, -1, -1}, {1, -1, 1}, {1, 1, -1}, {1, 1, 1}};

// A lattice around the surface, with one extra layer of cubes: its outer points are outside.
static pli_status lay_lattice(stuffing* s) {
    double corners = 1, middles = 1;
    const double *low = s->surface->low, *high = s->surface->high;
    for (int k = 0; k < 3; ++k) {
        double cubes = ceil((high[k] - low[k]) / s->size) + 2;
        corners *= cubes + 1;
        middles *= cubes;
        if (corners + middles > 2e9)
            return pli_fail(s->error, PLI_E_ARGUMENT,
                            "size = %g m is too small: the lattice would have more than 2e9 points",
                            s->size);
        s->n[k] = (int)cubes;
        s->origin[k] = 0.5 * (low[k] + high[k]) - 0.5 * cubes * s->size;
    }
    s->corner_count = (int32_t)corners;
    s->count = (int32_t)(corners + middles);
    PLI_TRY(PLI_ALLOC(s->memory, s->sign, s->count, s->error));
    PLI_TRY(PLI_ALLOC(s->memory, s->vertex, s->count, s->error));
    for (int32_t i = 0; i < s->count; ++i) s->vertex[i] = -1;
    return PLI_OK;
}

// Points along z are neighbours in memory: one ray classifies all of them.
static pli_status find_signs(stuffing* s) {
    double* z = NULL;
    int32_t* winding = NULL;
    bool* inside = NULL;
    int rows = s->n[2] + 1;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(s->memory, z, rows, s->error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(s->memory, winding, rows + 1, s->error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(s->memory, inside, rows, s->error));
    for (int32_t first = 0, count; first < s->count; first += count) {
        double x[3] = {0};
        count = rows - (first >= s->corner_count);
        for (int i = 0; i < count; ++i) {
            position_of(s, first + i, x);
            z[i] = x[2];
        }
        pli_enclosure_column(s->surface, x[0], x[1], count, z, winding, inside);
        for (int i = 0; i < count; ++i) s->sign[first + i] = inside[i] ? 1 : -1;
    }
cleanup:
    PLI_FREE(s->memory, z, rows);
    PLI_FREE(s->memory, winding, rows + 1);
    PLI_FREE(s->memory, inside, rows);
    return status;
}

// ---- cuts

// The cut of the edge between points of opposite signs.
static pli_status find_cut(stuffing* s, int32_t a, int32_t b, int32_t* number) {
    int64_t low = a < b ? a : b, high = a < b ? b : a, key = low << 32 | high;
    *number = pli_ids_find(&s->edges, key);
    if (*number >= 0) return PLI_OK;
    PLI_TRY(PLI_GROW(s->memory, s->cuts, s->cut_capacity, s->cut_count + 1, s->error));
    PLI_TRY(pli_ids_add(&s->edges, key, s->cut_count, s->error));
    cut* c = &s->cuts[*number = s->cut_count++];
    double p[3], q[3];
    bool forward = s->sign[low] > 0;
    position_of(s, (int32_t)(forward ? low : high), p);
    position_of(s, (int32_t)(forward ? high : low), q);
    double t = pli_enclosure_leave(s->surface, p, q, &c->triangle);
    for (int k = 0; k < 3; ++k) c->x[k] = (1 - t) * p[k] + t * q[k];
    c->t = forward ? t : 1 - t;
    c->vertex = -1;
    return PLI_OK;
}

// Moves a point to the nearest cut that is too close to it.
static pli_status move_point(stuffing* s, int32_t point) {
    double nearest = HUGE_VAL;
    int32_t chosen = -1;
    int place[3];
    place_of(s, point, place);
    for (int i = 0; i < NEIGHBOURS; ++i) {
        int32_t number, other = point_at(s, (int[3]){place[0] + steps[i][0], place[1] + steps[i][1],
                                                     place[2] + steps[i][2]});
        if (other < 0 || s->sign[point] * s->sign[other] >= 0) continue;
        PLI_TRY(find_cut(s, point, other, &number));
        double t = point < other ? s->cuts[number].t : 1 - s->cuts[number].t;
        double length = i < LONG_NEIGHBOURS ? 1 : 0.86602540378443865;
        if (t >= (i < LONG_NEIGHBOURS ? share_long : share_short) || t * length >= nearest)
            continue;
        nearest = t * length;
        chosen = number;
    }
    if (chosen < 0) return PLI_OK;
    s->sign[point] = 0;
    return pli_ids_add(&s->moved, point, chosen, s->error);
}

// ---- the mesh

static pli_status add_vertex(stuffing* s, const double x[3], int32_t triangle, int32_t* vertex) {
    int at = s->vertex_count;
    if (at >= INT32_MAX / 4) return pli_fail(s->error, PLI_E_ARGUMENT, "too many vertices");
    PLI_TRY(PLI_GROW(s->memory, s->x, s->x_capacity, 3 * at + 3, s->error));
    PLI_TRY(PLI_GROW(s->memory, s->triangles, s->triangle_capacity, at + 1, s->error));
    memcpy(s->x + 3 * (size_t)at, x, 3 * sizeof *x);
    s->triangles[at] = triangle;
    *vertex = s->vertex_count++;
    return PLI_OK;
}

static pli_status vertex_of_point(stuffing* s, int32_t point, int32_t* vertex) {
    double x[3];
    int32_t triangle = -1, moved = s->sign[point] == 0 ? pli_ids_find(&s->moved, point) : -1;
    *vertex = s->vertex[point];
    if (*vertex >= 0) return PLI_OK;
    position_of(s, point, x);
    if (moved >= 0) {
        memcpy(x, s->cuts[moved].x, sizeof x);
        triangle = s->cuts[moved].triangle;
    }
    PLI_TRY(add_vertex(s, x, triangle, vertex));
    s->vertex[point] = *vertex;
    return PLI_OK;
}

static pli_status vertex_of_cut(stuffing* s, int32_t a, int32_t b, int32_t* vertex) {
    int32_t number;
    PLI_TRY(find_cut(s, a, b, &number));
    *vertex = s->cuts[number].vertex;
    if (*vertex >= 0) return PLI_OK;
    PLI_TRY(add_vertex(s, s->cuts[number].x, s->cuts[number].triangle, vertex));
    s->cuts[number].vertex = *vertex;
    return PLI_OK;
}

// Adds a tetrahedron with positive orientation: its angles make the sign unambiguous.
static pli_status add_tetrahedron(stuffing* s, int32_t a, int32_t b, int32_t c, int32_t d) {
    const double* o = s->x + 3 * (size_t)a;
    double u[3], v[3], w[3], n[3];
    if (s->tetrahedron_count >= INT32_MAX / 8)
        return pli_fail(s->error, PLI_E_ARGUMENT, "too many tetrahedra: size = %g m is too small",
                        s->size);
    pli_sub(s->x + 3 * (size_t)b, o, u, 3);
    pli_sub(s->x + 3 * (size_t)c, o, v, 3);
    pli_sub(s->x + 3 * (size_t)d, o, w, 3);
    pli_cross3(u, v, n);
    bool odd = pli_dot(n, w, 3) < 0;
    size_t at = 4 * (size_t)s->tetrahedron_count++;
    PLI_TRY(PLI_GROW(s->memory, s->tetrahedra, s->tetrahedron_capacity, (int)at + 4, s->error));
    const int32_t corners[4] = {a, odd ? c : b, odd ? b : c, d};
    memcpy(s->tetrahedra + at, corners, sizeof corners);
    return PLI_OK;
}

// ---- stencils

static bool is_middle(const stuffing* s, int32_t point) { return point >= s->corner_count; }

// A face with a and b inside and c outside is cut to a quadrangle. Whether its diagonal begins at
// a; if not, it begins at b. The two tetrahedra at the face agree. Where a long edge is cut, the
// diagonal ends at that cut; otherwise (a and b on the long edge) parity decides.
static bool begins_at_first(const stuffing* s, int32_t a, int32_t b, int32_t c) {
    if (is_middle(s, a) != is_middle(s, b)) return is_middle(s, b) == is_middle(s, c);
    int p[3], q[3], larger = 0;
    place_of(s, a, p);
    place_of(s, c, q);
    for (int k = 0; k < 3; ++k) larger += p[k] > q[k];
    return larger % 2 == 0;
}

// Three tetrahedra fill a prism of the triangles a and b. The diagonal of the side between i and j
// goes from a[i] to b[j] if from[i][j]; these relations order the three corners.
static pli_status fill_prism(stuffing* s, const int32_t a[3], const int32_t b[3], bool from[3][3]) {
    int order[3] = {0};
    for (int i = 0; i < 3; ++i) {
        int rank = 2;
        for (int j = 0; j < 3; ++j) rank -= i != j && from[i][j];
        order[rank] = i;
    }
    int i = order[0], j = order[1], k = order[2];
    PLI_TRY(add_tetrahedron(s, a[i], a[j], a[k], b[k]));
    PLI_TRY(add_tetrahedron(s, a[i], a[j], b[j], b[k]));
    return add_tetrahedron(s, a[i], b[i], b[j], b[k]);
}

// The points of a tetrahedron by their signs.
typedef struct sorted {
    int count[3];        // outside, on the surface, inside
    int32_t point[3][4]; // the same
} sorted;

enum { OUT, ON, IN };

// One point inside: the tetrahedron with cuts in place of the outer points.
static pli_status stuff_one(stuffing* s, const sorted* p) {
    int32_t v[4];
    int used = 1;
    PLI_TRY(vertex_of_point(s, p->point[IN][0], &v[0]));
    for (int i = 0; i < p->count[ON]; ++i) PLI_TRY(vertex_of_point(s, p->point[ON][i], &v[used++]));
    for (int i = 0; i < p->count[OUT]; ++i)
        PLI_TRY(vertex_of_cut(s, p->point[IN][0], p->point[OUT][i], &v[used++]));
    return add_tetrahedron(s, v[0], v[1], v[2], v[3]);
}

// Nothing outside.
static pli_status stuff_whole(stuffing* s, const sorted* p) {
    int32_t v[4];
    int used = 0;
    for (int k = IN; k >= ON; --k)
        for (int i = 0; i < p->count[k]; ++i)
            PLI_TRY(vertex_of_point(s, p->point[k][i], &v[used++]));
    return add_tetrahedron(s, v[0], v[1], v[2], v[3]);
}

// Two inside, one outside, one on the surface: a pyramid over the quadrangle of one face.
static pli_status stuff_pyramid(stuffing* s, const sorted* p) {
    int32_t a = p->point[IN][0], b = p->point[IN][1], c = p->point[OUT][0], v[4], tip;
    if (!begins_at_first(s, a, b, c)) {
        a = p->point[IN][1];
        b = p->point[IN][0];
    }
    PLI_TRY(vertex_of_point(s, p->point[ON][0], &tip));
    PLI_TRY(vertex_of_point(s, a, &v[0]));
    PLI_TRY(vertex_of_point(s, b, &v[1]));
    PLI_TRY(vertex_of_cut(s, b, c, &v[2]));
    PLI_TRY(vertex_of_cut(s, a, c, &v[3]));
    PLI_TRY(add_tetrahedron(s, tip, v[0], v[1], v[2]));
    return add_tetrahedron(s, tip, v[0], v[2], v[3]);
}

// Three inside, one outside: a prism from their face to the cuts.
static pli_status stuff_three(stuffing* s, const sorted* p) {
    int32_t a[3], b[3], c = p->point[OUT][0];
    bool from[3][3] = {{false}};
    for (int i = 0; i < 3; ++i) {
        PLI_TRY(vertex_of_point(s, p->point[IN][i], &a[i]));
        PLI_TRY(vertex_of_cut(s, p->point[IN][i], c, &b[i]));
        for (int j = 0; j < i; ++j) {
            from[i][j] = begins_at_first(s, p->point[IN][i], p->point[IN][j], c);
            from[j][i] = !from[i][j];
        }
    }
    return fill_prism(s, a, b, from);
}

// Two inside, two outside: a prism between the corners at the two. The diagonal of its side of four
// cuts is determined by the others: they begin at different points.
static pli_status stuff_two(stuffing* s, const sorted* p) {
    const int32_t *in = p->point[IN], *out = p->point[OUT];
    int32_t a[3], b[3];
    bool from[3][3] = {{false}};
    PLI_TRY(vertex_of_point(s, in[0], &a[0]));
    PLI_TRY(vertex_of_point(s, in[1], &b[0]));
    for (int i = 0; i < 2; ++i) {
        PLI_TRY(vertex_of_cut(s, in[0], out[i], &a[1 + i]));
        PLI_TRY(vertex_of_cut(s, in[1], out[i], &b[1 + i]));
        from[0][1 + i] = begins_at_first(s, in[0], in[1], out[i]);
        from[1 + i][0] = !from[0][1 + i];
    }
    PLI_ASSERT(from[0][1] != from[0][2]);
    from[1][2] = from[1][0]; // 1 before 0 before 2, or the reverse
    from[2][1] = !from[1][2];
    return fill_prism(s, a, b, from);
}

static pli_status stuff(stuffing* s, const int32_t points[4]) {
    sorted p = {{0}, {{0}}};
    for (int i = 0; i < 4; ++i) {
        int k = s->sign[points[i]] + 1;
        p.point[k][p.count[k]++] = points[i];
    }
    if (p.count[IN] == 0) return PLI_OK;
    if (p.count[OUT] == 0) return stuff_whole(s, &p);
    if (p.count[IN] == 1) return stuff_one(s, &p);
    if (p.count[IN] == 3) return stuff_three(s, &p);
    return p.count[OUT] == 2 ? stuff_two(s, &p) : stuff_pyramid(s, &p);
}

// The four tetrahedra around the long edge from a corner along an axis.
static pli_status stuff_around(stuffing* s, int32_t corner, int axis) {
    static const int around[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    int place[3], u = (axis + 1) % 3, v = (axis + 2) % 3;
    int32_t middles[4];
    place_of(s, corner, place);
    if (place[axis] == 2 * s->n[axis]) return PLI_OK;
    for (int i = 0; i < 4; ++i) {
        int m[3] = {0};
        m[axis] = place[axis] + 1;
        m[u] = place[u] + around[i][0];
        m[v] = place[v] + around[i][1];
        middles[i] = point_at(s, m);
        if (middles[i] < 0) return PLI_OK; // on the boundary of the grid
    }
    place[axis] += 2;
    int32_t next = point_at(s, place);
    for (int i = 0; i < 4; ++i)
        PLI_TRY(stuff(s, (int32_t[4]){corner, next, middles[i], middles[(i + 1) % 4]}));
    return PLI_OK;
}

static pli_status run(stuffing* s) {
    PLI_TRY(lay_lattice(s));
    PLI_TRY(find_signs(s));
    for (int32_t i = 0; i < s->count; ++i) PLI_TRY(move_point(s, i));
    for (int32_t i = 0; i < s->corner_count; ++i)
        for (int axis = 0; axis < 3; ++axis) PLI_TRY(stuff_around(s, i, axis));
    return PLI_OK;
}

static void init(stuffing* s, pli_memory* memory, const pli_enclosure* surface, double size,
                 pli_error* error) {
    *s = (stuffing){.memory = memory, .surface = surface, .size = size, .error = error};
    pli_ids_init(&s->moved, memory);
    pli_ids_init(&s->edges, memory);
}

static void clear(stuffing* s) {
    PLI_FREE(s->memory, s->sign, s->sign ? s->count : 0);
    PLI_FREE(s->memory, s->vertex, s->vertex ? s->count : 0);
    pli_ids_free(&s->moved);
    pli_ids_free(&s->edges);
    PLI_FREE(s->memory, s->cuts, s->cut_capacity);
    PLI_FREE(s->memory, s->x, s->x_capacity);
    PLI_FREE(s->memory, s->triangles, s->triangle_capacity);
    PLI_FREE(s->memory, s->tetrahedra, s->tetrahedron_capacity);
}

// ---- the size

static double filled_volume(const stuffing* s) {
    double sum = 0;
    for (int e = 0; e < s->tetrahedron_count; ++e) {
        const int32_t* v = s->tetrahedra + 4 * (size_t)e;
        const double* o = s->x + 3 * (size_t)v[0];
        double a[3], b[3], c[3], n[3];
        pli_sub(s->x + 3 * (size_t)v[1], o, a, 3);
        pli_sub(s->x + 3 * (size_t)v[2], o, b, 3);
        pli_sub(s->x + 3 * (size_t)v[3], o, c, 3);
        pli_cross3(a, b, n);
        sum += pli_dot(n, c, 3) / 6;
    }
    return sum;
}

// Twelve tetrahedra fill a cube of the lattice.
enum { WANTED = 8000, MOST = 200000, PER_CUBE = 12 };

// Fills with the given size. 0: a size that gives some thousand tetrahedra and is halved while thin
// parts are lost.
static pli_status fill(stuffing* s, double size) {
    double volume = pli_enclosure_volume(s->surface), extent = 0;
    for (int k = 0; k < 3; ++k) extent = fmax(extent, s->surface->high[k] - s->surface->low[k]);
    bool choose = size == 0;
    if (choose)
        size = pli_pow(PER_CUBE * fmax(volume, 1e-6 * extent * extent * extent) / WANTED, 1.0 / 3);
    for (;;) {
        stuffing next;
        init(&next, s->memory, s->surface, size, s->error);
        pli_status status = run(&next);
        if (status != PLI_OK) {
            clear(&next);
            return status;
        }
        clear(s);
        *s = next;
        bool thin = !(filled_volume(s) > 0.95 * volume);
        double expected = PER_CUBE * volume / (0.125 * size * size * size);
        if (!choose || !thin || expected > MOST) break;
        size *= 0.5;
    }
    if (s->tetrahedron_count > 0) return PLI_OK;
    return pli_fail(s->error, PLI_E_ARGUMENT,
                    "no tetrahedron of size %g m fits into the surface, which encloses %g m^3: use "
                    "a smaller size",
                    size, volume);
}

// ---- groups

// Whether the vertex lies on a triangle of the surface that is completely in the group.
static bool is_in_group(const stuffing* s, const pli_mesh* surface, const pli_mesh_group* group,
                        int vertex) {
    int plain = surface->element_count[PLI_TRIANGLE], t = s->triangles[vertex];
    if (t < 0) return false;
    const int32_t* v = t < plain ? surface->elements[PLI_TRIANGLE] + 3 * (size_t)t
                                 : surface->elements[PLI_TRIANGLE6] + 6 * (size_t)((t - plain) / 4);
    return pli_group_has(group, v[0]) && pli_group_has(group, v[1]) && pli_group_has(group, v[2]);
}

// The groups of the surface, and "surface": all vertices on it.
static pli_status add_groups(const stuffing* s, const pli_mesh* surface, int first,
                             pli_mesh* mesh) {
    int32_t* chosen;
    PLI_TRY(PLI_ALLOC(s->memory, chosen, s->vertex_count, s->error));
    pli_status status = PLI_OK;
    for (int g = -1; status == PLI_OK && g < surface->group_count; ++g) {
        const pli_mesh_group* group = g < 0 ? NULL : &surface->groups[g];
        int count = 0;
        for (int v = 0; v < s->vertex_count; ++v)
            if (group ? is_in_group(s, surface, group, v) : s->triangles[v] >= 0)
                chosen[count++] = first + v;
        if (count > 0)
            status = pli_mesh_add_group(mesh, group ? group->name : "surface",
                                        group ? group->tag : 0, 2, count, chosen, s->error);
    }
    PLI_FREE(s->memory, chosen, s->vertex_count);
    return status;
}

static pli_status copy_out(const stuffing* s, const pli_mesh* surface, pli_mesh* mesh) {
    int first;
    const pli_mesh before = *mesh;
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_TETRAHEDRON, s->tetrahedron_count, s->error));
    PLI_TRY(pli_mesh_add_vertices(mesh, s->vertex_count, s->x, &first, s->error));
    pli_status status = add_groups(s, surface, first, mesh);
    if (status != PLI_OK) {
        mesh->vertex_count = before.vertex_count;
        pli_mesh_cut_groups(mesh, before.group_count);
        return status;
    }
    for (int e = 0; e < s->tetrahedron_count; ++e) {
        int32_t v[4];
        for (int i = 0; i < 4; ++i) v[i] = first + s->tetrahedra[4 * (size_t)e + (size_t)i];
        pli_mesh_put_element(mesh, PLI_TETRAHEDRON, v);
    }
    return PLI_OK;
}

pli_status pli_mesh_fill(pli_mesh* mesh, const pli_mesh* surface, double size, double* used_size,
                         pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_mesh_need(surface, error));
    if (mesh == surface)
        return pli_fail(error, PLI_E_ARGUMENT, "the surface must not be the mesh that is filled");
    if (!(size >= 0 && isfinite(size)))
        return pli_fail(error, PLI_E_ARGUMENT, "size = %g m, must be > 0, or 0 to choose one",
                        size);
    pli_memory memory;
    pli_enclosure enclosure;
    stuffing s;
    pli_memory_init(&memory, mesh->allocator);
    PLI_TRY(pli_enclosure_create(&memory, surface, &enclosure, error));
    init(&s, &memory, &enclosure, size, error);
    pli_status status = fill(&s, size);
    if (status == PLI_OK) status = copy_out(&s, surface, mesh);
    if (status == PLI_OK && used_size) *used_size = s.size;
    clear(&s);
    pli_enclosure_free(&enclosure);
    return status;
}
