// Nodes as state: saved, undone, set; the same bits for any number of threads. Who may ask for
// them.
#include <stdlib.h>

#include "dynamics/node_worlds.h"
#include "dynamics/world.h"

// ---- state

typedef struct bytes {
    unsigned char data[1 << 16];
    size_t size;
} bytes;

static bool write_bytes(void* context, const void* data, size_t size) {
    bytes* to = context;
    if (to->size + size > sizeof to->data) return false;
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static void assert_same(const pli_world* a, const pli_world* b) {
    size_t points = 3 * sizeof(double) * (size_t)pli_world_vertex_count(a);
    size_t nodes = sizeof(double) * (size_t)pli_world_node_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), points);
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), points);
    assert_memory_equal(pli_world_node_values(a), pli_world_node_values(b), nodes);
    for (int i = 0; i < pli_world_node_count(a); ++i)
        assert_true(pli_world_node(a, i).rate == pli_world_node(b, i).rate);
    assert_true(pli_world_energy_value(a, 0) == pli_world_energy_value(b, 0));
}

static void test_save_and_restore(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "leapfrog"};
    static bytes saved;
    for (int s = 0; s < 4; ++s) {
        pli_world_def def = plane_def(schemes[s], 0.005);
        pli_world *one = make_coil(&def, 6, true), *other = make_coil(&def, 6, true);
        for (int n = 0; n < 20; ++n) step(one);
        saved.size = 0;
        ASSERT_OK(pli_world_save(one, write_bytes, &saved, &error));
        for (int n = 0; n < 7; ++n) step(other); // of another time
        ASSERT_OK(pli_world_restore(other, saved.data, saved.size, &error));
        assert_same(one, other);
        for (int n = 0; n < 20; ++n) {
            step(one);
            step(other);
            assert_same(one, other);
        }
        pli_world_destroy(other);
        // The unknown of a node is told by its scale and start: a world with others refuses it.
        other = make_world(&def);
        pli_body_id id = add_line(other, 6);
        fix(other, id, (int32_t[1]){0}, 1);
        pli_setting settings[] = {{"mass", 0.02}, {"scale", 0.4}, {"first", 0.7}, {"value", 0.2}};
        ASSERT_OK(pli_world_add_energy(other, id, "torsion", settings, 4, NULL, &error));
        assert_int_equal(pli_world_restore(other, saved.data, saved.size, &error), PLI_E_SCENE);
        pli_world_destroy(other);
        pli_world_destroy(one);
    }
}

// A step that fails, or is interrupted, leaves everything as it was.
static bool cancel_now(void* context) {
    int* left = context;
    return (*left)-- <= 0;
}

static void test_undo(void** state) {
    (void)state;
    pli_world_def def = plane_def("bdf2", 0.05);
    pli_world *one = make_coil(&def, 6, true), *other = make_coil(&def, 6, true);
    int left = 3;
    for (int n = 0; n < 10; ++n) {
        pli_step_info info;
        step(one);
        left = 3;
        ASSERT_OK(pli_world_set_cancel(other, cancel_now, &left, &error));
        ASSERT_OK(pli_world_step(other, &info, &error));
        assert_int_equal(info.reason, PLI_INTERRUPTED);
        ASSERT_OK(pli_world_set_cancel(other, NULL, NULL, &error));
        step(other);
        assert_same(one, other);
    }
    pli_world_destroy(one);
    pli_world_destroy(other);
    def.solver.max_iterations = 1;
    def.solver.tolerance = 1e-14;
    def.solver.on_failure = "stop";
    one = make_coil(&def, 6, true);
    ASSERT_OK(pli_world_prepare(one, &error));
    double before[6];
    memcpy(before, pli_world_node_values(one), sizeof before);
    assert_false(step(one).kept);
    assert_memory_equal(pli_world_node_values(one), before, sizeof before);
    ASSERT_NEAR(pli_world_node(one, 1).rate, 0.4, 1e-15);
    pli_world_destroy(one);
}

// Positions that are given bring the nodes back to their start, unless they are given too; without
// positions they stay.
static void test_set_state(void** state) {
    (void)state;
    pli_world_def def = plane_def("backward-euler", 0.01);
    pli_world* world = make_coil(&def, 4, true);
    for (int n = 0; n < 10; ++n) step(world);
    double moved[4];
    memcpy(moved, pli_world_node_values(world), sizeof moved);
    assert_true(fabs(moved[1] - 0.2) > 1e-3);
    ASSERT_OK(pli_world_set_state(world, &(pli_world_state){0}, &error));
    assert_memory_equal(pli_world_node_values(world), moved, sizeof moved);
    assert_true(pli_world_node(world, 1).rate == 0);
    double x[15], values[4] = {9, 0.1, 0.5, -0.3}, rates[4] = {9, 1, 2, 3};
    memcpy(x, pli_world_rest_positions(world), sizeof x);
    ASSERT_OK(pli_world_set_state(world, &(pli_world_state){.positions = x}, &error));
    assert_true(value(world, 0) == 0.7 && value(world, 1) == 0.2 && value(world, 3) == 0.2);
    pli_world_state given = {.positions = x, .node_values = values, .node_rates = rates};
    ASSERT_OK(pli_world_set_state(world, &given, &error));
    assert_true(value(world, 0) == 0.7); // fixed
    for (int i = 1; i < 4; ++i) {
        ASSERT_NEAR(value(world, i), values[i], 1e-15);
        ASSERT_NEAR(pli_world_node(world, i).rate, rates[i], 1e-15);
    }
    values[2] = NAN;
    assert_int_equal(pli_world_set_state(world, &given, &error), PLI_E_ARGUMENT);
    ASSERT_NEAR(value(world, 2), 0.5, 1e-15);
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    pli_world_destroy(world);
}

// ---- threads

static void test_threads(void** state) {
    (void)state;
    enum { LONG = 1500 };
    pli_world* worlds[3];
    for (int i = 0; i < 3; ++i) {
        pli_world_def def = plane_def("bdf2", 0.01);
        def.thread_count = 1 << i;
        def.gravity[1] = -1;
        worlds[i] = make_coil(&def, LONG, true);
    }
    for (int n = 0; n < 6; ++n)
        for (int i = 0; i < 3; ++i) {
            assert_int_equal(step(worlds[i]).reason, PLI_CONVERGED);
            assert_same(worlds[0], worlds[i]);
        }
    for (int i = 0; i < 3; ++i) pli_world_destroy(worlds[i]);
}

// ---- who may ask for what

static pli_status asked(const pli_body_view* body, pli_stencil_sink* sink, pli_error* e);

// What `asked` asks for.
static struct {
    pli_node_key key;
    pli_node_def def;
    bool used, foreign;
} wish;

static const pli_energy_type asking = {.abi = PLI_ENERGY_ABI,
                                       .name = "asking",
                                       .help = "asks for nodes",
                                       .dims = 1u << 2,
                                       .data_size = {[PLI_STENCIL] = sizeof(double)},
                                       .width = 2,
                                       .stencils = asked,
                                       .eval = torsion_eval};

static pli_status asked(const pli_body_view* body, pli_stencil_sink* sink, pli_error* e) {
    int32_t pair[2] = {body->first_vertex, body->first_vertex + 1};
    pli_status status = pli_sink_node(sink, &wish.key, &wish.def, &pair[1], e);
    if (!wish.used) pair[1] = body->first_vertex + 1;
    if (wish.foreign) pair[1]++;
    return status == PLI_OK ? pli_sink_stencil(sink, pair, e) : status;
}

static pli_status ask(const char* message, int* count) {
    static const pli_energy_type* const types[] = {&torsion, &asking};
    pli_world_def def = plane_def("backward-euler", 0.01);
    def.energy_types = types;
    def.energy_type_count = 2;
    pli_world* world = make_world(&def);
    pli_body_id id = add_line(world, 3);
    ASSERT_OK(pli_world_add_energy(world, id, "torsion", NULL, 0, NULL, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "asking", NULL, 0, NULL, &error));
    error.message[0] = '\0';
    pli_status status = pli_world_prepare(world, &error);
    if (count) *count = pli_world_node_count(world);
    if (status == PLI_OK) assert_null(message);
    if (status != PLI_OK && (!message || !strstr(error.message, message)))
        fail_msg("\"%s\" is not in \"%s\"", message ? message : "", error.message);
    if (status != PLI_OK) assert_int_equal(error.object, PLI_OBJECT_ENERGY);
    pli_world_destroy(world);
    return status;
}

static void test_keys(void** state) {
    (void)state;
    int count;
    const pli_node_key edge = {.tag = TWIST, .vertex_count = 2, .vertices = {1, 2}};
    wish.used = true;
    wish.foreign = false;
    wish.key = edge;
    wish.def = pli_default_node_def();
    assert_int_equal(ask(NULL, &count), PLI_OK); // the node of torsion
    assert_int_equal(count, 3);
    wish.key.vertices[0] = 2; // in any order
    wish.key.vertices[1] = 1;
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 3);
    wish.key.tag = 77;
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 4);
    wish.key.vertex_count = 0; // of the body
    assert_int_equal(ask(NULL, &count), PLI_OK);
    assert_int_equal(count, 4);
    wish.used = false;
    assert_int_equal(ask("node of the body, tag 77 is in no stencil", NULL), PLI_E_ARGUMENT);
    wish.used = true;
    wish.foreign = true;
    assert_int_equal(ask("or a node of the body", NULL), PLI_E_ARGUMENT);
    wish.foreign = false;
    wish.key = edge;
    wish.def.mass = 1;
    assert_int_equal(ask("node of vertices 1 2, tag 1: ", NULL), PLI_E_ARGUMENT);
    wish.key.vertices[1] = 1;
    assert_int_equal(ask("vertex 1 twice", NULL), PLI_E_ARGUMENT);
    wish.key.vertices[1] = 4;
    assert_int_equal(ask("vertex 4 of its key, must be 0 to 3", NULL), PLI_E_ARGUMENT);
    wish.key.vertex_count = 5;
    assert_int_equal(ask("key has 5 vertices", NULL), PLI_E_ARGUMENT);
    wish.key = (pli_node_key){.tag = 5};
    const pli_node_def good = pli_default_node_def();
    static const struct {
        size_t offset;
        double value;
        const char* message;
    } bad[] = {{offsetof(pli_node_def, scale), 0, "scale = 0"},
               {offsetof(pli_node_def, scale), HUGE_VAL, "scale = inf"},
               {offsetof(pli_node_def, mass), -1, "mass = -1"},
               {offsetof(pli_node_def, value), NAN, "value = "},
               {offsetof(pli_node_def, rate), HUGE_VAL, "rate = inf"},
               {offsetof(pli_node_def, tolerance), -2, "tolerance = -2"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        wish.def = good;
        memcpy((char*)&wish.def + bad[i].offset, &bad[i].value, sizeof bad[i].value);
        assert_int_equal(ask(bad[i].message, NULL), PLI_E_ARGUMENT);
    }
    wish.def = good;
    wish.def.fixed = true;
    wish.def.rate = 1;
    assert_int_equal(ask("rate = 1 of a fixed node", NULL), PLI_E_ARGUMENT);
}

// Outside of a run of `stencils` there is nothing to ask.
static void test_misuse(void** state) {
    (void)state;
    int32_t vertex;
    pli_node_key key = {0};
    pli_node_def def = pli_default_node_def();
    pli_stencil_sink sink = {0};
    assert_int_equal(pli_sink_node(NULL, &key, &def, &vertex, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_sink_node(&sink, &key, &def, &vertex, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_node_count(NULL), 0);
    assert_null(pli_world_node_values(NULL));
    assert_int_equal(pli_world_node(NULL, 0).body, -1);
}

// ---- memory

// Gives up at call number `left`.
static void* stingy(void* context, void* block, size_t old_size, size_t new_size) {
    int* left = context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(block, new_size) : NULL;
}

static void test_no_memory(void** state) {
    (void)state;
    pli_status status = PLI_E_MEMORY;
    for (int n = 1; status != PLI_OK; ++n) {
        int left = n;
        pli_allocator allocator = {.resize = stingy, .context = &left};
        pli_world_def def = plane_def("newmark", 0.01);
        def.allocator = &allocator;
        def.thread_count = 1;
        pli_world* world = NULL;
        status = pli_world_create(&def, &world, &error);
        if (status != PLI_OK) continue;
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        const double a[3] = {0, 0, 0}, b[3] = {40, 0, 0};
        ASSERT_OK(pli_mesh_add_line(&mesh, a, b, 40, &error));
        pli_body_def body = pli_default_body_def();
        body.mesh = &mesh;
        body.vertex_mass = 1;
        pli_body_id id;
        status = pli_world_add_body(world, &body, &id, &error);
        if (status == PLI_OK)
            status = pli_world_add_energy(world, id, "coil", NULL, 0, NULL, &error);
        if (status == PLI_OK)
            status = pli_world_add_energy(world, id, "torsion", NULL, 0, NULL, &error);
        if (status == PLI_OK) status = pli_world_step(world, NULL, &error);
        pli_mesh_free(&mesh);
        pli_world_destroy(world);
        if (status != PLI_OK) assert_int_equal(status, PLI_E_MEMORY);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_save_and_restore),
                                       cmocka_unit_test(test_undo),
                                       cmocka_unit_test(test_set_state),
                                       cmocka_unit_test(test_threads),
                                       cmocka_unit_test(test_keys),
                                       cmocka_unit_test(test_misuse),
                                       cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
