// Small worlds that several tests use.
#ifndef TESTS_DYNAMICS_WORLDS_H
#define TESTS_DYNAMICS_WORLDS_H

#include "oracle/near.h"
#include "pliant/pliant.h"

static pli_error error;

// A square of triangles (neo-Hookean) or springs of side 1 around `centre`.
typedef struct square {
    int segments;
    bool springs;
    double centre[2];
    double stiffness; // Young's modulus or spring stiffness
    double velocity[2];
    const char* mass; // NULL: lumped
} square;

static inline pli_body_id add_square(pli_world* world, const square* s) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, s->segments, s->segments,
                                     s->springs ? PLI_SPRINGS : PLI_TRIANGLES, &error));
    for (int i = 0; i < mesh.vertex_count; ++i)
        for (int c = 0; c < 2; ++c) mesh.positions[3 * i + c] += s->centre[c];
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.velocity[0] = s->velocity[0];
    def.velocity[1] = s->velocity[1];
    if (s->mass) def.mass = s->mass;
    if (s->springs) def.vertex_mass = 1000.0 / mesh.vertex_count;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    if (s->springs) {
        pli_setting k = {"stiffness", s->stiffness};
        ASSERT_OK(pli_world_add_energy(world, id, "spring", &k, 1, NULL, &error));
    } else {
        pli_setting k[2] = {{"young", s->stiffness}, {"poisson", 0.4}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    }
    return id;
}

// A single vertex of mass 1 kg at (x, y).
static inline pli_body_id add_point(pli_world* world, double x, double y, double vx, double vy) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double at[3] = {x, y, 0};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at, NULL, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.vertex_mass = 1;
    def.velocity[0] = vx;
    def.velocity[1] = vy;
    def.contact_area = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static inline void add_ground(pli_world* world, double y, double friction) {
    pli_half_space_def def = pli_default_half_space_def();
    def.point[1] = y;
    def.friction = friction;
    ASSERT_OK(pli_world_add_half_space(world, &def, NULL, &error));
}

static inline pli_world* make_world(const pli_world_def* def) {
    pli_world* world;
    ASSERT_OK(pli_world_create(def, &world, &error));
    return world;
}

// A vertex of 1 kg on a spring of 20 N/m and 1 m whose other end is held: pulled out to `length`
// along x, it swings under gravity, far from linear.
static inline void add_swing(pli_world* world, double length, double stiffness_damping) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0}, initial[6] = {0, 0, 0, length, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.vertex_mass = 1;
    body.stiffness_damping = stiffness_damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"stiffness", 20};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &k, 1, NULL, &error));
    const int32_t first[1] = {0};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = first;
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
}

static inline pli_step_info step(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    return info;
}

// The end of the swing after so many steps; the world is destroyed.
static inline void swing_to_end(pli_world* world, int steps, double out[2]) {
    for (int n = 0; n < steps; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    out[0] = pli_world_positions(world)[3];
    out[1] = pli_world_positions(world)[4];
    pli_world_destroy(world);
}

// Order of convergence from the errors of two runs, the second with half the step.
static inline double order_of(const double reference[2], const double coarse[2],
                              const double fine[2]) {
    return log2(hypot(coarse[0] - reference[0], coarse[1] - reference[1]) /
                hypot(fine[0] - reference[0], fine[1] - reference[1]));
}

#endif
