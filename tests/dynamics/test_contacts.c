// What readers are told of contact: points, forces and sums, in the plane and in space, and that
// all of it adds up to the momentum.
#include "dynamics/worlds.h"
#include "oracle/allocator.h"

#include <stdlib.h>

static const double g = 9.81;

static pli_body_id add_block(pli_world* world, const char* name, const double centre[3]) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double size[3] = {0.1, 0.1, 0.1};
    const int segments[3] = {2, 2, 2};
    ASSERT_OK(pli_mesh_add_box(&mesh, size, segments, &error));
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int k = 0; k < 3; ++k) mesh.positions[3 * v + k] += centre[k];
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.density = 1000;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", k, 2, NULL, &error));
    return id;
}

static pli_world_def space_def(void) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.gravity[1] = -g;
    def.contact.dhat = 1e-3;
    return def;
}

static double mass_of(const pli_world* world, int body) {
    double mass = 0;
    for (int v = pli_world_body_vertex(world, body); v < pli_world_body_vertex(world, body + 1);
         ++v)
        mass += pli_world_vertex_masses(world)[v];
    return mass;
}

static void sum_of(const pli_world* world, int body, const double* values, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int v = pli_world_body_vertex(world, body); v < pli_world_body_vertex(world, body + 1);
         ++v)
        for (int k = 0; k < 3; ++k) out[k] += values[3 * v + k];
}

// The sum over all pairs of bodies of forces on one of them.
static void sum_of_pairs(const pli_world* world, int body, bool friction, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < pli_world_body_contact_count(world); ++i) {
        pli_body_contact_info pair = pli_world_body_contact(world, i);
        double sign = (pair.body[0] == body) - (pair.body[1] == body);
        for (int k = 0; k < 3; ++k) out[k] += sign * (friction ? pair.friction : pair.force)[k];
    }
}

// Everything that must agree in any state. Sums of the same numbers in another order: roundings.
static void check_sums(const pli_world* world) {
    const pli_contact_info* list = pli_world_contacts(world);
    int count = pli_world_contact_count(world), of_pairs = 0;
    double size = 1e-12;
    for (int i = 0; i < count; ++i) {
        const pli_contact_info* c = &list[i];
        double length = 0;
        for (int k = 0; k < 3; ++k) {
            ASSERT_NEAR(c->point[0][k] - c->point[1][k], c->distance * c->normal[k], 1e-14);
            length += c->normal[k] * c->normal[k];
        }
        ASSERT_NEAR(length, 1, 1e-12);
        assert_true(c->distance > 0 && c->distance < pli_world_dhat(world) && c->force >= 0);
        size += c->force;
    }
    for (int i = 0; i < pli_world_body_contact_count(world); ++i) {
        pli_body_contact_info pair = pli_world_body_contact(world, i);
        of_pairs += pair.count;
        assert_true(pair.body[0] >= 0 && (pair.body[1] < 0 || pair.body[1] >= pair.body[0]));
    }
    assert_int_equal(of_pairs, count);
    for (int b = 0; b < pli_world_body_count(world); ++b)
        for (int friction = 0; friction < 2; ++friction) {
            double of_vertices[3], pairs[3];
            sum_of(world, b,
                   friction ? pli_world_friction_forces(world) : pli_world_contact_forces(world),
                   of_vertices);
            sum_of_pairs(world, b, friction, pairs);
            for (int k = 0; k < 3; ++k) ASSERT_NEAR(of_vertices[k], pairs[k], 1e-10 * size);
        }
}

// Backward Euler: m (v - v_n) / h = weight + contact + friction, for each body that nothing holds.
static void momentum_of(const pli_world* world, int body, double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int v = pli_world_body_vertex(world, body); v < pli_world_body_vertex(world, body + 1);
         ++v)
        for (int k = 0; k < 3; ++k)
            out[k] += pli_world_vertex_masses(world)[v] * pli_world_velocities(world)[3 * v + k];
}

static void checked_step(pli_world* world) {
    double before[4][3], after[3], gravity[3], contact[3], friction[3];
    for (int b = 0; b < pli_world_body_count(world); ++b) momentum_of(world, b, before[b]);
    pli_step_info info = step(world);
    assert_int_equal(info.reason, PLI_CONVERGED);
    assert_int_equal(info.contact_count, pli_world_contact_count(world));
    check_sums(world);
    pli_world_gravity(world, gravity);
    for (int b = 0; b < pli_world_body_count(world); ++b) {
        double weight = mass_of(world, b) * g;
        momentum_of(world, b, after);
        sum_of(world, b, pli_world_contact_forces(world), contact);
        sum_of(world, b, pli_world_friction_forces(world), friction);
        for (int k = 0; k < 3; ++k) {
            double force = contact[k] + friction[k] + mass_of(world, b) * gravity[k];
            // What Newton's method leaves over.
            ASSERT_NEAR((after[k] - before[b][k]) / info.time_step, force, 1e-6 * weight);
        }
    }
}

static pli_world* two_blocks(const pli_world_def* def) {
    pli_world* world = make_world(def);
    const double low[3] = {0, 0.0512, 0}, high[3] = {0.02, 0.156, 0.013};
    add_block(world, "lower", low);
    add_block(world, "upper", high);
    add_ground(world, 0, 0.4);
    return world;
}

static void test_sums_are_the_momentum(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.contact.friction = 0.3;
    def.solver.tolerance = 1e-10;
    def.gravity[0] = 2; // so that something slides
    pli_world* world = two_blocks(&def);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_contact_count(world), 0);
    assert_null(pli_world_contacts(world));
    for (int n = 0; n < 25; ++n) checked_step(world);
    assert_true(pli_world_contact_count(world) > 10);
    assert_int_equal(pli_world_body_contact_count(world), 2);
    pli_body_contact_info ground = pli_world_body_contact(world, 0),
                          between = pli_world_body_contact(world, 1);
    assert_true(ground.body[0] == 0 && ground.body[1] == -1); // half-spaces before bodies
    assert_true(between.body[0] == 0 && between.body[1] == 1);
    assert_true(ground.force[1] > 0 && between.force[1] < 0);
    double force[3], back[3];
    pli_world_contact_force(world, 0, 1, force);
    pli_world_contact_force(world, 1, 0, back);
    for (int k = 0; k < 3; ++k) {
        assert_true(force[k] == between.force[k]);
        assert_true(force[k] == -back[k]);
    }
    pli_world_contact_force(world, 0, -1, force);
    for (int k = 0; k < 3; ++k) assert_true(force[k] == ground.force[k]);
    pli_world_contact_force(world, 5, 1, force);
    assert_true(force[1] == 0);
    assert_int_equal(pli_world_body_contact(world, 2).count, 0);
    pli_world_destroy(world);
}

// At rest: the ground bears the weight, and on a slope (gravity is turned) friction bears m g sin.
static void test_rest_on_a_slope(void** state) {
    (void)state;
    double angle = 0.2;
    pli_world_def def = space_def();
    def.gravity[0] = g * sin(angle);
    def.gravity[1] = -g * cos(angle);
    def.time_step = 0.05;
    def.solver.tolerance = 1e-9;
    def.contact.friction_speed = 1e-5;
    pli_world* world = make_world(&def);
    const double centre[3] = {0, 0.0505, 0};
    add_block(world, "block", centre);
    add_ground(world, 0, 0.5);
    for (int n = 0; n < 40; ++n) checked_step(world);
    pli_body_contact_info pair = pli_world_body_contact(world, 0);
    double weight = mass_of(world, 0) * g; // 1e-3: it still swings a little
    ASSERT_NEAR(pair.force[1], weight * cos(angle), 1e-3 * weight);
    ASSERT_NEAR(pair.friction[0], -weight * sin(angle), 1e-3 * weight);
    ASSERT_NEAR(pair.friction[1], 0, 1e-9 * weight);
    assert_int_equal(pair.count, 9);
    double least = 1;
    for (int i = 0; i < 9; ++i) {
        const pli_contact_info* c = &pli_world_contacts(world)[i];
        assert_true(c->body[0] == 0 && c->body[1] == -1);
        assert_true(c->vertex_count[0] == 1 && c->vertex_count[1] == 0);
        assert_memory_equal(c->point[0], pli_world_positions(world) + 3 * c->vertices[0][0],
                            sizeof c->point[0]);
        ASSERT_NEAR(c->point[1][1], 0, 1e-15); // on the ground
        assert_true(c->friction[0] < 0);
        least = fmin(least, c->distance);
    }
    assert_true(least == pair.min_distance);
    pli_world_destroy(world);
}

static void test_plane(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[0] = 1.5;
    def.gravity[1] = -g;
    def.contact.dhat = 0.02;
    def.contact.friction = 0.2;
    def.solver.tolerance = 1e-10;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .centre = {0, 0.51}, .stiffness = 1e6});
    add_square(world, &(square){.segments = 2, .centre = {0.1, 1.53}, .stiffness = 1e6});
    add_ground(world, 0, 0.3);
    for (int n = 0; n < 60; ++n) checked_step(world);
    assert_int_equal(pli_world_body_contact_count(world), 2);
    bool edges = false;
    for (int i = 0; i < pli_world_contact_count(world); ++i) {
        const pli_contact_info* c = &pli_world_contacts(world)[i];
        assert_true(c->normal[2] == 0 && c->friction[2] == 0);
        edges = edges || (c->vertex_count[0] == 1 && c->vertex_count[1] == 2);
    }
    assert_true(edges);
    pli_world_destroy(world);
}

// Points with thickness: the closest points are on their surfaces.
static void test_thickness(void** state) {
    (void)state;
    pli_world_def def = space_def();
    def.gravity[1] = 0;
    pli_world* world = make_world(&def);
    const double at[2][3] = {{0, 0, 0}, {0.0505, 0, 0}}, radius[2] = {0.02, 0.03};
    for (int i = 0; i < 2; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_vertices(&mesh, 1, at[i], NULL, &error));
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.vertex_mass = 1;
        body.contact_thickness = radius[i];
        body.contact_area = 1e-4;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
    }
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_contact_count(world), 1);
    const pli_contact_info* c = pli_world_contacts(world);
    assert_true(c->vertex_count[0] == 1 && c->vertex_count[1] == 1);
    int left = c->body[0] == 0 ? 0 : 1;
    ASSERT_NEAR(c->point[left][0], 0.02, 1e-15);
    ASSERT_NEAR(c->point[1 - left][0], 0.0205, 1e-15);
    ASSERT_NEAR(c->distance, 5e-4, 1e-15);
    assert_true(pli_world_body_thickness(world, 1) == 0.03);
    assert_true(pli_world_body_thickness(world, 2) == 0);
    pli_world_destroy(world);
}

// The plane moves with a body: contacts are with the half-space, and the body feels them.
static void test_carried_half_space(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = 0;
    def.contact.dhat = 0.05;
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    add_point(world, 0, 0.03, 0, -1);
    pli_half_space_def floor = pli_default_half_space_def();
    floor.carrier = add_point(world, 0, 0, 0, 0);
    ASSERT_OK(pli_world_add_half_space(world, &floor, NULL, &error));
    step(world);
    assert_int_equal(pli_world_contact_count(world), 1);
    const pli_contact_info* c = pli_world_contacts(world);
    assert_true(c->body[0] == 0 && c->body[1] == -1 && c->vertex_count[1] == 0);
    const double* forces = pli_world_contact_forces(world);
    ASSERT_NEAR(forces[1], c->force, 1e-12 * c->force);
    ASSERT_NEAR(forces[4], -c->force, 1e-12 * c->force);
    pli_world_destroy(world);
}

static void test_nothing_can_touch(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 1, .stiffness = 1e5});
    assert_null(pli_world_contact_forces(world));
    step(world);
    assert_null(pli_world_contact_forces(world));
    assert_null(pli_world_friction_forces(world));
    assert_int_equal(pli_world_contact_count(world), 0);
    assert_int_equal(pli_world_body_contact_count(world), 0);
    pli_world_destroy(world);
}

static void test_threads_do_not_matter(void** state) {
    (void)state;
    pli_contact_info* reference = NULL;
    int count = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
        pli_world_def def = space_def();
        def.contact.friction = 0.3;
        def.thread_count = threads;
        pli_world* world = two_blocks(&def);
        for (int n = 0; n < 12; ++n) step(world);
        if (!reference) {
            count = pli_world_contact_count(world);
            assert_true(count > 0);
            reference = calloc((size_t)count, sizeof *reference);
            assert_non_null(reference);
            memcpy(reference, pli_world_contacts(world), (size_t)count * sizeof *reference);
        }
        assert_int_equal(pli_world_contact_count(world), count);
        assert_memory_equal(pli_world_contacts(world), reference,
                            (size_t)count * sizeof *reference);
        pli_world_destroy(world);
    }
    free(reference);
}

// A step that runs out of memory, wherever that is, leaves the contacts of the state before it.
static void test_no_memory(void** state) {
    (void)state;
    int failed = 0;
    for (int at = 1; at <= 12; ++at) {
        pli_test_allocator counter = {0};
        const pli_allocator allocator = pli_test_hook(&counter);
        pli_world_def def = space_def();
        def.contact.friction = 0.3;
        def.allocator = &allocator;
        def.thread_count = 1;
        pli_world* world = two_blocks(&def);
        for (int n = 0; n < 2; ++n) step(world); // just before they land
        counter.fail_at = counter.requests + at;
        pli_status status = PLI_OK;
        for (int n = 0; n < 12 && status == PLI_OK; ++n) {
            int count = pli_world_contact_count(world);
            double time = pli_world_time(world);
            status = pli_world_step(world, NULL, &error);
            if (status == PLI_OK) continue;
            failed++;
            assert_int_equal(status, PLI_E_MEMORY);
            assert_true(pli_world_time(world) == time);
            assert_int_equal(pli_world_contact_count(world), count);
            check_sums(world);
            counter.fail_at = 0; // and it goes on
            step(world);
            check_sums(world);
        }
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
    print_message("    %d steps failed\n", failed);
    assert_true(failed > 6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums_are_the_momentum),
        cmocka_unit_test(test_rest_on_a_slope),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_carried_half_space),
        cmocka_unit_test(test_nothing_can_touch),
        cmocka_unit_test(test_threads_do_not_matter),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
