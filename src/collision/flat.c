// Flat faces of affine bodies. An affine map keeps planes and lines, so edges that only divide a
// flat face, vertices inside it, and vertices that only divide a straight crease can be left out:
// two polyhedra are closest at a corner of one and a face of the other, or at two creases.
// Triangles stay as they are, and creases stay divided.
//
// Shares: a face gives its area to its corners, by their angles, and to its creases, by their
// lengths, so that both still sum up to the area of the surface.
#include "collision/surfaces.h"

#include "base/collections.h"
#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

// What counts as flat or straight, as a part of the size of the body: rounding of its places. Any
// smaller than the gaps of contact by orders of magnitude.
static const double FLAT = 1e-10;

typedef struct faces {
    pli_surfaces* to;
    const pli_model* model;
    const pli_sides* edges;
    int triangle_count;
    const int32_t* triangles;
    uint8_t* flat;                 // per edge of triangles
    int32_t* face;                 // per triangle: a triangle of its face
    int32_t* crease;               // per vertex the other ends of its first two creases; -1: none
    int32_t* creases;              // per vertex their number
    uint8_t* dropped;              // per vertex
    double *area, *angle, *length; // per face: total, at its corners, of its creases
    double* size;                  // per body [m]
} faces;

static bool is_affine(const faces* f, int32_t vertex) {
    const pli_body* body = &f->model->bodies[f->to->body[vertex]];
    return pli_body_is_affine(&body->def) && !body->modes;
}

static const double* at(const faces* f, int32_t v) { return f->model->rest + 3 * (size_t)v; }

static int32_t apex_of(const int32_t* triangle, const int32_t* edge) {
    for (int i = 0; i < 3; ++i)
        if (triangle[i] != edge[0] && triangle[i] != edge[1]) return triangle[i];
    return triangle[0];
}

// Two triangles in one plane, on different sides of the edge.
static bool is_flat(const faces* f, int e) {
    const int32_t* edge = f->edges->vertices + 2 * (size_t)e;
    if (!is_affine(f, edge[0]) || pli_side_uses(f->edges, e) != 2) return false;
    double along[3], side[2][3], n[3];
    pli_sub(at(f, edge[1]), at(f, edge[0]), along, 3);
    for (int k = 0; k < 2; ++k) {
        int t = f->edges->uses[f->edges->start[e] + k] / 3;
        pli_sub(at(f, apex_of(f->triangles + 3 * (size_t)t, edge)), at(f, edge[0]), side[k], 3);
    }
    pli_cross3(along, side[0], n);
    double area = pli_norm(n, 3), other[3];
    pli_cross3(along, side[1], other);
    if (!(area > 0) || !(pli_norm(other, 3) > 0)) return false;
    bool apart = pli_dot(n, other, 3) < 0;
    return apart && fabs(pli_dot(n, side[1], 3)) <= FLAT * f->size[f->to->body[edge[0]]] * area;
}

static void join_faces(faces* f) {
    for (int t = 0; t < f->triangle_count; ++t) f->face[t] = t;
    for (int e = 0; e < f->edges->count; ++e) {
        const int32_t* uses = f->edges->uses + f->edges->start[e];
        f->flat[e] = is_flat(f, e);
        if (f->flat[e]) pli_disjoint_join(f->face, uses[0] / 3, uses[1] / 3);
    }
    for (int t = 0; t < f->triangle_count; ++t) f->face[t] = pli_disjoint_root(f->face, t);
}

static void count_creases(faces* f) {
    for (int e = 0; e < f->to->edges.count; ++e) { // those without triangles, too
        const int32_t* v = f->to->edges.vertices + 2 * (size_t)e;
        if (e < f->edges->count && f->flat[e]) continue;
        for (int k = 0; k < 2; ++k) {
            if (f->creases[v[k]] < 2)
                f->crease[2 * (size_t)v[k] + (size_t)f->creases[v[k]]] = v[1 - k];
            f->creases[v[k]] += e < f->edges->count ? 1 : 3; // ends of segments are corners
        }
    }
}

// Its two creases are one straight line.
static bool is_straight(const faces* f, int32_t v) {
    double a[3], b[3], n[3];
    pli_sub(at(f, f->crease[2 * (size_t)v]), at(f, v), a, 3);
    pli_sub(at(f, f->crease[2 * (size_t)v + 1]), at(f, v), b, 3);
    pli_cross3(a, b, n);
    double shorter = fmin(pli_norm(a, 3), pli_norm(b, 3)),
           longer = fmax(pli_norm(a, 3), pli_norm(b, 3));
    return pli_dot(a, b, 3) < 0 && pli_norm(n, 3) <= FLAT * f->size[f->to->body[v]] * longer &&
           shorter > 0;
}

static double angle_at(const faces* f, const int32_t* triangle, int corner) {
    double a[3], b[3], n[3];
    pli_sub(at(f, triangle[(corner + 1) % 3]), at(f, triangle[corner]), a, 3);
    pli_sub(at(f, triangle[(corner + 2) % 3]), at(f, triangle[corner]), b, 3);
    pli_cross3(a, b, n);
    return pli_atan2(pli_norm(n, 3), pli_dot(a, b, 3));
}

static void find_dropped(faces* f) {
    for (int t = 0; t < f->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = f->triangles[3 * (size_t)t + (size_t)k];
            f->dropped[v] = is_affine(f, v) &&
                            (f->creases[v] == 0 || (f->creases[v] == 2 && is_straight(f, v)));
        }
}

// Area, angles of corners and length of creases of each face.
static void measure_faces(faces* f) {
    for (int t = 0; t < f->triangle_count; ++t) {
        const int32_t* v = f->triangles + 3 * (size_t)t;
        f->area[f->face[t]] += pli_element_measure(3, PLI_TRIANGLE, v, f->model->rest);
        for (int k = 0; k < 3; ++k)
            if (!f->dropped[v[k]]) f->angle[f->face[t]] += angle_at(f, v, k);
    }
    for (int e = 0; e < f->edges->count; ++e)
        for (int u = f->edges->start[e]; u < f->edges->start[e + 1] && !f->flat[e]; ++u)
            f->length[f->face[f->edges->uses[u] / 3]] += f->to->edge_rest[e];
}

static void share_points(faces* f) {
    for (int t = 0; t < f->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            int32_t v = f->triangles[3 * (size_t)t + (size_t)k];
            if (is_affine(f, v)) f->to->area[v] = 0;
        }
    for (int t = 0; t < f->triangle_count; ++t)
        for (int k = 0; k < 3; ++k) {
            const int32_t* v = f->triangles + 3 * (size_t)t;
            double all = f->angle[f->face[t]];
            if (is_affine(f, v[k]) && !f->dropped[v[k]] && all > 0)
                f->to->area[v[k]] += f->area[f->face[t]] * angle_at(f, v, k) / all;
        }
    for (int v = 0; v < f->to->vertex_count; ++v) {
        double given = f->model->bodies[f->to->body[v]].def.contact_area;
        if (f->dropped[v]) f->to->outer[v] = 0;
        if (is_affine(f, v) && given > 0) f->to->area[v] = given;
        if (is_affine(f, v) && !(f->to->area[v] > 0)) f->to->area[v] = f->to->width * f->to->width;
    }
}

// Of a crease: its part of the faces at it, unless the body gives a share or is not affine.
static double crease_share(const faces* f, int e) {
    const int32_t* v = f->to->edges.vertices + 2 * (size_t)e;
    double given = f->model->bodies[f->to->body[v[0]]].def.contact_area, share = 0;
    if (e >= f->edges->count || !is_affine(f, v[0]) || given > 0) return f->to->edge_area[e];
    for (int u = f->edges->start[e]; u < f->edges->start[e + 1]; ++u) {
        int face = f->face[f->edges->uses[u] / 3];
        if (f->length[face] > 0) share += f->area[face] * f->to->edge_rest[e] / f->length[face];
    }
    return share;
}

// Leaves out flat edges.
static pli_status keep_creases(faces* f, pli_error* error) {
    pli_surfaces* to = f->to;
    pli_memory* m = to->memory;
    int before = to->edges.count, kept = 0, after = before;
    for (int e = 0; e < f->edges->count; ++e) after -= f->flat[e];
    int32_t* vertices = NULL;
    double *area = NULL, *rest = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, vertices, 2 * (size_t)after, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, area, after, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rest, after, error));
    for (int e = 0; e < before; ++e) {
        if (e < f->edges->count && f->flat[e]) continue;
        memcpy(vertices + 2 * (size_t)kept, to->edges.vertices + 2 * (size_t)e,
               2 * sizeof *vertices);
        area[kept] = crease_share(f, e);
        rest[kept++] = to->edge_rest[e];
    }
    PLI_FREE(m, to->edges.vertices, 2 * (size_t)before);
    PLI_FREE(m, to->edge_area, before);
    PLI_FREE(m, to->edge_rest, before);
    to->edges.vertices = vertices;
    to->edge_area = area;
    to->edge_rest = rest;
    to->edges.count = after;
    to->loose_edge -= before - after; // all that are left out have triangles
    return PLI_OK;
cleanup:
    PLI_FREE(m, rest, rest ? after : 0);
    PLI_FREE(m, area, area ? after : 0);
    PLI_FREE(m, vertices, vertices ? 2 * (size_t)after : 0);
    return status;
}

static pli_status make_arrays(faces* f, pli_error* error) {
    pli_memory* m = f->to->memory;
    size_t vertices = (size_t)f->to->vertex_count, triangles = (size_t)f->triangle_count;
    PLI_TRY(PLI_ALLOC(m, f->flat, f->edges->count, error));
    PLI_TRY(PLI_ALLOC(m, f->face, triangles, error));
    PLI_TRY(PLI_ALLOC(m, f->crease, 3 * vertices, error));
    PLI_TRY(PLI_ALLOC(m, f->dropped, vertices, error));
    PLI_TRY(PLI_ALLOC(m, f->area, 3 * triangles, error));
    PLI_TRY(PLI_ALLOC(m, f->size, f->to->body_count, error));
    f->creases = f->crease + 2 * vertices;
    f->angle = f->area + triangles;
    f->length = f->angle + triangles;
    for (int b = 0; b < f->to->body_count; ++b) f->size[b] = pli_model_rest_diagonal(f->model, b);
    return PLI_OK;
}

static void free_arrays(faces* f) {
    pli_memory* m = f->to->memory;
    size_t vertices = (size_t)f->to->vertex_count, triangles = (size_t)f->triangle_count;
    if (f->size) PLI_FREE(m, f->size, f->to->body_count);
    if (f->area) PLI_FREE(m, f->area, 3 * triangles);
    if (f->dropped) PLI_FREE(m, f->dropped, vertices);
    if (f->crease) PLI_FREE(m, f->crease, 3 * vertices);
    if (f->face) PLI_FREE(m, f->face, triangles);
    if (f->flat) PLI_FREE(m, f->flat, f->edges->count);
}

pli_status pli_surfaces_drop_flat(pli_surfaces* to, const pli_model* model, const pli_sides* edges,
                                  const int32_t* triangles, int triangle_count, pli_error* error) {
    bool any = false;
    for (int b = 0; b < model->body_count; ++b)
        any = any || pli_body_is_affine(&model->bodies[b].def);
    if (!any || triangle_count == 0) return PLI_OK;
    faces f = {.to = to,
               .model = model,
               .edges = edges,
               .triangles = triangles,
               .triangle_count = triangle_count};
    pli_status status = make_arrays(&f, error);
    if (status == PLI_OK) {
        join_faces(&f);
        count_creases(&f);
        find_dropped(&f);
        measure_faces(&f);
        share_points(&f);
        status = keep_creases(&f, error);
    }
    free_arrays(&f);
    return status;
}
