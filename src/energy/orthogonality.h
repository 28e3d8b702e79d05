// What keeps affine bodies rigid: kappa V |A^T A - I|^2 for each frame, over its own points. It
// depends on singular values alone, so A A^T gives the same.
#ifndef PLI_ENERGY_ORTHOGONALITY_H
#define PLI_ENERGY_ORTHOGONALITY_H

#include "energy/term.h"

// One body.
typedef struct pli_rigidity {
    int32_t vertices[4];      // the points of its frame, dim + 1
    double kappa;             // at the start [Pa]
    double volume;            // [m^3]
    double length;            // of the frame at rest [m]
    double mass_damping;      // alpha [1/s]
    double stiffness_damping; // beta [s]
    double mass;              // [kg]
    double second[9];         // second moments about the first point [kg m^2]
} pli_rigidity;

// The bodies are copied.
pli_status pli_orthogonality_create(pli_memory* memory, int dim, const pli_rigidity* bodies,
                                    int count, pli_term* term, pli_error* error);
// The bodies of the term, and kappa of each at present, which is state: it may change between
// steps.
const pli_rigidity* pli_orthogonality_bodies(const pli_term* term, int* count);
double* pli_orthogonality_kappa(const pli_term* term);

// Not a term of E: its Hessian is alpha M + beta K of each body, for stiffness damping (damping.h).
// It lives as long as `term`.
pli_term pli_orthogonality_damping(const pli_term* term);

// Largest strain |A^T A - I| / 2 (spectral norm) of a frame.
double pli_body_frame_strain(int dim, const double* A);

#endif
