// Converged means that forces are right: what contact reports is what momentum needs, and the
// balance of energy closes, also where a body hits another one at 500 m/s.
#include "scene/saved.h"

#include <math.h>

#define SQUARE                                                                                     \
    "\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]}, \"energies\": "  \
    "[{\"type\": \"neo-hookean\", \"young\": 1e6, \"poisson\": 0.4}]"
static const char* const squares =
    "{\"time\": {\"step\": 0.001}, \"bodies\": [{\"name\": \"rest\", " SQUARE
    "}, {\"name\": \"fast\", \"translate\": [0.25, 1.01], \"velocity\": [0, -500], " SQUARE "}]}";

// Two cubes a hair apart over the ground.
#define CUBE                                                                                       \
    "\"mesh\": {\"type\": \"box\", \"size\": [1, 1, 1], \"segments\": [2, 2, 2]}, \"energies\": "  \
    "[{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]"
static const char* const cubes =
    "{\"dimension\": 3, \"time\": {\"step\": 0.1}, \"gravity\": [0, 0, -9.81], \"contact\": "
    "{\"friction\": 0.1}, \"bodies\": [{\"name\": \"a\", \"translate\": [0, 0, 0.501], " CUBE
    "}, {\"name\": \"b\", \"translate\": [0, 0, 1.50100001], " CUBE "}], \"obstacles\": "
    "[{\"type\": \"half-space\", \"point\": [0, 0, 0], \"normal\": [0, 0, 1], \"friction\": 0.1}]}";

// Of a square of 2 x 2 cells, with its mass lumped: two triangles a cell, 1000 kg in all.
static void momentum_of(const pli_world* w, int first, double p[2]) {
    double mass[9] = {0};
    const double third = 1000.0 / 8 / 3;
    const int32_t* triangles = pli_world_elements(w, PLI_TRIANGLE);
    for (int t = 0; t < pli_world_element_count(w, PLI_TRIANGLE); ++t)
        for (int i = 0; i < 3; ++i) {
            int v = triangles[3 * t + i] - first;
            if (v >= 0 && v < 9) mass[v] += third;
        }
    p[0] = p[1] = 0;
    for (int v = 0; v < 9; ++v)
        for (int c = 0; c < 2; ++c) p[c] += mass[v] * pli_world_velocities(w)[3 * (first + v) + c];
}

static double energy_of(const pli_world* w) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(w); ++i) sum += fabs(pli_world_energy_value(w, i));
    return sum;
}

static void forces_are_those_of_momentum(void** state) {
    (void)state;
    pli_scene* scene = make_scene(squares, NULL, 0, 1);
    pli_world* w = pli_scene_world(scene);
    double before[2], after[2], force[3];
    int compared = 0;
    momentum_of(w, 0, before);
    for (int n = 0; n < 10; ++n) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(w, &info, &error));
        assert_int_equal(info.reason, PLI_CONVERGED);
        assert_true(info.unbalanced <= 1e-3);
        assert_true(fabs(info.balance.residual) <= 0.01 * energy_of(w));
        momentum_of(w, 0, after);
        pli_world_contact_force(w, 0, 1, force);
        double needed[2] = {(after[0] - before[0]) / 0.001, (after[1] - before[1]) / 0.001};
        double size = hypot(needed[0], needed[1]);
        // Of the largest single force 1e-3 may be missing; contacts push against each other.
        if (info.substeps == 1 && size > 1e3) {
            assert_true(hypot(force[0] - needed[0], force[1] - needed[1]) <= 0.02 * size);
            compared++;
        }
        memcpy(before, after, sizeof before);
    }
    assert_true(compared >= 3);
    pli_scene_destroy(scene);
}

// With a stiffness that is given and with one that is chosen, by default settings.
static void tiny_gaps_are_left(void** state) {
    (void)state;
    const char* const chosen[] = {"contact.stiffness=\"auto\""};
    for (int i = 0; i < 2; ++i) {
        pli_scene* scene = make_scene(cubes, chosen, i, 1);
        for (int n = 0; n < 5; ++n) {
            pli_step_info info;
            ASSERT_OK(pli_world_step(pli_scene_world(scene), &info, &error));
            assert_int_equal(info.reason, PLI_CONVERGED);
            assert_int_equal(info.substeps, 1);
            assert_true(info.unbalanced <= 1e-3);
        }
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_are_those_of_momentum),
        cmocka_unit_test(tiny_gaps_are_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
