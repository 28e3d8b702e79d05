// Every law keeps its digits near rest at any rotation: value, forces and Hessian of all elements
// against the textbook formula of the energy density in numbers of 113 bits, differentiated by
// differences. Given is F as the kernel sees it, rounded from the vertices; of linear elements with
// unit edges it is exact.
#include "energy/fixture.h"

#include "energy/solid.h"
#include "energy/solid_element.h"
#include "math/small.h"
#include "mesh/reference.h"
#include "oracle/quad.h"

enum { WIDTH = 10, LOCAL = 3 * WIDTH, RECORD = PLI_SOLID_SIZE(3, 10, 4) };

// ---- energy densities [Pa] of a 3x3 matrix F

typedef struct constants {
    pli_quad mu, lam; // [Pa]
} constants;

static pli_quad det3(const pli_quad F[9]) {
    return F[0] * (F[4] * F[8] - F[5] * F[7]) - F[1] * (F[3] * F[8] - F[5] * F[6]) +
           F[2] * (F[3] * F[7] - F[4] * F[6]);
}

static pli_quad square_of(const pli_quad F[9]) {
    pli_quad sum = 0;
    for (int i = 0; i < 9; ++i) sum += F[i] * F[i];
    return sum;
}

// |F - R|^2 with the rotation R nearest to F, by Newton's method R <- (R + R^-T) / 2.
static pli_quad distance_to_rotation(const pli_quad F[9]) {
    pli_quad R[9], cofactor[9], change = 1, distance[9];
    for (int i = 0; i < 9; ++i) R[i] = F[i];
    for (int n = 0; n < 40 && change > 1e-40; ++n) {
        pli_quad det = det3(R);
        for (int i = 0; i < 9; ++i) {
            int a = i / 3, b = i % 3, c = (a + 1) % 3, d = (a + 2) % 3, e = (b + 1) % 3;
            int f = (b + 2) % 3;
            cofactor[i] = R[3 * c + e] * R[3 * d + f] - R[3 * c + f] * R[3 * d + e];
        }
        change = 0;
        for (int i = 0; i < 9; ++i) {
            pli_quad half = (cofactor[i] / det - R[i]) / 2;
            change += half * half;
            R[i] += half;
        }
    }
    for (int i = 0; i < 9; ++i) distance[i] = F[i] - R[i];
    return square_of(distance);
}

static pli_quad arap(const constants* c, const pli_quad F[9]) {
    return c->mu * distance_to_rotation(F);
}

static pli_quad volume(const constants* c, const pli_quad F[9]) {
    pli_quad J1 = det3(F) - 1;
    return c->lam / 2 * J1 * J1;
}

static pli_quad fixed_corotated(const constants* c, const pli_quad F[9]) {
    return arap(c, F) + volume(c, F);
}

// mu |e|^2 + lam/2 (tr e)^2
static pli_quad hooke(const constants* c, const pli_quad e[9]) {
    pli_quad trace = e[0] + e[4] + e[8];
    return c->mu * square_of(e) + c->lam / 2 * trace * trace;
}

static pli_quad linear(const constants* c, const pli_quad F[9]) {
    pli_quad e[9];
    for (int i = 0; i < 9; ++i) e[i] = (F[i] + F[i % 3 * 3 + i / 3]) / 2 - (i % 4 == 0);
    return hooke(c, e);
}

static void green_strain(const pli_quad F[9], pli_quad E[9]) {
    for (int i = 0; i < 9; ++i) {
        E[i] = i % 4 == 0 ? -0.5 : 0;
        for (int k = 0; k < 3; ++k) E[i] += F[3 * k + i / 3] * F[3 * k + i % 3] / 2;
    }
}

static pli_quad st_venant_kirchhoff(const constants* c, const pli_quad F[9]) {
    pli_quad E[9];
    green_strain(F, E);
    return hooke(c, E);
}

static pli_quad neo_hookean(const constants* c, const pli_quad F[9]) {
    pli_quad lnJ = pli_quad_log(det3(F));
    return c->mu / 2 * (square_of(F) - 3) - c->mu * lnJ + c->lam / 2 * lnJ * lnJ;
}

static pli_quad stable_neo_hookean(const constants* c, const pli_quad F[9]) {
    pli_quad mu = c->mu * 4 / 3, lam = c->lam + c->mu * 5 / 6, I = square_of(F), J1 = det3(F) - 1;
    return mu / 2 * (I - 3) - mu / 2 * pli_quad_log((I + 1) / 4) - mu * 3 / 4 * J1 +
           lam / 2 * J1 * J1;
}

typedef struct law_row {
    const char* name;
    pli_quad (*density)(const constants* c, const pli_quad F[9]);
    bool small;    // no rotations
    bool no_sheet; // has no plane stress
} law_row;

static const law_row laws[] = {
    {"arap", arap, false, true},
    {"fixed-corotated", fixed_corotated, false, false},
    {"linear", linear, true, false},
    {"neo-hookean", neo_hookean, false, false},
    {"st-venant-kirchhoff", st_venant_kirchhoff, false, false},
    {"stable-neo-hookean", stable_neo_hookean, false, false},
    {"volume", volume, false, true},
};
enum { LAW_COUNT = sizeof laws / sizeof *laws };

// ---- one point

typedef struct point {
    const law_row* law;
    constants c;
    int dim;
    bool sheet; // plane stress
} point;

// Psi of a dim x dim matrix; under plane stress at its smallest over F_zz, by Newton's method.
static pli_quad density_at(const point* p, const pli_quad F[9]) {
    if (p->dim == 3) return p->law->density(&p->c, F);
    pli_quad A[9] = {F[0], F[1], 0, F[2], F[3], 0, 0, 0, 1}, change = 1;
    const pli_quad h = 1e-11;
    for (int i = 0; p->sheet && i < 50 && change > 1e-19; ++i) {
        pli_quad zz = A[8], psi[3];
        for (int k = 0; k < 3; ++k) {
            A[8] = zz + (k - 1) * h;
            psi[k] = p->law->density(&p->c, A);
        }
        pli_quad step = (psi[2] - psi[0]) * h / (2 * (psi[2] - 2 * psi[1] + psi[0]));
        A[8] = zz - step;
        change = pli_quad_abs(step);
    }
    return p->law->density(&p->c, A);
}

// First and second derivatives by F. The steps leave errors below 1e-17 and 1e-14 near rest.
static void stress_at(const point* p, const pli_quad F[9], pli_quad P[9]) {
    const pli_quad h = 1e-10;
    pli_quad A[9], sides[2];
    for (int i = 0; i < 9; ++i) A[i] = F[i];
    for (int i = 0; i < p->dim * p->dim; ++i) {
        for (int k = 0; k < 2; ++k) {
            A[i] = F[i] + (k ? h : -h);
            sides[k] = density_at(p, A);
        }
        A[i] = F[i];
        P[i] = (sides[1] - sides[0]) / (2 * h);
    }
}

static void curvature_at(const point* p, const pli_quad F[9], pli_quad C[81]) {
    const pli_quad h = 2e-9;
    const int n = p->dim * p->dim;
    pli_quad A[9];
    for (int i = 0; i < 9; ++i) A[i] = F[i];
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) {
            pli_quad sum = 0;
            for (int k = 0; k < 4; ++k) {
                A[i] += k & 1 ? h : -h;
                A[j] += k & 2 ? h : -h;
                sum += (k == 0 || k == 3 ? 1 : -1) * density_at(p, A);
                A[i] = F[i];
                A[j] = F[j];
            }
            C[n * i + j] = C[n * j + i] = sum / (4 * h * h);
        }
}

// ---- one element

typedef struct element {
    const pli_energy_type* type;
    point p;
    pli_element_kind kind;
    int width, points;
    double rest[3 * WIDTH], x[3 * WIDTH], record[RECORD];
} element;

static const double young = 3e10;

// Vertices at quarters: exact.
static element make_element(const law_row* law, pli_element_kind kind, bool sheet, double poisson) {
    element e = {.type = find_type(law->name), .kind = kind, .width = pli_element_size(kind)};
    int dim = e.p.dim = kind == PLI_TRIANGLE || kind == PLI_TRIANGLE6 ? 2 : 3;
    e.p.law = law;
    e.p.sheet = sheet;
    e.points = pli_stiffness_quadrature(kind)->count;
    int32_t vertices[WIDTH];
    for (int v = 0; v < e.width; ++v) {
        const int* ends = v > dim ? pli_middle_ends[v - dim - 1] : (int[]){v, v};
        for (int k = 0; k < 2; ++k)
            if (ends[k] > 0) e.rest[3 * v + ends[k] - 1] += 0.5;
        vertices[v] = v;
    }
    pli_setting settings[] = {{"young", young}, {"poisson", poisson}, {"plane_stress", 1}};
    double params[8];
    pli_error error = {0};
    ASSERT_OK(pli_energy_params(e.type, settings, sheet ? 3 : 2, params, &error));
    pli_element at = {.dim = dim,
                      .kind = kind,
                      .vertex_count = e.width,
                      .vertices = vertices,
                      .rest = e.rest,
                      .thickness = 0.5};
    ASSERT_OK(e.type->prepare(params, &at, e.record, &error));
    e.p.c = (constants){e.record[0], e.record[1]};
    return e;
}

static void eval(const element* e, bool project, double* value, double* g, double* H) {
    int32_t vertices[WIDTH];
    size_t n = (size_t)e->p.dim * (size_t)e->width;
    for (int v = 0; v < e->width; ++v) vertices[v] = v;
    pli_batch in = {.dim = e->p.dim,
                    .kind = e->kind,
                    .count = 1,
                    .width = e->width,
                    .vertices = vertices,
                    .x = e->x,
                    .data = e->record,
                    .want = PLI_VALUE | PLI_GRADIENT | (H ? PLI_HESSIAN : 0u),
                    .project = project};
    *value = 0;
    memset(g, 0, n * sizeof *g);
    if (H) memset(H, 0, n * n * sizeof *H);
    e->type->eval(&in, &(pli_local){.e = value, .g = g, .H = H});
}

// dF/dx of vertex v; that of the first is minus the sum of the others.
static void gradient_of(const element* e, const double* G, int v, pli_quad out[3]) {
    int dim = e->p.dim;
    for (int b = 0; b < dim; ++b) {
        out[b] = 0;
        for (int u = 1; u < e->width; ++u)
            if (v == 0 || v == u) out[b] += (v == 0 ? -1 : 1) * (pli_quad)G[(u - 1) * dim + b];
    }
}

// What the oracle says about an element, and the sizes that errors are measured by.
typedef struct truth {
    pli_quad value, g[LOCAL], H[LOCAL * LOCAL], projected[LOCAL * LOCAL];
    double strain;       // sum of w |E| [m^3]
    double force[WIDTH]; // sum of w |G| [m^2]: force per stress
    double largest;      // |H|
} truth;

// The nearest positive semi-definite matrix, in doubles. No ambiguity where an eigenvalue is near
// 0: matrices come no farther apart by it.
static void project(int n, pli_quad C[81]) {
    double A[81];
    for (int i = 0; i < n * n; ++i) A[i] = (double)C[i];
    pli_project_psd(n, A);
    for (int i = 0; i < n * n; ++i) C[i] = A[i];
}

// H_va,uc += w C_ab,cd G_vb G_ud
static void add_hessian(const element* e, double w, pli_quad G[WIDTH][3], const pli_quad C[81],
                        pli_quad* H) {
    int dim = e->p.dim, n = dim * dim, local = dim * e->width;
    for (int i = 0; i < local; ++i)
        for (int j = 0; j < local; ++j)
            for (int k = 0; k < n; ++k) {
                int b = k / dim, d = k % dim;
                H[local * i + j] += w * C[n * (i % dim * dim + b) + j % dim * dim + d] *
                                    G[i / dim][b] * G[j / dim][d];
            }
}

static void add_point(const element* e, double w, const double* G, const double* F, bool curved,
                      truth* t) {
    int dim = e->p.dim, n = dim * dim;
    pli_quad exact[9] = {0}, A[9] = {0}, E[9], P[9], C[81], grad[WIDTH][3];
    for (int i = 0; i < n; ++i) exact[i] = A[i / dim * 3 + i % dim] = F[i];
    if (dim == 2) A[8] = 1;
    green_strain(A, E);
    t->strain += w * sqrt((double)square_of(E));
    t->value += w * density_at(&e->p, exact);
    stress_at(&e->p, exact, P);
    for (int v = 0; v < e->width; ++v) {
        gradient_of(e, G, v, grad[v]);
        for (int i = 0; i < n; ++i) t->g[dim * v + i / dim] += w * P[i] * grad[v][i % dim];
        for (int b = 0; b < dim && v > 0; ++b) {
            double size = w * fabs((double)grad[v][b]);
            t->force[v] += size;
            t->force[0] += size;
        }
    }
    if (!curved) return;
    curvature_at(&e->p, exact, C);
    add_hessian(e, w, grad, C, t->H);
    project(n, C);
    add_hessian(e, w, grad, C, t->projected);
}

static void find_truth(const element* e, bool curved, truth* t) {
    int dim = e->p.dim, size = PLI_SOLID_POINT(dim, e->width), local = dim * e->width;
    int32_t vertices[WIDTH];
    double edges[LOCAL], F[9];
    memset(t, 0, sizeof *t);
    for (int v = 0; v < e->width; ++v) vertices[v] = v;
    pli_solid_edges(dim, e->width, vertices, e->x, edges);
    for (int q = 0; q < e->points; ++q) {
        const double* G = e->record + PLI_SOLID_HEAD + q * size + 1;
        pli_solid_gradient(dim, e->width, edges, G, F);
        add_point(e, G[-1], G, F, curved, t);
    }
    for (int i = 0; i < local * local; ++i) t->largest = fmax(t->largest, fabs((double)t->H[i]));
}

// ---- states

// About a random axis, in the plane about z: none, tiny, small, large, right angles, half turns.
static const double angles[] = {
    0, 1e-9, 1e-4, 0.1, 1, 0.5 * 3.14159265358979323846, 2.5, 3.14159265358979323846};
enum { ANGLE_COUNT = sizeof angles / sizeof *angles };

static void rotation(pli_random* r, int dim, double angle, bool along_axis, double R[9]) {
    double n[3] = {0, 0, 1}, size = 0;
    if (dim == 3) {
        int axis = pli_random_below(r, 3);
        for (int i = 0; i < 3; ++i) n[i] = along_axis ? i == axis : pli_random_in(r, -1, 1);
    }
    for (int i = 0; i < 3; ++i) size += n[i] * n[i];
    for (int i = 0; i < 3; ++i) n[i] /= sqrt(size);
    for (int i = 0; i < 9; ++i) { // c I + (1 - c) n n^T + s [n]
        int a = i / 3, b = i % 3, k = 3 - a - b;
        double skew = a == b ? 0 : (b - a == 1 || a - b == 2 ? -n[k] : n[k]);
        R[i] = (a == b ? cos(angle) : 0) + 2 * sin(angle / 2) * sin(angle / 2) * n[a] * n[b] +
               sin(angle) * skew;
    }
}

// x = R (I + e) X, and for quadratic elements other small differences at each vertex.
static void place(element* e, pli_random* r, const double R[9], double strain) {
    double S[9];
    int dim = e->p.dim;
    for (int i = 0; i < 9; ++i) S[i] = pli_random_in(r, -1, 1);
    for (int v = 0; v < e->width; ++v) {
        double y[3] = {0};
        for (int a = 0; a < dim; ++a) {
            y[a] = e->rest[3 * v + a];
            if (e->width > dim + 1) y[a] += 0.1 * strain * pli_random_in(r, -1, 1);
            for (int b = 0; b < dim; ++b)
                y[a] += 0.5 * strain * (S[3 * a + b] + S[3 * b + a]) * e->rest[3 * v + b];
        }
        for (int a = 0; a < 3; ++a) {
            e->x[3 * v + a] = 0;
            for (int b = 0; b < dim && a < dim; ++b) e->x[3 * v + a] += R[3 * a + b] * y[b];
        }
    }
    for (int v = e->width - 1; v >= 0; --v) // the first vertex at the origin: edges are exact
        for (int a = 0; a < dim; ++a) e->x[3 * v + a] -= e->x[a];
}

// ---- comparison

// Largest errors, in units of what is allowed near rest: stresses 8 eps E, energies 8 eps E V |E|
// with Young's modulus E and the Green strain E, Hessians 1e-13 of their largest entry.
typedef struct errors {
    double value, force, hessian, projected;
} errors;

static double hessian_error(int n, const double* H, const pli_quad* exact, double largest) {
    double worst = 0;
    for (int i = 0; i < n * n; ++i)
        worst = fmax(worst, fabs((double)(H[i] - exact[i])) / (1e-13 * largest));
    return worst;
}

static void compare(const element* e, bool curved, errors* worst) {
    static truth t;
    double value, g[LOCAL], H[LOCAL * LOCAL];
    int dim = e->p.dim, n = dim * e->width;
    const double unit = 8 * DBL_EPSILON * young;
    find_truth(e, curved, &t);
    eval(e, false, &value, g, curved ? H : NULL);
    worst->value = fmax(worst->value, fabs((double)(value - t.value)) / (unit * t.strain));
    for (int i = 0; i < n; ++i) {
        double error = fabs((double)(g[i] - t.g[i]));
        worst->force = fmax(worst->force, error / (unit * t.force[i / dim]));
    }
    if (!curved) return;
    worst->hessian = fmax(worst->hessian, hessian_error(n, H, t.H, t.largest));
    eval(e, true, &value, g, H);
    worst->projected = fmax(worst->projected, hessian_error(n, H, t.projected, t.largest));
}

static errors errors_of(const law_row* law, pli_element_kind kind, bool sheet, double strain) {
    pli_random r = {71};
    errors worst = {0};
    for (int a = 0; a < (law->small ? 1 : ANGLE_COUNT); ++a)
        for (int i = 0; i < 6; ++i) {
            element e = make_element(law, kind, sheet, i % 2 ? 0.4 : 0.2);
            double R[9];
            rotation(&r, e.p.dim, angles[a], i % 3 == 0, R);
            place(&e, &r, R, strain);
            compare(&e, i == a % 6, &worst);
        }
    return worst;
}

// The last strain, 0.3 in each entry, is large: bounds that hold there too say that nothing was
// traded for the digits near rest.
static void check_kind(pli_element_kind kind, bool sheet) {
    static const double strains[] = {1e-12, 1e-9, 1e-6, 1e-3, 0.1, 0.3};
    for (int l = 0; l < LAW_COUNT; ++l)
        for (size_t s = 0; s < sizeof strains / sizeof *strains; ++s) {
            if (sheet && laws[l].no_sheet) continue;
            errors w = errors_of(&laws[l], kind, sheet, strains[s]);
            if (!(w.value <= 1 && w.force <= 1 && w.hessian <= 1 && w.projected <= 1))
                fail_msg("%s, strain %g: value %g, force %g, Hessian %g, projected %g of what is "
                         "allowed",
                         laws[l].name, strains[s], w.value, w.force, w.hessian, w.projected);
        }
}

static void test_triangle(void** state) {
    (void)state;
    check_kind(PLI_TRIANGLE, false);
}

static void test_triangle6(void** state) {
    (void)state;
    check_kind(PLI_TRIANGLE6, false);
}

static void test_tetrahedron(void** state) {
    (void)state;
    check_kind(PLI_TETRAHEDRON, false);
}

static void test_tetrahedron10(void** state) {
    (void)state;
    check_kind(PLI_TETRAHEDRON10, false);
}

static void test_sheet(void** state) {
    (void)state;
    check_kind(PLI_TRIANGLE, true);
    check_kind(PLI_TRIANGLE6, true);
}

// ---- springs

// P of a segment d with rest length l, k = 1.
static pli_quad hooke_spring(const pli_quad d[3], pli_quad l) {
    pli_quad extension = pli_quad_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) - l;
    return extension * extension / 2;
}

static pli_quad square_spring(const pli_quad d[3], pli_quad l) {
    pli_quad q = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]) / (l * l) - 1;
    return l * l / 2 * q * q;
}

typedef struct spring_row {
    const char* name;
    pli_quad (*energy)(const pli_quad d[3], pli_quad l);
    double stiffness; // force per extension
} spring_row;

// Steps as those of curvature_at and stress_at, for lengths of size 1.
static void spring_derivatives(const spring_row* row, const pli_quad d[3], pli_quad l,
                               pli_quad g[3], pli_quad H[9]) {
    const pli_quad h = 1e-10, H_step = 2e-9;
    for (int i = 0; i < 9; ++i) {
        pli_quad sum = 0;
        for (int k = 0; k < 4; ++k) {
            pli_quad y[3] = {d[0], d[1], d[2]};
            y[i / 3] += k & 1 ? H_step : -H_step;
            y[i % 3] += k & 2 ? H_step : -H_step;
            sum += (k == 0 || k == 3 ? 1 : -1) * row->energy(y, l);
        }
        H[i] = sum / (4 * H_step * H_step);
    }
    for (int i = 0; i < 3; ++i) {
        pli_quad y[3] = {d[0], d[1], d[2]}, z[3] = {d[0], d[1], d[2]};
        y[i] += h;
        z[i] -= h;
        g[i] = (row->energy(y, l) - row->energy(z, l)) / (2 * h);
    }
}

// Forces within 8 eps of stiffness times length, energies within 8 eps of stiffness times length
// times extension, Hessians as above.
static void check_spring(const spring_row* row, const double rest[6], const double x[6]) {
    pli_memory memory;
    pli_memory_init(&memory, NULL);
    const double k = 1;
    const int32_t vertices[2] = {0, 1};
    pli_domain domain = {
        .dim = 3, .kind = PLI_SEGMENT, .element_count = 1, .vertices = vertices, .rest = rest};
    pli_term term = make_term(&memory, row->name, &k, &domain);
    double g[6], H[36], value = eval_first(&term, 3, x, false, g, H);
    pli_quad d[3], D[3], exact_g[3], exact_H[9];
    for (int i = 0; i < 3; ++i) {
        d[i] = (pli_quad)x[i] - x[3 + i];
        D[i] = (pli_quad)rest[i] - rest[3 + i];
    }
    pli_quad l = pli_quad_sqrt(D[0] * D[0] + D[1] * D[1] + D[2] * D[2]);
    pli_quad r = pli_quad_sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    double unit = 8 * DBL_EPSILON * row->stiffness * (double)l;
    ASSERT_NEAR((double)(value - row->energy(d, l)), 0, unit * fabs((double)(r - l)));
    spring_derivatives(row, d, l, exact_g, exact_H);
    for (int i = 0; i < 3; ++i) ASSERT_NEAR((double)(g[i] - exact_g[i]), 0, unit);
    for (int i = 0; i < 9; ++i)
        ASSERT_NEAR((double)(H[i / 3 * 6 + i % 3] - exact_H[i]), 0, 1e-13 * row->stiffness);
    end_term(&memory, &term);
}

static void test_springs(void** state) {
    (void)state;
    static const spring_row rows[] = {{"hooke", hooke_spring, 1}, {"spring", square_spring, 4}};
    pli_random r = {72};
    for (int i = 0; i < 400; ++i) {
        double rest[6] = {0}, x[6] = {0}, R[9], strain = pow(10, pli_random_in(&r, -12, -1));
        for (int a = 0; a < 3; ++a) rest[a] = pli_random_in(&r, -1, 1);
        rotation(&r, 3, angles[i % ANGLE_COUNT], i % 3 == 0, R);
        for (int a = 0; a < 9; ++a) x[a / 3] += (1 + strain) * R[a] * rest[a % 3];
        check_spring(&rows[i % 2], rest, x);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_triangle),    cmocka_unit_test(test_triangle6),
        cmocka_unit_test(test_tetrahedron), cmocka_unit_test(test_tetrahedron10),
        cmocka_unit_test(test_sheet),       cmocka_unit_test(test_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
