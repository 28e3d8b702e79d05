// Angles of rods that follow prescribed motion: twisted ends, turned rods, their moments, work and
// state.
#include "dynamics/worlds.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { EDGES = 20 };
static const double GJ = 0.3, EI1 = 0.2, EI2 = 0.9;

// Turns about the axis by `rate` t, about the origin.
typedef struct spin {
    double axis[3], rate;
} spin;

static void spin_field(void* context, double time, const double X[3], double out[3]) {
    const spin* s = context;
    const double* a = s->axis;
    double angle = s->rate * time, along = a[0] * X[0] + a[1] * X[1] + a[2] * X[2];
    const double cross[3] = {a[1] * X[2] - a[2] * X[1], a[2] * X[0] - a[0] * X[2],
                             a[0] * X[1] - a[1] * X[0]};
    for (int c = 0; c < 3; ++c)
        out[c] = (cos(angle) - 1) * (X[c] - along * a[c]) + sin(angle) * cross[c];
}

static pli_body_id add_rod(pli_world* world, double length) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    const double a[3] = {0, 0, 0}, b[3] = {length, 0, 0};
    ASSERT_OK(pli_mesh_add_line(&mesh, a, b, EDGES, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.cross_section = 1e-3;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting settings[] = {
        {"axial", 1e5}, {"bending1", EI1}, {"bending2", EI2}, {"torsion", GJ}, {"normal_y", 1}};
    ASSERT_OK(pli_world_add_energy(world, id, "rod", settings, 5, NULL, &error));
    return id;
}

static void clamp(pli_world* world, pli_body_id id, int last, int next) {
    const int32_t vertices[2] = {last, next};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = vertices;
    fix.vertex_count = 2;
    fix.clamped = true;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
}

static void turn(pli_world* world, pli_body_id id, int last, int next, spin* s) {
    const int32_t vertices[2] = {last, next};
    pli_prescribe_def def = pli_default_prescribe_def();
    def.vertices = vertices;
    def.vertex_count = 2;
    def.field = spin_field;
    def.context = s;
    def.clamped = true;
    ASSERT_OK(pli_world_prescribe(world, id, &def, NULL, &error));
}

static pli_world_def world_def(const char* scheme, double step) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.time_step = step;
    def.contact.bodies = false;
    def.solver.tolerance = 1e-9;
    def.solver.gradient_tolerance = 1e-10;
    for (int c = 0; c < 3; ++c) def.gravity[c] = 0;
    return def;
}

static void run(pli_world* world, int steps) {
    for (int n = 0; n < steps; ++n) {
        pli_step_info info;
        ASSERT_OK(pli_world_step(world, &info, &error));
        if (!info.kept) fail_msg("step %d: %s", info.step, pli_reason_text(info.reason));
    }
}

// The node of the edge with this lower vertex.
static pli_node_info node_of(const pli_world* world, int vertex) {
    for (int i = 0; i < pli_world_node_count(world); ++i) {
        pli_node_info info = pli_world_node(world, i);
        if (info.key.vertices[0] == vertex) return info;
    }
    fail_msg("no node at vertex %d", vertex);
    return (pli_node_info){0};
}

// One end turned by several turns, also within a step: the moment is GJ times the twist per length,
// and the work of the motion is stored. The ends act in the middle of their edges.
static void twist_by_many_turns(void** state) {
    (void)state;
    const double turns[] = {0.1, 0.6, 1, 3};
    for (int i = 0; i < 4; ++i) {
        pli_world_def def = world_def("static", 1);
        pli_world* world = make_world(&def);
        spin s = {{1, 0, 0}, 2 * pi * turns[i] / 2};
        // short, so that it does not buckle
        double length = 0.02, span = length * (EDGES - 1) / EDGES, angle = 2 * pi * turns[i];
        pli_body_id id = add_rod(world, length);
        clamp(world, id, 0, 1);
        turn(world, id, EDGES, EDGES - 1, &s);
        run(world, 2);
        pli_node_info end = node_of(world, EDGES - 1), start = node_of(world, 0);
        ASSERT_NEAR(end.value - start.value, angle, 1e-12 * angle);
        ASSERT_NEAR(end.reaction, GJ * angle / span, 1e-9 * GJ * angle / span);
        ASSERT_NEAR(start.reaction, -GJ * angle / span, 1e-9 * GJ * angle / span);
        ASSERT_NEAR(pli_world_node(world, 5).reaction, 0.0, 1e-12);
        pli_balance balance = pli_world_balance(world);
        double stored = 0.5 * GJ * angle * angle / span;
        ASSERT_NEAR(balance.potential, stored, 1e-9 * stored);
        // by the moment at the end of each step: 1/2 of the twist, then all of it
        ASSERT_NEAR(balance.work_prescribed, 1.5 * stored, 1e-9 * stored);
        pli_world_destroy(world);
    }
}

// Both ends turn about an axis across the rod, by more than half a turn: the rod turns as a rigid
// body, without energy, although its section is not round.
static void turn_as_a_whole(void** state) {
    (void)state;
    static const double axes[2][3] = {{0, 0, 1}, {0.48, 0.6, 0.64}};
    for (int i = 0; i < 2; ++i) {
        pli_world_def def = world_def("static", 0.1);
        pli_world* world = make_world(&def);
        spin s = {.rate = 4};
        memcpy(s.axis, axes[i], sizeof s.axis);
        pli_body_id id = add_rod(world, 1);
        turn(world, id, 0, 1, &s);
        turn(world, id, EDGES, EDGES - 1, &s);
        run(world, 12);
        const double *x = pli_world_positions(world), X[3] = {0.5, 0, 0};
        double away[3];
        spin_field(&s, 1.2, X, away);
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(x[3 * (EDGES / 2) + c], X[c] + away[c], 1e-5);
        ASSERT_NEAR(pli_world_balance(world).potential, 0.0, 1e-8);
        pli_world_destroy(world);
    }
}

typedef struct bytes {
    char data[1 << 18];
    size_t size;
} bytes;

static bool write_bytes(void* context, const void* data, size_t size) {
    bytes* to = context;
    if (to->size + size > sizeof to->data) return false;
    memcpy(to->data + to->size, data, size);
    to->size += size;
    return true;
}

static pli_world* twisted_world(const char* scheme, spin* s) {
    pli_world_def def = world_def(scheme, 0.02);
    pli_world* world = make_world(&def);
    pli_body_id id = add_rod(world, 1);
    clamp(world, id, 0, 1);
    turn(world, id, EDGES, EDGES - 1, s);
    return world;
}

// Saved in the middle and restored, it goes on with the same bits.
static void resumes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark"};
    for (int i = 0; i < 3; ++i) {
        static bytes saved;
        spin s = {{1, 0, 0}, 9};
        pli_world *one = twisted_world(schemes[i], &s), *two = twisted_world(schemes[i], &s);
        run(one, 10);
        saved.size = 0;
        ASSERT_OK(pli_world_save(one, write_bytes, &saved, &error));
        ASSERT_OK(pli_world_restore(two, saved.data, saved.size, &error));
        run(one, 10);
        run(two, 10);
        size_t points = 3 * (size_t)pli_world_vertex_count(one) * sizeof(double);
        assert_memory_equal(pli_world_positions(one), pli_world_positions(two), points);
        assert_memory_equal(pli_world_node_values(one), pli_world_node_values(two),
                            (size_t)pli_world_node_count(one) * sizeof(double));
        ASSERT_NEAR(node_of(one, EDGES - 1).value - node_of(one, 0).value, 9 * 0.4, 1e-12);
        pli_world_destroy(one);
        pli_world_destroy(two);
    }
}

// Explicit schemes move it too: twist has a mass.
static void other_schemes(void** state) {
    (void)state;
    static const char* const schemes[] = {"leapfrog", "rk4"};
    for (int i = 0; i < 2; ++i) {
        spin s = {{1, 0, 0}, 9};
        pli_world_def def = world_def(schemes[i], 1e-5);
        pli_world* world = make_world(&def);
        pli_body_id id = add_rod(world, 1);
        clamp(world, id, 0, 1);
        turn(world, id, EDGES, EDGES - 1, &s);
        run(world, 20);
        ASSERT_NEAR(node_of(world, EDGES - 1).value - node_of(world, 0).value, 9 * 2e-4, 1e-12);
        ASSERT_NEAR(node_of(world, EDGES - 1).rate, 9.0, 1e-8);
        pli_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twist_by_many_turns),
        cmocka_unit_test(turn_as_a_whole),
        cmocka_unit_test(resumes),
        cmocka_unit_test(other_schemes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
