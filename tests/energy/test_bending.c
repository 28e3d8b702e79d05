// Bending by normals at the middles of edges: the contract with all kinds of edges, rigid motion,
// the patch test, a cylinder, meshes with corners of three triangles and with turned triangles.
#include "energy/mid_edge.h"
#include "energy/plate_fixture.h"

static const double young = 3e4, poisson = 0.3, thickness = 0.1;
static const double params[] = {3e4, 0.3, 0.1, 0, 0, NAN, NAN, NAN, 0, 0, 0};
static double stiffness(void) { return young * pow(thickness, 3) / (12 * (1 - poisson * poisson)); }

static void curve(plate* p) {
    for (int i = 0; i < p->points; ++i) {
        double *X = p->rest + 3 * i, u = X[0] - 0.4, v = X[1] - 0.5;
        X[2] = 0.3 * u * u - 0.2 * v * v + 0.1 * u * v;
    }
}

// Left: fixed. Bottom: a plane of symmetry. The inner edge of the vertices 5 and 6: fixed.
static void clamp(plate* p) {
    for (int i = 0; i < p->points; ++i) {
        if (p->rest[3 * i] == 0) p->held[i] = PLI_HELD_CLAMPED | 7;
        if (p->rest[3 * i + 1] == 0) p->held[i] |= PLI_HELD_CLAMPED | PLI_HELD_Y;
    }
    p->held[5] = p->held[6] = PLI_HELD_CLAMPED | 7;
}

// The second triangle turned round.
static void turn_one(plate* p) {
    int32_t swapped = p->triangles[3];
    p->triangles[3] = p->triangles[4];
    p->triangles[4] = swapped;
}

static void contract_at_random_states(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    pli_random r = {5};
    for (int i = 0; i < 8; ++i) {
        double with[PLI_PLATE_PARAMS];
        memcpy(with, params, sizeof with);
        plate_grid(&p, 3, 3, 1, 0.25);
        if (i & 1) curve(&p);
        if (i & 2) clamp(&p);
        if (i & 4) turn_one(&p);
        with[PLI_PLATE_FLAT] = i == 3;
        for (int v = 0; v < p.points && i >= 6; ++v) // edges that turn, edges with moments
            p.held[v] |= p.held[v] & PLI_HELD_CLAMPED ? PLI_HELD_PRESCRIBED : PLI_HELD_MOMENT;
        if (i == 5) with[PLI_PLATE_D1] = 4, with[PLI_PLATE_D2] = 0.5;
        plate_make(&p, "bending", with);
        plate_disturb(&p, 0.07, x, &r);
        pli_check_contract(&p.term, &(pli_contract){.dim = 3,
                                                    .vertex_count = p.vertices,
                                                    .x = x,
                                                    .step = 1e-5,
                                                    .gradient_tolerance = 1e-8,
                                                    .hessian_tolerance = 1e-8,
                                                    .gauss_newton = true});
        plate_free(&p);
    }
}

static double largest(const double* a, int n) {
    double most = 0;
    for (int i = 0; i < n; ++i) most = fmax(most, fabs(a[i]));
    return most;
}

// No force at rest and after a rotation by 90 degrees about a slanted axis, compared with those of
// a disturbance by a tenth of a cell; forces of any state have no resultant.
static void rigid_motion_is_free(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES], g[3 * PLATE_VERTICES], force[3 * PLATE_VERTICES];
    const double a[3] = {0.36, 0.48, 0.8};
    plate_grid(&p, 4, 4, 1, 0.25);
    curve(&p);
    turn_one(&p);
    plate_make(&p, "bending", params);
    memset(x, 0, sizeof x);
    memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
    assert_true(plate_eval(&p, x, false, g, NULL) == 0);
    for (int i = 0; i < 3 * p.vertices; ++i) assert_true(g[i] == 0);
    for (int i = 0; i < p.points; ++i) {
        const double* X = p.rest + 3 * i;
        double cross[3], along = pli_dot(a, X, 3);
        pli_cross3(a, X, cross);
        for (int c = 0; c < 3; ++c) x[3 * i + c] = cross[c] + along * a[c] + 10;
    }
    memset(g, 0, sizeof g);
    double turned = plate_eval(&p, x, false, g, NULL);
    pli_random r = {3};
    plate_disturb(&p, 0.025, x, &r);
    memset(force, 0, sizeof force);
    double bent = plate_eval(&p, x, false, force, NULL);
    assert_true(largest(g, 3 * p.vertices) <= 1e-12 * largest(force, 3 * p.vertices));
    assert_true(turned <= 1e-24 * bent);
    double sum[6] = {0};
    for (int i = 0; i < p.points; ++i) {
        double torque[3];
        pli_cross3(x + 3 * i, force + 3 * i, torque);
        for (int c = 0; c < 3; ++c) sum[c] += force[3 * i + c], sum[3 + c] += torque[c];
    }
    assert_true(largest(sum, 6) <= 1e-13 * largest(force, 3 * p.vertices));
    plate_free(&p);
}

// w = (a x^2 + 2 b x y + c y^2) / 2, small, the nodes as on this surface: triangles without free
// edges have the energy of constant curvature.
static const double amplitude = 1e-5, bend_xx = 1, bend_xy = 0.4, bend_yy = -0.7;

static void patch_normal(const double X[3], double n[3]) {
    n[0] = -amplitude * (bend_xx * X[0] + bend_xy * X[1]);
    n[1] = -amplitude * (bend_xy * X[0] + bend_yy * X[1]);
    n[2] = 1;
}

static bool touches_boundary(const int32_t* v) { return v[3] < 0 || v[4] < 0 || v[5] < 0; }

static void patch_test(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    plate_grid(&p, 8, 8, 1, 0.35);
    plate_make(&p, "bending", params);
    memset(x, 0, sizeof x);
    memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
    for (int i = 0; i < p.points; ++i) {
        double* X = x + 3 * i;
        X[2] = 0.5 * amplitude *
               (bend_xx * X[0] * X[0] + 2 * bend_xy * X[0] * X[1] + bend_yy * X[1] * X[1]);
    }
    plate_set_nodes(&p, patch_normal, x);
    double tr = bend_xx + bend_yy,
           square = bend_xx * bend_xx + 2 * bend_xy * bend_xy + bend_yy * bend_yy,
           density = 0.5 * stiffness() * amplitude * amplitude *
                     ((1 - poisson) * square + poisson * tr * tr);
    for (int i = 0; i < p.triangle_count; ++i) {
        const int32_t* v = p.term.ops->vertices(p.term.self) + 9 * i;
        if (touches_boundary(v)) continue;
        pli_batch in = {.dim = 3, .count = 1, .width = 9, .vertices = v, .x = x, .want = PLI_VALUE};
        double e = 0, d1[3], d2[3];
        p.term.ops->eval(p.term.self, i, &in, &(pli_local){.e = &e});
        pli_sub(p.rest + 3 * v[1], p.rest + 3 * v[0], d1, 3);
        pli_sub(p.rest + 3 * v[2], p.rest + 3 * v[0], d2, 3);
        double area = 0.5 * fabs(d1[0] * d2[1] - d1[1] * d2[0]);
        ASSERT_NEAR(e, area * density, 1e-9 * area * density); // amplitude^2, roundings / amplitude
    }
    plate_free(&p);
}

// The same of a woven plate, the warp at 30 degrees to x. With the stiffnesses of an isotropic one
// it is that one.
static void woven_patch(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    const double c = cos(0.5), s = sin(0.5), D = stiffness(), twist = 0.9;
    for (int same = 0; same < 2; ++same) {
        const double D1 = same ? D : 5, D2 = same ? D : 2,
                     D66 = same ? 0.5 * (1 - poisson) * D : twist, D12 = poisson * sqrt(D1 * D2);
        const double woven[] = {3e4,   0.3,   0.1, 0, 0, D1, D2, same ? (double)NAN : twist,
                                2 * c, 2 * s, 7};
        plate_grid(&p, 8, 8, 1, 0.35);
        plate_make(&p, "bending", woven);
        memset(x, 0, sizeof x);
        memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
        for (int i = 0; i < p.points; ++i) {
            double* X = x + 3 * i;
            X[2] = 0.5 * amplitude *
                   (bend_xx * X[0] * X[0] + 2 * bend_xy * X[0] * X[1] + bend_yy * X[1] * X[1]);
        }
        plate_set_nodes(&p, patch_normal, x);
        double a = c * c * bend_xx + 2 * c * s * bend_xy + s * s * bend_yy,
               b = s * s * bend_xx - 2 * c * s * bend_xy + c * c * bend_yy,
               t = c * s * (bend_yy - bend_xx) + (c * c - s * s) * bend_xy;
        double density = 0.5 * amplitude * amplitude *
                         (D1 * a * a + 2 * D12 * a * b + D2 * b * b + 4 * D66 * t * t);
        double curvature = amplitude * (fabs(0.5 * (bend_xx + bend_yy)) +
                                        hypot(0.5 * (bend_xx - bend_yy), bend_xy));
        double m1 = D1 * a + D12 * b, m2 = D12 * a + D2 * b;
        double moment = amplitude * (fabs(0.5 * (m1 + m2)) + hypot(0.5 * (m1 - m2), 2 * D66 * t));
        for (int i = 0; i < p.triangle_count; ++i) {
            const int32_t* v = p.term.ops->vertices(p.term.self) + 9 * i;
            if (touches_boundary(v)) continue;
            pli_batch in = {
                .dim = 3, .count = 1, .width = 9, .vertices = v, .x = x, .want = PLI_VALUE};
            double e = 0, d1[3], d2[3];
            p.term.ops->eval(p.term.self, i, &in, &(pli_local){.e = &e});
            pli_sub(p.rest + 3 * v[1], p.rest + 3 * v[0], d1, 3);
            pli_sub(p.rest + 3 * v[2], p.rest + 3 * v[0], d2, 3);
            double area = 0.5 * fabs(d1[0] * d2[1] - d1[1] * d2[0]);
            ASSERT_NEAR(e, area * density, 1e-9 * area * density);
        }
        const int middle = 4 * 9 + 4;
        ASSERT_NEAR(plate_shown(&p, "curvature_change", x, middle), curvature, 1e-9 * curvature);
        ASSERT_NEAR(plate_shown(&p, "bending_moment", x, middle), moment, 1e-9 * moment);
        plate_free(&p);
    }
}

// The gradient of the linear function with the values w at the corners of a triangle at rest.
static void slope(const double* rest, const int32_t v[3], const double* w, double out[2]) {
    double d1[3], d2[3];
    pli_sub(rest + 3 * v[1], rest + 3 * v[0], d1, 3);
    pli_sub(rest + 3 * v[2], rest + 3 * v[0], d2, 3);
    double det = d1[0] * d2[1] - d1[1] * d2[0], a = w[v[1]] - w[v[0]], b = w[v[2]] - w[v[0]];
    out[0] = (a * d2[1] - b * d1[1]) / det;
    out[1] = (b * d1[0] - a * d2[0]) / det;
}

// The same without rounded angles: forces H u of the linear problem at rest, u the exact solution.
static void linear_patch_test(void** state) {
    (void)state;
    static plate p;
    static double w[PLATE_POINTS], u[3 * PLATE_VERTICES];
    plate_grid(&p, 8, 8, 1, 0.35);
    plate_make(&p, "bending", params);
    memset(u, 0, sizeof u);
    for (int i = 0; i < p.points; ++i) {
        const double* X = p.rest + 3 * i;
        w[i] = 0.5 * (bend_xx * X[0] * X[0] + 2 * bend_xy * X[0] * X[1] + bend_yy * X[1] * X[1]);
        u[3 * i + 2] = w[i];
    }
    for (int i = 0; i < 3 * p.triangle_count; ++i) {
        const int32_t *v = p.term.ops->vertices(p.term.self) + 9 * (i / 3), k = i % 3;
        if (v[6 + k] < 0) continue;
        int32_t a = v[(k + 1) % 3], b = v[(k + 2) % 3], other[3] = {v[3 + k], b, a};
        double e[3], own[2], beyond[2], n[3], middle[3];
        pli_sub(p.rest + 3 * b, p.rest + 3 * a, e, 3);
        for (int r = 0; r < 3; ++r) middle[r] = 0.5 * (p.rest[3 * a + r] + p.rest[3 * b + r]);
        slope(p.rest, v, w, own);
        slope(p.rest, other, w, beyond);
        patch_normal(middle, n);
        double length = pli_norm(e, 3), nx = n[0] / amplitude, ny = n[1] / amplitude;
        double alpha = (e[0] * (-own[1] - ny) + e[1] * (nx + own[0])) / length;
        double theta = (e[0] * (beyond[1] - own[1]) + e[1] * (own[0] - beyond[0])) / length;
        u[3 * v[6 + k]] = (a < b ? 1 : -1) * (alpha - 0.5 * theta);
    }
    int n = 3 * p.vertices;
    double *H = calloc((size_t)(n * n), sizeof *H), x[3 * PLATE_VERTICES] = {0}, most = 0;
    memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
    plate_eval(&p, x, false, NULL, H);
    for (int pass = 0; pass < 2; ++pass)
        for (int i = 0; i < n; ++i) {
            double force = pli_dot(H + i * n, u, n);
            int v = i / 3, a = v % 9, b = v / 9;
            if (pass == 0) most = fmax(most, fabs(force));
            if (pass == 1 && v < p.points && a > 2 && a < 6 && b > 2 && b < 6)
                ASSERT_NEAR(force, 0.0, 1e-12 * most); // two cells from free edges
        }
    free(H);
    plate_free(&p);
}

// A sheet on a cylinder: D/2 (1/R)^2 per area away from the free edges, up to the square of the
// angle of a cell.
static const double radius = 0.7;
static void cylinder_normal(const double X[3], double n[3]) {
    n[0] = sin(X[0] / radius);
    n[1] = 0;
    n[2] = cos(X[0] / radius);
}

static double cylinder_error(int n) {
    static plate p;
    static double x[3 * PLATE_VERTICES];
    plate_grid(&p, n, n, 1, 0.3);
    plate_make(&p, "bending", params);
    memset(x, 0, sizeof x);
    for (int i = 0; i < p.points; ++i) {
        const double* X = p.rest + 3 * i;
        const double on[3] = {radius * sin(X[0] / radius), X[1], radius * cos(X[0] / radius)};
        memcpy(x + 3 * i, on, sizeof on);
    }
    plate_set_nodes(&p, cylinder_normal, x);
    double sum = 0, area = 0;
    for (int i = 0; i < p.triangle_count; ++i) {
        const int32_t* v = p.term.ops->vertices(p.term.self) + 9 * i;
        pli_batch in = {.dim = 3, .count = 1, .width = 9, .vertices = v, .x = x, .want = PLI_VALUE};
        double e = 0, d1[3], d2[3];
        if (touches_boundary(v)) continue;
        p.term.ops->eval(p.term.self, i, &in, &(pli_local){.e = &e});
        pli_sub(p.rest + 3 * v[1], p.rest + 3 * v[0], d1, 3);
        pli_sub(p.rest + 3 * v[2], p.rest + 3 * v[0], d2, 3);
        sum += e;
        area += 0.5 * fabs(d1[0] * d2[1] - d1[1] * d2[0]);
    }
    plate_free(&p);
    return sum / (0.5 * stiffness() / (radius * radius) * area) - 1;
}

static void cylinder(void** state) {
    (void)state;
    double coarse = fabs(cylinder_error(8)), fine = fabs(cylinder_error(16));
    print_message("    error %.2g on 8 x 8, %.2g on 16 x 16\n", coarse, fine);
    assert_true(coarse < 2e-2);
    assert_true(fine < 0.35 * coarse);
}

// A tetrahedron: each triangle has the same apex beyond all its edges.
static void closed_surface(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES], g[3 * PLATE_VERTICES], up[3 * PLATE_VERTICES];
    static const double rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.2, 0.3, 0.9};
    static const int32_t faces[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    memset(&p, 0, sizeof p);
    pli_memory_init(&p.memory, NULL);
    p.points = 4;
    p.triangle_count = 4;
    memcpy(p.rest, rest, sizeof rest);
    memcpy(p.triangles, faces, sizeof faces);
    plate_make(&p, "bending", params);
    assert_int_equal(p.nodes.count, 6);
    pli_random r = {9};
    plate_disturb(&p, 0.1, x, &r);
    memset(g, 0, sizeof g);
    plate_eval(&p, x, false, g, NULL);
    double most = largest(g, 3 * p.vertices), h = 1e-5;
    for (int i = 0; i < 3 * p.vertices; ++i) {
        if (i >= 3 * p.points && i % 3 > 0) continue;
        memcpy(up, x, sizeof x);
        up[i] = x[i] + h;
        double high = plate_eval(&p, up, false, NULL, NULL);
        up[i] = x[i] - h;
        ASSERT_NEAR((high - plate_eval(&p, up, false, NULL, NULL)) / (2 * h), g[i], 1e-7 * most);
    }
    plate_free(&p);
}

// Three triangles at an edge: it is free for all of them. A triangle without area is refused.
static void edges_of_three_and_errors(void** state) {
    (void)state;
    static plate p;
    static const double rest[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1};
    static const int32_t faces[] = {0, 1, 2, 1, 0, 3, 0, 1, 4};
    memset(&p, 0, sizeof p);
    pli_memory_init(&p.memory, NULL);
    p.points = 5;
    p.triangle_count = 3;
    memcpy(p.rest, rest, sizeof rest);
    memcpy(p.triangles, faces, sizeof faces);
    plate_make(&p, "bending", params);
    assert_int_equal(p.nodes.count, 0);
    double x[15];
    memcpy(x, rest, sizeof x);
    x[8] = 0.5;
    assert_true(plate_eval(&p, x, false, NULL, NULL) == 0);
    x[8] = 0, x[7] = 0; // on the edge, where no angle is used
    assert_true(plate_eval(&p, x, false, NULL, NULL) == 0);
    plate_free(&p);
    const int32_t stencil[9] = {0, 1, 2, -1, -1, -1, -1, -1, -1};
    pli_domain domain = {
        .dim = 3, .kind = PLI_STENCIL, .element_count = 1, .vertices = stencil, .rest = x};
    pli_error error = {0};
    pli_term term;
    assert_int_equal(
        pli_element_term_create(&p.memory, find_type("bending"), params, &domain, &term, &error),
        PLI_E_ARGUMENT);
    assert_non_null(strstr(error.message, "no area"));
}

// The same surface: two cells from the free edges it shows the largest principal curvature and
// moment on any mesh, for any direction of the triangles.
static void shows_curvature_and_moment(void** state) {
    (void)state;
    static plate p;
    static double x[3 * PLATE_VERTICES];
    plate_grid(&p, 8, 8, 1, 0.35);
    plate_make(&p, "bending", params);
    memset(x, 0, sizeof x);
    memcpy(x, p.rest, 3 * sizeof(double) * (size_t)p.points);
    for (int i = 0; i < p.points; ++i) {
        const double* X = p.rest + 3 * i;
        x[3 * i + 2] = 0.5 * amplitude *
                       (bend_xx * X[0] * X[0] + 2 * bend_xy * X[0] * X[1] + bend_yy * X[1] * X[1]);
    }
    plate_set_nodes(&p, patch_normal, x);
    double mean = 0.5 * amplitude * (bend_xx + bend_yy);
    double apart = amplitude * hypot(0.5 * (bend_xx - bend_yy), bend_xy);
    double moment = stiffness() * ((1 + poisson) * mean + (1 - poisson) * apart);
    for (int i = 0; i < p.points; ++i) {
        int a = i % 9, b = i / 9;
        if (a < 2 || a > 6 || b < 2 || b > 6) continue;
        ASSERT_NEAR(plate_shown(&p, "curvature_change", x, i), mean + apart, 1e-6 * apart);
        ASSERT_NEAR(plate_shown(&p, "bending_moment", x, i), moment, 1e-6 * moment);
    }
    for (int i = 0; i < p.points; ++i) x[3 * i + 1] = x[3 * i + 2] = 0; // no areas: nothing
    assert_true(isnan(plate_shown(&p, "curvature_change", x, 40)));
    plate_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contract_at_random_states),
        cmocka_unit_test(rigid_motion_is_free),
        cmocka_unit_test(patch_test),
        cmocka_unit_test(woven_patch),
        cmocka_unit_test(linear_patch_test),
        cmocka_unit_test(cylinder),
        cmocka_unit_test(shows_curvature_and_moment),
        cmocka_unit_test(closed_surface),
        cmocka_unit_test(edges_of_three_and_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
