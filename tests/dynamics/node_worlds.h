// Small worlds with nodes.
#ifndef TESTS_DYNAMICS_NODE_WORLDS_H
#define TESTS_DYNAMICS_NODE_WORLDS_H

#include "dynamics/node_energies.h"
#include "dynamics/worlds.h"

#include <string.h>

static inline pli_world_def plane_def(const char* scheme, double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 2;
    def.scheme = scheme;
    def.time_step = h;
    def.gravity[0] = def.gravity[1] = def.gravity[2] = 0;
    def.contact.bodies = false;
    def.energy_types = node_types;
    def.energy_type_count = NODE_TYPE_COUNT;
    return def;
}

// A line of segments along x of length 1 each, with 1 kg per vertex.
static inline pli_body_id add_line(pli_world* world, int segments) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {segments, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, segments, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static inline void fix(pli_world* world, pli_body_id id, const int32_t* vertices, int count) {
    pli_fix_def def = pli_default_fix_def();
    def.vertices = vertices;
    def.vertex_count = count;
    ASSERT_OK(pli_world_fix(world, id, &def, NULL, &error));
}

static inline double value(const pli_world* world, int i) {
    return pli_world_node_values(world)[i];
}

static inline double energy(const pli_world* world, const char* name) {
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (strcmp(pli_world_energy_name(world, i), name) == 0)
            return pli_world_energy_value(world, i);
    fail_msg("no energy \"%s\"", name);
    return 0;
}

static inline pli_world* make_coil(pli_world_def* def, int segments, bool held) {
    pli_world* world = make_world(def);
    pli_body_id id = add_line(world, segments);
    static const int32_t first[1] = {0};
    if (held) fix(world, id, first, 1);
    pli_setting settings[] = {{"stiffness", 30}, {"mass", 0.02}, {"scale", 0.3},
                              {"first", 0.7},    {"value", 0.2}, {"rate", 0.4}};
    ASSERT_OK(pli_world_add_energy(world, id, "coil", settings, 6, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", settings, 6, NULL, &error));
    return world;
}

#endif
