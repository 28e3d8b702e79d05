// pliant run: takes the steps, writes frames and checkpoints, prints a summary.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app.h"

typedef struct run {
    const pli_options* options;
    pli_scene* scene;
    pli_world* world;
    const pli_run_def* def;
    char folder[PLI_PATH_SIZE];
    pli_recorder* recorder;
    pli_run_totals totals;
    pli_energies start;
    const pli_checkpoint* resumed; // that it continues from; NULL: a new run
    int frame_step;                // step of the last frame
    int checkpoint_step;           // step of the last checkpoint; -1: none
    int unsaved_frames;            // since then
    double saved_at;               // wall time of the last checkpoint [s]
    bool gained;                   // the warning about gained energy was printed
    bool spoilt;                   // the state must not be saved as a checkpoint
    bool lost;                     // there is no state
    bool write_failed;             // already reported: further failures follow from it
} run;

// After every call of the recorder: counts its time and reports the first failure.
static bool written(run* r, double began, pli_status status, const pli_error* error) {
    r->totals.writing += pli_seconds() - began;
    if (status != PLI_OK && !r->write_failed) pli_complain_of(r->options, error);
    r->write_failed |= status != PLI_OK;
    return status == PLI_OK;
}

static bool write_frame(run* r) {
    double began = pli_seconds();
    pli_error error = {0};
    if (!written(r, began, pli_recorder_frame(r->recorder, &error), &error)) return false;
    r->frame_step = pli_world_step_count(r->world);
    r->totals.frames++;
    r->unsaved_frames++;
    return true;
}

static bool write_checkpoint(run* r) {
    double began = pli_seconds();
    pli_error error = {0};
    pli_status status = pli_recorder_checkpoint(r->recorder, r->scene, &error);
    if (!written(r, began, status, &error)) return false;
    r->checkpoint_step = pli_world_step_count(r->world);
    r->unsaved_frames = 0;
    r->saved_at = began;
    return true;
}

// After a frame, if one is due.
static bool checkpoint(run* r) {
    int every = r->def->checkpoint_every;
    if (every == 0 || r->unsaved_frames < every) return true;
    return pli_seconds() - r->saved_at < r->def->checkpoint_interval || write_checkpoint(r);
}

static bool write_step(run* r, const pli_step_info* info) {
    double began = pli_seconds();
    pli_error error = {0};
    return written(r, began, pli_recorder_step(r->recorder, info, &error), &error);
}

// Where the residual is largest.
static void explain_place(const pli_world* world, int vertex) {
    if (vertex < 0) return;
    int body = 0;
    while (pli_world_body_vertex(world, body + 1) <= vertex) ++body;
    char name[PLI_SHOWN_SIZE];
    const double* x = pli_world_positions(world) + 3 * vertex;
    fprintf(stderr,
            "  where         vertex %d of body \"%s\" moves most, at (%.6g, %.6g, %.6g) m\n",
            vertex - pli_world_body_vertex(world, body),
            pli_shown(pli_world_body_name(world, body), name), x[0], x[1], x[2]);
}

// Details of the attempt. The residual of explicit steps and blocked motion is meaningless.
static void explain_attempt(const run* r, const pli_step_info* info) {
    bool residual = info->reason != PLI_DIVERGED && info->reason != PLI_BLOCKED;
    double halvings = log2(pli_world_time_step(r->world) / info->time_step);
    bool halved = halvings > 0.5 && fabs(halvings - round(halvings)) < 1e-6;
    if (residual)
        fprintf(stderr, "  residual      %.3g after %d %s\n", info->residual, info->iterations,
                pli_counted(info->iterations, "iteration", "iterations"));
    fprintf(stderr, "  time step     %.3g s", info->time_step);
    if (halved)
        fprintf(stderr, ": %.3g s, halved %.0f %s (solver.on_failure)",
                pli_world_time_step(r->world), round(halvings),
                pli_counted((long long)round(halvings), "time", "times"));
    fprintf(stderr, "\n");
}

static void explain_stop(const run* r, const pli_step_info* info) {
    pli_complain("step %d did not converge: %s", info->step, pli_reason_text(info->reason));
    explain_attempt(r, info);
    explain_place(r->world, info->worst_vertex);
    if (info->no_progress)
        fprintf(stderr, "  accept        not possible: the minimizer took no step\n");
    fprintf(stderr, "  what to do    %s\n", info->remedy);
    fprintf(stderr, "  state         restored to step %d, t = %.6g s\n",
            pli_world_step_count(r->world), pli_world_time(r->world));
    char folder[sizeof r->folder];
    if (info->reason == PLI_DIVERGED)
        fprintf(stderr, "  start again   with other settings: a diverging run is wrong several "
                        "steps before it stops\n");
    else if (r->def->checkpoint_every > 0)
        fprintf(stderr, "  continue      pliant run --resume %s --force --set KEY=VALUE\n",
                pli_printable(r->folder, folder, sizeof folder));
}

// The first step in which contact blocks prescribed vertices.
static void report_blocked(const run* r, pli_progress* progress, const pli_step_info* info) {
    if (info->reason != PLI_BLOCKED || r->totals.blocked > 0 || r->options->quiet) return;
    char bodies[3 * PLI_SHOWN_SIZE] = "";
    int named = 0;
    for (int i = 0, last = -1; i < pli_world_support_count(r->world); ++i) {
        pli_support_info support = pli_world_support(r->world, i);
        if (support.blocked == 0 || support.body == last) continue;
        char name[PLI_SHOWN_SIZE];
        size_t used = strlen(bodies);
        last = support.body;
        if (named++ < 2)
            snprintf(bodies + used, sizeof bodies - used, "%s\"%s\"", named > 1 ? ", " : "",
                     pli_shown(pli_world_body_name(r->world, support.body), name));
    }
    pli_progress_clear(progress);
    fprintf(stderr, "step %d: contact blocks %d prescribed %s (body %s%s); the run continues. "
                    "If only something light is in the way, raise \"stiffness\" of that motion, to 1e6\n",
            info->step, info->blocked, pli_counted(info->blocked, "vertex", "vertices"), bodies,
            named > 2 ? " and others" : "");
}

// Fraction of the kinetic energy that a scheme may create before a warning, and minimum fraction of
// all energy that counts as motion: less may be rounding.
static const double CREATED = 0.1, AT_REST = 1e-6;

// Warns once if the scheme creates energy, by its own formula.
static void report_gain(run* r, pli_progress* progress) {
    if (r->gained || r->options->quiet) return;
    pli_balance b = pli_world_balance(r->world);
    double kinetic = pli_world_energy_value(r->world, 0), all = 0, made = -b.numerical;
    for (int i = 0; i < pli_world_energy_count(r->world); ++i)
        all += fabs(pli_world_energy_value(r->world, i));
    double moved = kinetic + fabs(kinetic - b.kinetic) + fabs(b.potential) + b.dissipated +
                   fabs(b.work_prescribed) + fabs(b.work_loads);
    if (!(made > CREATED * moved && moved > AT_REST * all)) return;
    r->gained = true;
    pli_progress_clear(progress);
    fprintf(stderr,
            "warning: step %d: the time scheme has created %.3g J, %.0f %% of the energy in "
            "motion; use smaller steps, or a scheme that conserves energy or damps "
            "(averaged-vector-field, backward-euler)\n",
            pli_world_step_count(r->world), made, 100 * made / moved);
}

// The first step accepted without convergence.
static void report_accepted(const run* r, pli_progress* progress, const pli_step_info* info) {
    bool accepted = info->reason != PLI_CONVERGED && info->reason != PLI_BLOCKED &&
                    info->reason != PLI_ROUNDING;
    if (!accepted || r->totals.not_converged > 0 || r->options->quiet) return;
    pli_progress_clear(progress);
    fprintf(stderr,
            "step %d did not converge (%s, residual %.3g) but is kept (solver.on_failure); what to "
            "do: %s\n",
            info->step, pli_reason_text(info->reason), info->residual, info->remedy);
}

// True if the run is at its end, by time or by steps.
static bool is_over(const run* r) {
    if (r->def->duration > 0 && pli_world_time(r->world) >= r->def->duration) return true;
    return pli_world_step_count(r->world) >= r->def->steps;
}

// Whether the last step of the world gets a frame.
static bool has_frame(const run* r, int step) {
    return step % r->def->frame_every == 0 || is_over(r);
}

// Bodies appear and vanish after a step.
static bool change_bodies(run* r, int step) {
    pli_error error = {0};
    int count = 0;
    double time = pli_world_time(r->world);
    pli_status status = pli_scene_update(r->scene, time, &count, &error);
    if (status == PLI_OK && count > 0) status = pli_world_prepare(r->world, &error);
    if (status == PLI_OK) return true;
    r->spoilt = r->lost = true; // the last checkpoint is intact
    pli_complain("step %d, after bodies appeared or vanished at t = %.6g s: %s", step, time,
                 error.message);
    return false;
}

// All steps. False if the run ended before its last step; prints why unless interrupted.
static bool simulate(run* r) {
    pli_progress progress = pli_progress_start(r->def->steps, r->def->duration, r->options->quiet);
    bool good = pli_world_set_cancel(r->world, pli_cancel_step, NULL, NULL) == PLI_OK;
    while (good && !is_over(r) && !pli_interrupted()) {
        int step = pli_world_step_count(r->world) + 1;
        pli_step_info info = {0};
        pli_error error = {0};
        if (pli_world_step(r->world, &info, &error) != PLI_OK) {
            pli_progress_end(&progress);
            pli_complain("step %d: %s", step, error.message);
            if (error.status == PLI_E_MEMORY) pli_advise_memory(r->options);
            r->spoilt = true; // pattern and solver have changed: the last checkpoint is intact
            return false;
        }
        if (info.reason == PLI_INTERRUPTED) break; // the state before it is kept
        good = write_step(r, &info);
        if (!info.kept) {
            pli_progress_end(&progress);
            explain_stop(r, &info);
            return false;
        }
        if (r->options->verify && pli_world_verify(r->world, &error) != PLI_OK) {
            pli_progress_end(&progress);
            pli_complain("step %d: %s", step, error.message);
            r->spoilt = true;
            return false;
        }
        report_blocked(r, &progress, &info);
        report_gain(r, &progress);
        report_accepted(r, &progress, &info);
        pli_totals_add(&r->totals, &info);
        if (!change_bodies(r, step)) {
            pli_progress_end(&progress);
            return false;
        }
        if (good && has_frame(r, step)) good = write_frame(r);
        if (good) good = checkpoint(r);
        if (good) pli_progress_step(&progress, &info);
    }
    pli_progress_end(&progress);
    return good && is_over(r);
}

static void print_results(const run* r) {
    char folder[sizeof r->folder];
    pli_printable(r->folder, folder, sizeof folder);
    bool preview = r->def->preview_frames > 0;
    printf("results in %s: %d %s, run.pvd, stats.jsonl%s\n", folder, r->totals.frames,
           pli_counted(r->totals.frames, "frame", "frames"), preview ? ", preview.svg" : "");
    printf("  frames        paraview %s/run.pvd\n", folder);
    if (preview) printf("  film strip    %s/preview.svg, in a browser\n", folder);
}

static void explain_interrupt(const run* r) {
    char path[1024], folder[sizeof r->folder];
    char end[48];
    if (r->def->duration > 0) // the number of steps is not known
        snprintf(end, sizeof end, "(t = %.6g of %.6g s)", pli_world_time(r->world),
                 r->def->duration);
    else
        snprintf(end, sizeof end, "of %d (t = %.6g s)", r->def->steps, pli_world_time(r->world));
    fprintf(stderr, "stopped by %s after step %d %s%s\n", pli_interrupt_name(),
            pli_world_step_count(r->world), end,
            r->write_failed ? "" : "; the last frame is written");
    if (r->checkpoint_step >= 0)
        fprintf(stderr, "  continue      pliant run --resume %s\n",
                pli_printable(r->folder, folder, sizeof folder));
    else
        fprintf(stderr, "  no checkpoint; start again: pliant run %s -o %s\n",
                r->options->text ? "-" : pli_printable(r->options->argument, path, sizeof path),
                pli_printable(r->folder, folder, sizeof folder));
}

// Writes the rest at the end, also if the run stopped early. The checkpoint comes before an extra
// frame, so that a continued run does not contain that frame.
static bool finish(run* r) {
    int step = pli_world_step_count(r->world);
    bool good = true, save = r->def->checkpoint_every > 0 && !r->spoilt && !r->write_failed;
    if (save) good = write_checkpoint(r);
    if (r->frame_step != step && !r->lost) good = write_frame(r) && good;
    double began = pli_seconds();
    pli_error error = {0};
    return written(r, began, pli_recorder_finish(r->recorder, &error), &error) && good;
}

// The first frame and the first checkpoint, unless they exist.
static bool begin(run* r) {
    int step = pli_world_step_count(r->world);
    r->frame_step = r->checkpoint_step = -1;
    if (!r->resumed)
        return write_frame(r) && (r->def->checkpoint_every == 0 || write_checkpoint(r));
    r->checkpoint_step = step;
    r->saved_at = pli_seconds();
    if (pli_recorder_time(r->recorder) == pli_world_time(r->world)) r->frame_step = step;
    r->totals.frames = pli_checkpoint_describe(r->resumed).frame_count;
    return true;
}

// A continued run that was already complete.
static void report_complete(const run* r) {
    char folder[sizeof r->folder];
    bool by_time = r->def->duration > 0;
    printf("the run is complete; to make it longer: pliant run --resume %s %s\n",
           pli_printable(r->folder, folder, sizeof folder),
           by_time ? "--set time.duration=SECONDS" : "-n STEPS");
}

static int record(run* r) {
    pli_recorder_def def = pli_run_recorder(r->def);
    pli_error error = {0};
    def.folder = r->folder;
    def.title = r->def->name;
    def.resume = r->resumed;
    def.allocator = &r->options->allocator;
    if (pli_recorder_create(&def, r->world, &r->recorder, &error) != PLI_OK) {
        pli_complain_of(r->options, &error);
        return PLI_EXIT_USAGE;
    }
    double began = pli_seconds();
    r->start = pli_read_energies(r->world);
    bool complete = begin(r);
    if (complete && is_over(r) && !r->options->quiet) report_complete(r);
    if (complete) complete = simulate(r);
    bool finished = finish(r);
    r->totals.total = pli_seconds() - began;
    if (!r->options->quiet && !r->lost) {
        pli_print_totals(&r->totals, r->world, &r->start);
        if (r->options->profile) pli_print_profile(&r->totals, r->world);
        print_results(r);
    }
    fflush(stdout);
    if (pli_interrupted() && !complete) explain_interrupt(r);
    return complete && finished ? PLI_EXIT_DONE : PLI_EXIT_STOPPED;
}

// ---- the folder

// "101 frames, 12.3 MB, and a checkpoint"; false: no results.
static bool look_into(const char* folder, char* text, size_t size) {
    pli_recorded found = {0};
    pli_error error = {0};
    char bytes[24];
    if (pli_recorder_look(folder, &found, &error) != PLI_OK)
        return false; // reported when it is created
    if (found.frame_count == 0 && !found.checkpoint) return false;
    snprintf(text, size, "%d %s, %s%s", found.frame_count,
             pli_counted(found.frame_count, "frame", "frames"),
             pli_bytes_text(found.bytes, bytes, sizeof bytes),
             found.checkpoint ? ", and a checkpoint" : "");
    return true;
}

// Existing results are replaced only with --overwrite. Otherwise the run uses the next free folder
// NAME-2, NAME-3, ..., or fails for a folder given by -o.
static bool choose_folder(run* r) {
    char first[sizeof r->folder], has[96], shown[sizeof r->folder];
    if (!pli_choose_folder(r->options, "", r->folder)) return false;
    if (r->resumed || !look_into(r->folder, has, sizeof has)) return true;
    pli_printable(r->folder, shown, sizeof shown);
    if (r->options->overwrite) {
        if (!r->options->quiet) printf("replacing the results in %s: %s\n", shown, has);
        return true;
    }
    if (r->options->folder)
        return pli_complain("%s has the results of an earlier run: %s; --overwrite replaces them, "
                            "--resume %s continues that run",
                            shown, has, shown);
    memcpy(first, r->folder, sizeof first);
    char other[96];
    for (int i = 2; look_into(r->folder, other, sizeof other); ++i)
        if (snprintf(r->folder, sizeof r->folder, "%s-%d", first, i) >= (int)sizeof r->folder)
            return pli_complain("the name of the results folder is too long");
    fprintf(stderr, "%s has the results of an earlier run: %s; --overwrite replaces them\n", shown,
            has);
    fprintf(stderr, "  the results of this run go to %s\n",
            pli_printable(r->folder, shown, sizeof shown));
    return true;
}

static void print_start(const run* r) {
    char name[PLI_SHOWN_SIZE];
    int bodies = pli_world_body_count(r->world), vertices = pli_world_vertex_count(r->world);
    int unknowns = pli_world_unknown_count(r->world), steps = r->def->steps;
    printf("%s: %d %s, %d %s, %d %s, ", pli_shown(r->def->name, name), bodies,
           pli_counted(bodies, "body", "bodies"), vertices,
           pli_counted(vertices, "vertex", "vertices"), unknowns,
           pli_counted(unknowns, "unknown", "unknowns"));
    if (r->def->duration > 0)
        printf("%.6g s\n", r->def->duration);
    else
        printf("%d %s\n", steps, pli_counted(steps, "step", "steps"));
}

// Runs the world, or prints why it cannot.
static int start(run* r, const pli_resumed* resumed) {
    if (!choose_folder(r)) return PLI_EXIT_USAGE;
    pli_watch_interrupts();
    if (!r->options->quiet) print_start(r);
    if (r->resumed && !pli_resume_apply(resumed, r->scene)) return PLI_EXIT_USAGE;
    fflush(stdout);
    return record(r);
}

int pli_command_run(const pli_options* options) {
    pli_resumed resumed;
    int code = PLI_EXIT_USAGE;
    if (pli_resume_open(options, &resumed)) {
        run r = {.options = &resumed.options, .resumed = resumed.checkpoint};
        r.scene = pli_read_scene(r.options);
        if (r.scene) {
            pli_write_crossed(r.options, NULL, r.scene);
            r.world = pli_scene_world(r.scene);
            r.def = pli_scene_run(r.scene);
            if (r.world && pli_memory_allows(r.options, r.scene)) code = start(&r, &resumed);
        }
        pli_recorder_destroy(r.recorder);
        pli_scene_destroy(r.scene);
    }
    pli_resume_close(&resumed);
    return code;
}
