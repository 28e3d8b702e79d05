// Adding outer forces to a world, and the surfaces of bodies that they act on.
#include "dynamics/params.h"
#include "dynamics/world.h"
#include "energy/load.h"

#include <string.h>

static void free_load(pli_memory* memory, pli_body_load* load) {
    PLI_FREE(memory, load->vertices, load->vertex_count);
    pli_skin_free(&load->skin);
}

void pli_world_free_loads(pli_world* w) {
    for (int i = 0; i < w->model.load_count; ++i) free_load(&w->memory, &w->model.loads[i]);
    PLI_FREE(&w->memory, w->model.loads, w->model.load_capacity);
}

// Copies the selection in world numbers and marks it in `listed` (1 per vertex of the world).
static pli_status take_vertices(pli_world* w, const pli_load_def* def, pli_body_load* load,
                                bool* listed, pli_error* error) {
    int first = w->model.bodies[load->body].first_vertex;
    int total = pli_body_end_vertex(&w->model, load->body) - first;
    int count = def->vertices ? def->vertex_count : total;
    if (count <= 0) return pli_fail(error, PLI_E_ARGUMENT, "vertex_count = %d, must be > 0", count);
    PLI_TRY(PLI_ALLOC(&w->memory, load->vertices, count, error));
    load->vertex_count = count;
    for (int i = 0; i < count; ++i) {
        int v = def->vertices ? def->vertices[i] : i;
        if (v < 0 || v >= total)
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d, must be 0 to %d", v, total - 1);
        if (listed[first + v])
            return pli_fail(error, PLI_E_ARGUMENT, "vertex %d is listed twice", v);
        load->vertices[i] = first + v;
        listed[first + v] = true;
    }
    return PLI_OK;
}

static pli_status take_faces(pli_world* w, pli_body_load* load, const bool* listed,
                             pli_error* error) {
    bool plane = w->model.def.dimension == 2;
    PLI_TRY(pli_model_skin(&w->model, load->body, w->model.def.dimension, &load->skin, error));
    if (load->skin.count[0] + load->skin.count[1] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the body has no surface to act on: its mesh needs triangles%s, or use a "
                        "force",
                        plane ? "" : " or tetrahedra");
    pli_skin_keep(&load->skin, listed);
    if (load->skin.count[0] + load->skin.count[1] == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "no %s has all its corners among the %d vertices that are listed: select "
                        "at least one whole %s",
                        plane ? "edge of the outline" : "face of the surface", load->vertex_count,
                        plane ? "edge" : "face");
    return PLI_OK;
}

static pli_status add_load(pli_world* world, pli_body_id id, const pli_load_def* def,
                           pli_error* error) {
    PLI_TRY(pli_world_not_prepared(world, error));
    pli_body* body = NULL;
    PLI_TRY(pli_world_find_body(world, id, &body, error));
    if (!def) return pli_fail(error, PLI_E_ARGUMENT, "body \"%s\": load: def is NULL", body->name);
    PLI_TRY(pli_world_can_deform(body, "load", error));
    pli_memory* m = &world->memory;
    pli_body_load load = {.body = id.index, .def = *def};
    bool* listed = NULL;
    pli_status status = pli_params_check(&pli_load_params, &load.def, "load", error);
    if (status != PLI_OK) {
        pli_error_prefix(error, "body \"%s\"", body->name);
        return status;
    }
    const char* kind = load.def.kind; // the table's own word
    if (world->model.def.dimension == 2) load.def.value[2] = 0;
    load.def.vertices = NULL;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, listed, world->model.vertex_count, error));
    status = take_vertices(world, def, &load, listed, error);
    if (status == PLI_OK && pli_load_on_faces(kind))
        status = take_faces(world, &load, listed, error);
    PLI_TRY_CLEANUP(status, pli_error_key(status, error, "vertices"));
    PLI_TRY_CLEANUP(status, PLI_GROW(m, world->model.loads, world->model.load_capacity,
                                     world->model.load_count + 1, error));
    world->model.loads[world->model.load_count++] = load;
    load = (pli_body_load){0};
cleanup:
    if (status != PLI_OK) pli_error_prefix(error, "body \"%s\": %s", body->name, kind);
    free_load(m, &load);
    PLI_FREE(m, listed, world->model.vertex_count);
    return status;
}

pli_status pli_world_add_load(pli_world* world, pli_body_id id, const pli_load_def* def,
                              pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    pli_status status = add_load(world, id, def, error);
    pli_error_place(status, error, PLI_OBJECT_LOAD, world->model.load_count, NULL);
    return pli_world_leave(world, status);
}
