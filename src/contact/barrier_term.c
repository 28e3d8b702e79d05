// The common head of barrier terms, and what the world asks of any of them.
#include "contact/barrier_term.h"

#include <math.h>
#include <string.h>

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
