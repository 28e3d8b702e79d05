// Is it quick enough to sit in front of? For scripts:
//   startup MS ms 30  (...)                `pliant run` with ten vertices and one step, output
//   included rate box_drop_1k STEPS_PER_SECOND 60  (...)    while the box touches the plate
// usage: pliant_bench_live FOLDER_OF_BENCH PLIANT_COMMAND
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "measure.h"
#include "runner.h"

enum { STARTS = 21, RUNS = 3 };

static bool start_up(const char* folder, const char* command) {
    char output[] = "/tmp/pliant-bench-XXXXXX", scene[600], clean[100];
    double wall[STARTS], cpu[STARTS];
    bool done = true;
    snprintf(scene, sizeof scene, "%s/startup.json", folder);
    if (!mkdtemp(output)) return false;
    char* arguments[] = {(char*)command, "run", scene,  "--quiet",
                         "--overwrite",  "-o",  output, NULL};
    for (int i = 0; i < STARTS; ++i) done = done && bench_spawn(arguments, 0, &wall[i], &cpu[i]);
    snprintf(clean, sizeof clean, "rm -r %s", output);
    if (system(clean) != 0) fprintf(stderr, "bench: %s stays\n", output);
    if (!done) return false;
    double middle = bench_median(wall, STARTS);
    printf("startup %.1f ms 30  (wall, median of %d, quickest %.1f; processor %.1f ms)\n",
           1e3 * middle, STARTS, 1e3 * wall[0], 1e3 * bench_median(cpu, STARTS));
    return true;
}

static void print_split(const bench_run* r) {
    static const char* const names[BENCH_PHASE_COUNT] = {"gradient",  "hessian",    "assembly",
                                                         "symbolic",  "numeric",    "solve",
                                                         "collision", "line search"};
    const double* s = (const double*)&r->seconds;
    printf("# box_drop_1k, %% of the steps:");
    for (int i = 0; names[i]; ++i) printf(" %s %.0f,", names[i], 100 * s[i] / r->seconds.total);
    printf(" %.1f iterations per touching step, %.2f ms each\n",
           (double)r->touching.iterations / r->touching.steps,
           1e3 * r->touching.cpu / r->touching.iterations);
}

// Steps per second of processor time on one thread: what a machine of one's own would show.
static bool rate(const char* folder) {
    char path[600];
    double cpu[RUNS], wall[RUNS];
    bench_run run;
    snprintf(path, sizeof path, "%s/contact/box_drop_1k.json", folder);
    for (int i = 0; i < RUNS; ++i) {
        run = (bench_run){.def = pli_default_scene_def()};
        run.def.path = path;
        run.def.thread_count = 1;
        if (!bench_measure(&run) || run.touching.steps == 0 || run.problem[0]) {
            fprintf(stderr, "bench: box_drop_1k: %s\n", run.problem);
            return false;
        }
        cpu[i] = run.touching.steps / run.touching.cpu;
        wall[i] = run.touching.steps / run.touching.wall;
    }
    double middle = bench_median(cpu, RUNS);
    printf("rate box_drop_1k %.1f 60  (steps per second of processor time, one thread, median of "
           "%d, spread %.0f %%; wall %.1f; %d touching steps)\n",
           middle, RUNS, 100 * bench_spread(cpu, RUNS), bench_median(wall, RUNS),
           run.touching.steps);
    print_split(&run);
    return true;
}

int main(int argc, char** argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: pliant_bench_live FOLDER_OF_BENCH PLIANT_COMMAND\n");
        return 2;
    }
    bool started = start_up(argv[1], argv[2]), rated = rate(argv[1]);
    return started && rated ? 0 : 1;
}
