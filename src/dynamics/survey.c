// The exact test of the world, and what is closer than it should be.
//
// Surfaces intersect if parts of them have a point in common, by exact predicates. They touch if
// their gap, less their thickness, is not above what rounding can tell; at the start, where the
// collision detection must be able to move them (ccd.c: 0.45 gap > resolution), not above three
// times that.
#include "dynamics/survey.h"

#include "base/text.h"
#include "contact/barrier_term.h"
#include "contact/ccd.h"
#include "contact/intersect.h"
#include "math/vec.h"

#include <string.h>

static const double start_resolutions = 3;

void pli_name_part(const pli_world* w, const int32_t* vertices, int width, char text[160]) {
    static const char* const kinds[3] = {"vertex", "edge", "triangle"};
    int body = w->collision.body[vertices[0]], first = w->model.bodies[body].first_vertex;
    char numbers[60] = "";
    for (int i = 0; i < width; ++i) {
        size_t used = strlen(numbers);
        pli_format(numbers + used, sizeof numbers - used, "%s%d", i ? "-" : "",
                   (int)vertices[i] - first);
    }
    pli_format(text, 160, "%s %s of body \"%.60s\"", kinds[width - 1], numbers,
               w->model.bodies[body].name);
}

// The error is about the body of this vertex.
static pli_status place_at(const pli_world* w, int32_t vertex, pli_status status,
                           pli_error* error) {
    return pli_error_place(status, error, PLI_OBJECT_BODY, w->collision.body[vertex], NULL);
}

// Positions as the tests see them: what is in the plane has z = 0. `flat` is freed by the caller.
static pli_status view_at(pli_world* w, const double* x, double** flat, pli_view* view,
                          pli_error* error) {
    *view = (pli_view){.dim = w->model.def.dimension,
                       .vertex_count = w->model.vertex_count,
                       .x = x,
                       .pool = w->pool};
    *flat = NULL;
    if (w->model.def.dimension == 3) return PLI_OK;
    PLI_TRY(PLI_ALLOC(&w->memory, *flat, 3 * (size_t)w->model.vertex_count, error));
    for (int i = 0; i < 3 * w->model.vertex_count; ++i) (*flat)[i] = i % 3 == 2 ? 0 : x[i];
    view->x = *flat;
    return PLI_OK;
}

static pli_primitive_lists parts_of(const pli_world* w) {
    const pli_collision* c = &w->collision;
    return (pli_primitive_lists){
        .points = c->points, .edges = c->edges, .triangles = c->triangles, .filter = &c->filter};
}

// ---- what is near

pli_status pli_surfaces_near(pli_world* w, const double* x, double reach, pli_near_fn* found,
                             void* context, pli_error* error) {
    const pli_collision* c = &w->collision;
    pli_primitives thin = {c->edges.count - c->loose_edge, 2,
                           c->edges.vertices + 2 * (size_t)c->loose_edge};
    const pli_primitives* space[4][2] = {{&c->points, &c->triangles},
                                         {&c->edges, NULL},
                                         {&c->loose_points, &thin},
                                         {&c->loose_points, NULL}};
    const pli_primitives* plane[1][2] = {{&c->points, &c->edges}};
    bool flat = w->model.def.dimension == 2;
    pli_view view = {.dim = w->model.def.dimension,
                     .vertex_count = w->model.vertex_count,
                     .x = x,
                     .pool = w->pool};
    for (int i = 0; i < (flat ? 1 : 4); ++i) {
        const pli_primitives* const* lists = flat ? plane[i] : space[i];
        pli_near_def def = {.a = lists[0],
                            .b = lists[1],
                            .filter = &c->filter,
                            .radius = c->thick ? c->radius : NULL,
                            .reach = reach};
        PLI_TRY(pli_find_near(&w->memory, &view, &def, found, context, error));
    }
    return PLI_OK;
}

// ---- crossings

static void put_part(const pli_world* w, const int32_t* vertices, int width, int side,
                     pli_crossing_info* out) {
    out->body[side] = w->collision.body[vertices[0]];
    out->vertex_count[side] = width;
    for (int i = 0; i < 3; ++i)
        out->vertices[side][i] =
            i < width ? vertices[i] - w->model.bodies[out->body[side]].first_vertex : -1;
}

// Gaps that count as none.
static double allowed_gap(const pli_world* w, double resolution) {
    return w->prepared ? 0 : start_resolutions * resolution;
}

typedef struct touches {
    const pli_world* world;
    int room, count;
    pli_crossing_info* out;
} touches;

static void add_touch(void* context, const pli_near* pair) {
    touches* t = context;
    if (pair->distance > allowed_gap(t->world, pair->resolution)) return;
    if (t->count < t->room) {
        pli_crossing_info* info = &t->out[t->count];
        *info = (pli_crossing_info){.distance = pair->distance};
        put_part(t->world, pair->vertices, pair->width[0], 0, info);
        put_part(t->world, pair->vertices + pair->width[0], pair->width[1], 1, info);
        pli_copy(pair->point, info->point, 3);
    }
    t->count++;
}

// More than the resolution of any pair: each of its four vertices adds at most what the corners of
// the box around everything add.
static double touch_reach(const pli_world* w, const double* x) {
    double corners[2][3] = {{0}};
    for (int i = 0; i < 3 * w->model.vertex_count; ++i) {
        corners[0][i % 3] = fmin(corners[0][i % 3], x[i]);
        corners[1][i % 3] = fmax(corners[1][i % 3], x[i]);
    }
    const double* ends[2] = {corners[0], corners[1]};
    double resolution = 4 * pli_ccd_resolution(w->model.def.dimension, 2, ends, NULL);
    return fmax(2 * start_resolutions * resolution, 1e-300);
}

static pli_status find_crossings(pli_world* w, const pli_view* view, int room,
                                 pli_crossing_info* out, int* count, pli_error* error) {
    pli_primitive_lists parts = parts_of(w);
    pli_crossing* found = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(&w->memory, found, room, error));
    PLI_TRY_CLEANUP(status,
                    pli_find_crossings(&w->memory, view, &parts, room, found, count, error));
    for (int i = 0; i < *count; ++i) {
        const pli_crossing* c = &found[i];
        out[i] = (pli_crossing_info){.distance = 0};
        put_part(w, c->vertices, c->width[0], 0, &out[i]);
        put_part(w, c->vertices + c->width[0], c->width[1], 1, &out[i]);
        pli_copy(c->point, out[i].point, 3);
    }
    if (*count == room) // there may be more
        status = pli_find_crossings(&w->memory, view, &parts, INT32_MAX, NULL, count, error);
cleanup:
    PLI_FREE(&w->memory, found, room);
    return status;
}

pli_status pli_surfaces_crossings(pli_world* w, const double* x, int room, pli_crossing_info* out,
                                  int* count, pli_error* error) {
    *count = 0;
    if (!w->model.def.contact.bodies) return PLI_OK;
    pli_view view;
    double* flat;
    PLI_TRY(view_at(w, x, &flat, &view, error));
    pli_status status = find_crossings(w, &view, room, out, count, error);
    PLI_FREE(&w->memory, flat, 3 * (size_t)w->model.vertex_count);
    if (status != PLI_OK || *count > 0) return status;
    touches t = {.world = w, .room = room, .out = out};
    PLI_TRY(pli_surfaces_near(w, x, touch_reach(w, x), add_touch, &t, error));
    *count = t.count;
    return PLI_OK;
}

// What the surfaces of a world need that is not prepared: dhat, surfaces, rules.
static pli_status make_surfaces(pli_world* world, pli_error* error) {
    if (world->collision.memory) return PLI_OK;
    PLI_TRY(pli_world_not_failed(world, error));
    pli_world_choose_dhat(world);
    pli_status status = pli_world_make_collision(world, error);
    if (status == PLI_OK) status = pli_world_make_rules(world, true, error);
    world->failed = status != PLI_OK;
    return status;
}

// What was found at the start need not be looked for again when the world is prepared.
static void note_clear(pli_world* w, const double* x, unsigned what) {
    bool start = !w->prepared && x == w->model.positions;
    if (start && !pli_rules_allow_initial(&w->rules)) w->clear |= what;
}

static pli_status check_room(int room, const pli_crossing_info* crossings, const int* count,
                             pli_error* error) {
    if (count && room >= 0 && (room == 0 || crossings)) return PLI_OK;
    return pli_fail(error, PLI_E_ARGUMENT, "crossings: room = %d, but %s", room,
                    !count     ? "count is NULL"
                    : room < 0 ? "must be >= 0"
                               : "crossings is NULL");
}

static pli_status crossings_at(pli_world* world, const double* x, int room,
                               pli_crossing_info* crossings, int* count, pli_error* error) {
    PLI_TRY(make_surfaces(world, error));
    if (!x) x = world->model.positions;
    PLI_TRY(pli_surfaces_crossings(world, x, room, crossings, count, error));
    if (*count == 0) note_clear(world, x, PLI_CLEAR_CROSSINGS);
    return PLI_OK;
}

pli_status pli_survey_crossings(pli_world* world, const double* x, int room,
                                pli_crossing_info* crossings, int* count, pli_error* error) {
    PLI_TRY(check_room(room, crossings, count, error));
    *count = 0;
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, crossings_at(world, x, room, crossings, count, error));
}

static pli_status crossings_now(pli_world* world, int room, pli_crossing_info* crossings,
                                int* count, pli_error* error) {
    if (!world->collision.memory) PLI_TRY(pli_world_make_ready(world, error));
    return crossings_at(world, NULL, room, crossings, count, error);
}

pli_status pli_world_crossings(pli_world* world, int room, pli_crossing_info* crossings, int* count,
                               pli_error* error) {
    PLI_TRY(check_room(room, crossings, count, error));
    *count = 0;
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, crossings_now(world, room, crossings, count, error));
}

// ---- one state

static pli_status check_crossings(pli_world* w, const pli_view* view, pli_error* error) {
    pli_primitive_lists parts = parts_of(w);
    pli_crossing found;
    int count = 0;
    PLI_TRY(pli_find_crossings(&w->memory, view, &parts, 1, &found, &count, error));
    if (count == 0) return PLI_OK;
    char one[160], other[160];
    pli_name_part(w, found.vertices, found.width[0], one);
    pli_name_part(w, found.vertices + found.width[0], found.width[1], other);
    pli_status status = pli_fail(error, PLI_E_SCENE, "%s intersects %s at (%.9g, %.9g, %.9g)", one,
                                 other, found.point[0], found.point[1], found.point[2]);
    return place_at(w, found.vertices[0], status, error);
}

pli_status pli_world_check_contact(pli_world* w, const double* x, pli_error* error) {
    pli_view view;
    double* flat;
    PLI_TRY(view_at(w, x, &flat, &view, error));
    bool search = w->model.def.contact.bodies && !(w->clear & PLI_CLEAR_CROSSINGS);
    pli_status status = search ? check_crossings(w, &view, error) : PLI_OK;
    for (int t = 0; t < w->term_count && status == PLI_OK; ++t)
        if (w->terms[t].barrier) {
            status = pli_barrier_check(&w->terms[t].term, &view, error);
            if (w->terms[t].half_space >= 0)
                pli_error_place(status, error, PLI_OBJECT_HALF_SPACE, w->terms[t].half_space, NULL);
        }
    PLI_FREE(&w->memory, flat, 3 * (size_t)w->model.vertex_count);
    return status;
}

// ---- one inside the other

typedef struct inside_error {
    const pli_world* world;
    pli_status status; // of the first that is found
    pli_error* error;
} inside_error;

static void fail_inside(void* context, const pli_inside* found) {
    inside_error* e = context;
    const pli_world* w = e->world;
    int own = w->collision.body[found->vertex];
    if (e->status != PLI_OK) return;
    char other[80] = "another part of it";
    if (found->body != own)
        pli_format(other, sizeof other, "body \"%.60s\"", w->model.bodies[found->body].name);
    e->status = pli_fail(e->error, PLI_E_SCENE,
                         "body \"%.60s\" lies%s inside %s: its vertex %d is in %s %d",
                         w->model.bodies[own].name, found->body == own ? " with a part" : "", other,
                         (int)found->vertex - w->model.bodies[own].first_vertex,
                         w->model.def.dimension == 2 ? "triangle" : "tetrahedron", found->element);
    place_at(w, found->vertex, e->status, e->error);
}

pli_status pli_world_check_inside(pli_world* w, const double* x, pli_error* error) {
    inside_error e = {.world = w, .error = error};
    PLI_TRY(pli_surfaces_inside(w, x, fail_inside, &e, error));
    return e.status;
}

// ---- gaps

// Two parts and the gap between them, which is too small; `sides`: how many of the vertices v each
// has.
static pli_status fail_gap(const pli_world* w, const int32_t* v, const int sides[2],
                           const double place[3], double gap, pli_error* error) {
    char one[160], other[160];
    pli_name_part(w, v, sides[0], one);
    pli_name_part(w, v + sides[0], sides[1], other);
    pli_status status =
        gap < 0
            ? pli_fail(error, PLI_E_SCENE,
                       "%s and %s overlap by %.3g m at (%.9g, %.9g, %.9g), counted with "
                       "contact_thickness",
                       one, other, -gap, place[0], place[1], place[2])
            : pli_fail(error, PLI_E_SCENE,
                       "%s touches %s at (%.9g, %.9g, %.9g): the gap of %.3g m is too small for "
                       "the arithmetic",
                       one, other, place[0], place[1], place[2], gap);
    return place_at(w, v[0], status, error);
}

pli_status pli_world_check_gaps(pli_world* w, const double* x, pli_error* error) {
    int dim = w->model.def.dimension;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        const pli_barrier* barrier = term->self;
        // From a half-space one moves out from any distance.
        bool pairs = w->terms[t].barrier && w->terms[t].half_space < 0;
        for (int i = 0; pairs && i < term->ops->count(barrier); ++i) {
            pli_contact contact;
            if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
            const int32_t* v = term->ops->vertices(barrier) + i * term->ops->width;
            const double* corners[PLI_CONTACT_MAX];
            for (int k = 0; k < term->ops->width; ++k) corners[k] = x + 3 * (size_t)v[k];
            double resolution = pli_ccd_resolution(dim, term->ops->width, corners, NULL);
            if (contact.distance > allowed_gap(w, resolution)) continue;
            return fail_gap(w, v, barrier->sides, x + 3 * (size_t)v[0], contact.distance, error);
        }
    }
    return PLI_OK;
}

// ---- the present state, whatever the steps know of it

typedef struct smallest_gap {
    const pli_world* world;
    bool found;
    pli_near pair;
} smallest_gap;

static void note_gap(void* context, const pli_near* pair) {
    smallest_gap* s = context;
    if (pair->distance > allowed_gap(s->world, pair->resolution)) return;
    if (!s->found || pair->distance < s->pair.distance) s->pair = *pair;
    s->found = true;
}

// Not of the pairs that the barriers have, but of a search of its own.
static pli_status check_all_gaps(pli_world* w, const double* x, pli_error* error) {
    smallest_gap s = {.world = w};
    if (!w->model.def.contact.bodies) return PLI_OK;
    PLI_TRY(pli_surfaces_near(w, x, touch_reach(w, x), note_gap, &s, error));
    if (!s.found) return PLI_OK;
    return fail_gap(w, s.pair.vertices, s.pair.width, s.pair.point, s.pair.distance, error);
}

static pli_status verify(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_make_ready(world, error));
    PLI_TRY(pli_world_check_contact(world, world->model.positions, error));
    PLI_TRY(pli_world_check_inside(world, world->model.positions, error));
    return check_all_gaps(world, world->model.positions, error);
}

pli_status pli_world_verify(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, verify(world, error));
}

// ---- for others

typedef struct near_report {
    const pli_world* world;
    pli_near_info_fn* found;
    void* context;
} near_report;

static void report_near(void* context, const pli_near* pair) {
    const near_report* r = context;
    pli_crossing_info parts;
    put_part(r->world, pair->vertices, pair->width[0], 0, &parts);
    put_part(r->world, pair->vertices + pair->width[0], pair->width[1], 1, &parts);
    pli_near_info info = {.distance = pair->distance};
    memcpy(info.body, parts.body, sizeof info.body);
    memcpy(info.vertex_count, parts.vertex_count, sizeof info.vertex_count);
    memcpy(info.vertices, parts.vertices, sizeof info.vertices);
    pli_copy(pair->normal, info.normal, 3);
    pli_copy(pair->point, info.point, 3);
    r->found(r->context, &info);
}

static pli_status near_at(pli_world* w, const double* x, double reach, near_report* report,
                          pli_error* error) {
    PLI_TRY(make_surfaces(w, error));
    if (!w->model.def.contact.bodies) return PLI_OK;
    return pli_surfaces_near(w, x ? x : w->model.positions, reach, report_near, report, error);
}

pli_status pli_survey_near(pli_world* world, const double* x, double reach, pli_near_info_fn* found,
                           void* context, pli_error* error) {
    if (!found || !(reach > 0) || !isfinite(reach))
        return pli_fail(error, PLI_E_ARGUMENT, "survey: %s",
                        found ? "reach must be > 0 and finite" : "found is NULL");
    PLI_TRY(pli_world_enter(world, error));
    near_report report = {world, found, context};
    return pli_world_leave(world, near_at(world, x, reach, &report, error));
}

typedef struct inside_report {
    const pli_world* world;
    int count;
    pli_inside_info_fn* found;
    void* context;
} inside_report;

static void report_inside(void* context, const pli_inside* inside) {
    inside_report* r = context;
    int own = r->world->collision.body[inside->vertex];
    pli_inside_info info = {.body = {own, inside->body},
                            .vertex =
                                (int)inside->vertex - r->world->model.bodies[own].first_vertex,
                            .kind = inside->kind,
                            .element = inside->element};
    r->count++;
    r->found(r->context, &info);
}

static pli_status inside_at(pli_world* w, const double* x, inside_report* report,
                            pli_error* error) {
    PLI_TRY(make_surfaces(w, error));
    if (!x) x = w->model.positions;
    PLI_TRY(pli_surfaces_inside(w, x, report_inside, report, error));
    if (report->count == 0) note_clear(w, x, PLI_CLEAR_INSIDE);
    return PLI_OK;
}

pli_status pli_survey_inside(pli_world* world, const double* x, pli_inside_info_fn* found,
                             void* context, pli_error* error) {
    if (!found) return pli_fail(error, PLI_E_ARGUMENT, "survey: found is NULL");
    PLI_TRY(pli_world_enter(world, error));
    inside_report report = {.world = world, .found = found, .context = context};
    return pli_world_leave(world, inside_at(world, x, &report, error));
}

bool pli_survey_touches(const pli_world* w, int body, int other) {
    if (!w || !w->rules.memory || body < 0 || body >= w->model.body_count) return false;
    if (other >= w->model.body_count || other < -w->model.half_space_count) return false;
    const int32_t* classes = w->rules.classes;
    int member = other >= 0 ? other : w->model.body_count - 1 - other;
    return !pli_rules_between(&w->rules, classes[body], classes[member])->pass;
}

bool pli_survey_exempt(const pli_world* w, int i, int body[2]) {
    if (!w || !body || i < 0 || i >= w->exempt.count) return false;
    body[0] = (int)(w->exempt.keys[i] >> 32);
    body[1] = (int)(w->exempt.keys[i] & UINT32_MAX);
    return true;
}

// Triangles against points, all at the farthest coordinate, are the worst case.
double pli_survey_resolution(const pli_world* w) {
    double far = 0;
    if (!w) return 0;
    for (int i = 0; i < 3 * w->model.vertex_count; ++i)
        far = fmax(far, fabs(w->model.positions[i]));
    const double corner[3] = {far, far, far};
    const double* const x[4] = {corner, corner, corner, corner};
    return pli_ccd_resolution(w->model.def.dimension, 4, x, NULL);
}
