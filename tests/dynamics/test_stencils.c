// Energies over stencils that are not elements, and energies with state, in worlds.
#include <stdlib.h>

#include "dynamics/worlds.h"

static pli_world_def plane_def(double h) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 2;
    def.time_step = h;
    for (int c = 0; c < 3; ++c) def.gravity[c] = 0;
    return def;
}

// ---- a spring between two bodies

// Two points of 1 kg, 1 m apart at rest, joined by a spring and pulled apart by 0.1 m: they swing
// around their common centre, which stays, with the period 2 pi / sqrt(2 k / m).
static void spring_between_bodies(void** state) {
    (void)state;
    const double k = 50, period = 2 * 3.14159265358979 / sqrt(2 * k);
    pli_world_def def = plane_def(period / 400);
    def.scheme = "bdf2";
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_vertex_ref ends[2] = {{add_point(world, 0, 0, 0.5, 0), 0},
                              {add_point(world, 1, 0, -0.5, 0), 0}};
    pli_setting stiffness = {"stiffness", k};
    pli_stencils_def link = pli_default_stencils_def();
    link.energy = "hooke";
    link.settings = &stiffness;
    link.setting_count = 1;
    link.count = 1;
    link.vertices = ends;
    ASSERT_OK(pli_world_add_stencils(world, &link, NULL, &error));
    for (int i = 0; i < 100; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    const double* x = pli_world_positions(world);
    // a quarter of a period: closest, 1 m less 2 * 0.5 / sqrt(2 k)
    ASSERT_NEAR(x[3] - x[0], 1 - 1 / sqrt(2 * k), 2e-4); // second order: (2 pi / 400)^2
    ASSERT_NEAR(x[0] + x[3], 1.0, 1e-9);
    pli_world_destroy(world);
}

// A dashpot between the same points: backward Euler takes their relative velocity u by u / (1 + 2 c
// h / m) in each step; a cable of twice their distance stays slack.
static void dashpot_between_bodies(void** state) {
    (void)state;
    const double c = 3, h = 0.01;
    pli_world_def def = plane_def(h);
    def.solver.tolerance = 1e-9; // [m/s]
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_vertex_ref ends[2] = {{add_point(world, 0, 0, 0.5, 0), 0},
                              {add_point(world, 1, 0, -0.5, 0), 0}};
    pli_setting settings[2] = {{"damping", c}, {"slack", 2}};
    for (int i = 0; i < 2; ++i) {
        pli_stencils_def link = pli_default_stencils_def();
        link.energy = i == 0 ? "dashpot" : "cable";
        link.settings = &settings[i];
        link.setting_count = 1;
        link.count = 1;
        link.vertices = ends;
        ASSERT_OK(pli_world_add_stencils(world, &link, NULL, &error));
    }
    double expected = -1;
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        expected /= 1 + 2 * c * h;
        const double* v = pli_world_velocities(world);
        ASSERT_NEAR(v[3] - v[0], expected, 1e-8); // the tolerance
    }
    pli_world_destroy(world);
}

// ---- stencils derived from a mesh

// Two triangles folded along their common edge, the rest flat: the spring between the apexes pulls
// them back; with no other force they balance where it has its length.
static void bending_spring_unfolds(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = "static";
    def.contact.bodies = false;
    for (int c = 0; c < 3; ++c) def.gravity[c] = 0;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    static const double flat[] = {-1, 0.5, 0, 0, 0, 0, 0, 1, 0, 1, 0.5, 0};
    static const double folded[] = {-1, 0.5, 0, 0, 0, 0, 0, 1, 0, 0, 0.5, 1};
    static const int32_t triangles[] = {0, 1, 2, 3, 2, 1};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 4, flat, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, triangles, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = folded;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    ASSERT_OK(pli_world_add_energy(world, id, "bending-spring", NULL, 0, NULL, &error));
    static const int32_t held[] = {0, 1, 2};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 3;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    for (int i = 0; i < 3; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    const double *x = pli_world_positions(world), d[3] = {x[9] - x[0], x[10] - x[1], x[11] - x[2]};
    ASSERT_NEAR(sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]), 2.0, 1e-6); // statics: tolerance
    pli_world_destroy(world);
}

// Three triangles in a row, folded by two angles: each vertex has the mean over the edges it ends.
static void energies_show_fields(void** state) {
    (void)state;
    const double a = 0.4, b = -0.7, height = sqrt(0.75);
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    assert_int_equal(pli_world_field_count(world), 0); // not prepared
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    static const double fan[] = {
        0, 0, 0, 1, 0, 0, 0.5, 0.8660254037844386, 0, -0.5, 0.8660254037844386, 0, -1, 0, 0};
    static const int32_t triangles[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    double folded[15];
    memcpy(folded, fan, sizeof folded);
    // Turns vertex 1 about the edge 0-2 by a, and vertex 4 about the edge 0-3 by b.
    const double foot[2][2] = {{0.25, height / 2}, {-0.25, height / 2}};
    for (int i = 0; i < 2; ++i) {
        int v = i == 0 ? 1 : 4;
        double angle = i == 0 ? a : b;
        for (int c = 0; c < 2; ++c)
            folded[3 * v + c] = foot[i][c] + cos(angle) * (fan[3 * v + c] - foot[i][c]);
        folded[3 * v + 2] = sin(angle) * height;
    }
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 5, fan, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 3, triangles, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = folded;
    body.vertex_mass = 1;
    body.thickness = 0.002;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    for (int i = 0; i < 2; ++i) // the second shares the fields of the first
        ASSERT_OK(pli_world_add_energy(world, id, "hinge", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_field_count(world), 2);
    assert_string_equal(pli_world_field(world, 0).name, "fold_angle");
    assert_string_equal(pli_world_field(world, 1).unit, "N");
    assert_null(pli_world_field(world, 2).name);
    double values[5];
    int32_t shares[5];
    pli_world_field_values(world, 0, values, shares);
    // The normal of the first triangle leans to where the vertex comes from: signs as in hinge.c.
    double sign = values[2] > 0 ? 1 : -1;
    const double expected[5] = {sign * (a + b) / 2, 0, sign * a, sign * b, 0};
    static const int32_t count[5] = {4, 0, 2, 2, 0};
    for (int v = 0; v < 5; ++v) {
        ASSERT_NEAR(values[v], expected[v], 1e-12);
        assert_int_equal(shares[v], count[v]);
    }
    ASSERT_NEAR(pli_world_body_radius(world, 0), 0.001, 1e-15); // half of its thickness
    pli_world_destroy(world);
}

// One triangle is held, the other swings about their common edge on a torsion spring:
// the period is 2 pi sqrt(m r^2 / (k w)), with the mass at the distance r from the edge.
static void hinge_swings(void** state) {
    (void)state;
    const double k = 2, w = 3 * 1 / (0.5 + 0.25), r = 0.5, speed = 1e-3;
    const double rate = sqrt(k * w / (r * r)), period = 2 * 3.14159265358979 / rate;
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = "newmark";
    def.time_step = period / 400;
    def.solver.tolerance = 1e-8; // [m/s]
    def.contact.bodies = false;
    for (int c = 0; c < 3; ++c) def.gravity[c] = 0;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    static const double flat[] = {-1, 0.5, 0, 0, 0, 0, 0, 1, 0, 0.5, 0.5, 0};
    static const int32_t triangles[] = {0, 1, 2, 3, 2, 1};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 4, flat, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_TRIANGLE, 2, triangles, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.velocity[2] = speed;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting stiffness = {"stiffness", k};
    ASSERT_OK(pli_world_add_energy(world, id, "hinge", &stiffness, 1, NULL, &error));
    static const int32_t held[] = {0, 1, 2};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = held;
    fix.vertex_count = 3;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    const double* x = pli_world_positions(world);
    for (int i = 0; i < 100; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    ASSERT_NEAR(x[11], speed / rate, 1e-3 * speed / rate); // a quarter: as far as it comes
    for (int i = 0; i < 100; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    ASSERT_NEAR(x[11], 0.0, 1e-3 * speed / rate); // second order: (2 pi / 400)^2
    pli_world_destroy(world);
}

// ---- state

enum { STEPS = 240 };
static const double K = 1000, YIELD = 50, MOST = 0.2;

// A bar of one slider whose end is moved to +MOST, to -MOST and back to 0.
static pli_world* make_slider(void) {
    pli_world_def def = plane_def(1.0 / STEPS);
    def.scheme = "static";
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {1, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 1, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting settings[2] = {{"stiffness", K}, {"yield", YIELD}};
    ASSERT_OK(pli_world_add_energy(world, id, "slider", settings, 2, NULL, &error));
    static const int32_t ends[2] = {0, 1};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = ends;
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    static const double times[4] = {0, 0.25, 0.75, 1},
                        offsets[12] = {0, 0, 0, 0.2, 0, 0, -0.2, 0, 0, 0, 0, 0};
    pli_prescribe_def move = pli_default_prescribe_def();
    move.vertices = ends + 1;
    move.vertex_count = 1;
    move.key_count = 4;
    move.times = times;
    move.offsets = offsets;
    ASSERT_OK(pli_world_prescribe(world, id, &move, NULL, &error));
    return world;
}

static double stored_energy(const pli_world* world) {
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (strcmp(pli_world_energy_name(world, i), "slider") == 0)
            return pli_world_energy_value(world, i);
    fail_msg("no energy of the slider");
    return 0;
}

// u(t) of the end, the slip and what was dissipated, from the rule of the slider itself.
typedef struct loop {
    double u, slip, dissipated;
} loop;

static void follow(loop* l, int n) {
    double t = (double)n / STEPS;
    l->u = t <= 0.25   ? 4 * MOST * t
           : t <= 0.75 ? MOST - 4 * MOST * (t - 0.25)
                       : -MOST + 4 * MOST * (t - 0.75);
    double e = l->u - l->slip, elastic = YIELD / K;
    if (fabs(e) <= elastic) return;
    double slip = e - copysign(elastic, e);
    l->slip += slip;
    l->dissipated += YIELD * fabs(slip);
}

static void loop_of_a_slider(void** state) {
    (void)state;
    pli_world* world = make_slider();
    loop l = {0};
    double dissipated = 0;
    for (int n = 1; n <= STEPS; ++n) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        dissipated += info.balance.dissipated;
        follow(&l, n);
        ASSERT_NEAR(pli_world_reactions(world)[3], K * (l.u - l.slip), 1e-3 * YIELD); // arrival
        ASSERT_NEAR(stored_energy(world), 0.5 * K * pow(l.u - l.slip, 2), 1e-3);
        ASSERT_NEAR(info.balance.residual, 0.0, 1e-3);
    }
    ASSERT_NEAR(dissipated, l.dissipated, 1e-3 * l.dissipated);
    // the loop in closed form: to +u, to -u, back to 0
    double elastic = YIELD / K;
    ASSERT_NEAR(l.dissipated,
                YIELD * ((MOST - elastic) + (2 * MOST - 2 * elastic) + (MOST - 2 * elastic)), 1e-9);
    ASSERT_NEAR(pli_world_balance(world).dissipated, dissipated, 1e-9);
    pli_world_destroy(world);
}

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

static bool keep_bytes(void* context, const void* data, size_t size) {
    bytes* to = context;
    if (size > sizeof to->data) return false;
    memcpy(to->data, data, size);
    to->size = size;
    return true;
}

static bool stop_at_once(void* context) {
    int* left = context;
    return (*left)-- <= 0;
}

// The state of energies is saved, restored, undone with an interrupted step and reset with the
// state of the world.
static void state_has_one_owner(void** state) {
    (void)state;
    pli_world *world = make_slider(), *other = make_slider();
    bytes *middle = calloc(1, sizeof *middle), *end = calloc(1, sizeof *end),
          *again = calloc(1, sizeof *again);
    for (int n = 0; n < STEPS / 2; ++n) step(world);
    ASSERT_OK(pli_world_save(world, keep_bytes, middle, &error));
    for (int n = 0; n < 20; ++n) step(world);
    ASSERT_OK(pli_world_save(world, keep_bytes, end, &error));
    ASSERT_OK(pli_world_restore(other, middle->data, middle->size, &error));
    for (int n = 0; n < 20; ++n) {
        int left = n % 3;
        ASSERT_OK(pli_world_set_cancel(other, stop_at_once, &left, &error));
        (void)step(other); // may be interrupted
        ASSERT_OK(pli_world_set_cancel(other, NULL, NULL, &error));
        while (pli_world_step_count(other) < STEPS / 2 + n + 1) step(other);
    }
    ASSERT_OK(pli_world_save(other, keep_bytes, again, &error));
    assert_int_equal(end->size, again->size);
    assert_memory_equal(end->data, again->data, end->size);
    pli_world_state start = {.positions = pli_world_rest_positions(other)};
    ASSERT_OK(pli_world_set_state(other, &start, &error));
    assert_true(stored_energy(other) == 0); // without slip
    free(middle);
    free(end);
    free(again);
    pli_world_destroy(world);
    pli_world_destroy(other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_between_bodies),  cmocka_unit_test(dashpot_between_bodies),
        cmocka_unit_test(bending_spring_unfolds), cmocka_unit_test(energies_show_fields),
        cmocka_unit_test(hinge_swings),           cmocka_unit_test(loop_of_a_slider),
        cmocka_unit_test(state_has_one_owner),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
