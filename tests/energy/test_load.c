// Loads: totals and moments of dead loads, pressure by differences, closed and open surfaces.
#include "energy/fixture.h"

#include "energy/load.h"
#include "math/vec.h"
#include "oracle/allocator.h"
#include "pliant/mesh.h"

enum { MAX_VERTICES = 400 };

typedef struct sample_body {
    pli_memory memory;
    pli_mesh mesh;
    pli_skin skin;
    pli_load_source source;
} sample_body;

// A box or a rectangle with corners at 0 and (2, 1, 0.5); only faces with x > `from` are loaded.
static void make_body(sample_body* b, int dim, bool quadratic, double from) {
    pli_error error = {0};
    pli_memory_init(&b->memory, NULL);
    pli_mesh_init(&b->mesh, NULL);
    const double size[3] = {2, 1, 0.5};
    if (dim == 2)
        assert_int_equal(pli_mesh_add_rectangle(&b->mesh, 2, 1, 2, 2, PLI_TRIANGLES, &error),
                         PLI_OK);
    else
        assert_int_equal(pli_mesh_add_box(&b->mesh, size, (const int[3]){2, 2, 1}, &error), PLI_OK);
    if (quadratic) assert_int_equal(pli_mesh_make_quadratic(&b->mesh, &error), PLI_OK);
    assert_true(b->mesh.vertex_count <= MAX_VERTICES);
    bool keep[MAX_VERTICES];
    for (int v = 0; v < b->mesh.vertex_count; ++v) {
        for (int c = 0; c < dim; ++c) b->mesh.positions[3 * v + c] += 0.5 * size[c];
        keep[v] = b->mesh.positions[3 * v] > from;
    }
    pli_elements all = pli_elements_of(&b->mesh);
    b->skin = (pli_skin){0};
    assert_int_equal(pli_skin_create(&b->memory, &all, dim, false, &b->skin, &error), PLI_OK);
    pli_skin_keep(&b->skin, keep);
    b->source = (pli_load_source){.dim = dim,
                                  .thickness = 0.7,
                                  .rest = b->mesh.positions,
                                  .body = "sample",
                                  .skin = &b->skin};
}

static void free_body(sample_body* b) {
    pli_skin_free(&b->skin);
    assert_int_equal(b->memory.bytes, 0);
    pli_mesh_free(&b->mesh);
}

static pli_term make_load(sample_body* b) {
    pli_term terms[2];
    int count;
    pli_error error = {0};
    assert_int_equal(pli_load_terms(&b->memory, &b->source, terms, &count, &error), PLI_OK);
    assert_int_equal(count, 1);
    assert_int_equal(terms[0].ops->role, PLI_LOAD);
    return terms[0];
}

static void begin(pli_term* term, double time, const double* x) {
    pli_error error = {0};
    pli_step step = {.h = 0.1, .time = 99, .force_time = time, .x_n = x, .x_still = x};
    if (term->ops->begin_step(term->self, &step, &error) != PLI_OK) fail_msg("%s", error.message);
}

// Forces on the vertices of the mesh: minus the gradient.
static void forces_at(const pli_term* term, int dim, const double* x, double* f) {
    int width = term->ops->width;
    memset(f, 0, sizeof *f * 3 * MAX_VERTICES);
    for (int i = 0; i < term->ops->count(term->self); ++i) {
        const int32_t* vertices = term->ops->vertices(term->self) + i * width;
        double g[PLI_LOCAL_MAX] = {0};
        pli_batch in = {.dim = dim,
                        .count = 1,
                        .width = width,
                        .vertices = vertices,
                        .x = x,
                        .want = PLI_GRADIENT};
        term->ops->eval(term->self, i, &in, &(pli_local){.g = g});
        for (int v = 0; v < width; ++v) pli_axpy(-1, g + v * dim, f + 3 * vertices[v], dim);
    }
}

static void resultant(const double* f, const double* x, int count, double force[3],
                      double torque[3]) {
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
    for (int v = 0; v < count; ++v) {
        double moment[3];
        pli_cross3(x + 3 * v, f + 3 * v, moment);
        pli_axpy(1, f + 3 * v, force, 3);
        pli_axpy(1, moment, torque, 3);
    }
}

static void distort(const sample_body* b, int dim, pli_random* r, double by, double* x) {
    for (int i = 0; i < 3 * b->mesh.vertex_count; ++i)
        x[i] = b->mesh.positions[i] + (i % 3 < dim ? by * pli_random_in(r, -1, 1) : 0);
}

// t = (1 + 2 y - z) (3 - time) along y, and along x something that goes with z.
static void linear_field(void* context, double time, const double place[3], double out[3]) {
    assert_null(context);
    out[0] = place[2];
    out[1] = (1 + 2 * place[1] - place[2]) * (3 - time);
    out[2] = place[1];
}

static void test_force(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        sample_body b;
        make_body(&b, dim, false, 1.9);
        const int32_t vertices[4] = {5, 1, 7, 2};
        b.source.vertices = vertices;
        b.source.vertex_count = 4;
        b.source.def = (pli_load_def){.kind = "force", .value = {8, -4, 2}};
        pli_term term = make_load(&b);
        assert_true(term.ops->linear && term.ops->width == 1);
        const double* X = b.mesh.positions;
        double f[3 * MAX_VERTICES];
        forces_at(&term, dim, X, f); // before the first step, too
        for (int i = 0; i < 4; ++i)
            for (int c = 0; c < dim; ++c)
                assert_true(f[3 * vertices[i] + c] == b.source.def.value[c] / 4);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = b.mesh.vertex_count,
                                                  .x = X,
                                                  .step = 1e-3,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-12});
        term.ops->destroy(term.self);
        b.source.def.field = linear_field;
        term = make_load(&b);
        begin(&term, 1, X);
        forces_at(&term, dim, X, f);
        for (int i = 0; i < 4; ++i) {
            const double* x = X + 3 * vertices[i];
            ASSERT_NEAR(f[3 * vertices[i] + 1], 2 * (1 + 2 * x[1] - x[2]) / 4, 1e-15);
        }
        term.ops->destroy(term.self);
        free_body(&b);
    }
}

// On the end x = 2 of the body, y from 0 to 1 and z from 0 to 0.5 (or thickness 0.7): force and
// moment are the integrals of t and x cross t.
static void test_traction(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim)
        for (int quadratic = 0; quadratic < 2; ++quadratic) {
            sample_body b;
            make_body(&b, dim, quadratic, 1.9);
            double area = dim == 2 ? 0.7 : 0.5, f[3 * MAX_VERTICES], force[3], torque[3];
            const double *X = b.mesh.positions, t[3] = {3, -5, dim == 3 ? 7 : 0};
            b.source.def = (pli_load_def){.kind = "traction", .value = {t[0], t[1], t[2]}};
            pli_term term = make_load(&b);
            assert_true(term.ops->linear);
            begin(&term, 1, X);
            forces_at(&term, dim, X, f);
            resultant(f, X, b.mesh.vertex_count, force, torque);
            const double middle[3] = {2, 0.5, dim == 3 ? 0.25 : 0};
            double expected[3];
            pli_cross3(middle, t, expected);
            for (int c = 0; c < 3; ++c) {
                ASSERT_NEAR(force[c], area * t[c], 1e-14 * 10); // rounding
                if (c == 2 || dim == 3) ASSERT_NEAR(torque[c], area * expected[c], 1e-14 * 20);
            }
            term.ops->destroy(term.self);
            b.source.def.field = linear_field;
            term = make_load(&b);
            begin(&term, 1, X);
            forces_at(&term, dim, X, f);
            resultant(f, X, b.mesh.vertex_count, force, torque);
            if (dim == 2) { // t_y = 2 + 4 y
                ASSERT_NEAR(force[1], 0.7 * 4, 1e-13);
                ASSERT_NEAR(torque[2], 0.7 * 2 * 4, 1e-13);
            } else { // t = (z, 2 + 4 y - 2 z, y); mean of y^2 is 1/3, of z^2 1/12, of y z 1/8
                ASSERT_NEAR(force[0], 0.5 * 0.25, 1e-13);
                ASSERT_NEAR(force[1], 0.5 * 3.5, 1e-13);
                ASSERT_NEAR(torque[0], 0.5 * (1. / 3 - (2 * 0.25 + 4. / 8 - 2. / 12)), 1e-13);
                ASSERT_NEAR(torque[1], 0.5 * (1. / 12 - 2 * 0.5), 1e-13);
                ASSERT_NEAR(torque[2], 0.5 * (2 * 3.5 - 1. / 8), 1e-13);
            }
            term.ops->destroy(term.self);
            free_body(&b);
        }
}

// Constant tractions on one quadratic face: nothing at corners and thirds at middles of a triangle,
// sixths and two thirds on an edge.
static void test_consistent_shares(void** state) {
    (void)state;
    for (int dim = 2; dim <= 3; ++dim) {
        sample_body b;
        make_body(&b, dim, true, 1.9);
        b.source.def = (pli_load_def){.kind = "traction", .value = {1, 0, 0}};
        pli_term term = make_load(&b);
        double g[PLI_LOCAL_MAX], whole = dim == 2 ? 0.7 / 2 : 0.5 / 4;
        eval_first(&term, dim, b.mesh.positions, false, g, NULL);
        for (int v = 0; v < term.ops->width; ++v) {
            double share = dim == 2 ? (v < 2 ? 1. / 6 : 4. / 6) : (v < 3 ? 0 : 1. / 3);
            ASSERT_NEAR(-g[v * dim], share * whole, 1e-15);
        }
        term.ops->destroy(term.self);
        free_body(&b);
    }
}

static void pressure_field(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    out[0] = 5 + place[0] - 2 * place[1] + time;
    out[1] = out[2] = 1e9; // a pressure has one number
}

// Open and closed, constant and varying, linear and quadratic, at a state that is not the start.
static void test_pressure_contract(void** state) {
    (void)state;
    pli_random r = {5};
    for (int i = 0; i < 16; ++i) {
        int dim = 2 + i % 2;
        bool quadratic = i / 2 % 2, open = i / 4 % 2, varies = i / 8;
        sample_body b;
        make_body(&b, dim, quadratic, open ? 0.9 : -1);
        b.source.def = (pli_load_def){.kind = "pressure", .value = {i % 3 ? 20 : -20}};
        if (varies) b.source.def.field = pressure_field;
        pli_term term = make_load(&b);
        double start[3 * MAX_VERTICES], x[3 * MAX_VERTICES];
        distort(&b, dim, &r, 0.05, start);
        distort(&b, dim, &r, 0.1, x);
        begin(&term, 0.5, start);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = b.mesh.vertex_count,
                                                  .x = x,
                                                  .step = 1e-2, // E is cubic: differences are exact
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-10});
        term.ops->destroy(term.self);
        free_body(&b);
    }
}

// True nodal forces: - sum p N_v n over a fine rule, face by face.
static void true_forces(const sample_body* b, int dim, bool quadratic, bool varies, double time,
                        const double* x, double* f) {
    const pli_face_rule* rule = pli_face_rule_of(dim, true);
    int width = pli_face_width(dim, quadratic);
    memset(f, 0, sizeof *f * 3 * MAX_VERTICES);
    for (int i = 0; i < b->skin.count[quadratic]; ++i)
        for (int q = 0; q < rule->count; ++q) {
            const int32_t* face = b->skin.faces[quadratic] + i * width;
            double shape[3][PLI_FACE_MAX], u[3][3] = {{0}}, X[3] = {0}, p[3], normal[3];
            pli_face_shape(dim, quadratic, rule->at[q], shape);
            for (int v = 0; v < width; ++v) {
                pli_axpy(shape[0][v], b->mesh.positions + 3 * face[v], X, 3);
                for (int a = 1; a < dim; ++a) pli_axpy(shape[a][v], x + 3 * face[v], u[a], dim);
            }
            pressure_field(NULL, time, X, p);
            if (!varies) p[0] = 20;
            pli_face_normal(dim, u[1], u[2], normal);
            double s = rule->weight[q] * p[0] * (dim == 2 ? 0.7 : 1);
            for (int v = 0; v < width; ++v)
                pli_axpy(-s * shape[0][v], normal, f + 3 * face[v], dim);
        }
}

// A closed surface under constant pressure: the right forces everywhere, not only where the step
// began; no net force and torque. Otherwise the right forces where the step began or was
// lagged, and a net force that is right.
static void test_pressure_forces(void** state) {
    (void)state;
    pli_random r = {6};
    for (int i = 0; i < 16; ++i) {
        int dim = 2 + i % 2;
        bool quadratic = i / 2 % 2, open = i / 4 % 2, varies = i / 8;
        sample_body b;
        make_body(&b, dim, quadratic, open ? 0.9 : -1);
        b.source.def = (pli_load_def){.kind = "pressure", .value = {20}};
        if (varies) b.source.def.field = pressure_field;
        pli_term term = make_load(&b);
        double start[3 * MAX_VERTICES], x[3 * MAX_VERTICES], f[3 * MAX_VERTICES];
        double expected[3 * MAX_VERTICES], force[3], torque[3];
        distort(&b, dim, &r, 0.05, start);
        distort(&b, dim, &r, 0.1, x);
        begin(&term, 0.5, start);
        if (open || varies) {
            forces_at(&term, dim, start, f);
            true_forces(&b, dim, quadratic, varies, 0.5, start, expected);
            for (int k = 0; k < 3 * b.mesh.vertex_count; ++k) ASSERT_NEAR(f[k], expected[k], 1e-12);
            pli_error error = {0};
            pli_view view = {.dim = dim, .vertex_count = b.mesh.vertex_count, .x = x};
            assert_int_equal(term.ops->lag(term.self, &view, &error), PLI_OK);
        }
        forces_at(&term, dim, x, f);
        true_forces(&b, dim, quadratic, varies, 0.5, x, expected);
        for (int k = 0; k < 3 * b.mesh.vertex_count; ++k) ASSERT_NEAR(f[k], expected[k], 1e-12);
        resultant(f, x, b.mesh.vertex_count, force, torque);
        for (int c = 0; c < 3 && !open && !varies; ++c) {
            ASSERT_NEAR(force[c], 0, 1e-12); // rounding of forces of 20 N
            if (c == 2 || dim == 3) ASSERT_NEAR(torque[c], 0, 1e-12);
        }
        term.ops->destroy(term.self);
        free_body(&b);
    }
}

static void not_a_number(void* context, double time, const double place[3], double out[3]) {
    (void)context;
    out[0] = time > 1 && place[0] > 1.5 ? NAN : 1;
}

static void test_fields_that_fail(void** state) {
    (void)state;
    sample_body b;
    make_body(&b, 2, false, -1);
    b.source.def = (pli_load_def){.kind = "traction", .field = not_a_number};
    pli_term term = make_load(&b);
    begin(&term, 1, b.mesh.positions);
    pli_error error = {0};
    pli_step step = {.h = 0.1, .force_time = 2.5, .x_n = b.mesh.positions};
    assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "body \"sample\": traction at t = 2.5 s and ("));
    term.ops->destroy(term.self);
    free_body(&b);
}

static void test_memory_may_run_out(void** state) {
    (void)state;
    sample_body b;
    make_body(&b, 3, false, -1);
    b.source.def = (pli_load_def){.kind = "pressure", .value = {20}};
    pli_status status = PLI_E_MEMORY;
    for (int n = 1; status != PLI_OK; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory memory;
        pli_memory_init(&memory, &hook);
        pli_term terms[2];
        int count = 0;
        pli_error error = {0};
        status = pli_load_terms(&memory, &b.source, terms, &count, &error);
        assert_int_equal(count, status == PLI_OK);
        if (count > 0) terms[0].ops->destroy(terms[0].self);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
    free_body(&b);
}

// One edge of a triangle with its node: value, forces and Hessian from a start that is disturbed,
// in both directions of the edge.
static void test_moment_contract(void** state) {
    (void)state;
    pli_random r = {17};
    static const int32_t edges[2][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}};
    static const double rest[9] = {0, 0, 0, 1, 0, 0, 0, 2, 0};
    for (int i = 0; i < 40; ++i) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_load_source source = {.dim = 3,
                                  .rest = rest,
                                  .body = "b",
                                  .def = {.kind = "moment", .value = {i % 3 ? 3 : -3}},
                                  .edge_count = 1,
                                  .edges = edges[i % 2]};
        pli_term terms[2];
        int count;
        assert_int_equal(pli_load_terms(&memory, &source, terms, &count, NULL), PLI_OK);
        assert_int_equal(count, 1);
        double start[12] = {0}, x[12] = {0};
        for (int k = 0; k < 9; ++k) {
            start[k] = rest[k] + pli_random_in(&r, -0.2, 0.2);
            x[k] = start[k] + pli_random_in(&r, -0.3, 0.3);
        }
        x[9] = pli_random_in(&r, -1, 1);
        begin(&terms[0], 0, start);
        pli_check_contract(&terms[0], &(pli_contract){.dim = 3,
                                                      .vertex_count = 4,
                                                      .x = x,
                                                      .step = 1e-5,
                                                      .gradient_tolerance = 1e-7,
                                                      .hessian_tolerance = 1e-6,
                                                      .clamp_tolerance = 1e-10});
        terms[0].ops->destroy(terms[0].self);
        assert_int_equal(memory.bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_traction),
        cmocka_unit_test(test_consistent_shares),
        cmocka_unit_test(test_pressure_contract),
        cmocka_unit_test(test_pressure_forces),
        cmocka_unit_test(test_moment_contract),
        cmocka_unit_test(test_fields_that_fail),
        cmocka_unit_test(test_memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
