// What the tests of sheets share: one triangle in space, turned, stretched and sheared.
#ifndef TESTS_ENERGY_SHEET_FIXTURE_H
#define TESTS_ENERGY_SHEET_FIXTURE_H

#include "energy/fixture.h"
#include "math/small.h"
#include "math/vec.h"

static const int32_t sheet_vertices[] = {0, 1, 2};
static const double sheet_thickness = 0.02;

// A triangle in the plane z = 0; its area is 0.3.
static const double flat_rest[9] = {0.1, 0.2, 0, 1.1, 0.3, 0, 0.4, 0.83, 0};
static const double flat_area = 0.3;

static const double eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

// Settings by name; the caller ends the term with end_term.
static inline pli_term make_sheet(pli_memory* memory, const char* name, const pli_setting* settings,
                                  int count, const double* rest) {
    double params[32];
    pli_error error = {0};
    const pli_energy_type* type = find_type(name);
    if (pli_energy_params(type, settings, count, params, &error) != PLI_OK)
        fail_msg("%s: %s", name, error.message);
    pli_domain domain = {.dim = 3,
                         .kind = PLI_TRIANGLE,
                         .element_count = 1,
                         .vertices = sheet_vertices,
                         .rest = rest,
                         .thickness = sheet_thickness};
    pli_memory_init(memory, NULL);
    return make_term(memory, name, params, &domain);
}

// A random rotation, row by row: the singular vectors of a random matrix.
static inline void random_rotation(pli_random* r, double R[9]) {
    double A[9], s[3], V[9];
    for (int i = 0; i < 9; ++i) A[i] = pli_random_in(r, -1, 1);
    pli_svd3(A, R, s, V);
}

// x = R A X with the 2x2 matrix A in the plane of the rest shape z = 0.
static inline void place(const double* rest, const double A[4], const double R[9], double x[9]) {
    for (int v = 0; v < 3; ++v) {
        const double* X = rest + 3 * v;
        double y[3] = {A[0] * X[0] + A[1] * X[1], A[2] * X[0] + A[3] * X[1], 0};
        for (int i = 0; i < 3; ++i) x[3 * v + i] = pli_dot(R + 3 * i, y, 3);
    }
}

// A with the given singular values and random axes.
static inline void random_stretch(pli_random* r, double s1, double s2, double A[4]) {
    double a = pli_random_in(r, -3, 3), b = pli_random_in(r, -3, 3);
    A[0] = s1 * cos(a) * cos(b) + s2 * sin(a) * sin(b);
    A[1] = s1 * cos(a) * sin(b) - s2 * sin(a) * cos(b);
    A[2] = s1 * sin(a) * cos(b) - s2 * cos(a) * sin(b);
    A[3] = s1 * sin(a) * sin(b) + s2 * cos(a) * cos(b);
}

// The contract at x. The clamp of the 6x6 matrix in F is not that of the 9x9 matrix.
static inline void check_sheet(const pli_term* term, const double x[9], double step) {
    pli_check_contract(term, &(pli_contract){.dim = 3,
                                             .vertex_count = 3,
                                             .x = x,
                                             .step = step,
                                             .gradient_tolerance = 1e-7,
                                             .hessian_tolerance = 1e-6,
                                             .internal = true,
                                             .objective = true,
                                             .clamp_tolerance = -1});
}

// The contract of a woven sheet at random states, with its settings (at most 8) and with others and
// a random warp in turn.
typedef struct sheet_settings {
    const pli_setting* list;
    int count;
} sheet_settings;
static inline void check_woven(const char* name, uint64_t seed, sheet_settings plain,
                               sheet_settings turned) {
    pli_random r = {seed};
    for (int i = 0; i < 200; ++i) {
        pli_memory memory;
        sheet_settings s = i % 2 ? turned : plain;
        pli_setting list[11];
        memcpy(list, s.list, sizeof *list * (size_t)s.count);
        list[s.count] = (pli_setting){"warp_x", pli_random_in(&r, 0.1, 1)};
        list[s.count + 1] = (pli_setting){"warp_y", pli_random_in(&r, -1, 1)};
        list[s.count + 2] = (pli_setting){"warp_z", pli_random_in(&r, -1, 1)};
        pli_term term = make_sheet(&memory, name, list, s.count + (i % 2 ? 3 : 0), flat_rest);
        double A[4], R[9], x[9];
        for (int k = 0; k < 4; ++k) A[k] = (k % 3 == 0) + pli_random_in(&r, -0.6, 0.6);
        random_rotation(&r, R);
        place(flat_rest, A, R, x);
        check_sheet(&term, x, 1e-4);
        end_term(&memory, &term);
    }
}

// A settings list is refused with a message that contains `words`.
static inline void expect_refused(const char* name, const pli_setting* settings, int count,
                                  const char* words) {
    double params[32];
    pli_error error = {0};
    assert_int_equal(pli_energy_params(find_type(name), settings, count, params, &error),
                     PLI_E_ARGUMENT);
    if (!strstr(error.message, words)) fail_msg("\"%s\" lacks \"%s\"", error.message, words);
}

#endif
