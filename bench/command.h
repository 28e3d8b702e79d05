// Runs the command in a process of its own and tells what that took.
#ifndef BENCH_COMMAND_H
#define BENCH_COMMAND_H

#include <stdbool.h>

// `arguments` end with NULL; the first is the program. Wall and processor time (user and system,
// all threads) [s]. False if it could not be started or did not end with an exit code up to `most`.
bool bench_spawn(char* const* arguments, int most, double* wall, double* cpu);

// `pliant run`, with its results in a folder of its own, removed at the end of the program.
typedef struct bench_whole {
    // What to run.
    const char *command, *scene;
    int steps, threads; // steps 0: as the scene says
    const char* const* overrides;
    int override_count;

    // What came out.
    double wall, cpu;   // [s]
    int frames;         // in the folder
    double frame_bytes; // of all of them, contacts included
} bench_whole;
bool bench_run_whole(bench_whole* run);

#endif
