// Fields of scenes: nothing is allocated when they are asked.
#include "scene/field.h"

#include "math/elementary.h"
#include "math/vec.h"

#include <math.h>

// With the axis k = turn / |turn|, a = |turn|, and r = p + q, p along k:
// p + q cos a + (k x q) sin a. A turn about z leaves the z of r as it is, bit for bit.
void pli_rotate(const double turn[3], const double r[3], double out[3]) {
    double angle = pli_norm(turn, 3), c = pli_cos(angle), s = pli_sin(angle), k[3], side[3];
    if (angle == 0) {
        pli_copy(r, out, 3);
        return;
    }
    for (int i = 0; i < 3; ++i) k[i] = turn[i] / angle;
    double along = pli_dot(k, r, 3);
    pli_cross3(k, r, side);
    for (int i = 0; i < 3; ++i) {
        double p = along * k[i], q = r[i] - p;
        out[i] = p + c * q + s * side[i];
    }
}

void pli_formulas_value(const pli_formulas* formulas, double time, const double place[3],
                        double out[3]) {
    const double variables[PLI_VARIABLE_COUNT] = {time, place[0], place[1], place[2]};
    for (int c = 0; c < 3; ++c) out[c] = pli_expression_value(&formulas->part[c], variables);
}

pli_status pli_formulas_check(pli_builder* b, const pli_formulas* formulas, bool single,
                              const pli_chosen* chosen, const double* x, const pli_path* at,
                              pli_error* error) {
    for (int c = 0; c < 3; ++c)
        for (int i = 0; i < chosen->count; ++i) {
            int v = chosen->vertices ? chosen->vertices[i] : i;
            const double variables[] = {0, x[3 * v], x[3 * v + 1], x[3 * v + 2]};
            double value = pli_expression_value(&formulas->part[c], variables);
            if (isfinite(value)) continue;
            pli_path part = pli_path_index(at, c);
            return PLI_FIND(b->findings, single ? at : &part, error,
                            "%s: at t = 0 the expression is %s at vertex %d, must be finite",
                            at->key, isnan(value) ? "not a number" : "infinite", v);
        }
    return PLI_OK;
}

// ---- formulas

typedef struct formula_field {
    pli_formulas formulas;
    double shift[3]; // [m]
} formula_field;

static void formula_at(void* context, double time, const double place[3], double out[3]) {
    const formula_field* f = context;
    double first[3];
    pli_sub(place, f->shift, first, 3);
    pli_formulas_value(&f->formulas, time, first, out);
}

pli_status pli_formula_field(pli_arena* kept, const pli_formulas* formulas, const double shift[3],
                             pli_field_fn** field, void** context, pli_error* error) {
    formula_field* f;
    PLI_TRY(PLI_TAKE(kept, f, 1, error));
    f->formulas = *formulas;
    pli_copy(shift, f->shift, 3);
    *field = formula_at;
    *context = f;
    return PLI_OK;
}

// ---- rigid motion

static void rigid_at(void* context, double time, const double place[3], double out[3]) {
    const pli_rigid_motion* m = context;
    double s = fmin(time, m->until), r[3], turn[3], turned[3];
    pli_sub(place, m->center, r, 3);
    for (int c = 0; c < 3; ++c) turn[c] = m->spin[c] * s;
    pli_rotate(turn, r, turned);
    for (int c = 0; c < 3; ++c) out[c] = m->velocity[c] * s + (turned[c] - r[c]);
}

pli_status pli_rigid_field(pli_arena* kept, const pli_rigid_motion* motion, pli_field_fn** field,
                           void** context, pli_error* error) {
    pli_rigid_motion* m;
    PLI_TRY(PLI_TAKE(kept, m, 1, error));
    *m = *motion;
    *field = rigid_at;
    *context = m;
    return PLI_OK;
}
