// The cases and what is asked of them.
#define _POSIX_C_SOURCE 200809L // sysconf
#include "memory/soak.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const soak_case cases[] = {
    {.scene = "shaken", .contact = true, .high = 1, .low = HUGE_VAL},
    {.scene = "shaken_space", .contact = true, .high = 1, .low = HUGE_VAL},
    {.scene = "swinging", .high = 5e-3, .low = 5e-3},
};

const soak_case* soak_at(int i) {
    return (size_t)i < sizeof cases / sizeof *cases ? &cases[i] : NULL;
}

static double resident(void) {
    long pages = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%*d %ld", &pages) != 1) pages = 0;
    if (file) fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGE_SIZE);
}

static double stored(const pli_world* world) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (pli_world_energy_stored(world, i)) sum += pli_world_energy_value(world, i);
    return sum;
}

// What is made for a run.
typedef struct run {
    pli_budget* budget;
    pli_allocator allocator;
    pli_scene* scene;
    pli_world* world;
    pli_recorder* recorder;
    double start; // stored energy [J]
} run;

static pli_status open_run(const soak_case* c, const char* folder, run* r, pli_error* error) {
    char path[512];
    snprintf(path, sizeof path, "%s/tests/memory/scenes/%s.json", PLIANT_SOURCE_DIR, c->scene);
    pli_status status = pli_budget_create(0, &r->budget, error);
    if (status != PLI_OK) return status;
    r->allocator.budget = r->budget;
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.thread_count = 1;
    def.allocator = &r->allocator;
    status = pli_scene_create(&def, &r->scene, error);
    if (status != PLI_OK) return status;
    r->world = pli_scene_world(r->scene);
    if (!r->world) {
        pli_scene_finding_text(r->scene, 0, error->message, sizeof error->message);
        return PLI_E_SCENE;
    }
    r->start = stored(r->world);
    if (!folder) return PLI_OK;
    pli_recorder_def recorder = pli_default_recorder_def();
    recorder.folder = folder;
    recorder.allocator = &r->allocator;
    return pli_recorder_create(&recorder, r->world, &r->recorder, error);
}

static void close_run(run* r) {
    pli_recorder_destroy(r->recorder);
    pli_scene_destroy(r->scene);
    pli_budget_destroy(r->budget);
}

static pli_status record(run* r, const pli_step_info* info, pli_error* error) {
    if (!r->recorder) return PLI_OK;
    pli_status status = pli_recorder_step(r->recorder, info, error);
    if (status == PLI_OK && info->step % pli_scene_run(r->scene)->frame_every == 0)
        status = pli_recorder_frame(r->recorder, error);
    return status;
}

static void note(const run* r, const pli_step_info* info, soak_report* s) {
    double energy = stored(r->world) - r->start;
    s->steps = info->step;
    s->contacts = info->contact_count > s->contacts ? info->contact_count : s->contacts;
    s->not_converged += info->reason != PLI_CONVERGED;
    s->energy[0] = fmin(s->energy[0], energy);
    s->energy[1] = fmax(s->energy[1], energy);
    s->unbalanced = fmax(s->unbalanced, fabs(info->balance.residual));
}

static void measure(const run* r, int half, soak_report* s) {
    s->bytes[half] = pli_budget_used(r->budget);
    s->resident[half] = resident();
}

static double energy_scale(const run* r) {
    const pli_scene_summary* summary = pli_scene_summarize(r->scene);
    double gravity[3];
    pli_world_gravity(r->world, gravity);
    double size = fmax(summary->high[0] - summary->low[0], summary->high[1] - summary->low[1]);
    return summary->mass * fabs(gravity[1]) * size;
}

static pli_status take_steps(run* r, int steps, void (*tell)(const soak_report*), soak_report* s,
                             pli_error* error) {
    pli_status status = PLI_OK;
    for (int n = 1; n <= steps && status == PLI_OK; ++n) {
        pli_step_info info = {0};
        int64_t calls = pli_world_memory_calls(r->world);
        status = pli_world_step(r->world, &info, error);
        if (status != PLI_OK) break;
        if (n > steps / 2) s->calls += pli_world_memory_calls(r->world) - calls;
        note(r, &info, s);
        status = record(r, &info, error);
        if (status == PLI_OK && n % (steps / 100) == 0) status = pli_world_verify(r->world, error);
        if (n == steps / 2) measure(r, 0, s);
        if (tell && n % (steps / 100) == 0) tell(s);
    }
    return status;
}

pli_status soak_run(const soak_case* c, int steps, const char* folder,
                    void (*tell)(const soak_report* report), soak_report* report,
                    pli_error* error) {
    run r = {0};
    *report = (soak_report){0};
    pli_status status = open_run(c, folder, &r, error);
    if (status == PLI_OK) {
        report->scale = energy_scale(&r);
        status = take_steps(&r, steps, tell, report, error);
        measure(&r, 1, report);
        pli_balance balance = pli_world_balance(r.world);
        report->sum = balance.residual;
        report->dissipated = balance.dissipated + balance.numerical;
        report->work = balance.work_prescribed;
    }
    close_run(&r);
    return status;
}

// A sanitizer keeps what was freed, to see who still uses it.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const double swelling = HUGE_VAL;
#else
static const double swelling = 1e6;
#endif

// Frames and energies that a recorder keeps to draw: 8 bytes per frame, and a few samples.
static const double slack = 64e3;

const char* soak_verdict(const soak_case* c, const soak_report* s, char text[256]) {
    double grown = (double)s->bytes[1] - (double)s->bytes[0];
    double swollen = s->resident[1] - s->resident[0];
    text[0] = '\0';
    if (grown > slack || (!c->contact && s->calls > 0))
        snprintf(text, 256, "memory grew by %g bytes, %lld calls, in the second half", grown,
                 (long long)s->calls);
    else if (swollen > swelling)
        snprintf(text, 256, "the process grew by %g bytes in the second half", swollen);
    else if (s->energy[1] > c->high * s->scale || s->energy[0] < -c->low * s->scale)
        snprintf(text, 256, "energy from %g to %g J, the scale is %g J", s->energy[0], s->energy[1],
                 s->scale);
    else if (c->contact && s->contacts < 10)
        snprintf(text, 256, "at most %d contacts", s->contacts);
    else if (s->not_converged > 0)
        snprintf(text, 256, "%d steps did not converge", s->not_converged);
    return text[0] ? text : NULL;
}
