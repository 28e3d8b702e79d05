// A step that is not kept leaves the world as it was: the same bytes as before it, the same numbers
// for readers, and with more iterations it goes on with the bits of a world that never failed. Only
// the matrix may have learned of pairs, and its solver of the matrix, earlier: rows say so.
#include "scene/saved.h"

enum { MOST_OVERRIDES = 8, TRIES = 3 };

typedef struct case_of {
    const char* scene;                     // its name, or its text
    const char* overrides[MOST_OVERRIDES]; // of both worlds
    const char* spoils[MOST_OVERRIDES];    // of the one whose steps fail
    int before, after;                     // steps
    int substeps;                          // parts that were kept before one failed, at least
    bool learns;                           // the matrix or its solver, in steps that fail
    bool breaks;                           // the call itself fails, in both worlds
} case_of;

static int count_of(const char* const* words) {
    int count = 0;
    while (count < MOST_OVERRIDES && words[count]) ++count;
    return count;
}

static pli_scene* make(const case_of* c, bool spoilt) {
    const char* overrides[2 * MOST_OVERRIDES];
    int own = count_of(c->overrides), spoils = spoilt ? count_of(c->spoils) : 0;
    memcpy(overrides, c->overrides, sizeof *overrides * (size_t)own);
    memcpy(overrides + own, c->spoils, sizeof *overrides * (size_t)spoils);
    return make_scene(c->scene, overrides, own + spoils, 1);
}

static void step(const case_of* c, pli_world* world) {
    pli_step_info info;
    ASSERT_OK(pli_world_step(world, &info, &error));
    if (!info.kept) fail_msg("%s: step %d: %s", c->scene, info.step, pli_reason_text(info.reason));
}

// ---- what is compared

// A section is four letters, a version, a length and that many bytes.
enum { HEAD = 16 };

static uint64_t length_at(bytes b, size_t at) {
    uint64_t length;
    assert_true(at + HEAD <= b.size);
    memcpy(&length, b.data + at + 8, sizeof length);
    assert_true(length <= b.size - at - HEAD);
    return length;
}

// Section by section; `learns`: but for those of the matrix and its solver.
static void assert_same_state(const case_of* c, const char* what, bytes a, bytes b, bool learns) {
    size_t i = 0, j = 0;
    while (i < a.size && j < b.size) {
        const char* name = (const char*)a.data + i;
        size_t n = length_at(a, i), m = length_at(b, j);
        bool rounding = memcmp(name, "patt", 4) == 0 || memcmp(name, "solv", 4) == 0;
        assert_memory_equal(name, b.data + j, 4);
        if (!(rounding && learns) &&
            (n != m || memcmp(a.data + i + HEAD, b.data + j + HEAD, n) != 0))
            fail_msg("%s%s: %s, section \"%.4s\" is another one", c->scene,
                     c->overrides[0] ? c->overrides[0] : "", what, name);
        i += HEAD + n;
        j += HEAD + m;
    }
    assert_true(i == a.size && j == b.size);
}

// Of what readers see.
static void note(const pli_world* w, bytes* out) {
    size_t n = 3 * sizeof(double) * (size_t)pli_world_vertex_count(w);
    double time = pli_world_time(w), stiffness = pli_world_contact_stiffness(w);
    append(out, pli_world_positions(w), n);
    append(out, pli_world_velocities(w), n);
    if (pli_world_contact_forces(w)) append(out, pli_world_contact_forces(w), n);
    if (pli_world_friction_forces(w)) append(out, pli_world_friction_forces(w), n);
    append(out, &time, sizeof time);
    append(out, &stiffness, sizeof stiffness);
    for (int i = 0; i < pli_world_energy_count(w); ++i) {
        double energy = pli_world_energy_value(w, i);
        append(out, &energy, sizeof energy);
    }
    for (int i = 0; i < pli_world_support_count(w); ++i) {
        pli_support_info support = pli_world_support(w, i);
        append(out, &support.blocked, sizeof support.blocked);
        append(out, support.force, sizeof support.force);
        append(out, support.torque, sizeof support.torque);
    }
}

// ---- a step that fails, some times

static pli_step_info fail_once(const case_of* c, pli_world* world) {
    pli_step_info info = {0};
    pli_status status = pli_world_step(world, &info, &error);
    if (c->breaks) {
        assert_int_equal(status, PLI_E_ARGUMENT);
        return info;
    }
    if (status != PLI_OK) fail_msg("%s: %s", c->scene, error.message);
    if (info.kept || info.substeps < c->substeps)
        fail_msg("%s%s: %s after %d parts, and %skept", c->scene,
                 c->overrides[0] ? c->overrides[0] : "", pli_reason_text(info.reason),
                 info.substeps, info.kept ? "" : "not ");
    return info;
}

// From `start`; returns what is saved behind it.
static bytes fail_from(const case_of* c, bytes start) {
    pli_scene* scene = make(c, true);
    pli_world* world = pli_scene_world(scene);
    bytes seen = {0}, after = {0};
    pli_step_info first;
    ASSERT_OK(pli_world_restore(world, start.data, start.size, &error));
    note(world, &seen);
    for (int i = 0; i < TRIES; ++i) {
        bytes seen_after = {0};
        pli_step_info info = fail_once(c, world);
        if (i == 0) first = info;
        if (info.iterations != first.iterations || info.residual != first.residual)
            fail_msg("%s: tried again, it fails with %.17g, not %.17g", c->scene, info.residual,
                     first.residual);
        free(after.data);
        after = save(world);
        assert_same_state(c, "behind a step that failed", start, after, c->learns);
        note(world, &seen_after);
        if (seen.size != seen_after.size || memcmp(seen.data, seen_after.data, seen.size) != 0)
            fail_msg("%s: readers see something else", c->scene);
        free(seen_after.data);
    }
    free(seen.data);
    pli_scene_destroy(scene);
    return after;
}

static void leaves_no_trace(const case_of* c) {
    pli_scene *one = make(c, false), *other = make(c, false);
    pli_world *a = pli_scene_world(one), *b = pli_scene_world(other);
    for (int i = 0; i < c->before; ++i) step(c, a);
    bytes start = save(a), failed = fail_from(c, start);
    ASSERT_OK(pli_world_restore(b, failed.data, failed.size, &error));
    for (int i = 0; i < c->after; ++i) {
        step(c, a);
        step(c, b);
    }
    bytes end = save(a), other_end = save(b);
    assert_same_state(c, "at the end", end, other_end, false);
    free(start.data);
    free(failed.data);
    free(end.data);
    free(other_end.data);
    pli_scene_destroy(one);
    pli_scene_destroy(other);
}

// ---- scenes

#define FLOOR "\"obstacles\": [{\"type\": \"half-space\", \"name\": \"floor\", \"point\": [0, 0]}]"
// A block flies against the floor.
#define HIT(step, velocity)                                                                        \
    "{\"dimension\": 2, \"time\": {\"step\": " step ", \"steps\": 60}, \"gravity\": [0, -9.81],"   \
    " \"contact\": {\"dhat\": 0.004, \"stiffness\": \"auto\"},"                                    \
    " \"bodies\": [{\"name\": \"block\", \"density\": 1000, \"translate\": [0.5, 0.3],"            \
    "  \"mesh\": {\"type\": \"rectangle\", \"size\": [0.3, 0.3], \"segments\": [4, 4]},"           \
    "  \"velocity\": [0, " velocity "],"                                                           \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.3}]}]," FLOOR "}"

// A block slides on the floor.
#define SLIDE                                                                                      \
    "{\"dimension\": 2, \"time\": {\"step\": 0.01, \"steps\": 60}, \"gravity\": [0, -9.81],"       \
    " \"contact\": {\"dhat\": 0.004, \"friction\": 0.3},"                                          \
    " \"bodies\": [{\"name\": \"block\", \"density\": 1000, \"translate\": [0.5, 0.152],"          \
    "  \"mesh\": {\"type\": \"rectangle\", \"size\": [0.3, 0.3], \"segments\": [4, 4]},"           \
    "  \"velocity\": [1, 0],"                                                                      \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5, \"poisson\": 0.3}]}]," FLOOR "}"

// A press comes down on a block.
#define PRESS                                                                                      \
    "{\"dimension\": 2, \"time\": {\"step\": 0.02, \"steps\": 60}, \"contact\": {\"dhat\": "       \
    "0.004},"                                                                                      \
    " \"bodies\": [{\"name\": \"block\", \"translate\": [0, 0.2],"                                 \
    "  \"mesh\": {\"type\": \"rectangle\", \"size\": [0.3, 0.3], \"segments\": [2, 2]},"           \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e8}], \"fix\": [{}]}],"              \
    " \"obstacles\": [{\"type\": \"mesh\", \"name\": \"press\", \"mesh\": {\"type\": "             \
    "\"rectangle\","                                                                               \
    "  \"size\": [0.6, 0.05], \"segments\": [3, 1]}, \"translate\": [0, 0.45],"                    \
    "  \"motion\": {\"velocity\": [0, -0.5]}}]}"

// A beam whose end is shaken, by steps that the world chooses.
#define SHAKEN(offset)                                                                             \
    "{\"dimension\": 2, \"contact\": {\"bodies\": false}, \"time\": {\"step\": \"auto\","          \
    " \"duration\": 1, \"step_error\": 1e-5, \"scheme\": \"implicit-midpoint\"}, \"bodies\": ["    \
    " {\"name\": \"b\", \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 0.25],"                  \
    "  \"segments\": [4, 1]}, \"stiffness_damping\": 0.001,"                                       \
    "  \"prescribe\": [{\"group\": \"left\", \"offset\": [\"0\", \"" offset "\"]}],"               \
    "  \"energies\": [{\"type\": \"linear\", \"young\": 2e5, \"poisson\": 0.3}]}]}"

// Two squares that intersect at the start and fly apart.
#define APART                                                                                      \
    "{\"dimension\": 2, \"time\": {\"step\": 0.02, \"steps\": 60},"                                \
    " \"contact\": {\"dhat\": 0.004, \"allow_initial\": [[\"a\", \"b\"]]},"                        \
    " \"bodies\": [{\"name\": \"a\", \"velocity\": [-1, 0],"                                       \
    "  \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]},"               \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5}]},"                              \
    " {\"name\": \"b\", \"velocity\": [1, 0.5], \"spin\": 1, \"translate\": [0.95, 0],"            \
    "  \"mesh\": {\"type\": \"rectangle\", \"size\": [1, 1], \"segments\": [2, 2]},"               \
    "  \"energies\": [{\"type\": \"neo-hookean\", \"young\": 1e5}]}]}"

#define STOP(n) "solver.max_iterations=" #n, "solver.on_failure=\"stop\""
#define DIVIDE(n, m)                                                                               \
    "solver.max_iterations=" #n, "solver.on_failure=\"substep\"", "solver.max_substeps=" #m
#define BDF2 "time.scheme=\"bdf2\""
#define NEWMARK "time.scheme=\"newmark\""
#define BLOCKED "solver.on_blocked=\"fail\""
#define EXACT "solver.tolerance=1e-12"
// One iteration is enough for some parts of a start: at rest, and later.
#define FIRST "solver.tolerance=1e-6"
#define STIFF "bodies[0].energies[0].young=2e9" // later parts need more: waves come back
#define LONG "time.step_min=1e-3"               // a very short step needs one iteration
#define SOME "solver.tolerance=1e-3"

static const case_of cases[] = {
    // The stiffness of contact grows at the start of a step.
    {HIT("0.001", "-2000"), {0}, {STOP(1)}, .before = 1, .after = 3},
    // Divided, with a part that was kept.
    {HIT("0.0012", "-80"), {BDF2}, {DIVIDE(2, 1)}, .before = 1, .after = 3, .substeps = 1},
    {HIT("0.0012", "-80"), {NEWMARK}, {DIVIDE(2, 1)}, .before = 1, .after = 3, .substeps = 1},
    {"schemes/bdf4", {STIFF}, {FIRST, DIVIDE(1, 1)}, 0, 5, .substeps = 1, .learns = true},
    {"schemes/bdf4", {STIFF}, {SOME, DIVIDE(1, 1)}, .before = 2, .after = 5, .substeps = 1},
    {"schemes/bdf4", {0}, {EXACT, DIVIDE(1, 2)}, .before = 6, .after = 3},
    {"schemes/bdf2", {0}, {EXACT, STOP(1)}, .before = 5, .after = 3},
    {"schemes/newmark", {0}, {EXACT, DIVIDE(1, 2)}, .before = 6, .after = 3},
    {"schemes/rk4", {0}, {"time.step=1e9"}, .before = 6, .after = 3},
    // Friction; the first acceleration.
    {SLIDE, {0}, {STOP(1)}, .before = 8, .after = 3},
    {SLIDE, {BDF2}, {DIVIDE(1, 1)}, .before = 8, .after = 3},
    {SLIDE, {NEWMARK}, {STOP(1)}, .before = 8, .after = 3},
    {SLIDE, {NEWMARK}, {STOP(1)}, .before = 0, .after = 3, .learns = true},
    // Prescribed motion: free, on its way to a block, held back by it, nowhere.
    {"tutorial/5_mov_dirichlet", {0}, {STOP(1)}, .before = 0, .after = 3, .learns = true},
    {PRESS, {0}, {STOP(1)}, .before = 7, .after = 3, .learns = true},
    {PRESS, {0}, {BLOCKED, DIVIDE(99, 3)}, 7, 3, .substeps = 1, .learns = true},
    {PRESS, {0}, {BLOCKED}, .before = 10, .after = 3},
    {PRESS, {0}, {STOP(1)}, .before = 10, .after = 3},
    {SHAKEN("0.1*sqrt(0.3-t)"), {"time.step=0.02"}, {0}, .before = 15, .breaks = true},
    // Steps that the world chooses.
    {SHAKEN("0.1*sin(4*t)^2"), {0}, {STOP(1), EXACT}, .before = 4, .after = 3},
    {SHAKEN("0.1*sin(4*t)^2"), {NEWMARK}, {STOP(1), EXACT, LONG}, .before = 4, .after = 3},
    {SHAKEN("0.1*sin(4*t)^2"), {NEWMARK}, {STOP(1), EXACT, LONG}, 0, 3, .learns = true},
    // Bodies that may intersect are apart at the start of the third step.
    {APART, {0}, {STOP(1), EXACT}, .before = 2, .after = 3},
};

static void no_failed_step_leaves_a_trace(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) leaves_no_trace(&cases[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_failed_step_leaves_a_trace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
