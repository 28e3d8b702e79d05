// Heavy strips (H5) and a hemisphere of many thicknesses (H8).
#include "validation/sheets.h"

static unsigned clamped_at_x_0(const double X[3]) {
    return X[0] < 1e-6 ? FIX_ALL | FIX_CLAMPED : 0u;
}

// Length 1 and width 0.25.
static void strip(double u, double v, double X[3]) { X[0] = u, X[1] = 0.25 * v, X[2] = 0; }

// ---- a heavy strip, clamped horizontally: B theta'' = -w (L - s) cos theta

// Shooting: theta(0) = 0, theta'(L) = 0. x and drop of the end over the length.
static void heavy_elastica(double gamma, double* x, double* drop) {
    const int n = 20000;
    double low = 0, high = gamma;
    for (int i = 0; i < 200; ++i) {
        double h = 1.0 / n, angle = 0, rate = 0.5 * (low + high);
        *x = *drop = 0;
        for (int k = 0; k < n; ++k) { // midpoint rule
            double s = (k + 0.5) * h, middle = angle + 0.5 * h * rate;
            double next = rate - h * gamma * (1 - s) * cos(middle);
            *x += h * cos(middle);
            *drop += h * sin(middle);
            angle += 0.5 * h * (rate + next);
            rate = next;
        }
        *(rate > 0 ? &high : &low) = 0.5 * (low + high);
    }
}

// Drop of the end; the error is the distance of the end from its place, as a part of the length.
// `number`: Gamma.
static pli_status run_heavy(const problem* row, double cells, trial* t, outcome* out) {
    const double gamma = row->number[0];
    const sheet s = {1e7, 0, 0.001, 1000, NULL};
    double x, drop, u[3];
    TRY(pli_sheet_mesh(t, UNION_JACK, (int)cells, (int)fmax(2, cells / 4), strip));
    pli_world_def def = pli_sheet_static_def(1);
    def.gravity[2] = -gamma * pli_sheet_stiffness(&s) / (s.density * s.thickness);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, clamped_at_x_0, &id));
    TRY(pli_trial_steps(t, 1));
    heavy_elastica(gamma, &x, &drop);
    pli_sheet_moved(t, (const double[3]){1, 0.125, 0}, u);
    out->computed = -u[2];
    out->exact = drop;
    out->error = hypot(1 + u[0] - x, -u[2] - drop);
    return PLI_OK;
}

#define HEAVY(gamma)                                                                               \
    {                                                                                              \
        .name = "Gamma = " #gamma, .run = run_heavy, .number = {gamma}, .exact = NAN,              \
        .tolerance = 1e-2, .fine_tolerance = 5e-3, .resolution = {8, 16, 32}, .fast = 2            \
    }
static const problem heavy_rows[] = {HEAVY(1),  HEAVY(2),  HEAVY(5),
                                     HEAVY(10), HEAVY(50), HEAVY(100)};

// ---- a pinched hemisphere, thinner and thinner

// In the limit of no thickness a sphere bends without stretching (Rayleigh). With the colatitude p,
// T = tan(p / 2) and n waves around the axis these displacements are
//
//     w = -((n + cos p) a T^n - (n - cos p) b T^-n) cos(n q),
//
// and bending takes 2 pi D (1 - nu) (n^3 - n)^2 / R^2 (a^2 I + b^2 J), where I and J are the
// integrals of T^2n / sin^3 p and of T^-2n / sin^3 p. Four forces F at the equator, outward and
// inward in turn, move their places by
//
//     F R^2 / (pi D (1 - nu)) times the sum over n = 2, 6, 10, ... of (1/I + 1/J) / (n^2 - 1)^2.
static double inextensible_sum(void) {
    const int points = 2000, waves = 400;
    const double from = PLI_PI / 10, step = (0.5 * PLI_PI - from) / points;
    double sum = 0;
    for (int n = 2; n < waves; n += 4) {
        double I = 0, J = 0;
        for (int i = 0; i < points; ++i) {
            double p = from + (i + 0.5) * step, T = pow(tan(0.5 * p), 2 * n), s = pow(sin(p), 3);
            I += step * T / s;
            J += step / (T * s);
        }
        sum += (1 / I + 1 / J) / pow(n * n - 1.0, 2);
    }
    return sum;
}

static double part_named(const trial* t, const char* name) {
    double sum = 0;
    for (int i = 0; i < pli_world_energy_count(t->world); ++i)
        if (strcmp(pli_world_energy_name(t->world, i), name) == 0)
            sum += pli_world_energy_value(t->world, i);
    return sum;
}

// Membrane and bending as two energies, which are "shell" together. `number`: R / t, and what is
// shown: 0 the displacement in units of the limit, 1 the membrane's part of the energy.
static pli_status run_thin(const problem* row, double cells, trial* t, outcome* out) {
    const double R = 10, nu = 0.3, thick = R / row->number[0];
    const double D = 400, deep = R / 1000; // [N m], [m]
    const sheet s = {12 * (1 - nu * nu) * D / pow(thick, 3), nu, thick, 1, "bending"};
    const double F = deep * PLI_PI * D * (1 - nu) / (R * R * inextensible_sum());
    const double place[2][3] = {{R, 0, 0}, {0, R, 0}};
    const double force[2][3] = {{0.5 * F, 0, 0}, {0, -0.5 * F, 0}}; // half of it in each quarter
    const pli_setting membrane[] = {{"young", s.young}, {"poisson", nu}};
    TRY(pli_sheet_mesh(t, (sheet_mesh)row->number[2], (int)cells, (int)cells,
                       pli_shape_hemisphere));
    pli_world_def def = pli_sheet_static_def(1);
    TRY(pli_trial_world(t, &def));
    pli_body_id id;
    TRY(pli_sheet_body(t, &s, NULL, pli_hemisphere_supports, &id));
    TRY(pli_world_add_energy(t->world, id, "neo-hookean", membrane, 2, NULL, &t->error));
    for (int i = 0; i < 2; ++i) TRY(pli_sheet_force(t, id, place[i], force[i]));
    TRY(pli_trial_steps(t, 1));
    double u[3], stretching = part_named(t, "neo-hookean"), bent = part_named(t, "bending");
    pli_sheet_moved(t, place[0], u);
    out->computed = row->number[1] > 0 ? stretching / (stretching + bent) : u[0] / deep;
    return PLI_OK;
}

#define THIN(text, ratio, mesh, what, value, limit, fine)                                          \
    {                                                                                              \
        .name = text, .run = run_thin, .number = {ratio, what, mesh}, .exact = value,              \
        .tolerance = limit, .fine_tolerance = fine, .resolution = {8, 16, 32, 64}, .fast = 2       \
    }
static const problem thin_rows[] = {
    THIN("R / t = 100, one diagonal", 100, ONE_DIAGONAL, 0, 1, 0.06, 0.05),
    THIN("R / t = 1000, one diagonal", 1000, ONE_DIAGONAL, 0, 1, 0.05, 0.02),
    THIN("R / t = 10000, one diagonal", 10000, ONE_DIAGONAL, 0, 1, 0.05, 0.015),
    THIN("R / t = 100, random", 100, RANDOM, 0, 1, 0.06, 0.05),
    THIN("R / t = 1000, random", 1000, RANDOM, 0, 1, 0.05, 0.02),
    THIN("R / t = 10000, random", 10000, RANDOM, 0, 1, 0.05, 0.015),
};
static const problem split_rows[] = {
    THIN("R / t = 100, one diagonal", 100, ONE_DIAGONAL, 1, 0, 0.01, 0.015),
    THIN("R / t = 1000, one diagonal", 1000, ONE_DIAGONAL, 1, 0, 1e-3, 0.005),
    THIN("R / t = 10000, one diagonal", 10000, ONE_DIAGONAL, 1, 0, 1e-5, 1e-3),
    THIN("R / t = 100, random", 100, RANDOM, 1, 0, 0.01, 0.015),
    THIN("R / t = 1000, random", 1000, RANDOM, 1, 0, 1e-3, 0.005),
    THIN("R / t = 10000, random", 10000, RANDOM, 1, 0, 1e-5, 1e-3),
};

#define FAMILY(rows_) .rows = rows_, .count = PLI_COUNT(rows_)
static const family families[] = {
    {.section = "H5",
     .title = "Heavy strip",
     .about =
         "A strip clamped horizontally bends under its weight: B theta'' = -w (L - s) cos theta, "
         "Gamma = w L^3 / B, solved by shooting. The error is the distance of its end from the "
         "exact place, as a part of the length.",
     .quantity = "drop / length",
     .unit = "",
     .axis = "cells along the strip",
     .picture = "heavy_strip",
     FAMILY(heavy_rows)},
    {.section = "H8",
     .title = "A hemisphere of many thicknesses",
     .about = "The hemisphere of H2, pinched by R / 1000, in units of its limit: without thickness "
              "it bends and does not stretch, and the displacement is a series (Rayleigh). A real "
              "shell also stretches and moves farther, by about 0.5 sqrt(t / R): 5 % at R / t = "
              "100. Elements that lock would be too stiff by orders of magnitude when the shell is "
              "thin; these converge from above at the same rate at every thickness, on random "
              "meshes too, where only the last number is a little below 1 + 0.5 sqrt(t / R).",
     .quantity = "displacement / limit",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "thin_hemisphere",
     .ratio = true,
     FAMILY(thin_rows)},
    {.section = "H8",
     .title = "Membrane energy of the hemisphere",
     .about = "The same runs: the membrane's part of the elastic energy, 0 in the limit; the rest "
              "is bending. Coarse meshes have less of it, as they do not resolve where it is: "
              "under the forces and at the edges, in a layer as wide as sqrt(R t).",
     .quantity = "membrane energy / energy",
     .unit = "",
     .axis = "cells along an edge",
     .picture = "thin_hemisphere_energy",
     FAMILY(split_rows)},
};

const part pli_problems_shells = {"Thin shells", families, PLI_COUNT(families)};
