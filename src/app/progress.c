// Progress of a run, and interruption. Progress is a bar on a terminal, about twenty lines
// otherwise.
#define _POSIX_C_SOURCE 200809L // clock_gettime, isatty
#define _POSIX_C_SOURCE 200809L // sigaction
#include "app/app.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 24, LINES = 20 };

double pli_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

pli_progress pli_progress_start(int steps, double duration, bool quiet) {
    double now = pli_seconds();
    pli_progress p = {.steps = steps, .duration = duration, .began = now, .last = now};
    p.bar = !quiet && isatty(STDOUT_FILENO);
    if (quiet) p.lines = -1;
    return p;
}

// "12 s", "3 min 20 s", "2 h 05 min"
static void write_duration(double seconds, char text[32]) {
    long long whole = seconds < 1e15 ? (long long)seconds : 1000000000000000;
    if (whole < 1)
        snprintf(text, 32, "< 1 s");
    else if (whole < 60)
        snprintf(text, 32, "%lld s", whole);
    else if (whole < 3600)
        snprintf(text, 32, "%lld min %02lld s", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%lld h %02lld min", whole / 3600, whole / 60 % 60);
}

// "[####....]", drawn over the line.
static void draw_bar(const pli_progress* p, double done) {
    char bar[BAR_WIDTH + 1];
    int full = (int)(done * BAR_WIDTH + 1e-9);
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)(full < BAR_WIDTH ? full : BAR_WIDTH));
    bar[BAR_WIDTH] = '\0';
    printf("\r%s%s[%s]", p->label ? p->label : "", p->label ? "  " : "", bar);
}

// "step 3/100", or "step 3" if the run ends by time.
static void write_place(const pli_progress* p, const pli_step_info* info, char text[48]) {
    if (p->duration > 0)
        snprintf(text, 48, "step %d", info->step);
    else
        snprintf(text, 48, "step %d/%d", info->step, p->steps);
}

void pli_progress_step(pli_progress* p, const pli_step_info* info) {
    double now = pli_seconds();
    double done = p->duration > 0 ? info->time / p->duration : (double)info->step / p->steps;
    // A moving average adapts to runs that get slower.
    double weight = info->step < 20 ? 1.0 / info->step : 0.05;
    if (done > p->done) p->pace += weight * ((now - p->last) / (done - p->done) - p->pace);
    p->last = now;
    p->done = done;
    p->iterations += info->iterations;
    int line = (int)(done * LINES + 1e-9);
    if (p->lines < 0 || (p->bar ? done < 1 && now - p->drawn < 0.05 : line <= p->lines)) return;
    char left[32], place[48];
    write_duration(p->pace * (1 - done), left);
    write_place(p, info, place);
    if (p->bar) {
        draw_bar(p, done);
        printf(" %s  t %.4g s  %d %s  %s left\033[K", place, info->time, info->iterations,
               pli_counted(info->iterations, "iteration", "iterations"), left);
    } else {
        printf("%s  t = %.6g s  %lld %s so far  %s left\n", place, info->time,
               (long long)p->iterations, pli_counted(p->iterations, "iteration", "iterations"),
               left);
        p->lines = line;
    }
    fflush(stdout);
    p->drawn = now;
}

// Lines are at least two seconds apart.
void pli_progress_part(pli_progress* p, double done) {
    double now = pli_seconds(), pause = p->bar ? 0.05 : 2;
    if (p->drawn <= 0 && !p->bar) p->drawn = p->began;
    if (p->lines < 0 || done <= 0 || now - p->drawn < pause) return;
    char left[32];
    write_duration((now - p->began) / done * (1 - done), left);
    if (p->bar)
        draw_bar(p, done), printf(" %2.0f %%  %s left\033[K", 100 * done, left);
    else
        printf("%2.0f %%  %s left\n", 100 * done, left);
    fflush(stdout);
    p->drawn = now;
}

void pli_progress_end(pli_progress* p) {
    if (p->bar && p->drawn > 0) printf("\n");
    p->drawn = 0;
}

void pli_progress_clear(pli_progress* p) {
    if (p->bar && p->drawn > 0) printf("\r\033[K");
    p->drawn = 0;
}

// ---- interruption

// The signal received (0: none), the only data the handler accesses. Atomic, because the threads of
// the viewer read it.
static atomic_int interrupted = 0;

static void interrupt(int signal_number) { interrupted = signal_number; }

void pli_watch_interrupts(void) {
    struct sigaction action = {.sa_handler = interrupt,
                               .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool pli_interrupted(void) { return interrupted != 0; }

bool pli_cancel_step(void* unused) {
    (void)unused;
    return pli_interrupted();
}

const char* pli_interrupt_name(void) { return interrupted == SIGINT ? "Ctrl-C" : "SIGTERM"; }
