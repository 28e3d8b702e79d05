// Springs across edges: the stencils that are found in a mesh, and the contract.
#include "energy/fixture.h"
#include "energy/stencils.h"
#include "oracle/allocator.h"

static const double k[] = {35};

// Four triangles around a square with its middle, the last of them the other way round; a fifth
// beside the edge 1 2.
static const double rest[] = {0, 0, 0, 1, 0, 0, 1, 1, 0.2, 0, 1, 0, 0.5, 0.4, 0.1, 1.8, 0.5, 0};
static const int32_t triangles[] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 4, 0, 1, 5, 2};

static pli_body_view make_view(void) {
    pli_body_view view = {.dim = 3, .vertex_count = 6, .rest = rest};
    view.element_count[PLI_TRIANGLE] = 5;
    view.elements[PLI_TRIANGLE] = triangles;
    return view;
}

static void hinges_of_a_sheet(void** state) {
    (void)state;
    static const int32_t expected[5][4] = {
        {3, 0, 4, 1}, {0, 1, 4, 2}, {4, 1, 2, 5}, {1, 2, 4, 3}, {2, 3, 4, 0}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_stencil_sink sink;
    pli_body_view view = make_view();
    const pli_energy_type* type = find_type("bending-spring");
    assert_int_equal(pli_find_stencils(&memory, type, &view, NULL, &sink, NULL), PLI_OK);
    assert_int_equal(sink.count, 5);
    for (int i = 0; i < 5; ++i) {
        const int32_t* found = sink.vertices + 4 * i;
        bool listed = false;
        for (int e = 0; e < 5; ++e) {
            bool apexes = (found[0] == expected[e][0] && found[3] == expected[e][3]) ||
                          (found[0] == expected[e][3] && found[3] == expected[e][0]);
            bool edge = (found[1] == expected[e][1] && found[2] == expected[e][2]) ||
                        (found[1] == expected[e][2] && found[2] == expected[e][1]);
            listed = listed || (apexes && edge);
        }
        assert_true(listed);
        // apex, end, end is the first triangle, in its own order
        bool in_order = false;
        for (int t = 0; t < 5; ++t)
            for (int c = 0; c < 3; ++c)
                in_order = in_order || (triangles[3 * t + c] == found[0] &&
                                        triangles[3 * t + (c + 1) % 3] == found[1] &&
                                        triangles[3 * t + (c + 2) % 3] == found[2]);
        assert_true(in_order);
    }
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
}

static pli_status no_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    (void)body, (void)sink, (void)error;
    return PLI_OK;
}

static void corners_and_errors(void** state) {
    (void)state;
    static const int32_t segments[] = {0, 1, 2, 1, 2, 3, 3, 4, 3, 5}; // 3 has three of them
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    pli_stencil_sink sink;
    pli_body_view view = {.dim = 3, .vertex_count = 6, .rest = rest};
    view.element_count[PLI_SEGMENT] = 5;
    view.elements[PLI_SEGMENT] = segments;
    pli_energy_type type = {
        .name = "mine", .help = "nothing", .width = 3, .stencils = pli_corner_stencils};
    assert_int_equal(pli_find_stencils(&memory, &type, &view, NULL, &sink, NULL), PLI_OK);
    assert_int_equal(sink.count, 2);
    static const int32_t expected[] = {0, 1, 2, 1, 2, 3};
    assert_memory_equal(sink.vertices, expected, sizeof expected);
    assert_int_equal(pli_sink_stencil(&sink, (int32_t[3]){0, 1, 6}, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "vertex 6"));
    pli_sink_free(&sink);
    type.width = 4;
    assert_int_equal(pli_find_stencils(&memory, &type, &view, NULL, &sink, &error), PLI_E_ARGUMENT);
    pli_sink_free(&sink);
    type.stencils = no_stencils;
    assert_int_equal(pli_find_stencils(&memory, &type, &view, NULL, &sink, &error), PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "\"mine\""));
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
}

// A sheet with a thread at its vertex 5 and a vertex of its own: neighbours ascend and are listed
// once, whatever elements share the edge.
static void stars_of_a_mesh(void** state) {
    (void)state;
    static const int32_t thread[] = {6, 5, 1, 2};
    static const int32_t vertices[] = {0, 1, 3, 4, 1, 0, 2, 4, 5, 2, 1, 3, 4, 5, 3, 0,
                                       2, 4, 4, 0, 1, 2, 3, 5, 1, 2, 6, 6, 5};
    static const int32_t start[] = {0, 4, 9, 14, 18, 23, 27, 29};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_error error = {0};
    pli_stencil_sink sink;
    pli_body_view view = make_view();
    view.vertex_count = 8;
    view.element_count[PLI_SEGMENT] = 2;
    view.elements[PLI_SEGMENT] = thread;
    pli_energy_type type = {
        .name = "mine", .help = "nothing", .width = PLI_WIDE, .stencils = pli_star_stencils};
    assert_int_equal(pli_find_stencils(&memory, &type, &view, NULL, &sink, &error), PLI_OK);
    assert_int_equal(sink.count, 7);
    assert_memory_equal(sink.start, start, sizeof start);
    assert_memory_equal(sink.vertices, vertices, sizeof vertices);
    pli_sink_free(&sink);
    pli_test_allocator counts = {0}; // each request fails once; everything is given back
    pli_allocator hook = pli_test_hook(&counts);
    pli_status status = PLI_E_MEMORY;
    for (int n = 1; status == PLI_E_MEMORY; ++n) {
        pli_memory short_memory;
        counts = (pli_test_allocator){.fail_at = n, .once = true};
        pli_memory_init(&short_memory, &hook);
        status = pli_find_stencils(&short_memory, &type, &view, NULL, &sink, &error);
        pli_sink_free(&sink);
        assert_true(counts.bytes == 0 && !counts.wrong_size);
    }
    assert_int_equal(status, PLI_OK);
    type.width = 4;
    assert_int_equal(pli_find_stencils(&memory, &type, &view, NULL, &sink, &error), PLI_E_ARGUMENT);
    pli_sink_free(&sink);
    assert_int_equal(memory.bytes, 0);
}

static void contract_at_random_states(void** state) {
    (void)state;
    static const int32_t stencils[] = {3, 0, 4, 1, 0, 1, 4, 2, 4, 1, 2, 5};
    pli_random r = {32};
    for (int i = 0; i < 100; ++i) {
        pli_memory memory;
        pli_memory_init(&memory, NULL);
        pli_domain domain = {.dim = 2 + i % 2,
                             .kind = PLI_STENCIL,
                             .element_count = 3,
                             .vertices = stencils,
                             .rest = rest};
        pli_term term = make_term(&memory, "bending-spring", k, &domain);
        double x[18];
        for (int v = 0; v < 18; ++v) x[v] = rest[v] + pli_random_in(&r, -0.2, 0.2);
        pli_check_contract(&term, &(pli_contract){.dim = domain.dim,
                                                  .vertex_count = 6,
                                                  .x = x,
                                                  .step = 1e-5,
                                                  .gradient_tolerance = 1e-7,
                                                  .hessian_tolerance = 1e-6,
                                                  .internal = true,
                                                  .objective = true,
                                                  .clamp_tolerance = 1e-12}); // rounding
        end_term(&memory, &term);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hinges_of_a_sheet),
        cmocka_unit_test(corners_and_errors),
        cmocka_unit_test(stars_of_a_mesh),
        cmocka_unit_test(contract_at_random_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
