// Groups of vertices. Their lists are sorted and without repetition at all times.
#include "mesh/groups.h"
#include "mesh/build.h"

#include <string.h>

#include "base/memory.h"
#include "mesh/measure.h"

// The group of this name and dimension, -1 if there is none. Names agree if they do when cut.
static int find_exactly(const pli_mesh* mesh, const char* name, int dim) {
    for (int i = 0; i < mesh->group_count; ++i)
        if (mesh->groups[i].dim == dim && strcmp(mesh->groups[i].name, name) == 0) return i;
    return -1;
}

// A name that is too long ends before the character that does not fit.
static void cut_name(const char* name, char out[PLI_MESH_NAME_SIZE]) {
    size_t n = 0;
    while (n < PLI_MESH_NAME_SIZE - 1 && name[n]) ++n;
    while (n > 0 && (name[n] & 0xC0) == 0x80) --n;
    memset(out, 0, PLI_MESH_NAME_SIZE);
    memcpy(out, name, n);
}

// The group with room for `count` more vertices; made if it is not there.
static pli_status make_room(pli_mesh* mesh, const char* name, int dim, int64_t count, int* group,
                            pli_error* error) {
    pli_memory memory;
    char cut[PLI_MESH_NAME_SIZE];
    pli_memory_init(&memory, mesh->allocator);
    cut_name(name, cut);
    int at = find_exactly(mesh, cut, dim);
    if (count > INT32_MAX - (at < 0 ? 0 : mesh->groups[at].vertex_count))
        return pli_fail(error, PLI_E_MEMORY, "group \"%s\": more than %d vertices", cut, INT32_MAX);
    if (at < 0) {
        at = mesh->group_count;
        PLI_TRY(PLI_GROW(&memory, mesh->groups, mesh->group_capacity, at + 1, error));
        mesh->groups[at] = (pli_mesh_group){.dim = dim};
        memcpy(mesh->groups[at].name, cut, sizeof cut);
        mesh->group_count++;
    }
    pli_mesh_group* g = &mesh->groups[at];
    *group = at;
    return PLI_GROW(&memory, g->vertices, g->vertex_capacity, g->vertex_count + (int)count, error);
}

pli_status pli_mesh_reserve_groups(pli_mesh* mesh, pli_group_plan* plans, int count,
                                   pli_error* error) {
    int before = mesh->group_count;
    pli_status status = PLI_OK;
    for (int i = 0; i < count && status == PLI_OK; ++i)
        status =
            make_room(mesh, plans[i].name, plans[i].dim, plans[i].count, &plans[i].group, error);
    if (status != PLI_OK) pli_mesh_cut_groups(mesh, before);
    return status;
}

void pli_mesh_put_in_group(pli_mesh* mesh, int group, int32_t vertex) {
    pli_mesh_group* g = &mesh->groups[group];
    PLI_ASSERT(g->vertex_count < g->vertex_capacity);
    PLI_ASSERT(g->vertex_count == 0 || g->vertices[g->vertex_count - 1] < vertex);
    g->vertices[g->vertex_count++] = vertex;
}

void pli_mesh_put_on_sides(pli_mesh* mesh, const pli_group_plan* plans, int count, const bool* on) {
    for (int i = 0; i < count; ++i)
        if (on[i]) pli_mesh_put_in_group(mesh, plans[i].group, mesh->vertex_count - 1);
}

void pli_mesh_cut_groups(pli_mesh* mesh, int group_count) {
    pli_memory memory;
    pli_memory_init(&memory, mesh->allocator);
    while (mesh->group_count > group_count) {
        pli_mesh_group* g = &mesh->groups[--mesh->group_count];
        PLI_FREE(&memory, g->vertices, g->vertex_capacity);
    }
    for (int i = 0; i < mesh->group_count; ++i) {
        pli_mesh_group* g = &mesh->groups[i];
        while (g->vertex_count > 0 && g->vertices[g->vertex_count - 1] >= mesh->vertex_count)
            g->vertex_count--;
    }
}

bool pli_group_has(const pli_mesh_group* g, int32_t vertex) {
    int low = 0, high = g->vertex_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (g->vertices[middle] < vertex)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->vertex_count && g->vertices[low] == vertex;
}

static pli_status check_group(const pli_mesh* mesh, const char* name, int dim, int count,
                              const int32_t* vertices, pli_error* error) {
    if (!name || !name[0]) return pli_fail(error, PLI_E_ARGUMENT, "mesh: a group has no name");
    if (dim < 0 || dim > 3)
        return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": dimension %d, must be 0 to 3",
                        name, dim);
    if (count < 0 || (count > 0 && !vertices))
        return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": %d vertices without a list", name,
                        count);
    for (int i = 0; i < count; ++i)
        if (vertices[i] < 0 || vertices[i] >= mesh->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT, "group \"%.63s\": vertex %d, the mesh has %d",
                            name, (int)vertices[i], mesh->vertex_count);
    return PLI_OK;
}

pli_status pli_mesh_add_group(pli_mesh* mesh, const char* name, int32_t tag, int dim, int count,
                              const int32_t* vertices, pli_error* error) {
    PLI_TRY(pli_mesh_need(mesh, error));
    if (!name) return pli_fail(error, PLI_E_ARGUMENT, "mesh: the name of the group is NULL");
    pli_memory memory;
    bool* marked = NULL;
    int group = -1, before = mesh->group_count, size = mesh->vertex_count;
    pli_status status;
    PLI_TRY(check_group(mesh, name, dim, count, vertices, error));
    pli_memory_init(&memory, mesh->allocator);
    bool rising = true; // as files and generators give them
    for (int i = 1; i < count && rising; ++i) rising = vertices[i - 1] < vertices[i];
    if (!rising) PLI_TRY(PLI_ALLOC(&memory, marked, size, error));
    ptrdiff_t own = -1; // the list may be that of a group, which moves
    int owner = -1;
    while (own < 0 && ++owner < before)
        own = pli_offset_in(vertices, mesh->groups[owner].vertices,
                            sizeof *vertices * (size_t)mesh->groups[owner].vertex_count);
    PLI_TRY_CLEANUP(status, make_room(mesh, name, dim, count, &group, error));
    if (own >= 0) vertices = mesh->groups[owner].vertices + own / (ptrdiff_t)sizeof *vertices;
    pli_mesh_group* g = &mesh->groups[group];
    if (g->tag == 0) g->tag = tag;
    int last = g->vertex_count > 0 ? g->vertices[g->vertex_count - 1] : -1;
    if (rising && (count == 0 || vertices[0] > last)) {
        for (int i = 0; i < count; ++i) g->vertices[g->vertex_count++] = vertices[i];
        goto cleanup;
    }
    if (!marked) PLI_TRY_CLEANUP(status, PLI_ALLOC(&memory, marked, size, error));
    for (int i = 0; i < g->vertex_count; ++i) marked[g->vertices[i]] = true;
    for (int i = 0; i < count; ++i) marked[vertices[i]] = true;
    g->vertex_count = 0;
    for (int v = 0; v < size; ++v)
        if (marked[v]) g->vertices[g->vertex_count++] = v;
cleanup:
    if (status != PLI_OK) pli_mesh_cut_groups(mesh, before);
    if (marked) PLI_FREE(&memory, marked, size);
    return status;
}

int pli_mesh_find_group(const pli_mesh* mesh, const char* name) {
    if (!mesh || !name) return -1;
    int solid = pli_mass_dimension(mesh->element_count), best = -1, best_rank = -1;
    char cut[PLI_MESH_NAME_SIZE];
    cut_name(name, cut);
    for (int i = 0; i < mesh->group_count; ++i) {
        const pli_mesh_group* g = &mesh->groups[i];
        int rank = g->dim < solid ? g->dim + 1 : 0;
        if (rank <= best_rank || strcmp(g->name, cut) != 0) continue;
        best = i;
        best_rank = rank;
    }
    return best;
}
