// Runs a hard scene and asks after each step what must hold.
#include "nasty/nasty.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static const char* const ends[NASTY_END_COUNT] = {"converged", "stopped",  "slow",
                                                  "refused",   "VIOLATED", "CRASHED"};

const char* pli_nasty_end_text(nasty_end end) { return ends[end]; }

// A run under way.
typedef struct watch {
    const char* text;
    const nasty_limits* limits;
    pli_world* world;
    nasty_run* run;
    double scale;        // the largest energies so far [J]
    double residual_sum; // of the balances [J]
} watch;

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

// Whether the scene's text gives this body the material that forbids inversion. A copy is called
// "NAME 3".
static bool forbids_inversion(const watch* w, int body) {
    char name[64], key[96];
    snprintf(name, sizeof name, "%s", pli_world_body_name(w->world, body));
    name[strcspn(name, " ")] = 0;
    snprintf(key, sizeof key, "\"name\": \"%s\"", name);
    const char* at = strstr(w->text, key);
    const char* law = at ? strstr(at, "\"energies\": [{\"type\": \"") : NULL;
    return law && strncmp(law + 23, "neo-hookean\"", 12) == 0;
}

// Elements of a body whose smallest stretch is not positive, from the signed singular values.
static int inverted_elements(const watch* w, int body, pli_element_kind kind, const double* all) {
    int inverted = 0, last = pli_world_dimension(w->world) - 1;
    for (int e = pli_world_body_element(w->world, body, kind);
         e < pli_world_body_element(w->world, body + 1, kind); ++e)
        inverted += !(all[3 * e + last] > 0);
    return inverted;
}

// Linear ones: quadratic ones are guarded at their quadrature points alone, where the energy, which
// must be finite, sees them.
static bool check_elements(watch* w) {
    pli_element_kind kind = pli_world_dimension(w->world) == 2 ? PLI_TRIANGLE : PLI_TETRAHEDRON;
    int inverted = 0, forbidden = 0, count = pli_world_element_count(w->world, kind);
    double* stretches = malloc(sizeof(double) * 3 * ((size_t)count + 1));
    if (!stretches) return violated(w->run, "no memory for the check of elements");
    pli_world_element_fields(w->world, kind, &(pli_element_fields){.stretches = stretches});
    for (int b = 0; b < pli_world_body_count(w->world); ++b) {
        if (pli_world_body_is_obstacle(w->world, b)) continue;
        int some = inverted_elements(w, b, kind, stretches);
        inverted += some;
        if (some > 0 && forbids_inversion(w, b)) forbidden += some;
    }
    free(stretches);
    if (inverted > w->run->inverted) w->run->inverted = inverted;
    return forbidden == 0 || violated(w->run, "step %d: %d neo-hookean elements are inverted",
                                      w->run->steps, forbidden);
}

// ---- state

static bool check_crossings(watch* w) {
    pli_error error = {0}, ignored = {0};
    if (pli_world_verify(w->world, &error) == PLI_OK) return true;
    pli_crossing_info first;
    int count = 0;
    pli_world_crossings(w->world, 1, &first, &count, &ignored);
    w->run->crossings = count > 0 ? count : 1;
    return violated(w->run, "step %d: %.400s", w->run->steps, error.message);
}

static bool check_state(watch* w) {
    const double* x = pli_world_positions(w->world);
    int step = w->run->steps;
    for (int i = 0; i < 3 * pli_world_vertex_count(w->world); ++i)
        if (!isfinite(x[i])) return violated(w->run, "step %d: a position is not finite", step);
    for (int i = 0; i < pli_world_energy_count(w->world); ++i)
        if (!isfinite(pli_world_energy_value(w->world, i)))
            return violated(w->run, "step %d: energy %s is not finite", step,
                            pli_world_energy_name(w->world, i));
    if (w->run->rise > 1)
        return violated(w->run, "step %d: E rose by %.3g times rounding", step, w->run->rise);
    return check_crossings(w) && check_elements(w);
}

// ---- steps

// The energies of the state, but for gravity, whose zero is arbitrary, and what the step moved.
static double energies_present(const watch* w, const pli_balance* b) {
    double sum = fabs(b->kinetic) + fabs(b->potential) + fabs(b->dissipated) + fabs(b->numerical) +
                 fabs(b->work_prescribed) + fabs(b->work_loads);
    for (int i = 0; i < pli_world_energy_count(w->world); ++i)
        if (pli_world_energy_stored(w->world, i) &&
            strcmp(pli_world_energy_name(w->world, i), "gravity") != 0)
            sum += fabs(pli_world_energy_value(w->world, i));
    return sum;
}

static void keep_ledger(watch* w, const pli_balance* b) {
    w->scale = fmax(w->scale, energies_present(w, b));
    w->residual_sum += b->residual;
    if (!(w->scale > 0)) return;
    w->run->ledger = fmax(w->run->ledger, fabs(b->residual) / w->scale);
    w->run->ledger_sum = fmax(w->run->ledger_sum, fabs(w->residual_sum) / w->scale);
}

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

// Ends this process when its steps have used up what they may.
static void limit_time(const watch* w) {
    if (!(w->limits->seconds > 0)) return;
    double left = fmax(0, w->limits->seconds - w->run->seconds);
    rlim_t end = (rlim_t)ceil(cpu_seconds() + left);
    setrlimit(RLIMIT_CPU, &(struct rlimit){.rlim_cur = end, .rlim_max = RLIM_INFINITY});
}

static void count_step(nasty_run* run, const pli_step_info* info) {
    snprintf(run->reason, sizeof run->reason, "%s", pli_reason_text(info->reason));
    run->iterations += info->iterations;
    if (run->step_count < NASTY_STEPS) run->step_iterations[run->step_count++] = info->iterations;
    bool good = info->reason == PLI_CONVERGED || info->reason == PLI_BLOCKED;
    run->unconverged += info->kept && !good;
    run->halved += info->substeps > 1;
    run->rejected += info->rejected;
    run->blocked += info->reason == PLI_BLOCKED;
    run->min_distance = fmin(run->min_distance, info->min_distance);
    if (info->kept) run->residual = fmax(run->residual, info->residual);
}

static bool step(watch* w) {
    nasty_run* run = w->run;
    pli_step_info info = {0};
    pli_error error = {0};
    limit_time(w);
    double start = cpu_seconds();
    pli_status status = pli_world_step(w->world, &info, &error);
    run->seconds += cpu_seconds() - start;
    if (status != PLI_OK)
        return violated(run, "step %d fails: %.400s", run->steps + 1, error.message);
    count_step(run, &info);
    if (w->limits->rise) run->rise = fmax(run->rise, w->limits->rise());
    if (info.kept) {
        run->steps++;
        keep_ledger(w, &info.balance);
    } else {
        run->end = NASTY_STOPPED;
        snprintf(run->message, sizeof run->message, "step %d: %s, residual %.3g: %.300s",
                 run->steps + 1, run->reason, info.residual, info.remedy);
    }
    return check_state(w) && info.kept;
}

static void run_steps(watch* w) {
    nasty_run* run = w->run;
    run->body_count = pli_world_body_count(w->world);
    run->vertex_count = pli_world_vertex_count(w->world);
    bool going = true;
    run->end = NASTY_SLOW; // until it is known better: the process may end in a step
    while (going && run->steps < run->steps_asked) {
        going = step(w);
        if (w->limits->seconds > 0 && run->seconds > w->limits->seconds) return;
    }
    if (run->end == NASTY_SLOW) run->end = NASTY_CONVERGED;
}

static void refuse(const pli_scene* scene, nasty_run* run) {
    run->end = NASTY_REFUSED;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            pli_scene_finding_text(scene, i, run->message, sizeof run->message);
}

void pli_nasty_run(const char* text, const nasty_limits* limits, nasty_run* run) {
    *run = (nasty_run){.end = NASTY_SLOW, .min_distance = HUGE_VAL};
    if (limits->rise) limits->rise();
    pli_scene_def def = pli_default_scene_def();
    pli_scene* scene = NULL;
    pli_error error = {0};
    def.text = text;
    def.thread_count = 1;
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) {
        violated(run, "%.400s", error.message);
        return;
    }
    run->steps_asked = pli_scene_run(scene)->steps;
    watch w = {.text = text, .limits = limits, .world = pli_scene_world(scene), .run = run};
    if (w.world)
        run_steps(&w);
    else
        refuse(scene, run);
    pli_scene_destroy(scene);
}
