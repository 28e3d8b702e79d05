// The surface of one body as faces: in space triangles, in the plane edges of the outline; linear
// ones and quadratic ones with midside nodes. Loads act on it, and lumped areas come from it.
#ifndef PLI_MESH_SKIN_H
#define PLI_MESH_SKIN_H

#include "mesh/topology.h"

// Vertices of a face: corners (as many as dimensions), then, if it is quadratic, a midside node
// for each pair of neighbours: 01 12 20 in space, 01 in the plane.
static inline int pli_face_width(int dim, bool quadratic) {
    return !quadratic ? dim : dim == 3 ? 6 : 3;
}

typedef struct pli_skin {
    pli_memory* memory;
    int dim;
    int count[2];      // linear, quadratic faces
    int32_t* faces[2]; // in space counter-clockwise seen from outside; in the plane from corner 0
                       // to 1 the outside is to the right
    int room[2];       // entries of each list
} pli_skin;

// In space (dim 3): the boundary of the tetrahedra, with `sheets` also the triangles that are no
// faces of them; or all triangles if there are no tetrahedra (a sheet has one side). In the plane:
// the edges with one triangle. Faces are sorted by their corners, sheets follow. No faces if there
// is no such element. Zero-initialize or free `skin` before.
pli_status pli_skin_create(pli_memory* memory, const pli_elements* elements, int dim, bool sheets,
                           pli_skin* skin, pli_error* error);
void pli_skin_free(pli_skin* skin);

// The flat triangles of a skin in space: linear faces, then four for each quadratic one. `out`
// needs 3 vertices for each.
int pli_skin_triangle_count(const pli_skin* skin);
void pli_skin_triangles(const pli_skin* skin, int32_t* out);

// Keeps the faces whose corners all have `keep` set (1 entry per vertex).
void pli_skin_keep(pli_skin* skin, const bool* keep);

// ---- one face

// A rule over a face: barycentric coordinates, weights with the sum 1. Exact for polynomials of
// degree 1 (`full` false: one point) or 4.
typedef struct pli_face_rule {
    int count;
    double weight[6];
    double at[6][3];
} pli_face_rule;
const pli_face_rule* pli_face_rule_of(int dim, bool full);

// Shape functions and their derivatives by the coordinates 1 and 2 (in the plane: 1; coordinate 0
// is 1 minus their sum): shape[0][v] = N_v, shape[1][v] = dN_v/dL_1, shape[2][v] = dN_v/dL_2.
void pli_face_shape(int dim, bool quadratic, const double at[3], double shape[3][PLI_FACE_MAX]);

// The area vector at a point: outward normal times area of the flat face with the tangents u_1, u_2
// as edges (in the plane: times the length of u_1). Its mean over the rule is that of the face.
void pli_face_normal(int dim, const double* u1, const double* u2, double normal[3]);

// area[v] += share of the area of each face at v [m^2]: equal shares of linear faces, less for
// corners than for midside nodes of quadratic ones, all positive. In the plane: length * thickness.
void pli_skin_areas(const pli_skin* skin, const double* x, double thickness, double* area);

#endif
