// One scene, one process.
#define _GNU_SOURCE
#include "runner.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "measure.h"

// Readings of all clocks.
typedef struct clocks {
    double wall, cpu, main_cpu;
} clocks;

static clocks read_clocks(void) { return (clocks){bench_now(), bench_cpu(), bench_thread_cpu()}; }

static void add_share(bench_share* sum, const pli_step_info* info, const clocks* start) {
    clocks end = read_clocks();
    sum->steps++;
    sum->iterations += info->iterations;
    sum->linear_iterations += info->linear_iterations;
    sum->wall += end.wall - start->wall;
    sum->cpu += end.cpu - start->cpu;
    sum->main_cpu += end.main_cpu - start->main_cpu;
}

static void add_step(bench_run* r, const pli_step_info* info, const clocks* start) {
    const double* from = (const double*)&info->seconds;
    double* to = (double*)&r->seconds;
    for (int i = 0; i < BENCH_PHASE_COUNT; ++i) to[i] += from[i];
    add_share(&r->all, info, start);
    if (info->contact_count > 0) add_share(&r->touching, info, start);
    r->analyses += info->symbolic_count;
    r->pairs += info->contact_count;
    if (info->iterations > r->most_iterations) r->most_iterations = info->iterations;
    if (info->contact_count > r->most_pairs) r->most_pairs = info->contact_count;
    if (info->min_distance < r->min_distance) r->min_distance = info->min_distance;
}

// Steps that did not converge are counted; the run goes on as long as they are kept.
static void run_steps(pli_world* world, bench_run* r) {
    int failed = 0;
    pli_error error = {0};
    for (int step = 1; step <= r->planned; ++step) {
        pli_step_info info;
        clocks start = read_clocks();
        if (pli_world_step(world, &info, &error) != PLI_OK) {
            snprintf(r->problem, sizeof r->problem, "step %d: %.200s", step, error.message);
            return;
        }
        if (step > r->warm_up) add_step(r, &info, &start);
        if (info.reason != PLI_CONVERGED)
            snprintf(r->problem, sizeof r->problem, "%d step%s without convergence, last %d: %s%s",
                     failed + 1, failed > 0 ? "s" : "", info.step, pli_reason_text(info.reason),
                     info.kept ? "" : ", ended there");
        failed += info.reason != PLI_CONVERGED;
        if (!info.kept) return;
        if (r->verify && pli_world_verify(world, &error) != PLI_OK) {
            snprintf(r->problem, sizeof r->problem, "step %d: %.200s", info.step, error.message);
            return;
        }
    }
}

static void run_scene(bench_run* r) {
    pli_scene* scene = NULL;
    pli_error error = {0};
    double start = bench_now(), cpu = bench_cpu();
    r->min_distance = 1e300;
    if (pli_scene_create(&r->def, &scene, &error) != PLI_OK)
        snprintf(r->problem, sizeof r->problem, "%.250s", error.message);
    for (int i = 0; scene && i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR && !r->problem[0])
            pli_scene_finding_text(scene, i, r->problem, sizeof r->problem);
    pli_world* world = scene && !r->problem[0] ? pli_scene_world(scene) : NULL;
    if (world) {
        r->vertices = pli_world_vertex_count(world);
        r->tetrahedra = pli_world_element_count(world, PLI_TETRAHEDRON);
        r->dhat = pli_world_dhat(world);
        r->planned = pli_scene_run(scene)->steps;
        if (r->steps > 0 && r->steps < r->planned) r->planned = r->steps;
        run_steps(world, r);
    }
    r->wall = bench_now() - start;
    r->cpu = bench_cpu() - cpu;
    pli_scene_destroy(scene);
}

bool bench_measure(bench_run* r) {
    int ends[2];
    bench_run out;
    *r = (bench_run){.def = r->def, .steps = r->steps, .warm_up = r->warm_up, .verify = r->verify};
    if (pipe(ends) != 0) return false;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        run_scene(r);
        _exit(write(ends[1], r, sizeof *r) == (ssize_t)sizeof *r ? 0 : 1);
    }
    close(ends[1]);
    ssize_t got = pid > 0 ? read(ends[0], &out, sizeof out) : 0;
    close(ends[0]);
    int status = 1;
    struct rusage usage = {0};
    if (pid > 0) wait4(pid, &status, 0, &usage);
    if (got != (ssize_t)sizeof out || status != 0) return false;
    *r = out;
    r->memory = 1e-3 * (double)usage.ru_maxrss;
    return true;
}

static int by_name(const void* a, const void* b) {
    return strcmp(*(const char* const*)a, *(const char* const*)b);
}

int bench_list_scenes(const char* folder, const char** names, int most) {
    int count = 0;
    DIR* dir = opendir(folder);
    for (struct dirent* e; dir && (e = readdir(dir)) && count < most;) {
        size_t length = strlen(e->d_name);
        if (length > 5 && strcmp(e->d_name + length - 5, ".json") == 0)
            names[count++] = strndup(e->d_name, length - 5);
    }
    if (dir) closedir(dir);
    qsort(names, (size_t)count, sizeof *names, by_name);
    return count;
}
