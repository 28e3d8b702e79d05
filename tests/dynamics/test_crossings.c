// Where surfaces intersect or are too close, read from a world: prepared, or refused because of it.
#include "dynamics/worlds.h"

#include "dynamics/survey.h"

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
    ASSERT_OK(pli_world_add_energy(world, id, "neo-hookean", &young, 1, &error));
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
    assert_non_null(strstr(error.message, "too small for the arithmetic"));
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
        for (int v = 9; v < 18; ++v) world->positions[3 * v + 2] = 3;
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
    pli_inside first;
} found;

static void note(void* context, const pli_inside* inside) {
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
    ASSERT_OK(pli_world_make_surfaces(world, &error));
    found f = {0};
    ASSERT_OK(pli_survey_inside(world, pli_world_positions(world), note, &f, &error));
    pli_world_destroy(world);
    return f;
}

static void test_inside(void** state) {
    (void)state;
    for (int quadratic = 0; quadratic < 2; ++quadratic) {
        found f = find_inside(0.25, 0.125, quadratic);
        assert_int_equal(f.count,
                         1); // the inner one alone, though it is around vertices of the other
        assert_int_equal(f.first.body, 0);
        assert_int_equal(f.first.kind, quadratic ? PLI_TETRAHEDRON10 : PLI_TETRAHEDRON);
        assert_in_range(f.first.element, 0, 47);
        assert_int_equal(find_inside(0.25, 2, quadratic).count, 0);
    }
    // Two bodies in one place are in each other: on the surface counts.
    assert_int_equal(find_inside(1, 0, false).count, 2);
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
        cmocka_unit_test(test_refused_world),
        cmocka_unit_test(test_free_world),
        cmocka_unit_test(test_gaps_below_resolution),
        cmocka_unit_test(test_thickness),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_inside),
        cmocka_unit_test(test_misuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
