// Contact between two boxes of a model, without a world: terms, forces, the exact test, exemptions,
// the stiffness of the barriers.
#include "collision/survey.h"
#include "math/vec.h"
#include "model/params.h"
#include "oracle/near.h"
#include "pliant/mesh.h"

#include <string.h>

static pli_error error;

typedef struct boxes {
    pli_memory memory;
    pli_model model;
    pli_collision collision;
} boxes;

// Two unit cubes, one above the other; `gap` between them [m].
static void make_boxes(boxes* b, double gap, double stiffness, bool allow_initial) {
    pli_memory_init(&b->memory, NULL);
    b->model = (pli_model){.memory = &b->memory, .generation = 1, .def = {.dimension = 3}};
    pli_params_default(&pli_contact_params, &b->model.def.contact);
    b->model.def.contact.dhat = 0.01;
    b->model.def.contact.stiffness = stiffness;
    b->model.def.contact.friction = 0.5;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 1}, (int[3]){2, 2, 2}, &error));
    for (int i = 0; i < 2; ++i) {
        pli_body_def def = pli_default_body_def();
        def.name = i ? "upper" : "lower";
        def.mesh = &mesh;
        ASSERT_OK(pli_model_add_body(&b->model, &def, NULL, &error));
        for (int v = 0; v < mesh.vertex_count; ++v) mesh.positions[3 * v + 2] += 1 + gap;
    }
    pli_mesh_free(&mesh);
    pli_contact_rule_def rule = pli_default_contact_rule_def();
    rule.allow_initial = allow_initial;
    ASSERT_OK(pli_model_add_contact_rule(&b->model, &rule, &error));
    pli_collision_init(&b->collision, &b->model);
    ASSERT_OK(pli_collision_make_terms(&b->collision, &error));
}

static void free_boxes(boxes* b) {
    pli_collision_free(&b->collision);
    pli_model_free(&b->model);
    assert_int_equal(b->memory.bytes, 0);
}

static void refresh(boxes* b) {
    pli_view view = {.dim = 3, .vertex_count = b->model.vertex_count, .x = b->model.positions};
    for (int t = 0; t < b->collision.term_count; ++t) {
        const pli_term* barrier = &b->collision.terms[t].barrier;
        double alpha = 1;
        ASSERT_OK(barrier->ops->refresh(barrier->self, &view, NULL, &alpha, &error));
    }
}

// Forces are equal and opposite, push the boxes apart, and act below dhat alone.
static void test_forces(void** state) {
    (void)state;
    for (int near = 0; near < 2; ++near) {
        boxes b;
        make_boxes(&b, near ? 0.005 : 0.02, 1e5, false);
        pli_collision* c = &b.collision;
        refresh(&b);
        int n = b.model.vertex_count, half = b.model.bodies[1].first_vertex;
        double* gradient = test_calloc((size_t)(3 * n), sizeof *gradient);
        assert_true(c->has_friction);
        assert_int_equal(pli_collision_gradient(c, b.model.positions, gradient), near);
        double sum[2][3] = {{0}};
        for (int v = 0; v < n; ++v) pli_axpy(1, gradient + 3 * v, sum[v >= half], 3);
        // Sums of some 100 forces of at most the total: 1e-12 of it is rounding.
        for (int k = 0; k < 3; ++k)
            ASSERT_NEAR(sum[0][k] + sum[1][k], 0, 1e-12 * fabs(sum[0][2]) + 1e-300);
        assert_true(near ? sum[0][2] > 0 && sum[1][2] < 0 : sum[0][2] == 0);
        ASSERT_OK(pli_collision_make_contacts(c, &error));
        ASSERT_OK(pli_collision_find_contacts(c, b.model.positions, &error));
        pli_collision_publish_contacts(c, 1);
        assert_int_equal(c->contacts.pair_count, near);
        if (near) {
            ASSERT_NEAR(c->contacts.pairs[0].min_distance, 0.005, 1e-12); // of positions near 1
            ASSERT_NEAR(c->contacts.pairs[0].force[2], -sum[0][2], 1e-12 * fabs(sum[0][2]));
        }
        test_free(gradient);
        free_boxes(&b);
    }
}

static void test_crossings(void** state) {
    (void)state;
    boxes b;
    make_boxes(&b, 0.02, 1e5, false);
    const pli_collision* c = &b.collision;
    double* x = b.model.positions;
    ASSERT_OK(pli_collision_check_crossings(c, x, &error));
    ASSERT_OK(pli_collision_check_all_gaps(c, x, &error));
    for (int v = b.model.bodies[1].first_vertex; v < b.model.vertex_count; ++v) {
        x[3 * v] += 0.1;
        x[3 * v + 1] += 0.1;
        x[3 * v + 2] -= 0.1;
    }
    assert_int_equal(pli_collision_check_crossings(c, x, &error), PLI_E_SCENE);
    assert_non_null(strstr(error.message, "\"lower\""));
    assert_non_null(strstr(error.message, "\"upper\""));
    free_boxes(&b);
}

// Boxes that start in each other are exempt until they are apart.
static void test_exempt(void** state) {
    (void)state;
    boxes b;
    make_boxes(&b, -0.1, 1e5, true);
    pli_collision* c = &b.collision;
    double* x = b.model.positions;
    for (int v = b.model.bodies[1].first_vertex; v < b.model.vertex_count; ++v) x[3 * v] += 0.1;
    assert_true(pli_collision_may_exempt(c));
    ASSERT_OK(pli_collision_exempt_joined(c, x, &error));
    assert_int_equal(c->exempt.count, 1);
    assert_true(c->exempt.keys[0] == pli_body_pair_key(0, 1));
    ASSERT_OK(pli_collision_check_crossings(c, x, &error));
    pli_body_pairs before = {0};
    ASSERT_OK(pli_collision_drop_exempt(c, x, &before, &error));
    assert_int_equal(before.count, 0);
    for (int v = b.model.bodies[1].first_vertex; v < b.model.vertex_count; ++v) x[3 * v + 2] += 0.2;
    ASSERT_OK(pli_collision_drop_exempt(c, x, &before, &error));
    refresh(&b);
    ASSERT_OK(pli_collision_keep_exempt(c, x, &before, &error));
    assert_true(before.count == 1 && c->exempt.count == 0);
    PLI_FREE(&b.memory, before.keys, before.capacity);
    free_boxes(&b);
}

// kappa' / kappa = min(2, 1 + 0.01 (K + P) / B), up to the largest, if the gap is small and
// shrinks.
static void test_stiffness(void** state) {
    (void)state;
    boxes b;
    make_boxes(&b, 0.005, 0, false);
    pli_collision* c = &b.collision;
    pli_collision_set_stiffness(c, 1000);
    c->largest_stiffness = 1900;
    c->gap[0] = c->gap[1] = HUGE_VAL;
    pli_collision_note_gap(c, 2e-4); // above a hundredth of dhat
    assert_true(pli_collision_adapt_stiffness(c, 10, 1) == 1);
    pli_collision_note_gap(c, 5e-5);
    ASSERT_NEAR(pli_collision_adapt_stiffness(c, 10, 1), 1.1, 1e-15);
    ASSERT_NEAR(c->stiffness, 1100, 1e-12);
    ASSERT_NEAR(pli_collision_adapt_stiffness(c, 0, 0), 1900. / 1100, 1e-15);
    assert_true(pli_collision_adapt_stiffness(c, 10, 1) == 1); // it is the largest
    pli_collision_set_stiffness(c, 1000);
    pli_collision_note_gap(c, 6e-5); // the gap grows
    assert_true(pli_collision_adapt_stiffness(c, 10, 1) == 1);
    free_boxes(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_crossings),
        cmocka_unit_test(test_exempt),
        cmocka_unit_test(test_stiffness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
