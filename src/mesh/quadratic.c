// Quadratic elements: a vertex in the middle of each edge, shared by all elements at the edge.
#include "mesh/build.h"
#include "mesh/groups.h"
#include "mesh/ids.h"
#include "mesh/reference.h"
#include "mesh/skin.h"
#include "mesh/source.h"

typedef struct upgrade {
    pli_mesh* mesh;
    pli_ids edges; // low vertex * 2^32 + high vertex -> middle
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
    bool by_edges; // an edge belongs to the group if its own ends do, not all corners
} simplices;

// Sets `chosen` for the middles of edges that belong to the group.
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

// Where a group of this dimension may lie: on the elements of the largest dimension if that is its
// own, else on their boundary and on the elements that the mesh has there.
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

// Gives the new vertices to the groups; the linear elements are still there.
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
