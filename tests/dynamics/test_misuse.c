// Calls that make no sense are refused with PLI_E_ARGUMENT and leave the world as it was; numbers
// out of range read as nothing.
#include "dynamics/worlds.h"

#include "oracle/allocator.h"

#include <math.h>
#include <string.h>

static pli_world* plain_world(void) {
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    return make_world(&def);
}

static pli_body_id plain_square(pli_world* world, double x) {
    return add_square(world, &(square){.segments = 2, .stiffness = 1e5, .centre = {x, 0}});
}

// The call is refused and its message holds `text`.
#define REFUSED(call, text)                                                                        \
    do {                                                                                           \
        error = (pli_error){0};                                                                    \
        assert_int_equal(call, PLI_E_ARGUMENT);                                                    \
        assert_int_equal(error.status, PLI_E_ARGUMENT);                                            \
        if (!strstr(error.message, text)) print_message("%s\n", error.message);                    \
        assert_non_null(strstr(error.message, text));                                              \
    } while (0)

static void nothing_where_a_def_should_be(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_id id = plain_square(world, 0);
    pli_world* other = NULL;
    REFUSED(pli_world_create(NULL, &other, &error), "NULL");
    REFUSED(pli_world_add_body(world, NULL, &id, &error), "NULL");
    REFUSED(pli_world_fix(world, id, NULL, NULL, &error), "def is NULL");
    REFUSED(pli_world_prescribe(world, id, NULL, NULL, &error), "def is NULL");
    REFUSED(pli_world_add_half_space(world, NULL, NULL, &error), "def is NULL");
    REFUSED(pli_world_add_energy(world, id, NULL, NULL, 0, NULL, &error), "unknown energy type");
    REFUSED(pli_world_add_energy(world, id, "neo-hokean", NULL, 0, NULL, &error),
            "did you mean \"neo-hookean\"?");
    REFUSED(pli_world_prepare(NULL, &error), "NULL");
    pli_world_destroy(world);
}

static void lists_that_are_not_there(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_id id = plain_square(world, 0);
    const char* type = "neo-hookean";
    REFUSED(pli_world_add_energy(world, id, type, NULL, 2, NULL, &error), "settings is NULL");
    REFUSED(pli_world_add_energy(world, id, type, NULL, -1, NULL, &error), "must be >= 0");
    pli_setting nameless = {NULL, 1};
    REFUSED(pli_world_add_energy(world, id, type, &nameless, 1, NULL, &error), "name of setting 0");

    const double times[2] = {0, 1}, offsets[6] = {0};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.times = times;
    motion.key_count = 2;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "times or offsets is NULL");
    motion.times = NULL;
    motion.offsets = offsets;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "times or offsets is NULL");
    motion.times = times;
    motion.key_count = -2;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "key_count = -2");

    const int32_t vertices[1] = {0};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = vertices;
    fix.vertex_count = -3;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "vertex_count = -3");
    pli_world_destroy(world);

    pli_world_def def = pli_default_world_def();
    def.energy_type_count = 1;
    REFUSED(pli_world_create(&def, &world, &error), "energy_types is NULL");
    def.energy_type_count = -1;
    REFUSED(pli_world_create(&def, &world, &error), "must be >= 0");
    def.energy_type_count = 0;
    def.thread_count = -5;
    REFUSED(pli_world_create(&def, &world, &error), "thread count = -5");
    def.thread_count = 1;
    def.solver.linear_tolerance = 1;
    REFUSED(pli_world_create(&def, &world, &error), "linear_tolerance = 1, must be >= 0 and < 1");
}

static void meshes_made_by_hand(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_def def = pli_default_body_def();
    double positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    int32_t triangle[3] = {0, 1, 2};
    pli_mesh mesh = {.vertex_count = 3};
    def.mesh = &mesh;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "positions is NULL");
    mesh.positions = positions;
    mesh.element_count[PLI_TRIANGLE] = 1;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "their list is NULL");
    mesh.elements[PLI_TRIANGLE] = triangle;
    mesh.element_count[PLI_TRIANGLE] = -1;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "must be >= 0");
    mesh.element_count[PLI_TRIANGLE] = 1;
    mesh.vertex_count = -3;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "no vertices");
    mesh.vertex_count = 3;
    assert_int_equal(pli_world_body_count(world), 0);
    ASSERT_OK(pli_world_add_body(world, &def, NULL, &error)); // nobody needs the id
    pli_world_destroy(world);
}

// Counts whose products would pass the largest int are refused before anything is read: the arrays
// behind them have one entry.
static void counts_that_are_too_large(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_def def = pli_default_body_def();
    double position[3] = {0};
    int32_t corner[1] = {0};
    pli_mesh mesh = {.vertex_count = INT32_MAX / 12 + 1, .positions = position};
    def.mesh = &mesh;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "too many");
    mesh.vertex_count = INT32_MAX;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "too many");
    mesh.vertex_count = 1;
    for (int k = PLI_SEGMENT; k < PLI_ELEMENT_KIND_COUNT; ++k) {
        mesh.elements[k] = corner;
        mesh.element_count[k] = INT32_MAX / 48 + 1;
        REFUSED(pli_world_add_body(world, &def, NULL, &error), "at most");
        mesh.element_count[k] = INT32_MAX;
        REFUSED(pli_world_add_body(world, &def, NULL, &error), "at most");
        mesh.element_count[k] = 0;
    }

    pli_mesh large;
    pli_mesh_init(&large, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&large, 1, 1, 199, 199, PLI_TRIANGLES, &error));
    def.mesh = &large; // 40,000 vertices: 3 * 40,000 * 20,000 > 2^31
    def.modes = position;
    def.mode_count = 20000;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "must be at most 17895 for 40000");
    assert_string_equal(error.key, "mode_count");
    def.mode_count = INT32_MAX;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "must be 1 to 120000");
    pli_mesh_free(&large);

    pli_body_id id = plain_square(world, 0);
    pli_vertex_ref ends[2] = {{id, 0}, {id, 1}};
    pli_stencils_def stencils = pli_default_stencils_def();
    stencils.energy = "spring";
    stencils.vertices = ends;
    stencils.count = INT32_MAX / 2 + 1;
    REFUSED(pli_world_add_stencils(world, &stencils, NULL, &error), "must be > 0");
    pli_world_destroy(world);
}

static void ids_belong_to_their_world(void** state) {
    (void)state;
    pli_world *world = plain_world(), *other = plain_world();
    pli_body_id id = plain_square(world, 0), none = {0};
    plain_square(other, 0);
    assert_true(id.generation != 0);
    pli_fix_def fix = pli_default_fix_def();
    REFUSED(pli_world_fix(other, id, &fix, NULL, &error), "this id in this world");
    REFUSED(pli_world_fix(world, none, &fix, NULL, &error), "no body");
    REFUSED(pli_world_add_energy(other, id, "neo-hookean", NULL, 0, NULL, &error), "no body");
    pli_half_space_def ceiling = pli_default_half_space_def();
    ceiling.carrier = id;
    REFUSED(pli_world_add_half_space(other, &ceiling, NULL, &error), "no body");
    pli_body_id beyond = {.index = 7, .generation = id.generation};
    REFUSED(pli_world_fix(world, beyond, &fix, NULL, &error), "no body");
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    // A world that takes the place of a dead one has other ids.
    pli_world_destroy(world);
    world = plain_world();
    plain_square(world, 0);
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "no body");
    pli_world_destroy(world);
    pli_world_destroy(other);
}

static void a_vertex_is_held_once(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_id id = plain_square(world, 0);
    const int32_t twice[3] = {3, 1, 3};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = twice;
    fix.vertex_count = 3;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "vertex 3 is listed twice");
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = twice;
    motion.vertex_count = 3;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "vertex 3 is listed twice");
    fix.vertex_count = 2; // nothing was held by the calls that failed
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error)); // along axes they agree
    const int32_t others[2] = {5, 6};
    motion.vertex_count = 2;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "vertex 3 is already fixed");
    motion.vertices = others;
    motion.vertex_count = 1;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    pli_fix_def slope = pli_default_fix_def();
    slope.normal[0] = slope.normal[1] = 1;
    slope.vertices = twice;
    slope.vertex_count = 1;
    REFUSED(pli_world_fix(world, id, &slope, NULL, &error), "vertex 3 is already fixed");
    slope.vertices = others + 1;
    ASSERT_OK(pli_world_fix(world, id, &slope, NULL, &error));
    REFUSED(pli_world_fix(world, id, &slope, NULL, &error),
            "vertex 6 is already on an inclined support");
    fix.vertices = others;
    fix.vertex_count = 1;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "vertex 5 is already prescribed");
    fix.vertices = others + 1;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error),
            "vertex 6 is already on an inclined support");
    assert_int_equal(pli_world_support_count(world), 4);
    pli_world_destroy(world);
}

// Wherever memory ends, prescribe holds all vertices or none.
static void prescribe_is_all_or_nothing(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.allocator = &allocator;
    const double times[2] = {0, 1}, offsets[6] = {0};
    bool failed = true;
    for (int i = 1; failed; ++i) {
        counter = (pli_test_allocator){0};
        pli_world* world = make_world(&def);
        pli_body_id id = add_square(world, &(square){.segments = 4, .stiffness = 1e5});
        pli_prescribe_def motion = pli_default_prescribe_def();
        motion.times = times;
        motion.offsets = offsets;
        motion.key_count = 2;
        counter.fail_at = counter.requests + i;
        pli_status status = pli_world_prescribe(world, id, &motion, NULL, &error);
        counter.fail_at = 0;
        failed = status != PLI_OK;
        assert_int_equal(status, failed ? PLI_E_MEMORY : PLI_OK);
        if (failed) ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
        ASSERT_OK(pli_world_prepare(world, &error));
        ASSERT_OK(pli_world_step(world, NULL, &error));
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
        assert_true(failed || i > 2);
    }
}

static void supports_that_make_no_sense(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_id id = plain_square(world, 0);
    pli_fix_def fix = pli_default_fix_def();
    fix.axes[0] = fix.axes[1] = false; // in the plane z counts for nothing
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "fixes no axis");
    const int32_t beyond[1] = {9};
    fix.axes[0] = true;
    fix.vertices = beyond;
    fix.vertex_count = 1;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "vertex 9, must be 0 to 8");

    const double late[2] = {0.5, 0.5}, never[2] = {0, NAN}, offsets[6] = {0};
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.times = late;
    motion.offsets = offsets;
    motion.key_count = 2;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error),
            "time of key 1 = 0.5 s, must be > 0.5 s");
    motion.times = never;
    REFUSED(pli_world_prescribe(world, id, &motion, NULL, &error), "key 1 is not finite");

    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    pli_body_def affine = pli_default_body_def();
    affine.mesh = &mesh;
    affine.kinematics = "polynomial";
    affine.order = 1;
    ASSERT_OK(pli_world_add_body(world, &affine, &id, &error));
    fix.vertices = NULL;
    REFUSED(pli_world_fix(world, id, &fix, NULL, &error), "cannot be fixed");
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

static void masses_that_are_none(void** state) {
    (void)state;
    pli_world* world = plain_world();
    double positions[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 5, 5, 0};
    int32_t triangle[3] = {0, 1, 2}, segment[2] = {0, 1};
    pli_mesh mesh = {.vertex_count = 2, .positions = positions};
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    mesh.element_count[PLI_SEGMENT] = 1;
    mesh.elements[PLI_SEGMENT] = segment;
    // Segments may get a cross-section from an energy that is added later.
    pli_body_id thread;
    ASSERT_OK(pli_world_add_body(world, &def, &thread, &error));
    REFUSED(pli_world_prepare(world, &error), "segments have no cross_section");
    ASSERT_OK(pli_world_remove_body(world, thread, &error));
    mesh.element_count[PLI_SEGMENT] = 0;
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "no elements, so density");
    mesh.element_count[PLI_SEGMENT] = 1;
    def.vertex_mass = 1;
    def.mass = "consistent";
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "vertex_mass must be 0");
    // A vertex that no triangle has: refused when unknowns get their mass.
    def = pli_default_body_def();
    def.name = "loose";
    def.mesh = &mesh;
    mesh = (pli_mesh){.vertex_count = 4, .positions = positions};
    mesh.element_count[PLI_TRIANGLE] = 1;
    mesh.elements[PLI_TRIANGLE] = triangle;
    ASSERT_OK(pli_world_add_body(world, &def, NULL, &error));
    REFUSED(pli_world_prepare(world, &error), "body \"loose\": vertex 3 has no mass");
    pli_world_destroy(world);
}

static void nowhere(void* context, double time, const double place[3], double out[3]) {
    (void)context, (void)place;
    out[1] = time > 0.015 ? NAN : 0;
}

// A function of the user that gives no number ends the step, and the state is that before it.
static void motion_that_is_no_number(void** state) {
    (void)state;
    pli_world* world = plain_world();
    pli_body_id id = plain_square(world, 0);
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.field = nowhere;
    ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    ASSERT_OK(pli_world_step(world, NULL, &error));
    REFUSED(pli_world_step(world, NULL, &error), "at t = 0.02 s the offset of the vertex");
    assert_int_equal(pli_world_step_count(world), 1);
    ASSERT_NEAR(pli_world_time(world), 0.01, 1e-15); // one rounding
    pli_world_destroy(world);
}

static void count_nothing(const pli_batch* in, pli_local* out) { (void)in, (void)out; }

// Energies of the user are looked at before they are used.
static void energies_that_do_not_fit(void** state) {
    (void)state;
    pli_energy_type solid = {.abi = PLI_ENERGY_ABI, .name = "mine", .eval = count_nothing};
    const pli_energy_type* list[1] = {&solid};
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.energy_types = list;
    def.energy_type_count = 1;
    solid.dims = 1u << 3;
    pli_world* world = make_world(&def);
    pli_body_id id = plain_square(world, 0);
    REFUSED(pli_world_add_energy(world, id, "mine", NULL, 0, NULL, &error), "dimension 2");
    pli_world_destroy(world);
    solid.eval = NULL;
    REFUSED(pli_world_create(&def, &world, &error), "name and eval must be set");
    solid.eval = count_nothing;
    solid.param_count = 1;
    REFUSED(pli_world_create(&def, &world, &error), "param_count = 1, but params is NULL");
    solid.param_count = -1;
    REFUSED(pli_world_create(&def, &world, &error), "param_count = -1, but must be >= 0");
    const pli_param row = {.name = "k", .max = 1};
    solid.params = &row;
    solid.param_count = 1;
    REFUSED(pli_world_create(&def, &world, &error), "parameter 0 must have name and unit");
    char name[300];
    memset(name, 'x', sizeof name);
    name[299] = 0;
    solid.param_count = 0;
    solid.name = name; // a saved state could not be read again
    REFUSED(pli_world_create(&def, &world, &error), "the name has 299 bytes, must be at most 256");
}

// After a prepare that was refused the world can change: all is given back with the right sizes.
static void what_failed_stays_as_it_is(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.allocator = &allocator;
    pli_world* world = make_world(&def);
    plain_square(world, 0);
    plain_square(world, 0.3);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE); // they intersect
    pli_half_space_def ground = pli_default_half_space_def();
    ground.point[1] = -5;
    ASSERT_OK(pli_world_add_half_space(world, &ground, NULL, &error));
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE); // they still do
    pli_world_destroy(world);
    assert_false(counter.wrong_size);
    assert_int_equal(counter.bytes, 0);
}

// Arrays of the world move when a body is added.
static void arrays_of_the_world_itself(void** state) {
    (void)state;
    pli_world* world = plain_world();
    plain_square(world, 0);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, 2, PLI_TRIANGLES, &error));
    pli_body_def def = pli_default_body_def();
    def.mesh = &mesh;
    def.initial = pli_world_positions(world);
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "initial ");
    def.initial = NULL;
    def.velocities = pli_world_velocities(world);
    REFUSED(pli_world_add_body(world, &def, NULL, &error), "velocities ");
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// A step that fails leaves its output alone, wherever memory ends.
static void a_failed_step_says_nothing(void** state) {
    (void)state;
    pli_test_allocator counter = {0};
    const pli_allocator allocator = pli_test_hook(&counter);
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    def.allocator = &allocator;
    int failures = 0;
    for (bool failed = true; failed; failures += failed) {
        counter = (pli_test_allocator){0};
        pli_world* world = make_world(&def);
        plain_square(world, 0);
        ASSERT_OK(pli_world_prepare(world, &error));
        counter.fail_at = counter.requests + failures + 1;
        pli_step_info info = {.remedy = "untouched"};
        failed = pli_world_step(world, &info, &error) != PLI_OK;
        if (failed) assert_string_equal(info.remedy, "untouched");
        pli_world_destroy(world);
        assert_int_equal(counter.bytes, 0);
    }
    assert_true(failures > 0);
}

static void numbers_out_of_range_read_as_nothing(void** state) {
    (void)state;
    pli_world* world = plain_world();
    plain_square(world, 0);
    assert_null(pli_world_reactions(world)); // not prepared
    assert_int_equal(pli_world_energy_count(world), 1);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_non_null(pli_world_reactions(world));
    static const int wrong[] = {-1, 99};
    for (int i = 0; i < 2; ++i) {
        int n = wrong[i];
        pli_element_kind kind = (pli_element_kind)n;
        double point[3] = {7, 7, 7}, normal[3] = {7, 7, 7}, field = 7;
        assert_string_equal(pli_world_body_name(world, n), "");
        assert_int_equal(pli_world_body_vertex(world, n), n < 0 ? 0 : 9);
        assert_int_equal(pli_world_element_count(world, kind), 0);
        assert_null(pli_world_elements(world, kind));
        assert_int_equal(pli_world_body_element(world, 0, kind), 0);
        assert_int_equal(pli_world_body_element(world, n, PLI_TRIANGLE), n < 0 ? 0 : 8);
        assert_string_equal(pli_world_energy_name(world, n), "");
        assert_true(pli_world_energy_value(world, n) == 0);
        assert_false(pli_world_energy_stored(world, n));
        pli_world_half_space(world, n, point, normal);
        assert_true(point[0] == 0 && normal[1] == 0);
        pli_world_element_fields(world, kind, &(pli_element_fields){.energy = &field});
        assert_true(field == 7);
        pli_support_info support = pli_world_support(world, n);
        assert_string_equal(support.kind, "");
        assert_true(support.vertex_count == 0 && support.force[1] == 0);
    }
    assert_int_equal(pli_world_element_count(world, PLI_VERTEX), 0);
    assert_null(pli_world_elements(world, PLI_VERTEX));
    double field = 7;
    pli_world_element_fields(world, PLI_VERTEX, &(pli_element_fields){.energy = &field});
    assert_true(field == 7);
    // 1e-3 of the diagonal of a square of side 1; one rounding
    ASSERT_NEAR(pli_world_dhat(world), 1e-3 * sqrt(2), 1e-15);
    pli_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_where_a_def_should_be),
        cmocka_unit_test(lists_that_are_not_there),
        cmocka_unit_test(meshes_made_by_hand),
        cmocka_unit_test(counts_that_are_too_large),
        cmocka_unit_test(ids_belong_to_their_world),
        cmocka_unit_test(a_vertex_is_held_once),
        cmocka_unit_test(prescribe_is_all_or_nothing),
        cmocka_unit_test(supports_that_make_no_sense),
        cmocka_unit_test(masses_that_are_none),
        cmocka_unit_test(motion_that_is_no_number),
        cmocka_unit_test(energies_that_do_not_fit),
        cmocka_unit_test(what_failed_stays_as_it_is),
        cmocka_unit_test(arrays_of_the_world_itself),
        cmocka_unit_test(a_failed_step_says_nothing),
        cmocka_unit_test(numbers_out_of_range_read_as_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
