// Two builds of the command on the same scenes, interleaved: has it become slower? For scripts:
//   compare SCENE X  (...)
// CPU seconds of the base over those of the other: above 1 it has become faster. Only the command
// line of `pliant run` is used, so that any two revisions can be compared; reading and writing are
// included.
// usage: pliant_bench_compare BASE_COMMAND COMMAND SCENE:STEPS...
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "measure.h"

enum { RUNS = 5 };

// CPU seconds of one run; 0 if it failed.
static double run_once(const char* command, const char* scene, const char* steps) {
    bench_whole run = {.command = command, .scene = scene, .steps = atoi(steps), .threads = 1};
    return bench_run_whole(&run) ? run.cpu : 0;
}

static bool compare(const char* const commands[2], const char* subject) {
    char scene[600];
    double cpu[2][RUNS], median[2];
    const char* colon = strrchr(subject, ':');
    if (!colon) return false;
    snprintf(scene, sizeof scene, "%.*s", (int)(colon - subject), subject);
    for (int i = 0; i < RUNS; ++i)
        for (int k = 0; k < 2; ++k) {
            int side = (i + k) % 2; // so that neither is always the first
            cpu[side][i] = run_once(commands[side], scene, colon + 1);
            if (cpu[side][i] > 0) continue;
            fprintf(stderr, "bench: %s fails on %s\n", commands[side], scene);
            return false;
        }
    for (int k = 0; k < 2; ++k) median[k] = bench_median(cpu[k], RUNS);
    const char* name = strrchr(scene, '/');
    printf(
        "compare %-24s %6.3f  (base %.3f s, now %.3f s, spread %.1f, %.1f %%, from %.3f to %.3f, "
        "%d runs each)\n",
        name ? name + 1 : scene, median[0] / median[1], median[0], median[1],
        100 * bench_spread(cpu[0], RUNS), 100 * bench_spread(cpu[1], RUNS),
        cpu[0][0] / cpu[1][RUNS - 1], cpu[0][RUNS - 1] / cpu[1][0], RUNS);
    fflush(stdout);
    return true;
}

int main(int argc, char** argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: pliant_bench_compare BASE_COMMAND COMMAND SCENE:STEPS...\n");
        return 2;
    }
#ifdef PLIANT_DATA
    setenv("PLIANT_DATA", PLIANT_DATA, 0);
#endif
    bool done = true;
    for (int i = 3; i < argc; ++i)
        done &= compare((const char* const[]){argv[1], argv[2]}, argv[i]);
    return done ? 0 : 1;
}
