// Bending of a surface of triangles by normals at the middles of edges: right on every mesh.
//
// Each triangle has, for its edges k = 0, 1, 2 (edge k is opposite to corner k), the angle alpha_k
// from its own normal to the normal of the surface at the middle of the edge, about the edge. With
// the heights h_k and the in-plane unit normals m_k of the edges at rest the change of curvature is
//
//     M = sum over k of (alpha_k - alpha_rest_k) G_k,    G_k = (2 / h_k) m_k m_k^T    [1/m],
//
// for small angles the Morley element [Morley68]. The energy of a plate of thickness t is a
// constant form,
//
//     P = A (t^3 / 12) (lambda/2 tr(M)^2 + mu M:M) = 1/2 b^T Q b,    b = alpha - alpha_rest    [J],
//     lambda = E nu / (1 - nu^2),    mu = E / (2 (1 + nu)),
//
// D kappa^2 / 2 per area for one curvature, D = E t^3 / (12 (1 - nu^2)). A woven plate has the
// stiffnesses D1 along the warp and D2 along the weft,
//
//     P = A/2 (D1 M11^2 + 2 D12 M11 M22 + D2 M22^2 + 4 D66 M12^2),    D12 = nu (D1 D2)^1/2,
//
// with the stiffness D66 against twist, if not given (1 - nu)/2 (D1 D2)^1/2 [Timoshenko59]: bent
// across the direction (c, s) to a cylinder it then has the stiffness (D1^1/2 c^2 + D2^1/2 s^2)^2.
// What alpha_k is depends on the edge:
//
// clang-format off
//   inner    theta/2 + s phi: theta the angle between the two triangles, phi a node of the edge, and
//            s = +-1 by the direction of the edge in the triangle. The other triangle has theta/2 -
//            s phi; if it has the opposite orientation, -theta/2 and the same s.
//   free     (one triangle, or three and more) whatever makes P smallest, eliminated from Q: no moment.
//   clamped  (both ends clamped; inner edges also fixed) the angle to the direction X x t, t along
//            the edge. X is constant: the axis along which alone both ends are held, if it is a
//            plane of symmetry, else across the edge in the surface at rest. If both ends are
//            prescribed, plus s phi: phi is a node that turns as the motion does.
//   turned   (a free edge that may carry a moment) s phi.
// clang-format on
//
// There is no history: rigid motions have no forces, and any state may be set.
#ifndef PLI_ENERGY_MID_EDGE_H
#define PLI_ENERGY_MID_EDGE_H

#include "energy/fold.h"
#include "energy/sheet.h"

// The corners, then for each edge the apex of the triangle beyond it, then the nodes of the edges.
enum { PLI_MID_EDGE_WIDTH = 9, PLI_MID_EDGE_SIZE = 3 * PLI_MID_EDGE_WIDTH };

typedef enum pli_mid_edge_kind {
    PLI_EDGE_FREE,
    PLI_EDGE_INNER,
    PLI_EDGE_CLAMPED,
    PLI_EDGE_TURNED
} pli_mid_edge_kind;

#define PLI_EDGE_TAG 0x65646765u // "edge": of its nodes

// A triangle at rest.
typedef struct pli_mid_edge {
    double Q[3][3];              // without free edges [J]
    double rest[3];              // alpha_rest [rad]
    double X[3][3];              // of clamped edges, as long as the edge [m]
    double sign[3];              // s
    int32_t kind[3];             // pli_mid_edge_kind
    double area;                 // [m^2]
    double length[3];            // of the edges [m]
    double poisson, flexibility; // -, 12 / (E t^3) [1/(N m)]
    // Of a woven plate: curvatures 11, 22 per moment 11; 22 per 22; 12 per 12 [1/(N m)]; the warp in
    // axes of which the first is along edge 1. All 0: not woven.
    double compliance[4], warp[2];
} pli_mid_edge;

// What the plate is made of.
typedef struct pli_plate {
    double young, poisson; // [Pa], -
    double thickness;      // [m]
    bool flat;             // the rest shape has moments: without them the sheet would be flat
    bool woven;            // the four stiffnesses and the direction of the warp are used
    double D[4];           // D1, D12, D2, D66 [N m]
    const double* warp;
} pli_plate;

// Rows of parameters, first in the table of an energy.
enum {
    PLI_PLATE_YOUNG,
    PLI_PLATE_POISSON,
    PLI_PLATE_THICKNESS,
    PLI_PLATE_FLAT,
    PLI_PLATE_ROTARY,
    PLI_PLATE_D1,
    PLI_PLATE_D2,
    PLI_PLATE_D66,
    PLI_PLATE_WARP,
    PLI_PLATE_PARAMS = PLI_PLATE_WARP + PLI_WARP_COUNT
};
// clang-format off
#define PLI_PLATE_ROWS                                                                             \
    {.name = "young", .unit = "Pa", .min = 0, .max = HUGE_VAL, .default_value = 1e6,               \
     .flags = PLI_PARAM_ABOVE_MIN, .help = "Young's modulus E"},                                   \
    {.name = "poisson", .unit = "", .min = -1, .max = 0.5, .default_value = 0.3,                   \
     .flags = PLI_PARAM_ABOVE_MIN, .help = "Poisson's ratio nu"},                                  \
    {.name = "thickness", .unit = "m", .min = 0, .max = HUGE_VAL, .default_value = NAN,            \
     .flags = PLI_PARAM_ABOVE_MIN, .help = "t; default: that of the body"},                        \
    {.name = "flat", .unit = "", .min = 0, .max = 1, .default_value = 0,                           \
     .help = "1: the sheet would be flat without forces, though its rest shape is not"},           \
    {.name = "rotary", .unit = "", .min = 0, .max = HUGE_VAL, .default_value = 0,                  \
     .help = "inertia of the unknowns at edges in units of m t^2/12; explicit schemes need it"},   \
    {.name = "bending_warp", .unit = "N m", .min = 0, .max = HUGE_VAL, .default_value = NAN,       \
     .flags = PLI_PARAM_ABOVE_MIN,                                                                 \
     .help = "D1, moment per length and curvature along the warp; with bending_weft in place of "  \
             "E t^3 / (12 (1 - nu^2))"},                                                           \
    {.name = "bending_weft", .unit = "N m", .min = 0, .max = HUGE_VAL, .default_value = NAN,       \
     .flags = PLI_PARAM_ABOVE_MIN, .help = "D2, the same along the weft"},                         \
    {.name = "bending_twist", .unit = "N m", .min = 0, .max = HUGE_VAL, .default_value = NAN,      \
     .flags = PLI_PARAM_ABOVE_MIN,                                                                 \
     .help = "D66, half of the moment per length and twist; default: (1 - nu)/2 (D1 D2)^1/2"},     \
    PLI_WARP_ROWS
// clang-format on
pli_plate pli_plate_of(const double* params, const pli_element* element);
// D [N m]; of a woven plate (D1 D2)^1/2.
double pli_plate_stiffness(const pli_plate* plate);
pli_status pli_plate_check(const double* params, pli_error* error);
double pli_plate_section(const double* params, int dimension);
// Stencils of all triangles, with nodes.
pli_status pli_plate_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error);

pli_status pli_mid_edge_prepare(const pli_plate* plate, const pli_element* element,
                                pli_mid_edge* out, pli_error* error);

// A triangle as it is now.
typedef struct pli_bend {
    pli_fold fold[3];
    double b[3];                    // alpha - alpha_rest
    double J[3][PLI_MID_EDGE_SIZE]; // db/dx
} pli_bend;

// b, and J if asked for. False if a triangle has no area.
bool pli_mid_edge_bend(const pli_mid_edge* m, const double* x, const int32_t* vertices, bool with_J,
                       pli_bend* bend);
// What a law makes of b: its energy, the derivative and the second derivative (>= 0).
typedef struct pli_moments {
    double energy, moment[3], C[3][3]; // [J]
} pli_moments;
// Adds value, gradient and Hessian of stencil i of a batch; projected: Gauss-Newton, J^T C J.
void pli_mid_edge_spread(const pli_mid_edge* m, const pli_bend* bend, const pli_moments* r,
                         const pli_batch* in, int i, pli_local* out);
// The same with 1/2 b^T Q b.
void pli_mid_edge_add(const pli_mid_edge* m, const pli_batch* in, int i, pli_local* out);

// ---- for readers

// Rows of fields, first in the table of an energy, at the corners of the triangle.
enum { PLI_PLATE_FIELD_COUNT = 2, PLI_PLATE_FIELD_PLACES = 7 };
// clang-format off
#define PLI_PLATE_FIELDS                                                                           \
    {"curvature_change", "Largest change of curvature", "1/m"},                                    \
    {"bending_moment", "Bending moment per length", "N"}
// clang-format on
// The tensor of moments per length [N] of moments dP/db: 11, 22, 12 in axes of which the first is
// along edge 1, the second towards edge 2.
void pli_mid_edge_tensor(const pli_mid_edge* m, const double moment[3], double N[3]);
// Sizes of the largest principal moment per length [N], and of the largest principal change of
// curvature that makes it [1/m], of moments dP/db.
void pli_mid_edge_principal(const pli_mid_edge* m, const double moment[3], double* curvature,
                            double* largest);
// Writes the fields of 1/2 b^T Q b; NaN if a triangle has no area.
void pli_mid_edge_show(const pli_mid_edge* m, const double* x, const int32_t* vertices,
                       double out[PLI_PLATE_FIELD_COUNT]);

#endif
