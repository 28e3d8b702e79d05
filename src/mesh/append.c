// One mesh added to another: bodies made of several shapes.
#include "mesh/build.h"

static size_t most_vertices(const pli_mesh* mesh) {
    size_t most = 0;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        size_t n = (size_t)mesh->element_count[k] * (size_t)pli_element_size((pli_element_kind)k);
        most = n > most ? n : most;
    }
    for (int g = 0; g < mesh->group_count; ++g) {
        size_t n = (size_t)mesh->groups[g].vertex_count;
        most = n > most ? n : most;
    }
    return most;
}

static const int32_t* shift(int first, int count, const int32_t* from, int32_t* out) {
    for (int i = 0; i < count; ++i) out[i] = first + from[i];
    return out;
}

static pli_status append(pli_mesh* mesh, const pli_mesh* other, int32_t* room, pli_error* error) {
    int first;
    PLI_TRY(pli_mesh_add_vertices(mesh, other->vertex_count, other->positions, &first, error));
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        pli_element_kind kind = (pli_element_kind)k;
        int count = other->element_count[k];
        const int32_t* v = shift(first, count * pli_element_size(kind), other->elements[k], room);
        if (count > 0) PLI_TRY(pli_mesh_add_elements(mesh, kind, count, v, error));
    }
    for (int g = 0; g < other->group_count; ++g) {
        const pli_mesh_group* group = &other->groups[g];
        const int32_t* v = shift(first, group->vertex_count, group->vertices, room);
        PLI_TRY(pli_mesh_add_group(mesh, group->name, group->tag, group->dim, group->vertex_count,
                                   v, error));
    }
    return PLI_OK;
}

pli_status pli_mesh_add_mesh(pli_mesh* mesh, const pli_mesh* other, pli_error* error) {
    pli_memory memory;
    int32_t* room = NULL;
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!other || other == mesh)
        return pli_fail(error, PLI_E_ARGUMENT, "mesh: the other one is %s",
                        other ? "itself" : "NULL");
    pli_memory_init(&memory, mesh->allocator);
    PLI_TRY(PLI_ALLOC(&memory, room, most_vertices(other), error));
    pli_status status = append(mesh, other, room, error);
    PLI_FREE(&memory, room, most_vertices(other));
    return status;
}
