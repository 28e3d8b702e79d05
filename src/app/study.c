// pliant study: chooses schemes and steps, finds a reference, runs all trials.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/study.h"
#include "base/file.h"

enum { SIZES_MOST = 32, STEPS_MOST = 10000000, DEFAULT_SIZES = 4, DEFAULT_STEPS = 100 };

// Zeroed memory, or NULL with a message.
static void* room(size_t count, size_t size) {
    void* block = calloc(count > 0 ? count : 1, size);
    if (!block) pli_complain("out of memory");
    return block;
}

// ---- what to compare

// The next word of a comma-separated list, or false; *at advances.
static bool next_word(const char** at, char word[64]) {
    if (!**at) return false;
    size_t n = strcspn(*at, ",");
    snprintf(word, 64, "%.*s", (int)(n < 63 ? n : 63), *at);
    *at += n + ((*at)[n] == ',');
    return true;
}

static int count_words(const char* list) {
    int count = 0;
    for (char word[64]; next_word(&list, word);) ++count;
    return count;
}

static int find_scheme(const char* name) {
    for (int i = 0; pli_scheme_name(i); ++i)
        if (strcmp(pli_scheme_name(i), name) == 0) return i;
    return -1;
}

// Adds a scheme once; schemes without inertia are rejected.
static bool add_scheme(pli_study* study, const char* name) {
    int found = find_scheme(name);
    char like[96];
    if (found < 0)
        return pli_complain("--schemes: unknown scheme \"%s\"%s; see: pliant help time", name,
                            pli_like(name, pli_scheme_name, like));
    if (pli_scheme_statics(found))
        return pli_complain("--schemes: %s has no inertia, so there is no motion to compare", name);
    const char* scheme = pli_scheme_name(found);
    for (int i = 0; i < study->scheme_count; ++i)
        if (study->schemes[i] == scheme) return true;
    study->schemes[study->scheme_count++] = scheme;
    return true;
}

static bool choose_schemes(pli_study* study) {
    const char* list = study->options->schemes;
    int all = 0;
    while (pli_scheme_name(all)) ++all;
    study->schemes = room((size_t)all, sizeof *study->schemes);
    if (!study->schemes) return false;
    for (int i = 0; !list && i < all; ++i)
        if (!pli_scheme_statics(i)) study->schemes[study->scheme_count++] = pli_scheme_name(i);
    char word[64];
    for (const char* at = list ? list : ""; next_word(&at, word);)
        if (!add_scheme(study, word)) return false;
    if (study->scheme_count == 0) pli_complain("--schemes: the list is empty");
    return study->scheme_count > 0;
}

// A whole number of steps must fit into the duration: h is reduced if necessary.
static bool add_size(pli_study* study, double h) {
    double count = fmax(1, ceil(study->duration / h - 1e-6));
    if (count > STEPS_MOST)
        return pli_complain("%.4g s in steps of %.4g s are more than %d steps: use larger steps",
                            study->duration, h, STEPS_MOST);
    int steps = (int)count, i = study->size_count;
    for (int k = 0; k < i; ++k)
        if (study->steps[k] == steps) return true;
    for (; i > 0 && study->steps[i - 1] > steps; --i) study->steps[i] = study->steps[i - 1];
    study->steps[i] = steps;
    study->size_count++;
    return true;
}

static bool choose_sizes(pli_study* study, double scene_h) {
    const char* list = study->options->sizes;
    int count = list ? count_words(list) : DEFAULT_SIZES;
    if (count < 1 || count > SIZES_MOST)
        return pli_complain("--steps: %d sizes, must be 1 to %d", count, SIZES_MOST);
    study->steps = room((size_t)count, sizeof *study->steps);
    if (!study->steps) return false;
    for (int i = 0; !list && i < count; ++i)
        if (!add_size(study, ldexp(scene_h, -i))) return false;
    char word[64];
    for (const char* at = list ? list : ""; next_word(&at, word);) {
        char* end;
        double h = strtod(word, &end);
        if (end == word || *end || !(h > 0) || !(h <= study->duration))
            return pli_complain(
                "--steps %s: must be a time above 0 s and at most the duration, %.4g s", word,
                study->duration);
        if (!add_size(study, h)) return false;
    }
    return true;
}

// The largest number of even parts, at most PLI_CHECKS_MOST, whose ends are steps of every run.
static int common_checks(const pli_study* study) {
    for (int parts = PLI_CHECKS_MOST; parts > 1; --parts) {
        bool fits = true;
        for (int i = 0; i < study->size_count; ++i) fits &= study->steps[i] % parts == 0;
        if (fits) return parts;
    }
    return 1;
}

static bool plan(pli_study* study, pli_scene* scene) {
    const pli_run_def* run = pli_scene_run(scene);
    double h = pli_world_time_step(pli_scene_world(scene));
    pli_shown(run->name, study->name);
    study->duration = study->options->duration;
    if (!(h > 0) && (!study->options->sizes || !(study->duration > 0)))
        return pli_complain("the scene has time.step \"auto\": set --steps and --duration");
    if (!(study->duration > 0))
        study->duration = h * (run->steps < DEFAULT_STEPS ? run->steps : DEFAULT_STEPS);
    if (!choose_schemes(study) || !choose_sizes(study, h)) return false;
    study->check_count = common_checks(study);
    int count = study->scheme_count * study->size_count;
    study->trials = room((size_t)count, sizeof *study->trials);
    if (!study->trials) return false;
    for (int i = 0; i < count; ++i) {
        int steps = study->steps[i % study->size_count];
        study->trials[i] = (pli_trial){.scheme = study->schemes[i / study->size_count],
                                       .steps = steps,
                                       .h = study->duration / steps,
                                       .error = NAN,
                                       .end_error = NAN,
                                       .order = NAN};
    }
    return true;
}

// ---- the reference

// Candidates, the most accurate first, and the refinement of their steps relative to the finest
// run.
static const struct {
    const char* scheme;
    int finer;
} candidates[] = {
    {"rk4", 4}, {"implicit-midpoint", 8}, {"newmark", 8}, {"bdf2", 8}, {"backward-euler", 8},
};

enum { CANDIDATE_COUNT = sizeof candidates / sizeof *candidates };

// Accepted if doubling the step changes little: an unstable scheme fails this.
static bool try_reference(pli_study* study, int candidate, bool* good) {
    const double allowed = 0.05; // fraction of the motion
    int steps = study->steps[study->size_count - 1] * candidates[candidate].finer;
    pli_trial* trial = &study->reference;
    *trial = (pli_trial){
        .scheme = candidates[candidate].scheme, .steps = steps, .h = study->duration / steps};
    *good = false;
    study->has_reference = false;
    if (!pli_trial_run(study, trial, true)) return false;
    if (trial->outcome != PLI_COMPLETE) return true;
    study->energy_limit = trial->energy_high + study->energy_scale;
    study->has_reference = true;
    pli_trial twice = {.scheme = trial->scheme, .steps = steps / 2, .h = 2 * trial->h};
    if (!pli_trial_run(study, &twice, false)) return false;
    bool last = candidate == CANDIDATE_COUNT - 1;
    *good = twice.outcome == PLI_COMPLETE && (last || twice.error <= allowed * study->motion);
    study->has_reference = *good;
    study->reference_error = twice.error;
    return true;
}

static bool find_reference(pli_study* study) {
    for (int i = 0; i < CANDIDATE_COUNT && !pli_interrupted(); ++i) {
        bool good;
        char text[96];
        if (!try_reference(study, i, &good)) return false;
        if (!good) continue;
        if (!study->options->quiet)
            printf("reference: %s, accurate to %.2g m; vertices move up to %.3g m\n",
                   pli_trial_text(&study->reference, text), study->reference_error, study->motion);
        return true;
    }
    if (!pli_interrupted())
        pli_complain("no reference: no scheme solves this scene even with %d steps; the last "
                     "problem: %s",
                     study->reference.steps, study->reference.remark);
    return false;
}

// ---- all runs

// order = log(e1 / e2) / log(h1 / h2), if both errors are well above that of the reference.
static void measure_order(const pli_study* study, const pli_trial* larger, pli_trial* trial) {
    double least = 3 * study->reference_error;
    if (larger->error > least && trial->error > least)
        trial->order = log(larger->error / trial->error) / log(larger->h / trial->h);
}

static bool run_all(pli_study* study) {
    char row[PLI_ROW_SIZE];
    if (!study->options->quiet) printf("%s", pli_study_head);
    for (int s = 0; s < study->scheme_count; ++s)
        for (int i = 0; i < study->size_count; ++i) {
            pli_trial* trial = pli_study_trial(study, s, i);
            fflush(stdout);
            if (pli_interrupted()) return true;
            if (!pli_trial_run(study, trial, false)) return false;
            if (i > 0) measure_order(study, pli_study_trial(study, s, i - 1), trial);
            if (!study->options->quiet) printf("%s", pli_study_row(study, trial, row));
            if (trial->outcome != PLI_REFUSED) continue;
            for (int k = i + 1; k < study->size_count; ++k) // it is rejected at any step size
                pli_study_trial(study, s, k)->outcome = PLI_REFUSED;
            break;
        }
    return true;
}

// Failures of single runs are results: the study succeeds if all were tried.
static int conduct(pli_study* study) {
    pli_error error = {0};
    if (pli_make_folder(study->folder, &error) != PLI_OK) {
        pli_complain("%s", error.message);
        return PLI_EXIT_USAGE;
    }
    pli_watch_interrupts();
    bool quiet = study->options->quiet;
    if (!quiet)
        printf("%s: %d %s, %d step %s, %.4g s each\n", study->name, study->scheme_count,
               pli_counted(study->scheme_count, "scheme", "schemes"), study->size_count,
               pli_counted(study->size_count, "size", "sizes"), study->duration);
    fflush(stdout);
    bool good = find_reference(study) && run_all(study);
    if (study->has_reference) good = pli_study_write(study) && good;
    char folder[PLI_PATH_SIZE];
    if (!quiet && study->has_reference) {
        pli_study_remarks(study, "", stdout);
        printf("results in %s: study.md, study.csv, error.svg, energy.svg, cost.svg\n",
               pli_printable(study->folder, folder, sizeof folder));
    }
    fflush(stdout);
    if (pli_interrupted())
        fprintf(stderr, "stopped by %s; %s\n", pli_interrupt_name(),
                study->has_reference ? "complete runs are written" : "no run was complete");
    return good && !pli_interrupted() ? PLI_EXIT_DONE : PLI_EXIT_STOPPED;
}

// Runs are compared vertex by vertex.
static bool has_fixed_bodies(const pli_scene* scene) {
    return pli_scene_event_count(scene) == 0 ||
           pli_complain(
               "a study compares the same vertices at all times: omit appears and vanishes");
}

int pli_command_study(const pli_options* options) {
    pli_scene* scene = pli_read_scene(options);
    if (!scene) return PLI_EXIT_USAGE;
    int code = PLI_EXIT_USAGE;
    pli_study study = {.options = options};
    bool good = pli_scene_world(scene) && has_fixed_bodies(scene) &&
                pli_choose_folder(options, "_study", study.folder) && plan(&study, scene);
    pli_scene_destroy(scene);
    if (good) code = conduct(&study);
    free(study.schemes);
    free(study.steps);
    free(study.trials);
    free(study.checks);
    return code;
}
