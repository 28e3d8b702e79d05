// The energy that keeps affine bodies rigid: contract of terms, its modulus, its damping matrix.
#include "base/memory.h"
#include "energy/orthogonality.h"
#include "math/small.h"

#include "oracle/contract.h"
#include "oracle/near.h"
#include "oracle/random.h"

#include <math.h>

static pli_error error;

static pli_rigidity body_of(void) {
    pli_rigidity body = {.vertices = {0, 1, 2, 3},
                         .kappa = 3,
                         .volume = 0.7,
                         .length = 0.5,
                         .mass_damping = 2,
                         .mass = 1.5,
                         .second = {0.2, 0.01, 0.02, 0.01, 0.3, 0.03, 0.02, 0.03, 0.4}};
    return body;
}

// f_k = f_0 + length F e_k.
static void place(int dim, double length, const double* F, double x[12]) {
    for (int i = 0; i < 12; ++i) x[i] = i < 3 ? 0.3 * i : 0;
    for (int k = 0; k < dim; ++k)
        for (int r = 0; r < dim; ++r) x[3 * (k + 1) + r] = x[r] + length * F[r * dim + k];
    for (int k = 0; k <= dim && dim == 2; ++k) x[3 * k + 2] = x[2];
}

static void test_contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random random = {5};
    for (int dim = 2; dim <= 3; ++dim)
        for (int n = 0; n < 20; ++n) {
            pli_rigidity body = body_of();
            pli_term term;
            double F[9], x[12];
            ASSERT_OK(pli_orthogonality_create(&memory, dim, &body, 1, &term, &error));
            for (int i = 0; i < dim * dim; ++i)
                F[i] = (i % (dim + 1) == 0) + 0.4 * (n % 4) * pli_random_in(&random, -1, 1);
            place(dim, body.length, F, x);
            pli_check_contract(&term, &(pli_contract){.dim = dim,
                                                      .vertex_count = dim + 1,
                                                      .x = x,
                                                      .step = 1e-5,
                                                      .gradient_tolerance = 1e-7,
                                                      .hessian_tolerance = 1e-6,
                                                      .internal = true,
                                                      .objective = true,
                                                      .clamp_tolerance = -1});
            term.ops->destroy(term.self);
        }
}

// At the level of F the projection is the eigen-clamp: with f_0 fixed, points are F.
static void test_projection(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rigidity body = body_of();
    pli_term term;
    pli_random random = {7};
    ASSERT_OK(pli_orthogonality_create(&memory, 3, &body, 1, &term, &error));
    for (int n = 0; n < 30; ++n) {
        double F[9], x[12], H[2][144], D[2][81];
        for (int i = 0; i < 9; ++i) F[i] = pli_random_in(&random, -1, 1);
        place(3, body.length, F, x);
        for (int project = 0; project < 2; ++project) {
            pli_batch batch = {.dim = 3,
                               .count = 1,
                               .width = 4,
                               .vertices = body.vertices,
                               .x = x,
                               .want = PLI_HESSIAN,
                               .project = project};
            for (int i = 0; i < 144; ++i) H[project][i] = 0;
            term.ops->eval(term.self, 0, &batch, &(pli_local){.H = H[project]});
            for (int r = 0; r < 9; ++r)
                for (int c = 0; c < 9; ++c)
                    D[project][9 * r + c] = H[project][12 * (r + 3) + c + 3];
        }
        pli_project_psd(9, D[0]);
        for (int i = 0; i < 81; ++i) ASSERT_NEAR(D[1][i], D[0][i], 1e-9 * 3 * 0.7 * 4 / 0.25);
    }
    term.ops->destroy(term.self);
}

// e = 4 kappa V strain^2 of a stretch, 2 kappa V gamma^2 of a shear, strain and its measure.
static void test_modulus(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rigidity body = body_of();
    pli_term term;
    const double small = 1e-4;
    ASSERT_OK(pli_orthogonality_create(&memory, 3, &body, 1, &term, &error));
    for (int shear = 0; shear < 2; ++shear) {
        double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[12], e = 0;
        F[shear] += small;
        place(3, body.length, F, x);
        pli_batch batch = {
            .dim = 3, .count = 1, .width = 4, .vertices = body.vertices, .x = x, .want = PLI_VALUE};
        term.ops->eval(term.self, 0, &batch, &(pli_local){.e = &e});
        ASSERT_NEAR(e / (3 * 0.7 * small * small), shear ? 2 : 4, 1e-3);
        ASSERT_NEAR(pli_body_frame_strain(3, F), shear ? small / 2 : small, 1e-3 * small);
    }
    term.ops->destroy(term.self);
}

// alpha v M v of a rotation about the first point: the second moments.
static void test_damping(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_rigidity body = body_of();
    pli_term term;
    double F[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, x[12], H[144] = {0};
    ASSERT_OK(pli_orthogonality_create(&memory, 3, &body, 1, &term, &error));
    place(3, body.length, F, x);
    pli_term matrix = pli_orthogonality_damping(&term);
    pli_batch batch = {
        .dim = 3, .count = 1, .width = 4, .vertices = body.vertices, .x = x, .want = PLI_HESSIAN};
    matrix.ops->eval(matrix.self, 0, &batch, &(pli_local){.H = H});
    double v[12] = {0}, power = 0; // e_z x (f_k - f_0), and a translation
    for (int k = 0; k < 4; ++k) {
        v[3 * k] = -(x[3 * k + 1] - x[1]) + 1;
        v[3 * k + 1] = x[3 * k] - x[0];
    }
    for (int r = 0; r < 12; ++r)
        for (int c = 0; c < 12; ++c) power += v[r] * H[12 * r + c] * v[c];
    ASSERT_NEAR(power, 2 * (1.5 + 0.2 + 0.3), 1e-12);
    term.ops->destroy(term.self);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contract),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_modulus),
        cmocka_unit_test(test_damping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
