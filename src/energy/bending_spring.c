// Springs across the edges of a triangle mesh, which resist bending. At each inner edge a spring
// joins the apexes a and b of its two triangles,
//
//     P = (k/2) (|x_a - x_b| - l)^2    [J]
//
// Cheap, but it models no real material: the force depends on the mesh, and in-plane stretch across
// the edge strains the spring too. This is the example of an energy whose stencils are derived from
// the mesh: `stencils` finds them, the records hold what depends on the rest shape.
#include "energy/segment.h"

enum { WIDTH = 4, APEX = 0, OTHER = 3 }; // apex, the two ends of the edge, the other apex

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    pli_hooke* s = data;
    s->k = params[0];
    return pli_segment_rest_length(element, APEX, OTHER, &s->length, error);
}

PLI_SEGMENT_EVAL(eval, pli_hooke, pli_hooke_law, WIDTH, APEX, OTHER)

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 10,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per change of distance between the apexes"},
};

const pli_energy_type pli_energy_bending_spring = {
    .abi = PLI_ENERGY_ABI,
    .internal = true,
    .name = "bending-spring",
    .help = "(k/2) (|d| - l)^2 between the apexes of the two triangles at each inner edge",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_STENCIL] = sizeof(pli_hooke)},
    .width = WIDTH,
    .stencils = pli_hinge_stencils,
    .prepare = prepare,
    .eval = eval,
};
