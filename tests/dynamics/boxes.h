// Boxes in space and the joints between them.
#ifndef TESTS_DYNAMICS_BOXES_H
#define TESTS_DYNAMICS_BOXES_H

#include "dynamics/worlds.h"

static const double g = 9.81;
static const double size[3] = {0.2, 0.3, 0.5};

static inline pli_world_def space(const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.time_step = 0.01;
    def.gravity[1] = -g;
    def.solver.tolerance = 1e-9;
    def.contact.bodies = false;
    return def;
}

static inline pli_world* create(const pli_world_def* def) {
    pli_world* world = NULL;
    ASSERT_OK(pli_world_create(def, &world, &error));
    return world;
}

// A box with its centre at (x, y, z).
static inline pli_body_id add_box(pli_world* world, const char* kinematics, double x, double y,
                                  double z) {
    const int count[3] = {1, 1, 1};
    const double at[3] = {x, y, z};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, count, &error));
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int c = 0; c < 3; ++c) mesh.positions[3 * v + c] += at[c];
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = kinematics;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    if (strcmp(kinematics, "free") == 0) {
        pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    }
    return id;
}

static const double mass = 1000 * 0.2 * 0.3 * 0.5;

static inline pli_joint_def joint(const char* type, pli_body_id a, const pli_body_id* b, double x,
                                  double y, double z) {
    pli_joint_def def = pli_default_joint_def();
    def.type = type;
    def.ends[0].body = a;
    if (b) def.ends[1].body = *b;
    def.at[0] = x, def.at[1] = y, def.at[2] = z;
    return def;
}

static inline void steps(pli_world* world, int count) {
    for (int i = 0; i < count; ++i) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        if (!info.kept) fail_msg("step %d: reason %d, residual %g", i, info.reason, info.residual);
    }
}

static inline pli_joint_info read_joint(const pli_world* world, int i) {
    pli_joint_info info;
    assert_true(pli_world_joint(world, i, &info));
    return info;
}

#endif
