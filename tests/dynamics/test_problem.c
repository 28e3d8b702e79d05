// The whole problem that the minimizer sees, inertia included, by differences; and the contract for
// the pull on prescribed vertices.
#include "dynamics/worlds.h"

#include "dynamics/world.h"
#include "math/vec.h"
#include "oracle/contract.h"
#include "oracle/random.h"

// Entry (i, j) of the symmetric matrix, of which the lower triangle is stored.
static double entry(const pli_pattern* p, const double* values, int i, int j) {
    int row = i > j ? i : j, column = i > j ? j : i;
    for (int at = p->start[column]; at < p->start[column + 1]; ++at)
        if (p->row[at] == row) return values[at];
    return 0;
}

enum { MAX_UNKNOWNS = 80 };

// E -> g and g -> H by central differences at q.
static void check_problem(const pli_problem* problem, double* q) {
    int n = problem->unknown_count;
    double g[MAX_UNKNOWNS], up[MAX_UNKNOWNS], down[MAX_UNKNOWNS], *values, h = 1e-7;
    const pli_pattern* pattern;
    uint64_t epoch;
    assert_true(n > 0 && n <= MAX_UNKNOWNS);
    ASSERT_OK(problem->ops->derivatives(problem->self, q, &(pli_hessian_wish){0}, g, NULL, &error));
    problem->ops->matrix(problem->self, &pattern, &values, &epoch);
    static double H[MAX_UNKNOWNS][MAX_UNKNOWNS];
    double force = pli_norm(g, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) H[i][j] = entry(pattern, values, i, j);
    for (int i = 0; i < n; ++i) {
        double start = q[i], e[2], size;
        q[i] = start + h;
        ASSERT_OK(problem->ops->value(problem->self, q, &e[1], &size, &error));
        ASSERT_OK(problem->ops->derivatives(problem->self, q, NULL, up, NULL, &error));
        q[i] = start - h;
        ASSERT_OK(problem->ops->value(problem->self, q, &e[0], &size, &error));
        ASSERT_OK(problem->ops->derivatives(problem->self, q, NULL, down, NULL, &error));
        q[i] = start;
        // rounding of E over 2 h, and the curvature of the barriers over h
        ASSERT_NEAR((e[1] - e[0]) / (2 * h), g[i], 1e-4 * (1 + force) + 4e-16 * size / h);
        for (int j = 0; j < n; ++j) // against the stiffnesses of both unknowns
            ASSERT_NEAR((up[j] - down[j]) / (2 * h), H[i][j], 1e-5 * sqrt(H[i][i] * H[j][j]));
    }
}

// Two squares in contact with each other and the ground, with friction, a prescribed vertex, a
// support and damping, somewhere in the middle of a step.
static void test_whole_problem(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.gravity[1] = -9.81;
    def.contact.dhat = 0.05;
    def.contact.friction = 0.3;
    def.contact.friction_speed = 0.1; // the friction of slow vertices is smooth over a few 1e-4 m
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e4, .centre = {0, 0.54}});
    pli_body_id upper = add_square(
        world,
        &(square){.segments = 2, .stiffness = 2e4, .centre = {0.2, 1.58}, .velocity = {0.3, -0.2}});
    pli_prescribe_def motion = pli_default_prescribe_def();
    const int32_t corner[1] = {8}, side[1] = {2};
    motion.vertices = corner;
    motion.vertex_count = 1;
    motion.velocity[0] = 0.4;
    ASSERT_OK(pli_world_prescribe(world, upper, &motion, NULL, &error));
    pli_fix_def roller = {
        .size = sizeof roller, .vertices = side, .vertex_count = 1, .normal = {0.6, 0.8, 0}};
    ASSERT_OK(pli_world_fix(world, upper, &roller, NULL, &error));
    add_ground(world, 0, 0.4);
    for (int n = 0; n < 3; ++n) assert_int_equal(step(world).reason, PLI_CONVERGED);
    memset(world->frozen, 0, (size_t)world->kinematics.group_count); // the pin has arrived
    pli_problem problem = pli_world_problem(world);
    pli_random random = {6};
    double q[MAX_UNKNOWNS];
    int n = problem.unknown_count;
    pli_copy(world->history.q[0], q, n);
    for (int i = 0; i < n; ++i) q[i] += pli_random_in(&random, -1e-4, 1e-4);
    check_problem(&problem, q);
    pli_world_destroy(world);
}

static void test_pins_keep_the_contract(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_pins pins;
        pli_pins_init(&pins, &memory, dim);
        pli_prescribe_def def = pli_default_prescribe_def();
        def.velocity[0] = 1;
        def.velocity[1] = -2;
        int32_t motion;
        ASSERT_OK(pli_pins_add_motion(&pins, &def, 2, &motion, &error));
        ASSERT_OK(pli_pins_reserve(&pins, 2, &error));
        const double x[9] = {0, 0, 0, 1, 0, 0.5, 0, 1, 0};
        pli_pins_add(&pins, 2, motion, x + 6, 3);
        pli_pins_add(&pins, 0, motion, x, 0.5);
        pli_constraint constraint = pli_pins_constraint(&pins);
        pli_term term;
        ASSERT_OK(constraint.ops->term(constraint.self, 1, &term, &error));
        pli_step now = {
            .h = 0.1, .time = 0.1, .share = 1, .inertia = 100, .velocity_rate = 10, .x_n = x};
        ASSERT_OK(term.ops->begin_step(term.self, &now, &error));
        pli_contract contract = {.dim = dim,
                                 .vertex_count = 3,
                                 .x = x,
                                 .step = 1e-3,
                                 .gradient_tolerance = 1e-7,
                                 .hessian_tolerance = 1e-6,
                                 .clamp_tolerance = 1e-12};
        pli_check_contract(&term, &contract);
        ASSERT_NEAR(pins.pins[0].target[0], 0.1, 1e-15); // start + h v
        ASSERT_NEAR(pins.pins[0].target[1], 0.8, 1e-15);
        constraint.ops->free(constraint.self);
        assert_int_equal(memory.bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_problem),
        cmocka_unit_test(test_pins_keep_the_contract),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
