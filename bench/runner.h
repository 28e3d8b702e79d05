// Runs a scene in a process of its own, so that processor time and memory are its own, and tells
// what it took. A run that does not come to its end says why.
#ifndef BENCH_RUNNER_H
#define BENCH_RUNNER_H

#include <pliant/pliant.h>

enum { BENCH_PHASE_COUNT = sizeof(pli_phase_times) / sizeof(double) };

// Sums over some steps of a run.
typedef struct bench_share {
    int steps, iterations, linear_iterations;
    double wall, cpu; // [s]
    double main_cpu;  // of the thread that asks for the steps, which works like the others [s]
} bench_share;

typedef struct bench_run {
    // What to run.
    pli_scene_def def;
    int steps;   // at most so many; 0: all of the scene
    int warm_up; // steps that come first and are counted nowhere below but in `wall` and `cpu`
    bool verify; // exact intersection test after each step

    // What came out.
    int vertices, tetrahedra, planned, analyses, most_iterations, most_pairs;
    bench_share all;      // the steps
    bench_share touching; // those with pairs closer than dhat at their end
    double pairs;         // sum over the steps
    double min_distance, dhat;
    double wall, cpu; // reading the scene included [s]
    pli_phase_times seconds;
    double memory;     // peak of the process [MB]
    char problem[300]; // "": the run came to its end
} bench_run;

// False if the process died; otherwise look at `problem`.
bool bench_measure(bench_run* run);

// The names of all scenes of a folder (without .json), in order; they are never freed.
int bench_list_scenes(const char* folder, const char** names, int most);

#endif
