// Sizes of elements and what follows from them: lumped masses.
#ifndef PLI_MESH_MEASURE_H
#define PLI_MESH_MEASURE_H

#include "pliant/energy.h"

// "vertex", "segment", "triangle", "tetrahedron", "6-node triangle", "10-node tetrahedron".
const char* pli_element_word(pli_element_kind kind);

// 0 for a vertex to 3 for tetrahedra; an element has one corner more than that.
int pli_element_dimension(pli_element_kind kind);

// Length [m], area [m^2] or volume [m^3] of one element at positions x (3 per vertex); 0 for a
// vertex. Triangles in the plane (dim 2) and tetrahedra are signed: positive if counter-clockwise,
// respectively if the fourth vertex lies on the side to which the first three turn right-handed.
// Curved sides of quadratic elements are counted.
double pli_element_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x);

// Turns the element over: the sign of its measure changes. Vertices and segments stay as they are.
void pli_element_mirror(pli_element_kind kind, int32_t* vertices);

// Which elements density gives mass to: those of dimension 3 if there are any, else of dimension 2,
// else none (0). `count` has an entry per kind.
int pli_mass_dimension(const int count[PLI_ELEMENT_KIND_COUNT]);

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

// mass[v] += share of density |measure| section for each vertex v of each element [kg]. Linear
// elements give equal shares, quadratic ones less to corners than to middles; all are positive.
void pli_lump_mass(const pli_lump* lump, double* mass);

#endif
