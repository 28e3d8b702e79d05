// A thin elastic shell: a membrane in plane stress (sheet.h) and bending by normals at the middles
// of edges (mid_edge.h). With F (3 x 2) of a triangle, C = F^T F, S = C - I, J = sqrt(det C) and
// lambda of plane stress, the membrane has per volume at rest
//
//     psi = mu/2 (tr C - 2 - 2 ln J) + lambda/2 ln^2 J          [Pa],
//     dpsi/dF = F C^-1 (mu S + lambda ln J I),
//
// and in the principal stretches s_i, with q = mu - lambda ln J, the second derivatives
// mu + (q + lambda) / s_i^2 and lambda / (s_1 s_2). All is computed from S: small strains keep
// their digits.
#include <math.h>

#include "base/base.h"
#include "energy/mid_edge.h"
#include "energy/sheet.h"

enum { SIZE = PLI_MID_EDGE_SIZE };

typedef struct shell {
    pli_mid_edge bending;
    pli_sheet sheet;
    double mu, lambda; // [Pa]
} shell;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    shell* s = data;
    pli_plate plate = pli_plate_of(params, element);
    pli_element thick = *element;
    thick.thickness = plate.thickness;
    PLI_TRY(pli_mid_edge_prepare(&plate, element, &s->bending, error));
    PLI_TRY(pli_sheet_prepare(&thick, NULL, &s->sheet, error));
    s->mu = plate.young / (2 * (1 + plate.poisson));
    s->lambda = plate.young * plate.poisson / (1 - plate.poisson * plate.poisson);
    return PLI_OK;
}

// The membrane as it is now.
typedef struct membrane {
    double F[6];
    double S[3]; // C - I: 11, 22, 12
    double log;  // ln J
    double z;    // J^2 - 1
} membrane;

static bool stretch(const shell* s, const double* x, const int32_t* v, membrane* m) {
    pli_sheet_gradient(&s->sheet, v, x, m->F);
    m->S[0] = pli_dot(m->F, m->F, 3) - 1;
    m->S[1] = pli_dot(m->F + 3, m->F + 3, 3) - 1;
    m->S[2] = pli_dot(m->F, m->F + 3, 3);
    m->z = m->S[0] + m->S[1] + (m->S[0] * m->S[1] - m->S[2] * m->S[2]);
    if (!(m->z > -1)) return false;
    m->log = 0.5 * pli_log1p(m->z);
    return true;
}

// dpsi/dF
static void stress_of(const shell* s, const membrane* m, double P[6]) {
    double det = 1 + m->z, spread = s->lambda * m->log;
    double a = s->mu * m->S[0] + spread, b = s->mu * m->S[1] + spread, c = s->mu * m->S[2];
    double c11 = 1 + m->S[0], c22 = 1 + m->S[1], c12 = m->S[2];
    double T[2][2] = {{(c22 * a - c12 * c) / det, (c22 * c - c12 * b) / det},
                      {(c11 * c - c12 * a) / det, (c11 * b - c12 * c) / det}};
    for (int r = 0; r < 3; ++r)
        for (int j = 0; j < 2; ++j) P[3 * j + r] = m->F[r] * T[0][j] + m->F[3 + r] * T[1][j];
}

static void add_curvature(const shell* s, const membrane* m, bool project, double* H) {
    pli_sheet_svd svd;
    pli_sheet_slopes d;
    double K[36], local[81] = {0}, q = s->mu - s->lambda * m->log;
    pli_sheet_decompose(m->F, &svd);
    for (int i = 0; i < 2; ++i) {
        d.first[i] = s->mu * svd.s[i] - q / svd.s[i];
        d.second[i] = s->mu + (q + s->lambda) / (svd.s[i] * svd.s[i]);
    }
    d.mixed = s->lambda / (svd.s[0] * svd.s[1]);
    d.quotient = s->mu + q / (svd.s[0] * svd.s[1]);
    pli_sheet_isotropic_stiffness(&svd, &d, project, K);
    pli_sheet_add_stiffness(&s->sheet, K, local);
    for (int i = 0; i < 9; ++i) pli_axpy(1, local + 9 * i, H + i * SIZE, 9);
}

static void add_membrane(const shell* s, const pli_batch* in, int i, pli_local* out) {
    membrane m;
    if (!stretch(s, in->x, in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH, &m)) {
        if (in->want & PLI_VALUE) out->e[i] = HUGE_VAL;
        return;
    }
    double d = m.S[0] * m.S[1] - m.S[2] * m.S[2], log2 = 2 * m.log, P[6];
    if (in->want & PLI_VALUE)
        out->e[i] +=
            s->sheet.volume * (0.5 * s->mu * ((m.z - log2) - d) + 0.5 * s->lambda * m.log * m.log);
    stress_of(s, &m, P);
    if (in->want & PLI_GRADIENT) pli_sheet_add_force(&s->sheet, P, out->g + (size_t)i * SIZE);
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
// t (mu (s_i^2 - 1) + lambda ln J) / J.
static double membrane_force(const shell* s, const membrane* m) {
    double apart = pli_hypot(0.5 * (m->S[0] - m->S[1]), m->S[2]);
    double most = 0.5 * (m->S[0] + m->S[1]) + apart;
    return s->sheet.volume * (s->mu * most + s->lambda * m->log) /
           (s->bending.area * sqrt(1 + m->z));
}

// The Cauchy stress of the membrane.
static void stress(const pli_batch* in, double* out) {
    const shell* records = in->data;
    for (size_t i = 0; i < (size_t)in->count; ++i) {
        membrane m;
        double P[6];
        if (!stretch(&records[i], in->x, in->vertices + i * PLI_MID_EDGE_WIDTH, &m)) continue;
        stress_of(&records[i], &m, P);
        pli_sheet_add_stress(m.F, P, out + 6 * i);
    }
}

// Of a stress xx yy zz yz zx xy.
static double von_mises(const double s[6]) {
    double a = s[0] - s[1], b = s[1] - s[2], c = s[2] - s[0];
    double shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    return sqrt(0.5 * (a * a + b * b + c * c) + 3 * shear);
}

// The moments per length in the axes of the sheet: first from those of edge 1, from corner 2 to 0.
static void moments_in_sheet(const shell* s, const double N[3], double out[3]) {
    const double* B = s->sheet.B;
    double det = B[0] * B[3] - B[1] * B[2], x = B[1] / det, y = -B[0] / det,
           length = pli_hypot(x, y), c = x / length, t = y / length, side = det > 0 ? 1 : -1;
    out[0] = c * c * N[0] + t * t * N[1] - 2 * c * t * side * N[2];
    out[1] = t * t * N[0] + c * c * N[1] + 2 * c * t * side * N[2];
    out[2] = c * t * (N[0] - N[1]) + (c * c - t * t) * side * N[2];
}

// Von Mises stress at the surface on the side of the normal and at the other one: the stress of the
// membrane and that of the moments, +-6 N / t^2.
static void surface_stresses(const shell* s, const membrane* m, const double moment[3],
                             double out[2]) {
    double N[3], own[3], thickness = s->sheet.volume / s->bending.area;
    pli_mid_edge_tensor(&s->bending, moment, N);
    moments_in_sheet(s, N, own);
    for (int side = 0; side < 2; ++side) {
        double P[6], sum[6] = {0}, f = (side == 0 ? 6 : -6) / (thickness * thickness);
        stress_of(s, m, P);
        for (int r = 0; r < 3; ++r) {
            P[r] += f * (m->F[r] * own[0] + m->F[3 + r] * own[2]);
            P[3 + r] += f * (m->F[r] * own[2] + m->F[3 + r] * own[1]);
        }
        pli_sheet_add_stress(m->F, P, sum);
        out[side] = von_mises(sum);
    }
}

enum { OWN_FIELDS = 3 };

static void show(const pli_batch* in, double* out) {
    const shell* records = in->data;
    for (int i = 0; i < in->count; ++i, out += PLI_PLATE_FIELD_COUNT + OWN_FIELDS) {
        const int32_t* v = in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH;
        const shell* s = &records[i];
        double* own = out + PLI_PLATE_FIELD_COUNT;
        membrane m;
        pli_bend bend;
        pli_mid_edge_show(&s->bending, in->x, v, out);
        for (int k = 0; k < OWN_FIELDS; ++k) own[k] = (double)NAN;
        if (!stretch(s, in->x, v, &m)) continue;
        own[0] = membrane_force(s, &m);
        if (!pli_mid_edge_bend(&s->bending, in->x, v, false, &bend)) continue;
        double moment[3];
        for (int k = 0; k < 3; ++k) moment[k] = pli_dot(s->bending.Q[k], bend.b, 3);
        surface_stresses(s, &m, moment, own + 1);
    }
}

static const pli_energy_field fields[] = {
    PLI_PLATE_FIELDS,
    {"membrane_force", "Largest membrane force per length", "N/m"},
    {"stress_top", "Von Mises stress on the side of the normal", "Pa"},
    {"stress_bottom", "Von Mises stress on the other side", "Pa"},
};

static const pli_param params[] = {PLI_PLATE_ROWS};

const pli_energy_type pli_energy_shell = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "shell",
    .help = "thin elastic shell: t (mu/2 (tr C - 2 - 2 ln J) + lambda/2 ln^2 J) per rest area and "
            "\"bending\", lambda = E nu / (1 - nu^2)",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(shell)},
    .width = PLI_MID_EDGE_WIDTH,
    .stencils = pli_plate_stencils,
    .per_triangle = true,
    .check = pli_plate_check,
    .prepare = prepare,
    .eval = eval,
    .stress = stress,
    .section = pli_plate_section,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .field_places = PLI_PLATE_FIELD_PLACES,
    .show = show,
};
