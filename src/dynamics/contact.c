// Contact in the world: its terms, its stiffness in the energy balance, exempt pairs, and what
// readers can query.
#include "dynamics/world.h"

#include "math/vec.h"

#include <string.h>

pli_status pli_world_add_contact(pli_world* w, pli_error* error) {
    pli_collision* c = &w->collision;
    PLI_TRY(pli_collision_make_terms(c, error));
    PLI_TRY(pli_world_reserve_terms(w, 2 * c->term_count, error));
    for (int t = 0; t < c->term_count; ++t) {
        pli_world_add_term(w, c->terms[t].barrier)->contact = true;
        if (c->terms[t].friction.ops) pli_world_add_term(w, c->terms[t].friction)->contact = true;
    }
    return PLI_OK;
}

// ---- stiffness

static double modulus_of(const void* context, int body, double h) {
    return pli_world_affine_modulus(context, body, h);
}

void pli_world_choose_stiffness(pli_world* w) {
    double* velocities = w->x_n; // free before the first step
    pli_kinematics_directions(&w->kinematics, w->pool, w->history.v[0], velocities);
    pli_copy(w->model.velocities, velocities, 3 * w->model.vertex_count);
    pli_stiffness_source at = {.assembly = &w->assembly,
                               .x = w->x,
                               .h = w->scheme->statics ? 0 : w->h,
                               .gradient = w->gx,
                               .scratch = {w->dx, w->x_still},
                               .velocities = velocities,
                               .modulus = modulus_of,
                               .context = w};
    pli_collision* c = &w->collision;
    double stiffness = c->stiffness, largest = c->largest_stiffness, gap[2] = {c->gap[0], c->gap[1]};
    bool again = c->started;
    if (again && !w->carry.grown) return; // the stiffness is part of the state
    pli_collision_choose_stiffness(c, &at);
    if (!again) return;
    pli_collision_set_stiffness(c, fmax(c->stiffness, stiffness));
    c->largest_stiffness = fmax(c->largest_stiffness, largest);
    memcpy(c->gap, gap, sizeof c->gap);
}

// Energy of motion, deformation and contact, and of contact alone. Linear potentials, like gravity,
// have no natural zero and are excluded.
static double energy_present(const pli_world* w, double* barriers) {
    double present = w->kinetic;
    *barriers = 0;
    for (int t = 0; t < w->term_count; ++t) {
        const pli_term_ops* ops = w->terms[t].term.ops;
        if (ops->role != PLI_POTENTIAL || ops->linear) continue;
        present += fabs(w->energy_values[t]);
        if (w->terms[t].contact) *barriers += w->energy_values[t];
    }
    return present;
}

void pli_world_adapt_stiffness(pli_world* w, pli_balance* balance) {
    double barriers, present = energy_present(w, &barriers), added = 0;
    double growth = pli_collision_adapt_stiffness(&w->collision, present, barriers);
    if (growth == 1) return;
    for (int t = 0; t < w->term_count; ++t) {
        if (!pli_is_barrier(&w->terms[t])) continue;
        double more = (growth - 1) * w->energy_values[t];
        w->energy_values[t] += more;
        added += more;
    }
    w->stored += added;
    balance->stiffening += added;
    balance->potential += added;
}

// ---- exempt pairs

static pli_status refresh(pli_world* w, pli_error* error) {
    double alpha = 1;
    return pli_world_refresh(w, NULL, &alpha, error);
}

pli_status pli_world_exempt(pli_world* w, pli_error* error) {
    pli_collision* c = &w->collision;
    if (!pli_collision_may_exempt(c) || (c->started && !w->carry.grown)) return PLI_OK;
    PLI_TRY(pli_collision_exempt_joined(c, w->x, error));
    PLI_TRY(refresh(w, error));
    if (c->started) return PLI_OK; // close pairs may already be in contact
    PLI_TRY(pli_collision_exempt_near(c, w->x, error));
    return refresh(w, error);
}

// The barriers have new pairs: their energy at the newest state changes.
static void account_barriers(pli_world* w) {
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    for (int t = 0; t < w->term_count; ++t)
        if (pli_is_barrier(&w->terms[t])) w->energy_values[t] = w->term_values[t];
    w->stored = pli_world_stored(w, w->energy_values);
}

pli_status pli_world_end_exemptions(pli_world* w, pli_error* error) {
    pli_collision* c = &w->collision;
    if (c->exempt.count == 0) return PLI_OK;
    pli_body_pairs before = {0};
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    PLI_TRY(pli_collision_drop_exempt(c, w->x, &before, error));
    if (before.count == 0) return PLI_OK; // no pair has separated
    pli_status status = refresh(w, error);
    if (status == PLI_OK) status = pli_collision_keep_exempt(c, w->x, &before, error);
    if (status == PLI_OK) status = refresh(w, error);
    if (status == PLI_OK) {
        account_barriers(w);
    } else {
        pli_body_pairs fewer = c->exempt;
        c->exempt = before;
        before = fewer;
    }
    PLI_FREE(&w->memory, before.keys, before.capacity);
    return status;
}

// ---- reading

pli_status pli_world_find_contacts(pli_world* w, pli_error* error) {
    if (w->collision.term_count > 0)
        pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->dx);
    return pli_collision_find_contacts(&w->collision, w->dx, error);
}

double pli_world_contact_stiffness(const pli_world* world) {
    return world ? world->collision.stiffness : 0;
}

int pli_world_contact_count(const pli_world* world) {
    return world ? world->collision.contacts.count : 0;
}

const pli_contact_info* pli_world_contacts(const pli_world* world) {
    return world && world->collision.contacts.count > 0 ? world->collision.contacts.list : NULL;
}

int pli_world_body_contact_count(const pli_world* world) {
    return world ? world->collision.contacts.pair_count : 0;
}

pli_body_contact_info pli_world_body_contact(const pli_world* world, int i) {
    if (!world || i < 0 || i >= world->collision.contacts.pair_count)
        return (pli_body_contact_info){.count = 0};
    return world->collision.contacts.pairs[i];
}

const double* pli_world_contact_forces(const pli_world* world) {
    return world ? world->collision.contacts.forces : NULL;
}

const double* pli_world_friction_forces(const pli_world* world) {
    return world ? world->collision.contacts.friction : NULL;
}

void pli_world_contact_force(const pli_world* world, int body, int other, double force[3]) {
    if (!force) return;
    force[0] = force[1] = force[2] = 0;
    if (!world) return;
    const pli_contacts* c = &world->collision.contacts;
    for (int i = 0; i < c->pair_count && body >= 0; ++i) {
        const pli_body_contact_info* pair = &c->pairs[i];
        int second = pli_max_int(pair->body[1], -1); // all half-spaces count as one
        if (pair->body[0] == body && second == other) pli_axpy(1, pair->force, force, 3);
        if (pair->body[0] == other && second == body) pli_axpy(-1, pair->force, force, 3);
    }
}
