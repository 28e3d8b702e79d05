// The start of a step, kept until it is known how the step ends. One that is not kept, or whose
// call fails, leaves all that evolves as it was: a step anew starts from the same bits. The number
// of steps, the balance, the gaps and what readers see change only once a step is kept. What is not
// undone is what only rounding feels: the pattern of the matrix and what its solver has learned.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

pli_status pli_undo_init(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    PLI_TRY(pli_history_init(&u->history, &w->memory, w->history.n, w->history.depth, error));
    PLI_TRY(PLI_ALLOC(&w->memory, u->energy_values, w->term_count, error));
    return pli_pins_reserve_save(&w->pins, error);
}

void pli_undo_free(pli_world* w) {
    pli_undo* u = &w->undo;
    pli_history_free(&u->history);
    PLI_FREE(&w->memory, u->energy_values, w->term_count);
    PLI_FREE(&w->memory, u->exempt.keys, u->exempt.capacity);
}

// Exempt pairs only become fewer: there is room from the first step on.
static pli_status keep_exempt(pli_world* w, pli_error* error) {
    pli_body_pairs* to = &w->undo.exempt;
    int count = w->exempt.count;
    PLI_TRY(PLI_GROW(&w->memory, to->keys, to->capacity, count, error));
    if (count > 0) memcpy(to->keys, w->exempt.keys, sizeof *to->keys * (size_t)count);
    to->count = count;
    return PLI_OK;
}

pli_status pli_undo_keep(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    PLI_TRY(keep_exempt(w, error));
    pli_history_copy(&w->history, &u->history);
    pli_copy(w->energy_values, u->energy_values, w->term_count);
    pli_pins_save(&w->pins);
    u->coarse_count = w->coarse.count;
    u->acceleration_known = w->acceleration_known;
    u->time = w->time;
    u->next_step = w->next_step;
    u->h = w->h;
    u->stiffness = w->stiffness;
    u->stored = w->stored;
    return PLI_OK;
}

// The barriers must look for their pairs anew.
static void go_back_exempt(pli_world* w) {
    pli_body_pairs fewer = w->exempt;
    if (fewer.count == w->undo.exempt.count) return;
    w->exempt = w->undo.exempt;
    w->undo.exempt = fewer;
    for (int t = 0; t < w->term_count; ++t)
        if (w->terms[t].barrier) pli_barrier_forget(&w->terms[t].term);
}

void pli_undo_go_back(pli_world* w) {
    const pli_undo* u = &w->undo;
    go_back_exempt(w);
    pli_world_forget(w); // friction is no state
    pli_history_copy(&u->history, &w->history);
    pli_copy(u->energy_values, w->energy_values, w->term_count);
    pli_pins_restore(&w->pins);
    w->coarse.count = u->coarse_count;
    w->acceleration_known = u->acceleration_known;
    w->time = u->time;
    w->next_step = u->next_step;
    w->h = u->h;
    w->stored = u->stored;
    if (w->stiffness != u->stiffness) pli_world_set_stiffness(w, u->stiffness);
}
