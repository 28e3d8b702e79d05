// Step matrices and spectral radii, computed from the formulas of the schemes and measured.
#include "validation/schemes.h"

#include <complex.h>

pli_status pli_trial_oscillator(trial* t, const oscillator* o) {
    pli_world_def def = pli_trial_def(2, o->scheme);
    def.time_step = o->h;
    def.thread_count = 1;
    TRY(pli_trial_world(t, &def));
    TRY(pli_trial_empty_mesh(t));
    const double rest[3] = {0}, initial[3] = {o->x[0], o->x[1], 0};
    TRY(pli_mesh_add_vertices(&t->mesh, 1, rest, NULL, &t->error));
    pli_body_def body = pli_default_body_def();
    body.mesh = &t->mesh;
    body.initial = initial;
    memcpy(body.velocity, o->v, sizeof o->v);
    body.vertex_mass = 1;
    pli_body_id id;
    TRY(pli_world_add_body(t->world, &body, &id, &t->error));
    pli_setting k = {"stiffness", o->omega * o->omega};
    return pli_world_add_energy(t->world, id, "anchor", &k, 1, NULL, &t->error);
}

int pli_bdf_steps(const char* scheme) {
    return strncmp(scheme, "bdf", 3) == 0 ? scheme[3] - '0' : 0;
}

// ---- formulas

typedef void matrix_fn(double z, double A[4]);

static void set(double A[4], double scale, double a, double b, double c, double d) {
    const double entries[4] = {a, b, c, d};
    for (int i = 0; i < 4; ++i) A[i] = scale * entries[i];
}

static void forward_euler(double z, double A[4]) { set(A, 1, 1, z, -z, 1); }
static void symplectic_euler(double z, double A[4]) { set(A, 1, 1 - z * z, z, -z, 1); }
static void leapfrog(double z, double A[4]) {
    set(A, 1, 1 - z * z / 2, z, z * (z * z / 4 - 1), 1 - z * z / 2);
}
static void backward_euler(double z, double A[4]) { set(A, 1 / (1 + z * z), 1, z, -z, 1); }
static void trapezoid(double z, double A[4]) {
    set(A, 1 / (1 + z * z / 4), 1 - z * z / 4, z, -z, 1 - z * z / 4);
}
static void rk4(double z, double A[4]) {
    double c = 1 - z * z / 2 + z * z * z * z / 24, s = z - z * z * z / 6;
    set(A, 1, c, s, -s, c);
}
static void rotation(double z, double A[4]) { set(A, 1, cos(z), sin(z), -sin(z), cos(z)); }

void pli_formula_matrix(const char* scheme, double z, double A[4]) {
    static const struct {
        const char* scheme;
        matrix_fn* matrix;
    } rows[] = {{"forward-euler", forward_euler},
                {"symplectic-euler", symplectic_euler},
                {"leapfrog", leapfrog},
                {"rk4", rk4},
                {"exponential", rotation},
                {"backward-euler", backward_euler},
                {"newmark", trapezoid},
                {"implicit-midpoint", trapezoid},
                {"averaged-vector-field", trapezoid}};
    set(A, NAN, 1, 1, 1, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        if (strcmp(rows[i].scheme, scheme) == 0) rows[i].matrix(z, A);
}

// Of the eigenvalues mean +- sqrt(mean^2 - det).
double pli_matrix_radius(const double A[4]) {
    double mean = 0.5 * (A[0] + A[3]), det = A[0] * A[3] - A[1] * A[2], d = mean * mean - det;
    return d < 0 ? sqrt(det) : fabs(mean) + sqrt(d);
}

// Backward differentiation: sum over j = 1 .. k of (1/j) (1 - 1/r)^j = i z. Times r^k a polynomial;
// all its roots by Durand and Kerner's iteration.
static double bdf_radius(int k, double z) {
    double complex c[7] = {0}, root[6]; // c[j] belongs to r^(k - j)
    for (int j = 1; j <= k; ++j) {
        double binomial = 1; // of j over i
        for (int i = 0; i <= j; ++i) {
            c[i] += (i % 2 ? -binomial : binomial) / j;
            binomial = binomial * (j - i) / (i + 1);
        }
    }
    const double complex i_unit = (double complex)I;
    c[0] -= i_unit * z;
    for (int i = 0; i < k; ++i) root[i] = cpow(0.4 + 0.9 * i_unit, i);
    for (int n = 0; n < 300; ++n)
        for (int i = 0; i < k; ++i) {
            double complex value = c[0], others = c[0];
            for (int j = 1; j <= k; ++j) value = value * root[i] + c[j];
            for (int j = 0; j < k; ++j)
                if (j != i) others *= root[i] - root[j];
            root[i] -= value / others;
        }
    double radius = 0;
    for (int i = 0; i < k; ++i) radius = fmax(radius, cabs(root[i]));
    return radius;
}

double pli_formula_radius(const char* scheme, double z) {
    int k = pli_bdf_steps(scheme);
    if (k > 0) return bdf_radius(k, z);
    double A[4];
    pli_formula_matrix(scheme, z, A);
    return pli_matrix_radius(A);
}

// ---- measured

// Columns of the matrix: steps from (1, 0) and (0, 1), with omega = 1.
pli_status pli_measured_matrix(trial* t, const char* scheme, double z, double A[4]) {
    for (int c = 0; c < 2; ++c) {
        TRY(pli_trial_oscillator(
            t, &(oscillator){.scheme = scheme, .omega = 1, .h = z, .x = {c == 0}, .v = {c == 1}}));
        TRY(pli_trial_steps(t, 1));
        A[c] = pli_world_positions(t->world)[0];
        A[2 + c] = pli_world_velocities(t->world)[0];
    }
    return PLI_OK;
}

// Uniform circular motion has v = i omega x in complex numbers, and every linear scheme keeps that
// or mixes it with v = -i omega x. Backward differentiation keeps it: x_n is a sum of powers of the
// roots, and the largest is left after many steps.
pli_status pli_measured_radius(trial* t, const char* scheme, double z, double* radius) {
    double A[4];
    if (pli_bdf_steps(scheme) == 0) {
        TRY(pli_measured_matrix(t, scheme, z, A));
        *radius = pli_matrix_radius(A);
        return PLI_OK;
    }
    TRY(pli_trial_oscillator(
        t, &(oscillator){.scheme = scheme, .omega = 1, .h = z, .x = {1, 0}, .v = {0, 1}}));
    double before = 1, now = 1;
    for (int n = 0; n < 400 && now > 1e-200 && now < 1e100; ++n) {
        TRY(pli_trial_steps(t, 1));
        const double* x = pli_world_positions(t->world);
        before = now;
        now = hypot(x[0], x[1]);
    }
    *radius = now / before;
    return PLI_OK;
}
