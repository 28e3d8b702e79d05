// Unit costs of contact, one thread, processor time, in states out of the middle of runs. For
// scripts:
//   unit NAME VALUE us LIMIT  (...)
// barrier_evaluation: value, gradient and projected Hessian of the whole set of pairs, per pair
// that is closer than dhat; ccd: a refresh of the set without a search (motion survey, pairs that
// stay apart, CCD, the new set), per candidate; ccd_near: CCD alone, per pair that is near;
// broad_phase: what a search adds (boxes, tree, query), per candidate that it gives; bounds: the
// first bounds of the candidates' distances, which spare the next refreshes most of their work, per
// candidate. usage: pliant_bench_contact_units FOLDER_WITH_SCENES
#define _GNU_SOURCE
#include <pliant/pliant.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact_cost.h"
#include "measure.h"
#include "yardstick.h"

enum { STATE_COUNT = 2, YARDS = 5 };

static const struct {
    const char* scene;
    int steps; // before the state
    bool data; // its mesh is in the data folder
} states[STATE_COUNT] = {{"mat40_twist", 45, true}, {"pile", 20, false}};

static bool fail(const char* scene, const pli_error* error) {
    fprintf(stderr, "bench: units: %s: %s\n", scene, error->message);
    return false;
}

// The motion is that of the step before, which a start of the next one would try.
static bool measure_state(pli_world* world, int steps, bench_contact_cost* cost, pli_error* error) {
    pli_step_info info;
    for (int i = 0; i < steps; ++i)
        if (pli_world_step(world, &info, error) != PLI_OK || !info.kept) return false;
    size_t count = 3 * (size_t)world->model.vertex_count;
    double* p = malloc(count * sizeof *p);
    if (!p) abort();
    for (size_t i = 0; i < count; ++i) {
        world->x[i] = world->model.positions[i];
        p[i] = world->h * world->model.velocities[i];
    }
    double alpha = 0;
    bool done = pli_world_refresh(world, NULL, &alpha, error) == PLI_OK &&
                bench_contact_cost_of(world, p, cost, error);
    free(p);
    return done;
}

static bool measure(const char* folder, const char* name, int steps, bench_contact_cost* cost) {
    char path[600];
    pli_scene* scene = NULL;
    pli_error error = {0};
    pli_scene_def def = pli_default_scene_def();
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    def.path = path;
    def.thread_count = 1;
    bool done = pli_scene_create(&def, &scene, &error) == PLI_OK &&
                pli_scene_error_count(scene) == 0 &&
                measure_state(pli_scene_world(scene), steps, cost, &error);
    if (!done) fail(name, &error);
    pli_scene_destroy(scene);
    return done;
}

static void print_unit(const char* name, double limit, const double* seconds, const double* counts,
                       const bool* there) {
    double sum = 0, count = 0;
    char parts[200] = "";
    for (int i = 0; i < STATE_COUNT; ++i) {
        if (!there[i]) continue;
        sum += seconds[i];
        count += counts[i];
        size_t length = strlen(parts);
        snprintf(parts + length, sizeof parts - length, "%s%s %.3f of %.0f", length > 0 ? ", " : "",
                 states[i].scene, 1e6 * seconds[i] / counts[i], counts[i]);
    }
    if (count > 0)
        printf("unit %-20s %7.3f us %4.2f  (%s)\n", name, 1e6 * sum / count, limit, parts);
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: pliant_bench_contact_units FOLDER_WITH_SCENES\n");
        return 2;
    }
#ifdef PLIANT_DATA
    setenv("PLIANT_DATA", PLIANT_DATA, 0);
#endif
    static bench_yard yard;
    bench_contact_cost cost[STATE_COUNT] = {0};
    bool there[STATE_COUNT];
    const char* data = getenv("PLIANT_DATA");
    bench_yard_start(&yard);
    for (int i = 0; i < STATE_COUNT; ++i) {
        there[i] = (!states[i].data || (data && access(data, R_OK) == 0)) &&
                   measure(argv[1], states[i].scene, states[i].steps, &cost[i]);
        bench_yard_measure_up_to(&yard, (i + 1) * YARDS / STATE_COUNT + 1);
    }
    double seconds[5][STATE_COUNT], counts[5][STATE_COUNT];
    for (int i = 0; i < STATE_COUNT; ++i) {
        seconds[0][i] = cost[i].barrier, counts[0][i] = cost[i].active;
        seconds[1][i] = cost[i].refresh, counts[1][i] = cost[i].candidates;
        seconds[2][i] = cost[i].search, counts[2][i] = cost[i].candidates;
        seconds[3][i] = cost[i].ccd, counts[3][i] = cost[i].near;
        seconds[4][i] = cost[i].bounds, counts[4][i] = cost[i].candidates;
    }
    bench_yard_print(&yard);
    print_unit("barrier_evaluation", 0.5, seconds[0], counts[0], there);
    print_unit("ccd", 0.3, seconds[1], counts[1], there);
    print_unit("ccd_near", 0.3, seconds[3], counts[3], there);
    print_unit("broad_phase", 0.2, seconds[2], counts[2], there);
    print_unit("bounds", 0.3, seconds[4], counts[4], there);
    bench_yard_stop(&yard);
    return 0;
}
