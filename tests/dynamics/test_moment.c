// Moments on edges of shells, and clamped edges that a prescribed motion turns about themselves.
#include "dynamics/worlds.h"
#include "pliant/derivatives.h"

#include <string.h>

// The strip of Sze 3.2: length 12, width 1, thickness 0.1, E 1.2e6, nu 0: D = 100.
enum { ACROSS = 2, CELLS = 24 };
static const double length = 12, D = 100, two_pi = 6.283185307179586;

typedef struct strip {
    pli_world* world;
    pli_body_id body;
    int count, left_count, right_count;
    int32_t left[ACROSS + 1], right[ACROSS + 1];
} strip;

static strip make_strip(int cells, const char* scheme, const char* type) {
    strip s = {0};
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.scheme = scheme;
    def.time_step = 1.0 / 40;
    def.thread_count = 1;
    memset(def.gravity, 0, sizeof def.gravity);
    def.contact.bodies = false;
    def.solver.gradient_tolerance = 1e-6;
    def.solver.max_iterations = 1000;
    s.world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, length, 1, cells, ACROSS, PLI_TRIANGLES, &error));
    s.count = mesh.vertex_count;
    for (int i = 0; i < mesh.vertex_count; ++i) {
        mesh.positions[3 * i] += 0.5 * length;
        if (mesh.positions[3 * i] < 1e-9) s.left[s.left_count++] = i;
        if (mesh.positions[3 * i] > length - 1e-9) s.right[s.right_count++] = i;
    }
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.density = 1;
    body.thickness = 0.1;
    ASSERT_OK(pli_world_add_body(s.world, &body, &s.body, &error));
    pli_mesh_free(&mesh);
    const pli_setting settings[] = {{"young", 1.2e6}, {"poisson", 0}, {"thickness", 0.1}};
    int given = strcmp(type, "hinge") == 0 ? 0 : 3;
    ASSERT_OK(pli_world_add_energy(s.world, s.body, type, settings, given, NULL, &error));
    return s;
}

// All vertices but those of the left end stay in their planes y = const. Without that a strip bent
// by a moment turns sideways beyond 0.8 of a circle.
static void keep_planes(strip* s) {
    int32_t others[100];
    int count = 0;
    pli_fix_def fix = pli_default_fix_def();
    for (int v = 0; v < s->count; ++v) {
        bool left = false;
        for (int i = 0; i < s->left_count; ++i) left = left || s->left[i] == v;
        if (!left) others[count++] = v;
    }
    fix.vertices = others;
    fix.vertex_count = count;
    fix.axes[0] = fix.axes[2] = false;
    ASSERT_OK(pli_world_fix(s->world, s->body, &fix, NULL, &error));
}

static void clamp(strip* s) {
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = s->left;
    fix.vertex_count = s->left_count;
    fix.clamped = true;
    ASSERT_OK(pli_world_fix(s->world, s->body, &fix, NULL, &error));
}

static pli_load_id pull(strip* s, const int32_t* vertices, int count) {
    pli_load_id id;
    pli_load_def load = pli_default_load_def();
    load.kind = "moment";
    load.vertices = vertices;
    load.vertex_count = count;
    ASSERT_OK(pli_world_add_load(s->world, s->body, &load, &id, &error));
    return id;
}

// The end of the strip on a circle of the curvature angle / length.
static void assert_rolled(const strip* s, double angle, double tolerance) {
    double r = length / angle;
    for (int i = 0; i < s->right_count; ++i) {
        const double* x = pli_world_positions(s->world) + 3 * s->right[i];
        double miss = hypot(x[0] - r * sin(angle), x[2] - r * (1 - cos(angle)));
        if (!(miss < tolerance)) fail_msg("angle %g: the end is off by %g m", angle, miss);
    }
}

// A moment M per length bends the strip to the curvature M / D, up to a full circle, towards its
// normal; its work is the energy that is stored, D angle^2 / (2 length).
static void test_full_circle(void** state) {
    (void)state;
    const int steps = 40;
    strip s = make_strip(CELLS, "static", "shell");
    clamp(&s);
    keep_planes(&s);
    pli_load_id load = pull(&s, s.right, s.right_count);
    pli_step_info info = {0};
    double stored = 0, work = 0;
    for (int i = 1; i <= steps; ++i) {
        double angle = two_pi * i / steps, value[3] = {angle * D / length};
        ASSERT_OK(pli_world_set_load(s.world, load, value, &error));
        info = step(s.world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        assert_rolled(&s, angle, 0.005 * length); // 24 straight edges on the circle
        stored += info.balance.potential;
        work += info.balance.work_loads;
    }
    ASSERT_NEAR(stored, 0.5 * D * two_pi * two_pi / length, 5e-3 * stored);
    // The moment of a step acts on all of its way: D angle^2 / length (1 + 1 / steps) / 2 of work.
    ASSERT_NEAR(work, stored * (1 + 1.0 / steps), 5e-3 * stored);
    pli_world_destroy(s.world);
}

// In a bent and disturbed state the forces of a moment have no resultant, and the couple M times
// the length of each edge about its present direction.
static void test_couple(void** state) {
    (void)state;
    strip s = make_strip(3, "backward-euler", "shell");
    pli_load_id load = pull(&s, s.right, s.right_count);
    const double value[3] = {7};
    ASSERT_OK(pli_world_set_load(s.world, load, value, &error));
    ASSERT_OK(pli_world_prepare(s.world, &error));
    enum { MOST = 36 };
    double x[MOST], g[2][MOST];
    int n = 3 * s.count;
    assert_true(n <= MOST);
    memcpy(x, pli_world_positions(s.world), sizeof *x * (size_t)n);
    for (int i = 0; i < n; ++i) x[i] += 0.05 * sin(7.0 * i);
    // The moment alone: the strip at rest has no other forces, and they do not depend on the load.
    for (int on = 0; on < 2; ++on) {
        const double moment[3] = {on ? 7 : 0};
        const pli_world_state bent = {.positions = x};
        ASSERT_OK(pli_world_set_load(s.world, load, moment, &error));
        ASSERT_OK(pli_world_set_state(s.world, &bent, &error));
        ASSERT_OK(pli_world_gradient(s.world, PLI_OF_POTENTIAL, g[on], NULL, &error));
    }
    double sum[3] = {0}, torque[3] = {0};
    for (int i = 0; i < n; ++i) sum[i % 3] += g[1][i] - g[0][i];
    for (int v = 0; v < s.count; ++v) {
        const double *p = x + 3 * v,
                     f[3] = {g[0][3 * v] - g[1][3 * v], g[0][3 * v + 1] - g[1][3 * v + 1],
                             g[0][3 * v + 2] - g[1][3 * v + 2]};
        for (int c = 0; c < 3; ++c)
            torque[c] += p[(c + 1) % 3] * f[(c + 2) % 3] - p[(c + 2) % 3] * f[(c + 1) % 3];
    }
    double edge[3] = {0};
    for (int i = 0; i < s.right_count - 1; ++i) { // unit vectors times rest lengths
        double e[3], size = 0;
        for (int c = 0; c < 3; ++c) {
            e[c] = x[3 * s.right[i + 1] + c] - x[3 * s.right[i] + c];
            size += e[c] * e[c];
        }
        for (int c = 0; c < 3; ++c) edge[c] += 0.5 * e[c] / sqrt(size);
    }
    for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(sum[c], 0, 1e-9);
        ASSERT_NEAR(torque[c], -7 * edge[c], 1e-9);
    }
    pli_world_destroy(s.world);
}

// ---- clamped edges that turn

// Of a strip of straight edges that turn by the same angle each, inscribed in a circle: a strip
// that had to reach another end would buckle.
static double radius_of(double angle) { return length / CELLS / (2 * sin(0.5 * angle / CELLS)); }

// The end goes along the roll: a rigid motion by the angle that rises with time.
static void roll(void* context, double time, const double place[3], double out[3]) {
    double angle = *(const double*)context * time, r = radius_of(angle);
    double x = place[0] - length, z = place[2];
    double to[2] = {r * sin(angle), r * (1 - cos(angle))};
    if (angle < 1e-9) to[0] = length, to[1] = 0;
    out[0] = to[0] + cos(angle) * x - sin(angle) * z - place[0];
    out[1] = 0;
    out[2] = to[1] + sin(angle) * x + cos(angle) * z - place[2];
}

static void prescribe(strip* s, pli_field_fn* field, void* context) {
    pli_prescribe_def def = pli_default_prescribe_def();
    def.vertices = s->right;
    def.vertex_count = s->right_count;
    def.field = field;
    def.context = context;
    def.clamped = true;
    ASSERT_OK(pli_world_prescribe(s->world, s->body, &def, NULL, &error));
}

// Rolled up by its end, one row of vertices whose edges turn with the motion: a circle all along.
static void test_rolled_up(void** state) {
    (void)state;
    double angle = two_pi;
    strip s = make_strip(CELLS, "static", "shell");
    clamp(&s);
    prescribe(&s, roll, &angle);
    double stored = 0;
    for (int i = 1; i <= 40; ++i) {
        pli_step_info info = step(s.world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        stored += info.balance.potential;
        double r = radius_of(angle * i / 40);
        for (int v = 0; v < s.count; ++v) {
            const double* x = pli_world_positions(s.world) + 3 * v;
            ASSERT_NEAR(hypot(x[0], x[2] - r), r, 0.005 * length);
        }
    }
    ASSERT_NEAR(stored, 0.5 * D * angle * angle / length, 5e-3 * stored);
    pli_world_destroy(s.world);
}

// The vertices of the end stay, its edges turn: moments 4 D a / L there and 2 D a / L at the other
// end of a clamped strip, with the force 6 D a / L^2, for small angles a.
static void turn(void* context, double time, const double place[3], double out[3]) {
    double angle = *(const double*)context * time, x = place[0] - length, z = place[2];
    out[0] = cos(angle) * x - sin(angle) * z - x;
    out[1] = 0;
    out[2] = sin(angle) * x + cos(angle) * z - z;
}

static void test_turned_in_place(void** state) {
    (void)state;
    double angle = 1e-3;
    strip s = make_strip(CELLS, "static", "shell");
    clamp(&s);
    prescribe(&s, turn, &angle);
    for (int i = 0; i < 40; ++i) assert_int_equal(step(s.world).reason, PLI_CONVERGED);
    double moment = 0, force = 0;
    int edges = 0;
    for (int i = 0; i < pli_world_node_count(s.world); ++i) {
        pli_node_info node = pli_world_node(s.world, i);
        if (!node.def.follows) continue;
        // About the edge from the lower vertex to the higher, along +y.
        ASSERT_NEAR(node.value, -angle, 1e-12);
        moment -= node.reaction;
        edges++;
    }
    assert_int_equal(edges, ACROSS);
    ASSERT_NEAR(moment, 4 * D * angle / length, 5e-3 * moment);
    double g[3 * 100];
    assert_true(3 * s.count <= 300);
    ASSERT_OK(pli_world_gradient(s.world, PLI_OF_POTENTIAL, g, NULL, &error));
    for (int i = 0; i < s.right_count; ++i) force += g[3 * s.right[i] + 2];
    ASSERT_NEAR(force, -6 * D * angle / (length * length), 1e-2 * fabs(force));
    for (int i = 0; i < s.right_count; ++i)
        ASSERT_NEAR(pli_world_positions(s.world)[3 * s.right[i]], length, 1e-12);
    pli_world_destroy(s.world);
}

// A free strip whose end turns about itself by two whole turns goes round with it and is not bent.
static void test_goes_round(void** state) {
    (void)state;
    double angle = 2 * two_pi;
    strip s = make_strip(6, "static", "shell");
    prescribe(&s, turn, &angle);
    for (int i = 0; i < 40; ++i) {
        pli_step_info info = step(s.world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        assert_true(info.balance.potential < 1e-9 * D / length);
    }
    const double* x = pli_world_positions(s.world) + 3 * s.left[0];
    assert_true(hypot(x[0], x[2]) < 1e-5 * length);
    pli_world_destroy(s.world);
}

// ---- refusals

static void test_refusals(void** state) {
    (void)state;
    strip s = make_strip(4, "static", "hinge");
    pull(&s, s.right, s.right_count);
    assert_int_equal(pli_world_prepare(s.world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "needs \"shell\""));
    pli_world_destroy(s.world);
    s = make_strip(4, "static", "shell");
    clamp(&s);
    pull(&s, s.left, s.left_count);
    assert_int_equal(pli_world_prepare(s.world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not clamped"));
    pli_world_destroy(s.world);
    s = make_strip(4, "static", "shell");
    pull(&s, s.right, 1);
    assert_int_equal(pli_world_prepare(s.world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no edge at the boundary"));
    pli_world_destroy(s.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_circle), cmocka_unit_test(test_couple),
        cmocka_unit_test(test_rolled_up),   cmocka_unit_test(test_turned_in_place),
        cmocka_unit_test(test_goes_round),  cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
