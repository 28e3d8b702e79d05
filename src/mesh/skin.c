// Faces of a body's surface, their shape functions and quadrature. Rules: edges by Gauss, triangles
// of degree 4 [Dunavant85].
#include "mesh/skin.h"

#include <string.h>

#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/reference.h"

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

// Sides of one element: faces of tetrahedra or, in the plane, edges of triangles.
static pli_status add_boundary(pli_skin* skin, const pli_elements* all, pli_error* error) {
    pli_side_kind kind = skin->dim == 3 ? PLI_FACES : PLI_EDGES;
    pli_sides s = {0};
    int count[2] = {0}, at[2] = {0};
    PLI_TRY(pli_sides_create(skin->memory, all, kind, &s, error));
    for (int i = 0; i < s.count; ++i)
        if (pli_side_uses(&s, i) == 1)
            count[pli_is_quadratic(pli_side_at(all, kind, s.uses[s.start[i]]).kind)]++;
    pli_status status = PLI_OK;
    for (int k = 0; k < 2 && status == PLI_OK; ++k) status = add_room(skin, k, count[k], error);
    for (int i = 0; i < s.count && status == PLI_OK; ++i) {
        if (pli_side_uses(&s, i) != 1) continue;
        pli_element_side side = pli_side_at(all, kind, s.uses[s.start[i]]);
        bool quadratic = pli_is_quadratic(side.kind);
        size_t width = (size_t)pli_face_width(skin->dim, quadratic);
        memcpy(skin->faces[quadratic] + width * (size_t)at[quadratic]++, side.v,
               width * sizeof *side.v);
    }
    pli_sides_free(&s);
    return status;
}

// Triangles that are no faces of tetrahedra.
static pli_status add_sheets(pli_skin* skin, const pli_elements* all, pli_element_kind kind,
                             pli_error* error) {
    bool quadratic = kind == PLI_TRIANGLE6;
    int count = all->count[kind], more = 0, at = skin->count[quadratic];
    size_t width = (size_t)pli_face_width(3, quadratic);
    bool* loose;
    if (count == 0) return PLI_OK;
    PLI_TRY(PLI_ALLOC(skin->memory, loose, count, error));
    pli_status status = pli_mark_loose(skin->memory, all, kind, 3, loose, error);
    for (int i = 0; i < count && status == PLI_OK; ++i) more += loose[i];
    if (status == PLI_OK && more > 0) status = add_room(skin, quadratic, more, error);
    for (int i = 0; i < count && status == PLI_OK; ++i)
        if (loose[i])
            memcpy(skin->faces[quadratic] + width * (size_t)at++,
                   all->elements[kind] + width * (size_t)i, width * sizeof(int32_t));
    PLI_FREE(skin->memory, loose, count);
    return status;
}

pli_status pli_skin_create(pli_memory* memory, const pli_elements* all, int dim, bool sheets,
                           pli_skin* out, pli_error* error) {
    pli_skin skin = {.memory = memory, .dim = dim};
    bool solid = all->count[PLI_TETRAHEDRON] + all->count[PLI_TETRAHEDRON10] > 0;
    pli_status status = PLI_OK;
    if (dim == 2 || solid) status = add_boundary(&skin, all, error);
    if (dim == 3 && (sheets || !solid)) { // without tetrahedra every triangle is one
        if (status == PLI_OK) status = add_sheets(&skin, all, PLI_TRIANGLE, error);
        if (status == PLI_OK) status = add_sheets(&skin, all, PLI_TRIANGLE6, error);
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

int pli_skin_triangle_count(const pli_skin* skin) { return skin->count[0] + 4 * skin->count[1]; }

void pli_skin_triangles(const pli_skin* skin, int32_t* out) {
    for (int i = 0; i < 3 * skin->count[0]; ++i) *out++ = skin->faces[0][i];
    for (int f = 0; f < skin->count[1]; ++f)
        for (int i = 0; i < 12; ++i)
            *out++ = skin->faces[1][6 * (size_t)f + pli_quarters[i / 3][i % 3]];
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

// Linear: N_i = L_i. Quadratic: L_i (2 L_i - 1) for corners, 4 L_i L_j for mid-edge nodes.
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

// In space u_1 x u_2 / 2; in the plane u_1 rotated to the right.
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

// Shares of a corner and a mid-edge node: as pli_lump_mass in space; in the plane by Simpson's
// rule.
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

// ---- edges

pli_status pli_mesh_keep_edges(pli_mesh* mesh, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(mesh), surface = {.vertex_limit = mesh->vertex_count};
    pli_skin skin = {0};
    pli_sides edges = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_skin_create(&memory, &all, 3, true, &skin, error));
    surface.count[PLI_SEGMENT] = all.count[PLI_SEGMENT];
    surface.elements[PLI_SEGMENT] = all.elements[PLI_SEGMENT];
    surface.count[PLI_TRIANGLE] = skin.count[0];
    surface.elements[PLI_TRIANGLE] = skin.faces[0];
    surface.count[PLI_TRIANGLE6] = skin.count[1];
    surface.elements[PLI_TRIANGLE6] = skin.faces[1];
    PLI_TRY_CLEANUP(status, pli_sides_create(&memory, &surface, PLI_LINKS, &edges, error));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) mesh->element_count[k] = 0;
    if (edges.count > 0)
        status = pli_mesh_add_elements(mesh, PLI_SEGMENT, edges.count, edges.vertices, error);
    if (status != PLI_OK) memcpy(mesh->element_count, all.count, sizeof all.count);
cleanup:
    pli_sides_free(&edges);
    pli_skin_free(&skin);
    return status;
}

// Vertices without elements.
static int count_bare(const pli_mesh* mesh, bool* used) {
    int count = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k)
        for (int i = 0; i < mesh->element_count[k] * pli_element_size((pli_element_kind)k); ++i)
            used[mesh->elements[k][i]] = true;
    for (int v = 0; v < mesh->vertex_count; ++v) count += !used[v];
    return count;
}

pli_status pli_mesh_count_loose(const pli_mesh* mesh, int* count, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!count) return pli_fail(error, PLI_E_ARGUMENT, "mesh: count is NULL");
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(mesh);
    int segments = mesh->element_count[PLI_SEGMENT], sum = 0;
    bool *loose = NULL, *used = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, loose, segments, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, used, mesh->vertex_count, error));
    PLI_TRY_CLEANUP(status, pli_mark_loose(&memory, &all, PLI_SEGMENT, 2, loose, error));
    for (int i = 0; i < segments; ++i) sum += loose[i];
    *count = sum + count_bare(mesh, used);
cleanup:
    PLI_FREE(&memory, used, mesh->vertex_count);
    PLI_FREE(&memory, loose, segments);
    return status;
}
