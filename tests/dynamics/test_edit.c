// Another mesh for a body of a running world: refinement, its accounts, refusals.
#include <stdlib.h>
#include <string.h>

#include "dynamics/worlds.h"

// ---- refinement: each triangle becomes four

typedef struct refined {
    pli_mesh mesh;
    int32_t *start, *from, *parent;
    double* weight;
    pli_transfer transfer;
} refined;

static int middle_of(refined* r, int32_t (*edges)[2], int* count, int32_t a, int32_t b, int old) {
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    for (int i = 0; i < *count; ++i)
        if (edges[i][0] == low && edges[i][1] == high) return old + i;
    edges[*count][0] = low;
    edges[*count][1] = high;
    int v = old + (*count)++;
    for (int c = 0; c < 3; ++c)
        r->mesh.positions[3 * v + c] =
            0.5 * (r->mesh.positions[3 * low + c] + r->mesh.positions[3 * high + c]);
    return v;
}

// Of body `body` of a plane world: rest shape, triangles and where they come from.
static refined refine(const pli_world* world, int body) {
    int first = pli_world_body_vertex(world, body),
        old = pli_world_body_vertex(world, body + 1) - first;
    int begin = pli_world_body_element(world, body, PLI_TRIANGLE),
        count = pli_world_body_element(world, body + 1, PLI_TRIANGLE) - begin;
    const int32_t* triangles = pli_world_elements(world, PLI_TRIANGLE) + 3 * begin;
    refined r = {0};
    int most = old + 3 * count, edge_count = 0;
    r.mesh.positions = calloc((size_t)(3 * most), sizeof(double));
    r.mesh.elements[PLI_TRIANGLE] = calloc((size_t)(12 * count), sizeof(int32_t));
    r.parent = calloc((size_t)(4 * count), sizeof(int32_t));
    int32_t(*edges)[2] = calloc((size_t)(3 * count), sizeof *edges);
    memcpy(r.mesh.positions, pli_world_rest_positions(world) + 3 * first,
           3 * sizeof(double) * (size_t)old);
    for (int t = 0; t < count; ++t) {
        int32_t v[3], m[3];
        for (int i = 0; i < 3; ++i) v[i] = triangles[3 * t + i] - first;
        for (int i = 0; i < 3; ++i)
            m[i] = middle_of(&r, edges, &edge_count, v[i], v[(i + 1) % 3], old);
        const int32_t four[12] = {v[0], m[0], m[2], m[0], v[1], m[1],
                                  m[2], m[1], v[2], m[0], m[1], m[2]};
        memcpy(r.mesh.elements[PLI_TRIANGLE] + 12 * t, four, sizeof four);
        for (int i = 0; i < 4; ++i) r.parent[4 * t + i] = t;
    }
    r.mesh.vertex_count = old + edge_count;
    r.mesh.element_count[PLI_TRIANGLE] = 4 * count;
    r.start = calloc((size_t)(r.mesh.vertex_count + 1), sizeof(int32_t));
    r.from = calloc((size_t)(old + 2 * edge_count), sizeof(int32_t));
    r.weight = calloc((size_t)(old + 2 * edge_count), sizeof(double));
    for (int i = 0; i < r.mesh.vertex_count; ++i) {
        int at = r.start[i], parents = i < old ? 1 : 2;
        for (int k = 0; k < parents; ++k) {
            r.from[at + k] = i < old ? i : edges[i - old][k];
            r.weight[at + k] = 1.0 / parents;
        }
        r.start[i + 1] = at + parents;
    }
    free(edges);
    r.transfer = (pli_transfer){.start = r.start, .from = r.from, .weight = r.weight};
    r.transfer.element_from[PLI_TRIANGLE] = r.parent;
    return r;
}

static void free_refined(refined* r) {
    free(r->mesh.positions);
    free(r->mesh.elements[PLI_TRIANGLE]);
    free(r->parent);
    free(r->start);
    free(r->from);
    free(r->weight);
}

static pli_world_def plane_def(void) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 2;
    def.time_step = 0.01;
    return def;
}

// ---- accounts

// A flying, deformed, rotating square is refined. Fields that are linear in each element are the
// same on the finer mesh: with consistent mass all integrals stay to rounding. With lumped mass
// momentum and kinetic energy change by O(size^2), and the ledger has by how much.
static void check_accounts(const char* mass) {
    bool exact = strcmp(mass, "consistent") == 0;
    pli_world_def def = plane_def();
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    add_point(world, 20, 0, 0, 0);
    square s = {.segments = 4, .stiffness = 1e5, .velocity = {1, 2}, .mass = mass};
    pli_body_id id = add_square(world, &s);
    add_point(world, -20, 0, 0, 0);
    double v[75];
    const double* rest = pli_world_rest_positions(world);
    for (int i = 0; i < 25; ++i) {
        v[3 * i] = 1 - 2 * rest[3 * i + 4] + 0.5 * rest[3 * i + 3];
        v[3 * i + 1] = 2 + 2 * rest[3 * i + 3];
        v[3 * i + 2] = 0;
    }
    ASSERT_OK(pli_world_set_velocities(world, id, v, true, &error));
    for (int i = 0; i < 20; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    double changes = pli_world_balance(world).changes;
    refined r = refine(world, 1);
    pli_edit_info info;
    ASSERT_OK(pli_world_edit(world, id, &r.mesh, &r.transfer, &info, &error));
    assert_int_equal(pli_world_body_vertex(world, 2) - pli_world_body_vertex(world, 1), 81);
    assert_int_equal(pli_world_topology_epoch(world), 1);
    ASSERT_NEAR(info.mass[1], info.mass[0], 1e-9);
    ASSERT_NEAR(info.potential[1], info.potential[0], 1e-9 * fabs(info.potential[0]) + 1e-9);
    for (int c = 0; c < 2; ++c)
        ASSERT_NEAR(info.momentum[1][c], info.momentum[0][c],
                    (exact ? 1e-12 : 0.02) * fabs(info.momentum[0][c]));
    ASSERT_NEAR(info.kinetic[1], info.kinetic[0], (exact ? 1e-12 : 0.05) * info.kinetic[0]);
    if (exact)
        ASSERT_NEAR(info.angular_momentum[1][2], info.angular_momentum[0][2],
                    1e-12 * fabs(info.angular_momentum[0][2]));
    ASSERT_NEAR(pli_world_balance(world).changes - changes,
                info.kinetic[1] + info.potential[1] - info.kinetic[0] - info.potential[0], 1e-9);
    for (int i = 0; i < 20; ++i) assert_int_equal(step(world).reason, PLI_CONVERGED);
    pli_balance b = pli_world_balance(world);
    double left = b.kinetic + b.potential + b.dissipated + b.numerical - b.work_prescribed -
                  b.work_loads - b.stiffening - b.changes - b.residual;
    ASSERT_NEAR(left, 0, 1e-6);
    // others have not moved
    ASSERT_NEAR(pli_world_positions(world)[0], 20, 0);
    ASSERT_NEAR(pli_world_positions(world)[3 * (1 + 81)], -20, 0);
    free_refined(&r);
    pli_world_destroy(world);
}

static void test_accounts(void** state) {
    (void)state;
    check_accounts("lumped");
    check_accounts("consistent");
}

// ---- supports, motions, loads and contact go on

static void test_goes_on(void** state) {
    (void)state;
    pli_world_def def = plane_def();
    def.gravity[1] = -9.81;
    pli_world* world = make_world(&def);
    add_ground(world, -2, 0.3);
    square s = {.segments = 2, .stiffness = 1e6};
    pli_body_id id = add_square(world, &s);
    square low = {.segments = 2, .stiffness = 1e5, .centre = {0.2, -1.4}};
    add_square(world, &low);
    int32_t top[3];
    int count = 0;
    for (int i = 0; i < 9; ++i)
        if (pli_world_rest_positions(world)[3 * i + 1] > 0.49) top[count++] = i;
    assert_int_equal(count, 3);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = top;
    motion.vertex_count = 3;
    motion.velocity[1] = -0.5;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    pli_load_def load = pli_default_load_def();
    load.kind = "traction";
    load.vertices = top;
    load.vertex_count = 3;
    load.value[0] = 1000;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    for (int i = 0; i < 20; ++i) assert_true(step(world).kept);
    double force = pli_world_support(world, 0).force[0];
    refined r = refine(world, 0);
    ASSERT_OK(pli_world_edit(world, id, &r.mesh, &r.transfer, NULL, &error));
    assert_int_equal(pli_world_support(world, 0).vertex_count, 5);
    for (int i = 0; i < 40; ++i) {
        assert_true(step(world).kept);
        ASSERT_OK(pli_world_verify(world, &error));
    }
    // 0.6 s at 0.5 m/s down, straight
    const double* x = pli_world_positions(world);
    for (int i = 0; i < 25; ++i)
        if (pli_world_rest_positions(world)[3 * i + 1] > 0.49)
            ASSERT_NEAR(x[3 * i + 1], 0.5 - 0.3, 1e-6); // as near as it must come
    ASSERT_NEAR(pli_world_support(world, 0).force[0], force, 0.2 * fabs(force)); // against the load
    assert_true(pli_world_contact_count(world) > 0);
    free_refined(&r);
    pli_world_destroy(world);
}

// ---- states of energies

// Sliders that have yielded keep their slip: a bar of two is cut into the same two.
static void test_states(void** state) {
    (void)state;
    pli_world_def def = plane_def();
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {2, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 2, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_setting settings[2] = {{"stiffness", 100}, {"yield", 10}};
    ASSERT_OK(pli_world_add_energy(world, id, "slider", settings, 2, NULL, &error));
    const int32_t ends[2] = {0, 2};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = ends;
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    pli_prescribe_def pull = pli_default_prescribe_def();
    pull.vertices = ends + 1;
    pull.vertex_count = 1;
    pull.velocity[0] = 1;
    pull.travel = 1;
    ASSERT_OK(pli_world_prescribe(world, id, &pull, NULL, &error));
    for (int i = 0; i < 600; ++i) step(world); // until the middle has come to rest
    double force = pli_world_support(world, 1).force[0];
    assert_true(force > 1 && force < 10);
    // the same vertices in another order, elements found by their vertices and by element_from
    double positions[9] = {2, 0, 0, 1, 0, 0, 0, 0, 0};
    int32_t segments[4] = {2, 1, 1, 0}, start[4] = {0, 1, 2, 3}, from[3] = {2, 1, 0};
    double weight[3] = {1, 1, 1};
    int32_t parents[2] = {0, 1};
    pli_mesh other = {.vertex_count = 3, .positions = positions};
    other.elements[PLI_SEGMENT] = segments;
    other.element_count[PLI_SEGMENT] = 2;
    pli_transfer transfer = {.start = start, .from = from, .weight = weight};
    for (int pass = 0; pass < 2; ++pass) {
        transfer.element_from[PLI_SEGMENT] = pass ? parents : NULL;
        ASSERT_OK(pli_world_edit(world, id, &other, &transfer, NULL, &error));
        for (int i = 0; i < 3; ++i) step(world);
        ASSERT_NEAR(pli_world_support(world, 1).force[0], force, 0.05);
        // back to the first order
        double straight[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
        memcpy(positions, straight, sizeof straight);
        int32_t forward[4] = {0, 1, 1, 2};
        memcpy(segments, forward, sizeof forward);
    }
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// ---- particles

// A body of points that grows and shrinks: what stays goes on, what is emitted flies with its
// velocity.
static void test_particles(void** state) {
    (void)state;
    pli_world_def def = plane_def();
    def.gravity[1] = -10;
    def.scheme = "bdf2";
    pli_world* world = make_world(&def);
    pli_body_id id = add_point(world, 0, 0, 1, 0);
    for (int i = 0; i < 10; ++i) step(world);
    double before[2] = {pli_world_positions(world)[0], pli_world_positions(world)[1]};
    double points[6] = {5, 0, 0, 0, 0, 0}, velocities[6] = {0, 3, 0, 0, 0, 0};
    int32_t start[3] = {0, 0, 1}, from[1] = {0};
    double weight[1] = {1};
    pli_mesh two = {.vertex_count = 2, .positions = points};
    pli_transfer transfer = {
        .start = start, .from = from, .weight = weight, .velocities = velocities};
    pli_edit_info info;
    ASSERT_OK(pli_world_edit(world, id, &two, &transfer, &info, &error));
    ASSERT_NEAR(info.momentum[1][1] - info.momentum[0][1], 3, 1e-9);
    const double* x = pli_world_positions(world);
    assert_true(x[3] == before[0] && x[4] == before[1]); // to the last bit
    for (int i = 0; i < 10; ++i) step(world);
    x = pli_world_positions(world);
    ASSERT_NEAR(x[0], 5, 1e-12);
    ASSERT_NEAR(x[1], 3 * 0.1 - 5 * 0.01, 0.006); // bdf2 starts with a step of order 1: h^2 g
    ASSERT_NEAR(x[3], 0.2, 1e-12);
    // the first one goes again
    pli_mesh one = {.vertex_count = 1, .positions = points + 3};
    int32_t last[1] = {1}, whole[2] = {0, 1};
    transfer = (pli_transfer){.start = whole, .from = last, .weight = weight};
    ASSERT_OK(pli_world_edit(world, id, &one, &transfer, NULL, &error));
    assert_int_equal(pli_world_vertex_count(world), 1);
    step(world);
    ASSERT_NEAR(pli_world_positions(world)[0], 0.21, 1e-12);
    velocities[1] = NAN;
    transfer =
        (pli_transfer){.start = start, .from = from, .weight = weight, .velocities = velocities};
    assert_int_equal(pli_world_edit(world, id, &two, &transfer, NULL, &error), PLI_E_ARGUMENT);
    pli_world_destroy(world);
}

// ---- refusals

static void test_refusals(void** state) {
    (void)state;
    pli_world_def def = plane_def();
    pli_world* world = make_world(&def);
    square s = {.segments = 2, .stiffness = 1e6};
    pli_body_id id = add_square(world, &s);
    square near = {.segments = 2, .stiffness = 1e6, .centre = {1.1, 0}};
    add_square(world, &near);
    for (int i = 0; i < 3; ++i) step(world);
    double before[54];
    memcpy(before, pli_world_positions(world), sizeof before);
    refined r = refine(world, 0);
    assert_int_equal(pli_world_edit(world, id, &r.mesh, NULL, NULL, &error), PLI_E_ARGUMENT);
    r.weight[0] = 0.7;
    assert_int_equal(pli_world_edit(world, id, &r.mesh, &r.transfer, NULL, &error), PLI_E_ARGUMENT);
    r.weight[0] = 1;
    int32_t from = r.from[1];
    r.from[1] = 99;
    assert_int_equal(pli_world_edit(world, id, &r.mesh, &r.transfer, NULL, &error), PLI_E_ARGUMENT);
    r.from[1] = from;
    assert_int_equal(pli_world_edit(world, id, NULL, NULL, NULL, &error), PLI_E_ARGUMENT);
    // an inverted element: refused by the energy, and the world is as before
    int32_t* t = r.mesh.elements[PLI_TRIANGLE];
    int32_t kept = t[0];
    t[0] = t[1];
    t[1] = kept;
    assert_int_not_equal(pli_world_edit(world, id, &r.mesh, &r.transfer, NULL, &error), PLI_OK);
    assert_int_equal(pli_world_vertex_count(world), 18);
    assert_memory_equal(pli_world_positions(world), before, sizeof before);
    for (int i = 0; i < 3; ++i) assert_true(step(world).kept);
    // with another shape at rest it pushes its neighbour away, or nothing happens at all
    free_refined(&r);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accounts), cmocka_unit_test(test_goes_on),
        cmocka_unit_test(test_states),   cmocka_unit_test(test_particles),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
