// The adapter: energies of the user's own, threads, memory that runs out, the list of types.
#include "energy/fixture.h"

#include "oracle/allocator.h"

// ---- An energy as a user would write it, with the public header alone: a floor that vertices
// never reach, P = -k m ln(y - h) with k per mass and y - h in metres; forbidden at y <= h.

typedef struct floor_record {
    double k, height;
} floor_record;

static pli_status floor_prepare(const double* params, const pli_element* element, void* data,
                                pli_error* error) {
    if (element->rest[3 * element->vertices[0] + 1] <= params[1]) {
        error->status = PLI_E_ARGUMENT;
        strcpy(error->message, "starts below the floor");
        return PLI_E_ARGUMENT;
    }
    *(floor_record*)data =
        (floor_record){params[0] * element->mass[element->vertices[0]], params[1]};
    return PLI_OK;
}

static void floor_eval(const pli_batch* in, pli_local* out) {
    const floor_record* records = in->data;
    int dim = in->dim;
    for (int i = 0; i < in->count; ++i) {
        double k = records[i].k, y = in->x[3 * in->vertices[i] + 1] - records[i].height;
        if (in->want & PLI_VALUE) out->e[i] += y > 0 ? -k * log(y) : HUGE_VAL;
        if (in->want & PLI_GRADIENT) out->g[dim * i + 1] -= y > 0 ? k / y : 0;
        if (in->want & PLI_HESSIAN) out->H[dim * dim * i + dim + 1] += y > 0 ? k / (y * y) : 0;
    }
}

static double floor_max_step(const pli_batch* in, const double* p) {
    const floor_record* records = in->data;
    double bound = 1;
    for (int i = 0; i < in->count; ++i) {
        double y = in->x[3 * in->vertices[i] + 1] - records[i].height;
        bound = fmin(bound, 0.9 * y / fmax(-p[3 * in->vertices[i] + 1], 1e-300));
    }
    return bound;
}

static void floor_stress(const pli_batch* in, double* out) {
    for (int i = 0; i < in->count; ++i) out[6 * i + 1] -= 7;
}

static const pli_param floor_params[] = {
    {.name = "stiffness", .unit = "J/kg", .max = HUGE_VAL, .flags = PLI_PARAM_REQUIRED},
    {.name = "height", .unit = "m", .min = -1, .max = 1, .default_value = -0.5}};
static const pli_energy_type floor_type = {.abi = PLI_ENERGY_ABI,
                                           .name = "floor",
                                           .help = "-k m ln(y - h)",
                                           .dims = 1u << 2 | 1u << 3,
                                           .params = floor_params,
                                           .param_count = 2,
                                           .data_size = {[PLI_VERTEX] = sizeof(floor_record)},
                                           .prepare = floor_prepare,
                                           .eval = floor_eval,
                                           .max_step = floor_max_step,
                                           .stress = floor_stress};

enum { COUNT = 20000 }; // more than the step bound has blocks of the smallest size

// COUNT vertices at heights from 0 to 1 with masses, all of them elements, in reverse order.
typedef struct cloud {
    double x[3 * COUNT], p[3 * COUNT], mass[COUNT];
    int32_t vertices[COUNT];
} cloud;

static void make_cloud(cloud* c) {
    pli_random r = {21};
    for (int i = 0; i < 3 * COUNT; ++i) {
        c->x[i] = pli_random_in(&r, 0, 1);
        c->p[i] = pli_random_in(&r, -3, 3);
    }
    for (int i = 0; i < COUNT; ++i) {
        c->vertices[i] = COUNT - 1 - i;
        c->mass[i] = pli_random_in(&r, 1, 2);
    }
}

static pli_term floor_term(pli_memory* memory, int dim, const cloud* c) {
    const double params[] = {30, -0.5};
    pli_domain domain = {
        .dim = dim, .element_count = COUNT, .vertices = c->vertices, .rest = c->x, .mass = c->mass};
    pli_term term = {0};
    pli_error error = {0};
    if (pli_element_term_create(memory, &floor_type, params, &domain, &term, &error) != PLI_OK)
        fail_msg("%s", error.message);
    return term;
}

static void own_energy_keeps_the_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static cloud c; // too large for the stack
    make_cloud(&c);
    for (int dim = 2; dim <= 3; ++dim) {
        pli_term term = floor_term(&memory, dim, &c);
        assert_string_equal(term.ops->name, "floor");
        assert_int_equal(term.ops->width, 1);
        assert_int_equal(term.ops->count(term.self), COUNT);
        assert_false(term.ops->linear || term.ops->dynamic);
        pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                  .vertex_count = COUNT,
                                                  .x = c.x,
                                                  .step = 1e-3,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .clamp_tolerance = 1e-12}); // rounding
        pli_check_step_bound(&term, dim, COUNT, c.x, c.p);
        end_term(&memory, &term);
    }
}

static void step_bound_for_all_thread_counts(void** state) {
    (void)state;
    pli_memory memory, pool_memory;
    pli_memory_init(&memory, NULL);
    pli_memory_init(&pool_memory, NULL);
    static cloud c;
    make_cloud(&c);
    double expected = 1;
    for (int i = 0; i < COUNT; ++i)
        if (c.p[3 * i + 1] < 0)
            expected = fmin(expected, 0.9 * (c.x[3 * i + 1] + 0.5) / -c.p[3 * i + 1]);
    pli_term term = floor_term(&memory, 2, &c);
    for (int threads = 1; threads <= 3; ++threads) {
        pli_pool* pool = NULL;
        assert_int_equal(pli_pool_create(&pool_memory, threads, &pool, NULL), PLI_OK);
        pli_view view = {.dim = 2, .vertex_count = COUNT, .x = c.x, .pool = pool};
        assert_true(term.ops->max_step(term.self, &view, c.p) == expected);
        pli_pool_destroy(pool);
    }
    end_term(&memory, &term);
}

static void fields_are_added(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static cloud c;
    make_cloud(&c);
    pli_term term = floor_term(&memory, 2, &c);
    static double energy[COUNT], stress[6 * COUNT];
    for (int i = 0; i < COUNT; ++i) energy[i] = 100;
    pli_element_term_fields(&term, c.x, &(pli_term_fields){.energy = energy, .stress = stress});
    pli_element_term_fields(&term, c.x, &(pli_term_fields){.stress = stress});
    for (int i = 0; i < COUNT; ++i) {
        int v = COUNT - 1 - i;
        double y = c.x[3 * v + 1] + 0.5;
        ASSERT_NEAR(energy[i], 100 - 30 * c.mass[v] * log(y), 1e-12 * 100); // a few roundings
        assert_true(stress[6 * i + 1] == -14 && stress[6 * i] == 0);
    }
    end_term(&memory, &term);
}

static void refused_element_is_named(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    static cloud c;
    make_cloud(&c);
    c.x[3 * 4 + 1] = -0.7; // vertex 4 is element COUNT - 5
    const double params[] = {30, -0.5};
    pli_domain domain = {
        .dim = 2, .element_count = COUNT, .vertices = c.vertices, .rest = c.x, .mass = c.mass};
    pli_term term = {0};
    pli_error error = {0};
    assert_int_equal(pli_element_term_create(&memory, &floor_type, params, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, "vertex 19995: starts below the floor");
    assert_null(term.self);
    assert_int_equal(memory.bytes, 0);
}

// ---- A dissipation: R = (1 + |x|^2) |v|^2 / 2 at each end of a segment, x at the start of the
// step.

static void thick_eval(const pli_batch* in, pli_local* out) {
    int n = in->width * in->dim;
    for (int i = 0; i < in->count * in->width; ++i) {
        const double *x = in->x + 3 * in->vertices[i], *v = in->v + 3 * in->vertices[i];
        double factor = 1;
        int at = i / in->width, row = i % in->width * in->dim;
        for (int c = 0; c < in->dim; ++c) factor += x[c] * x[c];
        for (int c = 0; c < in->dim; ++c) {
            if (in->want & PLI_VALUE) out->e[at] += 0.5 * factor * v[c] * v[c];
            if (in->want & PLI_GRADIENT) out->g[at * n + row + c] += factor * v[c];
            if (in->want & PLI_HESSIAN) out->H[(at * n + row + c) * n + row + c] += factor;
        }
    }
}

static const pli_energy_type thick_type = {.abi = PLI_ENERGY_ABI,
                                           .name = "thick",
                                           .help = "(1 + |x|^2) |v|^2 / 2",
                                           .dims = 1u << 2 | 1u << 3,
                                           .data_size = {[PLI_SEGMENT] = 8},
                                           .dissipation = true,
                                           .eval = thick_eval};

static void dissipation_is_divided_by_the_rate(void** state) {
    (void)state;
    enum { SEGMENTS = 21, VERTICES = SEGMENTS + 1 }; // more than one run of the adapter
    pli_random r = {22};
    int32_t ends[2 * SEGMENTS];
    double x[3 * VERTICES], x_n[3 * VERTICES], still[3 * VERTICES], rate = 8;
    for (int i = 0; i < 2 * SEGMENTS; ++i) ends[i] = SEGMENTS - (i + 1) / 2;
    for (int i = 0; i < 3 * VERTICES; ++i) {
        x[i] = pli_random_in(&r, -1, 1);
        x_n[i] = pli_random_in(&r, -1, 1);
        still[i] = pli_random_in(&r, -1, 1);
    }
    for (int n = 1, done = 0; !done; ++n) { // memory may run out anywhere, too
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory memory;
        pli_memory_init(&memory, &hook);
        pli_domain domain = {
            .dim = 3, .kind = PLI_SEGMENT, .element_count = SEGMENTS, .vertices = ends, .rest = x};
        pli_term term = {0};
        pli_error error = {0};
        done =
            pli_element_term_create(&memory, &thick_type, NULL, &domain, &term, &error) == PLI_OK;
        if (done) {
            assert_int_equal(term.ops->role, PLI_DISSIPATION);
            assert_true(eval_first(&term, 3, x, false, NULL, NULL) == 0); // v is not known
            pli_step step = {.velocity_rate = rate, .x_n = x_n, .x_still = still};
            assert_int_equal(term.ops->begin_step(term.self, &step, &error), PLI_OK);
            pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                      .vertex_count = VERTICES,
                                                      .x = x,
                                                      .step = 1e-2, // quadratic in x
                                                      .gradient_tolerance = 1e-7,
                                                      .hessian_tolerance = 1e-6,
                                                      .clamp_tolerance = 1e-12}); // rounding
            double g[6], H[36], v = rate * (x[3 * SEGMENTS] - still[3 * SEGMENTS]);
            double factor = 1 + pow(x_n[3 * SEGMENTS], 2) + pow(x_n[3 * SEGMENTS + 1], 2) +
                            pow(x_n[3 * SEGMENTS + 2], 2);
            eval_first(&term, 3, x, false, g, H);
            ASSERT_NEAR(g[0], factor * v, 1e-14 * 10);
            ASSERT_NEAR(H[0], factor * rate, 1e-14 * 10);
            double energy[SEGMENTS] = {0};
            pli_element_term_fields(&term, x, &(pli_term_fields){.energy = energy});
            for (int i = 0; i < SEGMENTS; ++i) assert_true(energy[i] == 0);
            end_term(&memory, &term);
        }
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
    }
}

// ---- The smallest table: no parameters, nothing to prepare.

static void nothing_eval(const pli_batch* in, pli_local* out) {
    (void)out;
    for (int i = 0; i < in->count; ++i) assert_true(((const char*)in->data)[i] == 0);
}

static void table_is_checked(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_energy_type type = {.abi = PLI_ENERGY_ABI,
                            .name = "nothing",
                            .help = "0",
                            .data_size = {[PLI_VERTEX] = 1},
                            .dims = 1u << 2,
                            .linear = true,
                            .eval = nothing_eval};
    static const int32_t vertex[] = {0};
    static const double rest[3] = {0};
    pli_domain domain = {.dim = 2, .element_count = 1, .vertices = vertex, .rest = rest};
    pli_term term = {0};
    pli_error error = {0};
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error), PLI_OK);
    assert_true(term.ops->linear);
    assert_null(term.ops->max_step);
    assert_true(eval_first(&term, 2, rest, false, NULL, NULL) == 0);
    end_term(&memory, &term);

    domain.element_count = 0; // an empty body is fine
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error), PLI_OK);
    end_term(&memory, &term);

    type.abi = PLI_ENERGY_ABI + 1;
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "energy \"nothing\" was built for interface 7"));
    type.abi = PLI_ENERGY_ABI;
    type.eval = NULL;
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "energy \"nothing\": `eval`"));
    type.eval = nothing_eval;
    type.dims = 1u << 3;
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "dimension 2"));
    type.dims = 1u << 2;
    type.data_size[PLI_VERTEX] = 0;
    assert_int_equal(pli_element_term_create(&memory, &type, NULL, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_int_equal(memory.bytes, 0);
}

static void memory_may_run_out_anywhere(void** state) {
    (void)state;
    static cloud c;
    make_cloud(&c);
    const double params[] = {30, -0.5};
    pli_domain domain = {
        .dim = 2, .element_count = COUNT, .vertices = c.vertices, .rest = c.x, .mass = c.mass};
    for (int n = 1;; ++n) {
        pli_test_allocator counter = {.fail_at = n};
        pli_allocator hook = pli_test_hook(&counter);
        pli_memory memory;
        pli_memory_init(&memory, &hook);
        pli_term term = {0};
        pli_error error = {0};
        pli_status status =
            pli_element_term_create(&memory, &floor_type, params, &domain, &term, &error);
        if (status == PLI_OK) end_term(&memory, &term);
        assert_int_equal(counter.bytes, 0);
        assert_false(counter.wrong_size);
        if (status == PLI_OK) {
            assert_true(n == 4); // the object, the vertices, the records
            break;
        }
        assert_int_equal(status, PLI_E_MEMORY);
        assert_int_equal(error.status, PLI_E_MEMORY);
    }
}

// ---- The list.

static void list_is_well_formed(void** state) {
    (void)state;
    int count = 0;
    for (const pli_energy_type* type; (type = pli_energy_type_at(count)) != NULL; ++count) {
        assert_int_equal(type->abi, PLI_ENERGY_ABI);
        assert_true(type->name[0] && type->help[0] && type->dims);
        for (int i = 0; i < count; ++i)
            assert_string_not_equal(type->name, pli_energy_type_at(i)->name);
        for (int i = 0; i < type->param_count; ++i) {
            assert_int_equal(type->params[i].type, PLI_PARAM_NUMBER);
            assert_true(type->params[i].unit && type->params[i].help[0]);
        }
    }
    assert_true(count > 0);
    assert_null(pli_energy_type_at(-1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_energy_keeps_the_contract),
        cmocka_unit_test(step_bound_for_all_thread_counts),
        cmocka_unit_test(fields_are_added),
        cmocka_unit_test(refused_element_is_named),
        cmocka_unit_test(dissipation_is_divided_by_the_rate),
        cmocka_unit_test(table_is_checked),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(list_is_well_formed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
