// The eight programs of the lecture as scenes: the reference trajectories, and the same scenes with
// other parameters.
#include "oracle/tutorial.h"

static pli_scene* open_scene(const char* name, const char* const* overrides, int count) {
    char path[512];
    snprintf(path, sizeof path, PLIANT_SOURCE_DIR "/scenes/tutorial/%s.json", name);
    pli_scene_def def = pli_default_scene_def();
    def.path = path;
    def.overrides = overrides;
    def.override_count = count;
    pli_scene* scene;
    pli_error error = {0};
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    char text[1024];
    for (int i = 0; i < pli_scene_finding_count(scene); ++i)
        if (pli_scene_finding(scene, i)->severity == PLI_ERROR)
            fail_msg("%s", pli_scene_finding_text(scene, i, text, sizeof text));
    return scene;
}

static void test_references(void** state) {
    (void)state;
    static const char* const names[] = {"1_mass_spring",  "2_dirichlet",     "3_contact",
                                        "4_friction",     "5_mov_dirichlet", "6_inv_free",
                                        "7_self_contact", "8_self_friction", "9_reduced_DOF"};
    static pli_tutorial reference;
    for (int i = 0; i < 9; ++i) {
        const char* overrides[] = {"solver.tolerance=1e-9"};
        print_message("  %s\n", names[i]);
        pli_tutorial_read(names[i], &reference);
        pli_scene* scene = open_scene(names[i], overrides, 1);
        pli_tutorial_compare(pli_scene_world(scene), &reference);
        pli_scene_destroy(scene);
    }
}

// Energies by the names that the reference uses.
static double energy(const pli_world* world, const char* name) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(world); ++i)
        if (strstr(pli_world_energy_name(world, i), name)) sum += pli_world_energy_value(world, i);
    return sum;
}

static void test_energies(void** state) {
    (void)state;
    static pli_tutorial reference;
    const char* overrides[] = {"solver.tolerance=1e-9"};
    pli_tutorial_read("7_self_contact", &reference);
    pli_scene* scene = open_scene("7_self_contact", overrides, 1);
    pli_world* world = pli_scene_world(scene);
    pli_error error = {0};
    for (int s = 0; s < reference.snapshot_count; ++s) {
        while (pli_world_step_count(world) < reference.snapshots[s].step) {
            pli_step_info info;
            ASSERT_OK(pli_world_step(world, &info, &error));
            assert_true(info.kept);
        }
        // positions agree to 1e-8 m, forces are up to 1e5 N
        ASSERT_NEAR(energy(world, "kinetic"), reference.snapshots[s].kinetic, 1e-2);
        ASSERT_NEAR(energy(world, "neo-hookean"), reference.snapshots[s].elastic, 1e-2);
        ASSERT_NEAR(energy(world, "gravity"), reference.snapshots[s].gravity, 1e-2);
        ASSERT_NEAR(energy(world, "barrier"), reference.snapshots[s].barrier, 1e-2);
    }
    pli_scene_destroy(scene);
}

// Nothing about the scenes is wired in: other meshes, stiffnesses, slopes, steps. They must run
// without a stop, stay finite and keep above the ground.
static void test_changed_parameters(void** state) {
    (void)state;
    static const struct {
        const char* name;
        const char* overrides[3];
        double ground; // lowest y allowed
    } cases[] = {
        {"1_mass_spring",
         {"bodies[0].mesh.segments=[9,7]", "bodies[0].stretch=[2.5,0.7]"},
         -HUGE_VAL},
        {"1_mass_spring", {"time.step=0.5", "bodies[0].energies[0].stiffness=1e8"}, -HUGE_VAL},
        {"2_dirichlet", {"bodies[0].energies[0].stiffness=100", "time.step=0.1"}, -HUGE_VAL},
        {"3_contact", {"time.step=0.2", "contact.dhat=1e-4"}, -1},
        {"3_contact", {"bodies[0].velocity=[0,-200]", "contact.stiffness=1e7"}, -1},
        {"4_friction", {"obstacles[0].friction=1.5", "obstacles[0].normal=[0.5,1]"}, -HUGE_VAL},
        {"5_mov_dirichlet", {"bodies[0].energies[0].stiffness=1e5", "time.step=0.03"}, -1},
        {"6_inv_free", {"bodies[0].mesh.segments=[8,8]", "bodies[0].energies[0].young=1e4"}, -1},
        {"7_self_contact", {"bodies[0].mesh.segments=[6,6]", "bodies[1].mesh.segments=[5,5]"}, -1},
        {"8_self_friction", {"contact.friction=1", "time.step=0.04", "contact.dhat=0.002"}, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        int count = cases[i].overrides[2] ? 3 : 2;
        pli_scene* scene = open_scene(cases[i].name, cases[i].overrides, count);
        pli_world* world = pli_scene_world(scene);
        pli_error error = {0};
        for (int n = 0; n < 150; ++n) {
            pli_step_info info;
            ASSERT_OK(pli_world_step(world, &info, &error));
            if (info.reason != PLI_CONVERGED)
                fail_msg("case %zu, step %d: %s", i, n, pli_reason_text(info.reason));
            for (int v = 0; v < pli_world_vertex_count(world); ++v) {
                const double* x = pli_world_positions(world) + 3 * v;
                assert_true(isfinite(x[0]) && isfinite(x[1]) && x[1] > cases[i].ground);
            }
        }
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_changed_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
