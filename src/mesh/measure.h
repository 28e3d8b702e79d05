// Sizes of elements, lumped masses, stretches, quality.
#ifndef PLI_MESH_MEASURE_H
#define PLI_MESH_MEASURE_H

#include "pliant/energy.h"
#include "pliant/mesh.h"

// Input of pli_lump_mass.
typedef struct pli_lump {
    int dim;
    pli_element_kind kind;
    int element_count;
    const int32_t* vertices; // of all elements
    const double* x;         // rest positions, 3 per vertex [m]
    const double* pattern;   // of triangles in space: flat rest shape, 6 per triangle [m]; NULL: x
    double density;          // [kg/m^3]
    double section;          // factor from the measure to a volume: thickness of triangles [m],
                             // cross-section of segments [m^2], 1 for tetrahedra
} pli_lump;

// mass[v] += share of density |measure| section for each vertex v of each element [kg]. Linear
// elements give equal shares, quadratic ones less to corners than to midside nodes; all are
// positive.
void pli_lump_mass(const pli_lump* lump, double* mass);

// Area of a flat triangle [m^2]: x and y of its corners. Not negative.
double pli_pattern_area(const double pattern[6]);

// Ratio of the areas of a triangle in its pattern (NULL: 1) and in the mesh.
double pli_pattern_ratio(const double* pattern, const int32_t* vertices, const double* x);

// ---- stretches

// Singular values of the deformation gradient at the centroid of an element: as many as it has
// dimensions, the largest first; then 1. If the element fills space (triangles with dim 2,
// tetrahedra), the last of them is negative where it is inverted. All 1 if the element has no
// size at rest, or is a vertex.
void pli_element_stretches(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* rest, const double* x, double stretches[3]);
// A triangle in space whose rest shape is flat: x and y of its corners.
void pli_pattern_stretches(const double pattern[6], const int32_t* vertices, const double* x,
                           double stretches[3]);

// ---- quality of one element; pli_mesh_check finds the defects of a mesh

// 1: equilateral, 0: flat, negative: an inverted tetrahedron. The radius ratio: 3 (for triangles 2)
// times the radius of the inscribed over that of the circumscribed sphere; of the corners only, and
// 1 for segments.
double pli_element_quality(pli_element_kind kind, const int32_t* vertices, const double* x);

// The smallest and the largest angle [degrees]: between the faces of a tetrahedron, or the sides of
// a triangle; of the corners only. 0 or 180 where two corners coincide.
void pli_element_angles(pli_element_kind kind, const int32_t* vertices, const double* x,
                        double angles[2]);

#endif
