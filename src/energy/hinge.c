// Bending of a sheet of triangles, by the angle between the two triangles at each inner edge
// [Grinspun03],
//
//     P = (k/2) w (theta - theta_rest)^2,    w = 3 |e|^2 / (A1 + A2)    [J]
//
// with length and areas at rest. theta is 0 where the triangles are coplanar, and is the signed
// angle of their normals about the edge, in -pi .. pi. On regular and on equilateral meshes
// k = D/3 = E t^3 / (36 (1 - nu^2)) gives the cylindrical bending of a plate of thickness t; on
// other meshes the stiffness of the sheet depends on the mesh, at any resolution.
//
// With n1 = (x1 - x0) x (x2 - x0), n2 = (x2 - x3) x (x1 - x3) and m = n / |n|^2 the gradient is
//
//     d theta / dx_a = c_a1 m1 + c_a2 m2,
//     c_01 = c_32 = -|e|,  c_1t = (x2 - p_t).e/|e|,  c_2t = (p_t - x1).e/|e|,   p = apex of t.
//
// The projected Hessian is that of Gauss and Newton, k w (d theta)(d theta)^T.
#include <math.h>

#include "base/base.h"
#include "math/elementary.h"
#include "math/vec.h"
#include "pliant/energy.h"

enum { WIDTH = 4, SIZE = 3 * WIDTH }; // apex, the two ends of the edge, the other apex

typedef struct hinge {
    double stiffness; // k w [J]
    double angle;     // theta_rest [rad]
} hinge;

// A hinge as it is now; index t: of the triangle with vertex 0, of that with vertex 3.
typedef struct fold {
    double e[3], length;       // unit vector from x1 to x2, |x2 - x1|
    double p1[2][3], p2[2][3]; // x1, x2 - apex
    double n[2][3], square[2]; // normal, |n|^2
    double c[WIDTH][2];
} fold;

static const int apex[2] = {0, 3};

// False if an area is 0: there is no angle then.
static bool open_fold(const double x[SIZE], fold* f) {
    pli_sub(x + 6, x + 3, f->e, 3);
    f->length = pli_norm(f->e, 3);
    for (int r = 0; r < 3; ++r) f->e[r] /= f->length;
    for (int t = 0; t < 2; ++t) {
        pli_sub(x + 3, x + 3 * apex[t], f->p1[t], 3);
        pli_sub(x + 6, x + 3 * apex[t], f->p2[t], 3);
        if (t == 0) pli_cross3(f->p1[t], f->p2[t], f->n[t]);
        if (t == 1) pli_cross3(f->p2[t], f->p1[t], f->n[t]);
        f->square[t] = pli_dot(f->n[t], f->n[t], 3);
        f->c[apex[t]][t] = -f->length;
        f->c[apex[1 - t]][t] = 0;
        f->c[1][t] = pli_dot(f->p2[t], f->e, 3);
        f->c[2][t] = -pli_dot(f->p1[t], f->e, 3);
    }
    return f->square[0] > 0 && f->square[1] > 0;
}

static double angle_of(const fold* f) {
    double cross[3];
    pli_cross3(f->n[0], f->n[1], cross);
    return pli_atan2(pli_dot(cross, f->e, 3), pli_dot(f->n[0], f->n[1], 3));
}

static void angle_gradient(const fold* f, double g[SIZE]) {
    for (int a = 0; a < WIDTH; ++a)
        for (int r = 0; r < 3; ++r)
            g[3 * a + r] =
                f->c[a][0] * f->n[0][r] / f->square[0] + f->c[a][1] * f->n[1][r] / f->square[1];
}

// The derivative of the gradient in the direction d: of each product c m.
static void angle_curvature(const fold* f, const double d[SIZE], double out[SIZE]) {
    double de[3];
    pli_sub(d + 6, d + 3, de, 3);
    double stretch = pli_dot(f->e, de, 3);
    for (int r = 0; r < 3; ++r) de[r] = (de[r] - f->e[r] * stretch) / f->length;
    for (int a = 0; a < SIZE; ++a) out[a] = 0;
    for (int t = 0; t < 2; ++t) {
        double d1[3], d2[3], left[3], right[3], dn[3], dc[WIDTH] = {0};
        pli_sub(d + 3, d + 3 * apex[t], d1, 3);
        pli_sub(d + 6, d + 3 * apex[t], d2, 3);
        pli_cross3(d1, f->p2[t], left);
        pli_cross3(f->p1[t], d2, right);
        for (int r = 0; r < 3; ++r) dn[r] = (t == 0 ? 1 : -1) * (left[r] + right[r]);
        dc[apex[t]] = -stretch;
        dc[1] = pli_dot(d2, f->e, 3) + pli_dot(f->p2[t], de, 3);
        dc[2] = -pli_dot(d1, f->e, 3) - pli_dot(f->p1[t], de, 3);
        double shrink = 2 * pli_dot(f->n[t], dn, 3) / f->square[t];
        for (int a = 0; a < WIDTH; ++a)
            for (int r = 0; r < 3; ++r)
                out[3 * a + r] +=
                    (dc[a] * f->n[t][r] + f->c[a][t] * (dn[r] - shrink * f->n[t][r])) /
                    f->square[t];
    }
}

// H += s d2theta/dx2, as the mean with its transpose: rounding leaves it symmetric.
static void add_curvature(const fold* f, double s, double* H) {
    for (int c = 0; c < SIZE; ++c) {
        double d[SIZE] = {0}, column[SIZE];
        d[c] = 1;
        angle_curvature(f, d, column);
        for (int r = 0; r < SIZE; ++r) {
            H[r * SIZE + c] += 0.5 * s * column[r];
            H[c * SIZE + r] += 0.5 * s * column[r];
        }
    }
}

static void gather(const double* x, const int32_t* v, double out[SIZE]) {
    for (int a = 0; a < WIDTH; ++a) pli_copy(x + 3 * (size_t)v[a], out + 3 * a, 3);
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    hinge* h = data;
    double x[SIZE];
    fold f;
    gather(element->rest, element->vertices, x);
    if (!open_fold(x, &f))
        return pli_fail(error, PLI_E_ARGUMENT,
                        "a triangle at the edge of the vertices %d and %d has no area at rest",
                        (int)element->vertices[1], (int)element->vertices[2]);
    double areas = 0.5 * (sqrt(f.square[0]) + sqrt(f.square[1]));
    h->stiffness = params[0] * 3 * f.length * f.length / areas;
    h->angle = angle_of(&f);
    return PLI_OK;
}

static void eval(const pli_batch* in, pli_local* out) {
    const hinge* hinges = in->data;
    for (int i = 0; i < in->count; ++i) {
        const hinge* h = &hinges[i];
        double x[SIZE], g[SIZE];
        fold f;
        gather(in->x, in->vertices + (size_t)i * WIDTH, x);
        if (!open_fold(x, &f)) {
            if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
            continue;
        }
        double bend = angle_of(&f) - h->angle, moment = h->stiffness * bend;
        if (in->want & PLI_VALUE) out->e[i] += 0.5 * moment * bend;
        if (!(in->want & (PLI_GRADIENT | PLI_HESSIAN))) continue;
        angle_gradient(&f, g);
        if (in->want & PLI_GRADIENT) pli_axpy(moment, g, out->g + (size_t)i * SIZE, SIZE);
        if (!(in->want & PLI_HESSIAN)) continue;
        double* H = out->H + (size_t)i * SIZE * SIZE;
        for (int r = 0; r < SIZE; ++r) pli_axpy(h->stiffness * g[r], g, H + r * SIZE, SIZE);
        if (!in->project) add_curvature(&f, moment, H);
    }
}

// Angle between the triangles, and the moment about the edge per length of it.
static void show(const pli_batch* in, double* out) {
    const hinge* hinges = in->data;
    for (int i = 0; i < in->count; ++i) {
        double x[SIZE];
        fold f;
        gather(in->x, in->vertices + (size_t)i * WIDTH, x);
        double angle = open_fold(x, &f) ? angle_of(&f) : (double)NAN;
        out[2 * i] = angle;
        out[2 * i + 1] = hinges[i].stiffness * (angle - hinges[i].angle) / f.length;
    }
}

static const pli_energy_field fields[] = {
    {"fold_angle", "Angle of folds", "rad"},
    {"bending_moment", "Bending moment per length", "N"},
};

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "J",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e-3,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k; of a plate of thickness t on a regular mesh E t^3 / (36 (1 - nu^2))"},
};

const pli_energy_type pli_energy_hinge = {
    .abi = PLI_ENERGY_ABI,
    .name = "hinge",
    .help =
        "(k/2) w (theta - theta_rest)^2 of the angle at each inner edge, w = 3 |e|^2 / (A1 + A2)",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(hinge)},
    .width = WIDTH,
    .stencils = pli_hinge_stencils,
    .prepare = prepare,
    .eval = eval,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .field_places = 1u << 1 | 1u << 2, // the ends of the edge
    .show = show,
};
