// Metals: the table row of von Mises plasticity. The law is in von_mises_law.h.
#include "energy/von_mises.h"

#include <math.h>

#include "base/base.h"
#include "energy/solid.h"
#include "math/elementary.h"

PLI_FLOW_FUNCTIONS(PLI_LAW_VON_MISES, PLI_MISES_CONSTANTS, 1, PLI_FLOW_FIELDS)

enum { YIELD = PLI_PLANE_STRESS + 1, HARDENING, SATURATION, SPEED, KINEMATIC, VISCOSITY, EXPONENT };

// clang-format off
static const pli_param params[] = {
    PLI_ROW_YOUNG, PLI_ROW_POISSON(-1, PLI_PARAM_ABOVE_MIN), PLI_ROW_MU, PLI_ROW_LAMBDA(-HUGE_VAL),
    PLI_ROW_PLANE_STRESS,
    {.name = "yield", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = 1e3,
     .help = "uniaxial stress at which it yields (true stress)"},
    {.name = "hardening", .unit = "Pa", .min = -HUGE_VAL, .max = HUGE_VAL,
     .help = "H, growth of the yield stress per plastic strain; < 0 softens down to 0"},
    {.name = "saturation", .unit = "Pa", .min = 0, .max = HUGE_VAL,
     .help = "by how much more the yield stress grows in the end [Voce]: "
             "saturation (1 - exp(-saturation_speed strain))"},
    {.name = "saturation_speed", .unit = "", .min = 0, .max = HUGE_VAL, .default_value = 10,
     .help = "how fast it does, per plastic strain"},
    {.name = "kinematic", .unit = "Pa", .min = 0, .max = HUGE_VAL,
     .help = "hardening that moves the yield surface: less stress yields after the load is reversed"},
    {.name = "viscosity", .unit = "Pa s^m", .min = 0, .max = HUGE_VAL,
     .help = "k, stress beyond yield k (strain rate)^m, m = rate_exponent; 0: no rate"},
    {.name = "rate_exponent", .unit = "", .min = 0, .max = 1, .default_value = 1,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "m; 1: Bingham (Norton with yield 0), < 1: Herschel-Bulkley, creep"},
};
// clang-format on

static pli_status check(const double* p, pli_error* error) {
    pli_elastic given = pli_solid_rows(p);
    PLI_TRY(pli_solid_check_given(&given, error));
    pli_solid solid = pli_solid_constants(&given);
    double least = -3 * solid.mu;
    bool curved = p[SATURATION] > 0 || (p[VISCOSITY] > 0 && p[EXPONENT] != 1);
    if (p[HARDENING] < 0 && curved)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                      "hardening = %g Pa, must be >= 0 together with saturation or "
                                      "rate_exponent",
                                      p[HARDENING]),
                             error, "hardening");
    if (p[HARDENING] > 0.99 * least) return PLI_OK;
    return pli_error_key(
        pli_fail(error, PLI_E_ARGUMENT,
                 "hardening = %g Pa, must be > -2.97 times the shear modulus = %g: "
                 "it would soften faster than it unloads",
                 p[HARDENING], 0.99 * least),
        error, "hardening");
}

// Uniaxial stress, plastic strain e and rate: |dev tau| = sqrt(2/3) stress, a = sqrt(3/2) e. Of the
// modulus mu the part r flows, so that the back stress grows by `kinematic`: r = 3 mu / (3 mu + K).
// It yields at r |dev tau| and flows by a / r.
static pli_status prepare(const double* p, const pli_element* element, void* data,
                          pli_error* error) {
    pli_elastic given = pli_solid_rows(p);
    double* c = NULL;
    PLI_TRY(pli_flow_prepare(&given, element, data, &c, error));
    const pli_solid* solid = data;
    double r = 3 * solid->mu / (3 * solid->mu + p[KINEMATIC]), root = sqrt(2.0 / 3);
    c[PLI_MISES_SHEAR] = r * solid->mu;
    c[PLI_MISES_ELASTIC] = p[KINEMATIC] > 0 ? solid->mu - c[PLI_MISES_SHEAR] : 0;
    c[PLI_MISES_BULK] = solid->lam + 2 * solid->mu / 3;
    c[PLI_MISES_YIELD] = r * root * p[YIELD];
    c[PLI_MISES_HARDENING] = r * r * 2 / 3 * p[HARDENING];
    c[PLI_MISES_SATURATION] = p[SPEED] > 0 ? r * root * p[SATURATION] : 0;
    c[PLI_MISES_SPEED] = r * root * p[SPEED];
    c[PLI_MISES_VISCOSITY] = r * root * p[VISCOSITY] * pli_pow(r * root, p[EXPONENT]);
    c[PLI_MISES_EXPONENT] = p[EXPONENT];
    c[PLI_MISES_STRAIN] = r * root;
    return PLI_OK;
}

const pli_energy_type pli_energy_von_mises = {
    PLI_FLOW_TABLE(PLI_MISES_CONSTANTS, 1, PLI_FLOW_FIELDS),
    .name = "von-mises",
    .help = "metals: mu |dev e|^2 + (lam/2 + mu/3) (tr e)^2 per rest volume, e = ln of the elastic "
            "stretches, flows where the stress exceeds `yield`",
    .check = check,
    .prepare = prepare,
};
