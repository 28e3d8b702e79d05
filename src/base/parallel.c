// The pool: workers sleep on a condition variable; a loop is a shared counter of blocks.
#define _POSIX_C_SOURCE 200809L
#include "base/parallel.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { MAX_THREADS = 256 };

struct pli_pool {
    pli_memory* memory;
    int worker_count; // threads in addition to the caller's
    int capacity;     // of `workers`
    pthread_t* workers;
    pthread_mutex_t mutex;
    pthread_cond_t work_ready, work_done;
    uint64_t generation; // of the current loop
    bool quit;
    int busy; // workers still in the current loop
    // the current loop
    pli_range_fn* body;
    void* context;
    int count, grain;
    atomic_int next_block;
    bool (*cancel)(void* context);
    void* cancel_context;
    atomic_bool cancelled;
};

static void run_blocks(pli_pool* pool) {
    int block_count = (pool->count - 1) / pool->grain + 1; // count > 0
    for (;;) {
        int block = atomic_fetch_add_explicit(&pool->next_block, 1, memory_order_relaxed);
        if (block >= block_count) return;
        int first = block * pool->grain;
        int end = pool->count - first < pool->grain ? pool->count : first + pool->grain;
        pool->body(pool->context, first, end);
    }
}

static void* worker_main(void* argument) {
    pli_pool* pool = argument;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->mutex);
    for (;;) {
        while (!pool->quit && pool->generation == seen)
            pthread_cond_wait(&pool->work_ready, &pool->mutex);
        if (pool->quit) break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->mutex);
        run_blocks(pool);
        pthread_mutex_lock(&pool->mutex);
        if (--pool->busy == 0) pthread_cond_signal(&pool->work_done);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static int default_thread_count(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (int)n;
}

pli_status pli_pool_create(pli_memory* memory, int thread_count, pli_pool** out, pli_error* error) {
    if (thread_count < 0 || thread_count > MAX_THREADS)
        return pli_fail(error, PLI_E_ARGUMENT, "thread count = %d, must be 0 (all) to %d",
                        thread_count, MAX_THREADS);
    if (thread_count == 0) thread_count = default_thread_count();
    pli_pool* pool;
    PLI_TRY(PLI_ALLOC(memory, pool, 1, error));
    pool->memory = memory;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work_ready, NULL);
    pthread_cond_init(&pool->work_done, NULL);
    pli_status status = PLI_ALLOC(memory, pool->workers, thread_count, error);
    if (status != PLI_OK) {
        pli_pool_destroy(pool);
        return status;
    }
    pool->capacity = thread_count;
    for (int i = 1; i < thread_count; ++i) {
        // Fewer threads than requested is no failure: results do not depend on their number.
        if (pthread_create(&pool->workers[i - 1], NULL, worker_main, pool) != 0) break;
        pool->worker_count++;
    }
    *out = pool;
    return PLI_OK;
}

void pli_pool_destroy(pli_pool* pool) {
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    pool->quit = true;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 0; i < pool->worker_count; ++i) pthread_join(pool->workers[i], NULL);
    pthread_cond_destroy(&pool->work_done);
    pthread_cond_destroy(&pool->work_ready);
    pthread_mutex_destroy(&pool->mutex);
    pli_memory* memory = pool->memory;
    PLI_FREE(memory, pool->workers, pool->capacity);
    PLI_FREE(memory, pool, 1);
}

int pli_pool_thread_count(const pli_pool* pool) { return pool ? pool->worker_count + 1 : 1; }

void pli_parallel_for(pli_pool* pool, int count, int grain, pli_range_fn* body, void* context) {
    if (count <= 0) return;
    if (!pool || pool->worker_count == 0 || count <= grain) {
        int first = 0;
        for (; count - first > grain; first += grain) body(context, first, first + grain);
        body(context, first, count);
        return;
    }
    pool->body = body;
    pool->context = context;
    pool->count = count;
    pool->grain = grain;
    atomic_store_explicit(&pool->next_block, 0, memory_order_relaxed);
    pthread_mutex_lock(&pool->mutex);
    pool->generation++;
    pool->busy = pool->worker_count;
    pthread_cond_broadcast(&pool->work_ready);
    pthread_mutex_unlock(&pool->mutex);
    run_blocks(pool);
    pthread_mutex_lock(&pool->mutex);
    while (pool->busy > 0) pthread_cond_wait(&pool->work_done, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void pli_pool_listen(pli_pool* pool, bool (*cancel)(void* context), void* context) {
    pool->cancel = cancel;
    pool->cancel_context = context;
    atomic_store_explicit(&pool->cancelled, false, memory_order_relaxed);
}

bool pli_pool_cancelled(pli_pool* pool) {
    if (!pool || !pool->cancel) return false;
    if (atomic_load_explicit(&pool->cancelled, memory_order_relaxed)) return true;
    bool now = pool->cancel(pool->cancel_context);
    if (now) atomic_store_explicit(&pool->cancelled, true, memory_order_relaxed);
    return now;
}

pli_status pli_pool_check(pli_pool* pool, pli_error* error) {
    if (!pli_pool_cancelled(pool)) return PLI_OK;
    return pli_fail(error, PLI_E_CANCELLED, "cancelled");
}
