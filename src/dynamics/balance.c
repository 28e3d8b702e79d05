// The energy balance of a step.
//
// The minimizer leaves a net force r = M a + dP/dq + dD/dq - f (except for prescribed unknowns,
// where it is the force that moves them). Multiplied by the motion dq of the step, with P and K the
// stored and kinetic energy,
//
//     r . dq = (M a) . dq + grad P . dq + grad D . dq - f . dq - (work of prescribed vertices)
//
// dK and dP differ from the first two by the numerical dissipation of the scheme,
//
//     numerical = (M a) . dq - (M dv) . (v0 + v1) / 2  +  grad P . dq - dP
//
// (and by the part of the contact forces that does not act, which pli_world_end_contact removes
// from the work of prescribed vertices, see impact.c). For backward Euler a = dv / h and dq = h v1,
// so the first two are 1/2 |dv|^2_M. An explicit scheme solves nothing: there `numerical` is the
// remaining energy difference.
//
// Before a step the contact stiffness may be raised (stiffness.c): the energy that this adds to the
// barriers of the present state is a separate entry.
#include "dynamics/world.h"

#include "math/vec.h"

#include <math.h>

// Sum of `values` over all terms of one role.
static double sum_of(const pli_world* w, const double* values, pli_role role) {
    double sum = 0;
    for (int t = 0; t < w->term_count; ++t)
        if (w->plain_terms[t].ops->role == role) sum += values[t];
    return sum;
}

// Energy lost to friction, viscosity and damping; for friction only the part that acts.
static double dissipated_work(const pli_world* w) {
    double sum = 0, share = pli_world_contact_share(w);
    for (int t = 0; t < w->term_count; ++t)
        if (w->plain_terms[t].ops->role == PLI_DISSIPATION)
            sum += (w->terms[t].contact ? share : 1) * w->term_works[t];
    return sum;
}

double pli_world_stored(const pli_world* w, const double* term_values) {
    return sum_of(w, term_values, PLI_POTENTIAL);
}

// Energies at the end of the step, forces where the scheme balances them (left in w->x, w->gx).
static void evaluate(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_positions(k, w->pool, w->q, w->x);
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    if (w->scheme->middle) {
        for (int i = 0; i < k->unknown_count; ++i)
            w->scratch[i] = 0.5 * (w->history.q[0][i] + w->q[i]);
        pli_kinematics_positions(k, w->pool, w->scratch, w->x);
    }
    w->averaging.on = w->scheme->averages;
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    w->averaging.on = false;
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
}

pli_balance pli_world_account(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    const double *q0 = w->history.q[0], *v0 = w->history.v[0];
    int n = k->unknown_count;
    bool explicit = w->scheme->step;
    pli_balance b = {0};
    if (!explicit) evaluate(w);

    // (M dv) . (v0 + v1) / 2 is the change of kinetic energy; M a of an explicit step is M dv / h.
    double *dv = w->scratch, *Ma = w->product;
    pli_sub(w->v, v0, dv, n);
    pli_mass_multiply(k, dv, Ma);
    for (int i = 0; i < n && !w->scheme->statics; ++i) b.kinetic += 0.5 * Ma[i] * (v0[i] + w->v[i]);
    if (explicit)
        for (int i = 0; i < n; ++i) Ma[i] /= w->h;
    else
        pli_mass_multiply(k, w->a, Ma);

    double *dq = w->scratch, *g = w->force;
    pli_sub(w->q, q0, dq, n);
    pli_kinematics_directions(k, w->pool, dq, w->dx);
    pli_assembly_work(&w->assembly, w->dx, w->term_works);
    pli_kinematics_pull(k, w->pool, w->gx, g);
    pli_axpy(1, Ma, g, n);
    b.work_prescribed = pli_joints_take_work(w, dq, g) +
                        pli_constraints_take_work(&w->constraints, k, dq, g) -
                        sum_of(w, w->term_works, PLI_PULL);
    b.residual = pli_dot(g, dq, n);
    b.work_loads = -sum_of(w, w->term_works, PLI_LOAD);
    b.dissipated = dissipated_work(w);

    double stored = pli_world_stored(w, w->term_values);
    b.potential = stored - w->stored;
    w->stored = stored;
    b.numerical = pli_dot(Ma, dq, n) - b.kinetic +
                  (sum_of(w, w->term_works, PLI_POTENTIAL) - b.potential) +
                  (sum_of(w, w->term_works, PLI_DISSIPATION) - b.dissipated);
    if (explicit) {
        b.residual = 0;
        b.numerical = b.work_loads + b.work_prescribed - b.kinetic - b.potential - b.dissipated;
    }
    return b;
}

// What energies with state have dissipated so far, where they know it themselves.
static double spent(const pli_world* w) {
    double sum = 0;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        if (term->ops->spent) sum += term->ops->spent(term->self);
    }
    return sum;
}

// Updates the terms with state; returns the stored energy that those lose by it that know what they
// dissipate (*own) and the others (*other).
static void commit_terms(pli_world* w, double* own, double* other) {
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        if (!term->ops->commit) continue;
        *(term->ops->spent ? own : other) += w->term_values[t];
        term->ops->commit(term->self, w->dx);
        term->ops->between(term->self, true);
    }
    pli_assembly_values(&w->assembly, w->dx, w->term_values);
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term* term = &w->terms[t].term;
        if (term->ops->commit) *(term->ops->spent ? own : other) -= w->term_values[t];
    }
}

// The update of energies with state lowers them by the dissipated energy. Where a flow takes time,
// the minimum of a step counts only a part of its dissipation (half, if it is linear), and the rest
// is in `numerical` until here.
void pli_world_commit(pli_world* w, pli_balance* balance) {
    bool any = false;
    for (int t = 0; t < w->term_count; ++t) any = any || w->terms[t].term.ops->commit;
    if (!any) return;
    pli_kinematics_positions(&w->kinematics, w->pool, w->q, w->dx);
    double own = 0, other = 0, before = spent(w), stored = pli_world_stored(w, w->term_values);
    commit_terms(w, &own, &other);
    double dissipated = spent(w) - before, lost = stored - pli_world_stored(w, w->term_values);
    w->stored -= lost;
    balance->potential -= lost;
    balance->inelastic = dissipated + fmax(0, other); // less than 0 is rounding
    balance->dissipated += dissipated + (lost - own);
    balance->numerical -= dissipated - own;
}

void pli_balance_add(pli_balance* sum, const pli_balance* part) {
    sum->kinetic += part->kinetic;
    sum->potential += part->potential;
    sum->dissipated += part->dissipated;
    sum->numerical += part->numerical;
    sum->work_prescribed += part->work_prescribed;
    sum->work_loads += part->work_loads;
    sum->stiffening += part->stiffening;
    sum->changes += part->changes;
    sum->residual += part->residual;
    sum->inelastic += part->inelastic;
}

void pli_world_account_change(pli_world* w, double kinetic, double potential) {
    w->pending.kinetic += kinetic;
    w->pending.potential += potential;
    w->pending.changes += kinetic + potential;
}
