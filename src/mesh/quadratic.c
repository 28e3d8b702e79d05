// Quadratic elements: a vertex at the midpoint of each edge, shared by all elements at the edge,
// which may be moved onto a curved surface.
#include <math.h>
#include <string.h>

#include "base/collections.h"
#include "math/vec.h"
#include "mesh/build.h"
#include "mesh/measure.h"
#include "mesh/reference.h"
#include "mesh/skin.h"

typedef struct upgrade {
    pli_mesh* mesh;
    pli_ids edges; // low vertex * 2^32 + high vertex -> mid-edge node
    pli_error* error;
} upgrade;

static pli_status find_middle(upgrade* u, int32_t a, int32_t b, int32_t* middle) {
    int64_t low = a < b ? a : b, high = a < b ? b : a, key = low << 32 | high;
    *middle = pli_ids_find(&u->edges, key);
    if (*middle >= 0) return PLI_OK;
    *middle = u->mesh->vertex_count;
    PLI_TRY(pli_ids_add(&u->edges, key, *middle, u->error));
    PLI_TRY(pli_mesh_reserve_vertices(u->mesh, 1, u->error));
    const double *p = u->mesh->positions + 3 * low, *q = u->mesh->positions + 3 * high;
    pli_mesh_put_vertex(u->mesh, 0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2]));
    return PLI_OK;
}

// Adds a quadratic element for each linear one, at the same place in its file.
static pli_status upgrade_kind(upgrade* u, pli_element_kind linear, pli_element_kind quadratic) {
    pli_mesh* mesh = u->mesh;
    int corners = pli_element_size(linear), size = pli_element_size(quadratic);
    const pli_mesh_source* source = mesh->source;
    PLI_TRY(pli_mesh_reserve_elements(mesh, quadratic, mesh->element_count[linear], u->error));
    for (int e = 0; e < mesh->element_count[linear]; ++e) {
        int32_t v[10];
        for (int i = 0; i < corners; ++i)
            v[i] = mesh->elements[linear][(size_t)corners * (size_t)e + (size_t)i];
        for (int i = corners; i < size; ++i) {
            const int* ends = pli_middle_ends[i - corners];
            PLI_TRY(find_middle(u, v[ends[0]], v[ends[1]], &v[i]));
        }
        if (source && e < source->place_count[linear])
            PLI_TRY(pli_mesh_source_put(mesh, quadratic, mesh->element_count[quadratic],
                                        source->places[linear][e], u->error));
        pli_mesh_put_element(mesh, quadratic, v);
    }
    return PLI_OK;
}

// ---- groups

// Simplices on which a group may lie.
typedef struct simplices {
    int count, width; // corners each
    const int32_t* corners;
    bool by_edges; // an edge belongs to the group if both its ends do, not all corners
} simplices;

// Sets `chosen` for the midside nodes of edges that belong to the group.
static void choose_middles(const upgrade* u, const pli_mesh_group* group, const simplices* list,
                           bool* chosen) {
    for (int e = 0; e < list->count; ++e) {
        const int32_t* v = list->corners + (size_t)list->width * (size_t)e;
        bool in[4], all = true;
        for (int i = 0; i < list->width; ++i) all &= in[i] = pli_group_has(group, v[i]);
        for (int i = 0; i < list->width; ++i)
            for (int j = 0; j < i; ++j) {
                int64_t low = v[i] < v[j] ? v[i] : v[j], high = v[i] < v[j] ? v[j] : v[i];
                int32_t middle = pli_ids_find(&u->edges, low << 32 | high);
                if (middle >= 0 && (list->by_edges ? in[i] && in[j] : all)) chosen[middle] = true;
            }
    }
}

// Where a group of this dimension may lie: on the elements of the largest dimension if it has that
// dimension, otherwise on their boundary and on the elements that the mesh has there.
typedef struct carriers {
    int solid; // largest dimension of elements
    simplices elements, boundary, on_boundary;
} carriers;

static pli_status spread_group(upgrade* u, int number, const carriers* c, int first_new,
                               bool* chosen) {
    pli_mesh* mesh = u->mesh;
    const pli_mesh_group* g = &mesh->groups[number];
    pli_group_plan plan = {g->name, g->dim, 0, 0};
    simplices lists[2] = {c->boundary, c->on_boundary};
    for (int v = first_new; v < mesh->vertex_count; ++v) chosen[v] = false;
    if (g->dim >= c->solid) choose_middles(u, g, &c->elements, chosen);
    for (int i = 0; i < 2 && g->dim < c->solid; ++i) {
        lists[i].by_edges = g->dim == 1;
        choose_middles(u, g, &lists[i], chosen);
    }
    for (int v = first_new; v < mesh->vertex_count; ++v) plan.count += chosen[v];
    PLI_TRY(pli_mesh_reserve_groups(mesh, &plan, 1, u->error));
    for (int v = first_new; v < mesh->vertex_count; ++v)
        if (chosen[v]) pli_mesh_put_in_group(mesh, plan.group, v);
    return PLI_OK;
}

// Adds the new vertices to the groups; the linear elements still exist.
static pli_status spread_groups(upgrade* u, pli_memory* memory, int first_new) {
    pli_mesh* mesh = u->mesh;
    bool solid = mesh->element_count[PLI_TETRAHEDRON] > 0, *chosen = NULL;
    pli_element_kind kind = solid ? PLI_TETRAHEDRON : PLI_TRIANGLE;
    pli_elements linear = {.vertex_limit = mesh->vertex_count};
    pli_skin skin = {0};
    pli_status status;
    int dim = solid ? 3 : 2, count = mesh->vertex_count, elements = mesh->element_count[kind];
    pli_element_kind flat = solid ? PLI_TRIANGLE : PLI_SEGMENT;
    linear.count[kind] = elements;
    linear.elements[kind] = mesh->elements[kind];
    PLI_TRY_CLEANUP(status, PLI_ALLOC(memory, chosen, count, u->error));
    PLI_TRY_CLEANUP(status, pli_skin_create(memory, &linear, dim, false, &skin, u->error));
    carriers c = {
        .solid = dim,
        .elements = {elements, dim + 1, mesh->elements[kind], false},
        .boundary = {skin.count[0], dim, skin.faces[0], false},
        .on_boundary = {mesh->element_count[flat], dim, mesh->elements[flat], false},
    };
    for (int i = 0; i < mesh->group_count; ++i)
        PLI_TRY_CLEANUP(status, spread_group(u, i, &c, first_new, chosen));
cleanup:
    pli_skin_free(&skin);
    PLI_FREE(memory, chosen, count);
    return status;
}

pli_status pli_mesh_make_quadratic(pli_mesh* mesh, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    const pli_mesh before = *mesh;
    upgrade u = {.mesh = mesh, .error = error};
    pli_ids_init(&u.edges, &memory);
    pli_status status = upgrade_kind(&u, PLI_TRIANGLE, PLI_TRIANGLE6);
    if (status == PLI_OK) status = upgrade_kind(&u, PLI_TETRAHEDRON, PLI_TETRAHEDRON10);
    if (status == PLI_OK && mesh->group_count > 0)
        status = spread_groups(&u, &memory, before.vertex_count);
    if (status == PLI_OK) {
        mesh->element_count[PLI_TRIANGLE] = mesh->element_count[PLI_TETRAHEDRON] = 0;
    } else {
        mesh->vertex_count = before.vertex_count;
        pli_mesh_cut_groups(mesh, before.group_count);
        mesh->element_count[PLI_TRIANGLE6] = before.element_count[PLI_TRIANGLE6];
        mesh->element_count[PLI_TETRAHEDRON10] = before.element_count[PLI_TETRAHEDRON10];
    }
    if (mesh->source) pli_mesh_source_cut(mesh, mesh->source->note_count);
    pli_ids_free(&u.edges);
    return status;
}

// ---- curved edges
//
// An element is valid if the determinant of its map is positive. That of a quadratic tetrahedron is
// a polynomial of degree 3; it is evaluated at the 20 points that determine it, and must keep a
// fraction of its value for straight edges at each.

static const double LEFT = 0.2; // fraction of the determinant
enum { ROUNDS = 6 };            // halvings before a mid-edge node returns to the midpoint

typedef struct curving {
    pli_mesh* mesh;
    pli_memory* memory;
    int group;
    pli_onto_fn* onto;
    const void* context;
    double* way;   // per vertex, 3 each: from the midpoint to the surface [m]; 0: it stays
    double* share; // per vertex: fraction of that way
    bool* cut;     // per vertex: in an element that is inverted
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

// Whether the determinant is large enough everywhere. Triangles are projected to the plane.
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

// ---- which midside nodes

// Moves the midside node of the edge from a to b onto the surface if both are on it.
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

// For the quadratic faces of tetrahedra at the boundary, and for edges of triangles there.
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

// Shortens the ways of mid-edge nodes in inverted elements. Returns whether there are any.
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
