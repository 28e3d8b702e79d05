// What the problems with elastic solids share: a world at rest in balance, a body of one material,
// vertices chosen by their place.
#ifndef TESTS_VALIDATION_SOLIDS_H
#define TESTS_VALIDATION_SOLIDS_H

#include <stdlib.h>

#include "dynamics/worlds.h"

// No contact, no gravity; a balance is found to 1e-11 of the forces present.
static inline pli_world_def solid_def(int dim, const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.scheme = scheme;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    def.solver.gradient_tolerance = 1e-11;
    def.thread_count = 2;
    return def;
}

typedef struct material {
    const char* type;
    double young, poisson; // [Pa], -
    double plane_stress;   // 1: yes
} material;

// `initial` as in pli_body_def: NULL, the body starts at rest.
static inline pli_body_id add_body(pli_world* world, const pli_mesh* mesh, const material* m,
                                   const double* initial) {
    pli_body_def def = pli_default_body_def();
    def.mesh = mesh;
    def.initial = initial;
    def.density = 1000;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_setting settings[3] = {
        {"young", m->young}, {"poisson", m->poisson}, {"plane_stress", m->plane_stress}};
    ASSERT_OK(
        pli_world_add_energy(world, id, m->type, settings, m->plane_stress != 0 ? 3 : 2, &error));
    return id;
}

// Fixes all vertices for which `chosen` holds; there must be some.
typedef bool choose_fn(const double X[3]);
static inline void fix_where(pli_world* world, pli_body_id id, const pli_mesh* mesh,
                             choose_fn* chosen) {
    int32_t* list = malloc(sizeof *list * (size_t)mesh->vertex_count);
    assert_non_null(list);
    pli_fix_def fix = pli_default_fix_def();
    for (int v = 0; v < mesh->vertex_count; ++v)
        if (chosen(mesh->positions + 3 * v)) list[fix.vertex_count++] = v;
    assert_true(fix.vertex_count > 0);
    fix.vertices = list;
    ASSERT_OK(pli_world_fix(world, id, &fix, &error));
    free(list);
}

static inline bool at_x_0(const double X[3]) { return fabs(X[0]) < 1e-9; }

// Mean displacement along `axis` of all vertices that rest at x = `place`.
static inline double mean_displacement(const pli_world* world, double place, int axis) {
    const double *x = pli_world_positions(world), *X = pli_world_rest_positions(world);
    double sum = 0;
    int count = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v) {
        if (fabs(X[3 * v] - place) > 1e-9) continue;
        sum += x[3 * v + axis] - X[3 * v + axis];
        count++;
    }
    assert_true(count > 0);
    return sum / count;
}

// A bar along x from 0, length 1 m, 0.1 x 0.1 m.
static inline void make_bar(pli_mesh* mesh, int along, int across, bool quadratic) {
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(pli_mesh_add_bar(mesh, (const double[3]){1, 0.1, 0.1},
                               (const int[3]){along, across, across}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
}

#endif
