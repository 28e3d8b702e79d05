// Sides are rows of their sorted vertices; after a stable sort of the rows equal ones are adjacent.
#include "mesh/topology.h"

#include <string.h>

#include "base/collections.h"
#include "mesh/reference.h"

// ---- tables

// Local vertices of the faces of an element: corners, then the midside nodes 01 12 20. The faces of
// a tetrahedron are counter-clockwise when seen from outside.
typedef uint8_t face[PLI_FACE_MAX];
static const face flat_face[1] = {{0, 1, 2, 3, 4, 5}};
static const face solid_faces[4] = {
    {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}};

// Parts of a face: vertices of the face and, for whole edges and faces, the midside nodes.
static const face whole_face[1] = {{0, 1, 2, 3, 4, 5}};
static const face edges[3] = {{0, 1, 3}, {1, 2, 4}, {2, 0, 5}};
static const face split_edges[6] = {{0, 3}, {3, 1}, {1, 4}, {4, 2}, {2, 5}, {5, 0}};
static const face edge_parts[12] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {3, 1}, {1, 4},
                                    {4, 2}, {2, 5}, {5, 0}, {3, 4}, {4, 5}, {5, 3}};
static const face face_parts[5] = {{0, 1, 2}, {0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

const uint8_t pli_quarters[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};

typedef struct part_list {
    int count;
    const face* parts;
} part_list;

typedef struct side_row {
    int width;
    unsigned dims;      // bit d: elements of dimension d have such sides
    bool middles;       // sides of quadratic elements include the midside nodes
    part_list parts[2]; // of each face: of linear elements, of quadratic ones
} side_row;

static const side_row rows_of[PLI_SIDE_KIND_COUNT] = {
    [PLI_SEGMENTS] = {2, 2, false, {{1, edges}, {1, edges}}},
    [PLI_EDGES] = {2, 4, true, {{3, edges}, {3, edges}}},
    [PLI_SPLIT_EDGES] = {2, 4, false, {{3, edges}, {6, split_edges}}},
    [PLI_FACES] = {3, 8, true, {{1, whole_face}, {1, whole_face}}},
    [PLI_LINKS] = {2, 14, false, {{3, edges}, {6, split_edges}}},
    [PLI_TRIANGLE_EDGE_PARTS] = {2, 4, false, {{3, edges}, {12, edge_parts}}},
    [PLI_SOLID_EDGE_PARTS] = {2, 8, false, {{3, edges}, {12, edge_parts}}},
    [PLI_SOLID_FACE_PARTS] = {3, 8, false, {{1, face_parts}, {5, face_parts}}},
};

// Sides of one element: 0 if it has none.
static int sides_of_element(const side_row* row, pli_element_kind kind) {
    int dim = pli_element_dimension(kind);
    if (!(row->dims >> dim & 1)) return 0;
    if (dim == 1) return 1;
    return (dim == 3 ? 4 : 1) * row->parts[pli_is_quadratic(kind)].count;
}

pli_elements pli_elements_of(const pli_mesh* mesh) {
    pli_elements all = {.vertex_limit = mesh->vertex_count};
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        all.count[k] = mesh->element_count[k];
        all.elements[k] = mesh->elements[k];
    }
    return all;
}

pli_elements pli_elements_of_triangles(int vertex_limit, int count, const int32_t* triangles) {
    pli_elements all = {.vertex_limit = vertex_limit};
    all.count[PLI_TRIANGLE] = count;
    all.elements[PLI_TRIANGLE] = triangles;
    return all;
}

// ---- sides

int pli_side_width(pli_side_kind kind) { return rows_of[kind].width; }

static pli_element_side side_of(const pli_elements* all, const side_row* row, pli_element_kind kind,
                                int number) {
    int each = sides_of_element(row, kind);
    bool quadratic = pli_is_quadratic(kind);
    const part_list* list = &row->parts[quadratic];
    int local = number % each, width = row->width;
    const uint8_t* of =
        (pli_element_dimension(kind) == 3 ? solid_faces : flat_face)[local / list->count];
    const uint8_t* part = list->parts[local % list->count];
    pli_element_side side = {.kind = kind, .element = number / each};
    const int32_t* v = all->elements[kind] + (size_t)side.element * (size_t)pli_element_size(kind);
    if (row->middles && quadratic) width = width == 3 ? 6 : 3;
    for (int i = 0; i < width; ++i) side.v[i] = v[of[part[i]]];
    return side;
}

pli_element_side pli_side_at(const pli_elements* all, pli_side_kind kind, int i) {
    const side_row* row = &rows_of[kind];
    int k = PLI_SEGMENT;
    for (;; ++k) {
        PLI_ASSERT(k < PLI_ELEMENT_KIND_COUNT);
        int count = all->count[k] * sides_of_element(row, (pli_element_kind)k);
        if (i < count) break;
        i -= count;
    }
    return side_of(all, row, (pli_element_kind)k, i);
}

static void put_sorted(const int32_t* v, int width, int32_t* row) {
    for (int i = 0; i < width; ++i) {
        int at = i;
        for (; at > 0 && row[at - 1] > v[i]; --at) row[at] = row[at - 1];
        row[at] = v[i];
    }
}

static bool same(const int32_t* a, const int32_t* b, int width) {
    bool equal = a[0] == b[0] && a[1] == b[1];
    return width < 3 ? equal : equal && a[2] == b[2];
}

enum { MOST_SIDES = 48 }; // of one element: 12 parts of 4 faces

// Which vertices of an element its sides have.
static void list_corners(const side_row* row, pli_element_kind kind, int each,
                         uint8_t corners[MOST_SIDES][3]) {
    const part_list* list = &row->parts[pli_is_quadratic(kind)];
    const face* faces = pli_element_dimension(kind) == 3 ? solid_faces : flat_face;
    PLI_ASSERT(each <= MOST_SIDES);
    for (int i = 0; i < each; ++i)
        for (int j = 0; j < row->width; ++j)
            corners[i][j] = faces[i / list->count][list->parts[i % list->count][j]];
}

// Rows of sorted vertices and the index of the side.
static void fill_rows(const pli_elements* all, const side_row* row, int32_t* rows) {
    size_t stride = (size_t)row->width + 1;
    int32_t number = 0;
    uint8_t corners[MOST_SIDES][3];
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int each = sides_of_element(row, (pli_element_kind)k);
        size_t size = (size_t)pli_element_size((pli_element_kind)k);
        list_corners(row, (pli_element_kind)k, each, corners);
        for (int i = 0; i < all->count[k]; ++i)
            for (int side = 0; side < each; ++side, rows += stride) {
                int32_t v[3];
                for (int j = 0; j < row->width; ++j) {
                    v[j] = all->elements[k][size * (size_t)i + corners[side][j]];
                    PLI_ASSERT(v[j] >= 0 && v[j] < all->vertex_limit);
                }
                put_sorted(v, row->width, rows);
                rows[row->width] = number++;
            }
    }
}

static pli_status count_sides(const pli_elements* all, const side_row* row, int* count,
                              pli_error* error) {
    int64_t sum = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        sum += (int64_t)all->count[k] * sides_of_element(row, (pli_element_kind)k);
    if (sum > INT32_MAX / 4)
        return pli_fail(error, PLI_E_MEMORY, "the mesh has %lld sides of elements, at most %d",
                        (long long)sum, INT32_MAX / 4);
    *count = (int)sum;
    return PLI_OK;
}

// Builds sides from sorted rows.
static pli_status gather(const int32_t* rows, int count, pli_sides* s, pli_error* error) {
    int width = s->width, groups = 0;
    size_t stride = (size_t)width + 1;
    for (int i = 0; i < count; ++i)
        groups +=
            i == 0 || !same(rows + stride * (size_t)i, rows + stride * (size_t)(i - 1), width);
    PLI_TRY(PLI_ALLOC(s->memory, s->uses, count, error));
    s->use_count = count;
    PLI_TRY(PLI_ALLOC(s->memory, s->start, groups + 1, error));
    s->count = groups;
    PLI_TRY(PLI_ALLOC(s->memory, s->vertices, (size_t)width * (size_t)groups, error));
    int side = -1;
    for (int i = 0; i < count; ++i) {
        const int32_t* row = rows + stride * (size_t)i;
        if (i == 0 || !same(row, row - stride, width)) {
            s->start[++side] = i;
            memcpy(s->vertices + (size_t)width * (size_t)side, row, (size_t)width * sizeof *row);
        }
        s->uses[i] = row[width];
    }
    s->start[groups] = count;
    return PLI_OK;
}

pli_status pli_sides_create(pli_memory* memory, const pli_elements* all, pli_side_kind kind,
                            pli_sides* out, pli_error* error) {
    const side_row* row = &rows_of[kind];
    int count, width = row->width;
    PLI_TRY(count_sides(all, row, &count, error));
    size_t size = (size_t)(width + 1) * (size_t)count;
    int32_t* rows = NULL;
    pli_sides s = {.memory = memory, .width = width};
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, rows, size, error));
    fill_rows(all, row, rows);
    PLI_TRY_CLEANUP(status,
                    pli_sort_rows(memory, rows, count, width + 1, width, all->vertex_limit, error));
    PLI_TRY_CLEANUP(status, gather(rows, count, &s, error));
    *out = s;
    s = (pli_sides){0};
cleanup:
    PLI_FREE(memory, rows, size);
    pli_sides_free(&s);
    return status;
}

void pli_sides_free(pli_sides* s) {
    if (!s->memory) return;
    PLI_FREE(s->memory, s->vertices, (size_t)s->width * (size_t)s->count);
    PLI_FREE(s->memory, s->start, s->count + 1);
    PLI_FREE(s->memory, s->uses, s->use_count);
    *s = (pli_sides){0};
}

static int compare(const int32_t* a, const int32_t* b, int width) {
    for (int i = 0; i < width; ++i)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

int pli_sides_find(const pli_sides* s, const int32_t* vertices) {
    int low = 0, high = s->count;
    int32_t row[3];
    put_sorted(vertices, s->width, row);
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = compare(s->vertices + (size_t)s->width * (size_t)middle, row, s->width);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

// ---- boundary

pli_status pli_boundary_segments(pli_memory* memory, const pli_elements* all, int32_t** segments,
                                 int* count, pli_error* error) {
    pli_sides s = {0};
    int32_t* out = NULL;
    int kept = 0;
    PLI_TRY(pli_sides_create(memory, all, PLI_SPLIT_EDGES, &s, error));
    for (int i = 0; i < s.count; ++i) kept += pli_side_uses(&s, i) == 1;
    pli_status status = PLI_ALLOC(memory, out, 2 * (size_t)kept, error);
    for (int i = 0, at = 0; i < s.count && status == PLI_OK; ++i) {
        if (pli_side_uses(&s, i) != 1) continue;
        pli_element_side side = pli_side_at(all, PLI_SPLIT_EDGES, s.uses[s.start[i]]);
        memcpy(out + 2 * (size_t)at++, side.v, 2 * sizeof *out);
    }
    pli_sides_free(&s);
    if (status == PLI_OK) status = pli_sort_rows(memory, out, kept, 2, 2, all->vertex_limit, error);
    if (status == PLI_OK)
        *segments = out, *count = kept;
    else
        PLI_FREE(memory, out, 2 * (size_t)kept);
    return status;
}

pli_status pli_mark_loose(pli_memory* memory, const pli_elements* all, pli_element_kind kind,
                          int of, bool* loose, pli_error* error) {
    pli_side_kind parts_kind = kind != PLI_SEGMENT ? PLI_SOLID_FACE_PARTS
                               : of == 3           ? PLI_SOLID_EDGE_PARTS
                                                   : PLI_TRIANGLE_EDGE_PARTS;
    size_t size = (size_t)pli_element_size(kind);
    pli_sides parts = {0};
    if (all->count[kind] == 0) return PLI_OK;
    PLI_TRY(pli_sides_create(memory, all, parts_kind, &parts, error));
    for (int i = 0; i < all->count[kind]; ++i)
        loose[i] = pli_sides_find(&parts, all->elements[kind] + size * (size_t)i) < 0;
    pli_sides_free(&parts);
    return PLI_OK;
}

// ---- stencils

// The corner of a triangle that is not an end of the edge; -1: it has a vertex twice.
static int32_t find_apex(const pli_elements* all, const pli_element_side* edge) {
    const int32_t* v =
        all->elements[edge->kind] + (size_t)edge->element * (size_t)pli_element_size(edge->kind);
    for (int i = 0; i < 3; ++i)
        if (v[i] != edge->v[0] && v[i] != edge->v[1]) return v[i];
    return -1;
}

bool pli_hinge_at(const pli_elements* all, const pli_sides* s, int edge, int32_t hinge[4]) {
    if (pli_side_uses(s, edge) != 2) return false;
    const int32_t* uses = s->uses + s->start[edge];
    pli_element_side first = pli_side_at(all, PLI_EDGES, uses[0]),
                     second = pli_side_at(all, PLI_EDGES, uses[1]);
    hinge[0] = find_apex(all, &first);
    hinge[1] = first.v[0];
    hinge[2] = first.v[1];
    hinge[3] = find_apex(all, &second);
    return hinge[0] >= 0 && hinge[3] >= 0;
}

pli_status pli_stars_create(pli_memory* memory, const pli_elements* all, const pli_sides* s,
                            pli_stars* out, pli_error* error) {
    PLI_ASSERT(s->width == 2);
    pli_stars stars = {.memory = memory, .vertex_count = all->vertex_limit};
    PLI_TRY(PLI_ALLOC(memory, stars.start, stars.vertex_count + 1, error));
    pli_status status = PLI_ALLOC(memory, stars.sides, 2 * (size_t)s->count, error);
    if (status != PLI_OK) {
        PLI_FREE(memory, stars.start, stars.vertex_count + 1);
        return status;
    }
    // Counts, then prefix sums: start[v] is the end of v, and becomes its start while v is filled.
    for (int i = 0; i < 2 * s->count; ++i) stars.start[s->vertices[i]]++;
    for (int v = 0; v < stars.vertex_count; ++v) stars.start[v + 1] += stars.start[v];
    for (int i = 2 * s->count - 1; i >= 0; --i) stars.sides[--stars.start[s->vertices[i]]] = i / 2;
    *out = stars;
    return PLI_OK;
}

void pli_stars_free(pli_stars* stars) {
    if (!stars->memory) return;
    PLI_FREE(stars->memory, stars->sides, stars->start[stars->vertex_count]);
    PLI_FREE(stars->memory, stars->start, stars->vertex_count + 1);
    *stars = (pli_stars){0};
}

bool pli_corner_at(const pli_sides* s, const pli_stars* stars, int32_t vertex, int32_t corner[3]) {
    int first = stars->start[vertex];
    if (stars->start[vertex + 1] - first != 2) return false;
    int a = stars->sides[first], b = stars->sides[first + 1];
    if (a == b || pli_side_uses(s, a) != 1 || pli_side_uses(s, b) != 1) return false;
    bool swapped = s->uses[s->start[b]] < s->uses[s->start[a]];
    corner[0] = pli_star_neighbor(stars, s, vertex, first + swapped);
    corner[1] = vertex;
    corner[2] = pli_star_neighbor(stars, s, vertex, first + !swapped);
    return true;
}

// ---- components

void pli_find_components(const pli_elements* all, int32_t* root) {
    for (int v = 0; v < all->vertex_limit; ++v) root[v] = -1;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        int width = pli_element_size((pli_element_kind)k);
        for (int e = 0; e < all->count[k]; ++e) {
            const int32_t* v = all->elements[k] + (size_t)width * (size_t)e;
            for (int i = 0; i < width; ++i) {
                if (root[v[i]] < 0) root[v[i]] = v[i];
                pli_disjoint_join(root, v[0], v[i]);
            }
        }
    }
    for (int v = 0; v < all->vertex_limit; ++v)
        if (root[v] >= 0) root[v] = pli_disjoint_root(root, v);
}

// ---- defects of a surface

static void count_edge(int* count, int first[2], const int32_t* edge) {
    if ((*count)++ == 0) first[0] = edge[0], first[1] = edge[1];
}

static void count_edges(const pli_sides* s, const int32_t* triangles, pli_surface_report* r) {
    r->edge_count = s->count;
    for (int i = 0; i < s->count; ++i) {
        const int32_t *edge = s->vertices + 2 * (size_t)i, *uses = s->uses + s->start[i];
        int use = pli_side_uses(s, i);
        if (use == 1) count_edge(&r->open_edges, r->first_open, edge);
        if (use > 2) count_edge(&r->crowded_edges, r->first_crowded, edge);
        if (use == 2 && triangles[uses[0]] == triangles[uses[1]])
            count_edge(&r->turned_edges, r->first_turned, edge);
    }
}

// The index of the triangle's corner at the vertex, among all corners.
static int32_t corner_of(const int32_t* triangles, int32_t t, int32_t vertex) {
    int32_t first = 3 * t;
    return triangles[first] == vertex       ? first
           : triangles[first + 1] == vertex ? first + 1
                                            : first + 2;
}

// Corners that share an edge belong to one fan, triangles that share one to one component.
static void unite_over_edges(const pli_sides* s, const int32_t* triangles, int32_t* corners,
                             int32_t* components) {
    for (int i = 0; i < s->count; ++i) {
        if (pli_side_uses(s, i) < 2) continue;
        int32_t a = s->uses[s->start[i]] / 3, b = s->uses[s->start[i] + 1] / 3;
        pli_disjoint_join(components, a, b);
        for (int k = 0; k < 2; ++k) {
            int32_t vertex = s->vertices[2 * i + k];
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

pli_status pli_surface_inspect(pli_memory* memory, int vertex_limit, int triangle_count,
                               const int32_t* triangles, pli_surface_report* out,
                               pli_error* error) {
    pli_surface_report r = {.first_open = {-1, -1},
                            .first_crowded = {-1, -1},
                            .first_turned = {-1, -1},
                            .first_pinched = -1};
    pli_elements all = pli_elements_of_triangles(vertex_limit, triangle_count, triangles);
    pli_sides s = {0};
    int32_t *corners = NULL, *components = NULL, *root_of = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(memory, &all, PLI_EDGES, &s, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, corners, 3 * (size_t)triangle_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, components, triangle_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, root_of, vertex_limit, error));
    for (int i = 0; i < 3 * triangle_count; ++i) corners[i] = i;
    for (int i = 0; i < triangle_count; ++i) components[i] = i;
    count_edges(&s, triangles, &r);
    unite_over_edges(&s, triangles, corners, components);
    count_fans(triangle_count, triangles, corners, root_of, &r);
    for (int i = 0; i < triangle_count; ++i)
        r.component_count += pli_disjoint_root(components, i) == i;
    *out = r;
cleanup:
    pli_sides_free(&s);
    PLI_FREE(memory, corners, 3 * (size_t)triangle_count);
    PLI_FREE(memory, components, triangle_count);
    PLI_FREE(memory, root_of, vertex_limit);
    return status;
}
