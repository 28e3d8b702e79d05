// Hair on bodies and obstacles: roots on the surface, where they grow, a head that turns, a root
// without contact.
#include "math/vec.h"
#include "scene/support.h"

#include <math.h>

enum { COUNT = 40, SEGMENTS = 6 };

#define HAIR(on, keys, support)                                                                    \
    "{'name': 'hair', 'mesh': {'type': 'strands', 'body': '" on "', 'count': 40, 'length': 0.06, " \
    "'segments': 6, 'seed': 3" keys "}, 'density': 1300, 'contact_self': false, "                  \
    "'contact_thickness': 0.0004, 'energies': [{'type': 'rod', 'radius': 0.0004, 'young': 5e6}], " \
    support "}"
#define SCENE(bodies, obstacles)                                                                   \
    "{'dimension': 3, 'time': {'step': 0.01}, 'gravity': [0, -9.81, 0], 'contact': {'dhat': "      \
    "0.0005}, 'bodies': [" bodies "], 'obstacles': [" obstacles "]}"
#define ROOTS "'fix': [{'group': 'root', 'clamped': true, 'no_contact': true}]"

static pli_scene* made(const char* text) {
    char copy[2000];
    snprintf(copy, sizeof copy, "%s", text);
    for (char* c = copy; *c; ++c)
        if (*c == '\'') *c = '"';
    return scene_of(copy);
}

static const double* positions(pli_scene* scene) {
    if (pli_scene_error_count(scene) > 0) print_findings(scene);
    assert_int_equal(pli_scene_error_count(scene), 0);
    return pli_world_positions(pli_scene_world(scene));
}

// Exactly on a sphere and on a capsule, and along their normals.
static void on_round_obstacles(void** state) {
    (void)state;
    const double c[3] = {0.1, 0.2, 0.3}, a[3] = {-0.2, 0, 0.1}, b[3] = {0.1, 0.3, 0};
    pli_scene* scene = made(SCENE(
        HAIR("head", "", ROOTS),
        "{'type': 'sphere', 'name': 'head', 'center': [0.1, 0.2, 0.3], 'radius': 0.1}"));
    const double* x = positions(scene);
    for (int s = 0; s < COUNT; ++s)
        for (int i = 0; i <= SEGMENTS; ++i) {
            double d[3];
            pli_sub(x + 3 * (s * (SEGMENTS + 1) + i), c, d, 3);
            assert_true(fabs(pli_norm(d, 3) - 0.1 - 0.01 * i) < 1e-14);
        }
    pli_scene_destroy(scene);
    scene = made(SCENE(HAIR("arm", "", ROOTS), "{'type': 'capsule', 'name': 'arm', 'from': "
                                               "[-0.2, 0, 0.1], 'to': [0.1, 0.3, 0], 'radius': 0.05}"));
    x = positions(scene);
    for (int s = 0; s < COUNT; ++s)
        for (int i = 0; i <= SEGMENTS; ++i) {
            double d[3], r[3];
            pli_sub(b, a, d, 3);
            pli_sub(x + 3 * (s * (SEGMENTS + 1) + i), a, r, 3);
            double t = fmin(1, fmax(0, pli_dot(r, d, 3) / pli_dot(d, d, 3)));
            for (int k = 0; k < 3; ++k) r[k] -= t * d[k];
            assert_true(fabs(pli_norm(r, 3) - 0.05 - 0.01 * i) < 1e-14);
        }
    pli_scene_destroy(scene);
}

// On the upper side of a box body, only where x > 0, at the lift.
static void where_they_grow(void** state) {
    (void)state;
    pli_scene* scene = made(SCENE(
        "{'name': 'box', 'mesh': {'type': 'box', 'size': [0.4, 0.2, 0.4], 'segments': [4, 2, 4]}, "
        "'translate': [0, 0.5, 0], 'density': 100, 'energies': [{'type': 'arap'}]}, " HAIR(
            "box", ", 'lift': 0.01, 'axis': [0, 1, 0], 'angle': 10, 'where': 'x > 0'", "'fix': []"),
        ""));
    const double* x = positions(scene) + 3 * 5 * 3 * 5;
    for (int s = 0; s < COUNT; ++s)
        for (int i = 0; i <= SEGMENTS; ++i) {
            const double* p = x + 3 * (s * (SEGMENTS + 1) + i);
            assert_true(fabs(p[1] - 0.61 - 0.01 * i) < 1e-14);
            assert_true(p[0] >= 0 && p[0] <= 0.2 && fabs(p[2]) <= 0.2);
        }
    pli_scene_destroy(scene);
}

// Roots turn with the head: after 0.3 s at 4 rad/s about y they are where the head carries them, and
// nothing was blocked though the roots are on it.
static void head_turns(void** state) {
    (void)state;
    pli_scene* scene = made(SCENE(
        HAIR("head", "",
             "'prescribe': [{'group': 'root', 'clamped': true, 'no_contact': true, 'with': 'head'}]"),
        "{'type': 'sphere', 'name': 'head', 'center': [0.1, 0, 0], 'radius': 0.1, 'motion': {'spin': "
        "[0, 4, 0]}}"));
    pli_world* world = pli_scene_world(scene);
    double start[3 * COUNT * (SEGMENTS + 1)];
    memcpy(start, positions(scene), sizeof start);
    for (int step = 0; step < 30; ++step) {
        pli_step_info info;
        pli_error error = {0};
        assert_int_equal(pli_world_step(world, &info, &error), PLI_OK);
        assert_true(info.kept && !info.blocked);
    }
    const double *x = pli_world_positions(world), turn = 4 * 0.3;
    for (int s = 0; s < COUNT; ++s)
        for (int i = 0; i < 2; ++i) {
            int v = 3 * (s * (SEGMENTS + 1) + i);
            double dx = start[v] - 0.1, dz = start[v + 2];
            assert_true(fabs(x[v] - 0.1 - (cos(turn) * dx + sin(turn) * dz)) < 1e-6);
            assert_true(fabs(x[v + 1] - start[v + 1]) < 1e-6);
            assert_true(fabs(x[v + 2] - (cos(turn) * dz - sin(turn) * dx)) < 1e-6);
        }
    pli_scene_destroy(scene);
}

// A sheet that is held inside a box: its held triangles cross the surface of the box, the others do
// not touch it.
static void sheets_too(void** state) {
    (void)state;
    for (int i = 0; i < 2; ++i) {
        char text[900];
        snprintf(text, sizeof text,
                 SCENE("{'name': 'sheet', 'mesh': {'type': 'rectangle', 'size': [0.4, 0.2], "
                       "'segments': [4, 2]}, 'density': 100, 'thickness': 0.001, 'energies': "
                       "[{'type': 'neo-hookean', 'young': 1e5}], 'fix': [{'where': 'x < -0.09'%s}]}",
                       "{'type': 'box', 'center': [-0.25, 0, 0], 'size': [0.2, 0.5, 0.5]}"),
                 i == 0 ? "" : ", 'no_contact': true");
        pli_scene* scene = made(text);
        assert_int_equal(pli_scene_error_count(scene) > 0, i == 0);
        for (int step = 0; i == 1 && step < 5; ++step) {
            pli_step_info info;
            pli_error error = {0};
            assert_int_equal(pli_world_step(pli_scene_world(scene), &info, &error), PLI_OK);
            assert_true(info.kept && info.contact_count == 0);
        }
        pli_scene_destroy(scene);
    }
}

// Without no_contact the roots overlap the head. Names that are not there have a hint.
static void refused(void** state) {
    (void)state;
    static const struct {
        const char *scene, *words;
    } rows[] = {
        {SCENE(HAIR("head", "", "'fix': [{'group': 'root', 'clamped': true}]"),
               "{'type': 'sphere', 'name': 'head', 'center': [0, 0, 0], 'radius': 0.1}"),
         "overlaps edge"},
        {SCENE(HAIR("heed", "", ROOTS),
               "{'type': 'sphere', 'name': 'head', 'center': [0, 0, 0], 'radius': 0.1}"),
         "there is no body \"heed\", did you mean \"head\"?"},
        {SCENE(HAIR("hair", "", ROOTS), ""), "has strands itself"},
        {SCENE(HAIR("head", "", "'prescribe': [{'group': 'root', 'with': 'hat'}]"),
               "{'type': 'sphere', 'name': 'head', 'center': [0, 0, 0], 'radius': 0.1}"),
         "there is no obstacle \"hat\""},
        {SCENE(HAIR("head", ", 'where': 'x > 5'", ROOTS),
               "{'type': 'sphere', 'name': 'head', 'center': [0, 0, 0], 'radius': 0.1}"),
         "where is true for no triangle"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_scene* scene = made(rows[i].scene);
        bool told = false;
        for (int k = 0; k < pli_scene_finding_count(scene); ++k)
            told = told || strstr(pli_scene_finding(scene, k)->message, rows[i].words);
        if (!told) print_findings(scene);
        assert_true(told);
        pli_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_round_obstacles),
        cmocka_unit_test(where_they_grow),
        cmocka_unit_test(head_turns),
        cmocka_unit_test(sheets_too),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
