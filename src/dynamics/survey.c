// pliant/survey.h: distances, crossings and nesting of the surfaces of a world. The search itself
// is in collision/survey.c.
#include "pliant/survey.h"

#include "collision/survey.h"
#include "contact/ccd.h"
#include "dynamics/world.h"
#include "math/vec.h"

#include <string.h>

// What an unprepared world needs: dhat, surfaces, rules.
static pli_status make_surfaces(pli_world* world, pli_error* error) {
    if (world->collision.surfaces.memory) return PLI_OK;
    PLI_TRY(pli_world_not_failed(world, error));
    pli_status status = pli_collision_make_surfaces(&world->collision, true, error);
    world->failed = status != PLI_OK;
    return status;
}

// If nothing was found at the start, preparing the world need not search again.
static void note_clear(pli_world* w, const double* x, unsigned what) {
    bool start = !w->prepared && x == w->model.positions;
    if (start && !pli_collision_may_exempt(&w->collision)) w->collision.clear |= what;
}

// ---- crossings

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
    PLI_TRY(pli_collision_crossings(&world->collision, x, room, crossings, count, error));
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
    if (!world->collision.surfaces.memory) PLI_TRY(pli_world_make_ready(world, error));
    return crossings_at(world, NULL, room, crossings, count, error);
}

pli_status pli_world_crossings(pli_world* world, int room, pli_crossing_info* crossings, int* count,
                               pli_error* error) {
    PLI_TRY(check_room(room, crossings, count, error));
    *count = 0;
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, crossings_now(world, room, crossings, count, error));
}

static pli_status verify(pli_world* world, pli_error* error) {
    const pli_collision* c = &world->collision;
    const double* x = world->model.positions;
    PLI_TRY(pli_world_make_ready(world, error));
    PLI_TRY(pli_collision_check_crossings(c, x, error));
    PLI_TRY(pli_collision_check_inside(c, x, error));
    return pli_collision_check_all_gaps(c, x, error);
}

pli_status pli_world_verify(pli_world* world, pli_error* error) {
    PLI_TRY(pli_world_enter(world, error));
    return pli_world_leave(world, verify(world, error));
}

// ---- near

typedef struct near_report {
    const pli_collision* collision;
    pli_near_info_fn* found;
    void* context;
} near_report;

static void report_near(void* context, const pli_near* pair) {
    const near_report* r = context;
    pli_near_info info = {.distance = pair->distance};
    for (int side = 0; side < 2; ++side) {
        const int32_t* vertices = pair->vertices + (side ? pair->width[0] : 0);
        int body = r->collision->surfaces.body[vertices[0]];
        int first = r->collision->model->bodies[body].first_vertex;
        info.body[side] = body;
        info.vertex_count[side] = pair->width[side];
        for (int i = 0; i < 3; ++i)
            info.vertices[side][i] = i < pair->width[side] ? vertices[i] - first : -1;
    }
    pli_copy(pair->normal, info.normal, 3);
    pli_copy(pair->point, info.point, 3);
    r->found(r->context, &info);
}

static pli_status near_at(pli_world* w, const double* x, double reach, near_report* report,
                          pli_error* error) {
    PLI_TRY(make_surfaces(w, error));
    if (!w->model.def.contact.bodies) return PLI_OK;
    if (!x) x = w->model.positions;
    return pli_collision_near(&w->collision, x, reach, report_near, report, error);
}

pli_status pli_survey_near(pli_world* world, const double* x, double reach, pli_near_info_fn* found,
                           void* context, pli_error* error) {
    if (!found || !(reach > 0) || !isfinite(reach))
        return pli_fail(error, PLI_E_ARGUMENT, "survey: %s",
                        found ? "reach must be > 0 and finite" : "found is NULL");
    PLI_TRY(pli_world_enter(world, error));
    near_report report = {&world->collision, found, context};
    return pli_world_leave(world, near_at(world, x, reach, &report, error));
}

// ---- inside

typedef struct inside_report {
    const pli_collision* collision;
    int count;
    pli_inside_info_fn* found;
    void* context;
} inside_report;

static void report_inside(void* context, const pli_inside* inside) {
    inside_report* r = context;
    int own = r->collision->surfaces.body[inside->vertex];
    int first = r->collision->model->bodies[own].first_vertex;
    pli_inside_info info = {.body = {own, inside->body},
                            .vertex = (int)inside->vertex - first,
                            .kind = inside->kind,
                            .element = inside->element};
    r->count++;
    r->found(r->context, &info);
}

static pli_status inside_at(pli_world* w, const double* x, inside_report* report,
                            pli_error* error) {
    PLI_TRY(make_surfaces(w, error));
    if (!x) x = w->model.positions;
    PLI_TRY(pli_collision_inside(&w->collision, x, report_inside, report, error));
    if (report->count == 0) note_clear(w, x, PLI_CLEAR_INSIDE);
    return PLI_OK;
}

pli_status pli_survey_inside(pli_world* world, const double* x, pli_inside_info_fn* found,
                             void* context, pli_error* error) {
    if (!found) return pli_fail(error, PLI_E_ARGUMENT, "survey: found is NULL");
    PLI_TRY(pli_world_enter(world, error));
    inside_report report = {.collision = &world->collision, .found = found, .context = context};
    return pli_world_leave(world, inside_at(world, x, &report, error));
}

// ---- rules

bool pli_survey_touches(const pli_world* w, int body, int other) {
    if (!w || !w->collision.rules.memory || body < 0 || body >= w->model.body_count) return false;
    if (other >= w->model.body_count || other < -w->model.half_space_count) return false;
    const int32_t* classes = w->collision.rules.classes;
    int member = other >= 0 ? other : w->model.body_count - 1 - other;
    return !pli_rules_between(&w->collision.rules, classes[body], classes[member])->pass;
}

bool pli_survey_exempt(const pli_world* w, int i, int body[2]) {
    if (!w || !body || i < 0 || i >= w->collision.exempt.count) return false;
    body[0] = (int)(w->collision.exempt.keys[i] >> 32);
    body[1] = (int)(w->collision.exempt.keys[i] & UINT32_MAX);
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
