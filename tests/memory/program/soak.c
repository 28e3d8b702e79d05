// pliant_soak [STEPS] [FOLDER]: the soak runs in full, 100,000 steps each, with statistics and
// frames written to FOLDER. Prints a line per hundredth to stderr and a table at the end; ends with
// 1 if something grew or left its bounds.
#define _POSIX_C_SOURCE 200809L // isatty
#include "memory/soak.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static void tell(const soak_report* s) {
    if (!isatty(STDERR_FILENO)) return;
    fprintf(stderr, "\r%8d steps, energy %.6g .. %.6g J, %d contacts ", s->steps, s->energy[0],
            s->energy[1], s->contacts);
}

static void print_report(const soak_case* c, const soak_report* s, double seconds) {
    printf("%-14s %7d %9d %11.1f %11.1f %9lld %9.2f %9.2f %11.4g %11.4g %9.2g %11.4g %7.0f\n",
           c->scene, s->steps, s->contacts, (double)s->bytes[0] / 1e3, (double)s->bytes[1] / 1e3,
           (long long)s->calls, s->resident[0] / 1e6, s->resident[1] / 1e6, s->energy[0] / s->scale,
           s->energy[1] / s->scale, s->unbalanced / s->scale,
           s->sum / (s->work > 0 ? s->work : s->scale), seconds);
    fflush(stdout);
}

int main(int argc, char** argv) {
    int steps = argc > 1 ? atoi(argv[1]) : 100000, code = 0;
    const char* folder = argc > 2 ? argv[2] : NULL;
    if (steps < 100) steps = 100;
    printf("%-14s %7s %9s %11s %11s %9s %9s %9s %11s %11s %9s %11s %7s\n", "scene", "steps",
           "contacts", "middle kB", "end kB", "calls", "RSS MB", "end MB", "lowest E", "highest E",
           "residual", "sum/work", "CPU s");
    for (int i = 0; soak_at(i); ++i) {
        soak_report report;
        pli_error error = {0};
        char text[256];
        clock_t began = clock();
        pli_status status = soak_run(soak_at(i), steps, folder, tell, &report, &error);
        if (isatty(STDERR_FILENO)) fprintf(stderr, "\n");
        print_report(soak_at(i), &report, (double)(clock() - began) / CLOCKS_PER_SEC);
        const char* wrong =
            status != PLI_OK ? error.message : soak_verdict(soak_at(i), &report, text);
        if (wrong) printf("%s: %s\n", soak_at(i)->scene, wrong);
        code |= wrong != NULL;
    }
    return code;
}
