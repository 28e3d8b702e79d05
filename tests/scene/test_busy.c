// A world that is called from its own callbacks, whatever they are: PLI_E_BUSY and a message, and
// the run goes on as if nothing had been asked. Readers are allowed.
#include "dynamics/worlds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// What the callbacks call, and how often they were refused.
typedef struct intruder {
    pli_world* world;
    pli_body_id id;
    int refused, calls;
    bool on;
} intruder;

static intruder culprit; // energies get no context

static bool take_bytes(void* context, const void* bytes, size_t size) {
    (void)bytes, (void)size;
    ((intruder*)context)->calls++;
    return true;
}

#define BUSY(call)                                                                                 \
    do {                                                                                           \
        pli_error e = {0};                                                                         \
        assert_int_equal(call, PLI_E_BUSY);                                                        \
        assert_non_null(strstr(e.message, "callback"));                                            \
        in->refused++;                                                                             \
    } while (0)

// Every function that changes a world or needs room in it.
static void intrude(intruder* in) {
    if (!in->on || !in->world) return;
    pli_world* w = in->world;
    const double place[3] = {0};
    double stretches[3 * 8];
    int count;
    pli_memory_prediction prediction;
    pli_crossing_info crossing;
    pli_body_def body = pli_default_body_def();
    pli_fix_def fix = pli_default_fix_def();
    pli_prescribe_def move = pli_default_prescribe_def();
    pli_load_def load = pli_default_load_def();
    pli_half_space_def plane = pli_default_half_space_def();
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    pli_world_state state = {0};
    in->on = false; // once in each callback, and not in those that this makes
    BUSY(pli_world_step(w, NULL, &e));
    BUSY(pli_world_prepare(w, &e));
    BUSY(pli_world_add_body(w, &body, NULL, &e));
    BUSY(pli_world_add_energy(w, in->id, "gravity", NULL, 0, NULL, &e));
    BUSY(pli_world_fix(w, in->id, &fix, NULL, &e));
    BUSY(pli_world_prescribe(w, in->id, &move, NULL, &e));
    BUSY(pli_world_add_load(w, in->id, &load, NULL, &e));
    BUSY(pli_world_add_half_space(w, &plane, NULL, &e));
    BUSY(pli_world_add_contact_rule(w, &rule, NULL, &e));
    BUSY(pli_world_grab(w, 0, place, 1, &e));
    BUSY(pli_world_grab_body(w, 0, place, 1, &e));
    BUSY(pli_world_set_state(w, &state, &e));
    BUSY(pli_world_save(w, take_bytes, in, &e));
    BUSY(pli_world_restore(w, "x", 1, &e));
    BUSY(pli_world_verify(w, &e));
    BUSY(pli_world_crossings(w, 1, &crossing, &count, &e));
    BUSY(pli_world_body_triangles(w, 0, NULL, &count, &e));
    BUSY(pli_world_predict_memory(w, &prediction, &e));
    assert_int_equal(pli_world_step(w, NULL, NULL), PLI_E_BUSY);
    pli_world_release(w);
    pli_world_destroy(w); // does nothing
    assert_int_equal(pli_world_vertex_count(w), 9);
    pli_world_element_fields(w, PLI_TRIANGLE, &(pli_element_fields){.stretches = stretches});
    in->on = true;
}

// ---- callbacks

static void intruding_field(void* context, double time, const double place[3], double out[3]) {
    (void)time, (void)place;
    intrude(context);
    out[0] = out[1] = out[2] = 0;
}

static pli_status intruding_check(const double* params, pli_error* e) {
    (void)params, (void)e;
    intrude(&culprit);
    return PLI_OK;
}

static pli_status intruding_prepare(const double* params, const pli_element* element, void* data,
                                    pli_error* e) {
    (void)params, (void)element, (void)data, (void)e;
    intrude(&culprit);
    return PLI_OK;
}

static void intruding_eval(const pli_batch* in, pli_local* out) {
    (void)in, (void)out;
    intrude(&culprit);
}

static void* intruding_resize(void* context, void* block, size_t old_size, size_t new_size) {
    (void)old_size;
    intrude(context);
    if (new_size > 0) return realloc(block, new_size);
    free(block);
    return NULL;
}

static bool intruding_write(void* context, const void* bytes, size_t size) {
    (void)bytes;
    intrude(context);
    return size > 0;
}

static const pli_energy_type intruding_energy = {.abi = PLI_ENERGY_ABI,
                                                 .name = "intruder",
                                                 .help = "calls its world",
                                                 .dims = 1u << 2 | 1u << 3,
                                                 .data_size = {[PLI_TRIANGLE] = 8},
                                                 .check = intruding_check,
                                                 .prepare = intruding_prepare,
                                                 .eval = intruding_eval};
static const pli_energy_type* const types[] = {&intruding_energy};

static pli_world_def small_def(void) {
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.interactive = true;
    def.gravity[1] = -9.81;
    return def;
}

static pli_body_id add_body(pli_world* world) {
    return add_square(world, &(square){.segments = 2, .stiffness = 1e5});
}

// ---- tests

static void energies_and_fields(void** state) {
    (void)state;
    pli_world_def def = small_def();
    def.energy_types = types;
    def.energy_type_count = 1;
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world);
    culprit = (intruder){.world = world, .id = id, .on = true};
    intruder loads = culprit;
    ASSERT_OK(pli_world_add_energy(world, id, "intruder", NULL, 0, NULL, &error));
    int after_add = culprit.refused;
    pli_load_def load = pli_default_load_def();
    load.field = intruding_field;
    load.context = &loads;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    int after_prepare = culprit.refused;
    for (int i = 0; i < 3; ++i) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        assert_true(info.kept);
    }
    assert_true(after_add > 0 && after_prepare > after_add && culprit.refused > after_prepare);
    assert_true(loads.refused > 0);
    culprit = (intruder){0};
    loads.on = false;
    pli_world_destroy(world);
}

static void prescribed_motion(void** state) {
    (void)state;
    pli_world_def def = small_def();
    pli_world* world = make_world(&def);
    pli_body_id id = add_body(world);
    intruder in = {.world = world, .id = id, .on = true};
    pli_prescribe_def move = pli_default_prescribe_def();
    const int32_t corner[1] = {0};
    move.vertices = corner;
    move.vertex_count = 1;
    move.field = intruding_field;
    move.context = &in;
    ASSERT_OK(pli_world_prescribe(world, id, &move, NULL, &error));
    ASSERT_OK(pli_world_step(world, NULL, &error));
    assert_true(in.refused > 0);
    in.on = false;
    pli_world_destroy(world);
}

// Also while the world is destroyed: the memory is still there.
static void allocators_and_writers(void** state) {
    (void)state;
    intruder in = {0};
    const pli_allocator allocator = {.resize = intruding_resize, .context = &in};
    pli_world_def def = small_def();
    def.allocator = &allocator;
    pli_world* world = make_world(&def);
    in = (intruder){.world = world, .id = add_body(world), .on = true};
    ASSERT_OK(pli_world_step(world, NULL, &error));
    int after_step = in.refused;
    assert_true(after_step > 0);
    ASSERT_OK(pli_world_save(world, intruding_write, &in, &error));
    assert_true(in.refused > after_step);
    in.on = false;
    pli_world_destroy(world);
}

static const char scene_text[] =
    "{\"bodies\": [{\"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]},"
    " \"energies\": [{\"type\": \"intruder\"}, {\"type\": \"neo-hookean\"}]}]}";

static pli_scene* victim;

static void destroying_eval(const pli_batch* in, pli_local* out) {
    (void)in, (void)out;
    culprit.calls += victim != NULL;
    pli_scene_destroy(victim);
}

// A scene whose world is at work cannot be destroyed either.
static void scenes_too(void** state) {
    (void)state;
    pli_energy_type type = intruding_energy;
    const pli_energy_type* list[1] = {&type};
    pli_scene_def def = pli_default_scene_def();
    type.eval = destroying_eval;
    type.check = NULL;
    type.prepare = NULL;
    def.text = scene_text;
    def.energy_types = list;
    def.energy_type_count = 1;
    def.thread_count = 1;
    culprit = (intruder){0};
    pli_scene* scene = NULL;
    ASSERT_OK(pli_scene_create(&def, &scene, &error));
    assert_int_equal(pli_scene_error_count(scene), 0);
    victim = scene;
    ASSERT_OK(pli_world_step(pli_scene_world(scene), NULL, &error));
    victim = NULL;
    assert_true(culprit.calls > 0);
    pli_scene_destroy(scene);
}

// ---- energies that break their promise

static double poison;

static void poisoned_eval(const pli_batch* in, pli_local* out) {
    int k = in->width * in->dim;
    if (in->want & PLI_VALUE) out->e[0] += poison;
    if (in->want & PLI_GRADIENT) out->g[0] += poison;
    if (in->want & PLI_HESSIAN) out->H[0] += poison * k;
}

// Numbers that are none end in an error or a reason, and what is kept is finite.
static void energies_without_sense(void** state) {
    (void)state;
    static const double poisons[] = {NAN, INFINITY, -INFINITY, 1e308};
    pli_energy_type type = intruding_energy;
    const pli_energy_type* list[1] = {&type};
    type.eval = poisoned_eval;
    type.check = NULL;
    type.prepare = NULL;
    for (int i = 0; i < 8; ++i) {
        pli_world_def def = small_def();
        def.energy_types = list;
        def.energy_type_count = 1;
        def.solver.max_iterations = 20;
        def.solver.linear = i % 2 ? "pcg" : "multifrontal";
        poison = 0;
        pli_world* world = make_world(&def);
        pli_body_id id = add_body(world);
        ASSERT_OK(pli_world_add_energy(world, id, "intruder", NULL, 0, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        poison = poisons[i / 2];
        pli_step_info info = {0};
        pli_status status = pli_world_step(world, &info, &error);
        if (status == PLI_OK)
            assert_true(!info.kept || info.reason == PLI_CONVERGED);
        else
            assert_true(error.message[0]);
        const double* x = pli_world_positions(world);
        for (int k = 0; k < 3 * pli_world_vertex_count(world); ++k) assert_true(isfinite(x[k]));
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energies_and_fields),    cmocka_unit_test(prescribed_motion),
        cmocka_unit_test(allocators_and_writers), cmocka_unit_test(scenes_too),
        cmocka_unit_test(energies_without_sense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
