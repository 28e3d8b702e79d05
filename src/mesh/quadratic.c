// Quadratic elements: a vertex in the middle of each edge, shared by all elements at the edge.
#include "mesh/build.h"
#include "mesh/ids.h"
#include "mesh/measure.h"
#include "mesh/source.h"

typedef struct upgrade {
    pli_mesh* mesh;
    pli_ids edges; // low vertex * 2^32 + high vertex -> middle
    pli_error* error;
} upgrade;

// The edges in the order of the middles of PLI_TETRAHEDRON10; the first three are a triangle's.
static const int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

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
        for (int i = corners; i < size; ++i)
            PLI_TRY(find_middle(u, v[edges[i - corners][0]], v[edges[i - corners][1]], &v[i]));
        if (source && e < source->place_count[linear])
            PLI_TRY(pli_mesh_source_put(mesh, quadratic, mesh->element_count[quadratic],
                                        source->places[linear][e], u->error));
        pli_mesh_put_element(mesh, quadratic, v);
    }
    return PLI_OK;
}

pli_status pli_mesh_make_quadratic(pli_mesh* mesh, pli_error* error) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    const pli_mesh before = *mesh;
    upgrade u = {.mesh = mesh, .error = error};
    pli_ids_init(&u.edges, &memory);
    pli_status status = upgrade_kind(&u, PLI_TRIANGLE, PLI_TRIANGLE6);
    if (status == PLI_OK) status = upgrade_kind(&u, PLI_TETRAHEDRON, PLI_TETRAHEDRON10);
    if (status == PLI_OK) {
        mesh->element_count[PLI_TRIANGLE] = mesh->element_count[PLI_TETRAHEDRON] = 0;
    } else {
        mesh->vertex_count = before.vertex_count;
        mesh->element_count[PLI_TRIANGLE6] = before.element_count[PLI_TRIANGLE6];
        mesh->element_count[PLI_TETRAHEDRON10] = before.element_count[PLI_TETRAHEDRON10];
    }
    if (mesh->source) pli_mesh_source_cut(mesh, mesh->source->note_count);
    pli_ids_free(&u.edges);
    return status;
}
