// What holds for all solids, whatever the material: the patch test, the same answers on linear and
// quadratic elements, curved elements at rest, no strength lost by the rules, mirror symmetry.
#include "energy/solid_fixture.h"

#include "mesh/measure.h"

enum { MOST = 400 };

// A cube (square) with corners and centre, cut into 12 tetrahedra (4 triangles), with middle nodes
// if asked for.
typedef struct block {
    int dim, vertex_count, element_count;
    pli_element_kind kind;
    double rest[3 * MOST];
    int32_t vertices[10 * 12];
} block;

static int middle_of(block* b, int i, int j) {
    double m[3];
    for (int c = 0; c < 3; ++c) m[c] = 0.5 * (b->rest[3 * i + c] + b->rest[3 * j + c]);
    for (int v = 0; v < b->vertex_count; ++v)
        if (memcmp(b->rest + 3 * v, m, sizeof m) == 0) return v;
    memcpy(b->rest + 3 * b->vertex_count, m, sizeof m);
    return b->vertex_count++;
}

static block make_block(pli_element_kind kind) {
    static const int32_t square[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    static const int32_t faces[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                    1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    static const double ring[] = {0, 0, 1, 0, 1, 1, 0, 1};
    block b = {.kind = kind, .dim = kind == PLI_TRIANGLE || kind == PLI_TRIANGLE6 ? 2 : 3};
    int corners = b.dim + 1, size = pli_element_size(kind), layers = b.dim - 1;
    for (int i = 0; i < 4 * layers; ++i) {
        memcpy(b.rest + 3 * i, ring + i % 4 * 2, 2 * sizeof(double));
        b.rest[3 * i + 2] = i / 4;
    }
    b.vertex_count = 4 * layers + 1;
    double centre[3] = {0.53, 0.46, b.dim == 3 ? 0.57 : 0}; // not quite in the middle
    memcpy(b.rest + 12 * layers, centre, sizeof centre);
    b.element_count = b.dim == 2 ? 4 : 12;
    for (int e = 0; e < b.element_count; ++e) {
        int32_t* v = b.vertices + e * size;
        if (b.dim == 2)
            memcpy(v, square + 3 * e, 3 * sizeof *v);
        else { // seen from outside the faces run counter-clockwise
            memcpy(v, (const int32_t[4]){faces[3 * e], faces[3 * e + 2], faces[3 * e + 1], 8},
                   4 * sizeof *v);
        }
        for (int m = corners; m < size; ++m) {
            const int* ends = pli_middle_ends[m - corners];
            v[m] = middle_of(&b, v[ends[0]], v[ends[1]]);
        }
    }
    return b;
}

static pli_term lay(pli_memory* memory, const char* name, const block* b) {
    const pli_energy_type* type = find_type(name);
    double values[8];
    assert_int_equal(pli_energy_params(type, NULL, 0, values, NULL), PLI_OK);
    pli_domain domain = {.dim = b->dim,
                         .kind = b->kind,
                         .element_count = b->element_count,
                         .vertices = b->vertices,
                         .rest = b->rest,
                         .thickness = 1};
    return make_term(memory, name, values, &domain);
}

// Energy and sum of the gradients on vertices.
static double total(const pli_term* term, const block* b, const double* x, double* g) {
    int size = pli_element_size(b->kind), n = size * b->dim;
    double e[12] = {0}, local[12 * PLI_LOCAL_MAX] = {0}, sum = 0;
    pli_batch in = {.dim = b->dim,
                    .count = b->element_count,
                    .width = size,
                    .vertices = b->vertices,
                    .x = x,
                    .want = PLI_VALUE | PLI_GRADIENT};
    term->ops->eval(term->self, 0, &in, &(pli_local){.e = e, .g = local});
    memset(g, 0, 3 * MOST * sizeof *g);
    for (int i = 0; i < b->element_count; ++i) {
        sum += e[i];
        for (int k = 0; k < n; ++k)
            g[3 * b->vertices[i * size + k / b->dim] + k % b->dim] += local[i * n + k];
    }
    return sum;
}

static const char* const names[] = {
    "arap",   "fixed-corotated", "neo-hookean", "stable-neo-hookean", "st-venant-kirchhoff",
    "linear", "volume"};
enum { NAME_COUNT = 7 };

static bool inside(const block* b, int v) {
    for (int c = 0; c < b->dim; ++c)
        if (b->rest[3 * v + c] <= 0 || b->rest[3 * v + c] >= 1) return false;
    return true;
}

// Under x = F X + c vertices inside feel no force, all elements have the same stress, and all kinds
// of elements have the same energy.
static void patch_test(void** state) {
    (void)state;
    static const double F[9] = {1.1, 0.2, 0, 0, 0.9, 0.1, 0, 0, 1.05}, c[3] = {0.3, -2, 1};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    double energies[4][NAME_COUNT];
    for (int k = 0; k < 4; ++k)
        for (int m = 0; m < NAME_COUNT; ++m) {
            static double x[3 * MOST], g[3 * MOST];
            block b = make_block(solid_kinds[k]);
            int checked = 0;
            for (int v = 0; v < b.vertex_count; ++v)
                for (int a = 0; a < b.dim; ++a) {
                    x[3 * v + a] = c[a];
                    for (int j = 0; j < b.dim; ++j)
                        x[3 * v + a] += F[3 * a + j] * b.rest[3 * v + j];
                }
            pli_term term = lay(&memory, names[m], &b);
            energies[k][m] = total(&term, &b, x, g);
            for (int v = 0; v < b.vertex_count; ++v) {
                if (!inside(&b, v)) continue;
                ++checked; // forces of some 1e4 N cancel
                for (int a = 0; a < b.dim; ++a) ASSERT_NEAR(g[3 * v + a], 0, 1e-9);
            }
            assert_int_equal(checked, k == 0 || k == 1 ? 1 : k == 2 ? 5 : 9);
            double stress[6 * 12] = {0};
            pli_element_term_fields(&term, x, &(pli_term_fields){.stress = stress});
            for (int i = 6; i < 6 * b.element_count; ++i)
                ASSERT_NEAR(stress[i], stress[i % 6], 1e-8);
            end_term(&memory, &term);
        }
    for (int m = 0; m < NAME_COUNT; ++m)
        for (int k = 0; k < 2; ++k) ASSERT_NEAR(energies[k + 2][m] / energies[k][m], 1, 1e-12);
}

// An element whose sides are curved at rest has no energy and no force there, nor after a rotation.
static void curved_rest_shape(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {61};
    for (int k = 2; k < 4; ++k)
        for (int m = 0; m < NAME_COUNT; ++m) {
            patch p = make_patch(solid_kinds[k], 0.08);
            pli_term term = make_solid(&memory, names[m], NULL, 0, &p);
            double R[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[3 * PATCH_MAX], g[PLI_LOCAL_MAX];
            if (strcmp(names[m], "linear") != 0) pli_random_rotation(&r, p.dim, R);
            deform(&p, R, x);
            ASSERT_NEAR(eval_first(&term, p.dim, x, false, g, NULL), 0, 1e-9);
            for (int i = 0; i < p.dim * pli_element_size(p.kind); ++i) ASSERT_NEAR(g[i], 0, 1e-9);
            end_term(&memory, &term);
        }
}

// Pure bending u = (x y, -x^2 / 2): quadratic triangles have its energy exactly, linear ones lock
// and have more. Linear material, nu = 0: the only strain is e_xx = y, so the energy is mu y^2
// integrated.
static void linear_elements_lock(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const pli_setting settings[] = {{"lame_mu", 1}, {"lame_lambda", 0}};
    const pli_energy_type* type = find_type("linear");
    double values[8], energy[2];
    assert_int_equal(pli_energy_params(type, settings, 2, values, NULL), PLI_OK);
    for (int k = 0; k < 2; ++k) {
        static double x[3 * MOST], g[3 * MOST];
        block b = make_block(k ? PLI_TRIANGLE6 : PLI_TRIANGLE);
        pli_domain domain = {.dim = 2,
                             .kind = b.kind,
                             .element_count = b.element_count,
                             .vertices = b.vertices,
                             .rest = b.rest,
                             .thickness = 1};
        pli_term term = make_term(&memory, "linear", values, &domain);
        for (int v = 0; v < b.vertex_count; ++v) {
            double X = b.rest[3 * v], Y = b.rest[3 * v + 1] - 0.5;
            x[3 * v] = b.rest[3 * v] + 1e-3 * X * Y;
            x[3 * v + 1] = b.rest[3 * v + 1] - 1e-3 * X * X / 2;
        }
        energy[k] = total(&term, &b, x, g) * 1e6;
        end_term(&memory, &term);
    }
    ASSERT_NEAR(energy[1], 1.0 / 12, 1e-10); // y^2 from -1/2 to 1/2
    assert_true(energy[0] > 1.2 * energy[1]);
}

// Mirroring the body in a plane changes nothing.
static void mirror_symmetry(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {62};
    for (int k = 0; k < 4; ++k)
        for (int m = 0; m < NAME_COUNT; ++m) {
            patch p = make_patch(solid_kinds[k], 0.02), q;
            double x[3 * PATCH_MAX], y[3 * PATCH_MAX], e[2];
            for (int i = 0; i < 3 * p.vertex_count; ++i)
                x[i] = i % 3 < p.dim ? p.rest[i] + pli_random_in(&r, -0.05, 0.05) : 0;
            memcpy(y, x, sizeof y);
            q = p;
            for (int v = 0; v < p.vertex_count; ++v) {
                q.rest[3 * v] *= -1;
                y[3 * v] *= -1;
            }
            int size = pli_element_size(p.kind);
            for (int i = 0; i < p.element_count; ++i)
                pli_element_mirror(p.kind, q.vertices + i * size);
            for (int i = 0; i < 2; ++i) {
                pli_term term = make_solid(&memory, names[m], NULL, 0, i ? &q : &p);
                e[i] = eval_first(&term, p.dim, i ? y : x, false, NULL, NULL);
                end_term(&memory, &term);
            }
            ASSERT_NEAR(e[1] / e[0], 1, 1e-10); // energies of small strains, by other sums
        }
}

// A body of tetrahedra with the triangles of its surface: solids see the tetrahedra alone.
static void solids_skip_surfaces(void** state) {
    (void)state;
    const pli_energy_type *solid = find_type("neo-hookean"), *spring = find_type("spring");
    char text[PLI_KINDS_SIZE];
    assert_true(pli_energy_covers(solid, 2, PLI_TRIANGLE) &&
                pli_energy_covers(solid, 2, PLI_TRIANGLE6));
    assert_true(pli_energy_covers(solid, 3, PLI_TETRAHEDRON) &&
                pli_energy_covers(solid, 3, PLI_TETRAHEDRON10));
    assert_false(pli_energy_covers(solid, 3, PLI_TRIANGLE6) ||
                 pli_energy_covers(solid, 2, PLI_TETRAHEDRON));
    int counts[PLI_ELEMENT_KIND_COUNT] = {[PLI_TETRAHEDRON10] = 1, [PLI_TRIANGLE] = 4};
    assert_true(pli_energy_acts_on(solid, 3, PLI_TETRAHEDRON10, counts));
    assert_false(pli_energy_acts_on(solid, 3, PLI_TRIANGLE, counts));
    counts[PLI_TETRAHEDRON10] = 0; // then they are a membrane
    assert_true(pli_energy_acts_on(solid, 3, PLI_TRIANGLE, counts));
    assert_false(pli_energy_acts_on(solid, 3, PLI_TRIANGLE, NULL));
    assert_true(pli_energy_covers(spring, 2, PLI_SEGMENT) &&
                pli_energy_covers(spring, 3, PLI_SEGMENT));
    assert_string_equal(pli_energy_kinds(solid, 3, text),
                        "triangle or tetrahedron or 10-node tetrahedron");
    assert_string_equal(pli_energy_kinds(find_type("linear"), 3, text),
                        "tetrahedron or 10-node tetrahedron");
    assert_string_equal(pli_energy_kinds(spring, 3, text), "segment");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patch_test),           cmocka_unit_test(curved_rest_shape),
        cmocka_unit_test(linear_elements_lock), cmocka_unit_test(mirror_symmetry),
        cmocka_unit_test(solids_skip_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
