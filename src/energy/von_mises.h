// The constants of von_mises_law.h, as they follow the points of a record.
#ifndef PLI_ENERGY_VON_MISES_H
#define PLI_ENERGY_VON_MISES_H

enum {
    PLI_MISES_ELASTIC,    // mu of the elastic branch [Pa]
    PLI_MISES_SHEAR,      // mu of the branch that flows [Pa]
    PLI_MISES_BULK,       // [Pa]
    PLI_MISES_YIELD,      // y [Pa]
    PLI_MISES_HARDENING,  // c [Pa]
    PLI_MISES_SATURATION, // q [Pa]
    PLI_MISES_SPEED,      // b
    PLI_MISES_VISCOSITY,  // k [Pa s^m]
    PLI_MISES_EXPONENT,   // m
    PLI_MISES_STRAIN,     // equivalent plastic strain per a
    PLI_MISES_CONSTANTS
};

#endif
