// Looking at a world before it is prepared, and going on from there; lists for bindings.
#include "dynamics/worlds.h"

#include "pliant/survey.h"

#include <string.h>

typedef struct seen {
    int count;
    pli_near_info first;
} seen;

static void note(void* context, const pli_near_info* pair) {
    seen* s = context;
    if (s->count++ == 0 || pair->distance < s->first.distance) s->first = *pair;
}

static void count_inside(void* context, const pli_inside_info* inside) {
    (void)inside;
    ++*(int*)context;
}

// Two squares of side 1, the second `x` to the right.
static pli_world* two_squares(double x) {
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.contact.dhat = 0.01;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e5});
    add_square(world, &(square){.segments = 2, .stiffness = 1e5, .centre = {x, 0.1}});
    add_ground(world, -2, 0);
    return world;
}

static void survey(pli_world* world) {
    int count = -1, found = 0;
    ASSERT_OK(pli_survey_crossings(world, NULL, 0, NULL, &count, &error));
    assert_int_equal(count, 0);
    ASSERT_OK(pli_survey_inside(world, NULL, count_inside, &found, &error));
    assert_int_equal(found, 0);
}

// A survey before prepare changes nothing in what follows, to the last bit.
static void test_same_bits(void** state) {
    (void)state;
    pli_world* worlds[2] = {two_squares(1.005), two_squares(1.005)};
    survey(worlds[1]);
    for (int n = 0; n < 5; ++n)
        for (int i = 0; i < 2; ++i) step(worlds[i]);
    size_t bytes = 3 * sizeof(double) * (size_t)pli_world_vertex_count(worlds[0]);
    assert_memory_equal(pli_world_positions(worlds[0]), pli_world_positions(worlds[1]), bytes);
    assert_memory_equal(pli_world_velocities(worlds[0]), pli_world_velocities(worlds[1]), bytes);
    for (int i = 0; i < 2; ++i) pli_world_destroy(worlds[i]);
}

// What is wrong is found again, and prepare says where.
static void test_crossing(void** state) {
    (void)state;
    pli_world* world = two_squares(0.9);
    int count = 0;
    ASSERT_OK(pli_survey_crossings(world, NULL, 0, NULL, &count, &error));
    assert_true(count > 0);
    assert_int_equal(pli_world_prepare(world, &error), PLI_E_SCENE);
    assert_int_equal(error.object, PLI_OBJECT_BODY);
    pli_world_destroy(world);
}

static void test_near(void** state) {
    (void)state;
    pli_world* world = two_squares(1.005);
    seen s = {0};
    ASSERT_OK(pli_survey_near(world, NULL, 0.02, note, &s, &error));
    assert_true(s.count > 0);
    ASSERT_NEAR(s.first.distance, 0.005, 1e-12);
    assert_int_equal(s.first.body[0] + s.first.body[1], 1);
    ASSERT_NEAR(fabs(s.first.normal[0]), 1, 1e-12);
    int vertices = pli_world_vertex_count(world), first = pli_world_body_vertex(world, 1);
    double x[64];
    assert_in_range(3 * vertices, 1, 64);
    memcpy(x, pli_world_positions(world), 3 * sizeof *x * (size_t)vertices);
    for (int v = first; v < vertices; ++v) x[3 * v] += 1;
    s = (seen){0};
    ASSERT_OK(pli_survey_near(world, x, 0.02, note, &s, &error));
    assert_int_equal(s.count, 0);
    pli_world_destroy(world);
}

static void test_touches(void** state) {
    (void)state;
    pli_world* world = two_squares(1.005);
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.pass = true;
    rule.between[1] = "half-space 0";
    ASSERT_OK(pli_world_add_contact_rule(world, &rule, NULL, &error));
    survey(world);
    assert_true(pli_survey_touches(world, 0, 1));
    assert_false(pli_survey_touches(world, 0, -1));
    assert_true(pli_survey_resolution(world) > 0 && pli_survey_resolution(world) < 1e-12);
    pli_world_destroy(world);
}

// ---- lists

static void check_rows(const pli_param* rows, int count) {
    for (int i = 0; i < count; ++i) {
        const pli_param* row = &rows[i];
        assert_true(row->name && row->name[0] && row->unit && row->help && row->help[0]);
        for (int k = 0; k < i; ++k) assert_string_not_equal(row->name, rows[k].name);
        bool free_default = row->flags & (PLI_PARAM_AUTO | PLI_PARAM_REQUIRED);
        if (row->type == PLI_PARAM_NUMBER && !free_default && isfinite(row->default_value))
            ASSERT_OK(pli_param_check_number(row, row->default_value, &error));
        if (row->type == PLI_PARAM_CHOICE) assert_non_null(row->choice(0));
    }
}

static void test_lists(void** state) {
    (void)state;
    int energies = 0, defs = 0;
    for (const pli_energy_type* type; (type = pli_energy_type_at(energies)); ++energies) {
        assert_true(type->name && type->help);
        check_rows(type->params, type->param_count);
        int covered = 0;
        for (int k = 0; k <= PLI_STENCIL; ++k)
            for (int dim = 2; dim <= 3; ++dim)
                covered += pli_energy_covers(type, dim, (pli_element_kind)k);
        assert_true(covered > 0);
    }
    assert_true(energies > 5);
    for (int object = PLI_OBJECT_NONE; object <= PLI_OBJECT_RULE; ++object) {
        const pli_params* params = pli_object_params((pli_object)object);
        if (!params) continue;
        check_rows(params->rows, params->count);
        defs++;
    }
    assert_int_equal(defs, 8);
    pli_solver_def solver = {0};
    pli_params_default(pli_object_params(PLI_OBJECT_SOLVER), &solver);
    pli_world_def def = pli_default_world_def();
    assert_string_equal(solver.method, def.solver.method);
    assert_true(solver.tolerance == def.solver.tolerance);
    int schemes = 0, still = 0;
    for (; pli_scheme_name(schemes); ++schemes) {
        def.scheme = pli_scheme_name(schemes);
        ASSERT_OK(pli_world_def_check(&def, &error));
        still += !pli_scheme_dissipates(schemes);
    }
    assert_true(schemes > 5);
    assert_int_equal(still, 1); // "static"
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits), cmocka_unit_test(test_crossing),
        cmocka_unit_test(test_near),      cmocka_unit_test(test_touches),
        cmocka_unit_test(test_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
