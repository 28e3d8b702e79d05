// Equations by a dense Schur complement: see schur.h.
#include "sparse/schur.h"

#include "math/vec.h"
#include "sparse/reserve.h"

#include <math.h>
#include <string.h>

// A pivot of S below this part of its diagonal is rounding: the row follows from others.
static const double DEPENDENT = 1e-11;

static const double EXACT = 1e-12; // tolerance passed to solvers that need one

void pli_schur_init(pli_schur* s, pli_memory* memory) { *s = (pli_schur){.memory = memory}; }

void pli_schur_free(pli_schur* s) {
    pli_memory* m = s->memory;
    if (!m) return;
    PLI_FREE(m, s->z, s->z_capacity);
    PLI_FREE(m, s->factor, s->factor_capacity);
    PLI_FREE(m, s->values, s->value_capacity);
    PLI_FREE(m, s->right, s->right_capacity);
    PLI_FREE(m, s->skipped, s->skipped_capacity);
    pli_schur_init(s, m);
}

void pli_equations_pull(const pli_equations* e, double factor, const double* x, double* y) {
    for (int i = 0; i < e->count; ++i)
        for (int k = e->start[i]; k < e->start[i + 1] && x[i] != 0; ++k)
            if (!e->held[e->unknown[k]]) y[e->unknown[k]] += factor * x[i] * e->weight[k];
}

double pli_equations_row(const pli_equations* e, int i, const double* x) {
    double sum = 0;
    for (int k = e->start[i]; k < e->start[i + 1]; ++k)
        if (!e->held[e->unknown[k]]) sum += e->weight[k] * x[e->unknown[k]];
    return sum;
}

void pli_schur_pivot(int count, double tolerance, double* S, uint8_t* skipped) {
    for (int i = 0; i < count; ++i) {
        double *row = S + (size_t)i * (size_t)count, diagonal = row[i];
        for (int j = 0; j < i; ++j) {
            const double* other = S + (size_t)j * (size_t)count;
            row[j] = skipped[j] ? 0 : (row[j] - pli_dot(row, other, j)) / other[j];
        }
        double left = diagonal - pli_dot(row, row, i);
        skipped[i] = skipped[i] || !(left > tolerance * diagonal) || !isfinite(left);
        row[i] = skipped[i] ? 1 : sqrt(left);
        for (int j = 0; j < i && skipped[i]; ++j) row[j] = 0;
    }
}

void pli_schur_substitute(int count, const double* factor, const uint8_t* skipped, double* x) {
    for (int i = 0; i < count; ++i) {
        const double* row = factor + (size_t)i * (size_t)count;
        x[i] = skipped[i] ? 0 : (x[i] - pli_dot(row, x, i)) / row[i];
    }
    for (int i = count; i-- > 0;) {
        const double* row = factor + (size_t)i * (size_t)count;
        x[i] /= row[i];
        pli_axpy(-x[i], row, x, i);
    }
}

static pli_status make_room(pli_schur* s, int n, int count, pli_error* error) {
    pli_memory* m = s->memory;
    PLI_TRY(PLI_RESERVE(m, s->z, s->z_capacity, (size_t)n * (size_t)count, error));
    PLI_TRY(PLI_RESERVE(m, s->factor, s->factor_capacity, (size_t)count * (size_t)count, error));
    PLI_TRY(PLI_RESERVE(m, s->values, s->value_capacity, (size_t)count, error));
    PLI_TRY(PLI_RESERVE(m, s->right, s->right_capacity, (size_t)n, error));
    return PLI_RESERVE(m, s->skipped, s->skipped_capacity, (size_t)count, error);
}

static double* z_of(const pli_schur* s, int i) { return s->z + (size_t)i * (size_t)s->n; }

pli_status pli_schur_factorize(pli_schur* s, const pli_equations* e, pli_woodbury* solver,
                               pli_linear_verdict* verdict, pli_error* error) {
    int count = e->count;
    s->n = solver->pattern->unknown_count;
    s->equations = NULL;
    PLI_TRY(make_room(s, s->n, count, error));
    for (int i = 0; i < count; ++i) {
        s->skipped[i] = e->dropped[i];
        memset(z_of(s, i), 0, sizeof *s->z * (size_t)s->n);
        if (s->skipped[i]) continue;
        memset(s->right, 0, sizeof *s->right * (size_t)s->n);
        for (int k = e->start[i]; k < e->start[i + 1]; ++k)
            if (!e->held[e->unknown[k]]) s->right[e->unknown[k]] += e->weight[k];
        PLI_TRY(pli_woodbury_solve(solver, s->right, EXACT, z_of(s, i), verdict, error));
        if (*verdict != PLI_LINEAR_OK) return PLI_OK;
    }
    for (int i = 0; i < count; ++i)
        for (int j = 0; j <= i; ++j)
            s->factor[(size_t)i * (size_t)count + (size_t)j] = pli_equations_row(e, j, z_of(s, i));
    pli_schur_pivot(count, DEPENDENT, s->factor, s->skipped);
    s->equations = e;
    return PLI_OK;
}

// p -= Z S^-1 (A p - r), whose multipliers are added.
static void project(pli_schur* s, const double* r, double* p) {
    const pli_equations* e = s->equations;
    for (int i = 0; i < e->count; ++i) s->values[i] = pli_equations_row(e, i, p) - r[i];
    pli_schur_substitute(e->count, s->factor, s->skipped, s->values);
    for (int i = 0; i < e->count; ++i) {
        e->multipliers[i] += s->values[i];
        pli_axpy(-s->values[i], z_of(s, i), p, s->n);
    }
}

void pli_schur_correct(pli_schur* s, const double* r, double* p) {
    for (int pass = 0; pass < 3; ++pass) project(s, r, p); // the later ones refine
}

void pli_schur_balance(pli_schur* s, const double* g) {
    const pli_equations* e = s->equations;
    for (int i = 0; i < e->count; ++i) e->multipliers[i] = -pli_dot(z_of(s, i), g, s->n);
    pli_schur_substitute(e->count, s->factor, s->skipped, e->multipliers);
}
