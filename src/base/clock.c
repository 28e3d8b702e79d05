// Wall time.
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

double pli_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
