// Vibration and buckling of plates and strips (H6, H7), from the exact Hessian and the mass matrix.
#include "validation/sheets.h"

#include <stdlib.h>

// ---- the lowest frequency: inverse iteration with a dense factor

// A = L L^T in place, lower triangle, n x n, row by row. False if A is not positive definite.
static bool factorize(int n, double* A) {
    for (int i = 0; i < n; ++i) {
        double* row = A + (size_t)i * (size_t)n;
        int first = 0;
        while (row[first] == 0 && first < i) ++first;
        for (int j = first; j <= i; ++j) {
            const double* other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = first; k < j; ++k) sum -= row[k] * other[k];
            if (j == i && !(sum > 0)) return false;
            row[j] = j == i ? sqrt(sum) : sum / other[j];
        }
    }
    return true;
}

static void solve(int n, const double* L, double* x) {
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < i; ++k) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; --i) {
        x[i] /= L[i * n + i];
        for (int k = 0; k < i; ++k) x[k] -= L[i * n + k] * x[i];
    }
}

static void multiply(const pli_sparse* M, const double* x, double* y) {
    for (int i = 0; i < M->row_count; ++i) y[i] = 0;
    for (int j = 0; j < M->column_count; ++j)
        for (int k = M->start[j]; k < M->start[j + 1]; ++k) {
            y[M->row[k]] += M->value[k] * x[j];
            if (M->row[k] != j) y[j] += M->value[k] * x[M->row[k]];
        }
}

// 1 / omega^2 = (x . M K^-1 M x) / (x . M x) of the vector that repeated K^-1 M x approaches.
static double iterate(int n, const double* L, const pli_sparse* M, double* x, double* y) {
    double value = 0;
    for (int i = 0; i < n; ++i) x[i] = 1 + 0.3 * sin(7.0 * i);
    for (int pass = 0; pass < 60; ++pass) {
        double up = 0, down = 0, size = 0;
        multiply(M, x, y);
        for (int i = 0; i < n; ++i) down += x[i] * y[i];
        double* Mx = y + n;
        memcpy(Mx, y, sizeof *y * (size_t)n);
        solve(n, L, y);
        for (int i = 0; i < n; ++i) up += Mx[i] * y[i], size = fmax(size, fabs(y[i]));
        for (int i = 0; i < n; ++i) x[i] = y[i] / size;
        value = up / down;
    }
    return 1 / value;
}

// omega^2 of the lowest mode about the present state [1/s^2].
static pli_status lowest_square(trial* t, double* square) {
    pli_sparse K = {0}, M = {0};
    pli_status status = pli_world_hessian(t->world, PLI_OF_POTENTIAL, &K, &t->error);
    if (status == PLI_OK) status = pli_world_mass_matrix(t->world, &M, &t->error);
    int n = K.row_count;
    double *dense = calloc((size_t)n * (size_t)n + 1, sizeof *dense),
           *x = calloc(3 * (size_t)n + 1, sizeof *x);
    if (status == PLI_OK && !(dense && x)) status = pli_trial_wrong(t, "no memory");
    for (int j = 0; j < n && status == PLI_OK; ++j)
        for (int k = K.start[j]; k < K.start[j + 1]; ++k) dense[K.row[k] * n + j] = K.value[k];
    if (status == PLI_OK && !factorize(n, dense))
        status = pli_trial_wrong(t, "the state is not stable");
    if (status == PLI_OK) *square = iterate(n, dense, &M, x, x + n);
    free(x);
    free(dense);
    pli_sparse_free(&K);
    pli_sparse_free(&M);
    return status;
}

// ---- shapes, supports, loads

static bool at(double a, double b) { return fabs(a - b) < 1e-9; }

static void quarter(double u, double v, double X[3]) { X[0] = 0.5 * u, X[1] = 0.5 * v, X[2] = 0; }
static unsigned quarter_symmetry(const double X[3]) {
    return (at(X[0], 0.5) ? FIX_X | FIX_CLAMPED : 0u) | (at(X[1], 0.5) ? FIX_Y | FIX_CLAMPED : 0u);
}
static unsigned supported(const double X[3]) {
    return quarter_symmetry(X) | (at(X[0], 0) || at(X[1], 0) ? FIX_Z : 0u);
}
static unsigned clamped(const double X[3]) {
    return quarter_symmetry(X) | (at(X[0], 0) || at(X[1], 0) ? FIX_Z | FIX_CLAMPED : 0u);
}
static void flat_strip(double u, double v, double X[3]) { X[0] = u, X[1] = 0.25 * v, X[2] = 0; }
static void upright_strip(double u, double v, double X[3]) { X[0] = u, X[1] = 0, X[2] = 0.01 * v; }
static unsigned clamped_at_x_0(const double X[3]) {
    return at(X[0], 0) ? FIX_ALL | FIX_CLAMPED : 0u;
}

typedef struct mode_case {
    double poisson;
    shape_fn* shape;
    support_fn* supports;
    int across;     // cells along v for 16 along u; 0: as many
    double start;   // u of the line that is loaded
    double load[3]; // [N] in units of `unit`; 0: none
    double unit;    // of the load: D times this [N]
    double exact;   // frequency in units of sqrt(D / (rho t)), or load in units of `unit`
    int power;      // omega^2 falls linearly with this power of the load
    bool middle;    // the load acts in the middle of the line
    bool heavy;     // the load is the weight along -x, in units of D / L^3 per width
} mode_case;

enum { SUPPORTED, CLAMPED, CANTILEVER, EULER, GREENHILL, PLATE, LATERAL };
static const mode_case cases[] = {
    [SUPPORTED] = {.poisson = 0.3,
                   .shape = quarter,
                   .supports = supported,
                   .exact = 2 * PLI_PI * PLI_PI},
    [CLAMPED] = {.poisson = 0.3, .shape = quarter, .supports = clamped, .exact = 35.985},
    [CANTILEVER] = {.shape = flat_strip, .supports = clamped_at_x_0, .across = 4, .exact = 3.51602},
    [EULER] = {.shape = flat_strip,
               .supports = clamped_at_x_0,
               .across = 4,
               .start = 1,
               .load = {-1, 0, 0},
               .unit = 0.25,
               .exact = PLI_PI * PLI_PI / 4,
               .power = 1},
    [GREENHILL] = {.shape = flat_strip,
                   .supports = clamped_at_x_0,
                   .across = 4,
                   .exact = 7.83735,
                   .power = 1,
                   .heavy = true},
    [PLATE] = {.poisson = 0.3,
               .shape = quarter,
               .supports = supported,
               .start = 0,
               .load = {1, 0, 0},
               .unit = 0.5,
               .exact = 4 * PLI_PI * PLI_PI,
               .power = 1},
    // EI = D b, GJ = 2 D b with nu = 0
    [LATERAL] = {.shape = upright_strip,
                 .supports = clamped_at_x_0,
                 .across = 4,
                 .start = 1,
                 .load = {0, 0, -1},
                 .unit = 0.01,
                 .exact = 4.0126 * 1.4142135623730951,
                 .power = 2,
                 .middle = true},
};

static const sheet plate = {.young = 1e9, .thickness = 1e-3, .density = 1000};

// Loads the line by `factor` of the exact critical load.
static pli_status add_load(trial* t, pli_body_id id, const mode_case* c, int m, double factor,
                           double shares[][3]) {
    sheet s = plate;
    s.poisson = c->poisson;
    double total = factor * c->exact * c->unit * pli_sheet_stiffness(&s);
    for (int i = 0; i <= m; ++i) {
        double X[3], weight = c->middle ? i == m / 2 : (i > 0 && i < m ? 1.0 : 0.5) / m;
        if (weight == 0) continue;
        c->shape(c->start, (double)i / m, X);
        for (int k = 0; k < 3; ++k) shares[i][k] = weight * total * c->load[k];
        TRY(pli_sheet_force(t, id, X, shares[i]));
    }
    return PLI_OK;
}

// omega^2 under a part of the exact critical load.
static pli_status loaded_square(trial* t, const mode_case* c, int n, double factor,
                                double* square) {
    int m = c->across > 0 ? (int)fmax(2, c->across * n / 16.0) : n;
    double shares[64][3];
    sheet s = plate;
    s.poisson = c->poisson;
    TRY(pli_sheet_mesh(t, UNION_JACK, n, m, c->shape));
    pli_world_def def = pli_trial_def(3, "static");
    def.solver.gradient_tolerance = 1e-5; // flat states: the load in the plane
    def.time_step = 1;
    if (c->heavy)
        def.gravity[0] = -factor * c->exact * pli_sheet_stiffness(&s) / (s.density * s.thickness);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, c->supports, &id));
    if (factor > 0 && !c->heavy) TRY(add_load(t, id, c, m, factor, shares));
    if (factor > 0) TRY(pli_trial_steps(t, 1));
    if (factor == 0) TRY(pli_world_prepare(t->world, &t->error));
    return lowest_square(t, square);
}

// `number`: case.
static pli_status run_frequency(const problem* row, double cells, trial* t, outcome* out) {
    const mode_case* c = &cases[(int)row->number[0]];
    sheet s = plate;
    double square;
    s.poisson = c->poisson;
    TRY(loaded_square(t, c, (int)cells, 0, &square));
    out->computed = sqrt(square * s.density * s.thickness / pli_sheet_stiffness(&s));
    out->exact = c->exact;
    return PLI_OK;
}

// Where omega^2 would be 0 if it were linear in a power of the load, from two loads.
static double vanishes(int power, double a, double low, double b, double high) {
    double x = pow(a, power), y = pow(b, power);
    return pow(x + (y - x) * low / (low - high), 1.0 / power);
}

// From 0.7 and 0.9 of the exact load, then from 0.94 of that.
static pli_status run_buckling(const problem* row, double cells, trial* t, outcome* out) {
    const mode_case* c = &cases[(int)row->number[0]];
    double low, high, last;
    TRY(loaded_square(t, c, (int)cells, 0.7, &low));
    TRY(loaded_square(t, c, (int)cells, 0.9, &high));
    double near = 0.94 * vanishes(c->power, 0.7, low, 0.9, high);
    TRY(loaded_square(t, c, (int)cells, near, &last));
    out->computed = c->exact * vanishes(c->power, 0.7, low, near, last);
    if (near > 0.91) out->computed = c->exact * vanishes(c->power, 0.9, high, near, last);
    out->exact = c->exact;
    return PLI_OK;
}

#define MODE(text, function, which, limit, fine, ...)                                              \
    {                                                                                              \
        .name = text, .run = function, .number = {which}, .exact = NAN, .tolerance = limit,        \
        .fine_tolerance = fine, .resolution = {__VA_ARGS__}, .fast = 2                             \
    }
static const problem frequency_rows[] = {
    MODE("square plate, supported", run_frequency, SUPPORTED, 0.02, 0.01, 4, 8, 16),
    MODE("square plate, clamped", run_frequency, CLAMPED, 0.05, 0.01, 4, 8, 16, 20),
    MODE("cantilever strip", run_frequency, CANTILEVER, 0.02, 0.01, 8, 16, 32),
};
static const problem buckling_rows[] = {
    MODE("cantilever strip, axial", run_buckling, EULER, 0.02, 0.01, 8, 16, 32),
    MODE("strip under its own weight", run_buckling, GREENHILL, 0.02, 0.01, 8, 16, 32),
    MODE("square plate, supported", run_buckling, PLATE, 0.02, 0.01, 4, 8, 16),
    MODE("upright strip, lateral", run_buckling, LATERAL, 0.02, 0.01, 8, 16, 32),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H6",
     .title = "Frequencies of plates",
     .about =
         "Lowest frequency in units of sqrt(D / (rho t)) / a^2: supported square 2 pi^2, clamped "
         "square 35.985, cantilever strip (nu = 0) 3.51602; by inverse iteration with the exact "
         "Hessian. A quarter of the squares.",
     .quantity = "omega",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "plate_frequencies",
     .ratio = true,
     FAMILY(frequency_rows)},
    {.section = "H7",
     .title = "Buckling of plates",
     .about =
         "The load at which the lowest frequency vanishes, in units of D: cantilever strip pi^2/4 "
         "per width, upright strip under its own weight 7.83735 / L^3 per area (Greenhill), square "
         "plate compressed along one axis 4 pi^2 per width, upright strip "
         "bent by a force in the middle of its end 4.0126 sqrt(EI GJ) / L^2 (height 0.01 L, nu = "
         "0). From the squares of frequencies at 0.7, 0.9 and about 0.94 of it.",
     .quantity = "load",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "plate_buckling",
     .ratio = true,
     FAMILY(buckling_rows)},
};

const part pli_problems_modes = {"Vibration and buckling of plates", families, PLI_COUNT(families)};
