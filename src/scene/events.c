// Bodies that appear and vanish while a scene runs: the keys `appears` and `vanishes`.
//
// An event happens after the first step that ends at or after its time. Which events have happened
// depends on the time alone, so a run that is resumed repeats them in the same order and its
// objects get the same handles: the restored state finds the callbacks of motions and loads by
// them.
#include "scene/check.h"
#include "scene/obstacle_kinds.h"
#include "scene/scene.h"
#include "scene/stencils.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

// ---- checks

static pli_status check_times(pli_builder* b, const pli_shape* shape, const pli_path* at,
                              pli_error* error) {
    const pli_body_data* d = shape->data;
    char when[PLI_NUMBER_SIZE], end[PLI_NUMBER_SIZE];
    pli_format(when, sizeof when, "%.6g", d->appears);
    pli_format(end, sizeof end, "%.6g", b->scene->duration);
    if (!(d->vanishes > d->appears))
        return PLI_FIND(b->findings, PLI_KEY(at, "vanishes"), error,
                        "it vanishes before it has appeared, at t = %s s: increase vanishes", when);
    if (b->scene->duration > 0 && b->scene->steps <= 0 && d->appears > b->scene->duration)
        return PLI_WARN(b->findings, PLI_KEY(at, "appears"), error,
                        "it appears at t = %s s, but the run ends at t = %s s", when, end);
    return PLI_OK;
}

// A world has at least one body.
static pli_status check_last(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    double time = shape->data->vanishes;
    bool left = time == HUGE_VAL;
    for (int i = 0; i < b->body_count && !left; ++i) {
        const pli_body_data* other = b->bodies[i].data;
        left = other->appears <= time && other->vanishes > time;
    }
    if (left) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, "vanishes"), error,
                    "when it vanishes, no body is left: one body, or an obstacle other than a "
                    "half-space, must be there at all times");
}

// A skin appears and vanishes with its cage; shape->data has the times of the cage.
static pli_status check_skin(pli_builder* b, const pli_shape* shape, const pli_path* at,
                             pli_error* error) {
    const pli_body_data* own = &((const pli_body_data*)b->scene->bodies.items)[shape->body];
    bool same = own->appears == shape->data->appears && own->vanishes == shape->data->vanishes;
    if (same || (own->appears == 0 && own->vanishes == HUGE_VAL)) return PLI_OK;
    return PLI_FIND(b->findings, PLI_KEY(at, own->appears > 0 ? "appears" : "vanishes"), error,
                    "an embedded body appears and vanishes with the body it is embedded in: give "
                    "the times to that one");
}

static pli_status check_stencils(pli_builder* b, pli_error* error) {
    for (int i = 0; i < b->scene->stencils.count; ++i)
        for (int k = 0; k < 2 && b->stencils[i].count > 0; ++k) {
            const pli_shape* shape = &b->bodies[b->stencils[i].body[k]];
            if (!pli_is_late(shape)) continue;
            PLI_TRY(PLI_FIND(b->findings, PLI_INDEX(PLI_KEY(NULL, "stencils"), i), error,
                             "body \"%.60s\" appears after the start, but stencils connect bodies "
                             "that are there from the start",
                             shape->name));
        }
    return PLI_OK;
}

static pli_status check_carriers(pli_builder* b, pli_error* error) {
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        const pli_half_space_data* half_space = pli_half_space_at(b->scene, i);
        int carrier = half_space ? pli_half_space_carrier(half_space, b) : -1;
        if (carrier < 0 || !pli_is_late(&b->bodies[carrier])) continue;
        PLI_TRY(PLI_FIND(b->findings, PLI_INDEX(PLI_KEY(NULL, "obstacles"), i), error,
                         "body \"%.60s\" appears after the start, but a half-space is carried by a "
                         "body that is there from the start",
                         b->bodies[carrier].name));
    }
    return PLI_OK;
}

pli_status pli_check_events(pli_builder* b, pli_error* error) {
    for (int i = 0; i < b->body_count; ++i) {
        const pli_shape* shape = &b->bodies[i];
        if (shape->obstacle || shape->copy > 0) continue;
        pli_path list, at = pli_body_path(b, i, &list);
        PLI_TRY(pli_is_skin(&shape->data->def) ? check_skin(b, shape, &at, error)
                                               : check_times(b, shape, &at, error));
        PLI_TRY(check_last(b, shape, &at, error));
    }
    if (b->start_count == 0 && b->body_count > 0)
        PLI_TRY(PLI_FIND(b->findings, PLI_KEY(NULL, "bodies"), error,
                         "all bodies appear after the start: one body, or an obstacle other than a "
                         "half-space, must be there at all times"));
    PLI_TRY(check_stencils(b, error));
    return check_carriers(b, error);
}

// ---- the list

// At equal times bodies vanish before others appear; a skin vanishes before its cage and appears
// after it.
static int by_time(const void* a, const void* b) {
    const pli_event *one = a, *other = b;
    if (one->time != other->time) return one->time < other->time ? -1 : 1;
    if (one->appears != other->appears) return one->appears ? 1 : -1;
    return one->appears ? one->body - other->body : other->body - one->body;
}

pli_status pli_events_list(pli_scene* scene, const pli_builder* b, pli_error* error) {
    PLI_TRY(PLI_TAKE(&scene->kept, scene->events, 2 * b->body_count, error));
    for (int i = 0; i < b->body_count; ++i) {
        const pli_body_data* d = b->bodies[i].data;
        if (d->appears > 0) scene->events[scene->event_count++] = (pli_event){d->appears, i, true};
        if (d->vanishes < HUGE_VAL)
            scene->events[scene->event_count++] = (pli_event){d->vanishes, i, false};
    }
    if (scene->event_count > 0)
        qsort(scene->events, (size_t)scene->event_count, sizeof *scene->events, by_time);
    return PLI_OK;
}

bool pli_events_need_loader(const pli_scene* scene) {
    bool late = false;
    for (int i = 0; i < scene->event_count; ++i) late |= scene->events[i].appears;
    return late;
}

int pli_scene_event_count(const pli_scene* scene) { return scene ? scene->event_count : 0; }

pli_scene_event pli_scene_event_at(const pli_scene* scene, int i) {
    if (!scene || i < 0 || i >= scene->event_count) return (pli_scene_event){.body = ""};
    const pli_event* event = &scene->events[i];
    return (pli_scene_event){event->time, scene->bodies[event->body].name, event->appears};
}

// ---- what happens

static pli_status happen(pli_scene* scene, const pli_event* event, pli_error* error) {
    if (event->appears)
        return pli_add_late_body(&scene->loader->builder, scene->world, event->body, error);
    return pli_world_remove_body(scene->world, scene->added.bodies[event->body], error);
}

pli_status pli_scene_update(pli_scene* scene, double time, int* count, pli_error* error) {
    static const double rounding = 1e-9; // of the sum of many steps, relative
    int done = 0;
    if (count) *count = 0;
    if (!scene || !scene->world)
        return pli_fail(error, PLI_E_ARGUMENT, "update: the scene has no world");
    while (scene->events_done < scene->event_count) {
        const pli_event* event = &scene->events[scene->events_done];
        if (!(event->time <= time * (1 + rounding))) break;
        pli_status status = happen(scene, event, error);
        if (status != PLI_OK) {
            pli_error_prefix(error, "body \"%.60s\" %s at t = %.6g s",
                             scene->bodies[event->body].name,
                             event->appears ? "appears" : "vanishes", event->time);
            return status;
        }
        scene->events_done++;
        done++;
    }
    if (count) *count = done;
    return PLI_OK;
}
