// Exact gradients and Hessians of a world against finite differences: every energy on every kind of
// element, loads, pins, damping, reduced bodies, all schemes; and that a call changes nothing.
// Contact: test_derivatives_contact.c.
#include "dynamics/differences.h"
#include "oracle/allocator.h"
#include "oracle/random.h"

// ---- every energy

// A closed surface: an octahedron in space, an outline in the plane.
static void make_closed(pli_mesh* mesh, int dim) {
    static const double corners[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1},
                        around[] = {0, 0, 0, 1, 0.2, 0, 1.3, 1, 0, 0.4, 1.2, 0, -0.3, 0.7, 0};
    static const int32_t faces[] = {0, 1, 2, 1, 3, 2, 3, 4, 2, 4, 0, 2,
                                    1, 0, 5, 3, 1, 5, 4, 3, 5, 0, 4, 5},
                         outline[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(
        pli_mesh_add_vertices(mesh, dim == 3 ? 6 : 5, dim == 3 ? corners : around, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(mesh, dim == 3 ? PLI_TRIANGLE : PLI_SEGMENT, dim == 3 ? 8 : 5,
                                    dim == 3 ? faces : outline, &error));
}

// Elements of one kind, or (PLI_STENCIL) triangles and segments that stencils are found in.
static void make_mesh(pli_mesh* mesh, int dim, pli_element_kind kind) {
    static const double points[] = {0, 0, 0, 1, 0, 0, 0.3, 0.8, 0, 0.9, 0.9, 0, 0.4, 0.3, 0.9};
    static const int32_t segments[] = {0, 1, 1, 2, 2, 3}, triangles[] = {0, 1, 2, 1, 3, 2},
                         tetrahedra[] = {0, 1, 2, 4, 1, 3, 2, 4};
    pli_mesh_init(mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(mesh, dim == 3 ? 5 : 4, points, NULL, &error));
    bool quadratic = kind == PLI_TRIANGLE6 || kind == PLI_TETRAHEDRON10;
    int d = kind == PLI_STENCIL ? 2 : pli_element_dimension(kind);
    if (d == 1 || kind == PLI_STENCIL)
        ASSERT_OK(pli_mesh_add_elements(mesh, PLI_SEGMENT, 3, segments, &error));
    if (d == 2 || kind == PLI_VERTEX)
        ASSERT_OK(pli_mesh_add_elements(mesh, PLI_TRIANGLE, 2, triangles, &error));
    if (d == 3) ASSERT_OK(pli_mesh_add_elements(mesh, PLI_TETRAHEDRON, 2, tetrahedra, &error));
    if (quadratic) ASSERT_OK(pli_mesh_make_quadratic(mesh, &error));
}

static pli_world* make_energy(const pli_energy_type* type, int dim, pli_element_kind kind,
                              uint64_t seed) {
    pli_random r = {seed};
    pli_world_def def = def_of(dim);
    pli_mesh mesh;
    pli_body_def body = pli_default_body_def();
    pli_body_id id;
    bool wide = type->width == PLI_WIDE;
    if (wide)
        make_closed(&mesh, dim);
    else
        make_mesh(&mesh, dim, kind);
    double* initial = room(3 * mesh.vertex_count);
    for (int i = 0; i < 3 * mesh.vertex_count; ++i)
        initial[i] = mesh.positions[i] + (i % 3 < dim ? pli_random_in(&r, -0.04, 0.04) : 0);
    body.mesh = &mesh;
    body.initial = initial;
    body.vertex_mass = 1;
    body.velocity[0] = 0.7;
    body.velocity[1] = -0.2;
    pli_world* world = make_world(&def);
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    const pli_setting gas[2] = {{"pressure", 300}, {"ambient", 1000}}; // gas: not at p = p0
    const pli_setting rod[2] = {{"radius", 0.2}, {"young", 1e5}}; // it has no default
    bool section = strcmp(type->name, "rod") == 0;
    ASSERT_OK(pli_world_add_energy(world, id, type->name, section ? rod : gas,
                                   section || wide ? 2 : 0, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    pli_mesh_free(&mesh);
    free(initial);
    return world;
}

static void test_energies(void** state) {
    (void)state;
    int checked = 0;
    for (int i = 0; pli_energy_type_at(i); ++i)
        for (int dim = 2; dim <= 3; ++dim)
            for (int kind = 0; kind <= PLI_STENCIL; ++kind) {
                const pli_energy_type* type = pli_energy_type_at(i);
                if (!pli_energy_covers(type, dim, (pli_element_kind)kind)) continue;
                pli_world* world = make_energy(type, dim, (pli_element_kind)kind, 7);
                if (!type->dissipation) check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
                advance(world);
                put_states_back(world); // the differences need the states that the step had
                check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
                pli_world_destroy(world);
                checked++;
            }
    assert_true(checked >= 40);
}

// A slider that yields: the Hessian is that before the yielding was committed.
static void test_state(void** state) {
    (void)state;
    const double points[6] = {0, 0, 0, 1, 0, 0}, initial[6] = {0, 0, 0, 1.4, 0.3, 0};
    const int32_t segment[2] = {0, 1}, fixed = 0;
    const pli_setting settings[2] = {{"stiffness", 400}, {"yield", 30}};
    pli_world_def def = def_of(2);
    pli_world* world = make_world(&def);
    pli_mesh mesh;
    pli_mesh_init(&mesh, NULL);
    ASSERT_OK(pli_mesh_add_vertices(&mesh, 2, points, NULL, &error));
    ASSERT_OK(pli_mesh_add_elements(&mesh, PLI_SEGMENT, 1, segment, &error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.initial = initial;
    body.vertex_mass = 1;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    ASSERT_OK(pli_world_add_energy(world, id, "slider", settings, 2, NULL, &error));
    pli_fix_def fix = pli_default_fix_def();
    fix.vertices = &fixed;
    fix.vertex_count = 1;
    ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    ASSERT_OK(pli_world_prepare(world, &error));
    size_t size;
    const void* start;
    const pli_term* slider = &world->terms[0].term;
    double *slip = slider->ops->state(slider->self, &size, &start), before = *slip;
    advance(world);
    double after = *slip;
    assert_true(after != before);
    pli_sparse h;
    ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error));
    assert_true(*slip == after); // the call has put it back
    assert_true(world->solved.state[0] == before);
    pli_sparse_free(&h);
    *slip = before;
    check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
    *slip = after;
    pli_mesh_free(&mesh);
    pli_world_destroy(world);
}

// ---- loads, pins, supports, damping

static void pull(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    out[0] = 300 * (1 + time) * (1 + place[0]);
    out[1] = -40 * place[0];
    out[2] = 20;
}

typedef struct setup {
    int dim;
    bool quadratic;
    const char *scheme, *mass, *kinematics, *linear;
    int order, mode_count, segments;
    double mass_damping, stiffness_damping;
    bool pressure, force, slide, prescribe, partial, viscous;
    bool hand, controlled;
} setup;

static const setup plain = {.dim = 2,
                            .scheme = "backward-euler",
                            .mass = "lumped",
                            .kinematics = "free",
                            .order = 1,
                            .segments = 1};

static void hold(pli_world* world, pli_body_id id, const setup* s) {
    static const int32_t corner[1] = {0}, other[2] = {1, 2};
    pli_fix_def fix = pli_default_fix_def();
    pli_prescribe_def motion = pli_default_prescribe_def();
    if (s->slide) {
        fix.vertices = corner;
        fix.vertex_count = 1;
        fix.normal[0] = 0.3;
        fix.normal[1] = 1;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
        fix = pli_default_fix_def();
        fix.vertices = other;
        fix.vertex_count = 1;
        fix.axes[0] = false;
        ASSERT_OK(pli_world_fix(world, id, &fix, NULL, &error));
    }
    if (s->prescribe) {
        motion.vertices = other;
        motion.vertex_count = 2;
        motion.velocity[0] = 0.5;
        motion.velocity[1] = 0.2;
        motion.free[1] = s->partial;
        ASSERT_OK(pli_world_prescribe(world, id, &motion, NULL, &error));
    }
}

static void push(pli_world* world, pli_body_id id, const setup* s) {
    pli_load_def load = pli_default_load_def();
    if (s->pressure) {
        load.kind = "pressure";
        load.value[0] = 2e3;
        ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
        static const int32_t some[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8}; // one side
        load.value[0] = -3e3;                                       // a surface with a rim
        load.vertices = some;
        load.vertex_count = s->dim == 2 ? s->segments + 1 : (s->segments + 1) * (s->segments + 1);
        ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    }
    load = pli_default_load_def();
    load.field = pull;
    load.kind = "traction";
    if (s->force) ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
}

static pli_world* make_setup(const setup* s) {
    pli_world_def def = def_of(s->dim);
    pli_mesh mesh;
    def.scheme = s->scheme;
    def.gravity[1] = -9.81;
    def.interactive = s->hand;
    if (s->controlled) def.time_step = 0;
    def.solver.gradient_tolerance = 1e-9;
    if (s->linear) def.solver.linear = s->linear;
    pli_world* world = make_world(&def);
    pli_mesh_init(&mesh, NULL);
    if (s->dim == 2)
        ASSERT_OK(pli_mesh_add_rectangle(&mesh, 1, 1, 2, s->segments, PLI_TRIANGLES, &error));
    else
        ASSERT_OK(pli_mesh_add_box(&mesh, (double[3]){1, 1, 1},
                                   (int[3]){s->segments, s->segments, s->segments}, &error));
    if (s->quadratic) ASSERT_OK(pli_mesh_make_quadratic(&mesh, &error));
    double* modes = room(3 * mesh.vertex_count * s->mode_count);
    double* velocities = room(3 * mesh.vertex_count);
    pli_random r = {3};
    for (int i = 0; i < 3 * mesh.vertex_count * s->mode_count; ++i)
        modes[i] = i % 3 < s->dim ? pli_random_in(&r, -1, 1) : 0;
    for (int i = 0; i < 3 * mesh.vertex_count; ++i)
        velocities[i] = i % 3 < s->dim ? pli_random_in(&r, -1, 1) : 0;
    pli_body_def body = pli_default_body_def();
    body.mesh = &mesh;
    body.density = 100;
    body.mass = s->mass;
    body.velocities = velocities;
    body.kinematics = s->kinematics;
    body.order = s->order;
    body.modes = s->mode_count ? modes : NULL;
    body.mode_count = s->mode_count;
    body.mass_damping = s->mass_damping;
    body.stiffness_damping = s->stiffness_damping;
    pli_body_id id;
    ASSERT_OK(pli_world_add_body(world, &body, &id, &error));
    pli_setting material[2] = {{"young", 1e5}, {"poisson", 0.3}};
    ASSERT_OK(pli_world_add_energy(world, id, "st-venant-kirchhoff", material, 2, NULL, &error));
    if (s->viscous) ASSERT_OK(pli_world_add_energy(world, id, "viscosity", NULL, 0, NULL, &error));
    hold(world, id, s);
    push(world, id, s);
    ASSERT_OK(pli_world_prepare(world, &error));
    if (s->hand) ASSERT_OK(pli_world_grab(world, 3, (double[3]){0.4, 0.7, 0}, 500, &error));
    pli_mesh_free(&mesh);
    free(modes);
    free(velocities);
    return world;
}

static void check_setup(const setup* s) {
    pli_world* world = make_setup(s);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    for (int i = 0; i < 3; ++i) advance(world);
    check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
    check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
    check_stationary(world);
    pli_world_destroy(world);
}

static void test_setups(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int quadratic = 0; quadratic < 2; ++quadratic) {
            setup s = plain;
            s.dim = dim;
            s.quadratic = quadratic;
            check_setup(&s);
            setup with = s;
            with.pressure = with.force = true;
            check_setup(&with);
            with = s;
            with.slide = true;
            check_setup(&with);
            with = s;
            with.prescribe = true;
            check_setup(&with);
            with.partial = true;
            check_setup(&with);
            with = s;
            with.mass_damping = 3;
            with.stiffness_damping = 0.02;
            with.viscous = true;
            check_setup(&with);
            with.mass = "consistent";
            check_setup(&with);
            with = s;
            with.hand = true;
            check_setup(&with);
        }
}

static void test_reduced(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        setup s = plain;
        s.dim = dim;
        s.kinematics = "polynomial";
        s.segments = 2;
        for (s.order = 1; s.order <= 2; ++s.order) {
            check_setup(&s);
            s.pressure = s.viscous = true;
            s.mass = "consistent";
        }
        s = plain;
        s.dim = dim;
        s.mode_count = 4;
        check_setup(&s);
    }
}

static void test_schemes(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        setup s = plain;
        s.scheme = pli_scheme_name(i);
        s.slide = s.force = s.pressure = true;
        s.stiffness_damping = pli_scheme_dissipates(i) && !pli_scheme_statics(i) ? 0.01 : 0;
        if (pli_scheme_find(s.scheme)->step) {
            s.stiffness_damping = 0;
            pli_world* world = make_setup(&s);
            pli_sparse h;
            check_differences(world, PLI_OF_POTENTIAL, STEP, TOLERANCE);
            advance(world);
            assert_int_equal(pli_world_hessian(world, PLI_OF_STEP, &h, &error), PLI_E_ARGUMENT);
            pli_world_destroy(world);
            continue;
        }
        check_setup(&s);
    }
}

static bool always(void* context) {
    (void)context;
    return true;
}

// What E of a step is made of; the world chooses its size, too. After a step that is not kept there
// is none.
static void test_last_step(void** state) {
    (void)state;
    for (int controlled = 0; controlled < 2; ++controlled) {
        setup s = plain;
        s.slide = true;
        s.controlled = controlled;
        pli_world* world = make_setup(&s);
        pli_step_rule rule;
        pli_step_info info;
        refuse_step(world);
        for (int i = 0; i < 3; ++i) ASSERT_OK(pli_world_step(world, &info, &error));
        ASSERT_OK(pli_world_step_rule(world, &rule, &error));
        ASSERT_NEAR(rule.inertia, 1 / (rule.time_step * rule.time_step), 1e-9 * rule.inertia);
        ASSERT_NEAR(rule.time_step, info.time_step, 0);
        ASSERT_NEAR(rule.velocity_rate * rule.time_step, 1, 1e-12);
        ASSERT_NEAR(rule.share, 1, 0);
        check_differences(world, PLI_OF_STEP, STEP, TOLERANCE);
        ASSERT_OK(pli_world_set_cancel(world, always, NULL, &error));
        ASSERT_OK(pli_world_step(world, &info, &error));
        assert_false(info.kept);
        refuse_step(world);
        pli_world_destroy(world);
    }
}

// ---- sensitivity

// dq_end / dq_hat of a step is H^-1 inertia M: the velocity at the start enters with h.
static void test_adjoint(void** state) {
    (void)state;
    enum { MAX = 64 };
    double end[2][MAX], v[MAX], x[3 * MAX], dq[MAX], b[MAX], Hdq[MAX];
    const double change = 1e-5; // [m/s]
    setup s = plain;
    s.slide = true;
    pli_sparse h = {0}, m = {0};
    pli_step_rule rule = {0};
    int n = 0;
    for (int i = 0; i < 2; ++i) {
        pli_world* world = make_setup(&s);
        n = pli_world_unknown_count(world);
        assert_true(n <= MAX);
        int v3 = 3 * pli_world_vertex_count(world);
        memcpy(x, pli_world_velocities(world), sizeof *x * (size_t)v3);
        x[3 * 4] += i == 0 ? -change : change; // vertex 4 is free
        ASSERT_OK(pli_world_set_state(world, &(pli_world_state){.velocities = x}, &error));
        advance(world);
        ASSERT_OK(pli_world_unknowns(world, end[i], v, &error));
        if (i == 0) {
            pli_world_destroy(world);
            continue;
        }
        ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error));
        ASSERT_OK(pli_world_mass_matrix(world, &m, &error));
        ASSERT_OK(pli_world_step_rule(world, &rule, &error));
        const pli_kinematics* k = &world->kinematics;
        for (int j = 0; j < n; ++j) dq[j] = 0;
        dq[k->group_offset[k->vertices[4].identity_group]] = rule.time_step;
        multiply_mass(&m, dq, b);
        pli_world_destroy(world);
    }
    double size = 0;
    for (int j = 0; j < n; ++j) dq[j] = (end[1][j] - end[0][j]) / (2 * change);
    multiply_mass(&h, dq, Hdq);
    for (int j = 0; j < n; ++j) size = fmax(size, fabs(rule.inertia * b[j]));
    // 1e-4: what the tolerance of the steps leaves of so small a change
    for (int j = 0; j < n; ++j) ASSERT_NEAR(Hdq[j], rule.inertia * b[j], 1e-4 * size);
    pli_sparse_free(&h);
    pli_sparse_free(&m);
}

static void test_nothing_changes(void** state) {
    (void)state;
    for (int i = 0; pli_scheme_name(i); ++i) {
        setup s = plain;
        s.scheme = pli_scheme_name(i);
        s.slide = s.pressure = true;
        s.prescribe = false;
        compare_runs(make_setup(&s), make_setup(&s), 6);
    }
    setup s = plain;
    s.dim = 3;
    s.prescribe = true;
    s.linear = "pcg";
    compare_runs(make_setup(&s), make_setup(&s), 6);
}

// The pattern is that of all terms, whatever the linear solver keeps of it.
static void test_solvers_agree(void** state) {
    (void)state;
    static const char* const words[2] = {"multifrontal", "pcg"};
    pli_sparse h[2];
    for (int i = 0; i < 2; ++i) {
        setup s = plain;
        s.dim = 3;
        s.quadratic = true;
        s.linear = words[i];
        pli_world* world = make_setup(&s);
        ASSERT_OK(pli_world_hessian(world, PLI_OF_POTENTIAL, &h[i], &error));
        pli_world_destroy(world);
    }
    assert_int_equal(h[0].count, h[1].count);
    assert_memory_equal(h[0].row, h[1].row, sizeof *h[0].row * (size_t)h[0].count);
    assert_memory_equal(h[0].value, h[1].value, sizeof *h[0].value * (size_t)h[0].count);
    pli_sparse_free(&h[0]);
    pli_sparse_free(&h[1]);
}

static void test_mass(void** state) {
    (void)state;
    setup s = plain;
    s.mass = "consistent";
    s.quadratic = true;
    pli_world* world = make_setup(&s);
    int n = pli_world_unknown_count(world);
    double *v = room(n), *Mv = room(n), kinetic = 0;
    pli_sparse m;
    ASSERT_OK(pli_world_unknowns(world, NULL, v, &error));
    ASSERT_OK(pli_world_mass_matrix(world, &m, &error));
    multiply_mass(&m, v, Mv);
    for (int i = 0; i < n; ++i) kinetic += 0.5 * v[i] * Mv[i];
    ASSERT_NEAR(kinetic, pli_world_energy_value(world, 0), 1e-12 * kinetic);
    pli_sparse_free(&m);
    free(v), free(Mv);
    pli_world_destroy(world);
}

// ---- misuse and memory

static pli_status from_inside = PLI_OK;

static void ask_from_inside(void* context, double time, const double place[3], double out[3]) {
    pli_sparse h;
    (void)time, (void)place;
    from_inside = pli_world_hessian(*(pli_world**)context, PLI_OF_POTENTIAL, &h, NULL);
    out[0] = out[1] = out[2] = 0;
}

static void test_refusals(void** state) {
    (void)state;
    pli_sparse h = {0};
    pli_step_rule rule;
    pli_world_def def = def_of(2);
    pli_world* world = make_world(&def);
    pli_body_id id = add_square(world, &(square){.segments = 1, .stiffness = 1e4});
    pli_load_def load = pli_default_load_def();
    load.field = ask_from_inside;
    load.context = &world;
    ASSERT_OK(pli_world_add_load(world, id, &load, NULL, &error));
    assert_int_equal(pli_world_hessian(world, PLI_OF_POTENTIAL, &h, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "not prepared"));
    assert_int_equal(pli_world_map(world, &h, &error), PLI_E_ARGUMENT);
    ASSERT_OK(pli_world_prepare(world, &error));
    assert_int_equal(pli_world_hessian(world, PLI_OF_STEP, &h, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no last step"));
    assert_int_equal(pli_world_step_rule(world, &rule, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_hessian(world, PLI_DERIVATIVE_COUNT, &h, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_hessian(world, PLI_OF_POTENTIAL, NULL, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_world_hessian(NULL, PLI_OF_POTENTIAL, &h, &error), PLI_E_ARGUMENT);
    advance(world);
    assert_int_equal(from_inside, PLI_E_BUSY);
    ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error));
    pli_sparse_free(&h);
    ASSERT_OK(pli_world_set_state(world, &(pli_world_state){.time = 1}, &error));
    refuse_step(world);
    advance(world);
    bytes saved = {0};
    ASSERT_OK(pli_world_save(world, keep_bytes, &saved, &error));
    ASSERT_OK(pli_world_hessian(world, PLI_OF_STEP, &h, &error)); // saving leaves it
    pli_sparse_free(&h);
    ASSERT_OK(pli_world_restore(world, saved.at, saved.size, &error));
    refuse_step(world);
    free(saved.at);
    pli_world_destroy(world);
    pli_sparse_free(&h); // still zeros
    pli_sparse_free(NULL);
}

// Memory that fails at each call in turn: nothing is lost, the world goes on with the same bits,
// and a matrix may outlive its world.
static void test_memory(void** state) {
    (void)state;
    pli_test_allocator count = {0};
    pli_allocator hook = pli_test_hook(&count);
    pli_world_def def = def_of(2);
    def.allocator = &hook;
    pli_world* world = make_world(&def);
    add_square(world, &(square){.segments = 2, .stiffness = 1e4});
    ASSERT_OK(pli_world_prepare(world, &error));
    advance(world);
    size_t before = count.bytes;
    pli_sparse h = {0};
    pli_status status = PLI_E_MEMORY;
    for (int i = 1; status != PLI_OK; ++i) {
        count.requests = 0;
        count.fail_at = i;
        status = pli_world_hessian(world, PLI_OF_STEP, &h, &error);
        assert_true(status == PLI_OK || (status == PLI_E_MEMORY && count.bytes == before));
        assert_true(i < 1000);
    }
    count.fail_at = 0;
    assert_int_equal(pli_world_memory(world), before); // the matrix has its own
    pli_world_destroy(world);
    assert_true(h.count > 0 && isfinite(h.value[h.count - 1]));
    pli_sparse_free(&h);
    assert_true(count.bytes == 0 && !count.wrong_size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energies),      cmocka_unit_test(test_state),
        cmocka_unit_test(test_setups),        cmocka_unit_test(test_reduced),
        cmocka_unit_test(test_schemes),       cmocka_unit_test(test_last_step),
        cmocka_unit_test(test_adjoint),       cmocka_unit_test(test_nothing_changes),
        cmocka_unit_test(test_solvers_agree), cmocka_unit_test(test_mass),
        cmocka_unit_test(test_refusals),      cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
