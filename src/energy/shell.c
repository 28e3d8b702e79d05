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
    .per_triangle = true,
    .check = pli_plate_check,
    .prepare = prepare,
    .eval = eval,
    .section = pli_plate_section,
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .field_places = PLI_PLATE_FIELD_PLACES,
    .show = show,
};
