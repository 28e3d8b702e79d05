// A thread: a rope, yarn or hair of round section that stretches and bends. It is straight at rest
// and has no twist, so it needs no unknowns beside its vertices. With the segments u, v before and
// behind a vertex, their rest lengths l_u, l_v and c = u.v / (|u| |v|) [Bergou08],
//
//     P = (EA/2) l_u (|u| / l_u - 1)^2               for each segment
//       + EI |b|^2 / (l_u + l_v)                     for each corner,        [J]
//     b = 2 (u x v) / (|u| |v| + u.v),   |b|^2 = 4 (1 - c) / (1 + c) = 4 tan^2(phi / 2).
//
// The corner's energy is infinite where the segments fold back onto each other. Its Hessian is
// q'' dc dc^T + q' d2c with q(c) = |b|^2, q' = -8 / (1 + c)^2, q'' = 16 / (1 + c)^3; projected,
// that of Gauss and Newton, 2 db^T db, which is exact where the thread is straight.
//
// Stencils are corners (before, vertex, behind) and segments (end, end, -1).
#include <math.h>

#include "energy/segment.h"
#include "energy/stencils.h"
#include "math/elementary.h"
#include "math/small.h"
#include "mesh/topology.h"

enum { WIDTH = 3 }; // before, vertex, behind; or end, end, -1
enum { YOUNG, RADIUS, BENDING_SCALE };
static const double pi = 3.14159265358979323846;

typedef struct thread {
    pli_hooke stretch; // of a segment; k = 0: a corner
    double bending;    // EI / (l_u + l_v) [J]
    double length;     // (l_u + l_v) / 2 of a corner [m]
} thread;

// ---- stencils

static pli_status sink_corners(const pli_body_view* body, const pli_elements* all,
                               pli_stencil_sink* sink, pli_error* error) {
    pli_sides segments = {0};
    pli_stars stars = {0};
    pli_status status;
    PLI_TRY_CLEANUP(status, pli_sides_create(sink->memory, all, PLI_SEGMENTS, &segments, error));
    PLI_TRY_CLEANUP(status, pli_stars_create(sink->memory, all, &segments, &stars, error));
    for (int v = body->first_vertex; v < all->vertex_limit; ++v) {
        int32_t corner[WIDTH];
        if (pli_corner_at(&segments, &stars, v, corner))
            PLI_TRY_CLEANUP(status, pli_sink_stencil(sink, corner, error));
    }
cleanup:
    pli_stars_free(&stars);
    pli_sides_free(&segments);
    return status;
}

static pli_status stencils(const pli_body_view* body, pli_stencil_sink* sink, pli_error* error) {
    pli_elements all = {.vertex_limit = body->first_vertex + body->vertex_count};
    all.count[PLI_SEGMENT] = body->element_count[PLI_SEGMENT];
    all.elements[PLI_SEGMENT] = body->elements[PLI_SEGMENT];
    for (int s = 0; s < all.count[PLI_SEGMENT]; ++s) {
        const int32_t* ends = all.elements[PLI_SEGMENT] + 2 * s;
        PLI_TRY(pli_sink_stencil(sink, (const int32_t[WIDTH]){ends[0], ends[1], -1}, error));
    }
    return sink_corners(body, &all, sink, error);
}

static double section_of(const double* params, int dimension) {
    return dimension == 1 ? pi * params[RADIUS] * params[RADIUS] : 0;
}

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    thread* t = data;
    double length, next, area = section_of(params, 1);
    PLI_TRY(pli_segment_rest_length(element, 0, 1, &length, error));
    if (element->vertices[2] < 0) {
        t->stretch = (pli_hooke){.k = params[YOUNG] * area / length, .length = length};
        return PLI_OK;
    }
    PLI_TRY(pli_segment_rest_length(element, 1, 2, &next, error));
    double inertia = area * area / (4 * pi); // pi r^4 / 4
    t->length = 0.5 * (length + next);
    t->bending = params[BENDING_SCALE] * params[YOUNG] * inertia / (length + next);
    return PLI_OK;
}

// ---- corners

// Index 0: the segment u before the vertex, 1: the segment v behind it.
typedef struct corner {
    double t[2][3], length[2]; // unit vectors, |u|, |v|
    double c, chi;             // t0.t1, 1 + c
    double dc[2][3];           // dc/du, dc/dv
} corner;

// False where it folds back onto itself, or a segment has no length.
static bool open_corner(const pli_batch* in, const int32_t* v, corner* k) {
    *k = (corner){0};
    for (int s = 0; s < 2; ++s) {
        pli_sub(in->x + 3 * (size_t)v[s + 1], in->x + 3 * (size_t)v[s], k->t[s], in->dim);
        k->length[s] = pli_norm(k->t[s], 3);
        if (!(k->length[s] > 0)) return false;
        for (int r = 0; r < 3; ++r) k->t[s][r] /= k->length[s];
    }
    k->c = pli_dot(k->t[0], k->t[1], 3);
    k->chi = 1 + k->c;
    for (int s = 0; s < 2; ++s)
        for (int r = 0; r < 3; ++r)
            k->dc[s][r] = (k->t[1 - s][r] - k->c * k->t[s][r]) / k->length[s];
    return k->chi > 0;
}

// 1 - c without cancellation: |t0 - t1|^2 / 2
static double corner_value(const corner* k) {
    double d[3];
    pli_sub(k->t[0], k->t[1], d, 3);
    return 2 * pli_dot(d, d, 3) / k->chi;
}

// d2c of the segments s and o, 3 x 3: in u alone and mixed.
static void corner_curvature(const corner* k, int s, int o, double C[9]) {
    const double *t = k->t[s], *w = k->t[o];
    for (int i = 0; i < 9; ++i) {
        int a = i / 3, b = i % 3;
        double same = a == b, across = same - t[a] * t[b];
        if (s == o) {
            const double* dc = k->dc[s];
            C[i] = -(dc[a] * t[b] + t[a] * dc[b] + k->c * across / k->length[s]) / k->length[s];
        } else {
            C[i] = (across - w[a] * w[b] + k->c * t[a] * w[b]) / (k->length[0] * k->length[1]);
        }
    }
}

// db/du or db/dv, 3 x 3 by rows: (2 (dt0 x t1 + t0 x dt1) - b dc) / chi.
static void binormal_derivative(const corner* k, int s, double J[9]) {
    double b[3];
    pli_cross3(k->t[0], k->t[1], b);
    for (int c = 0; c < 3; ++c) {
        double dt[3], turn[3];
        for (int r = 0; r < 3; ++r) dt[r] = ((r == c) - k->t[s][r] * k->t[s][c]) / k->length[s];
        if (s == 0) pli_cross3(dt, k->t[1], turn);
        if (s == 1) pli_cross3(k->t[0], dt, turn);
        for (int r = 0; r < 3; ++r)
            J[3 * r + c] = 2 * (turn[r] - b[r] * k->dc[s][c] / k->chi) / k->chi;
    }
}

// The blocks of the Hessian in u and v: entry (s, o) is 3 x 3.
static void corner_hessian(const corner* k, bool project, double H[2][2][9]) {
    double J[2][9], first = -8 / (k->chi * k->chi), second = 16 / (k->chi * k->chi * k->chi);
    for (int s = 0; s < 2; ++s) binormal_derivative(k, s, J[s]);
    for (int s = 0; s < 2; ++s)
        for (int o = 0; o < 2; ++o) {
            double C[9];
            corner_curvature(k, s, o, C);
            for (int i = 0; i < 9; ++i) {
                int a = i / 3, b = i % 3;
                double gauss = 0;
                for (int r = 0; r < 3; ++r) gauss += J[s][3 * r + a] * J[o][3 * r + b];
                H[s][o][i] =
                    project ? 2 * gauss : second * k->dc[s][a] * k->dc[o][b] + first * C[i];
            }
        }
}

// u = x1 - x0, v = x2 - x1: signs of the vertices in them.
static const int signs[2][WIDTH] = {{-1, 1, 0}, {0, -1, 1}};

static void add_corner(const corner* k, double stiffness, const pli_batch* in, double* g,
                       double* H) {
    int dim = in->dim, n = WIDTH * dim;
    double first = -8 * stiffness / (k->chi * k->chi), blocks[2][2][9];
    for (int i = 0; i < n && g; ++i)
        for (int s = 0; s < 2; ++s) g[i] += first * signs[s][i / dim] * k->dc[s][i % dim];
    if (!H) return;
    corner_hessian(k, in->project, blocks);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int s = 0; s < 2; ++s)
                for (int o = 0; o < 2; ++o)
                    H[i * n + j] += stiffness * signs[s][i / dim] * signs[o][j / dim] *
                                    blocks[s][o][3 * (i % dim) + j % dim];
}

// ---- both

static void eval_stretch(const pli_batch* in, const thread* t, const int32_t* v, double* e,
                         double* g, double* H) {
    const int dim = in->dim, n = WIDTH * dim, at[2] = {0, dim};
    double d[3], m[3] = {0}, square = pli_segment_difference(in, v[0], v[1], d);
    pli_segment_response s = pli_hooke_law(&t->stretch, NULL, square, in->project);
    if (e) *e += s.energy;
    for (int r = 0; r < dim && g; ++r) {
        g[r] += s.slope * d[r];
        g[dim + r] -= s.slope * d[r];
    }
    for (int r = 0; r < dim && square > 0; ++r) m[r] = d[r] / sqrt(square);
    if (H) pli_segment_add_hessian(dim, n, at, s.a, s.b, m, H);
}

static void eval(const pli_batch* in, pli_local* out) {
    const thread* threads = in->data;
    size_t n = WIDTH * (size_t)in->dim;
    for (int i = 0; i < in->count; ++i) {
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        double* e = in->want & PLI_VALUE ? out->e + i : NULL;
        double* g = in->want & PLI_GRADIENT ? out->g + (size_t)i * n : NULL;
        double* H = in->want & PLI_HESSIAN ? out->H + (size_t)i * n * n : NULL;
        corner k;
        if (v[2] < 0) {
            eval_stretch(in, &threads[i], v, e, g, H);
        } else if (!open_corner(in, v, &k)) {
            if (e) *e = HUGE_VAL;
        } else {
            if (e) *e += threads[i].bending * corner_value(&k);
            add_corner(&k, threads[i].bending, in, g, H);
        }
    }
}

// ---- for readers

// Corners have a curvature, |b| by length; segments have a force, positive if it pulls.
static void show(const pli_batch* in, double* out) {
    const thread* threads = in->data;
    for (int i = 0; i < in->count; ++i, out += 2) {
        const thread* t = &threads[i];
        const int32_t* v = in->vertices + (size_t)i * WIDTH;
        double d[3];
        corner k;
        out[0] = out[1] = (double)NAN;
        if (v[2] < 0)
            out[1] = t->stretch.k *
                     (sqrt(pli_segment_difference(in, v[0], v[1], d)) - t->stretch.length);
        else if (open_corner(in, v, &k))
            out[0] = sqrt(corner_value(&k)) / t->length;
    }
}

static const pli_energy_field fields[] = {
    {"curvature", "Curvature", "1/m"},
    {"axial_force", "Axial force", "N"},
};

static const pli_param params[] = {
    {.name = "young",
     .unit = "Pa",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e7,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "Young's modulus E; EA = E pi r^2, EI = E pi r^4 / 4"},
    {.name = "radius",
     .unit = "m",
     .min = 0,
     .max = 1e9,
     .default_value = 1e-3,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "r of the round section; with the density of the body it gives the mass"},
    {.name = "bending_scale",
     .unit = "",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1,
     .help = "factor of EI; a rope of many fibres bends far more easily than a solid rod: 0.01"},
};

const pli_energy_type pli_energy_thread = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "thread",
    .help = "(EA/2) l (|u|/l - 1)^2 + EI |b|^2 / (l_u + l_v) of segments and corners: straight at "
            "rest, without twist",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(thread)},
    .width = WIDTH,
    .stencils = stencils,
    .prepare = prepare,
    .eval = eval,
    .section = section_of,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .show = show,
};
