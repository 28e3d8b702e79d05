// The constants of foam_law.h, as they follow the points of a record.
#ifndef PLI_ENERGY_FOAM_H
#define PLI_ENERGY_FOAM_H

#include "energy/von_mises.h"

enum {
    PLI_FOAM_CRUSH = PLI_MISES_CONSTANTS, // p [Pa]
    PLI_FOAM_HARDENING,                   // H [Pa]
    PLI_FOAM_CLOSED,                      // v_d
    PLI_FOAM_CONSTANTS
};

#endif
