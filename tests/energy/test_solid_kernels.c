// The kernels of solids: all sets that this machine can run give the same bits, an element's
// result does not depend on its neighbours or its place, and both roads to the Hessian agree.
#include "energy/solid_fixture.h"

#include "energy/packed.h"
#include "energy/solid.h"

enum {
    MOST = 21,
    WIDTH = 10,
    PACKED = PLI_PACKED_SIZE(3, 10),
    RECORD = PLI_SOLID_SIZE(3, 10, 4) + PLI_FLOW_CONSTANTS,
    STATE = 4 * PLI_FLOW_STATE(3) * PLI_FLOW_BRANCHES
};

#define DECLARE(NUMBER, name) extern const pli_energy_type pli_energy_##name;
#define ADDRESS(NUMBER, name) &pli_energy_##name,
PLI_LAWS(DECLARE)
static const pli_energy_type* const types[PLI_LAW_COUNT] = {PLI_LAWS(ADDRESS)};

// Elements that share no vertex, each in a state of its own.
typedef struct crowd {
    pli_element_kind kind;
    int dim, width, record, state; // numbers per record and state
    int32_t vertices[MOST * WIDTH];
    double x[3 * MOST * WIDTH], data[MOST * RECORD], memory[MOST * STATE];
} crowd;

// Usual and unusual stretches: rest, equal, nearly equal, tiny, huge, flat, a line, a point, turned
// inside out, two that cancel.
static const double stretches[][3] = {{1, 1, 1},
                                      {1.2, 0.9, 1.1},
                                      {0.7, 0.7, 0.7},
                                      {2, 2, 0.5},
                                      {1.1, 1.1 + 1e-9, 1.1 - 1e-9},
                                      {0.3, 0.4, 0.2},
                                      {1e-12, 1e-12, 1e-12},
                                      {1e-170, 1e-170, 1e-170},
                                      {1e6, 1e6, 1e6},
                                      {3e120, 1e-100, 1},
                                      {1, 1, 0},
                                      {1, 0, 0},
                                      {0, 0, 0},
                                      {1.1, 0.8, -0.6},
                                      {1, 0.7, -0.7},
                                      {1, 1, -1},
                                      {1, 1e-9, 1e-9}};
enum { STRETCH_COUNT = sizeof stretches / sizeof *stretches };

// `space`: triangles in space.
static crowd make_crowd(int law, pli_element_kind kind, bool sheet, bool space) {
    pli_setting setting = {"plane_stress", 1};
    const pli_energy_type* type = types[law];
    patch p = make_patch(kind, 0.05);
    if (space) p.dim = 3;
    crowd c = {.kind = kind, .dim = p.dim, .width = pli_element_size(kind)};
    double params[16];
    c.state = (int)(type->state_sizes[kind] / sizeof(double));
    c.record = (int)(type->data_size[kind] / sizeof(double));
    assert_int_equal(pli_energy_params(type, &setting, sheet, params, NULL), PLI_OK);
    pli_random r = {91};
    for (int i = 0; i < MOST; ++i) {
        double F[9], y[3 * PATCH_MAX];
        const double* s = stretches[i % STRETCH_COUNT];
        double turned[3] = {s[0], p.dim == 2 || space ? s[2] : s[1], s[2]};
        random_f(&r, p.dim, turned, F);
        deform(&p, F, y);
        for (int v = 0; v < c.width; ++v) {
            c.vertices[i * c.width + v] = (int32_t)(i * c.width + v);
            memcpy(c.x + 3 * (i * c.width + v), y + 3 * p.vertices[v], 3 * sizeof *y);
        }
        // A quadratic element sees a different F at each point.
        for (int k = 0; i % 2 && k < 3 * c.width; ++k)
            if (k % 3 < p.dim) c.x[3 * i * c.width + k] *= pli_random_in(&r, 0.95, 1.05);
        pli_element element = {.dim = p.dim,
                               .kind = kind,
                               .vertex_count = c.width,
                               .vertices = p.vertices,
                               .rest = p.rest,
                               .thickness = 0.7};
        assert_int_equal(type->prepare(params, &element, c.data + i * c.record, NULL), PLI_OK);
        if (type->init) type->init(params, &element, NULL, c.memory + i * c.state);
        for (int k = 0; k < c.state; ++k) c.memory[i * c.state + k] += pli_random_in(&r, 0, 0.1);
    }
    return c;
}

typedef struct answer {
    double e[MOST], g[MOST * PLI_LOCAL_MAX], H[MOST * PLI_LOCAL_MAX * PLI_LOCAL_MAX];
    double packed_g[MOST * PLI_LOCAL_MAX], packed[MOST * PACKED], stress[6 * MOST], across[MOST];
    double shown[MOST * PLI_FLOW_FIELDS], memory[MOST * STATE];
} answer;

// Elements [first, first + count) of a crowd by one set.
static void ask(const pli_solid_kernels* set, int law, const crowd* c, int first, int count,
                bool project, const uint64_t* turned, answer* a) {
    memset(a, 0, sizeof *a);
    pli_batch in = {.dim = c->dim,
                    .kind = c->kind,
                    .count = count,
                    .width = c->width,
                    .vertices = c->vertices + first * c->width,
                    .x = c->x,
                    .data = c->data + first * c->record,
                    .state = c->memory + first * c->state,
                    .h = 0.1,
                    .want = PLI_VALUE | PLI_GRADIENT | PLI_HESSIAN,
                    .project = project};
    set->eval((pli_law_number)law, &in, &(pli_local){.e = a->e, .g = a->g, .H = a->H});
    set->fields((pli_law_number)law, &in, a->stress, a->across);
    if (types[law]->commit) {
        memcpy(a->memory, in.state, sizeof(double) * (size_t)(count * c->state));
        set->show((pli_law_number)law, &in, PLI_FLOW_FIELDS, a->shown);
        set->commit((pli_law_number)law, &in, a->memory);
    }
    in.want = PLI_GRADIENT | PLI_HESSIAN;
    set->blocks((pli_law_number)law, &in, turned + first,
                &(pli_local){.g = a->packed_g, .H = a->packed});
}

// The same bits, but 0 may be -0: `eval` adds to 0.
static void assert_same(const double* a, const double* b, int n, const char* name) {
    for (int i = 0; i < n; ++i)
        if (memcmp(a + i, b + i, sizeof *a) != 0 && !(a[i] == 0 && b[i] == 0))
            fail_msg("%s: number %d is %.17g and %.17g", name, i, a[i], b[i]);
}

// `few` are elements [first, first + count) of `all`.
static void assert_part(const crowd* c, const answer* all, const answer* few, int first, int count,
                        const char* name) {
    int n = c->dim * c->width, packed = PLI_PACKED_SIZE(c->dim, c->width);
    assert_same(all->e + first, few->e, count, name);
    assert_same(all->g + first * n, few->g, count * n, name);
    assert_same(all->H + first * n * n, few->H, count * n * n, name);
    assert_same(all->packed_g + first * n, few->packed_g, count * n, name);
    assert_same(all->packed + first * packed, few->packed, count * packed, name);
    assert_same(all->stress + 6 * first, few->stress, 6 * count, name);
    assert_same(all->across + first, few->across, count, name);
    assert_same(all->shown + PLI_FLOW_FIELDS * first, few->shown, PLI_FLOW_FIELDS * count, name);
    assert_same(all->memory + c->state * first, few->memory, c->state * count, name);
}

// The blocks, those that were wanted transposed turned back, are the matrix of `eval`.
static void assert_roads_agree(const crowd* c, const answer* a, const uint64_t* turned) {
    int dim = c->dim, n = dim * c->width, packed = PLI_PACKED_SIZE(dim, c->width);
    for (int i = 0; i < MOST; ++i) {
        double back[PACKED], H[PLI_LOCAL_MAX * PLI_LOCAL_MAX] = {0};
        for (int k = 0; k < packed; ++k) {
            int block = k / (dim * dim), row = k % (dim * dim) / dim, column = k % dim;
            bool turn = turned[i] >> block & 1;
            back[k] = a->packed[i * packed + (turn ? k - k % (dim * dim) + column * dim + row : k)];
        }
        pli_packed_add_to(dim, c->width, back, H);
        assert_same(a->g + i * n, a->packed_g + i * n, n, "gradient");
        assert_same(a->H + i * n * n, H, n * n, "matrix");
        assert_true(a->e[i] <= HUGE_VAL); // not NaN
        for (int k = 0; k < n; ++k)
            for (int l = 0; l < k; ++l) assert_same(&H[k * n + l], &H[l * n + k], 1, "symmetry");
    }
}

static void check(int law, pli_element_kind kind, bool sheet, bool project, bool space) {
    static answer all, other;
    crowd c = make_crowd(law, kind, sheet, space);
    pli_random r = {92};
    uint64_t turned[MOST], diagonal = 0;
    for (int i = 0; i < c.width; ++i) diagonal |= (uint64_t)1 << (i * (i + 3) / 2);
    for (int i = 0; i < MOST; ++i)
        turned[i] = ((uint64_t)pli_random_bits(&r) << 32 | pli_random_bits(&r)) & ~diagonal;
    const pli_solid_kernels* set = pli_solid_kernels_at(0);
    ask(set, law, &c, 0, MOST, project, turned, &all);
    assert_roads_agree(&c, &all, turned);
    for (int i = 0; (set = pli_solid_kernels_at(i)) != NULL; ++i) {
        ask(set, law, &c, 0, MOST, project, turned, &other);
        assert_part(&c, &all, &other, 0, MOST, set->name);
        // Every remainder of lanes, every place in them.
        for (int first = 0; first < MOST; first += 1 + i) {
            int count = 1 + first % (MOST - first);
            ask(set, law, &c, first, count, project, turned, &other);
            assert_part(&c, &all, &other, first, count, set->name);
        }
    }
}

static void all_sets_give_the_same_bits(void** state) {
    (void)state;
    for (int law = 0; law < PLI_LAW_COUNT; ++law)
        for (size_t k = 0; k < sizeof solid_kinds / sizeof *solid_kinds; ++k) {
            check(law, solid_kinds[k], false, true, false);
            check(law, solid_kinds[k], false, false, false);
            if (solid_kinds[k] == PLI_TRIANGLE || solid_kinds[k] == PLI_TRIANGLE6)
                if (law != PLI_LAW_ARAP && law != PLI_LAW_VOLUME)
                    check(law, solid_kinds[k], true, true, false);
        }
}

static void sheets_give_the_same_bits(void** state) {
    (void)state;
    for (int law = 0; law < PLI_LAW_COUNT; ++law)
        for (int project = 0; project < 2 && types[law]->sheet; ++project) {
            check(law, PLI_TRIANGLE, false, project, true);
            if (law != PLI_LAW_ARAP) check(law, PLI_TRIANGLE, true, project, true);
        }
}

static void sets_are_listed_from_the_widest_on(void** state) {
    (void)state;
    int count = 0;
    for (; pli_solid_kernels_at(count); ++count)
        if (count > 0)
            assert_true(pli_solid_kernels_at(count)->lanes <
                        pli_solid_kernels_at(count - 1)->lanes);
    assert_true(count > 0);
    assert_ptr_equal(pli_solid_kernels_at(count - 1), &pli_solid_baseline);
    assert_null(pli_solid_kernels_at(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_give_the_same_bits),
        cmocka_unit_test(sheets_give_the_same_bits),
        cmocka_unit_test(sets_are_listed_from_the_widest_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
