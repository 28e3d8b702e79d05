// Strains of a corner of a rod and their derivatives: see rod.h, and rod.c for the formulas.
//
// The reference director of an edge is transported from the start of the step to the present
// tangent at once, so that strains are functions of positions and angles. If an edge changes by de,
// the transported director turns about it by c.de, c = -(t_n x t) / ((1 + t_n.t) |e|), compared
// with one that is transported along the change: the connection. Derivatives are those of
// [Bergou10], for directors that are transported along, and to each the derivative by the angle
// times c is added.
#include "energy/rod.h"

#include "math/elementary.h"

static const double two_pi = 6.283185307179586;
// 1 + the cosine of an angle that is taken as pi.
static const double opposite = 1e-13;

static double unit(const double* e, double* t) {
    double length = pli_norm(e, 3);
    for (int c = 0; c < 3 && length > 0; ++c) t[c] = e[c] / length;
    return length;
}

// Material directors, and the connection.
static bool open_edge(const double e[3], const pli_rod_frame* start, double angle, int j,
                      pli_rod_corner* at) {
    double v[3], turn[3], s = pli_sin(angle), c = pli_cos(angle);
    at->length[j] = unit(e, at->t[j]);
    if (!(at->length[j] > 0)) return false;
    double near = 1 + pli_dot(start->t, at->t[j], 3);
    if (!(near > opposite)) return false;
    pli_copy(start->t, at->start[j], 3);
    pli_rod_transport(start->t, at->t[j], start->u, at->u[j]);
    pli_cross3(at->t[j], at->u[j], v);
    pli_cross3(start->t, at->t[j], turn);
    for (int r = 0; r < 3; ++r) {
        at->m[j][0][r] = c * at->u[j][r] + s * v[r];
        at->m[j][1][r] = c * v[r] - s * at->u[j][r];
        at->connection[j][r] = -turn[r] / (near * at->length[j]);
    }
    return true;
}

// The angle about t1 from u0, transported to t1, to u1; of its values the one nearest to `last`.
static double reference_twist(const pli_rod_corner* at, double last) {
    double moved[3], cross[3];
    pli_rod_transport(at->t[0], at->t[1], at->u[0], moved);
    pli_cross3(moved, at->u[1], cross);
    double angle = pli_atan2(pli_dot(cross, at->t[1], 3), pli_dot(moved, at->u[1], 3));
    return angle + two_pi * floor((last - angle) / two_pi + 0.5);
}

bool pli_rod_bend(double e[2][3], const pli_rod_frame start[2], const double angle[2], double twist,
                  pli_rod_corner* at) {
    for (int j = 0; j < 2; ++j)
        if (!open_edge(e[j], &start[j], angle[j], j, at)) return false;
    at->chi = 1 + pli_dot(at->t[0], at->t[1], 3);
    if (!(at->chi > opposite)) return false;
    pli_cross3(at->t[0], at->t[1], at->bend);
    for (int r = 0; r < 3; ++r) {
        at->bend[r] *= 2 / at->chi;
        at->tangent[r] = (at->t[0][r] + at->t[1][r]) / at->chi;
        for (int k = 0; k < 2; ++k) at->mean[k][r] = (at->m[0][k][r] + at->m[1][k][r]) / at->chi;
    }
    at->reference = reference_twist(at, twist);
    at->strain[0] = 0.5 * at->chi * pli_dot(at->mean[1], at->bend, 3);
    at->strain[1] = -0.5 * at->chi * pli_dot(at->mean[0], at->bend, 3);
    at->strain[2] = angle[1] - angle[0] + at->reference;
    return true;
}

// Of the curvature k (0 or 1): -kappa tangent + s t x mean of the other director, over the length;
// s and t by edge.
static const double side[2][2] = {{1, -1}, {-1, 1}};

void pli_rod_gradient(const pli_rod_corner* at, double g[PLI_ROD_STRAINS][PLI_ROD_VARIABLES]) {
    for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 2; ++k) {
            double cross[3];
            pli_cross3(at->t[1 - j], at->mean[1 - k], cross);
            for (int r = 0; r < 3; ++r)
                g[k][3 * j + r] =
                    (side[k][j] * cross[r] - at->strain[k] * at->tangent[r]) / at->length[j];
            g[k][6 + j] = -0.5 * pli_dot(at->m[j][k], at->bend, 3);
        }
        for (int r = 0; r < 3; ++r) g[2][3 * j + r] = 0.5 * at->bend[r] / at->length[j];
        g[2][6 + j] = j == 0 ? -1 : 1;
        for (int k = 0; k < PLI_ROD_STRAINS; ++k)
            pli_axpy(g[k][6 + j], at->connection[j], g[k] + 3 * j, 3);
    }
}

// Changes of what a corner has, along a direction.
typedef struct change {
    double length[2], t[2][3], m[2][2][3], connection[2][3];
    double bend[3], tangent[3], mean[2][3];
} change;

static void change_edge(const pli_rod_corner* at, const double* d, int j, change* to) {
    const double *t = at->t[j], *de = d + 3 * j;
    double cross[3], near = 1 + pli_dot(at->start[j], t, 3);
    double turn = d[6 + j] + pli_dot(at->connection[j], de, 3);
    to->length[j] = pli_dot(t, de, 3);
    for (int r = 0; r < 3; ++r) to->t[j][r] = (de[r] - t[r] * to->length[j]) / at->length[j];
    double along[2] = {pli_dot(at->m[j][0], to->t[j], 3), pli_dot(at->m[j][1], to->t[j], 3)};
    pli_cross3(at->start[j], to->t[j], cross);
    double shrink = pli_dot(at->start[j], to->t[j], 3) / near + to->length[j] / at->length[j];
    for (int r = 0; r < 3; ++r) {
        to->m[j][0][r] = turn * at->m[j][1][r] - along[0] * t[r];
        to->m[j][1][r] = -turn * at->m[j][0][r] - along[1] * t[r];
        to->connection[j][r] = -cross[r] / (near * at->length[j]) - shrink * at->connection[j][r];
    }
}

static void change_corner(const pli_rod_corner* at, const double* d, change* to) {
    double left[3], right[3];
    for (int j = 0; j < 2; ++j) change_edge(at, d, j, to);
    double chi = pli_dot(to->t[0], at->t[1], 3) + pli_dot(at->t[0], to->t[1], 3);
    pli_cross3(to->t[0], at->t[1], left);
    pli_cross3(at->t[0], to->t[1], right);
    for (int r = 0; r < 3; ++r) {
        to->bend[r] = (2 * (left[r] + right[r]) - chi * at->bend[r]) / at->chi;
        to->tangent[r] = (to->t[0][r] + to->t[1][r] - chi * at->tangent[r]) / at->chi;
        for (int k = 0; k < 2; ++k)
            to->mean[k][r] = (to->m[0][k][r] + to->m[1][k][r] - chi * at->mean[k][r]) / at->chi;
    }
}

// By the product rule, term by term as in pli_rod_gradient.
void pli_rod_curvature(const pli_rod_corner* at, double g[PLI_ROD_STRAINS][PLI_ROD_VARIABLES],
                       const double d[PLI_ROD_VARIABLES],
                       double out[PLI_ROD_STRAINS][PLI_ROD_VARIABLES]) {
    change to;
    change_corner(at, d, &to);
    for (int j = 0; j < 2; ++j) {
        double l = at->length[j], shrink = to.length[j] / l;
        for (int k = 0; k < 2; ++k) {
            double left[3], right[3], slope = pli_dot(g[k], d, PLI_ROD_VARIABLES);
            pli_cross3(to.t[1 - j], at->mean[1 - k], left);
            pli_cross3(at->t[1 - j], to.mean[1 - k], right);
            for (int r = 0; r < 3; ++r) {
                double plain = g[k][3 * j + r] - g[k][6 + j] * at->connection[j][r];
                out[k][3 * j + r] = (side[k][j] * (left[r] + right[r]) - slope * at->tangent[r] -
                                     at->strain[k] * to.tangent[r]) /
                                        l -
                                    shrink * plain;
            }
            out[k][6 + j] =
                -0.5 * (pli_dot(to.m[j][k], at->bend, 3) + pli_dot(at->m[j][k], to.bend, 3));
        }
        for (int r = 0; r < 3; ++r)
            out[2][3 * j + r] = 0.5 * (to.bend[r] - shrink * at->bend[r]) / l;
        out[2][6 + j] = 0;
        for (int k = 0; k < PLI_ROD_STRAINS; ++k) {
            pli_axpy(g[k][6 + j], to.connection[j], out[k] + 3 * j, 3);
            pli_axpy(out[k][6 + j], at->connection[j], out[k] + 3 * j, 3);
        }
    }
}
