// A thin elastic shell: a membrane in plane stress and bending by normals at the middles of edges
// (mid_edge.h). With F (3 x 2) of a triangle, C = F^T F, J = sqrt(det C), lambda = E nu / (1 -
// nu^2):
//
//     P_m = A t (mu/2 (tr C - 2 - 2 ln J) + lambda/2 ln^2 J)    [J],
//     dP_m/dF = A t F C^-1 (mu S + lambda ln J I),    S = C - I.
//
// In the principal stretches s_i with the frames F = sum s_i u_i v_i^T and the normal u_3 the
// second derivative has the eigenpairs (with c = (mu - lambda ln J) / J)
//
//     (u1 v2 - u2 v1)/sqrt 2: mu - c,    (u1 v2 + u2 v1)/sqrt 2: mu + c,
//     u3 v_i: mu - (mu - lambda ln J) / s_i^2,
//     and on u1 v1, u2 v2 the 2 x 2 matrix of d2/ds_i ds_j.
#include <math.h>

#include "base/base.h"
#include "energy/mid_edge.h"

enum { SIZE = PLI_MID_EDGE_SIZE };

typedef struct shell {
    pli_mid_edge bending;
    double inverse[2][2]; // of the edges at rest: F = (x1 - x0, x2 - x0) inverse
    double mu, lambda;    // times A t [J]
} shell;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    shell* s = data;
    pli_plate plate = pli_plate_of(params, element);
    PLI_TRY(pli_mid_edge_prepare(&plate, element, &s->bending, error));
    double d1[3], d2[3], area = s->bending.area, nu = plate.poisson,
                         volume = area * plate.thickness;
    const double* origin = element->rest + 3 * (size_t)element->vertices[0];
    pli_sub(element->rest + 3 * (size_t)element->vertices[1], origin, d1, 3);
    pli_sub(element->rest + 3 * (size_t)element->vertices[2], origin, d2, 3);
    double a = pli_norm(d1, 3), b = pli_dot(d1, d2, 3) / a, c = 2 * area / a; // (a, 0), (b, c)
    s->inverse[0][0] = 1 / a;
    s->inverse[0][1] = -b / (a * c);
    s->inverse[1][0] = 0;
    s->inverse[1][1] = 1 / c;
    s->mu = volume * plate.young / (2 * (1 + nu));
    s->lambda = volume * plate.young * nu / (1 - nu * nu);
    return PLI_OK;
}

// The membrane as it is now.
typedef struct membrane {
    double F[3][2];
    double S[3]; // C - I: 11, 22, 12
    double log;  // ln J
    double z;    // J^2 - 1
} membrane;

static bool stretch(const shell* s, const double* x, const int32_t* v, membrane* m) {
    double d1[3], d2[3];
    pli_sub(x + 3 * (size_t)v[1], x + 3 * (size_t)v[0], d1, 3);
    pli_sub(x + 3 * (size_t)v[2], x + 3 * (size_t)v[0], d2, 3);
    double c11 = 0, c12 = 0, c22 = 0;
    for (int r = 0; r < 3; ++r) {
        m->F[r][0] = d1[r] * s->inverse[0][0];
        m->F[r][1] = d1[r] * s->inverse[0][1] + d2[r] * s->inverse[1][1];
        c11 += m->F[r][0] * m->F[r][0];
        c12 += m->F[r][0] * m->F[r][1];
        c22 += m->F[r][1] * m->F[r][1];
    }
    m->S[0] = c11 - 1;
    m->S[1] = c22 - 1;
    m->S[2] = c12;
    m->z = m->S[0] + m->S[1] + (m->S[0] * m->S[1] - c12 * c12);
    if (!(m->z > -1)) return false;
    m->log = 0.5 * pli_log1p(m->z);
    return true;
}

// dP/dF
static void stress_of(const shell* s, const membrane* m, double P[3][2]) {
    double det = 1 + m->z, spread = s->lambda * m->log;
    double a = s->mu * m->S[0] + spread, b = s->mu * m->S[1] + spread, c = s->mu * m->S[2];
    double c11 = 1 + m->S[0], c22 = 1 + m->S[1], c12 = m->S[2];
    double T[2][2] = {{(c22 * a - c12 * c) / det, (c22 * c - c12 * b) / det},
                      {(c11 * c - c12 * a) / det, (c11 * b - c12 * c) / det}};
    for (int r = 0; r < 3; ++r)
        for (int j = 0; j < 2; ++j) P[r][j] = m->F[r][0] * T[0][j] + m->F[r][1] * T[1][j];
}

// H += value q q^T for a matrix q (3 x 2) of F: first to the corners.
static void add_mode(double D[3][2], double value, double q[3][2], double* H) {
    double g[9];
    if (value == 0) return;
    for (int v = 0; v < 3; ++v)
        for (int r = 0; r < 3; ++r) g[3 * v + r] = q[r][0] * D[v][0] + q[r][1] * D[v][1];
    for (int i = 0; i < 9; ++i) pli_axpy(value * g[i], g, H + i * SIZE, 9);
}

static void outer(const double u[3], const double v[2], double scale, double q[3][2]) {
    for (int r = 0; r < 3; ++r)
        for (int j = 0; j < 2; ++j) q[r][j] += scale * u[r] * v[j];
}

// The principal frames: u (the third is the normal), v and stretches.
static void principal(const membrane* m, double u[3][3], double v[2][2], double stretch[2]) {
    double half = 0.5 * (m->S[0] - m->S[1]), angle = 0.5 * pli_atan2(m->S[2], half);
    double c = pli_cos(angle), s = pli_sin(angle);
    v[0][0] = v[1][1] = c;
    v[0][1] = s;
    v[1][0] = -s;
    for (int i = 0; i < 2; ++i) {
        for (int r = 0; r < 3; ++r) u[i][r] = m->F[r][0] * v[i][0] + m->F[r][1] * v[i][1];
        stretch[i] = pli_norm(u[i], 3);
        for (int r = 0; r < 3; ++r) u[i][r] /= stretch[i];
    }
    pli_cross3(u[0], u[1], u[2]);
}

static void add_curvature(const shell* s, const membrane* m, bool project, double* H) {
    double u[3][3], v[2][2], w[2], D[3][2], least = project ? 0 : -HUGE_VAL;
    principal(m, u, v, w);
    for (int j = 0; j < 2; ++j) {
        D[1][j] = s->inverse[0][j];
        D[2][j] = s->inverse[1][j];
        D[0][j] = -D[1][j] - D[2][j];
    }
    double rest = s->mu - s->lambda * m->log, c = rest / (w[0] * w[1]), r = sqrt(0.5);
    for (int i = 0; i < 2; ++i) { // twist and flip; out of the plane
        double q[3][2] = {{0}}, n[3][2] = {{0}}, sign = i == 0 ? -1 : 1;
        outer(u[0], v[1], r, q);
        outer(u[1], v[0], sign * r, q);
        add_mode(D, fmax(s->mu + sign * c, least), q, H);
        outer(u[2], v[i], 1, n);
        add_mode(D, fmax(s->mu - rest / (w[i] * w[i]), least), n, H);
    }
    double a[2], b = s->lambda / (w[0] * w[1]);
    for (int i = 0; i < 2; ++i) a[i] = s->mu + (rest + s->lambda) / (w[i] * w[i]);
    double angle = 0.5 * pli_atan2(2 * b, a[0] - a[1]), co = pli_cos(angle), si = pli_sin(angle);
    double mean = 0.5 * (a[0] + a[1]), apart = pli_hypot(0.5 * (a[0] - a[1]), b);
    for (int i = 0; i < 2; ++i) {
        double q[3][2] = {{0}};
        outer(u[0], v[0], i == 0 ? co : -si, q);
        outer(u[1], v[1], i == 0 ? si : co, q);
        add_mode(D, fmax(i == 0 ? mean + apart : mean - apart, least), q, H);
    }
}

static void add_membrane(const shell* s, const pli_batch* in, int i, pli_local* out) {
    membrane m;
    if (!stretch(s, in->x, in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH, &m)) {
        if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
        return;
    }
    double d = m.S[0] * m.S[1] - m.S[2] * m.S[2], log2 = 2 * m.log;
    if (in->want & PLI_VALUE)
        out->e[i] += 0.5 * s->mu * ((m.z - log2) - d) + 0.5 * s->lambda * m.log * m.log;
    if (in->want & PLI_GRADIENT) {
        double P[3][2], *g = out->g + (size_t)i * SIZE;
        stress_of(s, &m, P);
        for (int r = 0; r < 3; ++r)
            for (int v = 1; v < 3; ++v) {
                double f = P[r][0] * s->inverse[v - 1][0] + P[r][1] * s->inverse[v - 1][1];
                g[3 * v + r] += f;
                g[r] -= f;
            }
    }
    if (in->want & PLI_HESSIAN) add_curvature(s, &m, in->project, out->H + (size_t)i * SIZE * SIZE);
}

static void eval(const pli_batch* in, pli_local* out) {
    const shell* records = in->data;
    for (int i = 0; i < in->count; ++i) {
        pli_mid_edge_add(&records[i].bending, in, i, out);
        add_membrane(&records[i], in, i, out);
    }
}

// ---- for readers

// The larger principal force per present length: with the eigenvalues s_i^2 - 1 of S it is
// (mu (s_i^2 - 1) + lambda ln J) / (A J).
static double membrane_force(const shell* s, const membrane* m) {
    double apart = pli_hypot(0.5 * (m->S[0] - m->S[1]), m->S[2]);
    double most = 0.5 * (m->S[0] + m->S[1]) + apart;
    return (s->mu * most + s->lambda * m->log) / (s->bending.area * sqrt(1 + m->z));
}

static void show(const pli_batch* in, double* out) {
    const shell* records = in->data;
    for (int i = 0; i < in->count; ++i, out += PLI_PLATE_FIELD_COUNT + 1) {
        const int32_t* v = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
        membrane m;
        pli_mid_edge_show(&records[i].bending, in->x, v, out);
        out[PLI_PLATE_FIELD_COUNT] =
            stretch(&records[i], in->x, v, &m) ? membrane_force(&records[i], &m) : (double)NAN;
    }
}

static const pli_energy_field fields[] = {
    PLI_PLATE_FIELDS,
    {"membrane_force", "Largest membrane force per length", "N/m"},
};

static const pli_param params[] = {PLI_PLATE_ROWS};

const pli_energy_type pli_energy_shell = {
    .abi = PLI_ENERGY_ABI,
    .name = "shell",
    .help = "thin elastic shell: t (mu/2 (tr C - 2 - 2 ln J) + lambda/2 ln^2 J) per rest area and "
            "\"bending\", lambda = E nu / (1 - nu^2)",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(shell)},
    .width = PLI_MID_EDGE_WIDTH,
    .stencils = pli_plate_stencils,
    .check = pli_plate_check,
    .prepare = prepare,
    .eval = eval,
    .section = pli_plate_section,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .field_places = PLI_PLATE_FIELD_PLACES,
    .show = show,
};
