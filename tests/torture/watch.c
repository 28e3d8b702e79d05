// Steps a row's world and asks after each step what must always hold.
#include "torture/torture.h"

#include <time.h>

static double now(void) {
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Six times the volume.
static double volume(const double* x, const int32_t* v) {
    double e[3][3];
    for (int i = 0; i < 3; ++i)
        for (int c = 0; c < 3; ++c) e[i][c] = x[3 * v[i + 1] + c] - x[3 * v[0] + c];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
           e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static int count_inverted(const pli_world* world) {
    const int32_t* tetrahedra = pli_world_elements(world, PLI_TETRAHEDRON);
    const double* x = pli_world_positions(world);
    int count = 0;
    for (int i = 0; i < pli_world_element_count(world, PLI_TETRAHEDRON); ++i)
        count += !(volume(x, tetrahedra + 4 * i) > 0);
    return count;
}

static void take_note(bout* b) {
    const pli_step_info* info = &b->info;
    b->steps++;
    b->iterations += info->iterations;
    b->lag_passes += info->lag_passes;
    if (info->iterations > b->most_iterations) b->most_iterations = info->iterations;
    if (info->contact_count > b->most_pairs) b->most_pairs = info->contact_count;
    b->min_distance = fmin(b->min_distance, info->min_distance);
    b->blocked += info->reason == PLI_BLOCKED;
    b->rise = fmax(b->rise, pli_energy_rise());
    int inverted = count_inverted(b->t.world);
    if (inverted > b->inverted) b->inverted = inverted;
}

pli_status pli_bout_step(bout* b) {
    double start = now();
    pli_status status = pli_world_step(b->t.world, &b->info, &b->t.error);
    b->seconds += now() - start;
    TRY(status);
    take_note(b);
    const pli_step_info* info = &b->info;
    bool good = info->reason == PLI_CONVERGED ||
                info->reason == PLI_ROUNDING || // as good as can be
                (info->reason == PLI_BLOCKED && (b->row->may & MAY_BLOCK));
    if (!good || !info->kept)
        return pli_trial_wrong(&b->t, "step %d: %s after %d iterations%s, residual %.3g m/s",
                               info->step, pli_reason_text(info->reason), info->iterations,
                               info->kept ? "" : ", not kept", info->residual);
    TRY(pli_world_verify(b->t.world, &b->t.error));
    if (b->inverted > 0 && !(b->row->may & MAY_INVERT))
        return pli_trial_wrong(&b->t, "step %d: %d tetrahedra inside out", info->step, b->inverted);
    for (int i = 0; i < pli_world_energy_count(b->t.world); ++i)
        if (!isfinite(pli_world_energy_value(b->t.world, i)))
            return pli_trial_wrong(&b->t, "step %d: energy %s is not finite", info->step,
                                   pli_world_energy_name(b->t.world, i));
    if (b->rise > 1)
        return pli_trial_wrong(&b->t, "step %d: E rose by %.3g times rounding", info->step,
                               b->rise);
    return PLI_OK;
}

pli_status pli_bout_run(bout* b, const torture* row, bool full) {
    *b = (bout){.row = row, .full = full, .min_distance = HUGE_VAL};
    pli_trial_init(&b->t);
    pli_energy_rise();
    pli_status status = row->build(b);
    if (b->skipped) return PLI_OK;
    TRY(status);
    TRY(pli_world_prepare(b->t.world, &b->t.error));
    for (int n = full ? row->full_steps : row->steps; n > 0; --n) {
        TRY(pli_bout_step(b));
        if (row->each) TRY(row->each(b));
    }
    return row->end ? row->end(b) : PLI_OK;
}

void pli_bout_close(bout* b) { pli_trial_close(&b->t); }
