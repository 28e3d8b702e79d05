// pliant_torture [--small] [--list] [WORD...]: runs the rows whose section or name has one of the
// words (none: all) at full size, one line each, and tells with its exit code whether all hold.
#include "torture/torture.h"

#include <stdio.h>

static const ordeal* const ordeals[] = {
    &pli_torture_friction, &pli_torture_masonry, &pli_torture_tight,
    &pli_torture_speed,    &pli_torture_erleben, &pli_torture_twist,
};

static bool is_meant(const torture* row, int count, char** words) {
    for (int i = 0; i < count; ++i)
        if (strcmp(words[i], row->section) == 0 || strstr(row->name, words[i])) return true;
    return count == 0;
}

static void print_line(const bout* b, bool pass) {
    char distance[20] = "-";
    if (b->min_distance < HUGE_VAL) snprintf(distance, sizeof distance, "%.2e", b->min_distance);
    printf("%-4s %-44s %5d %6d %5d %6d %9s %8.2f  %s", b->row->section, b->row->name, b->steps,
           b->iterations, b->most_iterations, b->most_pairs, distance, b->seconds,
           b->skipped ? "skipped"
           : pass     ? "holds  "
                      : "FAILS  ");
    if (b->blocked > 0) printf(" %d blocked;", b->blocked);
    if (b->inverted > 0) printf(" %d inverted;", b->inverted);
    if (b->skipped || !pass) printf(" %s", b->t.error.message);
    printf(" %s\n", pass ? b->figure : "");
    fflush(stdout);
}

int main(int count, char** words) {
    bool full = true, list = false;
    int ran = 0, failed = 0, skipped = 0;
    double seconds = 0;
    for (++words, --count; count > 0 && words[0][0] == '-'; ++words, --count) {
        full = full && strcmp(words[0], "--small") != 0;
        list = list || strcmp(words[0], "--list") == 0;
    }
    printf("%-4s %-44s %5s %6s %5s %6s %9s %8s\n", "", "", "steps", "iter.", "most", "pairs",
           "distance", "seconds");
    for (int i = 0; i < PLI_ROWS(ordeals); ++i)
        for (int k = 0; k < ordeals[i]->count; ++k) {
            const torture* row = &ordeals[i]->rows[k];
            if ((full ? row->full_steps : row->steps) == 0 || !is_meant(row, count, words))
                continue;
            if (list) {
                printf("%-4s %s\n", row->section, row->name);
                continue;
            }
            bout b;
            bool pass = pli_bout_run(&b, row, full) == PLI_OK;
            print_line(&b, pass);
            ran++;
            failed += !pass;
            skipped += b.skipped;
            seconds += b.seconds;
            pli_bout_close(&b);
        }
    if (!list) printf("%d rows, %d skipped, %d failed, %.0f s\n", ran, skipped, failed, seconds);
    return failed > 0;
}
