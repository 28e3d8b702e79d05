// The start of a step, kept until it is known how the step ends. One that is not kept, or whose
// call fails, leaves all that evolves as it was: a step anew starts from the same bits. The number
// of steps, the balance, the gaps and what readers see change only once a step is kept. What can
// only change the last bits (the pattern of the matrix, what its solver has learned) is put back
// after a step that was interrupted, so that a run goes on with the same bits; not after one that
// failed.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

pli_status pli_undo_init(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    PLI_TRY(pli_history_init(&u->history, &w->memory, w->history.n, w->history.depth, error));
    PLI_TRY(PLI_ALLOC(&w->memory, u->energy_values, w->term_count, error));
    pli_pack_init(&u->solver, &w->memory);
    pli_pack_init(&u->present, &w->memory);
    return pli_pins_reserve_save(&w->pins, error);
}

void pli_undo_free(pli_world* w) {
    pli_undo* u = &w->undo;
    pli_history_free(&u->history);
    PLI_FREE(&w->memory, u->energy_values, w->term_count);
    PLI_FREE(&w->memory, u->exempt.keys, u->exempt.capacity);
    if (u->solver.memory) pli_pack_free(&u->solver);
    if (u->present.memory) pli_pack_free(&u->present);
}

// Exempt pairs only become fewer: there is room from the first step on.
static pli_status keep_exempt(pli_world* w, pli_error* error) {
    pli_body_pairs* to = &w->undo.exempt;
    int count = w->collision.exempt.count;
    PLI_TRY(PLI_GROW(&w->memory, to->keys, to->capacity, count, error));
    if (count > 0) memcpy(to->keys, w->collision.exempt.keys, sizeof *to->keys * (size_t)count);
    to->count = count;
    return PLI_OK;
}

// Pattern and solver, as pli_world_save writes them; *split is where the solver begins.
static pli_status pack_solver(pli_world* w, pli_pack* out, size_t* split, pli_error* error) {
    pli_problem problem = pli_world_problem(w);
    out->size = 0;
    out->status = PLI_OK;
    pli_assembly_save(&w->assembly, out);
    *split = out->size;
    pli_minimizer_save(w->minimizer, &problem, out);
    return pli_pack_end(out, error);
}

// What is as it was is left alone: making a pattern or an analysis again takes long.
pli_status pli_undo_solver(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    pli_problem problem = pli_world_problem(w);
    size_t split;
    PLI_TRY(pli_world_refresh_start(w, error));
    PLI_TRY(pack_solver(w, &u->present, &split, error));
    bool same = split == u->split && memcmp(u->present.bytes, u->solver.bytes, split) == 0;
    if (same && u->present.size == u->solver.size &&
        memcmp(u->present.bytes, u->solver.bytes, u->solver.size) == 0)
        return PLI_OK;
    pli_unpack in = pli_unpack_from(u->solver.bytes, u->solver.size);
    in.apply = true;
    if (same) {
        in.at += split;
    } else {
        PLI_TRY(pli_assembly_restore(&w->assembly, &in, error));
        uint64_t epoch = w->assembly.pattern_epoch;
        PLI_TRY(pli_world_refresh_start(w, error));
        same = w->assembly.pattern_epoch == epoch;
    }
    PLI_TRY(pli_minimizer_restore(w->minimizer, &problem, same, &in, error));
    return pli_unpack_end(&in, error);
}

pli_status pli_undo_keep(pli_world* w, pli_error* error) {
    pli_undo* u = &w->undo;
    PLI_TRY(keep_exempt(w, error));
    if (w->cancel) PLI_TRY(pack_solver(w, &u->solver, &u->split, error));
    pli_history_copy(&w->history, &u->history);
    pli_copy(w->energy_values, u->energy_values, w->term_count);
    pli_assembly_keep(&w->assembly);
    pli_pins_save(&w->pins);
    u->coarse_count = w->coarse.count;
    u->acceleration_known = w->acceleration_known;
    u->time = w->time;
    u->next_step = w->next_step;
    u->h = w->h;
    u->stiffness = w->collision.stiffness;
    u->stored = w->stored;
    return PLI_OK;
}

// The barriers must look for their pairs anew.
static void go_back_exempt(pli_world* w) {
    pli_body_pairs fewer = w->collision.exempt;
    if (fewer.count == w->undo.exempt.count) return;
    w->collision.exempt = w->undo.exempt;
    w->undo.exempt = fewer;
    pli_collision_forget_pairs(&w->collision);
}

void pli_undo_go_back(pli_world* w) {
    const pli_undo* u = &w->undo;
    go_back_exempt(w);
    pli_collision_forget_friction(&w->collision); // friction is no state
    pli_history_copy(&u->history, &w->history);
    pli_copy(u->energy_values, w->energy_values, w->term_count);
    pli_assembly_go_back(&w->assembly);
    pli_pins_restore(&w->pins);
    w->coarse.count = u->coarse_count;
    w->acceleration_known = u->acceleration_known;
    w->time = u->time;
    w->next_step = u->next_step;
    w->h = u->h;
    w->stored = u->stored;
    if (w->collision.stiffness != u->stiffness)
        pli_collision_set_stiffness(&w->collision, u->stiffness);
}
