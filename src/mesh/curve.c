// Curved edges of quadratic elements: middles of boundary edges on a surface, or back between the
// ends of their edges.
//
// An element is valid if the determinant of its map is positive. That of a quadratic tetrahedron is
// a polynomial of degree 3; it is looked at in the 20 points that determine it, and a share of its
// value for straight edges must be left in each.
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/groups.h"
#include "mesh/measure.h"
#include "mesh/reference.h"
#include "mesh/skin.h"

static const double LEFT = 0.2; // of the determinant
enum { ROUNDS = 6 };            // halvings before a middle goes back between the ends

typedef struct curving {
    pli_mesh* mesh;
    pli_memory* memory;
    int group;
    pli_onto_fn* onto;
    const void* context;
    double* way;   // per vertex, 3 each: from between the ends to the surface [m]; 0: it stays
    double* share; // per vertex: how much of that way it goes
    bool* cut;     // per vertex: in an element that folds
    pli_error* error;
} curving;

static const int32_t* element_at(const pli_mesh* mesh, pli_element_kind kind, int e) {
    return mesh->elements[kind] + (size_t)pli_element_size(kind) * (size_t)e;
}

static void middle_of(const pli_mesh* mesh, int32_t a, int32_t b, double x[3]) {
    const double *p = mesh->positions + 3 * (size_t)a, *q = mesh->positions + 3 * (size_t)b;
    for (int k = 0; k < 3; ++k) x[k] = 0.5 * (p[k] + q[k]);
}

static double determinant(const pli_mesh* mesh, pli_element_kind kind, const int32_t* v,
                          const double at[4], int dim) {
    double d[30], J[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, n[3];
    pli_shape_derivatives(kind, at, d);
    for (int c = 0; c < dim; ++c)
        for (int k = 0; k < 3; ++k) {
            J[c][k] = 0;
            for (int i = 0; i < pli_element_size(kind); ++i)
                J[c][k] += d[i * dim + c] * mesh->positions[3 * (size_t)v[i] + (size_t)k];
        }
    pli_cross3(J[0], J[1], n);
    return dim == 3 ? pli_dot(n, J[2], 3) : n[2];
}

// Whether enough of the determinant is left everywhere. Triangles are looked at in the plane.
static bool is_valid(const pli_mesh* mesh, pli_element_kind kind, const int32_t* v) {
    int dim = pli_element_dimension(kind);
    pli_element_kind linear = dim == 3 ? PLI_TETRAHEDRON : PLI_TRIANGLE;
    double straight =
        (dim == 3 ? 6 : 2) * pli_element_measure(2 + (dim == 3), linear, v, mesh->positions);
    for (int i = 0; i <= 3; ++i)
        for (int j = 0; i + j <= 3; ++j)
            for (int k = 0; i + j + k <= 3; ++k) {
                if (dim == 2 && i + j + k < 3) continue;
                const double at[4] = {i / 3.0, j / 3.0, k / 3.0, (3 - i - j - k) / 3.0};
                if (!(determinant(mesh, kind, v, at, dim) > LEFT * straight)) return false;
            }
    return true;
}

// ---- which middles

// The middle of the edge from a to b goes onto the surface, if both are on it.
static void aim_middle(curving* c, int32_t a, int32_t b, int32_t middle) {
    const pli_mesh_group* group = &c->mesh->groups[c->group];
    if (!pli_group_has(group, a) || !pli_group_has(group, b)) return;
    double from[3], to[3];
    middle_of(c->mesh, a, b, from);
    memcpy(to, from, sizeof to);
    c->onto(c->context, to);
    pli_sub(to, from, c->way + 3 * (size_t)middle, 3);
    c->share[middle] = 1;
}

// Of the quadratic faces of tetrahedra at the boundary, and of triangles' edges there.
static pli_status aim_middles(curving* c, int dim) {
    pli_elements all = pli_elements_of(c->mesh);
    pli_skin skin = {0};
    if (dim == 3) all.count[PLI_TRIANGLE] = all.count[PLI_TRIANGLE6] = 0;
    PLI_TRY(pli_skin_create(c->memory, &all, dim, false, &skin, c->error));
    int width = pli_face_width(dim, true);
    for (int f = 0; f < skin.count[1]; ++f) {
        const int32_t* v = skin.faces[1] + (size_t)f * (size_t)width;
        for (int i = 0; i < width - dim; ++i) aim_middle(c, v[i], v[(i + 1) % dim], v[dim + i]);
    }
    pli_skin_free(&skin);
    return PLI_OK;
}

// ---- moving

static const pli_element_kind kinds[] = {PLI_TRIANGLE6, PLI_TETRAHEDRON10};

static void place_middles(curving* c) {
    for (int k = 0; k < 2; ++k)
        for (int e = 0; e < c->mesh->element_count[kinds[k]]; ++e) {
            const int32_t* v = element_at(c->mesh, kinds[k], e);
            int corners = pli_element_dimension(kinds[k]) + 1;
            for (int i = corners; i < pli_element_size(kinds[k]); ++i) {
                const int* ends = pli_middle_ends[i - corners];
                double *x = c->mesh->positions + 3 * (size_t)v[i], share = c->share[v[i]];
                if (share < 0) continue; // not on the surface
                middle_of(c->mesh, v[ends[0]], v[ends[1]], x);
                pli_axpy(share, c->way + 3 * (size_t)v[i], x, 3);
            }
        }
}

// Shortens the ways of middles in elements that fold. Whether there are any.
static bool shorten(curving* c, bool to_zero) {
    bool any = false;
    memset(c->cut, 0, (size_t)c->mesh->vertex_count * sizeof *c->cut);
    for (int k = 0; k < 2; ++k)
        for (int e = 0; e < c->mesh->element_count[kinds[k]]; ++e) {
            const int32_t* v = element_at(c->mesh, kinds[k], e);
            bool moved = false;
            for (int i = 0; i < pli_element_size(kinds[k]); ++i) moved |= c->share[v[i]] > 0;
            if (!moved || is_valid(c->mesh, kinds[k], v)) continue;
            for (int i = 0; i < pli_element_size(kinds[k]); ++i)
                any |= c->cut[v[i]] = c->share[v[i]] > 0;
        }
    for (int v = 0; v < c->mesh->vertex_count; ++v)
        if (c->cut[v]) c->share[v] *= to_zero ? 0 : 0.5;
    return any;
}

pli_status pli_mesh_curve(pli_mesh* mesh, const char* group, pli_onto_fn* onto, const void* context,
                          pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!group || !onto) return pli_fail(error, PLI_E_ARGUMENT, "curve: group or onto is NULL");
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    curving c = {.mesh = mesh, .memory = &memory, .onto = onto, .context = context, .error = error};
    int count = mesh->vertex_count;
    c.group = pli_mesh_find_group(mesh, group);
    if (c.group < 0)
        return pli_fail(error, PLI_E_ARGUMENT, "curve: the mesh has no group \"%s\"", group);
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, c.way, 3 * (size_t)count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, c.share, count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, c.cut, count, error));
    for (int v = 0; v < count; ++v) c.share[v] = -1;
    for (int dim = 2; dim <= 3; ++dim) PLI_TRY_CLEANUP(status, aim_middles(&c, dim));
    place_middles(&c);
    for (int round = 0; shorten(&c, round >= ROUNDS); ++round) place_middles(&c);
cleanup:
    PLI_FREE(&memory, c.way, 3 * (size_t)count);
    PLI_FREE(&memory, c.share, count);
    PLI_FREE(&memory, c.cut, count);
    return status;
}

void pli_mesh_straighten(pli_mesh* mesh) {
    for (int k = 0; mesh && k < 2; ++k)
        for (int e = 0; e < mesh->element_count[kinds[k]]; ++e) {
            const int32_t* v = element_at(mesh, kinds[k], e);
            int corners = pli_element_dimension(kinds[k]) + 1;
            for (int i = corners; i < pli_element_size(kinds[k]); ++i)
                middle_of(mesh, v[pli_middle_ends[i - corners][0]],
                          v[pli_middle_ends[i - corners][1]], mesh->positions + 3 * (size_t)v[i]);
        }
}
