// Threads: one small pool per world, one interface.
//
// A loop over `count` items is divided into blocks of `grain` items; blocks are assigned to threads
// in any order, so a body may write only data of its items. Block boundaries depend only on count
// and grain, never on the number of threads: sums formed per block and added in block order have
// the same bits for any thread count. Idle threads sleep.
#ifndef PLI_BASE_PARALLEL_H
#define PLI_BASE_PARALLEL_H

#include "base/memory.h"

typedef struct pli_pool pli_pool;

// thread_count 0: one per processor. 1 creates no threads.
pli_status pli_pool_create(pli_memory* memory, int thread_count, pli_pool** pool, pli_error* error);
void pli_pool_destroy(pli_pool* pool);
int pli_pool_thread_count(const pli_pool* pool);

// Calls body(context, first, end) for all blocks; returns when all are done. Not reentrant.
// A NULL pool runs on the calling thread.
typedef void pli_range_fn(void* context, int first, int end);
void pli_parallel_for(pli_pool* pool, int count, int grain, pli_range_fn* body, void* context);

// ---- cancellation: long work polls whether to continue

// Sets the callback; NULL: never cancelled. `cancel` may be called by any thread of the pool; once
// it has returned true it is not called again until the next pli_pool_listen.
void pli_pool_listen(pli_pool* pool, bool (*cancel)(void* context), void* context);
bool pli_pool_cancelled(pli_pool* pool); // of a NULL pool: false
// The same as a status, PLI_E_CANCELLED, for PLI_TRY.
pli_status pli_pool_check(pli_pool* pool, pli_error* error);

#endif
