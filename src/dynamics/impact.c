// Contact under a scheme that keeps accelerations (newmark).
//
// Half of the force at the start of a step belongs to the step: the mean of start and end makes the
// scheme second order. Contact forces are not smooth. A force at the end of one step would continue
// to act in the next, where nothing touches any more, and the energy grows: for a ball that hits a
// wall at 67 m/s it doubles. So contact forces act only at the end of the step [Kane99],
//
//     q' = q + h v + h^2 ((1/2 - beta) a + beta (a' + c')),  v' = v + h ((1 - gamma) a + gamma (a'
//     + c'))
//
// with c' the acceleration by barriers and friction at the end; the next step starts from a'. Over
// a step contact adds gamma h c' to the velocity, so only the fraction gamma of the barrier force
// acts. This fraction is reported to readers, carried by supports, and acts on prescribed vertices.
#include "dynamics/world.h"

#include "math/vec.h"

double pli_world_contact_share(const pli_world* w) {
    return w->scheme->aim && w->scheme->accelerates ? w->scheme_def.gamma : 1;
}

// The contact gradient at world->x, in world->dx; false if there is no contact.
static bool contact_gradient(pli_world* w) {
    for (int i = 3 * w->model.vertex_count; i < 3 * w->kinematics.vertex_count; ++i) w->dx[i] = 0;
    return pli_collision_gradient(&w->collision, w->x, w->dx);
}

// M^-1 times the contact gradient at world->x (left in world->dx), on unknowns that are not
// prescribed: minus the acceleration c'. Leaves the gradient on unknowns in world->force, with 0
// where they are prescribed; *prescribed gets its work there over dq (NULL: not requested).
static pli_status contact_acceleration(pli_world* w, const double* dq, double* prescribed,
                                       double* c, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_pull(k, w->pool, w->dx, w->force);
    if (dq) pli_constraints_add_work(&w->constraints, k, 1, w->force, dq, prescribed);
    pli_constraints_clear(&w->constraints, k, w->force);
    return pli_mass_solve(w->mass_solver, w->force, c, error);
}

pli_status pli_world_leave_contact(pli_world* w, const double* q, double* a, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    pli_kinematics_positions(k, w->pool, q, w->x);
    if (!contact_gradient(w)) return PLI_OK;
    PLI_TRY(contact_acceleration(w, NULL, NULL, w->scratch, error));
    pli_axpy(1, w->scratch, a, k->unknown_count);
    return PLI_OK;
}

void pli_world_weaken_contact(pli_world* w) {
    double share = pli_world_contact_share(w);
    if (share == 1 || !contact_gradient(w)) return;
    pli_axpy(share - 1, w->dx, w->gx, 3 * w->model.vertex_count);
}

pli_status pli_world_end_contact(pli_world* w, pli_balance* balance, pli_error* error) {
    const pli_kinematics* k = &w->kinematics;
    int n = k->unknown_count;
    double rest = 1 - pli_world_contact_share(w), work = 0, *dq = w->scratch, *c = w->product;
    bool touches = contact_gradient(w);
    if (touches) {
        pli_axpy(-rest, w->dx, w->gx, 3 * w->model.vertex_count);
        pli_sub(w->q, w->history.q[0], dq, n);
        PLI_TRY(contact_acceleration(w, dq, &work, c, error));
        // A mass that is not lumped couples prescribed vertices with the others.
        pli_mass_multiply(k, c, w->force);
        pli_constraints_add_work(&w->constraints, k, -1, w->force, dq, &work);
        balance->work_prescribed -= rest * work;
        balance->numerical -= rest * work;
    }
    for (int i = 0; i < n; ++i) w->scratch[i] = w->a[i] + (touches ? rest * c[i] : 0);
    pli_kinematics_directions(k, w->pool, w->scratch, w->accelerations);
    if (touches) pli_axpy(1, c, w->a, n);
    return PLI_OK;
}
