// The edges of a mesh in the place of its elements, and what belongs to no larger element.
#include "mesh/build.h"
#include "mesh/skin.h"
#include "mesh/sort.h"

#include <string.h>

static void put_edge(int32_t a, int32_t b, int32_t* rows, int* count) {
    rows[2 * *count] = a < b ? a : b;
    rows[2 * (*count)++ + 1] = a < b ? b : a;
}

// Segments, and the edges of the surface; those of quadratic faces go through their middles.
static int gather_edges(const pli_mesh* mesh, const pli_skin* skin, int32_t* rows) {
    int count = 0;
    for (int i = 0; i < mesh->element_count[PLI_SEGMENT]; ++i)
        put_edge(mesh->elements[PLI_SEGMENT][2 * i], mesh->elements[PLI_SEGMENT][2 * i + 1], rows,
                 &count);
    for (int i = 0; i < 3 * skin->count[0]; ++i) {
        const int32_t* v = skin->faces[0] + i / 3 * 3;
        put_edge(v[i % 3], v[(i + 1) % 3], rows, &count);
    }
    for (int i = 0; i < 3 * skin->count[1]; ++i) {
        const int32_t* v = skin->faces[1] + i / 3 * 6;
        put_edge(v[i % 3], v[3 + i % 3], rows, &count);
        put_edge(v[3 + i % 3], v[(i + 1) % 3], rows, &count);
    }
    return count;
}

pli_status pli_mesh_keep_edges(pli_mesh* mesh, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    pli_elements all = pli_elements_of(mesh);
    pli_skin skin = {0};
    int32_t* rows = NULL;
    size_t room = 0;
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_skin_create(&memory, &all, 3, true, &skin, error));
    room = 2 * ((size_t)all.count[PLI_SEGMENT] + 3 * (size_t)skin.count[0] +
                6 * (size_t)skin.count[1]);
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, rows, room, error));
    int count = gather_edges(mesh, &skin, rows), kept = 0;
    PLI_TRY_CLEANUP(status, pli_sort_rows(&memory, rows, count, 2, 2, mesh->vertex_count, error));
    for (int i = 0; i < count; ++i)
        if (kept == 0 || memcmp(rows + 2 * (kept - 1), rows + 2 * i, 2 * sizeof *rows) != 0)
            memmove(rows + 2 * kept++, rows + 2 * i, 2 * sizeof *rows);
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) mesh->element_count[k] = 0;
    if (kept > 0)
        PLI_TRY_CLEANUP(status, pli_mesh_add_elements(mesh, PLI_SEGMENT, kept, rows, error));
cleanup:
    PLI_FREE(&memory, rows, room);
    pli_skin_free(&skin);
    return status;
}

// Vertices of no element.
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
