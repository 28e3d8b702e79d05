// Homogeneous states of three materials in closed form, and a cube that is in them.
#ifndef TESTS_VALIDATION_MATERIALS_H
#define TESTS_VALIDATION_MATERIALS_H

#include "validation/trial.h"

// Stretched by l along x, free to the sides: force per area at rest [Pa] and stretch to the sides.
typedef struct uniaxial {
    double stress, side;
} uniaxial;

uniaxial pli_formula_uniaxial(const material* m, double l);

// A cube of tetrahedra on rollers with its far face held at l; `cells` along each edge.
pli_status pli_measured_uniaxial(trial* t, const material* m, double l, int cells, uniaxial* u);

#endif
