// Reference elements. With barycentric coordinates L the shape functions are L_i for linear
// elements; L_i (2 L_i - 1) for corners and 4 L_i L_j for midside nodes of quadratic ones. Rules:
// [Zienkiewicz13], chapter 5.
#include "mesh/reference.h"

#include "mesh/measure.h"

const int pli_middle_ends[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

// Near and far coordinate of the 4 points: (5 -+ sqrt 5) / 20 and 1 - 3 of it.
#define NEAR 0.13819660112501051518
#define FAR 0.58541019662496845446
#define SIXTH (1.0 / 6)

static const pli_quadrature centre[] = {
    [1] = {1, {1}, {{0.5, 0.5}}},
    [2] = {1, {1}, {{1.0 / 3, 1.0 / 3, 1.0 / 3}}},
    [3] = {1, {1}, {{0.25, 0.25, 0.25, 0.25}}},
};
static const pli_quadrature triangle_degree_2 = {
    3,
    {1.0 / 3, 1.0 / 3, 1.0 / 3},
    {{4 * SIXTH, SIXTH, SIXTH}, {SIXTH, 4 * SIXTH, SIXTH}, {SIXTH, SIXTH, 4 * SIXTH}}};
static const pli_quadrature tetrahedron_degree_2 = {4,
                                                    {0.25, 0.25, 0.25, 0.25},
                                                    {{FAR, NEAR, NEAR, NEAR},
                                                     {NEAR, FAR, NEAR, NEAR},
                                                     {NEAR, NEAR, FAR, NEAR},
                                                     {NEAR, NEAR, NEAR, FAR}}};
static const pli_quadrature tetrahedron_degree_3 = {5,
                                                    {-0.8, 0.45, 0.45, 0.45, 0.45},
                                                    {{0.25, 0.25, 0.25, 0.25},
                                                     {0.5, SIXTH, SIXTH, SIXTH},
                                                     {SIXTH, 0.5, SIXTH, SIXTH},
                                                     {SIXTH, SIXTH, 0.5, SIXTH},
                                                     {SIXTH, SIXTH, SIXTH, 0.5}}};

bool pli_is_quadratic(pli_element_kind kind) {
    return pli_element_size(kind) > pli_element_dimension(kind) + 1;
}

const pli_quadrature* pli_stiffness_quadrature(pli_element_kind kind) {
    int dimension = pli_element_dimension(kind);
    if (!pli_is_quadratic(kind)) return &centre[dimension];
    return dimension == 2 ? &triangle_degree_2 : &tetrahedron_degree_2;
}

const pli_quadrature* pli_measure_quadrature(pli_element_kind kind) {
    int dimension = pli_element_dimension(kind);
    if (!pli_is_quadratic(kind)) return &centre[dimension];
    return dimension == 2 ? &triangle_degree_2 : &tetrahedron_degree_3;
}

void pli_shape_derivatives(pli_element_kind kind, const double at[4], double* derivatives) {
    int dimension = pli_element_dimension(kind), corners = dimension + 1;
    bool quadratic = pli_is_quadratic(kind);
    for (int v = 0; v < pli_element_size(kind); ++v)
        for (int b = 0; b < dimension; ++b) {
            int i = v < corners ? v : pli_middle_ends[v - corners][0];
            double di = (i == b + 1) - (i == 0), value;
            if (v < corners) {
                value = quadratic ? (4 * at[i] - 1) * di : di;
            } else {
                int j = pli_middle_ends[v - corners][1];
                double dj = (j == b + 1) - (j == 0);
                value = 4 * (at[i] * dj + at[j] * di);
            }
            derivatives[v * dimension + b] = value;
        }
}
