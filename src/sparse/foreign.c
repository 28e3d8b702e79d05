// The locks and counters are the only globals of the module: they guard globals of other libraries.
//
// CHOLMOD's supernodal factorization requests 4 OpenMP threads and ignores the environment. With no
// active levels allowed, its parallel loops run on the calling thread. The symbols are weak: a
// CHOLMOD without OpenMP, or another BLAS, needs no guard.
#define _XOPEN_SOURCE 700 // initstate
#include "sparse/foreign.h"

#include <pthread.h>
#include <stdlib.h>

#define WEAK __attribute__((weak))
WEAK void openblas_set_num_threads(int count);
WEAK int openblas_get_num_threads(void);
WEAK void omp_set_max_active_levels(int levels);
WEAK int omp_get_max_active_levels(void);

static pthread_mutex_t blas_mutex = PTHREAD_MUTEX_INITIALIZER;
static int blas_users;        // threads between enter and leave
static int blas_thread_count; // to restore when the last one leaves

static pthread_mutex_t metis_mutex = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(long) char metis_random[128]; // size of the C library's default
static char* callers_random;                  // restored after METIS

int pli_single_threaded_enter(void) {
    if (openblas_set_num_threads != NULL && openblas_get_num_threads != NULL) {
        pthread_mutex_lock(&blas_mutex);
        if (blas_users++ == 0) {
            blas_thread_count = openblas_get_num_threads();
            openblas_set_num_threads(1);
        }
        pthread_mutex_unlock(&blas_mutex);
    }
    if (omp_set_max_active_levels == NULL || omp_get_max_active_levels == NULL) return 0;
    int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(0);
    return levels;
}

void pli_single_threaded_leave(int token) {
    if (omp_set_max_active_levels != NULL && omp_get_max_active_levels != NULL)
        omp_set_max_active_levels(token);
    if (openblas_set_num_threads != NULL && openblas_get_num_threads != NULL) {
        pthread_mutex_lock(&blas_mutex);
        if (--blas_users == 0) openblas_set_num_threads(blas_thread_count);
        pthread_mutex_unlock(&blas_mutex);
    }
}

void pli_metis_lock(void) {
    pthread_mutex_lock(&metis_mutex);
    callers_random = initstate(1, metis_random, sizeof metis_random);
}

void pli_metis_unlock(void) {
    if (callers_random) setstate(callers_random);
    pthread_mutex_unlock(&metis_mutex);
}
