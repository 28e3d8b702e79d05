// Sums over a run, and their tables.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "app/app.h"

// The phases of a step, for sums and for the table.
static const struct {
    const char* name;
    size_t offset;
} phases[] = {
    {"gradient", offsetof(pli_phase_times, gradient)},
    {"hessian", offsetof(pli_phase_times, hessian)},
    {"assembly", offsetof(pli_phase_times, assembly)},
    {"symbolic factor", offsetof(pli_phase_times, symbolic)},
    {"numeric factor", offsetof(pli_phase_times, numeric)},
    {"solve", offsetof(pli_phase_times, solve)},
    {"collision", offsetof(pli_phase_times, collision)},
    {"line search", offsetof(pli_phase_times, line_search)},
};

enum { PHASES = sizeof phases / sizeof *phases };

static double phase(const pli_phase_times* times, int i) {
    double value;
    memcpy(&value, (const char*)times + phases[i].offset, sizeof value);
    return value;
}

static void note_slow_step(pli_run_totals* totals, const pli_step_info* info) {
    struct pli_slow_step step = {info->step, info->iterations, info->contact_count,
                                 info->seconds.total};
    for (int i = 0; i < PLI_SLOWEST; ++i) {
        if (!(step.seconds > totals->slowest[i].seconds)) continue;
        struct pli_slow_step passed = totals->slowest[i];
        totals->slowest[i] = step;
        step = passed;
    }
}

void pli_totals_add(pli_run_totals* totals, const pli_step_info* info) {
    totals->steps++;
    totals->iterations += info->iterations;
    if (info->iterations > totals->most_iterations) totals->most_iterations = info->iterations;
    bool blocked = info->reason == PLI_BLOCKED;
    totals->blocked += blocked;
    bool good = info->reason == PLI_CONVERGED || info->reason == PLI_ROUNDING;
    totals->not_converged += !good && !blocked;
    if (info->contact_count > 0)
        totals->min_distance = totals->most_contacts > 0
                                   ? fmin(totals->min_distance, info->min_distance)
                                   : info->min_distance;
    if (info->contact_count > totals->most_contacts) totals->most_contacts = info->contact_count;
    totals->divided += info->substeps > 1;
    for (int i = 0; i < PHASES; ++i) {
        double sum = phase(&totals->seconds, i) + phase(&info->seconds, i);
        memcpy((char*)&totals->seconds + phases[i].offset, &sum, sizeof sum);
    }
    totals->seconds.total += info->seconds.total;
    totals->linear_iterations += info->linear_iterations;
    totals->symbolic_count += info->symbolic_count;
    note_slow_step(totals, info);
}

pli_energies pli_read_energies(const pli_world* world) {
    pli_energies e = {0};
    int count = pli_world_energy_count(world);
    for (int i = 0; i < count && e.count < PLI_ENERGIES_SHOWN; ++i) {
        if (!pli_world_energy_stored(world, i)) continue;
        pli_shown(pli_world_energy_name(world, i), e.names[e.count]);
        e.values[e.count++] = pli_world_energy_value(world, i);
    }
    return e;
}

// The value at the start of the i-th energy at the end; 0 if its bodies have appeared since.
static double start_value(const pli_energies* start, const pli_energies* end, int i) {
    int same = 0;
    for (int k = 0; k < i; ++k) same += strcmp(end->names[k], end->names[i]) == 0;
    for (int k = 0; k < start->count; ++k)
        if (strcmp(start->names[k], end->names[i]) == 0 && same-- == 0) return start->values[k];
    return 0;
}

static void print_energies(const pli_energies* start, const pli_energies* end) {
    double sums[2] = {0};
    printf("  energy [J]            start            end         change\n");
    for (int i = 0; i < start->count; ++i) sums[0] += start->values[i];
    for (int i = 0; i < end->count; ++i) {
        double before = start_value(start, end, i);
        printf("    %-15s %12.6g %14.6g %14.6g\n", end->names[i], before, end->values[i],
               end->values[i] - before);
        sums[1] += end->values[i];
    }
    printf("    %-15s %12.6g %14.6g %14.6g (drift)\n", "sum", sums[0], sums[1], sums[1] - sums[0]);
}

static void print_times(const pli_run_totals* t) {
    double total = t->total > 0 ? t->total : 1, rest = t->seconds.total;
    printf("  time            %.3f s\n", t->total);
    for (int i = 0; i < PHASES; ++i) {
        double seconds = phase(&t->seconds, i);
        rest -= seconds;
        if (seconds > 0)
            printf("    %-15s %10.3f s %6.1f %%\n", phases[i].name, seconds, 100 * seconds / total);
    }
    printf("    %-15s %10.3f s %6.1f %%\n", "rest of steps", fmax(rest, 0),
           100 * fmax(rest, 0) / total);
    printf("    %-15s %10.3f s %6.1f %%\n", "writing files", t->writing, 100 * t->writing / total);
}

static double process_memory(void) { // peak [bytes]
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? 1024.0 * (double)usage.ru_maxrss : 0;
}

void pli_print_totals(const pli_run_totals* t, const pli_world* world, const pli_energies* start) {
    pli_energies end = pli_read_energies(world);
    printf("  steps           %d, t = %.6g s\n", t->steps, pli_world_time(world));
    printf("  iterations      %lld, %.2f per step, at most %d\n", (long long)t->iterations,
           t->steps > 0 ? (double)t->iterations / t->steps : 0.0, t->most_iterations);
    if (t->divided > 0)
        printf("  divided         %d %s\n", t->divided, pli_counted(t->divided, "step", "steps"));
    if (t->not_converged > 0)
        printf("  not converged   %d steps, kept (solver.on_failure)\n", t->not_converged);
    if (t->blocked > 0)
        printf("  blocked         %d steps, in which contact blocked prescribed vertices\n",
               t->blocked);
    if (t->most_contacts > 0)
        printf("  contacts        at most %d at the end of a step, smallest distance %.3g m\n",
               t->most_contacts, t->min_distance);
    print_energies(start, &end);
    print_times(t);
    printf("  memory          peak %.3g MB of the world, %.3g MB of the process\n",
           (double)pli_world_memory_peak(world) / 1e6, process_memory() / 1e6);
}

void pli_print_profile(const pli_run_totals* t, const pli_world* world) {
    double iterations = t->iterations > 0 ? (double)t->iterations : 1;
    double vertices = fmax(1, pli_world_vertex_count(world));
    printf("  profile           ms per iteration   us per iteration and vertex\n");
    for (int i = 0; i < PHASES; ++i) {
        double seconds = phase(&t->seconds, i) / iterations;
        if (seconds > 0)
            printf("    %-15s %18.4f %29.4f\n", phases[i].name, 1e3 * seconds,
                   1e6 * seconds / vertices);
    }
    double step = t->seconds.total / iterations;
    printf("    %-15s %18.4f %29.4f\n", "whole steps", 1e3 * step, 1e6 * step / vertices);
    printf("    %lld symbolic analyses, %.3g iterations of pcg per direction\n",
           (long long)t->symbolic_count, (double)t->linear_iterations / iterations);
    printf("  slowest steps           seconds   iterations   contacts\n");
    for (int i = 0; i < PLI_SLOWEST && t->slowest[i].seconds > 0; ++i)
        printf("    step %-14d %12.4f %12d %10d\n", t->slowest[i].step, t->slowest[i].seconds,
               t->slowest[i].iterations, t->slowest[i].contacts);
}
