// Islands: bodies that do not touch have step lengths and stopping tests of their own, and one that
// has converged is left alone until something touches it.
#include "worlds.h"

#include "dynamics/world.h"
#include "math/vec.h"
#include "minimize/methods.h"

enum { REST, CRASH, SLOTS };

static long evaluations[SLOTS]; // of each slot, in stencils; the worlds here have one thread

typedef struct counter {
    int slot;
} counter;

static pli_status counter_prepare(const double* params, const pli_element* element, void* data,
                                  pli_error* e) {
    (void)element, (void)e;
    ((counter*)data)->slot = (int)params[0];
    return PLI_OK;
}

// An energy that is 0 and counts.
static void counter_eval(const pli_batch* in, pli_local* out) {
    (void)out;
    const counter* counters = in->data;
    for (int i = 0; i < in->count; ++i) evaluations[counters[i].slot]++;
}

static const pli_param counter_params[] = {{.name = "slot",
                                            .type = PLI_PARAM_NUMBER,
                                            .unit = "",
                                            .min = 0,
                                            .max = SLOTS - 1,
                                            .default_value = 0,
                                            .help = "what is counted"}};

static const pli_energy_type counter_type = {.abi = PLI_ENERGY_ABI,
                                             .name = "counter",
                                             .help = "0",
                                             .dims = 1u << 2 | 1u << 3,
                                             .params = counter_params,
                                             .param_count = 1,
                                             .data_size = {[PLI_VERTEX] = sizeof(counter)},
                                             .linear = true,
                                             .prepare = counter_prepare,
                                             .eval = counter_eval};

static void count(pli_world* world, pli_body_id id, int slot) {
    pli_setting setting = {"slot", slot};
    ASSERT_OK(pli_world_add_energy(world, id, "counter", &setting, 1, NULL, &error));
}

static pli_world* make(void) {
    static const pli_energy_type* const types[] = {&counter_type};
    pli_world_def def = pli_default_world_def();
    def.time_step = 0.01;
    def.gravity[1] = -9.81;
    def.thread_count = 1;
    def.energy_types = types;
    def.energy_type_count = 1;
    return make_world(&def);
}

// A soft square just above the ground, 50 m away from where two others collide.
static pli_body_id add_rest(pli_world* world) {
    pli_body_id id =
        add_square(world, &(square){.segments = 4, .centre = {50, 0.501}, .stiffness = 1e5});
    count(world, id, REST);
    return id;
}

static pli_body_id add_crash(pli_world* world) {
    add_square(world, &(square){.segments = 4, .centre = {0, 0.501}, .stiffness = 1e6});
    pli_body_id id = add_square(
        world,
        &(square){.segments = 4, .centre = {0.3, 1.6}, .stiffness = 1e6, .velocity = {0, -200}});
    count(world, id, CRASH);
    return id;
}

static pli_step_info converge(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    assert_int_equal(info.reason, PLI_CONVERGED);
    return info;
}

static void test_rest_is_left_alone(void** state) {
    (void)state;
    pli_world *together = make(), *alone = make();
    add_rest(together);
    add_crash(together);
    add_rest(alone);
    add_ground(together, 0, 0);
    add_ground(alone, 0, 0);
    ASSERT_OK(pli_world_prepare(together, &error));
    ASSERT_OK(pli_world_prepare(alone, &error));
    long rest = 0, crash = 0, by_itself = 0;
    int most = 0;
    for (int n = 0; n < 5; ++n) {
        memset(evaluations, 0, sizeof evaluations);
        pli_step_info info = converge(together);
        rest += evaluations[REST], crash += evaluations[CRASH];
        if (info.iterations > most) most = info.iterations;
        memset(evaluations, 0, sizeof evaluations);
        converge(alone);
        by_itself += evaluations[REST];
    }
    assert_true(most >= 20);           // the crash is hard
    assert_true(crash > 3 * rest);     // and the body at rest does not take part in it
    assert_true(rest < 4 * by_itself); // which costs it not much more than being alone
    // Each is within the tolerance of Newton's method, 1e-2 m/s by default, of the same state.
    for (int i = 0; i < 3 * 25; ++i)
        ASSERT_NEAR(pli_world_positions(together)[i], pli_world_positions(alone)[i],
                    5 * 1e-2 * 0.01);
    pli_world_destroy(together);
    pli_world_destroy(alone);
}

// A square converges at once; then one that needs many directions arrives and pushes it. The
// balance of energy closes only if the forces on both are right.
static void test_what_is_touched_moves(void** state) {
    (void)state;
    pli_world_def def = pli_default_world_def();
    def.time_step = 0.004;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 3, .centre = {0, 0}, .stiffness = 1e6});
    add_square(world, &(square){.segments = 3, .centre = {5, 9}, .stiffness = 1e6});
    add_square(
        world,
        &(square){.segments = 3, .centre = {-1.7, 0.1}, .stiffness = 1e6, .velocity = {200, 0}});
    double residual = 0;
    for (int n = 0; n < 3; ++n) residual += fabs(converge(world).balance.residual);
    const double* v = pli_world_velocities(world);
    double first = 0, still = 0;
    for (int i = 0; i < 16; ++i) {
        first += v[3 * i] / 16;
        still += fabs(v[3 * (16 + i)]) + fabs(v[3 * (16 + i) + 1]);
    }
    assert_true(first > 20); // [m/s]
    assert_true(still == 0);
    assert_true(residual < 1e-4 * 2e7); // of the kinetic energy at the start [J]
    pli_world_destroy(world);
}

// min_step is that of the body that the ground stops, not of the one that goes on.
static void test_shortest_way_is_told(void** state) {
    (void)state;
    double least[2];
    for (int n = 0; n < 2; ++n) {
        pli_world* world = make();
        square falls = {.segments = 2, .centre = {0, 0.6}, .stiffness = 1e6, .velocity = {0, -99}};
        square flies = {.segments = 2, .centre = {9, 50}, .stiffness = 1e6, .velocity = {0, 2000}};
        add_square(world, &falls);
        if (n == 1) add_square(world, &flies);
        add_ground(world, 0, 0);
        least[n] = converge(world).min_step;
        pli_world_destroy(world);
    }
    assert_true(least[0] < 0.1); // 0.1 m of 1 m, and less of it at the end
    assert_true(least[1] < 1.5 * least[0]);
}

// ---- parts settled by hand

enum { EACH = 9, MAX_UNKNOWNS = 60 }; // vertices of a square of 2 x 2 cells

typedef struct meeting {
    pli_world* world;
    pli_problem problem;
    int lower, upper; // their parts
    double q[MAX_UNKNOWNS], p[MAX_UNKNOWNS], g[MAX_UNKNOWNS];
} meeting;

// Two squares 0.04 apart. p brings the upper one, which is heavy and stiff, to 0.01 from the lower
// one, and the stencils of contact are those of that way. `vertex` of the lower one is fixed, -1:
// none. A third one, with a prescribed vertex, is far away.
static meeting meet(int vertex) {
    pli_world_def def = pli_default_world_def();
    def.contact.dhat = 0.02;
    pli_world* w = make_world(&def);
    pli_body_id lower = add_square(w, &(square){.segments = 2, .stiffness = 1e3});
    add_square(w, &(square){.segments = 2, .stiffness = 1e6, .centre = {0.1, 1.04}});
    pli_body_id third = add_square(w, &(square){.segments = 1, .stiffness = 1e5, .centre = {9, 9}});
    const int32_t fixed[1] = {vertex}, pinned[1] = {0};
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = fixed;
    fix.vertex_count = 1;
    if (vertex >= 0) ASSERT_OK(pli_world_fix(w, lower, &fix, NULL, &error));
    pli_prescribe_def motion = pli_default_prescribe_def();
    motion.vertices = pinned;
    motion.vertex_count = 1;
    ASSERT_OK(pli_world_prescribe(w, third, &motion, NULL, &error));
    converge(w);
    meeting m = {.world = w, .problem = pli_world_problem(w)};
    const pli_kinematics* k = &w->kinematics;
    assert_true(k->unknown_count <= MAX_UNKNOWNS);
    pli_copy(w->history.q[0], m.q, k->unknown_count);
    for (int v = EACH; v < 2 * EACH; ++v)
        m.p[k->group_offset[k->vertices[v].identity_group] + 1] = -0.03;
    m.lower = w->islands.vertex_part[0];
    m.upper = w->islands.vertex_part[EACH];
    double alpha = 1;
    pli_islands_begin(w);
    ASSERT_OK(m.problem.ops->segment(w, m.q, m.p, &alpha, &error));
    assert_true(alpha == 1);
    return m;
}

static void settle_lower(meeting* m) {
    pli_islands* at = &m->world->islands;
    at->settled[m->lower] = 1;
    at->any_settled = true;
    pli_assembly_hold(&m->world->assembly, at->vertex_part, at->settled);
    pli_islands_rest(at, m->g);
}

// |values| over the unknowns of a part.
static double size_of(const meeting* m, int part, const double* values) {
    double sum = 0;
    for (int i = 0; i < m->world->islands.unknown_count; ++i)
        if (m->world->islands.unknown_part[i] == part) sum += values[i] * values[i];
    return sqrt(sum);
}

// A matrix that has learned from a contact ahead couples what is settled with what moves.
static void test_corrections_leave_it_alone(void** state) {
    (void)state;
    meeting m = meet(-1);
    pli_minimizer* minimizer = m.world->minimizer;
    const pli_hessian_wish wish = {.project = true};
    pli_reason reason = PLI_CONVERGED;
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    assert_true(m.world->islands.root[m.lower] != m.world->islands.root[m.upper]);
    settle_lower(&m);
    ASSERT_OK(m.problem.ops->correct(m.world, m.q, m.p, 1, 0, &wish, &error));
    for (int i = 0; i < minimizer->n; ++i)
        minimizer->g[i] = m.world->islands.unknown_part[i] == m.upper ? 1 : 0;
    ASSERT_OK(minimizer->method->direction(minimizer, &m.problem, &reason, &error));
    assert_int_equal(reason, PLI_CONVERGED);
    assert_true(size_of(&m, m.upper, minimizer->p) > 0);
    assert_true(size_of(&m, m.lower, minimizer->p) == 0);
    pli_world_destroy(m.world);
}

// The last step of a minimization may bring a contact to what is settled: its forces count.
static void test_last_contact_is_judged(void** state) {
    (void)state;
    meeting m = meet(-1);
    const pli_hessian_wish wish = {.project = true};
    double end[MAX_UNKNOWNS];
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    settle_lower(&m);
    for (int i = 0; i < m.problem.unknown_count; ++i) end[i] = m.q[i] + m.p[i];
    ASSERT_OK(m.problem.ops->derivatives(m.world, end, NULL, m.g, NULL, &error));
    assert_true(size_of(&m, m.lower, m.g) > 0);
    double share[3];
    assert_int_equal(m.world->islands.part_count, 3);
    pli_world_part_shares(m.world, m.g, share);
    assert_true(share[m.lower] > 0.1);
    assert_true(m.problem.ops->unbalanced(m.world, m.g).share >= share[m.lower]);
    pli_world_destroy(m.world);
}

// A prescribed vertex that is free along an axis may leave its target again: then there are no
// islands, and all that was settled moves.
static void test_no_islands_nothing_settled(void** state) {
    (void)state;
    meeting m = meet(-1);
    const pli_hessian_wish wish = {.project = true, .settle = true};
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    settle_lower(&m);
    m.world->pins.pins[0].arrived = false;
    assert_false(pli_islands_on(m.world));
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    assert_false(m.world->islands.any_settled);
    assert_int_equal(m.world->islands.settled[m.lower], 0);
    assert_null(m.world->assembly.still);
    pli_world_destroy(m.world);
}

// Blocks of fixed vertices are never written: what the buffer held before must not couple anything.
static void test_fixed_vertices_couple_nothing(void** state) {
    (void)state;
    meeting m = meet(5); // in the middle of its upper side
    pli_assembly* a = &m.world->assembly;
    assert_true(m.world->kinematics.vertices[5].identity_group < 0);
    for (size_t i = 0; i < a->hessian_capacity; ++i) a->hessians[i] = 1;
    const pli_hessian_wish wish = {.project = true};
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    assert_true(m.world->islands.root[m.lower] != m.world->islands.root[m.upper]);
    pli_islands_find(m.world, true);
    assert_true(m.world->islands.root[m.lower] == m.world->islands.root[m.upper]);
    pli_world_destroy(m.world);
}

static pli_status no_way(void* self, const pli_view* view, const double* p, const int32_t* island,
                         double* limit, pli_error* e) {
    (void)self, (void)view, (void)p, (void)e;
    limit[island[0]] = 0;
    return PLI_OK;
}

// An island that cannot move once is not held for the rest of the minimization.
static void test_way_is_free_again(void** state) {
    (void)state;
    meeting m = meet(-1);
    const pli_hessian_wish wish = {.project = true};
    pli_term* term = &m.world->plain_terms[0];
    const pli_term_ops* ops = term->ops;
    pli_term_ops blocked = *ops;
    blocked.limit = no_way;
    ASSERT_OK(m.problem.ops->derivatives(m.world, m.q, &wish, m.g, NULL, &error));
    double left = 1;
    for (int n = 0; n < 12; ++n) {
        double p[MAX_UNKNOWNS] = {0}, least, free;
        for (int i = 0; i < m.problem.unknown_count; ++i)
            p[i] = m.world->islands.unknown_part[i] == m.lower ? -1e-3 : 0;
        term->ops = n == 0 ? &blocked : ops;
        ASSERT_OK(m.problem.ops->shorten(m.world, m.q, p, &least, &free, &error));
        left = size_of(&m, m.lower, p);
        assert_true((left > 0) == (n > 0));
    }
    ASSERT_NEAR(left, 1e-3 * sqrt(2 * EACH), 1e-12); // all of it again
    pli_world_destroy(m.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_corrections_leave_it_alone),
        cmocka_unit_test(test_last_contact_is_judged),
        cmocka_unit_test(test_no_islands_nothing_settled),
        cmocka_unit_test(test_fixed_vertices_couple_nothing),
        cmocka_unit_test(test_way_is_free_again),
        cmocka_unit_test(test_shortest_way_is_told),
        cmocka_unit_test(test_rest_is_left_alone),
        cmocka_unit_test(test_what_is_touched_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
