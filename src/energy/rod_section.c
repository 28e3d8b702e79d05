// Sections of rods: stiffnesses of a circle, a tube or a rectangle, or those that are given.
#include "energy/rod.h"

#include "base/base.h"
#include "math/elementary.h"

static const double pi = 3.141592653589793;

static bool given(double value) { return !isnan(value); }

static bool has_section(const pli_rod_params* p) { return given(p->radius) || given(p->width); }

static pli_status check_section(const pli_rod_params* p, pli_error* error) {
    bool box = given(p->width) || given(p->height);
    if (given(p->radius) && box)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "radius is given together with %s: give radius, or width and height",
                        given(p->width) ? "width" : "height");
    if (box && given(p->width) != given(p->height))
        return pli_fail(error, PLI_E_ARGUMENT, "%s is given without %s",
                        given(p->width) ? "width" : "height", given(p->width) ? "height" : "width");
    if (p->inner > 0 && !given(p->radius))
        return pli_fail(error, PLI_E_ARGUMENT, "inner is given without radius");
    if (p->inner > 0 && !(p->inner < p->radius))
        return pli_fail(error, PLI_E_ARGUMENT, "inner = %g m, must be < radius = %g m", p->inner,
                        p->radius);
    return PLI_OK;
}

static pli_status check_stiffness(const pli_rod_params* p, pli_error* error) {
    bool all = given(p->axial) && given(p->bending1) && given(p->torsion);
    if (!has_section(p) && !all)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "the section is not known: give radius, or width and height, or axial, "
                        "bending1 and torsion");
    if (!given(p->young) && !all)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "young is not given: a section needs Young's modulus");
    return PLI_OK;
}

pli_status pli_rod_check(const double* params, pli_error* error) {
    const pli_rod_params* p = (const pli_rod_params*)params;
    PLI_TRY(check_section(p, error));
    PLI_TRY(check_stiffness(p, error));
    pli_rod_section s = pli_rod_section_of(params);
    const double values[] = {s.EA, s.EI[0], s.EI[1], s.GJ};
    static const char* const names[] = {"axial", "bending1", "bending2", "torsion"};
    for (int i = 0; i < 4; ++i)
        if (!(values[i] > 0) || !isfinite(values[i]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "the section gives %s = %g, must be > 0 and finite: check the unit of "
                            "radius, width, height and young",
                            names[i], values[i]);
    double normal[3];
    if (pli_rod_normal(params, normal) && pli_norm(normal, 3) == 0)
        return pli_fail(error, PLI_E_ARGUMENT,
                        "normal_x, normal_y and normal_z are 0: give a direction, or none of them");
    return PLI_OK;
}

// Torsion constant of a rectangle (Saint-Venant) with the longer side a and the shorter side b:
//   a b^3 (1/3 - 64/pi^5 (b/a) sum over odd n of tanh(n pi a / (2 b)) / n^5)
static double box_torsion(double a, double b) {
    double sum = 0;
    for (int n = 199; n > 0; n -= 2)
        sum += pli_tanh(0.5 * n * pi * a / b) / ((double)n * n * n * n * n);
    return a * b * b * b * (1.0 / 3 - 64 / (pi * pi * pi * pi * pi) * b / a * sum);
}

typedef struct shape {
    double area, I[2], J;
} shape;

static shape shape_of(const pli_rod_params* p) {
    if (given(p->radius)) {
        double r2 = p->radius * p->radius, i2 = p->inner * p->inner;
        double I = 0.25 * pi * (r2 - i2) * (r2 + i2);
        return (shape){.area = pi * (r2 - i2), .I = {I, I}, .J = 2 * I};
    }
    if (!given(p->width)) return (shape){0};
    double w = p->width, h = p->height;
    return (shape){.area = w * h,
                   .I = {w * h * h * h / 12, h * w * w * w / 12},
                   .J = box_torsion(fmax(w, h), fmin(w, h))};
}

pli_rod_section pli_rod_section_of(const double* params) {
    const pli_rod_params* p = (const pli_rod_params*)params;
    shape s = shape_of(p);
    double E = given(p->young) ? p->young : 0, G = E / (2 * (1 + p->poisson));
    double second = given(p->bending1) ? p->bending1 : E * s.I[1];
    pli_rod_section out = {.area = s.area,
                           .EA = given(p->axial) ? p->axial : E * s.area,
                           .EI = {given(p->bending1) ? p->bending1 : E * s.I[0],
                                  given(p->bending2) ? p->bending2 : second},
                           .GJ = given(p->torsion) ? p->torsion : G * s.J};
    if (out.area == 0 && E > 0) out.area = out.EA / E;
    return out;
}

bool pli_rod_normal(const double* params, double normal[3]) {
    const pli_rod_params* p = (const pli_rod_params*)params;
    bool any = false;
    for (int c = 0; c < 3; ++c) {
        any = any || given(p->normal[c]);
        normal[c] = given(p->normal[c]) ? p->normal[c] : 0;
    }
    return any;
}

double pli_rod_area(const double* params, int dimension) {
    return dimension == 1 ? pli_rod_section_of(params).area : 0;
}
