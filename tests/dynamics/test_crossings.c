// Where surfaces intersect or are too close, read from a world: prepared, or refused because of it.
#include "dynamics/worlds.h"

#include "dynamics/world.h"
#include "pliant/survey.h"

static pli_body_id add_block(pli_world* world, const char* name, const double size[3],
                             const double centre[3], double thickness) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, size, (int[3]){2, 2, 2}, &error));
    for (int i = 0; i < 3 * mesh.vertex_count; ++i) mesh.positions[i] += centre[i % 3];
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.contact_thickness = thickness;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting young = {"young", 1e5};
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", &young, 1, NULL, &error));
    return id;
}

// Two cubes of side 1, the second higher by `way` along y and a little aside.
static pli_world* two_cubes(double way, double thickness) {
    static const double size[3] = {1, 1, 1};
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    add_block(world, "low", size, (double[3]){0, 0, 0}, thickness);
    add_block(world, "high", size, (double[3]){0.125, way, 0.0625}, thickness);
    return world;
}

static int count_of(pli_world* world) {
    int count = -1;
    ASSERT_OK(pli_world_crossings(world, 0, NULL, &count, &error));
    return count;
}

// A net of springs with both diagonals in every cell, turned about a skew axis: its plane is one
// only up to rounding.
static void add_net(pli_world* world, const char* name, double angle, double height) {
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 4, 4, PLI_SPRINGS, &error));
    for (int v = 0; v < mesh.vertex_count; ++v) {
        double *x = mesh.positions + 3 * v, c = cos(angle), s = sin(angle);
        double y[3] = {x[0], c * x[1], s * x[1] + height};
        x[0] = c * y[0] + s * y[1];
        x[1] = c * y[1] - s * y[0];
        x[2] = y[2];
    }
    pli_body_def def = pli_default_body_def();
    def.name = name;
    def.mesh = &mesh;
    def.vertex_mass = 0.01;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &def, &id, &error));
    pli_setting stiffness = {"stiffness", 1e3};
    ASSERT_OK(pli_world_add_energy(world, id, "spring", &stiffness, 1, NULL, &error));
    pli_mesh_free(&mesh);
}

// Cross-springs do not touch each other; those of two nets do.
static void test_cross_springs(void** state) {
    (void)state;
    for (int i = 0; i < 6; ++i) {
        pli_world_def def = pli_default_world_def();
        def.dimension = 3;
        def.thread_count = 1;
        def.gravity[2] = -9.81;
        pli_world* world = make_world(&def);
        add_net(world, "one", 0.3 * i, 0);
        add_net(world, "other", 0.3 * i, i == 5 ? 0 : 0.02);
        if (i == 5) {
            assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
        } else {
            ASSERT_OK(pli_world_prepare(world, &error));
            assert_int_equal(world->collision.surfaces.crossed.count, 2 * 16);
            for (int step = 0; step < 3; ++step) ASSERT_OK(pli_world_step(world, NULL, &error));
            assert_int_equal(count_of(world), 0);
        }
        pli_world_destroy(world);
    }
}

static void test_refused_world(void** state) {
    (void)state;
    pli_world* world = two_cubes(0.99, 0);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "of body \"low\" intersects"));
    enum { ROOM = 200 };
    pli_crossing_info all[ROOM], few[3];
    int count, again;
    ASSERT_OK(pli_world_crossings(world, ROOM, all, &count, &error));
    assert_in_range(count, 10, ROOM);
    ASSERT_OK(pli_world_crossings(world, 3, few, &again, &error));
    assert_int_equal(again, count);
    assert_int_equal(count_of(world), count);
    for (int i = 0; i < count; ++i) {
        const pli_crossing_info* c = &all[i];
        assert_int_not_equal(c->body[0], c->body[1]);
        assert_true(c->distance == 0);
        // The overlap is 1 cm thick: y from 0.49 to 0.5.
        assert_true(c->point[1] > 0.49 - 1e-12 && c->point[1] < 0.5 + 1e-12);
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 3; ++k)
                assert_in_range(c->vertices[side][k] + 1, k < c->vertex_count[side], 27);
    }
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(few[i].body[0], all[i].body[0]);
        assert_memory_equal(few[i].vertices, all[i].vertices, sizeof few[i].vertices);
        assert_memory_equal(few[i].point, all[i].point, sizeof few[i].point);
    }
    pli_step_info info;
    assert_int_equal(pli_world_step(world, &info, &error), PLI_E_ARGUMENT);
    pli_world_destroy(world);
}

static void test_free_world(void** state) {
    (void)state;
    pli_world* world = two_cubes(1.001, 0);
    assert_int_equal(count_of(world), 0); // it is prepared on the way
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_int_equal(count_of(world), 0);
    ASSERT_OK(pli_world_verify(world, &error));
    pli_world_destroy(world);
}

// A gap that rounding could have made cannot be opened by the steps: it counts as touching.
static void test_gaps_below_resolution(void** state) {
    (void)state;
    pli_world* world = two_cubes(nextafter(1, 2), 0);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "touches"));
    assert_non_null(strstr(error.message, "of body \"high\""));
    assert_non_null(strstr(error.message, "2.22e-16 m"));
    pli_crossing_info one;
    int count;
    ASSERT_OK(pli_world_crossings(world, 1, &one, &count, &error));
    assert_true(count > 1);
    assert_true(one.distance > 0 && one.distance < 1e-15);
    pli_world_destroy(world);
    // Some hundred roundings further on it can move.
    world = two_cubes(1 + 1e-12, 0);
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_true(info.kept);
    pli_world_destroy(world);
}

static void test_thickness(void** state) {
    (void)state;
    pli_world* world = two_cubes(1.01, 0.01); // 1 cm of gap for 2 cm of thickness
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "overlap by 0.01 m"));
    pli_crossing_info one;
    int count;
    ASSERT_OK(pli_world_crossings(world, 1, &one, &count, &error));
    assert_true(count > 1);
    ASSERT_NEAR(one.distance, -0.01, 1e-12);
    ASSERT_NEAR(one.point[1], 0.505, 1e-12); // midway
    pli_world_destroy(world);
    world = two_cubes(1.021, 0.01);
    assert_int_equal(count_of(world), 0);
    pli_world_destroy(world);
}

// Squares in the plane, at different z, which does not count.
static void test_plane(void** state) {
    (void)state;
    for (int apart = 0; apart < 2; ++apart) {
        pli_world_def def = pli_default_world_def();
        def.thread_count = 1;
        pli_world* world = make_world(&def);
        square s = {.segments = 2, .stiffness = 1e5};
        add_square(world, &s);
        s.centre[0] = apart ? 2 : 0.75;
        s.centre[1] = 0.125;
        add_square(world, &s);
        for (int v = 9; v < 18; ++v) world->model.positions[3 * v + 2] = 3;
        pli_status status = pli_world_prepare(world, &error);
        assert_int_equal(status, apart ? PLI_OK : PLI_E_SCENE);
        assert_int_equal(count_of(world), apart ? 0 : 2);
        if (!apart) {
            pli_crossing_info c[2];
            int count;
            ASSERT_OK(pli_world_crossings(world, 2, c, &count, &error));
            for (int i = 0; i < 2; ++i) {
                assert_int_equal(c[i].vertex_count[0], 2);
                assert_int_equal(c[i].vertex_count[1], 2);
                bool low = c[i].point[1] < 0; // the corners of the overlap
                ASSERT_NEAR(c[i].point[0], low ? 0.5 : 0.25, 1e-12);
                ASSERT_NEAR(c[i].point[1], low ? -0.375 : 0.5, 1e-12);
            }
        }
        pli_world_destroy(world);
    }
}

// ---- inside

typedef struct found {
    int count;
    pli_inside_info first;
} found;

static void note(void* context, const pli_inside_info* inside) {
    found* f = context;
    if (f->count++ == 0) f->first = *inside;
}

static found find_inside(double size, double at, bool quadratic) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 1}, (int[3]){2, 2, 2}, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    pli_body_def body = pli_default_body_def();
    body.name = "outer";
    body.mesh = &mesh;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    add_block(world, "inner", (double[3]){size, size, size}, (double[3]){at, at, at}, 0);
    found f = {0};
    ASSERT_OK(pli_survey_inside(world, NULL, note, &f, &error));
    pli_world_destroy(world);
    return f;
}

static void test_inside(void** state) {
    (void)state;
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        found f = find_inside(0.25, 0.125, quadratic);
        assert_int_equal(f.count,
                         1); // the inner one alone, though it is around vertices of the other
        assert_int_equal(f.first.body[0], 1);
        assert_int_equal(f.first.body[1], 0);
        assert_int_equal(f.first.kind, quadratic ? PLI_TETRAHEDRON10 : PLI_TETRAHEDRON);
        assert_in_range(f.first.element, 0, 47);
        assert_int_equal(find_inside(0.25, 2, quadratic).count, 0);
    }
    // Two bodies in one place are in each other: on the surface counts.
    assert_int_equal(find_inside(1, 0, false).count, 2);
}

// A cube of 1/4 inside one of 1, or beside it.
static pli_world* nested(bool inside) {
    pli_world_def def = pli_default_world_def();
    def.dimension = 3;
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    double at = inside ? 0.125 : 2.125;
    add_block(world, "outer", (double[3]){1, 1, 1}, (double[3]){0, 0, 0}, 0);
    add_block(world, "inner", (double[3]){0.25, 0.25, 0.25}, (double[3]){at, 0.125, 0.125}, 0);
    return world;
}

static void test_start_inside(void** state) {
    (void)state;
    pli_world* world = nested(true);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_non_null(
        strstr(error.message, "body \"inner\" lies inside body \"outer\": its vertex "));
    assert_non_null(strstr(error.message, "is in tetrahedron "));
    assert_int_equal(count_of(world), 0); // no surfaces cross
    pli_world_destroy(world);
    // Bodies that pass through each other, or may do so at first, stay allowed.
    for (int i = 0; i < 2; ++i) {
        world = nested(true);
        pli_contact_rule_def rule = pli_default_contact_rule_def();
        rule.between[0] = "inner";
        rule.between[1] = "outer";
        rule.pass = i == 0;
        rule.allow_initial = i == 1;
        ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        pli_world_destroy(world);
    }
}

// In the plane: in a plate, and in the hole of a frame, where there is room.
static void test_start_inside_plane(void** state) {
    (void)state;
    for (int hole = 0; hole < 2; ++hole) {
        pli_world_def def = pli_default_world_def();
        def.thread_count = 1;
        pli_world* world = make_world(&def);
        pli_mesh mesh;
        pli_mesh_init(&mesh, NULL);
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 9, 9, 3, 3, PLI_TRIANGLES, &error));
        if (hole) { // without the two triangles of the middle
            int kept = 0;
            int32_t* v = mesh.elements[PLI_TRIANGLE];
            for (int t = 0; t < mesh.element_count[PLI_TRIANGLE]; ++t) {
                double sum[2] = {0};
                for (int k = 0; k < 6; ++k)
                    sum[k % 2] += mesh.positions[3 * v[3 * t + k / 2] + k % 2] / 3;
                if (fabs(sum[0]) < 1.5 && fabs(sum[1]) < 1.5) continue;
                memmove(v + 3 * kept++, v + 3 * t, 3 * sizeof *v);
            }
            assert_int_equal(kept, mesh.element_count[PLI_TRIANGLE] - 2);
            mesh.element_count[PLI_TRIANGLE] = kept;
        }
        pli_body_def body = pli_default_body_def();
        body.name = "frame";
        body.mesh = &mesh;
        pli_body_id id;
        ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
        pli_mesh_free(&mesh);
        pli_setting k = {"young", 1e5};
        ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", &k, 1, NULL, &error));
        add_square(world, &(square){.segments = 1, .stiffness = 1e5, .centre = {0.1, 0.2}});
        assert_int_equal(pli_world_prepare(world, &error), hole ? PLI_OK : PLI_E_SCENE);
        if (!hole) assert_non_null(strstr(error.message, "inside body \"frame\""));
        pli_world_destroy(world);
    }
}

// A state that is set; it is refused and nothing has changed.
static void test_state_inside(void** state) {
    (void)state;
    pli_world* world = nested(false);
    ASSERT_OK(pli_world_prepare(world, &error));
    int n = pli_world_vertex_count(world), first = pli_world_body_vertex(world, 1);
    double x[3 * 54];
    assert_int_equal(n, 54);
    memcpy(x, pli_world_positions(world), sizeof x);
    for (int v = first; v < n; ++v) x[3 * v] -= 2;
    pli_world_state inside = {.positions = x};
    assert_int_equal(pli_world_set_state(world, &inside, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "body \"inner\" lies inside body \"outer\""));
    assert_true(pli_world_positions(world)[3 * first] > 1.9);
    assert_true(step(world).kept);
    pli_world_destroy(world);
}

// An inner vertex far out of its body, whose elements are turned inside out and reach over another:
// that is outside all the same.
static void test_elements_outside(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
    double initial[27];
    assert_int_equal(mesh.vertex_count, 9);
    memcpy(initial, mesh.positions, sizeof initial);
    for (int v = 0; v < 9; ++v)
        if (fabs(initial[3 * v]) + fabs(initial[3 * v + 1]) < 0.25) initial[3 * v] = 3;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    pli_setting k = {"young", 1e5};
    ASSERT_OK(pli_world_add_energy(world, id, "arap", &k, 1, NULL, &error));
    add_square(world, &(square){.segments = 1, .stiffness = 1e5, .centre = {1.5, 0.45}});
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_world_destroy(world);
}

// Puts the second body elsewhere, behind the back of the steps: what they know of it is of no use.
static void shift(pli_world* world, int axis, double by) {
    int n = pli_world_vertex_count(world);
    for (int v = pli_world_body_vertex(world, 1); v < n; ++v)
        world->model.positions[3 * v + axis] += by;
}

static void test_verify_searches(void** state) {
    (void)state;
    pli_world* world = nested(false);
    ASSERT_OK(pli_world_verify(world, &error));
    shift(world, 0, -2);
    assert_int_equal(pli_world_verify(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "body \"inner\" lies inside body \"outer\""));
    pli_world_destroy(world);
    world = two_cubes(3, 0.01);
    ASSERT_OK(pli_world_verify(world, &error));
    shift(world, 1, -1.975); // 1.025: 2.5 cm of gap for 2 cm of thickness
    ASSERT_OK(pli_world_verify(world, &error));
    shift(world, 1, -0.0075);
    assert_int_equal(pli_world_verify(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "overlap by 0.0025 m at ("));
    pli_world_destroy(world);
}

static void test_verify_searches_plane(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e5});
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 0.1, 0.1, 1, 1, PLI_TRIANGLES, &error));
    for (int v = 0; v < mesh.vertex_count; ++v) mesh.positions[3 * v] += 2;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.obstacle = true;
    body.contact_thickness = 0.01;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_mesh_free(&mesh);
    ASSERT_OK(pli_world_verify(world, &error));
    shift(world, 0, -1.445); // a gap of 5 mm
    assert_int_equal(pli_world_verify(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "overlap by 0.005 m at ("));
    shift(world, 0, -0.555);
    assert_int_equal(pli_world_verify(world, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, " lies inside body "));
    shift(world, 0, -5);
    ASSERT_OK(pli_world_verify(world, &error));
    pli_world_destroy(world);
}

static void test_misuse(void** state) {
    (void)state;
    pli_world* world = two_cubes(1.5, 0);
    pli_crossing_info one;
    int count;
    assert_int_equal(pli_world_crossings(world, 1, NULL, &count, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_crossings(world, -1, &one, &count, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_crossings(world, 1, &one, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_crossings(NULL, 1, &one, &count, &error), PLI_E_ARGUMENT);
    pli_world_destroy(world);
    // A world that failed for another reason has nothing to show.
    pli_world_def def = pli_default_world_def();
    world = make_world(&def);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_crossings(world, 1, &one, &count, &error), PLI_E_ARGUMENT);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cross_springs),
        cmocka_unit_test(test_refused_world),
        cmocka_unit_test(test_free_world),
        cmocka_unit_test(test_gaps_below_resolution),
        cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_start_inside),
        cmocka_unit_test(test_start_inside_plane),
        cmocka_unit_test(test_state_inside),
        cmocka_unit_test(test_elements_outside),
        cmocka_unit_test(test_verify_searches),
        cmocka_unit_test(test_verify_searches_plane),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
