// Curves that show a formula and what a world makes of it: spectral radii, the decay of a rotation,
// stresses over stretch, bending over load, the pressure of an impact.
#include "render/chart.h"
#include "validation/bars.h"
#include "validation/impact.h"
#include "validation/materials.h"
#include "validation/motion.h"
#include "validation/report/report.h"
#include "validation/schemes.h"

enum { DOTS = 25, LINE = 60, MAX_CURVES = 8 };

// Up to MAX_CURVES measured curves with dots, each with its formula as a dashed line.
typedef struct pairs {
    int count;
    const char* names[MAX_CURVES];
    double dot_x[MAX_CURVES][DOTS], dot_y[MAX_CURVES][DOTS];
    double line_x[MAX_CURVES][LINE], line_y[MAX_CURVES][LINE];
} pairs;

static pli_status write_pairs(const pairs* p, pli_chart_def def, const char* path, trial* t) {
    pli_series series[2 * MAX_CURVES] = {0};
    for (int i = 0; i < p->count; ++i) {
        series[i] = (pli_series){
            .name = p->names[i], .count = DOTS, .x = p->dot_x[i], .y = p->dot_y[i], .marks = true};
        series[p->count + i] = (pli_series){.name = i == 0 ? "formula" : "",
                                            .count = LINE,
                                            .x = p->line_x[i],
                                            .y = p->line_y[i],
                                            .dashed = true};
    }
    def.series = series;
    def.series_count = 2 * p->count;
    return pli_chart_write(&def, path, &t->error);
}

// ---- spectral radius over omega h

typedef struct radii {
    const char* schemes[MAX_CURVES];
    int count;
    double low, high; // of omega h
    bool logarithmic;
} radii;

static double radii_place(const radii* r, double way) {
    return r->logarithmic ? r->low * pow(r->high / r->low, way) : r->low + (r->high - r->low) * way;
}

static double cut(double radius) { return radius > 3 ? (double)NAN : radius; }

static pli_status draw_radii(const radii* r, const curve* self, const char* path, trial* t) {
    pairs p = {.count = r->count};
    for (int s = 0; s < r->count; ++s) {
        p.names[s] = r->schemes[s];
        for (int i = 0; i < DOTS; ++i) {
            double z = p.dot_x[s][i] = radii_place(r, i / (DOTS - 1.0));
            TRY(pli_measured_radius(t, r->schemes[s], z, &p.dot_y[s][i]));
            p.dot_y[s][i] = cut(p.dot_y[s][i]);
        }
        for (int i = 0; i < LINE; ++i) {
            double z = p.line_x[s][i] = radii_place(r, i / (LINE - 1.0));
            p.line_y[s][i] = cut(pli_formula_radius(r->schemes[s], z));
        }
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "omega h";
    def.y_label = "spectral radius";
    def.log_x = r->logarithmic;
    return write_pairs(&p, def, path, t);
}

static pli_status draw_explicit(const curve* self, const char* path, trial* t) {
    const radii r = {{"forward-euler", "symplectic-euler", "leapfrog", "rk4", "exponential"},
                     5,
                     0.125,
                     3.125,
                     false};
    return draw_radii(&r, self, path, t);
}

static pli_status draw_implicit(const curve* self, const char* path, trial* t) {
    const radii r = {
        {"backward-euler", "newmark", "bdf2", "bdf3", "bdf4", "bdf5", "bdf6"}, 7, 0.1, 10, true};
    return draw_radii(&r, self, path, t);
}

// ---- omega(t) of two masses on a rod under backward Euler: omega / sqrt(1 + 2 h omega^2 t)

static pli_status draw_rotation(const curve* self, const char* path, trial* t) {
    static const struct {
        const char* name;
        double h;
    } rows[] = {{"h = 0.002 s", 0.002}, {"h = 0.01 s", 0.01}, {"h = 0.05 s", 0.05}};
    const double omega = 2 * PLI_PI, end = 5;
    pairs p = {.count = PLI_COUNT(rows)};
    for (int s = 0; s < p.count; ++s) {
        double h = rows[s].h;
        p.names[s] = rows[s].name;
        TRY(pli_trial_dumbbell(t, h, omega));
        int every = (int)lround(end / h / DOTS);
        for (int i = 0; i < DOTS; ++i) {
            TRY(pli_trial_steps(t, every - 1));
            const double* x = pli_world_positions(t->world);
            double before = atan2(x[4], x[3]);
            TRY(pli_trial_steps(t, 1));
            x = pli_world_positions(t->world);
            p.dot_x[s][i] = (i + 1) * every * h;
            p.dot_y[s][i] = remainder(atan2(x[4], x[3]) - before, 2 * PLI_PI) / h;
        }
        for (int i = 0; i < LINE; ++i) {
            p.line_x[s][i] = end * i / (LINE - 1.0);
            p.line_y[s][i] = omega / sqrt(1 + 2 * h * omega * omega * p.line_x[s][i]);
        }
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "time [s]";
    def.y_label = "omega [1/s]";
    return write_pairs(&p, def, path, t);
}

// ---- stress over stretch

static pli_status draw_uniaxial(const curve* self, const char* path, trial* t) {
    static const char* const types[] = {"neo-hookean", "fixed-corotated", "st-venant-kirchhoff"};
    pairs p = {.count = PLI_COUNT(types)};
    for (int s = 0; s < p.count; ++s) {
        const material m = {types[s], 1e5, 0.4, false};
        // St. Venant-Kirchhoff is not stable below sqrt(1/3) and has no width at 1.87
        double low = s == 2 ? 0.7 : 0.4, high = s == 2 ? 1.5 : 2;
        p.names[s] = types[s];
        for (int i = 0; i < DOTS; ++i) {
            uniaxial u;
            p.dot_x[s][i] = low + (high - low) * i / (DOTS - 1.0);
            TRY(pli_measured_uniaxial(t, &m, p.dot_x[s][i], 2, &u));
            p.dot_y[s][i] = u.stress;
        }
        for (int i = 0; i < LINE; ++i) {
            p.line_x[s][i] = low + (high - low) * i / (LINE - 1.0);
            p.line_y[s][i] = pli_formula_uniaxial(&m, p.line_x[s][i]).stress;
        }
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "stretch";
    def.y_label = "P [Pa]";
    return write_pairs(&p, def, path, t);
}

// ---- bending: by a force at the end, and by its own weight

static pli_status draw_force(const curve* self, const char* path, trial* t) {
    pairs p = {.count = 2, .names = {"drop / L", "shortening / L"}};
    for (int i = 0; i < DOTS; ++i) {
        const bending b = {
            .tip = 10 * (i + 1.0) / DOTS, .along = 40, .across = 1, .quadratic = true};
        p.dot_x[0][i] = p.dot_x[1][i] = b.tip;
        TRY(pli_measured_bending(t, &b, &p.dot_y[0][i], &p.dot_y[1][i]));
    }
    for (int i = 0; i < LINE; ++i) {
        const bending b = {.tip = 10.0 * i / (LINE - 1)};
        p.line_x[0][i] = p.line_x[1][i] = b.tip;
        pli_formula_bending(&b, &p.line_y[0][i], &p.line_y[1][i]);
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "P L^2 / (E I)";
    def.y_label = "part of the length";
    return write_pairs(&p, def, path, t);
}

static pli_status draw_weight(const curve* self, const char* path, trial* t) {
    pairs p = {.count = 1, .names = {"H / W"}};
    double drop, shorter;
    for (int i = 0; i < DOTS; ++i) {
        const bending b = {.weight = 0.1 * pow(1000, i / (DOTS - 1.0)),
                           .along = 80,
                           .across = 1,
                           .quadratic = true};
        p.dot_x[0][i] = b.weight;
        TRY(pli_measured_bending(t, &b, &drop, &shorter));
        p.dot_y[0][i] = drop / (1 - shorter);
    }
    for (int i = 0; i < LINE; ++i) {
        const bending b = {.weight = 0.1 * pow(1000, i / (LINE - 1.0))};
        p.line_x[0][i] = b.weight;
        pli_formula_bending(&b, &drop, &shorter);
        p.line_y[0][i] = drop / (1 - shorter);
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "Gamma = rho A g L^3 / (E I)";
    def.y_label = "H / W";
    def.log_x = def.log_y = true;
    return write_pairs(&p, def, path, t);
}

// ---- pressure of the bar on the wall

static pli_status draw_impact(const curve* self, const char* path, trial* t) {
    static const struct {
        const char* name;
        int cells;
    } rows[] = {{"25 cells", 25}, {"100 cells", 100}};
    enum { CELLS_MAX = 100, STEPS = PLI_IMPACT_STEPS * CELLS_MAX };
    double time[2][STEPS], pressure[2][STEPS];
    const double c = sqrt(1e6 / 1000), exact = 1000 * c * 0.1, end = 3 / c;
    const double box_time[6] = {0, 0, 2 / c, 2 / c, end, end}, box[6] = {0, exact, exact, 0, 0, 0};
    pli_series series[3] = {{.name = "exact", .count = 6, .x = box_time, .y = box, .dashed = true}};
    for (int i = 0; i < 2; ++i) {
        impact result = {.time = time[i], .pressure = pressure[i]};
        TRY(pli_measured_impact(t, rows[i].cells, &result));
        series[1 + i] = (pli_series){
            .name = rows[i].name, .count = result.steps, .x = time[i], .y = pressure[i]};
    }
    pli_chart_def def = pli_default_chart_def();
    def.title = self->caption;
    def.x_label = "time [s]";
    def.y_label = "pressure [Pa]";
    def.series = series;
    def.series_count = 3;
    return pli_chart_write(&def, path, &t->error);
}

const curve pli_curves[] = {
    {"Spectral radius", "radius_explicit", "Spectral radius of the explicit schemes",
     draw_explicit},
    {"Spectral radius", "radius_implicit", "Spectral radius of the implicit schemes",
     draw_implicit},
    {"Free rotation under backward Euler", "rotation", "Free rotation under backward Euler",
     draw_rotation},
    {"Uniaxial stress", "uniaxial", "Uniaxial stress, E = 1e5 Pa, nu = 0.4", draw_uniaxial},
    {"Large deflection", "deflection_force", "Strip bent by a force at its end", draw_force},
    {"Large deflection", "deflection_weight", "Strip bent by its own weight", draw_weight},
    {"Elastic bar against a rigid wall", "impact", "Pressure of a bar on a wall", draw_impact},
};
const int pli_curve_count = sizeof pli_curves / sizeof *pli_curves;
