// Which rows follow from others: see pli_equations_drop in schur.h.
//
// Elimination row by row with pivots among the unknowns. A pivot is an unknown that few later rows
// have, if its weight is not much smaller than the largest: along a chain of bodies those of the
// body that the chain leaves. So rows hardly fill in, and time and memory are linear there.
#include "sparse/schur.h"

#include <math.h>
#include <string.h>

// A row whose largest weight falls below this part of what it was follows from those before it.
static const double DEPENDENT = 1e-6;

static const double LARGE = 0.1; // a pivot is at least this part of the largest weight of its row

typedef struct elimination {
    pli_memory* memory;
    int n, count; // unknowns, rows
    double* work; // the row being eliminated, over unknowns
    int32_t *last,
        *owner;      // per unknown: the last row that has it, the row it is the pivot of or -1
    uint8_t* listed; // per unknown: it is in `touched`
    int touched_count;
    int32_t* touched;
    // Reduced rows, each divided by its pivot.
    int32_t* start; // count + 1
    int32_t* unknown;
    double* weight;
    int unknown_capacity, weight_capacity;
} elimination;

static pli_status begin(elimination* s, const pli_equations* e, pli_error* error) {
    pli_memory* m = s->memory;
    PLI_TRY(PLI_ALLOC(m, s->work, s->n, error));
    PLI_TRY(PLI_ALLOC(m, s->last, s->n, error));
    PLI_TRY(PLI_ALLOC(m, s->owner, s->n, error));
    PLI_TRY(PLI_ALLOC(m, s->listed, s->n, error));
    PLI_TRY(PLI_ALLOC(m, s->touched, s->n, error));
    PLI_TRY(PLI_ALLOC(m, s->start, s->count + 1, error));
    for (int u = 0; u < s->n; ++u) s->owner[u] = -1;
    for (int i = 0; i < e->count; ++i)
        for (int k = e->start[i]; k < e->start[i + 1]; ++k) s->last[e->unknown[k]] = i;
    return PLI_OK;
}

static void end(elimination* s) {
    pli_memory* m = s->memory;
    PLI_FREE(m, s->work, s->n);
    PLI_FREE(m, s->last, s->n);
    PLI_FREE(m, s->owner, s->n);
    PLI_FREE(m, s->listed, s->n);
    PLI_FREE(m, s->touched, s->n);
    PLI_FREE(m, s->start, s->count + 1);
    PLI_FREE(m, s->unknown, s->unknown_capacity);
    PLI_FREE(m, s->weight, s->weight_capacity);
}

static void add(elimination* s, int32_t unknown, double weight) {
    if (!s->listed[unknown]) s->touched[s->touched_count++] = unknown;
    s->listed[unknown] = 1;
    s->work[unknown] += weight;
}

// The first row, after `row`, whose pivot is among the unknowns of the present one; -1: none.
static int next_row(const elimination* s, int row) {
    int next = -1;
    for (int i = 0; i < s->touched_count; ++i) {
        int owner = s->owner[s->touched[i]];
        if (owner > row && (next < 0 || owner < next)) next = owner;
    }
    return next;
}

static double largest(const elimination* s) {
    double most = 0;
    for (int i = 0; i < s->touched_count; ++i) most = fmax(most, fabs(s->work[s->touched[i]]));
    return most;
}

// Takes the pivots of earlier rows out of the present one.
static void reduce(elimination* s) {
    for (int row = next_row(s, -1); row >= 0; row = next_row(s, row)) {
        double factor = s->work[s->unknown[s->start[row]]]; // the pivot comes first
        for (int k = s->start[row]; k < s->start[row + 1] && factor != 0; ++k)
            add(s, s->unknown[k], -factor * s->weight[k]);
        s->work[s->unknown[s->start[row]]] = 0;
    }
}

static int32_t choose_pivot(const elimination* s, double most) {
    int32_t pivot = -1;
    for (int i = 0; i < s->touched_count; ++i) {
        int32_t u = s->touched[i];
        if (!(fabs(s->work[u]) >= LARGE * most)) continue;
        if (pivot < 0 || s->last[u] < s->last[pivot] ||
            (s->last[u] == s->last[pivot] && fabs(s->work[u]) > fabs(s->work[pivot])))
            pivot = u;
    }
    return pivot;
}

static pli_status keep(elimination* s, int row, int32_t pivot, pli_error* error) {
    int at = s->start[row], need = at + s->touched_count;
    double factor = 1 / s->work[pivot];
    PLI_TRY(PLI_GROW(s->memory, s->unknown, s->unknown_capacity, need, error));
    PLI_TRY(PLI_GROW(s->memory, s->weight, s->weight_capacity, need, error));
    s->unknown[at] = pivot;
    s->weight[at++] = 1;
    for (int i = 0; i < s->touched_count; ++i) {
        int32_t u = s->touched[i];
        if (u == pivot || s->work[u] == 0) continue;
        s->unknown[at] = u;
        s->weight[at++] = factor * s->work[u];
    }
    s->owner[pivot] = row;
    s->start[row + 1] = at;
    return PLI_OK;
}

static pli_status take_row(elimination* s, const pli_equations* e, int row, pli_error* error) {
    s->touched_count = 0;
    s->start[row + 1] = s->start[row];
    if (e->dropped[row]) return PLI_OK;
    for (int k = e->start[row]; k < e->start[row + 1]; ++k) add(s, e->unknown[k], e->weight[k]);
    double before = largest(s), after;
    reduce(s);
    after = largest(s);
    e->dropped[row] = !(after > DEPENDENT * before);
    pli_status status = PLI_OK;
    if (!e->dropped[row]) status = keep(s, row, choose_pivot(s, after), error);
    for (int i = 0; i < s->touched_count; ++i)
        s->work[s->touched[i]] = s->listed[s->touched[i]] = 0;
    return status;
}

pli_status pli_equations_drop(const pli_equations* e, int unknown_count, pli_memory* memory,
                              pli_error* error) {
    elimination s = {.memory = memory, .n = unknown_count, .count = e->count};
    pli_status status = begin(&s, e, error);
    for (int i = 0; i < e->count && status == PLI_OK; ++i) status = take_row(&s, e, i, error);
    end(&s);
    return status;
}
