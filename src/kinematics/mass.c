// The mass as a sparse matrix with its Cholesky factor, and the fit of unknowns to positions.
#include "kinematics/mass.h"

#include "sparse/linear.h"

#include <string.h>

struct pli_mass_solver {
    pli_memory* memory;
    pli_pattern pattern;
    double* values;
    void* factor;
};

static pli_status build_matrix(const pli_kinematics* k, pli_mass_solver* s, pli_error* error) {
    pli_memory* m = s->memory;
    pli_pair* pairs;
    PLI_TRY(PLI_ALLOC(m, pairs, k->mass_count, error));
    for (int b = 0; b < k->mass_count; ++b)
        pairs[b] = (pli_pair){.row = k->mass[b].row, .column = k->mass[b].column};
    pli_status status = pli_pattern_build(&s->pattern, k->group_count, k->group_offset,
                                          k->mass_count, pairs, error);
    PLI_FREE(m, pairs, k->mass_count);
    PLI_TRY(status);
    PLI_TRY(PLI_ALLOC(m, s->values, s->pattern.value_count, error));
    for (int b = 0; b < k->mass_count; ++b) {
        int row = k->mass[b].row, column = k->mass[b].column, rows = pli_group_width(k, row);
        int at = s->pattern.block_value[pli_pattern_find(&s->pattern, row, column)];
        for (int c = 0; c < pli_group_width(k, column); ++c)
            memcpy(s->values + at + (size_t)c * (size_t)s->pattern.column_height[column],
                   k->mass_values + k->mass[b].value + c * rows, sizeof(double) * (size_t)rows);
    }
    return PLI_OK;
}

pli_status pli_mass_solver_create(const pli_kinematics* k, pli_mass_solver** out,
                                  pli_error* error) {
    pli_mass_solver* s;
    PLI_TRY(PLI_ALLOC(k->memory, s, 1, error));
    s->memory = k->memory;
    pli_pattern_init(&s->pattern, k->memory);
    pli_linear_def def = {0};
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    pli_status status;
    PLI_TRY_CLEANUP(status, build_matrix(k, s, error));
    PLI_TRY_CLEANUP(status, pli_cholesky.create(k->memory, NULL, &def, &s->factor, error));
    PLI_TRY_CLEANUP(status, pli_cholesky.analyze(s->factor, &s->pattern, error));
    PLI_TRY_CLEANUP(status, pli_cholesky.factorize(s->factor, s->values, &verdict, error));
    if (verdict != PLI_LINEAR_OK) {
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "the mass on the unknowns is not positive definite: a body has vertices "
                          "without mass, or fewer vertices than its unknowns need");
        goto cleanup;
    }
    *out = s;
    return PLI_OK;
cleanup:
    pli_mass_solver_destroy(s);
    return status;
}

void pli_mass_solver_destroy(pli_mass_solver* s) {
    if (!s) return;
    pli_memory* m = s->memory;
    if (s->factor) pli_cholesky.destroy(s->factor);
    PLI_FREE(m, s->values, s->pattern.value_count);
    pli_pattern_free(&s->pattern);
    PLI_FREE(m, s, 1);
}

pli_status pli_mass_solve(pli_mass_solver* s, const double* b, double* x, pli_error* error) {
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    return pli_cholesky.solve(s->factor, b, x, &verdict, error);
}

pli_status pli_kinematics_fit(const pli_kinematics* k, const double* mass, const double* x,
                              bool with_x0, double* q, pli_error* error) {
    pli_memory* m = k->memory;
    pli_mass_solver* solver = NULL;
    double *weighted = NULL, *rhs = NULL, *fitted = NULL;
    pli_status status;
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, weighted, 3 * k->vertex_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rhs, k->unknown_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, fitted, k->unknown_count, error));
    for (int v = 0; v < k->vertex_count; ++v)
        for (int c = 0; c < 3; ++c)
            weighted[3 * v + c] = mass[v] * (x[3 * v + c] - (with_x0 ? k->vertices[v].x0[c] : 0));
    pli_kinematics_pull(k, NULL, weighted, rhs);
    PLI_TRY_CLEANUP(status, pli_mass_solver_create(k, &solver, error));
    PLI_TRY_CLEANUP(status, pli_mass_solve(solver, rhs, fitted, error));
    for (int v = 0; v < k->vertex_count; ++v) { // exact where it can be
        int group = k->vertices[v].identity_group;
        for (int c = 0; group >= 0 && c < k->dim; ++c)
            fitted[k->group_offset[group] + c] = x[3 * v + c];
    }
    memcpy(q, fitted, sizeof *q * (size_t)k->unknown_count);
cleanup:
    pli_mass_solver_destroy(solver);
    PLI_FREE(m, fitted, k->unknown_count);
    PLI_FREE(m, rhs, k->unknown_count);
    PLI_FREE(m, weighted, 3 * k->vertex_count);
    return status;
}
