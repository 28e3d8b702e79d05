// Exact gradients and Hessians of contact and friction against finite differences: both forms of
// the barrier, all kinds of pairs; and that a call changes nothing.
#include "dynamics/differences.h"

enum { POINT_POINT, POINT_EDGE, POINT_TRIANGLE, EDGE_EDGE, HALF_SPACE, PAIR_KINDS };

static int kind_of(const pli_contact_info* c) {
    int a = c->vertex_count[0], b = c->vertex_count[1], most = a > b ? a : b;
    if (b == 0) return HALF_SPACE;
    if (a == 2 && b == 2) return EDGE_EDGE;
    return most == 3 ? POINT_TRIANGLE : most == 2 ? POINT_EDGE : POINT_POINT;
}

static void count_kinds(const pli_world* world, int seen[PAIR_KINDS]) {
    for (int i = 0; i < pli_world_contact_count(world); ++i)
        seen[kind_of(&pli_world_contacts(world)[i])]++;
}

// Is there a force between edges of these two bodies?
static bool find_edges(const pli_world* world, int one, int other) {
    for (int i = 0; i < pli_world_contact_count(world); ++i) {
        const pli_contact_info* c = &pli_world_contacts(world)[i];
        bool both =
            c->body[0] + c->body[1] == one + other && (c->body[0] == one || c->body[1] == one);
        if (both && kind_of(c) == EDGE_EDGE && c->force > 0) return true;
    }
    return false;
}

// A body of given vertices with springs or a solid inside.
typedef struct part {
    int vertex_count;
    double points[12];
    pli_element_kind kind;
    double thickness;
    bool obstacle;
} part;

static pli_body_id add_part(pli_world* world, const part* p, const double shift[3]) {
    int32_t numbers[4] = {0, 1, 2, 3};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, p->vertex_count, p->points, NULL, &error));
    for (int i = 0; i < mesh.vertex_count; ++i)
        for (int c = 0; c < 3; ++c) mesh.positions[3 * i + c] += shift[c];
    if (p->kind == PLI_TETRAHEDRON && pli_element_measure(3, p->kind, numbers, mesh.positions) < 0)
        pli_element_mirror(p->kind, numbers);
    if (p->kind != PLI_VERTEX) ASSERT_OK(pli_mesh_add_elements(&mesh, p->kind, 1, numbers, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.contact_thickness = p->thickness;
    body.obstacle = p->obstacle;
    body.velocity[0] = p->obstacle ? 0 : 0.6;
    body.velocity[1] = p->obstacle ? 0 : -0.3;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const char* energy = p->kind == PLI_SEGMENT ? "spring" : "stable-neo-hookean";
    if (!p->obstacle && (p->kind == PLI_SEGMENT || p->kind == PLI_TETRAHEDRON ||
                         (p->kind == PLI_TRIANGLE && pli_world_dimension(world) == 2)))
        ASSERT_OK(pli_world_add_energy(world, id, energy, NULL, 0, NULL, &error));
    return id;
}

// clang-format off
static const part
    tetrahedron = {4, {0, 0, 0, 1, 0.02, 0.05, 0.1, 0.03, 1, 0.4, 1, 0.3}, PLI_TETRAHEDRON, 0, false},
    bar = {2, {-0.6, 0, 0, 0.6, 0, 0}, PLI_SEGMENT, 0.02, false},
    tilted = {2, {-0.6, 0, 0, 0.6, 0.014, 0.012}, PLI_SEGMENT, 0.02, false},
    ball = {1, {0}, PLI_VERTEX, 0.05, false},
    capsule = {2, {0, -0.5, 0, 0, 0.5, 0}, PLI_SEGMENT, 0.03, true},
    triangle = {3, {0, 0, 0, 1, 0.1, 0, 0.4, 0.9, 0}, PLI_TRIANGLE, 0, false},
    triangle_below = {3, {-0.2, -1, 0, 0.9, -1.1, 0, 0.35, -0.06, 0}, PLI_TRIANGLE, 0, false};
// clang-format on

static pli_world_def touching(int dim, const char* form, double friction) {
    pli_world_def def = def_of(dim);
    def.contact.bodies = true;
    def.contact.dhat = 0.1;
    def.contact.barrier = form;
    def.contact.stiffness = 1e4;
    def.contact.friction = friction;
    def.contact.friction_speed = 0.1;
    def.time_step = 0.002;
    return def;
}

// Everything at once: a corner over a face, crossing and parallel edges, bars, balls, ground.
static pli_world* make_pile(const char* scheme, const char* form, double friction) {
    pli_world_def def = touching(3, form, friction);
    def.scheme = scheme;
    pli_world* world = make_world(&def);
    add_part(world, &tetrahedron, (double[3]){0, 0.04, 0});
    add_part(world, &tetrahedron, (double[3]){3, 0.04, 0});
    add_part(world, &tetrahedron, (double[3]){3.03, 1.08, -0.04}); // its face over a corner
    add_part(world, &bar, (double[3]){6, 0.05, 0});
    add_part(world, &tilted, (double[3]){6.05, 0.13, 0.02}); // mollified: almost parallel
    add_part(world, &capsule, (double[3]){6.3, 0.02, 0.1});
    add_part(world, &ball, (double[3]){9, 0.1, 0});
    add_part(world, &ball, (double[3]){9.08, 0.22, 0.07});
    add_part(world, &bar, (double[3]){8.8, 0.27, 0.16});
    add_ground(world, 0, friction);
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

// Below 5e-4 m of a contact differences over 1e-6 m are too coarse; these start at 0.02 m.
static void test_contact(void** state) {
    (void)state;
    static const char* const forms[2] = {"area", "ipc"};
    for (int i = 0; i < 2; ++i) {
        int seen[PAIR_KINDS] = {0};
        pli_world* world = make_pile("backward-euler", forms[i], 0);
        count_kinds(world, seen);
        for (int k = 0; k < PAIR_KINDS; ++k) assert_true(seen[k] > 0);
        assert_true(find_edges(world, 3, 4));
        check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
        advance(world);
        check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
        check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
        pli_world_destroy(world);
    }
}

// Schemes of other inertia; under newmark contact acts at the end of the step alone, which E does
// not know.
static void test_contact_schemes(void** state) {
    (void)state;
    static const char* const schemes[] = {"bdf2", "newmark"};
    const double FINE = 3e-8; // as for friction
    for (int i = 0; i < 2; ++i) {
        pli_world* world = make_pile(schemes[i], "area", 0.3);
        for (int s = 0; s < 3; ++s) advance(world);
        check_differences(world, PLI_OF_STEP, FINE, TOLERANCE);
        pli_world_destroy(world);
    }
}

// A half-space that moves with a vertex of another body couples it with all that touch it.
static void test_moving_half_space(void** state) {
    (void)state;
    pli_world_def def = touching(3, "area", 0.3);
    pli_world* world = make_world(&def);
    add_part(world, &tetrahedron, (double[3]){0, 0.04, 0});
    pli_half_space_def plane = pli_default_half_space_def();
    plane.friction = 0.3;
    plane.carrier = add_part(world, &ball, (double[3]){5, 0, 0});
    ASSERT_OK(pli_world_add_half_space(world, &plane, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_true(pli_world_contact_count(world) >= 3);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    advance(world);
    check_differences(world, PLI_OF_STEP, 3e-8, TOLERANCE);
    pli_world_destroy(world);
}

static void test_contact_in_plane(void** state) {
    (void)state;
    static const char* const forms[2] = {"area", "ipc"};
    for (int i = 0; i < 2; ++i) {
        int seen[PAIR_KINDS] = {0};
        pli_world_def def = touching(2, forms[i], 0.4);
        pli_world* world = make_world(&def);
        add_part(world, &triangle, (double[3]){0, 0, 0});
        add_part(world, &triangle_below, (double[3]){0, 0, 0});
        add_ground(world, -1.15, 0.3);
        ASSERT_OK(pli_world_prepare(world, &error));
        count_kinds(world, seen);
        assert_true(seen[POINT_EDGE] > 0 && seen[HALF_SPACE] > 0);
        check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
        for (int s = 0; s < 3; ++s) advance(world);
        check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
        pli_world_destroy(world);
    }
}

static double largest_friction(const pli_world* world) {
    double largest = 0;
    const double* f = pli_world_friction_forces(world);
    for (int i = 0; i < 3 * pli_world_vertex_count(world); ++i) largest = fmax(largest, fabs(f[i]));
    return largest;
}

// Sliding at all speeds of the smoothed law; static friction above the kinetic one makes D concave
// in places, which a projected Hessian would hide.
static void test_friction(void** state) {
    (void)state;
    const double FINE = 3e-8; // friction bends within speed * h = 2e-4 m
    for (int i = 0; i < 2; ++i) {
        pli_world* world = make_pile("backward-euler", "area", i ? 0.5 : 0.05);
        advance(world);
        assert_true(largest_friction(world) > 0);
        check_differences(world, PLI_OF_STEP, FINE, TOLERANCE);
        advance(world);
        check_differences(world, PLI_OF_STEP, FINE, TOLERANCE);
        pli_world_destroy(world);
    }
    pli_world_def def = touching(2, "area", 0);
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0.0995, 0.2, 0);
    pli_half_space_def ground = pli_default_half_space_def();
    ground.friction = 0.1;
    ground.friction_static = 0.6;
    ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    advance(world);
    check_differences(world, PLI_OF_STEP, FINE, TOLERANCE);
    pli_sparse h;
    ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error));
    double inertia = world->aim.inertia;
    assert_true(largest_friction(world) > 0 && h.value[0] < inertia); // f2 < 0, not clamped
    pli_sparse_free(&h);
    pli_world_destroy(world);
}

// A skin embedded in a cage of tetrahedra: its vertices blend corners of the cage.
static void test_embedded(void** state) {
    (void)state;
    pli_world_def def = touching(3, "area", 0.3);
    pli_world* world = make_world(&def);
    pli_body_id id;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 1}, (int[3]){1, 1, 1}, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.velocity[0] = 0.3;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "stable-neo-hookean", NULL, 0, NULL, &error));
    for (int i = 0; i < 3 * mesh.vertex_count; ++i) mesh.positions[i] *= 0.8;
    double lowest = HUGE_VAL;
    for (int i = 0; i < mesh.vertex_count; ++i) lowest = fmin(lowest, mesh.positions[3 * i + 1]);
    body.kinematics = "embedded";
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    add_ground(world, lowest - 0.04, 0.3);
    pli_mesh_free(&mesh);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_true(pli_world_contact_count(world) > 0);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    advance(world);
    check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
    pli_world_destroy(world);
}

static void test_nothing_changes(void** state) {
    (void)state;
    compare_runs(make_pile("backward-euler", "area", 0.3), make_pile("backward-euler", "area", 0.3),
                 6);
    compare_runs(make_pile("backward-euler", "ipc", 0), make_pile("backward-euler", "ipc", 0), 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contact),         cmocka_unit_test(test_contact_in_plane),
        cmocka_unit_test(test_contact_schemes), cmocka_unit_test(test_moving_half_space),
        cmocka_unit_test(test_friction),        cmocka_unit_test(test_embedded),
        cmocka_unit_test(test_nothing_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
