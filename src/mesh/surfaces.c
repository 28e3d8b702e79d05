// Surfaces of triangles around the x axis: tubes, capsules, spheres; and the surface of a solid.
// They are stacks of rings of 6 k vertices: a tube keeps k from ring to ring, the cap at an end
// loses one k per ring, as the rings of pli_mesh_add_disk, down to one vertex. All triangles run
// counter-clockwise seen from outside.
#include "math/elementary.h"
#include "mesh/build.h"
#include "mesh/skin.h"

#include <string.h>

typedef struct tube {
    double radius, length;
    int rings, segments; // segments 0: the caps share their ring
    pli_tube_ends ends;
} tube;

static int cap_layers(const tube* t) { return t->ends == PLI_ENDS_OPEN ? 0 : t->rings; }
static int layer_count(const tube* t) { return 2 * cap_layers(t) + t->segments + 1; }

// How far a layer is inside the cap, from 0 where the tube ends to `rings` at the pole; negative at
// the lower end.
static int depth_of(const tube* t, int layer) {
    int caps = cap_layers(t), above = layer - caps - t->segments;
    return layer < caps ? layer - caps : above > 0 ? above : 0;
}

static int rings_at(const tube* t, int layer) {
    int depth = depth_of(t, layer);
    return t->rings - (depth < 0 ? -depth : depth);
}

// Position along the axis and distance from it.
static void place_layer(const tube* t, int layer, double* along, double* radius) {
    const double quarter = 1.5707963267948966;
    int depth = depth_of(t, layer), on = layer - cap_layers(t);
    double end = 0.5 * t->length, part = (double)depth / t->rings;
    *along = depth < 0         ? -end
             : depth > 0       ? end
             : t->segments > 0 ? t->length * on / t->segments - end
                               : 0;
    *radius = t->radius * rings_at(t, layer) / t->rings;
    if (t->ends != PLI_ENDS_ROUND || depth == 0) return;
    *along += t->radius * pli_sin(quarter * part);
    *radius = rings_at(t, layer) == 0 ? 0 : t->radius * pli_cos(quarter * part);
}

static void put_triangle(pli_mesh* mesh, int32_t a, int32_t b, int32_t c, bool mirrored) {
    pli_mesh_put_element(mesh, PLI_TRIANGLE, (int32_t[3]){a, mirrored ? c : b, mirrored ? b : c});
}

// The vertex at a position of a ring of 6 k vertices.
static int32_t on_ring(int first, int k, int position) {
    return first + (k > 0 ? position % (6 * k) : 0);
}

// Between two layers of k rings; diagonals alternate.
static void put_band(pli_mesh* mesh, int k, int low, int high, int layer) {
    for (int j = 0; j < 6 * k; ++j) {
        int32_t a = on_ring(low, k, j), b = on_ring(low, k, j + 1), c = on_ring(high, k, j + 1),
                d = on_ring(high, k, j);
        bool falls = (layer ^ j) & 1;
        put_triangle(mesh, a, b, falls ? d : c, false);
        put_triangle(mesh, falls ? b : a, c, d, false);
    }
}

// Between the ring of 6 k vertices and that of 6 (k - 1) nearer to the pole; along each of the six
// arcs the outer one has one edge more.
static void put_cap(pli_mesh* mesh, int k, int inner, int outer, bool lower) {
    for (int arc = 0; arc < 6; ++arc)
        for (int j = 0; j < k; ++j) {
            int in = arc * (k - 1) + j, out = arc * k + j;
            int32_t near = on_ring(inner, k - 1, in), far = on_ring(outer, k, out + 1);
            put_triangle(mesh, near, on_ring(outer, k, out), far, lower);
            if (j < k - 1) put_triangle(mesh, near, far, on_ring(inner, k - 1, in + 1), lower);
        }
}

static pli_status reserve_tube(pli_mesh* mesh, const tube* t, pli_group_plan sides[3],
                               pli_error* error) {
    const int64_t most = 1 << 15; // counts beyond it are refused by the reservation
    int64_t m = pli_min_int(t->rings, (int)most), caps = t->ends == PLI_ENDS_OPEN ? 0 : 2;
    int64_t cap = 1 + 3 * m * (m - 1), side = 6 * m * ((int64_t)t->segments + 1);
    PLI_TRY(
        pli_mesh_reserve_vertices(mesh, t->rings > most ? INT32_MAX : side + caps * cap, error));
    PLI_TRY(pli_mesh_reserve_elements(mesh, PLI_TRIANGLE, 12 * m * t->segments + caps * 6 * m * m,
                                      error));
    int64_t end = 6 * m + (caps > 0 ? cap : 0);
    int dim = caps > 0 ? 2 : 1;
    sides[0] = (pli_group_plan){"bottom", dim, end, 0};
    sides[1] = (pli_group_plan){"top", dim, end, 0};
    sides[2] = (pli_group_plan){"side", 2, side, 0};
    return pli_mesh_reserve_groups(mesh, sides, 3, error);
}

static void put_layer(pli_mesh* mesh, const tube* t, int layer, const pli_group_plan sides[3]) {
    const double turn = 6.283185307179586;
    int k = rings_at(t, layer), depth = depth_of(t, layer), on_tube = layer - cap_layers(t);
    int count = k > 0 ? 6 * k : 1;
    double along, radius;
    place_layer(t, layer, &along, &radius);
    for (int i = 0; i < count; ++i) {
        const bool on[3] = {on_tube <= 0, on_tube >= t->segments, depth == 0};
        double angle = turn * i / count;
        pli_mesh_put_vertex(mesh, along, radius * pli_cos(angle), radius * pli_sin(angle));
        pli_mesh_put_on_sides(mesh, sides, 3, on);
    }
}

static pli_status add_tube(pli_mesh* mesh, const tube* t, pli_error* error) {
    pli_group_plan sides[3];
    PLI_TRY(reserve_tube(mesh, t, sides, error));
    int before = -1;
    for (int layer = 0; layer < layer_count(t); ++layer) {
        int first = mesh->vertex_count, k = rings_at(t, layer);
        int last = layer > 0 ? rings_at(t, layer - 1) : k;
        put_layer(mesh, t, layer, sides);
        if (layer > 0 && k == last) put_band(mesh, k, before, first, layer);
        if (k > last) put_cap(mesh, k, before, first, true);
        if (k < last) put_cap(mesh, last, first, before, false);
        before = first;
    }
    return PLI_OK;
}

pli_status pli_mesh_add_tube(pli_mesh* mesh, double radius, double length, int rings, int segments,
                             pli_tube_ends ends, pli_error* error) {
    const tube t = {radius, length, rings, segments, ends};
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("tube", "radius", radius, error));
    PLI_TRY(pli_check_size("tube", "length", length, error));
    PLI_TRY(pli_check_cells("tube", "rings", rings, error));
    PLI_TRY(pli_check_cells("tube", "segments", segments, error));
    if (ends != PLI_ENDS_OPEN && ends != PLI_ENDS_FLAT && ends != PLI_ENDS_ROUND)
        return pli_fail(error, PLI_E_ARGUMENT, "tube: unknown ends = %d", (int)ends);
    return add_tube(mesh, &t, error);
}

pli_status pli_mesh_add_sphere(pli_mesh* mesh, double radius, int rings, pli_error* error) {
    const tube t = {.radius = radius, .rings = rings, .ends = PLI_ENDS_ROUND};
    PLI_TRY(pli_mesh_need(mesh, error));
    PLI_TRY(pli_check_size("sphere", "radius", radius, error));
    PLI_TRY(pli_check_cells("sphere", "rings", rings, error));
    return add_tube(mesh, &t, error);
}

// ---- the surface of a solid

// Vertices of the faces get new numbers, in their order; others -1.
static void renumber(const pli_skin* skin, int count, int32_t* numbers) {
    int next = 0;
    for (int v = 0; v < count; ++v) numbers[v] = -1;
    for (int q = 0; q < 2; ++q)
        for (int i = 0; i < skin->count[q] * pli_face_width(3, q == 1); ++i)
            numbers[skin->faces[q][i]] = 0;
    for (int v = 0; v < count; ++v)
        if (numbers[v] == 0) numbers[v] = next++;
}

static pli_status copy_vertices(const pli_mesh* from, const int32_t* numbers, pli_mesh* out,
                                pli_error* error) {
    const double* x = from->positions;
    PLI_TRY(pli_mesh_reserve_vertices(out, from->vertex_count, error));
    for (int v = 0; v < from->vertex_count; ++v, x += 3)
        if (numbers[v] >= 0) pli_mesh_put_vertex(out, x[0], x[1], x[2]);
    for (int g = 0; g < from->group_count; ++g) {
        const pli_mesh_group* group = &from->groups[g];
        for (int i = 0; i < group->vertex_count; ++i) {
            int32_t v = numbers[group->vertices[i]];
            if (v >= 0)
                PLI_TRY(pli_mesh_add_group(out, group->name, group->tag, group->dim, 1, &v, error));
        }
    }
    return PLI_OK;
}

// The faces get the new numbers in place.
static pli_status copy_faces(pli_skin* skin, const int32_t* numbers, pli_mesh* out,
                             pli_error* error) {
    for (int q = 0; q < 2; ++q) {
        for (int i = 0; i < skin->count[q] * pli_face_width(3, q == 1); ++i)
            skin->faces[q][i] = numbers[skin->faces[q][i]];
        if (skin->count[q] > 0)
            PLI_TRY(pli_mesh_add_elements(out, q == 1 ? PLI_TRIANGLE6 : PLI_TRIANGLE,
                                          skin->count[q], skin->faces[q], error));
    }
    return PLI_OK;
}

pli_status pli_mesh_keep_surface(pli_mesh* mesh, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(mesh);
    pli_skin skin = {0};
    pli_mesh surface;
    int32_t* numbers = NULL;
    int count = mesh->vertex_count;
    pli_status status;
    pli_mesh_init(&surface, mesh->allocator);
    PLI_TRY_CLEANUP(status, pli_skin_create(&memory, &all, 3, true, &skin, error));
    if (skin.count[0] + skin.count[1] == 0)
        PLI_TRY_CLEANUP(status, pli_fail(error, PLI_E_ARGUMENT,
                                         "mesh: no tetrahedra or triangles, so no surface"));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, numbers, count, error));
    renumber(&skin, count, numbers);
    PLI_TRY_CLEANUP(status, copy_vertices(mesh, numbers, &surface, error));
    PLI_TRY_CLEANUP(status, copy_faces(&skin, numbers, &surface, error));
    const pli_mesh solid = *mesh;
    *mesh = surface;
    surface = solid;
cleanup:
    PLI_FREE(&memory, numbers, count);
    pli_skin_free(&skin);
    pli_mesh_free(&surface);
    return status;
}
