// Sizes of elements.
#include "mesh/measure.h"

#include <math.h>

#include "math/vec.h"

const char* pli_element_word(pli_element_kind kind) {
    static const char* const words[PLI_ELEMENT_KIND_COUNT] = {"vertex", "segment", "triangle",
                                                              "tetrahedron"};
    return words[kind];
}

static void cross3(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

double pli_element_measure(int dim, pli_element_kind kind, const int32_t* vertices,
                           const double* x) {
    double edge[3][3] = {{0}}, normal[3];
    for (int i = 0; i < (int)kind; ++i)
        pli_sub(x + 3 * (size_t)vertices[i + 1], x + 3 * (size_t)vertices[0], edge[i], dim);
    switch (kind) {
    case PLI_SEGMENT:
        return pli_norm(edge[0], 3);
    case PLI_TRIANGLE:
        if (dim == 2) return 0.5 * pli_cross2(edge[0], edge[1]);
        cross3(edge[0], edge[1], normal);
        return 0.5 * pli_norm(normal, 3);
    case PLI_TETRAHEDRON:
        cross3(edge[0], edge[1], normal);
        return pli_dot(normal, edge[2], 3) / 6;
    default:
        return 0;
    }
}

void pli_lump_mass(const pli_lump* lump, double* mass) {
    int width = pli_element_size(lump->kind);
    for (int e = 0; e < lump->element_count; ++e) {
        const int32_t* vertices = lump->vertices + (size_t)e * (size_t)width;
        double measure = pli_element_measure(lump->dim, lump->kind, vertices, lump->x);
        double share = lump->density * fabs(measure) * lump->section / width;
        for (int i = 0; i < width; ++i) mass[vertices[i]] += share;
    }
}
