// Obstacles and what falls on them. After every step: no intersection by the exact test, surfaces
// apart with their thickness, and a balance of energy that closes.
#ifndef TESTS_DYNAMICS_OBSTACLES_H
#define TESTS_DYNAMICS_OBSTACLES_H

#include "dynamics/worlds.h"

static const double g = 9.81, dhat = 1e-3;

static inline pli_world_def space_world_def(void) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.gravity[1] = -g;
    def.contact.dhat = dhat;
    return def;
}

static inline pli_world* space_world(void) {
    pli_world_def def = space_world_def();
    return make_world(&def);
}

static inline pli_world* plane_world(void) {
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -g;
    def.contact.dhat = dhat;
    return make_world(&def);
}

static inline pli_mesh new_mesh(void) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    return mesh;
}

static inline void shift(pli_mesh* mesh, double x, double y, double z) {
    const double by[3] = {x, y, z};
    for (int i = 0; i < 3 * mesh->vertex_count; ++i) mesh->positions[i] += by[i % 3];
}

// Adds the mesh as an obstacle and frees it.
static inline pli_body_id add_obstacle(pli_world* world, pli_mesh* mesh, double thickness) {
    pli_body_def def = pli_default_body_def();
    def.name = "obstacle";
    def.mesh = mesh;
    def.obstacle = true;
    def.contact_thickness = thickness;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(mesh);
    return id;
}

static inline pli_body_id add_sphere(pli_world* world, double x, double y, double radius) {
    pli_mesh mesh = new_mesh();
    const double at[3] = {x, y, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
    return add_obstacle(world, &mesh, radius);
}

static inline pli_body_id add_capsule(pli_world* world, const double from[3], const double to[3],
                                      double radius) {
    pli_mesh mesh = new_mesh();
    ASSERT_OK(pli_mesh_add_line(&mesh, from, to, 1, &error));
    return add_obstacle(world, &mesh, radius);
}

static inline pli_body_id add_block(pli_world* world, const double size[3], double x, double y,
                                    double z) {
    pli_mesh mesh = new_mesh();
    const int segments[3] = {1, 1, 1};
    ASSERT_OK(pli_mesh_add_box(&mesh, size, segments, &error));
    shift(&mesh, x, y, z);
    return add_obstacle(world, &mesh, 0);
}

// A cube of side 0.1 with n cells along each edge whose lower face is at this height.
static inline pli_body_id add_cube(pli_world* world, int n, double height, double young) {
    pli_mesh mesh = new_mesh();
    const double size[3] = {0.1, 0.1, 0.1};
    const int segments[3] = {n, n, n};
    ASSERT_OK(pli_mesh_add_box(&mesh, size, segments, &error));
    shift(&mesh, 0, height + 0.05, 0);
    pli_body_def def = pli_default_body_def();
    def.name = "cube";
    def.mesh = &mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", young}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    return id;
}

static inline pli_step_info sound_step(pli_world* world) {
    pli_step_info info = step(world);
    ASSERT_OK(pli_world_verify(world, &error));
    double total = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        total += fabs(pli_world_energy_value(world, i));
    assert_true(isfinite(total));
    pli_balance b = info.balance;
    double sum = b.kinetic + b.potential + b.dissipated + b.numerical - b.work_prescribed -
                 b.work_loads - b.stiffening - b.residual;
    assert_true(fabs(sum) <= 1e-12 * (total + fabs(b.kinetic) + fabs(b.work_prescribed)));
    return info;
}

static inline pli_step_info converged_step(pli_world* world) {
    pli_step_info info = sound_step(world);
    if (info.reason != PLI_CONVERGED)
        fail_msg("step %d: %s", info.step, pli_reason_text(info.reason));
    return info;
}

// Of so many steps, those with contact.
static inline int touching_steps(pli_world* world, int count) {
    int touching = 0;
    for (int n = 0; n < count; ++n) touching += converged_step(world).contact_count > 0;
    return touching;
}

typedef pli_body_id add_function(pli_world* world);

#endif
