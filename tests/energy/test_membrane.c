// Solids on triangles in space: the contract; value, forces and Hessian against the energy of the
// metric in numbers of 113 bits; the projection against the eigen-clamp at the level of F (6x6); the
// plane laws; closed forms; stress, step bound and refusals.
#include "energy/solid_fixture.h"

#include "energy/packed.h"
#include "energy/solid.h"
#include "math/vec.h"
#include "oracle/quad.h"

enum { NEO, STABLE, COROTATED, KIRCHHOFF, ARAP, LAW_COUNT };
static const char* const names[LAW_COUNT] = {"neo-hookean", "stable-neo-hookean", "fixed-corotated",
                                             "st-venant-kirchhoff", "arap"};

static const double young = 1e5, nu = 0.4, thickness = 0.7;
static const double mu = 1e5 / 2.8, lam = 1e5 * 0.4 / (1.4 * 0.2);

// Two triangles at an angle. The first has unit edges, so its F are its edges.
static patch make_sheet(void) {
    return (patch){.dim = 3,
                   .kind = PLI_TRIANGLE,
                   .vertex_count = 4,
                   .element_count = 2,
                   .rest = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1.2, 0.9, 0.4},
                   .vertices = {0, 1, 2, 1, 3, 2}};
}

static pli_term make_membrane(pli_memory* memory, int law, int condensed, const patch* p) {
    const pli_setting settings[] = {
        {"young", young}, {"poisson", nu}, {"plane_stress", condensed}};
    return make_solid(memory, names[law], settings, law == ARAP ? 2 : 3, p);
}

// x = A X
static void move(const patch* p, const double A[9], double* x) {
    for (int v = 0; v < p->vertex_count; ++v)
        for (int a = 0; a < 3; ++a) x[3 * v + a] = pli_dot(A + 3 * a, p->rest + 3 * v, 3);
}

// ---- the oracle: energy per rest volume of the metric, without any frame

typedef struct metric {
    pli_quad trace, det, square; // tr C, det C, tr C^2
} metric;

// C = a0^-1 a with the products of edges a at rest (a0) and now.
static metric metric_of(const pli_quad* rest, const pli_quad* x) {
    pli_quad a[2][4];
    for (int k = 0; k < 2; ++k) {
        const pli_quad* y = k ? x : rest;
        for (int i = 0; i < 4; ++i) {
            a[k][i] = 0;
            for (int c = 0; c < 3; ++c)
                a[k][i] += (y[3 + i / 2 * 3 + c] - y[c]) * (y[3 + i % 2 * 3 + c] - y[c]);
        }
    }
    const pli_quad *r = a[0], *b = a[1], det = r[0] * r[3] - r[1] * r[2];
    pli_quad C[4] = {(r[3] * b[0] - r[1] * b[2]) / det, (r[3] * b[1] - r[1] * b[3]) / det,
                     (r[0] * b[2] - r[2] * b[0]) / det, (r[0] * b[3] - r[2] * b[1]) / det};
    return (metric){C[0] + C[3], C[0] * C[3] - C[1] * C[2],
                    C[0] * C[0] + 2 * C[1] * C[2] + C[3] * C[3]};
}

// The textbook densities with the stretch z across the sheet.
static pli_quad density_at(int law, const metric* c, pli_quad l, pli_quad z) {
    pli_quad m = mu, area = pli_quad_sqrt(c->det), J = area * z, I = c->trace + z * z;
    pli_quad sum = pli_quad_sqrt(c->trace + 2 * area); // s0 + s1
    pli_quad S2 = c->trace - 2 * sum + 2 + (z - 1) * (z - 1);
    pli_quad trE = (I - 3) / 2, E2 = (c->square + z * z * z * z - 2 * I + 3) / 4;
    pli_quad m4 = 4 * m / 3, l5 = l + 5 * m / 6, lnJ;
    switch (law) {
    case NEO:
        lnJ = pli_quad_log(J);
        return m / 2 * (I - 3) - m * lnJ + l / 2 * lnJ * lnJ;
    case STABLE:
        return m4 / 2 * (I - 3) - m4 / 2 * pli_quad_log((I + 1) / 4) - 3 * m4 / 4 * (J - 1) +
               l5 / 2 * (J - 1) * (J - 1);
    case COROTATED: return m * S2 + l / 2 * (J - 1) * (J - 1);
    case KIRCHHOFF: return m * E2 + l / 2 * trE * trE;
    default: return m * S2;
    }
}

// Plane stress: the least density over z, by Newton's method with differences.
static pli_quad density(int law, int condensed, const metric* c) {
    if (!condensed) return density_at(law, c, (pli_quad)2 * lam * mu / (lam + 2 * mu), 1);
    pli_quad z = 1, h = 1e-9;
    for (int i = 0; i < 60; ++i) {
        pli_quad up = density_at(law, c, lam, z + h), down = density_at(law, c, lam, z - h);
        pli_quad slope = (up - down) / (2 * h);
        pli_quad curve = (up - 2 * density_at(law, c, lam, z) + down) / (h * h);
        pli_quad step = curve > 0 ? -slope / curve : slope > 0 ? -z / 4 : z / 4;
        while (!(z + step > z / 4)) step /= 2;
        z += step;
        if (pli_quad_abs(step) < 1e-18 * z) break;
    }
    return density_at(law, c, lam, z);
}

static pli_quad oracle_energy(int law, int condensed, const double* rest, const pli_quad* x) {
    pli_quad X[9];
    double n[3], d1[3], d2[3];
    for (int i = 0; i < 9; ++i) X[i] = rest[i];
    for (int c = 0; c < 3; ++c) {
        d1[c] = rest[3 + c] - rest[c];
        d2[c] = rest[6 + c] - rest[c];
    }
    pli_cross3(d1, d2, n);
    metric at = metric_of(X, x);
    return 0.5 * pli_norm(n, 3) * thickness * density(law, condensed, &at);
}

// Central differences of the oracle; errors of h^2 are far below those of doubles.
static void oracle_derivatives(int law, int condensed, const double* rest, const double* x,
                               double* g, double* H) {
    const pli_quad h = 1e-10, k = 1e-7;
    for (int i = 0; i < 9; ++i) {
        pli_quad y[9], side[2];
        for (int s = 0; s < 2; ++s) {
            for (int j = 0; j < 9; ++j) y[j] = x[j];
            y[i] += s ? -h : h;
            side[s] = oracle_energy(law, condensed, rest, y);
        }
        g[i] = (double)((side[0] - side[1]) / (2 * h));
        for (int j = 0; j <= i; ++j) {
            pli_quad sum = 0;
            for (int s = 0; s < 4; ++s) {
                for (int l = 0; l < 9; ++l) y[l] = x[l];
                y[i] += s & 1 ? -k : k;
                y[j] += s & 2 ? -k : k;
                sum += (s == 0 || s == 3 ? 1 : -1) * oracle_energy(law, condensed, rest, y);
            }
            H[9 * i + j] = H[9 * j + i] = (double)(sum / (4 * k * k));
        }
    }
}

// ---- the contract and the oracle

static const double stretches[][3] = {
    {1, 1, 1},     {1.3, 0.8, 1.1}, {2, 2, 0.7},  {0.5, 0.5, 0.5}, {1, 0.05, 1},
    {3, 0.3, 0.3}, {0.4, 0.3, 1},   {0.8, 3, 0.05}, {1.1, 1.1 + 1e-9, 1}, {0.9, 0.9 - 1e-6, 1.5}};
enum { STATES = sizeof stretches / sizeof *stretches };

static void contract(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {51};
    for (int law = 0; law < LAW_COUNT; ++law)
        for (int i = 0; i < 2 * STATES; ++i) {
            patch p = make_sheet();
            const double* s = stretches[i / 2];
            double A[9], x[3 * PATCH_MAX], least = fmin(1, fmin(s[0], fmin(s[1], s[2])));
            random_f(&r, 3, s, A);
            move(&p, A, x);
            pli_term term = make_membrane(&memory, law, i % 2, &p);
            pli_check_contract(&term, &(pli_contract){.dim = 3,
                                                      .vertex_count = 4,
                                                      .x = x,
                                                      .step = 1e-3 * least,
                                                      .gradient_tolerance = 1e-7,
                                                      .hessian_tolerance = 1e-6,
                                                      .internal = true,
                                                      .objective = true,
                                                      .clamp_tolerance = -1}); // clamped at F
            end_term(&memory, &term);
        }
}

// Also on a rest shape that is far from a right angle.
static void exact_derivatives(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {52};
    for (int law = 0; law < LAW_COUNT; ++law)
        for (int i = 0; i < 2 * STATES; ++i) {
            patch p = make_sheet();
            double A[9], x[3 * PATCH_MAX], g[9], H[81], want_g[9], want_H[81], size = 0;
            if (i % 4 > 1) memcpy(p.rest + 6, (double[3]){1.4, 0.3, -0.2}, 3 * sizeof(double));
            random_f(&r, 3, stretches[i / 2], A);
            move(&p, A, x);
            pli_term term = make_membrane(&memory, law, i % 2, &p);
            double e = eval_first(&term, 3, x, false, g, H), force = 0;
            pli_quad y[9];
            for (int k = 0; k < 9; ++k) y[k] = x[k];
            double want = (double)oracle_energy(law, i % 2, p.rest, y);
            oracle_derivatives(law, i % 2, p.rest, x, want_g, want_H);
            for (int k = 0; k < 9; ++k) force = fmax(force, fabs(want_g[k]));
            for (int k = 0; k < 81; ++k) size = fmax(size, fabs(want_H[k]));
            // Rounding of F: strains of 1e-15 relative to stretches down to 0.05.
            ASSERT_NEAR(e, want, 1e-12 * fabs(want) + 1e-14 * size);
            for (int k = 0; k < 9; ++k) ASSERT_NEAR(g[k], want_g[k], 1e-12 * force + 1e-13 * size);
            for (int k = 0; k < 81; ++k) ASSERT_NEAR(H[k], want_H[k], 1e-11 * size);
            end_term(&memory, &term);
        }
}

// Strains of 1e-6 at any rotation: the energy keeps its digits, given the rounded vertices.
static void digits_near_rest(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {53};
    for (int law = 0; law < LAW_COUNT; ++law)
        for (int i = 0; i < 40; ++i) {
            patch p = make_sheet();
            double A[9], s[3], x[3 * PATCH_MAX], g[9], want_g[9], H[81];
            for (int a = 0; a < 3; ++a) s[a] = 1 + 1e-6 * pli_random_in(&r, -1, 1);
            random_f(&r, 3, s, A);
            move(&p, A, x);
            pli_term term = make_membrane(&memory, law, i % 2, &p);
            double e = eval_first(&term, 3, x, false, g, NULL);
            pli_quad y[9];
            for (int k = 0; k < 9; ++k) y[k] = x[k];
            oracle_derivatives(law, i % 2, p.rest, x, want_g, H);
            // The strain is known to some 1e-15: of forces mu strain and energies mu strain^2.
            ASSERT_NEAR(e, (double)oracle_energy(law, i % 2, p.rest, y), lam * 1e-20);
            for (int k = 0; k < 9; ++k) ASSERT_NEAR(g[k], want_g[k], lam * 4e-15);
            end_term(&memory, &term);
        }
}

// With unit edges the blocks of the last two vertices are the second derivative by F, 6x6.
static void projection_is_the_clamp_at_f(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {54};
    for (int law = 0; law < LAW_COUNT; ++law) {
        int changed = 0;
        for (int i = 0; i < 1000; ++i) {
            patch p = make_sheet();
            double A[9], x[3 * PATCH_MAX], H[81], Q[81], C[36], s[3], size = 0;
            for (int a = 0; a < 3; ++a) s[a] = exp(pli_random_in(&r, -1.5, 1.5));
            if (i % 4 == 0) s[1] = s[0];
            random_f(&r, 3, s, A);
            move(&p, A, x);
            pli_term term = make_membrane(&memory, law, i % 2, &p);
            eval_first(&term, 3, x, false, NULL, H);
            eval_first(&term, 3, x, true, NULL, Q);
            for (int k = 0; k < 36; ++k) C[k] = H[9 * (k / 6 + 3) + k % 6 + 3];
            for (int k = 0; k < 36; ++k) size = fmax(size, fabs(C[k]));
            changed += memcmp(H, Q, sizeof H) != 0;
            pli_project_psd(6, C);
            for (int k = 0; k < 36; ++k)
                ASSERT_NEAR(Q[9 * (k / 6 + 3) + k % 6 + 3], C[k], 1e-11 * size);
            end_term(&memory, &term);
        }
        assert_true(changed > 300); // many random states compress some direction
    }
}

// ---- the plane laws and closed forms

// A flat sheet, turned anywhere, has the energy and the stresses of the same law in the plane.
static void same_as_in_the_plane(void** state) {
    (void)state;
    pli_memory memory, other;
    pli_memory_init(&memory, NULL);
    pli_memory_init(&other, NULL);
    pli_random r = {55};
    for (int law = 0; law < LAW_COUNT; ++law)
        for (int i = 0; i < 40; ++i) {
            int condensed = i % 2;
            const pli_setting settings[] = {
                {"lame_mu", mu},
                {"lame_lambda", condensed ? lam : 2 * lam * mu / (lam + 2 * mu)},
                {"plane_stress", condensed}};
            patch sheet = make_sheet(), plane = make_patch(PLI_TRIANGLE, 0);
            memcpy(sheet.rest, plane.rest, sizeof plane.rest);
            pli_term a = make_membrane(&memory, law, condensed, &sheet);
            pli_term b = make_solid(&other, names[law], settings, law == ARAP ? 1 : 3, &plane);
            double F[9], R[9], x[3 * PATCH_MAX], y[3 * PATCH_MAX], e[2][2] = {{0}}, sigma[2][12] = {{0}};
            double s[3] = {pli_random_in(&r, 0.5, 2), pli_random_in(&r, 0.5, 2), 1}, zz[2][2];
            for (int k = 0; k < 4; ++k) zz[k / 2][k % 2] = 1;
            random_f(&r, 2, s, F);
            pli_random_rotation(&r, 3, R);
            deform(&plane, F, y);
            for (int v = 0; v < 4; ++v)
                for (int c = 0; c < 3; ++c) x[3 * v + c] = pli_dot(R + 3 * c, y + 3 * v, 3) + c;
            pli_element_term_fields(&a, x, &(pli_term_fields){e[0], sigma[0], zz[0]});
            pli_element_term_fields(&b, y, &(pli_term_fields){e[1], sigma[1], zz[1]});
            static const int rows[6] = {0, 1, 2, 1, 2, 0}, columns[6] = {0, 1, 2, 2, 0, 1};
            for (int t = 0; t < 2; ++t) {
                ASSERT_NEAR(e[0][t], e[1][t], 1e-12 * lam);
                ASSERT_NEAR(zz[0][t], zz[1][t], 1e-13);
                const double* f = sigma[1] + 6 * t;
                double S[9] = {f[0], f[5], 0, f[5], f[1], 0, 0, 0, 0};
                for (int k = 0; k < 6; ++k) { // R S R^T
                    double sum = 0;
                    for (int j = 0; j < 9; ++j)
                        sum += R[3 * rows[k] + j / 3] * S[j] * R[3 * columns[k] + j % 3];
                    double largest = fmax(fabs(f[0]), fmax(fabs(f[1]), fabs(f[5])));
                    ASSERT_NEAR(sigma[0][6 * t + k], sum, 1e-11 * (lam + largest));
                }
            }
            end_term(&memory, &a);
            end_term(&other, &b);
        }
}

// A strip pulled along x at small strain: stress E e, contraction nu e, whatever the law and form
// (arap: mu and lam = 0, so E = 2 mu and no contraction).
static void strip_has_young_and_poisson(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int law = 0; law < LAW_COUNT; ++law)
        for (int condensed = 0; condensed < 2; ++condensed) {
            patch p = make_sheet();
            pli_term term = make_membrane(&memory, law, condensed, &p);
            double strain = 1e-6, low = -1e-6, high = 1e-6, g[9], volume = 0.5 * thickness;
            for (int i = 0; i < 60; ++i) {
                double lateral = 0.5 * (low + high);
                double A[9] = {1 + strain, 0, 0, 0, 1 + lateral, 0, 0, 0, 1}, x[3 * PATCH_MAX];
                move(&p, A, x);
                eval_first(&term, 3, x, false, g, NULL);
                if (g[7] > 0) // of the third vertex along y
                    high = lateral;
                else
                    low = lateral;
            }
            double E = law == ARAP ? 2 * mu : young, contraction = law == ARAP ? 0 : nu;
            // Terms of second order in the strain, and 1e-15 / strain of rounding.
            ASSERT_NEAR(-low / strain, contraction, 1e-5);
            ASSERT_NEAR(g[3] / volume / strain, E, 1e-5 * E);
            end_term(&memory, &term);
        }
}

// Equal stretch s of a neo-Hookean sheet. S = mu (1 - 1/s^2) + 2 lam_ps ln s / s^2; with plane stress
// the stretch z across it solves mu (z^2 - 1) + lam ln(s^2 z) = 0, so that S = mu (1 - z^2 / s^2).
static void equibiaxial_stretch(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int condensed = 0; condensed < 2; ++condensed) {
        patch p = make_sheet();
        pli_term term = make_membrane(&memory, NEO, condensed, &p);
        for (double s = 0.6; s < 3.1; s += 0.3) {
            double A[9] = {s, 0, 0, 0, s, 0, 0, 0, 1}, x[3 * PATCH_MAX], g[9], z = 1;
            double ps = 2 * lam * mu / (lam + 2 * mu);
            double per_stretch = mu * (1 - 1 / (s * s)) + 2 * ps * log(s) / (s * s);
            for (int i = 0; i < 100; ++i) { // Newton's method for ln z
                double rest = mu * (z * z - 1) + lam * log(s * s * z);
                z *= exp(-rest / (2 * mu * z * z + lam));
            }
            if (condensed) per_stretch = mu * (1 - z * z / (s * s));
            move(&p, A, x);
            eval_first(&term, 3, x, false, g, NULL);
            ASSERT_NEAR(g[3], 0.5 * thickness * per_stretch * s, 1e-9 * young);
            ASSERT_NEAR(g[7], 0.5 * thickness * per_stretch * s, 1e-9 * young);
            double zz[2] = {1, 1}, sigma[12] = {0}, J = s * s * (condensed ? z : 1);
            pli_element_term_fields(&term, x, &(pli_term_fields){.across = zz, .stress = sigma});
            ASSERT_NEAR(zz[0], condensed ? z : 1, 1e-12);
            ASSERT_NEAR(sigma[0], per_stretch * s * s / J, 1e-9 * young);
            ASSERT_NEAR(sigma[2], 0, 1e-9 * young);
        }
        end_term(&memory, &term);
    }
}

// ---- special states

// Triangles without area: laws that allow them stay finite, the others forbid them.
static void without_area(void** state) {
    (void)state;
    static const double shapes[][6] = {{0, 0, 0, 0, 0, 0}, {1, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0},
                                       {1, 1, 1, 2, 2, 2}, {1, 0, 0, -1, 0, 0}, {0, 0, 2, 0, 0, 2}};
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    for (int law = 0; law < LAW_COUNT; ++law)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; ++i) {
            patch p = make_sheet();
            pli_term term = make_membrane(&memory, law, 0, &p);
            double x[3 * PATCH_MAX] = {0}, g[9], H[81];
            memcpy(x + 3, shapes[i], sizeof shapes[i]);
            double e = eval_first(&term, 3, x, true, g, H);
            assert_true(law == NEO ? e == HUGE_VAL : isfinite(e));
            for (int k = 0; k < 9; ++k) assert_true(isfinite(g[k]));
            for (int k = 0; k < 81; ++k) assert_true(isfinite(H[k]));
            end_term(&memory, &term);
        }
}

// The area never vanishes on the segment, whatever the direction.
static void step_bound(void** state) {
    (void)state;
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    pli_random r = {56};
    patch p = make_sheet();
    pli_term term = make_membrane(&memory, NEO, 0, &p);
    int shortened = 0;
    for (int i = 0; i < 1000; ++i) {
        double A[9], x[3 * PATCH_MAX], step[12], size = exp(pli_random_in(&r, -3, 3));
        random_f(&r, 3, (double[3]){1.2, 0.8, 1}, A);
        move(&p, A, x);
        for (int k = 0; k < 12; ++k) step[k] = size * pli_random_in(&r, -1, 1);
        if (i % 4 == 0) // exactly through a point
            for (int k = 0; k < 12; ++k) step[k] = -(1 + size) * (x[k] - x[k % 3]);
        pli_view view = {.x = x};
        double bound = term.ops->max_step(term.self, &view, step);
        assert_true(bound > 0 && bound <= 1);
        shortened += bound < 1;
        pli_check_step_bound(&term, 3, 4, x, step);
        for (int t = 0; t < 2; ++t) { // a tenth of the area stays
            double area[2];
            for (int k = 0; k < 2; ++k) {
                double y[3][3], d1[3], d2[3], n[3];
                for (int v = 0; v < 3; ++v)
                    for (int c = 0; c < 3; ++c)
                        y[v][c] = x[3 * p.vertices[3 * t + v] + c] +
                                  k * bound * step[3 * p.vertices[3 * t + v] + c];
                pli_sub(y[1], y[0], d1, 3);
                pli_sub(y[2], y[0], d2, 3);
                pli_cross3(d1, d2, n);
                area[k] = pli_norm(n, 3);
            }
            assert_true(area[1] > 0.0999 * area[0]);
        }
    }
    assert_true(shortened > 400);
    end_term(&memory, &term);
}

static void refuse(const char* name, const patch* p, const char* text) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const pli_energy_type* type = find_type(name);
    double values[8];
    pli_error error = {0};
    pli_term term;
    ASSERT_OK(pli_energy_params(type, NULL, 0, values, &error));
    pli_domain domain = {.dim = 3,
                         .kind = p->kind,
                         .element_count = 1,
                         .vertices = p->vertices,
                         .rest = p->rest,
                         .thickness = 1};
    assert_int_equal(pli_element_term_create(&memory, type, values, &domain, &term, &error),
                     PLI_E_ARGUMENT);
    assert_string_equal(error.message, text);
    assert_int_equal(memory.bytes, 0);
}

static void refusals(void** state) {
    (void)state;
    patch p = make_sheet(), flat = p, quadratic = p;
    memcpy(flat.rest + 6, (double[3]){2, 0, 0}, 3 * sizeof(double));
    quadratic.kind = PLI_TRIANGLE6;
    refuse("neo-hookean", &flat, "triangle 0: area at rest = 0 m^2, must be > 0");
    refuse("linear", &p, "energy \"linear\" does not support triangle elements");
    refuse("volume", &p, "energy \"volume\" does not support triangle elements");
    refuse("arap", &quadratic, "energy \"arap\" does not support 6-node triangle elements");
    int counts[PLI_ELEMENT_KIND_COUNT] = {[PLI_TRIANGLE] = 4};
    const pli_energy_type* type = find_type("neo-hookean");
    assert_true(pli_energy_acts_on(type, 3, PLI_TRIANGLE, counts));
    assert_false(pli_energy_acts_on(type, 3, PLI_TRIANGLE6, counts));
    counts[PLI_TETRAHEDRON] = 1; // its faces are no sheet
    assert_false(pli_energy_acts_on(type, 3, PLI_TRIANGLE, counts));
    assert_true(pli_energy_acts_on(type, 3, PLI_TETRAHEDRON, counts));
    assert_true(pli_energy_acts_on(type, 2, PLI_TRIANGLE, counts));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract),
        cmocka_unit_test(exact_derivatives),
        cmocka_unit_test(digits_near_rest),
        cmocka_unit_test(projection_is_the_clamp_at_f),
        cmocka_unit_test(same_as_in_the_plane),
        cmocka_unit_test(strip_has_young_and_poisson),
        cmocka_unit_test(equibiaxial_stretch),
        cmocka_unit_test(without_area),
        cmocka_unit_test(step_bound),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
