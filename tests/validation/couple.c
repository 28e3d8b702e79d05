// A moment on triangles, as an energy of its own: see sheets.h.
#include "validation/sheets.h"

// A couple about y on a triangle: P = -m phi, phi the angle of its normal in the plane of x and z,
// 0 at z and growing towards -x, followed beyond half a turn by its state. No Hessian.
typedef struct couple {
    double moment;
} couple;

static double turn_of(const pli_batch* in, int i, double last, double n[3], double e[2][3]) {
    const int32_t* v = in->vertices + 3 * (size_t)i;
    for (int c = 0; c < 3; ++c)
        for (int k = 0; k < 2; ++k) e[k][c] = in->x[3 * v[k + 1] + c] - in->x[3 * v[0] + c];
    for (int c = 0; c < 3; ++c)
        n[c] = e[0][(c + 1) % 3] * e[1][(c + 2) % 3] - e[0][(c + 2) % 3] * e[1][(c + 1) % 3];
    double angle = atan2(-n[0], n[2]);
    return last + remainder(angle - last, 2 * PLI_PI);
}

static void couple_eval(const pli_batch* in, pli_local* out) {
    const couple* records = in->data;
    const double* last = in->state;
    for (int i = 0; i < in->count; ++i) {
        double n[3], e[2][3], m = records[i].moment, turn = turn_of(in, i, last[i], n, e);
        if (in->want & PLI_VALUE) out->e[i] -= m * turn;
        if (!(in->want & PLI_GRADIENT)) continue;
        // d phi = (n_x dn_z - n_z dn_x) / (n_x^2 + n_z^2), dn = de_0 x e_1 + e_0 x de_1
        double square = n[0] * n[0] + n[2] * n[2], a[3] = {-n[2] / square, 0, n[0] / square};
        for (int c = 0; c < 3; ++c) {
            int d = (c + 1) % 3, f = (c + 2) % 3;
            double on_1 = e[1][d] * a[f] - e[1][f] * a[d], on_2 = a[d] * e[0][f] - a[f] * e[0][d];
            out->g[9 * i + 3 + c] -= m * on_1;
            out->g[9 * i + 6 + c] -= m * on_2;
            out->g[9 * i + c] += m * (on_1 + on_2);
        }
    }
}

static void couple_commit(const pli_batch* in, void* state) {
    double *last = state, n[3], e[2][3];
    for (int i = 0; i < in->count; ++i) last[i] = turn_of(in, i, last[i], n, e);
}

static pli_status couple_prepare(const double* params, const pli_element* element, void* data,
                                 pli_error* error) {
    (void)element, (void)error;
    ((couple*)data)->moment = params[0];
    return PLI_OK;
}

static const pli_param couple_params[] = {
    {.name = "moment", .unit = "N m", .min = -HUGE_VAL, .max = HUGE_VAL}};
const pli_energy_type pli_couple_type = {
    .abi = PLI_ENERGY_ABI,
    .name = "couple",
    .help = "-m phi",
    .dims = 1u << 3,
    .params = couple_params,
    .param_count = 1,
    .data_size = {[PLI_STENCIL] = sizeof(couple)},
    .width = 3,
    .linear = true,
    .state_size = sizeof(double),
    .prepare = couple_prepare,
    .commit = couple_commit,
    .eval = couple_eval,
};
