// Seam: a spring that draws two vertices together and then holds them. With r = |x_a - x_b|,
//
//     P = (k/2) (r - l)^2    [J]
//
// where the length l goes from the distance at rest to `gap` at a constant speed within `close`
// seconds. l is state: each accepted step of size h moves it by h times the speed, so that the
// first step has the distance at rest. The gap is at least the distance where contact begins,
// unless it is given: otherwise the spring would press the stitched vertices against each other.
#include "energy/segment.h"

#include "base/base.h"

typedef struct seam {
    double k;     // [N/m]
    double gap;   // [m]
    double start; // distance at rest [m]
    double speed; // of closing, >= 0 [m/s]
} seam;

enum { STIFFNESS, CLOSE, GAP };

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    seam* s = data;
    const int32_t* v = element->vertices;
    double d[3];
    if (v[0] == v[1]) return pli_fail(error, PLI_E_ARGUMENT, "both ends are vertex %d", (int)v[0]);
    pli_sub(element->rest + 3 * (size_t)v[0], element->rest + 3 * (size_t)v[1], d, element->dim);
    s->k = params[STIFFNESS];
    s->start = pli_norm(d, element->dim);
    s->gap = params[GAP];
    if (isnan(s->gap)) s->gap = element->offset ? element->offset[v[0]] + element->offset[v[1]] : 0;
    s->speed = params[CLOSE] > 0 ? fabs(s->start - s->gap) / params[CLOSE] : 0;
    if (params[CLOSE] == 0) s->start = s->gap;
    return PLI_OK;
}

static void init(const double* params, const pli_element* element, const void* data, void* state) {
    (void)params;
    (void)element;
    *(double*)state = ((const seam*)data)->start;
}

static inline pli_segment_response law(const void* record, const double* length, double square,
                                       bool project) {
    const pli_hooke spring = {((const seam*)record)->k, *length};
    return pli_hooke_law(&spring, NULL, square, project);
}

PLI_SEGMENT_EVAL(eval, seam, law, 2, 0, 1)

static void commit(const pli_batch* in, void* state) {
    const seam* seams = in->data;
    double* length = state;
    for (int i = 0; i < in->count; ++i) {
        double left = seams[i].gap - length[i], step = seams[i].speed * in->h;
        length[i] = fabs(left) <= step ? seams[i].gap : length[i] + copysign(step, left);
    }
}

static const pli_param params[] = {
    [STIFFNESS] = {.name = "stiffness",
                   .unit = "N/m",
                   .min = 0,
                   .max = HUGE_VAL,
                   .default_value = 100,
                   .flags = PLI_PARAM_ABOVE_MIN,
                   .help = "k, of the spring of each pair of vertices"},
    [CLOSE] = {.name = "close",
               .unit = "s",
               .min = 0,
               .max = HUGE_VAL,
               .default_value = 0.5,
               .help = "time in which its length goes from the distance at rest to the gap"},
    [GAP] = {.name = "gap",
             .unit = "m",
             .min = 0,
             .max = HUGE_VAL,
             .default_value = NAN,
             .help = "length of the closed seam; not given: where contact begins, dhat and the "
                     "contact thicknesses of both bodies"},
};

const pli_energy_type pli_energy_seam = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "seam",
    .help = "spring k (|d| - l) whose length l is drawn together to a gap: stitched vertices",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_SEGMENT] = sizeof(seam)},
    .state_size = sizeof(double),
    .prepare = prepare,
    .init = init,
    .commit = commit,
    .eval = eval,
};
