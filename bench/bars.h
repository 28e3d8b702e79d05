// Stacked horizontal bars as SVG: where the time of several scenes went, what threads gain.
#ifndef BENCH_BARS_H
#define BENCH_BARS_H

#include <stdbool.h>

enum { BENCH_MAX_PARTS = 10 };

typedef struct bench_bars {
    const char *title, *unit;
    int part_count;
    const char* parts[BENCH_MAX_PARTS]; // names, for the legend
    bool stacked;                       // else the parts of a row stand below each other
    double mark;                        // a dashed line at this value; 0: none
} bench_bars;

typedef struct bench_bar {
    char name[40];
    double values[BENCH_MAX_PARTS]; // 0: not there
} bench_bar;

// False if the file cannot be written.
bool bench_draw_bars(const char* path, const bench_bars* bars, const bench_bar* rows, int count);

#endif
