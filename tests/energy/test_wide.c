// Wide stencils in the assembly: gradient and matrix against differences, expanded and as products,
// with vertices that are free, fixed, guided and driven by others; the same bits on any threads.
#include "energy/assembly.h"
#include "energy/element_term.h"
#include "energy/stencils.h"
#include "math/vec.h"
#include "oracle/density.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <stdlib.h>

enum { SIDE = 5, POINTS = SIDE * SIDE, N = 2 * POINTS };

static pli_error error;

typedef struct cloud {
    pli_memory memory;
    pli_pool* pool;
    pli_kinematics k;
    pli_term term;
    pli_assembly a;
    double rest[3 * POINTS], mass[POINTS], q[N];
} cloud;

// A grid of points: 0 is fixed, 6 slides along a slope, 12 is the middle of 11 and 13, 24 hangs on
// one scalar; the others are free.
static void move_points(cloud* c) {
    static const double slope[3] = {0.8, 0.6, 0};
    static const double half[4] = {0.5, 0, 0, 0.5}, column[2] = {0.3, 0.7};
    for (int v = 0; v < POINTS; ++v)
        if (v != 0 && v != 6 && v != 12 && v != 24)
            ASSERT_OK(pli_kinematics_set_free(&c->k, v, &error));
    ASSERT_OK(pli_kinematics_set_directions(&c->k, 6, 1, slope, &error));
    pli_blend blends[2] = {{.group = c->k.vertices[11].identity_group, .weights = half},
                           {.group = c->k.vertices[13].identity_group, .weights = half}};
    const double origin[3] = {0};
    ASSERT_OK(pli_kinematics_set_blend(&c->k, 12, origin, 2, blends, &error));
    int32_t group;
    ASSERT_OK(pli_kinematics_add_group(&c->k, 1, &group, &error));
    ASSERT_OK(pli_kinematics_set_blend(&c->k, 24, c->rest + 72, 1,
                                       &(pli_blend){.group = group, .weights = column}, &error));
    for (int v = 0; v < POINTS; ++v)
        ASSERT_OK(pli_kinematics_add_mass(&c->k, v, v, c->mass[v], &error));
    ASSERT_OK(pli_kinematics_finish(&c->k, &error));
}

static void start(cloud* c, const pli_energy_type* type, bool multiplies, int threads) {
    *c = (cloud){0};
    pli_memory_init(&c->memory, NULL);
    ASSERT_OK(pli_pool_create(&c->memory, threads, &c->pool, &error));
    for (int v = 0; v < POINTS; ++v) {
        c->rest[3 * v] = 0.1 * (v % SIDE);
        c->rest[3 * v + 1] = 0.1 * (double)(v / SIDE);
        c->mass[v] = 0.5;
    }
    const double params[3] = {1e4, 0.27, 1000};
    pli_body_view view = {.dim = 2, .vertex_count = POINTS, .rest = c->rest, .params = params};
    pli_stencil_sink sink;
    ASSERT_OK(pli_find_stencils(&c->memory, type, &view, NULL, &sink, &error));
    pli_domain domain = {.dim = 2,
                         .kind = PLI_STENCIL,
                         .element_count = sink.count,
                         .vertices = sink.vertices,
                         .start = sink.start,
                         .rest = c->rest,
                         .mass = c->mass,
                         .thickness = 1};
    ASSERT_OK(pli_element_term_create(&c->memory, type, params, &domain, &c->term, &error));
    pli_sink_free(&sink);
    pli_kinematics_init(&c->k, &c->memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(&c->k, POINTS, c->rest, &error));
    move_points(c);
    ASSERT_OK(pli_kinematics_fit(&c->k, c->rest, true, c->q, &error));
    ASSERT_OK(pli_assembly_init(&c->a, &c->memory, c->pool, &c->k, &c->term, 1, &error));
    c->a.multiplies = multiplies;
    ASSERT_OK(pli_assembly_update(&c->a, &error));
}

static void end(cloud* c) {
    pli_assembly_free(&c->a);
    c->term.ops->destroy(c->term.self);
    pli_kinematics_free(&c->k);
    pli_pool_destroy(c->pool);
    assert_int_equal(c->memory.bytes, 0);
}

static double value(cloud* c, const double* q) {
    double e, x[3 * POINTS];
    pli_kinematics_positions(&c->k, NULL, q, x);
    pli_assembly_values(&c->a, x, &e);
    return e;
}

static void derivatives(cloud* c, const double* q, const uint8_t* frozen, double* g) {
    double x[3 * POINTS], gx[3 * POINTS];
    pli_kinematics_positions(&c->k, NULL, q, x);
    pli_assembly_evaluate(&c->a, x, &(pli_hessian_wish){0});
    pli_assembly_gradient(&c->a, gx, NULL);
    pli_kinematics_pull(&c->k, NULL, gx, g);
    pli_assembly_matrix(&c->a, 0.3, frozen);
}

// y = H x, by the values and the factors beside them
static void multiply(const cloud* c, const double* x, double* y) {
    pli_pattern_multiply(&c->a.pattern, c->a.values, x, y);
    pli_low_rank_multiply(&c->a.low_rank, x, y);
}

static void disturb(double* q, int n, double size, uint64_t seed) {
    pli_random r = {seed};
    for (int i = 0; i < n; ++i) q[i] += pli_random_in(&r, -size, size);
}

static void test_gradient(void** state) {
    (void)state;
    cloud c;
    start(&c, &density_type, false, 1);
    double g[N], q[N], h = 1e-6;
    disturb(c.q, c.k.unknown_count, 0.02, 5);
    derivatives(&c, c.q, NULL, g);
    double size = pli_norm(g, c.k.unknown_count);
    assert_true(size > 1);
    for (int i = 0; i < c.k.unknown_count; ++i) {
        memcpy(q, c.q, sizeof q);
        q[i] += h;
        double up = value(&c, q);
        q[i] -= 2 * h;
        // rounding of values of about 10 J over the step; the third derivative is 1e3 of the first
        ASSERT_NEAR((up - value(&c, q)) / (2 * h), g[i], 1e-7 * size);
    }
    end(&c);
}

// At rest the factors are the whole Hessian: columns of it by differences of the gradient.
static void test_hessian(void** state) {
    (void)state;
    for (int multiplies = 0; multiplies < 2; ++multiplies) {
        cloud c;
        start(&c, &density_type, multiplies, 1);
        int n = c.k.unknown_count;
        double q[N], e[N], Me[N], column[N], low[N], high[N], g[N], h = 1e-6, largest = 0;
        for (int i = 0; i < n; ++i) {
            memcpy(q, c.q, sizeof q);
            q[i] += h;
            derivatives(&c, q, NULL, high);
            q[i] -= 2 * h;
            derivatives(&c, q, NULL, low);
            derivatives(&c, c.q, NULL, g);
            memset(e, 0, sizeof e);
            e[i] = 1;
            multiply(&c, e, column);
            pli_mass_multiply(&c.k, e, Me);
            for (int j = 0; j < n; ++j) {
                double d = (high[j] - low[j]) / (2 * h) + 0.3 * Me[j];
                largest = fmax(largest, fabs(d));
                ASSERT_NEAR(column[j], d, 1e-4); // of about 1e3, h^2 times fourth derivatives
            }
        }
        assert_true(largest > 100);
        end(&c);
    }
}

// The same matrix whether the factors are expanded, beside it, or global, also with frozen groups;
// and as many numbers in the pattern as each needs.
static void test_forms(void** state) {
    (void)state;
    const pli_energy_type* types[3] = {&density_type, &density_type, &global_density_type};
    const bool multiplies[3] = {false, true, false};
    double y[3][N], x[N] = {0};
    int values[3], n = 0;
    disturb(x, N, 1, 9);
    for (int form = 0; form < 3; ++form) {
        cloud c;
        start(&c, types[form], multiplies[form], 1);
        n = c.k.unknown_count;
        uint8_t frozen[POINTS + 1] = {0};
        frozen[3] = frozen[7] = 1;
        double g[N];
        disturb(c.q, n, 0.02, 5);
        derivatives(&c, c.q, NULL, g);
        derivatives(&c, c.q, frozen, g);
        multiply(&c, x, y[form]);
        values[form] = c.a.pattern.value_count;
        assert_int_equal(c.a.low_rank.expanded, form == 0 ? POINTS : 0);
        assert_int_equal(c.a.low_rank.diagonal != NULL, form == 1);
        for (int i = 0; i < 2; ++i) { // an identity row
            int at = c.k.group_offset[i ? 7 : 3];
            assert_true(y[form][at] == x[at]);
        }
        end(&c);
    }
    for (int i = 0; i < n; ++i) {
        ASSERT_NEAR(y[1][i], y[0][i], 1e-9); // rounding of sums of about 1e4
        ASSERT_NEAR(y[2][i], y[0][i], 1e-9);
    }
    assert_true(values[1] < values[0] / 4);
    assert_int_equal(values[1], values[2]);
}

// A spring of stiffness 1 between two far points that comes and goes: a dynamic term.
typedef struct bond {
    pli_term_ops ops;
    int count;
    uint64_t epoch;
    int32_t vertices[2];
} bond;

static int bond_count(const void* self) { return ((const bond*)self)->count; }
static const int32_t* bond_vertices(const void* self) { return ((const bond*)self)->vertices; }
static uint64_t bond_epoch(const void* self) { return ((const bond*)self)->epoch; }

static void bond_eval(const void* self, int first, const pli_batch* in, pli_local* out) {
    (void)self, (void)first;
    for (int i = 0; i < 4 && in->want & PLI_HESSIAN; ++i) {
        out->H[5 * i] += 1;
        out->H[4 * i + (i + 2) % 4] -= 1;
    }
}

// Blocks of wide stencils stay in a pattern that contacts change.
static void test_changes(void** state) {
    (void)state;
    for (int multiplies = 0; multiplies < 2; ++multiplies) {
        cloud c;
        bond b = {.vertices = {1, 23}};
        b.ops = (pli_term_ops){.name = "bond",
                               .width = 2,
                               .dynamic = true,
                               .count = bond_count,
                               .vertices = bond_vertices,
                               .epoch = bond_epoch,
                               .eval = bond_eval};
        start(&c, &density_type, multiplies, 1);
        pli_term terms[2] = {c.term, {.ops = &b.ops, .self = &b}};
        pli_assembly_free(&c.a);
        ASSERT_OK(pli_assembly_init(&c.a, &c.memory, c.pool, &c.k, terms, 2, &error));
        c.a.multiplies = multiplies;
        double x[N] = {0}, g[N], y[4][N];
        int n = c.k.unknown_count, one = c.k.group_offset[c.k.vertices[1].identity_group],
            two = c.k.group_offset[c.k.vertices[23].identity_group];
        disturb(x, N, 1, 3);
        disturb(c.q, n, 0.02, 4);
        for (int round = 0; round < 4; ++round) {
            b.count = round % 2;
            b.vertices[1] = round == 3 ? 21 : 23; // what was at 23 goes
            b.epoch++;
            ASSERT_OK(pli_assembly_update(&c.a, &error));
            derivatives(&c, c.q, NULL, g);
            multiply(&c, x, y[round]);
        }
        assert_memory_equal(y[0], y[2], sizeof(double) * (size_t)n);
        for (int i = 0; i < 2; ++i) {
            ASSERT_NEAR(y[1][one + i] - y[0][one + i], x[one + i] - x[two + i], 1e-10);
            ASSERT_NEAR(y[1][two + i] - y[0][two + i], x[two + i] - x[one + i], 1e-10);
            ASSERT_NEAR(y[3][two + i], y[0][two + i], 0.0);
        }
        end(&c);
    }
}

// What stands still is not evaluated again, and its factors stay.
static void test_hold(void** state) {
    (void)state;
    for (int multiplies = 0; multiplies < 2; ++multiplies) {
        cloud c;
        start(&c, &density_type, multiplies, 1);
        int n = c.k.unknown_count;
        int32_t part[POINTS] = {0};
        uint8_t still[1] = {1};
        double x[3 * POINTS], gx[3 * POINTS], before[N], after[N], p[N] = {0};
        disturb(p, N, 1, 8);
        disturb(c.q, n, 0.02, 8);
        derivatives(&c, c.q, NULL, before);
        multiply(&c, p, before);
        pli_assembly_hold(&c.a, part, still);
        for (int v = 0; v < 3 * POINTS; ++v) x[v] = c.rest[v]; // elsewhere: nobody looks
        pli_assembly_evaluate(&c.a, x, &(pli_hessian_wish){.keep = 1});
        pli_assembly_gradient(&c.a, gx, NULL);
        pli_assembly_matrix(&c.a, 0.3, NULL);
        multiply(&c, p, after);
        assert_memory_equal(before, after, sizeof(double) * (size_t)n);
        pli_assembly_hold(&c.a, NULL, NULL);
        pli_assembly_evaluate(&c.a, x, &(pli_hessian_wish){.keep = 1});
        pli_assembly_matrix(&c.a, 0.3, NULL);
        multiply(&c, p, after);
        assert_true(memcmp(before, after, sizeof(double) * (size_t)n) != 0);
        end(&c);
    }
}

static void test_threads(void** state) {
    (void)state;
    for (int multiplies = 0; multiplies < 2; ++multiplies) {
        double g[2][N], y[2][N], e[2];
        int n = 0;
        for (int i = 0; i < 2; ++i) {
            cloud c;
            start(&c, &density_type, multiplies, i ? 4 : 1);
            n = c.k.unknown_count;
            disturb(c.q, n, 0.02, 6);
            e[i] = value(&c, c.q);
            derivatives(&c, c.q, NULL, g[i]);
            multiply(&c, g[i], y[i]);
            end(&c);
        }
        assert_true(e[0] == e[1]);
        assert_memory_equal(g[0], g[1], sizeof(double) * (size_t)n);
        assert_memory_equal(y[0], y[1], sizeof(double) * (size_t)n);
    }
}

// What walks over stencils: sizes and largest of forces, work, parts.
static void test_walks(void** state) {
    (void)state;
    cloud c;
    start(&c, &density_type, false, 2);
    double g[N], x[3 * POINTS], gx[3 * POINTS], load[POINTS], largest[POINTS], dx[3 * POINTS];
    double work, values[2] = {0}, sizes[2] = {0}, sum = 0;
    int32_t part[POINTS];
    disturb(c.q, c.k.unknown_count, 0.02, 7);
    derivatives(&c, c.q, NULL, g);
    pli_assembly_gradient(&c.a, gx, load);
    pli_assembly_largest(&c.a, largest);
    for (int v = 0; v < POINTS; ++v) {
        assert_true(largest[v] > 0 && largest[v] <= load[v]);
        assert_true(pli_norm(gx + 3 * v, 2) <= load[v] * (1 + 1e-14));
        part[v] = v % 2;
        for (int i = 0; i < 3; ++i) dx[3 * v + i] = i < 2 ? 0.1 * v - i : 0;
        sum += pli_dot(gx + 3 * v, dx + 3 * v, 2);
    }
    pli_assembly_work(&c.a, dx, &work);
    ASSERT_NEAR(work, sum, 1e-12 * (1 + fabs(sum)));
    pli_kinematics_positions(&c.k, NULL, c.q, x);
    ASSERT_OK(pli_assembly_part_values(&c.a, x, part, values, sizes, &error));
    double all = value(&c, c.q);
    assert_true(values[0] > 0 && values[1] > 0);
    ASSERT_NEAR(values[0] + values[1], all, 1e-14 * all); // a stencil belongs to its first vertex
    end(&c);
}

static void test_refusals(void** state) {
    (void)state;
    pli_energy_type type = density_type;
    const pli_energy_type* types[1] = {&type};
    ASSERT_OK(pli_energy_types_check(types, 1, &error));
    type.rank = 0;
    assert_int_equal(pli_energy_types_check(types, 1, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "rank = 0"));
    type = density_type;
    type.dissipation = true;
    assert_int_equal(pli_energy_types_check(types, 1, &error), PLI_E_ARGUMENT);
    type = density_type;
    type.width = -2;
    assert_int_equal(pli_energy_types_check(types, 1, &error), PLI_E_ARGUMENT);
    type = density_type;
    type.data_size[PLI_TRIANGLE] = 8;
    assert_int_equal(pli_energy_types_check(types, 1, &error), PLI_E_ARGUMENT);
    type = density_type;
    type.width = 2;
    assert_int_equal(pli_energy_types_check(types, 1, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "curvature"));
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_stencil_sink sink = {.memory = &memory, .width = PLI_WIDE, .end_vertex = 4};
    static const int32_t list[5] = {0, 3, 3, 1, 4};
    assert_int_equal(pli_sink_stencil(&sink, list, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_sink_wide(&sink, 0, list, &error), PLI_E_ARGUMENT);
    assert_int_equal(pli_sink_wide(&sink, 5, list, &error), PLI_E_ARGUMENT);
    ASSERT_OK(pli_sink_wide(&sink, 4, list, &error));
    ASSERT_OK(pli_sink_wide(&sink, 1, list + 1, &error));
    assert_int_equal(sink.count, 2);
    assert_int_equal(sink.start[1], 4);
    assert_int_equal(sink.start[2], 5);
    pli_sink_free(&sink);
    sink = (pli_stencil_sink){.memory = &memory, .width = 3, .end_vertex = 4};
    assert_int_equal(pli_sink_wide(&sink, 3, list, &error), PLI_E_ARGUMENT);
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gradient), cmocka_unit_test(test_hessian),
        cmocka_unit_test(test_forms),    cmocka_unit_test(test_threads),
        cmocka_unit_test(test_walks),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_changes),  cmocka_unit_test(test_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
