// The assembled gradient and matrix against differences of the value, for every kind of unknowns:
// free vertices, supports, a surface embedded in a cage, an affine body, dense modes.
#include "energy/assembly.h"
#include "energy/element_term.h"
#include "math/vec.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <stdlib.h>

enum { MAX_VERTICES = 400, MAX_UNKNOWNS = 60, MAX_ELEMENTS = 800 };

static pli_error error;

// A strip of triangles: two rows of n + 1 vertices.
typedef struct strip {
    int vertex_count, triangle_count;
    double rest[3 * MAX_VERTICES], mass[MAX_VERTICES];
    int32_t triangles[3 * MAX_ELEMENTS];
} strip;

static void make_strip(strip* s, int n) {
    *s = (strip){0};
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j < 2; ++j) {
            double* x = s->rest + 3 * s->vertex_count;
            x[0] = 0.5 * i;
            x[1] = 0.5 * j;
            s->mass[s->vertex_count++] = 1 + 0.1 * i;
        }
    for (int i = 0; i < n; ++i) {
        int32_t a = 2 * i, *t = s->triangles + 3 * s->triangle_count;
        const int32_t both[6] = {a, a + 2, a + 3, a, a + 3, a + 1};
        memcpy(t, both, sizeof both);
        s->triangle_count += 2;
    }
}

static pli_term neo_hookean(pli_memory* memory, const strip* s) {
    const pli_energy_type* type = NULL;
    for (int i = 0; pli_energy_type_at(i); ++i)
        if (strcmp(pli_energy_type_at(i)->name, "neo-hookean") == 0) type = pli_energy_type_at(i);
    const pli_setting settings[2] = {{"young", 100}, {"poisson", 0.3}};
    double params[8];
    ASSERT_OK(pli_energy_params(type, settings, 2, params, &error));
    pli_domain domain = {.dim = 2,
                         .kind = PLI_TRIANGLE,
                         .element_count = s->triangle_count,
                         .vertices = s->triangles,
                         .rest = s->rest,
                         .mass = s->mass,
                         .thickness = 1};
    pli_term term;
    ASSERT_OK(pli_element_term_create(memory, type, params, &domain, &term, &error));
    return term;
}

static double value(pli_assembly* a, const double* q, double* x) {
    double e;
    pli_kinematics_positions(a->kinematics, NULL, q, x);
    pli_assembly_values(a, x, &e);
    return e;
}

static void gradient(pli_assembly* a, const double* q, double* x, double* gx, double* g) {
    pli_kinematics_positions(a->kinematics, NULL, q, x);
    pli_assembly_evaluate(a, x, &(pli_hessian_wish){0});
    pli_assembly_gradient(a, gx, NULL);
    pli_kinematics_pull(a->kinematics, NULL, gx, g);
}

// Entry (i, j) of the assembled symmetric matrix.
static double entry(const pli_assembly* a, int i, int j) {
    const pli_pattern* p = &a->pattern;
    int row = i > j ? i : j, column = i > j ? j : i;
    for (int at = p->start[column]; at < p->start[column + 1]; ++at)
        if (p->row[at] == row) return a->values[at];
    return 0;
}

// E -> g and g -> H on unknowns by central differences around q.
static void check_derivatives(const pli_kinematics* k, const strip* s, const double* q0) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = neo_hookean(&memory, s);
    pli_assembly a;
    ASSERT_OK(pli_assembly_init(&a, &memory, NULL, k, &term, 1, &error));
    ASSERT_OK(pli_assembly_update(&a, &error));
    static double x[3 * MAX_VERTICES], gx[3 * MAX_VERTICES];
    double q[MAX_UNKNOWNS], g[MAX_UNKNOWNS], low[MAX_UNKNOWNS], high[MAX_UNKNOWNS];
    int n = k->unknown_count;
    memcpy(q, q0, sizeof(double) * (size_t)n);
    gradient(&a, q, x, gx, g);
    pli_assembly_matrix(&a, 0, NULL);
    double size = pli_norm(g, n), h = 1e-5;
    for (int i = 0; i < n; ++i) {
        q[i] = q0[i] + h;
        double up = value(&a, q, x);
        gradient(&a, q, x, gx, high);
        q[i] = q0[i] - h;
        double down = value(&a, q, x);
        gradient(&a, q, x, gx, low);
        q[i] = q0[i];
        // central differences of size 1e-5 on an energy of stiffness 1e2..1e4
        ASSERT_NEAR((up - down) / (2 * h), g[i], 1e-6 * (1 + size));
        for (int j = 0; j < n; ++j)
            ASSERT_NEAR((high[j] - low[j]) / (2 * h), entry(&a, i, j), 1e-5 * (100 + size));
    }
    pli_assembly_free(&a);
    term.ops->destroy(term.self);
    assert_int_equal(memory.bytes, 0);
}

static void begin(pli_kinematics* k, pli_memory* memory, const strip* s) {
    pli_memory_init(memory, NULL);
    pli_kinematics_init(k, memory, 2);
    ASSERT_OK(pli_kinematics_add_vertices(k, s->vertex_count, s->rest, &error));
}

static void end(pli_kinematics* k, pli_memory* memory) {
    pli_kinematics_free(k);
    assert_int_equal(memory->bytes, 0);
}

static void add_masses(pli_kinematics* k, const strip* s) {
    for (int v = 0; v < s->vertex_count; ++v)
        ASSERT_OK(pli_kinematics_add_mass(k, v, v, s->mass[v], &error));
    ASSERT_OK(pli_kinematics_finish(k, &error));
}

static void test_supports(void** state) {
    (void)state;
    strip s;
    pli_memory memory;
    pli_kinematics k;
    make_strip(&s, 4);
    begin(&k, &memory, &s);
    const double axis[3] = {1, 0, 0}, slope[3] = {0.8, -0.6, 0};
    ASSERT_OK(pli_kinematics_set_directions(&k, 1, 1, axis, &error));
    ASSERT_OK(pli_kinematics_set_directions(&k, 2, 1, slope, &error));
    for (int v = 3; v < s.vertex_count; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
    add_masses(&k, &s);
    double q[MAX_UNKNOWNS];
    ASSERT_OK(pli_kinematics_fit(&k, s.rest, true, q, &error));
    pli_random random = {1};
    for (int i = 0; i < k.unknown_count; ++i) q[i] += pli_random_in(&random, -0.05, 0.05);
    check_derivatives(&k, &s, q);
    end(&k, &memory);
}

// The strip hangs in a cage of two triangles: 4 control points of width 2, barycentric weights.
static void test_cage(void** state) {
    (void)state;
    strip s;
    pli_memory memory;
    pli_kinematics k;
    make_strip(&s, 6);
    begin(&k, &memory, &s);
    const double cage[4][2] = {{-0.1, -0.1}, {3.2, -0.1}, {3.2, 0.7}, {-0.1, 0.7}};
    const int cells[2][3] = {{0, 1, 2}, {0, 2, 3}};
    int32_t groups[4];
    for (int i = 0; i < 4; ++i) ASSERT_OK(pli_kinematics_add_group(&k, 2, &groups[i], &error));
    const double zero[3] = {0};
    for (int v = 0; v < s.vertex_count; ++v) {
        const double* x = s.rest + 3 * v;
        for (int cell = 0; cell < 2; ++cell) {
            const double *a = cage[cells[cell][0]], *b = cage[cells[cell][1]],
                         *c = cage[cells[cell][2]];
            double ab[2], ac[2], ax[2], w[3], blocks[3][4] = {{0}};
            pli_sub(b, a, ab, 2);
            pli_sub(c, a, ac, 2);
            pli_sub(x, a, ax, 2);
            w[1] = pli_cross2(ax, ac) / pli_cross2(ab, ac);
            w[2] = pli_cross2(ab, ax) / pli_cross2(ab, ac);
            w[0] = 1 - w[1] - w[2];
            if (w[0] < 0 || w[1] < 0 || w[2] < 0) continue;
            pli_blend blends[3];
            for (int i = 0; i < 3; ++i) {
                blocks[i][0] = blocks[i][3] = w[i];
                blends[i] = (pli_blend){.group = groups[cells[cell][i]], .weights = blocks[i]};
            }
            ASSERT_OK(pli_kinematics_set_blend(&k, v, zero, 3, blends, &error));
            break;
        }
    }
    add_masses(&k, &s);
    double q[8];
    pli_random random = {2};
    for (int i = 0; i < 8; ++i) q[i] = cage[i / 2][i % 2] + pli_random_in(&random, -0.1, 0.1);
    check_derivatives(&k, &s, q);
    end(&k, &memory);
}

// One group of width 6 (an affine body in the plane) next to free vertices, and dense modes of
// width 10 over the same strip.
static void test_wide_groups(void** state) {
    (void)state;
    for (int width = 6; width <= 10; width += 4) {
        strip s;
        pli_memory memory;
        pli_kinematics k;
        make_strip(&s, 6);
        begin(&k, &memory, &s);
        int32_t group;
        ASSERT_OK(pli_kinematics_add_group(&k, width, &group, &error));
        pli_random random = {4};
        for (int v = 0; v < s.vertex_count; ++v) {
            if (v >= 10) {
                ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
                continue;
            }
            const double* x = s.rest + 3 * v;
            double w[20], affine[12] = {1, x[0], x[1], 0, 0, 0, 0, 0, 0, 1, x[0], x[1]};
            for (int i = 0; i < 2 * width; ++i)
                w[i] = width == 6 ? affine[i] : pli_random_in(&random, -0.5, 0.5);
            pli_blend blend = {.group = group, .weights = w};
            ASSERT_OK(pli_kinematics_set_blend(&k, v, x, 1, &blend, &error));
        }
        add_masses(&k, &s);
        double q[MAX_UNKNOWNS];
        ASSERT_OK(pli_kinematics_fit(&k, s.rest, true, q, &error));
        for (int i = 0; i < k.unknown_count; ++i) q[i] += pli_random_in(&random, -0.02, 0.02);
        check_derivatives(&k, &s, q);
        end(&k, &memory);
    }
}

// Mass on the diagonal, identity rows for frozen groups.
static void test_mass_and_frozen(void** state) {
    (void)state;
    strip s;
    pli_memory memory;
    pli_kinematics k;
    make_strip(&s, 3);
    begin(&k, &memory, &s);
    for (int v = 0; v < s.vertex_count; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
    add_masses(&k, &s);
    pli_term term = neo_hookean(&memory, &s);
    pli_assembly a;
    ASSERT_OK(pli_assembly_init(&a, &memory, NULL, &k, &term, 1, &error));
    ASSERT_OK(pli_assembly_update(&a, &error));
    pli_assembly_evaluate(&a, s.rest, &(pli_hessian_wish){0});
    pli_assembly_matrix(&a, 0, NULL);
    double without[2] = {entry(&a, 5, 5), entry(&a, 4, 5)};
    uint8_t frozen[8] = {0, 0, 0, 1};
    pli_assembly_matrix(&a, 100, frozen);
    ASSERT_NEAR(entry(&a, 5, 5), without[0] + 100 * s.mass[2], 1e-9);
    ASSERT_NEAR(entry(&a, 4, 5), without[1], 1e-9);
    for (int i = 0; i < k.unknown_count; ++i)
        for (int c = 6; c < 8; ++c) assert_true(entry(&a, i, c) == (i == c ? 1 : 0));
    pli_assembly_free(&a);
    term.ops->destroy(term.self);
    end(&k, &memory);
}

// Values, gradient and matrix have the same bits for 1, 2, 3 and 8 threads.
static void test_threads(void** state) {
    (void)state;
    static strip s;
    static double x[3 * MAX_VERTICES], gx[2][3 * MAX_VERTICES];
    double values[2], *matrix = NULL;
    make_strip(&s, MAX_VERTICES / 2 - 1);
    pli_random random = {9};
    for (int i = 0; i < 3 * s.vertex_count; ++i)
        x[i] = s.rest[i] + (i % 3 < 2 ? pli_random_in(&random, -0.1, 0.1) : 0);
    static const int threads[] = {1, 2, 3, 8};
    for (int t = 0; t < 4; ++t) {
        pli_memory memory;
        pli_kinematics k;
        begin(&k, &memory, &s);
        for (int v = 0; v < s.vertex_count; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
        add_masses(&k, &s);
        pli_pool* pool;
        ASSERT_OK(pli_pool_create(&memory, threads[t], &pool, &error));
        pli_term term = neo_hookean(&memory, &s);
        pli_assembly a;
        ASSERT_OK(pli_assembly_init(&a, &memory, pool, &k, &term, 1, &error));
        ASSERT_OK(pli_assembly_update(&a, &error));
        pli_assembly_values(&a, x, &values[t > 0]);
        pli_assembly_evaluate(&a, x, &(pli_hessian_wish){.project = true});
        pli_assembly_gradient(&a, gx[t > 0], NULL);
        pli_assembly_matrix(&a, 1, NULL);
        size_t bytes = sizeof(double) * (size_t)a.pattern.value_count;
        if (t == 0) {
            matrix = malloc(bytes);
            memcpy(matrix, a.values, bytes);
        } else {
            assert_memory_equal(&values[1], &values[0], sizeof *values);
            assert_memory_equal(gx[1], gx[0], 3 * sizeof(double) * (size_t)s.vertex_count);
            assert_memory_equal(a.values, matrix, bytes);
        }
        pli_assembly_free(&a);
        term.ops->destroy(term.self);
        pli_pool_destroy(pool);
        end(&k, &memory);
    }
    free(matrix);
}

// The matrix is the sum of the Hessians in the buffer, also where a part stands still beside one
// that moves and the Hessians of both were kept before.
static void test_matrix_of_parts(void** state) {
    (void)state;
    static strip s;
    static double x[3 * MAX_VERTICES], matrix[1 << 14];
    static int32_t part[MAX_VERTICES];
    const uint8_t still[2] = {1, 0};
    const double inertia = 1e9; // so that Hessians are kept
    make_strip(&s, 16);
    pli_memory memory;
    pli_kinematics k;
    begin(&k, &memory, &s);
    for (int v = 0; v < s.vertex_count; ++v) ASSERT_OK(pli_kinematics_set_free(&k, v, &error));
    add_masses(&k, &s);
    pli_term term = neo_hookean(&memory, &s);
    pli_assembly a;
    ASSERT_OK(pli_assembly_init(&a, &memory, NULL, &k, &term, 1, &error));
    ASSERT_OK(pli_assembly_update(&a, &error));
    assert_true(a.pattern.value_count <= 1 << 14);
    pli_random random = {4};
    for (int n = 0; n < 3; ++n) {
        for (int i = 0; i < 3 * s.vertex_count; ++i) {
            if (n == 0) x[i] = s.rest[i];
            part[i / 3] = s.rest[i / 3 * 3] > 4;
            if (i % 3 < 2 && (n < 2 || part[i / 3])) x[i] += pli_random_in(&random, -1e-3, 1e-3);
        }
        if (n == 2) pli_assembly_hold(&a, part, still);
        double keep = n == 0 ? 0 : n == 1 ? 1e6 : 1e-30;
        pli_assembly_evaluate(&a, x, &(pli_hessian_wish){.project = true, .keep = keep});
        pli_assembly_matrix(&a, inertia, NULL);
    }
    size_t bytes = sizeof(double) * (size_t)a.pattern.value_count;
    memcpy(matrix, a.values, bytes);
    pli_assembly_matrix(&a, 2 * inertia, NULL);
    pli_assembly_matrix(&a, inertia, NULL); // all columns
    assert_memory_equal(a.values, matrix, bytes);
    pli_assembly_free(&a);
    term.ops->destroy(term.self);
    end(&k, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_supports),    cmocka_unit_test(test_cage),
        cmocka_unit_test(test_wide_groups), cmocka_unit_test(test_mass_and_frozen),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_matrix_of_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
