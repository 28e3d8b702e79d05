// Three yardsticks that tell this machine, as it is now, from the one on which the peers ran: a
// factorization by CHOLMOD, a product of matrices by OpenBLAS, and a triad over memory, each on one
// thread and in processor time. They run in a process of their own that waits in between, so that
// they can be interleaved with anything and add nothing to its time and memory.
//
// scale = geometric mean of the three speeds here / there: what takes s seconds there takes about
// s / scale here. Computing, memory and their usual mix count alike.
#ifndef BENCH_YARDSTICK_H
#define BENCH_YARDSTICK_H

#include <stdbool.h>
#include <sys/types.h>

enum { BENCH_CHOLMOD, BENCH_DGEMM, BENCH_TRIAD, BENCH_YARD_COUNT };
enum { BENCH_YARD_MOST = 200 }; // measurements

typedef struct bench_yard {
    pid_t pid; // 0: there is none
    int ask, answer;
    int count;
    double values[BENCH_YARD_COUNT][BENCH_YARD_MOST]; // [s], [GF/s], [GB/s]
} bench_yard;

// Starts the process. To be called before threads and large memory are there. False: it failed, and
// says why; then all below does nothing and the scale is 1.
bool bench_yard_start(bench_yard* yard);
void bench_yard_measure(bench_yard* yard); // once: about a second
void bench_yard_measure_up_to(bench_yard* yard, int count);
void bench_yard_stop(bench_yard* yard);

// Prints one line per yardstick and one for the scale, which is returned:
//   yardstick NAME HERE THERE UNIT SPEED
double bench_yard_print(bench_yard* yard);

#endif
