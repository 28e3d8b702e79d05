// The exact intersection test of all surfaces, and pairs that are too close.
//
// Surfaces intersect if parts of them share a point, by exact predicates. They touch if their gap,
// minus their thickness, is at most the resolution; at the start, where collision detection must be
// able to move them (ccd.c: 0.45 gap > resolution), at most three times that.
#include "collision/survey.h"

#include "base/text.h"
#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/intersect.h"
#include "math/vec.h"

#include <string.h>

static const double start_resolutions = 3;

void pli_name_part(const pli_collision* c, const int32_t* vertices, int width, char text[160]) {
    static const char* const kinds[3] = {"vertex", "edge", "triangle"};
    int body = c->surfaces.body[vertices[0]], first = c->model->bodies[body].first_vertex;
    char numbers[60] = "";
    for (int i = 0; i < width; ++i) {
        size_t used = strlen(numbers);
        pli_format(numbers + used, sizeof numbers - used, "%s%d", i ? "-" : "",
                   (int)vertices[i] - first);
    }
    pli_format(text, 160, "%s %s of body \"%.60s\"", kinds[width - 1], numbers,
               c->model->bodies[body].name);
}

// The error refers to the body of this vertex.
static pli_status place_at(const pli_collision* c, int32_t vertex, pli_status status,
                           pli_error* error) {
    return pli_error_place(status, error, PLI_OBJECT_BODY, c->surfaces.body[vertex], NULL);
}

// Positions for the tests: in the plane z = 0. `flat` is freed by the caller.
static pli_status view_at(const pli_collision* c, const double* x, double** flat, pli_view* view,
                          pli_error* error) {
    *view = (pli_view){.dim = c->model->def.dimension,
                       .vertex_count = c->model->vertex_count,
                       .x = x,
                       .pool = c->model->pool};
    *flat = NULL;
    if (c->model->def.dimension == 3) return PLI_OK;
    PLI_TRY(PLI_ALLOC(c->memory, *flat, 3 * (size_t)c->model->vertex_count, error));
    for (int i = 0; i < 3 * c->model->vertex_count; ++i) (*flat)[i] = i % 3 == 2 ? 0 : x[i];
    view->x = *flat;
    return PLI_OK;
}

static pli_primitive_lists parts_of(const pli_collision* c) {
    const pli_surfaces* s = &c->surfaces;
    return (pli_primitive_lists){
        .points = s->points, .edges = s->edges, .triangles = s->triangles, .filter = &s->filter};
}

// ---- what is near

pli_status pli_collision_near(const pli_collision* c, const double* x, double reach,
                              pli_near_fn* found, void* context, pli_error* error) {
    const pli_surfaces* s = &c->surfaces;
    pli_primitives thin = {s->edges.count - s->loose_edge, 2,
                           s->edges.vertices + 2 * (size_t)s->loose_edge};
    const pli_primitives* space[4][2] = {{&s->points, &s->triangles},
                                         {&s->edges, NULL},
                                         {&s->loose_points, &thin},
                                         {&s->loose_points, NULL}};
    const pli_primitives* plane[2][2] = {{&s->points, &s->edges}, {&s->loose_points, NULL}};
    bool flat = c->model->def.dimension == 2;
    pli_view view = {.dim = c->model->def.dimension,
                     .vertex_count = c->model->vertex_count,
                     .x = x,
                     .pool = c->model->pool};
    for (int i = 0; i < (flat ? 2 : 4); ++i) {
        const pli_primitives* const* lists = flat ? plane[i] : space[i];
        pli_near_def def = {.a = lists[0],
                            .b = lists[1],
                            .filter = &s->filter,
                            .radius = s->thick ? s->radius : NULL,
                            .rest = pli_surfaces_rest(s),
                            .reach = reach};
        PLI_TRY(pli_find_near(c->memory, &view, &def, found, context, error));
    }
    return PLI_OK;
}

// ---- crossings

static void put_part(const pli_collision* c, const int32_t* vertices, int width, int side,
                     pli_crossing_info* out) {
    out->body[side] = c->surfaces.body[vertices[0]];
    out->vertex_count[side] = width;
    for (int i = 0; i < 3; ++i)
        out->vertices[side][i] =
            i < width ? vertices[i] - c->model->bodies[out->body[side]].first_vertex : -1;
}

// Gaps that count as touching.
static double allowed_gap(const pli_collision* c, double resolution) {
    return c->started ? 0 : start_resolutions * resolution;
}

typedef struct touches {
    const pli_collision* collision;
    int room, count;
    pli_crossing_info* out;
} touches;

static void add_touch(void* context, const pli_near* pair) {
    touches* t = context;
    if (pair->distance > allowed_gap(t->collision, pair->resolution)) return;
    if (t->count < t->room) {
        pli_crossing_info* info = &t->out[t->count];
        *info = (pli_crossing_info){.distance = pair->distance};
        put_part(t->collision, pair->vertices, pair->width[0], 0, info);
        put_part(t->collision, pair->vertices + pair->width[0], pair->width[1], 1, info);
        pli_copy(pair->point, info->point, 3);
    }
    t->count++;
}

// An upper bound of the resolution of any pair: each of its four vertices adds at most as much as
// the corners of the box around everything.
static double touch_reach(const pli_collision* c, const double* x) {
    double corners[2][3] = {{0}};
    for (int i = 0; i < 3 * c->model->vertex_count; ++i) {
        corners[0][i % 3] = fmin(corners[0][i % 3], x[i]);
        corners[1][i % 3] = fmax(corners[1][i % 3], x[i]);
    }
    const double* ends[2] = {corners[0], corners[1]};
    double resolution = 4 * pli_ccd_resolution(c->model->def.dimension, 2, ends, NULL);
    return fmax(2 * start_resolutions * resolution, 1e-300);
}

static pli_status find_crossings(const pli_collision* c, const pli_view* view, int room,
                                 pli_crossing_info* out, int* count, pli_error* error) {
    pli_primitive_lists parts = parts_of(c);
    pli_crossing* found = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(c->memory, found, room, error));
    PLI_TRY_CLEANUP(status, pli_find_crossings(c->memory, view, &parts, room, found, count, error));
    for (int i = 0; i < *count; ++i) {
        const pli_crossing* one = &found[i];
        out[i] = (pli_crossing_info){.distance = 0};
        put_part(c, one->vertices, one->width[0], 0, &out[i]);
        put_part(c, one->vertices + one->width[0], one->width[1], 1, &out[i]);
        pli_copy(one->point, out[i].point, 3);
    }
    if (*count == room) // there may be more
        status = pli_find_crossings(c->memory, view, &parts, INT32_MAX, NULL, count, error);
cleanup:
    PLI_FREE(c->memory, found, room);
    return status;
}

pli_status pli_collision_crossings(const pli_collision* c, const double* x, int room,
                                   pli_crossing_info* out, int* count, pli_error* error) {
    *count = 0;
    if (!c->model->def.contact.bodies) return PLI_OK;
    pli_view view;
    double* flat;
    PLI_TRY(view_at(c, x, &flat, &view, error));
    pli_status status = find_crossings(c, &view, room, out, count, error);
    PLI_FREE(c->memory, flat, 3 * (size_t)c->model->vertex_count);
    if (status != PLI_OK || *count > 0) return status;
    touches t = {.collision = c, .room = room, .out = out};
    PLI_TRY(pli_collision_near(c, x, touch_reach(c, x), add_touch, &t, error));
    *count = t.count;
    return PLI_OK;
}

// ---- one state

static pli_status check_crossings(const pli_collision* c, const pli_view* view, pli_error* error) {
    pli_primitive_lists parts = parts_of(c);
    pli_crossing found;
    int count = 0;
    PLI_TRY(pli_find_crossings(c->memory, view, &parts, 1, &found, &count, error));
    if (count == 0) return PLI_OK;
    char one[160], other[160];
    pli_name_part(c, found.vertices, found.width[0], one);
    pli_name_part(c, found.vertices + found.width[0], found.width[1], other);
    pli_status status = pli_fail(error, PLI_E_SCENE, "%s intersects %s at (%.9g, %.9g, %.9g)", one,
                                 other, found.point[0], found.point[1], found.point[2]);
    return place_at(c, found.vertices[0], status, error);
}

pli_status pli_collision_check_crossings(const pli_collision* c, const double* x,
                                         pli_error* error) {
    pli_view view;
    double* flat;
    PLI_TRY(view_at(c, x, &flat, &view, error));
    bool search = c->model->def.contact.bodies && !(c->clear & PLI_CLEAR_CROSSINGS);
    pli_status status = search ? check_crossings(c, &view, error) : PLI_OK;
    for (int t = 0; t < c->term_count && status == PLI_OK; ++t) {
        status = pli_barrier_check(&c->terms[t].barrier, &view, error);
        if (c->terms[t].half_space >= 0)
            pli_error_place(status, error, PLI_OBJECT_HALF_SPACE, c->terms[t].half_space, NULL);
    }
    PLI_FREE(c->memory, flat, 3 * (size_t)c->model->vertex_count);
    return status;
}

// ---- one inside the other

typedef struct inside_error {
    const pli_collision* collision;
    pli_status status; // of the first one found
    pli_error* error;
} inside_error;

static void fail_inside(void* context, const pli_inside* found) {
    inside_error* e = context;
    const pli_collision* c = e->collision;
    int own = c->surfaces.body[found->vertex];
    if (e->status != PLI_OK) return;
    char other[80] = "another part of it";
    if (found->body != own)
        pli_format(other, sizeof other, "body \"%.60s\"", c->model->bodies[found->body].name);
    e->status = pli_fail(e->error, PLI_E_SCENE,
                         "body \"%.60s\" lies%s inside %s: its vertex %d is in %s %d",
                         c->model->bodies[own].name, found->body == own ? " with a part" : "",
                         other, (int)found->vertex - c->model->bodies[own].first_vertex,
                         c->model->def.dimension == 2 ? "triangle" : "tetrahedron", found->element);
    place_at(c, found->vertex, e->status, e->error);
}

pli_status pli_collision_check_inside(const pli_collision* c, const double* x, pli_error* error) {
    inside_error e = {.collision = c, .error = error};
    if (c->clear & PLI_CLEAR_INSIDE) return PLI_OK;
    PLI_TRY(pli_collision_inside(c, x, fail_inside, &e, error));
    return e.status;
}

// ---- gaps

// Two parts and the gap between them, which is too small; `sides`: the number of the vertices v on
// each side.
static pli_status fail_gap(const pli_collision* c, const int32_t* v, const int sides[2],
                           const double place[3], double gap, pli_error* error) {
    char one[160], other[160];
    pli_name_part(c, v, sides[0], one);
    pli_name_part(c, v + sides[0], sides[1], other);
    pli_status status =
        gap < 0
            ? pli_fail(error, PLI_E_SCENE,
                       "%s and %s overlap by %.3g m at (%.9g, %.9g, %.9g), counted with "
                       "contact_thickness",
                       one, other, -gap, place[0], place[1], place[2])
            : pli_fail(error, PLI_E_SCENE,
                       "%s touches %s at (%.9g, %.9g, %.9g): the gap of %.3g m is too small for "
                       "floating-point positions",
                       one, other, place[0], place[1], place[2], gap);
    return place_at(c, v[0], status, error);
}

pli_status pli_collision_check_gaps(const pli_collision* c, const double* x, pli_error* error) {
    int dim = c->model->def.dimension;
    for (int t = 0; t < c->term_count; ++t) {
        const pli_term* term = &c->terms[t].barrier;
        const pli_barrier* barrier = term->self;
        // Half-spaces have no lower limit: a vertex can leave from any distance.
        bool pairs = c->terms[t].half_space < 0;
        for (int i = 0; pairs && i < term->ops->count(barrier); ++i) {
            pli_contact contact;
            if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
            const int32_t* v = term->ops->vertices(barrier) + i * term->ops->width;
            const double* corners[PLI_CONTACT_MAX];
            for (int k = 0; k < term->ops->width; ++k) corners[k] = x + 3 * (size_t)v[k];
            double resolution = pli_ccd_resolution(dim, term->ops->width, corners, NULL);
            if (contact.distance > allowed_gap(c, resolution)) continue;
            return fail_gap(c, v, barrier->sides, x + 3 * (size_t)v[0], contact.distance, error);
        }
    }
    return PLI_OK;
}

// ---- the current state, independent of the steps

typedef struct smallest_gap {
    const pli_collision* collision;
    bool found;
    pli_near pair;
} smallest_gap;

static void note_gap(void* context, const pli_near* pair) {
    smallest_gap* s = context;
    if (pair->distance > allowed_gap(s->collision, pair->resolution)) return;
    if (!s->found || pair->distance < s->pair.distance) s->pair = *pair;
    s->found = true;
}

pli_status pli_collision_check_all_gaps(const pli_collision* c, const double* x, pli_error* error) {
    smallest_gap s = {.collision = c};
    if (!c->model->def.contact.bodies) return PLI_OK;
    PLI_TRY(pli_collision_near(c, x, touch_reach(c, x), note_gap, &s, error));
    if (!s.found) return PLI_OK;
    return fail_gap(c, s.pair.vertices, s.pair.width, s.pair.point, s.pair.distance, error);
}
