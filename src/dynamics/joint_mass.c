// Velocities that joints allow: v + M^-1 A^T y with A v = rates, by a dense A M^-1 A^T for few
// equations and by the augmented mass for many (sparse/augmented.h).
#include "dynamics/world.h"

#include "math/vec.h"
#include "sparse/augmented.h"

#include <string.h>

// A row whose pivot in A M^-1 A^T is below this part of its diagonal follows from others.
static const double DEPENDENT = 1e-12;

struct pli_joint_mass {
    pli_memory* memory;
    const pli_equations* equations;
    int n; // unknowns
    // Few: M^-1 A^T and the factor of A M^-1 A^T.
    double *z, *factor, *left;
    uint8_t* skipped;
    // Many: with held unknowns and multipliers of its own.
    pli_equations own;
    pli_pattern pattern;
    double *values, *zero, *step;
    void* solver;
    pli_woodbury woodbury;
    pli_augmented augmented;
};

void pli_joint_mass_destroy(pli_joint_mass* s) {
    if (!s) return;
    pli_memory* m = s->memory;
    size_t rows = (size_t)s->equations->count, n = (size_t)s->n;
    if (s->solver) pli_multifrontal.destroy(s->solver);
    pli_woodbury_free(&s->woodbury);
    pli_augmented_free(&s->augmented);
    PLI_FREE(m, s->values, s->pattern.value_count);
    pli_pattern_free(&s->pattern);
    PLI_FREE(m, s->own.multipliers, rows);
    PLI_FREE(m, s->own.held, n);
    PLI_FREE(m, s->zero, n);
    PLI_FREE(m, s->step, n);
    PLI_FREE(m, s->z, rows * n);
    PLI_FREE(m, s->factor, rows * rows);
    PLI_FREE(m, s->skipped, rows);
    PLI_FREE(m, s->left, rows);
    PLI_FREE(m, s, 1);
}

// ---- few equations

static void spread_row(const pli_equations* e, int i, double* x) {
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) x[e->unknown[k]] += e->weight[k];
}

// Held unknowns count.
static double row_product(const pli_equations* e, int i, const double* x) {
    double sum = 0;
    for (int k = e->start[i]; k < e->start[i + 1]; ++k) sum += e->weight[k] * x[e->unknown[k]];
    return sum;
}

static pli_status factorize_dense(pli_joint_mass* s, pli_world* w, pli_mass_solver* solver,
                                  pli_error* error) {
    const pli_equations* e = s->equations;
    size_t count = (size_t)e->count, n = (size_t)s->n;
    double* b = w->joints.net;
    PLI_TRY(PLI_ALLOC(s->memory, s->z, count * n, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->factor, count * count, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->skipped, count, error));
    for (size_t i = 0; i < count; ++i) {
        memset(b, 0, sizeof *b * n);
        spread_row(e, (int)i, b);
        pli_constraints_clear(&w->constraints, &w->kinematics, b);
        PLI_TRY(pli_mass_solve(solver, b, s->z + i * n, error));
        s->skipped[i] = e->dropped[i];
        for (size_t k = 0; k <= i; ++k)
            s->factor[i * count + k] = row_product(e, (int)k, s->z + i * n);
    }
    pli_schur_pivot(e->count, DEPENDENT, s->factor, s->skipped);
    return PLI_OK;
}

static pli_status make_dense(pli_joint_mass* s, pli_world* w, pli_error* error) {
    pli_mass_solver* own = NULL;
    if (!w->mass_solver) {
        pli_constraints_hold(&w->constraints, &w->kinematics, true, w->frozen);
        PLI_TRY(pli_mass_solver_create(&w->kinematics, w->frozen, &own, error));
    }
    pli_status status = factorize_dense(s, w, own ? own : w->mass_solver, error);
    pli_mass_solver_destroy(own);
    return status;
}

// ---- many

static pli_status factorize_sparse(pli_joint_mass* s, pli_error* error) {
    pli_linear_def def = {0};
    pli_linear_verdict verdict = PLI_LINEAR_OK;
    PLI_TRY(pli_augmented_analyze(&s->augmented, &s->own, &s->pattern, error));
    pli_augmented_weigh(&s->augmented, s->values, NULL);
    PLI_TRY(pli_multifrontal.create(s->memory, NULL, &def, &s->solver, error));
    PLI_TRY(pli_multifrontal.analyze(s->solver, &s->pattern, error));
    PLI_TRY(pli_multifrontal.factorize(s->solver, s->augmented.sum, NULL, &verdict, error));
    if (verdict != PLI_LINEAR_OK) return pli_mass_indefinite(error);
    return pli_woodbury_factorize(&s->woodbury, &pli_multifrontal, s->solver, &s->pattern,
                                  s->augmented.sum, NULL, &verdict, error);
}

static pli_status make_sparse(pli_joint_mass* s, pli_world* w, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    const pli_joints* j = &w->joints;
    s->own = *s->equations;
    s->own.multipliers = NULL;
    s->own.held = NULL;
    PLI_TRY(PLI_ALLOC(s->memory, s->own.multipliers, s->own.count, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->own.held, s->n, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->zero, s->n, error));
    PLI_TRY(PLI_ALLOC(s->memory, s->step, s->n, error));
    pli_constraints_hold(&w->constraints, k, true, w->frozen);
    for (int g = 0; g < k->group_count; ++g)
        for (int i = k->group_offset[g]; i < k->group_offset[g + 1]; ++i)
            s->own.held[i] = w->frozen[g];
    PLI_TRY(pli_mass_matrix(k, w->frozen, j->pair_count, j->pairs, &s->pattern, &s->values, error));
    return factorize_sparse(s, error);
}

// ---- both

pli_status pli_joint_mass_create(pli_world* w, pli_joint_mass** out, pli_error* error) {
    pli_joint_mass* s;
    PLI_TRY(PLI_ALLOC(&w->memory, s, 1, error));
    s->memory = &w->memory;
    s->equations = &w->joints.equations;
    s->n = w->kinematics.unknown_count;
    pli_pattern_init(&s->pattern, s->memory);
    pli_woodbury_init(&s->woodbury, s->memory);
    pli_augmented_init(&s->augmented, s->memory);
    pli_status status = PLI_ALLOC(s->memory, s->left, s->equations->count, error);
    if (status == PLI_OK)
        status = w->joints.pairs ? make_sparse(s, w, error) : make_dense(s, w, error);
    if (status == PLI_OK)
        *out = s;
    else
        pli_joint_mass_destroy(s);
    return status;
}

void pli_joint_mass_project(pli_joint_mass* s, const double* rates, double* v) {
    const pli_equations* e = s->equations;
    for (int i = 0; i < e->count; ++i) s->left[i] = rates[i] - row_product(e, i, v);
    if (s->z) {
        pli_schur_substitute(e->count, s->factor, s->skipped, s->left);
        for (int i = 0; i < e->count; ++i)
            pli_axpy(s->left[i], s->z + (size_t)i * (size_t)s->n, v, s->n);
        return;
    }
    pli_linear_verdict verdict;
    pli_status status =
        pli_augmented_solve(&s->augmented, &s->woodbury, s->zero, s->left, s->step, &verdict, NULL);
    PLI_ASSERT(status == PLI_OK); // of a direct solver
    (void)status;
    pli_axpy(1, s->step, v, s->n);
}
