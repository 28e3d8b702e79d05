// Runs a nasty scene and asks after each step what must hold.
#include "nasty/nasty.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "torture/torture.h"

static bool violated(nasty_run* run, const char* format, ...) PLI_PRINTF(2, 3);
static bool violated(nasty_run* run, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(run->message, sizeof run->message, format, args);
    va_end(args);
    run->end = NASTY_VIOLATED;
    return false;
}

// ---- elements

// Whether the scene's text gives this body the material that forbids inversion: bodies stand there
// in the order of their numbers.
static bool forbids_inversion(const char* text, int body) {
    char name[32];
    snprintf(name, sizeof name, "\"name\": \"b%d\"", body);
    const char* at = strstr(text, name);
    const char* law = at ? strstr(at, "\"energies\": [{\"type\": \"") : NULL;
    return law && strncmp(law + 23, "neo-hookean\"", 12) == 0;
}

// The smallest stretch of the elements of a body, from the singular values with their sign.
static double least_stretch(const pli_world* world, int body, pli_element_kind kind, int last) {
    int count = pli_world_element_count(world, kind);
    double least = 1, *stretches = malloc(sizeof(double) * 3 * ((size_t)count + 1));
    if (!stretches) return 1;
    pli_world_element_fields(world, kind, &(pli_element_fields){.stretches = stretches});
    for (int e = pli_world_body_element(world, body, kind);
         e < pli_world_body_element(world, body + 1, kind); ++e)
        least = fmin(least, stretches[3 * e + last]);
    free(stretches);
    return least;
}

// Linear ones: quadratic ones are guarded at their points of integration alone, where the energy,
// which must be finite, sees them.
static bool check_elements(const char* text, const pli_world* world, nasty_run* run) {
    int dim = pli_world_dimension(world);
    pli_element_kind kind = dim == 2 ? PLI_TRIANGLE : PLI_TETRAHEDRON;
    for (int b = 0; b < pli_world_body_count(world); ++b) {
        if (pli_world_body_is_obstacle(world, b) || !forbids_inversion(text, b)) continue;
        double least = least_stretch(world, b, kind, dim - 1);
        if (!(least > 0))
            return violated(run, "step %d: an element of body %d has stretch %.3g", run->steps, b,
                            least);
    }
    return true;
}

// ---- steps

static bool check_state(const char* text, pli_world* world, nasty_run* run) {
    pli_error error = {0};
    const double* x = pli_world_positions(world);
    for (int i = 0; i < 3 * pli_world_vertex_count(world); ++i)
        if (!isfinite(x[i])) return violated(run, "step %d: a position is not finite", run->steps);
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (!isfinite(pli_world_energy_value(world, i)))
            return violated(run, "step %d: energy %s is not finite", run->steps,
                            pli_world_energy_name(world, i));
    if (pli_world_verify(world, &error) != PLI_OK)
        return violated(run, "step %d: %.400s", run->steps, error.message);
    if (run->rise > 1)
        return violated(run, "step %d: E rose by %.3g times rounding", run->steps, run->rise);
    return check_elements(text, world, run);
}

static bool step(const char* text, pli_world* world, nasty_run* run) {
    pli_step_info info = {0};
    pli_error error = {0};
    if (pli_world_step(world, &info, &error) != PLI_OK)
        return violated(run, "step %d fails: %.400s", run->steps + 1, error.message);
    run->reason = info.reason;
    run->iterations += info.iterations;
    if (info.iterations > run->most_iterations) run->most_iterations = info.iterations;
    run->blocked += info.reason == PLI_BLOCKED;
    run->min_distance = fmin(run->min_distance, info.min_distance);
    run->rise = fmax(run->rise, pli_energy_rise());
    if (!info.kept) {
        run->end = NASTY_STOPPED;
        snprintf(run->message, sizeof run->message, "step %d: %s, residual %.3g", run->steps + 1,
                 pli_reason_text(info.reason), info.residual);
    } else {
        run->steps++;
    }
    return check_state(text, world, run) && info.kept;
}

void pli_nasty_run(const char* text, int most_steps, nasty_run* run) {
    *run = (nasty_run){.end = NASTY_CONVERGED, .min_distance = HUGE_VAL};
    pli_energy_rise();
    pli_scene_def def = pli_default_scene_def();
    pli_scene* scene = NULL;
    pli_error error = {0};
    def.text = text;
    def.thread_count = 1;
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) {
        violated(run, "%.400s", error.message);
        return;
    }
    pli_world* world = pli_scene_world(scene);
    if (world) {
        run->body_count = pli_world_body_count(world);
        run->vertex_count = pli_world_vertex_count(world);
        int steps = pli_scene_run(scene)->steps;
        if (steps > most_steps) steps = most_steps;
        for (int n = 0; n < steps && step(text, world, run); ++n) continue;
    } else {
        run->end = NASTY_REFUSED;
        for (int i = 0; i < pli_scene_finding_count(scene); ++i)
            if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
                pli_scene_finding_text(scene, i, run->message, sizeof run->message);
    }
    pli_scene_destroy(scene);
}
