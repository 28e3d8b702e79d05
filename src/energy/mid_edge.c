// Bending by normals at the middles of edges: see mid_edge.h.
#include "energy/mid_edge.h"

#include <math.h>

#include "base/base.h"
#include "energy/stencils.h"
#include "mesh/topology.h"

enum { SIZE = PLI_MID_EDGE_SIZE, APEX = 3, NODE = 6 };

static const double TWO_PI = 6.283185307179586;

// ---- parameters

pli_plate pli_plate_of(const double* params, const pli_element* element) {
    double thickness = params[PLI_PLATE_THICKNESS], nu = params[PLI_PLATE_POISSON];
    double D1 = params[PLI_PLATE_D1], D2 = params[PLI_PLATE_D2], mean = sqrt(D1) * sqrt(D2),
           twist = params[PLI_PLATE_D66];
    return (pli_plate){.young = params[PLI_PLATE_YOUNG],
                       .poisson = nu,
                       .thickness = isnan(thickness) ? element->thickness : thickness,
                       .flat = params[PLI_PLATE_FLAT] != 0,
                       .woven = !isnan(D1),
                       .D = {D1, nu * mean, D2, isnan(twist) ? 0.5 * (1 - nu) * mean : twist},
                       .warp = params + PLI_PLATE_WARP};
}

double pli_plate_stiffness(const pli_plate* plate) {
    double t = plate->thickness;
    if (plate->woven) return sqrt(plate->D[0]) * sqrt(plate->D[2]);
    return plate->young * t * t * t / (12 * (1 - plate->poisson * plate->poisson));
}

pli_status pli_plate_check(const double* params, pli_error* error) {
    static const char* const keys[] = {"bending_warp", "bending_weft", "bending_twist"};
    double flat = params[PLI_PLATE_FLAT];
    if (flat != 0 && flat != 1)
        return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "flat = %g, must be 0 or 1", flat),
                             error, "flat");
    const double* D = params + PLI_PLATE_D1;
    bool both = !isnan(D[0]) && !isnan(D[1]), none = isnan(D[0]) && isnan(D[1]) && isnan(D[2]);
    if (both || none) return PLI_OK;
    int given = !isnan(D[0]) ? 0 : !isnan(D[1]) ? 1 : 2, missing = given == 0 ? 1 : 0;
    return pli_error_key(pli_fail(error, PLI_E_ARGUMENT, "%s is given, and %s is missing",
                                  keys[given], keys[missing]),
                         error, keys[given]);
}

double pli_plate_section(const double* params, int dimension) {
    double thickness = params[PLI_PLATE_THICKNESS];
    return dimension == 2 && !isnan(thickness) ? thickness : 0;
}

// ---- stencils

// The corner of the other triangle at an edge that is no end of it; -1: the edge is free.
static int32_t apex_beyond(const pli_sides* edges, const int32_t* triangles, int edge, int use) {
    if (pli_side_uses(edges, edge) != 2) return -1;
    const int32_t* uses = edges->uses + edges->start[edge];
    int other = uses[0] == use ? uses[1] : uses[0];
    int32_t apex = triangles[other - other % 3 + (other + 2) % 3];
    return apex == triangles[use - use % 3 + (use + 2) % 3] ? -1 : apex;
}

// Inner edges must also be fixed: at a corner of supported sides the ends of an edge may be clamped
// each in a way of its own.
static bool clamped(const uint8_t* held, int32_t a, int32_t b, bool inner) {
    const unsigned all = PLI_HELD_X | PLI_HELD_Y | PLI_HELD_Z;
    return held && held[a] & held[b] & PLI_HELD_CLAMPED &&
           (!inner || (held[a] & held[b] & all) == all);
}

// Free edges: those that may carry a moment, and those that turn with a prescribed motion.
static bool has_own_node(const uint8_t* held, int32_t a, int32_t b) {
    if (!held) return false;
    unsigned both = held[a] & held[b];
    return both & PLI_HELD_CLAMPED ? both & PLI_HELD_PRESCRIBED : both & PLI_HELD_MOMENT;
}

// Across the edge from a to b in the plane of the triangle, of length 1: t x n.
static void across_edge(const double* rest, int32_t a, int32_t b, int32_t corner, double out[3]) {
    double t[3], d[3], n[3];
    pli_sub(rest + 3 * (size_t)b, rest + 3 * (size_t)a, t, 3);
    pli_sub(rest + 3 * (size_t)corner, rest + 3 * (size_t)a, d, 3);
    pli_cross3(t, d, n);
    pli_cross3(t, n, out);
    double length = pli_norm(out, 3);
    for (int r = 0; r < 3 && length > 0; ++r) out[r] /= length;
}

static pli_status edge_node(const pli_body_view* body, double inertia, int32_t a, int32_t b,
                            int32_t corner, bool own, pli_stencil_sink* sink, int32_t* node,
                            pli_error* error) {
    pli_node_key key = {.tag = PLI_EDGE_TAG, .vertex_count = 2, .vertices = {a, b}};
    pli_node_def def = pli_default_node_def();
    double e[3];
    pli_sub(body->rest + 3 * (size_t)a, body->rest + 3 * (size_t)b, e, 3);
    def.scale = pli_norm(e, 3);
    def.follows = own && clamped(body->held, a, b, false);
    if (def.follows) across_edge(body->rest, a, b, corner, def.across);
    if (!(def.scale > 0))
        return pli_fail(error, PLI_E_ARGUMENT, "the edge of the vertices %d and %d has no length",
                        (int)a - body->first_vertex, (int)b - body->first_vertex);
    if (body->mass) def.mass = inertia * (body->mass[a] + body->mass[b]) / 6;
    return pli_sink_node(sink, &key, &def, node, error);
}

// `own_edges` are those of the triangle, in the order of its sides 01 12 20.
static pli_status sink_triangle(const pli_body_view* body, double inertia, const pli_sides* edges,
                                int triangle, const int32_t* own_edges, pli_stencil_sink* sink,
                                pli_error* error) {
    const int32_t *all = body->elements[PLI_TRIANGLE], *v = all + 3 * (size_t)triangle;
    int32_t stencil[PLI_MID_EDGE_WIDTH];
    for (int k = 0; k < 3; ++k) {
        int side = (k + 1) % 3; // opposite to corner k
        int32_t a = v[side], b = v[(side + 1) % 3];
        stencil[k] = v[k];
        stencil[APEX + k] = apex_beyond(edges, all, own_edges[side], 3 * triangle + side);
        stencil[NODE + k] = -1;
        bool own = stencil[APEX + k] < 0 && pli_side_uses(edges, own_edges[side]) == 1 &&
                   has_own_node(body->held, a, b);
        if (own || (stencil[APEX + k] >= 0 && !clamped(body->held, a, b, true)))
            PLI_TRY(edge_node(body, inertia, a, b, v[k], own, sink, &stencil[NODE + k], error));
    }
    return pli_sink_stencil(sink, stencil, error);
}

pli_status pli_plate_stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    double thickness = body->params[PLI_PLATE_THICKNESS], inertia = 0;
    if (body->params[PLI_PLATE_ROTARY] > 0) {
        if (isnan(thickness))
            return pli_error_key(pli_fail(error, PLI_E_ARGUMENT,
                                          "rotary = %g needs the thickness of the energy itself",
                                          body->params[PLI_PLATE_ROTARY]),
                                 error, "thickness");
        inertia = body->params[PLI_PLATE_ROTARY] * thickness * thickness / 12;
    }
    int count = body->element_count[PLI_TRIANGLE];
    pli_elements triangles = pli_elements_of_triangles(body->first_vertex + body->vertex_count,
                                                       count, body->elements[PLI_TRIANGLE]);
    pli_sides edges = {0};
    int32_t* edge_of = NULL; // of each side
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(sink->memory, &triangles, PLI_EDGES, &edges, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(sink->memory, edge_of, 3 * (size_t)count, error));
    for (int e = 0; e < edges.count; ++e)
        for (int u = edges.start[e]; u < edges.start[e + 1]; ++u) edge_of[edges.uses[u]] = e;
    for (int t = 0; t < count; ++t)
        PLI_TRY_CLEANUP(
            status, sink_triangle(body, inertia, &edges, t, edge_of + 3 * (size_t)t, sink, error));
cleanup:
    PLI_FREE(sink->memory, edge_of, 3 * (size_t)count);
    pli_sides_free(&edges);
    return status;
}

// ---- rest

// The four vertices of the fold at edge k: corner k, the ends, and beyond it the apex or, of a
// clamped edge, a place that moves with the first end: the normal of (first, X) is along X x e.
static void fold_places(const pli_mid_edge* m, const double* x, const int32_t* vertices, int k,
                        double out[PLI_FOLD_SIZE]) {
    for (int a = 0; a < 3; ++a) pli_copy(x + 3 * (size_t)vertices[(k + a) % 3], out + 3 * a, 3);
    if (m->kind[k] == PLI_EDGE_INNER)
        pli_copy(x + 3 * (size_t)vertices[APEX + k], out + 9, 3);
    else
        for (int r = 0; r < 3; ++r) out[9 + r] = out[3 + r] + m->X[k][r];
}

// Edge k at rest, in the pattern if there is one.
static void rest_edge(const pli_element* element, int k, double e[3]) {
    int a = (k + 1) % 3, b = (k + 2) % 3;
    const double *rest = element->rest, *p = element->pattern;
    pli_sub(rest + 3 * (size_t)element->vertices[b], rest + 3 * (size_t)element->vertices[a], e, 3);
    if (p) pli_copy((const double[3]){p[2 * b] - p[2 * a], p[2 * b + 1] - p[2 * a + 1], 0}, e, 3);
}

// Q of the whole triangle; m_k . m_l is the cosine between the edges.
static pli_status fill_form(const pli_plate* plate, const pli_element* element, pli_mid_edge* m,
                            pli_error* error) {
    double e[3][3], length[3], n[3];
    for (int k = 0; k < 3; ++k) {
        rest_edge(element, k, e[k]);
        m->length[k] = length[k] = pli_norm(e[k], 3);
    }
    pli_cross3(e[0], e[1], n);
    m->area = 0.5 * pli_norm(n, 3);
    if (!(m->area > 0 && m->area < HUGE_VAL))
        return pli_fail(error, PLI_E_ARGUMENT, "the triangle has no area at rest");
    double nu = plate->poisson, young = plate->young, lambda = young * nu / (1 - nu * nu),
           mu = young / (2 * (1 + nu)), t = plate->thickness, third = t * t * t / 12;
    m->poisson = nu;
    m->flexibility = 1 / (young * third);
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            double cosine = k == l ? 1 : pli_dot(e[k], e[l], 3) / (length[k] * length[l]);
            m->Q[k][l] = third * length[k] * length[l] / m->area *
                         (lambda + 2 * mu * cosine * cosine); // 2/h = length / A
        }
    return PLI_OK;
}

// The same of a woven plate: G_k : C : G_l with the normals m_k of the edges along warp and weft.
static pli_status weave_form(const pli_plate* plate, const pli_element* element, pli_mid_edge* m,
                             pli_error* error) {
    double Dm[4], det, c[3], s[3];
    const double* D = plate->D;
    PLI_TRY(pli_sheet_edges(element, plate->warp, Dm, &det, error));
    const double p[3][2] = {{0, 0}, {Dm[0], Dm[2]}, {Dm[1], Dm[3]}};
    for (int k = 0; k < 3; ++k) {
        const double *a = p[(k + 1) % 3], *b = p[(k + 2) % 3];
        c[k] = (b[1] - a[1]) / m->length[k];
        s[k] = (a[0] - b[0]) / m->length[k];
    }
    for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
            double ck = c[k] * c[k], sk = s[k] * s[k], cl = c[l] * c[l], sl = s[l] * s[l];
            double form = D[0] * ck * cl + D[1] * (ck * sl + sk * cl) + D[2] * sk * sl +
                          4 * D[3] * (c[k] * s[k]) * (c[l] * s[l]);
            m->Q[k][l] = m->length[k] * m->length[l] / m->area * form;
        }
    double rest = D[0] * D[2] - D[1] * D[1];
    m->compliance[0] = D[2] / rest;
    m->compliance[1] = -D[1] / rest;
    m->compliance[2] = D[0] / rest;
    m->compliance[3] = 1 / (2 * D[3]);
    m->warp[0] = -s[1];
    m->warp[1] = det > 0 ? -c[1] : c[1];
    return PLI_OK;
}

// No moment at edge k: b_k follows the others.
static void eliminate(double Q[3][3], int k) {
    double row[3];
    pli_copy(Q[k], row, 3);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            Q[i][j] = i == k || j == k ? 0 : Q[i][j] - row[i] * row[j] / row[k];
}

// X of a clamped edge: see the head of mid_edge.h.
static void choose_direction(const pli_element* element, int k, pli_mid_edge* m) {
    const int32_t *v = element->vertices, a = v[(k + 1) % 3], b = v[(k + 2) % 3];
    double x[PLI_FOLD_SIZE], normal[3] = {0};
    int sides = v[APEX + k] >= 0 ? 2 : 1;
    pli_fold f;
    m->kind[k] = sides == 2 ? PLI_EDGE_INNER : PLI_EDGE_CLAMPED; // for the places
    fold_places(m, element->rest, v, k, x);
    (void)pli_fold_open(x, &f);
    m->kind[k] = PLI_EDGE_CLAMPED;
    for (int t = 0; t < sides; ++t) pli_axpy(1 / sqrt(f.square[t]), f.n[t], normal, 3);
    double size = pli_norm(normal, 3);
    for (int r = 0; r < 3; ++r) normal[r] /= size;
    pli_cross3(f.e, normal, m->X[k]);
    unsigned common = element->held[a] & element->held[b] & (PLI_HELD_X | PLI_HELD_Y | PLI_HELD_Z);
    for (int c = 0; c < 3; ++c) {
        double axis[3] = {c == 0, c == 1, c == 2}, along[3];
        pli_cross3(axis, f.e, along);
        double fit = pli_dot(along, normal, 3);
        if (common != 1u << c || fabs(fit) < 0.7) continue;
        for (int r = 0; r < 3; ++r) m->X[k][r] = copysign(axis[r], fit) * (axis[r] != 0);
    }
    for (int r = 0; r < 3; ++r) m->X[k][r] *= f.length;
}

pli_status pli_mid_edge_prepare(const pli_plate* plate, const pli_element* element, pli_mid_edge* m,
                                pli_error* error) {
    const int32_t* v = element->vertices;
    *m = (pli_mid_edge){0};
    PLI_TRY(fill_form(plate, element, m, error));
    if (plate->woven) PLI_TRY(weave_form(plate, element, m, error));
    for (int k = 0; k < 3; ++k) {
        int32_t a = v[(k + 1) % 3], b = v[(k + 2) % 3];
        m->sign[k] = a < b ? 1 : -1;
        m->kind[k] = v[APEX + k] < 0 ? PLI_EDGE_FREE : PLI_EDGE_INNER;
        if (v[APEX + k] < 0 && v[NODE + k] >= 0) m->kind[k] = PLI_EDGE_TURNED;
        if (clamped(element->held, a, b, v[APEX + k] >= 0)) choose_direction(element, k, m);
        if (m->kind[k] == PLI_EDGE_TURNED) continue;
        if (m->kind[k] == PLI_EDGE_FREE) {
            eliminate(m->Q, k);
            continue;
        }
        double x[PLI_FOLD_SIZE];
        pli_fold f;
        fold_places(m, element->rest, v, k, x);
        if (!pli_fold_open(x, &f))
            return pli_fail(error, PLI_E_ARGUMENT, "a triangle beside it has no area at rest");
        double share = m->kind[k] == PLI_EDGE_INNER ? 0.5 : 1;
        m->rest[k] = plate->flat ? 0 : share * pli_fold_angle(&f);
    }
    return PLI_OK;
}

// ---- evaluation

// Row k of J.
static void slope_of(const pli_mid_edge* m, const pli_fold* f, int k, bool node, double row[SIZE]) {
    double g[PLI_FOLD_SIZE];
    if (node) row[3 * (NODE + k)] = m->sign[k];
    if (m->kind[k] == PLI_EDGE_TURNED) return;
    pli_fold_gradient(f, g);
    bool inner = m->kind[k] == PLI_EDGE_INNER;
    double share = inner ? 0.5 : 1;
    for (int a = 0; a < 3; ++a) pli_axpy(share, g + 3 * a, row + 3 * ((k + a) % 3), 3);
    pli_axpy(share, g + 9, row + 3 * (inner ? APEX + k : (k + 1) % 3), 3);
}

bool pli_mid_edge_bend(const pli_mid_edge* m, const double* x, const int32_t* vertices, bool with_J,
                       pli_bend* bend) {
    for (int k = 0; k < 3; ++k) {
        bend->b[k] = 0;
        if (with_J)
            for (int c = 0; c < SIZE; ++c) bend->J[k][c] = 0;
        if (m->kind[k] == PLI_EDGE_FREE) continue;
        double places[PLI_FOLD_SIZE], angle = 0;
        pli_fold* f = &bend->fold[k];
        if (m->kind[k] != PLI_EDGE_TURNED) {
            fold_places(m, x, vertices, k, places);
            if (!pli_fold_open(places, f)) return false;
            angle = (m->kind[k] == PLI_EDGE_INNER ? 0.5 : 1) * pli_fold_angle(f);
        }
        if (vertices[NODE + k] >= 0) angle += m->sign[k] * x[3 * (size_t)vertices[NODE + k]];
        if (m->kind[k] == PLI_EDGE_CLAMPED) // phi counts whole turns
            angle -= TWO_PI * floor(angle / TWO_PI + 0.5);
        bend->b[k] = angle - m->rest[k];
        if (with_J) slope_of(m, f, k, vertices[NODE + k] >= 0, bend->J[k]);
    }
    return true;
}

// H += sum over k of moment_k d2 alpha_k / dx2.
static void add_curvature(const pli_mid_edge* m, const pli_bend* bend, const double moment[3],
                          double* H) {
    for (int k = 0; k < 3; ++k) {
        if (m->kind[k] == PLI_EDGE_FREE || m->kind[k] == PLI_EDGE_TURNED) continue;
        bool inner = m->kind[k] == PLI_EDGE_INNER;
        int place[PLI_FOLD_WIDTH] = {k, (k + 1) % 3, (k + 2) % 3, inner ? APEX + k : (k + 1) % 3};
        double s = 0.5 * (inner ? 0.5 : 1) * moment[k]; // the mean with the transpose
        for (int c = 0; c < PLI_FOLD_SIZE; ++c) {
            double d[PLI_FOLD_SIZE] = {0}, column[PLI_FOLD_SIZE];
            int at = 3 * place[c / 3] + c % 3;
            d[c] = 1;
            pli_fold_curvature(&bend->fold[k], d, column);
            for (int r = 0; r < PLI_FOLD_SIZE; ++r) {
                int row = 3 * place[r / 3] + r % 3;
                H[row * SIZE + at] += s * column[r];
                H[at * SIZE + row] += s * column[r];
            }
        }
    }
}

void pli_mid_edge_spread(const pli_mid_edge* m, const pli_bend* bend, const pli_moments* r,
                         const pli_batch* in, int i, pli_local* out) {
    if (in->want & PLI_VALUE) out->e[i] += r->energy;
    for (int k = 0; k < 3 && in->want & PLI_GRADIENT; ++k)
        pli_axpy(r->moment[k], bend->J[k], out->g + (size_t)i * SIZE, SIZE);
    if (!(in->want & PLI_HESSIAN)) return;
    double* H = out->H + (size_t)i * SIZE * SIZE;
    for (int k = 0; k < 3; ++k) {
        double row[SIZE] = {0};
        if (m->kind[k] == PLI_EDGE_FREE) continue;
        for (int l = 0; l < 3; ++l) pli_axpy(r->C[k][l], bend->J[l], row, SIZE);
        for (int c = 0; c < SIZE; ++c)
            if (bend->J[k][c] != 0) pli_axpy(bend->J[k][c], row, H + c * SIZE, SIZE);
    }
    if (!in->project) add_curvature(m, bend, r->moment, H);
}

void pli_mid_edge_add(const pli_mid_edge* m, const pli_batch* in, int i, pli_local* out) {
    const int32_t* vertices = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
    pli_moments r;
    pli_bend bend;
    if (!pli_mid_edge_bend(m, in->x, vertices, in->want & (PLI_GRADIENT | PLI_HESSIAN), &bend)) {
        if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
        return;
    }
    for (int k = 0; k < 3; ++k) {
        r.moment[k] = pli_dot(m->Q[k], bend.b, 3);
        pli_copy(m->Q[k], r.C[k], 3);
    }
    r.energy = 0.5 * pli_dot(r.moment, bend.b, 3);
    pli_mid_edge_spread(m, &bend, &r, in, i, out);
}

// ---- for readers

// A moment dP/db_k is length_k m_k^T N m_k of the tensor N of moments per length. Turned by 90
// degrees, T, it has e_k^T T e_k = length_k moment_k with the edges e_k, e_0 = -e_1 - e_2.
void pli_mid_edge_tensor(const pli_mid_edge* m, const double moment[3], double N[3]) {
    const double* l = m->length;
    double q[3];
    for (int k = 0; k < 3; ++k) q[k] = l[k] * moment[k];
    double b = 0.5 * (l[0] * l[0] - l[1] * l[1] - l[2] * l[2]) / l[1];
    double c = 2 * m->area / l[1]; // e_1 = (l_1, 0), e_2 = (b, c)
    double xx = q[1] / (l[1] * l[1]);
    double xy = (0.5 * (q[0] - q[1] - q[2]) / l[1] - b * xx) / c;
    N[0] = (q[2] - b * b * xx - 2 * b * c * xy) / (c * c);
    N[1] = xx;
    N[2] = -xy;
}

// The curvatures that the moments N make in a woven plate.
static double woven_curvature(const pli_mid_edge* m, const double N[3]) {
    double c = m->warp[0], s = m->warp[1];
    const double* S = m->compliance;
    double along = c * c * N[0] + s * s * N[1] + 2 * c * s * N[2];
    double across = s * s * N[0] + c * c * N[1] - 2 * c * s * N[2];
    double twist = c * s * (N[1] - N[0]) + (c * c - s * s) * N[2];
    double one = S[0] * along + S[1] * across, two = S[1] * along + S[2] * across;
    return fabs(0.5 * (one + two)) + pli_hypot(0.5 * (one - two), S[3] * twist);
}

void pli_mid_edge_principal(const pli_mid_edge* m, const double moment[3], double* curvature,
                            double* largest) {
    double N[3], nu = m->poisson;
    pli_mid_edge_tensor(m, moment, N);
    double mean = 0.5 * (N[1] + N[0]), apart = pli_hypot(0.5 * (N[1] - N[0]), N[2]);
    *largest = fabs(mean) + apart;
    *curvature = m->compliance[3] > 0 ? woven_curvature(m, N)
                                      : m->flexibility * ((1 - nu) * fabs(mean) + (1 + nu) * apart);
}

void pli_mid_edge_show(const pli_mid_edge* m, const double* x, const int32_t* vertices,
                       double out[PLI_PLATE_FIELD_COUNT]) {
    pli_bend bend;
    double moment[3];
    out[0] = out[1] = (double)NAN;
    if (!pli_mid_edge_bend(m, x, vertices, false, &bend)) return;
    for (int k = 0; k < 3; ++k) moment[k] = pli_dot(m->Q[k], bend.b, 3);
    pli_mid_edge_principal(m, moment, &out[0], &out[1]);
}
