// Unknowns from positions: the least-squares fit M q = W^T M_x (x - x0).
#include "kinematics/kinematics.h"
#include "sparse/linear.h"

#include <string.h>

// The mass as a matrix: its pattern and values.
static pli_status mass_matrix(const pli_kinematics* k, pli_pattern* pattern, double** values,
                              pli_error* error) {
    pli_memory* m = k->memory;
    pli_pair* pairs;
    PLI_TRY(PLI_ALLOC(m, pairs, k->mass_count, error));
    for (int b = 0; b < k->mass_count; ++b)
        pairs[b] = (pli_pair){.row = k->mass[b].row, .column = k->mass[b].column};
    pli_status status = pli_pattern_build(pattern, k->group_count, k->group_offset, k->mass_count,
                                          pairs, error);
    PLI_FREE(m, pairs, k->mass_count);
    PLI_TRY(status);
    PLI_TRY(PLI_ALLOC(m, *values, pattern->value_count, error));
    for (int b = 0; b < k->mass_count; ++b) {
        int rows = pli_group_width(k, k->mass[b].row);
        int columns = pli_group_width(k, k->mass[b].column);
        int at = pattern->block_value[pli_pattern_find(pattern, k->mass[b].row, k->mass[b].column)];
        for (int c = 0; c < columns; ++c)
            memcpy(*values + at + (size_t)c * (size_t)pattern->column_height[k->mass[b].column],
                   k->mass_values + k->mass[b].value + c * rows, sizeof(double) * (size_t)rows);
    }
    return PLI_OK;
}

// W^T M_x (x - x0) into `rhs`; `scratch` has 3 per vertex.
static void weighted_pull(const pli_kinematics* k, const double* mass, const double* x,
                          bool with_x0, double* scratch, double* rhs) {
    for (int v = 0; v < k->vertex_count; ++v)
        for (int c = 0; c < 3; ++c)
            scratch[3 * v + c] = mass[v] * (x[3 * v + c] - (with_x0 ? k->vertices[v].x0[c] : 0));
    pli_kinematics_pull(k, NULL, scratch, rhs);
}

pli_status pli_kinematics_fit(const pli_kinematics* k, const double* mass, const double* x,
                              bool with_x0, double* q, pli_error* error) {
    pli_memory* m = k->memory;
    pli_pattern pattern;
    pli_pattern_init(&pattern, m);
    double *values = NULL, *scratch = NULL, *rhs = NULL, *fitted = NULL;
    void* solver = NULL;
    pli_linear_def def = {0};
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    pli_status status;
    PLI_TRY_CLEANUP(status, mass_matrix(k, &pattern, &values, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, scratch, 3 * k->vertex_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, rhs, k->unknown_count, error));
    PLI_TRY_CLEANUP(status, PLI_ALLOC(m, fitted, k->unknown_count, error));
    weighted_pull(k, mass, x, with_x0, scratch, rhs);
    PLI_TRY_CLEANUP(status, pli_cholesky.create(m, NULL, &def, &solver, error));
    PLI_TRY_CLEANUP(status, pli_cholesky.analyze(solver, &pattern, error));
    PLI_TRY_CLEANUP(status, pli_cholesky.factorize(solver, values, &verdict, error));
    if (verdict != PLI_LINEAR_OK) {
        status = pli_fail(error, PLI_E_ARGUMENT,
                          "the mass on the unknowns is not positive definite: a body has vertices "
                          "without mass, or fewer vertices than its unknowns need");
        goto cleanup;
    }
    PLI_TRY_CLEANUP(status, pli_cholesky.solve(solver, rhs, fitted, &verdict, error));
    for (int v = 0; v < k->vertex_count; ++v) { // exact where it can be
        int group = k->vertices[v].identity_group;
        for (int c = 0; group >= 0 && c < k->dim; ++c)
            fitted[k->group_offset[group] + c] = x[3 * v + c];
    }
    memcpy(q, fitted, sizeof *q * (size_t)k->unknown_count);
cleanup:
    if (solver) pli_cholesky.destroy(solver);
    PLI_FREE(m, fitted, k->unknown_count);
    PLI_FREE(m, rhs, k->unknown_count);
    PLI_FREE(m, scratch, 3 * k->vertex_count);
    PLI_FREE(m, values, pattern.value_count);
    pli_pattern_free(&pattern);
    return status;
}
