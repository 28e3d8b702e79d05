// One run of a study: the scene with another scheme and step, its energy and cost, and its distance
// from the reference at the checks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/study.h"

// The scene with the scheme and step of the trial. The solver tolerance is tighter than usual, so
// that the error is that of the scheme; --set comes later and overrides it.
static pli_scene* open_scene(const pli_study* study, const pli_trial* trial) {
    const pli_options* options = study->options;
    char scheme[64], step[64], steps[64];
    snprintf(scheme, sizeof scheme, "time.scheme=%s", trial->scheme);
    snprintf(step, sizeof step, "time.step=%.17g", trial->h);
    snprintf(steps, sizeof steps, "time.steps=%d", trial->steps);
    int count = options->override_count;
    const char** overrides = calloc((size_t)count + 4, sizeof *overrides);
    if (!overrides) {
        pli_complain("out of memory");
        return NULL;
    }
    overrides[0] = "solver.tolerance=1e-7";
    for (int i = 0; i < count; ++i) overrides[1 + i] = options->overrides[i];
    overrides[count + 1] = scheme;
    overrides[count + 2] = step;
    overrides[count + 3] = steps;
    pli_scene_def def = pli_scene_def_of(options);
    def.overrides = overrides;
    def.override_count = count + 4;
    pli_scene* scene = NULL;
    pli_error error = {0};
    if (pli_scene_create(&def, &scene, &error) != PLI_OK) pli_complain_of(options, &error);
    free(overrides);
    return scene;
}

static void refuse(pli_trial* trial, const pli_scene* scene) {
    trial->outcome = PLI_REFUSED;
    for (int i = 0; i < pli_scene_finding_count(scene); ++i) {
        const pli_finding* finding = pli_scene_finding(scene, i);
        if (finding->severity != PLI_ERROR) continue;
        snprintf(trial->remark, sizeof trial->remark, "%.390s", finding->message);
        return;
    }
}

// ---- energy

static double stored_energy(const pli_world* world) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

static void follow_energy(pli_trial* trial, const pli_world* world, int step) {
    double energy = stored_energy(world);
    if (step == 0) trial->energy_start = trial->energy_high = energy;
    trial->energy_end = energy;
    trial->energy_high = fmax(trial->energy_high, energy);
    int every = (trial->steps + PLI_TRIAL_SAMPLES - 1) / PLI_TRIAL_SAMPLES;
    if (step % every != 0) return;
    trial->times[trial->sample_count] = pli_world_time(world);
    trial->energies[trial->sample_count++] = energy - trial->energy_start;
}

// The range of each part so far; the scale is the largest of these ranges.
typedef struct swings {
    pli_energies low, high;
} swings;

static double follow_swings(swings* s, const pli_world* world, int step) {
    pli_energies now = pli_read_energies(world);
    if (step == 0) s->low = s->high = now;
    double scale = 0;
    for (int i = 0; i < now.count; ++i) {
        s->low.values[i] = fmin(s->low.values[i], now.values[i]);
        s->high.values[i] = fmax(s->high.values[i], now.values[i]);
        scale = fmax(scale, s->high.values[i] - s->low.values[i]);
    }
    return scale;
}

// ---- distance from the reference

// Largest distance of a vertex, and the root mean square over all.
static double distance(const double* a, const double* b, int vertex_count, double* rms) {
    double largest = 0, sum = 0;
    for (int v = 0; v < vertex_count; ++v) {
        double square = 0;
        for (int k = 0; k < 3; ++k) {
            double d = a[3 * v + k] - b[3 * v + k];
            square += d * d;
        }
        largest = fmax(largest, sqrt(square));
        sum += square;
    }
    *rms = sqrt(sum / (vertex_count > 0 ? vertex_count : 1));
    return largest;
}

static void compare(pli_study* study, pli_trial* trial, const pli_world* world, int step) {
    int every = trial->steps / study->check_count;
    if (!study->has_reference || step % every != 0) return;
    size_t size = 3 * (size_t)study->vertex_count;
    const double* check = study->checks + (size_t)(step / every - 1) * size;
    double largest =
        distance(pli_world_positions(world), check, study->vertex_count, &trial->end_error);
    trial->error = isnan(trial->error) ? largest : fmax(trial->error, largest);
}

static void record(pli_study* study, const pli_trial* trial, const pli_world* world, int step,
                   const double* start) {
    int every = trial->steps / study->check_count;
    if (step % every != 0) return;
    size_t size = 3 * (size_t)study->vertex_count;
    double* check = study->checks + (size_t)(step / every - 1) * size;
    memcpy(check, pli_world_positions(world), size * sizeof *check);
    double unused;
    study->motion = fmax(study->motion, distance(check, start, study->vertex_count, &unused));
}

// ---- steps

// One step; false: the trial is over, and its remark says why.
static bool take_step(pli_study* study, pli_trial* trial, pli_world* world, pli_step_info* info) {
    pli_error error = {0};
    if (pli_world_step(world, info, &error) != PLI_OK) {
        trial->outcome = PLI_FAILED;
        snprintf(trial->remark, sizeof trial->remark, "step %d: %.360s", trial->done + 1,
                 error.message);
        return false;
    }
    trial->iterations += info->iterations;
    trial->seconds += info->seconds.total;
    if (!info->kept) {
        trial->outcome = PLI_FAILED;
        snprintf(trial->remark, sizeof trial->remark, "%s at t = %.4g s",
                 pli_reason_text(info->reason), info->time);
        return false;
    }
    trial->not_converged += info->reason != PLI_CONVERGED;
    follow_energy(trial, world, ++trial->done);
    if (study->has_reference && !(trial->energy_end <= study->energy_limit)) {
        trial->outcome = PLI_BLOWN_UP;
        snprintf(trial->remark, sizeof trial->remark, "at t = %.4g s", info->time);
        return false;
    }
    return true;
}

static void simulate(pli_study* study, pli_trial* trial, pli_world* world, double* start) {
    char label[PLI_SHOWN_SIZE];
    snprintf(label, sizeof label, "%-21.21s h %-8.4g", trial->scheme, trial->h);
    pli_progress progress = pli_progress_start(trial->steps, 0, study->options->quiet);
    progress.label = label;
    if (!progress.bar) progress.lines = -1; // the rows of the table show the progress
    swings parts;
    if (start) study->energy_scale = follow_swings(&parts, world, 0);
    follow_energy(trial, world, 0);
    bool good = true;
    while (good && trial->done < trial->steps && !pli_interrupted()) {
        pli_step_info info = {0};
        good = take_step(study, trial, world, &info);
        if (!good) break;
        if (start) {
            record(study, trial, world, trial->done, start);
            study->energy_scale = follow_swings(&parts, world, trial->done);
        } else {
            compare(study, trial, world, trial->done);
        }
        pli_progress_step(&progress, &info);
    }
    pli_progress_clear(&progress);
    if (good && trial->done == trial->steps) trial->outcome = PLI_COMPLETE;
    if (trial->outcome != PLI_COMPLETE) trial->error = trial->end_error = NAN;
}

// Allocates the reference and its start; false: out of memory.
static bool prepare_record(pli_study* study, const pli_world* world, double** start) {
    study->vertex_count = pli_world_vertex_count(world);
    study->motion = 0;
    size_t size = 3 * (size_t)study->vertex_count;
    free(study->checks);
    study->checks = calloc(size * (size_t)study->check_count + 1, sizeof(double));
    *start = calloc(size + 1, sizeof(double));
    if (!study->checks || !*start) return pli_complain("out of memory");
    memcpy(*start, pli_world_positions(world), size * sizeof **start);
    return true;
}

bool pli_trial_run(pli_study* study, pli_trial* trial, bool records) {
    trial->error = trial->end_error = trial->order = NAN;
    pli_scene* scene = open_scene(study, trial);
    if (!scene) return false;
    bool good = true;
    double* start = NULL;
    pli_world* world = pli_scene_world(scene);
    if (!world)
        refuse(trial, scene);
    else if (records)
        good = prepare_record(study, world, &start);
    if (good && world) simulate(study, trial, world, start);
    if (trial->not_converged > 0 && trial->outcome == PLI_COMPLETE)
        snprintf(trial->remark, sizeof trial->remark, "%d steps not converged",
                 trial->not_converged);
    free(start);
    pli_scene_destroy(scene);
    return good;
}
