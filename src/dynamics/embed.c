// Embedded bodies: skins of the body before them, their cage. Each vertex of a skin moves with the
// tetrahedron that contains it at rest, or the nearest one: x = sum of w_i x_i over its corners,
// with the barycentric coordinates w at rest.
#include "dynamics/world.h"

#include "math/vec.h"
#include "spatial/box_tree.h"

#include <string.h>

// The largest distance that a vertex may be outside, as a barycentric coordinate. Beyond it small
// strains of the tetrahedron move the vertex far.
static const double FARTHEST = -2;

// ---- locating a vertex

typedef struct search {
    const pli_world* world;
    const int32_t* elements;
    const double* p;
    double best, weights[4]; // the smallest barycentric coordinate; all of them
    int32_t element;         // -1: none yet
} search;

static double volume(const double* a, const double* b, const double* c, const double* d) {
    double u[3], v[3], w[3], n[3];
    pli_sub(b, a, u, 3);
    pli_sub(c, a, v, 3);
    pli_sub(d, a, w, 3);
    pli_cross3(u, v, n);
    return pli_dot(n, w, 3);
}

// Keeps the tetrahedron in which the smallest barycentric coordinate of the point is largest.
static bool look_at(void* context, int32_t element) {
    search* s = context;
    const double *x[4], *p = s->p;
    for (int i = 0; i < 4; ++i)
        x[i] = s->world->model.rest + 3 * (size_t)s->elements[4 * (size_t)element + (size_t)i];
    double whole = volume(x[0], x[1], x[2], x[3]), w[4], least = HUGE_VAL;
    w[1] = volume(x[0], p, x[2], x[3]) / whole;
    w[2] = volume(x[0], x[1], p, x[3]) / whole;
    w[3] = volume(x[0], x[1], x[2], p) / whole;
    w[0] = 1 - w[1] - w[2] - w[3];
    for (int i = 0; i < 4; ++i) least = fmin(least, w[i]);
    if (s->element >= 0 && !(least > s->best)) return true;
    s->best = least;
    s->element = element;
    memcpy(s->weights, w, sizeof w);
    return true;
}

// The tetrahedron that contains the point. Otherwise the best one within the size of the largest,
// so that a small one cut by the surface is not extrapolated far; otherwise the best of the
// nearest.
static void find_element(search* s, const pli_tree* tree, double size) {
    double room = 0;
    s->element = -1;
    for (int turn = 0; turn == 0 || s->element < 0 || (turn == 1 && s->best < 0); ++turn) {
        double low[3], high[3];
        for (int k = 0; k < 3; ++k) low[k] = s->p[k] - room, high[k] = s->p[k] + room;
        pli_tree_visit(tree, low, high, look_at, s);
        room = room > 0 ? 2 * room : size;
    }
}

// ---- unknowns

// The vertex interpolates the corners, however these move; fixed corners contribute to x0.
static pli_status set_vertex(pli_world* w, int vertex, const int32_t* corners,
                             const double* weights, pli_error* error) {
    pli_kinematics* k = &w->kinematics;
    double x0[3] = {0}, blocks[4][9];
    pli_blend blends[4];
    int count = 0;
    for (int i = 0; i < 4; ++i) {
        const pli_vertex_map* map = &k->vertices[corners[i]];
        bool identity = map->identity_group >= 0;
        pli_axpy(weights[i], map->x0, x0, 3);
        if (!identity && map->entry_end == map->entry_start) continue;
        const pli_map_entry* entry = identity ? NULL : &k->entries[map->entry_start];
        int group = identity ? map->identity_group : entry->group,
            size = 3 * pli_group_width(k, group);
        for (int j = 0; j < size; ++j)
            blocks[count][j] =
                weights[i] * (identity ? (double)(j % 4 == 0) : k->weights[entry->weights + j]);
        blends[count] = (pli_blend){.group = group, .weights = blocks[count]};
        ++count;
    }
    return pli_kinematics_set_blend(k, vertex, x0, count, blends, error);
}

// It starts with the position and velocity of its cage; its own are ignored.
static void blend_start(const int32_t* corners, const double* weights, double* x, int vertex) {
    for (int k = 0; k < 3; ++k) {
        double sum = 0;
        for (int i = 0; i < 4; ++i) sum += weights[i] * x[3 * (size_t)corners[i] + (size_t)k];
        x[3 * (size_t)vertex + (size_t)k] = sum;
    }
}

static pli_status set_vertices(pli_world* w, int body, const pli_tree* tree, double size,
                               pli_error* error) {
    const pli_body* cage = &w->model.bodies[body - 1];
    const int32_t* elements =
        w->model.elements[PLI_TETRAHEDRON] + 4 * (size_t)cage->first_element[PLI_TETRAHEDRON];
    for (int v = w->model.bodies[body].first_vertex; v < pli_body_end_vertex(&w->model, body);
         ++v) {
        search s = {.world = w, .elements = elements, .p = w->model.rest + 3 * (size_t)v};
        find_element(&s, tree, size);
        if (s.best < FARTHEST)
            return pli_error_place(
                pli_fail(error, PLI_E_ARGUMENT,
                         "body \"%s\": vertex %d is too far outside the tetrahedra of body \"%s\""
                         ": use a cage that covers it, or smaller tetrahedra",
                         w->model.bodies[body].name, v - w->model.bodies[body].first_vertex,
                         cage->name),
                error, PLI_OBJECT_BODY, body, "mesh");
        const int32_t* corners = elements + 4 * (size_t)s.element;
        blend_start(corners, s.weights, w->model.positions, v);
        blend_start(corners, s.weights, w->model.velocities, v);
        PLI_TRY(set_vertex(w, v, corners, s.weights, error));
    }
    return PLI_OK;
}

pli_status pli_world_add_embedded(pli_world* w, int body, pli_error* error) {
    const pli_body* cage = &w->model.bodies[body - 1];
    int first = cage->first_element[PLI_TETRAHEDRON],
        count = pli_body_end_element(&w->model, body - 1, PLI_TETRAHEDRON) - first;
    double *boxes, size = 0;
    pli_tree tree = {0};
    PLI_TRY(PLI_ALLOC(&w->memory, boxes, 6 * (size_t)count, error));
    for (int e = 0; e < count; ++e) {
        double *low = boxes + 6 * (size_t)e, *high = low + 3;
        for (int k = 0; k < 3; ++k) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
        for (int i = 0; i < 4; ++i)
            for (int k = 0; k < 3; ++k) {
                int32_t v = w->model.elements[PLI_TETRAHEDRON][4 * (size_t)(first + e) + (size_t)i];
                low[k] = fmin(low[k], w->model.rest[3 * (size_t)v + (size_t)k]);
                high[k] = fmax(high[k], w->model.rest[3 * (size_t)v + (size_t)k]);
            }
        size = fmax(size, high[0] - low[0]);
    }
    pli_status status = pli_tree_create(&w->memory, count, boxes, &tree, error);
    if (status == PLI_OK) status = set_vertices(w, body, &tree, size, error);
    pli_tree_free(&tree);
    PLI_FREE(&w->memory, boxes, 6 * (size_t)count);
    return status;
}
