// A limit of bytes shared by several users. Counters are atomic: the limit is never exceeded, also
// with concurrent requests.
#include "base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

struct pli_budget {
    size_t limit; // 0: none
    atomic_size_t used, peak;
};

pli_status pli_budget_create(size_t limit, pli_budget** budget, pli_error* error) {
    if (!budget) return pli_fail(error, PLI_E_ARGUMENT, "budget: the result is NULL");
    pli_budget* fresh = malloc(sizeof *fresh); // the budget itself is not counted
    if (!fresh) return pli_fail(error, PLI_E_MEMORY, "out of memory: a budget");
    fresh->limit = limit;
    atomic_init(&fresh->used, 0);
    atomic_init(&fresh->peak, 0);
    *budget = fresh;
    return PLI_OK;
}

void pli_budget_destroy(pli_budget* budget) { free(budget); }

size_t pli_budget_limit(const pli_budget* budget) { return budget ? budget->limit : 0; }

size_t pli_budget_used(const pli_budget* budget) { return budget ? atomic_load(&budget->used) : 0; }

size_t pli_budget_peak(const pli_budget* budget) { return budget ? atomic_load(&budget->peak) : 0; }

bool pli_budget_take(pli_budget* budget, size_t bytes) {
    if (!budget) return true;
    size_t most = budget->limit > 0 ? budget->limit : SIZE_MAX;
    size_t used = atomic_load(&budget->used), peak = atomic_load(&budget->peak);
    do {
        if (used > most || bytes > most - used) return false;
    } while (!atomic_compare_exchange_weak(&budget->used, &used, used + bytes));
    while (peak < used + bytes)
        if (atomic_compare_exchange_weak(&budget->peak, &peak, used + bytes)) break;
    return true;
}

void pli_budget_give(pli_budget* budget, size_t bytes) {
    if (budget) atomic_fetch_sub(&budget->used, bytes);
}
