// Moments of bodies. With the consistent mass matrix M of an element, whose entries are the exact
// integrals of rho N_i N_j, x = sum of N_i x_i gives
//
//     m = sum M_ij,   int rho x = sum M_ij x_i,   int rho x x^T = sum M_ij x_i x_j^T
//
// for linear and for quadratic elements with curved sides. The inside of a surface is the sum of
// the tetrahedra from one place to each triangle, with their signs (divergence theorem).
#include "kinematics/moments.h"

#include "kinematics/consistent.h"
#include "math/small.h"
#include "math/vec.h"
#include "mesh/topology.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

void pli_moments_begin(pli_moments* m, const double about[3]) {
    *m = (pli_moments){0};
    memcpy(m->centre, about, sizeof m->centre);
}

// mass x y^T, upper half.
static void add_product(pli_moments* m, double mass, const double x[3], const double y[3]) {
    for (int r = 0; r < 3; ++r)
        for (int c = r; c < 3; ++c)
            m->second[3 * r + c] += mass * 0.5 * (x[r] * y[c] + x[c] * y[r]);
}

static void add_first(pli_moments* m, double mass, const double x[3]) {
    m->mass += mass;
    for (int c = 0; c < 3; ++c) m->first[c] += mass * x[c];
}

// The extent of an element across its plane or line: mass r^2 / 4 for a round section, mass t^2 /
// 12 for a thickness.
static void add_section(pli_moments* m, const pli_lump* lump, const double* x0, const double* x1,
                        const double* x2, double mass) {
    double u[3], v[3], n[3];
    pli_sub(x1, x0, u, 3);
    if (lump->kind == PLI_SEGMENT) {
        double length = pli_norm(u, 3), spread = mass * lump->section / (4 * PI);
        for (int c = 0; c < 3; ++c) u[c] = length > 0 ? u[c] / length : 0;
        for (int c = 0; c < 3; ++c) m->second[4 * c] += spread;
        add_product(m, -spread, u, u);
        return;
    }
    pli_sub(x2, x0, v, 3);
    pli_cross3(u, v, n);
    double size = pli_norm(n, 3);
    for (int c = 0; c < 3; ++c) n[c] = size > 0 ? n[c] / size : 0;
    add_product(m, mass * lump->section * lump->section / 12, n, n);
}

void pli_moments_add_elements(pli_moments* m, const pli_lump* lump) {
    int n = pli_element_size(lump->kind), dimension = pli_element_dimension(lump->kind);
    double M[PLI_MAX_ELEMENT_SIZE * PLI_MAX_ELEMENT_SIZE], x[PLI_MAX_ELEMENT_SIZE][3];
    for (int e = 0; e < lump->element_count; ++e) {
        const int32_t* v = lump->vertices + (size_t)e * (size_t)n;
        const double* pattern = lump->pattern ? lump->pattern + 6 * (size_t)e : NULL;
        double section = lump->section * pli_pattern_ratio(pattern, v, lump->x), mass = 0;
        pli_element_mass(lump->dim, lump->kind, v, lump->x, M);
        for (int i = 0; i < n; ++i) pli_sub(lump->x + 3 * (size_t)v[i], m->centre, x[i], 3);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
                double part = lump->density * section * M[i * n + j];
                m->volume += section * M[i * n + j];
                mass += part;
                add_first(m, part, x[i]);
                add_product(m, part, x[i], x[j]);
            }
        if (lump->dim == 3 && dimension < 3)
            add_section(m, lump, x[0], x[1], x[dimension == 2 ? 2 : 1], mass);
    }
}

void pli_moments_add_inside(pli_moments* m, const pli_lump* surface) {
    for (int e = 0; e < surface->element_count; ++e) {
        double x[3][3], n[3], sum[3];
        for (int i = 0; i < 3; ++i)
            pli_sub(surface->x + 3 * (size_t)surface->vertices[3 * e + i], m->centre, x[i], 3);
        pli_cross3(x[1], x[2], n);
        double volume = pli_dot(x[0], n, 3) / 6, mass = surface->density * volume;
        for (int c = 0; c < 3; ++c) sum[c] = x[0][c] + x[1][c] + x[2][c];
        m->volume += volume;
        m->mass += mass;
        for (int c = 0; c < 3; ++c) m->first[c] += mass * sum[c] / 4;
        add_product(m, mass / 20, sum, sum);
        for (int i = 0; i < 3; ++i) add_product(m, mass / 20, x[i], x[i]);
    }
}

void pli_moments_add_point(pli_moments* m, const double x[3], double mass, double radius) {
    double d[3];
    pli_sub(x, m->centre, d, 3);
    add_first(m, mass, d);
    add_product(m, mass, d, d);
    for (int c = 0; c < 3; ++c) m->second[4 * c] += mass * radius * radius / 5;
    m->volume += 4.0 / 3 * PI * radius * radius * radius;
}

void pli_moments_raise(pli_moments* m, int dim, double least) {
    double S[9] = {0}, values[3], V[9], floor = m->mass * least * least;
    for (int r = 0; r < dim; ++r)
        for (int c = 0; c < dim; ++c) S[r * dim + c] = m->second[3 * r + c];
    pli_eigen_symmetric(dim, S, values, V);
    floor = fmax(floor, 1e-12 * values[dim - 1]);
    for (int i = 0; i < dim; ++i) {
        if (values[i] >= floor) continue;
        double more = floor - values[i];
        for (int r = 0; r < dim; ++r)
            for (int c = 0; c < dim; ++c)
                m->second[3 * r + c] += more * V[r * dim + i] * V[c * dim + i];
    }
}

void pli_moments_finish(pli_moments* m) {
    double sign = m->mass < 0 ? -1 : 1, centre[3];
    m->mass *= sign;
    m->volume *= sign;
    for (int i = 0; i < 9; ++i) m->second[i] *= sign;
    for (int c = 0; c < 3; ++c) {
        centre[c] = m->mass > 0 ? sign * m->first[c] / m->mass : 0;
        m->first[c] = 0;
    }
    add_product(m, -m->mass, centre, centre);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < r; ++c) m->second[3 * r + c] = m->second[3 * c + r];
    pli_axpy(1, centre, m->centre, 3);
}

// Principal second moments are integrals of rho x^2: one below 0 breaks the triangle inequality of
// the moments of inertia. A little below 0 is rounding of the file that has them (1e-6).
bool pli_moments_of_inertia(const double diagonal[3], const double products[3], double second[9]) {
    double half = 0.5 * (diagonal[0] + diagonal[1] + diagonal[2]), values[3], V[9];
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            second[3 * r + c] = r == c ? half - diagonal[r] : -products[r + c - 1];
    pli_eigen_symmetric(3, second, values, V);
    return half > 0 && values[0] >= -1e-6 * half;
}

pli_status pli_surface_is_closed(pli_memory* memory, const pli_lump* surface, int vertex_limit,
                                 bool* closed, pli_error* error) {
    pli_elements all =
        pli_elements_of_triangles(vertex_limit, surface->element_count, surface->vertices);
    pli_sides edges = {0};
    *closed = surface->element_count > 0;
    PLI_TRY(pli_sides_create(memory, &all, PLI_EDGES, &edges, error));
    for (int i = 0; i < edges.count && *closed; ++i) {
        int balance = 0;
        for (int u = edges.start[i]; u < edges.start[i + 1]; ++u) {
            pli_element_side side = pli_side_at(&all, PLI_EDGES, edges.uses[u]);
            balance += side.v[0] < side.v[1] ? 1 : -1;
        }
        *closed = balance == 0;
    }
    pli_sides_free(&edges);
    return PLI_OK;
}
