// What the tests of element energies share: a term of a named type over one list of elements.
#ifndef TESTS_ENERGY_FIXTURE_H
#define TESTS_ENERGY_FIXTURE_H

#include <float.h>
#include <stdlib.h>

#include "energy/element_term.h"
#include "oracle/contract.h"
#include "oracle/near.h"
#include "oracle/random.h"

static inline const pli_energy_type* find_type(const char* name) {
    for (int i = 0; pli_energy_type_at(i); ++i)
        if (strcmp(pli_energy_type_at(i)->name, name) == 0) return pli_energy_type_at(i);
    fail_msg("no energy \"%s\"", name);
    return NULL;
}

// Creates the term; the caller destroys it. Parameters in table order.
static inline pli_term make_term(pli_memory* memory, const char* name, const double* params,
                                 const pli_domain* domain) {
    pli_term term;
    pli_error error = {0};
    if (pli_element_term_create(memory, find_type(name), params, domain, &term, &error) != PLI_OK)
        fail_msg("%s: %s", name, error.message);
    return term;
}

// Destroys the term and sees that it gave all memory back.
static inline void end_term(pli_memory* memory, pli_term* term) {
    term->ops->destroy(term->self);
    assert_int_equal(memory->bytes, 0);
}

// Value, gradient and Hessian of stencil 0.
static inline double eval_first(const pli_term* term, int dim, const double* x, bool project,
                                double* g, double* H) {
    double e = 0;
    size_t n = (size_t)(term->ops->width * dim);
    pli_batch in = {.dim = dim,
                    .count = 1,
                    .width = term->ops->width,
                    .vertices = term->ops->vertices(term->self),
                    .x = x,
                    .want = PLI_VALUE | (g ? PLI_GRADIENT : 0u) | (H ? PLI_HESSIAN : 0u),
                    .project = project};
    if (g) memset(g, 0, n * sizeof *g);
    if (H) memset(H, 0, n * n * sizeof *H);
    term->ops->eval(term->self, 0, &in, &(pli_local){.e = &e, .g = g, .H = H});
    return e;
}

// What the energy shows at a point, the mean of its stencils; NaN: nothing. In x the nodes follow
// the points.
static inline double shown_at(const pli_term* term, const char* name, const double* x, int points,
                              int nodes, int point) {
    double* values = calloc((size_t)(points + nodes), sizeof *values);
    int32_t* shares = calloc((size_t)points, sizeof *shares);
    assert_true(values && shares);
    for (int i = 0; i < nodes; ++i) values[points + i] = x[3 * (points + i)];
    pli_element_term_scalar(term, &(pli_term_scalar){.name = name,
                                                     .x = x,
                                                     .point_count = points,
                                                     .nodes = values + points,
                                                     .sums = values,
                                                     .shares = shares});
    double mean = shares[point] > 0 ? values[point] / shares[point] : (double)NAN;
    free(values);
    free(shares);
    return mean;
}

#endif
