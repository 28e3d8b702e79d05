// Reference trajectories of the tutorial programs: tests/data/tutorial/*.txt.
#ifndef TESTS_ORACLE_TUTORIAL_H
#define TESTS_ORACLE_TUTORIAL_H

#include "oracle/near.h"
#include "pliant/pliant.h"

#include <stdio.h>

enum { PLI_TUTORIAL_SNAPSHOTS = 12, PLI_TUTORIAL_VERTICES = 128 };

typedef struct pli_tutorial {
    int snapshot_count, vertex_count;
    struct {
        int step;
        double kinetic, elastic, gravity, barrier; // [J]
        double x[2 * PLI_TUTORIAL_VERTICES], v[2 * PLI_TUTORIAL_VERTICES];
    } snapshots[PLI_TUTORIAL_SNAPSHOTS];
} pli_tutorial;

static inline FILE* pli_tutorial_open(const char* name) {
    char path[512];
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/tests/data/tutorial/%s.txt", name);
    FILE* file = fopen(path, "r");
    if (!file) fail_msg("cannot open %s", path);
    return file;
}

static inline void pli_tutorial_read(const char* name, pli_tutorial* t) {
    FILE* file = pli_tutorial_open(name);
    assert_int_equal(
        fscanf(file, "snapshots %d vertices %d", &t->snapshot_count, &t->vertex_count), 2);
    assert_true(t->snapshot_count <= PLI_TUTORIAL_SNAPSHOTS);
    assert_true(t->vertex_count <= PLI_TUTORIAL_VERTICES);
    for (int s = 0; s < t->snapshot_count; ++s) {
        assert_int_equal(fscanf(file, " step %d kinetic %lf elastic %lf gravity %lf barrier %lf",
                                &t->snapshots[s].step, &t->snapshots[s].kinetic,
                                &t->snapshots[s].elastic, &t->snapshots[s].gravity,
                                &t->snapshots[s].barrier),
                         5);
        for (int i = 0; i < t->vertex_count; ++i) {
            double *x = t->snapshots[s].x + 2 * i, *v = t->snapshots[s].v + 2 * i;
            assert_int_equal(fscanf(file, "%lf %lf %lf %lf", x, x + 1, v, v + 1), 4);
        }
    }
    fclose(file);
}

// Steps the world along and compares every snapshot: |dx| <= 1e-6 m and |dv| <= 1e-4 m/s, about 100
// times what two implementations at tolerance 1e-9 m/s differ by.
static inline void pli_tutorial_compare(pli_world* world, const pli_tutorial* t) {
    pli_error failure = {0};
    double worst_x = 0, worst_v = 0;
    assert_int_equal(pli_world_vertex_count(world), t->vertex_count);
    for (int s = 0; s < t->snapshot_count; ++s) {
        while (pli_world_step_count(world) < t->snapshots[s].step) {
            pli_step_info info;
            if (pli_world_step(world, &info, &failure) != PLI_OK) fail_msg("%s", failure.message);
            if (info.reason != PLI_CONVERGED)
                fail_msg("step %d: %s", info.step, pli_reason_text(info.reason));
        }
        for (int i = 0; i < 2 * t->vertex_count; ++i) {
            int at = 3 * (i / 2) + i % 2;
            worst_x = fmax(worst_x, fabs(pli_world_positions(world)[at] - t->snapshots[s].x[i]));
            worst_v = fmax(worst_v, fabs(pli_world_velocities(world)[at] - t->snapshots[s].v[i]));
        }
        if (worst_x > 1e-6 || worst_v > 1e-4)
            fail_msg("step %d: dx = %g m, dv = %g m/s", t->snapshots[s].step, worst_x, worst_v);
    }
    print_message("    largest dx = %.1e m, dv = %.1e m/s\n", worst_x, worst_v);
}

#endif
