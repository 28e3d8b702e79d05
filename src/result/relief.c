// Triangles to draw. Where they are too many, vertices at rest are put into cubes of a grid; all
// vertices of one body in one cube become one of them, and triangles that keep less than three
// corners vanish [Rossignac and Borrel 1993, "Multi-resolution 3D approximations"]. The vertex that
// stays is the farthest from the middle of its body: edges and corners of boxes are kept.
#include "result/relief.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "mesh/loose.h"
#include "mesh/measure.h"
#include "mesh/sort.h"
#include "mesh/surface.h"

// ---- collecting

static pli_status reserve(pli_relief* r, int count, pli_error* error) {
    if (count > INT32_MAX / 12 - r->triangle_count)
        return pli_fail(error, PLI_E_MEMORY, "%d triangles are too many to draw", count);
    int needed = r->triangle_count + count;
    PLI_TRY(PLI_GROW(r->memory, r->triangles, r->corner_capacity, 3 * needed, error));
    return PLI_GROW(r->memory, r->flags, r->flag_capacity, needed, error);
}

static void add_triangle(pli_relief* r, int32_t a, int32_t b, int32_t c, uint8_t flags) {
    const int32_t corners[3] = {a, b, c};
    memcpy(r->triangles + 3 * (size_t)r->triangle_count, corners, sizeof corners);
    r->flags[r->triangle_count++] = flags;
}

// The boundary of the tetrahedra.
static pli_status add_solids(pli_relief* r, const pli_snapshot* s, pli_element_kind kind,
                             pli_error* error) {
    if (s->element_count[kind] == 0) return PLI_OK;
    pli_surface surface = {0};
    PLI_TRY(pli_surface_create(r->memory, s->vertex_count, kind, s->element_count[kind],
                               s->elements[kind], &surface, error));
    pli_status status = reserve(r, surface.triangle_count, error);
    for (int t = 0; t < surface.triangle_count && status == PLI_OK; ++t) {
        const int32_t* v = surface.triangles + 3 * (size_t)t;
        if (!s->body_cage || !s->body_cage[s->vertex_body[v[0]]])
            add_triangle(r, v[0], v[1], v[2], PLI_RELIEF_SOLID);
    }
    pli_surface_free(&surface);
    return status;
}

// Triangles that are no faces of tetrahedra; quadratic ones as four.
static pli_status add_sheets(pli_relief* r, const pli_snapshot* s, pli_element_kind kind,
                             pli_error* error) {
    static const int corners[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    static const int whole[1][3] = {{0, 1, 2}};
    bool quadratic = kind == PLI_TRIANGLE6;
    const int(*parts)[3] = quadratic ? corners : whole;
    int each = quadratic ? 4 : 1, count = s->element_count[kind];
    pli_skin_source source = {.dim = 3, .vertex_limit = s->vertex_count};
    bool* loose;
    if (count == 0) return PLI_OK;
    if (count > INT32_MAX / 4)
        return pli_fail(error, PLI_E_MEMORY, "%d triangles are too many to draw", count);
    memcpy(source.count, s->element_count, sizeof source.count);
    memcpy(source.elements, s->elements, sizeof source.elements);
    PLI_TRY(reserve(r, each * count, error));
    PLI_TRY(PLI_ALLOC(r->memory, loose, count, error));
    pli_status status = pli_mark_loose(r->memory, &source, kind, 3, loose, error);
    for (int e = 0; e < count && status == PLI_OK; ++e) {
        const int32_t* v = s->elements[kind] + (size_t)e * (size_t)pli_element_size(kind);
        for (int p = 0; p < each && loose[e]; ++p)
            add_triangle(r, v[parts[p][0]], v[parts[p][1]], v[parts[p][2]], 0);
    }
    PLI_FREE(r->memory, loose, count);
    return status;
}

static pli_status collect(pli_relief* r, const pli_snapshot* s, pli_error* error) {
    PLI_TRY(add_solids(r, s, PLI_TETRAHEDRON, error));
    PLI_TRY(add_solids(r, s, PLI_TETRAHEDRON10, error));
    PLI_TRY(add_sheets(r, s, PLI_TRIANGLE, error));
    return add_sheets(r, s, PLI_TRIANGLE6, error);
}

// ---- merging

typedef struct extent {
    double low[3], high[3];
} extent;

enum { CUBE_WIDTH = 5, CUBE_COLUMNS = 4 }; // body and cube of a vertex, then its number

// Scratch of the merge.
typedef struct merge {
    const pli_snapshot* snapshot;
    extent* bodies; // of the vertices that are shown
    int32_t* rows;  // CUBE_WIDTH per shown vertex
    int32_t* stays; // per vertex of the world: the one it becomes; -1: it is not shown
    int32_t* faces; // 4 per triangle: corners, the lowest first, then flags
    int row_count, face_count;
    int vertex_count, triangle_count; // room
} merge;

static double largest_side(const extent* box) {
    double side = 0;
    for (int c = 0; c < 3; ++c) side = fmax(side, box->high[c] - box->low[c]);
    return side;
}

static void find_extents(const pli_relief* r, merge* m) {
    const pli_snapshot* s = m->snapshot;
    for (int b = 0; b < s->body_count; ++b)
        for (int c = 0; c < 3; ++c) {
            m->bodies[b].low[c] = HUGE_VAL;
            m->bodies[b].high[c] = -HUGE_VAL;
        }
    for (int i = 0; i < s->vertex_count; ++i) m->stays[i] = -1;
    for (int i = 0; i < 3 * r->triangle_count; ++i) {
        int32_t v = r->triangles[i];
        extent* box = &m->bodies[s->vertex_body[v]];
        m->stays[v] = v;
        for (int c = 0; c < 3; ++c) {
            box->low[c] = fmin(box->low[c], s->rest[3 * (size_t)v + (size_t)c]);
            box->high[c] = fmax(box->high[c], s->rest[3 * (size_t)v + (size_t)c]);
        }
    }
}

// A small body has at least three cubes along its longest side.
static double cube_size(const extent* box, double size) {
    return fmin(size, largest_side(box) / 2.5);
}

static void fill_rows(merge* m, double size, int most) {
    const pli_snapshot* s = m->snapshot;
    m->row_count = 0;
    for (int32_t v = 0; v < s->vertex_count; ++v) {
        if (m->stays[v] < 0) continue;
        int32_t* row = m->rows + CUBE_WIDTH * (size_t)m->row_count++;
        const extent* box = &m->bodies[s->vertex_body[v]];
        double cube = cube_size(box, size);
        row[0] = s->vertex_body[v];
        for (int c = 0; c < 3; ++c) {
            double at = (s->rest[3 * (size_t)v + (size_t)c] - box->low[c]) / cube;
            row[1 + c] = at > 0 ? (int32_t)fmin(at, most - 1) : 0; // not a number: 0
        }
        row[4] = v;
    }
}

// Of the vertices in one cube, rows [first, end), the farthest from the middle of the body.
static int32_t farthest(const merge* m, int first, int end) {
    const pli_snapshot* s = m->snapshot;
    const extent* box = &m->bodies[m->rows[CUBE_WIDTH * (size_t)first]];
    int32_t best = m->rows[CUBE_WIDTH * (size_t)first + 4];
    double far = -1;
    for (int i = first; i < end; ++i) {
        int32_t v = m->rows[CUBE_WIDTH * (size_t)i + 4];
        double square = 0;
        for (int c = 0; c < 3; ++c) {
            double d = s->rest[3 * (size_t)v + (size_t)c] - 0.5 * (box->low[c] + box->high[c]);
            square += d * d;
        }
        if (square > far) {
            far = square;
            best = v;
        }
    }
    return best;
}

// The triangles that are left with cubes of this size, each once.
static pli_status merge_with(const pli_relief* r, merge* m, double size, pli_error* error) {
    const int most = 1 << 10; // cubes along a side
    int limit = pli_max_int(most, m->snapshot->body_count);
    fill_rows(m, size, most);
    PLI_TRY(
        pli_sort_rows(r->memory, m->rows, m->row_count, CUBE_WIDTH, CUBE_COLUMNS, limit, error));
    for (int i = 0, end; i < m->row_count; i = end) {
        const int32_t* row = m->rows + CUBE_WIDTH * (size_t)i;
        for (end = i + 1; end < m->row_count && memcmp(row, m->rows + CUBE_WIDTH * (size_t)end,
                                                       CUBE_COLUMNS * sizeof *row) == 0;)
            ++end;
        int32_t stays = farthest(m, i, end);
        for (int k = i; k < end; ++k) m->stays[m->rows[CUBE_WIDTH * (size_t)k + 4]] = stays;
    }
    int count = 0;
    for (int t = 0; t < r->triangle_count; ++t) {
        int32_t v[3];
        for (int k = 0; k < 3; ++k) v[k] = m->stays[r->triangles[3 * (size_t)t + (size_t)k]];
        if (v[0] == v[1] || v[1] == v[2] || v[2] == v[0]) continue;
        int lowest = v[0] < v[1] ? (v[0] < v[2] ? 0 : 2) : (v[1] < v[2] ? 1 : 2);
        int32_t* face = m->faces + 4 * (size_t)count++;
        for (int k = 0; k < 3; ++k) face[k] = v[(lowest + k) % 3];
        face[3] = r->flags[t];
    }
    PLI_TRY(pli_sort_rows(r->memory, m->faces, count, 4, 3, m->snapshot->vertex_count, error));
    m->face_count = 0;
    for (int i = 0; i < count; ++i) {
        const int32_t* face = m->faces + 4 * (size_t)i;
        if (i > 0 && memcmp(face, face - 4, 3 * sizeof *face) == 0) continue;
        memmove(m->faces + 4 * (size_t)m->face_count++, face, 4 * sizeof *face);
    }
    return PLI_OK;
}

// Cubes grow until few enough triangles are left, or all bodies are as coarse as they may be.
static pli_status coarsen(pli_relief* r, merge* m, int limit, pli_error* error) {
    const double growth = 1.25;
    double area = 0, coarsest = 0;
    for (int t = 0; t < r->triangle_count; ++t)
        area +=
            pli_element_measure(3, PLI_TRIANGLE, r->triangles + 3 * (size_t)t, m->snapshot->rest);
    find_extents(r, m);
    for (int b = 0; b < m->snapshot->body_count; ++b)
        coarsest = fmax(coarsest, largest_side(&m->bodies[b]));
    double size = sqrt(area / limit);
    if (!(size > 0) || !isfinite(size)) return PLI_OK;
    do {
        PLI_TRY(merge_with(r, m, size, error));
        size *= growth;
    } while (m->face_count > limit && size < coarsest);
    r->triangle_count = 0;
    for (int i = 0; i < m->face_count; ++i) {
        const int32_t* face = m->faces + 4 * (size_t)i;
        add_triangle(r, face[0], face[1], face[2], (uint8_t)face[3]);
    }
    return PLI_OK;
}

static pli_status merge_triangles(pli_relief* r, const pli_snapshot* s, int limit,
                                  pli_error* error) {
    pli_memory* memory = r->memory;
    merge m = {.snapshot = s, .vertex_count = s->vertex_count, .triangle_count = r->triangle_count};
    size_t vertices = (size_t)s->vertex_count, triangles = (size_t)r->triangle_count;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m.bodies, s->body_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m.rows, CUBE_WIDTH * vertices, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m.stays, vertices, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, m.faces, 4 * triangles, error));
    PLI_TRY_CLEANUP(status, coarsen(r, &m, limit, error));
cleanup:
    PLI_FREE(memory, m.bodies, s->body_count);
    PLI_FREE(memory, m.rows, CUBE_WIDTH * vertices);
    PLI_FREE(memory, m.stays, vertices);
    PLI_FREE(memory, m.faces, 4 * triangles);
    return status;
}

// ---- sides

static void find_normal(const pli_relief* r, const double* x, int t, double n[3]) {
    const int32_t* v = r->triangles + 3 * (size_t)t;
    double a[3], b[3];
    pli_sub(x + 3 * (size_t)v[1], x + 3 * (size_t)v[0], a, 3);
    pli_sub(x + 3 * (size_t)v[2], x + 3 * (size_t)v[0], b, 3);
    pli_cross3(a, b, n);
    double length = pli_norm(n, 3);
    for (int c = 0; c < 3 && length > 0; ++c) n[c] /= length;
}

// The side of triangle t that has these two corners.
static int side_of(const pli_relief* r, int t, const int32_t* ends) {
    const int32_t* v = r->triangles + 3 * (size_t)t;
    for (int k = 0; k < 2; ++k) {
        int32_t a = v[k], b = v[k + 1];
        if ((a == ends[0] && b == ends[1]) || (a == ends[1] && b == ends[0])) return k;
    }
    return 2;
}

static pli_status find_sides(pli_relief* r, const pli_snapshot* s, pli_error* error) {
    const double sharp = 0.8; // cosine of the angle between normals
    pli_edges edges = {0};
    PLI_TRY(PLI_ALLOC(r->memory, r->neighbours, 3 * (size_t)r->triangle_count, error));
    r->neighbour_count = 3 * r->triangle_count;
    PLI_TRY(pli_edges_create(r->memory, s->vertex_count, r->triangle_count, r->triangles, &edges,
                             error));
    for (int i = 0; i < 3 * r->triangle_count; ++i) r->neighbours[i] = -1;
    for (int e = 0; e < edges.count; ++e) {
        const int32_t *t = edges.triangles + 2 * (size_t)e, *ends = edges.vertices + 2 * (size_t)e;
        double length = pli_element_measure(3, PLI_SEGMENT, ends, s->rest), n[2][3];
        if (isfinite(length)) r->edge_length += length / edges.count;
        bool crease = edges.use[e] != 2;
        if (!crease) {
            for (int k = 0; k < 2; ++k) find_normal(r, s->rest, t[k], n[k]);
            crease = pli_dot(n[0], n[1], 3) * (edges.turned[e] ? -1 : 1) < sharp;
        }
        for (int k = 0; k < 2 && t[k] >= 0; ++k) {
            int side = side_of(r, t[k], ends);
            r->neighbours[3 * (size_t)t[k] + (size_t)side] = t[1 - k];
            if (crease) r->flags[t[k]] |= (uint8_t)(PLI_RELIEF_CREASE << side);
        }
    }
    pli_edges_free(&edges);
    return PLI_OK;
}

pli_status pli_relief_init(pli_relief* relief, pli_memory* memory, const pli_snapshot* snapshot,
                           int limit, pli_error* error) {
    pli_relief fresh = {.memory = memory};
    pli_status status;
    PLI_TRY_CLEANUP(status, collect(&fresh, snapshot, error));
    if (fresh.triangle_count > limit)
        PLI_TRY_CLEANUP(status, merge_triangles(&fresh, snapshot, limit, error));
    PLI_TRY_CLEANUP(status, find_sides(&fresh, snapshot, error));
    *relief = fresh;
    fresh = (pli_relief){0};
cleanup:
    pli_relief_free(&fresh);
    return status;
}

void pli_relief_free(pli_relief* relief) {
    pli_memory* memory = relief->memory;
    if (!memory) return;
    PLI_FREE(memory, relief->triangles, relief->corner_capacity);
    PLI_FREE(memory, relief->flags, relief->flag_capacity);
    PLI_FREE(memory, relief->neighbours, relief->neighbour_count);
    *relief = (pli_relief){0};
}
