// The inner loops alone, on one thread and in processor time, best of many, so that other work on
// the machine does not show: for every material a bar of linear tetrahedra, a little stretched and
// shaken; microseconds per tetrahedron for the value, for value-free gradient and projected
// Hessian, and for gathering the matrix. For scripts, of neo-Hookean:
//   unit element_evaluation VALUE us LIMIT    value, gradient and Hessian
//   unit assembly VALUE us LIMIT              gathering of gradient and matrix
// usage: pliant_bench_elements SCENE (a bar of tetrahedra)
#include <pliant/pliant.h>

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dynamics/world.h"
#include "measure.h"

enum { REPEATS = 15 };

static const char* const materials[] = {"neo-hookean",     "stable-neo-hookean",  "arap",
                                        "fixed-corotated", "st-venant-kirchhoff", "linear"};

// Stretched by a tenth and shaken by a 50th of an edge of the smallest bars.
static void deform(int vertex_count, double* x) {
    uint32_t seed = 1;
    for (int i = 0; i < 3 * vertex_count; ++i) {
        seed = seed * 1664525u + 1013904223u;
        x[i] = x[i] * (i % 3 == 0 ? 1.1 : 1) + 6e-4 * (seed / 4294967296.0 - 0.5);
    }
}

// Best processor times [s] of: values, evaluation, gathering of gradient, of the matrix.
static void measure(pli_world* world, double best[4]) {
    pli_assembly* a = &world->assembly;
    double values[PLI_ASSEMBLY_CHUNK];
    deform(world->model.vertex_count, world->x);
    for (int k = 0; k < 4; ++k) best[k] = DBL_MAX;
    for (int i = 0; i < REPEATS; ++i) {
        double t[5];
        t[0] = bench_thread_cpu();
        if (a->term_count <= PLI_ASSEMBLY_CHUNK) pli_assembly_values(a, world->x, values);
        t[1] = bench_thread_cpu();
        pli_assembly_evaluate(a, world->x, &(pli_hessian_wish){.project = true});
        t[2] = bench_thread_cpu();
        pli_assembly_gradient(a, world->gx, NULL);
        t[3] = bench_thread_cpu();
        pli_assembly_matrix(a, 1e4, NULL);
        t[4] = bench_thread_cpu();
        for (int k = 0; k < 4; ++k)
            if (t[k + 1] - t[k] < best[k]) best[k] = t[k + 1] - t[k];
    }
}

// best: see measure, [us] per tetrahedron.
static bool run(const char* path, const char* material, double best[4]) {
    char setting[100];
    snprintf(setting, sizeof setting, "bodies[0].energies[0].type=%s", material);
    const char* const overrides[] = {setting, "solver.linear=pcg"};
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.thread_count = 1;
    def.overrides = overrides;
    def.override_count = 2;
    pli_scene* scene = NULL;
    pli_error error = {0};
    bool done = pli_scene_create(&def, &scene, &error) == PLI_OK &&
                pli_scene_error_count(scene) == 0 &&
                pli_world_prepare(pli_scene_world(scene), &error) == PLI_OK &&
                pli_assembly_update(&pli_scene_world(scene)->assembly, &error) == PLI_OK;
    if (done) {
        pli_world* world = pli_scene_world(scene);
        double count = pli_world_element_count(world, PLI_TETRAHEDRON);
        measure(world, best);
        for (int k = 0; k < 4; ++k) best[k] *= 1e6 / count;
        printf("%-22s %8.0f %8.3f %8.3f %8.3f %8.3f\n", material, count, best[0], best[1], best[2],
               best[3]);
    } else {
        fprintf(stderr, "bench: %s with %s: %s\n", path, material, error.message);
    }
    pli_scene_destroy(scene);
    return done;
}

int main(int argc, char** argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: pliant_bench_elements SCENE\n");
        return 2;
    }
    bool done = true;
    double best[sizeof materials / sizeof *materials][4];
    printf("microseconds of processor time per tetrahedron, one thread, best of %d: the value; "
           "gradient and projected\nHessian; gathering the gradient; gathering the matrix\n\n",
           REPEATS);
    printf("%-22s %8s %8s %8s %8s %8s\n", "material", "tets", "value", "hess", "grad", "assem");
    for (size_t i = 0; i < sizeof materials / sizeof *materials; ++i)
        done &= run(argv[1], materials[i], best[i]);
    printf("\nunit %-20s %7.3f us %4.2f  (%s: value %.3f, gradient and Hessian %.3f)\n",
           "element_evaluation", best[0][0] + best[0][1], 0.4, materials[0], best[0][0],
           best[0][1]);
    printf("unit %-20s %7.3f us %4.2f  (gradient %.3f, matrix %.3f)\n", "assembly",
           best[0][2] + best[0][3], 0.15, best[0][2], best[0][3]);
    return done ? 0 : 1;
}
