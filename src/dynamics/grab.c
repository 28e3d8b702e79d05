// Grabbing: springs that pull a vertex, or all vertices of a body, towards targets.
#include "dynamics/grab.h"

#include "dynamics/world.h"
#include "math/vec.h"

#include <float.h>
#include <string.h>

// ---- the springs: P = sum of k/2 |x - anchor - move|^2 over the grabbed vertices

static int grab_count(const void* self) { return ((const pli_grab*)self)->count; }

static const int32_t* grab_vertices(const void* self) { return ((const pli_grab*)self)->vertices; }

static uint64_t grab_epoch(const void* self) { return ((const pli_grab*)self)->epoch; }

static void grab_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    const pli_grab* held = self;
    double d[3];
    for (int i = 0; i < in->count; ++i) {
        const pli_grab_spring* spring = &held->springs[first + i];
        pli_sub(in->x + 3 * (size_t)held->vertices[first + i], spring->anchor, d, in->dim);
        pli_sub(d, held->move, d, in->dim);
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * spring->k * pli_dot(d, d, in->dim);
        if (in->want & PLI_GRADIENT) pli_axpy(spring->k, d, out->g + i * in->dim, in->dim);
        if (in->want & PLI_HESSIAN)
            for (int c = 0; c < in->dim; ++c)
                out->H[i * in->dim * in->dim + c * (in->dim + 1)] += spring->k;
    }
}

pli_term pli_grab_term(pli_grab* held) {
    static const pli_term_ops ops = {.name = "grab",
                                     .width = 1,
                                     .dynamic = true,
                                     .role = PLI_PULL,
                                     .count = grab_count,
                                     .vertices = grab_vertices,
                                     .eval = grab_eval,
                                     .epoch = grab_epoch};
    held->body = -1;
    return (pli_term){.ops = &ops, .self = held};
}

void pli_grab_free(pli_grab* held, pli_memory* memory) {
    PLI_FREE(memory, held->vertices, held->vertex_capacity);
    PLI_FREE(memory, held->springs, held->spring_capacity);
    held->count = held->vertex_capacity = held->spring_capacity = 0;
}

// ---- grabbed vertices

static double body_mass(const pli_world* w, int body) {
    double mass = 0;
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body); ++v)
        mass += w->model.masses[v];
    return mass;
}

// For a body: with its mass, a quarter period is 0.1 s.
static double chosen_stiffness(const pli_world* w, int body) {
    static const double rate = 15.7; // [1/s]
    return body_mass(w, body) * rate * rate;
}

static bool can_move(const pli_world* w, int vertex) {
    const pli_vertex_map* map = &w->kinematics.vertices[vertex];
    bool moves = map->identity_group >= 0 || map->entry_end > map->entry_start;
    return moves && w->model.supports[vertex].kind != PLI_SUPPORT_PRESCRIBED;
}

static pli_status check_grab(pli_world* w, const double place[3], double k, pli_error* error) {
    PLI_TRY(pli_world_make_ready(w, error));
    if (!w->model.def.interactive)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "grab: the world is not interactive; set pli_world_def.interactive");
    if (!place || !isfinite(place[0] + place[1] + place[2]) || !(k >= 0) || !isfinite(k))
        return pli_fail(error, PLI_E_ARGUMENT, "grab: target and k must be finite, and k >= 0");
    return PLI_OK;
}

static pli_status make_room(pli_world* w, int count, pli_error* error) {
    PLI_TRY(PLI_GROW(&w->memory, w->grab.vertices, w->grab.vertex_capacity, count, error));
    return PLI_GROW(&w->memory, w->grab.springs, w->grab.spring_capacity, count, error);
}

static pli_status grab(pli_world* world, int vertex, const double target[3], double k,
                       pli_error* error) {
    pli_world* w = world;
    pli_grab* held = &w->grab;
    PLI_TRY(check_grab(w, target, k, error));
    if (vertex < 0 || vertex >= w->model.vertex_count)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: vertex %d, must be 0 to %d", vertex,
                        w->model.vertex_count - 1);
    if (!can_move(w, vertex))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "grab: vertex %d is fixed or prescribed; choose one that can move", vertex);
    PLI_TRY(make_room(w, 1, error));
    held->epoch += held->body >= 0 || held->count != 1 || held->vertices[0] != vertex;
    held->body = -1;
    held->count = 1;
    held->vertices[0] = vertex;
    held->springs[0].k = k > 0 ? k : chosen_stiffness(w, w->collision.surfaces.body[vertex]);
    memcpy(held->springs[0].anchor, target, sizeof held->springs[0].anchor);
    memset(held->move, 0, sizeof held->move);
    return PLI_OK;
}

pli_status pli_world_grab(pli_world* world, int vertex, const double target[3], double k,
                          pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, grab(world, vertex, target, k, error));
}

// Grabs all movable vertices of a body at their present positions.
static pli_status hold_body(pli_world* w, int body, pli_error* error) {
    pli_grab* held = &w->grab;
    int first = w->model.bodies[body].first_vertex, end = pli_body_end_vertex(&w->model, body),
        count = 0;
    for (int v = first; v < end; ++v) count += can_move(w, v);
    if (count == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "grab: body \"%s\" is fixed or prescribed; choose one that can move",
                        pli_world_body_name(w, body));
    PLI_TRY(make_room(w, count, error));
    held->epoch++;
    held->body = body;
    held->count = 0;
    for (int v = first; v < end; ++v) {
        if (!can_move(w, v)) continue;
        pli_grab_spring* spring = &held->springs[held->count];
        held->vertices[held->count++] = v;
        memcpy(spring->anchor, w->model.positions + 3 * (size_t)v, sizeof spring->anchor);
    }
    return PLI_OK;
}

static pli_status grab_body(pli_world* world, int body, const double move[3], double k,
                            pli_error* error) {
    pli_world* w = world;
    pli_grab* held = &w->grab;
    PLI_TRY(check_grab(w, move, k, error));
    if (body < 0 || body >= w->model.body_count)
        return pli_fail(error, PLI_E_ARGUMENT, "grab: body %d, must be 0 to %d", body,
                        w->model.body_count - 1);
    if (held->body != body) PLI_TRY(hold_body(w, body, error));
    double per_mass = (k > 0 ? k : chosen_stiffness(w, body)) / body_mass(w, body);
    for (int i = 0; i < held->count; ++i)
        held->springs[i].k = per_mass * w->model.masses[held->vertices[i]];
    memcpy(held->move, move, sizeof held->move);
    return PLI_OK;
}

pli_status pli_world_grab_body(pli_world* world, int body, const double move[3], double k,
                               pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, grab_body(world, body, move, k, error));
}

void pli_world_release(pli_world* world) {
    if (!world || pli_world_is_busy(world)) return;
    if (!world->model.def.interactive || world->grab.count == 0) return;
    world->grab.count = 0;
    world->grab.body = -1;
    world->grab.epoch++;
}

void pli_grab_save(const pli_grab* held, pli_pack* out) {
    pli_pack_int(out, held->body);
    pli_pack_numbers(out, held->move, 3);
    pli_pack_int(out, held->count);
    pli_pack_ints(out, held->vertices, (size_t)held->count);
    for (int i = 0; i < held->count; ++i) {
        pli_pack_numbers(out, held->springs[i].anchor, 3);
        pli_pack_number(out, held->springs[i].k);
    }
}

pli_status pli_grab_restore(pli_world* world, pli_unpack* in, pli_error* error) {
    pli_world* w = world;
    pli_grab* held = &w->grab;
    int body = pli_unpack_int(in, -1, w->model.body_count - 1, "body held");
    pli_unpack_numbers(in, held->move, 3, "move");
    int count = pli_unpack_int(in, 0, w->model.vertex_count, "vertices held");
    if (in->apply && pli_unpack_good(in)) {
        PLI_TRY(make_room(w, count, error));
        held->body = body;
        held->count = 0; // until they are read
        held->epoch++;
    }
    pli_unpack_ints(in, held->vertices, (size_t)count, 0, w->model.vertex_count - 1, "vertex held");
    for (int i = 0; i < count && pli_unpack_good(in); ++i) {
        double anchor[3], k;
        pli_unpack_numbers(in, in->apply ? held->springs[i].anchor : anchor, 3, "anchor");
        k = pli_unpack_number(in, 0, DBL_MAX, "stiffness");
        if (in->apply) held->springs[i].k = k;
    }
    if (in->apply && pli_unpack_good(in)) held->count = count;
    return PLI_OK;
}
