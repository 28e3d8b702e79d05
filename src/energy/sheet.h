// Sheets: linear triangles in space with a thickness. A law of a sheet is a density psi(F) [J/m^3]
// of the deformation gradient F = dx/dX, 3x2, from the axes of the triangle at rest to space. The
// first axis is the warp, the second the weft.
//
// F is stored by columns, F[3 c + r]: F and F + 3 are the images of warp and weft. dpsi/dF has the
// same layout, and d2psi/dF2 is a 6x6 matrix over it.
#ifndef PLI_ENERGY_SHEET_H
#define PLI_ENERGY_SHEET_H

#include "pliant/energy.h"

#define PLI_SQRT_HALF 0.70710678118654752440

typedef struct pli_sheet {
    double volume; // area at rest times thickness [m^3]
    double B[4];   // F = [x1 - x0, x2 - x0] B; row k: gradient of the shape of vertex k + 1 [1/m]
} pli_sheet;

// The parameters of laws with axes, the last rows of their tables.
enum { PLI_WARP_COUNT = 3 };
#define PLI_WARP_ROW(axis)                                                                         \
    {                                                                                              \
        .name = "warp_" axis, .unit = "", .min = -1e6, .max = 1e6, .default_value = 0,             \
        .help =                                                                                    \
            axis " component of the direction of the warp at rest, projected into each "           \
                 "triangle, or in its flat pattern; without any: x, in triangles normal to x: y"   \
    }
#define PLI_WARP_ROWS PLI_WARP_ROW("x"), PLI_WARP_ROW("y"), PLI_WARP_ROW("z")

// Unit vectors in the plane of the triangle at rest: a along the warp, b along the weft, with a x b
// on the side of the normal. `warp` is the direction that the parameters give; NULL or zero: the x
// axis, in triangles whose normal is within 0.1 degrees of it the y axis. Not for triangles with a
// pattern.
pli_status pli_sheet_axes(const pli_element* element, const double* warp, double a[3], double b[3],
                          pli_error* error);

// The edges of a triangle at rest from its first vertex, as columns of Dm along warp and weft (or in
// the axes of its pattern, as below); det: the determinant of Dm, twice the area, which is negative
// if a pattern is mirrored.
pli_status pli_sheet_edges(const pli_element* element, const double* warp, double Dm[4],
                           double* det, pli_error* error);

// Rest shape and axes of a triangle. With a flat pattern both are those of the pattern: the warp is
// its x axis, or `warp` in it. Fails for triangles without area and without thickness.
pli_status pli_sheet_prepare(const pli_element* element, const double* warp, pli_sheet* sheet,
                             pli_error* error);

// F at positions x, or its change for a motion x.
void pli_sheet_gradient(const pli_sheet* sheet, const int32_t* vertices, const double* x,
                        double F[6]);

// g (9) += volume P : dF/dx
void pli_sheet_add_force(const pli_sheet* sheet, const double P[6], double* g);

// H (9x9) += volume dF/dx : K : dF/dx
void pli_sheet_add_stiffness(const pli_sheet* sheet, const double K[36], double* H);

// Adds the Cauchy stress P F^T / J, J the ratio of areas: the thickness is constant.
void pli_sheet_add_stress(const double F[6], const double P[6], double out[6]);

// K = dE : C : dE of the Green strain E with the stiffness c = {c11, c12, c22, c33}, where c33 is
// that of the shear angle 2 E12; positive semi-definite if C is.
void pli_sheet_material_stiffness(const double F[6], const double c[4], double K[36]);

// F = sum s[i] u[i] v[i]^T with s[0] >= s[1] >= 0; u is orthonormal in space, v in the sheet. Valid
// for repeated and zero singular values.
typedef struct pli_sheet_svd {
    double s[2], u[3][3], v[2][2];
} pli_sheet_svd;
void pli_sheet_decompose(const double F[6], pli_sheet_svd* svd);

// Derivatives of an isotropic psi by the singular values.
typedef struct pli_sheet_slopes {
    double first[2], second[2], mixed;
    double quotient; // (first[0] - first[1]) / (s[0] - s[1]), or its limit
} pli_sheet_slopes;

// P = dpsi/dF
void pli_sheet_isotropic_stress(const pli_sheet_svd* svd, const pli_sheet_slopes* slopes,
                                double P[6]);

// K = d2psi/dF2 by its six eigenpairs; `project`: negative ones are set to 0. [Smith19]
void pli_sheet_isotropic_stiffness(const pli_sheet_svd* svd, const pli_sheet_slopes* slopes,
                                   bool project, double K[36]);

#endif
