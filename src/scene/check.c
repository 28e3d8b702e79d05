// Checks of a scene as a whole.
#include "scene/check.h"

#include "base/text.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

#include "scene/build.h"
#include "scene/contact_rules.h"
#include "scene/motion.h"
#include "scene/obstacle_kinds.h"
#include "scene/joints.h"
#include "scene/stencils.h"

// Of two bodies of the scene with copies, only the first pair is reported.
static pli_status check_names(pli_builder* b, pli_error* error) {
    for (int i = 0, reported = -1; i < b->body_count; ++i)
        for (int j = 0; j < i && reported != i - b->bodies[i].copy; ++j) {
            if (strcmp(b->names[i], b->names[j]) != 0) continue;
            pli_path list, at = pli_body_path(b, i, &list);
            PLI_TRY(PLI_FIND(b->findings, PLI_KEY(&at, "name"), error,
                             "%s[%d] has the same name: rename one of them",
                             b->bodies[j].obstacle ? "obstacles" : "bodies", b->bodies[j].body));
            reported = i - b->bodies[i].copy;
        }
    return PLI_OK;
}

static int scheme_of(const pli_builder* b) {
    int i = 0;
    while (pli_scheme_name(i) && strcmp(pli_scheme_name(i), b->scene->world.scheme) != 0) ++i;
    return i;
}

bool pli_is_static(const pli_builder* b) { return pli_scheme_statics(scheme_of(b)); }

bool pli_can_dissipate(const pli_builder* b) { return pli_scheme_dissipates(scheme_of(b)); }

// Rounding must not add a step.
double pli_steps_of_duration(const pli_scene_data* data) {
    return fmax(1, ceil(data->duration / data->world.time_step - 1e-9));
}

// With step "auto", only the duration ends the run.
static pli_status check_time(pli_builder* b, pli_error* error) {
    pli_path time = pli_path_key(NULL, "time"), key = pli_path_key(&time, "duration");
    if (pli_findings_error_below(b->findings, &time)) return PLI_OK;
    bool chosen = b->scene->world.time_step == 0;
    if (chosen && b->scene->duration <= 0)
        return PLI_FIND(b->findings, &key, error,
                        "time.duration is missing: time.step \"auto\" needs it");
    if (chosen) return PLI_OK;
    if (b->scene->steps <= 0 && pli_steps_of_duration(b->scene) > PLI_MOST_STEPS) {
        char count[PLI_NUMBER_SIZE];
        pli_format(count, sizeof count, "%.3g", pli_steps_of_duration(b->scene));
        return PLI_FIND(b->findings, &key, error,
                        "time.duration is %s steps of time.step, must be at most %d", count,
                        PLI_MOST_STEPS);
    }
    if (b->scene->steps <= 0 || b->scene->duration <= 0) return PLI_OK;
    if (pli_findings_is_overridden(b->findings, PLI_KEY(&time, "steps")))
        return PLI_OK; // it was meant to replace it
    return PLI_WARN(b->findings, &key, error,
                    "time.duration is not used, because time.steps is given");
}

// A static analysis in which gravity acts and no body is constrained. Loads and energies of the
// user may balance gravity.
static pli_status check_held(pli_builder* b, pli_error* error) {
    if (!pli_is_static(b) || pli_norm(b->scene->world.gravity, 3) == 0) return PLI_OK;
    const pli_list* bodies = &b->scene->bodies;
    bool held =
        bodies->count == 0 || b->scene->obstacles.count > 0 || b->catalog->energy_type_count > 0;
    for (int i = 0; i < bodies->count && !held; ++i) {
        const pli_body_data* d = &((const pli_body_data*)bodies->items)[i];
        held = d->fix.count > 0 || d->prescribe.count > 0 || d->loads.count > 0;
    }
    if (held) return PLI_OK;
    return PLI_FIND(
        b->findings, PLI_KEY(NULL, "gravity"), error,
        "gravity acts on unconstrained bodies, so a %s analysis has no equilibrium: fix "
        "some vertices or add an obstacle",
        b->scene->world.scheme);
}

static pli_status check_motions(pli_builder* b, pli_error* error) {
    for (int i = 0; i < b->body_count; ++i) {
        pli_path list, at = pli_body_path(b, i, &list);
        if (b->bodies[i].copy == 0) PLI_TRY(pli_check_motions(b, &b->bodies[i], &at, error));
    }
    return PLI_OK;
}

// ---- obstacles

// Vertices of a body that start inside a half-space, or closer than its thickness. All vertices are
// tested: if one is on the wrong side, so is one of the boundary. The vertex that carries the
// half-space is skipped.
static pli_status check_inside(pli_builder* b, int number, int body, const double* origin,
                               pli_error* error) {
    const pli_half_space_data* half_space = pli_half_space_at(b->scene, number);
    const pli_shape* shape = &b->bodies[body];
    if (!shape->sound || shape->obstacle || strcmp(shape->data->def.contact_vertices, "none") == 0)
        return PLI_OK;
    pli_tally inside = {0};
    double deepest = HUGE_VAL, thickness = shape->data->def.contact_thickness;
    for (int v = origin == shape->initial ? 1 : 0; v < shape->mesh.vertex_count; ++v) {
        double d = pli_half_space_distance(half_space, origin, &shape->initial[3 * v]) - thickness;
        if (!(d > 0)) pli_tally_add(&inside, v);
        deepest = fmin(deepest, d);
    }
    if (inside.count == 0 || pli_is_excluded(b, body, number)) return PLI_OK;
    char numbers[PLI_TALLY_SIZE], depth[PLI_NUMBER_SIZE];
    pli_format(depth, sizeof depth, "%.3g", 0 - deepest);
    pli_path list, at = pli_body_path(b, body, &list);
    b->start_errors++;
    return PLI_FIND(b->findings, &at, error,
                    "%s, %d of its vertices are inside obstacles[%d] (half-space), the "
                    "deepest by %s m%s: move the body or the obstacle; vertices %s",
                    pli_is_late(shape) ? "when it appears" : "at t = 0", inside.count, number,
                    depth, thickness > 0 ? " with contact_thickness" : "",
                    pli_tally_text(&inside, 0, numbers));
}

static pli_status check_obstacles(pli_builder* b, pli_error* error) {
    const pli_tagged* obstacles = b->scene->obstacles.items;
    for (int i = 0; i < b->scene->obstacles.count; ++i) {
        pli_path at = pli_path_index(PLI_KEY(NULL, "obstacles"), i);
        PLI_TRY(pli_check_obstacle(b, i, &at, error));
        if (pli_obstacle_is_body(b->scene, i) && !b->scene->world.contact.bodies)
            PLI_TRY(PLI_WARN(b->findings, &at, error,
                             "nothing touches obstacles[%d] (%s), because contact.bodies is false",
                             i, pli_obstacle_type(&obstacles[i])));
        const pli_half_space_data* half_space = pli_half_space_at(b->scene, i);
        if (!half_space || pli_findings_error_below(b->findings, &at)) continue;
        int carrier = pli_half_space_carrier(half_space, b);
        if (carrier >= 0 && !b->bodies[carrier].sound) continue;
        const double* origin = carrier >= 0 ? b->bodies[carrier].initial : NULL;
        int count = carrier >= 0 ? b->start_count : b->body_count; // later it is elsewhere
        for (int body = 0; body < count; ++body) PLI_TRY(check_inside(b, i, body, origin, error));
    }
    return PLI_OK;
}

pli_status pli_check_settings(pli_builder* b, pli_error* error) {
    PLI_TRY(pli_check_world_def(b, &b->scene->world, error));
    PLI_TRY(check_time(b, error));
    return check_held(b, error);
}

pli_status pli_check_scene(pli_builder* b, pli_error* error) {
    PLI_TRY(check_names(b, error));
    PLI_TRY(pli_check_world_def(b, &b->scene->world, error));
    PLI_TRY(check_time(b, error));
    PLI_TRY(check_motions(b, error));
    PLI_TRY(check_obstacles(b, error));
    PLI_TRY(pli_stencils_pair(b, error));
    PLI_TRY(pli_joints_find(b, error));
    PLI_TRY(pli_check_events(b, error));
    PLI_TRY(check_held(b, error));
    PLI_TRY(pli_camera_check(b, error));
    return pli_check_rules(b, error);
}
