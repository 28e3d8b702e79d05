// Sizes of elements and what follows from them: lumped masses.
#ifndef PLI_MESH_MEASURE_H
#define PLI_MESH_MEASURE_H

#include "pliant/mesh.h"

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
