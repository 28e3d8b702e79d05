// (s - 1) ln s and (s - 1)^2 ln s with their derivatives, scaled.
#include "contact/barrier.h"

#include <math.h>
#include <string.h>

#include "contact/barrier_term.h"
#include "math/elementary.h"

// f = (s - 1) ln s,  f' = ln s + (s - 1) / s,  f'' = (1 + 1/s) / s;  0 from s = 1 on.
// Below the smallest s the second derivative would overflow: treated as touching.
static pli_barrier_values clamped_log(double s) {
    static const double smallest = 1e-150;
    if (s >= 1) return (pli_barrier_values){0};
    if (!(s > smallest)) return (pli_barrier_values){.value = HUGE_VAL};
    double log_s = pli_log(s);
    return (pli_barrier_values){(s - 1) * log_s, log_s + (s - 1) / s, (1 + 1 / s) / s};
}

pli_barrier_values pli_barrier_linear(double d, double dhat) {
    pli_barrier_values f = clamped_log(d / dhat);
    return (pli_barrier_values){0.5 * dhat * f.value, 0.5 * f.first, 0.5 / dhat * f.second};
}

pli_barrier_values pli_barrier_squared(double d2, double dhat) {
    pli_barrier_values f = clamped_log(d2 / (dhat * dhat));
    double scale = 1 / (16 * dhat); // (dhat / 16) (ds/d(d2)), ds/d(d2) = 1 / dhat^2
    return (pli_barrier_values){dhat / 16 * f.value, scale * f.first,
                                scale / (dhat * dhat) * f.second};
}

// With z = s / shat: b = -shat^2 (z - 1)^2 ln z,
//   b' = -shat (z - 1) (2 ln z + (z - 1) / z),   b'' = -2 ln z - (z - 1) (4 - (z - 1) / z) / z.
// Near 1 the difference s - shat is exact and z - 1 from z is not.
pli_barrier_values pli_barrier_clamped_log(double s, double shat) {
    static const double smallest = 1e-150;
    if (s >= shat) return (pli_barrier_values){0};
    double z = s / shat, gap = (s - shat) / shat; // z - 1
    if (!(z > smallest)) return (pli_barrier_values){.value = HUGE_VAL};
    double log_z = z > 0.5 ? pli_log1p(gap) : pli_log(z), slope = gap / z;
    return (pli_barrier_values){-shat * shat * gap * gap * log_z, -shat * gap * (2 * log_z + slope),
                                -2 * log_z - slope * (4 - slope)};
}

// The argument s(d) = d^2 - dmin^2 = (d - dmin) (d + dmin), and the derivatives of b(s(d)):
//   2 d b',   4 d^2 b'' + 2 b'.
static double argument(double d, double dmin) { return (d - dmin) * (d + dmin); }

static pli_barrier_values of_distance(double d, pli_barrier_values b) {
    return (pli_barrier_values){b.value, 2 * d * b.first, 4 * d * d * b.second + 2 * b.first};
}

pli_barrier_values pli_barrier_area(double d, double dhat, double dmin) {
    if (d >= dmin + dhat) return (pli_barrier_values){0};
    if (!(d > dmin)) return (pli_barrier_values){.value = HUGE_VAL};
    double shat = dhat * (2 * dmin + dhat), scale = dhat / 16;
    pli_barrier_values f = clamped_log(argument(d, dmin) / shat);
    return of_distance(d, (pli_barrier_values){scale * f.value, scale / shat * f.first,
                                               scale / (shat * shat) * f.second});
}

pli_barrier_values pli_barrier_log(double d, double dhat, double dmin) {
    if (d >= dmin + dhat) return (pli_barrier_values){0};
    if (!(d > dmin)) return (pli_barrier_values){.value = HUGE_VAL};
    return of_distance(d, pli_barrier_clamped_log(argument(d, dmin), dhat * (2 * dmin + dhat)));
}

const pli_barrier_form pli_barrier_forms[PLI_BARRIER_FORM_COUNT] = {
    {"area", "weighted by the surface: stiffness is a pressure", pli_barrier_area},
    {"ipc", "the clamped log of squared distances, the same for every pair", pli_barrier_log}};

// ---- the common part of barrier terms

// The common part of all barrier terms, and the functions that work for each of them.

const pli_barrier_form* pli_barrier_form_of(const char* name) {
    int i = PLI_BARRIER_FORM_COUNT - 1;
    while (i > 0 && strcmp(name, pli_barrier_forms[i].name) != 0) --i;
    return &pli_barrier_forms[i];
}

pli_status pli_barrier_init(pli_barrier* barrier, pli_memory* memory, const pli_barrier_def* def,
                            pli_error* error) {
    if (def->dim != 2 && def->dim != 3)
        return pli_fail(error, PLI_E_ARGUMENT, "contact: dimension = %d, must be 2 or 3", def->dim);
    if (!(def->dhat > 0) || !isfinite(def->dhat))
        return pli_fail(error, PLI_E_ARGUMENT, "contact: dhat = %g m, must be > 0", def->dhat);
    if (!(def->stiffness > 0) || !isfinite(def->stiffness))
        return pli_fail(error, PLI_E_ARGUMENT, "contact: stiffness = %g, must be > 0",
                        def->stiffness);
    barrier->memory = memory;
    barrier->dim = def->dim;
    barrier->vertex_count = def->vertex_count;
    barrier->form = def->form ? def->form : &pli_barrier_forms[0];
    barrier->dhat = def->dhat;
    barrier->stiffness = def->stiffness;
    return PLI_OK;
}

bool pli_barrier_by_area(const pli_barrier* barrier) {
    return barrier->form == &pli_barrier_forms[0];
}

void pli_barrier_contacts(const pli_term* term, const double* x, int* count, double* min_distance) {
    const pli_barrier* barrier = term->self;
    int stencil_count = term->ops->count(barrier);
    *count = 0;
    *min_distance = HUGE_VAL;
    for (int i = 0; i < stencil_count; ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, i, x, &contact)) continue;
        ++*count;
        *min_distance = fmin(*min_distance, contact.distance);
    }
}

void pli_barrier_set_stiffness(const pli_term* term, double stiffness) {
    pli_barrier* barrier = term->self;
    barrier->stiffness = stiffness;
}

void pli_barrier_forget(const pli_term* term) {
    pli_barrier* barrier = term->self;
    if (barrier->kind->forget) barrier->kind->forget(barrier);
}

pli_status pli_barrier_check(const pli_term* term, const pli_view* view, pli_error* error) {
    const pli_barrier* barrier = term->self;
    return barrier->kind->check ? barrier->kind->check(barrier, view, error) : PLI_OK;
}
