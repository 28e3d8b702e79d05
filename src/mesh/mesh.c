// Mesh storage: one array of positions and one per element kind, growing by doubling.
#include "pliant/mesh.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mesh/build.h"
#include "mesh/groups.h"
#include "mesh/measure.h"
#include "mesh/source.h"

enum { MAX_COUNT = INT32_MAX / 12 }; // 3 coordinates or 10 vertices each must still count in int

void pli_mesh_init(pli_mesh* mesh, const pli_allocator* allocator) {
    if (mesh) *mesh = (pli_mesh){.allocator = allocator};
}

void pli_mesh_free(pli_mesh* mesh) {
    if (!mesh) return;
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    PLI_FREE(&memory, mesh->positions, 3 * mesh->vertex_capacity);
    for (int kind = 0; kind < PLI_ELEMENT_KIND_COUNT; ++kind)
        PLI_FREE(&memory, mesh->elements[kind],
                 pli_element_size((pli_element_kind)kind) * mesh->element_capacity[kind]);
    pli_mesh_cut_groups(mesh, 0);
    PLI_FREE(&memory, mesh->groups, mesh->group_capacity);
    pli_mesh_source_destroy(mesh);
    pli_mesh_init(mesh, mesh->allocator);
}

static pli_status check_count(const char* what, int old, int64_t count, pli_error* error) {
    if (count >= 0 && count <= MAX_COUNT - old) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT,
                    "mesh: %lld more %s to the %d that are there, must be 0 to %d in all",
                    (long long)count, what, old, MAX_COUNT);
}

pli_status pli_mesh_reserve_vertices(pli_mesh* mesh, int64_t count, pli_error* error) {
    PLI_TRY(check_count("vertices", mesh->vertex_count, count, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    return pli_grow(&memory, &mesh->positions, 3 * sizeof *mesh->positions, &mesh->vertex_capacity,
                    mesh->vertex_count + (int)count, error);
}

pli_status pli_mesh_reserve_elements(pli_mesh* mesh, pli_element_kind kind, int64_t count,
                                     pli_error* error) {
    PLI_TRY(check_count("elements", mesh->element_count[kind], count, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    return pli_grow(&memory, &mesh->elements[kind],
                    (size_t)pli_element_size(kind) * sizeof **mesh->elements,
                    &mesh->element_capacity[kind], mesh->element_count[kind] + (int)count, error);
}

void pli_mesh_put_vertex(pli_mesh* mesh, double x, double y, double z) {
    PLI_ASSERT(mesh->vertex_count < mesh->vertex_capacity);
    double* position = mesh->positions + 3 * (size_t)mesh->vertex_count++;
    position[0] = x;
    position[1] = y;
    position[2] = z;
}

void pli_mesh_put_element(pli_mesh* mesh, pli_element_kind kind, const int32_t* vertices) {
    PLI_ASSERT(mesh->element_count[kind] < mesh->element_capacity[kind]);
    size_t width = (size_t)pli_element_size(kind), e = (size_t)mesh->element_count[kind]++;
    memcpy(mesh->elements[kind] + width * e, vertices, width * sizeof *vertices);
}

pli_status pli_mesh_add_vertices(pli_mesh* mesh, int count, const double* positions, int* first,
                                 pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (count < 0 || (count > 0 && !positions))
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: %d vertices without positions", count);
    size_t bytes = 3 * sizeof *positions * (size_t)mesh->vertex_count;
    ptrdiff_t own = pli_offset_in(positions, mesh->positions, bytes);
    PLI_TRY(pli_mesh_reserve_vertices(mesh, count, error));
    if (own >= 0) positions = mesh->positions + own / (ptrdiff_t)sizeof *positions;
    for (int i = 0; i < 3 * count; ++i)
        if (!isfinite(positions[i]))
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d: coordinate %c is not finite",
                            mesh->vertex_count + i / 3, "xyz"[i % 3]);
    if (first) *first = mesh->vertex_count;
    for (int i = 0; i < count; ++i)
        pli_mesh_put_vertex(mesh, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    return PLI_OK;
}

pli_status pli_mesh_add_elements(pli_mesh* mesh, pli_element_kind kind, int count,
                                 const int32_t* vertices, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (kind <= PLI_VERTEX || kind >= PLI_ELEMENT_KIND_COUNT)
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: element kind = %d, must be %d to %d",
                        (int)kind, PLI_SEGMENT, PLI_ELEMENT_KIND_COUNT - 1);
    if (count < 0 || (count > 0 && !vertices))
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: %d elements without vertices", count);
    int width = pli_element_size(kind);
    size_t bytes = sizeof *vertices * (size_t)width * (size_t)mesh->element_count[kind];
    ptrdiff_t own = pli_offset_in(vertices, mesh->elements[kind], bytes);
    PLI_TRY(pli_mesh_reserve_elements(mesh, kind, count, error));
    if (own >= 0) vertices = mesh->elements[kind] + own / (ptrdiff_t)sizeof *vertices;
    for (int i = 0; i < width * count; ++i)
        if (vertices[i] < 0 || vertices[i] >= mesh->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT, "%s %d: vertex %d, the mesh has %d",
                            pli_element_word(kind), mesh->element_count[kind] + i / width,
                            (int)vertices[i], mesh->vertex_count);
    for (int i = 0; i < count; ++i) pli_mesh_put_element(mesh, kind, vertices + width * i);
    return PLI_OK;
}
