// What pli_world_predict_memory says before the first step against what the run then takes, without
// contact: elements, sizes, solvers, schemes. And it leaves no trace: the steps after it have the
// same bits as without.
#include "memory/features.h"
#include "oracle/near.h"

static pli_world* open_scene(const feature* f, pli_scene** scene) {
    pli_error error = {0};
    if (feature_scene(f, NULL, scene, &error) != PLI_OK) fail_msg("%s: %s", f->name, error.message);
    return pli_scene_world(*scene);
}

#define ROW(file, ...)                                                                             \
    {                                                                                              \
        .name = #__VA_ARGS__, .scene = (file), .overrides = { __VA_ARGS__ }                        \
    }
#define SIZE(text) "bodies[0].mesh.segments=" text
#define LINEAR(text) "solver.linear=" text

static const feature rows[] = {
    ROW("beam", SIZE("[100,20]")),
    ROW("beam", SIZE("[300,30]")),
    ROW("beam", SIZE("[60,20]"), "bodies[0].mesh.order=2"),
    ROW("beam", SIZE("[100,20]"), LINEAR("pcg")),
    ROW("beam", SIZE("[100,20]"), "time.scheme=bdf6"),
    ROW("beam", SIZE("[100,20]"), "time.scheme=newmark", "bodies[0].mass=consistent"),
    ROW("beam", SIZE("[100,20]"), "time.scheme=exponential", "time.step=1e-5"),
    ROW("beam", SIZE("[20,10]"), "solver.method=l-bfgs"),
    ROW("solid", SIZE("[4,1,1]")),
    ROW("solid", SIZE("[30,5,5]")),
    ROW("solid", SIZE("[12,10,10]")),
#ifdef PLIANT_CHOLMOD
    ROW("beam", SIZE("[300,30]"), LINEAR("cholesky")),
    ROW("solid", SIZE("[12,10,10]"), LINEAR("cholesky")),
#endif
    ROW("solid", SIZE("[12,10,10]"), LINEAR("auto")),
    ROW("solid", SIZE("[12,10,10]"), LINEAR("pcg"), "solver.preconditioner=incomplete-cholesky"),
    ROW("solid", SIZE("[12,10,10]"), LINEAR("pcg"), "solver.preconditioner=block-jacobi"),
    ROW("solid", SIZE("[16,10,10]"), LINEAR("pcg"), "solver.preconditioner=multilevel"),
    ROW("solid", SIZE("[10,4,4]"), "bodies[0].mesh.order=2"),
    ROW("mixed", NULL),
};

// 5 %: what is predicted is counted, not fitted; CHOLMOD's small arrays are not in it.
static void peak_is_predicted(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
        pli_scene* scene;
        pli_world* world = open_scene(&rows[i], &scene);
        pli_memory_prediction p;
        pli_error error = {0};
        ASSERT_OK(pli_world_predict_memory(world, &p, &error));
        assert_false(p.contact);
        assert_int_equal(p.world, pli_world_memory(world));
        for (int n = 0; n < 2; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
        double ratio = (double)p.peak / (double)pli_world_memory_peak(world);
        print_message("    %-8s %-60s %7.2f MB predicted, %.4f of what it took\n", rows[i].scene,
                      rows[i].name, (double)p.peak / 1e6, ratio);
        if (!(fabs(ratio - 1) < 0.05)) fail_msg("%s: not predicted", rows[i].name);
        pli_scene_destroy(scene);
    }
}

static void prediction_leaves_no_trace(void** state) {
    (void)state;
    enum { STEPS = 6 };
    for (int i = 0; feature_at(i); ++i) {
        const feature* f = feature_at(i);
        if (f->warm_up == 0) continue;
        pli_scene* scenes[2];
        pli_error error = {0};
        pli_memory_prediction p;
        for (int k = 0; k < 2; ++k) {
            pli_world* world = open_scene(f, &scenes[k]);
            if (k == 1) ASSERT_OK(pli_world_predict_memory(world, &p, &error));
            for (int n = 0; n < STEPS; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
        }
        const pli_world *a = pli_scene_world(scenes[0]), *b = pli_scene_world(scenes[1]);
        size_t size = 3 * sizeof(double) * (size_t)pli_world_vertex_count(a);
        if (memcmp(pli_world_positions(a), pli_world_positions(b), size) != 0)
            fail_msg("%s: other bits after a prediction", f->name);
        for (int k = 0; k < 2; ++k) pli_scene_destroy(scenes[k]);
    }
}

// Contact makes it a lower bound, and is said.
static void contact_is_a_lower_bound(void** state) {
    (void)state;
    const feature pile = {.name = "pile", .scene = "pile"};
    pli_scene* scene;
    pli_world* world = open_scene(&pile, &scene);
    pli_memory_prediction p, after;
    pli_error error = {0};
    ASSERT_OK(pli_world_predict_memory(world, &p, &error));
    assert_true(p.contact);
    for (int n = 0; n < 20; ++n) ASSERT_OK(pli_world_step(world, NULL, &error));
    assert_true(p.peak <= pli_world_memory_peak(world));
    ASSERT_OK(pli_world_predict_memory(world, &after, &error)); // now it is known
    assert_int_equal(after.peak, pli_world_memory_peak(world));
    assert_int_equal(pli_world_predict_memory(world, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_predict_memory(NULL, &p, &error), PLI_E_ARGUMENT);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peak_is_predicted),
        cmocka_unit_test(prediction_leaves_no_trace),
        cmocka_unit_test(contact_is_a_lower_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
