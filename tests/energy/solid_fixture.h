// What the tests of all solids share: small meshes of every kind of element, deformations with
// given stretches, and the checks that every material must pass.
#ifndef TESTS_ENERGY_SOLID_FIXTURE_H
#define TESTS_ENERGY_SOLID_FIXTURE_H

#include "energy/fixture.h"

#include "math/small.h"
#include "mesh/reference.h"

enum { PATCH_MAX = 40 };

// One or a few elements; the first has unit edges along the axes if they are straight.
typedef struct patch {
    int dim, vertex_count, element_count;
    pli_element_kind kind;
    double rest[3 * PATCH_MAX];
    int32_t vertices[2 * 10];
} patch;

static const pli_element_kind solid_kinds[] = {PLI_TRIANGLE, PLI_TETRAHEDRON, PLI_TRIANGLE6,
                                               PLI_TETRAHEDRON10};

// Two linear elements, or one quadratic element whose middles are off the edges by `bend`.
static inline patch make_patch(pli_element_kind kind, double bend) {
    static const double corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0.9, 0.8, 1.2};
    patch p = {.kind = kind};
    bool plane = kind == PLI_TRIANGLE || kind == PLI_TRIANGLE6;
    p.dim = plane ? 2 : 3;
    memcpy(p.rest, corners, sizeof corners);
    if (plane) memcpy(p.rest + 9, (const double[3]){1.2, 0.9, 0}, 3 * sizeof(double));
    if (pli_element_size(kind) == p.dim + 1) {
        static const int32_t triangles[] = {0, 1, 2, 1, 3, 2},
                             tetrahedra[] = {0, 1, 2, 3, 1, 2, 3, 4};
        p.element_count = 2;
        p.vertex_count = plane ? 4 : 5;
        if (plane)
            memcpy(p.vertices, triangles, sizeof triangles);
        else
            memcpy(p.vertices, tetrahedra, sizeof tetrahedra);
        return p;
    }
    p.element_count = 1;
    p.vertex_count = pli_element_size(kind);
    pli_random r = {77};
    for (int v = 0; v < p.vertex_count; ++v) p.vertices[v] = v;
    for (int v = p.dim + 1; v < p.vertex_count; ++v)
        for (int c = 0; c < p.dim; ++c) {
            const int* ends = pli_middle_ends[v - p.dim - 1];
            p.rest[3 * v + c] = 0.5 * (p.rest[3 * ends[0] + c] + p.rest[3 * ends[1] + c]) +
                                bend * pli_random_in(&r, -1, 1);
        }
    if (plane)
        for (int v = 0; v < p.vertex_count; ++v) p.rest[3 * v + 2] = 0;
    return p;
}

// Settings that are NaN are left out.
static inline pli_term make_solid(pli_memory* memory, const char* name, const pli_setting* settings,
                                  int count, const patch* p) {
    const pli_energy_type* type = find_type(name);
    double values[24];
    pli_error error = {0};
    if (pli_energy_params(type, settings, count, values, &error) != PLI_OK)
        fail_msg("%s: %s", name, error.message);
    pli_domain domain = {.dim = p->dim,
                         .kind = p->kind,
                         .element_count = p->element_count,
                         .vertices = p->vertices,
                         .rest = p->rest,
                         .thickness = 0.7};
    return make_term(memory, name, values, &domain);
}

// F = U diag(s) V^T with random rotations, 3x3; in the plane s[2] plays no part.
static inline void random_f(pli_random* r, int dim, const double s[3], double F[9]) {
    double U[9], V[9];
    pli_random_rotation(r, dim, U);
    pli_random_rotation(r, dim, V);
    for (int i = 0; i < 9; ++i) {
        F[i] = 0;
        for (int k = 0; k < 3; ++k) F[i] += U[i / 3 * 3 + k] * s[k] * V[i % 3 * 3 + k];
    }
}

// x = F X
static inline void deform(const patch* p, const double F[9], double* x) {
    for (int v = 0; v < p->vertex_count; ++v)
        for (int a = 0; a < 3; ++a) {
            x[3 * v + a] = 0;
            for (int b = 0; b < p->dim && a < p->dim; ++b)
                x[3 * v + a] += F[3 * a + b] * p->rest[3 * v + b];
        }
}

// What a test says about its material.
typedef struct solid_case {
    const char* name;
    const pli_setting* settings;
    int setting_count;
    bool inverts;       // det F < 0 is allowed
    bool sheet;         // plane stress: plane elements only
    bool not_objective; // small strain
} solid_case;

static inline void contract_of_solid(const solid_case* c, const patch* p, const double* x,
                                     double step) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_term term = make_solid(&memory, c->name, c->settings, c->setting_count, p);
    pli_check_contract(&term, &(pli_contract){.dim = p->dim,
                                              .vertex_count = p->vertex_count,
                                              .x = x,
                                              .step = step,
                                              .gradient_tolerance = 1e-7,
                                              .hessian_tolerance = 1e-6,
                                              .internal = !c->not_objective,
                                              .objective = !c->not_objective,
                                              .clamp_tolerance = -1}); // clamped at F
    end_term(&memory, &term);
}

// All kinds of elements, stretches from 0.3 to 3 and J down to 0.05, equal and nearly equal
// stretches among them, turned inside out if that is allowed; at rest; and uneven states.
static inline void check_contract_of_solid(const solid_case* c) {
    static const double stretches[][3] = {{1, 1, 1},
                                          {1.3, 0.8, 1.1},
                                          {2, 2, 0.7},
                                          {0.5, 0.5, 0.5},
                                          {1, 1, 0.05},
                                          {3, 0.3, 0.3},
                                          {0.4, 0.4, 0.3},
                                          {1.1, 1.1 + 1e-9, 1.1 - 1e-9},
                                          {0.9, 0.9 - 1e-6, 1.5},
                                          {0.8, 3, 0.05},
                                          {1.2, 0.9, -0.5},
                                          {0.8, 0.7, -0.2}};
    pli_random r = {41};
    for (size_t k = 0; k < 4; ++k)
        for (size_t i = 0; i < sizeof stretches / sizeof *stretches; ++i) {
            patch p = make_patch(solid_kinds[k], 0.03);
            double s[3], F[9], x[3 * PATCH_MAX], smallest = 1;
            if (c->sheet && p.dim == 3) continue;
            for (int a = 0; a < 3; ++a) s[a] = stretches[i][a];
            if (s[2] < 0 && !c->inverts) continue;
            if (p.dim == 2 && s[2] < 1) s[1] = s[2]; // the special one must be seen in the plane
            for (int a = 0; a < p.dim; ++a) smallest = fmin(smallest, fabs(s[a]));
            random_f(&r, p.dim, s, F);
            deform(&p, F, x);
            if (i > 0) // quadratic elements see a different F at each point
                for (int v = 0; v < p.vertex_count; ++v)
                    for (int a = 0; a < p.dim; ++a)
                        x[3 * v + a] += (i % 2 ? 0.02 : 0) * smallest * pli_random_in(&r, -1, 1);
            contract_of_solid(c, &p, x, 1e-3 * smallest * (p.vertex_count > 5 ? 0.3 : 1));
        }
}

// Second derivative by F of the first element, which has unit edges, up to the volume.
static inline void read_second(const pli_term* term, const patch* p, const double F[9],
                               bool project, double* C) {
    double x[3 * PATCH_MAX], H[144];
    int d = p->dim, n = d * (d + 1);
    deform(p, F, x);
    eval_first(term, d, x, project, NULL, H);
    for (int i = 0; i < d * d; ++i)
        for (int j = 0; j < d * d; ++j) C[d * d * i + j] = H[n * (i + d) + j + d];
}

// The projection is the nearest positive semi-definite matrix at the level of F.
static inline void check_projection_of_solid(const solid_case* c, int expected_changes) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {42};
    int changed = 0;
    for (int k = 0; k < 2; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        if (c->sheet && p.dim == 3) continue;
        pli_term term = make_solid(&memory, c->name, c->settings, c->setting_count, &p);
        int n = p.dim * p.dim;
        for (int i = 0; i < 1000; ++i) {
            double F[9], C[81], projected[81], s[3], size = 0;
            for (int a = 0; a < 3; ++a) s[a] = exp(pli_random_in(&r, -1.5, 1.5));
            if (i % 4 == 0) s[1] = s[0];
            if (i % 8 == 0) s[2] = s[0];
            if (c->inverts && i % 3 == 0) s[p.dim - 1] *= -0.2;
            random_f(&r, p.dim, s, F);
            read_second(&term, &p, F, false, C);
            read_second(&term, &p, F, true, projected);
            for (int j = 0; j < n * n; ++j) size = fmax(size, fabs(C[j]));
            changed += memcmp(C, projected, (size_t)(n * n) * sizeof *C) != 0;
            pli_project_psd(n, C);
            // Entries are sums of terms of size C; F has a condition number up to e^3.
            for (int j = 0; j < n * n; ++j) ASSERT_NEAR(projected[j], C[j], 1e-11 * size);
        }
        end_term(&memory, &term);
    }
    assert_true(changed >= expected_changes);
}

// Cauchy stress of the first element at x = F X.
static inline void stress_at(const pli_term* term, const patch* p, const double F[9],
                             double stress[6]) {
    double x[3 * PATCH_MAX], all[12] = {0};
    deform(p, F, x);
    pli_element_term_fields(term, x, &(pli_term_fields){.stress = all});
    memcpy(stress, all, 6 * sizeof *stress);
}

// Small strains e give Hooke's law 2 mu e + lam tr e I; in plane stress with lam (1 - ...) such
// that zz vanishes. The energy keeps its digits: it is half of stress times strain.
static inline void check_small_strains(const solid_case* c, double mu, double lam) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {43};
    for (size_t k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        if (c->sheet && p.dim == 3) continue;
        pli_term term = make_solid(&memory, c->name, c->settings, c->setting_count, &p);
        for (int i = 0; i < 20; ++i) {
            double e[9] = {0}, F[9], sigma[6], size = 1e-7, x[3 * PATCH_MAX], energy[2] = {0};
            for (int a = 0; a < p.dim; ++a)
                for (int b = 0; b <= a; ++b)
                    e[3 * a + b] = e[3 * b + a] = size * pli_random_in(&r, -1, 1);
            double in_plane = e[0] + e[4] + e[8];
            if (c->sheet) e[8] = -lam / (lam + 2 * mu) * in_plane;
            for (int a = 0; a < 9; ++a) F[a] = e[a] + (a % 4 == 0);
            stress_at(&term, &p, F, sigma);
            double trace = e[0] + e[4] + e[8], work = 0, scale = mu + fabs(lam);
            static const int at[6] = {0, 4, 8, 5, 6, 1};
            for (int j = 0; j < 6; ++j) {
                double expected = 2 * mu * e[at[j]] + (j < 3 ? lam * trace : 0);
                // second order in the strain, and rounding of F
                ASSERT_NEAR(sigma[j], expected, scale * (20 * size * size + 1e-14));
                work += 0.5 * expected * e[at[j]] * (j < 3 ? 1 : 2);
            }
            double volume = p.dim == 2 ? 0.7 / 2 : 1.0 / 6;
            deform(&p, F, x);
            pli_element_term_fields(&term, x, &(pli_term_fields){.energy = energy});
            ASSERT_NEAR(energy[0] / volume, work, scale * size * size * 1e-5);
        }
        end_term(&memory, &term);
    }
}

// Energies that may invert are finite with finite derivatives everywhere, also where F is singular.
static inline void check_all_states(const solid_case* c) {
    static const double stretches[][3] = {{0, 0, 0},    {1, 0, 0},       {1, 1, 0},      {1, 1, -1},
                                          {2, 2, -2},   {1, 1e-20, 0},   {1e4, 1e-4, 1}, {1, -1, 1},
                                          {0, 0, 1e-9}, {1e-9, 0, -1e-9}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {44};
    for (size_t k = 0; k < 4; ++k)
        for (size_t i = 0; i < sizeof stretches / sizeof *stretches; ++i) {
            patch p = make_patch(solid_kinds[k], 0);
            pli_term term = make_solid(&memory, c->name, c->settings, c->setting_count, &p);
            double F[9], x[3 * PATCH_MAX], g[PLI_LOCAL_MAX], H[PLI_LOCAL_MAX * PLI_LOCAL_MAX];
            random_f(&r, p.dim, stretches[i], F);
            deform(&p, F, x);
            assert_true(isfinite(eval_first(&term, p.dim, x, true, g, H)));
            int n = p.dim * pli_element_size(p.kind);
            for (int a = 0; a < n; ++a) assert_true(isfinite(g[a]));
            for (int a = 0; a < n * n; ++a) assert_true(isfinite(H[a]));
            end_term(&memory, &term);
        }
}

// dE/dF_ab per volume of a patch whose vertices move as x = F X: sum of g_a X_b.
static inline void mean_stress(const pli_term* term, const patch* p, const double F[9],
                               double P[9]) {
    double x[3 * PATCH_MAX], g[PLI_LOCAL_MAX];
    int d = p->dim;
    deform(p, F, x);
    eval_first(term, d, x, false, g, NULL);
    double volume = d == 2 ? 0.7 / 2 : 1.0 / 6;
    memset(P, 0, 9 * sizeof *P);
    for (int v = 0; v < pli_element_size(p->kind); ++v)
        for (int a = 0; a < d; ++a)
            for (int b = 0; b < d; ++b) P[3 * a + b] += g[d * v + a] * p->rest[3 * v + b] / volume;
}

// Uniaxial tension: the lateral stretch with no lateral force, by bisection, and P_xx.
static inline void uniaxial(const pli_term* term, const patch* p, double stretch, double* lateral,
                            double* force) {
    double low = 0.2, high = 3, P[9];
    for (int i = 0; i < 80; ++i) {
        double middle = 0.5 * (low + high), F[9] = {stretch, 0, 0, 0, middle, 0, 0, 0, middle};
        mean_stress(term, p, F, P);
        if (P[4] + P[8] > 0)
            high = middle;
        else
            low = middle;
    }
    *lateral = low;
    *force = P[0];
}

// Rows of stretch, lateral stretch, stress [Pa]: in space, and in the plane with plane stress,
// where the sheet is free in both lateral directions as well.
static inline void check_uniaxial(const char* name, const double (*rows)[3], int count) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (size_t k = 0; k < 4; ++k) {
        patch p = make_patch(solid_kinds[k], 0);
        const pli_setting settings[] = {
            {"young", 1e5}, {"poisson", 0.4}, {"plane_stress", p.dim == 2}};
        pli_term term = make_solid(&memory, name, settings, 3, &p);
        for (int i = 0; i < count; ++i) {
            double lateral, force;
            uniaxial(&term, &p, rows[i][0], &lateral, &force);
            ASSERT_NEAR(lateral, rows[i][1], 1e-8);
            ASSERT_NEAR(force, rows[i][2], 1e-3); // three digits after the point are given
        }
        end_term(&memory, &term);
    }
}

#endif
