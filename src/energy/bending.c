// Bending of a plate or shell of thickness t on any mesh of triangles, by normals at the middles of
// edges (mid_edge.h). It needs a membrane beside it; `shell` is both.
#include <math.h>

#include "base/base.h"
#include "energy/mid_edge.h"

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_plate plate = pli_plate_of(params, element);
    return pli_mid_edge_prepare(&plate, element, data, error);
}

static void eval(const pli_batch* in, pli_local* out) {
    const pli_mid_edge* records = in->data;
    for (int i = 0; i < in->count; ++i) pli_mid_edge_add(&records[i], in, i, out);
}

static void show(const pli_batch* in, double* out) {
    const pli_mid_edge* records = in->data;
    for (int i = 0; i < in->count; ++i, out += PLI_PLATE_FIELD_COUNT)
        pli_mid_edge_show(&records[i], in->x, in->vertices + (size_t)i * PLI_MID_EDGE_WIDTH, out);
}

static const pli_energy_field fields[] = {PLI_PLATE_FIELDS};

static const pli_param params[] = {PLI_PLATE_ROWS};

const pli_energy_type pli_energy_bending = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "bending",
    .help =
        "t^3/12 (lambda/2 tr^2 M + mu M:M) per rest area, M the change of curvature; one unknown "
        "at each inner edge, right on any mesh",
    .dims = 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(pli_mid_edge)},
    .width = PLI_MID_EDGE_WIDTH,
    .stencils = pli_plate_stencils,
    .per_triangle = true,
    .check = pli_plate_check,
    .prepare = prepare,
    .eval = eval,
    .section = pli_plate_section,
    .fields = fields,
    .field_count = PLI_PLATE_FIELD_COUNT,
    .field_places = PLI_PLATE_FIELD_PLACES,
    .show = show,
};
