// Saved in the middle of a run and restored into a world made anew, a run goes on with the same
// bits: scenes of every class. What is compared is the whole state as pli_world_save writes it, and
// what every step reports.
#include "scene/saved.h"

enum { MOST_OVERRIDES = 8 };

typedef struct case_of {
    const char* scene; // its name, or its text
    const char* overrides[MOST_OVERRIDES];
    int before, after; // steps
    int threads;       // of the second world; the first has one
} case_of;

static pli_scene* make(const case_of* c, int threads) {
    int count = 0;
    while (count < MOST_OVERRIDES && c->overrides[count]) ++count;
    return make_scene(c->scene, c->overrides, count, threads);
}

static pli_step_info step(pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    info.seconds = (pli_phase_times){0};
    return info;
}

static void assert_same_bytes(const case_of* c, const char* what, bytes a, bytes b) {
    size_t i = 0;
    while (i < a.size && i < b.size && a.data[i] == b.data[i]) ++i;
    if (a.size != b.size || i < a.size)
        fail_msg("%s, %s: %zu and %zu bytes, different from byte %zu on", c->scene, what, a.size,
                 b.size, i);
}

static void assert_same_info(const case_of* c, const pli_step_info* a, const pli_step_info* b) {
    bool same = a->reason == b->reason && a->iterations == b->iterations &&
                a->linear_iterations == b->linear_iterations && a->residual == b->residual &&
                a->min_step == b->min_step && a->contact_count == b->contact_count &&
                a->symbolic_count == b->symbolic_count && a->time == b->time &&
                a->factor_nonzeros == b->factor_nonzeros &&
                memcmp(&a->balance, &b->balance, sizeof a->balance) == 0;
    if (!same)
        fail_msg("%s: step %d: %d iterations, residual %.17g, %d analyses; restored %d, %.17g, %d",
                 c->scene, a->step, a->iterations, a->residual, a->symbolic_count, b->iterations,
                 b->residual, b->symbolic_count);
}

static void goes_on(const case_of* c) {
    pli_scene *one = make(c, 1), *other = make(c, c->threads > 0 ? c->threads : 1);
    pli_world *a = pli_scene_world(one), *b = pli_scene_world(other);
    for (int i = 0; i < c->before; ++i) step(a);
    bytes middle = save(a);
    ASSERT_OK(pli_world_restore(b, middle.data, middle.size, &error));
    bytes again = save(b);
    assert_same_bytes(c, "saved again", middle, again);
    assert_int_equal(pli_world_step_count(b), pli_world_step_count(a));
    int n = 3 * pli_world_vertex_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), sizeof(double) * (size_t)n);
    for (int i = 0; i < c->after; ++i) {
        pli_step_info of_a = step(a), of_b = step(b);
        assert_same_info(c, &of_a, &of_b);
    }
    bytes end = save(a), other_end = save(b);
    assert_same_bytes(c, "at the end", end, other_end);
    free(middle.data);
    free(again.data);
    free(end.data);
    free(other_end.data);
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

#define TOGETHER "bodies[1].translate=[0.03,0.37,0.02]", "bodies[0].translate=[0,0.101,0]"
#define SOLVER(words)                                                                              \
    { "two_cubes", {TOGETHER, words}, 6, 4, 2 }
#define LARGE                                                                                      \
    "bodies[0].mesh.segments=[7,7,7]", "bodies[1].mesh.segments=[4,4,4]", "contact.friction=0"

#define SHAKEN                                                                                     \
    "{\"dimension\": 2, \"contact\": {\"bodies\": false}, \"time\": {\"step\": \"auto\","          \
    " \"duration\": 1, \"step_error\": 1e-5, \"scheme\": \"implicit-midpoint\"}, \"bodies\": ["    \
    " {\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0.25], \"segments\": "   \
    "[4, 1]},"                                                                                     \
    "  \"stiffness_damping\": 0.001, \"prescribe\": [{\"group\": \"left\","                        \
    "   \"offset\": [\"0\", \"0.1*sin(4*t)^2\"]}],"                                                \
    "  \"energies\": [{\"type\": \"linear\", \"young\": 2e5, \"poisson\": 0.3}]}]}"

#define PADDLE                                                                                     \
    "{\"dimension\": 3, \"time\": {\"step\": 0.1, \"steps\": 20}, \"contact\": {\"dhat\": 1e-3},"  \
    " \"bodies\": [{\"name\": \"post\", \"mesh\": {\"type\": \"box\", \"size\": [0.1, 0.1, 0.4],"  \
    "  \"segments\": [1, 1, 1]}, \"translate\": [0.7, 0.4, 0],"                                    \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e7}], \"fix\": [{}]}],"              \
    " \"obstacles\": [{\"type\": \"capsule\", \"from\": [0.1, 0, 0], \"to\": [1, 0, 0],"           \
    "  \"radius\": 0.02, \"motion\": {\"spin\": [0, 0, 1], \"center\": [0, 0, 0]}}]}"

// Schemes, solvers, contact, motions, materials: whatever keeps something from step to step.
// Soft, and nothing touches: Hessians are kept from step to step.
#define HANGING                                                                                    \
    "{\"dimension\": 3, \"time\": {\"step\": 0.01}, \"gravity\": [0, 0, -9.81], \"contact\": "     \
    "{\"bodies\": false}, \"bodies\": [{\"density\": 1000, \"mesh\": {\"type\": \"box\", "         \
    "\"size\": "                                                                                   \
    "[0.5, 0.5, 0.5], \"segments\": [4, 4, 4]}, \"energies\": [{\"type\": "                        \
    "\"stable-neo-hookean\", \"young\": 1e4, \"poisson\": 0.4}], \"fix\": [{\"group\": "           \
    "\"back\"}]}]}"

static const case_of cases[] = {
    {HANGING, {0}, 20, 4, 0},
    {HANGING, {"solver.linear=\"pcg\""}, 20, 4, 2},
    {"schemes/backward-euler", {0}, 9, 4, 0},
    {"schemes/bdf2", {0}, 9, 4, 0},
    {"schemes/bdf3", {0}, 1, 4, 0}, // within its start, and behind it
    {"schemes/bdf4", {0}, 2, 4, 0},
    {"schemes/bdf5", {0}, 3, 4, 0},
    {"schemes/bdf6", {0}, 9, 4, 0},
    {"schemes/newmark", {0}, 9, 4, 0},
    {"schemes/implicit-midpoint", {0}, 9, 4, 0},
    {"schemes/averaged-vector-field", {0}, 9, 4, 0},
    {"schemes/quasi-static", {0}, 3, 2, 0},
    {"schemes/static", {0}, 1, 2, 0},
    {"schemes/forward-euler", {0}, 9, 4, 0},
    {"schemes/symplectic-euler", {0}, 9, 4, 0},
    {"schemes/leapfrog", {0}, 9, 4, 0},
    {"schemes/rk4", {0}, 9, 4, 0},
    {"schemes/exponential", {0}, 5, 3, 0},
    {"schemes/bdf2", {"time.step=\"auto\"", "time.duration=1", "time.steps=0"}, 9, 6, 0},
    {"schemes/backward-euler",
     {"time.step=\"auto\"", "time.step_control=\"effort\"", "time.duration=1", "time.steps=0"},
     5,
     5,
     0},
    SOLVER("solver.linear=\"multifrontal\""),
#ifdef PLIANT_CHOLMOD
    SOLVER("solver.linear=\"cholesky\""),
#endif
    SOLVER("solver.linear=\"auto\""),
    {"two_cubes",
     {TOGETHER, "solver.linear=\"pcg\"", "solver.preconditioner=\"block-jacobi\""},
     5,
     2,
     2},
    {"two_cubes",
     {TOGETHER, LARGE, "solver.linear=\"pcg\"", "solver.preconditioner=\"multilevel\""},
     3,
     2,
     2},
    {"two_cubes", {TOGETHER, LARGE, "solver.linear=\"auto\""}, 3, 2, 2},
    {"two_cubes", {TOGETHER, "contact.stiffness=\"auto\"", "time.scheme=\"newmark\""}, 6, 3, 0},
    {"two_cubes", {TOGETHER, "contact.barrier=\"ipc\"", "contact.stiffness=\"auto\""}, 5, 3, 0},
    {"tutorial/4_friction", {0}, 9, 4, 0},
    {"tutorial/5_mov_dirichlet", {0}, 30, 4, 0},
    {"tutorial/5_mov_dirichlet", {"time.scheme=\"newmark\""}, 30, 4, 0},
    {SHAKEN, {0}, 1, 4, 0}, // places before the start, and of steps of other sizes
    {SHAKEN, {0}, 4, 4, 0},
    {SHAKEN, {"time.scheme=\"newmark\""}, 4, 4, 0},
    {SHAKEN, {"time.scheme=\"leapfrog\""}, 4, 4, 0},
    {"tutorial/8_self_friction", {0}, 12, 4, 0},
    {"tutorial/8_self_friction", {"solver.method=\"l-bfgs\""}, 2, 1, 0},
    {"tutorial/9_reduced_DOF", {0}, 9, 4, 0},
    {"damping", {0}, 5, 3, 0},      // viscosity, drag, Rayleigh
    {"loads", {0}, 3, 2, 0},        // forces, pressure that follows
    {"materials", {0}, 3, 2, 0},    // all of them
    {"squeezed_bar", {0}, 4, 2, 0}, // prescribed motion against contact
    {PADDLE, {0}, 9, 4, 0},         // a rotation that is held back
    {"disks", {0}, 8, 3, 2},
};

static void every_class_goes_on(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) goes_on(&cases[i]);
}

// ---- what is no state of this world

static bytes state_of(const case_of* c, pli_scene** scene) {
    *scene = make(c, 1);
    for (int i = 0; i < c->before; ++i) step(pli_scene_world(*scene));
    return save(pli_scene_world(*scene));
}

static void expect_refusal(pli_world* world, const bytes* saved, const char* reason) {
    assert_int_equal(pli_world_restore(world, saved->data, saved->size, &error), PLI_E_SCENE);
    if (!strstr(error.message, reason)) fail_msg("\"%s\", not \"%s\"", error.message, reason);
}

static void refuses_another_world(void** state) {
    (void)state;
    case_of two = {"two_cubes", {0}, 1, 0, 0}, other = {"tutorial/4_friction", {0}, 0, 0, 0};
    pli_scene *from, *to;
    bytes saved = state_of(&two, &from), own = state_of(&other, &to);
    expect_refusal(pli_scene_world(to), &saved, "dimension = 3, must be 2");
    bytes after = save(pli_scene_world(to));
    assert_same_bytes(&other, "after a refusal", own, after);
    step(pli_scene_world(to)); // it goes on as if nothing had happened
    free(saved.data);
    free(own.data);
    free(after.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// The world of another scheme and another solver starts anew from the same place.
// As many unknowns, of other vertices.
static void refuses_other_supports(void** state) {
    (void)state;
    case_of first = {"tutorial/2_dirichlet", {"bodies[0].fix[0]={\"vertices\":[0]}"}, 2, 0, 0};
    case_of second = {"tutorial/2_dirichlet", {"bodies[0].fix[0]={\"vertices\":[4]}"}, 0, 0, 0};
    pli_scene *from, *to = make(&second, 1);
    bytes saved = state_of(&first, &from);
    expect_refusal(pli_scene_world(to), &saved, "unknowns are not");
    assert_true(pli_world_body_hash(pli_scene_world(from), 0) !=
                pli_world_body_hash(pli_scene_world(to), 0));
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

static void another_scheme_starts_anew(void** state) {
    (void)state;
    case_of first = {"two_cubes", {TOGETHER}, 3, 0, 0};
    case_of second = {
        "two_cubes", {TOGETHER, "time.scheme=\"bdf2\"", "solver.linear=\"pcg\""}, 0, 0, 0};
    pli_scene *from, *to = make(&second, 1);
    bytes saved = state_of(&first, &from);
    pli_world *a = pli_scene_world(from), *b = pli_scene_world(to);
    ASSERT_OK(pli_world_restore(b, saved.data, saved.size, &error));
    size_t n = 3 * (size_t)pli_world_vertex_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), n * sizeof(double));
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), n * sizeof(double));
    assert_true(pli_world_time(a) == pli_world_time(b));
    assert_int_equal(step(b).reason, PLI_CONVERGED);
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// The state of another solver tells nothing of this one's order and pattern: what a world has
// learned on its way is forgotten with it.
static void another_solver_starts_anew(void** state) {
    (void)state;
    const case_of from = {"two_cubes", {TOGETHER, "solver.linear=\"pcg\""}, 14, 0, 0};
    const case_of to[] = {{"two_cubes", {TOGETHER, "solver.linear=\"multifrontal\""}, 24, 6, 0},
                          {"two_cubes", {TOGETHER, "solver.linear=\"auto\""}, 24, 3, 0}};
    pli_scene* saver;
    bytes saved = state_of(&from, &saver);
    for (size_t i = 0; i < sizeof to / sizeof *to; ++i) {
        pli_scene *used, *fresh = make(&to[i], 1);
        free(state_of(&to[i], &used).data);
        pli_world *a = pli_scene_world(used), *b = pli_scene_world(fresh);
        ASSERT_OK(pli_world_restore(a, saved.data, saved.size, &error));
        ASSERT_OK(pli_world_restore(b, saved.data, saved.size, &error));
        for (int k = 0; k < to[i].after; ++k) {
            bytes of_a = save(a), of_b = save(b);
            assert_same_bytes(&to[i], "the state of another solver", of_a, of_b);
            free(of_a.data), free(of_b.data);
            pli_step_info one = step(a), two = step(b);
            assert_same_info(&to[i], &one, &two);
        }
        pli_scene_destroy(used);
        pli_scene_destroy(fresh);
    }
    free(saved.data);
    pli_scene_destroy(saver);
}

// A scheme with a long start, saved within it: the states of that start mean nothing to another.
static void a_start_is_of_its_scheme(void** state) {
    (void)state;
    case_of first = {"schemes/bdf4", {0}, 1, 0, 0}, second = {"schemes/newmark", {0}, 0, 0, 0};
    pli_scene *from, *to = make(&second, 1);
    bytes saved = state_of(&first, &from);
    pli_world *a = pli_scene_world(from), *b = pli_scene_world(to);
    ASSERT_OK(pli_world_restore(b, saved.data, saved.size, &error));
    size_t n = 3 * (size_t)pli_world_vertex_count(a);
    assert_memory_equal(pli_world_positions(a), pli_world_positions(b), n * sizeof(double));
    assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), n * sizeof(double));
    assert_int_equal(step(b).reason, PLI_CONVERGED);
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// Where the bodies are thicker the state overlaps.
static void refuses_what_intersects(void** state) {
    (void)state;
    case_of first = {"tutorial/4_friction", {0}, 9, 0, 0};
    case_of second = {
        "tutorial/4_friction", {"obstacles[0].point=[0,0]", "bodies[0].translate=[0,2]"}, 0, 0, 0};
    pli_scene *from, *to = make(&second, 1);
    bytes saved = state_of(&first, &from);
    expect_refusal(pli_scene_world(to), &saved, "");
    pli_step_info info;
    assert_int_equal(pli_world_step(pli_scene_world(to), &info, &error), PLI_E_ARGUMENT);
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// Bytes that only what they mean together shows to be wrong: they are refused before anything has
// changed.
static void refuses_bad_aggregates(void** state) {
    (void)state;
    const case_of c = {"two_cubes",
                       {LARGE, "solver.linear=\"pcg\"", "solver.preconditioner=\"multilevel\""},
                       1,
                       0,
                       0};
    const int32_t offsets[4] = {0, 3, 6, 9}, none = 0;
    pli_scene* scene;
    bytes saved = state_of(&c, &scene);
    pli_world* world = pli_scene_world(scene);
    size_t at = saved.size - sizeof offsets;
    while (at > 0 && memcmp(saved.data + at, offsets, sizeof offsets) != 0) --at;
    assert_true(at > 0);
    memcpy(saved.data + at + sizeof none, &none, sizeof none); // a group of nothing in an aggregate
    step(world);
    bytes before = save(world);
    expect_refusal(world, &saved, "cannot be in an aggregate");
    bytes after = save(world);
    assert_same_bytes(&c, "after a refusal", before, after);
    step(world);
    free(saved.data);
    free(before.data);
    free(after.data);
    pli_scene_destroy(scene);
}

// Every cut and thousands of changed bytes: refused, or a state that can be stepped; never a crash.
static void survives_any_bytes(void** state) {
    (void)state;
    case_of c = {"tutorial/5_mov_dirichlet", {"bodies[0].mesh.segments=[2,2]"}, 12, 0, 0};
    pli_scene *from, *to = make(&c, 1);
    bytes saved = state_of(&c, &from);
    uint32_t seed = 7;
    for (size_t size = 0; size < saved.size; size += size < 400 ? 1 : 61)
        assert_int_equal(pli_world_restore(pli_scene_world(to), saved.data, size, &error),
                         PLI_E_SCENE);
    for (int i = 0; i < 3000 && saved.size > 0; ++i) {
        seed = seed * 1664525u + 1013904223u;
        unsigned char* at = &saved.data[(seed >> 4) % saved.size];
        unsigned char before = *at;
        *at ^= (unsigned char)(1u << (seed >> 29));
        pli_world* world = pli_scene_world(to);
        if (pli_world_restore(world, saved.data, saved.size, &error) == PLI_OK && i % 16 == 0)
            (void)pli_world_step(world, NULL, &error);
        *at = before;
        if (pli_world_restore(world, saved.data, saved.size, &error) == PLI_OK) continue;
        pli_scene_destroy(to); // it had been changed before it was refused
        to = make(&c, 1);
    }
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// A ball that bounces, so that some of the restored worlds meet their first contact in the middle
// of a step.
static const char* const bounce =
    "{\"time\": {\"step\": 0.01, \"steps\": 140}, \"gravity\": [0, -9.81],"
    " \"contact\": {\"dhat\": 0.01, \"stiffness\": 1e5}, \"bodies\": ["
    " {\"name\": \"table\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1.2, 0.1],"
    "  \"segments\": [10, 1]}, \"fix\": [{\"group\": \"left\"}, {\"group\": \"right\"}],"
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]},"
    " {\"name\": \"ball\", \"mesh\": {\"type\": \"disk\", \"radius\": 0.15, \"rings\": 3},"
    "  \"translate\": [0.05, 0.6],"
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.4}]}]}";

enum { STEPS = 140, AFTER = 4 };

static void goes_on_from(const case_of* c, const bytes* states, int k, pli_world* world) {
    ASSERT_OK(pli_world_restore(world, states[k].data, states[k].size, &error));
    for (int i = 0; i <= AFTER; ++i) {
        bytes now = save(world);
        assert_same_bytes(c, i == 0 ? "restored" : "gone on", states[k + i], now);
        free(now.data);
        if (i < AFTER) step(world);
    }
}

// Saved before, between and in contacts, restored into a world made anew and into the one that has
// run: what a world has grown to, found and kept on its way is no state.
static void goes_on_from_wherever(void** state) {
    (void)state;
    const case_of variants[] = {
        // `before`: every so many steps
        {bounce, {0}, 3, AFTER, 1},
        {bounce, {"contact.friction=0.3"}, 4, AFTER, 1},
        {bounce,
         {"contact.friction=0.3", "solver.linear=\"pcg\"", "solver.preconditioner=\"multilevel\""},
         20,
         AFTER,
         1},
        {bounce, {"contact.friction=0.3", "solver.linear=\"auto\""}, 20, AFTER, 1},
    };
    for (size_t variant = 0; variant < sizeof variants / sizeof *variants; ++variant) {
        const case_of* c = &variants[variant];
        bytes states[STEPS + 1];
        pli_scene* whole = make(c, 1);
        int touches = 0;
        bool touching = false;
        for (int i = 0; i <= STEPS; ++i) {
            states[i] = save(pli_scene_world(whole));
            bool now = i < STEPS && step(pli_scene_world(whole)).contact_count > 0;
            touches += now && !touching;
            touching = now;
        }
        assert_true(touches > 1);
        for (int k = 0; k + AFTER <= STEPS; k += c->before) {
            pli_scene* anew = make(c, 1);
            goes_on_from(c, states, k, pli_scene_world(anew));
            goes_on_from(c, states, k, pli_scene_world(whole));
            goes_on_from(c, states, STEPS - AFTER - k, pli_scene_world(whole)); // and backwards
            pli_scene_destroy(anew);
        }
        for (int i = 0; i <= STEPS; ++i) free(states[i].data);
        pli_scene_destroy(whole);
    }
}

// A state with contacts in a world that has none: blocks of the matrix that nothing fills.
static void goes_on_without_contact(void** state) {
    (void)state;
    const case_of with = {bounce, {"contact.friction=0.3"}, 38, 0, 0};
    const case_of without = {bounce, {"contact.bodies=false"}, 0, 0, 0};
    pli_scene *from, *to = make(&without, 1);
    bytes saved = state_of(&with, &from);
    assert_true(pli_world_contact_count(pli_scene_world(from)) > 0);
    ASSERT_OK(pli_world_restore(pli_scene_world(to), saved.data, saved.size, &error));
    for (int i = 0; i < 3; ++i) assert_true(step(pli_scene_world(to)).kept);
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// Put into the same state, a world and one that was restored go the same way.
static void set_alike(void** state) {
    (void)state;
    const case_of c = {bounce, {"contact.friction=0.3"}, 0, 0, 0};
    pli_scene* whole = make(&c, 1);
    pli_world* a = pli_scene_world(whole);
    for (int k = 0; k < 60; ++k) {
        step(a);
        if (k < 30 || k % 3 > 0) continue;
        bytes before = save(a);
        pli_scene* anew = make(&c, 1);
        pli_world* b = pli_scene_world(anew);
        ASSERT_OK(pli_world_restore(b, before.data, before.size, &error));
        int n = 3 * pli_world_vertex_count(a), table = pli_world_body_vertex(a, 1);
        double x[3 * 200];
        assert_true(n <= 3 * 200);
        memcpy(x, pli_world_positions(a), sizeof *x * (size_t)n);
        for (int v = table; v < n / 3; ++v) x[3 * v + 1] += 0.2; // the ball is lifted
        const pli_world_state other = {.time = 1, .step = 7, .positions = x};
        ASSERT_OK(pli_world_set_state(a, &other, &error));
        ASSERT_OK(pli_world_set_state(b, &other, &error));
        for (int i = 0; i < 3; ++i) step(a), step(b);
        bytes one = save(a), two = save(b);
        assert_same_bytes(&c, "set alike", one, two);
        ASSERT_OK(pli_world_restore(a, before.data, before.size, &error));
        free(before.data), free(one.data), free(two.data);
        pli_scene_destroy(anew);
    }
    pli_scene_destroy(whole);
}

// Put back to its start, a world that has run goes as one that has not.
static void set_back(void** state) {
    (void)state;
    const case_of c = {"two_cubes", {TOGETHER, "solver.linear=\"multifrontal\""}, 30, 4, 0};
    pli_scene *used = make(&c, 1), *fresh = make(&c, 1);
    pli_world *a = pli_scene_world(used), *b = pli_scene_world(fresh);
    size_t size = 3 * sizeof(double) * (size_t)pli_world_vertex_count(a);
    double *x = malloc(size), *v = malloc(size);
    assert_true(x && v);
    memcpy(x, pli_world_positions(a), size);
    memcpy(v, pli_world_velocities(a), size);
    for (int i = 0; i < c.before; ++i) step(a);
    assert_true(pli_world_contact_count(a) > 0);
    const pli_world_state start = {.positions = x, .velocities = v};
    ASSERT_OK(pli_world_set_state(a, &start, &error));
    ASSERT_OK(pli_world_set_state(b, &start, &error));
    for (int i = 0; i < c.after; ++i) {
        pli_step_info one = step(a), two = step(b);
        assert_same_info(&c, &one, &two);
        assert_memory_equal(pli_world_positions(a), pli_world_positions(b), size);
        assert_memory_equal(pli_world_velocities(a), pli_world_velocities(b), size);
    }
    free(x), free(v);
    pli_scene_destroy(used);
    pli_scene_destroy(fresh);
}

// Predicting memory leaves no trace: newmark's first acceleration, with damping and a first step
// that the end of the run cuts.
static void predicting_leaves_no_trace(void** state) {
    (void)state;
    const case_of c = {
        "{\"time\": {\"scheme\": \"newmark\", \"step\": \"auto\","
        " \"duration\": 1e-4}, \"gravity\": [0, -9.81], \"bodies\": [{"
        " \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0.3], \"segments\": [6, 2]},"
        " \"mass_damping\": 3, \"velocity\": [0.37, 0.21], \"spin\": 1.3,"
        " \"prescribe\": [{\"group\": \"left\", \"velocity\": [1, 0]}],"
        " \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5},"
        " {\"type\": \"viscosity\", \"shear\": 50}]}]}",
        {0},
        0,
        0,
        0};
    pli_scene *one = make(&c, 1), *other = make(&c, 1);
    pli_world *a = pli_scene_world(one), *b = pli_scene_world(other);
    pli_memory_prediction prediction;
    ASSERT_OK(pli_world_predict_memory(b, &prediction, &error));
    for (int i = 0; i < 3; ++i) {
        bytes of_a = save(a), of_b = save(b);
        assert_same_bytes(&c, "with a prediction", of_a, of_b);
        free(of_a.data), free(of_b.data);
        step(a), step(b);
    }
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

// A motion that moves nothing, said to have been held back: there is no vertex to look at.
static void survives_a_motion_of_nothing(void** state) {
    (void)state;
    enum { HEAD = 16, COUNTS = 8, NEXT_PART = 16 };
    pli_world_def def = pli_default_world_def();
    def.thread_count = 1;
    pli_world* world = NULL;
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 1, 1, PLI_TRIANGLES, &error));
    ASSERT_OK(pli_world_create(&def, &world, &error));
    pli_body_def body = pli_default_body_def();
    pli_body_id id;
    body.mesh = &mesh;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_prescribe_def move = pli_default_prescribe_def();
    const int32_t none[1] = {0};
    move.vertices = none;
    move.vertex_count = 0;
    ASSERT_OK(pli_world_prescribe(world, id, &move, NULL, &error));
    bytes saved = save(world);
    size_t at = 0;
    while (at + 4 < saved.size && memcmp(saved.data + at, "pins", 4) != 0) ++at;
    const double half = 0.5;
    memcpy(saved.data + at + HEAD + COUNTS + NEXT_PART, &half, sizeof half);
    ASSERT_OK(pli_world_restore(world, saved.data, saved.size, &error));
    step(world);
    free(saved.data);
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// A state of the first version of prescribed vertices had mean velocities alone: a world starts
// from it as from a first step, without a jump.
static void reads_older_pins(void** state) {
    (void)state;
    enum { HEAD = 16, MOTION = 6 * 8, PIN = 4 + 13 * 8, PLACE = 4 + 4 * 8 };
    static const char* const text =
        "{\"dimension\": 2, \"contact\": {\"bodies\": false}, \"time\": {\"step\": 0.01, "
        "\"steps\": 9,"
        " \"scheme\": \"newmark\"}, \"bodies\": [{\"name\": \"p\", \"mesh\": {\"type\": \"point\"},"
        " \"vertex_mass\": 1, \"prescribe\": [{\"offset\": [\"0.5*t^2\", \"0\"]}]}]}";
    const case_of c = {text, {0}, 4, 0, 0};
    pli_scene *from, *to = make(&c, 1);
    bytes saved = state_of(&c, &from);
    size_t at = 0;
    while (at + 4 < saved.size && memcmp(saved.data + at, "pins", 4) != 0) ++at;
    int32_t version = 1;
    uint64_t length;
    memcpy(&length, saved.data + at + 8, sizeof length);
    assert_int_equal(length, 8 + MOTION + PIN + 3 * 8);
    memcpy(saved.data + at + 4, &version, sizeof version);
    length -= 3 * 8 + 3 * 8; // its place, sizes of steps, how late it is
    memcpy(saved.data + at + 8, &length, sizeof length);
    unsigned char *pin = saved.data + at + HEAD + 8 + MOTION, *end = saved.data + saved.size;
    memmove(pin + PLACE, pin + PLACE + 3 * 8, (size_t)(end - (pin + PLACE + 3 * 8)));
    unsigned char* sizes = pin + PIN - 3 * 8;
    memmove(sizes, sizes + 3 * 8, (size_t)(end - 3 * 8 - (sizes + 3 * 8)));
    saved.size -= 6 * 8;
    pli_world* world = pli_scene_world(to);
    ASSERT_OK(pli_world_restore(world, saved.data, saved.size, &error));
    for (int n = 0; n < 5; ++n) {
        step(world);
        ASSERT_NEAR(pli_world_support(world, 0).force[0], 1, 0.05);
    }
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

// The second version did not know that motions can be late: they aim at where they should be.
static void reads_pins_that_are_not_late(void** state) {
    (void)state;
    const case_of c = {PADDLE, {0}, 9, 0, 0};
    pli_scene *from, *to = make(&c, 1);
    bytes saved = state_of(&c, &from);
    size_t at = 0;
    while (at + 4 < saved.size && memcmp(saved.data + at, "pins", 4) != 0) ++at;
    int32_t version = 2;
    uint64_t length;
    memcpy(&length, saved.data + at + 8, sizeof length);
    unsigned char* end = saved.data + at + 16 + length;
    double late;
    memcpy(&late, end - 8, sizeof late);
    assert_true(late > 0.1 && late < 0.9); // [s]
    memmove(end - 8, end, (size_t)(saved.data + saved.size - end));
    length -= 8;
    saved.size -= 8;
    memcpy(saved.data + at + 4, &version, sizeof version);
    memcpy(saved.data + at + 8, &length, sizeof length);
    pli_world* world = pli_scene_world(to);
    ASSERT_OK(pli_world_restore(world, saved.data, saved.size, &error));
    for (int n = 0; n < 3; ++n) {
        step(world);
        const double* x = pli_world_positions(world) + 3 * (size_t)pli_world_body_vertex(world, 1);
        ASSERT_NEAR(hypot(x[3] - x[0], x[4] - x[1]), 0.9, 1e-4);
        assert_true(atan2(x[4], x[3]) < 0.43);
    }
    free(saved.data);
    pli_scene_destroy(from);
    pli_scene_destroy(to);
}

static bool refuse(void* context, const void* data, size_t size) {
    (void)context, (void)data, (void)size;
    return false;
}

static void tells_what_was_wrong(void** state) {
    (void)state;
    case_of c = {"tutorial/1_mass_spring", {0}, 1, 0, 0};
    pli_scene* scene;
    bytes saved = state_of(&c, &scene);
    pli_world* world = pli_scene_world(scene);
    assert_int_equal(pli_world_save(world, refuse, NULL, &error), PLI_E_IO);
    assert_int_equal(pli_world_save(world, NULL, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_restore(world, NULL, 0, &error), PLI_E_ARGUMENT);
    int32_t version = 3;
    memcpy(saved.data + 4, &version, sizeof version);
    expect_refusal(world, &saved, "section \"wrld\" has version 3, this program reads up to 2");
    free(saved.data);
    pli_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_goes_on),
        cmocka_unit_test(goes_on_from_wherever),
        cmocka_unit_test(goes_on_without_contact),
        cmocka_unit_test(set_alike),
        cmocka_unit_test(set_back),
        cmocka_unit_test(predicting_leaves_no_trace),
        cmocka_unit_test(refuses_another_world),
        cmocka_unit_test(refuses_other_supports),
        cmocka_unit_test(another_scheme_starts_anew),
        cmocka_unit_test(another_solver_starts_anew),
        cmocka_unit_test(a_start_is_of_its_scheme),
        cmocka_unit_test(refuses_what_intersects),
        cmocka_unit_test(refuses_bad_aggregates),
        cmocka_unit_test(survives_any_bytes),
        cmocka_unit_test(survives_a_motion_of_nothing),
        cmocka_unit_test(reads_older_pins),
        cmocka_unit_test(reads_pins_that_are_not_late),
        cmocka_unit_test(tells_what_was_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
