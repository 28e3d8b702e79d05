// Resultants of the reactions per support: weight, moment of a clamp, change of momentum.
#include "dynamics/worlds.h"

static pli_world_def plain_def(int dim, const char* scheme) {
    pli_world_def def = pli_default_world_def();
    def.dimension = dim;
    def.scheme = scheme;
    def.gravity[1] = -9.81;
    def.contact.bodies = false;
    def.thread_count = 2;
    def.solver.tolerance = 1e-10;
    def.solver.gradient_tolerance = 1e-10; // of statics
    return def;
}

// A box [0, length] x [-0.1, 0.1] (x [-0.1, 0.1]) of stable neo-Hookean material, 1000 kg/m^3.
static pli_body_id add_beam(pli_world* world, int dim, double length, double young) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    if (dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, length, 0.2, 10, 2, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(pli_mesh_add_bar(&mesh, (const double[3]){length, 0.2, 0.2},
                                   (const int[3]){10, 2, 2}, &error));
    for (int v = 0; v < mesh.vertex_count && dim == 2; ++v) mesh.positions[3 * v] += length / 2;
    pli_body_def def = pli_default_body_def();
    def.name = "beam";
    def.mesh = &mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_setting settings[2] = {{"young", young}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "stable-neo-hookean", settings, 2, NULL, &error));
    pli_mesh_free(&mesh);
    return id;
}

// Vertices of the world with rest position x.
static int select_x(const pli_world* world, double x, int32_t* out) {
    int count = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v)
        if (fabs(pli_world_rest_positions(world)[3 * v] - x) < 1e-9) out[count++] = v;
    return count;
}

static void fix_at(pli_world* world, pli_body_id id, double x) {
    int32_t vertices[100];
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = vertices;
    fix.vertex_count = select_x(world, x, vertices);
    assert_true(fix.vertex_count >= 3);
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
}

// A cantilever at rest: the clamp carries the weight, and about its centre the moment of the weight
// at the centre of mass.
static void clamp_carries_weight_and_moment(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        int dim = 2 + i % 2;
        bool statics = i / 2;
        pli_world_def def = plain_def(dim, statics ? "static" : "backward-euler");
        if (!statics) def.time_step = 100; // loses all motion in a few steps
        pli_world* world = make_world(&def);
        pli_body_id id = add_beam(world, dim, 1, 1e7);
        fix_at(world, id, 0);
        assert_int_equal(pli_world_support_count(world), 1);
        for (int s = 0; s < (statics ? 1 : 6); ++s)
            assert_int_equal(step(world).reason, PLI_CONVERGED);
        pli_support_info support = pli_world_support(world, 0);
        assert_string_equal(support.kind, "fixed");
        assert_int_equal(support.body, 0);
        assert_int_equal(support.vertex_count, dim == 2 ? 3 : 9);
        double mass = 0, centre[3] = {0};
        for (int v = 0; v < pli_world_vertex_count(world); ++v) {
            double m = pli_world_vertex_masses(world)[v];
            mass += m;
            for (int c = 0; c < 3; ++c) centre[c] += m * pli_world_positions(world)[3 * v + c];
        }
        double weight = mass * 9.81;
        // Forces are as good as the solver's tolerance.
        ASSERT_NEAR(support.force[1], weight, 1e-6 * weight);
        ASSERT_NEAR(support.force[0], 0, 1e-6 * weight);
        ASSERT_NEAR(support.force[2], 0, 1e-6 * weight);
        double arm[3];
        for (int c = 0; c < 3; ++c) arm[c] = centre[c] / mass - support.centre[c];
        assert_true(arm[0] > 0.45);
        ASSERT_NEAR(support.torque[0], -weight * arm[2], 1e-6 * weight); // cells are not symmetric
        ASSERT_NEAR(support.torque[1], 0, 1e-6 * weight);
        ASSERT_NEAR(support.torque[2], weight * arm[0], 1e-6 * weight);
        pli_world_destroy(world);
    }
}

// Two supports share the weight of a beam between them; one slides on a slope, so that both press
// along x, too.
static void two_supports_share_the_weight(void** state) {
    (void)state;
    pli_world_def def = plain_def(3, "static");
    pli_world* world = make_world(&def);
    pli_body_id id = add_beam(world, 3, 1, 1e7);
    fix_at(world, id, 0);
    int32_t vertices[100];
    pli_fix_def slope = pli_default_fix_def();
    slope.vertices = vertices;
    slope.vertex_count = select_x(world, 1, vertices);
    slope.normal[0] = -1;
    slope.normal[1] = 1;
    ASSERT_OK(pli_world_fix(world, id, &slope, NULL, &error));
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    pli_support_info a = pli_world_support(world, 0), b = pli_world_support(world, 1);
    assert_string_equal(b.kind, "sliding");
    double weight = 1000 * 0.04 * 9.81;
    ASSERT_NEAR(a.force[1] + b.force[1], weight, 1e-6 * weight); // the solver's tolerance
    ASSERT_NEAR(a.force[0] + b.force[0], 0, 1e-6 * weight);
    ASSERT_NEAR(b.force[0], -b.force[1], 1e-9 * weight); // along the normal
    assert_true(b.force[1] > 0.2 * weight);
    pli_world_destroy(world);
}

// In motion: supports + gravity = d(momentum)/dt, for backward Euler (p_1 - p_0) / h.
static void momentum_changes_by_the_forces(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_world_def def = plain_def(dim, "backward-euler");
        def.time_step = 0.01;
        pli_world* world = make_world(&def);
        pli_body_id id = add_beam(world, dim, 1, 1e5);
        fix_at(world, id, 0);
        int32_t vertices[100];
        pli_prescribe_def pull = pli_default_prescribe_def();
        pull.vertices = vertices;
        pull.vertex_count = select_x(world, 1, vertices);
        pull.velocity[0] = 0.3;
        pull.velocity[1] = 0.4;
        pull.travel = 0.015; // stops within the run
        ASSERT_OK(pli_world_prescribe(world, id, &pull, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        assert_string_equal(pli_world_support(world, 1).kind, "prescribed");
        double before[3] = {0}, mass = 0;
        for (int v = 0; v < pli_world_vertex_count(world); ++v)
            mass += pli_world_vertex_masses(world)[v];
        for (int s = 0; s < 8; ++s) {
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            double momentum[3] = {0}, largest = 0;
            for (int v = 0; v < pli_world_vertex_count(world); ++v)
                for (int c = 0; c < 3; ++c)
                    momentum[c] +=
                        pli_world_vertex_masses(world)[v] * pli_world_velocities(world)[3 * v + c];
            pli_support_info a = pli_world_support(world, 0), b = pli_world_support(world, 1);
            for (int c = 0; c < 3; ++c)
                largest = fmax(largest, fmax(fabs(a.force[c]), fabs(b.force[c])));
            assert_true(largest > 10);
            for (int c = 0; c < 3; ++c) {
                double rate = (momentum[c] - before[c]) / def.time_step;
                double force = a.force[c] + b.force[c] + mass * def.gravity[c];
                // Newton stops at 1e-10 m/s or better.
                ASSERT_NEAR(rate, force, 1e-6 * largest);
                before[c] = momentum[c];
            }
        }
        pli_world_destroy(world);
    }
}

// A quarter model: one side is held along x, another along y, and the corner along both. Each gets
// its own part of the corner's reaction.
static void supports_meet_at_a_corner(void** state) {
    (void)state;
    for (int both = 0; both < 2; ++both) { // 1: both sides are held along all axes
        pli_world_def def = plain_def(2, "static");
        def.gravity[0] = 3;
        pli_world* world = make_world(&def);
        pli_body_id id = add_beam(world, 2, 1, 1e7);
        int32_t vertices[100];
        const double* rest = pli_world_rest_positions(world);
        pli_fix_def left = pli_default_fix_def(), bottom = pli_default_fix_def();
        left.vertices = bottom.vertices = vertices;
        left.vertex_count = select_x(world, 0, vertices);
        left.axes[1] = bottom.axes[0] = both;
        ASSERT_OK(pli_world_fix(world, id, &left, NULL, &error));
        for (int v = 0; v < pli_world_vertex_count(world); ++v)
            if (fabs(rest[3 * v + 1] + 0.1) < 1e-9) vertices[bottom.vertex_count++] = v;
        ASSERT_OK(pli_world_fix(world, id, &bottom, NULL, &error));
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        assert_int_equal(pli_world_unknown_count(world), both ? 2 * 20 : 2 * 33 - 3 - 11);
        pli_support_info a = pli_world_support(world, 0), b = pli_world_support(world, 1);
        assert_int_equal(a.vertex_count, 3);
        assert_int_equal(b.vertex_count, both ? 10 : 11); // the first has all of the corner
        double weight = 1000 * 0.2 * 9.81;
        ASSERT_NEAR(a.force[1] + b.force[1], weight, 1e-6 * weight); // the solver's tolerance
        ASSERT_NEAR(a.force[0] + b.force[0], -1000 * 0.2 * 3, 1e-6 * weight);
        if (!both) assert_true(a.force[1] == 0 && b.force[0] == 0);
        pli_world_destroy(world);
    }
}

// A call that is refused makes no support; before prepare there are no forces.
static void refused_calls_do_not_count(void** state) {
    (void)state;
    pli_world_def def = plain_def(2, "backward-euler");
    pli_world* world = make_world(&def);
    pli_body_id id = add_beam(world, 2, 1, 1e5);
    fix_at(world, id, 0);
    pli_fix_def twice = pli_default_fix_def(); // a plane beside the axes
    twice.normal[1] = 1;
    assert_int_equal(pli_world_fix(world, id, &twice, NULL, &error), PLI_E_ARGUMENT);
    pli_prescribe_def pull = pli_default_prescribe_def();
    assert_int_equal(pli_world_prescribe(world, id, &pull, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_support_count(world), 1);
    pli_support_info support = pli_world_support(world, 0);
    assert_int_equal(support.vertex_count, 3);
    assert_true(support.force[1] == 0);
    ASSERT_NEAR(support.centre[0], 0, 1e-15);
    pli_world_destroy(world);
}

// A bar pulled to 1.5 times its length by its ends, all vertices prescribed: stretches, energy
// density and stress of every element are those of the closed form.
static void fields_of_a_stretched_bar(void** state) {
    (void)state;
    for (int i = 0; i < 4; ++i) {
        int dim = 2 + i % 2;
        pli_world_def def = plain_def(dim, "backward-euler");
        def.thickness = 0.5;
        def.gravity[1] = 0;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        if (dim == 2)
            ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
        else
            ASSERT_OK(pli_mesh_add_box(&mesh, (const double[3]){1, 1, 1}, (const int[3]){2, 2, 2},
                                       &error));
        if (i / 2) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        double start[3 * 125];
        assert_true(mesh.vertex_count <= 125);
        for (int v = 0; v < mesh.vertex_count; ++v) {
            start[3 * v] = 1.5 * mesh.positions[3 * v];
            start[3 * v + 1] = 0.8 * mesh.positions[3 * v + 1];
            start[3 * v + 2] = mesh.positions[3 * v + 2];
        }
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.initial = start;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_setting lame[2] = {{"lame_mu", 1000}, {"lame_lambda", 3000}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", lame, 2, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        // Psi = mu/2 (tr F^T F - 3) - mu ln J + lam/2 ln^2 J, J sigma = mu (F F^T - 1) + lam ln J
        double J = 1.5 * 0.8, ln = log(J);
        double density = 500 * (2.25 + 0.64 + 1 - 3) - 1000 * ln + 1500 * ln * ln;
        const double sigma[3] = {(1250 + 3000 * ln) / J, (-360 + 3000 * ln) / J, 3000 * ln / J};
        double total = 0, energy[48], densities[48], stress[6 * 48], stretches[3 * 48];
        int seen = 0;
        for (int kind = PLI_SEGMENT; kind < PLI_ELEMENT_KIND_COUNT; ++kind) {
            int count = pli_world_element_count(world, (pli_element_kind)kind);
            assert_true(count <= 48);
            pli_element_fields fields = {energy, densities, stress, stretches};
            pli_world_element_fields(world, (pli_element_kind)kind, &fields);
            double alone[48]; // densities without energies
            pli_world_element_fields(world, (pli_element_kind)kind,
                                     &(pli_element_fields){.energy_density = alone});
            for (int e = 0; e < count; ++e, ++seen) {
                total += energy[e];
                ASSERT_NEAR(densities[e], density, 1e-10 * density); // roundings
                assert_true(alone[e] == densities[e]);
                for (int c = 0; c < 3; ++c) {
                    ASSERT_NEAR(stress[6 * e + c], sigma[c], 1e-9);
                    ASSERT_NEAR(stress[6 * e + 3 + c], 0, 1e-9);
                }
                ASSERT_NEAR(stretches[3 * e], 1.5, 1e-14);
                ASSERT_NEAR(stretches[3 * e + (dim == 2 ? 1 : 2)], 0.8, 1e-14);
                ASSERT_NEAR(stretches[3 * e + (dim == 2 ? 2 : 1)], 1, 1e-14);
            }
        }
        assert_int_equal(seen, dim == 2 ? 8 : 48);
        ASSERT_NEAR(total, density * (dim == 2 ? 0.5 : 1), 1e-10 * density);
        pli_world_destroy(world);
        pli_mesh_free(&mesh);
    }
}

// Two sheets under plane stress, of linear and quadratic triangles, stretched by 1.5 and 0.9: the
// third stretch is the one at which neo-Hookean material has no stress across the plane,
// mu (z^2 - 1) + lam ln(1.35 z) = 0; the sheet beside them under plane strain keeps 1.
static void stretch_across_the_plane(void** state) {
    (void)state;
    pli_world_def def = plain_def(2, "backward-euler");
    def.contact.bodies = false;
    pli_world* world = make_world(&def);
    for (int i = 0; i < 4; ++i) {
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 1, PLI_TRIANGLES, &error));
        if (i / 2) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
        double start[3 * 32] = {0};
        assert_true(mesh.vertex_count <= 32);
        for (int v = 0; v < mesh.vertex_count; ++v) {
            start[3 * v] = 1.5 * mesh.positions[3 * v];
            start[3 * v + 1] = 0.9 * mesh.positions[3 * v + 1];
        }
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.initial = start;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_setting settings[3] = {
            {"lame_mu", 1000}, {"lame_lambda", 3000}, {"plane_stress", i % 2}};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", settings, 3, NULL, &error));
        pli_mesh_free(&mesh);
    }
    ASSERT_OK(pli_world_prepare(world, &error));
    double z = 1;
    for (int i = 0; i < 100; ++i) // Newton's method on the equation above
        z -= (1000 * (z * z - 1) + 3000 * log(1.35 * z)) / (2000 * z + 3000 / z);
    static const pli_element_kind kinds[2] = {PLI_TRIANGLE, PLI_TRIANGLE6};
    for (int k = 0; k < 2; ++k) {
        double stretches[3 * 8];
        assert_int_equal(pli_world_element_count(world, kinds[k]), 8);
        pli_world_element_fields(world, kinds[k], &(pli_element_fields){.stretches = stretches});
        for (int e = 0; e < 8; ++e) {
            ASSERT_NEAR(stretches[3 * e], 1.5, 1e-14);
            ASSERT_NEAR(stretches[3 * e + 1], 0.9, 1e-14);
            ASSERT_NEAR(stretches[3 * e + 2], e < 4 ? 1 : z, 1e-12); // F_zz is solved for
        }
    }
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stretch_across_the_plane),
        cmocka_unit_test(clamp_carries_weight_and_moment),
        cmocka_unit_test(two_supports_share_the_weight),
        cmocka_unit_test(momentum_changes_by_the_forces),
        cmocka_unit_test(supports_meet_at_a_corner),
        cmocka_unit_test(refused_calls_do_not_count),
        cmocka_unit_test(fields_of_a_stretched_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
