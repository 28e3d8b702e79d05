// Surfaces: faces and edges are rows of their sorted vertices; after sorting the rows equal ones
// are neighbours.
#include "mesh/surface.h"

#include <string.h>

#include "base/disjoint.h"
#include "mesh/sort.h"

static void sort_three(int32_t v[3]) {
    for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2 - i; ++j)
            if (v[j] > v[j + 1]) {
                int32_t swap = v[j];
                v[j] = v[j + 1];
                v[j + 1] = swap;
            }
}

static bool same_columns(const int32_t* a, const int32_t* b, int columns) {
    return memcmp(a, b, (size_t)columns * sizeof *a) == 0;
}

// ---- boundary of tetrahedra

// Corners of the face opposite to each corner, counter-clockwise seen from outside, and the middles
// of the face's edges in the same order.
static const int faces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
static const int middles[4][3] = {{5, 9, 8}, {7, 9, 6}, {4, 8, 7}, {6, 5, 4}};

enum { FACE_WIDTH = 4 }; // sorted corners, then 4 * element + face

static void put_face(const int32_t* v, int face, bool quadratic, int32_t* out) {
    int32_t c[3], m[3];
    for (int i = 0; i < 3; ++i) c[i] = v[faces[face][i]];
    if (!quadratic) {
        memcpy(out, c, sizeof c);
        return;
    }
    for (int i = 0; i < 3; ++i) m[i] = v[middles[face][i]]; // m[i] is between c[i] and c[i + 1]
    const int32_t four[12] = {c[0], m[0], m[2], m[0], c[1], m[1],
                              m[2], m[1], c[2], m[0], m[1], m[2]};
    memcpy(out, four, sizeof four);
}

// Whether the corners of the face, as its tetrahedron has them, are an odd permutation of the
// sorted ones.
static bool is_odd(const int32_t* row, const int32_t* elements, int width) {
    const int32_t* v = elements + (size_t)width * (size_t)(row[3] / 4);
    int32_t c[3];
    for (int i = 0; i < 3; ++i) c[i] = v[faces[row[3] % 4][i]];
    return (c[0] > c[1]) ^ (c[0] > c[2]) ^ (c[1] > c[2]);
}

static void count_face(int* count, int32_t first[3], const int32_t* row) {
    if ((*count)++ == 0) memcpy(first, row, 3 * sizeof *row);
}

// Keeps the first columns of rows that are alone; counts groups of three or more, and pairs that
// see the face turned the same way.
static int keep_single(int32_t* rows, int count, const int32_t* elements, int width,
                       pli_surface* s) {
    int kept = 0;
    for (int i = 0, end; i < count; i = end) {
        const int32_t* row = rows + (size_t)FACE_WIDTH * (size_t)i;
        for (end = i + 1;
             end < count && same_columns(row, rows + (size_t)FACE_WIDTH * (size_t)end, 3);)
            ++end;
        if (end > i + 2) count_face(&s->crowded_faces, s->first_crowded, row);
        if (end == i + 2 &&
            is_odd(row, elements, width) == is_odd(row + FACE_WIDTH, elements, width))
            count_face(&s->overlapped_faces, s->first_overlapped, row);
        if (end == i + 1)
            memmove(rows + (size_t)FACE_WIDTH * (size_t)kept++, row, FACE_WIDTH * sizeof *row);
    }
    return kept;
}

static pli_status fill_vertices(pli_surface* s, int world_vertex_count, pli_error* error) {
    bool* marked;
    PLI_TRY(PLI_ALLOC(s->memory, marked, world_vertex_count, error));
    int count = 0;
    for (int i = 0; i < 3 * s->triangle_count; ++i) {
        count += !marked[s->triangles[i]];
        marked[s->triangles[i]] = true;
    }
    pli_status status = PLI_ALLOC(s->memory, s->vertices, count, error);
    if (status == PLI_OK) s->vertex_count = count;
    for (int v = 0, next = 0; v < world_vertex_count && status == PLI_OK; ++v)
        if (marked[v]) s->vertices[next++] = v;
    PLI_FREE(s->memory, marked, world_vertex_count);
    return status;
}

pli_status pli_surface_create(pli_memory* memory, int world_vertex_count, pli_element_kind kind,
                              int element_count, const int32_t* elements, pli_surface* out,
                              pli_error* error) {
    PLI_ASSERT(kind == PLI_TETRAHEDRON || kind == PLI_TETRAHEDRON10);
    bool quadratic = kind == PLI_TETRAHEDRON10;
    int width = pli_element_size(kind), count = 4 * element_count, each = quadratic ? 4 : 1;
    int32_t* rows = NULL;
    pli_surface s = {
        .memory = memory, .first_crowded = {-1, -1, -1}, .first_overlapped = {-1, -1, -1}};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, rows, (size_t)FACE_WIDTH * (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        const int32_t* v = elements + (size_t)width * (size_t)(i / 4);
        int32_t* row = rows + (size_t)FACE_WIDTH * (size_t)i;
        for (int k = 0; k < 3; ++k) row[k] = v[faces[i % 4][k]];
        sort_three(row);
        row[3] = i;
    }
    PLI_TRY_CLEANUP(status,
                    pli_sort_rows(memory, rows, count, FACE_WIDTH, 3, world_vertex_count, error));
    int kept = keep_single(rows, count, elements, width, &s), triangles = each * kept;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, s.triangles, 3 * (size_t)triangles, error));
    s.triangle_count = triangles;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, s.elements, triangles, error));
    for (int i = 0; i < kept; ++i) {
        int face = rows[(size_t)FACE_WIDTH * (size_t)i + 3];
        const int32_t* v = elements + (size_t)width * (size_t)(face / 4);
        put_face(v, face % 4, quadratic, s.triangles + 3 * (size_t)each * (size_t)i);
        for (int k = 0; k < each; ++k) s.elements[each * i + k] = face / 4;
    }
    PLI_TRY_CLEANUP(status, fill_vertices(&s, world_vertex_count, error));
    *out = s;
    s = (pli_surface){.memory = memory};
cleanup:
    PLI_FREE(memory, rows, (size_t)FACE_WIDTH * (size_t)count);
    pli_surface_free(&s);
    return status;
}

void pli_surface_free(pli_surface* s) {
    if (!s->memory) return;
    PLI_FREE(s->memory, s->triangles, 3 * (size_t)s->triangle_count);
    PLI_FREE(s->memory, s->elements, s->triangle_count);
    PLI_FREE(s->memory, s->vertices, s->vertex_count);
    *s = (pli_surface){0};
}

// ---- edges of triangles

enum { EDGE_WIDTH = 3 }; // lower and higher vertex, then 2 * triangle + (runs from high to low)

static int count_groups(const int32_t* rows, int count) {
    int groups = 0;
    for (int i = 0; i < count; ++i)
        groups += i == 0 || !same_columns(rows + EDGE_WIDTH * (size_t)i,
                                          rows + EDGE_WIDTH * (size_t)(i - 1), 2);
    return groups;
}

static void fill_edges(const int32_t* rows, int count, pli_edges* e) {
    int edge = -1;
    for (int i = 0; i < count; ++i) {
        const int32_t* row = rows + EDGE_WIDTH * (size_t)i;
        if (edge < 0 || !same_columns(row, e->vertices + 2 * (size_t)edge, 2)) {
            memcpy(e->vertices + 2 * (size_t)++edge, row, 2 * sizeof *row);
            e->triangles[2 * edge + 1] = -1;
        }
        int use = e->use[edge]++;
        if (use < 2) e->triangles[2 * edge + use] = row[2] / 2;
        if (use == 1) e->turned[edge] = row[2] % 2 == row[2 - EDGE_WIDTH] % 2;
    }
}

pli_status pli_edges_create(pli_memory* memory, int world_vertex_count, int triangle_count,
                            const int32_t* triangles, pli_edges* out, pli_error* error) {
    int count = 3 * triangle_count;
    int32_t* rows = NULL;
    pli_edges e = {.memory = memory};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, rows, EDGE_WIDTH * (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        int32_t from = triangles[i], to = triangles[i % 3 == 2 ? i - 2 : i + 1];
        int32_t* row = rows + EDGE_WIDTH * (size_t)i;
        row[0] = from < to ? from : to;
        row[1] = from < to ? to : from;
        row[2] = 2 * (i / 3) + (from > to);
    }
    PLI_TRY_CLEANUP(status,
                    pli_sort_rows(memory, rows, count, EDGE_WIDTH, 2, world_vertex_count, error));
    int groups = count_groups(rows, count);
    e.count = groups;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, e.vertices, 2 * (size_t)groups, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, e.triangles, 2 * (size_t)groups, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, e.use, groups, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, e.turned, groups, error));
    fill_edges(rows, count, &e);
    *out = e;
    e = (pli_edges){.memory = memory};
cleanup:
    PLI_FREE(memory, rows, EDGE_WIDTH * (size_t)count);
    pli_edges_free(&e);
    return status;
}

void pli_edges_free(pli_edges* e) {
    if (!e->memory) return;
    PLI_FREE(e->memory, e->vertices, 2 * (size_t)e->count);
    PLI_FREE(e->memory, e->triangles, 2 * (size_t)e->count);
    PLI_FREE(e->memory, e->use, e->count);
    PLI_FREE(e->memory, e->turned, e->count);
    *e = (pli_edges){0};
}

// ---- sets that hang together

pli_status pli_mesh_components(pli_memory* memory, const pli_mesh* mesh, int32_t* label, int* count,
                               pli_error* error) {
    int32_t* parent;
    int n = mesh->vertex_count;
    PLI_TRY(PLI_ALLOC(memory, parent, n, error));
    for (int v = 0; v < n; ++v) parent[v] = v, label[v] = -1;
    for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
        int width = pli_element_size((pli_element_kind)kind);
        for (int e = 0; e < mesh->element_count[kind]; ++e) {
            const int32_t* v = mesh->elements[kind] + (size_t)width * (size_t)e;
            for (int i = 0; i < width; ++i) {
                pli_disjoint_join(parent, v[0], v[i]);
                label[v[i]] = 0;
            }
        }
    }
    *count = 0;
    for (int v = 0; v < n; ++v) {
        if (label[v] < 0) continue;
        int32_t root = pli_disjoint_root(parent, v);
        label[v] = root == v ? (*count)++ : label[root]; // the root is lower and has its number
    }
    PLI_FREE(memory, parent, n);
    return PLI_OK;
}

// ---- what is wrong with a surface

static void count_edge(int* count, int first[2], const int32_t* edge) {
    if ((*count)++ == 0) first[0] = edge[0], first[1] = edge[1];
}

// Which corner of the triangle is the vertex, as a number of all corners.
static int32_t corner_of(const int32_t* triangles, int32_t t, int32_t vertex) {
    int32_t first = 3 * t;
    return triangles[first] == vertex       ? first
           : triangles[first + 1] == vertex ? first + 1
                                            : first + 2;
}

// Corners that share an edge belong to one fan, triangles that share one to one component.
static void unite_over_edges(const pli_edges* e, const int32_t* triangles, int32_t* corners,
                             int32_t* components) {
    for (int i = 0; i < e->count; ++i) {
        int32_t a = e->triangles[2 * i], b = e->triangles[2 * i + 1];
        if (b < 0) continue;
        pli_disjoint_join(components, a, b);
        for (int k = 0; k < 2; ++k) {
            int32_t vertex = e->vertices[2 * i + k];
            pli_disjoint_join(corners, corner_of(triangles, a, vertex),
                              corner_of(triangles, b, vertex));
        }
    }
}

// A vertex is pinched if its corners have more than one root.
static void count_fans(int triangle_count, const int32_t* triangles, int32_t* corners,
                       int32_t* root_of, pli_surface_report* report) {
    for (int i = 0; i < 3 * triangle_count; ++i) {
        int32_t root = pli_disjoint_root(corners, i), v = triangles[i];
        if (root_of[v] == 0)
            root_of[v] = root + 1;
        else if (root_of[v] > 0 && root_of[v] != root + 1) {
            root_of[v] = -1;
            report->pinched_vertices++;
            if (report->first_pinched < 0 || v < report->first_pinched) report->first_pinched = v;
        }
    }
}

pli_status pli_surface_inspect(pli_memory* memory, int world_vertex_count, int triangle_count,
                               const int32_t* triangles, pli_surface_report* out,
                               pli_error* error) {
    pli_surface_report r = {.first_open = {-1, -1},
                            .first_crowded = {-1, -1},
                            .first_turned = {-1, -1},
                            .first_pinched = -1};
    pli_edges e = {0};
    int32_t *corners = NULL, *components = NULL, *root_of = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(
        status, pli_edges_create(memory, world_vertex_count, triangle_count, triangles, &e, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, corners, 3 * (size_t)triangle_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, components, triangle_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, root_of, world_vertex_count, error));
    for (int i = 0; i < 3 * triangle_count; ++i) corners[i] = i;
    for (int i = 0; i < triangle_count; ++i) components[i] = i;
    r.edge_count = e.count;
    for (int i = 0; i < e.count; ++i) {
        const int32_t* edge = e.vertices + 2 * (size_t)i;
        if (e.use[i] == 1) count_edge(&r.open_edges, r.first_open, edge);
        if (e.use[i] > 2) count_edge(&r.crowded_edges, r.first_crowded, edge);
        if (e.use[i] == 2 && e.turned[i]) count_edge(&r.turned_edges, r.first_turned, edge);
    }
    unite_over_edges(&e, triangles, corners, components);
    count_fans(triangle_count, triangles, corners, root_of, &r);
    for (int i = 0; i < triangle_count; ++i)
        r.component_count += pli_disjoint_root(components, i) == i;
    *out = r;
cleanup:
    pli_edges_free(&e);
    PLI_FREE(memory, corners, 3 * (size_t)triangle_count);
    PLI_FREE(memory, components, triangle_count);
    PLI_FREE(memory, root_of, world_vertex_count);
    return status;
}
