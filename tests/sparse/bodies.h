// Matrices as the benchmarks have them: linear tetrahedra of an elastic body on a jittered grid
// with lumped inertia, some vertices pinned by identity rows, and pairs in contact whose barriers
// are far stiffer than the body.
#ifndef TESTS_SPARSE_BODIES_H
#define TESTS_SPARSE_BODIES_H

#include "matrices.h"

typedef struct body_def {
    int cells[3];
    double young; // [Pa]
    double poisson;
    double inertia;    // density / h^2 [kg/(m^3 s^2)]
    int contact_count; // vertices against triangles two layers away
    double barrier;    // stiffness of each, in units of young times the cell size
    bool pinned;       // the layer x = 0
} body_def;

static inline int body_vertex(const body_def* d, int i, int j, int k) {
    return (i * (d->cells[1] + 1) + j) * (d->cells[2] + 1) + k;
}

// The vertices of tetrahedron t: Kuhn's division of cell t / 6.
static inline void body_tetrahedron(const body_def* d, int t, int v[4]) {
    static const int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                   {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int cell = t / 6, c[3] = {cell / (d->cells[1] * d->cells[2]), cell / d->cells[2] % d->cells[1],
                              cell % d->cells[2]};
    v[0] = body_vertex(d, c[0], c[1], c[2]);
    for (int s = 0; s < 3; ++s) {
        c[axes[t % 6][s]]++;
        v[s + 1] = body_vertex(d, c[0], c[1], c[2]);
    }
}

static inline void body_contact(const body_def* d, int c, int v[4]) {
    int i = d->cells[0] / 2, j = c % d->cells[1], k = c / d->cells[1] % d->cells[2];
    v[0] = body_vertex(d, i, j, k);
    v[1] = body_vertex(d, i + 2, j, k);
    v[2] = body_vertex(d, i + 2, j + 1, k);
    v[3] = body_vertex(d, i + 2, j, k + 1);
}

// Adds the 3x3 block of vertices a and b, if it is in the lower triangle.
static inline void body_add(matrix* m, int a, int b, double block[3][3]) {
    if (a < b) return;
    int k = pli_pattern_find(&m->pattern, a, b);
    for (int c = 0; c < 3; ++c)
        for (int r = a == b ? c : 0; r < 3; ++r) *block_entry(m, k, b, r, c) += block[r][c];
}

// Gradients of the four shape functions; gives the volume.
static inline double body_gradients(const double* const x[4], double g[4][3]) {
    double e[3][3];
    for (int a = 0; a < 3; ++a)
        for (int c = 0; c < 3; ++c) e[a][c] = x[a + 1][c] - x[0][c];
    for (int c = 0; c < 3; ++c) g[0][c] = 0;
    double volume = 0;
    for (int a = 0; a < 3; ++a) {
        const double *u = e[(a + 1) % 3], *v = e[(a + 2) % 3];
        double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                       u[0] * v[1] - u[1] * v[0]};
        double det = n[0] * e[a][0] + n[1] * e[a][1] + n[2] * e[a][2];
        volume = fabs(det) / 6;
        for (int c = 0; c < 3; ++c) {
            g[a + 1][c] = n[c] / det;
            g[0][c] -= n[c] / det;
        }
    }
    return volume;
}

static inline void body_add_elements(matrix* m, const body_def* d, const double* x) {
    double lambda = d->young * d->poisson / ((1 + d->poisson) * (1 - 2 * d->poisson));
    double mu = d->young / (2 * (1 + d->poisson));
    for (int t = 0; t < 6 * d->cells[0] * d->cells[1] * d->cells[2]; ++t) {
        int v[4];
        double g[4][3];
        body_tetrahedron(d, t, v);
        const double* const at[4] = {x + 3 * v[0], x + 3 * v[1], x + 3 * v[2], x + 3 * v[3]};
        double volume = body_gradients(at, g);
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b) {
                double block[3][3], dot = g[a][0] * g[b][0] + g[a][1] * g[b][1] + g[a][2] * g[b][2];
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        block[r][c] =
                            volume * (lambda * g[a][r] * g[b][c] + mu * g[a][c] * g[b][r] +
                                      (r == c) * (mu * dot + (a == b) * d->inertia / 4));
                body_add(m, v[a], v[b], block);
            }
    }
}

static inline void body_add_contacts(matrix* m, const body_def* d) {
    static const double weight[4] = {1, -0.3, -0.3, -0.4}, normal[3] = {0.96, 0.28, 0};
    for (int k = 0; k < d->contact_count; ++k) {
        int v[4];
        body_contact(d, k, v);
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b) {
                double block[3][3];
                for (int r = 0; r < 3; ++r)
                    for (int c = 0; c < 3; ++c)
                        block[r][c] =
                            d->barrier * d->young * weight[a] * weight[b] * normal[r] * normal[c];
                body_add(m, v[a], v[b], block);
            }
    }
}

static inline void body_pin(matrix* m, int count) {
    const pli_pattern* p = &m->pattern;
    for (int j = 0; j < p->group_count; ++j)
        for (int k = p->block_start[j]; k < p->block_start[j + 1]; ++k) {
            int i = p->block_row[k];
            for (int c = 0; (i < count || j < count) && c < 3; ++c)
                for (int r = i == j ? c : 0; r < 3; ++r)
                    *block_entry(m, k, j, r, c) = i == j && r == c;
        }
}

// Cells have the size 1.
static inline void matrix_body(matrix* m, const body_def* d) {
    int layer = (d->cells[1] + 1) * (d->cells[2] + 1), n = (d->cells[0] + 1) * layer, count = 0;
    int tetrahedra = 6 * d->cells[0] * d->cells[1] * d->cells[2];
    int32_t* offset = test_calloc((size_t)n + 1, sizeof *offset);
    double* x = test_calloc(3 * (size_t)n, sizeof *x);
    pli_pair* pairs = test_calloc(6 * (size_t)(tetrahedra + d->contact_count), sizeof *pairs);
    uint32_t seed = 77;
    for (int i = 0; i < n; ++i) {
        int at[3] = {i / layer, i % layer / (d->cells[2] + 1), i % (d->cells[2] + 1)};
        offset[i + 1] = 3 * (i + 1);
        for (int a = 0; a < 3; ++a) x[3 * i + a] = at[a] + 0.15 * random_number(&seed);
    }
    for (int t = 0; t < tetrahedra + d->contact_count; ++t) {
        int v[4];
        if (t < tetrahedra)
            body_tetrahedron(d, t, v);
        else
            body_contact(d, t - tetrahedra, v);
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < a; ++b)
                pairs[count++] = (pli_pair){v[a] > v[b] ? v[a] : v[b], v[a] > v[b] ? v[b] : v[a]};
    }
    matrix_build(m, n, offset, count, pairs);
    body_add_elements(m, d, x);
    body_add_contacts(m, d);
    if (d->pinned) body_pin(m, layer);
    test_free(offset);
    test_free(x);
    test_free(pairs);
}

#endif
