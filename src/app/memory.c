// Memory of a command: the limit of --memory, the prediction for a run, the memory of the machine.
//
// Everything that a command allocates for a run shares one budget. The memory of the program at the
// start (libraries, stacks) is taken from the budget first, so that the limit applies to the
// process; temporary memory of foreign libraries (JSON, files) is not counted.
#define _POSIX_C_SOURCE 200809L // sysconf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"

// Memory that code and libraries touch during a run, in addition to that at the start [bytes].
static const double program_growth = 5e6;

// Overhead of malloc and memory left by foreign libraries, as a fraction of the memory in use.
static const double heap_part = 0.02;

// The number after `word` in the first line of a file that starts with it, skipping `skip` numbers;
// -1 if there is none.
static double read_number(const char* path, const char* word, int skip) {
    char line[256];
    double number = -1;
    FILE* file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, word, strlen(word)) != 0) continue;
        const char* at = line + strlen(word);
        for (char* end = NULL; skip >= 0; --skip, at = end) {
            number = strtod(at, &end);
            if (end == at) number = -1;
        }
        break;
    }
    if (file) fclose(file);
    return number;
}

// Present memory of the process [bytes]; a guess without /proc.
static double process_bytes(void) {
    double pages = read_number("/proc/self/statm", "", 1);
    return pages > 0 ? pages * (double)sysconf(_SC_PAGE_SIZE) : 8e6;
}

// Memory available on the machine and in its container [bytes]; 0: unknown.
static double available_bytes(void) {
    double kilobytes = read_number("/proc/meminfo", "MemAvailable:", 0);
    double machine = kilobytes > 0 ? 1024 * kilobytes : 0;
    double most = read_number("/sys/fs/cgroup/memory.max", "", 0);
    double left = most - read_number("/sys/fs/cgroup/memory.current", "", 0);
    return most > 0 && left > 0 && (machine == 0 || left < machine) ? left : machine;
}

bool pli_memory_begin(pli_options* options) {
    pli_error error = {0};
    size_t program = (size_t)(process_bytes() + program_growth);
    if (pli_budget_create((size_t)options->memory, &options->allocator.budget, &error) != PLI_OK)
        return pli_complain("%s", error.message);
    if (pli_budget_take(options->allocator.budget, program)) return true;
    char text[24];
    pli_complain("--memory: the program alone needs %s: raise the limit",
                 pli_bytes_text((double)program, text, 24));
    pli_budget_destroy(options->allocator.budget);
    return false;
}

void pli_memory_end(pli_options* options) { pli_budget_destroy(options->allocator.budget); }

void pli_advise_memory(const pli_options* options) {
    fprintf(stderr, "  what to do    %suse solver.linear=pcg, fewer elements or fewer threads\n",
            options->memory > 0 ? "raise --memory; or " : "");
}

pli_recorder_def pli_run_recorder(const pli_run_def* run) {
    pli_recorder_def def = pli_default_recorder_def();
    def.preview_frames = run->preview_frames;
    def.fields = run->fields;
    def.double_precision = run->double_precision;
    def.compress = run->compress;
    def.camera = run->camera;
    return def;
}

bool pli_predict_run(const pli_options* options, pli_scene* scene, pli_run_memory* out) {
    pli_error error = {0};
    pli_world* world = pli_scene_world(scene);
    const pli_budget* budget = options->allocator.budget;
    pli_recorder_def recorder = pli_run_recorder(pli_scene_run(scene));
    recorder.allocator = &options->allocator;
    pli_memory_prediction p;
    size_t frames;
    double used = (double)pli_budget_used(budget);
    pli_status status = pli_world_predict_memory(world, &p, &error);
    if (status == PLI_OK) status = pli_recorder_predict_memory(&recorder, world, &frames, &error);
    if (status != PLI_OK) {
        pli_complain("cannot predict the memory of the run: %s", error.message);
        if (status == PLI_E_MEMORY) pli_advise_memory(options);
        return false;
    }
    *out = (pli_run_memory){.world = (double)p.world,
                            .solver = (double)(p.peak - p.world),
                            .frames = (double)frames,
                            .contact = p.contact};
    out->program = used - out->world + heap_part * (out->world + out->solver);
    out->peak = out->program + out->world + out->solver + out->frames;
    return true;
}

bool pli_memory_suffices(const pli_options* options, const pli_run_memory* m) {
    char need[24], have[24];
    const char* about = m->contact ? "at least" : "about";
    double available = available_bytes();
    pli_bytes_text(m->peak, need, sizeof need);
    if (options->memory > 0 && m->peak > options->memory) {
        pli_complain("the run needs %s %s, but --memory allows %s", about, need,
                     pli_bytes_text(options->memory, have, sizeof have));
        pli_advise_memory(options);
        return false;
    }
    // What the scene already has counts neither as available nor as needed.
    double more = m->peak - (double)pli_budget_used(options->allocator.budget);
    if (available > 0 && more > available && !options->quiet)
        fprintf(stderr,
                "warning: the run needs %s %s, but only %s are free on this machine; use --memory "
                "to stop it in time\n",
                about, need, pli_bytes_text(available, have, sizeof have));
    return true;
}

bool pli_memory_allows(const pli_options* options, pli_scene* scene) {
    // Predicting a large scene takes seconds: without a limit only if it might be too large.
    const double most = 10; // times the world, with the solver
    double world = (double)pli_world_memory(pli_scene_world(scene));
    pli_run_memory m;
    if (options->memory == 0 && most * world < available_bytes()) return true;
    return pli_predict_run(options, scene, &m) && pli_memory_suffices(options, &m);
}
