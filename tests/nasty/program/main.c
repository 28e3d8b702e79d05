// pliant_nasty FIRST COUNT: runs the scenes of these seeds, one line each and a table at the end;
// the exit code is 1 if something did not hold. pliant_nasty SEED: prints the scene.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nasty/nasty.h"

static const char* const words[] = {"converged", "stopped", "refused", "VIOLATED"};

static double cpu_seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static void print_line(uint64_t seed, const nasty_run* run, double seconds) {
    char distance[20] = "-";
    if (run->min_distance < HUGE_VAL)
        snprintf(distance, sizeof distance, "%.2e", run->min_distance);
    printf("%5llu %d bodies %3d vertices %2d steps %5d iterations, at most %4d, distance %9s, "
           "%6.2f s  "
           "%s%s%s\n",
           (unsigned long long)seed, run->body_count, run->vertex_count, run->steps,
           run->iterations, run->most_iterations, distance, seconds, words[run->end],
           run->message[0] ? ": " : "", run->message);
    fflush(stdout);
}

int main(int count, char** arguments) {
    static char text[NASTY_TEXT_SIZE];
    uint64_t first = count > 1 ? strtoull(arguments[1], NULL, 10) : 1;
    int runs = count > 2 ? atoi(arguments[2]) : 0, ends[4] = {0}, reasons[16] = {0}, steps = 0;
    if (runs == 0) {
        pli_nasty_text(first, text);
        fputs(text, stdout);
        return 0;
    }
    for (int i = 0; i < runs; ++i) {
        nasty_run run;
        double start = cpu_seconds();
        pli_nasty_text(first + (uint64_t)i, text);
        pli_nasty_run(text, 1000, &run);
        print_line(first + (uint64_t)i, &run, cpu_seconds() - start);
        ends[run.end]++;
        steps += run.steps;
        if (run.end == NASTY_STOPPED) reasons[run.reason]++;
    }
    for (int i = 0; i < 4; ++i) printf("%-10s %d\n", words[i], ends[i]);
    for (int i = 0; i < 16; ++i)
        if (reasons[i] > 0)
            printf("stopped by %s: %d\n", pli_reason_text((pli_reason)i), reasons[i]);
    printf("%d steps, %.0f s of processor time\n", steps, cpu_seconds());
    return ends[NASTY_VIOLATED] > 0;
}
