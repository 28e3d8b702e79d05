// Tables of many records: one row per family and one for all.
#include "nasty/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- numbers

static int ascending(const void* a, const void* b) {
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

// The value that this part of all is not above; sorts them.
static double quantile(double* values, int count, double part) {
    if (count == 0) return (double)NAN;
    qsort(values, (size_t)count, sizeof *values, ascending);
    int i = (int)ceil(part * count) - 1;
    return values[i < 0 ? 0 : i];
}

static bool converged(const nasty_run* run) {
    return run->end == NASTY_CONVERGED && run->unconverged == 0;
}

// Family NULL: all.
static bool belongs(const nasty_record* record, const char* family) {
    return !family || strcmp(record->family, family) == 0;
}

// ---- one run

typedef struct totals {
    int scenes, converged, ends[NASTY_END_COUNT], steps, halved, unbalanced, crossings, inverted;
    double seconds, median, high; // iterations of a step
} totals;

static totals sum_up(const nasty_record* records, int count, const char* family) {
    totals t = {0};
    int n = 0;
    double* iterations = malloc(sizeof(double) * ((size_t)count * NASTY_STEPS + 1));
    for (int i = 0; i < count; ++i) {
        const nasty_run* run = &records[i].run;
        if (!belongs(&records[i], family)) continue;
        t.scenes++;
        t.converged += converged(run);
        t.ends[run->end]++;
        t.steps += run->step_count;
        t.halved += run->halved;
        t.unbalanced += run->ledger > 0.01;
        t.crossings += run->crossings;
        t.inverted += run->end == NASTY_VIOLATED && run->inverted > 0;
        t.seconds += run->seconds;
        for (int k = 0; iterations && k < run->step_count; ++k)
            iterations[n++] = run->step_iterations[k];
    }
    t.median = quantile(iterations, n, 0.5);
    t.high = quantile(iterations, n, 0.9);
    free(iterations);
    return t;
}

static void print_row(FILE* out, const char* name, const totals* t) {
    int other = t->ends[NASTY_REFUSED] + t->ends[NASTY_VIOLATED] + t->ends[NASTY_CRASHED];
    fprintf(out, "%-10s %6d %9d %7d %5d %6d %7.0f %7.0f %6d %6d %9.0f %10d\n", name, t->scenes,
            t->converged, t->ends[NASTY_STOPPED], t->ends[NASTY_SLOW], other, t->median, t->high,
            t->steps, t->halved, t->seconds, t->unbalanced);
}

// Why scenes of a family stopped, each reason once.
static void print_reasons(FILE* out, const nasty_record* records, int count, const char* family) {
    for (int i = 0; i < count; ++i) {
        const nasty_run* run = &records[i].run;
        if (!belongs(&records[i], family) || run->end != NASTY_STOPPED) continue;
        int same = 0;
        bool first = true;
        for (int k = 0; k < count; ++k) {
            if (!belongs(&records[k], family) || records[k].run.end != NASTY_STOPPED) continue;
            if (strcmp(records[k].run.reason, run->reason) != 0) continue;
            if (k < i) first = false;
            same++;
        }
        if (first) fprintf(out, "stopped: %-10s %-28s %d\n", family, run->reason, same);
    }
}

// What must never be: one line each.
static void print_faults(FILE* out, const nasty_record* records, int count) {
    for (int i = 0; i < count; ++i)
        if (records[i].run.end >= NASTY_REFUSED)
            fprintf(out, "%s: %s %llu: %s\n", pli_nasty_end_text(records[i].run.end),
                    records[i].family, (unsigned long long)records[i].seed, records[i].run.message);
}

void pli_nasty_print_table(FILE* out, const nasty_record* records, int count) {
    const char* family;
    fprintf(out, "                                                   iterations\n"
                 "                                                    of a step\n"
                 "family     scenes converged stopped  slow faulty  median  90 %%    steps halved "
                 "    cpu s  ledger>1%%\n");
    for (int f = 0; (family = pli_nasty_family(f)); ++f) {
        totals t = sum_up(records, count, family);
        if (t.scenes > 0) print_row(out, family, &t);
    }
    totals all = sum_up(records, count, NULL);
    print_row(out, "all", &all);
    for (int f = 0; (family = pli_nasty_family(f)); ++f) print_reasons(out, records, count, family);
    print_faults(out, records, count);
    fprintf(out, "intersections %d, scenes with forbidden inversions %d\n", all.crossings,
            all.inverted);
}

// ---- before and after

typedef struct match {
    const nasty_record *before, *after;
} match;

// Iterations after over iterations before, in the steps that both have ended.
static double iteration_ratio(const match* m) {
    const nasty_run *a = &m->before->run, *b = &m->after->run;
    int steps = a->step_count < b->step_count ? a->step_count : b->step_count;
    double before = 0, after = 0;
    for (int i = 0; i < steps; ++i) before += a->step_iterations[i], after += b->step_iterations[i];
    return before > 0 ? after / before : (double)NAN;
}

static void print_change(FILE* out, const char* family, const match* matches, int count) {
    int good[2] = {0}, slow[2] = {0}, halved[2] = {0}, scenes = 0, n = 0;
    double cpu[2] = {0}, both[2] = {0};
    double* ratios = malloc(sizeof(double) * ((size_t)count + 1));
    for (int i = 0; ratios && i < count; ++i) {
        const nasty_run* runs[2] = {&matches[i].before->run, &matches[i].after->run};
        if (!belongs(matches[i].before, family)) continue;
        scenes++;
        bool fair = converged(runs[0]) && converged(runs[1]);
        double ratio = iteration_ratio(&matches[i]);
        if (!isnan(ratio)) ratios[n++] = ratio;
        for (int k = 0; k < 2; ++k) {
            good[k] += converged(runs[k]);
            slow[k] += runs[k]->end == NASTY_SLOW;
            halved[k] += runs[k]->halved;
            cpu[k] += runs[k]->seconds;
            if (fair) both[k] += runs[k]->seconds;
        }
    }
    if (scenes > 0)
        fprintf(out, "%-10s %6d %5d %5d  %5d %5d  %5d %5d %10.3f %7.0f %7.0f %10.3f\n",
                family ? family : "all", scenes, good[0], good[1], slow[0], slow[1], halved[0],
                halved[1], quantile(ratios, n, 0.5), cpu[0], cpu[1], both[1] / both[0]);
    free(ratios);
}

// Scenes that converged before and do not now.
static void print_losses(FILE* out, const match* matches, int count) {
    for (int i = 0; i < count; ++i) {
        const nasty_record* after = matches[i].after;
        if (converged(&matches[i].before->run) && !converged(&after->run))
            fprintf(out, "converged before only: %s %llu: %s %s\n", after->family,
                    (unsigned long long)after->seed, pli_nasty_end_text(after->run.end),
                    after->run.message);
    }
}

void pli_nasty_print_comparison(FILE* out, const nasty_record* before, int before_count,
                                const nasty_record* after, int after_count) {
    match* matches = malloc(sizeof *matches * ((size_t)before_count + 1));
    int count = 0;
    for (int i = 0; matches && i < before_count; ++i)
        for (int k = 0; k < after_count; ++k)
            if (before[i].seed == after[k].seed && belongs(&after[k], before[i].family)) {
                matches[count++] = (match){&before[i], &after[k]};
                break;
            }
    fprintf(out, "                    converged       slow   halved steps iterations        "
                 "cpu s  cpu ratio,\n"
                 "family     scenes before after before after before after     ratio  before   "
                 "after converged\n");
    const char* family;
    for (int f = 0; (family = pli_nasty_family(f)); ++f) print_change(out, family, matches, count);
    print_change(out, NULL, matches, count);
    print_losses(out, matches, count);
    free(matches);
}
