// Faces of a body's surface, their shape functions and quadrature. Rules: edges by Gauss, triangles
// of degree 4 [Dunavant85].
#include "mesh/skin.h"

#include <string.h>

#include "math/vec.h"
#include "mesh/loose.h"
#include "mesh/reference.h"
#include "mesh/sort.h"
#include "mesh/surface.h"

// ---- faces

static pli_status add_room(pli_skin* skin, bool quadratic, int more, pli_error* error) {
    size_t width = (size_t)pli_face_width(skin->dim, quadratic);
    size_t before = (size_t)skin->count[quadratic] * width;
    PLI_TRY(pli_resize(skin->memory, &skin->faces[quadratic], sizeof(int32_t), before,
                       before + (size_t)more * width, error));
    skin->count[quadratic] += more;
    skin->room[quadratic] = skin->count[quadratic] * (int)width;
    return PLI_OK;
}

// Of a quadratic tetrahedron pli_surface_create makes four triangles of each face: those at the
// corners 0, 1, 2 and the one between the middles.
static pli_status add_boundary(pli_skin* skin, const pli_skin_source* source, pli_element_kind kind,
                               pli_error* error) {
    static const int corner_and_middle[6] = {0, 4, 8, 1, 5, 2};
    bool quadratic = kind == PLI_TETRAHEDRON10;
    int parts = quadratic ? 4 : 1, width = pli_face_width(3, quadratic);
    pli_surface surface = {0};
    PLI_TRY(pli_surface_create(skin->memory, source->vertex_limit, kind, source->count[kind],
                               source->elements[kind], &surface, error));
    int count = surface.triangle_count / parts;
    pli_status status = add_room(skin, quadratic, count, error);
    for (int f = 0; f < count && status == PLI_OK; ++f)
        for (int i = 0; i < width; ++i)
            skin->faces[quadratic][(size_t)f * (size_t)width + (size_t)i] =
                surface.triangles[3 * (size_t)parts * (size_t)f +
                                  (size_t)(quadratic ? corner_and_middle[i] : i)];
    pli_surface_free(&surface);
    return status;
}

static pli_status add_triangles(pli_skin* skin, const pli_skin_source* source,
                                pli_element_kind kind, pli_error* error) {
    bool quadratic = kind == PLI_TRIANGLE6;
    size_t entries = (size_t)source->count[kind] * (size_t)pli_element_size(kind);
    PLI_TRY(add_room(skin, quadratic, source->count[kind], error));
    if (entries > 0)
        memcpy(skin->faces[quadratic], source->elements[kind], entries * sizeof(int32_t));
    return PLI_OK;
}

// Triangles that are no faces of tetrahedra.
static pli_status add_sheets(pli_skin* skin, const pli_skin_source* source, pli_element_kind kind,
                             pli_error* error) {
    bool quadratic = kind == PLI_TRIANGLE6;
    int count = source->count[kind], more = 0, at = skin->count[quadratic];
    size_t width = (size_t)pli_face_width(3, quadratic);
    bool* loose;
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(skin->memory, loose, count, error));
    pli_status status = pli_mark_loose(skin->memory, source, kind, 3, loose, error);
    for (int i = 0; i < count && status == PLI_OK; ++i) more += loose[i];
    if (status == PLI_OK && more > 0) status = add_room(skin, quadratic, more, error);
    for (int i = 0; i < count && status == PLI_OK; ++i)
        if (loose[i])
            memcpy(skin->faces[quadratic] + width * (size_t)at++,
                   source->elements[kind] + width * (size_t)i, width * sizeof(int32_t));
    PLI_FREE(skin->memory, loose, count);
    return status;
}

enum { ROW = 3 }; // lower and higher corner of an edge, then its number

static bool same_edge(const int32_t* a, const int32_t* b) { return a[0] == b[0] && a[1] == b[1]; }

// Ends of an edge and, if it is quadratic, its middle.
typedef struct edge {
    int32_t v[3];
    bool quadratic;
} edge;

// Edge i of all triangles, those of linear ones first. Edge e of a triangle goes from corner e to
// the next and has middle e.
static edge edge_at(const pli_skin_source* source, int i) {
    int linear = 3 * source->count[PLI_TRIANGLE];
    bool quadratic = i >= linear;
    pli_element_kind kind = quadratic ? PLI_TRIANGLE6 : PLI_TRIANGLE;
    if (quadratic) i -= linear;
    const int32_t* v = source->elements[kind] + (size_t)(i / 3) * (size_t)pli_element_size(kind);
    return (edge){{v[i % 3], v[(i + 1) % 3], quadratic ? v[3 + i % 3] : 0}, quadratic};
}

static pli_status put_edges(pli_skin* skin, const pli_skin_source* source, int count,
                            const int32_t* edges, pli_error* error) {
    int quadratic = 0, at[2] = {0};
    for (int i = 0; i < count; ++i) quadratic += edge_at(source, edges[i]).quadratic;
    PLI_TRY(add_room(skin, false, count - quadratic, error));
    PLI_TRY(add_room(skin, true, quadratic, error));
    for (int i = 0; i < count; ++i) {
        edge e = edge_at(source, edges[i]);
        size_t width = (size_t)pli_face_width(2, e.quadratic);
        memcpy(skin->faces[e.quadratic] + width * (size_t)at[e.quadratic]++, e.v,
               width * sizeof *e.v);
    }
    return PLI_OK;
}

// Edges of one triangle, of whichever kind.
static pli_status add_outline(pli_skin* skin, const pli_skin_source* source, pli_error* error) {
    int count = 3 * (source->count[PLI_TRIANGLE] + source->count[PLI_TRIANGLE6]), kept = 0;
    int32_t* rows;
    PLI_TRY(PLI_ALLOC(skin->memory, rows, ROW * (size_t)count, error));
    for (int i = 0; i < count; ++i) {
        edge e = edge_at(source, i);
        int32_t* row = rows + ROW * (size_t)i;
        row[0] = e.v[0] < e.v[1] ? e.v[0] : e.v[1];
        row[1] = e.v[0] < e.v[1] ? e.v[1] : e.v[0];
        row[2] = i;
    }
    pli_status status =
        pli_sort_rows(skin->memory, rows, count, ROW, 2, source->vertex_limit, error);
    for (int i = 0, end; i < count && status == PLI_OK; i = end) {
        const int32_t* row = rows + ROW * (size_t)i;
        for (end = i + 1; end < count && same_edge(row, rows + ROW * (size_t)end);) ++end;
        if (end == i + 1) rows[kept++] = row[2]; // rows before i are not needed any more
    }
    if (status == PLI_OK) status = put_edges(skin, source, kept, rows, error);
    PLI_FREE(skin->memory, rows, ROW * (size_t)count);
    return status;
}

pli_status pli_skin_create(pli_memory* memory, const pli_skin_source* source, pli_skin* out,
                           pli_error* error) {
    static const pli_element_kind solids[2] = {PLI_TETRAHEDRON, PLI_TETRAHEDRON10},
                                  flats[2] = {PLI_TRIANGLE, PLI_TRIANGLE6};
    pli_skin skin = {.memory = memory, .dim = source->dim};
    bool solid = source->count[PLI_TETRAHEDRON] + source->count[PLI_TETRAHEDRON10] > 0;
    pli_status status = PLI_OK;
    if (source->dim == 2) status = add_outline(&skin, source, error);
    for (int k = 0; k < 2 && source->dim == 3 && status == PLI_OK; ++k) {
        if (solid)
            status = add_boundary(&skin, source, solids[k], error);
        else
            status = add_triangles(&skin, source, flats[k], error);
        if (status == PLI_OK && solid && source->sheets)
            status = add_sheets(&skin, source, flats[k], error);
    }
    if (status == PLI_OK)
        *out = skin;
    else
        pli_skin_free(&skin);
    return status;
}

void pli_skin_free(pli_skin* skin) {
    if (!skin->memory) return;
    for (int k = 0; k < 2; ++k) PLI_FREE(skin->memory, skin->faces[k], skin->room[k]);
    *skin = (pli_skin){0};
}

void pli_skin_keep(pli_skin* skin, const bool* keep) {
    for (int k = 0; k < 2; ++k) {
        int width = pli_face_width(skin->dim, k), kept = 0;
        for (int f = 0; f < skin->count[k]; ++f) {
            const int32_t* face = skin->faces[k] + (size_t)f * (size_t)width;
            bool whole = true;
            for (int i = 0; i < skin->dim; ++i) whole = whole && keep[face[i]];
            if (!whole) continue;
            memmove(skin->faces[k] + (size_t)kept++ * (size_t)width, face,
                    (size_t)width * sizeof *face);
        }
        skin->count[k] = kept;
    }
}

// ---- one face

#define FAR_A 0.10810301816807022736 // 1 - 2 NEAR_A
#define NEAR_A 0.44594849091596488632
#define FAR_B 0.81684757298045851308 // 1 - 2 NEAR_B
#define NEAR_B 0.09157621350977074346
#define WEIGHT_A 0.22338158967801146570
#define WEIGHT_B 0.10995174365532186764
#define GAUSS 0.11270166537925831148 // (1 - sqrt(3/5)) / 2

const pli_face_rule* pli_face_rule_of(int dim, bool full) {
    static const pli_face_rule rules[2][2] = {
        {{1, {1}, {{0.5, 0.5}}},
         {3, {5. / 18, 8. / 18, 5. / 18}, {{1 - GAUSS, GAUSS}, {0.5, 0.5}, {GAUSS, 1 - GAUSS}}}},
        {{1, {1}, {{1. / 3, 1. / 3, 1. / 3}}},
         {6,
          {WEIGHT_A, WEIGHT_A, WEIGHT_A, WEIGHT_B, WEIGHT_B, WEIGHT_B},
          {{FAR_A, NEAR_A, NEAR_A},
           {NEAR_A, FAR_A, NEAR_A},
           {NEAR_A, NEAR_A, FAR_A},
           {FAR_B, NEAR_B, NEAR_B},
           {NEAR_B, FAR_B, NEAR_B},
           {NEAR_B, NEAR_B, FAR_B}}}}};
    return &rules[dim - 2][full];
}

// Linear: N_i = L_i. Quadratic: L_i (2 L_i - 1) for corners, 4 L_i L_j for middles.
void pli_face_shape(int dim, bool quadratic, const double at[3], double shape[3][PLI_FACE_MAX]) {
    for (int v = 0; v < pli_face_width(dim, quadratic); ++v) {
        bool corner = v < dim;
        int i = corner ? v : pli_middle_ends[v - dim][0];
        int j = corner ? v : pli_middle_ends[v - dim][1];
        shape[0][v] = !quadratic ? at[i] : corner ? at[i] * (2 * at[i] - 1) : 4 * at[i] * at[j];
        for (int b = 1; b < dim; ++b) {
            double di = (i == b) - (i == 0), dj = (j == b) - (j == 0);
            shape[b][v] = !quadratic ? di
                          : corner   ? (4 * at[i] - 1) * di
                                     : 4 * (at[i] * dj + at[j] * di);
        }
    }
}

// In space u_1 x u_2 / 2; in the plane u_1 turned to the right.
void pli_face_normal(int dim, const double* u1, const double* u2, double normal[3]) {
    if (dim == 2) {
        normal[0] = u1[1];
        normal[1] = -u1[0];
        normal[2] = 0;
        return;
    }
    pli_cross3(u1, u2, normal);
    for (int c = 0; c < 3; ++c) normal[c] *= 0.5;
}

// Length or area of a face, curved or not.
static double measure(int dim, bool quadratic, const int32_t* face, const double* x) {
    const pli_face_rule* rule = pli_face_rule_of(dim, quadratic);
    double sum = 0;
    for (int q = 0; q < rule->count; ++q) {
        double shape[3][PLI_FACE_MAX], u[3][3] = {{0}}, normal[3];
        pli_face_shape(dim, quadratic, rule->at[q], shape);
        for (int v = 0; v < pli_face_width(dim, quadratic); ++v)
            for (int b = 1; b < dim; ++b) pli_axpy(shape[b][v], x + 3 * (size_t)face[v], u[b], dim);
        pli_face_normal(dim, u[1], u[2], normal);
        sum += rule->weight[q] * pli_norm(normal, 3);
    }
    return sum;
}

// Shares of a corner and a middle: as pli_lump_mass in space; in the plane by Simpson's rule.
static const double shares[2][2][2] = {{{1. / 2}, {1. / 6, 4. / 6}},
                                       {{1. / 3}, {3. / 57, 16. / 57}}};

void pli_skin_areas(const pli_skin* skin, const double* x, double thickness, double* area) {
    int dim = skin->dim;
    double section = dim == 2 ? thickness : 1;
    for (int k = 0; k < 2; ++k) {
        int width = pli_face_width(dim, k);
        for (int f = 0; f < skin->count[k]; ++f) {
            const int32_t* face = skin->faces[k] + (size_t)f * (size_t)width;
            double whole = section * measure(dim, k, face, x);
            for (int v = 0; v < width; ++v) area[face[v]] += shares[dim - 2][k][v >= dim] * whole;
        }
    }
}
