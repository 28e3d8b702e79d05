// The rest of a hinge, for the energies over two triangles at an edge: its shape, in the pattern
// where there is one, and its stiffness across the edge.
//
// Stiffnesses k1 along the warp and k2 along the weft make the stiffness
//
//     k = (k1^1/2 c^2 + k2^1/2 s^2)^2
//
// of an edge whose normal in the sheet has the components c and s along warp and weft: that of an
// orthotropic plate bent to a cylinder in this direction, D1 c^4 + 2 H c^2 s^2 + D2 s^4, with the
// twisting stiffness H = (D1 D2)^1/2 [Timoshenko59].
#ifndef PLI_ENERGY_CREASE_H
#define PLI_ENERGY_CREASE_H

#include "energy/fold.h"
#include "energy/sheet.h"

// Rows of parameters, the whole table of an energy.
enum {
    PLI_CREASE_STIFFNESS,
    PLI_CREASE_FLAT,
    PLI_CREASE_WARP_STIFFNESS,
    PLI_CREASE_WEFT_STIFFNESS,
    PLI_CREASE_WARP,
    PLI_CREASE_PARAMS = PLI_CREASE_WARP + PLI_WARP_COUNT
};
// clang-format off
#define PLI_CREASE_ROWS(stiffness_help)                                                            \
    {.name = "stiffness", .unit = "J", .min = 0, .max = HUGE_VAL, .default_value = 1e-3,           \
     .flags = PLI_PARAM_ABOVE_MIN, .help = stiffness_help},                                        \
    {.name = "flat", .unit = "", .min = 0, .max = 1, .default_value = 0,                           \
     .help = "1: the sheet would be flat without forces, though its rest shape is not; where the " \
             "two triangles meet in a flat pattern it is so anyway"},                              \
    {.name = "stiffness_warp", .unit = "J", .min = 0, .max = HUGE_VAL, .default_value = NAN,       \
     .flags = PLI_PARAM_ABOVE_MIN,                                                                 \
     .help = "k of bending along the warp; with stiffness_weft in place of stiffness"},            \
    {.name = "stiffness_weft", .unit = "J", .min = 0, .max = HUGE_VAL, .default_value = NAN,       \
     .flags = PLI_PARAM_ABOVE_MIN, .help = "k of bending along the weft"},                         \
    PLI_WARP_ROWS
// clang-format on
pli_status pli_crease_check(const double* params, pli_error* error);

typedef struct pli_crease {
    pli_fold fold;    // at rest
    double angle;     // at rest [rad]
    double stiffness; // k [J]
} pli_crease;

// Fails for triangles without area.
pli_status pli_crease_prepare(const double* params, const pli_element* element, pli_crease* out,
                              pli_error* error);

#endif
