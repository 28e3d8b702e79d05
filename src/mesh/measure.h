// Sizes of elements and what follows from them: lumped masses.
#ifndef PLI_MESH_MEASURE_H
#define PLI_MESH_MEASURE_H

#include "pliant/energy.h"

// "vertex", "segment", "triangle", "tetrahedron".
const char* pli_element_word(pli_element_kind kind);

// Length [m], area [m^2] or volume [m^3] of one element at positions x (3 per vertex); 0 for a
// vertex. Triangles in the plane (dim 2) and tetrahedra are signed: positive if counter-clockwise,
// respectively if the fourth vertex lies on the side to which the first three turn right-handed.
double pli_element_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x);

// What pli_lump_mass spreads.
typedef struct pli_lump {
    int dim;
    pli_element_kind kind;
    int element_count;
    const int32_t* vertices; // of all elements
    const double* x;         // rest positions, 3 per vertex [m]
    double density;          // [kg/m^3]
    double section;          // what the measure lacks to be a volume: thickness of triangles [m],
                             // cross-section of segments [m^2], 1 for tetrahedra
} pli_lump;

// mass[v] += density |measure| section / vertices per element for each vertex v of each element [kg].
void pli_lump_mass(const pli_lump* lump, double* mass);

#endif
