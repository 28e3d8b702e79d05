// A complete energy to copy: "anchor" pulls every vertex back to its rest position,
//
//     P = (k/2) |x - x_rest|^2    [J]
//
// To add an energy of your own:
//   1. Copy this file and tests/energy/test_template.c; rename `anchor`.
//   2. Write the formula here and, under it, its first and second derivative by the positions.
//   3. Set the element kinds that it supports (`data_size`) and its parameters (one row each;
//      scenes, help and the JSON Schema read these rows).
//   4. `prepare` puts into the record what depends on the rest shape only and refuses elements it
//      cannot handle. `eval` adds (+=) what `want` asks for; if `project`, each Hessian must have
//      no negative eigenvalue.
//   5. If some states are forbidden: their value is HUGE_VAL, and `max_step` keeps steps away.
//   6. One line in list.c, or, from outside the library, pli_world_def.energy_types.
// A dissipation R(v) [W] is written the same way, with `dissipation` set and derivatives by the
// velocities in->v: drag.c is a short one. Stencils that are not elements: bending_spring.c; wide
// ones, each with its own number of vertices, a Hessian of factors and the `curvature` that these
// leave out: gas.c.
#include <math.h>
#include <string.h>

#include "pliant/energy.h"

// What `prepare` computes once per element.
typedef struct anchor {
    double k;       // [N/m]
    double rest[3]; // [m]
} anchor;

static pli_status prepare(const double* params, const pli_element* element, void* data,
                          pli_error* error) {
    (void)error; // cannot fail; see neo_hookean.c for an energy that rejects elements
    anchor* a = data;
    a->k = params[0];
    memcpy(a->rest, element->rest + 3 * (size_t)element->vertices[0], sizeof a->rest);
    return PLI_OK;
}

// g = k (x - x_rest), H = k I: positive definite, so `project` changes nothing.
static void eval(const pli_batch* in, pli_local* out) {
    const anchor* anchors = in->data;
    size_t n = (size_t)in->width * (size_t)in->dim; // entries of one local gradient
    for (int i = 0; i < in->count; ++i) {
        const anchor* a = &anchors[i];
        const double* x = in->x + 3 * (size_t)in->vertices[i];
        for (int r = 0; r < in->dim; ++r) {
            double d = x[r] - a->rest[r];
            if (in->want & PLI_VALUE) out->e[i] += 0.5 * a->k * d * d;
            if (in->want & PLI_GRADIENT) out->g[(size_t)i * n + (size_t)r] += a->k * d;
            if (in->want & PLI_HESSIAN) out->H[((size_t)i * n + (size_t)r) * n + (size_t)r] += a->k;
        }
    }
}

static const pli_param params[] = {
    {.name = "stiffness",
     .unit = "N/m",
     .min = 0,
     .max = HUGE_VAL,
     .default_value = 1e3,
     .flags = PLI_PARAM_ABOVE_MIN,
     .help = "k, force per distance from the rest position"},
};

const pli_energy_type pli_energy_anchor = {
    .abi = PLI_ENERGY_ABI,
    .name = "anchor",
    .help = "(k/2) |x - x_rest|^2 for each vertex",
    .dims = 1u << 2 | 1u << 3,
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .data_size = {[PLI_VERTEX] = sizeof(anchor)},
    .prepare = prepare,
    .eval = eval,
};
