// Affine and rigid bodies in worlds: mass of every kind of mesh, supports and their reactions,
// prescribed motion, damping, contact with other bodies, saved states, strain within what is
// allowed.
#include "dynamics/worlds.h"

static const double g = 9.81;

// The box from -size / 2 to size / 2 as a surface of 12 triangles.
static void add_shell(pli_mesh* mesh, const double size[3], bool inside_out) {
    static const int32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x[24];
    for (int i = 0; i < 8; ++i)
        for (int c = 0; c < 3; ++c) x[3 * i + c] = (i >> c & 1 ? 0.5 : -0.5) * size[c];
    ASSERT_OK(pli_mesh_add_vertices(mesh, 8, x, NULL, &error));
    for (int q = 0; q < 6; ++q) {
        const int32_t* v = quads[q];
        int32_t two[6] = {v[0], v[1], v[2], v[0], v[2], v[3]};
        for (int t = 0; t < 6 && inside_out; t += 3) {
            int32_t last = two[t + 2];
            two[t + 2] = two[t + 1], two[t + 1] = last;
        }
        ASSERT_OK(pli_mesh_add_elements(mesh, PLI_TRIANGLE, 2, two, &error));
    }
}

static pli_world_def space(void) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.time_step = 0.01;
    def.solver.tolerance = 1e-8;
    def.contact.bodies = false;
    return def;
}

static const double size[3] = {0.2, 0.3, 0.5};

// A box of tetrahedra with its centre at (x, y, z); the mesh is moved.
static pli_body_id add_box(pli_world* world, const char* kinematics, int cells, const double at[3],
                           const double velocity[3]) {
    const int count[3] = {cells, cells, cells};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, count, &error));
    for (int v = 0; v < mesh.vertex_count; ++v)
        for (int c = 0; c < 3; ++c) mesh.positions[3 * v + c] += at[c];
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = kinematics;
    for (int c = 0; c < 3 && velocity; ++c) body.velocity[c] = velocity[c];
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    return id;
}

static const double origin[3] = {0, 0, 0};

static double sum_of_reactions(const pli_world* world, int axis) {
    const double* r = pli_world_reactions(world);
    double sum = 0;
    for (int v = 0; v < pli_world_vertex_count(world); ++v) sum += r[3 * v + axis];
    return sum;
}

// ---- mass

typedef enum shape { SOLID, SURFACE, INSIDE_OUT, SHEET, ROD, POINTS, SHAPES } shape;

static void make_shape(shape kind, pli_mesh* mesh, pli_body_def* body) {
    const int cells[3] = {2, 1, 3};
    pli_mesh_init(mesh, NULL);
    if (kind == SOLID) ASSERT_OK(pli_mesh_add_box(mesh, size, cells, &error));
    if (kind == SURFACE || kind == INSIDE_OUT) add_shell(mesh, size, kind == INSIDE_OUT);
    if (kind == SHEET) {
        ASSERT_OK(pli_mesh_add_rectangle(mesh, 0.4, 0.6, 2, 3, PLI_TRIANGLES, &error));
        body->thickness = 0.02;
    }
    if (kind == ROD) {
        const double a[3] = {-0.5, 0, 0}, b[3] = {0.5, 0, 0};
        ASSERT_OK(pli_mesh_add_line(mesh, a, b, 5, &error));
        body->cross_section = 1e-4;
    }
    if (kind == POINTS) {
        const double x[12] = {1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -2, 0};
        ASSERT_OK(pli_mesh_add_vertices(mesh, 4, x, NULL, &error));
        body->vertex_mass = 0.25;
    }
    body->mesh = mesh;
    body->kinematics = "rigid";
}

// Mass and the diagonal of the inertia about the centre.
static const double expected[SHAPES][4] = {
    {30, 0.85, 0.725, 0.325},
    {30, 0.85, 0.725, 0.325},
    {30, 0.85, 0.725, 0.325},
    {4.8, 4.8 * (0.36 + 4e-4) / 12, 4.8 * (0.16 + 4e-4) / 12, 4.8 * 0.52 / 12},
    {0.1, 0.1 * 1e-4 / (2 * 3.14159265358979), 0.1 / 12 + 0.1 * 1e-4 / (4 * 3.14159265358979),
     0.1 / 12 + 0.1 * 1e-4 / (4 * 3.14159265358979)},
    {1, 2, 0.5, 2.5}};

// Mass and inertia, free fall, and a spin about z that the vertices of flat bodies hardly show.
static void test_mass(void** state) {
    (void)state;
    for (int kind = 0; kind < SHAPES; ++kind) {
        pli_world_def def = space();
        def.gravity[1] = -g;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_body_def body = pli_default_body_def();
        double v[3 * 48] = {0};
        make_shape((shape)kind, &mesh, &body);
        for (int i = 0; i < mesh.vertex_count; ++i) { // about (1, 0, 1): tumbles
            const double* x = mesh.positions + 3 * i;
            v[3 * i] = -x[1];
            v[3 * i + 1] = x[0] - x[2];
            v[3 * i + 2] = x[1];
        }
        body.velocities = v;
        ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        pli_mesh_free(&mesh);
        assert_int_equal(pli_world_unknown_count(world), 12);
        pli_body_summary s = pli_world_body_summary(world, 0, NULL);
        ASSERT_NEAR(s.mass, expected[kind][0], 1e-9 * s.mass);
        for (int a = 0; a < 3; ++a)
            ASSERT_NEAR(s.inertia[4 * a], expected[kind][a + 1], 1e-8 * expected[kind][3]);
        // Rods: no spin about their own axis is visible.
        double along = kind == ROD ? 0 : expected[kind][1];
        ASSERT_NEAR(s.angular[0], along, 1e-8 * expected[kind][3]);
        ASSERT_NEAR(s.angular[2], expected[kind][3], 1e-8 * expected[kind][3]);
        for (int n = 0; n < 10; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        pli_body_summary fallen = pli_world_body_summary(world, 0, NULL);
        ASSERT_NEAR(fallen.velocity[1], -g * 0.1, 1e-6);
        ASSERT_NEAR(fallen.centre[1] - s.centre[1], -g * 1e-4 * 55, 1e-6);
        if (kind < SHEET) ASSERT_NEAR(s.volume, 0.03, 1e-12);
        pli_world_destroy(world);
    }
}

// A measured mass replaces that of the mesh: alone it scales the inertia, or it comes with all of
// it.
static void test_given_mass(void** state) {
    (void)state;
    const double I[3] = {2, 3, 4}, P[3] = {0.25, -0.5, 0.125}, centre[3] = {0.1, 0.2, -0.3};
    for (int with_inertia = 0; with_inertia < 2; ++with_inertia) {
        pli_world_def def = space();
        def.gravity[1] = -g;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_body_def body = pli_default_body_def();
        make_shape(SURFACE, &mesh, &body);
        body.total_mass = 6;
        memcpy(body.inertia, I, with_inertia ? sizeof I : 0);
        memcpy(body.inertia_products, P, with_inertia ? sizeof P : 0);
        memcpy(body.center_of_mass, centre, with_inertia ? sizeof centre : 0);
        ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
        pli_mesh_free(&mesh);
        ASSERT_OK(pli_world_prepare(world, &error));
        pli_body_summary s = pli_world_body_summary(world, 0, NULL);
        ASSERT_NEAR(s.mass, 6, 1e-12);
        for (int i = 0; i < 9; ++i) {
            double mesh_value = i % 4 == 0 ? expected[SURFACE][1 + i / 4] * 6 / 30 : 0;
            double given = i % 4 == 0 ? I[i / 4] : P[i / 3 + i % 3 - 1];
            ASSERT_NEAR(s.inertia[i], with_inertia ? given : mesh_value, 1e-9);
        }
        for (int c = 0; c < 3; ++c) ASSERT_NEAR(s.centre[c], with_inertia ? centre[c] : 0, 1e-12);
        for (int n = 0; n < 10; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
        s = pli_world_body_summary(world, 0, NULL);
        ASSERT_NEAR(s.velocity[1], -g * 0.1, 1e-6);
        pli_world_destroy(world);
    }
}

static void test_wrong_mass(void** state) {
    (void)state;
    static const struct {
        const char *kinematics, *key;
        double total, inertia[3], products[3];
    } cases[] = {
        {"free", "total_mass", 1, {0}, {0}},
        {"rigid", "inertia", 0, {1, 1, 1}, {0}},
        {"rigid", "inertia", 1, {1, 1, 2.1}, {0}},
        {"rigid", "inertia", 1, {1, 1, -1}, {0}},
        {"rigid", "inertia", 1, {1, 1, 1}, {1.5, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        pli_world_def def = space();
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_body_def body = pli_default_body_def();
        make_shape(SURFACE, &mesh, &body);
        body.kinematics = cases[i].kinematics;
        body.total_mass = cases[i].total;
        memcpy(body.inertia, cases[i].inertia, sizeof body.inertia);
        memcpy(body.inertia_products, cases[i].products, sizeof body.inertia_products);
        assert_int_equal(pli_world_add_body(world, &body, NULL, &error), PLI_E_ARGUMENT);
        assert_string_equal(error.key, cases[i].key);
        pli_mesh_free(&mesh);
        pli_world_destroy(world);
    }
}

// In the plane: 6 unknowns.
static void test_plane(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -g;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 2, 4, 8, PLI_TRIANGLES, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "rigid";
    ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
    pli_mesh_free(&mesh);
    add_ground(world, -1.2, 0.3);
    for (int n = 0; n < 100; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    assert_int_equal(pli_world_unknown_count(world), 6);
    pli_body_summary s = pli_world_body_summary(world, 0, NULL);
    ASSERT_NEAR(s.mass, 2000, 1e-9);
    ASSERT_NEAR(s.inertia[8], 2000 * 5 / 12.0, 2);
    assert_true(s.low[1] > -1.2 && s.low[1] < -1.18);
    ASSERT_NEAR(s.velocity[1], 0, 1e-2);
    pli_world_destroy(world);
}

// ---- supports

// Hanging on 1, 2 or all vertices, in statics: the supports carry weight and its torque.
static void test_reactions(void** state) {
    (void)state;
    static const int held[3] = {1, 2, 8}, unknowns[3] = {9, 6, 0};
    for (int n = 0; n < 3; ++n) {
        pli_world_def def = space();
        def.scheme = "static";
        def.solver.gradient_tolerance = 1e-9;
        def.gravity[1] = -g;
        pli_world* world = make_world(&def);
        pli_body_id id = add_box(world, "rigid", 1, origin, NULL);
        int32_t top[8];
        int count = 0;
        const double* x = pli_world_positions(world);
        for (int32_t v = 0; v < 8; ++v) // the middle of the two is above the centre
            if (held[n] == 8 || (x[3 * v + 1] > 0 && x[3 * v] * x[3 * v + 2] > 0)) top[count++] = v;
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = top;
        fix.vertex_count = held[n];
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        assert_int_equal(pli_world_unknown_count(world), unknowns[n]);
        ASSERT_NEAR(sum_of_reactions(world, 1), 30 * g, 1e-3);
        ASSERT_NEAR(sum_of_reactions(world, 0), 0, 1e-3);
        pli_body_summary s = pli_world_body_summary(world, 0, NULL);
        const double *r = pli_world_reactions(world), *y = pli_world_positions(world);
        double torque = 0; // about z through the centre
        for (int v = 0; v < 8; ++v)
            torque +=
                (y[3 * v] - s.centre[0]) * r[3 * v + 1] - (y[3 * v + 1] - s.centre[1]) * r[3 * v];
        ASSERT_NEAR(torque, 0, 1e-2);
        if (held[n] == 1) // it hangs below
            ASSERT_NEAR(s.centre[0], y[3 * top[0]], 1e-4);
        pli_world_destroy(world);
    }
}

// On rollers: a face slides, its normal direction carries the weight.
static void test_rollers(void** state) {
    (void)state;
    pli_world_def def = space();
    def.gravity[1] = -g;
    pli_world* world = make_world(&def);
    pli_body_id id = add_box(world, "rigid", 2, origin, (double[3]){1, 0, 0});
    int32_t low[9];
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = low;
    fix.axes[0] = fix.axes[2] = false;
    const double* x = pli_world_positions(world);
    for (int32_t v = 0; v < 27; ++v)
        if (x[3 * v + 1] < -0.1) low[fix.vertex_count++] = v;
    assert_int_equal(fix.vertex_count, 9);
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    for (int n = 0; n < 10; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    assert_int_equal(pli_world_unknown_count(world), 9);
    pli_body_summary s = pli_world_body_summary(world, 0, NULL);
    ASSERT_NEAR(s.centre[0], 0.1, 1e-9);
    ASSERT_NEAR(s.centre[1], 0, 1e-4);
    ASSERT_NEAR(sum_of_reactions(world, 1), 30 * g, 1e-3 * 30 * g);
    pli_world_destroy(world);
}

static void turn_about_y(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    double c = cos(time), s = sin(time);
    out[0] = c * place[0] + s * place[2] - place[0];
    out[1] = 0.1 * time;
    out[2] = -s * place[0] + c * place[2] - place[2];
}

// The whole body turns and rises as prescribed; its weight is carried.
static void test_prescribed(void** state) {
    (void)state;
    pli_world_def def = space();
    def.gravity[1] = -g;
    pli_world* world = make_world(&def);
    pli_body_id id = add_box(world, "rigid", 2, origin, NULL);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.field = turn_about_y;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    double rest[81];
    for (int i = 0; i < 81; ++i) rest[i] = pli_world_positions(world)[i];
    for (int n = 1; n <= 20; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    for (int v = 0; v < 27; ++v) {
        double way[3];
        turn_about_y(NULL, 0.2, rest + 3 * v, way);
        for (int c = 0; c < 3; ++c)
            ASSERT_NEAR(pli_world_positions(world)[3 * v + c], rest[3 * v + c] + way[c], 1e-9);
    }
    ASSERT_NEAR(sum_of_reactions(world, 1), 30 * g, 1e-4 * 30 * g);
    pli_world_destroy(world);
}

// ---- damping, strain

static void test_damping(void** state) {
    (void)state;
    pli_world_def def = space();
    pli_world* world = make_world(&def);
    const int cells[3] = {1, 1, 1};
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, cells, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "affine";
    body.mass_damping = 3;
    body.velocity[0] = 1;
    ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
    pli_mesh_free(&mesh);
    for (int n = 0; n < 20; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    ASSERT_NEAR(pli_world_body_summary(world, 0, NULL).velocity[0], pow(1 + 3 * 0.01, -20), 1e-7);
    pli_world_destroy(world);
}

// A spin that is added when kappa is chosen: it is raised until the strain is allowed.
static void test_strain(void** state) {
    (void)state;
    pli_world_def def = space();
    def.time_step = 1e-3;
    pli_world* world = make_world(&def);
    pli_body_id id = add_box(world, "rigid", 1, origin, NULL);
    ASSERT_OK(pli_world_prepare(world, &error));
    double v[24];
    for (int i = 0; i < 8; ++i) {
        const double* x = pli_world_positions(world) + 3 * i;
        v[3 * i] = -30 * x[1];
        v[3 * i + 1] = 30 * x[0];
        v[3 * i + 2] = 0;
    }
    ASSERT_OK(pli_world_set_velocities(world, id, v, true, &error));
    double stiffening = 0;
    for (int n = 0; n < 100; ++n) {
        pli_step_info info = step(world);
        assert_int_equal(info.reason, PLI_CONVERGED);
        stiffening += info.balance.stiffening;
        ASSERT_NEAR(info.balance.residual, 0, 1e-6);
    }
    assert_true(stiffening > 0);
    const double* x = pli_world_positions(world);
    double longest = 0;
    for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) {
            double d = 0;
            for (int c = 0; c < 3; ++c)
                d += (x[3 * i + c] - x[3 * j + c]) * (x[3 * i + c] - x[3 * j + c]);
            longest = fmax(longest, sqrt(d));
        }
    ASSERT_NEAR(longest / sqrt(0.04 + 0.09 + 0.25), 1, 1.1e-3);
    pli_world_destroy(world);
}

// ---- with others

// A rigid box, a soft box and a surface without inside, in one pile; steps converge and nothing
// intersects. The second world is restored in the middle: the same bits.
static pli_world* make_pile(void) {
    pli_world_def def = space();
    def.gravity[1] = -g;
    def.contact.bodies = true;
    def.contact.dhat = 2e-3;
    def.contact.friction = 0.3;
    def.solver.tolerance = 1e-3;
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    add_box(world, "rigid", 2, (double[3]){0, 0.155, 0}, NULL);
    pli_body_id soft = add_box(world, "free", 2, (double[3]){0.03, 0.465, 0}, NULL);
    pli_setting k[2] = {{"young", 1e6}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, soft, "neo-hookean", k, 2, NULL, &error));
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    add_shell(&mesh, size, false);
    for (int v = 0; v < 8; ++v) mesh.positions[3 * v + 1] += 0.78;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.kinematics = "rigid";
    body.density = 500;
    ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
    pli_mesh_free(&mesh);
    add_ground(world, 0, 0.3);
    ASSERT_OK(pli_world_prepare(world, &error));
    return world;
}

typedef struct bytes {
    size_t count;
    char data[1 << 20];
} bytes;

static bool keep_bytes(void* context, const void* data, size_t count) {
    bytes* to = context;
    if (to->count + count > sizeof to->data) return false;
    memcpy(to->data + to->count, data, count);
    to->count += count;
    return true;
}

static void test_pile(void** state) {
    (void)state;
    static bytes saved;
    pli_world *world = make_pile(), *again = make_pile(), *copy = NULL;
    saved.count = 0;
    for (int n = 0; n < 30; ++n) {
        assert_int_equal(step(world).reason, PLI_CONVERGED);
        if (n == 15) ASSERT_OK(pli_world_save(world, keep_bytes, &saved, &error));
    }
    ASSERT_OK(pli_world_verify(world, &error));
    ASSERT_OK(pli_world_restore(again, saved.data, saved.count, &error));
    for (int n = 16; n < 30; ++n) (void)step(again);
    ASSERT_OK(pli_world_clone(again, &copy, &error));
    size_t size_of_x = 3 * sizeof(double) * (size_t)pli_world_vertex_count(world);
    assert_memory_equal(pli_world_positions(world), pli_world_positions(again), size_of_x);
    assert_memory_equal(pli_world_positions(world), pli_world_positions(copy), size_of_x);
    pli_body_summary top = pli_world_body_summary(world, 2, NULL);
    ASSERT_NEAR(top.mass, 15, 1e-9);
    assert_true(top.low[1] > 0.55 && top.low[1] < 0.64);
    pli_world_destroy(world);
    pli_world_destroy(again);
    pli_world_destroy(copy);
}

// A body that comes between steps: the others go on as they were.
static void test_change(void** state) {
    (void)state;
    pli_world_def def = space();
    pli_world* world = make_world(&def);
    add_box(world, "rigid", 1, origin, (double[3]){0, 1, 0});
    for (int n = 0; n < 5; ++n) (void)step(world);
    pli_body_summary before = pli_world_body_summary(world, 0, NULL);
    add_box(world, "rigid", 1, (double[3]){3, 0, 0}, NULL);
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_body_summary after = pli_world_body_summary(world, 0, NULL);
    for (int c = 0; c < 3; ++c) {
        ASSERT_NEAR(after.momentum[c], before.momentum[c], 1e-11);
        ASSERT_NEAR(after.centre[c], before.centre[c], 1e-12);
    }
    assert_int_equal(step(world).reason, PLI_CONVERGED);
    assert_int_equal(pli_world_unknown_count(world), 24);
    pli_world_destroy(world);
}

// A free spin under implicit schemes; one of them keeps the energy.
static void test_schemes(void** state) {
    (void)state;
    static const char* const names[] = {
        "backward-euler", "bdf2", "bdf4", "newmark", "implicit-midpoint", "averaged-vector-field"};
    for (int i = 0; i < 6; ++i) {
        pli_world_def def = space();
        def.scheme = names[i];
        def.time_step = 1e-3;
        def.solver.tolerance = 1e-11;
        pli_world* world = make_world(&def);
        pli_body_id id = add_box(world, "affine", 1, origin, NULL);
        double v[24];
        for (int k = 0; k < 8; ++k) {
            const double* x = pli_world_positions(world) + 3 * k;
            v[3 * k] = -5 * x[1];
            v[3 * k + 1] = 5 * x[0] - 2 * x[2];
            v[3 * k + 2] = 2 * x[1];
        }
        ASSERT_OK(pli_world_set_velocities(world, id, v, true, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        pli_body_summary before = pli_world_body_summary(world, 0, NULL);
        double change = 0;
        for (int n = 0; n < 50; ++n) {
            pli_step_info info = step(world);
            assert_int_equal(info.reason, PLI_CONVERGED);
            change += info.balance.kinetic + info.balance.potential;
        }
        pli_body_summary after = pli_world_body_summary(world, 0, NULL);
        for (int c = 0; c < 3; ++c) // backward Euler slows rotation in proportion to h
            ASSERT_NEAR(after.angular[c], before.angular[c], i == 0 ? 5e-3 : 1e-4);
        if (i == 5) ASSERT_NEAR(change, 0, 1e-9 * before.kinetic);
        pli_world_destroy(world);
    }
}

// A falling, spinning body of every kind of mesh under every scheme: its momentum follows the
// weight exactly, and it stays rigid.
static void test_shapes(void** state) {
    (void)state;
    static const char* const schemes[] = {"backward-euler", "bdf2", "newmark", "implicit-midpoint",
                                          "averaged-vector-field"};
    for (int kind = 0; kind < SHAPES; ++kind)
        for (size_t s = 0; s < sizeof schemes / sizeof *schemes; ++s) {
            pli_world_def def = space();
            def.scheme = schemes[s];
            def.gravity[2] = -g;
            pli_world* world = make_world(&def);
            pli_mesh mesh;
            pli_body_def body = pli_default_body_def();
            make_shape((shape)kind, &mesh, &body);
            double* v = test_calloc(3 * (size_t)mesh.vertex_count, sizeof *v);
            for (int i = 0; i < mesh.vertex_count; ++i) { // a turn per 2 s about (0, 1, 1)
                const double* x = mesh.positions + 3 * i;
                v[3 * i] = 2 * (x[2] - x[1]);
                v[3 * i + 1] = 2 * x[0];
                v[3 * i + 2] = -2 * x[0];
            }
            body.velocities = v;
            ASSERT_OK(pli_world_add_body(world, &body, NULL, &error));
            test_free(v);
            pli_mesh_free(&mesh);
            ASSERT_OK(pli_world_prepare(world, &error));
            pli_body_summary before = pli_world_body_summary(world, 0, NULL);
            for (int n = 0; n < 10; ++n) assert_true(step(world).kept);
            pli_body_summary after = pli_world_body_summary(world, 0, NULL);
            for (int c = 0; c < 3; ++c)
                ASSERT_NEAR(after.velocity[c], before.velocity[c] - (c == 2 ? g * 0.1 : 0), 1e-8);
            assert_true(after.kinetic > 0 && isfinite(after.kinetic));
            pli_world_destroy(world);
        }
}

// In statics a hinged sheet and a hinged rod hang from their joints with their weight.
static void test_statics(void** state) {
    (void)state;
    for (int kind = SHEET; kind <= ROD; ++kind) {
        pli_world_def def = space();
        def.scheme = "static";
        def.gravity[1] = -g;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_body_def body = pli_default_body_def();
        pli_body_id id;
        make_shape((shape)kind, &mesh, &body);
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_joint_def pin = pli_default_joint_def();
        pin.ends[0].body = id;
        memcpy(pin.at, mesh.positions, sizeof pin.at);
        ASSERT_OK(pli_world_add_joint(world, &pin, NULL, &error));
        pli_mesh_free(&mesh);
        assert_true(step(world).kept);
        pli_joint_info info;
        assert_true(pli_world_joint(world, 0, &info));
        pli_body_summary sum = pli_world_body_summary(world, 0, NULL);
        ASSERT_NEAR(info.force[1], sum.mass * g, 1e-3 * sum.mass * g);
        assert_true(sum.centre[1] < info.place[1] - 0.1); // below the pin
        pli_world_destroy(world);
    }
}

static void test_refusals(void** state) {
    (void)state;
    pli_world_def def = space();
    pli_world* world = make_world(&def);
    pli_body_id id = add_box(world, "rigid", 1, origin, NULL);
    pli_prescribe_def motion = pli_default_prescribe_def();
    const double times[2] = {0, 1}, offsets[48] = {0};
    motion.times = times;
    motion.offsets = offsets;
    motion.key_count = 2;
    motion.per_vertex = true;
    assert_int_equal(pli_world_prescribe(world, id, &motion, NULL, &error), PLI_E_ARGUMENT);
    const int32_t list[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (int axis = 0; axis < 2; ++axis) { // x of four vertices, y of four others: not one body
        pli_fix_def fix = pli_default_fix_def();
        fix.vertices = list + 4 * axis;
        fix.vertex_count = 4;
        for (int c = 0; c < 3; ++c) fix.axes[c] = c == axis;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    }
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "cannot hold one rigid body"));
    pli_world_destroy(world);
    // A sheet without thickness: neither a solid nor a shell.
    world = make_world(&def);
    pli_mesh mesh;
    pli_body_def sheet = pli_default_body_def();
    make_shape(SHEET, &mesh, &sheet);
    sheet.thickness = 0;
    ASSERT_OK(pli_world_add_body(world, &sheet, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "its surface is open at 10 edges, the first at ("));
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),       cmocka_unit_test(test_plane),
        cmocka_unit_test(test_given_mass), cmocka_unit_test(test_wrong_mass),
        cmocka_unit_test(test_reactions),  cmocka_unit_test(test_rollers),
        cmocka_unit_test(test_prescribed), cmocka_unit_test(test_damping),
        cmocka_unit_test(test_strain),     cmocka_unit_test(test_pile),
        cmocka_unit_test(test_change),     cmocka_unit_test(test_schemes),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_statics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
