// Contact of the world: its terms, its exact test, its forces.
#include "dynamics/world.h"

#include "base/text.h"
#include "contact/barrier_term.h"
#include "contact/intersect.h"
#include "math/vec.h"

#include <string.h>

static const double half_pi = 1.57079632679489661923;

static pli_status add_barrier(pli_world* w, pli_term term, double friction, pli_error* error) {
    pli_world_term* barrier = pli_world_add_term(w, term);
    barrier->barrier = barrier->contact = true;
    if (friction == 0) return PLI_OK;
    pli_friction_def def = {.coefficient = friction, .speed = w->def.contact.friction_speed};
    pli_term added;
    PLI_TRY(pli_friction_create(&w->memory, &term, &def, &added, error));
    pli_world_add_term(w, added)->contact = true;
    return PLI_OK;
}

// ---- half-spaces

// Vertices that touch half-spaces, but for the carrier; returns their count.
static int half_space_vertices(const pli_world* w, int carrier, int32_t* out) {
    int count = 0;
    for (int v = 0; v < w->vertex_count; ++v) {
        const char* rule = w->bodies[w->collision.body[v]].def.contact_vertices;
        bool chosen =
            strcmp(rule, "all") == 0 || (strcmp(rule, "boundary") == 0 && w->collision.outer[v]);
        if (chosen && v != carrier) out[count++] = v;
    }
    return count;
}

static pli_status add_half_space(pli_world* w, const pli_barrier_def* def, int i, int32_t* list,
                                 pli_error* error) {
    const pli_half_space_def* half_space = &w->half_spaces[i];
    pli_plane plane = {.carrier = -1};
    memcpy(plane.point, half_space->point, sizeof plane.point);
    memcpy(plane.normal, half_space->normal, sizeof plane.normal);
    if (half_space->carrier.generation > 0)
        plane.carrier = w->bodies[half_space->carrier.index].first_vertex;
    int count = half_space_vertices(w, plane.carrier, list);
    pli_term term;
    PLI_TRY(pli_world_reserve_terms(w, 2, error));
    PLI_TRY(pli_half_space_barrier_create(&w->memory, def, &plane, count, list, &term, error));
    return add_barrier(w, term, half_space->friction, error);
}

// ---- pairs

// b NULL: the parts of `a` against each other.
static pli_status add_pairs(pli_world* w, const pli_barrier_def* def, const pli_side* a,
                            const pli_side* b, pli_error* error) {
    if (a->count == 0 || (b ? b->count == 0 : a->count == 1)) return PLI_OK;
    pli_term term;
    PLI_TRY(pli_world_reserve_terms(w, 2, error));
    PLI_TRY(pli_pair_barrier_create(&w->memory, def, a, b, &term, error));
    return add_barrier(w, term, w->def.contact.friction, error);
}

static pli_side side_of(const pli_primitives* list, const double* weight) {
    return (pli_side){
        .count = list->count, .width = list->width, .vertices = list->vertices, .weight = weight};
}

// See contact.h for the weights. Single points against segments and each other carry all of their
// area: nothing else holds them apart.
static pli_status add_space(pli_world* w, const pli_barrier_def* def, double* weight,
                            pli_error* error) {
    const pli_collision* c = &w->collision;
    for (int i = 0; i < c->points.count; ++i) weight[i] = 0.5 * c->area[c->points.vertices[i]];
    pli_side points = side_of(&c->points, weight), triangles = side_of(&c->triangles, NULL);
    PLI_TRY(add_pairs(w, def, &points, &triangles, error));

    for (int i = 0; i < c->edges.count; ++i)
        weight[i] = sqrt(half_pi) * c->edge_area[i] / c->edge_rest[i];
    pli_side edges = side_of(&c->edges, weight);
    edges.rest = c->edge_rest;
    PLI_TRY(add_pairs(w, def, &edges, NULL, error));

    pli_primitives thin = {c->edges.count - c->loose_edge, 2,
                           c->edges.vertices + 2 * (size_t)c->loose_edge};
    pli_side segments = side_of(&thin, NULL), single = side_of(&c->loose_points, weight);
    for (int i = 0; i < single.count; ++i) weight[i] = c->area[single.vertices[i]];
    PLI_TRY(add_pairs(w, def, &single, &segments, error));

    for (int i = 0; i < single.count; ++i) weight[i] = sqrt(c->area[single.vertices[i]]);
    return add_pairs(w, def, &single, NULL, error);
}

static pli_status add_plane(pli_world* w, const pli_barrier_def* def, double* weight,
                            pli_error* error) {
    const pli_collision* c = &w->collision;
    for (int i = 0; i < c->points.count; ++i) weight[i] = c->area[c->points.vertices[i]];
    pli_side points = side_of(&c->points, weight), edges = side_of(&c->edges, NULL);
    return add_pairs(w, def, &points, &edges, error);
}

pli_status pli_world_add_contact(pli_world* w, pli_error* error) {
    pli_memory* m = &w->memory;
    PLI_TRY(pli_world_make_collision(w, error));
    const pli_collision* c = &w->collision;
    int room = pli_max_int(c->points.count, c->edges.count);
    pli_barrier_def def = {.dim = w->def.dimension,
                           .vertex_count = w->vertex_count,
                           .form = pli_barrier_form_of(w->def.contact.barrier),
                           .dhat = w->dhat,
                           .stiffness = w->stiffness,
                           .area = c->area,
                           .radius = c->thick ? c->radius : NULL,
                           .filter = &c->filter};
    int32_t* list = NULL;
    double* weight = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, list, w->vertex_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weight, room, error));
    for (int i = 0; i < w->half_space_count; ++i)
        PLI_TRY_CLEANUP(status, add_half_space(w, &def, i, list, error));
    if (w->def.contact.bodies)
        PLI_TRY_CLEANUP(status,
                        (w->def.dimension == 2 ? add_plane : add_space)(w, &def, weight, error));
cleanup:
    PLI_FREE(m, weight, room);
    PLI_FREE(m, list, w->vertex_count);
    return status;
}

// ---- the exact test

// `edge 3-4 of body "b"`, in the numbers of the body.
static void name_part(const pli_world* w, const int32_t* vertices, int width, char text[160]) {
    static const char* const kinds[3] = {"vertex", "edge", "triangle"};
    int body = w->collision.body[vertices[0]], first = w->bodies[body].first_vertex;
    char numbers[60] = "";
    for (int i = 0; i < width; ++i) {
        size_t used = strlen(numbers);
        pli_format(numbers + used, sizeof numbers - used, "%s%d", i ? "-" : "",
                   (int)vertices[i] - first);
    }
    pli_format(text, 160, "%s %s of body \"%.60s\"", kinds[width - 1], numbers,
               w->bodies[body].name);
}

static pli_status check_crossings(pli_world* w, const pli_view* view, pli_error* error) {
    const pli_collision* c = &w->collision;
    pli_parts parts = {
        .points = c->points, .edges = c->edges, .triangles = c->triangles, .filter = &c->filter};
    pli_crossing found;
    int count = 0;
    PLI_TRY(pli_find_crossings(&w->memory, view, &parts, 1, &found, &count, error));
    if (count == 0) return PLI_OK;
    char one[160], other[160];
    name_part(w, found.vertices, found.width[0], one);
    name_part(w, found.vertices + found.width[0], found.width[1], other);
    return pli_fail(error, PLI_E_SCENE, "%s intersects %s at (%.9g, %.9g, %.9g)", one, other,
                    found.point[0], found.point[1], found.point[2]);
}

pli_status pli_world_check_contact(pli_world* w, const double* x, pli_error* error) {
    pli_view view = {
        .dim = w->def.dimension, .vertex_count = w->vertex_count, .x = x, .pool = w->pool};
    if (w->def.dimension == 3 && w->def.contact.bodies) PLI_TRY(check_crossings(w, &view, error));
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) PLI_TRY(pli_barrier_check(&w->terms[t].term, &view, error));
    return PLI_OK;
}

// Surfaces with thickness that overlap, or that are too close to tell: pairs must be right at x.
pli_status pli_world_check_gaps(pli_world* w, const double* x, pli_error* error) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        const pli_barrier* barrier = term->self;
        for (int i = 0; w->terms[t].barrier && i < term->ops->count(barrier); ++i) {
            pli_contact contact;
            if (!barrier->kind->contact(barrier, i, x, &contact) || contact.distance > 0) continue;
            const int32_t* v = term->ops->vertices(barrier) + i * term->ops->width;
            char one[160], other[160];
            name_part(w, v, 1, one);
            name_part(w, v + term->ops->width - 1, 1, other);
            return pli_fail(error, PLI_E_SCENE,
                            "%s and %s: the surfaces there overlap by %g m, counted with "
                            "contact_thickness",
                            one, other, -contact.distance);
        }
    }
    return PLI_OK;
}

pli_status pli_world_verify(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_prepare(world, error));
    PLI_TRY(pli_world_check_contact(world, world->positions, error));
    return pli_world_check_gaps(world, world->positions, error);
}

// ---- forces

// Adds the forces of one barrier term between the two bodies.
static void add_forces(const pli_world* w, const pli_term* term, int body, int other,
                       double force[3]) {
    const int32_t *all = term->ops->vertices(term->self), *of = w->collision.body;
    int width = term->ops->width, dim = w->def.dimension;
    bool pairs = term->ops->refresh; // half-spaces have fixed stencils
    for (int i = 0; i < term->ops->count(term->self); ++i) {
        const int32_t* v = all + (size_t)i * (size_t)width;
        int first = of[v[0]], last = pairs ? of[v[width - 1]] : -1;
        bool between = (first == body && last == other) || (first == other && last == body);
        if (!between) continue;
        double g[3 * PLI_STENCIL_MAX] = {0};
        pli_batch in = {.dim = dim,
                        .count = 1,
                        .width = width,
                        .vertices = v,
                        .x = w->positions,
                        .want = PLI_GRADIENT};
        term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
        for (int k = 0; k < width; ++k)
            if (of[v[k]] == body)
                for (int c = 0; c < dim; ++c) force[c] -= g[k * dim + c];
    }
}

void pli_world_contact_force(const pli_world* world, int body, int other, double force[3]) {
    force[0] = force[1] = force[2] = 0;
    if (!world->prepared || body < 0 || body >= world->body_count) return;
    for (int t = 0; t < world->term_count; ++t)
        if (world->terms[t].barrier) add_forces(world, &world->terms[t].term, body, other, force);
}
