// Shells: triangles that hang together by vertices. One lies in another if that one winds around
// its first vertex.
#include "mesher/shells.h"

#include <math.h>
#include <stdlib.h>

static int find_root(int* parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

// Numbers the shells by their first triangles; `number` has an entry per vertex.
static void label(const pli_mesh* mesh, int* root, int* number, pli_shells* s) {
    const int32_t* corners = mesh->elements[PLI_TRIANGLE];
    int count = mesh->element_count[PLI_TRIANGLE];
    for (int v = 0; v < mesh->vertex_count; ++v) root[v] = v, number[v] = -1;
    for (int i = 0; i < 3 * count; ++i)
        root[find_root(root, corners[i])] = find_root(root, corners[i / 3 * 3]);
    for (int t = 0; t < count; ++t) {
        int r = find_root(root, corners[3 * t]);
        if (number[r] < 0) number[r] = s->count++;
        s->triangle_shell[t] = number[r];
    }
}

// Solid angle of a triangle seen from p [van Oosterom and Strackee 1983]:
//     tan(omega / 2) = det(a, b, c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|)
static double solid_angle(const double* x, const int32_t* v, const double* p) {
    double e[3][3], length[3], dot[3];
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) e[i][k] = x[3 * v[i] + k] - p[k];
        length[i] = sqrt(e[i][0] * e[i][0] + e[i][1] * e[i][1] + e[i][2] * e[i][2]);
    }
    for (int i = 0; i < 3; ++i) {
        const double *a = e[i], *b = e[(i + 1) % 3];
        dot[i] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    double det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
                 e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
                 e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    return 2 * atan2(det, length[0] * length[1] * length[2] + dot[0] * length[2] +
                              dot[1] * length[0] + dot[2] * length[1]);
}

// Whether the shell winds around the point, whichever way its triangles look.
static bool contains(const pli_mesh* mesh, const pli_shells* s, int shell, const double* p) {
    double sum = 0;
    for (int t = 0; t < mesh->element_count[PLI_TRIANGLE]; ++t)
        if (s->triangle_shell[t] == shell)
            sum += solid_angle(mesh->positions, mesh->elements[PLI_TRIANGLE] + 3 * t, p);
    return fabs(sum) > 6.283185307179586; // half of 4 pi
}

static const double* first_point(const pli_mesh* mesh, const pli_shells* s, int shell) {
    int t = 0;
    while (s->triangle_shell[t] != shell) ++t;
    return mesh->positions + 3 * mesh->elements[PLI_TRIANGLE][3 * t];
}

static void nest(const pli_mesh* mesh, pli_shells* s) {
    for (int i = 0; i < s->count; ++i) {
        const double* p = first_point(mesh, s, i);
        s->parent[i] = -1;
        for (int j = 0; j < s->count; ++j) s->depth[i] += j != i && contains(mesh, s, j, p);
    }
    for (int i = 0; i < s->count; ++i) {
        const double* p = first_point(mesh, s, i);
        for (int j = 0; j < s->count && s->depth[i] > 0; ++j)
            if (j != i && s->depth[j] == s->depth[i] - 1 && contains(mesh, s, j, p))
                s->parent[i] = j;
    }
}

bool pli_shells_find(const pli_mesh* mesh, pli_shells* shells) {
    size_t vertices = (size_t)mesh->vertex_count + 1,
           triangles = (size_t)mesh->element_count[PLI_TRIANGLE] + 1;
    int *root = calloc(vertices, sizeof *root), *number = calloc(vertices, sizeof *number);
    *shells = (pli_shells){.triangle_shell = calloc(triangles, sizeof(int)),
                           .depth = calloc(triangles, sizeof(int)),
                           .parent = calloc(triangles, sizeof(int))};
    bool good = root && number && shells->triangle_shell && shells->depth && shells->parent;
    if (good) {
        label(mesh, root, number, shells);
        nest(mesh, shells);
    } else {
        pli_shells_free(shells);
    }
    free(root);
    free(number);
    return good;
}

void pli_shells_free(pli_shells* shells) {
    free(shells->triangle_shell);
    free(shells->depth);
    free(shells->parent);
    *shells = (pli_shells){0};
}
