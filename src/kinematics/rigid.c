// Translations e_a and rotations e_a x (x - c) of the vertices, in terms of x = x0 + W q: where the
// columns of W are orthonormal, q' = W^T x'.
#include "kinematics/rigid.h"

static void mean_position(const pli_kinematics* k, const double* x, double* c) {
    c[0] = c[1] = c[2] = 0;
    for (int v = 0; v < k->point_count; ++v)
        for (int a = 0; a < 3; ++a) c[a] += x[3 * (size_t)v + (size_t)a] / k->point_count;
}

// velocity[a][m]: component a of the vertex at r from the centre in motion m.
static void vertex_motions(int dim, const double* r, double velocity[3][6]) {
    for (int a = 0; a < 3; ++a)
        for (int m = 0; m < 6; ++m) velocity[a][m] = m == a && a < dim;
    if (dim == 2) {
        velocity[0][2] = -r[1];
        velocity[1][2] = r[0];
        return;
    }
    for (int a = 0; a < 3; ++a) { // e_a x r
        int b = (a + 1) % 3, c = (a + 2) % 3;
        velocity[b][3 + a] = -r[c];
        velocity[c][3 + a] = r[b];
    }
}

int pli_rigid_motions(const pli_kinematics* k, const double* x, double* modes) {
    double c[3], velocity[3][6];
    int count = k->dim == 2 ? 3 : 6;
    mean_position(k, x, c);
    for (int g = 0; g < k->group_count; ++g) {
        const pli_driven* d = &k->driven[k->driven_start[g]];
        int width = pli_group_width(k, g);
        bool alone = k->driven_start[g + 1] - k->driven_start[g] == 1;
        bool known = alone && (d->entry < 0 || k->vertices[d->vertex].slides);
        double* row = modes + (size_t)k->group_offset[g] * (size_t)count;
        for (int i = 0; i < width * count; ++i) row[i] = 0;
        if (!known) continue;
        double r[3];
        for (int a = 0; a < 3; ++a) r[a] = x[3 * (size_t)d->vertex + (size_t)a] - c[a];
        vertex_motions(k->dim, r, velocity);
        const double* W = d->entry < 0 ? NULL : k->weights + k->entries[d->entry].weights;
        for (int i = 0; i < width; ++i)
            for (int a = 0; a < k->dim; ++a) {
                double weight = W ? W[a * width + i] : (double)(a == i);
                for (int m = 0; m < count; ++m) row[i * count + m] += weight * velocity[a][m];
            }
    }
    return count;
}
