// Drag of the air on sheets, apart across and along each triangle. With the velocity u of a vertex
// against the wind, its part u_n along the normal and the rest u_t, at each vertex of a triangle
//
//     R = A/3 (rho/6 (C_n |u_n|^3 + C_t |u_t|^3) + b/2 |u|^2) [W]
//     dR/dv = A/3 (rho/2 (C_n |u_n| u_n + C_t |u_t| u_t) + b u) [N]
//
// A plate that moves flat on feels the force rho/2 C_n A u^2. Normal and area are those at the
// start of the step. R is convex with its minimum at v = wind: in still air it only removes energy;
// wind may add some.
#include <math.h>

#include "base/base.h"
#include "math/vec.h"
#include "pliant/energy.h"

enum { DENSITY, NORMAL, TANGENTIAL, LINEAR, WIND };

typedef struct wind {
    double normal, tangential; // rho C [kg/m^3]
    double linear;             // [N s/m^3]
    double velocity[3];        // of the air [m/s]
} wind;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    (void)element;
    (void)error;
    wind* d = data;
    d->normal = params[DENSITY] * params[NORMAL];
    d->tangential = params[DENSITY] * params[TANGENTIAL];
    d->linear = params[LINEAR];
    pli_copy(params + WIND, d->velocity, 3);
    return PLI_OK;
}

// Unit normal and area.
static double measure(const double* x, const int32_t* v, double n[3]) {
    double d[2][3];
    for (int k = 0; k < 2; ++k) pli_sub(x + 3 * (size_t)v[k + 1], x + 3 * (size_t)v[0], d[k], 3);
    pli_cross3(d[0], d[1], n);
    double length = pli_norm(n, 3);
    for (int r = 0; r < 3 && length > 0; ++r) n[r] /= length;
    return 0.5 * length;
}

// At one vertex with the share a of the area; n: normal, t: direction of u_t, both of length 1 or
// 0.
static void add_vertex(const wind* d, double a, const double n[3], const double u[3],
                       const pli_local* out) {
    double t[3], across = pli_dot(u, n, 3);
    for (int r = 0; r < 3; ++r) t[r] = u[r] - across * n[r];
    double along = pli_norm(t, 3), square = across * across + along * along;
    for (int r = 0; r < 3 && along > 0; ++r) t[r] /= along;
    if (out->e)
        *out->e +=
            a *
            ((d->normal * fabs(across) * across * across + d->tangential * along * along * along) /
                 6 +
             d->linear / 2 * square);
    double push[2] = {0.5 * d->normal * fabs(across), 0.5 * d->tangential * along};
    for (int r = 0; r < 3 && out->g; ++r)
        out->g[r] += a * (push[0] * across * n[r] + push[1] * along * t[r] + d->linear * u[r]);
    for (int i = 0; i < 9 && out->H; ++i) {
        int r = i / 3, c = i % 3;
        double unit = r == c, tt = t[r] * t[c], nn = n[r] * n[c];
        // 2 p n n^T across, p (I - n n^T + t t^T) along
        out->H[9 * r + c] += a * (2 * push[0] * nn + push[1] * (unit - nn + tt) + d->linear * unit);
    }
}

static void sample(const double value[3], void* data) {
    pli_copy(value, ((wind*)data)->velocity, 3);
}

static void eval(const pli_batch* in, pli_local* out) {
    const wind* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        const int32_t* v = in->vertices + 3 * i;
        double n[3], area = measure(in->x, v, n);
        for (size_t k = 0; k < 3; ++k) {
            double u[3];
            pli_sub(in->v + 3 * (size_t)v[k], records[i].velocity, u, 3);
            pli_local at = {.e = in->want & PLI_VALUE ? out->e + i : NULL,
                            .g = in->want & PLI_GRADIENT ? out->g + 9 * i + 3 * k : NULL,
                            .H = in->want & PLI_HESSIAN ? out->H + 81 * i + 30 * k : NULL};
            add_vertex(&records[i], area / 3, n, u, &at);
        }
    }
}

#define WIND_ROW(axis)                                                                             \
    {                                                                                              \
        .name = "wind_" axis, .unit = "m/s", .min = -1e6, .max = 1e6, .default_value = 0,          \
        .help = axis " component of the velocity of the air; wind may add energy"                  \
    }
#define NUMBER_ROW(name_, unit_, default_, help_)                                                  \
    {                                                                                              \
        .name = (name_), .unit = (unit_), .min = 0, .max = HUGE_VAL, .default_value = (default_),  \
        .help = (help_)                                                                            \
    }

static const pli_param params[] = {
    [DENSITY] = NUMBER_ROW("density", "kg/m^3", 1.2, "rho, of the air"),
    [NORMAL] = NUMBER_ROW("normal", "", 1.2,
                          "C_n: force rho/2 C_n |u|^2 per area of one side, of a flow across it"),
    [TANGENTIAL] = NUMBER_ROW("tangential", "", 0.02, "C_t: the same for a flow along it"),
    [LINEAR] = NUMBER_ROW("linear", "N s/m^3", 0,
                          "b, force per area and speed in every direction, for slow flow"),
    [WIND] = WIND_ROW("x"),
    [WIND + 1] = WIND_ROW("y"),
    [WIND + 2] = WIND_ROW("z"),
};

static const pli_energy_field input = {
    "wind", "velocity of the air; expressions of time and of the present place for gusts", "m/s"};

const pli_energy_type pli_energy_wind = {
    .abi = PLI_ENERGY_ABI,
    .name = "wind",
    .help = "dissipation A (rho/6 (C_n |u_n|^3 + C_t |u_t|^3) + b/2 |u|^2) of triangles in space, "
            "u = v - wind across (n) and along (t) the sheet",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_TRIANGLE] = sizeof(wind)},
    .dissipation = true,
    .prepare = prepare,
    .eval = eval,
    .input = &input,
    .sample = sample,
};
