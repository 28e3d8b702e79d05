// Everything that is wrong with a mesh, before anything runs on it.
#ifndef PLI_MESH_QUALITY_H
#define PLI_MESH_QUALITY_H

#include "base/memory.h"
#include "pliant/mesh.h"

typedef enum pli_defect_kind {
    PLI_DEFECT_INDEX,      // an element names a vertex that does not exist
    PLI_DEFECT_REPEATED,   // an element names a vertex twice
    PLI_DEFECT_DEGENERATE, // length, area or volume is 0, or nearly so for the size of its edges
    PLI_DEFECT_INVERTED,   // negative: a clockwise triangle in the plane, a tetrahedron inside out
    PLI_DEFECT_PLANE,      // a tetrahedron in a plane problem
    PLI_DEFECT_FLAT,       // quality below PLI_FLAT_QUALITY: it can be simulated, but badly
    PLI_DEFECT_SAME_PLACE, // two vertices at exactly the same place
} pli_defect_kind;

typedef struct pli_defect {
    pli_defect_kind kind;
    pli_element_kind element_kind; // PLI_VERTEX for SAME_PLACE
    int element;                   // its number; for SAME_PLACE the vertex
    int vertex;                    // the vertex in question; for SAME_PLACE the lower one
    double measure;                // length, area or volume [m, m^2, m^3]; of FLAT: quality
} pli_defect;

// Whether nothing can be simulated with it.
bool pli_defect_is_grave(pli_defect_kind kind);

typedef void pli_defect_fn(void* context, const pli_defect* defect);

// Calls `report` for each defect: elements by kind and number (at most one defect each), then
// vertices. In the plane (dim 2) the z coordinates play no part. Fails only without memory.
pli_status pli_mesh_check(pli_memory* memory, const pli_mesh* mesh, int dim, pli_defect_fn* report,
                          void* context, pli_error* error);

// "triangle 7 has area -0.5 m^2: its vertices must run counter-clockwise"
void pli_defect_text(const pli_defect* defect, char* text, size_t size);

// 1: equilateral, 0: flat, negative: a tetrahedron inside out. The radius ratio, that is 3 (of
// triangles 2) times the radius of the sphere inside over that of the sphere around; of the corners
// alone, and 1 for segments.
double pli_element_quality(pli_element_kind kind, const int32_t* vertices, const double* x);

// The smallest and the largest angle [degrees]: between the faces of a tetrahedron, or the sides of
// a triangle; of the corners alone. Where two corners are at one place it is 0 or 180.
void pli_element_angles(pli_element_kind kind, const int32_t* vertices, const double* x,
                        double angles[2]);

#endif
