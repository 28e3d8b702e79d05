// The list of built-in energies: one line each, in the order `pliant help` shows them.
#include "energy/element_term.h"

#define TYPES(X)                                                                                   \
    X(spring)                                                                                      \
    X(hooke)                                                                                       \
    X(cable)                                                                                       \
    X(slider)                                                                                      \
    X(thread)                                                                                      \
    X(seam)                                                                                        \
    X(bending_spring)                                                                              \
    X(hinge)                                                                                       \
    X(quadratic_bending)                                                                           \
    X(bending)                                                                                     \
    X(plastic_bending)                                                                             \
    X(shell)                                                                                       \
    X(rod)                                                                                         \
    X(arap)                                                                                        \
    X(fixed_corotated)                                                                             \
    X(neo_hookean)                                                                                 \
    X(stable_neo_hookean)                                                                          \
    X(st_venant_kirchhoff)                                                                         \
    X(linear)                                                                                      \
    X(von_mises)                                                                                   \
    X(foam)                                                                                        \
    X(viscoelastic)                                                                                \
    X(baraff_witkin)                                                                               \
    X(orthotropic)                                                                                 \
    X(strain_limit)                                                                                \
    X(volume)                                                                                      \
    X(gas)                                                                                         \
    X(gravity)                                                                                     \
    X(viscosity)                                                                                   \
    X(sheet_viscosity)                                                                             \
    X(dashpot)                                                                                     \
    X(drag)                                                                                        \
    X(wind)                                                                                        \
    X(anchor)

#define DECLARE(name) extern const pli_energy_type pli_energy_##name;
TYPES(DECLARE)

const pli_energy_type* pli_energy_type_at(int i) {
#define ADDRESS(name) &pli_energy_##name,
    static const pli_energy_type* const types[] = {TYPES(ADDRESS)};
    int count = sizeof types / sizeof *types;
    return i >= 0 && i < count ? types[i] : NULL;
}
