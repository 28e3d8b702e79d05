// Exact derivatives of worlds that have nodes, and of worlds that change between steps: sizes, the
// new state, and the last step, which a change ends.
#include "dynamics/node_worlds.h" // before differences.h, whose `error` its energies would hide

#include "dynamics/differences.h"
#include "pliant/change.h"

// ---- nodes

static pli_world_def node_def(const char* scheme, int dim) {
    pli_world_def def = plane_def(scheme, 0.02);
    def.dimension = dim;
    def.gravity[1] = -3;
    def.solver.tolerance = 1e-8;
    def.solver.gradient_tolerance = 1e-9;
    def.thread_count = 1;
    return def;
}

// A level without mass at each vertex of a line.
static pli_world* make_gauge(pli_world_def* def, int segments) {
    pli_world* world = make_world(def);
    pli_body_id id = add_line(world, segments);
    const pli_setting gauge_settings[3] = {{"stiffness", 20}, {"scale", 0.5}, {"value", 0.1}};
    const pli_setting spring = {"stiffness", 100};
    ASSERT_OK(pli_world_add_energy(world, id, "gauge", gauge_settings, 3, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &spring, 1, NULL, &error));
    return world;
}

static void check_nodes(pli_world* world) {
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_true(pli_world_node_count(world) > 0);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    refuse_step(world);
    for (int i = 0; i < 3; ++i) advance(world);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
    if (strcmp(world->scheme->name, "static") != 0) check_stationary(world); // there forces are 0
    pli_world_destroy(world);
}

static void test_nodes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler",    "bdf2",
                                          "newmark",           "static",
                                          "implicit-midpoint", "averaged-vector-field"};
    for (int dim = 2; dim <= 3; ++dim)
        for (int i = 0; i < 6; ++i) {
            pli_world_def def = node_def(schemes[i], dim);
            bool still = strcmp(schemes[i], "static") == 0;
            if (still) def.gravity[1] = 0; // nothing holds the line across its axis
            check_nodes(make_coil(&def, 3, true));
            if (!still) check_nodes(make_coil(&def, 2, false));
            if (i < 3) check_nodes(make_gauge(&def, 2));
        }
}

// Nodes beside vertices that hang on few unknowns.
static void test_reduced(void** state) {
    (void)state;
    pli_world_def def = node_def("backward-euler", 3);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double x[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.1, 1};
    const int32_t segments[6] = {0, 1, 1, 2, 2, 3};
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 4, x, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 3, segments, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    body.kinematics = "polynomial";
    body.order = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[4] = {
        {"stiffness", 30}, {"mass", 0.02}, {"scale", 0.3}, {"value", 0.2}};
    ASSERT_OK(pli_world_add_energy(world, id, "coil", settings, 4, NULL, &error));
    check_nodes(world);
}

// Where nodes are in W and M, and that they are not held.
static void test_node_places(void** state) {
    (void)state;
    const double scale = 0.3, mass = 0.02;
    pli_world_def def = node_def("backward-euler", 2);
    pli_world* world = make_coil(&def, 4, true);
    const int32_t last[1] = {4};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = last;
    motion.vertex_count = 1;
    ASSERT_OK(pli_world_prescribe(world, pli_world_body_id(world, 0), &motion, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    int n = pli_world_unknown_count(world), points = pli_world_vertex_count(world),
        nodes = pli_world_node_count(world), held_count = 0, free_nodes = 0;
    uint8_t* held = calloc((size_t)n, 1);
    pli_sparse map, m;
    ASSERT_OK(pli_world_held_unknowns(world, held, &error));
    ASSERT_OK(pli_world_map(world, &map, &error));
    ASSERT_OK(pli_world_mass_matrix(world, &m, &error));
    assert_int_equal(points, 5);
    assert_int_equal(nodes, 4);
    assert_int_equal(n, 2 * 4 + 3); // vertex 0 and the first angle are fixed
    assert_int_equal(map.row_count, 3 * (points + nodes));
    for (int j = 0; j < n; ++j) {
        assert_int_equal(map.start[j + 1] - map.start[j], 1);
        int row = map.row[map.start[j]], vertex = row / 3;
        double rate = map.value[map.start[j]];
        held_count += held[j];
        assert_true(!held[j] || vertex == last[0]);
        if (vertex < points) continue;
        assert_int_equal(row % 3, 0);
        ASSERT_NEAR(rate, 1 / scale, 1e-15);
        ASSERT_NEAR(m.value[m.start[j]], mass / (scale * scale), 1e-15);
        free_nodes++;
    }
    assert_int_equal(held_count, 2);
    assert_int_equal(free_nodes, 3);
    pli_sparse_free(&map);
    pli_sparse_free(&m);
    free(held);
    pli_world_destroy(world);
    def.scheme = "backward-euler";
    world = make_gauge(&def, 1);
    ASSERT_OK(pli_world_prepare(world, &error));
    ASSERT_OK(pli_world_mass_matrix(world, &m, &error));
    check_order(&m); // with the diagonal of nodes without mass
    n = m.column_count;
    for (int j = n - 2; j < n; ++j) assert_true(m.value[m.start[j]] == 0);
    pli_sparse_free(&m);
    pli_world_destroy(world);
}

static void test_nothing_changes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "newmark", "averaged-vector-field"};
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = node_def(schemes[i], 2);
        pli_world *asked = make_coil(&def, 3, true), *other = make_coil(&def, 3, true);
        ASSERT_OK(pli_world_prepare(asked, &error));
        compare_runs(asked, other, 5);
    }
}

// ---- changes

// A square on the ground, held at a corner, pushed, with a slider beside it, and a line with nodes.
typedef struct scene {
    pli_world* world;
    pli_body_id square, line, slider;
    pli_energy_id material, slide;
    pli_load_id load;
    pli_support_id motion;
    pli_half_space_id ground;
} scene;

static pli_body_id add_slider(pli_world* world, double y, pli_energy_id* energy_id) {
    const double points[6] = {3, y, 0, 4, y, 0}, initial[6] = {3, y, 0, 4.4, y + 0.3, 0};
    const int32_t segment[2] = {0, 1};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 2, points, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, segment, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[2] = {{"stiffness", 400}, {"yield", 30}};
    int before = pli_world_added_energy_count(world);
    ASSERT_OK(pli_world_add_energy(world, id, "slider", settings, 2, NULL, &error));
    if (energy_id) *energy_id = pli_world_energy_id(world, before);
    return id;
}

static scene make_scene(const char* scheme) {
    pli_world_def def = node_def(scheme, 2);
    def.time_step = 0.01;
    def.contact.dhat = 0.1; // soft, for the sake of differences
    scene s = {.world = make_world(&def)};
    pli_load_def load = pli_default_load_def();
    pli_prescribe_def motion = pli_default_prescribe_def();
    static const int32_t corner[1] = {0};
    add_ground(s.world, -0.55, 0.3);
    s.square = add_square(s.world, &(square){.segments = 2, .stiffness = 1e5});
    load.kind = "pressure";
    load.value[0] = 500;
    ASSERT_OK(pli_world_add_load(s.world, s.square, &load, NULL, &error));
    motion.vertices = corner;
    motion.vertex_count = 1;
    motion.velocity[0] = 0.1;
    ASSERT_OK(pli_world_prescribe(s.world, s.square, &motion, NULL, &error));
    s.slider = add_slider(s.world, 2, &s.slide);
    s.line = add_line(s.world, 2);
    const pli_setting settings[4] = {
        {"stiffness", 30}, {"mass", 0.02}, {"scale", 0.3}, {"value", 0.2}};
    ASSERT_OK(pli_world_add_energy(s.world, s.line, "coil", settings, 4, NULL, &error));
    s.material = pli_world_energy_id(s.world, 0);
    s.load = pli_world_load_id(s.world, 0);
    s.motion = pli_world_support_id(s.world, 0);
    s.ground = pli_world_half_space_id(s.world, 0);
    return s;
}

static void add(scene* s) { add_slider(s->world, 5, NULL); }
static void add_nodes(scene* s) {
    const pli_setting settings[2] = {{"stiffness", 20}, {"scale", 0.5}};
    ASSERT_OK(pli_world_add_energy(s->world, s->slider, "gauge", settings, 2, NULL, &error));
}
static void remove_square(scene* s) {
    ASSERT_OK(pli_world_remove_body(s->world, s->square, &error));
}
static void remove_line(scene* s) { ASSERT_OK(pli_world_remove_body(s->world, s->line, &error)); }
static void remove_slider(scene* s) {
    ASSERT_OK(pli_world_remove_body(s->world, s->slider, &error));
}
static void remove_slide(scene* s) {
    ASSERT_OK(pli_world_remove_energy(s->world, s->slide, &error));
}
static void remove_motion(scene* s) {
    ASSERT_OK(pli_world_remove_support(s->world, s->motion, &error));
}
static void remove_ground(scene* s) {
    ASSERT_OK(pli_world_remove_half_space(s->world, s->ground, &error));
}
// The same vertices, another rest shape.
static void edit(scene* s) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
    for (int i = 0; i < 3 * mesh.vertex_count; ++i) mesh.positions[i] *= 0.98;
    ASSERT_OK(pli_world_edit(s->world, s->square, &mesh, NULL, NULL, &error));
    pli_mesh_free(&mesh);
}
static void set_material(scene* s) {
    const pli_setting young = {"young", 3e5};
    ASSERT_OK(pli_world_set_energy(s->world, s->material, &young, 1, &error));
}
static void set_slide(scene* s) {
    const pli_setting yield = {"yield", 10};
    ASSERT_OK(pli_world_set_energy(s->world, s->slide, &yield, 1, &error));
}
static void set_gravity(scene* s) {
    ASSERT_OK(pli_world_set_gravity(s->world, (double[3]){1, -5, 0}, &error));
}
static void set_load(scene* s) {
    ASSERT_OK(pli_world_set_load(s->world, s->load, (double[3]){900, 0, 0}, &error));
}
static void set_ground(scene* s) {
    ASSERT_OK(pli_world_set_half_space_friction(s->world, s->ground, 0.7, 0, &error));
}
static void set_velocities(scene* s) {
    ASSERT_OK(pli_world_set_velocities(s->world, s->slider, (double[3]){1, 2, 0}, false, &error));
}
static void set_kappa(scene* s) {
    ASSERT_OK(pli_world_set_contact_stiffness(s->world, 2e6, &error));
}

typedef struct change {
    void (*make)(scene* s);
    int more; // unknowns
} change;

static const change changes[] = {
    {add, 4},           {add_nodes, 2},      {remove_square, -18},
    {remove_line, -8},  {remove_slider, -4}, {remove_slide, 0},
    {remove_motion, 0}, {remove_ground, 0},  {edit, 0},
    {set_material, 0},  {set_slide, 0},      {set_gravity, 0},
    {set_load, 0},      {set_ground, 0},     {set_velocities, 0},
    {set_kappa, 0},
};
enum { CHANGES = sizeof changes / sizeof *changes };

// The step after: energies are compared at the states that it began with.
static void check_step(pli_world* world) {
    advance(world);
    put_states_back(world);
    check_differences(world, PLI_OF_STEP, 3e-8, TOLERANCE); // friction bends within micrometres
}

// A change is made after some steps; P is that of the new state, and the last step is gone.
static void test_changes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2"};
    for (int i = 0; i < 2 * CHANGES; ++i) {
        const change* c = &changes[i / 2];
        scene s = make_scene(schemes[i % 2]);
        pli_sparse h = {0};
        for (int n = 0; n < 3; ++n) advance(s.world);
        ASSERT_OK(pli_world_hessian(s.world, PLI_OF_STEP, &h, &error));
        pli_sparse_free(&h);
        int before = pli_world_unknown_count(s.world);
        c->make(&s);
        ASSERT_OK(pli_world_prepare(s.world, &error));
        assert_int_equal(pli_world_unknown_count(s.world), before + c->more);
        refuse_step(s.world);
        check_differences(s.world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
        check_step(s.world);
        pli_world_destroy(s.world);
    }
}

// Before it is prepared again, a changed world says so.
static void test_not_prepared(void** state) {
    (void)state;
    scene s = make_scene("backward-euler");
    pli_sparse h = {0};
    double q[64];
    advance(s.world);
    remove_line(&s);
    assert_int_equal(pli_world_hessian(s.world, PLI_OF_POTENTIAL, &h, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not prepared"));
    assert_int_equal(pli_world_hessian(s.world, PLI_OF_STEP, &h, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_map(s.world, &h, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_mass_matrix(s.world, &h, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_unknowns(s.world, q, NULL, &error), PLI_E_ARGUMENT);
    pli_world_destroy(s.world);
}

// What does not touch E leaves the last step: the size of the next one, where motions go.
static void test_step_stays(void** state) {
    (void)state;
    scene s = make_scene("backward-euler");
    for (int n = 0; n < 3; ++n) advance(s.world);
    int n = pli_world_unknown_count(s.world);
    double *g = room(n), *later = room(n);
    pli_step_rule rule;
    ASSERT_OK(pli_world_gradient(s.world, PLI_OF_STEP, NULL, g, &error));
    ASSERT_OK(pli_world_set_time_step(s.world, 0.03, &error));
    ASSERT_OK(pli_world_set_target(s.world, s.motion, (double[3]){0.01, 0, 0}, &error));
    ASSERT_OK(pli_world_gradient(s.world, PLI_OF_STEP, NULL, later, &error));
    assert_memory_equal(g, later, sizeof *g * (size_t)n);
    ASSERT_OK(pli_world_step_rule(s.world, &rule, &error));
    ASSERT_NEAR(rule.time_step, 0.01, 1e-15);
    pli_world* copy = NULL; // a copy has the state, and no last step
    ASSERT_OK(pli_world_clone(s.world, &copy, &error));
    refuse_step(copy);
    check_step(copy);
    pli_world_destroy(copy);
    free(g), free(later);
    pli_world_destroy(s.world);
}

// Asked or not, a world that changes goes on with the same bits.
static void test_changes_leave_no_trace(void** state) {
    (void)state;
    for (int i = 0; i < CHANGES; ++i) {
        scene asked = make_scene("backward-euler"), other = make_scene("backward-euler");
        for (int n = 0; n < 2; ++n) advance(asked.world), advance(other.world);
        ask_everything(asked.world);
        changes[i].make(&asked);
        changes[i].make(&other);
        ASSERT_OK(pli_world_prepare(asked.world, &error));
        ASSERT_OK(pli_world_prepare(other.world, &error));
        compare_runs(asked.world, other.world, 3);
    }
}

// dq_end / d young of a step is -H^-1 d(dP/dq)/d young, from gradients of P with the parameter set.
static void test_sensitivity(void** state) {
    (void)state;
    enum { MAX = 64 };
    const double young = 1e5, difference = 1;
    double end[2][MAX], g[2][MAX], dq[MAX], Hdq[MAX], size = 0;
    uint8_t held[MAX];
    pli_sparse h = {0};
    int n = 0;
    for (int i = 0; i < 3; ++i) { // less, more, and the one whose H is taken
        pli_world_def def = node_def("backward-euler", 2);
        def.gravity[1] = -9.81;
        pli_world* world = make_world(&def);
        pli_body_id id = add_square(world, &(square){.segments = 1, .stiffness = young});
        fix(world, id, (int32_t[1]){0}, 1);
        advance(world);
        advance(world);
        pli_setting to = {"young", i == 2 ? young : young + (i == 0 ? -difference : difference)};
        ASSERT_OK(pli_world_set_energy(world, pli_world_energy_id(world, 0), &to, 1, &error));
        advance(world);
        n = pli_world_unknown_count(world);
        assert_true(n <= MAX);
        if (i < 2) {
            ASSERT_OK(pli_world_unknowns(world, end[i], NULL, &error));
            pli_world_destroy(world);
            continue;
        }
        ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error));
        ASSERT_OK(pli_world_held_unknowns(world, held, &error));
        for (int k = 0; k < 2; ++k) {
            to.value = young + (k == 0 ? -difference : difference);
            ASSERT_OK(pli_world_set_energy(world, pli_world_energy_id(world, 0), &to, 1, &error));
            ASSERT_OK(pli_world_gradient(world, PLI_OF_POTENTIAL, NULL, g[k], &error));
        }
        pli_world_destroy(world);
    }
    for (int j = 0; j < n; ++j) dq[j] = (end[1][j] - end[0][j]) / (2 * difference);
    multiply_mass(&h, dq, Hdq);
    for (int j = 0; j < n; ++j) size = fmax(size, fabs(g[1][j] - g[0][j]) / (2 * difference));
    assert_true(size > 0);
    // 1e-3: what the tolerance of the steps leaves of so small a change
    for (int j = 0; j < n; ++j)
        if (!held[j]) ASSERT_NEAR(Hdq[j], -(g[1][j] - g[0][j]) / (2 * difference), 1e-3 * size);
    pli_sparse_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nodes),       cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_node_places), cmocka_unit_test(test_nothing_changes),
        cmocka_unit_test(test_changes),     cmocka_unit_test(test_not_prepared),
        cmocka_unit_test(test_step_stays),  cmocka_unit_test(test_changes_leave_no_trace),
        cmocka_unit_test(test_sensitivity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
