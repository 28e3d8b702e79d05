// The constants of viscoelastic_law.h, as they follow the points of a record.
#ifndef PLI_ENERGY_VISCOELASTIC_H
#define PLI_ENERGY_VISCOELASTIC_H

enum {
    PLI_MAXWELL_BRANCHES = 3,
    PLI_VISCO_SHEAR = 0, // mu of the elastic branch, then of the Maxwell branches [Pa]
    PLI_VISCO_BULK = PLI_MAXWELL_BRANCHES + 1, // [Pa]
    PLI_VISCO_TIME,                            // of the Maxwell branches [s]
    PLI_VISCO_CONSTANTS = PLI_VISCO_TIME + PLI_MAXWELL_BRANCHES
};

#endif
