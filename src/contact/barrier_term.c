// The common head of barrier terms, and what the world asks of any of them.
#include "contact/barrier_term.h"

#include <math.h>

static pli_status check_def(const pli_barrier_def* def, int count, const int32_t* vertices,
                            pli_error* error) {
    if (def->dim != 2 && def->dim != 3)
        return pli_fail(error, PLI_E_ARGUMENT, "contact: dimension = %d, must be 2 or 3", def->dim);
    if (!(def->dhat > 0) || !isfinite(def->dhat))
        return pli_fail(error, PLI_E_ARGUMENT, "contact: dhat = %g m, must be > 0", def->dhat);
    if (!(def->stiffness > 0) || !isfinite(def->stiffness))
        return pli_fail(error, PLI_E_ARGUMENT, "contact: stiffness = %g Pa, must be > 0",
                        def->stiffness);
    for (int i = 0; i < count; ++i) {
        int32_t v = vertices[i];
        if (v < 0 || v >= def->vertex_count)
            return pli_fail(error, PLI_E_ARGUMENT,
                            "contact: vertex %d does not exist, there are %d", (int)v,
                            def->vertex_count);
        if (!(def->area[v] > 0) || !isfinite(def->area[v]))
            return pli_fail(error, PLI_E_ARGUMENT,
                            "contact: vertex %d: contact area = %g m^2, must be > 0", (int)v,
                            def->area[v]);
    }
    return PLI_OK;
}

pli_status pli_barrier_init(pli_barrier* barrier, pli_memory* memory, const pli_barrier_def* def,
                            int count, const int32_t* vertices, pli_error* error) {
    PLI_TRY(check_def(def, count, vertices, error));
    barrier->memory = memory;
    barrier->dim = def->dim;
    barrier->vertex_count = def->vertex_count;
    barrier->dhat = def->dhat;
    PLI_TRY(PLI_ALLOC(memory, barrier->weight, def->vertex_count, error));
    for (int v = 0; v < def->vertex_count; ++v) barrier->weight[v] = def->area[v] * def->stiffness;
    return PLI_OK;
}

void pli_barrier_free(pli_barrier* barrier) {
    PLI_FREE(barrier->memory, barrier->weight, barrier->vertex_count);
}

void pli_barrier_contacts(const pli_term* term, const double* x, int* count, double* min_distance) {
    const pli_barrier* barrier = term->self;
    const int32_t* vertices = term->ops->vertices(barrier);
    int stencil_count = term->ops->count(barrier);
    *count = 0;
    *min_distance = HUGE_VAL;
    for (int i = 0; i < stencil_count; ++i) {
        pli_contact contact;
        if (!barrier->kind->contact(barrier, vertices + i * term->ops->width, x, &contact))
            continue;
        ++*count;
        *min_distance = fmin(*min_distance, contact.distance);
    }
}

pli_status pli_barrier_check(const pli_term* term, const pli_view* view, pli_error* error) {
    const pli_barrier* barrier = term->self;
    return barrier->kind->check(barrier, view, error);
}
