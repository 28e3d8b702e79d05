// Publishes the results of a step: positions, velocities, energies, reactions, contacts.
#include "dynamics/world.h"

#include "math/vec.h"

// The part of a force that the support of a vertex takes.
static void take_held(const pli_support* support, int dim, double* r) {
    if (support->kind == PLI_SUPPORT_AXES)
        for (int c = 0; c < dim; ++c) r[c] = support->axes[c] ? r[c] : 0;
    if (support->kind == PLI_SUPPORT_INCLINED) {
        double along = pli_dot(r, support->normal, dim);
        for (int c = 0; c < dim; ++c) r[c] = along * support->normal[c];
    }
}

// Force of the support on a vertex: the sum of the other forces and inertia along the directions in
// which the vertex is held.
static void find_reactions(pli_world* w) {
    int dim = w->model.def.dimension;
    pli_joints_push(w, w->gx);
    double* inertia = w->dx; // M a: at a fixed vertex the inertia of its neighbours
    pli_vertex_mass_multiply(&w->kinematics, w->accelerations, inertia);
    for (int v = 0; v < w->model.vertex_count; ++v) {
        double* r = w->reactions + 3 * (size_t)v;
        const double* gx = w->gx + 3 * (size_t)v;
        if (w->model.supports[v].kind == PLI_SUPPORT_NONE) continue;
        for (int c = 0; c < dim; ++c) r[c] = gx[c] + inertia[3 * (size_t)v + (size_t)c];
    }
    pli_world_carry_reactions(w, inertia);
    for (int v = 0; v < w->model.vertex_count; ++v)
        if (w->model.supports[v].kind != PLI_SUPPORT_NONE)
            take_held(&w->model.supports[v], dim, w->reactions + 3 * (size_t)v);
    pli_constraints_reaction(&w->constraints, w->x, w->reactions);
}

void pli_world_evaluate(pli_world* w) {
    pli_kinematics_positions(&w->kinematics, w->pool, w->history.q[0], w->x);
    pli_assembly_values(&w->assembly, w->x, w->term_values);
    pli_assembly_evaluate(&w->assembly, w->x, NULL);
    pli_assembly_gradient(&w->assembly, w->gx, NULL);
    pli_world_weaken_contact(w);
}

void pli_world_publish(pli_world* w) {
    const pli_kinematics* k = &w->kinematics;
    w->published++;
    int points = 3 * w->model.vertex_count;
    pli_kinematics_positions(k, w->pool, w->history.q[0], w->dx);
    pli_copy(w->dx, w->model.positions, points);
    pli_copy(w->dx + points, w->frame_positions, 3 * w->array_counts[PLI_PER_FRAME_POINT]);
    pli_kinematics_directions(k, w->pool, w->history.v[0], w->dx);
    pli_copy(w->dx, w->model.velocities, points);
    pli_copy(w->dx + points, w->frame_velocities, 3 * w->array_counts[PLI_PER_FRAME_POINT]);
    pli_world_publish_nodes(w);
    pli_mass_multiply(k, w->history.v[0], w->force);
    w->kinetic = 0; // none without inertia
    if (!w->scheme->statics)
        w->kinetic = 0.5 * pli_dot(w->history.v[0], w->force, k->unknown_count);
    pli_copy(w->term_values, w->energy_values, w->term_count);
    if (w->supported_count > 0) find_reactions(w);
    pli_constraints_mark_behind(&w->constraints, w->behind);
    pli_collision_publish_contacts(&w->collision, pli_world_contact_share(w));
}
