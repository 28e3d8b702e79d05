// The quality of single elements. What is wrong with a mesh: pli_mesh_check.
#ifndef PLI_MESH_QUALITY_H
#define PLI_MESH_QUALITY_H

#include "pliant/mesh.h"

// 1: equilateral, 0: flat, negative: a tetrahedron inside out. The radius ratio, that is 3 (of
// triangles 2) times the radius of the sphere inside over that of the sphere around; of the corners
// alone, and 1 for segments.
double pli_element_quality(pli_element_kind kind, const int32_t* vertices, const double* x);

// The smallest and the largest angle [degrees]: between the faces of a tetrahedron, or the sides of
// a triangle; of the corners alone. Where two corners are at one place it is 0 or 180.
void pli_element_angles(pli_element_kind kind, const int32_t* vertices, const double* x,
                        double angles[2]);

#endif
